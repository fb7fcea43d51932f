"""Runs a learner in worker processes: a warm one when there is one, as many as there are jobs.

Requests are independent of each other and answers come back in their order, so the number of workers changes
nothing but the time. A worker that died is never used again; the next requests get a new one. More workers than one
begin side by side while those that are there work; where they have nothing to do they begin with what is expected to be
asked next, which nobody sees before it is asked.
"""

from __future__ import annotations

import atexit
import dataclasses
import inspect
import math
import os
import sys
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcheck.execution.answers import Answers, Heard, Request
from dpcheck.execution.calls import out_of_memory, patience, where
from dpcheck.execution.confinement import Confinement
from dpcheck.execution.expected_requests import ExpectedRequests, Outcome, Work, run_requests
from dpcheck.execution.import_limit import import_seconds
from dpcheck.execution.resources import memory_words
from dpcheck.execution.shipment import CannotShip, Shipment, reloaded, shipped
from dpcheck.execution.supervisor import Death, Worker, attend_any, exchange
from dpcheck.model.errors import InvalidArgument, LearnerDied
from dpcheck.model.learner import Target

#: Importing what a learner needs can take half a minute on a cold disk; twice that and more is a hang.
LOAD_SECONDS = 120.0
#: Of those so many for its process to start, beside the limit that is set for the learner's own code.
START_SECONDS = 10.0
#: Letting go of a learner runs its destructors; a worker that takes longer is not worth keeping.
UNLOAD_SECONDS = 1.0
#: Warm workers kept for the next audit of this Python process: one for most, two for comparisons side by
#: side.
MOST_IDLE = 2
#: Seconds of a call from which as many workers begin as may, before there is work for all of them.
WORTH_ALL_WORKERS = 0.005
#: How long a process that begins is waited for before it is looked again whether it has begun.
BEGINNING_SECONDS = 0.02
#: Modules that a worker cannot import are sent as code, one more with each attempt: test modules need one or
#: two.
MOST_MODULES_BY_VALUE = 4

_idle: list[Worker] = []
#: How many may wait now.
_most_idle = [MOST_IDLE]
#: The worker that was last asked about a learner, with the id of what it was asked about: it serves that learner next.
_asked_last: list[tuple[int, Worker]] = []
_idle_lock = threading.Lock()
#: Modules that an earlier worker could not import: sent as code from the start.
_sent_as_code: list[str] = []


def _take(fresh: bool, confinement: Confinement, original: Any = None) -> tuple[Worker, bool]:
    """A worker, and whether it served before: that which was asked about this learner, where there is one.

    One that is confined in another way is ended: it can be given neither less nor more.
    """
    with _idle_lock:
        asked, _asked_last[:] = _asked_last[:], []
    for about, ready in asked:
        if about == id(original) and ready.alive and ready.confinement == confinement and not fresh:
            return ready, True
        _let_go(ready)
    while not fresh:
        with _idle_lock:
            worker = _idle.pop() if _idle else None
        if worker is None:
            break
        if worker.alive and worker.confinement == confinement:
            return worker, True
        if worker.alive:
            worker.end()
    return _new_worker(confinement), False


def _new_worker(confinement: Confinement) -> Worker:
    try:
        return Worker(confinement)
    except OSError as error:
        raise CannotShip(f"a worker process cannot be started: {error}") from None


@contextmanager
def workers_kept(jobs: int) -> Iterator[None]:
    """Keep as many warm workers as there are jobs meanwhile: for who makes many runners one after the other.

    Examples
    --------
    >>> with workers_kept(4):
    ...     _most_idle[0]
    4
    """
    before = _most_idle[0]
    _most_idle[0] = max(before, jobs)
    try:
        yield
    finally:
        _most_idle[0] = before
        with _idle_lock:
            ending = _idle[before:]
            del _idle[before:]
        for worker in ending:
            worker.end()


def _keep(worker: Worker) -> None:
    with _idle_lock:
        if worker.alive and len(_idle) < _most_idle[0]:
            _idle.append(worker)
            return
    worker.end()


