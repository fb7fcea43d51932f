"""Broken versions of the noisy majorities that bassily2018 is compared with, one defect each."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.law import Law
from dpcheck.papers.bassily2018.learners.noisy_majority import NoisyMajority
from dpcheck.papers.bassily2018.learners.noisy_votes import NoisyVotes
from dpcheck.papers.bassily2018.learners.votes import ConstantModel
from dpcheck.parts.learners.mutants import Mutant
from dpcheck.parts.mechanisms.amplification import ball
from dpcheck.parts.mechanisms.gaussian import calibrated_sigma

LAPLACE, GAUSSIAN = "bassily2018.noisy_majority", "bassily2018.noisy_majority_gaussian"
SEVERAL = "bassily2018.noisy_majority_classes"


# --- how much noise


def scale_for_sensitivity_one(self: Any, counts: Any) -> Any:
    """One count changes, it is thought, and by 1: half the noise."""
    return Fraction(self.scale) / 2


def scale_for_one_query(self: Any, counts: Any) -> Any:
    """Composition is forgotten: each query is given the whole epsilon."""
    return Fraction(self.scale) / len(self.queries)


def deviation_for_one_query(self: Any, counts: Any) -> Any:
    """Composition is forgotten: the exact calibration of one query."""
    return calibrated_sigma(1.0, self.delta, math.sqrt(2))


def deviation_for_one_count(self: Any, counts: Any) -> Any:
    """The norm of the change is taken for 1, and all queries for one vector of counts."""
    return calibrated_sigma(1.0, self.delta, 1.0)


def scale_by_the_margin(self: Any, counts: Any) -> Any:
    """Clear majorities need less noise, it is thought: all scales are divided by the first query's margin."""
    lead = abs(int(counts[0, 1] - counts[0, 0]))
    return Fraction(self.scale) / max(1, lead)


def variance_for_deviation(self: Any, counts: Any) -> Any:
    """The square root of the scale: a variance where the deviation is wanted, or the other way round."""
    return math.sqrt(self.scale) / 2


# --- on what


@dataclass(frozen=True, eq=False)
class SharedNoise:
    """One draw of noise for each label, the same in all queries."""

    counts: NDArray[np.int64]
    scale: float

    def sample(self, size: int, rng: np.random.Generator) -> Any:
        noise = rng.laplace(0.0, self.scale, (size, 1, 2))
        return (self.counts + noise).argmax(axis=2).astype(np.int32)

    def law(self, classes: Any) -> Law:
        """By where the difference of the two noises lies among the leads of label 0."""
        leads = (self.counts[:, 0] - self.counts[:, 1]).tolist()
        cuts = sorted({*leads})
        ends = [ball(0), *(_below(cut, self.scale) for cut in cuts), ball(1)]
        law: dict[tuple[Any, ...], Any] = {}
        for place, (low, high) in enumerate(itertools.pairwise(ends)):
            # label 1 wins where its noise is ahead by more than label 0's lead
            output = tuple(classes[int(lead in cuts[:place])] for lead in leads)
            law[output] = law.get(output, ball(0)) + high - low
        return Law(list(law), exact=list(law.values()))


def _below(cut: int, scale: float) -> Any:
    """The probability that the difference of two Laplace variables is below a cut."""
    far = ball(Fraction(abs(cut)) / Fraction(scale))
    tail = (1 + far / 2) * (-far).exp() / 2
    return 1 - tail if cut >= 0 else tail


def noise_shared_by_queries(self: NoisyMajority, counts: Any) -> SharedNoise:
    """Noise of the right scale is drawn once, with half the noise since there is one draw only."""
    return SharedNoise(np.asarray(counts), float(self.scale) / len(self.queries))


def no_noise_on_the_leader(self: NoisyMajority, counts: Any) -> NoisyVotes:
    """Noise on the other count only: the deviation of the difference, which is what matters, is by sqrt 2 too small.

    (Laplace noise on one of the two counts would do: the difference then has the noise of the Laplace mechanism.)
    """
    return NoisyVotes(counts, self.noise, self.noise_scale(counts) / math.sqrt(2))


