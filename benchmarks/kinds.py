"""How close does `dpcheck.measure` come to the limit of any test, on kinds of mechanisms with a weakness of their own?

Whole numbers, where rare values are lucky; alphabets of hundreds of answers; one rare answer among many; a narrow peak
in wide noise; Gaussian steps with subsampling; a shift spread over ten coordinates; dictionaries; a small epsilon. Each
is one law, with its exact loss (`generated_laws.py`) and the limit of any test that knows it (`limit.py`), measured on
50 seeds.

Rules: the median share of the limit is at least 0.95 (steps with subsampling: 0.90), and the worst of 50 at least 0.85;
the interval of the number of bounds above the truth does not lie above alpha.

    python benchmarks/kinds.py --json reports/kinds.json
    python benchmarks/kinds.py --only peak "whole numbers" --runs 10
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
from bench import Rate, child_seed, settings, show, spread, write_json
from generated import ALPHA, measured
from generated_laws import (
    Coins,
    Mechanism,
    atoms_of_loss,
    choices_of,
    convolved,
    k_ary,
    one_rare,
    peaked,
    steps_with_sampling,
)
from limit import limit
from numpy.random import Generator
from numpy.typing import NDArray
from scipy import stats

CONFIDENCE = 0.99
CALLS = 200_000
MEDIAN, MEDIAN_OF_STEPS, WORST = 0.95, 0.90, 0.85
#: Runs in one task of a worker.
CHUNK = 5


def _whole(epsilon: float) -> Mechanism:
    reach = math.ceil(35.0 / epsilon)
    values = np.arange(-reach, reach + 2)
    q, p = (np.exp(-epsilon * np.abs(values - shift)) for shift in (0, 1))
    return Mechanism(
        "whole numbers",
        f"epsilon {epsilon:g}",
        0.0,
        atoms_of_loss(p, q),
        choices_of(p / p.sum(), q / q.sum(), values),
    )


def _in_no_order(count: int) -> NDArray[np.int64]:
    return np.random.default_rng(0).permutation(count).astype(np.int64)


def _alphabet(count: int) -> Mechanism:
    """Answers of the same frequency on one dataset, half of them e times likelier than the others on the other."""
    q = np.full(count, 1.0 / count)
    high = np.arange(count) % 2 == 0
    p = q * np.where(high, math.e, 1.0)
    p /= p.sum()
    return Mechanism("alphabet", f"{count} answers", 0.0, atoms_of_loss(p, q), choices_of(p, q, _in_no_order(count)))


def _spread() -> Mechanism:
    width, total = 10, 2.0
    shift = 1.0 / width
    edges = np.unique(np.concatenate([np.linspace(-60.0, 60.0, 60_001), np.linspace(0.0, total * shift, 2_001)]))
    mid = 0.5 * (edges[1:] + edges[:-1])
    law = stats.laplace()
    p = np.diff(law.cdf(edges - total * shift))
    atoms = convolved([(law.logpdf(mid - total * shift) - law.logpdf(mid), p / p.sum())] * width)

    def sample(coins: Coins, rng: Generator) -> Any:
        return coins[:, None] * shift + rng.laplace(scale=1.0 / total, size=(len(coins), width))

    return Mechanism("spread shift", "Laplace on 10 coordinates, epsilon 2, delta 1e-3", 1e-3, atoms, sample)


def _dictionaries() -> Mechanism:
    edges = np.unique(np.concatenate([np.linspace(-60.0, 60.0, 20_001), np.linspace(0.0, 1.0, 5_001)]))
    law, mid = stats.laplace(), 0.5 * (edges[1:] + edges[:-1])
    q = np.diff(law.cdf(edges))
    p = q * np.exp(law.logpdf(mid - 1.0) - law.logpdf(mid))

    def sample(coins: Coins, rng: Generator) -> Any:
        told, noise = coins + rng.laplace(size=len(coins)), rng.normal(size=(len(coins), 2))
        pairs = zip(told.tolist(), noise.tolist(), strict=True)
        return [{"count": count, "noise": {"one": one, "other": other}} for count, (one, other) in pairs]

    return Mechanism("dictionaries", "Laplace in one of three numbers, epsilon 1", 0.0, atoms_of_loss(p, q), sample)


def _response(epsilon: float) -> Mechanism:
    p, q = np.array([math.exp(epsilon), 1.0]), np.array([1.0, math.exp(epsilon)])
    p, q = p / p.sum(), q / q.sum()
    return Mechanism("response", f"epsilon {epsilon:g}", 0.0, atoms_of_loss(p, q), choices_of(p, q, np.arange(2)))


MAKERS: tuple[tuple[Callable[[], Mechanism], int], ...] = (
    (lambda: _whole(1.0), CALLS),
    (lambda: _whole(0.2), CALLS),
    (lambda: k_ary(_in_no_order(100), 1.0), CALLS),
    (lambda: k_ary(_in_no_order(1_000), 1.0), CALLS),
    (lambda: _alphabet(100), CALLS),
    (lambda: _alphabet(1_000), CALLS),
    (lambda: one_rare(_in_no_order(50), 0.01, np.ones(49), 1.0), CALLS),
    (lambda: peaked("normal", (0.05, 0.02), 0.3, 0.01), CALLS),
    (lambda: steps_with_sampling(1, 0.2, 0.7, 1e-5), CALLS),
    (lambda: steps_with_sampling(10, 0.2, 1.2, 1e-5), CALLS),
    (lambda: steps_with_sampling(100, 0.1, 2.0, 1e-5), CALLS),
    (_spread, CALLS),
    (_dictionaries, 50_000),
    (lambda: _response(0.1), CALLS),
    (lambda: _whole(0.1), CALLS),
)


@cache
def mechanism(place: int) -> Mechanism:
    """One of them."""
    return MAKERS[place][0]()


@dataclass(frozen=True)
class Task:
    """Some measurements of one mechanism."""

    place: int
    seeds: tuple[int, ...]


def play(task: Task) -> list[tuple[float, float]]:
    """The bounds that were measured, and the CPU seconds of each."""
    one, calls = mechanism(task.place), MAKERS[task.place][1]
    found = []
    for seed in task.seeds:
        began = time.process_time()
        found.append((measured(one, calls, seed), time.process_time() - began))
    return found


def main() -> int:
    """Run, print, write; 1 when a rule is broken."""
    asked = settings(
        __doc__ or "", only="kinds, by the first words of their names", numbers={"runs": (50, "seeds of each")}
    )
    began = time.monotonic()
    runs = 2 if asked.quick else int(asked.numbers["runs"])
    chosen = [
        place
        for place in range(len(MAKERS))
        if not asked.only or any(mechanism(place).name.startswith(word) for word in asked.only)
    ]
    if not chosen:
        sys.exit(f"--only must name kinds, got {' '.join(asked.only)}")
    tasks = [
        Task(place, tuple(child_seed(asked.seed, place, run) for run in range(first, min(first + CHUNK, runs))))
        for place in chosen
        for first in range(0, runs, CHUNK)
    ]
    found = spread(play, tasks, asked.jobs, "measurements", lambda task: len(task.seeds))
    rows = []
    for place in chosen:
        one, calls = mechanism(place), MAKERS[place][1]
        of = [pair for task, some in zip(tasks, found, strict=True) if task.place == place for pair in some]
        most = limit(one, calls, ALPHA, one.delta)
        shares = np.array([bound for bound, _ in of]) / most
        above = Rate.of(sum(bound > one.epsilon for bound, _ in of), len(of), 1.0 - CONFIDENCE)
        least = MEDIAN_OF_STEPS if one.kind == "subsampled steps" else MEDIAN
        rows.append(
            {
                "kind": one.name,
                "calls": calls,
                "truth": one.epsilon,
                "limit": most,
                "median": float(np.median(shares)),
                "worst": float(shares.min()),
                "above": asdict(above),
                "seconds": float(np.median([seconds for _, seconds in of])),
                "holds": bool(np.median(shares) >= least and shares.min() >= WORST and above.low <= ALPHA),
            }
        )
    show(
        f"Shares of the limit of any test, {runs} seeds",
        ["kind", "outputs", "truth", "limit", "median", "worst", "above the truth", "CPU s", "rule"],
        [
            [
                row["kind"],
                f"{row['calls']:,}",
                f"{row['truth']:.2f}",
                f"{row['limit']:.2f}",
                f"{row['median']:.3f}",
                f"{row['worst']:.3f}",
                f"{row['above']['events']} of {row['above']['runs']}",
                f"{row['seconds']:.1f}",
                "holds" if row["holds"] else "misses",
            ]
            for row in rows
        ],
    )
    passed = all(row["holds"] for row in rows)
    write_json(asked, began, passed, {"alpha": ALPHA, "runs": runs, "rows": rows})
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
