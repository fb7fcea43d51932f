"""The rules of certificates as tactics: what each rule leaves to show are goals as the rule says.

A rule gets the script, its own list, what is known, the goal's expression, and whether the goal is strict.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpcheck.proof.coq.identities import identity
from dpcheck.proof.coq.logarithms import logarithm
from dpcheck.proof.coq.mean_value import monotone
from dpcheck.proof.coq.script import Context, Lines, Rule, Script, block, rational_of
from dpcheck.proof.coq.terms import name_of, number_text, plain, relation_text, text
from dpcheck.proof.prover.checker_formula import Relation, Variable, read_formula, real_variable
from dpcheck.proof.prover.checker_intervals import Undefined, box, evaluate
from dpcheck.proof.prover.checker_rules import premises_of
from dpcheck.proof.prover.checker_syntax import (
    Tree,
    difference,
    negative,
    number,
    parse,
    postorder,
    rational,
    replaced,
    variable,
)

_MISSING = ["nothing"]


def _interval(script: Script, proof: Any, context: Context, goal: Tree, strict: bool) -> Lines:
    if not goal.variables:
        return ["constant."]
    bounds = _bounds_of_logarithms(context, goal)
    if not bounds:
        return ["leaf."]
    return [f"first [ leaf | {'; '.join(bounds)}; interval with (i_prec 60) ]."]


def _bounds_of_logarithms(context: Context, goal: Tree) -> list[str]:
    """Tactics that put numbers in place of logarithms: Coq's intervals do not know the one of what begins at 0."""
    values = box(context.state.variables, 100)
    found = []
    for node in dict.fromkeys(node for node in postorder(goal) if node.head == "log" and node.variables):
        inside = node.parts[0]
        try:
            enclosure = evaluate(inside, values, 100)
        except Undefined:
            continue
        x = text(inside)
        for end, tactic, away in ((enclosure.low, "at_least_of", -1), (enclosure.high, "at_most_of", 1)):
            value = rational_of(end)
            if value is not None and value > 0:
                near = (value * (1 + Fraction(away, 10**9))).limit_denominator(10**15)
                found.append(f"{tactic} {x} {number_text(near)}")
        found.append(f"forget {x}")
    return found


def _absurd(script: Script, proof: Any, context: Context, goal: Tree, strict: bool) -> Lines:
    relation = context.state.assumptions[proof[1]]
    sign = "<=" if relation.strict else "<"
    name = script.name("X")
    return ["exfalso.", f"assert ({name} : {text(relation.tree)} {sign} 0) by interval with (i_prec 60).", "lra."]


def _split(script: Script, proof: Any, context: Context, goal: Tree, strict: bool) -> Lines:
    item, place = context.state.variable(proof[1]), rational(proof[2])
    first = Fraction(math.floor(place)) if item.integer else place
    second = first + 1 if item.integer else place
    left, right = script.name("B"), script.name("B")
    x = name_of(item.name)
    says = f"{x} <= {number_text(first)} \\/ {number_text(second)} <= {x}"
    if item.integer:
        whole = context.ends[item.name, "integer"]
        shown = f"(integer_split {x} ({int(first)})%Z {whole})"
    else:
        shown = f"(Rle_or_le {x} {number_text(place)})"
    lines = [f"assert (X{left} : {says}) by exact {shown}.", f"destruct X{left} as [{left} | {right}]."]
    for name, side, end, inner in ((left, "high", first, proof[3]), (right, "low", second, proof[4])):
        new = replace(item, high=end, high_open=False) if side == "high" else replace(item, low=end, low_open=False)
        there = replace(context, state=context.state.with_interval(new), ends={**context.ends, (item.name, side): name})
        lines += block(script.run(inner, there, goal, strict))
    return lines


def _fix(script: Script, proof: Any, context: Context, goal: Tree, strict: bool) -> Lines:
    item = context.state.variable(proof[1])
    assert item.low is not None
    equation = script.name("E")
    lines = [f"assert ({equation} : {name_of(item.name)} = {number_text(item.low)}) by lra."]
    others = tuple(each for each in context.state.variables if each.name != item.name)
    after = replace(context, state=replace(context.state, variables=others))
    table = {variable(item.name): number(item.low)}
    return [*lines, *script.run_replaced(proof[2], after, goal, strict, table, equation)]


