"""A sum of numbers in [0, 1] with half the standard deviation that the claim needs."""

from dpcheck.model.claims import ApproxDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.gaussian import Gaussian, calibrated_sigma
from dpcheck.parts.zoo.entry import Entry, Swap


def gaussian_with_half_the_sigma() -> Gaussian:
    """Half the calibrated standard deviation for sensitivity 1 and (1, 0.01)."""
    return Gaussian(sigma=calibrated_sigma(1.0, 0.01) / 2)


ENTRY = Entry(
    name="gaussian_with_half_the_sigma",
    learner=gaussian_with_half_the_sigma,
    claim=ApproxDP(1.0, 0.01),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=1.0, after=0.0),
    correct=False,
    defect="the standard deviation of the noise is half of what the claim needs",
)
