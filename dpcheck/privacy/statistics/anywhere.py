"""What stands anywhere in an output: values, rows, elements and pieces of text, wherever they are.

A synthetic table that is shuffled, a model that keeps its data in another order each time, a text with a word in it:
no column sees what comes at one place in a hundred. Each such item has a *mark*, one of 2^16, and how often each mark
is in outputs on either side is counted; those that tell most become columns (:mod:`dpcheck.privacy.statistics.wide`).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.execution.answers import Portrait, Raised
from dpcheck.privacy.statistics.leaf import Leaf
from dpcheck.privacy.statistics.low_order import DROPPED_BITS, NEGLIGIBLE

Marks = NDArray[np.uint16]

#: So many marks there are; 0 stands where there is nothing.
MARKS = 1 << 16
#: Outputs of no more items than this have a column for each place, which says more.
FEW_ITEMS = 8
#: Of one output so many items are marked.
MOST_ITEMS = 1 << 17
#: Of outputs with more marks than this each mark has a flag; fewer are sorted.
MANY_MARKS = 1 << 12
#: Pieces of a text are so many characters long.
PIECES = (1, 2, 4)
#: Elements and rows are looked for in containers so deep, and what such an element holds is read so deep.
DEEPEST_ITEMS, DEEPEST_ELEMENT = 6, 4

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_TOP = np.uint64(48)
_WORD = (1 << 64) - 1
#: Salts, so that a row of one number is no number.
_ROW, _ELEMENT, _PIECE = np.uint64(0x517CC1B727220A95), 0x2545F4914F6CDD1D, np.uint64(0xD6E8FEB86659FD93)
#: What parts of an answer are written down by, or says how it is built: no items.
_NO_ITEMS = (" types", " place of key", " lengths", " length", " keys", " members", " whole", " beside", " NaN")


def hashed(numbers: NDArray[Any], *, exact: bool, starts: NDArray[np.int64] | None = None) -> NDArray[np.uint64]:
    """A word of 64 bits for each number; 0 for NaN. Unless ``exact`` they are rounded, and next to the others' size 0.

    ``numbers`` of shape (n, ...): those of each row are of one output (of one dimension, all are; or, with ``starts``,
    those from each of these places to the next).

    >>> one, other, absent = hashed(np.array([0.1, 0.1 + 1e-16, np.nan]), exact=False).tolist()
    >>> one == other != 0, absent
    (True, 0)
    """
    values = numbers.astype(np.float64) + 0.0  # -0.0 is 0
    words = values.view(np.uint64)
    if not exact and numbers.dtype.kind == "f" and values.size:
        size = np.abs(values)
        axes = tuple(range(1, values.ndim)) if values.ndim > 1 else None
        size_known = np.where(np.isfinite(size), size, 0.0)
        if starts is None:
            usual = size_known.max(axis=axes, keepdims=True)
        else:
            usual = np.repeat(np.maximum.reduceat(size_known, starts), np.diff([*starts.tolist(), len(size)]))
        words = np.where(size < usual * NEGLIGIBLE, np.uint64(0), words)
    if not exact:
        kept = DROPPED_BITS + (29 if numbers.dtype.kind == "f" and numbers.dtype.itemsize == 4 else 0)
        words = (words + np.uint64(1 << (kept - 1))) >> np.uint64(kept)
    with np.errstate(over="ignore"):
        words = (words + np.uint64(1)) * _GOLDEN
    words ^= words >> np.uint64(32)
    with np.errstate(over="ignore"):
        words *= _GOLDEN
    return np.where(np.isnan(values), np.uint64(0), words)


def _marks(words: NDArray[np.uint64]) -> Marks:
    found = (words >> _TOP).astype(np.uint16)
    return np.where((words != 0) & (found == 0), np.uint16(1), found)


def _in_a_row(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """One word for each row of words (the last axis)."""
    odd = (np.arange(words.shape[-1], dtype=np.uint64) * np.uint64(2) + np.uint64(3)) * _ROW | np.uint64(1)
    with np.errstate(over="ignore"):
        total = (words * odd).sum(axis=-1, dtype=np.uint64) + _ROW
        total ^= total >> np.uint64(29)
        return np.asarray(total * _GOLDEN | np.uint64(1))


def marks_of_arrays(values: NDArray[Any], *, exact: bool) -> Marks:
    """The marks of outputs that are number arrays, shape (n, ...): of each number, and of each row if there are rows.

    >>> marks_of_arrays(np.zeros((5, 3)), exact=False).shape, marks_of_arrays(np.zeros((5, 4, 3)), exact=False).shape
    ((5, 3), (5, 16))
    """
    words = hashed(values, exact=exact)
    flat = _marks(words.reshape(len(values), -1) if values.size else words.reshape(len(values), 0))
    if values.ndim > 2 and values.shape[-1] > 1:
        flat = np.concatenate([flat, _marks(_in_a_row(words).reshape(len(values), -1))], axis=1)
    return flat[:, :MOST_ITEMS]


def items_of(answer: Any, leaves: Sequence[Leaf], *, exact: bool) -> Marks:
    """The marks of one output of any kind, from its parts and from what it is made of."""
    parts: list[Marks] = []
    for leaf in leaves:
        if leaf.numbers is None or not _holds_items(leaf):
            continue
        if leaf.path.endswith(" character"):
            parts += [_marks(_pieces(leaf.numbers, size)) for size in PIECES]
        elif leaf.numbers.dtype.kind in "fiub":
            parts.append(_marks(hashed(leaf.numbers.reshape(-1), exact=exact)))
    parts += [_marks(words) for words in _elements(answer, exact, 0)]
    return np.concatenate(parts)[:MOST_ITEMS] if parts else np.zeros(0, np.uint16)


def items_of_each(answers: Sequence[Any], leaves: Sequence[Sequence[Leaf]], *, exact: bool) -> list[Marks]:
    """What :func:`items_of` finds in each of many outputs, in another order: their parts are marked at once.

    >>> leaves = [Leaf("", np.array([0.5, 2.0]))]
    >>> items_of_each([None], [leaves], exact=False)[0].tolist() == items_of(None, leaves, exact=False).tolist()
    True
    """
    letters: list[NDArray[Any]] = []
    numbers: dict[np.dtype[Any], list[NDArray[Any]]] = {}
    rows_of_letters: list[int] = []
    rows_of_numbers: dict[np.dtype[Any], list[int]] = {}
    for row, some in enumerate(leaves):
        for leaf in some:
            if leaf.numbers is None or not _holds_items(leaf):
                continue
            if leaf.path.endswith(" character"):
                letters.append(leaf.numbers.astype(np.uint64))
                rows_of_letters.append(row)
            elif leaf.numbers.dtype.kind in "fiub" and leaf.numbers.size:
                numbers.setdefault(leaf.numbers.dtype, []).append(leaf.numbers.reshape(-1))
                rows_of_numbers.setdefault(leaf.numbers.dtype, []).append(row)
    found: list[tuple[NDArray[np.int64], Marks]] = []
    if letters:
        lengths = np.array([len(codes) for codes in letters])
        whose = np.repeat(np.arange(len(letters)), lengths)
        codes = np.concatenate(letters)
        for size in PIECES:
            words = _pieces(codes, size)
            first, last = whose[: len(words)], whose[size - 1 :]
            inside = first == last[: len(words)]  # of one text
            found.append((np.array(rows_of_letters)[first[inside]], _marks(words[inside])))
    for dtype, parts in numbers.items():
        lengths = np.array([len(part) for part in parts])
        flat = np.concatenate(parts)
        rows = np.repeat(np.array(rows_of_numbers[dtype]), lengths)
        found.append((rows, _marks(hashed(flat, exact=exact, starts=np.cumsum([0, *lengths[:-1]])))))
    tables: dict[tuple[Any, ...], tuple[list[int], list[_Rows]]] = {}
    for row, answer in enumerate(answers):
        if type(answer) in (str, bytes, float, int, bool):
            continue
        for one in _found_in(answer, exact, 0):
            if isinstance(one, _Rows):  # of one shape at once
                owners, rows_held = tables.setdefault(one.shape, ([], []))
                owners.append(row)
                rows_held.append(one)
            else:
                found.append((np.full(one.size, row), _marks(one)))
    for those, held in tables.values():
        stacks = [np.stack(some) for some in zip(*(one.arrays for one in held), strict=True)]
        words = _of_rows(stacks, held[0].columns, exact)
        found.append((np.repeat(np.array(those), words.shape[1]), _marks(words.reshape(-1))))
    if not found:
        return [np.zeros(0, np.uint16)] * len(answers)
    rows = np.concatenate([rows for rows, _ in found])
    order = np.argsort(rows, kind="stable")
    marks = np.concatenate([marks for _, marks in found])[order]
    ends = np.searchsorted(rows[order], np.arange(1, len(answers)))
    return [some[:MOST_ITEMS] for some in np.split(marks, ends)]


def items_of_alike(
    two: tuple[Any, Any],
    leaves: Sequence[Leaf],
    numbers: Sequence[NDArray[Any] | None],
    count: int,
    *,
    exact: bool,
    arrays: Mapping[int, NDArray[Any]],
) -> Marks | None:
    """The marks of outputs that differ in their numbers only, shape (count, k); None where numbers alone do not tell.

    ``two`` are such outputs that have no number in common, ``leaves`` the parts of one of them, ``numbers`` what stands
    there in each, shape (count, k), or None for those that are the same in all; ``arrays`` what
    stands in each where the first of the two has an array, shape (count, ...), by that one's identity.
    """
    made, again = (list(_found_in(one, exact, 0)) for one in two)
    if len(made) != len(again):
        return None
    parts: list[Marks] = []
    for one, other in zip(made, again, strict=True):
        if isinstance(one, _Rows):
            stacks = [arrays[id(array)] for array in one.arrays if id(array) in arrays]
            if len(stacks) < len(one.arrays):
                return None
            parts.append(_marks(_of_rows(stacks, one.columns, exact)))
        elif isinstance(other, _Rows) or not np.array_equal(one, other):
            return None  # elements that are made of numbers
        else:
            parts.append(np.tile(_marks(one.reshape(-1)), (count, 1)))
    for leaf, some in zip(leaves, numbers, strict=True):
        if some is None:
            parts.append(np.tile(items_of(None, [leaf], exact=exact), (count, 1)))
        elif _holds_items(leaf) and some.dtype.kind in "fiub":
            parts.append(_marks(hashed(some, exact=exact)))
    found = np.concatenate(parts, axis=1) if parts else np.zeros((count, 0), np.uint16)
    return found if found.shape[1] <= MOST_ITEMS else None


def _holds_items(leaf: Leaf) -> bool:
    return not (leaf.path.endswith(_NO_ITEMS) or leaf.path.rpartition(" ")[0].endswith(" each"))


def _pieces(characters: NDArray[Any], size: int) -> NDArray[np.uint64]:
    """A word for each piece of so many characters."""
    codes = characters.astype(np.uint64)
    if len(codes) < size:
        return np.zeros(0, np.uint64)
    with np.errstate(over="ignore"):
        words = np.full(len(codes) - size + 1, np.uint64(size))
        for place in range(size):
            words = (words + codes[place : len(codes) - size + 1 + place] + np.uint64(1)) * _PIECE
        words ^= words >> np.uint64(32)
        return np.asarray(words * _GOLDEN)


@dataclass(frozen=True)
class _Rows:
    """The rows of one array of numbers, or of some of one length that are its ``columns``: words are made of many."""

    arrays: tuple[NDArray[Any], ...]
    columns: bool

    @property
    def shape(self) -> tuple[Any, ...]:
        """What those have in common that are taken at once."""
        return (self.columns, *((array.dtype.str, array.shape) for array in self.arrays))


def _of_rows(stacks: Sequence[NDArray[Any]], columns: bool, exact: bool) -> NDArray[np.uint64]:
    """The words for the rows of many, each array (n, ...), shape (n, rows): every one is rounded as it is alone."""
    if columns:
        return _in_a_row(np.stack([hashed(_as_numbers(stack), exact=exact) for stack in stacks], axis=-1))
    (tables,) = stacks
    flat = tables.reshape(-1, *tables.shape[2:])  # the numbers of a row are rounded by its largest
    return _in_a_row(hashed(flat, exact=exact)).reshape(len(tables), -1)


def _as_numbers(array: NDArray[Any]) -> NDArray[Any]:
    return array.view(np.int64) if array.dtype.kind in "mM" else array


def _elements(value: Any, exact: bool, depth: int) -> Iterator[NDArray[np.uint64]]:
    """Words for the rows and elements of containers, whatever their place; numbers alone are no elements here."""
    for one in _found_in(value, exact, depth):
        if isinstance(one, _Rows):
            yield _of_rows([array[None] for array in one.arrays], one.columns, exact)[0]
        else:
            yield one


def _found_in(value: Any, exact: bool, depth: int) -> Iterator[NDArray[np.uint64] | _Rows]:
    """As :func:`_elements`, rows of numbers as they are."""
    if depth > DEEPEST_ITEMS:
        return
    kind = type(value)
    if kind is np.ndarray:
        if value.dtype.kind in "fiub" and value.ndim > 1 and value.shape[-1] > 1:
            yield _Rows((value,), columns=False)
        elif value.dtype.kind in "OSUT":
            yield from _found_in(value.reshape(-1).tolist(), exact, depth + 1)
        return
    if kind is Portrait:
        parts = [part for _, part in value.parts]
        if value.form == "frame":
            parts = parts[:-1]
        yield from _rows(parts, exact)
        for part in parts:
            yield from _found_in(part, exact, depth + 1)
        return
    if kind is dict:
        yield from _rows(list(value.values()), exact)
        for part in value.values():
            yield from _found_in(part, exact, depth + 1)
        return
    if kind not in (list, tuple):
        return
    held = [part for part in value[:MOST_ITEMS] if not isinstance(part, bool | int | float | np.generic)]
    if len(value) > 1 and held:
        yield np.array([_word(part, exact, 0) for part in held], dtype=np.uint64)
    for part in held:
        if type(part) in (list, tuple, dict, np.ndarray, Portrait):
            yield from _found_in(part, exact, depth + 1)


def _rows(columns: Sequence[Any], exact: bool) -> Iterator[NDArray[np.uint64] | _Rows]:
    """Words for the rows of a table: of columns of one length, those of its arrays and lists."""
    columns = [part.parts[0][1] if type(part) is Portrait and part.form == "is" else part for part in columns]
    known = [part for part in columns if type(part) in (list, tuple) or (type(part) is np.ndarray and part.ndim == 1)]
    if len(known) < 2 or len({len(part) for part in known}) > 1 or len(known[0]) < 2:
        return
    if all(isinstance(part, np.ndarray) and part.dtype.kind in "fiubmM" for part in known):
        yield _Rows(tuple(known), columns=True)
        return
    words = []
    for part in known:
        if isinstance(part, np.ndarray) and part.dtype.kind in "fiubmM":
            words.append(hashed(_as_numbers(part), exact=exact))
        else:
            words.append(np.array([_word(one, exact, 0) for one in part], dtype=np.uint64))
    yield _in_a_row(np.stack(words, axis=1))


def _word(value: Any, exact: bool, depth: int) -> int:
    """A word for one element, from all that it holds; floats are rounded unless ``exact``."""
    kind = type(value)
    if isinstance(value, float | int | np.generic):
        array = np.asarray(value)
        return int(hashed(array.reshape(1), exact=exact)[0]) if array.dtype.kind in "fiub" else _of_text(repr(value))
    if kind is str or value is None or isinstance(value, bytes | Raised):
        return _of_text(value if kind is str else repr(value))
    if depth >= DEEPEST_ELEMENT:
        return _ELEMENT
    parts: list[Any]
    if kind is np.ndarray and value.dtype.kind in "fiub":
        return int(_in_a_row(hashed(value.reshape(1, -1), exact=exact))[0])
    if kind is dict:
        parts = [part for pair in value.items() for part in pair]
    elif kind is Portrait:
        parts = [value.kind, value.text, *(part for pair in value.parts for part in pair)]
    elif kind in (list, tuple):
        parts = list(value)
    elif kind is np.ndarray:
        parts = value.reshape(-1).tolist()
    else:
        return _of_text(repr(value))
    word = _ELEMENT
    for part in parts:
        word = ((word ^ _word(part, exact, depth + 1)) * _ELEMENT + 1) & _WORD
        word ^= word >> 29
    return (word * int(_GOLDEN) & _WORD) | 1


def _of_text(text: str) -> int:
    code = text.encode("utf-8", "replace")
    return ((zlib.crc32(code) << 32 | zlib.crc32(code, 1)) * int(_GOLDEN) & _WORD) | 1


def in_columns(rows: Sequence[Marks]) -> Marks:
    """The marks of outputs one under the other, with 0 beyond the end of each."""
    found = np.zeros((len(rows), max((len(row) for row in rows), default=0)), np.uint16)
    for place, row in enumerate(rows):
        found[place, : len(row)] = row
    return found


def times_there(marks: Marks) -> NDArray[np.int64]:
    """In how many of these outputs each mark is, shape (MARKS,).

    >>> times_there(np.array([[3, 3, 0], [3, 5, 5]], np.uint16))[[0, 3, 5]].tolist()
    [0, 2, 1]
    """
    if marks.size == 0:
        return np.zeros(MARKS, np.int64)
    if marks.shape[1] > MANY_MARKS:
        found = np.zeros(MARKS, np.int64)
        for row in marks:  # setting one flag for each is cheaper than sorting so many
            there = np.zeros(MARKS, bool)
            there[row] = True
            found += there
        found[0] = 0
        return found
    ordered = np.sort(marks, axis=1, kind="stable")
    first = np.ones(ordered.shape, bool)
    first[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    found = np.bincount(ordered[first], minlength=MARKS)
    found[0] = 0
    return found


def words_of_mark(answer: Any, leaves: Sequence[Leaf], mark: int, *, exact: bool) -> str:
    """What has a mark in an output, in words; nothing where it is not there."""
    for leaf in leaves:
        if leaf.numbers is None or leaf.path.endswith(_NO_ITEMS):
            continue
        if leaf.path.endswith(" character"):
            for size in PIECES:
                places = np.flatnonzero(_marks(_pieces(leaf.numbers, size)) == mark)
                if len(places):
                    codes = leaf.numbers[places[0] : places[0] + size].tolist()
                    return repr("".join(map(chr, codes)))
        elif leaf.numbers.dtype.kind in "fiub":
            flat = leaf.numbers.reshape(-1)
            places = np.flatnonzero(_marks(hashed(flat, exact=exact)) == mark)
            if len(places):
                return f"the value {flat[places[0]].item():g}"
    return "a row or element" if any((_marks(words) == mark).any() for words in _elements(answer, exact, 0)) else ""
