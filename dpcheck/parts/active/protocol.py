"""What an active learner is: a learner of points that asks for labels."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np

from dpcheck.parts.active.oracle import LabelOracle


@runtime_checkable
class ActiveLearner(Protocol):
    """A learner that is shown the points of a labelled sample, and asks for some of the labels.

    What it may have besides, looked for and never required: ``sample_with_transcript(dataset, size, rng)`` and
    ``law_with_transcript(dataset)``, draws and the law of pairs (hypothesis, transcript); ``transcript_claim``, what it
    promises when its questions are seen, where that is not its ``claim`` (which is about the hypothesis alone where
    ``neighbours`` is there and not ``EntryAndTranscript``); ``repeats_cost``, for its oracle.

    Source: beimel2015:def-5.1.
    """

    def most_labels(self, examples: int, /) -> int:
        """How many labels it asks for, at most, of so many examples."""
        ...

    def learn(self, points: Any, oracle: LabelOracle, rng: np.random.Generator, /) -> Any:
        """One hypothesis, from the points of a sample and the answers of the oracle."""
        ...


def is_active(learner: Any) -> bool:
    """Whether it is an active learner (an instance, not a class).

    >>> is_active(len)
    False
    """
    return not isinstance(learner, type) and isinstance(learner, ActiveLearner)
