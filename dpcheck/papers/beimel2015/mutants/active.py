"""Broken versions of the active learners of beimel2015, and of its sampling, one defect each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import Labelled
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.papers.beimel2015.learners import IndependentResampling, SubSampling, TranscriptWrapper, UniformSubsampling
from dpcheck.papers.beimel2015.learners.databases import Mixed, as_listed, database
from dpcheck.papers.beimel2015.learners.parts import SubsampledParts
from dpcheck.parts.active import LabelOracle
from dpcheck.parts.learners.mutants import Mutant
from dpcheck.parts.learners.records import private_records

SUB_SAMPLING, WRAPPER = "beimel2015.sub_sampling", "beimel2015.transcript_wrapper"
SUBSAMPLED, RESAMPLED = "beimel2015.subsampled", "beimel2015.resampled"


def peeked(oracle: LabelOracle) -> list[int]:
    """The labels that were not asked for, read all the same."""
    return [int(label) for label in oracle._labels]


# --- SubSampling


def first_come(self: SubSampling, points: Any, oracle: LabelOracle) -> NDArray[np.intp]:
    """J is no random set, but the first n examples."""
    return np.arange(self.drawn)[None]


def labelled_one_first(self: SubSampling, points: Any, oracle: LabelOracle) -> NDArray[np.intp]:
    """J is drawn among the examples labelled 1, as far as there are n of them."""
    ones = [row for row, label in enumerate(peeked(oracle)) if label == 1]
    every = SubSampling.samples(self, points, oracle)
    assert every is not None
    kept = [sample for sample in every if set(sample.tolist()) <= set(ones)]
    return np.array(kept) if kept else every


def asked_without_being_drawn(self: SubSampling, sample: Any, points: Any, oracle: LabelOracle) -> list[int]:
    """K are the m smallest indices of all, in J or not."""
    return list(range(self.labelled))


def asked_where_labels_are_one(self: SubSampling, sample: Any, points: Any, oracle: LabelOracle) -> list[int]:
    """K are the smallest indices labelled 1, of all examples; the smallest of J only where there are none."""
    ones = [row for row, label in enumerate(peeked(oracle)) if label == 1]
    return ones[: self.labelled] or SubSampling.questions(self, sample, points, oracle)


def all_labels_used(self: SubSampling, sample: Any, points: Any, oracle: LabelOracle) -> Labelled:
    """The learner is given all examples with their labels, asked for or not."""
    return Labelled(list(points), peeked(oracle))


def asked_twice_counted_twice(self: SubSampling, sample: Any, points: Any, oracle: LabelOracle) -> Labelled:
    """The answers are handed over three times."""
    found = SubSampling.database(self, sample, points, oracle)
    asked = range(self.labelled)
    return Labelled([*(found.x[i] for i in asked)] * 2 + [*found.x], [*(found.y[i] for i in asked)] * 2 + [*found.y])


def most_labels_one(self: SubSampling, points: Any, oracle: LabelOracle) -> NDArray[np.intp]:
    """Of the possible samples only those with the most labels 1 are left."""
    every = SubSampling.samples(self, points, oracle)
    assert every is not None
    counts = np.array(peeked(oracle))[every].sum(axis=1)
    return np.asarray(every[counts == counts.max()])


# --- the transcript wrapper


def until_a_one(self: TranscriptWrapper, points: Any, oracle: LabelOracle) -> Labelled:
    """It asks until a label is 1."""
    answers: dict[int, Any] = {}
    for row in range(self.labelled):
        answers[row] = oracle.ask(row)
        if answers[row] == 1:
            break
    return database(points, answers, list(answers), [row for row in range(len(points)) if row not in answers])


def largest_points_first(self: TranscriptWrapper, points: Any, oracle: LabelOracle) -> list[int]:
    """It asks for the largest points first."""
    found: list[int] = np.argsort(-np.asarray(points), kind="stable")[: self.labelled].tolist()
    return found


def distinct_points_only(self: TranscriptWrapper, points: Any, oracle: LabelOracle) -> list[int]:
    """It does not ask for a point again."""
    return [row for row in range(self.labelled) if points[row] not in list(points)[:row]]


def order_by_a_label(self: TranscriptWrapper, points: Any, oracle: LabelOracle) -> list[int]:
    """The order of the questions says the last label, which was not asked for."""
    rows = list(range(self.labelled))
    return rows[::-1] if peeked(oracle)[-1] == 1 else rows


def binary_search(self: TranscriptWrapper, points: Any, oracle: LabelOracle) -> Labelled:
    """It asks for the middle, and then to the left of a 1 or to the right of a 0."""
    order = np.argsort(np.asarray(points), kind="stable").tolist()
    middle = len(order) // 2
    answers = {order[middle]: oracle.ask(order[middle])}
    other = order[middle - 1] if answers[order[middle]] == 1 else order[-1]
    if other not in answers:
        answers[other] = oracle.ask(other)
    return database(points, answers, list(answers), [row for row in range(len(points)) if row not in answers])


def answers_counted_twice(self: TranscriptWrapper, points: Any, oracle: LabelOracle) -> Labelled:
    """The answers are handed over twice."""
    found = TranscriptWrapper.database(self, points, oracle)
    asked = range(self.labelled)
    return Labelled([*(found.x[i] for i in asked), *found.x], [*(found.y[i] for i in asked), *found.y])


# --- uniform subsampling


@dataclass(frozen=True)
class OnChosen:
    """A learner on one of some equally likely samples, which are chosen by what the entries hold."""

    parts: SubsampledParts
    chosen: Callable[[SubsampledParts, Any], list[list[int]]]

    def _mixed(self, dataset: Any) -> Mixed:
        x, y = private_records(dataset)
        databases = (Labelled([x[i] for i in rows], [y[i] for i in rows]) for rows in self.chosen(self.parts, dataset))
        return Mixed.of(self.parts.learner, databases)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One output."""
        return as_listed(self.sample(dataset, 1, rng))[0]

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        """Independent outputs."""
        return self._mixed(dataset).sample(size, rng)

    def distribution(self, dataset: Any) -> Any:
        """The exact law."""
        return self._mixed(dataset).law()


