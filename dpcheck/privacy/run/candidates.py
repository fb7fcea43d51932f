"""Pairs worth trying when only a relation is given: what leaks most often first, random ones beside it, without end."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import cycle, islice, zip_longest
from typing import Any

import numpy as np
from numpy.random import Generator

from dpcheck.model.data import (
    SemiPrivate,
    remove_record,
    replace_label,
    replace_record,
    same_dataset,
    same_record,
    size_of,
)
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import (
    AddRemove,
    EntryAndTranscript,
    LabelsOnly,
    Pair,
    PrivatePart,
    Relation,
    ReplaceEntry,
    ReplaceOne,
    describe_change,
)
from dpcheck.model.neighbours.assembly import assembled, without_labels
from dpcheck.model.neighbours.domains import Bounds, Columns, Domain, Drawn, LabelledDomain, Values, flat, is_number
from dpcheck.model.neighbours.draws import drawn
from dpcheck.privacy.run.named_counts import named_counts, parts_named

#: Sizes tried when none are declared: defects that need more rows are rare, and every row costs time.
SIZES = range(1, 9)
#: Of many declared sizes the smallest, the largest, and as many between as make this number come first.
SIZES_FIRST = 8
#: Of so many sizes all extreme pairs come before those of the others, and so many pairs before the first random one.
SIZES_WHOLE, EXTREME_FIRST = 4, 6
#: After those so many random pairs before one extreme one, in turn. Of 40 pairs of labelled data some then show each of
#: 15 leaks that hang on mixed or on extreme records, in all but 2 of 870 draws; one more each misses 38, one less 8.
#: Other records have a column alone at its extreme among the extreme pairs. Beside them so many pairs of constants, and
#: so many where constants name counts of records, by which a block is longer.
RANDOM_BESIDE_LABELLED, RANDOM_BESIDE = (1, 2), (1,)
NAMED_BESIDE_LABELLED, NAMED_BESIDE = (0, 1), (1,)
COUNTED_BESIDE_LABELLED, COUNTED_BESIDE = (2, 2), (2,)
MOST_MORE = 24
#: Every other random dataset has one of so many smallest sizes.
SMALLEST_SIZES = 8
#: Of labelled data, larger datasets than this are not changed in their first row too: where order matters small ones
#: show it, and a block has room for few pairs.
ORDERED_UP_TO = 5
#: Records drawn from a strategy at a time; pairs drawn from a stranger's relation at a time.
DRAWN_AT_ONCE = 64
#: How the rows of a random dataset come about: a few values repeated, anything, boundary values only.
STYLES = ("repeated", "anything", "boundary")
#: Whole numbers between wider bounds are spread over so many steps.
LARGEST_STEP = 2**53
#: Rows of all datasets of a block together, beyond which it is cut short (to no fewer pairs than these): large datasets
#: take long to make, to tell apart and to send.
MOST_ROWS, FEWEST_FOUND = 100_000, 8
#: Datasets that are searched have at most so many records: one of more takes longer to make than most audits.
LARGEST_SEARCHED = 1_000_000
#: Pairs of a domain are counted up to so many: of more, no search looks at all.
MOST_COUNTED = 2**16
#: Draws in a row that give no pair, after which there is none to be had (all records are the same).
MOST_BARREN = 1000
#: Rows of the public part of the first candidate; then one more each time, up to twice as many, and from 0 again.
PUBLIC_ROWS = 4
#: Of more values than this the record that leaves and the one that comes are mostly the next ones in a random order, so
#: that each has its turn; and so many random pairs come before one extreme one: of categories none is extreme. Where a
#: column has many values, or the label, so large a part of them.
FEW_VALUES, IN_TURN, RANDOM_BESIDE_VALUES, PART_IN_TURN = 4, 0.8, (3,), 0.5
#: The part of records at an end of the domain that are a zero between its ends, or hold a constant of the learner.
ZERO, CONSTANT = 0.25, 0.25
#: Records made of the learner's constants, each alone among others; sizes that are one of them, or one more.
MOST_CONSTANT_RECORDS, MOST_CONSTANT_SIZES = 32, 12
#: In datasets of at most so many records are the high ones as many as constants name.
LARGEST_COUNTED = 10_000
#: Larger sizes are not tried because a number in the code is as large.
LARGEST_CONSTANT_SIZE = 1024
#: Of so many records made of constants there are datasets of nothing else, of the sizes that constants name.
MOST_ALIKE = 2
#: About so many pairs of each size that a constant names tell most; there are so many, and those of records alike.
MOST_OF_SIZE, PAIRS_OF_SIZE = 4, 5
#: So many records that miss values come among the first.
MOST_HOLES = 4
#: A number drawn between bounds has so many decimals: enough to be anywhere, few enough to read.
DECIMALS = 3


def candidate_pairs(relation: Relation, rng: Generator, constants: Sequence[int | float | str] = ()) -> Iterator[Pair]:
    """Pairs under a relation, without end (unless there are few): boundary values and repetitions, and random ones.

    After the first few a half or more are random: what leaks on mixed data, or on values between the bounds, may leak
    on no extreme one. In between come pairs made of constants: what drops -999 leaks on -999, what answers from 10
    records on leaks on 10.

    Parameters
    ----------
    relation : ReplaceOne, AddRemove, LabelsOnly, ReplaceEntry, EntryAndTranscript or PrivatePart with records, or any
        with a method ``pair_strategy()``
    rng : numpy Generator, from which random pairs are drawn
    constants : numbers and texts, optional
        What stands in the learner's code, of which those that the relation allows are records, or numbers of them.

    Raises
    ------
    InvalidArgument
        When the relation does not declare its records.

    Examples
    --------
    >>> import numpy as np
    >>> first = next(candidate_pairs(ReplaceOne(records=(0, 10), size=3), np.random.default_rng(0)))
    >>> first.left, first.right, first.change
    ([0, 0, 0], [0, 0, 10], 'row 2: 0 replaced by 10')
    """
    if isinstance(relation, PrivatePart):
        return _beside_public_parts(relation, rng, constants)
    known = ReplaceOne | AddRemove | LabelsOnly | ReplaceEntry | EntryAndTranscript
    if hasattr(relation, "pair_strategy") or not isinstance(relation, known):
        return _strangers(relation, rng)
    if relation.records is None:
        raise InvalidArgument(
            f"neighbours must declare records for pairs to be searched: {type(relation).__name__}(records=(0, 1)); "
            "or give pairs=[(left, right)] or dataset=..."
        )
    domain = relation.records.domain
    ends = (relation.size[0], relation.size[-1]) if isinstance(relation.size, range) else (relation.size or 0,)
    if max(ends) > LARGEST_SEARCHED:
        raise InvalidArgument(
            f"size must be at most {LARGEST_SEARCHED:,} records for pairs to be searched, got {relation.size}; or give "
            "pairs=[(left, right)] or dataset=..."
        )
    if isinstance(relation, LabelsOnly | ReplaceEntry) and not (
        isinstance(domain, LabelledDomain) and domain.features is not None and domain.labels is not None
    ):
        name = type(relation).__name__
        raise InvalidArgument(
            f"neighbours must declare features and labels for pairs to be searched under {name}: "
            f"{name}(records=Records.labelled(features=(0, 1), labels=[0, 1]))"
        )
    counted = more_pairs(relation, constants) > 0
    beside: Sequence[int] = RANDOM_BESIDE
    named_beside: Sequence[int] = COUNTED_BESIDE if counted else NAMED_BESIDE
    if isinstance(domain, LabelledDomain):
        beside, named_beside = RANDOM_BESIDE_LABELLED, COUNTED_BESIDE_LABELLED if counted else NAMED_BESIDE_LABELLED
    if isinstance(domain, Values) and len(domain.values) > FEW_VALUES:
        beside = RANDOM_BESIDE_VALUES
    named = _of_constants(relation, domain, constants)
    return _in_turn(_extreme(relation, domain), _random(relation, domain, rng, constants), named, beside, named_beside)


def more_pairs(relation: Relation, constants: Sequence[int | float | str]) -> int:
    """How many pairs longer a block is where constants name counts of records that others hardly ever have.

    >>> more_pairs(ReplaceOne(records=(0, 1)), [20]), more_pairs(ReplaceOne(records=(0, 1)), [0.5])
    (14, 0)
    """
    if isinstance(relation, PrivatePart):
        return more_pairs(relation.of, constants)
    parts = parts_named(constants, *_bounds(_domain_of(relation)), usual=False)
    sized = MOST_OF_SIZE * len(_constant_sizes(relation, constants))
    return min(MOST_MORE, sized + len(list(islice(_counts(relation, constants, parts), MOST_MORE))))


def _in_turn(
    extreme: Iterator[Pair],
    drawn_pairs: Iterator[Pair],
    named: Iterator[Pair],
    beside: Sequence[int],
    named_beside: Sequence[int],
) -> Iterator[Pair]:
    """Extreme pairs, after the first ones with so many drawn ones before each, in turn, and so many of constants."""
    yield from islice(extreme, EXTREME_FIRST)
    for pair, count, also in zip(extreme, cycle(beside), cycle(named_beside), strict=False):
        yield from islice(drawn_pairs, count)
        yield from islice(named, also)
        yield pair
    for count, also in zip(cycle(beside), cycle(named_beside), strict=False):  # one more has the extreme one's place
        yield from islice(drawn_pairs, count + 1)
        found = list(islice(named, also))
        yield from found
        if also and not found:
            break
    yield from drawn_pairs


def _of_constants(relation: Relation, domain: Domain, constants: Sequence[int | float | str]) -> Iterator[Pair]:
    """A record made of a constant among others, as many records as one says, and as many high ones, in turn."""
    records, sized = _constant_records(relation, domain, constants), _constant_sized(relation, domain, constants)
    counted = _constant_counted(relation, domain, constants)
    yield from (pair for turn in zip_longest(sized, records, sized, counted) for pair in turn if pair is not None)


def _constant_records(relation: Relation, domain: Domain, constants: Sequence[int | float | str]) -> Iterator[Pair]:
    sizes = _sizes(relation)
    if not sizes or not isinstance(relation, ReplaceOne | AddRemove):
        return
    low, high = _ends(domain)
    for record in islice(_records_of(domain, constants), MOST_CONSTANT_RECORDS):
        if isinstance(relation, AddRemove):
            yield from _removed(relation, [low[0]] * (sizes[0] - 1) + [record], sizes[0] - 1)
        else:
            yield from _replaced(relation, [low[0]] * sizes[0], sizes[0] - 1, record)
            yield from _replaced(relation, [high[0]] * (sizes[0] - 1) + [record], sizes[0] - 1, high[0])


def _constant_sized(relation: Relation, domain: Domain, constants: Sequence[int | float | str]) -> Iterator[Pair]:
    """The first pairs of each size, then the second ones: what counts records up to that number turns there."""
    records = list(islice(_records_of(domain, constants), MOST_ALIKE))
    of_sizes = (_of_constant_size(relation, domain, size, records) for size in _constant_sizes(relation, constants))
    yield from (pair for turn in zip_longest(*of_sizes) for pair in turn if pair is not None)


def _of_constant_size(relation: Relation, domain: Domain, size: int, records: Sequence[Any]) -> Iterator[Pair]:
    (low, *_), (high, *_) = _ends(domain)
    others = size - 1
    halves = [low] * (size // 2) + [high] * (size - size // 2)  # one record moves their median
    if isinstance(relation, AddRemove):
        yield from _removed(relation, [low] * size, others)
        if not same_record(low, high):
            yield from _removed(relation, [high] * size, others)
            for record in records:
                yield from _removed(relation, [record] * size, others)
            yield from _removed(relation, [low] * others + [high], others)
            yield from _removed(relation, halves, others)
            yield from _removed(relation, _rising(domain, size), 0)
        return
    change = _change_under(relation)
    yield from change(relation, [low] * size, others, high)
    yield from change(relation, [high] * size, others, low)
    for record in records:
        yield from change(relation, [record] * size, others, low)
    yield from change(relation, halves, others, low)
    yield from change(relation, _rising(domain, size), 0, high)


def _constant_counted(relation: Relation, domain: Domain, constants: Sequence[int | float | str]) -> Iterator[Pair]:
    """One more high record among as many as constants name: what counts, ranks or compares a mean turns there."""
    if not isinstance(relation, ReplaceOne | AddRemove | LabelsOnly):
        return
    (low, *_), (high, *_) = _ends(domain)
    if same_record(low, high):
        return
    for size, count in _counts(relation, constants, parts_named(constants, *_bounds(domain))):
        rows = [high] * count + [low] * (size - count)
        if isinstance(relation, AddRemove):
            yield from _removed(relation, [*rows[:count], high, *rows[count + 1 :]], count)
            yield from _removed(relation, rows, size - 1)
        else:
            change = _change_under(relation)
            yield from change(relation, rows, count, high)


def _counts(
    relation: Relation, constants: Sequence[int | float | str], parts: Sequence[Fraction]
) -> Iterator[tuple[int, int]]:
    """Sizes and counts of high records in each: of the sizes that constants name one count in turn, then of others.

    As many as a whole number says are all records of the size that it names. Other sizes are those of which random
    datasets are hardly ever the ones wanted.
    """
    if not isinstance(relation, ReplaceOne | AddRemove | LabelsOnly):
        return
    wholes = sorted((whole for whole in _whole(constants) if whole > 1), reverse=True)  # one among others comes anyway
    others = [size for size in _sizes(relation) if max(SIZES) < size <= LARGEST_COUNTED]
    named: tuple[list[int], list[int]] = (_constant_sizes(relation, constants), [])
    for sizes, counted in (named, (others, wholes)):
        for turn in zip_longest(*(named_counts(size, counted, parts) for size in sizes)):
            yield from ((size, count) for size, count in zip(sizes, turn, strict=True) if count is not None)


def _bounds(domain: Domain | None) -> tuple[float | None, float | None]:
    return (domain.low, domain.high) if isinstance(domain, Bounds) else (None, None)


def _reaching(relation: Relation, constants: Sequence[int | float | str]) -> list[int]:
    """How many records at the high end add up to the numbers, where the low one is 0.

    >>> _reaching(ReplaceOne(records=(0, 100)), [5000, 0.5]), _reaching(ReplaceOne(records=(0, 1)), [20])
    ([50], [])
    """
    domain = _domain_of(relation)
    if not isinstance(domain, Bounds) or domain.low != 0 or domain.high in (0, 1):
        return []
    each = (Fraction(number) / Fraction(domain.high) for number in constants if not isinstance(number, str))
    return [math.ceil(count) for count in each if max(SIZES) < count <= LARGEST_CONSTANT_SIZE]


def _whole(constants: Sequence[int | float | str]) -> list[int]:
    return [int(number) for number in constants if not isinstance(number, str) and number == int(number)]


def _constant_sizes(relation: Relation | None, constants: Sequence[int | float | str]) -> list[int]:
    """Sizes beyond those that are tried anyway, which the relation allows and whole numbers among constants name.

    >>> _constant_sizes(ReplaceOne(records=(0, 1)), (0.5, 10, -999)), _constant_sizes(ReplaceOne(size=5), (10,))
    ([10, 11], [])
    """
    if not isinstance(relation, ReplaceOne | AddRemove | LabelsOnly) or isinstance(relation.size, int):
        return []
    known, whole = set(_sizes(relation)), [*_whole(constants), *_reaching(relation, constants)]
    near = dict.fromkeys((*whole, *(number + 1 for number in whole)))  # "at least" is said more often than "more than"
    allowed = range(1, LARGEST_CONSTANT_SIZE + 2) if relation.size is None else relation.size
    found = [size for size in near if size not in known and 0 < size <= LARGEST_CONSTANT_SIZE + 1 and size in allowed]
    return sorted(found[:MOST_CONSTANT_SIZES])


def _records_of(domain: Domain | None, constants: Sequence[int | float | str]) -> Iterator[Any]:
    """Records at an end but for a constant strictly inside the domain: of columns in all that have it, or in one."""
    if isinstance(domain, LabelledDomain):
        if domain.features is not None:
            labels = [side[0] for side in _ends(domain.labels)]
            for features in _records_of(domain.features, constants):
                yield from ((features, label) for label in labels)
    elif isinstance(domain, Columns):
        ends = [side[0] for side in _ends(domain)]
        inside = [_Inside(column, in_row=True) for column in domain.columns]
        numbers_alone = all(isinstance(column, Bounds) for column in domain.columns)
        told = [one for one in constants if not (numbers_alone and isinstance(one, str))]
        rows = [[column.value(constant) for column in inside] for constant in told]
        several = [row for row in rows if sum(value is not None for value in row) > 1]
        for row in several:
            yield [below if value is None else value for value, below in zip(row, ends[0], strict=True)]
        alone = [(j, value) for row in rows for j, value in enumerate(row) if value is not None]
        yield from ([*end[:j], value, *end[j + 1 :]] for j, value in alone for end in ends[: len(inside)])
    elif isinstance(domain, Bounds | Values):
        values = map(_Inside(domain, in_row=False).value, constants)
        yield from (value for value in values if value is not None)


class _Inside:
    """The values of a domain that constants may be, but for its ends."""

    def __init__(self, domain: Bounds | Values, *, in_row: bool) -> None:
        self.domain = domain
        # rows are of floats, as elsewhere here
        self.whole = isinstance(domain, Bounds) and (domain.whole or (domain.whole_ends and not in_row))
        self.known: dict[int | float | str, Any] = {}
        if isinstance(domain, Values):
            ends = [end for side in _ends(domain) for end in side]
            plain = [value for value in domain.values if isinstance(value, int | float | str | np.number | np.str_)]
            inner = [value for value in plain if not any(same_record(value, end) for end in ends)]
            self.known = {value.item() if isinstance(value, np.generic) else value: value for value in inner}

    def value(self, constant: int | float | str) -> Any:
        """The value that a constant is; None where it is none, or an end."""
        if isinstance(self.domain, Values):
            return self.known.get(constant)
        if isinstance(constant, str) or not self.domain.low < constant < self.domain.high:
            return None
        if self.whole:
            return int(constant) if constant == int(constant) else None
        return float(constant)


def _beside_public_parts(
    relation: PrivatePart, rng: Generator, constants: Sequence[int | float | str]
) -> Iterator[Pair]:
    """Candidates of the private part, each beside a public part of another size."""
    declared = relation.public if relation.public is not None else relation.records
    if declared is None:
        raise InvalidArgument(
            "neighbours must declare records for pairs to be searched: PrivatePart(records=(0, 1)); "
            "or give pairs=[(left, right)] or dataset=..."
        )
    source = _Source(declared.domain, rng)
    for number, pair in enumerate(candidate_pairs(relation.of, rng, constants)):
        public = assembled(source.rows((PUBLIC_ROWS + number) % (2 * PUBLIC_ROWS + 1)), declared)
        yield _pair(SemiPrivate(pair.left, public), SemiPrivate(pair.right, public))


def _strangers(relation: Relation, rng: Generator) -> Iterator[Pair]:
    from dpcheck.strategies import neighbouring_pairs

    strategy = neighbouring_pairs(relation)
    while True:
        for left, right in drawn(strategy, DRAWN_AT_ONCE, int(rng.integers(2**32))):
            yield _pair(left, right)


def _pair(left: Any, right: Any) -> Pair:
    return Pair(left, right, describe_change(left, right) or "two datasets")


def _sizes(relation: Relation) -> Sequence[int]:
    """The sizes worth trying, the most telling first: a middling one, then from the smallest up."""
    declared = relation.size
    if isinstance(declared, int):
        return [declared] if declared > 0 else []
    known: Sequence[int] = _above_zero(declared) if declared is not None else [n for n in SIZES if n > 0]
    if len(known) > SIZES_FIRST:
        between = known[:: max(1, len(known) // (SIZES_FIRST - 1))]
        known = sorted({*known[:3], *between[: SIZES_FIRST - 4], known[-1]})
    middle = list(known[len(known) // 2 : len(known) // 2 + 1])
    return [*middle, *(n for n in known if n not in middle)]


def _above_zero(sizes: range) -> range:
    """A range without what is not above 0, upwards; no list is made of it."""
    up = sizes if sizes.step > 0 else sizes[::-1]
    return up[1:] if up[0] == 0 else up


def _extreme(relation: Relation, domain: Domain) -> Iterator[Pair]:
    """Pairs of boundary values; where records may miss some, one of those before each of the first."""
    between = _between_ends(relation, domain)
    for pair in _of_holes(relation, domain):
        yield pair
        yield from islice(between, 1)
    yield from between


def _of_holes(relation: Relation, domain: Domain) -> Iterator[Pair]:
    """One other record among many that miss values, and one of these among others: what is put in is made of them."""
    low, high = _ends(domain)
    sizes = _sizes(relation)
    if not sizes or not isinstance(relation, ReplaceOne | AddRemove):
        return
    for hole in _with_holes(domain):
        most, middling = max(sizes) - 1, sizes[0] - 1
        if isinstance(relation, AddRemove):
            for others in dict.fromkeys((most, middling)):
                yield from _removed(relation, [hole] * others + [high[0]], others)
            yield from _removed(relation, [low[0]] * middling + [hole], middling)
        else:
            for others in dict.fromkeys((most, middling)):
                yield from _replaced(relation, [hole] * others + [low[0]], others, high[0])
            yield from _replaced(relation, [low[0]] * sizes[0], middling, hole)


def _between_ends(relation: Relation, domain: Domain) -> Iterator[Pair]:
    """Boundary values in every size: all low with one high, all high with one low, repetitions made and broken."""
    low, high = _ends(domain)
    sizes = _sizes(relation)
    if isinstance(domain, LabelledDomain) and isinstance(relation, ReplaceOne | LabelsOnly):
        for size in sizes:  # what a fit loses depends on the size
            change = _change_under(relation)
            yield from change(relation, [low[0]] * size, size - 1, high[0])
            yield from _label_exchanged(relation, size, low[0], high[0])
            if size == sizes[0] and isinstance(relation, ReplaceOne) and (inner := _inner(domain)) is not None:
                yield from _replaced(relation, [low[0]] * size, size - 1, inner)
    for place, size in enumerate(sizes[:SIZES_WHOLE]):
        yield from _extreme_of_size(relation, size, low[0], high[0], first=True)
        yield from _about_zero(relation, size, low[0], high[0], alone=place == 0)
    if isinstance(domain, Columns) and not isinstance(relation, AddRemove):
        # each column alone, and against all the others: what chooses among columns (a noisy maximum) leaks most there
        for alone in high[1:] if sizes else ():
            yield from _replaced(relation, [low[0]] * min(sizes), min(sizes) - 1, alone)
        for alone in high[1:] if sizes else ():
            others = [up if value == down else down for value, down, up in zip(alone, low[0], high[0], strict=True)]
            yield from _extreme_of_size(relation, min(sizes), alone, others, first=False)
    for far in range(1, max(len(low), len(high))):
        for size in sizes[:SIZES_WHOLE]:
            if size <= 3:  # one column alone at its extremes: in small datasets it shows best
                yield from _extreme_of_size(relation, size, low[far % len(low)], high[far % len(high)], first=False)
    for size in sizes[SIZES_WHOLE:]:
        yield from _extreme_of_size(relation, size, low[0], high[0], first=True)


def _extreme_of_size(relation: Relation, size: int, low: Any, high: Any, *, first: bool) -> Iterator[Pair]:
    domain = _domain_of(relation)
    features = domain.features if isinstance(domain, LabelledDomain) else None
    if isinstance(relation, AddRemove):
        for rest, one in ((low, high), (high, high), (high, low), (low, low)):
            yield from _removed(relation, [rest] * (size - 1) + [one], size - 1)
        if first and (inner := _inner(domain)) is not None:
            yield from _removed(relation, [low] * (size - 1) + [inner], size - 1)
        if size > 1 and first and features is not None:
            # the last: all others alike but for their label, so that one more turns a mean round
            for rest in (_still(features, low), (high[0], low[1])):
                yield from _removed(relation, [rest] * (size - 1) + [high], size - 1)
        if size > 1:
            yield from _removed(relation, [high] + [low] * (size - 1), 0)
        return
    if isinstance(relation, ReplaceEntry):
        for labelled in _counts_of_labels(relation, size):
            for row in dict.fromkeys((size - 1, 0)):
                yield from _entry_replaced(relation, [low] * size, row, high, labelled)
                yield from _entry_replaced(relation, [high] * size, row, low, labelled)
        return
    change = _change_under(relation)
    yield from change(relation, [low] * size, size - 1, high)
    yield from change(relation, [high] * size, size - 1, low)
    if first and not isinstance(relation, LabelsOnly) and (inner := _inner(domain)) is not None:
        yield from change(relation, [low] * size, size - 1, inner)
    if size > 1 and first:
        yield from _label_exchanged(relation, size, low, high)
        if features is None or size <= ORDERED_UP_TO:
            yield from change(relation, [low] * size, 0, high)
        yield from change(relation, [high] + [low] * (size - 1), size - 1, high)


def _about_zero(relation: Relation, size: int, low: Any, high: Any, *, alone: bool) -> Iterator[Pair]:
    """Zero among the ends it lies between, and an end alone among zeros: what divides by a record, or drops zeros."""
    if (zero := _zero(_domain_of(relation))) is None:
        return
    if isinstance(relation, AddRemove):
        for rest, one in ((high, zero), *(((low, zero), (zero, high), (zero, low)) if alone else ())):
            yield from _removed(relation, [rest] * (size - 1) + [one], size - 1)
    elif isinstance(relation, ReplaceOne):
        for rest, old, new in ((high, zero, high), *(((low, zero, low), (zero, low, high)) if alone else ())):
            yield from _replaced(relation, [rest] * (size - 1) + [old], size - 1, new)


def _label_exchanged(relation: Relation, size: int, low: Any, high: Any) -> Iterator[Pair]:
    """A fit moves most for one record where no other row pulls at it."""
    domain = _domain_of(relation)
    if size > 1 and isinstance(domain, LabelledDomain) and domain.features is not None:
        yield from _replaced(
            relation, [*[_still(domain.features, low)] * (size - 1), (high[0], low[1])], size - 1, high
        )


def _still(features: Domain, low: Any) -> Any:
    return _smallest(features), low[1]


def _domain_of(relation: Relation) -> Domain | None:
    return None if relation.records is None else relation.records.domain


def _replaced(relation: Relation, rows: list[Any], row: int, record: Any) -> Iterator[Pair]:
    assert relation.records is not None
    left = assembled(rows, relation.records)
    if not same_record(rows[row], record):
        yield _pair(left, replace_record(left, row, record))


def _change_under(relation: Relation) -> Callable[[Relation, list[Any], int, Any], Iterator[Pair]]:
    return _relabelled if isinstance(relation, LabelsOnly) else _replaced


def _relabelled(relation: Relation, rows: list[Any], row: int, record: Any) -> Iterator[Pair]:
    assert relation.records is not None
    left = assembled(rows, relation.records)
    if not same_record(rows[row][1], record[1]):
        yield _pair(left, replace_label(left, row, record[1]))


def _counts_of_labels(relation: ReplaceEntry, size: int) -> list[int]:
    """How many entries may be labelled, the most telling first: a half, all, none, then any."""
    if relation.labelled is not None:
        return [relation.labelled]
    return [*dict.fromkeys([(size + 1) // 2, size, 0, *range(size)])]


def _entry_replaced(relation: Relation, rows: list[Any], row: int, record: Any, labelled: int) -> Iterator[Pair]:
    """One entry replaced, where the entries after the first ``labelled`` ones have no label."""
    (entry,) = without_labels([record], 1 if row < labelled else 0)
    yield from _replaced(relation, without_labels(rows, labelled), row, entry)


def _removed(relation: Relation, rows: list[Any], row: int) -> Iterator[Pair]:
    assert relation.records is not None
    larger = assembled(rows, relation.records)
    yield _pair(larger, remove_record(larger, row))


def _random(
    relation: Relation, domain: Domain, rng: Generator, constants: Sequence[int | float | str]
) -> Iterator[Pair]:
    """Random pairs: repeated, arbitrary and boundary values in every size; the last row changes most often."""
    allowed = _above_zero(relation.size) if isinstance(relation.size, range) else _sizes(relation)
    source = _Source(domain, rng, constants)
    barren = 0
    while allowed and barren < MOST_BARREN:
        barren += 1
        small = rng.random() < 0.5
        size = int(rng.choice(allowed[:SMALLEST_SIZES] if small else allowed[:: max(1, len(allowed) // 1000)]))
        rows = source.rows(size)
        row = size - 1 if rng.random() < 0.3 else int(rng.integers(size))
        rows = source.leaving(rows, row)
        if isinstance(relation, AddRemove):
            barren = 0
            yield from _removed(relation, rows, row)
            continue
        record = source.replacement(rows, row)
        if isinstance(relation, ReplaceEntry):
            counts = _counts_of_labels(relation, size)
            found = _entry_replaced(relation, rows, row, record, counts[int(rng.integers(len(counts)))])
        else:
            change = _change_under(relation)
            found = change(relation, rows, row, record)
        for pair in found:
            barren = 0
            yield pair if rng.random() < 0.5 else _pair(pair.right, pair.left)


class _Source:
    """Random records of a domain."""

    def __init__(self, domain: Domain, rng: Generator, constants: Sequence[int | float | str] = ()) -> None:
        self.domain, self.rng = domain, rng
        self.constant_records = list(islice(_records_of(domain, constants), MOST_CONSTANT_RECORDS))
        self.low, self.high = _ends(domain)
        self.zero = _zero(domain)
        self.in_turn = IN_TURN if isinstance(domain, Values) else PART_IN_TURN
        self.many = _has_many_values(domain)
        self.waiting: dict[tuple[int, ...], list[int]] = {}

    def rows(self, size: int) -> list[Any]:
        """The rows of one dataset."""
        style = STYLES[int(self.rng.integers(len(STYLES)))]
        if style == "repeated":
            few = [self.record() for _ in range(int(self.rng.integers(1, 4)))]
            return [few[int(self.rng.integers(len(few)))] for _ in range(size)]
        if style == "boundary":
            return [self.boundary() for _ in range(size)]
        return [self.record() for _ in range(size)]

    def replacement(self, rows: list[Any], row: int) -> Any:
        """The record that takes a row's place: an extreme, a repetition of another row, or anything."""
        if self.many and self.rng.random() < self.in_turn:
            return self.next_of(self.domain, rows[row])
        kind = self.rng.random()
        if kind < 0.5:
            return self.boundary()
        if kind < 0.7 and len(rows) > 1:
            return rows[int(self.rng.integers(len(rows)))]
        return self.record()

    def boundary(self) -> Any:
        """A record at the end of the domain, the zero that lies between, or one with a constant of the learner."""
        if self.constant_records and self.rng.random() < CONSTANT:
            return self.constant_records[int(self.rng.integers(len(self.constant_records)))]
        ends = self.high if self.rng.random() < 0.5 else self.low
        if self.zero is not None and self.rng.random() < ZERO:
            return self.with_zero(self.domain, self.zero, ends[0])
        return ends[int(self.rng.integers(len(ends)))]

    def with_zero(self, domain: Domain | None, zero: Any, end: Any) -> Any:
        """Zeros in all columns, or in one of a record at an end; the label is that end's."""
        if isinstance(domain, LabelledDomain):
            return self.with_zero(domain.features, zero[0], end[0]), end[1]
        if isinstance(domain, Columns) and self.rng.random() < 0.5:
            inside = [j for j, column in enumerate(domain.columns) if _zero(column) is not None]
            j = inside[int(self.rng.integers(len(inside)))]
            return [*end[:j], zero[j], *end[j + 1 :]]
        return zero

    def record(self) -> Any:
        """Any record."""
        return _record(self.domain, self.rng)

    def leaving(self, rows: list[Any], row: int) -> list[Any]:
        """The rows, of many values with the next one in the place of the record that will leave."""
        if not self.many or self.rng.random() >= self.in_turn:
            return rows
        return [*rows[:row], self.next_of(self.domain, rows[row]), *rows[row + 1 :]]

    def next_of(self, domain: Domain | None, record: Any, *where: int) -> Any:
        """The record with the next value of each part that has many: in a random order, all before one comes again."""
        if isinstance(domain, Values) and len(domain.values) > FEW_VALUES:
            waiting = self.waiting.setdefault(where, [])
            if len(waiting) < 2:  # the last one may be the record itself
                waiting[:0] = self.rng.permutation(len(domain.values)).tolist()
            if same_record(domain.values[waiting[-1]], record):
                waiting[-2:] = reversed(waiting[-2:])
            return domain.values[waiting.pop()]
        if isinstance(domain, Columns):
            return [
                self.next_of(column, value, *where, j)
                for j, (column, value) in enumerate(zip(domain.columns, record, strict=True))
            ]
        if isinstance(domain, LabelledDomain):
            x, label = record
            return self.next_of(domain.features, x, *where, 0), self.next_of(domain.labels, label, *where, 1)
        return record