def _let_go(worker: Worker) -> None:
    """Keep a worker that forgot its learner and is as it was; else end it."""
    if worker.alive and exchange(worker, "unload", None, UNLOAD_SECONDS) == ("idle", True):
        _keep(worker)
    else:
        worker.end()


def _has_come(worker: Worker, coming: _Coming) -> bool:
    """Whether a worker that nobody gave work yet can wait for the next learner; waited for where one more may wait."""
    until = time.monotonic() + START_SECONDS
    while len(_idle) < _most_idle[0] and worker.death is None and time.monotonic() < until:
        if worker.reply is not None if coming.loading else worker.started:
            return True
        worker.attend()
        time.sleep(BEGINNING_SECONDS / 2)
    return False


def _end_idle() -> None:
    with _idle_lock:
        ending, _idle[:] = [*_idle, *(worker for _, worker in _asked_last)], []
        _asked_last.clear()
    for worker in ending:
        worker.end()


def _forget_parents_workers() -> None:
    """In a forked child: the workers are the parent's, and so may be the lock."""
    global _idle_lock
    _idle_lock = threading.Lock()
    with warnings.catch_warnings():  # that they still run, and their pipes are open here, is as it must be
        warnings.simplefilter("ignore", ResourceWarning)
        _idle.clear()
        _asked_last.clear()


atexit.register(_end_idle)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_parents_workers)


def _end_all(workers: list[Worker]) -> None:
    for worker in workers:
        worker.end()
    workers.clear()


@dataclass
class _Coming:
    """A process that begins, or loads the learner; ``reused``: it served others before."""

    reused: bool
    loading: bool = False


