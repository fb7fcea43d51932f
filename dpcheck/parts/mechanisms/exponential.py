"""Private choice of the best of several candidates: the exponential mechanism and report-noisy-max."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.parts.mechanisms.choice import Choice
from dpcheck.parts.mechanisms.parameters import at_least_zero, positive
from dpcheck.parts.mechanisms.profile import FiniteProfile
from dpcheck.parts.mechanisms.quadrature import (
    exponential_expectation_rule,
    laplace_cdf,
    laplace_expectation_rule,
    nodes_and_weights,
    panels,
)
from dpcheck.parts.mechanisms.queries import Query, total

#: Width, in scales of the noise, of the cells that outputs are sorted into for the noisy maximum's profile.
#: Sorting changes log ratios by the order of the width and delta, to which only the cell with the threshold
#: matters, by the order of its square: below 1e-5.
_CELL = 0.002

#: Points per cell: on so short a cell the density is a polynomial of degree 5 to 15 digits.
_POINTS_PER_CELL = 3

#: How far from the extreme scores the cells reach, in scales; beyond lie two cells with all the rest.
_REACH = 40.0


def scores_of(query: Query, dataset: Any) -> NDArray[np.float64]:
    """The scores of the candidates, shape (k,).

    Raises
    ------
    InvalidArgument
        When the query does not answer with a vector of at least one score.

    Examples
    --------
    >>> scores_of(total, [[1, 0], [1, 1]]).tolist()
    [2.0, 1.0]
    """
    scores = np.asarray(query(dataset), dtype=float)
    if scores.ndim != 1 or scores.size == 0:
        raise InvalidArgument(f"query must answer with a vector of scores, got an array of shape {scores.shape}")
    return scores


@dataclass(frozen=True)
class ExponentialMechanism:
    """The exponential mechanism: candidate i has probability proportional to ``exp(epsilon score_i / 2s)``.

    Its law is declared, and drawn from, exactly (:class:`~dpcheck.parts.mechanisms.choice.Choice`): with integer scores
    every question about it is decided, with doubles to within the stated error of its logarithms.

    Parameters
    ----------
    epsilon : float (taken as the exact double) or Fraction, nats, at least 0
    sensitivity : float or Fraction, above 0: s, by how much a neighbour may move a score
    scores : callable, dataset -> vector of shape (k,); the columns' sums by default

    Raises
    ------
    InvalidArgument
        When a parameter is outside its range.

    Source: McSherry & Talwar 2007, doi:10.1109/FOCS.2007.66.

    Examples
    --------
    >>> law = ExponentialMechanism(2.0).distribution([[1, 0]])
    >>> law.outputs, law.exact.scores
    ([0, 1], (1, 0))
    >>> round(ExponentialMechanism(2.0).profile([[1, 0]], [[0, 1]]).epsilon(0.0), 12)
    1.0
    """

    epsilon: float | Fraction
    sensitivity: float | Fraction = 1.0
    scores: Query = total

    def __post_init__(self) -> None:
        for name, check in (("epsilon", at_least_zero), ("sensitivity", positive)):
            given = getattr(self, name)
            checked = check(name, given)
            object.__setattr__(self, name, given if isinstance(given, Fraction) else checked)

    def rate(self) -> Fraction:
        """``epsilon / 2s``, nats per unit of the score."""
        return Fraction(self.epsilon) / (2 * Fraction(self.sensitivity))

    def choice(self, dataset: Any) -> Choice:
        """The law of the chosen index as an object that draws, too."""
        scores = np.asarray(self.scores(dataset))
        whole = scores.dtype.kind in "iu" and scores.ndim == 1 and scores.size > 0
        return Choice(self.rate(), scores if whole else scores_of(self.scores, dataset))

    def __call__(self, dataset: Any, rng: Generator) -> int:
        """One chosen candidate's index."""
        return int(self.sample(dataset, 1, rng)[0])

    def sample(self, dataset: Any, size: int, rng: Generator) -> NDArray[np.intp]:
        """``size`` independent choices, integers of shape (size,)."""
        return self.choice(dataset).sample(size, rng)

    def distribution(self, dataset: Any) -> Law:
        """The law of the chosen index, exact where the scores are integers."""
        choice = self.choice(dataset)
        return choice.law(range(len(choice.scores)))

    def profile(self, left: Any, right: Any) -> FiniteProfile:
        """The profile of the laws on two datasets, in doubles."""
        return FiniteProfile(*(np.exp(self.choice(dataset).log_probabilities) for dataset in (left, right)))


