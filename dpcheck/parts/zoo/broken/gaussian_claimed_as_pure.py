"""A sum of numbers in [0, 1] with normal noise, claimed as if it were Laplace noise."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.gaussian import Gaussian, calibrated_sigma
from dpcheck.parts.zoo.entry import Entry, Swap


def gaussian_claimed_as_pure() -> Gaussian:
    """(1, 0.05)-private, and at delta 0 not at all."""
    return Gaussian(sigma=calibrated_sigma(1.0, 0.05))


ENTRY = Entry(
    name="gaussian_claimed_as_pure",
    learner=gaussian_claimed_as_pure,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=1.0, after=0.0),
    correct=False,
    defect="normal noise is at no epsilon private without a delta",
)
