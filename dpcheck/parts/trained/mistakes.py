"""Mistakes of trainings with noise, each a part that takes the place of the right one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator, default_rng
from numpy.typing import NDArray

from dpcheck.model.training import GaussianSteps
from dpcheck.parts.trained.entry import Data
from dpcheck.parts.trained.gradient_steps import Batch, Floats, clipped_sum, gradients_of

Noise = Callable[[int, int, Floats], Floats]
#: Records of a group whose gradients are averaged before they are clipped; steps of an epoch; small steps of a large.
GROUP, EPOCH, SMALL_STEPS = 8, 10, 4

# clipping


def not_clipped(gradients: Floats, norm: float) -> Floats:
    """The sum of gradients as they are."""
    total: Floats = gradients.sum(axis=0)
    return total


def mean_clipped(gradients: Floats, norm: float) -> Floats:
    """The mean gradient clipped, in place of each."""
    return len(gradients) * clipped_sum(gradients.mean(axis=0, keepdims=True), norm)


def groups_clipped(gradients: Floats, norm: float) -> Floats:
    """Means of groups clipped, in place of each gradient."""
    starts = np.arange(0, len(gradients), GROUP)
    return GROUP * clipped_sum(np.array([gradients[start : start + GROUP].mean(axis=0) for start in starts]), norm)


def constant_left_out(gradients: Floats, norm: float) -> Floats:
    """The constant's gradient is not clipped."""
    return np.append(clipped_sum(gradients[:, :-1], norm), gradients[:, -1].sum())


def coordinates_clipped(gradients: Floats, norm: float) -> Floats:
    """Each coordinate is clipped to the norm, not the gradient."""
    total: Floats = np.clip(gradients, -norm, norm).sum(axis=0)
    return total


def batch_normalised(model: Floats, x: Floats, y: NDArray[np.int64]) -> Floats:
    """Gradients at records that were scaled by mean and deviation of their batch."""
    return gradients_of(model, (x - x.mean(axis=0)) / (x.std(axis=0) + 1e-3), y)


def actual_size(batch: Batch, rate: float, size: int) -> float:
    """Sums are divided by how many records there are in the batch."""
    return float(max(1, len(batch)))


# noise


def divided_twice(accounted: GaussianSteps, data: Data, rng: Generator) -> Noise:
    """Noise for a mean, as if it were for a sum, which is divided again."""
    return lambda step, size, gradients: rng.normal(0.0, accounted.deviation, size) / max(1, len(gradients))


def multiplier_alone(accounted: GaussianSteps, data: Data, rng: Generator) -> Noise:
    """The multiplier taken for the deviation."""
    return lambda step, size, gradients: rng.normal(0.0, accounted.noise_multiplier, size)


def shared_by_small_steps(accounted: GaussianSteps, data: Data, rng: Generator) -> Noise:
    """Gradients are accumulated, and each of the small steps gets its share of the noise, and is used."""
    return lambda step, size, gradients: rng.normal(0.0, accounted.deviation / np.sqrt(SMALL_STEPS), size)


def again_each_epoch(accounted: GaussianSteps, data: Data, rng: Generator) -> Noise:
    """The noise of an epoch is drawn once."""
    kept: list[Floats] = []

    def noise(step: int, size: int, gradients: Floats) -> Floats:
        if len(kept) < EPOCH:
            kept.append(rng.normal(0.0, accounted.deviation, size))
        return kept[step % EPOCH]

    return noise


def drawn_once(accounted: GaussianSteps, data: Data, rng: Generator) -> Noise:
    """The same noise in each step."""
    kept: list[Floats] = []

    def noise(step: int, size: int, gradients: Floats) -> Floats:
        if not kept:
            kept.append(rng.normal(0.0, accounted.deviation, size))
        return kept[0]

    return noise


def of_a_fixed_seed(accounted: GaussianSteps, data: Data, rng: Generator) -> Noise:
    """A generator of its own with a seed that everybody knows."""
    own = default_rng(42)
    return lambda step, size, gradients: own.normal(0.0, accounted.deviation, size)


def of_a_seed_from_the_data(accounted: GaussianSteps, data: Data, rng: Generator) -> Noise:
    """A generator whose seed is made from the records."""
    own = default_rng(int(abs(data[0].sum()) * 1e6))
    return lambda step, size, gradients: own.normal(0.0, accounted.deviation, size)


def one_number_for_all(accounted: GaussianSteps, data: Data, rng: Generator) -> Noise:
    """One number of noise for all coordinates of a step."""
    return lambda step, size, gradients: np.full(size, rng.normal(0.0, accounted.deviation))


def none_on_the_constant(accounted: GaussianSteps, data: Data, rng: Generator) -> Noise:
    """The constant gets no noise."""
    return lambda step, size, gradients: np.append(rng.normal(0.0, accounted.deviation, size - 1), 0.0)


