"""Finite learning problems (Z, H, l): the values a record may take, the hypotheses, and the table of losses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import is_labelled
from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes import HypothesisClass
from dpcheck.parts.learners.records import private_records
from dpcheck.parts.mechanisms.choice import as_outputs
from dpcheck.parts.risk.losses import Sums

#: Losses are integers over one denominator, and their sums over a dataset stay in 64 bits.
_LARGEST_DENOMINATOR = 2**31


@dataclass(frozen=True)
class FiniteProblem:
    """A learning problem with finitely many records and hypotheses; also the loss of learners that take one.

    Parameters
    ----------
    records : sequence of distinct values, at least 1
        What a record may be; ``(x, label)`` where records are labelled. The paper's Z.
    hypotheses : sequence of distinct values, at least 1
        The paper's H.
    losses : table of numbers from 0 to 1, shape (hypotheses, records)
        The paper's l(h, z). A double is the decimal that it is written as: 0.1 is 1/10.

    Raises
    ------
    InvalidArgument
        When a value is given twice, the table has another shape, or a loss is outside [0, 1].

    Source: wang2016 section 2 and asm-A1.

    Examples
    --------
    >>> problem = FiniteProblem(records=(0, 1), hypotheses=(0, 1), losses=((0, 1), (1, 0)))
    >>> problem.counts([1, 0, 1]).tolist(), problem.sums([0, 1], [1, 0, 1]).values.tolist(), problem.unit
    ([1, 2], [2, 1], Fraction(1, 1))
    """

    records: tuple[Any, ...]
    hypotheses: tuple[Any, ...]
    losses: tuple[tuple[Fraction, ...], ...]

    def __post_init__(self) -> None:
        for name in ("records", "hypotheses"):
            values = _several(name, getattr(self, name))
            if not values or len(set(values)) < len(values):
                raise InvalidArgument(f"{name} must be distinct values, at least 1, got {values!r}")
            object.__setattr__(self, name, values)
        shape = (len(self.hypotheses), len(self.records))
        rows = tuple(tuple(map(_loss, _several("losses", row))) for row in _several("losses", self.losses))
        if len(rows) != shape[0] or any(len(row) != shape[1] for row in rows):
            raise InvalidArgument(f"losses must have the shape (hypotheses, records), {shape}, got {self.losses!r}")
        if math.lcm(*(value.denominator for row in rows for value in row)) > _LARGEST_DENOMINATOR:
            raise InvalidArgument(f"losses must have a common denominator of at most {_LARGEST_DENOMINATOR}")
        object.__setattr__(self, "losses", rows)

    @cached_property
    def unit(self) -> Fraction:
        """The reciprocal of the losses' common denominator: all losses are integer multiples of it."""
        return Fraction(1, math.lcm(*(value.denominator for row in self.losses for value in row)))

    @cached_property
    def table(self) -> NDArray[np.int64]:
        """The losses in units, integers of shape (hypotheses, records)."""
        return np.array([[int(value / self.unit) for value in row] for row in self.losses], dtype=np.int64)

    @cached_property
    def _record_places(self) -> dict[Any, int]:
        return {record: place for place, record in enumerate(self.records)}

    @cached_property
    def _hypothesis_places(self) -> dict[Any, int]:
        return {hypothesis: place for place, hypothesis in enumerate(self.hypotheses)}

    @property
    def labelled(self) -> bool:
        """Whether all records are pairs, the point and its label."""
        return all(isinstance(record, tuple) and len(record) == 2 for record in self.records)

    def codes(self, dataset: Any) -> NDArray[np.int64]:
        """The place of each record of a dataset among ``records``, shape (n,).

        Raises
        ------
        InvalidArgument
            When a record is none of them.
        """
        try:
            return np.array([self._record_places[record] for record in listed(dataset)], dtype=np.int64)
        except (KeyError, TypeError) as error:
            raise InvalidArgument(f"dataset must hold records of {self.records!r}, got {error.args[0]!r}") from error

    def counts(self, dataset: Any) -> NDArray[np.int64]:
        """How often each record occurs in a dataset, shape (records,)."""
        return np.bincount(self.codes(dataset), minlength=len(self.records)).astype(np.int64)

    def bounds(self, hypotheses: Any) -> tuple[Fraction, Fraction]:
        """The least and the largest loss of some hypotheses."""
        rows = [self.losses[place] for place in self._places(hypotheses)]
        return min(map(min, rows)), max(map(max, rows))

    def swing(self, hypotheses: Any) -> Fraction:
        """By how much replacing a record can move the loss of one of some hypotheses."""
        return max(max(self.losses[place]) - min(self.losses[place]) for place in self._places(hypotheses))

    def values(self, hypotheses: Any, dataset: Any) -> NDArray[np.float64]:
        """The losses, shape (hypotheses, records)."""
        return np.asarray(self.table[self._places(hypotheses)][:, self.codes(dataset)] * float(self.unit))

    def sums(self, hypotheses: Any, dataset: Any) -> Sums:
        """The summed loss of each of some hypotheses on a dataset: integers times the unit."""
        return Sums(np.asarray(self.table[self._places(hypotheses)] @ self.counts(dataset)), self.unit)

    def _places(self, hypotheses: Any) -> list[int]:
        try:
            return [self._hypothesis_places[hypothesis] for hypothesis in as_outputs(hypotheses)]
        except (KeyError, TypeError) as error:
            raise InvalidArgument(f"hypotheses must be some of {self.hypotheses!r}, got {error.args[0]!r}") from error

    def minimisers(self, dataset: Any) -> list[Any]:
        """The hypotheses of least empirical risk on a dataset, in the problem's order."""
        totals = self.table @ self.counts(dataset)
        return [self.hypotheses[place] for place in np.flatnonzero(totals == totals.min())]


