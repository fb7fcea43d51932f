"""How close does `dpcheck.measure` come to the limit of any test, and how close does `dpcheck.audit`?

The limit (`limit.py`, `limits.json`): the largest epsilon0 such that the best level-alpha test of H0(epsilon0, delta)
that knows both laws has power 1/2. Each row is the median of `epsilon_lower` over fresh runs of a plain callable, one
output per call, learning and opening calls included, as a share of that limit.

Rules, for `measure` at alpha 0.05: at least 90% of the limit at 10,000 calls and 97% at 100,000 for epsilon 1 and 3;
90% at 100,000 for epsilon 0.1. Rows whose limit is below half of the truth are shown, not judged; so are epsilon 0.1 at
10,000 calls, for which there is no rule, and `audit`, which pays for being valid at every stopping time.
"""

from __future__ import annotations

import json
import math
import sys
import time
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from bench import Rate, child_seed, settings, show, spread, write_json
from boundary import LEFT, RIGHT, Law, learner_of, title_of
from laws import GaussianShift, LaplaceShift, RandomisedResponse

import dpcheck

LIMITS = Path(__file__).with_name("limits.json")
ALPHA = 0.05
#: Below this part of the truth the limit itself says little: such rows are shown.
TELLING = 0.5
#: Runs per row, for a median known to 1%; an audit takes ten times as long as a measurement.
RUNS, AUDIT_RUNS = 200, 10
QUICK_RUNS = 3
#: Runs in one task of a worker.
CHUNK = 5
#: The shares required, by epsilon and calls.
REQUIRED = {(1.0, 10_000): 0.90, (3.0, 10_000): 0.90, (1.0, 100_000): 0.97, (3.0, 100_000): 0.97, (0.1, 100_000): 0.90}
#: The intervals of the numbers of misses hold together with this confidence.
CONFIDENCE = 0.99

Door = Literal["measure", "audit"]
LAWS = {"laplace": LaplaceShift, "gaussian": GaussianShift, "randomised response": RandomisedResponse}


@dataclass(frozen=True)
class Row:
    """A law with a number of calls and the limit there."""

    law: Law
    calls: int
    limit: float

    @property
    def required(self) -> float | None:
        """The share of the limit to be reached; None for rows that are only shown."""
        if self.limit < TELLING * self.law.epsilon:
            return None
        return REQUIRED.get((self.law.epsilon, self.calls))


@cache
def rows() -> tuple[Row, ...]:
    """The rows of limits.json."""
    table = json.loads(LIMITS.read_text(encoding="utf-8"))["rows"]
    return tuple(Row(_law(row), row["calls"], row["limit"]) for row in table if row["alpha"] == ALPHA)


def _law(row: dict[str, Any]) -> Law:
    if row["law"] == "gaussian":
        return GaussianShift(row["epsilon"], row["delta"])
    law: Law = LAWS[row["law"]](row["epsilon"])
    return law


@dataclass(frozen=True)
class Task:
    """Some runs of one row through one door."""

    place: int
    door: Door
    first: int
    last: int
    seed: int


@dataclass(frozen=True)
class Found:
    """One run: the bound, the calls it made, and its processor seconds."""

    bound: float
    calls: int
    cpu: float


def play(task: Task) -> list[Found]:
    """The bounds of a task; a run depends on the benchmark's seed, its row, door and number alone."""
    row = rows()[task.place]
    return [
        _one(row, task.door, child_seed(task.seed, task.place, int(task.door == "audit"), number))
        for number in range(task.first, task.last)
    ]


def _one(row: Row, door: Door, seed: int) -> Found:
    law, began = row.law, time.process_time()
    common: dict[str, Any] = {
        "pairs": [(LEFT, RIGHT)],
        "alpha": ALPHA,
        "max_samples": row.calls,
        "max_seconds": 1e6,  # the number of calls decides, never the clock
        "isolation": "none",
        "seed": seed,
    }
    if door == "measure":
        found = dpcheck.measure(learner_of(law), delta=law.delta, **common)
        failure = found.failure
    else:
        # The claim is the truth: no violation ends the audit early.
        claim = dpcheck.ApproxDP(law.epsilon, law.delta) if law.delta else dpcheck.PureDP(law.epsilon)
        found = dpcheck.audit(learner_of(law), claim, **common)
        failure = "" if "depend on each other" in found.failure else found.failure  # a check with a level of its own
    if failure:
        raise RuntimeError(f"seed {seed}: {found}")
    return Found(found.epsilon_lower, found.samples, time.process_time() - began)


