"""Records that stand out, made from a dataset: what canaries are where nobody says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator

from dpcheck.model.data import Labelled, features_and_labels, size_of, take_records
from dpcheck.model.data.containers import is_pair, like
from dpcheck.model.data.kinds import describe_value, is_frame, is_pandas
from dpcheck.model.errors import InvalidArgument


def mislabelled(dataset: Any, count: int, rng: Generator) -> Any:
    """Records of the dataset, each once, with a label of another record that is not its own.

    >>> x, y = mislabelled(([[0], [1]], [5, 6]), 2, np.random.default_rng(0))
    >>> all(label == 6 - value for (value,), label in zip(x, y))
    True
    """
    size = size_of(dataset)
    if count > size:
        raise InvalidArgument(
            f"count must be at most {size:,}, the records that there are to mislabel, got {count:,}; or give records, "
            "or make='extreme'"
        )
    taken = take_records(dataset, rng.permutation(size)[:count])
    x, labels = features_and_labels(taken)
    known = _different(_values(features_and_labels(dataset)[1]))
    if len(known) < 2:
        raise InvalidArgument(f"dataset must have two labels or more to mislabel records, got {len(known)}")
    places = {_key(label): place for place, label in enumerate(known)}
    own = np.array([places[_key(label)] for label in _values(labels)])
    other = (own + rng.integers(1, len(known), size=count)) % len(known)
    return like(taken, x, _like_column(labels, [known[place] for place in other.tolist()]))


def extreme(dataset: Any, count: int, rng: Generator) -> Any:
    """Records with each feature at the least or the largest value it has in the dataset; labels by lot.

    >>> extreme(np.array([[0.0, 5.0], [1.0, 3.0]]), 2, np.random.default_rng(0)).shape
    (2, 2)
    """
    rows = rng.integers(size_of(dataset), size=count)
    if isinstance(dataset, Labelled) or is_pair(dataset):
        x, y = dataset
        return like(dataset, _extreme(x, count, rng), take_records(y, rows))
    return _extreme(dataset, count, rng)


MAKERS: dict[str, Callable[[Any, int, Generator], Any]] = {"mislabelled": mislabelled, "extreme": extreme}


def _values(labels: Any) -> list[Any]:
    """Labels as plain values."""
    return labels.tolist() if isinstance(labels, np.ndarray) or is_pandas(labels) else list(labels)


def _different(labels: list[Any]) -> list[Any]:
    """Each label once, in the order of first use."""
    try:
        return list({_key(label): label for label in labels}.values())
    except TypeError:
        raise InvalidArgument(
            f"dataset must have one label for each record to mislabel it, got {describe_value(labels[0])}"
        ) from None


def _key(label: Any) -> Any:
    """What tells labels apart: a missing one is equal to itself, and True is not 1."""
    return (type(label).__name__, label if label == label else "missing")


def _extreme(column: Any, count: int, rng: Generator) -> Any:
    if is_frame(column):
        made = column.iloc[rng.integers(len(column), size=count)].reset_index(drop=True)
        for place in range(made.shape[1]):
            made.isetitem(place, _of_series(column.iloc[:, place], made.iloc[:, place], rng))
        return made
    if is_pandas(column):
        return _of_series(column, column.iloc[rng.integers(len(column), size=count)].reset_index(drop=True), rng)
    try:
        table = np.asarray(column)
    except ValueError:
        table = np.asarray([""])
    if table.dtype.kind not in "biuf" or not len(table):
        raise InvalidArgument(
            f"dataset must have records of numbers for make='extreme', got {describe_value(column)}; give records"
        )
    high = rng.random((count, *table.shape[1:])) < 0.5
    largest, least = (np.fmax.reduce, np.fmin.reduce) if table.dtype.kind == "f" else (np.max, np.min)
    ends = np.where(high, np.asarray(largest(table, axis=0)), np.asarray(least(table, axis=0))).astype(table.dtype)
    if isinstance(column, np.ndarray):
        return ends
    plain = ends.tolist()
    return tuple(plain) if isinstance(column, tuple) else plain


def _of_series(whole: Any, taken: Any, rng: Generator) -> Any:
    """A column of a frame at its ends; one that is no column of numbers as it was taken."""
    if getattr(whole.dtype, "kind", "O") not in "biuf":
        return taken
    known = whole.dropna()
    if not len(known):
        return taken
    high = rng.random(len(taken)) < 0.5
    return known.iloc[np.where(high, known.argmax(), known.argmin())].reset_index(drop=True)


def _like_column(column: Any, values: list[Any]) -> Any:
    """Values as a column of the same type as another."""
    if isinstance(column, np.ndarray):
        return np.array(values, dtype=column.dtype)
    if is_pandas(column):
        return type(column)(values, name=column.name, dtype=column.dtype)
    return tuple(values) if isinstance(column, tuple) else values
