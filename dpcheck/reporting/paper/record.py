"""The report as JSON: all that is on the page, without its pictures."""

from __future__ import annotations

from dpcheck.reporting.paper.model import SCHEMA, PaperReport
from dpcheck.reporting.schemas.documents import DRAWN
from dpcheck.reporting.whole.encoding import document


def render(report: PaperReport) -> str:
    """The JSON text."""
    return document(SCHEMA, report, DRAWN)
