"""Runs targets one after the other; whatever happens to one, the others go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dpcheck.cli.failures import complain, print_traceback, trouble_of
from dpcheck.reporting.finished import Audited, NotAudited, Trouble
from dpcheck.verdict import Status, Verdict


@dataclass(frozen=True)
class Job:
    """A target's name, how to get its verdict, and how that is to be judged."""

    name: str
    audit: Callable[[], Verdict]
    expected: Status = Status.NO_VIOLATION_FOUND
    allow_inconclusive: bool = False


def run_jobs(jobs: Sequence[Job], *, traceback: bool) -> tuple[Audited | NotAudited, ...]:
    """The result of each job, in order; trouble is said on standard error as it comes up, each line once.

    Ctrl-C ends the run: what is finished is kept, the rest is reported as interrupted.
    """
    results: list[Audited | NotAudited] = []
    said: set[str] = set()
    for job in jobs:
        result = _result(job, traceback)
        results.append(result)
        if isinstance(result, NotAudited) and result.problem not in said:
            said.add(result.problem)
            complain(_with_name(job.name, result.problem, alone=len(jobs) == 1))
        if _interrupted(result):
            break
    rest = [NotAudited(job.name, Trouble.INTERRUPTED, "not run") for job in jobs[len(results) :]]
    return (*results, *rest)


def _interrupted(result: Audited | NotAudited) -> bool:
    if isinstance(result, Audited):
        return result.was_interrupted
    return result.trouble is Trouble.INTERRUPTED


def _result(job: Job, traceback: bool) -> Audited | NotAudited:
    try:
        return Audited(job.audit(), job.expected, job.allow_inconclusive)
    except (Exception, KeyboardInterrupt) as error:
        if traceback:
            print_traceback(error)
        trouble, problem = trouble_of(error)
        return NotAudited(job.name, trouble, problem)


def _with_name(name: str, problem: str, *, alone: bool) -> str:
    return problem if alone or name in problem else f"{name}: {problem}"
