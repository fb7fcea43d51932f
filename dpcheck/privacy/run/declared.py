"""An audit of a learner that declares its law: by the law, and by calls alone where those contradict it.

A wrong law must not switch the audit off. Where calls differ from it the learner has failed; whether the calls
themselves break the claim is then asked of fresh ones, on the pairs where they differ.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from dpcheck.execution.answers import Request
from dpcheck.execution.undisturbed import undisturbed
from dpcheck.model.errors import LearnerDied
from dpcheck.model.neighbours import Pair
from dpcheck.model.verdict import Finding, PhaseCalls, Status, Verdict
from dpcheck.privacy.exact.output_keys import counted
from dpcheck.privacy.run.by_calls import run_audit
from dpcheck.privacy.run.caller import Caller, Noticed, runner_of
from dpcheck.privacy.run.events import Finished, Listener, PhaseStarted, Started, nobody
from dpcheck.privacy.run.exact import run_exact
from dpcheck.privacy.run.kept_calls import kept_calls
from dpcheck.privacy.run.limits import LEAST_SAMPLES
from dpcheck.privacy.run.question import LEARNER_STREAM, Question
from dpcheck.privacy.statistics.observations import Numerics

#: Most calls of the audit by calls after a law was found wrong: as many as laws are compared with.
MOST_CALLS = 40_000
#: Calls on each dataset of the pairs in question, which say on which of them the audit goes on.
GLANCE = 200
#: So many pairs are audited, those whose calls differ most; glances take at most this part of a budget.
MOST_PAIRS, GLANCE_PART = 4, 0.25
#: First word of the keys of the glances' streams.
_GLANCE_KEY = 1_000_007
#: Its finding.
WRONG_LAW = "declared law"


@undisturbed()
def run_declared(question: Question, *, exhaustive: bool, listener: Listener | None = None) -> Verdict:
    """Answer a question about a learner that declares its law.

    Parameters
    ----------
    question : Question
    exhaustive : bool
        Whether all pairs of the relation's finite domain are asked for.
    listener : callable, optional
        Hears the events of :mod:`dpcheck.privacy.run.events`.

    Returns
    -------
    Verdict
        About the declared laws where calls agree with them. Else "violated" where calls alone refute the claim, at a
        level of their own, the question's; "learner failed" where they do not.

    Raises
    ------
    InvalidArgument
        When the domain is not finite, or has too many pairs.
    """
    tell: Listener = listener if listener is not None else nobody
    found = run_exact(question, exhaustive=exhaustive, listener=tell)
    verdict, question = found.verdict, found.question
    calls = min(question.max_samples - verdict.samples, MOST_CALLS)
    seconds = question.max_seconds - verdict.seconds
    if not found.doubted or calls < LEAST_SAMPLES or seconds <= 0.0:
        tell(Finished(verdict))
        return verdict
    shown: list[Finished] = []

    def heard(event: object) -> None:
        if isinstance(event, Finished):
            shown.append(event)
        elif not isinstance(event, Started):
            tell(event)

    cost = verdict.seconds / max(1, verdict.samples)
    affordable = GLANCE_PART * min(calls, seconds / cost)
    tell(PhaseStarted("search"))
    pairs, glanced = _most_apart(question, found.doubted[: max(1, int(affordable / (2 * GLANCE)))])
    asked = replace(_by_calls(question, pairs, calls - glanced, seconds - glanced * cost), looked=verdict.looked)
    second = run_audit(asked, by_power=True, listener=heard)
    phases = _calls_by_phase(verdict.phases, (PhaseCalls("search", glanced),) if glanced else ())
    verdict = _counted(verdict, phases, verdict.seconds, verdict.findings)
    joined = _violated(verdict, second) if second.status is Status.VIOLATED else _failed(verdict, second)
    tell(Finished(joined, shown[-1].pair if joined.status is Status.VIOLATED else None))
    return joined


def _most_apart(question: Question, pairs: tuple[Pair, ...]) -> tuple[tuple[Pair, ...], int]:
    """The pairs on whose datasets calls differ most, and the calls that it took; these count for nothing else."""
    if len(pairs) < 2:
        return pairs, 0
    asked = replace(question, pairs=pairs)
    runner = kept_calls(asked, runner_of(asked))
    try:
        caller = Caller(asked, runner, cast(Numerics, question.limits.numerics), Noticed())
        streams = [question.stream(LEARNER_STREAM, _GLANCE_KEY, number) for number in range(len(asked.datasets))]
        answers = caller.answers([Request(number, GLANCE, stream) for number, stream in enumerate(streams)])
    except LearnerDied:  # the audit that follows says so
        return pairs[:MOST_PAIRS], 0
    finally:
        runner.close()
    counts = [{form: times for form, _, times in counted(answer.values, answer.packed)} for answer in answers]
    apart = [_apart(counts[left], counts[right]) for left, right in asked.dataset_numbers()]
    order = sorted(range(len(pairs)), key=lambda place: -apart[place])
    return tuple(pairs[place] for place in order[:MOST_PAIRS]), GLANCE * len(counts)


def _apart(one: dict[Any, int], other: dict[Any, int]) -> float:
    """The chi-square distance of two counts of equally many answers.

    >>> _apart({"a": 3, "b": 1}, {"a": 1, "b": 3}), _apart({"a": 4}, {"a": 4})
    (2.0, 0.0)
    """
    outputs = one.keys() | other.keys()
    pairs = [(one.get(output, 0), other.get(output, 0)) for output in outputs]
    return sum((left - right) ** 2 / (left + right) for left, right in pairs)


def _by_calls(question: Question, pairs: tuple[Pair, ...], calls: int, seconds: float) -> Question:
    """The same question about the calls alone, on some pairs."""
    return replace(
        question,
        target=replace(question.target, by_calls=True),
        pairs=pairs,
        searched=False,
        shrinking=False,
        max_samples=calls,
        max_seconds=seconds,
    )


def _violated(first: Verdict, second: Verdict) -> Verdict:
    """Calls that refute the claim, behind a law that is not theirs."""
    words = f"{first.failure} The law says nothing of the calls: the claim was audited by separate calls alone"
    return _with(second, first, (Finding(WRONG_LAW, words), *second.findings))


def _failed(first: Verdict, second: Verdict) -> Verdict:
    """A wrong law, and calls that do not refute the claim as far as they were looked at."""
    came = second.failure if second.status is Status.LEARNER_FAILED else f"{second.status}."
    words = (
        f"the claim was audited by {second.samples:,} calls besides, on pairs where they contradict the law, and these "
        f"do not refute it: {came}"
    )
    return _with(first, second, (*first.findings, Finding(WRONG_LAW, words)))


def _with(shown: Verdict, other: Verdict, findings: Sequence[Finding]) -> Verdict:
    """A verdict with the calls and seconds of another one, and these findings."""
    phases = _calls_by_phase(shown.phases, other.phases)
    return _counted(shown, phases, shown.seconds + other.seconds, findings)


def _counted(shown: Verdict, phases: tuple[PhaseCalls, ...], seconds: float, findings: Sequence[Finding]) -> Verdict:
    """A verdict, and its record, with these calls, seconds and findings."""
    samples, kept = sum(phase.calls for phase in phases), tuple(dict.fromkeys(findings))
    record = shown.record
    if record is not None:
        record = replace(record, phases=phases, seconds=seconds, findings=kept)
    return replace(shown, samples=samples, phases=phases, seconds=seconds, findings=kept, record=record)


def _calls_by_phase(*phases: tuple[PhaseCalls, ...]) -> tuple[PhaseCalls, ...]:
    """The calls of phases with one name together, in the order of their first use."""
    counts: dict[str, int] = {}
    for phase in itertools.chain(*phases):
        counts[phase.phase] = counts.get(phase.phase, 0) + phase.calls
    return tuple(PhaseCalls(name, calls) for name, calls in counts.items())
