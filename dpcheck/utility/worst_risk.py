"""How badly who knows no label errs under a distribution: the worst of a class, a constant, labels drawn by a coin."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.utility.distributions import (
    FiniteDistribution,
    LineDistribution,
    are_thresholds,
    wrong_of_labellings,
)

#: Labellings of at most so many points are listed; of more, so many are drawn.
LISTED_POINTS, LABELLINGS = 12, 4_000
#: Points that are looked at for atoms where a distribution does not list its own.
LOOKED_AT = 4_096
#: Labels that are drawn together.
LABELS_TOGETHER = 1 << 21


def worst_risk(distribution: Any, family: Any) -> Fraction | None:
    """A risk that no hypothesis of the class exceeds; None where none is known.

    It is the largest risk of the class where the distribution can list its dichotomies or knows its thresholds, and the
    largest risk of any function on its points where it cannot. A distribution of one's own may say it itself, by a
    method ``worst_risk(family)``.

    Parameters
    ----------
    distribution : Distribution
    family : class with ``predict(hypotheses, points)``, or None for thresholds

    Examples
    --------
    >>> from dpcheck.utility.distributions import UniformInterval, two_points
    >>> worst_risk(UniformInterval(noise=0.1), None), worst_risk(UniformInterval(Fraction(1, 10)), None)
    (Fraction(1, 2), Fraction(9, 10))
    >>> worst_risk(two_points(), None)
    Fraction(1, 1)
    """
    own = getattr(distribution, "worst_risk", None)
    if callable(own):
        return own(family)  # type: ignore[no-any-return]
    if isinstance(distribution, LineDistribution):
        if are_thresholds(family):
            below = distribution.below(distribution.boundary)
            return distribution.flips + (1 - 2 * distribution.flips) * max(below, 1 - below)
        table = distribution.table()
        return None if table is None else worst_risk(table, family)
    if not isinstance(distribution, FiniteDistribution):
        return None
    size = len(distribution.points)
    of_zero, of_one = distribution.cells[:size], distribution.cells[size:]
    listed = getattr(family, "representatives", None)
    if distribution.best is not None or not callable(listed):
        return sum((max(pair) for pair in zip(of_zero, of_one, strict=True)), Fraction(0))
    rows = np.asarray(family.predict(listed(distribution.points), distribution.points))
    return Fraction(int(distribution.wrong_of_labellings(rows == 1).max()), distribution.denominator)


def constant_risks(distribution: Any) -> tuple[Fraction, Fraction] | None:
    """The risks of labelling everything 0 and everything 1, exactly; None where the distribution does not know them.

    Examples
    --------
    >>> from dpcheck.utility.distributions import UniformInterval
    >>> constant_risks(UniformInterval(Fraction(1, 10)))
    (Fraction(9, 10), Fraction(1, 10))
    """
    if isinstance(distribution, LineDistribution):
        above, below = distribution.risk(None, float("inf")), distribution.risk(None, float("-inf"))
        return above, below
    if isinstance(distribution, FiniteDistribution):
        size = len(distribution.points)
        return distribution.risk_of_labels(np.zeros(size)), distribution.risk_of_labels(np.ones(size))
    return None


def tossed_failures(
    distribution: Any, bar: Any, rng: np.random.Generator, *, labellings: int = LABELLINGS
) -> tuple[int, int]:
    """Of labellings that a coin draws, one label for each point, how many err by more than a bar; and of how many.

    All labellings of few points, drawn ones of more. Where no point has a mass that shows, each errs by 1/2.

    Parameters
    ----------
    distribution : Distribution
    bar : number
    rng : generator, of what is drawn
    labellings : int, how many are drawn where they are too many to be listed

    Examples
    --------
    >>> from dpcheck.utility.distributions import UniformInterval, two_points
    >>> rng = np.random.default_rng(0)
    >>> tossed_failures(two_points(), Fraction(2, 5), rng), tossed_failures(UniformInterval(), Fraction(1, 2), rng)
    ((3, 4), (0, 1))
    """
    table = distribution if isinstance(distribution, FiniteDistribution) else None
    if isinstance(distribution, LineDistribution):
        table = distribution.table()
    if table is not None:
        size = len(table.points)
        if size > LOOKED_AT and len(set(table.masses)) == 1:
            return int(Fraction(1, 2) > bar), 1
        most = math.floor(Fraction(bar) * table.denominator)
        if size <= LISTED_POINTS:
            every = np.array(list(product((0, 1), repeat=size)))
            return int((table.wrong_of_labellings(every) > most).sum()), len(every)
        return _drawn(size, labellings, rng, lambda labels: table.wrong_of_labellings(labels) > most), labellings
    drawn = distribution.draw(LOOKED_AT, rng)
    points, place = np.unique(np.asarray(drawn.x), axis=0, return_inverse=True)
    if len(points) > 0.9 * LOOKED_AT:  # many points of small mass: their coins come out even
        return int(Fraction(1, 2) > bar), 1
    of_zero, of_one = (np.bincount(place.ravel()[drawn.y == label], minlength=len(points)) for label in (0, 1))
    most = math.floor(Fraction(bar) * LOOKED_AT)
    failing = _drawn(len(points), labellings, rng, lambda labels: wrong_of_labellings(labels, of_zero, of_one) > most)
    return failing, labellings


def _drawn(
    size: int, labellings: int, rng: np.random.Generator, fails: Callable[[NDArray[Any]], NDArray[np.bool_]]
) -> int:
    """How many of so many labellings that a coin draws fail; some at a time, for all may be more than memory holds."""
    together = max(1, LABELS_TOGETHER // size)
    parts = [min(together, labellings - done) for done in range(0, labellings, together)]
    return sum(int(fails(rng.integers(2, size=(part, size))).sum()) for part in parts)
