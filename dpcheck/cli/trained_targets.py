"""Trainings as targets of ``dpcheck white-box``: somebody's, or one of our own with its data and its account."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dpcheck.cli.targets import find_object
from dpcheck.model.claims import Claim
from dpcheck.model.errors import InvalidArgument, TargetNotFound, in_words, nearest
from dpcheck.model.training import GaussianSteps

TRAINED = "trained:"


@dataclass(frozen=True)
class Trained:
    """A training, and what it brings along."""

    train: Callable[..., Any]
    claim: Claim | None = None
    accounted: GaussianSteps | None = None
    dataset: Any = None
    neighbours: str = ""


def trained_target(text: str) -> Trained:
    """The training that a text names.

    Raises
    ------
    TargetNotFound
        When there is none of this name.
    InvalidArgument
        When it cannot be called, or its attribute ``accounted`` is no GaussianSteps.
    """
    if text.startswith(TRAINED):
        from dpcheck.parts.trained import entries

        known = {entry.name: entry for entry in entries()}
        name = text.removeprefix(TRAINED).replace("-", "_")
        if name not in known:
            raise TargetNotFound(
                f"target {text}: there is no training {name!r}{nearest(name, known)}; there are {', '.join(known)}"
            )
        entry = known[name]
        return Trained(entry.train, entry.claim, entry.accounted, entry.dataset(), entry.neighbours)
    found = find_object(text, "target")
    if isinstance(found, type):
        try:
            found = found()
        except Exception as error:  # a stranger's constructor may raise anything
            raise InvalidArgument(
                f"target {text} could not be made: {in_words(error)}; a training is a callable (dataset, rng, "
                "transcript), or a class that needs no argument and makes one"
            ) from error
    if not callable(found):
        raise InvalidArgument(
            f"target {text} must be a training (dataset, rng, transcript), got {type(found).__name__}"
        )
    accounted = getattr(found, "accounted", None)
    if accounted is not None and not isinstance(accounted, GaussianSteps):
        raise InvalidArgument(f"{text}.accounted must be a GaussianSteps, got {accounted!r}")
    return Trained(found, getattr(found, "claim", None), accounted)
