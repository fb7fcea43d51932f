"""A measurement of a paper's claims as a page: what was asked and found, its charts, and what came of each claim."""

from __future__ import annotations

from dpcheck.report.pages.layout import Place, page
from dpcheck.report.pages.outcome_rows import counted
from dpcheck.report.paper.model import PaperReport
from dpcheck.report.paper.parts import drawn_charts, shared
from dpcheck.report.paper.slack import slacks_of, spread_of
from dpcheck.report.paper.slack_figure import range_words, words_of
from dpcheck.report.whole.paths import part_path
from dpcheck.trial.model import Measurement


def render(report: PaperReport, measurement: Measurement, place: Place) -> str:
    """The page.

    Parameters
    ----------
    report : the whole paper
    measurement : one of its measurements
    place : where the page is written, and which others are there

    Raises
    ------
    InvalidArgument
        When matplotlib is not installed.
    """
    slacks = slacks_of(measurement)
    spread = spread_of(slacks)
    return page(
        "measurement.html",
        place,
        **shared(report, place),
        record=part_path(report.paper, report.part, "json"),
        charted=bool(measurement.charts),
        here={},
        measurement=measurement,
        charts=drawn_charts(measurement),
        loose="" if spread is None else range_words(*spread),
        slacks=[words_of(one) for one in slacks],
        outcomes=counted(measurement.outcomes),
    )
