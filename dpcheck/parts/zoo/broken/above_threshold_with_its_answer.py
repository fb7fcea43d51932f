"""The first of ten counts above a threshold, with its noisy answer (Roth's notes; Lyu, Su & Li, algorithm 3)."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.sparse_vector import AboveThresholdWithItsAnswer
from dpcheck.parts.zoo.entry import Entry, Swap


def above_threshold_with_its_answer() -> AboveThresholdWithItsAnswer:
    """Epsilon 1/2 for the threshold, 1/2 for the one answer, whose noise is also compared."""
    return AboveThresholdWithItsAnswer(threshold=1.0, threshold_scale=2.0, query_scale=2.0)


ENTRY = Entry(
    name="above_threshold_with_its_answer",
    learner=above_threshold_with_its_answer,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=(0,) * 10, after=(1,) * 9 + (0,)),
    correct=False,
    defect="the noisy answer that was compared with the threshold is released, and tells how low the threshold was",
    aliases=("svt3_roth",),
    max_samples=1_000_000,
)
