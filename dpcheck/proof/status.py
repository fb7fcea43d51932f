"""Statuses, computed: certificates replayed, instances counted, the least of what a result rests on."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dpcheck.model.errors import InvalidArgument
from dpcheck.proof.derivation.check import PREMISES, LineResult
from dpcheck.proof.derivation.lines import Derivation, checked, faults
from dpcheck.proof.derivation.terms import DerivationFailed
from dpcheck.proof.enumerations import counts, name_of
from dpcheck.proof.instances import Enumeration
from dpcheck.proof.lemmas import LEMMAS
from dpcheck.proof.printed import texts_of
from dpcheck.proof.prover.formula import Formula
from dpcheck.proof.statement import Claim, Paper, Repair, Status, Step, Theorem
from dpcheck.proof.store import Store


@dataclass(frozen=True)
class ClaimResult:
    """One formula's status, as the checker gives it; ``open`` where the search found neither proof nor witness."""

    claim: Claim
    status: Status
    words: str = ""
    witness: dict[str, str] | None = None
    size: int = 0
    seconds: float = 0.0
    rules: tuple[str, ...] = ()
    open: bool = False


@dataclass(frozen=True)
class DerivedLine:
    """A line of a derivation, with the answers for its formulas."""

    line: LineResult
    claims: tuple[ClaimResult, ...] = ()

    @property
    def status(self) -> Status:
        """PROVED where all its formulas are; of each relation one of several cases may be impossible, but not all."""
        held = list(self.line.settled)
        for obligation, result in zip(self.line.obligations, self.claims, strict=True):
            if result.status is Status.PROVED:
                if obligation.relation is not None:
                    held[obligation.relation] = True
            elif not (obligation.case and result.status is Status.VACUOUS):
                return Status.VACUOUS if result.status is Status.VACUOUS else Status.UNDECIDED
        return Status.PROVED if all(held) else Status.VACUOUS


@dataclass(frozen=True)
class Derived:
    """A derivation, checked; ``fault`` says what does not follow by the rules.

    ``mended`` are the premises whose source is refuted as printed: they are what the repaired one says. ``resting`` are
    those whose source is derived from such premises, or from a line that is.
    """

    derivation: Derivation
    lines: tuple[DerivedLine, ...] = ()
    fault: str = ""
    mended: frozenset[str] = frozenset()
    resting: frozenset[str] = frozenset()

    @property
    def status(self) -> Status:
        """The least of its lines."""
        return Status.UNDECIDED if self.fault else _least(line.status for line in self.lines)

    @property
    def words(self) -> str:
        """What is missing; empty where nothing is."""
        if self.fault:
            return self.fault
        found = next((each for each in self.lines if each.status is not Status.PROVED), None)
        if found is None:
            return ""
        open_one = next((each for each in found.claims if each.status is not Status.PROVED), None)
        return (
            f"line {found.line.name!r} of its derivation: {open_one.words if open_one else 'all its cases are empty'}"
        )


@dataclass(frozen=True)
class PartResult:
    """The status of a step, of a repair, or of what speaks against a statement."""

    status: Status
    claims: tuple[ClaimResult, ...] = ()
    against: tuple[ClaimResult, ...] = ()
    instances: Enumeration | None = None
    witness: Enumeration | None = None
    derived: Derived | None = None

    @property
    def words(self) -> str:
        """Why it is not proved, or what it was decided on, in a line."""
        for result in self.claims:
            if result.status is Status.REFUTED:
                where = ", ".join(f"{name} = {value}" for name, value in (result.witness or {}).items())
                return f"{where + ': ' if where else ''}{result.words}"
        if self.status is Status.REFUTED and self.against:
            return "; ".join(f"proved: {result.claim.claim}" for result in self.against)
        if self.instances is not None:
            return f"{self.instances.count:,} instances: {self.instances.family}" + (
                f"; fails: {self.instances.failure}" if self.instances.failure else ""
            )
        undecided = [result for result in (*self.claims, *self.against) if result.status is Status.UNDECIDED]
        if undecided or self.derived is None:
            return undecided[0].words if undecided else ""
        return self.derived.words


@dataclass(frozen=True)
class StepResult:
    """A printed step and its repair."""

    step: Step
    printed: PartResult
    repair: PartResult | None

    @property
    def status(self) -> Status:
        """The status of the line as printed."""
        return self.printed.status

    @property
    def repaired(self) -> Status:
        """The status of the repaired line, or of the printed one where none was needed."""
        return self.printed.status if self.repair is None else self.repair.status


