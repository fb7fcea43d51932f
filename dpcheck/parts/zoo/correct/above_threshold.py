"""The first of ten counts above a threshold, the noise split evenly (Lyu, Su & Li, algorithm 1)."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.sparse_vector import AboveThreshold
from dpcheck.parts.zoo.entry import Entry, Swap

_FIRST_FIVE, _LAST_FIVE = (1,) * 5 + (0,) * 5, (0,) * 5 + (1,) * 5


def above_threshold() -> AboveThreshold:
    """Epsilon 1/2 for the threshold (scale 2), 1/2 for the answers (scale 2 * 2)."""
    return AboveThreshold(threshold=1.0, threshold_scale=2.0, query_scale=4.0)


ENTRY = Entry(
    name="above_threshold",
    learner=above_threshold,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=_FIRST_FIVE, after=_LAST_FIVE, rest=(_FIRST_FIVE,)),
    aliases=("svt1_lyu",),
)
