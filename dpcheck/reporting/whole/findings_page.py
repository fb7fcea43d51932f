"""The page of the findings in other libraries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpcheck.reporting import findings
from dpcheck.reporting.whole.plain_page import page_of


def render(document: Mapping[str, Any]) -> str:
    """The page."""
    return page_of("Findings in other libraries", findings.render(document))
