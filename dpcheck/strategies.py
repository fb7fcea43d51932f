"""Hypothesis strategies for datasets and neighbouring pairs, made of what leaks: boundaries, repetitions.

Sizes from none on (or as declared), every record a boundary value or a repetition of another as often as not.
"""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

from dpcheck.model.data import (
    UNLABELLED,
    SemiPrivate,
    describe_value,
    remove_record,
    replace_label,
    replace_record,
    same_record,
)
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import (
    AddRemove,
    EntryAndTranscript,
    LabelsOnly,
    PrivatePart,
    Records,
    Relation,
    ReplaceEntry,
    ReplaceOne,
    as_relation,
)
from dpcheck.model.neighbours.assembly import assembled, without_labels
from dpcheck.model.neighbours.domains import Bounds, Columns, Domain, Drawn, LabelledDomain, Values
from dpcheck.model.neighbours.records import as_records

# Sizes when none are declared. Defects that need more than a handful of rows are rare, and each row costs
# time.
SMALLEST, LARGEST = 0, 8
# Decimals of a number drawn between bounds: enough to be anywhere, few enough to read.
_DECIMALS = 3


def records(of: Any) -> st.SearchStrategy[Any]:
    """Records of a declared domain, its boundary values as often as not.

    Parameters
    ----------
    of : Records, ``(low, high)`` or list of values

    Raises
    ------
    InvalidArgument
        When nothing is declared.

    Examples
    --------
    >>> from hypothesis import find
    >>> 5 < find(records((0, 10)), lambda record: record > 5) <= 10
    True
    """
    found = as_records(of)
    if found is None:
        raise InvalidArgument("records must be declared to draw datasets: Records.bounded(low, high), for one")
    return _drawn_from(found.domain)


def _drawn_from(domain: Domain | None) -> st.SearchStrategy[Any]:
    if isinstance(domain, Bounds):
        return _numbers(domain)
    if isinstance(domain, Values):
        return st.sampled_from(domain.values)
    if isinstance(domain, Columns):
        return st.tuples(*(_drawn_from(column) for column in domain.columns)).map(list)
    if isinstance(domain, LabelledDomain):
        return st.tuples(_drawn_from(domain.features), _drawn_from(domain.labels))
    if isinstance(domain, Drawn):
        strategy: st.SearchStrategy[Any] = domain.strategy
        return strategy
    raise InvalidArgument(
        "records must declare both features and labels to draw datasets, as in "
        f"Records.labelled(features=(0, 1), labels=[0, 1]), got {describe_value(domain)}"
    )


def _numbers(bounds: Bounds) -> st.SearchStrategy[Any]:
    low, high = bounds.low, bounds.high
    if bounds.whole:
        low, high = math.ceil(low), math.floor(high)
    elif not bounds.whole_ends:
        low, high = float(low), float(high)
    if low == high:
        return st.just(low)
    if isinstance(low, int) and isinstance(high, int):
        # Bounds that are integers may mean whole records, so whole numbers are drawn, and floats never beside them.
        return st.one_of(st.sampled_from([low, high]), st.integers(low, high))
    between = st.floats(float(low), float(high), allow_nan=False).map(
        lambda value: min(max(round(value, _DECIMALS), low), high)
    )
    return st.one_of(st.sampled_from([low, high]), between)


@st.composite
def _rows(draw: st.DrawFn, record: st.SearchStrategy[Any], sizes: range) -> list[Any]:
    """Records of which some repeat others: defects hide where a value occurs twice."""
    size = draw(st.sampled_from(sizes))
    rows: list[Any] = []
    for _ in range(size):
        repeats: bool = draw(st.booleans())
        if rows and repeats:
            rows.append(draw(st.sampled_from(rows)))
        else:
            rows.append(draw(record))
    return rows


def datasets(relation_or_records: Any, *, size: int | range | None = None) -> st.SearchStrategy[Any]:
    """Datasets of the declared records: lists, arrays (n, d) for rows of numbers, ``(X, y)`` where labelled.

    For ``PrivatePart`` they are ``SemiPrivate``, with a public part of 0 to 8 records; for ``ReplaceEntry`` the entries
    after the labelled ones have the label -1.

    Parameters
    ----------
    relation_or_records : Relation, Records, ``(low, high)`` or list of values
    size : int or range, optional
        Numbers of records; the relation's, else 0 to 8.

    Raises
    ------
    InvalidArgument
        When no records are declared.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(datasets([0, 1], size=3), lambda dataset: sum(dataset) == 3)
    [1, 1, 1]
    """
    if isinstance(relation_or_records, PrivatePart):
        relation = relation_or_records
        return st.builds(SemiPrivate, datasets(relation.of, size=size), _public_parts(relation))
    declared, declared_size = _declared(relation_or_records)
    record = records(declared)
    rows = _rows(record, _sizes(size if size is not None else declared_size, SMALLEST))
    if isinstance(relation_or_records, ReplaceEntry):
        return _entries(rows, relation_or_records)
    return rows.map(lambda drawn: assembled(drawn, declared))


def _public_parts(relation: PrivatePart) -> st.SearchStrategy[Any]:
    """Public parts: of their own records where these are declared, else of the private part's."""
    found = relation.public if relation.public is not None else relation.records
    if found is None:
        raise InvalidArgument(
            "neighbours must declare records to draw datasets: PrivatePart(records=(0, 1)), or public=(0, 1) where of "
            "draws its own"
        )
    return datasets(found)


