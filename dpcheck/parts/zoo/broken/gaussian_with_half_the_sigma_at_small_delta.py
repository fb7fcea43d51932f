"""A sum of numbers in [0, 1] with half the standard deviation, for a delta as small as people choose."""

from dpcheck.model.claims import ApproxDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.gaussian import Gaussian, calibrated_sigma
from dpcheck.parts.zoo.entry import Entry, Swap


def gaussian_with_half_the_sigma_at_small_delta() -> Gaussian:
    """Half the calibrated standard deviation for sensitivity 1 and (1, 1e-5)."""
    return Gaussian(sigma=calibrated_sigma(1.0, 1e-5) / 2)


ENTRY = Entry(
    name="gaussian_with_half_the_sigma_at_small_delta",
    learner=gaussian_with_half_the_sigma_at_small_delta,
    claim=ApproxDP(1.0, 1e-5),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=1.0, after=0.0),
    correct=False,
    defect="the standard deviation of the noise is half of what the claim needs, at a delta of 1e-5",
    aliases=("gauss_half_sigma",),
    max_samples=1_000_000,
)
