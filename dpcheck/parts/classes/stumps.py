"""Decision stumps: one coordinate against a threshold, with either sign."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.points import distinct_rows, plane_points, whole_number
from dpcheck.parts.classes.representatives import Rule, checked_rule
from dpcheck.parts.classes.thresholds import Thresholds

#: So many coordinates are more than anyone enumerates.
_MOST_COLUMNS = 10_000


@dataclass(frozen=True)
class Stumps:
    """``h(x) = 1 iff x_j >= t`` (sign 0) or ``x_j < t`` (sign 1); a hypothesis is the row (j, t, sign) of doubles.

    Rules: those of :class:`~dpcheck.parts.classes.Thresholds`, for t in its cell.

    Parameters
    ----------
    columns : int, at least 1
        The number of coordinates.

    Raises
    ------
    InvalidArgument
        When it is no such integer.

    Source: alon2019:alg-1 (dichotomy enumeration); the dimension is that of Gey 2018, arXiv:1203.0193.

    Examples
    --------
    >>> len(Stumps(2).representatives([(0, 0), (1, 2), (2, 1)])), Stumps(2).vc_dimension
    (8, 3)
    >>> Stumps(2).predict([[1, 2.0, 1]], [(0, 0), (1, 2)]).tolist()
    [[1, 0]]
    """

    columns: int = 2
    rules: ClassVar[tuple[str, ...]] = Thresholds.rules
    littlestone_dimension: ClassVar[float] = float("inf")

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", whole_number("columns", self.columns, 1, _MOST_COLUMNS))

    @property
    def vc_dimension(self) -> int:
        """The largest d with ``C(d, floor(d/2)) <= 2 columns``.

        A coordinate orders d points and separates those of one middle set; with both signs it serves two sets.
        """
        d = 1
        while comb(d + 1, (d + 1) // 2) <= 2 * self.columns:
            d += 1
        return d

    def points(self, values: Any) -> NDArray[Any]:
        """Points as an array (m, columns) of integers or doubles."""
        return plane_points(values, self.columns)

    def representatives(self, points: Any, rule: Rule = None) -> NDArray[np.float64]:
        """A stump for each dichotomy, shape (k, 3); of equal ones the first by coordinate and threshold.

        For c coordinates and m distinct points O(c m (c + log m)), and O(c m^2) where c is larger than m.
        """
        chosen = checked_rule(rule, self.rules)
        found = np.unique(self.points(points), axis=0)
        by_cuts = self.columns <= len(found)
        rows = []
        for column in range(self.columns):
            t = Thresholds().representatives(found[:, column], chosen)
            t = np.repeat(t[_new_cells(found, column)] if by_cuts else t, 2)
            sign = np.tile([0.0, 1.0], len(t) // 2)
            rows.append(np.stack([np.full(len(t), float(column)), t, sign], axis=1))
        every = np.concatenate(rows)
        return every if by_cuts else every[distinct_rows(self.predict(every, found))]

    def predict(self, hypotheses: Any, points: Any) -> NDArray[np.uint8]:
        """The label that each stump gives to each point, shape (k, m)."""
        column, t, below = self._parts(hypotheses)
        above = self.points(points).T[column] >= t[:, None]
        return (above ^ below[:, None]).astype(np.uint8)

    def mistakes(self, hypotheses: Any, x: Any, y: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Mistakes of each stump on n records, shape (k,); O((n + k) log n) for each coordinate."""
        column, t, below = self._parts(hypotheses)
        points = self.points(x)
        wrong = np.zeros(len(t), dtype=np.int64)
        for each in np.unique(column):
            here = column == each
            wrong[here] = Thresholds().mistakes(t[here], points[:, each], y)
        # the other sign is right where this one is wrong
        return np.where(below, len(points) - wrong, wrong)

    def _parts(self, hypotheses: Any) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.bool_]]:
        """Coordinate, threshold and whether it is the points below that are labelled 1, each of shape (k,)."""
        rows = np.asarray(hypotheses, dtype=np.float64).reshape(-1, 3)
        column = rows[:, 0].astype(np.int64)
        if len(rows) and not 0 <= column.min() <= column.max() < self.columns:
            raise InvalidArgument(f"hypotheses must name a coordinate below {self.columns}, got {int(column.max())}")
        return column, rows[:, 1], rows[:, 2] > 0


def _new_cells(points: NDArray[Any], column: int) -> NDArray[np.intp]:
    """Which cells of a coordinate's threshold cut m distinct points, at least 1, as no earlier coordinate does.

    A cell puts the points with the smallest values below. An earlier coordinate makes the same cut, with the one sign
    or the other, when all its values below are smaller than all above, or all larger.
    """
    order = np.argsort(points[:, column], kind="stable")
    values = points[order, column]
    ends = np.flatnonzero(np.diff(values)) + 1  # so many points are below, at the cells between the first and the last
    new = np.ones(len(ends), dtype=bool)
    for earlier in range(column):
        other = points[order, earlier]
        low, high = np.minimum.accumulate(other), np.maximum.accumulate(other)
        low_after, high_after = np.minimum.accumulate(other[::-1])[::-1], np.maximum.accumulate(other[::-1])[::-1]
        new &= (high[ends - 1] >= low_after[ends]) & (low[ends - 1] <= high_after[ends])
    inner = np.flatnonzero(new) + 1
    # all points on one side: the first coordinate's first cell makes both of these cuts
    return np.concatenate([[0], inner]) if column == 0 else inner
