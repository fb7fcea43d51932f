"""Points and labels read from what people pass, with the one line each gives when it refuses."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument

#: Doubles hold all integers up to this.
_WHOLE_DOUBLES = 2**53
#: 64 bits hold all integers below this.
_WHOLE_INTEGERS = 2**63
#: Domains of more points are not listed.
MOST_LISTED = 1 << 26
#: Coordinates up to this: differences, their sums and projections on those stay in 64 bits.
SMALL_COORDINATE = 2**28


def as_array(values: Any, name: str = "points") -> NDArray[Any]:
    """What was passed as an array.

    Raises
    ------
    InvalidArgument
        When its rows are of different lengths.

    Examples
    --------
    >>> as_array([(1, 2), (3, 4)]).shape
    (2, 2)
    """
    try:
        return np.asarray(values)
    except ValueError as error:
        raise InvalidArgument(f"{name} must have one length each, got rows of different lengths") from error


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
    array = as_array(values, "labels")
    if array.size == 0:
        return np.zeros(0, dtype=np.uint8)
    if array.ndim != 1 or array.dtype.kind not in "buif" or not ((array == 0) | (array == 1)).all():
        some = array.ravel()[:4].tolist()
        raise InvalidArgument(
            f"labels must be a sequence of 0 and 1, got {sorted(set(some)) if array.dtype.kind in 'buif' else some}"
        )
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
    array = _one_column(as_array(values))
    if array.size == 0:
        return np.zeros(0)
    if array.dtype.kind in "iu" and not -_WHOLE_DOUBLES <= int(array.min()) <= int(array.max()) <= _WHOLE_DOUBLES:
        raise InvalidArgument("points must be numbers that doubles hold: integers above 2^53 want GridThresholds")
    if array.ndim != 1 or array.dtype.kind not in "buif" or not np.isfinite(array).all():
        raise InvalidArgument(
            f"points must be a sequence of finite numbers, got an array {_array_and_shape_text(array)}"
        )
    return array.astype(np.float64)


def whole_points(values: Any, size: int) -> NDArray[np.int64]:
    """Points of {0, ..., size - 1}, shape (m,): integers, or doubles that are whole, as columns of files have them.

    Raises
    ------
    InvalidArgument
        When one is no integer in that range.

    Examples
    --------
    >>> whole_points([0.0, 7.0], 8).tolist()
    [0, 7]
    """
    array = _one_column(as_array(values))
    if array.size == 0:
        return np.zeros(0, dtype=np.int64)
    whole = array.ndim == 1 and (
        array.dtype.kind in "iu"
        or (array.dtype.kind == "f" and bool((np.isfinite(array) & (array == np.floor(array))).all()))
    )
    if not whole or int(array.min()) < 0 or int(array.max()) >= size:
        raise InvalidArgument(
            f"points must be integers from 0 to {size - 1}, got an array {_array_and_shape_text(array)}"
        )
    return array.astype(np.int64)


def _one_column(array: NDArray[Any]) -> NDArray[Any]:
    """A table of one column, as files and data frames have it, as that column."""
    return array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array


def listed_points(size: int) -> NDArray[np.int64]:
    """All points of {0, ..., size - 1}, shape (size,).

    Raises
    ------
    InvalidArgument
        When there are more than 2^26.

    Examples
    --------
    >>> listed_points(3).tolist()
    [0, 1, 2]
    """
    if size > MOST_LISTED:
        raise InvalidArgument(f"domain_size must be at most {MOST_LISTED:,} for all points to be listed, got {size:,}")
    return np.arange(size, dtype=np.int64)


def numbers_of_bits(values: Any) -> NDArray[np.int64]:
    """Tuples of d bits as the integers 0, ..., 2^d - 1 that they spell, the first bit the highest; shape (m,).

    In this order of {0,1}^d, the lexicographic one, they are the points of ``GridThresholds(2**d)``; as masks they are
    those of ``Parities(d)``.

    Raises
    ------
    InvalidArgument
        When they are no tuples of at most 62 bits, all of one length.

    Examples
    --------
    >>> numbers_of_bits([(0, 1, 1), (1, 0, 0)]).tolist()
    [3, 4]
    """
    array = as_array(values)
    if array.size == 0:
        return np.zeros(len(array), dtype=np.int64)
    if array.ndim != 2 or array.shape[1] > 62 or array.dtype.kind not in "buif" or not np.isin(array, (0, 1)).all():
        raise InvalidArgument(
            f"points must be tuples of at most 62 bits, all of one length, got an array {_array_text(array)} of shape "
            f"{array.shape}"
        )
    return np.asarray(array.astype(np.int64) @ (1 << np.arange(array.shape[1] - 1, -1, -1, dtype=np.int64)))


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
    array = as_array(values)
    if array.size == 0:
        return np.zeros((0, 2 if columns is None else columns), dtype=np.int64)
    if array.ndim != 2 or (columns is not None and array.shape[1] != columns):
        wanted = "(m, columns)" if columns is None else f"(m, {columns})"
        raise InvalidArgument(f"points must have the shape {wanted}, got {array.shape}")
    if array.dtype.kind not in "buif" or not np.isfinite(array).all():
        raise InvalidArgument(f"points must have finite coordinates, got an array {_array_text(array)}")
    if array.dtype.kind == "u" and int(array.max()) >= _WHOLE_INTEGERS:
        raise InvalidArgument(f"points must be integers below 2^63 or doubles, got an array {_array_text(array)}")
    return array.astype(np.float64 if array.dtype.kind == "f" else np.int64)


def exact_points(values: Any, columns: int = 2) -> tuple[NDArray[Any], int]:
    """Points of the plane (or of ``columns`` dimensions) as integers over a common denominator, shape (m, columns).

    Integers, fractions and doubles (which are fractions) are taken as exactly what they are; the integers have 64 bits
    where all are small enough to be multiplied there, and are Python's elsewhere.

    Raises
    ------
    InvalidArgument
        When they are not rows of so many finite numbers.

    Examples
    --------
    >>> points, scale = exact_points([(0.5, 1), (Fraction(1, 3), 2)])
    >>> points.tolist(), scale
    ([[3, 6], [2, 12]], 6)
    """
    if not isinstance(values, np.ndarray):  # numpy would round a mixture of integers, fractions and doubles
        try:
            listed = list(values)
        except TypeError as error:
            raise InvalidArgument(f"points must have the shape (m, {columns}), got {values!r}") from error
        kinds = {type(c) for row in listed if isinstance(row, list | tuple) for c in row}
        values = as_array(listed) if len(kinds) == 1 and kinds <= {int, float, bool} else _as_objects(listed)
        if kinds == {int} and values.dtype.kind == "f":  # integers for which numpy knows doubles alone
            values = _as_objects(listed)
    array = values
    if array.size == 0:
        return np.zeros((0, columns), dtype=np.int64), 1
    if array.ndim != 2 or array.shape[1] != columns:
        raise InvalidArgument(f"points must have the shape (m, {columns}), got {array.shape}")
    if array.dtype.kind in "biuf" and _whole_and_small(array):
        return array.astype(np.int64), 1
    try:
        if array.dtype.kind == "f":
            exact = [c.as_integer_ratio() for c in array.ravel().tolist()]
        else:
            numbers = (c.item() if isinstance(c, np.generic) else c for c in array.ravel().tolist())
            exact = [Fraction(c).as_integer_ratio() for c in numbers]
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidArgument(f"points must have finite coordinates, got an array {_array_text(array)}") from error
    scale = math.lcm(*{denominator for _, denominator in exact})
    whole = np.array([above * (scale // below) for above, below in exact], dtype=object).reshape(array.shape)
    return as_small(whole), scale


def _as_objects(rows: list[Any]) -> NDArray[Any]:
    try:
        return np.array(rows, dtype=object)
    except ValueError as error:
        raise InvalidArgument("points must have one length each, got rows of different lengths") from error


def _whole_and_small(array: NDArray[Any]) -> bool:
    as_doubles = array.astype(np.float64)
    return bool(((np.abs(as_doubles) <= SMALL_COORDINATE) & (as_doubles == np.floor(as_doubles))).all())


def as_small(whole: NDArray[Any]) -> NDArray[Any]:
    """Python's integers as an array of 64 bits where all are small enough to be multiplied there."""
    if whole.dtype == object and all(abs(c) <= SMALL_COORDINATE for c in whole.ravel()):
        return whole.astype(np.int64)
    return whole


