"""Makes a report: finds what is asked for, runs its units, writes its files, and says how it ended."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dpcheck.cli.documents import put, put_words, write_document
from dpcheck.cli.failures import complain, say
from dpcheck.cli.report_display import Outlook, time_words, view_of
from dpcheck.cli.report_targets import Plan, plan_of
from dpcheck.cli.report_units import learner_units, make_unit
from dpcheck.model import disk
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.verdict import Status
from dpcheck.model.written_json import read_json_file
from dpcheck.proof.registry import Registry
from dpcheck.report.exit_status import FIRST_THAT_APPLIES, Exit
from dpcheck.report.packages.document import SurveyOfPackages
from dpcheck.report.whole.documents import WholeReport, documents, records_of
from dpcheck.report.whole.encoding import decoded
from dpcheck.report.whole.index import ERRATA_PAGE, failures_of, index_report, unexpected_of, with_outcomes
from dpcheck.report.whole.journal import Journal
from dpcheck.report.whole.model import Count, LearnerReport, Missing
from dpcheck.report.whole.papers import (
    Checked,
    PaperTarget,
    checked,
    failed_measurement,
    paper_report,
    units_of,
)
from dpcheck.report.whole.paths import learner_path
from dpcheck.report.whole.units import Level, Unit, command_of
from dpcheck.report.whole.workers import Begun, Failed, Made, run_units
from dpcheck.trial.model import Measurement

#: The survey's record in the report's folder, of which the findings are made.
SURVEY = "survey.json"
#: Seconds that a report may take before it is said that cores are idle.
LONG = 60.0
_NOT_DONE = "the run was interrupted before it was done"


@dataclass(frozen=True)
class Asked:
    """The arguments of the command."""

    targets: tuple[str, ...]
    out: Path
    level: Level
    jobs: int
    keep: bool
    quiet: bool
    part_timeout: float | None = None


@dataclass
class _Progress:
    """What is done of the units so far: their records by key, and those that failed."""

    made: dict[str, str] = field(default_factory=dict)
    failed: dict[str, Failed] = field(default_factory=dict)
    interrupted: bool = False


def make_report(asked: Asked) -> Exit:
    """Make and write a report; the exit status that it ends with.

    Raises
    ------
    TargetNotFound, InvalidArgument
        In one line, before anything is run: for a target that names nothing, a folder that cannot be written.
    """
    registry = Registry()
    plan = plan_of(asked.targets, registry)
    _check_folder(asked.out)
    if not asked.quiet and plan.papers:
        say(f"replaying the certificates of {', '.join(dict.fromkeys(one.paper for one in plan.papers))}")
    known = _evaluated_papers(plan, registry)
    units = _units(plan, asked.level, asked.part_timeout)
    journal = Journal(asked.out, asked.level, complain=complain)
    progress = _Progress()
    for unit in units:
        text = journal.read(unit, lambda text, unit=unit: _read(unit, text))  # type: ignore[misc]
        if text is not None:
            progress.made[unit.key] = text
    _run(asked, units, journal, progress)
    if not asked.quiet:
        say("drawing the pages")
    report = _report(asked, plan, known, units, progress, registry)
    written = _write(asked.out, report)
    if not (progress.interrupted or progress.failed or asked.keep):
        journal.remove(units)
    put("".join(f"{path}\n" for path in written))
    return _exit_status(plan, report, progress)


def build_pages(records: Path, out: Path) -> Iterator[Path]:
    """Write the pages of a report, made of the records in a folder; each one's path as it is there. Nothing is run.

    Raises
    ------
    InvalidArgument
        When the folder has no records, one cannot be read, or ``out`` cannot be written.
    """
    from dpcheck.report.whole.records import whole_report

    report = whole_report(records)
    _check_folder(out)
    there = [path for path in records_of(report) if (out / path).is_file()]
    made = documents(report, there, records=False)
    yield from _write_documents(out, ((name, text) for name, text in made if name.endswith((".html", ".js"))))


def _check_folder(folder: Path) -> None:
    """Refuse, before anything is run, a folder that cannot be written afterwards."""
    try:
        disk.DISK.make_directory(folder)
        disk.try_folder(folder)
    except OSError as error:
        raise InvalidArgument(
            f"--out must be a folder that can be written, got {str(folder)!r} ({error.strerror or error})"
        ) from error


def _evaluated_papers(plan: Plan, registry: Registry) -> dict[str, Checked]:
    """The papers of a report, evaluated; with all of ours where the errata are written."""
    known: dict[str, Checked] = {}
    ours = [key for key in registry.papers if _whole_of_ours(plan) or any(one.paper == key for one in plan.papers)]
    for key in ours:
        known[key] = checked(registry, key)
    for one in plan.papers:
        if one.file:
            known[one.file] = checked(Registry(Path(one.file)), one.paper, one.file)
    return known


def _whole_of_ours(plan: Plan) -> bool:
    """Whether a whole paper of this package is reported: then the errata of all are written."""
    return any(not one.part and not one.file for one in plan.papers)


def _units(plan: Plan, level: Level, limit: float | None) -> tuple[Unit, ...]:
    papers = [unit for one in plan.papers for unit in units_of(one, level)]
    found = {unit.key: unit for unit in (*papers, *learner_units(plan.learners, level))}.values()
    return tuple(unit if limit is None else replace(unit, limit=limit) for unit in found)


def _read(unit: Unit, text: str) -> Any:
    return decoded(text, Measurement) if unit.kind == "measurement" else decoded(text, LearnerReport)


def _run(asked: Asked, units: Sequence[Unit], journal: Journal, progress: _Progress) -> None:
    """Run the units that are not done yet; Ctrl-C ends it, with what is done kept."""
    left = [unit for unit in units if unit.key not in progress.made]
    jobs = max(1, min(asked.jobs, len(left)))
    outlook = Outlook(left, jobs)
    if not asked.quiet and units:
        kept = f"{len(progress.made)} of {len(units)} are kept from an earlier run; " if progress.made else ""
        process = "process" if jobs == 1 else "processes"
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        idle = jobs < min(cores, len(left)) and outlook.left > LONG
        more = f" (--jobs {cores} uses all cores)" if idle else ""
        say(f"{kept}{len(left)} to run in {jobs} {process}, about {time_words(outlook.left)}{more}")
    try:
        events = run_units(left, asked.level, jobs=jobs, make=make_unit)
        with contextlib.closing(events), view_of(outlook, quiet=asked.quiet) as shown:
            for event in events:
                if isinstance(event, Begun):
                    outlook.begin(event.unit)
                elif isinstance(event, Made):
                    journal.write(event.unit, event.text)
                    progress.made[event.unit.key] = event.text
                    outlook.end(event.unit, event.seconds)
                elif isinstance(event, Failed):
                    progress.failed[event.unit.key] = event
                    outlook.end(event.unit, event.seconds)
                shown()
    except KeyboardInterrupt:
        progress.interrupted = True
        complain(f"interrupted: {outlook.done} of {outlook.of} are done and kept; the report says what is missing")


def _report(
    asked: Asked,
    plan: Plan,
    known: Mapping[str, Checked],
    units: Sequence[Unit],
    progress: _Progress,
    registry: Registry,
) -> WholeReport:
    level = asked.level
    learners = [_learner(name, progress, level) for name in plan.learners]
    there = tuple(one for one in learners if one is not None)
    pages = [(one.name, learner_path(one.name)) for one in there]
    papers = tuple(
        paper_report(
            known[one.file or one.paper],
            one,
            _measurements(one, units, progress, level),
            level,
            command=_command(one, level),
            learner_pages=pages,
        )
        for one in plan.papers
    )
    there = tuple(with_outcomes(one, papers) for one in there)
    errata = [("", tuple(known[key].errata() for key in registry.papers))] if _whole_of_ours(plan) else []
    errata += [(one.paper, (known[one.file].errata(),)) for one in plan.papers if one.file and not one.part]
    missing = [
        Missing(unit.name, _NOT_DONE)
        for unit in units
        if unit.key not in progress.made and unit.key not in progress.failed
    ]
    made = WholeReport(papers, there, plan.audits, tuple(errata), _survey(asked.out) if plan.whole else None)
    made = replace(made, packages=_packages(asked.out) if plan.whole else None)
    if not plan.whole:
        return made
    index = index_report(
        papers,
        there,
        plan.audits,
        made.findings,
        level=level,
        command=command_of((), level),
        errata_page=ERRATA_PAGE,
        missing=missing,
    )
    return replace(made, index=index)


def _learner(name: str, progress: _Progress, level: Level) -> LearnerReport | None:
    from dpcheck.report.whole.learners import failed_learner

    key = Unit("learner", name).key
    if key in progress.failed:
        return failed_learner(progress.failed[key], level)
    return None if key not in progress.made else decoded(progress.made[key], LearnerReport)


def _measurements(
    target: PaperTarget, units: Sequence[Unit], progress: _Progress, level: Level
) -> dict[str, Measurement]:
    """The measurements of a paper that are there, with what says so of those that failed."""
    found: dict[str, Measurement] = {}
    for unit in units:
        if unit.kind != "measurement" or (unit.paper, unit.file) != (target.paper, target.file):
            continue
        if unit.key in progress.made:
            found[unit.run] = decoded(progress.made[unit.key], Measurement)
        elif unit.key in progress.failed:
            found[unit.run] = failed_measurement(progress.failed[unit.key], level)
    return found


def _command(target: PaperTarget, level: Level) -> str:
    from dpcheck.report.whole.papers import shown_path

    if target.file:
        return command_of([shown_path(target.file) + (f"/{target.part}" if target.part else "")], level)
    sign = "/" if target.part in target.runs else ":"
    return command_of([target.paper + (f"{sign}{target.part}" if target.part else "")], level)


def _survey(folder: Path) -> dict[str, Any] | None:
    """The survey's record, where there is one in the report's folder or among the project's reports."""
    from dpcheck.report.findings import SCHEMA, render
    from dpcheck.report.whole import findings_page

    path = folder / SURVEY
    if not path.is_file():
        return None
    try:
        found = read_json_file(path)
        if not isinstance(found, dict) or found.get("schema") != SCHEMA:
            raise ValueError(f"its schema must be {SCHEMA!r}")
        # a report that took an hour does not end at a field that is missing here
        render(found)
        findings_page.render(found)
    except Exception as error:  # a wrong document may lead anywhere
        why = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
        complain(f"{path} cannot be read ({why}): the findings are left out")
        return None
    return found


