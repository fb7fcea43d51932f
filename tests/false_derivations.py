"""Derivations of false statements, each with a finite model in which what is given holds and the conclusion fails.

A template is a derivation that somebody might take for one: it is drawn with other names and numbers, a model is drawn
for it, and what is between ``«`` and ``»`` is put in as the number that it is in the model. It counts where the model
bears it out. None may be PROVED; ``PYTHONPATH=. python tests/false_derivations.py [SEED [EACH [AT_RANDOM]]]`` counts,
family by family.
"""

from __future__ import annotations

import itertools
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck.proof.derivation.lines import Derivation, Given, Line
from dpcheck.proof.derivation.reading import WORDS, read_fact, read_objects, read_term
from dpcheck.proof.derivation.terms import Binder, Fact, Function, Objects
from dpcheck.proof.prover.language import Domain
from properties.decided_lines import verdict
from properties.finite_models import Model, model_of, number_in

#: Words of rules that are no names.
_RULES = ("at", "over", "of", "functions", "arithmetic", "sum", "induction", "largest", "smallest", "cases")
_RULE_WORDS = frozenset(_RULES)
_KEPT = WORDS | _RULE_WORDS
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_VALUE = re.compile("«([^»]*)»")
_NUMBER = re.compile(r"#([a-z])")
#: Names that are drawn: short, long, those of functions of Python, those that formulas use for averages.
_POOL = (
    "P",
    "P2",
    "T",
    "M",
    "x",
    "x0",
    "y",
    "h",
    "g",
    "f",
    "A",
    "eps",
    "delta",
    "value",
    "sumx",
    "prod",
    "lam",
    "B_1",
    "q",
    "u",
    "v",
    "w",
    "z",
    "k",
    "n",
    "m",
    "Hyp",
    "S",
    "D",
    "OUT",
    "coins",
    "mu",
    "nu",
    "bad",
    "good",
    "err",
    "x00",
    "P_x",
    "f_x",
    "T3",
    "a",
    "b",
    "c",
    "d",
    "r",
    "s",
    "t",
    "Q",
    "R",
    "U",
    "V",
    "W",
    "aa",
    "bb",
    "near",
    "post",
    "X",
)
#: How many models are tried for one statement, how many values of a number or function.
_MODELS, _VALUES = 60, 9


@dataclass(frozen=True)
class Template:
    """A derivation to draw; ``given`` has facts, ``lines`` a name, a fact, and where there are any a rule and uses."""

    family: str
    objects: str
    given: tuple[str, ...]
    lines: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class FalseStatement:
    """A derivation whose conclusion fails in a model of what is given."""

    family: str
    derivation: Derivation
    model: Model


def all_values(binder: Binder, model: Model, draw: np.random.Generator) -> list[Any]:
    """Values that a binder is tried at: all points, all events, some numbers and functions."""
    if isinstance(binder.of, Domain):
        ends = [end for end in (binder.of.low, binder.of.high) if end is not None and end in binder.of]
        return list(dict.fromkeys([*ends, *(number_in(binder.of, draw) for _ in range(_VALUES))]))
    if isinstance(binder.of, Function):
        tables = [model.table(binder.of, draw) for _ in range(4 * _VALUES)]
        if binder.of.zero_or_one and len(tables[0]) <= 6:
            places = list(tables[0])
            ones = itertools.product((Fraction(0), Fraction(1)), repeat=len(places))
            return [dict(zip(places, values, strict=True)) for values in ones]
        return tables
    return list(range(model.many(binder.of)))


def fails(fact: Fact, model: Model, draw: np.random.Generator) -> bool:
    """Whether a fact fails at one of the values that are tried; what is not defined does not hold."""
    tried = [all_values(binder, model, draw) for binder in fact.binders]
    for values in itertools.islice(itertools.product(*tried), 20_000):
        at = {binder.name: value for binder, value in zip(fact.binders, values, strict=True)}
        if not all(_holds(model, link, at, True) for link in fact.conditions):
            continue
        if not all(_holds(model, link, at, False) for link in fact.claim):
            return True
    return False


def _holds(model: Model, link: Any, at: Mapping[str, Any], undefined: bool) -> bool:
    try:
        return model.holds(link, at)
    except (ZeroDivisionError, ValueError):
        return undefined
    except KeyError:  # a sequence beyond its table
        return True


def with_points(objects: Objects, lines: tuple[Line, ...]) -> Objects:
    """Objects, and the points that lines bring in."""
    for line in lines:
        word, _, rest = line.rule.partition(" ")
        if word == "point":
            name, _, kind = rest.partition(":")
            objects = objects.with_binders((Binder(name.strip(), kind.strip()),))
    return objects


def bears_out(derivation: Derivation, model: Model, draw: np.random.Generator) -> bool:
    """Whether what is given holds in the model, and what lines say of points that they bring in; not the conclusion."""
    objects = with_points(read_objects(derivation.objects), derivation.lines)
    known = [read_fact(given.fact, objects) for given in derivation.given]
    known += [read_fact(line.fact, objects) for line in derivation.lines[:-1] if line.rule.startswith("point")]
    if any(fails(fact, model, draw) for fact in known):
        return False
    return fails(read_fact(derivation.lines[-1].fact, objects), model, draw)


def drawn(template: Template, draw: np.random.Generator) -> FalseStatement | None:
    """One statement of a template, with a model that bears it out; None where none is found."""
    numbers = {letter: _number_text(letter, draw) for letter in "abcdnmk"}

    def put(text: str) -> str:
        return _NUMBER.sub(lambda found: numbers[found[1]], text)

    lines = tuple(tuple(map(put, line)) for line in template.lines)
    whole = Template(template.family, put(template.objects), tuple(map(put, template.given)), lines)
    renamed = _renamed(whole, draw)
    objects = with_points(read_objects(renamed.objects), tuple(map(_line, renamed.lines)))
    for _ in range(_MODELS if "OUT" not in template.objects or not template.given else 12 * _MODELS):
        model = model_of(objects, draw)
        if model is None:
            continue
        found = _with_values(renamed, objects, model)
        if found is not None and bears_out(found, model, draw):
            return FalseStatement(template.family, found, model)
    return None


