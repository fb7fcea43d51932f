"""Does `dpcheck compare` name what changed, and nothing else?

Power: with the default numbers of calls and trials, at the default level of 1e-6 a quantity, over fresh seeds: an
epsilon that rises by a fifth (a Laplace mechanism, that of diffprivlib, a randomised response, the private mean of
dpcheck), noise less by a tenth (with a change of sign too), clipping left out, exceptions in a hundredth of the calls,
a record revealed in a thousandth (as it is; far out it is three thousandths), a coordinate without noise, a risk that
rises by a tenth (a noisy sum, one whose risk has ties, a private mean, a threshold learner on fresh samples), and a
call that costs twice as much (a cheap one and a dear one, also while other processes keep the processors busy). Each
comparison is with a baseline that was recorded from streams of its own.

False alarms: comparisons of unchanged learners at a level of 0.05 a quantity, counted quantity by quantity. Kinds:
continuous and discrete outputs, vectors, declared laws, risks with ties, cost while other processes are busy. The same
comparisons are held to the default level too. Comparisons with a bijection of the outputs (a shift, a change of sign,
another unit, a monotone map, coordinates in another order, other words; the last two of these were
not looked at while the comparison was made) at the same level: whether any is said to be worse. (In another basis no
single coordinate tells what one told before, and a score that a short block learns tells less: "better" is counted, and
is no alarm.)

Rules: each change is named on every seed; the rate of false alarms of each quantity is at most its level (the lower end
of its exact interval is); no alarm at the default level.
"""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from bench import child_seed, settings, show, spread, write_json

from dpcheck.history.baseline_runs import compare_entry, record_entry
from dpcheck.history.comparisons import ALPHA, Change, Kind
from dpcheck.history.subject import Subject, Task
from dpcheck.model.data import Labelled
from dpcheck.parts.learners.mean import PerturbedMean
from dpcheck.privacy.statistics.evidence import binomial_lower, binomial_upper
from dpcheck.utility.distributions import UniformGrid

SEEDS, QUICK_SEEDS = 20, 1
COMPARISONS, QUICK_COMPARISONS = 1_000, 25
#: The level at which false alarms can be counted.
LEVEL = 0.05
#: Of the intervals that are shown, and of the rule on them: a red benchmark means a defect.
SHOWN, RULE = 0.05, 1e-9
#: Sizes of the comparisons of unchanged learners: small, since a level holds at any size.
CALLS, LEARN_CALLS, TRIALS = 3_000, 800, 400
PAIR = [(np.array([1.0, 0.5]), np.array([0.0, 0.5]))]
POINTS = np.array([10, 50, 80])
LABELLED = [(Labelled(POINTS, np.array([0, 1, 1])), Labelled(POINTS, np.array([0, 0, 1])))]
FAR_PAIR = [(np.array([4.0, 0.5]), np.array([0.0, 0.5]))]
BITS = [(np.array([1]), np.array([0]))]


@dataclass(frozen=True)
class Noisy:
    """A sum with Laplace noise, drawn ``work`` times over."""

    scale: float = 1.0
    work: int = 1

    def __call__(self, dataset: Any, rng: np.random.Generator) -> float:
        for _ in range(self.work):
            drawn = float(np.sum(dataset)) + rng.laplace(scale=self.scale)
        return drawn


@dataclass(frozen=True)
class Response:
    """A randomised response."""

    epsilon: float = 1.0

    def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
        return int(dataset[0]) ^ int(rng.random() < 1.0 / (1.0 + np.exp(self.epsilon)))


@dataclass(frozen=True)
class Declared:
    """A randomised response of odds 3 : 1 that declares its law."""

    def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
        return int(dataset[0]) ^ int(rng.random() < 0.25)

    def distribution(self, dataset: Any) -> dict[int, Fraction]:
        one = Fraction(3, 4) if dataset[0] else Fraction(1, 4)
        return {0: 1 - one, 1: one}


