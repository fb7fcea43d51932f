"""Which of ten counts lie above a noisy threshold, all of them answered (Chen et al.; Lyu, Su & Li, algorithm 6)."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.sparse_vector import SparseVector
from dpcheck.parts.zoo.entry import Entry, Swap

_FIRST_FIVE, _LAST_FIVE = (1,) * 5 + (0,) * 5, (0,) * 5 + (1,) * 5


def sparse_vector_without_cutoff() -> SparseVector:
    """Noise for one answer above, however many there are."""
    return SparseVector(threshold=1.0, threshold_scale=2.0, query_scale=2.0, cutoff=None)


ENTRY = Entry(
    name="sparse_vector_without_cutoff",
    learner=sparse_vector_without_cutoff,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=_FIRST_FIVE, after=_LAST_FIVE),
    correct=False,
    defect="there is no cut-off: the noise is enough for one answer above the threshold",
    aliases=("svt6_chen",),
)
