"""The learners of wang2016 that choose by the exponential mechanism or perturb, for ``dpcheck learners``."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.papers.wang2016.learners.boxes import LogConcaveOnBox
from dpcheck.papers.wang2016.learners.convex_losses import CoordinateDistances, LogisticLoss
from dpcheck.papers.wang2016.learners.cover import CoverExponential, RepresentedExponential
from dpcheck.papers.wang2016.learners.logconcave import LogConcaveExponential
from dpcheck.papers.wang2016.learners.on_interval import ExponentialOnInterval
from dpcheck.papers.wang2016.learners.perturbation import PerturbedMinimiser
from dpcheck.papers.wang2016.learners.regularised import RegularisedExponential
from dpcheck.papers.wang2016.learners.subset import BestSubset
from dpcheck.parts.classes import GridThresholds, Thresholds
from dpcheck.parts.classes.references import Atoms, UniformGrid
from dpcheck.parts.learners.class_instance import ClassInstance
from dpcheck.parts.learners.entry import LearnerEntry
from dpcheck.parts.risk.losses import PowerLoss, ZeroOneLoss

_NUMBERS = "its hypotheses and its records are real numbers"


def regularised(*, epsilon: Any = 1.0, domain_size: int = 3, sensitivity: Any = "exact") -> RegularisedExponential:
    """Algorithm 1 for thresholds on a grid."""
    return RegularisedExponential(ZeroOneLoss(GridThresholds(domain_size)), None, epsilon, None, sensitivity)


def regularised_median(
    *, epsilon: Any = 1.0, power: int = 1, weight: float = 0.25, sensitivity: Any = "exact"
) -> RegularisedExponential:
    """Algorithm 1 for a number of {0, 1/2, 1} near the records, regularised towards 0."""
    penalties = [Fraction(0), Fraction(weight) / 2, Fraction(weight)]
    return RegularisedExponential(PowerLoss(power), [0.0, 0.5, 1.0], epsilon, penalties, sensitivity)


def thresholds_on_interval(*, epsilon: Any = 1.0, sensitivity: Any = "exact") -> ExponentialOnInterval:
    """Algorithm 1 for all thresholds of [0, 1], with Lebesgue's measure."""
    return ExponentialOnInterval("thresholds", epsilon, sensitivity=sensitivity)


def median_on_interval(
    *, epsilon: Any = 1.0, low: float = 0.0, high: float = 1.0, sensitivity: Any = "exact"
) -> ExponentialOnInterval:
    """Algorithm 1 with the absolute loss for all numbers of an interval."""
    return ExponentialOnInterval("absolute", epsilon, low, high, sensitivity=sensitivity)


def cover(*, epsilon: Any = 1.0, domain_size: int = 4, radius: Any = 0.25) -> CoverExponential:
    """Algorithm 1 over a net of the thresholds on a grid, under the uniform distribution on it."""
    return CoverExponential(GridThresholds(domain_size), UniformGrid(domain_size), radius, epsilon)


def represented(*, epsilon: Any = 1.0) -> RepresentedExponential:
    """Algorithm 1 over one of two sets of thresholds, the first with probability 2/3."""
    return RepresentedExponential(ZeroOneLoss(GridThresholds(3)), [[0, 2], [1, 2, 3]], [2, 1], epsilon)


def subset(*, epsilon: Any = 0.5, dimension: int = 2, support: int = 1) -> BestSubset:
    """Best subset selection for linear regression, epsilon in each of its two stages."""
    return BestSubset(dimension, support, epsilon)


def perturbed(*, epsilon: Any = 1.0, power: int = 10, clip: bool = False) -> PerturbedMinimiser:
    """The minimiser of tenth powers with enough noise."""
    return PerturbedMinimiser(epsilon, power, clip=clip)


def perturbed_as_printed(*, epsilon: Any = 1.0, power: int = 10, clip: bool = False) -> PerturbedMinimiser:
    """The minimiser of tenth powers with the paper's noise."""
    return PerturbedMinimiser(epsilon, power, clip=clip, as_printed=True)


