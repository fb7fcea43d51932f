"""Group privacy: what a learner promises to k people at once, who are k steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcheck.model.claims import Claim
from dpcheck.model.data import size_of, take_records
from dpcheck.model.neighbours import Relation
from dpcheck.parts.mechanisms.inner import (
    before_copying,
    checked_learner,
    claim_of,
    drawn,
    is_order_blind,
    law_method,
    relation_of,
)
from dpcheck.parts.mechanisms.parameters import count


@dataclass(frozen=True)
class Replicated:
    """A learner that is given k copies of each record, next to each other: one step of its data is k of its own.

    Its claim is the learner's at distance k (``claim.at_distance``), for any relation: the way to have that claim
    audited. For a score that is a sum over records the exponential mechanism attains it.

    Parameters
    ----------
    learner : learner
    copies : int, at least 1: k

    Raises
    ------
    InvalidArgument
        When an argument is none of these.

    Source: Dwork & Roth 2014, doi:10.1561/0400000042, theorem 2.2; delta adds up to
    ``delta (1 + e^epsilon + ... + e^((k-1) epsilon))``.

    Examples
    --------
    >>> from dpcheck.model.claims import PureDP
    >>> from dpcheck.parts.mechanisms.randomised_response import RandomisedResponse
    >>> class Response(RandomisedResponse):
    ...     claim = PureDP(ratio=3)
    >>> Replicated(Response(1.0), copies=2).claim
    PureDP(ratio=Fraction(9, 1))
    """

    learner: Any
    copies: int

    def __post_init__(self) -> None:
        checked_learner(self.learner)
        count("copies", self.copies)

    @property
    def claim(self) -> Claim:
        """The learner's at distance ``copies``."""
        _ = self.neighbours  # where no dataset is of a size that is promised anything, nothing is
        return claim_of(self.learner).at_distance(self.copies)

    @property
    def neighbours(self) -> Relation:
        """The learner's relation; its sizes, where declared, are those of the data before it is copied."""
        return before_copying(relation_of(self.learner), self.copies)

    @property
    def order_blind(self) -> bool:
        """Whether the order of the records is of no matter."""
        return is_order_blind(self.learner)

    def copied(self, dataset: Any) -> Any:
        """The dataset that the learner is given."""
        return take_records(dataset, np.repeat(np.arange(size_of(dataset)), self.copies))

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One output."""
        return self.learner(self.copied(dataset), rng)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        """``size`` independent outputs."""
        return drawn(self.learner, self.copied(dataset), size, rng)

    @property
    def distribution(self) -> Callable[[Any], Any]:
        """``distribution(dataset)``, where the learner declares its law."""
        law = law_method(self.learner)
        return lambda dataset: law(self.copied(dataset))


def group(learner: Any, k: int) -> Replicated:
    """A learner as a group of k sees it, with the claim that it makes to them.

    Examples
    --------
    >>> from dpcheck.parts.mechanisms.randomised_response import RandomisedResponse
    >>> group(RandomisedResponse(1.0), 3).copies
    3
    """
    return Replicated(learner, k)
