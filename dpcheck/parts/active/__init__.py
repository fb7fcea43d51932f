"""Active learners: they see points, ask for labels by index, and are audited with or without what they asked.

An active learner has ``learn(points, oracle, rng)`` and ``most_labels(examples)`` (:class:`ActiveLearner`); it gets its
labels from a :class:`LabelOracle` alone. What is released is the hypothesis (:class:`HypothesisOnly`), or with it the
list of the indices asked for (:class:`WithTranscript`): these two can be audited. A learner that also has
``__call__(dataset, rng)``, which is then its hypothesis, can be audited as it is, and under ``EntryAndTranscript`` the
second is taken of it.
"""

from dpcheck.parts.active.binary_search import PrivateBinarySearch
from dpcheck.parts.active.oracle import LabelOracle
from dpcheck.parts.active.protocol import ActiveLearner, is_active
from dpcheck.parts.active.released import HypothesisOnly, WithTranscript, with_transcript

__all__ = [
    "ActiveLearner",
    "HypothesisOnly",
    "LabelOracle",
    "PrivateBinarySearch",
    "WithTranscript",
    "is_active",
    "with_transcript",
]
