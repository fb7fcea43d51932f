"""Calls in processes that are supervised: which one is lost, and why, is known, and the others go on.

Made by hand, for what pools of libraries cannot do. joblib's (loky 1.6.0, tried) and ``concurrent.futures``' give up
all calls when one process dies, cannot end one call that takes too long, do not say when a call begins, and leave their
workers behind when this process is killed. joblib's also sets the threads of linear algebra by the number of jobs, and
sums that are made in another order differ in their last bits; its Dask backend (distributed 2026.8) waits for ever for
a call that kills its worker. Dask's own ``concurrent.futures`` names it: that is the door to other machines.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import sys
import time
import traceback
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from typing import Any

from dpcheck.execution.function_calls import Begun, Call, Ended
from dpcheck.execution.lifeline import end_group_with
from dpcheck.model.errors import in_words

#: Seconds that a process gets to end its own children, before it is killed.
_PATIENCE = 3.0
#: How long nothing may come before it is looked whether a process is alive and in its time.
_LOOK_SECONDS = 0.5
#: With what a process ends that was told to.
_END = "dpcheck ends"


@dataclass
class _Worker:
    process: Any
    pipe: Connection
    place: int | None = None
    since: float = 0.0

    def seconds(self) -> float:
        return time.monotonic() - self.since


def run_in_processes(calls: Sequence[Call], jobs: int) -> Generator[Begun | Ended | None, None, None]:
    """What comes of calls in so many processes at most, as it comes; None where nothing came for half a second.

    Nothing else is set in a process, the number of threads of linear algebra least of all: what a call gives must not
    depend on where it ran. What is printed there goes to standard error.
    """
    waiting = list(range(len(calls)))
    workers: list[_Worker] = []
    try:
        workers += [_started() for _ in range(min(jobs, len(calls)))]
        while True:
            for worker in workers:
                if worker.place is None and waiting:
                    place = worker.place = waiting.pop(0)
                    worker.since, unsent = time.monotonic(), None
                    try:
                        worker.pipe.send((calls[place].function, calls[place].arguments))
                    except OSError:
                        pass  # it is dead: that is noticed below
                    except Exception as error:  # it cannot be pickled: nothing was sent
                        worker.place, unsent = None, error
                    yield Begun(place)
                    if unsent is not None:
                        yield Ended(place, 0.0, error=unsent)
            busy = [worker for worker in workers if worker.place is not None]
            if not busy and not waiting:
                return
            answered = set(wait([worker.pipe for worker in busy], timeout=_LOOK_SECONDS)) if busy else set()
            if not answered:
                yield None
            for worker in busy:
                ended = _ended(worker, calls, worker.pipe in answered)
                if ended is None:
                    continue
                if ended.lost:
                    _end([worker])
                    workers.remove(worker)
                    workers += [_started()] if waiting else []
                worker.place = None
                yield ended
    finally:
        _end(workers)


def _started() -> _Worker:
    context = get_context("spawn")  # this process may have threads (a progress bar), which a fork would tear apart
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs,))
    with _uninterrupted():
        process.start()
    theirs.close()
    return _Worker(process, ours)


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Ctrl-C waits meanwhile; a process that is begun here does not hear it before it has said that it ignores it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing.resource_tracker import ensure_running

    ensure_running()  # else multiprocessing begins it meanwhile, and unblocks the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _ended(worker: _Worker, calls: Sequence[Call], answered: bool) -> Ended | None:
    """What became of the call of a worker; None where it still runs."""
    assert worker.place is not None
    place, limit = worker.place, calls[worker.place].limit
    # What a dead process left running may hold the other end of its pipe open: then nothing comes, nor an end.
    if not answered and (worker.process.is_alive() or worker.pipe.poll()):
        if worker.seconds() <= limit:
            return None
        return Ended(place, worker.seconds(), lost=f"it took longer than {_seconds(limit)} s and was ended")
    try:
        value, error = worker.pipe.recv() if answered else (None, None)
    except (EOFError, OSError):
        answered = False
    except Exception as unread:  # what came cannot be unpickled here
        value, error = None, unread
    if answered:
        return Ended(place, worker.seconds(), value, error)
    if worker.process.is_alive():
        worker.process.join(_PATIENCE)
    code = worker.process.exitcode
    how = "closed its pipe" if code is None else f"signal {-code}" if code < 0 else f"status {code}"
    return Ended(place, worker.seconds(), lost=f"its process died ({how})")


def _seconds(limit: float) -> str:
    """
    >>> _seconds(14400.0), _seconds(0.5)
    ('14,400', '0.5')
    """
    return f"{limit:,.0f}" if limit >= 1 else f"{limit:g}"


def _end(workers: Sequence[_Worker]) -> None:
    """End processes, and what they left running: those that are idle by themselves, others when they are told to."""
    for worker in workers:
        worker.pipe.close()
        if worker.place is not None and worker.process.is_alive():
            worker.process.terminate()
    until = time.monotonic() + _PATIENCE
    for worker in workers:
        if worker.process.is_alive():
            wait([worker.process.sentinel], max(0.0, until - time.monotonic()))
        with contextlib.suppress(OSError, AttributeError):
            os.killpg(worker.process.pid, signal.SIGKILL)
        worker.process.kill()  # it may not have a group of its own yet
        worker.process.join()


def _serve(pipe: Connection) -> None:
    """Answer calls until the other end is closed.

    Ctrl-C is for the process that waits. The end that it asks for then is an exception here, so that a learner's own
    process, where there is one, is ended too. Its end, however it comes, is that of this process and its children.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _told_to_end)
    parent = parent_process()
    if os.name == "posix" and parent is not None:
        os.setsid()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # as it was begun (_uninterrupted)
        end_group_with(parent.sentinel)
    os.dup2(2, 1)
    while True:
        try:
            function, arguments = pipe.recv()
        except (EOFError, OSError):
            return
        except Exception as error:  # its module cannot be imported here
            answer: tuple[Any, Any] = (None, _sent(error))
        else:
            answer = _tried(function, arguments)
        try:
            pipe.send(answer)
        except OSError:
            return
        except Exception as error:
            pipe.send((None, _sent(error)))


def _tried(function: Any, arguments: tuple[Any, ...]) -> tuple[Any, Any]:
    try:
        return function(*arguments), None
    except SystemExit as error:
        if told_to_end(error):
            raise
        return None, _sent(error)
    except BaseException as error:
        return None, _sent(error)


def _sent(error: BaseException) -> BaseException:
    """An exception with a note of where it was raised; one that cannot be handed over, in words."""
    where = "".join(traceback.format_exception(error))
    try:
        sent = error if isinstance(pickle.loads(pickle.dumps(error)), type(error)) else RuntimeError(in_words(error))
    except Exception:
        sent = RuntimeError(in_words(error))
    BaseException.add_note(sent, f"In another process:\n{where}")
    return sent


def told_to_end(error: SystemExit) -> bool:
    """Whether a process ends because the one that waits for it wants it, and not because a call wants to exit."""
    return error.code == _END


def _told_to_end(number: int, frame: Any) -> None:
    sys.stderr = open("/dev/null", "w")  # noqa: SIM115  (it lives as long as the process)
    raise SystemExit(_END)
