"""A learner on a random part of the records: subsampling without replacement."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from math import comb, floor, isfinite, perm
from numbers import Rational
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import Claim
from dpcheck.model.data import size_of, take_records
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import Relation
from dpcheck.parts.mechanisms.amplification import diluted_claim, subsampled_claim
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
class Subsampled:
    """A learner that is given a uniformly random part of the records, drawn without replacement.

    With k of n records drawn, gamma = k/n, an epsilon-DP learner becomes ``log(1 + gamma (e^epsilon - 1))``-DP, and
    (epsilon, delta) that with ``gamma delta``. The gain wants two things. A record that is not drawn can be exchanged
    for any other, so the relation must replace whole records: where only labels may change epsilon stays, for the
    features tell the samples apart. And an exchanged record must come to stand in the same place: the sample is in
    random order, or the learner does not look at the order; else too epsilon stays. ``claim_for`` knows. A learner
    whose relation adds and removes records is used at distance 2, for the sample's size is fixed.

    ``claim`` is there when ``records`` or ``fraction`` is given (a fraction is rounded down, so that it bounds gamma
    for every n), ``distribution`` when the learner declares its law; it enumerates at most 4096 samples.

    Parameters
    ----------
    learner : learner
    size : int, at least 1
        How many records are drawn; this or ``fraction``.
    fraction : Fraction or float (read as the shortest decimal that gives it), above 0 and at most 1
        Which part of the records is drawn, rounded down to a whole number, which must not be 0.
    order : "random" or "sorted"
        In which order the learner sees its sample: a random one, or that of the dataset.
    records : int, optional
        n, the number of records of the datasets that the claim is about.

    Raises
    ------
    InvalidArgument
        When an argument is none of these, or more records are to be drawn than there are.

    Source: wang2016:alg-sub, lem-34 and lem-31; beimel2015:clm-4.3; Balle, Barthe & Gaboardi 2018, arXiv:1807.01647,
    theorem 9 (the constants used here, which are attained).

    Examples
    --------
    >>> from dpcheck.model.claims import PureDP
    >>> from dpcheck.parts.mechanisms.randomised_response import RandomisedResponse
    >>> class Response(RandomisedResponse):
    ...     claim = PureDP(1.0)
    >>> learner = Subsampled(Response(1.0), size=1, records=4)
    >>> learner.claim
    PureDP(epsilon=0.35737401950878855)
    >>> learner([0, 1, 1, 0], np.random.default_rng()) in (0, 1)
    True
    """

    learner: Any
    size: int | None = None
    fraction: Fraction | float | None = None
    order: Literal["random", "sorted"] = "random"
    records: int | None = None

    def __post_init__(self) -> None:
        checked_learner(self.learner)
        if (self.size is None) == (self.fraction is None):
            raise InvalidArgument(
                f"size or fraction must be given, and not both, got size={self.size!r} and fraction={self.fraction!r}"
            )
        if self.size is not None:
            count("size", self.size)
        if self.fraction is not None:
            given = self.fraction
            number = isinstance(given, float | Rational) and not isinstance(given, bool)
            if not number or not isfinite(given) or not 0 < given <= 1:
                raise InvalidArgument(f"fraction must be a number above 0 and at most 1, got {given!r}")
        if self.order not in ("random", "sorted"):
            raise InvalidArgument(f"order must be 'random' or 'sorted', got {self.order!r}")
        if self.records is not None:
            self.drawn_of(count("records", self.records))

    def drawn_of(self, records: int) -> int:
        """k, how many of so many records are drawn.

        Raises
        ------
        InvalidArgument
            When that is none, or more than there are.
        """
        if self.size is not None:
            if self.size > records:
                raise InvalidArgument(f"size must be at most the number of records, {records}, got {self.size}")
            return self.size
        found = floor(self.rate_at_most * records)
        if found < 1:
            raise InvalidArgument(
                f"fraction of {records} records must be at least 1 record, got {float(self.rate_at_most):g} of them"
            )
        return found

    @property
    def rate_at_most(self) -> Fraction:
        """The fraction that is drawn before it is rounded down to records; 1 where a size is given."""
        if self.fraction is None:
            return Fraction(1)
        # 0.3 of 10 records are 3, although the double is a little less
        return Fraction(self.fraction if isinstance(self.fraction, Rational) else repr(float(self.fraction)))

    def claim_for(self, records: int) -> Claim:
        """The claim for datasets of so many records.

        Raises
        ------
        AttributeError
            When the learner promises nothing, or nothing for as many records as are drawn.
        """
        drawn_records = self.drawn_of(records)
        return self._claim_at(Fraction(drawn_records, records), drawn_records)

    def _claim_at(self, rate: Fraction, drawn_records: int | None) -> Claim:
        whole = claim_among(self.learner, drawn_records)
        return subsampled_claim(whole, rate) if self.amplifies else diluted_claim(whole, rate)

    @property
    def amplifies(self) -> bool:
        """Whether epsilon gains: an exchanged record comes to stand in the same place, and any may be exchanged."""
        return (self.order == "random" or is_order_blind(self.learner)) and replaces_whole_records(self.learner)

    @property
    def claim(self) -> Claim:
        """That for datasets of ``records`` records; with a fraction and no ``records``, for all sizes."""
        if self.records is not None:
            return self.claim_for(self.records)
        if self.fraction is not None:
            return self._claim_at(self.rate_at_most, None)
        raise AttributeError("the claim of a sample of given size is about datasets of given size: give records=")

    @property
    def neighbours(self) -> Relation:
        """The learner's relation, for datasets of ``records`` records."""
        return replacing(self.learner, self.records)[0]

    @property
    def order_blind(self) -> bool:
        """Whether the order of the records is of no matter."""
        return self.order == "random" or is_order_blind(self.learner)

    def rows(self, records: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """The rows of one sample, in the order in which the learner sees them."""
        rows = rng.choice(records, self.drawn_of(records), replace=False, shuffle=self.order == "random")
        return rows if self.order == "random" else np.sort(rows)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One output."""
        return self.learner(take_records(dataset, self.rows(size_of(dataset), rng)), rng)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        """``size`` independent outputs: runs whose sample is the same are drawn together."""
        records = size_of(dataset)
        if self._samples(records) > MOST_SAMPLES:
            each = (take_records(dataset, self.rows(records, rng)) for _ in range(size))
            return joined([drawn(self.learner, taken, 1, rng) for taken in each])
        kinds, group = self._kinds(dataset)
        return grouped_draws(
            group[rng.integers(len(group), size=size)],
            lambda kind, times: drawn(self.learner, take_records(dataset, kinds[kind]), times, rng),
        )

    def _ordered(self) -> bool:
        """Whether samples of other orders are other samples."""
        return self.order == "random" and not is_order_blind(self.learner)

    def _samples(self, records: int) -> int:
        size = self.drawn_of(records)
        return perm(records, size) if self._ordered() else comb(records, size)

    def _kinds(self, dataset: Any) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The different samples, by rows, shape (m, k), and for each equally likely one which of them it is."""
        records = size_of(dataset)
        every = (permutations if self._ordered() else combinations)(range(records), self.drawn_of(records))
        samples = first_alike(dataset)[np.array(list(every), dtype=np.intp)]
        if is_order_blind(self.learner):
            samples = np.sort(samples, axis=1)
        kinds, group = np.unique(samples, axis=0, return_inverse=True)
        return kinds, group.reshape(-1).astype(np.intp)

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the exact law, a mixture over all samples, of which there are at most 4096."""
        law_method(self.learner)
        if self.records is not None and self._samples(self.records) > MOST_SAMPLES:
            raise AttributeError(f"a law over more than {MOST_SAMPLES} samples is not declared")
        return self._distribution

    def _distribution(self, dataset: Any) -> Law:
        number = self._samples(size_of(dataset))
        if number > MOST_SAMPLES:
            raise InvalidArgument(f"dataset must have at most {MOST_SAMPLES} samples for a law, got {number:,} of them")
        kinds, group = self._kinds(dataset)
        law = law_method(self.learner)
        weights = [Fraction(times, number) for times in np.bincount(group).tolist()]
        return mixture(weights, (law(take_records(dataset, rows)) for rows in kinds))