def parts_from(chosen: Callable[[SubsampledParts, Any], list[list[int]]]) -> Callable[[UniformSubsampling], Any]:
    """Subsampling whose equally likely samples look at the entries."""
    return lambda self: OnChosen(UniformSubsampling.on_parts(self), chosen)


def first_of_each_part(parts: SubsampledParts, dataset: Any) -> list[list[int]]:
    """The first entries of each part, always."""
    return [[*range(parts.kept_labelled), *range(parts.labelled, parts.labelled + parts.kept_unlabelled)]]


def labels_one_preferred(parts: SubsampledParts, dataset: Any) -> list[list[int]]:
    """Samples with the most labels 1 only."""
    every: list[list[int]] = parts.samples(parts.labelled + parts.unlabelled).tolist()
    labels = private_records(dataset)[1]
    counts = [sum(labels[row] == 1 for row in rows) for rows in every]
    return [rows for rows, number in zip(every, counts, strict=True) if number == max(counts)]


def one_entry_twice(parts: SubsampledParts, dataset: Any) -> list[list[int]]:
    """The labelled entry drawn is given twice."""
    every: list[list[int]] = parts.samples(parts.labelled + parts.unlabelled).tolist()
    return [[rows[0], *rows] for rows in every]


def all_labelled_entries(parts: SubsampledParts, dataset: Any) -> list[list[int]]:
    """The labelled part is not sampled."""
    return [[*range(parts.labelled + parts.kept_unlabelled)]]


def smallest_points(parts: SubsampledParts, dataset: Any) -> list[list[int]]:
    """The labelled entries of the smallest points, the first of equal ones."""
    x = list(private_records(dataset)[0])
    rows = sorted(range(parts.labelled), key=lambda row: x[row])[: parts.kept_labelled]
    return [[*rows, *range(parts.labelled, parts.labelled + parts.kept_unlabelled)]]


def drawn_by_content(parts: SubsampledParts, dataset: Any) -> list[list[int]]:
    """The first entry is drawn where it is labelled 1, else the last."""
    row = 0 if private_records(dataset)[1][0] == 1 else parts.labelled - 1
    return [[row, *range(parts.labelled, parts.labelled + parts.kept_unlabelled)]]


# --- i.i.d. resampling


def one_entry_again_and_again(self: IndependentResampling, dataset: Any) -> NDArray[np.intp]:
    """One labelled entry is drawn, and given m times."""
    rows = np.repeat(np.arange(self.labelled)[:, None], self.labelled, axis=1)
    return np.hstack([rows, np.full((self.labelled, self.unlabelled), self.labelled)])


