"""jax-privacy's trainings with a transcript: the batches of an execution plan, and what it clips and adds noise to."""

from __future__ import annotations

import copy
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.adapters.accounting import steps_from_dp_event
from dpcheck.model.claims import ApproxDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.training import UNRECORDED, GaussianSteps, Transcript

WHAT_TO_INSTALL = "install dpcheck[jax]"
#: Batches are filled up with empty records to a multiple of this: each size is compiled anew.
SIZES = 64
_SEEDS = 2**31
#: Relations of jax-privacy under which a record gives at most the clipping norm.
_RELATIONS = ("ADD_OR_REMOVE_ONE", "REPLACE_SPECIAL")


@dataclass(frozen=True)
class JaxPrivacyTraining:
    """A training ``(dataset, rng, transcript) -> parameters by name``; made by :func:`from_jax_privacy`."""

    config: Any = field(compare=False)
    loss: Callable[..., Any] = field(compare=False)
    parameters: Any = field(compare=False)
    optimizer: Any = field(compare=False)
    #: Which training it is: what is compiled for one is there for its copies.
    identity: str = field(default_factory=lambda: uuid.uuid4().hex, repr=False)

    @property
    def name(self) -> str:
        """How reports call it."""
        return f"from_jax_privacy({type(self.config).__name__})"

    def __call__(
        self, dataset: Any, rng: np.random.Generator, transcript: Transcript = UNRECORDED
    ) -> dict[str, NDArray[Any]]:
        """One training; batches come from ``rng``, and noise from a seed that it gives."""
        import jax

        found = {"epsilon": None, "delta": None, "noise_multiplier": self.accounted().noise_multiplier}
        fresh = replace(self.config, **found, noise_seed=int(rng.integers(_SEEDS)))
        plan = record_jax_privacy(fresh.plan, transcript)
        parts = tuple(np.asarray(part) for part in (dataset if isinstance(dataset, tuple) else (dataset,)))
        total_of, update, apply = _compiled(self, len(parts))
        parameters, noise = self.parameters, plan.noise_addition_transform.init(self.parameters)
        state = self.optimizer.init(parameters)
        for batch in plan.batch_selection_strategy.batch_iterator(len(parts[0]), rng=rng):
            records, empty = _filled_up(parts, batch)
            total = total_of(parameters, *records, is_padding_example=empty)
            noisy, noise = plan.noise_addition_transform.update(total, noise)
            changes, state = update(noisy, state, parameters)
            parameters = apply(parameters, changes)
        leaves = jax.tree_util.tree_leaves_with_path(parameters)
        return {jax.tree_util.keystr(path): np.asarray(leaf) for path, leaf in leaves}

    def accounted(self) -> GaussianSteps:
        """What jax-privacy's accountant is told."""
        plan = _plan(self)
        return steps_from_dp_event(plan.dp_event, clipping_norm=plan.clipped_grad(_nothing).l2_norm_bound)

    def claim(self, delta: float | None = None) -> ApproxDP:
        """The epsilon that the plan's accountant computes at this delta, or else at the one it was calibrated for."""
        at = self.config.delta if delta is None else delta
        if at is None:
            raise InvalidArgument("delta must be given where the plan has a noise multiplier and no delta, got None")
        accountant = copy.deepcopy(self.config.accountant)
        accountant.compose(_plan(self).dp_event)
        return ApproxDP(float(accountant.get_epsilon(at)), float(at))


def from_jax_privacy(config: Any, loss: Callable[..., Any], parameters: Any, optimizer: Any) -> JaxPrivacyTraining:
    """A training of jax-privacy for :func:`dpcheck.white_box`, with what was accounted for it.

    Parameters
    ----------
    config : jax_privacy.experimental.execution_plan.BandMFExecutionPlanConfig
        With one band, and so DP-SGD; its ``noise_seed`` is set anew for each training. Where its accountant is for
        REPLACE_SPECIAL, as by default, the number of records is public: ``white_box(..., public_size=True)``.
    loss : callable ``(parameters, *batch) -> number``
        The loss of one record, as a batch of one.
    parameters : tree of arrays
        Where training begins.
    optimizer : optax.GradientTransformation
        What is made of the noisy gradients.

    Returns
    -------
    JaxPrivacyTraining
        Its dataset is an array of records or a tuple of them, ``(X, y)``; ``accounted()`` and ``claim(delta)`` are what
        jax-privacy says of it.

    Raises
    ------
    InvalidArgument
        When an argument cannot be used, or jax-privacy is not installed.
    """
    _jax_privacy()
    for part in ("plan", "noise_seed", "accountant", "delta"):
        if not hasattr(config, part):
            raise InvalidArgument(
                f"config must be a configuration of jax-privacy's execution plans (it has no {part}), got "
                f"{type(config).__name__}"
            )
    if not callable(loss):
        raise InvalidArgument(f"loss must be callable, got {loss!r}")
    for part in ("init", "update"):
        if not callable(getattr(optimizer, part, None)):
            raise InvalidArgument(f"optimizer must be one of optax (it has no {part}), got {type(optimizer).__name__}")
    relation = config.accountant.neighboring_relation.name
    if relation not in _RELATIONS:
        raise InvalidArgument(
            f"config must have an accountant for {' or '.join(_RELATIONS)}, under which a record gives at most the "
            f"clipping norm, got {relation}"
        )
    if len(config.strategy) > 1:
        raise InvalidArgument(
            f"config must have one band, whose noise is fresh in each step, got {len(config.strategy)}"
        )
    return JaxPrivacyTraining(config, loss, parameters, optimizer)


