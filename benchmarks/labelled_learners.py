"""Learners of labelled data as people write them, each broken one beside a correct one: what `labelled_data.py` audits.

All claim epsilon = 1 for records with features in [0, 1] and labels 0 and 1, where one record is replaced. They take
their data in different forms, and nothing says which.
"""

from __future__ import annotations

from typing import Any

import numpy as np

THRESHOLDS = np.linspace(0.05, 0.95, 10)
REGULARISATION = 1.0
STEPS, CLIP = 2, 0.25


def choose_stump(x: Any, y: Any, per_count: float, rng: Any) -> int:
    """A column, threshold and side by the exponential mechanism; its score is how many labels are right."""
    above = x[:, :, None] > THRESHOLDS
    right = (above == (y == 1)[:, None, None]).sum(axis=0)
    score = np.stack([right, len(y) - right])
    weights = np.exp(per_count * (score - score.max()))
    return int(rng.choice(weights.size, p=(weights / weights.sum()).ravel()))


def clipped(rows: Any, norm: float = 1.0) -> Any:
    """Rows of at most this Euclidean norm."""
    return rows / np.maximum(1.0, np.linalg.norm(rows, axis=1) / norm)[:, None]


def round_noise(columns: int, scale: float, rng: Any) -> Any:
    """A direction, and a length of Gamma(columns, scale): density proportional to exp(-|b| / scale)."""
    direction = rng.normal(size=columns)
    return direction / np.linalg.norm(direction) * rng.gamma(columns, scale)


def minimiser(x: Any, y: Any) -> Any:
    """Regularised logistic regression, by Newton's method."""
    signs, w = 2.0 * y - 1.0, np.zeros(x.shape[1])
    for _ in range(8):
        wrong = 1.0 / (1.0 + np.exp(signs * (x @ w)))
        gradient = REGULARISATION * w - (x * (signs * wrong)[:, None]).mean(axis=0)
        curvature = (x * (wrong * (1.0 - wrong))[:, None]).T @ x / len(y)
        w = w - np.linalg.solve(curvature + REGULARISATION * np.eye(len(w)), gradient)
    return w


class _WithEpsilon:
    def __init__(self, epsilon: float = 1.0) -> None:
        self.epsilon = epsilon


class Stump(_WithEpsilon):
    """Right: each count changes by at most one."""

    def __call__(self, dataset: Any, rng: Any) -> int:
        x, y = dataset
        return choose_stump(x, y, self.epsilon / 2.0, rng)


class StumpWithAQuarterOfTheNoise(_WithEpsilon):
    """Four times too little noise, on rows."""

    def __call__(self, dataset: Any, rng: Any) -> int:
        x = np.array([features for features, _ in dataset])
        y = np.array([label for _, label in dataset])
        return choose_stump(x, y, 2.0 * self.epsilon, rng)


class LogisticRegression(_WithEpsilon):
    """Right: output perturbation (Chaudhuri and Monteleoni), the minimiser moves by at most 2 / (n lambda)."""

    too_small = 1.0

    def __call__(self, dataset: Any, rng: Any) -> Any:
        x, y = clipped(np.asarray(dataset.X, dtype=float)), np.asarray(dataset.y)
        scale = 2.0 / (len(y) * REGULARISATION * self.epsilon)
        return minimiser(x, y) + round_noise(x.shape[1], scale / self.too_small, rng)


class LogisticRegressionWithAThirdOfTheBound(LogisticRegression):
    """A third of the noise of the bound; the bound is loose, so that the largest loss on small datasets is 1.44."""

    too_small = 3.0


class NoisyGradients(_WithEpsilon):
    """Right: logistic regression in two steps, each with clipped gradients and half of epsilon."""

    too_small = 1.0

    def __call__(self, dataset: Any, rng: Any) -> Any:
        x, signs = np.asarray(dataset.x, dtype=float), 2.0 * np.asarray(dataset.y) - 1.0
        w = np.zeros(x.shape[1])
        scale = 2.0 * CLIP * STEPS / (len(x) * self.epsilon) / self.too_small
        for _ in range(STEPS):
            wrong = 1.0 / (1.0 + np.exp(signs * (x @ w)))
            gradients = clipped(-x * (signs * wrong)[:, None], CLIP)
            w = w - (gradients.mean(axis=0) + round_noise(len(w), scale, rng))
        return w


class NoisyGradientsWithAThirdOfTheNoise(NoisyGradients):
    """Three times too little noise."""

    too_small = 3.0


class SignedMean(_WithEpsilon):
    """Right: the mean of the rows, each with the sign of its label, of norm at most 1; from a data frame."""

    clips = True

    def __call__(self, dataset: Any, rng: Any) -> Any:
        rows = dataset.drop(columns="outcome").to_numpy(dtype=float)
        rows = clipped(rows) if self.clips else rows
        signs = 2.0 * dataset["outcome"].to_numpy() - 1.0
        return (rows * signs[:, None]).mean(axis=0) + round_noise(rows.shape[1], 2.0 / (len(rows) * self.epsilon), rng)


class SignedMeanWithoutClipping(SignedMean):
    """Clipping left out: rows of three columns have norm 1.73, which is its loss."""

    clips = False