def twice_as_many(self: IndependentResampling, dataset: Any) -> NDArray[np.intp]:
    """2m labelled entries are drawn instead of m."""
    every = IndependentResampling.samples(self, dataset)
    assert every is not None
    first = np.unique(every[:, : self.labelled], axis=0)
    return np.array([[*one, *two] for one in first for two in every])


def kept_and_drawn(self: IndependentResampling, dataset: Any) -> NDArray[np.intp]:
    """The labelled entries themselves are given besides those drawn."""
    every = IndependentResampling.samples(self, dataset)
    assert every is not None
    return np.hstack([np.tile(np.arange(self.labelled), (len(every), 1)), every])


def labels_one_drawn_more(self: IndependentResampling, dataset: Any) -> NDArray[np.intp]:
    """Of the samples those with the most labels 1 only."""
    every = IndependentResampling.samples(self, dataset)
    assert every is not None
    counts = (np.asarray(private_records(dataset)[1])[every] == 1).sum(axis=1)
    return np.asarray(every[counts == counts.max()])


def one_for_each_distinct(self: IndependentResampling, dataset: Any) -> NDArray[np.intp]:
    """Draws are from the distinct labelled entries, with three copies of the first."""
    every = IndependentResampling.samples(self, dataset)
    assert every is not None
    return np.hstack([np.zeros((len(every), 3), dtype=np.intp), every])


def labelled_one_doubled(self: IndependentResampling, dataset: Any, sample: Any) -> Any:
    """A drawn entry labelled 1 is given twice."""
    labels = private_records(dataset)[1]
    doubled = [row for row in sample.tolist() if labels[row] == 1]
    return IndependentResampling.database(self, dataset, np.array([*doubled, *sample.tolist()]))


def _of_six(defect: str, field: str, broken: Callable[..., Any]) -> Mutant:
    """A mutant on two of six examples at one point: at so low a rate the claim is far below the inner learner's."""

    def relation() -> ReplaceOne:
        return ReplaceOne(Records.labelled(features=[0], labels=[0, 1]), size=6)

    return Mutant(SUB_SAMPLING, defect, field, broken, {"examples": 6}, relation)


MUTANTS = (
    _of_six("first-come subset", "samples", first_come),
    _of_six("drawn among the labels 1", "samples", labelled_one_first),
    _of_six("asked without being drawn", "questions", asked_without_being_drawn),
    _of_six("most labels 1", "samples", most_labels_one),
    _of_six("asked where labels are 1", "questions", asked_where_labels_are_one),
    _of_six("labels used that were not asked for", "database", all_labels_used),
    _of_six("answers counted three times", "database", asked_twice_counted_twice),
    Mutant(WRAPPER, "asks until a label is 1", "database", until_a_one),
    Mutant(WRAPPER, "largest points first", "questions", largest_points_first),
    Mutant(WRAPPER, "distinct points only", "questions", distinct_points_only),
    Mutant(WRAPPER, "a label in the order of the questions", "questions", order_by_a_label),
    Mutant(WRAPPER, "binary search", "database", binary_search),
    Mutant(WRAPPER, "answers counted twice", "database", answers_counted_twice),
    Mutant(SUBSAMPLED, "first-come subset", "on_parts", parts_from(first_of_each_part)),
    Mutant(SUBSAMPLED, "most labels 1", "on_parts", parts_from(labels_one_preferred)),
    Mutant(SUBSAMPLED, "one entry given twice", "on_parts", parts_from(one_entry_twice)),
    Mutant(SUBSAMPLED, "all labelled entries", "on_parts", parts_from(all_labelled_entries)),
    Mutant(SUBSAMPLED, "smallest points", "on_parts", parts_from(smallest_points)),
    Mutant(SUBSAMPLED, "drawn by its label", "on_parts", parts_from(drawn_by_content)),
    Mutant(RESAMPLED, "one entry given n times", "samples", one_entry_again_and_again, {"domain_size": 64}),
    Mutant(RESAMPLED, "twice as many draws", "samples", twice_as_many),
    Mutant(RESAMPLED, "entries kept besides", "samples", kept_and_drawn),
    Mutant(RESAMPLED, "most labels 1", "samples", labels_one_drawn_more),
    Mutant(RESAMPLED, "three copies of the first", "samples", one_for_each_distinct),
    Mutant(RESAMPLED, "labels 1 given twice", "database", labelled_one_doubled),
)
