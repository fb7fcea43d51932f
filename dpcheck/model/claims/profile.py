"""A claim stated as a privacy profile: delta at some values of epsilon, as accountants compute it."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from dpcheck.model.claims.arguments import checked_delta, checked_distance, checked_epsilon
from dpcheck.model.claims.standard import ApproxDP
from dpcheck.model.errors import InvalidArgument

#: The ends of a chord and its value round; this much is added, relative, so that a bound stays one.
_ROUNDING = 1e-12
#: Beyond this epsilon its exponential is no double, and no audit tests anything.
_LARGEST = 700.0


@dataclass(frozen=True)
class ProfileDP:
    """A privacy profile: ``delta <= points[i][1]`` at ``epsilon = points[i][0]``, for all of them together.

    Between two points delta is bounded by the chord over ``exp(epsilon)``: a profile is convex there. Before the first
    it is what the first implies, after the last it stays as it is there.

    Parameters
    ----------
    points : (epsilon, delta) pairs, epsilons in nats, rising
        A delta above that of a smaller epsilon is brought down to it.
    source : str
        What computed them; the claim shows it.

    Raises
    ------
    InvalidArgument
        When there is no point, or epsilons do not rise or are beyond 700.

    Examples
    --------
    >>> claim = ProfileDP([(0.0, 0.4), (1.0, 0.1), (3.0, 1e-5)], source="an accountant")
    >>> claim.delta(1.0), claim.delta(9.0), claim.epsilon(1e-5), claim.epsilon(1e-6)
    (0.1, 1e-05, 3.0, inf)
    >>> print(claim)
    profile of an accountant
    """

    points: tuple[tuple[float, float], ...]
    source: str = "points"

    def __init__(self, points: Iterable[tuple[float, float]], source: str = "points") -> None:
        least = 1.0
        kept: list[tuple[float, float]] = []
        for epsilon, delta in points:
            least = min(least, checked_delta(delta))
            kept.append((checked_epsilon(epsilon), least))
        if not kept:
            raise InvalidArgument("points must hold at least one (epsilon, delta), got none")
        epsilons = [epsilon for epsilon, _ in kept]
        if any(later <= earlier for earlier, later in pairwise(epsilons)):
            raise InvalidArgument(f"points must have rising epsilons, got {epsilons[:6]}")
        if epsilons[-1] > _LARGEST:
            raise InvalidArgument(f"points must have epsilons of at most {_LARGEST:g}, got {epsilons[-1]:g}")
        object.__setattr__(self, "points", tuple(kept))
        object.__setattr__(self, "source", str(source))

    def __str__(self) -> str:
        return f"profile of {self.source}"

    def delta(self, epsilon: float) -> float:
        """The delta promised at this epsilon: the chord between its two points."""
        asked = checked_epsilon(epsilon)
        place = bisect_right([point[0] for point in self.points], asked)
        if place == 0:
            return min(1.0, ApproxDP(*self.points[0]).delta(asked) * (1.0 + _ROUNDING))
        low, at_low = self.points[place - 1]
        if asked == low or place == len(self.points):
            return at_low
        high, at_high = self.points[place]
        share = math.expm1(asked - low) / math.expm1(high - low)
        return min(1.0, (at_low + (at_high - at_low) * share) * (1.0 + _ROUNDING))

    def epsilon(self, delta: float) -> float:
        """The smallest epsilon promised at this delta; ``inf`` below the last point's."""
        asked = checked_delta(delta)
        if asked < self.points[-1][1]:
            return math.inf
        if self.delta(0.0) <= asked:
            return 0.0
        place = next(i for i, (_, at) in enumerate(self.points) if at <= asked)
        high = self.points[place][0]
        low = self.points[place - 1][0] if place else 0.0
        for _ in range(80):  # bits of a double, and some
            middle = 0.5 * (low + high)
            if not low < middle < high:
                break
            low, high = (low, middle) if self.delta(middle) <= asked else (middle, high)
        return high

    def at_distance(self, k: int) -> ProfileDP:
        """Group privacy, point by point: ``(k epsilon, delta (e^(k epsilon) - 1)/(e^epsilon - 1))``."""
        steps = checked_distance(k)
        far = [ApproxDP(*point).at_distance(steps) for point in self.points if steps * point[0] <= _LARGEST]
        # so far away that nothing is promised any more
        return ProfileDP([(claim.epsilon_value, claim.delta_value) for claim in far] or [(0.0, 1.0)], self.source)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """That the accountant is right."""
        return (f"the profile is the one computed by {self.source}",)