def _has_many_values(domain: Domain | None) -> bool:
    if isinstance(domain, Columns):
        return any(map(_has_many_values, domain.columns))
    if isinstance(domain, LabelledDomain):
        return _has_many_values(domain.features) or _has_many_values(domain.labels)
    return isinstance(domain, Values) and len(domain.values) > FEW_VALUES


def _record(domain: Domain | None, rng: Generator) -> Any:
    if isinstance(domain, Bounds):
        return _number(domain, rng)
    if isinstance(domain, Values):
        return domain.values[int(rng.integers(len(domain.values)))]
    if isinstance(domain, Columns):
        return [_coordinate(column, rng) for column in domain.columns]
    if isinstance(domain, LabelledDomain):
        return _record(domain.features, rng), _record(domain.labels, rng)
    if isinstance(domain, Drawn):
        found = drawn(domain.strategy, DRAWN_AT_ONCE, int(rng.integers(2**32)))
        return found[int(rng.integers(len(found)))]
    raise InvalidArgument(
        "records must declare both features and labels for pairs to be searched, as in "
        "Records.labelled(features=(0, 1), labels=[0, 1])"
    )


def _number(bounds: Bounds, rng: Generator) -> Any:
    # bounds that are integers may mean whole records, so whole numbers are drawn, and floats never beside them
    if bounds.whole or bounds.whole_ends:
        low = math.ceil(bounds.low)
        steps = math.floor(bounds.high) - low
        if steps < LARGEST_STEP:
            return low + int(rng.integers(steps, endpoint=True))
        return low + steps * int(rng.integers(LARGEST_STEP)) // LARGEST_STEP
    return _between(bounds, float(rng.random()))


