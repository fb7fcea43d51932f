"""The choice among all intervals of many points by few labels, run by run: nothing of the square of the points."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms.choice import Choice

#: S may have so many different points: some 2^24 pairs of runs are weighed then, in a gigabyte.
MOST_LABELLED_POINTS = 5790


@dataclass(frozen=True, eq=False)
class IntervalChoice:
    """An interval of the dichotomies of some points, with probability proportional to ``exp(rate q)``.

    q is the number of correct labels on S. A dichotomy of k points is empty or goes from one of them to a later one,
    ``1 + k (k + 1) / 2`` in all. With G the ones less the zeros of S up to a point, the interval from point i to j gets
    ``zeros + G_j - G_(i-1)`` labels right; G moves at points of S alone, so that all ends between two of these are
    alike. A pair of such runs is drawn, with as many equal candidates as it has intervals, and an interval in it
    uniformly: the law is that of listing all of them.

    Parameters
    ----------
    points : sorted distinct points, shape (k,)
    gains : the ones less the zeros of S at each point, integers of shape (k,)
    zeros : int, the labels 0 of S
    rate : Fraction, nats per correct label

    Raises
    ------
    InvalidArgument
        When S has too many different points (more than 5,790).

    Examples
    --------
    >>> choice = IntervalChoice(np.arange(4), np.array([0, 1, 0, -1]), 1, Fraction(50))
    >>> sorted({*map(tuple, choice.sample(99, np.random.default_rng()).tolist())})  # all that hold 1 and not 3
    [(0, 1), (0, 2), (1, 1), (1, 2)]
    """

    points: NDArray[Any]
    gains: NDArray[np.int64]
    zeros: int
    rate: Fraction

    @cached_property
    def _runs(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.int64]]:
        """Where run t of right ends starts and ends, and what G is on it; run s of left ends is one point behind."""
        moves = np.flatnonzero(self.gains)
        starts, ends = np.concatenate([[0], moves]), np.concatenate([moves, [len(self.points)]])
        return starts, ends, np.concatenate([[0], np.cumsum(self.gains[moves])])

    @cached_property
    def pairs(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.int64], NDArray[np.int64]]:
        """Runs of left and of right ends, s and t, the number of intervals of each pair, and their correct labels."""
        starts, ends, level = self._runs
        if len(starts) - 1 > MOST_LABELLED_POINTS:
            raise InvalidArgument(f"dataset must have fewer different labelled points, got {len(starts) - 1:,} of them")
        first = self._first_left
        s, t = np.triu_indices(len(starts))
        lefts = np.minimum(ends, len(self.points) - 1) - first + 1
        alone = np.maximum(0, ends - first)
        times = np.where(s < t, lefts[s] * (ends - starts)[t], (alone * (alone + 1) // 2)[s])
        some = times > 0
        s, t = s[some], t[some]
        return s, t, times[some], self.zeros + level[t] - level[s]

    @property
    def _first_left(self) -> NDArray[np.intp]:
        return np.concatenate([np.zeros(1, dtype=np.intp), self._runs[0][1:] + 1])

    def interval(self, pair: NDArray[np.intp], number: NDArray[np.int64]) -> NDArray[Any]:
        """The intervals with these numbers in these pairs, rows (a, b): each interval has one number in one pair."""
        starts, ends, _ = self._runs
        one, other = (each[pair] for each in self.pairs[:2])
        first = self._first_left[one]
        apart, width = one < other, (ends - starts)[other]
        behind = _triangle(np.where(apart, 0, number))
        left = np.where(apart, number // width, number - behind * (behind + 1) // 2)
        right = np.where(apart, starts[other] + number % width, first + behind)
        return np.stack([self.points[first + left], self.points[right]], axis=1)

    def sample(self, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """``size`` independent intervals, rows (a, b) of points; the empty one is (1, 0)."""
        _, _, times, correct = self.pairs
        scores, multiplicities = np.append(correct, self.zeros), np.append(times, 1)
        pair = Choice(self.rate, scores, multiplicities).sample(size, rng)
        found = np.tile(np.array([1, 0], dtype=self.points.dtype), (size, 1))
        rows = np.flatnonzero(pair < len(times))
        found[rows] = self.interval(pair[rows], rng.integers(times[pair[rows]]))
        return found


def _triangle(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """The largest r with ``r (r + 1) / 2`` at most each number.

    Examples
    --------
    >>> _triangle(np.arange(7)).tolist()
    [0, 1, 1, 2, 2, 2, 3]
    """
    found = ((np.sqrt(8.0 * numbers + 1) - 1) / 2).astype(np.int64)
    found -= found * (found + 1) // 2 > numbers  # the root rounds
    found += (found + 1) * (found + 2) // 2 <= numbers
    return np.asarray(found, dtype=np.int64)


def interval_choice(points: NDArray[Any], x: NDArray[Any], y: NDArray[np.int64], rate: Fraction) -> IntervalChoice:
    """The choice for points of S o T, repetitions allowed, and the labelled entries (x, y) of S."""
    distinct = np.unique(points)
    gains = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(gains, np.searchsorted(distinct, x), 2 * y - 1)
    return IntervalChoice(distinct, gains, int(np.count_nonzero(y == 0)), rate)
