"""``dpcheck theorems ID``: its lines first, what refutes them always, and every formula where it is asked for."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache

import pytest
from rich.console import Console

from dpcheck.cli import theorem_shown
from dpcheck.cli.app import run
from dpcheck.cli.theorem_shown import ALL, result_tree, whole
from dpcheck.proof.registry import Registry
from dpcheck.proof.status import PartResult, TheoremResult

#: What a screen or three hold; whole results have up to thousands of lines.
MOST_LINES = 150


@cache
def registry() -> Registry:
    return Registry()


def results(paper: str = "alon2019") -> Sequence[TheoremResult]:
    evaluation = registry().evaluations[paper]
    return [evaluation.theorem(one.id) for one in registry().papers[paper].theorems]


def text(result: TheoremResult, step: str | None = None) -> str:
    written = io.StringIO()
    paper = registry().papers[result.theorem.id.partition(":")[0]]
    tree = result_tree(paper, result, registry(), step, f"dpcheck theorems {result.theorem.id}")
    Console(file=written, width=100_000).print(tree)
    return written.getvalue()


def parts_of(result: TheoremResult) -> list[PartResult]:
    return [part for one in result.steps for part in (one.printed, one.repair) if part is not None]


def test_a_long_proof_is_its_lines_with_statuses_and_what_refutes_them() -> None:
    shown = {result.theorem.id: text(result) for result in results()}
    assert max(words.count("\n") for words in shown.values()) <= MOST_LINES
    assert any(f"--step {ALL}" in words for words in shown.values())
    for result in results():
        words = shown[result.theorem.id]
        for one in result.steps:
            assert f"{one.step.label} {one.status.value.split(' ')[0]}" in words
        for part in parts_of(result):
            for found in part.claims:
                if found.status.value == "REFUTED":
                    assert whole(found) in words


def test_what_refutes_a_line_is_missed_where_it_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(theorem_shown, "_add_refuted", lambda *_: None)
    with pytest.raises(AssertionError):
        test_a_long_proof_is_its_lines_with_statuses_and_what_refutes_them()


def test_every_formula_is_shown_where_it_is_asked_for() -> None:
    for result in results():
        everything = text(result, ALL)
        assert f"--step {ALL}" not in everything
        for one in result.steps:
            own = text(result, one.step.label)
            parts = [part for part in (one.printed, one.repair) if part is not None]
            for part in parts:
                derived = () if part.derived is None else part.derived.lines
                for found in (*part.claims, *(claim for line in derived for claim in line.claims)):
                    assert whole(found) in everything
                    assert whole(found) in own


def test_one_line_is_shown_through_the_door(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["theorems", "alon2019:thm-4.1", "--step", "T41.end", "--quiet"]) == 0
    said = capsys.readouterr().out
    assert "n_pub > 1/(1600*alpha)   for n_pub" in said
    assert "T41.red" not in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["alon2019:thm-4.1", "--step", "T41.rd"], "must be a line of the proof of alon2019:thm-4.1, or all, got"),
        (["--step", "T41.red"], "--step must come with an ID, and without --json and --witness"),
        (["alon2019:thm-4.1", "--step", "T41.red", "--json"], "--step must come with an ID, and without --json"),
        (["alon2019:thm-4.1", "--step", "x", "--evaluate", "alpha=1"], "--step and --evaluate must not come together"),
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_shown_is_refused(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["theorems", *arguments]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert words in line
