"""The discrete Gaussian mechanism: integer noise, with its exact law and the calibration that follows from it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms.parameters import at_least_zero, positive, probability
from dpcheck.parts.mechanisms.profile import FiniteProfile
from dpcheck.parts.mechanisms.queries import Query, integer_answer, total

#: Where the law's table ends, in standard deviations: what is left out has probability below 1e-300.
_REACH = 37.0

#: Halvings of the bracket for sigma.
_HALVINGS = 100

#: The widest steps by which sigma is raised until the profile is safely below delta.
_FROM_THE_SAFE_SIDE = 1 + 1e-12


@dataclass(frozen=True)
class DiscreteGaussian:
    """An integer answer plus noise k of probability proportional to ``exp(-k^2 / 2 sigma^2)``.

    Parameters
    ----------
    sigma : float, above 0; see :func:`calibrated_discrete_sigma`
    query : callable, dataset -> integer; the sum of the records by default

    Raises
    ------
    InvalidArgument
        When ``sigma`` is not a finite number above 0, or the answer to the query is not an integer.

    Source: Canonne, Kamath & Steinke 2020, arXiv:2004.00010, algorithm 3.

    Examples
    --------
    >>> law = DiscreteGaussian(1.0).distribution([1])
    >>> round(law[1] / law[2], 6)  # exp(1/2)
    1.648721
    """

    sigma: float
    query: Query = total

    def __post_init__(self) -> None:
        object.__setattr__(self, "sigma", positive("sigma", self.sigma))

    def __call__(self, dataset: Any, rng: Generator) -> int:
        """One noisy answer."""
        return int(self.sample(dataset, 1, rng)[0])

    def sample(self, dataset: Any, size: int, rng: Generator) -> NDArray[np.int64]:
        """``size`` independent noisy answers, integers of shape (size,): two-sided geometric noise, thinned."""
        scale = math.floor(self.sigma) + 1
        stop = -math.expm1(-1 / scale)
        noise = np.zeros(size, dtype=np.int64)
        open_ = np.arange(size)
        while open_.size:
            drawn = rng.geometric(stop, open_.size) - rng.geometric(stop, open_.size)
            exponent = -((np.abs(drawn) - self.sigma**2 / scale) ** 2) / (2 * self.sigma**2)
            kept = rng.random(open_.size) < np.exp(exponent)
            noise[open_[kept]] = drawn[kept]
            open_ = open_[~kept]
        return self._answer(dataset) + noise

    def distribution(self, dataset: Any) -> dict[int, float]:
        """The law of the output, all of it that a double can hold."""
        reach = math.ceil(_REACH * self.sigma)
        outputs = np.arange(-reach, reach + 1)
        weights = np.exp(-(outputs.astype(float) ** 2) / (2 * self.sigma**2))
        return dict(zip((self._answer(dataset) + outputs).tolist(), (weights / weights.sum()).tolist(), strict=True))

    def profile(self, left: Any, right: Any) -> FiniteProfile:
        """The exact profile of the laws on two datasets."""
        return FiniteProfile.of(self.distribution(left), self.distribution(right))

    def _answer(self, dataset: Any) -> int:
        return integer_answer(self.query, dataset, "discrete")


def calibrated_discrete_sigma(epsilon: float, delta: float, sensitivity: int = 1) -> float:
    """A sigma for which the discrete Gaussian mechanism is (epsilon, delta)-DP and hardly a smaller one is.

    Parameters
    ----------
    epsilon : float, nats, at least 0
    delta : float, strictly between 0 and 1
    sensitivity : int, at least 1

    Returns
    -------
    float
        From the safe side: the profile at ``epsilon`` is at most ``delta``, to the last bits.

    Raises
    ------
    InvalidArgument
        When an argument is outside its range.

    Source: Canonne, Kamath & Steinke 2020, arXiv:2004.00010, theorem 7 (found here by bisection).

    Examples
    --------
    >>> round(calibrated_discrete_sigma(1.0, 0.01), 4)
    1.854
    """
    at_least_zero("epsilon", epsilon)
    if not 0 < probability("delta", delta) < 1:
        raise InvalidArgument(f"delta must be strictly between 0 and 1, got {delta!r}")

    def excess(sigma: float) -> float:
        return DiscreteGaussian(sigma).profile([sensitivity], [0]).delta(epsilon) - delta

    high = float(sensitivity)
    while excess(high) > 0:
        high *= 2
    low = high / 2
    while excess(low) <= 0:
        low, high = low / 2, low
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if excess(middle) <= 0 else (middle, high)
    return high * _FROM_THE_SAFE_SIDE
