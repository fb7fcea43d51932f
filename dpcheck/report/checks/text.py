"""What a person reads on a terminal: a line for each check, a paragraph for each that is not as expected."""

from __future__ import annotations

from dpcheck.checks.result import CheckResult, CheckStatus
from dpcheck.model.harmless import one_line, printable
from dpcheck.model.option_words import as_options, by_command
from dpcheck.model.verdict.descriptions import steps_in_words
from dpcheck.report.checks.finished import Checked, CheckRun, NotChecked
from dpcheck.report.checks.next_steps import next_steps
from dpcheck.report.checks.words import counted, name_of, summary_of

# Names are as wide as this, nearly all of them.
_NAME_WIDTH = 44
_STATUS_WIDTH = max(len(status.value) for status in CheckStatus)


def render(run: CheckRun) -> str:
    """Each learner with its checks, and a line about all of them.

    >>> render(CheckRun(())).splitlines()[0][:28]
    '0 learners: nothing to check'
    """
    return "\n\n".join([*(paragraph(one, run) for one in run.learners), summary_of(run)]) + "\n"


def paragraph(one: Checked | NotChecked, run: CheckRun) -> str:
    """One learner of a run: its checks, and the commands to go on with."""
    if isinstance(one, NotChecked):
        return printable(f"{one.target}: {one.trouble.value.upper()}\n{one.problem}")
    ended = "; interrupted, the rest was not run" if one.interrupted else ""
    steps = steps_in_words(next_steps(run, one))
    head = f"{name_of(one)}: {counted(one.results) or 'no check was run'}{ended}"
    lines = [line(result) for result in one.results]
    if by_command(run.argv):
        lines = [as_options(each) for each in lines]
    return "\n".join([head, *lines, *map(printable, steps)])


def line(result: CheckResult) -> str:
    """One check: status, name, sentence; what to do below it where it is not as expected."""
    shown = f"  {result.status.value:<{_STATUS_WIDTH}}  {result.check:<{_NAME_WIDTH}}  {one_line(result.sentence)}"
    if result.expected and result.status is CheckStatus.EXPECTED_FAILURE:
        return f"{shown} (expected: {one_line(result.expected)})"
    if not result.status.as_expected and result.hint:
        return f"{shown}\n  {'':<{_STATUS_WIDTH}}  what to do: {one_line(result.hint)}"
    return shown
