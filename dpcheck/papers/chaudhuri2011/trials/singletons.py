"""Exact success on singletons: only how often each point was drawn matters, and points are alike."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Occupancy:
    """How often records fall on some points that are alike: a row for each way up to the points' order.

    ``chances`` sum to 1; ``weights`` are the sums over all points of ``exp(-rate count)``, ``seen`` the numbers of
    points with a record, ``of_seen`` the sums over these alone.
    """

    chances: NDArray[np.float64]
    weights: NDArray[np.float64]
    seen: NDArray[np.int64]
    of_seen: NDArray[np.float64]


def partitions(total: int, parts: int, largest: int | None = None) -> Iterator[tuple[int, ...]]:
    """Falling sequences of at most ``parts`` integers above 0 with this sum.

    Examples
    --------
    >>> list(partitions(4, 2))
    [(4,), (3, 1), (2, 2)]
    """
    if total == 0:
        yield ()
        return
    if parts == 0:
        return
    for first in range(min(total, largest or total), (total + parts - 1) // parts - 1, -1):
        for rest in partitions(total - first, parts - 1, first):
            yield (first, *rest)


@lru_cache(maxsize=512)
def occupancy(records: int, points: int, rate: float) -> Occupancy:
    """The law of :class:`Occupancy` for records drawn uniformly from the points.

    Examples
    --------
    >>> occupancy(2, 3, 0.0).chances.tolist(), occupancy(2, 3, 0.0).weights.tolist()
    ([0.3333333333333333, 0.6666666666666666], [3.0, 3.0])
    """
    chances, weights, seen, of_seen = [], [], [], []
    for counts in partitions(records, points):
        ways = math.factorial(records)
        for count in counts:
            ways //= math.factorial(count)
        alike = [counts.count(value) for value in set(counts)] + [points - len(counts)]
        places = math.factorial(points)
        for same in alike:
            places //= math.factorial(same)
        chances.append(ways * places / points**records)
        inside = sum(math.exp(-rate * count) for count in counts)
        weights.append(inside + points - len(counts))
        seen.append(len(counts))
        of_seen.append(inside)
    return Occupancy(np.array(chances), np.array(weights), np.array(seen), np.array(of_seen))


def mean_success(points: int, epsilon: float, size: int, *, learner: str) -> float:
    """The probability that the target comes out, mean over targets and samples; singletons under the uniform law.

    A singleton other than the target's errs on each record of the target and on each of its own.

    Parameters
    ----------
    points : int, N
    epsilon : float
        The paper's alpha; A1 and A2 weigh by ``exp(-(epsilon/2) mistakes)``.
    size : int, m
    learner : "A1" (chooses from all singletons), "A2" (from one for each dichotomy of the points drawn) or "ERM"
        The last takes one for each dichotomy without mistakes, the first unseen one where there are several.

    Examples
    --------
    >>> mean_success(4, 0.0, 5, learner="A1")
    0.25
    """
    rate = epsilon / 2
    total = 0.0
    for hits in range(size + 1):
        chance = math.comb(size, hits) * (points - 1) ** (size - hits) / points**size
        others = occupancy(size - hits, points - 1, rate)
        unseen = points - 1 - others.seen  # of the others
        if learner == "A1":
            success = 1 / (1 + math.exp(-rate * hits) * others.weights)
        elif learner == "A2":
            if hits:
                success = 1 / (1 + math.exp(-rate * hits) * (others.of_seen + (unseen > 0)))
            else:  # it comes out if it stands for all that are unseen, itself among them
                success = 1 / (1 + others.of_seen) / (1 + unseen)
        else:
            success = np.ones(len(others.seen)) if hits else 1 / (1 + unseen)
        total += chance * float(others.chances @ success)
    return total
