"""Points and labels read from what people pass, with the one line each gives when it refuses."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.errors import InvalidArgument

#: Doubles hold all integers up to this.
_WHOLE_DOUBLES = 2**53
#: Coordinates up to this: differences, their sums and projections on those stay in 64 bits.
SMALL_COORDINATE = 2**28


def labels_of(values: Any) -> NDArray[np.uint8]:
    """Labels as an array of 0 and 1, shape (n,).

    Raises
    ------
    InvalidArgument
        When one is neither.

    Examples
    --------
    >>> labels_of([True, 0, 1.0]).tolist()
    [1, 0, 1]
    """
    array = np.asarray(values)
    if array.size == 0:
        return np.zeros(0, dtype=np.uint8)
    if array.ndim != 1 or array.dtype.kind not in "buif" or not ((array == 0) | (array == 1)).all():
        raise InvalidArgument(f"labels must be a sequence of 0 and 1, got {np.unique(array.ravel()[:4]).tolist()}")
    return array.astype(np.uint8)


def real_points(values: Any) -> NDArray[np.float64]:
    """Points of the line as doubles, shape (m,).

    Raises
    ------
    InvalidArgument
        When one is no finite number, or an integer that no double holds.

    Examples
    --------
    >>> real_points([1, 2.5]).tolist()
    [1.0, 2.5]
    """
    array = np.asarray(values)
    if array.size == 0:
        return np.zeros(0)
    if array.dtype.kind in "iu" and array.size and np.abs(array.astype(np.float64)).max() > _WHOLE_DOUBLES:
        raise InvalidArgument("points must be numbers that doubles hold: integers above 2^53 want GridThresholds")
    if array.ndim != 1 or array.dtype.kind not in "buif" or not np.isfinite(array).all():
        raise InvalidArgument(f"points must be a sequence of finite numbers, got an array {_shown(array)}")
    return array.astype(np.float64)


def whole_points(values: Any, size: int) -> NDArray[np.int64]:
    """Points of {0, ..., size - 1}, shape (m,).

    Raises
    ------
    InvalidArgument
        When one is no integer in that range.

    Examples
    --------
    >>> whole_points([0, 7], 8).tolist()
    [0, 7]
    """
    array = np.asarray(values)
    if array.size == 0:
        return np.zeros(0, dtype=np.int64)
    whole = array.ndim == 1 and (
        array.dtype.kind in "iu" or (array.dtype.kind == "f" and bool((array == np.floor(array)).all()))
    )
    if not whole or int(array.min()) < 0 or int(array.max()) >= size:
        raise InvalidArgument(f"points must be integers from 0 to {size - 1}, got an array {_shown(array)}")
    return array.astype(np.int64)


def plane_points(values: Any, columns: int | None = 2) -> NDArray[Any]:
    """Points of the plane (or of ``columns`` dimensions, None for any), shape (m, columns): integers or doubles.

    Raises
    ------
    InvalidArgument
        When they have another shape, or a coordinate is no finite number.

    Examples
    --------
    >>> plane_points([(0, 1), (2, 3)]).dtype.kind
    'i'
    """
    array = np.asarray(values)
    if array.size == 0:
        return np.zeros((0, 2 if columns is None else columns), dtype=np.int64)
    if array.ndim != 2 or (columns is not None and array.shape[1] != columns):
        wanted = "(m, columns)" if columns is None else f"(m, {columns})"
        raise InvalidArgument(f"points must have the shape {wanted}, got {array.shape}")
    if array.dtype.kind not in "buif" or not np.isfinite(array).all():
        raise InvalidArgument(f"points must have finite coordinates, got an array {_shown(array)}")
    return array.astype(np.float64 if array.dtype.kind == "f" else np.int64)


def exact_plane(values: Any) -> tuple[NDArray[Any], int]:
    """Points of the plane as integers over a common denominator: an array (m, 2) of 64 bits or of Python's integers.

    Integers, fractions and doubles (which are fractions) are taken as exactly what they are.

    Raises
    ------
    InvalidArgument
        When they are not pairs of finite numbers.

    Examples
    --------
    >>> points, scale = exact_plane([(0.5, 1), (Fraction(1, 3), 2)])
    >>> points.tolist(), scale
    ([[3, 6], [2, 12]], 6)
    """
    if not isinstance(values, np.ndarray):  # numpy would round a mixture of integers, fractions and doubles
        listed = list(values)
        kinds = {type(c) for pair in listed if isinstance(pair, list | tuple) for c in pair}
        values = np.array(listed, dtype=None if len(kinds) == 1 and kinds <= {int, float, bool} else object)
    array = values
    if array.size == 0:
        return np.zeros((0, 2), dtype=np.int64), 1
    if array.ndim != 2 or array.shape[1] != 2:
        raise InvalidArgument(f"points must have the shape (m, 2), got {array.shape}")
    if array.dtype.kind in "bi" and (np.abs(array.astype(np.float64)) <= SMALL_COORDINATE).all():
        return array.astype(np.int64), 1
    try:
        exact = [Fraction(c) for c in array.ravel().tolist()]
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidArgument(f"points must have finite coordinates, got an array {_shown(array)}") from error
    scale = math.lcm(*(c.denominator for c in exact))
    whole = np.array([int(c * scale) for c in exact], dtype=object).reshape(array.shape)
    return as_small(whole), scale


def as_small(whole: NDArray[Any]) -> NDArray[Any]:
    """Python's integers as an array of 64 bits where all are small enough to be multiplied there."""
    if whole.dtype == object and all(abs(c) <= SMALL_COORDINATE for c in whole.ravel()):
        return whole.astype(np.int64)
    return whole


def whole_number(name: str, value: object, least: int, most: int) -> int:
    """A parameter that counts.

    Raises
    ------
    InvalidArgument
        When it is no integer between the two.
    """
    if isinstance(value, bool) or not hasattr(value, "__index__") or not least <= int(value.__index__()) <= most:
        raise InvalidArgument(f"{name} must be an integer from {least} to {most}, got {value!r}")
    return int(value.__index__())


def distinct_rows(labels: NDArray[Any]) -> NDArray[np.intp]:
    """The places of the first of each kind of row, in increasing order, for rows of 0 and 1 of shape (k, m)."""
    if labels.shape[1] == 0 or len(labels) < 2:
        return np.arange(min(len(labels), 1))
    packed = np.ascontiguousarray(np.packbits(labels, axis=1))
    as_one = packed.view(np.dtype((np.void, packed.shape[1])))[:, 0]
    return np.sort(np.unique(as_one, return_index=True)[1])


def _shown(array: NDArray[Any]) -> str:
    return f"of {array.dtype} with {array.ravel()[:3].tolist()}"
