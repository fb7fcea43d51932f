"""What to do after the checks of a learner, as commands to copy."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from dpcheck.checks.result import CheckResult, CheckStatus
from dpcheck.model.verdict.next_steps import command_line, two_digits
from dpcheck.report.checks.finished import Checked, CheckRun

#: The check that is the audit of the same command line; others look at pairs that it need not try.
AUDIT = "check_privacy_of_the_claim"
_OF_CHECKS = ("--only", "--expected-failure")
#: What too few calls are multiplied by where nobody foretold how many it takes: the size that would have been caught
#: falls with their square root.
_MORE = 4


def next_steps(run: CheckRun, one: Checked) -> tuple[str, ...]:
    """The first thing first, each in one line that ends with a command; none for checks asked for from Python.

    Examples
    --------
    >>> from dpcheck.checks.result import CheckResult
    >>> failed = CheckResult(AUDIT, "a.py:b", CheckStatus.FAILED, "the claim is broken")
    >>> argv = ("dpcheck", "check", "a.py:b", "--epsilon", "1", "--only", "duplicates")
    >>> for step in next_steps(CheckRun((), argv), Checked("a.py:b", (failed,))):
    ...     print(step)
    to see the event and how large the loss is: dpcheck audit a.py:b --epsilon 1
    to run again what failed, alone: dpcheck check a.py:b --epsilon 1 --only privacy_of_the_claim
    """
    typed = command_line(run.argv)
    if typed is None:
        return ()
    if one.interrupted:
        return (f"it was interrupted; to run all: {typed.changed(one.target, {})}",)
    steps = []
    failed = [result.check for result in one.results if result.status is CheckStatus.FAILED]
    # a learner that died has shown no event
    if any(result.check == AUDIT and not result.learner_failed for result in one.results if result.check in failed):
        audit = typed.changed(one.target, {}, command="audit", drop=_OF_CHECKS)
        steps.append(f"to see the event and how large the loss is: {audit}")
    if failed:
        steps.append(
            f"to run again what failed, alone: {typed.changed(one.target, {}, drop=('--only',))}{_only(failed)}"
        )
    undecided = [result for result in one.results if result.status is CheckStatus.INCONCLUSIVE]
    if undecided:
        calls, seconds, foretold = _budget(run, undecided)
        limits = {"--max-samples": f"{calls}", "--max-seconds": f"{seconds:.15g}"}
        more = typed.changed(one.target, limits, drop=("--only",))
        given = "the calls that they take" if foretold else f"{_MORE} times the calls and seconds"
        steps.append(f"to give the undecided {given}: {more}{_only([result.check for result in undecided])}")
    return tuple(steps)


def _budget(run: CheckRun, undecided: Sequence[CheckResult]) -> tuple[int, float, bool]:
    """The calls and seconds that let all of them decide, and whether each audit among them foretold its calls.

    A check shares its calls among the audits that it makes, so that the calls of all grow as those of one must.
    """
    times, seconds, foretold = 1.0, run.max_seconds, True
    for result in undecided:
        verdict = result.evidence
        if verdict is None or verdict.record is None or not verdict.calls_needed:
            times, seconds, foretold = max(times, _MORE), max(seconds, _MORE * run.max_seconds), False
            continue
        times = max(times, verdict.calls_needed / verdict.record.max_samples)
        each = max(verdict.seconds_per_call, verdict.seconds / max(verdict.samples, 1))
        seconds = max(seconds, float(two_digits(2.0 * verdict.calls_needed * each)))
    return max(run.max_samples, two_digits(times * run.max_samples)), seconds, foretold


def _only(checks: list[str]) -> str:
    return "".join(f" --only {shlex.quote(name.removeprefix('check_'))}" for name in checks)
