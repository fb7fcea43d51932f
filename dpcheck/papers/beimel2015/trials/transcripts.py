"""Active learners: what their questions give away, exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcheck.model.neighbours import EntryAndTranscript, Records, ReplaceOne
from dpcheck.papers.beimel2015.learners import ExponentialLearner, SubSampling, TranscriptWrapper
from dpcheck.papers.beimel2015.trials.laws import (
    as_ball,
    largest_delta,
    largest_over_pairs,
    nats,
    pairs_of_laws,
    precisely,
)
from dpcheck.papers.beimel2015.trials.outcomes import (
    EXACT,
    below,
    decided,
    exactly,
    result,
)
from dpcheck.parts.active import PrivateBinarySearch, WithTranscript
from dpcheck.parts.active.oracle import LabelOracle
from dpcheck.parts.classes import GridThresholds
from dpcheck.parts.mechanisms.amplification import ball
from dpcheck.trial.model import Measurement, Outcome, Table

_TENTH = Fraction(1, 10)


@precisely
def transcripts(seed: int, quick: bool) -> Measurement:
    """Headline claim 8: what hypothesis and questions lose together."""
    grid = GridThresholds(4)
    records = Records.labelled(features=[0, 1, 3] if quick else [0, 1, 2, 3], labels=[0, 1])
    bits = Records.labelled(features=[0, 1], labels=[0, 1])
    learners: tuple[tuple[str, Any, Records, int], ...] = (
        (
            "transcript wrapper (thm-5.5), 2 of 3 labels",
            TranscriptWrapper(ExponentialLearner(grid, 1), 2, 1),
            records,
            3,
        ),
        ("SubSampling (alg-4), 1 label of 2 of 4", SubSampling(ExponentialLearner(grid, 1), 1, 1, 4), bits, 4),
        (
            "SubSampling, random part asked for",
            SubSampling(ExponentialLearner(grid, 1), 1, 1, 4, asked="random"),
            bits,
            4,
        ),
        ("binary search, private hypothesis", PrivateBinarySearch(grid, 1), records, 3),
    )
    rows, facts = [], {}
    for name, learner, domain, size in learners:
        alone, pairs = largest_over_pairs(learner.distribution, ReplaceOne(domain, size))
        joint = WithTranscript(learner)
        relation = EntryAndTranscript(domain, size)
        together, _ = largest_over_pairs(joint.distribution, relation)
        delta, _ = largest_delta(joint.distribution, relation, ball(1).exp())
        facts[name] = alone, together, delta
        rows.append(
            (
                name,
                f"{pairs:,}",
                f"{nats(alone):.4f}",
                "infinite" if together is None else f"{nats(together):.4f}",
                f"{float(as_ball(delta)):.3g}",
            )
        )
    wrapper, sub, search = facts[learners[0][0]], facts[learners[1][0]], facts[learners[3][0]]
    same = _same_law(learners[0][1], records, 3)
    return Measurement(
        "transcripts",
        "Questions give labels away",
        tuple(map(result, ("thm-5.5", "rem-5.a", "rem-5.2"))),
        "Four active learners of thresholds, each 1-private in its hypothesis: the exact loss of the hypothesis "
        "alone and of "
        "hypothesis and questions together, over all pairs of fully labelled samples of three or four entries that "
        "differ in one.",
        f"Alone all lose at most {max(float(row[2]) for row in rows):.4f}. With the questions the wrapper loses "
        f"{rows[0][3]}, SubSampling {rows[1][3]} (alone {rows[1][2]}), and binary search {rows[3][3]}: "
        f"its delta at epsilon 1 is {rows[3][4]}.",
        EXACT,
        (),
        (
            Table(
                "Exact losses, base epsilon 1",
                ("learner", "pairs", "hypothesis", "with questions", "delta at epsilon 1"),
                tuple(rows),
            ),
        ),
        (
            decided(
                "thm-5.5",
                "a private semi-supervised learner that asks for the first m labels is transcript-private at the same "
                "epsilon",
                None if wrapper[1] is None else below(as_ball(wrapper[1]), ball(1).exp()),
                f"hypothesis and questions lose {nats(wrapper[1]):.4f} at epsilon 1 over {rows[0][1]} pairs",
                kind="privacy",
                learner="beimel2015.transcript_wrapper",
            ),
            exactly(
                "thm-5.5",
                "its questions are constant, and the law of the pair is that of the hypothesis",
                same,
                "on every sample of the domain",
                kind="privacy",
                learner="beimel2015.transcript_wrapper",
            ),
            exactly(
                "rem-5.a",
                "active learners private by definition 5.3 need not be by 5.4",
                search[1] is None and bool(as_ball(sub[1]) > as_ball(sub[0])),
                f"binary search: {rows[3][2]} alone, {rows[3][3]} with its questions; SubSampling: {rows[1][2]} and "
                f"{rows[1][3]}",
                kind="privacy",
            ),
            _by_index(),
        ),
    )


def _same_law(learner: TranscriptWrapper, records: Records, size: int) -> bool:
    """Whether the pair's law is the hypothesis's, the questions being (0, ..., m - 1)."""
    asked = tuple(range(learner.labelled))
    for left, _, one, _ in pairs_of_laws(learner.law_with_transcript, EntryAndTranscript(records, size)):
        alone = learner.distribution(left)
        if {h for h, _ in one} != set(alone.outputs) or {said for _, said in one} != {asked}:
            return False
    return True


def _by_index() -> Outcome:
    """rem-5.2: two entries with one point may get two labels."""
    oracle = LabelOracle([0, 1], most_labels=2)
    answers = oracle.ask(0), oracle.ask(1)
    return exactly(
        "rem-5.2",
        "questions are by index: two entries of one point can have different labels",
        answers == (0, 1),
        f"the oracle answers {answers} for two entries of one point, and its transcript is {oracle.transcript}",
    )
