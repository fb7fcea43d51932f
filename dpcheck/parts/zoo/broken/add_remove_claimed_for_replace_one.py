"""A histogram of four cells, noise for people who come and go, claimed for people who change."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.queries import Counts
from dpcheck.parts.mechanisms.vector_laplace import VectorLaplace
from dpcheck.parts.zoo.entry import Entry, Swap


def add_remove_claimed_for_replace_one() -> VectorLaplace:
    """Scale 1 where replacing a record, which moves two counts, needs 2."""
    return VectorLaplace(scale=1.0, query=Counts(4))


ENTRY = Entry(
    name="add_remove_claimed_for_replace_one",
    learner=add_remove_claimed_for_replace_one,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.of([0, 1, 2, 3])),
    swap=Swap(before=1, after=0, rest=(2, 3, 3)),
    correct=False,
    defect="the noise is for adding or removing a record, which moves one count; replacing one moves two",
)
