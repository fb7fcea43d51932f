"""What the index, a learner's page and an audit's page say, as data; pages, Markdown and JSON are views of it.

A paper's own record is :class:`dpcheck.report.paper.model.PaperReport`. Links are paths from the report's folder,
such as ``alon2019/alon2019.html``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dpcheck.trial.model import Outcome, Word

INDEX_SCHEMA = "dpcheck-report-index/1"
LEARNER_SCHEMA = "dpcheck-learner-report/1"
AUDIT_SCHEMA = "dpcheck-audit-report/1"

#: Where a curve comes from: computed from declared laws, what is claimed, or the edge of a certified region.
CurveRole = Literal["exact", "claimed", "certified"]


@dataclass(frozen=True)
class Count:
    """How many there are of a word or a status."""

    word: str
    count: int


@dataclass(frozen=True)
class Missing:
    """Something that should be in the report and is not: ``what`` it is, and ``why`` it is missing."""

    what: str
    why: str


@dataclass(frozen=True)
class Noted:
    """Something worth knowing that is not a verdict: ``kind`` is a short name, ``detail`` a sentence."""

    kind: str
    detail: str


@dataclass(frozen=True)
class Curve:
    """A curve through its points, straight between them; ``certified`` curves are edges of one region together."""

    name: str
    role: CurveRole
    x: tuple[float, ...]
    y: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.x) != len(self.y):  # a record may say anything
            raise ValueError(f"a curve must have as many x as y, got {len(self.x)} and {len(self.y)} in {self.name!r}")


@dataclass(frozen=True)
class PrivacyCurves:
    """The privacy profile and the trade-off curve, each beside its claim.

    Parameters
    ----------
    profile : delta (y) against epsilon (x, nats): an ``exact`` curve is the learner's own; a ``certified`` one is a
        lower bound on it
    tradeoff : the least probability of a miss (y) against the probability of a false alarm (x) of whoever tells two
        neighbours apart: an ``exact`` curve is the learner's own; a ``certified`` one is an upper bound on it
    level : the probability that some point of the certified curves is wrong; 0 where nothing was sampled
    evidence : what the curves are about and how they were made, a sentence or two
    pair : the neighbours of the trade-off curve, in words; empty where it is the worst over all pairs
    """

    profile: tuple[Curve, ...] = ()
    tradeoff: tuple[Curve, ...] = ()
    level: float = 0.0
    evidence: str = ""
    pair: str = ""


@dataclass(frozen=True)
class WitnessShown:
    """The pair and the event that show the most; counts are 0 and probabilities are given where it was exact."""

    change: str
    left: str
    right: str
    event: str
    direction: str
    correct: int = 0
    wrong: int = 0
    calls: int = 0
    epsilon_alone: float | None = None
    left_probability: str = ""
    right_probability: str = ""


@dataclass(frozen=True)
class PlacedOutcome:
    """An outcome with the measurement it is of, the page that shows it, and the command that makes it again."""

    paper: str
    measurement: str
    title: str
    outcome: Outcome
    page: str
    command: str


@dataclass(frozen=True)
class OptionShown:
    """An argument of a learner's factory with its default, as Python."""

    name: str
    default: str


@dataclass(frozen=True)
class LearnerReport:
    """A learner: what it is and promises, and what was found.

    Parameters
    ----------
    name : as ``dpcheck learners`` lists it, or the audit target
    title : one line on what it does
    description : the first paragraph of its source's docstring
    paper, algorithm, theorem : ids; empty for a learner that is in no paper
    theorem_statement : what the paper says
    as_printed : whether it is kept as printed because it does not keep its claim
    claim : in words; null where nothing is claimed
    claimed_epsilon, claimed_delta : the claim's point, for the line beside the loss
    source : where it is made, ``package.module:name`` or ``file.py:name``
    exact : whether ``loss`` is the exact largest loss (at the claimed delta) over all ``pairs`` of the domain; else it
        is a bound from below, certified by ``calls``
    status, expected : of the audit, one of the words of :class:`dpcheck.model.verdict.Status`
    verdict : the paragraph that a person reads
    outcomes : of the papers' measurements that name this learner
    command : what makes this page again; ``audit_command`` the audit alone
    """

    name: str
    title: str
    description: str
    paper: str
    algorithm: str
    theorem: str
    theorem_statement: str
    as_printed: bool
    claim: str | None
    claimed_epsilon: float | None
    claimed_delta: float | None
    assumptions: tuple[str, ...]
    relation: str
    domain: str
    law: bool
    source: str
    options: tuple[OptionShown, ...]
    status: str
    expected: str
    as_expected: bool
    verdict: str
    exact: bool
    loss: float | None
    loss_words: str
    how: str
    pairs: int
    calls: int
    level: float
    witness: WitnessShown | None
    findings: tuple[Noted, ...]
    curves: PrivacyCurves
    problem: str
    version: str
    command: str
    audit_command: str
    seed: int
    quick: bool
    seconds: float
    outcomes: tuple[PlacedOutcome, ...] = ()


