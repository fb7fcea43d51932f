"""Broken versions of the learners of beimel2015, those that choose by correct labels, one defect each."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import UNLABELLED
from dpcheck.model.neighbours import Records, Relation, ReplaceEntry, ReplaceOne
from dpcheck.papers.beimel2015.learners import ExponentialLearner, GenericLearner
from dpcheck.papers.beimel2015.learners.exponential import correct_labels
from dpcheck.parts.learners.mutants import Mutant
from dpcheck.parts.learners.records import partly_labelled, private_records
from dpcheck.parts.mechanisms.choice import Choice
from dpcheck.parts.mechanisms.sanitisers import BlumLigettRoth

EXPONENTIAL, GENERIC = "beimel2015.exponential", "beimel2015.generic"
#: One sanitised point: the hypothesis shows it, and with it what the sanitiser lets through.
ONE_POINT = {"points": 1}


def unlabelled() -> Relation:
    """Three points and no labelled entry: nothing hides what is made of these."""
    return ReplaceEntry(records=Records.labelled(features=[0, 1, 2], labels=[0, 1]), size=3, labelled=0)


def one_label() -> Relation:
    """One labelled entry: whether most labels are 1 hangs on it."""
    return ReplaceEntry(records=Records.labelled(features=[0, 1, 2], labels=[0, 1]), size=3, labelled=1)


def one_point() -> Relation:
    """So few datasets that the search tries them all."""
    return ReplaceOne(records=Records.labelled(features=[0], labels=[0, 1]), size=4)


def mostly_labelled() -> Relation:
    """Four labelled entries: three of them may be duplicates of one another."""
    return ReplaceEntry(records=Records.labelled(features=[0, 1], labels=[0, 1]), size=5, labelled=4)


# --- steps that both learners have


def whole_epsilon(self: Any, dataset: Any) -> Fraction:
    """``exp(epsilon q)``."""
    return Fraction(self.epsilon)


def rate_by_the_labels(self: Any, dataset: Any) -> Fraction:
    """Half of epsilon, times one more than the number of labels 1."""
    return Fraction(self.epsilon) * (1 + int(np.sum(np.asarray(private_records(dataset)[1]) == 1))) / 2


def labelled_records(dataset: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """The points and labels of the records that have one, wherever they stand."""
    x, y = map(np.asarray, private_records(dataset))
    return x[y != UNLABELLED], y[y != UNLABELLED]


def score_not_divided(right: Callable[..., Any]) -> Callable[..., NDArray[np.int64]]:
    """Correct labels times the number of records, beside the sensitivity of correct labels."""
    return lambda self, dataset, candidates: right(self, dataset, candidates) * len(private_records(dataset)[1])


def last_point_counted_twice(right: Callable[..., Any]) -> Callable[..., NDArray[np.int64]]:
    """One record more: correct labels of the largest point there is count twice."""

    def scores(self: Any, dataset: Any, candidates: Any) -> Any:
        x, y = labelled_records(dataset)
        again = x == x.max(initial=0)
        extra: NDArray[np.int64] = correct_labels(self.family, candidates, x[again], y[again])
        return right(self, dataset, candidates) + extra

    return scores


def distinct_records(self: Any, dataset: Any, candidates: Any) -> NDArray[np.int64]:
    """Duplicates dropped, and the mean over what is left scaled up to all records."""
    x, y = labelled_records(dataset)
    kept = sorted(set(zip(x.tolist(), y.tolist(), strict=True)))
    right = correct_labels(self.family, candidates, [point for point, _ in kept], [label for _, label in kept])
    return right * len(y) // max(1, len(kept))


def bonus_for_the_best(right: Callable[..., Any]) -> Callable[..., NDArray[np.int64]]:
    """The candidates with the most correct labels get 2 more."""

    def scores(self: Any, dataset: Any, candidates: Any) -> Any:
        found = right(self, dataset, candidates)
        return found + 2 * (found == found.max())

    return scores


# --- the exponential mechanism


def divided_by_the_labelled(self: ExponentialLearner, dataset: Any) -> Fraction:
    """The share of correct labels among the records that have one, beside the sensitivity for three of them."""
    return 3 * Fraction(self.epsilon) / (2 * max(len(labelled_records(dataset)[1]), 1))


def missing_labels_by_majority(self: ExponentialLearner, dataset: Any, candidates: Any) -> NDArray[np.int64]:
    """Records without a label count as if they had the label of most records."""
    x, y = map(np.asarray, private_records(dataset))
    most = int(2 * np.count_nonzero(y == 1) >= np.count_nonzero(y != UNLABELLED))
    return correct_labels(self.family, candidates, x, np.where(y == UNLABELLED, most, y))


def worst_left_out(self: ExponentialLearner, dataset: Any) -> tuple[NDArray[Any], Choice]:
    """Hypotheses with the fewest correct labels are left out, unless all have as many."""
    candidates = self.candidates()
    scores = self.scores(dataset, candidates)
    kept = scores >= min(int(scores.max()), int(scores.min()) + 1)
    return candidates[kept], Choice(self.rate(dataset), scores[kept])


# --- the generic learner


def rate_of_twice_epsilon(self: BlumLigettRoth, dataset: Any) -> Fraction:
    """The sanitiser's score has the sensitivity 1/n; this is the rate for half of it."""
    return 2 * Fraction(self.epsilon) / (2 * self.size)


