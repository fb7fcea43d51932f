"""``audit``: is a learner as private as it claims? The phases are functions; this module only orders them."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import replace
from inspect import signature
from typing import Any

from dpcheck.data.forms import Form
from dpcheck.errors import InvalidArgument, LearnerDied, RecordCorrupt
from dpcheck.neighbours import Pair
from dpcheck.privacy.game import Shape
from dpcheck.privacy.judge import UNCONFIRMED, judge, total_evidence
from dpcheck.privacy.layout import Layout
from dpcheck.privacy.state import PairState, State, restored
from dpcheck.record import Record
from dpcheck.run.agreeing import Opening, warm_up
from dpcheck.run.allocation import pairs_share, weighted
from dpcheck.run.bulk_agreement import SEPARATE
from dpcheck.run.calling import Caller, caller_for, runner_of, with_columns
from dpcheck.run.certifying import CALLS_WORTH_SAMPLE, Run, certify_pairs, warmed
from dpcheck.run.events import Finished, Listener, PhaseStarted, Started
from dpcheck.run.exact import answers_exactly
from dpcheck.run.forming import formed
from dpcheck.run.method import method_of
from dpcheck.run.noticing import death_text, findings_of
from dpcheck.run.question import Question, ask
from dpcheck.run.recording import blank_record
from dpcheck.run.searching import search
from dpcheck.run.shrinking import shrink_found
from dpcheck.verdict import Finding, Stop, Verdict

# Below any leak (detect) that may be asked for.
_LEAST_CLAIM = 1e-12


def check_effort(effort: Mapping[str, Any]) -> None:
    """Refuse a level, a budget, or a way to run learners that no audit can have, before there is a learner.

    ``effort`` holds arguments of :func:`audit`, by their names.

    Raises
    ------
    InvalidArgument
        In one line, as the audit would say it.

    Examples
    --------
    >>> check_effort({"jobs": 0})
    Traceback (most recent call last):
    dpcheck.errors.InvalidArgument: jobs must be a whole number of at least 1, got 0
    """
    known = signature(ask).parameters
    defaults = {name: one.default for name, one in signature(audit).parameters.items() if name in known}
    nothing: dict[str, Any] = dict.fromkeys(("neighbours", "dataset", "name", "options"))
    nothing |= {"learner": _nothing, "claim": _LEAST_CLAIM, "measuring": False, "pairs": [([0], [1])]}
    ask(**{**defaults, **nothing, **{name: value for name, value in effort.items() if name in known}})


def _nothing(dataset: Any, rng: Any) -> float:
    return 0.0


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
    warnings: str = "finding",
    exhaustive: bool = False,
    shrink: bool | None = None,
    max_samples: int | None = None,
    max_seconds: float | None = None,
    call_timeout: float = 10.0,
    isolation: str = "auto",
    seed: int = 0,
    jobs: int = 1,
    on_event: Listener | None = None,
    name: str | None = None,
    options: dict[str, Any] | None = None,
    form: Form | str | None = None,
    resume: Verdict | Record | None = None,
) -> Verdict:
    """Look for a violation of a privacy claim, with a false-alarm probability fixed in advance.

    A learner with ``distribution(dataset)`` is answered exactly: its declared laws are compared with its calls, and
    then with each other; :func:`dpcheck.by_calls` hides the ability. Where calls contradict the law, the learner has
    failed, unless calls alone refute the claim too. Every other learner is audited by its calls alone.

    Of a learner with ``sample`` only separate calls count for or against the claim: its draws are learned from, and
    compared with calls in law and independence for as long as they are used. Where they differ the learner has failed.

    Valid at any stopping time: it looks after every batch, stops on a violation and otherwise uses its budget.

    Parameters
    ----------
    learner : callable ``(dataset, rng) -> output``, or a factory of such
    claim : float, PureDP, ApproxDP, ZeroConcentratedDP, RenyiDP or GaussianDP
        What is promised; taken from the learner's ``claim`` when not given.
    neighbours : relation, optional
        Which datasets are neighbours (``ReplaceOne``, ``AddRemove``, ``LabelsOnly``). Alone, with its records declared,
        pairs are searched: many are explored on calls that count for nothing, the best certified on fresh ones.
    dataset : optional
        A real dataset from which pairs are made (under ``ReplaceOne`` unless said otherwise). It gives a schema too
        (columns, whole numbers, labels where none are declared), of which small datasets are searched first, of the
        relation's sizes, of 1 to 6 records where it declares none; where it declares the dataset's size, none are.
    pairs : list of ``(left, right)``, optional
        Pairs to try; give these or ``dataset``.
    alpha : float
        The probability of ever accusing a learner that keeps its claim.
    detect : float, optional
        The epsilon a leak must have to be worth catching (twice the claim when not given, at least 0.1 above it);
        for zCDP, Rényi and Gaussian DP it is an epsilon at the claim's central point (``dpcheck.claims.claim_point``).
        When given, the audit also stops once such a leak would have been caught with probability 0.9999.
    numerics : "real" or "exact"
        Whether the claim is about real-valued noise (low-order bits are rounded away) or about the doubles.
    warnings : "finding" or "output"
        Whether warnings are told of beside the verdict, or are part of the outputs, as for whoever sees them too.
        A warning that the learner's own filters turn into an exception is an exception, and thus an output.
    exhaustive : bool
        Compare all pairs of the relation's finite domain (``ReplaceOne(records=[0, 1], size=3)``), for a learner with
        ``distribution``; as multisets where it has ``order_blind = True``.
    shrink : bool, optional
        Whether a violating pair is made smaller, rows first, then values, and certified again on fresh calls with half
        of alpha (kept for it from the start). On for searched pairs, off for given ones.
    max_samples : int, optional
        Most calls of the learner, all phases together; 1,000,000 when not given. Where labelled records or small
        datasets beside a given one are searched it is 150,000 then, and the audit ends before, once the pairs certified
        show no more than is claimed, and a leak of ``detect`` would have been caught with probability 0.9999.
    max_seconds : float, optional
        A safety net; the record names the ``max_samples`` that repeats a run stopped by it. 60 when not given, and 600
        where calls are planned as above.
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
    form : str or Form, optional
        How the learner is handed its data: "pair" ``(X, y)``, "labelled" ``.X`` and ``.y``, "rows", "table", "frame",
        "lists", or "auto" for the first of these in which it answers. When not given, data are handed over as they are
        given; labelled ones that are searched as they are made, then as with "auto" where it answers to none of them.
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
        warnings=warnings,
        max_samples=max_samples,
        max_seconds=max_seconds,
        call_timeout=call_timeout,
        isolation=isolation,
        seed=seed,
        jobs=jobs,
        name=name,
        options=options,
        shrink=shrink,
        exhaustive=_flag("exhaustive", exhaustive),
        small=True,
        form=form,
    )
    if answers_exactly(question, exhaustive=exhaustive):
        if resume is not None:
            raise InvalidArgument("resume must be None for a learner with distribution: an exact audit is complete")
        from dpcheck.run.declared import run_declared  # which goes on with run_audit where the law is wrong

        return run_declared(question, exhaustive=exhaustive, listener=on_event)
    return run_audit(question, by_power=detect is not None or question.planned, listener=on_event, resume=resume)


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
    settled = formed(question)
    question = settled.question
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
    state = _begun(question, resume)
    if settled.calls:
        state = state.with_calls("agreement", settled.calls)
    run = Run(question, state, tell, time.monotonic(), by_power, heard=listener is not None, trouble=settled.trouble)
    try:
        runner = runner_of(question, fresh=fresh)
        try:
            _play(run, caller_for(question, runner, run.noticed))
        finally:
            run.notes = tuple(runner.notes)
            runner.close()
    except LearnerDied as error:
        run.fail(death_text(run.served or question, error, run.noticed))
    except KeyboardInterrupt:
        run.stop = Stop.INTERRUPTED
    verdict = judge(_ended(run))
    tell(Finished(verdict, _shown(run, verdict)))
    return verdict


