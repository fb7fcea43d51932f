"""Verdicts that are not the expected ones, as exceptions."""

from __future__ import annotations

from dpcheck.model.verdict import Verdict


class UnexpectedVerdict(AssertionError):
    """A verdict that is not the expected one; ``verdict`` holds all of it.

    What went wrong with the learner has a leaf of its own; the root itself is raised where nothing did: a violation was
    expected, and none was found.
    """

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict)  # in words when it is shown; itself when it is pickled
        self.verdict = verdict


class DpViolation(UnexpectedVerdict):
    """A certified violation."""


class DpInconclusive(UnexpectedVerdict):
    """An audit that could not have seen the leak it was asked to see: nothing follows from it, good or bad."""


class LearnerFailed(UnexpectedVerdict):
    """A learner that could not be audited: it hung, died, or raised on every dataset tried."""


for _public in (UnexpectedVerdict, DpViolation, DpInconclusive, LearnerFailed):
    _public.__module__ = "dpcheck"  # a traceback says the name by which they are caught
