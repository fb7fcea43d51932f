"""Answers made comparable: each becomes a row of numbers and a token that says which answer it is.

``"real"`` numerics rounds floats to (precision - 13) significant bits before anything else is formed, so that only
the claim about real-valued noise is tested; ``"exact"`` leaves every bit.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpcheck.execution.answers import Answers, Opaque, Portrait, Raised
from dpcheck.execution.handover import type_name, without_padding
from dpcheck.privacy.statistics.alike import Alike, Filled, Form, alike, places_of, shapes_of
from dpcheck.privacy.statistics.columns import Placed, columns_of, place_answers, place_array, wide_of
from dpcheck.privacy.statistics.layout import MAX_COLUMNS, SELDOM_REPEATED, Layout
from dpcheck.privacy.statistics.leaves import (
    DEEPEST,
    MOST_CHARACTERS,
    Probe,
    drawn,
    left_out_of,
    nearest_double,
    numbers_of,
    without_address,
)
from dpcheck.privacy.statistics.low_order import MOST_WATCHED, NO_BITS, low_order, rounded
from dpcheck.privacy.statistics.warned import warnings_in_words
from dpcheck.privacy.statistics.wide import Block, Wide, joined

Numerics = Literal["real", "exact"]

#: The same for containers that hold no numbers: far below the interpreter's own limit.
DEEPEST_TEXT = 32
#: So many numbers of answers that are arrays are looked at at once.
NUMBERS_AT_ONCE = 1 << 16
#: Rows of so many bytes are moved once.
LARGE_ROW = 1 << 12
#: Answers of more bytes than this each are not kept where they are only counted.
MOST_BYTES_KEPT = 1 << 16
#: Answers whose text says all about them.
READABLE = (str, bytes, bool, int, float, tuple, list, set, frozenset, dict, type(None), Raised)

#: What holds no numbers that have a place of their own.
_WITHOUT_NUMBERS = frozenset({str, bytes, type(None), set, frozenset})

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
# a number of a message whose digits were masked
_MASKED = re.compile(r"[-+]?#(?:\.#?)?(?:[eE][-+]?#)?")


@dataclass(frozen=True)
class Observations:
    """n answers: ``columns`` of shape (n, d) with NaN where an answer has no such number, ``tokens`` of shape (n,).

    Equal answers have equal tokens; ``forms`` are tokens of all but their
    numbers. ``answers`` are what the tokens were made of, kept to name events.
    The first ``plain`` columns (all, when None) are parts of the answer, the
    others are made from them. ``low`` are the bits that real numerics rounds
    away (:func:`dpcheck.privacy.statistics.low_order.low_order`), for a finding only.
    ``wide`` are all numbers and digits, for the columns that a game fills.
    ``unrounded`` are the first numbers of answers that are no arrays, as they
    came, where low-order bits are watched, and ``singles`` says which of them are
    of single precision. ``packed`` is the type of the answers
    where these are numbers in one array. ``left_out``: what of them was not
    looked at, in words.
    """

    columns: NDArray[np.float64]
    tokens: NDArray[np.uint64]
    answers: Sequence[Any] | NDArray[Any]
    forms: NDArray[np.uint64] | None = None
    low: NDArray[np.uint64] | None = None
    plain: int | None = None
    wide: Wide | None = None
    packed: str = ""
    left_out: tuple[str, ...] = ()
    unrounded: NDArray[np.float64] | None = None
    singles: NDArray[np.bool_] | None = None

    @property
    def kinds(self) -> NDArray[np.uint64]:
        """What each answer is apart from its numbers: types, shape, texts, warnings; shape (n,)."""
        return self.forms if self.forms is not None else np.zeros(len(self.tokens), np.uint64)

    def __len__(self) -> int:
        return len(self.tokens)

    def name_of(self, token: int) -> str:
        """The answer with this token, in words."""
        place = np.flatnonzero(self.tokens == np.uint64(token))
        return describe_answer(self.answer(int(place[0])), alone=True) if len(place) else f"{UNNAMED}{token:016x}"

    def answer(self, place: int) -> Any:
        """One of the answers, as the type it was given in."""
        return _as_given(self.answers[place], self.packed)


#: Types whose numbers come as arrays of this dtype: what an array holds where nobody said which type was packed.
PACKED_FROM = {np.dtype(kind): kind.__name__ for kind in (bool, int, float, complex)}


def _as_given(value: Any, packed: str) -> Any:
    return value.item() if isinstance(value, np.generic) and packed in ("bool", "int", "float", "complex") else value


def packed_as(answers: Answers) -> str:
    """The type of answers that are numbers in one array (Python's own where nobody knows); nothing for others.

    >>> packed_as(Answers(np.arange(3))), packed_as(Answers(np.arange(3), packed="numpy.int64"))
    ('int', 'numpy.int64')
    """
    values = answers.values
    if not isinstance(values, np.ndarray) or values.ndim != 1:
        return ""
    return answers.packed or PACKED_FROM.get(values.dtype, f"numpy.{values.dtype.type.__name__}")


def bare(answers: Answers) -> Answers:
    """Answers without what ``sample`` cannot say of each: warnings, the types of numbers, and what a row comes in.

    Separate calls and draws of ``sample`` are compared, and mixed in one game, in this form only.

    Examples
    --------
    >>> bare(Answers([(1.0, 2.0), None])).values
    [array([1., 2.]), None]
    """
    values = answers.values
    if isinstance(values, list):  # each by itself: what it becomes must not depend on the others
        values = [_as_array(value) if isinstance(value, tuple | list) else value for value in map(_unnamed, values)]
        values = [_widest(value) for value in values]
    elif values.dtype.kind in "iu":
        values = values.astype(np.int64 if values.dtype.kind == "i" else np.uint64)
    return Answers(values)


def _widest(value: Any) -> Any:
    """A number as what it is in an array of the widest integers, or as Python's own."""
    if isinstance(value, np.ndarray):
        return value.astype(f"{value.dtype.kind}8") if value.dtype.kind in "iu" else value
    if isinstance(value, np.unsignedinteger):
        return np.uint64(value)
    return value.item() if isinstance(value, np.signedinteger | np.bool_ | np.float64 | np.complex128) else value


def _unnamed(value: Any) -> Any:
    """What a named tuple, or an array of a type of its own, holds, if that is all of it."""
    if type(value) is Portrait and value.form == "is" and len(value.parts) == 1:
        content = value.parts[0][1]
        return content if isinstance(content, tuple | list | np.ndarray) else value
    return value


def _as_array(value: Any) -> Any:
    if not value or not all(issubclass(kind, bool | int | float | np.number) for kind in set(map(type, value))):
        return value
    try:
        array = np.asarray(value)
    except (ValueError, OverflowError):
        return value
    return array if array.dtype.kind in "fiub" else value


def observe(
    answers: Answers,
    numerics: Numerics,
    scale: NDArray[np.float64] | None = None,
    layout: Layout | None = None,
    probe: Probe | None = None,
    *,
    low_bits: bool = True,
    all_numbers: bool = True,
) -> Observations:
    """Turn answers into numbers and tokens.

    Parameters
    ----------
    answers : Answers
    numerics : "real" or "exact"
    scale : array, shape (d,), optional
        The usual size of each coordinate (from calls that never enter a verdict); smaller values than
        ``2^-40`` times it count as 0 under real numerics.
    layout : Layout, optional
        Which columns there are; without one, numbers by position.
    probe : optional
        What models are asked that were not when they were answered
        (:func:`dpcheck.execution.portrait.predictor`): a runner does that where the learner runs.
    low_bits : bool
        Whether the bits that real numerics rounds away are kept apart, for whoever still watches them.
    all_numbers : bool
        Whether numbers without columns of their own are kept, for whoever fills columns from them.

    Examples
    --------
    >>> seen = observe(Answers(np.array([0.1, 0.1 + 1e-16, 0.2])), "real")
    >>> seen.columns.shape, bool(seen.tokens[0] == seen.tokens[1]), bool(seen.tokens[0] == seen.tokens[2])
    ((3, 1), True, False)
    """
    values = answers.values
    if isinstance(values, np.ndarray) and values.size > NUMBERS_AT_ONCE and len(values) > 1 and not answers.warned:
        return _in_parts(
            answers, lambda part: observe(part, numerics, scale, layout, low_bits=low_bits, all_numbers=all_numbers)
        )
    groups: list[Alike] = []
    if isinstance(values, np.ndarray) and values.dtype.kind in "fiub":
        packed = packed_as(answers)
        form = _form_of(values[:1], packed)
        columns, tokens, low = _of_array(values, numerics, scale, form, low_bits=low_bits)
        forms = np.full(len(values), form) ^ beside_the_number(values)
        seen = Observations(columns, tokens, values, forms, low, packed=packed)
    else:
        packed = packed_as(answers)
        given = [_as_given(value, packed) for value in values]
        groups = alike(given)
        alone = np.ones(len(given), bool)
        for group in groups:  # they are plain data
            alone[group.places] = False
        for place in np.flatnonzero(alone).tolist():
            given[place] = drawn(given[place], probe)
        seen = _of_objects(given, groups, numerics, scale)
        if layout is None:  # of an output that has no columns it is still said what nobody could look at
            seen = replace(seen, left_out=_not_looked_at(given, seen.tokens, probe))
    if layout is not None:
        seen = _laid_out(seen, answers, numerics, layout, probe, groups, low_bits=low_bits, all_numbers=all_numbers)
    if answers.warned:
        tokens, forms = seen.tokens.copy(), seen.kinds.copy()
        for place, text in answers.warned.items():
            tokens[place] ^= _hash(("warned", *text))
            forms[place] ^= _hash(("warned", *text))
        named = _with_warnings(_each_as_given(seen), answers.warned)
        seen = replace(seen, tokens=tokens, forms=forms, answers=named, packed="")
        if len(set(answers.warned.values())) > max(FEW_WARNINGS, len(answers.warned) / 2):
            seen = replace(seen, left_out=(*seen.left_out, "the texts of warnings that never come again"))
    return seen


def _not_looked_at(given: Sequence[Any], tokens: NDArray[np.uint64], probe: Probe | None) -> tuple[str, ...]:
    """What of outputs that have no columns nobody could look at: no token of them as a whole tells it."""
    different = {int(tokens[place]): value for place, value in enumerate(given) if not _read_whole(value)}
    return left_out_of(different.values(), probe)


def _read_whole(answer: Any) -> bool:
    return type(answer) in _ALL_TOLD or (type(answer) in (str, bytes) and len(answer) <= MOST_CHARACTERS)


def whole_kinds(answers: Answers, numerics: Numerics) -> Observations:
    """Answers with what each is apart from its numbers, and nothing else that costs much where they are one array.

    Examples
    --------
    >>> from dpcheck.privacy.statistics.observations import observe
    >>> given = Answers(np.array([1.5, -0.0]), packed="numpy.float64")
    >>> bool((whole_kinds(given, "real").kinds == observe(given, "real").kinds).all())
    True
    """
    values = answers.values
    if not isinstance(values, np.ndarray) or values.dtype.kind not in "fiub" or answers.warned:
        return observe(answers, numerics, low_bits=False, all_numbers=False)
    packed = packed_as(answers)
    forms = np.full(len(values), _form_of(values[:1], packed)) ^ beside_the_number(values)
    return Observations(np.empty((len(values), 0)), forms, values, forms, packed=packed)


def _in_parts(answers: Answers, observed: Callable[[Answers], Observations]) -> Observations:
    """Answers that are one large array, a few at a time: what is made of them then stays where the processor has it."""
    values = np.asarray(answers.values)
    step = max(1, NUMBERS_AT_ONCE // (values.size // len(values)))
    starts = range(0, len(values), step)
    parts = [observed(replace(answers, values=values[first : first + step])) for first in starts]
    blocks = [block for part in parts if part.wide is not None for block in part.wide.blocks]
    wide = parts[0].wide
    if wide is not None:
        numbers, base = blocks[0].numbers, values.reshape(len(values), -1)
        shared = all(np.may_share_memory(block.numbers, base) for block in blocks)
        wide = replace(
            wide,
            blocks=(
                Block(
                    base[:, : numbers.shape[1]] if shared else np.concatenate([block.numbers for block in blocks]),
                    np.concatenate([block.whole for block in blocks]),
                    np.concatenate(marks)
                    if (marks := [block.marks for block in blocks if block.marks is not None])
                    else None,
                ),
            ),
        )
    lows = [part.low for part in parts if part.low is not None]
    return replace(
        parts[0],
        columns=np.concatenate([part.columns for part in parts]),
        tokens=np.concatenate([part.tokens for part in parts]),
        answers=values,
        forms=np.concatenate([part.kinds for part in parts]),
        low=np.concatenate(lows) if lows else None,
        wide=wide,
    )


def _laid_out(
    seen: Observations,
    answers: Answers,
    numerics: Numerics,
    layout: Layout,
    probe: Probe | None,
    groups: Sequence[Alike],
    *,
    low_bits: bool,
    all_numbers: bool,
) -> Observations:
    """The same answers with the columns of the layout; their forms tell where numbers are not finite."""
    values = answers.values
    asked = layout if all_numbers else replace(layout, marked=False)
    packed = isinstance(values, np.ndarray) and values.dtype.kind in "fiub"
    if packed:
        placed = place_array(np.asarray(values), asked)
    else:
        placed = place_answers(list(seen.answers), asked, probe, groups)
    forms = seen.kinds ^ _special(placed, numerics)
    exact = numerics == "exact"
    columns = columns_of(placed, layout, exact=exact)
    wide = wide_of(placed, layout, exact=exact) if all_numbers else None
    plain, left_out = layout.plain, placed.left_out
    seen = replace(seen, columns=columns, forms=forms, plain=plain, wide=wide, left_out=left_out)
    if low_bits and not exact and plain and not packed:
        numbers, singles = placed.values, placed.bytes_of == 4
        if placed.block and layout.wide:
            numbers = np.asarray(placed.block.numbers[:, : layout.known_numbers], dtype=np.float64)
            singles = placed.singles[:, : layout.known_numbers]
        seen = replace(seen, unrounded=numbers[:, :MOST_WATCHED], singles=singles[:, :MOST_WATCHED])
    return seen


def _special(placed: Placed, numerics: Numerics) -> NDArray[np.uint64]:
    """A token of which coordinates are NaN or infinite (under exact numerics also of -0.0); 0 where none is."""
    values = placed.values
    special = np.where(np.isnan(values), 1, np.where(values == np.inf, 2, np.where(values == -np.inf, 3, 0)))
    if numerics == "exact":
        special = np.where((values == 0) & np.signbit(values), 4, special)
    found = np.zeros(len(values), np.uint64)
    rows = np.flatnonzero(special.any(axis=1))
    if len(rows):
        found[rows] = mixed(special[rows].astype(np.uint64), _hash(("special",)))
    return found


#: Types of outputs whose token says all.
_ALL_TOLD = frozenset((float, int, bool, type(None)))


@dataclass(frozen=True)
class Warned:
    """An answer that came with warnings."""

    answer: Any
    warnings: tuple[str, ...]


def _with_warnings(answers: Sequence[Any] | NDArray[Any], warned: dict[int, tuple[str, ...]]) -> list[Any]:
    return [Warned(answer, warned[i]) if i in warned else answer for i, answer in enumerate(answers)]


def _each_as_given(seen: Observations) -> Sequence[Any] | NDArray[Any]:
    return [_as_given(answer, seen.packed) for answer in seen.answers] if seen.packed else seen.answers


def join(parts: Sequence[Observations], given: NDArray[np.int64] | None = None) -> Observations:
    """Parts one after the other, put in the order ``given`` if any; coordinates are padded to the widest with NaN."""
    if len(parts) == 1 and given is None:
        return replace(parts[0], forms=parts[0].kinds, left_out=())
    order = given if given is not None else np.arange(sum(map(len, parts)))
    width = max(part.columns.shape[1] for part in parts)
    columns = _put_in_order([_padded(part.columns, width) for part in parts], given)
    tokens = _put_in_order([part.tokens for part in parts], given)
    forms = _put_in_order([part.kinds for part in parts], given)
    low = None
    if any(part.low is not None for part in parts):
        each = [part.low if part.low is not None else np.full(len(part), NO_BITS) for part in parts]
        low = _put_in_order(each, given)
    plain, wide = parts[0].plain, joined([part.wide for part in parts], order)
    raw = [part.unrounded for part in parts if part.unrounded is not None]
    unrounded = _put_in_order(raw, given) if len(raw) == len(parts) else None
    short = [part.singles for part in parts if part.singles is not None]
    singles = _put_in_order(short, given) if len(short) == len(parts) else None
    if any(len(part.answers) != len(part) for part in parts):  # they were not kept
        return Observations(columns, tokens, [], forms, low, plain, wide, "", (), unrounded, singles)
    if all(isinstance(part.answers, np.ndarray) for part in parts):
        shapes = {
            (part.answers.dtype, part.answers.shape[1:], part.packed)
            for part in parts
            if isinstance(part.answers, np.ndarray)
        }
        if len(shapes) == 1:
            answers = _put_in_order([np.asarray(part.answers) for part in parts], given)
            packed = parts[0].packed
            return Observations(columns, tokens, answers, forms, low, plain, wide, packed, (), unrounded, singles)
    everything = [answer for part in parts for answer in _each_as_given(part)]
    given_so = [everything[i] for i in order]
    return Observations(columns, tokens, given_so, forms, low, plain, wide, "", (), unrounded, singles)


def _put_in_order(parts: Sequence[NDArray[Any]], order: NDArray[np.int64] | None) -> NDArray[Any]:
    """Rows of the parts, one after the other, put in this order if any, with no copy of them all beside it if large."""
    if order is None:
        return np.concatenate(parts)
    if parts[0].nbytes < LARGE_ROW * len(parts[0]) or sum(map(len, parts)) != len(order):
        return np.asarray(np.concatenate(parts)[order])
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    found = np.empty((len(order), *parts[0].shape[1:]), np.result_type(*parts))
    start = 0
    for part in parts:
        found[places[start : start + len(part)]] = part
        start += len(part)
    return found


def without_large(seen: Observations) -> Observations:
    """The same without the answers themselves where these are large, and will only be counted."""
    answers = seen.answers
    if isinstance(answers, np.ndarray) and answers.nbytes > MOST_BYTES_KEPT * max(len(answers), 1):
        return replace(seen, answers=[])
    return seen


def _padded(columns: NDArray[np.float64], width: int) -> NDArray[np.float64]:
    missing = width - columns.shape[1]
    return columns if missing == 0 else np.pad(columns, ((0, 0), (0, missing)), constant_values=np.nan)


def _of_array(
    values: NDArray[Any],
    numerics: Numerics,
    scale: NDArray[np.float64] | None,
    salt: np.uint64,
    *,
    low_bits: bool = True,
    singles: NDArray[np.bool_] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.uint64], NDArray[np.uint64] | None]:
    """Columns, tokens and low-order bits of a stack of number arrays of one dtype, each from its own answer alone.

    ``salt`` is what they are apart from their numbers (:func:`_form_of`); ``singles`` which numbers of doubles came in
    single precision, among others in a container.
    """
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    raw = flat = values.reshape(len(values), int(np.prod(values.shape[1:])))
    kind = values.dtype.kind
    if kind == "f":
        flat = rounded(flat, scale) if numerics == "real" else flat
        if numerics == "real" and singles is not None and singles.any():
            with np.errstate(over="ignore", invalid="ignore"):
                short = rounded(raw[:, singles].astype(np.float32))
            flat[:, singles] = np.where(flat[:, singles] == 0, 0.0, short)
        bits = np.ascontiguousarray(flat, dtype=np.float64).view(np.uint64)
        columns = flat.astype(np.float64, copy=False)
    else:
        bits = flat.astype(np.int64).view(np.uint64) if kind != "u" else flat.astype(np.uint64)
        columns = flat.astype(np.float64)
    tokens = mixed(bits, salt)
    if not low_bits:
        return columns[:, :MAX_COLUMNS], tokens, None
    low = low_order(raw, tokens, salt, singles) if kind == "f" and numerics == "real" else np.full(len(values), NO_BITS)
    return columns[:, :MAX_COLUMNS], tokens, low


def beside_the_number(values: NDArray[Any]) -> NDArray[np.uint64]:
    """A token of what floats carry beside the number they stand for, per answer: signs of zeros, bits of NaNs.

    No rounding of real-valued noise makes them, so that they are looked at under both numerics; 0 where there are none.

    Examples
    --------
    >>> found = beside_the_number(np.array([0.0, -0.0, np.nan, -np.nan, 1.5]))
    >>> (found != 0).tolist()
    [False, True, False, True, False]
    """
    found = np.zeros(len(values), np.uint64)
    if values.dtype.kind not in "fb" or values.size == 0:
        return found
    flat = values.reshape(len(values), -1)
    if values.dtype.kind == "b":  # a truth is one bit of a byte
        bytes_of = np.ascontiguousarray(flat).view(np.uint8)
        rows = np.flatnonzero((bytes_of > 1).any(axis=1))
        if len(rows):
            found[rows] = mixed(bytes_of[rows].astype(np.uint64), _hash(("bytes of truths",)))
        return found
    zeros = ((flat == 0) & np.signbit(flat)).sum(axis=1)
    absent = np.isnan(flat)
    odd = np.zeros(len(values), np.uint64)
    if absent.any() and flat.dtype.itemsize in (2, 4, 8):
        bits = np.ascontiguousarray(flat).view(f"u{flat.dtype.itemsize}").astype(np.uint64)
        usual = np.array([np.nan], flat.dtype).view(f"u{flat.dtype.itemsize}").astype(np.uint64)[0]
        with np.errstate(over="ignore"):
            odd = np.where(absent, (bits ^ usual) * _GOLDEN, np.uint64(0)).sum(axis=1, dtype=np.uint64)
    rows = np.flatnonzero((zeros > 0) | (odd != 0))
    if len(rows):
        found[rows] = mixed(np.column_stack([zeros[rows].astype(np.uint64), odd[rows]]), _hash(("beside",)))
    return found


def _form_of(values: NDArray[Any], container: str) -> np.uint64:
    """What a stack of number arrays is apart from its numbers: it salts their tokens.

    ``container``: what each stands in; the type of single numbers, nothing for arrays.
    """
    return _form(container, values.dtype, values.shape[1:])


def _form(container: str, dtype: np.dtype[Any], shape: tuple[int, ...]) -> np.uint64:
    return _hash((container, dtype.str, shape))


def mixed(bits: NDArray[np.uint64], salt: np.uint64) -> NDArray[np.uint64]:
    """One 64-bit token a row: distinct scalars never collide, longer rows with probability about 2^-64."""
    with np.errstate(over="ignore"):
        if bits.shape[1] == 1:
            return np.asarray((bits[:, 0] ^ salt) * _GOLDEN)
        if bits.shape[1] > MAX_COLUMNS:
            return _mixed_at_once(bits, salt)
        token = np.full(len(bits), salt)
        for column in bits.T:
            token = (token ^ column) * _GOLDEN
            token ^= token >> _SHIFT
        return np.asarray(token)


@lru_cache(maxsize=4)
def _odd_numbers(count: int) -> NDArray[np.uint64]:
    odd = np.random.default_rng(MAX_COLUMNS).integers(0, 1 << 63, count, dtype=np.uint64) * np.uint64(2)
    return np.asarray(odd + np.uint64(1))


def _mixed_at_once(bits: NDArray[np.uint64], salt: np.uint64) -> NDArray[np.uint64]:
    """The same for long rows: a sum of products with odd numbers, one for each column."""
    odd = _odd_numbers(bits.shape[1])
    token = np.empty(len(bits), np.uint64)
    step = max(1, NUMBERS_AT_ONCE // bits.shape[1])
    with np.errstate(over="ignore"):
        for first in range(0, len(bits), step):
            part = bits[first : first + step]
            part = (part ^ (part >> _SHIFT)) * odd
            token[first : first + step] = (part ^ (part >> _SHIFT)).sum(axis=1, dtype=np.uint64)
        return np.asarray((token ^ salt) * _GOLDEN)


def _of_objects(
    values: list[Any], groups: Sequence[Alike], numerics: Numerics, scale: NDArray[np.float64] | None
) -> Observations:
    """Answers of mixed kinds: those made of numbers go through the same door as whole arrays, form by form.

    ``groups``: those that are alike, which are taken apart at once.
    """
    tokens = np.empty(len(values), dtype=np.uint64)
    forms = np.empty(len(values), dtype=np.uint64)
    singles_of: dict[str, NDArray[np.bool_]] = {}  # the form of a container says of what types its numbers are
    exactly: dict[int, tuple[Any, ...]] = {}
    low = np.full(len(values), NO_BITS)
    at_once = np.zeros(len(values), bool)
    stacks: list[tuple[str, np.dtype[Any], NDArray[np.int64], NDArray[Any]]] = []
    for group in groups:
        found = _apart_of(group.form, shapes_of(group))
        if found is not None:
            form, filled, singles = found
            stack = group.numbers(filled).reshape(len(group.places), *filled.numbers.shape)
            if singles is not None:
                singles_of[form] = singles
            stacks.append((form, stack.dtype, group.places, stack))
            at_once[group.places] = True
    alone: dict[tuple[str, np.dtype[Any], tuple[int, ...]], tuple[list[int], list[NDArray[Any]]]] = {}
    for place in np.flatnonzero(~at_once).tolist():
        value = values[place]
        taken = _taken_apart(value)
        if taken is None:
            tokens[place] = forms[place] = _hash(canonical(value))
            if isinstance(value, Raised) and (value.written or value.held is not None):
                tokens[place] = _hash((forms[place].item(), value.written, canonical(value.held)))
            continue
        form, numbers, exact, singles = taken
        if singles is not None:
            singles_of[form] = singles
        if exact:
            exactly[place] = exact
        places, arrays = alone.setdefault((form, numbers.dtype, numbers.shape), ([], []))
        places.append(place)
        arrays.append(numbers)
    stacks += [(form, dtype, np.array(some), np.stack(arrays)) for (form, dtype, _), (some, arrays) in alone.items()]
    width = max((min(int(np.prod(stack.shape[1:])), MAX_COLUMNS) for *_, stack in stacks), default=0)
    columns = np.full((len(values), width), np.nan)
    for form, dtype, where, stack in stacks:  # which may have brought an odd byte order to the machine's own
        salt = _form(form, dtype, stack.shape[1:])
        some, tokens[where], bits = _of_array(stack, numerics, scale, salt, singles=singles_of.get(form))
        low[where] = bits if bits is not None else NO_BITS
        forms[where] = salt ^ beside_the_number(stack)
        columns[where, : some.shape[1]] = some
    for place, exact in exactly.items():
        tokens[place] ^= _hash(exact)
    return Observations(columns, tokens, values, forms, low)


@lru_cache(maxsize=256)
def _apart_of(form: Form, shapes: tuple[tuple[str, int], ...]) -> tuple[str, Filled, NDArray[np.bool_] | None] | None:
    """What :func:`_taken_apart` finds in answers of a form, and where the numbers come from; None where it varies."""
    told: list[tuple[str, NDArray[np.bool_] | None]] = []

    def read(value: Any) -> list[NDArray[Any]] | None:
        taken = _taken_apart(value)
        if taken is None or taken[2]:
            return None
        told.append((taken[0], taken[3]))
        return [taken[1]]

    filled = places_of(form, shapes, read)
    if filled is None or len({name for name, _ in told}) != 1:
        return None
    return told[0][0], filled[0], told[0][1]


def _taken_apart(value: Any) -> tuple[str, NDArray[Any], tuple[Any, ...], NDArray[np.bool_] | None] | None:
    """An answer as its form, its numbers, what doubles cannot hold of them, and which of a container's numbers are of
    single precision (None where none is); None when there is no number in it.

    The form of a number is its type and that of an array is empty, so that it is the same answer alone and packed.
    Containers (dictionaries, lists, fractions, portraits of objects, ...) are walked; what is not a number is
    part of the form, in its place.
    """
    if type(value) in _WITHOUT_NUMBERS:
        return None
    numbers = numbers_of(value)
    if numbers is not None:
        return (type_name(value) if numbers.ndim == 0 else ""), numbers, (), None
    if type(value) is Portrait and value.form == "is" and len(value.parts) == 1:
        numbers = numbers_of(value.parts[0][1])  # a tensor is rounded as the array that it holds
        if numbers is not None:
            return repr(("object", *_outside(value))), numbers, (), None
    form: list[Any] = []
    found: list[NDArray[Any]] = []
    exact: list[Any] = []
    try:
        _walk(value, form, found, exact, 0)
        if not found or any(array.dtype.kind not in "fiub" for array in found):
            return None
        numbers = np.concatenate([array.reshape(-1).astype(np.float64) for array in found])
        singles = None
        if any(array.dtype == np.float32 for array in found):
            singles = np.repeat([array.dtype == np.float32 for array in found], [array.size for array in found])
        return repr(form), numbers, tuple(exact), singles
    except Exception:  # numbers that no double holds
        return None


def _walk(value: Any, form: list[Any], found: list[NDArray[Any]], exact: list[Any], depth: int) -> None:
    kind = type_name(value)
    numbers = numbers_of(value)
    if numbers is not None:
        form.append((kind, numbers.dtype.str, numbers.shape))
        found.append(numbers)
        return
    parts = _parts(value) if depth < DEEPEST else None
    if parts is None:
        form.append(canonical(value))
        return
    form.append((kind, len(parts)) if type(value) is not Portrait else ("object", *_outside(value), len(parts)))
    if isinstance(value, Decimal | Fraction | int):
        exact.append(canonical(value))
    for name, part in parts:
        form.append(name)
        _walk(part, form, found, exact, depth + 1)


def _parts(value: Any) -> list[tuple[Any, Any]] | None:
    """The named parts of a container, in a fixed order; None for what has none."""
    if isinstance(value, dict):
        return sorted(((canonical(k), v) for k, v in value.items()), key=lambda part: repr(part[0]))
    if isinstance(value, tuple | list):
        kinds = {type(part) for part in value}
        if len(kinds) == 1 and kinds <= {float, int}:  # at once: there may be a million of them
            return [(len(value), np.asarray(value))]
        return list(enumerate(value))
    if isinstance(value, np.ndarray):
        if value.dtype.names is not None:
            return [(name, value[name]) for name in value.dtype.names]
        if value.dtype.kind == "c":
            return [("real", value.real.copy()), ("imag", value.imag.copy())]
        return list(enumerate(value.reshape(-1).tolist())) if value.dtype.kind == "O" else None
    if isinstance(value, complex | np.complexfloating):
        return [("real", value.real), ("imag", value.imag)]
    if isinstance(value, Decimal | Fraction) or (isinstance(value, int) and not isinstance(value, bool)):
        return [("rounded", nearest_double(value))]
    if type(value) is Portrait and value.form not in ("text", "unread", "members"):
        named = [(canonical(name), part) for name, part in value.parts]
        return sorted(named, key=lambda part: repr(part[0])) if value.form == "items" else named
    return None


def opaque(seen: Observations) -> bool:
    """Whether nothing can be learned from such answers: no numbers, and nearly all different (or unreadable alike).

    Examples
    --------
    >>> answers = [object() for _ in range(12)]
    >>> opaque(observe(Answers(answers), "real")), opaque(observe(Answers(["yes", "no"] * 6), "real"))
    (True, False)
    """
    if len(seen) == 0 or seen.columns.shape[1] > 0:
        return False
    different = len(np.unique(seen.tokens))
    strange = any(_strange(answer) for answer in seen.answers)
    return different > SELDOM_REPEATED * len(seen) or (different == 1 and strange)


def _strange(answer: Any) -> bool:
    if type(answer) is Portrait:
        return answer.form in ("text", "unread")
    return not isinstance(answer, READABLE)


def canonical(value: Any, depth: int = 0) -> tuple[Any, ...]:
    """A value as nested tuples of plain things, such that equal values give equal tuples; never raises.

    Containers nested deeper than any answer that means something are cut off, at the same depth for every caller.
    """
    kind = type_name(value) if isinstance(value, np.generic) else type(value).__name__
    try:
        if isinstance(value, int) and not isinstance(value, bool):
            return (kind, hex(value))  # at any size: decimal digits are limited
        if value is None or isinstance(value, str | bytes | bool):
            return (kind, value)
        if isinstance(value, float):
            return (kind, "nan" if math.isnan(value) else value.hex())
        if isinstance(value, Raised | Opaque):
            return (kind, value.kind, value.message if isinstance(value, Raised) else value.digest)
        if type(value) is Portrait:
            return (
                ("object", *_outside(value), *_pairs(value, depth + 1)) if depth < DEEPEST_TEXT else (kind, "too deep")
            )
        if isinstance(value, np.ndarray) and value.dtype.kind != "O":
            return (kind, str(value.dtype), value.shape, without_padding(value).tobytes())
        if isinstance(value, np.generic):
            return (kind, without_padding(np.asarray(value)).tobytes())
        if isinstance(value, dict | set | frozenset | tuple | list | np.ndarray):
            return (kind, *_inner(value, depth + 1)) if depth < DEEPEST_TEXT else (kind, "too deep")
        return (kind, without_address(repr(value)))
    except Exception as error:
        return (kind, "unreadable", type(error).__name__)


def _outside(value: Portrait) -> tuple[Any, ...]:
    """What a portrait says besides its parts (what a model predicts follows from those)."""
    return (value.kind, value.form, value.text, value.cut)


def _pairs(value: Portrait, depth: int) -> list[Any]:
    pairs = [(canonical(name, depth), canonical(part, depth)) for name, part in value.parts]
    return sorted(pairs, key=repr) if value.form in ("items", "members") else pairs


def _inner(value: Any, depth: int) -> list[Any]:
    if isinstance(value, dict):
        return sorted(((canonical(k, depth), canonical(v, depth)) for k, v in value.items()), key=repr)
    if isinstance(value, set | frozenset):
        return sorted((canonical(v, depth) for v in value), key=repr)
    if isinstance(value, np.ndarray):
        return [value.shape, *(canonical(v, depth) for v in value.reshape(-1).tolist())]
    return [canonical(v, depth) for v in value]


def _hash(value: tuple[Any, ...]) -> np.uint64:
    digest = hashlib.blake2b(repr(value).encode(errors="replace"), digest_size=8).digest()
    return np.uint64(int.from_bytes(digest, "little"))


#: So many different texts of warnings are events of their own, each, though none should come again.
FEW_WARNINGS = 8
#: First characters of the name of an answer that is not at hand.
UNNAMED = "answer #"
#: Answers are shown with at most this many characters.
SHOWN = 60


def _with_numbers(answer: Raised) -> str:
    """The message with its numbers back where they were masked; as it is where they are not all known."""
    numbers = iter(answer.written)
    try:
        told = _MASKED.sub(lambda _: next(numbers), answer.message)
    except (StopIteration, RuntimeError):
        return answer.message
    return answer.message if next(numbers, None) is not None else told


def describe_answer(answer: Any, *, alone: bool = False) -> str:
    """An answer in words, short; never raises.

    The numbers of an exception's message are no part of the event that it is raised, so that they are not shown, unless
    the words are about this answer ``alone``.

    >>> describe_answer(Raised("ValueError", "bad row #", ("7",)))
    "raises ValueError('bad row #') (# is any number)"
    >>> describe_answer(Raised("ValueError", "bad row #", ("7",)), alone=True)
    "raises ValueError('bad row 7')"
    >>> describe_answer(1), describe_answer(np.int64(1)), describe_answer(np.str_("a"))
    ('1', 'np.int64(1)', "np.str_('a')")
    """
    if isinstance(answer, Warned):
        return f"{describe_answer(answer.answer, alone=alone)} with {warnings_in_words(answer.warnings)}"
    if isinstance(answer, Raised):
        told = _with_numbers(answer) if alone else answer.message
        message = told if len(told) <= 2 * SHOWN else told[: 2 * SHOWN - 3] + "..."
        words = f"raises {answer.kind}({message!r}){' (# is any number)' if '#' in message else ''}"
        return f"{words} that holds {describe_answer(answer.held)}" if alone and answer.held is not None else words
    if isinstance(answer, Opaque):
        return f"an object of type {answer.kind}"
    try:
        answer = drawn(answer)
        if type(answer) is Portrait and answer.form == "unread":
            return repr(answer)[: 2 * SHOWN]
        text = f"np.{type(answer).__name__}({answer.item()!r})" if isinstance(answer, np.generic) else repr(answer)
    except Exception as error:
        return f"an object of type {type(answer).__name__} whose repr raises {type(error).__name__}"
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."
