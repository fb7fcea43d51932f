"""The neighbouring relations: replace one record, add or remove one, change one label, all that in a private part.

A relation is a value with five members (:class:`Relation`); anyone's class that has them is one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from dpcheck.model.data import (
    SemiPrivate,
    describe_value,
    features_and_labels,
    is_labelled,
    same_dataset,
    size_of,
)
from dpcheck.model.errors import InvalidArgument, nearest
from dpcheck.model.neighbours import pairs_of_dataset
from dpcheck.model.neighbours.entries import ReplaceEntry
from dpcheck.model.neighbours.entries_and_transcripts import EntryAndTranscript
from dpcheck.model.neighbours.pairs import Pair, PairsMade, differing_rows, public_parts_differ, removed_row
from dpcheck.model.neighbours.records import Records, as_records
from dpcheck.model.neighbours.sizes import DEFAULT_LIMIT, checked_limit, checked_size, checked_size_of, size_problem


@runtime_checkable
class Relation(Protocol):
    """What a neighbouring relation can be asked."""

    @property
    def name(self) -> str:
        """How reports and the command line call it, such as ``replace-one``."""
        ...

    @property
    def records(self) -> Records | None:
        """The records the claim is about, or None when they are not declared."""
        ...

    @property
    def size(self) -> int | range | None:
        """The sizes of dataset the claim is about, or None for all."""
        ...

    def distance_problem(self, left: Any, right: Any) -> str | None:
        """Why the two are no neighbours ("differs in 2 records; ReplaceOne allows 1"), or None."""
        ...

    def pairs_from(self, dataset: Any, rng: np.random.Generator, limit: int) -> PairsMade:
        """Pairs of the dataset and a neighbour, those likeliest to leak first."""
        ...


@dataclass(frozen=True)
class ReplaceOne:
    """Neighbours have the same number of records, in the same order, and differ in at most one.

    Parameters
    ----------
    records : Records, tuple ``(low, high)`` or list of values, optional
        The records the claim is about; those of the dataset (and its bounds) when left out.
    size : int or range, optional
        The numbers of records the claim is about.

    Examples
    --------
    >>> ReplaceOne(records=(0, 10)).distance_problem([1, 2, 3], [4, 5, 3])
    'differs in 2 records; ReplaceOne allows 1'
    """

    records: Records | None
    size: int | range | None
    name: ClassVar[str] = "replace-one"

    def __init__(self, records: Any = None, size: int | range | None = None) -> None:
        object.__setattr__(self, "records", as_records(records))
        object.__setattr__(self, "size", checked_size(size))

    def distance_problem(self, left: Any, right: Any) -> str | None:
        """Why the two are no neighbours, or None."""
        sizes = size_of(left), size_of(right)
        if sizes[0] != sizes[1]:
            return f"has {sizes[0]} and {sizes[1]} records; ReplaceOne wants the same number on both sides"
        if public_parts_differ(left, right):
            return "differs in its public part; ReplaceOne changes the private one only"
        rows = len(differing_rows(left, right))
        return None if rows <= 1 else f"differs in {rows} records; ReplaceOne allows 1"

    def pairs_from(self, dataset: Any, rng: np.random.Generator, limit: int = DEFAULT_LIMIT) -> PairsMade:
        """The dataset with one record replaced: by declared extremes, far rows of its own, other labels.

        Raises
        ------
        InvalidArgument
            When the dataset is empty, of another size than declared, or not inside the declared records.
        """
        checked_size_of(self.size, dataset)
        return pairs_of_dataset.replaced(dataset, self.records, rng, checked_limit(limit))


@dataclass(frozen=True)
class AddRemove:
    """One neighbour is the other with one record removed; the order of the rest is kept.

    Parameters
    ----------
    records : Records, tuple ``(low, high)`` or list of values, optional
        The records the claim is about; those of the dataset (and its bounds) when left out.
    size : int or range, optional
        The numbers of records, of the larger of the two, that the claim is about.

    Examples
    --------
    >>> AddRemove().distance_problem([1, 2, 3], [1, 3]) is None
    True
    """

    records: Records | None
    size: int | range | None
    name: ClassVar[str] = "add-remove"

    def __init__(self, records: Any = None, size: int | range | None = None) -> None:
        object.__setattr__(self, "records", as_records(records))
        object.__setattr__(self, "size", checked_size(size))

    def distance_problem(self, left: Any, right: Any) -> str | None:
        """Why the two are no neighbours, or None."""
        sizes = size_of(left), size_of(right)
        if abs(sizes[0] - sizes[1]) != 1:
            return f"has {sizes[0]} and {sizes[1]} records; AddRemove wants one more on one side"
        if public_parts_differ(left, right):
            return "differs in its public part; AddRemove changes the private one only"
        longer, shorter = (left, right) if sizes[0] > sizes[1] else (right, left)
        if removed_row(longer, shorter) is None:
            return "differs in more than one removed record; AddRemove allows 1"
        return None

    def pairs_from(self, dataset: Any, rng: np.random.Generator, limit: int = DEFAULT_LIMIT) -> PairsMade:
        """The dataset with one record removed, or a declared extreme added.

        Raises
        ------
        InvalidArgument
            When the dataset is of another size than declared, or not inside the declared records.
        """
        checked_size_of(self.size, dataset)
        grows = self.size is None or size_problem(self.size, size_of(dataset) + 1) is None
        return pairs_of_dataset.added_or_removed(dataset, self.records, rng, checked_limit(limit), grows=grows)


@dataclass(frozen=True)
class LabelsOnly:
    """Neighbours have the same features, and differ in at most one label: label privacy.

    Parameters
    ----------
    records : Records.labelled(labels=...), list of labels, or tuple ``(low, high)`` of labels, optional
        The labels the claim is about; those in the dataset when left out.
    size : int or range, optional
        The numbers of records the claim is about.

    Examples
    --------
    >>> LabelsOnly().distance_problem(([[0.5], [0.7]], [0, 1]), ([[0.5], [0.7]], [1, 1])) is None
    True
    """

    records: Records | None
    size: int | range | None
    name: ClassVar[str] = "labels-only"

    def __init__(self, records: Any = None, size: int | range | None = None) -> None:
        object.__setattr__(self, "records", pairs_of_dataset.as_label_records(as_records(records)))
        object.__setattr__(self, "size", checked_size(size))

    def distance_problem(self, left: Any, right: Any) -> str | None:
        """Why the two are no neighbours, or None."""
        if not (is_labelled(left) and is_labelled(right)):
            return "has no labels; LabelsOnly wants (X, y) or Labelled(x, y) on both sides"
        sizes = size_of(left), size_of(right)
        if sizes[0] != sizes[1]:
            return f"has {sizes[0]} and {sizes[1]} records; LabelsOnly wants the same number on both sides"
        (x, y), (other_x, other_y) = features_and_labels(left), features_and_labels(right)
        if not same_dataset(x, other_x) or public_parts_differ(left, right):
            return "differs outside the labels; LabelsOnly allows one label to differ"
        rows = len(differing_rows(y, other_y))
        return None if rows <= 1 else f"differs in {rows} labels; LabelsOnly allows 1"

    def pairs_from(self, dataset: Any, rng: np.random.Generator, limit: int = DEFAULT_LIMIT) -> PairsMade:
        """The dataset with one label changed.

        Raises
        ------
        InvalidArgument
            When the dataset has no labels, is of another size than declared, or holds undeclared labels.
        """
        checked_size_of(self.size, dataset)
        return pairs_of_dataset.relabelled(dataset, self.records, rng, checked_limit(limit))


@dataclass(frozen=True)
class PrivatePart:
    """Neighbours are :class:`dpcheck.SemiPrivate` datasets that differ in the private part only.

    The relation of semi-private learners: the public part, whatever it holds, is the same on both sides, and the
    private parts are neighbours under ``of``.

    Parameters
    ----------
    of : relation, its class or its name, optional
        The relation of the private part; ``ReplaceOne`` when left out.
    records, size : optional
        Those of the private part, as for ``ReplaceOne``; given here or in ``of``, not in both.
    public : Records, tuple ``(low, high)`` or list of values, optional
        The records of the public part, where datasets are drawn; those of the private part when left out. Public
        parts that are given are taken as they are.

    Raises
    ------
    InvalidArgument
        When ``of`` is no relation or itself a ``PrivatePart``, or records or sizes are declared twice.

    Examples
    --------
    >>> relation = PrivatePart(of=ReplaceOne(records=(0, 1)))
    >>> relation.distance_problem(SemiPrivate([0, 1], public=[5]), SemiPrivate([1, 1], public=[5])) is None
    True
    >>> relation.distance_problem(SemiPrivate([0, 1], public=[5]), SemiPrivate([0, 1], public=[6]))
    'differs in its public part; PrivatePart lets the private one differ only'
    """

    of: Relation
    public: Records | None

    def __init__(
        self, of: Any = None, *, records: Any = None, size: int | range | None = None, public: Any = None
    ) -> None:
        object.__setattr__(self, "of", _with_declared(ReplaceOne() if of is None else of, records, size))
        object.__setattr__(self, "public", as_records(public, "public"))

    @property
    def name(self) -> str:
        """``private-part``, with the private part's relation behind a colon unless that is ``replace-one``."""
        return _PRIVATE_PART if self.of.name == ReplaceOne.name else f"{_PRIVATE_PART}:{self.of.name}"

    @property
    def records(self) -> Records | None:
        """The records of the private part."""
        return self.of.records

    @property
    def size(self) -> int | range | None:
        """The sizes of the private part."""
        return self.of.size

    def distance_problem(self, left: Any, right: Any) -> str | None:
        """Why the two are no neighbours, or None."""
        if not (isinstance(left, SemiPrivate) and isinstance(right, SemiPrivate)):
            return "has no public part; PrivatePart wants SemiPrivate(private, public) on both sides"
        if public_parts_differ(left, right):
            return "differs in its public part; PrivatePart lets the private one differ only"
        return self.of.distance_problem(left.private, right.private)

    def pairs_from(self, dataset: Any, rng: np.random.Generator, limit: int = DEFAULT_LIMIT) -> PairsMade:
        """The dataset and its neighbours in the private part, as ``of`` makes them; the public part is shared.

        Raises
        ------
        InvalidArgument
            When the dataset has no public part, or ``of`` refuses its private part.
        """
        if not isinstance(dataset, SemiPrivate):
            raise InvalidArgument(
                "dataset must be SemiPrivate(private, public) for neighbours=PrivatePart(...), "
                f"got {describe_value(dataset)}"
            )
        made = self.of.pairs_from(dataset.private, rng, limit)

        def whole(private: Any) -> Any:
            return dataset if private is dataset.private else SemiPrivate(private, dataset.public)

        pairs = tuple(Pair(whole(pair.left), whole(pair.right), pair.change) for pair in made.pairs)
        return replace(made, pairs=pairs)


