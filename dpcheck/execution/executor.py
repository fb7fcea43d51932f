"""Who runs many calls: this process, or several that take nothing from each other and die with this one.

Two kinds of code are run. A *learner* is a stranger's, called millions of times: :meth:`Executor.runner` gives what
runs its requests, in workers that are watched. A *call* is of a function of a module (an audit, a measurement, a
certificate replayed): :meth:`Executor.run` says what comes of each as it comes, :meth:`Executor.submitted` lets them be
waited for in any order. Neither's answers depend on the number of jobs.
"""

from __future__ import annotations

import contextlib
import math
import os
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dpcheck.execution import APART, ISOLATIONS, Isolation, not_isolated
from dpcheck.execution.function_calls import Begun, Call, Ended, value_of
from dpcheck.execution.resources import UNLIMITED, Resources, wanting_a_process
from dpcheck.model.errors import InvalidArgument, nearest

if TYPE_CHECKING:
    from dpcheck.execution.answers import ClosingRunner
    from dpcheck.model.learner import Target


@dataclass(frozen=True)
class Executor:
    """Runs calls, and learners, in so many processes.

    Parameters
    ----------
    jobs : int, at least 1
        How many processes at a time; nothing that comes of it depends on it.
    isolation : {"auto", "process", "container", "none"}
        Calls: in processes of their own (process), in this one, one after the other (none), or in this one where there
        is one job or one call (auto). A learner: in a worker process where it can be sent to one (auto), in one or an
        error, in one that is shut in (container; calls are nobody's but ours, and run as with process), or here.
        Processes begin anew: nothing is inherited but what is passed.
    resources : Resources, optional
        How much memory, how many processes and open files a learner's worker may have.
    elsewhere : an executor, or the address of a cluster, optional
        Who runs calls and learners, in place of processes of this one (:func:`dpcheck.execution.backends.submitting`).

    Raises
    ------
    InvalidArgument
        For other arguments than these.

    Examples
    --------
    >>> from math import factorial
    >>> from dpcheck.execution.function_calls import Call
    >>> with Executor().submitted([Call(factorial, (5,)), Call(factorial, (-1,))]) as value:
    ...     value(0)
    120
    """

    jobs: int = 1
    isolation: Isolation = "auto"
    resources: Resources = UNLIMITED
    elsewhere: Any = None

    def __post_init__(self) -> None:
        if self.isolation not in ISOLATIONS:
            known = ", ".join(ISOLATIONS)
            hint = nearest(str(self.isolation), ISOLATIONS)
            raise InvalidArgument(f"isolation must be one of {known}, got {self.isolation!r}{hint}")
        if isinstance(self.jobs, bool) or not isinstance(self.jobs, int) or self.jobs < 1:
            raise InvalidArgument(f"jobs must be an integer of at least 1, got {self.jobs!r}")

    @property
    def at_once(self) -> int:
        """How many requests of a learner are run at a time: the jobs, or as many as an executor takes if it is one.

        >>> Executor(3).at_once
        3
        """
        if self.elsewhere is None or self.jobs > 1:
            return self.jobs
        from dpcheck.execution.backends import submitting

        return submitting(self.elsewhere).workers or 1

    def here(self, calls: int) -> bool:
        """Whether so many calls would run in this process.

        >>> Executor(3).here(2), Executor(3).here(1), Executor(1, "process").here(1)
        (False, True, False)
        """
        if self.elsewhere is not None:
            return False
        return self.isolation == "none" or (self.isolation == "auto" and min(self.jobs, calls) <= 1)

    def run(self, calls: Sequence[Call]) -> Generator[Begun | Ended | None, None, None]:
        """Begin calls in their order, and tell what comes of them as it comes; None about every half second.

        One that raises, hangs or dies does not take the others along. Closing the iterator ends what still runs; so
        does the end of this process, also by SIGKILL.

        Examples
        --------
        >>> from dpcheck.execution.function_calls import Call, Ended
        >>> [event.value for event in Executor().run([Call(int, ("7",))]) if isinstance(event, Ended)]
        [7]
        """
        if self.elsewhere is not None:
            from dpcheck.execution.backends import submitting
            from dpcheck.execution.calls_elsewhere import run_elsewhere

            yield from run_elsewhere(calls, submitting(self.elsewhere).submits, self.at_once)
            return
        if self.here(len(calls)):
            yield from _run_here(calls)
            return
        from dpcheck.execution.processes import run_in_processes

        yield from run_in_processes(calls, self.jobs)

    @contextmanager
    def submitted(
        self, calls: Sequence[Call], heard: Callable[[Ended], object] = lambda ended: None
    ) -> Iterator[Callable[[int], Any]]:
        """Gives what waits for the value of the call at a place while the others go on, and raises what that raised.

        ``heard`` is told of each that ended as soon as that is known here, in whatever order they are waited for.

        Raises
        ------
        CallLost
            Where a call is waited for whose process died or took too long.
        """
        ended: dict[int, Ended] = {}
        with contextlib.closing(self.run(calls)) as events:

            def value(place: int) -> Any:
                while place not in ended:
                    event = next(events)
                    if isinstance(event, Ended):
                        ended[event.place] = event
                        heard(event)
                return value_of(ended[place], calls)

            yield value

    def runner(
        self,
        target: Target,
        datasets: Sequence[Any],
        *,
        call_timeout: float = 10.0,
        fresh: bool = False,
        inputs: Any = None,
    ) -> ClosingRunner:
        """What runs the calls of an audit.

        Parameters
        ----------
        target : Target
            What to run; each request gets a fresh learner from it.
        datasets : sequence
            What requests name by number; each call gets a copy.
        call_timeout : float, seconds, positive and finite
            How long a call may take; a bulk call up to ten times as long (see ``calls.patience``).
        fresh : bool
            Whether to start new workers and end them afterwards; else a warm one of an earlier audit is used
            again, with whatever earlier learners left in its modules.
        inputs : rows of features, optional
            What fitted models are asked about (``predict_proba``) where they are answered.

        Raises
        ------
        InvalidArgument
            For arguments that cannot be used; for ``isolation="process"`` or "container" when the target cannot be
            sent, or there is no container to be had.
        LearnerDied
            When a worker dies or hangs while it loads the target.

        Examples
        --------
        >>> from numpy.random import SeedSequence
        >>> from dpcheck.execution.answers import Request
        >>> from dpcheck.model.learner import as_target
        >>> runner = Executor(isolation="none").runner(as_target(lambda dataset, rng: len(dataset)), [[1, 2]])
        >>> runner.run([Request(0, 3, SeedSequence(0))])[0].values
        array([2, 2, 2])
        >>> runner.close()
        """
        if (
            isinstance(call_timeout, bool)
            or not isinstance(call_timeout, int | float)
            or not 0 < call_timeout < math.inf
        ):
            raise InvalidArgument(f"call_timeout must be a positive, finite number of seconds, got {call_timeout!r}")

        if self.elsewhere is not None:
            from dpcheck.execution.answered_elsewhere import Conditions
            from dpcheck.execution.backends import submitting
            from dpcheck.execution.elsewhere import elsewhere_runner

            return elsewhere_runner(
                target,
                datasets,
                submitting(self.elsewhere).submits,
                conditions=Conditions(call_timeout, self.isolation, self.resources),
                at_once=self.at_once,
                inputs=inputs,
            )

        from dpcheck.execution.in_process import InProcessRunner

        if self.isolation == "none":
            return InProcessRunner(target, datasets, call_timeout=call_timeout, inputs=inputs)
        if os.name != "posix":
            reason = "worker processes need a POSIX system"
        else:
            from dpcheck.execution.confinement import confinement_of
            from dpcheck.execution.shipment import CannotShip
            from dpcheck.execution.worker_pool import worker_runner

            try:
                return worker_runner(
                    target,
                    datasets,
                    call_timeout=call_timeout,
                    jobs=self.jobs,
                    fresh=fresh,
                    inputs=inputs,
                    from_files=self.isolation in APART,
                    confinement=confinement_of(self.isolation, self.resources),
                )
            except CannotShip as error:
                reason = str(error)
        if wanting := wanting_a_process(self.isolation, self.resources):
            raise not_isolated(wanting, reason)
        return InProcessRunner(
            target,
            datasets,
            call_timeout=call_timeout,
            notes=(f"run in this process, where a crash or a hang in C code ends the audit: {reason}",),
            inputs=inputs,
        )

    def warm(self) -> AbstractContextManager[None]:
        """Keep as many warm worker processes as there are jobs meanwhile: for who makes many runners in turn.

        Examples
        --------
        >>> with Executor(4).warm():
        ...     pass
        """
        if os.name != "posix":
            return nullcontext()
        from dpcheck.execution.worker_pool import workers_kept

        return workers_kept(self.jobs)


def _run_here(calls: Sequence[Call]) -> Generator[Begun | Ended | None, None, None]:
    for place, call in enumerate(calls):
        yield Begun(place)
        begun = time.monotonic()
        try:
            value = call.function(*call.arguments)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            yield Ended(place, time.monotonic() - begun, error=error)
        else:
            yield Ended(place, time.monotonic() - begun, value)
