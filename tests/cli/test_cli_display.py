"""What is shown while audits run: a live view, plain lines now and then, or nothing."""

from __future__ import annotations

import io
import math
import sys
from dataclasses import replace
from typing import Any

import pytest

from dpcheck.cli.display import SECONDS_BETWEEN_LINES, LiveView, PlainLines, Seen, Silence, Turn, display
from dpcheck.model.claims import PureDP
from dpcheck.privacy.run.events import Counted, Finished, PhaseStarted, Progress, Started
from tests.handmade import verdict


def started(target: str = "mine.py:learner") -> Started:
    return Started(
        target=target,
        claim=PureDP(1.0),
        relation="replace-one",
        pairs=3,
        max_samples=1000,
        max_seconds=60.0,
        alpha=1e-6,
    )


def progress(calls: int) -> Progress:
    return Progress(
        calls=calls,
        max_samples=1000,
        seconds=3.0,
        max_seconds=60.0,
        log_evidence=2.0,
        log_threshold=math.log(1e6),
        epsilon_lower=0.25,
        pair="row 0: 1 replaced by 0",
    )


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_plain_lines_come_at_most_every_ten_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    with PlainLines(clock) as show:
        show(started())
        show(PhaseStarted("certify"))
        for second in range(61):
            clock.now = float(second)
            show(progress(10 * second))
        show(Finished(verdict()))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 60 / SECONDS_BETWEEN_LINES
    assert lines[0].startswith("dpcheck: mine.py:learner: phase certify, calls 100 of at most 1,000")
    assert "7.4, threshold 1e+06" in lines[0]


def test_what_a_call_costs_the_pair_and_the_time_left_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    with PlainLines(clock) as show:
        show(started())
        show(PhaseStarted("search"))
        clock.now = SECONDS_BETWEEN_LINES
        show(replace(progress(100), place=17, pairs=64))
        clock.now = 2 * SECONDS_BETWEEN_LINES
        show(replace(progress(10), seconds=30.0))  # the time is over long before the calls
        clock.now = 3 * SECONDS_BETWEEN_LINES
        show(replace(progress(0), seconds=0.0))  # nothing to tell from
    by_calls, by_time, nothing = capsys.readouterr().err.splitlines()
    assert "phase search, pair 17 of 64, calls 100 of at most 1,000 (30 ms each)" in by_calls
    assert "time 3 of at most 60 s, at most 27 s left" in by_calls
    assert "(3 s each), time 30 of at most 60 s, at most 30 s left" in by_time
    assert "each" not in nothing
    assert "left" not in nothing


def test_a_short_run_and_a_quiet_run_are_silent(capsys: pytest.CaptureFixture[str]) -> None:
    for shown in (PlainLines(), Silence()):
        with shown as show:
            show(started())
            show(progress(10))
    assert capsys.readouterr() == ("", "")


def test_names_drive_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    with PlainLines(clock) as show:
        show(started("a\x1b[31m\nb"))
        clock.now = SECONDS_BETWEEN_LINES
        show(progress(1))
    (line,) = capsys.readouterr().err.splitlines()
    assert "\x1b" not in line


class Terminal(io.StringIO):
    """Standard error as a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "quiet", "expected"),
    [
        ({"TERM": "xterm"}, False, LiveView),
        ({"TERM": "dumb"}, False, PlainLines),
        ({"TERM": "xterm", "CI": "true"}, False, PlainLines),
        ({"TERM": "xterm"}, True, Silence),
    ],
)
def test_the_display_suits_where_it_goes(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], quiet: bool, expected: type[Any]
) -> None:
    for name in ("TERM", "CI"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert isinstance(display(quiet=False), PlainLines)
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert isinstance(display(quiet=quiet), expected)


def test_the_live_view_shows_the_figures_and_leaves_the_terminal_clean(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    with LiveView() as show:
        show(started("a\x1b[2Jb"))
        show(PhaseStarted("certify"))
        show(progress(500))
    drawn = terminal.getvalue()
    assert "500 of at most 1,000" in drawn
    assert "above 0.25" in drawn
    assert "\x1b[2J" not in drawn
    # The cursor, hidden while drawing, is shown again at the end.
    assert drawn.rindex("\x1b[?25h") > drawn.rindex("\x1b[?25l")


def test_of_several_targets_the_display_says_which_one_is_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = Clock()
    with PlainLines(clock) as show:
        show(Turn(2, 4))
        show(started())
        clock.now = SECONDS_BETWEEN_LINES
        show(progress(1))
    assert capsys.readouterr().err.startswith("dpcheck: mine.py:learner (target 2 of 4): phase")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with LiveView() as show:
        show(Turn(2, 4))
        show(started())
    assert "(target 2 of 4)" in terminal.getvalue()
    assert str(Turn(1, 1)) == ""


def test_the_live_view_makes_room_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with LiveView() as show:
        show(started())
        show(progress(1))
        with show.aside():
            before = terminal.getvalue()
            assert before.rindex("\x1b[?25h") > before.rindex("\x1b[?25l")
            terminal.write("a verdict\n")
        show(progress(777))
    assert "777 of at most" in terminal.getvalue().partition("a verdict")[2]


def test_a_full_disk_behind_standard_error_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys, "stderr", Full())
    clock = Clock()
    with PlainLines(clock) as show:
        show(started())
        clock.now = SECONDS_BETWEEN_LINES
        show(progress(1))


def test_exact_audits_say_how_far_they_are() -> None:
    seen = Seen().after(PhaseStarted("laws")).after(Counted("laws", 3000, 15504))
    assert seen.facts == (("phase", "laws: 3,000 of 15,504"),)
