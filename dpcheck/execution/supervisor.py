"""One worker process seen from the audit: started, watched, and ended with everything it left behind.

One thread and one poll loop serve all workers: answers, what the learner prints (counted and thrown away),
the death of a process, and the heartbeat that tells a slow learner from a hung one.
"""

from __future__ import annotations

import math
import mmap
import os
import pickle
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from dpcheck.execution.confinement import Confinement
from dpcheck.execution.frames import HEADER_BYTES, MOST_ANSWER_BYTES, framed, length_in, write_all
from dpcheck.execution.handover import PICKLE_PROTOCOL
from dpcheck.execution.processor_time import clock_behind, processor_seconds
from dpcheck.execution.resources import as_argument
from dpcheck.execution.started_processes import below, started_by, tasks_of_the_system
from dpcheck.execution.surroundings import threads_of_a_worker
from dpcheck.execution.wire import read_plain
from dpcheck.model.errors import ONLY_SLOW

#: How often the heartbeat is looked at while nothing arrives: a twentieth of the time limit, within these
#: seconds.
_POLLS_PER_LIMIT = 20
_SHORTEST_POLL, _LONGEST_POLL = 0.01, 0.25
#: A process that begins imports what dpcheck needs there, which takes half a minute on a cold disk at the most.
_BEGINNING_SECONDS = 120.0
#: What is waited for while a learner is imported, made and looked at: its limit is the processor's time.
_BY_PROCESSOR = frozenset({"load", "hold", "describe"})
#: How often it is looked whether the system has many more threads than before, which takes microseconds.
_COUNT_SECONDS = 0.2
#: A shell, and bubblewrap, say with a status above this by which signal their program ended.
_STATUS_OF_SIGNALS = 128
#: A process that closed its pipes is normally gone at once; this long it may take before it is ended.
_GRACE_SECONDS = 1.0
#: Of what a learner prints, only the beginning is kept, for the message if it dies.
KEPT_PRINT_BYTES = 2048
_SHOWN_PRINT_CHARACTERS = 120
#: What a pipe holds at most on Linux by default: more than this cannot have been printed before an answer.
_PIPE_BYTES = 1 << 16
_READ_AT_ONCE = 1 << 20
#: Three counters: the call under way, requests finished, and whether an answer is being drawn.
_HEARTBEAT_BYTES = 24
_DRAWING = 2


@dataclass(frozen=True)
class Death:
    """Why a worker is gone, in words that follow "the learner"; ``index`` is the call that was under way."""

    cause: str
    index: int
    last_words: str = ""


