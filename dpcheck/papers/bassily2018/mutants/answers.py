"""Broken versions of A_stab, of the sparse vector and of A_binClas of bassily2018, one defect each."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.law import Law
from dpcheck.model.neighbours import AddRemove, Records
from dpcheck.papers.bassily2018.learners.answers import coded, law_of_patterns
from dpcheck.papers.bassily2018.learners.chunks import chunk_numbers
from dpcheck.papers.bassily2018.learners.private_answers import PrivateAnswers
from dpcheck.papers.bassily2018.learners.rounds import ABSTAINS, ANSWERED, NOT_ASKED, drawn_patterns, pattern_law
from dpcheck.papers.bassily2018.learners.scales import Scales
from dpcheck.papers.bassily2018.learners.sparse_vector import SparseVector
from dpcheck.papers.bassily2018.learners.stability import StableRelease
from dpcheck.papers.bassily2018.learners.votes import margins
from dpcheck.parts.learners.mutants import Mutant
from dpcheck.parts.learners.records import private_records
from dpcheck.parts.mechanisms.quadrature import laplace_cdf, laplace_expectation_rule

A_STAB, SPARSE, A_BINCLAS = "bassily2018.A_stab", "bassily2018.sparse_vector", "bassily2018.A_binClas"
RANDOM = "bassily2018.A_binClas_random"
#: A scale of what is not noised: any noise so small is none.
_NONE = 1e-6

# --- A_stab


def number_of_records(self: StableRelease, dataset: Any) -> float:
    """So many records would have to go: taken for the distance to instability."""
    return float(len(dataset))


def records_to_another_value(self: StableRelease, dataset: Any) -> float:
    """The records to a dataset where f differs, one more than to one that is not stable."""
    return StableRelease.distance_of(self, dataset) + 1


def twice_the_distance(self: StableRelease, dataset: Any) -> float:
    """The difference of the votes, which a record moves by 2 when it is changed, is taken for add/remove too."""
    return 2 * StableRelease.distance_of(self, dataset)


def threshold_without_epsilon(self: StableRelease) -> float:
    """``log(1/delta)``, whatever epsilon is."""
    return -math.log(self.delta)


def threshold_of_ten(self: StableRelease) -> float:
    """``log10(1/delta)/epsilon``."""
    return -math.log10(self.delta) / self.epsilon


def scale_of_epsilon(self: StableRelease) -> float:
    """Noise of scale epsilon, not 1/epsilon."""
    return self.epsilon


def hardly_any_noise(self: StableRelease) -> float:
    """The noise is forgotten."""
    return _NONE


# --- noise and cut-off, which the sparse vector and A_binClas have in common


def with_scales(scales: Scales, threshold_scale: float, query_scale: float) -> Scales:
    """The same threshold, other noise."""
    return dataclasses.replace(scales, threshold_scale=threshold_scale, query_scale=query_scale)


def threshold_not_noised(self: Any) -> Scales:
    """The threshold is the number w itself."""
    return with_scales(self.scales, _NONE, self.scales.query_scale)


def queries_not_noised(self: Any) -> Scales:
    """What is compared with the noisy threshold has no noise."""
    return with_scales(self.scales, self.scales.threshold_scale, _NONE)


def scale_upside_down(self: Any) -> Scales:
    """``1/(2 lambda)``, the epsilon of a query, is taken for the scale of its noise; the threshold's likewise."""
    return with_scales(self.scales, 1 / self.scales.threshold_scale, 1 / self.scales.query_scale)


def scale_of_one_round(self: Any) -> Scales:
    """The noise of a single round: the number of rounds is forgotten in the formula."""
    rounds = self.scales.rounds(self.guard)
    return with_scales(self.scales, self.scales.threshold_scale / rounds, self.scales.query_scale / rounds)


def nothing_counted(self: Any) -> int:
    """Abstentions are not counted, so that it never stops."""
    return 1 << 30


def one_noise_for_all_queries(
    values: NDArray[Any], scales: Scales, rounds: int, size: int, rng: np.random.Generator
) -> NDArray[np.int8]:
    """Patterns where each run draws the noise of the queries once."""
    moved = np.asarray(values, dtype=float) + rng.laplace(0.0, scales.query_scale, (size, 1))
    return drawn_patterns(moved, with_scales(scales, scales.threshold_scale, _NONE), rounds, size, rng)


