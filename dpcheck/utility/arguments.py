"""Arguments of this room, checked: exact numbers, probabilities, sizes."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck.model.errors import InvalidArgument


def exact(name: str, value: Any, wanted: str = "a finite number") -> Fraction:
    """A number as the fraction that was written: a float by its shortest decimal, so that 0.3 is 3/10.

    Whether an excess risk of exactly 3/10 exceeds an accuracy of 0.3 must not depend on the double nearest to 0.3.

    Raises
    ------
    InvalidArgument
        When it is no finite number.

    Examples
    --------
    >>> exact("accuracy", 0.3), exact("accuracy", Fraction(1, 3))
    (Fraction(3, 10), Fraction(1, 3))
    """
    good = isinstance(value, int | float | Fraction | np.integer | np.floating) and not isinstance(value, bool)
    if not good or not math.isfinite(value):
        raise InvalidArgument(f"{name} must be {wanted}, got {value!r}")
    if isinstance(value, float | np.floating):
        return Fraction(repr(float(value)))
    return Fraction(value) if isinstance(value, Fraction) else Fraction(int(value))


def between(name: str, value: Any, low: int, high: int, *, closed: bool = False) -> Fraction:
    """An exact number strictly between two bounds (or, ``closed``, at them too).

    Raises
    ------
    InvalidArgument
        When it is not.

    Examples
    --------
    >>> between("noise", 0, 0, 1, closed=True)
    Fraction(0, 1)
    """
    wanted = f"a number between {low} and {high}{'' if closed else ', both excluded'}"
    number = exact(name, value, wanted)
    if not (low <= number <= high if closed else low < number < high):
        raise InvalidArgument(f"{name} must be {wanted}, got {value!r}")
    return number


def whole(name: str, value: Any, least: int) -> int:
    """An integer of at least ``least``.

    Raises
    ------
    InvalidArgument
        When it is not.

    Examples
    --------
    >>> whole("size", np.int64(3), 0)
    3
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise InvalidArgument(f"{name} must be an integer of at least {least}, got {value!r}")
    return int(value)