def _shown(run: Run, verdict: Verdict) -> Pair | None:
    """The datasets of the witness."""
    if verdict.witness is None:
        return None
    words = (verdict.witness.change, verdict.witness.left, verdict.witness.right)
    states = zip(run.state.pairs, run.question.pairs, strict=False)
    return next((pair for state, pair in states if (state.change, state.left, state.right) == words), None)


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise InvalidArgument(f"{name} must be True or False, got {value!r}")
    return value


def _nobody(event: object) -> None:
    """Nobody listens."""


def _begun(question: Question, resume: Verdict | Record | None) -> State:
    """The state before the first call, or where an earlier audit stopped."""
    assert question.claim is not None
    record = blank_record(question, method_of(question.claim))
    pairs = tuple(map(PairState.of, question.pairs))
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
        ("warnings", record.warnings, earlier.warnings),
        ("claim", record.claim, earlier.claim),
        ("alpha", record.alpha, earlier.alpha),
        *_same_pairs(question, pairs, earlier),
    ):
        if now != then:
            raise InvalidArgument(f"resume must be of an audit with the same {what}, got {then!r}, now {now!r}")
    state = restored(earlier)
    if question.shrinking and sum(pair.weight for pair in state.pairs) > pairs_share(shrinking=True) + 1e-9:
        raise InvalidArgument("shrink must be False for an audit that kept no part of alpha for it, got True")
    if state.samples and total_evidence(state)[0] >= -math.log(earlier.alpha):
        raise InvalidArgument("resume must be of an audit that is not decided, got one that found a violation")
    findings = tuple(dict.fromkeys((*earlier.findings, *question.findings)))
    record = replace(record, phases=earlier.phases, shape=earlier.shape, findings=findings, rounds=earlier.rounds)
    return State(record, state.pairs or pairs)


