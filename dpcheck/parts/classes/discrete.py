"""Classes on {0, ..., N - 1} without geometry: points, all functions, finite-or-cofinite sets."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.points import listed_points, whole_number, whole_points
from dpcheck.parts.classes.representatives import Rule, checked_rule
from dpcheck.parts.classes.thresholds import LARGEST_GRID

#: All functions are listed on at most so many points: a million of them.
MOST_POINTS = 20
#: More dichotomies than this are not listed.
MOST_DICHOTOMIES = 1 << 22
#: Stands for no exception in the row of a finite-or-cofinite set: no point.
_NONE = -1


@dataclass(frozen=True)
class PointFunctions:
    """``h_a(x) = 1 iff x = a`` on {0, ..., N - 1}, a in {0, ..., N - 1}.

    Rules: ``lowest`` and ``highest``, the unseen point that stands for "none of those seen".

    Parameters
    ----------
    domain_size : int, 2 to 2^61

    Raises
    ------
    InvalidArgument
        When it is no such integer.

    Source: alon2019:alg-1 (dichotomy enumeration), thm-4.2.

    Examples
    --------
    >>> PointFunctions(9).representatives([4, 0]).tolist()
    [0, 4, 1]
    """

    domain_size: int
    rules: ClassVar[tuple[str, ...]] = ("lowest", "highest")
    vc_dimension: ClassVar[int] = 1
    littlestone_dimension: ClassVar[int] = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "domain_size", whole_number("domain_size", self.domain_size, 2, LARGEST_GRID))

    @property
    def size(self) -> int:
        """As many as points."""
        return self.domain_size

    def everything(self) -> NDArray[np.int64]:
        """All points, shape (size,)."""
        return listed_points(self.size)

    def domain(self) -> NDArray[np.int64]:
        """All points, shape (N,)."""
        return listed_points(self.domain_size)

    def points(self, values: Any) -> NDArray[np.int64]:
        """Points as integers, shape (m,)."""
        return whole_points(values, self.domain_size)

    def representatives(self, points: Any, rule: Rule = None) -> NDArray[np.int64]:
        """Each distinct point, and one outside them where there is one: m + 1, or m of all."""
        chosen = checked_rule(rule, self.rules)
        seen = np.unique(self.points(points))
        if len(seen) == self.domain_size:
            return seen
        places = np.arange(len(seen))
        if chosen == "lowest":  # the first place where the seen points are not 0, 1, 2, ...
            gaps = np.flatnonzero(seen != places)
            unseen = int(gaps[0]) if len(gaps) else len(seen)
        else:
            gaps = np.flatnonzero(seen[::-1] != self.domain_size - 1 - places)
            unseen = self.domain_size - 1 - (int(gaps[0]) if len(gaps) else len(seen))
        return np.append(seen, unseen)

    def predict(self, hypotheses: Any, points: Any) -> NDArray[np.uint8]:
        """``x = a`` for each a and x, shape (k, m)."""
        equal: NDArray[np.bool_] = self.points(points)[None, :] == np.asarray(hypotheses)[:, None]
        return equal.astype(np.uint8)

    def mistakes(self, hypotheses: Any, x: Any, y: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Mistakes of each point on n records, shape (k,); O((n + k) log n)."""
        points, chosen = self.points(x), self.points(hypotheses)
        order = np.argsort(points, kind="stable")
        # a label of 1 costs the points elsewhere, a label of 0 the point itself
        gains = np.concatenate([[0], np.cumsum(1 - 2 * y[order].astype(np.int64))])
        first = np.searchsorted(points[order], chosen, side="left")
        last = np.searchsorted(points[order], chosen, side="right")
        return np.asarray(int(y.sum(dtype=np.int64)) + gains[last] - gains[first], dtype=np.int64)


@dataclass(frozen=True)
class AllFunctions:
    """All functions on {0, ..., k - 1}; a hypothesis is the number whose bit x is the label of x.

    Rules: ``lowest`` (0 on unseen points), ``highest`` (1 there).

    Parameters
    ----------
    domain_size : int, 1 to 20

    Raises
    ------
    InvalidArgument
        When it is no such integer.

    Source: alon2019:alg-1 (dichotomy enumeration).

    Examples
    --------
    >>> AllFunctions(3).representatives([1]).tolist()
    [0, 2]
    """

    domain_size: int
    rules: ClassVar[tuple[str, ...]] = ("lowest", "highest")

    def __post_init__(self) -> None:
        object.__setattr__(self, "domain_size", whole_number("domain_size", self.domain_size, 1, MOST_POINTS))

    @property
    def vc_dimension(self) -> int:
        """k."""
        return self.domain_size

    @property
    def littlestone_dimension(self) -> int:
        """k."""
        return self.domain_size

    @property
    def size(self) -> int:
        """``2^k``."""
        return 1 << self.domain_size

    def everything(self) -> NDArray[np.int64]:
        """All functions, shape (size,)."""
        return np.arange(self.size, dtype=np.int64)

    def domain(self) -> NDArray[np.int64]:
        """All points, shape (N,)."""
        return listed_points(self.domain_size)

    def points(self, values: Any) -> NDArray[np.int64]:
        """Points as integers, shape (m,)."""
        return whole_points(values, self.domain_size)

    def representatives(self, points: Any, rule: Rule = None) -> NDArray[np.int64]:
        """A function for each of the 2^m labellings, shape (2^m,)."""
        chosen = checked_rule(rule, self.rules)
        seen = np.unique(self.points(points))
        labels = (np.arange(1 << len(seen))[:, None] >> np.arange(len(seen))[None, :]) & 1
        unseen = (self.size - 1) ^ int(np.bitwise_or.reduce(1 << seen, initial=0))
        return np.asarray((labels << seen[None, :]).sum(axis=1) + (unseen if chosen == "highest" else 0))

    def predict(self, hypotheses: Any, points: Any) -> NDArray[np.uint8]:
        """Bit x of each number, shape (k, m)."""
        numbers = np.asarray(hypotheses, dtype=np.int64)
        return ((numbers[:, None] >> self.points(points)[None, :]) & 1).astype(np.uint8)


