"""Some of a dataset's records, in any order and any number of times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data.containers import Labelled, SemiPrivate, is_pair, like
from dpcheck.model.data.kinds import is_pandas
from dpcheck.model.data.rows import size_of
from dpcheck.model.errors import InvalidArgument


def take_records(dataset: Any, rows: Sequence[int] | NDArray[np.integer[Any]]) -> Any:
    """A new dataset, of the same type, of the records in those rows (of the private part, the public one kept).

    Parameters
    ----------
    dataset : dataset
    rows : integers from 0 to the number of records less 1, shape (k,)
        A row may be named several times.

    Raises
    ------
    InvalidArgument
        When there is no such row, or it is no dataset.

    Examples
    --------
    >>> take_records([5, 6, 7], [2, 0, 2])
    [7, 5, 7]
    >>> take_records(([[0.5], [0.7]], [0, 1]), [1])
    ([[0.7]], [1])
    """
    size, places = size_of(dataset), np.asarray(rows, dtype=np.intp)
    if places.ndim != 1 or (places.size and not 0 <= int(places.min()) <= int(places.max()) < size):
        raise InvalidArgument(f"rows must be integers from 0 to {size - 1}, shape (k,), got {rows!r}")
    return _taken(dataset, places)


def _taken(dataset: Any, places: NDArray[np.intp]) -> Any:
    if isinstance(dataset, SemiPrivate):
        return SemiPrivate(_taken(dataset.private, places), dataset.public)
    if isinstance(dataset, Labelled) or is_pair(dataset):
        x, y = dataset
        return like(dataset, _column(x, places), _column(y, places))
    return _column(dataset, places)


def _column(column: Any, places: NDArray[np.intp]) -> Any:
    if isinstance(column, np.ndarray):
        return column[places]
    if is_pandas(column):
        return column.iloc[places]
    taken = [column[place] for place in places.tolist()]
    return tuple(taken) if isinstance(column, tuple) else taken
