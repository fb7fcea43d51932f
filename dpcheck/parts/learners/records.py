"""The parts of a dataset as learners read them: labelled private records, public points."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcheck.model.data import UNLABELLED, SemiPrivate, describe_value, features_and_labels, is_labelled, private_part
from dpcheck.model.errors import InvalidArgument


def private_records(dataset: Any) -> tuple[Any, Any]:
    """The points and labels of a dataset's private part: labelled data, or a list of records (x, label).

    Raises
    ------
    InvalidArgument
        When it has no labels.

    Examples
    --------
    >>> private_records(SemiPrivate([(3, 1), (5, 0)], public=[4]))
    ([3, 5], [1, 0])
    """
    records = private_part(dataset)
    if is_labelled(records):
        return features_and_labels(records)
    if isinstance(records, list | tuple | np.ndarray):
        if len(records) == 0:
            return [], []
        if all(isinstance(record, tuple) and len(record) == 2 for record in records):
            return [x for x, _ in records], [label for _, label in records]
    raise InvalidArgument(
        f"dataset must hold labelled records: Labelled(x, y), (x, y) or a list of (x, label), got "
        f"{describe_value(records)}"
    )


def partly_labelled(dataset: Any) -> tuple[Any, Any, Any]:
    """The labelled points, their labels, and the points without a label, of a dataset in this order.

    Labels of -1 say that there is none (scikit-learn's convention).

    Raises
    ------
    InvalidArgument
        When it has no labels, or a labelled entry comes after one without a label.

    Source: the partially labelled databases of beimel2015, section 2.

    Examples
    --------
    >>> partly_labelled([(3, 1), (5, 0), (4, -1)])
    ([3, 5], [1, 0], [4])
    """
    x, y = private_records(dataset)
    has_label = np.asarray(y) != UNLABELLED
    size = int(np.count_nonzero(has_label))
    if not has_label[:size].all():
        raise InvalidArgument(
            "dataset must have its labelled entries first, then those without a label (-1), got entry "
            f"{int(has_label.argmin())} of {len(x)} without one before others that have one"
        )
    return x[:size], y[:size], x[size:]


def public_points(dataset: Any) -> Any:
    """The points of a dataset's public part; labels, where it has them, are dropped (alon2019:def-2.4).

    Raises
    ------
    InvalidArgument
        When it has no public part.

    Examples
    --------
    >>> public_points(SemiPrivate([], public=([4, 2], [0, 1])))
    [4, 2]
    """
    if not isinstance(dataset, SemiPrivate):
        raise InvalidArgument(f"dataset must be SemiPrivate(private, public), got {describe_value(dataset)}")
    return features_and_labels(dataset.public)[0] if is_labelled(dataset.public) else dataset.public
