"""A sum of numbers in [0, 1] with Laplace noise, moved into [0, 1]."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.bounded_laplace import LaplaceInRange
from dpcheck.parts.zoo.entry import Entry, Swap


def laplace_moved_into_range() -> LaplaceInRange:
    """Moving what is noisy already costs nothing."""
    return LaplaceInRange(scale=1.0, low=0.0, high=1.0)


ENTRY = Entry(
    name="laplace_moved_into_range",
    learner=laplace_moved_into_range,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=1.0, after=0.0),
)
