"""Pairs of output laws that are known exactly: the yardsticks of the benchmarks.

Each pair is the law P of the output on D and the law Q of the output on D', with its sampler, densities,
distribution functions and its exact privacy profile. All three kinds are symmetric: a reflection of the
outputs exchanges P and Q, so the loss is the same in both directions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import log_expit, log_ndtr, ndtr

Floats = NDArray[np.float64]
Sides = bool | NDArray[np.bool_]

# A normal variable leaves nine standard deviations with probability 2e-19: below a double's resolution of 1.
NORMAL_REACH = 9.0
# Bracket of the search for a Gaussian's standard deviation, in units of the shift.
SIGMA_LOW, SIGMA_HIGH = 1e-3, 1e6


@dataclass(frozen=True)
class Cells:
    """A partition of the outputs: masses under P and Q, and the extremes of log P/Q inside each cell."""

    p: Floats
    q: Floats
    loss_low: Floats
    loss_high: Floats


class Law(Protocol):
    """A pair of output laws, P on D and Q on D', that is exactly (epsilon, delta)-indistinguishable."""

    @property
    def name(self) -> str:
        """A short name for tables."""
        ...

    @property
    def epsilon(self) -> float:
        """The pair's epsilon at its own delta."""
        ...

    @property
    def delta(self) -> float:
        """The pair's delta at its own epsilon."""
        ...

    def sample(self, is_d: Sides, size: int, rng: np.random.Generator) -> Floats:
        """``size`` independent outputs, from P where ``is_d`` (one bool, or one per output), else from Q."""
        ...

    def density(self, y: Floats, is_d: bool) -> Floats:
        """The density (for discrete outputs the mass) of P or Q at ``y``."""
        ...

    def cdf(self, y: Floats, is_d: bool) -> Floats:
        """The probability under P or Q of an output of at most ``y``."""
        ...

    def loss(self, y: Floats) -> Floats:
        """The privacy loss log P(y)/Q(y)."""
        ...

    def delta_at(self, epsilon: float) -> float:
        """The exact privacy profile: the smallest delta at this epsilon."""
        ...

    def epsilon_at(self, delta: float) -> float:
        """The smallest epsilon at this delta."""
        ...

    def cells(self, count: int) -> Cells:
        """About ``count`` cells that cover the outputs, in the order of the loss."""
        ...


def _shifts(is_d: Sides, size: int) -> Floats:
    return np.broadcast_to(np.asarray(is_d, dtype=np.float64), (size,))


@dataclass(frozen=True)
class LaplaceShift:
    """Laplace noise of scale 1/epsilon around 1 on D and around 0 on D': exactly epsilon-DP.

    >>> LaplaceShift(epsilon=1.0).delta_at(1.0)
    0.0
    """

    epsilon: float
    delta: float = field(default=0.0, init=False)
    name: str = field(default="laplace", init=False)

    def sample(self, is_d: Sides, size: int, rng: np.random.Generator) -> Floats:
        return _shifts(is_d, size) + rng.laplace(scale=1.0 / self.epsilon, size=size)

    def density(self, y: Floats, is_d: bool) -> Floats:
        return 0.5 * self.epsilon * np.exp(-self.epsilon * np.abs(y - float(is_d)))

    def cdf(self, y: Floats, is_d: bool) -> Floats:
        centred = self.epsilon * (y - float(is_d))
        tail = 0.5 * np.exp(-np.abs(centred))
        return np.where(centred < 0, tail, 1.0 - tail)

    def loss(self, y: Floats) -> Floats:
        return self.epsilon * (np.abs(y) - np.abs(y - 1.0))

    def delta_at(self, epsilon: float) -> float:
        return max(0.0, -math.expm1(0.5 * (epsilon - self.epsilon)))

    def epsilon_at(self, delta: float) -> float:
        return max(0.0, self.epsilon + 2.0 * math.log1p(-delta))

    def cells(self, count: int) -> Cells:
        inner = np.linspace(0.0, 1.0, count - 1)  # outside [0, 1] the loss is constant: one cell each side
        edges = np.concatenate(([-np.inf], inner, [np.inf]))
        losses = np.concatenate(([-self.epsilon], self.epsilon * (2.0 * inner - 1.0), [self.epsilon]))
        q = np.diff(self.cdf(edges, False))
        return Cells(p=q[::-1].copy(), q=q, loss_low=losses[:-1], loss_high=losses[1:])


