"""Active learners: what their questions give away, exactly."""

from __future__ import annotations

from dataclasses import dataclass
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
from dpcheck.papers.beimel2015.trials.outcomes import EXACT, below, decided, exactly
from dpcheck.parts.active import PrivateBinarySearch, WithTranscript
from dpcheck.parts.active.oracle import LabelOracle
from dpcheck.parts.classes import GridThresholds
from dpcheck.parts.mechanisms.amplification import ball
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import Page, Pivot
from dpcheck.trial.rows import Findings, line


def _learners(quick: bool) -> tuple[tuple[str, Any, Records, int], ...]:
    """Active learners of thresholds, 1-private in their hypothesis, with a domain and entries of a sample."""
    grid = GridThresholds(4)
    base = ExponentialLearner(grid, 1)
    records = Records.labelled(features=[0, 1, 3] if quick else [0, 1, 2, 3], labels=[0, 1])
    bits = Records.labelled(features=[0, 1], labels=[0, 1])
    return (
        ("transcript wrapper (thm-5.5), 2 of 3 labels", TranscriptWrapper(base, 2, 1), records, 3),
        ("SubSampling (alg-4), 1 label of 2 of 4", SubSampling(base, 1, 1, 4), bits, 4),
        ("SubSampling, random part asked for", SubSampling(base, 1, 1, 4, asked="random"), bits, 4),
        ("binary search, private hypothesis", PrivateBinarySearch(grid, 1), records, 3),
    )


@dataclass(frozen=True)
class _Losses:
    """The largest ratios of the hypothesis, and of hypothesis and questions; their delta at epsilon 1."""

    pairs: int
    alone: Any
    together: Any
    delta: Any

    @property
    def seen(self) -> str:
        """The loss with the questions, in words."""
        return "infinite" if self.together is None else f"{nats(self.together):.4f}"


def _losses(learner: Any, domain: Records, size: int) -> _Losses:
    alone, pairs = largest_over_pairs(learner.distribution, ReplaceOne(domain, size))
    joint, relation = WithTranscript(learner), EntryAndTranscript(domain, size)
    together, _ = largest_over_pairs(joint.distribution, relation)
    delta, _ = largest_delta(joint.distribution, relation, ball(1).exp())
    return _Losses(pairs, alone, together, delta)


@precisely
def transcripts(seed: int, quick: bool) -> Findings:
    """Headline claim 8: what hypothesis and questions lose together."""
    learners = _learners(quick)
    found = {name: _losses(*each) for name, *each in learners}
    wrapper, sub, _, search = found.values()
    rows = []
    for name, each in found.items():
        values = {
            "pairs": each.pairs,
            "hypothesis": nats(each.alone),
            "with questions": nats(each.together),
            "delta at epsilon 1": as_ball(each.delta),
        }
        rows += line(values, {"learner": name})
    outcomes = (
        decided(
            "thm-5.5",
            "a private semi-supervised learner that asks for the first m labels is transcript-private at the same "
            "epsilon",
            None if wrapper.together is None else below(as_ball(wrapper.together), ball(1).exp()),
            f"hypothesis and questions lose {nats(wrapper.together):.4f} at epsilon 1 over {wrapper.pairs:,} pairs",
            kind="privacy",
            learner="beimel2015.transcript_wrapper",
        ),
        exactly(
            "thm-5.5",
            "its questions are constant, and the law of the pair is that of the hypothesis",
            _same_law(*learners[0][1:]),
            "on every sample of the domain",
            kind="privacy",
            learner="beimel2015.transcript_wrapper",
        ),
        exactly(
            "rem-5.a",
            "active learners private by definition 5.3 need not be by 5.4",
            search.together is None and bool(as_ball(sub.together) > as_ball(sub.alone)),
            f"binary search: {nats(search.alone):.4f} alone, {search.seen} with its questions; SubSampling: "
            f"{nats(sub.alone):.4f} and {sub.seen}",
            kind="privacy",
        ),
        _by_index(),
    )
    told = (
        f"Alone all lose at most {max(nats(each.alone) for each in found.values()):.4f}. With the questions the "
        f"wrapper loses {wrapper.seen}, SubSampling {sub.seen} (alone {nats(sub.alone):.4f}), and binary search "
        f"{search.seen}: its delta at epsilon 1 is {float(as_ball(search.delta)):.3g}."
    )
    return Findings(rows, outcomes, told)


PAGE = Page(
    "Questions give labels away",
    "Four active learners of thresholds, each 1-private in its hypothesis: the exact loss of the hypothesis alone and "
    "of hypothesis and questions together, over all pairs of fully labelled samples of three or four entries that "
    "differ in one.",
    (),
    (Pivot("Exact losses, base epsilon 1", ("learner",)),),
    EXACT,
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
