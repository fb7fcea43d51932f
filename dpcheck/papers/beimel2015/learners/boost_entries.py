"""LabelBoostProcedure and LabelBoost for ``dpcheck learners``, each on a domain whose pairs can all be enumerated."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal, TypeAlias

from dpcheck.model.errors import InvalidArgument, nearest
from dpcheck.model.neighbours import Records, ReplaceEntry
from dpcheck.papers.alon2019.learners import CoverLearner, FixedPublic
from dpcheck.papers.beimel2015.learners.boost_sizes import BoostConstants
from dpcheck.papers.beimel2015.learners.exponential import ExponentialLearner
from dpcheck.papers.beimel2015.learners.label_boost import LabelBoost, LabelBoostProcedure
from dpcheck.papers.beimel2015.learners.label_count import NoisyLabelCount
from dpcheck.parts.classes import GridThresholds
from dpcheck.parts.learners.class_instance import ClassInstance
from dpcheck.parts.learners.entry import LearnerEntry

#: Of two labelled and three unlabelled entries one and two are kept, and all three draws are from these.
TINY = BoostConstants(
    enough=3, stretch=3, unlabelled=3, exponent_divisor=Fraction(1, 100), kept=Fraction(1, 2), kept_last=Fraction(1)
)


#: What is run on the relabelled entries.
Base: TypeAlias = Literal["exponential", "count"]
_BASES = ("exponential", "count")


def _base(name: str, grid: GridThresholds, epsilon: Any) -> ExponentialLearner | NoisyLabelCount:
    if name not in _BASES:
        raise InvalidArgument(f"base must be one of {', '.join(_BASES)}, got {name!r}{nearest(name, _BASES)}")
    return ExponentialLearner(grid, epsilon) if name == "exponential" else NoisyLabelCount(epsilon)


def label_boost_procedure(
    *,
    base: Base = "exponential",
    base_epsilon: Any = 1.0,
    choice_epsilon: Any = 1.0,
    domain_size: int = 2,
    stretched: int = 2,
    rule: str = "lowest",
) -> LabelBoostProcedure:
    """LabelBoostProcedure before a private algorithm, for thresholds on a grid of ``domain_size`` points.

    ``base`` is the exponential mechanism over these thresholds, or the count of labels after randomised response.
    """
    grid = GridThresholds(domain_size)
    return LabelBoostProcedure(_base(base, grid, base_epsilon), grid, stretched, choice_epsilon, rule)


def label_boost(
    *, base: Base = "exponential", base_epsilon: Any = 1.0, choice_epsilon: Any = 1.0, domain_size: int = 2
) -> LabelBoost:
    """LabelBoost of a private algorithm, for thresholds on a grid of ``domain_size`` points.

    The constants are such that the law can be computed: of 2 labelled and 3 unlabelled entries one and two are kept,
    labelled anew, and the base learner is run on 3 draws from these. ``base`` is as in LabelBoostProcedure.
    """
    grid = GridThresholds(domain_size)
    return LabelBoost(_base(base, grid, base_epsilon), grid, 2, 1, 1, 1, 3, TINY, choice_epsilon, rounding="up")


def _base_of(instance: ClassInstance) -> FixedPublic:
    """A private learner of any class: with the instance's points as public sample (alon2019's A_SSPP)."""
    return FixedPublic(CoverLearner(instance.family), instance.points)


def _procedure_of(instance: ClassInstance) -> LabelBoostProcedure:
    return LabelBoostProcedure(_base_of(instance), instance.family)


def _label_boost_of(instance: ClassInstance) -> LabelBoost:
    return LabelBoost(_base_of(instance), instance.family, instance.size, 1, 1, 1, 0, TINY, rounding="up")


def _relation(labelled: int, unlabelled: int) -> ReplaceEntry:
    return ReplaceEntry(Records.labelled(features=[0, 1], labels=[0, 1]), labelled + unlabelled, labelled)


BOOST_ENTRIES = (
    LearnerEntry(
        "beimel2015.label_boost_procedure",
        label_boost_procedure,
        lambda: _relation(2, 3),
        algorithm="beimel2015:alg-2",
        theorem="beimel2015:lem-4.1",
        summary="labels of many entries by one hypothesis that a few labels chose, before a private learner",
        for_class=_procedure_of,
    ),
    LearnerEntry(
        "beimel2015.label_boost",
        label_boost,
        lambda: _relation(2, 3),
        algorithm="beimel2015:alg-3",
        theorem="beimel2015:lem-4.6",
        summary="a private learner made to need few labels: labelled anew and subsampled, iteration by iteration",
        for_class=_label_boost_of,
    ),
)