def _identity(script: Script, proof: Any, context: Context, goal: Tree, strict: bool) -> Lines:
    return ["apply zero_at_least.", *identity(goal, number(0), script.fresh)]


def _rewrite(script: Script, proof: Any, context: Context, goal: Tree, strict: bool) -> Lines:
    new = script.read(proof[1], context)
    lemma = "equal_above" if strict else "equal_at_least"
    lines = [f"apply ({lemma} {text(goal)} {text(new)}).", *script.same(goal, new)]
    return [*lines, *script.run(proof[2], context, new, strict)]


def _scale(script: Script, proof: Any, context: Context, goal: Tree, strict: bool) -> Lines:
    factor, new = script.read(proof[1], context), script.read(proof[2], context)
    same = script.same(Tree("*", (goal, factor)), new)
    return _by_factor(script, proof, context, strict, "scale", (goal, factor, new), same)


def _product(script: Script, proof: Any, context: Context, goal: Tree, strict: bool) -> Lines:
    factor, new = script.read(proof[1], context), script.read(proof[2], context)
    same = script.same(goal, Tree("*", (factor, new)))
    return _by_factor(script, proof, context, strict, "product", (goal, factor, new), same)


def _by_factor(
    script: Script, proof: Any, context: Context, strict: bool, rule: str, trees: tuple[Tree, Tree, Tree], same: Lines
) -> Lines:
    """A goal by another one, which is it times (divided by) a factor above 0."""
    lines = [f"apply ({rule}_{'above' if strict else 'at_least'} {' '.join(map(text, trees))}).", *same]
    lines += block(script.run(proof[3], context, trees[1], True))
    return [*lines, *script.run(proof[4], context, trees[2], strict)]


def _square(script: Script, proof: Any, context: Context, goal: Tree, strict: bool) -> Lines:
    larger, smaller = script.read(proof[1], context), script.read(proof[2], context)
    lemma = "square_above" if strict else "square_at_least"
    lines = [f"apply ({lemma} {text(goal)} {text(larger)} {text(smaller)})."]
    lines += script.same(goal, difference(larger, smaller))
    lines += block(script.run(proof[3], context, larger, False))
    squares = [Tree("^", (side, number(2))) for side in (larger, smaller)]
    return [*lines, *script.run(proof[4], context, difference(*squares), strict)]


def _case(script: Script, proof: Any, context: Context, goal: Tree, strict: bool) -> Lines:
    g = script.read(proof[1], context)
    first, second, raw = script.name("H"), script.name("H"), script.name("X")
    lines = [f"destruct (Rle_or_lt 0 {text(g)}) as [{first} | {raw}]."]
    lines += block(script.run(proof[2], context.assuming(Relation(g, False), first), goal, strict))
    other = Relation(negative(g), False)
    body = [f"assert ({second} : {relation_text(other)}) by lra.", f"clear {raw}."]
    return [*lines, *block([*body, *script.run(proof[3], context.assuming(other, second), goal, strict)])]


def _choose(script: Script, proof: Any, context: Context, goal: Tree, strict: bool) -> Lines:
    term, index = script.read(proof[1], context), proof[2]
    if term.head == "abs":
        choice = term.parts[0] if index == 0 else negative(term.parts[0])
        shows = choice
    else:
        choice, other = term.parts[index], term.parts[1 - index]
        shows = difference(choice, other) if term.head == "max" else difference(other, choice)
    equation, fact = script.name("E"), script.name("X")
    lemma = f"{term.head}_{('first', 'second')[index]}"
    lines = [f"assert ({fact} : 0 <= {text(shows)}).", *block(script.run(proof[3], context, shows, False))]
    lines.append(f"assert ({equation} : {text(term)} = {text(choice)}) by (apply {lemma}; exact {fact}).")
    return [*lines, *script.run_replaced(proof[4], context, goal, strict, {term: choice}, equation)]


