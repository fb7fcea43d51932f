"""One result at a terminal: its statuses and lines first; formulas and derivations where they are few, or asked for."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from dpcheck.model.errors import InvalidArgument, nearest

if TYPE_CHECKING:
    from rich.tree import Tree

    from dpcheck.proof.registry import Registry
    from dpcheck.proof.statement import Paper
    from dpcheck.proof.status import ClaimResult, Derived, PartResult, StepResult, TheoremResult

_COLOURS = {
    "REFUTED": "bold red", "VACUOUS": "red", "UNDECIDED": "yellow", "CITED": "cyan", "HOLDS": "green",
    "ARGUED": "blue", "PROVED": "bold green", "STATED": "dim",
}  # fmt: skip
#: What ``--step`` takes for every line of a proof.
ALL = "all"
#: A result with no more formulas, facts and lines of derivations is shown whole.
FEW = 40


def check_step(step: str | None, result: TheoremResult) -> None:
    """Refuse a line that the proof of a result has not.

    Raises
    ------
    InvalidArgument
        Naming the nearest, and all.
    """
    labels = [one.step.label for one in result.steps]
    if step is None or step == ALL or step in labels:
        return
    known = f"it has {', '.join(labels)}" if labels else "it has none"
    raise InvalidArgument(
        f"--step must be a line of the proof of {result.theorem.id}, or {ALL}, got {step!r}"
        f"{nearest(step, [*labels, ALL])}; {known}"
    )


def result_tree(paper: Paper, result: TheoremResult, registry: Registry, step: str | None, command: str) -> Tree:
    """What is known of a result; ``command`` shows it, and ``step`` is the line (or ``ALL``) that is asked for.

    Without a line a short proof is shown whole, and of a long one its lines; what refutes a line is always there.
    """
    whole_shown = step == ALL or (step is None and _size(result) <= FEW)
    tree = _head(paper, result, formulas=whole_shown)
    for one in result.steps:
        if step is None or step in (ALL, one.step.label):
            _add_step(tree, paper, one, formulas=whole_shown or step == one.step.label, command=command)
    if step is None or step == ALL:
        _add_foot(tree, paper, result, registry)
    if not whole_shown:
        _add_more(tree, step, command)
    return tree


def _size(result: TheoremResult) -> int:
    parts = [part for one in result.steps for part in (one.printed, one.repair) if part is not None]
    derivations = [result.derived, *(part.derived for part in parts)]
    formulas = len(result.claims) + sum(len(part.claims) + len(part.against) for part in parts)
    return formulas + sum(_lines_of(one) for one in derivations if one is not None)


def _lines_of(derived: Derived) -> int:
    of_lines = sum(1 + len(line.claims) for line in derived.lines)
    return 1 + len(derived.derivation.notation) + len(derived.derivation.given) + of_lines


def _head(paper: Paper, result: TheoremResult, *, formulas: bool) -> Tree:
    from rich.text import Text
    from rich.tree import Tree

    from dpcheck.proof.letters import evaluating, variables_in_words
    from dpcheck.proof.printed import statement_of

    theorem = result.theorem
    kind, statement = statement_of(paper, theorem)
    tree = Tree(Text(f"{theorem.id}: {theorem.title} ({kind})", style="bold"))
    if statement:
        tree.add(Text(statement))
    if theorem.assumptions:
        tree.add(Text(f"assumes: {theorem.assumptions}"))
    head = tree.add(Text.assemble("statement: ", styled(result.status.value)))
    if result.against is not None and theorem.erratum is not None:
        head.add(Text(theorem.erratum.explanation))
        for found in result.against.against:
            head.add(Text(f"the opposite, {found.status.value.lower()}: {whole(found)}"))
    if result.words:
        head.add(Text(result.words, style="dim"))
    if formulas:
        for found in result.claims:
            head.add(Text.assemble(styled(found.status.value), f"  {whole(found)}", _judged(found)))
        _add_derivation(head, result.derived)
    elif said := _counted(len(result.claims), result.derived):
        head.add(Text(said, style="dim"))
    if theorem.repaired_statement:
        head.add(Text(f"holds: {theorem.repaired_statement}"))
    tree.add(
        Text.assemble(
            "printed proof: ", styled(result.proof.value), ", repaired proof: ", styled(result.repaired.value)
        )
    )
    if theorem.cited:
        tree.add(Text(f"cited from: {theorem.cited}"))
    bounds = theorem.bounds() if theorem.bounds else ()
    for bound in bounds:
        tree.add(Text(f"bound: {bound}"))
    if bounds:
        tree.add(Text(f"given by: {variables_in_words(bounds)}"))
        evaluated = evaluating(theorem.id, bounds)
        if evaluated:
            tree.add(Text(f"as numbers: {evaluated}"))
    return tree


def _add_step(tree: Tree, paper: Paper, one: StepResult, *, formulas: bool, command: str) -> None:
    from rich.text import Text

    from dpcheck.proof.printed import printed_of
    from dpcheck.proof.records import instances_words

    step = one.step
    printed, domain = printed_of(paper, step)
    branch = tree.add(Text.assemble(f"{step.label} ", styled(instances_words(one.printed)), f"  {printed}"))
    if domain:
        branch.add(Text(f"for {domain}", style="dim"))
    if formulas:
        _add_part(branch, one.printed)
        if step.reading:
            branch.add(Text(f"read as: {step.reading}"))
        if step.because:
            branch.add(Text(f"because: {step.because}"))
    else:
        _add_refuted(branch, one.printed)
    if step.needed:
        branch.add(Text(f"a proof would need: {step.needed}"))
    if step.cites:
        branch.add(Text(f"rests on: {step.cites}"))
    if one.status.value == "REFUTED" and step.erratum is not None:
        erratum = step.erratum
        branch.add(Text(f"{erratum.severity}, {erratum.quality}: {erratum.explanation}"))
    if one.repair is not None and step.repair is not None:
        repair = step.repair
        mended = branch.add(Text.assemble("repair ", styled(instances_words(one.repair)), f"  {repair.statement}"))
        if formulas:
            _add_part(mended, one.repair)
            if repair.because:
                mended.add(Text(f"because: {repair.because}"))
        if repair.downstream:
            mended.add(Text(f"downstream: {repair.downstream}"))
    if not formulas:
        parts = [part for part in (one.printed, one.repair) if part is not None]
        derived = next((part.derived for part in parts if part.derived is not None), None)
        said = _counted(sum(len(part.claims) for part in parts), derived)
        if said:
            branch.add(Text(f"{said}: {command} --step {shlex.quote(step.label)}", style="dim"))


def _counted(formulas: int, derived: Derived | None) -> str:
    """What is not shown: how many formulas, and how long a derivation, with who agrees that it follows."""
    from dpcheck.proof.records import follows_words

    said = [f"{formulas} formula{'s' if formulas != 1 else ''}"] if formulas else []
    if derived is not None:
        agree = follows_words(derived)
        count = len(derived.derivation.lines)
        said.append(f"a derivation of {count} line{'s' if count != 1 else ''}{f' ({agree})' if agree else ''}")
    return ", ".join(said)


def _add_refuted(branch: Tree, part: PartResult) -> None:
    """What refutes a line: the formula that fails and where, or the instance."""
    from rich.text import Text

    for found in part.claims:
        if found.status.value == "REFUTED":
            line = Text.assemble(styled(found.status.value), f"  {whole(found)}")
            line.append(f"   ({found.words})" if found.words else "", style="dim")
            branch.add(line)
    if part.witness is not None and part.witness.failure:
        branch.add(Text(part.witness.failure))


def _add_foot(tree: Tree, paper: Paper, result: TheoremResult, registry: Registry) -> None:
    from rich.text import Text

    theorem = result.theorem
    rests = tree.add("rests on") if theorem.uses else None
    for used in theorem.uses:
        below = registry.evaluations[paper.key].theorem(used)
        if rests is not None:
            rests.add(Text.assemble(f"{used} ", styled(below.status.value)))
    if theorem.checks:
        tree.add(Text(f"checked by {', '.join(theorem.checks)}"))
    if theorem.learners:
        tree.add(Text(f"learners: {', '.join(theorem.learners)}"))


def _add_more(tree: Tree, step: str | None, command: str) -> None:
    from rich.text import Text

    tree.add(Text(f"every line: {command}" if step is not None else f"every formula: {command} --step {ALL}"))


def styled(words: str) -> Any:
    """Words that begin with a status, in its colour."""
    from rich.text import Text

    return Text(words, style=_COLOURS.get(words.split(" ")[0], ""))


def whole(found: ClaimResult) -> str:
    """A formula with all that it is about."""
    over = f"   for {found.claim.variables}" if found.claim.variables else ""
    return f"{found.claim.claim}{over}" + (f"   where {found.claim.assume}" if found.claim.assume else "")


def _add_part(branch: Tree, part: PartResult) -> None:
    from rich.text import Text

    for found in (*part.claims, *part.against):
        opposite = "the opposite: " if found in part.against else ""
        line = Text.assemble(opposite, styled(found.status.value), f"  {whole(found)}", _judged(found))
        if found.words:
            line.append(f"   ({found.words})", style="dim")
        branch.add(line)
    _add_derivation(branch, part.derived)
    for counted in (part.instances, part.witness):
        if counted is not None:
            branch.add(
                Text(
                    f"{counted.count:,} instance{'s' if counted.count != 1 else ''}: {counted.family}"
                    f"{'; ' + counted.failure if counted.failure else ''}"
                )
            )


def _add_derivation(branch: Tree, derived: Derived | None) -> None:
    """What a derivation is about, what it is given, and its lines."""
    from rich.text import Text

    from dpcheck.proof.derivation.check import PREMISES, TOGETHER
    from dpcheck.proof.records import follows_words, rule_words, source_words

    if derived is None:
        return
    shown = derived.derivation
    agree = follows_words(derived)
    agreed = (f"   ({agree})" if agree else "", "dim")
    inside = branch.add(Text.assemble("derivation ", styled(derived.status.value), f"  about {shown.objects}", agreed))
    for name, meaning in shown.notation:
        inside.add(Text(f"{name}: {meaning}", style="dim"))
    for given in shown.given:
        source = source_words(given, derived)
        inside.add(Text.assemble(f"{given.name}: {given.fact}", (f"   ({source})", "dim")))
    texts = {PREMISES: TOGETHER} | {line.name: line.fact for line in shown.lines}
    for each in derived.lines:
        said = f"  {each.line.name}: {texts[each.line.name]}"
        line = inside.add(Text.assemble(styled(each.status.value), said, (f"   by {rule_words(each)}", "dim")))
        for obligation, found in zip(each.line.obligations, each.claims, strict=True):
            formula = Text.assemble(styled(found.status.value), f"  {whole(found)}", _judged(found))
            legend = "; ".join(f"{name} is {meaning}" for name, meaning in obligation.legend)
            formula.append(f"   ({legend})" if legend else "", style="dim")
            line.add(formula)
    if derived.words:
        inside.add(Text(derived.words))


def _judged(found: ClaimResult) -> tuple[str, str]:
    """Which others agree on a formula."""
    from dpcheck.proof.judges import agreement

    words = agreement(found.claim)
    return (f"   ({words})" if words else "", "dim")
