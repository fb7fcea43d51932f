"""Every kind of page, by its text: it stands alone, its links lead somewhere, it escapes all that it is given."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from tests import handmade_reports
from tests.page_checks import Page, faults_of

pytest.importorskip("matplotlib")
from dpcheck.reality.model import Chart, Series
from dpcheck.reporting.pages.charts import chart_svg
from dpcheck.reporting.pages.layout import Place

KINDS = ("index", "paper", "learner", "audit", "errata", "findings")


@pytest.fixture(scope="module")
def pages() -> Mapping[str, str]:
    made = handmade_reports.kinds()
    paths = tuple(kind.path for kind in made.values())
    return {kind.path: kind.render(kind.record, Place(kind.path, paths)) for kind in made.values()}


def path_of(kind: str) -> str:
    return handmade_reports.kinds()[kind].path


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_sound(kind: str, pages: Mapping[str, str]) -> None:
    path = path_of(kind)
    assert faults_of(pages[path], path, pages) == []


@pytest.mark.parametrize("kind", KINDS)
def test_alone_it_leads_to_no_other_page(kind: str) -> None:
    made = handmade_reports.kinds()[kind]
    html = made.render(made.record, Place())
    assert faults_of(html, made.path) == []
    assert {attributes["href"][0] for tag, attributes in Page(html).tags if tag == "a"} == {"#"}


@pytest.mark.parametrize("kind", KINDS)
def test_pages_lead_to_each_other(kind: str, pages: Mapping[str, str]) -> None:
    path = path_of(kind)
    links = {attributes["href"].partition("#")[0] for tag, attributes in Page(pages[path]).tags if tag == "a"}
    assert links - {""}
    if kind == "index":
        assert links >= {made.path for made in handmade_reports.kinds().values()} - {path}


@pytest.mark.parametrize("kind", KINDS)
def test_it_escapes_all_that_it_is_given(kind: str) -> None:
    made = handmade_reports.kinds()[kind]
    record = handmade_reports.hostile(made.record)
    html = made.render(record, Place(made.path, (made.path,)))
    assert faults_of(html, made.path) == []
    page = Page(html)
    assert "img" not in {tag for tag, _ in page.tags}
    assert len(page.scripts) == 1
    assert "{{ 7 * 7 }}" in html.replace(" · ", " * ")
    assert " 49 " not in re.sub(r"<svg.*?</svg>", "", html, flags=re.DOTALL)
    # the same hostile words, not escaped, are noticed
    assert faults_of(html.replace("&lt;img src=x", "<img src=x", 1), made.path) != []


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ('<button type="button"></button>', "<button> has no name"),
        ('<img src="https://example.org/x.png" alt="">', "<img> asks for https://example.org/x.png"),
        ('<link rel="stylesheet" href="//example.org/s.css">', "<link> asks for //example.org/s.css"),
        ("<p style=\"background: url('x.png')\">x</p>", "style asks for url('x.png')"),
        ('<a href="#nowhere">x</a>', "#nowhere leads to no part of page.html"),
        ('<a href="../other.html">x</a>', "../other.html leads to no page"),
        ('<p id="main">x</p>', "id 'main' is there twice"),
        ("<h5>too deep</h5>", "a heading 5 follows a heading 2"),
        ("<input>", "<input> has no label"),
        ('<p onclick="eval(1)">x</p>', "an attribute onclick"),
        ("<script>eval('1')</script>", "the script uses eval"),
        ("<svg></svg>", "<svg> has no role or no name"),
        ("<table><tr><th>x</th></tr></table>", "<th> 'x' has no scope"),
        ("<p>", "</main> closes nothing"),
    ],
)
def test_what_is_wrong_is_noticed(bad: str, said: str) -> None:
    made = handmade_reports.kinds()["audit"]
    html = made.render(made.record, Place())
    assert said in faults_of(html.replace("</main>", f"{bad}</main>", 1), "page.html")


def test_two_charts_with_one_key_have_ids_of_their_own() -> None:
    one = Chart("k", "A chart", "n", "p", (Series("s", "exact", 0, (1.0, 2.0), (0.5, 0.25)),))
    drawn = [chart_svg(one, within) for within in ("first", "second")]
    ids = [id for svg in drawn for id in re.findall(r'\bid="([^"]+)"', svg)]
    assert len(ids) == len(set(ids)) > 4


def test_a_chart_draws_what_cannot_stand_on_a_logarithmic_axis() -> None:
    series = Series("s", "measured", 0, (0.0, 2.0), (0.0, float("nan")), (0.0, 0.0), (float("inf"), 1.0), (5, 5))
    for y_log in (False, True):
        assert "<svg" in chart_svg(Chart("k", "nothing but zeros", "n", "p", (series,), y_log=y_log))
    assert "<svg" in chart_svg(Chart("k", "nothing at all", "n", "p", ()))


def test_partial_and_quick_reports_say_so(pages: Mapping[str, str]) -> None:
    for kind in ("index", "paper"):
        text = pages[path_of(kind)]
        assert "This report is not complete." in text
        assert "quick: few trials" in text
    assert "nothing is said of 1 entry" in pages[path_of("index")]
