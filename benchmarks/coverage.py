"""Do intervals and verdicts of failure rates and of sample complexities keep their levels, where the truth is known?

Every learner here fails with a probability that is a closed form. Where the law of the counts can be summed, it is:
these rows are exact, without runs. Elsewhere, and end to end, runs are made at levels as large as 0.05.

Rules. An exact row's probability of being wrong is at most its level. The interval of a simulated row's share of wrong
runs reaches down to its level: all these intervals are Clopper-Pearson and hold together with confidence 99%. As a
check that can fail, mistakes that others make (an interval for a fixed number of trials looked at after each trial, no
correction for the number of sizes, the first size that passes) must be wrong more often than the level, exactly.

What it costs: the exact median number of trials, beside that of the most powerful test whose number is fixed ahead.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from bench import Rate, Settings, child_seed, settings, show, spread, write_json
from known_laws import (
    Known,
    contradicted_from,
    fixed_miss,
    holds_up_to,
    interval_misses,
    known,
    peeking_misses,
    trials_of_the_best_fixed_test,
    walk,
    word_law,
)

from dpcheck.utility.failure import TRIALS, failure_rate
from dpcheck.utility.sizes import SizeSearch, enough_of, sample_complexity, size_grid, stretches_of, too_small_of

LEVEL = 0.05
#: The levels of a report: a wrong "holds", a wrong "contradicted".
REPORTED = (1e-3, 1e-9)
#: All intervals of the simulated rows hold together with this confidence.
CONFIDENCE = 0.99
#: Truths at which intervals are looked at.
CHANCES = (0.0, 0.001, 0.01, 0.05, 0.1, 0.3, 0.5, 0.97)
CLAIMS = (0.5, 0.1, 0.01)
#: Truths over the claim, for the cost of a verdict.
RATIOS = (0.0, 0.25, 0.5, 0.75, 1.25, 1.5, 2.0, 4.0)
#: Trials of a search's sizes, and its grid: the whole of it is summed.
SEARCH_TRIALS, SEARCH_MOST, SEARCH_STEPS = 1_000, 256, 4
SEARCH_FAILURE = Fraction(1, 10)
#: Searches whose words are drawn from their exact laws; calls of ``failure_rate`` and ``sample_complexity``.
DRAWN, CALLS, SEARCHES = 4_000, 600, 120
#: The grid of a search that is really made: coarse and short, so that there can be many.
REAL = {"most": 64, "per_octave": 2, "trials": 200, "octaves": 1, "around": 1}
QUICK_PART = 20
#: Records at which each learner is called, in the order of ``known()``.
SIZES = (9, 10, 45, 25)
CHUNK = 10


@dataclass(frozen=True)
class Exact:
    """A probability of being wrong that was summed."""

    title: str
    wrong: float
    level: float
    must_fail: bool = False

    @property
    def right(self) -> bool:
        """Whether the rule is kept."""
        return self.wrong > self.level if self.must_fail else self.wrong <= self.level * (1.0 + 1e-9)


def intervals(quick: bool) -> list[Exact]:
    """Both kinds of interval, and the mistake of using the one for the other."""
    rows = []
    for trials in (25,) if quick else (25, 100, 400):
        worst = max(CHANCES, key=lambda p: fixed_miss(trials, p, LEVEL))
        rows.append(
            Exact(
                f"interval, {trials} trials fixed ahead (worst: p = {worst:g})", fixed_miss(trials, worst, LEVEL), LEVEL
            )
        )
    trials = 200 if quick else 2_000
    missed = {p: _ever(*interval_misses(trials, p, LEVEL), p) for p in CHANCES}
    worst = max(missed, key=lambda p: missed[p])
    rows.append(
        Exact(f"confidence sequence, ever within {trials:,} trials (worst: p = {worst:g})", missed[worst], LEVEL)
    )
    peeked = _ever(*peeking_misses(trials, 0.1, LEVEL), 0.1)
    rows.append(
        Exact(f"mistake: interval for a fixed number, ever within {trials:,} trials (p = 0.1)", peeked, LEVEL, True)
    )
    return rows


def _ever(below: Any, above: Any, chance: float) -> float:
    found = walk(chance, below, above)
    return found.below + found.above


def verdicts() -> list[Exact]:
    """Verdicts at the claim, where "contradicted" is wrong, and the least above it, where "holds" is."""
    rows = []
    for levels in ((LEVEL, LEVEL), REPORTED):
        for claimed in CLAIMS:
            low, high = holds_up_to(TRIALS, claimed, levels[0]), contradicted_from(TRIALS, claimed, levels[1])
            found = walk(claimed, low, high)
            where = f"within {TRIALS:,} trials, the truth at the claim {claimed:g}"
            rows.append(Exact(f"holds, {where}", found.below, levels[0]))
            rows.append(Exact(f"contradicted, {where}", found.above, levels[1]))
    return rows


def searched(quick: bool) -> list[Exact]:
    """All sizes of a grid at once: the probability that anything is wrong anywhere, summed over sizes exactly."""
    rows = []
    grid = size_grid(1, 32 if quick else SEARCH_MOST, SEARCH_STEPS)
    claimed = float(SEARCH_FAILURE)
    share = LEVEL / (2 * len(grid))
    for one in known():
        right, misses = 1.0, 0.0
        for size in grid:
            chance = one.chance(size)
            law = word_law(chance, claimed, share, SEARCH_TRIALS)
            right *= 1.0 - (law.fails if chance <= SEARCH_FAILURE else law.passes)
            # stopping with the verdict can only miss less often than ever missing
            misses += _ever(*interval_misses(SEARCH_TRIALS, float(chance), share), float(chance))
        rows.append(Exact(f"any word on {len(grid)} sizes: {one.name}", 1.0 - right, LEVEL / 2))
        rows.append(Exact(f"any interval on {len(grid)} sizes: {one.name}", misses, LEVEL / 2))
    return rows


def uncorrected() -> Exact:
    """The mistake of a whole level for each size: learners that fail with just the probability allowed."""
    grid = size_grid(1, SEARCH_MOST, SEARCH_STEPS)
    law = word_law(SEARCH_FAILURE, float(SEARCH_FAILURE), LEVEL / 2, SEARCH_TRIALS)
    wrong = 1.0 - (1.0 - law.fails) ** len(grid)
    return Exact(f"mistake: a whole level for each of {len(grid)} sizes, all at the claim", wrong, LEVEL / 2, True)


# --- searches whose words are drawn from their exact laws ------------------------------------------------------------


@dataclass(frozen=True)
class Said:
    """One size and what was said of it, as the search reads them."""

    size: int
    word: str


@dataclass(frozen=True)
class Drawn:
    """Searches for one learner."""

    name: str
    wrong: Rate
    first_passing_wrong: Rate
    truth: tuple[int, int]
    too_small: float
    enough: float
    not_reached: int
    stretches: int
    sizes: float
    trials: float


def search_once(laws: Sequence[Any], grid: Sequence[int], rng: np.random.Generator) -> tuple[list[Said], float]:
    """One search over words drawn from their laws, and the sum of their median trials."""
    search = SizeSearch(len(grid), SEARCH_STEPS, 2, 3)
    uniform, cost = rng.random(len(grid)), 0.0
    while (place := search.next()) is not None:
        law = laws[place]
        passes, fails = uniform[place] < law.passes, uniform[place] >= 1.0 - law.fails
        search.words[place] = "passes" if passes else "fails" if fails else "undecided"
        cost += law.median
    return [Said(grid[place], search.words[place]) for place in sorted(search.words)], cost


def is_wrong(points: Sequence[Any], chance: Callable[[int], Fraction], failure: Fraction) -> bool:
    """Whether what a search says of too small and enough is wrong about any size that it tested."""
    few, many = too_small_of(tuple(points)), enough_of(tuple(points))
    if few is not None and chance(few) <= failure:
        return True
    return many is not None and any(chance(one.size) > failure for one in points if one.size >= many)


def drawn_searches(one: Known, seed: int, runs: int, level: float) -> Drawn:
    """Many searches, each right or wrong, beside the mistake of taking the first size of a doubling that passes."""
    grid = size_grid(1, SEARCH_MOST, SEARCH_STEPS)
    share = LEVEL / (2 * len(grid))
    laws = [word_law(one.chance(size), float(SEARCH_FAILURE), share, SEARCH_TRIALS) for size in grid]
    rng = np.random.default_rng(seed)
    wrong = first_wrong = unreached = uneven = 0
    ends, costs, counts = [], [], []
    for _ in range(runs):
        points, cost = search_once(laws, grid, rng)
        wrong += is_wrong(points, one.chance, SEARCH_FAILURE)
        first = next((said.size for said in points if said.word == "passes"), None)
        # what the mistake claims: from the first size that passes on, all do
        first_wrong += first is not None and any(one.chance(size) > SEARCH_FAILURE for size in grid if size >= first)
        few, many = too_small_of(tuple(points)), enough_of(tuple(points))
        unreached += many is None
        uneven += bool(stretches_of(tuple(points)))
        ends.append((few or 0, many or math.nan))
        costs.append(cost)
        counts.append(len(points))
    last = max((size for size in range(1, SEARCH_MOST + 1) if one.chance(size) > SEARCH_FAILURE), default=0)
    return Drawn(
        one.name,
        Rate.of(wrong, runs, level),
        Rate.of(first_wrong, runs, level),
        (last, last + 1),
        float(np.median([few for few, _ in ends])),
        float(np.nanmedian([many for _, many in ends])),
        unreached,
        uneven,
        float(np.mean(counts)),
        float(np.median(costs)),
    )


# --- end to end ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Task:
    """Some calls of one kind for one learner."""

    kind: str
    place: int
    seeds: tuple[int, ...]


def work(task: Task) -> list[tuple[bool, int]]:
    """Of each call: whether it was wrong, and its trials."""
    return [KINDS[task.kind][1](known()[task.place], SIZES[task.place], seed) for seed in task.seeds]


def call_fixed(one: Known, size: int, seed: int) -> tuple[bool, int]:
    """The interval for a fixed number of trials."""
    found = failure_rate(
        one.learner,
        one.distribution,
        sizes={"private": size},
        accuracy=one.accuracy,
        trials=100,
        level=LEVEL,
        seed=seed,
    )
    return not found.interval[0] <= one.chance(size) <= found.interval[1], found.trials


def call_sampled(one: Known, size: int, seed: int) -> tuple[bool, int]:
    """The same with risks that are estimated from fresh points."""
    found = failure_rate(
        one.learner,
        one.distribution,
        sizes={"private": size},
        accuracy=one.accuracy,
        trials=100,
        level=LEVEL,
        seed=seed,
        risk="sampled",
        risk_sample=2_000,
    )
    return not found.interval[0] <= one.chance(size) <= found.interval[1], found.trials


def call_verdict(one: Known, size: int, seed: int) -> tuple[bool, int]:
    """The verdict on a claim that the learner just meets, and its interval: wrong when either is."""
    truth = one.chance(size)
    found = failure_rate(
        one.learner,
        one.distribution,
        sizes={"private": size},
        accuracy=one.accuracy,
        failure=truth,
        trials=200,
        contradicted_level=LEVEL,
        level=LEVEL,
        seed=seed,
    )
    inside = found.interval[0] <= truth <= found.interval[1]
    return found.verdict == "contradicted" or not inside, found.trials


def call_search(one: Known, size: int, seed: int) -> tuple[bool, int]:
    """A whole search; wrong when any word or any interval is."""
    found = sample_complexity(
        one.learner, one.distribution, accuracy=one.accuracy, failure=SEARCH_FAILURE, level=LEVEL, seed=seed, **REAL
    )
    missed = any(
        not point.result.interval[0] <= one.chance(point.size) <= point.result.interval[1] for point in found.points
    )
    return missed or is_wrong(found.points, one.chance, SEARCH_FAILURE), found.trials


#: What is called, its level, and how many calls of it are made. A verdict and its interval are two statements.
KINDS: dict[str, tuple[str, Callable[[Known, int, int], tuple[bool, int]], float, int]] = {
    "fixed": ("failure_rate, interval of 100 trials", call_fixed, LEVEL, CALLS),
    "sampled": ("failure_rate, risks estimated", call_sampled, LEVEL, CALLS // 2),
    "verdict": ("failure_rate, claim just met", call_verdict, 2 * LEVEL, CALLS),
    "search": ("sample_complexity, any word or interval", call_search, LEVEL, SEARCHES),
}


def real_rows(asked: Settings, level: float) -> list[dict[str, Any]]:
    """The shares of wrong calls."""
    tasks = []
    for number, (kind, (_, _, _, runs)) in enumerate(KINDS.items()):
        for place in range(len(known())):
            count = max(2, runs // QUICK_PART) if asked.quick else runs
            seeds = [child_seed(asked.seed, number, place, run) for run in range(count)]
            tasks += [Task(kind, place, tuple(seeds[start : start + CHUNK])) for start in range(0, len(seeds), CHUNK)]
    results = spread(work, tasks, asked.jobs, "calls", lambda task: len(task.seeds))
    rows = []
    for kind, (title, _, allowed, _) in KINDS.items():
        for place, one in enumerate(known()):
            came = [
                run
                for task, found in zip(tasks, results, strict=True)
                if (task.kind, task.place) == (kind, place)
                for run in found
            ]
            rate = Rate.of(sum(wrong for wrong, _ in came), len(came), level)
            rows.append(
                {
                    "title": title,
                    "learner": one.name,
                    "level": allowed,
                    "wrong": asdict(rate),
                    "shown": str(rate),
                    "median_trials": float(np.median([trials for _, trials in came])),
                    "right": rate.low <= allowed,
                }
            )
    return rows


# --- what it costs ---------------------------------------------------------------------------------------------------


def costs(quick: bool) -> list[dict[str, Any]]:
    """Exact numbers of trials until a verdict at the levels of a report."""
    rows = []
    for claimed in (0.1,) if quick else (0.1, 0.05, 0.01):
        horizon = 20_000 if quick else 100_000
        low, high = holds_up_to(horizon, claimed, REPORTED[0]), contradicted_from(horizon, claimed, REPORTED[1])
        for ratio in RATIOS:
            chance = ratio * claimed
            found = walk(chance, low, high)
            level = REPORTED[0] if ratio < 1 else REPORTED[1]
            fixed = trials_of_the_best_fixed_test(chance, claimed, level)
            rows.append(
                {
                    "claim": claimed,
                    "truth": chance,
                    "verdict": "holds" if ratio < 1 else "contradicted",
                    "median": _finite(found.trials_at(0.5)),
                    "most": _finite(found.trials_at(0.95)),
                    "fixed": _finite(fixed),
                    "wrong": found.above if ratio < 1 else found.below,
                }
            )
    return rows


def _finite(trials: float) -> float | None:
    return trials if math.isfinite(trials) else None


def main(arguments: list[str] | None = None) -> int:
    """Print the tables; 0 when every row keeps its rule."""
    asked = settings(str(__doc__), arguments)
    began = time.monotonic()
    exact = [*intervals(asked.quick), *verdicts(), *searched(asked.quick), uncorrected()]
    show(
        "Summed exactly",
        ("what", "wrong with probability", "level", ""),
        [[row.title, f"{row.wrong:.3g}", f"{row.level:.3g}", _rule(row.right, row.must_fail)] for row in exact],
    )
    simulated = len(KINDS) * len(known()) + 2 * len(known())
    own = (1.0 - CONFIDENCE) / simulated
    runs = DRAWN // QUICK_PART if asked.quick else DRAWN
    drawn = [drawn_searches(one, child_seed(asked.seed, 100, place), runs, own) for place, one in enumerate(known())]
    mistaken = [one.first_passing_wrong for one, law in zip(drawn, known(), strict=True) if not law.monotone]
    show(
        f"{runs:,} searches each, words from their exact laws (failure {float(SEARCH_FAILURE):g}, level {LEVEL:g})",
        ("learner", "wrong", "first passing size: wrong", "truth", "found", "not monotone", "sizes", "trials", ""),
        [
            [
                one.name,
                str(one.wrong),
                str(one.first_passing_wrong),
                f"({one.truth[0]}, {one.truth[1]}]",
                f"({one.too_small:g}, {one.enough:g}]",
                f"{one.stretches / runs:.0%}",
                f"{one.sizes:.1f}",
                f"{one.trials:,.0f}",
                _rule(one.wrong.low <= LEVEL),
            ]
            for one in drawn
        ],
    )
    rows = real_rows(asked, own)
    show(
        "End to end",
        ("what", "learner", "wrong", "level", "trials (median)", ""),
        [
            [
                row["title"],
                row["learner"],
                row["shown"],
                f"{row['level']:g}",
                f"{row['median_trials']:,.0f}",
                _rule(row["right"]),
            ]
            for row in rows
        ],
        left=2,
    )
    cost = costs(asked.quick)
    show(
        f"Trials until a verdict, exactly (holds at {REPORTED[0]:g}, contradicted at {REPORTED[1]:g})",
        ("claim", "truth", "verdict", "median", "95%", "best test with a fixed number (half the time)"),
        [
            [
                f"{row['claim']:g}",
                f"{row['truth']:g}",
                row["verdict"],
                _count(row["median"]),
                _count(row["most"]),
                _count(row["fixed"]),
            ]
            for row in cost
        ],
        left=0,
    )
    passed = (
        all(row.right for row in exact)
        and all(one.wrong.low <= LEVEL for one in drawn)
        and any(rate.low > LEVEL for rate in mistaken)
        and all(row["right"] for row in rows)
    )
    print("all rows keep their rule" if passed else "a row FAILS its rule")
    write_json(
        asked,
        began,
        passed,
        {
            "level": LEVEL,
            "confidence": CONFIDENCE,
            "exact": [{**asdict(row), "right": row.right} for row in exact],
            "searches": [asdict(one) for one in drawn],
            "calls": rows,
            "costs": cost,
        },
    )
    return 0 if passed else 1


def _rule(right: bool, must_fail: bool = False) -> str:
    if must_fail:
        return "found out" if right else "FAILS"
    return "right" if right else "FAILS"


def _count(trials: float | None) -> str:
    return "not within the horizon" if trials is None else f"{trials:,.0f}"


if __name__ == "__main__":
    sys.exit(main())
