"""Complete finite families: all classes on a few points, decided one by one, exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.bool_]


@dataclass(frozen=True)
class Enumeration:
    """What came of looking at every member of a family.

    Parameters
    ----------
    family : in words, which family, and that it is complete
    count : how many distinct instances
    failure : the first that fails, in words; empty when none does
    """

    family: str
    count: int
    failure: str = ""


def all_classes(points: int) -> Bits:
    """Every non-empty class of functions on some points, one per row, functions as columns.

    Shape (2^(2^points) - 1, 2^points); column i is the function whose value at point j is bit j of i.

    Examples
    --------
    >>> all_classes(2).shape
    (15, 4)
    """
    functions = 2**points
    numbers = np.arange(1, 2**functions, dtype=np.uint64)
    return ((numbers[:, None] >> np.arange(functions, dtype=np.uint64)) & np.uint64(1)).astype(bool)


def restrictions(classes: Bits, mask: int) -> Bits:
    """Which patterns on the points of a mask each class shows: shape (classes, 2^points), columns by pattern & mask."""
    functions = classes.shape[1]
    shown = np.zeros_like(classes)
    for pattern in range(functions):
        shown[:, pattern & mask] |= classes[:, pattern]
    return shown


def differences(classes: Bits) -> Bits:
    """The classes of symmetric differences of two members.

    Examples
    --------
    >>> differences(np.array([[False, True, True, False]])).tolist()
    [[True, False, False, True]]
    """
    functions = classes.shape[1]
    places = np.arange(functions)
    found = np.zeros_like(classes)
    for i in range(functions):
        found |= classes[:, places ^ i] & classes[:, [i]]
    return found


def vc_dimensions(classes: Bits) -> NDArray[np.int64]:
    """The VC dimension of each class."""
    functions = classes.shape[1]
    found = np.zeros(len(classes), dtype=np.int64)
    for mask in range(functions):
        size = mask.bit_count()
        shattered = restrictions(classes, mask).sum(axis=1) == 2**size
        found = np.where(shattered, np.maximum(found, size), found)
    return found


def growth(classes: Bits, size: int) -> NDArray[np.int64]:
    """The largest number of patterns on ``size`` points, for each class."""
    functions = classes.shape[1]
    found = np.zeros(len(classes), dtype=np.int64)
    for mask in range(functions):
        if mask.bit_count() == size:
            found = np.maximum(found, restrictions(classes, mask).sum(axis=1))
    return found
