"""What a dataset is: whatever the learner takes, seen as a sequence of records.

Datasets are arrays, lists and tuples of records, pandas DataFrames (pandas itself is never imported here),
pairs ``(X, y)`` of equal length, :class:`Labelled` and :class:`SemiPrivate`. The functions that change a
record want one of these; copying, comparing, describing and digesting work for anything, because given pairs
may hold anything.
"""

from __future__ import annotations

import copy
import hashlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcheck.errors import InvalidArgument

# Values that cannot change: a list of these is copied by copying the list.
_ATOMS = frozenset({int, float, str, bool, complex, bytes, type(None)})
# A record or dataset is shown whole up to this many values; beyond it, the first few and the last: a line
# must stay a line.
_SHOWN_VALUES = 6
_SHOWN_AT_START = 4
_SHOWN_RECORDS = 8
_SHOWN_TEXT = 40
# Six digits tell apart any two values a person can tell apart; a shorter exact form is preferred.
_SHOWN_DIGITS = 6

_WHAT_A_DATASET_IS = (
    "an array, list or DataFrame of records, an (X, y) pair of equal length, Labelled(x, y) or "
    "SemiPrivate(private, public)"
)


@dataclass(frozen=True, eq=False)
class Labelled:
    """Records with labels: ``x`` holds one record per row, ``y`` one label per row.

    Parameters
    ----------
    x : array (n, d), list of n records, or DataFrame with n rows
    y : array (n,), list or Series of n labels

    Raises
    ------
    InvalidArgument
        When the lengths differ.

    Examples
    --------
    >>> x, y = Labelled([[1.0], [2.0]], [0, 1])
    >>> y
    [0, 1]
    """

    x: Any
    y: Any

    def __post_init__(self) -> None:
        _checked_pair(self.x, self.y)

    def __iter__(self) -> Iterator[Any]:
        yield self.x
        yield self.y

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Labelled) and same_dataset(self, other)

    __hash__ = None  # type: ignore[assignment]  # holds arrays, which change


@dataclass(frozen=True, eq=False)
class SemiPrivate:
    """A dataset of which only the ``private`` part is protected; ``public`` is the same for all neighbours.

    Examples
    --------
    >>> size_of(SemiPrivate(private=[1, 2, 3], public=[4, 5]))
    3
    """

    private: Any
    public: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SemiPrivate) and same_dataset(self, other)

    __hash__ = None  # type: ignore[assignment]  # holds arrays, which change


def is_frame(value: Any) -> bool:
    """Whether ``value`` is a pandas DataFrame (False while pandas is not loaded)."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, getattr(pandas, "DataFrame", ()))


def is_series(value: Any) -> bool:
    """Whether ``value`` is a pandas Series (False while pandas is not loaded)."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, getattr(pandas, "Series", ()))


def _is_column(value: Any) -> bool:
    return isinstance(value, list) or (isinstance(value, np.ndarray) and value.ndim > 0) or is_pandas(value)


def is_pandas(value: Any) -> bool:
    """Whether ``value`` is a pandas DataFrame or Series."""
    return is_frame(value) or is_series(value)


def is_labelled(dataset: Any) -> bool:
    """Whether the records have labels: an ``(X, y)`` pair or :class:`Labelled`, also as a private part.

    Examples
    --------
    >>> is_labelled(([[0.5], [0.7]], [0, 1])), is_labelled([0, 1])
    (True, False)
    """
    if isinstance(dataset, SemiPrivate):
        return is_labelled(dataset.private)
    return isinstance(dataset, Labelled) or _is_pair(dataset)


def private_part(dataset: Any) -> Any:
    """The part of a dataset that is protected: ``private`` of :class:`SemiPrivate`, else all of it."""
    return private_part(dataset.private) if isinstance(dataset, SemiPrivate) else dataset


def _is_pair(dataset: Any) -> bool:
    return isinstance(dataset, tuple) and len(dataset) == 2 and all(map(_is_column, dataset))


def _checked_pair(x: Any, y: Any) -> int:
    rows, labels = _column_length("x", x), _column_length("y", y)
    if rows != labels:
        raise InvalidArgument(f"dataset must have a label per record, got {rows} records and {labels} labels")
    return rows


def _column_length(name: str, column: Any) -> int:
    if isinstance(column, tuple) or _is_column(column):
        return len(column)
    raise InvalidArgument(f"{name} must be an array, list or DataFrame, got {describe_value(column)}")


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
        return _checked_pair(dataset.x, dataset.y)
    if _is_pair(dataset):
        return _checked_pair(*dataset)
    if _is_column(dataset):
        return len(dataset)
    if isinstance(dataset, tuple) and not any(map(_is_column, dataset)):
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
    if _is_pair(dataset):
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
    if isinstance(dataset, Labelled) or _is_pair(dataset):
        if not isinstance(record, tuple) or len(record) != 2:
            raise InvalidArgument(
                f"record must be a pair (x, label) for a labelled dataset, got {describe_value(record)}"
            )
        x, y = dataset
        return _like(dataset, _column_with(x, row, record[0]), _column_with(y, row, record[1]))
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
    return _like(dataset, x, _column_with(y, row, label))


