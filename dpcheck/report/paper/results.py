"""From the registry to the model: results, steps, bounds and errata of a paper, with their statuses."""

from __future__ import annotations

import re
from shlex import quote

from dpcheck.proof.bounds import Bound, latex
from dpcheck.proof.derivation.check import PREMISES, TOGETHER
from dpcheck.proof.instances import Enumeration
from dpcheck.proof.judges import agreement
from dpcheck.proof.letters import evaluating
from dpcheck.proof.printed import printed_of, statement_of
from dpcheck.proof.prover.formula import Formula
from dpcheck.proof.records import follows_words, instances_words, rule_words, source_words
from dpcheck.proof.statement import Erratum, Paper, Status
from dpcheck.proof.status import ClaimResult, Derived, Evaluation, PartResult, StepResult, TheoremResult
from dpcheck.report.paper.mathml import mathml_of, relation_mathml
from dpcheck.report.paper.model import (
    BoundShown,
    DerivationShown,
    DerivedLineShown,
    ErratumShown,
    FormulaShown,
    RepairShown,
    ResultShown,
    StepShown,
)


def results_of(paper: Paper, evaluation: Evaluation) -> tuple[ResultShown, ...]:
    """All results of a paper, in its order, evaluated."""
    found = evaluation.everything()
    used_by: dict[str, list[str]] = {result.theorem.id: [] for result in found}
    for result in found:
        for used in rests_on(result):
            used_by[used].append(result.theorem.id)
    return tuple(_result(paper, result, tuple(used_by[result.theorem.id])) for result in found)


def rests_on(result: TheoremResult) -> tuple[str, ...]:
    """The ids of the results that one rests on, by its statement or by a step of its proof."""
    uses = dict.fromkeys((*result.theorem.uses, *(use for step in result.steps for use in step.step.uses)))
    uses.pop(result.theorem.id, None)
    return tuple(uses)


def _result(paper: Paper, result: TheoremResult, used_by: tuple[str, ...]) -> ResultShown:
    theorem = result.theorem
    kind, statement = statement_of(paper, theorem)
    short = theorem.id.partition(":")[2] or theorem.id
    against = result.against
    return ResultShown(
        id=theorem.id,
        short=short,
        kind=kind,
        title=theorem.title,
        statement=statement,
        assumptions=theorem.assumptions,
        status=result.status.value,
        proof=result.proof.value,
        repaired=result.repaired.value,
        repaired_statement=theorem.repaired_statement,
        cited=theorem.cited,
        erratum=_erratum(theorem.erratum) if result.status is Status.REFUTED else None,
        against=() if against is None else tuple(_formula(found) for found in against.against),
        witness="" if against is None or against.witness is None else _computed(against.witness),
        claims=tuple(_formula(found) for found in result.claims),
        bounds=tuple(_bound(bound) for bound in (theorem.bounds() if theorem.bounds else ())),
        steps=tuple(step_shown(paper, step) for step in result.steps),
        rests_on=rests_on(result),
        used_by=used_by,
        learners=theorem.learners,
        checks=theorem.checks,
        command=f"dpcheck theorems {quote(theorem.id)}{' --witness' if result.status is Status.REFUTED else ''}",
        derivation=_derivation(result.derived),
        words=result.words,
        evaluate=evaluating(theorem.id, theorem.bounds()) if theorem.bounds else "",
    )


def step_shown(paper: Paper, result: StepResult) -> StepShown:
    """One step with its answer and its repair."""
    step, part = result.step, result.printed
    printed, domain = printed_of(paper, step)
    refuted = part.status is Status.REFUTED
    repair = None
    if step.repair is not None and result.repair is not None:
        repair = RepairShown(
            statement=step.repair.statement,
            changes=step.repair.changes,
            status=instances_words(result.repair),
            because=step.repair.because,
            downstream=step.repair.downstream,
            formulas=tuple(_formula(found) for found in result.repair.claims),
            instances="" if result.repair.instances is None else _counted(result.repair.instances),
            derivation=_derivation(result.repair.derived),
        )
    return StepShown(
        label=step.label,
        printed=printed,
        domain=domain,
        status=part.status.value,
        status_words=instances_words(part),
        method=_method(part, step.cites),
        formulas=tuple(_formula(found) for found in part.claims),
        against=tuple(_formula(found) for found in part.against),
        instances="" if part.instances is None else _counted(part.instances),
        witness=_witness(part) if refuted else "",
        computed=_computed(part.witness) if refuted and part.witness is not None else "",
        because=step.because,
        reading=step.reading,
        cites=step.cites,
        needed=step.needed,
        uses=step.uses,
        erratum=_erratum(step.erratum) if refuted else None,
        repair=repair,
        derivation=_derivation(part.derived),
    )


