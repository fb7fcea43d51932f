"""The rules of derivations, each as steps of a proof."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from dpcheck.proof.coq.context import (
    Context,
    Known,
    each_link,
    first_of,
    node_equations,
    outermost_first,
    pattern,
    rewritten_by,
)
from dpcheck.proof.coq.equalities import Lines, block
from dpcheck.proof.coq.event_cases import follows
from dpcheck.proof.coq.objects import (
    link_text,
    links_text,
    number_name,
    point_name,
    term_text,
    undefined_nowhere,
)
from dpcheck.proof.coq.terms import NotExported, interval_texts, number_text
from dpcheck.proof.coq.used_facts import instance
from dpcheck.proof.derivation.check import Use
from dpcheck.proof.derivation.lines import Line
from dpcheck.proof.derivation.normal import Normal
from dpcheck.proof.derivation.reading import read_fact
from dpcheck.proof.derivation.terms import (
    Binder,
    Fact,
    Link,
    Objects,
    Term,
    free_names,
    fresh,
    in_links,
    number,
    substitute,
)
from dpcheck.proof.prover.language import Domain


def arithmetic(
    context: Context, using: Sequence[str], defined: bool, fact: Fact, scope: Objects, known: list[Known]
) -> Lines:
    """The facts that are used, each after its conditions; then what follows from them.

    Where ``defined``, that the relations are defined comes first.
    """
    lines: Lines = []
    nodes: dict[Term, str] = {}
    for each in using:
        name, asked, claims, proof = instance(context, context.checker.used(each, scope), {}, scope)
        lines += proof
        for place, link in enumerate(asked):
            lines += node_equations(context, [*(link for link, _ in known), *asked], nodes, scope)
            lines += _condition(context, name, link, follows(context, scope, known, asked, place, nodes), scope)
        taken, names = _taken_apart(context, name, claims)
        lines += taken
        known = [*known, *zip(claims, names, strict=True)]
    lines += node_equations(context, [*(link for link, _ in known), *fact.claim], nodes, scope)
    for place, link in enumerate(fact.claim):
        if defined and asked_at_once(link, scope):
            lines += ["split.", *block(follows(context, scope, known, fact.claim, place, nodes, True))]
    return [
        *lines,
        *each_link(fact.claim, lambda place: follows(context, scope, known, fact.claim, place, nodes)),
    ]


def asked_at_once(link: Link, scope: Objects) -> str:
    """That the sides of a relation are defined, but for what is inside averages; empty where that is always so."""
    asked = [each for each in undefined_nowhere((link,), scope) if not each.startswith("forall")]
    return " /\\ ".join(f"({each})" for each in asked)


def _condition(context: Context, name: str, link: Link, proof: Lines, scope: Objects) -> Lines:
    """A hypothesis without the condition that it begins with, which is proved."""
    condition = context.new("C")
    said = f"assert ({condition} : {link_text(link, scope)})."
    return [said, *block(proof), f"specialize ({name} {condition})."]


def _taken_apart(context: Context, name: str, claims: Sequence[Link]) -> tuple[Lines, list[str]]:
    """A hypothesis that several relations hold, as one for each."""
    if len(claims) == 1:
        return [], [name]
    names = [context.new("A") for _ in claims]
    return [f"destruct {name} as {pattern(names)}."], names


def _equal(context: Context, one: Term, other: Term, scope: Objects) -> tuple[Lines, str]:
    """That two terms of one normal form are equal, as a hypothesis."""
    name = context.new("E")
    said = f"assert ({name} : {term_text(one, scope)} = {term_text(other, scope)})."
    return [said, *block(context.equalities.equal(one, other, scope))], name


def _function_in(term: Term, scope: Objects) -> str:
    """What is averaged, summed or the largest, as a function."""
    text = term_text(term, scope)
    return text[text.index("(fun ") : -1]


# Largest values and sums


def largest(context: Context, fact: Fact, scope: Objects, known: list[Known]) -> Lines:
    """A value is at most the largest one, and at least the smallest."""
    return each_link(fact.claim, lambda place: _of_extreme(context, fact.claim[place], scope))


def _of_extreme(context: Context, link: Link, scope: Objects) -> Lines:
    normal = Normal(scope)
    for side, other, head in ((link.right, link.left, "largest"), (link.left, link.right, "smallest")):
        for point, kind in scope.points.items():
            if side.head == head and kind == side.kind:
                at = substitute(side.parts[0], {side.name: Term("point", name=point, kind=kind)})
                if normal.of(at) == normal.of(other):
                    lines, equal = _equal(context, other, at, scope)
                    lemma = f"{head}_each S_{kind} {_function_in(side, scope)} {point_name(point)}"
                    return [*lines, f"try rewrite {equal}.", f"exact ({lemma})."]
    raise NotExported("a largest value that is not at a point")


def total(context: Context, fact: Fact, scope: Objects, known: list[Known]) -> Lines:
    """The largest of values that are at least 0, and each of them, is at most their sum."""
    return each_link(fact.claim, lambda place: _of_sum(context, fact.claim[place], scope))


def _of_sum(context: Context, link: Link, scope: Objects) -> Lines:
    normal, right = Normal(scope), link.right
    function = _function_in(right, scope)
    lemma = f"largest_total S_{right.kind} {function}"
    values = [(Term("largest", right.parts, name=right.name, kind=right.kind), lemma)]
    for point, kind in scope.points.items():
        if kind == right.kind:
            at = substitute(right.parts[0], {right.name: Term("point", name=point, kind=kind)})
            values.append((at, f"total_each S_{right.kind} {function} {point_name(point)}"))
    for value, lemma in values:
        if normal.of(value) == normal.of(link.left):
            lines, equal = _equal(context, link.left, value, scope)
            return [*lines, f"try rewrite {equal}.", f"apply ({lemma}); intro; bound."]
    raise NotExported("a value that is not added up")


# Points


def point(context: Context, line: Line, rest: str, hypothesis: str) -> Lines:
    """A point with at least (at most) the mean, or with the largest value; the rest of the proof has it."""
    new, _, kind = (part.strip() for part in rest.partition(":"))
    scope = context.checker.objects.with_binders((Binder(new, kind),))
    (link,) = read_fact(line.fact, scope).claim
    here, there = (link.left, link.right) if new in free_names(link.left) else (link.right, link.left)
    variable = fresh(new)
    body = substitute(here, {new: Term("point", name=variable, kind=kind)})
    over, aim = _over_all(body, variable, kind, there, link.relation, scope)
    function = _function_in(over, scope)
    side = "_below" if over.head in ("mean", "total") and here is link.left else ""
    of = f"{'L' if kind in scope.laws else 'S'}_{kind}"
    found = context.new("X")
    lines, equal = _equal(context, over, aim, scope)
    if over.head == "total":
        positive = context.new("P")
        shown = [
            f"pose proof (listed_above {of}) as {positive}.",
            f"rewrite N_{kind} in {positive}, {found}.",
            f"try rewrite {equal} in {found}.",
            f"apply Rmult_le_reg_l with (r := {term_text(scope.sets[kind], scope)}); [exact {positive} | lra].",
        ]
    else:
        shown = [f"try rewrite {equal} in {found}.", "lra."]
    return [
        f"destruct ({over.head}_point{side} {of} {function}) as [{point_name(new)} {found}].",
        f"cbv beta in {found}.",
        *lines,
        f"assert ({hypothesis} : {link_text(link, scope)}).",
        *block(shown),
    ]


def _over_all(body: Term, name: str, kind: str, there: Term, relation: str, scope: Objects) -> tuple[Term, Term]:
    """What the value at a point is compared with: a mean, sum or largest value, and the term that is equal to it."""
    normal = Normal(scope)
    heads = ["largest", "smallest"] if kind in scope.sets else []
    if relation == "<=":
        heads.append("mean" if kind in scope.laws else "total")
    for head in heads:
        over = Term(head, (body,), name=name, kind=kind)
        aim = there if head != "total" else Term("*", (scope.sets[kind], there))
        if normal.of(over) == normal.of(aim):
            return over, aim
    raise NotExported("a point of another kind")


# Cases and induction


def cases(context: Context, using: Sequence[str], fact: Fact, scope: Objects, known: list[Known]) -> Lines:
    """What holds in each of two cases, one of which always is."""
    uses = [context.checker.used(each, scope) for each in using]
    first, second = (context.checker.case_of(each.fact, fact, scope) for each in uses)
    if first.relation == "=":
        uses, first, second = uses[::-1], second, first
    otherwise = Link(first.right, "<" if first.relation == "<=" else "<=", first.left)
    holds, other = context.new("Q"), context.new("Q")
    lemma = "Rle_or_lt" if first.relation == "<=" else "Rlt_or_le"
    sides = f"{term_text(first.left, scope)} {term_text(first.right, scope)}"
    inside = [*known, (otherwise, holds)]
    nodes: dict[Term, str] = {}
    shown = node_equations(context, [*(link for link, _ in inside), second], nodes, scope)
    shown += [f"assert ({other} : {link_text(second, scope)})."]
    shown += block(follows(context, scope, inside, [second], 0, nodes))
    return [
        f"destruct ({lemma} {sides}) as [{holds} | {holds}].",
        *block(_concluded_from(context, uses[0], fact.claim, [*known, (first, holds)], scope)),
        *block([*shown, *_concluded_from(context, uses[1], fact.claim, [*known, (second, other)], scope)]),
    ]


def _concluded_from(
    context: Context, use: Use, wanted: Sequence[Link], known: Sequence[Known], scope: Objects
) -> Lines:
    """Relations that a fact says, up to normal form, whose conditions are known, up to normal form."""
    name, asked, claims, proof = instance(context, use, {}, scope)
    lines = list(proof)
    for link in asked:
        lines += _condition(context, name, link, _same(context, link, known, scope), scope)
    taken, names = _taken_apart(context, name, claims)
    pairs = list(zip(claims, names, strict=True))
    return [*lines, *taken, *each_link(wanted, lambda place: _same(context, wanted[place], [pairs[place]], scope))]


def _same(context: Context, link: Link, known: Sequence[Known], scope: Objects) -> Lines:
    """A relation that one of those known is, up to normal form and a factor."""
    nodes: dict[Term, str] = {}
    lines = node_equations(context, [link, *(each for each, _ in known)], nodes, scope)
    equations = outermost_first(nodes)
    tried = [f"exact {name}" for _, name in known]
    for _, name in known:
        tried.append(f"idtac{rewritten_by(equations)}{rewritten_by(equations, name)}; closes")
    return [*lines, first_of(tried)]


def induction(
    context: Context, using: Sequence[str], variable: str, fact: Fact, scope: Objects, known: list[Known]
) -> Lines:
    """From the first number, and from each to the next, to all."""
    domain = next(binder.of for binder in fact.binders if binder.name == variable)
    assert isinstance(domain, Domain)
    assert domain.low is not None
    base, step = (context.checker.used(each, scope) for each in using)
    at_first = in_links(fact.claim, partial(substitute, values={variable: number(domain.low)}))
    following = Term("+", (Term("name", name=variable), number(1)))
    at_next = in_links(fact.claim, partial(substitute, values={variable: following}))
    name, least, claim = number_name(variable), number_text(domain.low), links_text(fact.claim, scope)
    ends = [f"D_{name}_{place}" for place, _ in enumerate(interval_texts(name, domain))]
    general, holds = context.new("Q"), context.new("A")
    taken, names = _taken_apart(context, holds, fact.claim)
    now = [*known, *zip(fact.claim, names, strict=True)]
    stepped = [f"intros {name} {' '.join(ends)} {holds}.", *taken]
    return [
        f"assert ({general} : forall {name} : R, integer {name} -> {least} <= {name} -> {claim}).",
        *block(
            [
                f"clear {' '.join(ends)} {name}.",
                f"apply (induction_from {least} (fun {name} : R => {claim})); cbv beta.",
                *block(_concluded_from(context, base, at_first, known, scope)),
                *block([*stepped, *_concluded_from(context, step, at_next, now, scope)]),
            ]
        ),
        f"apply {general}; assumption.",
    ]
