"""A comparison as Markdown, for a pull request's comment or a CI job's step summary."""

from __future__ import annotations

from dpcheck.history.comparisons import Comparison
from dpcheck.model.harmless import one_line
from dpcheck.report.comparison import (
    details_of_compared,
    exit_of_compared,
    ordered,
    summary_of_comparison,
    word_of,
)
from dpcheck.report.exit_status import Exit
from dpcheck.report.inert_markdown import as_cell

_HEADER = "| learner | quantity | verdict | before | now | p |"
_RULE = "| --- | --- | --- | ---: | ---: | ---: |"


def render(comparison: Comparison) -> str:
    """A table of all quantities, and the sentences of what is not as expected.

    >>> print(render(Comparison((), 1e-6, 0)).splitlines()[0])
    ## dpcheck compare
    """
    lines = ["## dpcheck compare", "", one_line(summary_of_comparison(comparison)), ""]
    if comparison.results:
        lines += [_HEADER, _RULE]
    for result in comparison.results:
        if not result.changes:
            lines.append(_row(result.name, "", word_of(result), "", "", ""))
        for change in ordered(result):
            values = [_number(value) for value in (change.before, change.now, change.p_value)]
            lines.append(_row(result.name, change.quantity, change.kind.value, *values))
    lines.append("")
    for result in comparison.results:
        if exit_of_compared(result, comparison) is not Exit.AS_EXPECTED:
            lines += [f"- {as_cell(part)}" for part in details_of_compared(result, comparison.path).splitlines()]
    return "\n".join(lines).rstrip("\n") + "\n"


def _row(*cells: str) -> str:
    return f"| {' | '.join(as_cell(cell) for cell in cells)} |"


def _number(value: float) -> str:
    return "" if value != value else f"{value:.4g}"
