"""A sum of numbers that are moved into [0, 1] first."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.laplace import Laplace
from dpcheck.parts.mechanisms.queries import Sum
from dpcheck.parts.zoo.entry import Entry, Swap


def sum_with_clipping() -> Laplace:
    """Scale 1: a clipped record moves the sum by at most 1."""
    return Laplace(scale=1.0, query=Sum(0.0, 1.0))


ENTRY = Entry(
    name="sum_with_clipping",
    learner=sum_with_clipping,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 100)),
    swap=Swap(before=100.0, after=0.0),
)