class OtherLaplace:
    """diffprivlib's Laplace mechanism on a sum."""

    def __init__(self, epsilon: float = 1.0) -> None:
        self.epsilon = epsilon
        self.state: np.random.RandomState | None = None

    def __call__(self, dataset: Any, rng: np.random.Generator) -> float:
        from diffprivlib.mechanisms import Laplace

        if self.state is None:  # it takes no Generator; each fresh copy of the learner has its own
            self.state = np.random.RandomState(int(rng.integers(2**31)))
        mechanism = Laplace(epsilon=self.epsilon, sensitivity=1.0, random_state=self.state)
        return float(mechanism.randomise(float(np.sum(dataset))))


@dataclass(frozen=True)
class NoisyThreshold:
    """The smallest point labelled 1, moved by noise of a given scale; hypotheses are points of the grid."""

    scale: float = 6.0

    def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
        x, y = dataset
        best = int(x[y == 1].min()) if np.any(y) else GRID.size
        return int(np.clip(round(best + rng.laplace(scale=self.scale)), 0, GRID.size))


@dataclass(frozen=True)
class Dear:
    """A learner that sorts a thousand draws, ``work`` times."""

    work: int = 1

    def __call__(self, dataset: Any, rng: np.random.Generator) -> float:
        for _ in range(self.work):
            drawn = np.sort(rng.standard_normal(1_000))
        return float(np.sum(dataset) + drawn[0])


@dataclass(frozen=True)
class Clipped:
    """A sum of records clipped to [0, 1], with Laplace noise."""

    def __call__(self, dataset: Any, rng: np.random.Generator) -> float:
        return float(np.clip(dataset, 0.0, 1.0).sum()) + rng.laplace()


@dataclass(frozen=True)
class Coordinates:
    """Three coordinates with Laplace noise each, the first of them ``bare`` of it."""

    bare: bool = False

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        noise = rng.laplace(size=3)
        return np.array([dataset[0], dataset[1], 0.0]) + noise * (np.array([0.0, 1.0, 1.0]) if self.bare else 1.0)


@dataclass(frozen=True)
class Words:
    """A randomised response in words."""

    def __call__(self, dataset: Any, rng: np.random.Generator) -> str:
        return ("no", "yes")[int(dataset[0]) ^ int(rng.random() < 0.27)]


@dataclass(frozen=True)
class Renamed:
    """A learner whose outputs are told otherwise."""

    learner: Any
    told: Any

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        return self.told(self.learner(dataset, rng))


@dataclass(frozen=True)
class NowAndThen:
    """A noisy sum that does something else in a share of the calls."""

    share: float
    other: Any

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        return self.other(dataset, rng) if rng.random() < self.share else Noisy()(dataset, rng)


def shifted(output: Any) -> Any:
    return output + 5.0


def negated(output: Any) -> Any:
    return -output


def in_another_unit(output: Any) -> Any:
    return 1e6 * output - 3.0


def stretched(output: Any) -> Any:
    return float(np.sinh(output))


def in_another_order(output: Any) -> Any:
    return output[[2, 0, 1]]


def in_other_words(output: str) -> str:
    return {"yes": "no", "no": "neither"}[output]


def as_number(output: str) -> float:
    return {"yes": -7.5, "no": 2.0}[output]


def mixed(output: Any) -> Any:
    """Another basis."""
    return np.array([[2.0, 1.0, 0.0], [0.0, 1.0, -1.0], [1.0, 0.0, 3.0]]) @ output


def fails(dataset: Any, rng: np.random.Generator) -> float:
    raise ValueError("now and then")


def first(dataset: Any, rng: np.random.Generator) -> float:
    return float(dataset[0])


def far_out(dataset: Any, rng: np.random.Generator) -> float:
    return float(1000.0 * (2.0 * dataset[0] - 1.0) + rng.laplace())


