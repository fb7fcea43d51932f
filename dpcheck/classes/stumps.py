"""Decision stumps: one coordinate against a threshold, with either sign."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.classes.points import distinct_rows, plane_points, whole_number
from dpcheck.classes.representatives import Rule, checked_rule
from dpcheck.classes.thresholds import Thresholds
from dpcheck.errors import InvalidArgument

#: So many coordinates are more than anyone enumerates.
_MOST_COLUMNS = 10_000


@dataclass(frozen=True)
class Stumps:
    """``h(x) = 1 iff x_j >= t`` (sign 0) or ``x_j < t`` (sign 1); a hypothesis is the row (j, t, sign) of doubles.

    Rules: those of :class:`~dpcheck.classes.Thresholds`, for t in its cell.

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
        """A stump for each dichotomy, shape (k, 3); of equal ones the first by coordinate and threshold."""
        chosen = checked_rule(rule, self.rules)
        found = np.unique(self.points(points), axis=0)
        line = Thresholds()
        rows = []
        for column in range(self.columns):
            t = np.repeat(line.representatives(found[:, column], chosen), 2)
            sign = np.tile([0.0, 1.0], len(t) // 2)
            rows.append(np.stack([np.full(len(t), float(column)), t, sign], axis=1))
        every = np.concatenate(rows)
        return every[distinct_rows(self.predict(every, found))]

    def predict(self, hypotheses: Any, points: Any) -> NDArray[np.uint8]:
        """The label that each stump gives to each point, shape (k, m)."""
        rows = np.asarray(hypotheses, dtype=np.float64).reshape(-1, 3)
        column = rows[:, 0].astype(np.int64)
        if len(rows) and not 0 <= column.min() <= column.max() < self.columns:
            raise InvalidArgument(f"hypotheses must name a coordinate below {self.columns}, got {int(column.max())}")
        above = self.points(points).T[column] >= rows[:, 1:2]
        return (above ^ (rows[:, 2:] > 0)).astype(np.uint8)
