"""Warnings: a finding with counts of both sides, part of outputs only where asked for; events that can be checked."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import dpcheck
from dpcheck.execution.answers import Answers
from dpcheck.execution.portrait import portray
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.verdict import Status, Verdict
from dpcheck.privacy.run.warning_counts import WarningCounts
from dpcheck.privacy.statistics.kinds import kind_in_words

PAIR = [([0], [1])]


def audited(learner: Any, **changes: Any) -> Verdict:
    return dpcheck.audit(learner, 1.0, **{"pairs": PAIR, "max_samples": 1000, "isolation": "none", **changes})


def warns_once_more(dataset: Any, rng: np.random.Generator) -> float:
    """A correct learner whose library warns three times on one side, twice on the other."""
    for _ in range(2 + int(dataset[0])):
        warnings.warn("no gradient was needed", UserWarning, stacklevel=1)
    return float(rng.laplace())


def finding(verdict: Verdict, kind: str) -> str:
    return next((one.detail for one in verdict.findings if one.kind == kind), "")


def test_a_warning_more_on_one_side_is_no_violation_but_is_told_of(seed: int) -> None:
    verdict = audited(warns_once_more, seed=seed)
    assert verdict.status is not Status.VIOLATED
    told = finding(verdict, "warns")
    assert "warnings UserWarning: no gradient was needed came with" in told
    assert "outputs on D and" in told
    assert "no part of an output unless asked for (warnings='output')" in told


def test_where_asked_for_the_event_is_in_words_that_can_be_checked(seed: int) -> None:
    verdict = audited(warns_once_more, warnings="output", seed=seed)
    assert verdict.status is Status.VIOLATED
    assert verdict.witness is not None
    assert "2 warnings UserWarning: no gradient was needed" in verdict.witness.event
    assert "3 warnings UserWarning: no gradient was needed" in verdict.witness.event
    assert "seen before" not in verdict.witness.event
    assert verdict.record is not None
    assert verdict.record.warnings == "output"
    assert "part of an output here" in finding(verdict, "warns")
    measured = dpcheck.measure(warns_once_more, pairs=PAIR, warnings="output", max_samples=1500, isolation="none")
    assert measured.epsilon_lower > 2
    plain = dpcheck.measure(warns_once_more, pairs=PAIR, max_samples=1500, isolation="none", seed=seed, alpha=1e-9)
    assert plain.epsilon_lower == 0


def test_the_record_keeps_the_choice_for_whoever_goes_on(seed: int) -> None:
    first = audited(warns_once_more, seed=seed, max_samples=200)
    again = Verdict.from_json(first.to_json())
    assert again.record is not None
    assert again.record.warnings == "finding"
    assert audited(warns_once_more, seed=seed, resume=again, max_samples=400).status is not Status.VIOLATED
    with pytest.raises(InvalidArgument, match="same warnings, got 'finding', now 'output'"):
        audited(warns_once_more, seed=seed, resume=again, warnings="output")
    with pytest.raises(InvalidArgument, match="warnings must be one of finding, output, got 'outputs'"):
        audited(warns_once_more, warnings="outputs")


def test_a_warning_that_the_learner_turns_into_an_error_is_an_answer(seed: int) -> None:
    def raises(dataset: Any, rng: np.random.Generator) -> float:
        warnings.simplefilter("error")
        if dataset[0]:
            warnings.warn("clipped", UserWarning, stacklevel=1)
        return float(rng.laplace())

    verdict = audited(raises, seed=seed)
    assert verdict.status is Status.VIOLATED
    assert not finding(verdict, "warns")


def test_what_is_shown_once_is_shown_in_each_request(seed: int) -> None:
    """The register of what was shown "once" outlives filters: it must not tell the first side from the second."""

    def once(dataset: Any, rng: np.random.Generator) -> float:
        warnings.simplefilter("once")
        warnings.warn("shown once", UserWarning, stacklevel=1)
        return float(rng.laplace())

    before = dict(warnings.onceregistry)  # type: ignore[attr-defined]
    told = finding(audited(once, seed=seed, max_samples=400), "warns")
    assert "came with 0 of" not in told
    assert "and 0 of" not in told
    assert warnings.onceregistry == before  # type: ignore[attr-defined]


def test_the_pair_and_the_warnings_that_differ_most_are_told_of() -> None:
    counts = WarningCounts()
    assert counts.finding() is None
    same, other = ([0], [1]), ([5], [6])
    both = Answers(np.zeros(50), warned=dict.fromkeys(range(50), ("UserWarning: always",)))
    some = Answers(np.zeros(50), warned=dict.fromkeys(range(12), ("UserWarning: clipped",)))
    for pair, sides in ((same, [(1, both), (0, both)]), (other, [(1, some), (0, Answers(np.zeros(50)))])):
        for _, answers in sides:
            counts.note(answers)
        counts.see(pair, sides)
    told = counts.finding()
    assert told is not None
    assert told.detail.startswith(
        "a warning: UserWarning: clipped came with 12 of 50 outputs on D and 0 of 50 on D' (D = [5], D' = [6]);"
    )


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "None"),
        (0.5, "a number (float)"),
        (np.float32(0.5), "a number (numpy.float32)"),
        ("yes", "'yes'"),
        ((0.5, None), "a tuple (a number, None)"),
        ([0.5] * 3, "a list of 3 numbers"),
        ({"a": 1.0, "b": "x"}, "a dict {'a': a number, 'b': 'x'}"),
        (np.zeros((3,)), "an array of shape (3,) of float64"),
        (np.zeros((3,), np.int32), "an array of shape (3,) of int32"),
        (np.array(["no", "yes"]), "an array of shape (2,) of <U3: ['no', 'yes']"),
        (
            portray(SimpleNamespace(weight=0.5, classes_=np.array(["no"]))),
            "a SimpleNamespace (classes_=an array of shape (1,) of <U2: ['no'], weight=a number)",
        ),
    ],
)
def test_kinds_are_named_so_that_a_reader_can_check_them(answer: Any, words: str) -> None:
    assert kind_in_words(answer) == words


@pytest.mark.parametrize(
    ("here", "there", "words"),
    [
        (lambda rng: float(rng.laplace()), lambda rng: np.float32(rng.laplace()), "a number (numpy.float32)"),
        (lambda rng: [rng.laplace()] * 2, lambda rng: {"a": rng.laplace(), "b": "x"}, "{'a': a number, 'b': 'x'}"),
        (lambda rng: rng.laplace(), lambda rng: rng.laplace(size=3), "an array of shape (3,) of float64"),
    ],
)
def test_a_leak_in_the_kind_names_the_kinds(here: Any, there: Any, words: str, seed: int) -> None:
    """Other rules may win by chance: what is asked is that no event speaks of kinds without naming them."""
    witness = audited(lambda d, rng: (there if d[0] else here)(rng), seed=seed, max_samples=300).witness
    assert witness is not None
    assert "seen before" not in witness.event
    assert words in witness.event or "score of all" in witness.event or "output[" in witness.event


LEARNER = """
import warnings
def learner(dataset, rng):
    for _ in range(2 + int(sum(dataset) > 0)):
        warnings.warn("no gradient was needed", UserWarning)
    return rng.laplace()
