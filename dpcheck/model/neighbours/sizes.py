"""How many records a relation is about, and how many pairs are wanted of it."""

from __future__ import annotations

from typing import Any

from dpcheck.model.data import size_of
from dpcheck.model.errors import InvalidArgument

#: Pairs made from a dataset unless asked otherwise: more than any budget tries at a few hundred calls each.
DEFAULT_LIMIT = 1000


def checked_size(size: Any) -> int | range | None:
    """A declared size as given.

    Raises
    ------
    InvalidArgument
        When it is no int of at least 0, no range of such, and not None.
    """
    whole = isinstance(size, int) and not isinstance(size, bool) and size >= 0
    if size is None or whole or (isinstance(size, range) and size and min(size[0], size[-1]) >= 0):
        checked: int | range | None = size
        return checked
    raise InvalidArgument(f"size must be a number of records (at least 0) or a range of them, got {size!r}")


def checked_limit(limit: Any) -> int:
    """A limit as given.

    Raises
    ------
    InvalidArgument
        When it is no int of at least 1.
    """
    if isinstance(limit, int) and not isinstance(limit, bool) and limit >= 1:
        return limit
    raise InvalidArgument(f"limit must be a number of pairs, at least 1, got {limit!r}")


def size_problem(size: int | range | None, records: int) -> str | None:
    """Why a dataset of so many records is not of a declared size, or None.

    >>> size_problem(range(3, 6), 6)
    'has 6 records; the declared size is 3 to 5'
    """
    if size is None or records == size or (isinstance(size, range) and records in size):
        return None
    declared = size if isinstance(size, int) else f"{min(size[0], size[-1])} to {max(size[0], size[-1])}"
    return f"has {records} records; the declared size is {declared}"


def checked_size_of(size: int | range | None, dataset: Any) -> None:
    """Nothing, for a dataset of a declared size.

    Raises
    ------
    InvalidArgument
        For any other.
    """
    trouble = size_problem(size, size_of(dataset))
    if trouble:
        raise InvalidArgument(f"dataset {trouble}")
