"""Status 0 needs a finished run: the command runs in a child process, and only what it tells at its end is a status.

A stranger's module may call ``os._exit(0)`` when it is imported, and so may any object that it made: the process is
gone then, with a status that says "as expected". So the process that was started does nothing but wait. Its child runs
the command, says what is under way, and at its true end, when all output is written, tells its status through a pipe.
A child that ends without having told one has decided nothing, whatever status the system reports. What is under way may
also have a limit of seconds: a module that never comes back from being imported is ended.

Imported before everything else, so it imports only what Python has loaded anyway. Where there is no ``fork`` (Windows)
the command runs in the process itself, and nothing is guarded.
"""

from __future__ import annotations

import math
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import dpcheck.execution.returning_copies  # noqa: F401 (for what its import does)
from dpcheck.execution.lifeline import end_with_starter, killed_by_kernel
from dpcheck.execution.processor_time import clock_behind, processor_seconds

#: The status of a run that was ended before it was finished: what ends it is, as good as always, the learner's code.
ENDED_EARLY = 4
#: The status of a run of which nothing was seen but that it was slow.
ONLY_SLOW = 3
#: What a process may take to end after it told its status: threads and temporary files of strangers are waited for.
SECONDS_TO_END = 10.0
_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
#: Who sends a signal to a whole group sends it to both processes: the first hands it on only if the second has not
#: said in this time that it got it. If the two cross all the same, twice is once.
_SAME_SIGNAL_SECONDS = 0.3
#: Python drops what is raised inside a weak reference's callback or a finaliser: so much later it is raised again.
_AGAIN_SECONDS = 0.1
#: How long a wait is at most: a limit counts what the waiting process saw pass, not the hours of a suspended terminal.
_POLL_SECONDS = 0.25
#: Below what a pipe takes at once, whatever the system.
_LONGEST_WORDS = 300


@dataclass
class _Line:
    """The child's end of the pipe, the process that it belongs to, and what is under way, the innermost last."""

    pipe: int
    process: int
    under_way: list[tuple[str, float | None]]

    def tell(self, kind: str, text: str) -> None:
        if os.getpid() == self.process:
            with suppress(OSError):
                os.write(self.pipe, f"{kind} {text}\n".encode("utf-8", "replace"))

    def tell_under_way(self) -> None:
        words, limit = self.under_way[-1] if self.under_way else ("", None)
        shown = " ".join(words.split())[:_LONGEST_WORDS]
        self.tell("under_way", f"{0.0 if limit is None else limit} {shown}")


_line: _Line | None = None


def guard() -> None:
    """Go on in a child process; in the process that was started, wait for it and end with the status that it tells."""
    global _line
    if not hasattr(os, "fork"):
        return
    end_with_starter()
    heard, telling = os.pipe()
    lifeline, held = os.pipe()
    # A signal that comes before both processes know what to do with it waits until they do.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    child = os.fork()
    if child:
        os.close(telling)
        os.close(lifeline)
        sys.exit(_waited(child, heard, before))
    os.close(heard)
    os.close(held)
    killed_by_kernel(lifeline, os.getpid())  # when the one that waits for it is killed
    _line = _Line(telling, os.getpid(), [])
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _Once(signal.SIGINT, b""))
    signal.signal(signal.SIGTERM, _Once(signal.SIGTERM, b"dpcheck: terminated (SIGTERM): ending as on Ctrl-C\n"))
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:  # nohup has it ignored
        signal.signal(signal.SIGHUP, _Once(signal.SIGHUP, b"dpcheck: hung up (SIGHUP): ending as on Ctrl-C\n"))
    sys.unraisablehook = _not_lost(sys.unraisablehook)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


def tell(status: int) -> None:
    """The run is finished, and everything it had to say is written: this is its status."""
    if _line is not None:
        _line.tell("status", str(int(status)))


@contextmanager
def under_way(words: str, limit: float | None = None) -> Iterator[None]:
    """Say what is being done meanwhile, for the line that is printed if the process ends in the middle of it.

    Parameters
    ----------
    words : str
        Words that follow "while", such as ``target x.py:f was being imported``.
    limit : float, optional
        Seconds after which the process is ended.

    Examples
    --------
    >>> with under_way("target x.py:f was being imported", limit=60.0):
    ...     1 + 1
    2
    """
    if _line is None:
        yield
        return
    _line.under_way.append((words, limit))
    _line.tell_under_way()
    try:
        yield
    finally:
        if os.getpid() != _line.process:
            # What was being done forked, and this is the copy: two runs would write the same report.
            os._exit(0)
        _line.under_way.pop()
        _line.tell_under_way()


class _Once:
    """A handler that ends the run as Ctrl-C does; the same signal from two senders counts once."""

    def __init__(self, number: int, words: bytes) -> None:
        self._number = number
        self._words = words
        self._last = -_SAME_SIGNAL_SECONDS

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if _line is None or os.getpid() != _line.process:
            raise KeyboardInterrupt
        now = time.monotonic()
        _line.tell("signal", str(self._number))
        if now - self._last < _SAME_SIGNAL_SECONDS:
            return
        self._last = now
        if self._words:
            # Not print: the signal may have come in the middle of one. A terminal that hung up takes no words.
            with suppress(OSError):
                os.write(2, self._words)
        raise KeyboardInterrupt

    def again(self) -> None:
        """What was raised is lost: raise it once more, a little later, without the words."""
        self._last, self._words = -_SAME_SIGNAL_SECONDS, b""
        process = os.getpid()
        timer = threading.Timer(_AGAIN_SECONDS, lambda: os.kill(process, self._number))
        timer.daemon = True
        with suppress(RuntimeError):  # no thread begins when the interpreter is about to end: then the run is over too
            timer.start()


