"""A recorded audit or measurement as a page."""

from __future__ import annotations

from dpcheck.report.pages.layout import Place, page
from dpcheck.report.pages.privacy_charts import drawn
from dpcheck.report.whole.model import AuditReport
from dpcheck.report.whole.paths import audit_path


def render(report: AuditReport, place: Place = Place()) -> str:  # noqa: B008, a frozen value
    """The page; ``place`` says where it is written and which pages it can lead to.

    Raises
    ------
    InvalidArgument
        When matplotlib is not installed.
    """
    pictures = drawn(report.curves)
    return page(
        "audit.html",
        place,
        record=audit_path(report.name, "json"),
        report=report,
        drawn=pictures,
        charted=bool(pictures),
    )
