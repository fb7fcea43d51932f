"""Verdicts and measurements: values that every room speaks of, entered here together with what shows them.

In come claims; out go the values and their record. Uses nothing but the model.
"""

from dpcheck.model.verdict.parts import (
    NOT_TRIED,
    Counts,
    CurvePoint,
    DivergenceBound,
    Environment,
    ExactAnswer,
    Finding,
    Looked,
    PhaseCalls,
    SeenDifference,
    Status,
    Stop,
    Witness,
    as_number,
    confidence,
)
from dpcheck.model.verdict.recorded import ClaimRecord, PairRecord, Record
from dpcheck.model.verdict.values import Measurement, Verdict, show_with
from dpcheck.model.verdict.views import VIEWS

show_with(VIEWS)

__all__ = [
    "NOT_TRIED",
    "ClaimRecord",
    "Counts",
    "CurvePoint",
    "DivergenceBound",
    "Environment",
    "ExactAnswer",
    "Finding",
    "Looked",
    "Measurement",
    "PairRecord",
    "PhaseCalls",
    "Record",
    "SeenDifference",
    "Status",
    "Stop",
    "Verdict",
    "Witness",
    "as_number",
    "confidence",
]
