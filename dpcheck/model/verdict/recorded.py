"""The record of a run as values: all that a verdict is computed from."""

from __future__ import annotations

from dataclasses import dataclass

from dpcheck.model.verdict.parts import Environment, Finding, Looked, PhaseCalls, Stop


@dataclass(frozen=True)
class ClaimRecord:
    """A claim as plain data.

    ``kind`` is "pure", "approximate", "zero-concentrated", "renyi", "gaussian" or "profile". For the third to fifth
    ``parameter`` is rho, the Rényi epsilon or mu (and ``order`` the Rényi order), and (epsilon, delta) the point that
    stands for it, as for a profile, whose points are ``points`` and whose accountant is ``source``. ``ratio`` and the
    fractions are texts such as "0x1/0x3", where a claim was stated so.
    """

    kind: str
    epsilon: float
    delta: float
    parameter: float | None = None
    order: float | None = None
    ratio: str = ""
    epsilon_fraction: str = ""
    delta_fraction: str = ""
    points: tuple[tuple[float, float], ...] = ()
    source: str = ""


@dataclass(frozen=True)
class PairRecord:
    """One pair of datasets in a record: what differs, how the two look, and all that was counted on it.

    ``left_digest`` and ``right_digest`` tell whether other datasets are the same ones (empty where the values have no
    digest); ``state`` is empty for a pair that was not tried; ``role`` is "shrunk" for the smaller form of another one.
    """

    change: str
    left: str
    right: str
    left_digest: str
    right_digest: str
    weight: float
    calls: int
    state: str
    role: str


@dataclass(frozen=True)
class Record:
    """Everything a verdict is computed from; it alone suffices to go on, or to report again.

    ``rounds`` counts the blocks of pairs that a search has looked at. ``warnings`` says whether they are part of an
    output ("output", as they always were in records without this field) or told of beside the verdict ("finding");
    ``looked`` is the domain, None in records without this field. ``seconds_per_call`` is what one further call of
    the learner takes, 0.0 where too few were made to say, and in records without this field. ``among`` is a digest of
    the pairs that were given or made, where some of them were chosen; else empty. ``learner`` is a digest of the
    learner's code and settings, empty in records without this field.
    """

    schema: str
    target: str
    relation: str
    claim: ClaimRecord
    alpha: float
    detect: float
    numerics: str
    max_samples: int
    max_seconds: float
    call_timeout: float
    isolation: str
    seed: int
    jobs: int
    argv: tuple[str, ...]
    environment: Environment
    phases: tuple[PhaseCalls, ...]
    pairs: tuple[PairRecord, ...]
    findings: tuple[Finding, ...]
    stop: Stop
    seconds: float
    failure: str
    reproducible: bool
    method: str
    shape: str
    rounds: int
    warnings: str = "output"
    looked: Looked | None = None
    seconds_per_call: float = 0.0
    among: str = ""
    learner: str = ""
