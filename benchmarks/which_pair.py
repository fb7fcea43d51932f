"""Does a search certify a pair that leaks, where most neighbouring pairs have equal laws?

Learners that keep their claim or stay below it, drawn by number: an exponential mechanism over columns, a sum of one
column of many, a count of one value of many, a decision at a threshold, permute-and-flip, a median, a majority of
labels, and three summaries of which one says something. Their losses are known, and so the leakiest pair of the first
block; half of the kinds had no part in choosing the ranking. Beside each its power where the noise is half of that.

Rules, of all kinds together: of the learners that keep their claim a certified pair leaks at least 0.8 times as much as
the leakiest of the block in 90% of the runs, none is accused, and at most 5% are inconclusive.

    python benchmarks/which_pair.py --quick
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import numpy as np
from bench import child_seed, settings, show, spread, write_json
from numpy.typing import NDArray

import dpcheck
from dpcheck import LabelsOnly, Records, ReplaceOne
from dpcheck.privacy.run.question import first_candidates
from dpcheck.privacy.statistics.state import PairState

Floats = NDArray[np.float64]

CALLS, RUNS, QUICK_RUNS = 60_000, 10, 1
#: A pair is as good as the leakiest when it leaks this part of what that one does.
AS_GOOD, ENOUGH, MOST_INCONCLUSIVE = 0.8, 0.9, 0.05
#: The noise of the leaking learners is divided by this.
LEAK = 2.0


@dataclass(frozen=True)
class Finite:
    """A learner with finitely many answers: ``law(dataset)`` are their probabilities."""

    law: Callable[[Any], Floats]

    def __call__(self, dataset: Any, rng: Any) -> int:
        return int(np.searchsorted(np.cumsum(self.law(dataset))[:-1], rng.random()))

    def loss(self, left: Any, right: Any) -> float:
        """The privacy loss of a pair."""
        return float(np.abs(np.log(self.law(left) / self.law(right))).max())


@dataclass(frozen=True)
class Noisy:
    """A value with Laplace noise, between things that say nothing where ``beside``."""

    value: Callable[[Any], float]
    epsilon: float
    beside: bool = False

    def __call__(self, dataset: Any, rng: Any) -> Any:
        noisy = float(self.value(dataset) + rng.laplace(scale=1.0 / self.epsilon))
        return [float(rng.normal()), noisy, float(len(dataset))] if self.beside else noisy

    def loss(self, left: Any, right: Any) -> float:
        """The privacy loss of a pair."""
        return self.epsilon * abs(self.value(left) - self.value(right))


def _chosen(scores: Floats, epsilon: float) -> Floats:
    weights = np.exp(0.5 * epsilon * (scores - scores.max()))
    return np.asarray(weights / weights.sum())


def _column_sums(dataset: Any) -> Floats:
    return np.asarray(dataset, dtype=float).reshape(len(dataset), -1).sum(axis=0)


def _flipped(scores: Floats, epsilon: float) -> Floats:
    """Permute-and-flip: candidates in random order, each taken with the probability of its own coin."""
    return np.array(_flipped_coins(tuple(np.exp(0.5 * epsilon * (scores - scores.max())).tolist())))


@cache
def _flipped_coins(coins: tuple[float, ...]) -> tuple[float, ...]:
    found = []
    for j, coin in enumerate(coins):
        others = np.poly1d([1.0])
        for other in coins[:j] + coins[j + 1 :]:
            others *= np.poly1d([-other, 1.0])
        found.append(coin * float(others.integ()(1.0)))  # the others' coins fall on 0 before a uniform time
    return tuple(found)


def _median(dataset: Any, epsilon: float) -> Floats:
    values, grid = np.asarray(dataset)[:, None], np.arange(11)
    return _chosen(-0.5 * np.abs((values < grid).sum(axis=0) - (values > grid).sum(axis=0)), epsilon)


def _bit(bit: bool, epsilon: float) -> Floats:
    keeps = 1.0 / (1.0 + math.exp(-epsilon))
    return np.array([1.0 - keeps, keeps] if bit else [keeps, 1.0 - keeps])


def _majority(dataset: Any, least: float) -> bool:
    features, labels = dataset
    kept = [label for feature, label in zip(features, labels, strict=True) if feature >= least]
    return 2 * sum(kept) > len(kept)


#: The kinds with which the ranking was chosen, and those on which it was then tried once.
CHOSEN_BY = ("exponential mechanism", "one column", "one value", "threshold")
KINDS = (*CHOSEN_BY, "permute and flip", "median", "majority of labels", "one summary of three")


def made(kind: str, number: int, times: float) -> tuple[Any, Any, float]:
    """A learner of a kind, its relation, and its claim; ``times`` the loss it may have."""
    rng = np.random.default_rng([number, KINDS.index(kind)])
    claim = float(rng.choice([0.5, 1.0, 2.0]))
    epsilon, width, size = times * claim, int(rng.integers(2, 7)), range(1, int(rng.integers(2, 6)))
    column, rows = int(rng.integers(width)), ReplaceOne(Records.bounded([0.0] * width, [1.0] * width), size=size)
    values = list("abcdefghi"[: width + 3])
    learners: dict[str, tuple[Any, Any]] = {
        "exponential mechanism": (Finite(lambda data: _chosen(_column_sums(data), epsilon)), rows),
        "one column": (Noisy(lambda data: float(_column_sums(data)[column]), epsilon), rows),
        "one value": (
            Noisy(lambda data: list(data).count(values[column]), epsilon),
            ReplaceOne(records=values, size=size),
        ),
        "threshold": (
            Finite(lambda data: _bit(sum(data) >= 4 * width, epsilon)),
            ReplaceOne(records=(0, 10), size=range(1, 6)),
        ),
        "permute and flip": (Finite(lambda data: _flipped(_column_sums(data), epsilon)), rows),
        "median": (Finite(lambda data: _median(data, epsilon)), ReplaceOne(records=(0, 10), size=range(1, 8))),
        "majority of labels": (
            Finite(lambda data: _bit(_majority(data, 0.2 * column), epsilon)),
            LabelsOnly(records=Records.labelled(features=(0, 1), labels=[0, 1]), size=range(1, 5)),
        ),
        "one summary of three": (
            Noisy(lambda data: float(np.asarray(data, dtype=float)[:, column].max()), epsilon, beside=True),
            rows,
        ),
    }
    return *learners[kind], claim


@dataclass(frozen=True)
class Task:
    """One audit of a learner that keeps its claim (``times`` 1) or has less noise."""

    kind: str
    number: int
    times: float
    seed: int


@dataclass(frozen=True)
class Ended:
    """How it ended; losses of the first and of the leakiest certified pair, in those of the leakiest of the block."""

    status: str
    calls: int
    first: float
    best: float
    lower: float
    seconds: float


def play(task: Task) -> Ended:
    """One audit, and how much the pairs leak that it certified."""
    learner, relation, claim = made(task.kind, task.number, task.times)
    seed = child_seed(task.seed, KINDS.index(task.kind), task.number)
    began = time.process_time()
    verdict = dpcheck.audit(
        learner, claim, neighbours=relation, seed=seed, max_samples=CALLS, max_seconds=math.inf, isolation="none",
        shrink=False,
    )  # fmt: skip
    seconds = time.process_time() - began
    losses = {_digests(PairState.of(p)): learner.loss(p.left, p.right) for p in first_candidates(relation, seed)}
    assert verdict.record is not None
    certified = [losses.get(_digests(pair), 0.0) for pair in verdict.record.pairs if pair.calls]
    most = max(losses.values())
    return Ended(
        verdict.status.value,
        verdict.samples,
        certified[0] / most,
        max(certified) / most,
        verdict.epsilon_lower / claim,
        seconds,
    )


def _digests(pair: Any) -> tuple[str, str]:
    return pair.left_digest, pair.right_digest


def main() -> int:
    """Run, print, write; 1 when a rule is broken."""
    asked = settings(__doc__ or "")
    began = time.monotonic()
    runs = QUICK_RUNS if asked.quick else RUNS
    tasks = [Task(kind, n, times, asked.seed) for kind in KINDS for times in (1.0, LEAK) for n in range(runs)]
    results = spread(play, tasks, asked.jobs, "audits")
    cells: list[dict[str, Any]] = []
    for kind in KINDS:
        kept, leaking = (
            [o for t, o in zip(tasks, results, strict=True) if (t.kind, t.times) == (kind, times)]
            for times in (1.0, LEAK)
        )
        cells.append(
            {
                "kind": kind,
                "chosen_by": kind in CHOSEN_BY,
                "first": sum(o.first >= AS_GOOD for o in kept),
                "best": sum(o.best >= AS_GOOD for o in kept),
                "accused": sum(o.status == "violated" for o in kept),
                "inconclusive": sum(o.status == "inconclusive" for o in kept),
                "lower": float(np.mean([o.lower for o in kept])),
                "caught": sum(o.status == "violated" for o in leaking),
                "calls": float(np.median([o.calls for o in leaking])),
                "runs": [asdict(o) for o in (*kept, *leaking)],
            }
        )
    headings = ("kind", "first as good", "any as good", "accused", "inconclusive", "bound / claim", "caught", "calls")
    show(
        f"Searches among pairs that mostly have equal laws, {runs} learners of a kind, {CALLS:,} calls",
        headings,
        [
            [
                cell["kind"],
                *(f"{cell[key]} of {runs}" for key in ("first", "best", "accused", "inconclusive")),
                f"{cell['lower']:.2f}",
                f"{cell['caught']} of {runs}",
                f"{cell['calls']:,.0f}",
            ]
            for cell in cells
        ],
    )
    every = runs * len(KINDS)
    good, accused, open_ = (sum(cell[key] for cell in cells) for key in ("best", "accused", "inconclusive"))
    passed = good >= ENOUGH * every and not accused and open_ <= MOST_INCONCLUSIVE * every
    print(f"{good} of {every} as good as the leakiest, {accused} accused, {open_} inconclusive")
    write_json(asked, began, passed, {"calls": CALLS, "cells": cells})
    return 0 if passed or asked.quick else 1


if __name__ == "__main__":
    sys.exit(main())
