"""What a check says: one status, one sentence, and what it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dpcheck.model.verdict import Verdict


class CheckStatus(StrEnum):
    """How a check ended; each with one sentence of meaning."""

    ERROR = "error"
    FAILED = "failed"
    UNEXPECTEDLY_PASSED = "unexpectedly passed"
    INCONCLUSIVE = "inconclusive"
    EXPECTED_FAILURE = "expected failure"
    NOT_APPLICABLE = "not applicable"
    PASSED = "passed"

    @property
    def meaning(self) -> str:
        """The one sentence that says what this status means."""
        return _MEANINGS[self]

    @property
    def as_expected(self) -> bool:
        """Whether it is no news: passed, failed as announced, or nothing to check."""
        return self in (CheckStatus.PASSED, CheckStatus.EXPECTED_FAILURE, CheckStatus.NOT_APPLICABLE)


_MEANINGS: dict[CheckStatus, str] = {
    CheckStatus.ERROR: "The check itself raised: a defect of the check, which says nothing about the learner.",
    CheckStatus.FAILED: "The learner does not do what the check asks of it.",
    CheckStatus.UNEXPECTEDLY_PASSED: "It was announced to fail and passed: take it off the expected failures.",
    CheckStatus.INCONCLUSIVE: "Its budget ended before it could have seen what it looks for.",
    CheckStatus.EXPECTED_FAILURE: "It failed, as was announced.",
    CheckStatus.NOT_APPLICABLE: "There is nothing to check here; the sentence says why.",
    CheckStatus.PASSED: "Nothing against the learner was found; this is not a proof.",
}


@dataclass(frozen=True)
class CheckResult:
    """What one check found.

    Parameters
    ----------
    check : str, the name of the check
    target : str, how reports call the learner
    status : CheckStatus
    sentence : str, what was found, in one sentence
    hint : str, what to do about it; empty where there is nothing to do
    level : float
        The probability at most that the check fails a learner that does what it asks; 0.0 where nothing that the check
        concludes rests on chance.
    evidence : Verdict or None, the audit that decided, where one was made
    calls : int, runs of the learner that were counted
    seconds : float
    learner_failed : bool, whether the learner hung, died, or gave no usable output
    expected : str, the reason given beforehand for its failure; empty where none was announced
    """

    check: str
    target: str
    status: CheckStatus
    sentence: str
    hint: str = ""
    level: float = 0.0
    evidence: Verdict | None = None
    calls: int = 0
    seconds: float = 0.0
    learner_failed: bool = False
    expected: str = ""

    def __bool__(self) -> bool:
        raise TypeError(
            "a check's result is neither true nor false: compare result.status with CheckStatus.PASSED, or use "
            "check_learner(..., on_fail='raise'), which raises where a check fails"
        )

    def __str__(self) -> str:
        lines = [f"{self.check}: {self.status.value.upper()}. {self.sentence}"]
        if self.expected:
            lines.append(f"Expected to fail: {self.expected}")
        if self.hint:
            lines.append(f"What to do: {self.hint}")
        basis = f"level {self.level:g}" if self.level else "not statistical"
        lines.append(f"({self.target}; {basis}; {self.calls:,} calls; {self.seconds:.1f} s)")
        return "\n".join(lines)


class CheckFailed(AssertionError):
    """A check failed, passed against expectation, or broke; ``result`` says how."""

    def __init__(self, result: CheckResult) -> None:
        super().__init__(str(result))
        self.result = result


class CheckInconclusive(AssertionError):
    """A check could not have seen what it looks for within its budget; ``result`` says how far it came."""

    def __init__(self, result: CheckResult) -> None:
        super().__init__(str(result))
        self.result = result
