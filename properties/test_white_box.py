"""White-box audits of trainings that hypothesis draws: correct ones are never accused, too little noise always is."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import Generator, default_rng

from dpcheck import GaussianSteps, white_box

#: Of one audit; examples of a property are many.
ALPHA = 1e-11


def training(accounted: GaussianSteps, width: int, noise: float = 1.0, scale: float = 1.0) -> Any:
    """Means by clipped steps; ``noise`` and ``scale`` are 1 where it is as accounted."""

    def train(data: Any, rng: Generator, transcript: Any) -> Any:
        model = np.zeros(width)
        for _ in range(accounted.steps):
            rate = accounted.sampling_rate
            drawn = np.arange(len(data)) if rate is None else np.flatnonzero(rng.random(len(data)) < rate)
            pulls = data[transcript.batch(drawn)] - model
            norms = np.linalg.norm(pulls, axis=1, keepdims=True)
            clipped = pulls * np.minimum(1.0, accounted.clipping_norm / np.maximum(norms, 1e-300))
            total = scale * clipped.sum(axis=0)
            noisy = total + rng.normal(0.0, noise * accounted.deviation, width)
            model = model + 0.001 * transcript.release(total, noisy)
        return model

    return train


@st.composite
def steps(draw: st.DrawFn) -> GaussianSteps:
    """What may be accounted."""
    return GaussianSteps(
        noise_multiplier=draw(st.floats(0.5, 20.0)),
        clipping_norm=10.0 ** draw(st.floats(-3.0, 3.0)),
        steps=draw(st.integers(1, 40)),
        sampling_rate=draw(st.none() | st.floats(0.05, 0.9)),
    )


@settings(max_examples=12)
@given(accounted=steps(), width=st.integers(1, 6), size=st.integers(4, 60), seed=st.integers(0, 2**31))
def test_a_correct_training_is_not_accused(accounted: GaussianSteps, width: int, size: int, seed: int) -> None:
    data = default_rng(seed).normal(size=(size, width)) * 3.0 * accounted.clipping_norm
    train = training(accounted, width)
    verdict = white_box(train, data, None, accounted, alpha=ALPHA, seed=seed, isolation="none", count=3)
    assert verdict.broken == (), str(verdict)


@settings(max_examples=6)
@given(accounted=steps(), seed=st.integers(0, 2**31), part=st.floats(0.0, 0.3))
def test_too_little_noise_and_too_large_sums_are_found(accounted: GaussianSteps, seed: int, part: float) -> None:
    accounted = GaussianSteps(
        accounted.noise_multiplier, accounted.clipping_norm, 10 + accounted.steps, accounted.sampling_rate
    )
    data = default_rng(seed).normal(size=(30, 5)) * 30.0 * accounted.clipping_norm
    quiet = white_box(
        training(accounted, 5, noise=part), data, None, accounted, alpha=ALPHA, seed=seed, isolation="none", count=2
    )
    assert quiet.broken == ("noise",), str(quiet)
    large = white_box(
        training(accounted, 5, scale=1.001), data, None, accounted, alpha=ALPHA, seed=seed, isolation="none", count=2
    )
    assert large.broken == ("clipping",), str(large)
