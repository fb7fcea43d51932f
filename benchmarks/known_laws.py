"""Learners whose failure probability is known exactly, and the exact law of a sequential verdict on them.

A trial fails with a known probability, independently of the others; so what the counts do is a walk, and the
probability that it ever enters a region (a wrong verdict, an interval that misses) is a sum, not a simulation.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from dpcheck.utility.distributions import Distribution, FiniteDistribution, UniformGrid
from dpcheck.utility.evidence import (
    anytime_interval,
    fixed_interval,
    log_evidence_contradicted,
    log_evidence_holds,
    threshold,
)

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


# --- learners whose failure probability is a closed form -------------------------------------------------------------


class SmallestOne:
    """The smallest point labelled 1, or the end of the grid: it fails when all points near the threshold are missed."""

    def __init__(self, points: int) -> None:
        self.points = points

    def __call__(self, dataset, rng):
        x, y = dataset
        return int(x[y == 1].min()) if y.any() else self.points


class Majority:
    """The label that more than half of the records have, 1 when they are half and half."""

    def __call__(self, dataset, rng):
        return 0 if 2 * int(np.sum(dataset.y)) >= len(dataset.y) else 1


class Coin:
    """Returns the worst threshold with a probability that depends on the number of records, else the best one."""

    def __init__(self, chance: Callable[[int], Fraction]) -> None:
        self.chance = chance

    def __call__(self, dataset, rng):
        return 0 if rng.random() < float(self.chance(len(dataset.y))) else 5


@dataclass(frozen=True)
class Known:
    """A learner on a distribution, at an accuracy: at n records it fails with probability ``chance(n)``, exactly."""

    name: str
    learner: object
    distribution: Distribution
    accuracy: Fraction
    chance: Callable[[int], Fraction] = field(repr=False)
    monotone: bool = True


def _smallest_one(records: int) -> Fraction:
    # UniformGrid(20), threshold 10: the risk is (t - 10) / 20, above 1/5 unless one of 10..14 was drawn
    return Fraction(15, 20) ** records


def _majority(records: int) -> Fraction:
    # one point whose label is 0 with probability 3/5: wrong when at least half of the labels are 1
    ones = Fraction(2, 5)
    return sum(
        (math.comb(records, k) * ones**k * (1 - ones) ** (records - k) for k in range(-(-records // 2), records + 1)),
        Fraction(0),
    )


def _harmful(records: int) -> Fraction:
    return Fraction(1, 100) if 6 <= records < 20 or records >= 48 else Fraction(2, 5)


def _slow(records: int) -> Fraction:
    return Fraction(1, 1 + records)


@cache
def known() -> tuple[Known, ...]:
    """The learners, two of them worse with more records."""
    ten = UniformGrid(10, threshold=5)
    ones = Fraction(2, 5)
    point = FiniteDistribution([0], [1], [ones], name="one point, label 1 with probability 2/5", best=ones)
    return (
        Known("smallest point labelled 1", SmallestOne(20), UniformGrid(20), Fraction(1, 5), _smallest_one),
        Known("fails with probability 1/(n + 1)", Coin(_slow), ten, Fraction(1, 4), _slow),
        Known("majority, ties wrong", Majority(), point, Fraction(1, 10), cache(_majority), monotone=False),
        Known("worse from 20 to 47 records", Coin(_harmful), ten, Fraction(1, 4), _harmful, monotone=False),
    )


# --- boundaries of the shipped functions -----------------------------------------------------------------------------


def contradicted_from(trials: int, claimed: float, level: float) -> Counts:
    """For each number of trials up to ``trials`` the least failures that contradict a claim (n + 1: none do)."""
    n = np.arange(trials + 1)
    limit = threshold(level)
    return _least(n, lambda k: log_evidence_contradicted(np.minimum(k, n), n, claimed) >= limit)


def holds_up_to(trials: int, claimed: float, level: float) -> Counts:
    """For each number of trials up to ``trials`` the most failures at which a claim holds (-1: none)."""
    n = np.arange(trials + 1)
    limit = threshold(level)
    return _least(n, lambda k: log_evidence_holds(np.minimum(k, n), n, claimed) < limit) - 1


def interval_misses(trials: int, chance: float, level: float) -> tuple[Counts, Counts]:
    """For each number of trials: the most failures whose interval is below ``chance``, the least with one above it."""
    below, above = np.full(trials + 1, -1), np.arange(trials + 1) + 1
    low_side, high_side = -1, 1
    for n in range(1, trials + 1):
        # with one more trial either boundary stays, or moves up by one
        while low_side + 1 <= n and anytime_interval(low_side + 1, n, level)[1] < chance:
            low_side += 1
        while high_side <= n and anytime_interval(high_side, n, level)[0] <= chance:
            high_side += 1
        below[n], above[n] = low_side, high_side
    return below, above


def peeking_misses(trials: int, chance: float, level: float) -> tuple[Counts, Counts]:
    """As :func:`interval_misses`, of the interval for a fixed number of trials looked at after each: a mistake."""
    n = np.arange(trials + 1)
    above = _least(n, lambda k: binom.sf(k - 1, n, chance) <= level / 2)
    below = _least(n, lambda k: binom.cdf(k, n, chance) > level / 2) - 1
    return below, np.minimum(above, n + 1)


def _least(n: Counts, holds: Callable[[Counts], NDArray[np.bool_]]) -> Counts:
    """For each n the least k in 0..n at which something that stays true from there on is true; n + 1 where none is."""
    low, high = np.zeros_like(n), n + 1
    while (low < high).any():
        middle = (low + high) // 2
        true = holds(middle) | (middle > n)
        high = np.where(true & (low < high), middle, high)
        low = np.where(~true & (low < high), middle + 1, low)
    return low


# --- exact laws ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Walk:
    """What becomes of a run that stops at the first count at most ``low`` or at least ``high``: exact probabilities.

    ``stops[n]`` is the probability that it stops at trial n, ``below`` and ``above`` on which side it ever does.
    """

    below: float
    above: float
    stops: Floats

    def trials_at(self, share: float) -> float:
        """The number of trials within which this share of the runs has stopped; infinite where fewer ever do."""
        done = np.cumsum(self.stops)
        place = int(np.searchsorted(done, share))
        return float(place) if place < len(done) else math.inf


def walk(chance: float, low: Counts, high: Counts) -> Walk:
    """The law of the first entry: at n trials below or at ``low[n]`` failures, above or at ``high[n]``."""
    trials = len(low) - 1
    law = np.zeros(trials + 2)
    law[0] = 1.0
    below = above = 0.0
    stops = np.zeros(trials + 1)
    first, last = 0, 0  # the counts with any probability
    for n in range(1, trials + 1):
        last += 1
        window = law[first : last + 1]
        window[1:] = window[1:] * (1.0 - chance) + window[:-1] * chance
        window[0] *= 1.0 - chance
        if low[n] >= first:
            part = law[first : min(low[n], last) + 1]
            below, stops[n] = below + float(part.sum()), float(part.sum())
            part[:] = 0.0
            first = min(int(low[n]), last) + 1
        if high[n] <= last:
            part = law[max(int(high[n]), first) : last + 1]
            above, stops[n] = above + float(part.sum()), stops[n] + float(part.sum())
            part[:] = 0.0
            last = max(int(high[n]), first) - 1
        if last < first:
            break
    return Walk(below, above, stops)


@dataclass(frozen=True)
class WordLaw:
    """The exact law of what is said of one size: "passes", "fails", else undecided; and of the trials it takes."""

    passes: float
    fails: float
    median: float


@cache
def word_law(chance: Fraction, claimed: float, level: float, trials: int) -> WordLaw:
    """The law of the verdict on a size at which the learner fails with this probability."""
    found = walk(float(chance), _boundary(claimed, level, trials, True), _boundary(claimed, level, trials, False))
    median = found.trials_at(0.5)
    return WordLaw(found.below, found.above, min(median, float(trials)))


@cache
def _boundary(claimed: float, level: float, trials: int, low: bool) -> Counts:
    return (holds_up_to if low else contradicted_from)(trials, claimed, level)


@cache
def fixed_intervals(trials: int, level: float) -> NDArray[np.float64]:
    """The Clopper-Pearson intervals of all counts, shape (trials + 1, 2)."""
    return np.array([fixed_interval(failed, trials, level) for failed in range(trials + 1)])


def fixed_miss(trials: int, chance: float, level: float) -> float:
    """The exact probability that the interval for a fixed number of trials misses the truth."""
    ends = fixed_intervals(trials, level)
    missed = (chance < ends[:, 0]) | (chance > ends[:, 1])
    return float(binom.pmf(np.arange(trials + 1), trials, chance)[missed].sum())


def trials_of_the_best_fixed_test(chance: float, claimed: float, level: float, power: float = 0.5) -> float:
    """The least number of trials, fixed in advance, at which the most powerful test of the claim has this power.

    The yardstick: no test that may stop at any time and be right needs many fewer at its median.
    """
    if chance == claimed:
        return math.inf
    size = 1
    while not _powerful(size, chance, claimed, level, power):
        size = math.ceil(size * 1.02) + (size < 50)
        if size > 10_000_000:
            return math.inf
    return float(size)


def _powerful(trials: int, chance: float, claimed: float, level: float, power: float) -> bool:
    if chance > claimed:
        least = int(binom.isf(level, trials, claimed)) + 1
        return bool(binom.sf(least - 1, trials, chance) >= power)
    most = int(binom.ppf(level, trials, claimed)) - 1
    most += int(most + 1 <= trials and binom.cdf(most + 1, trials, claimed) <= level)
    return bool(most >= 0 and binom.cdf(most, trials, chance) >= power)
