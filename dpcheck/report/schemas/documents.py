"""What dpcheck writes, as types: the shapes that are dictionaries where they are written, and have no class there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from dpcheck.history.baseline import Entry
from dpcheck.history.comparisons import Kind
from dpcheck.history.store import Row
from dpcheck.model.verdict import ClaimRecord, Environment, Measurement, Record, Status
from dpcheck.report.exit_status import Exit
from dpcheck.report.finished import Location, Trouble


@dataclass(frozen=True)
class AuditedDocument:
    """A target that has a verdict; ``record`` is the number of its record in ``records``."""

    target: str
    status: Status
    exit_status: Exit
    record: int
    location: Location | None
    would_have_caught: float | None
    expected: Status
    allow_inconclusive: bool
    origin: str


@dataclass(frozen=True)
class NotAuditedDocument:
    """A target that has none, and the line that says why."""

    target: str
    status: Trouble
    exit_status: Exit
    record: None
    location: Location | None
    problem: str


@dataclass(frozen=True)
class MeasurementDocument:
    """What ``dpcheck measure --json`` writes."""

    schema: Literal["dpcheck-measurement/1"]
    measurement: Measurement


@dataclass(frozen=True)
class ClaimDocument:
    """One formula of a step, with its answer; ``judges`` agree with the checker and have nothing of ours in them."""

    variables: str
    assume: str
    claim: str
    status: str
    method: str
    witness: dict[str, str] | None
    words: str
    certificate: str | None
    certificate_bytes: int | None
    judges: tuple[str, ...]


@dataclass(frozen=True)
class DerivedClaimDocument:
    """One formula that a line of a derivation rests on; the legend says what its variables stand for."""

    variables: str
    assume: str
    claim: str
    status: str
    method: str
    witness: dict[str, str] | None
    words: str
    certificate: str | None
    certificate_bytes: int | None
    judges: tuple[str, ...]
    legend: dict[str, str]


@dataclass(frozen=True)
class GivenDocument:
    """A premise of a derivation, and where it comes from.

    ``mended`` where that is refuted as printed, and repaired; ``resting`` where it rests on a line that is.
    """

    name: str
    fact: str
    source: str
    mended: bool
    resting: bool


@dataclass(frozen=True)
class DerivedLineDocument:
    """A line of a derivation: its fact, its rule, the facts that it uses, and its formulas."""

    name: str
    fact: str
    rule: str
    using: list[str]
    status: str
    formulas: list[DerivedClaimDocument]


@dataclass(frozen=True)
class DerivationDocument:
    """How a line follows from laws, events and private algorithms up."""

    objects: str
    notation: dict[str, str]
    given: list[GivenDocument]
    lines: list[DerivedLineDocument]
    says: list[str]
    status: str
    words: str
    judges: list[str]


@dataclass(frozen=True)
class FamilyDocument:
    """A complete finite family that was enumerated, and its first failure."""

    family: str
    count: int
    failure: str


@dataclass(frozen=True)
class RepairDocument:
    """The repaired form of a step that is refuted as printed."""

    id: str
    statement: str
    changes: str
    status: str
    because: str
    downstream: str
    formulas: list[ClaimDocument]
    against: list[ClaimDocument]
    instances: FamilyDocument | None
    exact_witness: str | None
    derivation: DerivationDocument | None


@dataclass(frozen=True)
class StepDocument:
    """One step of a proof as printed: its status, how it was decided, and its repair."""

    label: str
    statement: str
    domain: str
    status: str
    method: str
    slack: float | None
    witness: dict[str, str] | str | None
    certificate: list[str]
    repair: RepairDocument | None
    reading: str
    severity: str | None
    quality: str | None
    because: str
    cites: str
    uses: list[str]
    needed: str
    words: str
    formulas: list[ClaimDocument]
    against: list[ClaimDocument]
    instances: FamilyDocument | None
    exact_witness: str | None
    derivation: DerivationDocument | None


@dataclass(frozen=True)
class TheoremDocument:
    """One result of a paper: the statuses of its statement, of its printed proof and of the repaired one."""

    id: str
    paper: str
    kind: str
    title: str
    statement: str
    assumptions: str
    status: str
    proof_status: str
    repaired_status: str
    repaired_statement: str
    depends_on: list[str]
    cited: str
    learners: list[str]
    checks: list[str]
    against: list[ClaimDocument]
    words: str
    formulas: list[ClaimDocument]
    derivation: DerivationDocument | None
    steps: list[StepDocument]


@dataclass(frozen=True)
class BaselineDocument:
    """What ``dpcheck record`` writes and ``dpcheck compare`` reads."""

    schema: Literal["dpcheck-baseline/2"]
    written_by: str
    learners: dict[str, Entry]


@dataclass(frozen=True)
class HistoryDocument:
    """What ``dpcheck history --json`` prints: the rows in the order in which they were written."""

    schema: Literal["dpcheck-history/1"]
    rows: list[Row]


@dataclass(frozen=True)
class ChangeDocument:
    """One quantity: before, now, the p-value of the test at ``level``; null and level 0 where nothing is sampled."""

    quantity: str
    kind: Kind
    before: float | None
    now: float | None
    p_value: float | None
    level: float
    sentence: str


@dataclass(frozen=True)
class ComparedDocument:
    """One entry of the baseline; ``problem`` says why it could not be measured."""

    learner: str
    state: Literal["compared", "new", "not_produced", "failed"]
    verdict: str
    exit_status: Exit
    level: float
    problem: str
    seconds: float
    changes: list[ChangeDocument]


@dataclass(frozen=True)
class ComparisonDocument:
    """What ``dpcheck compare --format json`` writes; ``level`` bounds the probability of any false alarm."""

    schema: Literal["dpcheck-comparison/1"]
    argv: list[str]
    baseline: str
    seed: int
    alpha: float
    level: float
    strict: bool
    environment: Environment
    exit_status: Exit
    results: list[ComparedDocument]


def one_run_document() -> type[Any]:
    """What a verdict on one run writes of itself: its fields, the claim as plain data."""
    from dpcheck.privacy.one_run.values import NOT_WRITTEN, SCHEMA, OneRunVerdict

    return _with_plain_claim("OneRun", one_run_document.__doc__, OneRunVerdict, SCHEMA, ClaimRecord, NOT_WRITTEN)


def white_box_document() -> type[Any]:
    """What a white-box verdict writes of itself: its fields, the claim as plain data."""
    from dpcheck.privacy.white_box.values import SCHEMA, WhiteBoxVerdict

    return _with_plain_claim("WhiteBox", white_box_document.__doc__, WhiteBoxVerdict, SCHEMA, ClaimRecord | None)


def _with_plain_claim(
    name: str, words: str | None, verdict: type[Any], schema: str, claim: Any, without: Sequence[str] = ()
) -> type[Any]:
    """The document of a verdict: its schema, and its fields but those left out."""
    import dataclasses
    import typing

    hints = typing.get_type_hints(verdict)
    written = [one.name for one in dataclasses.fields(verdict) if one.name not in without]
    body = dataclasses.make_dataclass(
        f"{name}Body",
        [(one, claim if one == "claim" else hints[one]) for one in written],
        frozen=True,
        namespace={"__doc__": verdict.__doc__},
    )
    fields = [("schema", Literal[schema]), ("verdict", body)]
    return dataclasses.make_dataclass(f"{name}Document", fields, frozen=True, namespace={"__doc__": words})


def record_document() -> type[Any]:
    """What a verdict writes of itself: the verdict with its claim as plain data, and the record it rests on."""
    from dataclasses import make_dataclass

    from dpcheck.model.verdict.record import SCHEMA, _body_type

    fields = [("schema", Literal[SCHEMA]), ("verdict", _body_type()), ("record", Record | None)]
    return make_dataclass("RecordDocument", fields, frozen=True, namespace={"__doc__": record_document.__doc__})


def run_document() -> type[Any]:
    """A whole run: how it was made, a line per target, and the records of those that were audited."""
    from dataclasses import make_dataclass

    from dpcheck.report.run_json import SCHEMA

    fields = [
        ("schema", Literal[SCHEMA]),
        ("argv", list[str]),
        ("seed", int),
        ("environment", Environment | None),
        ("level", float),
        ("exit_status", Exit),
        ("results", list[AuditedDocument | NotAuditedDocument]),
        ("records", list[record_document()]),  # type: ignore[misc]  # a type made of other types, when asked for
    ]
    return make_dataclass("RunDocument", fields, frozen=True, namespace={"__doc__": run_document.__doc__})


#: Fields of a paper's record that only its page needs: they are not written.
DRAWN = frozenset({"mathml"})


def report_documents() -> dict[str, tuple[str, Any]]:
    """The records of ``dpcheck report``, each with its title: the record's fields behind the name of its schema."""
    from dataclasses import field, fields, make_dataclass
    from typing import get_type_hints

    from dpcheck.report.paper import model as paper
    from dpcheck.report.whole import model as whole

    kinds: dict[str, tuple[str, type[Any]]] = {
        paper.SCHEMA: ("A paper's report", paper.PaperReport),
        whole.INDEX_SCHEMA: ("The index of a report", whole.IndexReport),
        whole.LEARNER_SCHEMA: ("A learner's report", whole.LearnerReport),
        whole.AUDIT_SCHEMA: ("A recorded audit's report", whole.AuditReport),
    }
    made: dict[str, tuple[str, Any]] = {}
    for name, (title, kind) in kinds.items():
        hints = get_type_hints(kind)
        # every field is written, those with a default too
        parts = [("schema", Literal[name], field()), *((one.name, hints[one.name], field()) for one in fields(kind))]
        made[name] = (title, make_dataclass(f"{kind.__name__}Document", parts, frozen=True))
    return made
