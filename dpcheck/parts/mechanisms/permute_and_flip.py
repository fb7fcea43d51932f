"""Permute-and-flip: candidates in random order, each taken with a probability that falls with its gap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.polynomial import polynomial
from numpy.random import Generator
from numpy.typing import NDArray

from dpcheck.parts.mechanisms.exponential import scores_of
from dpcheck.parts.mechanisms.parameters import at_least_zero, positive
from dpcheck.parts.mechanisms.profile import FiniteProfile
from dpcheck.parts.mechanisms.queries import Query, total


@dataclass(frozen=True)
class PermuteAndFlip:
    """Candidates in random order; each is taken with probability ``exp(epsilon (score - best) / 2s)``.

    It is epsilon-DP, never worse than the exponential mechanism, and has the law of report-noisy-max with
    exponential noise of scale 2s / epsilon.

    Parameters
    ----------
    epsilon : float, nats, at least 0
    sensitivity : float, above 0: s, by how much a neighbour may move a score
    permute : bool, whether the order is random; a fixed order tells whether an early candidate is the best
    scores : callable, dataset -> vector of shape (k,); the columns' sums by default

    Raises
    ------
    InvalidArgument
        When a parameter is outside its range.

    Source: McKenna & Sheldon 2020, arXiv:2010.12603, algorithm 1.

    Examples
    --------
    >>> round(PermuteAndFlip(2.0).distribution([[1, 0]])[0], 6)  # 1 - exp(-1) / 2
    0.81606
    """

    epsilon: float
    sensitivity: float = 1.0
    permute: bool = True
    scores: Query = total

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", at_least_zero("epsilon", self.epsilon))
        object.__setattr__(self, "sensitivity", positive("sensitivity", self.sensitivity))

    def __call__(self, dataset: Any, rng: Generator) -> int:
        """One chosen candidate's index."""
        return int(self.sample(dataset, 1, rng)[0])

    def sample(self, dataset: Any, size: int, rng: Generator) -> NDArray[np.int64]:
        """``size`` independent choices, integers of shape (size,)."""
        chances = self._chances(dataset)
        taken = rng.random((size, chances.size)) < chances
        # A random order is the order of independent uniform times; the best is always taken.
        times = rng.random((size, chances.size)) if self.permute else np.arange(chances.size)[None, :]
        return np.asarray(np.where(taken, times, np.inf).argmin(axis=1), dtype=np.int64)

    def distribution(self, dataset: Any) -> dict[int, float]:
        """The exact law of the chosen index: a polynomial in the time, integrated over [0, 1]."""
        chances = self._chances(dataset)
        law = {}
        for i, chance in enumerate(chances):
            if self.permute:
                missed = [np.array([1.0, -other]) for other in np.delete(chances, i)]
                before = polynomial.polyint(_product(missed))
                law[i] = float(chance * polynomial.polyval(1.0, before))
            else:
                law[i] = float(chance * np.prod(1 - chances[:i]))
        return law

    def profile(self, left: Any, right: Any) -> FiniteProfile:
        """The exact profile of the laws on two datasets."""
        return FiniteProfile.of(self.distribution(left), self.distribution(right))

    def _chances(self, dataset: Any) -> NDArray[np.float64]:
        scores = scores_of(self.scores, dataset)
        chances: NDArray[np.float64] = np.exp(self.epsilon / (2 * self.sensitivity) * (scores - scores.max()))
        return chances


def _product(factors: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    whole = np.ones(1)
    for factor in factors:
        whole = np.convolve(whole, factor)
    return whole