class WorkerRunner:
    """Runs requests in worker processes; made by :func:`worker_runner`."""

    def __init__(
        self, shipment: Shipment, first: Worker, bulk: bool, call_timeout: float, jobs: int, fresh: bool
    ) -> None:
        self.bulk_available = bulk
        self.notes: tuple[str, ...] = ()
        self._shipment = shipment
        self._call_timeout = call_timeout
        self._jobs = jobs
        self._fresh = fresh
        self._confinement = first.confinement
        self._workers = [first]
        self._coming: dict[Worker, _Coming] = {}
        self._most: float = math.inf
        self._dear = False
        self._busy: dict[Worker, Work] = {}
        self._expected = ExpectedRequests()
        self._finalizer = weakref.finalize(self, _end_all, self._workers)

    def run(self, requests: list[Request], heard: Heard | None = None) -> list[Answers]:
        """Answers in the order of the requests; ``heard`` is told them, and those that are not asked yet, as they come.

        Raises
        ------
        LearnerDied
            When the learner hangs or its process dies: for the earliest such request, whatever the number of
            jobs.
        InvalidArgument
            When ``sample`` gives another number of outputs than asked for.
        """
        if not self._finalizer.alive:
            raise InvalidArgument("the runner is closed: make another")
        if not requests:
            return []
        for worker in self._busy:
            worker.looked_away()
        try:
            return run_requests(self, self._expected, requests, heard)
        except BaseException:
            self._expect_nothing()
            raise
        finally:
            self._workers[:] = [worker for worker in self._workers if worker.alive]

    def expect(self, requests: Sequence[Request]) -> None:
        """Begin with these, in their order, where workers would have nothing to do while others are run."""
        self._expected.expect(requests, self._busy.values())

    def serve(self, datasets: Sequence[Any]) -> None:
        """Take other datasets; workers load them, and the learner anew, at once.

        Raises
        ------
        InvalidArgument
            When a dataset cannot be sent to another process.
        LearnerDied
            When the learner can no longer be loaded.
        """
        self._expect_nothing()
        try:
            self._shipment = reloaded(self._shipment, datasets)
        except CannotShip as error:
            raise InvalidArgument(f"pairs must hold datasets that can be sent to a worker process: {error}") from None
        for worker, coming in self._coming.items():
            if coming.loading:  # what it loads is not what is wanted any more
                worker.end()
        self._coming = {worker: coming for worker, coming in self._coming.items() if worker.alive}
        ready = [worker for worker in self._workers if worker.alive and worker not in self._coming]
        try:
            self._workers[:] = [*[_load(worker, True, self._shipment)[0] for worker in ready], *self._coming]
        except (CannotShip, CannotLoad) as error:
            raise LearnerDied(f"the learner could not be loaded again in a worker process: {error}", 0) from None

    def close(self) -> None:
        """Let go of the learner; warm workers wait for the next one."""
        if self._finalizer.detach() is None:
            return
        self._expect_nothing()
        for worker in self._workers:
            if self._fresh or (worker in self._coming and not _has_come(worker, self._coming[worker])):
                worker.end()
            else:
                _let_go(worker)
        self._workers.clear()
        self._coming.clear()

    def __enter__(self) -> WorkerRunner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def under_way(self) -> Collection[Work]:
        """What workers are at."""
        return self._busy.values()

    def begin(self, left: int, work: Callable[[], Work | None]) -> None:
        """Give work to workers that have none, and have more begin where there is work for them."""
        self._workers[:] = [worker for worker in self._workers if worker.alive]
        if left:
            self._hire(left)
        for worker in self._workers:
            if worker in self._busy or worker in self._coming:
                continue
            if (given := work()) is None:
                return
            self._busy[worker] = given
            worker.send("run", given.request, patience(given.request, self._call_timeout))

    def ended(self) -> Iterator[tuple[Work, Outcome]]:
        """Wait, and tell what came of what ended."""
        for worker in self._attended():
            if worker in self._coming:
                self._has_loaded(worker)
                continue
            work = self._busy.pop(worker)
            outcome = _outcome(worker, work.request)
            if isinstance(outcome, Answers):
                self._dear |= outcome.seconds >= WORTH_ALL_WORKERS * outcome.count
            yield work, outcome

    def _attended(self) -> list[Worker]:
        """Those of which something has come; none where processes only begin."""
        for worker, coming in self._coming.items():
            if not coming.loading and worker.started:
                coming.loading = True
                worker.send("load", self._shipment, _load_seconds())
        waiting = [worker for worker, coming in self._coming.items() if not coming.loading]
        for worker in waiting:  # one that ends before it begins is noticed too
            worker.attend()
        return attend_any([*self._busy, *self._coming], BEGINNING_SECONDS if waiting else math.inf)

    def _has_loaded(self, worker: Worker) -> None:
        """One more has loaded the learner, or cannot: then the others go on without it."""
        coming = self._coming.pop(worker)
        if worker.death is None and worker.reply is not None and worker.reply[0] == "loaded":
            return
        worker.end()
        self._workers[:] = [one for one in self._workers if one is not worker]
        if not coming.reused:  # else what went wrong may come from what it did before
            self._go_on_with(f"another {worker.death.cause}" if worker.death else "another cannot load the learner")

    def _hire(self, asked: int) -> None:
        """Have at least one worker, and more begin where there is work for them."""
        if not self._workers:
            try:
                self._workers.append(_load(*_take(self._fresh, self._confinement), self._shipment)[0])
            except (CannotShip, CannotLoad) as error:
                raise LearnerDied(f"the learner could not be loaded in another worker process: {error}", 0) from None
        count = self._jobs if self._dear else min(self._jobs, asked + len(self._busy) + len(self._expected))
        while len(self._workers) < min(count, self._most):
            try:
                worker, reused = _take(self._fresh, self._confinement)
            except CannotShip as error:
                self._go_on_with(str(error))
                return
            self._workers.append(worker)
            self._coming[worker] = _Coming(reused)

    def _go_on_with(self, why: str) -> None:
        self._most = len(self._workers)
        self.notes += (f"{self._most} of {self._jobs} workers: {why}",)

    def _expect_nothing(self) -> None:
        """End what is under way, and forget what came of what was expected."""
        for worker in self._busy:
            worker.end()
        self._busy.clear()
        self._expected.clear()


