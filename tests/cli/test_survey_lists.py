"""The survey's own lists: what they name is there, and no finding is without its place, its kind and a mended copy."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from dpcheck.cli.survey_file import AskedSubject, read_survey
from dpcheck.model.verdict import Status
from dpcheck.report.packages.findings import DOCUMENTED, FLOATING_POINT

LISTS = Path(__file__).resolve().parents[2] / "examples" / "survey"
ALL = read_survey(LISTS / "all.toml")
#: Where a promise was read, or a line of source: a name of a file, a function, a document.
_PLACE = re.compile(r"\.(py|md|rst)\b|\(|README|docstring")


def names_in(file: Path) -> set[str]:
    tree = ast.parse(file.read_bytes())
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)} | {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def faults_of(subject: AskedSubject) -> list[str]:
    """What a finding lacks."""
    if Status.VIOLATED not in subject.expected.values():
        return []
    known = subject.cause == FLOATING_POINT or subject.cause.lower().startswith(DOCUMENTED)
    said = {"finding": subject.finding, "cause": subject.cause, "known": subject.known}
    lacking = [key for key, words in said.items() if not words.strip()]
    lacking += [] if subject.mended or known else ["mended"]
    return lacking + ([] if _PLACE.search(subject.finding) else ["a place in the source"])


def test_the_list_of_lists_has_every_list() -> None:
    listed = {one.name for one in LISTS.glob("*.toml")} - {"all.toml"}
    every = [read_survey(LISTS / name) for name in listed]
    assert sum(len(one.subjects) for one in every) == len(ALL.subjects)


@pytest.mark.parametrize("subject", ALL.subjects, ids=lambda one: one.name)
def test_what_a_subject_names_is_there_and_a_finding_is_whole(subject: AskedSubject) -> None:
    for target in filter(None, (subject.found_at, subject.mended_at)):
        file, _, name = target.rpartition(":")
        assert name in names_in(Path(file))
    assert len(subject.promise) > 12
    assert faults_of(subject) == []


def test_a_finding_without_its_parts_is_caught() -> None:
    from dataclasses import replace

    whole = next(one for one in ALL.subjects if Status.VIOLATED in one.expected.values() and one.mended)
    assert faults_of(whole) == []
    assert faults_of(replace(whole, cause="")) == ["cause"]
    assert faults_of(replace(whole, known=" ", mended="")) == ["known", "mended"]
    assert faults_of(replace(whole, finding="it is wrong")) == ["a place in the source"]
