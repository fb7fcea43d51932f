"""Output perturbation with too little noise: the learners of ``dpcheck.parts.learners``, each with one defect.

A learner that adds ``k`` times less noise than its claim needs is the correct one at ``k`` times the epsilon.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP
from dpcheck.parts.learners.logistic_regression import PerturbedLogisticRegression
from dpcheck.parts.learners.mean import PerturbedMean


@dataclass(frozen=True)
class LogisticRegressionWithQuarterNoise:
    """Takes the slope of the loss at the origin, 1/2, for its largest, 1, and forgets the factor 2."""

    epsilon: float = 1.0
    regularisation: float = 0.1

    @property
    def claim(self) -> PureDP:
        """What it promises, and does not keep."""
        return PureDP(self.epsilon)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> NDArray[np.float64]:
        """Noisy weights, shape (d,)."""
        return PerturbedLogisticRegression(4 * self.epsilon, self.regularisation)(dataset, rng)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """``size`` noisy weights, shape (size, d)."""
        return PerturbedLogisticRegression(4 * self.epsilon, self.regularisation).sample(dataset, size, rng)


@dataclass(frozen=True)
class LogisticRegressionWithoutRegularisationInItsNoise:
    """Adds noise for a sensitivity of 2/n, where it is 2/(n lambda)."""

    epsilon: float = 1.0
    regularisation: float = 0.1

    @property
    def claim(self) -> PureDP:
        """What it promises, and does not keep."""
        return PureDP(self.epsilon)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> NDArray[np.float64]:
        """Noisy weights, shape (d,)."""
        epsilon = self.epsilon / self.regularisation
        return PerturbedLogisticRegression(epsilon, self.regularisation)(dataset, rng)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """``size`` noisy weights, shape (size, d)."""
        epsilon = self.epsilon / self.regularisation
        return PerturbedLogisticRegression(epsilon, self.regularisation).sample(dataset, size, rng)


@dataclass(frozen=True)
class MeanWithHalfTheNoise:
    """Forgets that replacing a row moves it by the diameter of the unit ball, not by its radius."""

    epsilon: float = 1.0

    @property
    def claim(self) -> PureDP:
        """What it promises, and does not keep."""
        return PureDP(self.epsilon)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> NDArray[np.float64]:
        """One noisy mean, shape (d,)."""
        return PerturbedMean(2 * self.epsilon)(dataset, rng)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """``size`` noisy means, shape (size, d)."""
        return PerturbedMean(2 * self.epsilon).sample(dataset, size, rng)
