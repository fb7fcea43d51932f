"""Records that stand out, made from a dataset: what canaries are where nobody says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator

from dpcheck.model.data import Labelled, features_and_labels, is_labelled, size_of, take_records
from dpcheck.model.data.containers import is_pair, like
from dpcheck.model.data.kinds import describe_value, is_frame, is_pandas
from dpcheck.model.errors import InvalidArgument


def mislabelled(dataset: Any, count: int, rng: Generator) -> Any:
    """Records of the dataset, each with a label of another record that is not its own.

    >>> x, y = mislabelled(([[0], [1]], [5, 6]), 3, np.random.default_rng(0))
    >>> all(label == 6 - value for (value,), label in zip(x, y))
    True
    """
    taken = take_records(dataset, rng.integers(size_of(dataset), size=count))
    x, labels = features_and_labels(taken)
    known = np.unique(np.asarray(features_and_labels(dataset)[1]))
    if len(known) < 2:
        raise InvalidArgument(f"dataset must have two labels or more to mislabel records, got {len(known)}")
    own = np.searchsorted(known, np.asarray(labels))
    other = (own + rng.integers(1, len(known), size=count)) % len(known)
    return like(taken, x, _like_column(labels, known[other]))


def extreme(dataset: Any, count: int, rng: Generator) -> Any:
    """Records with each feature at the least or the largest value it has in the dataset; labels by lot.

    >>> extreme(np.array([[0.0, 5.0], [1.0, 3.0]]), 2, np.random.default_rng(0)).shape
    (2, 2)
    """
    rows = rng.integers(size_of(dataset), size=count)
    if isinstance(dataset, Labelled) or is_pair(dataset):
        x, y = dataset
        labels = take_records(y, rows) if is_labelled(dataset) else y
        return like(dataset, _extreme(x, count, rng), labels)
    return _extreme(dataset, count, rng)


MAKERS: dict[str, Callable[[Any, int, Generator], Any]] = {"mislabelled": mislabelled, "extreme": extreme}


def _extreme(column: Any, count: int, rng: Generator) -> Any:
    if is_frame(column):
        made = column.iloc[rng.integers(len(column), size=count)].reset_index(drop=True)
        for place in range(made.shape[1]):
            made.isetitem(place, _of_series(column.iloc[:, place], made.iloc[:, place], rng))
        return made
    table = np.asarray(column)
    if table.dtype.kind not in "biuf" or not len(table):
        raise InvalidArgument(
            f"dataset must have records of numbers for make='extreme', got {describe_value(column)}; give records"
        )
    high = rng.random((count, *table.shape[1:])) < 0.5
    return _like_column(column, np.where(high, table.max(axis=0), table.min(axis=0)).astype(table.dtype))


def _of_series(whole: Any, taken: Any, rng: Generator) -> Any:
    """A column of a frame at its ends; one that is no column of numbers as it was taken."""
    values = np.asarray(whole)
    if values.dtype.kind not in "biuf":
        return taken
    return np.where(rng.random(len(taken)) < 0.5, values.max(), values.min()).astype(values.dtype)


def _like_column(column: Any, values: np.ndarray[Any, Any]) -> Any:
    """Values as a column of the same type as another."""
    if isinstance(column, np.ndarray):
        return values.astype(column.dtype) if column.dtype != object else values.astype(object)
    if is_pandas(column):
        return type(column)(values, name=column.name).astype(column.dtype)
    plain = values.tolist()
    return tuple(plain) if isinstance(column, tuple) else plain
