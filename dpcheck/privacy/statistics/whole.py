"""Whole numbers as words of 64 bits: integers, doubles that are whole, and numbers rounded to some places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.low_order import DROPPED_BITS

#: Doubles below this hold whole numbers exactly.
LARGEST_WHOLE = 2.0**53
#: Rounded numbers are looked for up to so many decimal places.
MOST_DECIMALS = 9
#: By so many bits they must be shorter than their type, so that the bits that real numerics drops do not reach them.
SPARE_BITS = DROPPED_BITS + 2
#: The same of single precision, which would have hardly a digit left: a number that was rounded to places lies on their
#: grid whatever is dropped, and a real one does by chance once in so many powers of two.
SPARE_BITS_OF_SINGLES = 7
#: So many different numbers, and this part of those that are finite, must be rounded to the same places.
ENOUGH_ROUNDED, LEAST_ROUNDED = 4, 0.05
#: Fewer places are taken where they hold this part of the numbers that more would.
MOSTLY = 0.9
#: Words made of all whole numbers of an output together: their sum, and whether the bits are odd or even.
TOGETHER = ("the sum of all whole numbers", "the bits of all whole numbers, added without carry")


def decimals_of(arrays: Sequence[NDArray[Any]], *, every: bool = False) -> int:
    """To how many decimal places these floats, or some of them, were rounded (0: whole numbers); -1 where none were.

    ``every``: all that are finite must have been.

    Examples
    --------
    >>> decimals_of([np.array([0.25, -1.5, 3.75, 0.1])]), decimals_of([np.array([1.0, 2.0, 4.0, 7.0])])
    (2, 0)
    >>> some = np.append(np.random.default_rng(0).normal(size=9), [12.0, 15.0, 19.0, 70.0])
    >>> decimals_of([some]), decimals_of([some], every=True)
    (0, -1)
    >>> decimals_of([np.array([0.1, 99.99, 3.14, 2.0], np.float32)])
    2
    >>> decimals_of([np.random.default_rng(0).normal(size=9)])
    -1
    """
    known = [array[np.isfinite(array)].reshape(-1) for array in arrays if array.dtype.kind == "f"]
    values = np.unique(np.concatenate(known)) if known else np.zeros(0)
    if len(values) == 0 or values.dtype.itemsize not in (4, 8):
        return -1
    if (values == np.floor(values)).all():
        return 0 if np.abs(values).max() < LARGEST_WHOLE else -1
    counts = [int(at_places(values, places).sum()) for places in range(MOST_DECIMALS + 1)]
    most = max(counts)
    if most < max(ENOUGH_ROUNDED, len(values) if every else LEAST_ROUNDED * len(values)):
        return -1
    return next(places for places, count in enumerate(counts) if count >= (most if every else MOSTLY * most))


def at_places(values: NDArray[Any], places: int) -> NDArray[np.bool_]:
    """Which of some floats were rounded to so many decimal places (0: are whole numbers); none that is not finite.

    >>> at_places(np.array([0.25, 3.0, 1 / 3, np.inf]), 2).tolist()
    [True, True, False, False]
    """
    doubles = values.astype(np.float64)
    most = LARGEST_WHOLE if places == 0 else 2.0 ** _kept_bits(values.dtype)
    with np.errstate(invalid="ignore", over="ignore"):
        few = np.abs(doubles) * 10.0**places < most
        return np.asarray(few & (np.round(doubles, places).astype(values.dtype) == values))


def _kept_bits(kind: np.dtype[Any]) -> int:
    """How many bits a rounded number may have, in units of its last place."""
    return int(np.finfo(kind).nmant) + 1 - (SPARE_BITS_OF_SINGLES if kind.itemsize == 4 else SPARE_BITS)


def whole_of(values: NDArray[Any], decimals: Sequence[int] = (0,), *, bits: bool = True) -> NDArray[np.uint64]:
    """Whole numbers as 64 bits, of floats rounded to decimal places (for all or by position) units of the last place.

    Floats that are no such number give their own bits where these are events (``bits``), else 0; those of -1 places
    are none.

    Examples
    --------
    >>> whole_of(np.array([1.25, 0.5]), [2]).tolist(), whole_of(np.array([0.3, 2.0]), bits=False).tolist()
    ([125, 50], [0, 2])
    """
    if values.dtype.kind == "b":
        return values.astype(np.uint64)
    if values.dtype.kind != "f":
        return values.astype(np.int64).view(np.uint64) if values.dtype.kind == "i" else values.astype(np.uint64)
    doubles = np.ascontiguousarray(values, dtype=np.float64)
    # numbers beyond those of the first answers are rounded as the last of these
    places = np.array([*decimals, *[decimals[-1]] * max(0, doubles.shape[-1] - len(decimals))])
    places = places[: doubles.shape[-1]] if len(decimals) > 1 else places[:1]
    with np.errstate(invalid="ignore", over="ignore"):
        units = doubles * 10.0 ** np.maximum(places, 0)
        near = np.rint(units)
        kept = _kept_bits(values.dtype)
        rounded = (np.abs(units) < 2.0**kept) & (np.abs(units - near) <= np.abs(units) * 2.0 ** -(kept + 1))
        rounded &= places > 0
        whole = rounded | ((np.abs(doubles) < LARGEST_WHOLE) & (doubles == near) & (places == 0))
        found = np.where(whole, near, 0.0).astype(np.int64).view(np.uint64)
    return np.where(whole, found, doubles.view(np.uint64) if bits else np.uint64(0))


def taken_together(whole: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The words of :data:`TOGETHER`, shape (n, 2), of whole numbers of shape (n, k).

    >>> taken_together(np.array([[3, 5]], np.uint64)).tolist()
    [[8, 6]]
    """
    with np.errstate(over="ignore"):
        total = whole.sum(axis=1, dtype=np.uint64)
    return np.column_stack([total, np.bitwise_xor.reduce(whole, axis=1)])
