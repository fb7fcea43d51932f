"""Questions about a dataset that mechanisms answer with noise; records are on the first axis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcheck.errors import InvalidArgument

#: A question: a dataset in, its exact answer out.
Query = Callable[[Any], Any]


def total(dataset: Any) -> Any:
    """The sum of the records: a number for records that are numbers, a vector of shape (k,) for k columns.

    Replacing a record with entries in [0, 1] moves each entry of the sum by at most 1.

    Examples
    --------
    >>> float(total([1, 0, 1])), total([[1, 0], [1, 1]]).tolist()
    (2.0, [2, 1])
    """
    return np.sum(np.asarray(dataset), axis=0)


@dataclass(frozen=True)
class Mean:
    """The mean of records that are numbers, each first moved into [low, high] (``None``: left as it is).

    Replacing a record moves it by at most ``(high - low) / n``; with a bound missing, by any amount.

    Examples
    --------
    >>> Mean(0.0, 1.0)([0.5, 7.0]), Mean()([0.5, 7.0])
    (0.75, 3.75)
    """

    low: float | None = None
    high: float | None = None

    def __call__(self, dataset: Any) -> float:
        """The mean of ``dataset``, an array of shape (n,), n at least 1."""
        records = np.asarray(dataset, dtype=float)
        if records.size == 0:
            raise InvalidArgument("dataset must hold at least 1 record for a mean, got none")
        if self.low is not None or self.high is not None:
            records = np.clip(records, self.low, self.high)
        return float(records.mean())


def most_frequent(dataset: Any) -> int:
    """The value 0, 1, 2, ... held by most records; the smallest of those that tie, 0 for no records.

    Examples
    --------
    >>> most_frequent([1, 1, 0]), most_frequent([0, 1]), most_frequent([])
    (1, 0, 0)
    """
    records = np.asarray(dataset, dtype=np.int64).ravel()
    return int(np.argmax(np.bincount(records))) if records.size else 0
