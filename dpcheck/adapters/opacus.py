"""opacus's trainings with a transcript: what its optimizer clips and adds noise to, and the batches of its loader."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import ApproxDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.training import UNRECORDED, GaussianSteps, Transcript

WHAT_TO_INSTALL = "install dpcheck[opacus]"
_SEEDS = 2**63 - 1


@dataclass(frozen=True)
class OpacusTraining:
    """A training ``(dataset, rng, transcript) -> parameters by name``; made by :func:`from_opacus`."""

    make_private: Callable[[Any], tuple[Any, Any, Any]]
    loss: Callable[..., Any]
    epochs: int
    accountant: str

    @property
    def name(self) -> str:
        """How reports call it."""
        return f"from_opacus({getattr(self.make_private, '__name__', type(self.make_private).__name__)})"

    def __call__(
        self, dataset: Any, rng: np.random.Generator, transcript: Transcript = UNRECORDED
    ) -> dict[str, NDArray[Any]]:
        """One training; torch draws from a seed that ``rng`` gives."""
        import torch

        torch.manual_seed(int(rng.integers(_SEEDS)))
        module, optimizer, loader = _made(self.make_private, dataset)
        record_opacus(optimizer, loader, transcript)
        module.train()
        for _ in range(self.epochs):
            for batch in loader:
                optimizer.zero_grad()
                self.loss(module, *batch).backward()
                optimizer.step()
        return {key: value.detach().cpu().numpy() for key, value in module.state_dict().items()}

    def accounted(self, dataset: Any) -> GaussianSteps:
        """What opacus's accountant is told of a training on this dataset."""
        _, optimizer, loader = _made(self.make_private, dataset)
        return steps_of_opacus(optimizer, loader, self.epochs * len(loader))

    def claim(self, dataset: Any, delta: float) -> ApproxDP:
        """The epsilon that opacus's accountant computes for a training on this dataset."""
        from opacus.accountants import create_accountant

        steps = self.accounted(dataset)
        made = create_accountant(mechanism=self.accountant)
        made.history = [(steps.noise_multiplier, steps.sampling_rate or 1.0, steps.steps)]
        return ApproxDP(float(made.get_epsilon(delta)), delta)


def from_opacus(
    make_private: Callable[[Any], tuple[Any, Any, Any]],
    loss: Callable[..., Any],
    *,
    epochs: int = 1,
    accountant: str = "prv",
) -> OpacusTraining:
    """A training of opacus for :func:`dpcheck.white_box`, with what was accounted for it.

    Parameters
    ----------
    make_private : callable ``dataset -> (module, optimizer, loader)``
        Makes the model and its optimizer anew, and gives what ``PrivacyEngine().make_private(...)`` returns.
    loss : callable ``(module, *batch) -> tensor``
        The mean loss of a batch.
    epochs : int
        How often the loader is gone through.
    accountant : str
        The accountant of opacus whose epsilon is claimed: "prv", "rdp" or "gdp".

    Returns
    -------
    OpacusTraining
        ``accounted(dataset)`` and ``claim(dataset, delta)`` are what opacus says of it.

    Raises
    ------
    InvalidArgument
        When an argument cannot be used, or opacus is not installed.
    """
    _opacus()
    for name, value in (("make_private", make_private), ("loss", loss)):
        if not callable(value):
            raise InvalidArgument(f"{name} must be callable, got {value!r}")
    if isinstance(epochs, bool) or not isinstance(epochs, int) or epochs < 1:
        raise InvalidArgument(f"epochs must be an integer of at least 1, got {epochs!r}")
    if accountant not in ("prv", "rdp", "gdp"):
        raise InvalidArgument(f"accountant must be one of prv, rdp, gdp, got {accountant!r}")
    return OpacusTraining(make_private, loss, epochs, accountant)


def record_opacus(optimizer: Any, loader: Any, transcript: Transcript) -> None:
    """Have an opacus optimizer and loader tell a transcript what they do, and do what it gives back.

    For a loop of one's own: call it after ``make_private``, before the first batch.

    Parameters
    ----------
    optimizer : opacus.optimizers.DPOptimizer
    loader : torch.utils.data.DataLoader
        Its batches must be drawn when they are asked for: ``num_workers=0``.
    transcript : Transcript
        What the training was given.

    Raises
    ------
    InvalidArgument
        When it is no optimizer of opacus, or batches are drawn ahead.
    """
    if transcript is UNRECORDED:
        return
    opacus = _opacus()
    if not isinstance(optimizer, opacus.optimizers.DPOptimizer):
        raise InvalidArgument(
            f"optimizer must be one that opacus's make_private returned, got {type(optimizer).__name__}"
        )
    if getattr(loader, "num_workers", 0):
        raise InvalidArgument(f"loader must have num_workers=0, so that batches come in turn, got {loader.num_workers}")
    # a DataLoader refuses to have its batches replaced; nothing else of it depends on who draws them
    loader.__dict__["batch_sampler"] = _Batches(loader.batch_sampler, transcript)
    own = optimizer.pre_step

    def pre_step(closure: Callable[[], float] | None = None) -> Any:
        done = own(closure)
        if done and optimizer.grad_samples:
            divided_by = 1.0
            if optimizer.loss_reduction == "mean":
                divided_by = float(optimizer.expected_batch_size * optimizer.accumulated_iterations)
            before = [each.summed_grad.detach() / divided_by for each in optimizer.params]
            given = transcript.release(before, [each.grad for each in optimizer.params], divided_by=divided_by)
            for each, gradient in zip(optimizer.params, given, strict=True):
                each.grad = gradient.reshape(each.shape)
        return done

    optimizer.pre_step = pre_step


def steps_of_opacus(optimizer: Any, loader: Any, steps: int) -> GaussianSteps:
    """What opacus's accountant is told: the noise and the norm of an optimizer, the rate of a loader.

    ``steps`` is how many there are. The rate is that of Poisson sampling also where the loader does none, as opacus
    accounts for it.
    """
    rate = float(getattr(loader, "sample_rate", 1.0 / len(loader)))
    return GaussianSteps(
        noise_multiplier=float(optimizer.noise_multiplier),
        clipping_norm=float(optimizer.max_grad_norm),
        steps=steps,
        sampling_rate=rate if rate < 1.0 else None,
    )


@dataclass(frozen=True)
class _Batches:
    """The batches of a loader, each handed to the transcript."""

    own: Any
    transcript: Transcript

    def __iter__(self) -> Iterator[Any]:
        for batch in self.own:
            yield self.transcript.batch(list(batch))

    def __len__(self) -> int:
        return len(self.own)


def _made(make_private: Callable[[Any], Any], dataset: Any) -> tuple[Any, Any, Any]:
    made = make_private(dataset)
    if not isinstance(made, tuple) or len(made) != 3:
        raise InvalidArgument(
            f"make_private must give (module, optimizer, loader), as PrivacyEngine's does, got {type(made).__name__}"
        )
    return made


def _opacus() -> Any:
    try:
        import opacus
        import opacus.optimizers
    except ImportError as error:
        raise InvalidArgument(f"trainings of opacus need it ({error}): {WHAT_TO_INSTALL}") from error
    return opacus
