"""A count with the two-sided geometric noise that the claim needs."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.laplace import Geometric
from dpcheck.parts.zoo.entry import Entry, Swap


def geometric() -> Geometric:
    """Scale 1 for sensitivity 1 and epsilon 1."""
    return Geometric(scale=1.0)


ENTRY = Entry(
    name="geometric",
    learner=geometric,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.of([0, 1])),
    swap=Swap(before=1, after=0),
    aliases=("discrete_laplace",),
)
