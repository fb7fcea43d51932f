"""Members that have no place of their own, taken together: what is said of a set whose members never come again.

A member of a set, or a value under a key, that is another one in each answer has no column. What such members hold is
merged by kind of part: numbers in ascending order, how many members have each character at a place, each digit, each
text. So a record in any one of them shows, however they are called.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.leaf import Leaf

#: At most so many members that are no numbers are taken together.
MOST_POOLED = 1024
#: Places from the front and from the end of texts whose characters are counted, and so many codes.
PLACES_COUNTED, CODES_COUNTED = 8, 128
#: Of members with several numbers each so many places have a list of their own; the others share one.
PLACES_APART = 8
#: Of members that are numbers, or lists of these, in all, so many numbers.
MOST_NUMBERS = 8192
#: The ends of paths of merged parts: in ascending order; how often; the bits of floats, how often; who has it.
ASCENDING, COUNTS, BIT_COUNTS, HELD = " ascending", " counts", " bit counts", " held"

#: The ends of paths of leaves that name the members of a container.
_NAMES = (" member", " key", " attribute", " column")
#: Where in so many of the first answers there was a member that no other had, members do not come again.
NEW_IN = 0.25

_CHARACTER = " character"


def never_again(parts: Sequence[Sequence[Leaf]]) -> frozenset[str]:
    """The paths of containers that have members which no other answer has, again and again.

    Examples
    --------
    >>> sets = [[Leaf(" member", None, (f"'{n}'", "'a'"))] for n in range(12)]
    >>> never_again(sets), never_again([sets[0]] * 12)
    (frozenset({''}), frozenset())
    """
    seen: dict[str, list[tuple[str, ...]]] = {}
    for leaves in parts:
        for leaf in leaves:
            name = leaf.path.removesuffix(HELD)
            if leaf.numbers is None and name.endswith(_NAMES):
                seen.setdefault(name.rpartition(" ")[0], []).append(leaf.members)
    found = set()
    for path, answers in seen.items():
        times = Counter(member for members in answers for member in members)
        new = sum(any(times[member] == 1 for member in members) for members in answers)
        if new >= max(2.0, NEW_IN * len(answers)) or new == len(answers) == 1:
            found.add(path)
    return frozenset(found)


def taken_together(members: Iterable[Sequence[Leaf]]) -> list[Leaf]:
    """The parts of all members merged by their paths, in a fixed order.

    Parameters
    ----------
    members : sequences of leaves
        The parts of each member; their paths say of what kind of member, not of which.

    Examples
    --------
    >>> one, two = [Leaf("[0]", np.array([2.5]))], [Leaf("[0]", np.array([1.5]))]
    >>> [(leaf.path, leaf.numbers.tolist()) for leaf in taken_together([one, two])][:1]
    [('[0] ascending', [1.5, 2.5])]
    """
    numbers: dict[str, list[NDArray[np.generic]]] = {}
    held: dict[str, dict[str, int]] = {}
    for leaves in members:
        for leaf in leaves:
            if leaf.numbers is not None:
                numbers.setdefault(leaf.path, []).append(leaf.numbers)
            else:
                among = held.setdefault(leaf.path, {})
                for member in leaf.members:
                    among[member] = among.get(member, 0) + 1
    found: list[Leaf] = []
    for name, arrays in sorted(numbers.items()):
        if name.endswith((COUNTS, BIT_COUNTS)):
            found.append(Leaf(name, _summed(arrays)))
        elif name.endswith(ASCENDING):
            found.append(Leaf(name, np.sort(_joined(arrays))[:MOST_NUMBERS]))
        elif name.endswith(_CHARACTER):
            found += _characters(name, arrays)
        else:
            found += _numbers(name, arrays)
    for name, times in sorted(held.items()):
        several = (f"{member} ({count} times)" for member, count in times.items() if count > 1)
        found.append(Leaf(name + ("" if name.endswith(HELD) else HELD), None, tuple(sorted([*times, *several]))))
    return found


def _summed(arrays: Sequence[NDArray[np.generic]]) -> NDArray[np.generic]:
    total = np.zeros(max(array.size for array in arrays))
    for array in arrays:
        total[: array.size] += array.astype(np.float64)
    return total


def _characters(name: str, texts: Sequence[NDArray[np.generic]]) -> list[Leaf]:
    """How many texts have each character at each place from the front, from the end and anywhere; sums by place."""
    counts = np.zeros((2 * PLACES_COUNTED + 1, CODES_COUNTED))
    longest = min(max((text.size for text in texts), default=0), 8 * PLACES_COUNTED)
    totals = np.zeros(longest)
    for text in texts:
        codes = text.astype(np.int64)
        totals[: min(longest, len(codes))] += codes[:longest]
        codes = codes % CODES_COUNTED
        counts[-1] += np.bincount(codes, minlength=CODES_COUNTED)
        front, end = codes[:PLACES_COUNTED], codes[::-1][:PLACES_COUNTED]
        counts[np.arange(len(front)), front] += 1
        counts[PLACES_COUNTED + np.arange(len(end)), end] += 1
    return [Leaf(f"{name} totals{COUNTS}", totals), Leaf(f"{name}{COUNTS}", counts.reshape(-1))]


def _numbers(name: str, arrays: Sequence[NDArray[np.generic]]) -> list[Leaf]:
    """Numbers by place in ascending order, and how many have each of their bits."""
    found: list[Leaf] = []
    widest = max(array.size for array in arrays)
    for place in range(min(widest, PLACES_APART)):
        some = [array[place : place + 1] for array in arrays if array.size > place]
        found += numbers_together(name if widest == 1 else f"{name}[{place}]", _joined(some))
    if widest > PLACES_APART:
        found += numbers_together(f"{name}[later]", _joined([array[PLACES_APART:] for array in arrays]))
    return found


def _joined(arrays: Sequence[NDArray[np.generic]]) -> NDArray[np.generic]:
    kinds = {array.dtype.kind for array in arrays if array.size}
    if kinds <= {"b", "i"}:
        return np.concatenate([array.astype(np.int64) for array in arrays])
    if kinds <= {"b", "u"}:
        return np.concatenate([array.astype(np.uint64) for array in arrays])
    return np.concatenate([array.astype(np.float64) for array in arrays])


def numbers_together(name: str, numbers: NDArray[np.generic]) -> list[Leaf]:
    """Numbers in ascending order, and how many have each of their bits.

    Examples
    --------
    >>> one, bits = numbers_together("", np.array([3, 1]))
    >>> one.numbers.tolist(), bits.numbers[:3].tolist()
    ([1, 3], [2, 1, 0])
    """
    there = np.sort(numbers[~np.isnan(numbers)] if numbers.dtype.kind == "f" else numbers)[:MOST_NUMBERS]
    if not len(there):
        return []
    words = np.ascontiguousarray(there).view(np.uint8).reshape(len(there), -1)
    counts = np.unpackbits(words, axis=1, bitorder="little").sum(axis=0, dtype=np.int64)
    ending = BIT_COUNTS if there.dtype.kind == "f" else COUNTS
    return [Leaf(f"{name}{ASCENDING}", there), Leaf(f"{name}{ending}", counts)]
