"""A sum of numbers in [-1, 1] with noise for numbers that move it by 1."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.laplace import Laplace
from dpcheck.parts.zoo.entry import Entry, Swap


def laplace_with_the_wrong_sensitivity() -> Laplace:
    """Scale 1, for the largest size of a record instead of the width of its range."""
    return Laplace(scale=1.0)


ENTRY = Entry(
    name="laplace_with_the_wrong_sensitivity",
    learner=laplace_with_the_wrong_sensitivity,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(-1, 1)),
    swap=Swap(before=1.0, after=-1.0),
    correct=False,
    defect="the sensitivity is taken for 1, the largest size of a record, where replacing one moves the sum by 2",
)
