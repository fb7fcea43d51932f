"""Covers and packings of a class under a reference distribution: checked, and their best sizes, exactly."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.circle import is_circle_cover, is_circle_packing
from dpcheck.parts.classes.finite_metric import FiniteMetric, distinct_atoms, finite_metric
from dpcheck.parts.classes.line import LineNets, cumulative, fewest_centres, most_apart
from dpcheck.parts.classes.protocol import HypothesisClass
from dpcheck.parts.classes.references import Atoms, LineLaw, Reference
from dpcheck.parts.classes.set_cover import MOST_SETS, fewest_sets, most_independent
from dpcheck.parts.classes.spaces import exact_radius, grid_size, is_circle, is_line, real_line, unknown, whole_limit


def is_packing(family: HypothesisClass, hypotheses: Any, reference: Reference, radius: Any) -> bool:
    """Whether any two of some hypotheses are farther apart than a radius; exact.

    Raises
    ------
    InvalidArgument
        When no distances are known for the pair, or the radius is no number of at least 0.

    Source: chaudhuri2011:def-ddim (packings are strict).

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> is_packing(GridThresholds(4), [0, 2, 4], Atoms(range(4)), 0.25)
    True
    >>> is_packing(GridThresholds(4), [0, 2, 4], Atoms(range(4)), 0.5)  # not above it
    False
    """
    exact, given = exact_radius(radius), np.asarray(hypotheses)
    if isinstance(reference, Atoms):
        if is_line(family):
            places, total = _places(family, given, reference)
            return bool((np.diff(np.sort(places)) > whole_limit(exact, total)).all())
        points, mass = distinct_atoms(family, reference)
        labels = family.predict(given, points)
        metric = FiniteMetric(points, given, labels, mass, int(mass.sum()))
        near = metric.near(labels, labels, metric.limit(exact))
        return int(near.sum()) == len(given)
    line = real_line(family, reference)
    if line is not None:
        return LineNets(line, exact).is_packing(given.astype(np.float64))
    if is_circle(family, reference):
        return is_circle_packing(given, exact)
    points_of_grid = grid_size(family, reference)
    if points_of_grid is not None:
        return bool((np.diff(np.sort(given)) > whole_limit(exact, points_of_grid)).all())
    raise unknown("a packing", family, reference)


def is_cover(family: HypothesisClass, hypotheses: Any, reference: Reference, radius: Any) -> bool:
    """Whether every hypothesis of a class is within a radius of one of some hypotheses; exact.

    Raises
    ------
    InvalidArgument
        When no distances are known for the pair, or the radius is no number of at least 0.

    Source: chaudhuri2011:def-ddim.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> [is_cover(GridThresholds(4), [1, 3], Atoms(range(4)), radius) for radius in (0.25, 0.2)]
    [True, False]
    """
    exact, given = exact_radius(radius), np.asarray(hypotheses)
    if not len(given):
        return False
    if isinstance(reference, Atoms):
        if is_line(family):
            places, total = _places(family, given, reference)
            return _covers_places(np.sort(places), cumulative(distinct_atoms(family, reference)[1]), exact, total)
        metric = finite_metric(family, reference)
        return bool(metric.covered(metric.labels, family.predict(given, metric.points), metric.limit(exact)).all())
    line = real_line(family, reference)
    if line is not None:
        return LineNets(line, exact).is_cover(given.astype(np.float64))
    if is_circle(family, reference):
        return is_circle_cover(given, exact)
    points_of_grid = grid_size(family, reference)
    if points_of_grid is not None:
        limit, ordered = whole_limit(exact, points_of_grid), np.sort(given)
        ends = ordered[0] <= limit and points_of_grid - ordered[-1] <= limit
        return bool(ends and (np.diff(ordered) <= 2 * limit + 1).all())
    raise unknown("a cover", family, reference)


def ball(family: HypothesisClass, centre: Any, reference: Atoms, radius: Any) -> NDArray[Any]:
    """The closed ball of a class under atoms: a hypothesis for each dichotomy within the radius of the centre.

    Raises
    ------
    InvalidArgument
        When the reference is not of atoms, or the radius no number of at least 0.

    Source: B_D(h, r) of chaudhuri2011, section 2.4.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> ball(GridThresholds(9), 3, Atoms(range(9)), 0.12).tolist()
    [2, 3, 4]
    """
    if not isinstance(reference, Atoms):
        raise unknown("the list of a ball", family, reference)
    metric = finite_metric(family, reference)
    middle = family.predict(np.asarray([centre]), metric.points)
    return np.asarray(metric.hypotheses[metric.near(middle, metric.labels, metric.limit(exact_radius(radius)))[0]])


def covering_number(family: HypothesisClass, reference: Reference, radius: Any, *, of: Any = None) -> int:
    """N_r: how many hypotheses of a class the smallest set has that has every one within the radius of one.

    By a formula for thresholds under the line (those at real numbers) and separators of the circle; from the left
    for thresholds under atoms; else by integer programming, the answer verified.

    Parameters
    ----------
    family : HypothesisClass
    reference : as for :func:`~dpcheck.parts.classes.net`
    radius : number above 0, or of at least 0 under atoms
    of : array of hypotheses, optional
        Those to be covered, under atoms: a :func:`ball` for instance. All when left out. Centres may be any.

    Raises
    ------
    InvalidArgument
        When there are too many dichotomies for an exact answer (the greedy bounds are in the message), or none is
        known.

    Source: N_eps of chaudhuri2011:def-ddim.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds, Thresholds, UniformLine
    >>> covering_number(Thresholds(), UniformLine(), 0.125), covering_number(GridThresholds(8), Atoms(range(8)), 0.125)
    (4, 3)
    """
    exact = exact_radius(radius)
    if isinstance(reference, Atoms):
        if is_line(family) and of is None:
            places = cumulative(distinct_atoms(family, reference)[1])
            return len(fewest_centres(places, whole_limit(exact, int(places[-1]))))
        metric = _small(finite_metric(family, reference), exact, 2 * exact)
        labels = metric.labels if of is None else family.predict(np.asarray(of), metric.points)
        return fewest_sets(metric.near(labels, metric.labels, metric.limit(exact)))
    return _number("covering_number", family, reference, exact, of)


def packing_number(family: HypothesisClass, reference: Reference, radius: Any, *, of: Any = None) -> int:
    """How many hypotheses of a class the largest set has of which any two are farther apart than the radius.

    As :func:`covering_number`; ``of`` are those that may be taken, under atoms.

    Raises
    ------
    InvalidArgument
        When there are too many dichotomies for an exact answer (the greedy bounds are in the message), or none is
        known.

    Source: chaudhuri2011:def-ddim; ``N_r <= maxpack_r <= N_{r/2}``.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds, Thresholds, UniformLine
    >>> packing_number(Thresholds(), UniformLine(), 0.125), packing_number(GridThresholds(8), Atoms(range(8)), 0.125)
    (8, 5)
    """
    exact = exact_radius(radius)
    if isinstance(reference, Atoms):
        if is_line(family) and of is None:
            places = cumulative(distinct_atoms(family, reference)[1])
            return len(most_apart(places, whole_limit(exact, int(places[-1]))))
        metric = _small(finite_metric(family, reference), exact, exact / 2)
        labels = metric.labels
        if of is not None:
            if not len(of):
                return 0
            labels = np.unique(family.predict(np.asarray(of), metric.points), axis=0)
        return most_independent(metric.near(labels, labels, metric.limit(exact)))
    return _number("packing_number", family, reference, exact, of)


def _number(what: str, family: Any, reference: Any, radius: Fraction, of: Any) -> int:
    """The best sizes under references that are not atoms."""
    covering = what == "covering_number"
    if of is not None:
        raise InvalidArgument(f"of belongs to a reference of atoms, got one with {reference.description}")
    points = grid_size(family, reference)
    if points is not None:
        limit = whole_limit(radius, points)
        return -(-(points + 1) // (2 * limit + 1 if covering else limit + 1))
    if radius == 0:
        raise InvalidArgument(f"radius must be above 0 under {reference.description}, got 0")
    if real_line(family, reference) is not None:
        if isinstance(reference, LineLaw) and reference.atoms:
            nets = LineNets(reference, radius)
            return len(nets.from_the_left() if covering else nets.most_apart())
        return 1 if radius >= 1 else ceil(1 / (2 * radius) if covering else 1 / radius)
    if is_circle(family, reference):
        return 1 if radius >= 1 else ceil(1 / radius) if covering else ceil(2 / radius) - 1
    raise unknown(what, family, reference)


def _small(metric: FiniteMetric, radius: Fraction, other: Fraction) -> FiniteMetric:
    """A metric space that is not too large for exact numbers, which are between the sizes of two greedy nets."""
    if len(metric) > MOST_SETS:
        bounds = sorted(len(metric.greedy(metric.limit(each))) for each in (radius, other))
        raise InvalidArgument(
            f"reference must give at most {MOST_SETS:,} dichotomies for an exact number, got {len(metric):,}; that of "
            f"the class is between {bounds[0]:,} and {bounds[1]:,}, by greedy nets"
        )
    return metric


def _places(family: Any, thresholds: NDArray[Any], reference: Atoms) -> tuple[NDArray[Any], int]:
    """The mass below each threshold, in units, and the mass of all."""
    points, mass = distinct_atoms(family, reference)
    sums = cumulative(mass)
    return sums[np.searchsorted(points, thresholds, side="left")], int(sums[-1])


def _covers_places(centres: NDArray[Any], places: NDArray[Any], radius: Fraction, total: int) -> bool:
    """Whether each place is within the radius of one of sorted centres."""
    after = np.searchsorted(centres, places, side="left")
    limit = whole_limit(radius, total)
    above = centres[np.minimum(after, len(centres) - 1)] - places
    under = places - centres[np.maximum(after - 1, 0)]
    return bool(((np.abs(above) <= limit) | (np.abs(under) <= limit)).all())
