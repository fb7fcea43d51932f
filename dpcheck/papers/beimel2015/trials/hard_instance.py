"""The hard instance for active learners whose questions are seen."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck.papers.beimel2015.hard_instances import RareThresholds, least_labels
from dpcheck.papers.beimel2015.learners import ExponentialLearner, GenericLearner, SubSampling, TranscriptWrapper
from dpcheck.papers.beimel2015.trials.laws import precisely
from dpcheck.papers.beimel2015.trials.outcomes import exactly, result
from dpcheck.parts.active import PrivateBinarySearch
from dpcheck.parts.classes import GridThresholds
from dpcheck.parts.mechanisms.sanitisers import ThresholdSanitiser
from dpcheck.trial.failures import counted
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import TOGETHER, Line, Page, Pivot, Plot
from dpcheck.trial.rows import Findings, Row
from dpcheck.utility.evidence import fixed_interval

_BITS, _ACCURACY, _FAILURE, _EPSILON = 11, Fraction(1, 1024), 0.25, Fraction(1, 10)
_HARD = RareThresholds(_BITS, _ACCURACY)
_FAMILY = GridThresholds(1 << _BITS, "down")
_BASE = ExponentialLearner(_FAMILY, _EPSILON)
_REPAIRED = math.exp(-2 * float(_EPSILON)) / (16 * float(_ACCURACY))


def fails(learner: Any, examples: int, times: int, rng: np.random.Generator) -> int:
    """How many of so many runs err by more than alpha, each on a target drawn from B."""
    missed = 0
    for _ in range(times):
        law = _HARD.draw_instance(rng)
        missed += law.error(learner(law.draw(examples, rng), rng)) > _ACCURACY
    return missed


@dataclass(frozen=True)
class _Kind:
    """A learner whose questions are private: its name, that in the registry, and it with its examples by labels."""

    name: str
    listed: str
    made: Callable[[int], tuple[Any, int]]
    times: int


def _kinds(trials: int) -> tuple[_Kind, ...]:
    def generic(m: int) -> tuple[Any, int]:
        inner = GenericLearner(_FAMILY, ThresholdSanitiser(1 << _BITS, _EPSILON, 8), _EPSILON)
        return TranscriptWrapper(inner, m, 200), m + 200

    return (
        _Kind(
            "transcript wrapper of the exponential mechanism",
            "transcript_wrapper",
            lambda m: (TranscriptWrapper(_BASE, m, 0), m),
            trials,
        ),
        _Kind(
            "SubSampling, its questions seen",
            "sub_sampling_transcript",
            lambda m: (SubSampling(_BASE, m, 0, examples=8 * m), 8 * m),
            trials,
        ),
        _Kind("transcript wrapper of GenericLearner", "transcript_wrapper", generic, trials // 3),
    )


@precisely
def hard_instance(seed: int, quick: bool) -> Findings:
    """thm-5.6: the learners on rare thresholds, with fewer labels than the bound."""
    least = least_labels(_ACCURACY, _FAILURE, _EPSILON)
    rng = np.random.default_rng(seed)
    sizes = (1, 4, 16, math.ceil(least) - 1)
    kinds = _kinds(trials := 150 if quick else 600)
    level = TOGETHER / (len(kinds) * len(sizes))
    rows, outcomes, ends = [], [], []
    for kind in kinds:
        counts = [fails(*kind.made(m), kind.times, rng) for m in sizes]
        for m, count in zip(sizes, counts, strict=True):
            band = fixed_interval(count, kind.times, level)
            rows.append(Row(kind.name, count / kind.times, {"m": m}, "measured", band, kind.times, level))
        outcomes.append(_fails_often(kind, counts[-1], sizes[-1], least))
        ends.append(f"{counts[-1]} of {kind.times}")
    search, points, searches = PrivateBinarySearch(_FAMILY, 50), 4096, trials // 3
    missed, asked = fails(search, points, searches, rng), search.most_labels(points)
    told = (
        f"With {sizes[-1]} labels they fail in {', '.join(ends)} runs. Binary search, whose questions are private for "
        f"no epsilon, asks for {asked} labels of {points:,} points and fails in {missed} of {searches}: of it the "
        "theorem does not speak."
    )
    words = {"printed": least, "asked": asked, "missed": missed, "searches": searches, "count": len(rows)}
    return Findings(rows, [*outcomes, _two_targets()], told, words, sum(row.trials for row in rows) + searches)


PAGE = Page(
    "The hard instance for learners whose questions are seen",
    f"Points uniform on 2^{_BITS}, the target uniform on B, the {_HARD.largest} lowest: alpha = 1/1024, beta = 1/4, "
    "epsilon = 0.1, delta = 0. The bound is {printed:.2f} labels as printed, "
    f"{_REPAIRED:.2f} as repaired. Every learner of ours whose questions are private is run with fewer.",
    (
        Plot(
            "hard",
            "Failure on the hard instance",
            "m",
            "probability of error above alpha",
            x_label="labels m",
            lines=(
                Line("beta = 1/4", y=_FAILURE),
                Line("bound as printed", x="printed"),
                Line("bound as repaired", x=_REPAIRED),
            ),
        ),
    ),
    (Pivot("Failures on rare thresholds, epsilon = 0.1", ("m",)),),
    evidence="Numbers of runs were fixed before; all {count} intervals hold together with probability 95%.",
    left_out="Binary search with a private hypothesis ({asked} labels, {missed} of {searches} runs failed) is not "
    "transcript-private.",
)


def _fails_often(kind: _Kind, failed: int, labels: int, least: float) -> Outcome:
    """thm-5.6 of a learner with fewer labels than the bound."""
    return counted(
        result("thm-5.6"),
        f"thm-5.6: {kind.name} with m = {labels} labels, below {least:.2f}, fails with probability at least 1/4 on "
        "some target of B",
        failed,
        kind.times,
        _FAILURE,
        sense="at least",
        detail="over targets drawn from B (alpha = 1/1024, epsilon = 0.1, delta = 0)",
        kind="lower bound",
        learner=f"beimel2015.{kind.listed}",
        size=least,
    )


def _two_targets() -> Outcome:
    """thm-5.6 as repaired: two targets that differ on a point of mass 2 alpha, exactly for the wrapper."""
    m = math.ceil(_REPAIRED) - 1
    unseen = (1 - 2 * _ACCURACY) ** m  # no label of the point
    return exactly(
        "thm-5.6",
        f"as repaired: with m = {m} labels, below e^(-2 epsilon)/(16 alpha) = {_REPAIRED:.2f}, any learner that asks "
        "for the first "
        "m labels fails with probability above 1/4 for one of two targets that differ on a point of mass 2 alpha",
        unseen / 2 > Fraction(1, 4),
        f"with probability {float(unseen):.4f} no label of that point is seen, and then one of the two is "
        f"missed at least half the time: {float(unseen / 2):.4f}, as a fraction",
        kind="lower bound",
    )
