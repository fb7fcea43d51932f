"""``dpcheck survey FILE.toml``: somebody's list of learners, each audited in an environment of its package's own."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from dpcheck.cli.display import display
from dpcheck.cli.documents import check_writable, make_folder, put, raise_first, show_drawn, written
from dpcheck.cli.failures import complain
from dpcheck.cli.jobs import Job, Result, executor_of, run_jobs, side_by_side
from dpcheck.cli.kept_verdicts import verdicts_kept
from dpcheck.cli.survey_file import AskedEnvironment, AskedSubject, AskedSurvey, chosen, read_survey
from dpcheck.cli.survey_runs import Planned, audited_there, code_of, command_of, planned
from dpcheck.execution.environments import Made, NotMade, Tool, Wanted, environments_in, made, tool_here
from dpcheck.model.errors import InvalidArgument
from dpcheck.privacy.run.limits import Limits, a_directory
from dpcheck.report.exit_status import Exit, exit_of, exit_status
from dpcheck.report.finished import NOT_YET, Audited, NotAudited, Run, Trouble
from dpcheck.report.formats import JSON
from dpcheck.report.packages import markdown, page
from dpcheck.report.packages.document import (
    SCHEMA,
    SurveyedEnvironment,
    SurveyedLeftOut,
    SurveyedSubject,
    SurveyOfPackages,
    surveyed_row,
    tally,
)
from dpcheck.report.pages.layout import Place

if TYPE_CHECKING:
    from rich.table import Table

ENVIRONMENTS = Path(".dpcheck") / "environments"
RECORD, PAGE, MARKDOWN = "survey.json", "survey.html", "survey.md"
#: They say how subjects are audited and what is written of it: nothing reads them where subjects are only listed.
OF_FILES_RUN = (
    "environments", "backend", "json_file", "output", "jobs", "journal", "seeds", "seed", "max_seconds",
)  # fmt: skip
_FILE_WIDTH = 150
_NO_UV = (
    "uv is not here, so that environments are made by pip, more slowly and without hashes, and only of Pythons that "
    "are here: pip install 'dpcheck[survey]' brings it"
)


def survey_of_file(
    file: Path,
    names: Sequence[str],
    only: Sequence[str],
    *,
    list_only: bool,
    seeds: int,
    seed: int,
    jobs: int,
    max_seconds: float,
    journal: Path | None,
    environments: Path | None,
    backend: str | None,
    json_file: Path | None,
    output: Path | None,
    quiet: bool,
    traceback: bool,
) -> NoReturn:
    """Audit the subjects of a file, and end the command; the arguments are the command's.

    Raises
    ------
    InvalidArgument
        For a file that is none, for names that are not in it, and for places that cannot be written to.
    """
    asked = read_survey(file)
    pairs = chosen(asked, names, only)
    if list_only:
        show_drawn(_listed(asked, pairs), least_width=_FILE_WIDTH)
        raise typer.Exit(Exit.AS_EXPECTED)
    if backend is not None:
        raise InvalidArgument(f"--backend runs what dpcheck itself lists: leave it out with {file}")
    check_writable("--json", json_file)
    Limits(alpha=asked.alpha, max_seconds=max_seconds)  # refused before earlier results are written over
    if output is not None:
        make_folder("--output", output)
    folder = a_directory(journal)
    with environments_in(environments or ENVIRONMENTS) as place:
        whole = _made(_used(pairs), place, quiet=quiet)
        audits = planned(pairs, range(seed, seed + seeds))

        def documents(results: Mapping[Planned, Result]) -> tuple[SurveyOfPackages, Run]:
            run = Run(tuple(results.values()), ("dpcheck", *sys.argv[1:]), seed)
            words = [*names, *(f"--only={one}" for one in only)]
            return _document(asked, pairs, whole, results, run, seed, seeds, words), run

        def keep(so_far: Mapping[Planned, Result]) -> None:
            _write(*documents(so_far), output, json_file)  # what cannot be written is said at the end

        results = _results(audits, whole, asked, max_seconds, jobs, folder, keep, quiet=quiet, traceback=traceback)
    document, run = documents(results)
    lost = _write(document, run, output, json_file)
    show_drawn(_compared(document), least_width=_FILE_WIDTH)
    for name in (RECORD, MARKDOWN, PAGE):
        if output is not None and f"--output {name}" not in lost:
            put(f"{output / name}\n")
    raise_first(lost)
    raise typer.Exit(exit_status(run))


def _write(
    document: SurveyOfPackages, run: Run, output: Path | None, json_file: Path | None
) -> dict[str, InvalidArgument]:
    """Write each document as far as it can be; why not, where one could not."""
    lost = written(("--json", json_file, lambda: JSON.views["run"](run)))
    if output is not None:
        for name, view in (
            (RECORD, document.to_json),
            (MARKDOWN, lambda: markdown.render(document)),
            (PAGE, lambda: page.render(document, Place(PAGE, (PAGE, RECORD)))),
        ):
            found = written(("--output", output / name, view))
            lost |= {f"{option} {name}": error for option, error in found.items()}
    return lost


def _used(pairs: Sequence[tuple[AskedSubject, AskedEnvironment]]) -> tuple[AskedEnvironment, ...]:
    return tuple(dict.fromkeys(environment for _, environment in pairs))


def _made(
    wanted: Sequence[AskedEnvironment], place: Path, *, quiet: bool
) -> dict[str, tuple[AskedEnvironment, Made | NotMade]]:
    """Each environment, or why it could not be made; the others are made all the same."""
    tool: Tool = tool_here()
    if tool.name == "pip" and not quiet:
        complain(_NO_UV)
    found: dict[str, tuple[AskedEnvironment, Made | NotMade]] = {}
    for number, one in enumerate(wanted, start=1):
        if not quiet and not (place / one.name).is_dir():
            complain(f"environment {number} of {len(wanted)}: making {one.name} ({', '.join(one.requirements)})")
        try:
            there = made(Wanted(one.name, one.requirements, one.python, one.lock, one.start), place, tool)
        except NotMade as error:
            complain(f"environment {one.name} could not be made: {error}")
            found[one.name] = one, error
            continue
        if not quiet:
            how = f"made in {there.seconds:.0f} s by {tool.name}" if there.seconds else "is there"
            complain(f"environment {number} of {len(wanted)}: {one.name} {how}")
        found[one.name] = one, there
    return found


def _results(
    audits: Sequence[Planned],
    environments: Mapping[str, tuple[AskedEnvironment, Made | NotMade]],
    asked: AskedSurvey,
    max_seconds: float,
    jobs: int,
    folder: Path | None,
    keep: Callable[[Mapping[Planned, Result]], object],
    *,
    quiet: bool,
    traceback: bool,
) -> dict[Planned, Result]:
    """What came of each audit, in order; those whose environment could not be made say so.

    ``keep`` is given all of them whenever there is one more: those that were not run yet are interrupted.
    """
    commands, codes = {}, {}
    for one in audits:
        there = environments[one.environment.name][1]
        if isinstance(there, Made):
            commands[one.name] = command_of(one, there, asked, max_seconds, folder)
            codes[one.name] = code_of(one, there, commands[one.name])
    done: list[Result] = []

    def prepared(audit_of: Callable[[str], Callable[[], Any]], one: Planned) -> Callable[[], Any]:
        if isinstance(environments[one.environment.name][1], NotMade):
            raise InvalidArgument(f"environment {one.environment.name} could not be made")
        return audit_of(one.name)

    with (
        display(quiet=quiet) as listener,
        verdicts_kept(folder, "dpcheck survey of a file", {}, lambda name: codes[name]) as kept,
        side_by_side(
            executor_of(jobs, None, folder), audited_there, list(commands), {"commands": commands}, {}, kept
        ) as audit_of,
    ):

        def told(result: Result) -> None:
            done.append(result)
            if not quiet:
                with listener.aside():
                    complain(f"{len(done)} of {len(audits)}: {_told(result)}")
            if not (isinstance(result, NotAudited) and result.trouble is Trouble.INTERRUPTED):
                left = [NotAudited(one.name, Trouble.INTERRUPTED, NOT_YET) for one in audits[len(done) :]]
                keep(dict(zip(audits, [*done, *left], strict=True)))

        results = run_jobs(
            [Job(one.name, partial(prepared, audit_of, one), one.expected) for one in audits],
            traceback=traceback,
            listener=listener if not quiet else _unheard,
            told=told,
        )
    return dict(zip(audits, results, strict=True))


def _unheard(event: Any) -> None:
    """Nobody looks."""


def _told(result: Result) -> str:
    if isinstance(result, NotAudited):
        return f"{result.target}: {result.trouble.value}"
    verdict = result.verdict
    as_expected = "" if exit_of(result) is Exit.AS_EXPECTED else ", not as expected"
    return f"{result.target}: {verdict.status.value}{as_expected}, {verdict.samples:,} calls, {verdict.seconds:.0f} s"


def _document(
    asked: AskedSurvey,
    pairs: Sequence[tuple[AskedSubject, AskedEnvironment]],
    environments: Mapping[str, tuple[AskedEnvironment, Made | NotMade]],
    results: Mapping[Planned, Result],
    run: Run,
    seed: int,
    seeds: int,
    names: Sequence[str],
) -> SurveyOfPackages:
    subjects = []
    for subject in dict.fromkeys(one for one, _ in pairs):
        rows = []
        for environment in (there for one, there in pairs if one is subject):
            for mended in (False, True) if subject.mended else (False,):
                own = [
                    one
                    for one in results
                    if (one.subject, one.environment, one.mended) == (subject, environment, mended)
                ]
                rows.append(
                    surveyed_row(
                        environment.name,
                        subject.mended if mended else subject.target,
                        own[0].expected,
                        [results[one] for one in own],
                        seed,
                        mended=mended,
                    )
                )
        package = next(there.package for one, there in pairs if one is subject)
        words = subject.promise, subject.finding, subject.cause, subject.known
        subjects.append(SurveyedSubject(subject.name, package, *words, tuple(rows)))
    shown = tuple(_environment(one, there) for one, there in environments.values())
    seconds = sum(one.seconds for one in shown)
    seconds += sum(one.verdict.seconds for one in results.values() if isinstance(one, Audited))
    file = asked.file.name
    command = ["dpcheck survey", shlex.quote(file), *map(shlex.quote, names)]
    command += [f"--seed {seed}"] if seed else []
    command += [f"--seeds {seeds}"] if seeds != 1 else []
    return SurveyOfPackages(
        SCHEMA,
        asked.title,
        file,
        " ".join(command),
        metadata.version("dpcheck"),
        seed,
        seeds,
        asked.alpha,
        run.level,
        exit_status(run),
        round(seconds, 1),
        shown,
        tuple(subjects),
        tuple(SurveyedLeftOut(one.package, one.version, one.why) for one in asked.left_out if not names),
    )


def _environment(asked: AskedEnvironment, there: Made | NotMade) -> SurveyedEnvironment:
    if isinstance(there, NotMade):
        return SurveyedEnvironment(
            asked.name, asked.package, asked.version, asked.python, asked.requirements, (), str(there), 0.0
        )
    pins = dict(pin.split("==", 1) for pin in there.packages)
    named = {_plain(name): version for name, version in pins.items()}
    version = named.get(_plain(asked.package), asked.version)
    return SurveyedEnvironment(
        asked.name,
        asked.package,
        asked.version or version,
        there.python,
        asked.requirements,
        there.packages,
        "",
        round(there.seconds, 1),
    )


def _plain(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")


def _listed(asked: AskedSurvey, pairs: Sequence[tuple[AskedSubject, AskedEnvironment]]) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(asked.title), caption=Text(f"Audit one: dpcheck survey {asked.file} SUBJECT"))
    table.add_column("subject", overflow="fold")
    table.add_column("environment", overflow="fold")
    table.add_column("expected", no_wrap=True)
    for subject in dict.fromkeys(one for one, _ in pairs):
        name = Text(subject.name)
        name.append(f"\n  {subject.target}{f', mended {subject.mended}' if subject.mended else ''}", style="dim")
        name.append(f"\n  promised: {subject.promise}", style="dim")
        own = [there.name for one, there in pairs if one is subject]
        table.add_row(name, Text("\n".join(own)), "\n".join(subject.expected[one].value for one in own))
    return table


def _compared(document: SurveyOfPackages) -> Table:
    """What is expected against what was found, a row each."""
    from rich.table import Table
    from rich.text import Text

    from dpcheck.report.packages.words import counted, numbers_of, problem_of, row_name

    table = Table(title="What is expected, and what was found")
    table.add_column("subject", overflow="fold")
    table.add_column("claim", overflow="fold")
    table.add_column("expected", no_wrap=True)
    table.add_column("found", overflow="fold")
    for heading in ("at least", "calls", "seconds"):
        table.add_column(heading, justify="right", no_wrap=True)
    for subject in document.subjects:
        for row in subject.rows:
            name = row_name(subject.name, row.environment, mended=row.mended)
            problem = problem_of(row)
            words = f"{counted(row)}{f': {problem}' if problem else ''}"
            found = Text(words, style="" if row.as_expected else "red")
            table.add_row(Text(name), Text(row.claim), row.expected, found, *numbers_of(row))
    counts = tally(document)
    table.caption = (
        f"{counts.rows} rows: {counts.violated} violated, {counts.as_expected} as expected, "
        f"{counts.not_as_expected} not as expected, {counts.failed} failed "
        "(bounds are medians, calls and seconds means)"
    )
    return table
