"""Which chunk each record goes to: the split of alg-2, which the paper leaves arbitrary.

What one record changes depends on it. Where each record's chunk is drawn by itself ("random") or computed from the
record alone ("by_record", a function), adding or removing a record changes one chunk. Where it is counted from the
record's position ("blocks", as the paper's chunks of n/k records read; "round_robin"; an array), a record more or less
moves others to other chunks, and only replacing a record changes one chunk.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import digest
from dpcheck.model.errors import InvalidArgument, nearest

#: The splits with a name.
SplitName = Literal["random", "by_record", "blocks", "round_robin"]
_NAMES = get_args(SplitName)
#: A name, a function (record (x, label) -> chunk), or the chunk of each position, shape (n,).
Split: TypeAlias = "SplitName | Callable[[Any], int] | NDArray[Any]"


def checked_split(split: Any) -> Any:
    """A split as it is used: a name, a function, or an array of integers.

    Raises
    ------
    InvalidArgument
        When it is none.

    Examples
    --------
    >>> checked_split([0, 1, 0]).tolist()
    [0, 1, 0]
    """
    if isinstance(split, str):
        if split not in _NAMES:
            raise InvalidArgument(
                f"split must be one of {', '.join(_NAMES)}, a function or an array, got {split!r}"
                f"{nearest(split, _NAMES)}"
            )
        return split
    if callable(split):
        return split
    found = np.asarray(split)
    if found.ndim != 1 or (found.size and found.dtype.kind not in "iu") or (found.size and found.min() < 0):
        raise InvalidArgument(f"split must be the chunk of each position, integers of at least 0, got {split!r}")
    return found.astype(np.intp)


def is_drawn(split: Any) -> bool:
    """Whether the chunks are drawn anew for each run."""
    return isinstance(split, str) and split == "random"


def goes_by_position(split: Any) -> bool:
    """Whether a record's chunk depends on where it stands, and so on the records before it."""
    return not callable(split) and not (isinstance(split, str) and split in ("random", "by_record"))


def chunk_numbers(
    x: Any, y: Any, models: int, split: Any, coins: NDArray[Any] | None = None, salt: int = 0
) -> NDArray[np.intp]:
    """The chunk, 0 to k - 1, of each of n records.

    Parameters
    ----------
    x : n points
    y : n labels
    models : int, at least 1
        k.
    split : a name, a function (record -> integer, of which the remainder by k is taken) or an array of shape (n,)
    coins : integers from 0 to k - 1, shape (n,)
        For "random": each record's chunk.
    salt : int
        For "by_record": another salt is another split. It must not depend on the records.

    Raises
    ------
    InvalidArgument
        When an array has another length, or names chunks that are not there.

    Examples
    --------
    >>> chunk_numbers([5, 6, 7, 8], [0, 0, 1, 1], 2, "blocks").tolist()
    [0, 0, 1, 1]
    >>> chunk_numbers([5, 6, 7, 8], [0, 0, 1, 1], 2, "round_robin").tolist()
    [0, 1, 0, 1]
    """
    n = len(y)
    if callable(split):
        chosen = [split(_record(x, y, row)) for row in range(n)]
        try:
            return np.array([int(each) % models for each in chosen], dtype=np.intp)
        except (TypeError, ValueError, OverflowError) as error:
            raise InvalidArgument(f"split must give an integer for each record: {error}") from None
    if isinstance(split, np.ndarray):
        if len(split) != n or (n and split.max() >= models):
            raise InvalidArgument(
                f"split must name a chunk from 0 to {models - 1} for each of {n} records, got {len(split)} of them up "
                f"to {split.max(initial=0)}"
            )
        return split
    if split == "random":
        if coins is None:
            raise InvalidArgument("coins must be given for split='random', got none")
        return np.asarray(coins, dtype=np.intp)
    if split == "by_record":
        return (record_hashes(x, y, salt) % np.uint64(models)).astype(np.intp)
    places = np.arange(n)
    return places * models // max(1, n) if split == "blocks" else places % models


def rows_of_chunks(numbers: NDArray[np.intp], models: int) -> list[NDArray[np.intp]]:
    """The rows of each of k chunks, in their order.

    Examples
    --------
    >>> [rows.tolist() for rows in rows_of_chunks(np.array([1, 0, 1]), 3)]
    [[1], [0, 2], []]
    """
    order = np.argsort(numbers, kind="stable")
    return np.split(order, np.searchsorted(numbers[order], np.arange(1, models)))


def record_hashes(x: Any, y: Any, salt: int = 0) -> NDArray[np.uint64]:
    """A number for each record that depends on the record and the salt alone, shape (n,).

    Arrays of numbers are hashed at once; in other containers each record by itself, and its values without the types
    that other records give their container (a longer text, a fraction among integers).

    Examples
    --------
    >>> one = record_hashes(np.array([[0.5], [0.7]]), np.array([0, 1]))
    >>> other = record_hashes(np.array([[0.7]]), np.array([1]))
    >>> bool(one[1] == other[0])
    True
    """
    if isinstance(x, np.ndarray) and isinstance(y, np.ndarray) and x.dtype.kind in "biuf" and y.dtype.kind in "biuf":
        columns = [*x.reshape(len(x), -1).T.astype(np.float64), y.astype(np.float64)] if len(x) else []
        found = np.full(len(x), _mixed(np.uint64(salt % 2**64)), dtype=np.uint64)
        for column in columns:
            # -0.0 and 0.0 are one number
            found = _mixed(found ^ (column + 0.0).view(np.uint64))
        return found
    return np.array([_hash(_record(x, y, row), salt) for row in range(len(y))], dtype=np.uint64)


def _mixed(words: Any) -> Any:
    """The finaliser of splitmix64 (Steele, Lea & Flood 2014): a bijection of 64 bits in which all bits meet."""
    with np.errstate(over="ignore"):
        words = words + np.uint64(0x9E3779B97F4A7C15)
        words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return words ^ (words >> np.uint64(31))


def _record(x: Any, y: Any, row: int) -> tuple[Any, Any]:
    point = x.iloc[row] if hasattr(x, "iloc") else x[row]
    label = y.iloc[row] if hasattr(y, "iloc") else y[row]
    return point, label.item() if isinstance(label, np.generic) else label


def _plain(value: Any) -> Any:
    """A record without what its container lends it: the type of an array is that of all its rows together."""
    if hasattr(value, "to_numpy"):
        value = value.to_numpy()
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return list(map(_plain, value))
    # 1, 1.0 and True are one number, as in arrays
    return int(value) if isinstance(value, bool) or (isinstance(value, float) and value.is_integer()) else value


def _hash(record: Any, salt: int) -> int:
    text = digest(_plain(record))["sha256"]
    if text is None:
        raise InvalidArgument(f"records must have a text of their own for split='by_record', got {record!r}")
    return int.from_bytes(hashlib.blake2b(f"{salt}:{text}".encode(), digest_size=8).digest(), "big")