def _declared(source: Any) -> tuple[Records, int | range | None]:
    if isinstance(source, Relation) and not isinstance(source, type):
        if source.records is None:
            raise InvalidArgument(
                f"neighbours must declare records to draw datasets: {type(source).__name__}(records=(0, 1))"
            )
        return source.records, source.size
    found = as_records(source)
    if found is None:
        raise InvalidArgument("records must be declared to draw datasets, got None")
    return found, None


def _sizes(size: int | range | None, least: int) -> range:
    if size is None:
        return range(least, LARGEST + 1)
    asked = range(size, size + 1) if isinstance(size, int) and not isinstance(size, bool) else size
    if not isinstance(asked, range) or len(asked) == 0 or min(asked) < 0:
        raise InvalidArgument(f"size must be a number of records or a range of them, got {size!r}")
    if max(asked) < least:
        raise InvalidArgument(f"size must allow at least {least} record to have a neighbour, got {size!r}")
    return range(max(asked.start, least), asked.stop, asked.step) if asked.step == 1 else asked


@st.composite
def _entries(draw: st.DrawFn, some_rows: st.SearchStrategy[list[Any]], relation: ReplaceEntry) -> Any:
    rows = draw(some_rows)
    labelled = min(draw(_counts_of_labels(relation, len(rows))), len(rows))
    assert relation.records is not None
    return assembled(without_labels(rows, labelled), relation.records)


def _counts_of_labels(relation: ReplaceEntry, size: int) -> st.SearchStrategy[int]:
    return st.integers(0, size) if relation.labelled is None else st.just(relation.labelled)


def neighbouring_pairs(relation: Any) -> st.SearchStrategy[tuple[Any, Any]]:
    """Pairs of neighbours under a relation that declares its records: ``(left, right)``, never equal.

    Parameters
    ----------
    relation : ReplaceOne, AddRemove, LabelsOnly, ReplaceEntry, EntryAndTranscript, PrivatePart, or any Relation with a
        method ``pair_strategy()``

    Raises
    ------
    InvalidArgument
        When the relation declares no records, or offers no strategy.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(neighbouring_pairs(ReplaceOne(records=[0, 1], size=1)), lambda pair: True)
    ([0], [1])
    """
    found = as_relation(relation)
    if hasattr(found, "pair_strategy"):
        strategy: st.SearchStrategy[tuple[Any, Any]] = found.pair_strategy()
        return strategy
    if isinstance(found, PrivatePart):
        return st.builds(_with_public, neighbouring_pairs(found.of), _public_parts(found))
    declared, size = _declared(found)
    record = records(declared)
    if isinstance(found, AddRemove):
        # The declared size is that of the larger dataset.
        return _removed(record, _sizes(size, 1), declared)
    if isinstance(found, LabelsOnly):
        if not isinstance(declared.domain, LabelledDomain):
            raise InvalidArgument("neighbours must declare features and labels, for LabelsOnly to draw datasets")
        return _relabelled(record, _drawn_from(declared.domain.labels), _sizes(size, 1), declared)
    if isinstance(found, ReplaceEntry):
        return _entry_replaced(record, _sizes(size, 1), found)
    if isinstance(found, ReplaceOne | EntryAndTranscript):
        return _replaced(record, _sizes(size, 1), declared)
    raise InvalidArgument(
        f"neighbours must have a method pair_strategy() to be drawn from, got {describe_value(found)}"
    )


def _with_public(pair: tuple[Any, Any], public: Any) -> tuple[Any, Any]:
    return SemiPrivate(pair[0], public), SemiPrivate(pair[1], public)


@st.composite
def _replaced(draw: st.DrawFn, record: st.SearchStrategy[Any], sizes: range, declared: Records) -> tuple[Any, Any]:
    rows = draw(_rows(record, sizes))
    row = draw(st.integers(0, len(rows) - 1))
    other = draw(record.filter(lambda new: not same_record(new, rows[row])))
    left = assembled(rows, declared)
    return left, replace_record(left, row, other)


@st.composite
def _entry_replaced(
    draw: st.DrawFn, record: st.SearchStrategy[Any], sizes: range, relation: ReplaceEntry
) -> tuple[Any, Any]:
    assert relation.records is not None
    rows = draw(_rows(record, sizes))
    labelled = draw(_counts_of_labels(relation, len(rows)))
    rows = without_labels(rows, labelled)
    row = draw(st.integers(0, len(rows) - 1))
    entry = record if row < labelled else record.map(lambda pair: (pair[0], UNLABELLED))
    other = draw(entry.filter(lambda new: not same_record(new, rows[row])))
    left = assembled(rows, relation.records)
    return left, replace_record(left, row, other)


@st.composite
def _removed(draw: st.DrawFn, record: st.SearchStrategy[Any], sizes: range, declared: Records) -> tuple[Any, Any]:
    rows = draw(_rows(record, sizes))
    larger = assembled(rows, declared)
    smaller = remove_record(larger, draw(st.integers(0, len(rows) - 1)))
    return (larger, smaller) if draw(st.booleans()) else (smaller, larger)


@st.composite
def _relabelled(
    draw: st.DrawFn,
    record: st.SearchStrategy[Any],
    label: st.SearchStrategy[Any],
    sizes: range,
    declared: Records,
) -> tuple[Any, Any]:
    rows = draw(_rows(record, sizes))
    row = draw(st.integers(0, len(rows) - 1))
    other = draw(label.filter(lambda new: not same_record(new, rows[row][1])))
    left = assembled(rows, declared)
    return left, replace_label(left, row, other)
