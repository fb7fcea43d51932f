"""Searches try what stands in a learner's code: numbers and texts as records, whole numbers as sizes."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpcheck
from dpcheck import AddRemove, LabelsOnly, Records, ReplaceOne, Status
from dpcheck.execution.learner_code import constants_of_learner
from dpcheck.model.data import record_at, size_of
from dpcheck.model.learner import as_target
from dpcheck.privacy.run.candidates import candidate_pairs, distinct_pairs

LEAST_SIZE = 11


def nothing_of_few(dataset: Any, rng: Any) -> float | None:
    return None if len(dataset) < 10 else float(np.mean(dataset))


def noise_of_few(dataset: Any, rng: Any) -> float:
    return float(rng.uniform(0, 10) if len(dataset) <= 11 else np.mean(dataset) + rng.laplace(scale=0.01))


def few_are_left_out(dataset: Any, rng: Any) -> list[int | None]:
    counts = [dataset.count(word) for word in "abcde"]
    return [count if count >= LEAST_SIZE else None for count in counts]


@dataclass
class LeastSize:
    least: int = 20

    def __call__(self, dataset: Any, rng: Any) -> float:
        return 0.0 if len(dataset) < self.least else float(sum(dataset))


def drops_a_sentinel(dataset: Any, rng: Any) -> tuple[float, int]:
    rows = np.asarray(dataset, dtype=float)
    known = rows[rows[:, 0] != -999]
    return float(known[:, 1].sum() + rng.laplace()), len(known)


def knows_one_word(dataset: Any, rng: Any) -> float:
    return float(4 * sum(word == "admin" for word in dataset) + rng.laplace())


def counts_one_number(dataset: Any, rng: Any) -> float:
    return float(4 * sum(value == 7.25 for value in dataset) + rng.laplace())


_WORDS = [*(f"word {number}" for number in range(60)), "admin", "guest"]
_NAMED = {
    "no answer from few": (nothing_of_few, ReplaceOne(records=(0.0, 10.0))),
    "no answer from few, removed": (nothing_of_few, AddRemove(records=(0.0, 10.0))),
    "noise alone from few": (noise_of_few, ReplaceOne(records=(0.0, 10.0))),
    "few are left out": (few_are_left_out, ReplaceOne(records=list("abcde"))),
    "an attribute": (LeastSize(), ReplaceOne(records=(0.0, 10.0))),
    "a range of sizes": (LeastSize(30), ReplaceOne(records=(0.0, 10.0), size=range(1, 101))),
    "a sentinel": (drops_a_sentinel, ReplaceOne(records=Records.bounded([-1000.0, 0.0], [1000.0, 1.0]))),
    "a sentinel, removed": (drops_a_sentinel, AddRemove(records=Records.bounded([-1000.0, 0.0], [1000.0, 1.0]))),
    "a word": (knows_one_word, ReplaceOne(records=_WORDS)),
    "a number": (counts_one_number, AddRemove(records=(0.0, 100.0))),
}


@pytest.mark.some(2)
@pytest.mark.parametrize("name", _NAMED)
def test_what_hangs_on_a_constant_of_the_code_is_found(name: str, seed: int) -> None:
    """Sizes 1 to 8, and numbers between the bounds, did not meet them: an exact mean from 10 records on was clean."""
    learner, relation = _NAMED[name]
    found = dpcheck.audit(learner, 1.0, neighbours=relation, seed=seed, shrink=False)
    assert found.status is Status.VIOLATED, str(found)


def keeps_what_its_code_names(dataset: Any, rng: Any) -> float:
    if len(dataset) < 10 or 7.25 in dataset:
        return float(rng.laplace())
    return float(np.clip(dataset, 0, 1).sum() / 4 + rng.laplace())


@pytest.mark.turns(4)
def test_a_learner_whose_constants_tell_nothing_is_not_accused_and_its_sizes_are_said(seed: int) -> None:
    found = dpcheck.audit(
        keeps_what_its_code_names, 1.0, neighbours=ReplaceOne(records=(0.0, 10.0)), seed=seed, detect=4.0
    )
    assert found.status is Status.NO_VIOLATION_FOUND, str(found)
    assert "datasets of 1 to 8 records, of 10 or 11 records too, by numbers in the learner's code (no size" in str(
        found
    )


def test_constants_make_pairs_inside_the_domain_alone(rng: Any) -> None:
    constants = (-999, 0.5, 3, 4.5, 10**400, 40, "b", "x")
    for relation in (
        ReplaceOne(records=(0, 10)),
        AddRemove(records=Records.bounded([0.0, 2.0], [1.0, 5.0])),
        ReplaceOne(records=["a", "b", "c", "d", "e", 3]),
        ReplaceOne(records=Records.labelled(features=(0.0, 5.0), labels=[0, 1])),
        ReplaceOne(records=(0, 10), size=4),
        LabelsOnly(records=Records.labelled(features=(0.0, 5.0), labels=[0, 1])),
    ):
        pairs = distinct_pairs(candidate_pairs(relation, rng, constants), 60, [])
        assert len(pairs) == 60
        assert all(relation.distance_problem(pair.left, pair.right) is None for pair in pairs)
        sides = [side for pair in pairs for side in (pair.left, pair.right)]
        assert all(relation.records.contains(record_at(side, row)) for side in sides for row in range(size_of(side)))
    whole = distinct_pairs(candidate_pairs(ReplaceOne(records=(0, 10)), rng, constants), 30, [])
    assert any("replaced by 3" in pair.change for pair in whole)
    assert {type(value) for pair in whole for value in (*pair.left, *pair.right)} == {int}
    assert {40, 41} <= {len(pair.left) for pair in whole}


def test_learners_without_constants_have_the_pairs_they_had() -> None:
    for relation in (ReplaceOne(records=(0.0, 10.0)), AddRemove(records=["a", "b", "c"])):
        bare, named = (
            [
                pair.change
                for pair in distinct_pairs(candidate_pairs(relation, np.random.default_rng(1), constants), 30, [])
            ]
            for constants in ((), (0, 1e9, -3.5, "z", 200))
        )
        assert bare == named


@pytest.mark.turns(4)
def test_a_least_size_is_found_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "def mean(data, rng):\n    return sum(data) / len(data) if len(data) >= 10 else None\n", encoding="utf-8"
    )
    command = [sys.executable, "-m", "dpcheck", "audit", "own.py:mean", "--epsilon", "1", "--bounds", "0.0,10.0"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "10 records" in ran.stdout


def test_constants_are_told_without_running_anything() -> None:
    assert {-999, 10, 0.5} <= set(constants_of_learner(as_target(sets_apart)))
    assert {11, 12.5, 7, "admin"} <= set(constants_of_learner(as_target(Settings(12.5))))
    assert constants_of_learner(as_target(lambda dataset, rng: dataset)) == ()


def sets_apart(dataset: Any, rng: Any, low: float = 0.5) -> Any:
    def inner(row: Any) -> bool:
        return bool(row != -999)

    return [row for row in dataset if inner(row) and row > low] if len(dataset) > 10 else None


class Settings:
    steps = 7

    def __init__(self, noise: float) -> None:
        self.noise = noise

    def __call__(self, dataset: Any, rng: Any) -> Any:
        return [row for row in dataset if row != "admin"][:LEAST_SIZE], self.noise