def log_concave(*, epsilon: Any = 1.0, power: int = 2, ridge: float = 0.0) -> LogConcaveExponential:
    """Algorithm 1 with a convex loss on [0, 1], drawn from exactly."""
    return LogConcaveExponential(power, epsilon, ridge=ridge)


def log_concave_as_printed(*, epsilon: Any = 1.0, power: int = 1, ridge: float = 0.0) -> LogConcaveExponential:
    """The same with the proposition's exponent."""
    return LogConcaveExponential(power, epsilon, ridge=ridge, as_printed=True)


def distances_on_box(*, epsilon: Any = 1.0, dimension: int = 2, power: int = 1, ridge: float = 0.0) -> LogConcaveOnBox:
    """Algorithm 1 with the sum of coordinates' distances on [0, 1]^dimension, drawn from exactly."""
    return LogConcaveOnBox(CoordinateDistances(dimension, power), epsilon, ridge)


def logistic_on_box(
    *,
    epsilon: Any = 1.0,
    dimension: int = 2,
    ridge: float = 0.0,
    trials: int | None = None,
    most_records: int | None = None,
) -> LogConcaveOnBox:
    """Algorithm 1 with the logistic loss on [-1, 1]^dimension, drawn from exactly where trials are not limited."""
    return LogConcaveOnBox(LogisticLoss(dimension), epsilon, ridge, trials, most_records)


def _grid(points: int, size: int) -> ReplaceOne:
    return ReplaceOne(records=Records.labelled(features=list(range(points)), labels=[0, 1]), size=size)


def _opposite() -> ReplaceOne:
    """A point of the plane with either label."""
    features = Records.of([(1.0, 1.0)])
    return ReplaceOne(records=Records.labelled(features=features, labels=[0, 1]), size=6)


def _rows(size: int) -> ReplaceOne:
    features = Records.of([(0.0, 1.0), (1.0, 0.0), (-1.0, 0.0)])
    return ReplaceOne(records=Records.labelled(features=features, labels=[-1.0, 1.0]), size=size)


def _regularised_of(instance: ClassInstance) -> RegularisedExponential:
    return RegularisedExponential(ZeroOneLoss(instance.family))


def _thresholds_on_interval_of(instance: ClassInstance) -> ExponentialOnInterval:
    if instance.family != Thresholds():
        raise InvalidArgument(f"family must be the thresholds on an interval, got {instance.family!r}")
    return ExponentialOnInterval("thresholds")


def _cover_of(instance: ClassInstance) -> CoverExponential:
    return CoverExponential(instance.family, Atoms(instance.points))


def _represented_of(instance: ClassInstance) -> RepresentedExponential:
    every = instance.family.representatives(instance.points)
    return RepresentedExponential(ZeroOneLoss(instance.family), [every[::2], every])