def _coordinate(column: Bounds | Values, rng: Generator) -> Any:
    if isinstance(column, Values) or column.whole:
        return _record(column, rng)
    # rows of numbers become arrays of floats: there is room between whole bounds
    return _between(column, float(rng.random()))


def _between(bounds: Bounds, part: float) -> float:
    """The number at a part of the way from low to high, of few decimals."""
    low, high = float(bounds.low), float(bounds.high)
    return min(max(round(low * (1.0 - part) + high * part, DECIMALS), low), high)


def _rising(domain: Domain, size: int) -> list[Any]:
    """Records from the low end to the high one, each step longer: without the first all order statistics move.

    So do their differences, which even steps would leave as they are.

    >>> _rising(Bounds(0.0, 9.0), 4), _rising(Columns((Bounds(0, 1), Values(("b", "a")))), 3)
    ([0.0, 1.0, 4.0, 9.0], [[0.0, 'a'], [0.25, 'a'], [1.0, 'b']])
    """
    return [_at(domain, (row / max(size - 1, 1)) ** 2) for row in range(size)]


def _at(domain: Domain | None, part: float) -> Any:
    """The record at a part of the way from the low end of a domain to the high one."""
    if isinstance(domain, LabelledDomain):
        return _at(domain.features, part), _at(domain.labels, part)
    if isinstance(domain, Columns):
        return [
            _between(column, part) if isinstance(column, Bounds) and not column.whole else _at(column, part)
            for column in domain.columns
        ]
    if isinstance(domain, Values):
        ordered = _ordered(domain)
        return ordered[round(part * (len(ordered) - 1))]
    (low, *_), (high, *_) = _ends(domain)
    if not isinstance(domain, Bounds):
        return low if part < 0.5 else high
    return low + round(part * (high - low)) if isinstance(low, int) else _between(domain, part)