def law_of_one_noise(values: NDArray[Any], scales: Scales, rounds: int) -> dict[tuple[int, ...], Fraction]:
    """Their law: given the noise q a round is answered as long as ``r < min(d) + q - w``, an integral over q."""
    gaps = np.asarray(values, dtype=float) - scales.threshold
    noise, weights = laplace_expectation_rule(scales.query_scale, (-gaps).tolist(), scales.threshold_scale)
    below = laplace_cdf(gaps[:, None] + noise, scales.threshold_scale)  # P(r < d + q - w), shape (m, nodes)
    law: dict[tuple[int, ...], float] = {}
    open_ends: list[tuple[tuple[int, ...], int, NDArray[np.float64]]] = [((), 0, weights)]
    m = len(gaps)
    while open_ends:
        pattern, spent, chance = open_ends.pop()
        start = len(pattern)
        if start == m or spent == rounds:
            law[pattern + (NOT_ASKED,) * (m - start)] = float(chance.sum())
            continue
        answered = np.ones_like(weights)
        for end in range(start, m):
            still = np.minimum(answered, below[end])
            longer = (*pattern, *(ANSWERED,) * (end - start), ABSTAINS)
            open_ends.append((longer, spent + 1, chance * (answered - still)))
            answered = still
        law[pattern + (ANSWERED,) * (m - start)] = float((chance * answered).sum())
    total = sum(map(Fraction, law.values()))
    return {pattern: Fraction(chance) / total for pattern, chance in law.items() if chance > 0}


# --- the sparse vector


def one_noise_in_patterns(
    self: SparseVector, values: NDArray[Any], size: int, rng: np.random.Generator
) -> NDArray[np.int8]:
    """The noise of the queries is drawn once for each run."""
    return one_noise_for_all_queries(values, self.noise(), self.rounds(), size, rng)


def one_noise_in_law(self: SparseVector, values: NDArray[Any]) -> dict[tuple[int, ...], Any]:
    """Its law."""
    return law_of_one_noise(values, self.noise(), self.rounds())


def records_counted_thrice(self: SparseVector, dataset: Any) -> NDArray[Any]:
    """Each record is counted three times; the noise is that of counting it once."""
    return 3 * SparseVector.values(self, dataset)


def values_by_size(self: SparseVector, dataset: Any) -> NDArray[Any]:
    """Means, times a hundred: small for many records, and far apart for few."""
    return 100 * SparseVector.values(self, dataset) / len(dataset)


# --- A_binClas


def total_votes(self: PrivateAnswers, counts: NDArray[np.int64]) -> Any:
    """The votes of the leading label: where two labels are level it has half of them all."""
    return counts.max(axis=1)


def margin_itself(self: PrivateAnswers, counts: NDArray[np.int64]) -> NDArray[Any]:
    """The margin, without "- 1"."""
    return margins(counts)


