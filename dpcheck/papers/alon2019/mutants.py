"""Broken versions of the learners of alon2019, one defect each."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.neighbours import AddRemove, Records, Relation, ReplaceOne
from dpcheck.papers.alon2019.learners import CoverLearner, FromSemiPrivate, GenericLearner
from dpcheck.parts.classes import mistakes
from dpcheck.parts.learners.mutants import Mutant
from dpcheck.parts.learners.records import private_records, public_points
from dpcheck.parts.mechanisms.choice import Choice

GENERIC, COVER = "alon2019.generic", "alon2019.cover"
LABEL_PRIVATE, REDUCTION = "alon2019.label_private", "alon2019.reduction"
#: Positions and dummies hide a record: at these sizes what is broken shows behind them.
WIDE = {"private": 8, "probability": "3/4"}
WIDE_COVER = {**WIDE, "inside": "cover"}
#: No dummies come after the elements.
PRINTED = {**WIDE, "mode": "printed"}


def two_points() -> Relation:
    """Records that differ in their points too, for leaks of points."""
    return ReplaceOne(records=Records.labelled(features=[0, 1], labels=[0, 1]), size=3)


def growing() -> Relation:
    """Records are added and removed."""
    return AddRemove(records=Records.labelled(features=[0, 1, 2], labels=[0, 1]), size=range(1, 4))


# --- steps that the exponential mechanism shares


def whole_epsilon(self: Any, dataset: Any) -> Fraction:
    """``exp(-epsilon mistakes)``."""
    return Fraction(self.epsilon)


def divided_by_the_actual_size(self: Any, dataset: Any) -> Fraction:
    """The fraction of mistakes by the actual number of records, beside the sensitivity of the planned one (4)."""
    return 4 * Fraction(self.epsilon) / (2 * max(len(private_records(dataset)[1]), 1))


def rate_by_the_labels(self: Any, dataset: Any) -> Fraction:
    """Half of epsilon, times one more than the number of records labelled 1."""
    return Fraction(self.epsilon) * (1 + int(np.sum(private_records(dataset)[1]))) / 2


# --- the generic learner


def score_not_divided(self: GenericLearner, dataset: Any, candidates: Any) -> NDArray[np.int64]:
    """Mistakes times the number of records, beside the sensitivity of mistakes."""
    return GenericLearner.scores(self, dataset, candidates) * len(private_records(dataset)[1])


def last_point_counted_twice(self: GenericLearner, dataset: Any, candidates: Any) -> NDArray[np.int64]:
    """One record more: mistakes at the largest point there is count twice."""
    x, y = map(np.asarray, private_records(dataset))
    again = x == x.max()
    return GenericLearner.scores(self, dataset, candidates) - mistakes(self.family, candidates, x[again], y[again])


def bonus_for_the_minimiser(self: GenericLearner, dataset: Any, candidates: Any) -> Any:
    """The candidates with the fewest mistakes get 2 more."""
    scores = GenericLearner.scores(self, dataset, candidates)
    return scores + 2 * (scores == scores.max())


def mistakes_on_distinct_records(self: GenericLearner, dataset: Any, candidates: Any) -> NDArray[np.int64]:
    """Duplicates dropped, and the mean over what is left scaled up to all records."""
    x, y = private_records(dataset)
    kept = sorted(set(zip(x, y, strict=True)))
    wrong = mistakes(self.family, candidates, [point for point, _ in kept], [label for _, label in kept])
    return np.asarray(-wrong * (len(y) - len(kept) + 1) * 2, dtype=np.int64)


# --- the choice in a cover


def cover_of_private_points_too(self: CoverLearner, dataset: Any) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Candidates for the dichotomies of all points."""
    x, y = private_records(dataset)
    hypotheses = self.cover([*public_points(dataset), *x])
    return hypotheses, mistakes(self.family, hypotheses, x, y)


def representative_by_private_data(self: CoverLearner, dataset: Any) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Of the thresholds of a cell the one with the fewest mistakes on private data."""
    family: Any = self.family
    lows, highs = family.cells(public_points(dataset))
    x, y = private_records(dataset)
    every = family.everything()
    wrong = mistakes(family, every, x, y)
    inside = (every[None, :] >= lows[:, None]) & (every[None, :] <= highs[:, None])
    best = np.where(inside, wrong, len(y) + 1).argmin(axis=1)
    return every[best], wrong[best]


def scored_not_divided(self: CoverLearner, dataset: Any) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Mistakes where their fraction belongs, beside the fraction's sensitivity 1/n."""
    hypotheses, wrong = CoverLearner.scored(self, dataset)
    return hypotheses, wrong * len(private_records(dataset)[1])


def dichotomies_counted_twice(self: CoverLearner, dataset: Any) -> tuple[NDArray[Any], Choice]:
    """A dichotomy is listed once more for each private point in its cell."""
    hypotheses, wrong = self.scored(dataset)
    family: Any = self.family
    lows, highs = family.cells(public_points(dataset))
    x = np.asarray(private_records(dataset)[0])
    times = 1 + ((x[None, :] >= lows[:, None]) & (x[None, :] <= highs[:, None])).sum(axis=1)
    return hypotheses, Choice(self.rate(dataset), -wrong, times)


def dichotomies_counted_by_labels(self: CoverLearner, dataset: Any) -> tuple[NDArray[Any], Choice]:
    """A dichotomy is listed once more for each record that it gets right."""
    hypotheses, wrong = self.scored(dataset)
    return hypotheses, Choice(self.rate(dataset), -wrong, 1 + len(private_records(dataset)[1]) - wrong)


