"""The exact profile of two Laplace laws of any centres and scales, on the line or conditioned on a range."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from dpcheck.parts.mechanisms.parameters import at_least_zero, probability
from dpcheck.parts.mechanisms.profile import smallest_epsilon
from dpcheck.parts.mechanisms.quadrature import laplace_mass


@dataclass(frozen=True)
class LaplacesProfile:
    """The profile of two Laplace laws of any centres and scales, both conditioned on one range.

    The log ratio of the densities is linear between the centres and the ends of the range: where it exceeds
    epsilon is a union of intervals with closed-form probabilities.

    Parameters
    ----------
    centre, scale : float, of the first law; the scale is above 0
    other_centre, other_scale : float, of the second law
    low, high : float, the range

    Examples
    --------
    >>> LaplacesProfile(1.0, 1.0, 0.0, 1.0).epsilon(0.0), LaplacesProfile(1.0, 2.0, 1.0, 1.0).epsilon(0.0)
    (1.0, inf)
    """

    centre: float
    scale: float
    other_centre: float
    other_scale: float
    low: float = -math.inf
    high: float = math.inf

    def delta(self, epsilon: float) -> float:
        """The sum of ``P - exp(epsilon) Q`` over the intervals where the loss exceeds epsilon."""
        asked = at_least_zero("epsilon", epsilon)
        mass, other = self._masses
        found = 0.0
        for low, high in self._likelier(asked):
            likelier = laplace_mass(low, high, self.centre, self.scale) / mass
            found += likelier - math.exp(asked) * laplace_mass(low, high, self.other_centre, self.other_scale) / other
        return min(1.0, max(0.0, found))

    def epsilon(self, delta: float) -> float:
        """The largest loss at 0, else by bisection."""
        asked = probability("delta", delta)
        return max(0.0, self._largest_loss()) if asked == 0 else smallest_epsilon(self.delta, asked)

    @property
    def _masses(self) -> tuple[float, float]:
        return (
            laplace_mass(self.low, self.high, self.centre, self.scale),
            laplace_mass(self.low, self.high, self.other_centre, self.other_scale),
        )

    def _loss(self, x: float) -> float:
        mass, other = self._masses
        constant = math.log(self.other_scale * other) - math.log(self.scale * mass)
        return constant - abs(x - self.centre) / self.scale + abs(x - self.other_centre) / self.other_scale

    def _kinks(self) -> list[float]:
        inner = [x for x in sorted({self.centre, self.other_centre}) if self.low < x < self.high]
        return [*([self.low] if math.isfinite(self.low) else []), *inner, *([self.high] * math.isfinite(self.high))]

    def _largest_loss(self) -> float:
        unbounded = math.isinf(self.low) or math.isinf(self.high)
        if unbounded and self.scale > self.other_scale:
            return math.inf
        return max(self._loss(x) for x in self._kinks())

    def _likelier(self, epsilon: float) -> list[tuple[float, float]]:
        """The intervals on which the loss exceeds epsilon; it is linear between kinks and beyond them."""
        kinks = self._kinks()
        slope = 1 / self.other_scale - 1 / self.scale
        found = []
        for a, b in itertools.pairwise(kinks):
            found.append(_above(a, b, self._loss(a) - epsilon, self._loss(b) - epsilon))
        if math.isinf(self.low):
            found.append(_beyond(kinks[0], self._loss(kinks[0]) - epsilon, slope, -1.0))
        if math.isinf(self.high):
            found.append(_beyond(kinks[-1], self._loss(kinks[-1]) - epsilon, slope, 1.0))
        return [ends for ends in found if ends[0] < ends[1]]


def _above(a: float, b: float, at_a: float, at_b: float) -> tuple[float, float]:
    """Where a function that is linear on [a, b] is positive."""
    if at_a <= 0 and at_b <= 0:
        return a, a
    zero = a + (b - a) * at_a / (at_a - at_b) if (at_a > 0) != (at_b > 0) else a
    return (a, b) if at_a > 0 and at_b > 0 else ((a, zero) if at_a > 0 else (zero, b))


def _beyond(end: float, at_end: float, slope: float, way: float) -> tuple[float, float]:
    """Where a function is positive on the half-line from ``end`` outwards, with this slope outwards."""
    if at_end > 0:
        far = math.inf if slope >= 0 else at_end / -slope
        return (end, end + far) if way > 0 else (end - far, end)
    if slope <= 0:
        return end, end
    start = -at_end / slope
    return (end + start, math.inf) if way > 0 else (-math.inf, end - start)