@dataclass(frozen=True)
class TheoremResult:
    """The three statuses of an entry."""

    theorem: Theorem
    status: Status
    proof: Status
    repaired: Status
    steps: tuple[StepResult, ...] = ()
    against: PartResult | None = None
    claims: tuple[ClaimResult, ...] = ()
    derived: Derived | None = None

    @property
    def words(self) -> str:
        """What the status of the statement rests on, where that is less than a derivation."""
        if self.status is not Status.ARGUED:
            return "" if self.derived is None else self.derived.words
        parts = ["its own formulas are proved"] if self.claims else []
        if self.steps:
            least = (self.proof if self.theorem.proved_by == "printed" else self.repaired).value
            parts.append(f"all its steps are {least} or better")
        return f"{' and '.join(parts) or 'what it rests on is proved'}; that this is the statement is argued in words"


def _least(statuses: Iterable[Status]) -> Status:
    """The least of what something rests on; where it rests on nothing, or on definitions only, nothing shows it."""
    return min(
        (status for status in statuses if status is not Status.STATED), key=lambda s: s.rank, default=Status.UNDECIDED
    )


def _bears_out(witness: Enumeration | None) -> bool:
    return witness is None or (witness.count > 0 and not witness.failure)


def rules_in(certificate: Any) -> tuple[str, ...]:
    """The names of the rules that a certificate uses, each once, in order of first use."""
    found: dict[str, None] = {}

    def visit(part: Any) -> None:
        if isinstance(part, list):
            if part and isinstance(part[0], str) and part[0] in _RULES:
                found.setdefault(part[0])
            for inner in part:
                visit(inner)

    for proof in certificate.values():
        visit(proof)
    return tuple(found)


_RULES = frozenset(
    (
        "interval",
        "absurd",
        "split",
        "monotone",
        "fix",
        "identity",
        "rewrite",
        "scale",
        "product",
        "logarithm",
        "substitute",
        "case",
        "choose",
        "round",
        "abstract",
        "lemma",
        "have",
        "drop",
        "combine",
        "both",
        "integer",
        "square",
        "unfold",
        "induct",
    )
)


