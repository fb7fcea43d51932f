"""Parallel composition: learners on disjoint parts of the records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import perm
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import Claim
from dpcheck.model.data import size_of, take_records
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import Relation
from dpcheck.parts.mechanisms.amplification import worst_claim
from dpcheck.parts.mechanisms.inner import (
    checked_learner,
    claim_among,
    drawn,
    first_alike,
    is_order_blind,
    law_method,
    replacing,
)
from dpcheck.parts.mechanisms.mixtures import mixture, product_law
from dpcheck.parts.mechanisms.parameters import count

#: Splits that are enumerated; a law of more terms is not declared.
MOST_SPLITS = 4096


@dataclass(frozen=True)
class Partitioned:
    """Learners on disjoint parts of the records, as even as can be; the output is the tuple of theirs.

    A record is in one part only, and where it is does not depend on its value: the claim is the worst of the
    learners', the largest epsilon and the largest delta. Sizes of the parts depend on the number of records, so the
    relation keeps that; a learner whose relation adds and removes records is used at distance 2.

    Parameters
    ----------
    learners : a learner, or a sequence of learners, one for each part
    parts : int, at least 1, optional
        How many parts; for one learner, which is run on each of them.
    split : "random" or "in order"
        Whether a uniformly random order of the records or that of the dataset is cut into parts. Earlier parts have a
        record more where they cannot be equal.
    records : int, optional
        The number of records of the datasets that the claim is about; not needed for it to hold.

    Raises
    ------
    InvalidArgument
        When an argument is none of these.

    Source: McSherry 2009, doi:10.1145/1559845.1559850, theorem 4; wang2016:alg-boost, steps 2 and 3.

    Examples
    --------
    >>> from dpcheck.model.claims import PureDP
    >>> from dpcheck.parts.mechanisms.randomised_response import RandomisedResponse
    >>> class Response(RandomisedResponse):
    ...     claim = PureDP(1.0)
    >>> learner = Partitioned(Response(1.0), parts=2)
    >>> learner.claim, len(learner([0, 1, 1, 0], np.random.default_rng()))
    (PureDP(epsilon=1.0), 2)
    """

    learners: Any
    parts: int | None = None
    split: Literal["random", "in order"] = "random"
    records: int | None = None

    def __post_init__(self) -> None:
        several = isinstance(self.learners, list | tuple)
        if several == (self.parts is not None) or (several and not self.learners):
            raise InvalidArgument(
                "learners must be one learner, with parts=, or a sequence of at least one without, got "
                f"{self.learners!r} and parts={self.parts!r}"
            )
        if several:
            object.__setattr__(self, "learners", tuple(self.learners))
        else:
            count("parts", self.parts)
        for learner in self.each:
            checked_learner(learner)
        if self.split not in ("random", "in order"):
            raise InvalidArgument(f"split must be 'random' or 'in order', got {self.split!r}")
        if self.records is not None:
            count("records", self.records, least=0)

    @property
    def each(self) -> tuple[Any, ...]:
        """The learner of each part."""
        return self.learners if self.parts is None else (self.learners,) * self.parts

    @property
    def claim(self) -> Claim:
        """The worst of the learners'; of learners whose relations declare sizes it wants ``records``."""
        _ = self.neighbours  # what is promised for different relations is promised for none
        if self.records is None:
            return worst_claim([claim_among(learner, None) for learner in self.each])
        sizes = map(len, self.cut(range(self.records)))
        return worst_claim([claim_among(learner, size) for learner, size in zip(self.each, sizes, strict=True)])

    @property
    def neighbours(self) -> Relation:
        """The learners' common relation."""
        relations = [replacing(learner, self.records)[0] for learner in self.each]
        if any((each.name, each.records) != (relations[0].name, relations[0].records) for each in relations):
            raise AttributeError(f"the learners have different relations: {relations}")
        return relations[0]

    @property
    def order_blind(self) -> bool:
        """Whether the order of the records is of no matter: a random one is."""
        return self.split == "random"

    def order(self, records: int, rng: np.random.Generator) -> NDArray[np.intp]:
        """The rows in the order in which they are cut."""
        return rng.permutation(records) if self.split == "random" else np.arange(records)

    def cut(self, rows: Any) -> list[NDArray[np.intp]]:
        """The rows of each part: disjoint, together all of them, their sizes at most 1 apart."""
        return np.array_split(np.asarray(rows, dtype=np.intp), len(self.each))

    def __call__(self, dataset: Any, rng: np.random.Generator) -> tuple[Any, ...]:
        """One output of each learner."""
        rows = self.cut(self.order(size_of(dataset), rng))
        return tuple(learner(take_records(dataset, part), rng) for learner, part in zip(self.each, rows, strict=True))

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> list[tuple[Any, ...]]:
        """``size`` independent outputs; with the records in order each learner draws all of its own at once."""
        if self.split == "random":
            return [tuple(map(_plain, self(dataset, rng))) for _ in range(size)]
        parts = zip(self.each, self.cut(self.order(size_of(dataset), rng)), strict=True)
        columns = [drawn(learner, take_records(dataset, part), size, rng) for learner, part in parts]
        return list(zip(*(c.tolist() if isinstance(c, np.ndarray) else c for c in columns), strict=True))

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the exact law; with random parts a mixture of at most 4096 splits."""
        for learner in self.each:
            law_method(learner)
        if self.split == "random" and self.records is not None and perm(self.records) > MOST_SPLITS:
            raise AttributeError(f"a law over {perm(self.records):,} splits is not declared")
        return self._distribution

    def _distribution(self, dataset: Any) -> Law:
        records = size_of(dataset)
        if self.split == "in order":
            return self._law(dataset, range(records))
        if perm(records) > MOST_SPLITS:
            raise InvalidArgument(f"dataset must have at most {MOST_SPLITS} splits for a law, got {records} records")
        alike = first_alike(dataset)
        splits: dict[tuple[int, ...], int] = {}
        for rows in permutations(range(records)):
            parts = [alike[part] for part in self.cut(rows)]
            kinds = [np.sort(p) if is_order_blind(one) else p for one, p in zip(self.each, parts, strict=True)]
            split = tuple(int(row) for part in kinds for row in part)
            splits[split] = splits.get(split, 0) + 1
        weights = [Fraction(times, perm(records)) for times in splits.values()]
        return mixture(weights, (self._law(dataset, rows) for rows in splits))

    def _law(self, dataset: Any, rows: Any) -> Law:
        parts = zip(self.each, self.cut(rows), strict=True)
        return product_law([law_method(learner)(take_records(dataset, part)) for learner, part in parts])


def _plain(output: Any) -> Any:
    """An output as a bulk draw holds it."""
    return output.tolist() if isinstance(output, np.ndarray | np.generic) else output
