"""Answers of one form taken at once: those that differ in nothing but their numbers become columns of numbers.

A dictionary of the same keys, a list of the same types: what is made of such an answer (its parts, its token) is made
for one of them, and shows where each of its numbers goes. Where that is, is found and not assumed: the numbers of one
answer are replaced by marked ones, and the marks are looked for in what comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.execution.answers import Portrait
from dpcheck.execution.handover import PLAIN_TYPES
from dpcheck.privacy.statistics.leaf import Leaf
from dpcheck.privacy.statistics.leaves import leaves_of

#: So many answers of one form at least are taken at once: what it takes to begin is paid for by so many.
LEAST_ALIKE = 8
#: Longer texts are part of no form; answers with more numbers, or deeper containers, are taken one by one.
LONGEST_LABEL, MOST_NUMBERS, DEEPEST_FORM = 64, 1 << 14, 8
#: Forms of portraits whose parts stand in one order.
_PORTRAYED = frozenset({"fields", "is"})
#: Types of numbers that can be marked: of fewer bits there are too few marks.
MARKED = frozenset(np.dtype(kind).str for kind in ("f8", "f4", "i8", "i4", "u8", "u4", "?"))

#: How far apart the marks of two answers are that have no number in common, not even one that is rounded as others are.
APART = 1 << 20
#: The first mark of numbers of each type; marks of one type are next to each other, and exact in it and in a double.
_FIRST = {"f8": 2.0**40 + 0.5, "f4": 2.0**22, "i8": 2**41, "u8": 2**42, "i4": 2**29, "u4": 2**30}


@dataclass(frozen=True)
class Form:
    """What some answers share, as a key, and one of them."""

    key: tuple[Any, ...]
    one: Any = field(compare=False, hash=False)


@dataclass(frozen=True)
class Alike:
    """Answers of one form: which they are, and their numbers, a block of shape (n, k) for each type and each array."""

    places: NDArray[np.int64]
    form: Form
    blocks: tuple[NDArray[Any], ...]

    def ordinary(self) -> NDArray[np.bool_]:
        """Which of them have no number with something beside it: a negative zero, a NaN of other bits, an odd truth."""
        found = np.ones(len(self.places), bool)
        for block in self.blocks:
            if block.dtype.kind == "f":
                found &= ~((block == 0) & np.signbit(block)).any(axis=1)
                absent = np.isnan(block)
                if absent.any():
                    bits = np.ascontiguousarray(block).view(f"u{block.dtype.itemsize}")
                    usual = np.array(np.nan, block.dtype).view(bits.dtype)
                    found &= ~(absent & (bits != usual)).any(axis=1)
            elif block.dtype.kind == "b":
                found &= ~(np.ascontiguousarray(block).view(np.uint8) > 1).any(axis=1)
        return found

    def some(self, which: NDArray[np.bool_]) -> Alike:
        """Those of them."""
        if which.all():
            return self
        return Alike(self.places[which], self.form, tuple(block[which] for block in self.blocks))

    def arrays(self, one: Any) -> dict[int, NDArray[Any]]:
        """Of each array in an answer of the form, by its identity, what stands there in each of them, (n, ...)."""
        found = _Numbers()
        _taken(one, [], found, 0)
        blocks = self.blocks[len(self.blocks) - len(found.arrays) :]
        return {id(array): block.reshape(-1, *array.shape) for array, block in zip(found.arrays, blocks, strict=True)}

    def numbers(self, filled: Filled) -> NDArray[Any]:
        """The numbers of each of them that stand where some numbers of the form's one answer do, shape (n, k)."""
        kinds = set(filled.block.tolist())
        if len(kinds) == 1 and -1 not in kinds:
            return np.asarray(self.blocks[kinds.pop()][:, filled.column], filled.numbers.dtype)
        found = np.tile(filled.numbers.reshape(-1), (len(self.places), 1))
        for block in kinds - {-1}:
            ours = filled.block == block
            found[:, ours] = self.blocks[block][:, filled.column[ours]]
        return found


