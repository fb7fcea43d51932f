"""Smaller forms of a pair of neighbours: fewer rows first, then simpler values, as long as something still holds.

Whether it holds is asked of a function, which has to answer the same for the same pair. Everything tried is a pair of
neighbours of declared size and records.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from dpcheck.model.data import record_at, remove_record, replace_record, same_dataset, same_record, size_of
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours.domains import Bounds, Columns, Domain, LabelledDomain, Values, flat, is_number
from dpcheck.model.neighbours.pairs import Pair, describe_change, differing_rows, removed_row
from dpcheck.model.neighbours.relations import Relation
from dpcheck.model.neighbours.sizes import size_problem

#: Halvings of the way from the simplest value to the present one: to within 1/64 of it.
HALVINGS = 6
#: Two numbers nearer to each other than this part of them begin to read alike.
LEAST_STEP = 2.0**-10
#: Of a list of allowed values, so many are tried in place of one.
VALUES_TRIED = 8
#: Rows of at most so many coordinates have each of them halved where it cannot be the simplest.
COLUMNS_HALVED = 4
#: Passes over rows and values; two or three find what there is to find.
MOST_PASSES = 4
#: Significant digits of a number that was shrunk: the first that still holds is kept.
DIGITS = (1, 2, 3)


class Exhausted(Exception):
    """Raised by the predicate when no more may be asked: what holds by then is the answer."""


def shrunk(pair: Pair, relation: Relation | None, holds: Callable[[Pair], bool]) -> Pair:
    """The smallest form of a pair found by removing rows and simplifying values, greedily.

    Parameters
    ----------
    pair : Pair
        It is taken to hold.
    relation : Relation or None
        With its records, values are simplified within them; without, only rows are removed.
    holds : callable
        Whether a pair still shows what is to be shown; may raise :class:`Exhausted`.

    Examples
    --------
    >>> from dpcheck.model.neighbours import ReplaceOne
    >>> found = shrunk(
    ...     Pair([0, 7, 9, 0, 1], [0, 7, 9, 0, 4], ""),
    ...     ReplaceOne(records=(0, 10)),
    ...     lambda pair: 7 in pair.left and abs(sum(pair.left) - sum(pair.right)) >= 3,
    ... )
    >>> found.left, found.right
    ([7], [1])
    """
    best = _Best(pair, relation, holds)
    try:
        for _ in range(MOST_PASSES):  # values that became simpler may let rows go
            before = best.pair
            _fewer_rows(best)
            _change_moved(best)
            if relation is not None and relation.records is not None:
                _simpler_values(best, relation.records.domain)
            if best.pair is before:
                break
    except Exhausted:
        pass
    return best.pair


@dataclass
class _Best:
    """The smallest pair so far."""

    pair: Pair
    relation: Relation | None
    holds: Callable[[Pair], bool]

    def take(self, left: Any, right: Any) -> bool:
        """Whether these two are neighbours that still show it; then they are the smallest so far."""
        if same_dataset(left, right) or self._outside(left, right):
            return False
        if same_dataset(left, self.pair.left) and same_dataset(right, self.pair.right):
            return False
        found = Pair(left, right, describe_change(left, right) or self.pair.change)
        if not self.holds(found):
            return False
        self.pair = found
        return True

    def _outside(self, left: Any, right: Any) -> bool:
        larger = max(size_of(left), size_of(right))
        if larger == 0:
            return True
        if self.relation is None:
            return len(_changed(left, right)) > len(_changed(self.pair.left, self.pair.right))
        return bool(self.relation.distance_problem(left, right) or size_problem(self.relation.size, larger))


def _changed(left: Any, right: Any) -> list[int]:
    return differing_rows(left, right) if size_of(left) == size_of(right) else [-1]


def _fewer_rows(best: _Best) -> None:
    """Remove rows that both datasets share: many at once first, then one by one."""
    chunk = max(1, len(_common(best.pair)) // 2)
    while True:
        common = _common(best.pair)
        start = 0
        while start < len(common):
            if best.take(*_without(best.pair, common[start : start + chunk])):
                common = _common(best.pair)
            else:
                start += chunk
        if chunk == 1:
            return
        chunk = max(1, chunk // 2)


def _change_moved(best: _Best) -> None:
    """Do without the row that differs: let a row that both share differ in its place, by the same records."""
    while True:
        pair, common = best.pair, _common(best.pair)
        changed = _changed(pair.left, pair.right)
        if changed == [-1]:
            shorter = min(pair.left, pair.right, key=size_of)
            removals = ((shorter, remove_record(shorter, row)) for row in range(size_of(shorter)))
            if not any(best.take(*two) or best.take(*reversed(two)) for two in removals):
                return
            continue
        if len(changed) != 1 or not common:
            return
        row = changed[0]
        for shared, _ in common:
            place = shared - (shared > row)
            moved = []
            for data, other in ((pair.left, pair.right), (pair.right, pair.left)):
                rest = remove_record(data, row)
                moved += [(rest, record_at(data, row), place), (rest, record_at(other, row), place)]
            if any(_take_replaced(best, *move) for move in moved):
                break
        else:
            return


def _take_replaced(best: _Best, rest: Any, record: Any, row: int) -> bool:
    try:
        other = replace_record(rest, row, record)
    except InvalidArgument:
        return False
    return best.take(rest, other) or best.take(other, rest)


def _common(pair: Pair) -> list[tuple[int, int]]:
    """The rows that both datasets share, as places in the left and in the right one; last ones first."""
    left, right = size_of(pair.left), size_of(pair.right)
    if left == right:
        changed = set(differing_rows(pair.left, pair.right))
        return [(i, i) for i in reversed(range(left)) if i not in changed]
    longer, shorter = (pair.left, pair.right) if left > right else (pair.right, pair.left)
    row = removed_row(longer, shorter)
    if row is None:
        return []
    places = [(i, i - (i > row)) for i in reversed(range(size_of(longer))) if i != row]
    return places if left > right else [(b, a) for a, b in places]


def _without(pair: Pair, rows: list[tuple[int, int]]) -> tuple[Any, Any]:
    left, right = pair.left, pair.right
    for row in sorted((row for row, _ in rows), reverse=True):
        left = remove_record(left, row)
    for row in sorted((row for _, row in rows), reverse=True):
        right = remove_record(right, row)
    return left, right


def _simpler_values(best: _Best, domain: Domain) -> None:
    _simpler_change(best, domain)
    _simpler_everywhere(best, domain)
    rows = _common(best.pair)
    everywhere = [_simplest(domain, record_at(best.pair.left, row)) for row, _ in rows]
    if len(rows) > 1 and _take_records(best, rows, everywhere):
        return
    for row in rows:
        for record in _simpler_records(domain, record_at(best.pair.left, row[0])):
            if _take_records(best, [row], [record]):
                break
        else:
            _simpler_coordinates(best, domain, row)


def _simpler_everywhere(best: _Best, domain: Domain) -> None:
    """A record that occurs several times, made simpler wherever it occurs, in both datasets."""
    for row, _ in _common(best.pair):
        if row >= size_of(best.pair.left):
            return
        record = record_at(best.pair.left, row)
        simple = _simplest(domain, record)
        if same_record(simple, record):
            continue
        changed = []
        for data in (best.pair.left, best.pair.right):
            for place in range(size_of(data)):
                if same_record(record_at(data, place), record):
                    data = replace_record(data, place, simple)
            changed.append(data)
        best.take(*changed)


def _take_records(best: _Best, rows: list[tuple[int, int]], records: list[Any]) -> bool:
    left, right = best.pair.left, best.pair.right
    try:
        for (in_left, in_right), record in zip(rows, records, strict=True):
            left, right = replace_record(left, in_left, record), replace_record(right, in_right, record)
    except InvalidArgument:
        return False
    return best.take(left, right)


def _simpler_change(best: _Best, domain: Domain) -> None:
    """The records that differ: the same in as many coordinates as can be, a smaller step in the rest, nearer to 0."""
    changed = _changed(best.pair.left, best.pair.right)
    if len(changed) != 1 or changed[0] < 0:
        if changed == [-1]:
            _simpler_extra(best, domain)
        return
    row = changed[0]

    def records() -> tuple[Any, Any]:
        return record_at(best.pair.left, row), record_at(best.pair.right, row)

    def take(one: Any, other: Any) -> bool:
        try:
            return best.take(replace_record(best.pair.left, row, one), replace_record(best.pair.right, row, other))
        except InvalidArgument:
            return False

    whole = _whole(domain)
    if whole is not None:
        _simpler_whole(whole, records, take)
        return
    parts = _coordinates(domain, records()[0])
    if parts is None:
        return
    differing = [j for j in range(len(parts)) if not same_record(flat(records()[0])[j], flat(records()[1])[j])]
    for chunk in _chunks(differing):
        one, other = records()
        values, model = flat(other), flat(one)
        take(one, rebuilt([model[j] if j in chunk else v for j, v in enumerate(values)], other))
    for j, part in enumerate(parts):
        _simpler_step(part, j, records, take)


def _simpler_whole(domain: Values, records: Callable[[], tuple[Any, Any]], take: Callable[[Any, Any], bool]) -> None:
    """Of listed values: the first ones, and the two as near to each other as can be."""
    one, other = records()
    for value in domain.values[:VALUES_TRIED]:
        if same_record(value, one) or take(value, other):
            break
    one, other = records()
    if is_number(one) and all(is_number(value) for value in domain.values):
        nearer = sorted(domain.values, key=lambda value: abs(float(value) - float(one)))
    else:
        nearer = list(domain.values)
    for value in nearer[: 2 * VALUES_TRIED]:
        if same_record(value, other):
            return
        if not same_record(value, one) and take(one, value):
            return


def _simpler_step(
    part: Bounds | Values, j: int, records: Callable[[], tuple[Any, Any]], take: Callable[[Any, Any], bool]
) -> None:
    """One coordinate of the records that differ: both moved until one is simple, then a shorter step between them."""

    def put(value: Any, other_value: Any) -> bool:
        one, other = records()
        return take(_with(one, j, value), _with(other, j, other_value))

    def now() -> tuple[Any, Any]:
        one, other = records()
        return flat(one)[j], flat(other)[j]

    a, b = now()
    if not (is_number(a) and is_number(b)) or isinstance(part, Values):
        for value in _simpler_numbers(part, a):
            if same_record(a, b) and put(value, value):
                return
        return
    simple = _simple_number(part, a)
    if same_record(a, b):
        if not same_record(a, simple):
            put(simple, simple)
        return
    moves = () if simple in (a, b) else ((simple, simple + (b - a)), (simple + (a - b), simple))
    for lower, moved in moves:
        if not (_inside(part, lower) and _inside(part, moved)):
            continue
        if put(_like(lower, a), _like(moved, b)):
            break
    a, b = now()
    nearer, farther = (a, b) if abs(a - simple) <= abs(b - simple) else (b, a)
    fixed_first = nearer is a

    def put_far(value: Any) -> bool:
        return put(nearer, value) if fixed_first else put(value, nearer)

    _halve(part, nearer, farther, put_far)


def _halve(part: Bounds, simple: Any, present: Any, put: Callable[[Any], bool]) -> None:
    """Move a number from its present value towards the simple one, as far as it still holds."""
    whole = part.whole or isinstance(present, int | np.integer)
    low, high = float(simple), float(present)  # low does not hold, high does
    for _ in range(HALVINGS if not whole else 64):
        if not whole and abs(high - low) <= LEAST_STEP * max(abs(high), abs(low)):
            break
        middle = 0.5 * (low + high)
        if whole:
            middle = float(round(middle))
            if middle in (low, high):
                break
        value = _like(middle, present)
        if put(value):
            high = middle
        else:
            low = middle
    if whole:
        value = _like(high, present)
        return
    for digits in DIGITS:
        short = float(f"{high:.{digits}g}")
        if min(low, high) <= short <= max(float(present), high) and (short == high or put(_like(short, present))):
            return


def _simpler_extra(best: _Best, domain: Domain) -> None:
    """The record that only one dataset has: simpler, or a smaller number."""
    pair = best.pair
    left_longer = size_of(pair.left) > size_of(pair.right)
    longer, shorter = (pair.left, pair.right) if left_longer else (pair.right, pair.left)
    row = removed_row(longer, shorter)
    if row is None:
        return

    def take(record: Any) -> bool:
        longer = best.pair.left if left_longer else best.pair.right
        try:
            other = replace_record(longer, row, record)
        except InvalidArgument:
            return False
        return best.take(other, best.pair.right) if left_longer else best.take(best.pair.left, other)

    def put(record: Any, j: int, value: Any) -> bool:
        return take(_with(record, j, value))

    record = record_at(longer, row)
    for simpler in _simpler_records(domain, record):
        if take(simpler):
            return
    parts = _coordinates(domain, record)
    for j, part in enumerate(parts or ()):
        record = record_at(best.pair.left if left_longer else best.pair.right, row)
        value = flat(record)[j]
        if isinstance(part, Bounds) and is_number(value):
            simple = _simple_number(part, value)
            if not same_record(simple, value) and not take(_with(record, j, simple)):
                _halve(part, simple, value, partial(put, record, j))


def _simpler_coordinates(best: _Best, domain: Domain, row: tuple[int, int]) -> None:
    """One row that both share, coordinate by coordinate."""
    record = record_at(best.pair.left, row[0])
    parts = _coordinates(domain, record)
    if parts is None:
        return

    def put(j: int, value: Any) -> bool:
        return _take_records(best, [row], [_with(record_at(best.pair.left, row[0]), j, value)])

    for j, part in enumerate(parts):
        present = flat(record_at(best.pair.left, row[0]))[j]
        if any(put(j, value) for value in _simpler_numbers(part, present)):
            continue
        if len(parts) <= COLUMNS_HALVED and isinstance(part, Bounds) and is_number(present):
            simple = _simple_number(part, present)
            if not same_record(simple, present):
                _halve(part, simple, present, partial(put, j))


def _whole(domain: Domain) -> Values | None:
    return domain if isinstance(domain, Values) else None


def _coordinates(domain: Domain | None, record: Any) -> list[Bounds | Values] | None:
    """The domain of each value of a record; None where it is not known."""
    if isinstance(domain, Bounds):
        return [domain] * len(flat(record))
    if isinstance(domain, Columns):
        return list(domain.columns)
    if isinstance(domain, LabelledDomain):
        features = _coordinates(domain.features, record[0])
        labels = Values((domain.missing,)) if domain.is_missing(record[1]) else domain.labels
        if isinstance(domain.features, Values) and len(flat(record[0])) == 1:
            features = [domain.features]
        if features is None or not isinstance(labels, Bounds | Values):
            return None
        return [*features, labels]
    return None


def _simplest(domain: Domain, record: Any) -> Any:
    return next(iter(_simpler_records(domain, record)), record)


def _simpler_records(domain: Domain, record: Any) -> Iterator[Any]:
    """Records that are simpler than this one, the simplest first."""
    if isinstance(domain, Values):
        for value in domain.values[:VALUES_TRIED]:
            if same_record(value, record):
                return
            yield value
        return
    parts = _coordinates(domain, record)
    if parts is None:
        return
    values = flat(record)
    simple = [next(_simpler_numbers(part, value), value) for part, value in zip(parts, values, strict=True)]
    if any(not same_record(new, old) for new, old in zip(simple, values, strict=True)):
        yield rebuilt(simple, record)


def _simpler_numbers(part: Bounds | Values, value: Any) -> Iterator[Any]:
    if isinstance(part, Values):
        for other in part.values[:VALUES_TRIED]:
            if same_record(other, value):
                return
            yield other
    elif is_number(value):
        simple = _simple_number(part, value)
        if not same_record(simple, value):
            yield simple


def _simple_number(part: Bounds | Values, value: Any) -> Any:
    """0 where it is allowed, else the end that is nearer to 0."""
    if isinstance(part, Values):
        return part.values[0]
    low, high = (math.ceil(part.low), math.floor(part.high)) if part.whole else (part.low, part.high)
    return _like(min(max(0.0, low), high), value)


def _inside(part: Bounds | Values, value: Any) -> bool:
    return part.problem(value) is None


def _like(number: float, template: Any) -> Any:
    """A number in the type of another."""
    if isinstance(template, bool | np.bool_):
        return type(template)(number)
    if isinstance(template, int | np.integer):
        return type(template)(round(number))
    if isinstance(template, np.floating):
        return type(template)(number)
    return float(number)


def _with(record: Any, j: int, value: Any) -> Any:
    values = flat(record)
    values[j] = value
    return rebuilt(values, record)


def rebuilt(values: list[Any], template: Any) -> Any:
    """The values of :func:`dpcheck.model.neighbours.domains.flat` back in the form of a record.

    >>> rebuilt([1, 2, 3], ([0, 0], 0))
    ([1, 2], 3)
    """
    return _poured(iter(values), template)


def _poured(values: Iterator[Any], template: Any) -> Any:
    if isinstance(template, np.ndarray):
        taken = [next(values) for _ in range(template.size)]
        return np.array(taken, dtype=template.dtype).reshape(template.shape)
    if isinstance(template, list | tuple):
        return type(template)([_poured(values, part) for part in template])
    return next(values)


def _chunks(places: list[int]) -> Iterator[set[int]]:
    """All but one, halves, quarters, ..., single places."""
    if len(places) > 1:
        for kept in places:
            yield set(places) - {kept}
    size = len(places) // 2
    while size >= 1:
        for start in range(0, len(places), size):
            yield set(places[start : start + size])
        size //= 2