def features_and_labels(dataset: Any) -> tuple[Any, Any]:
    """The parts ``(x, y)`` of a labelled dataset (of its private part).

    Raises
    ------
    InvalidArgument
        When the dataset has no labels.
    """
    if isinstance(dataset, SemiPrivate):
        return features_and_labels(dataset.private)
    if not is_labelled(dataset):
        raise InvalidArgument(f"dataset must have labels: (X, y) or Labelled(x, y), got {describe_value(dataset)}")
    x, y = dataset
    return x, y


def _like(dataset: Any, x: Any, y: Any) -> Any:
    return Labelled(x, y) if isinstance(dataset, Labelled) else (x, y)


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
        try:
            column.iloc[row] = value
        except (TypeError, ValueError) as error:
            raise InvalidArgument(
                f"record must fit column {frame.columns[j]!r} of {frame.dtypes.iloc[j]}, got {value!r}"
            ) from error
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
    if isinstance(dataset, Labelled) or _is_pair(dataset):
        x, y = dataset
        return _like(dataset, _column_without(x, row), _column_without(y, row))
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
    if isinstance(dataset, Labelled) or _is_pair(dataset):
        x, y = dataset
        return replace_record(_like(dataset, _column_longer(x), _column_longer(y)), size, record)
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


def copy_dataset(dataset: Any) -> Any:
    """A copy that shares nothing that can change: a learner may do to it what it likes.

    Raises
    ------
    InvalidArgument
        When it holds something that cannot be copied.

    Examples
    --------
    >>> original = [[1], [2]]
    >>> copied = copy_dataset(original)
    >>> copied[0][0] = 7
    >>> original
    [[1], [2]]
    """
    kind = type(dataset)
    # This runs before every call of a learner, so plain arrays come first (below a microsecond).
    if kind is np.ndarray and not dataset.dtype.hasobject:
        return dataset.copy()
    if kind in _ATOMS:
        return dataset
    if kind is list or kind is tuple:
        if _ATOMS.issuperset(map(type, dataset)):
            return dataset[:]
        return kind(map(copy_dataset, dataset))
    if kind is Labelled:
        return Labelled(copy_dataset(dataset.x), copy_dataset(dataset.y))
    if kind is SemiPrivate:
        return SemiPrivate(copy_dataset(dataset.private), copy_dataset(dataset.public))
    try:
        return dataset.copy(deep=True) if is_pandas(dataset) else copy.deepcopy(dataset)
    except Exception as error:
        raise InvalidArgument(
            f"dataset must be something copy.deepcopy can copy, got {describe_value(dataset)}: {error}"
        ) from error


def same_dataset(left: Any, right: Any) -> bool:
    """Whether two datasets (or records) hold the same values in the same order; NaN equals NaN; never raises.

    An array equals no list, and a pair no array: to a learner these are different inputs.

    Examples
    --------
    >>> same_dataset([1.0, float("nan")], [1.0, float("nan")]), same_dataset([1, 2], [2, 1])
    (True, False)
    """
    try:
        return _same(left, right)
    except Exception:
        # A value whose comparison raises: the same object is the same, anything else cannot be told to be.
        return left is right


def _same(left: Any, right: Any) -> bool:
    if left is right:
        return True
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        return isinstance(left, np.ndarray) and isinstance(right, np.ndarray) and _same_array(left, right)
    if is_pandas(left) or is_pandas(right):
        return type(left) is type(right) and _same_pandas(left, right)
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        alike = isinstance(left, list) == isinstance(right, list) and len(left) == len(right)
        return alike and all(map(_same, left, right))
    if isinstance(left, Labelled) and isinstance(right, Labelled):
        return _same(left.x, right.x) and _same(left.y, right.y)
    if isinstance(left, SemiPrivate) and isinstance(right, SemiPrivate):
        return _same(left.private, right.private) and _same(left.public, right.public)
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(_same(left[key], right[key]) for key in left)
    equal = left == right
    if isinstance(equal, bool | np.bool_):
        return bool(equal) or bool(left != left and right != right)
    return bool(np.all(equal))


