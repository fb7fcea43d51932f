"""One record of a dataset changed, as a relation has it, and the sizes of datasets that are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from dpcheck.model.data import remove_record, replace_label, replace_record, same_record
from dpcheck.model.neighbours import LabelsOnly, Pair, Relation, ReplaceEntry, describe_change
from dpcheck.model.neighbours.assembly import assembled, without_labels
from dpcheck.model.neighbours.domains import Domain

#: Sizes tried when none are declared: defects that need more rows are rare, and every row costs time.
SIZES = range(1, 9)
#: Of many declared sizes the smallest, the largest, and as many between as make this number come first.
SIZES_FIRST = 8


def records_domain(relation: Relation) -> Domain | None:
    """The domain of a relation's records; None where it declares none."""
    return None if relation.records is None else relation.records.domain


def sizes_tried(relation: Relation) -> Sequence[int]:
    """The sizes worth trying, the most telling first: a middling one, then from the smallest up."""
    declared = relation.size
    if isinstance(declared, int):
        return [declared] if declared > 0 else []
    known: Sequence[int] = above_zero(declared) if declared is not None else [n for n in SIZES if n > 0]
    if len(known) > SIZES_FIRST:
        between = known[:: max(1, len(known) // (SIZES_FIRST - 1))]
        known = sorted({*known[:3], *between[: SIZES_FIRST - 4], known[-1]})
    middle = list(known[len(known) // 2 : len(known) // 2 + 1])
    return [*middle, *(n for n in known if n not in middle)]


def above_zero(sizes: range) -> range:
    """A range without what is not above 0, upwards; no list is made of it."""
    up = sizes if sizes.step > 0 else sizes[::-1]
    return up[1:] if up[0] == 0 else up


def neighbouring_pair(left: Any, right: Any) -> Pair:
    """Two datasets, with how they differ in words."""
    return Pair(left, right, describe_change(left, right) or "two datasets")


def change_under(relation: Relation) -> Callable[[Relation, list[Any], int, Any], Iterator[Pair]]:
    """What changes one record, or its label alone, as the relation has it."""
    return relabelled if isinstance(relation, LabelsOnly) else replaced


def replaced(relation: Relation, rows: list[Any], row: int, record: Any) -> Iterator[Pair]:
    """The pair whose right dataset has another record in a row; none where it is the same."""
    assert relation.records is not None
    left = assembled(rows, relation.records)
    if not same_record(rows[row], record):
        yield neighbouring_pair(left, replace_record(left, row, record))


def relabelled(relation: Relation, rows: list[Any], row: int, record: Any) -> Iterator[Pair]:
    """The pair whose right dataset has another label in a row; none where it is the same."""
    assert relation.records is not None
    left = assembled(rows, relation.records)
    if not same_record(rows[row][1], record[1]):
        yield neighbouring_pair(left, replace_label(left, row, record[1]))


def removed(relation: Relation, rows: list[Any], row: int) -> Iterator[Pair]:
    """The pair whose right dataset lacks a row."""
    assert relation.records is not None
    larger = assembled(rows, relation.records)
    yield neighbouring_pair(larger, remove_record(larger, row))


def entry_replaced(relation: Relation, rows: list[Any], row: int, record: Any, labelled: int) -> Iterator[Pair]:
    """One entry replaced, where the entries after the first ``labelled`` ones have no label."""
    (entry,) = without_labels([record], 1 if row < labelled else 0)
    yield from replaced(relation, without_labels(rows, labelled), row, entry)


def counts_of_labels(relation: ReplaceEntry, size: int) -> list[int]:
    """How many entries may be labelled, the most telling first: a half, all, none, then any."""
    if relation.labelled is not None:
        return [relation.labelled]
    return [*dict.fromkeys([(size + 1) // 2, size, 0, *range(size)])]
