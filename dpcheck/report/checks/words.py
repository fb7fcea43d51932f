"""Words that the views of checks share."""

from __future__ import annotations

from collections.abc import Sequence

from dpcheck.checks.result import CheckResult, CheckStatus
from dpcheck.model.bounds_shown import at_most
from dpcheck.model.harmless import one_line, printable
from dpcheck.report.checks.finished import Checked, CheckRun, NotChecked, exit_status


def counted(results: Sequence[CheckResult]) -> str:
    """How many results have each status, the worst first.

    >>> counted([CheckResult("check_x", "a", CheckStatus.PASSED, "")])
    '1 passed'
    """
    statuses = [result.status for result in results]
    return ", ".join(f"{statuses.count(status)} {status.value}" for status in CheckStatus if status in statuses)


def name_of(one: Checked | NotChecked) -> str:
    """How reports call the learner, on one line."""
    return one_line(one.target)


def details_of(result: CheckResult) -> str:
    """The paragraph about one result, harmless on a terminal and in XML."""
    return printable(str(result))


def summary_of(run: CheckRun) -> str:
    """The one line about the whole run."""
    exit = exit_status(run)
    learners = f"{len(run.learners)} learner{'' if len(run.learners) == 1 else 's'}"
    troubles = [one.trouble.value for one in run.learners if isinstance(one, NotChecked)]
    said = ", ".join([*([counted(run.results)] if run.results else []), *troubles]) or "nothing to check"
    return (
        f"{learners}: {said}. Probability of any false alarm in this run: at most {at_most(run.level)}. "
        f"Exit status {exit.value} ({exit.words})."
    )
