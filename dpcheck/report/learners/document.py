"""The record ``dpcheck-learners/1``: what each learner of a paper is and promises, and what its audit found."""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from dpcheck.model.bounds_shown import at_least
from dpcheck.model.claims import claim_point
from dpcheck.model.learner import as_target, declares_law
from dpcheck.model.verdict import Status
from dpcheck.parts.learners.loss_of_densities import loss_of_densities
from dpcheck.parts.learners.table_of_classes import ClassTable, class_table
from dpcheck.report.exit_status import Exit, exit_of
from dpcheck.report.finished import Audited, NotAudited

if TYPE_CHECKING:
    from dpcheck.model.verdict import Verdict
    from dpcheck.parts.learners.entry import LearnerEntry

SCHEMA: Literal["dpcheck-learners/1"] = "dpcheck-learners/1"
#: What is expected of the audit of a learner that promises nothing.
NOTHING_CLAIMED = "nothing is claimed"


@dataclass(frozen=True)
class LearnerOption:
    """An argument of a learner's factory, for ``--option``; ``default`` is a Python expression."""

    name: str
    default: str


@dataclass(frozen=True)
class LearnerAudit:
    """What an audit found.

    ``exact``: ``epsilon`` is the largest loss over all ``pairs`` of the domain, at the claim's delta; else it is a
    bound certified by ``calls``. ``densities`` is the largest loss of the learner's densities over all pairs, where it
    knows one: of what it says of itself, not of its calls. ``expected`` and ``found`` are statuses, or say why there is
    none.
    """

    expected: str
    found: str
    as_expected: bool
    exact: bool
    epsilon: float | None
    pairs: int
    calls: int
    seconds: float
    witness: str
    problem: str
    densities: float | None = None


@dataclass(frozen=True)
class ListedLearner:
    """A learner: what it does and promises, over which domain it is audited, and what was found there.

    ``claim`` is null where nothing is claimed; ``law`` says whether it declares the law of its output.
    """

    name: str
    paper: str
    summary: str
    description: str
    algorithm: str
    theorem: str
    as_printed: bool
    claim: str | None
    assumptions: tuple[str, ...]
    relation: str
    domain: str
    law: bool
    made_by: str
    options: tuple[LearnerOption, ...]
    audit: LearnerAudit | None


