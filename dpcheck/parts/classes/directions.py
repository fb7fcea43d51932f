"""Directions of the plane in the order of their angles, in exact arithmetic."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Coordinates of so many bits have keys of 64.
_SMALL_BITS = 29
#: Doubles hold coordinates of so many bits, and none of them is so small that it is rounded more than others.
_DOUBLE_BITS = 1000
#: Angles computed in doubles are off by less than a tenth of this: two roundings, the inverse tangent, a turn added.
_ROUNDING = 2.0**-46


def by_angle(vectors: NDArray[Any]) -> NDArray[Any]:
    """Integer vectors, shape (k, 2), none of zeros, in the order of their angles in [0, 2 pi); exact.

    Examples
    --------
    >>> by_angle(np.array([(0, -1), (-1, 0), (2, 1), (1, 0)])).tolist()
    [[1, 0], [2, 1], [-1, 0], [0, -1]]
    """
    return vectors[np.argsort(angular_ranks(vectors), kind="stable")]


def angular_ranks(vectors: NDArray[Any]) -> NDArray[np.int64]:
    """The place of each direction in the order of the angles in [0, 2 pi), from 0; equal for equal directions only.

    Exact: doubles only sort what they tell apart.

    Parameters
    ----------
    vectors : integer array of shape (k, 2), of 64 bits or of Python's integers, no row of zeros

    Examples
    --------
    >>> angular_ranks(np.array([(1, 0), (2, 2), (2**70, 2**70 + 1), (0, 5), (-1, -1), (3, 3)])).tolist()
    [0, 1, 2, 3, 4, 1]
    """
    if not len(vectors):
        return np.zeros(0, dtype=np.int64)
    bits = _bits(vectors)
    if not _SMALL_BITS < bits < _DOUBLE_BITS:
        return np.unique(_angular_keys(vectors, bits), return_inverse=True)[1].reshape(-1)
    x, y = vectors.astype(np.float64).T
    angles = np.arctan2(y, x)
    angles[y < 0] += 2 * np.pi
    order = np.argsort(angles, kind="stable")
    close = np.diff(angles[order]) < _ROUNDING
    unclear = np.flatnonzero(np.append(False, close) | np.append(close, False))
    new = np.ones(len(order), dtype=bool)
    if len(unclear):
        keys = _angular_keys(vectors[order[unclear]], bits)
        settled = np.argsort(keys, kind="stable")
        order[unclear] = order[unclear[settled]]
        new[unclear[1:]] = keys[settled][1:] != keys[settled][:-1]
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.cumsum(new) - 1
    return ranks


def _bits(vectors: NDArray[Any]) -> int:
    return max(1, int(vectors.max()).bit_length(), int(vectors.min()).bit_length())


def _angular_keys(vectors: NDArray[Any], bits: int) -> NDArray[Any]:
    """An integer for each direction that increases with its angle in [0, 2 pi); for coordinates of so many bits."""
    sizes = np.abs(vectors if bits <= _SMALL_BITS else vectors.astype(object))
    x, y = vectors.T
    quarter = np.select([(x > 0) & (y >= 0), (x <= 0) & (y > 0), (x < 0) & (y <= 0)], [0, 1, 2], 3)
    # turned back by its quarters, a vector has its sizes as coordinates, exchanged for an odd number of quarters
    along, across = np.where(quarter % 2 == 0, sizes.T, sizes.T[::-1])
    steep = across > along
    smaller, larger = np.where(steep, along, across), np.where(steep, across, along)
    # different fractions with denominators below 2^bits differ by more than 2^(-2 bits): so many digits tell them apart
    first = (smaller << bits) // larger
    slope = (first << bits) + (((smaller << bits) - first * larger) << bits) // larger
    right_angle = 2 << (2 * bits)
    return np.asarray(np.where(steep, right_angle - slope, slope) + quarter.astype(sizes.dtype) * right_angle)
