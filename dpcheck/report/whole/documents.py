"""The files of a report: each record as a page, as Markdown and as JSON, by its path from the report's folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpcheck.report import errata, findings
from dpcheck.report.errata import CheckedPaper
from dpcheck.report.packages import document as of_packages
from dpcheck.report.packages import markdown as packages_markdown
from dpcheck.report.packages import page as packages_page
from dpcheck.report.paper.model import PaperReport
from dpcheck.report.whole import (
    audit_markdown,
    audit_page,
    errata_page,
    findings_page,
    index_markdown,
    index_page,
    learner_markdown,
    learner_page,
)
from dpcheck.report.whole.encoding import document
from dpcheck.report.whole.index import ERRATA_PAGE, FINDINGS_PAGE
from dpcheck.report.whole.model import (
    AUDIT_SCHEMA,
    INDEX_SCHEMA,
    LEARNER_SCHEMA,
    AuditReport,
    IndexReport,
    LearnerReport,
)
from dpcheck.report.whole.paths import audit_path, file_name, learner_path, part_path


@dataclass(frozen=True)
class WholeReport:
    """All records of a run.

    ``errata`` are the papers of the errata with the folder they are in ("" for the report's own).
    """

    papers: tuple[PaperReport, ...] = ()
    learners: tuple[LearnerReport, ...] = ()
    audits: tuple[AuditReport, ...] = ()
    errata: tuple[tuple[str, tuple[CheckedPaper, ...]], ...] = ()
    findings: Mapping[str, Any] | None = None
    index: IndexReport | None = None
    packages: of_packages.SurveyOfPackages | None = None


def documents(report: WholeReport, others: Sequence[str] = (), *, records: bool = True) -> Iterator[tuple[str, str]]:
    """Each file's path from the report's folder, and its text; the index comes last.

    Links lead to the pages of this report, to the ``records`` of their numbers, where these are written too, and to
    ``others``, which an earlier run left in the folder.
    """
    from dpcheck.report.pages.asked_charts import CHARTS_SCRIPT, charts_script
    from dpcheck.report.pages.layout import Place
    from dpcheck.report.paper import markdown, measurement_page, page, record, result_page
    from dpcheck.report.paper.parts import part_pages

    pages = tuple(dict.fromkeys((CHARTS_SCRIPT, *paths(report), *(records_of(report) if records else ()), *others)))
    parts = {path for paper in report.papers for path in part_pages(paper)}

    def at(path: str) -> Place:
        return Place(path, pages)

    yield CHARTS_SCRIPT, charts_script()
    for paper in report.papers:
        path = part_path(paper.paper, paper.part)
        if path not in parts:  # a part's own page, where the whole paper is not in the report
            yield path, page.render(paper, at(path))
        split = set(part_pages(paper))
        for result in paper.results:
            own = part_path(paper.paper, result.short)
            if own in split:
                split.remove(own)
                yield own, result_page.render(paper, result, at(own))
        for measurement in paper.measurements:
            own = part_path(paper.paper, measurement.key)
            if own in split:
                split.remove(own)
                yield own, measurement_page.render(paper, measurement, at(own))
        yield part_path(paper.paper, paper.part, "md"), markdown.render(paper)
        yield part_path(paper.paper, paper.part, "json"), record.render(paper)
    for learner in report.learners:
        path = learner_path(learner.name)
        yield path, learner_page.render(learner, at(path))
        yield learner_path(learner.name, "md"), learner_markdown.render(learner)
        yield learner_path(learner.name, "json"), document(LEARNER_SCHEMA, learner)
    for audit in report.audits:
        path = audit_path(audit.name)
        yield path, audit_page.render(audit, at(path))
        yield audit_path(audit.name, "md"), audit_markdown.render(audit)
        yield audit_path(audit.name, "json"), document(AUDIT_SCHEMA, audit)
    for folder, papers in report.errata:
        prefix = f"{file_name(folder)}/" if folder else ""
        path = f"{prefix}{ERRATA_PAGE}"
        yield path, errata_page.render(papers, at(path))
        yield f"{prefix}errata.md", errata.render(papers)
    if report.findings is not None:
        yield FINDINGS_PAGE, findings_page.render(report.findings, at(FINDINGS_PAGE))
        yield "findings.md", findings.render(report.findings)
    if report.packages is not None:
        yield of_packages.PAGE, packages_page.render(report.packages, at(of_packages.PAGE))
        yield of_packages.MARKDOWN, packages_markdown.render(report.packages)
    if report.index is not None:
        yield "index.html", index_page.render(report.index, at("index.html"), report.papers, report.packages)
        yield "index.md", index_markdown.render(report.index, report.packages)
        yield "index.json", document(INDEX_SCHEMA, report.index)


def paths(report: WholeReport) -> Sequence[str]:
    """The pages of a report, by their paths from its folder."""
    from dpcheck.report.paper.parts import part_pages

    found = [part_path(paper.paper, paper.part) for paper in report.papers]
    found += [path for paper in report.papers for path in part_pages(paper) if path not in found]
    found += [learner_path(learner.name) for learner in report.learners]
    found += [audit_path(audit.name) for audit in report.audits]
    found += [f"{file_name(folder)}/{ERRATA_PAGE}" if folder else ERRATA_PAGE for folder, _ in report.errata]
    return [
        *found,
        *([FINDINGS_PAGE] if report.findings is not None else []),
        *([of_packages.PAGE] if report.packages is not None else []),
        *(["index.html"] if report.index is not None else []),
    ]


def records_of(report: WholeReport) -> Sequence[str]:
    """The files that have the numbers of pages, by their paths from the report's folder."""
    return [
        *(part_path(paper.paper, paper.part, "json") for paper in report.papers),
        *(learner_path(learner.name, "json") for learner in report.learners),
        *(audit_path(audit.name, "json") for audit in report.audits),
        *(["index.json"] if report.index is not None else []),
    ]