def _inner(domain: Domain | None) -> Any:
    """A record in the middle of a domain that has numbers between its bounds; None of others."""
    return _with_numbers(domain, _middle)


def _middle(bounds: Bounds) -> float | None:
    return None if bounds.whole or bounds.whole_ends or bounds.low == bounds.high else _between(bounds, 0.5)


def _zero(domain: Domain | None) -> Any:
    """The record of zeros that lies strictly between the ends of a domain; None of others.

    >>> _zero(Bounds(-1, 5)), _zero(Bounds(0, 5)), _zero(Columns((Bounds(-1.0, 1.0), Bounds(2.0, 3.0))))
    (0, None, [0.0, 2.0])
    """
    return _with_numbers(domain, _zero_between)


def _zero_between(bounds: Bounds) -> float | None:
    if not bounds.low < 0 < bounds.high:
        return None
    return 0 if bounds.whole or bounds.whole_ends else 0.0


def _with_numbers(domain: Domain | None, number: Callable[[Bounds], float | None]) -> Any:
    """A record of such numbers where bounds have one, else at the low end; None where no bounds have one."""
    if isinstance(domain, Bounds):
        return number(domain)
    if isinstance(domain, Columns):
        made = [_with_numbers(column, number) for column in domain.columns]
        low = _ends(domain)[0][0]
        found = [below if value is None else value for value, below in zip(made, low, strict=True)]
        return None if all(value is None for value in made) else found
    if isinstance(domain, LabelledDomain):
        features = _with_numbers(domain.features, number)
        return None if features is None else (features, _ends(domain.labels)[0][0])
    return None