def _number_text(letter: str, draw: np.random.Generator) -> str:
    if letter in "nmk":
        return str(int(draw.integers(1, 4)) + (letter == "m"))
    return str(Fraction(int(draw.integers(1, 8)), 8))


def _renamed(template: Template, draw: np.random.Generator) -> Template:
    """A template with other names, each once."""
    text = " ".join((template.objects, *template.given, *(" ".join(line) for line in template.lines)))
    text = re.sub(r"\b(at|over|of)\b", " ", text)
    old = [word for word in dict.fromkeys(_WORD.findall(text)) if word not in _KEPT and not word.startswith("given")]
    pool = [str(name) for name in draw.permutation(_POOL)]
    new = dict(zip(old, pool, strict=False)) if draw.integers(4) else {}

    def change(text: str) -> str:
        return _WORD.sub(lambda found: new.get(found[0], found[0]), text)

    lines = tuple(tuple(map(change, line)) for line in template.lines)
    return replace(template, objects=change(template.objects), given=tuple(map(change, template.given)), lines=lines)


def _line(parts: tuple[Any, ...]) -> Line:
    name, fact, *rest = parts
    rule = rest[0] if rest else "arithmetic"
    return Line(name, fact, rule, tuple(rest[1:]))


def _with_values(template: Template, objects: Objects, model: Model) -> Derivation | None:
    """A derivation with the numbers that its values are in the model; None where one is not defined."""

    def put(text: str) -> str:
        return _VALUE.sub(lambda found: f"({model.value(read_term(found[1], objects), {})})", text)

    try:
        given = tuple(
            Given(f"given{place}", put(fact), "definition: drawn") for place, fact in enumerate(template.given)
        )
        lines = tuple(_line(tuple(map(put, line))) for line in template.lines)
    except ZeroDivisionError:
        return None
    return Derivation(template.objects, lines, given)


_LAW = "law mu; f(mu) in [0, 1]; g(mu) in [0, 1]; b(mu) in Z[0, 1]; c(mu) in Z[0, 1]"
_TWO = "law mu; law nu; f(mu, nu) in [0, 1]; b(mu, nu) in Z[0, 1]"
_SET = "N in Z[1, 3]; set H of N; law mu; bad(mu, H) in Z[0, 1]; f(mu, H) in [0, 1]; k(H) in [-1, 2]; point h0: H"
_GAME = "set H of #m; set G of #m; r(H, G) in [0, 1]; rel(H, G) in Z[0, 1]"
_ALGORITHM = (
    "type D; near(D, D) in Z[0, 1]; type OUT; law coins; A(D, coins): OUT; E in [1, 3]; delta in [1/2, 1]; "
    "point d0: D; point d1: D; point d2: D; bad(OUT) in Z[0, 1]; "
    "post(OUT): OUT; g(OUT) in [0, 1]; ev(OUT, D) in Z[0, 1]"
)
_PRIVATE = (
    "for F(OUT) in Z[0, 1], d: D, dd: D if near(d, dd) = 1: "
    "mean(t: coins, F(A(d, t))) <= E*mean(t: coins, F(A(dd, t))) + delta"
)


def _simple(family: str, objects: str, given: tuple[str, ...], claims: tuple[str, ...], *using: str) -> list[Template]:
    """One line from what is given, for each claim."""
    names = tuple(f"given{place}" for place in range(len(given)))
    return [Template(family, objects, given, (("goal", claim, "arithmetic", *(using or names)),)) for claim in claims]


def templates() -> Iterator[Template]:
    """All of them, family by family."""
    yield from _independence()
    yield from _unions()
    yield from _conditioning()
    yield from _averages()
    yield from _exchanges()
    yield from _points()
    yield from _captures()
    yield from _functions()
    yield from _inductions()
    yield from _cases()
    yield from _extremes()
    yield from _domains()
    yield from _powers()
    yield from _privacy()


def _independence() -> Iterator[Template]:
    family = "dependence taken for independence"
    claims: tuple[str, ...]
    alone = ("mean(x: mu, b(x)) = «mean(x: mu, b(x))»", "mean(x: mu, c(x)) = «mean(x: mu, c(x))»")
    claims = (
        "Pr(x: mu, b(x) and c(x)) = Pr(x: mu, b(x))*Pr(x: mu, c(x))",
        "Pr(x: mu, b(x) and c(x)) <= Pr(x: mu, b(x))*Pr(x: mu, c(x))",
        "Pr(x: mu, b(x) and c(x)) >= Pr(x: mu, b(x))*Pr(x: mu, c(x))",
        "Pr(x: mu, b(x) or c(x)) = 1 - (1 - Pr(x: mu, b(x)))*(1 - Pr(x: mu, c(x)))",
        "Pr(x: mu, b(x) and not c(x)) <= mean(x: mu, b(x))*(1 - mean(y: mu, c(y)))",
        "Pr(x: mu, b(x) given c(x)) = mean(x: mu, b(x))",
    )
    yield from _simple(family, _LAW, alone, claims)
    claims = (
        "mean(x: mu, f(x)*g(x)) = mean(x: mu, f(x))*mean(x: mu, g(x))",
        "mean(x: mu, f(x)^2) = mean(x: mu, f(x))^2",
        "mean(x: mu, y: mu, f(x)*g(y)) = mean(x: mu, f(x)*g(x))",
        "mean(x: mu, f(x)*mean(y: mu, f(y)*g(x))) = mean(x: mu, f(x))^2*mean(x: mu, g(x))",
        "mean(x: mu, y: mu, [f(x) <= f(y)]) = 1",
        "mean(x: mu, y: mu, [f(x) <= f(y)]) <= 1/2",
        "mean(x: mu, y: mu, [f(x) = f(y)]) = 1",
    )
    yield from _simple(family, _LAW, (), claims)
    claims = (
        "mean(x: mu, mean(y: nu, f(x, y))^2) = mean(x: mu, y: nu, f(x, y))^2",
        "mean(x: mu, mean(y: nu, b(x, y))*mean(z: nu, b(x, z))) = mean(x: mu, y: nu, b(x, y))",
        "mean(x: mu, y: nu, z: nu, b(x, y)*b(x, z)) = mean(x: mu, y: nu, b(x, y))^2",
        "mean(x: mu, w: mu, y: nu, f(x, y)*f(w, y)) <= mean(x: mu, y: nu, f(x, y))^2",
    )
    yield from _simple(family, _TWO, (), claims)
    whole = "mean(x: mu, total(h: H, bad(x, h))^2)"
    claims = (
        f"{whole} = total(h: H, mean(x: mu, bad(x, h)))^2",
        f"{whole} = total(h: H, mean(x: mu, bad(x, h)))",
        "Pr(x: mu, every(h: H, bad(x, h))) = smallest(h: H, Pr(x: mu, bad(x, h)))",
    )
    yield from _simple(family, _SET, (), claims)


