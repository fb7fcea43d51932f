"""``measure``: how much does a learner leak? Learn on a first part of the calls, certify the rest in stages."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.execution.undisturbed import undisturbed
from dpcheck.model.bounds_shown import at_least
from dpcheck.model.data import describe_dataset
from dpcheck.model.data.forms import Form
from dpcheck.model.errors import InvalidArgument, LearnerDied
from dpcheck.model.verdict import NOT_TRIED, Counts, CurvePoint, Finding, Measurement, PhaseCalls, Stop, Witness
from dpcheck.model.verdict.record import argv, environment
from dpcheck.privacy.run.agreement_phase import Watch, agree_with_sample, disagreement, other_law, warm_up
from dpcheck.privacy.run.allocation import most_at_once
from dpcheck.privacy.run.bulk_agreement import SEPARATE, Sampling
from dpcheck.privacy.run.caller import Caller, Noticed, caller_for, runner_of
from dpcheck.privacy.run.data_form import find_form
from dpcheck.privacy.run.events import Listener, PhaseStarted, Progress, Started
from dpcheck.privacy.run.findings import death_text, findings_of
from dpcheck.privacy.run.freshness import LATER_CALLS, FreshnessWatch
from dpcheck.privacy.run.kept_calls import kept_calls
from dpcheck.privacy.run.least_size import enough_records
from dpcheck.privacy.run.limits import Limits, a_directory
from dpcheck.privacy.run.question import COIN_STREAM, Question, ask
from dpcheck.privacy.run.request_sizes import LEAST_COST
from dpcheck.privacy.statistics.agreement import rows
from dpcheck.privacy.statistics.game import Batch, Shape, both
from dpcheck.privacy.statistics.horizon import (
    Certified,
    Made,
    Plan,
    certify_plan,
    event_of,
    guesses_of_plan,
    learn_plan,
    profile_lower,
    stage_share,
    told_event,
)
from dpcheck.privacy.statistics.judge import OPAQUE
from dpcheck.privacy.statistics.observations import Observations, join

#: The part of the calls that is only learned from.
LEARN_PART = 0.10
#: ... but never fewer than this, where there are twice as many.
LEAST_LEARNED = 500
#: Pairs that the second half of the calls to learn from are for, where there are more.
FINALISTS = 3
#: Parts of the other calls that are certified in stages, each by a plan that was learned from all calls before it.
STAGES = (0.17, 0.25, 0.58)
#: The same where there are coordinates to put together (another plan of them costs seconds), and where delta is charged
#: for each stage by itself.
FEWER_STAGES = (0.33, 0.67)
#: A stage has at least so many calls: fewer teach nothing that pays for another plan.
LEAST_IN_STAGE = 400
#: With fewer calls nothing could be certified.
LEAST_CALLS = 32
#: The part of the calls, at most, that is left for asking once more where the first outputs were all alike.
LATER_PART = 8
#: What is said where outputs are alike, and no calls were left to ask once more.
NOT_ASKED_AGAIN = (
    "its outputs on each dataset are all alike, it ignores its rng, and no calls were left to ask it again: what it "
    "adds to the data may be kept, or come from a clock, so that its runs cannot be taken for fresh; draw anew in each "
    "call, from the rng that the call is given, or give more max_samples."
)
#: The finding that says how many calls fitted into the time.
FEWER_CALLS = "number of calls"
#: Grid of the privacy profile.
PROFILE_POINTS = 61
#: Calls below which comparing ``sample`` with separate calls would cost too much of them.
CALLS_WORTH_SAMPLE = 20_000
#: Draws of ``sample`` that show what one costs.
TIMED_CALLS = 500
#: Separate calls beside draws of ``sample``: this part of the budget, no more than so many, and no more of the seconds.
CALLS_PART, MOST_CALLS_BESIDE, SECONDS_PART = 0.1, 10_000, 0.3
#: They are compared in parts; the first one only fixes the cells.
COMPARED_PARTS = (0.1, 0.4, 1.0)
#: Keys of the streams of the two parts.
LEARN_KEY, CERTIFY_KEY, TIE_KEY, TIMING_KEY, BESIDE_KEY = 2_000_001, 2_000_002, 2_000_003, 2_000_004, 2_000_005


def measure(
    learner: Any,
    *,
    delta: float = 0.0,
    neighbours: Any = None,
    dataset: Any = None,
    pairs: Any = None,
    alpha: float = 0.05,
    numerics: str = "real",
    warnings: str = "finding",
    max_samples: int = 200_000,
    max_seconds: float = 60.0,
    call_timeout: float = 10.0,
    isolation: str = "auto",
    max_memory: int | str | None = None,
    max_processes: int | None = None,
    max_files: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    on_event: Listener | None = None,
    name: str | None = None,
    options: dict[str, Any] | None = None,
    form: Form | str | None = None,
    journal: str | Path | None = None,
    executor: Any = None,
) -> Measurement:
    """Certify how much a learner leaks, from a number of calls fixed in advance.

    Of a learner with ``sample`` most outputs are its draws. A part is called one by one, counts as they do, and is
    compared with them: where the two differ the learner has failed; a finding says how large a difference would have
    been seen, and what the separate calls certify alone.

    Parameters
    ----------
    learner : callable ``(dataset, rng) -> output``, or a factory of such
    delta : float
        Where epsilon is measured.
    neighbours, dataset, pairs
        As for :func:`dpcheck.audit`.
    alpha : float
        The probability that ``epsilon_lower`` exceeds the truth; and, apart, that any point of the curves does, that
        any of the Rényi divergences of ``renyi`` does, and that ``rho_lower`` does.
    numerics : "real" or "exact"
    warnings : "finding" or "output"
        As for :func:`dpcheck.audit`.
    max_samples : int
        The number of calls. It is fixed before the first one; a measurement cut short certifies nothing.
    max_seconds : float
        A slow learner's number of calls is reduced, before any output is looked at, to what fits.
    call_timeout, isolation, max_memory, max_processes, max_files, seed
        As for :func:`dpcheck.audit`.
    jobs, on_event, name, options, form, journal, executor
        As for :func:`dpcheck.audit`.

    Raises
    ------
    InvalidArgument
        For arguments that cannot be used, in one line.

    Examples
    --------
    >>> found = measure(lambda data, rng: sum(data) + rng.laplace(), pairs=[([0], [1])], max_samples=20_000,
    ...                 isolation="none")
    >>> 0.85 < found.epsilon_lower < 1.0
    True
    """
    if isinstance(delta, bool) or not isinstance(delta, int | float) or not 0.0 <= delta < 1.0:
        raise InvalidArgument(f"delta must be a probability of at least 0 and below 1, got {delta!r}")
    question = ask(
        learner,
        None,
        measuring=True,
        neighbours=neighbours,
        dataset=dataset,
        pairs=pairs,
        limits=Limits(
            alpha=alpha,
            numerics=numerics,
            warnings=warnings,
            max_samples=max_samples,
            max_seconds=max_seconds,
            call_timeout=call_timeout,
            isolation=isolation,
            max_memory=max_memory,
            max_processes=max_processes,
            max_files=max_files,
            seed=seed,
            jobs=jobs,
            journal=a_directory(journal),
            executor=executor,
        ),
        name=name,
        options=options,
        form=form,
        small=True,
    )
    return run_measure(question, float(delta), listener=on_event)


@dataclass
class _Measuring:
    """What changes while a measurement runs."""

    question: Question
    started: float
    phases: dict[str, int]
    noticed: Noticed
    failure: str = ""
    stop: Stop = Stop.MAX_SAMPLES
    reproducible: bool = True
    notes: tuple[str, ...] = ()
    found: tuple[int, Plan, Certified] | None = None
    tried: int = 0
    findings: tuple[Finding, ...] = ()
    watch: Watch = field(default_factory=Watch)
    sampling: Sampling = field(default_factory=Sampling)
    freshness: FreshnessWatch = field(default_factory=FreshnessWatch)
    trouble: str = ""

    def replay(self, seconds: float) -> None:
        """Seconds that answers of an earlier run took count as this one's."""
        self.started -= seconds


