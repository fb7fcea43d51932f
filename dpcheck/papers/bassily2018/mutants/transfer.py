"""Broken versions of what is made of alg-2: the object that answers online, hpriv and alg-3, a defect each."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck.papers.bassily2018.learners.label_private import LabelPrivateTransfer
from dpcheck.papers.bassily2018.learners.private_answers import PrivateAnswers
from dpcheck.papers.bassily2018.learners.scales import Scales
from dpcheck.papers.bassily2018.learners.steps import Steps
from dpcheck.papers.bassily2018.learners.transfer import KnowledgeTransfer, PrivateLabels
from dpcheck.parts.learners.mutants import Mutant, mutated
from dpcheck.parts.learners.records import private_records

# --- the object that answers online


class _ForgetsToCharge(Steps):
    """The state is written before the answer, without the abstention."""

    def charge(self, *, answered: bool) -> int:
        return 0


class _RedrawsOnResume(Steps):
    """Saved and resumed between the queries, and each time with fresh noise on the threshold."""

    def redraws(self, *, answered: bool) -> bool:
        return True


def steps_as(kind: type[Steps]) -> Any:
    return lambda self: kind(self.answers.noise(), self.answers.guard)


def steps_with(**factors: float) -> Any:
    """Scales that are so many times the right ones."""

    def steps(self: Any) -> Steps:
        scales = self.answers.noise()
        changed = {name: factor * getattr(scales, name) for name, factor in factors.items()}
        return Steps(dataclasses.replace(scales, **changed), self.answers.guard)

    return steps


# --- what all of them have inside


def all_records_in_each_chunk(self: PrivateAnswers, assignment: Any) -> Any:
    """Chunks that overlap: one record is in all of them."""
    return [np.arange(len(assignment))] * self.scales.models


def a_tenth_of_the_noise(self: PrivateAnswers) -> Scales:
    return dataclasses.replace(
        self.scales, threshold_scale=self.scales.threshold_scale / 10, query_scale=self.scales.query_scale / 10
    )


def distance_by_records(self: PrivateAnswers, counts: Any) -> Any:
    """Each vote counted as the four records that a chunk has: the sensitivity is that of four votes."""
    right = PrivateAnswers.distances(self, counts)
    return self.scales.models - 4 * (self.scales.models - right)


# --- hpriv


def coins_of_the_majority(self: PrivateLabels, counts: Any) -> Any:
    """Where there is no answer, the label most votes are for after all."""
    found = np.full(counts.shape, Fraction(0), dtype=object)
    found[np.arange(len(counts)), self.answers.labels(counts)] = Fraction(1)
    return found


def coins_of_the_votes(self: PrivateLabels, counts: Any) -> Any:
    """Where there is no answer, the label of a model drawn at random: it is random, but not noise."""
    return np.array([[Fraction(int(c), int(row.sum())) for c in row] for row in counts], dtype=object)


def coins_weighted_by_whether_votes_agree(self: PrivateLabels, counts: Any) -> Any:
    """A coin that falls on 0 where all votes are for one label."""
    agreed = (counts.max(axis=1) == counts.sum(axis=1))[:, None]
    surely, fairly = (
        np.array([chances], dtype=object) for chances in ([Fraction(9, 10), Fraction(1, 10)], [Fraction(1, 2)])
    )
    return np.where(agreed, surely, fairly)


def claim_of_one_point(self: PrivateLabels) -> Any:
    """A run for each point, and the claim of one run."""
    return PrivateLabels(dataclasses.replace(self.answers, queries=self.answers.queries[:1]), self.runs).claim


# --- alg-3


def trained_on_records_too(self: KnowledgeTransfer, dataset: Any, labels: Any) -> Any:
    """More data is better: the private records are in the training set as well."""
    points, said = KnowledgeTransfer.training_set(self, dataset, labels)
    x, y = private_records(dataset)
    return [*points, *x], [*said, *y]


def trained_on_their_points(self: KnowledgeTransfer, dataset: Any, labels: Any) -> Any:
    """The labels are private; the points that they are given to are those of the records."""
    points, said = KnowledgeTransfer.training_set(self, dataset, labels)
    x, _ = private_records(dataset)
    return [*x, *points][: len(said)], said


def corrected_by_records(self: KnowledgeTransfer, dataset: Any, labels: Any) -> Any:
    """Labels that a record contradicts are mended."""
    points, said = KnowledgeTransfer.training_set(self, dataset, labels)
    x, y = private_records(dataset)
    known = max((point for point, label in zip(x, y, strict=True) if not label), default=-np.inf)
    return points, np.where(np.asarray(points) <= known, 0, said)


def without_points_like_records(self: KnowledgeTransfer, dataset: Any, labels: Any) -> Any:
    """Points to the left of all records are left out: they are far from the data."""
    points, said = KnowledgeTransfer.training_set(self, dataset, labels)
    least = min(private_records(dataset)[0], default=-np.inf)
    kept = [place for place, point in enumerate(points) if point >= least]
    return np.asarray(points)[kept], np.asarray(said)[kept]


# --- alg-3 on labelled records alone


def labels_not_thrown_away(self: LabelPrivateTransfer, dataset: Any) -> Any:
    """The others keep their labels: the final learner sees those in place of the votes'."""
    x, y = private_records(dataset)

    def shown(right: KnowledgeTransfer, _: Any, __: Any) -> Any:
        return x[self.labelled :], y[self.labelled :]

    return mutated(LabelPrivateTransfer.transfer(self, dataset), "training_set", shown)


