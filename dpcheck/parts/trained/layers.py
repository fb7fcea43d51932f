"""A small net of two layers, whose releases are its layers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpcheck.model.training import UNRECORDED, GaussianSteps, Transcript
from dpcheck.parts.trained.entry import FEATURES, RECORDS, Data

Floats = NDArray[np.float64]
Layers = dict[str, Floats]
HIDDEN = 4
ACCOUNTED = GaussianSteps(noise_multiplier=1.2, clipping_norm=1.0, steps=60, sampling_rate=0.1)


def gradients_of(model: Layers, x: Floats, y: NDArray[np.int64]) -> Layers:
    """The gradient of each record in each layer: the first axis are the records."""
    hidden = np.tanh(x @ model["first"])
    wrong = 1.0 / (1.0 + np.exp(-hidden @ model["second"])) - y
    back = wrong[:, None] * model["second"] * (1.0 - hidden**2)
    return {"first": x[:, :, None] * back[:, None, :], "second": wrong[:, None] * hidden}


def clipped_together(gradients: Layers, norm: float) -> Layers:
    """The sums of gradients whose norm over all layers is at most this."""
    squares = sum((each**2).sum(axis=tuple(range(1, each.ndim))) for each in gradients.values())
    scale = 1.0 / np.maximum(1.0, np.sqrt(squares) / norm)
    return {name: np.tensordot(scale, each, axes=1) for name, each in gradients.items()}


def clipped_apart(gradients: Layers, norm: float) -> Layers:
    """The sums of gradients whose norm in each layer is at most this: together they are longer."""
    return {name: clipped_together({name: each}, norm)[name] for name, each in gradients.items()}


@dataclass(frozen=True)
class TwoLayers:
    """A training ``(dataset, rng, transcript) -> model`` of a net of two layers."""

    total: Callable[[Layers, float], Layers] = clipped_together
    accounted: GaussianSteps = ACCOUNTED

    def __call__(self, dataset: Data, rng: Generator, transcript: Transcript = UNRECORDED) -> Layers:
        """Train on ``(X, y)``."""
        x, y = dataset
        rate = 0.1
        model = {"first": 0.3 * rng.normal(size=(FEATURES, HIDDEN)), "second": 0.3 * rng.normal(size=HIDDEN)}
        for _ in range(60):
            batch = transcript.batch(rng.random(len(x)) < rate)
            total = self.total(gradients_of(model, x[batch], y[batch]), self.accounted.clipping_norm)
            noisy = {name: each + rng.normal(0.0, self.accounted.deviation, each.shape) for name, each in total.items()}
            released = transcript.release(total, noisy)
            model = {name: each - 0.5 / (rate * RECORDS) * released[name] for name, each in model.items()}
        return model
