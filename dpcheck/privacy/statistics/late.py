"""Parts of answers that none of the first answers had: put into columns by a hash of their place.

A key, a branch or a length that comes now and then has no column of its own, because columns are fixed by the first
answers. What it holds goes into a few columns for all such parts, by a hash of its path and position; of those the ones
that tell most are chosen as everywhere (:mod:`dpcheck.privacy.statistics.wide`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.leaf import Leaf, digest, hash_text

#: Columns for numbers by their position, for the last number of a part, and for members; words for whole numbers.
LATE_NUMBERS, LATE_LAST, LATE_MEMBERS, LATE_WORDS = 48, 16, 16, 2
#: All columns of late parts.
LATE = LATE_NUMBERS + LATE_LAST + LATE_MEMBERS
#: Of one part so many numbers have a column by their position; the last one has one too.
POSITIONS = 12
#: Contents told apart of a part of the first answers without columns: more are never the same twice, and say nothing.
MOST_CONTENTS = 8

Settled = Mapping[str, frozenset[str] | None]


@dataclass
class Late:
    """What one answer has of parts that the first answers did not have."""

    values: dict[int, float] = field(default_factory=dict)
    words: list[NDArray[np.generic]] = field(default_factory=list)

    def see(self, leaf: Leaf, covered: int = 0) -> None:
        """Enter a part, of numbers those after the first ``covered``."""
        if leaf.numbers is None:
            for member in leaf.members:
                self._add(LATE - 1 - hash_text(f"{leaf.path} {member}") % LATE_MEMBERS, 1.0)
            return
        numbers = leaf.numbers[covered:]
        start = _hash_of_place(leaf.path)
        for place, value in enumerate(numbers[:POSITIONS].tolist()):
            self._add((start + covered + place) % LATE_NUMBERS, float(value))
        if len(numbers):
            self._add(LATE_NUMBERS + start % LATE_LAST, float(numbers[-1]))
            if not leaf.path.endswith((" character", " length")):
                self.words.append(numbers)

    def _add(self, column: int, value: float) -> None:
        # the absence of a column means that nothing stood there: what is not finite leaves a number
        value = min(max(value, -1e300), 1e300) if not math.isnan(value) else 0.5
        self.values[column] = self.values.get(column, 0.0) + value


@lru_cache(maxsize=4096)
def _hash_of_place(path: str) -> int:
    return hash_text(path)


def settled_contents(
    parts: Sequence[Sequence[Leaf]], covered: frozenset[str]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What the parts without columns held in the first answers; of those that were never the same twice, nothing.

    Examples
    --------
    >>> parts = [[Leaf(" type", None, ("dict",))], [Leaf(" type", None, ("dict",))]]
    >>> [(path, len(held)) for path, held in settled_contents(parts, frozenset())]
    [(' type', 1)]
    """
    found: dict[str, dict[str, None]] = {}
    for leaves in parts:
        for leaf in leaves:
            if leaf.path not in covered:
                found.setdefault(leaf.path, {})[digest(leaf)] = None
    return tuple((path, tuple(held) if len(held) <= MOST_CONTENTS else ()) for path, held in found.items())


def is_settled(leaf: Leaf, settled: Settled) -> bool:
    """Whether a part without columns holds what it held in the first answers, or was another in each of these."""
    if leaf.path not in settled:
        return False
    held = settled[leaf.path]
    return held is None or digest(leaf) in held
