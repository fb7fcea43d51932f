"""Uniform integers below a count that was computed in doubles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def integers_below(count: int, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """``size`` independent uniform integers from 0 to ``count - 1``, of which the same random bits are thrown away.

    Such a count differs in its last bits between processors, whose vector instructions round exponentials their own
    way. ``Generator.integers`` rejects by these bits, so that all later draws would differ too; here an integer below
    the next power of 2 is drawn, and drawn again where it is not below the count.

    Parameters
    ----------
    count : int, from 1 to 2^62
    size : int
    rng : Generator

    Examples
    --------
    >>> few, more = (integers_below(2**60 + 3 * k, 5, np.random.default_rng(0)) for k in (1, 2))
    >>> few.tolist() == more.tolist()
    True
    """
    power = 1 << (count - 1).bit_length()
    drawn = rng.integers(power, size=size)
    while len(beyond := np.flatnonzero(drawn >= count)):
        drawn[beyond] = rng.integers(power, size=len(beyond))
    return drawn
