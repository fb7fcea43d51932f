"""Bits of floats: the lowest set bit (a feature under exact numerics) and the bits that real numerics rounds away."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Low-order bits that real-valued claims do not speak of; more than any careful sampler leaks, far below any noise.
DROPPED_BITS = 13
#: Of doubles this many low-order bits are kept apart: those above are a part of the number that its rules see.
WATCHED_BITS = 40
#: Of so many numbers of an output each bit is watched.
MOST_WATCHED = 4096
#: Values this much smaller than the usual size of a coordinate are taken as 0 under real numerics.
NEGLIGIBLE = 2.0**-40
#: The exponent given to 0, which is a multiple of every power of two.
ZERO_BIT = 1100.0
#: The mark of an answer without low-order bits: no float, 0, not finite.
NO_BITS = np.uint64(255)

#: What answers must share to be compared stands from this bit on.
ALIKE = np.uint64(8 + WATCHED_BITS)

_MASK = (1 << DROPPED_BITS) - 1
_WATCHED_MASK = (1 << WATCHED_BITS) - 1
#: Trailing zeros of every pattern of dropped bits.
_TRAILING: NDArray[np.uint64] = np.array(
    [DROPPED_BITS] + [(i & -i).bit_length() - 1 for i in range(1, _MASK + 1)], dtype=np.uint64
)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def lowest_bits(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The exponent of the lowest set bit of each float: x is an odd multiple of 2 to that power.

    Zero gets 1100; what is not finite gets NaN. A float32 held in a double has the same lowest bit.
    Source: Mironov, On significance of the least significant bits for differential privacy (CCS 2012).

    Examples
    --------
    >>> lowest_bits(np.array([1.0, 0.75, 6.0, 2.0**-1074, 0.0])).tolist()
    [0.0, -2.0, 1.0, -1074.0, 1100.0]
    """
    finite = np.isfinite(values)
    mantissa, exponent = np.frexp(np.where(finite, values, 1.0))
    whole = np.ldexp(mantissa, 53).astype(np.int64)
    low = np.frexp((whole & -whole).astype(np.float64))[1] - 1  # the power of two is exact in a double
    found = np.where(whole == 0, ZERO_BIT, exponent - 53 + low)
    return np.asarray(np.where(finite, found, np.nan))


def low_order(
    values: NDArray[np.floating],
    choice: NDArray[np.uint64],
    salt: np.uint64,
    singles: NDArray[np.bool_] | None = None,
) -> NDArray[np.uint64]:
    """What the dropped bits of one coordinate of each answer are, and what they may be compared with.

    Parameters
    ----------
    values : floats of 4 or 8 bytes, shape (n, d), as they came
    choice : shape (n,)
        Which coordinate to look at, modulo d (a function of the rounded answer alone).
    salt : what kind of answers these are
    singles : shape (d,), which coordinates of doubles are of single precision; none when left out

    Returns
    -------
    shape (n,): the last byte counts the trailing zeros among the 13 low-order bits (255: there are none to speak
    of); the 40 bits before it are the low-order bits themselves (of single precision 13, then zeros); the rest is
    alike for answers of one kind, coordinate, sign and power of two.

    Examples
    --------
    >>> found = low_order(np.array([[1.0], [1.5], [1.0 + 2**-52], [0.0]]), np.zeros(4, np.uint64), np.uint64(7))
    >>> (found & np.uint64(255)).tolist(), len(set((found >> ALIKE).tolist()[:3]))
    ([13, 13, 0, 255], 1)
    """
    width = values.shape[1]
    if width == 0 or values.dtype.itemsize not in (4, 8):
        return np.full(len(values), NO_BITS)
    place = choice % np.uint64(width)
    one = values[:, 0] if width == 1 else values[np.arange(len(values)), place.astype(np.int64)]
    single = np.full(len(one), one.dtype.itemsize == 4)
    if singles is not None and one.dtype.itemsize == 8:
        single = singles[place.astype(np.int64)]
    with np.errstate(over="ignore", invalid="ignore"):
        short = one.astype(np.float32).view(np.uint32).astype(np.uint64)
        bits = np.where(single, short, one.astype(np.float64).view(np.uint64))
        top = np.where(single, bits >> np.uint64(23), bits >> np.uint64(52))  # the sign and the power of two
        alike = ((top | (place << np.uint64(16))) ^ salt) * _GOLDEN
    dropped = bits & np.uint64(_MASK)
    zeros = np.where(np.isfinite(one) & (one != 0), _TRAILING[dropped], NO_BITS)
    kept = np.where(single, dropped, bits & np.uint64(_WATCHED_MASK))
    return np.asarray((alike >> ALIKE << ALIKE) | (kept << np.uint64(8)) | zeros)


def trailing_zeros(dropped: NDArray[np.uint64]) -> NDArray[np.int64]:
    """How many of the 13 low-order bits are zeros at the end.

    >>> trailing_zeros(np.array([0, 1, 8], np.uint64)).tolist()
    [13, 0, 3]
    """
    return np.asarray(_TRAILING[dropped].astype(np.int64))


def rounded(values: NDArray[Any], scale: NDArray[np.float64] | None = None) -> NDArray[Any]:
    """Floats to (precision of their dtype - 13) significant bits; negligible ones, and -0.0, to 0.

    Examples
    --------
    >>> bool(rounded(np.array([[1.0 + 2**-50]]))[0, 0] == 1.0), bool(rounded(np.array([[1.5]]))[0, 0] == 1.5)
    (True, True)
    """
    if values.dtype.itemsize not in (4, 8) or not values.dtype.isnative:
        values = values.astype(np.float32 if values.dtype.itemsize == 4 else np.float64)
    whole: Any = np.uint32 if values.dtype.itemsize == 4 else np.uint64
    half, mask = whole(1 << (DROPPED_BITS - 1)), whole((1 << DROPPED_BITS) - 1)
    finite = np.isfinite(values)
    bits = np.ascontiguousarray(values).view(whole)
    with np.errstate(over="ignore", invalid="ignore"):
        short = ((bits + half) & ~mask).view(values.dtype)
        if scale is not None and len(scale) == values.shape[1]:
            short = np.where(np.abs(short) < NEGLIGIBLE * scale, 0.0, short).astype(values.dtype)
        return np.asarray(np.where(finite, short, np.where(np.isnan(values), np.nan, values)) + values.dtype.type(0.0))
