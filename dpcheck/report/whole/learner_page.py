"""A learner's report as a page."""

from __future__ import annotations

from dpcheck.report.pages.layout import Place, page
from dpcheck.report.pages.outcome_rows import counted, rows_of_placed
from dpcheck.report.pages.privacy_charts import drawn
from dpcheck.report.whole.model import LearnerReport
from dpcheck.report.whole.paths import learner_path


def render(report: LearnerReport, place: Place = Place()) -> str:  # noqa: B008, a frozen value
    """The page; ``place`` says where it is written and which pages it can lead to.

    Raises
    ------
    InvalidArgument
        When matplotlib is not installed.
    """
    return page(
        "learner.html",
        place,
        record=learner_path(report.name, "json"),
        report=report,
        summary=_summary(report),
        rows=rows_of_placed(report.outcomes, place),
        outcomes=counted(one.outcome for one in report.outcomes),
        drawn=(pictures := drawn(report.curves)),
        charted=bool(pictures),
    )


def _summary(report: LearnerReport) -> str:
    """The loss beside the claim, in one sentence; the words of the loss say at which delta it is."""
    if report.loss is None or not report.loss_words:
        return ""
    claimed = f"; claimed is {report.claim}" if report.claim else "; it claims nothing"
    if report.exact:
        return f"The largest loss over all pairs is {report.loss_words}{claimed}."
    return f"The certified loss is {report.loss_words}{claimed}."
