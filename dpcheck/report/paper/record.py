"""The report as JSON: all that is on the page, without its pictures."""

from __future__ import annotations

from dpcheck.report.paper.model import SCHEMA, PaperReport
from dpcheck.report.schemas.documents import DRAWN
from dpcheck.report.whole.encoding import document


def render(report: PaperReport) -> str:
    """The JSON text."""
    return document(SCHEMA, report, DRAWN)
