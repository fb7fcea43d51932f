"""How much does `dpcheck.measure` certify on the pairs on which its peers were compared, and from very many calls?

Seventeen mechanisms with one fixed pair each (`peers/mechanisms.py`); 200,000 calls in all, learning included, alpha
0.05; the median of `epsilon_lower` over fresh seeds, and the median wall time. Required: what the best peer certified
with the same number of outputs (one run each, the best score found by hand given to those that need one), and more
where a learned event shows more. Each run takes at most 5 seconds (to be read on an idle machine).

Beside it: 5,000,000 calls at alpha 1e-6, at least 95% of the truth where that lies in [0.5, 4] and is attained by an
event of probability 0.05 or more.
"""

from __future__ import annotations

import math
import resource
import sys
import time
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).with_name("peers")))

import numpy as np
from bench import Rate, child_seed, settings, show, spread, write_json
from mechanisms import MECHANISMS, Floats, Integers, Mechanism

import dpcheck

#: Certified by the best peer, one run of 200,000 outputs; a decision at a grid point counts as that point.
BEST_PEER = {
    "laplace": 0.97,
    "randresp": 0.98,
    "geometric": 0.98,
    "noisy_argmax": 0.76,
    "svt1_lyu": 0.82,
    "svt2_dwork_roth": 0.18,
    "gauss": 0.64,
    "laplace_half_scale": 1.96,
    "svt3_roth": 2.09,
    "svt4_lee_clifton": 1.46,
    "svt5_stoddard": 8.25,
    "svt6_chen": 3.29,
    "noisy_max_value": 2.36,
    "float_laplace": 0.97,
    "argmax_no_noise": 9.95,
    "gauss_half_sigma": 1.39,
    "mean_no_clip": 9.95,
}
#: Required beyond that.
REQUIRED = BEST_PEER | {
    "svt3_roth": 2.1,
    "svt4_lee_clifton": 1.5,
    "svt6_chen": 3.3,
    "noisy_max_value": 2.37,
    "float_laplace": 2.4,
    "gauss_half_sigma": 1.4,
}
CALLS, ALPHA, MOST_SECONDS = 200_000, 0.05, 5.0
MANY_CALLS, MANY_ALPHA, MANY_SHARE = 5_000_000, 1e-6, 0.95
MANY = ("laplace", "randresp", "geometric", "noisy_argmax", "laplace_half_scale")
RUNS, MANY_RUNS, QUICK_RUNS = 20, 3, 1
CONFIDENCE = 0.99
#: The k-ary randomised response: answers, and its epsilon.
KINDS, KINDS_EPSILON = 10, 2.0


def k_ary_response(answers: Floats, size: int, rng: np.random.Generator) -> Integers:
    """The answer itself e^epsilon times as often as each of the nine others."""
    other = rng.integers(1, KINDS, size)
    told = rng.random(size) < math.exp(KINDS_EPSILON) / (math.exp(KINDS_EPSILON) + KINDS - 1.0)
    return np.where(told, int(answers[0]), (int(answers[0]) + other) % KINDS)


@dataclass(frozen=True)
class Row:
    """A mechanism with a number of calls and what is to be certified."""

    mechanism: Mechanism
    calls: int
    alpha: float
    required: float
    runs: int


@cache
def rows() -> tuple[Row, ...]:
    """The pairs of the comparison, then the very many calls."""
    same = [Row(m, CALLS, ALPHA, REQUIRED[m.name], RUNS) for m in MECHANISMS]
    kinds = Mechanism("k_ary_response", k_ary_response, (1.0,), (0.0,), loss=KINDS_EPSILON, epsilon=KINDS_EPSILON)
    chosen = [*(m for m in MECHANISMS if m.name in MANY), kinds]
    return (*same, *(Row(m, MANY_CALLS, MANY_ALPHA, MANY_SHARE * m.loss, MANY_RUNS) for m in chosen))


