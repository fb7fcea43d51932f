"""A1 and A1r: a net of the class under a reference distribution, and a choice in it by private labelled records."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.papers.chaudhuri2011.learners.sizes import (
    AGNOSTIC_CONSTANT,
    REALISABLE_CONSTANT,
    Requirement,
    check_domain,
)
from dpcheck.parts.classes import HypothesisClass, mistakes
from dpcheck.parts.classes.doubling import doubling_dimension
from dpcheck.parts.classes.line import MOST_CENTRES
from dpcheck.parts.classes.nets import Net, net
from dpcheck.parts.classes.references import Atoms, Reference, UniformGrid, UniformSphere
from dpcheck.parts.classes.representatives import Rule
from dpcheck.parts.learners.families import checked_family
from dpcheck.parts.learners.records import private_records
from dpcheck.parts.mechanisms.choice import Choice, as_outputs
from dpcheck.parts.mechanisms.parameters import at_least_zero, count, positive, positive_as_given, real

#: Nets of more hypotheses are not made.
MOST_CANDIDATES = MOST_CENTRES
#: So many nets are remembered: audits ask for one again and again.
_REMEMBERED = 64
#: No two hypotheses are further apart.
_LARGEST_DISTANCE = 1.0


@dataclass(frozen=True)
class ReferenceLearner:
    """A1: the exponential mechanism over a net of the class under a reference distribution U.

    Step 1 solves ``n = C (1/(alpha eps) + 1/eps^2) (d log(kappa/eps) + log(1/delta))`` for kappa, which needs nothing
    but the number of records n; step 2 takes an ``eps/(4 kappa)``-packing of the class under the distance
    ``U(h != h')`` that is also a cover; step 3 draws h from it with probability proportional to ``exp(-(alpha/2)
    mistakes(h))``. The net is the same for all datasets of a size, and replacing a record moves every count of
    mistakes by at most 1: epsilon-DP (chaudhuri2011:thm-7).

    Small samples give kappa below 1, even below the accuracy, and then a radius past the largest distance: one
    hypothesis is the net. With no records the choice is uniform.

    Parameters
    ----------
    family : HypothesisClass
    reference : Atoms, UniformLine, LineLaw, UniformGrid, UniformSphere or Product
        U: public, and not estimated from the records.
    epsilon : float or Fraction, nats, above 0
        The paper's alpha.
    accuracy : float, between 0 and 1
        The paper's epsilon: excess risk allowed.
    failure : float, between 0 and 1
        The paper's delta: the probability with which it may be exceeded.
    doubling_dimension : float of at least 0, optional
        The paper's d_U, of the class under U; computed where :func:`~dpcheck.parts.classes.doubling.doubling_dimension`
        can.
    constant : float above 0, optional
        The paper's C, which it leaves universal: 40 (160 when realisable) proves theorem 8 (9) for epsilon up to 1
        and accuracy and failure up to 1/2.
    rule : name of one of the class's rules, optional
        Which hypothesis represents those at distance 0; any choice that does not look at the records is allowed.
    realisable : bool
        A1r: step 1 without the summand ``1/eps^2``, for distributions that some hypothesis labels without error.
    net_size : int of at least 1, optional
        More records than this use the net for this number of them, as the paper's net grows with the records past any
        memory. What is promised for ``net_size`` records is so for more: the net need be no finer, and each mistake
        counts as before.

    Raises
    ------
    InvalidArgument
        When an argument is none of these, or the doubling dimension is neither given nor known.

    Source: chaudhuri2011:alg-1, alg-1r.

    Examples
    --------
    >>> from dpcheck.parts.classes import Thresholds
    >>> from dpcheck.parts.classes.references import UniformLine
    >>> learner = ReferenceLearner(Thresholds(), UniformLine(), epsilon=1.0, accuracy=0.25, constant=1.0)
    >>> learner.net(72).hypotheses.tolist()
    [0.125, 0.375, 0.625, 0.875]
    >>> data = ([0.1, 0.3, 0.7, 0.9] * 18, [0, 0, 1, 1] * 18)
    >>> learner.distribution(data).exact.scores
    (-18, 0, 0, -18)
    >>> learner.required_size(smoothness=4.0)
    116
    """

    family: HypothesisClass
    reference: Reference
    epsilon: float | Fraction = 1.0
    accuracy: float = 0.1
    failure: float = 0.05
    doubling_dimension: float | None = None
    constant: float | None = None
    rule: Rule = None
    realisable: bool = False
    net_size: int | None = None
    order_blind: ClassVar[bool] = True

    def __post_init__(self) -> None:
        positive_as_given("epsilon", self.epsilon)
        checked_family(self.family, self.rule)
        for name in ("accuracy", "failure"):
            value = real(name, getattr(self, name))
            if not 0 < value < 1:
                raise InvalidArgument(f"{name} must be between 0 and 1, got {value!r}")
        if self.constant is None:
            object.__setattr__(self, "constant", REALISABLE_CONSTANT if self.realisable else AGNOSTIC_CONSTANT)
        positive("constant", self.constant)
        if self.doubling_dimension is None:
            object.__setattr__(self, "doubling_dimension", _computed(self.family, self.reference))
        at_least_zero("doubling_dimension", self.doubling_dimension)
        if self.net_size is not None:
            object.__setattr__(self, "net_size", count("net_size", self.net_size))

    @property
    def claim(self) -> PureDP:
        """Pure differential privacy at epsilon.

        Source: chaudhuri2011:thm-7.
        """
        return PureDP(self.epsilon)

    @property
    def neighbours(self) -> ReplaceOne:
        """One labelled record replaced; their number is public."""
        return ReplaceOne()

    @property
    def requirement(self) -> Requirement:
        """The theorem's expression at this learner's parameters."""
        return Requirement(
            float(self.epsilon),
            float(self.accuracy),
            float(self.failure),
            _given(self.doubling_dimension),
            _given(self.constant),
            self.realisable,
        )

    def required_size(self, smoothness: float) -> int:
        """The least number of records with which the theorem promises the accuracy.

        Parameters
        ----------
        smoothness : float, at least 1
            The paper's kappa: no set is more than so many times likelier under the records' distribution than under
            the reference.

        Raises
        ------
        InvalidArgument
            When it is below 1, or the explicit constant is not derived for these parameters, or the net for
            ``net_size`` records is too coarse.

        Source: chaudhuri2011:thm-8, thm-9.
        """
        if not (real("smoothness", smoothness) >= 1):
            raise InvalidArgument(f"smoothness must be at least 1, got {smoothness!r}")
        if self.constant in (AGNOSTIC_CONSTANT, REALISABLE_CONSTANT):
            check_domain(float(self.epsilon), self.accuracy, self.failure)
        size = self.requirement.least_size(math.log(smoothness))
        if self.net_size is not None and size > self.net_size:
            raise InvalidArgument(
                f"smoothness must be one that net_size = {self.net_size:,} records suffice for, got {smoothness!r}, "
                f"which takes {size:,}: the net is too coarse for it however many there are"
            )
        return size

    def log_smoothness(self, size: int) -> float:
        """Step 1: the logarithm of the smoothness that so many records suffice for; of any sign, nats.

        That of ``net_size`` for more records. Infinite for a class of doubling dimension 0, where the equation has no
        solution.
        """
        records = count("size", size, least=0)
        return self.requirement.log_smoothness(records if self.net_size is None else min(records, self.net_size))

    def radius(self, size: int) -> float:
        """``eps / (4 kappa)``, and 1, which no distance exceeds, where that is more; 0 where it underflows."""
        return min(_LARGEST_DISTANCE, math.exp(min(0.0, math.log(self.accuracy / 4) - self.log_smoothness(size))))

    def net(self, size: int) -> Net:
        """Step 2: the packing and cover for so many records.

        Raises
        ------
        InvalidArgument
            When it has too many hypotheses; the message says which sizes, accuracies and constants would do.
        """
        radius = self.radius(size)
        if radius < self._least_radius and not self._few_dichotomies():
            raise InvalidArgument(self._too_large(size))
        if isinstance(self.family, Hashable) and isinstance(self.reference, Hashable):
            return _remembered(self.family, self.reference, radius, self.rule)
        return net(self.family, self.reference, radius, rule=self.rule)

    def _few_dichotomies(self) -> bool:
        """Whether a net of any radius can be made: of the dichotomies of atoms, or of few points of a grid."""
        if isinstance(self.reference, UniformGrid):
            return self.reference.domain_size < MOST_CANDIDATES
        return isinstance(self.reference, Atoms) or self.requirement.doubling_dimension == 0

    @property
    def _least_radius(self) -> float:
        """That of the largest net: it has about ``1/radius`` hypotheses on the circle, ``1/(2 radius)`` on a line."""
        return (1 if isinstance(self.reference, UniformSphere) else 0.5) / MOST_CANDIDATES

    def _too_large(self, size: int) -> str:
        least = self._least_radius
        most = -math.log(4 * least)  # of log(kappa/eps): the radius is exp(-that)/4
        asked = self.requirement
        sizes = math.floor(asked.records(most))
        return (
            f"size must give a net of at most {MOST_CANDIDATES:,} hypotheses: eps/(4 kappa) >= {least:g} fails for "
            f"{size:,} records, where log kappa is {self.log_smoothness(size):.4g}; a size up to "
            f"{sizes:,} (or net_size={sizes}, whose net more records use too), an accuracy up to "
            f"{_shortened(asked.largest_accuracy(size, most), math.floor)} or a constant from "
            f"{_shortened(asked.least_constant(size, most), math.ceil)} on would do"
        )

    def candidates(self, dataset: Any) -> NDArray[Any]:
        """The hypotheses of the net, shape (k, ...): those for the number of records, whatever they are."""
        return self.net(len(private_records(dataset)[1])).hypotheses

    def scores(self, dataset: Any, candidates: NDArray[Any]) -> NDArray[np.int64]:
        """Minus the mistakes of each candidate, shape (k,); a record that comes twice counts twice."""
        return -mistakes(self.family, candidates, *private_records(dataset))

    def rate(self, dataset: Any) -> Fraction:
        """Nats per mistake: half of epsilon."""
        return Fraction(self.epsilon) / 2

    def choice(self, dataset: Any) -> tuple[NDArray[Any], Choice]:
        """Step 3: the candidates, shape (k, ...), and the choice among them."""
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


def _shortened(value: float, towards: Callable[[float], int]) -> str:
    """A number with three digits, rounded down or up.

    >>> _shortened(0.12345, math.floor), _shortened(452.31, math.ceil)
    ('0.123', '453')
    """
    unit = 10.0 ** (math.floor(math.log10(value)) - 2)
    return f"{towards(value / unit) * unit:.3g}"


def _computed(family: HypothesisClass, reference: Reference) -> float:
    """The doubling dimension where it is known."""
    try:
        return doubling_dimension(family, reference).dimension
    except InvalidArgument as error:
        raise InvalidArgument(f"doubling_dimension must be given here, got None: {error}") from error


def _given(value: float | None) -> float:
    """What ``__post_init__`` has filled in."""
    assert value is not None
    return float(value)


@lru_cache(maxsize=_REMEMBERED)
def _remembered(family: HypothesisClass, reference: Reference, radius: float, rule: Rule) -> Net:
    found = net(family, reference, radius, rule=rule)
    found.hypotheses.setflags(write=False)
    return found
