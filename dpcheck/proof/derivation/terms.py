"""What a derivation speaks of: laws and finite sets, functions on them, averages, sums, events, facts."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final

from dpcheck.model.errors import InvalidArgument
from dpcheck.proof.prover.language import CONSTANTS, FUNCTIONS, Domain

#: Averages over a law, sums over a finite set.
INTEGRALS: Final = ("mean", "total")
#: The largest or smallest value over a finite set.
EXTREMES: Final = ("largest", "smallest")
#: The type of integers, as an argument of a function, and all of them.
INTEGER: Final = "Z"
INTEGERS: Final = Domain("value", True, None, True, None, True)


class DerivationFailed(InvalidArgument):
    """A line does not follow by the rule that it names, or is not of the language."""


@dataclass(frozen=True, slots=True)
class Term:
    """A number, a point, or what is computed from them.

    ``head`` is "number", "name", a constant, "neg", an operation, a function of the language of formulas, "point",
    "apply", "mean", "total", "largest", "smallest" or "at most" (1 where the first part is at most the second, else 0).
    What binds a variable has its name and, as ``kind``, the law or set that it runs over.
    """

    head: str
    parts: tuple[Term, ...] = ()
    value: Fraction = Fraction(0)
    name: str = ""
    kind: str = ""

    def __str__(self) -> str:
        return written(self)


def number(value: Fraction | int) -> Term:
    """A rational number."""
    return Term("number", value=Fraction(value))


ZERO: Final = number(0)
ONE: Final = number(1)
BINDERS: Final = (*INTEGRALS, *EXTREMES)


@dataclass(frozen=True)
class Function:
    """What a function takes, by type, and the interval of its values or the type of the points that it gives."""

    arguments: tuple[str, ...]
    values: Domain | str

    @property
    def zero_or_one(self) -> bool:
        """Whether it is the indicator of something."""
        return isinstance(self.values, Domain) and is_indicator(self.values)


def is_indicator(domain: Domain) -> bool:
    """Whether a number of this domain is 0 or 1."""
    return (
        domain.integer and domain.low is not None and domain.low >= 0 and domain.high is not None and domain.high <= 1
    )


@dataclass(frozen=True)
class Objects:
    """What is declared: numbers, laws, finite sets with their sizes, other types, points and functions, by name."""

    numbers: Mapping[str, Domain] = field(default_factory=dict)
    laws: frozenset[str] = frozenset()
    sets: Mapping[str, Term] = field(default_factory=dict)
    types: frozenset[str] = frozenset()
    points: Mapping[str, str] = field(default_factory=dict)
    functions: Mapping[str, Function] = field(default_factory=dict)

    @property
    def names(self) -> frozenset[str]:
        """All names that are taken."""
        return frozenset((*self.numbers, *self.laws, *self.sets, *self.types, *self.points, *self.functions))

    @property
    def kinds(self) -> frozenset[str]:
        """The types that points may have."""
        return self.laws | self.types | frozenset(self.sets)

    def with_binders(self, binders: tuple[Binder, ...]) -> Objects:
        """These, and what a fact quantifies over."""
        numbers, points, functions = dict(self.numbers), dict(self.points), dict(self.functions)
        for binder in binders:
            if isinstance(binder.of, Domain):
                numbers[binder.name] = binder.of
            elif isinstance(binder.of, Function):
                functions[binder.name] = binder.of
            else:
                points[binder.name] = binder.of
        return replace(self, numbers=numbers, points=points, functions=functions)


@dataclass(frozen=True)
class Binder:
    """A name that a fact holds for every value of: a point of a type, a number of a domain, or a function."""

    name: str
    of: str | Domain | Function


@dataclass(frozen=True)
class Link:
    """One relation: ``<=``, ``<`` or ``=``."""

    left: Term
    relation: str
    right: Term

    def __str__(self) -> str:
        return f"{self.left} {self.relation} {self.right}"


@dataclass(frozen=True)
class Fact:
    """For all values of the binders for which the conditions hold, the claim holds."""

    binders: tuple[Binder, ...]
    conditions: tuple[Link, ...]
    claim: tuple[Link, ...]


def free_names(term: Term) -> frozenset[str]:
    """The names of numbers, points and functions that a term speaks of, without those that it binds."""
    inside = frozenset[str]().union(*(free_names(part) for part in term.parts))
    if term.head in BINDERS:
        return inside - {term.name}
    return inside | {term.name} if term.name else inside


_NUMBERS: Final = itertools.count(1)


def fresh(name: str) -> str:
    """A name that nothing else has; no text that is shown or kept depends on its number."""
    return f"{name.partition('~')[0]}~{next(_NUMBERS)}"


def substitute(term: Term, values: Mapping[str, Term]) -> Term:
    """The term with names of points and numbers replaced; what it binds is renamed, so that nothing is captured."""
    if not values:
        return term
    if term.head in ("name", "point"):
        return values.get(term.name, term)
    if term.head in BINDERS:
        new = fresh(term.name)
        inner = {**values, term.name: Term("point", name=new, kind=term.kind)}
        return replace(term, name=new, parts=tuple(substitute(part, inner) for part in term.parts))
    if not term.parts:
        return term
    return replace(term, parts=tuple(substitute(part, values) for part in term.parts))


def put_function(term: Term, name: str, arguments: tuple[str, ...], body: Term) -> Term:
    """The term with a function replaced by what it is to be: ``body`` at its arguments."""
    if term.head in BINDERS:
        new = fresh(term.name)
        parts = tuple(substitute(part, {term.name: Term("point", name=new, kind=term.kind)}) for part in term.parts)
        return replace(term, name=new, parts=tuple(put_function(part, name, arguments, body) for part in parts))
    parts = tuple(put_function(part, name, arguments, body) for part in term.parts)
    if term.head == "apply" and term.name == name:
        return substitute(body, dict(zip(arguments, parts, strict=True)))
    return replace(term, parts=parts) if parts else term


def with_names(term: Term, functions: Mapping[str, str]) -> Term:
    """The term with functions under other names."""
    if not functions:
        return term
    parts = tuple(with_names(part, functions) for part in term.parts)
    name = functions.get(term.name, term.name) if term.head == "apply" else term.name
    return replace(term, parts=parts, name=name) if parts else term


def in_links(links: tuple[Link, ...], change: Callable[[Term], Term]) -> tuple[Link, ...]:
    """Links with both sides changed by a function of terms."""
    return tuple(Link(change(link.left), link.relation, change(link.right)) for link in links)


_STRENGTH: Final = {"+": 10, "-": 10, "*": 20, "/": 20, "neg": 25, "^": 30}


def written(term: Term, binding: int = 0) -> str:
    """A term as text that can be read again.

    Examples
    --------
    >>> written(Term("mean", (Term("apply", (Term("point", name="w", kind="mu"),), name="f"),), name="w", kind="mu"))
    'mean(w: mu, f(w))'
    """
    head, parts = term.head, term.parts
    if head == "number":
        text = str(term.value)
        return f"({text})" if binding and (term.value < 0 or term.value.denominator != 1) else text
    if head in ("name", "point"):
        return term.name.partition("~")[0]  # what was bound is called otherwise inside, with a number after this sign
    if head in CONSTANTS:
        return head
    if head == "apply":
        return f"{term.name}({', '.join(written(part) for part in parts)})"
    if head in FUNCTIONS:
        return f"{head}({', '.join(written(part) for part in parts)})"
    if head in BINDERS:
        return f"{head}({term.name.partition('~')[0]}: {term.kind}, {written(parts[0])})"
    if head == "at most":
        return f"[{written(parts[0])} <= {written(parts[1])}]"
    own = _STRENGTH[head]
    if head == "neg":
        text = f"-{written(parts[0], own)}"
    else:
        left, right = written(parts[0], own - (head != "^")), written(parts[1], own - (head == "^"))
        text = f"{left}{head}{right}" if own > 10 else f"{left} {head} {right}"
    return f"({text})" if own <= binding else text
