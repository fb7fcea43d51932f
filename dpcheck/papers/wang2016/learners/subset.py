"""Best subset selection in two stages: a set of coordinates, then a hypothesis on them, both by the exponential one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import comb
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.papers.wang2016.learners.regularised import (
    MOST_LISTED,
    MOST_OUTPUTS,
    Sensitivity,
    checked_sensitivity,
    checked_size,
    sensitivity_of_sum,
)
from dpcheck.papers.wang2016.learners.table_of_losses import KernelRegression
from dpcheck.parts.mechanisms.choice import Choice
from dpcheck.parts.mechanisms.mixtures import LEAST_BITS
from dpcheck.parts.mechanisms.parameters import count, positive_as_given, real
from dpcheck.parts.risk.losses import Loss, Sums, checked_loss, sums_of

#: Points of the grid may be so much longer than 1: doubles round.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class BestSubset:
    """A set S of coordinates, then a hypothesis that is 0 outside S: each by the exponential mechanism with epsilon.

    Stage 1 scores S by minus the least risk of a hypothesis on S, stage 2 the hypotheses on S by minus their risks;
    both scores move by at most Dq when a record is replaced. By composition it is 2 epsilon-DP; only the hypothesis
    is published. Hypotheses are the points of a finite grid in the unit ball of R^d, which makes both stages exact
    softmaxes; a second stage over the whole ball is Algorithm 1 on a convex set, for which no exact sampler is known
    in more than one dimension.

    Parameters
    ----------
    dimension : int, d
    support : int, from 1 to d
        The size of S. The paper's H has fewer than s coordinates other than 0, and its sets S have s of them.
    epsilon : float or Fraction, nats, above 0
        Of each stage: the paper's epsilon(n).
    loss : Loss of hypotheses of shape (k, d)
        Linear regression with labels in [-1, 1] by default.
    axis : sequence of numbers
        The values of a coordinate in S.
    sensitivity : "exact" or "paper_bound"

    Raises
    ------
    InvalidArgument
        When a parameter is outside its range, or there are too many hypotheses; at a call when there is no record.

    Source: wang2016:alg-subset (ex-22).

    Examples
    --------
    >>> learner = BestSubset(dimension=3, support=1, epsilon=0.5, axis=(-1.0, 1.0))
    >>> learner.claim, learner.supports
    (PureDP(epsilon=1.0), ((0,), (1,), (2,)))
    >>> law = learner.distribution(([[0.0, 1.0, 0.0]] * 40, [1.0] * 40))
    >>> law.outputs[3], round(float(law.exact[3]), 3)
    ((0.0, 1.0, 0.0), 0.859)
    """

    dimension: int
    support: int = 1
    epsilon: float | Fraction = 1.0
    loss: Loss = field(default_factory=KernelRegression)
    axis: tuple[float, ...] = (-1.0, -0.5, 0.0, 0.5, 1.0)
    sensitivity: Sensitivity = "exact"
    order_blind: ClassVar[bool] = True

    def __post_init__(self) -> None:
        d, s = count("dimension", self.dimension), count("support", self.support)
        if s > d:
            raise InvalidArgument(f"support must be at most the dimension {d}, got {s}")
        positive_as_given("epsilon", self.epsilon)
        checked_loss(self.loss)
        checked_sensitivity(self.sensitivity)
        if isinstance(self.axis, str) or not isinstance(self.axis, Iterable):
            raise InvalidArgument(f"axis must be a sequence of numbers, got {self.axis!r}")
        values = tuple(sorted({real("axis", value) + 0.0 for value in self.axis}))
        object.__setattr__(self, "axis", values)
        if not values or len(values) ** s * comb(d, s) > MOST_LISTED:
            raise InvalidArgument(
                f"axis must have from 1 value on, and at most {MOST_LISTED:,} hypotheses together, got {len(values)} "
                f"values for each of {s} coordinates in {comb(d, s):,} sets"
            )
        if not len(self.on_support):
            raise InvalidArgument(f"axis must make points in the unit ball, got {values}")
        sensitivity_of_sum(self.loss, self.hypotheses.reshape(-1, d), self.sensitivity)

    @cached_property
    def supports(self) -> tuple[tuple[int, ...], ...]:
        """The sets S, each a tuple of coordinates."""
        return tuple(combinations(range(self.dimension), self.support))

    @cached_property
    def on_support(self) -> NDArray[np.float64]:
        """The points of the grid in the unit ball of the coordinates of S, shape (g, support)."""
        points = np.array(list(product(self.axis, repeat=self.support)))
        return np.asarray(points[np.linalg.norm(points, axis=1) <= 1 + _ROUNDING])

    @cached_property
    def hypotheses(self) -> NDArray[np.float64]:
        """The hypotheses on each S, shape (number of sets, g, dimension)."""
        found = np.zeros((len(self.supports), len(self.on_support), self.dimension))
        for place, coordinates in enumerate(self.supports):
            found[place][:, list(coordinates)] = self.on_support
        return found

    @property
    def claim(self) -> PureDP:
        """Pure differential privacy at twice epsilon."""
        return PureDP(2 * self.epsilon)

    @property
    def neighbours(self) -> ReplaceOne:
        """One record replaced."""
        return ReplaceOne()

    def scores(self, dataset: Any) -> Sums:
        """``n q(h, Z)`` of each hypothesis: values of shape (number of sets, g)."""
        checked_size(dataset)
        found = sums_of(self.loss, self.hypotheses.reshape(-1, self.dimension), dataset)
        return Sums(-found.values.reshape(self.hypotheses.shape[:2]), found.unit)

    def rate(self, dataset: Any) -> Fraction:
        """``epsilon / (2 n Dq)``: nats per unit of ``n q``, the same in both stages."""
        every = self.hypotheses.reshape(-1, self.dimension)
        return Fraction(self.epsilon) / (2 * sensitivity_of_sum(self.loss, every, self.sensitivity))

    def choice_of_support(self, dataset: Any, scores: Sums) -> Choice:
        """Stage 1: the choice among the sets S, by the best hypothesis on each."""
        return Choice(self.rate(dataset) * scores.unit, scores.values.max(axis=1))

    def choice_on_support(self, dataset: Any, scores: Sums, place: int) -> Choice:
        """Stage 2: the choice among the hypotheses on a set."""
        return Choice(self.rate(dataset) * scores.unit, scores.values[place])

    def __call__(self, dataset: Any, rng: np.random.Generator) -> NDArray[np.float64]:
        """One hypothesis, shape (dimension,)."""
        return np.asarray(self.sample(dataset, 1, rng)[0])

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """``size`` independent hypotheses, shape (size, dimension)."""
        scores = self.scores(dataset)
        places = self.choice_of_support(dataset, scores).sample(size, rng)
        found = np.empty((size, self.dimension))
        for place in np.unique(places).tolist():
            here = np.flatnonzero(places == place)
            drawn = self.choice_on_support(dataset, scores, place).sample(len(here), rng)
            found[here] = self.hypotheses[place][drawn]
        return found

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the law of the hypothesis in balls, for at most 4096 of them.

        A hypothesis with zeros in S is one of several sets; its probabilities there are added up.
        """
        listed = self.hypotheses.shape[0] * self.hypotheses.shape[1]
        if listed > MOST_OUTPUTS:
            raise AttributeError(f"a law of {listed:,} hypotheses is not declared")
        return self._distribution

    def _distribution(self, dataset: Any) -> Law:
        from flint import ctx

        scores = self.scores(dataset)
        with ctx.workprec(max(ctx.prec, LEAST_BITS)):
            sums: dict[tuple[float, ...], Any] = {}
            chances = _probabilities(self.choice_of_support(dataset, scores))
            for place, chance in enumerate(chances):
                found = _probabilities(self.choice_on_support(dataset, scores, place))
                for hypothesis, other in zip(self.hypotheses[place].tolist(), found, strict=True):
                    key = tuple(hypothesis)
                    sums[key] = sums[key] + chance * other if key in sums else chance * other
            return Law(list(sums), exact=list(sums.values()))


def _probabilities(choice: Choice) -> list[Any]:
    """The probabilities of a choice in balls, at the precision of the moment; doubles are exactly what they are."""
    from flint import arb, fmpq

    exact = [Fraction(score) for score in choice.scores.tolist()]
    top = max(exact)
    exponents = [choice.rate * (score - top) for score in exact]
    weights = [arb(fmpq(each.numerator, each.denominator)).exp() for each in exponents]
    total = sum(weights[1:], weights[0])
    return [weight / total for weight in weights]
