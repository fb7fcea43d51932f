"""What a trial finds, as tidy rows: a quantity, its value, where it was taken, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpcheck.trial.model import Outcome, Role
from dpcheck.utility.failure import FailureRate


@dataclass(frozen=True)
class Row:
    """One number.

    ``value`` is None where there is none (a bound that says nothing, a size that was not reached), ``settings`` says
    at which size, epsilon and the like it was taken; ``interval``, the probability ``level`` that it is wrong, and
    ``trials`` are of what was sampled.
    """

    quantity: str
    value: float | None
    settings: Mapping[str, Any]
    role: Role = "exact"
    interval: tuple[float, float] | None = None
    trials: int = 0
    level: float = 0.0


@dataclass(frozen=True)
class Findings:
    """What a trial computes: its rows, what became of each claim, and what they say in a sentence or two.

    ``settings`` are what its page's words name in braces; ``trials`` are all runs, where those of the
    rows and the outcomes are not: some are counted twice, or by neither.
    """

    rows: Sequence[Row]
    outcomes: Sequence[Outcome]
    found: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    trials: int | None = None


def exact(quantity: str, values: Iterable[Any], **settings: Any) -> list[Row]:
    """Rows of one computed quantity.

    Parameters
    ----------
    quantity : its name, in charts and tables
    values : one a row; None where there is none
    settings : where they were taken; one that is a list, tuple, range or array goes along with the values

    Examples
    --------
    >>> [(row.value, row.settings) for row in exact("loss", [0.5, 0.7], n=[1, 2], epsilon=1)]
    [(0.5, {'n': 1, 'epsilon': 1}), (0.7, {'n': 2, 'epsilon': 1})]
    """
    given = [None if value is None else float(value) for value in values]
    return [Row(quantity, value, at) for value, at in zip(given, _along(settings, len(given)), strict=True)]


def bound(quantity: str, values: Iterable[Any], **settings: Any) -> list[Row]:
    """The same of a quantity that is claimed, not found."""
    return [Row(row.quantity, row.value, row.settings, "bound") for row in exact(quantity, values, **settings)]


def line(values: Mapping[str, Any], settings: Mapping[str, Any], role: Role = "exact") -> list[Row]:
    """Rows of several quantities at the same settings, as a line of a table has them.

    Examples
    --------
    >>> [(row.quantity, row.value) for row in line({"loss": 0.5, "size": None}, {"n": 1})]
    [('loss', 0.5), ('size', None)]
    """
    return [Row(name, None if value is None else float(value), settings, role) for name, value in values.items()]


def rates(quantity: str, found: Sequence[FailureRate], **settings: Any) -> list[Row]:
    """Rows of measured failure rates, with their intervals."""
    return [
        Row(quantity, each.rate, at, "measured", each.interval, each.trials, each.level)
        for each, at in zip(found, _along(settings, len(found)), strict=True)
    ]


def _along(settings: Mapping[str, Any], count: int) -> list[dict[str, Any]]:
    """The settings of each of so many rows."""
    whole = {name: _repeated(value, count) for name, value in settings.items()}
    return [{name: values[place] for name, values in whole.items()} for place in range(count)]


def _repeated(value: Any, count: int) -> Sequence[Any]:
    return list(value) if isinstance(value, list | tuple | range | np.ndarray) else [value] * count
