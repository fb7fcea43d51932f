"""Pairs of random datasets, without end: repeated, arbitrary and boundary values in every size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from numpy.random import Generator

from dpcheck.model.data import same_record
from dpcheck.model.neighbours import AddRemove, Pair, Relation, ReplaceEntry
from dpcheck.model.neighbours.domains import Columns, Domain, LabelledDomain, Values
from dpcheck.privacy.pairs.changes import (
    above_zero,
    change_under,
    counts_of_labels,
    entry_replaced,
    neighbouring_pair,
    removed,
    sizes_tried,
)
from dpcheck.privacy.pairs.constant_pairs import MOST_CONSTANT_RECORDS, constant_records
from dpcheck.privacy.pairs.records import FEW_VALUES, any_record, end_records, has_many_values, zero_record

#: Every other random dataset has one of so many smallest sizes.
SMALLEST_SIZES = 8
#: How the rows of a random dataset come about: a few values repeated, anything, boundary values only.
STYLES = ("repeated", "anything", "boundary")
#: Draws in a row that give no pair, after which there is none to be had (all records are the same).
MOST_BARREN = 1000
#: Where records have many values the one that leaves and the one that comes are mostly the next ones in a random order,
#: so that each has its turn; where a column has many, or the label, so large a part of them.
IN_TURN, PART_IN_TURN = 0.8, 0.5
#: The part of records at an end of the domain that are a zero between its ends, or hold a constant of the learner.
ZERO, CONSTANT = 0.25, 0.25


def random_pairs(
    relation: Relation, domain: Domain, rng: Generator, constants: Sequence[int | float | str]
) -> Iterator[Pair]:
    """Random pairs: repeated, arbitrary and boundary values in every size; the last row changes most often."""
    allowed = above_zero(relation.size) if isinstance(relation.size, range) else sizes_tried(relation)
    source = RandomRecords(domain, rng, constants)
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
            yield from removed(relation, rows, row)
            continue
        record = source.replacement(rows, row)
        if isinstance(relation, ReplaceEntry):
            counts = counts_of_labels(relation, size)
            found = entry_replaced(relation, rows, row, record, counts[int(rng.integers(len(counts)))])
        else:
            change = change_under(relation)
            found = change(relation, rows, row, record)
        for pair in found:
            barren = 0
            yield pair if rng.random() < 0.5 else neighbouring_pair(pair.right, pair.left)


class RandomRecords:
    """Random records of a domain."""

    def __init__(self, domain: Domain, rng: Generator, constants: Sequence[int | float | str] = ()) -> None:
        self.domain, self.rng = domain, rng
        self.constant_records = list(islice(constant_records(domain, constants), MOST_CONSTANT_RECORDS))
        self.low, self.high = end_records(domain)
        self.zero = zero_record(domain)
        self.in_turn = IN_TURN if isinstance(domain, Values) else PART_IN_TURN
        self.many = has_many_values(domain)
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
            inside = [j for j, column in enumerate(domain.columns) if zero_record(column) is not None]
            j = inside[int(self.rng.integers(len(inside)))]
            return [*end[:j], zero[j], *end[j + 1 :]]
        return zero

    def record(self) -> Any:
        """Any record."""
        return any_record(self.domain, self.rng)

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
