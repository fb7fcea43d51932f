"""Numbers that somebody wrote, as doubles."""

from __future__ import annotations

import math


class NoDouble(ValueError):
    """A number that no double is near."""


def double_of(text: str | float) -> float:
    """The double that is written; a number that no double is near is refused, and not taken for 0 or infinity.

    Raises
    ------
    ValueError
        When it is no number; a :class:`NoDouble` when it is one that is too small or too large for a double.

    Examples
    --------
    >>> double_of("2.5e-3"), double_of("-inf"), double_of("0e9"), double_of(7)
    (0.0025, -inf, 0.0, 7.0)
    >>> double_of("1e-400")
    Traceback (most recent call last):
    dpcheck.cli.numbers.NoDouble: 1e-400 is too small for a double
    """
    found = float(text)
    if not isinstance(text, str):
        return found
    if found == 0.0 and any(digit in "123456789" for digit in text.lower().partition("e")[0]):
        raise NoDouble(f"{text} is too small for a double")
    if math.isinf(found) and "inf" not in text.lower():
        raise NoDouble(f"{text} is too large for a double")
    return found
