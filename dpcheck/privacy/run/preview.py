"""What an audit or a measurement would run, found out without running it: for ``--dry-run`` and ``dpcheck plan``."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from dpcheck.model.claims import Claim, claim_point
from dpcheck.model.data import describe_dataset
from dpcheck.model.errors import LearnerDied
from dpcheck.model.verdict import Finding
from dpcheck.model.verdict.record import claim_record
from dpcheck.privacy.run.agreement_phase import OPENING_CALLS, OPENING_KEY, warm_up, without_answers
from dpcheck.privacy.run.allocation import affordable
from dpcheck.privacy.run.caller import Caller, Noticed, caller_for, runner_of, shape_of
from dpcheck.privacy.run.data_form import find_form
from dpcheck.privacy.run.findings import death_text
from dpcheck.privacy.run.least_size import enough_records
from dpcheck.privacy.run.pair_search import breadth_of
from dpcheck.privacy.run.power_analysis import ONE_NUMBER, PAGE, Caught, Cost, caught_words, duration, finite, wrapped
from dpcheck.privacy.run.question import PLANNED_SECONDS, Question
from dpcheck.privacy.run.request_sizes import LEAST_COST, mean_cost
from dpcheck.privacy.statistics.claim_evidence import points_staked
from dpcheck.privacy.statistics.detectable import ASSUMED_COVERAGE, POWER
from dpcheck.privacy.statistics.game import Shape
from dpcheck.privacy.statistics.observations import join

#: A first call that takes longer is not repeated more than once to see what a call costs.
SLOW = 0.25
#: Pairs that are written out; all are in the JSON.
PAIRS_SHOWN = 10


@dataclass(frozen=True)
class Trial:
    """What a few calls showed: how many they were, what one takes, what outputs look like, or how they failed.

    ``question``: what was asked in the end, in the form and of the sizes that the learner answers.
    """

    question: Question
    calls: int
    seconds_per_call: float
    shape: Shape
    failure: str = ""


def trial_of(question: Question) -> Trial:
    """A few calls on the first pair (two of a slow learner), those that an audit would begin with.

    Nothing is learned from their outputs but what outputs look like. As in an audit the form of data is found first,
    and larger datasets are tried where it raises on all small ones. A learner that hangs or dies, or answers none, is a
    :class:`Trial` with a failure.
    """
    question = find_form(question).question
    noticed = Noticed()
    try:
        runner = runner_of(question)
        try:
            caller = caller_for(question, runner, noticed)
            found = _tried(caller)
            if found.failure:
                larger, _ = enough_records(caller, warm_up(caller, question.dataset_numbers()))
                found = found if larger is None else _tried(caller_for(larger, runner, noticed))
            return found
        finally:
            runner.close()
    except LearnerDied as error:
        return Trial(question, 0, math.nan, ONE_NUMBER, death_text(question, error, noticed))


def _tried(caller: Caller) -> Trial:
    """What the calls of a trial show."""
    question, noticed = caller.question, caller.noticed
    left, right = question.dataset_numbers()[0]
    before = noticed.seconds
    one = caller.outputs(left, 1, (OPENING_KEY, 0))
    first = noticed.seconds - before
    if first > SLOW:
        seen = join([one, caller.outputs(right, 1, (OPENING_KEY, 1))], np.arange(2))
        later = made = 1
    else:
        again = [caller.outputs(side, OPENING_CALLS, (OPENING_KEY, k)) for k, side in enumerate((left, right))]
        later, made = 2 * OPENING_CALLS, 2
        seen = join(again)
    took = noticed.seconds - before - first
    more, failure = without_answers(caller, question.dataset_numbers(), seen)
    if failure:
        return Trial(question, 1 + later + more, math.nan, ONE_NUMBER, failure)
    # the first call may load and compile things, so the later ones say what a call takes
    cost = max((took - made * noticed.making) / later, LEAST_COST)
    return Trial(question, 1 + later + more, mean_cost(cost, noticed.making), shape_of(seen))


@dataclass(frozen=True)
class PairShown:
    """A pair in words, and whether the budget reaches it."""

    change: str
    left: str
    right: str
    tried: bool


@dataclass(frozen=True)
class Preview:
    """What would be run: see :func:`preview`.

    ``claim`` is None for a measurement; ``budget`` the calls that fit into both limits; ``catches`` the leaks it
    would catch on every pair tried; ``calls_for_all`` what it takes to bring all pairs to ``detect``. Where pairs are
    searched, ``explored`` of them are looked at first, and which are tried follows from that: those of ``pairs`` that
    are marked as tried are then as many as the budget reaches.
    """

    target: str
    claim: Claim | None
    delta: float
    relation: str
    alpha: float
    detect: float | None
    numerics: str
    max_samples: int
    max_seconds: float
    call_timeout: float
    isolation: str
    seed: int
    jobs: int
    pairs: tuple[PairShown, ...]
    trial_calls: int
    seconds_per_call: float | None
    budget: int
    catches: tuple[Caught, ...]
    calls_for_all: int | None
    findings: tuple[Finding, ...]
    failure: str
    explored: int = 0

    @property
    def pairs_tried(self) -> int:
        """How many pairs the budget reaches."""
        return sum(pair.tried for pair in self.pairs)

    def __str__(self) -> str:
        return describe_preview(self)

    def as_data(self) -> dict[str, Any]:
        """The preview as JSON data; what is infinite or unknown is None."""
        return {
            **asdict(self),
            "claim": None if self.claim is None else asdict(claim_record(self.claim)),
            "max_seconds": finite(self.max_seconds),
            "pairs_tried": self.pairs_tried,
            "catches": [{"coverage": c.coverage, "epsilon": finite(c.epsilon)} for c in self.catches],
        }


def preview(
    question: Question, *, delta: float = 0.0, pairs_of_budget: Callable[[int, int], int] | None = None
) -> Preview:
    """What would be run on a question: the pairs its budget reaches and the leaks it would catch.

    Parameters
    ----------
    question : Question
        Checked and complete; of a measurement where it has no claim.
    delta : float
        Where a measurement measures epsilon.
    pairs_of_budget : callable ``(budget, number of pairs) -> int``, optional
        How many pairs a measurement tries.
    """
    trial = trial_of(question)
    question = trial.question
    budget = question.max_samples
    if not trial.failure and math.isfinite(question.max_seconds):
        budget = min(budget, int(min(question.max_seconds / trial.seconds_per_call, 1e15)))
    catches: tuple[Caught, ...] = ()
    calls_for_all = None
    longer: tuple[Finding, ...] = ()
    tried, breadth = 0, None
    if not trial.failure:
        epsilon, at = (0.0, delta) if question.claim is None else claim_point(question.claim)
        points = () if question.claim is None else points_staked(question.claim)
        cost = Cost(epsilon, at, question.limits.alpha, POWER, trial.shape, question.detect, points)
        if question.claim is None:
            tried = 1 if pairs_of_budget is None else pairs_of_budget(budget, len(question.pairs))
            catches = cost.catches(budget, 1)
        else:
            breadth = breadth_of(question, budget, trial.seconds_per_call, trial.shape)
            tried = affordable(question, budget, trial.shape) if breadth is None else breadth.most
            catches = cost.catches(budget - (0 if breadth is None else breadth.calls), tried)
            calls_for_all = cost.calls(question.detect, ASSUMED_COVERAGE, len(question.pairs))
            longer = _longer(question, trial.seconds_per_call, budget, cost.calls(question.detect, ASSUMED_COVERAGE))
    return Preview(
        target=question.target.name,
        claim=question.claim,
        delta=delta if question.claim is None else claim_point(question.claim)[1],
        relation=question.relation_name,
        alpha=question.limits.alpha,
        detect=None if question.claim is None else question.detect,
        numerics=question.limits.numerics,
        max_samples=question.max_samples,
        max_seconds=question.max_seconds,
        call_timeout=question.limits.call_timeout,
        isolation=question.limits.isolation,
        seed=question.limits.seed,
        jobs=question.limits.jobs,
        pairs=tuple(
            PairShown(pair.change, describe_dataset(pair.left), describe_dataset(pair.right), place < tried)
            for place, pair in enumerate(question.pairs)
        ),
        trial_calls=trial.calls,
        seconds_per_call=None if trial.failure else trial.seconds_per_call,
        budget=budget,
        catches=catches,
        calls_for_all=calls_for_all,
        findings=(*question.findings, *longer),
        failure=trial.failure,
        explored=0 if breadth is None else breadth.wide,
    )


def _longer(question: Question, each: float, budget: int, needed: int | None) -> tuple[Finding, ...]:
    """That an audit for which nobody asked for a time goes on where its time is too short for one pair."""
    asked = question.limits.max_seconds is not None or question.planned
    if asked or needed is None or not budget < needed <= question.max_samples or needed * each > PLANNED_SECONDS:
        return ()
    words = (
        f"where {question.max_seconds:g} s decide nothing, an audit without --max-seconds goes on for up to "
        f"{PLANNED_SECONDS:g} s: a privacy loss of {question.detect:.3g} takes about {needed:,} calls, "
        f"{duration(needed * each)}"
    )
    return (Finding("may take longer", words),)


def describe_preview(found: Preview, page: int = PAGE) -> str:
    """What a person reads: the target, its pairs, the budget and what it would catch."""
    asked = f"measured at delta = {found.delta:g}" if found.claim is None else f"claim: {found.claim}"
    detect = "" if found.detect is None else f", detect = {found.detect:g}"
    seconds = "no limit of time" if math.isinf(found.max_seconds) else f"{found.max_seconds:g} s"
    paragraphs = [
        f"{found.target}: DRY RUN, nothing is decided ({asked}, {found.relation})",
        f"Level: alpha = {found.alpha:g}{detect}, numerics = {found.numerics}, seed = {found.seed}. Isolation = "
        f"{found.isolation}, jobs = {found.jobs}; a call longer than {found.call_timeout:g} s is a hang.",
    ]
    limits = f"Budget: at most {found.max_samples:,} calls and {seconds}."
    if found.failure:
        paragraphs += [limits, f"The learner failed in its first calls: {found.failure}"]
    else:
        assert found.seconds_per_call is not None
        fits = "all of them fit" if found.budget == found.max_samples else f"{found.budget:,} calls fit"
        paragraphs.append(
            f"{limits} One call takes {duration(found.seconds_per_call)} (measured by {found.trial_calls} calls), so "
            f"{fits}."
        )
        paragraphs += _pairs_in_words(found)
        paragraphs.append(_catches_in_words(found))
    paragraphs += [f"Finding ({finding.kind}): {finding.detail}" for finding in found.findings]
    return "\n".join(wrapped(text, "   " if text.startswith(" ") else "", page) for text in paragraphs)


def _pairs_in_words(found: Preview) -> list[str]:
    of, tried = len(found.pairs), found.pairs_tried
    some = "the first" if tried == 1 else f"the first {tried}"
    which = "the pair" if of == 1 else f"all {of} pairs" if tried == of else f"{some} of {of} pairs"
    why = "" if tried == of else f" ({of - tried} not tried: the budget does not reach the loss asked for on them too)"
    lines = [f"Would try {which}{why}; the dataset: {found.pairs[0].left}"]
    shown = [pair for pair in found.pairs if pair.tried][:PAIRS_SHOWN]
    if found.explored:
        most = f"those that show the largest privacy loss, at most {tried} of them,"
        lines = [
            f"Would explore {found.explored} pairs (calls that are no evidence) and try {most} on fresh calls; the "
            "first to be explored:"
        ]
        shown, tried = list(found.pairs[: min(found.explored, PAIRS_SHOWN)]), found.explored
    lines += [
        f"  {number}. {pair.change}{f' in {pair.left}' if found.explored else ''}"
        for number, pair in enumerate(shown, start=1)
    ]
    if tried > len(shown):
        lines.append(f"  ... and {tried - len(shown)} more (all are in the JSON)")
    return lines


def _catches_in_words(found: Preview) -> str:
    if found.claim is None:
        return (
            f"Would certify an epsilon above 0 with probability {POWER:g} for {caught_words(found.catches)}; "
            "what it certifies is below the true loss, and nearer to it the more calls there are."
        )
    on = "it" if found.pairs_tried == 1 else "any of them"
    text = f"Would catch, with probability {POWER:g} on {on}: {caught_words(found.catches)}."
    if found.calls_for_all is not None and found.calls_for_all > found.budget:
        assert found.seconds_per_call is not None
        every = "the pair" if len(found.pairs) == 1 else f"all {len(found.pairs)} pairs"
        text += (
            f" To reach detect = {found.detect:g} in {ASSUMED_COVERAGE:.0%} of the outputs on {every} takes "
            f"about {found.calls_for_all:,} calls ({duration(found.calls_for_all * found.seconds_per_call)})."
        )
    return text
