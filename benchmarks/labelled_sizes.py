"""How many labels private learners need: the base learner alone, GenericLearner and LabelBoost, at equal privacy.

The base learner is the generic one: the exponential mechanism over the whole class, which needs a label for each of its
examples. GenericLearner (beimel2015, alg-1) chooses among the dichotomies of sanitised unlabelled points; LabelBoost
(alg-3) labels points by itself. All are 1-DP (the paper's replaced entry), GenericLearner and the base learner by their
parameter, LabelBoost by the claim computed for its sizes.

Synthetic setting. Thresholds ``x >= t`` over {0,1}^d. Uniform: x uniform, t in the middle. Skewed: x uniform on the ten
smallest points, t = 8, so that nearly all of the class errs by the same 0.2. A learner has failed where its error is
above the accuracy, 0.1; wanted is a failure probability of at most 0.1. Failure at a size is the mean over datasets of
the probability *given the dataset*, which the laws of the choices give: nothing is drawn but data, sanitised databases
and LabelBoost's inner choices. A repetition has its own data; its labelled size is where the failure falls to the level
for good, interpolated between two sizes of the grid. An interval is Student's t for the mean logarithm over five
repetitions. LabelBoost has a least size, below which its loop does not end: "at most" stands before it where that does.

Sizes, fixed before any run. GenericLearner: k = 2 / accuracy sanitised points, and as many unlabelled ones as bring the
sanitiser's error to the accuracy by its theorem. LabelBoost: rates 1/16 in place of 1/100 and 1/300; the base learner's
epsilon is the largest multiple of 1/64 with which the claim is kept, its sample (4 / (accuracy epsilon)) ln(2 #C /
failure), and the length of T is the loosest that step 2b has (accuracy and failure 1, divisors 1): what this costs is
measured. The paper's constants cannot be run; its sizes stand beside.

Real data. scikit-learn's breast cancer data, "mean radius" (the first column), on 2^10 values of the public range 0 to
32; 400 training records, of which m have labels, all others for testing; expected test error at epsilon 1 and 3.
LabelBoost does not fit into 400 records: its own message says what it wants.

Rules, all theorems: no claim is above epsilon; expected mistakes of every choice exceed the fewest by at most
2 ln(candidates) / epsilon; no choice fails on its own sample by more than prop-A.1 allows; and no learner needs more
than its theorem says.

    python benchmarks/labelled_sizes.py

writes reports/labelled_sizes.json (or where --json says), and beside it the tables as Markdown and the plot as SVG.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from bench import Settings, child_seed, settings, show, spread, write_json
from labelled_sizes_views import HEADINGS, render, rows, svg
from numpy.typing import NDArray

from dpcheck import ApproxDP, Labelled
from dpcheck.model.data import UNLABELLED
from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.beimel2015.learners import (
    BoostConstants,
    ExponentialLearner,
    GenericLearner,
    LabelBoost,
    boost_sizes,
    claim_steps,
    generic_sizes,
)
from dpcheck.parts.classes import GridThresholds, mistakes
from dpcheck.parts.mechanisms.choice import Choice
from dpcheck.parts.mechanisms.sanitisers import ThresholdSanitiser

EPSILON, ACCURACY, FAILURE = 1, Fraction(1, 10), Fraction(1, 10)
REPETITIONS = 5
BITS = (8, 12, 16, 20, 40, 60)
BASE, GENERIC, BOOST = "base learner alone", "GenericLearner (alg-1)", "LabelBoost (alg-3)"
#: Points of the skewed distribution, and its target.
SUPPORT, TARGET = 10, 8
#: Labelled sizes that are tried: half a doubling apart.
SMALL = tuple(round(8 * 2 ** (j / 2)) for j in range(17))
LARGE = tuple(round(512 * 2 ** (j / 2)) for j in range(9))
#: Datasets of a repetition: their failures given the data are averaged.
DATASETS, BOOSTED_DATASETS, DATABASES = 40, 12, 8
#: LabelBoost's rates, and the loosest rule for the length of T.
RATE = Fraction(1, 16)
CONSTANTS = BoostConstants.scaled(RATE, RATE, accuracy_divisor=1, failure_divisor=1)
POINTS = math.ceil(2 / ACCURACY)
LEVEL = 0.95
ROUNDING = 1e-9
#: Real data: values of the feature, its public range, training records, sanitised points.
REAL_BITS, REAL_RANGE, TRAINING, REAL_POINTS = 10, 32.0, 400, 10
REAL_SIZES, REAL_EPSILONS = (10, 20, 40, 80, 160, 320), (1, 3)
#: A base learner as the paper wants it, and the sample it has in the table of the printed constants.
PRINTED_BASE, PRINTED_SIZE = ApproxDP(1.0, 1e-9), 10**1000
REPORT = Path(__file__).resolve().parent.parent / "reports" / "labelled_sizes.json"


@dataclass(frozen=True)
class Distribution:
    """Points of {0, ..., N - 1}, labelled 1 from ``target`` on: uniform on the first ``support`` of them."""

    name: str
    grid: int
    support: int
    target: int

    @staticmethod
    def of(name: str, bits: int) -> Distribution:
        """The distribution of this name over {0,1}^bits."""
        grid = 1 << bits
        if name == "skewed":
            return Distribution(name, grid, SUPPORT, TARGET)
        return Distribution(name, grid, grid, grid // 2)

    def points(self, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Independent points."""
        return rng.integers(self.support, size=size)

    def labels(self, points: NDArray[np.int64]) -> NDArray[np.int64]:
        """Their labels."""
        return (points >= self.target).astype(np.int64)

    def failing(self, lows: NDArray[np.int64], highs: NDArray[np.int64]) -> NDArray[np.float64]:
        """Of the thresholds from each low to each high the part with an error above the accuracy."""
        # an error of at most the accuracy: so many points between threshold and target; beyond the support all alike
        room = math.floor(ACCURACY * self.support)
        first, last = max(0, self.target - room), self.target + room
        if last >= self.support:
            last = self.grid
        good = np.minimum(highs, last) - np.maximum(lows, first) + 1
        return 1 - np.maximum(good, 0) / (highs - lows + 1)