def _unions() -> Iterator[Template]:
    family = "union bound the wrong way"
    claims: tuple[str, ...]
    some, total = "Pr(x: mu, some(h: H, bad(x, h)))", "total(h: H, Pr(x: mu, bad(x, h)))"
    lines = (
        ("each", "for x: mu: largest(h: H, bad(x, h)) <= total(h: H, bad(x, h))", "sum"),
        ("over", f"{some} <= {total}", "arithmetic", "mean of each over x"),
    )
    claims = (
        f"{some} >= {total}",
        f"{some} = {total}",
        f"{some} <= largest(h: H, Pr(x: mu, bad(x, h)))",
        "Pr(x: mu, every(h: H, bad(x, h))) >= smallest(h: H, Pr(x: mu, bad(x, h)))",
        f"Pr(x: mu, every(h: H, bad(x, h))) >= 1 - {total}",
        f"Pr(x: mu, not some(h: H, bad(x, h))) <= 1 - {total}",
        f"{some} < {total}",
        f"{some} <= {total}/N",
    )
    for claim in claims:
        yield Template(family, _SET, (), (*lines, ("goal", claim, "arithmetic", "over", "mean of each over x")))
    claims = (
        "Pr(x: mu, b(x) and c(x)) >= Pr(x: mu, b(x)) + Pr(x: mu, c(x))",
        "Pr(x: mu, b(x) or c(x)) = Pr(x: mu, b(x)) + Pr(x: mu, c(x))",
        "Pr(x: mu, b(x) or c(x)) >= Pr(x: mu, b(x)) + Pr(x: mu, c(x))",
        "Pr(x: mu, b(x) and c(x)) <= Pr(x: mu, b(x)) + Pr(x: mu, c(x)) - 1",
        "Pr(x: mu, f(x) + g(x) > #a) <= Pr(x: mu, f(x) > #a) + Pr(x: mu, g(x) > #a)",
        "Pr(x: mu, f(x) >= #a) >= mean(x: mu, f(x))/#a",
        "Pr(x: mu, f(x) > #a) = Pr(x: mu, f(x) >= #a)",
        "Pr(x: mu, f(x) < g(x)) = Pr(x: mu, f(x) <= g(x))",
        "Pr(x: mu, not b(x) or c(x)) = Pr(x: mu, not (b(x) or c(x)))",
        "Pr(x: mu, b(x) or c(x) and b(x)) = Pr(x: mu, (b(x) or c(x)) and c(x))",
    )
    yield from _simple(family, _LAW, (), claims)
    yield from _simple(
        family, _SET, ("for h: H: Pr(x: mu, bad(x, h)) <= #a",), (f"{some} <= #a",), "total of given0 over h"
    )


def _conditioning() -> Iterator[Template]:
    family = "conditioning on an event of probability 0, and on another one"
    claims: tuple[str, ...]
    never = ("mean(x: mu, c(x)) = 0",)
    claims = (
        "Pr(x: mu, b(x) given c(x)) <= 1",
        "Pr(x: mu, b(x) given c(x)) = 0",
        "Pr(x: mu, c(x) given c(x)) = 1",
        "Pr(x: mu, b(x) given c(x))*Pr(x: mu, c(x)) = Pr(x: mu, b(x) and c(x))",
        "Pr(x: mu, b(x) given c(x)) + Pr(x: mu, not b(x) given c(x)) = 1",
        "Pr(x: mu, b(x) given c(x)) = Pr(x: mu, b(x) given c(x))",
    )
    yield from _simple(family, _LAW, never, claims)
    yield from _simple(family, _LAW, (), claims)
    claims = (
        "Pr(x: mu, b(x) given c(x)) = Pr(x: mu, c(x) given b(x))",
        "Pr(x: mu, b(x) given c(x)) <= Pr(x: mu, b(x))",
        "Pr(x: mu, b(x) given c(x)) <= Pr(x: mu, b(x) and c(x))",
        "Pr(x: mu, b(x) given c(x)) + Pr(x: mu, b(x) given not c(x)) = Pr(x: mu, b(x))",
    )
    positive = (
        "mean(x: mu, c(x)) = «mean(x: mu, c(x))»",
        "mean(x: mu, c(x)) > 0",
        "mean(x: mu, c(x)) < 1",
        "mean(x: mu, b(x)) > 0",
    )
    yield from _simple(family, _LAW, positive, claims)
    claims = ("mean(x: mu, f(x)/f(x)) = 1", "mean(x: mu, f(x))/mean(x: mu, f(x)) = 1", "0*(1/mean(x: mu, f(x))) = 0")
    yield from _simple(family, _LAW, ("mean(x: mu, f(x)) = 0",), claims)
    sure = ("mean(x: mu, b(x)) = 1",)
    claims = ("for x: mu: b(x) = 1", "smallest(i: I, b(at_i(i))) = 1")
    yield from _simple(family, _LAW + "; set I of 2; at_i(I): mu", sure, claims)


