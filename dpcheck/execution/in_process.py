"""Runs a learner in this process: for those that cannot be sent elsewhere, or on request.

A hang in Python code is ended by an alarm where there is one to be had; a crash or a hang in C code takes the
audit with it.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, TextIO

from dpcheck.execution.answers import Answers, Heard, Request
from dpcheck.execution.calls import Heartbeat, offers_sample, patience, run_request, where
from dpcheck.execution.made_code import know_code_of
from dpcheck.execution.own_generators import Holdings
from dpcheck.execution.portrait import portrayer
from dpcheck.execution.replaced import Originals, words_of_replaced
from dpcheck.execution.surroundings import generators_kept
from dpcheck.execution.undisturbed import as_the_user_set
from dpcheck.model.errors import LearnerDied
from dpcheck.model.learner import Target

#: The alarm rings this often per time limit: a hang is found at most a quarter of a limit late.
_RINGS_PER_LIMIT = 4
_SHORTEST_RING_SECONDS = 0.01


class _Hung(BaseException):
    """Rings through the learner's own ``except Exception``."""


_PASSING: tuple[type[BaseException], ...] = (KeyboardInterrupt, _Hung)


class InProcessRunner:
    """Runs requests here, one after the other.

    Parameters
    ----------
    target : Target
    datasets : sequence
    call_timeout : float, seconds
    notes : tuple of str
        Why it runs here, if that needs saying.
    inputs : rows of features, optional
        What models are asked about.
    """

    def __init__(
        self,
        target: Target,
        datasets: Sequence[Any],
        *,
        call_timeout: float,
        notes: tuple[str, ...] = (),
        inputs: Any = None,
    ) -> None:
        with as_the_user_set():
            self.bulk_available = offers_sample(target.original if not target.is_factory else target.make())
        self.notes = notes
        if not target.can_be_copied:
            self._note("the learner cannot be copied: all its calls share one instance and what it remembers")
        know_code_of(target)
        self._target = target
        self._datasets = tuple(datasets)
        self._call_timeout = call_timeout
        self._portray = portrayer(inputs, _PASSING)
        self._holdings = Holdings()
        self._originals: Originals | None = None
        self._runs, self._last_dataset = 0, 0

    def run(self, requests: list[Request], heard: Heard | None = None) -> list[Answers]:
        """Answers in the order of the requests; ``heard`` is told them as they come.

        Raises
        ------
        LearnerDied
            When a call gives no sign of life for too long, or runs out of memory.
        InvalidArgument
            When ``sample`` gives another number of outputs than asked for.
        """
        if not requests:
            return []
        if self._originals is None:
            self._originals = Originals()
        near = Originals(near=True)
        self._last_dataset = requests[0].dataset
        try:
            with generators_kept():
                answers = []
                for request in requests:
                    answers.append(self._answered(request))
                    if heard is not None:
                        heard(request, answers[-1])
                return answers
        finally:  # whatever it raised: the cause comes first
            self._runs += 1
            _refuse(near.put_back(), self._last_dataset)
            if self._runs & (self._runs - 1) == 0:  # looking at everything takes as long as a thousand calls
                self._look_at_all()

    def expect(self, requests: Sequence[Request]) -> None:
        """Nothing is run here before it is asked for."""

    def serve(self, datasets: Sequence[Any]) -> None:
        """Take other datasets."""
        self._datasets = tuple(datasets)

    def close(self) -> None:
        """Look once more whether the learner replaced what dpcheck's work rests on.

        Raises
        ------
        LearnerDied
            When it did.
        """
        self._look_at_all()

    def _look_at_all(self) -> None:
        originals, self._originals = self._originals, None  # made anew, with what was loaded since
        if originals is not None:
            _refuse(originals.put_back(), self._last_dataset)

    def __enter__(self) -> InProcessRunner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes = (*self.notes, text)

    def _answered(self, request: Request) -> Answers:
        heartbeat = [0, 0]
        limit = patience(request, self._call_timeout)
        watch = _Watch(heartbeat, limit)
        try:
            with watch:
                if not watch.on:
                    self._note("hangs are not noticed: this thread or platform has no alarm to spare")
                return run_request(
                    self._target.make,
                    self._datasets[request.dataset],
                    request,
                    heartbeat=heartbeat,
                    passing=_PASSING,
                    carry=self._portray,
                    printed=_PrintCounter(),
                    maker=self._target.maker,
                    holdings=self._holdings,
                )
        except _Hung:
            raise LearnerDied(
                f"the learner gave no sign of life for {limit:g} s {where(request, heartbeat[0])}",
                request.dataset,
            ) from None


def _refuse(replaced: tuple[str, ...], dataset: int) -> None:
    if replaced:
        raise LearnerDied(f"the learner {words_of_replaced(replaced)}", dataset)


class _Watch:
    """An alarm that rings in the learner's frame when the heartbeat has not moved for ``limit`` seconds."""

    def __init__(self, heartbeat: Heartbeat, limit: float) -> None:
        self.on = False
        self._heartbeat = heartbeat
        self._limit = limit
        self._seen = -1
        self._since = 0.0
        self._before: Any = None

    def __enter__(self) -> None:
        if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
            return
        self._before = signal.getsignal(signal.SIGALRM)
        if self._before is None or signal.getitimer(signal.ITIMER_REAL)[0] > 0:
            return  # somebody else's alarm, such as a test runner's time limit
        self._since = time.monotonic()
        signal.signal(signal.SIGALRM, self._ring)
        ring = max(_SHORTEST_RING_SECONDS, self._limit / _RINGS_PER_LIMIT)
        signal.setitimer(signal.ITIMER_REAL, ring, ring)
        self.on = True

    def __exit__(self, *_: object) -> None:
        if self.on:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)

    def _ring(self, *_: object) -> None:
        now = time.monotonic()
        if self._heartbeat[0] != self._seen:
            self._seen, self._since = self._heartbeat[0], now
        elif now - self._since > self._limit:
            self._since = now
            raise _Hung


class _PrintCounter:
    """Counts and swallows what this thread writes to Python's streams; what C code prints goes through."""

    def __init__(self) -> None:
        self.count = 0
        self._streams: tuple[TextIO, TextIO] | None = None

    def __enter__(self) -> None:
        self._streams = sys.stdout, sys.stderr
        sys.stdout = _CountedStream(sys.stdout, self._add)
        sys.stderr = _CountedStream(sys.stderr, self._add)

    def __exit__(self, *_: object) -> None:
        assert self._streams is not None
        sys.stdout, sys.stderr = self._streams

    def _add(self, count: int) -> None:
        self.count += count


class _CountedStream:
    """Stands in for a text stream or its buffer; other threads (a live display) reach the real one."""

    def __init__(self, real: Any, add: Callable[[int], None]) -> None:
        self._real = real
        self._add = add
        self._owner = threading.get_ident()

    def write(self, data: Any) -> int:
        """Count it, or pass it on."""
        if threading.get_ident() != self._owner:
            return int(self._real.write(data))
        self._add(len(data.encode("utf-8", "replace")) if isinstance(data, str) else len(data))
        return len(data)

    def writelines(self, lines: Any) -> None:
        """Write each."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Pass it on for other threads."""
        if threading.get_ident() != self._owner:
            self._real.flush()

    @property
    def buffer(self) -> _CountedStream:
        """The stream for bytes, counted too."""
        return _CountedStream(self._real.buffer, self._add)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)
