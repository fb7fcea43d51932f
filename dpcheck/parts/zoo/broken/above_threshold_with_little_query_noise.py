"""The first of ten counts above a threshold, the counts' noise too small (Lee & Clifton; Lyu, alg. 4)."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.sparse_vector import AboveThreshold
from dpcheck.parts.zoo.entry import Entry, Swap

_FIRST_FIVE, _LAST_FIVE = (1,) * 5 + (0,) * 5, (0,) * 5 + (1,) * 5


def above_threshold_with_little_query_noise() -> AboveThreshold:
    """Epsilon 1/4 for the threshold (scale 4), 3/4 for the answers, which need scale 2 * 4/3 and get 4/3."""
    return AboveThreshold(threshold=1.0, threshold_scale=4.0, query_scale=4 / 3)


ENTRY = Entry(
    name="above_threshold_with_little_query_noise",
    learner=above_threshold_with_little_query_noise,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=_FIRST_FIVE, after=_LAST_FIVE, rest=(_FIRST_FIVE,)),
    correct=False,
    defect="the noise on the answers lacks the factor 2 that their moving both ways costs",
    aliases=("svt4_lee_clifton",),
    max_samples=1_000_000,
)