def _same_pairs(question: Question, pairs: tuple[PairState, ...], earlier: Record) -> list[tuple[str, object, object]]:
    """What must be the same of the pairs of two audits: all of them, or what a search makes them from."""
    if question.searched and (earlier.rounds or not earlier.pairs):
        return [("seed", question.seed, earlier.seed)]
    return [
        ("pairs", [p.change for p in pairs], [p.change for p in earlier.pairs]),
        ("datasets", [p.left_digest for p in pairs], [p.left_digest for p in earlier.pairs]),
        ("neighbours", [p.right_digest for p in pairs], [p.right_digest for p in earlier.pairs]),
    ]


def _play(run: Run, caller: Caller) -> None:
    """Agreement; then looks on the pairs given, or a search; then a smaller pair where one was found."""
    if caller.runner.bulk_available:
        caller, run.has_sample = caller.as_bulk(), True
    run.tell(PhaseStarted("agreement"))
    opening = warm_up(caller, caller.question.dataset_numbers())
    shape, layout = _remembered_shape(run.state, opening)
    opening = replace(opening, shape=shape, layout=layout)
    ready = warmed(run, caller, opening)
    if ready is None:
        return
    run.state = replace(run.state, record=replace(run.state.record, shape=_shape_text(shape, layout)))
    if not search(run, ready, opening):
        run.state = weighted(run.state, run.question, run.per_call, shape)
        run.tell(PhaseStarted("certify"))
        certify_pairs(run, ready, opening, [i for i, pair in enumerate(run.state.pairs) if pair.weight > 0])
    if run.stop is Stop.VIOLATION and run.question.shrinking:
        shrink_found(run, ready, opening)


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


def _ended(run: Run) -> State:
    """The state with what the run noticed, ready to be judged."""
    earlier = tuple(finding for finding in run.state.record.findings if finding.kind not in (SEPARATE, UNCONFIRMED))
    decided = run.stop in (Stop.VIOLATION, Stop.LEARNER)
    earlier += run.sampling.findings(run.state, decided=decided)
    if run.has_sample and not run.sampling.draws and not decided:
        words = (
            f"all {run.state.samples:,} calls are separate ones, and nothing is said of its sample: comparing it with "
            f"calls is worth it where {CALLS_WORTH_SAMPLE:,} calls are left after the first ones (max_samples)"
        )
        earlier += (Finding(SEPARATE, words),)
    record = replace(
        run.state.record,
        findings=findings_of(earlier, run.noticed, run.notes, run.reproducible, run.failure),
        stop=run.stop,
        seconds=run.seconds,
        failure=run.failure,
        reproducible=run.reproducible,
    )
    return replace(run.state, record=record)
