"""Where to cut beyond the values that were seen, so that what lands there later is seen to be new."""

from __future__ import annotations

#: So far beyond, relative: rounding on another machine is no change, and six digits show it.
BEYOND = 1e-5
#: The same beyond 0.
BEYOND_ZERO = 1e-12


def just_above(value: float) -> float:
    """A cut a little above a value.

    >>> just_above(0.3), just_above(-2.0), just_above(0.0)
    (0.300003, -1.99998, 1e-12)
    """
    return float(f"{value + (BEYOND * abs(value) or BEYOND_ZERO):.7g}")


def just_below(value: float) -> float:
    """A cut a little below a value.

    >>> just_below(0.3), just_below(0.0)
    (0.299997, -1e-12)
    """
    return -just_above(-value)
