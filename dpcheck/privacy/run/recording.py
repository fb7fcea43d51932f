"""The record of a run before its first call."""

from __future__ import annotations

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
        alpha=question.alpha,
        detect=question.detect,
        numerics=question.numerics,
        max_samples=question.max_samples,
        max_seconds=question.max_seconds,
        call_timeout=question.call_timeout,
        isolation=question.isolation,
        seed=question.seed,
        jobs=question.jobs,
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
        warnings=question.warnings,
        looked=question.looked,
    )
