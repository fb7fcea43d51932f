"""What a learner does to its dataset is done to a copy, or noticed."""

from __future__ import annotations

import collections
import datetime
import enum
import functools
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

import dpcheck
from dpcheck.model.data import Labelled, copy_dataset, same_dataset
from dpcheck.model.data.shared import shared_parts, state_of


class Record:
    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self.value == other.value

    __hash__ = None  # type: ignore[assignment]


class CopiesToItself(Record):
    def __deepcopy__(self, memo: Any) -> CopiesToItself:
        return self


class ReducesToItself(Record):
    def __reduce_ex__(self, protocol: Any) -> Any:
        return "THE_ONE"


class CopiesTheSurface(Record):
    def __deepcopy__(self, memo: Any) -> CopiesTheSurface:
        return CopiesTheSurface(self.value)


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __deepcopy__(self, memo: Any) -> Slotted:
        return self


class Colour(enum.Enum):
    RED = 1


THE_ONE = ReducesToItself(3)


def set_value(record: Any) -> None:
    record.value = 0


def set_first(record: Any) -> None:
    record.value[0] = 0


@pytest.mark.parametrize(
    ("make", "change"),
    [
        (lambda: CopiesToItself(3), set_value),
        (lambda: CopiesToItself([3]), set_first),
        (lambda: CopiesToItself(np.array([3.0])), set_first),
        (lambda: CopiesToItself({0: 3}), set_first),
        (lambda: CopiesToItself(collections.deque([3])), set_first),
        (lambda: CopiesToItself(bytearray(b"a")), set_first),
        (lambda: CopiesTheSurface([3]), set_first),
        (lambda: CopiesTheSurface(np.array([3.0, 4.0])), set_first),
        (lambda: CopiesTheSurface(pd.DataFrame({"a": [[1]]})), lambda record: record.value["a"].iloc[0].append(2)),
        (lambda: THE_ONE, set_value),
        (lambda: Slotted(3), set_value),
        (lambda: Slotted([[3]]), lambda record: record.value[0].append(4)),
    ],
)
@pytest.mark.parametrize("hold", [list, tuple, lambda one: {"a": one[0]}, lambda one: Labelled(one, [1])])
def test_a_change_of_what_is_shared_is_seen(
    make: Callable[[], Any], change: Callable[[Any], None], hold: Callable[[list[Any]], Any]
) -> None:
    record = make()
    THE_ONE.value = 3  # the only one there is
    dataset = hold([record])
    shared = shared_parts(copy_dataset(dataset), dataset)
    assert shared
    before = state_of(shared)
    assert not before.has_changed()
    change(record)
    assert before.has_changed()


@pytest.mark.parametrize(
    "dataset",
    [
        [1.0, 2.0],
        np.arange(6.0).reshape(3, 2),
        np.array([[1], [2]], dtype=object),
        [(Record([1]), "a")],
        [{"a": [1, {2}]}],
        Labelled(np.zeros((2, 1)), [0, 1]),
        pd.DataFrame({"a": [[1], [2]], "b": [1.0, 2.0], "c": ["x", "y"], "d": pd.Categorical(["u", "v"])}),
        pd.Series([[1], {2: 3}], name="a", index=[5, 6]),
        [datetime.date(2020, 1, 1), Decimal(3), (1, (2, 3)), len, int, np.float64(3.0), frozenset({1})],
    ],
)
def test_copies_of_common_data_share_nothing_that_can_change(dataset: Any) -> None:
    made = copy_dataset(dataset)
    assert same_dataset(made, dataset)
    assert shared_parts(made, dataset) == ()


def test_what_is_shared_and_stays_is_no_change() -> None:
    dataset = [Colour.RED, CopiesToItself([1.0, float("nan")])]
    shared = shared_parts(copy_dataset(dataset), dataset)
    assert not state_of(shared).has_changed()


