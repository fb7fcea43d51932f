"""An audit of a learner that declares its law: by the law, and by calls alone where those contradict it.

A wrong law must not switch the audit off. Where calls differ from it the learner has failed; whether the calls
themselves break the claim is then asked of fresh ones, on the pairs where they differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dpcheck.neighbours import Pair
from dpcheck.run.audit import run_audit
from dpcheck.run.events import Finished, Listener, Started
from dpcheck.run.exact import run_exact
from dpcheck.run.question import LEAST_SAMPLES, Question
from dpcheck.verdict import Finding, PhaseCalls, Status, Verdict

#: Most calls of the audit by calls after a law was found wrong: as many as laws are compared with.
MOST_CALLS = 40_000
#: Its finding.
WRONG_LAW = "declared law"


def run_declared(question: Question, *, exhaustive: bool, listener: Listener | None = None) -> Verdict:
    """Answer a question about a learner that declares its law.

    Parameters
    ----------
    question : Question
    exhaustive : bool
        Whether all pairs of the relation's finite domain are asked for.
    listener : callable, optional
        Hears the events of :mod:`dpcheck.run.events`.

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
    tell: Listener = listener if listener is not None else _nobody
    found = run_exact(question, exhaustive=exhaustive, listener=tell)
    verdict = found.verdict
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

    asked = replace(_by_calls(question, found.doubted, calls, seconds), looked=verdict.looked)
    second = run_audit(asked, by_power=True, listener=heard)
    joined = _violated(verdict, second) if second.status is Status.VIOLATED else _failed(verdict, second)
    tell(Finished(joined, shown[-1].pair if joined.status is Status.VIOLATED else None))
    return joined


def _nobody(event: object) -> None:
    """Nobody listens."""


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
        f"the claim was audited by {second.samples:,} separate calls besides, on the pairs where they differ: {came}"
    )
    return _with(first, second, (*first.findings, Finding(WRONG_LAW, words)))


def _with(shown: Verdict, other: Verdict, findings: Sequence[Finding]) -> Verdict:
    """A verdict with the calls and seconds of another one, and these findings."""
    counts: dict[str, int] = {}
    for phase in (*shown.phases, *other.phases):
        counts[phase.phase] = counts.get(phase.phase, 0) + phase.calls
    phases = tuple(PhaseCalls(name, calls) for name, calls in counts.items())
    seconds, kept = shown.seconds + other.seconds, tuple(dict.fromkeys(findings))
    record = shown.record
    if record is not None:
        record = replace(record, phases=phases, seconds=seconds, findings=kept)
    samples = shown.samples + other.samples
    return replace(shown, samples=samples, phases=phases, seconds=seconds, findings=kept, record=record)