@dataclass(frozen=True)
class FiniteOrCofinite:
    """The sets of at most k points and those that lack at most k, of a huge domain {0, ..., N - 1}.

    A hypothesis is the row (cofinite, a_1, ..., a_k): 0 or 1, then its points or those it lacks, increasing, -1 for
    none. Rules: ``finite`` and ``cofinite``, the kind that is preferred where a dichotomy has both.

    Parameters
    ----------
    exceptions : int, at least 1
        k.
    domain_size : int, at least 2k + 1

    Raises
    ------
    InvalidArgument
        When one is no such integer, or there are too many dichotomies to list.

    Source: alon2019 section 3, hard instances.

    Examples
    --------
    >>> family = FiniteOrCofinite(1, 100)
    >>> family.representatives([5, 7], "cofinite").tolist()  # all four labellings, by cofinite sets where possible
    [[0, -1], [1, 7], [1, 5], [1, -1]]
    """

    exceptions: int
    domain_size: int = LARGEST_GRID
    rules: ClassVar[tuple[str, ...]] = ("finite", "cofinite")

    def __post_init__(self) -> None:
        object.__setattr__(self, "exceptions", whole_number("exceptions", self.exceptions, 1, 2**20))
        least = 2 * self.exceptions + 1
        object.__setattr__(self, "domain_size", whole_number("domain_size", self.domain_size, least, LARGEST_GRID))

    @property
    def vc_dimension(self) -> int:
        """2k + 1: of so many points at most k are labelled 1, or at most k are labelled 0."""
        return 2 * self.exceptions + 1

    @property
    def littlestone_dimension(self) -> int:
        """2k + 1: predicting 0 until k + 1 mistakes, and then 1, errs no more often."""
        return 2 * self.exceptions + 1

    def domain(self) -> NDArray[np.int64]:
        """All points, shape (N,)."""
        return listed_points(self.domain_size)

    def points(self, values: Any) -> NDArray[np.int64]:
        """Points as integers, shape (m,)."""
        return whole_points(values, self.domain_size)

    def representatives(self, points: Any, rule: Rule = None) -> NDArray[np.int64]:
        """A set for each dichotomy, by the number of points it holds, shape (count, k + 1)."""
        chosen = checked_rule(rule, self.rules)
        seen = np.unique(self.points(points))
        m, k = len(seen), self.exceptions
        held = [s for s in range(m + 1) if s <= k or m - s <= k]
        count = sum(comb(m, s) for s in held)
        if count > MOST_DICHOTOMIES:
            raise InvalidArgument(f"points must have at most {MOST_DICHOTOMIES:,} dichotomies, got {m} with {count:,}")
        rows = [self._of_size(seen, s, chosen == "cofinite") for s in held]
        return np.concatenate(rows)

    def _of_size(self, seen: NDArray[np.int64], held: int, prefer_cofinite: bool) -> NDArray[np.int64]:
        """A row for each set of ``held`` of the points seen."""
        m, k = len(seen), self.exceptions
        cofinite = m - held <= k and (prefer_cofinite or held > k)
        size = m - held if cofinite else held
        flat = [place for chosen in combinations(range(m), size) for place in chosen]
        rows = np.full((comb(m, size), k + 1), _NONE, dtype=np.int64)
        rows[:, 0] = int(cofinite)
        rows[:, 1 : size + 1] = seen[np.array(flat, dtype=np.int64)].reshape(len(rows), size)
        # the sets lacking something come in the reverse order of those holding the rest
        return rows[::-1] if cofinite else rows

    def predict(self, hypotheses: Any, points: Any) -> NDArray[np.uint8]:
        """Whether each set holds each point, shape (k, m)."""
        rows = np.asarray(hypotheses, dtype=np.int64).reshape(-1, self.exceptions + 1)
        x = self.points(points)
        labels = np.zeros((len(rows), len(x)), dtype=bool)
        for column in range(1, rows.shape[1]):  # as many steps as exceptions: all at once would be k times the memory
            labels |= rows[:, column, None] == x[None, :]
        return (labels ^ (rows[:, :1] > 0)).astype(np.uint8)
