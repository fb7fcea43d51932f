"""A learner on records drawn with replacement: i.i.d. resampling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import Claim
from dpcheck.model.data import size_of, take_records
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import Relation
from dpcheck.parts.mechanisms.amplification import repeated_claim, resampled_claim
from dpcheck.parts.mechanisms.inner import (
    checked_learner,
    claim_among,
    drawn,
    first_alike,
    grouped_draws,
    is_order_blind,
    joined,
    law_method,
    replaces_whole_records,
    replacing,
)
from dpcheck.parts.mechanisms.mixtures import mixture
from dpcheck.parts.mechanisms.parameters import count

#: Samples that are enumerated; a law of more terms is not declared, and draws of more go one by one.
MOST_SAMPLES = 4096


@dataclass(frozen=True)
class Resampled:
    """A learner that is given records drawn independently and uniformly, with replacement.

    The differing record is drawn K times, ``K ~ Bin(size, 1/n)``, and K copies are K steps of the learner's relation:
    see :func:`~dpcheck.parts.mechanisms.amplification.resampled_claim` for the bound this gives, which is computed from
    the binomial probabilities. Where only labels may change, other samples are no cover (their features tell them
    apart), and it is :func:`~dpcheck.parts.mechanisms.amplification.repeated_claim`: no better than all copies for pure
    claims.

    Parameters
    ----------
    learner : learner
    size : int, at least 1
        How many records are drawn.
    records : int, optional
        n, the number of records of the datasets that the claim is about.

    Raises
    ------
    InvalidArgument
        When an argument is none of these, or the dataset is empty.

    Source: beimel2015:alg-iid, clm-4.5, which prints ``(log 244, 2467 delta)`` for epsilon at most 1 and size n. The
    bound computed here is far smaller: ``(e - 1, 2.67 delta)`` there.

    Examples
    --------
    >>> from dpcheck.model.claims import PureDP
    >>> from dpcheck.parts.mechanisms.randomised_response import RandomisedResponse
    >>> class Response(RandomisedResponse):
    ...     claim = PureDP(1.0)
    >>> Resampled(Response(1.0), size=10, records=1000).claim
    PureDP(epsilon=0.017168072711330983)
    >>> Resampled(Response(1.0), size=3)([0, 1, 1, 0], np.random.default_rng()) in (0, 1)
    True
    """

    learner: Any
    size: int
    records: int | None = None

    def __post_init__(self) -> None:
        checked_learner(self.learner)
        count("size", self.size)
        if self.records is not None:
            count("records", self.records)

    def claim_for(self, records: int) -> Claim:
        """The claim for datasets of so many records.

        Raises
        ------
        AttributeError
            When the learner promises nothing, or nothing for ``size`` records.
        """
        bound = resampled_claim if replaces_whole_records(self.learner) else repeated_claim
        return bound(claim_among(self.learner, self.size), records, self.size)

    @property
    def claim(self) -> Claim:
        """That for datasets of ``records`` records."""
        if self.records is None:
            raise AttributeError("the claim of resampling is about datasets of given size: give records=")
        return self.claim_for(self.records)

    @property
    def neighbours(self) -> Relation:
        """The learner's relation, for datasets of ``records`` records."""
        return replacing(self.learner, self.records)[0]

    @property
    def order_blind(self) -> bool:
        """The order of the records is of no matter: they are drawn alike."""
        return True

    def rows(self, records: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """The rows of one sample, in the order in which the learner sees them."""
        if records < 1:
            raise InvalidArgument("dataset must have a record to be drawn from, got none")
        return rng.integers(records, size=self.size)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One output."""
        return self.learner(take_records(dataset, self.rows(size_of(dataset), rng)), rng)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        """``size`` independent outputs: runs whose sample is the same are drawn together."""
        records = size_of(dataset)
        if records and self._samples(records) <= MOST_SAMPLES:
            rows = first_alike(dataset)[rng.integers(records, size=(size, self.size))]
            if is_order_blind(self.learner):
                rows = np.sort(rows, axis=1)
            kinds, group = np.unique(rows, axis=0, return_inverse=True)
            return grouped_draws(
                group.reshape(-1),
                lambda kind, times: drawn(self.learner, take_records(dataset, kinds[kind]), times, rng),
            )
        each = (take_records(dataset, self.rows(records, rng)) for _ in range(size))
        return joined([drawn(self.learner, taken, 1, rng) for taken in each])

    def _samples(self, records: int) -> int:
        if is_order_blind(self.learner):
            return comb(records + self.size - 1, self.size)
        return int(records**self.size)

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the exact law, a mixture over all samples, of which there are at most 4096."""
        law_method(self.learner)
        if self.records is not None and self._samples(self.records) > MOST_SAMPLES:
            raise AttributeError(f"a law over more than {MOST_SAMPLES} samples is not declared")
        return self._distribution

    def _distribution(self, dataset: Any) -> Law:
        records = size_of(dataset)
        if not records or self._samples(records) > MOST_SAMPLES:
            raise InvalidArgument(f"dataset must have 1 to {MOST_SAMPLES} samples for a law, got {records} records")
        alike, total = first_alike(dataset), records**self.size
        chances: dict[tuple[int, ...], int] = {}
        if is_order_blind(self.learner):
            for rows in combinations_with_replacement(range(records), self.size):
                ways = factorial(self.size)
                for times in np.bincount(rows).tolist():
                    ways //= factorial(times)
                kind = tuple(sorted(alike[list(rows)].tolist()))
                chances[kind] = chances.get(kind, 0) + ways
        else:
            for rows in product(range(records), repeat=self.size):
                kind = tuple(alike[list(rows)].tolist())
                chances[kind] = chances.get(kind, 0) + 1
        law = law_method(self.learner)
        weights = [Fraction(ways, total) for ways in chances.values()]
        return mixture(weights, (law(take_records(dataset, kind)) for kind in chances))
