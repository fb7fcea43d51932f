"""The page of a learner."""

from __future__ import annotations

from dpcheck.reporting.whole import learner_markdown
from dpcheck.reporting.whole.model import LearnerReport
from dpcheck.reporting.whole.plain_page import page_of


def render(report: LearnerReport) -> str:
    """The page."""
    return page_of(report.name, learner_markdown.render(report))
