"""How badly anything of a class can err under a distribution: above that, no promise of a risk can be broken."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck.utility.distributions import FiniteDistribution, LineDistribution, are_thresholds


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
    return max(distribution.risk_of_labels(row) for row in rows)


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
