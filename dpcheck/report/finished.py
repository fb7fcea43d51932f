"""A finished run: what was audited, what was expected of each target, and what could not be audited."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dpcheck.model.verdict import Environment, Status, Stop, Verdict

#: What is written of an audit whose turn has not come: a survey that is killed leaves a record of what it had.
NOT_YET = "not run yet"


class Trouble(StrEnum):
    """Why a target has no verdict."""

    USAGE = "usage error"
    LEARNER = "learner failed"
    INTERNAL = "internal error"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Location:
    """Where a learner is defined.

    ``file`` is relative to the root of the repository, with forward slashes; ``line`` is counted from 1.
    """

    file: str
    line: int


@dataclass(frozen=True)
class Audited:
    """A verdict and how it is to be judged.

    ``expected`` is the status that is no news; ``allow_inconclusive`` lets inconclusive pass;
    ``origin`` names the test that asked, if one did; ``location`` is where the learner is defined (or the test, where
    that cannot be had), None outside the repository.
    """

    verdict: Verdict
    expected: Status = Status.NO_VIOLATION_FOUND
    allow_inconclusive: bool = False
    origin: str = ""
    location: Location | None = None

    @property
    def target(self) -> str:
        """How reports call the target."""
        return self.verdict.target

    @property
    def was_interrupted(self) -> bool:
        """Whether the audit was cut short by its user."""
        return self.verdict.stop is Stop.INTERRUPTED


@dataclass(frozen=True)
class NotAudited:
    """A target without a verdict, and the one line that says why."""

    target: str
    trouble: Trouble
    problem: str
    location: Location | None = None


@dataclass(frozen=True)
class Run:
    """Everything a view may show.

    Parameters
    ----------
    results : tuple of Audited or NotAudited
        In the order in which the targets were named.
    argv : tuple of str
        The command that made the run.
    seed : int
        The seed every audit of the run was given.
    """

    results: tuple[Audited | NotAudited, ...]
    argv: tuple[str, ...] = ()
    seed: int = 0

    @property
    def audited(self) -> tuple[Audited, ...]:
        """The results that have a verdict."""
        return tuple(result for result in self.results if isinstance(result, Audited))

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdicts, in order."""
        return tuple(result.verdict for result in self.audited)

    @property
    def environment(self) -> Environment | None:
        """Where the run was made; None when nothing was audited."""
        return self.verdicts[0].environment if self.verdicts else None

    @property
    def level(self) -> float:
        """The sum of the audits' levels: it bounds the probability of any false alarm in the run."""
        return sum(verdict.alpha for verdict in self.verdicts)