def _packages(folder: Path) -> SurveyOfPackages | None:
    """The survey of packages in the report's folder, where there is one."""
    from dpcheck.report.packages.document import RECORD
    from dpcheck.report.whole.records import survey_of_packages

    path = folder / RECORD
    try:
        return survey_of_packages(path) if path.is_file() else None
    except InvalidArgument as error:
        complain(f"{error}: the survey of packages is left out")
        return None


def _write(folder: Path, report: WholeReport) -> list[Path]:
    there = [str(path.relative_to(folder).as_posix()) for path in (*folder.glob("*.html"), *folder.glob("*/*.html"))]
    return list(_write_documents(folder, documents(report, sorted(there))))


def _write_documents(folder: Path, made: Iterable[tuple[str, str]]) -> Iterator[Path]:
    for name, text in made:
        path = folder / name
        try:
            disk.DISK.make_directory(path.parent)
        except OSError as error:
            raise InvalidArgument(
                f"--out must be a folder that can be written, got {str(path.parent)!r} ({error.strerror or error})"
            ) from error
        write_document("--out", path, text)
        yield path


# --- how it ended


def _exit_status(plan: Plan, report: WholeReport, progress: _Progress) -> Exit:
    """The last lines, and the status: the first that applies of those of all parts."""
    from dpcheck.report.whole.index_markdown import counted

    found = {Exit.AS_EXPECTED}
    died = {(failed.unit.paper, failed.unit.run) for failed in progress.failed.values()}
    for paper in report.papers:
        for measurement in paper.measurements:
            for outcome in unexpected_of(measurement):
                found.add(Exit.NOT_AS_EXPECTED)
                complain(
                    f"contradicted: {outcome.result or paper.paper}: {outcome.claim} ({outcome.detail}); no erratum "
                    f"says why; {measurement.command}"
                )
            if (paper.paper, measurement.key) in died:
                continue
            for detail in failures_of(measurement):
                found.add(Exit.LEARNER_FAILED)
                complain(f"{paper.paper}/{measurement.key}: a check could not be made: {detail}; {measurement.command}")
        if paper.uncovered:
            complain(f"{paper.paper}: nothing is said of {', '.join(paper.uncovered)}, which claim something")
    raised = {failed.unit.name for failed in progress.failed.values() if failed.unit.kind == "learner"}
    found |= {_exit_of_learner(learner) for learner in report.learners if learner.name not in raised}
    files = {one.paper: one.file for one in plan.papers}
    for failed in progress.failed.values():
        own = not failed.unit.file and (failed.unit.kind == "measurement" or not failed.unit.digest)
        what = f"{failed.kind}: {failed.message}" if failed.kind else failed.message
        complain(f"{failed.unit.name} could not be made: {what}")
        own = own and not failed.overdue  # a busy machine is nobody's mistake
        found.add(Exit.INTERNAL_ERROR if own else Exit.USAGE if failed.usage else Exit.LEARNER_FAILED)
    if progress.interrupted:
        found.add(Exit.INTERRUPTED)
    lines = [
        f"{paper.paper}{f' ({paper.part})' if paper.part else ''}: {_shares(paper.outcomes)}"
        for paper in report.papers
        if paper.outcomes or files
    ]
    if len(report.papers) > 1:
        words = dict.fromkeys(word for paper in report.papers for word, _ in paper.outcomes)
        summed = {word: sum(dict(paper.outcomes).get(word, 0) for paper in report.papers) for word in words}
        lines.append(f"all papers: {_shares(tuple(summed.items()))}")
    if report.learners:
        statuses: dict[str, int] = {}
        for learner in report.learners:
            statuses[learner.status] = statuses.get(learner.status, 0) + 1
        lines.append(f"learners: {counted([Count(word, count) for word, count in statuses.items()])}")
    put_words("".join(f"{line}\n" for line in lines))
    return next(status for status in FIRST_THAT_APPLIES if status in found)


def _exit_of_learner(learner: LearnerReport) -> Exit:
    if learner.status == Status.LEARNER_FAILED.value:
        complain(f"{learner.name}: {learner.problem}")
        return Exit.LEARNER_FAILED
    if learner.status == Status.VIOLATED.value and not learner.as_expected:
        complain(f"contradicted: {learner.name}: its claim of {learner.claim} is violated; {learner.command}")
        return Exit.NOT_AS_EXPECTED
    return Exit.AS_EXPECTED


def _shares(outcomes: Sequence[tuple[str, int]]) -> str:
    """Counts and shares of words.

    Examples
    --------
    >>> _shares((("holds", 3), ("not reachable", 1)))
    '3 holds (75%), 1 not reachable (25%)'
    """
    whole = sum(count for _, count in outcomes)
    return ", ".join(f"{count} {word} ({100 * count / whole:.0f}%)" for word, count in outcomes) or "nothing was run"