def _derivation(derived: Derived | None) -> DerivationShown | None:
    """A derivation with the answers for its lines."""
    if derived is None:
        return None
    shown = derived.derivation
    given = tuple(DerivedLineShown(each.name, each.fact, source_words(each, derived), "") for each in shown.given)
    texts = {PREMISES: TOGETHER} | {line.name: line.fact for line in shown.lines}
    lines = tuple(
        DerivedLineShown(
            each.line.name,
            texts[each.line.name],
            rule_words(each),
            each.status.value,
            tuple(
                _formula(found, obligation.legend)
                for obligation, found in zip(each.line.obligations, each.claims, strict=True)
            ),
        )
        for each in derived.lines
    )
    return DerivationShown(
        shown.objects, shown.notation, given, lines, shown.says, derived.words, follows_words(derived)
    )


def _method(part: PartResult, cites: str) -> str:
    """How it was decided, in a few words."""
    if part.status is Status.REFUTED:
        return "proof of the opposite" if part.against else "a point, evaluated exactly"
    if part.instances is not None:
        return "complete enumeration"
    if part.derived is not None and not part.claims:
        return f"derived in {len(part.derived.lines)} lines" if len(part.derived.lines) > 1 else "derived in a line"
    if part.claims:
        many = f"{len(part.claims)} certificates" if len(part.claims) > 1 else "certificate"
        return f"{many}, replayed" + (f"; {cites}" if cites else "")
    return "citation" if cites else ""


def _witness(part: PartResult) -> str:
    """Where a refuted line fails, in words; the whole of it comes with ``--witness``."""
    said = []
    for found in part.claims:
        if found.status is Status.REFUTED:
            where = ", ".join(f"{name} = {value}" for name, value in (found.witness or {}).items())
            fails = f"`{found.claim.claim}` fails"
            said.append(f"{fails}{f' at {where}' if where else ''}: {_difference(found.words)}")
    if not said and part.against:
        said.append("proved instead: " + "; ".join(found.claim.claim for found in part.against))
    return "; ".join(said)


def _difference(words: str) -> str:
    """``right minus left is -0.9`` out of the checker's words."""
    match = re.search(r"(right minus left|left minus right) is in \[([^,]+), ([^\]]+)\]", words)
    if match is None:
        return words
    low, high = match.group(2), match.group(3)
    return f"{match.group(1)} is {low}" if low == high else f"{match.group(1)} is in [{low}, {high}]"


def _counted(found: Enumeration) -> str:
    return f"{found.count:,} instances: {found.family}" + (f"; fails: {found.failure}" if found.failure else "")


def _computed(found: Enumeration) -> str:
    cases = "case" if found.count == 1 else "cases"
    return f"computed exactly ({found.count:,} {cases}): {found.family}"


def _formula(found: ClaimResult, legend: tuple[tuple[str, str], ...] = ()) -> FormulaShown:
    claim = found.claim
    return FormulaShown(
        claim=claim.claim,
        variables=claim.variables,
        assume=claim.assume,
        status=found.status.value,
        words=found.words,
        method=", ".join(found.rules),
        mathml=mathml_of(claim.formula),
        judges=agreement(claim),
        legend=legend,
    )


def _erratum(erratum: Erratum | None) -> ErratumShown | None:
    if erratum is None:
        return None
    return ErratumShown(erratum.quotes, erratum.explanation, erratum.severity, erratum.quality, erratum.readings)


def _bound(bound: Bound) -> BoundShown:
    text = bound_text(bound)
    letters = {name: letter for letter, name in bound.letters.items()}
    names = tuple(letters.get(name, name) for name in (bound.size, *bound.variables))
    ranges = [f"{letters.get(name, name)} in {bound.domain[name]}" for name in bound.variables]
    conditions = [in_letters(bound, str(condition)) for condition in bound.conditions]
    return BoundShown(
        source=bound.source,
        sense=bound.sense,
        text=text,
        latex=latex(bound),
        domain="; ".join([*ranges, *conditions]),
        derivation=bound.derivation,
        mathml=relation_mathml(names, text),
    )


def in_letters(bound: Bound, text: str) -> str:
    """What sympy prints, with the paper's letters and ``^``."""
    letters = {name: letter for letter, name in bound.letters.items()}
    text = re.sub(r"[A-Za-z_]+", lambda found: letters.get(found.group(), found.group()), text)
    text = re.sub(r"\bMax\b", "max", re.sub(r"\bE\b", "e", text)).replace("**", "^")
    return re.sub(r"(?<=[(, ])([A-Za-z_]+)\^\(-(\d+)\)", r"1/\1^\2", text)


def bound_text(bound: Bound) -> str:
    """The bound as text in the paper's letters.

    Examples
    --------
    >>> from dpcheck.papers.alon2019.theorems.bounds import COVER_FAILURE, PUBLIC_NECESSARY
    >>> bound_text(PUBLIC_NECESSARY)
    'n_pub > 1/(1600*alpha)'
    >>> bound_text(COVER_FAILURE)
    'beta >= 2*(2*e*n_pub/d)^(2*d)*exp(-alpha*n_pub/4)'
    """
    letters = {name: letter for letter, name in bound.letters.items()}
    relation = ">" if bound.strict else ">="
    return f"{letters.get(bound.size, bound.size)} {relation} {in_letters(bound, str(bound.expression))}"


def formula_of(shown: FormulaShown) -> Formula:
    """The formula behind what is shown."""
    return Formula(shown.variables, shown.assume, shown.claim)
