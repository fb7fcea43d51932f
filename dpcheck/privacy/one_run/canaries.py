"""Canaries: records that are put into the data, or not, each by a fair coin of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

import numpy as np
from numpy.random import Generator, SeedSequence, default_rng
from numpy.typing import NDArray

from dpcheck.model.data import SemiPrivate, describe_value, distinct_datasets, is_labelled, size_of, take_records
from dpcheck.model.data.joined import join_records, renumbered
from dpcheck.model.errors import InvalidArgument, nearest
from dpcheck.privacy.one_run.made_records import MAKERS
from dpcheck.privacy.one_run.verdict import check_relation

#: First words of the spawn keys: the coins, the places, and what the records are made from.
_COINS, _PLACES, _RECORDS = range(3)

#: What makes canaries: a name of ``MAKERS``, records themselves, or ``(dataset, count, rng) -> records``.
Maker = str | Callable[[Any, int, Generator], Any] | Any


@dataclass(frozen=True)
class Canaries:
    """A dataset with canaries in it, and which they are; see :func:`dpcheck.canaries`.

    ``dataset`` is what to train on; ``records`` are all canaries, a dataset of the same kind, to be scored;
    ``included`` says which of them are in, array of bool of shape (m,). Neither the training nor the score may know it.
    """

    dataset: Any = field(repr=False)
    records: Any = field(repr=False)
    included: NDArray[np.bool_] = field(repr=False)
    relation: str
    seed: int
    run: int

    @property
    def inclusion(self) -> str:
        """How it was drawn who is in."""
        return f"each by a fair coin of its own, drawn by dpcheck from seed {self.seed}"

    @property
    def different(self) -> int:
        """How many of the canaries differ from each other: what is there twice is in the data even where one is out."""
        return len(distinct_datasets([take_records(self.records, [row]) for row in range(len(self))])[0])

    def __len__(self) -> int:
        return len(self.included)


def canaries(
    dataset: Any,
    count: int,
    make: Maker = "mislabelled",
    *,
    neighbours: str = "add-remove",
    seed: int = 0,
    run: int = 0,
) -> Canaries:
    """Put canaries into a dataset, each by a fair coin of its own.

    Parameters
    ----------
    dataset : dataset
        The other records: an array, list or DataFrame of records, an (X, y) pair, ``Labelled`` or ``SemiPrivate``.
    count : int, at least 2
        How many canaries.
    make : str, dataset of ``count`` records, or callable ``(dataset, count, rng) -> records``
        "mislabelled": records of the dataset, each once, with another of its labels. "extreme": each feature at the
        least or largest value it has, by lot, with labels by lot. Records are of the same kind as the dataset. The
        index of a DataFrame is made anew, from 0.
    neighbours : {"add-remove", "replace-one"}
        What a canary that is out means: that it is not there, or that a record of the dataset, another one for each, is
        still in its place.
    seed, run : int
        Coins are drawn from ``SeedSequence(seed, spawn_key=(0, run))``; records do not depend on ``run``.

    Returns
    -------
    Canaries

    Raises
    ------
    InvalidArgument
        When the records do not fit the dataset, or it has no labels to change.

    Examples
    --------
    >>> planted = canaries((np.zeros((200, 2)), np.arange(200) % 2), 100, seed=1)
    >>> len(planted), planted.included.sum() == len(planted.dataset[1]) - 200
    (100, np.True_)
    """
    if isinstance(count, bool) or not isinstance(count, Integral) or count < 2:
        raise InvalidArgument(f"count must be a number of canaries of at least 2, got {count!r}")
    for name, value in (("seed", seed), ("run", run)):
        if isinstance(value, bool) or not isinstance(value, Integral) or value < 0:
            raise InvalidArgument(f"{name} must be a whole number of at least 0, got {value!r}")
    check_relation(neighbours)
    count, size = int(count), size_of(dataset)
    records = renumbered(_made(dataset, count, make, default_rng(SeedSequence(seed, spawn_key=(_RECORDS,)))))
    if neighbours == "replace-one" and size < count:
        raise InvalidArgument(f"count must be at most {size:,}, the records to be replaced, got {count:,}")
    included = default_rng(SeedSequence(seed, spawn_key=(_COINS, run))).random(count) < 0.5
    places = np.arange(size)
    if neighbours == "add-remove":
        places = np.concatenate([places, size + np.flatnonzero(included)])
    else:
        slots = default_rng(SeedSequence(seed, spawn_key=(_PLACES,))).permutation(size)[:count]
        places[slots[included]] = size + np.flatnonzero(included)
    planted = renumbered(take_records(join_records(dataset, records), places))
    return Canaries(planted, records, included, neighbours, int(seed), int(run))


def _made(dataset: Any, count: int, make: Maker, rng: Generator) -> Any:
    if isinstance(make, str):
        if make not in MAKERS:
            known = ", ".join(MAKERS)
            raise InvalidArgument(
                f"make must be {known}, records, or a function (dataset, count, rng) -> records, got {make!r}"
                f"{nearest(make, MAKERS)}"
            )
        private = dataset.private if isinstance(dataset, SemiPrivate) else dataset
        if not size_of(private):
            raise InvalidArgument(f"dataset must have records for make={make!r}, got none")
        if make == "mislabelled" and not is_labelled(private):
            raise InvalidArgument(
                f"make must be other than 'mislabelled' where the dataset has no labels, got {describe_value(dataset)}"
            )
        return MAKERS[make](private, count, rng)
    records = make(dataset, count, rng) if callable(make) else make
    found = size_of(records)
    if found != count:
        raise InvalidArgument(f"make must give {count:,} records, got {found:,}")
    return records
