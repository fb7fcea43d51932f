"""Numbers for readers."""

from __future__ import annotations


def shown_number(value: float | int | None) -> str:
    """A number for a reader: with commas from 100 to ten millions, else to three places; "" for None.

    Examples
    --------
    >>> [shown_number(x) for x in (1234567, 1283.6, 0.12345, 4.1e9, None, 1e-9, float("inf"))]
    ['1,234,567', '1,284', '0.123', '4.1e9', '', '1e-9', 'inf']
    """
    if value is None:
        return ""
    if abs(value) < 1e7 and (float(value).is_integer() or abs(value) >= 100):
        return f"{value:,.0f}"
    return _short(float(value))


def _short(value: float) -> str:
    digits, power, rest = f"{value:.3g}".partition("e")
    return f"{digits}e{int(rest)}" if power else digits


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
