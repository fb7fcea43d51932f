"""Neighbours made from a real dataset: which rows, replaced by what, in which order.

Pairs likeliest to leak come first, because a budget ends: rows by leverage, and for each row the records
farthest from it, along diagonals, so that neither one row nor one kind of replacement uses the budget up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcheck.model.data import (
    append_record,
    describe_record,
    features_and_labels,
    is_labelled,
    private_part,
    record_at,
    remove_record,
    replace_label,
    replace_record,
    same_record,
    size_of,
)
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours.domains import (
    Bounds,
    Columns,
    Domain,
    Drawn,
    LabelledDomain,
    Values,
    distinct,
    flat,
)
from dpcheck.model.neighbours.pairs import (
    Pair,
    PairsMade,
    column_names,
    describe_added,
    describe_removed,
    describe_replaced,
)
from dpcheck.model.neighbours.records import Records
from dpcheck.model.neighbours.table import Table, data_domain, label_domain, leverage, missed_by_rows, table_of

# A dataset of up to this many rows is taken whole ...
ROWS_TAKEN_WHOLE = 200
# ... and of a larger one these many rows with most leverage, and as many at random from the rest.
ROWS_BY_LEVERAGE = 100
# So many of those whose features miss numbers come among the first, every other one.
HOLES_FIRST = 4
ROWS_AT_RANDOM = 100
# Rows of the dataset itself tried as replacement of each row: the two farthest from it.
FAR_ROWS = 2
# Columns whose bounds a note spells out; a line must stay a line.
_COLUMNS_NOTED = 4


@dataclass(frozen=True)
class Resolved:
    """The records to use for a dataset, and what had to be assumed to get them."""

    domain: Domain
    notes: tuple[str, ...]


def as_label_records(records: Records | None) -> Records | None:
    """Records for label privacy: bare values or bounds are those of the label."""
    if records is None or isinstance(records.domain, LabelledDomain):
        return records
    return Records.labelled(labels=records)


def resolved(dataset: Any, records: Records | None) -> Resolved:
    """The domain of a dataset's records: what was declared, and for the rest what the data show.

    Raises
    ------
    InvalidArgument
        When records with labels are declared for a dataset without.
    """
    declared = records.domain if records else None
    if not is_labelled(dataset):
        if isinstance(declared, LabelledDomain):
            if _holds_pairs(dataset) and declared.missing is not None:
                rows = private_part(dataset)
                return _labelled_domain(declared, [x for x, _ in rows], [label for _, label in rows], None)
            if declared.features is not None and declared.labels is not None and _holds_pairs(dataset):
                return Resolved(declared, ())
            raise InvalidArgument("dataset must have labels, as (X, y) or Labelled(x, y): the records have them")
        if declared is not None:
            return Resolved(declared, ())
        return _from_data(data_domain(private_part(dataset)), "bounds", column_names(dataset))
    if isinstance(declared, Drawn) or (isinstance(declared, Values) and _hold_labels(declared, dataset)):
        return Resolved(declared, ())
    parts = declared if isinstance(declared, LabelledDomain) else LabelledDomain(declared, None)
    return _labelled_domain(parts, *features_and_labels(dataset), column_names(dataset))


def _labelled_domain(parts: LabelledDomain, x: Any, y: Any, names: tuple[str, ...] | None) -> Resolved:
    features, labels = parts.features, parts.labels
    notes: tuple[str, ...] = ()
    if features is None:
        found = _from_data(data_domain(x), "bounds", names)
        features, notes = found.domain, notes + found.notes
    if labels is None:
        known = [label for label in y if not parts.is_missing(label)] if parts.missing is not None else y
        found = _from_data(label_domain(known) if len(known) else Values(()), "labels", None)
        labels, notes = found.domain, notes + found.notes
    return Resolved(LabelledDomain(features, labels, parts.missing), notes)


def _holds_pairs(dataset: Any) -> bool:
    records = private_part(dataset)
    return isinstance(records, list) and all(isinstance(each, tuple) and len(each) == 2 for each in records)


def _hold_labels(values: Values, dataset: Any) -> bool:
    width = len(flat(record_at(dataset, 0)[0]))
    return all(isinstance(value, tuple) and len(value) == 2 and len(flat(value[0])) == width for value in values.values)


def _from_data(domain: Domain, what: str, names: tuple[str, ...] | None) -> Resolved:
    return Resolved(domain, (f"{what} were not declared, so those of the data are used: {_spelt(domain, names)}",))


def _spelt(domain: Domain, names: tuple[str, ...] | None) -> str:
    if not isinstance(domain, Columns):
        return str(domain)
    shown = [
        f"{repr(names[j]) if names else f'column {j}'}: {column}"
        for j, column in enumerate(domain.columns[:_COLUMNS_NOTED])
    ]
    more = len(domain.columns) - len(shown)
    return "; ".join(shown) + (f"; and {more} more columns" if more > 0 else "")


def outside(dataset: Any, domain: Domain) -> str | None:
    """Which row of the dataset lies outside the domain and why, with how many do; None when none does."""
    rows = _suspects(dataset, domain)
    troubles = [(row, trouble) for row in rows if (trouble := domain.problem(record_at(dataset, row)))]
    if not troubles:
        return None
    row, trouble = troubles[0]
    count = f" ({len(troubles)} rows in all)" if len(troubles) > 1 else ""
    return f"row {row}, {describe_record(record_at(dataset, row))}: {trouble}{count}"


def _suspects(dataset: Any, domain: Domain) -> list[int]:
    """The rows worth asking: for plain numeric arrays numpy rules most out at once."""
    size = size_of(dataset)
    if not isinstance(domain, Bounds | Columns) or not isinstance(dataset, np.ndarray):
        return list(range(size))
    columns = domain.columns if isinstance(domain, Columns) else None
    table = dataset.reshape(size, -1)
    if dataset.dtype.kind not in "biuf" or (columns is not None and len(columns) != table.shape[1]):
        return list(range(size))
    limits = [b for b in columns if isinstance(b, Bounds)] if columns is not None else [domain]
    if columns is not None and len(limits) != len(columns):
        return list(range(size))
    low = np.array([b.low for b in limits if isinstance(b, Bounds)])
    high = np.array([b.high for b in limits if isinstance(b, Bounds)])
    exact = table.astype(np.float64) if dataset.dtype.kind == "f" else table
    inside = (exact >= low) & (exact <= high)
    return [int(row) for row in np.flatnonzero(~inside.all(axis=1))]


def _of_missing(dataset: Any) -> str:
    parts = features_and_labels(dataset)[:1] if is_labelled(dataset) else [dataset]
    if not any(missed_by_rows(part).any() for part in parts):
        return ""
    return "; of data that miss numbers leave the records out: theirs are used then, missing ones among them"


def _checked_inside(dataset: Any, records: Records | None, domain: Domain) -> None:
    # A violation rests on pairs inside the claim's domain, so a dataset outside it can show none.
    if records is None:
        return
    trouble = outside(dataset, domain)
    if trouble:
        raise InvalidArgument(
            f"dataset must lie inside the declared records, got {trouble}; clip it, drop such rows, or declare more"
            f"{_of_missing(dataset)}"
        )


def ranked_rows(dataset: Any, table: Table, rng: np.random.Generator) -> list[int]:
    """The rows to change: all up to 200, else the 100 with most leverage, then 100 at random.

    Some whose features miss numbers stand among the first; rows that repeat an earlier one come last: they make the
    same pair up to order.
    """
    weight = leverage(table)
    by_weight = [int(row) for row in np.argsort(-weight, kind="stable")]
    missed = missed_by_rows(features_and_labels(dataset)[0] if is_labelled(dataset) else private_part(dataset))
    most = np.argsort(-missed, kind="stable")[: min(HOLES_FIRST, np.count_nonzero(missed))]
    for place, row in enumerate(most.tolist()):
        by_weight.remove(row)
        by_weight.insert(2 * place + 1, row)
    if len(by_weight) > ROWS_TAKEN_WHOLE:
        rest = np.array(by_weight[ROWS_BY_LEVERAGE:])
        by_weight = by_weight[:ROWS_BY_LEVERAGE] + [
            int(row) for row in rng.choice(rest, size=ROWS_AT_RANDOM, replace=False)
        ]
    seen: set[str] = set()
    first: list[int] = []
    repeated: list[int] = []
    for row in by_weight:
        key = repr(flat(record_at(dataset, row)))
        (repeated if key in seen else first).append(row)
        seen.add(key)
    return first + repeated


def _far_rows(table: Table, row: int) -> list[int]:
    gaps = ((table.numbers - table.numbers[row]) ** 2).sum(axis=1)
    for codes in table.codes:
        gaps += codes != codes[row]
    return [int(far) for far in np.argsort(-gaps, kind="stable")[:FAR_ROWS] if gaps[far] > 0]


def _diagonally(lists: list[list[Any]]) -> Iterator[tuple[int, Any]]:
    """(index of the list, item), item c of list r at place r + c, earlier items first."""
    longest = max(map(len, lists), default=0)
    for place in range(len(lists) + longest):
        for item in range(min(place + 1, longest)):
            if place - item < len(lists) and item < len(lists[place - item]):
                yield place - item, lists[place - item][item]


def _scale(dataset: Any, domain: Domain) -> Callable[[Any, Any], float]:
    """A distance between records: number columns in units of their spread in the data, categories count 1."""
    rows = min(size_of(dataset), ROWS_TAKEN_WHOLE)
    sample = [flat(record_at(dataset, row)) for row in range(rows)]
    width = len(sample[0])
    spreads: list[float] = []
    for j in range(width):
        numbers = [_as_number(values[j]) for values in sample if len(values) == width]
        finite = [number for number in numbers if number is not None and math.isfinite(number)]
        spread = _spread(finite)
        spreads.append(spread if np.isfinite(spread) and spread > 0 else 1.0)

    def distance(record: Any, other: Any) -> float:
        total = 0.0
        values, others = flat(record), flat(other)
        if len(values) != width or len(others) != width:
            return 0.0
        for value, another, spread in zip(values, others, spreads, strict=True):
            one, two = _as_number(value), _as_number(another)
            gap = float(not same_record(value, another)) if one is None or two is None else abs(one - two) / spread
            total = math.hypot(total, gap if gap == gap else 1.0)
        return total

    return distance


def _spread(numbers: Sequence[float]) -> float:
    """The standard deviation, also of numbers whose squares no double holds; 0 of none."""
    _, exponent = math.frexp(max(map(abs, numbers), default=0.0))
    return float(np.ldexp(np.std(np.ldexp(numbers, -exponent)), exponent)) if numbers else 0.0


def _as_number(value: Any) -> float | None:
    """A value as a double, where it is a real number or is written as one."""
    if isinstance(value, complex | np.complexfloating):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _candidates(
    dataset: Any, row: int, domain: Domain, table: Table, distance: Callable[[Any, Any], float]
) -> list[Any]:
    """Records to put in place of a row: the farthest first, a label alone second."""
    own = record_at(dataset, row)
    others = [record for far in _far_rows(table, row) if domain.problem(record := record_at(dataset, far)) is None]
    found = distinct(record for record in [*domain.extremes(own), *others] if not same_record(record, own))
    found.sort(key=lambda record: distance(record, own), reverse=True)
    if is_labelled(dataset):
        flips = [record for record in found if same_record(record[0], own[0])]
        rest = [record for record in found if not same_record(record[0], own[0])]
        found = [*rest[:1], *flips, *rest[1:]]
    return found


def replaced(
    dataset: Any,
    records: Records | None,
    rng: np.random.Generator,
    limit: int,
    may_replace: Callable[[Any, Any], bool] | None = None,
) -> PairsMade:
    """Pairs of the dataset and itself with one record replaced; ``may_replace`` says which (old, new) are allowed."""
    if size_of(dataset) == 0:
        raise InvalidArgument("dataset must hold at least one record to replace, got none")
    found = resolved(dataset, records)
    _checked_inside(dataset, records, found.domain)
    table = table_of(dataset)
    rows = ranked_rows(dataset, table, rng)
    distance = _scale(dataset, found.domain)
    choices = [_candidates(dataset, row, found.domain, table, distance) for row in rows]
    if may_replace is not None:
        own = [record_at(dataset, row) for row in rows]
        choices = [[new for new in each if may_replace(old, new)] for old, each in zip(own, choices, strict=True)]
    labelled, names = is_labelled(dataset), column_names(dataset)
    pairs: list[Pair] = []
    for place, record in _diagonally(choices):
        if len(pairs) == limit:
            break
        row = rows[place]
        right = replace_record(dataset, row, record)
        change = describe_replaced(
            row, record_at(dataset, row), record_at(right, row), labelled=labelled, columns=names
        )
        pairs.append(Pair(dataset, right, change))
    return _made(pairs, sum(map(len, choices)), found.notes, dataset, rows)


def added_or_removed(
    dataset: Any, records: Records | None, rng: np.random.Generator, limit: int, *, grows: bool = True
) -> PairsMade:
    """Pairs of the dataset and itself with one record removed or (where it may grow) an extreme one added."""
    size = size_of(dataset)
    if size == 0:
        raise InvalidArgument("dataset must hold at least one record to remove or to copy the form of, got none")
    found = resolved(dataset, records)
    _checked_inside(dataset, records, found.domain)
    table = table_of(dataset)
    rows = ranked_rows(dataset, table, rng)
    template = record_at(dataset, rows[-1])
    labelled = is_labelled(dataset)
    extremes = [r for r in found.domain.extremes(template) if not same_record(r, template)] if grows else []
    changes: list[tuple[Any, str]] = []
    for place in range(max(len(extremes), len(rows))):
        if place < len(extremes) and len(changes) < limit:
            right = append_record(dataset, extremes[place])
            changes.append((right, describe_added(size, record_at(right, size), labelled)))
        if place < len(rows) and len(changes) < limit:
            row = rows[place]
            changes.append((remove_record(dataset, row), describe_removed(row, record_at(dataset, row), labelled)))
    pairs = [Pair(dataset, right, change) for right, change in changes]
    return _made(pairs, len(extremes) + len(rows), found.notes, dataset, rows)


def relabelled(dataset: Any, records: Records | None, rng: np.random.Generator, limit: int) -> PairsMade:
    """Pairs of the dataset and itself with one label changed."""
    _, y = features_and_labels(dataset)
    if size_of(dataset) == 0:
        raise InvalidArgument("dataset must hold at least one label to change, got none")
    declared = records.domain if records else None
    labels = declared.labels if isinstance(declared, LabelledDomain) else None
    notes: tuple[str, ...] = ()
    if labels is None:
        found = _from_data(label_domain(y), "labels", None)
        labels, notes = found.domain, found.notes
    features = declared.features if isinstance(declared, LabelledDomain) else None
    _checked_inside(dataset, records, LabelledDomain(features, labels))
    rows = ranked_rows(dataset, table_of(dataset), rng)
    column = [record_at(y, row) for row in rows]
    choices = [[label for label in labels.extremes(own) if not same_record(label, own)] for own in column]
    pairs: list[Pair] = []
    for place, label in _diagonally(choices):
        if len(pairs) == limit:
            break
        row = rows[place]
        right = replace_label(dataset, row, label)
        old, new = record_at(dataset, row), record_at(right, row)
        pairs.append(Pair(dataset, right, describe_replaced(row, old, new, labelled=True)))
    return _made(pairs, sum(map(len, choices)), notes, dataset, rows)


def _made(pairs: list[Pair], possible: int, notes: tuple[str, ...], dataset: Any, rows: list[int]) -> PairsMade:
    size = size_of(dataset)
    if not pairs:
        raise InvalidArgument(
            "dataset must have a neighbour, got one whose rows could only be replaced by themselves: declare "
            "records with more than one value"
        )
    if len(rows) < size:
        notes = (
            *notes,
            f"of {size} rows the {ROWS_BY_LEVERAGE} with most leverage and {ROWS_AT_RANDOM} at random are changed",
        )
    return PairsMade(tuple(pairs), notes, possible - len(pairs))
