"""The learners of wang2016 that are made of other learners, and its baselines, for ``dpcheck learners``."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.papers.alon2019.learners import CoverLearner, FixedPublic, GenericLearner
from dpcheck.papers.wang2016.learners.boosting import BoostedLearner
from dpcheck.papers.wang2016.learners.generic import OptimalPrivateLearner
from dpcheck.papers.wang2016.learners.subsample import SubsampledLearner
from dpcheck.papers.wang2016.learners.supports import EmptySet, Support
from dpcheck.papers.wang2016.learners.unprivate import Unprivate
from dpcheck.parts.classes import GridThresholds
from dpcheck.parts.learners.class_instance import ClassInstance
from dpcheck.parts.learners.entry import LearnerEntry
from dpcheck.parts.risk.losses import ZeroOneLoss
from dpcheck.parts.risk.problems import absolute_loss, classification

_POINTS = [0, 1]
#: Of a 0/1 record: mostly 0, and mostly 1.
_COINS = ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)))


def _labelled(size: int) -> ReplaceOne:
    return ReplaceOne(records=Records.labelled(features=_POINTS, labels=[0, 1]), size=size)


def _optimal(epsilon: Any, dataset_size: int) -> OptimalPrivateLearner:
    return OptimalPrivateLearner(classification(GridThresholds(2), _POINTS), epsilon, dataset_size)


def generic(*, epsilon: Any = 1.0, dataset_size: int = 3) -> OptimalPrivateLearner:
    """The best epsilon-DP learner of thresholds on two points, in the worst case over datasets."""
    return _optimal(epsilon, dataset_size)


def generic_over_distributions(*, epsilon: Any = 1.0, dataset_size: int = 4) -> OptimalPrivateLearner:
    """The best epsilon-DP learner of a coin's side, in the worst case over two coins."""
    return OptimalPrivateLearner(absolute_loss([0, 1]), epsilon, dataset_size, distributions=_COINS)


def subsample(
    *, epsilon: Any = 1.0, dataset_size: int = 4, sample_size: int | None = None, stated: Any = "exact"
) -> SubsampledLearner:
    """The best private learner of two records on two of four: it attains the bound of subsampling."""
    drawn = SubsampledLearner(lambda dataset, rng: None, dataset_size, sample_size).drawn
    return SubsampledLearner(_optimal(epsilon, drawn), dataset_size, sample_size, stated=stated)


def boost(
    *,
    epsilon: Any = 1.0,
    dataset_size: int = 3,
    failure: float = 0.5,
    rounding: Any = "up",
    validation_epsilon: Any = None,
    sensitivity: Any = "paper_bound",
    base: Literal["optimal", "exponential"] = "optimal",
) -> BoostedLearner:
    """A private learner of thresholds on two points, the best one or the exponential mechanism, boosted."""
    if base not in ("optimal", "exponential"):
        raise InvalidArgument(f"base must be 'optimal' or 'exponential', got {base!r}")
    problem = classification(GridThresholds(2), _POINTS)

    def on(part_size: int) -> BoostedLearner:
        learner = _optimal(epsilon, part_size) if base == "optimal" else GenericLearner(GridThresholds(2), epsilon)
        return BoostedLearner(learner, problem, dataset_size, failure, rounding, validation_epsilon, sensitivity)

    return on(on(1).part_size)


def boost_as_printed(*, epsilon: Any = 8.0, dataset_size: int = 4, failure: float = 0.5) -> BoostedLearner:
    """The generic learner at epsilon/m on m records, boosted, with the claim that the theorem prints."""
    grid = GridThresholds(2)

    def at(size: float) -> float:
        return float(epsilon) / size

    part = boost(dataset_size=dataset_size, failure=failure).part_size
    learner = GenericLearner(grid, at(part))
    return BoostedLearner(learner, ZeroOneLoss(grid), dataset_size, failure, as_printed=True, learner_epsilon=at)


def unprivate(*, epsilon: Any = 1.0, dataset_size: int = 3) -> Unprivate:
    """The best private learner of a coin's side, made to show whether there is a 1."""
    return Unprivate(OptimalPrivateLearner(absolute_loss([0, 1]), epsilon, dataset_size), marker=1, outside=2)