def _ends(domain: Domain | None) -> tuple[list[Any], list[Any]]:
    """Records at the two ends of a domain, the farthest apart first, then one column alone at its extremes."""
    if isinstance(domain, Bounds):
        if domain.whole:
            return [math.ceil(domain.low)], [math.floor(domain.high)]
        kind = int if domain.whole_ends else float
        return [kind(domain.low)], [kind(domain.high)]
    if isinstance(domain, Values):
        ordered = _ordered(domain)
        return [ordered[0]], [ordered[-1]]
    if isinstance(domain, Columns):
        each = [_ends(column) for column in domain.columns]
        lowest, highest = [low[0] for low, _ in each], [high[0] for _, high in each]
        alone = [[*lowest[:j], highest[j], *lowest[j + 1 :]] for j in range(len(each))] if len(each) > 1 else []
        return [lowest] * (1 + len(alone)), [highest, *alone]
    if isinstance(domain, LabelledDomain):
        features, labels = _ends(domain.features), _ends(domain.labels)
        count = max(len(features[0]), len(features[1]))
        all_low = [(features[0][i % len(features[0])], labels[0][0]) for i in range(count)]
        all_high = [(features[1][i % len(features[1])], labels[1][0]) for i in range(count)]
        # both change first; then the label alone, what label privacy is about, on low and on high features
        flipped: list[Any] = [(features[0][0], labels[1][0]), (features[1][0], labels[1][0])]
        low: list[Any] = [all_low[0], all_low[0], (features[1][0], labels[0][0]), *all_low[1:]]
        return low, [all_high[0], *flipped, *all_high[1:]]
    if isinstance(domain, Drawn):
        found = drawn(domain.strategy, DRAWN_AT_ONCE)
        return found[:1], found[-1:]
    raise InvalidArgument(
        "records must declare both features and labels for pairs to be searched, as in "
        "Records.labelled(features=(0, 1), labels=[0, 1])"
    )


