"""Bounds as text, rounded to the side on which they stay true: what is at least 1.1758 is at least 1.17, not 1.18."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

#: What sums of doubles are off by is no reason to round: twenty levels of 1e-6 are 2e-05, not more.
_NOISE = 1e-12


def at_least(bound: float, form: str = ".3g") -> str:
    """A lower bound, not above itself, in a form of ``format`` that ends in ``g`` or ``f``.

    Examples
    --------
    >>> at_least(1.1758), at_least(1.0099983, ".3f"), at_least(0.7), at_least(-0.12345, ".2f")
    ('1.17', '1.009', '0.7', '-0.13')
    """
    return _towards(bound, form, ROUND_FLOOR)


def at_most(bound: float, form: str = ".3g") -> str:
    """An upper bound, not below itself, in a form of ``format`` that ends in ``g`` or ``f``.

    Examples
    --------
    >>> at_most(0.000193, ".2g"), at_most(0.033949), at_most(20 * 1e-6), at_most(float("inf"))
    ('0.0002', '0.034', '2e-05', 'inf')
    """
    return _towards(bound, form, ROUND_CEILING)


def within(low: float, high: float, form: str = ".3g") -> str:
    """An interval that holds the one that is meant.

    Examples
    --------
    >>> within(0.0, 0.033949)
    '[0, 0.034]'
    """
    return f"[{at_least(low, form)}, {at_most(high, form)}]"


def _towards(bound: float, form: str, side: str) -> str:
    # numpy's own numbers say more than the number in their repr
    shown = float(bound)
    if not math.isfinite(shown) or shown == 0.0:
        return format(shown, form)
    nearest = format(shown, form)
    if math.isclose(float(nearest.replace(",", "")), shown, rel_tol=_NOISE):
        return nearest
    exact = Decimal(repr(shown))
    digits = int(form[form.index(".") + 1 : -1])
    last = -digits if form.endswith("f") else exact.adjusted() - digits + 1
    return format(float(exact.quantize(Decimal(1).scaleb(last), rounding=side)), form)
