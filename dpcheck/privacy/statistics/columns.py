"""Answers put into the columns of their layout, each row from its own answer alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.alike import Alike, Parts, alike, parts_of, shapes_of
from dpcheck.privacy.statistics.anywhere import Marks, in_columns, items_of_alike, items_of_each, marks_of_arrays
from dpcheck.privacy.statistics.derived import WHOLE, bit_columns, difference_columns, whole_columns
from dpcheck.privacy.statistics.late import Late, is_settled
from dpcheck.privacy.statistics.layout import MEMBER_GROUPS, Layout
from dpcheck.privacy.statistics.leaf import Leaf, hash_text
from dpcheck.privacy.statistics.leaves import BESIDE_NUMBERS, LEFT_OUT, Pooled, Probe, leaves_of
from dpcheck.privacy.statistics.low_order import MOST_WATCHED, rounded
from dpcheck.privacy.statistics.whole import TOGETHER, taken_together, whole_of
from dpcheck.privacy.statistics.wide import Block, Wide, digits_each

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Placed:
    """Coordinates of n answers as they came, and the bytes of the float each is (0: not a float).

    ``singles`` are those of the first numbers of all that are of single precision, where all have their place.
    """

    values: Floats
    bytes_of: NDArray[np.uint8]
    block: Block | None = None
    left_out: tuple[str, ...] = ()
    singles: NDArray[np.bool_] = field(default_factory=lambda: np.zeros((0, 0), np.bool_))


def place_array(values: NDArray[Any], layout: Layout) -> Placed:
    """The coordinates of answers that are number arrays of one shape and dtype, shape (n, ...)."""
    # other kinds are among the answers: what these arrays have that none of the first had is late
    if layout.late or any(
        path.endswith(BESIDE_NUMBERS) for path, _, _ in (*layout.numbers, *layout.wide, *layout.digits)
    ):
        return place_answers(list(values), layout)
    flat = values.reshape(len(values), -1) if values.size else values.reshape(len(values), 0)
    placed = _empty(len(values), layout)
    for path, start, size in layout.numbers:
        if path == "":
            width = min(size, flat.shape[1])
            placed.values[:, start : start + width] = flat[:, :width]
            placed.bytes_of[:, start : start + width] = values.dtype.itemsize if values.dtype.kind == "f" else 0
        elif path == " length" and values.ndim > 1:
            placed.values[:, start] = flat.shape[1]
    if not layout.slots:
        return placed
    numbers = flat[:, :0]
    whole = np.zeros((len(values), layout.whole_numbers), np.uint64)
    for path, start, size in layout.wide:
        if path == "" and start == 0:
            numbers = flat[:, :size]
    if numbers.shape[1] < layout.numbers_in_all:  # shorter than the first answers
        padded = np.full((len(values), layout.numbers_in_all), np.nan)
        padded[:, : numbers.shape[1]] = numbers
        numbers = padded
    for path, start, size, decimals in digits_of(layout):
        if path == "":
            some = whole_of(flat[:, :size], decimals, bits=layout.bits_are_events)
            whole[:, start : start + some.shape[1]] = some
    marks = marks_of_arrays(values, exact=layout.bits_are_events) if layout.marked else None
    return replace(placed, block=Block(numbers, _with_words_together(whole, layout), marks))


def digits_of(layout: Layout) -> list[tuple[str, int, int, tuple[int, ...]]]:
    """The parts whose digits are looked at: path, first of their words, how many numbers, and their decimal places."""
    decimals = layout.decimals or ((0,),) * len(layout.digits)
    return [(*one, places) for one, places in zip(layout.digits, decimals, strict=True)]


def _with_words_together(whole: NDArray[np.uint64], layout: Layout) -> NDArray[np.uint64]:
    for place, (_, start, size) in enumerate(layout.together):
        first = layout.known_whole_numbers + len(TOGETHER) * place
        whole[:, first : first + len(TOGETHER)] = taken_together(whole[:, start : start + size])
    return whole


def place_answers(
    answers: Sequence[Any], layout: Layout, probe: Probe | None = None, groups: Sequence[Alike] | None = None
) -> Placed:
    """The coordinates of answers of any kind; those of one answer depend on it alone.

    ``groups`` are those of one form (:func:`dpcheck.privacy.statistics.alike.alike`), where they are known already.
    """
    placed = replace(
        _empty(len(answers), layout),
        singles=np.zeros((len(answers), min(layout.known_numbers, MOST_WATCHED)), np.bool_),
    )
    where = _Where.of(layout)
    everything = np.full((len(answers), layout.numbers_in_all), np.nan)
    listed = range(sum(size for _, _, size in layout.wide), layout.known_numbers)
    everything[:, listed.start : listed.stop] = 0.0
    whole = np.zeros((len(answers), layout.whole_numbers), np.uint64)
    left_out: dict[str, None] = {}
    floats: _Floats = {}
    marks: list[Marks] = [_NO_MARKS] * len(answers)
    at_once = np.zeros(len(answers), bool)
    for group in alike(answers) if groups is None else groups:
        ordinary = group.some(group.ordinary())
        if _place_alike(ordinary, layout, where, _Filling(placed, everything, whole, marks, left_out)):
            at_once[ordinary.places] = True
    one_by_one = np.flatnonzero(~at_once).tolist()
    held: list[list[Leaf]] = []
    for row in one_by_one:
        answer = answers[row]
        late = Late()
        leaves = leaves_of(answer, probe, where.pooled)
        if layout.marked:
            held.append(leaves)
        for leaf in leaves:
            if leaf.path == LEFT_OUT:
                left_out.update(dict.fromkeys(leaf.members))
            elif leaf.numbers is not None:
                covered = _place_numbers(row, leaf.path, leaf.numbers, where, placed, everything, whole, floats)
                if layout.late and leaf.numbers.size > covered and not is_settled(leaf, where.settled):
                    late.see(leaf, covered)
            elif leaf.path in where.groups or leaf.path in where.listed:
                _place_members(row, leaf, where, placed, everything)
            elif layout.late and not is_settled(leaf, where.settled):
                late.see(leaf)
        if late.values:
            places = [layout.known_numbers + column for column in late.values]
            everything[row, places] = list(late.values.values())
            words = _late_words(late, layout.bits_are_events)
            whole[row, layout.first_late_word : layout.first_late_word + len(words)] = words
    if layout.marked:
        each = items_of_each([answers[row] for row in one_by_one], held, exact=layout.bits_are_events)
        for row, found_there in zip(one_by_one, each, strict=True):
            marks[row] = found_there
    for (path, _, _), some in floats.items():  # at once: one by one they cost more than all else
        start, _, decimals = where.digits[path]
        rows = [row for row, _ in some]
        found = whole_of(_as_floats(np.stack([numbers for _, numbers in some])), decimals, bits=where.bits)
        whole[rows, start : start + found.shape[1]] = found
    marked = in_columns(marks) if layout.marked else None
    block = Block(everything, _with_words_together(whole, layout), marked) if layout.slots else None
    return replace(placed, block=block, left_out=tuple(left_out))


_NO_MARKS: Marks = np.zeros(0, np.uint16)


@dataclass(frozen=True)
class _Filling:
    """What answers are put into, row by row or many rows at once."""

    placed: Placed
    everything: Floats
    whole: NDArray[np.uint64]
    marks: list[Marks]
    left_out: dict[str, None]


def _place_alike(group: Alike, layout: Layout, where: _Where, into: _Filling) -> bool:
    """Put answers of one form into their columns at once; False, and nothing put, where that cannot be done."""
    parts = parts_of(group.form, shapes_of(group)) if len(group.places) and not where.pooled else None
    if parts is None:
        return False
    late = Late()
    for leaf, filled in zip(parts.leaves, parts.filled, strict=True):
        if not layout.late or leaf.path == LEFT_OUT:
            continue
        covered = where.covered(leaf) if filled is not None else 0
        known = leaf.path in where.groups or leaf.path in where.listed
        if (filled is not None and filled.numbers.size <= covered) or (filled is None and known):
            continue
        one = leaf
        if filled is not None and not filled.constant:
            if leaf.path in where.settled and where.settled[leaf.path] is None:
                continue
            numbers = group.numbers(filled)
            if not (numbers == numbers[:1]).all():
                return False  # what is late, or as it was at first, is told answer by answer
            one = replace(leaf, numbers=numbers[0])
        if not is_settled(one, where.settled):
            late.see(one, covered)
    if layout.marked and not _mark_alike(group, parts, layout, into.marks):
        return False
    rows = group.places
    for leaf, filled in zip(parts.leaves, parts.filled, strict=True):
        if leaf.path == LEFT_OUT:
            into.left_out.update(dict.fromkeys(leaf.members))
        elif filled is not None:
            if leaf.path in where.wide or leaf.path in where.digits or leaf.path in where.numbers:
                _place_numbers_alike(rows, leaf.path, group.numbers(filled), where, into)
        elif leaf.path in where.groups or leaf.path in where.listed:
            _place_members(rows, leaf, where, into.placed, into.everything)
    if late.values:
        places = np.array([layout.known_numbers + column for column in late.values])
        into.everything[np.ix_(rows, places)] = list(late.values.values())
        words = _late_words(late, layout.bits_are_events)
        into.whole[rows, layout.first_late_word : layout.first_late_word + len(words)] = words
    return True


def _place_numbers_alike(
    rows: NDArray[np.int64], path: str, numbers: NDArray[Any], where: _Where, into: _Filling
) -> None:
    """The same as :func:`_place_numbers` for many rows, numbers of shape (n, k)."""
    count = numbers.shape[1]
    if path in where.wide:
        start, size = where.wide[path]
        into.everything[rows, start : start + min(size, count)] = numbers[:, :size]
        into.placed.singles[rows, start : start + min(size, count)] = numbers.dtype == np.float32
    if path in where.digits:
        start, size, decimals = where.digits[path]
        some = numbers[:, :size]
        floats = numbers.dtype.kind == "f"
        found = whole_of(_as_floats(some), decimals, bits=where.bits) if floats else whole_of(some)
        into.whole[rows, start : start + found.shape[1]] = found
    slot = where.numbers.get(path)
    if slot is not None:
        width = min(slot[1], count)
        into.placed.values[rows, slot[0] : slot[0] + width] = numbers[:, :width]
        if numbers.dtype.kind == "f":
            into.placed.bytes_of[rows, slot[0] : slot[0] + width] = numbers.dtype.itemsize


def _mark_alike(group: Alike, parts: Parts, layout: Layout, marks: list[Marks]) -> bool:
    """Enter the marks of answers of one form; False where they are not told by their numbers alone."""
    found = items_of_alike(
        parts.two,
        parts.leaves,
        [group.numbers(filled) if filled is not None and not filled.constant else None for filled in parts.filled],
        len(group.places),
        exact=layout.bits_are_events,
        arrays=group.arrays(parts.two[0]),
    )
    if found is None:
        return False
    for place, row in zip(group.places.tolist(), found, strict=True):
        marks[place] = row
    return True


#: Floats whose digits are looked at, by their path and how many they are: (row, numbers).
_Floats = dict[tuple[str, int, str], list[tuple[int, NDArray[Any]]]]


@dataclass(frozen=True)
class _Where:
    """The columns of a layout by path."""

    numbers: dict[str, tuple[int, int]]
    wide: dict[str, tuple[int, int]]
    digits: dict[str, tuple[int, int, tuple[int, ...]]]
    bits: bool
    members: dict[str, dict[str, int]]
    groups: dict[str, int]
    listed: dict[str, dict[str, int]]
    settled: dict[str, frozenset[str] | None]
    pooled: Pooled

    @staticmethod
    def of(layout: Layout) -> _Where:
        members: dict[str, dict[str, int]] = {}
        for path, member, column in layout.members:
            members.setdefault(path, {})[member] = column
        first = sum(size for _, _, size in layout.wide)
        listed: dict[str, dict[str, int]] = {}
        for path, some in layout.listed:
            listed[path] = {member: first + place for place, member in enumerate(some)}
            first += len(some)
        return _Where(
            {path: (start, size) for path, start, size in layout.numbers},
            {path: (start, size) for path, start, size in layout.wide},
            {path: (start, size, decimals) for path, start, size, decimals in digits_of(layout)},
            layout.bits_are_events,
            members,
            dict(layout.groups),
            listed,
            {path: frozenset(held) if held else None for path, held in layout.settled},
            frozenset(layout.pooled),
        )

    def covered(self, leaf: Leaf) -> int:
        """How many numbers of a part have a column, as :func:`_place_numbers` says."""
        covered = self.wide[leaf.path][1] if leaf.path in self.wide else 0
        if leaf.path in self.digits:
            covered = covered or self.digits[leaf.path][1]
        return max(covered, self.numbers[leaf.path][1]) if leaf.path in self.numbers else covered


def _place_numbers(
    row: int,
    path: str,
    numbers: NDArray[Any],
    where: _Where,
    placed: Placed,
    everything: Floats,
    whole: NDArray[np.uint64],
    floats: _Floats,
) -> int:
    """Put the numbers of one part into their columns (floats with digits aside); how many of them have one."""
    covered = 0
    if path in where.wide:
        start, size = where.wide[path]
        everything[row, start : start + min(size, numbers.size)] = numbers[:size]
        placed.singles[row, start : start + min(size, numbers.size)] = numbers.dtype == np.float32
        covered = size
    if path in where.digits:
        start, size, _ = where.digits[path]
        if numbers.dtype.kind == "f":
            floats.setdefault((path, min(size, numbers.size), numbers.dtype.str), []).append((row, numbers[:size]))
        else:
            some = whole_of(numbers[:size])
            whole[row, start : start + len(some)] = some
        covered = covered or size
    slot = where.numbers.get(path)
    if slot is not None:
        width = min(slot[1], numbers.size)
        placed.values[row, slot[0] : slot[0] + width] = numbers[:width]
        if numbers.dtype.kind == "f":
            placed.bytes_of[row, slot[0] : slot[0] + width] = numbers.dtype.itemsize
        covered = max(covered, slot[1])
    return covered


def _as_floats(numbers: NDArray[Any]) -> NDArray[Any]:
    """Floats of single or double precision; others as doubles."""
    return numbers.astype(np.float32 if numbers.dtype.itemsize == 4 else np.float64)


def _place_members(
    rows: int | NDArray[np.int64], leaf: Leaf, where: _Where, placed: Placed, everything: Floats
) -> None:
    """Put the members of one part, of one answer or of several that have the same, into their columns."""
    if leaf.path in where.listed:
        spots = where.listed[leaf.path]
        for spot in [spots[member] for member in leaf.members if member in spots]:
            everything[rows, spot] = 1.0
    if leaf.path in where.groups:
        known = where.members.get(leaf.path, {})
        for member in leaf.members:
            if member in known:
                placed.values[rows, known[member]] = 1.0
            else:
                placed.values[rows, where.groups[leaf.path] + hash_text(member) % MEMBER_GROUPS] += 1.0


def _late_words(late: Late, floats: bool) -> list[np.uint64]:
    """The first and the last whole number of late parts (floats by their bits where these are events)."""
    some = [whole_of(array[[0, -1]]) for array in late.words if floats or array.dtype.kind != "f"]
    return [some[0][0], some[-1][-1]] if some else []


def _empty(count: int, layout: Layout) -> Placed:
    values = np.zeros((count, layout.plain))
    for _, start, size in layout.numbers:
        values[:, start : start + size] = np.nan
    return Placed(values, np.zeros((count, layout.plain), np.uint8))


def columns_of(placed: Placed, layout: Layout, *, exact: bool) -> Floats:
    """All columns, shape (n, len(layout.names)): coordinates (rounded unless ``exact``), then those made from them."""
    columns = placed.values if exact else _rounded(placed, np.array(layout.sizes))
    made = [columns]
    if layout.whole:
        block = placed.block if layout.wide else None
        if block:
            parts = [(0, layout.known_numbers), *((start, size) for _, start, size in layout.sums)]
            made += [_whole_in_parts(block.numbers[:, start : start + size], exact=exact) for start, size in parts]
        else:
            made.append(whole_columns(columns[:, list(layout.whole)]))
            made += [whole_columns(columns[:, start : start + size]) for _, start, size in layout.sums]
    if layout.pairs:
        made.append(difference_columns(columns, layout.pairs, np.array(layout.sizes)))
    if layout.bits:
        made.append(bit_columns(columns, layout.bits))
    if layout.slots:
        made.append(np.full((len(columns), layout.slots), np.nan))  # the game fills them
    return np.concatenate(made, axis=1)


def wide_of(placed: Placed, layout: Layout, *, exact: bool) -> Wide | None:
    """All numbers and digits for the slots of a layout; None where it has none."""
    if placed.block is None:
        return None
    return Wide((placed.block,), digits_each(layout.whole_numbers), exact)


def _whole_in_parts(numbers: NDArray[Any], *, exact: bool) -> Floats:
    """The columns made from all numbers, a few outputs at a time; their low bits are not the numbers' own.

    Unless numbers are ``exact``, those that are rounded to one are not different.
    """
    step = max(1, (1 << 16) // max(numbers.shape[1], 1))
    some = [numbers[first : first + step] for first in range(0, len(numbers), step)]
    parts = [whole_columns((part if exact else _fractions_rounded(part)).astype(np.float64)) for part in some]
    found = np.concatenate(parts) if parts else np.zeros((0, len(WHOLE)))
    with np.errstate(over="ignore"):
        return np.asarray(rounded(found))


def _fractions_rounded(numbers: NDArray[Any]) -> NDArray[Any]:
    """Floats rounded as real numbers are; those that are whole stay, for they are counts and codes."""
    if numbers.dtype.kind != "f":
        return numbers
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(np.where(numbers == np.rint(numbers), numbers, rounded(np.ascontiguousarray(numbers))))


def _rounded(placed: Placed, sizes: Floats) -> Floats:
    values = placed.values
    wide, single = placed.bytes_of == 8, placed.bytes_of == 4
    other = (placed.bytes_of > 0) & ~wide & ~single  # half and extended precision are rounded as doubles
    found = values
    if wide.any() or other.any():
        found = np.where(wide | other, rounded(values, sizes), found)
    if single.any():
        with np.errstate(over="ignore", invalid="ignore"):
            found = np.where(single, rounded(values.astype(np.float32), sizes).astype(np.float64), found)
    return found
