"""A paper's report from what was run: which units there are, and the record that their measurements make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dpcheck.proof.printed import inventory_of
from dpcheck.proof.registry import Registry
from dpcheck.proof.statement import Paper, Status
from dpcheck.proof.status import claims_of, shares
from dpcheck.report.errata import CheckedPaper
from dpcheck.report.paper.model import NotRun, PaperReport, ResultShown, Unmeasured
from dpcheck.report.paper.results import results_of
from dpcheck.report.whole.model import WORDS
from dpcheck.report.whole.units import Level, Unit, command_of, digest_of_file, limit_of
from dpcheck.report.whole.version import installed_version
from dpcheck.report.whole.workers import Failed
from dpcheck.trial.claims import claims_run
from dpcheck.trial.coverage import entries_to_cover
from dpcheck.trial.measurements import make, not_run, runs_of
from dpcheck.trial.model import Measurement, Outcome
from dpcheck.trial.run import Run


@dataclass(frozen=True)
class PaperTarget:
    """A paper, or a part of it, that is to be reported.

    Parameters
    ----------
    paper : its key
    part : short id of an entry or key of a measurement; empty for all of it
    runs : keys of its measurements that are wanted, in the paper's order
    results : ids that are shown; none for all
    file : of a paper that a user declares
    """

    paper: str
    part: str
    runs: tuple[str, ...]
    results: tuple[str, ...] = ()
    file: str = ""

    @property
    def source(self) -> str:
        """By which its measurements are found."""
        return self.file or self.paper

    @property
    def name(self) -> str:
        """Of its files, in a folder that is named for the paper."""
        return self.part or self.paper


def units_of(target: PaperTarget, level: Level) -> tuple[Unit, ...]:
    """The units of work of a paper's report."""
    digest = digest_of_file(Path(target.file)) if target.file else ""
    place = 0 if level.quick else 1
    return tuple(
        Unit(
            "measurement",
            f"{target.paper}/{run.key}",
            tuple(run.results),
            run.seconds[place],
            target.file,
            digest,
            target.paper,
            run.key,
            limit_of(run.seconds[place], level),
        )
        for run in runs_of(target.source)
        if run.key in target.runs
    )


def unit_command(unit: Unit, level: Level) -> str:
    """What makes a measurement's numbers again: of a user's paper its file, as a whole."""
    return command_of([f"{shown_path(unit.file) if unit.file else unit.paper}/{unit.run}"], level)


def shown_path(file: str) -> str:
    """A file as seen from here, where that is shorter: a report names no folder of the machine that made it."""
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else path.name


def make_measurement(unit: Unit, level: Level) -> Measurement:
    """Make a unit's measurement, in whatever process this is called."""
    found = make(unit.file or unit.paper, unit.run, seed=level.seed, quick=level.quick)
    return replace(found, command=unit_command(unit, level))


def failed_measurement(failed: Failed, level: Level) -> Measurement:
    """What stands in a report for a measurement that could not be made."""
    unit = failed.unit
    key = unit.run
    what = f"{failed.kind}: {failed.message}" if failed.kind else failed.message
    outcomes = tuple(
        Outcome("failed", f"{id}: what this measurement checks of it", f"it could not be made: {what}", id, "number")
        for id in unit.results
    )
    return Measurement(
        key,
        f"{key.replace('-', ' ')}: it could not be made",
        unit.results,
        "What was to be measured is not said, as the measurement did not end.",
        f"It ended with {what}.",
        "Nothing was measured.",
        outcomes=outcomes,
        quick=level.quick,
        seconds=failed.seconds,
        command=unit_command(unit, level),
    )


@dataclass(frozen=True)
class Checked:
    """A paper with its results evaluated, once for all reports of a run."""

    paper: Paper
    results: tuple[ResultShown, ...]
    shares: tuple[tuple[str, int], ...]
    formulas: int
    replayed: int

    def errata(self) -> CheckedPaper:
        """As the errata want it."""
        inventory = inventory_of(self.paper)
        return CheckedPaper(
            self.paper.key,
            self.paper.title,
            () if inventory is None else inventory.authors,
            0 if inventory is None else inventory.year,
            self.results,
            {} if inventory is None else {step.label: step.section for step in inventory.steps},
        )


