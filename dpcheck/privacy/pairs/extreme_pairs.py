"""Pairs of boundary values in every size, in an order: what leaks most often first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from dpcheck.model.neighbours import AddRemove, LabelsOnly, Pair, Relation, ReplaceEntry, ReplaceOne
from dpcheck.model.neighbours.domains import Columns, Domain, LabelledDomain
from dpcheck.privacy.pairs.changes import (
    change_under,
    counts_of_labels,
    entry_replaced,
    records_domain,
    removed,
    replaced,
    sizes_tried,
)
from dpcheck.privacy.pairs.records import end_records, middle_record, records_with_holes, smallest_record, zero_record

#: Of so many sizes all extreme pairs come before those of the others.
SIZES_WHOLE = 4
#: Of labelled data, larger datasets than this are not changed in their first row too: where order matters small ones
#: show it, and a block has room for few pairs.
ORDERED_UP_TO = 5


def extreme_pairs(relation: Relation, domain: Domain) -> Iterator[Pair]:
    """Pairs of boundary values; where records may miss some, one of those before each of the first."""
    between = _between_ends(relation, domain)
    for pair in _of_holes(relation, domain):
        yield pair
        yield from islice(between, 1)
    yield from between


def _of_holes(relation: Relation, domain: Domain) -> Iterator[Pair]:
    """One other record among many that miss values, and one of these among others: what is put in is made of them."""
    low, high = end_records(domain)
    sizes = sizes_tried(relation)
    if not sizes or not isinstance(relation, ReplaceOne | AddRemove):
        return
    for hole in records_with_holes(domain):
        most, middling = max(sizes) - 1, sizes[0] - 1
        if isinstance(relation, AddRemove):
            for others in dict.fromkeys((most, middling)):
                yield from removed(relation, [hole] * others + [high[0]], others)
            yield from removed(relation, [low[0]] * middling + [hole], middling)
        else:
            for others in dict.fromkeys((most, middling)):
                yield from replaced(relation, [hole] * others + [low[0]], others, high[0])
            yield from replaced(relation, [low[0]] * sizes[0], middling, hole)


def _between_ends(relation: Relation, domain: Domain) -> Iterator[Pair]:
    """Boundary values in every size: all low with one high, all high with one low, repetitions made and broken."""
    low, high = end_records(domain)
    sizes = sizes_tried(relation)
    if isinstance(domain, LabelledDomain) and isinstance(relation, ReplaceOne | LabelsOnly):
        for size in sizes:  # what a fit loses depends on the size
            change = change_under(relation)
            yield from change(relation, [low[0]] * size, size - 1, high[0])
            yield from _label_exchanged(relation, size, low[0], high[0])
            if size == sizes[0] and isinstance(relation, ReplaceOne) and (inner := middle_record(domain)) is not None:
                yield from replaced(relation, [low[0]] * size, size - 1, inner)
    for place, size in enumerate(sizes[:SIZES_WHOLE]):
        yield from _extreme_of_size(relation, size, low[0], high[0], first=True)
        yield from _about_zero(relation, size, low[0], high[0], alone=place == 0)
    if isinstance(domain, Columns) and not isinstance(relation, AddRemove):
        # each column alone, and against all the others: what chooses among columns (a noisy maximum) leaks most there
        for alone in high[1:] if sizes else ():
            yield from replaced(relation, [low[0]] * min(sizes), min(sizes) - 1, alone)
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
    domain = records_domain(relation)
    features = domain.features if isinstance(domain, LabelledDomain) else None
    if isinstance(relation, AddRemove):
        for rest, one in ((low, high), (high, high), (high, low), (low, low)):
            yield from removed(relation, [rest] * (size - 1) + [one], size - 1)
        if first and (inner := middle_record(domain)) is not None:
            yield from removed(relation, [low] * (size - 1) + [inner], size - 1)
        if size > 1 and first and features is not None:
            # the last: all others alike but for their label, so that one more turns a mean round
            for rest in (_still(features, low), (high[0], low[1])):
                yield from removed(relation, [rest] * (size - 1) + [high], size - 1)
        if size > 1:
            yield from removed(relation, [high] + [low] * (size - 1), 0)
        return
    if isinstance(relation, ReplaceEntry):
        for labelled in counts_of_labels(relation, size):
            for row in dict.fromkeys((size - 1, 0)):
                yield from entry_replaced(relation, [low] * size, row, high, labelled)
                yield from entry_replaced(relation, [high] * size, row, low, labelled)
        return
    change = change_under(relation)
    yield from change(relation, [low] * size, size - 1, high)
    yield from change(relation, [high] * size, size - 1, low)
    if first and not isinstance(relation, LabelsOnly) and (inner := middle_record(domain)) is not None:
        yield from change(relation, [low] * size, size - 1, inner)
    if size > 1 and first:
        yield from _label_exchanged(relation, size, low, high)
        if features is None or size <= ORDERED_UP_TO:
            yield from change(relation, [low] * size, 0, high)
        yield from change(relation, [high] + [low] * (size - 1), size - 1, high)


def _about_zero(relation: Relation, size: int, low: Any, high: Any, *, alone: bool) -> Iterator[Pair]:
    """Zero among the ends it lies between, and an end alone among zeros: what divides by a record, or drops zeros."""
    if (zero := zero_record(records_domain(relation))) is None:
        return
    if isinstance(relation, AddRemove):
        for rest, one in ((high, zero), *(((low, zero), (zero, high), (zero, low)) if alone else ())):
            yield from removed(relation, [rest] * (size - 1) + [one], size - 1)
    elif isinstance(relation, ReplaceOne):
        for rest, old, new in ((high, zero, high), *(((low, zero, low), (zero, low, high)) if alone else ())):
            yield from replaced(relation, [rest] * (size - 1) + [old], size - 1, new)


def _label_exchanged(relation: Relation, size: int, low: Any, high: Any) -> Iterator[Pair]:
    """A fit moves most for one record where no other row pulls at it."""
    domain = records_domain(relation)
    if size > 1 and isinstance(domain, LabelledDomain) and domain.features is not None:
        yield from replaced(relation, [*[_still(domain.features, low)] * (size - 1), (high[0], low[1])], size - 1, high)


def _still(features: Domain, low: Any) -> Any:
    return smallest_record(features), low[1]
