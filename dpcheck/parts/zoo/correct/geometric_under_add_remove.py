"""A number of records with two-sided geometric noise, of people who come and go."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import AddRemove, Records
from dpcheck.parts.mechanisms.laplace import Geometric
from dpcheck.parts.zoo.entry import Entry, Swap


def geometric_under_add_remove() -> Geometric:
    """Scale 1: one person counts once."""
    return Geometric(scale=1.0)


ENTRY = Entry(
    name="geometric_under_add_remove",
    learner=geometric_under_add_remove,
    claim=PureDP(1.0),
    relation=AddRemove(Records.of([0, 1])),
    swap=Swap(before=1, after=None, rest=(1, 1)),
)