def _inner(instance: ClassInstance) -> FixedPublic:
    """A private learner of any class, to make others of."""
    return FixedPublic(CoverLearner(instance.family), instance.points)


def _generic_of(instance: ClassInstance) -> OptimalPrivateLearner:
    problem = classification(instance.family, instance.points)
    return OptimalPrivateLearner(problem, 1.0, instance.size)


def _generic_over_distributions_of(instance: ClassInstance) -> OptimalPrivateLearner:
    """In the worst case over the hypotheses that may have labelled the points, each point equally likely."""
    problem, share = classification(instance.family, instance.points), Fraction(1, len(instance.points))
    distributions = tuple(tuple((1 - loss) * share for loss in row) for row in problem.losses)
    return OptimalPrivateLearner(problem, 1.0, instance.size, distributions=distributions)


def _subsample_of(instance: ClassInstance) -> SubsampledLearner:
    return SubsampledLearner(_inner(instance), instance.size)


def _boost_of(instance: ClassInstance) -> BoostedLearner:
    return BoostedLearner(_inner(instance), ZeroOneLoss(instance.family), instance.size, failure=0.5)


def _unprivate_of(instance: ClassInstance) -> Unprivate:
    marker = (instance.points[0], 0)
    return Unprivate(_inner(instance), marker, problem=classification(instance.family, instance.points))


ENTRIES: tuple[LearnerEntry, ...] = (
    LearnerEntry(
        "wang2016.generic",
        generic,
        lambda: _labelled(3),
        algorithm="wang2016:alg-generic-6",
        theorem="wang2016:thm-18",
        summary="the best of all private learners on a finite problem, worst case over datasets, by linear programming",
        for_class=_generic_of,
    ),
    LearnerEntry(
        "wang2016.generic_over_distributions",
        generic_over_distributions,
        lambda: ReplaceOne(records=[0, 1], size=4),
        algorithm="wang2016:alg-generic-7",
        theorem="wang2016:thm-18",
        summary="the best of all private learners on a finite problem, worst case over distributions",
        for_class=_generic_over_distributions_of,
    ),
    LearnerEntry(
        "wang2016.subsample",
        subsample,
        lambda: _labelled(4),
        algorithm="wang2016:alg-sub",
        theorem="wang2016:lem-34",
        summary="a private learner on floor(sqrt n) of the records: more private, and near to minimising",
        for_class=_subsample_of,
    ),
    LearnerEntry(
        "wang2016.boost",
        boost,
        lambda: _labelled(3),
        algorithm="wang2016:alg-boost",
        theorem="wang2016:thm-25",
        summary="several private runs on disjoint parts, a private choice among them: high confidence",
        for_class=_boost_of,
    ),
    LearnerEntry(
        "wang2016.boost_as_printed",
        boost_as_printed,
        lambda: _labelled(4),
        algorithm="wang2016:alg-boost",
        theorem="wang2016:thm-25",
        summary="boosting with the sample size that the theorem prints, log(3/n) for log(3/failure): it loses more",
        as_printed=True,
    ),
    LearnerEntry(
        "wang2016.support",
        Support,
        lambda: ReplaceOne(records=[0.25, 0.5, 0.75], size=3),
        algorithm="wang2016:alg-support",
        summary="the set of the points seen: minimises the empirical risk, not private, claims nothing",
        not_about_classes="its hypotheses are sets that should hold the records, which have no labels",
    ),
    LearnerEntry(
        "wang2016.empty",
        EmptySet,
        lambda: ReplaceOne(records=[0.25, 0.5, 0.75], size=3),
        algorithm="wang2016:alg-empty",
        theorem="wang2016:ex-17",
        summary="the empty set, whatever the data: 0-DP",
        not_about_classes="its hypotheses are sets that should hold the records, which have no labels",
    ),
    LearnerEntry(
        "wang2016.unprivate",
        unprivate,
        lambda: ReplaceOne(records=[0, 1], size=3),
        algorithm="wang2016:alg-unprivate",
        summary="a private learner that shows whether a record is there, at a cost in risk of 1/n: claims nothing",
        for_class=_unprivate_of,
    ),
)
