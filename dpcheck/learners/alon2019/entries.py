"""The learners of alon2019 for ``dpcheck learners``, each on a domain whose pairs can all be enumerated."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcheck.classes import GridThresholds
from dpcheck.learners.alon2019.adapters import FixedPublic, LabelPrivate
from dpcheck.learners.alon2019.cover import CoverLearner
from dpcheck.learners.alon2019.generic import GenericLearner
from dpcheck.learners.alon2019.reduction import FromSemiPrivate
from dpcheck.learners.alon2019.sampling import Dummies
from dpcheck.learners.entry import LearnerEntry
from dpcheck.neighbours import LabelsOnly, Records, ReplaceOne

_POINTS = [0, 1, 2]


def _records() -> Records:
    return Records.labelled(features=_POINTS, labels=[0, 1])


def generic(*, epsilon: Any = 1.0, domain_size: int = 3) -> GenericLearner:
    """The generic private learner of thresholds on a grid."""
    return GenericLearner(GridThresholds(domain_size), epsilon)


def cover(*, epsilon: Any = 1.0, domain_size: int = 3, rule: str = "lowest", public: tuple[int, ...] = (0, 1)) -> Any:
    """A_SSPP for thresholds on a grid, beside one public sample."""
    return FixedPublic(CoverLearner(GridThresholds(domain_size), epsilon, rule), list(public))


def label_private(*, epsilon: Any = 1.0, domain_size: int = 3) -> LabelPrivate:
    """A_SSPP with all features as its public sample."""
    return LabelPrivate(CoverLearner(GridThresholds(domain_size), epsilon))


def reduction(*, epsilon: Any = 1.0) -> FromSemiPrivate:
    """The private learner made of a semi-private one, at sizes whose law can be computed."""
    learner = GenericLearner(GridThresholds(2), epsilon)
    return FromSemiPrivate(learner, private=3, public=1, dummies=Dummies([0]), probability=Fraction(1, 2))


ENTRIES = (
    LearnerEntry(
        "alon2019.generic",
        generic,
        lambda: ReplaceOne(records=_records(), size=3),
        algorithm="alon2019:alg-gen",
        summary="exponential mechanism over a finite class, scored by mistakes",
    ),
    LearnerEntry(
        "alon2019.cover",
        cover,
        lambda: ReplaceOne(records=_records(), size=3),
        algorithm="alon2019:alg-1",
        theorem="alon2019:lem-3.2",
        summary="A_SSPP: a cover from public points, a choice in it by private labels",
    ),
    LearnerEntry(
        "alon2019.label_private",
        label_private,
        lambda: LabelsOnly(_records(), size=3),
        algorithm="alon2019:alg-1",
        theorem="alon2019:lem-3.2",
        summary="A_SSPP with the records' own features as public sample: private in the labels only",
    ),
    LearnerEntry(
        "alon2019.reduction",
        reduction,
        lambda: ReplaceOne(records=Records.labelled(features=[0], labels=[0, 1]), size=2),
        algorithm="alon2019:alg-2",
        theorem="alon2019:clm-4.5",
        summary="the paper's B: a private learner made of a semi-private one",
    ),
)