def _round(script: Script, proof: Any, context: Context, goal: Tree, strict: bool) -> Lines:
    term, name = script.read(proof[1], context), context.state.new_name(proof[2])
    new = Variable(name, False, Fraction(0), Fraction(1), False, True)
    value = Tree("-" if term.head == "floor" else "+", (term.parts[0], variable(name)))
    table = {term: value}
    equation, low, high = script.name("E"), script.name("B"), script.name("B")
    rest = f"rounded_{'down' if term.head == 'floor' else 'up'}_rest {text(term.parts[0])}"
    lines = [f"destruct ({rest}) as [{name_of(name)} [[{low} {high}] {equation}]]."]
    after = context.bringing(new, {"low": low, "high": high})
    return [*lines, *script.run_replaced(proof[3], after, goal, strict, table, equation)]


def _abstract(script: Script, proof: Any, context: Context, goal: Tree, strict: bool) -> Lines:
    term, new = script.read(proof[1], context), real_variable(context.state.new_name(proof[2]), proof[3])
    lines, ends = script.between(term, new, proof[4], proof[5], context)
    equation = script.name("E")
    lines.append(f"assert (exists t, {text(term)} = t) as [{name_of(new.name)} {equation}] by (eexists; reflexivity).")
    lines += [f"rewrite {equation} in {name}." for name in ends.values()]
    after = context.bringing(new, ends)
    return [*lines, *script.run_replaced(proof[6], after, goal, strict, {term: variable(new.name)}, equation)]


def _substitute(script: Script, proof: Any, context: Context, goal: Tree, strict: bool) -> Lines:
    item = context.state.variable(proof[1])
    new = real_variable(context.state.new_name(proof[2]), proof[3])
    phi = plain(parse(proof[4], (context.state.names - {item.name}) | {new.name}))
    psi = script.read(proof[5], context)
    composed = replaced(phi, {variable(new.name): psi})
    t, value, equation = name_of(new.name), script.name("V"), script.name("E")
    before = script.name("Q")
    lines = [
        f"assert ({before} : {text(variable(item.name))} = {text(composed)}).",
        *block(["symmetry.", *identity(composed, variable(item.name), script.fresh)]),
    ]
    more, ends = script.between(psi, new, proof[6], proof[7], context)
    lines += more
    lines.append(f"assert (exists t, t = {text(psi)}) as [{t} {value}] by (eexists; reflexivity).")
    lines.append(f"assert ({equation} : {name_of(item.name)} = {text(phi)}) by (rewrite {value}; exact {before}).")
    lines += [f"rewrite <- {value} in {name}." for name in ends.values()]
    lines.append(f"clear {before}.")
    after = context.over((new if each is item else each for each in context.state.variables), new, ends)
    return [*lines, *script.run_replaced(proof[8], after, goal, strict, {variable(item.name): phi}, equation)]


def _integer(script: Script, proof: Any, context: Context, goal: Tree, strict: bool) -> Lines:
    fact = script.read(proof[1], context)
    name = script.name("H")
    lines = [f"assert ({name} : 0 <= {text(fact)}).", "{", "apply integer_above; [whole|]."]
    lines += [*script.run(proof[2], context, Tree("+", (fact, number(1))), True), "}"]
    return [*lines, *script.run(proof[3], context.assuming(Relation(fact, False), name), goal, strict)]


def _lemma(script: Script, proof: Any, context: Context, goal: Tree, strict: bool) -> Lines:
    name, texts = proof[1], proof[2]
    lemma = read_formula(script.lemmas[name])
    instances = {item.name: script.read(texts[item.name], context) for item in lemma.variables}
    table = {variable(key): tree for key, tree in instances.items()}
    proofs = iter(proof[3])
    lines: Lines = []
    for item in lemma.variables:
        pair = [None if end is None else next(proofs, _MISSING) for end in (item.low, item.high)]
        lines += script.between(instances[item.name], item, pair[0], pair[1], context)[0]
    for relation in lemma.relations():
        there = replaced(relation.tree, table)
        fact = script.name("X")
        lines.append(f"assert ({fact} : {relation_text(Relation(there, relation.strict))}).")
        lines += block(script.run(next(proofs, _MISSING), context, there, relation.strict))
    [claim] = [Relation(replaced(relation.tree, table), relation.strict) for relation in lemma.claim.relations()]
    known = script.name("H")
    arguments = " ".join(text(instances[item.name]) for item in lemma.variables)
    lines.append(f"assert ({known} : {relation_text(claim)}) by (instance (lemma_{name} {arguments})).")
    return [*lines, *script.run(proof[4], context.assuming(claim, known), goal, strict)]


