"""What the measurements of utility write, as types; a fraction is a string such as "1/10"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from dpcheck.utility.sizes import Stretch
from dpcheck.utility.slopes import FittedExponent


@dataclass(frozen=True)
class EvidenceDocument:
    """Two e-processes when a run ended, as natural logarithms, and what each had to reach; infinite ones are null."""

    holds: float | None
    contradicted: float | None
    holds_threshold: float | None
    contradicted_threshold: float | None


@dataclass(frozen=True)
class FailureRateDocument:
    """How often a learner's excess risk exceeded an accuracy."""

    schema: Literal["dpcheck-failure-rate/1"]
    learner: str
    distribution: str
    sizes: dict[str, int]
    accuracy: str
    trials: int
    failures: int
    unclear: int
    errors: int
    first_error: str | None
    interval: tuple[float, float]
    level: float
    interval_method: str
    failure: str | None
    verdict: Literal["holds", "contradicted", "undecided"] | None
    evidence: EvidenceDocument | None
    holds_level: float
    contradicted_level: float
    risk: str
    stop: str
    seconds: float
    seed: int
    rate: float | None


@dataclass(frozen=True)
class SizePointDocument:
    """One size that was tested, what is certain of it, and its interval."""

    size: int
    word: Literal["fails", "passes", "undecided"]
    trials: int
    failures: int
    unclear: int
    errors: int
    rate: float | None
    low: float
    high: float
    seconds: float
    seed: int


@dataclass(frozen=True)
class SampleComplexityDocument:
    """Between which sizes a learner's failure probability becomes small enough; all of it right save with ``level``."""

    schema: Literal["dpcheck-sample-complexity/1"]
    learner: str
    distribution: str
    over: str
    fixed: dict[str, int | str]
    accuracy: str
    failure: str
    least: int
    most: int
    per_octave: int
    grid: int
    too_small: int | None
    enough: int | None
    level: float
    risk: str
    stop: str
    seconds: float
    seed: int
    trials: int
    stretches: list[Stretch]
    points: list[SizePointDocument]


@dataclass(frozen=True)
class SizeCurveDocument:
    """Sample complexities along something: a row per point, with ``too_small`` and ``enough``."""

    schema: Literal["dpcheck-size-curve/1"]
    along: str
    over: str
    level: float
    rows: list[dict[str, Any]]


@dataclass(frozen=True)
class FrontierDocument:
    """For each size of ``against`` between which sizes of ``over`` the sample complexity lies."""

    schema: Literal["dpcheck-frontier/1"]
    over: str
    against: str
    level: float
    enough: list[tuple[int, int]]
    rows: list[dict[str, Any]]


@dataclass(frozen=True)
class SweepDocument:
    """Failure rates over sizes, accuracies and options: a row per point."""

    schema: Literal["dpcheck-sweep/1"]
    level: float
    rows: list[dict[str, Any]]


@dataclass(frozen=True)
class MeasuredSizeDocument:
    """A size that lies between two numbers at ``x``."""

    x: str
    low: str
    high: str | None


@dataclass(frozen=True)
class LocalSlopeDocument:
    """The slopes on log-log axes that two neighbouring intervals allow; an end that is open is null."""

    left: float
    right: float
    low: float | None
    high: float | None
    model: float | None


@dataclass(frozen=True)
class SlopesDocument:
    """Whether measured sizes grow as a formula says."""

    schema: Literal["dpcheck-slopes/1"]
    verdict: Literal["compatible", "not compatible", "undecided"]
    detail: str
    points: list[MeasuredSizeDocument]
    terms: list[str]
    free: Literal["scale", "terms"]
    factor: str
    constants: list[float] | None
    excess: tuple[float | None, float | None] | None
    against: list[int]
    local: list[LocalSlopeDocument]
    level: float | None
    confidence: float
    fitted: FittedExponent | None