@dataclass
class Evaluation:
    """One paper's statuses, computed when asked for and once each."""

    paper: Paper
    store: Store
    lemma_store: Store
    on_claim: Callable[[ClaimResult], None] | None = None
    _claims: dict[Claim, ClaimResult] = field(default_factory=dict)
    _steps: dict[str, StepResult] = field(default_factory=dict)
    _theorems: dict[str, TheoremResult] = field(default_factory=dict)
    _counted: dict[Any, Enumeration] = field(default_factory=dict)
    _lemmas: dict[str, Formula] | None = None

    def lemmas(self) -> dict[str, Formula]:
        """The named lemmas whose certificates replay; each may use those before it."""
        if self._lemmas is None:
            self._lemmas = {}
            for name, claim in LEMMAS.items():
                if self.replay(claim, self.lemma_store, dict(self._lemmas)).status is Status.PROVED:
                    self._lemmas[name] = claim.formula
        return self._lemmas

    def claim(self, claim: Claim) -> ClaimResult:
        """A claim's status: of its stored certificate, replayed."""
        if claim not in self._claims:
            result = self._claims[claim] = self.replay(claim, self.store, self.lemmas())
            if self.on_claim is not None:
                self.on_claim(result)
        return self._claims[claim]

    def take(self, results: Iterable[ClaimResult], counted: Mapping[Callable[[], Enumeration], Enumeration]) -> None:
        """Use what was replayed and computed elsewhere, in this run, for this paper."""
        self._claims.update({result.claim: result for result in results})
        self._counted.update(counted)

    def replay(self, claim: Claim, store: Store, lemmas: dict[str, Formula]) -> ClaimResult:
        """What the checker says of a claim's stored certificate, given lemmas that were replayed before."""
        from dpcheck.proof.prover.checker import CheckFailed, check_proof, check_refutation, check_vacuous

        answer = store.get(claim)
        if answer is None:
            words = "no certificate for it: run `dpcheck theorems --prove`"
            return ClaimResult(claim, Status.UNDECIDED, words)
        began = time.monotonic()
        try:
            if "proof" in answer:
                check_proof(claim.formula, answer["proof"], lemmas)
                size = len(json.dumps(answer["proof"], separators=(",", ":")))
                spent = time.monotonic() - began
                return ClaimResult(claim, Status.PROVED, "", None, size, spent, rules_in(answer["proof"]))
            if "witness" in answer:
                words = check_refutation(claim.formula, answer["witness"])
                return ClaimResult(
                    claim,
                    Status.REFUTED,
                    words,
                    answer["witness"],
                    seconds=time.monotonic() - began,
                    rules=("witness",),
                )
            if "vacuous" in answer:
                check_vacuous(claim.formula, answer["vacuous"], lemmas)
                return ClaimResult(
                    claim, Status.VACUOUS, "nothing satisfies the hypotheses", seconds=time.monotonic() - began
                )
        except CheckFailed as failed:
            return ClaimResult(claim, Status.UNDECIDED, f"its certificate does not replay: {failed}")
        words = f"not decided by the search ({answer.get('stuck', 'no reason kept')})"
        return ClaimResult(claim, Status.UNDECIDED, words, open=True)

    def _count(self, enumerate_all: Callable[[], Enumeration] | None) -> Enumeration | None:
        if enumerate_all is None:
            return None
        if enumerate_all not in self._counted:
            kept = counts(enumerate_all, self.store.enumerations.get(name_of(enumerate_all) or ""))
            self._counted[enumerate_all] = enumerate_all() if kept is None else kept
        return self._counted[enumerate_all]

    def derived(self, of: Step | Theorem, part: Step | Repair | Theorem) -> Derived | None:
        """A derivation's lines, and the answers for their formulas; ``part`` is the step (its repair) or result."""
        derivation = part.derivation
        if derivation is None:
            return None
        fault = fault_of(self.paper, of, part)
        refuted = {} if fault else self._refuted_sources(derivation)
        lost = next((source for source, repaired in refuted.values() if not repaired), None)
        if fault or lost:
            return Derived(derivation, fault=fault or f"a premise comes from {lost}, which is refuted and not repaired")
        lines = checked(derivation)
        found = zip(lines, claims_of_lines(derivation), strict=True)
        shown = tuple(DerivedLine(line, tuple(map(self.claim, claims))) for line, claims in found)
        return Derived(derivation, shown, mended=frozenset(refuted), resting=self._resting(derivation, refuted))

    def _resting(self, derivation: Derivation, refuted: Mapping[str, object]) -> frozenset[str]:
        """The premises that come from lines which hold as a repair of something earlier does."""
        found = set()
        for given in derivation.given:
            kind, _, name = given.source.partition(": ")
            source = self.step(name).printed.derived if kind == "line" and given.name not in refuted else None
            if source is not None and (source.mended or source.resting):
                found.add(given.name)
        return frozenset(found)

    def _refuted_sources(self, derivation: Derivation) -> dict[str, tuple[str, bool]]:
        """The premises whose source is refuted as printed: what it is, and whether something else holds instead."""
        found: dict[str, tuple[str, bool]] = {}
        for given in derivation.given:
            kind, _, name = given.source.partition(": ")
            if kind == "line" and self.step(name).status is Status.REFUTED:
                found[given.name] = (f"the line {name}", self.step(name).repaired is not Status.REFUTED)
            elif kind == "result":
                entry = next(each for each in self.paper.theorems if each.id == name)
                if entry.against:
                    found[given.name] = (f"the result {name}", bool(entry.repaired_statement))
        return found

    def _part(self, part: Step | Repair, of: Step) -> PartResult:
        claims = tuple(self.claim(claim) for claim in part.claims)
        derived = self.derived(of, part)
        counted = self._count(part.instances)
        against = witness = None
        if isinstance(part, Step):
            against = tuple(self.claim(claim) for claim in part.against)
            witness = self._count(part.witness)
        statuses = [result.status for result in claims]
        if derived is not None:
            statuses.append(derived.status)
        if counted is not None:
            one = Status.HOLDS if counted.count > 0 else Status.UNDECIDED  # of none, everything holds
            statuses.append(Status.REFUTED if counted.failure else one)
        if against:
            shown = all(result.status is Status.PROVED for result in against)
            statuses.append(Status.REFUTED if shown else Status.UNDECIDED)
        if part.cites:
            statuses.append(Status.CITED)
        if not statuses:
            statuses.append(Status.UNDECIDED)
        status = _least(statuses)
        if not _bears_out(witness) and status is Status.REFUTED:
            status = Status.UNDECIDED
        if status is Status.PROVED and derived is None and part.because:
            status = Status.ARGUED
        return PartResult(status, claims, against or (), counted, witness, derived)

    def derivations(self) -> Iterator[Derived]:
        """The derivations of the paper's lines, of their repairs, and of its results."""
        for step in self.paper.steps:
            result = self.step(step.label)
            for part in (result.printed, result.repair):
                if part is not None and part.derived is not None:
                    yield part.derived
        for theorem in self.paper.theorems:
            derived = self.theorem(theorem.id).derived
            if derived is not None:
                yield derived

    def answers_of(self, derived: Derived) -> dict[Formula, Mapping[str, Any]]:
        """What is kept of the formulas that the lines of a derivation rest on."""
        return {
            obligation.formula: self.store.get(found.claim) or {}
            for each in derived.lines
            if each.line.name != PREMISES
            for obligation, found in zip(each.line.obligations, each.claims, strict=True)
        }

    def step(self, label: str) -> StepResult:
        """The status of a printed step and of its repair."""
        if label not in self._steps:
            step = self.paper.step(label)
            printed = PartResult(Status.STATED) if step.stated else self._part(step, step)
            repair = None if step.repair is None else self._part(step.repair, step)
            self._steps[label] = StepResult(step, printed, repair)
        return self._steps[label]

    def theorem(self, id: str) -> TheoremResult:
        """The three statuses of an entry.

        Raises
        ------
        InvalidArgument
            When entries rest on each other in a circle.
        """
        return self._theorem(id, ())

    def _theorem(self, id: str, above: tuple[str, ...]) -> TheoremResult:
        if id in self._theorems:
            return self._theorems[id]
        if id in above:
            raise InvalidArgument(f"results rest on each other in a circle: {' -> '.join((*above, id))}")
        theorem = next(found for found in self.paper.theorems if found.id == id)
        steps = tuple(self.step(label) for label in theorem.steps)
        mended = [result.step if result.step.repair is None else result.step.repair for result in steps]
        below = self._used(theorem, [result.step for result in steps], above)
        below_repaired = self._used(theorem, mended, above)
        claims = tuple(self.claim(claim) for claim in theorem.claims)
        derived = self.derived(theorem, theorem)
        own = [result.status for result in claims]
        if derived is None:  # that these formulas are the statement is argued
            own = [Status.ARGUED if status is Status.PROVED else status for status in own]
        own += [Status.CITED] * bool(theorem.cited) + ([] if derived is None else [derived.status])
        sources = [self.step(label) for label in dict.fromkeys(_lines_of(steps)) if label not in theorem.steps]
        behind = (*steps, *sources)
        proof = _least([*own, *(result.status for result in behind), *(other.status for other in below)])
        best = [other.status if other.status is not Status.REFUTED else other.repaired for other in below_repaired]
        repaired = _least([*own, *(result.repaired for result in behind), *best])
        against: PartResult | None = None
        if theorem.against:
            shown = tuple(self.claim(claim) for claim in theorem.against)
            witness = self._count(theorem.witness)
            sure = all(result.status is Status.PROVED for result in shown) and _bears_out(witness)
            against = PartResult(Status.REFUTED if sure else Status.UNDECIDED, against=shown, witness=witness)
        if theorem.stated:
            status = proof = repaired = Status.STATED
        elif against is not None:
            status = against.status
            proof = _least([proof, status])
        else:
            status = {"printed": proof, "repaired": repaired, "": Status.UNDECIDED}[theorem.proved_by]
            if status is Status.REFUTED:
                # a refuted line, or a refuted result below, refutes the proof; the statement, only its own formulas
                status = Status.REFUTED if Status.REFUTED in own else Status.UNDECIDED
            if derived is not None and derived.status is Status.PROVED and Status.REFUTED not in own:
                status = _least([Status.PROVED, *self._sources(derived.derivation, (*above, id))])
                status = Status.UNDECIDED if status is Status.REFUTED else status  # what it rests on is, not itself
            elif status is Status.PROVED:
                status = Status.ARGUED
        found = TheoremResult(theorem, status, proof, repaired, steps, against, claims, derived)
        self._theorems[id] = found
        return found

    def _sources(self, derivation: Derivation, above: tuple[str, ...]) -> Iterator[Status]:
        """The statuses of the lines and results that premises come from."""
        for given in derivation.given:
            kind, _, name = given.source.partition(": ")
            if kind == "line":
                yield self.step(name).repaired
            elif kind == "result":
                yield self._theorem(name, above).status

    def _used(self, theorem: Theorem, parts: Sequence[Step | Repair], above: tuple[str, ...]) -> list[TheoremResult]:
        """The results that an entry or its lines rest on."""
        ids = dict.fromkeys((*theorem.uses, *(use for part in parts for use in (*part.uses, *_results_of(part)))))
        if theorem.cited:  # its steps say what is cited
            ids.pop(theorem.id, None)
        return [self._theorem(other, (*above, theorem.id)) for other in ids]

    def everything(self) -> list[TheoremResult]:
        """All entries, in the paper's order."""
        return [self.theorem(theorem.id) for theorem in self.paper.theorems]


