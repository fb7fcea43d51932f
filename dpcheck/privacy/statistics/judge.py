"""From the state of an audit to its verdict: nothing is sampled here."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dpcheck.execution.undisturbed import undisturbed
from dpcheck.model.claims import CurveClaim, claim_point, points_tested
from dpcheck.model.errors import only_slow
from dpcheck.model.verdict import NOT_TRIED, Counts, DivergenceBound, Finding, Looked, Status, Stop, Verdict, Witness
from dpcheck.model.verdict.next_steps import two_digits
from dpcheck.privacy.statistics.claim_evidence import (
    LeadingDivergence,
    leading_divergence,
    log_evidence_against,
    parameter_lower,
    points_staked,
)
from dpcheck.privacy.statistics.detectable import (
    ASSUMED_COVERAGE,
    NO_NUMBER_OF_CALLS,
    POWER,
    SHOWN_ODDS,
    Detectable,
    answers_seen,
    calls_to_catch,
    detectable_leak,
)
from dpcheck.privacy.statistics.evidence import (
    Tally,
    delta_lower,
    epsilon_lower,
    log_e_processes_at,
)
from dpcheck.privacy.statistics.game import certified_calls, divergence_event, event_words, planned_weight, tally
from dpcheck.privacy.statistics.places import not_looked_at
from dpcheck.privacy.statistics.state import SHRUNK, PairState, State, completed

#: A leak is looked for at twice the claim, and never closer to it than this.
CLOSEST_LEAK = 0.1
#: Nats within which rules are equally good when a best guess is shown without a violation: the rest is noise.
SHOWN_AS_GOOD = 3.0
#: An event is shown as the one of a violation from this evidence of its own on: the best of a thousand events that show
#: nothing has as much by luck.
SHOWN_EXCESS = 1000.0
#: What stands for the event where none is shown.
NO_EVENT = "none by itself"
#: Nothing would have been caught.
NOTHING = Detectable(math.inf, 1.0)
#: Budgets of fewer calls have smaller interim analyses (the engine's FEW_CALLS), so that a run cut that short by the
#: clock alone is not repeated by its number of calls.
LEAST_REPEATED = 256
#: A quick look at other pairs is had below so many calls: half of them are two glances at the fewest pairs of a search.
MOST_QUICK = 6400
#: The kind of a finding: draws of ``sample`` speak against the claim, and separate calls do not confirm it.
UNCONFIRMED = "not confirmed by calls"
#: What is said of a learner whose making takes most of the time.
DEAR_TO_MAKE = Finding(
    "how it was run",
    "making a learner takes many times as long as a call of it: let its module do once, when it is imported, what "
    "takes so long and depends on no data (what is compiled or loaded)",
)
#: What is said when outputs cannot be told apart by anything: then nothing could have been caught.
OPAQUE = Finding(
    "opaque outputs",
    "the answers hold no numbers and are nearly all different (or all look alike), so that nothing can be learned from "
    "them: let the learner return numbers, for instance its fitted parameters",
)


def default_detect(epsilon: float) -> float:
    """The leak an audit is asked to detect when nothing is said: twice the claim, at least the claim plus 0.1.

    >>> default_detect(1.0), default_detect(0.01)
    (2.0, 0.11)
    """
    return max(2.0 * epsilon, epsilon + CLOSEST_LEAK)


@undisturbed()
def judge(state: State) -> Verdict:
    """The verdict on a state: a function of what was counted, of the stop, and of nothing else.

    For a claim of a whole curve (zCDP, Rényi, Gaussian DP) ``epsilon_lower`` and ``delta_lower`` are at its central
    point (:func:`dpcheck.model.claims.claim_point`) and ``parameter_lower`` is the largest rho, mu or Rényi epsilon
    that the evidence over all its points refutes. Each of the three is a statement of confidence 1 - alpha of its own.
    """
    record, claim = state.record, state.claim
    epsilon, delta = claim_point(claim)
    counts = state.tally()
    evidence = log_evidence_against(counts, claim)
    threshold = 1.0 / record.alpha
    detectable = NOTHING if OPAQUE in record.findings else detectable_everywhere(state)
    failed = record.stop is Stop.LEARNER
    violated = evidence >= -math.log(record.alpha)
    status = (
        Status.INCONCLUSIVE
        if failed and only_slow(record.failure)
        else Status.LEARNER_FAILED
        if failed
        else Status.VIOLATED
        if violated
        else Status.INCONCLUSIVE
        if detectable.epsilon > record.detect
        or not_looked_at(record.findings)
        or _hardly_searched(state)
        or any(finding.kind == UNCONFIRMED for finding in record.findings)
        else Status.NO_VIOLATION_FOUND
    )
    lower = 0.0 if failed else epsilon_lower(counts, delta, record.alpha)
    tried = sum(pair.game is not None for pair in state.pairs)
    shown, found = _witnesses(state, violated=violated)
    return Verdict(
        status=status,
        target=record.target,
        claim=claim,
        relation=record.relation,
        alpha=record.alpha,
        epsilon_lower=lower,
        delta_lower=0.0 if failed else delta_lower(counts, epsilon, record.alpha),
        parameter_lower=lower
        if failed or not isinstance(claim, CurveClaim)
        else parameter_lower(counts, claim, record.alpha),
        detectable_epsilon=detectable.epsilon,
        detectable_coverage=detectable.coverage,
        detect=record.detect,
        log_evidence=evidence,
        threshold=threshold,
        witness=shown,
        found=found,
        findings=_findings(state, status),
        stop=record.stop,
        samples=state.samples,
        phases=record.phases,
        pairs_tried=tried,
        pairs_not_tried=_given(state) - tried,
        seconds=record.seconds,
        seed=record.seed,
        method=record.method,
        reproducible=record.reproducible,
        environment=record.environment,
        failure=record.failure,
        looked=_domain_tried(state),
        calls_needed=_calls_needed(state, status),
        seconds_per_call=record.seconds_per_call,
        divergence=_divergence(state, counts) if status is Status.VIOLATED else None,
        record=completed(state),
    )


def _divergence(state: State, counts: Tally) -> DivergenceBound | None:
    """The Rényi divergence that has most evidence against the claim, where one has, and what was looked at there."""
    found = leading_divergence(counts, state.claim, state.record.alpha)
    if found is None:
        return None
    games = [pair.game for pair in sorted(state.pairs, key=lambda pair: -pair.weight) if pair.game is not None]
    leading = max(games, key=lambda game: log_evidence_against(tally(game), state.claim))
    return DivergenceBound(found.order, found.direction, found.lower, found.allowed, divergence_event(leading))


def _hardly_searched(state: State) -> bool:
    """Whether pairs that were given, or of the domain to be searched, were neither tried nor so much as glanced at."""
    looked = state.record.looked
    if looked is None or looked.source not in ("candidates", "pairs"):
        return False  # those made of a dataset are some of many, and the verdict says how many were looked at
    given_up = any(finding.kind == NOT_TRIED for finding in state.record.findings)
    return given_up or any(pair.game is None for pair in state.pairs)


def _given(state: State) -> int:
    """How many pairs there are: those that were given, or made of a dataset, also where some of them were chosen."""
    looked = state.record.looked
    chosen = state.record.rounds > 0 and looked is not None and looked.source in ("dataset", "pairs")
    smaller = sum(pair.role == SHRUNK for pair in state.pairs)
    return looked.pairs + smaller if chosen and looked is not None else len(state.pairs)


def _domain_tried(state: State) -> Looked | None:
    """The domain with the number of its pairs that were tried; the smaller form of one is none of them."""
    tried = sum(pair.game is not None for pair in state.pairs if pair.role != SHRUNK)
    return None if state.record.looked is None else replace(state.record.looked, tried=tried)


def detectable_everywhere(state: State, power: float = POWER, odds: float = SHOWN_ODDS) -> Detectable:
    """The smallest leak that would have been caught with this probability on every pair tried.

    On each pair it is :func:`dpcheck.privacy.statistics.detectable.detectable_leak`, with the pair's weight; of
    infinite size where no pair was tried.
    """
    found = [
        detectable_on(state, place, power, odds) for place, pair in enumerate(state.pairs) if pair.game is not None
    ]
    return max(found, key=lambda leak: leak.epsilon, default=NOTHING)


def detectable_on(state: State, place: int, power: float = POWER, odds: float = SHOWN_ODDS) -> Detectable:
    """The smallest leak that would have been caught with this probability on one pair; infinite before calls."""
    pair = state.pairs[place]
    if pair.game is None:
        return NOTHING
    epsilon, delta = claim_point(state.claim)
    weight = planned_weight(pair.game.shape, epsilon, delta) * pair.weight
    counts = Tally.join([tally(pair.game)], [pair.weight])
    alpha, points, answers = state.record.alpha, points_staked(state.claim), answers_seen(pair.game)
    return detectable_leak(counts, weight, epsilon, delta, alpha, power, points, answers=answers, odds=odds)


def witness(state: State, *, violated: bool) -> Witness | None:
    """The pair and event that carry most of the evidence against the claim; None before any guess was counted.

    Bets against a divergence, and wagers on many features, may refute a claim where no event does: then the pair is
    theirs, and in place of an event stands what was bet on.
    """
    shown = [pair for pair in state.pairs if pair.game is not None and _guessed(tally(pair.game)).any()]
    if not shown:
        return None
    led = leading_divergence(state.tally(), state.claim, state.record.alpha) if violated else None
    events = [_best_event(state, pair, violated=violated) for pair in shown]
    # the pair is that of most evidence of the kind that refutes
    by_pair = [
        (log_evidence_against(tally(pair.game), state.claim) if led and pair.game else event.carried)
        + math.log(pair.weight)
        for pair, event in zip(shown, events, strict=True)
    ]
    place = int(np.argmax(by_pair))
    pair, event = shown[place], events[place]
    if violated and event.own < math.log(SHOWN_EXCESS):
        return _without_event(state, pair, led)
    assert pair.game is not None
    words, direction = event_words(pair.game, event.rule)
    counts, rule = tally(pair.game), event.rule
    seen = Counts(int(counts.correct[rule].sum()), int(counts.wrong[rule].sum()), int(counts.calls[rule]))
    alone = epsilon_lower(counts.only(rule), claim_point(state.claim)[1], state.record.alpha)
    return Witness(pair.change, pair.left, pair.right, words, direction, seen, alone)


@dataclass(frozen=True)
class _Event:
    """A rule of a pair's game, its evidence with its weight (``carried``) and alone (``own``), in nats."""

    rule: int
    carried: float
    own: float


