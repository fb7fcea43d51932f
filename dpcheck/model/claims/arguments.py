"""Arguments of claims, checked: one line says which, what it got and what it wants."""

from __future__ import annotations

import math

from dpcheck.model.errors import InvalidArgument


def checked_epsilon(value: float) -> float:
    """An epsilon in nats: finite, at least 0."""
    number = real("epsilon", value)
    if not (number >= 0 and math.isfinite(number)):
        raise InvalidArgument(f"epsilon must be a finite number of nats, at least 0, got {value!r}")
    return number


def checked_delta(value: float) -> float:
    """A probability."""
    number = real("delta", value)
    if not 0 <= number <= 1:
        raise InvalidArgument(f"delta must be a probability between 0 and 1, got {value!r}")
    return number


def checked_parameter(name: str, value: float) -> float:
    """A parameter of a claim (rho, mu): finite, at least 0."""
    number = real(name, value)
    if not (number >= 0 and math.isfinite(number)):
        raise InvalidArgument(f"{name} must be a finite number, at least 0, got {value!r}")
    return number


def checked_order(value: float) -> float:
    """An order of Rényi divergence: finite, above 1."""
    number = real("order", value)
    if not (number > 1 and math.isfinite(number)):
        raise InvalidArgument(
            f"order must be a finite number above 1 (for infinite order claim PureDP(epsilon)), got {value!r}"
        )
    return number


def checked_distance(k: int) -> int:
    """The number of steps between two datasets."""
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise InvalidArgument(f"k (the distance between datasets) must be an integer of at least 1, got {k!r}")
    return k


def real(name: str, value: object) -> float:
    """A number that a double can hold."""
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise InvalidArgument(f"{name} must be a number, got {value!r} of type {type(value).__name__}")
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidArgument(f"{name} must be a number that a double can hold, got {value!r}: {error}") from error
