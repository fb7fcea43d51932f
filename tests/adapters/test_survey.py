"""The survey: its subjects are complete, the lines they name are there, and a cheap part of it is audited."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dpcheck.adapters.survey import SourceLine, by_name, subjects
from dpcheck.adapters.survey.source import source_line
from dpcheck.cli.survey_targets import audit_of_subject, subjects_named
from dpcheck.model.errors import InvalidArgument, TargetNotFound
from dpcheck.model.verdict import Status
from dpcheck.report.findings import SCHEMA, render, to_json

ROOT = Path(__file__).resolve().parents[2]
SUBJECTS = pytest.mark.parametrize("subject", subjects(), ids=lambda subject: subject.name)
#: Violations whose audits take a second or two; the rest is run by hand (``dpcheck survey --seeds 10``).
CHEAP = (
    "diffprivlib-naive-bayes-add-remove",
    "diffprivlib-logistic-regression",
    "diffprivlib-kmeans",
    "diffprivlib-standard-scaler-undeclared",
)
#: What others had reported, and the address of the report.
KNOWN = {
    "diffprivlib-linear-regression": "https://github.com/IBM/differential-privacy-library/issues/105",
    "diffprivlib-logistic-regression": "https://github.com/IBM/differential-privacy-library/issues/106",
    "opendp-pairwise-predict": "https://github.com/opendp/opendp/issues/2950",
}


@pytest.fixture
def seed() -> int:
    """Fresh in each run: the level, not the seed, makes these tests reliable."""
    return int(np.random.SeedSequence().generate_state(1)[0])


def test_names_are_unique_and_say_their_library():
    names = [subject.name for subject in subjects()]
    assert len(set(names)) == len(names)
    assert all(subject.name.startswith(subject.library.name) for subject in subjects())
    assert {subject.library.name for subject in subjects()} == {"diffprivlib", "opendp", "dp-accounting"}
    assert {name: by_name()[name].upstream for name in KNOWN} == KNOWN


@SUBJECTS
def test_a_subject_is_complete(subject):
    assert subject.what
    assert subject.data
    assert subject.why.endswith(".")
    assert subject.relation_note.endswith(".")
    assert subject.expected in (Status.VIOLATED, Status.NO_VIOLATION_FOUND)
    # a violation that rests on a library's code names the line
    if subject.expected is Status.VIOLATED and subject.library.name != "dp-accounting":
        assert subject.code
        assert subject.line


@SUBJECTS
def test_the_line_it_names_is_in_the_installed_library(subject):
    if subject.library.missing():
        pytest.skip(subject.library.missing())
    source = subject.source()
    if source is not None:
        assert source.line > 0, f"{subject.code} has no {subject.line!r}: the library has changed, look at the subject"
        assert subject.line in source.text
        assert not Path(source.file).is_absolute()


def test_a_line_that_is_gone_is_said_to_be_gone():
    assert source_line("dpcheck.adapters.survey.source:source_line", "no such text\u0000") == SourceLine(
        "dpcheck/adapters/survey/source.py", "source_line", 0, ""
    )
    assert source_line("math:sin", "anything").line == 0


@pytest.mark.turns(4)
@SUBJECTS
def test_a_subject_can_be_made_and_answers(subject):
    if subject.library.missing():
        pytest.skip(subject.library.missing())
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        prepared = subject.prepare()
        assert prepared.relation is not None
        if prepared.dataset is not None:
            answer = prepared.learner(prepared.dataset, np.random.default_rng(0))
            assert answer is not None


def test_a_library_that_is_missing_says_what_to_install(monkeypatch):
    library = by_name()["opendp-count"].library
    monkeypatch.setitem(sys.modules, "opendp.prelude", None)
    assert library.missing().startswith("not here: install dpcheck[opendp")


def test_names_are_looked_up_as_people_write_them():
    assert subjects_named([]) == subjects()
    assert [one.name for one in subjects_named(["opendp_count", "opendp-count"])] == ["opendp-count"]
    assert {one.library.name for one in subjects_named(["opendp"])} == {"opendp"}
    with pytest.raises(TargetNotFound, match="did you mean 'opendp-count'"):
        subjects_named(["opendp-counts"])


@pytest.mark.some(1)
@pytest.mark.parametrize("name", CHEAP)
def test_a_violation_is_found_and_shown_on_a_few_rows(name, seed):
    """A violated claim is accused whatever the seed: the audits need half of their calls at most (15 seeds)."""
    (subject,) = subjects_named([name])
    if subject.library.missing():
        pytest.skip(subject.library.missing())
    verdict = audit_of_subject(subject, seed, alpha=1e-9, max_seconds=120.0, isolation="none")
    assert verdict.status is Status.VIOLATED, str(verdict)
    assert verdict.epsilon_lower > 1.0


@pytest.mark.turns(6)
def test_the_right_use_of_what_is_violated_is_not_accused(seed):
    """The same audit of a subject whose leak is taken away: the sum of the class counts under replace-one."""
    (subject,) = subjects_named(["diffprivlib-naive-bayes-add-remove"])
    if subject.library.missing():
        pytest.skip(subject.library.missing())
    from dpcheck.model.neighbours import LabelsOnly

    prepared = subject.prepare()
    right = replace(subject, prepare=lambda: replace(prepared, relation=LabelsOnly([0, 1])))
    verdict = audit_of_subject(replace(right, max_samples=200), seed, alpha=1e-9, max_seconds=60.0, isolation="none")
    assert verdict.status is not Status.VIOLATED, str(verdict)


def test_two_subjects_of_one_name_are_an_error(monkeypatch):
    from dpcheck.adapters.survey import discovery
    from dpcheck.adapters.survey.entries import opendp_measurements

    monkeypatch.setattr(opendp_measurements, "again", opendp_measurements.count, raising=False)
    with pytest.raises(InvalidArgument, match="got 'opendp-count' twice"):
        discovery.subjects.__wrapped__()


def test_the_report_is_what_its_record_renders():
    text = (ROOT / "reports" / "survey.json").read_text(encoding="utf-8")
    document = json.loads(text)
    assert document["schema"] == SCHEMA
    assert to_json(document) == text
    assert render(document) == (ROOT / "reports" / "findings.md").read_text(encoding="utf-8")


def test_the_report_is_about_the_subjects_there_are_and_the_known_bugs_are_found():
    document = json.loads((ROOT / "reports" / "survey.json").read_text(encoding="utf-8"))
    reported = {one["name"]: one for one in document["subjects"]}
    assert list(reported) == [subject.name for subject in subjects()]
    for subject in subjects():
        statuses = {result["status"] for result in reported[subject.name]["results"]}
        assert statuses == {subject.expected.value}, subject.name
    for name in KNOWN:
        for result in reported[name]["results"]:
            for side in ("left", "right"):  # the whole dataset is shown only where it has three records at most
                assert result["witness"][side].startswith(("[(", "no records")), result["witness"][side]
