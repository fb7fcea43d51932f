"""What to do after the checks of a learner, as commands to copy."""

from __future__ import annotations

import shlex

from dpcheck.checks.result import CheckStatus
from dpcheck.model.verdict.next_steps import command_line
from dpcheck.report.checks.finished import Checked, CheckRun

#: The check that is the audit of the same command line; others look at pairs that it need not try.
AUDIT = "check_privacy_of_the_claim"
_OF_CHECKS = ("--only", "--expected-failure")
#: What too few calls are multiplied by: the size that would have been caught falls with their square root.
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
    undecided = [result.check for result in one.results if result.status is CheckStatus.INCONCLUSIVE]
    if undecided:
        limits = {
            "--max-samples": f"{_MORE * run.max_samples}",
            "--max-seconds": f"{_MORE * run.max_seconds:.15g}",
        }
        more = typed.changed(one.target, limits, drop=("--only",))
        steps.append(f"to give the undecided {_MORE} times the calls and seconds: {more}{_only(undecided)}")
    return tuple(steps)


def _only(checks: list[str]) -> str:
    return "".join(f" --only {shlex.quote(name.removeprefix('check_'))}" for name in checks)
