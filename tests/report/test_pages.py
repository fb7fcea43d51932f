"""Every kind of page, by its text: it stands alone, its links lead somewhere, it escapes all that it is given."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace
from math import inf
from xml.etree import ElementTree

import pytest

from tests import handmade_reports
from tests.page_checks import Page, faults_of

pytest.importorskip("matplotlib")
pytest.importorskip("altair")
pytest.importorskip("vl_convert")
from dpcheck.report.pages.asked_charts import CHARTS_SCRIPT, chart_spec
from dpcheck.report.pages.axes import edges
from dpcheck.report.pages.charts import chart_svg
from dpcheck.report.pages.layout import Place
from dpcheck.report.pages.typesetting import typeset
from dpcheck.trial.model import Chart, Series

KINDS = ("index", "paper", "part", "result", "measurement", "learner", "audit", "errata", "findings")
#: Those with a chart that can be asked.
CHARTED = ("part", "result", "measurement", "learner", "audit")


@pytest.fixture(scope="module")
def pages() -> Mapping[str, str]:
    made = handmade_reports.kinds()
    paths = (CHARTS_SCRIPT, *(kind.path for kind in made.values()))
    return {kind.path: kind.render(kind.record, Place(kind.path, paths)) for kind in made.values()}


def path_of(kind: str) -> str:
    return handmade_reports.kinds()[kind].path


@pytest.mark.some(1)
@pytest.mark.parametrize("kind", KINDS)
def test_it_is_sound(kind: str, pages: Mapping[str, str]) -> None:
    path = path_of(kind)
    assert faults_of(pages[path], path, {**pages, CHARTS_SCRIPT: ""}) == []


@pytest.mark.turns(4)
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
        parts = {handmade_reports.kinds()["part"].path}  # a part has no page of its own where its paper is
        assert links >= {made.path for made in handmade_reports.kinds().values()} - {path} - parts


@pytest.mark.turns(6)
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


@pytest.mark.some(3)
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


def test_an_asked_chart_says_what_the_still_one_shows() -> None:
    spec = chart_spec(handmade_reports.CHART)
    points = spec["datasets"]["numbers"]
    rows = [row for layer in spec["layer"] for row in layer["data"].get("values", ())]
    for one in handmade_reports.CHART.series:
        own = [row for row in points if row["name"] == one.name]
        assert [row["x"] for row in own] == pytest.approx(one.x, rel=1e-5)
        assert [row["value"] for row in own] == pytest.approx(one.y, rel=1e-5)
    measured = [row for row in points if row["role"] == "measured"]
    assert [row["interval"] for row in measured] == ["[0.4, 0.6]", "[0.05, 0.2]", "[0, 0.03]"]
    assert {row["trials"] for row in measured} == {"100"}
    assert measured[-1]["cut"]  # 0 has no place on a logarithmic axis: it stands at the edge, and says that it is 0
    assert {row["at"] for row in rows if "at" in row} == {200.0, 0.1}
    assert [row["low"] for row in rows if "said" in row] == [1.0]


def test_an_asked_chart_of_nothing_or_of_what_is_no_number_is_made() -> None:
    series = Series("s", "measured", 0, (0.0, 2.0), (0.0, float("nan")), (0.0, 0.0), (inf, 1.0), (5, 5))
    for y_log in (False, True):
        assert chart_spec(Chart("k", "nothing but zeros", "n", "p", (series,), y_log=y_log))["layer"]
    assert chart_spec(Chart("k", "nothing at all", "n", "p", ()))["layer"]


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


def test_a_chart_marks_what_lies_below_its_logarithmic_axis() -> None:
    words = "at the lower edge: this or less"
    found = Series("found", "exact", 0, (1.0, 2.0, 3.0), (0.5, 0.25, 0.0))
    claimed = Series("claimed", "bound", 1, (1.0, 2.0, 3.0), (0.9, 0.3, 0.0))
    assert words in chart_svg(Chart("k", "t", "n", "p", (found,), y_log=True))
    assert words in chart_svg(Chart("k", "t", "n", "p", (found,), y_log=True, y_range=(0.3, 1.0)))
    for left in (
        Chart("k", "t", "n", "p", (claimed,), y_log=True),
        Chart("k", "t", "n", "p", (found,)),
        # the least number there is stands where it is
        Chart("k", "t", "n", "p", (replace(found, y=(0.5, 0.25, 0.1)),), y_log=True),
        Chart("k", "t", "n", "p", (replace(found, y=(0.5, 0.25, 0.1)),), y_log=True, y_range=(1e-9, 1.0)),
    ):
        assert words not in chart_svg(left)


def test_a_curve_under_another_shows_around_it() -> None:
    one = Series("one", "exact", 0, (1.0, 2.0), (0.5, 0.25))
    other = replace(one, name="other", colour=1)
    broad = "stroke-width: 3.6"
    assert broad in chart_svg(Chart("k", "t", "n", "p", (one, other)))
    assert broad not in chart_svg(Chart("k", "t", "n", "p", (one, replace(other, y=(0.4, 0.2)))))


def test_whole_numbers_have_whole_ticks() -> None:
    series = Series("s", "exact", 0, (1.0, 2.0), (0.5, 0.25))
    assert ">1.2<" not in chart_svg(Chart("k", "t", "records", "p", (series,), x_log=False))
    assert ">1.5<" in chart_svg(Chart("k", "t", "share", "p", (replace(series, x=(1.0, 2.25)),), x_log=False))


def test_no_empty_powers_of_ten_below_a_chart() -> None:
    series = Series("s", "exact", 0, (1.0, 2.0), (0.5, 2e-3))
    assert edges(Chart("k", "t", "n", "p", (series,), y_log=True, y_range=(1e-15, 1.0))).floor == pytest.approx(1e-3)
    stretched = replace(series, role="measured", low=(1e-9, 1e-9), high=(1.0, 1.0))
    assert edges(Chart("k", "t", "n", "p", (stretched,), y_log=True)).floor > 1e-5


@pytest.mark.parametrize(
    ("plain", "shown"),
    [
        ("e^eps n_pub", '>ε</tspan><tspan dy="0.4em"> n</tspan>'),
        ("delta = 1e-06", 'δ = 10<tspan dy="-0.556em" font-size="72%">-6</tspan>'),
        ("toy.A_one_two", "toy.A_one_two"),
        ("a <script> $x_1$", "&lt;script&gt; $x"),
    ],
)
def test_words_in_charts_have_their_signs(plain: str, shown: str) -> None:
    svg = chart_svg(Chart("k", "t", plain, "p", (Series("s", "exact", 0, (1.0, 2.0), (0.5, 0.25)),)))
    assert shown in svg
    ElementTree.fromstring(svg)


def test_learners_that_share_a_claim_are_told_together() -> None:
    record = handmade_reports.kinds()["paper"].record
    measurement = record.measurements[0]
    outcomes = tuple(
        replace(
            measurement.outcomes[0], word="holds", claim="the same", detail=f"{at} of 9", learner=f"l{at}", instead=""
        )
        for at in range(3)
    )
    made = replace(record, measurements=(replace(measurement, outcomes=outcomes),))
    text = handmade_reports.kinds()["paper"].render(made, Place())
    part = text[text.index(f'id="measure-{measurement.key}"') :]
    assert "each of 3 learners" in part
    assert part.count("<p>the same</p>") == 1
    assert all(f"{at} of 9" in part for at in range(3))


def test_an_audit_that_found_a_violation_names_no_leak_it_would_have_caught() -> None:
    made = handmade_reports.kinds()["audit"]
    for status, leak, named in (("violated", 1.0, False), ("inconclusive", 1.0, True), ("inconclusive", inf, False)):
        text = made.render(replace(made.record, status=status, detectable_epsilon=leak), Place())
        assert ("would have been caught" in text) is named


def test_long_powers_of_ten_are_short() -> None:
    assert str(typeset(f"eps in [1/1{'0' * 100}, 1]")) == "ε in [1/10<sup>100</sup>, 1]"
    assert str(typeset("n = 1,000,000 or 100000")) == "n = 1,000,000 or 100000"


def test_partial_and_quick_reports_say_so(pages: Mapping[str, str]) -> None:
    for kind in ("index", "paper"):
        text = pages[path_of(kind)]
        assert "This report is not complete." in text
        assert "quick: few trials" in text
    assert "nothing is said of 1 entry" in pages[path_of("index")]


@pytest.mark.parametrize("kind", KINDS)
def test_a_policy_allows_the_page_its_own_style_and_script_and_nothing_else(
    kind: str, pages: Mapping[str, str]
) -> None:
    page = pages[path_of(kind)]
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    allowed = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert allowed["default-src"] == allowed["base-uri"] == allowed["form-action"] == "'none'"
    for tag, rule in (("style", "style-src-elem"), ("script", "script-src-elem")):
        (content,) = re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode("utf-8")).digest()).decode("ascii")
        shared = tag == "script" and f'{CHARTS_SCRIPT}" defer></script>' in page
        assert allowed[rule] == f"'sha256-{digest}'" + (" 'self' file:" if shared else "")
        assert shared is (tag == "script" and kind in CHARTED)
    assert page.index("Content-Security-Policy") < page.index("<style>")