class Worker:
    """A running worker process; at most one message is under way at a time.

    ``reply`` is the last message's answer once it is there, ``death`` why there will be none any more,
    ``printed`` how many bytes were printed since the message was sent.
    """

    def __init__(self, confinement: Confinement = Confinement()) -> None:  # noqa: B008  (frozen)
        self.confinement = confinement
        self._tasks_before = tasks_of_the_system()
        self._counted = time.monotonic()
        self.owner = os.getpid()
        self.reply: tuple[str, Any] | None = None
        self.death: Death | None = None
        self.printed = 0
        self.print_head = b""
        self._patience = _BEGINNING_SECONDS
        self._used: float | None = 0.0  # of the processors when its limit began; None where the clock is the limit
        self._last_beat = (0, 0)
        self._last_sign = time.monotonic()
        self._header = b""
        self._body = bytearray()
        self._expected: int | None = None
        requests_out, self._requests = os.pipe()
        self._answers, answers_in = os.pipe()
        lifeline_out, self._lifeline = os.pipe()
        with _anonymous_file() as file:
            self._beats = mmap.mmap(file.fileno(), _HEARTBEAT_BYTES)
            self._beat_view = memoryview(self._beats).cast("Q")
            theirs = (requests_out, answers_in, lifeline_out, file.fileno())
            begun = False
            try:
                self._process = subprocess.Popen(
                    [
                        *confinement.container,
                        sys.executable,
                        *["-O"] * sys.flags.optimize,
                        "-P",  # no file of this directory shadows a module
                        "-m",
                        "dpcheck.execution.worker",
                        *map(str, theirs),
                        as_argument(confinement.resources, self._tasks_before),
                    ],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    pass_fds=theirs,
                    start_new_session=True,
                    env=_environment(),
                )
                begun = True
            finally:
                ours = () if begun else (self._requests, self._answers, self._lifeline)
                for fd in (*theirs[:3], *ours):
                    os.close(fd)
        assert self._process.stdout is not None
        self._prints = self._process.stdout.fileno()
        self._prints_open = True
        os.set_blocking(self._prints, False)
        os.set_blocking(self._answers, False)
        self._pidfd = _pidfd(self._process.pid)

    @property
    def fds(self) -> tuple[int, ...]:
        """What to poll."""
        prints = (self._prints,) if self._prints_open else ()
        return (self._answers, *prints, *(() if self._pidfd is None else (self._pidfd,)))

    @property
    def alive(self) -> bool:
        """Whether it can be given work."""
        return self.death is None and self.owner == os.getpid()

    def send(self, kind: str, content: Any, patience: float) -> None:
        """Give it work; ``patience`` is how many seconds it may take without a sign of life.

        They are the processor's where a learner is imported, made or looked at, and the clock's where it is called.
        """
        self.reply, self.printed, self.print_head = None, 0, b""
        self._header, self._body, self._expected = b"", bytearray(), None
        self._patience = patience
        self._used = self._processor_seconds() if kind in _BY_PROCESSOR else None
        self._beat_view[_DRAWING] = 0
        self._last_beat = self._beat()
        self._last_sign = time.monotonic()
        try:
            write_all(self._requests, framed(pickle.dumps((kind, content), PICKLE_PROTOCOL)))
        except OSError:
            self._gone()

    @property
    def started(self) -> bool:
        """Whether it has ever been ready for work."""
        return self._beat_view[1] > 0

    @property
    def index(self) -> int:
        """The call of the last request that was begun last."""
        return self._beat_view[0]

    def looked_away(self) -> None:
        """Nobody read what it printed for a while: that time is not its own."""
        self._last_sign = time.monotonic()

    def poll_seconds(self) -> float:
        """How long to wait at most before the heartbeat is looked at again."""
        return min(_LONGEST_POLL, max(_SHORTEST_POLL, self._patience / _POLLS_PER_LIMIT))

    def attend(self) -> None:
        """Read what has come, and notice death or a hang; sets ``reply`` or ``death``."""
        if self.death is not None:
            return
        try:
            ended = not self._read_answer()
        except ValueError:
            self.end()
            self.death = Death("wrote into dpcheck's own pipe", self.index)
            return
        self._read_prints()
        if self.reply is not None:
            return
        if ended or self._has_exited():
            self._gone()
        else:
            self._watch()

    def end(self) -> None:
        """End the process and everything in its group, and give back what it held."""
        if self.death is None:
            self.death = Death("was ended by dpcheck", self.index)
        if self.owner == os.getpid():
            self._kill()
            self._process.wait()
        self._release()

    def _beat(self) -> tuple[int, int]:
        return self._beat_view[0], self._beat_view[1]

    def _watch(self) -> None:
        beat = self._beat()
        now = time.monotonic()
        if self._has_started_too_many(now):
            cause = f"started more than {self.confinement.resources.processes:,} processes (max_processes)"
            self.death = Death(f"{cause}{self._meanwhile()}", beat[0], self._last_words())
            self.end()
        elif beat != self._last_beat:
            self._last_beat, self._last_sign = beat, now
        elif now - self._last_sign > self._patience and (cause := self._too_long(now - self._last_sign)):
            self.death = Death(f"{cause}{self._meanwhile()}", beat[0], self._last_words())
            self.end()

    def _processor_seconds(self) -> float | None:
        return processor_seconds(self._process.pid, with_children=True)

    def _too_long(self, passed: float) -> str:
        """Why it is not waited for any longer, after so many seconds on the clock; empty where it is."""
        used = None if self._used is None else self._processor_seconds()
        if used is None or self._used is None:
            return f"gave no sign of life for {self._patience:g} s"
        had = used - self._used
        if had > self._patience:
            return f"gave no sign of life for {self._patience:g} s of the processor's time"
        if passed > clock_behind(self._patience):
            return f"{ONLY_SLOW} {passed:.3g} s, and had {had:.2g} s of the processor in them: it waits, or is slow,"
        return ""

    def _has_started_too_many(self, now: float) -> bool:
        most = self.confinement.resources.processes
        if most is None or self._tasks_before is None or now - self._counted < _COUNT_SECONDS:
            return False
        self._counted = now
        allowed = most + (2 if self.confinement.container else 0)  # bubblewrap has two
        if below(self._process.pid, allowed) > allowed:
            return True
        # Looking at all processes takes long where there are many: most of what is allowed must be new.
        tasks = tasks_of_the_system() or 0
        return tasks - self._tasks_before > most // 2 and started_by(self._process.pid) > allowed

    def _read_answer(self) -> bool:
        """Read what there is of the answer; False when the pipe is closed."""
        while True:
            wanted = HEADER_BYTES - len(self._header) if self._expected is None else self._expected - len(self._body)
            try:
                part = os.read(self._answers, min(wanted, _READ_AT_ONCE))
            except BlockingIOError:
                return True
            if not part:
                return False
            if self._expected is None:
                self._header += part
                if len(self._header) == HEADER_BYTES:
                    self._expected = length_in(self._header)
                    if self._expected > MOST_ANSWER_BYTES:
                        raise ValueError("not an answer")
            else:
                self._body += part
            if self._expected is not None and len(self._body) == self._expected:
                self._expected = None
                self.reply = _reply(self._body)
                return True

    def _read_prints(self) -> None:
        """Count what was printed: at most what a pipe holds, so all that was printed before the answer."""
        budget = _PIPE_BYTES
        while budget > 0:
            try:
                part = os.read(self._prints, budget)
            except OSError:
                return
            if not part:  # nobody can print any more, and a closed pipe would wake every poll
                self._prints_open = False
                return
            budget -= len(part)
            self.printed += len(part)
            if len(self.print_head) < KEPT_PRINT_BYTES:
                self.print_head += part[: KEPT_PRINT_BYTES - len(self.print_head)]

    def _has_exited(self) -> bool:
        if self._pidfd is not None:
            return bool(select.select([self._pidfd], [], [], 0)[0])
        # Without a pidfd, and without reaping: a reaped leader's group number could be another's.
        if hasattr(os, "waitid"):
            with suppress(ChildProcessError):
                return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        return self._process.poll() is not None

    def _gone(self) -> None:
        """It ended, or closed its pipes: find out why, then end what it left."""
        index = self.index
        deadline = time.monotonic() + _GRACE_SECONDS
        while not self._has_exited() and time.monotonic() < deadline:
            time.sleep(_SHORTEST_POLL)
        if self._has_exited():
            self._read_prints()
            self._kill()
            cause = f"{_exit_cause(self._status())}{self._meanwhile()}"
        else:
            self._kill()
            self._process.wait()
            cause = "closed dpcheck's pipes and was ended"
        self.death = Death(cause, index, self._last_words())
        self._release()

    def _status(self) -> int:
        status = self._process.wait()
        by_signal = self.confinement.container and status > _STATUS_OF_SIGNALS
        return _STATUS_OF_SIGNALS - status if by_signal else status

    def _meanwhile(self) -> str:
        return " while its answer was looked at" if self._beat_view[_DRAWING] else ""

    def _last_words(self) -> str:
        return " ".join(self.print_head.decode("utf-8", "replace").split())[-_SHOWN_PRINT_CHARACTERS:]

    def _kill(self) -> None:
        # The group first, while its leader is not reaped and the number is surely its own.
        with suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        with suppress(OSError):
            self._process.kill()

    def _release(self) -> None:
        if self._process.stdout is None or self._process.stdout.closed:
            return
        self._process.stdout.close()
        for fd in (self._requests, self._answers, self._lifeline, self._pidfd):
            if fd is not None:
                with suppress(OSError):
                    os.close(fd)


