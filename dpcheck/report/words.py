"""Words that several views share."""

from __future__ import annotations

import math

from dpcheck.model.bounds_shown import at_most
from dpcheck.model.harmless import one_line, printable
from dpcheck.model.verdict import Status
from dpcheck.model.verdict.next_steps import part_of_outputs
from dpcheck.report.exit_status import Exit, exit_of, exit_status
from dpcheck.report.finished import Audited, NotAudited, Run


def name_of(result: Audited | NotAudited) -> str:
    """How reports call the result's target, on one line."""
    return one_line(result.target)


def status_of(result: Audited | NotAudited) -> str:
    """The verdict's status, or the trouble that took its place."""
    return result.verdict.status.value if isinstance(result, Audited) else result.trouble.value


def said_of(result: Audited | NotAudited) -> str:
    """One phrase: the status, and whether it is the expected one."""
    status = status_of(result)
    exit = exit_of(result)
    if isinstance(result, NotAudited):
        return status
    if exit is Exit.NOT_AS_EXPECTED:
        return f"{status}, but expected: {result.expected.value}"
    if exit is Exit.AS_EXPECTED and result.verdict.status is Status.INCONCLUSIVE:
        return f"{status}, which is allowed here"
    return f"{status}, as expected" if exit is Exit.AS_EXPECTED else status


def would_have_caught(result: Audited) -> float | None:
    """The loss that would have been caught; None where there is nothing to say: it was caught, or none would be."""
    verdict = result.verdict
    says = verdict.status in (Status.NO_VIOLATION_FOUND, Status.INCONCLUSIVE)
    return verdict.detectable_epsilon if says and math.isfinite(verdict.detectable_epsilon) else None


def briefly(result: Audited) -> str:
    """What a result that is as expected rests on, in a few words: of a clean one, the loss it would have caught."""
    caught = would_have_caught(result)
    if caught is None or result.verdict.status is not Status.NO_VIOLATION_FOUND:
        return said_of(result)
    alike = any(finding.kind == "one output" for finding in result.verdict.findings)
    words = f"would have caught a privacy loss of {caught:.3g} in {part_of_outputs(result.verdict.detectable_coverage)}"
    return words + (", but every output was the same" if alike else "")


def details_of(result: Audited | NotAudited) -> str:
    """The paragraph a person reads about one result."""
    if isinstance(result, NotAudited):
        return printable(f"{result.target}: {result.trouble.value.upper()}\n{result.problem}")
    return printable(str(result.verdict))


def summary_of(run: Run) -> str:
    """The one line about the whole run: how many of each status, the summed level, the exit status."""
    statuses = [status_of(result) for result in run.results]
    counted = ", ".join(f"{statuses.count(status)} {status}" for status in dict.fromkeys(statuses))
    exit = exit_status(run)
    targets = f"{len(statuses)} target{'' if len(statuses) == 1 else 's'}"
    return (
        f"{targets}: {counted or 'nothing to check'}. Where all claims hold, one is called "
        f"violated with probability at most {at_most(run.level)}. Exit status {exit.value} ({exit.words})."
    )
