"""Units of work in processes of their own: one that raises, hangs up or dies does not take the others along."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from dpcheck.report.whole.units import Level, Unit

#: Seconds that a process gets to end its own children, before it is killed.
_PATIENCE = 3.0


@dataclass(frozen=True)
class Begun:
    """A unit begins."""

    unit: Unit


@dataclass(frozen=True)
class Made:
    """A unit is done; ``text`` is its record as JSON, ``seconds`` how long it took."""

    unit: Unit
    text: str
    seconds: float


@dataclass(frozen=True)
class Failed:
    """A unit raised (``kind`` is the exception's name) or its process died; ``usage`` for what dpcheck refused."""

    unit: Unit
    kind: str
    message: str
    usage: bool
    seconds: float


@dataclass
class _Worker:
    process: Any
    pipe: Connection
    unit: Unit | None = None
    since: float = 0.0


def run_units(
    units: Sequence[Unit],
    level: Level,
    *,
    jobs: int,
    make: Callable[[Unit, Level], str],
) -> Generator[Begun | Made | Failed | None, None, None]:
    """Run units, longest first, in ``jobs`` processes; what each gives is told as it comes, and None every half second.

    A unit that takes longer than its limit is ended.

    ``make`` gives a unit's record as JSON; it can be pickled. Closing the iterator ends the processes.
    """
    waiting = sorted(units, key=lambda unit: -unit.seconds)
    workers: list[_Worker] = []
    try:
        workers += [_started(make) for _ in range(min(jobs, len(waiting)))]
        while True:
            for worker in workers:
                if worker.unit is None and waiting:
                    worker.unit, worker.since = waiting.pop(0), time.monotonic()
                    with contextlib.suppress(OSError):  # it is dead: that is noticed below
                        worker.pipe.send((worker.unit, level))
                    yield Begun(worker.unit)
            busy = [worker for worker in workers if worker.unit is not None]
            if not busy:
                return
            answered = set(wait([worker.pipe for worker in busy], timeout=0.5))
            if not answered:
                yield None
            for worker in busy:
                if worker.pipe not in answered:
                    failed = _ended_late(worker)
                    if failed is not None:
                        workers[workers.index(worker)] = _started(make)
                        yield failed
                    continue
                assert worker.unit is not None
                unit, seconds = worker.unit, time.monotonic() - worker.since
                answer = _answer(worker)
                if answer is None:  # the process is gone
                    workers[workers.index(worker)] = _started(make)
                    code = worker.process.exitcode
                    why = f"its process died ({'signal ' + str(-code) if code and code < 0 else f'status {code}'})"
                    yield Failed(unit, "", why, False, seconds)
                    continue
                worker.unit = None
                if answer[0] == "made":
                    yield Made(unit, answer[1], seconds)
                else:
                    yield Failed(unit, answer[1], answer[2], answer[3], seconds)
    finally:
        _end(workers)


def _started(make: Callable[[Unit, Level], str]) -> _Worker:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, make))
    process.start()
    theirs.close()
    return _Worker(process, ours)


def _ended_late(worker: _Worker) -> Failed | None:
    """The end of a worker whose unit has taken longer than it may: a stranger's code hangs in it."""
    assert worker.unit is not None
    unit, seconds = worker.unit, time.monotonic() - worker.since
    if seconds <= unit.limit:
        return None
    _end([worker])
    return Failed(unit, "", f"it took longer than {unit.limit:,.0f} s and was ended", False, seconds)


def _answer(worker: _Worker) -> tuple[Any, ...] | None:
    try:
        found: tuple[Any, ...] = worker.pipe.recv()
    except (EOFError, OSError):
        worker.process.join()
        worker.pipe.close()
        return None
    return found


def _end(workers: Sequence[_Worker]) -> None:
    for worker in workers:
        worker.pipe.close()
        if worker.unit is not None and worker.process.is_alive():
            worker.process.terminate()
    until = time.monotonic() + _PATIENCE
    for worker in workers:
        worker.process.join(max(0.0, until - time.monotonic()))
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()


def _serve(pipe: Connection, make: Callable[[Unit, Level], str]) -> None:
    """Answer requests until the other end is closed.

    Ctrl-C is for the process that waits. The end that it asks for then is an exception here, so that a learner's own
    process, where there is one, is ended too. What a learner prints goes to standard error.
    """
    import os

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _ended)
    os.dup2(2, 1)
    while True:
        try:
            unit, level = pipe.recv()
        except (EOFError, OSError):
            return
        answer = _tried(unit, level, make)
        try:
            pipe.send(answer)
        except OSError:
            return


def _tried(unit: Unit, level: Level, make: Callable[[Unit, Level], str]) -> tuple[Any, ...]:
    from dpcheck.model.harmless import one_line

    try:
        return ("made", make(unit, level))
    except SystemExit as error:
        if unit_ended(error):
            raise
        return ("failed", "SystemExit", f"it ended the process with sys.exit({error.code!r})", False)
    except Exception as error:
        return ("failed", type(error).__name__, one_line(str(error)), _is_usage(error))


def _is_usage(error: Exception) -> bool:
    """Whether dpcheck refused what it was given; a learner that always raises is not refused, it fails."""
    from dpcheck.model.errors import DpcheckError, LearnerDied, NoHypothesis

    return isinstance(error, DpcheckError) and not isinstance(error, LearnerDied | NoHypothesis)


_END = "the report ends"


def unit_ended(error: SystemExit) -> bool:
    """Whether a process ends because the report does, and not because a learner calls ``sys.exit``."""
    return error.code == _END


def _ended(number: int, frame: Any) -> None:
    import sys

    sys.stderr = open("/dev/null", "w")  # noqa: SIM115  (it lives as long as the process)
    raise SystemExit(_END)
