"""Datasets made of the rows of another one: fewer, more, repeated, in another order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpcheck.model.data import (
    UNLABELLED,
    Labelled,
    SemiPrivate,
    features_and_labels,
    is_labelled,
    is_pandas,
    replace_record,
    same_record,
)
from dpcheck.model.data.rows import record_at, size_of
from dpcheck.model.neighbours import ReplaceEntry
from dpcheck.model.neighbours.entries import labelled_entries


def rows_taken(dataset: Any, rows: Sequence[int]) -> Any:
    """A dataset of the same type with these rows, in this order; a row may be taken more than once.

    Of :class:`~dpcheck.model.data.SemiPrivate` the private part; the public one stays.

    Examples
    --------
    >>> rows_taken([5, 6, 7], [2, 0, 0]), rows_taken(([[0.5], [0.7]], [0, 1]), [])
    ([7, 5, 5], ([], []))
    """
    if isinstance(dataset, SemiPrivate):
        return SemiPrivate(rows_taken(dataset.private, rows), dataset.public)
    if is_labelled(dataset):
        x, y = features_and_labels(dataset)
        parts = _column(x, rows), _column(y, rows)
        return Labelled(*parts) if isinstance(dataset, Labelled) else parts
    return _column(dataset, rows)


def _column(column: Any, rows: Sequence[int]) -> Any:
    places = np.asarray(list(rows), dtype=np.int64)
    if isinstance(column, np.ndarray):
        return column[places]
    if is_pandas(column):
        return column.iloc[places].reset_index(drop=True)
    found = [column[int(row)] for row in places]
    return tuple(found) if isinstance(column, tuple) else found


def unlabelled_as_in(model: Any, dataset: Any, relation: Any) -> Any:
    """The dataset without the labels that the model lacks, where the relation is one of partly labelled data.

    >>> unlabelled_as_in([(5, 1), (7, -1)], [(5, 1), (5, 1)], ReplaceEntry())
    [(5, 1), (5, -1)]
    """
    has_label = labelled_entries(model) if isinstance(relation, ReplaceEntry) else None
    for row in np.flatnonzero(~has_label).tolist() if has_label is not None else []:
        dataset = replace_record(dataset, row, (record_at(dataset, row)[0], UNLABELLED))
    return dataset


def different_records(dataset: Any, most: int = 1000) -> int:
    """How many different records there are among the first ``most``.

    >>> different_records([1, 1, 2])
    2
    """
    found: list[Any] = []
    for row in range(min(size_of(dataset), most)):
        record = record_at(dataset, row)
        if len(found) < 8 and not any(same_record(record, other) for other in found):
            found.append(record)
    return len(found)
