"""Runs a learner in the workers of somebody's executor: a pool of processes, a Dask or a Ray cluster.

A request is answered by one worker. A worker that is lost costs its request and nothing else: another one is asked,
with the same randomness, and has the same answer. Which worker answered what changes nothing.
"""

from __future__ import annotations

import hashlib
import inspect
import pickle
import sys
import weakref
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import suppress
from typing import Any, Protocol

from dpcheck.execution.answered_elsewhere import Asked, Conditions, answered
from dpcheck.execution.answers import Answers, Heard, Request
from dpcheck.execution.expected_requests import ExpectedRequests, Outcome, Work, run_requests
from dpcheck.execution.shipment import CannotShip, Shipment, reloaded, shipped
from dpcheck.execution.surroundings_there import MadeOf, is_own, made_of, words_of_differences
from dpcheck.model.errors import InvalidArgument, LearnerDied, in_words
from dpcheck.model.learner import Target

#: A request whose workers were lost more often than this is given up: it may be what ends them.
MOST_LOST = 5
#: Requests under way for each worker: the next is there when one is answered.
QUEUED = 2
#: Modules of a learner's author that are sent after a worker did not find them.
MOST_MODULES_SENT = 16


class Submits(Protocol):
    """What :class:`concurrent.futures.Executor` offers, as far as it is used here."""

    def submit(self, function: Any, /, *arguments: Any) -> Future[Any]:
        """Begin a call somewhere."""
        ...


class ElsewhereRunner:
    """Runs requests in the workers of an executor; made by :func:`elsewhere_runner`."""

    def __init__(
        self, executor: Submits, shipment: Shipment, parts: MadeOf, bulk: bool, conditions: Conditions, at_once: int
    ) -> None:
        self.bulk_available = bulk
        self.notes: tuple[str, ...] = ()
        self._executor, self._conditions, self._at_once, self._parts = executor, conditions, at_once, parts
        self._shipment, self._learner = shipment, _name(shipment, conditions)
        self._under_way: dict[Future[Any], Work] = {}
        self._lost: dict[str, int] = {}
        self._expected = ExpectedRequests()
        self._finalizer = weakref.finalize(self, _cancel, self._under_way)

    def run(self, requests: list[Request], heard: Heard | None = None) -> list[Answers]:
        """Answers in the order of the requests; ``heard`` is told them, and those that are not asked yet, as they come.

        Raises
        ------
        LearnerDied
            When the learner hangs or its process dies: for the earliest such request. When workers are lost with one
            request again and again.
        InvalidArgument
            When ``sample`` gives another number of outputs than asked for, or a worker has other versions.
        """
        if not self._finalizer.alive:
            raise InvalidArgument("the runner is closed: make another")
        try:
            return run_requests(self, self._expected, requests, heard)
        except BaseException:
            self._expect_nothing()
            raise

    def expect(self, requests: Sequence[Request]) -> None:
        """Begin with these, in their order, where workers would have nothing to do while others are run."""
        self._expected.expect(requests, self._under_way.values())

    def serve(self, datasets: Sequence[Any]) -> None:
        """Take other datasets.

        Raises
        ------
        InvalidArgument
            When a dataset cannot be sent to another process.
        """
        self._expect_nothing()
        try:
            self._shipment = reloaded(self._shipment, datasets)
        except CannotShip as error:
            raise InvalidArgument(f"pairs must hold datasets that can be sent to a worker process: {error}") from None
        self._learner = _name(self._shipment, self._conditions)

    def close(self) -> None:
        """Want nothing more; the executor is its owner's to end."""
        if self._finalizer.detach() is not None:
            self._expect_nothing()

    def __enter__(self) -> ElsewhereRunner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def under_way(self) -> Collection[Work]:
        """What workers are at, or what waits for one."""
        return self._under_way.values()

    def begin(self, left: int, work: Callable[[], Work | None]) -> None:
        """Hand on work, as long as there are workers for it."""
        while len(self._under_way) < QUEUED * self._at_once and (given := work()) is not None:
            self._begin(given)

    def ended(self) -> Iterator[tuple[Work, Outcome]]:
        """Wait, and tell what came of what ended."""
        done, _ = wait(self._under_way, return_when=FIRST_COMPLETED)
        for future in done:
            work = self._under_way.pop(future)
            outcome = self._outcome(future, work)
            if outcome is not None:
                yield work, outcome

    def _begin(self, work: Work, whole: bool = False) -> None:
        more = (self._shipment, self._parts) if whole else (None, None)
        asked = Asked(self._learner, self._conditions, work.request, *more)
        self._under_way[submitted(self._executor, answered, asked)] = work

    def _outcome(self, future: Future[Any], work: Work) -> Outcome | None:
        """What came of it; None where it is asked again."""
        try:
            kind, content = future.result()
        except (Exception, CancelledError) as error:
            lost = self._lost[work.request.asked] = self._lost.get(work.request.asked, 0) + 1
            if lost > MOST_LOST:
                return LearnerDied(
                    f"the workers of the executor were lost with one request, {lost} times: {in_words(error)}",
                    work.request.dataset,
                )
            self._begin(work, whole=True)
            return None
        if kind == "missing":
            self._begin(work, whole=True)
            return None
        if kind == "answers" and isinstance(content, Answers) and content.count == work.request.count:
            return content
        return _error(kind, content, work.request.dataset)

    def _expect_nothing(self) -> None:
        _cancel(self._under_way)
        self._expected.clear()


