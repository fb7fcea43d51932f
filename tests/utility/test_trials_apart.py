"""Trials of utility: independent whatever a learner keeps to draw from, and apart from the process that asks."""

from __future__ import annotations

import ctypes
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcheck.execution import own_generators
from dpcheck.history import Subject, Task
from dpcheck.history.baseline_runs import compare_entry, record_entry
from dpcheck.history.comparisons import Kind
from dpcheck.model.errors import InvalidArgument, LearnerDied, NoHypothesis
from dpcheck.trial import upper
from dpcheck.trial.declared import load
from dpcheck.utility.curves import sweep
from dpcheck.utility.distributions import RandomInstance, UniformGrid
from dpcheck.utility.failure import TRIAL_SECONDS, failure_rate
from dpcheck.utility.measured_stability import measured_gaps
from dpcheck.utility.sizes import sample_complexity

GRID = UniformGrid(10, threshold=5)
#: How often the learners below fail.
OFTEN = 0.3


class Holds:
    """Draws from a source of its own."""

    def __init__(self, source: Any, draw: Callable[[Any], float]) -> None:
        self.source = source
        self.draw = draw

    def __call__(self, dataset: Any, rng: Any) -> int:
        return 0 if self.draw(self.source) < OFTEN else 5


class Makes:
    """A class, made anew for each trial, whose class holds the source."""

    source = np.random.default_rng(5)

    def __call__(self, dataset: Any, rng: Any) -> int:
        return 0 if self.source.random() < OFTEN else 5


def closed_over() -> Any:
    source = np.random.default_rng()
    return lambda dataset, rng: 0 if source.random() < OFTEN else 5


def with_default(dataset: Any, rng: Any, source: Any = random.Random(3)) -> int:  # noqa: B008
    return 0 if source.random() < OFTEN else 5


KEEPERS: dict[str, Callable[[], Any]] = {
    "Generator": lambda: Holds(np.random.default_rng(), lambda source: source.random()),
    "RandomState": lambda: Holds(np.random.RandomState(1), lambda source: source.random_sample()),
    "Random": lambda: Holds(random.Random(), lambda source: source.random()),
    "in a dictionary": lambda: Holds({"rng": [np.random.default_rng(2)]}, lambda source: source["rng"][0].random()),
    "of a class": lambda: Makes,
    "closure": closed_over,
    "default": lambda: with_default,
    "global": lambda: Holds(None, lambda source: np.random.random()),  # noqa: NPY002
    "handed": lambda: lambda dataset, rng: 0 if rng.random() < OFTEN else 5,
}


def rate(learner: Any, **more: Any) -> Any:
    given: dict[str, Any] = {"sizes": {"private": 2}, "accuracy": 0.1, "trials": 300, "level": 1e-9}
    return failure_rate(learner, GRID, **{**given, **more})


@pytest.mark.some(3)
@pytest.mark.parametrize("isolation", ["none", "process"])
@pytest.mark.parametrize("keeper", KEEPERS)
def test_trials_are_independent_of_what_a_learner_draws_from(keeper: str, isolation: str, seed: int) -> None:
    found = rate(KEEPERS[keeper](), isolation=isolation, seed=seed)
    assert found.interval[0] <= OFTEN <= found.interval[1]


def test_without_new_seeds_all_trials_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above can fail: it did."""
    monkeypatch.setattr(own_generators, "_seed", lambda generator, child: lambda: None)
    assert rate(KEEPERS["Generator"](), isolation="none").failures in (0, 300)


@pytest.mark.turns(4)
@pytest.mark.parametrize("keeper", ["Generator", "closure", "of a class", "handed"])
def test_the_seed_decides_wherever_trials_are_made(keeper: str, seed: int) -> None:
    learner = KEEPERS[keeper]()
    found = {rate(learner, seed=seed, **how).failures for how in ({"isolation": "none"}, {}, {"jobs": 2})}
    assert len(found) == 1


class Noisy:
    """A generator of its own, as most people write it."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng()

    def __call__(self, dataset: Any, rng: Any) -> float:
        return float(self.rng.random())


