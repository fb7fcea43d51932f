"""The kinds of sets a record may come from; users meet them as :class:`dpcheck.model.neighbours.Records`.

Each can say what is wrong with a record (``problem``), which records are its extremes (``extremes``), and
how it reads (``str``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from dpcheck.model.data import describe_record, same_record

# Beyond this many columns, one extreme per column would bury the corners that matter (all high, all low).
COLUMNS_TAKEN_ONE_BY_ONE = 6
# Declared values kept as extremes, the farthest from the record replaced: more cost calls and show no more.
VALUES_KEPT = 8
# Labels kept beside each extreme of the features.
_LABELS_KEPT = 3
# Records drawn from a strategy, among which the farthest are kept.
_RECORDS_DRAWN = 50


class Domain(Protocol):
    """A set of records."""

    def problem(self, record: Any) -> str | None:
        """What is wrong with the record ("12 is above 10"), or None when it belongs."""
        ...

    def extremes(self, template: Any) -> list[Any]:
        """Its extreme records, of the template's type and shape, most extreme first."""
        ...


def flat(record: Any) -> list[Any]:
    """The values of a record, one after the other; a scalar is one value.

    >>> flat((1, [2, 3])), flat(5)
    ([1, 2, 3], [5])
    """
    if isinstance(record, np.ndarray):
        return list(record.ravel())
    if isinstance(record, list | tuple):
        return [value for item in record for value in flat(item)]
    return [record]


def is_number(value: Any) -> bool:
    """Whether a value can be compared with bounds."""
    return isinstance(value, bool | int | float | np.number | np.bool_) and not isinstance(
        value, complex | np.complexfloating
    )


def _rebuilt(values: Sequence[Any], template: Any) -> Any:
    """The values in the type and shape of the template."""
    if isinstance(template, np.ndarray):
        return np.array(list(values), dtype=template.dtype).reshape(template.shape)
    if isinstance(template, list | tuple):
        if len(values) != len(template):
            return template
        return type(template)(values)
    return values[0]


def _stored(number: float, template: Any, up: bool) -> Any:
    """A bound as the template's type stores it, rounded inwards: ``up`` for a lower bound."""
    if isinstance(template, np.bool_):
        return np.bool_(number >= 1)
    if isinstance(template, bool):
        return number >= 1
    if isinstance(template, int | np.integer):
        whole = math.ceil(number) if up else math.floor(number)
        if isinstance(template, np.integer):
            kept = np.iinfo(type(template))  # a bound beyond what the type can hold is its own limit
            whole = min(max(whole, int(kept.min)), int(kept.max))
        return type(template)(whole)
    if isinstance(template, np.floating):
        kind = type(template)
        with np.errstate(over="ignore"):
            stored = kind(number)
        # compared as doubles: in its own precision a rounded bound equals the bound
        if up and float(stored) < number:
            stored = np.nextafter(stored, kind(np.inf))
        if not up and float(stored) > number:
            stored = np.nextafter(stored, kind(-np.inf))
        return stored
    return float(number)


def _as_stored(besides: Any, template: Any) -> Any:
    """What is no number, as the template's type stores it."""
    return type(template)(besides) if isinstance(template, np.floating) and besides is not None else besides


@dataclass(frozen=True)
class Bounds:
    """Numbers from ``low`` to ``high``, whole ones only where ``whole``; of a row, every value.

    ``besides`` belong too: what stands in data where a number is missing (NaN, None), or is infinite.
    """

    low: float
    high: float
    whole: bool = False
    besides: tuple[Any, ...] = ()

    @property
    def whole_ends(self) -> bool:
        """Whether both ends are integers: single records are then drawn in whole numbers, for 0 and 1 may mean bits.

        >>> Bounds(0, 1).whole_ends, Bounds(0.0, 1.0).whole_ends, Bounds(0, 0.5).whole_ends
        (True, False, False)
        """
        return isinstance(self.low, int) and isinstance(self.high, int)

    def __str__(self) -> str:
        besides = "".join(f" or {describe_record(value)}" for value in self.besides)
        return f"{self._ends()}{' in whole numbers' if self.whole else ''}{besides}"

    def _ends(self) -> str:
        return f"{describe_record(self.low)} to {describe_record(self.high)}"

    def problem(self, record: Any) -> str | None:
        """Which value is no number, below ``low`` or above ``high``."""
        for value in flat(record):
            if any(same_record(value, another) for another in self.besides):
                continue
            if not is_number(value) or value != value:
                return f"{describe_record(value)} is not a number from {self._ends()}"
            exact = float(value) if isinstance(value, np.floating) else value
            if exact < self.low:
                return f"{describe_record(value)} is below {describe_record(self.low)}"
            if exact > self.high:
                return f"{describe_record(value)} is above {describe_record(self.high)}"
            if self.whole and not float(value).is_integer():
                return f"{describe_record(value)} is no whole number"
        return None

    def extremes(self, template: Any) -> list[Any]:
        """High and low for a number, and what there is besides; for a row see :class:`Columns`."""
        if isinstance(template, np.ndarray | list | tuple):
            return Columns((self,) * len(flat(template))).extremes(template)
        ends = (math.floor(self.high), math.ceil(self.low)) if self.whole else (self.high, self.low)
        high = _stored(ends[0], template, up=False)
        low = _stored(ends[1], template, up=True)
        return [high, *([] if same_record(high, low) else [low]), *(_as_stored(one, template) for one in self.besides)]

    def numbers(self) -> Bounds:
        """The same without what there is besides."""
        return replace(self, besides=())