def elsewhere_runner(
    target: Target,
    datasets: Sequence[Any],
    executor: Submits,
    *,
    conditions: Conditions,
    at_once: int,
    inputs: Any = None,
) -> ElsewhereRunner:
    """A runner in the workers of an executor, one of which has loaded the learner.

    Parameters
    ----------
    executor : what has ``submit`` as :class:`concurrent.futures.Executor` has it
    at_once : int, so many workers are reckoned with

    Raises
    ------
    InvalidArgument
        When the learner cannot be sent or loaded there, or versions there are others; they are named.
    LearnerDied
        When it dies or hangs while it is loaded.
    """
    by_value: list[str] = []
    parts = made_of(target.original)
    while True:
        try:
            shipment = shipped(target, datasets, by_value, inputs)
        except CannotShip as error:
            raise InvalidArgument(f"executor cannot run {target.name}: {error}") from None
        kind, content = _loaded(executor, Asked(_name(shipment, conditions), conditions, None, shipment, parts))
        if kind == "held":
            return ElsewhereRunner(executor, shipment, parts, bool(content), conditions, at_once)
        if kind != "cannot":
            raise _error(kind, content, 0)
        reason, missing = content
        candidates = (missing, inspect.getattr_static(target.original, "__module__", None))
        modules = [sys.modules.get(name) for name in candidates if type(name) is str and name not in by_value]
        sent = [module.__name__ for module in modules if module is not None and is_own(module)]
        if not sent or len(by_value) >= MOST_MODULES_SENT:
            raise InvalidArgument(f"executor cannot load {target.name} in its workers: {reason}")
        by_value.append(sent[0])


def _loaded(executor: Submits, asked: Asked) -> tuple[str, Any]:
    for lost in range(MOST_LOST + 1):
        try:
            kind, content = submitted(executor, answered, asked).result()
            return kind, content
        except InvalidArgument:
            raise
        except (Exception, CancelledError) as error:
            if lost == MOST_LOST:
                raise InvalidArgument(f"executor must run calls, and could not: {in_words(error)}") from error
    raise AssertionError


def submitted(executor: Submits, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
    """A call that was handed on.

    Raises
    ------
    InvalidArgument
        Where the executor takes none.
    """
    try:
        return executor.submit(function, *arguments)
    except Exception as error:  # a pool that is broken or shut down says so here
        raise InvalidArgument(f"executor must take calls, and does not: {in_words(error)}") from error


def _error(kind: str, content: Any, dataset: int) -> Exception:
    if kind == "other":
        return InvalidArgument(words_of_differences(content))
    if kind == "invalid":
        return InvalidArgument(content)
    if kind == "died":
        return LearnerDied(*content)
    if kind == "cannot":
        return LearnerDied(f"the learner could not be loaded in another worker: {content[0]}", dataset)
    return LearnerDied(f"a worker of the executor gave no answer but {kind!r}", dataset)


def _name(shipment: Shipment, conditions: Conditions) -> str:
    told = (shipment.target, shipment.datasets, shipment.inputs, repr(conditions))
    return hashlib.sha256(pickle.dumps(told)).hexdigest()


def _cancel(under_way: dict[Future[Any], Work]) -> None:
    for future in under_way:
        with suppress(Exception):
            future.cancel()
    under_way.clear()
