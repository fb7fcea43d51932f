"""What a paper's report says, as data; the page, the Markdown and the JSON are views of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dpcheck.theorems.statement import Severity

SCHEMA = "dpcheck-paper-report/1"

#: What became of a theorem where its own sizes were run.
Word = Literal["holds", "contradicted", "undecided", "not reachable"]
#: Where the numbers of a series come from.
Role = Literal["measured", "exact", "bound"]


@dataclass(frozen=True)
class FormulaShown:
    """One formula with its answer; ``mathml`` is for the page only."""

    claim: str
    variables: str
    assume: str
    status: str
    words: str
    method: str
    mathml: str


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


@dataclass(frozen=True)
class StepShown:
    """One printed line of a proof.

    ``status`` is one word of :class:`~dpcheck.theorems.statement.Status`, ``status_words`` has the number of instances
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
    """One result with its three statuses; ``rests_on`` and ``used_by`` are ids."""

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


@dataclass(frozen=True)
class Series:
    """A curve or points; ``low`` and ``high`` are intervals where the numbers were measured by trials."""

    name: str
    role: Role
    colour: int
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    trials: tuple[int, ...] = ()


@dataclass(frozen=True)
class Mark:
    """A straight line across a chart, with its words in the legend; at an x or at a y."""

    name: str
    x: float | None = None
    y: float | None = None
    colour: int = 0


@dataclass(frozen=True)
class Chart:
    """One plot: what is measured and what is claimed of it, together."""

    key: str
    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    marks: tuple[Mark, ...] = ()
    x_log: bool = True
    y_log: bool = False
    x_range: tuple[float, float] | None = None
    y_range: tuple[float, float] | None = None
    alt: str = ""


@dataclass(frozen=True)
class Table:
    """Numbers in rows; cells are words already."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Outcome:
    """A theorem's own claim where its own sizes were run."""

    word: Word
    claim: str
    detail: str


@dataclass(frozen=True)
class Measurement:
    """One headline claim: what was run, what came out, and its pictures.

    ``results`` are the ids it is about, ``evidence`` says what intervals mean or that nothing was sampled, ``left_out``
    what was not run.
    """

    key: str
    title: str
    results: tuple[str, ...]
    asked: str
    found: str
    evidence: str
    charts: tuple[Chart, ...] = ()
    tables: tuple[Table, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    left_out: str = ""
    trials: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class PaperReport:
    """All of it; ``shares`` counts the steps by status, ``paper_steps`` counts them all."""

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

    def result(self, id: str) -> ResultShown:
        """The result with an id."""
        return next(result for result in self.results if result.id == id)
