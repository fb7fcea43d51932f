"""Learners that say nothing of few records are searched from the least size on of which they say something."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpcheck
from dpcheck import AddRemove, LabelsOnly, Records, ReplaceOne, Status
from dpcheck.model.data import size_of
from dpcheck.privacy.run.least_size import FIRST_SIZE, LAST_SIZE, least_size
from dpcheck.privacy.run.limits import Limits
from dpcheck.privacy.run.question import Question, ask

LIMITS = Limits(alpha=1e-6, max_samples=1000, isolation="none")
SILENCES = ("raises", "none", "zero")


@dataclass(frozen=True)
class OfEnough:
    """A noisy sum of at least twice as many records as its setting says; of fewer it says nothing."""

    half: int
    silence: str
    scale: float = 1.0

    def __call__(self, dataset: Any, rng: Any) -> float | None:
        if len(dataset) < 2 * self.half:
            if self.silence == "raises":
                raise ValueError(f"{len(dataset)} records are not enough")
            return None if self.silence == "none" else 0.0
        return float(np.clip(dataset, 0.0, 1.0).sum() + rng.laplace(scale=self.scale))


def asked(relation: Any, learner: Any = lambda dataset, rng: None) -> Question:
    return ask(learner, 1.0, neighbours=relation, measuring=False, limits=LIMITS)


@dataclass
class From:
    """Says something of datasets of at least so many records, until it has been asked too often."""

    least: int
    asked: int = 1_000
    ended: bool = False

    def says_something(self, datasets: Sequence[Any]) -> bool:
        assert len({size_of(dataset) for dataset in datasets}) == 1
        self.asked -= 1
        self.ended = self.asked <= 0
        return not self.ended and size_of(datasets[0]) >= self.least


@pytest.mark.parametrize("relation", [
    ReplaceOne((0.0, 1.0)), AddRemove((0.0, 1.0)), LabelsOnly(Records.labelled(features=(0, 1), labels=[0, 1])),
], ids=["replace", "add", "labels"])  # fmt: skip
def test_the_least_size_is_found_exactly(relation: Any, rng: np.random.Generator) -> None:
    question = asked(relation)
    for least in (9, LAST_SIZE, int(rng.integers(10, 10 * FIRST_SIZE))):
        assert least_size(question, From(least)) == least  # type: ignore[arg-type]
    assert least_size(question, From(2 * LAST_SIZE)) == 0  # type: ignore[arg-type]
    assert least_size(question, From(100, asked=3)) == 0  # type: ignore[arg-type]


def test_what_never_says_anything_is_searched_as_before() -> None:
    verdict = dpcheck.audit(
        lambda dataset, rng: None, 1.0, neighbours=ReplaceOne((0.0, 1.0)), max_samples=20_000, isolation="none"
    )
    assert "datasets of 1 to 8 records (no size was declared)" in str(verdict)
    assert any(finding.kind == "one output" for finding in verdict.findings)


@dataclass(frozen=True)
class TellsOfFew(OfEnough):
    """Of few records it says whether one lies in a part of the domain, and something of its own from there on."""

    def __call__(self, dataset: Any, rng: Any) -> float | None:
        if len(dataset) < 2 * self.half:
            return float(any(0.2 < record < 0.5 for record in dataset))
        return float(np.clip(dataset, 0.0, 1.0).sum() + rng.laplace(scale=self.scale))


@pytest.mark.some(1)
def test_what_is_told_of_few_records_now_and_then_is_found(rng: np.random.Generator) -> None:
    verdict = dpcheck.audit(
        TellsOfFew(10, ""), 1.0, neighbours=ReplaceOne((0.0, 1.0)), max_samples=60_000, isolation="none",
        seed=int(rng.integers(2**32)),
    )  # fmt: skip
    assert verdict.status is Status.VIOLATED, str(verdict)


@dataclass(frozen=True)
class TellsOfHundred(OfEnough):
    """Of a hundred records it gives one as it is."""

    def __call__(self, dataset: Any, rng: Any) -> float | None:
        return float(dataset[0]) if len(dataset) == 100 else OfEnough.__call__(self, dataset, rng)


@pytest.mark.some(1)
@pytest.mark.parametrize("silence", SILENCES)
def test_sizes_that_code_names_are_searched_too(silence: str, rng: np.random.Generator) -> None:
    verdict = dpcheck.audit(
        TellsOfHundred(12, silence), 1.0, neighbours=ReplaceOne((0.0, 1.0)), max_samples=100_000, isolation="none",
        seed=int(rng.integers(2**32)),
    )  # fmt: skip
    assert verdict.status is Status.VIOLATED, str(verdict)


def test_calls_that_take_longer_and_longer_end_the_search_for_larger_datasets() -> None:
    def slow(dataset: Any, rng: Any) -> float:
        time.sleep(2.0 ** (len(dataset) - 18) if len(dataset) > 8 else 0.0)
        return 0.0

    began = time.monotonic()
    verdict = dpcheck.audit(slow, 1.0, neighbours=ReplaceOne((0.0, 1.0)), max_seconds=4, isolation="none")
    assert verdict.looked is not None
    assert verdict.looked.tried > 0, str(verdict)
    assert time.monotonic() - began < 15.0


def test_a_death_is_told_of_the_dataset_that_it_happened_on() -> None:
    verdict = dpcheck.audit(
        dies_of_many_alike, 1.0, neighbours=ReplaceOne((0.0, 1.0)), max_samples=20_000, isolation="process"
    )
    assert verdict.status is not Status.VIOLATED
    assert "dataset was [0, 0, 0, 0, 0]" not in verdict.failure


def dies_of_many_alike(dataset: Any, rng: Any) -> float:
    if len(dataset) < 20:
        raise ValueError("not enough")
    if len(set(dataset)) == 1:
        os._exit(3)
    return float(sum(dataset) + rng.laplace())


@pytest.mark.some(2)
@pytest.mark.parametrize("silence", SILENCES)
@pytest.mark.parametrize("scale", [0.25, 1.0])
def test_learners_of_enough_records_are_judged(scale: float, silence: str, rng: np.random.Generator) -> None:
    half = int(rng.integers(5, 40))
    verdict = dpcheck.audit(
        OfEnough(half, silence, scale), 1.0, neighbours=ReplaceOne((0.0, 1.0)), max_samples=60_000, isolation="none",
        seed=int(rng.integers(2**32)),
    )  # fmt: skip
    assert verdict.status is (Status.VIOLATED if scale < 1.0 else Status.NO_VIOLATION_FOUND), str(verdict)
    assert verdict.looked is not None
    assert "by what it answers" in verdict.looked.sizes
    assert any(finding.kind == "sizes" and f"fewer than {2 * half}" in finding.detail for finding in verdict.findings)


@pytest.mark.some(1)
@pytest.mark.parametrize("silence", SILENCES)
def test_where_a_record_decides_whether_there_are_enough_the_claim_is_false(
    silence: str, rng: np.random.Generator
) -> None:
    """It was clean, or not run at all: no dataset had as many records."""
    verdict = dpcheck.audit(
        OfEnough(int(rng.integers(5, 40)), silence), 1.0, neighbours=AddRemove((0.5, 1.0)), max_samples=80_000,
        isolation="none", seed=int(rng.integers(2**32)),
    )  # fmt: skip
    assert verdict.status is Status.VIOLATED, str(verdict)


def test_without_larger_datasets_that_test_would_be_red(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpcheck.privacy.run.by_calls.enough_records", lambda caller, opening: (None, 0))
    verdict = dpcheck.audit(
        OfEnough(15, "none"), 1.0, neighbours=AddRemove((0.5, 1.0)), max_samples=20_000, isolation="none"
    )
    assert verdict.status is not Status.VIOLATED


def test_a_declared_size_is_kept() -> None:
    verdict = dpcheck.audit(
        OfEnough(10, "raises"), 1.0, neighbours=ReplaceOne((0.0, 1.0), size=range(1, 6)), max_samples=5_000,
        isolation="none",
    )  # fmt: skip
    assert verdict.status is Status.LEARNER_FAILED
    assert "records are not enough" in verdict.failure


def five_for_each_feature(dataset: Any, rng: Any) -> Any:
    x, y = (np.asarray(part, dtype=np.float64) for part in dataset)
    if len(x) < 5 * x.shape[1]:
        raise ValueError("not enough records")
    return (x * (2 * y - 1)[:, None]).sum(axis=0) + rng.laplace(scale=6.0, size=3)


@pytest.mark.some(1)
@pytest.mark.parametrize("relation", [ReplaceOne, AddRemove])
def test_forms_are_told_apart_on_enough_records(relation: Any, rng: np.random.Generator) -> None:
    """It was said to answer in no form of its data."""
    records = Records.labelled(features=Records.bounded([-1.0] * 3, [1.0] * 3), labels=[0, 1])
    verdict = dpcheck.audit(
        five_for_each_feature, 1.0, neighbours=relation(records), max_samples=60_000, isolation="none",
        seed=int(rng.integers(2**32)),
    )  # fmt: skip
    wanted = Status.VIOLATED if relation is AddRemove else Status.NO_VIOLATION_FOUND
    assert verdict.status is wanted, str(verdict)
    assert any(finding.kind == "sizes" and "fewer than 15" in finding.detail for finding in verdict.findings)


def test_a_measurement_is_of_enough_records_too() -> None:
    found = dpcheck.measure(
        OfEnough(6, "none"), neighbours=ReplaceOne((0.0, 1.0)), max_samples=20_000, isolation="none"
    )
    assert found.looked is not None
    assert "12 to 19" in found.looked.sizes
    assert found.epsilon_lower > 0.0


def test_an_audit_of_enough_records_is_gone_on_with() -> None:
    learner, relation = OfEnough(10, "raises"), ReplaceOne((0.0, 1.0))
    first = dpcheck.audit(learner, 1.0, neighbours=relation, max_samples=40_000, isolation="none", shrink=False)
    then = dpcheck.audit(
        learner, 1.0, neighbours=relation, max_samples=50_000, isolation="none", shrink=False, resume=first
    )
    assert then.status is Status.NO_VIOLATION_FOUND
    assert then.samples > first.samples
    assert sum(finding.kind == "sizes" for finding in then.findings) == 1


def of_ten_each(dataset: Any, rng: Any) -> float:
    return float(np.asarray(dataset).reshape(-1, 10).sum() + rng.laplace(scale=0.25))


def test_what_answers_of_some_sizes_alone_is_judged_there() -> None:
    verdict = dpcheck.audit(
        of_ten_each, 1.0, neighbours=ReplaceOne((0.0, 1.0)), max_samples=60_000, isolation="none", shrink=False
    )
    assert verdict.status is Status.VIOLATED, str(verdict)


def test_an_audit_that_has_begun_keeps_its_pairs() -> None:
    """Bets on other pairs from the start would spend alpha a second time."""
    learner, relation = OfEnough(20, "none"), ReplaceOne((0.0, 1.0))
    first = dpcheck.audit(learner, 1.0, neighbours=relation, max_samples=100, isolation="none", shrink=False)
    then = dpcheck.audit(
        learner, 1.0, neighbours=relation, max_samples=2_000, isolation="none", shrink=False, resume=first
    )
    assert first.record is not None
    assert then.record is not None
    assert first.record.rounds == 0  # too few calls for a search: pairs have games all the same
    digests = [[pair.left_digest for pair in record.pairs] for record in (first.record, then.record)]
    assert digests[0] == digests[1]
    assert not any("those of 40 to 47" in finding.detail for finding in then.findings)


def test_where_more_records_are_not_answered_either_the_next_step_says_how_to_ask_for_them() -> None:
    def never(dataset: Any, rng: Any) -> float:
        raise ValueError("not enough records")

    records = Records.labelled(features=(0, 1), labels=[0, 1])
    for relation, more in ((ReplaceOne(records), True), (ReplaceOne(records, size=5), False)):
        verdict = dpcheck.audit(never, 1.0, neighbours=relation, max_samples=2_000, isolation="none")
        assert verdict.status is Status.LEARNER_FAILED
        assert ("nor of 128 or 1,024 records" in verdict.failure) is more
        assert ("--size 2000..2007" in str(verdict)) is more
        assert "make it take one of these forms" in str(verdict)


@pytest.mark.turns(3)
def test_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "learners.py").write_text(
        "import numpy as np\n"
        "def folds(data, rng):\n"
        "    k = 6\n"
        "    if len(data) < 2 * k:\n"
        "        return None\n"
        "    return float(np.sum(data) + rng.laplace(scale=1.0))\n"
    )
    command = [sys.executable, "-m", "dpcheck", "audit", "learners.py:folds", "--epsilon", "1", "--bounds", "0,1"]
    command += ["--neighbours", "add-remove", "--max-samples", "80000"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "answers None on all datasets of fewer than 12 records" in ran.stdout
