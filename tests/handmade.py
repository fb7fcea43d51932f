"""Verdicts and measurements made by hand, for tests of what is done with them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpcheck.model.claims import PureDP
from dpcheck.model.verdict import (
    Counts,
    CurvePoint,
    Environment,
    Finding,
    Measurement,
    PhaseCalls,
    Status,
    Stop,
    Verdict,
    Witness,
)

ENVIRONMENT = Environment(dpcheck="0.1.0", python="3.11.7", numpy="2.4.6", scipy="1.17.1", platform="linux")
WITNESS = Witness(
    change="row 0: 1 replaced by 0",
    left="[1, 0]",
    right="[0, 0]",
    event="output > 0.5",
    direction="likelier on D",
    counts=Counts(correct=420, wrong=80, calls=900),
    epsilon_alone=1.3,
)
STOPS = {
    Status.VIOLATED: Stop.VIOLATION,
    Status.NO_VIOLATION_FOUND: Stop.MAX_SAMPLES,
    Status.INCONCLUSIVE: Stop.MAX_SECONDS,
    Status.LEARNER_FAILED: Stop.LEARNER,
}


def verdict(status: Status = Status.NO_VIOLATION_FOUND, **changes: Any) -> Verdict:
    violated = status is Status.VIOLATED
    made = Verdict(
        status=status,
        target="mylearner.py:Learner",
        claim=PureDP(1.0),
        relation="replace-one",
        alpha=1e-6,
        epsilon_lower=1.3 if violated else 0.4,
        delta_lower=0.0,
        parameter_lower=0.0,
        detectable_epsilon=1.2,
        detect=2.0,
        log_evidence=20.0 if violated else -3.0,
        threshold=1e6,
        witness=None if status is Status.LEARNER_FAILED else WITNESS,
        findings=(Finding("prints", "The learner printed 12 characters."),),
        stop=STOPS[status],
        samples=900,
        phases=(PhaseCalls("agreement", 0), PhaseCalls("certify", 900)),
        pairs_tried=1,
        pairs_not_tried=2,
        seconds=1.25,
        seed=0,
        method="sampled",
        reproducible=True,
        environment=ENVIRONMENT,
        failure="The learner hung on pair 0." if status is Status.LEARNER_FAILED else "",
        record=None,
    )
    return replace(made, **changes)


def measurement(**changes: Any) -> Measurement:
    made = Measurement(
        target="mylearner.py:Learner",
        relation="replace-one",
        delta=0.0,
        alpha=0.05,
        epsilon_lower=0.9,
        profile=tuple(CurvePoint(e / 10, max(0.0, 0.36 - e * 0.04)) for e in range(16)),
        tradeoff=(CurvePoint(0.2, 0.5), CurvePoint(0.5, 0.2)),
        witness=WITNESS,
        findings=(),
        stop=Stop.MAX_SAMPLES,
        samples=1000,
        phases=(PhaseCalls("learn", 100), PhaseCalls("certify", 900)),
        seconds=1.25,
        seed=0,
        method="fixed horizon",
        reproducible=True,
        environment=ENVIRONMENT,
        failure="",
    )
    return replace(made, **changes)
