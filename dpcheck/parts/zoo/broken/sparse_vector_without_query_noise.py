"""Which of ten counts lie above a noisy threshold, no noise on the counts (Stoddard; Lyu, alg. 5)."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.sparse_vector import SparseVector
from dpcheck.parts.zoo.entry import Entry, Swap

_FIRST_FIVE, _LAST_FIVE = (1,) * 5 + (0,) * 5, (0,) * 5 + (1,) * 5


def sparse_vector_without_query_noise() -> SparseVector:
    """Noise of scale 2 on the threshold, and nowhere else; every answer is given."""
    return SparseVector(threshold=1.0, threshold_scale=2.0, query_scale=0.0, cutoff=None)


ENTRY = Entry(
    name="sparse_vector_without_query_noise",
    learner=sparse_vector_without_query_noise,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=_FIRST_FIVE, after=_LAST_FIVE),
    correct=False,
    defect="the answers are compared with the threshold without noise of their own",
    aliases=("svt5_stoddard",),
)
