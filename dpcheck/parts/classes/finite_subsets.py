"""Finite subsets of the unit interval."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from math import comb, inf
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.points import real_points, whole_number
from dpcheck.parts.classes.representatives import Rule, checked_rule

#: More dichotomies than this are not listed.
_MOST_DICHOTOMIES = 1 << 20
#: Fills a row up: no point.
_NONE = -1.0


@dataclass(frozen=True)
class FiniteSubsets:
    """The finite subsets of [0, 1], or those of at most so many points: ``h(x) = 1 iff x`` is in the set.

    A hypothesis is the row of its points, increasing, filled up with -1 to the length of the longest; sequences of
    tuples of different lengths are read too. Points are equal when they are the same double. One rule, ``smallest``:
    the set of the points labelled 1.

    Parameters
    ----------
    largest : int, at least 1, optional
        How many points a set may have; any finite number when left out.

    Raises
    ------
    InvalidArgument
        When it is no such integer, or there are too many dichotomies to list.

    Source: wang2016:ex-16, ex-17.

    Examples
    --------
    >>> FiniteSubsets().representatives([0.25, 0.75]).tolist()
    [[-1.0, -1.0], [0.25, -1.0], [0.75, -1.0], [0.25, 0.75]]
    >>> FiniteSubsets().vc_dimension, FiniteSubsets(2).vc_dimension
    (inf, 2)
    >>> FiniteSubsets().predict([(), (0.5, 0.75)], [0.5, 0.6]).tolist()
    [[0, 0], [1, 0]]
    """

    largest: int | None = None
    rules: ClassVar[tuple[str, ...]] = ("smallest",)

    def __post_init__(self) -> None:
        if self.largest is not None:
            object.__setattr__(self, "largest", whole_number("largest", self.largest, 1, 2**20))

    @property
    def vc_dimension(self) -> float:
        """The number of points that a set may have."""
        return inf if self.largest is None else self.largest

    @property
    def littlestone_dimension(self) -> float:
        """The same: predicting 0 but at points that were found to be in the set errs once for each of these."""
        return self.vc_dimension

    def points(self, values: Any) -> NDArray[np.float64]:
        """Points of [0, 1] as doubles, shape (m,)."""
        array = real_points(values)
        if len(array) and not 0 <= array.min() <= array.max() <= 1:
            raise InvalidArgument(f"points must be from 0 to 1, got {array[(array < 0) | (array > 1)][0]}")
        return array

    def representatives(self, points: Any, rule: Rule = None) -> NDArray[np.float64]:
        """Each set of distinct points that is not too large, by size; shape (k, the largest size)."""
        checked_rule(rule, self.rules)
        seen = np.unique(self.points(points)) + 0.0
        m = len(seen)
        most = m if self.largest is None else min(m, self.largest)
        count = 0
        for size in range(most + 1):
            count += comb(m, size)
            if count > _MOST_DICHOTOMIES:  # at once: all coefficients of many points are numbers of as many bits
                raise InvalidArgument(
                    f"points must have at most {_MOST_DICHOTOMIES:,} dichotomies, got {m:,} with {count:,} or more"
                )
        rows = [np.full((1, most), _NONE)]
        for size in range(1, most + 1):
            flat = np.fromiter((place for chosen in combinations(range(m), size) for place in chosen), dtype=np.int64)
            some = np.full((comb(m, size), most), _NONE)
            some[:, :size] = seen[flat].reshape(-1, size)
            rows.append(some)
        return np.concatenate(rows)

    def predict(self, hypotheses: Any, points: Any) -> NDArray[np.uint8]:
        """Whether each set holds each point, shape (k, m)."""
        rows, x = self._rows(hypotheses), self.points(points)
        labels = np.zeros((len(rows), len(x)), dtype=bool)
        for column in rows.T:  # a step for each point of the largest set: all at once would be so many times the memory
            labels |= column[:, None] == x[None, :]
        return labels.astype(np.uint8)

    def mistakes(self, hypotheses: Any, x: Any, y: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Mistakes of each set on n records, shape (k,); O((n + k w) log n) for sets of up to w points."""
        rows, seen = np.sort(self._rows(hypotheses), axis=1), self.points(x)
        distinct, place = np.unique(seen, return_inverse=True)
        # a set errs on the ones outside it and the zeros in it; nothing stands at the end, for points that are not seen
        cost = np.zeros(len(distinct) + 1, dtype=np.int64)
        np.add.at(cost, place.reshape(-1), 1 - 2 * np.asarray(y, dtype=np.int64))
        held = np.searchsorted(distinct, rows)
        known = np.append(distinct, np.nan)[held] == rows
        known[:, 1:] &= rows[:, 1:] != rows[:, :-1]  # a point that a row names twice counts once
        return np.asarray(np.sum(y, dtype=np.int64) + np.where(known, cost[held], 0).sum(axis=1), dtype=np.int64)

    def _rows(self, hypotheses: Any) -> NDArray[np.float64]:
        """Sets as rows of doubles filled up with -1."""
        if isinstance(hypotheses, np.ndarray) and hypotheses.ndim == 2:
            return hypotheses.astype(np.float64)
        return subset_rows(hypotheses)


def subset_rows(subsets: Iterable[Any]) -> NDArray[np.float64]:
    """Finite sets of any sizes as the rows of :class:`FiniteSubsets`: increasing, filled up with -1.

    Examples
    --------
    >>> subset_rows([(0.5, 0.25, 0.5), ()]).tolist()
    [[0.25, 0.5], [-1.0, -1.0]]
    """
    listed = [sorted({float(point) for point in subset if point != _NONE}) for subset in subsets]
    width = max(map(len, listed), default=0)
    return np.array([[*points, *[_NONE] * (width - len(points))] for points in listed]).reshape(len(listed), width)