def _guessed(counts: Tally) -> NDArray[np.int64]:
    return np.asarray((counts.correct + counts.wrong).sum(axis=1))


def _best_event(state: State, pair: PairState, *, violated: bool) -> _Event:
    """The event of a pair's game with most evidence."""
    assert pair.game is not None
    counts = tally(pair.game)
    guesses = _guessed(counts)
    own = log_e_processes_at(counts, points_tested(state.claim))
    with np.errstate(divide="ignore"):
        logs = np.where(guesses > 0, own + np.log(counts.weight), -np.inf)
    # below the threshold evidence is mostly noise: of rules as good as the best, the one that guessed most
    good = logs >= logs.max() - (0.0 if violated else SHOWN_AS_GOOD)
    rule = int(np.argmax(np.where(good, guesses, 0)))
    return _Event(rule, float(logs[rule]), float(own[rule]))


def _without_event(state: State, pair: PairState, led: LeadingDivergence | None) -> Witness:
    """A pair on which no event shows an excess by itself, and what was bet on instead."""
    assert pair.game is not None
    seen = Counts(0, 0, certified_calls(pair.game))
    if led is None:
        event, direction = f"{NO_EVENT}; many features of an output together", "by wagers on all of them"
    else:
        looked = divergence_event(pair.game)
        event = f"{NO_EVENT}; all values of {looked} together" if looked else f"{NO_EVENT}; all values together"
        direction = f"by the Rényi divergence of order {led.order:g} {led.direction}"
    return Witness(pair.change, pair.left, pair.right, event, direction, seen, 0.0)


