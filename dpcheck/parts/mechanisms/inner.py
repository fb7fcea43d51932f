"""What learners made of learners ask of the one inside: its draws, its law, whether order matters, its relation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import Claim, as_claim
from dpcheck.model.data import record_at, same_record, size_of
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import AddRemove, LabelsOnly, PrivatePart, Relation, ReplaceOne, as_relation


def checked_learner(learner: Any) -> None:
    """Whether it can be a learner at all.

    Raises
    ------
    InvalidArgument
        When it is no callable, or the class of one.
    """
    if not callable(learner) or isinstance(learner, type):
        raise InvalidArgument(f"learner must be a callable (dataset, rng) -> output, got {learner!r}")


def law_method(learner: Any) -> Callable[[Any], Any]:
    """A learner's ``distribution``.

    Raises
    ------
    AttributeError
        When it has none: a property that ends in this is then not there either, and audits go by calls.
    """
    method = getattr(learner, "distribution", None)
    if not callable(method):
        raise AttributeError(f"{type(learner).__name__} declares no law")
    found: Callable[[Any], Any] = method
    return found


def claim_of(learner: Any) -> Claim:
    """What a learner promises.

    Raises
    ------
    AttributeError
        When it promises nothing: what is made of it then promises nothing either.
    """
    claim = getattr(learner, "claim", None)
    if claim is None:
        raise AttributeError(f"{type(learner).__name__} has no claim")
    return as_claim(claim)


def relation_of(learner: Any) -> Relation:
    """The neighbouring relation of a learner's claim; replace-one where it names none."""
    relation = getattr(learner, "neighbours", None)
    return ReplaceOne() if relation is None else as_relation(relation)


def replacing(learner: Any, size: int | range | None) -> tuple[Relation, int]:
    """The relation among datasets of ``size`` records, and how many of the learner's own steps one of its steps is.

    That of the learner where it keeps the number of records. Where it adds or removes one, replace-one, which is two
    steps: the old record is removed, the new one added in its place.

    Raises
    ------
    AttributeError
        When the relation is none of dpcheck's own: nothing is known of what a step of it changes.
    """
    relation = relation_of(learner)
    inside = relation.of if isinstance(relation, PrivatePart) else relation
    outer: ReplaceOne | LabelsOnly
    if isinstance(inside, AddRemove):
        outer, steps = ReplaceOne(inside.records, size), 2
    elif isinstance(inside, ReplaceOne | LabelsOnly):
        outer, steps = type(inside)(inside.records, size), 1
    else:
        raise AttributeError(f"nothing is known of the relation {relation.name} for other sizes")
    return (PrivatePart(outer, public=relation.public) if isinstance(relation, PrivatePart) else outer), steps


def claim_among(learner: Any, records: int | None) -> Claim:
    """What a learner promises when one of the ``records`` records that it is given is replaced.

    Parameters
    ----------
    learner : learner
    records : int, or None for any number

    Raises
    ------
    AttributeError
        When it promises nothing, or its relation declares sizes and so many are not among them: the claim is then not
        about such datasets (a smaller part of a larger dataset, say, is not what is promised for a smaller one).
    """
    claim, steps = claim_of(learner), replacing(learner, None)[1]
    size = relation_of(learner).size
    if size is not None and (records is None or records not in ([size] if isinstance(size, int) else size)):
        given = "any number of them" if records is None else records
        raise AttributeError(f"the claim of {type(learner).__name__} is about {size} records, and it is given {given}")
    return claim if steps == 1 else claim.at_distance(steps)


def replaces_whole_records(learner: Any) -> bool:
    """Whether neighbours may differ in all of a record, not in its label only."""
    relation = relation_of(learner)
    inside = relation.of if isinstance(relation, PrivatePart) else relation
    return isinstance(inside, ReplaceOne | AddRemove)


def is_order_blind(learner: Any) -> bool:
    """Whether the order of the records is of no matter to a learner, by its own word."""
    return getattr(learner, "order_blind", False) is True


def drawn(learner: Any, dataset: Any, size: int, rng: np.random.Generator) -> Any:
    """``size`` independent outputs, at once where the learner can."""
    if callable(getattr(learner, "sample", None)):
        return learner.sample(dataset, size, rng)
    return [learner(dataset, rng) for _ in range(size)]


def joined(parts: list[Any], order: NDArray[np.intp] | None = None) -> Any:
    """Outputs one after the other, in the order asked for: an array where all parts are arrays of one kind."""
    if parts and all(isinstance(part, np.ndarray) for part in parts):
        together = {(part.dtype.kind, part.shape[1:]) for part in parts}
        if len(together) == 1:
            whole = np.concatenate(parts)
            return whole if order is None else whole[order]
    flat = [output for part in parts for output in (part.tolist() if isinstance(part, np.ndarray) else part)]
    return flat if order is None else [flat[place] for place in order]


def grouped_draws(groups: NDArray[np.intp], draw: Callable[[int, int], Any]) -> Any:
    """Outputs in their places, those of one group drawn together.

    Parameters
    ----------
    groups : integers of at least 0, shape (size,): what each output is to be drawn from
    draw : callable, (group, count) -> count independent outputs
    """
    counts = np.bincount(groups)
    parts = [draw(group, int(counts[group])) for group in np.flatnonzero(counts).tolist()]
    return joined(parts, np.argsort(np.argsort(groups, kind="stable"), kind="stable"))


def first_alike(dataset: Any) -> NDArray[np.intp]:
    """For each record the row of the first equal one, shape (n,); for the few records of an enumeration."""
    records = [record_at(dataset, row) for row in range(size_of(dataset))]
    first: list[int] = []
    for row, record in enumerate(records):
        first.append(next((i for i in dict.fromkeys(first) if same_record(records[i], record)), row))
    return np.array(first, dtype=np.intp)


def before_copying(relation: Relation, copies: int) -> Relation:
    """A relation for datasets of which each record is copied: its sizes are of those before.

    Raises
    ------
    AttributeError
        When no dataset has a declared size after it is copied, or the relation is none of dpcheck's own.
    """
    if relation.size is None:
        return relation
    inside = relation.of if isinstance(relation, PrivatePart) else relation
    if not isinstance(inside, ReplaceOne | AddRemove | LabelsOnly):
        raise AttributeError(f"nothing is known of the relation {relation.name} for other sizes")
    sizes = range(relation.size, relation.size + 1) if isinstance(relation.size, int) else relation.size
    # copies are added one by one: of as many sizes as there are copies each must be declared
    steps = copies if isinstance(inside, AddRemove) else 1
    least, most = -(-(min(sizes, default=1) + steps - 1) // copies), max(sizes, default=0) // copies
    whole = sizes.step in (1, -1)
    found = range(least, most + 1)
    if not whole:
        fit = [n for n in found if all(n * copies - step in sizes for step in range(steps))]
        found = range(fit[0], fit[-1] + 1, fit[1] - fit[0] if len(fit) > 1 else 1) if fit else range(0)
    if not found:
        raise AttributeError(f"no dataset of which each record is copied {copies} times has {relation.size} records")
    outer = type(inside)(inside.records, found[0] if len(found) == 1 else found)
    return PrivatePart(outer, public=relation.public) if isinstance(relation, PrivatePart) else outer
