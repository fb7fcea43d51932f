"""A sum of numbers in [0, 1] with noise that is never negative."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.one_sided_laplace import OneSidedLaplace
from dpcheck.parts.zoo.entry import Entry, Swap


def one_sided_noise() -> OneSidedLaplace:
    """Exponential noise of scale 1, so that no count is negative."""
    return OneSidedLaplace(scale=1.0)


ENTRY = Entry(
    name="one_sided_noise",
    learner=one_sided_noise,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=1.0, after=0.0),
    correct=False,
    defect="the noise is never negative: outputs below the sum cannot come out",
)
