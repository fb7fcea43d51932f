"""What a check returns: a status and a sentence. Who runs it adds its name, level, calls and seconds."""

from __future__ import annotations

from dataclasses import dataclass

from dpcheck.checks.result import CheckStatus
from dpcheck.model.verdict import Verdict


@dataclass(frozen=True)
class Outcome:
    """What a check found, before it is known how long that took."""

    status: CheckStatus
    sentence: str
    hint: str = ""
    evidence: Verdict | None = None
    learner_failed: bool = False


def passed(sentence: str, evidence: Verdict | None = None) -> Outcome:
    """The learner does what the check asks, as far as was seen.

    >>> passed("its input stays as it was").status.value
    'passed'
    """
    return Outcome(CheckStatus.PASSED, sentence, evidence=evidence)


def failed(sentence: str, hint: str = "", evidence: Verdict | None = None, *, learner_failed: bool = False) -> Outcome:
    """The learner does not do what the check asks; ``hint`` says what to do."""
    return Outcome(CheckStatus.FAILED, sentence, hint, evidence, learner_failed)


def inconclusive(sentence: str, hint: str = "", evidence: Verdict | None = None) -> Outcome:
    """The budget ended before the check could have seen what it looks for."""
    return Outcome(CheckStatus.INCONCLUSIVE, sentence, hint, evidence)


def not_applicable(reason: str) -> Outcome:
    """There is nothing to check, because of ``reason``."""
    return Outcome(CheckStatus.NOT_APPLICABLE, reason)
