"""An audit by calls: search, certify, shrink. The phases are functions; this module only orders them."""

from __future__ import annotations

import math
import time
from dataclasses import replace

from dpcheck.execution.undisturbed import undisturbed
from dpcheck.model.errors import InvalidArgument, LearnerDied, RecordCorrupt
from dpcheck.model.neighbours import Pair
from dpcheck.model.verdict import Finding, Record, Stop, Verdict
from dpcheck.privacy.run.agreement_phase import Opening, warm_up
from dpcheck.privacy.run.allocation import pairs_share, weighted
from dpcheck.privacy.run.bulk_agreement import SEPARATE
from dpcheck.privacy.run.caller import Caller, caller_for, runner_of, with_columns
from dpcheck.privacy.run.certification import CALLS_WORTH_SAMPLE, Run, certify_pairs, ready_caller, settled
from dpcheck.privacy.run.data_form import find_form
from dpcheck.privacy.run.events import Finished, Listener, PhaseStarted, Started, nobody
from dpcheck.privacy.run.findings import death_text, findings_of
from dpcheck.privacy.run.initial_record import blank_record
from dpcheck.privacy.run.kept_calls import kept_calls
from dpcheck.privacy.run.least_size import enough_records
from dpcheck.privacy.run.method import method_of
from dpcheck.privacy.run.pair_search import search
from dpcheck.privacy.run.question import Question
from dpcheck.privacy.run.smaller_pair import shrink_found
from dpcheck.privacy.statistics.game import Shape
from dpcheck.privacy.statistics.judge import UNCONFIRMED, judge, total_evidence
from dpcheck.privacy.statistics.layout import Layout
from dpcheck.privacy.statistics.state import PairState, State, restored

#: Fewer calls than this say nothing of the speed of others.
ENOUGH_TIMED = 20


@undisturbed()
def run_audit(
    question: Question,
    *,
    by_power: bool = False,
    listener: Listener | None = None,
    resume: Verdict | Record | None = None,
    fresh: bool = False,
) -> Verdict:
    """Answer a question that is already checked and complete."""
    tell = listener if listener is not None else nobody
    settled = find_form(question)
    question = settled.question
    tell(
        Started(
            question.target.name,
            question.claim,
            question.relation_name,
            len(question.pairs),
            question.max_samples,
            question.max_seconds,
            question.limits.alpha,
        )
    )
    state = _initial_state(question, resume)
    if settled.calls:
        state = state.with_calls("agreement", settled.calls)
    run = Run(question, state, tell, time.monotonic(), by_power, heard=listener is not None, trouble=settled.trouble)
    try:
        runner = kept_calls(question, runner_of(question, fresh=fresh), run.replay)
        try:
            _play(run, caller_for(question, runner, run.noticed))
        finally:
            run.notes = tuple(runner.notes)
            runner.close()
    except LearnerDied as error:
        run.fail(death_text(run.served or run.question, error, run.noticed))
    except KeyboardInterrupt:
        run.stop = Stop.INTERRUPTED
    verdict = judge(_final_state(run))
    tell(Finished(verdict, _witness_pair(run, verdict)))
    return verdict


def _witness_pair(run: Run, verdict: Verdict) -> Pair | None:
    """The datasets of the witness."""
    if verdict.witness is None:
        return None
    words = (verdict.witness.change, verdict.witness.left, verdict.witness.right)
    states = zip(run.state.pairs, run.question.pairs, strict=False)
    return next((pair for state, pair in states if (state.change, state.left, state.right) == words), None)


def _initial_state(question: Question, resume: Verdict | Record | None) -> State:
    """The state before the first call, or where an earlier audit stopped."""
    assert question.claim is not None
    record = blank_record(question, method_of(question.claim))
    pairs = tuple(map(PairState.of, question.pairs))
    if resume is None:
        return State(record, pairs)
    earlier = resume.record if isinstance(resume, Verdict) else resume
    if earlier is None:
        raise InvalidArgument("resume must be a verdict with a record, or a record, got a verdict without one")
    for what, now, then in (
        ("target", record.target, earlier.target),
        ("relation", record.relation, earlier.relation),
        ("numerics", record.numerics, earlier.numerics),
        ("warnings", record.warnings, earlier.warnings),
        ("claim", record.claim, earlier.claim),
        ("alpha", record.alpha, earlier.alpha),
        *_same_pairs(question, pairs, earlier),
    ):
        if now != then:
            raise InvalidArgument(f"resume must be of an audit with the same {what}, got {then!r}, now {now!r}")
    if earlier.learner and record.learner and record.learner != earlier.learner:
        raise InvalidArgument(
            f"resume must be of an audit of the same learner: the code or the settings of {record.target} are not what "
            "they were, and calls of another learner say nothing of it; leave resume out"
        )
    state = restored(earlier)
    if question.shrinking and sum(pair.weight for pair in state.pairs) > pairs_share(shrinking=True) + 1e-9:
        raise InvalidArgument("shrink must be False for an audit that kept no part of alpha for it, got True")
    if state.samples and total_evidence(state)[0] >= -math.log(earlier.alpha):
        raise InvalidArgument("resume must be of an audit that is not decided, got one that found a violation")
    findings = tuple(dict.fromkeys((*earlier.findings, *question.findings)))
    record = replace(
        record,
        phases=earlier.phases,
        shape=earlier.shape,
        findings=findings,
        rounds=earlier.rounds,
        among=earlier.among,
    )
    return State(record, state.pairs or pairs)