def test_the_objects_in_columns_are_copied_as_they_are() -> None:
    frame = pd.DataFrame({"a": [[1], [2]], "b": ["x", None]}, index=[3, 4])
    made = copy_dataset(frame)
    pd.testing.assert_frame_equal(made, frame)
    made["a"].iloc[0].append(7)
    assert frame["a"].iloc[0] == [1]
    series = pd.Series([[1], [2]], name="s", index=[3, 4])
    copied = copy_dataset(series)
    pd.testing.assert_series_equal(copied, series)
    copied.iloc[0].append(7)
    assert series.iloc[0] == [1]


def writes_over(data: Any, rng: np.random.Generator) -> float:
    seen = float(data[0].value)
    data[0].value = 0.0
    return float(rng.laplace()) + 100 * seen


def reads(data: Any, rng: np.random.Generator) -> float:
    return float(rng.laplace()) + float(data[0].value)


def appends(data: Any, rng: np.random.Generator) -> float:
    seen = len(data["a"].iloc[0])
    data["a"].iloc[0][:] = [1, 1, 1]
    return float(rng.laplace()) + 100 * seen


@pytest.mark.turns(6)
@pytest.mark.parametrize("isolation", ["none", "process"])
def test_a_learner_that_writes_over_the_data_is_never_clean(isolation: str) -> None:
    few: dict[str, Any] = {"max_samples": 4_000, "detect": 4.0, "isolation": isolation}
    records = [CopiesToItself(0.0)], [CopiesToItself(1.0)]
    failed = dpcheck.audit(writes_over, 1.0, pairs=[records], **few)
    assert failed.status is dpcheck.Status.LEARNER_FAILED
    assert "changed dataset" in failed.failure
    assert "the very same CopiesToItself" in failed.failure
    records = [CopiesToItself(0.0)], [CopiesToItself(1.0)]
    assert dpcheck.audit(reads, 1.0, pairs=[records], **few).status is dpcheck.Status.NO_VIOLATION_FOUND
    frames = pd.DataFrame({"a": [[1], [1]]}), pd.DataFrame({"a": [[1, 1], [1]]})
    assert dpcheck.audit(appends, 1.0, pairs=[frames], **few).status is dpcheck.Status.VIOLATED
    assert frames[0]["a"].iloc[0] == [1]


class Lazy:
    """A record that works its value out when it is first asked, and is handed over as itself."""

    def __init__(self, given: float) -> None:
        self.given, self.kept = given, None

    def __deepcopy__(self, memo: Any) -> Lazy:
        return self

    @functools.cached_property
    def value(self) -> float:
        self.kept = 2.0 * self.given  # type: ignore[assignment]
        return self.given


def test_what_a_record_works_out_of_itself_and_keeps_is_no_change() -> None:
    record = Lazy(1.0)
    before = state_of((record,))
    assert record.value == 1.0
    assert not before.has_changed()
    record.given = 2.0
    assert before.has_changed()
    after = state_of((record,))
    record.kept = None
    assert after.has_changed()


@pytest.mark.turns(6)
@pytest.mark.parametrize("isolation", ["none", "process"])
def test_learners_of_records_that_keep_what_they_work_out_are_not_accused(isolation: str, seed: int) -> None:
    import sympy

    left, right = [sympy.Symbol("z") + 1, sympy.Symbol("w") + 1], [sympy.Symbol("w") + 1] * 2

    def counts(dataset: Any, rng: np.random.Generator) -> float:
        return float(sum(bool(value.is_positive) for value in dataset) + rng.laplace())

    def lazy(dataset: Any, rng: np.random.Generator) -> float:
        return float(sum(record.value for record in dataset) + rng.laplace())

    few: dict[str, Any] = {"max_samples": 300, "isolation": isolation, "seed": seed}
    assert dpcheck.audit(counts, 1.0, pairs=[(left, right)], **few).status is dpcheck.Status.INCONCLUSIVE
    if isolation == "process":  # what such a property keeps its lock in cannot be sent there
        return
    records = [Lazy(0.0), Lazy(1.0)], [Lazy(0.0), Lazy(0.5)]
    assert dpcheck.audit(lazy, 1.0, pairs=[records], **few).status is dpcheck.Status.INCONCLUSIVE