@dataclass(frozen=True)
class Filled:
    """Some numbers of one answer, and where each comes from: its block (-1: it is the same in all) and column there."""

    numbers: NDArray[Any]
    block: NDArray[np.intp]
    column: NDArray[np.intp]

    @property
    def constant(self) -> bool:
        """Whether they are the same in all answers of the form."""
        return bool((self.block < 0).all())


class _Numbers:
    """The numbers of answers of one form, one answer after the other."""

    def __init__(self) -> None:
        self.floats: list[float] = []
        self.whole: list[int] = []
        self.truths: list[bool] = []
        self.arrays: list[NDArray[Any]] = []


def _taken(value: Any, form: list[Any], found: _Numbers, depth: int) -> bool:
    """Whether an answer has a form; its numbers and what it is apart from them are entered."""
    kind = type(value)
    if kind is float:
        found.floats.append(value)
        form.append(kind)
    elif kind is int:
        found.whole.append(value)
        form.append(kind)
    elif kind is str:
        if len(value) > LONGEST_LABEL:
            return False
        form.append(value)
    elif kind is bool:
        found.truths.append(value)
        form.append(kind)
    elif kind is dict:
        if depth >= DEEPEST_FORM or not _of_one_type(value):
            return False
        form += (kind, tuple(value))
        return all(_taken(part, form, found, depth + 1) for part in value.values())
    elif kind is list or kind is tuple:
        kinds = set(map(type, value))
        form += (kind, len(value))
        if len(kinds) == 1:
            (inner,) = kinds
            if inner is float or inner is int:
                numbers: list[Any] = found.floats if inner is float else found.whole
                numbers += value
                form.append((inner,))  # no type alone: that stands for one number
                return True
        return depth < DEEPEST_FORM and all(_taken(part, form, found, depth + 1) for part in value)
    elif value is None:
        form.append(None)
    elif kind is np.ndarray or (kind in PLAIN_TYPES and issubclass(kind, np.generic)):
        dtype = value.dtype
        if dtype.str not in MARKED or dtype.metadata is not None or value.size == 0:
            return False
        found.arrays.append(value)
        form += (kind, dtype.str, value.shape)
    elif kind is Portrait:
        if depth >= DEEPEST_FORM or value.form not in _PORTRAYED or value.cut or len(value.text) > LONGEST_LABEL:
            return False
        names = tuple(name for name, _ in value.parts)
        if not _of_one_type(names):
            return False
        form += (kind, value.kind, value.form, value.text, names, value.predicted is None)
        parts = (*(part for _, part in value.parts), *(() if value.predicted is None else (value.predicted,)))
        return all(_taken(part, form, found, depth + 1) for part in parts)
    elif kind is set or kind is frozenset:
        if not _of_one_type(value):
            return False
        form += (kind, frozenset(value), *set(map(type, value)))
    else:
        return False
    return True


def _of_one_type(names: Any) -> bool:
    """Whether names are all texts or all whole numbers: of those no two are equal that are told apart elsewhere."""
    kinds = set(map(type, names))
    return kinds <= {str} or kinds == {int}


def alike(values: Sequence[Any]) -> list[Alike]:
    """The answers that are taken at once, by their forms; those that are in none are taken one by one.

    Examples
    --------
    >>> found = alike([{"a": 1.0}] * 8 + [{"b": 2.0}, "text", {"a": 3.0}])
    >>> [(one.places.tolist(), one.blocks[0][-2:].tolist()) for one in found]
    [([0, 1, 2, 3, 4, 5, 6, 7, 10], [[1.0], [3.0]])]
    """
    known: dict[tuple[Any, ...], tuple[list[int], list[_Numbers]]] = {}
    for place, value in enumerate(values):
        form: list[Any] = []
        numbers = _Numbers()
        try:
            if _taken(value, form, numbers, 0):
                places, held = known.setdefault(tuple(form), ([], []))
                places.append(place)
                held.append(numbers)
        except TypeError:  # a class whose own class cannot be hashed
            continue
    found = []
    for key, (places, held) in known.items():
        if len(places) < LEAST_ALIKE:
            continue
        blocks = _blocks(held)
        if blocks is not None:
            found.append(Alike(np.array(places), Form(key, values[places[0]]), blocks))
    return found


