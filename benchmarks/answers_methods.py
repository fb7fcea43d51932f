"""How many queries a method answers at a privacy and an accuracy: compositions by their scale, alg-2 round by round.

A table of votes is a law here: of a query drawn at random, whether the leading label is right, and how far it leads.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from dpcheck.papers.bassily2018.learners.composition import composed_claim, scale_for
from dpcheck.papers.bassily2018.learners.scales import Scales
from dpcheck.papers.bassily2018.learners.sizes import printed_scales, proved_scales

Floats = NDArray[np.float64]

#: What the report calls each noise with each accounting.
COMPOSITIONS = {
    "Laplace, basic": ("laplace", "basic"),
    "Laplace, advanced": ("laplace", "advanced"),
    "Laplace, PLD": ("laplace", "pld"),
    "Gaussian, basic": ("gaussian", "basic"),
    "Gaussian, advanced": ("gaussian", "advanced"),
    "Gaussian, PLD": ("gaussian", "pld"),
    "Gaussian, exact": ("gaussian", "exact"),
}
PROVED, PRINTED = "sparse vector, proved noise", "sparse vector, printed formulas"
#: A loss distribution of more queries takes minutes: none is computed.
MOST_COMPOSED = 100_000
#: Numbers of queries at which alg-2 is looked at, eight for each factor of ten; between them shares are interpolated.
QUERIES = np.unique(np.round(10 ** (np.arange(0, 8 * 9 + 1) / 8)).astype(np.int64))
#: Largest scales are found to this part of themselves.
_SHARP = 1e-3
#: Thresholds' noise is put on a grid of so many points between its extremes, where chances are interpolated.
_GRID = 240
#: Leads are put together in cells of this part of a query's noise.
_CELL = 0.05


@dataclass(frozen=True)
class Leads:
    """The law of a query's votes: the distance to instability of the leading label, whether it is right, the mass."""

    distances: Floats
    right: Floats
    mass: Floats


def share_at(accuracy: Callable[[float], float], target: float, most: float) -> float:
    """The largest scale at which an expected share of right answers is at least the target; 0 where none is."""
    if accuracy(1e-9) < target:
        return 0.0
    low, high = 1e-3, most
    if accuracy(low) < target:
        return 0.0
    if accuracy(high) >= target:
        return high
    while high > low * (1 + _SHARP):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if accuracy(middle) >= target else (low, middle)
    return low


@cache
def composed_queries(name: str, scale: float, epsilon: float, delta: float, classes: int) -> int | None:
    """The most queries that are (epsilon, delta)-private with noise of this scale; None where it was not computed."""
    noise, accounting = COMPOSITIONS[name]
    if scale <= 0:
        return 0

    def kept(queries: int) -> bool:
        return composed_claim(noise, scale, queries, accounting, delta, classes).epsilon_value <= epsilon

    if not kept(1):
        return 0
    low = 1
    if accounting == "pld":  # what advanced composition proves is within its reach
        low = max(1, composed_queries(name.replace("PLD", "advanced"), scale, epsilon, delta, classes) or 0)
    high = 2 * low
    if accounting == "pld" and (high > MOST_COMPOSED or not kept(low)):
        return None if high > MOST_COMPOSED else low - 1
    while kept(high):
        low, high = high, 2 * high
        if accounting == "pld" and high > MOST_COMPOSED:
            return None
    while high - low > max(1, low // 1000):
        middle = (low + high) // 2
        low, high = (middle, high) if kept(middle) else (low, middle)
    return low


@cache
def composed_scale(name: str, epsilon: float, delta: float, queries: int, classes: int) -> float:
    """The noise that so many queries want."""
    noise, accounting = COMPOSITIONS[name]
    return scale_for(epsilon, delta, queries, noise=noise, accounting=accounting, classes=classes)


@cache
def sparse_scales(name: str, epsilon: float, delta: float, queries: int, cutoff: int) -> Scales:
    """The scales of alg-2: the least that are proved (``models`` is to be ignored), or the paper's formulas."""
    if name == PROVED:
        return proved_scales(epsilon, delta, 0.05, queries, cutoff, guard="strict", models=1)
    return printed_scales(epsilon, delta, 0.05, queries, cutoff)


def sparse_shares(
    leads: Leads, scales: Scales, rounds: int, queries: NDArray[np.int64], runs: int, rng: np.random.Generator
) -> Floats:
    """The expected share of m queries that alg-2 answers rightly, for each m; queries are drawn independently.

    Given the noise r of a fresh threshold the queries of its round are independent: their number is geometric, with the
    chance that one is not answered, and those answered are right in proportion. So noise of thresholds and lengths of
    rounds are drawn, ``runs`` times, and no queries; the share is an average of conditional expectations.
    """
    small = _put_together(leads, _CELL * scales.query_scale)
    noise = rng.laplace(0.0, scales.threshold_scale, (runs, rounds))
    grid = np.linspace(noise.min(), noise.max(), _GRID)
    gap = (small.distances[None, :] - scales.threshold - grid[:, None]) / scales.query_scale
    answered = np.where(gap >= 0, 1 - np.exp(-np.abs(gap)) / 2, np.exp(-np.abs(gap)) / 2)
    right = np.interp(noise, grid, answered @ (small.mass * small.right))
    stops = np.interp(noise, grid, (1 - answered) @ small.mass)
    some = np.clip(1 - stops, 1e-300, None)
    with np.errstate(divide="ignore"):
        lengths = np.floor(np.log(rng.random(noise.shape)) / np.log1p(-np.clip(stops, 1e-16, 1 - 1e-16)))
    ends = np.cumsum(lengths + 1, axis=1)
    starts = ends - lengths - 1
    rate = right / some
    return np.array([float((np.clip(m - starts, 0, lengths) * rate).sum(axis=1).mean()) / m for m in queries.tolist()])


def _put_together(leads: Leads, width: float) -> Leads:
    """Leads in cells of this width, of right and wrong answers apart; each cell at its mean distance."""
    if len(leads.mass) < _GRID:
        return leads
    cell = np.floor(leads.distances / width).astype(np.int64) * 2 + (leads.right > 0)
    _, place = np.unique(cell, return_inverse=True)
    mass = np.bincount(place, leads.mass)
    kept = mass > 0
    with np.errstate(invalid="ignore"):
        means = [
            np.bincount(place, leads.mass * values)[kept] / mass[kept] for values in (leads.distances, leads.right)
        ]
    return Leads(means[0], means[1], mass[kept])


def largest_at(shares: Floats, queries: NDArray[np.int64], target: float) -> int:
    """The largest number of queries at which the share is at least the target; 0 where none is."""
    good = np.flatnonzero(shares >= target)
    if not len(good):
        return 0
    last = int(good[-1])
    if last == len(queries) - 1:
        return int(queries[last])
    # between two numbers of queries the share is taken to be linear in their logarithm
    part = (shares[last] - target) / (shares[last] - shares[last + 1])
    return int(queries[last] * (queries[last + 1] / queries[last]) ** part)


def interval(values: Sequence[float], level: float) -> tuple[float, float, float]:
    """The mean of independent values, and Student's interval for what it estimates."""
    from scipy.stats import t

    array = np.asarray(values, dtype=float)
    mean = float(array.mean())
    half = float(t.ppf((1 + level) / 2, len(array) - 1) * array.std(ddof=1) / math.sqrt(len(array)))
    return mean, mean - half, mean + half