def as_fractions(whole: NDArray[Any], scale: int) -> NDArray[Any]:
    """What :func:`exact_points` read: integers over a common denominator, as integers where that is 1.

    Examples
    --------
    >>> as_fractions(np.array([[1, 2]]), 2).tolist()
    [[Fraction(1, 2), Fraction(1, 1)]]
    """
    if scale == 1:
        return whole
    return np.array([Fraction(int(c), scale) for c in whole.ravel()], dtype=object).reshape(whole.shape)


def integer_rows(hypotheses: Any, columns: int) -> NDArray[Any]:
    """Normals of hyperplanes through the origin: integers, shape (k, columns), no row of zeros.

    Raises
    ------
    InvalidArgument
        When they are something else.

    Examples
    --------
    >>> integer_rows([(1, 0), (2**70, 1)], 2).dtype.kind
    'O'
    """
    rows = as_array(hypotheses, "hypotheses")
    if rows.dtype.kind == "f" and isinstance(hypotheses, list | tuple):  # integers for which numpy knows doubles alone
        exact = np.array(hypotheses, dtype=object)
        rows = exact if all(isinstance(c, int) for c in exact.ravel()) else rows
    if rows.size == 0:
        return np.zeros((0, columns), dtype=np.int64)
    if rows.ndim != 2 or rows.shape[1] != columns or rows.dtype.kind not in "iuO" or not (rows != 0).any(axis=1).all():
        raise InvalidArgument(
            f"hypotheses must be rows of {columns} integers, not all 0, got an array {_array_text(rows)} of shape "
            f"{rows.shape}"
        )
    if rows.dtype.kind == "O":
        return rows
    # shorter integers would overflow where directions are compared, and unsigned ones become doubles among others
    return rows.astype(np.int64 if int(rows.max()) < _WHOLE_INTEGERS else object)


