"""Two counts, to both of which the same noise is added."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.vector_laplace import VectorLaplace
from dpcheck.parts.zoo.entry import Entry, Swap


def one_noise_for_two_answers() -> VectorLaplace:
    """Scale 2, right for two answers with noises of their own."""
    return VectorLaplace(scale=2.0, shared=True)


ENTRY = Entry(
    name="one_noise_for_two_answers",
    learner=one_noise_for_two_answers,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=(1, 0), after=(0, 0)),
    correct=False,
    defect="both answers get the same noise, so that their difference is exact",
)
