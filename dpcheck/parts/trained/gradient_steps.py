"""Logistic regression by gradient steps with noise, made of parts: which a mistake replaces one of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpcheck.model.training import UNRECORDED, GaussianSteps, Transcript
from dpcheck.parts.trained.entry import FEATURES, RECORDS, Data

Floats = NDArray[np.float64]
Batch = NDArray[np.intp]
#: What was accounted where nothing else is said.
ACCOUNTED = GaussianSteps(noise_multiplier=1.2, clipping_norm=1.0, steps=60, sampling_rate=0.1)


def as_they_are(x: Floats, y: NDArray[np.int64]) -> Data:
    """No preparation of the records."""
    return x, y


def poisson(size: int, rate: float, rng: Generator) -> Callable[[int], Batch]:
    """Each record by a coin of its own."""
    return lambda step: np.flatnonzero(rng.random(size) < rate)


def gradients_of(model: Floats, x: Floats, y: NDArray[np.int64]) -> Floats:
    """The gradient of each record, shape (records, features + 1): the last is that of the constant."""
    wide = np.column_stack([x, np.ones(len(x))])
    wrong = 1.0 / (1.0 + np.exp(-np.clip(wide @ model, -50.0, 50.0))) - y
    return wrong[:, None] * wide


def clipped_sum(gradients: Floats, norm: float) -> Floats:
    """The sum of gradients, each of a norm of at most this."""
    norms = np.linalg.norm(gradients, axis=1, keepdims=True)
    total: Floats = (gradients / np.maximum(1.0, norms / norm)).sum(axis=0)
    return total


def fresh(accounted: GaussianSteps, data: Data, rng: Generator) -> Callable[[int, int, Floats], Floats]:
    """Noise as accounted, drawn anew for each step."""
    return lambda step, size, gradients: rng.normal(0.0, accounted.deviation, size)


def expected_size(batch: Batch, rate: float, size: int) -> float:
    """What sums are divided by: a constant."""
    return rate * RECORDS


def last_model(models: list[Floats], x: Floats, y: NDArray[np.int64]) -> Any:
    """What is given at the end."""
    return models[-1]


def never(models: list[Floats], x: Floats, y: NDArray[np.int64]) -> bool:
    """No stopping."""
    return False


def plain_step(moments: list[Floats], mean: Floats) -> Floats:
    """The step of gradient descent."""
    return 0.5 * mean


def adam_step(moments: list[Floats], mean: Floats) -> Floats:
    """The step of Adam, of means with noise; ``moments`` are its first, its second, and the number of steps."""
    if not moments:
        moments += [np.zeros_like(mean), np.zeros_like(mean), np.zeros(1)]
    moments[0] = 0.9 * moments[0] + 0.1 * mean
    moments[1] = 0.999 * moments[1] + 0.001 * mean**2
    moments[2] = moments[2] + 1.0
    count = float(moments[2][0])
    first, second = moments[0] / (1.0 - 0.9**count), moments[1] / (1.0 - 0.999**count)
    step: Floats = 0.05 * first / (np.sqrt(second) + 1e-8)
    return step


@dataclass(frozen=True)
class GradientSteps:
    """A training ``(dataset, rng, transcript) -> model`` of these parts."""

    accounted: GaussianSteps = ACCOUNTED
    rate: float = 0.1
    steps: int = 60
    prepare: Callable[..., Data] = as_they_are
    draw: Callable[[int, float, Generator], Callable[[int], Batch]] = poisson
    gradients: Callable[..., Floats] = gradients_of
    total: Callable[[Floats, float], Floats] = clipped_sum
    noise: Callable[..., Callable[[int, int, Floats], Floats]] = fresh
    divisor: Callable[[Batch, float, int], float] = expected_size
    step: Callable[[list[Floats], Floats], Floats] = plain_step
    stop: Callable[..., bool] = never
    give: Callable[..., Any] = last_model

    def __call__(self, dataset: Data, rng: Generator, transcript: Transcript = UNRECORDED) -> Any:
        """Train on ``(X, y)``."""
        x, y = self.prepare(*dataset)
        batches = self.draw(len(x), self.rate, rng)
        noise = self.noise(self.accounted, (x, y), rng)
        models, moments = [np.zeros(FEATURES + 1)], list[Floats]()
        for place in range(self.steps):
            batch = transcript.batch(batches(place))
            gradients = self.gradients(models[-1], x[batch], y[batch])
            total = self.total(gradients, self.accounted.clipping_norm)
            noisy = total + noise(place, total.size, gradients)
            divisor = self.divisor(batch, self.rate, len(x))
            mean = transcript.release(total / divisor, noisy / divisor, divided_by=divisor)
            models.append(models[-1] - self.step(moments, mean))
            if self.stop(models, x, y):
                break
        return self.give(models, x, y)