def _results_of(part: Step | Repair) -> list[str]:
    """The results that premises of a derivation come from."""
    given = part.derivation.given if part.derivation is not None else ()
    return [each.source.removeprefix("result: ") for each in given if each.source.startswith("result: ")]


def _lines_of(steps: Iterable[StepResult]) -> Iterator[str]:
    """The lines that premises of steps, and of their repairs, come from."""
    for result in steps:
        for part in (result.step, result.step.repair):
            for given in part.derivation.given if part is not None and part.derivation is not None else ():
                if given.source.startswith("line: "):
                    yield given.source.removeprefix("line: ")


def fault_of(paper: Paper, of: Step | Theorem, part: Step | Repair | Theorem) -> str:
    """What is wrong with a derivation before any formula is looked at; empty where nothing is."""
    derivation = part.derivation
    if derivation is None:
        return ""
    line, texts = texts_of(paper, of, part)
    before = itertools.takewhile(lambda step: step is not of, paper.steps)  # a line rests on earlier ones
    labels, ids = frozenset(step.label for step in before), frozenset(entry.id for entry in paper.theorems)
    try:
        checked(derivation)
        return next(faults(derivation, line, texts, labels, ids, whole=isinstance(of, Theorem)), "")
    except DerivationFailed as failed:
        return str(failed)