@dataclass(frozen=True)
class GaussianShift:
    """Normal noise around 1 on D and 0 on D', with the smallest sigma that makes it (epsilon, delta)-DP.

    Source: Balle and Wang, "Improving the Gaussian mechanism", ICML 2018 (the analytic Gaussian mechanism).

    >>> law = GaussianShift(epsilon=1.0, delta=0.01)
    >>> round(law.sigma, 4), round(law.delta_at(1.0), 12)
    (1.8779, 0.01)
    """

    epsilon: float
    delta: float
    name: str = field(default="gaussian", init=False)

    @cached_property
    def sigma(self) -> float:
        """The standard deviation of the noise, in units of the shift."""

        def excess(log_sigma: float) -> float:
            return _gaussian_delta(math.exp(log_sigma), self.epsilon) - self.delta

        return math.exp(brentq(excess, math.log(SIGMA_LOW), math.log(SIGMA_HIGH), xtol=1e-14))

    def sample(self, is_d: Sides, size: int, rng: np.random.Generator) -> Floats:
        return _shifts(is_d, size) + rng.normal(scale=self.sigma, size=size)

    def density(self, y: Floats, is_d: bool) -> Floats:
        return np.exp(-0.5 * ((y - float(is_d)) / self.sigma) ** 2) / (self.sigma * math.sqrt(2.0 * math.pi))

    def cdf(self, y: Floats, is_d: bool) -> Floats:
        return np.asarray(ndtr((y - float(is_d)) / self.sigma))

    def loss(self, y: Floats) -> Floats:
        return (y - 0.5) / self.sigma**2

    def delta_at(self, epsilon: float) -> float:
        return _gaussian_delta(self.sigma, epsilon)

    def epsilon_at(self, delta: float) -> float:
        if delta >= self.delta_at(0.0):
            return 0.0
        ceiling = (0.5 + NORMAL_REACH * self.sigma) / self.sigma**2
        return float(brentq(lambda e: self.delta_at(e) - delta, 0.0, ceiling, xtol=1e-13))

    def cells(self, count: int) -> Cells:
        reach = 0.5 + NORMAL_REACH * self.sigma
        # An even number of equal cells centred on 1/2 (where the loss is 0), and one beyond each end.
        inner = 0.5 + np.linspace(-reach, reach, count - 1 + count % 2)
        edges = np.concatenate(([-np.inf], inner, [np.inf]))
        lower, upper = edges / self.sigma, -edges / self.sigma
        # Above its median a difference of survival functions keeps the digits that one of cdfs loses.
        q = np.where(edges[1:] > 0, -np.diff(ndtr(upper)), np.diff(ndtr(lower)))
        losses = (edges - 0.5) / self.sigma**2
        return Cells(p=q[::-1].copy(), q=q, loss_low=losses[:-1], loss_high=losses[1:])


def _gaussian_delta(sigma: float, epsilon: float) -> float:
    """The hockey-stick divergence at epsilon of two normal laws one apart."""
    gain = log_ndtr(0.5 / sigma - epsilon * sigma)
    charge = epsilon + log_ndtr(-0.5 / sigma - epsilon * sigma)
    return math.exp(gain) * -math.expm1(min(0.0, charge - gain))


@dataclass(frozen=True)
class RandomisedResponse:
    """A bit, 1 on D and 0 on D', told truly with probability e^epsilon / (1 + e^epsilon): exactly epsilon-DP.

    >>> law = RandomisedResponse(epsilon=1.0)
    >>> round(float(law.density(np.array(1.0), True)), 4)
    0.7311
    """

    epsilon: float
    delta: float = field(default=0.0, init=False)
    name: str = field(default="randomised response", init=False)

    @property
    def truth_probability(self) -> float:
        """The probability that the true bit comes out."""
        return math.exp(log_expit(self.epsilon))

    def sample(self, is_d: Sides, size: int, rng: np.random.Generator) -> Floats:
        honest = rng.random(size) < self.truth_probability
        return np.where(honest, _shifts(is_d, size), 1.0 - _shifts(is_d, size))

    def density(self, y: Floats, is_d: bool) -> Floats:
        return np.asarray(np.exp(log_expit(np.where(y == float(is_d), self.epsilon, -self.epsilon))))

    def cdf(self, y: Floats, is_d: bool) -> Floats:
        zero = 1.0 - self.truth_probability if is_d else self.truth_probability
        return np.where(y < 0, 0.0, np.where(y < 1, zero, 1.0))

    def loss(self, y: Floats) -> Floats:
        return np.where(y == 1.0, self.epsilon, -self.epsilon)

    def delta_at(self, epsilon: float) -> float:
        # e^t - e^(epsilon) (1 - e^t) with t = log(truth probability), written without cancellation.
        return max(0.0, -math.expm1(epsilon - self.epsilon)) * self.truth_probability

    def epsilon_at(self, delta: float) -> float:
        if delta >= self.truth_probability:
            return 0.0
        return max(0.0, self.epsilon + math.log1p(-delta / self.truth_probability))

    def cells(self, count: int) -> Cells:
        both = np.array([1.0 - self.truth_probability, self.truth_probability])
        losses = np.array([-self.epsilon, self.epsilon])
        return Cells(p=both, q=both[::-1].copy(), loss_low=losses, loss_high=losses)
