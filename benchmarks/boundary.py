"""Mechanisms whose privacy loss is exactly what they claim, with their exact curves, as laws and as learners.

A *law* draws many outputs for given coins; a *learner* is what a user would write: one output per call.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from laws import Floats, GaussianShift, LaplaceShift, RandomisedResponse
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

#: How far (relative, absolute) the maximum over a grid may stay from the exact profile when a curve is checked.
CURVE_TOLERANCE, CURVE_FLOOR = 1e-3, 1e-7
#: The pair of every one-record learner here: D holds a 1, D' a 0.
LEFT, RIGHT = np.array([1]), np.array([0])


@dataclass(frozen=True)
class GeometricShift:
    """Two-sided geometric noise around 1 on D and around 0 on D': exactly epsilon-DP."""

    epsilon: float
    delta: float = field(default=0.0, init=False)
    name: str = field(default="geometric", init=False)

    def sample(self, is_d: NDArray[np.bool_], size: int, rng: Generator) -> NDArray[np.int64]:
        """One output per coin."""
        stop = -math.expm1(-self.epsilon)
        return is_d.astype(np.int64) + rng.geometric(stop, size) - rng.geometric(stop, size)

    def delta_at(self, epsilon: float) -> float:
        """The exact profile: the loss is epsilon above 1/2 and -epsilon below, as in randomised response."""
        return RandomisedResponse(self.epsilon).delta_at(epsilon)


@dataclass(frozen=True)
class RevealingResponse:
    """Randomised response that reveals the bit (2 on D', 3 on D) with probability delta: extremal at (epsilon, delta).

    Source: Kairouz, Oh and Viswanath 2015, arXiv:1311.0776.
    """

    epsilon: float
    delta: float
    name: str = field(default="RR with reveal", init=False)

    def sample(self, is_d: NDArray[np.bool_], size: int, rng: Generator) -> NDArray[np.int64]:
        """One output per coin."""
        honest = RandomisedResponse(self.epsilon).sample(is_d, size, rng).astype(np.int64)
        return np.where(rng.random(size) < self.delta, 2 + is_d.astype(np.int64), honest)

    def delta_at(self, epsilon: float) -> float:
        """The exact profile: a mixture of revealing and of randomised response."""
        return self.delta + (1.0 - self.delta) * RandomisedResponse(self.epsilon).delta_at(epsilon)


Law = LaplaceShift | GaussianShift | RandomisedResponse | GeometricShift | RevealingResponse


def outputs(law: Law, coins: NDArray[np.int8], rng: Generator) -> NDArray[Any]:
    """One output of the law per coin (1: on D), as the learner would give it: discrete ones as integers."""
    drawn = law.sample(coins.astype(bool), len(coins), rng)
    return drawn.astype(np.int64) if isinstance(law, RandomisedResponse) else drawn


def missed_at(law: Law, false: Floats) -> Floats:
    """The exact trade-off curve: the least P(M(D) not in S) over events with P(M(D') in S) at most ``false``."""
    x = np.asarray(false, dtype=np.float64)
    with np.errstate(divide="ignore"):
        if isinstance(law, LaplaceShift):
            cut = np.where(x <= 0.5, -np.log(2.0 * x), np.log(2.0 * (1.0 - x))) / law.epsilon
            return law.cdf(cut, True)
        if isinstance(law, GaussianShift):
            return np.asarray(ndtr(ndtri(1.0 - x) - 1.0 / law.sigma))
    if isinstance(law, RevealingResponse):
        kept = 1.0 - law.delta
        return np.asarray(kept * _two_answers(law.epsilon, np.minimum(x / kept, 1.0)))
    return _two_answers(law.epsilon, x)


def _two_answers(epsilon: float, x: Floats) -> Floats:
    return np.maximum(0.0, np.maximum(1.0 - math.exp(epsilon) * x, math.exp(-epsilon) * (1.0 - x)))


