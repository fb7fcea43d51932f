"""Certification: interim analyses of pairs whose weights are fixed, until something ends them.

Beside it, what changes while an audit runs.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from dpcheck.model.claims import claim_point
from dpcheck.model.neighbours import Pair
from dpcheck.model.verdict import Stop
from dpcheck.privacy.run.agreement_phase import Opening, Watch, agree_with_sample, disagreement, other_law
from dpcheck.privacy.run.allocation import FEW_CALLS, PREFERENCE, interim_size, most_at_once, next_pair
from dpcheck.privacy.run.bulk_agreement import DRAWS_KEY, SHARE_BEHIND, Sampling
from dpcheck.privacy.run.caller import Caller, Noticed
from dpcheck.privacy.run.events import Progress
from dpcheck.privacy.run.freshness import ENOUGH_LEFT, FreshnessWatch
from dpcheck.privacy.run.question import CHOICE_STREAM, PLANNED_SECONDS, Question
from dpcheck.privacy.run.request_sizes import LEARNERS_OF_AN_INTERIM, NEXT_TO_NOTHING, request_sizes
from dpcheck.privacy.statistics.claim_evidence import points_staked
from dpcheck.privacy.statistics.detectable import ASSUMED_COVERAGE, answers_planned, answers_seen, calls_to_catch
from dpcheck.privacy.statistics.evidence import epsilon_lower
from dpcheck.privacy.statistics.game import (
    Game,
    Shape,
    best_guesses,
    both,
    certified_calls,
    certify,
    game_against,
    learn,
    planned_weight,
    tally,
)
from dpcheck.privacy.statistics.judge import OPAQUE, detectable_everywhere, detectable_on, pair_evidence, total_evidence
from dpcheck.privacy.statistics.places import findings_on_places
from dpcheck.privacy.statistics.state import State

#: Calls made one by one before ``sample`` is checked and used (one by one is simpler, and soon enough too slow).
CALLS_BEFORE_SAMPLE = 1000
#: The same for learners whose calls count as dear.
SLOW_CALLS_BEFORE_SAMPLE = 100
#: The power rule stops only when a leak of the size asked for would have been caught with this probability.
POWER_RULE = 0.9999
#: Where fewer calls are left, comparing ``sample`` with separate calls would cost too much of them.
CALLS_WORTH_SAMPLE = 30_000
#: The bound shown while running is computed again when calls have grown by this factor.
SHOWN_GROWTH = 1.2
#: Where no number of calls was asked for, an audit goes on while it is nearly sure (at this level, which decides
#: nothing else) of a loss of so much of the claimed epsilon on some pair: it may be a leak below what is to be caught.
SUSPECTED_PART, SUSPECTED_LEVEL = 0.65, 0.05
#: Then, once each pair has had so many calls and those that reach the leak asked for, this part of the calls is on the
#: pair of the largest such loss.
LED_FROM, LED = 4_000, 0.85
#: Requests foreseen for each worker: what is done waits for those before it.
AHEAD = 4
#: An extension is for so many times the calls that are foretold at their cost so far: machines get busier.
EXTENDED = 3.0


@dataclass
class Run:
    """What changes while an audit runs. ``question`` holds the pairs of ``state``; ``served`` those now at the learner.

    ``shapes`` are those of single pairs (searched ones show theirs while they are explored). ``heard`` says whether
    anybody listens: the bound shown while running is computed for whoever does. ``has_sample``: the learner offers
    ``sample``; ``bulk``: it is used. ``trouble``: the learner answered in no form of its data when forms were tried.
    ``extended``: the seconds after which it ends after all, where it had decided nothing when those of the question
    were over, and nobody had asked for them. ``pace``: seconds of the clock for each call so far, where several are
    made at a time.
    """

    question: Question
    state: State
    tell: Callable[[Any], object]
    started: float
    by_power: bool
    stop: Stop = Stop.MAX_SAMPLES
    failure: str = ""
    reproducible: bool = True
    notes: tuple[str, ...] = ()
    noticed: Noticed = field(default_factory=Noticed)
    watch: Watch = field(default_factory=Watch)
    freshness: FreshnessWatch = field(default_factory=FreshnessWatch)
    evidences: dict[int, float] = field(default_factory=dict)
    shapes: dict[int, Shape] = field(default_factory=dict)
    served: Question | None = None
    per_call: float = 0.0
    has_sample: bool = False
    bulk: bool = False
    sampling: Sampling = field(default_factory=Sampling)
    call_cost: float = 0.0
    draw_cost: float = 0.0
    needed: dict[tuple[float, float], int] = field(default_factory=dict)
    reached: dict[int, tuple[Game, bool]] = field(default_factory=dict)
    shown_at: int = 0
    shown: float = 0.0
    heard: bool = True
    trouble: str = ""
    extended: float = 0.0
    pace: float = math.inf

    @property
    def clock_per_call(self) -> float:
        """Seconds of the clock that a call takes: fewer than it costs where several are made at a time."""
        return min(self.per_call, self.pace)

    @property
    def longest(self) -> float:
        """The seconds after which the run ends."""
        return max(self.question.max_seconds, self.extended)

    @property
    def seconds(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self.started

    @property
    def calls_left(self) -> int:
        """Calls that the budget of calls and of seconds still allows."""
        left = self.question.max_samples - self.state.samples
        seconds = max(0.0, self.longest - self.seconds)
        return left if left * self.per_call <= seconds else int(seconds / self.per_call)

    def replay(self, seconds: float) -> None:
        """Seconds that answers of an earlier run took count as this one's."""
        self.started -= seconds

    def fail(self, why: str) -> None:
        """End because of the learner."""
        self.stop, self.failure = Stop.LEARNER, why

    def total(self) -> float:
        """The logarithm of the evidence against the claim; what is not staked yet stays as it is."""
        logs = [math.log(self.state.pairs[i].weight) + e for i, e in self.evidences.items()]
        unstaked = 1.0 - sum(self.state.pairs[i].weight for i in self.evidences)
        return float(np.logaddexp.reduce([*logs, math.log(unstaked)] if unstaked > 1e-12 else logs))

    def needed_calls(self, place: int, shape: Shape) -> int:
        """The separate calls that bring a pair to the leak asked for: by its weight, and how many answers were seen."""
        pair, answers = self.state.pairs[place], answers_planned(shape)
        weight = pair.weight
        if pair.game is not None and answers_seen(pair.game) > answers:
            answers = math.inf  # more than are told apart are numbers, and numbers take more calls
        if (weight, answers) not in self.needed:
            (epsilon, delta), points = claim_point(self.state.claim), points_staked(self.state.claim)
            best = planned_weight(shape, epsilon, delta) * weight
            detect, alpha = self.question.detect, self.question.limits.alpha
            self.needed[weight, answers] = calls_to_catch(
                epsilon, delta, detect, alpha, best, ASSUMED_COVERAGE, points=points, answers=answers
            )
        return self.needed[weight, answers]

    def share_of_calls(self, place: int, shape: Shape) -> float:
        """The part of a pair's next interim data that is separate calls: all of it where there is no ``sample``."""
        if not self.bulk:
            return 1.0
        pair = self.state.pairs[place]
        calls = certified_calls(pair.game) if pair.game is not None else 0
        needed = self.needed_calls(place, self.shapes.get(place, shape))
        # pairs are planned for calls alone: of its part of the outputs a pair has draws where it needs fewer calls
        pairs = max(1, sum(other.weight > 0.0 for other in self.state.pairs))
        evenly = 1.0 if pairs == 1 else 1.0 - PREFERENCE
        left = int(evenly * (self.question.max_samples - self.state.samples) / pairs)
        evidence, alpha = self.evidences.get(place, 0.0), self.question.limits.alpha
        return self.sampling.share(place, pair.weight, alpha, evidence, needed - calls, left)

    def serve(self, caller: Caller, pairs: Sequence[Pair]) -> Caller:
        """A caller for these pairs, whose datasets are sent to the learner."""
        asked = replace(self.question, pairs=tuple(pairs))
        caller.runner.serve(asked.handed(asked.datasets))
        self.served = asked
        self.noticed.forget_sides()  # numbers name other datasets now
        return replace(caller, question=asked)


