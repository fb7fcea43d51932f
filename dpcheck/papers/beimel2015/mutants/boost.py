"""Broken versions of LabelBoostProcedure and LabelBoost, one defect each.

Not here, because they break no claim: labels of S kept and T alone relabelled (a labelled entry is then still one entry
of what the learner sees), T's missing labels read as 0 by the score (each entry is still scored once), D's points in P
(a factor of 4 at most), a representative chosen by private labels (only points of S o T are relabelled, and there all
representatives agree), and no resampling (each record is then given once).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import Labelled, size_of, take_records
from dpcheck.model.neighbours import Records, Relation, ReplaceEntry
from dpcheck.papers.beimel2015.learners import LabelBoost, LabelBoostProcedure
from dpcheck.papers.beimel2015.learners.parts import as_entries, labelled_size
from dpcheck.parts.learners.mutants import Mutant, mutated
from dpcheck.parts.mechanisms.choice import Choice
from dpcheck.parts.mechanisms.inner import drawn, grouped_draws, law_method
from dpcheck.parts.mechanisms.mixtures import mixture
from dpcheck.parts.mechanisms.resampling import Resampled

PROCEDURE, BOOST = "beimel2015.label_boost_procedure", "beimel2015.label_boost"
#: The claim is loose at small epsilon, where the learner inside hides what is broken before it.
STEEP = {"base": "count", "base_epsilon": 2.0}
#: T is four entries or one.
LONG = {"base": "count", "base_epsilon": 2.0, "stretched": 4}
SHORT = {"base": "count", "base_epsilon": 2.0, "stretched": 1}


def few() -> Relation:
    """One entry of five is labelled."""
    return ReplaceEntry(Records.labelled(features=[0, 1], labels=[0, 1]), 5, 1)


def many() -> Relation:
    """Three entries of four are labelled."""
    return ReplaceEntry(Records.labelled(features=[0, 1], labels=[0, 1]), 4, 3)


def one_point() -> Relation:
    """Two of five entries are labelled, all at one point: leaks of labels, with all calls for few pairs."""
    return ReplaceEntry(Records.labelled(features=[0], labels=[0, 1]), 5, 2)


# --- LabelBoostProcedure


def candidates_from_labelled_points(self: LabelBoostProcedure, dataset: Any) -> NDArray[Any]:
    """H for the points of S only, though T is relabelled too: what it says there depends on the representatives."""
    entries = as_entries(dataset)
    return self.family.representatives(entries.x[: labelled_size(entries)], "highest")


def candidates_from_stretched_points(self: LabelBoostProcedure, dataset: Any) -> NDArray[Any]:
    """H for the points of T only."""
    entries = as_entries(dataset)
    return self.family.representatives(entries.x[labelled_size(entries) : self.boosted(entries)], self.rule)


def everything_relabelled(self: LabelBoostProcedure, dataset: Any, hypothesis: Any) -> Labelled:
    """D gets labels too."""
    entries = as_entries(dataset)
    labels = self.family.predict(np.asarray(hypothesis)[None, ...], entries.x)[0]
    return Labelled(entries.x, labels.astype(np.int64))


def nearest_label(self: LabelBoostProcedure, dataset: Any, hypothesis: Any) -> Labelled:
    """Every entry of S o T gets the label of the nearest labelled point, the first of those that tie."""
    entries, boosted, labelled = as_entries(dataset), self.boosted(dataset), labelled_size(dataset)
    far = np.abs(entries.x[:boosted, None] - entries.x[None, :labelled])
    labels = entries.y.copy()
    labels[:boosted] = entries.y[far.argmin(axis=1)]
    return Labelled(entries.x, labels)


def labels_in_turn(self: LabelBoostProcedure, dataset: Any, hypothesis: Any) -> Labelled:
    """The entries of S o T get the labels of S over and over again: an array of another length, repeated."""
    entries, boosted, labelled = as_entries(dataset), self.boosted(dataset), labelled_size(dataset)
    labels = entries.y.copy()
    labels[:boosted] = np.resize(entries.y[:labelled], boosted)
    return Labelled(entries.x, labels)


def majority_label(self: LabelBoostProcedure, dataset: Any, hypothesis: Any) -> Labelled:
    """Every entry of S o T gets the label that most of S have."""
    entries, boosted, labelled = as_entries(dataset), self.boosted(dataset), labelled_size(dataset)
    labels = entries.y.copy()
    labels[:boosted] = 2 * entries.y[:labelled].sum() > labelled
    return Labelled(entries.x, labels)


def best_candidate(self: LabelBoostProcedure, dataset: Any) -> tuple[NDArray[Any], Choice]:
    """A candidate with the most correct labels, not one drawn by them."""
    candidates, choice = LabelBoostProcedure.choice(self, dataset)
    best = choice.scores == choice.scores.max()
    return candidates[best], Choice(choice.rate, choice.scores[best])


def steep_choice(self: LabelBoostProcedure, dataset: Any, candidates: Any) -> NDArray[np.int64]:
    """Correct labels times the square of the number of entries of S o T: multiplied where it should be divided."""
    return LabelBoostProcedure.scores(self, dataset, candidates) * self.boosted(dataset) ** 2


def counted_by_labels(self: LabelBoostProcedure, dataset: Any) -> tuple[NDArray[Any], Choice]:
    """A dichotomy is listed a thousand times more for each correct label."""
    candidates, choice = LabelBoostProcedure.choice(self, dataset)
    return candidates, Choice(choice.rate, choice.scores, 1 + 1000 * choice.scores)


# --- LabelBoost


@dataclasses.dataclass(frozen=True)
class _Rows:
    """A learner on rows chosen in some other way: all of those that ``choices(dataset)`` lists are equally likely."""

    learner: Any
    choices: Callable[[Any], Any]

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        return self.sample(dataset, 1, rng)[0]

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        choices = list(self.choices(dataset))
        return grouped_draws(
            rng.integers(len(choices), size=size),
            lambda place, times: drawn(self.learner, take_records(dataset, choices[place]), times, rng),
        )

    def distribution(self, dataset: Any) -> Any:
        choices = list(self.choices(dataset))
        law = law_method(self.learner)
        weights = [Fraction(1, len(choices))] * len(choices)
        return mixture(weights, (law(take_records(dataset, rows)) for rows in choices))


def duplicates_dropped(self: LabelBoost, learner: Any) -> Any:
    """Of equal entries of S one is kept, and as many draws are made as are left."""

    def rows(dataset: Any) -> Any:
        return [np.unique(np.stack([dataset.x, dataset.y]), axis=1, return_index=True)[1]]

    return _Rows(_As(lambda size: Resampled(self.learner, size=size)), rows)


@dataclasses.dataclass(frozen=True)
class _As:
    """A learner that depends on how many records it is given."""

    made: Callable[[int], Any]

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        return self.made(size_of(dataset))(dataset, rng)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        return self.made(size_of(dataset)).sample(dataset, size, rng)

    def distribution(self, dataset: Any) -> Any:
        return self.made(size_of(dataset)).distribution(dataset)


def _broken_procedure(field: str, broken: Any) -> Any:
    def on_relabelled(self: LabelBoost, iteration: Any, learner: Any) -> Any:
        return mutated(LabelBoost.on_relabelled(self, iteration, learner), field, broken)

    return on_relabelled


MUTANTS = (
    Mutant(PROCEDURE, "candidates for labelled points only", "candidates", candidates_from_labelled_points, LONG, few),
    Mutant(
        PROCEDURE, "candidates for unlabelled points only", "candidates", candidates_from_stretched_points, SHORT, many
    ),
    Mutant(PROCEDURE, "the rest relabelled too", "relabelled", everything_relabelled, SHORT, few),
    Mutant(PROCEDURE, "label of the nearest labelled point", "relabelled", nearest_label, LONG, few),
    Mutant(PROCEDURE, "the majority's label", "relabelled", majority_label, SHORT, many),
    Mutant(PROCEDURE, "labels in turn", "relabelled", labels_in_turn, LONG, few),
    Mutant(PROCEDURE, "the best candidate taken", "choice", best_candidate, LONG, few),
    Mutant(PROCEDURE, "score multiplied by n^2", "scores", steep_choice, SHORT, many),
    Mutant(PROCEDURE, "dichotomies counted by labels", "choice", counted_by_labels, LONG, few),
    Mutant(BOOST, "duplicates dropped", "on_last_part", duplicates_dropped, STEEP),
    Mutant(BOOST, "labels in turn", "on_relabelled", _broken_procedure("relabelled", labels_in_turn), STEEP, one_point),
    Mutant(
        BOOST,
        "the majority's label",
        "on_relabelled",
        _broken_procedure("relabelled", majority_label),
        STEEP,
        one_point,
    ),
    Mutant(
        BOOST,
        "label of the nearest labelled point",
        "on_relabelled",
        _broken_procedure("relabelled", nearest_label),
        STEEP,
        one_point,
    ),
    Mutant(
        BOOST,
        "the best candidate taken",
        "on_relabelled",
        _broken_procedure("choice", best_candidate),
        STEEP,
        one_point,
    ),
)
