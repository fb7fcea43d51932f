"""How far an upper bound is from a lower one where a paper calls them tight or nearly matching: their ratio.

A `Tightness` holds the two bounds, what the paper says of the ratio, and the parameters over which it is looked at.
Ratios are of rigorous enclosures of both bounds. What is called the *excess* is the ratio over the gap that the paper
admits: where the paper is right, it stays below a constant (and the logarithms that an O-tilde hides).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import sympy

from dpcheck.model.errors import InvalidArgument
from dpcheck.proof.bounds import Bound, Enclosure, Value, exact_number, symbol, value_of


@dataclass(frozen=True)
class Tightness:
    """A claim that two bounds are close.

    Parameters
    ----------
    source
        The id of the result that makes the claim, such as ``alon2019:obs-1.b``.
    name
        A word that tells it from the others of the same result.
    says
        The paper's words.
    upper, lower
        A sufficient and a necessary bound on the same size.
    gap
        The ratio that the paper admits, up to constants, in symbols of `dpcheck.proof.bounds.symbol`; 1: none.
    hidden
        What else the claim leaves out, in words: logarithms of an O-tilde, parameters.
    along, values
        The variable over which the ratio is looked at, and where.
    fixed
        The other variables' values.
    series
        A second variable and its values: one curve each.

    Raises
    ------
    InvalidArgument
        When the bounds are not a sufficient and a necessary one on the same size, or there is one setting only.
    """

    source: str
    name: str
    says: str
    upper: Bound
    lower: Bound
    gap: Any
    hidden: str
    along: str
    values: tuple[Value, ...]
    fixed: Mapping[str, Value] = field(hash=False)
    series: tuple[str, tuple[Value, ...]] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "fixed", MappingProxyType(dict(self.fixed)))
        if (self.upper.sense, self.lower.sense) != ("sufficient", "necessary"):
            raise InvalidArgument("upper must be sufficient and lower necessary")
        if self.upper.size != self.lower.size:
            raise InvalidArgument(f"upper and lower must bound one size, got {self.upper.size} and {self.lower.size}")
        far = max(1, len(self.values) // 4)
        if len(self.values) < 2 or self.values[-1] == self.values[-1 - far]:
            raise InvalidArgument("values must be several, in order: one setting shows no slope")


@dataclass(frozen=True)
class RatioAt:
    """The bounds at one setting: ``upper``, ``lower``, their ``ratio`` enclosed, ``excess`` the ratio over the gap."""

    at: Fraction
    series: Fraction | None
    upper: Enclosure
    lower: Enclosure
    ratio: Enclosure
    excess: float


def ratios(tightness: Tightness) -> tuple[RatioAt, ...]:
    """The ratio of the bounds at every setting, curve after curve.

    Raises
    ------
    InvalidArgument
        When a setting is outside the domain of one of the bounds, or the lower bound or the gap is not positive (and
        finite) there.

    Examples
    --------
    >>> from dpcheck.papers.alon2019.theorems.tightness import TIGHTNESS
    >>> first, *_ = ratios(TIGHTNESS[0])
    >>> str(first.at), round(float(first.ratio), -3)
    ('1/100', 558000.0)
    """
    name, curves = tightness.series or ("", (None,))
    found = []
    for curve, place in itertools.product(curves, tightness.values):
        settings: dict[str, Value] = {**tightness.fixed, tightness.along: place}
        if curve is not None:
            settings[name] = curve
        upper, lower = (_value(bound, settings) for bound in (tightness.upper, tightness.lower))
        if lower.low <= 0:
            raise InvalidArgument(f"{tightness.source}: the lower bound says nothing at {tightness.along}={place}")
        exact = {key: exact_number(key, value) for key, value in settings.items()}
        gap = sympy.sympify(tightness.gap).subs(
            {symbol(key): sympy.Rational(value.numerator, value.denominator) for key, value in exact.items()}
        )
        if not (gap.is_number and gap.is_positive and gap.is_finite):
            raise InvalidArgument(f"{tightness.source}: the gap is {gap} at {tightness.along}={place}")
        ratio = Enclosure(upper.low / lower.high, upper.high / lower.low)
        found.append(
            RatioAt(
                exact[tightness.along], exact[name] if name else None, upper, lower, ratio, float(ratio) / float(gap)
            )
        )
    return tuple(found)


def trend(found: tuple[RatioAt, ...]) -> float:
    """The steepest slope of the excess on the far quarter of the curves, log against log: near 0 where the claim holds.

    A power that the paper does not admit shows as its exponent, a logarithm as a slope that tends to 0.

    Examples
    --------
    >>> from dpcheck.papers.alon2019.theorems.tightness import TIGHTNESS
    >>> abs(trend(ratios(TIGHTNESS[0]))) < 0.1
    True
    """
    slopes = []
    for _, curve in itertools.groupby(found, key=lambda each: each.series):
        points = list(curve)
        last, before = points[-1], points[-1 - max(1, len(points) // 4)]
        if last.at != before.at:
            slopes.append(math.log(last.excess / before.excess) / math.log(float(last.at / before.at)))
    return max(slopes, key=abs, default=0.0)


def _value(bound: Bound, settings: Mapping[str, Value]) -> Enclosure:
    usable: dict[str, Any] = {name: value for name, value in settings.items() if name in bound.domain}
    return value_of(bound, **usable)