@dataclass(frozen=True)
class Task:
    """One repetition: of a distribution at one d, or, with bits 0, of the real data."""

    distribution: str
    bits: int
    repetition: int
    seed: int
    quick: bool


@dataclass(frozen=True)
class Curve:
    """What one learner does at each labelled size: failure (test error on real data), total examples, and the rules.

    ``mistakes`` is the largest excess of expected mistakes over their bound, ``tail`` that of the probability in
    prop-A.1 over its bound.
    """

    learner: str
    epsilon: float
    sizes: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    claim: float = 0.0
    mistakes: float = -math.inf
    tail: float = -math.inf


# --- the choices


@dataclass(frozen=True)
class Judged:
    """One choice given its data: a value (failure or error) and how near it is to the two theorems about it."""

    value: float
    mistakes: float
    tail: float


def judged(choice: Choice, records: int, values: NDArray[np.float64], times: NDArray[Any] | None = None) -> Judged:
    """The mean of values under a choice by correct labels, and the excesses over the bounds.

    ``times`` says how many hypotheses each candidate stands for.
    """
    chances = np.exp(choice.log_probabilities)
    lost = int(choice.scores.max()) - choice.scores
    candidates = float(len(lost) if times is None else times.sum(dtype=float))
    nats = 2 * float(choice.rate)
    excess = float(chances @ lost) - 2 * math.log(candidates) / nats
    margin = math.ceil(ACCURACY * records / 2)
    bound = min(1.0, candidates * math.exp(-nats * margin / 2))
    return Judged(float(chances @ values), excess, float(chances[lost > margin].sum()) - bound)


def by_runs(
    grid: int, epsilon: float, data: Labelled, value: Callable[[NDArray[Any], NDArray[Any]], NDArray[np.float64]]
) -> Judged:
    """The exponential mechanism over all thresholds of a grid, run by run of those alike on the data."""
    family = GridThresholds(grid)
    lows, highs = family.cells(data.x)
    wrong = mistakes(family, lows, data.x, data.y)
    times = highs - lows + 1
    return judged(Choice(Fraction(epsilon) / 2, -wrong, times), len(data.y), value(lows, highs), times)


def in_candidates(learner: GenericLearner, data: Labelled, database: Any, value: Callable[..., Any]) -> Judged:
    """GenericLearner's choice, given what the sanitiser put out."""
    candidates = learner.candidates(data, learner.basis(data, database))
    choice = learner.choice(data, learner.scores(data, candidates))
    return judged(choice, len(data.y), value(candidates, candidates))


