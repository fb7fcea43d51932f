"""Runs targets, one after the other or side by side; whatever happens to one, the others go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from dpcheck.cli.display import Turn
from dpcheck.cli.failures import complain, print_traceback, trouble_of
from dpcheck.cli.kept_verdicts import KeptVerdicts
from dpcheck.cli.locations import location_of
from dpcheck.cli.time_limit import limited
from dpcheck.cli.values import backend_of
from dpcheck.execution.executor import Executor
from dpcheck.execution.function_calls import Call, CallLost, Ended
from dpcheck.model.errors import InvalidArgument, LearnerDied
from dpcheck.model.verdict import Status, Verdict
from dpcheck.report.finished import Audited, Location, NotAudited, Trouble

Result = Audited | NotAudited


@dataclass(frozen=True)
class Job:
    """A target's name, how to get ready for its audit, and how the verdict is to be judged.

    ``prepare`` finds the target and checks everything that can be checked without running it; it returns the audit.
    """

    name: str
    prepare: Callable[[], Callable[[], Verdict]]
    expected: Status = Status.NO_VIOLATION_FOUND
    allow_inconclusive: bool = False


@contextmanager
def side_by_side(
    executor: Executor,
    audited: Callable[[str, dict[str, Any]], Verdict],
    names: Sequence[str],
    effort: dict[str, Any],
    here: dict[str, Any],
    kept: KeptVerdicts | None = None,
) -> Iterator[Callable[[str], Callable[[], Verdict]]]:
    """Gives how to get ready for the audit of a name: what waits for its verdict, while the others go on.

    Parameters
    ----------
    executor : who runs them
    audited : gives the verdict on a name; a function that a module has
    names : in the order in which they are wanted
    effort : its other argument, which can be pickled
    here : what belongs to it besides where it runs in this process, such as a listener
    kept : verdicts of an earlier run, whose names are not audited again, and where those of this one are kept
    """
    known = {} if kept is None else kept.found(names)
    left = [name for name in names if name not in known]
    given = {**effort, **(here if executor.here(len(left)) else {})}

    def heard(ended: Ended) -> None:
        if kept is not None and isinstance(ended.value, Verdict):
            kept.keep(left[ended.place], ended.value)

    with executor.submitted([Call(audited, (name, given)) for name in left], heard) as value:
        yield lambda name: partial(_told, known[name]) if name in known else partial(_waited, value, left.index(name))


def _told(verdict: Verdict) -> Verdict:
    return verdict


def executor_of(jobs: int, backend: str | None, journal: Path | None) -> Executor:
    """Who makes audits: processes of this machine, or the workers of a cluster.

    Raises
    ------
    InvalidArgument
        For an address that is none, and for a cluster beside a journal, which its workers would keep on their machines.
    """
    if backend is not None and journal is not None:
        raise InvalidArgument("--journal must not be given with --backend, whose machines make the audits: drop one")
    return Executor(jobs, elsewhere=backend_of(backend))


def _waited(value: Callable[[int], Verdict], place: int) -> Verdict:
    try:
        return value(place)
    except CallLost as lost:
        raise LearnerDied(str(lost)) from lost


def run_jobs(
    jobs: Sequence[Job],
    *,
    traceback: bool,
    listener: Callable[[Any], object],
    told: Callable[[Result], object],
) -> tuple[Result, ...]:
    """The result of each job, in order, each told as soon as it is there.

    All jobs are prepared before the first audit runs: what is misspelt is said at once, on standard error, each line
    once. Ctrl-C ends the run: what is finished is kept, the rest is reported as interrupted.
    """
    said: set[str] = set()
    results: list[Result] = []

    def kept(result: Result) -> Result:
        if isinstance(result, NotAudited) and result.problem not in said:
            said.add(result.problem)
            complain(_with_name(result.target, result.problem, alone=len(jobs) == 1))
        return result

    places: dict[str, Location | None] = {}
    try:
        ready = []
        for job in jobs:
            ready.append(_ready(job, traceback))
            # Now: a learner that runs may change the directory.
            with limited(f"the place of {job.name} was being looked for"):
                places[job.name] = location_of(job.name)
            if isinstance(ready[-1], NotAudited):
                kept(ready[-1])
        for turn, (job, one) in enumerate(zip(jobs, ready, strict=True), start=1):
            listener(Turn(turn, len(jobs)))
            result = kept(one if isinstance(one, NotAudited) else _result(job, one, traceback))
            results.append(replace(result, location=places[job.name]))
            told(results[-1])
            if _interrupted(results[-1]):
                break
    except KeyboardInterrupt:
        complain("interrupted")
    for job in jobs[len(results) :]:
        results.append(NotAudited(job.name, Trouble.INTERRUPTED, "not run", places.get(job.name)))
        told(results[-1])
    return tuple(results)


def _interrupted(result: Result) -> bool:
    if isinstance(result, Audited):
        return result.was_interrupted
    return result.trouble is Trouble.INTERRUPTED


def _ready(job: Job, traceback: bool) -> Callable[[], Verdict] | NotAudited:
    try:
        return job.prepare()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return _not_audited(job, error, traceback)


def _result(job: Job, audit: Callable[[], Verdict], traceback: bool) -> Result:
    try:
        return Audited(audit(), job.expected, job.allow_inconclusive)
    except BaseException as error:
        return _not_audited(job, error, traceback)


def _not_audited(job: Job, error: BaseException, traceback: bool) -> NotAudited:
    if traceback:
        print_traceback(error)
    trouble, problem = trouble_of(error)
    return NotAudited(job.name, trouble, problem)


def _with_name(name: str, problem: str, *, alone: bool) -> str:
    return problem if alone or name in problem else f"{name}: {problem}"
