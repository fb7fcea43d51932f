"""What a paper of one's own declares, checked before anything is decided: names that exist, formulas that parse."""

from __future__ import annotations

from collections.abc import Iterator

from dpcheck.model.errors import InvalidArgument, nearest
from dpcheck.proof.declared_types import check_types
from dpcheck.proof.derivation.lines import words_of
from dpcheck.proof.printed import printed_of
from dpcheck.proof.prover.language import Link, Problem, names_in, parse_formula
from dpcheck.proof.statement import Claim, Paper, Repair, Step, Theorem
from dpcheck.proof.status import fault_of


def check_names(paper: Paper) -> None:
    """Refuse a paper whose entries name a step or a result that it does not have, or has twice.

    Raises
    ------
    InvalidArgument
        For the first fault: which step or result, and what is wrong.

    Examples
    --------
    >>> check_names(Paper("mine", "Mine", (Theorem("mine:a", "a", steps=("s",)),), ()))
    Traceback (most recent call last):
        ...
    dpcheck.InvalidArgument: the proof of mine:a has a step 's', which mine does not declare; there are none
    """
    labels = [step.label for step in paper.steps]
    ids = [theorem.id for theorem in paper.theorems]
    for label in labels:
        if labels.count(label) > 1:
            raise InvalidArgument(f"the step {label!r} of {paper.key} is declared twice")
    for theorem in paper.theorems:
        for label in theorem.steps:
            if label not in labels:
                raise InvalidArgument(
                    f"the proof of {theorem.id} has a step {label!r}, which {paper.key} does not declare"
                    f"{nearest(label, labels) or _listed(labels)}"
                )
    for part, used in _uses(paper):
        if used not in ids:
            raise InvalidArgument(
                f"{part} uses {used!r}, which is no result of {paper.key}{nearest(used, ids) or _listed(ids)}"
            )


def check_declared(paper: Paper, name: str) -> None:
    """Refuse a paper that names what it does not declare, reasons in a circle, or has formulas that do not parse.

    Parameters
    ----------
    paper : Paper
    name : str, the file or entry point it comes from, for the message

    Raises
    ------
    InvalidArgument
        For the first fault: where it is, and what is wrong.

    Examples
    --------
    >>> check_declared(Paper("mine", "Mine", (Theorem("mine:a", "a", uses=("mine:b",)),), ()), "mine.py")
    Traceback (most recent call last):
        ...
    dpcheck.InvalidArgument: mine.py: mine:a uses 'mine:b', which is no result of mine (did you mean 'mine:a'?)
    """
    check_types(paper, name)
    try:
        check_names(paper)
    except InvalidArgument as error:
        raise InvalidArgument(f"{name}: {error}") from error
    circle = _circle(paper)
    if circle:
        raise InvalidArgument(f"{name}: results rest on each other in a circle: {' -> '.join(circle)}")
    for part, claim in named_claims(paper):
        try:
            problem = parse_formula(claim.formula)
        except InvalidArgument as error:
            raise InvalidArgument(f"{name}: a formula of {part} is not of the language: {error}") from error
        if is_empty(problem):
            raise InvalidArgument(f"{name}: a formula of {part} assumes what it claims: {claim.claim}")
    for step in paper.steps:
        strange = strangers(paper, step)
        if strange:
            raise InvalidArgument(
                f"{name}: step {step.label}: its formulas have {', '.join(strange)}, which the printed line has not: "
                "say in because what stands for what (the step is ARGUED then), or give a derivation"
            )


def check_derivations(paper: Paper, name: str) -> None:
    """Refuse a paper of which a derivation does not follow by its rules, or is not tied to its printed line.

    Raises
    ------
    InvalidArgument
        For the first fault: whose derivation, which line, what is missing.
    """
    for words, of, part in derived_parts(paper):
        fault = fault_of(paper, of, part)
        if fault:
            raise InvalidArgument(f"{name}: the derivation of {words}: {fault}")