@dataclass(frozen=True)
class Drawn:
    """Stands for the base learner: puts out its input."""

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        return dataset


# --- sizes


def base_size(grid: int, epsilon: float) -> int:
    """A sample of the base learner: (4 / (accuracy epsilon)) ln(2 #C / failure), by prop-A.1 with half the accuracy."""
    return math.ceil(4 / (float(ACCURACY) * epsilon) * math.log(2 * (grid + 1) / FAILURE))


def unlabelled_for(grid: int) -> int:
    """So many points bring the sanitiser's error to the accuracy, but for a probability of the failure allowed."""
    sanitiser = ThresholdSanitiser(grid, EPSILON, POINTS)
    size = 1
    while sanitiser.accuracy(size, float(FAILURE)) > ACCURACY:
        size = math.ceil(size * 1.01)
    return size


def boosted(grid: int, labelled: int) -> LabelBoost | None:
    """LabelBoost with the largest base epsilon that keeps the claim; none where its sizes do not work out."""
    family = GridThresholds(grid)
    for step in range(4 * 64, 0, -1):
        epsilon = step / 64
        base = ExponentialLearner(family, epsilon) if grid <= 1 << 20 else _large(family, epsilon)
        try:
            made = LabelBoost(base, family, labelled, base_size(grid, epsilon), 1, 1, constants=CONSTANTS)
        except InvalidArgument:
            return None
        if made.claim.epsilon(0.0) <= EPSILON:
            return replace(made, unlabelled=made.sizes.unlabelled)
    return None


def _large(family: GridThresholds, epsilon: float) -> Any:
    """The same learner by runs, for classes that are not listed."""
    from dpcheck.papers.alon2019.learners import GenericLearner as ByRuns

    return ByRuns(family, epsilon)


# --- the synthetic setting


def synthetic(task: Task) -> list[Curve]:
    """All learners on data of one distribution."""
    source = Distribution.of(task.distribution, task.bits)
    rng = np.random.default_rng(child_seed(task.seed, source.name == "skewed", task.bits, task.repetition))
    return [base_curve(source, task, rng), generic_curve(source, task, rng), boost_curve(source, task, rng)]


def base_curve(source: Distribution, task: Task, rng: np.random.Generator) -> Curve:
    """The base learner alone: total and labelled sizes are one."""

    def one(size: int) -> Judged:
        x = source.points(size, rng)
        return by_runs(source.grid, EPSILON, Labelled(x, source.labels(x)), source.failing)

    return _curve(
        BASE, EPSILON, SMALL, lambda size: [one(size) for _ in range(_few(DATASETS, task))], lambda size: size
    )


def generic_curve(source: Distribution, task: Task, rng: np.random.Generator) -> Curve:
    """GenericLearner with one unlabelled part, of which it sanitises some databases."""
    family = GridThresholds(source.grid)
    learner = GenericLearner(family, ThresholdSanitiser(source.grid, EPSILON, POINTS), EPSILON, "middle")
    unlabelled = unlabelled_for(source.grid)
    databases = learner.sanitiser.sample(source.points(unlabelled, rng), _few(DATABASES, task), rng)

    def one(size: int, number: int) -> Judged:
        x = source.points(size, rng)
        data = Labelled(x, source.labels(x))
        return in_candidates(learner, data, databases[number % len(databases)], source.failing)

    found = _curve(
        GENERIC,
        learner.claim.epsilon(0.0),
        SMALL,
        lambda size: [one(size, number) for number in range(_few(DATASETS, task))],
        lambda size: size + unlabelled,
    )
    return found


def boost_curve(source: Distribution, task: Task, rng: np.random.Generator) -> Curve:
    """LabelBoost, run up to its base learner, whose law then is that given its input."""
    made = {size: boosted(source.grid, size) for size in LARGE}
    fit = {size: each for size, each in made.items() if each is not None}

    def one(learner: LabelBoost) -> Judged:
        assert learner.unlabelled is not None
        x = source.points(learner.labelled + learner.unlabelled, rng)
        y = source.labels(x)
        y[learner.labelled :] = UNLABELLED
        drawn = replace(learner, learner=Drawn())(Labelled(x, y), rng)
        return by_runs(source.grid, learner.learner.epsilon, drawn, source.failing)

    return _curve(
        BOOST,
        max(each.claim.epsilon(0.0) for each in fit.values()),
        tuple(fit),
        lambda size: [one(fit[size]) for _ in range(_few(BOOSTED_DATASETS, task))],
        lambda size: size + int(fit[size].unlabelled or 0),
    )