def _ordered(domain: Values) -> list[Any]:
    """The values that miss nothing, upwards where they have an order."""
    ordered = [value for value in domain.values if not _misses(value)] or list(domain.values)
    with suppress(TypeError, ValueError):  # arrays are neither less nor more
        ordered = sorted(ordered)
    return ordered


def _misses(record: Any) -> int:
    """How many values of a record are missing (NaN, None): they are neither less nor more than others."""
    if type(record) in (int, str, bool):
        return 0
    return sum(value is None or (is_number(value) and bool(value != value)) for value in flat(record))


def _with_holes(domain: Domain | None) -> list[Any]:
    """Records of a domain that miss values, as a dataset of somebody's has them: the most first."""
    if isinstance(domain, Values):
        return sorted((value for value in domain.values if _misses(value)), key=_misses, reverse=True)[:MOST_HOLES]
    if isinstance(domain, LabelledDomain):
        return [(hole, _ends(domain.labels)[0][0]) for hole in _with_holes(domain.features)]
    if isinstance(domain, Columns):
        low = _ends(domain)[0][0]
        holes = [
            [*low[:j], hole, *low[j + 1 :]] for j, column in enumerate(domain.columns) for hole in _with_holes(column)
        ]
        return holes[:MOST_HOLES]
    return []