def derived_parts(paper: Paper) -> Iterator[tuple[str, Step | Theorem, Step | Repair | Theorem]]:
    """What has a derivation: what messages call it, the step or result, and it or its repair."""
    for step in paper.steps:
        if step.derivation is not None:
            yield f"step {step.label}", step, step
        if step.repair is not None and step.repair.derivation is not None:
            yield f"the repair of {step.label}", step, step.repair
    for theorem in paper.theorems:
        if theorem.derivation is not None:
            yield theorem.id, theorem, theorem


def is_empty(problem: Problem) -> bool:
    """Whether each link of a formula's claim is one of its assumptions.

    Examples
    --------
    >>> from dpcheck.proof.prover.formula import Formula
    >>> is_empty(parse_formula(Formula("x in [0, 1]", "x < 1/2", "1/2 > x")))
    True
    """
    assumed = {_turned(link) for link in problem.assumptions}
    return all(_turned(link) in assumed for link in problem.claim)


def _turned(link: Link) -> tuple[str, ...]:
    """A relation with its smaller side first."""
    sides = (str(link.left), str(link.right))
    if link.relation == "=":
        return ("=", *sorted(sides))
    return (link.relation.replace(">", "<"), *(sides[::-1] if ">" in link.relation else sides))


def strangers(paper: Paper, step: Step) -> list[str]:
    """Names and numbers of a step's formulas that its printed line has not, where no words lead from one to the other.

    Numbers up to 2 stand in every argument, and count for nothing.
    """
    if step.because or step.derivation is not None or step.stated or not printed_of(paper, step)[0]:
        return []
    texts = " ".join((*printed_of(paper, step), step.reading, *(f"{one} {other}" for one, other in step.spelled)))
    known = words_of(texts)
    found: dict[str, None] = {}
    for claim in step.claims:
        for link in parse_formula(claim.formula).claim:
            for side in (link.left, link.right):
                for name in sorted(names_in(side)):
                    if name not in known:
                        found.setdefault(name)
        if not parse_formula(claim.formula).domains:
            for word in sorted(words_of(claim.claim)):
                if word[0].isdigit() and word not in known:
                    found.setdefault(word)
    return list(found)


def _listed(names: list[str]) -> str:
    return f"; there are {', '.join(names)}" if names else "; there are none"


def _uses(paper: Paper) -> Iterator[tuple[str, str]]:
    for theorem in paper.theorems:
        yield from ((theorem.id, used) for used in theorem.uses)
    for step in paper.steps:
        yield from ((f"step {step.label}", used) for used in (*step.uses, *(step.repair.uses if step.repair else ())))


def named_claims(paper: Paper) -> Iterator[tuple[str, Claim]]:
    """Every formula of a paper, and what messages call that which it is a formula of."""
    parts: tuple[Step | Theorem, ...] = (*paper.steps, *paper.theorems)
    for part in parts:
        words = f"step {part.label}" if isinstance(part, Step) else part.id
        repaired = part.repair.claims if isinstance(part, Step) and part.repair is not None else ()
        yield from ((words, claim) for claim in (*part.claims, *part.against, *repaired))


def _circle(paper: Paper) -> list[str]:
    """The ids of results that rest on each other, the first again at the end; empty when there are none."""
    steps = {step.label: step for step in paper.steps}
    below: dict[str, list[str]] = {}
    for theorem in paper.theorems:
        parts = [steps[label] for label in theorem.steps]
        used = [*theorem.uses, *(other for step in parts for other in step.uses)]
        used += [other for step in parts if step.repair is not None for other in step.repair.uses]
        sources = [given.source for given in theorem.derivation.given] if theorem.derivation is not None else []
        used += [source.removeprefix("result: ") for source in sources if source.startswith("result: ")]
        below[theorem.id] = [other for other in dict.fromkeys(used) if other != theorem.id]
    done: set[str] = set()

    def visit(id: str, above: tuple[str, ...]) -> list[str]:
        if id in above:
            return [*above[above.index(id) :], id]
        if id not in done:
            for other in below[id]:
                found = visit(other, (*above, id))
                if found:
                    return found
            done.add(id)
        return []

    for id in below:
        found = visit(id, ())
        if found:
            return found
    return []
