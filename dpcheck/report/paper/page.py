"""The report of a paper as a page: its index where results have pages of their own, else all of it on one page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from dpcheck.report.errata import SEVERITIES
from dpcheck.report.pages.layout import Place, page, unique
from dpcheck.report.pages.outcome_rows import OutcomeRow, counted, rows_of_paper
from dpcheck.report.paper.graph import graph_svg, nodes_of, unconnected
from dpcheck.report.paper.model import PaperReport, ResultShown
from dpcheck.report.paper.parts import drawn_charts, part_pages, shared
from dpcheck.report.paper.slack import slacks_of, spread_of
from dpcheck.report.paper.slack_figure import SlackRow, loose_words, slack_svg
from dpcheck.report.paper.summary import (
    MEANINGS,
    Fault,
    by_loss,
    checked_sentence,
    headline,
    outcomes_sentence,
    replay_command,
)
from dpcheck.report.whole.model import Count
from dpcheck.report.whole.paths import part_path
from dpcheck.trial.model import MEANINGS as OUTCOME_MEANINGS


@dataclass(frozen=True)
class ResultRow:
    """A result on the index of its paper: what came of it, and how loose the bounds of its measurements are."""

    result: ResultShown
    link: str
    outcomes: tuple[Count, ...]
    loose: str
    largest: float
    steps: tuple[Count, ...]


def render(report: PaperReport, place: Place = Place()) -> str:  # noqa: B008, a frozen value
    """The page.

    Parameters
    ----------
    report : PaperReport
    place : where the page is written and which others are there; where the pages of results are not among them, all of
        the paper stands on this one

    Raises
    ------
    InvalidArgument
        When matplotlib is not installed.
    """
    split = any(place.to(path) for path in part_pages(report))
    charts = {} if split else {key: svg for one in report.measurements for key, svg in drawn_charts(one).items()}
    faults = by_loss(report.results)
    rows: tuple[OutcomeRow, ...] = rows_of_paper(report, place)
    return page(
        "paper.html" if split else "paper_whole.html",
        place,
        **shared(report, place),
        record=part_path(report.paper, report.part, "json"),
        charted=bool(charts),
        charts=charts,
        here={} if split else {result.id: result for result in report.results},
        graph=Markup(graph_svg(nodes_of(report.results, place if split else None))),
        alone=unconnected(report.results),
        meanings=MEANINGS,
        outcome_meanings=tuple(OUTCOME_MEANINGS.items()),
        replay=replay_command(report),
        checked="" if report.part else checked_sentence(report),
        headline="" if report.part else headline(report),
        shares=[Count(status, count) for status, count in report.shares if count],
        rows=rows,
        outcomes=[Count(word, count) for word, count in report.outcomes if count],
        words=[count.word for count in counted(row.outcome for row in rows)],
        ran=outcomes_sentence([row.outcome for row in rows], report.not_run),
        errata=[fault for fault in faults if fault.clean],
        readings=[fault for fault in faults if not fault.clean],
        severities=_by_severity(faults),
        severity_meanings=SEVERITIES,
        results=_result_rows(report, rows, place),
        slack=Markup(slack_svg(_slack_rows(report, place))),
    )


def _slack_rows(report: PaperReport, place: Place) -> list[SlackRow]:
    """A row for each measurement that sets a bound against what was found, the loosest first."""
    made = [
        SlackRow(
            ", ".join(unique(one.result.partition(":")[2] for one in slacks if one.result)) or measurement.title,
            measurement.title,
            place.to_measurement(report.paper, measurement.key) or f"#measure-{measurement.key}",
            slacks,
        )
        for measurement in report.measurements
        for slacks in (slacks_of(measurement),)
    ]
    return sorted((row for row in made if row.slacks), key=lambda row: -max(one.most for one in row.slacks))


def _result_rows(report: PaperReport, rows: tuple[OutcomeRow, ...], place: Place) -> tuple[ResultRow, ...]:
    found = []
    every = [slack for one in report.measurements for slack in slacks_of(one)]
    for result in report.results:
        slacks = [slack for slack in every if slack.result == result.id]
        spread = spread_of(slacks)
        counts = Counter(step.status for step in result.steps if step.status != "STATED")
        found.append(
            ResultRow(
                result,
                place.to_result(result.id),
                counted(row.outcome for row in rows if row.outcome.result == result.id),
                loose_words(slacks),
                0.0 if spread is None else spread[1],
                tuple(Count(status, counts[status]) for status, _ in MEANINGS if counts[status]),
            )
        )
    return tuple(found)


def _by_severity(faults: tuple[Fault, ...]) -> Mapping[str, list[Fault]]:
    """What is refuted, the gravest first."""
    found: dict[str, list[Fault]] = {}
    for fault in faults:
        found.setdefault(fault.severity, []).append(fault)
    return found
