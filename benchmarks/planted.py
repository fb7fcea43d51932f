"""Bugs planted in learners that are 1-DP without them, each with the relation it is looked for under.

All are sums of records from 0 to 10 with Laplace noise of scale 10, or of 40 columns from 0 to 1 with scale 40 each.
``rows`` is the smallest number of rows (of the larger dataset) that can show the bug; ``scale`` the noise of a numeric
gap that a shrunk pair has to keep, None where the bug shows without one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcheck import AddRemove, LabelsOnly, Records, ReplaceOne

COLUMNS, UNPROTECTED = 40, 17


def scale_from_the_data(dataset: Any, rng: Any) -> float:
    """The largest record instead of the declared bound."""
    return float(sum(dataset) + rng.laplace(scale=max(1e-9, *dataset)))


def only_on_duplicates(dataset: Any, rng: Any) -> float:
    """Less noise where a record occurs twice."""
    return float(sum(dataset) + rng.laplace(scale=10.0 if len(set(dataset)) == len(dataset) else 4.0))


def only_two_sevens(dataset: Any, rng: Any) -> float:
    """Less noise where the record 7 occurs twice."""
    return float(sum(dataset) + rng.laplace(scale=3.0 if list(dataset).count(7) >= 2 else 10.0))


def only_for_five_rows(dataset: Any, rng: Any) -> float:
    """Less noise for datasets of five rows."""
    return float(sum(dataset) + rng.laplace(scale=3.0 if len(dataset) == 5 else 10.0))


def only_for_one_value(dataset: Any, rng: Any) -> float:
    """Less noise where the record 7 occurs."""
    return float(sum(dataset) + rng.laplace(scale=3.0 if 7 in dataset else 10.0))


def only_for_the_last_row(dataset: Any, rng: Any) -> float:
    """The last row counts two and a half times."""
    return float(sum(dataset) + 1.5 * dataset[-1] + rng.laplace(scale=10.0))


def one_column_unprotected(dataset: Any, rng: Any) -> Any:
    """Column sums; one column of forty has a hundredth of the noise."""
    scale = np.full(COLUMNS, float(COLUMNS))
    scale[UNPROTECTED] = 0.4
    return np.asarray(dataset).sum(axis=0) + rng.laplace(scale=scale)


def one_column_unprotected_by_labels(dataset: Any, rng: Any) -> Any:
    """Column sums over the rows labelled 1; one column of forty has a hundredth of the noise."""
    scale = np.full(COLUMNS, float(COLUMNS))
    scale[UNPROTECTED] = 0.4
    x, y = dataset
    return np.asarray(x).T @ np.asarray(y, dtype=float) + rng.laplace(scale=scale)


def an_exception_for_outliers(dataset: Any, rng: Any) -> float:
    """Refuses records above 9, in public."""
    if max(dataset) > 9:
        raise ValueError("outlier")
    return float(sum(dataset) + rng.laplace(scale=10.0))


def nothing_for_nobody(dataset: Any, rng: Any) -> Any:
    """Says None, always, when there is nobody."""
    return float(sum(dataset) + rng.laplace(scale=10.0)) if len(dataset) else None


@dataclass(frozen=True)
class Planted:
    """A bug, the relation under which it is looked for, and the smallest pair that shows it."""

    name: str
    learner: Callable[[Any, Any], Any]
    relation: Any
    rows: int
    scale: float | None
    sought: bool = True


_NUMBERS = ReplaceOne(records=(0, 10))
_BOX = Records.bounded([0.0] * COLUMNS, [1.0] * COLUMNS)

PLANTED = (
    Planted("scale from max(data)", scale_from_the_data, _NUMBERS, 1, None),
    Planted("only on duplicates", only_on_duplicates, _NUMBERS, 2, None),
    Planted("only for five rows", only_for_five_rows, _NUMBERS, 5, 3.0),
    Planted("only for one value in eleven", only_for_one_value, _NUMBERS, 1, None),
    Planted("only for the last row", only_for_the_last_row, _NUMBERS, 1, 4.0),
    Planted("one column of forty, replace-one", one_column_unprotected, ReplaceOne(records=_BOX), 1, 0.4),
    Planted(
        "one column of forty, labels-only",
        one_column_unprotected_by_labels,
        LabelsOnly(records=Records.labelled(features=_BOX, labels=[0, 1])),
        1,
        None,
    ),
    Planted("exception for outliers", an_exception_for_outliers, _NUMBERS, 1, None),
    Planted("two sevens", only_two_sevens, _NUMBERS, 2, None, sought=False),
    Planted("nobody", nothing_for_nobody, AddRemove(records=(0, 10)), 1, None),
)