def _with_declared(of: Any, records: Any, size: int | range | None) -> Relation:
    """The relation of a private part, with records and size that were declared beside it."""
    relation = as_relation(of)
    if isinstance(relation, PrivatePart):
        raise InvalidArgument("of must be the relation of the private part, such as ReplaceOne(...), got PrivatePart")
    if records is None and size is None:
        return relation
    if not isinstance(relation, ReplaceOne | AddRemove | LabelsOnly):
        raise InvalidArgument(
            f"records and size must be declared in of itself where that is {relation.name}, got them beside it"
        )
    for name, here, there in (("records", records, relation.records), ("size", size, relation.size)):
        if here is not None and there is not None:
            raise InvalidArgument(f"{name} must be given in of or beside it, got both")
    return type(relation)(
        records=relation.records if records is None else records, size=relation.size if size is None else size
    )


_PRIVATE_PART = "private-part"
_RELATIONS: dict[str, Callable[[], Relation]] = {
    "replace-one": ReplaceOne,
    "add-remove": AddRemove,
    "labels-only": LabelsOnly,
    "replace-entry": ReplaceEntry,
    EntryAndTranscript.name: EntryAndTranscript,
    _PRIVATE_PART: PrivatePart,
}


def as_relation(relation: Any) -> Relation:
    """A relation as given; a class (``ReplaceOne``) or name (``"replace-one"``) as one without records.

    Raises
    ------
    InvalidArgument
        When it is none.

    Examples
    --------
    >>> as_relation("add-remove")
    AddRemove(records=None, size=None)
    >>> as_relation("private-part:add-remove").name
    'private-part:add-remove'
    """
    if isinstance(relation, str):
        outer, colon, inner = relation.partition(":")
        if colon and outer == _PRIVATE_PART:
            return PrivatePart(of=inner)
        if relation not in _RELATIONS:
            known = ", ".join(_RELATIONS)
            hint = nearest(relation, _RELATIONS)
            raise InvalidArgument(f"neighbours must be one of {known}, got {relation!r}{hint}")
        return _RELATIONS[relation]()
    if isinstance(relation, type) and relation in _RELATIONS.values():
        return as_relation(relation())
    if not isinstance(relation, type) and isinstance(relation, Relation):
        return relation
    raise InvalidArgument(
        "neighbours must be ReplaceOne(...), AddRemove(...), LabelsOnly(...), ReplaceEntry(...), "
        "EntryAndTranscript(...) or PrivatePart(...), or the name of one "
        f"({', '.join(_RELATIONS)}), got {describe_value(relation)}"
    )