def _curve(
    learner: str,
    claim: float,
    sizes: Sequence[int],
    judge: Callable[[int], list[Judged]],
    total: Callable[[int], int],
    epsilon: float = EPSILON,
) -> Curve:
    found = [judge(size) for size in sizes]
    return Curve(
        learner,
        epsilon,
        list(sizes),
        [float(np.mean([one.value for one in some])) for some in found],
        [total(size) for size in sizes],
        claim,
        max(one.mistakes for some in found for one in some),
        max(one.tail for some in found for one in some),
    )


def _few(number: int, task: Task) -> int:
    return 4 if task.quick else number


# --- real data


def real(task: Task) -> list[Curve]:
    """The base learner and GenericLearner on the breast cancer data, split afresh."""
    from sklearn.datasets import load_breast_cancer

    rng = np.random.default_rng(child_seed(task.seed, 2, task.repetition))
    data = load_breast_cancer()
    grid = 1 << REAL_BITS
    x = np.clip(np.floor(data.data[:, 0] / REAL_RANGE * grid), 0, grid - 1).astype(np.int64)
    y = (data.target == 0).astype(np.int64)  # malignant: large radii
    order = rng.permutation(len(x))
    x, y = x[order], y[order]
    test = Labelled(x[TRAINING:], y[TRAINING:])
    family = GridThresholds(grid)
    errors = mistakes(family, np.arange(grid + 1), test.x, test.y) / len(test.y)
    sums = np.concatenate([[0.0], np.cumsum(errors)])

    def error(lows: NDArray[Any], highs: NDArray[Any]) -> NDArray[np.float64]:
        return np.asarray((sums[highs + 1] - sums[lows]) / (highs - lows + 1))

    found = []
    for epsilon in REAL_EPSILONS:

        def alone(size: int, epsilon: int = epsilon) -> list[Judged]:
            return [by_runs(grid, epsilon, Labelled(x[:size], y[:size]), error)]

        learner = GenericLearner(family, ThresholdSanitiser(grid, epsilon, REAL_POINTS), epsilon, "middle")

        def generic(size: int, learner: GenericLearner = learner) -> list[Judged]:
            databases = learner.sanitiser.sample(x[size:TRAINING], _few(DATABASES, task), rng)
            some = Labelled(x[:size], y[:size])
            return [in_candidates(learner, some, database, error) for database in databases]

        found.append(_curve(BASE, epsilon, REAL_SIZES, alone, lambda size: size, epsilon))
        found.append(_curve(GENERIC, epsilon, REAL_SIZES, generic, lambda size: TRAINING, epsilon))
    return found


def refused() -> str:
    """What LabelBoost says about the sizes of the real data."""
    family = GridThresholds(1 << REAL_BITS)
    labelled = max(REAL_SIZES)
    try:
        LabelBoost(
            ExponentialLearner(family), family, labelled, base_size(1 << REAL_BITS, 1.0), 1, 1,
            TRAINING - labelled, CONSTANTS,
        )  # fmt: skip
    except InvalidArgument as error:
        return str(error)
    raise AssertionError("LabelBoost fits into the real data after all")


def repetition(task: Task) -> list[Curve]:
    """One task."""
    return real(task) if task.distribution == "breast cancer" else synthetic(task)


# --- what comes out


@dataclass(frozen=True)
class Least:
    """Where a curve falls to the level: labelled and total examples, and whether that is its very first size."""

    labelled: float
    total: int
    first: bool


def least_size(curve: Curve) -> Least | None:
    """Where the failure falls to the level for good, linear in the logarithm of the size; None where it does not."""
    good = [value <= FAILURE for value in curve.values]
    if not good[-1]:
        return None
    place = len(good) - next((i for i, each in enumerate(reversed(good)) if not each), len(good))
    if not place:
        return Least(curve.sizes[0], curve.totals[0], True)
    low, high = (math.log(curve.sizes[i]) for i in (place - 1, place))
    above, below = curve.values[place - 1], curve.values[place]
    crossed = math.exp(low + (high - low) * (above - float(FAILURE)) / (above - below))
    return Least(crossed, curve.totals[place], False)