def _outcome(worker: Worker, request: Request) -> Answers | Exception:
    if worker.death is not None:
        return _died(worker.death, request)
    assert worker.reply is not None
    kind, content = worker.reply
    if kind == "answers":
        if isinstance(content, Answers) and _are_answers(content, request):
            return dataclasses.replace(content, printed=worker.printed)
        index = worker.index
        worker.end()
        return _died(Death("wrote into dpcheck's own pipe", index), request)
    content = content if isinstance(content, str) else ""
    if kind == "invalid":
        return InvalidArgument(content)
    # What is left of a process that ran out of memory cannot be trusted, nor one that our own code failed in.
    index = worker.index
    worker.end()
    if kind == "died":
        return LearnerDied(content, request.dataset)
    if kind == "memory":
        return out_of_memory(request, index, memory_words(worker.confinement.resources.memory))
    return RuntimeError(f"dpcheck failed in its worker process; please report this:\n{content}")


def _died(death: Death, request: Request) -> LearnerDied:
    said = f"; it had printed {death.last_words!r}" if death.last_words else ""
    return LearnerDied(f"the learner {death.cause} {where(request, death.index)}{said}", request.dataset)


def _are_answers(content: Answers, request: Request) -> bool:
    """Whether a worker's message is what a request asks for: a learner may have written it."""
    return (
        type(content.values) in (list, np.ndarray)
        and np.ndim(content.values if isinstance(content.values, np.ndarray) else [0]) > 0
        and len(content.values) == request.count
        and type(content.packed) is str
        and type(content.warned) is dict
        and all(type(place) is int and _are_texts(texts) for place, texts in content.warned.items())
        and type(content.changed_input) is bool
        and type(content.used_rng) is bool
        and (content.outside == () or _are_texts(content.outside))
        and type(content.seconds) is float
        and 0.0 <= content.seconds < math.inf
        and type(content.making) is float
        and 0.0 <= content.making <= content.seconds
    )


def _are_texts(texts: Any) -> bool:
    return type(texts) is tuple and len(texts) > 0 and all(type(text) is str for text in texts)


def _load_seconds() -> float:
    return min(LOAD_SECONDS, import_seconds() + START_SECONDS)


def _load(worker: Worker, reused: bool, shipment: Shipment) -> tuple[Worker, bool]:
    """The worker, or a new one in its place, with the target loaded; whether it offers ``sample``."""
    while True:
        # a learner is copied there, by code of its own
        outcome = exchange(worker, "load", shipment, _load_seconds())
        if not isinstance(outcome, Death) and outcome[0] == "loaded":
            return worker, bool(outcome[1])
        worker.end()
        if not reused:
            break
        # What went wrong may come from what the worker did before, or it must be another because of that.
        worker, reused = _new_worker(worker.confinement), False
    if isinstance(outcome, Death):
        if not worker.started:
            raise CannotShip(f"its worker process did not start: it {outcome.cause} ({outcome.last_words})")
        raise LearnerDied(f"the learner {outcome.cause} while it was loaded in a worker process", 0)
    told = outcome[1]
    if outcome[0] == "died" and type(told) is str:
        raise LearnerDied(told, 0)
    if outcome[0] == "invalid" and type(told) is str:
        raise InvalidArgument(told)
    if type(told) is not tuple or len(told) != 2:
        raise LearnerDied("the learner wrote into dpcheck's own pipe while it was loaded in a worker process", 0)
    reason, missing = told
    raise CannotLoad(reason, missing)


class CannotLoad(Exception):
    """A worker could not unpack the target: the reason, and the module that it could not import, if any."""


def worker_runner(
    target: Target,
    datasets: Sequence[Any],
    *,
    call_timeout: float,
    jobs: int,
    fresh: bool,
    inputs: Any = None,
    from_files: bool = False,
    confinement: Confinement,
) -> WorkerRunner:
    """A runner in worker processes, so confined; ``inputs`` are the rows that models are asked about.

    ``from_files``: modules that cannot be sent as code are imported from their files there.

    Raises
    ------
    CannotShip
        When the target or a dataset cannot be sent to another process.
    LearnerDied
        When a worker dies or hangs while it loads them.
    InvalidArgument
        When what dpcheck wraps around a learner refuses it.
    """
    by_value = list(_sent_as_code)
    while True:
        shipment = shipped(target, datasets, by_value, inputs, from_files=from_files)
        worker, reused = _take(fresh, confinement, target.original)
        try:
            worker, bulk = _load(worker, reused, shipment)
        except CannotLoad as error:
            by_value.append(_sent_next(error, target.original, by_value))
            continue
        _sent_as_code.extend(name for name in by_value if name not in _sent_as_code)
        return WorkerRunner(shipment, worker, bulk, call_timeout, jobs, fresh)


