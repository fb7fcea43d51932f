"""Datasets with parts: labelled ones, and those with a public part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dpcheck.model.data.equality import same_dataset
from dpcheck.model.data.kinds import describe_value, is_column
from dpcheck.model.errors import InvalidArgument

#: The label of an entry that has none, in datasets of which a part is labelled only (scikit-learn's convention).
UNLABELLED = -1


@dataclass(frozen=True, eq=False)
class Labelled:
    """Records with labels: ``x`` (or ``X``) holds one record per row, ``y`` one label per row.

    Parameters
    ----------
    x : array (n, d), list of n records, or DataFrame with n rows
    y : array (n,), list or Series of n labels

    Raises
    ------
    InvalidArgument
        When the lengths differ.

    Examples
    --------
    >>> x, y = Labelled([[1.0], [2.0]], [0, 1])
    >>> y
    [0, 1]
    """

    x: Any
    y: Any

    def __post_init__(self) -> None:
        checked_pair(self.x, self.y)

    @property
    def X(self) -> Any:  # noqa: N802  (as scikit-learn spells it)
        """The records, as ``x``."""
        return self.x

    def __iter__(self) -> Iterator[Any]:
        yield self.x
        yield self.y

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Labelled) and same_dataset(self, other)

    __hash__ = None  # type: ignore[assignment]  # holds arrays, which change


@dataclass(frozen=True, eq=False)
class SemiPrivate:
    """A dataset of which only the ``private`` part is protected; ``public`` is the same for all neighbours.

    Examples
    --------
    >>> from dpcheck.model.data import size_of
    >>> size_of(SemiPrivate(private=[1, 2, 3], public=[4, 5]))
    3
    """

    private: Any
    public: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SemiPrivate) and same_dataset(self, other)

    __hash__ = None  # type: ignore[assignment]  # holds arrays, which change


def is_labelled(dataset: Any) -> bool:
    """Whether the records have labels: an ``(X, y)`` pair or :class:`Labelled`, also as a private part.

    Examples
    --------
    >>> is_labelled(([[0.5], [0.7]], [0, 1])), is_labelled([0, 1])
    (True, False)
    """
    if isinstance(dataset, SemiPrivate):
        return is_labelled(dataset.private)
    return isinstance(dataset, Labelled) or is_pair(dataset)


def private_part(dataset: Any) -> Any:
    """The part of a dataset that is protected: ``private`` of :class:`SemiPrivate`, else all of it."""
    return private_part(dataset.private) if isinstance(dataset, SemiPrivate) else dataset


def is_pair(dataset: Any) -> bool:
    """Whether it is an ``(X, y)`` tuple."""
    return isinstance(dataset, tuple) and len(dataset) == 2 and all(map(is_column, dataset))


def checked_pair(x: Any, y: Any) -> int:
    """The number of records of an ``(X, y)`` pair; an error when the two do not match."""
    rows, labels = _column_length("x", x), _column_length("y", y)
    if rows != labels:
        raise InvalidArgument(f"dataset must have a label per record, got {rows} records and {labels} labels")
    return rows


def _column_length(name: str, column: Any) -> int:
    if isinstance(column, tuple) or is_column(column):
        return len(column)
    raise InvalidArgument(f"{name} must be an array, list or DataFrame, got {describe_value(column)}")


def features_and_labels(dataset: Any) -> tuple[Any, Any]:
    """The parts ``(x, y)`` of a labelled dataset (of its private part).

    Raises
    ------
    InvalidArgument
        When the dataset has no labels.
    """
    if isinstance(dataset, SemiPrivate):
        return features_and_labels(dataset.private)
    if not is_labelled(dataset):
        raise InvalidArgument(f"dataset must have labels: (X, y) or Labelled(x, y), got {describe_value(dataset)}")
    x, y = dataset
    return x, y


def like(dataset: Any, x: Any, y: Any) -> Any:
    """Features and labels put together as they are in ``dataset``."""
    return Labelled(x, y) if isinstance(dataset, Labelled) else (x, y)
