"""``dpcheck zoo``: the mechanisms with a known answer, and whether the audit knows it too."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpcheck.cli import options as opt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dpcheck.verdict import Verdict
    from dpcheck.zoo.entry import Entry

ALPHA = 1e-6
# A dozen entries are judged while a person waits; each of them is fast, and its defect large.
MAX_SAMPLES = 200_000
MAX_SECONDS = 20.0


def zoo(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME...", help="Entries; all by default.", show_default=False),
    ] = None,
    run: Annotated[bool, typer.Option("--run", help="Audit them, and say whether each verdict is right.")] = False,
    alpha: opt.Alpha = ALPHA,
    max_samples: opt.MaxSamples = MAX_SAMPLES,
    max_seconds: opt.MaxSeconds = MAX_SECONDS,
    isolation: opt.IsolationOption = opt.Isolation.NONE,
    jobs: opt.Jobs = 1,
    seed: opt.Seed = 0,
    format: opt.FormatOption = opt.Format.TEXT,
    output: opt.Output = None,
    json_file: opt.JsonFile = None,
    quiet: opt.Quiet = False,
    traceback: opt.Traceback = False,
) -> None:
    """List the zoo: correct and broken mechanisms with their true privacy loss.

    With --run each is audited; the exit status is 0 when every broken one is violated and no correct one is.
    """
    from dpcheck.cli.zoo_targets import zoo_entries

    entries = zoo_entries(names or [])
    if not run:
        _print_table(entries)
        return
    from functools import partial

    from dpcheck.cli.display import display
    from dpcheck.cli.documents import check_writable, finish, teller
    from dpcheck.cli.running import Job, run_jobs
    from dpcheck.reporting.finished import Run
    from dpcheck.verdict import Status

    check_writable("--output", output)
    check_writable("--json", json_file)
    effort: dict[str, Any] = {
        "alpha": alpha,
        "max_samples": max_samples,
        "max_seconds": max_seconds,
        "isolation": isolation.value,
        "jobs": jobs,
        "seed": seed,
    }
    with display(quiet=quiet) as listener:
        told = teller(format, output, listener)
        results = run_jobs(
            [
                Job(
                    f"zoo:{entry.name}",
                    partial(_prepared, entry, {**effort, "on_event": listener}),
                    Status.NO_VIOLATION_FOUND if entry.correct else Status.VIOLATED,
                )
                for entry in entries
            ],
            traceback=traceback,
            listener=listener,
            told=told,
        )
    finish(
        Run(results, ("dpcheck", *sys.argv[1:]), seed),
        told,
        format=format,
        output=output,
        json_file=json_file,
    )


def _prepared(entry: Entry, effort: dict[str, Any]) -> Callable[[], Verdict]:
    from functools import partial

    from dpcheck.cli.zoo_targets import resolved_entry
    from dpcheck.run.audit import audit as run_audit

    found = resolved_entry(entry)
    return partial(run_audit, found.target, found.claim, neighbours=found.relation, pairs=found.pairs, **effort)


def _print_table(entries: Sequence[Entry]) -> None:
    from rich.table import Table
    from rich.text import Text

    from dpcheck.claims import claim_point
    from dpcheck.cli.documents import show_drawn

    table = Table(title="The zoo: mechanisms with a known answer", caption="Audit one: dpcheck audit zoo:NAME")
    table.add_column("name", overflow="fold")
    table.add_column("is", no_wrap=True)
    table.add_column("claim", no_wrap=True)
    table.add_column("true epsilon", justify="right", no_wrap=True)
    previous = True
    for entry in entries:
        if previous and not entry.correct:
            table.add_section()
        previous = entry.correct
        _, delta = claim_point(entry.claim)
        true = max(entry.truth(pair, delta) for pair in entry.pairs)
        name = Text(entry.name)
        if entry.defect:
            name.append(f"\n  {entry.defect}", style="dim")
        table.add_row(
            name,
            Text("correct", style="green") if entry.correct else Text("broken", style="red"),
            str(entry.claim),
            "infinite" if math.isinf(true) else f"{true:.3f}",
        )
    show_drawn(table)
