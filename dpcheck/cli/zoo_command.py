"""``dpcheck zoo``: the mechanisms with a known answer, and whether the audit knows it too."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpcheck.cli import completion
from dpcheck.cli import options as opt
from dpcheck.model.bounds_shown import at_least
from dpcheck.report.formats import TEXT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from dpcheck.parts.zoo.entry import Entry
    from dpcheck.report.finished import Audited, NotAudited

ALPHA = 1e-6
# Calls are what ends an entry's audit: the clock is for a machine that is ten times busier than it should be.
MAX_SECONDS = 600.0
# Names are long and say the defect; a log is as wide as it needs.
FILE_WIDTH = 130
#: They say how entries are audited and what is written of it: nothing reads them where entries are only listed.
OF_AN_AUDIT = ("output", "json_file", "format", "jobs", "alpha", "max_samples", "max_seconds", "isolation", "seed")


def zoo(
    context: typer.Context,
    names: Annotated[
        list[str] | None, opt.argument("NAME...", "Entries; all by default.", completion.zoo), opt.NO_SETTING
    ] = None,
    audit: Annotated[
        bool, opt.flag(None, "Audit them, and say whether each verdict is right.", "--audit", "--run")
    ] = False,
    alpha: opt.Alpha = ALPHA,
    max_samples: Annotated[
        int | None,
        opt.whole(opt.BUDGET, "At most this many calls of each entry; what the entry needs by default.", "CALLS"),
    ] = None,
    max_seconds: opt.MaxSeconds = MAX_SECONDS,
    isolation: opt.IsolationOption = opt.Isolation.NONE,
    jobs: opt.Jobs = 1,
    seed: opt.Seed = 0,
    format: opt.FormatOption = TEXT.name,
    output: opt.Output = None,
    json_file: opt.JsonFile = None,
    quiet: opt.Quiet = False,
    traceback: opt.Traceback = False,
) -> None:
    """List the zoo: correct and broken mechanisms with their true privacy loss.

    With --audit each is audited, --jobs of them at a time; the exit status is 0 when every broken one is violated and
    no correct one is.
    """
    from dpcheck.cli.nothing_given import refuse_unread
    from dpcheck.cli.settings import typed_options
    from dpcheck.cli.zoo_targets import zoo_entries

    entries = zoo_entries(names or [])
    if not audit:
        refuse_unread(typed_options(context), OF_AN_AUDIT, needs="--audit")
        _print(_listed(entries))
        return
    from functools import partial

    from dpcheck.cli.display import display
    from dpcheck.cli.documents import check_writable, finish, teller
    from dpcheck.cli.jobs import Job, run_jobs, side_by_side
    from dpcheck.cli.zoo_targets import audited
    from dpcheck.execution.executor import Executor
    from dpcheck.model.verdict import Status
    from dpcheck.privacy.run.limits import Limits
    from dpcheck.report.finished import Run

    check_writable("--output", output)
    check_writable("--json", json_file)
    effort: dict[str, Any] = {
        "alpha": alpha,
        "max_samples": max_samples,
        "max_seconds": max_seconds,
        "isolation": isolation.value,
        "seed": seed,
    }
    Limits(**effort, jobs=jobs)  # refused before processes are started
    # Workers of one audit cannot be shared out better than whole audits; one entry alone may have them all.
    executor = Executor(jobs if isolation is opt.Isolation.NONE else 1)
    names = [entry.name for entry in entries]
    with (
        display(quiet=quiet) as listener,
        side_by_side(executor, audited, names, effort, {"jobs": jobs, "on_event": listener}) as audit_of,
    ):
        told = teller(format, output, listener)
        results = run_jobs(
            [
                Job(
                    f"zoo:{entry.name}",
                    partial(audit_of, entry.name),
                    Status.NO_VIOLATION_FOUND if entry.correct else Status.VIOLATED,
                )
                for entry in entries
            ],
            traceback=traceback,
            listener=listener,
            told=told,
        )
    if format == TEXT.name and output is None and len(entries) > 1:
        _print(_compared(entries, results))
    finish(
        Run(results, ("dpcheck", *sys.argv[1:]), seed),
        told,
        format=format,
        output=output,
        json_file=json_file,
    )


def _print(table: Table) -> None:
    from dpcheck.cli.documents import show_drawn

    show_drawn(table, least_width=FILE_WIDTH)


def _truth(entry: Entry) -> str:
    from dpcheck.model.claims import claim_point

    _, delta = claim_point(entry.claim)
    true = max(entry.truth(pair, delta) for pair in entry.pairs)
    return "infinite" if math.isinf(true) else f"{true:.3f}"


def _listed(entries: Sequence[Entry]) -> Table:
    from rich.table import Table
    from rich.text import Text

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
        name = Text(entry.name)
        if entry.aliases:
            name.append(f" ({', '.join(entry.aliases)})")
        if entry.defect:
            name.append(f"\n  {entry.defect}", style="dim")
        if entry.numerics != "real":
            name.append(f"\n  in {entry.numerics} numerics", style="dim")
        table.add_row(name, _kind(entry), str(entry.claim), _truth(entry))
    return table


def _kind(entry: Entry) -> Any:
    from rich.text import Text

    return Text("correct", style="green") if entry.correct else Text("broken", style="red")


def _compared(entries: Sequence[Entry], results: Sequence[Audited | NotAudited]) -> Table:
    """What is known against what was found, an entry a row."""
    from rich.table import Table
    from rich.text import Text

    from dpcheck.report.exit_status import Exit, exit_of
    from dpcheck.report.finished import Audited

    table = Table(title="What is known, and what was found")
    table.add_column("name", overflow="fold")
    table.add_column("is", no_wrap=True)
    for heading in ("true epsilon", "at least", "calls", "seconds"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("verdict", overflow="fold")
    right = 0
    for entry, result in zip(entries, results, strict=True):
        as_known = exit_of(result) is Exit.AS_EXPECTED
        right += as_known
        if isinstance(result, Audited):
            verdict = result.verdict
            found = [at_least(verdict.epsilon_lower, ".3f"), f"{verdict.samples:,}", f"{verdict.seconds:.1f}"]
            words = verdict.status.value
        else:
            found, words = ["", "", ""], result.trouble.value
        verdict_words = Text(words if as_known else f"{words}: not right", style="" if as_known else "bold red")
        table.add_row(entry.name, _kind(entry), _truth(entry), *found, verdict_words)
    table.caption = f"{right} of {len(results)} verdicts are right"
    return table
