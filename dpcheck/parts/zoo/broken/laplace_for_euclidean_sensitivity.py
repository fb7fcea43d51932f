"""Nine sums of numbers in [0, 1] with Laplace noise for their Euclidean sensitivity."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.vector_laplace import VectorLaplace
from dpcheck.parts.zoo.entry import Entry, Swap


def laplace_for_euclidean_sensitivity() -> VectorLaplace:
    """Scale 3, the sensitivity in the Euclidean norm; Laplace noise needs that in the L1 norm, 9."""
    return VectorLaplace(scale=3.0)


ENTRY = Entry(
    name="laplace_for_euclidean_sensitivity",
    learner=laplace_for_euclidean_sensitivity,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=(1,) * 9, after=(0,) * 9),
    correct=False,
    defect="Laplace noise is scaled by the Euclidean sensitivity instead of the L1 sensitivity",
)
