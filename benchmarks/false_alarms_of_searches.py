"""How often is a learner accused that keeps its claim exactly on every pair, when dpcheck looks for the pair itself?

Audits with defaults from the relation alone, at alpha 0.05, of learners whose loss on every pair with a change that
shows is the claim, epsilon 1: randomised response of the parity of some bits, alone and in a dictionary with noise, a
bounded sum with Laplace noise, and a semi-private one. Beside each its power against the same learner at twice the
claim. A last path is shrinking at its worst: the audited learner leaks on datasets of three rows or more and keeps its
claim exactly on smaller ones, and the shrinker is made to choose the smallest pair whatever its trials said; a verdict
whose smaller pair is certified then says something false.

Rules. The interval of every path's false alarms lies below alpha; a leak of twice the claim is found in at least 90% of
the runs. All intervals are Clopper-Pearson and hold together with confidence 99%.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any
from unittest.mock import patch

import numpy as np
from bench import Rate, child_seed, settings, show, spread, write_json

import dpcheck
from dpcheck import LabelsOnly, Records, ReplaceOne
from dpcheck.model.neighbours import Pair

ALPHA, EPSILON, LEAK = 0.05, 1.0, 2.0
CONFIDENCE, POWER = 0.99, 0.9
#: Calls of an audit: some blocks of pairs are explored, and the best certified.
CALLS = 8_000
RUNS, QUICK_RUNS = 300, 4
LEAK_RUNS = 60
#: Runs in one task of a worker.
CHUNK = 5
#: Rows from which the learner of the last path leaks.
LEAKS_FROM = 3


def _parity(dataset: Any, epsilon: float, rng: Any) -> int:
    return int((sum(dataset) % 2) ^ (rng.random() >= 1.0 / (1.0 + math.exp(-epsilon))))


@dataclass(frozen=True)
class Parity:
    """Randomised response of the parity: exactly epsilon on every pair of bits that differ in one."""

    epsilon: float

    def __call__(self, dataset: Any, rng: Any) -> int:
        return _parity(dataset, self.epsilon, rng)


@dataclass(frozen=True)
class ParityAmongOthers:
    """The same, in a dictionary with a normal variable, a number of answers, and a word."""

    epsilon: float

    def __call__(self, dataset: Any, rng: Any) -> dict[str, Any]:
        answer = _parity(dataset, self.epsilon, rng)
        return {"noise": float(rng.normal()), "list": [0.5] * int(rng.integers(3)), "word": "yes" if answer else "no"}


@dataclass(frozen=True)
class NoisySum:
    """A sum of records from 0 to 1 with Laplace noise: exactly epsilon where 0 becomes 1."""

    epsilon: float

    def __call__(self, dataset: Any, rng: Any) -> float:
        return float(sum(dataset) + rng.laplace(scale=1.0 / self.epsilon))


@dataclass(frozen=True)
class NoisyLabels:
    """A sum of labels, 0 or 1, with Laplace noise, whatever the features."""

    epsilon: float

    def __call__(self, dataset: Any, rng: Any) -> list[float]:
        features, labels = dataset
        return [float(sum(labels) + rng.laplace(scale=1.0 / self.epsilon)), float(np.sum(features))]


@dataclass(frozen=True)
class LeakyWhenLarge:
    """Randomised response of the parity, at the claim below three rows, at three times the claim from there on."""

    epsilon: float

    def __call__(self, dataset: Any, rng: Any) -> int:
        return _parity(dataset, self.epsilon if len(dataset) < LEAKS_FROM else 3.0 * EPSILON, rng)


@dataclass(frozen=True)
class Path:
    """A kind of learner and the relation from which its pairs are looked for."""

    name: str
    learner: Callable[[float], Any]
    relation: Any
    shrinks: bool = False


BITS = ReplaceOne(records=[0, 1], size=range(1, 7))
PATHS = (
    Path("a bit, any of 64 and more pairs", Parity, BITS),
    Path("a dictionary", ParityAmongOthers, BITS),
    Path("a bounded sum", NoisySum, ReplaceOne(records=(0, 1), size=range(1, 7))),
    Path(
        "labels only",
        NoisyLabels,
        LabelsOnly(records=Records.labelled(features=Records.bounded([0.0], [1.0]), labels=[0, 1]), size=range(1, 5)),
    ),
    Path("a smaller pair at the claim", LeakyWhenLarge, ReplaceOne(records=[0, 1], size=range(3, 7)), shrinks=True),
)


@dataclass(frozen=True)
class Task:
    """Some audits of one path, at the claim or at a leak."""

    place: int
    epsilon: float
    first: int
    last: int
    seed: int


@dataclass(frozen=True)
class Outcome:
    """One audit: whether it says something that is false at the claim, and how it got there."""

    accused: bool
    searched: bool
    calls: int
    seconds: float


def play(task: Task) -> list[Outcome]:
    """The audits of a task; each depends on the benchmark's seed, its path, leak and number alone."""
    path, leak = PATHS[task.place], int(task.epsilon > EPSILON)
    return [
        _one(path, task.epsilon, child_seed(task.seed, task.place, leak, number))
        for number in range(task.first, task.last)
    ]


