"""Thresholds ``h_t(x) = 1 iff x >= t`` on the line and on the grid {0, ..., N - 1}."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.classes.points import real_points, whole_number, whole_points
from dpcheck.classes.representatives import Adversarial, Rule, as_summable, checked_rule

#: Grids up to this: the numbers of their points and thresholds are 64-bit integers with room for sums of two.
LARGEST_GRID = 2**61
_RULES = ("lowest", "highest", "middle")


@dataclass(frozen=True)
class Thresholds:
    """Thresholds on the line: ``t`` any double, ``-inf`` (always 1) and ``inf`` (always 0) included.

    The m distinct points ``u_1 < ... < u_m`` make the cells ``(-inf, u_1], (u_1, u_2], ..., (u_m, inf)`` of t, one for
    each dichotomy. Rules: ``lowest`` (the first double of the cell), ``highest``, ``middle`` (midpoints; infinities at
    the two ends), or an :class:`~dpcheck.classes.Adversarial`.

    Source: alon2019:alg-1.

    Examples
    --------
    >>> Thresholds().representatives([0.5, 0.25, 0.5], "highest").tolist()
    [0.25, 0.5, inf]
    >>> Thresholds().predict([0.25, 0.5], [0.1, 0.3, 0.5]).tolist()
    [[0, 1, 1], [0, 0, 1]]
    """

    rules: ClassVar[tuple[str, ...]] = _RULES
    vc_dimension: ClassVar[int] = 1
    littlestone_dimension: ClassVar[float] = float("inf")

    def points(self, values: Any) -> NDArray[np.float64]:
        """Points as doubles, shape (m,)."""
        return real_points(values)

    def cells(self, points: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The first and the last double of each cell of t, shapes (m + 1,), for m distinct points."""
        distinct = np.unique(self.points(points)) + 0.0  # -0.0 and 0.0 are one point
        lows = np.concatenate([[-np.inf], np.nextafter(distinct, np.inf)])
        return lows, np.concatenate([distinct, [np.inf]])

    def representatives(self, points: Any, rule: Rule = None) -> NDArray[np.float64]:
        """A threshold for each of the m + 1 dichotomies, increasing; O(m log m)."""
        chosen = checked_rule(rule, self.rules, adversarial=True)
        lows, highs = self.cells(points)
        if isinstance(chosen, Adversarial):
            return _worst(chosen, lows, real_points(chosen.x), lambda v: np.nextafter(v, np.inf))
        if chosen == "middle":
            inner = highs[:-2] / 2 + highs[1:-1] / 2
            between = np.clip(inner, lows[1:-1], highs[1:-1])  # the midpoint of neighbouring doubles is one of them
            ends = [-np.inf] if len(lows) == 1 else [-np.inf, np.inf]
            return np.concatenate([ends[:1], between, ends[1:]])
        return lows if chosen == "lowest" else highs

    def predict(self, hypotheses: Any, points: Any) -> NDArray[np.uint8]:
        """``x >= t`` for each t and x, shape (k, m)."""
        return _predicted(np.asarray(hypotheses, dtype=np.float64), self.points(points))

    def mistakes(self, hypotheses: Any, x: Any, y: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Mistakes of each threshold on n records, shape (k,); O((n + k) log n)."""
        return _mistakes(np.asarray(hypotheses, dtype=np.float64), self.points(x), y)


@dataclass(frozen=True)
class GridThresholds:
    """Thresholds on the points {0, ..., N - 1}: t in {0, ..., N}, that is N + 1 hypotheses.

    Rules: ``lowest`` (0 and ``u_i + 1``), ``highest`` (``u_i`` and N), ``middle`` (``(low + high) // 2`` of the
    cell), or an :class:`~dpcheck.classes.Adversarial`.

    Parameters
    ----------
    domain_size : int, 1 to 2^61
        N, the number of points; there are N + 1 thresholds.

    Raises
    ------
    InvalidArgument
        When the size is no such integer.

    Source: alon2019:alg-1.

    Examples
    --------
    >>> grid = GridThresholds(10)
    >>> [grid.representatives([2, 7], rule).tolist() for rule in ("lowest", "highest", "middle")]
    [[0, 3, 8], [2, 7, 10], [1, 5, 9]]
    >>> GridThresholds(2**60).littlestone_dimension
    60
    """

    domain_size: int
    rules: ClassVar[tuple[str, ...]] = _RULES
    vc_dimension: ClassVar[int] = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "domain_size", whole_number("domain_size", self.domain_size, 1, LARGEST_GRID))

    @property
    def littlestone_dimension(self) -> int:
        """``floor(log2(N + 1))``: binary search."""
        return (self.domain_size + 1).bit_length() - 1

    @property
    def size(self) -> int:
        """How many thresholds: one more than points."""
        return self.domain_size + 1

    def everything(self) -> NDArray[np.int64]:
        """All thresholds, shape (size,)."""
        return np.arange(self.size, dtype=np.int64)

    def points(self, values: Any) -> NDArray[np.int64]:
        """Points as integers of the grid, shape (m,)."""
        return whole_points(values, self.domain_size)

    def cells(self, points: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The first and the last threshold of each cell, shapes (m + 1,): on a cell all predict alike on the points."""
        distinct = np.unique(self.points(points))
        return np.concatenate([[0], distinct + 1]), np.concatenate([distinct, [self.domain_size]])

    def representatives(self, points: Any, rule: Rule = None) -> NDArray[np.int64]:
        """A threshold for each of the m + 1 dichotomies, increasing; O(m log m)."""
        chosen = checked_rule(rule, self.rules, adversarial=True)
        lows, highs = self.cells(points)
        if isinstance(chosen, Adversarial):
            return _worst(chosen, lows, self.points(chosen.x), lambda v: v + 1)
        if chosen == "middle":
            return lows + (highs - lows) // 2
        return lows if chosen == "lowest" else highs

    def predict(self, hypotheses: Any, points: Any) -> NDArray[np.uint8]:
        """``x >= t`` for each t and x, shape (k, m)."""
        return _predicted(np.asarray(hypotheses, dtype=np.int64), self.points(points))

    def mistakes(self, hypotheses: Any, x: Any, y: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Mistakes of each threshold on n records, shape (k,); O((n + k) log n)."""
        return _mistakes(np.asarray(hypotheses, dtype=np.int64), self.points(x), y)


def _predicted(thresholds: NDArray[Any], points: NDArray[Any]) -> NDArray[np.uint8]:
    return (points[None, :] >= thresholds[:, None]).astype(np.uint8)


def _mistakes(thresholds: NDArray[Any], x: NDArray[Any], y: NDArray[np.uint8]) -> NDArray[np.int64]:
    order = np.argsort(x, kind="stable")
    ones_before = np.concatenate([[0], np.cumsum(y[order], dtype=np.int64)])
    below = np.searchsorted(x[order], thresholds, side="left")
    zeros_above = (len(x) - below) - (ones_before[-1] - ones_before[below])
    return np.asarray(ones_before[below] + zeros_above, dtype=np.int64)


def _worst(
    rule: Adversarial, lows: NDArray[Any], support: NDArray[Any], after: Callable[[NDArray[Any]], NDArray[Any]]
) -> NDArray[Any]:
    """The threshold of largest error in each cell, the lowest of those that tie.

    The error changes only behind points of the support, so the cell's first threshold and the first ones behind those
    points are all there is to compare.
    """
    candidates = np.unique(np.concatenate([lows, after(np.unique(support))]))
    cell = np.searchsorted(lows, candidates, side="right") - 1
    order = np.argsort(support, kind="stable")
    weights = as_summable(rule.weights)[order]
    ones = np.array(rule.y, dtype=np.int64)[order]
    zero = np.zeros(1, dtype=weights.dtype)
    ones_before = np.concatenate([zero, np.cumsum(weights * ones)])
    all_before = np.concatenate([zero, np.cumsum(weights)])
    below = np.searchsorted(support[order], candidates, side="left")
    zeros_above = (all_before[-1] - all_before[below]) - (ones_before[-1] - ones_before[below])
    _, rank = np.unique(ones_before[below] + zeros_above, return_inverse=True)
    by_cell = np.lexsort((candidates, -rank, cell))
    return np.asarray(candidates[by_cell][np.unique(cell[by_cell], return_index=True)[1]])