def check_curve(law: Law) -> None:
    """The trade-off curve and the profile of a law are conjugate to each other: raise where they are not."""
    tails = 10.0 ** np.linspace(-9.0, math.log10(0.5), 4000)
    kink = (1.0 - law.delta) / (1.0 + math.exp(law.epsilon))  # where the curves of two answers bend
    x = np.unique(np.concatenate([tails, 1.0 - tails, [0.0, kink, 1.0]]))
    curve = missed_at(law, x)
    for epsilon in np.linspace(0.0, 2.0 * law.epsilon, 9):
        found, exact = float(np.max(1.0 - curve - math.exp(epsilon) * x)), law.delta_at(float(epsilon))
        if abs(found - exact) > CURVE_TOLERANCE * exact + CURVE_FLOOR:
            raise ArithmeticError(f"{law}: curve says delta {found} at epsilon {epsilon}, the profile {exact}")


@dataclass(frozen=True)
class LaplaceLearner:
    """The record plus Laplace noise."""

    scale: float

    def __call__(self, dataset: Any, rng: Generator) -> float:
        """One output."""
        return float(dataset[0]) + rng.laplace(0.0, self.scale)


@dataclass(frozen=True)
class GaussianLearner:
    """The record plus normal noise."""

    sigma: float

    def __call__(self, dataset: Any, rng: Generator) -> float:
        """One output."""
        return float(dataset[0]) + rng.normal(0.0, self.sigma)


@dataclass(frozen=True)
class GeometricLearner:
    """The record plus two-sided geometric noise."""

    stop: float

    def __call__(self, dataset: Any, rng: Generator) -> int:
        """One output."""
        return int(dataset[0]) + int(rng.geometric(self.stop)) - int(rng.geometric(self.stop))


@dataclass(frozen=True)
class ResponseLearner:
    """Randomised response that reveals with probability ``reveal``."""

    truth: float
    reveal: float

    def __call__(self, dataset: Any, rng: Generator) -> int:
        """One output."""
        bit = int(dataset[0])
        if self.reveal and rng.random() < self.reveal:
            return 2 + bit
        return bit if rng.random() < self.truth else 1 - bit


@dataclass(frozen=True)
class LaplaceVector:
    """``width`` coordinates of which each moves by 1 / width, with Laplace noise: epsilon in all together."""

    epsilon: float
    width: int

    def __call__(self, dataset: Any, rng: Generator) -> NDArray[np.float64]:
        """One output, shape (width,)."""
        return float(dataset[0]) / self.width + rng.laplace(0.0, 1.0 / self.epsilon, self.width)


@dataclass(frozen=True)
class LaplaceSum:
    """The sum of records clipped to [0, 1] plus Laplace noise: tight for each replacement of a 0 by a 1."""

    scale: float

    def __call__(self, dataset: Any, rng: Generator) -> float:
        """One output."""
        return float(np.minimum(np.maximum(dataset, 0.0), 1.0).sum()) + rng.laplace(0.0, self.scale)


@dataclass(frozen=True)
class GaussianSum:
    """The sum of records clipped to [0, 1] plus normal noise: tight for each replacement of a 0 by a 1."""

    sigma: float

    def __call__(self, dataset: Any, rng: Generator) -> float:
        """One output."""
        return float(np.minimum(np.maximum(dataset, 0.0), 1.0).sum()) + rng.normal(0.0, self.sigma)


def learner_of(law: Law) -> Any:
    """The law as a learner of one record, one output per call."""
    if isinstance(law, LaplaceShift):
        return LaplaceLearner(1.0 / law.epsilon)
    if isinstance(law, GaussianShift):
        return GaussianLearner(law.sigma)
    if isinstance(law, GeometricShift):
        return GeometricLearner(-math.expm1(-law.epsilon))
    truth = 1.0 / (1.0 + math.exp(-law.epsilon))
    return ResponseLearner(truth, law.delta)


def title_of(law: Law) -> str:
    """A short name with the law's parameters."""
    return f"{law.name} ({law.epsilon:g}, {law.delta:g})" if law.delta else f"{law.name} {law.epsilon:g}"
