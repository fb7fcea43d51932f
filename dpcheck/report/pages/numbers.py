"""Numbers for readers."""

from __future__ import annotations

from collections.abc import Callable

from dpcheck.model.bounds_shown import at_least, at_most


def shown_number(value: float | int | None, rounded: Callable[[float, str], str] = format) -> str:
    """A number for a reader: with commas from 100 to ten millions, else to three places; "" for None.

    ``rounded`` makes the text of a number in a form of ``format``, to the side where that matters.

    Examples
    --------
    >>> [shown_number(x) for x in (1234567, 1283.6, 0.12345, 4.1e9, None, 1e-9, float("inf"))]
    ['1,234,567', '1,284', '0.123', '4.1e9', '', '1e-9', 'inf']
    """
    if value is None:
        return ""
    if abs(value) < 1e7 and (float(value).is_integer() or abs(value) >= 100):
        return rounded(value, ",.0f")
    digits, power, rest = rounded(float(value), ".3g").partition("e")
    return f"{digits}e{int(rest)}" if power else digits


def shown_at_least(value: float | int | None) -> str:
    """A lower bound as :func:`shown_number` has it, not above itself.

    >>> shown_at_least(1.1758), shown_at_least(1283.6), shown_at_least(None)
    ('1.17', '1,283', '')
    """
    return shown_number(value, at_least)


def shown_at_most(value: float | int | None) -> str:
    """An upper bound as :func:`shown_number` has it, not below itself.

    >>> shown_at_most(0.000193), shown_at_most(1283.2), shown_at_most(1e-6)
    ('0.000193', '1,284', '1e-6')
    """
    return shown_number(value, at_most)


def shown_duration(seconds: float) -> str:
    """Seconds for a reader.

    Examples
    --------
    >>> [shown_duration(seconds) for seconds in (0.34, 12.4, 75.0, 4000.0)]
    ['0.3 s', '12 s', '1.2 min', '1.1 h']
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.1f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"
