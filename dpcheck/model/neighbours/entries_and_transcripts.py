"""The relation of active learners whose questions are seen: one entry of a labelled sample replaced."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpcheck.model.data import is_labelled, private_part, size_of
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import pairs_of_dataset
from dpcheck.model.neighbours.pairs import PairsMade, differing_rows, public_parts_differ
from dpcheck.model.neighbours.records import Records, as_records
from dpcheck.model.neighbours.sizes import DEFAULT_LIMIT, checked_limit, checked_size, checked_size_of


@dataclass(frozen=True)
class EntryAndTranscript:
    """Neighbours are labelled samples of one size that differ in at most one entry; the questions asked are seen too.

    The relation of transcript privacy. An active learner is shown the points, and asks for labels by index; whoever
    answers sees the list of the indices asked for, in order. An audit under this relation is of the joint law of the
    hypothesis and this transcript: the learner must be an active one (``learn(points, oracle, rng)``, see
    :mod:`dpcheck.parts.active`) or say by ``releases_transcript = True`` that its outputs are such pairs. Under
    ``ReplaceOne`` the hypothesis alone is looked at, which is the weaker promise of a private active learner.

    Parameters
    ----------
    records : Records.labelled(features=..., labels=...), optional
        The entries the claim is about; those of the dataset when left out.
    size : int or range, optional
        The numbers of entries the claim is about.

    Source: Beimel, Nissim & Stemmer 2015, definition 5.4 (beimel2015:def-5.4).

    Examples
    --------
    >>> relation = EntryAndTranscript(Records.labelled(features=[0, 1, 2], labels=[0, 1]), size=2)
    >>> relation.distance_problem(([0, 1], [1, 0]), ([2, 1], [0, 0])) is None
    True
    >>> relation.distance_problem(([0, 1], [1, 0]), ([2, 1], [0, 1]))
    'differs in 2 entries; EntryAndTranscript allows 1'
    """

    records: Records | None
    size: int | range | None
    name: ClassVar[str] = "entry-and-transcript"

    def __init__(self, records: Any = None, size: int | range | None = None) -> None:
        object.__setattr__(self, "records", as_records(records))
        object.__setattr__(self, "size", checked_size(size))

    def distance_problem(self, left: Any, right: Any) -> str | None:
        """Why the two are no neighbours, or None."""
        if not (_has_labels(left) and _has_labels(right)):
            return "has no labels; EntryAndTranscript wants (X, y), Labelled(x, y) or a list of (x, label) twice"
        sizes = size_of(left), size_of(right)
        if sizes[0] != sizes[1]:
            return f"has {sizes[0]} and {sizes[1]} entries; EntryAndTranscript wants the same number on both sides"
        if public_parts_differ(left, right):
            return "differs in its public part; EntryAndTranscript changes the private one only"
        rows = len(differing_rows(left, right))
        return None if rows <= 1 else f"differs in {rows} entries; EntryAndTranscript allows 1"

    def pairs_from(self, dataset: Any, rng: np.random.Generator, limit: int = DEFAULT_LIMIT) -> PairsMade:
        """The dataset with one entry replaced: by declared extremes, far rows of its own, other labels.

        Raises
        ------
        InvalidArgument
            When the dataset has no labels, is empty, of another size than declared, or not inside the declared records.
        """
        checked_size_of(self.size, dataset)
        trouble = self.distance_problem(dataset, dataset)
        if trouble:
            raise InvalidArgument(f"dataset {trouble}")
        return pairs_of_dataset.replaced(dataset, self.records, rng, checked_limit(limit))


def _has_labels(dataset: Any) -> bool:
    records = private_part(dataset)
    if is_labelled(records):
        return True
    return isinstance(records, list | tuple) and all(isinstance(each, tuple) and len(each) == 2 for each in records)
