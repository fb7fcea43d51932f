"""Intervals of the grid {0, ..., N - 1}, the empty one once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.points import listed_points, whole_number, whole_points
from dpcheck.parts.classes.representatives import Rule, checked_rule
from dpcheck.parts.classes.thresholds import LARGEST_GRID

#: More intervals are not listed, nor more of those between points: some gigabytes.
_MOST_LISTED = 1 << 24
_MOST_OF_POINTS = 1 << 27
_EMPTY = (1, 0)
#: The Littlestone dimension is computed by recursion over sets of gaps; with more points it is not.
_MOST_POINTS_FOR_LITTLESTONE = 512


@dataclass(frozen=True)
class GridIntervals:
    """``h(x) = 1 iff a <= x <= b`` on {0, ..., N - 1}; a hypothesis is the row (a, b), the empty set is (1, 0).

    Rules: ``smallest`` (the ends are points), ``largest`` (the ends are just before the next points), ``middle``
    (half-way). All take the empty interval for "none of the points".

    Parameters
    ----------
    domain_size : int, 1 to 2^61
        N.

    Raises
    ------
    InvalidArgument
        When it is no such integer.

    Examples
    --------
    >>> family = GridIntervals(9)
    >>> family.size, family.vc_dimension
    (46, 2)
    >>> [family.representatives([2, 6], rule).tolist()[1:] for rule in ("smallest", "largest")]
    [[[2, 2], [2, 6], [6, 6]], [[0, 5], [0, 8], [3, 8]]]
    """

    domain_size: int
    rules: ClassVar[tuple[str, ...]] = ("smallest", "largest", "middle")

    def __post_init__(self) -> None:
        object.__setattr__(self, "domain_size", whole_number("domain_size", self.domain_size, 1, LARGEST_GRID))

    @property
    def vc_dimension(self) -> int:
        """2, or 1 on a single point."""
        return min(2, self.domain_size)

    @property
    def littlestone_dimension(self) -> int | None:
        """Computed for up to 512 points; None for more.

        Once a point of the interval is known its two ends are thresholds of their own, which binary search finds.
        Before, what is known is which gaps between points outside could hold it: each query cuts one of them in two.
        """
        if self.domain_size > _MOST_POINTS_FOR_LITTLESTONE:
            return None
        depth = 1
        while _has_tree((self.domain_size,), depth + 1):
            depth += 1
        return depth

    @property
    def size(self) -> int:
        """``N (N + 1) / 2 + 1``."""
        return self.domain_size * (self.domain_size + 1) // 2 + 1

    def everything(self) -> NDArray[np.int64]:
        """All intervals, the empty one first, shape (size, 2).

        Raises
        ------
        InvalidArgument
            When there are more than 2^24.
        """
        if self.size > _MOST_LISTED:
            raise InvalidArgument(
                f"domain_size must give at most {_MOST_LISTED:,} intervals to be listed, got {self.size:,}"
            )
        return np.concatenate([[_EMPTY], np.stack(np.triu_indices(self.domain_size), axis=1)])

    def domain(self) -> NDArray[np.int64]:
        """All points, shape (N,)."""
        return listed_points(self.domain_size)

    def points(self, values: Any) -> NDArray[np.int64]:
        """Points as integers of the grid, shape (m,)."""
        return whole_points(values, self.domain_size)

    def representatives(self, points: Any, rule: Rule = None) -> NDArray[np.int64]:
        """The empty interval and one from each point to each later one, shape (1 + m(m + 1)/2, 2)."""
        chosen = checked_rule(rule, self.rules)
        distinct = np.unique(self.points(points))
        # a begins behind the point before, b ends before the point behind
        least = np.concatenate([[0], distinct[:-1] + 1])[: len(distinct)]
        most = np.concatenate([distinct[1:] - 1, [self.domain_size - 1]])[: len(distinct)]
        left, right = {
            "smallest": (distinct, distinct),
            "largest": (least, most),
            "middle": (least + (distinct - least) // 2, distinct + (most - distinct) // 2),
        }[str(chosen)]
        first, last = ordered_pairs(len(distinct))
        return np.concatenate([[_EMPTY], np.stack([left[first], right[last]], axis=1)])

    def predict(self, hypotheses: Any, points: Any) -> NDArray[np.uint8]:
        """``a <= x <= b`` for each interval and x, shape (k, m)."""
        ends = np.asarray(hypotheses, dtype=np.int64).reshape(-1, 2)
        x = self.points(points)[None, :]
        return ((ends[:, :1] <= x) & (x <= ends[:, 1:])).astype(np.uint8)

    def mistakes(self, hypotheses: Any, x: Any, y: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Mistakes of each interval on n records, shape (k,); O((n + k) log n)."""
        return interval_mistakes(np.asarray(hypotheses, dtype=np.int64).reshape(-1, 2), self.points(x), y)


def ordered_pairs(count: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The numbers of the first and of the last of some points, in order, that intervals hold; shapes (k,).

    Raises
    ------
    InvalidArgument
        When there are more than 2^27 intervals.

    Examples
    --------
    >>> [part.tolist() for part in ordered_pairs(2)]
    [[0, 0, 1], [0, 1, 1]]
    """
    if count * (count + 1) // 2 > _MOST_OF_POINTS:
        raise InvalidArgument(
            f"points must have at most {_MOST_OF_POINTS:,} intervals to be listed, got {count:,} different ones with "
            f"{count * (count + 1) // 2:,}"
        )
    return np.triu_indices(count)


@cache
def _has_tree(gaps: tuple[int, ...], depth: int) -> bool:
    """Whether intervals inside gaps of so many points, increasing, and the empty one have a mistake tree of a depth."""
    if depth == 0:
        return True
    for place, size in enumerate(gaps):
        if place and gaps[place - 1] == size:
            continue
        others = gaps[:place] + gaps[place + 1 :]
        for left in range((size - 1) // 2, -1, -1):  # points to the left of the one that is asked for
            right = size - 1 - left
            inside = (left + 1).bit_length() + (right + 1).bit_length() - 2
            if inside >= depth - 1 and _has_tree(tuple(sorted(g for g in (*others, left, right) if g)), depth - 1):
                return True
    return False


def interval_mistakes(ends: NDArray[Any], x: NDArray[Any], y: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Mistakes of intervals, rows (a, b), on n records (x, y), shape (k,); from one sum over the sorted records.

    Examples
    --------
    >>> interval_mistakes(np.array([[1, 0], [2, 3]]), np.array([3, 1, 2]), np.array([1, 1, 0])).tolist()
    [2, 2]
    """
    order = np.argsort(x, kind="stable")
    cost = 1 - 2 * np.asarray(y, dtype=np.int64)[order]  # a prediction of 1 costs a 0 and saves a 1
    before = np.concatenate([[0], np.cumsum(cost)])
    first = np.searchsorted(x[order], ends[:, 0], side="left")
    behind = np.maximum(first, np.searchsorted(x[order], ends[:, 1], side="right"))
    return np.asarray(np.sum(y, dtype=np.int64) + before[behind] - before[first], dtype=np.int64)