def none_in_the_last_step(accounted: GaussianSteps, data: Data, rng: Generator) -> Noise:
    """The last step is a step without noise."""

    def noise(step: int, size: int, gradients: Floats) -> Floats:
        return np.zeros(size) if step == accounted.steps - 1 else rng.normal(0.0, accounted.deviation, size)

    return noise


def falling(accounted: GaussianSteps, data: Data, rng: Generator) -> Noise:
    """Noise that falls with the learning rate; the accountant knows its first size."""
    return lambda step, size, gradients: rng.normal(0.0, accounted.deviation * 0.97**step, size)


def uniform(accounted: GaussianSteps, data: Data, rng: Generator) -> Noise:
    """Uniform noise of the same deviation."""
    width = np.sqrt(3.0) * accounted.deviation
    return lambda step, size, gradients: rng.uniform(-width, width, size)


def of_the_size_of_the_gradients(accounted: GaussianSteps, data: Data, rng: Generator) -> Noise:
    """Noise in proportion to the largest gradient of the batch, where that is below the clipping norm."""

    def noise(step: int, size: int, gradients: Floats) -> Floats:
        largest = float(np.linalg.norm(gradients, axis=1).max(initial=0.0))
        return rng.normal(0.0, accounted.noise_multiplier * min(accounted.clipping_norm, 0.2 * largest), size)

    return noise


# sampling


def shuffled(size: int, rate: float, rng: Generator) -> Callable[[int], Batch]:
    """Each record once in an epoch, in an order drawn anew for each."""
    order = np.arange(size)
    count = max(1, round(rate * size))
    epoch = max(1, size // count)

    def batch(step: int) -> Batch:
        if step % epoch == 0:
            rng.shuffle(order)
        return order[step % epoch * count : (step % epoch + 1) * count].copy()

    return batch


def in_turn(size: int, rate: float, rng: Generator) -> Callable[[int], Batch]:
    """Batches in the order of the data."""
    count = max(1, round(rate * size))
    return lambda step: np.arange(step * count, (step + 1) * count) % size


def of_fixed_size(size: int, rate: float, rng: Generator) -> Callable[[int], Batch]:
    """So many records drawn without replacement, anew for each step."""
    count = max(1, round(rate * size))
    return lambda step: rng.choice(size, count, replace=False)


def the_same(size: int, rate: float, rng: Generator) -> Callable[[int], Batch]:
    """One batch is drawn, and used in each step."""
    chosen = np.flatnonzero(rng.random(size) < rate)
    return lambda step: chosen


def all_of_them(size: int, rate: float, rng: Generator) -> Callable[[int], Batch]:
    """All records in each step."""
    return lambda step: np.arange(size)


def wrong_ones_more_often(size: int, rate: float, rng: Generator) -> Callable[[int], Batch]:
    """The first tenth of the records, the hard ones, three times as often."""
    rates = np.where(np.arange(size) < size // 10, 3.0 * rate, rate)
    return lambda step: np.flatnonzero(rng.random(size) < rates)


# what depends on the data beside the releases


def standardised(x: Floats, y: NDArray[np.int64]) -> Data:
    """Records scaled by mean and deviation of all of them."""
    return (x - x.mean(axis=0)) / (x.std(axis=0) + 1e-9), y


def by_principal_components(x: Floats, y: NDArray[np.int64]) -> Data:
    """Records in the coordinates of the principal components of all of them."""
    centred = x - x.mean(axis=0)
    return centred @ np.linalg.svd(centred, full_matrices=False)[2].T, y


def best_model(models: list[Floats], x: Floats, y: NDArray[np.int64]) -> Any:
    """The model of all steps that is most often right on the private records."""
    wide = np.column_stack([x, np.ones(len(x))])
    return models[int(np.argmax([((wide @ model > 0) == y).mean() for model in models]))]


def with_its_error(models: list[Floats], x: Floats, y: NDArray[np.int64]) -> Any:
    """The model, and how often it is right on the private records."""
    wide = np.column_stack([x, np.ones(len(x))])
    return models[-1], float(((wide @ models[-1] > 0) == y).mean())


def with_the_number_of_records(models: list[Floats], x: Floats, y: NDArray[np.int64]) -> Any:
    """The model, and of how many records it was made."""
    return models[-1], len(x)


def where_it_gets_no_better(models: list[Floats], x: Floats, y: NDArray[np.int64]) -> bool:
    """Stop when the error on the private records was smaller ten steps before."""
    if len(models) <= EPOCH:
        return False
    wide = np.column_stack([x, np.ones(len(x))])
    now, before = (((wide @ model > 0) == y).mean() for model in (models[-1], models[-1 - EPOCH]))
    return bool(now < before)


def with_one_step_without_noise(models: list[Floats], x: Floats, y: NDArray[np.int64]) -> Any:
    """A last step on all records, clipped but without noise, that is not told to the transcript."""
    return models[-1] - 0.5 / len(x) * clipped_sum(gradients_of(models[-1], x, y), 1.0)


def by_the_number_of_records(batch: Batch, rate: float, size: int) -> float:
    """Sums are divided by the rate times how many records there are."""
    return rate * size