def _averages() -> Iterator[Template]:
    family = "an average taken for each point"
    claims: tuple[str, ...]
    given: tuple[str, ...]
    given = ("mean(x: mu, f(x)) <= «mean(x: mu, f(x))»",)
    bound = "«mean(x: mu, f(x))»"
    claims = (
        f"for x: mu: f(x) <= {bound}",
        f"for y: mu: f(y) <= {bound}",
        f"f(s) <= {bound}",
        f"for x: mu if f(x) >= {bound}: f(x) = {bound}",
        f"mean(x: mu, f(x)^2) <= {bound}^2",
        f"mean(x: mu, max(f(x), g(x))) <= max({bound}, mean(x: mu, g(x)))",
        f"Pr(x: mu, f(x) <= {bound}) >= 1/2",
        f"Pr(x: mu, f(x) <= {bound}) = 1",
        f"mean(x: mu, f(x)*g(x)) <= {bound}*mean(x: mu, g(x))",
    )
    yield from _simple(family, _LAW + "; point s: mu", given, claims)
    given = ("for h: H: mean(x: mu, f(x, h)) <= «largest(h: H, mean(x: mu, f(x, h)))»",)
    claims = (
        "for x: mu, h: H: f(x, h) <= «largest(h: H, mean(x: mu, f(x, h)))»",
        "mean(x: mu, largest(h: H, f(x, h))) <= «largest(h: H, mean(x: mu, f(x, h)))»",
        "mean(x: mu, total(h: H, f(x, h))) <= «largest(h: H, mean(x: mu, f(x, h)))»",
    )
    yield from _simple(family, _SET, given, claims, "largest of given0 over h", "total of given0 over h")
    yield from _simple(
        family,
        _SET,
        ("total(h: H, k(h)) <= «total(h: H, k(h))»",),
        ("for h: H: k(h) <= «total(h: H, k(h))»", "for h: H: k(h) <= «total(h: H, k(h))/N»"),
    )
    claims = (
        "mean(x: mu, 1/p(x)) <= 1/mean(x: mu, p(x))",
        "mean(x: mu, q(x)/p(x)) = mean(x: mu, q(x))/mean(x: mu, p(x))",
        "mean(x: mu, p(x))*mean(x: mu, 1/p(x)) = 1",
        "mean(x: mu, p(x)^(-2)) = mean(x: mu, p(x))^(-2)",
        "mean(x: mu, exp(p(x))) <= exp(mean(x: mu, p(x)))",
        "mean(x: mu, log(p(x))) >= log(mean(x: mu, p(x)))",
        "mean(x: mu, sqrt(p(x))) >= sqrt(mean(x: mu, p(x)))",
        "mean(x: mu, abs(q(x))) <= abs(mean(x: mu, q(x)))",
        "mean(x: mu, floor(p(x))) = floor(mean(x: mu, p(x)))",
        "mean(x: mu, min(p(x), q(x))) >= min(mean(x: mu, p(x)), mean(x: mu, q(x)))",
    )
    yield from _simple(family, "law mu; p(mu) in (0, 2]; q(mu) in (-inf, inf)", (), claims)


def _exchanges() -> Iterator[Template]:
    family = "quantifiers exchanged"
    claims: tuple[str, ...]
    claims = (
        "largest(h: H, smallest(g: G, r(h, g))) = smallest(g: G, largest(h: H, r(h, g)))",
        "largest(h: H, smallest(g: G, r(h, g))) >= smallest(g: G, largest(h: H, r(h, g)))",
        "[every(g: G, some(h: H, rel(h, g)))] <= [some(h: H, every(g: G, rel(h, g)))]",
        "total(h: H, largest(g: G, r(h, g))) <= largest(g: G, total(h: H, r(h, g)))",
        "total(h: H, smallest(g: G, r(h, g))) >= smallest(g: G, total(h: H, r(h, g)))",
        "total(h: H, total(g: G, r(h, g))^2) = total(h: H, total(g: G, r(h, g)))^2",
        "largest(h: H, largest(g: G, r(h, g)*rel(h, g))) = largest(h: H, largest(g: G, r(h, g)))",
    )
    yield from _simple(family, _GAME, (), claims)
    given = ("for g: G: largest(h: H, rel(h, g)) = 1",)
    claims = ("largest(h: H, smallest(g: G, rel(h, g))) = 1", "for h: H: largest(g: G, rel(h, g)) = 1")
    for uses in (("smallest of given0 over g",), ("largest of given0 over g", "total of given0 over g")):
        yield from _simple(family, _GAME, given, claims, *uses)
    claims = (
        "mean(x: mu, largest(h: H, f(x, h))) <= largest(h: H, mean(x: mu, f(x, h)))",
        "mean(x: mu, smallest(h: H, f(x, h))) >= smallest(h: H, mean(x: mu, f(x, h)))",
        "mean(x: mu, largest(h: H, f(x, h) - k(h))) <= largest(h: H, mean(x: mu, f(x, h)) - k(h))",
    )
    lines = (("each", "for x: mu, h: H: f(x, h) <= largest(i: H, f(x, i))", "largest"),)
    for claim in claims:
        uses = ("largest of mean of each over x over h", "mean of largest of each over h over x")
        yield Template(family, _SET, (), (*lines, ("goal", claim, "arithmetic", *uses)))


def _points() -> Iterator[Template]:
    family = "a point that is good for one function taken as good for another"
    claims: tuple[str, ...]
    wrong: tuple[tuple[str, ...], ...]
    first = ("first", "f(x0) >= mean(x: mu, f(x))", "point x0: mu")
    claims = (
        "g(x0) >= mean(x: mu, g(x))",
        "f(x0) <= mean(x: mu, f(x))",
        "f(x0)*g(x0) >= mean(x: mu, f(x)*g(x))",
        "f(x0) - g(x0) >= mean(x: mu, f(x)) - mean(x: mu, g(x))",
        "f(x0)^2 = mean(x: mu, f(x)^2)",
        "b(x0) = 1",
        "f(x0)^2 >= mean(x: mu, f(x)^2)",
        "for y: mu: f(y) <= f(x0)",
        "mean(x: mu, f(x)) = f(x0)",
    )
    for claim in claims:
        yield Template(family, _LAW, (), (first, ("goal", claim, "arithmetic", "first")))
    second = ("second", "g(x1) >= mean(x: mu, g(x))", "point x1: mu")
    claims = (
        "f(x0) = f(x1)",
        "f(x1) + g(x1) >= mean(x: mu, f(x) + g(x))",
        "f(x1) >= mean(x: mu, f(x))",
        "g(x0) + f(x0) >= mean(x: mu, f(x) + g(x))",
    )
    for claim in claims:
        yield Template(family, _LAW, (), (first, second, ("goal", claim, "arithmetic", "first", "second")))
    best = ("best", "k(h1) = largest(h: H, k(h))", "point h1: H")
    claims = (
        "k(h1) = smallest(h: H, k(h))",
        "k(h1) <= k(h0)",
        "mean(x: mu, f(x, h1)) = largest(h: H, mean(x: mu, f(x, h)))",
        "k(h1) >= total(h: H, k(h))",
        "for x: mu: f(x, h1) = largest(h: H, f(x, h))",
    )
    for claim in claims:
        yield Template(family, _SET, (), (best, ("goal", claim, "arithmetic", "best")))
    wrong = (
        ("goal", "f(x0) > mean(x: mu, f(x))", "point x0: mu"),
        ("goal", "f(x0) = mean(x: mu, f(x))", "point x0: mu"),
        ("goal", "f(x0) >= mean(x: mu, g(x))", "point x0: mu"),
        ("goal", "f(x0)^2 >= mean(x: mu, f(x))", "point x0: mu"),
    )
    for line in wrong:
        yield Template(family, _LAW, (), (line,))
    wrong = (
        ("goal", "k(h1) >= total(h: H, k(h))", "point h1: H"),
        ("goal", "k(h1) >= largest(h: H, k(h)) + 1/8", "point h1: H"),
        ("goal", "N*k(h1) >= largest(h: H, k(h))", "point h1: H"),
    )
    for line in wrong:
        yield Template(family, _SET, (), (line,))


