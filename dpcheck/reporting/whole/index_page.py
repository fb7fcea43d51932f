"""The page of the index."""

from __future__ import annotations

from dpcheck.reporting.whole import index_markdown
from dpcheck.reporting.whole.model import IndexReport
from dpcheck.reporting.whole.plain_page import page_of


def render(report: IndexReport) -> str:
    """The page."""
    return page_of(report.title, index_markdown.render(report))