#: The last two were not looked at while the comparison was made.
BIJECTIONS: dict[str, tuple[Any, Any]] = {
    "a shift": (Noisy(), shifted),
    "a change of sign": (Noisy(), negated),
    "another unit": (Noisy(), in_another_unit),
    "a monotone map": (Noisy(), stretched),
    "other places": (Coordinates(), in_another_order),
    "other words": (Words(), in_other_words),
    "numbers for words": (Words(), as_number),
    "another basis": (Coordinates(), mixed),
}


GRID = UniformGrid(100)
UNIT = np.zeros((20, 3))
UNIT[0, 0] = 1.0
OPPOSITE = -UNIT


def missed(output: Any, dataset: Any) -> float:
    """How far a sum is off."""
    return abs(output - float(np.sum(dataset)))


def missed_by_steps(output: Any, dataset: Any) -> float:
    """How far a sum is off, in whole steps: a risk with ties."""
    return float(np.floor(2.0 * abs(output - float(np.sum(dataset)))))


def wrong_bit(output: Any, dataset: Any) -> float:
    """Whether a bit is wrong."""
    return float(output != int(dataset[0]))


def far_from_mean(output: Any, dataset: Any) -> float:
    """The distance to the mean."""
    return float(np.linalg.norm(output - dataset.mean(axis=0)))


def subject(name: str, learner: Any, pairs: Any, tasks: tuple[Task, ...] = (), **more: Any) -> Subject:
    """A learner, run in the process of the benchmark; a machine may be busy while a learner loads what it needs."""
    fixed = {"cost": False, "call_timeout": 300.0, "max_seconds": 600.0}
    return Subject(name, learner, pairs=pairs, tasks=tasks, isolation="none", **{**fixed, **more})


SUM_TASK = (Task("n = 2", dataset=PAIR[0][0], risk=missed),)
STEPS_TASK = (Task("n = 2, in steps", dataset=PAIR[0][0], risk=missed_by_steps),)
GRID_TASK = (Task("n = 100", GRID, {"n": 100}),)
#: Only one thing is changed in each, and only one quantity is looked at.
TOLD, RISK, COST = "distinguishing advantage", "risk at ", "cost of a call"
GIVEN_AWAY, KINDS_OF_ANSWERS = "share that gives a record away", "kinds of answers"


@dataclass(frozen=True)
class Worsening:
    """A learner before and after, and the quantity that must be named."""

    name: str
    before: Subject
    after: Subject
    quantity: str
    loaded: bool = False