@dataclass(frozen=True)
class AuditReport:
    """An audit or a measurement that was recorded in a file.

    Parameters
    ----------
    name : unique among the audits of a report, fit for a file's name
    file : the record's file, as it was named
    record : schema of the record
    kind : an audit has a claim and a verdict; a measurement only bounds
    status, meaning : the verdict and what it means; a measurement was measured, interrupted, or its learner failed
    words : the paragraph that a person reads
    level : the audit's alpha; curves have a level of their own
    epsilon_lower, delta_lower : certified, at the claimed delta and epsilon; a measurement's at ``claimed_delta``
    detectable_epsilon : an estimate, null where none was made
    command : what makes the record again, as far as the record knows it
    """

    name: str
    file: str
    record: str
    kind: Literal["audit", "measurement"]
    target: str
    claim: str | None
    claimed_epsilon: float | None
    claimed_delta: float | None
    relation: str
    status: str
    meaning: str
    words: str
    level: float
    epsilon_lower: float
    delta_lower: float | None
    detectable_epsilon: float | None
    exact: bool
    arithmetic: str
    witness: WitnessShown | None
    found: WitnessShown | None
    findings: tuple[Noted, ...]
    curves: PrivacyCurves
    phases: tuple[Count, ...]
    samples: int
    pairs_tried: int
    pairs_not_tried: int
    stop: str
    method: str
    reproducible: bool
    environment: tuple[tuple[str, str], ...]
    problem: str
    command: str
    seed: int
    seconds: float
    version: str


@dataclass(frozen=True)
class PaperLine:
    """A paper in the index.

    ``proofs`` counts the steps of its proofs by status, which are ``steps`` in all, besides ``definitions``;
    ``statements`` counts its results, ``outcomes`` what came of its claims where they were run, each claim once, on
    so many ``instances``; ``errata`` and ``readings`` are refuted lines and statements, by whether the text is
    legible as quoted; ``uncovered`` are the ids of entries of which nothing is said; ``slacks`` are the claimed sizes
    over the measured ones, in order; ``explained`` counts the contradictions that an erratum explains.
    """

    paper: str
    title: str
    authors: tuple[str, ...]
    year: int
    page: str
    proofs: tuple[Count, ...]
    steps: int
    statements: tuple[Count, ...]
    outcomes: tuple[Count, ...]
    measurements: int
    errata: int
    readings: int
    uncovered: tuple[str, ...]
    trials: int
    seconds: float
    command: str
    slacks: tuple[float, ...] = ()
    explained: int = 0
    definitions: int = 0
    instances: int = 0


@dataclass(frozen=True)
class TheoremLine:
    """A result of a paper in the index; ``outcomes`` counts its claims by word, ``not_run`` says why there are none."""

    id: str
    paper: str
    short: str
    kind: str
    title: str
    status: str
    proof: str
    repaired: str
    outcomes: tuple[Count, ...]
    not_run: str
    rests_on: tuple[str, ...]
    used_by: tuple[str, ...]
    page: str
    command: str


@dataclass(frozen=True)
class LearnerLine:
    """A learner in the index; ``words`` is its verdict, ``loss`` in words with how it was found in ``how``."""

    name: str
    title: str
    paper: str
    claim: str | None
    status: str
    as_expected: bool
    loss: str
    how: str
    page: str
    command: str


@dataclass(frozen=True)
class AuditLine:
    """A recorded audit or measurement in the index."""

    name: str
    target: str
    claim: str | None
    status: str
    epsilon_lower: float
    page: str
    command: str


@dataclass(frozen=True)
class FindingsLine:
    """The survey of other libraries in the index: how many subjects, and how many of them break their claim."""

    libraries: tuple[str, ...]
    subjects: int
    violated: int
    as_expected: int
    page: str
    command: str


@dataclass(frozen=True)
class IndexReport:
    """The index.

    Parameters
    ----------
    outcomes : of all papers together: the sum of theirs
    contradicted : every contradiction, with why it is expected (``outcome.expected``) or that it is not
    failed : checks that raised
    missing : what a run that was interrupted did not come to; empty in a complete report
    errata_page : the errata, empty where none were written
    seconds : of all units together, on one core
    """

    title: str
    papers: tuple[PaperLine, ...]
    theorems: tuple[TheoremLine, ...]
    learners: tuple[LearnerLine, ...]
    audits: tuple[AuditLine, ...]
    findings: FindingsLine | None
    outcomes: tuple[Count, ...]
    contradicted: tuple[PlacedOutcome, ...]
    failed: tuple[Missing, ...]
    missing: tuple[Missing, ...]
    errata_page: str
    version: str
    command: str
    seed: int
    quick: bool
    seconds: float

    @property
    def complete(self) -> bool:
        """Whether nothing is missing."""
        return not self.missing


#: In which order words are counted and shown.
WORDS: tuple[Word, ...] = (
    "holds",
    "contradicted",
    "undecided",
    "not reachable",
    "compatible",
    "not compatible",
    "says nothing",
    "not run",
    "failed",
)
