"""Markdown: a table for each learner, the details of what is not as expected unfolded."""

from __future__ import annotations

import re

from dpcheck.model.harmless import one_line
from dpcheck.report.checks.finished import Checked, CheckRun, NotChecked
from dpcheck.report.checks.words import counted, name_of, summary_of

_HEADER = "| check | status | what was found | level | calls | seconds |"
_RULE = "| --- | --- | --- | ---: | ---: | ---: |"
# What Markdown or the HTML inside it would act on, in a cell of a table.
_ACTIVE = re.compile(r"([\\`*_\[\]<>|~&#!@])")


def render(run: CheckRun) -> str:
    """The summary, and a table for each learner.

    >>> print(render(CheckRun(())).splitlines()[0])
    ## dpcheck: checks
    """
    lines = ["## dpcheck: checks", "", cell(summary_of(run)), ""]
    for one in run.learners:
        lines += _learner(one)
    return "\n".join(lines)


def _learner(one: Checked | NotChecked) -> list[str]:
    if isinstance(one, NotChecked):
        return [f"### {cell(name_of(one))}: {one.trouble.value}", "", cell(one.problem), ""]
    ended = " (interrupted)" if one.interrupted else ""
    lines = [f"### {cell(name_of(one))}: {counted(one.results) or 'no check was run'}{ended}", "", _HEADER, _RULE]
    for result in one.results:
        said = result.sentence if result.status.as_expected or not result.hint else f"{result.sentence}. {result.hint}"
        level = f"{result.level:g}" if result.level else ""
        cells = [result.check, result.status.value, said, level, f"{result.calls:,}", f"{result.seconds:.1f}"]
        lines.append(f"| {' | '.join(map(cell, cells))} |")
    return [*lines, ""]


def cell(text: str) -> str:
    """Text that Markdown shows as it is, on one line.

    >>> cell("a|b")
    'a\\\\|b'
    """
    return _ACTIVE.sub(r"\\\1", one_line(text))
