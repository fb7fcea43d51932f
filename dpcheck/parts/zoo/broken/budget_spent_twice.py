"""Two counts of the same people, each with noise for the whole epsilon."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.vector_laplace import VectorLaplace
from dpcheck.parts.zoo.entry import Entry, Swap


def budget_spent_twice() -> VectorLaplace:
    """Scale 1 where two answers that move together need 2."""
    return VectorLaplace(scale=1.0)


ENTRY = Entry(
    name="budget_spent_twice",
    learner=budget_spent_twice,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=(1, 1), after=(0, 0)),
    correct=False,
    defect="each of two answers spends the whole epsilon",
)
