"""Results of a paper as plain records: what ``dpcheck theorems --json`` prints and the reports are made of."""

from __future__ import annotations

from typing import Any

from dpcheck.proof.derivation.check import PREMISES, TOGETHER
from dpcheck.proof.derivation.lines import Given
from dpcheck.proof.judges import agreement_words, judges_of, judges_of_derivation
from dpcheck.proof.printed import printed_of, statement_of
from dpcheck.proof.statement import Claim, Paper, Status
from dpcheck.proof.status import ClaimResult, Derived, DerivedLine, PartResult, StepResult, TheoremResult
from dpcheck.proof.store import key_of

_DECIDED = (Status.PROVED, Status.REFUTED, Status.VACUOUS)
_FINITE = ", where laws are on finitely many points"


def instances_words(part: PartResult) -> str:
    """``HOLDS ON 4,080 INSTANCES`` and the like."""
    if part.status is Status.HOLDS and part.instances is not None:
        return f"HOLDS ON {part.instances.count:,} INSTANCES"
    return part.status.value


def claim_record(result: ClaimResult) -> dict[str, Any]:
    """One formula with its answer."""
    claim: Claim = result.claim
    return {
        "variables": claim.variables,
        "assume": claim.assume,
        "claim": claim.claim,
        "status": result.status.value,
        "method": ", ".join(result.rules),
        "witness": result.witness,
        "words": result.words,
        "certificate": key_of(claim) if result.status in _DECIDED else None,
        "certificate_bytes": result.size,
        "judges": list(judges_of(claim)) if result.status in _DECIDED else [],
    }


def source_words(given: Given, derived: Derived) -> str:
    """Where a premise comes from, and whether that is refuted as printed, or rests on what is."""
    if given.name in derived.mended:
        return f"{given.source}, as repaired"
    return f"{given.source}, which rests on a repair" if given.name in derived.resting else given.source


def follows_words(derived: Derived) -> str:
    """Who agrees that a derivation follows, and for which laws, since Coq is told of those on finitely many points.

    Empty where nobody does, or it is not proved.
    """
    judges = judges_of_derived(derived)
    laws = any(part.split()[:1] == ["law"] for part in derived.derivation.objects.split(";"))
    return f"{agreement_words(judges)} that it follows{_FINITE if laws else ''}" if judges else ""


def judges_of_derived(derived: Derived) -> tuple[str, ...]:
    """The judges that agree on a derivation and on all of its formulas; none where it is not proved."""
    if derived.status is not Status.PROVED:
        return ()
    return judges_of_derivation(
        derived.derivation,
        (found.claim for each in derived.lines if each.line.name != PREMISES for found in each.claims),
    )


def rule_words(line: DerivedLine) -> str:
    """The rule of a line and the facts that it uses."""
    using = f" from {', '.join(line.line.using)}" if line.line.using else ""
    return f"{line.line.rule}{using}"


def derivation_record(derived: Derived | None) -> dict[str, Any] | None:
    """A derivation, its premises with their sources, its lines with their formulas and answers."""
    if derived is None:
        return None
    shown = derived.derivation
    texts = {PREMISES: TOGETHER} | {line.name: line.fact for line in shown.lines}
    return {
        "objects": shown.objects,
        "notation": dict(shown.notation),
        "given": [
            {
                "name": each.name, "fact": each.fact, "source": each.source, "mended": each.name in derived.mended,
                "resting": each.name in derived.resting,
            }
            for each in shown.given
        ],
        "lines": [
            {
                "name": each.line.name, "fact": texts[each.line.name], "rule": each.line.rule,
                "using": list(each.line.using), "status": each.status.value,
                "formulas": [
                    {**claim_record(found), "legend": dict(obligation.legend)}
                    for obligation, found in zip(each.line.obligations, each.claims, strict=True)
                ],
            }
            for each in derived.lines
        ],
        "says": list(shown.says),
        "status": derived.status.value,
        "words": derived.words,
        "judges": list(judges_of_derived(derived)),
    }  # fmt: skip


