"""The learners of chaudhuri2011 for ``dpcheck learners``, each on a domain whose pairs can all be enumerated."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

from dpcheck.model.neighbours import LabelsOnly, Records, Relation, ReplaceOne
from dpcheck.papers.chaudhuri2011.learners.label_private import LabelPrivateLearner
from dpcheck.papers.chaudhuri2011.learners.reference import ReferenceLearner
from dpcheck.parts.classes import FiniteClass, GridBoxes, GridThresholds, OriginHalfPlanes, Thresholds
from dpcheck.parts.classes.references import Atoms, UniformLine, UniformSphere
from dpcheck.parts.learners.class_instance import ClassInstance
from dpcheck.parts.learners.entry import LearnerEntry

#: C at which three or four records ask for a net of several hypotheses; what a theorem needs is 40 and 160.
_SMALL_CONSTANT = 0.1
_CORNERS = [*product((0, 1), repeat=2)]
_TABLE = [[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 0]]


def _replaced(features: list[Any], size: int) -> Relation:
    return ReplaceOne(records=Records.labelled(features=Records.of(features), labels=[0, 1]), size=size)


def thresholds(
    *, epsilon: Any = 1.0, accuracy: float = 0.25, failure: float = 0.5, constant: float = _SMALL_CONSTANT
) -> ReferenceLearner:
    """A1 for thresholds on [0, 1] under the uniform distribution."""
    return ReferenceLearner(Thresholds(), UniformLine(), epsilon, accuracy, failure, constant=constant)


def realisable_thresholds(
    *, epsilon: Any = 1.0, accuracy: float = 0.25, failure: float = 0.5, constant: float = 0.6
) -> ReferenceLearner:
    """A1r for thresholds on [0, 1] under the uniform distribution."""
    return ReferenceLearner(Thresholds(), UniformLine(), epsilon, accuracy, failure, constant=constant, realisable=True)


def weighted_thresholds(
    *, epsilon: Any = 1.0, accuracy: float = 0.25, failure: float = 0.5, constant: float = _SMALL_CONSTANT
) -> ReferenceLearner:
    """A1 for thresholds on a grid under a distribution of four atoms."""
    reference = Atoms([0, 1, 2, 3], weights=[1, 1, 4, 2])
    return ReferenceLearner(GridThresholds(4), reference, epsilon, accuracy, failure, constant=constant)


def separators(
    *, epsilon: Any = 1.0, accuracy: float = 0.25, failure: float = 0.5, constant: float = _SMALL_CONSTANT
) -> ReferenceLearner:
    """A1 for separators of the plane under the uniform distribution on the circle."""
    return ReferenceLearner(OriginHalfPlanes(), UniformSphere(2), epsilon, accuracy, failure, constant=constant)


def boxes(
    *, epsilon: Any = 1.0, accuracy: float = 0.25, failure: float = 0.5, constant: float = 0.05
) -> ReferenceLearner:
    """A1 for rectangles on the corners of a square."""
    return ReferenceLearner(GridBoxes(2, 2), Atoms(_CORNERS), epsilon, accuracy, failure, constant=constant)


def explicit(
    *, epsilon: Any = 1.0, accuracy: float = 0.25, failure: float = 0.5, constant: float = _SMALL_CONSTANT
) -> ReferenceLearner:
    """A1 for a listed class of four hypotheses on three points."""
    return ReferenceLearner(FiniteClass(_TABLE), Atoms([0, 1, 2]), epsilon, accuracy, failure, constant=constant)


def label_private(*, epsilon: Any = 1.0, accuracy: float = 0.5, domain_size: int = 3) -> LabelPrivateLearner:
    """A2 for thresholds on a grid."""
    return LabelPrivateLearner(GridThresholds(domain_size), epsilon, accuracy)


def _agnostic_of(instance: ClassInstance) -> ReferenceLearner:
    reference = Atoms(instance.points)
    return ReferenceLearner(instance.family, reference, 1.0, 0.25, 0.5, constant=_SMALL_CONSTANT)


def _realisable_of(instance: ClassInstance) -> ReferenceLearner:
    return replace(_agnostic_of(instance), realisable=True)


def _label_private_of(instance: ClassInstance) -> LabelPrivateLearner:
    return LabelPrivateLearner(instance.family, 1.0, 0.5)


ENTRIES = (
    LearnerEntry(
        "chaudhuri2011.A1",
        thresholds,
        lambda: _replaced([0.2, 0.5, 0.8], size=3),
        algorithm="chaudhuri2011:alg-1",
        theorem="chaudhuri2011:thm-7",
        summary="A1: a net under a public reference distribution, a choice in it by records; thresholds, uniform U",
        for_class=_agnostic_of,
    ),
    LearnerEntry(
        "chaudhuri2011.A1r",
        realisable_thresholds,
        lambda: _replaced([0.2, 0.5, 0.8], size=3),
        algorithm="chaudhuri2011:alg-1r",
        theorem="chaudhuri2011:thm-7",
        summary="A1r: A1 with the smaller sample of the realisable case",
        for_class=_realisable_of,
    ),
    LearnerEntry(
        "chaudhuri2011.A2",
        label_private,
        lambda: LabelsOnly(Records.labelled(features=[0, 1, 2], labels=[0, 1]), size=3),
        algorithm="chaudhuri2011:alg-2",
        theorem="chaudhuri2011:thm-26",
        summary="A2: a net under the records' own points, a choice in it by labels: private in the labels only",
        for_class=_label_private_of,
    ),
    LearnerEntry(
        "chaudhuri2011.A1_atoms",
        weighted_thresholds,
        lambda: _replaced([0, 1, 3], size=3),
        algorithm="chaudhuri2011:alg-1",
        theorem="chaudhuri2011:thm-7",
        summary="A1 for thresholds under a reference distribution of atoms",
    ),
    LearnerEntry(
        "chaudhuri2011.A1_separators",
        separators,
        lambda: _replaced([(1, 0), (0, 1), (-1, 1)], size=3),
        algorithm="chaudhuri2011:alg-1",
        theorem="chaudhuri2011:thm-7",
        summary="A1 for separators of the plane under the uniform distribution on the circle",
    ),
    LearnerEntry(
        "chaudhuri2011.A1_boxes",
        boxes,
        lambda: _replaced(_CORNERS, size=2),
        algorithm="chaudhuri2011:alg-1",
        theorem="chaudhuri2011:thm-7",
        summary="A1 for rectangles under a reference distribution of atoms",
    ),
    LearnerEntry(
        "chaudhuri2011.A1_explicit",
        explicit,
        lambda: _replaced([0, 1, 2], size=3),
        algorithm="chaudhuri2011:alg-1",
        theorem="chaudhuri2011:thm-7",
        summary="A1 for a class that is listed",
    ),
)
