"""Axis-parallel closed rectangles of the plane, the empty one included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.discrete import MOST_DICHOTOMIES
from dpcheck.parts.classes.points import plane_points
from dpcheck.parts.classes.representatives import Rule, checked_rule

#: Up to so many cells of work the boxes that are too many are counted to the last.
_MOST_COUNTED = 1 << 28
#: The empty rectangle: its sides end before they begin.
_EMPTY = (1, 0, 1, 0)


@dataclass(frozen=True)
class Rectangles:
    """``h(x, y) = 1 iff a <= x <= b and c <= y <= d``; a hypothesis is the row (a, b, c, d), the empty set
    (1, 0, 1, 0).

    One rule, ``smallest``: the bounding box of the points labelled 1.

    Source: alon2019:alg-1 (dichotomy enumeration).

    Examples
    --------
    >>> Rectangles().representatives([(0, 5), (2, 3)]).tolist()
    [[1, 0, 1, 0], [0, 0, 5, 5], [0, 2, 3, 5], [2, 2, 3, 3]]
    >>> Rectangles().predict([[0, 2, 3, 5]], [(1, 4), (1, 6)]).tolist()
    [[1, 0]]
    """

    rules: ClassVar[tuple[str, ...]] = ("smallest",)
    vc_dimension: ClassVar[int] = 4
    littlestone_dimension: ClassVar[float] = float("inf")

    def points(self, values: Any) -> NDArray[Any]:
        """Points as an array (m, 2) of integers or doubles."""
        return plane_points(values)

    def representatives(self, points: Any, rule: Rule = None) -> NDArray[Any]:
        """The empty rectangle and every box that is the bounding box of the points in it, shape (k, 4).

        Boxes with points on all four sides are the dichotomies, so none needs to be compared with another.

        Raises
        ------
        InvalidArgument
            When there are more than 2^22, as 160 points in general position have.
        """
        checked_rule(rule, self.rules)
        found = self.points(points)
        _check_pairs(len(np.unique(found, axis=0)) if len(found) ** 2 > MOST_DICHOTOMIES else len(found))
        xs, column = np.unique(found[:, 0], return_inverse=True)
        ys, row = np.unique(found[:, 1], return_inverse=True)
        grid = np.zeros((len(xs), len(ys)), dtype=bool)
        grid[column, row] = True
        _check_number(len(found), *_number_of_boxes(grid))
        in_column = _any_between(grid)  # [i, c, d]: column i has a point with c <= row <= d
        in_row = _any_between(grid.T)  # [j, a, b]
        boxes = [np.array([_EMPTY], dtype=found.dtype)]
        for a in range(len(xs)):  # a slice at a time: all four sides at once would take m^4 cells
            sides = in_column[a][None, :, :] & in_column[a:, :, :]  # [b, c, d]
            rows = in_row[:, a, a:].T  # [b, j]
            b, c, d = np.nonzero(sides & rows[:, :, None] & rows[:, None, :])
            boxes.append(np.stack([np.full(len(b), xs[a]), xs[a + b], ys[c], ys[d]], axis=1))
        return np.concatenate(boxes)

    def predict(self, hypotheses: Any, points: Any) -> NDArray[np.uint8]:
        """Whether each rectangle holds each point, shape (k, m)."""
        return contained(np.asarray(hypotheses).reshape(-1, 4), self.points(points))


def _check_pairs(m: int) -> None:
    """Refuses so many distinct points that the boxes of two of them are too many; the grid need not be made."""
    least = m + m * (m - 1) // 4  # a box is that of two pairs of points at most
    if least > MOST_DICHOTOMIES:
        raise InvalidArgument(_too_many(m, f"at least {least:,}"))


def _check_number(m: int, number: int, exact: bool) -> None:
    if number > MOST_DICHOTOMIES:
        raise InvalidArgument(_too_many(m, f"{number:,}" if exact else f"more than {number:,}"))


def _too_many(m: int, number: str) -> str:
    return (
        f"points must have at most {MOST_DICHOTOMIES:,} dichotomies by rectangles, got {m:,} points with {number}: "
        "give fewer points, or points with fewer different coordinates"
    )


def _number_of_boxes(grid: NDArray[np.bool_]) -> tuple[int, bool]:
    """How many rows :meth:`Rectangles.representatives` has, without listing them; and whether all were counted.

    Of the columns a to b and the lowest row c, the highest row is any that holds a point there from the first on at
    which both of these columns have one: a cube of work for a fourth power of boxes.

    Examples
    --------
    >>> _number_of_boxes(np.eye(2, dtype=bool))
    (4, True)
    """
    columns, rows = grid.shape
    places = np.where(grid, np.arange(rows), rows)
    following = np.minimum.accumulate(places[:, ::-1], axis=1)[:, ::-1]  # the first point of a column from a row on
    few = columns * columns * rows <= _MOST_COUNTED
    number = 1
    for a in range(columns):
        held = np.maximum.accumulate(grid[a:], axis=0)
        above = np.zeros((columns - a, rows + 1), dtype=np.int64)
        above[:, :rows] = np.cumsum(held[:, ::-1], axis=1)[:, ::-1]
        first = np.maximum(following[a], following[a:])
        number += int(np.take_along_axis(above, first, axis=1)[held].sum())
        if not few and number > MOST_DICHOTOMIES:
            return number, a == columns - 1
    return number, True


def contained(boxes: NDArray[Any], points: NDArray[Any]) -> NDArray[np.uint8]:
    """Whether each box, a row (a_1, b_1, a_2, b_2, ...), holds each point, a row (x_1, x_2, ...); shape (k, m).

    Examples
    --------
    >>> contained(np.array([[0, 1], [2, 4]]), np.array([[1], [2]])).tolist()
    [[1, 0], [0, 1]]
    """
    inside = np.ones((len(boxes), len(points)), dtype=bool)
    for axis in range(points.shape[1]):  # as many steps as coordinates: all at once would be so many times the memory
        x = points[:, axis][None, :]
        inside &= (boxes[:, 2 * axis, None] <= x) & (x <= boxes[:, 2 * axis + 1, None])
    return inside.astype(np.uint8)


def _any_between(grid: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """``[i, c, d]``: whether row i of the grid has an entry from c to d; False where d < c."""
    count = np.concatenate([np.zeros((len(grid), 1), dtype=np.int64), np.cumsum(grid, axis=1)], axis=1)
    return np.asarray(count[:, None, 1:] > count[:, :-1, None])
