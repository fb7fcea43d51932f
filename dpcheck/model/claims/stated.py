"""An epsilon as it was stated: as a double, as a fraction that no double holds, or as the ratio exp(epsilon)."""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Rational

from dpcheck.model.claims.arguments import checked_epsilon
from dpcheck.model.errors import InvalidArgument


def stated_epsilon(epsilon: object, ratio: object) -> tuple[float, Fraction | None, Fraction | None]:
    """Epsilon as a double, and exactly: as a fraction where no double holds it, or as the ratio exp(epsilon)."""
    if epsilon is not None and ratio is not None:
        raise InvalidArgument(f"epsilon or ratio must be given, and not both, got {epsilon!r} and {ratio!r}")
    if ratio is None:
        value = checked_epsilon(epsilon)  # type: ignore[arg-type]  # checked there
        return value, beyond_a_double(epsilon, value), None
    if isinstance(ratio, bool) or not isinstance(ratio, Rational) or ratio < 1:
        raise InvalidArgument(f"ratio must be exp(epsilon) as a Fraction or integer of at least 1, got {ratio!r}")
    exact = Fraction(ratio)
    return logarithm(exact), None, exact


def logarithm(ratio: Fraction) -> float:
    """The logarithm of a ratio of at least 1, to the last bits of a double however near to 1 or large it is."""
    try:
        return math.log1p(float(ratio - 1))
    except OverflowError:
        return math.log(ratio.numerator) - math.log(ratio.denominator)


def beyond_a_double(given: object, value: float) -> Fraction | None:
    """The fraction that was given, where it is not the double it was turned into."""
    return Fraction(given) if isinstance(given, Rational) and Fraction(given) != Fraction(value) else None
