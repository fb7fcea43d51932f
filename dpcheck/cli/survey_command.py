"""``dpcheck survey``: learners of other libraries, audited on real data, and whether each verdict is as expected.

What dpcheck itself lists is audited in this environment; a file's list, in environments of its own
(:mod:`dpcheck.cli.survey_of_file`).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpcheck.cli import completion
from dpcheck.cli import options as opt
from dpcheck.model.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from dpcheck.adapters.survey import Subject
    from dpcheck.cli.jobs import Result

ALPHA = 1e-6
# Calls are what ends a subject's audit: the clock is for a machine that is much busier than it should be.
MAX_SECONDS = 300.0
# Names are long and say what is audited; a log is as wide as it needs.
FILE_WIDTH = 150
FINDINGS, RECORD = "findings.md", "survey.json"
#: They say how subjects are audited and what is written of it: nothing reads them where subjects are only listed.
OF_A_RUN = ("backend", "json_file", "output", "jobs", "journal", "seeds", "seed", "max_seconds")


def survey(
    context: typer.Context,
    names: Annotated[
        list[str] | None,
        opt.argument(
            "[FILE.toml] SUBJECT...",
            "Subjects, or libraries; all by default. After a survey's file those of its list: its subjects, "
            "environments or packages.",
            completion.subjects,
        ),
        opt.NO_SETTING,
    ] = None,
    only: Annotated[
        list[str] | None,
        opt.option(
            None, "Of a file's list only this subject, environment or package; a pattern.", "--only", metavar="PATTERN"
        ),
        opt.NO_SETTING,
    ] = None,
    list_only: Annotated[bool, opt.flag(None, "List the subjects, and audit nothing.", "--list")] = False,
    seeds: Annotated[
        int, opt.whole(opt.BUDGET, "Audit each subject on so many seeds: --seed and those after it.", shown=True)
    ] = 1,
    seed: opt.Seed = 0,
    jobs: opt.Jobs = 1,
    max_seconds: Annotated[
        float,
        opt.number(
            opt.BUDGET,
            "At most this long per subject. What a file says of max-seconds, of a subject or of all, wins.",
            "SECONDS",
            shown=True,
        ),
    ] = MAX_SECONDS,
    journal: opt.Journal = None,
    environments: Annotated[
        Path | None,
        opt.option(
            opt.LEARNER,
            "Where the environments of a file are made and kept; .dpcheck/environments by default.",
            metavar="DIR",
        ),
        opt.A_FILE,
    ] = None,
    backend: opt.Backend = None,
    json_file: opt.JsonFile = None,
    output: Annotated[
        Path | None,
        opt.option(
            opt.RESULT,
            f"Write {FINDINGS} and {RECORD} into this folder, made if it is not there; of a file's list survey.json, "
            "survey.md and survey.html. They are written after each subject: what is killed leaves what it had.",
            metavar="DIR",
        ),
        opt.A_FILE,
    ] = None,
    quiet: opt.Quiet = False,
    traceback: opt.Traceback = False,
) -> None:
    """Audit learners of diffprivlib, OpenDP and dp-accounting on real data, or those of a file of your own.

    Each subject has a claim, a neighbouring relation and the verdict that its library's code lets one expect; the exit
    status is 0 when all are as expected. A subject whose library is not installed is named and left out. A file lists
    environments, which are made (by uv, versions locked) where they are not there, and subjects with what their
    packages promise, which are audited in them.
    """
    from functools import partial

    from dpcheck.cli.display import display
    from dpcheck.cli.documents import check_writable, make_folder, put, raise_first, show, show_drawn, written
    from dpcheck.cli.failures import complain
    from dpcheck.cli.jobs import Job, executor_of, run_jobs, side_by_side
    from dpcheck.cli.kept_verdicts import verdicts_kept
    from dpcheck.cli.nothing_given import refuse_unread
    from dpcheck.cli.settings import typed_options
    from dpcheck.cli.survey_file import ENDING
    from dpcheck.cli.survey_targets import audited, run_name, subjects_named
    from dpcheck.privacy.run.limits import Limits, a_directory
    from dpcheck.report.exit_status import Exit, exit_status
    from dpcheck.report.finished import NOT_YET, Audited, NotAudited, Run, Trouble
    from dpcheck.report.formats import JSON

    if seeds < 1:
        raise InvalidArgument(f"--seeds must be at least 1, got {seeds}")
    if seed < 0:
        raise InvalidArgument(f"--seed must be at least 0, got {seed}")
    if names and names[0].endswith(ENDING):
        from dpcheck.cli.survey_of_file import OF_FILES_RUN, survey_of_file

        if list_only:
            refuse_unread(typed_options(context), OF_FILES_RUN, beside="--list")
        survey_of_file(
            Path(names[0]),
            names[1:],
            only or [],
            list_only=list_only,
            seeds=seeds,
            seed=seed,
            jobs=jobs,
            max_seconds=max_seconds,
            journal=journal,
            environments=environments,
            backend=backend,
            json_file=json_file,
            output=output,
            quiet=quiet,
            traceback=traceback,
        )
    refuse_unread(typed_options(context), ("only", "environments"), needs=f"a survey's file (FILE{ENDING})")
    chosen = subjects_named(names or [])
    if list_only:
        refuse_unread(typed_options(context), OF_A_RUN, beside="--list")
        show_drawn(_listed(chosen), least_width=FILE_WIDTH)
        return
    check_writable("--json", json_file)
    Limits(alpha=ALPHA, max_seconds=max_seconds)  # refused before earlier findings are written over
    if output is not None:
        make_folder("--output", output)
    missing = {subject.name: subject.library.missing() for subject in chosen}
    here = [subject for subject in chosen if not missing[subject.name]]
    for name, reason in missing.items():
        if reason:
            complain(f"{name}: {reason}")
    keys = [(subject, seed + number) for subject in here for number in range(seeds)]
    effort: dict[str, Any] = {"alpha": ALPHA, "max_seconds": max_seconds, "isolation": "none"}
    names = [f"{one.name}@{number}" for one, number in keys]
    folder = a_directory(journal)

    def by_subject(results: Sequence[Result]) -> dict[str, list[Result]]:
        return {
            one.name: [result for (other, _), result in zip(keys, results, strict=True) if other is one] for one in here
        }

    def write(results: Sequence[Result]) -> dict[str, InvalidArgument]:
        run = Run(tuple(results), ("dpcheck", *sys.argv[1:]), seed)
        lost = written(("--json", json_file, lambda: JSON.views["run"](run)))
        if output is not None:
            lost |= _write_reports(output, chosen, missing, by_subject(results), seed, seeds)
        return lost

    with (
        display(quiet=quiet) as listener,
        verdicts_kept(folder, "dpcheck survey", effort, lambda name: "") as kept,
        side_by_side(
            executor_of(jobs, backend, folder),
            audited,
            names,
            {**effort, "journal": folder},
            {"on_event": listener},
            kept,
        ) as audit_of,
    ):
        done: list[Result] = []

        def told(result: Result) -> None:
            done.append(result)
            if not (isinstance(result, NotAudited) and result.trouble is Trouble.INTERRUPTED):
                left = [
                    NotAudited(run_name(one.name, number), Trouble.INTERRUPTED, NOT_YET)
                    for one, number in keys[len(done) :]
                ]
                write((*done, *left))  # what cannot be written is said at the end
            if seeds == 1 and isinstance(result, Audited):
                with listener.aside():
                    (show if sys.stdout.isatty() else put)(f"{result.verdict}\n\n")

        results = run_jobs(
            [
                Job(
                    run_name(one.name, number),
                    partial(audit_of, f"{one.name}@{number}"),
                    one.expected,
                )
                for one, number in keys
            ],
            traceback=traceback,
            listener=listener,
            told=told,
        )
    run = Run(results, ("dpcheck", *sys.argv[1:]), seed)
    lost = write(results)
    show_drawn(_compared(chosen, by_subject(results), missing), least_width=FILE_WIDTH)
    for name in (RECORD, FINDINGS):
        if output is not None and f"--output {name}" not in lost:
            put(f"{output / name}\n")
    raise_first(lost)
    status = exit_status(run)
    if status is Exit.NOTHING_TO_CHECK:
        complain("nothing to check: no library of these subjects is here")
    raise typer.Exit(status)


def _write_reports(
    folder: Path,
    chosen: Sequence[Subject],
    missing: dict[str, str],
    by_subject: dict[str, list[Result]],
    seed: int,
    seeds: int,
) -> dict[str, InvalidArgument]:
    """Write the survey's files, each as far as it can be; why not, where one could not."""
    from dpcheck.cli.documents import written
    from dpcheck.report.findings import document_of, render, to_json

    command = " ".join(["dpcheck survey", *([f"--seed {seed}"] if seed else []), f"--seeds {seeds}"])
    document = document_of(chosen, missing, by_subject, alpha=ALPHA, seed=seed, seeds=seeds, command=command)
    lost: dict[str, InvalidArgument] = {}
    for name, view in ((RECORD, to_json), (FINDINGS, render)):
        found = written(("--output", folder / name, lambda view=view: view(document)))  # type: ignore[misc]
        lost |= {f"{option} {name}": error for option, error in found.items()}
    return lost


