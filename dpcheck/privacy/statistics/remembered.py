"""Answers that were all alike, and those of learners that had forgotten: an exact test that they are of one law."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.freshness import prediction_evidence


def memory_evidence(before: NDArray[np.uint64], after: NDArray[np.uint64]) -> float:
    """Log evidence that answers differ after forgetting, of a learner that always answered alike before.

    Answers of a learner whose runs are fresh come in any order: given the first, and how many of all others differ from
    it, any of them are as likely to be the different ones. The evidence is one over the chance that all of these were
    made after forgetting: an e-value, so that those of several datasets can be multiplied.

    Examples
    --------
    >>> alike = np.zeros(100, dtype=np.uint64)
    >>> memory_evidence(alike, np.arange(1, 6, dtype=np.uint64)) > 15.0
    True
    >>> memory_evidence(alike, alike[:5])
    0.0
    """
    if len(before) == 0 or bool((before != before[0]).any()):
        return 0.0
    otherwise = int((after != before[0]).sum())
    if otherwise == 0:
        return 0.0
    more = len(after)
    everything = len(before) - 1 + more
    return sum(math.log((everything - i) / (more - i)) for i in range(otherwise))


def others_evidence(before: NDArray[np.uint64], after: NDArray[np.uint64], rng: np.random.Generator) -> float:
    """Log evidence that answers which come again among many are others after forgetting.

    Of those before, a half that ``rng`` draws says which ones are known; whether one is known comes in any order among
    all others, where runs are fresh.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> kept, others = np.arange(0, 20, dtype=np.uint64), np.arange(50, 70, dtype=np.uint64)
    >>> others_evidence(rng.choice(kept, 200), rng.choice(others, 40), rng) > 50.0
    True
    >>> others_evidence(rng.choice(kept, 200), rng.choice(kept, 40), rng) < 2.0
    True
    """
    mixed = rng.permutation(before)
    known, rest = mixed[: len(mixed) // 2], mixed[len(mixed) // 2 :]
    is_known = np.isin(np.concatenate([rest, after]), known).astype(np.int64)
    return prediction_evidence(np.repeat([0, 1], [len(rest), len(after)]), is_known)