def worsenings() -> tuple[Worsening, ...]:
    """What must be named."""
    few = {"calls": 5_000, "learn_calls": 1_000}
    mean_task = (Task("n = 20", dataset=UNIT, risk=far_from_mean),)

    def laplace(scale: float, tasks: tuple[Task, ...] = ()) -> Subject:
        return subject("laplace", Noisy(scale), PAIR, tasks, **(few if tasks else {}))

    def told_otherwise(learner: Any, told: Any) -> Subject:
        return subject("laplace", Renamed(learner, told), PAIR)

    def now_and_then(share: float, other: Any) -> Subject:
        return subject("laplace", NowAndThen(share, other), PAIR)

    def costly(learner: Any) -> Subject:
        return subject("costly", learner, PAIR, cost=True, **few)

    def grid(scale: float) -> Subject:
        return subject("threshold", NoisyThreshold(scale), LABELLED, GRID_TASK, **few)

    return (
        Worsening("Laplace: epsilon 1 to 1.2", laplace(1.0), laplace(1.0 / 1.2), TOLD),
        Worsening(
            "randomised response: epsilon 1 to 1.2",
            subject("response", Response(), BITS),
            subject("response", Response(1.2), BITS),
            TOLD,
        ),
        Worsening(
            "private mean of vectors: epsilon 1 to 1.2",
            subject("mean", PerturbedMean(1.0), [(UNIT, OPPOSITE)]),
            subject("mean", PerturbedMean(1.2), [(UNIT, OPPOSITE)]),
            TOLD,
        ),
        Worsening(
            "diffprivlib's Laplace: epsilon 1 to 1.2",
            subject("diffprivlib", OtherLaplace(), PAIR),
            subject("diffprivlib", OtherLaplace(1.2), PAIR),
            TOLD,
        ),
        Worsening("Laplace: a tenth less noise", laplace(1.0), laplace(0.9), TOLD),
        Worsening(
            "Laplace: a tenth less noise, and a change of sign", laplace(1.0), told_otherwise(Noisy(0.9), negated), TOLD
        ),
        Worsening(
            "Laplace: clipping left out",
            subject("clipped", Clipped(), FAR_PAIR),
            subject("clipped", Noisy(), FAR_PAIR),
            TOLD,
        ),
        Worsening("Laplace: raises in 1% of the calls", laplace(1.0), now_and_then(0.01, fails), KINDS_OF_ANSWERS),
        Worsening("Laplace: the record in 0.1% of the calls", laplace(1.0), now_and_then(0.001, first), GIVEN_AWAY),
        Worsening("Laplace: far out in 0.3% of the calls", laplace(1.0), now_and_then(0.003, far_out), GIVEN_AWAY),
        Worsening(
            "vectors: a coordinate without noise",
            subject("vectors", Coordinates(), PAIR),
            subject("vectors", Coordinates(bare=True), PAIR),
            TOLD,
        ),
        Worsening("noisy sum: risk up by a tenth", laplace(1.0, SUM_TASK), laplace(1.1, SUM_TASK), RISK),
        Worsening("noisy sum in steps: risk up by a tenth", laplace(1.0, STEPS_TASK), laplace(1.1, STEPS_TASK), RISK),
        Worsening(
            "private mean of vectors: risk up by a tenth",
            subject("mean", PerturbedMean(1.1), [(UNIT, OPPOSITE)], mean_task, **few),
            subject("mean", PerturbedMean(1.0), [(UNIT, OPPOSITE)], mean_task, **few),
            RISK,
        ),
        Worsening("threshold on fresh samples: risk up by a tenth", grid(6.0), grid(GRID_TENTH), RISK),
        Worsening("cheap call: twice as slow", costly(Noisy()), costly(Noisy(work=2)), COST),
        Worsening("dear call: twice as slow", costly(Dear()), costly(Dear(2)), COST),
        Worsening("dear call: twice as slow, busy machine", costly(Dear()), costly(Dear(2)), COST, loaded=True),
    )


#: The noise with which the mean risk of :class:`NoisyThreshold` is a tenth larger than with 6 (0.0667 for 0.0607).
GRID_TENTH = 6.6


@contextmanager
def busy(loaded: bool) -> Iterator[None]:
    """Other processes that keep the processors busy meanwhile."""
    workers = [multiprocessing.get_context("spawn").Process(target=_spin, daemon=True) for _ in range(2 * loaded)]
    for worker in workers:
        worker.start()
    try:
        yield
    finally:
        for worker in workers:
            worker.terminate()


def _spin() -> None:
    values = np.random.default_rng(0).standard_normal(200_000)
    while True:
        np.sort(values)


def named(task: tuple[int, int]) -> tuple[bool, float, float, float, float]:
    """Whether a change is named on one seed, its p-value, before, now, and the seconds of the comparison."""
    place, seed = task
    what = worsenings()[place]
    entry = record_entry(what.before, seed=seed)
    with busy(what.loaded):
        began = time.perf_counter()
        changes = compare_entry(what.after, entry, seed=seed)
        seconds = time.perf_counter() - began
    of_kind = [change for change in changes if change.quantity.startswith(what.quantity)]
    (found,) = of_kind
    return found.kind is Kind.WORSE, found.p_value, found.before, found.now, seconds


