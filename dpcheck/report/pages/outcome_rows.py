"""Outcomes as rows of a table, with the links of each row and its command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dpcheck.report.pages.layout import Place
from dpcheck.report.paper.model import PaperReport
from dpcheck.report.whole.model import WORDS, Count, PlacedOutcome
from dpcheck.report.whole.paths import part_path
from dpcheck.trial.model import Outcome


@dataclass(frozen=True)
class OutcomeRow:
    """An outcome; ``order`` is its word's place, by which rows are sorted; links are empty where they lead nowhere."""

    outcome: Outcome
    order: int
    result_link: str
    measurement: str
    measurement_link: str
    learner_link: str
    command: str


def counted(outcomes: Iterable[Outcome]) -> tuple[Count, ...]:
    """How many there are of each word, in the order of words; words that do not occur are left out."""
    found = Counter(outcome.word for outcome in outcomes)
    return tuple(Count(word, found[word]) for word in WORDS if found[word])


def rows_of_paper(report: PaperReport, place: Place, *, measured_here: bool = True) -> tuple[OutcomeRow, ...]:
    """All outcomes of a paper, in the order of its measurements, linked to the pages that there are."""
    here = {result.id for result in report.results}
    pages = dict(report.learner_pages)
    return tuple(
        OutcomeRow(
            outcome,
            _order(outcome),
            _result_link(outcome.result, outcome.result in here, place),
            measurement.title,
            place.to_measurement(report.paper, measurement.key)
            or (f"#measure-{measurement.key}" if measured_here else ""),
            place.to(pages.get(outcome.learner, "")),
            measurement.command or report.command,
        )
        for measurement in report.measurements
        for outcome in measurement.outcomes
    )


def rows_of_placed(outcomes: Sequence[PlacedOutcome], place: Place) -> tuple[OutcomeRow, ...]:
    """Outcomes of several papers, linked to the papers' pages."""
    return tuple(
        OutcomeRow(
            one.outcome,
            _order(one.outcome),
            place.to_result(one.outcome.result),
            one.title,
            place.to_measurement(one.paper, one.measurement)
            or place.to(one.page.partition("#")[0], f"measure-{one.measurement}"),
            place.to_learner(one.outcome.learner) if one.outcome.learner else "",
            one.command,
        )
        for one in outcomes
    )


def _result_link(id: str, here: bool, place: Place) -> str:
    """Where a result stands: on a page of its own, else on this one, else on its paper's."""
    paper, _, short = id.partition(":")
    return place.to(part_path(paper, short)) or (f"#{short}" if here else place.to_result(id))


def _order(outcome: Outcome) -> int:
    return WORDS.index(outcome.word)
