"""The subsampling reduction: a learner on a random part of the data, more private and never far from minimising."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any, Literal

import numpy as np

from dpcheck.model.claims import ApproxDP, Claim, PureDP, exact_point
from dpcheck.model.data import size_of
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import Relation
from dpcheck.parts.mechanisms.amplification import ball, rounded_up
from dpcheck.parts.mechanisms.inner import claim_among, law_method
from dpcheck.parts.mechanisms.parameters import count
from dpcheck.parts.mechanisms.subsampling import Subsampled


@dataclass(frozen=True)
class SubsampledLearner:
    """A learner run on k of the n records, drawn without replacement; by default ``k = floor(sqrt(n))``.

    With gamma = k/n the exact claim, which some learners attain, is ``log(1 + gamma (e^epsilon - 1))`` for an
    epsilon-DP learner, with ``gamma delta`` for an (epsilon, delta)-DP one; a learner that claims nothing becomes
    (0, gamma)-DP. With ``stated="paper"`` the claim is the paper's: ``2 gamma (e^epsilon - e^-epsilon)`` (lem-34), or
    ``log(1 + gamma e^epsilon (e^epsilon - 1))`` and ``gamma e^epsilon delta`` (lem-31); both hold with much to spare.
    They want a sample in random order, or a learner that does not look at the order; with ``order="sorted"`` and one
    that does, epsilon is not improved, nor is that of a learner that is private in the labels only. The claim says so.

    Parameters
    ----------
    learner : learner
        The paper's A, for datasets of k records.
    dataset_size : int, at least 1
        The paper's n.
    sample_size : int, at least 1, optional
        The paper's k, or gamma n.
    order : "random" or "sorted"
        In which order the learner sees its sample; the paper does not say.
    stated : "exact" or "paper"
        Which bound is claimed.

    Raises
    ------
    InvalidArgument
        When an argument is none of these, or more records are to be drawn than there are.

    Source: wang2016:alg-sub, lem-4, lem-10, lem-14, lem-29, lem-31, lem-34.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> from dpcheck.papers.alon2019.learners import GenericLearner
    >>> learner = SubsampledLearner(GenericLearner(GridThresholds(9), 1.0), dataset_size=100)
    >>> learner.drawn, round(learner.claim.epsilon_value, 4)
    (10, 0.1586)
    >>> round(SubsampledLearner(learner.learner, 100, stated="paper").claim.epsilon_value, 4)
    0.4701
    """

    learner: Any
    dataset_size: int
    sample_size: int | None = None
    order: Literal["random", "sorted"] = "random"
    stated: Literal["exact", "paper"] = "exact"

    def __post_init__(self) -> None:
        object.__setattr__(self, "dataset_size", count("dataset_size", self.dataset_size))
        if self.sample_size is not None and count("sample_size", self.sample_size) > self.dataset_size:
            raise InvalidArgument(
                f"sample_size must be at most dataset_size, {self.dataset_size}, got {self.sample_size}"
            )
        if self.stated not in ("exact", "paper"):
            raise InvalidArgument(f"stated must be 'exact' or 'paper', got {self.stated!r}")
        _ = self._subsampled  # which refuses what is left to refuse

    @property
    def drawn(self) -> int:
        """k."""
        return isqrt(self.dataset_size) if self.sample_size is None else self.sample_size

    @property
    def _subsampled(self) -> Subsampled:
        return Subsampled(self.learner, size=self.drawn, order=self.order, records=self.dataset_size)

    def on_sample(self) -> Any:
        """The learner on a random part: a learner with draws and, where it has one, a law."""
        return self._subsampled

    @property
    def claim(self) -> Claim:
        """The exact claim, or the paper's."""
        rate = Fraction(self.drawn, self.dataset_size)
        if getattr(self.learner, "claim", None) is None:
            return ApproxDP(0.0, rate)
        if self.stated == "exact" or not self._subsampled.amplifies:
            return self._subsampled.claim
        return stated_claim(claim_among(self.learner, self.drawn), rate)

    @property
    def neighbours(self) -> Relation:
        """The learner's relation, on datasets of ``dataset_size`` records."""
        return self._subsampled.neighbours

    @property
    def order_blind(self) -> bool:
        """Whether the order of the records is of no matter."""
        return self.order == "random" or getattr(self.learner, "order_blind", False) is True

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One output."""
        return self.on_sample()(self._of_size(dataset), rng)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        """``size`` independent outputs, each of a sample of its own."""
        return self.on_sample().sample(self._of_size(dataset), size, rng)

    @property
    def distribution(self) -> Callable[[Any], Any]:
        """``distribution(dataset)``: the exact law, over at most 4096 samples, where the learner declares its own."""
        law_method(self.learner)
        method: Callable[[Any], Any] = self.on_sample().distribution
        return lambda dataset: method(self._of_size(dataset))

    def _of_size(self, dataset: Any) -> Any:
        """The dataset, of the size that the claim is about: on another the sample is another share of it."""
        records = size_of(dataset)
        if records != self.dataset_size:
            raise InvalidArgument(f"dataset must hold dataset_size = {self.dataset_size} records, got {records}")
        return dataset


def stated_claim(claim: Claim, rate: Fraction) -> PureDP | ApproxDP:
    """What the paper's subsampling lemmas promise, epsilon rounded up to a double.

    Parameters
    ----------
    claim : PureDP or ApproxDP of the learner
    rate : Fraction, the paper's gamma

    Raises
    ------
    InvalidArgument
        When the claim is of another kind.

    Source: wang2016:lem-34 (pure), wang2016:lem-31.

    Examples
    --------
    >>> round(stated_claim(PureDP(1.0), Fraction(1, 10)).epsilon_value, 4)
    0.4701
    """
    if not isinstance(claim, PureDP | ApproxDP):
        raise InvalidArgument(f"claim must be PureDP or ApproxDP for the paper's lemmas, got {claim!r}")
    point = exact_point(claim)

    def ratio() -> Any:
        return ball(point.ratio) if point.ratio is not None else ball(point.epsilon).exp()

    if isinstance(claim, PureDP):
        return PureDP(rounded_up(lambda: 2 * ball(rate) * (ratio() - 1 / ratio())))
    epsilon = rounded_up(lambda: (1 + ball(rate) * ratio() * (ratio() - 1)).log())
    delta = rounded_up(lambda: (ball(rate) * ratio() * ball(point.delta)).min(ball(1))) if point.delta else 0.0
    return ApproxDP(epsilon, delta)
