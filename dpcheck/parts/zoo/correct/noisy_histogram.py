"""A histogram of four cells with Laplace noise on each."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.queries import Counts
from dpcheck.parts.mechanisms.vector_laplace import VectorLaplace
from dpcheck.parts.zoo.entry import Entry, Swap


def noisy_histogram() -> VectorLaplace:
    """Scale 2: replacing a record moves two counts."""
    return VectorLaplace(scale=2.0, query=Counts(4))


ENTRY = Entry(
    name="noisy_histogram",
    learner=noisy_histogram,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.of([0, 1, 2, 3])),
    swap=Swap(before=1, after=0, rest=(2, 3, 3)),
)