@dataclass(frozen=True)
class NoisyArgmax:
    """Report-noisy-max: the index of the largest score after noise on each.

    Pure epsilon-DP for epsilon = 2 sensitivity / scale; with scale 0 the bare argmax, not private at all.

    Parameters
    ----------
    scale : float, at least 0
    noise : "laplace" or "exponential" (which is never negative)
    scores : callable, dataset -> vector of shape (k,); the columns' sums by default

    Raises
    ------
    InvalidArgument
        When ``scale`` is not a finite number of at least 0, or the noise is of another kind.

    Source: Dwork & Roth 2014, doi:10.1561/0400000042, claim 3.9 and section 3.3; Ding, Kifer, Steinke, Wang,
    Xiao & Zhang 2021, arXiv:2105.07260 (exponential noise).

    Examples
    --------
    >>> law = NoisyArgmax(scale=2.0).distribution([[1, 1]])
    >>> round(law[0], 12)
    0.5
    """

    scale: float
    noise: Literal["laplace", "exponential"] = "laplace"
    scores: Query = total

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", at_least_zero("scale", self.scale))
        if self.noise not in ("laplace", "exponential"):
            raise InvalidArgument(f"noise must be 'laplace' or 'exponential', got {self.noise!r}")

    def __call__(self, dataset: Any, rng: Generator) -> int:
        """One reported index."""
        return int(self.sample(dataset, 1, rng)[0])

    def sample(self, dataset: Any, size: int, rng: Generator) -> NDArray[np.int64]:
        """``size`` independent indices, integers of shape (size,)."""
        scores = scores_of(self.scores, dataset)
        shape = (size, scores.size)
        drawn = rng.laplace(0.0, self.scale, shape) if self.noise == "laplace" else rng.exponential(self.scale, shape)
        return np.asarray((scores + drawn).argmax(axis=1), dtype=np.int64)

    def distribution(self, dataset: Any) -> dict[int, float]:
        """The law of the index: one integral per candidate, over its own noise."""
        scores = scores_of(self.scores, dataset)
        if self.scale == 0:
            return {int(np.argmax(scores)): 1.0}
        law = {}
        for i, score in enumerate(scores):
            others = np.delete(scores, i)
            rule = laplace_expectation_rule if self.noise == "laplace" else exponential_expectation_rule
            points, weights = rule(self.scale, others - score, self.scale)
            gaps = points[:, None] + score - others[None, :]
            if self.noise == "laplace":
                beaten = laplace_cdf(gaps, self.scale).prod(axis=1)
            else:
                beaten = (-np.expm1(-np.maximum(gaps, 0.0) / self.scale)).prod(axis=1)
            law[i] = float((weights * beaten).sum())
        return law

    def profile(self, left: Any, right: Any) -> FiniteProfile:
        """The exact profile of the laws on two datasets."""
        return FiniteProfile.of(self.distribution(left), self.distribution(right))


@dataclass(frozen=True)
class NoisyMax:
    """The largest score after Laplace noise on each, the *value* released: not as private as its index.

    Parameters
    ----------
    scale : float, above 0
    scores : callable, dataset -> vector of shape (k,); the columns' sums by default

    Raises
    ------
    InvalidArgument
        When ``scale`` is not a finite number above 0.

    Source: Ding, Wang, Wang, Zhang & Kifer 2018, doi:10.1145/3243734.3243818 (the incorrect variants).

    Examples
    --------
    >>> five_ones, five_twos = [[1] * 5], [[1] * 5, [1] * 5]
    >>> round(NoisyMax(scale=2.0).profile(five_ones, five_twos).epsilon(0.0), 6)
    2.5
    """

    scale: float
    scores: Query = total

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", positive("scale", self.scale))

    def __call__(self, dataset: Any, rng: Generator) -> float:
        """One released value."""
        return float(self.sample(dataset, 1, rng)[0])

    def sample(self, dataset: Any, size: int, rng: Generator) -> NDArray[np.float64]:
        """``size`` independent values, shape (size,)."""
        scores = scores_of(self.scores, dataset)
        values: NDArray[np.float64] = np.max(scores + rng.laplace(0.0, self.scale, (size, scores.size)), axis=1)
        return values

    def profile(self, left: Any, right: Any) -> FiniteProfile:
        """The profile of the laws on two datasets, of the output sorted into fine cells.

        Sorting can only lose, so this is a lower bound; it is exact where the worst event is one of the two
        unbounded cells, and within 1e-5 of the supremum for scores a few scales apart.
        """
        first, second = scores_of(self.scores, left), scores_of(self.scores, right)
        edges = panels([*first, *second], _CELL * self.scale, _REACH * self.scale)
        return FiniteProfile(self._cells(first, edges), self._cells(second, edges))

    def _cells(self, scores: NDArray[np.float64], edges: NDArray[np.float64]) -> NDArray[np.float64]:
        """Probabilities of the cells between the edges, and of the two beyond them.

        By integrating the density: differences of the distribution function would cancel in the upper tail.
        """
        nodes, weights = nodes_and_weights(edges, _POINTS_PER_CELL)
        logarithm = np.zeros_like(nodes)
        rate = np.zeros_like(nodes)
        for score in scores:
            offset = (nodes - score) / self.scale
            tail = 0.5 * np.exp(-np.abs(offset))
            logarithm += np.where(offset < 0, np.log(0.5) + offset, np.log1p(-tail))
            rate += np.where(offset < 0, 1.0, tail / (1 - tail)) / self.scale
        inside = (weights * np.exp(logarithm) * rate).sum(axis=1)
        below = np.exp(np.sum(np.log(0.5) + (edges[0] - scores) / self.scale))
        above = -np.expm1(np.sum(np.log1p(-0.5 * np.exp(-(edges[-1] - scores) / self.scale))))
        return np.concatenate([[below], inside, [above]])