def _reply(data: bytearray) -> tuple[str, Any]:
    """A worker's message: a word and plain data, whoever wrote it; ValueError for anything else."""
    reply = read_plain(data)
    if type(reply) is not tuple or len(reply) != 2 or type(reply[0]) is not str:
        raise ValueError("not an answer")
    return reply


def attend_any(workers: Sequence[Worker], seconds: float = math.inf) -> list[Worker]:
    """Wait until at least one of these busy workers has replied or died, and give those that have.

    None of them after so many ``seconds``.
    """
    poll_seconds = min([seconds, *(worker.poll_seconds() for worker in workers)])
    until = time.monotonic() + seconds
    while True:
        done = [worker for worker in workers if worker.reply is not None or worker.death is not None]
        if done or time.monotonic() >= until:
            return done
        poll = select.poll()
        for worker in workers:
            for fd in worker.fds:
                poll.register(fd, select.POLLIN)
        poll.poll(poll_seconds * 1000)
        for worker in workers:
            worker.attend()


def exchange(worker: Worker, kind: str, content: Any, patience: float) -> tuple[str, Any] | Death:
    """One message and its reply, or the death of the worker."""
    try:
        worker.send(kind, content, patience)
        attend_any([worker])
    except BaseException:  # an interrupt: what the worker is in the middle of, nobody waits for
        worker.end()
        raise
    if worker.reply is not None:
        return worker.reply
    assert worker.death is not None
    return worker.death


def _environment() -> dict[str, str]:
    # One seed for all workers: else the order of sets, and with it answers, would depend on the worker.
    given = os.environ.get("PYTHONHASHSEED", "")
    environment = {**threads_of_a_worker(), **os.environ, "PYTHONHASHSEED": given if given.isdigit() else "0"}
    environment["PYTHONPATH"] = os.pathsep.join(entry for entry in map(str, sys.path) if entry)
    return environment


def _anonymous_file() -> Any:
    if hasattr(os, "memfd_create"):
        file: Any = os.fdopen(os.memfd_create("dpcheck"), "w+b")
    else:
        file = tempfile.TemporaryFile()  # noqa: SIM115  (the caller is its context)
    file.truncate(_HEARTBEAT_BYTES)
    return file


def _pidfd(pid: int) -> int | None:
    if hasattr(os, "pidfd_open"):
        with suppress(OSError):
            return os.pidfd_open(pid)
    return None


def _exit_cause(status: int) -> str:
    if status >= 0:
        return f"ended its process with exit status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    hint = " (out of memory?)" if name == "SIGKILL" else ""
    return f"was ended by {name}{hint}"
