"""What stands against a paper: what is refuted or not decided, and its file does not own up to.

A gate in continuous integration asks for more than a list of statuses. A line that is refuted, and whose file says so
(by an erratum) and says what holds instead (which is decided), is known: it fails no build. Everything else that does
not hold is an objection.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dpcheck.proof.statement import Erratum, Status
from dpcheck.proof.status import StepResult, TheoremResult

# What shows nothing, neither that a line holds nor that it fails: of a vacuous one nothing satisfies the hypotheses.
NOT_DECIDED = frozenset({Status.UNDECIDED, Status.VACUOUS})
_NOT_STANDING = NOT_DECIDED | {Status.REFUTED}


@dataclass(frozen=True)
class Objection:
    """A line or statement, and why it does not pass; ``decided`` is False where more search or words may settle it."""

    where: str
    words: str
    decided: bool


@dataclass(frozen=True)
class Judged:
    """What a gate looked at: how many lines and statements, how many errata are known, and what does not pass."""

    lines: int
    statements: int
    known: int
    objections: tuple[Objection, ...]


def judged(steps: Iterable[StepResult], results: Iterable[TheoremResult]) -> Judged:
    """Judge lines and statements; definitions count for nothing.

    Examples
    --------
    >>> judged((), ())
    Judged(lines=0, statements=0, known=0, objections=())
    """
    lines = [one for one in steps if one.status is not Status.STATED]
    statements = [one for one in results if one.status is not Status.STATED]
    objections: list[Objection] = []
    known = 0
    for one in (*map(_of_line, lines), *map(_of_statement, statements)):
        found = tuple(_objections(one))
        known += not found and one.status in _NOT_STANDING
        objections += found
    return Judged(len(lines), len(statements), known, tuple(objections))


@dataclass(frozen=True)
class _Standing:
    """What is known of a line or statement; ``instead`` is the status of what its file says that holds instead."""

    where: str
    status: Status
    why: str
    erratum: Erratum | None
    instead: Status | None


def _of_line(result: StepResult) -> _Standing:
    instead = None if result.repair is None else result.repair.status
    return _Standing(f"line {result.step.label}", result.status, result.printed.words, result.step.erratum, instead)


def _of_statement(result: TheoremResult) -> _Standing:
    theorem = result.theorem
    instead = result.repaired if theorem.repaired_statement else None
    return _Standing(f"statement of {theorem.id}", result.status, _why(result), theorem.erratum, instead)


def _why(result: TheoremResult) -> str:
    if result.against is not None:
        return result.against.words
    if result.proof is Status.REFUTED and result.status is Status.UNDECIDED:
        offered = result.theorem.proved_by == "repaired" or result.repaired in _NOT_STANDING
        return "its printed proof is refuted" + ("" if offered else "; proved_by='repaired' offers the repaired one")
    return result.words


def _objections(one: _Standing) -> Iterator[Objection]:
    """At most one."""
    refuted = one.status is Status.REFUTED
    found = f"is {one.status}" + (f" ({one.why})" if one.why else "")
    if one.status not in _NOT_STANDING:
        if one.erratum is not None:
            yield Objection(
                one.where, f"is {one.status}, and its erratum says that it fails: take the erratum out", True
            )
    elif one.erratum is None:
        yield Objection(one.where, f"{found}, and no erratum owns up to it" if refuted else found, refuted)
    elif one.instead is None:
        yield Objection(one.where, f"{found}, and its erratum comes without what holds instead", refuted)
    elif one.instead in _NOT_STANDING:
        yield Objection(one.where, f"{found}, and what holds instead is {one.instead}", one.instead is Status.REFUTED)