def _same_pairs(question: Question, pairs: tuple[PairState, ...], earlier: Record) -> list[tuple[str, object, object]]:
    """What must be the same of the pairs of two audits: all of them, or what a search makes them from."""
    if earlier.rounds or (question.searched and not earlier.pairs):
        return [("seed", question.limits.seed, earlier.seed)]
    return [
        ("pairs", [p.change for p in pairs], [p.change for p in earlier.pairs]),
        ("datasets", [p.left_digest for p in pairs], [p.left_digest for p in earlier.pairs]),
        ("neighbours", [p.right_digest for p in pairs], [p.right_digest for p in earlier.pairs]),
    ]


def _play(run: Run, caller: Caller) -> None:
    """Agreement; then interim analyses of the pairs given, or a search; then a smaller pair where one was found."""
    if caller.runner.bulk_available:
        caller, run.has_sample = caller.as_bulk(), True
    run.tell(PhaseStarted("agreement"))
    opening = warm_up(caller, caller.question.dataset_numbers())
    larger, calls = (None, 0) if _has_begun(run.state) else enough_records(caller, opening)
    if larger is not None:
        run.state = _with_datasets(run.state.with_calls("agreement", opening.calls), larger)
        run.question = larger
        caller = caller_for(larger, caller.runner, run.noticed)
        caller = caller.as_bulk() if run.has_sample else caller
        opening = warm_up(caller, larger.dataset_numbers())
    run.state = run.state.with_calls("agreement", calls)
    shape, layout = _remembered_shape(run.state, opening)
    opening = replace(opening, shape=shape, layout=layout)
    ready = ready_caller(run, caller, opening)
    if ready is None:
        return
    run.state = replace(run.state, record=replace(run.state.record, shape=_shape_text(shape, layout)))
    if not search(run, ready, opening):
        run.state = weighted(run.state, run.question, run.per_call, shape)
        run.tell(PhaseStarted("certify"))
        certify_pairs(run, ready, opening, [i for i, pair in enumerate(run.state.pairs) if pair.weight > 0])
    if run.stop not in (Stop.VIOLATION, Stop.LEARNER):
        settled(run)
    if run.stop is Stop.VIOLATION and run.question.shrinking:
        shrink_found(run, ready, opening)


def _has_begun(state: State) -> bool:
    """Whether pairs that are not searched anew have games: on others alpha would be spent a second time."""
    return not state.record.rounds and any(pair.game is not None for pair in state.pairs)


def _with_datasets(state: State, question: Question) -> State:
    """The state of a question of other datasets; pairs that an earlier, resumed audit chose are found again."""
    findings = tuple(dict.fromkeys((*state.record.findings, *question.findings)))
    record = replace(state.record, findings=findings, looked=question.looked)
    return State(record, state.pairs if state.record.rounds else tuple(map(PairState.of, question.pairs)))


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
        shape = Shape(int(columns), bool(int(repeats)), bool(int(others)))
        return (with_columns(shape, layout) if layout is not None else shape), layout
    except ValueError as error:
        raise RecordCorrupt(f"record must say what outputs look like, got {state.record.shape[:60]!r}") from error


def _final_state(run: Run) -> State:
    """The state with what the run noticed, ready to be judged."""
    earlier = tuple(finding for finding in run.state.record.findings if finding.kind not in (SEPARATE, UNCONFIRMED))
    decided = run.stop in (Stop.VIOLATION, Stop.LEARNER)
    earlier += run.sampling.findings(run.state, decided=decided)
    if run.has_sample and not run.sampling.draws and not decided:
        words = (
            f"all {run.state.samples:,} calls are separate ones, and nothing is said of its sample: it is compared "
            f"with them where more are allowed (max_samples) than are needed, {CALLS_WORTH_SAMPLE:,} at the least"
        )
        earlier += (Finding(SEPARATE, words),)
    record = replace(
        run.state.record,
        findings=findings_of(earlier, run.noticed, run.notes, run.reproducible, run.failure),
        stop=run.stop,
        seconds=run.seconds,
        seconds_per_call=run.per_call if run.state.samples >= ENOUGH_TIMED else 0.0,
        failure=run.failure,
        reproducible=run.reproducible,
    )
    return replace(run.state, record=record)
