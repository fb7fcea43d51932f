"""A sum of numbers in [0, 1] with noise that is drawn again while the outcome is negative."""

import math

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.bounded_laplace import LaplaceInRange
from dpcheck.parts.zoo.entry import Entry, Swap


def noise_drawn_again_until_in_range() -> LaplaceInRange:
    """Scale 1, right for noise that is drawn once."""
    return LaplaceInRange(scale=1.0, low=0.0, high=math.inf, again=True)


ENTRY = Entry(
    name="noise_drawn_again_until_in_range",
    learner=noise_drawn_again_until_in_range,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=1.0, after=0.0),
    correct=False,
    defect="noise is drawn again until the outcome is not negative, and how often that takes depends on the data",
    max_samples=1_000_000,
)
