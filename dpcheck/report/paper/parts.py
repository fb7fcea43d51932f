"""What the pages of a paper share: its links, its charts drawn once, and which pages it is split into."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from dpcheck.report.pages.charts import chart_svg
from dpcheck.report.pages.layout import Place
from dpcheck.report.paper.model import DerivationShown, FormulaShown, PaperReport, ResultShown
from dpcheck.report.paper.summary import owners
from dpcheck.report.whole.paths import part_path
from dpcheck.trial.model import Chart, Measurement

#: So many drawn charts are kept: a result's page shows one of the charts of a measurement's.
_KEPT = 512


def part_pages(report: PaperReport) -> tuple[str, ...]:
    """The pages that a whole paper is split into beside its own: one for each result, one for each measurement.

    A report of one part is a single page.
    """
    if report.part:
        return ()
    shorts = tuple(result.short for result in report.results)
    keys = tuple(measurement.key for measurement in report.measurements if measurement.key not in shorts)
    own = part_path(report.paper)
    return tuple(
        path for path in dict.fromkeys(part_path(report.paper, part) for part in (*shorts, *keys)) if path != own
    )


def shared(report: PaperReport, place: Place) -> dict[str, Any]:
    """What the templates of a paper's pages are all given."""
    return {
        "report": report,
        "owners": owners(report.results),
        "known": {result.id: result for result in report.results},
        "learner_links": {name: place.to(path) for name, path in report.learner_pages},
    }


def drawn_charts(measurement: Measurement) -> Mapping[str, Markup]:
    """The charts of a measurement as pictures, by the measurement's key and their own.

    Raises
    ------
    InvalidArgument
        When matplotlib is not installed.
    """
    return {f"{measurement.key}/{chart.key}": _drawn(chart, measurement.key) for chart in measurement.charts}


@lru_cache(maxsize=_KEPT)
def _drawn(chart: Chart, within: str) -> Markup:
    return Markup(chart_svg(chart, within))


def judges_of(result: ResultShown) -> tuple[tuple[str, int], ...]:
    """Who else agrees with the checker on the formulas of a result and its proof, and on how many of them."""
    return tuple(Counter(one.judges for one in _formulas(result) if one.judges).most_common())


def _formulas(result: ResultShown) -> Iterator[FormulaShown]:
    yield from (*result.claims, *result.against)
    yield from _of(result.derivation)
    for step in result.steps:
        yield from (*step.formulas, *step.against)
        yield from _of(step.derivation)
        if step.repair is not None:
            yield from step.repair.formulas
            yield from _of(step.repair.derivation)


def _of(derivation: DerivationShown | None) -> Iterator[FormulaShown]:
    if derivation is not None:
        for line in (*derivation.given, *derivation.lines):
            yield from line.formulas
