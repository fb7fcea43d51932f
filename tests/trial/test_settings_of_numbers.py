"""A number of a page can be taken again from the page: every setting of it stands there, and so does what makes it."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction

import pytest

from dpcheck.papers.alon2019.theorems.bounds import BOUNDS
from dpcheck.proof import bounds
from dpcheck.proof.bounds import value_of
from dpcheck.report.pages.layout import Place
from dpcheck.report.paper import markdown, measurement_page, record
from dpcheck.trial.page import Page, Plot
from dpcheck.trial.rows import Findings, bound
from dpcheck.trial.run import Run
from tests.handmade_reports import MEASUREMENT, PAPER

SIZES = (10, 20)


def measured(seed: int, quick: bool) -> Findings:
    """A chart of n alone, of a bound that takes more than n."""
    limits = [float(value_of(BOUNDS["cover_failure"], accuracy=0.25, public=n, vc=1)) for n in SIZES]
    return Findings(bound("limit", limits, n=list(SIZES)), (), "It falls.", {"mass": Fraction(1, 3), "points": [1, 2]})


PAGE = Page("Limits", "mass {mass}", (Plot("limit", "Limit", "n", "probability", scale="linear"),))


def test_every_setting_is_kept_with_all_its_values() -> None:
    made = Run("limits", ("alon2019:lem-3.3",), measured, page=PAGE).made(1, True)
    source = BOUNDS["cover_failure"].source
    assert {one.name: one.values for one in made.settings} == {
        "mass": ("1/3",),
        "n": ("10", "20"),
        f"accuracy in the bound {source}, alpha there": ("0.25",),
        f"public in the bound {source}, n_pub there": ("10", "20"),
        f"vc in the bound {source}, d there": ("1",),
    }


def test_a_number_of_the_chart_is_computed_again_from_them_alone() -> None:
    made = Run("limits", ("alon2019:lem-3.3",), measured, page=PAGE).made(1, True)
    kept = {one.name.split(" in ")[0]: one.values for one in made.settings if " in the bound " in one.name}
    series = made.charts[0].series[0]
    for number, y in enumerate(series.y):
        values = {name: one[number] if len(one) > 1 else one[0] for name, one in kept.items()}
        assert float(value_of(BOUNDS["cover_failure"], **values)) == y


def test_a_run_that_nobody_listens_to_loses_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "evaluations_heard", lambda: nullcontext(()))
    made = Run("limits", ("alon2019:lem-3.3",), measured, page=PAGE).made(1, True)
    assert not any("vc" in one.name for one in made.settings)


def test_they_stand_on_the_page_in_the_markdown_and_in_the_json() -> None:
    report = replace(PAPER, measurements=(MEASUREMENT,))
    page = measurement_page.render(report, MEASUREMENT, Place("toy2026/failures.html"))
    for text in (page, markdown.render(report)):
        for one in MEASUREMENT.settings:
            assert f"{one.name} = {', '.join(one.values)}" in text.replace("\\_", "_")
        assert MEASUREMENT.command in text
    (kept,) = json.loads(record.render(report))["measurements"]
    assert kept["settings"] == [{"name": one.name, "values": list(one.values)} for one in MEASUREMENT.settings]
    evaluated = [one.evaluate for one in PAPER.results if one.id in MEASUREMENT.results and one.evaluate]
    assert all(command in page for command in evaluated)


def test_a_page_that_leaves_them_out_is_caught() -> None:
    without = replace(MEASUREMENT, settings=())
    page = measurement_page.render(PAPER, without, Place("toy2026/failures.html"))
    assert "beta = 0.05" not in page