def chunks_of_all_records(self: PrivateAnswers, assignment: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Every model is trained on all records."""
    return [np.arange(len(assignment)) for _ in range(self.scales.models)]


def empty_chunks_filled(self: PrivateAnswers, assignment: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """An empty chunk gets the records of one that is not: counts are those of the chunks with records, scaled up."""
    found = [rows for rows in PrivateAnswers.chunks(self, assignment) if len(rows)]
    return [found[place % len(found)] if found else assignment[:0] for place in range(self.scales.models)]


def overlapping_chunks(self: PrivateAnswers, assignment: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Chunks overlap: each record is in its own and in the eleven after it."""
    found = PrivateAnswers.chunks(self, assignment)
    k = len(found)
    return [np.concatenate([found[(place - back) % k] for back in range(min(12, k))]) for place in range(k)]


def blocks_by_position(self: PrivateAnswers, dataset: Any, coins: NDArray[np.intp] | None = None) -> NDArray[np.intp]:
    """Chunks of consecutive records, whose bounds a record more moves."""
    x, y = private_records(dataset)
    return chunk_numbers(x, y, self.scales.models, "blocks")


def labels_of_all(self: PrivateAnswers, patterns: NDArray[np.int8], counts: NDArray[np.int64]) -> NDArray[np.int32]:
    """Labels for abstentions too."""
    return coded(np.where(patterns == ABSTAINS, ANSWERED, patterns).astype(np.int8), self.labels(counts))


def label_on_abstention(
    self: PrivateAnswers, counts: NDArray[np.int64], size: int, rng: np.random.Generator
) -> NDArray[np.int32]:
    """The leading label is released where it should abstain."""
    return labels_of_all(self, drawn_patterns(self.distances(counts), self.noise(), self.rounds(), size, rng), counts)


def label_on_abstention_law(self: PrivateAnswers, counts: NDArray[np.int64]) -> Law:
    """Its law: how far it got, and the labels up to there."""
    law: dict[tuple[int, ...], Any] = {}
    for pattern, chance in pattern_law(self.distances(counts), self.noise(), self.rounds()).items():
        said = tuple(ANSWERED if state == ABSTAINS else state for state in pattern)
        law[said] = law[said] + chance if said in law else chance
    return law_of_patterns(law, _labels(self, counts))


def one_noise_in_answers(
    self: PrivateAnswers, counts: NDArray[np.int64], size: int, rng: np.random.Generator
) -> NDArray[np.int32]:
    """The noise of the queries is drawn once for each run."""
    patterns = one_noise_for_all_queries(self.distances(counts), self.noise(), self.rounds(), size, rng)
    return coded(patterns, self.labels(counts))


def one_noise_in_answers_law(self: PrivateAnswers, counts: NDArray[np.int64]) -> Law:
    """Its law."""
    patterns = law_of_one_noise(self.distances(counts), self.noise(), self.rounds())
    return law_of_patterns(patterns, _labels(self, counts))


def _labels(self: PrivateAnswers, counts: NDArray[np.int64]) -> Sequence[Any]:
    return [self.classes[place] for place in self.labels(counts).tolist()]


# --- which is audited where


def nine_columns_and_one() -> AddRemove:
    """Records of ten columns of which the last goes the other way."""
    return AddRemove(Records.of([(1,) * 9 + (-1,), (-1,) * 9 + (1,)]), size=2)


def ten_columns() -> AddRemove:
    """Records of ten columns, all alike."""
    return AddRemove(Records.of([(value,) * 10 for value in (-1, 1)]), size=2)


def one_point(size: int = 2) -> AddRemove:
    """Records of one point, the least."""
    return AddRemove(Records.labelled(features=[0.2], labels=[0, 1]), size=size)


def eight_of_one_point() -> AddRemove:
    """Two records for each of four chunks."""
    return one_point(8)


_ONE_ROUND = {"guard": "strict"}
_MANY = {"guard": "strict", "queries": 10}
_EIGHT = {"guard": "strict", "queries": 8}
#: The noise is so little that four chunks can agree enough.
_FOUR_CHUNKS = {"queries": 1, "models": 4, "split": "by_record"}
MUTANTS = (
    Mutant(A_STAB, "number of records for the distance", "distance_of", number_of_records),
    Mutant(A_STAB, "distance to another value", "distance_of", records_to_another_value),
    Mutant(A_STAB, "distance taken twice", "distance_of", twice_the_distance),
    Mutant(A_STAB, "threshold without epsilon", "threshold", threshold_without_epsilon, {"epsilon": 0.5}),
    Mutant(A_STAB, "logarithm to base 10", "threshold", threshold_of_ten),
    Mutant(A_STAB, "noise of scale epsilon", "scale", scale_of_epsilon, {"epsilon": 0.5}),
    Mutant(A_STAB, "no noise", "scale", hardly_any_noise),
    Mutant(SPARSE, "threshold not noised", "noise", threshold_not_noised, _ONE_ROUND, nine_columns_and_one),
    Mutant(SPARSE, "queries not noised", "noise", queries_not_noised),
    Mutant(SPARSE, "scales upside down", "noise", scale_upside_down),
    Mutant(SPARSE, "scale of one round", "noise", scale_of_one_round, {"cutoff": 3}, nine_columns_and_one),
    Mutant(SPARSE, "rounds not counted", "rounds", nothing_counted, _ONE_ROUND, ten_columns),
    Mutant(SPARSE, "records counted three times", "values", records_counted_thrice),
    Mutant(SPARSE, "means for sums", "values", values_by_size),
    Mutant(
        SPARSE,
        "one noise for all queries",
        "patterns",
        one_noise_in_patterns,
        also={"patterns_law": one_noise_in_law},
    ),
    Mutant(A_BINCLAS, "threshold not noised", "noise", threshold_not_noised, _MANY, one_point),
    Mutant(A_BINCLAS, "queries not noised", "noise", queries_not_noised),
    Mutant(A_BINCLAS, "scales upside down", "noise", scale_upside_down),
    Mutant(A_BINCLAS, "abstentions not counted", "rounds", nothing_counted, _EIGHT, one_point),
    Mutant(A_BINCLAS, "every model sees all records", "chunks", chunks_of_all_records),
    Mutant(A_BINCLAS, "overlapping chunks", "chunks", overlapping_chunks),
    Mutant(A_BINCLAS, "empty chunks not counted", "chunks", empty_chunks_filled),
    Mutant(
        A_BINCLAS,
        "one noise for all queries",
        "answers",
        one_noise_in_answers,
        also={"answers_law": one_noise_in_answers_law},
    ),
    Mutant(RANDOM, "votes of the leading label for the distance", "distances", total_votes),
    Mutant(RANDOM, "margin without - 1", "distances", margin_itself, {"models": 2}),
    Mutant(RANDOM, "chunks by position", "assignment", blocks_by_position, _FOUR_CHUNKS, eight_of_one_point),
    Mutant(
        RANDOM,
        "label released on abstention",
        "answers",
        label_on_abstention,
        also={"answers_law": label_on_abstention_law},
    ),
)