def _blocks(held: Sequence[_Numbers]) -> tuple[NDArray[Any], ...] | None:
    count = len(held)
    try:
        plain = [
            np.array([one.floats for one in held], dtype=np.float64),
            np.array([one.whole for one in held], dtype=np.int64),
            np.array([one.truths for one in held], dtype=np.bool_),
        ]
    except OverflowError:  # whole numbers beyond 64 bits, which have parts of their own
        return None
    arrays = [np.array([one.arrays[k] for one in held]).reshape(count, -1) for k in range(len(held[0].arrays))]
    blocks = (*plain, *arrays)
    size = sum(block.shape[1] for block in blocks)
    return blocks if size <= MOST_NUMBERS else None


def _replaced(value: Any, blocks: Sequence[Iterator[Any]], arrays: Iterator[NDArray[Any]]) -> Any:
    """An answer with other numbers in the places of its own, in the order of :func:`_taken`."""
    kind = type(value)
    if kind is float:
        return float(next(blocks[0]))
    if kind is int:
        return int(next(blocks[1]))
    if kind is bool:
        return bool(next(blocks[2]))
    if kind is dict:
        return {name: _replaced(part, blocks, arrays) for name, part in value.items()}
    if kind is list or kind is tuple:
        return kind([_replaced(part, blocks, arrays) for part in value])
    if kind is Portrait:
        parts = tuple((name, _replaced(part, blocks, arrays)) for name, part in value.parts)
        predicted = None if value.predicted is None else _replaced(value.predicted, blocks, arrays)
        return replace(value, parts=parts, predicted=predicted)
    if kind is np.ndarray:
        return next(arrays).reshape(value.shape).astype(value.dtype)
    if issubclass(kind, np.generic):
        return next(arrays).astype(value.dtype)[0]
    return value


def places_of(
    form: Form, shapes: tuple[tuple[str, int], ...], read: Callable[[Any], Sequence[NDArray[Any]] | None]
) -> list[Filled] | None:
    """Where the numbers of an answer stand in what is read from it; None where that cannot be told.

    Parameters
    ----------
    form : Form
    shapes : (type, numbers) of each block
    read : callable
        Reads arrays from an answer, as many and as long for all answers of the form.
    """
    offset, total, owner = _layout_of_marks(shapes)
    bits = range(len(owner.get("b1", ())).bit_length())
    ways = [(0, -1), (total, -1), *((0, one) for one in bits)]
    runs = [read(_marked(form, shapes, offset, shift, bit)) for shift, bit in ways]
    read_so = [run for run in runs if run is not None]
    if len({len(run) for run in read_so}) != 1 or len(read_so) < len(runs):
        return None
    found = []
    for seen in zip(*read_so, strict=True):
        if len({(one.shape, one.dtype) for one in seen}) > 1:
            return None
        filled = _decoded(seen[0], [one.reshape(-1).astype(np.float64) for one in seen], owner, total)
        if filled is None:
            return None
        found.append(filled)
    return found


def _layout_of_marks(
    shapes: Sequence[tuple[str, int]],
) -> tuple[list[int], int, dict[str, list[tuple[int, int]]]]:
    """Where the marks of each block begin among those of its type, the most of a type, and whose each of them is."""
    starts: dict[str, int] = {}
    owner: dict[str, list[tuple[int, int]]] = {}
    offset = []
    for block, (kind, size) in enumerate(shapes):
        offset.append(starts.get(kind, 0))
        starts[kind] = offset[-1] + size
        owner.setdefault(kind, []).extend((block, column) for column in range(size))
    return offset, max(starts.values(), default=0), owner


