"""What is shown while a report is made: what runs, how much is done, and how long it still takes."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Self

from dpcheck.cli.display import SECONDS_BETWEEN_LINES
from dpcheck.cli.failures import say
from dpcheck.model.harmless import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

    from dpcheck.report.whole.units import Unit

_FRAMES_PER_SECOND = 4
_BAR_WIDTH = 60
#: Names of running units are cut to this on a plain line.
_LONGEST = 60


def time_words(seconds: float) -> str:
    """About how long, in words.

    Examples
    --------
    >>> time_words(0.4), time_words(42), time_words(200), time_words(8000)
    ('1 s', '42 s', '3 min', '2.2 h')
    """
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5_400 else f"{seconds / 3600:.1f} h"


class Outlook:
    """What is known of a run: units that are done, that run and that wait, and the time that this took so far.

    The time still needed is what the units are thought to take, scaled by what those that are done took instead.
    """

    def __init__(self, units: Sequence[Unit], jobs: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.of = len(units)
        self.done = 0
        self._jobs = max(1, jobs)
        self._clock = clock
        self._waiting = {unit.key: unit for unit in units}
        self._running: dict[str, tuple[Unit, float]] = {}
        self._thought = self._took = 0.0

    def begin(self, unit: Unit) -> None:
        """A unit begins."""
        self._waiting.pop(unit.key, None)
        self._running[unit.key] = (unit, self._clock())

    def end(self, unit: Unit, seconds: float) -> None:
        """A unit has ended, well or not."""
        self._running.pop(unit.key, None)
        self.done += 1
        self._thought += unit.seconds
        self._took += seconds

    @property
    def running(self) -> tuple[str, ...]:
        """What runs, in words."""
        return tuple(one_line(unit.words)[:_LONGEST] for unit, _ in self._running.values())

    @property
    def left(self) -> float:
        """Seconds that it still takes, as far as can be told."""
        pace = self._took / self._thought if self._thought > 0 else 1.0
        now = self._clock()
        still = [max(0.0, pace * unit.seconds - (now - since)) for unit, since in self._running.values()]
        waiting = pace * sum(unit.seconds for unit in self._waiting.values())
        return max((sum(still) + waiting) / self._jobs, max(still, default=0.0))

    def __str__(self) -> str:
        running = f"; running: {', '.join(self.running)}" if self._running else ""
        return f"{self.done} of {self.of} done, about {time_words(self.left)} left{running}"


class Lines:
    """Plain lines on standard error: at the beginning, at most every ten seconds, none in between."""

    def __init__(self, outlook: Outlook, clock: Callable[[], float] = time.monotonic) -> None:
        self._outlook = outlook
        self._clock = clock
        self._last = clock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        return None

    def __call__(self) -> None:
        """A line, if the last one is long enough ago."""
        now = self._clock()
        if now - self._last >= SECONDS_BETWEEN_LINES:
            self._last = now
            say(str(self._outlook))


class Silence:
    """Shows nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        return None

    def __call__(self) -> None:
        """Nothing."""


class View:
    """A bar with what runs, redrawn in place and gone when the run is over."""

    def __init__(self, outlook: Outlook) -> None:
        self._outlook = outlook
        self._live: Live | None = None

    def __enter__(self) -> Self:
        from rich.console import Console
        from rich.live import Live

        self._live = Live(
            get_renderable=self._drawn,
            console=Console(stderr=True),
            refresh_per_second=_FRAMES_PER_SECOND,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._live.start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self) -> None:
        """It is redrawn a few times a second anyway."""

    def _drawn(self) -> RenderableType:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        outlook = self._outlook
        head = f"{outlook.done} of {outlook.of} done, about {time_words(outlook.left)} left"
        bar = Table.grid()
        bar.add_row(ProgressBar(total=max(1, outlook.of), completed=outlook.done, width=_BAR_WIDTH))
        return Group(Text(head, style="bold"), bar, *(Text(f"  {name}", style="dim") for name in outlook.running))


def view_of(outlook: Outlook, *, quiet: bool) -> Lines | Silence | View:
    """The display that suits where standard error goes."""
    if quiet:
        return Silence()
    terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("CI")
    return View(outlook) if terminal else Lines(outlook)
