"""All numbers of an output, however many, and the digits of its whole numbers: those that told most so far are chosen.

The slots (how many columns are chosen or learned, and their weights) are fixed before the first call; what fills them
is learned from earlier outputs only, as every rule of the game is. A slot that nothing has earned yet stays empty and
its rules abstain. Of the past, sums per number and side are kept and the first outputs, no more.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.anywhere import MARKS, Marks, in_columns, times_there
from dpcheck.privacy.statistics.low_order import rounded

Floats = NDArray[np.float64]

#: Slots for single numbers, and for single digits of whole numbers.
CHOSEN_NUMBERS, CHOSEN_DIGITS = 3, 3
#: Slots for what stands anywhere in an output (:mod:`dpcheck.privacy.statistics.anywhere`).
CHOSEN_ITEMS = 3
#: Fixed random projections of all numbers (dense signs), and the seed of their signs.
PROJECTIONS, PROJECTION_SEED = 2, 20_190_701
#: Learned scores of all numbers.
JOINT = ("a linear score of all numbers", "a linear score of the numbers that tell most")
#: Whole numbers are looked at by what they leave when divided by these ...
RESTS = (3, 5, 7)
#: ... and by so many of their decimal digits, from the tens on (all that 64 bits hold), whether each is odd and its
#: rest by 5.
DECIMAL_DIGITS = 18
#: What is known of one 64-bit whole number: bits, each compared with the next, their parity, rests, decimal digits.
DIGITS = 64 + 63 + 1 + sum(RESTS) + 6 * DECIMAL_DIGITS
#: Of so many whole numbers all of this is looked at; of more the lowest bits; then the last one alone.
MOST_DIGITS, FEW_BITS = 3 << 16, 8
#: Numbers held at once while sums are formed: as many as the processor keeps near.
AT_ONCE = 1 << 17
#: Of longer outputs so many places at a time: then several outputs are added up before sums are written back.
TILE = 1 << 11
#: Of the first outputs so many numbers are kept, for the tables of whatever is chosen later; and so many outputs.
KEPT_NUMBERS, LEAST_KEPT, MOST_KEPT = 1 << 20, 16, 2000
#: Outputs on each side before anything is chosen.
LEAST_EACH = 8
#: The middle of a number that is not always there is known from so many outputs that have it.
LEAST_PRESENT = 3
#: A number farther than this from the middle, in spreads, counts as this far.
FAR = 8.0
#: Outputs' worth of a spread of 1 that every variance is drawn towards.
PRIOR = 1.0
#: A number is chosen where it tells more than the largest of so many that say nothing, by so many standard errors.
BEYOND = 0.5
#: Two values closer than this part of their size are one.
SAME = 2.0**-39


@dataclass(frozen=True)
class Block:
    """Some outputs: their ``numbers`` (n, w) and whole numbers of 64 bits (n, k), as they came, and their ``marks``."""

    numbers: NDArray[np.generic]
    whole: NDArray[np.uint64]
    marks: Marks | None = None


@dataclass(frozen=True)
class Wide:
    """All numbers of n outputs, block by block, and the order that the outputs were put in (None: as they came).

    ``each``: how many digits of each whole number are looked at; ``exact``: whether numbers are left as they came.
    """

    blocks: tuple[Block, ...]
    each: int
    exact: bool
    order: NDArray[np.int64] | None = None

    @property
    def numbers(self) -> int:
        """How many numbers an output has."""
        return int(self.blocks[0].numbers.shape[1])

    @property
    def width(self) -> int:
        """How many numbers and digits an output has."""
        return self.numbers + int(self.blocks[0].whole.shape[1]) * self.each

    @property
    def marked(self) -> bool:
        """Whether what stands anywhere in the outputs is known."""
        return all(block.marks is not None for block in self.blocks)

    def __len__(self) -> int:
        return sum(len(block.numbers) for block in self.blocks)

    def column(self, place: int) -> Floats:
        """One number of each output (rounded unless exact), one digit, or how often it has a mark; -inf for none."""
        parts = []
        for block in self.blocks:
            if place >= self.width:
                marks = block.marks if block.marks is not None else np.zeros((len(block.numbers), 0), np.uint16)
                parts.append((marks == place - self.width).sum(axis=1).astype(np.float64))
            elif place < self.numbers:
                raw = block.numbers[:, place]
                if raw.dtype.kind == "f" and not self.exact:
                    raw = rounded(raw[:, None])[:, 0]
                values = raw.astype(np.float64)
                parts.append(np.where(np.isnan(values), -np.inf, values))
            else:
                which, digit = divmod(place - self.numbers, self.each)
                parts.append(digits_of(block.whole[:, which : which + 1], self.each)[:, digit].astype(np.float64))
        return self.ordered(np.concatenate(parts))

    def rows(self, places: NDArray[np.int64]) -> Wide:
        """Some of the outputs, as if these were all that came."""
        which = places if self.order is None else self.order[places]
        numbers = np.concatenate([block.numbers for block in self.blocks])[which]
        whole = np.concatenate([block.whole for block in self.blocks])[which]
        marks = in_columns([row for block in self.blocks for row in _rows_of(block.marks)]) if self.marked else None
        return Wide((Block(numbers, whole, None if marks is None else marks[which]),), self.each, self.exact)

    def ordered(self, values: NDArray[np.generic]) -> Floats:
        """Values of outputs as they came, in the order the outputs were put in."""
        found = np.asarray(values, dtype=np.float64)
        return found if self.order is None else found[self.order]

    def unordered(self, coins: NDArray[np.int8]) -> NDArray[np.int8]:
        """The coins of the outputs as they came."""
        if self.order is None:
            return coins
        found = np.empty_like(coins)
        found[self.order] = coins
        return found

    def chunks(self, most: int = AT_ONCE) -> Iterator[Floats]:
        """All numbers of the outputs as they came, a few outputs at a time."""
        step = max(1, most // max(self.numbers, 1))
        for block in self.blocks:
            for first in range(0, len(block.numbers), step):
                yield block.numbers[first : first + step].astype(np.float64)

    def tiles(self, coins: NDArray[np.int8]) -> Iterator[tuple[slice, Floats, NDArray[np.int8]]]:
        """All numbers as they came, some places of some outputs at a time: which places, the numbers, the coins."""
        start = 0
        for block in self.blocks:
            ours = coins[start : start + len(block.numbers)]
            start += len(ours)
            for left in range(0, self.numbers, TILE):
                which = slice(left, min(left + TILE, self.numbers))
                step = max(1, AT_ONCE // (which.stop - left))
                for first in range(0, len(ours), step):
                    part = block.numbers[first : first + step, which].astype(np.float64)
                    yield which, part, ours[first : first + step]

    def digit_chunks(self, most: int = AT_ONCE) -> Iterator[NDArray[np.uint8]]:
        """All digits of the outputs as they came, a few outputs at a time."""
        step = max(1, most // max(self.width - self.numbers, 1))
        for block in self.blocks:
            for first in range(0, len(block.whole), step):
                yield digits_of(block.whole[first : first + step], self.each)

    def first(self, count: int) -> Floats:
        """All numbers and digits of the first outputs, in their order."""
        wanted = (np.arange(len(self)) if self.order is None else self.order)[:count]
        starts = np.cumsum([0, *(len(block.numbers) for block in self.blocks)])
        which = np.searchsorted(starts, wanted, side="right") - 1
        found = np.empty((len(wanted), self.width))
        for place in np.unique(which):
            block, ours = self.blocks[place], which == place
            rows = wanted[ours] - starts[place]
            numbers = block.numbers[rows]
            if numbers.dtype.kind == "f" and not self.exact:
                numbers = rounded(np.ascontiguousarray(numbers))
            found[ours] = np.concatenate([numbers.astype(np.float64), digits_of(block.whole[rows], self.each)], axis=1)
        return found

    def first_marks(self, count: int) -> Marks:
        """The marks of the first outputs, in their order, of no more of them than can be kept."""
        if not self.marked:
            return np.zeros((0, 0), np.uint16)
        most = max((block.marks.shape[1] for block in self.blocks if block.marks is not None), default=0)
        wanted = (np.arange(len(self)) if self.order is None else self.order)[: min(count, _kept_of(most))]
        rows = [row for block in self.blocks for row in _rows_of(block.marks)]
        return in_columns([rows[place] for place in wanted])


def _rows_of(marks: Marks | None) -> Iterator[Marks]:
    return iter(()) if marks is None else iter(marks)


def joined(parts: Sequence[Wide | None], order: NDArray[np.int64]) -> Wide | None:
    """The numbers of parts one after the other, put in this order; None unless all have as many."""
    known = [part for part in parts if part is not None]
    if not known or len(known) < len(parts) or len({(part.width, part.numbers) for part in known}) > 1:
        return None
    blocks = tuple(block for part in known for block in part.blocks)
    return Wide(blocks, known[0].each, known[0].exact, order)


def digits_each(whole_numbers: int) -> int:
    """How many digits of each of so many whole numbers are looked at.

    >>> digits_each(1), digits_each(1000), digits_each(100_000)
    (251, 8, 1)
    """
    if whole_numbers * DIGITS <= MOST_DIGITS:
        return DIGITS
    return FEW_BITS if whole_numbers * FEW_BITS <= MOST_DIGITS else 1


def digits_of(whole: NDArray[np.uint64], each: int) -> NDArray[np.uint8]:
    """The digits of whole numbers (n, k) as 0 and 1, shape (n, k * each).

    Examples
    --------
    >>> digits_of(np.array([[5]], np.uint64), 8).tolist()
    [[1, 0, 1, 0, 0, 0, 0, 0]]
    """
    if whole.shape[1] == 0:
        return np.zeros((len(whole), 0), np.uint8)
    raw = np.ascontiguousarray(whole.astype("<u8")).view(np.uint8).reshape(*whole.shape, 8)
    if each < DIGITS:
        return np.unpackbits(raw, axis=2, count=each, bitorder="little").reshape(len(whole), -1)
    bits = np.unpackbits(raw, axis=2, bitorder="little")
    parity = (bits.sum(axis=2) & 1)[:, :, None].astype(np.uint8)
    parts = [bits, bits[:, :, 1:] ^ bits[:, :, :-1], parity, *(_rests(whole, by) for by in RESTS)]
    signed = whole.view(np.int64)  # so that a negative number has the decimal digits that are written
    written = np.where(signed < 0, -signed, signed).view(np.uint64)
    for place in range(1, DECIMAL_DIGITS + 1):
        digit = written // np.uint64(10**place) % np.uint64(10)
        parts += [(digit & np.uint64(1))[:, :, None].astype(np.uint8), _rests(digit, 5)]
    return np.concatenate(parts, axis=2).reshape(len(whole), -1)


def _rests(whole: NDArray[np.uint64], by: int) -> NDArray[np.uint8]:
    found = (whole % np.uint64(by))[:, :, None] == np.arange(by, dtype=np.uint64)
    return np.asarray(found, dtype=np.uint8)


def digit_name(digit: int) -> str:
    """A digit in words.

    >>> digit_name(0), digit_name(64), digit_name(130)
    ('bit 0', 'whether bits 0 and 1 differ', 'the rest by 3 being 2')
    >>> digit_name(143), digit_name(144)
    ('the digit of 10s being odd', 'the digit of 10s being 0 or 5')
    """
    if digit < 64:
        return f"bit {digit}"
    if digit < 127:
        return f"whether bits {digit - 64} and {digit - 63} differ"
    if digit == 127:
        return "the parity of the bits"
    digit -= 128
    for by in RESTS:
        if digit < by:
            return f"the rest by {by} being {digit}"
        digit -= by
    place, of_place = divmod(digit, 6)
    digit_there = f"the digit of {10 ** (place + 1):,}s"
    return f"{digit_there} being odd" if of_place == 0 else f"{digit_there} being {of_place - 1} or {of_place + 4}"


def slot_names(numbers: int, digits: int, *, marked: bool = False) -> tuple[str, ...]:
    """The slots of outputs with so many numbers and digits, in words: fixed before the first call.

    ``marked``: whether what stands anywhere in them is known.

    >>> slot_names(0, 251)
    ('chosen digit 1', 'chosen digit 2', 'chosen digit 3')
    """
    names: tuple[str, ...] = ()
    if numbers:
        names += JOINT + tuple(f"random projection {place + 1} of all numbers" for place in range(PROJECTIONS))
        names += tuple(f"chosen number {place + 1}" for place in range(CHOSEN_NUMBERS))
    if digits:
        names += tuple(f"chosen digit {place + 1}" for place in range(CHOSEN_DIGITS))
    if marked:
        names += tuple(f"chosen item {place + 1}" for place in range(CHOSEN_ITEMS))
    return names


@dataclass(frozen=True)
class Slots:
    """What was learned of all numbers from earlier outputs, and what fills the slots because of it.

    ``sums`` (5, 2, w): per side (D' first) of the numbers brought to one size, their squares and fourth powers, how
    often each is its middle, and how often it is there; a middle of NaN is not known yet. ``ones`` (2, digits): per
    side how often each digit is 1. ``there`` (2, MARKS): in how many outputs each mark was (no columns where marks are
    not known), ``marks`` those of the outputs that are ``kept``. ``chosen_*`` hold the place in each slot, -1 while
    empty; marks come after numbers and digits, and ``words`` says what was seen of each that is chosen.
    """

    numbers: int
    centre: Floats
    spread: Floats
    sums: Floats
    ones: Floats
    past: tuple[int, int]
    kept: Floats
    signs: NDArray[np.int8]
    slopes: tuple[NDArray[np.float64], ...] = ()
    offsets: tuple[float, ...] = ()
    chosen_numbers: tuple[int, ...] = ()
    chosen_digits: tuple[int, ...] = ()
    there: NDArray[np.int64] = field(default_factory=lambda: np.zeros((2, 0), np.int64))
    marks: Marks = field(default_factory=lambda: np.zeros((0, 0), np.uint16))
    chosen_items: tuple[int, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def chosen(self) -> tuple[int, ...]:
        """The places of the chosen numbers, digits and marks, slot by slot; -1 while a slot is empty."""
        return self.chosen_numbers + self.chosen_digits + self.chosen_items

    @property
    def width(self) -> int:
        """How many numbers and digits an output has."""
        return self.numbers + int(self.ones.shape[1])

    @property
    def columns(self) -> int:
        """How many columns they fill."""
        return (len(JOINT) + PROJECTIONS if self.numbers else 0) + len(self.chosen)


def new_slots(wide: Wide) -> Slots:
    """What is known after the first interim analysis: middles and spreads, from its first outputs."""
    kept = wide.first(_kept_of(wide.width))
    centre, spread = _middles(kept[:, : wide.numbers])
    digits = wide.width - wide.numbers
    return Slots(
        wide.numbers,
        centre,
        spread,
        np.zeros((5, 2, wide.numbers)),
        np.zeros((2, digits)),
        (0, 0),
        kept,
        signs_of(wide.numbers),
        chosen_numbers=(-1,) * (CHOSEN_NUMBERS if wide.numbers else 0),
        chosen_digits=(-1,) * (CHOSEN_DIGITS if digits else 0),
        there=np.zeros((2, MARKS if wide.marked else 0), np.int64),
        marks=wide.first_marks(len(kept)),
        chosen_items=(-1,) * (CHOSEN_ITEMS if wide.marked else 0),
        words=("",) * (CHOSEN_ITEMS if wide.marked else 0),
    )


def _kept_of(width: int) -> int:
    return int(np.clip(KEPT_NUMBERS // max(width, 1), LEAST_KEPT, MOST_KEPT))


def _middles(values: Floats) -> tuple[Floats, Floats]:
    """The middle and the spread of each number, from some outputs; a middle of NaN where too few of these have it."""
    places = np.arange(values.shape[1])
    there = np.where(np.isfinite(values), values, np.nan)
    amount = (~np.isnan(there)).sum(axis=0)
    present = (~np.isnan(values)).sum(axis=0)
    there[:, amount == 0] = 0.0
    middle = np.sort(there, axis=0)  # what is not there comes last
    centre = middle[np.maximum(amount - 1, 0) // 2, places]
    with np.errstate(over="ignore", invalid="ignore"):
        gaps = np.sort(np.abs(there - centre), axis=0)
    spread = gaps[np.maximum((3 * amount) // 4 - 1, 0), places]
    largest = gaps[np.maximum(amount - 1, 0), places]
    spread = np.where(spread > 0, spread, largest)
    spread = np.where((spread > 0) & np.isfinite(spread), spread, 1.0)
    return np.where(present >= min(LEAST_PRESENT, len(values)), centre, np.nan), spread


def _with_late_middles(slots: Slots, wide: Wide) -> Slots:
    """The middles of numbers that no earlier output had, or too few: until now they counted as absent."""
    unknown = np.flatnonzero(np.isnan(slots.centre))
    if len(unknown) == 0:
        return slots
    some = np.concatenate([block.numbers[:MOST_KEPT, unknown] for block in wide.blocks]).astype(np.float64)
    if np.isnan(some).all():
        return slots
    centre, spread = _middles(some if wide.exact else rounded(some))
    centres, spreads = slots.centre.copy(), slots.spread.copy()
    centres[unknown], spreads[unknown] = centre, spread
    return replace(slots, centre=centres, spread=spreads)


def signs_of(numbers: int) -> NDArray[np.int8]:
    """The signs of the fixed random projections of so many numbers.

    >>> signs_of(3).shape, signs_of(0).shape
    ((2, 3), (0, 0))
    """
    rng = np.random.default_rng(PROJECTION_SEED)
    signs = rng.integers(0, 2, (PROJECTIONS if numbers else 0, numbers), dtype=np.int8) * np.int8(2) - 1
    return signs.astype(np.int8)


def _sized(part: Floats, centre: Floats, spread: Floats, *, exact: bool) -> Floats:
    """Numbers brought to one size; unless they are exact, one that is rounded to its middle is the middle."""
    with np.errstate(over="ignore", invalid="ignore"):
        sized = part - centre
        if not exact:
            sized[np.abs(sized) <= SAME * np.abs(centre)] = 0.0
        sized /= spread
    np.clip(sized, -FAR, FAR, out=sized)
    return sized


def with_outputs(slots: Slots | None, wide: Wide, coins: NDArray[np.int8]) -> Slots:
    """The sums after more outputs were seen."""
    slots = slots if slots is not None else new_slots(wide)
    if wide.width != slots.width:
        return slots
    slots = _with_late_middles(slots, wide)
    sums = slots.sums.copy()
    tossed = wide.unordered(coins)
    near = SAME * np.abs(slots.centre) / slots.spread
    for which, part, some in wide.tiles(tossed):
        sides = np.stack([some == 0, some == 1]).astype(np.float64)
        sized = _sized(part, slots.centre[which], slots.spread[which], exact=wide.exact)
        missing = np.isnan(sized)
        gone = bool(missing.any())
        if gone:
            sized[missing] = 0.0
        sums[0, :, which] += sides @ sized
        middle = np.abs(sized) <= near[which]
        if gone:
            middle &= ~missing
        sums[3, :, which] += sides @ middle.astype(np.float64)
        sums[4, :, which] += sides @ (~missing).astype(np.float64) if gone else sides.sum(axis=1, keepdims=True)
        np.multiply(sized, sized, out=sized)
        sums[1, :, which] += sides @ sized
        np.multiply(sized, sized, out=sized)
        sums[2, :, which] += sides @ sized
    ones, start = slots.ones.copy(), 0
    for digits in wide.digit_chunks() if ones.shape[1] else ():
        some = tossed[start : start + len(digits)]
        start += len(digits)
        for side in (0, 1):
            ones[side] += _times_one(digits[some == side])
    left = int(coins.sum())
    past = (slots.past[0] + len(coins) - left, slots.past[1] + left)
    return replace(slots, sums=sums, ones=ones, past=past, there=_with_marks(slots.there, wide, tossed))


def _with_marks(there: NDArray[np.int64], wide: Wide, coins: NDArray[np.int8]) -> NDArray[np.int64]:
    """In how many outputs each mark was, after these ones, whose coins are in the order they came in."""
    if not there.shape[1] or not wide.marked:
        return there
    found, start = there.copy(), 0
    for block in wide.blocks:
        marks = block.marks
        assert marks is not None
        some = coins[start : start + len(marks)]
        start += len(marks)
        for side in (0, 1):
            found[side] += times_there(marks[some == side])
    return found


def _times_one(digits: NDArray[np.uint8]) -> NDArray[np.int64]:
    """How often each digit is 1: in bytes as long as these can hold it, which is ten times faster."""
    found = np.zeros(digits.shape[1], np.int64)
    for first in range(0, len(digits), 255):
        found += digits[first : first + 255].sum(axis=0, dtype=np.uint8)
    return found


def _differences(slots: Slots) -> tuple[Floats, Floats]:
    """Per number: the difference of its means (D - D') and its variance, of numbers brought to one size."""
    counts = np.array(slots.past, dtype=np.float64)[:, None]
    means = slots.sums[0] / counts
    within = (slots.sums[1] - counts * means**2).sum(axis=0)
    return means[1] - means[0], (np.maximum(within, 0.0) + PRIOR) / (counts.sum() - 2 + PRIOR)


def tellings(slots: Slots) -> Floats:
    """How far each number tells the sides apart, in standard errors: by its mean, its size, its middle, its absence.

    Digits, which come last, by how often each is 1.
    """
    right, left = (float(count) for count in slots.past)
    part = 1.0 / left + 1.0 / right
    gap, variance = _differences(slots)
    best = np.abs(gap) / np.sqrt(variance * part)
    size = slots.sums[1] / np.array([[right], [left]])
    spread = (slots.sums[2].sum(axis=0) + PRIOR) / (left + right) - ((slots.sums[1]).sum(axis=0) / (left + right)) ** 2
    with np.errstate(invalid="ignore", divide="ignore"):
        best = np.fmax(best, np.abs(size[1] - size[0]) / np.sqrt(np.maximum(spread, 1e-6) * part))
    for kind in (3, 4):
        best = np.fmax(best, _shares_apart(slots.sums[kind], right, left))
    best = np.concatenate([best, _shares_apart(slots.ones, right, left)])
    return np.asarray(np.nan_to_num(best, nan=0.0, posinf=0.0))


def marks_that_tell(slots: Slots) -> Floats:
    """How far the shares of outputs with each mark are apart on the two sides, in standard errors."""
    right, left = (float(count) for count in slots.past)
    return _shares_apart(slots.there.astype(np.float64), right, left)


def _shares_apart(times: Floats, right: float, left: float) -> Floats:
    """How far shares of outputs on D' and on D are apart, in standard errors; ``times`` has shape (2, k)."""
    share = times / np.array([[right], [left]])
    p = (times.sum(axis=0) + 0.5) / (left + right + 1.0)
    return np.asarray(np.abs(share[1] - share[0]) / np.sqrt(p * (1.0 - p) * (1.0 / left + 1.0 / right)))


def refilled(slots: Slots) -> Slots:
    """The slots filled by what has been seen; those whose choice stands keep their place."""
    if min(slots.past) < LEAST_EACH:
        return slots
    found = tellings(slots)
    numbers = _chosen(found[: slots.numbers], slots.chosen_numbers, 0)
    digits = _chosen(found[slots.numbers :], slots.chosen_digits, slots.numbers)
    items = slots.chosen_items
    if items:
        items = _chosen(marks_that_tell(slots), items, slots.width)
    words = tuple(
        words if now == was else "" for words, now, was in zip(slots.words, items, slots.chosen_items, strict=True)
    )
    slots = replace(slots, chosen_numbers=numbers, chosen_digits=digits, chosen_items=items, words=words)
    return _joint(slots) if slots.numbers else slots


def _chosen(found: Floats, before: tuple[int, ...], start: int) -> tuple[int, ...]:
    if not before or len(found) == 0:
        return before
    least = math.sqrt(2.0 * math.log(4.0 * len(found))) + BEYOND
    most = min(len(before), len(found))
    best = np.argpartition(-found, most - 1)[:most]
    best = best[np.argsort(-found[best], kind="stable")]
    wanted = [int(place) + start for place in best if found[place] >= least]
    kept = [place if place in wanted else -1 for place in before]
    new = iter([place for place in wanted if place not in kept])
    return tuple(place if place >= 0 else next(new, -1) for place in kept)


def _joint(slots: Slots) -> Slots:
    """Linear scores of all numbers, each alone in its variance (naive Bayes), and of those that stand out."""
    right, left = (float(count) for count in slots.past)
    part = 1.0 / left + 1.0 / right
    gap, variance = _differences(slots)
    middle = (slots.sums[0] / np.array([[right], [left]])).mean(axis=0)
    z = gap / np.sqrt(variance * part)
    stands_out = np.abs(z) >= math.sqrt(2.0 * math.log(1.0 + len(z)))
    slopes, offsets = [], []
    for which in (np.ones(len(z), dtype=bool), stands_out):
        told = float((np.where(which, gap, 0.0) ** 2 / variance).sum())
        luck = float(which.sum()) * part if which.all() else 0.0
        sure = max(0.05, 1.0 - luck / told) if told > 0 else 0.0
        slope = np.where(which, gap / variance, 0.0) * sure
        slopes.append(slope)
        offsets.append(-float(slope @ middle))
    return replace(slots, slopes=tuple(slopes), offsets=tuple(offsets))


def slot_values(slots: Slots | None, wide: Wide | None, rows: int, count: int) -> Floats:
    """What the slots hold for each output, shape (rows, count); NaN where a slot is empty."""
    found = np.full((rows, count), np.nan)
    if slots is None or wide is None or wide.width != slots.width:
        return found
    place = 0
    if slots.numbers:
        weights = np.zeros((slots.numbers, len(JOINT) + PROJECTIONS))
        weights[:, len(JOINT) :] = slots.signs.T / math.sqrt(slots.numbers)
        offsets = np.zeros(weights.shape[1])
        for k, slope in enumerate(slots.slopes):
            weights[:, k], offsets[k] = slope, slots.offsets[k]
        sums = []
        for part in wide.chunks():
            sized = _sized(part, slots.centre, slots.spread, exact=wide.exact)
            missing = np.isnan(sized)
            if missing.any():
                sized[missing] = 0.0
            sums.append(sized @ weights + offsets)
        # the low bits of a sum are none of the claim's about real numbers
        joint = np.concatenate(sums).astype(np.float32).astype(np.float64)
        joint = joint if wide.order is None else joint[wide.order]
        found[:, : weights.shape[1]] = joint
        for k in range(len(JOINT)):
            if k >= len(slots.slopes) or not slots.slopes[k].any():
                found[:, k] = np.nan
        place = weights.shape[1]
    for k, chosen in enumerate(slots.chosen):
        if chosen >= 0:
            found[:, place + k] = wide.column(chosen)
    return found


def kept_values(slots: Slots, chosen: int) -> Floats:
    """A newly chosen number, digit or mark of the first outputs."""
    if chosen >= slots.width:
        return np.asarray((slots.marks == chosen - slots.width).sum(axis=1), dtype=np.float64)
    values = slots.kept[:, chosen]
    return np.asarray(np.where(np.isnan(values), -np.inf, values))


def first_chosen(slots: Slots) -> int:
    """The place, among the slots, of the first that holds a chosen number or digit."""
    return len(JOINT) + PROJECTIONS if slots.numbers else 0
