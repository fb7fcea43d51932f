"""What is counted by trying all: ordered sums, and VC dimensions of classes given as labels."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to write a number as an ordered sum of numbers of at least 0.

    >>> list(compositions(2, 2))
    [(0, 2), (1, 1), (2, 0)]
    """
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)


def vc_dimension(labels: NDArray[Any]) -> int:
    """The largest set of columns on which all patterns occur, by trying all.

    >>> vc_dimension(np.array([[0, 0], [0, 1], [1, 1]]))
    1
    """
    found = 0
    rows = np.asarray(labels, dtype=np.int64)
    for size in range(1, rows.shape[1] + 1):
        if 1 << size > len(rows):
            break
        codes = 1 << np.arange(size)
        if not any(
            len(np.unique(rows[:, list(some)] @ codes)) == 1 << size
            for some in combinations(range(rows.shape[1]), size)
        ):
            break
        found = size
    return found