ENTRIES: tuple[LearnerEntry, ...] = (
    LearnerEntry(
        "wang2016.regularised",
        regularised,
        lambda: _grid(3, 3),
        algorithm="wang2016:alg-1",
        theorem="wang2016:thm-19",
        summary="Algorithm 1: the exponential mechanism over a finite class, scored by empirical risk",
        for_class=_regularised_of,
    ),
    LearnerEntry(
        "wang2016.regularised_median",
        regularised_median,
        lambda: ReplaceOne(records=[0.0, 1.0], size=6),
        algorithm="wang2016:alg-1",
        theorem="wang2016:thm-19",
        summary="Algorithm 1 with the absolute loss (or another power) and a regulariser, over three numbers",
        not_about_classes=_NUMBERS,
    ),
    LearnerEntry(
        "wang2016.thresholds_on_interval",
        thresholds_on_interval,
        lambda: ReplaceOne(records=Records.labelled(features=[0.25, 0.75], labels=[0, 1]), size=6),
        algorithm="wang2016:alg-1",
        theorem="wang2016:thm-19",
        summary="Algorithm 1 over all thresholds of [0, 1]: a density constant between the records",
        for_class=_thresholds_on_interval_of,
    ),
    LearnerEntry(
        "wang2016.median_on_interval",
        median_on_interval,
        lambda: ReplaceOne(records=[0.0, 1.0], size=6),
        algorithm="wang2016:alg-1",
        theorem="wang2016:thm-19",
        summary="Algorithm 1 with the absolute loss over [0, 1]: a density exponential between the records",
        not_about_classes=_NUMBERS,
    ),
    LearnerEntry(
        "wang2016.cover",
        cover,
        lambda: _grid(4, 2),
        algorithm="wang2016:alg-cover",
        theorem="wang2016:ex-24",
        summary="Algorithm 1 over a net of the class under a public reference distribution",
        for_class=_cover_of,
    ),
    LearnerEntry(
        "wang2016.represented",
        represented,
        lambda: _grid(3, 2),
        algorithm="wang2016:alg-cover",
        theorem="wang2016:ex-23",
        summary="Algorithm 1 over a finite set of hypotheses that is drawn before the data are seen",
        for_class=_represented_of,
    ),
    LearnerEntry(
        "wang2016.subset",
        subset,
        lambda: _rows(2),
        algorithm="wang2016:alg-subset",
        theorem="wang2016:ex-22",
        summary="two stages: a set of coordinates, then a hypothesis on them; 2 epsilon together",
        not_about_classes="its hypotheses are the coefficients of a regression, its labels real numbers",
    ),
    LearnerEntry(
        "wang2016.perturbed_minimiser",
        perturbed,
        lambda: ReplaceOne(records=[0.0, 1.0], size=8),
        algorithm="wang2016:alg-laplace10",
        theorem="wang2016:rem-B.rate",
        summary="minimiser of tenth powers plus Laplace noise of its true sensitivity",
        not_about_classes=_NUMBERS,
    ),
    LearnerEntry(
        "wang2016.perturbed_minimiser_as_printed",
        perturbed_as_printed,
        lambda: ReplaceOne(records=[0.0, 1.0], size=8),
        algorithm="wang2016:alg-laplace10",
        theorem="wang2016:rem-B.rate",
        summary="the same with the paper's noise 2/(epsilon n): 1.78 times epsilon on 8 records",
        as_printed=True,
    ),
    LearnerEntry(
        "wang2016.log_concave",
        log_concave,
        lambda: ReplaceOne(records=[0.0, 1.0], size=6),
        algorithm="wang2016:alg-logconcave",
        theorem="wang2016:prop-26",
        summary="Algorithm 1 with a convex loss over [0, 1]: a log-concave density, drawn from exactly",
        not_about_classes=_NUMBERS,
    ),
    LearnerEntry(
        "wang2016.log_concave_as_printed",
        log_concave_as_printed,
        lambda: ReplaceOne(records=[0.0, 1.0], size=6),
        algorithm="wang2016:alg-logconcave",
        theorem="wang2016:prop-26",
        summary="the same with exponent epsilon n q / B: 1.61 times epsilon on 6 records, 2 in the limit",
        as_printed=True,
    ),
    LearnerEntry(
        "wang2016.distances_on_box",
        distances_on_box,
        lambda: ReplaceOne(records=Records.of([[0.0, 0.0], [1.0, 1.0]]), size=6),
        algorithm="wang2016:alg-logconcave",
        theorem="wang2016:prop-26",
        summary="Algorithm 1 with coordinates' distances over a box: a product of log-concave densities",
        not_about_classes="its hypotheses and its records are vectors",
    ),
    LearnerEntry(
        "wang2016.logistic_on_box",
        logistic_on_box,
        _opposite,
        algorithm="wang2016:alg-logconcave",
        theorem="wang2016:prop-26",
        summary="Algorithm 1 with the logistic loss over a box: exact rejection, or a limit on trials in delta",
        not_about_classes="its hypotheses are weights, scored by a convex loss",
    ),
)
