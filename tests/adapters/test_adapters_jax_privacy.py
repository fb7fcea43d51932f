"""jax-privacy's trainings in a white box: an MLP and a small convolutional net on digits, and mistakes made with them.

jax and jax-privacy are not among what the tests install: these run where they are there (`.ci/extra` makes such a
place).
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from dpcheck import InvalidArgument, WhiteBoxStatus, from_jax_privacy, record_jax_privacy, white_box

jax: Any = pytest.importorskip("jax")
plans: Any = pytest.importorskip("jax_privacy.experimental.execution_plan")
optax: Any = pytest.importorskip("optax")
pytestmark = pytest.mark.filterwarnings("ignore:optax")
RECORDS, STEPS = 600, 20


def digits() -> tuple[Any, Any]:
    from sklearn.datasets import load_digits

    x, y = load_digits(return_X_y=True)
    return (x[:RECORDS] / 16.0).astype(np.float32), y[:RECORDS].astype(np.int32)


def config(**given: Any) -> Any:
    return plans.BandMFExecutionPlanConfig(
        **{
            "strategy": np.ones(1),
            "iterations": STEPS,
            "epsilon": None,
            "delta": None,
            "noise_multiplier": 1.0,
            "sampling_prob": 0.1,
        }
        | given
    )


def _normal(key: int, *shape: int) -> Any:
    return (np.random.default_rng(key).normal(size=shape) / np.sqrt(shape[0])).astype(np.float32)


PERCEPTRON = {"first": _normal(0, 64, 16), "bias": np.zeros(16, np.float32), "second": _normal(1, 16, 10)}
CONVOLUTIONAL = {"kernel": _normal(2, 4, 1, 3, 3) / 3.0, "last": _normal(3, 144, 10)}


def of_perceptron(parameters: Any, x: Any, y: Any) -> Any:
    scores = jax.nn.relu(x @ parameters["first"] + parameters["bias"]) @ parameters["second"]
    return optax.softmax_cross_entropy_with_integer_labels(scores, y).mean()


def of_convolutional(parameters: Any, x: Any, y: Any) -> Any:
    images = x.reshape(-1, 1, 8, 8)
    seen = jax.nn.relu(jax.lax.conv(images, parameters["kernel"], (1, 1), "VALID"))
    return optax.softmax_cross_entropy_with_integer_labels(seen.reshape(len(images), -1) @ parameters["last"], y).mean()


def perceptron(**given: Any) -> Any:
    return from_jax_privacy(config(**given), of_perceptron, PERCEPTRON, optax.sgd(0.1))


@pytest.mark.parametrize(("loss", "start"), [(of_perceptron, PERCEPTRON), (of_convolutional, CONVOLUTIONAL)])
def test_it_is_as_accounted(loss: Any, start: Any, seed: int) -> None:
    training = from_jax_privacy(config(), loss, start, optax.adam(0.01))
    verdict = white_box(
        training, digits(), training.claim(1e-5), training.accounted(), seed=seed, isolation="none", alpha=1e-9
    )
    assert verdict.status is WhiteBoxStatus.AS_ACCOUNTED, str(verdict)


def test_noise_and_claim_are_those_that_were_calibrated() -> None:
    training = perceptron(epsilon=2.0, delta=1e-5, noise_multiplier=None)
    assert training.claim().epsilon_value == pytest.approx(2.0, rel=1e-3)
    accounted = training.accounted()
    assert (accounted.steps, accounted.sampling_rate, accounted.clipping_norm) == (STEPS, 0.1, 1.0)
    normed = perceptron(l2_clip_norm=3.0, rescale_to_unit_norm=False, normalize_by=60.0)
    assert normed.accounted().clipping_norm == pytest.approx(0.05)


def unclipped(parameters: Any, x: Any, y: Any, is_padding_example: Any) -> Any:
    """The sum of gradients as they are."""

    def loss(parameters: Any) -> Any:
        each = jax.vmap(lambda x, y: of_perceptron(parameters, x[None], y[None]))(x, y)
        return jax.numpy.where(is_padding_example, 0.0, each).sum()

    return jax.grad(loss)(parameters)


@cache
def compiled(clipped: bool) -> Any:
    return jax.jit(config().plan.clipped_grad(of_perceptron, batch_argnums=(1, 2)) if clipped else unclipped)


def own_loop(changed: Any, *, jitted: bool = False, clipped: bool = True) -> Any:
    """A loop of one's own, over a plan that was changed after it was accounted for."""

    def train(data: Any, rng: Any, transcript: Any) -> Any:
        plan = replace(config(), noise_seed=int(rng.integers(2**31))).plan
        plan = record_jax_privacy(changed(plan), transcript)
        update = jax.jit(plan.noise_addition_transform.update) if jitted else plan.noise_addition_transform.update
        parameters, state = PERCEPTRON, plan.noise_addition_transform.init(PERCEPTRON)
        x, y = data
        for batch in plan.batch_selection_strategy.batch_iterator(len(x), rng=rng):
            records = np.resize(batch, 128) if len(batch) else np.zeros(128, int)
            empty = np.arange(128) >= len(batch)
            noisy, state = update(
                compiled(clipped)(parameters, x[records], y[records], is_padding_example=empty), state
            )
            parameters = jax.tree.map(lambda one, change: one - 0.1 * change, parameters, noisy)
        return parameters

    return train


