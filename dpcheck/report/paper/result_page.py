"""A result of a paper as a page: what it says, what is known of it, its bound beside what was found, then its proof."""

from __future__ import annotations

from collections.abc import Sequence

from dpcheck.report.pages.layout import Place, page
from dpcheck.report.pages.outcome_rows import counted, rows_of_paper
from dpcheck.report.paper.model import PaperReport, ResultShown
from dpcheck.report.paper.parts import drawn_charts, judges_of, shared
from dpcheck.report.paper.slack import Slack, slacks_of
from dpcheck.report.paper.slack_figure import range_words, words_of
from dpcheck.report.paper.summary import faults_of, touching
from dpcheck.report.whole.paths import part_path
from dpcheck.trial.model import Chart, Measurement


def render(report: PaperReport, result: ResultShown, place: Place) -> str:
    """The page.

    Parameters
    ----------
    report : the whole paper
    result : one of its results
    place : where the page is written, and which others are there

    Raises
    ------
    InvalidArgument
        When matplotlib is not installed.
    """
    measurements = measured_of(report, result)
    first = first_chart(result, measurements)
    rows = tuple(row for row in rows_of_paper(report, place, measured_here=False) if row.outcome.result == result.id)
    loose = [
        (measurement, [(one.bound, range_words(one.least, one.most), words_of(one)) for one in slacks])
        for measurement in measurements
        if (slacks := _own(measurement, result))
    ]
    return page(
        "result.html",
        place,
        **shared(report, place),
        record=part_path(report.paper, report.part, "json"),
        charted=first is not None,
        result=result,
        here={result.id: result},
        judges=judges_of(result),
        measurements=measurements,
        first=first,
        picture=None if first is None else drawn_charts(first[0])[f"{first[0].key}/{first[1].key}"],
        loose=loose,
        rows=rows,
        outcomes=counted(row.outcome for row in rows),
        words=[count.word for count in counted(row.outcome for row in rows)],
        broken=[row for row in rows if row.outcome.broken or row.outcome.word in ("not compatible", "failed")],
        faults=[fault for fault in faults_of((result,)) if fault.step is not None],
        touched=touching(report.results)[result.id],
        not_run=next((one.reason for one in report.not_run if one.id == result.id), ""),
    )


def measured_of(report: PaperReport, result: ResultShown) -> tuple[Measurement, ...]:
    """The measurements about a result: those with an outcome of its own first, then those with most to compare."""

    def order(measurement: Measurement) -> tuple[bool, bool, bool]:
        own = any(one.result == result.id for one in measurement.outcomes)
        return not own, not slacks_of(measurement), not measurement.charts

    about = [one for one in report.measurements if result.id in one.results]
    return tuple(sorted(about, key=order))


def first_chart(result: ResultShown, measurements: Sequence[Measurement]) -> tuple[Measurement, Chart] | None:
    """The chart that shows its bound beside what was found; else the first there is."""
    charts = [(measurement, chart) for measurement in measurements for chart in measurement.charts]
    compared = [
        (measurement, chart)
        for measurement, chart in charts
        if {"bound"} < {"bound" if one.role == "bound" else "found" for one in chart.series}
    ]
    return next(iter((*compared, *charts)), None)


def _own(measurement: Measurement, result: ResultShown) -> tuple[Slack, ...]:
    """What is said of its looseness: what is measured of others beside it is theirs."""
    return tuple(one for one in slacks_of(measurement) if one.result == result.id)
