"""Closed half-planes, in exact arithmetic: collinear and repeated points are what they are."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.directions import by_angle
from dpcheck.parts.classes.points import as_small, distinct_rows, exact_points
from dpcheck.parts.classes.representatives import Rule, checked_rule

#: Directions worked on at once, times points: some tens of megabytes.
_CELLS = 1 << 20
#: Dichotomies times points: half a minute, and some hundreds of megabytes; of Python's numbers a fourth takes as long.
_MOST_CELLS = 1 << 28
_MOST_CELLS_OF_OBJECTS = 1 << 26
#: Doubles hold all integers up to this; their products are the faster ones.
_WHOLE_DOUBLES = 2**53
_WHOLE_INTEGERS = 2**63
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
        whole, scale = exact_points(values)
        if scale == 1:
            return whole
        return np.array([Fraction(int(c), scale) for c in whole.ravel()], dtype=object).reshape(whole.shape)

    def representatives(self, points: Any, rule: Rule = None) -> NDArray[Any]:
        """A half-plane for each dichotomy, shape (k, 3).

        Projections keep their order while a direction turns between two neighbouring normals of lines through two
        points; from each such arc one direction is taken, and cut between the projections where the arc before it
        could not be. O(m^3 log m) for m distinct points, which have O(m^2) dichotomies.

        Raises
        ------
        InvalidArgument
            When there are too many points for all to be listed (645 whole numbers in 64 bits, 406 of others).
        """
        checked_rule(rule, self.rules)
        whole, scale = exact_points(points)
        whole = _distinct(whole)
        if not len(whole):
            return np.array([[0, 0, 1]], dtype=np.int64)
        _check_count(len(whole), _MOST_CELLS_OF_OBJECTS if whole.dtype == object else _MOST_CELLS)
        directions = _directions(whole)
        labels, rows = [], []
        before = None
        step = max(1, _CELLS // (len(whole) + 1))
        for start in range(0, len(directions), step):
            some_labels, some_rows, before = _new_cuts(directions[start : start + step], whole, before)
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
        rows, whole = _comparable(hypotheses, points)
        return _inside(rows, whole).astype(np.uint8)

    def mistakes(self, hypotheses: Any, x: Any, y: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Mistakes of each half-plane on n records, shape (k,); exact, O(k n)."""
        rows, whole = _comparable(hypotheses, x)
        cost = 1.0 - 2.0 * y  # a prediction of 1 costs a 0 and saves a 1; doubles sum such numbers exactly
        step = max(1, _CELLS // (len(whole) + 1))
        parts = [_inside(rows[start : start + step], whole) @ cost for start in range(0, len(rows), step)]
        return np.asarray(np.sum(y, dtype=np.int64) + np.concatenate([np.zeros(0), *parts]).astype(np.int64))


def _check_count(m: int, most: int) -> None:
    dichotomies = m * (m - 1) + 2  # of points of which no three are on a line
    if m * dichotomies > most:
        raise InvalidArgument(
            f"points must have at most {most // m:,} dichotomies by half-planes, got {m:,} different points with up to "
            f"{dichotomies:,}: give fewer points"
        )


def _comparable(hypotheses: Any, points: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """Rows (u, v, b) and points (m, 2) with ``u x_1 + v x_2 >= b`` exact as it stands: doubles, 64 bits or Python's."""
    whole, scale = exact_points(points)
    rows = np.asarray(hypotheses).reshape(-1, 3)
    if rows.dtype.kind == "f":
        rows = np.array([Fraction(c) for c in rows.ravel().tolist()], dtype=object).reshape(-1, 3)
    integers = rows.dtype != object or bool((rows % 1 == 0).all())
    steepest, furthest = _largest(rows[:, :2]), _largest(whole)
    # no sum, no boundary and no number in them is larger, of rows of zeros neither
    reach = max(2 * max(1, steepest) * max(1, furthest), max(1, _largest(rows[:, 2])) * scale)
    kind: Any = object
    if integers and reach < _WHOLE_INTEGERS:
        kind = np.float64 if reach < _WHOLE_DOUBLES else np.int64
    boundary = rows[:, 2:].astype(object if kind is object else np.int64) * scale
    return np.concatenate([rows[:, :2].astype(kind), boundary.astype(kind)], axis=1), whole.astype(kind)


def _largest(numbers: NDArray[Any]) -> int:
    """The largest absolute value, without its fraction; 0 of none."""
    return max(abs(int(numbers.max(initial=0))), abs(int(numbers.min(initial=0))))


def _inside(rows: NDArray[Any], whole: NDArray[Any]) -> NDArray[np.bool_]:
    return np.asarray(rows[:, :2] @ whole.T >= rows[:, 2:], dtype=np.bool_)


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
    turned = by_angle(critical)
    return np.asarray(turned + np.roll(turned, -1, axis=0))


def _new_cuts(
    directions: NDArray[Any], whole: NDArray[Any], before: NDArray[np.intp] | None
) -> tuple[NDArray[np.uint8], NDArray[Any], NDArray[np.intp]]:
    """The dichotomies of some directions that the direction before has not: labels (k, m) and half-planes (k, 3).

    ``before`` is the order of the points along the direction before the first; of no direction all are new. The order
    along the last direction is the third part of the answer.

    A dichotomy is that of consecutive directions, so it comes up once, or twice where these include the first one.
    """
    m = len(whole)
    projected = directions @ whole.T
    order = np.argsort(projected, axis=1)
    rank = _ranks(order)
    # c points are below a cut, and they were below one before, when the largest of their ranks there is c - 1
    earlier = np.concatenate([_ranks(order[:1] if before is None else before[None]), rank[:-1]])
    largest = np.maximum.accumulate(np.take_along_axis(earlier, order, axis=1), axis=1)
    new = np.zeros((len(directions), m + 1), dtype=bool)
    new[:, 1:] = largest != np.arange(m)
    new[0] |= before is None
    arc, below = np.nonzero(new)
    # the boundary through the lowest point labelled 1; above all for none
    levels = np.take_along_axis(projected, order, axis=1)
    levels = np.concatenate([levels, levels[:, -1:] + 1], axis=1)[arc, below]
    labels = (rank[arc] >= below[:, None]).astype(np.uint8)
    return labels, np.concatenate([directions[arc], levels[:, None]], axis=1), order[-1]


def _ranks(order: NDArray[np.intp]) -> NDArray[np.intp]:
    """The place of each point in orders of shape (k, m)."""
    rank = np.empty_like(order)
    np.put_along_axis(rank, order, np.broadcast_to(np.arange(order.shape[1]), order.shape), axis=1)
    return rank
