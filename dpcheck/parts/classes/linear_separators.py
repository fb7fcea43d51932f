"""Closed half-spaces whose boundary goes through the origin, of any dimension, in exact arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product
from math import comb
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.origin_half_planes import OriginHalfPlanes
from dpcheck.parts.classes.points import (
    as_fractions,
    as_small,
    distinct_rows,
    exact_points,
    exact_products,
    exact_signs,
    integer_rows,
    primitive_rows,
    whole_number,
)
from dpcheck.parts.classes.representatives import Rule, checked_rule

#: Determinants are expanded over the subsets of the coordinates.
_MOST_DIMENSIONS = 12
#: Critical directions are sought among so many sets of points, and moved to so many sides of these.
_MOST_SETS = 1 << 15
_MOST_MOVES = 1 << 19
#: Cells of the arrays that are worked on at once: they stay within some tens of megabytes.
_CELLS = 1 << 22


@dataclass(frozen=True)
class LinearSeparators:
    """``h_w(x) = 1 iff w . x >= 0`` for w other than 0 (on the sphere, in the papers); w is a row of n integers.

    Points are integers, fractions or doubles, taken as exactly what they are, in any position: collinear, antipodal,
    repeated, in a common subspace, or 0, which every hypothesis labels 1. Rules: ``inside`` (as few points as can be
    on the boundary), ``boundary`` (as many). In the plane these are the
    :class:`~dpcheck.parts.classes.OriginHalfPlanes`.

    Parameters
    ----------
    dimension : int, 2 to 12
        n.

    Raises
    ------
    InvalidArgument
        When it is no such integer.

    Source: chaudhuri2011:alg-2 (dichotomies of H_linear); in general position there are
    ``2 sum_{k < n} C(m - 1, k)`` (Cover 1965, doi:10.1109/PGEC.1965.264137).

    Examples
    --------
    >>> family = LinearSeparators(3)
    >>> len(family.representatives([(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)]))
    14
    >>> family.predict([(1, -1, 0)], [(2, 1, 0), (1, 1, 5), (0, 1, 1)]).tolist()
    [[1, 1, 0]]
    """

    dimension: int
    rules: ClassVar[tuple[str, ...]] = OriginHalfPlanes.rules
    littlestone_dimension: ClassVar[float] = float("inf")

    def __post_init__(self) -> None:
        object.__setattr__(self, "dimension", whole_number("dimension", self.dimension, 2, _MOST_DIMENSIONS))

    @property
    def vc_dimension(self) -> int:
        """n: independent points are shattered, and of n + 1 points one is a combination of others."""
        return self.dimension

    def points(self, values: Any) -> NDArray[Any]:
        """Points as an array (m, n): of 64-bit integers, or of Python's integers and fractions."""
        return as_fractions(*exact_points(values, self.dimension))

    def representatives(self, points: Any, rule: Rule = None) -> NDArray[Any]:
        """A half-space for each dichotomy, shape (k, n).

        Raises
        ------
        InvalidArgument
            When, outside the plane, m distinct lines through points have more than 2^15 sets of n - 1, or more than
            2^(20 - n).
        """
        chosen = str(checked_rule(rule, self.rules))
        whole, _ = exact_points(points, self.dimension)
        if self.dimension == 2:
            return OriginHalfPlanes().representatives(whole, chosen)
        whole = whole[(whole != 0).any(axis=1)]
        if not len(whole):
            return np.eye(1, self.dimension, dtype=np.int64)
        directions = _Directions.of(whole)
        axes = _independent_columns(directions.lines)
        found = _realising(directions.on(np.ones(len(directions.lines), dtype=bool), axes), chosen)
        rows = np.zeros((len(found), self.dimension), dtype=object)
        rows[:, axes] = found
        if len(axes) < self.dimension:  # with all points on the boundary, all are labelled 1
            rows = np.concatenate([_orthogonal(directions.lines, axes)[None], rows])
            rows = _chosen(rows, directions.vectors, chosen)
        return as_small(rows)

    def predict(self, hypotheses: Any, points: Any) -> NDArray[np.uint8]:
        """``w . x >= 0`` for each w and x, shape (k, m); exact."""
        return exact_signs(integer_rows(hypotheses, self.dimension), exact_points(points, self.dimension)[0])

    def mistakes(self, hypotheses: Any, x: Any, y: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Mistakes of each half-space on n records, shape (k,); exact, O(k n), less in the plane."""
        if self.dimension == 2:
            return OriginHalfPlanes().mistakes(hypotheses, x, y)
        rows, (whole, _) = integer_rows(hypotheses, self.dimension), exact_points(x, self.dimension)
        cost = 1.0 - 2.0 * np.asarray(y)  # a prediction of 1 costs a 0 and saves a 1; doubles sum such numbers exactly
        step = max(1, _CELLS // max(1, len(whole)))
        parts = [exact_signs(rows[start : start + step], whole) @ cost for start in range(0, len(rows), step)]
        return np.asarray(np.sum(y, dtype=np.int64) + np.concatenate([np.zeros(0), *parts]).astype(np.int64))


@dataclass(frozen=True, eq=False)
class _Directions:
    """Points but for their lengths: lines through the origin, shape (q, r) of rank r, and on which sides points lie."""

    lines: NDArray[Any]
    ahead: NDArray[np.bool_]
    behind: NDArray[np.bool_]

    @staticmethod
    def of(vectors: NDArray[Any]) -> _Directions:
        sides: dict[tuple[int, ...], list[bool]] = {}
        for vector in map(tuple, primitive_rows(vectors).tolist()):
            forward = next(c for c in vector if c) > 0
            line = vector if forward else tuple(-c for c in vector)
            sides.setdefault(line, [False, False])[not forward] = True
        lines = sorted(sides)
        ahead, behind = np.array([sides[line] for line in lines], dtype=bool).T
        return _Directions(as_small(np.array(lines, dtype=object)), ahead, behind)

    @property
    def vectors(self) -> NDArray[Any]:
        return np.concatenate([self.lines[self.ahead], -self.lines[self.behind]])

    def on(self, which: NDArray[np.bool_], axes: list[int]) -> _Directions:
        """Some of them in other coordinates: the columns ``axes``, which tell them apart."""
        return _Directions.of(
            np.concatenate([self.lines[which & self.ahead], -self.lines[which & self.behind]])[:, axes]
        )


def _realising(points: _Directions, rule: str) -> NDArray[Any]:
    """A w other than 0 for each dichotomy of vectors that span the space, shape (k, r).

    The sets of w with equal signs on all points are open cones, and each has one of the critical directions, where
    r - 1 independent points are on the boundary, in its closure. So every dichotomy is that of a critical direction
    moved a little; what the move does to the points on the boundary is the same question for them, in a space of one
    dimension less: no move at all, or one of the answers there.
    """
    dimension = points.lines.shape[1]
    if dimension == 1:
        return np.array([[1], [-1]])
    if dimension == 2:
        return OriginHalfPlanes().representatives(points.vectors, rule)
    vectors = points.vectors
    found = np.zeros((0, dimension), dtype=object)
    waiting: list[NDArray[Any]] = []
    cells = 0
    for critical, products in _critical(points.lines):
        waiting.append(_around(critical, products, points, rule))
        cells += len(waiting[-1]) * len(vectors)
        if cells > _CELLS:
            found, waiting, cells = _chosen(np.concatenate([found, *waiting]), vectors, rule), [], 0
    return _chosen(np.concatenate([found, *waiting]), vectors, rule)


def _critical(lines: NDArray[Any]) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """One w of each critical direction and its opposite, with its products with the lines."""
    count, dimension = lines.shape
    most = min(_MOST_SETS, _MOST_MOVES >> (dimension - 1))  # a set of independent lines has 2^(n - 1) sides or more
    if comb(count, dimension - 1) > most:
        raise InvalidArgument(
            f"points must lie on lines with at most {most:,} sets of {dimension - 1}, got {count} lines with "
            f"{comb(count, dimension - 1):,}"
        )
    sets = np.array(list(combinations(range(count), dimension - 1)))
    normals = _normals(lines[sets])
    normals = primitive_rows(normals[(normals != 0).any(axis=1)])
    distinct = _Directions.of(normals).lines
    return list(zip(distinct.astype(object), exact_products(distinct, lines), strict=True))


def _around(critical: NDArray[Any], products: NDArray[Any], points: _Directions, rule: str) -> NDArray[Any]:
    """A w for each dichotomy near a critical direction and near its opposite, shape (k, r); some perhaps twice."""
    dropped = int(np.flatnonzero(critical)[0])  # the points on the boundary are told apart by the other coordinates
    axes = [axis for axis in range(len(critical)) if axis != dropped]
    boundary = products == 0
    near = points.on(boundary, axes)
    moves = _independent_moves(near, rule) if len(near.lines) == len(axes) else _realising(near, rule)
    moves = np.concatenate([moves.astype(object), np.zeros((1, len(axes)), dtype=object)])
    lifted = np.zeros((len(moves), len(critical)), dtype=object)
    lifted[:, axes] = moves
    away = np.abs(products[~boundary]).astype(object)
    moved = np.abs(exact_products(as_small(lifted), points.lines[~boundary])).astype(object)
    # so far along the critical direction that no point off the boundary changes its side
    factor = int((moved // away).max(initial=0)) + 1
    return np.concatenate([factor * critical + lifted, -factor * critical + lifted])


def _independent_moves(points: _Directions, rule: str) -> NDArray[Any]:
    """What :func:`_realising` finds, and perhaps 0, for as many independent lines as dimensions: all their sides.

    To be on a line is a side of its own where there are points on both its ends, and else what labels its points 1.
    """
    lines = points.lines
    others = np.array([[i for i in range(len(lines)) if i != left] for left in range(len(lines))])
    duals = _normals(lines[others]).astype(object)  # at right angles to all lines but one
    duals = duals * np.sign((duals * lines).sum(axis=1))[:, None]
    sides = [
        (1, -1, 0) if ahead and behind else (1, -1) if rule == "inside" else (0, -1) if ahead else (0, 1)
        for ahead, behind in zip(points.ahead, points.behind, strict=True)
    ]
    return np.asarray(np.array(list(product(*sides)), dtype=object) @ duals)


def _normals(sets: NDArray[Any]) -> NDArray[Any]:
    """The vectors at right angles to each set of r - 1 rows, shape (s, r - 1, r); 0 for dependent rows.

    Their coordinates are the minors of the set, with alternating signs.
    """
    count, size, dimension = sets.shape
    largest = max(abs(int(sets.max(initial=0))), abs(int(sets.min(initial=0))), 1)
    whole = sets if dimension * largest**size * dimension**size < 2**62 else sets.astype(object)
    minors: dict[tuple[int, ...], NDArray[Any]] = {(): np.ones(count, dtype=whole.dtype)}
    for row in range(size):
        minors = {
            columns: sum(
                ((-1) ** (row + place)) * whole[:, row, column] * minors[columns[:place] + columns[place + 1 :]]
                for place, column in enumerate(columns)
            )
            for columns in combinations(range(dimension), row + 1)
        }
    every = tuple(range(dimension))
    return np.stack([(-1) ** axis * minors[every[:axis] + every[axis + 1 :]] for axis in every], axis=1)


def _chosen(rows: NDArray[Any], vectors: NDArray[Any], rule: str) -> NDArray[Any]:
    """One of the rows for each dichotomy: that with the fewest vectors on its boundary, or the most."""
    rows = primitive_rows(rows)
    products = exact_products(rows, vectors)
    on_boundary = (products == 0).sum(axis=1)
    order = np.argsort(on_boundary if rule == "inside" else -on_boundary, kind="stable")
    labels = (products[order] >= 0).astype(np.uint8)
    return np.asarray(rows[np.sort(order[distinct_rows(labels)])]).astype(object)


def _independent_columns(whole: NDArray[Any]) -> list[int]:
    """The first columns that span all of them, by elimination without fractions."""
    left = whole.astype(object)
    found = []
    for column in range(whole.shape[1]):
        places = np.flatnonzero(left[:, column])
        if not len(places):
            continue
        found.append(column)
        pivot = left[places[0]]
        left = np.delete(left, places[0], axis=0)
        left = left * pivot[column] - left[:, column, None] * pivot[None, :]
        common = np.array([max(1, int(np.gcd.reduce(row))) for row in left], dtype=object)
        left = left // common[:, None]
    return found


def _orthogonal(whole: NDArray[Any], axes: list[int]) -> NDArray[Any]:
    """A vector other than 0 at right angles to all rows, which the columns ``axes`` span, fewer than all."""
    extra = next(axis for axis in range(whole.shape[1]) if axis not in axes)
    row = np.zeros(whole.shape[1], dtype=object)
    some = _independent_columns(whole[:, axes].T)
    within = [*axes, extra]
    row[within] = _normals(whole[some][:, within][None])[0]
    return row
