"""A sum of numbers in [0, 1] whose generator is made anew in every call, always with seed 0."""

from typing import Any

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.laplace import Laplace
from dpcheck.parts.mechanisms.wrappers import Seeded
from dpcheck.parts.zoo.entry import Entry, Swap


def _zero(dataset: Any) -> int:
    return 0


def one_seed_for_all_calls() -> Seeded:
    """The right scale, and always the same noise."""
    return Seeded(Laplace(scale=1.0), seed=_zero)


ENTRY = Entry(
    name="one_seed_for_all_calls",
    learner=one_seed_for_all_calls,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=1.0, after=0.0),
    correct=False,
    defect="the generator has a constant seed: the noise is known to whoever reads the code",
)
