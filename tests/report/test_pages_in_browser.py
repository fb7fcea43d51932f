"""Every kind of page in a browser: nothing is asked for, nothing complains, it can be read and worked by everybody."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests import handmade_reports
from tests.browsers import Seen, browser, grave_faults, opened

pytest.importorskip("matplotlib")
pytest.importorskip("altair")
pytest.importorskip("vl_convert")
KINDS = ("index", "paper", "part", "result", "measurement", "learner", "audit", "errata", "findings")


@pytest.fixture(scope="module")
def started() -> Iterator[Any]:
    with browser() as found:
        yield found


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    return handmade_reports.written(tmp_path_factory.mktemp("report"))


def unfolded(seen: Seen) -> None:
    seen.page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")


@pytest.mark.some(1)
@pytest.mark.parametrize("kind", KINDS)
def test_it_is_quiet_and_accessible(kind: str, started: Any, pages: Mapping[str, Path]) -> None:
    too_wide = "() => document.documentElement.scrollWidth - innerWidth"
    with opened(started, pages[kind]) as seen:
        unfolded(seen)
        for width in (1280, 320):
            seen.page.set_viewport_size({"width": width, "height": 900})
            assert seen.page.evaluate(too_wide) <= 0, f"wider than {width}"
            assert grave_faults(seen) == [], f"light, {width}"
            seen.page.emulate_media(color_scheme="dark")
            assert grave_faults(seen, "color-contrast", "link-in-text-block") == [], f"dark, {width}"
            seen.page.emulate_media(color_scheme="light")
        seen.page.set_viewport_size({"width": 640, "height": 900})
        seen.page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
        assert seen.page.evaluate(too_wide) <= 0, "cut at twice the size of letters"
        assert (seen.errors, seen.asked) == ([], [])


#: Until something is so; playwright's own waiting evaluates text, which the pages' policy forbids.
_UNTIL = (
    "() => new Promise((done, fail) => {{ const began = Date.now(); const look = () => {{ if ({told}) done(true); "
    "else if (Date.now() - began > 5000) fail(new Error('not so')); else setTimeout(look, 20); }}; look(); }})"
)


@pytest.mark.turns(6)
@pytest.mark.parametrize("kind", KINDS)
def test_on_paper_every_part_is_open(kind: str, started: Any, pages: Mapping[str, Path]) -> None:
    folded = "() => document.querySelectorAll('details:not([open])').length"
    with opened(started, pages[kind]) as seen:
        before = seen.page.evaluate(folded)
        seen.page.emulate_media(media="print")
        seen.page.evaluate(_UNTIL.format(told=f"({folded})() === 0"))
        assert not seen.page.locator(".controls:visible, .copy:visible, #theme:visible").count()
        seen.page.emulate_media(media="screen")
        seen.page.evaluate(_UNTIL.format(told=f"({folded})() === {before}"))


@pytest.mark.turns(4)
def test_tables_are_sorted_by_the_keyboard(started: Any, pages: Mapping[str, Path]) -> None:
    with opened(started, pages["measurement"]) as seen:
        header = seen.page.locator("table.numbers.sortable th").first
        table = seen.page.locator("table.numbers.sortable").first
        first = "(table) => [...table.tBodies[0].rows].map((row) => row.cells[0].textContent)"
        assert table.evaluate(first) == ["10", "9"]
        header.locator("button").focus()
        seen.page.keyboard.press("Enter")
        assert header.get_attribute("aria-sort") == "ascending"
        assert table.evaluate(first) == ["9", "10"]  # as numbers: as words 10 comes before 9
        seen.page.keyboard.press("Space")
        assert header.get_attribute("aria-sort") == "descending"
        assert table.evaluate(first) == ["10", "9"]
        assert header.locator("button").evaluate("(one) => one === document.activeElement")
        other = seen.page.locator("table.numbers.sortable th").nth(1).locator("button")
        other.focus()
        seen.page.keyboard.press("Enter")
        assert header.get_attribute("aria-sort") is None
        assert table.evaluate(first) == ["9", "10"]  # 35 before 1,200


@pytest.mark.turns(6)
def test_filters_say_how_many_fit(started: Any, pages: Mapping[str, Path]) -> None:
    with opened(started, pages["index"]) as seen:
        unfolded(seen)
        form = seen.page.locator("form[data-filters=theorems]")
        form.locator("select[data-attribute=status]").select_option("REFUTED")
        assert form.locator("output").inner_text() == "1 of 3 fit"
        assert seen.page.locator("#theorems tbody tr:visible").count() == 1
        form.locator("input").fill("no such words")
        assert form.locator("output").inner_text() == "0 of 3 fit"
    with opened(started, pages["part"]) as seen:
        form = seen.page.locator("form[data-filters-results]")
        form.locator("select").select_option("REFUTED")
        assert form.locator("output").inner_text() == "1 of 4 results, 2 steps fit"


@pytest.mark.turns(6)
def test_the_switch_of_colours_wins_over_the_system_and_is_kept(started: Any, pages: Mapping[str, Path]) -> None:
    paper = "() => getComputedStyle(document.body).backgroundColor"
    with opened(started, pages["audit"]) as seen:
        light = seen.page.evaluate(paper)
        button = seen.page.get_by_role("button", name="colours")
        button.press("Enter")
        assert seen.page.evaluate(paper) == light
        button.press("Enter")
        dark = seen.page.evaluate(paper)
        assert dark != light
        assert button.inner_text() == "colours: dark"
        seen.page.reload()
        assert seen.page.evaluate(paper) == dark
        assert grave_faults(seen) == []


@pytest.mark.turns(4)
def test_a_command_is_copied_by_its_button(started: Any, pages: Mapping[str, Path]) -> None:
    with opened(started, pages["audit"]) as seen:
        seen.page.get_by_role("button", name="copy: dpcheck audit").first.press("Enter")
        seen.page.get_by_text("copied", exact=True).first.wait_for(timeout=5_000)
        assert (seen.errors, seen.asked) == ([], [])


#: What stands over the still picture, once it is drawn.
_ASKED = "!document.querySelector('figure:has(script.asked):not(.asked)') && document.querySelector('figure.asked')"


@pytest.mark.turns(4)
@pytest.mark.parametrize("kind", ["measurement", "result", "learner", "audit"])
def test_a_chart_says_the_numbers_of_what_is_pointed_at(kind: str, started: Any, pages: Mapping[str, Path]) -> None:
    with opened(started, pages[kind]) as seen:
        figures = seen.page.locator("figure:has(script.asked)")
        for at in range(figures.count()):
            figures.nth(at).scroll_into_view_if_needed()
        seen.page.evaluate(_UNTIL.format(told=_ASKED))
        assert not seen.page.locator("figure.asked svg.chart:visible").count()
        figures.first.locator(".drawing .mark-symbol path").first.hover(force=True)
        tip = seen.page.locator("#vg-tooltip-element")
        tip.wait_for(timeout=5_000)
        assert "series" in tip.inner_text()
        if kind == "measurement":
            assert "[0.4, 0.6]" in tip.inner_text()
            assert "100" in tip.inner_text()
        assert grave_faults(seen) == []
        seen.page.emulate_media(media="print")
        assert seen.page.locator("figure.asked svg.chart:visible").count() == figures.count()
        assert (seen.errors, seen.asked) == ([], [])


@pytest.mark.turns(4)
def test_without_the_shared_script_the_picture_stays(started: Any, pages: Mapping[str, Path], tmp_path: Path) -> None:
    alone = tmp_path / "failures.html"
    alone.write_bytes(pages["measurement"].read_bytes())
    with opened(started, alone) as seen:
        assert seen.page.locator("figure svg.chart:visible").count() == 1
        assert not seen.page.locator("figure.asked").count()


@pytest.mark.turns(4)
@pytest.mark.parametrize(("kind", "of"), [("CSV", "name,role,x,value,interval,trials"), ("JSON", '"name": "measured"')])
def test_numbers_are_taken_along(kind: str, of: str, started: Any, pages: Mapping[str, Path], tmp_path: Path) -> None:
    with opened(started, pages["measurement"]) as seen:
        button = seen.page.get_by_role("button", name=f"{kind} of Failure against n")
        button.focus()
        with seen.page.expect_download() as waiting:
            seen.page.keyboard.press("Enter")
        waiting.value.save_as(tmp_path / "saved")
        text = (tmp_path / "saved").read_text(encoding="utf-8")
        assert of in text
        assert text.count("measured") >= 3
        assert waiting.value.suggested_filename == f"failure-against-n.{kind.lower()}"


@pytest.mark.turns(4)
def test_the_first_key_skips_to_the_content(started: Any, pages: Mapping[str, Path]) -> None:
    with opened(started, pages["index"]) as seen:
        seen.page.keyboard.press("Tab")
        link = seen.page.locator(":focus")
        assert link.inner_text() == "Skip to the content"
        outline = link.evaluate("(one) => getComputedStyle(one).outlineStyle")
        assert outline != "none"
        link.press("Enter")
        assert seen.page.locator(":focus").get_attribute("id") == "main"


@pytest.mark.turns(6)
def test_links_between_pages_arrive(started: Any, pages: Mapping[str, Path]) -> None:
    with opened(started, pages["index"]) as seen:
        unfolded(seen)
        seen.page.locator("#theorems a", has_text="lem-1").first.click()
        seen.page.wait_for_url("**/toy2026/lem-1.html")
        assert seen.page.locator("#lem-1").is_visible()
        seen.page.get_by_role("link", name="A toy paper").click()
        seen.page.wait_for_url("**/toy2026/toy2026.html")
        seen.page.get_by_role("link", name="Errata", exact=True).first.click()
        seen.page.wait_for_url("**/errata.html")
        assert seen.errors == []


@pytest.mark.turns(4)
def test_nothing_moves_once_it_is_drawn(started: Any, pages: Mapping[str, Path]) -> None:
    moved = (
        "() => new Promise((done) => { let sum = 0; new PerformanceObserver((list) => { for (const one of "
        "list.getEntries()) sum += one.value; }).observe({ type: 'layout-shift', buffered: true }); "
        "setTimeout(() => done(sum), 150); })"
    )
    for kind in ("index", "paper", "result"):
        with opened(started, pages[kind]) as seen:
            assert seen.page.evaluate(moved) <= 0.02


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("bad", "caught"),
    [
        ('<button type="button"></button>', "axe"),
        ('<p style="color: #999; background: #aaa">hardly to be read</p>', "axe"),
        ('<img alt="" src="https://example.org/x.png">', "asked"),
        ('<link rel="stylesheet" href="other.css">', "asked"),
        ("<script>console.error('wrong')</script>", "errors"),
        ("<script>throw new Error('thrown')</script>", "errors"),
        ('<div style="width: 4000px">wide</div>', "wide"),
    ],
)
def test_a_bad_page_is_caught(bad: str, caught: str, started: Any, pages: Mapping[str, Path], tmp_path: Path) -> None:
    path = tmp_path / "bad.html"
    text = pages["audit"].read_text(encoding="utf-8").replace("</main>", f"{bad}</main>")
    if caught == "errors":  # with the policy no script of another runs at all
        text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    path.write_text(text, encoding="utf-8")
    with opened(started, path) as seen:
        seen.page.wait_for_load_state("load")
        found = {
            "asked": bool(seen.asked),
            "axe": bool(grave_faults(seen)),
            "wide": seen.page.evaluate("() => document.documentElement.scrollWidth - innerWidth") > 0,
            "errors": any("wrong" in said or "thrown" in said for said in seen.errors),
        }
    assert [name for name, true in found.items() if true] == [caught]


@pytest.mark.parametrize(
    "bad",
    [
        "<script>window.ran = true</script>",
        "<img alt='' src='data:,x' onerror='window.ran = true'>",
        "<a id='bad' href='javascript:window.ran = true'>press</a>",
        "<style>h1 { display: none }</style>",
    ],
)
@pytest.mark.some(1)
def test_what_is_let_through_does_nothing(bad: str, started: Any, pages: Mapping[str, Path], tmp_path: Path) -> None:
    path = tmp_path / "bad.html"
    path.write_text(pages["audit"].read_text(encoding="utf-8").replace("</main>", f"{bad}</main>"), encoding="utf-8")
    with opened(started, path) as seen:
        seen.page.wait_for_load_state("load")
        seen.page.evaluate("() => document.getElementById('bad')?.click()")
        assert seen.page.evaluate("() => new Promise((done) => setTimeout(() => done(!window.ran), 50))")
        assert seen.page.locator("h1").is_visible()