def _smallest(domain: Domain) -> Any:
    """The record of a domain that is nearest to 0, where that means anything; one at its low end where it does not."""
    low = _ends(domain)[0][0]
    if isinstance(domain, Bounds):
        return 0 if domain.low <= 0 <= domain.high else min(low, _ends(domain)[1][0], key=abs)
    if isinstance(domain, Values):
        known = [value for value in domain.values if not _misses(value)]
        return min(known, key=abs) if known and all(map(is_number, known)) else low
    return [_smallest(column) for column in domain.columns] if isinstance(domain, Columns) else low


def most_pairs(relation: Relation, constants: Sequence[int | float | str] = ()) -> int | None:
    """At most so many different candidates come of a relation; None where they are many, or not to be counted.

    Searching for one more where all are found takes a quarter of a second, in each audit of a small domain.

    Parameters
    ----------
    relation : Relation
        Counted are those that replace, add or remove one of finitely many plain records.
    constants : numbers and texts, optional
        As for :func:`candidate_pairs`.

    Examples
    --------
    >>> most_pairs(ReplaceOne(records=[0, 1], size=2)), most_pairs(AddRemove(records=[0, 1, 2], size=1))
    (8, 3)
    >>> most_pairs(ReplaceOne(records=(0.5, 1))), most_pairs(AddRemove(records=[0], size=2))
    (None, 1)
    """
    domain = relation.records.domain if relation.records is not None else None
    if type(relation) not in (ReplaceOne, AddRemove):
        return None
    if isinstance(domain, Values) and all(isinstance(value, int | float | str) for value in domain.values):
        kinds = len(domain.values)
    elif isinstance(domain, Bounds) and domain.whole_ends:
        kinds = int(domain.high) - int(domain.low) + 1
    else:
        return None
    total = 0
    if relation.size is None and kinds == 1:
        total = len(list(_constant_sized(relation, domain, constants)))
    elif relation.size is None:
        counts = sum(1 for _ in _counts(relation, constants, parts_named(constants, *_bounds(domain))))
        total = (PAIRS_OF_SIZE + MOST_ALIKE) * len(_constant_sizes(relation, constants)) + 2 * counts
    for size in relation.size if isinstance(relation.size, range) else _sizes(relation):
        if size < 1:
            continue
        if total > MOST_COUNTED or size > MOST_COUNTED.bit_length():
            return None
        if isinstance(relation, AddRemove):  # of equal neighbouring rows it is one pair, whichever is removed
            total += kinds**size + (size - 1) * (kinds - 1) * kinds ** (size - 1)
        else:
            total += size * (kinds - 1) * kinds**size
    return total if total <= MOST_COUNTED else None