def slack_of(part: PartResult) -> float | None:
    """The least relative distance from failing at sampled points, over the proved formulas: 0 where one is tight."""
    import numpy as np

    from dpcheck.proof.prover.language import parse_formula
    from dpcheck.proof.prover.sampling import margin, samples

    found: list[float] = []
    for result in part.claims:
        if result.status is not Status.PROVED:
            continue
        problem = parse_formula(result.claim.formula)
        values = samples(problem, np.random.default_rng(0), 2_000)
        good = np.ones(2_000 if problem.domains else 1, dtype=bool)
        for link in problem.assumptions:
            good &= margin(link, values) >= 0
        for link in problem.claim:
            gaps = margin(link, values)
            gaps = gaps[good & np.isfinite(gaps)]
            if gaps.size:
                found.append(max(0.0, float(gaps.min())))
    return min(found) if found else None


def part_record(part: PartResult) -> dict[str, Any]:
    """The parts of a step or of a repair."""
    return {
        "formulas": [claim_record(result) for result in part.claims],
        "against": [claim_record(result) for result in part.against],
        "instances": None if part.instances is None else {
            "family": part.instances.family, "count": part.instances.count, "failure": part.instances.failure
        },
        "exact_witness": None if part.witness is None else part.witness.family,
        "derivation": derivation_record(part.derived),
    }  # fmt: skip


def step_record(paper: Paper, result: StepResult) -> dict[str, Any]:
    """One step as the contract has it, with its parts."""
    step, part = result.step, result.printed
    printed, domain = printed_of(paper, step)
    rules = dict.fromkeys(rule for found in (*part.claims, *part.against) for rule in found.rules)
    witness: Any = next((found.witness for found in part.claims if found.status is Status.REFUTED), None)
    if witness is None and part.witness is not None and part.status is Status.REFUTED:
        witness = part.witness.family
    kept = [claim_record(found)["certificate"] for found in (*part.claims, *part.against)]
    repair = step.repair
    return {
        "label": step.label,
        "statement": printed,
        "domain": domain,
        "status": instances_words(part),
        "method": ", ".join(rules) or ("enumeration" if part.instances else "citation" if step.cites else ""),
        "slack": slack_of(part),
        "witness": witness,
        "certificate": [key for key in kept if key],
        "repair": None if repair is None or result.repair is None else {
            "id": f"{step.label}/r1", "statement": repair.statement, "changes": repair.changes,
            "status": instances_words(result.repair), "because": repair.because, "downstream": repair.downstream,
            **part_record(result.repair),
        },
        "reading": step.reading,
        "severity": step.erratum.severity if step.erratum and part.status is Status.REFUTED else None,
        "quality": step.erratum.quality if step.erratum and part.status is Status.REFUTED else None,
        "because": step.because,
        "cites": step.cites,
        "uses": list(step.uses),
        "needed": step.needed,
        "words": part.words,
        **part_record(part),
    }  # fmt: skip


def theorem_record(paper: Paper, result: TheoremResult) -> dict[str, Any]:
    """One entry as the contract has it."""
    theorem = result.theorem
    kind, statement = statement_of(paper, theorem)
    uses = dict.fromkeys((*theorem.uses, *(use for step in result.steps for use in step.step.uses)))
    uses.pop(theorem.id, None)
    return {
        "id": theorem.id,
        "paper": paper.key,
        "kind": kind,
        "title": theorem.title,
        "statement": statement,
        "assumptions": theorem.assumptions,
        "status": result.status.value,
        "proof_status": result.proof.value,
        "repaired_status": result.repaired.value,
        "repaired_statement": theorem.repaired_statement,
        "depends_on": list(uses),
        "cited": theorem.cited,
        "learners": list(theorem.learners),
        "checks": list(theorem.checks),
        "against": [] if result.against is None else [claim_record(found) for found in result.against.against],
        "words": result.words,
        "formulas": [claim_record(found) for found in result.claims],
        "derivation": derivation_record(result.derived),
        "steps": [step_record(paper, step) for step in result.steps],
    }
