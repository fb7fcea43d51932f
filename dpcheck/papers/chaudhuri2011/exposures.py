"""Instances on which a learner that protects one part of its input shows another part for certain."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import Labelled, SemiPrivate
from dpcheck.model.law import Law
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.papers.alon2019.learners.cover import CoverLearner
from dpcheck.papers.chaudhuri2011.learners.label_private import LabelPrivateLearner
from dpcheck.parts.classes import GridThresholds
from dpcheck.parts.mechanisms.choice import Choice

_DOMAIN = GridThresholds(4)


@dataclass(frozen=True)
class Exposure:
    """Two datasets, neighbours in what the learner does not protect, and what only the first can give.

    Parameters
    ----------
    learner : the learner, which declares its law
    exposed : str, what differs between the two
    left, right : datasets

    Examples
    --------
    >>> found = features_exposed()
    >>> found.outputs, found.loss
    ([4], inf)
    """

    learner: Any
    exposed: str
    left: Any
    right: Any

    @property
    def outputs(self) -> list[Any]:
        """Those that the first dataset may give, and the second never does."""
        never = set(self.learner.distribution(self.right).outputs)
        return [output for output in self.learner.distribution(self.left).outputs if output not in never]

    @property
    def probability(self) -> float:
        """That of these outputs on the first dataset."""
        candidates, choice = self.learner.choice(self.left)
        return float(np.exp(choice.log_probabilities)[np.isin(candidates, self.outputs)].sum())

    @property
    def loss(self) -> float:
        """The privacy loss of the pair where it is infinite; 0 where these outputs say nothing."""
        return float("inf") if self.outputs else 0.0


@dataclass(frozen=True)
class FixedPrivate:
    """A semi-private learner beside one private sample: a learner of the public part, of which nothing is promised.

    Parameters
    ----------
    learner : CoverLearner
    private : its private part

    Examples
    --------
    >>> FixedPrivate(CoverLearner(GridThresholds(9)), private=([3], [1])).distribution([4]).outputs
    [0, 5]
    """

    learner: CoverLearner
    private: Any

    @property
    def neighbours(self) -> ReplaceOne:
        """One public point replaced."""
        return ReplaceOne()

    def choice(self, dataset: Any) -> tuple[NDArray[Any], Choice]:
        """The candidates and the choice among them, for a public part."""
        return self.learner.choice(SemiPrivate(self.private, dataset))

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One output."""
        return self.learner(SemiPrivate(self.private, dataset), rng)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """``size`` independent outputs."""
        return self.learner.sample(SemiPrivate(self.private, dataset), size, rng)

    def distribution(self, dataset: Any) -> Law:
        """The exact law of the output."""
        return self.learner.distribution(SemiPrivate(self.private, dataset))


def features_exposed(epsilon: float | Fraction = 1.0) -> Exposure:
    """The label-private learner A2 on two datasets of which one record's feature differs.

    Its candidates are one threshold for each dichotomy of the records' own points, so where they stand says which
    points there are: one record moved from point 3 to point 1, and the threshold behind 3, at first the most likely
    output of all, is no candidate any more.

    Source: chaudhuri2011:alg-2; thm-26 promises label privacy only.

    Examples
    --------
    >>> found = features_exposed(epsilon=1.0)
    >>> found.left.x, found.right.x, found.left.y == found.right.y
    ([0, 3], [0, 1], True)
    >>> round(found.probability, 4)
    0.5065
    """
    learner = LabelPrivateLearner(_DOMAIN, epsilon, accuracy=0.5)
    return Exposure(learner, "one record's feature", Labelled([0, 3], [0, 0]), Labelled([0, 1], [0, 0]))


def public_part_exposed(epsilon: float | Fraction = 1.0) -> Exposure:
    """The semi-private learner on two datasets of which one public point differs.

    Its candidates are one threshold for each dichotomy of the public points, whatever the private records are.

    Source: alon2019:alg-1; lem-3.2 promises privacy of the private part only.

    Examples
    --------
    >>> found = public_part_exposed(epsilon=1.0)
    >>> found.left, found.right, found.outputs, found.loss
    ([3], [1], [4], inf)
    """
    learner = FixedPrivate(CoverLearner(_DOMAIN, epsilon), Labelled([0, 3], [0, 0]))
    return Exposure(learner, "one public point", [3], [1])