def with_broken(field: str, broken: Any) -> Any:
    """A_priv on the points of the others with one step broken."""
    return lambda self, dataset: mutated(LabelPrivateTransfer.transfer(self, dataset), field, broken)


trained_on_voters_too = with_broken("training_set", trained_on_records_too)


def points_by_label(self: LabelPrivateTransfer, dataset: Any) -> Any:
    """The public points are those of the others that are labelled 1."""
    x, y = private_records(dataset)
    return np.array([point if label else 0.0 for point, label in zip(x, y, strict=True)][self.labelled :])


#: Votes that one record turns, of three models or of one, far below the threshold: nothing is answered.
_FRAGILE = {"models": 3, "threshold": 40.0, "scale": 1.0}
_ALONE = {"models": 1, "threshold": 40.0, "scale": 1.0}
_SEPARATE = {"runs": "separate", "threshold": 85.0}
_AT_THE_THRESHOLD = {"threshold": 97.0}
ONLINE, LABELS, TRANSFER, OF_LABELS = (
    f"bassily2018.{name}" for name in ("one_by_one", "labels", "transfer", "label_private")
)
MUTANTS = (
    Mutant(ONLINE, "forgets to charge", "steps", steps_as(_ForgetsToCharge)),
    Mutant(ONLINE, "fresh noise on the threshold at each resume", "steps", steps_as(_RedrawsOnResume)),
    Mutant(ONLINE, "a quarter of the noise", "steps", steps_with(query_scale=0.25, threshold_scale=0.25)),
    Mutant(ONLINE, "no noise on the threshold", "steps", steps_with(query_scale=0.25, threshold_scale=0.01)),
    Mutant(ONLINE, "chunks that overlap", "answers.chunks", all_records_in_each_chunk),
    Mutant(ONLINE, "votes counted as records", "answers.distances", distance_by_records),
    Mutant(LABELS, "the majority's label for an abstention", "coins", coins_of_the_majority, _ALONE),
    Mutant(LABELS, "a random model's label for an abstention", "coins", coins_of_the_votes, _FRAGILE),
    Mutant(LABELS, "coins that know whether votes agree", "coins", coins_weighted_by_whether_votes_agree),
    Mutant(LABELS, "chunks that overlap", "answers.chunks", all_records_in_each_chunk),
    Mutant(LABELS, "a tenth of the noise", "answers.noise", a_tenth_of_the_noise, _AT_THE_THRESHOLD),
    Mutant(LABELS, "separate runs, the claim of one point", "claim", property(claim_of_one_point), _SEPARATE),
    Mutant(LABELS, "separate runs, votes counted as records", "answers.distances", distance_by_records, _SEPARATE),
    Mutant(TRANSFER, "trained on the records too", "training_set", trained_on_records_too),
    Mutant(TRANSFER, "labels given to the records' points", "training_set", trained_on_their_points),
    Mutant(TRANSFER, "labels mended by the records", "training_set", corrected_by_records),
    Mutant(TRANSFER, "points left of all records left out", "training_set", without_points_like_records),
    Mutant(TRANSFER, "the majority's label for an abstention", "labels.coins", coins_of_the_majority, _ALONE),
    Mutant(TRANSFER, "a tenth of the noise", "labels.answers.noise", a_tenth_of_the_noise, _AT_THE_THRESHOLD),
    Mutant(OF_LABELS, "labels not thrown away", "transfer", labels_not_thrown_away),
    Mutant(OF_LABELS, "trained on the voters too", "transfer", trained_on_voters_too),
    Mutant(OF_LABELS, "points of one label only", "points", points_by_label),
    Mutant(
        OF_LABELS, "chunks that overlap", "transfer", with_broken("labels.answers.chunks", all_records_in_each_chunk)
    ),
    Mutant(
        OF_LABELS,
        "a random model's label for an abstention",
        "transfer",
        with_broken("labels.coins", coins_of_the_votes),
        _FRAGILE,
    ),
)
