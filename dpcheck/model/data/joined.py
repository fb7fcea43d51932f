"""Two datasets as one: the records of the second after those of the first."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from dpcheck.model.data.containers import Labelled, SemiPrivate, is_pair, like
from dpcheck.model.data.kinds import describe_value, is_frame, is_pandas, is_series
from dpcheck.model.data.rows import size_of
from dpcheck.model.errors import InvalidArgument


def join_records(dataset: Any, others: Any) -> Any:
    """A new dataset, of the type of the first, with the records of the second at its end.

    Raises
    ------
    InvalidArgument
        When one is no dataset, or the records of the second do not fit beside those of the first.

    Examples
    --------
    >>> join_records([1, 2], (3,)), join_records(([[0.5]], [0]), ([[0.7]], [1]))
    ([1, 2, 3], ([[0.5], [0.7]], [0, 1]))
    >>> join_records(np.zeros((2, 3)), np.ones((1, 3))).shape
    (3, 3)
    """
    size_of(dataset)
    if isinstance(dataset, SemiPrivate):
        return SemiPrivate(join_records(dataset.private, others), dataset.public)
    if isinstance(dataset, Labelled) or is_pair(dataset):
        if not (isinstance(others, Labelled) or is_pair(others)):
            raise InvalidArgument(
                f"records must be a pair (x, y) of equal length, as the dataset is, got {describe_value(others)}"
            )
        size_of(others)
        (x, y), (more_x, more_y) = dataset, others
        return like(dataset, _column(x, more_x), _column(y, more_y))
    size_of(others)
    return _column(dataset, others)


def renumbered(dataset: Any) -> Any:
    """The same records; where pandas numbers them, from 0 on, features and labels alike.

    >>> renumbered([3, 1])
    [3, 1]
    """
    if isinstance(dataset, SemiPrivate):
        return SemiPrivate(renumbered(dataset.private), dataset.public)
    if isinstance(dataset, Labelled) or is_pair(dataset):
        x, y = dataset
        return like(dataset, renumbered(x), renumbered(y))
    return dataset.reset_index(drop=True) if is_pandas(dataset) else dataset


def _column(column: Any, more: Any) -> Any:
    if isinstance(column, np.ndarray):
        return _array(column, more)
    if is_pandas(column):
        return _pandas(column, more)
    joined = [*column, *more]
    return tuple(joined) if isinstance(column, tuple) else joined


def _array(column: np.ndarray[Any, Any], more: Any) -> Any:
    added = np.asarray(more)
    if column.dtype != object and added.shape[1:] != column.shape[1:]:
        raise InvalidArgument(
            f"records must have the shape {column.shape[1:]} of the dataset's records, got {added.shape[1:]}"
        )
    kind = column.dtype
    if kind.kind in "US" and added.dtype.kind == kind.kind:
        kind = np.promote_types(kind, added.dtype)  # text wider than the column would be cut off in silence
    try:
        fits = np.asarray(added, dtype=kind)
    except (TypeError, ValueError, OverflowError):
        fits = None
    # Rounding to a shorter float is what storing means; a changed integer or text is another record.
    if fits is None or (kind.kind not in "fcO" and not np.array_equal(fits, added)):
        raise InvalidArgument(f"records must fit an array of {column.dtype}, got {describe_value(added)}")
    if fits.shape[1:] != column.shape[1:]:
        raise InvalidArgument(
            f"records must have the shape {column.shape[1:]} of the dataset's records, got {fits.shape[1:]}"
        )
    return np.concatenate([column.astype(kind, copy=False), fits])


def _pandas(column: Any, more: Any) -> Any:
    pandas = sys.modules["pandas"]
    if is_frame(column):
        if not is_frame(more) or list(more.columns) != list(column.columns):
            raise InvalidArgument(f"records must be a DataFrame with the dataset's columns, got {describe_value(more)}")
        kinds = column.dtypes
    else:
        more = more if is_series(more) else pandas.Series(more, name=column.name)
        kinds = column.dtype
    numbered = isinstance(column.index, pandas.RangeIndex)
    try:
        return pandas.concat([column, more.astype(kinds)], ignore_index=numbered)
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"records must fit the dataset's columns: {error}") from None
