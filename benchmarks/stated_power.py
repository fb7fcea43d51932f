"""Is what a verdict says would have been caught caught with the probability that it states?

Of each kind of leaks drawn at random (:mod:`drawn_leaks`), and for several numbers of calls, levels and claims,
learners with a leak of exactly the size that a verdict after so many calls tells, in a quarter of their outputs: how
many of them are refuted within these calls, for the probability 0.95 of every verdict and that of the power rule.

Rule: of no kind fewer are caught than the probability told gives but with probability 1e-6. What is not foretold is
shown beside.

    python benchmarks/stated_power.py [--quick] [--jobs 2] [--seed N] [--json FILE]
"""

from __future__ import annotations

import math
import sys
import time
from dataclasses import asdict, dataclass

import numpy as np
from bench import child_seed, settings, show, spread, write_json
from drawn_leaks import APART, FITTED, NOT_FORETOLD, drawn
from planning import refuted_after
from scipy.stats import binom

from dpcheck.privacy.run.allocation import FIRST_INTERIM
from dpcheck.privacy.run.certification import POWER_RULE
from dpcheck.privacy.statistics.detectable import ASSUMED_COVERAGE, POWER, answers_planned, detectable_leak
from dpcheck.privacy.statistics.evidence import full_stakes
from dpcheck.privacy.statistics.game import planned_weight

RUNS, QUICK_RUNS = 200, 5
#: The probability with which a kind that keeps its word breaks the rule.
LEVEL = 1e-6
#: Calls, delta, alpha, probability told.
TOLD = (
    (2000, 0.0, 1e-6, POWER),
    (8000, 0.0, 1e-6, POWER),
    (3000, 0.0, 0.05, POWER),
    (3000, 1e-3, 1e-6, POWER),
    (3000, 0.0, 1e-6, POWER_RULE),
)


@dataclass(frozen=True)
class Stated:
    """What a verdict after so many watched calls says would have been caught, of one kind of drawn leaks."""

    kind: str
    calls: int
    epsilon: float
    delta: float
    alpha: float
    power: float

    def leak(self) -> float:
        """The size told."""
        shape = drawn(self.kind, 1.0, ASSUMED_COVERAGE, np.random.default_rng(0)).shape
        answers = int(self.kind.split()[0]) if "labels" in self.kind else answers_planned(shape)
        counts = full_stakes(self.calls // 2, self.calls - self.calls // 2, self.calls)
        weight = planned_weight(shape, self.epsilon, self.delta)
        at = (self.epsilon, self.delta, self.alpha)
        return detectable_leak(counts, weight, *at, self.power, answers=answers).epsilon

    def caught(self, seed: int) -> bool:
        """Whether one learner with a leak of that size is refuted within the calls."""
        rng = np.random.default_rng(seed)
        found = drawn(self.kind, self.leak(), ASSUMED_COVERAGE, rng)
        claim, calls = (self.epsilon, self.delta), FIRST_INTERIM + self.calls
        return math.isfinite(refuted_after(found.law, found.shape, claim, self.alpha, calls, rng))


def stated() -> list[Stated]:
    """All kinds after few and more calls."""
    return [
        Stated(kind, calls, 1.0, delta, alpha, power)
        for kind in (*FITTED, *APART, *NOT_FORETOLD)
        for calls, delta, alpha, power in TOLD
    ]


def counted(task: tuple[Stated, tuple[int, ...]]) -> int:
    """How many of several runs of one kind are caught."""
    told, seeds = task
    return sum(told.caught(seed) for seed in seeds)


def main() -> int:
    """Run all kinds, print, write; 1 when the rule is broken."""
    asked = settings(__doc__ or "")
    began, runs = time.monotonic(), QUICK_RUNS if asked.quick else RUNS
    listed = stated()
    tasks = [
        (one, tuple(child_seed(asked.seed, place, run) for run in range(runs))) for place, one in enumerate(listed)
    ]
    cells, rows = [], []
    for one, caught in zip(listed, spread(counted, tasks, asked.jobs, "kinds"), strict=True):
        foretold = one.kind not in NOT_FORETOLD
        broken = foretold and float(binom.cdf(caught, runs, one.power)) < LEVEL
        leak = one.leak()
        finite = leak if math.isfinite(leak) else None
        cells.append({**asdict(one), "leak": finite, "caught": caught, "foretold": foretold, "broken": broken})
        numbers = (f"{one.calls:,}", f"{one.delta:g}", f"{one.alpha:g}", f"{leak:.3g}", f"{one.power:g}")
        rows.append([one.kind, *numbers, f"{caught} of {runs}{'' if foretold else ' (not foretold)'}"])
    show(
        "Leaks of the size that a verdict tells, in a quarter of the outputs, claim epsilon = 1",
        ("where the event is", "calls", "delta", "alpha", "loss", "told", "caught"),
        rows,
    )
    passed = not any(cell["broken"] for cell in cells)
    write_json(asked, began, passed, {"runs": runs, "cells": cells})
    return 0 if passed or asked.quick else 1


if __name__ == "__main__":
    sys.exit(main())
