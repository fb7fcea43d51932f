"""The Gaussian mechanism with its exact profile and the calibration that follows from it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms.parameters import at_least_zero, positive, probability
from dpcheck.parts.mechanisms.profile import smallest_epsilon
from dpcheck.parts.mechanisms.queries import Query, total

#: Halvings of the bracket for sigma: more than the bits of a double.
_HALVINGS = 200


@dataclass(frozen=True)
class GaussianProfile:
    """The profile of two normal laws of one standard deviation whose centres are ``shift`` of it apart.

    Source: Balle & Wang 2018, arXiv:1805.06530, theorem 8.

    Examples
    --------
    >>> round(GaussianProfile(1.0).delta(1.0), 6), GaussianProfile(1.0).epsilon(0.0)
    (0.126937, inf)
    """

    shift: float

    def delta(self, epsilon: float) -> float:
        """``Phi(shift/2 - epsilon/shift) - exp(epsilon) Phi(-shift/2 - epsilon/shift)``."""
        asked = at_least_zero("epsilon", epsilon)
        if self.shift == 0:
            return 0.0
        from scipy.special import log_ndtr

        likelier = math.exp(log_ndtr(self.shift / 2 - asked / self.shift))
        return max(0.0, likelier - math.exp(asked + log_ndtr(-self.shift / 2 - asked / self.shift)))

    def epsilon(self, delta: float) -> float:
        """The inverse by bisection; ``inf`` at delta 0 unless the laws are one."""
        asked = probability("delta", delta)
        if self.shift == 0:
            return 0.0
        return math.inf if asked == 0 else smallest_epsilon(self.delta, asked)


def calibrated_sigma(epsilon: float, delta: float, sensitivity: float = 1.0) -> float:
    """The smallest standard deviation for which the Gaussian mechanism is (epsilon, delta)-DP.

    Parameters
    ----------
    epsilon : float, nats, at least 0
    delta : float, strictly between 0 and 1
    sensitivity : float, above 0, of the query in its Euclidean norm

    Returns
    -------
    float
        From the safe side: the profile at ``epsilon`` is at most ``delta``, to the last bits.

    Raises
    ------
    InvalidArgument
        When an argument is outside its range.

    Source: Balle & Wang 2018, arXiv:1805.06530, theorem 8 and algorithm 1 (found here by bisection).

    Examples
    --------
    >>> round(calibrated_sigma(1.0, 1e-5), 4)
    3.7306
    """
    at_least_zero("epsilon", epsilon)
    distance = positive("sensitivity", sensitivity)
    if not 0 < probability("delta", delta) < 1:
        raise InvalidArgument(f"delta must be strictly between 0 and 1, got {delta!r}")
    low, high = 0.0, 1.0
    while GaussianProfile(1 / high).delta(epsilon) > delta:
        low, high = high, 2 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if GaussianProfile(1 / middle).delta(epsilon) <= delta else (middle, high)
    return high * distance


@dataclass(frozen=True)
class Gaussian:
    """The Gaussian mechanism: the answer to ``query`` plus normal noise.

    The claim is about real numbers: the low bits of the doubles that come out tell more of the data (Mironov 2012,
    doi:10.1145/2382196.2382264).

    Parameters
    ----------
    sigma : float, above 0, the standard deviation of the noise; see :func:`calibrated_sigma`
    query : callable, dataset -> number; the sum of the records by default

    Raises
    ------
    InvalidArgument
        When ``sigma`` is not a finite number above 0.

    Examples
    --------
    >>> round(Gaussian(calibrated_sigma(1.0, 1e-5)).profile([1], [0]).epsilon(1e-5), 6)
    1.0
    """

    sigma: float
    query: Query = total

    def __post_init__(self) -> None:
        object.__setattr__(self, "sigma", positive("sigma", self.sigma))

    def __call__(self, dataset: Any, rng: Generator) -> float:
        """One noisy answer."""
        return float(self.query(dataset)) + float(rng.normal(0.0, self.sigma))

    def sample(self, dataset: Any, size: int, rng: Generator) -> NDArray[np.float64]:
        """``size`` independent noisy answers, shape (size,)."""
        return float(self.query(dataset)) + rng.normal(0.0, self.sigma, size)

    def profile(self, left: Any, right: Any) -> GaussianProfile:
        """The exact profile of the laws on two datasets (the same in both directions)."""
        return GaussianProfile(abs(float(self.query(left)) - float(self.query(right))) / self.sigma)
