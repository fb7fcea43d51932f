"""What is shown while a report is made, and the processes that its units run in."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dpcheck.cli.report_display import Lines, Outlook
from dpcheck.report.whole.units import Level, Unit
from dpcheck.report.whole.workers import Begun, Failed, Made, run_units

QUICK = Level(0, True)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def units(*seconds: float) -> tuple[Unit, ...]:
    return tuple(Unit("learner", f"paper.{place}", seconds=each) for place, each in enumerate(seconds))


def test_the_time_that_is_left_follows_what_was_taken() -> None:
    clock = Clock()
    three = units(10, 10, 20)
    outlook = Outlook(three, 1, clock)
    assert outlook.left == 40
    outlook.begin(three[0])
    clock.now += 4
    assert outlook.left == 36
    outlook.end(three[0], 5)  # twice as fast as was thought
    assert outlook.left == 15
    outlook.begin(three[2])
    assert str(outlook) == "1 of 3 done, about 15 s left; running: paper.2"
    clock.now += 100  # longer than it could: what waits is left
    assert outlook.left == 5


def test_two_processes_share_what_is_left_but_not_one_unit() -> None:
    four = units(10, 10, 10, 50)
    outlook = Outlook(four, 2, Clock())
    assert outlook.left == 40
    outlook.begin(four[3])
    outlook.end(four[0], 10)
    assert outlook.left == 50 - 0


def test_plain_lines_come_at_most_every_ten_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    outlook = Outlook(units(10, 10), 1, clock)
    with Lines(outlook, clock) as shown:
        for _ in range(50):
            clock.now += 1
            shown()
    assert capsys.readouterr().err.splitlines() == ["dpcheck: 0 of 2 done, about 20 s left"] * 5


#: In a file of its own: a worker process imports it.
MADE = """
import os
import time


def made_here(unit, level):
    if unit.name == "raises":
        raise ValueError("two\\nlines")
    if unit.name == "dies":
        os._exit(7)
    if unit.name == "exits":
        raise SystemExit("bye")
    if unit.name == "waits":
        time.sleep(1000)
    while unit.name == "holds on":
        try:
            time.sleep(1000)
        except BaseException:
            pass
    return f'"{unit.name} {level.seed}"'
"""


@pytest.fixture
def made_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Unit, Level], str]:
    (tmp_path / "dpcheck_made_here.py").write_text(MADE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "dpcheck_made_here", raising=False)
    found: Callable[[Unit, Level], str] = importlib.import_module("dpcheck_made_here").made_here
    return found


def named(*names: str) -> tuple[Unit, ...]:
    return tuple(Unit("learner", name) for name in names)


def test_one_unit_does_not_take_the_others_along(made_here: Callable[[Unit, Level], str]) -> None:
    found = list(run_units(named("raises", "dies", "exits", "good", "fine"), QUICK, jobs=2, make=made_here))
    assert sum(isinstance(event, Begun) for event in found) == 5
    made = {event.unit.name: event.text for event in found if isinstance(event, Made)}
    assert made == {"good": '"good 0"', "fine": '"fine 0"'}
    failed = {event.unit.name: (event.kind, event.message) for event in found if isinstance(event, Failed)}
    assert failed == {
        "raises": ("ValueError", "two lines"),
        "dies": ("", "its process died (status 7)"),
        "exits": ("SystemExit", "it ended the process with sys.exit('bye')"),
    }


@pytest.mark.turns(4)
def test_a_unit_that_hangs_is_ended(made_here: Callable[[Unit, Level], str]) -> None:
    """Also one whose code catches what ends it; the others are made."""
    units = [replace(one, limit=1.0) for one in named("waits", "holds on")]
    begun = time.monotonic()
    found = list(run_units([*units, *named("good")], QUICK, jobs=1, make=made_here))
    assert time.monotonic() - begun < 500
    failed = {event.unit.name: event.message for event in found if isinstance(event, Failed)}
    assert failed == dict.fromkeys(
        ("waits", "holds on"), "it took longer than 1 s and was ended (--part-timeout gives it longer)"
    )
    assert [event.text for event in found if isinstance(event, Made)] == ['"good 0"']


def test_closing_ends_the_processes(made_here: Callable[[Unit, Level], str]) -> None:
    events: Iterator[object] = run_units(named("waits", "good"), QUICK, jobs=1, make=made_here)
    assert isinstance(next(events), Begun)
    begun = time.monotonic()
    events.close()  # type: ignore[attr-defined]
    assert time.monotonic() - begun < 500