def unchanged(kind: str) -> Subject:
    """An unchanged learner, cheap to compare."""
    sizes = {"calls": CALLS, "learn_calls": LEARN_CALLS, "trials": TRIALS}
    match kind:
        case "continuous":
            return subject(kind, Noisy(), PAIR, (*SUM_TASK, *STEPS_TASK), **sizes)
        case "discrete":
            return subject(kind, Response(), BITS, (Task("n = 1", dataset=BITS[0][0], risk=wrong_bit),), **sizes)
        case "vectors":
            return subject(kind, PerturbedMean(1.0), [(UNIT, OPPOSITE)], **sizes)
        case "declared law":
            return subject(kind, Declared(), BITS, claim=1.2, **sizes)
        case "risk with ties":
            return subject(kind, NoisyThreshold(), LABELLED, GRID_TASK, **sizes)
    return subject(kind, Noisy(), PAIR, cost=True, **sizes)


#: The shares of the comparisons.
KINDS = {
    "continuous": 0.3,
    "discrete": 0.25,
    "vectors": 0.15,
    "declared law": 0.1,
    "risk with ties": 0.15,
    "cost, busy machine": 0.05,
}
BUSY = "cost, busy machine"


def compared(task: tuple[str, tuple[int, ...]]) -> list[tuple[str, bool, float, bool]]:
    """Of some comparisons each quantity: its name, whether it was said to have changed, its p-value, and at 1e-6."""
    kind, seeds = task
    found: list[tuple[str, bool, float, bool]] = []
    what = unchanged(kind)
    for number, seed in enumerate(seeds):
        entry = record_entry(what, seed=seed)
        with busy(kind == BUSY and number % 2 == 1):
            changes = compare_entry(what, entry, seed=seed + 1, alpha=LEVEL)
        default = {change.quantity: _alarm(change) and change.p_value <= ALPHA for change in changes}
        if any(np.isnan(change.p_value) for change in changes):  # a bound has no p-value: it is made again
            default |= {change.quantity: _alarm(change) for change in compare_entry(what, entry, seed=seed + 1)}
        found += [(_quantity(one), _alarm(one), one.p_value, default[one.quantity]) for one in changes]
    return found


def retold(task: tuple[str, tuple[int, ...]]) -> list[tuple[str, bool, bool, bool]]:
    """Of comparisons with a bijection: its name, whether a quantity was said to be worse (also at 1e-6), or better."""
    name, seeds = task
    learner, told = BIJECTIONS[name]
    found = []
    for seed in seeds:
        entry = record_entry(subject(name, learner, PAIR, calls=CALLS, learn_calls=LEARN_CALLS), seed=seed)
        other = subject(name, Renamed(learner, told), PAIR, calls=CALLS, learn_calls=LEARN_CALLS)
        changes = compare_entry(other, entry, seed=seed + 1, alpha=LEVEL)
        for one in changes:
            if one.quantity in (TOLD, GIVEN_AWAY):
                worse = one.kind is Kind.WORSE
                kept = (worse, worse and one.p_value <= ALPHA, one.kind is Kind.BETTER)
                found.append((f"{name}: {one.quantity}", *kept))
    return found


def _seeds_of(task: tuple[str, tuple[int, ...]]) -> int:
    return len(task[1])


def _quantity(change: Change) -> str:
    return "risk" if change.quantity.startswith(RISK) else change.quantity


def _alarm(change: Change) -> bool:
    return change.kind not in (Kind.UNCHANGED, Kind.NOT_COMPARED, Kind.INCONCLUSIVE)