def _not_lost(hook: Callable[[Any], Any]) -> Callable[[Any], None]:
    """A hook for exceptions that Python drops: Ctrl-C in the middle of an import is often one of them."""

    def hooked(unraisable: Any) -> None:
        handler = signal.getsignal(signal.SIGINT)
        if not isinstance(handler, _Once):
            handler = signal.getsignal(signal.SIGTERM)
        if (
            unraisable.exc_type is not None
            and issubclass(unraisable.exc_type, KeyboardInterrupt)
            and isinstance(handler, _Once)
            and _line is not None
            and os.getpid() == _line.process
        ):
            handler.again()
        else:
            hook(unraisable)

    return hooked


@dataclass
class _Heard:
    """What the child has said so far, and what is left of its limit.

    ``left`` is how many seconds of the clock that is watched: far more than the limit where the processor's time is
    known, of which ``used`` were used when the limit began.
    """

    rest: bytes = b""
    status: int | None = None
    words: str = ""
    limit: float = 0.0
    left: float = 0.0
    used: float | None = None
    signals: list[int] = field(default_factory=list)

    def hear(self, data: bytes, child: int) -> None:
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            kind, _, text = line.decode("utf-8", "replace").partition(" ")
            if kind == "status" and text.isdigit() and self.status is None:
                self.status, self.limit, self.left = int(text), SECONDS_TO_END, SECONDS_TO_END
                self.used = None  # what it leaves running may sleep
            elif kind == "under_way" and self.status is None:
                limit, _, self.words = text.partition(" ")
                self.limit = float(limit)
                self.used = processor_seconds(child)
                self.left = self.limit if self.used is None else clock_behind(self.limit)
            elif kind == "signal" and text.isdigit():
                self.signals.append(int(text))


def _waited(child: int, heard: int, mask: set[int]) -> int:
    """Wait for the child, hand signals on to it, and give the status that the process shall end with."""
    # Signals that came, and when they are handed on unless the child says that it got them itself.
    due: dict[int, float] = {}
    told: dict[int, float] = {}
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda number, frame: _came(due, number))
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    os.set_blocking(heard, False)
    said = _Heard()
    # The pipe alone does not tell that the child has ended: what it left running may hold the other end open.
    over, system_status, ended_by_us, only_slow = False, 0, False, False
    open_pipe = True
    last = time.monotonic()
    pidfd = _pidfd(child)
    while not over:
        watched = [fd for fd in (heard if open_pipe else None, pidfd) if fd is not None]
        select.select(watched, [], [], _POLL_SECONDS if pidfd is not None else _POLL_SECONDS / 10)
        done, system_status = os.waitpid(child, os.WNOHANG)
        over = done != 0
        while open_pipe:
            try:
                data = os.read(heard, 1 << 16)
            except BlockingIOError:
                break
            open_pipe = bool(data)
            said.hear(data, child)
        now = time.monotonic()
        for number in said.signals:
            due.pop(number, None)
            told[number] = now
        said.signals.clear()
        for number in [number for number, when in list(due.items()) if when <= now]:
            del due[number]
            # The child may have said it just before this process was told: one signal to both of them.
            if not over and now - told.get(number, -math.inf) > 2 * _SAME_SIGNAL_SECONDS:
                _sent(child, number)
        if said.limit and not over:
            said.left -= min(now - last, 2 * _POLL_SECONDS)
            working = None if said.used is None else processor_seconds(child)
            worked = working is not None and said.used is not None and working - said.used > said.limit
            if (worked or said.left < 0) and not ended_by_us:
                ended_by_us, only_slow = True, said.used is not None and not worked
                _sent(child, signal.SIGKILL)
        last = now
    if said.status is not None:
        return said.status
    _complain(_slow(said) if only_slow else _early(system_status, said, ended_by_us))
    return ONLY_SLOW if only_slow else ENDED_EARLY


def _slow(said: _Heard) -> str:
    during = f" while {said.words}" if said.words else ""
    passed = clock_behind(said.limit)
    return (
        f"{passed:g} s passed{during}, and it had less than {said.limit:g} s of the processor in them: it waits for "
        "something, or the machine is busy; the run was ended, and nothing was decided"
    )


def _early(system_status: int, said: _Heard, ended_by_us: bool) -> str:
    during = f" while {said.words}" if said.words else " before the run was finished"
    if ended_by_us:
        unit = " s" if said.used is None else " s of the processor's time"
        return f"there was no sign of life for {said.limit:g}{unit}{during}: the run was ended, and nothing was decided"
    if os.WIFSIGNALED(system_status):
        number = os.WTERMSIG(system_status)
        with suppress(ValueError):
            return f"the process was ended by {signal.Signals(number).name}{during}: nothing was decided"
        return f"the process was ended by signal {number}{during}: nothing was decided"
    status = os.WEXITSTATUS(system_status)
    return f"the process was ended with status {status}{during}: nothing was decided"


def _complain(line: str) -> None:
    with suppress(OSError):
        os.write(2, f"dpcheck: {line}\n".encode("utf-8", "backslashreplace"))


def _came(due: dict[int, float], number: int) -> None:
    due.setdefault(number, time.monotonic() + _SAME_SIGNAL_SECONDS)


def _sent(child: int, number: int) -> None:
    with suppress(OSError):
        os.kill(child, number)


def _pidfd(child: int) -> int | None:
    if hasattr(os, "pidfd_open"):
        with suppress(OSError):
            return os.pidfd_open(child)
    return None
