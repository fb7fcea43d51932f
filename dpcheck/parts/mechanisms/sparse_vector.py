"""The sparse vector technique: which of a sequence of answers lie above a threshold.

Both noises, the cut-off and the redrawing of the threshold are arguments of their own, so that each published
variant, right or wrong, is one line. Source: Lyu, Su & Li 2017, doi:10.14778/3055330.3055331, alg. 1-6.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms.exponential import scores_of
from dpcheck.parts.mechanisms.parameters import at_least_zero, count, positive, real
from dpcheck.parts.mechanisms.profile import FiniteProfile
from dpcheck.parts.mechanisms.quadrature import (
    laplace_cdf,
    laplace_expectation_rule,
    nodes_and_weights,
    panels,
    running_integral,
)
from dpcheck.parts.mechanisms.queries import Query, total

#: Width, in scales of the smaller noise, of the cells that a released answer is sorted into.
_CELL = 0.02

#: Points per cell: on so short a cell the densities are polynomials to 12 digits.
_POINTS_PER_CELL = 3

#: How far beyond the threshold and the scores the cells reach, in scales of the larger noise.
_REACH = 40.0

#: The most queries whose answers are enumerated: 4,096 outcomes, an integral each, take about a second.
_MOST_ENUMERATED = 12


@dataclass(frozen=True)
class AboveThreshold:
    """The index of the first query whose noisy answer reaches the noisy threshold; their number if none does.

    Pure epsilon-DP for epsilon = s / threshold_scale + 2 s / query_scale, s the sensitivity of the queries.

    Parameters
    ----------
    threshold : float
    threshold_scale, query_scale : float, at least 0
        The scales of the Laplace noise on the threshold and on each answer.
    queries : callable, dataset -> vector of shape (k,); the columns' sums by default

    Raises
    ------
    InvalidArgument
        When a parameter is outside its range.

    Examples
    --------
    >>> law = AboveThreshold(1.0, threshold_scale=2.0, query_scale=4.0).distribution([[1, 1]])
    >>> round(law[0], 12), round(sum(law.values()), 12)
    (0.5, 1.0)
    """

    threshold: float
    threshold_scale: float
    query_scale: float
    queries: Query = total

    def __post_init__(self) -> None:
        object.__setattr__(self, "threshold", real("threshold", self.threshold))
        for name in ("threshold_scale", "query_scale"):
            object.__setattr__(self, name, at_least_zero(name, getattr(self, name)))

    def __call__(self, dataset: Any, rng: Generator) -> int:
        """One index."""
        return int(self.sample(dataset, 1, rng)[0])

    def sample(self, dataset: Any, size: int, rng: Generator) -> NDArray[np.int64]:
        """``size`` independent indices, integers of shape (size,)."""
        answers = scores_of(self.queries, dataset)
        bar = self.threshold + rng.laplace(0.0, self.threshold_scale, (size, 1))
        above = answers + rng.laplace(0.0, self.query_scale, (size, answers.size)) >= bar
        return np.where(above.any(axis=1), above.argmax(axis=1), answers.size)

    def distribution(self, dataset: Any) -> dict[int, float]:
        """The law of the index: one integral over the threshold's noise per index."""
        answers = scores_of(self.queries, dataset)
        weights, below, above = _chances(answers, self.threshold, self.threshold_scale, self.query_scale)
        none_before = np.cumprod(np.column_stack([np.ones(len(weights)), below]), axis=1)
        first = none_before * np.column_stack([above, np.ones(len(weights))])
        return dict(enumerate((weights @ first).tolist()))

    def profile(self, left: Any, right: Any) -> FiniteProfile:
        """The exact profile of the laws on two datasets."""
        return FiniteProfile.of(self.distribution(left), self.distribution(right))


