"""``dpcheck history``: what every ``record`` and ``compare`` on this machine found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpcheck.cli import baseline_files as files
from dpcheck.cli import options as opt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from dpcheck.history.store import Row

# Where no terminal says how wide it is.
_FILE_WIDTH = 160
SCHEMA = "dpcheck-history/1"


def history(
    learner: Annotated[
        str | None, opt.argument("LEARNER", "Its runs only; those of all learners by default."), opt.NO_SETTING
    ] = None,
    history: Annotated[
        Path, opt.option(opt.RESULT, "The history.", "--history", metavar="FILE", shown=True), opt.A_FILE
    ] = files.HISTORY,
    limit: Annotated[
        int, opt.whole(opt.RESULT, "The latest runs only; on a page those of each learner.", shown=True)
    ] = 50,
    as_json: Annotated[bool, opt.flag(opt.RESULT, "JSON instead of a table.", "--json"), opt.NO_SETTING] = False,
    plot: Annotated[
        Path | None,
        opt.option(
            opt.RESULT,
            "Draw the runs over commits (needs dpcheck[plot]); of several learners a file each.",
            metavar="FILE.svg",
        ),
        opt.A_FILE,
    ] = None,
    page: Annotated[
        Path | None,
        opt.option(
            opt.RESULT,
            "Write a page: which learners have to be looked into, since when, what to do, and their numbers by run.",
            metavar="FILE.html",
        ),
        opt.A_FILE,
    ] = None,
    traceback: opt.Traceback = False,
) -> None:
    """Show what dpcheck record and dpcheck compare found, run by run, and draw it over commits."""
    from dpcheck.cli.documents import check_writable, put, show_drawn, write_document
    from dpcheck.cli.failures import complain
    from dpcheck.cli.file_names import check_database
    from dpcheck.cli.measure_command import check_plot
    from dpcheck.history.store import Store
    from dpcheck.model.errors import InvalidArgument, nearest
    from dpcheck.report.exit_status import Exit

    if limit < 1:
        raise InvalidArgument(f"--limit must be at least 1, got {limit}")
    check_plot(plot)
    check_writable("--page", page)
    if page is not None and page.suffix.lower() not in (".html", ".htm"):
        raise InvalidArgument(f"--page must be a file that ends in .html, got {str(page)!r}")
    file = files.placed(history)
    check_database("--history", file)
    if not file.is_file():
        complain(f"nothing to show: there is no history {file}; dpcheck record and dpcheck compare write it")
        raise typer.Exit(Exit.NOTHING_TO_CHECK)
    with Store(file, to_read=True) as store:
        known = store.learners()
        if learner is not None and learner not in known:
            hint = nearest(learner, known) or f"; it has {', '.join(known)}"
            raise InvalidArgument(f"learner must be one of those in history {file}, got {learner!r}{hint}")
        rows = store.rows(learner, limit)
        whole = [] if page is None else store.rows(learner)
    if not rows:
        complain(f"nothing to show: history {file} holds no runs")
        raise typer.Exit(Exit.NOTHING_TO_CHECK)
    if as_json:
        put(_document(rows))
    else:
        show_drawn(_table(rows), least_width=_FILE_WIDTH)
    if page is not None:
        from dpcheck.report.nights_page import nights_page

        write_document("--page", page, nights_page(_latest(whole, limit), str(file)))
    if plot is not None:
        from dpcheck.history.rows import history_figure
        from dpcheck.model.verdict.plots import as_svg

        names = list(dict.fromkeys(row.learner for row in rows))
        for number, name in enumerate(names, start=1):
            path = plot if len(names) == 1 else plot.with_stem(f"{plot.stem}-{number}")
            own = [row for row in rows if row.learner == name]
            if any(row.quantities for row in own):
                write_document("--plot", path, as_svg(history_figure(name, own)))


def _latest(rows: Sequence[Row], limit: int) -> list[Row]:
    """The latest rows of each learner, in their order."""
    left: dict[str, int] = {}
    kept = []
    for row in reversed(rows):
        left[row.learner] = left.get(row.learner, limit) - 1
        if left[row.learner] >= 0:
            kept.append(row)
    return kept[::-1]


def _table(rows: Sequence[Row]) -> Table:
    from rich.table import Table
    from rich.text import Text

    from dpcheck.model.harmless import one_line

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("time", "commit", "command", "learner", "verdict", "quantities"):
        table.add_column(column, overflow="fold", no_wrap=column in ("time", "commit"))
    colours = {"worse": "red", "changed": "red", "failed": "red", "better": "green"}
    for row in rows:
        commit = row.commit[:10] + ("+" if row.dirty else "")
        numbers = ", ".join(f"{name} {value:.4g}" for name, value in row.quantities.items())
        cells = [row.at, commit, row.command, row.learner, row.verdict, numbers]
        shown = [Text(one_line(cell)) for cell in cells]
        shown[4].stylize(colours.get(row.verdict, ""))
        table.add_row(*shown)
    return table


def _document(rows: Sequence[Row]) -> str:
    import json
    from dataclasses import asdict

    document: dict[str, Any] = {"schema": SCHEMA, "rows": [asdict(row) for row in rows]}
    return json.dumps(document, indent=1, ensure_ascii=True, allow_nan=False) + "\n"
