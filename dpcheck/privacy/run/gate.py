"""``assert_private``: the audit as an assertion, for use inside ``@given``, unittest and pytest."""

from __future__ import annotations

from typing import Any

from dpcheck.model.unexpected import DpInconclusive, DpViolation, LearnerFailed, UnexpectedVerdict
from dpcheck.model.verdict import Status, Verdict
from dpcheck.privacy.run.audit import audit


def assert_private(learner: Any, claim: Any = None, *, allow_inconclusive: bool = False, **arguments: Any) -> Verdict:
    """Audit a learner and raise unless no violation was found.

    Parameters
    ----------
    learner, claim, **arguments
        As for :func:`dpcheck.audit`.
    allow_inconclusive : bool
        Whether an audit that could not have seen the leak asked for passes; a gate fails closed.

    Raises
    ------
    DpViolation, DpInconclusive, LearnerFailed
        Each an ``AssertionError`` that carries the verdict, and an :class:`dpcheck.UnexpectedVerdict`.

    Examples
    --------
    >>> verdict = assert_private(lambda data, rng: rng.laplace(), 1.0, pairs=[([0], [1])], isolation="none",
    ...                          max_samples=20_000)
    >>> verdict.status
    <Status.NO_VIOLATION_FOUND: 'no violation found'>
    """
    verdict = audit(learner, claim, **arguments)
    passed = {Status.NO_VIOLATION_FOUND} | ({Status.INCONCLUSIVE} if allow_inconclusive else set())
    if verdict.status not in passed:
        raise unexpected(verdict)
    return verdict


def unexpected(verdict: Verdict) -> UnexpectedVerdict:
    """What is raised for a verdict that is not the expected one, by its status."""
    kinds: dict[Status, type[UnexpectedVerdict]] = {
        Status.VIOLATED: DpViolation,
        Status.INCONCLUSIVE: DpInconclusive,
        Status.LEARNER_FAILED: LearnerFailed,
    }
    return kinds.get(verdict.status, UnexpectedVerdict)(verdict)