@dataclass(frozen=True)
class Cell:
    """One row of the table."""

    law: str
    epsilon: float
    delta: float
    calls: int
    limit: float
    measure: float
    share: float | None
    required: float | None
    verdict: str
    audit: float
    audit_share: float | None
    measure_cpu: float
    audit_cpu: float
    bounds: tuple[float, ...]
    audit_bounds: tuple[float, ...]
    misses: dict[str, Any]


def cell_of(row: Row, measured: list[Found], audited: list[Found], level: float) -> Cell:
    """The medians of a row, with the number of bounds above the truth."""
    middle, other = (float(np.median([f.bound for f in found])) for found in (measured, audited))
    share = middle / row.limit if row.limit > 0 else None
    verdict = "shown" if row.required is None else "reached" if share and share >= row.required else "misses"
    return Cell(
        law=row.law.name,
        epsilon=row.law.epsilon,
        delta=row.law.delta,
        calls=row.calls,
        limit=row.limit,
        measure=middle,
        share=share,
        required=row.required,
        verdict=verdict,
        audit=other,
        audit_share=other / row.limit if row.limit > 0 else None,
        measure_cpu=float(np.median([f.cpu for f in measured])),
        audit_cpu=float(np.median([f.cpu for f in audited])),
        bounds=tuple(f.bound for f in measured),
        audit_bounds=tuple(f.bound for f in audited),
        misses=asdict(Rate.of(sum(f.bound > row.law.epsilon for f in measured), len(measured), level)),
    )


def main() -> int:
    """Run, print, write; 1 when a judged row misses."""
    asked = settings(__doc__ or "")
    began = time.monotonic()
    tasks: list[Task] = []
    for door, most in (("measure", RUNS), ("audit", AUDIT_RUNS)):
        runs = QUICK_RUNS if asked.quick else most
        for place in range(len(rows())):
            starts = range(0, runs, CHUNK)
            tasks += [Task(place, door, first, min(first + CHUNK, runs), asked.seed) for first in starts]
    tasks.sort(key=lambda task: -rows()[task.place].calls)
    results = spread(play, tasks, asked.jobs, "measurements and audits", lambda task: task.last - task.first)
    found: dict[tuple[int, Door], list[Found]] = {}
    for task, some in zip(tasks, results, strict=True):
        found.setdefault((task.place, task.door), []).extend(some)
    level = (1.0 - CONFIDENCE) / len(rows())
    cells = [cell_of(row, found[i, "measure"], found[i, "audit"], level) for i, row in enumerate(rows())]
    show(
        f"epsilon_lower (median over {len(cells[0].bounds)} runs of measure, {len(cells[0].audit_bounds)} of audit)",
        ("law", "calls", "limit / truth", "measure / truth", "of the limit", "required", "", "audit, of the limit"),
        [
            (
                title_of(row.law),
                f"{cell.calls:,}",
                f"{cell.limit / cell.epsilon:.1%}",
                f"{cell.measure / cell.epsilon:.1%}",
                _percent(cell.share),
                _percent(cell.required),
                cell.verdict,
                _percent(cell.audit_share),
            )
            for row, cell in zip(rows(), cells, strict=True)
        ],
    )
    missed = sum(cell.verdict == "misses" for cell in cells)
    above = Rate.of(sum(c.misses["events"] for c in cells), sum(len(c.bounds) for c in cells), 1.0 - CONFIDENCE)
    print(f"bounds of measure above the truth: {above}")
    print(f"{missed} of {sum(cell.required is not None for cell in cells)} judged rows miss their share")
    write_json(asked, began, missed == 0, {"alpha": ALPHA, "cells": [asdict(cell) for cell in cells]})
    return 1 if missed else 0


def _percent(share: float | None) -> str:
    return "" if share is None or not math.isfinite(share) else f"{share:.1%}"


if __name__ == "__main__":
    sys.exit(main())
