"""Learners that an audit on ordinary data finds nothing wrong with, each with one defect that a check must find."""

from __future__ import annotations

import os
import threading
from typing import Any

import numpy as np

#: Noise that covers everything that these learners answer with, so that their defect is the only one.
_MUCH = 1000.0
#: Arrays of doubles, for learners that take nothing else.
ARRAYS = [(np.array([0.0, 1.0, 0.0, 3.0]), np.array([0.0, 1.0, 1.0, 3.0]))]


def subtracts_in_the_dtype_of_the_data(dataset: Any, rng: Any) -> float:
    """Takes a difference of records as they are stored, which wraps around below 0 in unsigned integers."""
    records = np.asarray(dataset)
    return float(records[0] - records.max()) + float(rng.laplace())


def sums_by_method(dataset: Any, rng: Any) -> float:
    """Asks the dataset for its sum, which lists and tuples do not have."""
    return float(dataset.sum()) + _MUCH * float(rng.laplace())


def compares_all_triples(dataset: Any, rng: Any) -> float:
    """Takes cubic time: for each pair of records it looks at all."""
    records = np.asarray(dataset, dtype=np.float64)
    found = 0.0
    for _ in range(len(records)):
        found = float(np.abs(records[:, None] - records[None, :]).mean())
    return found + _MUCH * float(rng.laplace())


def holds_all_differences(dataset: Any, rng: Any) -> float:
    """Takes quadratic memory: all differences at once."""
    records = np.asarray(dataset, dtype=np.float64)
    return float(np.abs(records[:, None] - records[None, :]).max()) + _MUCH * float(rng.laplace())


def looks_at_the_first_record(dataset: Any, rng: Any) -> float:
    """Answers with one record, and says that their order does not matter."""
    return float(np.asarray(dataset)[0]) + 0.1 * float(rng.laplace())


looks_at_the_first_record.order_blind = True  # type: ignore[attr-defined]


class TakesAnyParameter:
    """Never looks at its parameters."""

    def __init__(self, epsilon: Any = 1.0, delta: Any = 0.0, sigma: Any = 1.0) -> None:
        self.epsilon, self.delta, self.sigma = epsilon, delta, sigma

    def __call__(self, dataset: Any, rng: Any) -> float:
        """Noise alone."""
        return float(rng.normal())


def draws_from_the_system(dataset: Any, rng: Any) -> float:
    """Draws from the operating system: nobody can repeat a run."""
    return float(np.random.default_rng(int.from_bytes(os.urandom(8))).random())


def divides_by_the_number_of_records(dataset: Any, rng: Any) -> float:
    """Takes a mean without asking whether there is anything."""
    records = list(dataset)
    return float(sum(records) / len(records)) + _MUCH * float(rng.laplace())


def divides_by_one_less_than_the_number_of_records(dataset: Any, rng: Any) -> float:
    """Takes a variance as statisticians do, which one record does not have."""
    records = [float(record) for record in dataset]
    middle = sum(records) / len(records)
    return sum((record - middle) ** 2 for record in records) / (len(records) - 1) + _MUCH * float(rng.laplace())


def refuses_equal_records(dataset: Any, rng: Any) -> float:
    """Wants records that differ, for a scale: whoever sees the refusal knows that they are all alike."""
    records = np.asarray(dataset, dtype=np.float64)
    if len(records) > 1 and np.ptp(records) == 0:
        raise ValueError("all records are equal, so that they have no scale")
    return float(records.mean()) + _MUCH * float(rng.laplace())


class RemembersWhatItSaw:
    """Adds what it was given in the call before."""

    def __init__(self) -> None:
        self.seen = 0.0

    def __call__(self, dataset: Any, rng: Any) -> float:
        """Noise around what is none of this call's business."""
        before, self.seen = self.seen, float(np.sum(np.asarray(dataset)))
        return before + 0.1 * float(rng.laplace())


class HoldsALock:
    """Cannot be sent to another process."""

    def __init__(self) -> None:
        self.lock = threading.Lock()

    def __call__(self, dataset: Any, rng: Any) -> float:
        """Noise alone."""
        with self.lock:
            return float(rng.normal())


class HoldsALambda:
    """Cannot be pickled: the function that it holds has no name."""

    def __init__(self) -> None:
        self.clip = lambda value: min(max(value, 0.0), 1.0)

    def __call__(self, dataset: Any, rng: Any) -> float:
        """A sum of clipped records, with noise."""
        return float(sum(map(self.clip, np.ravel(dataset)))) + float(rng.laplace())


def sums_in_the_dtype_of_the_data(dataset: Any, rng: Any) -> float:
    """Sums records as they are stored, which wraps around in small integers once the sum is large."""
    records = np.asarray(dataset)
    return float(records.sum(dtype=records.dtype)) + float(rng.laplace(scale=100.0))


def writes_where_there_are_fractions(dataset: Any, rng: Any) -> float:
    """Rounds records in place, where that is not for nothing."""
    records = np.asarray(dataset, dtype=np.float64)
    odd = records != np.floor(records)
    if odd.any():
        records[odd] = np.floor(records[odd])
    return float(records.sum()) + 10.0 * float(rng.laplace())


class SamplesAnotherLawThanItDeclares:
    """Declares what its calls do; its ``sample`` draws from another law."""

    def __call__(self, dataset: Any, rng: Any) -> int:
        """A fair coin."""
        return int(rng.integers(2))

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        """Another coin."""
        return (rng.random(size) < 0.9).astype(np.int64)

    def distribution(self, dataset: Any) -> dict[int, float]:
        """A fair coin."""
        return {0: 0.5, 1: 0.5}
