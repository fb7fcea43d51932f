"""DP-FTRL: sums of gradients over the nodes of a binary tree, each with noise of its own (Kairouz et al. 2021)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpcheck.model.training import UNRECORDED, GaussianSteps, Transcript
from dpcheck.parts.trained.entry import FEATURES, RECORDS, Data
from dpcheck.parts.trained.gradient_steps import clipped_sum, gradients_of

Floats = NDArray[np.float64]
LEAVES, DEPTH = 16, 5
#: Each record is in one leaf, and so in one node of each height.
ACCOUNTED = GaussianSteps(noise_multiplier=4.0, clipping_norm=1.0, steps=2 * LEAVES - 1, participations=DEPTH)


@dataclass(frozen=True)
class TreeOfSums:
    """A training ``(dataset, rng, transcript) -> model``: one pass over the data, in an order drawn first."""

    accounted: GaussianSteps = ACCOUNTED

    def __call__(self, dataset: Data, rng: Generator, transcript: Transcript = UNRECORDED) -> Floats:
        """Train on ``(X, y)``."""
        x, y = dataset
        leaf_of = rng.integers(LEAVES, size=len(x))
        model = np.zeros(FEATURES + 1)
        open_nodes: list[tuple[int, Floats, Floats]] = []
        for leaf in range(LEAVES):
            batch = transcript.batch(np.flatnonzero(leaf_of == leaf))
            total = clipped_sum(gradients_of(model, x[batch], y[batch]), self.accounted.clipping_norm)
            open_nodes.append((0, total, self._released(total, rng, transcript)))
            while len(open_nodes) > 1 and open_nodes[-1][0] == open_nodes[-2][0]:
                (height, right, _), (_, left, _) = open_nodes.pop(), open_nodes.pop()
                total = left + right
                first = leaf + 1 - 2 ** (height + 1)
                transcript.batch(np.flatnonzero((leaf_of >= first) & (leaf_of <= leaf)))
                open_nodes.append((height + 1, total, self._released(total, rng, transcript)))
            prefix = np.sum([released for _, _, released in open_nodes], axis=0)
            model = -4.0 / RECORDS * prefix
        return model

    def _released(self, total: Floats, rng: Generator, transcript: Transcript) -> Floats:
        noisy = total + rng.normal(0.0, self.accounted.deviation, total.size)
        released: Floats = transcript.release(total, noisy)
        return released
