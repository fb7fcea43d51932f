"""Axis-parallel closed boxes of any dimension: of real space, and of the grid {0, ..., side - 1}^dimension."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.finite import MOST_ROWS_FOR_LITTLESTONE, FiniteClass
from dpcheck.parts.classes.grid_intervals import GridIntervals, ordered_pairs
from dpcheck.parts.classes.points import plane_points, whole_number
from dpcheck.parts.classes.rectangles import Rectangles, contained
from dpcheck.parts.classes.representatives import Rule, checked_rule

_MOST_DIMENSIONS = 64
#: More boxes, and grids of more points, are not listed.
_MOST_LISTED = 1 << 24
#: Cells of the arrays that are worked on at once: they stay within some tens of megabytes.
_CELLS = 1 << 22
#: Cells to be worked on for one coordinate: half a minute, and some hundreds of megabytes of boxes in the worst case.
_MOST_CELLS = 1 << 31
#: Grids up to this: 64-bit integers with room for sums of two.
_LARGEST_SIDE = 2**61


@dataclass(frozen=True)
class Boxes:
    """``h(x) = 1 iff a_j <= x_j <= b_j`` for all j; a hypothesis is the row (a_1, b_1, ..., a_l, b_l).

    The empty set is (1, 0, ..., 1, 0). One rule, ``smallest``: the bounding box of the points labelled 1. In the plane
    these are the :class:`~dpcheck.parts.classes.Rectangles`, by their algorithm.

    Parameters
    ----------
    dimension : int, 1 to 64
        l, the number of coordinates.

    Raises
    ------
    InvalidArgument
        When it is no such integer.

    Source: alon2019:alg-1 (dichotomy enumeration).

    Examples
    --------
    >>> Boxes(3).representatives([(0, 5, 1), (2, 3, 1)]).tolist()
    [[1, 0, 1, 0, 1, 0], [0, 0, 5, 5, 1, 1], [0, 2, 3, 5, 1, 1], [2, 2, 3, 3, 1, 1]]
    >>> Boxes(3).predict([[0, 2, 3, 5, 1, 1]], [(1, 4, 1), (1, 4, 2)]).tolist()
    [[1, 0]]
    """

    dimension: int
    rules: ClassVar[tuple[str, ...]] = ("smallest",)
    littlestone_dimension: ClassVar[float] = float("inf")

    def __post_init__(self) -> None:
        object.__setattr__(self, "dimension", whole_number("dimension", self.dimension, 1, _MOST_DIMENSIONS))

    @property
    def vc_dimension(self) -> int:
        """2 l: of shattered points each is alone at one of the 2 l sides of their bounding box."""
        return 2 * self.dimension

    def points(self, values: Any) -> NDArray[Any]:
        """Points as an array (m, l) of integers or doubles."""
        return plane_points(values, self.dimension)

    def representatives(self, points: Any, rule: Rule = None) -> NDArray[Any]:
        """The empty box and every box that is the bounding box of the points in it, shape (k, 2 l).

        Raises
        ------
        InvalidArgument
            When, outside the plane, there are too many to list.
        """
        checked_rule(rule, self.rules)
        found = self.points(points)
        if self.dimension == 2:
            return Rectangles().representatives(found)
        return _bounding_boxes(np.unique(found, axis=0))

    def predict(self, hypotheses: Any, points: Any) -> NDArray[np.uint8]:
        """Whether each box holds each point, shape (k, m)."""
        return contained(np.asarray(hypotheses).reshape(-1, 2 * self.dimension), self.points(points))


@dataclass(frozen=True)
class GridBoxes:
    """The boxes of the grid {0, ..., side - 1}^dimension, rows (a_1, b_1, ..., a_l, b_l) of integers; the empty one
    once, as (1, 0, ..., 1, 0).

    Rule ``smallest``: the bounding box of the points labelled 1.

    Parameters
    ----------
    side : int, 1 to 2^61
    dimension : int, 1 to 64

    Raises
    ------
    InvalidArgument
        When one is no such integer.

    Source: chaudhuri2011:alg-1 (any explicit finite class).

    Examples
    --------
    >>> family = GridBoxes(side=3, dimension=2)
    >>> family.size, family.vc_dimension
    (37, 4)
    >>> family.representatives([(0, 2), (2, 0)]).tolist()
    [[1, 0, 1, 0], [0, 0, 2, 2], [0, 2, 0, 2], [2, 2, 0, 0]]
    """

    side: int
    dimension: int
    rules: ClassVar[tuple[str, ...]] = ("smallest",)

    def __post_init__(self) -> None:
        object.__setattr__(self, "side", whole_number("side", self.side, 1, _LARGEST_SIDE))
        object.__setattr__(self, "dimension", whole_number("dimension", self.dimension, 1, _MOST_DIMENSIONS))

    @property
    def vc_dimension(self) -> int:
        """2 l for sides of at least 3; of 2, the larger of 2 and l; of 1, 1.

        Of shattered points each is the only one at some end of some coordinate. With two values, one coordinate has
        only points at its ends, so it serves one of three points or more; the l unit vectors are served so.
        """
        if self.side == 1:
            return 1
        return 2 * self.dimension if self.side > 2 else max(2, self.dimension)

    @property
    def littlestone_dimension(self) -> int | None:
        """Of one dimension that of :class:`GridIntervals`; computed for up to 64 boxes, else None."""
        if self.dimension == 1:
            return GridIntervals(self.side).littlestone_dimension
        if self.size > MOST_ROWS_FOR_LITTLESTONE:
            return None
        return FiniteClass(self.predict(self.everything(), self.domain())).littlestone_dimension

    @property
    def size(self) -> int:
        """``(side (side + 1) / 2)^dimension + 1``."""
        return int((self.side * (self.side + 1) // 2) ** self.dimension + 1)

    def everything(self) -> NDArray[np.int64]:
        """All boxes, the empty one first, shape (size, 2 l).

        Raises
        ------
        InvalidArgument
            When there are more than 2^24.
        """
        if self.size > _MOST_LISTED:
            raise InvalidArgument(f"side must give at most {_MOST_LISTED:,} boxes to be listed, got {self.size:,}")
        ends = np.stack(np.triu_indices(self.side), axis=1)
        chosen = np.indices((len(ends),) * self.dimension).reshape(self.dimension, -1).T
        return np.concatenate([_empty(self.dimension, np.int64), ends[chosen].reshape(len(chosen), -1)])

    def domain(self) -> NDArray[np.int64]:
        """All points, shape (side^dimension, dimension)."""
        if self.side**self.dimension > _MOST_LISTED:
            raise InvalidArgument(f"side must give a grid of at most {_MOST_LISTED:,} points, got {self.side}")
        return np.indices((self.side,) * self.dimension, dtype=np.int64).reshape(self.dimension, -1).T

    def points(self, values: Any) -> NDArray[np.int64]:
        """Points as an array (m, l) of integers of the grid."""
        array = plane_points(values, self.dimension)
        if array.size and not (0 <= array.min() <= array.max() < self.side and (array == np.floor(array)).all()):
            raise InvalidArgument(
                f"points must be integers from 0 to {self.side - 1}, got an array of {array.dtype} with "
                f"{array[0].tolist()}"
            )
        return array.astype(np.int64)

    def representatives(self, points: Any, rule: Rule = None) -> NDArray[np.int64]:
        """The empty box and every box that is the bounding box of the points in it, shape (k, 2 l)."""
        checked_rule(rule, self.rules)
        return Boxes(self.dimension).representatives(self.points(points))

    def predict(self, hypotheses: Any, points: Any) -> NDArray[np.uint8]:
        """Whether each box holds each point, shape (k, m)."""
        return contained(_grid_rows(hypotheses, self.dimension), self.points(points))

    def mistakes(self, hypotheses: Any, x: Any, y: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Mistakes of each box on n records, shape (k,); exact.

        Sums over boxes from a table of sums over the boxes at the corner 0, of as many entries as the grid of the
        distinct coordinates has; by predicting where that table were larger than the predictions.
        """
        boxes, seen = _grid_rows(hypotheses, self.dimension), self.points(x)
        cost = 1 - 2 * np.asarray(y, dtype=np.int64)  # a prediction of 1 costs a 0 and saves a 1
        ones = int(np.sum(y, dtype=np.int64))
        axes = [np.unique(column) for column in seen.T]
        # a table has at least as many entries as corners, and those of each box are summed
        many = float(np.prod([len(axis) + 1.0 for axis in axes])) > max(_CELLS, len(boxes) * len(seen))
        if many or 2**self.dimension > self.dimension * max(len(seen), 4):
            step = max(1, _CELLS // max(1, len(seen)))
            parts = [contained(boxes[i : i + step], seen) @ cost for i in range(0, len(boxes), step)]
            return ones + np.concatenate([np.zeros(0, dtype=np.int64), *parts])
        table = np.zeros([len(axis) + 1 for axis in axes], dtype=np.int64)
        places = [np.searchsorted(axis, column) + 1 for axis, column in zip(axes, seen.T, strict=True)]
        np.add.at(table, tuple(places), cost)
        for axis in range(self.dimension):
            np.cumsum(table, axis=axis, out=table)
        first = [np.searchsorted(axis, boxes[:, 2 * j], side="left") for j, axis in enumerate(axes)]
        behind = [np.searchsorted(axis, boxes[:, 2 * j + 1], side="right") for j, axis in enumerate(axes)]
        held = np.zeros(len(boxes), dtype=np.int64)
        for corner in product((0, 1), repeat=self.dimension):
            sign = (-1) ** (self.dimension - sum(corner))
            held += sign * table[tuple(behind[j] if beyond else first[j] for j, beyond in enumerate(corner))]
        full = (boxes[:, ::2] <= boxes[:, 1::2]).all(axis=1)  # an end before its beginning would count points off
        return np.asarray(ones + np.where(full, held, 0), dtype=np.int64)


def _grid_rows(hypotheses: Any, dimension: int) -> NDArray[np.int64]:
    return np.asarray(hypotheses, dtype=np.int64).reshape(-1, 2 * dimension)


def _empty(dimension: int, dtype: Any) -> NDArray[Any]:
    return np.array([(1, 0) * dimension], dtype=dtype)


def _bounding_boxes(points: NDArray[Any]) -> NDArray[Any]:
    """The empty box and the bounding boxes of sets of distinct points, each once.

    Coordinate by coordinate, every pair of ends among the values there is tried on the points still inside; a box is
    kept while the points inside reach all ends chosen so far, for then it is a bounding box.
    """
    m, dimension = points.shape
    if not m:
        return _empty(dimension, points.dtype)
    if dimension == 1:
        ordered = np.sort(points[:, 0])
        return np.concatenate([_empty(1, points.dtype), ordered[np.stack(ordered_pairs(m), axis=1)]])
    values, ranks = zip(*(np.unique(column, return_inverse=True) for column in points.T), strict=True)
    inside, ends = np.ones((1, m), dtype=bool), np.zeros((1, 0), dtype=np.int64)
    for axis in range(dimension):
        # all slabs of the first coordinate are kept, so what the second makes of them is known before either is made
        tried = [len(some) * (len(some) + 1) // 2 for some in values[axis : axis + 1 + (axis == 0)]]
        boxes_tried = len(inside) * prod(tried)
        if boxes_tried * m > _MOST_CELLS:
            raise InvalidArgument(
                f"points must have fewer boxes to be listed in {dimension} dimensions, got {m} different ones: "
                f"{boxes_tried:,} or more would be tried, and at most {_MOST_CELLS // m:,} are; give fewer points"
            )
        low, high = np.triu_indices(len(values[axis]))
        at_once = max(1, _CELLS // m)  # slabs, of one box or of several
        step = max(1, at_once // len(low))
        kept_inside, kept_ends = [], []
        for start, first in product(range(0, len(inside), step), range(0, len(low), at_once)):
            pairs = np.stack([low[first : first + at_once], high[first : first + at_once]], axis=1)
            rank = ranks[axis].reshape(-1)[None, :]
            slabs = (pairs[:, :1] <= rank) & (rank <= pairs[:, 1:])
            some = (inside[start : start + step, None, :] & slabs[None, :, :]).reshape(-1, m)
            earlier = np.repeat(ends[start : start + step], len(slabs), axis=0)
            some_ends = np.concatenate([earlier, np.tile(pairs, (len(some) // len(slabs), 1))], axis=1)
            reached = some.any(axis=1)
            for j in range(axis + 1):
                rank = ranks[j].reshape(-1)[None, :]
                reached &= np.where(some, rank, m).min(axis=1) == some_ends[:, 2 * j]
                reached &= np.where(some, rank, -1).max(axis=1) == some_ends[:, 2 * j + 1]
            kept_inside.append(some[reached])
            kept_ends.append(some_ends[reached])
        inside, ends = np.concatenate(kept_inside), np.concatenate(kept_ends)
    boxes = np.stack([values[column // 2][ends[:, column]] for column in range(2 * dimension)], axis=1)
    return np.concatenate([_empty(dimension, points.dtype), boxes])