def unanimous_without_noise(self: NoisyMajority, counts: Any) -> NoisyVotes:
    """Queries on which all models agree are answered as they are: their counts are moved out of the noise's reach."""
    several = np.asarray(counts)
    agreed = (several == self.models).any(axis=1, keepdims=True)
    return NoisyVotes(np.where(agreed, 1000 * several, several), self.noise, self.noise_scale(counts))


def rare_labels_dropped(self: NoisyMajority, counts: Any) -> NoisyVotes:
    """Labels that no model votes for are not to win: noise is for those with votes."""
    several = np.asarray(counts)
    return NoisyVotes(np.where(several == 0, -1000, several) + 1000, self.noise, self.noise_scale(counts))


# --- whose votes


def counts_of_those_who_voted(self: NoisyMajority, models: Any) -> NDArray[np.int64]:
    """Chunks without records do not vote, and the others' votes are scaled up to k: told by constant models of class 0.

    The scale of the noise is still that for votes of one each.
    """
    voting = [model for model in models if not isinstance(model, ConstantModel)]
    if not voting:
        return NoisyMajority.counts(self, models)
    counts = NoisyMajority.counts(self, voting)
    return counts * self.models // len(voting)


def chunks_that_overlap(self: NoisyMajority, assignment: Any) -> list[NDArray[np.intp]]:
    """Each record goes to its chunk and to the next one."""
    chunks = NoisyMajority.chunks(self, assignment)
    return [np.concatenate([rows, before]) for rows, before in zip(chunks, chunks[-1:] + chunks[:-1], strict=True)]


def every_model_sees_all(self: NoisyMajority, assignment: Any) -> list[NDArray[np.intp]]:
    """No split: each model is trained on all records."""
    return [np.arange(len(assignment))] * self.models


MUTANTS = (
    Mutant(LAPLACE, "scale for a sensitivity of 1", "noise_scale", scale_for_sensitivity_one),
    Mutant(LAPLACE, "composition forgotten", "noise_scale", scale_for_one_query),
    Mutant(LAPLACE, "scale by the margin", "noise_scale", scale_by_the_margin),
    Mutant(LAPLACE, "noise shared by queries", "noisy_votes", noise_shared_by_queries),
    Mutant(LAPLACE, "unanimous queries without noise", "noisy_votes", unanimous_without_noise),
    Mutant(LAPLACE, "shares of those who voted", "counts", counts_of_those_who_voted),
    Mutant(LAPLACE, "chunks that overlap", "chunks", chunks_that_overlap),
    Mutant(LAPLACE, "no split", "chunks", every_model_sees_all),
    Mutant(GAUSSIAN, "variance for deviation", "noise_scale", variance_for_deviation),
    Mutant(GAUSSIAN, "composition forgotten", "noise_scale", deviation_for_one_query),
    Mutant(GAUSSIAN, "sensitivity of one count", "noise_scale", deviation_for_one_count),
    Mutant(GAUSSIAN, "no noise on the leader", "noisy_votes", no_noise_on_the_leader, {"accounting": "pld"}),
    Mutant(GAUSSIAN, "no split", "chunks", every_model_sees_all),
    Mutant(GAUSSIAN, "unanimous queries without noise", "noisy_votes", unanimous_without_noise),
    Mutant(SEVERAL, "scale for a sensitivity of 1", "noise_scale", scale_for_sensitivity_one),
    Mutant(SEVERAL, "labels without votes cannot win", "noisy_votes", rare_labels_dropped),
    Mutant(SEVERAL, "no split", "chunks", every_model_sees_all),
    Mutant(SEVERAL, "chunks that overlap", "chunks", chunks_that_overlap),
    Mutant(SEVERAL, "unanimous queries without noise", "noisy_votes", unanimous_without_noise),
)
