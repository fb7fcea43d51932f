"""What a run of checks tells those who listen; between the two come the events of the audits that a check makes."""

from __future__ import annotations

from dataclasses import dataclass

from dpcheck.checks.result import CheckResult


@dataclass(frozen=True)
class CheckStarted:
    """A check begins: its name, the learner's, and which of how many it is, counted from 1."""

    check: str
    target: str
    number: int
    of: int


@dataclass(frozen=True)
class CheckFinished:
    """A check has ended."""

    result: CheckResult
