"""Is every broken mechanism of the zoo violated, and every correct one not, on 20 fresh seeds?

And the same for learners as people use them, on real data, where what they need is installed (the extras sklearn and
diffprivlib): the uses of `dpcheck demo`, diffprivlib's linear regression on squares without noise (its issue 105), and
output perturbation of one's own, right and with too little noise.

Rule, per row: a broken one is "violated" on every seed; a correct one never "violated" and never "learner failed".
Whether a correct one ended as "no violation found" or as "inconclusive" is shown.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import numpy as np
from bench import Rate, child_seed, settings, show, spread, write_json

import dpcheck
from dpcheck.model.neighbours.schema import of_its_size
from dpcheck.parts.zoo import entries

#: The level of the command line; at 600 audits of correct learners it costs 6e-4 false alarms.
ALPHA = 1e-6
RUNS, QUICK_RUNS = 20, 1
#: As in properties/test_real_learners.py: a fit of diffprivlib's naive Bayes takes 2 ms, of its regression 1 ms, and
#: one with ``sample`` serves many draws.
NAIVE_BAYES_CALLS, REGRESSION_CALLS, PERTURBATION_CALLS = 3_000, 6_000, 60_000
#: The number of calls ends an audit, never the clock.
MAX_SECONDS = 3_600.0
#: The intervals of all rows hold together with this confidence.
CONFIDENCE = 0.99


@dataclass(frozen=True)
class Subject:
    """One learner: how to ask for its audit, and whether it keeps its claim."""

    name: str
    kind: str
    correct: bool
    audit: Callable[[int], dpcheck.Verdict]


@dataclass(frozen=True)
class Ended:
    """How one audit ended."""

    status: str
    calls: int
    log_evidence: float
    seconds: float


@cache
def subjects() -> tuple[Subject, ...]:
    """The zoo, and the real learners whose libraries are installed."""
    found = [Subject(entry.name, "zoo", entry.correct, _zoo_audit(entry)) for entry in entries()]
    if importlib.util.find_spec("sklearn"):
        found += _perturbed()
    if importlib.util.find_spec("sklearn") and importlib.util.find_spec("diffprivlib"):
        found += _diffprivlib()
    return tuple(found)


def _zoo_audit(entry: Any) -> Callable[[int], dpcheck.Verdict]:
    pairs = [(pair.left, pair.right) for pair in entry.pairs]
    learner = dpcheck.by_calls(entry.learner)  # a declared law would be answered exactly, and show nothing of the audit
    where = {"neighbours": entry.relation, "pairs": pairs, "numerics": entry.numerics}
    return lambda seed: _audit(learner, entry.claim, seed, entry.max_samples, **where)


def _audit(learner: Any, claim: Any, seed: int, calls: int, **where: Any) -> dpcheck.Verdict:
    with warnings.catch_warnings():
        # diffprivlib warns, rightly, when it takes bounds from the data; here that is the point.
        warnings.simplefilter("ignore")
        return dpcheck.audit(
            learner,
            claim,
            alpha=ALPHA,
            max_samples=calls,
            max_seconds=MAX_SECONDS,
            isolation="none",
            seed=seed,
            **where,
        )


def _perturbed() -> list[Subject]:
    """Output perturbation of one's own, on vectors and on the breast cancer data."""
    from dpcheck.adapters.demonstration import breast_cancer
    from dpcheck.parts.learners.logistic_regression import PerturbedLogisticRegression
    from dpcheck.parts.learners.mean import PerturbedMean
    from dpcheck.parts.zoo.broken.estimators import (
        LogisticRegressionWithoutRegularisationInItsNoise,
        LogisticRegressionWithQuarterNoise,
        MeanWithHalfTheNoise,
    )

    # Ten rows of length 1 in one direction: replacing one by its opposite moves the mean the most.
    vectors: dict[str, Any] = {
        "dataset": np.tile([[1.0]], (10, 1)),
        "neighbours": dpcheck.ReplaceOne(records=(-1, 1)),
    }
    x, y = breast_cancer(("mean concave points",))
    # One column divided by its declared bound, 0.25: whatever the patients, a row is no longer than 1.
    cancer: dict[str, Any] = {
        "dataset": (x / 0.25, y),
        "neighbours": dpcheck.ReplaceOne(dpcheck.Records.labelled(features=(0.0, 1.0), labels=[0, 1])),
    }
    chosen: list[tuple[Any, bool, dict[str, Any]]] = [
        (PerturbedMean(1.0), True, vectors),
        (MeanWithHalfTheNoise(1.0), False, vectors),
        (PerturbedLogisticRegression(1.0, 1.0), True, cancer),
        (LogisticRegressionWithQuarterNoise(1.0, 1.0), False, cancer),
        (LogisticRegressionWithoutRegularisationInItsNoise(1.0, 0.1), False, cancer),
    ]
    return [
        Subject(type(learner).__name__, "own", correct, _real_audit(learner, PERTURBATION_CALLS, where))
        for learner, correct, where in chosen
    ]


