"""What is shown while a learner is run: a live view on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, Self

from dpcheck.cli.failures import say
from dpcheck.model.bounds_shown import at_least
from dpcheck.model.harmless import one_line
from dpcheck.model.verdict import as_number
from dpcheck.privacy.run.events import Counted, PhaseStarted, Progress, Started

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

# A CI log wants a sign of life, not a stream.
SECONDS_BETWEEN_LINES = 10.0
# Faster than this a person reads nothing, and drawing would cost the audit time.
_FRAMES_PER_SECOND = 8
# Fits the narrowest terminal in use (80 columns) with room to spare.
_BAR_WIDTH = 60


@dataclass(frozen=True)
class Turn:
    """Which target of a run comes next, counted from 1."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"target {self.number} of {self.of}" if self.of > 1 else ""


class Display(Protocol):
    """A listener to the events of audits, one after the other."""

    def __call__(self, event: Any, /) -> None:
        """Show the event."""
        ...

    def __enter__(self) -> Self:
        """Start showing."""
        ...

    def aside(self) -> AbstractContextManager[None]:
        """Leave the terminal to something else for a while."""
        ...

    def __exit__(self, *exception: object) -> None:
        """Leave the terminal as it was."""
        ...


def display(*, quiet: bool) -> Display:
    """The display that suits where standard error goes."""
    if quiet:
        return Silence()
    terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("CI")
    return LiveView() if terminal else PlainLines()


@dataclass(frozen=True)
class Seen:
    """What the events so far said about the audit that is running."""

    target: str = ""
    claim: str = ""
    phase: str = ""
    progress: Progress | None = None
    turn: str = ""

    def after(self, event: Any) -> Seen:
        """What is known after one more event."""
        match event:
            case Turn():
                return Seen(turn=str(event))
            case Started():
                claim = "" if event.claim is None else str(event.claim)
                return Seen(target=one_line(str(event.target)), claim=one_line(claim), turn=self.turn)
            case PhaseStarted():
                return replace(self, phase=event.phase)
            case Counted():
                return replace(self, phase=f"{event.what}: {event.done:,} of {event.total:,}")
            case Progress():
                return replace(self, progress=event)
        return self

    @property
    def share(self) -> float:
        """How much of the budget is used: of calls or of seconds, whichever is nearer to its end."""
        if self.progress is None:
            return 0.0
        done = self.progress
        return min(1.0, max(done.calls / max(1, done.max_samples), done.seconds / max(1e-9, done.max_seconds)))

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """The figures that matter, each with its name."""
        done = self.progress
        if done is None:
            return (("phase", self.phase or "starting"),)
        phase = self.phase if done.pairs < 2 else f"{self.phase}, pair {done.place} of {done.pairs}"
        facts = [
            ("phase", phase),
            ("calls", f"{done.calls:,} of at most {done.max_samples:,}{_each(done)}"),
            ("time", f"{done.seconds:.0f} of at most {done.max_seconds:.0f} s{_time_left(done)}"),
        ]
        # A measurement claims nothing and looks once, at its end: there is no evidence to show before.
        if self.claim:
            facts.append(("evidence", f"{as_number(done.log_evidence)}, threshold {as_number(done.log_threshold)}"))
            facts.append(("epsilon", f"above {at_least(max(0.0, done.epsilon_lower))}"))
        return tuple(facts)


def _each(done: Progress) -> str:
    """What a call cost so far, the audit's own work included."""
    if not done.calls or not done.seconds:
        return ""
    each = done.seconds / done.calls
    return f" ({1e3 * each:.2g} ms each)" if each < 1.0 else f" ({each:.2g} s each)"


def _time_left(done: Progress) -> str:
    """How long it takes at most at the pace so far: an audit ends by its calls, its time, or earlier by a violation."""
    if not done.calls or not done.seconds:
        return ""
    by_calls = (done.max_samples - done.calls) * done.seconds / done.calls
    return f", at most {max(0.0, min(by_calls, done.max_seconds - done.seconds)):.0f} s left"


class Silence:
    """Shows nothing."""

    def __call__(self, event: Any) -> None:
        """Nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        return None

    def aside(self) -> AbstractContextManager[None]:
        """There is nothing to take away."""
        return nullcontext()


class PlainLines:
    """A line on standard error at most every ten seconds; a run shorter than that is silent."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last = clock()
        self._seen = Seen()

    def __call__(self, event: Any) -> None:
        """A line, if the last one is long enough ago."""
        self._seen = self._seen.after(event)
        now = self._clock()
        if isinstance(event, Progress) and now - self._last >= SECONDS_BETWEEN_LINES:
            self._last = now
            facts = ", ".join(f"{name} {value}" for name, value in self._seen.facts)
            turn = f" ({self._seen.turn})" if self._seen.turn else ""
            say(f"{self._seen.target}{turn}: {facts}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        return None

    def aside(self) -> AbstractContextManager[None]:
        """There is nothing to take away."""
        return nullcontext()


class LiveView:
    """A bar and the figures that matter, redrawn in place and gone when the run is over."""

    def __init__(self) -> None:
        self._seen = Seen()
        self._live: Live | None = None

    def __call__(self, event: Any) -> None:
        """Take the event; the view is redrawn a few times a second."""
        self._seen = self._seen.after(event)

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._live is not None:
            self._live.stop()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """The view is gone while what belongs on the screen is printed, and comes back below it."""
        if self._live is not None:
            self._live.stop()
        try:
            yield
        finally:
            self._start()

    def _start(self) -> None:
        from rich.console import Console
        from rich.live import Live

        self._live = Live(
            get_renderable=self._drawn,
            console=Console(stderr=True),
            refresh_per_second=_FRAMES_PER_SECOND,
            transient=True,
            # Results go to standard output while nothing is live, so nothing needs to be redirected.
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._live.start()

    def _drawn(self) -> RenderableType:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        seen = self._seen
        title = Text(f"{seen.target or 'dpcheck'}", style="bold")
        title.append(f"  {seen.claim}", style="not bold")
        if seen.turn:
            title.append(f"  ({seen.turn})", style="dim")
        table = Table.grid(padding=(0, 2))
        for name, value in seen.facts:
            table.add_row(Text(name, style="dim"), Text(value))
        # A bar does not end its line; a row of a table does.
        bar = Table.grid()
        bar.add_row(ProgressBar(total=1.0, completed=seen.share, width=_BAR_WIDTH))
        return Group(title, bar, table)
