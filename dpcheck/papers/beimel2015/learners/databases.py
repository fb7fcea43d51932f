"""Partially labelled databases drawn from a dataset, and what a learner does on one that is drawn of many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from math import comb, factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import UNLABELLED, Labelled
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.parts.learners.records import partly_labelled
from dpcheck.parts.mechanisms.inner import drawn, grouped_draws, is_order_blind, law_method
from dpcheck.parts.mechanisms.mixtures import mixture
from dpcheck.parts.mechanisms.parameters import count

#: Databases that are enumerated; a law over more is not declared, and draws of more go one by one.
MOST_DATABASES = 4096
#: More entries have more orders than that.
_MOST_ORDERED = 6


def checked_parts(labelled: Any, unlabelled: Any) -> dict[str, int]:
    """The numbers of labelled and of unlabelled entries that a learner is given, by name; together at least 1.

    Raises
    ------
    InvalidArgument
        When they are no such numbers.

    Examples
    --------
    >>> checked_parts(2, np.int64(0))
    {'labelled': 2, 'unlabelled': 0}
    """
    found = {"labelled": count("labelled", labelled, least=0), "unlabelled": count("unlabelled", unlabelled, least=0)}
    if not any(found.values()):
        raise InvalidArgument("labelled and unlabelled must not both be 0: the learner must be given an entry")
    return found


def number_of_samples(whole: int, part: int) -> int:
    """How many samples of ``part`` of ``whole`` entries there are; where more than 4096, some number above that.

    >>> number_of_samples(5, 2), number_of_samples(10**9, 10**8) > MOST_DATABASES
    (10, True)
    """
    # of large parts the number has more digits than there is time for
    return comb(whole, part) if whole <= MOST_DATABASES or part in (0, whole) else MOST_DATABASES + 1


def database(points: Any, labels: Any, asked: Sequence[int], others: Sequence[int]) -> Labelled:
    """The entries asked for with their labels, then the others without.

    Examples
    --------
    >>> database([5, 6, 7], {2: 1}, asked=[2], others=[0])
    Labelled(x=[7, 5], y=[1, -1])
    """
    rows = [*asked, *others]
    taken = [points[row] for row in rows]
    y = [*(labels[row] for row in asked), *(UNLABELLED for _ in others)]
    if isinstance(points, np.ndarray):
        return Labelled(points[np.array(rows, dtype=np.intp)], np.array(y))
    return Labelled(taken, y)


def orders(learner: Any, data: Labelled, order: str) -> list[Labelled]:
    """The equally likely orders in which a learner sees a database: labelled entries first, each part in any order.

    One, as it is, where the learner does not look at the order, or ``order`` is "sorted".
    """
    if order == "sorted" or is_order_blind(learner):
        return [data]
    labelled, total = _labelled(data), len(data.y)
    parts = [[*permutations(range(start, stop))] for start, stop in ((0, labelled), (labelled, total))]
    return [_taken(data, [*first, *second]) for first in parts[0] for second in parts[1]]


def number_of_orders(learner: Any, labelled: int, unlabelled: int, order: str) -> int:
    """How many :func:`orders` there are; where more than 4096, some number above that."""
    if order == "sorted" or is_order_blind(learner):
        return 1
    if max(labelled, unlabelled) > _MOST_ORDERED:
        return MOST_DATABASES + 1
    return factorial(labelled) * factorial(unlabelled)


def reordered(learner: Any, data: Labelled, order: str, rng: np.random.Generator) -> Labelled:
    """One of the :func:`orders`, drawn."""
    if order == "sorted" or is_order_blind(learner):
        return data
    labelled, total = _labelled(data), len(data.y)
    return _taken(data, [*rng.permutation(labelled), *(labelled + rng.permutation(total - labelled))])


def _labelled(data: Labelled) -> int:
    return len(partly_labelled(data)[0])


def _taken(data: Labelled, rows: Sequence[Any]) -> Labelled:
    def column(values: Any) -> Any:
        if isinstance(values, np.ndarray):
            return values[np.array(rows, dtype=np.intp)]
        return [values[row] for row in rows]

    return Labelled(column(data.x), column(data.y))


@dataclass(frozen=True, eq=False)
class Mixed:
    """A learner on one of some equally likely databases: its law and draws, each different database asked once.

    ``seen`` says of each what is released beside the output, or is None where nothing is.
    """

    learner: Any
    kinds: tuple[Any, ...]
    seen: tuple[Any, ...] | None
    group: NDArray[np.intp]

    @classmethod
    def of(cls, learner: Any, databases: Iterable[Any], seen: Iterable[Any] | None = None) -> Mixed:
        """The learner on one of these databases."""
        blind = is_order_blind(learner)
        places: dict[Any, int] = {}
        kinds: list[Any] = []
        told: list[Any] = []
        group: list[int] = []
        released = iter(seen) if seen is not None else None
        for data in databases:
            said = next(released) if released is not None else None
            place = places.setdefault((said, _key(data, blind)), len(kinds))
            if place == len(kinds):
                kinds.append(data)
                told.append(said)
            group.append(place)
        return cls(learner, tuple(kinds), None if seen is None else tuple(told), np.array(group, dtype=np.intp))

    def law(self) -> Law:
        """The exact law, a mixture."""
        method = law_method(self.learner)
        counts = np.bincount(self.group).tolist()
        laws = (self._told(place, method(data)) for place, data in enumerate(self.kinds))
        return mixture([Fraction(times, len(self.group)) for times in counts], laws)

    def _told(self, place: int, law: Any) -> Any:
        if self.seen is None:
            return law
        said = self.seen[place]
        if isinstance(law, Law):
            return replace(law, outputs=[(output, said) for output in law.outputs])
        return {(output, said): probability for output, probability in law.items()}

    def sample(self, size: int, rng: np.random.Generator) -> Any:
        """``size`` independent outputs."""

        def outputs(place: int, times: int) -> Any:
            found = drawn(self.learner, self.kinds[place], times, rng)
            if self.seen is None:
                return found
            return [(output, self.seen[place]) for output in as_listed(found)]

        return grouped_draws(self.group[rng.integers(len(self.group), size=size)], outputs)


def as_listed(outputs: Any) -> list[Any]:
    """Outputs of a bulk draw as a list of plain numbers, or of tuples."""
    values = outputs.tolist() if isinstance(outputs, np.ndarray) else list(outputs)
    return [tuple(value) if isinstance(value, list) else value for value in values]


def _key(data: Any, blind: bool) -> Any:
    """The same for databases on which a learner does the same."""
    x, y, others = partly_labelled(data)
    first = [(_plain(point), _plain(label)) for point, label in zip(x, y, strict=True)]
    second = [_plain(point) for point in others]
    if blind:
        first.sort(key=repr)
        second.sort(key=repr)
    return tuple(first), tuple(second)


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    return tuple(map(_plain, value)) if isinstance(value, list | tuple) else value
