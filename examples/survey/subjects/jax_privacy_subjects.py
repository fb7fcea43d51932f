"""Sums of clipped gradients of jax-privacy with its noise, as a survey audits them.

A dataset is a list of rows, and an example's gradient is its row. Batches are filled up to one size with examples that
are marked as padding, so that each function is compiled once.
"""

from __future__ import annotations

from functools import cache

import dp_accounting
import jax
import jax.numpy as jnp
import numpy as np
from jax_privacy import batch_selection, clipping, noise_addition
from jax_privacy.experimental.execution_plan import BandMFExecutionPlanConfig

SIZE, COLUMNS, STEPS = 4, 2, 2
ADD_OR_REMOVE = dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE


def score(parameters, example):
    """Its gradient is the example."""
    return jnp.sum(example @ parameters)


def filled(rows):
    """The rows and which of them are padding."""
    batch = np.zeros((SIZE, COLUMNS), np.float32)
    batch[: len(rows)] = np.asarray(rows, dtype=np.float32).reshape(len(rows), COLUMNS)
    return batch, np.arange(SIZE) >= len(rows)


def key_of(rng):
    """A key of jax."""
    return jax.random.key(int(rng.integers(2**32)))


CLIPPED = clipping.clipped_grad(score, l2_clip_norm=1.0)


@jax.jit
def summed(batch, padding, key):
    """A sum with noise of the function's own sensitivity."""
    noise = noise_addition.gaussian_privatizer(stddev=CLIPPED.sensitivity(ADD_OR_REMOVE), prng_key=key)
    start = jnp.zeros(COLUMNS)
    return noise.update(CLIPPED(start, batch, is_padding_example=padding), noise.init(start))[0]


def clipped_sum(rows, rng):
    """One sum of clipped gradients."""
    batch, padding = filled(rows)
    return np.asarray(summed(batch, padding, key_of(rng))).tolist()


@jax.jit
def averaged(batch, padding, key):
    """The same, rescaled to norm 1 and divided by a public size, in batches of two."""
    gradient = clipping.clipped_grad(
        score, l2_clip_norm=0.5, rescale_to_unit_norm=True, normalize_by=SIZE, microbatch_size=2
    )
    noise = noise_addition.gaussian_privatizer(stddev=gradient.sensitivity(ADD_OR_REMOVE), prng_key=key)
    start = jnp.zeros(COLUMNS)
    return noise.update(gradient(start, batch, is_padding_example=padding), noise.init(start))[0]


def clipped_mean(rows, rng):
    """One mean of clipped gradients."""
    batch, padding = filled(rows)
    return np.asarray(averaged(batch, padding, key_of(rng))).tolist()


def planned(strategy, sampling):
    """A plan of so many steps at epsilon 1 and delta 1e-5, for one example added or removed."""
    return BandMFExecutionPlanConfig(
        iterations=STEPS,
        strategy=np.array(strategy),
        epsilon=1.0,
        delta=1e-5,
        sampling_prob=sampling,
        partition_type=batch_selection.PartitionType.INDEPENDENT,
        accountant=dp_accounting.pld.PLDAccountant(ADD_OR_REMOVE),
        noise_seed=0,
    ).plan


@cache
def trained(strategy, sampling):
    """A learner of all the noisy gradients of a plan, which is made and compiled once in a process."""
    plan = planned(strategy, sampling)
    gradient = plan.clipped_grad(score)

    @jax.jit
    def run(batches, paddings, key):
        start = jnp.zeros(COLUMNS)
        state = (key, plan.noise_addition_transform.init(start)[1])
        shown = []
        for batch, padding in zip(batches, paddings, strict=True):
            noisy, state = plan.noise_addition_transform.update(
                gradient(start, batch, is_padding_example=padding), state
            )
            shown.append(noisy)
        return jnp.concatenate(shown)

    def learner(rows, rng):
        rows = np.asarray(rows, dtype=np.float32).reshape(len(rows), COLUMNS)
        chosen = plan.batch_selection_strategy.batch_iterator(len(rows), rng)
        batches, paddings = zip(*(filled(rows[indices]) for indices in chosen), strict=True)
        return np.asarray(run(np.stack(batches), np.stack(paddings), key_of(rng))).tolist()

    return learner


def sampled():
    """DP-SGD of two steps, half of the examples in each."""
    return trained((1.0,), 0.5)


def banded():
    """Noise of two bands, every example in one of two steps."""
    return trained((1.0, 0.5), 1.0)