def _witnesses(state: State, *, violated: bool) -> tuple[Witness | None, Witness | None]:
    """The witness to show, and the one it is a smaller form of where it is one and stands by itself."""
    others = replace(state, pairs=tuple(pair for pair in state.pairs if pair.role != SHRUNK))
    smaller = replace(state, pairs=tuple(pair for pair in state.pairs if pair.role == SHRUNK))
    found = witness(others, violated=violated)
    needed = -math.log(state.record.alpha)
    if not any(pair_evidence(smaller, i) + math.log(pair.weight) >= needed for i, pair in enumerate(smaller.pairs)):
        return found, None
    return witness(smaller, violated=violated), found


def _findings(state: State, status: Status) -> tuple[Finding, ...]:
    record = state.record
    planned_out = sum(pair.weight == 0 for pair in state.pairs)
    found = record.findings
    if 0 < planned_out < len(state.pairs) and record.stop is not Stop.LEARNER:
        words = "the calls and seconds allowed are too few to catch the loss asked for on more of them"
        found += (Finding(NOT_TRIED, f"{planned_out} of {len(state.pairs)} pairs: {words}"),)
    if record.stop is Stop.MAX_SECONDS:
        found += (Finding("stopped by the clock", _repeated(state, planned_out > 0)),)
    elif record.stop is Stop.POWER and record.seconds > record.max_seconds:
        words = f"{record.max_seconds:g} s had decided nothing; {_repeated(state, planned_out > 0)}"
        found += (Finding("went on after its time", words),)
    least = _calls_to_detect(state, status)
    if least > state.samples:
        loss = "an unlimited privacy loss" if math.isinf(record.detect) else f"a privacy loss of {record.detect:.3g}"
        words = f"{loss} in {ASSUMED_COVERAGE:.0%} of outputs takes {least:,} calls"
        if record.seconds_per_call:
            seconds = least * record.seconds_per_call
            words += f", {seconds:{',.0f' if seconds >= 10 else '.2g'}} s at the speed of these"
        found += (Finding("too few calls", words),)
    return found


