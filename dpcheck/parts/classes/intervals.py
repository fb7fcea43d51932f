"""Closed intervals of the line, the empty one included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.parts.classes.grid_intervals import interval_mistakes, ordered_pairs
from dpcheck.parts.classes.points import real_points
from dpcheck.parts.classes.representatives import Rule, checked_rule

#: The empty interval: its end is before its beginning.
_EMPTY = (1.0, 0.0)


@dataclass(frozen=True)
class Intervals:
    """``h(x) = 1 iff a <= x <= b`` on the line; a hypothesis is the row (a, b), the empty set is (1, 0).

    Rules: ``smallest`` (the ends are points), ``middle`` (the ends are midpoints between neighbouring points,
    infinite beyond the outermost).

    Source: alon2019:alg-1 (dichotomy enumeration).

    Examples
    --------
    >>> Intervals().representatives([3.0, 1.0]).tolist()
    [[1.0, 0.0], [1.0, 1.0], [1.0, 3.0], [3.0, 3.0]]
    >>> Intervals().predict([[1.0, 2.0]], [0.0, 1.0, 2.5]).tolist()
    [[0, 1, 0]]
    """

    rules: ClassVar[tuple[str, ...]] = ("smallest", "middle")
    vc_dimension: ClassVar[int] = 2
    littlestone_dimension: ClassVar[float] = float("inf")

    def points(self, values: Any) -> NDArray[np.float64]:
        """Points as doubles, shape (m,)."""
        return real_points(values)

    def representatives(self, points: Any, rule: Rule = None) -> NDArray[np.float64]:
        """The empty interval and one from each point to each later one, shape (1 + m(m + 1)/2, 2)."""
        chosen = checked_rule(rule, self.rules)
        distinct = np.unique(self.points(points)) + 0.0
        left, right = distinct, distinct
        if chosen == "middle" and len(distinct):
            # a cut between neighbouring doubles falls on the left one: as a left end it must be the right one
            cuts = distinct[:-1] / 2 + distinct[1:] / 2
            left = np.concatenate([[-np.inf], np.where(cuts > distinct[:-1], cuts, distinct[1:])])
            right = np.concatenate([np.where(cuts < distinct[1:], cuts, distinct[:-1]), [np.inf]])
        first, last = ordered_pairs(len(distinct))
        return np.concatenate([[_EMPTY], np.stack([left[first], right[last]], axis=1)])

    def predict(self, hypotheses: Any, points: Any) -> NDArray[np.uint8]:
        """``a <= x <= b`` for each interval and x, shape (k, m)."""
        ends = np.asarray(hypotheses, dtype=np.float64).reshape(-1, 2)
        x = self.points(points)[None, :]
        return ((ends[:, :1] <= x) & (x <= ends[:, 1:])).astype(np.uint8)

    def mistakes(self, hypotheses: Any, x: Any, y: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Mistakes of each interval on n records, shape (k,); O((n + k) log n)."""
        return interval_mistakes(np.asarray(hypotheses, dtype=np.float64).reshape(-1, 2), self.points(x), y)
