"""The exponential mechanism over a cover that is fixed before the data: from a reference distribution, or drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP
from dpcheck.model.data import size_of
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.papers.wang2016.learners.regularised import (
    MOST_OUTPUTS,
    RegularisedExponential,
    Sensitivity,
    checked_sensitivity,
    checked_size,
    sensitivity_of_sum,
)
from dpcheck.parts.classes import HypothesisClass, mistakes
from dpcheck.parts.classes.nets import net
from dpcheck.parts.classes.references import Reference
from dpcheck.parts.classes.representatives import Rule, integer_weights
from dpcheck.parts.learners.records import private_records
from dpcheck.parts.mechanisms.choice import Choice, as_outputs
from dpcheck.parts.mechanisms.mixtures import mixture
from dpcheck.parts.mechanisms.parameters import at_least_zero, positive_as_given
from dpcheck.parts.risk.losses import Loss, Sums, ZeroOneLoss, checked_loss, sums_of


def risk_cover(loss: Loss, hypotheses: Any, records: Any, radius: float) -> NDArray[Any]:
    """Of some hypotheses, in order, each that is farther than ``radius`` from all kept before: a cover and a packing.

    The distance of h and h' is the mean of ``|l(h, z) - l(h', z)|`` over the records, which stand for the reference
    distribution D* (repeat one to weigh it) and are public.

    Parameters
    ----------
    loss : Loss
    hypotheses : array of shape (k, ...)
    records : dataset of m records, at least 1
    radius : float, at least 0

    Raises
    ------
    InvalidArgument
        When the radius is no such number, or there is no record.

    Source: wang2016:ex-24, in the general learning setting.

    Examples
    --------
    >>> from dpcheck.parts.risk.losses import PowerLoss
    >>> risk_cover(PowerLoss(), np.linspace(0, 1, 9), [0.0, 1.0], 0.25).tolist()
    [0.0, 0.375, 0.75]
    """
    limit = at_least_zero("radius", radius)
    checked_size(records)
    values = np.asarray(loss.values(hypotheses, records), dtype=np.float64)
    near = np.full(len(values), np.inf)
    kept = []
    for place in range(len(values)):
        if near[place] > limit:
            kept.append(place)
            near = np.minimum(near, np.abs(values - values[place]).mean(axis=1))
    return np.asarray(hypotheses)[kept]


@dataclass(frozen=True)
class CoverExponential:
    """Algorithm 1 with the 0-1 loss over a net of a class in the metric of a public reference distribution D*.

    Epsilon-DP whatever D* is; its accuracy is for distributions D with ``D(A) <= c D*(A)`` for all A, under which a
    net of radius r is a cover of radius c r.

    Parameters
    ----------
    family : HypothesisClass
    reference : a distribution of :mod:`dpcheck.parts.classes.references`, D*
    radius : number, at least 0
    epsilon : float or Fraction, nats, above 0
    rule : how the class chooses a representative, optional
    sensitivity : "exact" or "paper_bound"

    Raises
    ------
    InvalidArgument
        When no net is known for the class under the reference, or a parameter is outside its range; at a call when
        there is no record.

    Source: wang2016:alg-cover (ex-24, reduced to ex-20).

    Examples
    --------
    >>> from dpcheck.parts.classes import Thresholds
    >>> from dpcheck.parts.classes.references import UniformLine
    >>> learner = CoverExponential(Thresholds(), UniformLine(), Fraction(1, 8))
    >>> law = learner.distribution(([0.2, 0.5, 0.7], [0, 1, 1]))
    >>> law.outputs, law.exact.scores
    ([0.125, 0.375, 0.625, 0.875], (-1, 0, -1, -2))
    """

    family: HypothesisClass
    reference: Reference
    radius: Any = Fraction(1, 4)
    epsilon: float | Fraction = 1.0
    rule: Rule = None
    sensitivity: Sensitivity = "exact"
    order_blind: ClassVar[bool] = True

    def __post_init__(self) -> None:
        positive_as_given("epsilon", self.epsilon)
        checked_sensitivity(self.sensitivity)
        ZeroOneLoss(self.family)
        if not len(self.cover):  # a net that is not known is refused here, not at the first call
            raise InvalidArgument(f"family must have a hypothesis, got {self.family!r}")

    @cached_property
    def cover(self) -> NDArray[Any]:
        """The hypotheses of the net, shape (k, ...)."""
        return net(self.family, self.reference, self.radius, rule=self.rule).hypotheses

    @property
    def claim(self) -> PureDP:
        """Pure differential privacy at epsilon."""
        return PureDP(self.epsilon)

    @property
    def neighbours(self) -> ReplaceOne:
        """One labelled record replaced."""
        return ReplaceOne()

    def radius_under(self, ratio: Any) -> Fraction:
        """The radius of the cover under any D with ``D(A) <= ratio D*(A)`` for all A."""
        return Fraction(self.radius) * Fraction(ratio)

    def candidates(self, dataset: Any) -> NDArray[Any]:
        """The cover, the same for all datasets; shape (k, ...)."""
        return self.cover

    def scores(self, dataset: Any, candidates: Any) -> NDArray[np.int64]:
        """``n q(h, Z)``: minus the mistakes of each candidate, shape (k,)."""
        checked_size(dataset)
        return -mistakes(self.family, candidates, *private_records(dataset))

    def rate(self, dataset: Any) -> Fraction:
        """``epsilon / (2 n Dq)``: nats per mistake."""
        moved = sensitivity_of_sum(ZeroOneLoss(self.family), self.cover, self.sensitivity)
        return Fraction(self.epsilon) / (2 * moved)

    def choice(self, dataset: Any) -> Choice:
        """The choice among the candidates."""
        return Choice(self.rate(dataset), self.scores(dataset, self.candidates(dataset)))

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One hypothesis."""
        drawn = self.sample(dataset, 1, rng)[0]
        return drawn.item() if isinstance(drawn, np.generic) else drawn

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """``size`` independent hypotheses, shape (size, ...)."""
        places = self.choice(dataset).sample(size, rng)
        return np.asarray(self.candidates(dataset)[places])

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the exact law of the hypothesis, for nets of at most 4096."""
        if len(self.cover) > MOST_OUTPUTS:
            raise AttributeError(f"a law of {len(self.cover):,} hypotheses is not declared")
        return lambda dataset: self.choice(dataset).law(as_outputs(self.candidates(dataset)))


@dataclass(frozen=True, eq=False)
class RepresentedExponential:
    """Algorithm 1 over a finite set of hypotheses that is itself drawn, independently of the data.

    A probabilistic representation of a class: with a probability near 1 the drawn set has a hypothesis near the best
    one. Every set makes Algorithm 1 epsilon-DP, and so does drawing it.

    Parameters
    ----------
    loss : Loss
    sets : sequence of m arrays of distinct hypotheses, shapes (k_i, ...)
    weights : m numbers of at least 0, optional
        Proportional to the probabilities of the sets (taken as exact); equal by default.
    epsilon : float or Fraction, nats, above 0
    sensitivity : "exact" (the supremum over all the sets) or "paper_bound"

    Raises
    ------
    InvalidArgument
        When there is no set, a set is no list of distinct hypotheses, two sets have hypotheses of different shapes, or
        a parameter is outside its range.

    Source: wang2016:ex-23; Beimel, Nissim & Stemmer 2013, doi:10.1145/2422436.2422450.

    Examples
    --------
    >>> from dpcheck.parts.risk.losses import PowerLoss
    >>> learner = RepresentedExponential(PowerLoss(), [[0.0, 1.0], [0.5]], weights=[3, 1])
    >>> law = learner.distribution([0, 1])
    >>> [round(float(p), 3) for p in law.exact]
    [0.375, 0.375, 0.25]
    """

    loss: Loss
    sets: Any
    weights: Any = None
    epsilon: float | Fraction = 1.0
    sensitivity: Sensitivity = "exact"
    order_blind: ClassVar[bool] = True

    def __post_init__(self) -> None:
        checked_loss(self.loss)
        listed = tuple(self.sets) if isinstance(self.sets, Iterable) else ()
        if not listed:
            raise InvalidArgument(f"sets must hold at least 1 array of hypotheses, got {self.sets!r}")
        checked = tuple(
            RegularisedExponential(self.loss, one, self.epsilon, None, "paper_bound").hypotheses for one in listed
        )
        shapes = sorted({np.shape(one)[1:] for one in checked})
        if len(shapes) > 1:
            raise InvalidArgument(f"sets must hold hypotheses of one shape, got {', '.join(map(str, shapes))}")
        checked_sensitivity(self.sensitivity)
        object.__setattr__(self, "sets", checked)
        object.__setattr__(self, "weights", integer_weights(self.weights, len(checked)))

    @property
    def claim(self) -> PureDP:
        """Pure differential privacy at epsilon."""
        return PureDP(self.epsilon)

    @property
    def neighbours(self) -> ReplaceOne:
        """One record replaced."""
        return ReplaceOne()

    def chances(self, dataset: Any) -> list[Fraction]:
        """The probability of each set, the same for all datasets; shape (m,)."""
        return [Fraction(weight, sum(self.weights)) for weight in self.weights]

    def candidates(self, dataset: Any, number: int) -> NDArray[Any]:
        """The hypotheses of a set, the same for all datasets."""
        return np.asarray(self.sets[number])

    def scores(self, dataset: Any, candidates: Any) -> Sums:
        """``n q(h, Z)`` of each candidate, shape (k,)."""
        checked_size(dataset)
        found = sums_of(self.loss, candidates, dataset)
        return Sums(-found.values, found.unit)

    def rate(self, dataset: Any) -> Fraction:
        """``epsilon / (2 n Dq)``: nats per unit of ``n q``."""
        every = np.concatenate([np.asarray(one) for one in self.sets])
        return Fraction(self.epsilon) / (2 * sensitivity_of_sum(self.loss, every, self.sensitivity))

    def choice(self, dataset: Any, number: int) -> Choice:
        """The choice among the candidates of a set."""
        scores = self.scores(dataset, self.candidates(dataset, number))
        return Choice(self.rate(dataset) * scores.unit, scores.values)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One hypothesis."""
        drawn = self.sample(dataset, 1, rng)[0]
        return drawn.item() if isinstance(drawn, np.generic) else drawn

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """``size`` independent hypotheses, shape (size, ...)."""
        size_of(dataset)
        numbers = rng.choice(len(self.sets), size, p=[float(chance) for chance in self.chances(dataset)])
        first = self.candidates(dataset, 0)
        found = np.empty((size, *first.shape[1:]), dtype=np.result_type(*map(np.asarray, self.sets)))
        for number in np.unique(numbers).tolist():
            here = np.flatnonzero(numbers == number)
            places = self.choice(dataset, number).sample(len(here), rng)
            found[here] = self.candidates(dataset, number)[places]
        return found

    def distribution(self, dataset: Any) -> Law:
        """The exact law of the hypothesis, in balls."""
        laws = (
            self.choice(dataset, number).law(as_outputs(self.candidates(dataset, number)))
            for number in range(len(self.sets))
        )
        return mixture(self.chances(dataset), laws)
