"""Records of a domain that tell most: its ends, what lies between, what misses values, and any."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from numpy.random import Generator

from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours.domains import Bounds, Columns, Domain, Drawn, LabelledDomain, Values, flat, is_number
from dpcheck.model.neighbours.draws import drawn

#: Records drawn from a strategy at a time; pairs drawn from a stranger's relation at a time.
DRAWN_AT_ONCE = 64
#: Whole numbers between wider bounds are spread over so many steps.
LARGEST_STEP = 2**53
#: More values than this are many.
FEW_VALUES = 4
#: So many records that miss values come among the first.
MOST_HOLES = 4
#: Columns that are tried alone are so many that their records have no more cells than this.
MOST_CELLS = 1_000_000
#: A number drawn between bounds has so many decimals: enough to be anywhere, few enough to read.
DECIMALS = 3


def end_records(domain: Domain | None) -> tuple[list[Any], list[Any]]:
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
        each = [end_records(column) for column in domain.columns]
        lowest, highest = [low[0] for low, _ in each], [high[0] for _, high in each]
        count = len(each)
        some = range(0, count, -(-count * count // MOST_CELLS)) if count > 1 else range(0)
        alone = [[*lowest[:j], highest[j], *lowest[j + 1 :]] for j in some]
        return [lowest] * (1 + len(alone)), [highest, *alone]
    if isinstance(domain, LabelledDomain):
        features, labels = end_records(domain.features), end_records(domain.labels)
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


def middle_record(domain: Domain | None) -> Any:
    """A record in the middle of a domain that has numbers between its bounds; None of others."""
    return _with_numbers(domain, _middle)


def _middle(bounds: Bounds) -> float | None:
    return None if bounds.whole or bounds.whole_ends or bounds.low == bounds.high else _between(bounds, 0.5)


def zero_record(domain: Domain | None) -> Any:
    """The record of zeros that lies strictly between the ends of a domain; None of others.

    >>> zero_record(Bounds(-1, 5)), zero_record(Bounds(0, 5))
    (0, None)
    >>> zero_record(Columns((Bounds(-1.0, 1.0), Bounds(2.0, 3.0))))
    [0.0, 2.0]
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
        low = end_records(domain)[0][0]
        found = [below if value is None else value for value, below in zip(made, low, strict=True)]
        return None if all(value is None for value in made) else found
    if isinstance(domain, LabelledDomain):
        features = _with_numbers(domain.features, number)
        return None if features is None else (features, end_records(domain.labels)[0][0])
    return None


def rising_records(domain: Domain, size: int) -> list[Any]:
    """Records from the low end to the high one, each step longer: without the first all order statistics move.

    So do their differences, which even steps would leave as they are.

    >>> rising_records(Bounds(0.0, 9.0), 4), rising_records(Columns((Bounds(0, 1), Values(("b", "a")))), 3)
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
    (low, *_), (high, *_) = end_records(domain)
    if not isinstance(domain, Bounds):
        return low if part < 0.5 else high
    return low + round(part * (high - low)) if isinstance(low, int) else _between(domain, part)


def records_with_holes(domain: Domain | None) -> list[Any]:
    """Records of a domain that miss values, as a dataset of somebody's has them: the most first."""
    if isinstance(domain, Values):
        return sorted((value for value in domain.values if _misses(value)), key=_misses, reverse=True)[:MOST_HOLES]
    if isinstance(domain, LabelledDomain):
        return [(hole, end_records(domain.labels)[0][0]) for hole in records_with_holes(domain.features)]
    if isinstance(domain, Columns):
        low = end_records(domain)[0][0]
        holes = [
            [*low[:j], hole, *low[j + 1 :]]
            for j, column in enumerate(domain.columns)
            for hole in records_with_holes(column)
        ]
        return holes[:MOST_HOLES]
    return []


def _misses(record: Any) -> int:
    """How many values of a record are missing (NaN, None): they are neither less nor more than others."""
    if type(record) in (int, str, bool):
        return 0
    return sum(value is None or (is_number(value) and bool(value != value)) for value in flat(record))


def smallest_record(domain: Domain) -> Any:
    """The record of a domain that is nearest to 0, where that means anything; one at its low end where it does not."""
    low = end_records(domain)[0][0]
    if isinstance(domain, Bounds):
        return 0 if domain.low <= 0 <= domain.high else min(low, end_records(domain)[1][0], key=abs)
    if isinstance(domain, Values):
        known = [value for value in domain.values if not _misses(value)]
        return min(known, key=abs) if known and all(map(is_number, known)) else low
    return [smallest_record(column) for column in domain.columns] if isinstance(domain, Columns) else low


def _ordered(domain: Values) -> list[Any]:
    """The values that miss nothing, upwards where they have an order."""
    ordered = [value for value in domain.values if not _misses(value)] or list(domain.values)
    with suppress(TypeError, ValueError):  # arrays are neither less nor more
        ordered = sorted(ordered)
    return ordered


def any_record(domain: Domain | None, rng: Generator) -> Any:
    """A record of a domain at random."""
    if isinstance(domain, Bounds):
        return _number(domain, rng)
    if isinstance(domain, Values):
        return domain.values[int(rng.integers(len(domain.values)))]
    if isinstance(domain, Columns):
        return [_coordinate(column, rng) for column in domain.columns]
    if isinstance(domain, LabelledDomain):
        return any_record(domain.features, rng), any_record(domain.labels, rng)
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
        return any_record(column, rng)
    # rows of numbers become arrays of floats: there is room between whole bounds
    return _between(column, float(rng.random()))


def _between(bounds: Bounds, part: float) -> float:
    """The number at a part of the way from low to high, of few decimals."""
    low, high = float(bounds.low), float(bounds.high)
    return min(max(round(low * (1.0 - part) + high * part, DECIMALS), low), high)


def has_many_values(domain: Domain | None) -> bool:
    """Whether a record, a column or the label has more values than a few."""
    if isinstance(domain, Columns):
        return any(map(has_many_values, domain.columns))
    if isinstance(domain, LabelledDomain):
        return has_many_values(domain.features) or has_many_values(domain.labels)
    return isinstance(domain, Values) and len(domain.values) > FEW_VALUES
