"""A sum of numbers in [0, 1] with Laplace noise that is cut off where delta allows."""

from dpcheck.model.claims import ApproxDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.bounded_laplace import TruncatedLaplace, calibrated_reach
from dpcheck.parts.zoo.entry import Entry, Swap


def truncated_laplace() -> TruncatedLaplace:
    """Scale 1 for sensitivity 1, cut off for (1, 0.01)."""
    return TruncatedLaplace(scale=1.0, reach=calibrated_reach(1.0, 0.01))


ENTRY = Entry(
    name="truncated_laplace",
    learner=truncated_laplace,
    claim=ApproxDP(1.0, 0.01),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=1.0, after=0.0),
)
