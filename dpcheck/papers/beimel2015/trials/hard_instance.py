"""The hard instance for active learners whose questions are seen."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck.papers.beimel2015.hard_instances import RareThresholds, least_labels
from dpcheck.papers.beimel2015.learners import ExponentialLearner, GenericLearner, SubSampling, TranscriptWrapper
from dpcheck.papers.beimel2015.trials.laws import (
    precisely,
)
from dpcheck.papers.beimel2015.trials.outcomes import (
    exactly,
    interval,
    result,
    word_of_often,
)
from dpcheck.parts.active import PrivateBinarySearch
from dpcheck.parts.classes import GridThresholds
from dpcheck.parts.mechanisms.sanitisers import ThresholdSanitiser
from dpcheck.trial.model import Chart, Mark, Measurement, Outcome, Series, Table

_TENTH = Fraction(1, 10)


@precisely
def hard_instance(seed: int, quick: bool) -> Measurement:
    """thm-5.6: the learners on rare thresholds, with fewer labels than the bound."""
    bits, accuracy, failure, epsilon = 11, Fraction(1, 1024), 0.25, _TENTH
    hard = RareThresholds(bits, accuracy)
    bound = least_labels(accuracy, failure, epsilon)
    repaired = math.exp(-2 * float(epsilon)) / (16 * float(accuracy))
    family = GridThresholds(1 << bits, "down")
    trials = 150 if quick else 600
    rng = np.random.default_rng(seed)
    sizes = (1, 4, 16, math.ceil(bound) - 1)
    rows, outcomes, series = [], [], []

    def fails(learner: Any, examples: int, times: int) -> int:
        missed = 0
        for _ in range(times):
            law = hard.draw_instance(rng)
            missed += law.error(learner(law.draw(examples, rng), rng)) > accuracy
        return missed

    base = ExponentialLearner(family, epsilon)

    def wrapped(m: int) -> tuple[Any, int]:
        return TranscriptWrapper(base, m, 0), m

    def part(m: int) -> tuple[Any, int]:
        return SubSampling(base, m, 0, examples=8 * m), 8 * m

    def generic(m: int) -> tuple[Any, int]:
        inner = GenericLearner(family, ThresholdSanitiser(1 << bits, epsilon, 8), epsilon)
        return TranscriptWrapper(inner, m, 200), m + 200

    kinds: tuple[tuple[str, str, Any, int], ...] = (
        ("transcript wrapper of the exponential mechanism", "transcript_wrapper", wrapped, trials),
        ("SubSampling, its questions seen", "sub_sampling_transcript", part, trials),
        ("transcript wrapper of GenericLearner", "transcript_wrapper", generic, trials // 3),
    )
    for colour, (name, listed, make, times) in enumerate(kinds):
        counts = []
        for m in sizes:
            learner, examples = make(m)
            counts.append(fails(learner, examples, times))
        level = 0.05 / (len(kinds) * len(sizes))
        bands = [interval(c, times, level) for c in counts]
        series.append(
            Series(
                name,
                "measured",
                colour,
                tuple(map(float, sizes)),
                tuple(c / times for c in counts),
                tuple(b[0] for b in bands),
                tuple(b[1] for b in bands),
                (times,) * len(sizes),
            )
        )
        word, wrong = word_of_often(counts[-1], times, failure)
        rows.append((name, f"{float(epsilon):g}", *(f"{c} of {times}" for c in counts)))
        outcomes.append(
            Outcome(
                word,
                f"thm-5.6: {name} with m = {sizes[-1]} labels, below {bound:.2f}, fails with probability at least "
                "1/4 on some target of B",
                f"{counts[-1]} of {times} runs failed over targets drawn from B (alpha = 1/1024, epsilon = 0.1, "
                "delta = 0)",
                result("thm-5.6"),
                "lower bound",
                learner=f"beimel2015.{listed}",
                size=bound,
                level=wrong,
                trials=times,
            )
        )
    search = PrivateBinarySearch(family, 50)
    points = 4096
    missed = fails(search, points, trials // 3)
    asked = search.most_labels(points)
    word, wrong = word_of_often(missed, trials // 3, failure)
    two = _two_targets(accuracy, epsilon, repaired)
    return Measurement(
        "hard-instance",
        "The hard instance for learners whose questions are seen",
        (result("thm-5.6"),),
        f"Points uniform on 2^{bits}, the target uniform on B, the {hard.largest} lowest: alpha = 1/1024, beta = "
        "1/4, epsilon = 0.1, "
        f"delta = 0. The bound is {bound:.2f} labels as printed, {repaired:.2f} as repaired. Every learner of ours "
        "whose questions are private is run with fewer.",
        f"With {sizes[-1]} labels they fail in "
        + ", ".join(row[-1] for row in rows)
        + " runs. Binary search, whose questions are private "
        f"for no epsilon, asks for {asked} labels of {points:,} points and fails in {missed} of {trials // 3}: of it "
        "the theorem does not speak.",
        f"Numbers of runs were fixed before; all {len(kinds) * len(sizes)} intervals hold together with probability "
        "95%.",
        (
            Chart(
                "hard",
                "Failure on the hard instance",
                "labels m",
                "probability of error above alpha",
                tuple(series),
                (
                    Mark("beta = 1/4", y=failure, colour=5),
                    Mark("bound as printed", x=bound, colour=6),
                    Mark("bound as repaired", x=repaired, colour=7),
                ),
                y_range=(0, 1.05),
                alt="All learners fail nearly always below the bound.",
            ),
        ),
        (Table("Failures on rare thresholds", ("learner", "epsilon", *(f"m = {m}" for m in sizes)), tuple(rows)),),
        (*outcomes, two),
        left_out=f"Binary search with a private hypothesis ({asked} labels, {missed} of {trials // 3} runs failed) "
        "is not transcript-private.",
        trials=len(sizes) * sum(times for *_, times in kinds) + trials // 3,
    )


def _two_targets(accuracy: Fraction, epsilon: Fraction, repaired: float) -> Outcome:
    """thm-5.6 as repaired: two targets that differ on a point of mass 2 alpha, exactly for the wrapper."""
    m = math.ceil(repaired) - 1
    unseen = (1 - 2 * accuracy) ** m  # no label of the point
    return exactly(
        "thm-5.6",
        f"as repaired: with m = {m} labels, below e^(-2 epsilon)/(16 alpha) = {repaired:.2f}, any learner that asks "
        "for the first "
        "m labels fails with probability above 1/4 for one of two targets that differ on a point of mass 2 alpha",
        unseen / 2 > Fraction(1, 4),
        f"with probability {float(unseen):.4f} no label of that point is seen, and then one of the two is "
        f"missed at least half the time: {float(unseen / 2):.4f}, as a fraction",
        kind="lower bound",
    )
