"""What a paper's report says, as data; the page, the Markdown and the JSON are views of it."""

from __future__ import annotations

from dataclasses import dataclass

from dpcheck.proof.statement import Severity
from dpcheck.trial.model import Measurement

SCHEMA = "dpcheck-paper-report/2"


@dataclass(frozen=True)
class FormulaShown:
    """One formula with its answer; ``mathml`` is for the page only.

    ``judges`` says which others agree with the checker; ``legend`` is what the variables of a line's formula stand for.
    """

    claim: str
    variables: str
    assume: str
    status: str
    words: str
    method: str
    mathml: str
    judges: str = ""
    legend: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class DerivedLineShown:
    """A premise of a derivation, with its source as ``rule``, or a line with its rule and the facts that it uses."""

    name: str
    fact: str
    rule: str
    status: str
    formulas: tuple[FormulaShown, ...] = ()


@dataclass(frozen=True)
class DerivationShown:
    """How a line follows, to the end: its objects, what stands for what, premises, lines; ``says`` is of the line.

    ``judges`` says which others agree that it follows, on all of its formulas too, and for which laws.
    """

    objects: str
    notation: tuple[tuple[str, str], ...]
    given: tuple[DerivedLineShown, ...]
    lines: tuple[DerivedLineShown, ...]
    says: tuple[str, ...]
    words: str
    judges: str = ""


@dataclass(frozen=True)
class ErratumShown:
    """Why a printed line or statement fails."""

    quotes: str
    explanation: str
    severity: Severity
    quality: str
    readings: str


@dataclass(frozen=True)
class RepairShown:
    """What a refuted line should have said."""

    statement: str
    changes: str
    status: str
    because: str
    downstream: str
    formulas: tuple[FormulaShown, ...]
    instances: str
    derivation: DerivationShown | None = None


@dataclass(frozen=True)
class StepShown:
    """One printed line of a proof.

    ``status`` is one word of :class:`~dpcheck.proof.statement.Status`, ``status_words`` has the number of instances
    as well; ``witness`` says where a refuted line fails, ``computed`` on which instance that was computed.
    """

    label: str
    printed: str
    domain: str
    status: str
    status_words: str
    method: str
    formulas: tuple[FormulaShown, ...]
    against: tuple[FormulaShown, ...]
    instances: str
    witness: str
    computed: str
    because: str
    reading: str
    cites: str
    needed: str
    uses: tuple[str, ...]
    erratum: ErratumShown | None
    repair: RepairShown | None
    derivation: DerivationShown | None = None


@dataclass(frozen=True)
class BoundShown:
    """A bound with explicit constants, in the paper's letters."""

    source: str
    sense: str
    text: str
    latex: str
    domain: str
    derivation: str
    mathml: str


@dataclass(frozen=True)
class ResultShown:
    """One result with its three statuses; ``rests_on`` and ``used_by`` are ids, ``words`` is why it is only ARGUED.

    ``evaluate`` is a command that gives its bounds as numbers, in the paper's letters; empty where there are none.
    """

    id: str
    short: str
    kind: str
    title: str
    statement: str
    assumptions: str
    status: str
    proof: str
    repaired: str
    repaired_statement: str
    cited: str
    erratum: ErratumShown | None
    against: tuple[FormulaShown, ...]
    witness: str
    claims: tuple[FormulaShown, ...]
    bounds: tuple[BoundShown, ...]
    steps: tuple[StepShown, ...]
    rests_on: tuple[str, ...]
    used_by: tuple[str, ...]
    learners: tuple[str, ...]
    checks: tuple[str, ...]
    command: str
    derivation: DerivationShown | None = None
    words: str = ""
    evaluate: str = ""


@dataclass(frozen=True)
class NotRun:
    """A result of which there is nothing to run, and why."""

    id: str
    reason: str


@dataclass(frozen=True)
class Unmeasured:
    """A measurement that an interrupted run did not come to, with the ids it is about."""

    key: str
    results: tuple[str, ...]


@dataclass(frozen=True)
class PaperReport:
    """All of it; ``shares`` counts the steps by status, ``paper_steps`` counts them all.

    ``outcomes`` counts what came of the claims by word, each claim once; they have ``instances`` outcomes. ``not_run``
    says of which entries there is nothing to run, ``uncovered`` of which nothing is said at all. ``part`` is empty for
    the whole paper; else it is the short id or the measurement's key that the report is limited to: ``results`` and
    ``measurements`` then hold only that. ``missing`` is what an interrupted run did not come to. ``learner_pages`` has
    the page of each learner that was reported beside it, as a path from the report's folder.
    """

    paper: str
    title: str
    authors: tuple[str, ...]
    year: int
    version: str
    command: str
    seed: int
    quick: bool
    shares: tuple[tuple[str, int], ...]
    paper_steps: int
    formulas: int
    replayed: int
    results: tuple[ResultShown, ...]
    measurements: tuple[Measurement, ...]
    seconds: float
    outcomes: tuple[tuple[str, int], ...] = ()
    not_run: tuple[NotRun, ...] = ()
    uncovered: tuple[str, ...] = ()
    missing: tuple[Unmeasured, ...] = ()
    part: str = ""
    learner_pages: tuple[tuple[str, str], ...] = ()
    instances: int = 0

    def result(self, id: str) -> ResultShown:
        """The result with an id."""
        return next(result for result in self.results if result.id == id)
