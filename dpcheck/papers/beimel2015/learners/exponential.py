"""The exponential mechanism over a finite list of hypotheses, scored by correct labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP
from dpcheck.model.data import UNLABELLED
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.parts.classes import FiniteHypothesisClass, HypothesisClass, mistakes
from dpcheck.parts.classes.points import distinct_rows
from dpcheck.parts.classes.protocol import FiniteDomain
from dpcheck.parts.learners.families import checked_family
from dpcheck.parts.learners.records import private_records
from dpcheck.parts.mechanisms.choice import Choice, as_outputs
from dpcheck.parts.mechanisms.parameters import positive_as_given

#: Classes with more hypotheses are not listed to be drawn from.
MOST_LISTED = 1 << 22
#: Laws with more outputs are not declared.
MOST_OUTPUTS = 1 << 12
#: Labels of a list of hypotheses on a whole domain: with more of them, only equal parameters are told to be duplicates.
_MOST_COMPARED = 1 << 20


@dataclass(frozen=True)
class ExponentialLearner:
    """A hypothesis h of a list H with probability proportional to ``exp(epsilon q(h) / 2)``, q the correct labels.

    ``q(S, h)`` counts the records (x, y) with h(x) = y. One record replaced moves every q by at most 1: each weight
    changes by a factor within ``exp(-epsilon / 2)`` and ``exp(epsilon / 2)``, so does their sum, and the choice is
    epsilon-DP (beimel2015:prop-A.1). A record without a label (-1) is wrong for every h; that is a score like any
    other, so the claim holds where labels may be missing, and what partially labelled data add to the scores of a
    labelled sample is nothing at all. Without records the law is uniform.

    It is the mechanism of :class:`dpcheck.papers.alon2019.learners.GenericLearner`, which counts mistakes (q is the
    number of records minus these, the law is the same), over lists too: a class larger than 2^22 is drawn from there.

    Parameters
    ----------
    family : HypothesisClass
        The class that the hypotheses are of.
    epsilon : float or Fraction, nats, above 0
    hypotheses : sequence of at least 1 hypothesis, optional
        The list H, without duplicates; the whole class, which must then be finite, when left out.

    Raises
    ------
    InvalidArgument
        When the list is empty or holds a hypothesis twice (its law would be another: one for each solution is meant),
        the class is not finite or too large, or epsilon is no finite number above 0.

    Source: beimel2015:alg-5; McSherry & Talwar 2007, doi:10.1109/FOCS.2007.66.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> learner = ExponentialLearner(GridThresholds(9), epsilon=2, hypotheses=[0, 3, 9])
    >>> law = learner.distribution(([2, 5, 5, 1], [0, 1, 0, -1]))
    >>> law.outputs, law.exact.scores
    ([0, 3, 9], (1, 2, 2))
    >>> learner(([2] * 50 + [3] * 50, [0] * 50 + [1] * 50), np.random.default_rng())
    3
    """

    family: HypothesisClass
    epsilon: float | Fraction = 1.0
    hypotheses: Any = None
    order_blind: ClassVar[bool] = True

    def __post_init__(self) -> None:
        positive_as_given("epsilon", self.epsilon)
        checked_family(self.family)
        if self.hypotheses is not None:
            object.__setattr__(self, "hypotheses", _as_listed(self.family, self.hypotheses))
        elif not isinstance(self.family, FiniteHypothesisClass):
            raise InvalidArgument(f"family must be a finite hypothesis class, got {self.family!r}")
        elif self.family.size > MOST_LISTED:
            raise InvalidArgument(f"family must have at most {MOST_LISTED:,} hypotheses, got {self.family.size:,}")

    @property
    def claim(self) -> PureDP:
        """Pure differential privacy at epsilon."""
        return PureDP(self.epsilon)

    @property
    def neighbours(self) -> ReplaceOne:
        """One record replaced, point and label together."""
        return ReplaceOne()

    @property
    def size(self) -> int:
        """How many hypotheses are chosen from."""
        if self.hypotheses is not None:
            return len(self.hypotheses)
        assert isinstance(self.family, FiniteHypothesisClass)
        return self.family.size

    def candidates(self) -> NDArray[Any]:
        """H, shape (k, ...)."""
        if self.hypotheses is not None:
            return np.asarray(self.hypotheses)
        assert isinstance(self.family, FiniteHypothesisClass)
        return self.family.everything()

    def scores(self, dataset: Any, candidates: Any) -> NDArray[np.int64]:
        """The correct labels of each candidate, q of beimel2015:alg-5 (step 1); shape (k,)."""
        return correct_labels(self.family, candidates, *private_records(dataset))

    def rate(self, dataset: Any) -> Fraction:
        """Nats per correct label: half of epsilon (beimel2015:alg-5, step 2)."""
        return Fraction(self.epsilon) / 2

    def choice(self, dataset: Any) -> tuple[NDArray[Any], Choice]:
        """The candidates, shape (k, ...), and the choice among them."""
        candidates = self.candidates()
        return candidates, Choice(self.rate(dataset), self.scores(dataset, candidates))

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One hypothesis."""
        drawn = self.sample(dataset, 1, rng)[0]
        return drawn.item() if isinstance(drawn, np.generic) else drawn

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """``size`` independent hypotheses, shape (size, ...)."""
        candidates, choice = self.choice(dataset)
        return np.asarray(candidates[choice.sample(size, rng)])

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the exact law of the hypothesis, for lists of at most 4096 of them."""
        if self.size > MOST_OUTPUTS:
            raise AttributeError(f"a law of {self.size:,} hypotheses is not declared")
        return self._distribution

    def _distribution(self, dataset: Any) -> Law:
        candidates, choice = self.choice(dataset)
        return choice.law(as_outputs(candidates))


def correct_labels(family: HypothesisClass, candidates: Any, x: Any, y: Any) -> NDArray[np.int64]:
    """How many of the records (x, y) each candidate labels correctly, none of those without a label; shape (k,).

    Source: the score of beimel2015:alg-5.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> correct_labels(GridThresholds(9), [0, 3, 9], [2, 5, 5, 1], [0, 1, 0, -1]).tolist()
    [1, 2, 2]
    """
    points, labels = family.points(x), np.asarray(y)
    if len(points) != len(labels):
        raise InvalidArgument(f"y must have a label per point, got {len(points)} points and {len(labels)} labels")
    known = labels != UNLABELLED
    if not known.all():
        points, labels = points[known], labels[known]
    return len(labels) - mistakes(family, candidates, points, labels)


def _as_listed(family: HypothesisClass, hypotheses: Any) -> Any:
    """Hypotheses as a tuple of numbers or of tuples, none of them twice."""
    array = np.asarray(hypotheses)
    if array.ndim == 0 or len(array) == 0:
        raise InvalidArgument(f"hypotheses must be a list of at least 1, got {hypotheses!r}")
    listed = tuple(as_outputs(array))
    twice = len(set(listed)) < len(listed)
    if not twice and isinstance(family, FiniteDomain):
        try:
            domain = family.domain()
        except InvalidArgument:  # too many points to be listed
            domain = np.zeros(0)
        if 0 < len(domain) * len(listed) <= _MOST_COMPARED:
            twice = len(distinct_rows(family.predict(array, domain))) < len(listed)
    if twice:
        raise InvalidArgument(
            f"hypotheses must be one for each function, got {len(listed)} of which some are the same one"
        )
    return listed
