"""Columns of the data that scikit-learn brings along, by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def columns(name: str, *wanted: str, rows: slice | Sequence[int] = slice(None)) -> tuple[Floats, NDArray[np.int64]]:
    """Some columns and rows of a bundled dataset, shape (n, d), and its target.

    Parameters
    ----------
    name : str
        ``iris``, ``wine``, ``breast_cancer`` or ``diabetes``.
    wanted : str
        Names of columns, as scikit-learn spells them.
    rows : slice or list of int, optional

    Examples
    --------
    >>> x, y = columns("iris", "petal width (cm)", rows=slice(0, 3))
    >>> x.ravel().tolist(), y.tolist()
    ([0.2, 0.2, 0.2], [0, 0, 0])
    """
    import sklearn.datasets

    data: Any = getattr(sklearn.datasets, f"load_{name}")()
    places = [list(data.feature_names).index(column) for column in wanted]
    chosen = np.ascontiguousarray(data.data[:, places][rows], dtype=np.float64)
    return chosen, np.asarray(data.target)[rows].astype(np.int64)
