"""A sum of numbers in [0, 1] with the least normal noise for a delta as small as people choose."""

from dpcheck.model.claims import ApproxDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.gaussian import Gaussian, calibrated_sigma
from dpcheck.parts.zoo.entry import Entry, Swap


def gaussian_at_small_delta() -> Gaussian:
    """The calibrated standard deviation for sensitivity 1 and (1, 1e-5)."""
    return Gaussian(sigma=calibrated_sigma(1.0, 1e-5))


ENTRY = Entry(
    name="gaussian_at_small_delta",
    learner=gaussian_at_small_delta,
    claim=ApproxDP(1.0, 1e-5),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=1.0, after=0.0),
    aliases=("gauss",),
)
