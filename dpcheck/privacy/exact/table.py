"""The laws of many datasets side by side: log-probabilities in doubles, each row with its proven slack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.privacy.exact.declared import Declared, float_logs_of_many

#: Laws times outputs that are held at once: 1.6 GB of doubles.
MOST_CELLS = 200_000_000


@dataclass(frozen=True, eq=False)
class Table:
    """Distinct laws (balls are never taken for equal) over all outputs that any of them gives.

    ``of`` (datasets,) is the number of each dataset's law, -1 where it is not known. ``logs`` (laws, outputs) holds
    normalised log-probabilities, -inf outside a law's support, each within ``slack`` (laws,) of the exact one.
    ``columns`` (laws) tells in which column each output of a law stands.
    """

    outputs: tuple[Any, ...]
    column: dict[Any, int]
    laws: tuple[Declared, ...]
    of: NDArray[np.int64]
    logs: NDArray[np.float64]
    slack: NDArray[np.float64]
    columns: tuple[NDArray[np.intp], ...]

    def probability_log(self, dataset: int, output: Any) -> float:
        """The declared log-probability of an output (in its plain form) on a dataset; -inf where it has none."""
        place = self.column.get(output)
        return float(self.logs[self.of[dataset], place]) if place is not None else -np.inf


def table_of(declared: Sequence[Declared | None]) -> Table:
    """Laws side by side, equal ones once.

    Parameters
    ----------
    declared : the law of each dataset, None where it is not known

    Raises
    ------
    InvalidArgument
        When the laws and all their outputs together are more than a machine holds.

    Examples
    --------
    >>> from dpcheck.privacy.exact.declared import declared
    >>> table = table_of([declared({"a": 0.5, "b": 0.5}), declared({"a": 1.0})])
    >>> np.exp(table.logs).round(3).tolist()
    [[0.5, 0.5], [1.0, 0.0]]
    """
    numbers: dict[Any, int] = {}
    laws: list[Declared] = []
    of = np.full(len(declared), -1, dtype=np.int64)
    column: dict[Any, int] = {}
    places: dict[tuple[Any, ...], tuple[int, NDArray[np.intp]]] = {}  # laws of one learner mostly share their outputs
    columns: list[NDArray[np.intp]] = []
    for dataset, law in enumerate(declared):
        if law is None:
            continue
        known = places.get(law.outputs)
        if known is None:
            found = np.array([column.setdefault(output, len(column)) for output in law.outputs], dtype=np.intp)
            known = places[law.outputs] = (len(places), found)
        # two equal balls need not hold the same number
        key = (known[0], law.key) if law.kind != "balls" else (known[0], dataset)
        number = numbers.setdefault(key, len(laws))
        if number == len(laws):
            laws.append(law)
            columns.append(known[1])
        of[dataset] = number
    if len(laws) * len(column) > MOST_CELLS:
        raise InvalidArgument(
            f"distribution must have few enough outputs for all laws to be held, got {len(laws):,} laws over "
            f"{len(column):,} outputs (at most {MOST_CELLS:,} together): give fewer pairs"
        )
    logs = np.full((len(laws), len(column)), -np.inf)
    slack = np.zeros(len(laws))
    alike: dict[tuple[int, str], list[int]] = {}
    for number, (law, place) in enumerate(zip(laws, columns, strict=True)):
        alike.setdefault((id(place), law.kind), []).append(number)
    for numbers_alike in alike.values():
        place = columns[numbers_alike[0]]
        found_logs, slack[numbers_alike] = float_logs_of_many([laws[number] for number in numbers_alike])
        logs[np.ix_(np.array(numbers_alike), place)] = found_logs
    return Table(tuple(column), column, tuple(laws), of, logs, slack, tuple(columns))
