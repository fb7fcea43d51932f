"""The learners of beimel2015 for ``dpcheck learners``, each on a domain whose pairs can all be enumerated."""

from __future__ import annotations

from typing import Any

from dpcheck.model.data import UNLABELLED
from dpcheck.model.neighbours import Records, ReplaceEntry, ReplaceOne
from dpcheck.papers.beimel2015.learners.active_entries import ACTIVE_ENTRIES
from dpcheck.papers.beimel2015.learners.boost_entries import BOOST_ENTRIES
from dpcheck.papers.beimel2015.learners.exponential import ExponentialLearner
from dpcheck.papers.beimel2015.learners.generic import GenericLearner
from dpcheck.papers.beimel2015.learners.sanitiser_entries import SANITISING_ENTRIES
from dpcheck.parts.classes import GridThresholds
from dpcheck.parts.learners.class_instance import ClassInstance
from dpcheck.parts.learners.entry import LearnerEntry

_POINTS = [0, 1, 2]


def exponential(*, epsilon: Any = 1.0, domain_size: int = 3) -> ExponentialLearner:
    """The exponential mechanism over thresholds on a grid of ``domain_size`` points."""
    return ExponentialLearner(GridThresholds(domain_size), epsilon)


def generic(*, epsilon: Any = 1.0, domain_size: int = 3, points: int = 3, rule: str = "lowest") -> GenericLearner:
    """The generic semi-supervised learner of thresholds on a grid of ``domain_size`` points.

    ``points`` are put out by the sanitiser; ``rule`` says which threshold represents a dichotomy.
    """
    return GenericLearner.over(GridThresholds(domain_size), epsilon, points=points, rule=rule)


def _generic_of(instance: ClassInstance) -> GenericLearner:
    return GenericLearner.over(instance.family, points=2, domain=instance.points)


def _exponential_of(instance: ClassInstance) -> ExponentialLearner:
    return ExponentialLearner(instance.family)


ENTRIES = (
    LearnerEntry(
        "beimel2015.exponential",
        exponential,
        lambda: ReplaceOne(records=Records.labelled(features=_POINTS, labels=[0, 1, UNLABELLED]), size=3),
        algorithm="beimel2015:alg-5",
        theorem="beimel2015:prop-A.1",
        summary="exponential mechanism over a finite class, scored by correct labels",
        for_class=_exponential_of,
    ),
    LearnerEntry(
        "beimel2015.generic",
        generic,
        lambda: ReplaceEntry(records=Records.labelled(features=_POINTS, labels=[0, 1]), size=3, labelled=2),
        algorithm="beimel2015:alg-1",
        theorem="beimel2015:thm-3.3",
        summary="semi-supervised: candidates from sanitised unlabelled points, a choice by labelled ones",
        for_class=_generic_of,
    ),
    *SANITISING_ENTRIES,
    *BOOST_ENTRIES,
    *ACTIVE_ENTRIES,
)