@pytest.mark.turns(4)
def test_a_baseline_does_not_accuse_a_learner_that_owns_its_generator(seed: int) -> None:
    """The risk of all trials of a request was one draw, and another draw in the next run."""

    def subject() -> Subject:
        return Subject(
            "one",
            Noisy(),
            pairs=[(np.array([1.0]), np.array([0.0]))],
            tasks=(Task("n = 1", dataset=np.array([1.0]), risk=lambda output, dataset: output),),
            calls=2_000,
            learn_calls=500,
            trials=2_000,
            cost=False,
        )

    entry = record_entry(subject(), seed=seed)
    assert sum(count > 0 for count in entry.utility["n = 1"].counts) >= 6  # requests were of one draw each
    changes = {change.quantity: change for change in compare_entry(subject(), entry, seed=seed + 1, alpha=1e-9)}
    assert changes["risk at n = 1"].kind is Kind.UNCHANGED


def test_gaps_of_a_learner_that_owns_its_generator_are_those_of_many_draws(seed: int) -> None:
    class Loss:
        def values(self, hypotheses: Any, records: Any) -> Any:
            return np.abs(np.asarray(hypotheses, float).reshape(-1, 1) - np.asarray(records, float)[None])

    def draw(size: int, rng: Any) -> Any:
        return np.zeros(size)

    # the loss of a draw is the draw: one half on average, and not the first draw
    found = measured_gaps(Noisy(), Loss(), draw, 2, hypotheses=[0.0], trials=2_000, level=1e-9, seed=seed)
    assert found.above_minimum is not None
    assert found.above_minimum[0] <= 0.5 <= found.above_minimum[1]


# --- ends and hangs ------------------------------------------------------------------------------------------------


def leaves(dataset: Any, rng: Any) -> int:
    os._exit(0)


def sleeps(dataset: Any, rng: Any) -> int:
    time.sleep(1e6)
    return 0


def sleeps_in_c(dataset: Any, rng: Any) -> int:
    ctypes.CDLL(None).sleep(1_000_000)
    return 0


class Evil:
    """An output whose special methods do as the learner likes."""

    def __init__(self, deed: Callable[..., Any]) -> None:
        self.deed = deed

    def act(self, *_: Any, **__: Any) -> Any:
        return self.deed(None, None)

    __call__ = __float__ = __int__ = __index__ = __array__ = __len__ = __iter__ = __eq__ = __lt__ = act  # type: ignore
    __gt__ = __le__ = __ge__ = __rsub__ = __sub__ = __hash__ = __repr__ = __str__ = __bool__ = act  # type: ignore


@pytest.mark.turns(6)
@pytest.mark.parametrize("what", ["itself", "output"])
@pytest.mark.parametrize(
    ("deed", "words"), [(leaves, "ended"), (sleeps, "no sign of life"), (sleeps_in_c, "no sign of life")]
)
def test_a_trial_that_ends_or_hangs_is_named(deed: Any, words: str, what: str) -> None:
    learner = deed if what == "itself" else lambda dataset, rng: Evil(deed)
    with pytest.raises(LearnerDied, match=words) as told:
        rate(learner, trial_timeout=60.0 if deed is leaves else 1.0, isolation="process")
    assert "in one of the trials" in str(told.value)


def test_searches_and_sweeps_are_apart_too() -> None:
    with pytest.raises(LearnerDied):
        sample_complexity(leaves, GRID, accuracy=0.1, failure=0.1, most=4)
    with pytest.raises(LearnerDied):
        sweep(leaves, GRID, sizes={"private": [2]}, accuracy=0.1, trials=3)


def test_a_hang_is_noticed_in_this_process_too() -> None:
    with pytest.raises(LearnerDied, match="no sign of life"):
        rate(sleeps, trial_timeout=0.2, isolation="none")


class AsksForItsFamily:
    """Reading what it learns ends the process."""

    def __call__(self, dataset: Any, rng: Any) -> int:
        return 5

    @property
    def family(self) -> Any:
        os._exit(0)


def test_a_learner_whose_attributes_end_the_process_is_named() -> None:
    with pytest.raises(LearnerDied):
        rate(AsksForItsFamily())


def test_what_is_not_the_learners_fault_is_said_of_the_argument() -> None:
    def broken(distribution: Any, sizes: Any, rng: Any) -> Any:
        raise ZeroDivisionError("nothing")

    for isolation in ("none", "process"):
        with pytest.raises(InvalidArgument, match=r"distribution .or dataset. must give .* ZeroDivisionError: nothing"):
            rate(lambda dataset, rng: 5, dataset=broken, isolation=isolation)
        with pytest.raises(InvalidArgument, match="best must be given"):
            rate(lambda dataset, rng: 5, isolation=isolation, family=object())


