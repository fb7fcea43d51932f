"""``audit``: is a learner as private as it claims? The phases are functions; this module only orders them."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np

from dpcheck.claims import claim_point
from dpcheck.data import describe_dataset, digest
from dpcheck.errors import InvalidArgument, LearnerDied, RecordCorrupt
from dpcheck.execution import Isolation, runner_for
from dpcheck.privacy.evidence import epsilon_lower
from dpcheck.privacy.game import Shape, certify, learn, new_game
from dpcheck.privacy.judge import OPAQUE, detectable_everywhere, judge, pair_evidence, total_evidence
from dpcheck.privacy.layout import Layout
from dpcheck.privacy.state import PairState, State, restored
from dpcheck.record import SCHEMA, Record, argv, claim_record, environment
from dpcheck.run.agreeing import Opening, Watch, agree_with_sample, disagreement, warm_up
from dpcheck.run.allocation import look_size, next_pair, weighted
from dpcheck.run.calling import Caller, Noticed, caller_for
from dpcheck.run.events import Finished, Listener, PhaseStarted, Progress, Started
from dpcheck.run.noticing import death_text, findings_of
from dpcheck.run.question import Question, ask
from dpcheck.verdict import Stop, Verdict

#: Calls made one by one before ``sample`` is checked and used (one by one is simpler, and soon enough too slow).
CALLS_BEFORE_SAMPLE = 1000
#: The same for learners whose calls take longer than a millisecond.
SLOW_CALLS_BEFORE_SAMPLE = 100
SLOW_CALL = 1e-3
#: The power rule stops only when a leak of the size asked for would have been caught with this probability.
POWER_RULE = 0.9999
#: Where fewer calls are left, comparing ``sample`` with separate calls would cost too much of them.
CALLS_WORTH_SAMPLE = 10_000
#: The bound shown while running is computed again when calls have grown by this factor.
SHOWN_GROWTH = 1.2


def audit(
    learner: Any,
    claim: Any = None,
    *,
    neighbours: Any = None,
    dataset: Any = None,
    pairs: Any = None,
    alpha: float = 1e-6,
    detect: float | None = None,
    numerics: str = "real",
    exhaustive: bool = False,
    shrink: bool | None = None,
    max_samples: int = 1_000_000,
    max_seconds: float = 60.0,
    call_timeout: float = 10.0,
    isolation: str = "auto",
    seed: int = 0,
    jobs: int = 1,
    on_event: Listener | None = None,
    name: str | None = None,
    options: dict[str, Any] | None = None,
    resume: Verdict | Record | None = None,
) -> Verdict:
    """Look for a violation of a privacy claim, with a false-alarm probability fixed in advance.

    Valid at any stopping time: it looks after every batch, stops on a violation and otherwise uses its budget.

    Parameters
    ----------
    learner : callable ``(dataset, rng) -> output``, or a factory of such
    claim : float, PureDP or ApproxDP
        What is promised; taken from the learner's ``claim`` when not given.
    neighbours : relation, optional
        Which datasets are neighbours (``ReplaceOne``, ``AddRemove``, ``LabelsOnly``).
    dataset : optional
        A real dataset from which pairs are made (under ``ReplaceOne`` unless said otherwise).
    pairs : list of ``(left, right)``, optional
        Pairs to try; give these or ``dataset``.
    alpha : float
        The probability of ever accusing a learner that keeps its claim.
    detect : float, optional
        The epsilon a leak must have to be worth catching (twice the claim when not given, at least 0.1 above it).
        When given, the audit also stops once such a leak would have been caught with probability 0.9999.
    numerics : "real" or "exact"
        Whether the claim is about real-valued noise (low-order bits are rounded away) or about the doubles.
    exhaustive, shrink : reserved for exact mode and for the search of pairs, which this version does not have
    max_samples : int
        Most calls of the learner, all phases together.
    max_seconds : float
        A safety net; the record names the ``max_samples`` that repeats a run stopped by it.
    call_timeout : float, seconds
        A call that takes longer is a hang, and the learner has failed.
    isolation : "auto", "process" or "none"
        Whether the learner runs in a worker process.
    seed : int
        All randomness comes from it.
    jobs : int
        Worker processes; the verdict does not depend on it.
    on_event : callable, optional
        Listens to the events of :mod:`dpcheck.run.events`.
    name, options : optional
        How reports call the learner; arguments for a factory.
    resume : Verdict or Record, optional
        Go on from where an earlier audit of the same learner, claim and pairs stopped.

    Returns
    -------
    Verdict
        Never says "private". Ctrl-C ends the audit with ``stop = INTERRUPTED`` and what was found until then.

    Raises
    ------
    InvalidArgument
        For arguments that cannot be used, in one line.

    Examples
    --------
    >>> leaky = lambda data, rng: sum(data) + rng.laplace(scale=0.5)
    >>> verdict = audit(leaky, 1.0, pairs=[([0], [1])], isolation="none")
    >>> verdict.status
    <Status.VIOLATED: 'violated'>
    """
    if exhaustive:
        raise InvalidArgument("exhaustive must be False in this version: exact enumeration is not there yet, got True")
    if shrink:
        raise InvalidArgument("shrink must be None or False in this version: given pairs are not shrunk, got True")
    question = ask(
        learner,
        claim,
        measuring=False,
        neighbours=neighbours,
        dataset=dataset,
        pairs=pairs,
        alpha=alpha,
        detect=detect,
        numerics=numerics,
        max_samples=max_samples,
        max_seconds=max_seconds,
        call_timeout=call_timeout,
        isolation=isolation,
        seed=seed,
        jobs=jobs,
        name=name,
        options=options,
    )
    return run_audit(question, by_power=detect is not None, listener=on_event, resume=resume)


def run_audit(
    question: Question,
    *,
    by_power: bool = False,
    listener: Listener | None = None,
    resume: Verdict | Record | None = None,
    fresh: bool = False,
) -> Verdict:
    """Answer a question that is already checked and complete."""
    tell = listener if listener is not None else _nobody
    tell(
        Started(
            question.target.name,
            question.claim,
            question.relation_name,
            len(question.pairs),
            question.max_samples,
            question.max_seconds,
            question.alpha,
        )
    )
    run = _Run(question, _begun(question, resume), tell, time.monotonic(), by_power)
    try:
        runner = runner_for(
            question.target,
            question.datasets,
            isolation=cast(Isolation, question.isolation),
            call_timeout=question.call_timeout,
            jobs=question.jobs,
            fresh=fresh,
        )
        try:
            _play(run, caller_for(question, runner, run.noticed))
        finally:
            run.notes = tuple(runner.notes)
            runner.close()
    except LearnerDied as error:
        run.fail(death_text(question, error, run.noticed))
    except KeyboardInterrupt:
        run.stop = Stop.INTERRUPTED
    verdict = judge(_ended(run))
    tell(Finished(verdict))
    return verdict


@dataclass
class _Run:
    """What changes while an audit runs."""

    question: Question
    state: State
    tell: Listener
    started: float
    by_power: bool
    stop: Stop = Stop.MAX_SAMPLES
    failure: str = ""
    reproducible: bool = True
    notes: tuple[str, ...] = ()
    noticed: Noticed = field(default_factory=Noticed)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    def fail(self, why: str) -> None:
        self.stop, self.failure = Stop.LEARNER, why


def _nobody(event: object) -> None:
    """Nobody listens."""


def _begun(question: Question, resume: Verdict | Record | None) -> State:
    """The state before the first call, or where an earlier audit stopped."""
    assert question.claim is not None
    record = Record(
        schema=SCHEMA,
        target=question.target.name,
        relation=question.relation_name,
        claim=claim_record(question.claim),
        alpha=question.alpha,
        detect=question.detect,
        numerics=question.numerics,
        max_samples=question.max_samples,
        max_seconds=question.max_seconds,
        call_timeout=question.call_timeout,
        isolation=question.isolation,
        seed=question.seed,
        jobs=question.jobs,
        argv=argv(),
        environment=environment(),
        phases=(),
        pairs=(),
        findings=question.findings,
        stop=Stop.MAX_SAMPLES,
        seconds=0.0,
        failure="",
        reproducible=True,
        method="label game: coin per call, learned guesses, mixture of bets; anytime-valid",
        shape="",
    )
    words = [describe_dataset(dataset) for dataset in question.datasets]
    digests = [str(digest(dataset)["sha256"] or "") for dataset in question.datasets]
    pairs = tuple(
        PairState(pair.change, words[left], words[right], digests[left], digests[right], 0.0, None)
        for pair, (left, right) in zip(question.pairs, question.dataset_numbers(), strict=True)
    )
    if resume is None:
        return State(record, pairs)
    if not isinstance(resume, Verdict | Record):
        raise InvalidArgument(f"resume must be a Verdict or a Record of an earlier audit, got {resume!r}")
    earlier = resume.record if isinstance(resume, Verdict) else resume
    if earlier is None:
        raise InvalidArgument("resume must be a verdict with a record, or a record, got a verdict without one")
    for what, now, then in (
        ("target", record.target, earlier.target),
        ("relation", record.relation, earlier.relation),
        ("numerics", record.numerics, earlier.numerics),
        ("claim", record.claim, earlier.claim),
        ("alpha", record.alpha, earlier.alpha),
        ("pairs", [p.change for p in pairs], [p.change for p in earlier.pairs]),
        ("datasets", [p.left_digest for p in pairs], [p.left_digest for p in earlier.pairs]),
        ("neighbours", [p.right_digest for p in pairs], [p.right_digest for p in earlier.pairs]),
    ):
        if now != then:
            raise InvalidArgument(f"resume must be of an audit with the same {what}, got {then!r}, now {now!r}")
    state = restored(earlier)
    if state.samples and total_evidence(state)[0] >= -math.log(earlier.alpha):
        raise InvalidArgument("resume must be of an audit that is not decided, got one that found a violation")
    findings = tuple(dict.fromkeys((*earlier.findings, *question.findings)))
    return State(replace(record, phases=earlier.phases, shape=earlier.shape, findings=findings), state.pairs)


def _play(run: _Run, caller: Caller) -> None:
    """Agreement, then looks until something ends them."""
    question = run.question
    sides = question.dataset_numbers()
    if caller.runner.bulk_available:
        caller = caller.as_bulk()
    run.tell(PhaseStarted("agreement"))
    opening = warm_up(caller, sides)
    run.state = run.state.with_calls("agreement", opening.calls)
    run.reproducible = opening.reproducible
    if opening.failure:
        return run.fail(opening.failure)
    if opening.opaque:
        run.state = replace(run.state, record=replace(run.state.record, findings=(*run.state.record.findings, OPAQUE)))
    per_call = opening.seconds_per_call
    shape, layout = _remembered_shape(run.state, opening)
    caller = caller.scaled(opening.scale).laid_out(layout)
    run.state = weighted(run.state, question, per_call, shape)
    chosen = [i for i, pair in enumerate(run.state.pairs) if pair.weight > 0]
    run.state = replace(run.state, record=replace(run.state.record, shape=_shape_text(shape, layout)))
    run.tell(PhaseStarted("certify"))
    watch = Watch()
    evidences = {i: pair_evidence(run.state, i) for i in chosen}
    bulk = False
    shown_at, shown = 0, 0.0
    while True:
        place = next_pair(run.state, chosen, evidences, question)
        game = run.state.pairs[place].game
        calls = look_size(game.calls if game is not None else 0, question.max_samples - run.state.samples)
        if calls == 0:
            run.stop = Stop.MAX_SAMPLES
            return None
        if run.seconds + calls * per_call > question.max_seconds:
            run.stop = Stop.MAX_SECONDS
            return None
        if not bulk and caller.runner.bulk_available and _time_for_sample(run.state, per_call, question.max_samples):
            used, evidence = agree_with_sample(caller, sides[chosen[0]][0], shape, question.alpha)
            run.state = run.state.with_calls("agreement", used)
            if evidence >= disagreement(question.alpha):
                return run.fail(
                    f"sample and separate calls of the learner do not agree (evidence e^{evidence:.0f} : 1): its "
                    "sample must give independent draws of the law of its calls."
                )
            bulk = True
            continue
        if game is None:
            epsilon, delta = claim_point(run.state.claim)
            game = new_game(shape, epsilon, delta)
        began = caller.noticed.seconds
        look = caller.look(sides[place], calls, (place, game.calls), bulk=bulk)
        per_call = 0.7 * per_call + 0.3 * (caller.noticed.seconds - began) / calls
        watch.see(caller, look, (place, game.calls))
        if watch.evidence >= disagreement(question.alpha):
            run.state = run.state.with_calls("certify", calls)
            return run.fail(watch.complaint(bulk=bulk))
        # certified first, learned from afterwards; both before anything may stop the run, so that it can be resumed
        game = learn(certify(game, look.batch), look.batch)
        run.state = run.state.with_game(place, game).with_calls("certify", calls)
        evidences[place] = pair_evidence(run.state, place)
        total = _average(run.state, evidences)
        if run.state.samples >= SHOWN_GROWTH * shown_at:
            counts = total_evidence(run.state)[1]
            shown_at = run.state.samples
            shown = epsilon_lower(counts, claim_point(run.state.claim)[1], question.alpha)
        run.tell(
            Progress(
                run.state.samples,
                question.max_samples,
                run.seconds,
                question.max_seconds,
                total,
                -math.log(question.alpha),
                shown,
                run.state.pairs[place].change,
            )
        )
        if total >= -math.log(question.alpha):
            run.stop = Stop.VIOLATION
            return None
        if run.by_power and shown_at == run.state.samples and _would_have_caught(run.state, question):
            run.stop = Stop.POWER
            return None


def _time_for_sample(state: State, per_call: float, budget: int) -> bool:
    enough = SLOW_CALLS_BEFORE_SAMPLE if per_call > SLOW_CALL else CALLS_BEFORE_SAMPLE
    return state.samples >= enough and budget - state.samples >= CALLS_WORTH_SAMPLE


def _average(state: State, evidences: dict[int, float]) -> float:
    """The logarithm of the weighted average over pairs; those not yet tried count as 1."""
    logs = [math.log(state.pairs[i].weight) + e for i, e in evidences.items()]
    return float(np.logaddexp.reduce(logs))


def _would_have_caught(state: State, question: Question) -> bool:
    return detectable_everywhere(state, POWER_RULE).epsilon <= question.detect


def _shape_text(shape: Shape, layout: Layout | None) -> str:
    plain = f"{shape.columns} {int(shape.repeats)} {int(shape.others)}"
    return plain if layout is None else f"{plain} {layout.to_text()}"


def _remembered_shape(state: State, opening: Opening) -> tuple[Shape, Layout | None]:
    """The shape and columns for which an earlier, resumed audit fixed its bank; else what was seen now."""
    if not state.record.shape:
        return opening.shape, opening.layout
    try:
        columns, repeats, others, *rest = state.record.shape.split(maxsplit=3)
        layout = Layout.from_text(rest[0]) if rest else None
        names, shares = (layout.names, layout.shares) if layout is not None else ((), ())
        return Shape(int(columns), bool(int(repeats)), bool(int(others)), names, shares), layout
    except ValueError as error:
        raise RecordCorrupt(f"record must say what outputs look like, got {state.record.shape[:60]!r}") from error


def _ended(run: _Run) -> State:
    """The state with what the run noticed, ready to be judged."""
    record = replace(
        run.state.record,
        findings=findings_of(run.state.record.findings, run.noticed, run.notes, run.reproducible, run.failure),
        stop=run.stop,
        seconds=run.seconds,
        failure=run.failure,
        reproducible=run.reproducible,
    )
    return replace(run.state, record=record)