def listed(dataset: Any) -> list[Any]:
    """The records of a dataset as plain values: ``(x, label)`` of labelled data, rows of arrays as tuples.

    Examples
    --------
    >>> listed(([3, 5], [1, 0])), listed(np.array([0, 1]))
    ([(3, 1), (5, 0)], [0, 1])
    """
    if is_labelled(dataset):
        points, labels = private_records(dataset)
        return list(zip(as_outputs(points), as_outputs(labels), strict=True))
    if isinstance(dataset, np.ndarray):
        return as_outputs(dataset)
    return [record.item() if isinstance(record, np.generic) else record for record in dataset]


def absolute_loss(hypotheses: Sequence[Any], records: Sequence[Any] = (0, 1)) -> FiniteProblem:
    """The problem of loss ``|h - z|``, for numbers between 0 and 1.

    Examples
    --------
    >>> absolute_loss([0, Fraction(1, 2), 1]).table.tolist(), absolute_loss([0, Fraction(1, 2), 1]).unit
    ([[0, 2], [1, 1], [2, 0]], Fraction(1, 2))
    """
    losses = tuple(tuple(abs(as_written(h) - as_written(z)) for z in records) for h in hypotheses)
    return FiniteProblem(tuple(records), tuple(hypotheses), losses)


def classification(family: HypothesisClass, points: Sequence[Any]) -> FiniteProblem:
    """The problem of a class's mistakes on labelled records: one hypothesis for each dichotomy of the points.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> problem = classification(GridThresholds(2), [0, 1])
    >>> problem.hypotheses, problem.records
    ((0, 1, 2), ((0, 0), (0, 1), (1, 0), (1, 1)))
    """
    distinct = list(dict.fromkeys(as_outputs(points)))
    hypotheses = family.representatives(distinct)
    predicted = family.predict(hypotheses, distinct)
    records = tuple((x, label) for x in distinct for label in (0, 1))
    losses = tuple(tuple(Fraction(int(value != label)) for value in row for label in (0, 1)) for row in predicted)
    return FiniteProblem(records, tuple(as_outputs(hypotheses)), losses)


def _several(name: str, values: Any) -> tuple[Any, ...]:
    try:
        return tuple(values)
    except TypeError as error:
        raise InvalidArgument(f"{name} must be a sequence, got {values!r}") from error


def _loss(value: Any) -> Fraction:
    number = isinstance(value, int | float | Fraction | np.integer | np.floating) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1:
        raise InvalidArgument(f"losses must be numbers from 0 to 1, got {value!r}")
    return as_written(value)


def as_written(value: Any) -> Fraction:
    """A number as the fraction that was written: a double by its shortest decimal.

    Examples
    --------
    >>> as_written(0.3), as_written(Fraction(1, 3))
    (Fraction(3, 10), Fraction(1, 3))
    """
    return Fraction(repr(float(value))) if isinstance(value, float | np.floating) else Fraction(value)