def distinct_pairs(pairs: Iterator[Pair], count: int, known: list[Pair], among: int | None = None) -> list[Pair]:
    """The next ``count`` pairs that differ and are not ``known``, fewer where the domain has no more.

    Parameters
    ----------
    pairs : iterator of Pair
    count : int
    known : list of Pair
    among : int, optional
        There are no more than so many pairs, of which the known ones are some: found all, it is looked for no more.

    Examples
    --------
    >>> import numpy as np
    >>> pairs = candidate_pairs(ReplaceOne(records=[0, 1], size=1), np.random.default_rng(0))
    >>> [(pair.left, pair.right) for pair in distinct_pairs(pairs, 5, [])]
    [([0], [1]), ([1], [0])]
    """
    found: list[Pair] = []
    seen = {_key(pair) for pair in known}
    rows = 0
    for _ in range(20 * count):
        if (rows > MOST_ROWS and len(found) >= FEWEST_FOUND) or (among is not None and len(seen) >= among):
            break
        pair = next(pairs, None)
        if pair is None:
            break
        key = _key(pair)
        if key in seen or same_dataset(pair.left, pair.right):
            continue
        seen.add(key)
        found.append(pair)
        rows += max(size_of(pair.left), size_of(pair.right))
        if len(found) == count:
            break
    return found


def _key(pair: Pair) -> tuple[str, str]:
    from dpcheck.model.data import digest

    left, right = digest(pair.left), digest(pair.right)
    return str(left["sha256"] or id(pair.left)), str(right["sha256"] or id(pair.right))