def ties_broken_by_data(self: CoverLearner, dataset: Any) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Of candidates with as many mistakes only that nearest to the mean of the private points is kept."""
    hypotheses, wrong = CoverLearner.scored(self, dataset)
    far = np.abs(np.asarray(hypotheses) - float(np.mean(private_records(dataset)[0])))
    first = np.unique([np.where(wrong == mark, far, np.inf).argmin() for mark in wrong])
    return hypotheses[first], wrong[first]


def worst_candidates_left_out(self: CoverLearner, dataset: Any) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Candidates with the most mistakes are left out, unless all have as many."""
    hypotheses, wrong = CoverLearner.scored(self, dataset)
    kept = wrong <= max(int(wrong.min()), int(wrong.max()) - 1)
    return hypotheses[kept], wrong[kept]


def cover_of_points_labelled_1(self: CoverLearner, dataset: Any) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Only points labelled 1 are kept for the cover: labels are private."""
    x, y = private_records(dataset)
    hypotheses = self.cover([point for point, label in zip(x, y, strict=True) if label])
    return hypotheses, mistakes(self.family, hypotheses, x, y)


def one_record_twice(self: CoverLearner, dataset: Any) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """One record more: mistakes at the largest point there is count twice."""
    hypotheses, wrong = CoverLearner.scored(self, dataset)
    x, y = map(np.asarray, private_records(dataset))
    again = x == x.max()
    return hypotheses, wrong + mistakes(self.family, hypotheses, x[again], y[again])


# --- the reduction


def elements_twice(self: FromSemiPrivate, x: Any, y: Any, private: Any, public: Any) -> Any:
    """Each element is handed over three times."""
    elements = private[(private >= 0) & (private < len(y) - self.dummies.outcomes)]
    return FromSemiPrivate._input(self, x, y, np.concatenate([private, elements, elements]), public)


def element_in_the_public_sample(self: FromSemiPrivate, x: Any, y: Any, private: Any, public: Any) -> Any:
    """The first element stands in the public sample."""
    return FromSemiPrivate._input(self, x, y, private, np.append(public, 0))


def dummies_by_labels(self: FromSemiPrivate, dataset: Any) -> Any:
    """Dummies have the label of the last element."""
    x, y = _RIGHT_POOL(self, dataset)
    available = len(y) - self.dummies.outcomes
    return x, np.append(y[:available], [y[available - 1]] * self.dummies.outcomes)


def all_elements_like_the_last(self: FromSemiPrivate, dataset: Any) -> Any:
    """Every element has the label of the last one."""
    x, y = _RIGHT_POOL(self, dataset)
    available = len(y) - self.dummies.outcomes
    return x, np.append([y[available - 1]] * available, y[available:]).astype(y.dtype)


def elements_beside_the_positions(self: FromSemiPrivate, x: Any, y: Any, private: Any, public: Any) -> Any:
    """All elements, thrice, and no dummies: no position is asked."""
    elements = np.tile(np.arange(len(y) - self.dummies.outcomes), 3)
    return FromSemiPrivate._input(self, x, y, elements, public)


_RIGHT_POOL = FromSemiPrivate._pool

MUTANTS = (
    Mutant(GENERIC, "no factor 1/2", "rate", whole_epsilon),
    Mutant(GENERIC, "score not divided by n", "scores", score_not_divided),
    Mutant(GENERIC, "one more record counted", "scores", last_point_counted_twice),
    Mutant(GENERIC, "the minimisers preferred", "scores", bonus_for_the_minimiser),
    Mutant(GENERIC, "duplicates dropped", "scores", mistakes_on_distinct_records),
    Mutant(GENERIC, "divided by the actual size", "rate", divided_by_the_actual_size, relation=growing),
    Mutant(GENERIC, "rate from the private labels", "rate", rate_by_the_labels),
    Mutant(COVER, "no factor 1/2", "learner.rate", whole_epsilon),
    Mutant(COVER, "score not divided by n", "learner.scored", scored_not_divided),
    Mutant(COVER, "cover from private points too", "learner.scored", cover_of_private_points_too),
    Mutant(COVER, "representatives by private data", "learner.scored", representative_by_private_data),
    Mutant(COVER, "dichotomies counted twice", "learner.choice", dichotomies_counted_twice),
    Mutant(COVER, "ties broken by private data", "learner.scored", ties_broken_by_data),
    Mutant(COVER, "the worst candidates left out", "learner.scored", worst_candidates_left_out),
    Mutant(COVER, "divided by the actual size", "learner.rate", divided_by_the_actual_size, relation=growing),
    Mutant(LABEL_PRIVATE, "no factor 1/2", "learner.rate", whole_epsilon),
    Mutant(LABEL_PRIVATE, "score not divided by n", "learner.scored", scored_not_divided),
    Mutant(LABEL_PRIVATE, "cover from points labelled 1", "learner.scored", cover_of_points_labelled_1),
    Mutant(LABEL_PRIVATE, "one more record counted", "learner.scored", one_record_twice),
    Mutant(LABEL_PRIVATE, "dichotomies counted by labels", "learner.choice", dichotomies_counted_by_labels),
    Mutant(LABEL_PRIVATE, "rate from the private labels", "learner.rate", rate_by_the_labels),
    Mutant(REDUCTION, "no factor 1/2 inside", "learner.rate", whole_epsilon, PRINTED),
    Mutant(REDUCTION, "elements handed over thrice", "_input", elements_twice, WIDE),
    Mutant(
        REDUCTION, "an element in the public sample", "_input", element_in_the_public_sample, WIDE_COVER, two_points
    ),
    Mutant(REDUCTION, "dummies labelled by an element", "_pool", dummies_by_labels, WIDE),
    Mutant(REDUCTION, "all elements like the last", "_pool", all_elements_like_the_last, PRINTED),
    Mutant(REDUCTION, "no positions, no dummies", "_input", elements_beside_the_positions, WIDE),
)
