"""The finite metric space of a class under a finite distribution: one hypothesis for each dichotomy of the atoms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.combinatorics import distinct_points
from dpcheck.parts.classes.protocol import HypothesisClass, Labels
from dpcheck.parts.classes.references import Atoms
from dpcheck.parts.classes.representatives import Rule, as_summable
from dpcheck.parts.classes.spaces import whole_limit

#: Labels of more hypotheses times points than this are not held: two gigabytes.
MOST_LABELS = 1 << 31
#: Distances between more pairs than this are not held at once: half a gigabyte of them.
MOST_PAIRS = 1 << 26
#: Integers up to this are summed exactly in singles and in doubles.
_SINGLE, _DOUBLE = 1 << 24, 1 << 53
#: Hypotheses that are compared with others at once, and cells of such comparisons.
_ROWS, _CELLS = 1024, 1 << 24


@dataclass(frozen=True, eq=False)
class FiniteMetric:
    """Hypotheses whose distance is the mass of the points where their labels differ; all distances are above 0.

    ``hypotheses`` has shape (k, ...), ``labels`` (k, m) on the m distinct ``points`` of positive integer ``mass`` (m,),
    whose sum is ``total``.
    """

    points: NDArray[Any]
    hypotheses: NDArray[Any]
    labels: Labels
    mass: NDArray[Any]
    total: int

    def __len__(self) -> int:
        return len(self.labels)

    def limit(self, radius: Fraction) -> int:
        """The largest distance, in units of mass, that is at most a radius."""
        return whole_limit(radius, self.total)

    def apart(self, one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
        """The distances between rows of labels, shape (a, m) and (b, m), in units of mass: exact integers (a, b)."""
        found = self._summed(one, other)
        return found if found.dtype == object else found.astype(np.int64)

    def near(self, one: NDArray[Any], other: NDArray[Any], limit: int) -> NDArray[np.bool_]:
        """Whether each pair of rows is within a limit, exact; shape (a, b)."""
        if self._kind is not object:
            return np.asarray(self._summed(one, other) <= limit)
        # in doubles first: of n terms of at most twice the total, each rounded, the sum is off by less than this
        share = (self.mass / self.total).astype(np.float64)
        a, b = one.astype(np.float64), other.astype(np.float64)
        rough = (a @ share)[:, None] + (b @ share)[None, :] - 2 * ((a * share) @ b.T) - limit / self.total
        slack = 8.0 * (len(share) + 4) * 2.0**-52
        within = rough <= 0
        rows, columns = np.nonzero(np.abs(rough) <= slack)
        for start in range(0, len(rows), _ROWS):
            i, j = rows[start : start + _ROWS], columns[start : start + _ROWS]
            within[i, j] = (one[i] != other[j]) @ self.mass <= limit
        return within

    @cached_property
    def distances(self) -> NDArray[Any]:
        """All distances in units of mass, shape (k, k), exact integers.

        Raises
        ------
        InvalidArgument
            When there are too many pairs.
        """
        if len(self) ** 2 > MOST_PAIRS:
            raise InvalidArgument(
                f"family must have at most {int(MOST_PAIRS**0.5):,} dichotomies on the reference for all distances, "
                f"got {len(self):,}"
            )
        parts = [self.apart(self.labels[start:stop], self.labels) for start, stop in blocks(len(self), _ROWS)]
        return np.concatenate(parts)

    def greedy(self, limit: int) -> NDArray[np.intp]:
        """The numbers of those kept when each in turn is kept that is farther than the limit from all kept before.

        No two of them are within the limit, and every hypothesis is within the limit of one of them.
        """
        if limit < int(self.mass.min()) or len(self) == 1:  # those that differ do so by a point
            return np.arange(len(self))
        if limit >= self.total:
            return np.zeros(1, dtype=np.intp)
        kept: list[int] = []
        for start, stop in blocks(len(self), _ROWS):
            rows = self.labels[start:stop]
            alive = ~self.covered(rows, self.labels[kept], limit)
            places = np.flatnonzero(alive)
            near = self.near(rows[places], rows[places], limit)
            left = np.ones(len(places), dtype=bool)
            while left.any():
                first = int(left.argmax())
                kept.append(start + int(places[first]))
                left &= ~near[first]
        return np.array(kept, dtype=np.intp)

    def covered(self, rows: NDArray[Any], centres: NDArray[Any], limit: int) -> NDArray[np.bool_]:
        """Whether each row of labels is within the limit of one of the centres, shape (a,)."""
        found = np.zeros(len(rows), dtype=bool)
        for start, stop in blocks(len(centres), max(1, _CELLS // max(1, len(rows)))):
            found |= self.near(rows, centres[start:stop], limit).any(axis=1)
        return found

    def _summed(self, one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
        a, b, mass = (part.astype(self._kind) for part in (one, other, self.mass))
        # |a xor b| = |a| + |b| - 2 |a and b|, every term an integer of at most twice the total
        return np.asarray((a @ mass)[:, None] + (b @ mass)[None, :] - 2 * ((a * mass) @ b.T))

    @property
    def _kind(self) -> Any:
        """The fastest numbers in which sums of masses are exact."""
        if self.total <= _SINGLE // 4:
            return np.float32
        return np.float64 if self.total <= _DOUBLE // 4 else object


def finite_metric(family: HypothesisClass, reference: Atoms, rule: Rule = None) -> FiniteMetric:
    """The metric space of a class under atoms; hypotheses that never disagree are one, represented by the rule.

    Points without mass are left out, points that are given twice are one.

    Raises
    ------
    InvalidArgument
        When a point is outside the domain, the class does not know the rule, or there are too many dichotomies.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> found = finite_metric(GridThresholds(9), Atoms([2, 5, 5, 7], weights=[1, 1, 1, 0]))
    >>> found.hypotheses.tolist(), found.distances.tolist()
    ([0, 3, 6], [[0, 1, 3], [1, 0, 2], [3, 2, 0]])
    """
    points, mass = distinct_atoms(family, reference)
    hypotheses = family.representatives(points, rule)
    if len(hypotheses) * max(1, len(points)) > MOST_LABELS:
        raise InvalidArgument(
            f"reference must give at most {MOST_LABELS:,} labels, got {len(points):,} atoms with {len(hypotheses):,} "
            f"dichotomies"
        )
    return FiniteMetric(points, hypotheses, family.predict(hypotheses, points), mass, int(mass.sum()))


def distinct_atoms(family: HypothesisClass, reference: Atoms) -> tuple[NDArray[Any], NDArray[Any]]:
    """The distinct atoms with mass, shape (m, ...), sorted, and their masses, shape (m,), exact integers.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> [part.tolist() for part in distinct_atoms(GridThresholds(9), Atoms([5, 2, 5, 7], weights=[1, 1, 2, 0]))]
    [[2, 5], [1, 3]]
    """
    found = family.points(reference.points)
    carries = reference.mass > 0
    found, mass = found[carries], reference.mass[carries]
    if found.dtype == object:  # rows of Python's numbers, which numpy cannot sort
        sums: dict[Any, int] = {}
        for row, weight in zip(map(tuple, found.tolist()), mass.tolist(), strict=True):
            sums[row] = sums.get(row, 0) + weight
        points = distinct_points(family, found)
        return points, as_summable([sums[tuple(row)] for row in points.tolist()])
    found = found + np.zeros(1, dtype=found.dtype)  # -0.0 and 0.0 are one point
    if found.ndim > 1:
        points, place = np.unique(found, axis=0, return_inverse=True)
        sums_of = np.zeros(len(points), dtype=mass.dtype)
        np.add.at(sums_of, place.reshape(-1), mass)
        return points, sums_of
    if (mass == mass[0]).all():  # sorting alone takes a tenth of the time
        ordered = np.sort(found)
    else:
        order = np.argsort(found)
        ordered, mass = found[order], mass[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    return ordered[starts], np.add.reduceat(mass, starts)


def blocks(count: int, rows: int) -> Iterator[tuple[int, int]]:
    """Where blocks of so many rows begin and end.

    >>> list(blocks(5, 2))
    [(0, 2), (2, 4), (4, 5)]
    """
    return ((start, min(start + rows, count)) for start in range(0, count, rows))
