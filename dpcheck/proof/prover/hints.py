"""Hints: what a formula's author suggests on the way to a proof. They are followed, proved, and never trusted."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace as changed
from fractions import Fraction
from typing import Any

from dpcheck.model.errors import InvalidArgument
from dpcheck.proof.prover.conditions import negative, premises_of, relation_of
from dpcheck.proof.prover.language import (
    INDEXED,
    ONE,
    Domain,
    Expression,
    Problem,
    names_in,
    number,
    operate,
    parse_chain,
    parse_domain,
    parse_expression,
    replace,
    subtrees,
    variable,
)
from dpcheck.proof.prover.normal import simplify, split_quotient
from dpcheck.proof.prover.search import Proof, Search, Spent, State, rounds
from dpcheck.proof.prover.suggested import at_hand, instances, suggested


def prove_in_rounds(
    search: Search, goal: Expression, strict: bool, state: State, most: int | None = None
) -> Proof | None:
    """A proof found in rounds of growing effort (so many at most); None when the last one found none."""
    for ladders, splits, nodes in rounds()[:most]:
        search.nodes, search.nodes_left = 0, nodes
        try:
            found = search.prove(goal, strict, state, ladders, splits)
        except Spent:
            if time.process_time() > search.deadline:
                return None
            continue
        except RecursionError:
            search.notes.append(f"too deep: {goal!s:.100}")
            return None
        if found is not None:
            return found
    return None


_HINT = re.compile(
    r"(?:link (\d+): )?((?:(?:first|second): )?)(have|lemma|split|substitute|case|induct|integer)\s+(.*)", re.DOTALL
)
_SUBSTITUTE = re.compile(r"(\w+)\s*=\s*(.*?)\s+with\s+(.*?)\s+as\s+(.*)", re.DOTALL)


def parse_hint(text: str) -> tuple[int | None, str, Any]:
    """A hint as the link it is for (None: all), its kind and the rest of its text.

    Raises
    ------
    InvalidArgument
        When it is of no known kind.

    Examples
    --------
    >>> parse_hint("link 1: have x <= 1")
    (1, 'have', 'x <= 1')
    """
    found = _HINT.fullmatch(text.strip())
    if found is None:
        raise InvalidArgument(
            f"a hint starts with have, lemma, split, case, substitute, induct or integer, got {text!r}"
        )
    place, part, kind, body = found.groups()
    return (None if place is None else int(place)), part + kind, body


def _of_part(hints: Sequence[tuple[str, str]], part: str) -> list[tuple[str, str]]:
    """The hints for both parts of a split or case, and those for this one."""
    found = [(kind.removeprefix(f"{part}: "), body) for kind, body in hints]
    return [(kind, body) for kind, body in found if not kind.startswith(("first: ", "second: "))]


def follow(
    search: Search,
    goal: Expression,
    strict: bool,
    state: State,
    hints: Sequence[tuple[str, str]],
    lemmas: Mapping[str, Problem],
    clearing: bool = True,
) -> Proof | None:
    """A proof of the goal that begins with what the hints say; the search does the rest."""
    for i, (fact, strong) in enumerate(state.assumptions if clearing else ()):
        cleared = _cleared(search, fact, strong, i, state)
        if cleared is not None:
            whole, shown = cleared
            inner = follow(search, goal, strict, state.assuming(whole, strong), hints, lemmas)
            return None if inner is None else ["have", str(whole), strong, shown, inner]
    counted = _counted(search, goal, state)
    if counted is not None:
        term, shown, pair = counted
        wider = state.assuming(pair).assuming(negative(pair))
        inner = follow(search, goal, strict, wider, hints, lemmas, clearing)
        return None if inner is None else ["binomial", str(term), shown, inner]
    if not hints:
        if not search.inducting and any(node.operation in INDEXED for node in subtrees(goal)):
            found = prove_in_rounds(search, goal, strict, state, 2)
            found = found or _inducted_somehow(search, goal, strict, state, lemmas)
            if found is not None:
                return found
        known = any(fact == goal for fact, _ in state.assumptions)
        for more in () if known else instances(goal, lemmas):
            found = follow(search, goal, strict, state, more, lemmas, clearing=False)
            if found is not None:
                return found
        for more in () if strict else suggested(goal, state):
            found = prove_in_rounds(search, goal, strict, state, 3)
            found = found or follow(search, goal, strict, state, more, lemmas, clearing=False)
            if found is not None:
                return found
        return _lent(search, goal, strict, state, lemmas) or prove_in_rounds(search, goal, strict, state)
    (kind, body), rest = hints[0], hints[1:]
    names = {domain.name for domain in state.domains}
    if kind.startswith(("first: ", "second: ")):
        raise InvalidArgument(f"{kind.partition(':')[0]} must come after a split or case, got {kind} {body}")
    if kind == "lemma":
        return _with_lemma(search, goal, strict, state, body, rest, lemmas)
    if kind == "substitute":
        return _substituted(search, goal, strict, state, body, rest, lemmas)
    if kind == "induct":
        return _inducted(search, goal, strict, state, body.strip(), rest, lemmas)
    if kind == "split":
        name, _, value = body.partition(" at ")
        cut = Fraction(value)
        parts = _parts(state, name.strip(), cut)
        found = [
            follow(search, goal, strict, part, _of_part(rest, word), lemmas)
            for part, word in zip(parts, ("first", "second"), strict=True)
        ]
        return None if None in found else ["split", name.strip(), str(cut), *found]
    if kind == "case":
        test = parse_expression(body, names)
        found = [
            follow(search, goal, strict, state.assuming(fact), _of_part(rest, word), lemmas)
            for fact, word in ((test, "first"), (negative(test), "second"))
        ]
        return None if None in found else ["case", str(test), *found]
    if kind == "integer":
        fact, _ = relation_of(parse_chain(body, names)[0])
        above = prove_in_rounds(search, operate("+", fact, ONE), True, state)
        if above is None:
            search.notes.append(f"not shown, less 1: {body}")
            return None
        inner = follow(search, goal, strict, state.assuming(fact), rest, lemmas)
        return None if inner is None else ["integer", str(fact), above, inner]
    body, by, name = body.partition(" by induct ")
    fact, strong = relation_of(parse_chain(body, names)[0])
    if by:
        evidence = _inducted(search, fact, strong, state, name.strip(), (), lemmas)
    else:
        evidence = follow(search, fact, strong, state, (), lemmas, clearing=False)
    if evidence is None:
        search.notes.append(f"not shown: {body}")
        return None
    inner = follow(search, goal, strict, state.assuming(fact, strong), rest, lemmas)
    return None if inner is None else ["have", str(fact), strong, evidence, inner]


def _lent(search: Search, goal: Expression, strict: bool, state: State, lemmas: Mapping[str, Problem]) -> Proof | None:
    """A proof from what one lemma says of terms of the goal, or from less than all that the search can do."""
    found = None
    for place, ((_, body),) in enumerate(at_hand(goal, lemmas)):
        found = found or (prove_in_rounds(search, goal, strict, state, 2) if place == 0 else None)
        found = found or _with_lemma(search, goal, strict, state, body, (), lemmas, rounds_left=2)
        if found is not None:
            return found
    return None


def _counted(search: Search, goal: Expression, state: State) -> tuple[Expression, Proof, Expression] | None:
    """A binomial of the goal that is not yet told to be a quotient of factorials, a proof that it is, and as what."""
    for term in dict.fromkeys(node for node in subtrees(goal) if node.operation == "binom"):
        above, below = term.arguments
        rest = Expression("-", (above, below))
        factorials = Expression("*", (Expression("fact", (below,)), Expression("fact", (rest,))))
        pair = Expression("-", (Expression("*", (term, factorials)), Expression("fact", (above,))))
        if any(fact == pair for fact, _ in state.assumptions):
            continue
        shown = prove_in_rounds(search, rest, False, state, 1)
        if shown is not None:
            return term, shown, pair
    return None


def _inducted_somehow(
    search: Search, goal: Expression, strict: bool, state: State, lemmas: Mapping[str, Problem]
) -> Proof | None:
    """Induction on an integer variable in an end of a sum or product."""
    ends = [end for node in subtrees(goal) if node.operation in INDEXED for end in node.arguments[:2]]
    for domain in state.domains:
        if domain.integer and domain.low is not None and any(domain.name in names_in(end) for end in ends):
            found = _inducted(search, goal, strict, state, domain.name, (), lemmas)
            if found is not None:
                return found
    return None


def _inducted(
    search: Search,
    goal: Expression,
    strict: bool,
    state: State,
    name: str,
    rest: Sequence[tuple[str, str]],
    lemmas: Mapping[str, Problem],
) -> Proof | None:
    """Induction on an integer variable; the other hints are for the step."""
    if name not in {domain.name for domain in state.domains}:
        raise InvalidArgument(f"induct is on a variable, got {name!r}")
    domain, index = state.domain(name), variable(name)
    if not domain.integer or domain.low is None or domain.low == domain.high:
        raise InvalidArgument(f"induct is on an integer variable with a low end and more than one value, not {name}")
    after = operate("+", index, ONE)
    high = None if domain.high is None else domain.high - 1
    domains = State(state.domains, ()).with_domain(changed(domain, high=high)).domains
    # an assumption about the variable is kept if it holds for the smaller one when it holds for the larger
    shifted = State(domains, tuple((replace(fact, index, after), strong) for fact, strong in state.assumptions))
    downward: list[Proof | None] = []
    kept = []
    for fact, strong in state.assumptions:
        if name not in names_in(fact):
            kept.append((fact, strong))
            continue
        holds = prove_in_rounds(search, fact, strong, shifted, 3)
        where = None if holds is None else search.defined(fact, shifted)
        downward.append(None if holds is None or where is None else [where, holds])
        if downward[-1] is not None:
            kept.append((fact, strong))
    step = State(domains, tuple((replace(fact, index, after), strong) for fact, strong in kept))
    low = number(domain.low)
    base = State(
        tuple(other for other in state.domains if other.name != name),
        tuple((replace(fact, index, low), strong) for fact, strong in kept),
    )
    search.inducting += 1
    try:
        return _base_and_step(search, goal, strict, (base, step), domain, downward, rest, lemmas)
    finally:
        search.inducting -= 1


def _base_and_step(
    search: Search,
    goal: Expression,
    strict: bool,
    states: tuple[State, State],
    domain: Domain,
    downward: list[Proof | None],
    rest: Sequence[tuple[str, str]],
    lemmas: Mapping[str, Problem],
) -> Proof | None:
    assert domain.low is not None
    (base, step), name, index, low = states, domain.name, variable(domain.name), number(domain.low)
    after = operate("+", index, ONE)
    start = prove_in_rounds(search, replace(goal, index, low), strict, base)
    if start is None:
        search.notes.append(f"induction on {name}: not shown for {name} = {low}")
        return None
    search.nodes, search.nodes_left = 0, 1_000
    defined = search.defined(goal, step)
    if defined is None:
        search.notes.append(f"induction on {name}: not shown to be defined before")
        return None
    change = follow(search, replace(goal, index, after), strict, step.assuming(goal, strict), rest, lemmas)
    if change is None:
        search.notes.append(f"induction on {name}: no step")
        return None
    return ["induct", name, strict, start, downward, defined, change]


def _parts(state: State, name: str, cut: Fraction) -> tuple[State, State]:
    domain = state.domain(name)
    if domain.integer:
        below = Fraction(cut.__floor__())
        return (
            state.with_domain(changed(domain, high=below, high_open=False)),
            state.with_domain(changed(domain, low=below + 1, low_open=False)),
        )
    return (
        state.with_domain(changed(domain, high=cut, high_open=False)),
        state.with_domain(changed(domain, low=cut, low_open=False)),
    )


def _substituted(
    search: Search,
    goal: Expression,
    strict: bool,
    state: State,
    body: str,
    rest: Sequence[tuple[str, str]],
    lemmas: Mapping[str, Problem],
) -> Proof | None:
    names = {domain.name for domain in state.domains}
    found = _SUBSTITUTE.fullmatch(body)
    if found is None:
        raise InvalidArgument(f"a substitution is 'x = PHI with t in INTERVAL as PSI', got {body!r}")
    name, phi_text, declared, psi_text = found.groups()
    fresh = parse_domain(declared)
    old = variable(name)
    phi = parse_expression(phi_text, (names - {name}) | {fresh.name})
    psi = parse_expression(psi_text, names)
    moved = State(
        tuple(fresh if domain.name == name else domain for domain in state.domains),
        tuple((replace(fact, old, phi), strong) for fact, strong in state.assumptions),
    )
    ends: list[Proof | None] = []
    for value, opened, up in ((fresh.low, fresh.low_open, True), (fresh.high, fresh.high_open, False)):
        if value is None:
            ends.append(None)
            continue
        gap = operate("-", psi, number(value)) if up else operate("-", number(value), psi)
        shown = prove_in_rounds(search, gap, opened, state)
        if shown is None:
            search.notes.append(f"not shown: {gap} is at least 0")
            return None
        ends.append(shown)
    where = search.defined(psi, state)
    inner = None if where is None else follow(search, replace(goal, old, phi), strict, moved, rest, lemmas)
    if inner is None:
        return None
    return ["substitute", name, fresh.name, fresh.interval, str(phi), str(psi), *ends, inner, where]


def _cleared(
    search: Search, fact: Expression, strong: bool, place: int, state: State
) -> tuple[Expression, Proof] | None:
    """An assumption without its positive denominator, which sums of premises can use; None when it is known already."""
    top, bottom = split_quotient(fact)
    if bottom == ONE:
        return None
    plain = sum((domain.low is not None) + (domain.high is not None) for domain in state.domains)
    for factor, whole in ((bottom, top), (simplify(negative(bottom)), simplify(negative(top)))):
        if any(simplify(other) == whole for other, _ in state.assumptions):
            return None
        try:
            search.nodes, search.nodes_left = 0, 200
            positive = search.prove(factor, True, state, 1, 1)
        except Spent:
            return None
        if positive is not None:
            return whole, ["product", str(factor), str(fact), positive, ["combine", [["1", [plain + place]]]]]
    return None


def _with_lemma(
    search: Search,
    goal: Expression,
    strict: bool,
    state: State,
    body: str,
    rest: Sequence[tuple[str, str]],
    lemmas: Mapping[str, Problem],
    rounds_left: int | None = None,
) -> Proof | None:
    """With an instance of a lemma at hand; with so many rounds for each part, where it is only tried."""
    name, _, assigned = body.partition(" ")
    lemma = lemmas.get(name)
    if lemma is None:
        search.notes.append(f"no lemma {name!r} is proved; there are {', '.join(sorted(lemmas))}")
        return None
    names = {domain.name for domain in state.domains}
    texts = {}
    for part in assigned.split(";"):
        if part.strip():
            key, _, text = part.partition("=")
            texts[key.strip()] = parse_expression(text, names)
    if set(texts) != {domain.name for domain in lemma.domains}:
        raise InvalidArgument(
            f"lemma {name} has the variables {', '.join(d.name for d in lemma.domains)}, got {assigned}"
        )

    def instance(node: Expression) -> Expression:
        # all at once: the texts may use names that the lemma uses too
        for i, key in enumerate(texts):
            node = replace(node, variable(key), variable(f"lemma_variable_{i}"))
        for i, value in enumerate(texts.values()):
            node = replace(node, variable(f"lemma_variable_{i}"), value)
        return node

    proofs: list[Proof] = []
    for domain in lemma.domains:
        value = texts[domain.name]
        for end, opened, up in ((domain.low, domain.low_open, True), (domain.high, domain.high_open, False)):
            if end is None:
                continue
            gap = operate("-", value, number(end)) if up else operate("-", number(end), value)
            shown = prove_in_rounds(search, gap, opened, state, rounds_left)
            if shown is None:
                search.notes.append(f"not shown for lemma {name}: {gap} above 0")
                return None
            proofs.append(shown)
    for link in lemma.assumptions:
        for fact, strong in premises_of(link):
            shown = prove_in_rounds(search, instance(fact), strong, state, rounds_left)
            if shown is None:
                return None
            proofs.append(shown)
    fact, strong = relation_of(lemma.claim[0])
    wider = state.assuming(instance(fact), strong)
    if rounds_left is None:
        inner = follow(search, goal, strict, wider, rest, lemmas)
    else:
        inner = prove_in_rounds(search, goal, strict, wider, rounds_left)
    return None if inner is None else ["lemma", name, {k: str(v) for k, v in texts.items()}, proofs, inner]