def audited(train: Any, seed: int) -> Any:
    accounted = perceptron().accounted()
    return white_box(train, digits(), None, accounted, seed=seed, isolation="none", alpha=1e-9)


@pytest.mark.parametrize("jitted", [False, True])
def test_a_loop_of_ones_own_is_recorded_compiled_or_not(jitted: bool, seed: int) -> None:
    verdict = audited(own_loop(lambda plan: plan, jitted=jitted), seed)
    assert verdict.status is WhiteBoxStatus.AS_ACCOUNTED, str(verdict)


def test_too_little_noise_is_found(seed: int) -> None:
    def quieter(plan: Any) -> Any:
        other = config(noise_multiplier=0.3).plan
        return replace(plan, noise_addition_transform=other.noise_addition_transform)

    assert audited(own_loop(quieter), seed).broken == ("noise",)


def test_noise_of_a_seed_that_is_kept_is_found(seed: int) -> None:
    def seeded(plan: Any) -> Any:
        other = config(noise_seed=7).plan
        return replace(plan, noise_addition_transform=other.noise_addition_transform)

    assert audited(own_loop(seeded), seed).broken == ("noise",)


def test_batches_of_a_fixed_size_are_found(seed: int) -> None:
    from jax_privacy.batch_selection import FixedBatchSampling

    def fixed(plan: Any) -> Any:
        return replace(plan, batch_selection_strategy=FixedBatchSampling(batch_size=60, iterations=STEPS))

    assert audited(own_loop(fixed), seed).broken == ("sampling",)


def test_gradients_that_are_not_clipped_are_found(seed: int) -> None:
    assert "clipping" in audited(own_loop(lambda plan: plan, clipped=False), seed).broken


def test_without_a_transcript_it_trains(rng: Any) -> None:
    model = perceptron()(digits(), rng)
    assert {name: value.shape for name, value in model.items()} == {
        "['first']": (64, 16),
        "['bias']": (16,),
        "['second']": (16, 10),
    }


def test_what_cannot_be_used_is_refused() -> None:
    from dp_accounting import NeighboringRelation
    from dp_accounting.pld import PLDAccountant

    for given, message in [
        ((3, of_perceptron, PERCEPTRON, optax.sgd(0.1)), r"config must be a configuration .*it has no plan.*got int"),
        ((config(), 3, PERCEPTRON, optax.sgd(0.1)), "loss must be callable, got 3"),
        ((config(), of_perceptron, PERCEPTRON, 0.1), "optimizer must be one of optax .*got float"),
        (
            (config(strategy=np.array([1.0, 0.5])), of_perceptron, PERCEPTRON, optax.sgd(0.1)),
            "config must have one band, whose noise is fresh in each step, got 2",
        ),
        (
            (
                config(accountant=PLDAccountant(NeighboringRelation.REPLACE_ONE)),
                of_perceptron,
                PERCEPTRON,
                optax.sgd(0.1),
            ),
            "config must have an accountant for ADD_OR_REMOVE_ONE or REPLACE_SPECIAL.*, got REPLACE_ONE",
        ),
    ]:
        with pytest.raises(InvalidArgument, match=message):
            from_jax_privacy(*given)
    with pytest.raises(InvalidArgument, match=r"plan must be a DPExecutionPlan of jax-privacy .*got int"):
        record_jax_privacy(3, object())  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="delta must be given"):
        perceptron().claim()
    with pytest.raises(InvalidArgument, match="event must be steps of one kind"):
        perceptron(truncated_batch_size=50, num_examples=RECORDS).accounted()
