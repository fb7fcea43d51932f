"""What learners are compared with: no privacy at all, public data alone, and no data at all."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP
from dpcheck.model.data import SemiPrivate, describe_value, features_and_labels, is_labelled
from dpcheck.model.errors import InvalidArgument, nearest
from dpcheck.model.law import Law
from dpcheck.model.neighbours import PrivatePart, ReplaceOne
from dpcheck.parts.classes import FiniteHypothesisClass, HypothesisClass
from dpcheck.parts.classes.empirical_risk import empirical_minimisers
from dpcheck.parts.learners.records import private_records
from dpcheck.parts.mechanisms.choice import as_outputs

#: What to do when several dichotomies have the fewest mistakes.
TIES = ("first", "uniform")


@dataclass(frozen=True)
class EmpiricalRiskMinimiser:
    """A hypothesis with the fewest mistakes on all records. It promises no privacy, and has none.

    Parameters
    ----------
    family : HypothesisClass
    ties : ``"first"`` or ``"uniform"``
        Of several dichotomies with the fewest mistakes the first in the order of the class, or any of them equally
        likely.

    Raises
    ------
    InvalidArgument
        When an argument is none of these.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> EmpiricalRiskMinimiser(GridThresholds(9))(([2, 5, 7], [0, 1, 1]), np.random.default_rng())
    3
    """

    family: HypothesisClass
    ties: str = "first"
    order_blind: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _checked(self.family, self.ties)

    @property
    def neighbours(self) -> ReplaceOne:
        """One labelled record replaced."""
        return ReplaceOne()

    def candidates(self, dataset: Any) -> NDArray[Any]:
        """One hypothesis for each dichotomy that it may answer with, shape (k, ...)."""
        return _minimisers(self.family, *private_records(dataset), self.ties)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One hypothesis."""
        return _one(self.sample(dataset, 1, rng))

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """``size`` independent hypotheses, shape (size, ...)."""
        return _uniform(self.candidates(dataset), size, rng)

    def distribution(self, dataset: Any) -> Law:
        """The exact law of the hypothesis."""
        return _uniform_law(self.candidates(dataset))


@dataclass(frozen=True)
class PublicOnly:
    """A hypothesis with the fewest mistakes on the public part alone: 0-DP in the private part, which is not read.

    Parameters
    ----------
    family : HypothesisClass
    ties : ``"first"`` or ``"uniform"``
        As for :class:`EmpiricalRiskMinimiser`.

    Raises
    ------
    InvalidArgument
        When an argument is none of these.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> learner = PublicOnly(GridThresholds(9))
    >>> learner(SemiPrivate([(8, 0)], public=([2, 5, 7], [0, 1, 1])), np.random.default_rng()), learner.claim
    (3, PureDP(epsilon=0.0))
    """

    family: HypothesisClass
    ties: str = "first"
    order_blind: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _checked(self.family, self.ties)

    @property
    def claim(self) -> PureDP:
        """Nothing is told about the private part."""
        return PureDP(0.0)

    @property
    def neighbours(self) -> PrivatePart:
        """The private part, of which nothing is read."""
        return PrivatePart()

    def candidates(self, dataset: Any) -> NDArray[Any]:
        """One hypothesis for each dichotomy that it may answer with, shape (k, ...).

        Raises
        ------
        InvalidArgument
            When there is no public part, or it has no labels.
        """
        if not isinstance(dataset, SemiPrivate) or not is_labelled(dataset.public):
            described = describe_value(dataset.public if isinstance(dataset, SemiPrivate) else dataset)
            raise InvalidArgument(f"dataset must be SemiPrivate(private, public) with public labels, got {described}")
        return _minimisers(self.family, *features_and_labels(dataset.public), self.ties)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One hypothesis."""
        return _one(self.sample(dataset, 1, rng))

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """``size`` independent hypotheses, shape (size, ...)."""
        return _uniform(self.candidates(dataset), size, rng)

    def distribution(self, dataset: Any) -> Law:
        """The exact law of the hypothesis."""
        return _uniform_law(self.candidates(dataset))


@dataclass(frozen=True, eq=False)
class UniformChoice:
    """Any of some hypotheses, equally likely, whatever the data are: 0-DP.

    Parameters
    ----------
    hypotheses : array of shape (k, ...), k at least 1, or a finite hypothesis class
        Those to choose from, chosen without looking at private data: all of the class where that is given.

    Raises
    ------
    InvalidArgument
        When there are none.

    Examples
    --------
    >>> learner = UniformChoice([0, 3, 9])
    >>> learner([(1, 1)], np.random.default_rng()) in (0, 3, 9), learner.distribution([]).exact[0]
    (True, Fraction(1, 3))
    """

    hypotheses: Any
    order_blind: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not isinstance(self.hypotheses, FiniteHypothesisClass):
            array = np.asarray(self.hypotheses)
            if array.ndim == 0 or not len(array):
                raise InvalidArgument(
                    f"hypotheses must be an array of at least 1, or a finite class, got {self.hypotheses!r}"
                )

    @property
    def claim(self) -> PureDP:
        """Nothing is told about the data."""
        return PureDP(0.0)

    @property
    def neighbours(self) -> ReplaceOne:
        """One record replaced; any other relation does as well."""
        return ReplaceOne()

    def candidates(self, dataset: Any) -> NDArray[Any]:
        """Those to choose from, shape (k, ...)."""
        if isinstance(self.hypotheses, FiniteHypothesisClass):
            return self.hypotheses.everything()
        return np.asarray(self.hypotheses)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One hypothesis."""
        return _one(self.sample(dataset, 1, rng))

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """``size`` independent hypotheses, shape (size, ...)."""
        return _uniform(self.candidates(dataset), size, rng)

    def distribution(self, dataset: Any) -> Law:
        """The exact law of the hypothesis."""
        return _uniform_law(self.candidates(dataset))


def _checked(family: Any, ties: Any) -> None:
    if not isinstance(family, HypothesisClass):
        raise InvalidArgument(f"family must be a hypothesis class, got {family!r}")
    if ties not in TIES:
        hint = nearest(ties, TIES) if isinstance(ties, str) else ""
        raise InvalidArgument(f"ties must be one of {', '.join(TIES)}, got {ties!r}{hint}")


def _minimisers(family: HypothesisClass, x: Any, y: Any, ties: str) -> NDArray[Any]:
    return empirical_minimisers(family, x, y, ties="first" if ties == "first" else "all")


def _uniform(candidates: NDArray[Any], size: int, rng: np.random.Generator) -> NDArray[Any]:
    return np.asarray(candidates[rng.integers(len(candidates), size=size)])


def _uniform_law(candidates: NDArray[Any]) -> Law:
    return Law(as_outputs(candidates), exact=[Fraction(1, len(candidates))] * len(candidates))


def _one(drawn: NDArray[Any]) -> Any:
    return drawn[0].item() if isinstance(drawn[0], np.generic) else drawn[0]
