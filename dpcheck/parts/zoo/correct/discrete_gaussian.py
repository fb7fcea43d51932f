"""A count with the least discrete normal noise that the claim allows."""

from dpcheck.model.claims import ApproxDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.discrete_gaussian import DiscreteGaussian, calibrated_discrete_sigma
from dpcheck.parts.zoo.entry import Entry, Swap


def discrete_gaussian() -> DiscreteGaussian:
    """The calibrated sigma for sensitivity 1 and (1, 0.01)."""
    return DiscreteGaussian(sigma=calibrated_discrete_sigma(1.0, 0.01))


ENTRY = Entry(
    name="discrete_gaussian",
    learner=discrete_gaussian,
    claim=ApproxDP(1.0, 0.01),
    relation=ReplaceOne(Records.of([0, 1])),
    swap=Swap(before=1, after=0),
)