def record_jax_privacy(plan: Any, transcript: Transcript) -> Any:
    """An execution plan that tells a transcript what it does, and does what it gives back.

    For a loop of one's own: take the batches and the noise of the plan that comes back. It may be compiled.

    Parameters
    ----------
    plan : jax_privacy.experimental.execution_plan.DPExecutionPlan
    transcript : Transcript
        What the training was given.

    Returns
    -------
    DPExecutionPlan
        The same, recorded.

    Raises
    ------
    InvalidArgument
        When it is no execution plan.
    """
    if transcript is UNRECORDED:
        return plan
    _jax_privacy()
    import jax
    import optax
    from jax.experimental import io_callback

    for part in ("batch_selection_strategy", "noise_addition_transform"):
        if not hasattr(plan, part):
            raise InvalidArgument(
                f"plan must be a DPExecutionPlan of jax-privacy (it has no {part}), got {type(plan).__name__}"
            )
    own = plan.noise_addition_transform

    def told(before: Any, after: Any) -> Any:
        leaves, tree = jax.tree.flatten(after)
        arrays = [np.asarray(leaf) for leaf in leaves]
        given = transcript.release([np.asarray(leaf) for leaf in jax.tree.leaves(before)], arrays)
        shaped = [np.asarray(one, leaf.dtype).reshape(leaf.shape) for one, leaf in zip(given, arrays, strict=True)]
        return jax.tree.unflatten(tree, shaped)

    def update(sum_of_clipped_grads: Any, noise_state: Any, params: Any = None) -> tuple[Any, Any]:
        noisy, state = own.update(sum_of_clipped_grads, noise_state, params)
        if any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves((sum_of_clipped_grads, noisy))):
            shapes = jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype), noisy)
            return io_callback(told, shapes, sum_of_clipped_grads, noisy, ordered=True), state
        return jax.tree.map(jax.numpy.asarray, told(sum_of_clipped_grads, noisy)), state

    return replace(
        plan,
        batch_selection_strategy=_Batches(plan.batch_selection_strategy, transcript),
        noise_addition_transform=optax.GradientTransformation(own.init, update),
    )


@dataclass(frozen=True)
class _Batches:
    """The batches of a plan, each handed to the transcript."""

    own: Any
    transcript: Transcript

    def batch_iterator(self, num_examples: int, rng: Any = None) -> Iterator[Any]:
        import jax

        for batch in self.own.batch_iterator(num_examples, rng=rng):
            jax.effects_barrier()  # compiled steps run later than they are called
            yield self.transcript.batch(np.asarray(batch))
        jax.effects_barrier()


@lru_cache(maxsize=8)
def _plan(training: JaxPrivacyTraining) -> Any:
    """Its plan, whose noise is calibrated once."""
    return training.config.plan


@lru_cache(maxsize=8)
def _compiled(training: JaxPrivacyTraining, arrays: int) -> tuple[Any, Any, Any]:
    """The sum of clipped gradients of a batch of so many arrays, and a step of the optimizer."""
    import jax
    import optax

    total_of = _plan(training).clipped_grad(training.loss, batch_argnums=tuple(range(1, arrays + 1)))
    return jax.jit(total_of), jax.jit(training.optimizer.update), jax.jit(optax.apply_updates)


def _filled_up(parts: tuple[NDArray[Any], ...], batch: Any) -> tuple[list[NDArray[Any]], NDArray[np.bool_]]:
    """The records of a batch and empty ones after them, and which are empty."""
    size = SIZES * max(1, -(-len(batch) // SIZES))
    records = [np.zeros((size, *part.shape[1:]), part.dtype) for part in parts]
    for filled, part in zip(records, parts, strict=True):
        filled[: len(batch)] = part[batch]
    return records, np.arange(size) >= len(batch)


def _nothing() -> None:
    """Has no gradient: only the norm that it would be clipped to is asked for."""


def _jax_privacy() -> None:
    try:
        import jax_privacy  # noqa: F401
    except ImportError as error:
        raise InvalidArgument(f"trainings of jax-privacy need it ({error}): {WHAT_TO_INSTALL}") from error
