"""A sum of numbers in [0, 1] with Laplace noise that is cut off, claimed as pure."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.bounded_laplace import TruncatedLaplace
from dpcheck.parts.zoo.entry import Entry, Swap


def noise_cut_off() -> TruncatedLaplace:
    """Noise of at most 3, against outliers."""
    return TruncatedLaplace(scale=1.0, reach=3.0)


ENTRY = Entry(
    name="noise_cut_off",
    learner=noise_cut_off,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=1.0, after=0.0),
    correct=False,
    defect="the noise is cut off: outputs farther from the sum cannot come out",
)
