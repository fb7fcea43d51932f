"""Closed half-planes, in exact arithmetic: collinear and repeated points are what they are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cmp_to_key
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.classes.points import as_small, distinct_rows, exact_plane
from dpcheck.classes.representatives import Rule, checked_rule

#: Directions worked on at once, times points squared: some tens of megabytes.
_CELLS = 1 << 24
#: Between neighbouring ones of these, and with them of all critical directions, lies less than half a turn.
_AXES = ((1, 0), (0, 1), (-1, 0), (0, -1))


@dataclass(frozen=True)
class HalfPlanes:
    """``h(x) = 1 iff u x_1 + v x_2 >= b``; a hypothesis is the row (u, v, b) of integers without a common factor.

    All-0 and all-1 are among them. Points are integers, fractions or doubles, taken as exactly what they are; rows are
    64-bit integers where these suffice, else Python's. One rule, ``through``: the boundary goes through the nearest
    of the points labelled 1.

    Source: alon2019:alg-1 (dichotomy enumeration).

    Examples
    --------
    >>> square = [(0, 0), (0, 1), (1, 0), (1, 1)]
    >>> len(HalfPlanes().representatives(square))  # all but the two diagonals
    14
    >>> HalfPlanes().predict([[1, 1, 1]], square).tolist()
    [[0, 1, 1, 1]]
    """

    rules: ClassVar[tuple[str, ...]] = ("through",)
    vc_dimension: ClassVar[int] = 3
    littlestone_dimension: ClassVar[float] = float("inf")

    def points(self, values: Any) -> NDArray[Any]:
        """Points as an array (m, 2): of 64-bit integers, or of Python's integers and fractions."""
        whole, scale = exact_plane(values)
        if scale == 1:
            return whole
        return np.array([_over(int(c), scale) for c in whole.ravel()], dtype=object).reshape(whole.shape)

    def representatives(self, points: Any, rule: Rule = None) -> NDArray[Any]:
        """A half-plane for each dichotomy, shape (k, 3).

        Projections keep their order while a direction turns between two neighbouring normals of lines through two
        points; from each such arc one direction is taken, and cut between the projections.
        """
        checked_rule(rule, self.rules)
        whole, scale = exact_plane(points)
        whole = _distinct(whole)
        if not len(whole):
            return np.array([[0, 0, 1]], dtype=np.int64)
        directions = _directions(whole)
        labels, rows = [], []
        step = max(1, _CELLS // (len(whole) + 1) ** 2)
        for start in range(0, len(directions), step):
            some_labels, some_rows = _cuts(directions[start : start + step], whole)
            labels.append(some_labels)
            rows.append(some_rows)
        every, hypotheses = np.concatenate(labels), np.concatenate(rows)
        hypotheses = hypotheses[distinct_rows(every)]
        if scale != 1:  # u X + v Y >= b for X = scale x
            hypotheses = hypotheses.astype(object)
            hypotheses[:, :2] = hypotheses[:, :2] * scale
        common = np.gcd.reduce(hypotheses, axis=1)
        return as_small(hypotheses // np.maximum(common, 1)[:, None])

    def predict(self, hypotheses: Any, points: Any) -> NDArray[np.uint8]:
        """``u x_1 + v x_2 >= b`` for each half-plane and point, shape (k, m); exact."""
        whole, scale = exact_plane(points)
        rows = np.asarray(hypotheses).reshape(-1, 3)
        largest = max((abs(int(c)) for c in (rows.max(initial=0), rows.min(initial=0))), default=0)
        if rows.dtype == object or whole.dtype == object or largest * scale >= 2**31:
            rows, whole = rows.astype(object), whole.astype(object)
        projected = rows[:, :2] @ whole.T
        return np.asarray(projected >= rows[:, 2:] * scale).astype(np.uint8)


def _over(numerator: int, scale: int) -> Any:
    from fractions import Fraction

    return Fraction(numerator, scale)


def _distinct(whole: NDArray[Any]) -> NDArray[Any]:
    if whole.dtype != object:
        return np.unique(whole, axis=0)
    return np.array(sorted(set(map(tuple, whole.tolist()))), dtype=object).reshape(-1, 2)


def _directions(whole: NDArray[Any]) -> NDArray[Any]:
    """One direction strictly inside each arc between neighbouring critical ones, shape (arcs, 2)."""
    one, other = np.triu_indices(len(whole), 1)
    apart = whole[other] - whole[one]
    normals = np.stack([-apart[:, 1], apart[:, 0]], axis=1)
    normals = normals // np.gcd(np.abs(normals[:, :1]), np.abs(normals[:, 1:]))
    critical = _distinct(np.concatenate([normals, -normals, np.array(_AXES, dtype=normals.dtype)]))
    turned = _by_angle(critical)
    return np.asarray(turned + np.roll(turned, -1, axis=0))


def _by_angle(directions: NDArray[Any]) -> NDArray[Any]:
    """Distinct primitive directions in the order of their angles, from 0 on."""
    if directions.dtype != object:
        x, y = directions.astype(np.float64).T
        order = directions[np.argsort(np.arctan2(y, x) % (2 * math.pi), kind="stable")]
        after = np.roll(order, -1, axis=0)
        if (order[:, 0] * after[:, 1] - order[:, 1] * after[:, 0] > 0).all():
            return order  # each turns left to the next by less than half a turn: no rounding has misled the sort

    def half(d: tuple[int, int]) -> int:
        return 0 if d[1] > 0 or (d[1] == 0 and d[0] > 0) else 1

    def compare(a: tuple[int, int], b: tuple[int, int]) -> int:
        return half(a) - half(b) or b[0] * a[1] - b[1] * a[0]

    ordered = sorted(map(tuple, directions.tolist()), key=cmp_to_key(compare))
    return np.array(ordered, dtype=directions.dtype)


def _cuts(directions: NDArray[Any], whole: NDArray[Any]) -> tuple[NDArray[np.uint8], NDArray[Any]]:
    """The dichotomies of some directions, each once: labels (k, m) and half-planes (k, 3)."""
    m = len(whole)
    projected = directions @ whole.T
    order = np.argsort(projected, axis=1)
    rank = np.empty_like(order)
    np.put_along_axis(rank, order, np.broadcast_to(np.arange(m), order.shape), axis=1)
    # the boundary through the lowest point labelled 1; above all for none
    levels = np.take_along_axis(projected, order, axis=1)
    levels = np.concatenate([levels, levels[:, -1:] + 1], axis=1)
    labels = (rank[:, None, :] >= np.arange(m + 1)[None, :, None]).astype(np.uint8).reshape(-1, m)
    kept = distinct_rows(labels)
    rows = np.concatenate([np.repeat(directions, m + 1, axis=0), levels.reshape(-1, 1)], axis=1)
    return labels[kept], rows[kept]