def theorem(learner: str, grid: int) -> tuple[int, int]:
    """Labelled and total sizes with which the theorems promise the accuracy."""
    if learner == BASE:
        # half the accuracy for the choice, and errors on a sample at least half the true ones, by a union bound
        size = math.ceil(max(4 / EPSILON, 8) / float(ACCURACY) * math.log(2 * (grid + 1) / FAILURE))
        return size, size
    if learner == GENERIC:
        sizes = generic_sizes(
            GridThresholds(grid), grid, epsilon=EPSILON, accuracy=ACCURACY, failure=FAILURE, candidates="sauer"
        )
        return sizes.labelled, sizes.labelled + sizes.unlabelled
    # (11 accuracy, 2 failure) is promised; the base learner is to have that accuracy and failure itself
    accuracy, failure = ACCURACY / 11, FAILURE / 2
    labelled = BoostConstants().sufficient_labelled(accuracy, failure, 1)
    size = math.ceil(8 / float(accuracy) * math.log(2 * (grid + 1) / failure))
    return labelled, labelled + BoostConstants().unlabelled * size


def crossing() -> dict[str, float]:
    """The d from which on LabelBoost needs fewer labels than the base learner by the theorems, or relabels at all."""
    labelled, _ = theorem(BOOST, 2)
    per_bit = max(4 / EPSILON, 8) / float(ACCURACY) * math.log(2)
    # its base learner is to have an eleventh of the accuracy, and the loop runs where m is below 300 n
    loop = labelled / (BoostConstants().enough * 8 * 11 / float(ACCURACY) * math.log(2))
    return {"labelled": labelled, "per_bit": per_bit, "bits": labelled / per_bit, "loop_bits": loop}


def summary(results: Sequence[tuple[Task, list[Curve]]]) -> list[dict[str, Any]]:
    """A cell for each learner, distribution and d."""
    found: dict[tuple[str, int, str], list[Least | None]] = {}
    for task, curves in results:
        if task.bits:
            for curve in curves:
                found.setdefault((task.distribution, task.bits, curve.learner), []).append(least_size(curve))
    made = []
    for (distribution, bits, learner), some in found.items():
        least = [each for each in some if each is not None]
        promised = theorem(learner, 1 << bits)
        cell: dict[str, Any] = {
            "distribution": distribution,
            "bits": bits,
            "learner": learner,
            "sizes": [None if each is None else each.labelled for each in some],
            "theorem_labelled": promised[0],
            "theorem_total": promised[1],
        }
        if len(least) == len(some):
            cell |= _interval("labelled", [each.labelled for each in least])
            cell |= {"total": float(np.mean([each.total for each in least])), "at_most": any(e.first for e in least)}
        made.append(cell)
    return made


def boosts(bits: Sequence[int]) -> list[dict[str, Any]]:
    """LabelBoost as it was run, at each d and labelled size."""
    return [
        {
            "bits": d,
            "labelled": size,
            "base_epsilon": made.learner.epsilon,
            "base_size": made.base_size,
            "iterations": len(made.sizes.iterations),
            "unlabelled": made.unlabelled,
            "given_to_base": made.sizes.kept,
            "claim": made.claim.epsilon(0.0),
        }
        for d in bits
        for size in LARGE
        if (made := boosted(1 << d, size)) is not None
    ]


def curves_of(results: Sequence[tuple[Task, list[Curve]]]) -> list[dict[str, Any]]:
    """The mean curves, with intervals over repetitions."""
    found: dict[tuple[str, int, str, float], list[Curve]] = {}
    for task, curves in results:
        for curve in curves:
            found.setdefault((task.distribution, task.bits, curve.learner, curve.epsilon), []).append(curve)
    made = []
    for (distribution, bits, learner, epsilon), some in found.items():
        for place, size in enumerate(some[0].sizes):
            values = [curve.values[place] for curve in some]
            made.append(
                {
                    "distribution": distribution,
                    "bits": bits,
                    "learner": learner,
                    "epsilon": epsilon,
                    "labelled": size,
                    "total": some[0].totals[place],
                    **_mean("value", values),
                }
            )
    return made


def _mean(name: str, values: Sequence[float]) -> dict[str, float]:
    """The mean of independent values and Student's interval for what it estimates."""
    from scipy.stats import t

    mean = float(np.mean(values))
    half = float(t.ppf((1 + LEVEL) / 2, len(values) - 1) * np.std(values, ddof=1) / math.sqrt(len(values)))
    return {name: mean, f"{name}_low": mean - half, f"{name}_high": mean + half}