@dataclass(frozen=True)
class LearnersDocument:
    """What ``dpcheck learners --json`` writes.

    Seed, level and exit status are null where nothing was audited, ``classes`` where class against learner was not
    asked for.
    """

    schema: Literal["dpcheck-learners/1"]
    command: str
    seed: int | None
    level: float | None
    exit_status: Exit | None
    learners: tuple[ListedLearner, ...]
    classes: ClassTable | None = None

    def to_json(self) -> str:
        """The document as JSON."""
        from dpcheck.model.verdict.record import plain

        return json.dumps(plain(self), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def listed(entry: LearnerEntry, result: Audited | NotAudited | None = None) -> ListedLearner:
    """An entry as plain data, with the result of its audit where there is one.

    Examples
    --------
    >>> from dpcheck.parts.learners.discovery import entry
    >>> one = listed(entry("alon2019.cover"))
    >>> one.claim, one.relation, one.options[0]
    ('1-DP', 'replace-one', LearnerOption(name='epsilon', default='1.0'))
    """
    learner, relation = entry.learner(), entry.relation()
    claim = getattr(learner, "claim", None)
    return ListedLearner(
        name=entry.name,
        paper=entry.paper,
        summary=entry.summary,
        description=_first_paragraph(entry.learner),
        algorithm=entry.algorithm,
        theorem=entry.theorem,
        as_printed=entry.as_printed,
        claim=None if claim is None else str(claim),
        assumptions=() if claim is None else tuple(claim.assumptions),
        relation=relation.name,
        domain=_domain(relation),
        law=declares_law(as_target(learner)),
        made_by=f"{entry.learner.__module__}:{entry.learner.__qualname__}",
        options=options_of(entry),
        audit=None if result is None else _audit(entry, result, claimed=claim is not None),
    )


def expected_of(entry: LearnerEntry, found: Status) -> Status:
    """The verdict that an entry's audit must give: a learner whose own densities break its claim is never clean.

    Examples
    --------
    >>> from dpcheck.parts.learners.discovery import entry
    >>> expected_of(entry("wang2016.log_concave"), Status.NO_VIOLATION_FOUND).value
    'no violation found'
    """
    if entry.as_printed:
        return Status.VIOLATED
    densities, claim = loss_of_densities(entry), getattr(entry.learner(), "claim", None)
    if densities is None or claim is None or found is not Status.NO_VIOLATION_FOUND:
        return Status.NO_VIOLATION_FOUND
    epsilon, delta = claim_point(claim)
    return Status.VIOLATED if delta == 0 and densities.exceeds(epsilon) else Status.NO_VIOLATION_FOUND


def options_of(entry: LearnerEntry) -> tuple[LearnerOption, ...]:
    """The arguments of an entry's factory.

    Examples
    --------
    >>> from dpcheck.parts.learners.discovery import entry
    >>> [option.name for option in options_of(entry("alon2019.generic"))]
    ['epsilon', 'domain_size']
    """
    parameters = inspect.signature(entry.learner).parameters.values()
    return tuple(LearnerOption(one.name, repr(one.default)) for one in parameters)


def _first_paragraph(thing: Any) -> str:
    return " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())


def _domain(relation: Any) -> str:
    """The records and sizes of a relation in words."""
    size = relation.size
    sizes = f"{size}" if isinstance(size, int) else "any number of" if size is None else f"{size[0]} to {size[-1]}"
    return f"{sizes} record{'' if size == 1 else 's'} of {relation.records}"


def _audit(entry: LearnerEntry, result: Audited | NotAudited, *, claimed: bool) -> LearnerAudit:
    as_expected = exit_of(result) is Exit.AS_EXPECTED
    if isinstance(result, NotAudited):
        return LearnerAudit("", result.trouble.value, as_expected, False, None, 0, 0, 0.0, "", result.problem)
    verdict = result.verdict
    failed = verdict.status is Status.LEARNER_FAILED
    densities = loss_of_densities(entry)
    said = not claimed and verdict.status in (Status.VIOLATED, Status.NO_VIOLATION_FOUND)
    return LearnerAudit(
        expected=result.expected.value if claimed else NOTHING_CLAIMED,
        found=NOTHING_CLAIMED if said else verdict.status.value,
        as_expected=as_expected,
        exact=verdict.exact is not None,
        epsilon=None if failed else verdict.epsilon_lower,
        pairs=verdict.pairs_tried,
        calls=verdict.samples,
        seconds=round(verdict.seconds, 2),
        witness=witness_words(verdict),
        problem=verdict.failure,
        densities=None if densities is None else densities.epsilon,
    )


def witness_words(verdict: Verdict) -> str:
    """The pair and the event that show the most, in words; empty where there is none."""
    witness = verdict.witness
    if witness is None or verdict.status is Status.LEARNER_FAILED:
        return ""
    change = f"{witness.change} (D = {witness.left}, D' = {witness.right})"
    if verdict.exact is not None:
        chances = f"probability {verdict.exact.left_probability} and {verdict.exact.right_probability}"
        return f"{change}: {witness.event}, {chances}"
    return f"{change}: {witness.event}, {witness.direction}"


def loss_words(audit: LearnerAudit) -> str:
    """The loss as a table shows it.

    Examples
    --------
    >>> loss_words(LearnerAudit("", "", True, True, 0.5, 4, 100, 0.1, "", ""))
    '0.500000'
    >>> loss_words(LearnerAudit("", "", True, False, 0.5, 4, 100, 0.1, "", ""))
    'above 0.500'
    """
    if audit.epsilon is None:
        return ""
    if audit.exact:
        return "infinite" if math.isinf(audit.epsilon) else f"{audit.epsilon:.6f}"
    return f"above {at_least(audit.epsilon, '.3f')}"


def how_words(audit: LearnerAudit) -> str:
    """Over how many pairs the loss is exact, or by how many calls it was bounded.

    Examples
    --------
    >>> how_words(LearnerAudit("", "", True, True, 0.5, 4, 100, 0.1, "", ""))
    'exact, all 4 pairs'
    >>> how_words(LearnerAudit("", "", True, False, 0.5, 4, 100, 0.1, "", "", densities=0.6))
    '100 calls, 4 pairs; of its densities over all pairs 0.600000'
    """
    if audit.exact:
        return f"exact, all {audit.pairs:,} pairs"
    if not audit.calls:
        return ""
    beside = "" if audit.densities is None else f"; of its densities over all pairs {audit.densities:.6f}"
    return f"{audit.calls:,} calls, {audit.pairs:,} pairs{beside}"


def document_of(
    entries: Sequence[LearnerEntry],
    results: Mapping[str, Audited | NotAudited] | None = None,
    *,
    command: str,
    seed: int | None = None,
    level: float | None = None,
    exit_status: Exit | None = None,
    classes: bool = False,
) -> LearnersDocument:
    """The record of some entries, with the results of their audits by name, and class against learner if asked for."""
    known = results or {}
    learners = tuple(listed(one, known.get(one.name)) for one in entries)
    made = class_table(entries) if classes else None
    return LearnersDocument(SCHEMA, command, seed, level, exit_status, learners, made)