def _marked(form: Form, shapes: Sequence[tuple[str, int]], offset: Sequence[int], shift: int, bit: int) -> Any:
    """The form's one answer with marked numbers: the mark of a number is its place among those of its type.

    Truths, of which there are two, are true where ``bit`` of their place is 1 (in none where it is -1, in all where it
    is -2).
    """
    made: list[NDArray[Any]] = []
    for (kind, size), start in zip(shapes, offset, strict=True):
        places = np.arange(start, start + size)
        if kind == "b1":
            made.append(((places + 1) >> bit & 1).astype(bool) if bit >= 0 else np.full(size, bit == -2))
        else:
            made.append((places + shift + _FIRST[kind]).astype(kind))
    return _replaced(form.one, [iter(block.tolist()) for block in made[:3]], iter(made[3:]))


def _decoded(
    numbers: NDArray[Any], seen: Sequence[NDArray[np.float64]], owner: dict[str, list[tuple[int, int]]], total: int
) -> Filled | None:
    first, second, *truths = seen
    block, column = np.full(first.shape, -1, np.intp), np.full(first.shape, -1, np.intp)
    codes = np.zeros(first.shape, np.int64)
    for bit, one in enumerate(truths):
        codes |= (one != first).astype(np.int64) << bit
    for place in np.flatnonzero((first != second) & ~(np.isnan(first) & np.isnan(second))):
        if second[place] - first[place] != total:
            return None  # no number of the answer, but something made of them
        for kind, start in _FIRST.items():
            mark = first[place] - start
            if kind in owner and 0 <= mark < len(owner[kind]) and mark == int(mark):
                block[place], column[place] = owner[kind][int(mark)]
                break
        else:
            return None
    for place in np.flatnonzero((codes != 0) & ~np.isnan(first)):
        if "b1" not in owner or codes[place] > len(owner["b1"]):
            return None
        block[place], column[place] = owner["b1"][int(codes[place]) - 1]
    return Filled(numbers, block, column)


@dataclass(frozen=True)
class Parts:
    """The parts of answers of one form: their leaves, and where the numbers of each leaf come from.

    ``two`` are answers of the form that have no number in common.
    """

    leaves: tuple[Leaf, ...]
    filled: tuple[Filled | None, ...]
    two: tuple[Any, Any]


def shapes_of(group: Alike) -> tuple[tuple[str, int], ...]:
    """The type and the width of each block."""
    return tuple((block.dtype.str[1:], block.shape[1]) for block in group.blocks)


@lru_cache(maxsize=256)
def parts_of(form: Form, shapes: tuple[tuple[str, int], ...]) -> Parts | None:
    """The parts of answers of a form; None where they depend on the numbers in another way."""
    leaves: list[Leaf] = []

    def read(value: Any) -> list[NDArray[Any]] | None:
        found = leaves_of(value)
        leaves[:] = leaves or found  # of the marked ones: what is beside the numbers of a real one is its own
        alike_too = len(found) == len(leaves) and all(
            one.path == two.path and one.members == two.members and (one.numbers is None) == (two.numbers is None)
            for one, two in zip(found, leaves, strict=True)
        )
        return [leaf.numbers for leaf in found if leaf.numbers is not None] if alike_too else None

    filled = places_of(form, shapes, read)
    if filled is None:
        return None
    of_numbers = iter(filled)
    offset, _, _ = _layout_of_marks(shapes)
    return Parts(
        tuple(leaves),
        tuple(next(of_numbers) if leaf.numbers is not None else None for leaf in leaves),
        (_marked(form, shapes, offset, 0, -1), _marked(form, shapes, offset, APART, -2)),
    )
