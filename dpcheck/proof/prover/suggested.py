"""Hints that a goal suggests by itself: it is 0 wherever two variables are equal, as a divergence of two laws is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from dpcheck.proof.prover.language import ZERO, Domain, Expression, names_in, replace, variable
from dpcheck.proof.prover.normal import simplify
from dpcheck.proof.prover.search import State


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
