"""Columns made from the coordinates of an answer: sums, how many values differ, differences, lowest bits.

What no rule on single coordinates sees in time: two that are equal, two that share one noise, bits that only one
dataset can give.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.low_order import lowest_bits

Floats = NDArray[np.float64]

#: Up to this many coordinates every two are compared; beyond it each with the next.
ALL_PAIRS = 8
#: At most this many differences of neighbouring coordinates.
MOST_DIFFERENCES = 32
#: Lowest bits of at most this many coordinates.
MOST_BITS = 32
#: Differences are counted in steps of this part of the usual size: two that share one noise then differ by the same.
DIFFERENCE_STEP = -26
#: The columns made from all coordinates together.
WHOLE = ("sum", "sum of absolute values", "largest", "number of different values")


def pairs_compared(columns: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Which coordinates are subtracted from which: all when few, else each from the next.

    >>> pairs_compared([0, 1, 4])
    ((0, 1), (0, 4), (1, 4))
    >>> len(pairs_compared(range(100)))
    32
    """
    if len(columns) <= ALL_PAIRS:
        return tuple((one, two) for place, one in enumerate(columns) for two in columns[place + 1 :])
    return tuple(pairwise(columns[: MOST_DIFFERENCES + 1]))


def whole_columns(numbers: Floats) -> Floats:
    """The columns :data:`WHOLE` of coordinates of shape (n, d), in which NaN is a number that is not there.

    Examples
    --------
    >>> whole_columns(np.array([[1.0, -2.0, 1.0], [np.nan, 3.0, 4.0]])).tolist()
    [[0.0, 4.0, 1.0, 2.0], [7.0, 7.0, 4.0, 2.0]]
    """
    there = ~np.isnan(numbers)
    filled = np.where(there, numbers, 0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        total, size = filled.sum(axis=1), np.abs(filled).sum(axis=1)
        largest = np.where(there, numbers, -np.inf).max(axis=1, initial=-np.inf)
    largest = np.where(there.any(axis=1), largest, np.nan)
    ordered = np.sort(numbers, axis=1)  # NaN last
    new = (ordered[:, 1:] != ordered[:, :-1]) & ~np.isnan(ordered[:, 1:])
    return np.column_stack([total, size, largest, new.sum(axis=1) + there.any(axis=1)]).astype(np.float64)


def difference_columns(columns: Floats, pairs: Sequence[tuple[int, int]], sizes: Floats) -> Floats:
    """Differences of coordinates, in steps of 2^-26 of their usual size; shape (n, len(pairs)).

    Examples
    --------
    >>> noise = np.array([0.1, 2.7, 31.4])
    >>> set(difference_columns(np.column_stack([1.0 + noise, noise]), [(0, 1)], np.ones(2))[:, 0].tolist())
    {1.0}
    """
    one, two = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    with np.errstate(invalid="ignore", over="ignore"):
        gaps = columns[:, one] - columns[:, two]
        usual = np.maximum(sizes[one], sizes[two])
        step = np.ldexp(1.0, np.frexp(np.where((usual > 0) & np.isfinite(usual), usual, 1.0))[1] + DIFFERENCE_STEP)
        step = np.maximum(step, np.nextafter(0.0, 1.0))  # of sizes next to 0 it would be 0
        whole = np.round(gaps / step) * step
        return np.asarray(np.where(np.isfinite(whole), whole, gaps) + 0.0)


def bit_columns(columns: Floats, chosen: Sequence[int]) -> Floats:
    """The exponents of the lowest set bits of the chosen coordinates; shape (n, len(chosen))."""
    return lowest_bits(columns[:, list(chosen)])