def primitive_rows(rows: NDArray[Any]) -> NDArray[Any]:
    """Integer rows, none of zeros, divided by their common factors; of 64 bits where all are small.

    Examples
    --------
    >>> primitive_rows(np.array([[4, -6], [0, 3]])).tolist()
    [[2, -3], [0, 1]]
    """
    return as_small(rows // np.gcd.reduce(np.abs(rows), axis=1)[:, None])


def exact_products(rows: NDArray[Any], whole: NDArray[Any]) -> NDArray[Any]:
    """``w . x`` for integer rows w (k, n) and x (m, n), shape (k, m); exact, whatever numbers hold it.

    Examples
    --------
    >>> exact_products(np.array([[1, 2]]), np.array([[3, -1], [0, 1]])).tolist()
    [[1.0, 2.0]]
    """
    largest, furthest = (max(abs(int(array.max(initial=0))), abs(int(array.min(initial=0)))) for array in (rows, whole))
    reach = max(1, largest) * max(1, furthest) * rows.shape[1]  # no sum is larger, and no number
    # products of doubles are the faster ones
    kind: Any = np.float64 if reach < _WHOLE_DOUBLES else np.int64 if reach < _WHOLE_INTEGERS else object
    return np.asarray(rows.astype(kind) @ whole.astype(kind).T)


def exact_signs(rows: NDArray[Any], whole: NDArray[Any]) -> NDArray[np.uint8]:
    """``w . x >= 0`` for integer rows w (k, n) and x (m, n), shape (k, m); exact."""
    return (exact_products(rows, whole) >= 0).astype(np.uint8)


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


def _array_text(array: NDArray[Any]) -> str:
    return f"of {array.dtype} with {array.ravel()[:3].tolist()}"


def _array_and_shape_text(array: NDArray[Any]) -> str:
    return _array_text(array) if array.ndim == 1 else f"{_array_text(array)} in the shape {array.shape}"