def _smallest(pair: Any, relation: Any, holds: Any) -> Any:
    """A pair of one row, whatever was seen of it."""
    return Pair([0], [1], "made smaller without looking")


def _one(path: Path, epsilon: float, seed: int) -> Outcome:
    began = time.monotonic()
    common: dict[str, Any] = {"alpha": ALPHA, "max_seconds": math.inf, "isolation": "none", "seed": seed}
    learner = path.learner(epsilon)
    if path.shrinks:
        with patch("dpcheck.privacy.run.smaller_pair.shrunk", _smallest):
            verdict = dpcheck.audit(learner, EPSILON, neighbours=path.relation, max_samples=6 * CALLS, **common)
        accused = verdict.found is not None  # the smaller pair was certified, beside the one that was found
    else:
        verdict = dpcheck.audit(learner, EPSILON, neighbours=path.relation, max_samples=CALLS, shrink=False, **common)
        accused = verdict.status is dpcheck.Status.VIOLATED
    searched = any(finding.kind == "search" for finding in verdict.findings)
    return Outcome(accused, searched, verdict.samples, time.monotonic() - began)


def main() -> int:
    """Run, print, write; 1 when a rule is broken."""
    asked = settings(__doc__ or "")
    began = time.monotonic()
    wanted = [
        (place, epsilon, QUICK_RUNS if asked.quick else runs)
        for place in range(len(PATHS))
        for epsilon, runs in ((EPSILON, RUNS), (LEAK, LEAK_RUNS))
    ]
    tasks = [
        Task(place, epsilon, first, min(first + CHUNK, runs), asked.seed)
        for place, epsilon, runs in wanted
        for first in range(0, runs, CHUNK)
    ]
    results = spread(play, tasks, asked.jobs, "audits", size=lambda task: task.last - task.first)
    level = (1.0 - CONFIDENCE) / len(PATHS)
    cells: list[dict[str, Any]] = []
    for place, path in enumerate(PATHS):
        at_claim, leaking = (
            [o for task, some in zip(tasks, results, strict=True) for o in some if (task.place, task.epsilon) == which]
            for which in ((place, EPSILON), (place, LEAK))
        )
        alarms = Rate.of(sum(o.accused for o in at_claim), len(at_claim), level)
        caught = Rate.of(sum(o.accused for o in leaking), len(leaking), level)
        holds = (alarms.low <= ALPHA if asked.quick else alarms.high < ALPHA) and caught.share >= POWER
        cells.append(
            {
                "path": path.name,
                "false_alarms": asdict(alarms),
                "caught": asdict(caught),
                "searched": sum(o.searched for o in at_claim),
                "calls": float(np.median([o.calls for o in at_claim])),
                "seconds": float(np.median([o.seconds for o in at_claim])),
                "verdict": "holds" if holds else "FAILS",
            }
        )
    show(
        "audits from a relation alone, alpha 0.05",
        ("path", "accused at the claim", "caught at twice the claim", "searched", "calls", "seconds", ""),
        [
            (
                cell["path"],
                str(Rate(**cell["false_alarms"])),
                str(Rate(**cell["caught"])),
                str(cell["searched"]),
                f"{cell['calls']:,.0f}",
                f"{cell['seconds']:.2f}",
                cell["verdict"],
            )
            for cell in cells
        ],
    )
    failed = sum(cell["verdict"] == "FAILS" for cell in cells)
    write_json(asked, began, failed == 0, {"alpha": ALPHA, "confidence": CONFIDENCE, "calls": CALLS, "cells": cells})
    print(f"{failed} of {len(cells)} paths break a rule")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
