"""The page of a history: who has to be looked into comes first, with since when and what to do; words are inert."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dpcheck.cli.app import run
from dpcheck.history.standing import Standing, standings
from dpcheck.history.store import Row, Store
from dpcheck.report import nights_page as nights
from dpcheck.report.nights_page import MOST_LISTED, nights_page
from tests.browsers import browser, grave_faults, opened
from tests.page_checks import faults_of


def compared(learner: str, verdict: str, commit: str = "", **numbers: float) -> Row:
    worsened = tuple(numbers) if verdict in ("worse", "changed") else ()
    return Row(learner, "compare", verdict, numbers, commit, at="2026-10-01T02:00:00+00:00", worsened=worsened)


NIGHTS = [
    compared("good", "unchanged", "a1", epsilon=1.0),
    compared("leaky", "unchanged", "a1", epsilon=1.0),
    compared("leaky", "worse", "b2", epsilon=1.5),
    compared("good", "better", "b2", epsilon=0.5),
    compared("dead", "failed", "b2"),
    compared("leaky", "worse", "c3", epsilon=1.6),
]


def test_who_has_to_be_looked_into_comes_first() -> None:
    found = standings(NIGHTS)
    assert [(one.learner, one.troubled) for one in found] == [("dead", True), ("leaky", True), ("good", False)]
    leaky = found[1]
    assert leaky.since is not None
    assert leaky.before is not None
    assert (leaky.since.commit, leaky.before.commit) == ("b2", "a1")
    (trend,) = leaky.trends()
    assert (trend.values, trend.worsened, trend.places) == ((1.0, 1.5, 1.6), (False, True, True), (0, 1, 2))


def test_a_page_says_since_when_and_what_to_do() -> None:
    text = nights_page(NIGHTS, "h.sqlite3")
    assert "<h1>2 of 3 learners have to be looked into</h1>" in text
    assert text.index("dead") < text.index("leaky") < text.index(">good<")
    for command in (
        "git log --oneline a1..b2", "dpcheck compare --only leaky", "dpcheck record --only leaky",
        "dpcheck compare --only dead",
    ):  # fmt: skip
        assert f'<code class="command">{command}</code>' in text
    assert "dpcheck record --only dead" not in text
    assert text.count('class="worsened"') == 2
    assert faults_of(text) == []


def test_a_page_that_forgets_when_it_began_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(rows: Any) -> tuple[Standing, ...]:
        return tuple(Standing(one.learner, one.rows, one.last, one.before) for one in standings(rows))

    monkeypatch.setattr(nights, "standings", forgetful)
    with pytest.raises(AssertionError):
        test_a_page_says_since_when_and_what_to_do()


def test_words_of_a_stranger_are_inert() -> None:
    name = "<script>alert(1)</script>\n# up\u202e"
    text = nights_page([Row(name, name, name, {name: 1.0}, name, at=name, worsened=(name,))], name)
    assert "<script>alert" not in text
    assert "\u202e" not in text
    assert faults_of(text) == []


def test_any_numbers_can_be_drawn() -> None:
    huge = [compared("a", "unchanged", epsilon=value) for value in (1e299, -1e299, 0.0, 5e-324, 1e299)]
    assert faults_of(nights_page(huge, "h")) == []
    assert faults_of(nights_page([compared("a", "new")], "h")) == []
    many = [compared("a", "unchanged", epsilon=float(number)) for number in range(100)]
    assert f"{100 - MOST_LISTED} earlier runs are in the picture" in nights_page(many, "h")


def test_the_command_writes_it(tmp_path: Path) -> None:
    with Store(tmp_path / "h.sqlite3") as store:
        store.add(NIGHTS)
    arguments = ("history", "--history", "h.sqlite3", "--page", "nights.html", "--limit", "1")
    whole = [sys.executable, "-m", "dpcheck", *arguments]
    assert subprocess.run(whole, cwd=tmp_path, capture_output=True, check=False).returncode == 0
    text = (tmp_path / "nights.html").read_text(encoding="utf-8")
    assert "2 of 3 learners have to be looked into" in text
    assert re.search(r"3 runs from", text), "of each learner the latest"


def test_another_kind_of_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Store(tmp_path / "h.sqlite3") as store:
        store.add(NIGHTS)
    assert run(["history", "--history", str(tmp_path / "h.sqlite3"), "--page", str(tmp_path / "nights.pdf")]) == 2
    assert "--page must be a file that ends in .html, got" in capsys.readouterr().err
    assert not (tmp_path / "nights.pdf").exists()


@pytest.mark.turns(6)
def test_it_is_quiet_and_accessible_in_a_browser(tmp_path: Path) -> None:
    path = tmp_path / "nights.html"
    path.write_text(nights_page(NIGHTS, "h.sqlite3"), encoding="utf-8")
    with browser() as started, opened(started, path) as seen:
        seen.page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        for width in (1280, 320):
            seen.page.set_viewport_size({"width": width, "height": 900})
            assert seen.page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
            for colours in ("light", "dark"):
                seen.page.emulate_media(color_scheme=colours)
                assert grave_faults(seen) == [], f"{colours}, {width}"
        assert (seen.errors, seen.asked) == ([], [])
