"""Doubling dimensions of a class under a reference distribution: how many balls of half the radius cover a ball."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.finite_metric import distinct_atoms, finite_metric
from dpcheck.parts.classes.line import cumulative
from dpcheck.parts.classes.protocol import HypothesisClass
from dpcheck.parts.classes.references import Atoms, LineLaw, Reference
from dpcheck.parts.classes.set_cover import MOST_SETS, fewest_sets
from dpcheck.parts.classes.spaces import exact_radius, grid_size, is_circle, is_line, real_line, unknown

#: The supremum over all scales is computed for so many scales times hypotheses.
_MOST_BALLS = 1 << 20
#: A ball of a subset of the line is covered by so many of half the radius: one around its centre, one on each side.
_MOST_ON_A_LINE = 3
#: So many distances of neighbours are tried among more atoms than all scales are computed for.
_FEW_SCALES = 64


@dataclass(frozen=True)
class Doubling:
    """The least number of closed balls of radius ``scale / 2`` that cover any closed ball of radius ``scale``.

    ``dimension`` is its logarithm to base 2.
    """

    balls: int
    scale: Fraction

    @property
    def dimension(self) -> float:
        """log2 of the number of balls."""
        return log2(self.balls)


def doubling_dimension(family: HypothesisClass, reference: Reference, scale: Any = None) -> Doubling:
    """The doubling dimension of (class, rho_U) at a scale, or the largest over all scales; exact.

    ddim_r is the least d such that every closed ball of radius r is covered by at most ``floor(2^d)`` closed balls of
    radius r/2 with centres anywhere in the space: the logarithm of the largest among the smallest numbers of balls.

    Under atoms each ball's smallest cover is computed, for a scale or for all at which a ball can change (distances
    and doubled distances). Thresholds under a distribution of the line without atoms are as far apart as points of
    [0, 1], separators of the plane under the uniform circle as points of a circle of length 2: two balls at all
    scales below 1 (below 2 on the circle), one from there on, so the dimension over all scales is 1.

    Parameters
    ----------
    family : HypothesisClass
    reference : ``Atoms``, a distribution of the line without atoms, ``UniformGrid`` or the circle
    scale : number of at least 0, optional
        The radius r; a double is exactly what it is.

    Returns
    -------
    Doubling
        With the scale, or one where the largest is attained: the first, but among very many atoms of the line.

    Raises
    ------
    InvalidArgument
        When there are too many dichotomies or scales, or no dimension is known for the pair.

    Source: chaudhuri2011:def-ddim; ex-1 for thresholds.

    Examples
    --------
    >>> from dpcheck.parts.classes import FiniteClass, Thresholds, UniformLine
    >>> singletons = FiniteClass(np.eye(8, dtype=int))
    >>> doubling_dimension(singletons, Atoms(range(8)))  # all at distance 1/4
    Doubling(balls=8, scale=Fraction(1, 4))
    >>> doubling_dimension(Thresholds(), UniformLine()).dimension
    1.0
    """
    at = None if scale is None else exact_radius(scale)
    if isinstance(reference, Atoms):
        if is_line(family):
            places = cumulative(distinct_atoms(family, reference)[1])
            return _on_a_line(places, int(places[-1]), at)
        metric = finite_metric(family, reference)
        if len(metric) > MOST_SETS:
            raise InvalidArgument(
                f"reference must give at most {MOST_SETS:,} dichotomies for a doubling dimension, got {len(metric):,}"
            )
        return _of_distances(metric.distances, metric.total, at)
    points = grid_size(family, reference)
    if points is not None:
        if at is not None:
            return _on_a_line(np.arange(points + 1), points, at)
        return Doubling(min(points + 1, _MOST_ON_A_LINE), Fraction(1, points))  # of three neighbours each by its own
    end = 0
    if real_line(family, reference) is not None and not (isinstance(reference, LineLaw) and reference.atoms):
        end = 1
    elif is_circle(family, reference):
        end = 2
    if not end:
        raise unknown("a doubling dimension", family, reference)
    at = Fraction(1, 2) if at is None else at
    return Doubling(2 if 0 < at < end else 1, at)


def _of_distances(distances: NDArray[Any], total: int, scale: Fraction | None) -> Doubling:
    """Of a finite metric space, its distances as integers of which ``total`` are 1."""
    if scale is not None:
        return Doubling(_balls(distances, scale.numerator * total // scale.denominator, 0), scale)
    scales = _scales(np.unique(distances))
    if len(scales) * len(distances) > _MOST_BALLS:
        raise InvalidArgument(
            f"scale must be given for {len(distances):,} dichotomies with {len(scales):,} scales: all together are "
            f"more than {_MOST_BALLS:,} balls"
        )
    best, where = 0, 0
    for each in scales:
        found = _balls(distances, each, best)
        if found > best:
            best, where = found, each
    return Doubling(best, Fraction(where, total))


def _scales(distances: NDArray[Any]) -> list[int]:
    """All at which a ball of the radius or of half of it gains a hypothesis, increasing."""
    found = [int(d) for d in distances]
    return sorted({*found, *(2 * d for d in found)})


def _balls(distances: NDArray[Any], limit: int, known: int) -> int:
    """The largest of the smallest numbers of balls of half the limit for a ball, or ``known`` where none is larger."""
    inside, half = distances <= limit, 2 * distances <= limit
    inside = inside[np.unique(inside, axis=0, return_index=True)[1]]
    best = known
    for members in inside[np.argsort(-inside.sum(axis=1), kind="stable")]:
        if members.sum() <= best:  # each member by a ball of its own
            break
        best = max(best, fewest_sets(half[members], enough=best))
    return best


def _on_a_line(places: NDArray[Any], total: int, scale: Fraction | None) -> Doubling:
    """Of sorted integer places, whose balls are covered from the left."""
    if scale is not None:
        limit = min(scale.numerator * total // scale.denominator, 2 * total)  # from there on all is one ball
        return Doubling(_balls_on_a_line(places, limit), scale)
    if len(places) ** 2 <= _MOST_BALLS:
        scales = _scales(np.unique(np.abs(places[:, None] - places[None, :])))
    else:  # the distances of neighbours are enough where three balls are needed at one of them
        scales = _scales(np.unique(np.diff(places))[:_FEW_SCALES])
    best, where = 0, 0
    for each in scales:
        found = _balls_on_a_line(places, each)
        if found > best:
            best, where = found, each
        if best == _MOST_ON_A_LINE:
            return Doubling(best, Fraction(where, total))
    if len(places) ** 2 > _MOST_BALLS:
        raise InvalidArgument(f"scale must be given for more than {int(_MOST_BALLS**0.5):,} atoms, got {len(places):,}")
    return Doubling(best, Fraction(where, total))


def _balls_on_a_line(places: NDArray[Any], limit: int) -> int:
    half = limit // 2
    limit = min(limit, int(places[-1]))
    place = np.searchsorted(places, places - limit, side="left")
    end = np.searchsorted(places, places + limit, side="right")
    count = 0
    while (place < end).any():
        place, end = place[place < end], end[place < end]
        centre = np.searchsorted(places, places[place] + half, side="right") - 1
        place = np.searchsorted(places, places[centre] + half, side="right")
        count += 1
    return count
