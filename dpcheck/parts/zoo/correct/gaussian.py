"""A sum of numbers in [0, 1] with the least normal noise that the claim allows."""

from dpcheck.model.claims import ApproxDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.gaussian import Gaussian, calibrated_sigma
from dpcheck.parts.zoo.entry import Entry, Swap


def gaussian() -> Gaussian:
    """The calibrated standard deviation for sensitivity 1 and (1, 0.01)."""
    return Gaussian(sigma=calibrated_sigma(1.0, 0.01))


ENTRY = Entry(
    name="gaussian",
    learner=gaussian,
    claim=ApproxDP(1.0, 0.01),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=1.0, after=0.0),
)
