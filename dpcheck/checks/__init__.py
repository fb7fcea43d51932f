"""Checks that any learner can be put to: named, one property each, and none of them can be taken down by a learner.

A check is a function ``check_what_it_says(subject) -> Outcome`` in a module of :mod:`dpcheck.checks.catalogue`, or of
a package that announces it under the entry point group ``dpcheck.checks``. Above it stand what it needs of a learner
(:func:`needs`), and the learner that must fail it (:func:`~dpcheck.checks.defects.must_fail`). What it may ask of a
learner, it asks through its :class:`~dpcheck.checks.subject.Subject`, which runs everything in a worker process.
"""

from dpcheck.checks.cases import Case, parametrize_with_checks
from dpcheck.checks.needs import needs
from dpcheck.checks.outcome import Outcome, failed, inconclusive, not_applicable, passed
from dpcheck.checks.result import CheckFailed, CheckInconclusive, CheckResult, CheckStatus
from dpcheck.checks.runner import check_learner
from dpcheck.checks.subject import Subject

__all__ = [
    "Case",
    "CheckFailed",
    "CheckInconclusive",
    "CheckResult",
    "CheckStatus",
    "Outcome",
    "Subject",
    "check_learner",
    "failed",
    "inconclusive",
    "needs",
    "not_applicable",
    "parametrize_with_checks",
    "passed",
]
