"""The index of a report, made of the records of its parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from dpcheck.report.paper.model import PaperReport, ResultShown
from dpcheck.report.paper.summary import faults_of
from dpcheck.report.whole.model import (
    WORDS,
    AuditLine,
    AuditReport,
    Count,
    FindingsLine,
    IndexReport,
    LearnerLine,
    LearnerReport,
    Missing,
    PaperLine,
    PlacedOutcome,
    TheoremLine,
)
from dpcheck.report.whole.papers import words_counted
from dpcheck.report.whole.paths import audit_path, learner_path, part_path
from dpcheck.report.whole.units import Level
from dpcheck.report.whole.version import installed_version
from dpcheck.trial.claims import claims_run
from dpcheck.trial.model import Measurement, Outcome

TITLE = "Claims of differential privacy and learning, checked"
#: The pages of the errata and of the findings, from the report's folder.
ERRATA_PAGE, FINDINGS_PAGE = "errata.html", "findings.html"


def index_report(
    papers: Sequence[PaperReport],
    learners: Sequence[LearnerReport],
    audits: Sequence[AuditReport],
    findings: Mapping[str, Any] | None,
    *,
    level: Level,
    command: str,
    errata_page: str,
    missing: Sequence[Missing] = (),
) -> IndexReport:
    """The index.

    Parameters
    ----------
    papers, learners, audits : the records of its parts, in the order of the index
    findings : the survey's document, None where there is none
    level, command : how the report was made
    errata_page : where the errata are; empty for nowhere
    missing : what an interrupted run did not come to
    """
    lines = tuple(_paper(report, level) for report in papers)
    return IndexReport(
        title=TITLE,
        papers=lines,
        theorems=tuple(_theorem(report, result) for report in papers for result in report.results),
        learners=tuple(_learner(report) for report in learners),
        audits=tuple(_audit(report) for report in audits),
        findings=None if findings is None else _findings(findings),
        outcomes=_summed(lines),
        contradicted=tuple(one for report in papers for one in placed(report, ("contradicted", "not compatible"))),
        failed=(
            *(
                Missing(f"{report.paper}/{measurement.key}", detail)
                for report in papers
                for measurement in report.measurements
                for detail in failures_of(measurement)
            ),
            *(Missing(report.name, report.problem) for report in learners if report.problem),
        ),
        missing=tuple(missing),
        errata_page=errata_page,
        version=installed_version(),
        command=command,
        seed=level.seed,
        quick=level.quick,
        seconds=sum(each.seconds for each in papers) + sum(each.seconds for each in learners),
    )


def placed(report: PaperReport, words: Sequence[str] = ()) -> tuple[PlacedOutcome, ...]:
    """The outcomes of a paper's measurements with where they stand; those of some words where any are named."""
    page = part_path(report.paper, report.part)
    return tuple(
        PlacedOutcome(report.paper, measurement.key, measurement.title, outcome, page, measurement.command)
        for measurement in report.measurements
        for outcome in measurement.outcomes
        if not words or outcome.word in words
    )


def with_outcomes(report: LearnerReport, papers: Sequence[PaperReport]) -> LearnerReport:
    """A learner's record with the outcomes of the papers' measurements that name it."""
    named = tuple(one for paper in papers for one in placed(paper) if one.outcome.learner == report.name)
    return replace(report, outcomes=named)


def _counts(pairs: Sequence[tuple[str, int]]) -> tuple[Count, ...]:
    return tuple(Count(word, count) for word, count in pairs if count)


def _summed(lines: Sequence[PaperLine]) -> tuple[Count, ...]:
    """How many claims of all papers have each word."""
    counts = Counter({count.word: 0 for line in lines for count in line.outcomes})
    for line in lines:
        counts.update({count.word: count.count for count in line.outcomes})
    return tuple(Count(word, counts[word]) for word in WORDS if counts[word])


def _paper(report: PaperReport, level: Level) -> PaperLine:
    faults = faults_of(report.results)
    made = [one for measurement in report.measurements for one in measurement.outcomes]
    statuses = Counter(one.status for one in report.results if one.status != "STATED")
    return PaperLine(
        paper=report.paper,
        title=report.title,
        authors=report.authors,
        year=report.year,
        page=part_path(report.paper, report.part),
        proofs=_counts(report.shares),
        steps=sum(count for _, count in report.shares),
        statements=tuple(Count(status, count) for status, count in statuses.most_common()),
        outcomes=_counts(report.outcomes),
        measurements=len(report.measurements),
        errata=sum(fault.clean for fault in faults),
        readings=sum(not fault.clean for fault in faults),
        uncovered=report.uncovered,
        trials=sum(measurement.trials for measurement in report.measurements),
        seconds=report.seconds,
        command=report.command,
        slacks=tuple(sorted(one.slack for one in made if one.slack is not None and one.kind == "upper bound")),
        explained=sum(
            claim.word == "contradicted" and all(one.expected for one in claim.outcomes if one.broken)
            for claim in claims_run(made)
        ),
        definitions=report.paper_steps - sum(count for _, count in report.shares),
        instances=len(made),
    )


def _theorem(report: PaperReport, result: ResultShown) -> TheoremLine:
    about = [one for each in report.measurements for one in each.outcomes if one.result == result.id]
    reasons = {one.id: one.reason for one in report.not_run}
    return TheoremLine(
        id=result.id,
        paper=report.paper,
        short=result.short,
        kind=result.kind,
        title=result.title,
        status=result.status,
        proof=result.proof,
        repaired=result.repaired,
        outcomes=_counts(words_counted(about)),
        not_run=reasons.get(result.id, ""),
        rests_on=result.rests_on,
        used_by=result.used_by,
        page=part_path(report.paper, report.part),
        command=result.command,
    )


def _learner(report: LearnerReport) -> LearnerLine:
    return LearnerLine(
        name=report.name,
        title=report.title,
        paper=report.paper,
        claim=report.claim,
        status=report.status,
        as_expected=report.as_expected,
        loss=report.loss_words,
        how=report.how,
        page=learner_path(report.name),
        command=report.command,
    )


def _audit(report: AuditReport) -> AuditLine:
    return AuditLine(
        report.name,
        report.target,
        report.claim,
        report.status,
        report.epsilon_lower,
        audit_path(report.name),
        report.command,
    )


def _findings(document: Mapping[str, Any]) -> FindingsLine:
    subjects = document["subjects"]
    statuses = [[result["status"] for result in one["results"]] for one in subjects]
    return FindingsLine(
        libraries=tuple(f"{one['name']} {one['version']}" for one in document["libraries"]),
        subjects=len(subjects),
        violated=sum("violated" in found for found in statuses),
        as_expected=sum(
            bool(found) and all(status == one["expected"] for status in found)
            for found, one in zip(statuses, subjects, strict=True)
        ),
        page=FINDINGS_PAGE,
        command=f"{document['command']} --output reports",
    )


def unexpected(outcome: Outcome) -> bool:
    """Whether a claim is contradicted, itself or in the check made instead, and no erratum says why."""
    return outcome.broken and not outcome.expected


def failures_of(measurement: Measurement) -> tuple[str, ...]:
    """What went wrong in a measurement, wherever among its outcomes it stands; each thing once."""
    return tuple(dict.fromkeys(one.detail for one in measurement.outcomes if one.word == "failed"))


def unexpected_of(measurement: Measurement) -> tuple[Outcome, ...]:
    """The outcomes of a measurement for which a report ends with status 1."""
    return tuple(one for one in measurement.outcomes if unexpected(one))
