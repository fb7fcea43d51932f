"""The forms in which a learner takes its data: a pair, one object with attributes, rows, a table, a data frame.

Pairs of neighbours are made, compared and shown as they are; only what is handed to the learner takes its form.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data.containers import Labelled, SemiPrivate, features_and_labels, is_labelled
from dpcheck.model.data.kinds import is_frame, is_pandas, is_series
from dpcheck.model.errors import InvalidArgument, nearest

#: The forms of records with labels, in the order in which they are tried, each with what the learner is handed.
FORMS = {
    "pair": "(X, y), two arrays",
    "labelled": "one object with .X and .y",
    "rows": "a list of (x, label)",
    "table": "one array, the label in its last column",
    "frame": "a DataFrame, the label in its last column",
    "lists": "([x, ...], [y, ...]), two lists",
}
#: Asks for the first of them in which the learner answers.
AUTO = "auto"
#: Those of records without labels.
PLAIN_FORMS = {"table": "one array", "rows": "a list of rows", "frame": "a DataFrame"}
#: What a column of labels is called where it has no name.
LABEL = "label"


@dataclass(frozen=True)
class Form:
    """How a learner is handed its data.

    Parameters
    ----------
    kind : "pair", "labelled", "rows", "table", "frame", "lists", or "auto" for the first in which the learner answers
    columns : sequence of str, optional
        The names of the columns of features in a data frame; their own, else ``x0``, ``x1``, ...
    label : str
        The name of the label's column in a data frame.
    whole : sequence of bool, optional
        Which of the columns hold whole numbers: integers in a data frame.

    Raises
    ------
    InvalidArgument
        When there is no such form.

    Examples
    --------
    >>> Form("rows").of((np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([0, 1])))
    [(array([1., 2.]), 0), (array([3., 4.]), 1)]
    """

    kind: str
    columns: tuple[str, ...] | None = None
    label: str = LABEL
    whole: tuple[bool, ...] | None = None

    def __init__(
        self,
        kind: str,
        columns: Sequence[str] | None = None,
        label: str = LABEL,
        whole: Sequence[bool] | None = None,
    ) -> None:
        known = (*FORMS, AUTO)
        if kind not in known:
            raise InvalidArgument(f"form must be one of {', '.join(known)}, got {kind!r}{nearest(str(kind), known)}")
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "columns", None if columns is None else tuple(columns))
        object.__setattr__(self, "label", label)
        object.__setattr__(self, "whole", None if whole is None else tuple(whole))

    def of(self, dataset: Any) -> Any:
        """The dataset in this form; of one with a public part both parts.

        Raises
        ------
        InvalidArgument
            When it has no such form: features that are no numbers in an array, a pair of records without labels.
        """
        if isinstance(dataset, SemiPrivate):
            return SemiPrivate(self.of(dataset.private), self.of(dataset.public))
        if not is_labelled(dataset):
            return self._without_labels(dataset)
        x, y = features_and_labels(dataset)
        if self.kind == "pair":
            return _features(x), _labels(y)
        if self.kind == "labelled":
            return Labelled(_features(x), _labels(y))
        if self.kind == "rows":
            return list(zip(list(_features(x)), _labels(y).tolist(), strict=True))
        if self.kind == "table":
            return _beside(_wide(x), _labels(y))
        if self.kind == "lists":
            return _plain_rows(x), _labels(y).tolist()
        return self._frame(x, _labels(y))

    def _without_labels(self, dataset: Any) -> Any:
        if self.kind not in PLAIN_FORMS:
            raise InvalidArgument(f"form {self.kind!r} wants records with labels, got records without")
        if self.kind == "table":
            return _array(dataset)
        if self.kind == "rows":
            return _plain_rows(dataset)
        return self._frame(dataset, None)

    def _frame(self, x: Any, y: NDArray[Any] | None) -> Any:
        pandas = imported_pandas()
        if is_frame(x):
            made = x.copy()
        else:
            table = _wide(x)
            names = self.columns if self.columns is not None else tuple(f"x{j}" for j in range(table.shape[1]))
            if len(names) != table.shape[1]:
                raise InvalidArgument(f"columns must have a name per column ({table.shape[1]}), got {len(names)}")
            made = pandas.DataFrame({name: self._column(table, j) for j, name in enumerate(names)})
        if y is not None:
            made[self.label] = y
        return made

    def _column(self, table: NDArray[Any], j: int) -> NDArray[Any]:
        column = table[:, j]
        return column.astype(np.int64) if self.whole is not None and self.whole[j] else column


def form_of(form: Form | str | None) -> Form | None:
    """A form as given, or by its name.

    >>> form_of("table"), form_of(None)
    (Form(kind='table', columns=None, label='label', whole=None), None)
    """
    return form if form is None or isinstance(form, Form) else Form(form)


def whole_columns(dataset: Any) -> tuple[bool, ...] | None:
    """Which columns of features hold whole numbers only; None where there are no columns of numbers.

    >>> whole_columns((np.array([[1.0, 0.5], [2.0, 3.0]]), np.array([0, 1])))
    (True, False)
    """
    whole = dataset.private if isinstance(dataset, SemiPrivate) else dataset
    table = _wide(features_and_labels(whole)[0] if is_labelled(whole) else whole)
    if table.dtype.kind not in "biuf":
        return None
    with np.errstate(invalid="ignore"):  # a signalling NaN in a file of strangers' bytes
        return tuple(bool(each) for each in (table == np.round(table)).all(axis=0))


def imported_pandas() -> Any:
    """The module pandas.

    Raises
    ------
    InvalidArgument
        When it is not installed.
    """
    try:
        import pandas
    except ImportError as error:
        raise InvalidArgument("form 'frame' needs pandas: pip install pandas") from error
    return pandas


def has_pandas() -> bool:
    """Whether data frames can be made here, found out without an import."""
    from importlib.util import find_spec

    return "pandas" in sys.modules or find_spec("pandas") is not None


def _array(x: Any) -> NDArray[Any]:
    if is_pandas(x):
        return np.asarray(x.to_numpy())
    try:
        return np.asarray(x)
    except ValueError as error:
        raise InvalidArgument(f"form wants records of one length for an array, got others: {error}") from error


def _features(x: Any) -> NDArray[Any]:
    """Features as an array, a list of numbers as one column."""
    return _wide(x) if isinstance(x, list) and _array(x).ndim == 1 else _array(x)


def _wide(x: Any) -> NDArray[Any]:
    table = _array(x)
    return table.reshape(len(table), math.prod(table.shape[1:]))


def _labels(y: Any) -> NDArray[Any]:
    return np.asarray(y.to_numpy() if is_series(y) or is_frame(y) else y)


def _plain_rows(x: Any) -> list[Any]:
    """Rows as tuples, those of one column as numbers."""
    table = _array(x)
    if table.ndim == 2 and table.shape[1] == 1:
        table = table[:, 0]
    return [tuple(row) if isinstance(row, list) else row for row in table.tolist()]


def _beside(table: NDArray[Any], labels: NDArray[Any]) -> NDArray[Any]:
    if labels.dtype.kind in "biuf" and table.dtype.kind in "biuf":
        return np.column_stack([table, labels])
    return np.column_stack([table.astype(object), labels.astype(object)])
