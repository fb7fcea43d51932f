"""The program that runs a learner in a process of its own: ``python -m dpcheck.execution.worker``.

It reads requests from one pipe, writes answers to another, and tells through shared memory which call is
under way. Whatever the learner does to this process, the audit only loses this process. Imported as little
as possible.
"""

from __future__ import annotations

import mmap
import os
import pickle
import random
import resource
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpcheck.execution.answers import Answers, Request
from dpcheck.execution.calls import Heartbeat, offers_sample, run_request
from dpcheck.execution.frames import MOST_ANSWER_BYTES, framed, read_frame, write_all
from dpcheck.execution.handover import LONGEST_MESSAGE
from dpcheck.execution.lifeline import end_group_with
from dpcheck.execution.made_code import know_code_of
from dpcheck.execution.own_generators import Holdings
from dpcheck.execution.portrait import portrayer
from dpcheck.execution.replaced import Originals, words_of_replaced
from dpcheck.execution.resources import keep_to
from dpcheck.execution.shipment import Shipment
from dpcheck.execution.surroundings import (
    generator_states,
    restore_environment,
    restore_generators,
    threads_of_a_worker,
)
from dpcheck.execution.wire import NotPlain, write_plain
from dpcheck.model.errors import InvalidArgument, LearnerDied, in_words

#: In a worker every exception of the learner is an answer, KeyboardInterrupt included: nobody types here.
_NOTHING_PASSES: tuple[type[BaseException], ...] = ()
#: What the kernel's out-of-memory killer takes first: this process, not the audit.
_OOM_SCORE_FILE, _OOM_SCORE_FIRST = "/proc/self/oom_score_adj", "1000"
#: A module's source that is newer than this process may not be what was imported.
_STARTED = time.time()
#: A learner that reads a model and its data keeps fewer files open than this.
_FILES_NEEDED = 32
#: Modules below these belong to the interpreter, to installed packages or to dpcheck: nobody edits them
#: meanwhile.
_NOT_THE_USERS = tuple(
    os.path.join(place, "")
    for start in {sys.prefix, sys.base_prefix, sys.exec_prefix, os.path.dirname(os.path.dirname(__file__))}
    for place in (start, os.path.realpath(start))
)


@dataclass(frozen=True)
class _Loaded:
    """A target and its datasets, as they arrived, and what draws its answers."""

    make: Callable[[], Any]
    datasets: tuple[Any, ...]
    portray: Callable[[Any], Any]
    maker: Any = None
    holdings: Holdings = field(default_factory=Holdings)


def main(requests: int, answers: int, lifeline: int, heartbeat: int, resources: str) -> None:
    """Serve requests until the other end of the pipe is closed; all arguments but the last are file descriptors."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError), open(_OOM_SCORE_FILE, "w") as score:
        score.write(_OOM_SCORE_FIRST)
    for fd in (requests, answers, lifeline, heartbeat):
        os.set_inheritable(fd, False)  # what the learner starts shall not hold them open
    end_group_with(lifeline)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lambda: _close(requests, answers, lifeline))
    beats = memoryview(mmap.mmap(heartbeat, 0)).cast("Q")
    no_memory = framed(write_plain(("memory", None)))
    loaded: _Loaded | None = None
    held: Any = None
    keep_to(resources)
    state, generators, originals = _state(), generator_states(), Originals(near=True)
    beats[1] = 1  # the sign that it has started; what goes wrong from now on is the learner's
    last: tuple[Any, ...] = ()
    replaced: tuple[str, ...] = ()
    while (frame := read_frame(requests)) is not None:
        kind, content = pickle.loads(frame)
        try:
            if kind in ("load", "hold"):
                place = (tuple(content.path), content.directory)
                if last and place != last and _user_modules():
                    reply: tuple[str, Any] = ("stale", ("its modules may be others now", None))
                elif _changed_since_start():
                    reply = ("stale", ("a module has changed since it was loaded", None))
                else:
                    last = place
                    restore_generators(generators)
                    if kind == "load":
                        held, (loaded, reply) = None, _load(content)
                    else:
                        loaded, (held, reply) = None, _hold(content)
                    generators = generator_states()
            elif kind == "describe":
                reply = ("described", held.describe())
            elif kind == "unload":
                loaded = held = None
                restore_generators(generators)
                reply = ("idle", _state() == state and not _has_children() and not replaced)
            else:
                assert loaded is not None
                reply = _run(loaded, content, beats)
            # a module that is imported to see what it holds is not imported again: what it replaced is kept in mind
            replaced += tuple(name for name in originals.put_back() if name not in replaced)
            if replaced and kind not in ("hold", "describe", "unload"):
                reply = ("died", f"the learner {words_of_replaced(replaced)}")
            beats[1] += 1
            data = framed(_written(reply))
        except MemoryError:
            data = no_memory
        _flush()
        write_all(answers, data)


def _surround(shipment: Shipment) -> None:
    """Take the import path, directory and environment of the audit's process."""
    sys.path[:] = shipment.path
    with suppress(OSError):
        os.chdir(shipment.directory)
    # What the audit's process has, but the numbers of threads with which this process was started: libraries that are
    # loaded only now read them too.
    restore_environment({**threads_of_a_worker(), **shipment.environment})