def _have(script: Script, proof: Any, context: Context, goal: Tree, strict: bool) -> Lines:
    fact = Relation(script.read(proof[1], context), proof[2])
    name = script.name("H")
    lines = [
        f"assert ({name} : {relation_text(fact)}).",
        *block(script.run(proof[3], context, fact.tree, fact.strict)),
    ]
    return [*lines, *script.run(proof[4], context.assuming(fact, name), goal, strict)]


def _drop(script: Script, proof: Any, context: Context, goal: Tree, strict: bool) -> Lines:
    after = replace(context, state=context.state.without(proof[1]), assumed=script.kept(context, proof[1]))
    return script.run(proof[2], after, goal, strict)


def _combine(script: Script, proof: Any, context: Context, goal: Tree, strict: bool) -> Lines:
    premises = premises_of(context.state, goal)
    lines: Lines = []
    known: dict[Any, tuple[Relation, str]] = {}
    ends = [
        key
        for item in context.state.variables
        for key in ((item.name, "low"), (item.name, "high"))
        if getattr(item, key[1]) is not None
    ]

    def premise(key: Any) -> tuple[Relation, str]:
        if key in known:
            return known[key]
        name = script.name("K")
        if isinstance(key, str):
            tree = script.read(key, context)
            known[key] = (Relation(tree, True), name)
            lines.append(f"assert ({name} : 0 < {text(tree)}) by sign.")
            return known[key]
        relation = premises[key]
        if key < len(ends):
            lines.append(f"assert ({name} : {relation_text(relation)}) by (pose proof {context.ends[ends[key]]}; lra).")
        elif key < len(ends) + len(context.assumed):
            name = context.assumed[key - len(ends)]
        else:
            lines.append(f"assert ({name} : {relation_text(relation)}) by apply exp_pos.")
        known[key] = (relation, name)
        return known[key]

    terms: list[tuple[Tree, str, bool]] = []
    for coefficient, keys in ((rational(c), keys) for c, keys in proof[1]):
        if not coefficient:
            continue
        factors = [premise(key) for key in keys]
        above = all(relation.strict for relation, _ in factors)
        tree = number(coefficient)
        shown = f"(ltac:(lra) : 0 {'<' if above else '<='} {text(tree)})"
        for relation, name in factors:
            sides = f"{text(tree)} {text(relation.tree)}"
            tree = Tree("*", (tree, relation.tree))
            if above:
                shown = f"(Rmult_lt_0_compat {sides} {shown} {name})"
            else:
                weak = f"(weaker {text(relation.tree)} {name})" if relation.strict else name
                shown = f"(Rmult_le_pos {sides} {shown} {weak})"
        terms.append((tree, shown, above))
    if not terms:
        return ["apply zero_at_least.", *identity(goal, number(0), script.fresh)]
    whole, shown, above = terms[0]
    for tree, more, strictly in terms[1:]:
        lemma = {
            (False, False): "Rplus_le_le_0_compat",
            (True, False): "plus_left",
            (False, True): "plus_right",
            (True, True): "Rplus_lt_0_compat",
        }[above, strictly]
        sides = f"{text(whole)} {text(tree)}"
        whole, shown, above = Tree("+", (whole, tree)), f"({lemma} {sides} {shown} {more})", above or strictly
    fact = script.name("X")
    lines.append(f"assert ({fact} : 0 {'<' if above else '<='} {text(whole)}) by exact {shown}.")
    lemma = "equal_above" if strict else "equal_at_least"
    lines.append(f"apply ({lemma} {text(goal)} {text(whole)}).")
    lines += script.same(goal, whole)
    return [*lines, f"exact {fact}." if above == strict else f"apply weaker. exact {fact}."]


#: Each rule of certificates that is told to Coq.
RULES: dict[str, Rule] = {
    "interval": _interval,
    "absurd": _absurd,
    "split": _split,
    "fix": _fix,
    "identity": _identity,
    "rewrite": _rewrite,
    "scale": _scale,
    "product": _product,
    "square": _square,
    "case": _case,
    "choose": _choose,
    "round": _round,
    "abstract": _abstract,
    "substitute": _substitute,
    "integer": _integer,
    "lemma": _lemma,
    "have": _have,
    "drop": _drop,
    "combine": _combine,
    "logarithm": logarithm,
    "monotone": monotone,
}
