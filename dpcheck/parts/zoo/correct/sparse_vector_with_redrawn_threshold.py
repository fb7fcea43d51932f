"""Up to two of ten counts above a threshold that is redrawn (Dwork & Roth; Lyu, Su & Li, algorithm 2)."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.sparse_vector import SparseVector
from dpcheck.parts.zoo.entry import Entry, Swap

_FIRST_FIVE, _LAST_FIVE = (1,) * 5 + (0,) * 5, (0,) * 5 + (1,) * 5


def sparse_vector_with_redrawn_threshold() -> SparseVector:
    """Scales 2c and 4c for a cut-off c of 2."""
    return SparseVector(threshold=1.0, threshold_scale=4.0, query_scale=8.0, cutoff=2, redraw_threshold=True)


ENTRY = Entry(
    name="sparse_vector_with_redrawn_threshold",
    learner=sparse_vector_with_redrawn_threshold,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=_FIRST_FIVE, after=_LAST_FIVE),
    aliases=("svt2_dwork_roth",),
)
