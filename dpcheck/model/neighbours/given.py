"""Pairs that the user gives: checked in form, and against the relation where there is one."""

from __future__ import annotations

from typing import Any

from dpcheck.model.data import describe_value, size_of
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours.draws import drawn, is_strategy
from dpcheck.model.neighbours.pairs import Pair, describe_change
from dpcheck.model.neighbours.pairs_of_dataset import outside, resolved
from dpcheck.model.neighbours.relations import Relation
from dpcheck.model.neighbours.sizes import size_problem

# Pairs drawn from a strategy of pairs: as many as a budget of some ten thousand calls can look at.
PAIRS_DRAWN = 100

_WHAT_PAIRS_ARE = "pairs must be a list of 2-tuples, [(left, right), ...], or a hypothesis strategy of 2-tuples"


def pairs_given(
    pairs: Any, relation: Relation | None = None, *, limit: int = PAIRS_DRAWN, seed: int = 0
) -> tuple[Pair, ...]:
    """The pairs of a list of 2-tuples (or of a strategy of them), each with what differs in words.

    Parameters
    ----------
    pairs : list of ``(left, right)``, or hypothesis strategy of such tuples
    relation : Relation, optional
        Each pair is checked against it, its records and size; without one, taken on the user's word.
    limit : int
        How many to draw from a strategy; a list is taken whole.
    seed : int
        What a strategy draws from.

    Raises
    ------
    InvalidArgument
        When the form is another (the message shows the brackets), or a pair is not one of the relation's.

    Examples
    --------
    >>> pairs_given([([0, 1], [1, 1])])[0].change
    'row 0: 0 replaced by 1'
    """
    listed = drawn(pairs, limit, seed) if is_strategy(pairs) else pairs
    if isinstance(listed, Pair):
        listed = [listed]
    if isinstance(listed, tuple) and len(listed) == 2 and not any(isinstance(p, tuple | Pair) for p in listed):
        raise InvalidArgument(f"{_WHAT_PAIRS_ARE}; for one pair write pairs=[(left, right)], with the brackets")
    if not isinstance(listed, list | tuple):
        raise InvalidArgument(f"{_WHAT_PAIRS_ARE}; got {describe_value(pairs)}")
    if not listed:
        raise InvalidArgument(f"{_WHAT_PAIRS_ARE}; got no pair")
    return tuple(_checked(number, pair, relation) for number, pair in enumerate(listed, start=1))


def _checked(number: int, pair: Any, relation: Relation | None) -> Pair:
    if isinstance(pair, Pair):
        left, right, change = pair.left, pair.right, pair.change
    elif isinstance(pair, tuple) and len(pair) == 2:
        left, right = pair
        change = describe_change(left, right) or f"given pair {number}"
    else:
        raise InvalidArgument(
            f"{_WHAT_PAIRS_ARE}; its item {number} is {describe_value(pair)}, not a tuple (left, right)"
        )
    trouble = None if relation is None else _problem(left, right, relation)
    if trouble:
        raise InvalidArgument(f"pair {number} {trouble}")
    return Pair(left, right, change)


def _problem(left: Any, right: Any, relation: Relation) -> str | None:
    distance = relation.distance_problem(left, right)
    if distance:
        return distance
    size = size_problem(relation.size, max(size_of(left), size_of(right)))
    if size or relation.records is None:
        return size
    for side, dataset in (("left", left), ("right", right)):
        if size_of(dataset):
            trouble = outside(dataset, resolved(dataset, relation.records).domain)
            if trouble:
                return f"({side}) does not lie inside the declared records: {trouble}"
    return None
