"""Databases whose distribution function stays in a band about that of a dataset: counted, and drawn uniformly.

With A(t) of the n sorted points of the dataset D and B(t) of the k points of the database S below t, let
``G(t) = k A(t) - n B(t)``, for t from 0 to N: n k times the difference of the two distribution functions. That G stays
in ``[-below, above]`` says of the i-th smallest point of S only that it lies in a box ``[low_i, high_i]``: between two
points of D. The boxes' ends cut the domain in at most 2k + 1 segments, and the databases with points in their boxes are
counted by going through the segments: how many have j points in the first ones. The work does not depend on n and N.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Entries of a table of numbers of points before a segment, in it, and bands, made at once.
_BLOCK = 1 << 21
#: Bands are of one kind where their widths differ by less than a factor 2 to the inverse of this.
_KINDS = 2
#: Numbers up to this are drawn as 64-bit integers.
_LARGEST = 1 << 62


@dataclass(frozen=True, eq=False)
class Reference:
    """The sorted points of a dataset, and what databases are counted beside it.

    Parameters
    ----------
    points : sorted integers of shape (n,), from 0 to N - 1
    domain_size : int, N
    size : int, k, points of a database
    ordered : bool
        Whether databases are k-tuples or multisets.
    """

    points: NDArray[np.int64]
    domain_size: int
    size: int
    ordered: bool = True

    @property
    def widest(self) -> int:
        """``n k``: no G is larger in size."""
        return len(self.points) * self.size

    def extremes(self, databases: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The largest value of G and minus the smallest, each at least 0, for databases of shape (C, k): shapes (C,).

        G is largest just before a point of S, and smallest just behind one.

        Examples
        --------
        >>> Reference(np.array([1, 1, 2]), 4, 2).extremes(np.array([[0, 1], [2, 3]]))
        (array([0, 4]), array([3, 0]))
        """
        n, k = len(self.points), self.size
        before = np.searchsorted(self.points, databases, side="left")
        through = np.searchsorted(self.points, databases, side="right")
        above = (k * before - n * np.arange(k)).max(axis=1)
        below = (n * np.arange(1, k + 1) - k * through).max(axis=1)
        return np.maximum(above, 0), np.maximum(below, 0)

    @cached_property
    def _padded(self) -> NDArray[np.int64]:
        return np.concatenate([[0], self.points, [self.domain_size - 1]])

    def boxes(self, above: NDArray[np.int64], below: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where the points of S must lie for G to stay in bands of shape (C,): ends of shape (C, k), both included.

        ``G(t) <= above`` says that i points of S are below t as soon as ``A(t) > (n (i - 1) + above) / k``, so that
        the i-th is at most the point of D with this number; ``G(t) >= -below`` says that there are not i of them while
        ``A(t) < (n i - below) / k``, so that it is at least the point of D with that number.

        Examples
        --------
        >>> Reference(np.array([1, 1, 2]), 4, 2).boxes(np.array([1]), np.array([3]))
        (array([[0, 1]]), array([[1, 2]]))
        """
        n, k = len(self.points), self.size
        first = (n * np.arange(k) + above[:, None]) // k + 1
        last = -((below[:, None] - n * np.arange(1, k + 1)) // k)
        return self._padded[np.maximum(last, 0)], self._padded[np.minimum(first, n + 1)]

    def log_counts(self, above: NDArray[np.int64], below: NDArray[np.int64]) -> tuple[NDArray[np.float64], float]:
        """The logarithms of the numbers of databases in bands of shape (C,), and how far each may be off.

        The sums have positive terms only, so that nothing cancels. With a the largest size of a logarithm in the
        computation, at most ``2 (k ln N + ln k!)``, each of the 2k + 1 segments adds at most ``8 a + W + 16`` units of
        2^-53, W the width of the table, at most k.
        """
        lows, highs = self.boxes(above, below)
        keys = np.sort(np.concatenate([2 * lows + 1, 2 * (highs + 1)], axis=1), axis=1)
        # the ends of boxes before their beginnings at the same place; so many boxes have ended, so many have begun
        begun = np.cumsum(keys & 1, axis=1)
        ended = np.arange(1, 2 * self.size + 1) - begun
        begun -= keys & 1  # those that begin here do not have a point yet
        keys >>= 1
        lengths = np.diff(keys, axis=1, prepend=0, append=self.domain_size)
        spans = begun - ended
        found = np.full(len(lows), -np.inf)
        # bands of like width together: the tables are as wide as the widest of them
        kind = np.ceil(_KINDS * np.log2(1 + np.maximum(spans.max(axis=1), 0)))
        kind[(spans < 0).any(axis=1)] = -1
        for each in np.unique(kind[kind >= 0]):
            places = np.flatnonzero(kind == each)
            step = max(1, _BLOCK // int(2 + spans[places].max()) ** 2)
            for start in range(0, len(places), step):
                rows = places[start : start + step]
                found[rows] = self._log_counts(lengths[rows], ended[rows], spans[rows])
        largest = 2 * (self.size * math.log(max(self.domain_size, 2)) + math.lgamma(self.size + 1)) + 1
        return found, (2 * self.size + 1) * (8 * largest + self.size + 16) * 2.0**-53

    def _log_counts(
        self, lengths: NDArray[np.int64], ended: NDArray[np.int64], spans: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """The logarithms for bands of shape (C,).

        ``state[c, 1 + i]`` is that of ``ended + i`` points so far, i at most ``spans``; ``state[c, 0]`` is -inf.
        """
        state = np.full((len(lengths), 2), -np.inf)
        state[:, 1] = 0.0
        base = np.zeros(len(lengths), dtype=np.int64)
        with np.errstate(divide="ignore"):
            for place in range(2 * self.size):
                width = 1 + int(spans[:, place].max())
                after = self._log_step(state, lengths[:, place], width + 1)
                moved = ended[:, place] > base
                base = ended[:, place]
                state = np.full((len(lengths), width + 1), -np.inf)
                state[:, 1:] = np.where(moved[:, None], after[:, 1:], after[:, :-1])
                state[:, 1:][np.arange(width)[None, :] > spans[:, place][:, None]] = -np.inf
        # where the last segment begins all boxes have ended, or the last ends there: k points already
        return np.asarray(state[:, 1] + (math.lgamma(self.size + 1) if self.ordered else 0.0))

    def _log_step(self, state: NDArray[np.float64], length: NDArray[np.int64], width: int) -> NDArray[np.float64]:
        """The table after a segment, shape (C, width): of as many points as were the fewest before it, and more."""
        taken = np.arange(width)
        free = length[:, None] + (0 if self.ordered else taken[:-1])
        steps = np.where(length[:, None] > 0, np.log(free / (taken[:-1] + 1)), -np.inf)
        ways = np.concatenate([np.zeros((len(length), 1)), np.cumsum(steps, axis=1)], axis=1)
        before = 1 + taken[:, None] - taken[None, :]
        terms = state[:, np.where((before > 0) & (before < state.shape[1]), before, 0)] + ways[:, None, :]
        top = terms.max(axis=2)
        shift = np.where(np.isfinite(top), top, 0.0)
        return np.asarray(np.log(np.exp(terms - shift[:, :, None]).sum(axis=2)) + shift)

    def table(self, above: int, below: int) -> BandTable:
        """The exact table of one band."""
        lows, highs = (ends[0].tolist() for ends in self.boxes(np.array([above]), np.array([below])))
        return BandTable(tuple(lows), tuple(highs), self.domain_size, self.ordered)


@dataclass(frozen=True)
class BandTable:
    """The databases whose i-th smallest point lies in the i-th of k boxes: counted in integers, and drawn uniformly.

    Parameters
    ----------
    lows, highs : k integers each, not decreasing, from 0 to N - 1
        The boxes' ends, both included.
    domain_size : int, N
    ordered : bool
        Whether databases are k-tuples or multisets.

    Examples
    --------
    >>> table = BandTable((0, 1), (1, 3), 4)
    >>> table.count  # (0, 1), (0, 2), (0, 3), (1, 2), (1, 3) in two orders each, and (1, 1)
    11
    >>> BandTable((0, 1), (1, 3), 4, ordered=False).count
    6
    """

    lows: tuple[int, ...]
    highs: tuple[int, ...]
    domain_size: int
    ordered: bool = True

    @cached_property
    def segments(self) -> list[tuple[int, int, int, int]]:
        """(first point, length, least and largest number of points of S before its end), none of length 0."""
        begins, ends = self.lows, [high + 1 for high in self.highs]
        cuts = sorted({0, self.domain_size, *begins, *ends})
        k, begun, ended, found = len(begins), 0, 0, []
        for first, end in pairwise(cuts):
            while begun < k and begins[begun] < end:
                begun += 1
            while ended < k and ends[ended] <= end:
                ended += 1
            found.append((first, end - first, ended, begun))
        return found

    @cached_property
    def _counts(self) -> list[list[int]]:
        """For each segment, and the place before the first, how many ways there are to have j points so far."""
        rows, least = [[1]], 0
        for _, length, low, high in self.segments:
            before = rows[-1]
            ways = self._ways(length, high - least)
            row = []
            for j in range(low, high + 1):
                most = j - least
                fewest = max(0, most - len(before) + 1)
                row.append(sum(self._chosen(j, h) * ways[h] * before[most - h] for h in range(fewest, most + 1)))
            rows.append(row)
            least = low
        return rows

    def _ways(self, length: int, most: int) -> list[int]:
        """In how many ways h points lie in a segment, for h up to the most."""
        found = [1]
        for h in range(most):
            found.append(found[-1] * length if self.ordered else found[-1] * (length + h) // (h + 1))
        return found

    def _chosen(self, j: int, h: int) -> int:
        """In how many ways h places in the order of j points are those of the points of one segment."""
        return math.comb(j, h) if self.ordered else 1

    @cached_property
    def count(self) -> int:
        """How many databases there are."""
        last = self._counts[-1]
        return last[0] if last else 0

    def sample(self, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """``size`` of the databases, each sorted, all with the same probability and independent; shape (size, k).

        From the last segment back: how many points it has, given how many there are so far, in integers without any
        rounding; then the points themselves.
        """
        k = len(self.lows)
        found = np.empty((size, k), dtype=np.int64)
        so_far = np.full(size, k)
        for place in range(len(self.segments) - 1, -1, -1):
            first, length, _, _ = self.segments[place]
            taken = np.empty(size, dtype=np.int64)
            for j in np.flatnonzero(np.bincount(so_far)).tolist():
                here = so_far == j
                taken[here] = self._taken(place, j, int(here.sum()), rng)
            so_far = so_far - taken
            for h in np.flatnonzero(np.bincount(taken)).tolist():
                if h:
                    rows = np.flatnonzero(taken == h)
                    columns = so_far[rows, None] + np.arange(h)
                    found[rows[:, None], columns] = self._points(first, length, h, len(rows), rng)
            if not so_far.any():
                break
        found.sort(axis=1)
        return found

    def _taken(self, place: int, j: int, size: int, rng: np.random.Generator) -> Any:
        """How many points lie in a segment when j do in all up to its end: so many independent numbers."""
        least = self.segments[place - 1][2] if place else 0
        before = self._counts[place]
        most = j - least
        fewest = max(0, most - len(before) + 1)
        if most == fewest:
            return most
        ways = self._ways(self.segments[place][1], most)
        ends = list(accumulate(self._chosen(j, h) * ways[h] * before[most - h] for h in range(fewest, most + 1)))
        if ends[-1] <= _LARGEST:
            return fewest + np.searchsorted(ends, rng.integers(ends[-1], size=size), side="right")
        return [fewest + bisect_right(ends, below(ends[-1], rng)) for _ in range(size)]

    def _points(self, first: int, length: int, h: int, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """h points of a segment, each tuple or each multiset with the same probability, so many times."""
        if self.ordered or h == 1:
            return rng.integers(first, first + length, size=(size, h))
        # a multiset of h of so many points is a set of h of h - 1 more
        chosen = np.array([np.sort(rng.choice(length + h - 1, size=h, replace=False)) for _ in range(size)])
        return np.asarray(first + chosen - np.arange(h), dtype=np.int64)


def below(bound: int, rng: np.random.Generator) -> int:
    """A uniform integer from 0 to ``bound - 1``, of any size.

    Examples
    --------
    >>> 0 <= below(10**30, np.random.default_rng()) < 10**30
    True
    """
    if bound <= _LARGEST:
        return int(rng.integers(bound))
    bits = (bound - 1).bit_length()
    while True:
        drawn = int.from_bytes(rng.bytes(-(-bits // 8)), "little") >> (-bits % 8)
        if drawn < bound:
            return drawn
