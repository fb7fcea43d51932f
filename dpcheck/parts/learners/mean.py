"""The mean of vectors made private by output perturbation: the plainest learner with a tight sensitivity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.parts.mechanisms.norm_noise import features_of, norm_noise

# Two points of the unit ball are at most this far apart.
_DIAMETER = 2.0


@dataclass(frozen=True)
class PerturbedMean:
    """The mean of rows shortened to the unit ball, with noise of density ``exp(-epsilon n |b| / 2)``.

    Replacing one of n rows moves the mean by at most ``2 / n``, and by that much when a unit vector is
    replaced by its opposite: unlike most learners, this one has no slack between its claim and its worst
    neighbours.

    The claim is about real numbers: the low bits of the doubles that come out tell more of the data (Mironov 2012,
    doi:10.1145/2382196.2382264).

    Parameters
    ----------
    epsilon : float, nats, above 0

    Raises
    ------
    InvalidArgument
        When epsilon is not a finite number above 0.

    Examples
    --------
    >>> PerturbedMean(1.0)(np.array([[1.0, 0.0], [0.0, 1.0]]), np.random.default_rng(0)).shape
    (2,)
    """

    epsilon: float = 1.0

    def __post_init__(self) -> None:
        value = self.epsilon
        if not (isinstance(value, int | float) and np.isfinite(value) and value > 0):
            raise InvalidArgument(f"epsilon must be a finite number above 0, got {value!r}")

    @property
    def claim(self) -> PureDP:
        """Pure differential privacy at epsilon."""
        return PureDP(self.epsilon)

    @property
    def neighbours(self) -> ReplaceOne:
        """One row replaced."""
        return ReplaceOne()

    def __call__(self, dataset: Any, rng: np.random.Generator) -> NDArray[np.float64]:
        """One noisy mean, shape (d,)."""
        noisy: NDArray[np.float64] = self.sample(dataset, 1, rng)[0]
        return noisy

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """``size`` independent noisy means, shape (size, d)."""
        rows = features_of(dataset)
        scale = _DIAMETER / (len(rows) * self.epsilon)
        noisy: NDArray[np.float64] = rows.mean(axis=0) + norm_noise(rows.shape[1], scale, size, rng)
        return noisy