def main() -> int:
    """Run both parts."""
    asked = settings(__doc__ or "")
    began = time.monotonic()
    seeds = QUICK_SEEDS if asked.quick else SEEDS
    all_of = worsenings()
    tasks = [
        (place, child_seed(asked.seed, 1, place, number)) for place in range(len(all_of)) for number in range(seeds)
    ]
    results = spread(named, tasks, asked.jobs, "worsened learners")
    power = []
    for place, what in enumerate(all_of):
        own = [result for (where, _), result in zip(tasks, results, strict=True) if where == place]
        power.append(
            {
                "change": what.name,
                "named": sum(one[0] for one in own),
                "seeds": len(own),
                "largest_p": max(one[1] for one in own),
                "median_before": float(np.median([one[2] for one in own])),
                "median_now": float(np.median([one[3] for one in own])),
                "median_seconds": round(float(np.median([one[4] for one in own])), 2),
            }
        )
    show(
        "What got worse, at 1e-6 a quantity",
        ["change", "named", "largest p", "before", "now", "seconds"],
        [
            [
                str(row["change"]),
                f"{row['named']} of {row['seeds']}",
                f"{row['largest_p']:.2g}",
                f"{row['median_before']:.3g}",
                f"{row['median_now']:.3g}",
                f"{row['median_seconds']:.1f}",
            ]
            for row in power
        ],
    )
    runs = QUICK_COMPARISONS if asked.quick else COMPARISONS
    batches = []
    for number, (kind, share) in enumerate(KINDS.items()):
        own_seeds = [child_seed(asked.seed, 2, number, place) for place in range(max(2, round(share * runs)))]
        batches += [(kind, tuple(own_seeds[start : start + 10])) for start in range(0, len(own_seeds), 10)]
    counted = spread(compared, batches, asked.jobs, "unchanged learners", size=lambda task: len(task[1]))
    quantities = [one for batch in counted for one in batch]
    alarms = []
    for name in dict.fromkeys(one[0] for one in quantities):
        own_ones = [one for one in quantities if one[0] == name]
        wrong, made = sum(one[1] for one in own_ones), len(own_ones)
        alarms.append(
            {
                "quantity": name,
                "comparisons": made,
                "alarms": wrong,
                "low": float(binomial_lower(wrong, made, SHOWN / 2)),
                "high": float(binomial_upper(wrong, made, SHOWN / 2)),
                "within": bool(binomial_lower(wrong, made, RULE) <= LEVEL),
                "alarms_at_default": sum(one[3] for one in own_ones),
            }
        )
    total = sum(len(task[1]) for task in batches)
    show(
        f"{total} comparisons of unchanged learners at {LEVEL} a quantity",
        ["quantity", "tests", "alarms", "rate", "95% interval", "at 1e-6"],
        [
            [
                str(row["quantity"]),
                str(row["comparisons"]),
                str(row["alarms"]),
                f"{row['alarms'] / row['comparisons']:.4f}",
                f"{row['low']:.4f} to {row['high']:.4f}",
                str(row["alarms_at_default"]),
            ]
            for row in alarms
        ],
    )
    batches = []
    for number, name in enumerate(BIJECTIONS):
        own_seeds = [child_seed(asked.seed, 3, number, place) for place in range(max(2, runs // 5))]
        batches += [(name, tuple(own_seeds[start : start + 10])) for start in range(0, len(own_seeds), 10)]
    told = [one for batch in spread(retold, batches, asked.jobs, "bijections", size=_seeds_of) for one in batch]
    bijections = []
    for name in dict.fromkeys(one[0] for one in told):
        own_of = [one for one in told if one[0] == name]
        wrong, made = sum(one[1] for one in own_of), len(own_of)
        bijections.append(
            {
                "bijection": name,
                "comparisons": made,
                "alarms": wrong,
                "within": bool(binomial_lower(wrong, made, RULE) <= LEVEL),
                "alarms_at_default": sum(one[2] for one in own_of),
                "better": sum(one[3] for one in own_of),
            }
        )
    show(
        f"Bijections of the outputs at {LEVEL}: said to be worse, or better",
        ["bijection and quantity", "tests", "worse", "at 1e-6", "better"],
        [
            [str(row[key]) for key in ("bijection", "comparisons", "alarms", "alarms_at_default", "better")]
            for row in bijections
        ],
    )
    passed = all(row["named"] == row["seeds"] for row in power) and all(
        row["within"] and row["alarms_at_default"] == 0 for row in [*alarms, *bijections]
    )
    print("passed" if passed else "FAILED")
    cells = {"power": power, "comparisons": total, "level": LEVEL, "default_level": ALPHA, "alarms": alarms}
    cells["bijections"] = bijections
    write_json(asked, began, passed, cells)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