def ready_caller(run: Run, caller: Caller, opening: Opening) -> Caller | None:
    """Take over what the opening calls showed; None when the learner gives no answer at all."""
    run.state = run.state.with_calls("agreement", opening.calls)
    run.reproducible = opening.reproducible
    run.per_call = opening.seconds_per_call
    if opening.failure:
        run.fail(run.trouble or opening.failure)
        return None
    if opening.opaque:
        run.state = replace(run.state, record=replace(run.state.record, findings=(*run.state.record.findings, OPAQUE)))
    said = findings_on_places(opening.layout, opening.left_out)
    found = tuple(dict.fromkeys((*run.state.record.findings, *said)))
    run.state = replace(run.state, record=replace(run.state.record, findings=found))
    ready = caller.scaled(opening.scale).laid_out(opening.layout).costing(*opening.costs)
    if opening.alike:
        used = run.freshness.ask_forgetful(ready, ready.question.dataset_numbers()[0], ready.cost)
        run.state = run.state.with_calls("freshness", used)
        if run.freshness.fails(run.question.limits.alpha):
            run.fail(run.freshness.complaint())
            return None
    return ready


def certify_pairs(
    run: Run,
    caller: Caller,
    opening: Opening,
    chosen: Sequence[int],
    enough: Callable[[], bool] | None = None,
    *,
    until_total: bool = True,
) -> bool:
    """Interim analyses of chosen pairs, those of ``caller``, until ``enough`` says so; False when the run has ended.

    Parameters
    ----------
    run : Run
    caller : Caller
        Its question holds all pairs of the run's state.
    opening : Opening
        What outputs look like.
    chosen : places of the pairs
    enough : callable, optional
        Asked after each interim analysis; of earlier calls only.
    until_total : bool
        Whether the run ends once the evidence of all pairs together reaches its threshold.
    """
    sides = caller.question.dataset_numbers()
    for place in chosen:
        run.evidences.setdefault(place, pair_evidence(run.state, place))
    # once and for all, so that a run with as many calls and no clock has the same interim analyses
    few = run.state.samples + run.calls_left < FEW_CALLS
    began, made_before = run.seconds, run.state.samples
    while True:
        if run.question.executor.at_once > 1 and run.state.samples > made_before:
            run.pace = (run.seconds - began) / (run.state.samples - made_before)
        place = _next(run, chosen)
        share = run.share_of_calls(place, opening.shape)
        if run.bulk:
            run.per_call = share * run.call_cost + (1.0 - share) * run.draw_cost
        game = run.state.pairs[place].game
        left = run.question.max_samples - run.state.samples
        made = game.calls if game is not None else 0
        calls = interim_size(made, left, few=few, most=most_at_once(opening.layout), dear=caller.making > 0.0)
        if calls == 0:
            run.stop = Stop.MAX_SAMPLES
            return False
        # what reaches the limit of time is cut to what fits, and is the last
        fits = (run.longest - run.seconds - LEARNERS_OF_AN_INTERIM * caller.making) / run.clock_per_call
        last = calls > fits
        if last and until_total and (longest := _extension(run, calls)) > run.longest:
            run.extended, run.by_power = longest, True
            continue
        if fits < 1.0:
            run.stop = Stop.MAX_SECONDS
            return False
        calls = int(min(calls, fits))
        if not run.bulk and caller.runner.bulk_available and _time_for_sample(run, caller):
            if not _sample_agrees(run, caller, sides[chosen[0]][0], opening.shape):
                return False
            continue
        separate = max(1, round(share * calls))
        if not run.bulk and not last:
            later = _coming(run, caller, chosen, sides, opening.shape, (place, calls), few=few)
            if later:  # what is not expected any more is forgotten, this one too if it were not
                caller.expect([(sides[place], calls, (place, made)), *later])
        if not _interim_analysis(
            run, caller, place, sides[place], (separate, calls - separate), opening.shape, until_total
        ):
            return False
        if last:
            run.stop = Stop.MAX_SECONDS
            return False
        if enough is not None and enough():
            return True


