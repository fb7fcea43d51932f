"""The page of the errata."""

from __future__ import annotations

from collections.abc import Sequence

from dpcheck.reporting import errata
from dpcheck.reporting.errata import CheckedPaper
from dpcheck.reporting.whole.plain_page import page_of


def render(papers: Sequence[CheckedPaper]) -> str:
    """The page."""
    return page_of("Errata", errata.render(papers))
