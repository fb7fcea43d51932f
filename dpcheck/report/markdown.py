"""Markdown, for a pull request's comment or a CI job's step summary."""

from __future__ import annotations

import re
from html import escape

from dpcheck.model.bounds_shown import at_least
from dpcheck.model.claims import CurveClaim, parameter_of
from dpcheck.model.harmless import one_line
from dpcheck.model.verdict import Status, Verdict
from dpcheck.report.exit_status import Exit, exit_of
from dpcheck.report.finished import Audited, NotAudited, Run
from dpcheck.report.inert_markdown import as_cell
from dpcheck.report.words import details_of, name_of, said_of, summary_of, would_have_caught

_HEADER = "| target | claim | verdict | epsilon above | would have caught | calls | seconds |"
_RULE = "| --- | --- | --- | ---: | ---: | ---: | ---: |"


def render(run: Run) -> str:
    """A table of all results, and the details of those that are not as expected unfolded.

    >>> print(render(Run(())).splitlines()[0])
    ## dpcheck
    """
    lines = ["## dpcheck", "", one_line(summary_of(run)), ""]
    if run.results:
        lines += [_HEADER, _RULE, *(_row(result) for result in run.results), ""]
    for result in run.results:
        opened = "" if exit_of(result) is Exit.AS_EXPECTED else " open"
        fence = _fence(details_of(result))
        lines += [
            f"<details{opened}><summary>{_html(name_of(result))}: {_html(said_of(result))}</summary>",
            "",
            fence + "text",
            details_of(result),
            fence,
            "",
            "</details>",
            "",
        ]
    return "\n".join(lines)


def _row(result: Audited | NotAudited) -> str:
    cells = [name_of(result), "", said_of(result), "", "", "", ""]
    if isinstance(result, Audited):
        verdict = result.verdict
        cells[1] = str(verdict.claim)
        cells[5:] = [f"{verdict.samples:,}", f"{verdict.seconds:.1f}"]
        if verdict.status is not Status.LEARNER_FAILED:
            caught = would_have_caught(result)
            cells[3:5] = [_above(verdict), "" if caught is None else f"{caught:.3g}"]
    return f"| {' | '.join(as_cell(cell) for cell in cells)} |"


def _above(verdict: Verdict) -> str:
    """The certified bound; a claim of another unit has its own, with its name."""
    if not isinstance(verdict.claim, CurveClaim):
        return at_least(verdict.epsilon_lower, ".4g")
    return f"{parameter_of(verdict.claim)[0]} {at_least(verdict.parameter_lower, '.4g')}"


def _html(text: str) -> str:
    """Text inside an element: there Markdown is not read, so that its escapes would be none."""
    return escape(one_line(text))


def _fence(content: str) -> str:
    longest = max((len(run) for run in re.findall("`+", content)), default=0)
    return "`" * max(3, longest + 1)
