"""Markdown: a table for each learner, the details of what is not as expected unfolded."""

from __future__ import annotations

from dpcheck.report.checks.finished import Checked, CheckRun, NotChecked
from dpcheck.report.checks.words import counted, name_of, summary_of
from dpcheck.report.inert_markdown import as_cell

_HEADER = "| check | status | what was found | level | calls | seconds |"
_RULE = "| --- | --- | --- | ---: | ---: | ---: |"


def render(run: CheckRun) -> str:
    """The summary, and a table for each learner.

    >>> print(render(CheckRun(())).splitlines()[0])
    ## dpcheck: checks
    """
    lines = ["## dpcheck: checks", "", as_cell(summary_of(run)), ""]
    for one in run.learners:
        lines += _learner(one)
    return "\n".join(lines)


def _learner(one: Checked | NotChecked) -> list[str]:
    if isinstance(one, NotChecked):
        return [f"### {as_cell(name_of(one))}: {one.trouble.value}", "", as_cell(one.problem), ""]
    ended = " (interrupted)" if one.interrupted else ""
    lines = [f"### {as_cell(name_of(one))}: {counted(one.results) or 'no check was run'}{ended}", "", _HEADER, _RULE]
    for result in one.results:
        said = result.sentence if result.status.as_expected or not result.hint else f"{result.sentence}. {result.hint}"
        level = f"{result.level:g}" if result.level else ""
        cells = [result.check, result.status.value, said, level, f"{result.calls:,}", f"{result.seconds:.1f}"]
        lines.append(f"| {' | '.join(map(as_cell, cells))} |")
    return [*lines, ""]
