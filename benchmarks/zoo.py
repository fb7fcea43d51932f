"""How much of the truth does `dpcheck.measure` certify on the zoo, with 5,000,000 calls at alpha 1e-6?

Each row is an entry of the zoo whose truth is finite, on its own pair, at its claim's delta: the truth, the probability
of the event that attains it, and the least and the median of `epsilon_lower` over fresh seeds, as shares of the truth.
The event that attains the truth epsilon is the set of outputs likelier by exp(epsilon) or more on one dataset; its
probability there is delta minus the slope of the privacy profile at epsilon.

Rule: at least 95% of the truth, on every seed, wherever the truth lies in [0.5, 4] and is attained by an event of
probability 0.05 or more. Other rows are shown, not judged. No bound may exceed its truth.
"""

from __future__ import annotations

import math
import sys
import time
from dataclasses import dataclass

import numpy as np
from bench import child_seed, settings, show, spread, write_json

import dpcheck
from dpcheck.model.claims import claim_point
from dpcheck.parts.zoo import Entry, entries, entry

ALPHA = 1e-6
CALLS, QUICK_CALLS = 5_000_000, 200_000
RUNS, QUICK_RUNS = 3, 1
#: The share of the truth to be certified, and where.
REQUIRED = 0.95
LEAST_TRUTH, MOST_TRUTH, LEAST_MASS = 0.5, 4.0, 0.05
#: Below the truth by this the slope of the profile is taken.
STEP = 1e-4
#: The number of calls ends a measurement, never the clock.
MAX_SECONDS = 3_600.0


@dataclass(frozen=True)
class Known:
    """The truth of an entry, and how likely the event is that attains it."""

    name: str
    delta: float
    truth: float
    mass: float

    @property
    def judged(self) -> bool:
        """Whether the rule is about this entry."""
        return LEAST_TRUTH <= self.truth <= MOST_TRUTH and self.mass >= LEAST_MASS


def known(found: Entry) -> Known:
    """What is known of an entry."""
    _, delta = claim_point(found.claim)
    pair = found.pairs[0]
    truth, profile = found.truth(pair, delta), found.profile(pair)
    if math.isinf(truth):
        return Known(found.name, delta, truth, 0.0)
    mass = (profile.delta(max(0.0, truth - STEP)) - profile.delta(truth)) / STEP + delta
    return Known(found.name, delta, truth, mass)


@dataclass(frozen=True)
class Task:
    """One measurement."""

    name: str
    calls: int
    seed: int


def play(task: Task) -> tuple[float, float]:
    """The certified bound and the seconds it took."""
    found = entry(task.name)
    measured = dpcheck.measure(
        found.learner,
        delta=claim_point(found.claim)[1],
        pairs=[(pair.left, pair.right) for pair in found.pairs],
        alpha=ALPHA,
        numerics=found.numerics,
        max_samples=task.calls,
        max_seconds=MAX_SECONDS,
        isolation="none",
        seed=task.seed,
    )
    return measured.epsilon_lower, measured.seconds


def main() -> int:
    """Run, print, write; 1 when a rule is broken."""
    asked = settings(__doc__ or "")
    began = time.monotonic()
    runs, calls = (QUICK_RUNS, QUICK_CALLS) if asked.quick else (RUNS, CALLS)
    facts = [fact for fact in map(known, entries()) if math.isfinite(fact.truth)]
    tasks = [
        Task(fact.name, calls, child_seed(asked.seed, place, number))
        for place, fact in enumerate(facts)
        for number in range(runs)
    ]
    results = spread(play, tasks, asked.jobs, "measurements")
    rows, cells, passed = [], [], True
    for fact in sorted(facts, key=lambda fact: (not fact.judged, fact.name)):
        ended = [result for task, result in zip(tasks, results, strict=True) if task.name == fact.name]
        bounds = [bound for bound, _ in ended]
        shares = [bound / fact.truth for bound in bounds]
        kept = max(bounds) <= fact.truth + 1e-9 and (not fact.judged or asked.quick or min(shares) >= REQUIRED)
        passed &= kept
        rows.append(
            [
                fact.name,
                f"{fact.delta:g}",
                f"{fact.truth:.4f}",
                f"{fact.mass:.3f}",
                f"{min(shares):.1%}",
                f"{np.median(shares):.1%}",
                f"{np.median([seconds for _, seconds in ended]):.1f}",
                ("yes" if kept else "FAILS") if fact.judged or not kept else "not judged",
            ]
        )
        cells.append(
            {
                "name": fact.name,
                "delta": fact.delta,
                "truth": fact.truth,
                "mass": fact.mass,
                "judged": fact.judged,
                "bounds": bounds,
                "kept": kept,
            }
        )
    show(
        f"measure(alpha={ALPHA:g}) with {calls:,} calls on the zoo, {runs} fresh seeds",
        ("entry", "delta", "truth", "P(event)", "least share", "median share", "seconds", f"at least {REQUIRED:.0%}"),
        rows,
    )
    write_json(asked, began, passed, {"alpha": ALPHA, "calls": calls, "required": REQUIRED, "cells": cells})
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
