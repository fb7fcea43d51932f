"""What a person reads on a terminal: a paragraph per target, and a line about all of them."""

from __future__ import annotations

from dpcheck.model.verdict import Status
from dpcheck.report.finished import Run
from dpcheck.report.words import details_of, name_of, said_of, summary_of


def render(run: Run) -> str:
    """Each verdict as a paragraph; with several targets or a special expectation, a summary of all of them.

    >>> render(Run(()))
    '0 targets: nothing to check. Where all claims hold, one is called violated with probability at most 0. Exit status 5 (nothing to check).\\n'
    """  # noqa: E501  (a doctest cannot break its line)
    return "\n\n".join([*map(details_of, run.results), closing(run)]) + "\n"


def closing(run: Run) -> str:
    """What stands below the paragraphs: a line per target when there are several, and one about all of them."""
    lines = [summary_of(run)]
    if len(run.results) > 1:
        width = max(len(name_of(result)) for result in run.results)
        lines = [f"{name_of(result):<{width}}  {said_of(result)}" for result in run.results] + lines
    elif any(result.expected is not Status.NO_VIOLATION_FOUND for result in run.audited):
        lines = [f"Expected: {run.audited[0].expected.value}.", *lines]
    return "\n".join(lines)
