"""Under a declared law too, a learner whose runs are not fresh has failed: a law says nothing of two calls."""

from __future__ import annotations

import itertools
import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpcheck
from dpcheck import Status
from dpcheck.execution.answers import Answers
from dpcheck.privacy.statistics.lags import History
from dpcheck.privacy.statistics.observations import observe

NEIGHBOURS = dpcheck.ReplaceOne(records=[0, 1], size=2)


class Law:
    """A biased bit, as declared; ``of`` makes it of a uniform number."""

    def distribution(self, dataset: Any) -> dict[int, Fraction]:
        chance = Fraction(3, 4) if dataset[0] else Fraction(1, 4)
        return {1: chance, 0: 1 - chance}

    def of(self, dataset: Any, uniform: float) -> int:
        return int(uniform < (0.75 if dataset[0] else 0.25))


class Fresh(Law):
    def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
        return self.of(dataset, rng.random())


class Counter(Law):
    """Fair coins by its law, and a counter in its calls."""

    def __init__(self) -> None:
        self.calls = 0

    def distribution(self, dataset: Any) -> dict[int, Fraction]:
        return {0: Fraction(1, 2), 1: Fraction(1, 2)}

    def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
        self.calls += 1
        return self.calls % 2


class Steps(Law):
    """Evenly spread numbers instead of random ones."""

    def __init__(self) -> None:
        self.place = 0.0

    def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
        self.place = (self.place + 0.6180339887498949) % 1.0
        return self.of(dataset, self.place)


class Cycle(Law):
    """A list of noise, gone through again and again: no generator that could be seeded anew."""

    def __init__(self) -> None:
        self.noise = itertools.cycle(np.random.default_rng().random(97).tolist())

    def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
        return self.of(dataset, next(self.noise))


@pytest.mark.parametrize("learner", [Counter, Steps, Cycle])
def test_what_is_kept_under_a_right_law_is_a_failure(learner: Any, seed: int) -> None:
    verdict = dpcheck.audit(learner(), 2.3, neighbours=NEIGHBOURS, seed=seed, max_samples=20_000, isolation="none")
    assert verdict.status is Status.LEARNER_FAILED
    assert "its runs are not fresh" in verdict.failure


def test_fresh_calls_of_a_law_are_left_alone(seed: int) -> None:
    verdict = dpcheck.audit(
        Fresh(), 2.3, neighbours=NEIGHBOURS, seed=seed, alpha=1e-9, max_samples=20_000, isolation="none"
    )
    assert verdict.status is Status.NO_VIOLATION_FOUND


def test_one_answer_for_all_is_left_alone(seed: int) -> None:
    class One:
        def distribution(self, dataset: Any) -> dict[int, Fraction]:
            return {5: Fraction(1)}

        def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
            return 5

    verdict = dpcheck.audit(One(), 1.0, neighbours=NEIGHBOURS, seed=seed, max_samples=20_000, isolation="none")
    assert verdict.status is Status.NO_VIOLATION_FOUND


FILE = """
from fractions import Fraction

class Counter:
    calls = 0

    def distribution(self, dataset):
        return {0: Fraction(1, 2), 1: Fraction(1, 2)}

    def __call__(self, dataset, rng):
        Counter.calls += 1
        return Counter.calls % 2
"""


@pytest.mark.turns(6)
def test_the_command_says_so(tmp_path: Path) -> None:
    (tmp_path / "counts.py").write_text(FILE)
    command = ["audit", "counts.py:Counter", "--epsilon", "1", "--records", "0,1", "--size", "2"]
    command += ["--seed", "1", "--max-samples", "20000"]
    ran = subprocess.run(
        [sys.executable, "-m", "dpcheck", *command], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 4
    assert "its runs are not fresh" in " ".join(ran.stdout.split())


#: More numbers than other answers have: the columns remembered of its block must be those of the others.
WIDE = tuple(map(float, range(8)))


@dataclass(frozen=True)
class Fitted:
    slope: float
    inner: tuple[int, ...] = (6,)


class NearlyAlways:
    """A model nearly always, and now and then an answer of another form: the same law whatever the record."""

    claim = 1.0
    rare = Fraction(1, 1_500)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        return [Fraction(1, 9), WIDE][int(rng.integers(2))] if rng.random() < self.rare else Fitted(6.5)

    def distribution(self, dataset: Any) -> Any:
        return {Fitted(6.5): 1 - self.rare, Fraction(1, 9): self.rare / 2, WIDE: self.rare / 2}


def test_a_rare_answer_of_another_form_is_no_sign_of_kept_noise(seed: int) -> None:
    """The columns remembered of a block followed from the widest answer in it, and came back with it."""
    relation = dpcheck.ReplaceOne(records=dpcheck.Records.of([0, 1]), size=1)
    verdict = dpcheck.audit(NearlyAlways(), neighbours=relation, exhaustive=True, isolation="none", seed=seed)
    assert verdict.status is Status.NO_VIOLATION_FOUND, str(verdict)


@pytest.mark.parametrize("wide", [(1, 7), (7, 1), (3, 0)])
def test_the_same_columns_are_remembered_of_all_blocks(wide: tuple[int, int], rng: np.random.Generator) -> None:
    history = History()
    for block in range(16):
        rare = [0.0] * (wide[0] if block in (0, 3, 7) else wide[1])
        answers: list[Any] = [{"slope": 6.5, "inner": (6,), "more": ()}] * 500
        answers[rng.integers(500)] = {"slope": 6.5, "inner": (6,), "more": rare}
        history.add(observe(Answers(answers), "real"), block % 2, 500 * block)
    assert history.evidence(rng) < 25.0
    assert len({part.shape for part in history.columns}) == 1