def _diffprivlib() -> list[Subject]:
    """The uses of `dpcheck demo`, and issue 105."""
    from diffprivlib.models import LinearRegression

    from dpcheck.adapters import demonstration

    found = [
        Subject(
            shown.name,
            "diffprivlib",
            shown.expected is not dpcheck.Status.VIOLATED,
            _real_audit(
                shown.learner, NAIVE_BAYES_CALLS, {"dataset": shown.dataset, "neighbours": shown.relation}, shown.claim
            ),
        )
        for shown in demonstration.subjects()
    ]
    # Twenty small values: one record at the upper bound makes the sum of squares fifteen times as large.
    x = np.linspace(0.0, 0.1, 20).reshape(-1, 1)
    model = LinearRegression(epsilon=1.0, bounds_X=(0.0, 1.0), bounds_y=(0.0, 1.0), fit_intercept=False)
    records = dpcheck.Records.labelled(features=(0, 1), labels=(0.0, 1.0))
    where = {"dataset": (x, x[:, 0]), "neighbours": dpcheck.ReplaceOne(records)}
    learner = dpcheck.from_estimator(model, output="coef_")
    name = "diffprivlib LinearRegression, no noise on squares"
    return [*found, Subject(name, "diffprivlib", False, _real_audit(learner, REGRESSION_CALLS, where))]


def _real_audit(learner: Any, calls: int, where: dict[str, Any], claim: Any = 1.0) -> Callable[[int], dpcheck.Verdict]:
    where = {**where, "neighbours": of_its_size(where["neighbours"], where["dataset"])}
    return lambda seed: _audit(learner, claim, seed, calls, **where)


@dataclass(frozen=True)
class Task:
    """One audit."""

    place: int
    number: int
    seed: int


def play(task: Task) -> Ended:
    """How it ended."""
    began = time.process_time()
    verdict = subjects()[task.place].audit(child_seed(task.seed, task.place, task.number))
    return Ended(verdict.status.value, verdict.samples, verdict.log_evidence, time.process_time() - began)


def main() -> int:
    """Run, print, write; 1 when a verdict is wrong."""
    # One thread per worker, for the libraries' own loops too; before any of them is loaded there.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    asked = settings(__doc__ or "")
    began = time.monotonic()
    runs = QUICK_RUNS if asked.quick else RUNS
    tasks = [Task(place, number, asked.seed) for place in range(len(subjects())) for number in range(runs)]
    results = spread(play, tasks, asked.jobs, "audits")
    level = (1.0 - CONFIDENCE) / len(subjects())
    rows: list[list[str]] = []
    cells: list[dict[str, Any]] = []
    missed = 0
    for place, subject in enumerate(subjects()):
        ended = [result for task, result in zip(tasks, results, strict=True) if task.place == place]
        counts = Counter(one.status for one in ended)
        accused = Rate.of(counts["violated"], runs, level)
        right = runs - accused.events - counts["learner failed"] if subject.correct else accused.events
        missed += runs - right
        calls = float(np.median([one.calls for one in ended]))
        rows.append(
            [
                subject.name,
                subject.kind,
                "correct" if subject.correct else "broken",
                ", ".join(f"{status} {count}" for status, count in sorted(counts.items())),
                f"{calls:,.0f}",
                f"{np.median([one.seconds for one in ended]):.2f}",
                "right" if right == runs else "FAILS",
            ]
        )
        cells.append(
            {
                "name": subject.name,
                "kind": subject.kind,
                "correct": subject.correct,
                "statuses": dict(counts),
                "violated": asdict(accused),
                "right": right,
                "median_calls": calls,
                "runs": [asdict(one) for one in ended],
            }
        )
    show(
        f"Verdicts on {runs} fresh seeds, alpha {ALPHA:g}",
        ("mechanism", "kind", "is", "verdicts", "calls (median)", "processor seconds (median)", ""),
        rows,
        left=4,
    )
    if not any(subject.kind == "diffprivlib" for subject in subjects()):
        print("without the real learners: pip install 'dpcheck[diffprivlib]'")
    print(f"{missed} of {len(results)} verdicts are wrong")
    write_json(asked, began, missed == 0, {"alpha": ALPHA, "confidence": CONFIDENCE, "cells": cells})
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
