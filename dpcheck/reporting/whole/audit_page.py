"""The page of an audit."""

from __future__ import annotations

from dpcheck.reporting.whole import audit_markdown
from dpcheck.reporting.whole.model import AuditReport
from dpcheck.reporting.whole.plain_page import page_of


def render(report: AuditReport) -> str:
    """The page."""
    return page_of(report.name, audit_markdown.render(report))
