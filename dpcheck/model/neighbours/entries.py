"""The relation of partially labelled data: one entry replaced, a labelled one by a labelled one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from dpcheck.model.data import (
    UNLABELLED,
    describe_value,
    features_and_labels,
    is_labelled,
    private_part,
    same_record,
    size_of,
)
from dpcheck.model.data.rows import record_at
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import pairs_of_dataset
from dpcheck.model.neighbours.domains import LabelledDomain, is_number
from dpcheck.model.neighbours.pairs import PairsMade, differing_rows, public_parts_differ
from dpcheck.model.neighbours.records import Records, as_records
from dpcheck.model.neighbours.sizes import DEFAULT_LIMIT, checked_limit, checked_size, checked_size_of

#: An order is begun with another record than the dataset's first, if there is one among so many.
MOST_LOOKED_AT = 1_000


@dataclass(frozen=True)
class ReplaceEntry:
    """Neighbours have the same number of entries, the same ones labelled, and differ in at most one entry.

    The relation of semi-supervised learners. The labelled entries come first, the others have the label -1. How many
    there are of either kind is public: a labelled entry is replaced by any labelled record (point and label may change
    together), one without a label by any point without a label.

    Parameters
    ----------
    records : Records.labelled(features=..., labels=...), optional
        The labelled records the claim is about, and by their features the others; those of the dataset when left out.
    size : int or range, optional
        The numbers of entries, labelled or not, that the claim is about.
    labelled : int, optional
        How many of the entries are labelled; any number (the same on both sides) when left out.

    Raises
    ------
    InvalidArgument
        When the records are not made by ``Records.labelled``, have -1 among their labels, or ``labelled`` is no number
        that a dataset of a declared size can have.

    Source: Beimel, Nissim & Stemmer 2015, definition 2.6 (beimel2015:def-2.6).

    Examples
    --------
    >>> relation = ReplaceEntry(Records.labelled(features=[0, 1, 2], labels=[0, 1]), size=3, labelled=1)
    >>> relation.distance_problem(([0, 1, 2], [1, -1, -1]), ([2, 1, 2], [0, -1, -1])) is None
    True
    >>> relation.distance_problem(([0, 1, 2], [1, -1, -1]), ([0, 1, 2], [1, 0, -1]))
    'has 1 and 2 labelled entries; ReplaceEntry wants the same number on both sides'
    """

    records: Records | None
    size: int | range | None
    labelled: int | None
    name: ClassVar[str] = "replace-entry"

    def __init__(self, records: Any = None, size: int | range | None = None, labelled: int | None = None) -> None:
        object.__setattr__(self, "records", _as_entries(as_records(records)))
        object.__setattr__(self, "size", checked_size(size))
        object.__setattr__(self, "labelled", _checked_labelled(labelled, self.size))

    def distance_problem(self, left: Any, right: Any) -> str | None:
        """Why the two are no neighbours, or None."""
        sizes = size_of(left), size_of(right)
        if sizes[0] != sizes[1]:
            return f"has {sizes[0]} and {sizes[1]} entries; ReplaceEntry wants the same number on both sides"
        if public_parts_differ(left, right):
            return "differs in its public part; ReplaceEntry changes the private one only"
        counts = []
        for dataset in (left, right):
            has_label = labelled_entries(dataset)
            if has_label is None:
                return "has no labels; ReplaceEntry wants (X, y), Labelled(x, y) or a list of (x, label) on both sides"
            counts.append(int(has_label.sum()))
            if not has_label[: counts[-1]].all():
                return f"has an entry without a label (row {int(has_label.argmin())}) before a labelled one"
        if counts[0] != counts[1]:
            return f"has {counts[0]} and {counts[1]} labelled entries; ReplaceEntry wants the same number on both sides"
        if self.labelled is not None and counts[0] != self.labelled:
            return f"has {counts[0]} labelled entries; the declared number is {self.labelled}"
        rows = len(differing_rows(left, right))
        return None if rows <= 1 else f"differs in {rows} entries; ReplaceEntry allows 1"

    def pairs_from(self, dataset: Any, rng: np.random.Generator, limit: int = DEFAULT_LIMIT) -> PairsMade:
        """The dataset with one entry replaced: labelled ones by labelled records, the others by points.

        Raises
        ------
        InvalidArgument
            When the dataset is empty, of another size than declared, with other entries labelled than declared, or not
            inside the declared records.
        """
        checked_size_of(self.size, dataset)
        trouble = self.distance_problem(dataset, dataset)
        if trouble:
            raise InvalidArgument(f"dataset {trouble}")
        records = self.records if self.records is not None else _as_entries(Records.labelled())
        return pairs_of_dataset.replaced(dataset, records, rng, checked_limit(limit), may_replace=_of_the_same_kind)


def labelled_entries(dataset: Any) -> np.ndarray[Any, np.dtype[np.bool_]] | None:
    """Which entries have a label, shape (n,); None where the records are no pairs (x, label).

    >>> labelled_entries([(5, 1), (7, -1)]).tolist()
    [True, False]
    """
    records = private_part(dataset)
    if is_labelled(records):
        labels = features_and_labels(records)[1]
    elif isinstance(records, list | tuple) and all(isinstance(each, tuple) and len(each) == 2 for each in records):
        labels = [label for _, label in records]
    else:
        return None
    return np.fromiter((not is_unlabelled(label) for label in labels), dtype=np.bool_, count=len(labels))


def is_unlabelled(label: Any) -> bool:
    """Whether a label says that there is none.

    >>> is_unlabelled(-1), is_unlabelled(np.float64(-1)), is_unlabelled("no")
    (True, True, False)
    """
    return is_number(label) and bool(label == UNLABELLED)


def opposite_order(dataset: Any, relation: Any) -> list[int]:
    """The rows from the last to the first; under :class:`ReplaceEntry` the labelled ones first, each kind for itself.

    Where the first and the last record are the same, it begins further in, with another one than the dataset does.

    >>> opposite_order([(5, 1), (7, 0), (6, -1)], ReplaceEntry())
    [1, 0, 2]
    >>> opposite_order([1, 0, 0, 1], None)
    [1, 0, 3, 2]
    """
    rows = list(reversed(range(size_of(dataset))))
    has_label = labelled_entries(dataset) if isinstance(relation, ReplaceEntry) else None
    if has_label is None and rows:
        begins = [record_at(dataset, row) for row in rows[:MOST_LOOKED_AT]]
        first, last = record_at(dataset, 0), record_at(dataset, len(rows) - 1)
        places = [place for place, record in enumerate(begins) if not same_record(record, first)]
        # of a rotation that begins at a place, the record before it is the last
        both = [place for place in places if not same_record(begins[place - 1], last)]
        start = (both or places or [0])[0]
        return rows[start:] + rows[:start]
    if has_label is None:
        return rows
    return [row for row in rows if has_label[row]] + [row for row in rows if not has_label[row]]


def _of_the_same_kind(old: Any, new: Any) -> bool:
    return is_unlabelled(old[1]) == is_unlabelled(new[1])


def _as_entries(records: Records | None) -> Records | None:
    """The labelled records declared, and their points without a label."""
    if records is None:
        return None
    domain = records.domain
    if not isinstance(domain, LabelledDomain):
        raise InvalidArgument(
            "records of ReplaceEntry must be Records.labelled(features=..., labels=[...]), got "
            f"{describe_value(records) if domain is None else domain}"
        )
    if domain.labels is not None and domain.labels.problem(UNLABELLED) is None:
        raise InvalidArgument(
            f"labels of ReplaceEntry's records must leave out {UNLABELLED}, the label of an entry that has none, got "
            f"{domain.labels}"
        )
    return Records(replace(domain, missing=UNLABELLED))


def _checked_labelled(labelled: Any, size: int | range | None) -> int | None:
    if labelled is None:
        return None
    if not isinstance(labelled, int) or isinstance(labelled, bool) or labelled < 0:
        raise InvalidArgument(f"labelled must be a number of entries, at least 0, got {labelled!r}")
    least = size if isinstance(size, int) else min(size[0], size[-1]) if size is not None else labelled
    if labelled > least:
        raise InvalidArgument(f"labelled must be at most the size ({least}), got {labelled}")
    return labelled
