"""The checks that every mechanism makes of its parameters, with the one line each gives when it refuses."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck.model.errors import InvalidArgument


def real(name: str, value: object) -> float:
    """``value`` as a finite float.

    Raises
    ------
    InvalidArgument
        When it is not a finite number (booleans are not numbers here).

    Examples
    --------
    >>> real("threshold", 2)
    2.0
    """
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise InvalidArgument(f"{name} must be a number, got {value!r} of type {type(value).__name__}")
    number = float(value)
    if not math.isfinite(number):
        raise InvalidArgument(f"{name} must be finite, got {value!r}")
    return number


def positive(name: str, value: object) -> float:
    """``value`` as a float above 0.

    Raises
    ------
    InvalidArgument
        When it is not a finite number above 0.

    Examples
    --------
    >>> positive("scale", 0.5)
    0.5
    """
    number = real(name, value)
    if number <= 0:
        raise InvalidArgument(f"{name} must be above 0, got {value!r}")
    return number


def at_least_zero(name: str, value: object) -> float:
    """``value`` as a float of at least 0.

    Raises
    ------
    InvalidArgument
        When it is not a finite number of at least 0.

    Examples
    --------
    >>> at_least_zero("query_scale", 0)
    0.0
    """
    number = real(name, value)
    if number < 0:
        raise InvalidArgument(f"{name} must be at least 0, got {value!r}")
    return number


def probability(name: str, value: object) -> float:
    """``value`` as a float between 0 and 1.

    Raises
    ------
    InvalidArgument
        When it is not a probability.

    Examples
    --------
    >>> probability("delta", 0.01)
    0.01
    """
    number = real(name, value)
    if not 0 <= number <= 1:
        raise InvalidArgument(f"{name} must be a probability between 0 and 1, got {value!r}")
    return number


def count(name: str, value: object, least: int = 1) -> int:
    """``value`` as an integer of at least ``least``.

    Raises
    ------
    InvalidArgument
        When it is not such an integer.

    Examples
    --------
    >>> count("categories", 3, least=2)
    3
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise InvalidArgument(f"{name} must be an integer, got {value!r} of type {type(value).__name__}")
    number = int(value.__index__())
    if number < least:
        raise InvalidArgument(f"{name} must be at least {least}, got {value!r}")
    return number


def exact_at_least_zero(name: str, value: Any) -> Fraction:
    """A number of at least 0 as a fraction; a double is exactly what it is.

    Raises
    ------
    InvalidArgument
        When it is not a finite number of at least 0.

    Examples
    --------
    >>> exact_at_least_zero("rate", 0.5)
    Fraction(1, 2)
    """
    if type(value) is Fraction and value.numerator >= 0:
        return value
    number = isinstance(value, int | float | Fraction | np.integer | np.floating) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or value < 0:
        raise InvalidArgument(f"{name} must be a finite number of at least 0, got {value!r}")
    return Fraction(value.item() if isinstance(value, np.generic) else value)


def positive_as_given(name: str, value: Any) -> Any:
    """A float, an integer or a ``Fraction`` above 0, as it was given.

    Raises
    ------
    InvalidArgument
        When it is no finite number above 0.

    Examples
    --------
    >>> positive_as_given("epsilon", Fraction(1, 3))
    Fraction(1, 3)
    """
    number = isinstance(value, int | float | Fraction) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or not value > 0:
        kinds = ", as an int, a float or a Fraction" if isinstance(value, np.generic) else ""
        raise InvalidArgument(f"{name} must be a finite number above 0{kinds}, got {value!r}")
    return value
