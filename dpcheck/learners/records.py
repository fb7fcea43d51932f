"""The parts of a dataset as learners read them: labelled private records, public points."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcheck.data import SemiPrivate, describe_value, features_and_labels, is_labelled, private_part
from dpcheck.errors import InvalidArgument


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
