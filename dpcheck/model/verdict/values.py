"""What an audit says: one status, one witness, one stop, each with the sentence the user reads.

Nothing here says "private": testing cannot show that.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dpcheck.model.claims import Claim
from dpcheck.model.verdict.parts import (
    CurvePoint,
    DivergenceBound,
    Environment,
    ExactAnswer,
    Finding,
    Looked,
    PhaseCalls,
    Status,
    Stop,
    Witness,
)
from dpcheck.model.verdict.recorded import Record

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Views:
    """What shows a verdict or a measurement: these values do not know how they are shown."""

    text: Callable[[Verdict], str]
    json: Callable[[Verdict], str]
    from_json: Callable[[str], Verdict]
    text_of_measurement: Callable[[Measurement], str]
    json_of_measurement: Callable[[Measurement], str]
    figure_of_measurement: Callable[[Measurement], Figure]


_views: list[Views] = []


def show_with(views: Views) -> None:
    """Let verdicts and measurements be shown by these, from now on."""
    _views[:] = [views]


def _view() -> Views:
    return _views[0]


@dataclass(frozen=True)
class Verdict:
    """What an audit found; see :class:`Status` for the four possible answers.

    ``epsilon_lower`` and ``delta_lower`` are certified at confidence ``1 - alpha`` (0.0 when nothing is): at the
    claim's delta and epsilon, for zCDP, Rényi and Gaussian DP at those of the claim's central point
    (:func:`dpcheck.model.claims.claim_point`), where ``detect`` and ``detectable_epsilon`` are meant too;
    ``parameter_lower`` is the certified bound in the claim's own unit (rho, mu, Rényi epsilon, else epsilon);
    ``detectable_epsilon`` is an estimate for leaks that show in a part ``detectable_coverage`` of the outputs (a
    quarter; that of the best guesses where they won more than luck gives), never a bound on epsilon;
    ``evidence`` and ``threshold`` are against the claim (natural logarithms in ``log_evidence``).
    Where the pair of ``witness`` is a smaller form of one that was found, that one is in ``found``. ``looked`` is the
    domain: which records and sizes, and how many pairs of how many. ``calls_needed`` is how many calls an audit of
    these pairs takes to reach ``detect``, an estimate, where this one had too few (else 0). ``seconds_per_call`` is
    what one further call of the learner takes (0.0 where too few were made to say, and in documents without this
    field); in ``seconds`` are also the start of a worker, what the learner imports, and the audit's own work.
    ``divergence`` is the Rényi divergence with most evidence against a violated claim of zCDP or Rényi DP, if one has.
    """

    status: Status
    target: str
    claim: Claim
    relation: str
    alpha: float
    epsilon_lower: float
    delta_lower: float
    parameter_lower: float
    detectable_epsilon: float
    detect: float
    log_evidence: float
    threshold: float
    witness: Witness | None
    findings: tuple[Finding, ...]
    stop: Stop
    samples: int
    phases: tuple[PhaseCalls, ...]
    pairs_tried: int
    pairs_not_tried: int
    seconds: float
    seed: int
    method: str
    reproducible: bool
    environment: Environment
    failure: str
    record: Record | None
    detectable_coverage: float = 1.0
    found: Witness | None = None
    exact: ExactAnswer | None = None
    looked: Looked | None = None
    calls_needed: int = 0
    seconds_per_call: float = 0.0
    divergence: DivergenceBound | None = None

    def __bool__(self) -> bool:
        raise TypeError(
            "a verdict is neither true nor false: compare verdict.status with Status.VIOLATED, "
            "or use dpcheck.assert_private, which raises on a violation"
        )

    @property
    def evidence(self) -> float:
        """The evidence against the claim (``inf`` when too large for a float)."""
        return math.exp(self.log_evidence) if self.log_evidence < 700 else math.inf

    def __str__(self) -> str:
        return _view().text(self)

    def to_json(self) -> str:
        """The whole record as JSON, with the verdict computed from it; :meth:`from_json` reads it back."""
        return _view().json(self)

    @staticmethod
    def from_json(text: str) -> Verdict:
        """Read what :meth:`to_json` wrote.

        Raises
        ------
        RecordCorrupt
            When the text is not such a record.
        """
        return _view().from_json(text)

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p><b>{escape(self.status.value)}</b></p><pre>{escape(str(self))}</pre>"


@dataclass(frozen=True)
class Measurement:
    """How much a learner leaks, certified once at a number of calls fixed in advance.

    ``epsilon_lower`` (at ``delta``) is one statement, wrong with probability at most ``alpha``. ``profile`` (epsilon,
    lower bound on delta) and ``tradeoff`` (false positive rate, upper bound on the least false negative rate) are a
    second statement, at ``alpha`` of its own: both follow from one region and hold at all their points together.
    ``renyi`` (order, lower bound on the Rényi divergence of the pair, the larger way round; order 1 is that of Kullback
    and Leibler) is a third, at all its points together, and ``rho_lower`` (the rho of zCDP) a fourth, each at ``alpha``
    of its own.
    """

    target: str
    relation: str
    delta: float
    alpha: float
    epsilon_lower: float
    profile: tuple[CurvePoint, ...]
    tradeoff: tuple[CurvePoint, ...]
    witness: Witness | None
    findings: tuple[Finding, ...]
    stop: Stop
    samples: int
    phases: tuple[PhaseCalls, ...]
    seconds: float
    seed: int
    method: str
    reproducible: bool
    environment: Environment
    failure: str
    looked: Looked | None = None
    argv: tuple[str, ...] = ()
    renyi: tuple[CurvePoint, ...] = ()
    rho_lower: float = 0.0

    def __str__(self) -> str:
        return _view().text_of_measurement(self)

    def plot(self) -> Figure:
        """The privacy profile and the trade-off curve, side by side (needs ``dpcheck[plot]``)."""
        return _view().figure_of_measurement(self)

    def to_json(self) -> str:
        """The measurement as JSON."""
        return _view().json_of_measurement(self)

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"