def _coming(
    run: Run,
    caller: Caller,
    chosen: Sequence[int],
    sides: Sequence[tuple[int, int]],
    shape: Shape,
    now: tuple[int, int],
    *,
    few: bool,
) -> list[tuple[tuple[int, int], int, tuple[int, ...]]]:
    """The interim analyses after the one that begins, of so many calls on a pair, if it changes nothing but counts.

    Which they are is seen when they are asked for; a wrong guess has cost calls of workers that had nothing to do.
    """
    at_once = run.question.executor.at_once
    if not caller.foresees or caller.runner.bulk_available:
        return []
    later, requests = replace(run), 0
    coming: list[tuple[tuple[int, int], int, tuple[int, ...]]] = []
    (place, calls), most = now, most_at_once(caller.layout)
    while requests < AHEAD * at_once:
        game = later.state.pairs[place].game or game_against(run.shapes.get(place, shape), run.state.claim)
        state = later.state.with_game(place, replace(game, calls=game.calls + calls)).with_calls("certify", calls)
        later.state = state
        games = [state.pairs[one].game for one in chosen]
        if len(chosen) > 1 and all(game is not None and game.calls >= LED_FROM for game in games):
            break  # what leads then takes long to say
        place = _next(later, chosen)
        following = state.pairs[place].game
        made = following.calls if following is not None else 0
        calls = interim_size(
            made, run.question.max_samples - state.samples, few=few, most=most, dear=caller.making > 0.0
        )
        if calls == 0 or calls > (run.longest - run.seconds) / run.clock_per_call:
            break
        coming.append((sides[place], calls, (place, made)))
        requests += 2 * len(request_sizes(calls // 2, least=caller.least))
    return coming


def _next(run: Run, chosen: Sequence[int]) -> int:
    """The pair analysed next: one that draws alone would refute, so that calls decide; else what both suggest."""
    if not run.bulk:
        for place in (_leading(run, chosen), _behind(run, chosen)):
            if place is not None:
                return place
        return next_pair(run.state, chosen, run.evidences, run.question)
    drawn = run.sampling.evidences
    alpha = run.question.limits.alpha
    suspects = [i for i in chosen if run.sampling.suspected(i, run.state.pairs[i].weight, alpha)]
    if suspects:
        return max(suspects, key=lambda i: drawn[i] + math.log(run.state.pairs[i].weight))
    if (behind := _behind(run, chosen)) is not None:
        return behind
    suggested = {i: max(run.evidences[i], drawn.get(i, 0.0)) for i in chosen}
    return next_pair(run.state, chosen, suggested, run.question)


def _behind(run: Run, chosen: Sequence[int]) -> int | None:
    """The pair with the fewest calls, where it lacks some and others were preferred with more than their half.

    Analyses of a pair that leads are larger: half of them is more than half of the calls.
    """
    games = {place: run.state.pairs[place].game for place in chosen}
    made = {place: game.calls if game is not None else 0 for place, game in games.items()}
    least = min(chosen, key=made.__getitem__)
    game = games[least]
    if game is None or len(chosen) * made[least] >= (1.0 - PREFERENCE) * sum(made.values()):
        return None
    return least if certified_calls(game) < run.needed_calls(least, game.shape) else None


def _interim_analysis(
    run: Run,
    caller: Caller,
    place: int,
    sides: tuple[int, int],
    sizes: tuple[int, int],
    shape: Shape,
    until_total: bool,
) -> bool:
    """One interim analysis of one pair, after so many calls and draws of ``sample``; False when it ends the run."""
    question = run.question
    calls, draws = sizes
    game = run.state.pairs[place].game
    if game is None:
        game = game_against(run.shapes.get(place, shape), run.state.claim)
    began = caller.noticed.seconds
    interim = caller.interim_data(sides, calls, (place, game.calls), bulk=False)
    cost = caller.cost_of(caller.noticed.seconds - began, calls, LEARNERS_OF_AN_INTERIM)
    run.call_cost = 0.7 * run.call_cost + 0.3 * cost if run.bulk else cost
    run.per_call = 0.7 * run.per_call + 0.3 * cost
    run.watch.see(caller, interim, (place, game.calls))
    batch, counted = interim.batch, certify(game, interim.batch)
    if draws:
        began = caller.noticed.seconds
        drawn = caller.interim_data(sides, draws, (DRAWS_KEY, place, game.calls), bulk=True)
        run.draw_cost = 0.7 * run.draw_cost + 0.3 * (caller.noticed.seconds - began) / draws
        key = (place, game.calls)
        run.sampling.watch_draws(caller, drawn, key)
        guess = partial(best_guesses, run.sampling.suspect(place, game))
        run.sampling.compare(place, guess, interim.alike, drawn.batch, caller, key)
        run.sampling.count(place, game, drawn.batch, run.state.claim)
        batch = both(batch, drawn.batch)
    complaint = _complaint(run, question.limits.alpha)
    if complaint:
        run.state = run.state.with_calls("certify", calls + draws)
        run.fail(complaint)
        return False
    run.freshness.see(caller, interim, (place, game.calls))
    if run.freshness.fails(question.limits.alpha):
        run.state = run.state.with_calls("certify", calls + draws)
        if settled(run):  # outputs that depend on those before them need not come again, and may look as if they did
            run.fail(run.freshness.complaint())
        return False
    # certified first, learned from afterwards; both before anything may stop the run, so that it can be resumed.
    # Only separate calls are counted: what draws of ``sample`` say holds for ``sample``
    game = learn(caller.noticed.kinds.named(counted), batch)
    run.sampling.take_rules(place, game)
    run.state = run.state.with_game(place, game).with_calls("certify", calls + draws)
    run.evidences[place] = pair_evidence(run.state, place)
    total = run.total()
    if run.state.samples >= SHOWN_GROWTH * run.shown_at:
        run.shown_at = run.state.samples
        if run.heard:
            counts = total_evidence(run.state)[1]
            run.shown = epsilon_lower(counts, claim_point(run.state.claim)[1], question.limits.alpha)
    told = (total, run.state.pairs[place].change, sorted(run.evidences).index(place) + 1, len(run.evidences))
    if until_total and total >= -math.log(question.limits.alpha):
        if _confirmed_fresh(run, caller, sides, (place, game.calls)):
            run.stop = Stop.VIOLATION
        tell_progress(run, *told)
        return False
    tell_progress(run, *told)
    seen_enough = run.by_power and run.shown_at == run.state.samples and _would_have_caught(run.state, question)
    if until_total and seen_enough and not (question.planned and _suspected(run)):
        run.stop = Stop.POWER
        return False
    return True


def _complaint(run: Run, alpha: float) -> str:
    if run.watch.evidence >= disagreement(alpha):
        return run.watch.complaint(bulk=False)
    if run.sampling.evidence >= disagreement(alpha):
        return run.sampling.complaint
    return ""


def settled(run: Run) -> bool:
    """Whether outputs of one learner are still taken for independent once all that waits was looked at; else it fails.

    Asked before the run may say anything else.
    """
    run.watch.settle()
    complaint = _complaint(run, run.question.limits.alpha)
    if complaint:
        run.fail(complaint)
    return not complaint


def _confirmed_fresh(run: Run, caller: Caller, sides: tuple[int, int], key: tuple[int, ...]) -> bool:
    """Whether the runs that refute the claim may be taken for fresh; asked before that is told."""
    if not settled(run):
        return False
    left = run.question.max_samples - run.state.samples
    calls, round_ = run.freshness.calls_to_confirm(run.question.limits.alpha, left, caller.cost), 0
    while calls:
        used = run.freshness.confirm(caller, sides, key, round_=round_, calls=calls)
        run.state = run.state.with_calls("freshness", used)
        left, round_ = run.question.max_samples - run.state.samples, round_ + 1
        calls = run.freshness.further_calls(calls, left, caller.cost, run.longest - run.seconds)
    run.freshness.look_back(caller, key)
    left = run.question.max_samples - run.state.samples
    used = run.freshness.ask_later(caller, sides, key, left, caller.cost)
    run.state = run.state.with_calls("freshness", used)
    if run.freshness.doubtful:
        run.fail(run.freshness.complaint())
        return False
    if run.freshness.undecided:
        run.fail(run.freshness.undecided)
        return False
    if run.freshness.unknown:
        times = 2 if run.freshness.few_differ else 1
        wanted = times * run.question.max_samples + ENOUGH_LEFT
        run.fail(
            "its outputs speak against the claim, but too few calls were left to see whether its runs are fresh: "
            f"give max_samples of at least {wanted:,}."
        )
        return False
    return True


def tell_progress(run: Run, evidence: float, change: str, place: int = 0, pairs: int = 0) -> None:
    """Tell the listener how far the run is: at pair number ``place`` (from 1) of ``pairs``, shown as ``change``."""
    run.tell(
        Progress(
            run.state.samples,
            run.question.max_samples,
            run.seconds,
            run.longest,
            evidence,
            -math.log(run.question.limits.alpha),
            run.shown,
            change,
            place,
            pairs,
        )
    )


def _sample_agrees(run: Run, caller: Caller, dataset: int, shape: Shape) -> bool:
    used, evidence = agree_with_sample(caller, dataset, shape, run.question.limits.alpha)
    run.state = run.state.with_calls("agreement", used)
    if evidence >= disagreement(run.question.limits.alpha):
        run.fail(other_law(evidence))
        return False
    run.bulk = True
    run.call_cost, run.sampling.shape = run.per_call, shape
    return True


def _time_for_sample(run: Run, caller: Caller) -> bool:
    enough = SLOW_CALLS_BEFORE_SAMPLE if caller.cost > NEXT_TO_NOTHING else CALLS_BEFORE_SAMPLE
    left = run.question.max_samples - run.state.samples
    return run.state.samples >= enough and left >= CALLS_WORTH_SAMPLE


def _losses(run: Run, chosen: Iterable[int]) -> dict[int, float]:
    """The loss that the calls on each pair leave little doubt of; it chooses pairs, and enters no verdict."""
    delta = claim_point(run.state.claim)[1]
    games = {place: run.state.pairs[place].game for place in chosen}
    return {
        place: 0.0 if game is None else epsilon_lower(tally(game), delta, SUSPECTED_LEVEL)
        for place, game in games.items()
    }


def _suspected(run: Run) -> bool:
    """Whether some pair shows so much of the claim by now that it is worth more calls."""
    tried = [place for place, pair in enumerate(run.state.pairs) if pair.weight > 0.0]
    losses = _losses(run, tried).values()
    return max(losses, default=0.0) >= SUSPECTED_PART * claim_point(run.state.claim)[0]


def _leading(run: Run, chosen: Sequence[int]) -> int | None:
    """The pair that leads, where calls are planned and all pairs have had theirs; mostly."""
    if not run.question.planned or len(chosen) == 1 or not all(_has_had_its_calls(run, place) for place in chosen):
        return None
    rng = np.random.default_rng(run.question.stream(CHOICE_STREAM, run.state.samples, len(chosen)))
    if rng.random() >= LED:
        return None
    losses = _losses(run, chosen)
    return max(chosen, key=losses.__getitem__)


def _has_had_its_calls(run: Run, place: int) -> bool:
    """Whether a pair has had the calls that reach the leak asked for: those of a pair that leads come after.

    As many as are planned, and then up to twice as many, by what was seen of its outputs: with a few too little on one
    pair an audit that has calls to spare decides nothing.
    """
    game = run.state.pairs[place].game
    if game is None or game.calls < max(LED_FROM, needed := run.needed_calls(place, game.shape)):
        return False
    if game.calls >= 2 * needed:
        return True
    judged, reached = run.reached.get(place, (None, False))
    if judged is not game:
        reached = detectable_on(run.state, place).epsilon <= run.question.detect
        run.reached[place] = game, reached
    return reached


def _extension(run: Run, calls: int) -> float:
    """The seconds after which a run whose time is over ends, once a leak of the size asked for would be caught.

    0.0 where somebody asked for the time, or where the calls that are missing cannot be made, or not in that of the
    safety net, or would not help. What a verdict says depends on calls then, not on how busy the machine is: calls that
    have become slower since are given more time again, in which the ``calls`` up to the next interim analysis fit.
    """
    if run.question.limits.max_seconds is not None or OPAQUE in run.state.record.findings:
        return 0.0
    if _would_have_caught(run.state, run.question):
        return 0.0
    tried = [(place, pair.game) for place, pair in enumerate(run.state.pairs) if pair.weight > 0.0]
    planned = [
        (run.needed_calls(place, game.shape), certified_calls(game)) for place, game in tried if game is not None
    ]
    of_outputs = SHARE_BEHIND if run.bulk else 1.0  # with so many draws beside them
    missing, most = (sum(max(0, times * needed - made) / of_outputs for needed, made in planned) for times in (1, 2))
    seconds = run.seconds
    left = min(PLANNED_SECONDS - seconds, (run.question.max_samples - run.state.samples) * run.per_call)
    if len(planned) < len(tried) or most == 0 or missing * run.per_call > left:
        return 0.0
    return min(PLANNED_SECONDS, seconds + max(EXTENDED * most, 2 * calls) * run.per_call)


def _would_have_caught(state: State, question: Question) -> bool:
    # an event that speaks against the claim at all is worth further calls
    return detectable_everywhere(state, POWER_RULE, odds=1.0).epsilon <= question.detect