def claims_of_lines(derivation: Derivation) -> list[tuple[Claim, ...]]:
    """The formulas that each line of a derivation rests on; none where it is faulty.

    A line's hints are for its own relations, not for the conditions of facts that it uses.
    """
    try:
        lines = checked(derivation)
    except DerivationFailed:
        return []
    hints = {line.name: line.hints for line in derivation.lines}
    return [
        tuple(
            Claim(
                each.formula.variables,
                each.formula.assume,
                each.formula.claim,
                () if each.relation is None else hints.get(result.name, ()),
            )
            for each in result.obligations
        )
        for result in lines
    ]


def _claims_derived(part: Step | Repair | Theorem | None) -> list[Claim]:
    if part is None or part.derivation is None:
        return []
    return [claim for claims in claims_of_lines(part.derivation) for claim in claims]


def claims_of(paper: Paper) -> list[Claim]:
    """Every claim of a paper, those of derivations too, each once."""
    found: dict[Claim, None] = {}
    for step in paper.steps:
        derived = (*_claims_derived(step), *_claims_derived(step.repair))
        for claim in (*step.claims, *step.against, *(step.repair.claims if step.repair else ()), *derived):
            found.setdefault(claim)
    for theorem in paper.theorems:
        for claim in (*theorem.claims, *theorem.against, *_claims_derived(theorem)):
            found.setdefault(claim)
    return list(found)


def claims_of_theorem(paper: Paper, theorem: Theorem) -> list[Claim]:
    """The claims of one entry and of its steps, each once."""
    steps = tuple(paper.step(label) for label in theorem.steps)
    return claims_of(Paper(paper.key, paper.title, (theorem,), steps))


def shares(results: Iterable[StepResult]) -> dict[Status, int]:
    """How many steps have each status; definitions are left out."""
    counts: dict[Status, int] = {}
    for status in Status:
        counts[status] = 0
    del counts[Status.STATED]
    for result in results:
        if result.status is not Status.STATED:
            counts[result.status] += 1
    return counts
