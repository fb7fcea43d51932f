"""A finished run of checks, and its exit status: computed from its results alone."""

from __future__ import annotations

from dataclasses import dataclass

from dpcheck.checks.result import CheckResult, CheckStatus
from dpcheck.checks.runner import MAX_SAMPLES, MAX_SECONDS
from dpcheck.report.exit_status import FIRST_THAT_APPLIES, OF_TROUBLE, Exit
from dpcheck.report.finished import Trouble


@dataclass(frozen=True)
class Checked:
    """A learner and the results of its checks, in their order; ``interrupted`` when some were not run any more."""

    target: str
    results: tuple[CheckResult, ...]
    interrupted: bool = False


@dataclass(frozen=True)
class NotChecked:
    """A learner that was not checked, and the one line that says why."""

    target: str
    trouble: Trouble
    problem: str


@dataclass(frozen=True)
class CheckRun:
    """Everything a view may show.

    ``max_samples`` and ``max_seconds`` are those of each check; a setting may have said them.
    """

    learners: tuple[Checked | NotChecked, ...]
    argv: tuple[str, ...] = ()
    seed: int = 0
    allow_inconclusive: bool = False
    max_samples: int = MAX_SAMPLES
    max_seconds: float = MAX_SECONDS

    @property
    def results(self) -> tuple[CheckResult, ...]:
        """The results of all learners."""
        return tuple(result for one in self.learners if isinstance(one, Checked) for result in one.results)

    @property
    def level(self) -> float:
        """The sum of the checks' levels: it bounds the probability of any false alarm in the run."""
        return sum(result.level for result in self.results)


def exit_of_result(result: CheckResult, *, allow_inconclusive: bool = False) -> Exit | None:
    """The exit status one result would have alone; None for a check that does not apply, which says nothing.

    >>> exit_of_result(CheckResult("check_x", "a", CheckStatus.FAILED, "it died", learner_failed=True)).words
    'learner failed'
    """
    match result.status:
        case CheckStatus.NOT_APPLICABLE:
            return None
        case CheckStatus.PASSED | CheckStatus.EXPECTED_FAILURE:
            return Exit.AS_EXPECTED
        case CheckStatus.INCONCLUSIVE:
            return Exit.AS_EXPECTED if allow_inconclusive else Exit.INCONCLUSIVE
        case CheckStatus.ERROR:
            return Exit.INTERNAL_ERROR
    return Exit.LEARNER_FAILED if result.learner_failed else Exit.NOT_AS_EXPECTED


def exit_status(run: CheckRun) -> Exit:
    """Of all results the first that applies of 130, 70, 4, 1, 2, 3, 5, 0; 5 where no check applied.

    >>> exit_status(CheckRun(())).words
    'nothing to check'
    """
    found: set[Exit] = set()
    for one in run.learners:
        if isinstance(one, NotChecked):
            found.add(OF_TROUBLE[one.trouble])
            continue
        said = [exit_of_result(result, allow_inconclusive=run.allow_inconclusive) for result in one.results]
        found |= {exit for exit in said if exit is not None} or {Exit.NOTHING_TO_CHECK}
        if one.interrupted:
            found.add(Exit.INTERRUPTED)
    return next(exit for exit in FIRST_THAT_APPLIES if exit in (found or {Exit.NOTHING_TO_CHECK}))
