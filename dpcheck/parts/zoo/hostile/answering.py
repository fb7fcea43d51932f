"""Learners whose answers are odd."""

from __future__ import annotations

import datetime
import math
import os
from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np


def answers_none(dataset: Any, rng: Any) -> None:
    """Answers None."""


def answers_nan(dataset: Any, rng: Any) -> float:
    """Answers NaN in half of the calls."""
    return math.nan if rng.random() < 0.5 else 1.0


def answers_infinity(dataset: Any, rng: Any) -> float:
    """Answers plus or minus infinity."""
    return math.inf if rng.random() < 0.5 else -math.inf


def answers_ragged(dataset: Any, rng: Any) -> list[list[int]]:
    """Answers lists of lists of any length."""
    return [[0] * int(rng.integers(4)) for _ in range(int(rng.integers(4)))]


def answers_huge_numbers(dataset: Any, rng: Any) -> int:
    """Answers integers of thousands of digits."""
    return int(10**5000 + int(rng.integers(10)))


def answers_huge_arrays(dataset: Any, rng: Any) -> Any:
    """Answers a megabyte."""
    return np.full(1 << 17, float(rng.random()))


def answers_deep_lists(dataset: Any, rng: Any) -> list[Any]:
    """Answers a list nested a hundred thousand deep."""
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    return deep


def answers_itself_in_a_list(dataset: Any, rng: Any) -> list[Any]:
    """Answers a list that contains itself."""
    circle: list[Any] = [1]
    circle.append(circle)
    return circle


def answers_a_generator(dataset: Any, rng: Any) -> Iterator[int]:
    """Answers a generator, which nobody can copy."""
    return (number for number in range(3))


def answers_a_function(dataset: Any, rng: Any) -> Any:
    """Answers a hypothesis as a closure."""
    threshold = float(rng.random())
    return lambda x: x > threshold


class Unpleasant:
    """Raises when compared, shown, hashed, copied or pickled; carries a number all the same."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, number: float) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("not comparable")

    def __repr__(self) -> str:
        raise RuntimeError("not showable")

    def __reduce__(self) -> NoReturn:
        raise RuntimeError("not picklable")

    def __bool__(self) -> bool:
        raise RuntimeError("neither true nor false")


class Explosive:
    """Ends the process that unpickles it."""

    def __reduce__(self) -> Any:
        return os._exit, (9,)


class RaisesWhenRead:
    """Can be pickled, but not unpickled."""

    def __reduce__(self) -> Any:
        return int, ("not a number",)


def answers_unpleasant_objects(dataset: Any, rng: Any) -> Unpleasant:
    """Answers objects all of whose special methods raise."""
    return Unpleasant(float(rng.integers(2)))


def answers_explosive_objects(dataset: Any, rng: Any) -> Explosive:
    """Answers objects that end the process that unpickles them."""
    return Explosive()


def answers_unreadable_objects(dataset: Any, rng: Any) -> RaisesWhenRead:
    """Answers objects that pickle and do not unpickle."""
    return RaisesWhenRead()


def answers_unhashable_values(dataset: Any, rng: Any) -> dict[str, list[float]]:
    """Answers dictionaries of lists."""
    return {"weights": [float(rng.random())]}


def answers_in_the_type_of_the_data(dataset: Any, rng: Any) -> Any:
    """Answers an integer or a float, depending on the data: a leak."""
    return 1 if dataset.sum() > 1 else 1.0


class ReusesItsBuffer:
    """Answers the same array each time, overwritten."""

    def __init__(self) -> None:
        self.buffer = np.zeros(3)

    def __call__(self, dataset: Any, rng: Any) -> Any:
        """Three uniform draws."""
        self.buffer[:] = rng.random(3)
        return self.buffer


class SameNumber:
    """Equal to every other of its number, and never the same object; shows its address."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameNumber) and other.number == self.number

    def __hash__(self) -> int:
        return hash(self.number)


def answers_equal_objects(dataset: Any, rng: Any) -> SameNumber:
    """Answers objects that are equal and not identical."""
    return SameNumber(int(rng.integers(2)))


def answers_sets(dataset: Any, rng: Any) -> set[str]:
    """Answers sets of strings, whose order differs from process to process."""
    return {str(number) for number in rng.integers(0, 9, 4)}


def answers_a_huge_string(dataset: Any, rng: Any) -> str:
    """Answers a megabyte of text with control characters."""
    return "\x00\x1b[31m" * (1 << 17) + str(int(rng.integers(2)))


def answers_complex_numbers(dataset: Any, rng: Any) -> complex:
    """Answers complex numbers."""
    return complex(rng.random(), rng.random())


def answers_dates(dataset: Any, rng: Any) -> datetime.date:
    """Answers dates."""
    return datetime.date(2000, 1, 1 + int(rng.integers(28)))


def answers_masked_arrays(dataset: Any, rng: Any) -> Any:
    """Answers arrays some of whose values are masked."""
    return np.ma.masked_less(rng.random(3), 0.5)


def answers_records(dataset: Any, rng: Any) -> Any:
    """Answers arrays of named fields."""
    return np.array([(int(rng.integers(2)), float(rng.random()))], dtype=[("index", "i4"), ("value", "f8")])


def answers_arrays_of_objects(dataset: Any, rng: Any) -> Any:
    """Answers arrays of anything."""
    return np.array([None, "text", float(rng.random())], dtype=object)


def answers_its_dataset(dataset: Any, rng: Any) -> Any:
    """Answers the very array it was given: a leak."""
    return dataset


def answers_a_view_of_its_dataset(dataset: Any, rng: Any) -> Any:
    """Answers a window on the array it was given: a leak."""
    return dataset[::-1]
