"""The semi-private learner: a cover of the class from public points, a choice in it by private labels."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP
from dpcheck.model.law import Law
from dpcheck.model.neighbours import PrivatePart
from dpcheck.parts.classes import HypothesisClass, mistakes
from dpcheck.parts.classes.representatives import Rule
from dpcheck.parts.learners.families import checked_family
from dpcheck.parts.learners.records import private_records, public_points
from dpcheck.parts.mechanisms.choice import Choice, as_outputs
from dpcheck.parts.mechanisms.parameters import positive_as_given

#: Covers of so many bytes of public points are remembered, and so many of them: audits ask for one again and again.
_REMEMBERED_BYTES, _REMEMBERED = 1 << 12, 256


@dataclass(frozen=True)
class CoverLearner:
    """A_SSPP: the exponential mechanism over one hypothesis for each dichotomy of the public points.

    From the public sample the distinct points are kept; the class's dichotomies on them, one representative each, are
    the candidates; h is drawn with probability proportional to ``exp(-(epsilon / 2) mistakes(h))`` on the private
    sample. Epsilon-DP in the private part for every public part (alon2019:lem-3.2); the output is in the class.
    Labels of the public part are not read. Either part may be empty.

    Parameters
    ----------
    family : HypothesisClass
    epsilon : float or Fraction, nats, above 0
    rule : name of one of the class's rules or an ``Adversarial``, optional
        Which hypothesis represents a dichotomy; any choice that does not look at private data is allowed.

    Raises
    ------
    InvalidArgument
        When family is no hypothesis class, or epsilon no finite number above 0.

    Source: alon2019:alg-1.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> from dpcheck.model.data import Labelled, SemiPrivate
    >>> learner = CoverLearner(GridThresholds(100), epsilon=1.0)
    >>> dataset = SemiPrivate(private=Labelled([10, 60, 80], [0, 1, 1]), public=[30, 70, 30])
    >>> law = learner.distribution(dataset)
    >>> law.outputs, law.exact.scores
    ([0, 31, 71], (-1, 0, -1))
    >>> learner(dataset, np.random.default_rng()) in law.outputs
    True
    """

    family: HypothesisClass
    epsilon: float | Fraction = 1.0
    rule: Rule = None
    order_blind: ClassVar[bool] = True

    def __post_init__(self) -> None:
        positive_as_given("epsilon", self.epsilon)
        checked_family(self.family, self.rule)

    @property
    def claim(self) -> PureDP:
        """Pure differential privacy at epsilon."""
        return PureDP(self.epsilon)

    @property
    def neighbours(self) -> PrivatePart:
        """One record of the private part replaced; the public part, whatever it is, shared."""
        return PrivatePart()

    def cover(self, points: Any) -> NDArray[Any]:
        """The candidates for a public sample, one for each dichotomy of its distinct points; shape (k, ...).

        Source: alon2019:alg-1, steps 1-5.
        """
        found = self.family.points(points)
        if found.dtype == object or found.nbytes > _REMEMBERED_BYTES or not isinstance(self.family, Hashable):
            return self.family.representatives(found, self.rule)
        return _remembered(self.family, self.rule, found.tobytes(), found.dtype.str, found.shape)

    def scored(self, dataset: Any) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """The candidates, shape (k, ...), and the mistakes of each on the private sample, shape (k,)."""
        hypotheses = self.cover(public_points(dataset))
        return hypotheses, mistakes(self.family, hypotheses, *private_records(dataset))

    def rate(self, dataset: Any) -> Fraction:
        """Nats per mistake: half of epsilon.

        Source: alon2019:alg-1, step 6.
        """
        return Fraction(self.epsilon) / 2

    def choice(self, dataset: Any) -> tuple[NDArray[Any], Choice]:
        """The candidates, shape (k, ...), and the choice among them."""
        hypotheses, wrong = self.scored(dataset)
        return hypotheses, Choice(self.rate(dataset), -wrong)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One hypothesis for a :class:`~dpcheck.SemiPrivate` dataset."""
        drawn = self.sample(dataset, 1, rng)[0]
        return drawn.item() if isinstance(drawn, np.generic) else drawn

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """``size`` independent hypotheses, shape (size, ...)."""
        hypotheses, choice = self.choice(dataset)
        return np.asarray(hypotheses[choice.sample(size, rng)])

    def distribution(self, dataset: Any) -> Law:
        """The exact law of the hypothesis, with integer scores."""
        hypotheses, choice = self.choice(dataset)
        return choice.law(as_outputs(hypotheses))


@lru_cache(maxsize=_REMEMBERED)
def _remembered(family: HypothesisClass, rule: Rule, data: bytes, dtype: str, shape: tuple[int, ...]) -> NDArray[Any]:
    found = family.representatives(np.frombuffer(data, dtype=dtype).reshape(shape), rule)
    found.setflags(write=False)
    return found
