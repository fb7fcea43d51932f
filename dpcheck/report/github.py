"""GitHub: an annotation per target that needs attention; the step summary is the Markdown view."""

from __future__ import annotations

import os
from pathlib import Path

from dpcheck.model.disk import append
from dpcheck.model.harmless import one_line, printable
from dpcheck.model.verdict import Status
from dpcheck.report.exit_status import Exit, exit_of
from dpcheck.report.finished import Audited, NotAudited, Run
from dpcheck.report.markdown import render as render_markdown
from dpcheck.report.words import details_of, name_of, said_of, summary_of

# GitHub refuses a step summary of more than 1 MiB (docs: "Step isolation and limits").
STEP_SUMMARY_BYTES = 1024 * 1024
_CUT = "\n\n(cut here: GitHub takes no more than 1 MiB)\n"


def render(run: Run) -> str:
    """The annotations, and a last line that is the run's summary.

    >>> print(render(Run(())), end="")
    ::error title=dpcheck::0 targets: nothing to check. Where all claims hold, one is called violated with probability at most 0. Exit status 5 (nothing to check).
    """  # noqa: E501  (a workflow command is one line)
    if not run.results:
        return f"::error title=dpcheck::{_data(summary_of(run))}\n"
    lines = [
        f"::{level} {_where(result)}title={_property(f'dpcheck: {name_of(result)}')}::"
        f"{_data(said_of(result) + chr(10) + details_of(result))}"
        for result in run.results
        if (level := _level(result)) is not None
    ]
    return "\n".join([*lines, one_line(summary_of(run))]) + "\n"


def append_step_summary(run: Run) -> None:
    """Append the step summary to the file that ``$GITHUB_STEP_SUMMARY`` names, where it names one."""
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        append(Path(summary), step_summary(run) + "\n")


def step_summary(run: Run) -> str:
    """The Markdown that belongs into the file ``$GITHUB_STEP_SUMMARY`` names, within GitHub's limit."""
    text = render_markdown(run)
    encoded = text.encode()
    if len(encoded) <= STEP_SUMMARY_BYTES:
        return text
    return encoded[: STEP_SUMMARY_BYTES - len(_CUT.encode())].decode(errors="ignore") + _CUT


def _level(result: Audited | NotAudited) -> str | None:
    if exit_of(result) is not Exit.AS_EXPECTED:
        return "error"
    inconclusive = isinstance(result, Audited) and result.verdict.status is Status.INCONCLUSIVE
    return "warning" if inconclusive else None


def _where(result: Audited | NotAudited) -> str:
    """The place of an annotation in the sources, where there is one."""
    place = result.location
    return "" if place is None else f"file={_property(printable(place.file))},line={place.line},"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
