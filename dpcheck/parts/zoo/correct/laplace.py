"""A sum of numbers in [0, 1] with the Laplace noise that the claim needs."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.laplace import Laplace
from dpcheck.parts.zoo.entry import Entry, Swap


def laplace() -> Laplace:
    """Scale 1 for sensitivity 1 and epsilon 1."""
    return Laplace(scale=1.0)


ENTRY = Entry(
    name="laplace",
    learner=laplace,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=1.0, after=0.0),
)
