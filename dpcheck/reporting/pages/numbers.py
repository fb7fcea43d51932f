"""Numbers for readers."""

from __future__ import annotations


def shown_number(value: float | int | None) -> str:
    """A number for a reader: whole ones with commas up to ten digits, others to three places; "" for None.

    Examples
    --------
    >>> [shown_number(x) for x in (1234567, 0.12345, 4.1e12, None, 1e-9, float("inf"))]
    ['1,234,567', '0.123', '4.1e+12', '', '1e-09', 'inf']
    """
    if value is None:
        return ""
    if isinstance(value, int) or (value == value and abs(value) < 1e10 and float(value).is_integer()):
        return f"{int(value):,}" if abs(value) < 1e10 else f"{float(value):.3g}"
    return f"{value:.3g}"
