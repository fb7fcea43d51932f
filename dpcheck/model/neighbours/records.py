"""The records a claim is about: its domain, declared by bounds, by values, with labels, or by a strategy."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcheck.model.data import describe_value
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours.ambiguity import refuse_pairs
from dpcheck.model.neighbours.domains import Bounds, Columns, Domain, Drawn, LabelledDomain, Values, is_number
from dpcheck.model.neighbours.draws import is_strategy

_WHAT_RECORDS_ARE = (
    "Records.bounded(low, high), Records.of([...]), Records.labelled(features=..., labels=[...]), "
    "Records.from_strategy(...), a tuple (low, high) or a list of values"
)


@dataclass(frozen=True)
class Records:
    """The set of records a claim is about; made by the functions below, never directly.

    Examples
    --------
    >>> Records.bounded(0, 10).contains(3), Records.of(["a", "b"]).contains("c")
    (True, False)
    >>> Records.bounded([0, 0], [1, 5]).extremes(np.array([0.5, 0.5]))[:2]
    [array([1., 5.]), array([0., 0.])]
    """

    domain: Domain

    def __str__(self) -> str:
        return str(self.domain)

    @staticmethod
    def bounded(low: Any, high: Any) -> Records:
        """Numbers, or rows of numbers, from ``low`` to ``high``.

        Parameters
        ----------
        low, high : finite number, or one per column (shape ``(d,)``)
            Of the record's own unit; a single number holds for all columns.

        Raises
        ------
        InvalidArgument
            When a bound is not a finite number, ``low`` exceeds ``high``, or the lengths differ.
        """
        lows, highs = _bound("low", low), _bound("high", high)
        if not isinstance(lows, list) and not isinstance(highs, list):
            return Records(_interval(lows, highs, ""))
        width = max(len(bound) for bound in (lows, highs) if isinstance(bound, list))
        for name, bound in (("low", lows), ("high", highs)):
            if isinstance(bound, list) and len(bound) != width:
                raise InvalidArgument(f"{name} must have a bound per column ({width}), got {len(bound)}")
        all_low = lows if isinstance(lows, list) else [lows] * width
        all_high = highs if isinstance(highs, list) else [highs] * width
        columns = (_interval(a, b, f" in column {j}") for j, (a, b) in enumerate(zip(all_low, all_high, strict=True)))
        return Records(Columns(tuple(columns)))

    @staticmethod
    def of(values: Iterable[Any]) -> Records:
        """One of the given records.

        Raises
        ------
        InvalidArgument
            When there is none.
        """
        if isinstance(values, str | bytes) or not isinstance(values, Iterable):
            raise InvalidArgument(f"values must be a list of records, got {describe_value(values)}")
        listed = tuple(values)
        if not listed:
            raise InvalidArgument("values must hold at least one record, got none")
        return Records(Values(listed))

    @staticmethod
    def labelled(*, features: Any = None, labels: Any = None) -> Records:
        """Records ``(x, label)``.

        Parameters
        ----------
        features : Records, ``(low, high)`` or list, optional
            Where ``x`` comes from; the data's own bounds when left out.
        labels : list of labels, ``(low, high)`` or Records, optional
            Where the label comes from; the labels in the data when left out.
        """
        x, y = as_records(features, "features"), as_records(labels, "labels")
        return Records(LabelledDomain(x.domain if x else None, y.domain if y else None))

    @staticmethod
    def from_strategy(strategy: Any) -> Records:
        """What a hypothesis strategy draws.

        Raises
        ------
        InvalidArgument
            When it is no strategy.
        """
        if not is_strategy(strategy):
            raise InvalidArgument(f"strategy must be a hypothesis strategy, got {describe_value(strategy)}")
        return Records(Drawn(strategy))

    def contains(self, record: Any) -> bool:
        """Whether the record belongs (always, for a strategy, which cannot be asked)."""
        return self.problem(record) is None

    def problem(self, record: Any) -> str | None:
        """What is wrong with a record that does not belong ("column 1: 12 is above 10"), else None."""
        return self.domain.problem(record)

    def extremes(self, template_record: Any) -> list[Any]:
        """Extreme records of the template's type and shape, most extreme first: a short list."""
        return self.domain.extremes(template_record)


def as_records(records: Any, name: str = "records") -> Records | None:
    """Records as given; a tuple ``(low, high)`` as bounds, a list (or array, or range) as values.

    Every place that takes records, features, labels or public records reads them here, so that one spelling means the
    same everywhere.

    Raises
    ------
    InvalidArgument
        When it is none of these; when it is a list (or array, or tuple) of pairs of numbers, which could be bounds of
        columns as well as records (:mod:`dpcheck.model.neighbours.ambiguity`).

    Examples
    --------
    >>> str(as_records((0, 10))), str(as_records([0, 1]))
    ('0 to 10', 'one of (0, 1)')
    """
    if records is None or isinstance(records, Records):
        return records
    refuse_pairs(records, name)
    if isinstance(records, tuple) and len(records) == 2:
        return Records.bounded(*records)
    if isinstance(records, list | range | set | frozenset | np.ndarray):
        return Records.of(sorted(records) if isinstance(records, set | frozenset) else list(records))
    if is_strategy(records):
        return Records.from_strategy(records)
    raise InvalidArgument(f"{name} must be {_WHAT_RECORDS_ARE}, got {describe_value(records)}")


def _is_finite(number: Any) -> bool:
    """Whether a double holds it: records between bounds are doubles, too."""
    try:
        return math.isfinite(number)
    except OverflowError:
        return False


def _bound(name: str, bound: Any) -> float | list[float]:
    """A bound of numbers, an integer where it was one; or one for each column."""
    if is_number(bound):
        if not _is_finite(bound):
            raise InvalidArgument(f"{name} must be finite, got {bound!r}: an extreme record cannot be infinite")
        return int(bound) if isinstance(bound, int | np.integer) else float(bound)
    if isinstance(bound, list | tuple | np.ndarray) and len(np.shape(bound)) == 1 and len(bound) > 0:
        numbers = [_bound(name, value) for value in bound]
        return [number for number in numbers if isinstance(number, int | float)]
    raise InvalidArgument(f"{name} must be a finite number, or one per column, got {describe_value(bound)}")


def _interval(low: float, high: float, where: str) -> Bounds:
    if low > high:
        raise InvalidArgument(f"low must be at most high, got low {low:g} and high {high:g}{where}")
    return Bounds(low, high)