def _interval(name: str, sizes: Sequence[float]) -> dict[str, float]:
    """The same of sizes, in their logarithms."""
    return {key: math.exp(value) for key, value in _mean(name, [math.log(size) for size in sizes]).items()}


def printed_steps() -> list[dict[str, Any]]:
    """The claims along LabelBoost with the paper's constants, beside what it prints."""
    labelled = BoostConstants().sufficient_labelled(ACCURACY, FAILURE, 1)
    sizes = boost_sizes(labelled, PRINTED_SIZE, 1, ACCURACY, FAILURE)
    return [
        {
            "step": each.step,
            "rate": None if each.rate is None else float(each.rate),
            "epsilon": each.claim.epsilon_value,  # type: ignore[attr-defined]
            "delta_factor": each.claim.delta_value / PRINTED_BASE.delta_value,  # type: ignore[attr-defined]
            "printed_epsilon": None if each.printed is None else str(each.printed[0]),
            "printed_delta_factor": None if each.printed is None else each.printed[1],
        }
        for each in claim_steps(PRINTED_BASE, sizes, 1)
    ]


def rules(
    results: Sequence[tuple[Task, list[Curve]]], cells: Sequence[dict[str, Any]], steps: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The rules of the protocol, each with what comes nearest to breaking it: above 0 it is broken."""
    every = [curve for _, curves in results for curve in curves]
    named = {
        "a claim, less epsilon": max(curve.claim - curve.epsilon for curve in every),
        "expected mistakes above the fewest, less 2 ln(candidates) / epsilon": max(curve.mistakes for curve in every),
        "the probability in prop-A.1, less its bound": max(curve.tail for curve in every),
        "log2 of a measured labelled size, less that of the theorem's": max(
            math.log2(size / cell["theorem_labelled"]) for cell in cells for size in cell["sizes"] if size is not None
        ),
        "a claim of lem-4.6 computed, less the printed": max(
            each["epsilon"] - (math.log(244) if "log" in each["printed_epsilon"] else float(each["printed_epsilon"]))
            for each in steps
        ),
    }
    return [
        {"rule": name, "worst": worst, "verdict": "holds" if worst <= ROUNDING else "FAILS"}
        for name, worst in named.items()
    ]


def main() -> int:
    """Run, print, write; 1 when a rule is broken."""
    asked = settings(__doc__ or "")
    began = time.monotonic()
    bits = BITS[:2] if asked.quick else BITS
    tasks = [
        Task(name, d, number, asked.seed, asked.quick)
        for d in reversed(bits)
        for name in ("uniform", "skewed")
        for number in range(REPETITIONS)
    ]
    tasks += [Task("breast cancer", 0, number, asked.seed, asked.quick) for number in range(REPETITIONS)]
    results = list(zip(tasks, spread(repetition, tasks, asked.jobs, "repetitions"), strict=True))
    results.sort(key=lambda pair: (("uniform", "skewed", "breast cancer").index(pair[0].distribution), pair[0].bits))
    cells, steps = summary(results), printed_steps()
    judged_rules = rules(results, cells, steps)
    passed = all(rule["verdict"] == "holds" for rule in judged_rules)
    show(f"Labelled examples for error {float(ACCURACY):g}", HEADINGS, rows(cells), left=3)
    for rule in judged_rules:
        print(f"{rule['rule']}: at most {rule['worst']:.3g}: {rule['verdict']}")
    target = asked.json if asked.json is not None else None if asked.quick else REPORT
    body = {
        "epsilon": EPSILON,
        "accuracy": float(ACCURACY),
        "failure": float(FAILURE),
        "repetitions": REPETITIONS,
        "datasets": {BASE: DATASETS, GENERIC: DATASETS, BOOST: BOOSTED_DATASETS},
        "points": POINTS,
        "rate": str(RATE),
        "level": LEVEL,
        "learners": [BASE, GENERIC, BOOST],
        "crossing": crossing(),
        "boosts": boosts(bits),
        "refused": refused(),
        "steps": steps,
        "rules": judged_rules,
        "cells": cells,
        "curves": curves_of(results),
    }
    write_json(Settings(asked.seed, asked.jobs, asked.quick, target), began, passed, body, {".md": render, ".svg": svg})
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
