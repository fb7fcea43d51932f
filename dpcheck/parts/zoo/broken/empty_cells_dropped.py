"""A histogram of the values that occur, with Laplace noise on each."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.queries import counts_of_those_present
from dpcheck.parts.mechanisms.vector_laplace import VectorLaplace
from dpcheck.parts.zoo.entry import Entry, Swap


def empty_cells_dropped() -> VectorLaplace:
    """Scale 2, right for a histogram of all values."""
    return VectorLaplace(scale=2.0, query=counts_of_those_present)


ENTRY = Entry(
    name="empty_cells_dropped",
    learner=empty_cells_dropped,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.of([0, 1, 2, 3])),
    swap=Swap(before=1, after=0, rest=(0, 0)),
    correct=False,
    defect="cells without records are left out, so that the others tell which are not empty",
)
