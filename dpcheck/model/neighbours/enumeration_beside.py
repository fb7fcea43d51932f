"""All neighbouring pairs of semi-private datasets: those of the private part beside every public part."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import SemiPrivate
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours.enumeration import MOST_DATASETS, MOST_PAIRS, Enumerated, all_datasets, all_pairs
from dpcheck.model.neighbours.pairs import Pair
from dpcheck.model.neighbours.relations import PrivatePart, Relation


@dataclass(frozen=True, eq=False)
class EnumeratedBeside:
    """All pairs of private parts (``private``) beside each of the public parts (``public``)."""

    private: Enumerated
    public: tuple[Any, ...]

    @property
    def size(self) -> int:
        """How many datasets there are."""
        return self.private.size * len(self.public)

    @cached_property
    def pairs(self) -> NDArray[np.int64]:
        """Numbers of datasets, shape (P, 2): public parts slowly, private ones fast."""
        starts = self.private.size * np.arange(len(self.public), dtype=np.int64)
        found: NDArray[np.int64] = (starts[:, None, None] + self.private.pairs[None]).reshape(-1, 2)
        return found

    def dataset(self, number: int) -> SemiPrivate:
        """One dataset."""
        part, private = divmod(number, self.private.size)
        return SemiPrivate(self.private.dataset(private), self.public[part])

    def datasets(self) -> list[Any]:
        """All datasets."""
        private = self.private.datasets()
        return [SemiPrivate(one, part) for part in self.public for one in private]

    def pair(self, place: int) -> Pair:
        """One pair, with what differs in words."""
        part, private = divmod(place, len(self.private.pairs))
        pair = self.private.pair(private)
        public = self.public[part]
        return Pair(SemiPrivate(pair.left, public), SemiPrivate(pair.right, public), pair.change)


def every_pair(relation: Relation, *, order_blind: bool = False) -> Enumerated | EnumeratedBeside:
    """All neighbouring pairs of any relation whose records and sizes are finite.

    Parameters
    ----------
    relation : relation
        As for :func:`dpcheck.model.neighbours.enumeration.all_pairs`, or a :class:`PrivatePart` of such a one: then the
        public parts are all those of its ``public`` records (of the private ones, where it names none) with at most
        as many records as the largest private part, and none.
    order_blind : bool
        Whether the learner takes both parts as multisets.

    Raises
    ------
    InvalidArgument
        When records or sizes are not finite, or there are too many pairs.

    Examples
    --------
    >>> from dpcheck.model.neighbours.relations import PrivatePart
    >>> found = every_pair(PrivatePart(records=[0, 1], size=1, public=[5, 6]))
    >>> found.size, len(found.pairs), found.dataset(5)  # public parts [], [5] and [6]
    (6, 3, SemiPrivate(private=[1], public=[6]))
    """
    if not isinstance(relation, PrivatePart):
        return all_pairs(relation, order_blind=order_blind)
    private = all_pairs(relation.of, order_blind=order_blind)
    most = max((block.shape[1] for block in private.blocks), default=0)
    declared = relation.public if relation.public is not None else relation.records
    public = all_datasets(declared, range(most + 1), order_blind=order_blind, most=MOST_DATASETS)
    datasets, pairs = private.size * len(public), len(private.pairs) * len(public)
    if datasets > MOST_DATASETS or pairs > MOST_PAIRS:
        raise InvalidArgument(
            f"exhaustive can go through {MOST_PAIRS:,} pairs of {MOST_DATASETS:,} datasets at most, got {pairs:,} "
            f"pairs of {datasets:,} datasets, each private part beside {len(public):,} public ones: take fewer "
            "records or smaller sizes"
        )
    return EnumeratedBeside(private, tuple(public))
