"""Intervals for the mean of independent numbers between two bounds, whatever their law."""

from __future__ import annotations

import math

from dpcheck.model.errors import InvalidArgument

#: By how much ends are moved outwards: sums of doubles and logarithms round.
_ROUNDING = 1e-12


def divergence(one: float, other: float) -> float:
    """``one log(one/other) + (1 - one) log((1 - one)/(1 - other))`` nats; infinite where only one of them is certain.

    Examples
    --------
    >>> divergence(0.5, 0.5), divergence(0.5, 0.0)
    (0.0, inf)
    """
    total = 0.0
    for p, q in ((one, other), (1.0 - one, 1.0 - other)):
        if p > 0.0:
            if q <= 0.0:
                return math.inf
            total += p * math.log(p / q)
    return max(0.0, total)


def mean_interval(
    mean: float, trials: int, level: float, *, low: float = 0.0, high: float = 1.0
) -> tuple[float, float]:
    """An interval for the expectation of which ``mean`` is the average over ``trials`` independent numbers.

    Each end is missed with probability at most ``level / 2``: an average of numbers from 0 to 1 exceeds what it
    estimates as seldom as that of coins does, ``exp(-trials KL)`` (Hoeffding's inequality in its sharp form).

    Parameters
    ----------
    mean : float, from low to high
    trials : int, at least 0; without any the interval is everything
    level : float in (0, 1)
    low, high : float, what each number is between

    Raises
    ------
    InvalidArgument
        When an argument is none of these.

    Source: Hoeffding 1963, theorem 1, doi:10.1080/01621459.1963.10500830.

    Examples
    --------
    >>> [round(end, 3) for end in mean_interval(0.0, 1000, 0.05)]
    [0.0, 0.004]
    >>> [round(end, 3) for end in mean_interval(0.0, 1000, 0.05, low=-1.0)]
    [-0.086, 0.086]
    """
    if not 0.0 < level < 1.0 or not low < high or trials < 0:
        raise InvalidArgument(
            f"level must be in (0, 1), low below high and trials at least 0, got level {level}, low {low}, high "
            f"{high}, trials {trials}"
        )
    if trials == 0:
        return low, high
    share = (mean - low) / (high - low)
    if not -_ROUNDING <= share <= 1.0 + _ROUNDING:
        raise InvalidArgument(f"mean must be from {low} to {high}, got {mean}")
    share = min(1.0, max(0.0, share))
    needed = math.log(2.0 / level) / trials
    ends = (_end(share, 0.0, needed), _end(share, 1.0, needed))
    width = high - low
    return max(low, low + width * ends[0] - _ROUNDING * width), min(high, low + width * ends[1] + _ROUNDING * width)


def _end(share: float, outside: float, needed: float) -> float:
    """The point towards ``outside`` at which the divergence is what is needed, seen from outside."""
    if divergence(share, outside) <= needed:
        return outside
    inside = share
    for _ in range(100):
        middle = 0.5 * (inside + outside)
        if middle in (inside, outside):
            break
        inside, outside = (middle, outside) if divergence(share, middle) <= needed else (inside, middle)
    return outside
