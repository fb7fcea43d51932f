"""The largest loss of a learner's densities over its small domain, where the learner knows it for a pair."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from dpcheck.model.data import record_at, replace_record, same_record
from dpcheck.model.data.rows import size_of
from dpcheck.model.neighbours import describe_change
from dpcheck.model.neighbours.enumeration import all_pairs
from dpcheck.model.neighbours.pairs import Pair

if TYPE_CHECKING:
    from dpcheck.parts.learners.entry import LearnerEntry

#: By how much, relative to a claim, a loss in doubles may be above it by rounding alone.
ROUNDING = 1e-9


@dataclass(frozen=True)
class LossOfDensities:
    """``epsilon``: the largest absolute log ratio, nats; ``pairs``: all of the domain's, of largest loss first."""

    epsilon: float
    pairs: tuple[Pair, ...]

    def exceeds(self, epsilon: float) -> bool:
        """Whether it is more than a claim allows, and not by rounding.

        Examples
        --------
        >>> LossOfDensities(1.0 + 1e-12, ()).exceeds(1.0), LossOfDensities(1.01, ()).exceeds(1.0)
        (False, True)
        """
        return self.epsilon > epsilon * (1 + ROUNDING) + ROUNDING


@cache
def loss_of_densities(entry: LearnerEntry) -> LossOfDensities | None:
    """The loss over all neighbouring pairs of an entry's domain; None where its learner has no ``exact_loss``.

    It is that of what the learner says of itself, as a declared law is: no call is made.

    Parameters
    ----------
    entry : LearnerEntry

    Raises
    ------
    InvalidArgument
        When the domain has too many pairs.

    Examples
    --------
    >>> from dpcheck.parts.learners.discovery import entry
    >>> found = loss_of_densities(entry("wang2016.median_on_interval"))
    >>> round(found.epsilon, 3), len(found.pairs), found.exceeds(1.0)
    (0.689, 6, False)
    >>> loss_of_densities(entry("alon2019.cover")) is None  # it declares its law
    True
    """
    learner = entry.learner()
    exact_loss = getattr(learner, "exact_loss", None)
    if exact_loss is None:
        return None
    every = all_pairs(entry.relation(), order_blind=bool(getattr(learner, "order_blind", False)))
    found = [_in_one_order(every.pair(place)) for place in range(len(every.pairs))]
    losses = [float(exact_loss(pair.left, pair.right)) for pair in found]
    order = sorted(range(len(found)), key=lambda place: -losses[place])
    return LossOfDensities(max(losses), tuple(found[place] for place in order))


def _in_one_order(pair: Pair) -> Pair:
    """The same multisets, the second in the order of the first: neighbours then differ in no row but one."""
    if size_of(pair.left) != size_of(pair.right):
        return pair
    others = [record_at(pair.right, row) for row in range(size_of(pair.right))]
    gone = []
    for row in range(size_of(pair.left)):
        place = next((k for k, one in enumerate(others) if same_record(one, record_at(pair.left, row))), None)
        if place is None:
            gone.append(row)
        else:
            others.pop(place)
    right = pair.left
    for row, record in zip(gone, others, strict=True):
        right = replace_record(right, row, record)
    return Pair(pair.left, right, describe_change(pair.left, right) or pair.change)
