"""Answers that were all alike, and those of learners that had forgotten: an exact test that they are of one law."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray


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