def all_points_sanitised(self: GenericLearner, dataset: Any) -> Any:
    """The sanitiser is given the labelled points too, thrice: they are used again by the choice."""
    x, _, unlabelled = partly_labelled(dataset)
    return [*unlabelled, *x, *x, *x]


def points_themselves(self: GenericLearner, dataset: Any, database: Any) -> NDArray[Any]:
    """B from D, not from its sanitised copy."""
    return GenericLearner.basis(self, dataset, self.unlabelled_part(dataset))


def points_that_are_real(self: GenericLearner, dataset: Any, database: Any) -> NDArray[Any]:
    """Of the sanitised points only those that are in D, as if the others were noise."""
    basis = GenericLearner.basis(self, dataset, database)
    return basis[np.isin(basis, self.unlabelled_part(dataset))]


def points_labelled_1_too(self: GenericLearner, dataset: Any, database: Any) -> NDArray[Any]:
    """B with the points of S that are labelled 1: the choice among candidates does not cover them."""
    x, y = self.labelled_part(dataset)
    ones = [point for point, label in zip(x, y, strict=True) if label == 1]
    return GenericLearner.basis(self, dataset, [*np.asarray(database).tolist(), *ones])


def representatives_by_labels(self: GenericLearner, dataset: Any, basis: NDArray[Any]) -> NDArray[Any]:
    """The highest threshold of each dichotomy where most labels are 1, else the lowest."""
    _, y = self.labelled_part(dataset)
    return self.family.representatives(basis, "highest" if 2 * sum(y) >= len(y) > 0 else "lowest")


def counted_by_labels(self: GenericLearner, dataset: Any, basis: NDArray[Any]) -> NDArray[Any]:
    """A dichotomy stands among the candidates once for each labelled point that it labels 1, and once more."""
    candidates = GenericLearner.candidates(self, dataset, basis)
    x, y = self.labelled_part(dataset)
    ones = [point for point, label in zip(x, y, strict=True) if label == 1]
    times = 1 + 3 * self.family.predict(candidates, ones).sum(axis=1, dtype=np.int64)
    return np.repeat(candidates, times, axis=0)


MUTANTS = (
    Mutant(EXPONENTIAL, "no factor 1/2", "rate", whole_epsilon),
    Mutant(EXPONENTIAL, "score not divided by m", "scores", score_not_divided(ExponentialLearner.scores)),
    Mutant(EXPONENTIAL, "divided by the labelled records", "rate", divided_by_the_labelled),
    Mutant(EXPONENTIAL, "one record counted twice", "scores", last_point_counted_twice(ExponentialLearner.scores)),
    Mutant(EXPONENTIAL, "duplicates dropped", "scores", distinct_records, relation=one_point),
    Mutant(EXPONENTIAL, "the best preferred", "scores", bonus_for_the_best(ExponentialLearner.scores)),
    Mutant(EXPONENTIAL, "missing labels by majority", "scores", missing_labels_by_majority),
    Mutant(EXPONENTIAL, "the worst left out", "choice", worst_left_out),
    Mutant(EXPONENTIAL, "rate from the labels", "rate", rate_by_the_labels),
    Mutant(GENERIC, "no factor 1/2", "rate", whole_epsilon),
    Mutant(GENERIC, "score not divided by m", "scores", score_not_divided(GenericLearner.scores)),
    Mutant(GENERIC, "one record counted twice", "scores", last_point_counted_twice(GenericLearner.scores)),
    Mutant(GENERIC, "duplicates dropped", "scores", distinct_records, ONE_POINT, mostly_labelled),
    Mutant(GENERIC, "sanitised with twice epsilon", "sanitiser.rate", rate_of_twice_epsilon, ONE_POINT, unlabelled),
    Mutant(GENERIC, "labelled points sanitised too", "unlabelled_part", all_points_sanitised, ONE_POINT),
    Mutant(GENERIC, "candidates from the points themselves", "basis", points_themselves),
    Mutant(GENERIC, "sanitised points that are not real dropped", "basis", points_that_are_real),
    Mutant(GENERIC, "candidates from points labelled 1 too", "basis", points_labelled_1_too, ONE_POINT),
    Mutant(GENERIC, "representatives by labels", "candidates", representatives_by_labels, ONE_POINT, one_label),
    Mutant(GENERIC, "dichotomies counted by labels", "candidates", counted_by_labels),
    Mutant(GENERIC, "rate from the labels", "rate", rate_by_the_labels),
)
