"""Datasets put into the containers and types of another one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data.containers import features_and_labels, is_labelled, like
from dpcheck.model.data.kinds import is_frame, is_series
from dpcheck.model.data.rows import record_at, size_of


def alike(template: Any, dataset: Any) -> Any:
    """The records of a dataset in the containers and number types of a template.

    Parameters
    ----------
    template : array, list, DataFrame, or (X, y) or Labelled of these
        Not empty; of the same columns.
    dataset : dataset
        With labels where the template has them.

    Examples
    --------
    >>> alike((np.zeros((9, 2)), np.array([0, 1] * 4 + [0])), ([[1, 2]], [1]))
    (array([[1., 2.]]), array([1]))
    """
    if is_labelled(template):
        (x, y), (new_x, new_y) = features_and_labels(template), features_and_labels(dataset)
        return like(template, _column(x, new_x), _column(y, new_y))
    return _column(template, dataset)


def _column(template: Any, column: Any) -> Any:
    rows = [record_at(column, row) for row in range(size_of(column))]
    if isinstance(template, np.ndarray):
        return _array(template, rows)
    if is_series(template):
        return _series(template, rows)
    if is_frame(template):
        import pandas

        columns = {j: [row[j] for row in map(_values, rows)] for j in range(template.shape[1])}
        made = pandas.DataFrame({j: _series(template.iloc[:, j], cells) for j, cells in columns.items()})
        made.columns = template.columns
        return made
    kind = type(template[0])
    made_rows = [kind(_values(row)) if issubclass(kind, list | tuple) else row for row in rows]
    return tuple(made_rows) if isinstance(template, tuple) else made_rows


def _series(template: Any, cells: list[Any]) -> Any:
    """Cells with the type of a column: its categories are known, and public, whichever of them are there."""
    import pandas

    made = pandas.Series(_array(template.to_numpy(), cells), name=template.name)
    return made if isinstance(template.dtype, np.dtype) else made.astype(template.dtype)


def _values(row: Any) -> list[Any]:
    return list(row.ravel()) if isinstance(row, np.ndarray) else list(row) if isinstance(row, list | tuple) else [row]


def _array(template: NDArray[Any], rows: list[Any]) -> NDArray[Any]:
    """Numbers in the template's type, and texts that are no longer than its: their room then tells nothing of them."""
    kind = template.dtype
    if kind.kind in "US" and np.array(rows, dtype=kind.kind).dtype.itemsize > kind.itemsize:
        kind = np.dtype(kind.kind)
    return np.array(rows, dtype=kind).reshape(len(rows), *template.shape[1:])
