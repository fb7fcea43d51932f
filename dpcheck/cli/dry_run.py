"""``--dry-run``: what would be run, as text or JSON; nothing is audited."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from dpcheck.model.errors import InvalidArgument
from dpcheck.model.harmless import printable
from dpcheck.report.exit_status import FIRST_THAT_APPLIES, Exit
from dpcheck.report.formats import JSON, TEXT

if TYPE_CHECKING:
    from dpcheck.model.learner import Target
    from dpcheck.privacy.run.limits import Limits
    from dpcheck.privacy.run.preview import Preview
    from dpcheck.privacy.run.question import Question

SCHEMA = "dpcheck-dry-run/1"


def plain_format(format: str, *, typed: bool, why: str) -> bool:
    """Whether JSON is wanted rather than text, of what has only these two forms.

    Raises
    ------
    InvalidArgument
        When another format was typed; one in settings is that of audits, and text serves.
    """
    if typed and format not in (TEXT.name, JSON.name):
        raise InvalidArgument(f"--format {why} must be text or json, got {format}")
    return format == JSON.name


def show_audits(
    asking: Sequence[tuple[str, Callable[[], Question]]],
    *,
    as_json: bool,
    output: Path | None,
    json_file: Path | None,
    traceback: bool,
) -> NoReturn:
    """Show what the audits of several targets would run, and end the command.

    The exit status is 0, or what stands in the way of an audit: 2 for a target that cannot be audited as asked, 4
    for a learner that hangs or dies in its first calls, 5 for no target.

    Parameters
    ----------
    asking : sequence of names and functions
        Each function finds a target, checks what is asked of it, and returns the question.
    as_json : bool
        JSON rather than text.
    output, json_file : Path, optional
        Where the document goes instead of standard output; where the JSON goes as well.
    traceback : bool
        Whether errors are shown with their tracebacks.
    """
    from dpcheck.cli.documents import hand_out
    from dpcheck.cli.failures import complain, exit_of_trouble, print_traceback, trouble_of
    from dpcheck.cli.nothing_given import nothing_to_check
    from dpcheck.cli.page_width import page_width
    from dpcheck.privacy.run.preview import preview

    if not asking:
        complain(nothing_to_check("dpcheck audit mylearner.py:Learner"))
    statuses = [Exit.AS_EXPECTED] if asking else [Exit.NOTHING_TO_CHECK]
    shown: list[Preview] = []
    problems: list[dict[str, str]] = []
    for name, ask in asking:
        try:
            shown.append(preview(ask()))
        except Exception as error:
            if traceback:
                print_traceback(error)
            trouble, line = trouble_of(error)
            complain(line if name in line or len(asking) == 1 else f"{name}: {line}")
            problems.append({"target": name, "problem": line})
            statuses.append(exit_of_trouble(trouble))
    statuses += [Exit.LEARNER_FAILED for one in shown if one.failure]
    status = next(exit for exit in FIRST_THAT_APPLIES if exit in statuses)
    document = _document(shown, problems, status)
    hand_out(
        lambda: document if as_json else _text(shown, page_width() if output is None else None),
        output,
        ("--json", json_file, lambda: document),
        words=not as_json,
    )
    raise typer.Exit(status)


def show_measurement(
    target: Target, arguments: dict[str, Any], limits: Limits, delta: float, *, json_file: Path | None
) -> NoReturn:
    """Show what a measurement would run, and end the command with 0, or 4 for a learner that fails at once."""
    from dpcheck.cli.documents import hand_out
    from dpcheck.cli.page_width import page_width
    from dpcheck.privacy.run.measure import parts_of
    from dpcheck.privacy.run.preview import preview
    from dpcheck.privacy.run.question import ask

    question = ask(target, None, measuring=True, small=True, limits=limits, **arguments)
    if not 0.0 <= delta < 1.0:
        raise InvalidArgument(f"delta must be a probability of at least 0 and below 1, got {delta!r}")
    found = preview(question, delta=delta, pairs_of_budget=lambda calls, pairs: parts_of(calls, pairs)[1])
    status = Exit.LEARNER_FAILED if found.failure else Exit.AS_EXPECTED
    hand_out(
        lambda: _text([found], page_width()),
        None,
        ("--json", json_file, lambda: _document([found], [], status)),
        words=True,
    )
    raise typer.Exit(status)


def _text(shown: Sequence[Preview], width: int | None) -> str:
    from dpcheck.privacy.run.power_analysis import PAGE
    from dpcheck.privacy.run.preview import describe_preview

    return "\n\n".join(printable(describe_preview(one, width or PAGE)) for one in shown) + "\n" if shown else ""


def _document(shown: Sequence[Preview], problems: list[dict[str, str]], status: Exit) -> str:
    document = {
        "schema": SCHEMA,
        "argv": ["dpcheck", *sys.argv[1:]],
        "exit_status": int(status),
        "targets": [one.as_data() for one in shown],
        "problems": problems,
    }
    return json.dumps(document, indent=1, ensure_ascii=True, allow_nan=False) + "\n"
