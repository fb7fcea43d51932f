"""The learners of alon2019 for ``dpcheck learners``, each on a domain whose pairs can all be enumerated."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

from dpcheck.model.errors import InvalidArgument, nearest
from dpcheck.model.neighbours import LabelsOnly, Records, ReplaceOne
from dpcheck.papers.alon2019.learners.adapters import FixedPublic, LabelPrivate
from dpcheck.papers.alon2019.learners.cover import CoverLearner
from dpcheck.papers.alon2019.learners.generic import GenericLearner
from dpcheck.papers.alon2019.learners.reduction import FromSemiPrivate
from dpcheck.papers.alon2019.learners.sampling import Dummies, Mode
from dpcheck.parts.classes import GridThresholds
from dpcheck.parts.learners.class_instance import ClassInstance
from dpcheck.parts.learners.entry import LearnerEntry

_POINTS = [0, 1, 2]
_INSIDE = {"generic": GenericLearner, "cover": CoverLearner}


def _records() -> Records:
    return Records.labelled(features=_POINTS, labels=[0, 1])


def generic(*, epsilon: Any = 1.0, domain_size: int = 3) -> GenericLearner:
    """The generic private learner of thresholds on a grid of ``domain_size`` points."""
    return GenericLearner(GridThresholds(domain_size), epsilon)


def cover(
    *, epsilon: Any = 1.0, domain_size: int = 3, rule: str = "lowest", public: tuple[int, ...] = (0, 1)
) -> FixedPublic:
    """A_SSPP for thresholds on a grid of ``domain_size`` points, beside one public sample.

    ``rule`` says which threshold represents a dichotomy: lowest, highest or middle.
    """
    return FixedPublic(CoverLearner(GridThresholds(domain_size), epsilon, rule), list(public))


def label_private(*, epsilon: Any = 1.0, domain_size: int = 3, rule: str = "lowest") -> LabelPrivate:
    """A_SSPP for thresholds on a grid of ``domain_size`` points, all features its public sample."""
    return LabelPrivate(CoverLearner(GridThresholds(domain_size), epsilon, rule))


def reduction(
    *,
    epsilon: Any = 1.0,
    inside: Literal["generic", "cover"] = "generic",
    private: int = 3,
    public: int = 1,
    probability: Any = "1/2",
    mode: Mode = "fill",
) -> FromSemiPrivate:
    """The private learner made of a semi-private one (``inside``) of thresholds on two points.

    The sizes are such that the law can be computed; the paper's probability is 1 / (100 public).
    """
    if inside not in _INSIDE:
        raise InvalidArgument(f"inside must be one of {', '.join(_INSIDE)}, got {inside!r}{nearest(inside, _INSIDE)}")
    learner = _INSIDE[inside](GridThresholds(2), epsilon)
    return FromSemiPrivate(learner, private, public, Dummies([0]), mode, Fraction(probability))


def _generic_of(instance: ClassInstance) -> GenericLearner:
    return GenericLearner(instance.family)  # type: ignore[arg-type]  # which it refuses where it is not finite


def _cover_of(instance: ClassInstance) -> FixedPublic:
    return FixedPublic(CoverLearner(instance.family), instance.points)


def _label_private_of(instance: ClassInstance) -> LabelPrivate:
    return LabelPrivate(CoverLearner(instance.family))


def _reduction_of(instance: ClassInstance) -> FromSemiPrivate:
    return FromSemiPrivate(CoverLearner(instance.family), private=3, public=1, dummies=Dummies(instance.points))


ENTRIES = (
    LearnerEntry(
        "alon2019.generic",
        generic,
        lambda: ReplaceOne(records=_records(), size=3),
        algorithm="alon2019:alg-gen",
        summary="exponential mechanism over a finite class, scored by mistakes",
        for_class=_generic_of,
    ),
    LearnerEntry(
        "alon2019.cover",
        cover,
        lambda: ReplaceOne(records=_records(), size=3),
        algorithm="alon2019:alg-1",
        theorem="alon2019:lem-3.2",
        summary="A_SSPP: a cover from public points, a choice in it by private labels",
        for_class=_cover_of,
    ),
    LearnerEntry(
        "alon2019.label_private",
        label_private,
        lambda: LabelsOnly(_records(), size=3),
        algorithm="alon2019:alg-1",
        theorem="alon2019:lem-3.2",
        summary="A_SSPP with the records' own features as public sample: private in the labels only",
        for_class=_label_private_of,
    ),
    LearnerEntry(
        "alon2019.reduction",
        reduction,
        lambda: ReplaceOne(records=Records.labelled(features=[0], labels=[0, 1]), size=2),
        algorithm="alon2019:alg-2",
        theorem="alon2019:clm-4.5",
        summary="the paper's B: a private learner made of a semi-private one",
        for_class=_reduction_of,
    ),
)
