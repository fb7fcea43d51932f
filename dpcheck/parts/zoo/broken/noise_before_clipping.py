"""A sum of any numbers with noise for [0, 1], clipped after the noise."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.bounded_laplace import LaplaceInRange
from dpcheck.parts.mechanisms.queries import Sum
from dpcheck.parts.zoo.entry import Entry, Swap


def noise_before_clipping() -> LaplaceInRange:
    """``Sum()`` should be ``Sum(0, 1)``; the range comes too late."""
    return LaplaceInRange(scale=1.0, low=0.0, high=1.0, query=Sum())


ENTRY = Entry(
    name="noise_before_clipping",
    learner=noise_before_clipping,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 100)),
    swap=Swap(before=100.0, after=0.0),
    correct=False,
    defect="the noisy sum is clipped instead of the records",
)
