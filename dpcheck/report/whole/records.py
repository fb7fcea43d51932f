"""A report read back from its records: the pages are built of these, and nothing is run again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from dpcheck.model.errors import InvalidArgument
from dpcheck.model.written_json import check_types, read_json_file
from dpcheck.proof.printed import inventory_of
from dpcheck.proof.prover.formula import Formula
from dpcheck.proof.registry import Registry
from dpcheck.report import findings
from dpcheck.report.errata import CheckedPaper
from dpcheck.report.packages import document as of_packages
from dpcheck.report.packages.document import SurveyOfPackages
from dpcheck.report.paper.mathml import mathml_of, relation_mathml
from dpcheck.report.paper.model import SCHEMA as PAPER_SCHEMA
from dpcheck.report.paper.model import PaperReport
from dpcheck.report.whole.documents import WholeReport
from dpcheck.report.whole.model import (
    AUDIT_SCHEMA,
    INDEX_SCHEMA,
    LEARNER_SCHEMA,
    AuditReport,
    IndexReport,
    LearnerReport,
)

T = TypeVar("T")

#: A letter in a bound's text: a name that is not called, and not the constant e.
_LETTER = re.compile(r"\b(?!e\b)[A-Za-z_]\w*\b(?!\()")


def whole_report(folder: Path) -> WholeReport:
    """All records in a report's folder; other files there are left alone.

    Raises
    ------
    InvalidArgument
        When a record cannot be read, or the folder has none.
    """
    documents: dict[str, list[tuple[Path, dict[str, Any]]]] = {}
    for path in sorted((*folder.glob("*.json"), *folder.glob("*/*.json"))):
        found = _document(path)
        documents.setdefault(str(found.get("schema", "")), []).append((path, found))

    def records(schema: str, kind: type[T]) -> tuple[T, ...]:
        return tuple(_record(path, found, kind) for path, found in documents.get(schema, ()))

    papers = records(PAPER_SCHEMA, PaperReport)
    surveys = [found for path, found in documents.get(findings.SCHEMA, ()) if path.parent == folder]
    packages = [path for path, _ in documents.get(of_packages.SCHEMA, ()) if path == folder / of_packages.RECORD]
    indices = records(INDEX_SCHEMA, IndexReport)
    made = WholeReport(
        papers=papers,
        learners=records(LEARNER_SCHEMA, LearnerReport),
        audits=records(AUDIT_SCHEMA, AuditReport),
        errata=(("", _errata(papers)),) if any(not paper.part for paper in papers) else (),
        findings=surveys[0] if surveys else None,
        index=indices[0] if indices else None,
        packages=survey_of_packages(packages[0]) if packages else None,
    )
    if made == WholeReport():
        raise InvalidArgument(f"--from must be a folder with the records of dpcheck report, got {str(folder)!r}")
    return made


def survey_of_packages(path: Path) -> SurveyOfPackages:
    """What ``dpcheck survey FILE --output`` wrote.

    Raises
    ------
    InvalidArgument
        For a file that cannot be read, or that is no such record.
    """
    return _record(path, _document(path), SurveyOfPackages, without=())


def _document(path: Path) -> dict[str, Any]:
    try:
        found = read_json_file(path)
    except (OSError, ValueError) as error:
        why = " ".join(str(error).split())[:200]
        raise InvalidArgument(f"--from must be a folder of records, of which {path} cannot be read: {why}") from error
    return found if isinstance(found, dict) else {}


def _record(path: Path, found: dict[str, Any], kind: type[T], without: Sequence[str] = ("schema",)) -> T:
    from pydantic import TypeAdapter

    fields = {key: value for key, value in found.items() if key not in without}
    try:
        made: T = TypeAdapter(kind).validate_python(_drawn(fields) if kind is PaperReport else fields)
        check_types(fields, made)
        return made
    except Exception as error:  # a formula that is none may lead anywhere
        raise InvalidArgument(f"{path} is no such record: {' '.join(str(error).split())[:200]}") from error


def _drawn(value: Any) -> Any:
    """With the formulas of pages, which records are written without, made again of their text."""
    if isinstance(value, list):
        return [_drawn(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    made = {key: _drawn(inner) for key, inner in value.items()}
    if {"claim", "variables", "assume"} <= made.keys():
        made["mathml"] = mathml_of(Formula(made["variables"], made["assume"], made["claim"]))
    elif {"sense", "latex", "text"} <= made.keys():
        made["mathml"] = relation_mathml(tuple(dict.fromkeys(_LETTER.findall(made["text"]))), made["text"])
    return made


def _errata(papers: tuple[PaperReport, ...]) -> tuple[CheckedPaper, ...]:
    """Whole papers as the errata want them; what part of the paper a label is in, its inventory knows."""
    known = Registry().papers
    found = []
    for paper in papers:
        inventory = inventory_of(known[paper.paper]) if paper.paper in known else None
        sections = {} if inventory is None else {step.label: step.section for step in inventory.steps}
        if not paper.part:
            found.append(CheckedPaper(paper.paper, paper.title, paper.authors, paper.year, paper.results, sections))
    return tuple(found)