def _captures() -> Iterator[Template]:
    family = "names captured"
    claims: tuple[str, ...]
    number = "u in [0, 4]; v in Z[0, 5]; law mu; f(mu, mu) in [0, 1]; type OUT; g(OUT) in [0, 1]; point o: OUT"
    bounded = ("fact", "for F(Z) in [0, 1], x in [0, 10]: F(3) <= 1 + 0*x")
    yield Template(
        family, number, (), (bounded, ("goal", "for x in [0, 1]: u <= 1", "arithmetic", "fact at F(y) = x at x = u"))
    )
    yield Template(
        family, number, (), (bounded, ("goal", "for x in [0, 1]: u <= 1", "arithmetic", "(fact at F(y) = x) at x = u"))
    )
    whole = ("fact", "for k in Z[0, inf), x in [0, 10]: k*(k - 1) >= 0*x")
    yield Template(
        family,
        number,
        (),
        (whole, ("goal", "for x in Z[0, 10]: u*(u - 1) >= 0", "arithmetic", "fact at k = x at x = u")),
    )
    half = ("fact", "for Q(OUT) in [0, 1/2], F(OUT) in [0, 1]: Q(o) <= 1/2")
    goal = ("goal", "for F(OUT) in [0, 1/2]: g(o) <= 1/2", "arithmetic", "(fact at Q(y) = F(y)) at F(y) = g(y)")
    yield Template(family, number, (), (half, goal))
    small = "u in [0, 10]; s in [0, 1]; v in Z[0, 5]"
    wide = ("fact", "for F(Z) in [0, 1], x in [0, 10]: F(x) <= 1")
    yield Template(family, small, (), (wide, ("goal", "u <= 1", "arithmetic", "fact at F(s) = s, x = u")))
    yield Template(
        family,
        small,
        (),
        (("fact", "for F(Z) in [0, 1]: F(v) <= 1"), ("goal", "v <= 1", "arithmetic", "fact at F(s) = s")),
    )
    law = "law mu; f(mu, mu) in [0, 1]; point a: mu"
    equal = ("fact", "for F(mu) in [0, 1]: mean(x: mu, F(x)) = mean(y: mu, F(y))")
    claims = (
        "for x: mu: mean(y: mu, f(x, y)) = mean(y: mu, f(y, y))",
        "for x: mu: mean(y: mu, f(x, y)) = mean(y: mu, f(y, x))",
        "for y: mu: mean(x: mu, f(x, x)) <= mean(z: mu, f(y, z))",
        "for x: mu: f(x, x) = mean(y: mu, f(x, y))",
    )
    for claim in claims:
        name = claim[4]
        for body in (f"f({name}, q)", f"f(q, {name})"):
            yield Template(family, law, (), (equal, ("goal", claim, "arithmetic", f"fact at F(q) = {body}")))
    given = ("for x: mu, y: mu: f(x, y) <= #a + f(y, x)",)
    claims = (
        "for x: mu, y: mu: f(x, y) <= f(y, x)",
        "for x: mu: f(x, a) <= f(a, x)",
        "for x: mu: mean(y: mu, f(y, x)) = mean(y: mu, f(x, y))",
    )
    for claim in claims:
        uses = "given0 at x = y, y = x" if "y: mu:" in claim else "given0 at y = a"
        yield from _simple(family, law, given, (claim,), uses)
    nested = (
        "mean(x: mu, mean(y: mu, f(x, y))*mean(y: mu, f(y, x))) = mean(x: mu, mean(y: mu, f(x, y))^2)",
        "mean(x: mu, y: mu, f(x, y)*f(y, x)) = mean(x: mu, y: mu, f(x, y))^2",
        "mean(x: mu, y: mu, f(x, y)*f(x, y)) = mean(x: mu, y: mu, f(x, y)*f(y, x))",
        "mean(x: mu, f(x, x)) = mean(x: mu, y: mu, f(x, y))",
    )
    yield from _simple(family, law, (), nested)


def _functions() -> Iterator[Template]:
    family = "what holds for events taken for what holds for functions"
    objects = "type OUT; a(Z): OUT; point o: OUT; point p: OUT; g(OUT) in [0, 1]; q(Z) in [0, 1]; set H of 2; s(H): OUT"
    facts = (
        ("F(o)^2 = F(o)", "g(o)^2 = g(o)"),
        ("F(o)*(1 - F(o)) = 0", "g(o)*(1 - g(o)) = 0"),
        ("F(o)*F(p) >= F(o) + F(p) - max(F(o), F(p))", "g(o)*g(p) >= g(o) + g(p) - max(g(o), g(p))"),
        ("max(F(o), 1/2) <= 1/2 + F(o)*1/2", "max(g(o), 1/2) <= 1/2 + g(o)*1/2"),
        ("largest(h: H, F(s(h))) >= 0*F(o)", "largest(h: H, g(s(h))) >= g(o)"),
        ("[F(o) <= 1/2] = 1 - F(o)", "[g(o) <= 1/2] = 1 - g(o)"),
        ("exp(F(o)) = 1 + F(o)*(e - 1)", "exp(g(o)) = 1 + g(o)*(e - 1)"),
        ("1/(1 + F(o)) = 1 - F(o)/2", "1/(1 + g(o)) = 1 - g(o)/2"),
        ("F(a(ceil(F(o)))) <= F(o) + F(a(0))", "g(a(ceil(g(o)))) <= g(o) + g(a(0))"),
    )
    for event, function in facts:
        fact = ("fact", f"for F(OUT) in Z[0, 1]: {event}")
        goal = ("goal", function, "arithmetic", "functions F of fact at F(y) = g(y)")
        yield Template(family, objects, (), (fact, goal))
        yield Template(
            family,
            objects,
            (f"for F(OUT) in Z[0, 1]: {event}",),
            (("goal", function, "arithmetic", goal[3].replace("fact", "given0")),),
        )
        yield Template(family, objects, (), (fact, ("goal", function, "arithmetic", "fact at F(y) = g(y)")))
    given = ("for F(Z) in Z[0, 1]: F(ceil(F(0))) <= F(0)",)
    yield from _simple(family, objects, given, ("q(ceil(q(0))) <= q(0)",), "functions F of given0 at F(y) = q(y)")


