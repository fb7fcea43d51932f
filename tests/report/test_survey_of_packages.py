"""A survey of packages as documents: what stands first, one card a finding, trends by version, and inert words."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from dpcheck.model.errors import InvalidArgument
from dpcheck.model.verdict import Status
from dpcheck.report.exit_status import Exit
from dpcheck.report.finished import Audited, NotAudited, Trouble
from dpcheck.report.packages import markdown, page
from dpcheck.report.packages import trends as trends_module
from dpcheck.report.packages.by_package import by_package
from dpcheck.report.packages.document import (
    MARKDOWN,
    PAGE,
    RECORD,
    SCHEMA,
    SurveyedEnvironment,
    SurveyedLeftOut,
    SurveyedSubject,
    SurveyOfPackages,
    surveyed_row,
    tally,
)
from dpcheck.report.packages.findings import FLOATING_POINT, findings, headline
from dpcheck.report.packages.letter import letter
from dpcheck.report.packages.trends import Trend, trends
from dpcheck.report.pages.layout import Place
from dpcheck.report.whole.documents import documents
from dpcheck.report.whole.records import survey_of_packages, whole_report
from tests.browsers import browser, grave_faults, opened
from tests.documents import check, our_schema, strict
from tests.handmade import verdict
from tests.handmade_reports import HOSTILE
from tests.page_checks import faults_of

ROOT = Path(__file__).resolve().parents[2]
VIOLATED, CLEAN = Status.VIOLATED, Status.NO_VIOLATION_FOUND


def environment(version: str, problem: str = "") -> SurveyedEnvironment:
    pins = () if problem else (f"lib=={version}", "numpy==2.4.6")
    return SurveyedEnvironment(f"lib-{version}", "lib", version, "3.11.7", (f"lib=={version}",), pins, problem, 12.0)


def survey(words: str = "") -> SurveyOfPackages:
    """Versions 0.10 and 0.9, the mistake in the older one; and one that could not be made."""

    def row(version: str, target: str, expected: Status, *found: Status, mended: bool = False) -> object:
        results = [Audited(verdict(one), expected) for one in found]
        return surveyed_row(f"lib-{version}", f"{target}{words}", expected, results, 3, mended=mended)

    lost = [NotAudited("x", Trouble.USAGE, f"environment lib-1.0 could not be made{words}")] * 2
    mean = (
        row("0.10", "s.py:mean", CLEAN, CLEAN, CLEAN),
        row("0.9", "s.py:mean", VIOLATED, CLEAN, VIOLATED),
        row("0.9", "s.py:mended", CLEAN, CLEAN, CLEAN, mended=True),
        surveyed_row("lib-1.0", "s.py:mean", CLEAN, lost, 3),
    )
    said = f"sensitivity{words}", f"not found{words}"
    other = (row("0.10", "s.py:count", CLEAN, Status.INCONCLUSIVE, CLEAN),)
    return SurveyOfPackages(
        SCHEMA, f"Out there{words}", f"my survey.toml{words}", f"dpcheck survey 'my survey.toml'{words}", "0.1.0", 3, 2,
        1e-6, 7e-6, Exit.NOT_AS_EXPECTED, 90.0,
        (environment("0.10"), environment("0.9"), environment("1.0", f"there is no lib{words}")),
        (
            SurveyedSubject(f"mean{words}", "lib", f"its manual, page 3{words}", f"line 7{words}", *said, mean),  # type: ignore[arg-type]
            SurveyedSubject("count", "lib", "its manual, page 4", "", "", "", other),  # type: ignore[arg-type]
        ),
        (SurveyedLeftOut(f"gone{words}", "1.0", f"asks for numpy 1{words}"),),
    )  # fmt: skip


def test_counts_stand_first() -> None:
    counts = tally(survey())
    assert (counts.rows, counts.violated, counts.as_expected, counts.not_as_expected, counts.failed) == (5, 1, 2, 2, 1)
    said = "5 rows: 1 violated, 2 as expected, 2 not as expected, 1 failed."
    assert said in page.render(survey())
    assert said in markdown.render(survey())


def test_a_finding_has_pair_event_promise_source_mended_copy_and_versions() -> None:
    (one,) = findings(survey())
    assert one.event == "output > 0.5, likelier on D: 420 right and 80 wrong guesses in 900 calls"
    assert (one.witness is not None, one.promise, one.error) == (True, "its manual, page 3", "line 7")
    assert one.mended_is_clean
    assert "no violation found in the mended copy (s.py:mended) on 2 of 2 audits" in one.mended
    assert one.versions == "no violation found in lib 0.10; violated in lib 0.9; failed in lib 1.0"
    assert one.command == "dpcheck survey 'my survey.toml' mean --only lib-0.9 --seed 4"
    text = page.render(survey())
    for words in (one.event, one.promise, one.error, one.mended, one.versions):
        assert words.replace(">", "&gt;") in text


def test_what_counts_as_an_error_has_its_place_and_a_clean_mended_copy() -> None:
    said = "1 subject of 1 package broke its promise; of 1 the error is pointed at and a mended copy is clean, 1 of "
    assert headline(survey()).startswith(said)
    assert headline(survey()) in page.render(survey())
    assert headline(survey()) in markdown.render(survey())
    (mean, count) = survey().subjects
    for less, said in (
        (replace(mean, finding=""), "of 0 the error"),
        (replace(mean, rows=(mean.rows[0], mean.rows[1], mean.rows[3])), "of 0 the error"),
        (replace(mean, known="issue 7"), "clean, 0 of which"),
        (replace(mean, cause=FLOATING_POINT), "0 subjects of 0 packages"),
        (replace(mean, cause=FLOATING_POINT), "1 by floating point alone"),
        (replace(mean, cause="documented seed"), "1 more as their documents tell, 0 by"),
    ):
        assert said in headline(replace(survey(), subjects=(less, count)))


def test_packages_are_counted_and_what_was_left_out_is_named() -> None:
    (line,) = by_package(survey())
    assert (line.versions, line.subjects, line.violated, line.clean, line.others) == (
        ("0.9", "0.10", "1.0"),
        2,
        1,
        0,
        1,
    )
    assert line.causes == ("sensitivity",)
    for text in (page.render(survey()), markdown.render(survey())):
        assert "asks for numpy 1" in text


def test_a_letter_has_what_shows_it_again_and_claims_no_clean_copy_that_is_not() -> None:
    (one,) = findings(survey())
    text = letter(one)
    for words in (one.promise, one.error, one.event, one.command, one.versions, "the same audit is clean"):
        assert words in text
    assert "is clean" not in letter(replace(one, mended_is_clean=False))
    assert "The two datasets" not in letter(replace(one, witness=None))


def seen_versions(found: SurveyOfPackages) -> Mapping[str, tuple[str, ...]]:
    (trend,) = trends(found)
    return {"versions": trend.versions, **{line.subject: line.found for line in trend.lines}}


def test_trends_go_from_old_to_new() -> None:
    assert seen_versions(survey()) == {
        "versions": ("0.9", "0.10", "1.0"),
        "mean": ("violated", "no violation found", "failed"),
        "count": ("", "inconclusive", ""),
    }


def test_versions_in_the_order_of_their_letters_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trends_module, "_age", lambda one: (one.version,))
    with pytest.raises(AssertionError):
        test_trends_go_from_old_to_new()
    assert isinstance(trends(survey())[0], Trend)


def test_the_record_is_what_its_schema_says() -> None:
    check(our_schema(SCHEMA), strict(survey().to_json()))


def test_it_is_read_back_from_its_record_and_stands_in_the_report(tmp_path: Path) -> None:
    path = tmp_path / RECORD
    path.parent.mkdir()
    path.write_text(survey().to_json(), encoding="utf-8")
    assert survey_of_packages(path) == survey()
    shutil.copy(ROOT / "reports" / "index.json", tmp_path / "index.json")
    made = dict(documents(whole_report(tmp_path)))
    assert made[PAGE] == page.render(survey(), Place(PAGE, ("charts.js", PAGE, "index.html")))
    assert made[MARKDOWN] == markdown.render(survey())
    for text in (made["index.html"], made["index.md"]):
        assert "1 subject of 1 package broke its promise" in text
    assert f'href="{PAGE}"' in made["index.html"]
    path.write_text(survey().to_json().replace('"seeds": 2', '"seeds": "two"'), encoding="utf-8")
    with pytest.raises(InvalidArgument, match="is no such record"):
        whole_report(tmp_path)


def test_words_of_strangers_are_inert() -> None:
    hostile = survey(f" {HOSTILE}\n# up\u202e")
    text = page.render(hostile)
    assert "<script>alert(2)" not in text
    assert "\u202e" not in text
    assert faults_of(text) == []
    assert faults_of(page.render(survey())) == []
    written = markdown.render(hostile)
    assert "\n# up" not in written
    assert "<script>" not in "\n".join(line for line in written.splitlines() if "`" not in line)


@pytest.mark.turns(6)
def test_it_is_quiet_and_accessible_in_a_browser(tmp_path: Path) -> None:
    path = tmp_path / "survey.html"
    path.write_text(page.render(survey()), encoding="utf-8")
    with browser() as started, opened(started, path) as seen:
        seen.page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        for width in (1280, 320):
            seen.page.set_viewport_size({"width": width, "height": 900})
            assert seen.page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
            for colours in ("light", "dark"):
                seen.page.emulate_media(color_scheme=colours)
                assert grave_faults(seen) == [], f"{colours}, {width}"
        assert (seen.errors, seen.asked) == ([], [])
