"""Laws of outputs drawn at random, with a leak of exactly one size that shows in exactly one part of the outputs.

The outputs of a part (the coverage) tell the coin with odds ``e^leak``; the others have nothing to do with it. What
differs is where that part is: which intervals of which numbers, which labels of how many, which coordinate or direction
of a vector. :data:`FITTED` are the kinds with which the cost of learning was fitted, :data:`APART` those it was then
tried on once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from dpcheck.privacy.statistics.game import Shape

Floats = NDArray[np.float64]
Coins = NDArray[np.int8]
#: Outputs for coins: 1 draws from D, 0 from D'.
Law = Callable[[np.random.Generator, Coins], Floats]
Interval = tuple[float, float]

#: Quantile functions of the laws of numbers: light and heavy tails, none, two modes, skew.
QUANTILES: tuple[Callable[[Floats], Floats], ...] = (
    ndtri,
    lambda u: np.where(u < 0.5, np.log(2.0 * u), -np.log(2.0 * (1.0 - u))),
    lambda u: u,
    lambda u: np.tan(math.pi * (u - 0.5)),
    lambda u: np.exp(2.0 * ndtri(u)),
    lambda u: np.where(u < 0.5, u, u + 40.0),
)
#: Levels are kept inside the open interval from 0 to 1.
EDGE = 1e-15
#: Coordinates of vectors are at most this large: what is turned must not drown what it is turned with.
LARGEST = 50.0

NUMBERS = ("one tail", "two tails", "middle", "mode", "one side only", "three intervals")
LABELS = ("3 labels", "10 labels", "50 labels")
FITTED = (*NUMBERS, *LABELS, "a coordinate")
APART = (
    "one and two intervals",
    "one side, two intervals",
    "20 labels",
    "10 labels, one side only",
    "a coordinate's mode",
)
#: Not foretold: of laws with heavy tails the linear scores do not find the direction.
NOT_FORETOLD = ("a direction",)


@dataclass(frozen=True)
class Drawn:
    """What outputs look like, and their law."""

    shape: Shape
    law: Law


def drawn(kind: str, leak: float, coverage: float, rng: np.random.Generator) -> Drawn:
    """A law of a kind; ``rng`` draws where its leak is.

    >>> found = drawn("10 labels", 2.0, 0.25, np.random.default_rng(0))
    >>> set(found.law(np.random.default_rng(1), np.ones(500, np.int8))) <= set(range(10))
    True
    """
    if "labels" in kind:
        answers = int(kind.split()[0])
        law = _labels(answers, leak, coverage, rng, one_sided=kind.endswith("one side only"))
        return Drawn(Shape(1, repeats=True, others=False), law)
    if kind.startswith("a coordinate") or kind == "a direction":
        return _vector(kind, leak, coverage, rng)
    return Drawn(Shape(1, repeats=False, others=False), _numbers(kind, leak, coverage, rng))


def _numbers(kind: str, leak: float, coverage: float, rng: np.random.Generator) -> Law:
    sides = _intervals(kind, coverage, rng)
    if rng.random() < 0.5:
        sides = sides[::-1]
    covered = sorted(sides[0] + sides[1])
    starts, ends = [0.0, *(end for _, end in covered)], [*(start for start, _ in covered), 1.0]
    silent = [(a, b) for a, b in zip(starts, ends, strict=True) if b > a + EDGE] or [(0.0, 1.0)]
    quantile = QUANTILES[rng.integers(len(QUANTILES))]
    truth = 1.0 / (1.0 + math.exp(-leak))
    peak = sides[0][0] if kind.endswith("mode") else None

    def outputs(levels: Floats) -> Floats:
        found = quantile(np.clip(levels, EDGE, 1.0 - EDGE))
        if peak is None:
            return np.asarray(found)
        middle = 0.5 * (peak[0] + peak[1])
        near = quantile(np.array(middle)) + 1e-6 * (levels - middle)
        return np.where((levels >= peak[0]) & (levels < peak[1]), near, found)

    def law(draws: np.random.Generator, coins: Coins) -> Floats:
        size = len(coins)
        told = draws.random(size) < np.where(coins == 1, truth, 1.0 - truth)
        if all(sides):
            shows = draws.random(size) < coverage
            first, second = _levels(sides[0], draws, size), _levels(sides[1], draws, size)
            said = np.where(told, first, second)
        else:  # the event is as likely as the coverage on the average, and its rest is the other event
            (only,) = (side for side in sides if side)
            shows = told & (draws.random(size) < 2.0 * coverage)
            said = _levels(only, draws, size)
        return outputs(np.where(shows, said, _levels(silent, draws, size)))

    return law


def _intervals(kind: str, coverage: float, rng: np.random.Generator) -> tuple[list[Interval], list[Interval]]:
    """The levels of both parts of the event, each as likely as half of the coverage; or one, as likely as all of it."""
    half = coverage / 2.0
    if kind == "one tail":
        lower = rng.random() < 0.5
        return ([(0.0, half)], [(half, coverage)]) if lower else ([(1.0 - half, 1.0)], [(1.0 - coverage, 1.0 - half)])
    if kind == "two tails":
        return [(0.0, half)], [(1.0 - half, 1.0)]
    if kind == "middle":
        start = rng.uniform(0.0, 1.0 - coverage)
        return [(start, start + half)], [(start + half, start + coverage)]
    counts = {
        "three intervals": rng.integers(2, 4, 2).tolist(),
        "one and two intervals": [1, 2],
        "one side only": [int(rng.integers(1, 3)), 0],
        "one side, two intervals": [2, 0],
    }.get(kind, [1, 1])
    part = half if counts[1] else coverage
    lengths = [length for count in counts if count for length in part * rng.dirichlet(np.full(count, 3.0))]
    gaps = (1.0 - coverage) * rng.dirichlet(np.ones(len(lengths) + 1))
    found: tuple[list[Interval], list[Interval]] = ([], [])
    at = 0.0
    for place, gap in zip(rng.permutation(len(lengths)), gaps, strict=False):
        at += gap
        found[int(place >= counts[0])].append((at, at + lengths[place]))
        at += lengths[place]
    return found


def _levels(intervals: list[Interval], rng: np.random.Generator, size: int) -> Floats:
    """Uniform levels in a union of intervals."""
    starts, ends = np.array(sorted(intervals)).T
    reached = np.cumsum(ends - starts)
    drawn_at = rng.random(size) * reached[-1]
    place = np.minimum(np.searchsorted(reached, drawn_at, side="right"), len(ends) - 1)
    return np.asarray(ends[place] - (reached[place] - drawn_at))


def _labels(answers: int, leak: float, coverage: float, rng: np.random.Generator, *, one_sided: bool) -> Law:
    truth = 1.0 / (1.0 + math.exp(-leak))
    most = (answers - 1) // 2
    first, second = int(rng.integers(1, most + 1)), 0 if one_sided else int(rng.integers(1, most + 1))
    order = rng.permutation(answers)
    parts = [part for part in (first, second, answers - first - second) if part]
    shares = np.concatenate([rng.dirichlet(np.ones(part)) for part in parts])
    laws = np.zeros((2, answers))
    for coin, right in ((1, truth), (0, 1.0 - truth)):
        shown = [2.0 * coverage * right] if one_sided else [coverage * right, coverage * (1.0 - right)]
        laws[coin, order] = shares * np.repeat([*shown, 1.0 - sum(shown)], parts)
    reached = np.cumsum(laws, axis=1)

    def law(draws: np.random.Generator, coins: Coins) -> Floats:
        at = draws.random(len(coins))
        both = np.stack([np.searchsorted(row, at) for row in reached])
        return np.minimum(both[coins, np.arange(len(coins))], answers - 1).astype(np.float64)

    return law


def _vector(kind: str, leak: float, coverage: float, rng: np.random.Generator) -> Drawn:
    width = int(rng.integers(2, 6))
    where = "mode" if kind.endswith("mode") else str(rng.choice(["one tail", "two tails", "middle"]))
    one = _numbers("two tails" if kind == "a direction" else where, leak, coverage, rng)
    place, turn = int(rng.integers(width)), np.linalg.qr(rng.normal(size=(width, width)))[0]

    def law(draws: np.random.Generator, coins: Coins) -> Floats:
        found = draws.normal(size=(len(coins), width))
        found[:, place] = np.clip(one(draws, coins), -LARGEST, LARGEST)
        return np.asarray(found @ turn) if kind == "a direction" else found

    return Drawn(Shape(width, repeats=False, others=False), law)
