"""Finite models of what derivations declare, and terms and normal forms computed in them: a second judge.

Nothing is shared with the rules but the trees of terms: laws are lists of probabilities, functions are tables.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck.proof.derivation.terms import Binder, Fact, Function, Link, Objects, Term
from dpcheck.proof.prover.language import Domain

#: Sizes of laws and types, values that unbounded domains take.
MOST_POINTS = 3
REACH = 3
_DYADIC = 8


@dataclass
class Model:
    """Values for all declared names: points are indices, functions tables over them."""

    laws: dict[str, list[Fraction]] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    numbers: dict[str, Fraction] = field(default_factory=dict)
    points: dict[str, int] = field(default_factory=dict)
    functions: dict[str, dict[tuple[int, ...], Any]] = field(default_factory=dict)

    def many(self, kind: str) -> int:
        """How many points there are of a type."""
        return len(self.laws[kind]) if kind in self.laws else self.sizes[kind]

    # Terms

    def value(self, term: Term, at: Mapping[str, Any]) -> Any:
        """The number that a term is, or the index of a point."""
        head, parts = term.head, term.parts
        if head == "number":
            return term.value
        if head in ("name", "point"):
            return at[term.name] if term.name in at else {**self.numbers, **self.points}[term.name]
        if head == "apply":
            table = at[term.name] if term.name in at else self.functions[term.name]
            return table[tuple(int(self.value(part, at)) for part in parts)]
        if head in ("mean", "total", "largest", "smallest"):
            values = [self.value(parts[0], {**at, term.name: index}) for index in range(self.many(term.kind))]
            return self.over(head, term.kind, values)
        return operation(head, [self.value(part, at) for part in parts])

    def over(self, head: str, kind: str, values: list[Any]) -> Any:
        """An average, sum or extreme of values at all points."""
        if head == "mean":
            return sum(weight * value for weight, value in zip(self.laws[kind], values, strict=True))
        return {"total": sum, "largest": max, "smallest": min}[head](values)

    # Normal forms

    def sum_value(self, total: Any, at: Mapping[str, Any]) -> Any:
        """The number that a normal form is."""
        return sum(a * self.monomial(monomial, at) for monomial, a in dict(total).items())

    def monomial(self, monomial: Any, at: Mapping[str, Any]) -> Any:
        return math.prod((self.atom(atom, at) ** power for atom, power in monomial), start=Fraction(1))

    def atom(self, atom: Any, at: Mapping[str, Any]) -> Any:
        head = atom[0]
        if head in ("name", "point"):
            return at[atom[1]] if atom[1] in at else {**self.numbers, **self.points}[atom[1]]
        if head == "integer":
            return self.sum_value(atom[1], at)
        if head == "apply":
            table = at[atom[1]] if atom[1] in at else self.functions[atom[1]]
            return table[tuple(int(self.atom(part, at)) for part in atom[2:])]
        if head == "at most":
            return Fraction(int(self.sum_value(atom[1], at) <= 0))
        if head == "integral":
            names = [f"~{atom[3]}.{place}" for place in range(len(atom[1]))]
            whole = Fraction(0)
            for indices in itertools.product(*(range(self.many(kind)) for _, kind in atom[1])):
                inside = {**at, **dict(zip(names, indices, strict=True))}
                weight = math.prod(
                    (
                        self.laws[kind][index]
                        for (of, kind), index in zip(atom[1], indices, strict=True)
                        if of == "mean"
                    ),
                    start=Fraction(1),
                )
                whole += weight * self.monomial(atom[2], inside)
            return whole
        if head == "largest":
            return max(self.sum_value(atom[2], {**at, atom[3]: index}) for index in range(self.many(atom[1])))
        if head == "inverse":
            return 1 / self.sum_value(atom[1], at)
        return operation(atom[1], [self.sum_value(part, at) for part in atom[2:]])

    # Facts

    def holds(self, link: Link, at: Mapping[str, Any]) -> bool:
        """Whether a relation holds, up to rounding where there is any."""
        left, right = self.value(link.left, at), self.value(link.right, at)
        room = 0 if isinstance(left, Fraction) and isinstance(right, Fraction) else 1e-9 * (1 + abs(left) + abs(right))
        if link.relation == "=":
            return bool(abs(left - right) <= room)
        return bool(left < right + room) if link.relation == "<" else bool(left <= right + room)

    def fact_holds(self, fact: Fact, draw: np.random.Generator, tries: int = 40) -> bool:
        """Whether a fact holds at drawn values of its binders."""
        for _ in range(tries if fact.binders else 1):
            at: dict[str, Any] = {}
            for binder in fact.binders:
                at[binder.name] = self.drawn(binder, draw)
            if all(self.holds(link, at) for link in fact.conditions) and not all(
                self.holds(link, at) for link in fact.claim
            ):
                return False
        return True

    def drawn(self, binder: Binder, draw: np.random.Generator) -> Any:
        """A value for what a fact holds for every value of."""
        if isinstance(binder.of, Domain):
            return number_in(binder.of, draw)
        if isinstance(binder.of, Function):
            return self.table(binder.of, draw)
        return int(draw.integers(self.many(binder.of)))

    def table(self, function: Function, draw: np.random.Generator) -> dict[tuple[int, ...], Any]:
        """A drawn function."""
        places = itertools.product(
            *(range(7) if kind == "Z" else range(self.many(kind)) for kind in function.arguments)
        )
        if isinstance(function.values, str):
            return {place: int(draw.integers(self.many(function.values))) for place in places}
        return {place: number_in(function.values, draw) for place in places}


def operation(head: str, values: list[Any]) -> Any:
    """An operation of the language, exact where it can be."""
    one, *rest = values or [0]
    other = rest[0] if rest else 0
    exact = {
        "neg": lambda: -one, "+": lambda: one + other, "-": lambda: one - other, "*": lambda: one * other,
        "/": lambda: one / other, "abs": lambda: abs(one), "max": lambda: max(values), "min": lambda: min(values),
        "floor": lambda: Fraction(math.floor(one)), "ceil": lambda: Fraction(math.ceil(one)),
        "at most": lambda: Fraction(int(one <= other)), "e": lambda: math.e, "pi": lambda: math.pi,
        "exp": lambda: math.exp(one), "log": lambda: math.log(one), "sqrt": lambda: math.sqrt(one),
        "fact": lambda: Fraction(math.factorial(int(one))), "binom": lambda: Fraction(math.comb(int(one), int(other))),
    }  # fmt: skip
    if head == "^":
        whole = isinstance(other, Fraction) and other.denominator == 1
        return one ** int(other) if whole else float(one) ** float(other)
    return exact[head]()


def number_in(domain: Domain, draw: np.random.Generator) -> Fraction:
    """A number of a domain; its ends, where they are of it, now and then."""
    low = domain.low if domain.low is not None else (domain.high or 0) - REACH
    high = domain.high if domain.high is not None else (domain.low or 0) + REACH
    if domain.integer:
        return Fraction(int(draw.integers(int(low), int(high) + 1)))
    place = int(draw.integers(1 if domain.low_open else 0, _DYADIC if domain.high_open else _DYADIC + 1))
    return Fraction(low) + (Fraction(high) - Fraction(low)) * Fraction(place, _DYADIC)


def model_of(objects: Objects, draw: np.random.Generator) -> Model | None:
    """A drawn model of declared objects; None where a size does not come out as a small integer."""
    model = Model()
    for name, domain in objects.numbers.items():
        model.numbers[name] = number_in(domain, draw)
    for name in objects.laws:
        weights = draw.integers(0, 4, int(draw.integers(1, MOST_POINTS + 1)))
        whole = int(weights.sum()) or 1
        model.laws[name] = [Fraction(int(weight), whole) for weight in weights]
        if not weights.sum():
            model.laws[name][0] = Fraction(1)
    for name in objects.types:
        model.sizes[name] = int(draw.integers(1, MOST_POINTS + 1))
    for name, size in objects.sets.items():
        many = model.value(size, {})
        if not isinstance(many, Fraction) or many.denominator != 1 or not 1 <= many <= 5:
            return None
        model.sizes[name] = int(many)
    for name, kind in objects.points.items():
        model.points[name] = int(draw.integers(model.many(kind)))
    for name, function in objects.functions.items():
        model.functions[name] = model.table(function, draw)
    return model
