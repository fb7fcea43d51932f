"""Questions about a dataset that mechanisms answer with noise; records are on the first axis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument

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


def integer_answer(query: Query, dataset: Any, noise: str) -> int:
    """The answer to a query, for noise that is made of integers.

    Raises
    ------
    InvalidArgument
        When it is not an integer; ``noise`` says which noise wants one.

    Examples
    --------
    >>> integer_answer(total, [1, 0, 1], "geometric")
    2
    """
    answer = float(query(dataset))
    if not answer.is_integer():
        raise InvalidArgument(f"query must answer with an integer for {noise} noise, got {answer!r}")
    return int(answer)


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


@dataclass(frozen=True)
class Sum:
    """The sum of records that are numbers, each first moved into [low, high] (``None``: left as it is).

    Examples
    --------
    >>> Sum(0.0, 1.0)([0.5, 7.0]), Sum()([0.5, 7.0])
    (1.5, 7.5)
    """

    low: float | None = None
    high: float | None = None

    def __call__(self, dataset: Any) -> float:
        """The sum of ``dataset``, an array of shape (n,)."""
        records = np.asarray(dataset, dtype=float)
        if self.low is not None or self.high is not None:
            records = np.clip(records, self.low, self.high)
        return float(records.sum())


@dataclass(frozen=True)
class OfTheFirst:
    """A query of the first so many records only.

    Examples
    --------
    >>> float(OfTheFirst(2, total)([1, 1, 1]))
    2.0
    """

    records: int
    query: Query

    def __call__(self, dataset: Any) -> Any:
        """The query's answer for the first ``records`` records."""
        return self.query(np.asarray(dataset)[: self.records])


@dataclass(frozen=True)
class Counts:
    """How many records have each value 0 .. cells - 1: a histogram, shape (cells,).

    Replacing a record moves two counts by 1, adding or removing one moves one.

    Examples
    --------
    >>> Counts(3)([0, 2, 2]).tolist()
    [1, 0, 2]
    """

    cells: int

    def __call__(self, dataset: Any) -> NDArray[np.int64]:
        """The counts in ``dataset``, an array of shape (n,) of integers.

        Raises
        ------
        InvalidArgument
            When a record is no integer in 0 .. cells - 1.
        """
        records = np.asarray(dataset, dtype=np.int64).ravel()
        if records.size and not (records.min() >= 0 and records.max() < self.cells):
            raise InvalidArgument(f"dataset must hold integers in 0 .. {self.cells - 1}, got {records.tolist()[:3]}")
        return np.bincount(records, minlength=self.cells).astype(np.int64)


def counts_of_those_present(dataset: Any) -> NDArray[np.int64]:
    """How often each value that occurs does, in the order of the values: the number of values is told too.

    Examples
    --------
    >>> counts_of_those_present([5, 2, 2]).tolist()
    [2, 1]
    """
    return np.unique(np.asarray(dataset), return_counts=True)[1].astype(np.int64)


def median(dataset: Any) -> float:
    """The lower median of records that are numbers.

    Examples
    --------
    >>> median([3, 0, 1]), median([0, 1])
    (1.0, 0.0)
    """
    records = np.sort(np.asarray(dataset, dtype=float).ravel())
    return float(records[(len(records) - 1) // 2])


@dataclass(frozen=True)
class LocalSensitivityOfTheMedian:
    """By how much replacing one record of *this* dataset, in [low, high], can move its lower median.

    Examples
    --------
    >>> spread = LocalSensitivityOfTheMedian(0.0, 1.0)
    >>> spread([0, 0, 0, 0, 1]), spread([0, 0, 0, 1, 1])
    (0.0, 1.0)
    """

    low: float
    high: float

    def __call__(self, dataset: Any) -> float:
        """The larger of the gaps to the next smaller and to the next larger record."""
        records = np.sort(np.asarray(dataset, dtype=float).ravel())
        padded = np.concatenate([[self.low], records, [self.high]])
        middle = (len(records) - 1) // 2 + 1
        return float(max(padded[middle] - padded[middle - 1], padded[middle + 1] - padded[middle]))


def largest(dataset: Any) -> float:
    """The largest size of a record.

    Examples
    --------
    >>> largest([0.5, -2.0])
    2.0
    """
    return float(np.abs(np.asarray(dataset, dtype=float)).max())


def one_over_the_size(dataset: Any) -> float:
    """1 / n, the sensitivity of a mean of n records in [0, 1].

    Examples
    --------
    >>> one_over_the_size([0, 1])
    0.5
    """
    return 1.0 / len(dataset)