"""


@pytest.mark.turns(6)
def test_the_option_of_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(LEARNER)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "dpcheck", "audit", "mine.py:learner", "--epsilon", "1", "--records", "0,1"]
        return subprocess.run(
            [*command, "--size", "1", "--max-samples", "1000", "--quiet", *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    plain = run()
    assert plain.returncode != 1, plain.stdout
    assert "no part of an output unless asked for" in plain.stdout
    asked = run("--warnings", "output")
    assert asked.returncode == 1, asked.stdout
    assert "3 warnings UserWarning: no gradient was needed" in asked.stdout
    assert run("--warnings", "outputs").returncode == 2


class WarnsAndDeclares:
    """Its law says nothing of what it warns of."""

    def __init__(self, when: Callable[[Any, np.random.Generator], bool]) -> None:
        self.when = when

    def distribution(self, dataset: Any) -> dict[int, float]:
        return {1: 1.0}

    def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
        if self.when(dataset, rng):
            warnings.warn("clipped", stacklevel=2)
        return 1


@pytest.mark.parametrize(
    ("when", "status"),
    [
        (lambda dataset, rng: dataset[0] == 1, Status.VIOLATED),
        (lambda dataset, rng: True, Status.LEARNER_FAILED),
        (lambda dataset, rng: rng.random() < 0.05, Status.LEARNER_FAILED),
        (lambda dataset, rng: False, Status.NO_VIOLATION_FOUND),
    ],
)
def test_a_declared_law_says_nothing_of_warnings_that_are_part_of_an_output(
    when: Callable[[Any, np.random.Generator], bool], status: Status, seed: int
) -> None:
    limits: dict[str, Any] = {"pairs": [([0, 1], [1, 1])], "seed": seed, "isolation": "none"}
    verdict = dpcheck.audit(WarnsAndDeclares(when), 1.0, warnings="output", **limits)
    assert verdict.status is status, str(verdict)
    if status is Status.LEARNER_FAILED:
        assert "gave 1 and a warning: UserWarning: clipped" in verdict.failure
    assert dpcheck.audit(WarnsAndDeclares(when), 1.0, **limits).status is Status.NO_VIOLATION_FOUND
