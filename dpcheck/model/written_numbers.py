"""Numbers that somebody wrote, exactly."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

#: Longer ones cannot be printed (Python refuses integers of more than 4,300 digits), and 1e999999999 fills the memory.
MOST_DIGITS = 4300


def fraction_of(text: str | Decimal) -> Fraction:
    """The fraction that is written, as ``3/2``, ``0.1`` or ``1e-6``; one of more digits than can be printed is refused.

    Raises
    ------
    ValueError
        When it is no number, is not finite, or has more than 4,300 digits.
    ZeroDivisionError
        When its denominator is 0.

    Examples
    --------
    >>> fraction_of("1e-3"), fraction_of("3/2")
    (Fraction(1, 1000), Fraction(3, 2))
    >>> fraction_of("1e999999999")
    Traceback (most recent call last):
    ValueError: a number must have at most 4,300 digits
    """
    written = str(text)
    # nothing is worked out before: 10 to the power of the exponent is what takes the memory
    exponent = written.lower().partition("e")[2].strip().replace("_", "").lstrip("+-0")
    far = exponent.isdecimal() and (len(exponent) > len(str(MOST_DIGITS)) or int(exponent) > MOST_DIGITS)
    if far or len(written) > MOST_DIGITS:
        raise ValueError(f"a number must have at most {MOST_DIGITS:,} digits")
    return Fraction(written)
