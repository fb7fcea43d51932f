"""Counting queries on a finite domain as a boolean matrix, one row per query; datasets as points of the domain."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import describe_value
from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms.parameters import count

#: All pairs of so many queries are formed at most.
_MOST_PAIRS = 1 << 22
#: A matrix has so many truth values at most.
_MOST_CELLS = 1 << 30


def threshold_queries(domain_size: int) -> NDArray[np.bool_]:
    """``{x : x < t}`` for t from 0 to N, on the points 0, ..., N - 1; shape (N + 1, N).

    Raises
    ------
    InvalidArgument
        When N is no integer of at least 1, or there are more than 2^30 truth values.

    Examples
    --------
    >>> threshold_queries(2).astype(int).tolist()
    [[0, 0], [1, 0], [1, 1]]
    """
    size = count("domain_size", domain_size)
    if size * (size + 1) > _MOST_CELLS:
        raise InvalidArgument(
            f"domain_size must be at most {math.isqrt(_MOST_CELLS) - 1:,} for a matrix of queries, got {size:,}: "
            "ThresholdSanitiser needs none"
        )
    points = np.arange(size)
    return np.asarray(points[None, :] < np.arange(len(points) + 1)[:, None])


def interval_queries(domain_size: int) -> NDArray[np.bool_]:
    """``{x : i <= x < j}`` for 0 <= i < j <= N and the empty set: the differences of two thresholds.

    Raises
    ------
    InvalidArgument
        When N is no integer of at least 1, or there are more than 2^22 pairs of thresholds.

    Examples
    --------
    >>> interval_queries(2).astype(int).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    if (count("domain_size", domain_size) + 1) ** 2 > _MOST_PAIRS:
        raise InvalidArgument(
            f"domain_size must be at most {math.isqrt(_MOST_PAIRS) - 1:,} for a matrix of intervals, got "
            f"{domain_size:,}: ThresholdSanitiser needs none"
        )
    return symmetric_differences(threshold_queries(domain_size))


def symmetric_differences(queries: Any) -> NDArray[np.bool_]:
    """Where two of the queries differ, for all pairs of them; each set once, shape (q', N).

    Parameters
    ----------
    queries : matrix of truth values, shape (q, N)
        What the hypotheses of a class say on the domain: the result is then the class C^xor on it.

    Raises
    ------
    InvalidArgument
        When it is no such matrix, or there are more than 2^22 pairs of its rows.

    Source: beimel2015:def-3.1.

    Examples
    --------
    >>> symmetric_differences([[1, 0, 0], [1, 1, 0]]).astype(int).tolist()
    [[0, 0, 0], [0, 1, 0]]
    """
    rows = np.unique(checked_queries(queries), axis=0)
    if len(rows) ** 2 > _MOST_PAIRS:
        raise InvalidArgument(f"queries must have at most {_MOST_PAIRS:,} pairs of rows, got {len(rows):,} rows")
    return np.asarray(np.unique((rows[:, None, :] ^ rows[None, :, :]).reshape(-1, rows.shape[1]), axis=0))


def checked_queries(queries: Any) -> NDArray[np.bool_]:
    """The matrix as truth values, shape (q, N), q and N at least 1.

    Raises
    ------
    InvalidArgument
        When it is no matrix of truth values, or of zeros and ones.
    """
    matrix = np.asarray(queries)
    good = matrix.ndim == 2 and matrix.size > 0 and matrix.dtype.kind in "biuf"
    if not good or (matrix.dtype.kind != "b" and not np.isin(matrix, (0, 1)).all()):
        raise InvalidArgument(
            "queries must be a matrix of truth values, a row for each query and a column for each point of the domain, "
            f"got {describe_value(queries)}"
        )
    return matrix.astype(np.bool_)


def points_of_domain(dataset: Any, domain_size: int) -> NDArray[np.int64]:
    """The records of a dataset as integers from 0 to N - 1, shape (n,).

    Raises
    ------
    InvalidArgument
        When a record is none.

    Examples
    --------
    >>> points_of_domain([2, 0, 2.0], 3).tolist()
    [2, 0, 2]
    """
    try:
        given = np.asarray(dataset)
    except ValueError:  # records of several lengths
        given = np.empty((1, 1))
    if given.size == 0 and given.ndim == 1:
        return np.zeros(0, dtype=np.int64)
    if given.ndim != 1 or given.dtype.kind not in "iuf":
        raise InvalidArgument(
            f"dataset must hold points of the domain {{0, ..., {domain_size - 1}}}, got {describe_value(dataset)}"
        )
    outside = ~((given >= 0) & (given < domain_size) & (given == np.floor(given)))
    if outside.any():
        row = int(outside.argmax())
        raise InvalidArgument(
            f"dataset must hold points of the domain {{0, ..., {domain_size - 1}}}, got {given[row].item()!r} in "
            f"record {row}"
        )
    return given.astype(np.int64)
