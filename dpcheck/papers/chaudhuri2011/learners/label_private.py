"""A2: a net of the class under the records' own points, and a choice in it by their labels."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import LabelsOnly
from dpcheck.papers.chaudhuri2011.learners.sizes import label_private_size
from dpcheck.parts.classes import HypothesisClass, mistakes
from dpcheck.parts.classes.nets import net
from dpcheck.parts.classes.references import Atoms
from dpcheck.parts.classes.representatives import Rule
from dpcheck.parts.learners.families import checked_family
from dpcheck.parts.learners.records import private_records
from dpcheck.parts.mechanisms.choice import Choice, as_outputs
from dpcheck.parts.mechanisms.parameters import positive_as_given, real

#: Nets of so many bytes of points are remembered, and so many of them: audits ask for one again and again.
_REMEMBERED_BYTES, _REMEMBERED = 1 << 12, 1024


@dataclass(frozen=True)
class LabelPrivateLearner:
    """A2: the exponential mechanism over a net of the class under the records' own points.

    The points X of all records, repetitions counted, are public. Step 1 takes an ``eps/4``-packing of the class under
    the distance "fraction of X on which two hypotheses differ" that is also a cover; step 2 draws h from it with
    probability proportional to ``exp(-(alpha/2) mistakes(h))``. Epsilon-DP in the *labels* alone
    (chaudhuri2011:thm-26): :func:`dpcheck.papers.chaudhuri2011.exposures.features_exposed` has two datasets that differ
    in one record's feature, and an output that only one of them can give.

    Where ``eps/4`` is less than one record in n the net has one hypothesis for each dichotomy of X. No reference
    distribution is needed.

    Parameters
    ----------
    family : HypothesisClass
    epsilon : float or Fraction, nats, above 0
        The paper's alpha.
    accuracy : float, between 0 and 1
        The paper's epsilon: excess risk allowed.
    failure : float, between 0 and 1
        The paper's delta; the algorithm does not use it, ``required_size`` does.
    rule : name of one of the class's rules, optional
        Which hypothesis represents a dichotomy; any choice that does not look at labels is allowed.

    Raises
    ------
    InvalidArgument
        When an argument is none of these.

    Source: chaudhuri2011:alg-2.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> learner = LabelPrivateLearner(GridThresholds(100), epsilon=1.0, accuracy=0.5)
    >>> law = learner.distribution(([10, 60, 80], [0, 1, 1]))
    >>> law.outputs, law.exact.scores
    ([0, 11, 61, 81], (-1, 0, -1, -2))
    >>> learner.neighbours.name
    'labels-only'
    """

    family: HypothesisClass
    epsilon: float | Fraction = 1.0
    accuracy: float = 0.1
    failure: float = 0.05
    rule: Rule = None
    order_blind: ClassVar[bool] = True

    def __post_init__(self) -> None:
        positive_as_given("epsilon", self.epsilon)
        checked_family(self.family, self.rule)
        for name in ("accuracy", "failure"):
            value = real(name, getattr(self, name))
            if not 0 < value < 1:
                raise InvalidArgument(f"{name} must be between 0 and 1, got {value!r}")

    @property
    def claim(self) -> PureDP:
        """Pure differential privacy at epsilon, of the labels.

        Source: chaudhuri2011:thm-26.
        """
        return PureDP(self.epsilon)

    @property
    def neighbours(self) -> LabelsOnly:
        """One label changed."""
        return LabelsOnly()

    def required_size(self, covering_number: float, best_risk: float = 0.0) -> int:
        """The least number of records with which theorem 27 promises the accuracy.

        Parameters
        ----------
        covering_number : float, at least 1
            The mean over samples X of the least size of an ``accuracy/8``-cover of the class under them.
        best_risk : float from 0 to 1
            The infimum of the risks in the class.

        Source: chaudhuri2011:thm-27.
        """
        dimension = self.family.vc_dimension
        if dimension is None or dimension == math.inf:
            raise InvalidArgument(f"family must have a finite VC dimension for a size to do, got {dimension}")
        return label_private_size(
            float(self.epsilon), self.accuracy, self.failure, int(dimension), covering_number, best_risk
        )

    @property
    def radius(self) -> float:
        """``eps/4``."""
        return self.accuracy / 4

    def candidates(self, dataset: Any) -> NDArray[Any]:
        """Step 1: the hypotheses of the net, shape (k, ...): a function of the points alone, in whatever order."""
        points = self.family.points(private_records(dataset)[0])
        if len(points) == 0:  # no distances: all hypotheses are alike
            return self.family.representatives(points, self.rule)
        data = _sorted(points)  # and the net takes less than half the time
        if data.dtype == object or data.nbytes > _REMEMBERED_BYTES or not isinstance(self.family, Hashable):
            return net(self.family, Atoms(data), self.radius, rule=self.rule).hypotheses
        return _remembered(self.family, self.radius, self.rule, data.tobytes(), data.dtype.str, data.shape)

    def scores(self, dataset: Any, candidates: NDArray[Any]) -> NDArray[np.int64]:
        """Minus the mistakes of each candidate, shape (k,); a record that comes twice counts twice."""
        return -mistakes(self.family, candidates, *private_records(dataset))

    def rate(self, dataset: Any) -> Fraction:
        """Nats per mistake: half of epsilon."""
        return Fraction(self.epsilon) / 2

    def choice(self, dataset: Any) -> tuple[NDArray[Any], Choice]:
        """Step 2: the candidates, shape (k, ...), and the choice among them."""
        candidates = self.candidates(dataset)
        return candidates, Choice(self.rate(dataset), self.scores(dataset, candidates))

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One hypothesis."""
        drawn = self.sample(dataset, 1, rng)[0]
        return drawn.item() if isinstance(drawn, np.generic) else drawn

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """``size`` independent hypotheses, shape (size, ...)."""
        candidates, choice = self.choice(dataset)
        return np.asarray(candidates[choice.sample(size, rng)])

    def distribution(self, dataset: Any) -> Law:
        """The exact law of the hypothesis, with integer scores."""
        candidates, choice = self.choice(dataset)
        return choice.law(as_outputs(candidates))


def _sorted(points: NDArray[Any]) -> NDArray[Any]:
    """The points in an order of their own."""
    if points.ndim == 1:
        return np.sort(points)
    if points.dtype == object:  # rows of Python's numbers, which numpy cannot sort
        return np.array(sorted(map(tuple, points.tolist())), dtype=object).reshape(points.shape)
    return points[np.lexsort(points.reshape(len(points), -1).T)]


@lru_cache(maxsize=_REMEMBERED)
def _remembered(
    family: HypothesisClass, radius: float, rule: Rule, data: bytes, dtype: str, shape: tuple[int, ...]
) -> NDArray[Any]:
    points = np.frombuffer(data, dtype=dtype).reshape(shape)
    found = net(family, Atoms(points), radius, rule=rule).hypotheses
    found.setflags(write=False)
    return found
