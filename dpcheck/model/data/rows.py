"""Reading and changing single records of a dataset; the original is never altered."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np

from dpcheck.model.data.containers import Labelled, SemiPrivate, checked_pair, features_and_labels, is_pair, like
from dpcheck.model.data.equality import same_dataset
from dpcheck.model.data.kinds import describe_record, describe_value, is_column, is_frame, is_pandas, is_series
from dpcheck.model.errors import InvalidArgument

_WHAT_A_DATASET_IS = (
    "an array, list or DataFrame of records, an (X, y) pair of equal length, Labelled(x, y) or "
    "SemiPrivate(private, public)"
)


def size_of(dataset: Any) -> int:
    """The number of records (of the private part, for :class:`SemiPrivate`).

    Raises
    ------
    InvalidArgument
        When it is no dataset.

    Examples
    --------
    >>> size_of([3, 1, 4]), size_of((np.zeros((5, 2)), np.zeros(5)))
    (3, 5)
    """
    if isinstance(dataset, SemiPrivate):
        return size_of(dataset.private)
    if isinstance(dataset, Labelled):
        return checked_pair(dataset.x, dataset.y)
    if is_pair(dataset):
        return checked_pair(*dataset)
    if is_column(dataset):
        return len(dataset)
    if isinstance(dataset, tuple) and not any(map(is_column, dataset)):
        return len(dataset)
    raise InvalidArgument(f"dataset must be {_WHAT_A_DATASET_IS}, got {describe_value(dataset)}")


def record_at(dataset: Any, row: int) -> Any:
    """The record in that row: a value, an array row, a tuple of a DataFrame's values, or ``(x, label)``.

    Raises
    ------
    InvalidArgument
        When there is no such row, or it is no dataset.

    Examples
    --------
    >>> record_at(([[0.5], [0.7]], [0, 1]), 1)
    ([0.7], 1)
    """
    _checked_row(dataset, row)
    if isinstance(dataset, SemiPrivate):
        return record_at(dataset.private, row)
    if isinstance(dataset, Labelled):
        return _value_at(dataset.x, row), _value_at(dataset.y, row)
    if is_pair(dataset):
        return _value_at(dataset[0], row), _value_at(dataset[1], row)
    return _value_at(dataset, row)


def _checked_row(dataset: Any, row: int) -> None:
    size = size_of(dataset)
    if not 0 <= row < size:
        raise InvalidArgument(f"row must be between 0 and {size - 1}, got {row!r} for a dataset of {size} records")


def _value_at(column: Any, row: int) -> Any:
    if is_frame(column):
        return tuple(column.iloc[row, j] for j in range(column.shape[1]))
    if is_series(column):
        return column.iloc[row]
    value = column[row]
    return value.copy() if isinstance(value, np.ndarray) else value


def replace_record(dataset: Any, row: int, record: Any) -> Any:
    """A new dataset, of the same type, with the record in that row replaced.

    Raises
    ------
    InvalidArgument
        When there is no such row, or the record does not fit (another shape, or not storable in the array).

    Examples
    --------
    >>> replace_record([1, 2, 3], 1, 9)
    [1, 9, 3]
    >>> replace_record(([[0.5], [0.7]], [0, 1]), 0, ([0.1], 1))
    ([[0.1], [0.7]], [1, 1])
    """
    _checked_row(dataset, row)
    if isinstance(dataset, SemiPrivate):
        return SemiPrivate(replace_record(dataset.private, row, record), dataset.public)
    if isinstance(dataset, Labelled) or is_pair(dataset):
        if not isinstance(record, tuple) or len(record) != 2:
            raise InvalidArgument(
                f"record must be a pair (x, label) for a labelled dataset, got {describe_value(record)}"
            )
        x, y = dataset
        return like(dataset, _column_with(x, row, record[0]), _column_with(y, row, record[1]))
    return _column_with(dataset, row, record)


def replace_label(dataset: Any, row: int, label: Any) -> Any:
    """A new labelled dataset with the label in that row replaced.

    Raises
    ------
    InvalidArgument
        When the dataset has no labels or no such row.

    Examples
    --------
    >>> replace_label(([[0.5], [0.7]], [0, 1]), 0, 1)
    ([[0.5], [0.7]], [1, 1])
    """
    x, y = features_and_labels(dataset)
    _checked_row(dataset, row)
    if isinstance(dataset, SemiPrivate):
        return SemiPrivate(replace_label(dataset.private, row, label), dataset.public)
    return like(dataset, x, _column_with(y, row, label))


def _column_with(column: Any, row: int, value: Any) -> Any:
    if isinstance(column, np.ndarray):
        return _array_with(column, row, value)
    if is_frame(column):
        return _frame_with(column, row, value)
    if is_series(column):
        series = column.copy()
        series.iloc[row] = value
        return series
    changed = list(column)
    changed[row] = value
    return tuple(changed) if isinstance(column, tuple) else changed


def _array_with(column: np.ndarray[Any, Any], row: int, value: Any) -> np.ndarray[Any, Any]:
    new = np.asarray(value)
    if column.dtype != object and new.shape != column.shape[1:]:
        raise InvalidArgument(
            f"record must have the shape {column.shape[1:]} of the dataset's records, got {new.shape}"
        )
    if column.dtype.kind in "US" and new.dtype.kind == column.dtype.kind:
        # Text wider than the column would be cut off in silence.
        changed = column.astype(np.promote_types(column.dtype, new.dtype))
    else:
        changed = column.copy()
    try:
        changed[row] = value
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidArgument(f"record must fit an array of {column.dtype}, got {describe_record(value)}") from error
    # Rounding to a shorter float is what storing means; a changed integer or text is another record.
    if column.dtype.kind not in "fcO" and not same_dataset(np.asarray(changed[row]), new):
        raise InvalidArgument(
            f"record must fit an array of {column.dtype}, got {describe_record(value)}, which would become "
            f"{describe_record(changed[row])}"
        )
    return changed


def _frame_with(frame: Any, row: int, record: Any) -> Any:
    values = tuple(record)
    if len(values) != frame.shape[1]:
        raise InvalidArgument(f"record must have {frame.shape[1]} values, one per column, got {len(values)}")
    changed = frame.copy()
    for j, value in enumerate(values):
        column = changed.iloc[:, j].copy()
        kind, trouble = column.dtype, None
        try:
            with warnings.catch_warnings():  # before pandas 3 a column became one of another kind, with a warning
                warnings.simplefilter("ignore", FutureWarning)
                column.iloc[row] = value
        except (TypeError, ValueError) as error:
            trouble = error
        if trouble is not None or column.dtype != kind:
            raise InvalidArgument(f"record must fit column {frame.columns[j]!r} of {kind}, got {value!r}") from trouble
        changed.isetitem(j, column)
    return changed


def remove_record(dataset: Any, row: int) -> Any:
    """A new dataset, of the same type, without the record in that row.

    Raises
    ------
    InvalidArgument
        When there is no such row, or it is no dataset.

    Examples
    --------
    >>> remove_record([1, 2, 3], 1)
    [1, 3]
    """
    _checked_row(dataset, row)
    if isinstance(dataset, SemiPrivate):
        return SemiPrivate(remove_record(dataset.private, row), dataset.public)
    if isinstance(dataset, Labelled) or is_pair(dataset):
        x, y = dataset
        return like(dataset, _column_without(x, row), _column_without(y, row))
    return _column_without(dataset, row)


def append_record(dataset: Any, record: Any) -> Any:
    """A new dataset, of the same type, with a record more at its end.

    Raises
    ------
    InvalidArgument
        When the record does not fit, or it is no dataset.

    Examples
    --------
    >>> append_record(([[0.5]], [0]), ([0.7], 1))
    ([[0.5], [0.7]], [0, 1])
    """
    size = size_of(dataset)
    if isinstance(dataset, SemiPrivate):
        return SemiPrivate(append_record(dataset.private, record), dataset.public)
    if isinstance(dataset, Labelled) or is_pair(dataset):
        x, y = dataset
        return replace_record(like(dataset, _column_longer(x), _column_longer(y)), size, record)
    return replace_record(_column_longer(dataset), size, record)


def _column_longer(column: Any) -> Any:
    if isinstance(column, np.ndarray):
        blank = np.zeros((1, *column.shape[1:]), dtype=column.dtype)
        return np.concatenate([column, column[-1:] if len(column) else blank])
    if is_pandas(column):
        pandas = sys.modules["pandas"]
        # A fresh index label: a repeated one would tell a learner which row was added.
        extra = column.iloc[-1:]
        numbered = isinstance(column.index, pandas.RangeIndex)
        longer = pandas.concat([column, extra], ignore_index=numbered)
        return longer
    return (*column, None) if isinstance(column, tuple) else [*column, None]


def _column_without(column: Any, row: int) -> Any:
    if isinstance(column, np.ndarray):
        return np.delete(column, row, axis=0)
    if is_pandas(column):
        keep = np.arange(len(column)) != row
        return column.iloc[keep]
    return column[:row] + column[row + 1 :]
