"""A dataset as a table of numbers and categories: its bounds, and how much each row weighs.

Leverage (the diagonal of the hat matrix) is what a least-squares fit lets one row decide; for a category the
indicator's leverage is one over its count, so a rare label weighs as it should.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import features_and_labels, is_frame, is_labelled, private_part, record_at, size_of
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours.domains import Bounds, Columns, Domain, Values, distinct, flat, is_number

# Labels with more distinct values than this are quantities (regression), not classes.
CLASSES = 20
# Values of a text column, or records of no known shape, kept as those "of the data".
_VALUES_KEPT = 50
# A singular value this much smaller than the largest belongs to no direction of the data.
_RANK_TOLERANCE = 1e-10
# Above this many multiplications the hat matrix takes seconds: distance from the mean serves instead.
_HAT_MATRIX_LIMIT = 2e9


@dataclass(frozen=True, eq=False)
class Table:
    """``numbers`` (n, d): standardised, missing ones at the mean; ``codes``: other columns, coded."""

    numbers: NDArray[np.float64]
    codes: tuple[NDArray[np.intp], ...]


def columns_of(part: Any) -> list[list[Any]]:
    """The columns of an array, list or DataFrame; one column of whole records when they are ragged."""
    size = size_of(part)
    if isinstance(part, np.ndarray):
        return [list(column) for column in part.reshape(size, -1).T]
    if is_frame(part):
        return [list(part.iloc[:, j]) for j in range(part.shape[1])]
    rows = [record_at(part, row) for row in range(size)]
    values = [flat(row) for row in rows]
    widths = set(map(len, values))
    if len(widths) == 1 and all(not isinstance(value, dict | set) for value in values[0]):
        return [list(column) for column in zip(*values, strict=True)]
    return [rows]


def missing(column: list[Any]) -> NDArray[np.bool_]:
    """Where a column of numbers has no finite one: None, NaN, or what is infinite.

    >>> missing([3, None, float("nan")]).tolist()
    [False, True, True]
    """
    return ~np.isfinite(_doubles(column))


def missed_by_rows(part: Any) -> NDArray[np.int64]:
    """How many numbers each row misses, shape (n,).

    >>> missed_by_rows([[1, None], [2, 3]]).tolist()
    [1, 0]
    """
    if isinstance(part, np.ndarray) and part.dtype.kind in "biuf":
        return np.array((~np.isfinite(part.reshape(len(part), -1))).sum(axis=1), dtype=np.int64)
    columns = [column for column in columns_of(part) if _is_numeric(column)]
    return np.array(sum((missing(column) for column in columns), np.zeros(size_of(part), dtype=np.int64)))


def _doubles(column: list[Any]) -> NDArray[np.float64]:
    try:
        return np.array(column, dtype=np.float64)
    except OverflowError as error:
        raise InvalidArgument("dataset must hold numbers up to 1.8e308, got a whole number beyond them") from error


def _is_numeric(column: list[Any]) -> bool:
    return all(is_number(value) or value is None for value in column)


def table_of(dataset: Any) -> Table:
    """The dataset (of a labelled one, features and label) as a table."""
    columns: list[list[Any]] = []
    if is_labelled(dataset):
        x, y = features_and_labels(dataset)
        columns += columns_of(x)
        labels = columns_of(y)
        if len(labels) == 1 and is_classes(labels[0]):
            numbers, categories = _split(columns)
            return Table(_standardised(numbers, size_of(dataset)), _codes([*categories, labels[0]]))
        columns += labels
    else:
        columns += columns_of(private_part(dataset))
    numbers, categories = _split(columns)
    return Table(_standardised(numbers, size_of(dataset)), _codes(categories))


def is_classes(labels: list[Any]) -> bool:
    """Whether labels are classes: text, or few distinct values."""
    return not _is_numeric(labels) or len(set(labels)) <= CLASSES


def _split(columns: list[list[Any]]) -> tuple[list[list[Any]], list[list[Any]]]:
    numbers = [column for column in columns if _is_numeric(column)]
    return numbers, [column for column in columns if not _is_numeric(column)]


def _codes(columns: list[list[Any]]) -> tuple[NDArray[np.intp], ...]:
    coded = []
    for column in columns:
        numbers: dict[Any, int] = {}
        coded.append(np.array([numbers.setdefault(_key(v), len(numbers)) for v in column], dtype=np.intp))
    return tuple(coded)


def _standardised(columns: list[list[Any]], size: int) -> NDArray[np.float64]:
    if not columns or not size:
        return np.zeros((size, 0))
    table = np.array([_doubles(column) for column in columns]).T
    table[~np.isfinite(table)] = np.nan
    known = np.isfinite(table)
    counts = np.maximum(known.sum(axis=0), 1)
    mean = np.where(known, table, 0.0).sum(axis=0) / counts
    centred = np.where(known, table - mean, 0.0)
    spread = np.sqrt((centred**2).sum(axis=0) / counts)
    result: NDArray[np.float64] = centred / np.where(spread > 0, spread, 1.0)
    return result


def leverage(table: Table) -> NDArray[np.float64]:
    """How much each row weighs, shape (n,): leverage among the numbers plus rarity among the categories.

    Examples
    --------
    >>> int(np.argmax(leverage(table_of(np.array([1.0, 2.0, 1.5, 40.0])))))
    3
    """
    size, width = table.numbers.shape
    weight = np.zeros(size)
    if width and size:
        if width < size and size * width**2 <= _HAT_MATRIX_LIMIT:
            basis, singular, _ = np.linalg.svd(table.numbers, full_matrices=False)
            kept = singular > _RANK_TOLERANCE * singular[0] if singular[0] > 0 else np.zeros(width, dtype=bool)
            weight += (basis[:, kept] ** 2).sum(axis=1)
        else:
            # With as many columns as rows every leverage is 1, and tells nothing.
            squares = (table.numbers**2).sum(axis=1)
            weight += squares / max(float(squares.sum()), np.finfo(float).tiny)
    for codes in table.codes:
        weight += 1.0 / np.bincount(codes)[codes]
    return weight


def _key(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return value


def data_domain(part: Any) -> Domain:
    """The records "of the data": each number column from its least to its greatest value, else its values."""
    scalar = not isinstance(record_at(part, 0), np.ndarray | list | tuple)
    columns = [_column_domain(column) for column in columns_of(part)]
    if scalar:
        return columns[0]
    if isinstance(record_at(part, 0), np.ndarray | list | tuple) and len(columns) == len(flat(record_at(part, 0))):
        return Columns(tuple(columns))
    return columns[0]


def label_domain(labels: Any) -> Domain:
    """The labels "of the data": the classes seen, or for quantities the least to the greatest."""
    column = columns_of(labels)[0]
    return Values(tuple(distinct(column))) if is_classes(column) else _column_domain(column)


def _column_domain(column: list[Any]) -> Bounds | Values:
    if _is_numeric(column):
        holes = missing(column)
        if not holes.all():
            finite = _doubles(column)[~holes]
            besides = tuple(distinct(column[row] for row in np.flatnonzero(holes)))
            return Bounds(float(finite.min()), float(finite.max()), besides=besides)
    return Values(tuple(distinct(column)[:_VALUES_KEPT]))
