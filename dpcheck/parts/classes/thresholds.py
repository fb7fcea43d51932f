"""Thresholds on the line and on the grid {0, ..., N - 1}: up ``h_t(x) = 1 iff x >= t``, down ``iff x < t``, or both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument, nearest
from dpcheck.parts.classes.points import listed_points, real_points, whole_number, whole_points
from dpcheck.parts.classes.representatives import Adversarial, Rule, as_summable, checked_rule

#: Grids up to this: the numbers of their points and thresholds are 64-bit integers with room for sums of two.
LARGEST_GRID = 2**61
_RULES = ("lowest", "highest", "middle")
_ORIENTATIONS = ("up", "down", "both")
#: Makes the thresholds of cells, for a rule, in the one orientation or, with labels exchanged, in the other.
_Cells: TypeAlias = Callable[[str | Adversarial], NDArray[Any]]


@dataclass(frozen=True)
class Thresholds:
    """Thresholds on the line: ``t`` any double, ``-inf`` (always 1 upwards) and ``inf`` (always 0) included.

    The m distinct points ``u_1 < ... < u_m`` make the cells ``(-inf, u_1], (u_1, u_2], ..., (u_m, inf)`` of t, one for
    each dichotomy of one orientation. Rules: ``lowest`` (the first double of the cell), ``highest``, ``middle``
    (midpoints; infinities at the two ends), or an :class:`~dpcheck.parts.classes.Adversarial`.

    Parameters
    ----------
    orientation : "up" (the default), "down" or "both"
        Whether the points from t on are labelled 1, or those below t; with both, a hypothesis is the row (t, sign),
        sign 0 for up and 1 for down, and the constant ones are represented upwards.

    Raises
    ------
    InvalidArgument
        When it is none of these.

    Source: alon2019:alg-1.

    Examples
    --------
    >>> Thresholds().representatives([0.5, 0.25, 0.5], "highest").tolist()
    [0.25, 0.5, inf]
    >>> Thresholds().predict([0.25, 0.5], [0.1, 0.3, 0.5]).tolist()
    [[0, 1, 1], [0, 0, 1]]
    >>> Thresholds("both").representatives([0.5, 0.25, 0.5], "highest").tolist()
    [[0.25, 0.0], [0.5, 0.0], [inf, 0.0], [0.5, 1.0]]
    """

    orientation: str = "up"
    rules: ClassVar[tuple[str, ...]] = _RULES
    littlestone_dimension: ClassVar[float] = float("inf")

    def __post_init__(self) -> None:
        _check_orientation(self.orientation)

    @property
    def vc_dimension(self) -> int:
        """1, and 2 with both orientations."""
        return 2 if self.orientation == "both" else 1

    def points(self, values: Any) -> NDArray[np.float64]:
        """Points as doubles, shape (m,)."""
        return real_points(values)

    def cells(self, points: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The first and the last double of each cell of t, shapes (m + 1,), for m distinct points."""
        distinct = np.unique(self.points(points)) + 0.0  # -0.0 and 0.0 are one point
        lows = np.concatenate([[-np.inf], np.nextafter(distinct, np.inf)])
        return lows, np.concatenate([distinct, [np.inf]])

    def representatives(self, points: Any, rule: Rule = None) -> NDArray[np.float64]:
        """A threshold for each of the m + 1 dichotomies, increasing; 2m rows with both orientations; O(m log m)."""
        lows, highs = self.cells(points)

        def cells(rule: str | Adversarial) -> NDArray[np.float64]:
            if isinstance(rule, Adversarial):
                return _worst(rule, lows, real_points(rule.x), lambda v: np.nextafter(v, np.inf))
            if rule == "middle":
                inner = highs[:-2] / 2 + highs[1:-1] / 2
                between = np.clip(inner, lows[1:-1], highs[1:-1])  # the midpoint of neighbouring doubles is one of them
                ends = [-np.inf] if len(lows) == 1 else [-np.inf, np.inf]
                return np.concatenate([ends[:1], between, ends[1:]])
            return lows if rule == "lowest" else highs

        return _oriented(self, cells, checked_rule(rule, self.rules, adversarial=True))

    def predict(self, hypotheses: Any, points: Any) -> NDArray[np.uint8]:
        """``x >= t``, or ``x < t`` for down, for each hypothesis and x, shape (k, m)."""
        return _predicted(*_parts(self.orientation, hypotheses, np.float64), self.points(points))

    def mistakes(self, hypotheses: Any, x: Any, y: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Mistakes of each threshold on n records, shape (k,); O((n + k) log n)."""
        return _mistakes(*_parts(self.orientation, hypotheses, np.float64), self.points(x), y)


@dataclass(frozen=True)
class GridThresholds:
    """Thresholds on the points {0, ..., N - 1}: t in {0, ..., N}, that is N + 1 hypotheses in each orientation.

    Rules: ``lowest`` (0 and ``u_i + 1``), ``highest`` (``u_i`` and N), ``middle`` (``(low + high) // 2`` of the
    cell), or an :class:`~dpcheck.parts.classes.Adversarial`. The domain {0,1}^d in its order is that of ``2**d``
    points, which :func:`~dpcheck.parts.classes.numbers_of_bits` reads from tuples of bits.

    Parameters
    ----------
    domain_size : int, 1 to 2^61
        N, the number of points; there are N + 1 thresholds.
    orientation : "up" (the default), "down" or "both"
        As in :class:`Thresholds`.

    Raises
    ------
    InvalidArgument
        When the size is no such integer, or the orientation none of these.

    Source: alon2019:alg-1.

    Examples
    --------
    >>> grid = GridThresholds(10)
    >>> [grid.representatives([2, 7], rule).tolist() for rule in ("lowest", "highest", "middle")]
    [[0, 3, 8], [2, 7, 10], [1, 5, 9]]
    >>> GridThresholds(2**60).littlestone_dimension
    60
    >>> GridThresholds(3, "both").everything().tolist()
    [[0, 0], [1, 0], [2, 0], [3, 0], [1, 1], [2, 1]]
    """

    domain_size: int
    orientation: str = "up"
    rules: ClassVar[tuple[str, ...]] = _RULES

    def __post_init__(self) -> None:
        object.__setattr__(self, "domain_size", whole_number("domain_size", self.domain_size, 1, LARGEST_GRID))
        _check_orientation(self.orientation)

    @property
    def vc_dimension(self) -> int:
        """1, and 2 with both orientations on at least 2 points."""
        return min(2, self.domain_size) if self.orientation == "both" else 1

    @property
    def littlestone_dimension(self) -> int:
        """``floor(log2(size))``: binary search.

        With both orientations the label of the first point says which one it is, of N hypotheses each; those of one
        sign are thresholds on the other N - 1 points.
        """
        return self.size.bit_length() - 1

    @property
    def size(self) -> int:
        """How many functions: one more than points; with both orientations twice the points, constants being shared."""
        return 2 * self.domain_size if self.orientation == "both" else self.domain_size + 1

    def everything(self) -> NDArray[np.int64]:
        """All thresholds, shape (size,), or (size, 2) with both orientations; no function twice.

        Raises
        ------
        InvalidArgument
            When there are more than 2^26.
        """
        every = listed_points(self.domain_size + 1)
        return _rows(every, every[1:-1]) if self.orientation == "both" else every

    def domain(self) -> NDArray[np.int64]:
        """All points, shape (N,)."""
        return listed_points(self.domain_size)

    def points(self, values: Any) -> NDArray[np.int64]:
        """Points as integers of the grid, shape (m,)."""
        return whole_points(values, self.domain_size)

    def cells(self, points: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The first and the last threshold of each cell, shapes (m + 1,): on a cell all predict alike on the points."""
        distinct = _distinct(self.points(points))
        return np.concatenate([[0], distinct + 1]), np.concatenate([distinct, [self.domain_size]])

    def representatives(self, points: Any, rule: Rule = None) -> NDArray[np.int64]:
        """A threshold for each of the m + 1 dichotomies, increasing; 2m rows with both orientations; O(m log m)."""
        lows, highs = self.cells(points)

        def cells(rule: str | Adversarial) -> NDArray[np.int64]:
            if isinstance(rule, Adversarial):
                return _worst(rule, lows, self.points(rule.x), lambda v: v + 1)
            if rule == "middle":
                return lows + (highs - lows) // 2
            return lows if rule == "lowest" else highs

        return _oriented(self, cells, checked_rule(rule, self.rules, adversarial=True))

    def predict(self, hypotheses: Any, points: Any) -> NDArray[np.uint8]:
        """``x >= t``, or ``x < t`` for down, for each hypothesis and x, shape (k, m)."""
        return _predicted(*_parts(self.orientation, hypotheses, np.int64), self.points(points))

    def mistakes(self, hypotheses: Any, x: Any, y: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Mistakes of each threshold on n records, shape (k,); O((n + k) log n)."""
        return _mistakes(*_parts(self.orientation, hypotheses, np.int64), self.points(x), y)


def _check_orientation(orientation: object) -> None:
    if orientation not in _ORIENTATIONS:
        hint = nearest(orientation, _ORIENTATIONS) if isinstance(orientation, str) else ""
        raise InvalidArgument(f"orientation must be one of {', '.join(_ORIENTATIONS)}, got {orientation!r}{hint}")


def _rows(up: NDArray[Any], down: NDArray[Any]) -> NDArray[Any]:
    """Hypotheses of both orientations: rows (t, sign)."""
    sign = np.repeat(np.array([0, 1], dtype=up.dtype), [len(up), len(down)])
    return np.stack([np.concatenate([up, down]), sign], axis=1)


def _parts(orientation: str, hypotheses: Any, dtype: Any) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """The thresholds, and whether the points below are labelled 1, shapes (k,)."""
    given = np.asarray(hypotheses, dtype=dtype)
    if orientation == "both":
        rows = given.reshape(-1, 2)
        return rows[:, 0], rows[:, 1] > 0
    return given, np.full(len(given), orientation == "down")


def _oriented(family: Thresholds | GridThresholds, cells: _Cells, rule: str | Adversarial) -> NDArray[Any]:
    """The thresholds of all cells in the orientations of a class, each dichotomy once."""
    if family.orientation == "up":
        return cells(rule)
    # a threshold errs downwards where it is right upwards: the worst ones are those for the other labels
    exchanged = Adversarial(rule.x, [1 - y for y in rule.y], rule.weights) if isinstance(rule, Adversarial) else rule
    if family.orientation == "down":
        return cells(exchanged)
    up, down = cells(rule), cells(exchanged)
    rows = _rows(up, down[1:-1])
    if isinstance(rule, Adversarial):  # the constants are the first and the last cell upwards, the last and first down
        weights, labels = as_summable(rule.weights), np.array(rule.y)
        for place, other in {0: down[-1], len(up) - 1: down[0]}.items():
            both = np.array([rows[place], [other, 1]], dtype=rows.dtype)
            error = (family.predict(both, rule.x) != labels).astype(weights.dtype) @ weights
            rows[place] = both[int(error[1] > error[0])]
    return rows


def _distinct(points: NDArray[np.int64]) -> NDArray[np.int64]:
    """The distinct ones, increasing; ``np.unique`` hashes integers, which takes many times as long for a million."""
    ordered = np.sort(points)
    return np.asarray(ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)]])


def _predicted(thresholds: NDArray[Any], below: NDArray[np.bool_], points: NDArray[Any]) -> NDArray[np.uint8]:
    return ((points[None, :] >= thresholds[:, None]) ^ below[:, None]).astype(np.uint8)


def _mistakes(
    thresholds: NDArray[Any], below: NDArray[np.bool_], x: NDArray[Any], y: NDArray[np.uint8]
) -> NDArray[np.int64]:
    order = np.argsort(x, kind="stable")
    ones_before = np.concatenate([[0], np.cumsum(y[order], dtype=np.int64)])
    first = np.searchsorted(x[order], thresholds, side="left")
    zeros_above = (len(x) - first) - (ones_before[-1] - ones_before[first])
    wrong = ones_before[first] + zeros_above
    return np.asarray(np.where(below, len(x) - wrong, wrong), dtype=np.int64)


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
