"""The record of a run before its first call."""

from __future__ import annotations

from dpcheck.execution.learner_code import digest_of_learner
from dpcheck.model.verdict import Record, Stop
from dpcheck.model.verdict.record import SCHEMA, argv, claim_record, environment
from dpcheck.privacy.run.question import Question


def blank_record(question: Question, method: str) -> Record:
    """What was asked, and how it is answered; nothing has been counted yet."""
    assert question.claim is not None
    return Record(
        schema=SCHEMA,
        target=question.target.name,
        relation=question.relation_name,
        claim=claim_record(question.claim),
        alpha=question.limits.alpha,
        detect=question.detect,
        numerics=question.limits.numerics,
        max_samples=question.max_samples,
        max_seconds=question.max_seconds,
        call_timeout=question.limits.call_timeout,
        isolation=question.limits.isolation,
        seed=question.limits.seed,
        jobs=question.limits.jobs,
        argv=argv(),
        environment=environment(),
        phases=(),
        pairs=(),
        findings=question.findings,
        stop=Stop.MAX_SAMPLES,
        seconds=0.0,
        failure="",
        reproducible=True,
        method=method,
        shape="",
        rounds=0,
        warnings=question.limits.warnings,
        looked=question.looked,
        learner=digest_of_learner(question.target),
    )