def _inductions() -> Iterator[Template]:
    family = "induction"
    objects = "x(Z) in [0, inf); c in [0, 1]; y(Z) in [0, inf)"
    base, step = "x(0) <= «x(0)»", "for n in Z[0, inf) if x(n) <= «x(0)»: x(n + 1) <= «x(0)»"
    goal = "for n in Z[0, inf): x(n) <= «x(0)»"
    shapes = (
        ((base, "for n in Z[1, inf) if x(n) <= «x(0)»: x(n + 1) <= «x(0)»"), goal),
        ((base, "for n in Z[0, inf) if x(n) <= «x(0)»: x(n + 2) <= «x(0)»"), goal),
        ((base, "for n in Z[0, inf) if x(n) <= «x(0)»: x(n) <= «x(0)»"), goal),
        (
            ("x(1) <= «x(1)»", "for n in Z[0, inf) if x(n) <= «x(1)»: x(n + 1) <= «x(1)»"),
            "for n in Z[0, inf): x(n) <= «x(1)»",
        ),
        (("x(0) <= «x(0)»", "for n in Z[0, inf) if x(n) <= «x(0)», y(n) <= 1: x(n + 1) <= «x(0)»"), goal),
        (("y(0) <= «x(0)»", step), goal),
        (("x(0) <= «x(0)»", "for n in Z[0, inf) if y(n) <= «x(0)»: y(n + 1) <= «x(0)»"), goal),
        (("x(0) <= «x(0)» + 1", step), "for n in Z[0, inf): x(n) < «x(0)»"),
        ((base, "for m in Z[0, inf) if x(m) <= «x(0)»: x(m + 1) <= «x(0)» + c"), goal),
    )
    for given, claim in shapes:
        yield Template(family, objects, given, (("goal", claim, "induction n", "given0", "given1"),))
        names = ("given0", "given1 at n = 0") if "for n" in given[1] else ("given0",)
        yield Template(family, objects, given, (("goal", claim, "arithmetic", *names),))


def _cases() -> Iterator[Template]:
    family = "cases that leave something out"
    pairs = (
        ("x < #n", "#n < x"),
        ("x <= #n", "#n + 2 <= x"),
        ("x <= #n", "x <= #n + 1"),
        ("x = #n", "x < #n"),
        ("x < y", "y < x"),
        ("x <= #n", "x <= #n"),
    )
    numbers = "x in Z[0, 4]; y in Z[0, 4]; v in [0, 1]; set H of #m; k(H) in Z[0, 3]; f(H) in [0, 1]"
    for one, other in pairs:
        given = (f"if {one}: v <= #a", f"if {other}: v <= #a")
        yield Template(family, numbers, given, (("goal", "v <= #a", "cases", "given0", "given1"),))
    every = (
        (("k(h) < #n", "#n < k(h)"), "f(h) <= #a", "f(h) <= #a"),
        (("k(h) <= #n", "#n < k(h)"), "f(h) <= #a", "f(h) <= #a/2"),
    )
    for (one, other), claim, goal in every:
        given = (f"for h: H if {one}: {claim}", f"for h: H if {other}: {claim}")
        yield Template(family, numbers, given, (("goal", f"for h: H: {goal}", "cases", "given0", "given1"),))
    given = ("for h: H if x <= k(h): f(h) <= #a", "for h: H if k(h) < x, y <= k(h): f(h) <= #a")
    yield Template(family, numbers, given, (("goal", "for h: H: f(h) <= #a", "cases", "given0", "given1"),))


def _extremes() -> Iterator[Template]:
    family = "largest values and sums"
    claims: tuple[str, ...]
    for claim in (
        "k(h0) >= largest(h: H, k(h))",
        "smallest(h: H, k(h)) >= k(h0)",
        "largest(h: H, k(h)) <= k(h0)",
        "smallest(h: H, k(h)) = largest(h: H, k(h))",
    ):
        yield Template(family, _SET, (), (("goal", claim, "largest"),))
    for claim in (
        "largest(h: H, k(h)) <= total(h: H, k(h))",
        "k(h0) <= total(h: H, k(h))",
        "total(h: H, k(h)) <= k(h0)",
        "largest(h: H, k(h)^2) <= total(h: H, k(h))",
        "k(h0) < total(h: H, k(h)^2)",
    ):
        yield Template(family, _SET, (), (("goal", claim, "sum"),))
    claims = (
        "total(h: H, 1) = N + 1",
        "total(h: H, k(h)) = k(h0)",
        "total(h: H, k(h)) = N*k(h0)",
        "largest(h: H, k(h)) = k(h0)",
        "largest(h: H, k(h)^2) = largest(h: H, k(h))^2",
        "largest(h: H, -k(h)) = -largest(h: H, k(h))",
        "largest(h: H, 2 - k(h)) = 2 - largest(h: H, k(h))",
        "smallest(h: H, -2*k(h)) = -2*smallest(h: H, k(h))",
        "largest(h: H, k(h) - k(h0)) = 0",
        "total(h: H, total(g: H, k(h)*k(g))) = total(h: H, k(h)^2)",
        "total(h: H, total(g: H, [k(h) <= k(g)])) = N",
        "largest(h: H, largest(g: H, k(h) - k(g))) = 0",
        "mean(x: mu, bad(x, h0))^2 = mean(x: mu, bad(x, h0))",
        "total(h: H, bad_(h))^2 = total(h: H, bad_(h))",
    )
    yield from _simple(family, _SET + "; bad_(H) in Z[0, 1]", (), claims)
    sized = "j in Z[1, 2]; set H of j*j; f(H) in [0, 1]"
    claims = ("total(h: H, 1) = j", "total(h: H, f(h)) <= j", "total(h: H, total(g: H, 1)) = j^2")
    yield from _simple(family, sized, ("for h: H: f(h) <= 1",), claims, "total of given0 over h")


