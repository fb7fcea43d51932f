"""The report of a paper as one HTML file that needs nothing else: style, script and plots are inside."""

from __future__ import annotations

from markupsafe import Markup

from dpcheck.report.pages.charts import chart_svg
from dpcheck.report.pages.layout import Place, page
from dpcheck.report.pages.outcome_rows import OutcomeRow, counted, rows_of_paper
from dpcheck.report.paper.graph import graph_svg, nodes_of, unconnected
from dpcheck.report.paper.model import PaperReport
from dpcheck.report.paper.summary import (
    MEANINGS,
    by_loss,
    checked_sentence,
    headline,
    outcomes_sentence,
    owners,
    replay_command,
)
from dpcheck.report.whole.model import Count
from dpcheck.trial.model import MEANINGS as OUTCOME_MEANINGS


def render(report: PaperReport, place: Place = Place()) -> str:  # noqa: B008, a frozen value
    """The page.

    Parameters
    ----------
    report : PaperReport
    place : where the page is written and which others are there; without it there are no links to others

    Raises
    ------
    InvalidArgument
        When matplotlib is not installed.
    """
    charts = {
        f"{measurement.key}/{chart.key}": Markup(chart_svg(chart, measurement.key))
        for measurement in report.measurements
        for chart in measurement.charts
    }
    faults = by_loss(report.results)
    rows: tuple[OutcomeRow, ...] = rows_of_paper(report, place)
    return page(
        "paper.html",
        place,
        report=report,
        charts=charts,
        here={result.id: result for result in report.results},
        graph=Markup(graph_svg(nodes_of(report.results))),
        alone=unconnected(report.results),
        meanings=MEANINGS,
        outcome_meanings=tuple(OUTCOME_MEANINGS.items()),
        replay=replay_command(report),
        checked="" if report.part else checked_sentence(report),
        headline="" if report.part else headline(report),
        owners=owners(report.results),
        shares=[Count(status, count) for status, count in report.shares if count],
        rows=rows,
        outcomes=[Count(word, count) for word, count in report.outcomes if count],
        words=[count.word for count in counted(row.outcome for row in rows)],
        ran=outcomes_sentence([row.outcome for row in rows], report.not_run),
        learner_links={name: place.to(path) for name, path in report.learner_pages},
        errata=[fault for fault in faults if fault.clean],
        readings=[fault for fault in faults if not fault.clean],
    )
