"""What dp-accounting computes for an event, as the claim of the mechanism that the event describes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcheck.adapters.survey.data import columns
from dpcheck.adapters.survey.libraries import DP_ACCOUNTING
from dpcheck.adapters.survey.subject import Prepared, Subject
from dpcheck.model.neighbours import AddRemove, Records
from dpcheck.model.verdict import Status

ROUNDS = 4
NOISE = 2.0


@dataclass(frozen=True)
class SumsWithGaussianNoise:
    """The sum of numbers from 0 to 1, released ``rounds`` times with normal noise of this spread; their mean is seen.

    The mean of the releases says all that they say together.
    """

    rounds: int
    noise: float

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """The mean of one call's releases."""
        return self.sample(dataset, 1, rng)[0]

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        """``size`` calls, shape (size,)."""
        return np.sum(dataset) + rng.normal(scale=self.noise, size=(size, self.rounds)).mean(axis=1)


def _gaussian() -> Prepared:
    from dp_accounting import GaussianDpEvent, SelfComposedDpEvent

    from dpcheck.adapters.accounting import claim_from_dp_event

    claim = claim_from_dp_event(
        SelfComposedDpEvent(GaussianDpEvent(NOISE), ROUNDS), source="4 Gaussian mechanisms (dp-accounting)"
    )
    rows, _ = columns("breast_cancer", "mean concave points", rows=slice(0, 4))
    return Prepared(SumsWithGaussianNoise(ROUNDS, NOISE), claim, AddRemove(Records.bounded(0.0, 1.0)), rows[:, 0])


gaussian = Subject(
    name="dp-accounting-gaussian",
    library=DP_ACCOUNTING,
    what="SelfComposedDpEvent(GaussianDpEvent(2), 4) as the claim of a sum released four times",
    data="breast cancer, the mean concave points of 4 patients",
    prepare=_gaussian,
    expected=Status.NO_VIOLATION_FOUND,
    why="The event describes what is done, and the privacy loss distribution of Gaussians is computed from above.",
    relation_note="The accountant's own: a record is added or removed.",
    max_samples=40_000,
)


def _forgotten() -> Prepared:
    from dp_accounting import GaussianDpEvent

    from dpcheck.adapters.accounting import claim_from_dp_event

    claim = claim_from_dp_event(GaussianDpEvent(NOISE), source="1 Gaussian mechanism (dp-accounting)")
    rows, _ = columns("breast_cancer", "mean concave points", rows=slice(0, 4))
    return Prepared(SumsWithGaussianNoise(ROUNDS, NOISE), claim, AddRemove(Records.bounded(0.0, 1.0)), rows[:, 0])


forgotten = Subject(
    name="dp-accounting-gaussian-counted-once",
    library=DP_ACCOUNTING,
    what="GaussianDpEvent(2) as the claim of a sum released four times",
    data="breast cancer, the mean concave points of 4 patients",
    prepare=_forgotten,
    expected=Status.VIOLATED,
    why="No defect of the library: the event leaves out three of the four releases, as accounting goes wrong.",
    relation_note="The accountant's own: a record is added or removed.",
    max_samples=40_000,
)
