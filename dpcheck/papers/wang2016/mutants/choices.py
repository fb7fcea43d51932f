"""Broken versions of the learners of wang2016 that choose by the exponential mechanism or perturb, a defect each."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck import Labelled, Records, ReplaceOne
from dpcheck.model.data import record_at, size_of
from dpcheck.papers.wang2016.learners.boxes import LogConcaveOnBox
from dpcheck.papers.wang2016.learners.cover import CoverExponential, RepresentedExponential
from dpcheck.papers.wang2016.learners.logconcave import LogConcaveExponential
from dpcheck.papers.wang2016.learners.on_interval import ExponentialOnInterval
from dpcheck.papers.wang2016.learners.perturbation import PerturbedMinimiser
from dpcheck.papers.wang2016.learners.regularised import RegularisedExponential
from dpcheck.papers.wang2016.learners.subset import BestSubset
from dpcheck.parts.classes import mistakes
from dpcheck.parts.classes.nets import net
from dpcheck.parts.classes.references import Atoms
from dpcheck.parts.learners.mutants import Mutant
from dpcheck.parts.learners.records import private_records
from dpcheck.parts.mechanisms.choice import Choice
from dpcheck.parts.risk.losses import Sums, sums_of

LEARNERS: tuple[Any, ...] = (
    RegularisedExponential,
    ExponentialOnInterval,
    LogConcaveExponential,
    LogConcaveOnBox,
    CoverExponential,
    RepresentedExponential,
    BestSubset,
)


def right(name: str) -> Callable[..., Any]:
    """The method as the right learner has it, whichever it is of."""

    def call(learner: Any, *arguments: Any) -> Any:
        kind = next(each for each in LEARNERS if isinstance(learner, each))
        return getattr(kind, name)(learner, *arguments)

    return call


rate, scores, losses = right("rate"), right("scores"), right("losses")


def rate_without_the_half(learner: Any, dataset: Any) -> Fraction:
    return Fraction(2 * rate(learner, dataset))


def rate_of_the_mean(learner: Any, dataset: Any) -> Fraction:
    """Sums beside the sensitivity of means."""
    return Fraction(rate(learner, dataset) * size_of(dataset))


def rate_by_distinct_points(learner: Any, dataset: Any) -> Fraction:
    return Fraction(rate(learner, dataset) * len({record_at(dataset, row)[0] for row in range(size_of(dataset))}))


def rate_by_the_range_of_the_data(learner: Any, dataset: Any) -> Any:
    """The sensitivity by the records at hand: small where they are alike."""
    return rate(learner, dataset) / max(Fraction(float(np.ptp(dataset))), Fraction(1, 4))


def dichotomies_of_private_points(learner: Any, dataset: Any) -> Any:
    return learner.loss.family.representatives(private_records(dataset)[0])


def net_of_private_points(learner: Any, dataset: Any) -> Any:
    return net(learner.family, Atoms(private_records(dataset)[0]), learner.radius).hypotheses


def least_counted_again(learner: Any, dataset: Any, candidates: Any) -> Any:
    """The candidates with the fewest mistakes get a bonus."""
    found = scores(learner, dataset, candidates)
    if isinstance(found, Sums):
        return Sums(found.values + 2 * (found.values == found.values.max()), found.unit)
    return found + 2 * (found == found.max())


def last_record_again(learner: Any, dataset: Any, candidates: Any) -> Sums:
    """One more record counted: the last one, twice."""
    found = losses(learner, dataset, candidates)
    last = [record_at(dataset, size_of(dataset) - 1)]
    again = sums_of(learner.loss, candidates, last)
    return Sums(found.values + again.values, found.unit)


def mean_over_distinct_records(learner: Any, dataset: Any, candidates: Any) -> Sums:
    """Duplicates dropped, and the mean taken over what is left."""
    n = size_of(dataset)
    distinct = sorted({record_at(dataset, row) for row in range(n)})
    found = sums_of(learner.loss, candidates, distinct)
    return Sums(found.values * (12 * n // len(distinct)), found.unit / 12)


def penalties_by_labels(learner: Any, dataset: Any, candidates: Any) -> Any:
    """A regulariser that knows how many labels are 1."""
    return np.asarray(candidates) * int(np.sum(private_records(dataset)[1]))


def penalties_by_the_mean(learner: Any, dataset: Any, candidates: Any) -> Any:
    """A regulariser towards 1, the more so the larger the mean is."""
    return np.array([-Fraction(float(h)) * Fraction(float(np.sum(dataset))) for h in candidates])


def counted_once_more_for_each_point(learner: Any, dataset: Any) -> Choice:
    """Dichotomies counted again for each pair of private points they label 1."""
    candidates = learner.candidates(dataset)
    times = 1 + learner.family.predict(candidates, private_records(dataset)[0]).sum(axis=1, dtype=np.int64) ** 2
    return Choice(learner.rate(dataset), learner.scores(dataset, candidates), times)


def labels_weigh_twice(learner: Any, dataset: Any, candidates: Any) -> Any:
    """Records labelled 1 count three times."""
    x, y = private_records(dataset)
    ones = [(point, label) for point, label in zip(x, y, strict=True) if label]
    twice = Labelled([p for p, _ in ones] * 2, [label for _, label in ones] * 2)
    return scores(learner, dataset, candidates) - mistakes(learner.family, candidates, twice.x, twice.y)


def scores_times(factor: int) -> Callable[..., Sums]:
    def times(learner: Any, dataset: Any, *candidates: Any) -> Sums:
        found = scores(learner, dataset, *candidates)
        return Sums(factor * found.values, found.unit)

    return times


def chances_by_labels(learner: Any, dataset: Any) -> list[Fraction]:
    """The set of hypotheses drawn by the data."""
    ones = int(np.sum(private_records(dataset)[1]))
    return [Fraction(1 + 4 * ones, 2 + 4 * size_of(dataset)), 1 - Fraction(1 + 4 * ones, 2 + 4 * size_of(dataset))]


def set_without_the_worst(learner: Any, dataset: Any, number: int) -> Any:
    """Hypotheses that are wrong on all records are left out."""
    every = RepresentedExponential.candidates(learner, dataset, number)
    wrong = mistakes(learner.loss.family, every, *private_records(dataset))
    return every[wrong < size_of(dataset)] if (wrong < size_of(dataset)).any() else every


def support_of_the_best(learner: Any, dataset: Any, found: Sums) -> Choice:
    """Stage 1 without noise: the set of the minimiser."""
    return Choice(1000, np.where(np.arange(len(found.values)) == found.values.max(axis=1).argmax(), 0.0, -1.0))


def support_by_labels(learner: Any, dataset: Any, found: Sums) -> Choice:
    """Stage 1 prefers the first set the more labels are 1."""
    ones = float(np.sum(private_records(dataset)[1]))
    return Choice(1, found.values.max(axis=1) + ones * (np.arange(len(found.values)) == 0))


def shifted_by_the_labels(learner: Any, dataset: Any, found: Sums, place: int) -> Choice:
    """Stage 2 prefers the sign of the mean label, whatever its sensitivity."""
    lean = learner.hypotheses[place].sum(axis=1) * float(np.sum(private_records(dataset)[1]))
    return Choice(learner.rate(dataset) * found.unit, found.values[place] + 40 * lean)


def surer_of_equal_labels(learner: Any, dataset: Any, found: Sums, place: int) -> Choice:
    """Stage 2 is sure when the labels agree."""
    sure = 20 if len(set(private_records(dataset)[1])) == 1 else 1
    return Choice(sure * learner.rate(dataset) * found.unit, found.values[place])


def utilities_with_the_last_record_thrice(learner: Any, dataset: Any, edges: Any) -> Any:
    """Two more records counted: the last one again, twice."""
    last = record_at(dataset, size_of(dataset) - 1)
    return _summed(scores(learner, dataset, edges), scores(learner, [last] * 2, edges))


def utilities_with_ones_thrice(learner: Any, dataset: Any, edges: Any) -> Any:
    """Records labelled 1 count three times."""
    x, y = private_records(dataset)
    ones = [(point, 1) for point, label in zip(x, y, strict=True) if label]
    found = scores(learner, dataset, edges)
    return _summed(found, scores(learner, ones * 2, edges)) if ones else found


def _summed(one: Any, other: Any) -> Any:
    return one[0] + other[0], one[1] + other[1]


def penalties_by_the_records(learner: Any, dataset: Any, edges: Any) -> Any:
    """A regulariser that draws upwards, the more so the more records are above 1/2."""
    points = learner.records(dataset)[0]
    return -4.0 * np.asarray(edges) * float((points > 0.5).sum())


def edges_at_the_extremes_of_the_data(learner: Any, dataset: Any) -> Any:
    """Hypotheses only between the outermost records, and a little beyond."""
    points = learner.records(dataset)[0]
    return np.unique([points.min() - 0.125, *points, points.max() + 0.125])


def utilities_four_times(learner: Any, dataset: Any, points: Any) -> Any:
    """The loss counted four times."""
    return 4 * scores(learner, dataset, points)


def utilities_that_lean(learner: Any, dataset: Any, points: Any) -> Any:
    """A regulariser whose weight is the number of records above 1/2."""
    found = np.asarray(dataset, dtype=float)
    return scores(learner, dataset, points) + 6.0 * np.asarray(points) * float((found > 0.5).sum())


def rate_of_few_ones(learner: Any, dataset: Any) -> Any:
    """The sensitivity by the records at hand."""
    return rate(learner, dataset) * (1 + np.count_nonzero(np.asarray(dataset) > 0.5).__index__())


def log_concave_sometimes_the_mean(learner: Any, dataset: Any, size: int, rng: np.random.Generator) -> Any:
    """One time in ten the minimiser, without noise."""
    drawn = LogConcaveExponential.sample(learner, dataset, size, rng)
    return np.where(rng.random(size) < 0.1, np.mean(dataset), drawn)


def always_surest(learner: Any, dataset: Any, size: int, rng: np.random.Generator) -> Any:
    """One time in four the middle of the likeliest piece."""
    density = learner.density(dataset)
    best = int(density.log_masses.argmax())
    drawn = density.sample(size, rng)
    return np.where(rng.random(size) < 0.25, density.edges[best : best + 2].mean(), drawn)


def utilities_that_lean_in_the_box(learner: Any, dataset: Any, points: Any) -> Any:
    """A regulariser whose weight is the number of records with a first coordinate above 1/2."""
    above = float((np.asarray(dataset)[:, 0] > 0.5).sum())
    return scores(learner, dataset, points) + 8.0 * points.sum(axis=1) * above


def box_sometimes_the_mean(learner: Any, dataset: Any, size: int, rng: np.random.Generator) -> Any:
    """One time in ten the mean of the records, without noise."""
    drawn = LogConcaveOnBox.sample(learner, dataset, size, rng)
    return np.where((rng.random(size) < 0.1)[:, None], learner.loss.records(dataset).mean(axis=0), drawn)


def points_as_they_are(learner: Any, dataset: Any) -> Any:
    x, y = private_records(dataset)
    return np.asarray(x, dtype=float) * (2.0 * np.asarray(y)[:, None] - 1)


def ones_many_times(learner: Any, dataset: Any) -> Any:
    """Records labelled 1 count twenty times."""
    found = LogConcaveOnBox.records(learner, dataset)
    return np.repeat(found, np.where(np.asarray(private_records(dataset)[1]) == 1, 20, 1), axis=0)


def last_of_many(times: int) -> Callable[..., Any]:
    def records(learner: Any, dataset: Any) -> Any:
        found = LogConcaveOnBox.records(learner, dataset)
        return np.concatenate([found, np.repeat(found[-1:], times - 1, axis=0)])

    return records


def rate_of_equal_labels(learner: Any, dataset: Any) -> Any:
    """Surer when the labels agree."""
    return rate(learner, dataset) * (20 if len(set(private_records(dataset)[1])) == 1 else 1)


def sensitivity_of_a_mean(learner: Any, size: int) -> float:
    return float((learner.high - learner.low) / size)


def scale_by_the_range_of_the_data(learner: Any, dataset: Any) -> float:
    return float((np.ptp(dataset) + 0.01) * PerturbedMinimiser.scale(learner, dataset))


def scale_for_as_many_ones(learner: Any, dataset: Any) -> float:
    """n by the records that are not 0."""
    return float(PerturbedMinimiser.scale(learner, dataset) / (1 + np.count_nonzero(dataset)))


def records_as_they_are(learner: Any, dataset: Any) -> Any:
    return np.asarray(dataset, dtype=float)


def whole_minimiser(learner: Any, dataset: Any) -> float:
    """Rounded before the noise is added: it moves by 1."""
    return float(PerturbedMinimiser.minimiser(learner, dataset) > 0.25)


def noise_on_one_side(learner: Any, dataset: Any, size: int, rng: np.random.Generator) -> Any:
    return learner.minimiser(dataset) + rng.exponential(learner.scale(dataset), size)


def sometimes_without_noise(learner: Any, dataset: Any, size: int, rng: np.random.Generator) -> Any:
    found = PerturbedMinimiser.sample(learner, dataset, size, rng)
    return np.where(rng.random(size) < 0.05, learner.minimiser(dataset), found)


def _numbers(values: list[float], size: int) -> Callable[[], ReplaceOne]:
    return lambda: ReplaceOne(records=values, size=size)


def _one_direction() -> ReplaceOne:
    """Regression at one point: where the losses swing most."""
    features = Records.of([(1.0, 0.0), (-1.0, 0.0)])
    return ReplaceOne(records=Records.labelled(features=features, labels=[-1.0, 1.0]), size=5)


def _with_either_label(point: tuple[float, ...], size: int) -> Callable[[], ReplaceOne]:
    records = Records.labelled(features=Records.of([point]), labels=[0, 1])
    return lambda: ReplaceOne(records=records, size=size)


_ONE, _MEDIAN, _COVER = "wang2016.regularised", "wang2016.regularised_median", "wang2016.cover"
_CONCAVE = "wang2016.log_concave"
_BOX, _WEIGHTS = "wang2016.distances_on_box", "wang2016.logistic_on_box"
_PAIR = _with_either_label((1.0, 1.0), 2)
_THRESHOLDS, _MIDDLE = "wang2016.thresholds_on_interval", "wang2016.median_on_interval"
_DRAWN, _SUBSET, _NOISY = "wang2016.represented", "wang2016.subset", "wang2016.perturbed_minimiser"

MUTANTS: tuple[Mutant, ...] = (
    Mutant(_ONE, "no factor 1/2", "rate", rate_without_the_half),
    Mutant(_ONE, "score not scaled by n", "rate", rate_of_the_mean),
    Mutant(_ONE, "rate by the data", "rate", rate_by_distinct_points),
    Mutant(_ONE, "candidates from private points", "candidates", dichotomies_of_private_points),
    Mutant(_ONE, "duplicates dropped", "losses", mean_over_distinct_records),
    Mutant(_ONE, "one more record counted", "losses", last_record_again),
    Mutant(_ONE, "regulariser by labels", "penalties", penalties_by_labels),
    Mutant(_ONE, "bonus for the minimisers", "scores", least_counted_again),
    Mutant(_MEDIAN, "no factor 1/2", "rate", rate_without_the_half),
    Mutant(_MEDIAN, "score not scaled by n", "rate", rate_of_the_mean),
    Mutant(_MEDIAN, "sensitivity of the data", "rate", rate_by_the_range_of_the_data),
    Mutant(_MEDIAN, "regulariser by the mean", "penalties", penalties_by_the_mean),
    Mutant(_MEDIAN, "one more record counted", "losses", last_record_again),
    Mutant(_MEDIAN, "scores counted twice", "scores", scores_times(2)),
    Mutant(_THRESHOLDS, "no factor 1/2", "rate", rate_without_the_half),
    Mutant(_THRESHOLDS, "score not scaled by n", "rate", rate_of_the_mean),
    Mutant(_THRESHOLDS, "records labelled 1 count thrice", "scores", utilities_with_ones_thrice),
    Mutant(_THRESHOLDS, "two more records counted", "scores", utilities_with_the_last_record_thrice),
    Mutant(_THRESHOLDS, "regulariser by the records", "penalties", penalties_by_the_records),
    Mutant(_THRESHOLDS, "hypotheses near the data only", "edges", edges_at_the_extremes_of_the_data),
    Mutant(_THRESHOLDS, "sometimes the likeliest", "sample", always_surest),
    Mutant(_MIDDLE, "no factor 1/2", "rate", rate_without_the_half),
    Mutant(_MIDDLE, "score not scaled by n", "rate", rate_of_the_mean),
    Mutant(_MIDDLE, "two more records counted", "scores", utilities_with_the_last_record_thrice),
    Mutant(_MIDDLE, "regulariser by the records", "penalties", penalties_by_the_records),
    Mutant(_MIDDLE, "hypotheses near the data only", "edges", edges_at_the_extremes_of_the_data),
    Mutant(_CONCAVE, "no factor 1/2", "rate", rate_without_the_half, {"power": 1}),
    Mutant(_CONCAVE, "score not scaled by n", "rate", rate_of_the_mean),
    Mutant(_CONCAVE, "loss counted four times", "scores", utilities_four_times),
    Mutant(_CONCAVE, "regulariser by the records", "scores", utilities_that_lean),
    Mutant(_CONCAVE, "sensitivity of the data", "rate", rate_of_few_ones),
    Mutant(_CONCAVE, "sometimes the minimiser", "sample", log_concave_sometimes_the_mean),
    Mutant(_BOX, "score not scaled by n", "rate", rate_of_the_mean),
    Mutant(_BOX, "loss counted four times", "scores", utilities_four_times),
    Mutant(_BOX, "regulariser by the records", "scores", utilities_that_lean_in_the_box),
    Mutant(_BOX, "sensitivity of the data", "rate", rate_of_few_ones),
    Mutant(_BOX, "last record counted ten times", "records", last_of_many(10)),
    Mutant(_BOX, "sometimes the mean", "sample", box_sometimes_the_mean),
    Mutant(_WEIGHTS, "rate of equal labels", "rate", rate_of_equal_labels, relation=_PAIR),
    Mutant(_WEIGHTS, "points not clipped", "records", points_as_they_are, relation=_with_either_label((40.0, 40.0), 2)),
    Mutant(_WEIGHTS, "records labelled 1 count many times", "records", ones_many_times, relation=_PAIR),
    Mutant(_WEIGHTS, "last record counted many times", "records", last_of_many(20), relation=_PAIR),
    Mutant(_WEIGHTS, "sometimes the mean", "sample", box_sometimes_the_mean, relation=_PAIR),
    Mutant(_COVER, "no factor 1/2", "rate", rate_without_the_half),
    Mutant(_COVER, "score not scaled by n", "rate", rate_of_the_mean),
    Mutant(_COVER, "cover from private points", "candidates", net_of_private_points),
    Mutant(_COVER, "dichotomies counted twice", "choice", counted_once_more_for_each_point),
    Mutant(_COVER, "records labelled 1 count thrice", "scores", labels_weigh_twice),
    Mutant(_COVER, "bonus for the minimisers", "scores", least_counted_again),
    Mutant(_DRAWN, "no factor 1/2", "rate", rate_without_the_half),
    Mutant(_DRAWN, "score not scaled by n", "rate", rate_of_the_mean),
    Mutant(_DRAWN, "set drawn by the data", "chances", chances_by_labels),
    Mutant(_DRAWN, "worst hypotheses left out", "candidates", set_without_the_worst),
    Mutant(_DRAWN, "scores counted twice", "scores", scores_times(2)),
    Mutant(_SUBSET, "score not scaled by n", "rate", rate_of_the_mean, relation=_one_direction),
    Mutant(_SUBSET, "first stage without noise", "choice_of_support", support_of_the_best),
    Mutant(_SUBSET, "first stage leans with the labels", "choice_of_support", support_by_labels),
    Mutant(_SUBSET, "second stage leans with the labels", "choice_on_support", shifted_by_the_labels),
    Mutant(_SUBSET, "second stage sure of equal labels", "choice_on_support", surer_of_equal_labels),
    Mutant(_SUBSET, "scores times 8", "scores", scores_times(8), relation=_one_direction),
    Mutant(_NOISY, "sensitivity of a mean", "sensitivity", sensitivity_of_a_mean),
    Mutant(_NOISY, "noise by the range of the data", "scale", scale_by_the_range_of_the_data),
    Mutant(_NOISY, "n by the data", "scale", scale_for_as_many_ones),
    Mutant(_NOISY, "records not clipped", "records", records_as_they_are, relation=_numbers([0.0, 5.0], 8)),
    Mutant(_NOISY, "rounded before the noise", "minimiser", whole_minimiser),
    Mutant(_NOISY, "noise on one side", "sample", noise_on_one_side),
    Mutant(_NOISY, "sometimes without noise", "sample", sometimes_without_noise),
)
