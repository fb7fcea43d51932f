"""Rules for which hypothesis stands for a dichotomy: names that a class knows, or the worst for a distribution."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument, nearest

#: Integers below this are summed in 64 bits.
_SMALL = 2**62


@dataclass(frozen=True)
class Adversarial:
    """The rule that represents a dichotomy by its hypothesis of largest error under a finite distribution.

    Parameters
    ----------
    x : sequence of n points of the support (hashable: numbers)
    y : sequence of n labels, 0 or 1
    weights : sequence of n numbers of at least 0, optional
        Proportional to the probabilities of the records (x, y); equal by default. Taken as exact.

    Raises
    ------
    InvalidArgument
        When the lengths differ, there is no record, or a weight is negative or no number.

    Source: alon2019:alg-1 (step 5 allows any representative; utility must hold for the worst).

    Examples
    --------
    >>> Adversarial(x=[0, 3], y=[0, 1], weights=[Fraction(1, 3), Fraction(2, 3)]).weights
    (1, 2)
    """

    x: tuple[Any, ...]
    y: tuple[int, ...]
    weights: tuple[int, ...]

    def __init__(self, x: Sequence[Any], y: Sequence[int], weights: Sequence[Any] | None = None) -> None:
        points, labels = tuple(np.asarray(x).tolist()), tuple(np.asarray(y).tolist())
        if not points or len(points) != len(labels) or not set(labels) <= {0, 1}:
            raise InvalidArgument(
                f"y must hold a label 0 or 1 for each of the {len(points)} points (at least 1), got {list(labels)[:4]}"
            )
        object.__setattr__(self, "x", points)
        object.__setattr__(self, "y", tuple(int(label) for label in labels))
        object.__setattr__(self, "weights", integer_weights(weights, len(points)))


#: A name of the class's own, the worst hypothesis for a distribution, or None for the class's default.
Rule: TypeAlias = str | Adversarial | None


def checked_rule(rule: Rule, allowed: Sequence[str], *, adversarial: bool = False) -> str | Adversarial:
    """A rule as given, the first of those allowed for None.

    Raises
    ------
    InvalidArgument
        When the class does not know it.

    Examples
    --------
    >>> checked_rule(None, ("lowest", "highest"))
    'lowest'
    """
    if rule is None:
        return allowed[0]
    if isinstance(rule, Adversarial) and adversarial:
        return rule
    if isinstance(rule, str) and rule in allowed:
        return rule
    also = " or an Adversarial" if adversarial else ""
    hint = nearest(rule, allowed) if isinstance(rule, str) else ""
    raise InvalidArgument(f"rule must be one of {', '.join(allowed)}{also}, got {rule!r}{hint}")


def integer_weights(weights: Sequence[Any] | NDArray[Any] | None, count: int) -> tuple[int, ...]:
    """Weights as integers in the same proportions; ones for None.

    Raises
    ------
    InvalidArgument
        When there are not ``count`` of them, or one is negative or no number, or all are 0.

    Examples
    --------
    >>> integer_weights([0.5, 0.25], 2)
    (2, 1)
    """
    if weights is None:
        return (1,) * count
    if isinstance(weights, tuple) and len(weights) == count and set(map(type, weights)) == {int}:
        smallest, common = min(weights), math.gcd(*weights)  # a million fractions of integers would take seconds
        if smallest >= 0 and common:
            return weights if common == 1 else tuple(weight // common for weight in weights)
    try:
        exact = [Fraction(weight) for weight in np.asarray(weights).tolist()]
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidArgument(f"weights must be finite numbers of at least 0, got {weights!r}") from error
    if len(exact) != count or min(exact) < 0 or not any(exact):
        raise InvalidArgument(
            f"weights must be {count} numbers of at least 0, not all 0, got {[str(weight) for weight in exact[:4]]}"
        )
    scale = math.lcm(*(weight.denominator for weight in exact))
    whole = [int(weight * scale) for weight in exact]
    common = math.gcd(*whole)
    return tuple(weight // common for weight in whole)


def as_summable(weights: Sequence[int]) -> NDArray[Any]:
    """Integers as an array whose sums are exact: 64 bits where their total fits, else Python's."""
    return np.array(weights, dtype=np.int64 if sum(map(abs, weights)) < _SMALL else object)