def _repeated(state: State, chosen: bool) -> str:
    """How to repeat a run that would have been another with another clock; ``chosen``: not all pairs were tried.

    An audit that went on after its time chose its pairs, and how often to look, by the calls that fit into that time.
    """
    record = state.record
    longer = record.seconds > record.max_seconds + 1.0
    seconds = max(record.max_seconds, float(f"{record.seconds:.2g}")) if longer else record.max_seconds
    if record.rounds or (longer and chosen):
        pairs = "explored" if record.rounds else "tried"
        return f"{state.samples:,} calls fitted into {seconds:g} s; the pairs {pairs} depend on it"
    few = state.samples * min(1.0, record.max_seconds / max(record.seconds, 1e-9)) < LEAST_REPEATED
    if few or DEAR_TO_MAKE in record.findings:  # which looks at fewer outputs first where makings fill the time
        return f"{state.samples:,} calls fitted into {seconds:g} s"
    return f"--max-samples {state.samples} repeats this run without a clock"


def _calls_to_detect(state: State, status: Status) -> int:
    """The calls that reach the loss asked for on each pair tried; 0 where it is not calls that were missing."""
    record = state.record
    # an audit that asks for no size of loss may have had too few calls for any
    missed = status is Status.INCONCLUSIVE or (status is Status.NO_VIOLATION_FOUND and math.isinf(record.detect))
    if not missed or record.stop not in (Stop.MAX_SAMPLES, Stop.MAX_SECONDS):
        return 0
    tried = [pair for pair in state.pairs if pair.game is not None and len(tally(pair.game).weight)]
    if OPAQUE in record.findings or not_looked_at(record.findings) or not tried or not state.samples:
        return 0
    epsilon, delta = claim_point(state.claim)
    assert tried[0].game is not None
    weight = planned_weight(tried[0].game.shape, epsilon, delta) * tried[0].weight
    points, answers = points_staked(state.claim), answers_seen(tried[0].game)
    one = calls_to_catch(
        epsilon, delta, record.detect, record.alpha, weight, ASSUMED_COVERAGE, points=points, answers=answers
    )
    return 0 if one >= NO_NUMBER_OF_CALLS else len(tried) * one


def _calls_needed(state: State, status: Status) -> int:
    """An estimate of the calls that reach the loss asked for on each pair: half of them go to the best of several."""
    least = _calls_to_detect(state, status)
    if least <= state.samples:
        return 0
    alone = sum(pair.game is not None for pair in state.pairs) == 1
    if not alone or not state.record.rounds:
        return two_digits(least * (1 if alone else 2))
    # where one pair was chosen after a quick look at others, that takes a quarter of all calls at the most, and some
    # are to spare; with more calls others are looked at for longer, and more of them are certified
    quick = least * 1.5
    return two_digits(quick if quick <= MOST_QUICK else 3 * least)


def pair_evidence(state: State, place: int) -> float:
    """The logarithm of one pair's evidence: it says which pair to try next (0.0 before its first call)."""
    game = state.pairs[place].game
    if game is None:
        return 0.0
    return log_evidence_against(tally(game), state.claim)


def total_evidence(state: State) -> tuple[float, Tally]:
    """The logarithm of the evidence against the claim, and the counts it comes from."""
    counts = state.tally()
    return log_evidence_against(counts, state.claim), counts