@undisturbed()
def run_measure(
    question: Question, delta: float, *, listener: Listener | None = None, fresh: bool = False
) -> Measurement:
    """Answer a question that is already checked and complete."""
    tell = listener if listener is not None else (lambda event: None)
    settled = find_form(question)
    question = settled.question
    tell(
        Started(
            question.target.name,
            None,
            question.relation_name,
            len(question.pairs),
            question.max_samples,
            question.max_seconds,
            question.limits.alpha,
        )
    )
    run = _Measuring(
        question,
        time.monotonic(),
        {"agreement": settled.calls},
        Noticed(),
        findings=question.findings,
        trouble=settled.trouble,
    )
    try:
        runner = kept_calls(question, runner_of(question, fresh=fresh), run.replay)
        try:
            _play(run, caller_for(question, runner, run.noticed), delta, tell)
        finally:
            run.notes = tuple(runner.notes)
            runner.close()
    except LearnerDied as error:
        run.stop, run.failure = Stop.LEARNER, death_text(run.question, error, run.noticed)
    except KeyboardInterrupt:
        run.stop, run.found = Stop.INTERRUPTED, None
    return _measurement(run.question, delta, run)


def _play(run: _Measuring, caller: Caller, delta: float, tell: Listener) -> None:
    question = caller.question
    sides = question.dataset_numbers()
    if caller.runner.bulk_available:
        caller = caller.as_bulk()
    tell(PhaseStarted("agreement"))
    opening = warm_up(caller, sides)
    run.phases["agreement"] += opening.calls
    larger, calls = enough_records(caller, opening)
    run.phases["agreement"] += calls
    if larger is not None:
        bulk = caller.plainly
        run.question = question = larger
        run.findings = larger.findings
        sides = larger.dataset_numbers()
        caller = caller_for(larger, caller.runner, run.noticed)
        caller = caller.as_bulk() if bulk else caller
        opening = warm_up(caller, sides)
        run.phases["agreement"] += opening.calls
    run.reproducible = opening.reproducible
    if opening.failure:
        run.stop, run.failure = Stop.LEARNER, run.trouble or opening.failure
        return
    if opening.opaque:
        run.findings += (OPAQUE,)
    caller = caller.scaled(opening.scale).laid_out(opening.layout).costing(*opening.costs)
    if opening.alike:
        run.phases["agreement"] += run.freshness.ask_forgetful(caller, sides[0], caller.cost)
        if run.freshness.fails(question.limits.alpha):
            run.stop, run.failure = Stop.LEARNER, run.freshness.complaint()
            return
    budget = question.max_samples - run.phases["agreement"]
    later = 0
    if opening.alike:  # at least one call on each dataset
        later = max(min(2, budget - LEAST_CALLS), min(LATER_CALLS, (budget - LEAST_CALLS) // LATER_PART), 0)
    budget -= later
    bulk = caller.runner.bulk_available and budget >= CALLS_WORTH_SAMPLE
    if not bulk:  # draws are compared with calls by the game's own rules; a plan has none that need all numbers
        caller = replace(caller, all_numbers=False)
    if bulk:
        used, evidence = agree_with_sample(caller, sides[0][0], opening.shape, question.limits.alpha)
        run.phases["agreement"] += used
        budget -= used
        if evidence >= disagreement(question.limits.alpha):
            run.stop = Stop.LEARNER
            run.failure = other_law(evidence)
            return
    per_call = opening.seconds_per_call
    beside = 0
    if bulk:  # what separate calls cost says nothing about ``sample``
        beside = int(min(CALLS_PART * budget, MOST_CALLS_BESIDE, SECONDS_PART * question.max_seconds / per_call))
        budget -= beside
        before = caller.noticed.seconds
        caller.outputs(sides[0][0], TIMED_CALLS, (TIMING_KEY,), bulk=True)
        per_call = max((caller.noticed.seconds - before) / TIMED_CALLS, LEAST_COST)
        run.phases["agreement"] += TIMED_CALLS
        budget -= TIMED_CALLS
    seconds = question.max_seconds - beside * opening.seconds_per_call
    fits = int(min(seconds / per_call, 1e15))
    if fits < budget:
        run.findings += (
            Finding(
                FEWER_CALLS,
                f"{budget:,} calls would not fit into {question.max_seconds:g} s: "
                f"{fits:,} were fixed before any was looked at",
            ),
        )
        budget, beside = fits, min(beside, int(CALLS_PART * fits))
    if budget < LEAST_CALLS:
        raise InvalidArgument(
            f"max_seconds must leave time for {LEAST_CALLS} calls of {per_call:.3g} s, got {question.max_seconds:g} s; "
            "raise max_seconds or max_samples"
        )
    learned, tried = parts_of(budget + beside, len(sides))
    remaining, run.tried = budget + beside - learned, tried
    tell(PhaseStarted("learn"))
    place, plan, batch = _choose(caller, sides[:tried], (learned, remaining), delta, opening.shape, bulk, run, tell)
    if tried < len(sides):
        run.findings += (Finding(NOT_TRIED, f"{len(sides) - tried} of {len(sides)} pairs: too few calls"),)
    tell(PhaseStarted("certify"))
    fewer = opening.shape.columns > 1 or delta > 0.0
    sizes = stages_of(remaining - beside, fewer=fewer)  # separate calls beside draws come last
    rng = np.random.default_rng(question.stream(COIN_STREAM, TIE_KEY))
    earlier: list[Made] = []
    for number, size in enumerate(sizes[:-1]):
        rest = remaining - sum(sizes[: number + 1])
        share = stage_share(plan, size, rest)
        some = _gather(caller, sides[place], size, (CERTIFY_KEY, number), bulk, run, "certify", tell)
        earlier.append(Made(plan, some, share, float(rng.random())))
        batch = both(batch, some)
        plan = learn_plan(batch, opening.shape, delta, question.limits.alpha, rest)
    last = (CERTIFY_KEY, len(sizes) - 1)
    batch = _gather(caller, sides[place], sizes[-1], last, bulk, run, "certify", tell)
    run.watch.settle()
    if run.watch.evidence >= disagreement(question.limits.alpha):
        run.stop, run.failure = Stop.LEARNER, run.watch.complaint(bulk=False)
        return
    if beside:
        batch = both(batch, _compare(run, caller, sides[place], place, plan, batch, beside, delta, opening.shape))
    if bulk and run.sampling.evidence >= disagreement(question.limits.alpha):
        run.stop, run.failure = Stop.LEARNER, run.sampling.complaint
        return
    key = (*last, 0)
    run.freshness.look_back(caller, key)
    run.phases["agreement"] += run.freshness.ask_later(caller, sides[place], key, later, caller.cost)
    if run.freshness.fails(question.limits.alpha):
        run.stop, run.failure = Stop.LEARNER, run.freshness.complaint()
        return
    if run.freshness.undecided:
        run.stop, run.failure = Stop.LEARNER, run.freshness.undecided
        return
    if run.freshness.unasked and not caller.noticed.used_rng:
        run.stop, run.failure = Stop.LEARNER, NOT_ASKED_AGAIN
        return
    run.found = (place, plan, certify_plan(plan, batch, delta, question.limits.alpha, earlier=earlier))


def _compare(
    run: _Measuring,
    caller: Caller,
    sides: tuple[int, int],
    place: int,
    plan: Plan,
    drawn: Batch,
    calls: int,
    delta: float,
    shape: Shape,
) -> Batch:
    """Separate calls beside the draws that are certified: in all parts of the outputs, and in the plan's guesses."""
    run.sampling.shape = shape
    interim = caller.interim_data(sides, calls, (BESIDE_KEY,), bulk=False)
    run.phases["certify"] = run.phases.get("certify", 0) + calls
    run.watch.see(caller, interim, (BESIDE_KEY,))
    ends = [0, *(int(part * calls) for part in COMPARED_PARTS)]
    event = event_of(plan)[0]
    count = len(drawn.coins)

    def guess(seen: Observations) -> tuple[NDArray[np.int8], str]:
        return guesses_of_plan(plan, seen), event

    for number, (first, last) in enumerate(pairwise(ends)):
        called = _part(interim.alike, first, last)
        beside = _part(drawn, count * first // calls, count * last // calls)
        run.sampling.compare(place, guess, called, beside, caller, (BESIDE_KEY, number))
    alpha = caller.question.limits.alpha
    if run.sampling.evidence >= disagreement(alpha):
        return interim.batch
    alone = certify_plan(plan, interim.batch, delta, alpha)
    words = (
        f"the bound is that of {count:,} draws of sample and {calls:,} separate calls; the calls alone certify "
        f"{at_least(alone.epsilon_lower)} by the same guesses. {run.sampling.power(disagreement(alpha))}"
    )
    run.findings += (Finding(SEPARATE, words),)
    return interim.batch


def _part(batch: Batch, first: int, last: int) -> Batch:
    some = np.arange(first, last)
    return Batch(rows(batch.seen, some, all_numbers=True), batch.coins[some])


def _choose(
    caller: Caller,
    sides: tuple[tuple[int, int], ...],
    parts: tuple[int, int],
    delta: float,
    shape: Shape,
    bulk: bool,
    run: _Measuring,
    tell: Listener,
) -> tuple[int, Plan, Batch]:
    """The pair to certify, its plan, and what that was learned from.

    ``parts`` are the calls to learn from and those to certify. Many pairs are looked at with half of the calls, and the
    best of them with the other half: the first calls are too few to tell good pairs from lucky ones.
    """
    learned, remaining = parts
    places = list(range(len(sides)))
    rounds = 2 if len(places) > FINALISTS else 1
    batches: dict[int, Batch] = {}
    plans: dict[int, Plan] = {}
    for number in range(rounds):
        size, plans = learned // rounds // len(places), {}
        for place in places:
            key = (LEARN_KEY, place, number)
            more = _gather(caller, sides[place], size, key, bulk, run, "learn", tell)
            batches[place] = both(batches[place], more) if number else more
            plans[place] = learn_plan(batches[place], shape, delta, caller.question.limits.alpha, remaining)
        places = sorted(places, key=lambda place: -plans[place].predicted)[:FINALISTS]
    return places[0], plans[places[0]], batches[places[0]]


def parts_of(budget: int, pairs: int) -> tuple[int, int]:
    """How many of the calls are learned from, and how many pairs, the first ones, they are spread over.

    >>> parts_of(200_000, 400), parts_of(100, 400)
    ((20000, 40), (50, 1))
    """
    learned = min(budget // 2, max(LEAST_LEARNED, int(budget * LEARN_PART)))
    return learned, min(pairs, max(1, learned // LEAST_LEARNED))


def stages_of(calls: int, *, fewer: bool = False) -> list[int]:
    """How many calls each stage has; a few are certified at once. ``fewer``: of several coordinates, or with delta.

    >>> stages_of(90_000), stages_of(90_000, fewer=True), stages_of(500)
    ([15300, 22500, 52200], [29700, 60300], [500])
    """
    parts = FEWER_STAGES if fewer else STAGES
    sizes = [int(part * calls) for part in parts[:-1]]
    sizes.append(calls - sum(sizes))
    return sizes if min(sizes) >= LEAST_IN_STAGE else [calls]


def _gather(
    caller: Caller,
    sides: tuple[int, int],
    calls: int,
    key: tuple[int, ...],
    bulk: bool,
    run: _Measuring,
    phase: str,
    tell: Listener,
) -> Batch:
    """So many calls on one pair, in parts (for the listener; nothing is decided between them)."""
    question = caller.question
    place = question.dataset_numbers().index(sides)
    parts: list[Batch] = []
    made = 0
    while made < calls:
        size = min(most_at_once(caller.layout), calls - made)
        interim = caller.interim_data(sides, size, (*key, made), bulk=bulk)
        parts.append(interim.batch)
        if bulk:
            run.sampling.watch_draws(caller, interim, (*key, made))
        else:
            run.watch.see(caller, interim, (*key, made))
            run.freshness.see(caller, interim, (*key, made))
        made += size
        run.phases[phase] = run.phases.get(phase, 0) + size
        tell(
            Progress(
                sum(run.phases.values()),
                question.max_samples,
                time.monotonic() - run.started,
                question.max_seconds,
                0.0,
                -math.log(question.limits.alpha),
                0.0,
                question.pairs[place].change,
                place + 1,
                len(question.pairs),
            )
        )
    return Batch(join([part.seen for part in parts]), np.concatenate([part.coins for part in parts]))


def _measurement(question: Question, delta: float, run: _Measuring) -> Measurement:
    bound, witness = 0.0, None
    profile: tuple[CurvePoint, ...] = ()
    tradeoff: tuple[CurvePoint, ...] = ()
    renyi: tuple[CurvePoint, ...] = ()
    rho = 0.0
    if run.found is not None:
        place, plan, certified = run.found
        bound = certified.epsilon_lower
        profile, tradeoff = _profile(certified, bound), _tradeoff(certified)
        if (divergences := certified.divergences) is not None:
            rho = divergences.rho_lower
            renyi = _points(divergences.orders, divergences.lower)
        pair = question.pairs[place]
        event, direction = told_event(plan)
        counts = Counts(certified.correct, certified.wrong, certified.calls)
        witness = Witness(
            pair.change, describe_dataset(pair.left), describe_dataset(pair.right), event, direction, counts, bound
        )
    return Measurement(
        target=question.target.name,
        relation=question.relation_name,
        delta=delta,
        alpha=question.limits.alpha,
        epsilon_lower=bound,
        profile=profile,
        tradeoff=tradeoff,
        witness=witness,
        findings=findings_of(run.findings, run.noticed, run.notes, run.reproducible, run.failure),
        stop=run.stop,
        samples=sum(run.phases.values()),
        phases=tuple(PhaseCalls(name, calls) for name, calls in run.phases.items()),
        seconds=time.monotonic() - run.started,
        seed=question.limits.seed,
        method="learned on a first part of the calls; graded guesses, exact, and one bet for each divergence, in "
        "stages on the rest: fixed horizon",
        reproducible=run.reproducible,
        environment=environment(),
        failure=run.failure,
        looked=None if question.looked is None else replace(question.looked, tried=run.tried),
        argv=argv(),
        renyi=renyi,
        rho_lower=rho,
    )


def _profile(certified: Certified, bound: float) -> tuple[CurvePoint, ...]:
    """Certified delta on a grid of epsilon that reaches beyond the bound."""
    grid = np.linspace(0.0, max(1.0, 1.5 * min(bound, 20.0)), PROFILE_POINTS)
    return _points(grid, profile_lower(certified, grid))


def _tradeoff(certified: Certified) -> tuple[CurvePoint, ...]:
    """Points above the true trade-off curve of D' (null) against D, from left to right."""
    order = np.argsort(certified.false_left, kind="stable")
    return _points(certified.false_left[order], certified.missed_left[order])


def _points(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[CurvePoint, ...]:
    return tuple(CurvePoint(float(one), float(other)) for one, other in zip(x, y, strict=True))
