"""Theorems as objects: what a paper's result says, the steps of its proof, and each step as formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, TypeVar

from dpcheck.model.errors import InvalidArgument
from dpcheck.proof.prover.formula import Formula

if TYPE_CHECKING:
    from dpcheck.proof.bounds import Bound
    from dpcheck.proof.derivation.lines import Derivation
    from dpcheck.proof.instances import Enumeration
    from dpcheck.proof.tightness import Tightness

Severity = Literal["edge", "slip", "constant", "gap", "false"]


class Status(StrEnum):
    """What is known of a statement or a step, computed, never written by hand; the order is from least to most.

    PROVED is for what follows in the language to the end. ARGUED is for what has formulas that are proved, and words
    (or steps) that lead from them to the line (or the statement): these are for readers to judge.
    """

    REFUTED = "REFUTED"
    VACUOUS = "VACUOUS"
    UNDECIDED = "UNDECIDED"
    CITED = "CITED"
    HOLDS = "HOLDS ON INSTANCES"
    ARGUED = "ARGUED"
    PROVED = "PROVED"
    STATED = "STATED"

    @property
    def rank(self) -> int:
        """Where it stands in the order; the status of many is the least of them."""
        return list(Status).index(self)


@dataclass(frozen=True)
class Claim:
    """A formula with the hints that the search may follow; hints are checked like everything else.

    Examples
    --------
    >>> Claim("x in (0, inf)", "", "log(x) <= x - 1").formula.claim
    'log(x) <= x - 1'
    """

    variables: str
    assume: str
    claim: str
    hints: tuple[str, ...] = ()

    @property
    def formula(self) -> Formula:
        """What is claimed, without the hints."""
        return Formula(self.variables, self.assume, self.claim)


@dataclass(frozen=True)
class Repair:
    """What a refuted step should have said, decided like any other step.

    Parameters
    ----------
    statement : str, the repaired line in words
    changes : what differs: "domain", "constant", "direction", "assumption" or "statement"
    claims, derivation, instances, cites : as in a :class:`Step`
    because : str, why the claims amount to the line
    downstream : str, what becomes of the lines and results after it
    """

    statement: str
    changes: Literal["domain", "constant", "direction", "assumption", "statement"]
    claims: tuple[Claim, ...] = ()
    because: str = ""
    downstream: str = ""
    cites: str = ""
    uses: tuple[str, ...] = ()
    instances: Callable[[], Enumeration] | None = None
    derivation: Derivation | None = None


@dataclass(frozen=True)
class Erratum:
    """Why a printed line fails, for the paper's readers.

    ``severity`` says what a reader loses: "edge" where it fails only at an end of a range (an accuracy near 1, a large
    epsilon, a size below the dimension), "slip" where nothing depends on it, "constant" where a constant or a domain
    has to change, "gap" where an argument is missing, "false" where the conclusion does not hold. ``quality`` is
    "clean" where the line is legible in the paper's text as quoted, "reading" where a sign or letter had to be
    reconstructed or an ambiguity settled; then ``readings`` says under which readings it holds.
    """

    quotes: str
    explanation: str
    severity: Severity
    quality: Literal["clean", "reading"] = "clean"
    readings: str = ""


@dataclass(frozen=True)
class Step:
    """One printed line of a proof and what it amounts to.

    Parameters
    ----------
    label : the inventory's label
    claims : formulas; the line holds as encoded when all of them do
    because : why the claims amount to the line, where they are not the line itself; such a line is ARGUED at most
    derivation : how the line follows from laws, events and private algorithms; such a line may be PROVED
    reading : how ambiguities of the printed line were read
    against : formulas which, when all are proved, refute the line ("for every constant", "there is no minimiser")
    witness : computes the instance that goes with ``against``, exactly
    uses : ids of the results whose statements the line uses
    cites : another paper's result that the line rests on and that is not checked here
    instances : enumerates a complete finite family, for lines that quantify over classes or distributions
    needed : what a proof would need, where there are only instances, or words lead from the formulas to the line
    stated : True for a definition, which counts in no share
    spelled : pieces of the printed line and what they are in the formulas, so that a test can compare the two
    printed, domain : the line itself; a paper with an inventory has them there
    """

    label: str
    claims: tuple[Claim, ...] = ()
    because: str = ""
    reading: str = ""
    against: tuple[Claim, ...] = ()
    witness: Callable[[], Enumeration] | None = None
    uses: tuple[str, ...] = ()
    cites: str = ""
    instances: Callable[[], Enumeration] | None = None
    needed: str = ""
    erratum: Erratum | None = None
    repair: Repair | None = None
    stated: bool = False
    spelled: tuple[tuple[str, str], ...] = ()
    printed: str = ""
    domain: str = ""
    derivation: Derivation | None = None


@dataclass(frozen=True)
class Theorem:
    """One result of a paper.

    Parameters
    ----------
    id : such as ``"alon2019:lem-3.3"``
    title : a few words
    assumptions : what it assumes, in words
    steps : labels of the lines of its printed proof
    uses : ids of the results it rests on
    claims : formulas of the statement itself; what rests on formulas and steps is ARGUED at most
    derivation : as in a :class:`Step`: how the statement follows from its lines and other results, to the end
    against, witness : as in a :class:`Step`, for the statement itself
    repaired_statement : what holds instead, where the statement is refuted or its hypotheses have to be read
    proved_by : "printed" or "repaired": which proof is offered for the statement as printed; "" for none
    bounds : names of the functions of ``dpcheck.papers.alon2019.theorems.bounds`` and the like
    tightness : the pairs of bounds of which it says that they are tight or nearly match
    learners : the targets it speaks of
    checks : paths of the properties and tests that check it
    cited : the source, for other papers' results
    stated : True for definitions and remarks for the record
    kind, statement : what it says; a paper with an inventory has them there
    """

    id: str
    title: str
    assumptions: str = ""
    steps: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    against: tuple[Claim, ...] = ()
    witness: Callable[[], Enumeration] | None = None
    erratum: Erratum | None = None
    repaired_statement: str = ""
    proved_by: Literal["printed", "repaired", ""] = "printed"
    bounds: Callable[[], tuple[Bound, ...]] | None = None
    tightness: Callable[[], tuple[Tightness, ...]] | None = None
    learners: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    cited: str = ""
    stated: bool = False
    kind: str = ""
    statement: str = ""
    derivation: Derivation | None = None


_Part = TypeVar("_Part", Step, Theorem)


def with_derivations(parts: Iterable[_Part], derivations: Mapping[str, Derivation]) -> tuple[_Part, ...]:
    """Steps (results) with the derivations of what they say, by label (by id).

    Raises
    ------
    InvalidArgument
        When a name is none of theirs.
    """
    found: dict[str, _Part] = {part.label if isinstance(part, Step) else part.id: part for part in parts}
    for name, derivation in derivations.items():
        if name not in found:
            raise InvalidArgument(f"there is no {name!r} that a derivation could be of")
        found[name] = replace(found[name], derivation=derivation)
    return tuple(found.values())


@dataclass(frozen=True)
class Paper:
    """A paper's results and steps; ``key`` is its inventory's name, or any name for a user's own module."""

    key: str
    title: str
    theorems: tuple[Theorem, ...]
    steps: tuple[Step, ...] = ()

    def step(self, label: str) -> Step:
        """The step with a label."""
        return next(step for step in self.steps if step.label == label)
