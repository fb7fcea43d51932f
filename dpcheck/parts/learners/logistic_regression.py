"""L2-regularised logistic regression made private by output perturbation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP
from dpcheck.model.data import features_and_labels
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.parts.mechanisms.norm_noise import features_of, norm_noise

# The objective is lambda-strongly convex, so a gradient of this norm leaves the minimiser known to 1e-10 /
# lambda: far below any noise this learner adds.
GRADIENT_TOLERANCE = 1e-10
# Newton's method on a smooth, strongly convex objective doubles its digits per step; eight are usual.
_NEWTON_STEPS = 100
# Armijo's condition: a step must bring at least this share of the decrease its slope promises.
_SUFFICIENT_DECREASE = 1e-4
_SHORTEST_STEP = 1e-12
_LAST_BITS = 4 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class PerturbedLogisticRegression:
    """Logistic regression whose weights are released with noise for their worst-case sensitivity.

    Minimises ``(1/n) sum log(1 + exp(-y w.x)) + (lambda/2) |w|^2`` over rows shortened to the unit ball;
    replacing a row moves the minimiser by at most ``2 / (n lambda)``, so noise of density proportional to
    ``exp(-epsilon n lambda |b| / 2)`` makes it epsilon-DP under replace-one. No intercept: append a column
    of ones.

    The claim is about real numbers: the low bits of the doubles that come out tell more of the data (Mironov 2012,
    doi:10.1145/2382196.2382264).

    Parameters
    ----------
    epsilon : float, nats, above 0
    regularisation : float, above 0
        lambda of the objective above.

    Raises
    ------
    InvalidArgument
        When a parameter is not a finite number above 0.

    Source: Chaudhuri, Monteleoni & Sarwate 2011, arXiv:0912.0071, algorithm 1 and corollary 8.

    Examples
    --------
    >>> learner = PerturbedLogisticRegression(epsilon=1.0, regularisation=0.1)
    >>> X, y = np.array([[0.5, 0.1], [-0.5, 0.2]]), np.array([1, 0])
    >>> learner((X, y), np.random.default_rng(0)).shape
    (2,)
    >>> learner.claim
    PureDP(epsilon=1.0)
    """

    epsilon: float = 1.0
    regularisation: float = 0.1

    def __post_init__(self) -> None:
        for name in ("epsilon", "regularisation"):
            value = getattr(self, name)
            if not (isinstance(value, int | float) and np.isfinite(value) and value > 0):
                raise InvalidArgument(f"{name} must be a finite number above 0, got {value!r}")

    @property
    def claim(self) -> PureDP:
        """Pure differential privacy at epsilon."""
        return PureDP(self.epsilon)

    @property
    def neighbours(self) -> ReplaceOne:
        """One row and its label replaced."""
        return ReplaceOne()

    def __call__(self, dataset: Any, rng: np.random.Generator) -> NDArray[np.float64]:
        """Noisy weights, shape (d,)."""
        weights: NDArray[np.float64] = self.sample(dataset, 1, rng)[0]
        return weights

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """``size`` independent noisy weights, shape (size, d): one fit, for the fit is not random."""
        weights = minimiser(dataset, self.regularisation)
        rows = len(features_and_labels(dataset)[1])
        scale = sensitivity(rows, self.regularisation) / self.epsilon
        noisy: NDArray[np.float64] = weights + norm_noise(len(weights), scale, size, rng)
        return noisy


def sensitivity(rows: int, regularisation: float) -> float:
    """The most that replacing one of ``rows`` rows can move the minimiser, in Euclidean length.

    Two, because a replaced row changes the gradient by up to 1 on its way out and by up to 1 on its way in.
    Source: Chaudhuri, Monteleoni & Sarwate 2011, corollary 8.

    Examples
    --------
    >>> sensitivity(100, 0.5)
    0.04
    """
    return 2.0 / (rows * regularisation)


def minimiser(dataset: Any, regularisation: float) -> NDArray[np.float64]:
    """The weights that minimise the regularised logistic loss, shape (d,), by Newton's method.

    Parameters
    ----------
    dataset : ``(X, y)`` or Labelled
        X of shape (n, d), rows shortened to the unit ball; y of n labels, positive ones against all others.
    regularisation : float, above 0

    Raises
    ------
    InvalidArgument
        When the dataset has no labels or no records, or holds something that is no finite number.

    Examples
    --------
    >>> minimiser(([[1.0], [-1.0]], [1, 0]), 1.0).round(4)
    array([0.4011])
    """
    x = features_of(dataset)
    labels = np.asarray(features_and_labels(dataset)[1], dtype=np.float64)
    signed = x * np.where(labels > 0, 1.0, -1.0)[:, None]
    rows, columns = signed.shape
    weights = np.zeros(columns)
    value = _objective(signed, weights, regularisation)
    for _ in range(_NEWTON_STEPS):
        wrong = 1.0 / (1.0 + np.exp(signed @ weights))
        gradient = regularisation * weights - signed.T @ wrong / rows
        if np.linalg.norm(gradient) <= GRADIENT_TOLERANCE:
            break
        hessian = (signed.T * (wrong * (1.0 - wrong))) @ signed / rows
        hessian[np.diag_indices(columns)] += regularisation
        direction = -np.linalg.solve(hessian, gradient)
        step, slope = 1.0, float(gradient @ direction)
        # Near the minimum the decrease is lost in the last bits, while full steps still gain digits.
        rounding = _LAST_BITS * abs(value)
        while step > _SHORTEST_STEP:
            moved = weights + step * direction
            new_value = _objective(signed, moved, regularisation)
            if new_value <= value + _SUFFICIENT_DECREASE * step * slope + rounding:
                break
            step /= 2
        else:
            break
        weights, value = moved, new_value
    return weights


def _objective(signed: NDArray[np.float64], weights: NDArray[np.float64], regularisation: float) -> float:
    return float(np.mean(np.logaddexp(0.0, -signed @ weights)) + regularisation / 2 * weights @ weights)