@dataclass(frozen=True, eq=False)
class Values:
    """One of the given records."""

    values: tuple[Any, ...]

    def __str__(self) -> str:
        return f"one of {describe_record(self.values)}"

    def problem(self, record: Any) -> str | None:
        """That the record is none of them."""
        if any(same_record(record, value) for value in self.values):
            return None
        return f"{describe_record(record)} is not {self}"

    def extremes(self, template: Any) -> list[Any]:
        """The values farthest from the template, or as given where they have no distance."""
        others = [value for value in self.values if not same_record(value, template)]
        return farthest_first(others, template)[:VALUES_KEPT]


@dataclass(frozen=True)
class Columns:
    """Rows with a domain for each column."""

    columns: tuple[Bounds | Values, ...]

    def __str__(self) -> str:
        return describe_record(tuple(_Text(str(column)) for column in self.columns))

    def problem(self, record: Any) -> str | None:
        """Which column holds a value outside its domain."""
        values = flat(record)
        if len(values) != len(self.columns):
            return f"it has {len(values)} values where {len(self.columns)} columns are declared"
        for j, (value, column) in enumerate(zip(values, self.columns, strict=True)):
            trouble = column.problem(value)
            if trouble:
                return f"column {j}: {trouble}"
        return None

    def extremes(self, template: Any) -> list[Any]:
        """All columns high, all low; of few columns each alone at its extremes too; then one without a number."""
        values = flat(template)
        if not values or len(values) != len(self.columns):
            return []
        numbers = [column.numbers() if isinstance(column, Bounds) else column for column in self.columns]
        ends = [column.extremes(value) or [value] for value, column in zip(values, numbers, strict=True)]
        corners = [[end[0] for end in ends], [end[-1] for end in ends]]
        if len(values) <= COLUMNS_TAKEN_ONE_BY_ONE:
            for j, end in enumerate(ends):
                corners += [[*values[:j], value, *values[j + 1 :]] for value in (end[0], end[-1])]
        corners += [[*values[:j], value, *values[j + 1 :]] for j, value in self.without_numbers(values)]
        return distinct(_rebuilt(corner, template) for corner in corners)

    def without_numbers(self, values: Sequence[Any]) -> list[tuple[int, Any]]:
        """The first columns that have something besides numbers, and that, as beside such values."""
        return [
            (j, _as_stored(one, value))
            for j, (column, value) in enumerate(zip(self.columns, values, strict=True))
            if isinstance(column, Bounds)
            for one in column.besides
        ][:COLUMNS_TAKEN_ONE_BY_ONE]


class _Text(str):
    """Text shown without quotation marks."""

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True)
class LabelledDomain:
    """Pairs ``(x, label)``; None for a part that is not declared.

    With ``missing``, a number that is no label, the pairs ``(x, missing)`` belong too: entries without a label.
    """

    features: Domain | None
    labels: Domain | None
    missing: int | None = None

    def __str__(self) -> str:
        without = "" if self.missing is None else f" or {self.missing} for none"
        return f"features {self.features or 'not declared'}, labels {self.labels or 'not declared'}{without}"

    def is_missing(self, label: Any) -> bool:
        """Whether a label says that there is none."""
        return self.missing is not None and is_number(label) and bool(label == self.missing)

    def problem(self, record: Any) -> str | None:
        """What is wrong with the features, or with the label."""
        if not isinstance(record, tuple) or len(record) != 2:
            return f"{describe_record(record)} is no pair (x, label)"
        trouble = self.features.problem(record[0]) if self.features else None
        if trouble is None and self.labels and not self.is_missing(record[1]):
            label_trouble = self.labels.problem(record[1])
            return f"label {label_trouble}" if label_trouble else None
        return trouble

    def extremes(self, template: Any) -> list[Any]:
        """Extreme features with each other label, then with the template's own, then other labels alone."""
        x, label = template
        labels = self.labels.extremes(label)[:_LABELS_KEPT] if self.labels and not self.is_missing(label) else []
        others = [other for other in labels if not same_record(other, label)]
        features = self.features.extremes(x) if self.features else []
        return [
            *((far, other) for far in features for other in others),
            *((x, other) for other in others),
            *((far, label) for far in features),
        ]


@dataclass(frozen=True, eq=False)
class Drawn:
    """Records that a hypothesis strategy draws; whether one belongs cannot be checked."""

    strategy: Any

    def __str__(self) -> str:
        return f"drawn from {self.strategy!r}"

    def problem(self, record: Any) -> str | None:
        """Nothing: a strategy cannot be asked whether it would draw a record."""
        return None

    def extremes(self, template: Any) -> list[Any]:
        """The farthest from the template of the records drawn."""
        from dpcheck.model.neighbours.draws import drawn

        found = [r for r in distinct(drawn(self.strategy, _RECORDS_DRAWN)) if not same_record(r, template)]
        return farthest_first(found, template)[:VALUES_KEPT]


def distinct(records: Iterable[Any]) -> list[Any]:
    """The records without repetitions, in order."""
    found: list[Any] = []
    for record in records:
        if not any(same_record(record, other) for other in found):
            found.append(record)
    return found


def farthest_first(records: list[Any], template: Any) -> list[Any]:
    """The records by distance from the template, farthest first; as given where there is no distance."""
    origin = flat(template)
    if not all(map(is_number, origin)):
        return records

    def distance(record: Any) -> float:
        values = flat(record)
        if len(values) != len(origin) or not all(map(is_number, values)):
            return -1.0
        # Python numbers: differences of unsigned numpy integers would wrap around.
        return max((abs(float(a) - float(b)) for a, b in zip(values, origin, strict=True)), default=0.0)

    return sorted(records, key=distance, reverse=True)