def _same_array(left: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> bool:
    if left.shape != right.shape:
        return False
    if left.dtype.hasobject or right.dtype.hasobject:
        return all(map(_same, left.ravel().tolist(), right.ravel().tolist()))
    if left.dtype.names is not None or right.dtype.names is not None:
        return left.dtype == right.dtype and left.tobytes() == right.tobytes()
    equal = left == right
    return bool(np.all(equal) or np.all(equal | ((left != left) & (right != right))))


def _same_pandas(left: Any, right: Any) -> bool:
    if not left.equals(right):  # pandas takes NaN for equal to NaN, and compares dtypes
        return False
    return not is_frame(left) or list(left.columns) == list(right.columns)


def same_record(left: Any, right: Any) -> bool:
    """Whether two records are equal as values, whatever holds them (a list, a tuple, an array row).

    Examples
    --------
    >>> same_record((1.0, 2.0), np.array([1.0, 2.0])), same_record(([0.5], 1), ([0.5], 0))
    (True, False)
    """
    if type(left) in _ATOMS and type(right) in _ATOMS:
        return bool(left == right) or (left != left and right != right)
    if isinstance(left, list | tuple | np.ndarray) and isinstance(right, list | tuple | np.ndarray):
        if isinstance(left, np.ndarray) and isinstance(right, np.ndarray):
            return same_dataset(left, right)
        try:
            return len(left) == len(right) and all(map(same_record, left, right))
        except Exception:
            return same_dataset(left, right)
    return same_dataset(left, right)


def describe_value(value: Any) -> str:
    """A value in few words for an error message: its text if short, else its type.

    >>> describe_value({"a": 1}), describe_value("x" * 99)
    ("{'a': 1} of type dict", 'a value of type str')
    """
    try:
        text = repr(value)
    except Exception:
        text = ""
    if not text or len(text) > _SHOWN_TEXT or "\n" in text:
        return f"a value of type {type(value).__name__}"
    return f"{text} of type {type(value).__name__}"


def describe_record(record: Any) -> str:
    """A record as a person would write it, shortened where it is wide.

    Examples
    --------
    >>> describe_record(np.array([0.1, 2.3])), describe_record(([1 / 3, 1.0], 0))
    ('(0.1, 2.3)', '((0.333333, 1), 0)')
    >>> describe_record(list(range(30)))
    '(0, 1, 2, 3, ..., 29)'
    """
    if isinstance(record, np.ndarray) and record.ndim == 0:
        return describe_record(record[()])
    if isinstance(record, list | tuple | np.ndarray):
        values = list(record)
        if len(values) > _SHOWN_VALUES:
            shown = [*map(describe_record, values[:_SHOWN_AT_START]), "...", describe_record(values[-1])]
        else:
            shown = list(map(describe_record, values))
        return f"({', '.join(shown)})"
    if isinstance(record, float | np.floating):
        return f"{float(record):.{_SHOWN_DIGITS}g}"
    if isinstance(record, np.generic):
        return describe_record(record.item())
    try:
        text = repr(record)
    except Exception:
        text = f"a {type(record).__name__} that cannot be shown"
    return text if len(text) <= _SHOWN_TEXT else f"{text[: _SHOWN_TEXT - 3]}..."


def describe_dataset(dataset: Any) -> str:
    """A dataset in one short line: its values if they are few, else its size and first record.

    Examples
    --------
    >>> describe_dataset([0, 1, 1])
    '[0, 1, 1]'
    >>> describe_dataset(np.zeros((569, 4)))
    '569 records, the first (0, 0, 0, 0)'
    """
    if isinstance(dataset, SemiPrivate):
        return f"private: {describe_dataset(dataset.private)}; public: {describe_dataset(dataset.public)}"
    try:
        size = size_of(dataset)
    except InvalidArgument:
        return describe_record(dataset)
    if size == 0:
        return "no records"
    if size <= _SHOWN_RECORDS:
        shown = f"[{', '.join(describe_record(record_at(dataset, row)) for row in range(size))}]"
        if len(shown) <= 2 * _SHOWN_TEXT:
            return shown
    return f"{size} record{'' if size == 1 else 's'}, the first {describe_record(record_at(dataset, 0))}"


def digest(dataset: Any) -> dict[str, Any]:
    """What identifies a dataset, as JSON data: its kind, number of records and a SHA-256 of its values.

    The same values give the same digest in every process. ``sha256`` is None where the values have no text of
    their own to digest, and ``records`` where it is no dataset.

    Examples
    --------
    >>> digest([1, 2])["records"], digest([1, 2]) == digest([1, 2]), digest([1, 2]) == digest([1, 3])
    (2, True, False)
    """
    try:
        records: int | None = size_of(dataset)
    except InvalidArgument:
        records = None
    state = hashlib.sha256()
    try:
        _feed(state, dataset)
        sha: str | None = state.hexdigest()
    except Exception:
        sha = None
    return {"kind": type(dataset).__name__, "records": records, "sha256": sha}


def _feed(state: Any, value: Any) -> None:
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        state.update(f"array {value.dtype.str} {value.shape}:".encode())
        state.update(np.ascontiguousarray(value).tobytes())
    elif isinstance(value, np.generic):
        _feed(state, np.asarray(value))
    elif isinstance(value, np.ndarray):
        state.update(f"objects {value.shape}:".encode())
        _feed(state, value.ravel().tolist())
    elif is_frame(value):
        state.update(f"frame {list(map(str, value.columns))}:".encode())
        for j in range(value.shape[1]):
            _feed(state, value.iloc[:, j])
    elif is_series(value):
        _feed(state, value.to_numpy())
    elif isinstance(value, Labelled | SemiPrivate):
        state.update(f"{type(value).__name__}:".encode())
        _feed(state, list(vars(value).values()))
    elif isinstance(value, list | tuple):
        state.update(f"{type(value).__name__} {len(value)}:".encode())
        for item in value:
            _feed(state, item)
    else:
        text = repr(value)
        if " at 0x" in text:
            raise TypeError("its text holds an address, which differs from process to process")
        state.update(f"{type(value).__name__} {text};".encode())