@dataclass(frozen=True)
class AboveThresholdWithItsAnswer:
    """The first query whose noisy answer reaches the noisy threshold, *and that noisy answer*: not private.

    The answer is above the threshold, and so says how high the threshold at most was.

    Parameters
    ----------
    threshold : float
    threshold_scale, query_scale : float, above 0
        The scales of the Laplace noise on the threshold and on each answer.
    queries : callable, dataset -> vector of shape (k,); the columns' sums by default

    Returns (when called)
    ---------------------
    array of shape (2,)
        The index and the noisy answer; the number of queries and 0 where none reaches the threshold.

    Raises
    ------
    InvalidArgument
        When a parameter is outside its range.

    Source: Lyu, Su & Li 2017, doi:10.14778/3055330.3055331, algorithm 3.

    Examples
    --------
    >>> mechanism = AboveThresholdWithItsAnswer(1.0, threshold_scale=2.0, query_scale=2.0)
    >>> round(mechanism.profile([[0] * 10], [[1] * 9 + [0]]).epsilon(0.0), 6)
    4.5
    """

    threshold: float
    threshold_scale: float
    query_scale: float
    queries: Query = total

    def __post_init__(self) -> None:
        object.__setattr__(self, "threshold", real("threshold", self.threshold))
        for name in ("threshold_scale", "query_scale"):
            object.__setattr__(self, name, positive(name, getattr(self, name)))

    def __call__(self, dataset: Any, rng: Generator) -> NDArray[np.float64]:
        """One index with its answer."""
        answer: NDArray[np.float64] = self.sample(dataset, 1, rng)[0]
        return answer

    def sample(self, dataset: Any, size: int, rng: Generator) -> NDArray[np.float64]:
        """``size`` independent indices with their answers, shape (size, 2)."""
        answers = scores_of(self.queries, dataset)
        bar = self.threshold + rng.laplace(0.0, self.threshold_scale, (size, 1))
        noisy = answers + rng.laplace(0.0, self.query_scale, (size, answers.size))
        above = noisy >= bar
        found, first = above.any(axis=1), above.argmax(axis=1)
        released = np.where(found, noisy[np.arange(size), first], 0.0)
        return np.column_stack([np.where(found, first, answers.size), released])

    def profile(self, left: Any, right: Any) -> FiniteProfile:
        """The profile of the laws on two datasets, of the index and the answer sorted into fine cells.

        Sorting can only lose, so this is a lower bound. It is exact at delta 0 where the largest loss is that
        of all answers below (or above) the threshold and the scores by enough: there the loss is constant.
        """
        first, second = scores_of(self.queries, left), scores_of(self.queries, right)
        shortest = min(self.threshold_scale, self.query_scale)
        reach = _REACH * max(self.threshold_scale, self.query_scale)
        edges = panels([self.threshold, *first, *second], _CELL * shortest, reach)
        return FiniteProfile(self._cells(first, edges), self._cells(second, edges))

    def _cells(self, answers: NDArray[np.float64], edges: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of the k + 1 indices and the cells between the edges, flattened."""
        nodes, weights = nodes_and_weights(edges, _POINTS_PER_CELL)
        below = np.exp(-np.abs(nodes - self.threshold) / self.threshold_scale) / (2 * self.threshold_scale)
        masses = []
        for answer in answers:
            reached, _ = running_integral(edges, below)
            density = np.exp(-np.abs(nodes - answer) / self.query_scale) / (2 * self.query_scale)
            masses.append((weights * density * reached).sum(axis=1))
            below = below * laplace_cdf(nodes - answer, self.query_scale)
        return np.append(np.concatenate(masses), (weights * below).sum())


@dataclass(frozen=True)
class SparseVector:
    """Which noisy answers reach the noisy threshold, in order, until ``cutoff`` of them have.

    Pure epsilon-DP for epsilon = s / threshold_scale + 2 cutoff s / query_scale with s the sensitivity of the
    queries (``redraw_threshold``: cutoff s / threshold_scale instead of the first term).

    Parameters
    ----------
    threshold : float
    threshold_scale, query_scale : float, at least 0
        The scales of the Laplace noise on the threshold and on each answer.
    cutoff : int, at least 1, or None for no cut-off (which no choice of noise makes private for many queries)
    redraw_threshold : bool, whether the threshold gets fresh noise after each answer above it
    queries : callable, dataset -> vector of shape (k,); the columns' sums by default

    Returns (when called)
    ---------------------
    tuple of int
        A 1 for each answer above and a 0 for each below, as far as it went.

    Raises
    ------
    InvalidArgument
        When a parameter is outside its range, or the law over too many queries is asked for.

    Examples
    --------
    >>> mechanism = SparseVector(1.0, threshold_scale=2.0, query_scale=0.0, cutoff=None)
    >>> sorted(mechanism.distribution([[1, 0]]))
    [(0, 0), (1, 0), (1, 1)]
    """

    threshold: float
    threshold_scale: float
    query_scale: float
    cutoff: int | None = 1
    redraw_threshold: bool = False
    queries: Query = total

    def __post_init__(self) -> None:
        object.__setattr__(self, "threshold", real("threshold", self.threshold))
        for name in ("threshold_scale", "query_scale"):
            object.__setattr__(self, name, at_least_zero(name, getattr(self, name)))
        if self.cutoff is not None:
            object.__setattr__(self, "cutoff", count("cutoff", self.cutoff))

    def __call__(self, dataset: Any, rng: Generator) -> tuple[int, ...]:
        """One sequence of answers."""
        return self.sample(dataset, 1, rng)[0]

    def sample(self, dataset: Any, size: int, rng: Generator) -> list[tuple[int, ...]]:
        """``size`` independent sequences of answers."""
        answers = scores_of(self.queries, dataset)
        limit = answers.size if self.cutoff is None else self.cutoff
        bar = self.threshold + rng.laplace(0.0, self.threshold_scale, size)
        above = np.zeros((size, answers.size), dtype=np.int64)
        for i, answer in enumerate(answers):
            above[:, i] = answer + rng.laplace(0.0, self.query_scale, size) >= bar
            if self.redraw_threshold:
                fresh = self.threshold + rng.laplace(0.0, self.threshold_scale, size)
                bar = np.where(above[:, i] == 1, fresh, bar)
        reached = np.cumsum(above, axis=1) >= limit
        ends = np.where(reached.any(axis=1), reached.argmax(axis=1) + 1, answers.size)
        return [tuple(row[:end]) for row, end in zip(above.tolist(), ends.tolist(), strict=True)]

    def distribution(self, dataset: Any) -> dict[tuple[int, ...], float]:
        """The law of the sequence (no outcomes of probability 0): integrals over the threshold's noise."""
        answers = scores_of(self.queries, dataset)
        if answers.size > _MOST_ENUMERATED:
            raise InvalidArgument(
                f"dataset must have at most {_MOST_ENUMERATED} queries for an exact law, got {answers.size}"
            )
        limit = answers.size if self.cutoff is None else self.cutoff
        law = self._redrawn(answers, limit) if self.redraw_threshold else self._with_one_threshold(answers, limit)
        return law

    def profile(self, left: Any, right: Any) -> FiniteProfile:
        """The exact profile of the laws on two datasets."""
        return FiniteProfile.of(self.distribution(left), self.distribution(right))

    def _with_one_threshold(self, answers: NDArray[np.float64], limit: int) -> dict[tuple[int, ...], float]:
        weights, below, above = _chances(answers, self.threshold, self.threshold_scale, self.query_scale)
        chances = (below, above)
        law: dict[tuple[int, ...], float] = {}
        open_ends: list[tuple[tuple[int, ...], NDArray[np.float64]]] = [((), weights)]
        while open_ends:
            outcome, mass = open_ends.pop()
            if len(outcome) == answers.size or sum(outcome) >= limit:
                law[outcome] = float(mass.sum())
                continue
            further = (((*outcome, bit), mass * chances[bit][:, len(outcome)]) for bit in (1, 0))
            open_ends += [(longer, rest) for longer, rest in further if rest.any()]
        return law

    def _redrawn(self, answers: NDArray[np.float64], limit: int) -> dict[tuple[int, ...], float]:
        if answers.size == 0 or limit == 0:
            return {(): 1.0}
        law: dict[tuple[int, ...], float] = {}
        for piece, chance in self._with_one_threshold(answers, 1).items():
            ended = piece[-1] == 0
            rest = {(): 1.0} if ended else self._redrawn(answers[len(piece) :], limit - 1)
            law |= {piece + more: chance * further for more, further in rest.items()}
        return law


def _chances(
    answers: NDArray[np.float64], threshold: float, threshold_scale: float, query_scale: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Weights of the threshold's noise, shape (m,), and each query's chances below and above, (m, k)."""
    kinks = set((answers - threshold).tolist())
    points, weights = laplace_expectation_rule(threshold_scale, kinks, query_scale)
    gap = threshold + points[:, None] - answers[None, :]
    # Each from its own tail, so that rare answers keep their digits; with no noise a gap of 0 is above.
    above = laplace_cdf(-gap, query_scale)
    return weights, laplace_cdf(gap, query_scale) if query_scale > 0 else 1 - above, above