def checked(registry: Registry, key: str, file: str = "") -> Checked:
    """Replay a paper's certificates, and evaluate all of its results; ``file`` is the user's that declares it."""
    paper, evaluation = registry.paper(key), registry.evaluations[key]
    claims = [evaluation.claim(claim) for claim in claims_of(paper)]
    counts = shares(evaluation.step(step.label) for step in paper.steps)
    return Checked(
        paper,
        tuple(
            replace(one, command=_of_file(one.command, file), evaluate=_of_file(one.evaluate, file))
            for one in results_of(paper, evaluation)
        ),
        tuple((status.value, count) for status, count in counts.items()),
        len(claims),
        sum(found.status is not Status.UNDECIDED for found in claims),
    )


def paper_report(
    known: Checked,
    target: PaperTarget,
    made: Mapping[str, Measurement],
    level: Level,
    *,
    command: str,
    learner_pages: Sequence[tuple[str, str]] = (),
) -> PaperReport:
    """The record of a paper, with the measurements that are there (by key); what is missing is named."""
    paper = known.paper
    inventory = inventory_of(paper)
    wanted: list[Run] = [run for run in runs_of(target.source) if run.key in target.runs]
    measurements = tuple(made[run.key] for run in wanted if run.key in made)
    reasons = not_run(target.source)
    results = tuple(one for one in known.results if not target.part or one.id in target.results)
    shown = {one.id for one in results}
    return PaperReport(
        paper=paper.key,
        title=paper.title,
        authors=() if inventory is None else inventory.authors,
        year=0 if inventory is None else inventory.year,
        version=installed_version(),
        command=command,
        seed=level.seed,
        quick=level.quick,
        shares=known.shares,
        paper_steps=len(paper.steps),
        formulas=known.formulas,
        replayed=known.replayed,
        results=results,
        measurements=measurements,
        seconds=sum(one.seconds for one in measurements),
        outcomes=words_counted(one for each in measurements for one in each.outcomes),
        instances=sum(len(each.outcomes) for each in measurements),
        not_run=tuple(NotRun(id, reason) for id, reason in reasons.items() if id in shown),
        uncovered=() if target.part else _uncovered(paper, wanted, measurements, reasons),
        missing=tuple(Unmeasured(run.key, tuple(run.results)) for run in wanted if run.key not in made),
        part=target.part,
        learner_pages=tuple(learner_pages),
    )


def _of_file(command: str, file: str) -> str:
    """A command of dpcheck theorems about a paper that stands in a user's file."""
    from shlex import quote

    if not file:
        return command
    return command.replace("dpcheck theorems ", f"dpcheck theorems --from {quote(shown_path(file))} ", 1)


def words_counted(outcomes: Iterable[Outcome]) -> tuple[tuple[str, int], ...]:
    """How many claims there are of each word, in the order of the words; a claim on several instances is one.

    Examples
    --------
    >>> words_counted([Outcome("undecided", "a", ""), Outcome("holds", "b", "1"), Outcome("holds", "b", "2")])
    (('holds', 1), ('undecided', 1))
    """
    counts = Counter(claim.word for claim in claims_run(outcomes))
    return tuple((word, counts[word]) for word in WORDS if counts[word])


def _uncovered(
    paper: Paper, wanted: Sequence[Run], measurements: Sequence[Measurement], reasons: Mapping[str, str]
) -> tuple[str, ...]:
    """Entries that claim something, and of which neither an outcome nor a run that is still to come says anything."""
    missing = {run.key for run in wanted} - {each.key for each in measurements}
    said = {outcome.result for each in measurements for outcome in each.outcomes} | set(reasons)
    said |= {id for run in wanted if run.key in missing for id in run.results}
    return tuple(id for id in entries_to_cover(paper) if id not in said)
