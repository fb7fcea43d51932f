"""Lines of derivations whose formulas are decided on the spot: what the registry does with kept certificates."""

from __future__ import annotations

from dpcheck.proof.derivation.check import LineResult
from dpcheck.proof.derivation.lines import Derivation, checked
from dpcheck.proof.derivation.terms import DerivationFailed
from dpcheck.proof.prover.decide import decide
from dpcheck.proof.statement import Claim, Status
from dpcheck.proof.status import ClaimResult, DerivedLine


def line_status(line: LineResult, seconds: float = 1.0) -> Status:
    """The status of a line, its formulas decided now; the first that is refuted or undecided ends it."""
    results = []
    for each in line.obligations:
        claim = Claim(each.formula.variables, each.formula.assume, each.formula.claim)
        results.append(ClaimResult(claim, Status(decide(each.formula, seconds=seconds).answer.value)))
        if results[-1].status in (Status.REFUTED, Status.UNDECIDED):
            return results[-1].status
    return DerivedLine(line, tuple(results)).status


def verdict(derivation: Derivation, seconds: float = 1.0) -> str:
    """What is said of a derivation: "refused", or the least status of its lines."""
    try:
        lines = checked(derivation)
    except DerivationFailed:
        return "refused"
    least = Status.PROVED
    for line in lines:
        least = min(least, line_status(line, seconds), key=lambda each: each.rank)
        if least in (Status.REFUTED, Status.UNDECIDED):
            break
    return str(least.value)
