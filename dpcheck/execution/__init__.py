"""Running a stranger's code: in a worker process that may die without harm, or in this process.

In come a target, datasets and how many calls; out go its answers as plain data, described, with what was noticed on the
way. Where code runs (workers, isolation, limits), whether runs are fresh, and which papers' packages there are, is
known here alone. It may use the model.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from dpcheck.execution.in_process import InProcessRunner
    from dpcheck.execution.worker_pool import WorkerRunner
    from dpcheck.model.errors import InvalidArgument
    from dpcheck.model.learner import Target

Isolation = Literal["auto", "process", "none"]
#: The names that ``isolation`` accepts.
ISOLATIONS: tuple[Isolation, ...] = ("auto", "process", "none")


def not_isolated(reason: str) -> InvalidArgument:
    """The error where a process is asked for, and the learner cannot be sent to one."""
    from dpcheck.model.errors import InvalidArgument

    return InvalidArgument(
        f"isolation='process' wants a learner that runs in another process, but {reason}; "
        "isolation='none' runs it in this one"
    )


def workers_kept(jobs: int) -> AbstractContextManager[None]:
    """Keep as many warm worker processes as there are jobs meanwhile: for who makes many runners in turn.

    Examples
    --------
    >>> with workers_kept(4):
    ...     pass
    """
    if os.name != "posix":
        return nullcontext()
    from dpcheck.execution.worker_pool import workers_kept as kept

    return kept(jobs)


def runner_for(
    target: Target,
    datasets: Sequence[Any],
    *,
    isolation: Isolation = "auto",
    call_timeout: float = 10.0,
    jobs: int = 1,
    fresh: bool = False,
    inputs: Any = None,
) -> WorkerRunner | InProcessRunner:
    """What runs the calls of an audit.

    Parameters
    ----------
    target : Target
        What to run; each request gets a fresh learner from it.
    datasets : sequence
        What requests name by number; each call gets a copy.
    isolation : {"auto", "process", "none"}
        In a worker process where target and datasets can be sent to one (auto), in one or an error, or here.
    call_timeout : float, seconds, positive and finite
        How long a call may take; a bulk call up to ten times as long (see ``calls.patience``).
    jobs : int, at least 1
        Worker processes. Answers do not depend on it.
    fresh : bool
        Whether to start new workers and end them afterwards; else a warm one of an earlier audit is used
        again, with whatever earlier learners left in its modules.
    inputs : rows of features, optional
        What fitted models are asked about (``predict_proba``) where they are answered.

    Raises
    ------
    InvalidArgument
        For arguments that cannot be used; for ``isolation="process"`` when the target cannot be sent.
    LearnerDied
        When a worker dies or hangs while it loads the target.

    Examples
    --------
    >>> from numpy.random import SeedSequence
    >>> from dpcheck.execution.answers import Request
    >>> from dpcheck.model.learner import as_target
    >>> runner = runner_for(as_target(lambda dataset, rng: len(dataset)), [[1, 2]], isolation="none")
    >>> runner.run([Request(0, 3, SeedSequence(0))])[0].values
    array([2, 2, 2])
    >>> runner.close()
    """
    from dpcheck.model.errors import InvalidArgument, nearest

    if isolation not in ISOLATIONS:
        raise InvalidArgument(
            f"isolation must be one of {', '.join(ISOLATIONS)}, got {isolation!r}{nearest(str(isolation), ISOLATIONS)}"
        )
    if isinstance(call_timeout, bool) or not isinstance(call_timeout, int | float) or not 0 < call_timeout < math.inf:
        raise InvalidArgument(f"call_timeout must be a positive, finite number of seconds, got {call_timeout!r}")
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1:
        raise InvalidArgument(f"jobs must be an integer of at least 1, got {jobs!r}")

    from dpcheck.execution.in_process import InProcessRunner

    if isolation == "none":
        return InProcessRunner(target, datasets, call_timeout=call_timeout, inputs=inputs)
    if os.name != "posix":
        reason = "worker processes need a POSIX system"
    else:
        from dpcheck.execution.shipment import CannotShip
        from dpcheck.execution.worker_pool import worker_runner

        try:
            return worker_runner(target, datasets, call_timeout=call_timeout, jobs=jobs, fresh=fresh, inputs=inputs)
        except CannotShip as error:
            reason = str(error)
    if isolation == "process":
        raise not_isolated(reason)
    return InProcessRunner(
        target,
        datasets,
        call_timeout=call_timeout,
        notes=(f"run in this process, where a crash or a hang in C code ends the audit: {reason}",),
        inputs=inputs,
    )