@dataclass(frozen=True)
class Found:
    """One run: the bound, its wall and processor seconds, the calls made, and the largest memory so far (MB)."""

    bound: float
    wall: float
    cpu: float
    calls: int
    memory: float


def play(task: tuple[int, int, int]) -> Found:
    """One run of one row: it depends on the benchmark's seed, the row and its number alone."""
    place, number, seed = task
    row = rows()[place]
    pair = (np.asarray(row.mechanism.first), np.asarray(row.mechanism.second))
    wall, cpu = time.perf_counter(), time.process_time()
    found = dpcheck.measure(
        dpcheck.from_sampler(row.mechanism.sample),
        pairs=[pair],
        delta=row.mechanism.delta,
        alpha=row.alpha,
        numerics=row.mechanism.numerics,
        max_samples=row.calls,
        max_seconds=1e6,  # the number of calls decides, never the clock
        isolation="none",
        seed=child_seed(seed, place, number),
    )
    if found.failure:
        raise RuntimeError(f"{row.mechanism.name}: {found.failure}")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
    return Found(found.epsilon_lower, time.perf_counter() - wall, time.process_time() - cpu, found.samples, memory)


@dataclass(frozen=True)
class Cell:
    """One row of the table."""

    mechanism: str
    loss: float | None
    delta: float
    calls: int
    alpha: float
    required: float
    median: float
    lowest: float
    highest: float
    wall: float
    cpu: float
    memory: float
    above: dict[str, Any]
    verdict: str
    bounds: tuple[float, ...]


def cell_of(row: Row, found: list[Found], level: float) -> Cell:
    """The median of a row, and how many bounds lie above the truth."""
    bounds = tuple(f.bound for f in found)
    middle = float(np.median(bounds))
    above = Rate.of(sum(bound > row.mechanism.loss for bound in bounds), len(bounds), level)
    return Cell(
        row.mechanism.name,
        row.mechanism.loss if math.isfinite(row.mechanism.loss) else None,
        row.mechanism.delta,
        row.calls,
        row.alpha,
        row.required,
        middle,
        min(bounds),
        max(bounds),
        float(np.median([f.wall for f in found])),
        float(np.median([f.cpu for f in found])),
        max(f.memory for f in found),
        asdict(above),
        "reached" if middle >= row.required and above.low <= row.alpha else "misses",
        bounds,
    )


def main() -> int:
    """Run, print, write; 1 when a row misses."""
    asked = settings(__doc__ or "")
    began = time.monotonic()
    tasks = [
        (place, number, asked.seed)
        for place, row in enumerate(rows())
        for number in range(QUICK_RUNS if asked.quick else row.runs)
    ]
    results = spread(play, tasks, asked.jobs, "measurements")
    level = (1.0 - CONFIDENCE) / len(rows())
    cells = [
        cell_of(row, [f for t, f in zip(tasks, results, strict=True) if t[0] == place], level)
        for place, row in enumerate(rows())
    ]
    show(
        "epsilon_lower: median over fresh seeds",
        (
            "mechanism",
            "calls",
            "alpha",
            "truth",
            "required",
            "median",
            "lowest",
            "highest",
            "wall s",
            "cpu s",
            "MB",
            "",
        ),
        [
            (
                c.mechanism,
                f"{c.calls:,}",
                f"{c.alpha:g}",
                "inf" if c.loss is None else f"{c.loss:.3f}",
                f"{c.required:.3f}",
                f"{c.median:.3f}",
                f"{c.lowest:.3f}",
                f"{c.highest:.3f}",
                f"{c.wall:.2f}",
                f"{c.cpu:.2f}",
                f"{c.memory:.0f}",
                c.verdict,
            )
            for c in cells
        ],
    )
    missed = sum(c.verdict == "misses" for c in cells)
    slow = sum(c.wall > MOST_SECONDS for c in cells if c.calls == CALLS)
    print(f"{missed} of {len(cells)} rows miss what is required; {slow} of {len(MECHANISMS)} take more than 5 s")
    write_json(asked, began, missed == 0, {"cells": [asdict(c) for c in cells]})
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
