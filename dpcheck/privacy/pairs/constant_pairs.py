"""Pairs made of numbers and texts in the learner's code: records, sizes, and counts of records that they name."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice, zip_longest
from typing import Any

import numpy as np

from dpcheck.model.data import same_record
from dpcheck.model.neighbours import AddRemove, LabelsOnly, Pair, PrivatePart, Relation, ReplaceOne
from dpcheck.model.neighbours.domains import Bounds, Columns, Domain, LabelledDomain, Values
from dpcheck.privacy.pairs.changes import SIZES, change_under, records_domain, removed, replaced, sizes_tried
from dpcheck.privacy.pairs.named_counts import named_counts, parts_named
from dpcheck.privacy.pairs.records import end_records, rising_records

#: A block is at most so many pairs longer where constants name counts of records.
MOST_MORE = 32
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


def constant_pairs(relation: Relation, domain: Domain, constants: Sequence[int | float | str]) -> Iterator[Pair]:
    """A record made of a constant among others, as many records as one says, and as many high ones, in turn."""
    records = _constant_records(relation, domain, constants)
    sized = _constant_sized(relation, domain, constants)
    counted = _constant_counted(relation, domain, constants)
    yield from (pair for turn in zip_longest(sized, records, sized, counted) for pair in turn if pair is not None)


def more_pairs(relation: Relation, constants: Sequence[int | float | str]) -> int:
    """How many pairs longer a block is where constants name counts of records that others hardly ever have.

    >>> more_pairs(ReplaceOne(records=(0, 1)), [20]), more_pairs(ReplaceOne(records=(0, 1)), [0.5])
    (14, 0)
    """
    if isinstance(relation, PrivatePart):
        return more_pairs(relation.of, constants)
    parts = parts_named(constants, *_bounds(records_domain(relation)), usual=False)
    sized = MOST_OF_SIZE * len(_constant_sizes(relation, constants))
    return min(MOST_MORE, sized + len(list(islice(_counts(relation, constants, parts), MOST_MORE))))


def most_of_constant_sizes(
    relation: Relation, domain: Domain, constants: Sequence[int | float | str], *, one_record: bool
) -> int:
    """At most so many pairs have sizes that constants name; ``one_record``: the domain has one only.

    >>> domain = Bounds(0, 1)
    >>> most_of_constant_sizes(ReplaceOne(records=(0, 1)), domain, [0.5, -3], one_record=False)
    0
    >>> most_of_constant_sizes(AddRemove(records=[0]), Values((0,)), [20], one_record=True)
    2
    """
    if one_record:
        return len(list(_constant_sized(relation, domain, constants)))
    counts = sum(1 for _ in _counts(relation, constants, parts_named(constants, *_bounds(domain))))
    return (PAIRS_OF_SIZE + MOST_ALIKE) * len(_constant_sizes(relation, constants)) + 2 * counts


def _constant_records(relation: Relation, domain: Domain, constants: Sequence[int | float | str]) -> Iterator[Pair]:
    sizes = sizes_tried(relation)
    if not sizes or not isinstance(relation, ReplaceOne | AddRemove):
        return
    low, high = end_records(domain)
    for record in islice(constant_records(domain, constants), MOST_CONSTANT_RECORDS):
        if isinstance(relation, AddRemove):
            yield from removed(relation, [low[0]] * (sizes[0] - 1) + [record], sizes[0] - 1)
        else:
            yield from replaced(relation, [low[0]] * sizes[0], sizes[0] - 1, record)
            yield from replaced(relation, [high[0]] * (sizes[0] - 1) + [record], sizes[0] - 1, high[0])


def _constant_sized(relation: Relation, domain: Domain, constants: Sequence[int | float | str]) -> Iterator[Pair]:
    """The first pairs of each size, then the second ones: what counts records up to that number turns there."""
    records = list(islice(constant_records(domain, constants), MOST_ALIKE))
    of_sizes = (_of_constant_size(relation, domain, size, records) for size in _constant_sizes(relation, constants))
    yield from (pair for turn in zip_longest(*of_sizes) for pair in turn if pair is not None)


def _of_constant_size(relation: Relation, domain: Domain, size: int, records: Sequence[Any]) -> Iterator[Pair]:
    (low, *_), (high, *_) = end_records(domain)
    others = size - 1
    halves = [low] * (size // 2) + [high] * (size - size // 2)  # one record moves their median
    if isinstance(relation, AddRemove):
        yield from removed(relation, [low] * size, others)
        if not same_record(low, high):
            yield from removed(relation, [high] * size, others)
            for record in records:
                yield from removed(relation, [record] * size, others)
            yield from removed(relation, [low] * others + [high], others)
            yield from removed(relation, halves, others)
            yield from removed(relation, rising_records(domain, size), 0)
        return
    change = change_under(relation)
    yield from change(relation, [low] * size, others, high)
    yield from change(relation, [high] * size, others, low)
    for record in records:
        yield from change(relation, [record] * size, others, low)
    yield from change(relation, halves, others, low)
    yield from change(relation, rising_records(domain, size), 0, high)


def _constant_counted(relation: Relation, domain: Domain, constants: Sequence[int | float | str]) -> Iterator[Pair]:
    """One more high record among as many as constants name: what counts, ranks or compares a mean turns there."""
    if not isinstance(relation, ReplaceOne | AddRemove | LabelsOnly):
        return
    (low, *_), (high, *_) = end_records(domain)
    if same_record(low, high):
        return
    for size, count in _counts(relation, constants, parts_named(constants, *_bounds(domain))):
        rows = [high] * count + [low] * (size - count)
        if isinstance(relation, AddRemove):
            yield from removed(relation, [*rows[:count], high, *rows[count + 1 :]], count)
            yield from removed(relation, rows, size - 1)
        else:
            change = change_under(relation)
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
    others = [size for size in sizes_tried(relation) if max(SIZES) < size <= LARGEST_COUNTED]
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
    domain = records_domain(relation)
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
    known, whole = set(sizes_tried(relation)), [*_whole(constants), *_reaching(relation, constants)]
    near = dict.fromkeys((*whole, *(number + 1 for number in whole)))  # "at least" is said more often than "more than"
    allowed = range(1, LARGEST_CONSTANT_SIZE + 2) if relation.size is None else relation.size
    found = [size for size in near if size not in known and 0 < size <= LARGEST_CONSTANT_SIZE + 1 and size in allowed]
    return sorted(found[:MOST_CONSTANT_SIZES])


def constant_records(domain: Domain | None, constants: Sequence[int | float | str]) -> Iterator[Any]:
    """Records at an end but for a constant strictly inside the domain: of columns in all that have it, or in one."""
    if isinstance(domain, LabelledDomain):
        if domain.features is not None:
            labels = [side[0] for side in end_records(domain.labels)]
            for features in constant_records(domain.features, constants):
                yield from ((features, label) for label in labels)
    elif isinstance(domain, Columns):
        ends = [side[0] for side in end_records(domain)]
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
            ends = [end for side in end_records(domain) for end in side]
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
