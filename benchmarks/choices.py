"""What does an exact choice among candidates cost, beside the usual one by a cumulative sum of doubles?

Both in one run, one thread, taking turns, the median time on one core of several repetitions; the *rules* are ratios,
because seconds depend on the machine:

* small: one draw each from new choices among 2 to 50 candidates, as an audit makes them by the hundred thousand: at
  most twice the usual one's time;
* many draws: ten thousand draws cost less than twice one, at 10^6 candidates and more;
* large: 10^7 candidates, integer and double scores: one draw costs at most twice the usual one's, and takes at most
  20 bytes a candidate beyond the scores; log-probabilities too.

    python benchmarks/choices.py --json reports/choices.json
"""

from __future__ import annotations

import statistics
import time
import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from bench import ONE_THREAD as ONE_THREAD
from bench import settings, show, write_json

from dpcheck.parts.mechanisms.choice import Choice

#: The rules.
MOST_RATIO, MOST_BYTES, MOST_FOR_TEN_THOUSAND = 2.0, 20.0, 2.0
SMALL, LARGE, MANY = (2, 10, 50), (10**5, 10**6, 10**7), 10**6
REPETITIONS = 5


class Usual(Choice):
    """A choice drawn from as this one was before: weights and their sums in doubles; candidates may be lost."""

    def sample(self, size: int, rng: np.random.Generator) -> Any:
        weights = float(self.rate) * (self.scores - self.scores.max()).astype(np.float64)
        limits = np.cumsum(np.exp(weights - weights.max()))
        last = np.searchsorted(limits, limits[-1], side="left")
        return np.minimum(np.searchsorted(limits, rng.random(size) * limits[-1], side="right"), last)


def seconds(*calls: Callable[[], Any], repetitions: int) -> list[float]:
    """The median time of each call on one core; they take turns, for other work on the machine to fall on all."""
    taken: list[list[float]] = [[] for _ in calls]
    for _ in range(repetitions):
        for times, call in zip(taken, calls, strict=True):
            began = time.process_time()
            call()
            times.append(time.process_time() - began)
    return [statistics.median(times) for times in taken]


def small(count: int, rng: np.random.Generator) -> list[dict[str, Any]]:
    """New choices, one draw each."""
    cells = []
    for candidates in SMALL:
        scores = -rng.integers(0, 10, candidates)

        def many(kind: Any, scores: Any = scores) -> None:
            for _ in range(count):
                kind(Fraction(1, 2), scores).sample(1, rng)

        exact, usual = seconds(lambda: many(Choice), lambda: many(Usual), repetitions=REPETITIONS)
        cells.append(
            {
                "candidates": candidates,
                "microseconds": round(1e6 * exact / count, 1),
                "usual": round(1e6 * usual / count, 1),
                "ratio": round(exact / usual, 2),
            }
        )
    return cells


def large(sizes: tuple[int, ...], rng: np.random.Generator) -> list[dict[str, Any]]:
    """One draw and ten thousand, log-probabilities and memory."""
    cells = []
    for candidates in sizes:
        for kind, scores in (
            ("integers", -rng.integers(0, 1000, candidates)),
            ("doubles", -100.0 * rng.random(candidates)),
        ):
            rate = Fraction(1, 20)

            def draw(made: Any, size: int, scores: Any = scores, rate: Any = rate) -> Any:
                return made(rate, scores).sample(size, rng)

            exact, usual, many, logs = seconds(
                lambda: draw(Choice, 1),
                lambda: draw(Usual, 1),
                lambda: draw(Choice, 10_000),
                lambda: Choice(rate, scores).log_probabilities,  # noqa: B023
                repetitions=REPETITIONS,
            )
            tracemalloc.start()
            draw(Choice, 10_000)
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            cells.append(
                {
                    "candidates": candidates,
                    "scores": kind,
                    "seconds": round(exact, 4),
                    "usual": round(usual, 4),
                    "ratio": round(exact / usual, 2),
                    "ten_thousand_over_one": round(many / exact, 2),
                    "log_probabilities": round(logs, 4),
                    "bytes_per_candidate": round(peak / candidates, 1),
                }
            )
    return cells


def main() -> None:
    given = settings(__doc__ or "")
    began = time.monotonic()
    rng = np.random.default_rng(given.seed)
    of_small = small(200 if given.quick else 5000, rng)
    of_large = large(LARGE[:1] if given.quick else LARGE, rng)
    kept = {
        "one draw among few costs at most twice the usual one": all(c["ratio"] <= MOST_RATIO for c in of_small),
        "one draw among many costs at most twice the usual one": all(c["ratio"] <= MOST_RATIO for c in of_large),
        "ten thousand draws cost less than twice one": all(
            c["ten_thousand_over_one"] < MOST_FOR_TEN_THOUSAND for c in of_large if c["candidates"] >= MANY
        ),
        "at most 20 bytes a candidate": all(
            c["bytes_per_candidate"] <= MOST_BYTES for c in of_large if c["candidates"] >= MANY
        ),
    }
    show(
        "One draw from each new choice",
        ["candidates", "exact, us", "usual, us", "ratio"],
        [[f"{c['candidates']:,}", *(str(c[name]) for name in ("microseconds", "usual", "ratio"))] for c in of_small],
    )
    columns = (
        "scores",
        "seconds",
        "usual",
        "ratio",
        "ten_thousand_over_one",
        "log_probabilities",
        "bytes_per_candidate",
    )
    show(
        "Many candidates",
        ["candidates", "scores", "exact, s", "usual, s", "ratio", "10,000 draws over 1", "log-prob., s", "bytes each"],
        [[f"{c['candidates']:,}", *(str(c[name]) for name in columns)] for c in of_large],
        left=2,
    )
    show("Rules", ["rule", "kept"], [[rule, "yes" if good else "FAILS"] for rule, good in kept.items()])
    passed = all(kept.values())
    write_json(given, began, passed, {"small": of_small, "large": of_large, "rules": kept})
    raise SystemExit(0 if passed or given.quick else 1)


if __name__ == "__main__":
    main()
