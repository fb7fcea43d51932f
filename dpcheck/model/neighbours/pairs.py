"""A pair of datasets, and in words what differs between the two."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from dpcheck.model.data import (
    SemiPrivate,
    describe_record,
    features_and_labels,
    is_frame,
    is_labelled,
    record_at,
    same_dataset,
    same_record,
    size_of,
)
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours.domains import flat

# A row as wide as this is shown shortened, so a change in one or two columns is named by column instead.
_WIDE = 7
_COLUMNS_NAMED = 2
_ROWS_NAMED = 4


@dataclass(frozen=True, eq=False)
class Pair:
    """Two datasets and what differs: ``change`` names the row (counted from 0) and the values."""

    left: Any
    right: Any
    change: str


@dataclass(frozen=True)
class PairsMade:
    """Pairs made from a dataset, those likeliest to leak first.

    ``notes`` says what was assumed (bounds taken from the data); ``left_out`` counts the pairs that would
    have followed, had there been no limit.
    """

    pairs: tuple[Pair, ...]
    notes: tuple[str, ...] = ()
    left_out: int = 0


def differing_rows(left: Any, right: Any) -> list[int]:
    """The rows in which two datasets of the same size differ.

    Raises
    ------
    InvalidArgument
        When one of them is no dataset.

    Examples
    --------
    >>> differing_rows([1, 2, 3], [1, 5, 3])
    [1]
    """
    size = size_of(left)
    if isinstance(left, np.ndarray) and isinstance(right, np.ndarray) and _comparable(left, right):
        unequal = (left != right) & ~((left != left) & (right != right))
        return [int(row) for row in np.flatnonzero(unequal.reshape(size, -1).any(axis=1))] if size else []
    if is_labelled(left) and is_labelled(right):
        (x, y), (other_x, other_y) = features_and_labels(left), features_and_labels(right)
        return sorted({*differing_rows(x, other_x), *differing_rows(y, other_y)})
    return [row for row in range(size) if not same_record(record_at(left, row), record_at(right, row))]


def _comparable(left: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> bool:
    plain = all(array.dtype.kind in "biufc" for array in (left, right))
    return plain and left.shape == right.shape


def removed_row(longer: Any, shorter: Any) -> int | None:
    """The row whose removal from ``longer`` gives ``shorter``, or None when there is none.

    Examples
    --------
    >>> removed_row([1, 2, 3], [1, 3]), removed_row([1, 2, 3], [3, 1])
    (1, None)
    """
    size = size_of(longer)
    if size != size_of(shorter) + 1:
        return None
    row = 0
    while row < size - 1 and same_record(record_at(longer, row), record_at(shorter, row)):
        row += 1
    rest = all(same_record(record_at(longer, k + 1), record_at(shorter, k)) for k in range(row, size - 1))
    return row if rest else None


def public_parts_differ(left: Any, right: Any) -> bool:
    """Whether the parts that all neighbours share (the public one) differ, or only one dataset has one."""
    if isinstance(left, SemiPrivate) != isinstance(right, SemiPrivate):
        return True
    return isinstance(left, SemiPrivate) and not same_dataset(left.public, right.public)


def describe_change(left: Any, right: Any) -> str | None:
    """What differs between two datasets, in words, or None when it cannot be told.

    Examples
    --------
    >>> describe_change([0, 1, 1], [0, 9, 1])
    'row 1: 1 replaced by 9'
    >>> describe_change([0, 1, 1], [0, 1])
    'row 2 removed: 1'
    """
    try:
        sizes = size_of(left), size_of(right)
        if same_dataset(left, right):
            return "nothing (the two datasets are the same)"
        if public_parts_differ(left, right):
            return "the public parts differ"
        if sizes[0] == sizes[1]:
            return _describe_replaced(left, right)
        row = removed_row(left, right)
        if row is not None:
            return describe_removed(row, record_at(left, row), is_labelled(left))
        row = removed_row(right, left)
        if row is not None:
            return describe_added(row, record_at(right, row), is_labelled(right))
        return f"{sizes[0]} records on one side, {sizes[1]} on the other"
    except InvalidArgument:
        return f"{describe_record(left)} against {describe_record(right)}"
    except Exception:
        # Values of a stranger's type, whose comparison raises: the caller falls back to the pair's number.
        return None


def _describe_replaced(left: Any, right: Any) -> str:
    rows = differing_rows(left, right)
    if not rows:
        return f"the type: {type(left).__name__} against {type(right).__name__}"
    if len(rows) > 1:
        named = ", ".join(map(str, rows[:_ROWS_NAMED]))
        return f"{len(rows)} rows differ: {named}{', ...' if len(rows) > _ROWS_NAMED else ''}"
    row = rows[0]
    labelled = is_labelled(left) and is_labelled(right)
    return describe_replaced(
        row, record_at(left, row), record_at(right, row), labelled=labelled, columns=column_names(left)
    )


def describe_replaced(
    row: int, old: Any, new: Any, *, labelled: bool = False, columns: tuple[str, ...] | None = None
) -> str:
    """One record replaced by another: the row and both values; for wide rows only the columns that changed.

    >>> describe_replaced(17, ([0.1, 2.3], 0), ([0.1, 2.3], 1), labelled=True)
    'label of row 17 flipped from 0 to 1'
    >>> describe_replaced(17, (0.1, 2.3), (9.0, 9.0))
    'row 17 (0.1, 2.3) replaced by (9, 9)'
    """
    if labelled:
        (x, label), (other_x, other_label) = old, new
        if same_record(x, other_x):
            verb = "changed" if isinstance(label, float | np.floating) else "flipped"
            return f"label of row {row} {verb} from {describe_record(label)} to {describe_record(other_label)}"
        if same_record(label, other_label):
            text = describe_replaced(row, x, other_x, columns=columns)
            return f"{text}, label {describe_record(label)} kept"
        before = f"{describe_record(x)} labelled {describe_record(label)}"
        after = f"{describe_record(other_x)} labelled {describe_record(other_label)}"
        return f"row {row}{_gap(x)}{before} replaced by {after}"
    olds, news = flat(old), flat(new)
    if len(olds) == len(news) >= _WIDE:
        unlike = (j for j, (a, b) in enumerate(zip(olds, news, strict=True)) if not same_record(a, b))
        changed = list(islice(unlike, _COLUMNS_NAMED + 1))
        if len(changed) <= _COLUMNS_NAMED:
            parts = (
                f"{_column(j, columns)} from {describe_record(olds[j])} to {describe_record(news[j])}" for j in changed
            )
            return f"row {row} changed in {' and '.join(parts)}"
    return f"row {row}{_gap(old)}{describe_record(old)} replaced by {describe_record(new)}"


def _gap(record: Any) -> str:
    return " " if describe_record(record).startswith("(") else ": "


def _column(j: int, columns: tuple[str, ...] | None) -> str:
    return f"column {columns[j]!r}" if columns and j < len(columns) else f"column {j}"


def describe_removed(row: int, record: Any, labelled: bool = False) -> str:
    """One record removed.

    >>> describe_removed(3, 0.5)
    'row 3 removed: 0.5'
    """
    return f"row {row} removed: {_described(record, labelled)}"


def describe_added(row: int, record: Any, labelled: bool = False) -> str:
    """One record added.

    >>> describe_added(3, ([0.5], 1), labelled=True)
    'row 3 added: (0.5) labelled 1'
    """
    return f"row {row} added: {_described(record, labelled)}"


def _described(record: Any, labelled: bool) -> str:
    if not labelled:
        return describe_record(record)
    x, label = record
    return f"{describe_record(x)} labelled {describe_record(label)}"


def column_names(dataset: Any) -> tuple[str, ...] | None:
    """The names of a DataFrame's columns (of the features, of the private part), else None."""
    if isinstance(dataset, SemiPrivate):
        return column_names(dataset.private)
    if is_labelled(dataset):
        return column_names(features_and_labels(dataset)[0])
    return tuple(map(str, dataset.columns)) if is_frame(dataset) else None