def runner_of_shipment(shipment: Shipment, call_timeout: float, confinement: Confinement) -> WorkerRunner:
    """A runner in one worker process of what was packed somewhere else.

    Raises
    ------
    CannotShip, CannotLoad, LearnerDied, InvalidArgument
        As for :func:`worker_runner`.
    """
    worker, bulk = _load(*_take(False, confinement), shipment)
    return WorkerRunner(shipment, worker, bulk, call_timeout, 1, False)


def _sent_next(error: CannotLoad, original: Any, by_value: list[str]) -> str:
    """The module to be sent as code as well, after a worker could not load the target without it."""
    reason, missing = error.args
    candidates = (missing, inspect.getattr_static(original, "__module__", None))
    sendable = [
        name for name in candidates if type(name) is str and name in sys.modules and name not in by_value
    ]  # fmt: skip
    if not sendable or len(by_value) - len(_sent_as_code) >= MOST_MODULES_BY_VALUE:
        raise CannotShip(f"it cannot be loaded in another process: {reason}") from None
    return sendable[0]


def described_in_worker(
    asked: Any, original: Any, seconds: float, confinement: Confinement, *, from_files: bool = False
) -> Any:
    """What a worker answers to ``asked.describe()``; it is kept for the audit of the same learner.

    Parameters
    ----------
    asked : any
        What is packed and sent.
    original : any
        The learner or factory that it is about.
    seconds : float
        How long making and looking may take.
    confinement : Confinement
        How the worker is begun.
    from_files : bool
        Whether modules that cannot be sent as code are imported from their files.

    Raises
    ------
    CannotShip
        When it cannot be sent to another process.
    LearnerDied
        When the worker dies or hangs.
    """
    by_value = list(_sent_as_code)
    while True:
        shipment = shipped(asked, (), by_value, from_files=from_files)
        worker, reused = _take(False, confinement, original)
        try:
            worker, told = _described(worker, reused, shipment, seconds)
        except CannotLoad as error:
            by_value.append(_sent_next(error, original, by_value))
            continue
        _sent_as_code.extend(name for name in by_value if name not in _sent_as_code)
        with _idle_lock:
            before, _asked_last[:] = _asked_last[:], [(id(original), worker)]
        for _, other in before:
            _let_go(other)
        return told


def _described(worker: Worker, reused: bool, shipment: Shipment, seconds: float) -> tuple[Worker, Any]:
    """The worker, or a new one in its place, and what it told."""
    while True:
        outcome = exchange(worker, "hold", shipment, LOAD_SECONDS)
        if not isinstance(outcome, Death) and outcome[0] == "held":
            outcome = exchange(worker, "describe", None, seconds)
            if not isinstance(outcome, Death) and outcome[0] == "described":
                return worker, outcome[1]
        worker.end()
        if not reused:
            break
        worker, reused = _new_worker(worker.confinement), False  # as for _load
    while_made = "while it was made and looked at in a worker process"
    if isinstance(outcome, Death):
        if not worker.started:
            raise CannotShip(f"its worker process did not start: it {outcome.cause} ({outcome.last_words})")
        said = f"; it had printed {outcome.last_words!r}" if outcome.last_words else ""
        raise LearnerDied(f"the learner {outcome.cause} {while_made}{said}", 0)
    kind, content = outcome
    if kind == "memory":
        raise LearnerDied(
            f"the learner ran out of memory{memory_words(worker.confinement.resources.memory)} {while_made}", 0
        )
    if kind not in ("cannot", "stale") or type(content) is not tuple or len(content) != 2:
        raise LearnerDied(f"the learner wrote into dpcheck's own pipe {while_made}", 0)
    raise CannotLoad(*content)