def _cannot(error: BaseException) -> tuple[str, Any]:
    return "cannot", (_said(error), error.name if isinstance(error, ModuleNotFoundError) else None)


def _known(target: Any) -> Any:
    know_code_of(target)
    return target


def _hold(shipment: Shipment) -> tuple[Any, tuple[str, Any]]:
    """What a learner is to be asked about itself, unpacked: its modules are imported, and it is not made yet."""
    _surround(shipment)
    try:
        return _known(pickle.loads(shipment.target)), ("held", None)
    except BaseException as error:
        return None, _cannot(error)


def _load(shipment: Shipment) -> tuple[_Loaded | None, tuple[str, Any]]:
    _surround(shipment)
    try:
        datasets = pickle.loads(shipment.datasets)
        inputs = pickle.loads(shipment.inputs)
        target = _known(pickle.loads(shipment.target))
    except BaseException as error:
        return None, _cannot(error)
    try:
        if target.can_be_copied:
            make = target.make
        else:  # read it anew each time: a fresh learner after all

            def make() -> Any:
                return pickle.loads(shipment.target).make()

        offers = offers_sample(make())
    except MemoryError:
        raise
    except InvalidArgument as refused:  # by what dpcheck wraps around a learner: who asked is told
        return None, ("invalid", str(refused))
    except BaseException as error:  # nothing that another process could do better: the learner's own code ran here
        return None, ("died", f"the learner could not be made in its worker process: {in_words(error)}")
    portray = portrayer(inputs, _NOTHING_PASSES)
    return _Loaded(make, tuple(datasets), portray, target.maker), ("loaded", bool(offers))


def _run(loaded: _Loaded, request: Request, beats: Heartbeat) -> tuple[str, Any]:
    try:
        answers: Answers = run_request(
            loaded.make,
            loaded.datasets[request.dataset],
            request,
            heartbeat=beats,
            passing=_NOTHING_PASSES,
            carry=lambda value: _drawn(loaded.portray, value, beats),
            maker=loaded.maker,
            holdings=loaded.holdings,
        )
        return "answers", answers
    except LearnerDied as died:
        return "died", died.args[0]
    except InvalidArgument as invalid:
        return "invalid", str(invalid)
    except MemoryError:
        raise
    except BaseException:
        return "bug", traceback.format_exc()


def _drawn(portray: Callable[[Any], Any], value: Any, beats: Heartbeat) -> Any:
    """A portrait, and meanwhile a sign for whoever has to say what the learner was doing when it hung or died."""
    beats[2] = 1
    try:
        return portray(value)
    finally:
        beats[2] = 0


def _written(reply: tuple[str, Any]) -> bytes:
    try:
        data = write_plain(reply)
    except NotPlain as wrong:  # a learner that answers with dpcheck's own dataclasses, and puts something into them
        return write_plain(("died", f"the learner gave an answer that cannot be handed over: {wrong}"))
    if len(data) > MOST_ANSWER_BYTES:
        return write_plain(
            ("died", f"the learner gave answers of {len(data):,} bytes at once, and at most {MOST_ANSWER_BYTES:,} fit")
        )
    return data


def _said(error: BaseException) -> str:
    try:
        return " ".join(f"{type(error).__qualname__}: {error}".split())[:LONGEST_MESSAGE]
    except Exception:
        return type(error).__qualname__


def _user_modules() -> list[str]:
    """The files of loaded modules that somebody may be working on."""
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    return [file for file in files if isinstance(file, str) and not file.startswith(_NOT_THE_USERS)]


def _changed_since_start() -> bool:
    """Whether a module of the user's was edited after this process began: it may be loaded as it was."""
    for file in _user_modules():
        with suppress(OSError):
            if os.stat(file).st_mtime > _STARTED:
                return True
    return False


def _has_children() -> bool:
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return False
    except OSError:
        return True
    return True


def _state() -> tuple[object, ...]:
    """What a learner may change for good: a process where it did is not used again."""
    mask = os.umask(0)
    os.umask(mask)
    limits = [getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")]
    return (
        mask,
        threading.active_count(),
        tuple(resource.getrlimit(limit) for limit in limits),
        tuple(signal.getsignal(number) for number in signal.valid_signals()),
        frozenset(signal.pthread_sigmask(signal.SIG_BLOCK, ())),
        signal.getitimer(signal.ITIMER_REAL)[0] > 0,
        tuple(_file(number) for number in range(3)),
        _room_for_files(),
        # Replaced by whoever wants no randomness in their own tests; the next learner does.
        (np.random.default_rng, np.random.Generator, np.random.PCG64, random.Random, random.random),
    )


def _room_for_files() -> bool:
    """Whether the next learner could open some: one that keeps all it opened would be the end of it."""
    opened: list[int] = []
    try:
        for _ in range(_FILES_NEEDED):
            opened.append(os.dup(1))  # noqa: PERF401  (those opened before it fails are to be closed)
    except OSError:
        return False
    finally:
        _close(*opened)
    return True


def _file(number: int) -> tuple[int, int] | None:
    try:
        found = os.fstat(number)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _close(*fds: int) -> None:
    for fd in fds:
        with suppress(OSError):
            os.close(fd)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()


if __name__ == "__main__":
    _requests, _answers, _lifeline, _heartbeat = map(int, sys.argv[1:5])
    main(_requests, _answers, _lifeline, _heartbeat, sys.argv[5])