def _domains() -> Iterator[Template]:
    family = "numbers outside of a domain, events of a case that is not"
    claims: tuple[str, ...]
    objects = (
        "p in [0, 1]; z in [-2, 2]; n in Z[0, 3]; b in Z[0, 1]; c in Z[0, 1]; law mu; f(mu) in [-2, 2]; "
        "i(mu) in Z[-1, 1]"
    )
    whole = ("fact", "for k in Z[0, inf): k*(k - 1) >= 0")
    for value in ("p", "n/2", "z", "1/2", "n*p", "p + n"):
        goal = ("goal", f"({value})*(({value}) - 1) >= 0", "arithmetic", f"fact at k = {value}")
        yield Template(family, objects, (), (whole, goal))
    positive = ("fact", "for k in [0, inf): abs(k) = k")
    for value in ("z", "z - 1", "n - 1", "-p", "p - c"):
        yield Template(
            family, objects, (), (positive, ("goal", f"abs({value}) = {value}", "arithmetic", f"fact at k = {value}"))
        )
    claims = (
        "p^2 = p",
        "z^2 = z",
        "n^2 = n",
        "b*c = b",
        "b*c <= b - c",
        "b*p <= b*p^2",
        "b + c = 1",
        "b - c = b*c",
        "b*z <= z",
        "[p <= #a] = [p < #a]",
        "[p <= #a] + [p > #a] = 2*[p <= #a]",
        "[p = z] <= [p < z]",
        "[0 <= z <= p] = [z <= p]",
        "[not (p <= z)] = [p <= z]",
        "[p <= #a or z <= #a] = [p <= #a and z <= #a]",
        "[b and c] = [b or c]",
        "[z < p < 1] = [z < 1]",
        "[z*z <= p] = [z <= p]",
        "[z <= 1]*z <= 0",
        "[p = #a]*p = #a",
        "if b*c = 0: b = 0",
        "if [p <= z] = 1: p < z",
        "if b*p = p: b = 1",
        "if b*(1 - b) = 0: b = 1",
        "if [p <= #a] = c: c = 1",
        "mean(x: mu, f(x)^2) <= mean(x: mu, f(x))",
        "mean(x: mu, i(x)^2) = mean(x: mu, i(x))",
        "mean(x: mu, i(x)^4) = mean(x: mu, i(x)^3)",
        "mean(x: mu, f(x)^2) >= 1",
        "mean(x: mu, [f(x) <= 0]*f(x)) >= 0",
        "mean(x: mu, f(x)) >= 0",
        "mean(x: mu, [f(x) <= z]) = [mean(x: mu, f(x)) <= z]",
        "mean(x: mu, i(x)) = floor(mean(x: mu, i(x)))",
    )
    yield from _simple(family, objects, (), claims)


def _powers() -> Iterator[Template]:
    family = "powers as texts"
    claims: tuple[str, ...]
    objects = "x in (0, 1]; y in (0, 4]; p in (0, 3]; law mu; f(mu) in [0, 1]; n in Z[1, 3]"
    yield from _simple(family, objects, ("[x^p*x^p <= y] = 1",), ("x^(p^2) <= y",))
    yield from _simple(family, objects, ("[1/x^p <= y] = 1",), ("x^(1/p) <= y", "x^p <= 1/(2*y)"))
    claims = (
        "mean(w: mu, f(w)/x^p) = mean(w: mu, f(w))*x^(1/p)",
        "mean(w: mu, f(w)*(x^p)^2) = mean(w: mu, f(w))*x^(p^2)",
        "mean(w: mu, f(w)*(x^p)^n) = mean(w: mu, f(w))*x^p^n",
        "mean(w: mu, f(w)*x^p*y^p) = mean(w: mu, f(w))*x^p*y",
        "mean(w: mu, f(w)/exp(x)) = mean(w: mu, f(w))*exp(1/x)",
        "mean(w: mu, f(w)*-x^2) = mean(w: mu, f(w))*x^2",
        "mean(w: mu, f(w) - x - y) = mean(w: mu, f(w)) - (x - y)",
        "mean(w: mu, f(w)/x/y) = mean(w: mu, f(w))/(x/y)",
    )
    yield from _simple(family, objects, (), claims)


def _privacy() -> Iterator[Template]:
    family = "privacy"
    claims: tuple[tuple[str, str], ...]
    one = "mean(t: coins, bad(A(d0, t)))"
    claims = (
        (f"{one} <= E*mean(t: coins, bad(A(d1, t))) + delta", "given0 at F(y) = bad(y), d = d0, dd = d1"),
        (
            f"if near(d0, d1) = 1, near(d1, d2) = 1: {one} <= E*mean(t: coins, bad(A(d2, t))) + delta",
            "given0 at F(y) = bad(y), d = d0, dd = d1",
        ),
        (
            f"if near(d0, d1) = 1: {one} <= mean(t: coins, bad(A(d1, t))) + delta",
            "given0 at F(y) = bad(y), d = d0, dd = d1",
        ),
        (
            f"if near(d0, d1) = 1: {one} <= E*mean(t: coins, g(A(d1, t))) + delta",
            "functions F of given0 at F(y) = g(y), d = d0, dd = d1",
        ),
        (
            "if near(d0, d1) = 1: mean(t: coins, bad(post(A(d0, t)))) <= E*mean(t: coins, bad(A(d1, t))) + delta",
            "given0 at F(y) = bad(post(y)), d = d0, dd = d1",
        ),
        (
            "if near(d0, d1) = 1: mean(t: coins, ev(A(d0, t), d0)) <= E*mean(t: coins, ev(A(d1, t), d1)) + delta",
            "given0 at F(y) = ev(y, d0), d = d0, dd = d1",
        ),
        (
            "for t: coins if near(d0, d1) = 1: bad(A(d0, t)) <= E*bad(A(d1, t)) + delta",
            "given0 at F(y) = bad(y), d = d0, dd = d1",
        ),
        (
            "if near(d0, d1) = 1: mean(t: coins, s: coins, bad(A(d0, t))*bad(A(d0, s))) "
            "<= E*mean(t: coins, s: coins, bad(A(d1, t))*bad(A(d1, s))) + delta",
            "given0 at F(y) = bad(y), d = d0, dd = d1",
        ),
        (
            "if near(d0, d1) = 1: mean(t: coins, bad(A(d1, t))) <= E*mean(t: coins, bad(A(d0, t))) + delta",
            "given0 at F(y) = bad(y), d = d0, dd = d1",
        ),
    )
    for claim, uses in claims:
        yield from _simple(family, _ALGORITHM, (_PRIVATE,), (claim,), uses)


