"""A fresh copy of a dataset for every call: cheap, since it is made for every call."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from dpcheck.model.data.containers import Labelled, SemiPrivate
from dpcheck.model.data.kinds import describe_value, is_frame, is_pandas
from dpcheck.model.errors import InvalidArgument

# Values that cannot change: a list of these is copied by copying the list.
_ATOMS = frozenset({int, float, str, bool, complex, bytes, type(None)})


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
        return _copied_pandas(dataset) if is_pandas(dataset) else copy.deepcopy(dataset)
    except Exception as error:
        raise InvalidArgument(
            f"dataset must be something copy.deepcopy can copy, got {describe_value(dataset)}: {error}"
        ) from error


def _copied_pandas(dataset: Any) -> Any:
    """pandas copies columns and not the objects in them: lists in a column would be those of the original."""
    made = dataset.copy(deep=True)
    if not is_frame(dataset):
        objects = _objects_copied(dataset)
        return made if objects is None else type(dataset)(objects, index=made.index, name=made.name)
    for place, column in enumerate(_columns(dataset)):
        if (objects := _objects_copied(column)) is not None:
            made.isetitem(place, objects)
    return made


def _columns(dataset: Any) -> list[Any]:
    return [dataset.iloc[:, place] for place in range(dataset.shape[1])] if is_frame(dataset) else [dataset]


def _objects_copied(column: Any) -> Any:
    """Copies of the objects of a column of objects; None where it has none that can change."""
    if column.dtype != object:
        return None
    values = column.to_numpy()
    if _ATOMS.issuperset(map(type, values)):
        return None
    copied = np.empty(len(values), dtype=object)
    for place, value in enumerate(values):
        copied[place] = copy_dataset(value)
    return copied


def copier(dataset: Any) -> Callable[[], Any]:
    """What makes such copies of one dataset again and again: how is found out once, for a loop over many calls.

    The dataset itself must not change meanwhile.

    Examples
    --------
    >>> original = [1, 2]
    >>> copied = copier(original)()
    >>> copied[0] = 7
    >>> original
    [1, 2]
    """
    kind = type(dataset)
    if (kind is np.ndarray and not dataset.dtype.hasobject) or (kind is list and _ATOMS.issuperset(map(type, dataset))):
        made: Callable[[], Any] = dataset.copy
        return made
    if kind is Labelled:
        points, labels = copier(dataset.x), copier(dataset.y)
        return lambda: Labelled(points(), labels())
    # to look at each column takes several times as long as to copy all of them
    if is_pandas(dataset) and all(_objects_copied(column) is None for column in _columns(dataset)):
        return partial(dataset.copy, deep=True)
    return partial(copy_dataset, dataset)
