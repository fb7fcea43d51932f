"""Randomised response: two answers, many answers, and the extremal mechanism that may tell the truth."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms.parameters import at_least_zero, count, probability
from dpcheck.parts.mechanisms.profile import FiniteProfile
from dpcheck.parts.mechanisms.queries import Query, most_frequent


@dataclass(frozen=True)
class RandomisedResponse:
    """Randomised response to a question with ``categories`` answers, revealed with probability ``delta``.

    The true answer is kept with probability ``e^epsilon / (e^epsilon + categories - 1)`` and else replaced by
    one of the others at random: pure epsilon-DP. With ``delta`` above 0 it is revealed with that probability,
    and marked as revealed: with two categories the extremal (epsilon, delta) mechanism, from whose outputs on
    a pair those of any other (epsilon, delta) mechanism can be made.

    Parameters
    ----------
    epsilon : float, nats, at least 0
    delta : float, a probability; 0 by default
    categories : int, at least 2
    query : callable, dataset -> integer in 0 .. categories - 1; the most frequent record by default

    Returns (when called)
    ---------------------
    int
        The reported answer, or ``categories`` + the true answer when it is revealed.

    Raises
    ------
    InvalidArgument
        When a parameter is outside its range, or the question is answered outside the categories.

    Source: Warner 1965, doi:10.2307/2283137; Kairouz, Oh & Viswanath 2015, arXiv:1311.0776 (extremality).

    Examples
    --------
    >>> mechanism = RandomisedResponse(epsilon=1.0, delta=0.01)
    >>> profile = mechanism.profile([1], [0])
    >>> round(profile.epsilon(0.01), 12), profile.epsilon(0.0)
    (1.0, inf)
    """

    epsilon: float
    delta: float = 0.0
    categories: int = 2
    query: Query = most_frequent

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", at_least_zero("epsilon", self.epsilon))
        object.__setattr__(self, "delta", probability("delta", self.delta))
        object.__setattr__(self, "categories", count("categories", self.categories, least=2))

    def __call__(self, dataset: Any, rng: Generator) -> int:
        """One reported answer."""
        return int(self.sample(dataset, 1, rng)[0])

    def sample(self, dataset: Any, size: int, rng: Generator) -> NDArray[np.int64]:
        """``size`` independent reports, integers of shape (size,)."""
        truth = self._answer(dataset)
        revealed = rng.random(size) < self.delta
        kept = rng.random(size) < self._keep
        other = (truth + rng.integers(1, self.categories, size)) % self.categories
        return np.where(revealed, self.categories + truth, np.where(kept, truth, other))

    def distribution(self, dataset: Any) -> dict[int, float]:
        """The exact law of the report."""
        truth, keep = self._answer(dataset), self._keep
        change = (1 - keep) / (self.categories - 1)
        law = {a: (1 - self.delta) * (keep if a == truth else change) for a in range(self.categories)}
        return law | ({self.categories + truth: self.delta} if self.delta > 0 else {})

    def profile(self, left: Any, right: Any) -> FiniteProfile:
        """The exact profile of the laws on two datasets."""
        return FiniteProfile.of(self.distribution(left), self.distribution(right))

    @property
    def _keep(self) -> float:
        return 1 / (1 + (self.categories - 1) * math.exp(-self.epsilon))

    def _answer(self, dataset: Any) -> int:
        answer = int(self.query(dataset))
        if not 0 <= answer < self.categories:
            raise InvalidArgument(f"query must answer with an integer in 0 .. {self.categories - 1}, got {answer}")
        return answer
