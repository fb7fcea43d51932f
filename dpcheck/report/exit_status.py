"""The exit status of a run: computed from its results alone, so that no format can change it."""

from __future__ import annotations

from enum import IntEnum

from dpcheck.model.verdict import Status
from dpcheck.report.finished import Audited, NotAudited, Run, Trouble


class Exit(IntEnum):
    """What the process says to whoever started it."""

    AS_EXPECTED = 0
    NOT_AS_EXPECTED = 1
    USAGE = 2
    INCONCLUSIVE = 3
    LEARNER_FAILED = 4
    NOTHING_TO_CHECK = 5
    INTERNAL_ERROR = 70
    INTERRUPTED = 130

    @property
    def words(self) -> str:
        """The status as reports print it, such as ``not as expected``."""
        return self.name.lower().replace("_", " ")


FIRST_THAT_APPLIES = (
    Exit.INTERRUPTED,
    Exit.INTERNAL_ERROR,
    Exit.LEARNER_FAILED,
    Exit.NOT_AS_EXPECTED,
    Exit.USAGE,
    Exit.INCONCLUSIVE,
    Exit.NOTHING_TO_CHECK,
    Exit.AS_EXPECTED,
)

OF_TROUBLE = {
    Trouble.USAGE: Exit.USAGE,
    Trouble.LEARNER: Exit.LEARNER_FAILED,
    Trouble.INTERNAL: Exit.INTERNAL_ERROR,
    Trouble.INTERRUPTED: Exit.INTERRUPTED,
}


def exit_of_verdict(status: Status, *, expected: Status, allow_inconclusive: bool) -> Exit:
    """The exit status of one verdict.

    >>> exit_of_verdict(Status.VIOLATED, expected=Status.VIOLATED, allow_inconclusive=False).words
    'as expected'
    >>> exit_of_verdict(Status.INCONCLUSIVE, expected=Status.VIOLATED, allow_inconclusive=False).words
    'inconclusive'
    """
    if status is expected:
        return Exit.AS_EXPECTED
    if status is Status.LEARNER_FAILED:
        return Exit.LEARNER_FAILED
    if status is Status.INCONCLUSIVE:
        return Exit.AS_EXPECTED if allow_inconclusive else Exit.INCONCLUSIVE
    return Exit.NOT_AS_EXPECTED


def exit_of(result: Audited | NotAudited) -> Exit:
    """The exit status one result would have alone."""
    if isinstance(result, NotAudited):
        return OF_TROUBLE[result.trouble]
    if result.was_interrupted:
        return Exit.INTERRUPTED
    return exit_of_verdict(
        result.verdict.status, expected=result.expected, allow_inconclusive=result.allow_inconclusive
    )


def exit_status(run: Run) -> Exit:
    """Of several results the first that applies of 130, 70, 4, 1, 2, 3, 5, 0; 5 for none at all.

    >>> exit_status(Run(())).words
    'nothing to check'
    """
    found = {exit_of(result) for result in run.results} or {Exit.NOTHING_TO_CHECK}
    return next(exit for exit in FIRST_THAT_APPLIES if exit in found)