def test_errors_are_counted_where_trials_are_made() -> None:
    def sometimes(dataset: Any, rng: Any) -> int:
        if rng.random() < 0.5:
            raise ValueError("not today 7")
        return 5

    here, there = (rate(sometimes, isolation=isolation, seed=3) for isolation in ("none", "process"))
    assert here.errors == there.errors == here.failures == there.failures > 0
    assert here.first_error == there.first_error == "ValueError: not today 7"

    def never(dataset: Any, rng: Any) -> int:
        raise ValueError("never")

    with pytest.raises(NoHypothesis, match="in each of 25 trials: ValueError: never"):
        rate(never)

    def talkative(dataset: Any, rng: Any) -> int:
        raise ValueError("never\n" * 10_000)

    with pytest.raises(NoHypothesis, match="ValueError: never never") as told:
        rate(talkative)
    assert len(str(told.value)) < 700


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"isolation": "proces"}, "isolation must be one of auto, process, container, none, got 'proces'"),
        ({"trial_timeout": 0}, "trial_timeout must be a number of seconds above 0, got 0"),
        ({"trial_timeout": "x"}, "trial_timeout must be a number of seconds above 0, got 'x'"),
        ({"jobs": 0}, "jobs must be an integer of at least 1, got 0"),
    ],
)
def test_arguments_are_checked(given: Any, said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        rate(lambda dataset, rng: 5, **given)


def test_each_trial_of_a_random_instance_is_the_same_wherever_it_is_made(seed: int) -> None:
    prior = RandomInstance(lambda rng: UniformGrid(10, threshold=10 * int(rng.integers(2))), "all or nothing")

    def learner(dataset: Any, rng: Any) -> int:
        return 10 * int(dataset.y[0] == 0) if rng.random() < 0.8 else 5

    found = [
        failure_rate(learner, prior, sizes={"private": 1}, accuracy=0.4, trials=90, seed=seed, isolation=isolation)
        for isolation in ("none", "process")
    ]
    assert found[0].failures == found[1].failures


PAPER = """
import time
from fractions import Fraction
from dpcheck.trial.upper import UpperBound
from dpcheck.proof.statement import Paper, Theorem
from dpcheck.utility.distributions import FiniteDistribution

PAPER = Paper("mine", "Mine", (Theorem("mine:a", "A"),))
LAW = FiniteDistribution([0], [1], [Fraction(1, 10)], best=Fraction(1, 10))

def learner(dataset, rng):
    time.sleep(1e6)

CHECKS = (
    UpperBound("mine:a", "c", learner, LAW, {"n": 5}, {"accuracy": 0.1, "failure": 0.1},
               arguments={"trial_timeout": 1.0}),
)
"""


@pytest.mark.parametrize(("given", "seconds"), [(None, TRIAL_SECONDS), (1.0, 1.0)])
def test_a_declared_paper_waits_as_long_as_failure_rate(
    given: float | None, seconds: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = "" if given is None else f'"trial_timeout": {given}'
    (tmp_path / "mine.py").write_text(PAPER.replace('"trial_timeout": 1.0', arguments))
    asked: list[dict[str, Any]] = []

    def noted(*_: Any, **named: Any) -> None:
        asked.append(named)
        raise LearnerDied("enough")

    monkeypatch.setattr(upper, "failure_rate", noted)
    (run,) = load(tmp_path / "mine.py").runs
    with pytest.raises(LearnerDied, match="enough"):
        run.measure(0, True)
    assert [(named["trial_timeout"], named["isolation"]) for named in asked] == [(seconds, "auto")]


@pytest.mark.turns(6)
def test_a_report_of_a_paper_whose_learner_hangs_ends_and_says_so(tmp_path: Any) -> None:
    (tmp_path / "hangs.py").write_text(PAPER)
    done = subprocess.run(
        [sys.executable, "-m", "dpcheck", "report", "hangs.py", "--quick", "--quiet", "--out", "out"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 4, done.stderr
    assert "no sign of life for 1 s in one of the trials" in done.stderr
