"""``dpcheck learners``: the papers' learners, what each promises, and whether audits agree."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpcheck.cli import completion
from dpcheck.cli import options as opt
from dpcheck.model.bounds_shown import at_most
from dpcheck.report.formats import FORMATS, JSON, TEXT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from rich.table import Table

    from dpcheck.cli.jobs import Result
    from dpcheck.parts.learners.entry import LearnerEntry
    from dpcheck.parts.learners.table_of_classes import ClassTable
    from dpcheck.report.learners.document import LearnersDocument, ListedLearner

ALPHA = 1e-6
# Calls and pairs are what ends an audit: the clock is for a machine that is much busier than it should be.
MAX_SECONDS = 300.0
# Names are long and say what is learned; a log is as wide as it needs.
FILE_WIDTH = 150
#: They say how learners are audited: nothing reads them where learners are only listed.
OF_AN_AUDIT = ("backend", "jobs", "journal", "max_samples", "max_seconds", "seed")


def learners(
    context: typer.Context,
    names: Annotated[
        list[str] | None,
        opt.argument(
            "NAME...", "Learners (paper.name), shown in detail; or papers. All by default.", completion.learners
        ),
        opt.NO_SETTING,
    ] = None,
    paper: Annotated[
        str | None, opt.option(None, "The learners of this paper only.", metavar="PAPER", completes=completion.papers)
    ] = None,
    classes: Annotated[
        bool, opt.flag(None, "Show which learner learns which hypothesis class, and why not.", "--classes")
    ] = False,
    audit: Annotated[
        bool,
        opt.flag(
            None,
            "Audit each on its small domain: the exact epsilon over all neighbouring pairs beside the claim; by "
            "calls where no law is declared, on the pairs of largest loss if the learner knows that of its densities.",
            "--audit",
        ),
    ] = False,
    max_samples: Annotated[
        int | None,
        opt.whole(
            opt.BUDGET,
            "At most this many calls of each learner that is audited by calls; 200,000 by default, and a million "
            "of one that is kept as printed, whose false claim is to be refuted.",
            "CALLS",
        ),
    ] = None,
    max_seconds: opt.MaxSeconds = MAX_SECONDS,
    jobs: opt.Jobs = 1,
    seed: opt.Seed = 0,
    journal: opt.Journal = None,
    backend: opt.Backend = None,
    format: opt.LearnersFormatOption = TEXT.name,
    output: opt.Output = None,
    json_file: opt.JsonFile = None,
    quiet: opt.Quiet = False,
    traceback: opt.Traceback = False,
) -> None:
    """List the learners of the papers: what each does, what it claims, and the theorem that promises it.

    With --audit each is audited on the small domain it is listed with, --jobs of them at a time. The exit status is 0
    when no claim is violated but those of algorithms that are kept as printed because their claim is false. Audit one
    on data of your own: dpcheck audit learner:NAME --option epsilon=0.5 --dataset FILE --label COLUMN.
    """
    from dpcheck.cli.documents import check_writable
    from dpcheck.cli.learner_targets import learner_entries
    from dpcheck.cli.nothing_given import refuse_unread
    from dpcheck.cli.settings import typed_options
    from dpcheck.model.errors import InvalidArgument
    from dpcheck.privacy.run.limits import a_directory
    from dpcheck.report.learners.document import document_of

    if not audit:
        refuse_unread(typed_options(context), OF_AN_AUDIT, needs="--audit")
    if seed < 0:
        raise InvalidArgument(f"--seed must be at least 0, got {seed}")
    entries = learner_entries(names or [], paper)
    check_writable("--output", output)
    check_writable("--json", json_file)
    command = " ".join(("dpcheck", *sys.argv[1:]))
    if not audit:
        detailed = bool(names) and not classes
        document = document_of(entries, command=command, classes=detailed or classes)
        _deliver(document, format, output, json_file, _details if detailed else _classes if classes else _list)
        return
    effort: dict[str, Any] = {
        "alpha": ALPHA,
        **({} if max_samples is None else {"max_samples": max_samples}),
        "max_seconds": max_seconds,
        "isolation": "none",
        "seed": seed,
    }
    results, level, status = _audited(
        entries, effort, a_directory(journal), jobs=jobs, backend=backend, quiet=quiet, traceback=traceback
    )
    document = document_of(
        entries, results, command=command, seed=seed, level=level, exit_status=status, classes=classes
    )

    def shown(made: LearnersDocument) -> None:
        _audits(made)
        if classes:
            _classes(made)

    _deliver(document, format, output, json_file, shown)
    raise typer.Exit(status)


def _audited(
    entries: Sequence[LearnerEntry],
    effort: dict[str, Any],
    journal: Path | None,
    *,
    jobs: int,
    backend: str | None,
    quiet: bool,
    traceback: bool,
) -> tuple[dict[str, Result], float, Any]:
    """The result of each entry by name, the sum of the levels, and the exit status."""
    from functools import partial

    from dpcheck.cli.display import display
    from dpcheck.cli.jobs import Job, executor_of, run_jobs, side_by_side
    from dpcheck.cli.kept_verdicts import verdicts_kept
    from dpcheck.cli.learner_targets import audited, code_of
    from dpcheck.model.verdict import Status
    from dpcheck.report.exit_status import exit_status
    from dpcheck.report.finished import Run

    names = [entry.name for entry in entries]
    with (
        display(quiet=quiet) as listener,
        verdicts_kept(journal, "dpcheck learners", effort, code_of) as kept,
        side_by_side(
            executor_of(jobs, backend, journal),
            audited,
            names,
            {**effort, "journal": journal},
            {"on_event": listener},
            kept,
        ) as audit_of,
    ):
        found = run_jobs(
            [
                Job(
                    f"learner:{entry.name}",
                    partial(audit_of, entry.name),
                    Status.VIOLATED if entry.as_printed else Status.NO_VIOLATION_FOUND,
                )
                for entry in entries
            ],
            traceback=traceback,
            listener=listener,
            told=lambda result: None,
        )
    judged = {entry.name: _judged(entry, result) for entry, result in zip(entries, found, strict=True)}
    run = Run(tuple(judged.values()))
    return judged, run.level, exit_status(run)


def _judged(entry: LearnerEntry, result: Result) -> Result:
    """The result; where nothing is claimed either verdict is as expected, for it is about no claim of the learner.

    Where densities break the claim, calls that found nothing are not.
    """
    from dataclasses import replace

    from dpcheck.model.verdict import Status
    from dpcheck.report.finished import Audited
    from dpcheck.report.learners.document import expected_of

    if not isinstance(result, Audited):
        return result
    if getattr(entry.learner(), "claim", None) is not None:
        return replace(result, expected=expected_of(entry, result.verdict.status))
    if result.verdict.status is Status.LEARNER_FAILED:
        return result
    return replace(result, expected=result.verdict.status)


def _deliver(
    document: LearnersDocument,
    format: str,
    output: Any,
    json_file: Any,
    shown: Callable[[LearnersDocument], None],
) -> None:
    """Write every document that was asked for; text goes to the screen as ``shown`` draws it."""
    from dpcheck.cli.documents import hand_out

    view = FORMATS[format].views["learners"]
    hand_out(
        lambda: view(document),
        output,
        ("--json", json_file, lambda: JSON.views["learners"](document)),
        shown=(lambda: shown(document)) if format == TEXT.name else None,
    )


def _draw(table: Table) -> None:
    from dpcheck.cli.documents import show_drawn

    show_drawn(table, least_width=FILE_WIDTH)


def _list(document: LearnersDocument) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title="Learners of the papers",
        caption="More of one: dpcheck learners NAME. Audit it: dpcheck audit learner:NAME",
    )
    table.add_column("name", overflow="fold")
    table.add_column("claims", no_wrap=True)
    table.add_column("relation", no_wrap=True)
    table.add_column("algorithm", overflow="fold")
    table.add_column("theorem", overflow="fold")
    previous = ""
    for one in document.learners:
        if previous not in ("", one.paper):
            table.add_section()
        previous = one.paper
        name = Text(one.name)
        if one.as_printed:
            name.append("  as printed", style="yellow")
        name.append(f"\n  {one.summary}", style="dim")
        table.add_row(name, one.claim or Text("nothing", style="dim"), one.relation, one.algorithm, one.theorem)
    _draw(table)


def _classes(document: LearnersDocument) -> None:
    from rich.table import Table
    from rich.text import Text

    from dpcheck.cli.documents import put_words
    from dpcheck.report.learners.classes import LEARNS, paper_tables

    assert document.classes is not None
    made = paper_tables(document.classes)
    for each in made.papers:
        table = Table(title=f"Hypothesis class against the learners of {each.paper}")
        table.add_column("class", overflow="fold")
        for name in each.learners:
            table.add_column(name, justify="center", overflow="fold")
        for name, *cells in each.rows:
            table.add_row(name, *(Text(cell, style="green" if cell == LEARNS else "") for cell in cells))
        _draw(table)
    put_words("".join(f"({number}) {reason}\n" for number, reason in enumerate(made.reasons, start=1)))
    put_words("".join(f"About no class of hypotheses: {line}\n" for line in made.apart))


def _audits(document: LearnersDocument) -> None:
    """The claim of each learner beside what was found, a learner a row."""
    from rich.table import Table
    from rich.text import Text

    from dpcheck.cli.documents import put_words
    from dpcheck.report.learners.document import how_words, loss_words
    from dpcheck.report.learners.markdown import verdict_words

    table = Table(title="What is claimed, and what was found")
    table.add_column("learner", overflow="fold")
    table.add_column("claims", no_wrap=True)
    table.add_column("epsilon", justify="right", no_wrap=True)
    table.add_column("how", overflow="fold")
    table.add_column("seconds", justify="right", no_wrap=True)
    table.add_column("verdict", overflow="fold")
    audits = [(one, one.audit) for one in document.learners if one.audit is not None]
    for one, found in audits:
        name = Text(one.name)
        name.append(f"\n  {one.relation}, {one.domain}", style="dim")
        verdict = Text(verdict_words(one), style="" if found.as_expected else "bold red")
        cells = [loss_words(found), how_words(found), f"{found.seconds:.1f}"]
        table.add_row(name, one.claim or Text("nothing", style="dim"), *cells, verdict)
    right = sum(found.as_expected for _, found in audits)
    table.caption = f"{right} of {len(audits)} are as expected"
    _draw(table)
    for one, found in audits:
        if not found.as_expected and found.witness:
            put_words(f"{one.name}: {found.witness}\n")
    assert document.level is not None
    put_words(f"Probability of any false alarm in this run: at most {at_most(document.level)}.\n")


def _details(document: LearnersDocument) -> None:
    from dpcheck.cli.documents import put_words

    put_words("\n".join(_detail(one, document.classes) for one in document.learners))


def _detail(one: ListedLearner, classes: ClassTable | None) -> str:
    """All that is known of a learner, a fact a line."""
    from dpcheck.proof.inventory import load_inventory, papers

    algorithm, theorem = one.algorithm, one.theorem
    if one.paper in papers():
        printed = load_inventory(one.paper)
        titles: Mapping[str, str] = {each.id: each.title for each in printed.algorithms}
        statements: Mapping[str, str] = {each.id: each.statement for each in printed.results}
        algorithm += f": {titles[algorithm]}" if algorithm in titles else ""
        theorem += f": {statements[theorem]}" if theorem in statements else ""
    assert classes is not None
    cells = {row.name: row.cells[one.name] for row in classes.rows if one.name in row.cells}
    learned = [name for name, reason in cells.items() if not reason]
    missing: dict[str, list[str]] = {}
    for name, reason in cells.items():
        if reason:
            missing.setdefault(reason, []).append(name)
    refused = "; ".join(f"{', '.join(names)} ({reason})" for reason, names in missing.items())
    taken = f", if {'; '.join(one.assumptions)}" if one.assumptions else ""
    facts = {
        "does": one.summary,
        "is": one.description,
        "algorithm": algorithm,
        "theorem": theorem or "none: the paper claims no privacy of it",
        "claims": f"{one.claim}{taken}" if one.claim else "nothing",
        "as printed": "yes: it is expected to break its claim" if one.as_printed else "",
        "relation": one.relation,
        "domain": one.domain,
        "law": "declared: audits decide it exactly" if one.law else "not declared: audits go by calls",
        "learns": ", ".join(learned),
        "does not learn": refused,
        "is about no class": classes.apart.get(one.name, ""),
        "made by": one.made_by,
        "options": ", ".join(f"{option.name}={option.default}" for option in one.options),
        "audit it": f"dpcheck audit learner:{one.name}{' --exhaustive' if one.law else ''}"
        f"{' --expect violated' if one.as_printed else ''}",
    }
    said = {name: text for name, text in facts.items() if text}
    width = max(map(len, said))
    return one.name + "\n" + "".join(f"  {name:<{width}}  {text}\n" for name, text in said.items())
