"""Axis-parallel closed rectangles of the plane, the empty one included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.classes.points import plane_points
from dpcheck.classes.representatives import Rule, checked_rule

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
        """
        checked_rule(rule, self.rules)
        found = self.points(points)
        xs, column = np.unique(found[:, 0], return_inverse=True)
        ys, row = np.unique(found[:, 1], return_inverse=True)
        grid = np.zeros((len(xs), len(ys)), dtype=bool)
        grid[column, row] = True
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
