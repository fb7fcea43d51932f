"""Closed half-planes whose boundary goes through the origin, in exact arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.parts.classes.directions import angular_ranks
from dpcheck.parts.classes.points import as_fractions, exact_points, exact_signs, integer_rows, primitive_rows
from dpcheck.parts.classes.representatives import Rule, checked_rule


@dataclass(frozen=True)
class OriginHalfPlanes:
    """``h_w(x) = 1 iff w . x >= 0`` for w other than 0; a hypothesis is a row (w_1, w_2) of integers.

    Points are integers, fractions or doubles, taken as exactly what they are; they may be collinear, antipodal,
    repeated or 0, which every hypothesis labels 1. Rules: ``inside`` (no point on the boundary where that can be),
    ``boundary`` (a point on it where that can be). Rows have no common factor.

    Source: chaudhuri2011:alg-2 (dichotomies of H_linear, n = 2).

    Examples
    --------
    >>> family = OriginHalfPlanes()
    >>> family.representatives([(1, 0)]).tolist()
    [[-1, 0], [1, 0]]
    >>> family.representatives([(1, 0), (-2, 0)]).tolist()  # both are labelled 1 only where both are on the boundary
    [[0, 1], [-1, 0], [1, 0]]
    >>> family.predict([(0, 1), (-1, 0)], [(1, 0), (-2, 0), (0, 0)]).tolist()
    [[1, 1, 1], [0, 1, 1]]
    """

    rules: ClassVar[tuple[str, ...]] = ("inside", "boundary")
    vc_dimension: ClassVar[int] = 2
    littlestone_dimension: ClassVar[float] = float("inf")

    def points(self, values: Any) -> NDArray[Any]:
        """Points as an array (m, 2): of 64-bit integers, or of Python's integers and fractions."""
        return as_fractions(*exact_points(values))

    def representatives(self, points: Any, rule: Rule = None) -> NDArray[Any]:
        """A half-plane for each dichotomy, shape (k, 2), by angle; O(m log m).

        The critical w are at right angles to a point. Between neighbouring ones lies an open arc of w with labels of
        its own; the closed side adds one more dichotomy at each critical w between antipodal points, where both are
        labelled 1, and nothing elsewhere.
        """
        chosen = checked_rule(rule, self.rules)
        starts, ends = _half_turns(exact_points(points)[0])
        if not len(starts):
            return np.array([[1, 0]], dtype=np.int64)
        every = np.concatenate([starts, ends])
        ranks = angular_ranks(every)
        count = int(ranks.max()) + 1
        some = np.empty(count, dtype=np.int64)
        some[ranks] = np.arange(len(every))
        critical = primitive_rows(every[some])
        gains, loses = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
        gains[ranks[: len(starts)]] = True
        loses[ranks[len(starts) :]] = True
        after = np.roll(critical, -1, axis=0)
        one_line = len(critical) == 2  # then there are two arcs of half a turn
        arcs = np.stack([-critical[:, 1], critical[:, 0]], axis=1) if one_line else critical + after
        if chosen == "boundary":
            arcs = np.where(loses[:, None], arcs, critical)
            ends_inside = loses & ~np.roll(gains, -1)
            arcs = np.where(ends_inside[:, None], after, arcs)
        rows = np.stack([critical, arcs], axis=1).reshape(-1, 2)
        kept = np.ones(len(rows), dtype=bool)
        kept[::2] = gains & loses
        if one_line:
            kept[2] = False  # the same as kept[0]: all points are on the boundary
        return primitive_rows(rows[kept])

    def predict(self, hypotheses: Any, points: Any) -> NDArray[np.uint8]:
        """``w . x >= 0`` for each w and x, shape (k, m); exact."""
        return exact_signs(integer_rows(hypotheses, 2), exact_points(points)[0])

    def mistakes(self, hypotheses: Any, x: Any, y: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Mistakes of each half-plane on n records, shape (k,); exact, O((n + k) log n)."""
        rows, whole = integer_rows(hypotheses, 2), exact_points(x)[0]
        cost = 1 - 2 * np.asarray(y, dtype=np.int64)  # a prediction of 1 costs a 0 and saves a 1
        away = (whole != 0).any(axis=1)
        constant = int(np.sum(y, dtype=np.int64)) + int(cost[~away].sum())
        ranks = angular_ranks(np.concatenate([rows, *_half_turns(whole)]))
        w, start, end = np.split(ranks, [len(rows), len(rows) + int(away.sum())])
        cost = cost[away]
        count = int(ranks.max(initial=0)) + 2
        # doubles sum such numbers exactly
        gained = np.bincount(start, weights=cost, minlength=count)
        lost = np.bincount(end + 1, weights=cost, minlength=count)
        around = int(cost[start > end].sum())  # of those that are labelled 1 at the angle 0 and before
        return np.asarray(constant + around + np.cumsum(gained - lost)[w].astype(np.int64))


def _half_turns(whole: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The first and the last w, turning left, that label each point but 0 with 1: at right angles to it."""
    x, y = whole[(whole != 0).any(axis=1)].T
    return np.stack([y, -x], axis=1), np.stack([-y, x], axis=1)
