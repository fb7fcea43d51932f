"""Hints that a goal suggests by itself.

It is what a named lemma says of other things, or has a term that one is about; or it is 0 wherever two variables are
equal, as a divergence of two laws is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations, product

from dpcheck.proof.prover.conditions import relation_of
from dpcheck.proof.prover.language import ZERO, Domain, Expression, Problem, names_in, replace, subtrees, variable
from dpcheck.proof.prover.normal import simplify
from dpcheck.proof.prover.search import State

#: What lemmas are known by: functions that have no value of their own.
_CALLS = ("binom", "fact", "log", "exp")


def suggested(goal: Expression, state: State) -> Iterator[list[tuple[str, str]]]:
    """Cases, which of the two is larger; and in each the way from one to the end of the other's interval.

    Examples
    --------
    >>> from dpcheck.proof.prover.language import parse_domain, parse_expression
    >>> two = State(tuple(parse_domain(f"{name} in (0, 1)") for name in "pq"), ())
    >>> for kind, body in next(suggested(parse_expression("p*log(p/q) + q - p", {"p", "q"}), two)):
    ...     print(kind, body)
    case q - p
    first: substitute q = p + s0*(1 - p) with s0 in [0, 1) as (q - p)/(1 - p)
    second: substitute q = 0 + s0*(p - 0) with s0 in (0, 1] as (q - 0)/(p - 0)
    """
    there = [domain for domain in state.domains if domain.name in names_in(goal) and not domain.integer]
    for x, y in permutations(there, 2):
        if (x.low, x.high) != (y.low, y.high):
            continue
        if simplify(replace(goal, variable(y.name), variable(x.name))) != ZERO:
            continue
        yield [("case", f"{y.name} - {x.name}"), *_ways(x.name, y, state.fresh("s"))]


def instances(goal: Expression, lemmas: Mapping[str, Problem]) -> Iterator[list[tuple[str, str]]]:
    """The lemmas that the goal is an instance of, term by term, each with what its variables are.

    Examples
    --------
    >>> from dpcheck.proof.prover.language import parse_expression, parse_formula
    >>> from dpcheck.proof.prover.formula import Formula
    >>> above = {"exp_above": parse_formula(Formula("x in (-inf, inf)", "", "1 + x <= exp(x)"))}
    >>> next(instances(parse_expression("exp(a*b) - (1 + a*b)", {"a", "b"}), above))
    [('lemma', 'exp_above x = a*b')]
    """
    for name, lemma in lemmas.items():
        variables = {domain.name for domain in lemma.domains}
        found: dict[str, Expression] = {}
        gap = relation_of(lemma.claim[0])[0]
        if len(lemma.claim) > 1 or all(side.operation == "name" for side in gap.arguments):
            continue  # of two variables everything is an instance
        if _matches(gap, goal, variables, found) and set(found) == variables:
            yield [("lemma", f"{name} {'; '.join(f'{key} = {found[key]}' for key in sorted(found))}")]


def at_hand(goal: Expression, lemmas: Mapping[str, Problem]) -> Iterator[list[tuple[str, str]]]:
    """The lemmas of several variables one of whose terms, with all of these in it, occurs in the goal.

    Examples
    --------
    >>> from dpcheck.proof.prover.language import parse_expression, parse_formula
    >>> from dpcheck.proof.prover.formula import Formula
    >>> above = Formula("n in Z[1, inf); k in Z[1, inf)", "k <= n", "binom(n, k) >= (n/k)^k")
    >>> next(at_hand(parse_expression("binom(a, 2) - 1", {"a"}), {"above": parse_formula(above)}))
    [('lemma', 'above k = 2; n = a')]
    """
    there = [node for node in subtrees(goal) if node.operation in _CALLS]
    for name, lemma in lemmas.items():
        variables = {domain.name for domain in lemma.domains}
        if len(variables) < 2 or len(lemma.claim) > 1:
            continue
        terms = [node for node in subtrees(relation_of(lemma.claim[0])[0]) if node.operation in _CALLS]
        tried: list[dict[str, Expression]] = []
        for pattern, tree in product([term for term in terms if names_in(term) >= variables], there):
            found: dict[str, Expression] = {}
            if _matches(pattern, tree, variables, found) and found not in tried:
                tried.append(found)
                yield [("lemma", f"{name} {'; '.join(f'{key} = {found[key]}' for key in sorted(found))}")]


def _matches(pattern: Expression, tree: Expression, variables: set[str], found: dict[str, Expression]) -> bool:
    """Whether a term is a pattern with terms for its variables, which are put into ``found``."""
    if pattern.operation == "name" and pattern.name in variables:
        return found.setdefault(pattern.name, tree) == tree
    if (pattern.operation, pattern.value, len(pattern.arguments)) != (tree.operation, tree.value, len(tree.arguments)):
        return False
    pairs = zip(pattern.arguments, tree.arguments, strict=True)
    return pattern.name == tree.name and all(_matches(left, right, variables, found) for left, right in pairs)


def _ways(x: str, y: Domain, s: str) -> Iterator[tuple[str, str]]:
    """y between x and its own ends, by what part of the way it is from x to the high one, or from the low one to x."""
    name = y.name
    if y.high is None:
        yield "first: substitute", f"{name} = {x} + {s} with {s} in [0, inf) as {name} - {x}"
    else:
        phi, psi = f"{x} + {s}*({y.high} - {x})", f"({name} - {x})/({y.high} - {x})"
        yield "first: substitute", f"{name} = {phi} with {s} in [0, 1{')' if y.high_open else ']'} as {psi}"
    if y.low is None:
        yield "second: substitute", f"{name} = {x} - {s} with {s} in [0, inf) as {x} - {name}"
    else:
        low = f"({y.low})" if y.low < 0 else str(y.low)
        phi, psi = f"{low} + {s}*({x} - {low})", f"({name} - {low})/({x} - {low})"
        yield "second: substitute", f"{name} = {phi} with {s} in {'(' if y.low_open else '['}0, 1] as {psi}"