def _listed(chosen: Sequence[Subject]) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(title="The survey: learners of other libraries", caption="Audit one: dpcheck survey SUBJECT")
    table.add_column("subject", overflow="fold")
    table.add_column("expected", no_wrap=True)
    for one in chosen:
        name = Text(one.name)
        name.append(f"\n  {one.what}", style="dim")
        name.append(f"\n  {one.data}", style="dim")
        table.add_row(name, one.expected.value)
    return table


def _compared(chosen: Sequence[Subject], by_subject: dict[str, list[Result]], missing: dict[str, str]) -> Table:
    """What is expected against what was found, a subject a row."""
    from rich.table import Table
    from rich.text import Text

    from dpcheck.report.exit_status import Exit, exit_of
    from dpcheck.report.finished import Audited
    from dpcheck.report.over_seeds import over_seeds

    table = Table(title="What is expected, and what was found")
    table.add_column("subject", no_wrap=True)
    table.add_column("claim", overflow="fold")
    table.add_column("expected", no_wrap=True)
    table.add_column("found", overflow="fold")
    for heading in ("at least", "calls", "seconds"):
        table.add_column(heading, justify="right", no_wrap=True)
    right = total = 0
    for one in chosen:
        if missing[one.name]:
            table.add_row(one.name, "", one.expected.value, Text(missing[one.name], style="dim"), "", "", "")
            continue
        results = by_subject[one.name]
        as_expected = [exit_of(result) is Exit.AS_EXPECTED for result in results]
        right, total = right + sum(as_expected), total + len(results)
        verdicts = [result.verdict for result in results if isinstance(result, Audited)]
        words = ", ".join(_counted(results))
        numbers = ("", "", "")
        if verdicts:
            numbers = over_seeds((verdict.epsilon_lower, verdict.samples, verdict.seconds) for verdict in verdicts)
        shown = Text(
            words if all(as_expected) else f"{words}: not as expected", style="" if all(as_expected) else "red"
        )
        table.add_row(one.name, str(verdicts[0].claim) if verdicts else "", one.expected.value, shown, *numbers)
    table.caption = f"{right} of {total} verdicts are as expected (bounds are medians, calls and seconds means)"
    return table


def _counted(results: Sequence[Result]) -> list[str]:
    """Each answer, with how often it was given where there are several."""
    from collections import Counter

    from dpcheck.report.finished import Audited

    words = Counter(
        result.verdict.status.value if isinstance(result, Audited) else result.trouble.value for result in results
    )
    return [word if len(results) == 1 else f"{word} {count} of {len(results)}" for word, count in words.items()]
