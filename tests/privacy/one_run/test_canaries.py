"""Canaries in data of every form: who is in is who was drawn to be, and nothing else changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpcheck import Canaries, InvalidArgument, Labelled, SemiPrivate, canaries
from dpcheck.model.data import record_at, same_dataset, same_record, size_of, take_records

SIZE, COUNT = 60, 40
X = np.arange(2.0 * SIZE).reshape(SIZE, 2)
Y = np.arange(SIZE) % 3
FRAME = pd.DataFrame({"age": np.arange(SIZE), "height": X[:, 0]})

DATASETS: dict[str, Any] = {
    "array": X,
    "list": X.tolist(),
    "tuple of numbers": tuple(range(SIZE)),
    "frame": FRAME,
    "pair": (X, Y),
    "pair of lists": (X.tolist(), Y.tolist()),
    "labelled": Labelled(X, Y),
    "frame and series": (FRAME, pd.Series(Y, name="label")),
    "texts": (X, np.array(["a", "b", "c"])[Y]),
    "semi-private": SemiPrivate((X, Y), (X[:3], Y[:3])),
}
WITH_LABELS = ("pair", "pair of lists", "labelled", "frame and series", "texts", "semi-private")


@pytest.mark.parametrize("neighbours", ["add-remove", "replace-one"])
@pytest.mark.parametrize("form", DATASETS)
def test_who_is_in_is_in_the_data(form: str, neighbours: str) -> None:
    dataset = DATASETS[form]
    planted = canaries(dataset, COUNT, "extreme", neighbours=neighbours, seed=5)
    assert type(planted.dataset) is type(dataset)
    assert size_of(planted.records) == COUNT
    inside = int(planted.included.sum())
    assert 0 < inside < COUNT
    assert size_of(planted.dataset) == SIZE + (inside if neighbours == "add-remove" else 0)
    assert same_dataset(canaries(dataset, COUNT, "extreme", neighbours=neighbours, seed=5).dataset, planted.dataset)
    if neighbours == "add-remove":
        assert same_dataset(take_records(planted.dataset, np.arange(SIZE)), dataset)
        for place, row in enumerate(np.flatnonzero(planted.included)):
            assert same_record(record_at(planted.dataset, SIZE + place), record_at(planted.records, int(row)))
    else:
        changed = [
            row for row in range(SIZE) if not same_record(record_at(planted.dataset, row), record_at(dataset, row))
        ]
        assert len(changed) <= inside


@pytest.mark.parametrize("form", WITH_LABELS)
def test_mislabelled_records_have_another_label(form: str) -> None:
    planted = canaries(DATASETS[form], COUNT, "mislabelled", seed=2)
    own = {tuple(np.ravel(record_at((X, Y), row)[0])): row for row in range(SIZE)}
    for place in range(COUNT):
        x, label = record_at(planted.records, place)
        kept = DATASETS[form].private if form == "semi-private" else DATASETS[form]
        row = next(row for row in range(SIZE) if same_record(record_at(kept, row)[0], x))
        assert record_at(kept, row)[1] != label
    assert own


def test_what_pandas_numbers_is_numbered_anew_and_alike() -> None:
    letters = [chr(97 + place) for place in range(12)]
    frame = pd.DataFrame(np.arange(24.0).reshape(12, 2), columns=["a", "b"], index=letters)
    label = pd.Series(np.arange(12) % 3, name="label", index=letters)
    for neighbours in ("add-remove", "replace-one"):
        planted = canaries((frame, label), 6, neighbours=neighbours, seed=1)
        for x, y in (planted.dataset, planted.records):
            assert x.index.equals(pd.RangeIndex(len(x)))
            assert y.index.equals(x.index)
    assert frame.index.tolist() == letters


def test_missing_values_are_passed_over_by_extremes() -> None:
    table = np.array([[1.0, np.nan], [2.0, 3.0], [5.0, 4.0]])
    assert set(canaries(table, 50, "extreme").records.ravel().tolist()) == {1.0, 5.0, 3.0, 4.0}
    frame = pd.DataFrame({"a": pd.array([1, None, 3], dtype="Int64"), "b": ["x", "y", "z"]})
    records = canaries(frame, 50, "extreme").records
    assert records.dtypes.equals(frame.dtypes)
    assert set(records["a"].tolist()) == {1, 3}


def test_labels_of_several_kinds_stay_what_they_are() -> None:
    _, labels = canaries(([0, 1, 2, 3], [0, "a", None, True]), 4).records
    assert {type(label) for label in labels} <= {int, str, type(None), bool}
    again, missing = canaries((np.zeros((3, 1)), np.array([np.nan, np.nan, 1.0])), 3).records
    assert len(again) == len(missing) == 3


def test_copies_among_canaries_are_counted() -> None:
    assert canaries(np.arange(5.0), 4, np.array([1.0, 2.0, 1.0, 2.0])).different == 2
    assert canaries((X, Y), COUNT).different == COUNT


def test_coins_are_those_of_seed_and_run_and_records_those_of_the_seed() -> None:
    one, again, other = (canaries((X, Y), COUNT, seed=3, run=run) for run in (0, 0, 1))
    assert np.array_equal(one.included, again.included)
    assert not np.array_equal(one.included, other.included)
    assert same_dataset(one.records, other.records)
    assert "drawn by dpcheck from seed 3" in one.inclusion
    assert isinstance(one, Canaries)
    assert len(one) == COUNT


def test_coins_are_fair() -> None:
    """Null: a coin is in with probability 1/2, 20,000 of them; level 1e-9 (6.1 spreads of 71)."""
    count = sum(int(canaries([0], 100, list(range(100)), seed=seed).included.sum()) for seed in range(200))
    assert abs(count - 10_000) < 440


def test_own_records_and_makers() -> None:
    given = canaries(X, 3, np.full((3, 2), 7.0))
    assert (given.records == 7.0).all()
    made = canaries(X, 3, lambda dataset, count, rng: rng.random((count, 2)))
    assert made.records.shape == (3, 2)


@pytest.mark.parametrize(
    ("dataset", "count", "make", "words"),
    [
        (X, 1, "extreme", "count must be a number of canaries of at least 2, got 1"),
        (X, 2.5, "extreme", "count must be a number of canaries of at least 2, got 2.5"),
        (X, 5, "mislabelled", "make must be other than 'mislabelled' where the dataset has no labels"),
        (X, 5, "mislabeled", "did you mean 'mislabelled'?"),
        ((X, np.zeros(SIZE)), 5, "mislabelled", "dataset must have two labels or more"),
        ((X, Y), 61, "mislabelled", "count must be at most 60, the records that there are to mislabel, got 61"),
        ((X, np.eye(SIZE)), 5, "mislabelled", "dataset must have one label for each record"),
        ([], 5, "extreme", "dataset must have records for make='extreme', got none"),
        (([[1, 2], [3]], [0, 1]), 2, "extreme", "dataset must have records of numbers"),
        (["a", "b"], 2, "extreme", "dataset must have records of numbers for make='extreme'"),
        (X, 5, X[:4], "make must give 5 records, got 4"),
        (X, 2, np.zeros((2, 3)), "records must have the shape (2,)"),
        (np.arange(9), 2, np.array([0.5, 1.5]), "records must fit an array of int64"),
        ((X, Y), 2, np.zeros((2, 2)), "records must be a pair (x, y)"),
        (FRAME, 2, pd.DataFrame({"age": [1, 2]}), "records must be a DataFrame with the dataset's columns"),
        (3, 2, "extreme", "dataset must be"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_line(dataset: Any, count: Any, make: Any, words: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        canaries(dataset, count, make)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["seed", "run"])
@pytest.mark.parametrize("value", [-1, 0.5, None, True])
def test_seeds_are_whole_numbers(name: str, value: Any) -> None:
    given: dict[str, Any] = {name: value}
    with pytest.raises(InvalidArgument, match=f"{name} must be a whole number of at least 0"):
        canaries(X, 5, "extreme", **given)


def test_more_to_replace_than_there_is() -> None:
    with pytest.raises(InvalidArgument, match="count must be at most 60, the records to be replaced, got 61"):
        canaries(X, 61, "extreme", neighbours="replace-one")