_FUZZ = (
    "p in [0, 1]; n in Z[1, 3]; z in Z[0, 1]; law mu; law nu; set H of n; f(mu) in [0, 1]; w(mu) in (0, 2]; "
    "b(mu) in Z[0, 1]; c(nu) in Z[0, 1]; m(mu, H) in Z[0, 1]; k(H) in Z[-1, 2]; point h0: H"
)


def _term(depth: int, bound: list[tuple[str, str]], draw: np.random.Generator) -> str:
    """A drawn term over the objects of drawn statements."""

    def choice(options: list[str]) -> str:
        return options[int(draw.integers(len(options)))]

    kind = int(draw.integers(100))
    if depth <= 0 or kind < 30:
        at = {each: [name for name, of in bound if of == each] for each in ("mu", "nu", "H")}
        options = ["p", "z", "1", "1/2"]
        options += [f"{name}({point})" for point in at["mu"] for name in ("f", "b", "w")] * 3
        options += [f"c({point})" for point in at["nu"]] * 3
        options += [f"m({one}, {other})" for one in at["mu"] for other in [*at["H"], "h0"]] * 3
        options += [f"k({point})" for point in [*at["H"], "h0"]]
        return choice(options)
    if kind < 58:
        return f"({_term(depth - 1, bound, draw)} {choice(list('+-*'))} {_term(depth - 1, bound, draw)})"
    if kind < 80:
        over = choice(["mu", "nu", "H"])
        head = "mean" if over != "H" else choice(["total", "largest", "smallest"])
        name = f"v{len(bound)}"
        return f"{head}({name}: {over}, {_term(depth - 1, [*bound, (name, over)], draw)})"
    if kind < 92:
        return f"[{_term(depth - 1, bound, draw)} {choice(['<=', '<', '='])} {_term(depth - 1, bound, draw)}]"
    return f"{choice(['max', 'min'])}({_term(depth - 1, bound, draw)}, {_term(depth - 1, bound, draw)})"


def drawn_at_random(draw: np.random.Generator) -> FalseStatement | None:
    """Relations that hold in a drawn model, and a claim of the same kind that does not."""
    objects = read_objects(_FUZZ)
    model = model_of(objects, draw)
    if model is None:
        return None
    binders, bound = "for x: mu, h: H: ", [("x", "mu"), ("h", "H")]
    given: list[str] = []
    uses: list[str] = []
    for _ in range(40):
        if len(given) == 2:
            break
        wide = bool(draw.integers(2))
        inner = bound if wide else []
        sign = "<=" if draw.integers(3) else "="
        fact = f"{binders if wide else ''}{_term(2, inner, draw)} {sign} {_term(2, inner, draw)}"
        if fails(read_fact(fact, objects), model, draw):
            continue
        name = f"given{len(given)}"
        ways = [
            f"mean of total of {name} over h over x",
            f"mean of largest of {name} over h over x",
            f"{name} at h = h0",
        ]
        uses.append(ways[int(draw.integers(3))] if wide else name)
        given.append(fact)
    for _ in range(40):
        wide = any(" at " in each for each in uses) or bool(draw.integers(2))
        inner = bound if wide else []
        relation = ("<=", "<", "=")[int(draw.integers(3))]
        start = binders if wide else ""
        if draw.integers(3) == 0:
            start = f"{start.removesuffix(': ')} if {_term(2, inner, draw)} <= {_term(2, inner, draw)}: ".strip() + " "
        goal = f"{start}{_term(3, inner, draw)} {relation} {_term(3, inner, draw)}"
        if fails(read_fact(goal, objects), model, draw):
            found = Derivation(
                _FUZZ,
                (Line("goal", goal, using=tuple(uses)),),
                tuple(Given(f"given{place}", fact, "definition: drawn") for place, fact in enumerate(given)),
            )
            return FalseStatement("drawn at random", found, model)
    return None


def false_statements(seed: int, each: int, at_random: int) -> Iterator[FalseStatement]:
    """Statements that are false: so many of each template, and so many that are drawn as a whole."""
    draw = np.random.default_rng(seed)
    for template in templates():
        for _ in range(each):
            found = drawn(template, draw)
            if found is not None:
                yield found
    for _ in range(at_random):
        found = drawn_at_random(draw)
        if found is not None:
            yield found


def main(seed: int = 0, each: int = 6, at_random: int = 400) -> int:
    """Count what is said of false statements, and print those that are proved; the number of them."""
    counts: Counter[tuple[str, str]] = Counter()
    for found in false_statements(seed, each, at_random):
        try:
            said = verdict(found.derivation)
        except Exception as error:  # a crash is a finding too
            said = f"crash {type(error).__name__}"
        counts[found.family, said] += 1
        if said == "PROVED" or said.startswith("crash"):
            print(said, found.family, found.derivation, sep="\n  ", flush=True)
    proved = sum(count for (_, word), count in counts.items() if word == "PROVED")
    families = dict.fromkeys(family for family, _ in counts)
    for family in families:
        answers = {word: count for (name, word), count in counts.items() if name == family}
        print(
            f"{family}: {sum(answers.values())}: "
            + ", ".join(f"{word} {count}" for word, count in sorted(answers.items()))
        )
    print(f"{sum(counts.values())} false statements, {proved} proved")
    return proved


if __name__ == "__main__":
    sys.exit(1 if main(*map(int, sys.argv[1:])) else 0)
