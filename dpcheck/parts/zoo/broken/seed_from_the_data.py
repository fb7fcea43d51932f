"""A sum of numbers in [0, 1] whose noise is seeded by the sum, to be reproducible."""

from typing import Any

import numpy as np

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.laplace import Laplace
from dpcheck.parts.mechanisms.wrappers import Seeded
from dpcheck.parts.zoo.entry import Entry, Swap


def _sum_of(dataset: Any) -> int:
    return int(np.sum(dataset))


def seed_from_the_data() -> Seeded:
    """The right scale, and the same noise whenever the data are the same."""
    return Seeded(Laplace(scale=1.0), seed=_sum_of)


ENTRY = Entry(
    name="seed_from_the_data",
    learner=seed_from_the_data,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.of([0, 1])),
    swap=Swap(before=1, after=0, rest=(1,)),
    correct=False,
    defect="the noise is seeded by the data: each dataset has one output",
)
