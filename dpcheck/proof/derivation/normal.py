"""Terms as sums of products: averages are linear, independent factors part, copies of a variable are alike.

Two terms with one normal form are equal for all laws, sets and functions of the declared kinds. What is used: averages
and sums over finite sets are linear and may be exchanged; a factor that does not depend on the variable comes out; the
average of 1 is 1, the sum of 1 the size of the set; the name of a bound variable does not matter; what is 0 or 1 is its
own square. Nothing is used that needs a hypothesis but the denominators, which must be seen not to be 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from typing import Any, Final, NamedTuple

from dpcheck.proof.derivation.terms import (
    EXTREMES,
    INTEGRALS,
    Binder,
    DerivationFailed,
    Objects,
    Term,
    fresh,
    substitute,
    written,
)
from dpcheck.proof.prover.language import CONSTANTS

#: An atom: a tuple that begins with its kind. A monomial: atoms with their powers, sorted. A sum: its coefficients.
Atom = tuple[Any, ...]
Monomial = tuple[tuple[Atom, int], ...]
Sum = dict[Monomial, Fraction]
#: What binds a variable: "mean" or "total", the law or set, and the variable's name.
Bound = tuple[str, str, str]

#: Variables that one product of averages may have: all orders of them are tried.
MOST_BOUND: Final = 5
#: Terms of a sum, atoms of which all values 0 and 1 are tried.
MOST_TERMS, MOST_TRIED = 400, 6
#: Powers of sums that are multiplied out, and of numbers (and bits of these) that are worked out.
MOST_POWER, _MOST_FOLDED = 12, 4_000
_ONE: Monomial = ()


@dataclass(frozen=True)
class Range:
    """All numbers from ``low`` to ``high`` (None where there is no bound); whether 0 is left out, whether integers."""

    low: Fraction | None
    high: Fraction | None
    nonzero: bool = False
    integer: bool = False

    @property
    def at_least_zero(self) -> bool:
        """Whether no number of it is below 0."""
        return self.low is not None and self.low >= 0


class Nest(NamedTuple):
    """An average of a product over variables in an order, and as an atom, where they have names by their places."""

    binders: tuple[Bound, ...]
    product: Monomial
    atom: Atom


class Parted(NamedTuple):
    """An average of a product, as a product of averages.

    Before: over ``bound``, the factors ``own`` and those of the ``nests`` that were opened. After: ``outside``, what
    depends on no variable; ``groups``, each of variables that no other depends on; ``left``, which nothing depends on.
    """

    bound: tuple[Bound, ...]
    own: Monomial
    nests: tuple[Nest, ...]
    outside: Monomial
    groups: tuple[Nest, ...]
    left: tuple[Bound, ...]


def constant(value: Fraction | int) -> Sum:
    """A number."""
    return {_ONE: Fraction(value)} if value else {}


def of_atom(atom: Atom) -> Sum:
    """An atom alone."""
    return {((atom, 1),): Fraction(1)}


def key(total: Sum) -> tuple[Any, ...]:
    """A sum as a value that can be compared and hashed."""
    return tuple(sorted(total.items(), key=repr))


def of_key(found: Iterable[Any]) -> Sum:
    """The sum of a key."""
    return dict(found)


def add(left: Sum, right: Sum, factor: Fraction | int = 1) -> Sum:
    """``left + factor*right``."""
    found = dict(left)
    for monomial, coefficient in right.items():
        value = found.get(monomial, Fraction(0)) + factor * coefficient
        if value:
            found[monomial] = value
        else:
            found.pop(monomial, None)
    if len(found) > MOST_TERMS:
        raise DerivationFailed(f"a term has more than {MOST_TERMS} products when it is written out")
    return found


def number_of(total: Sum) -> Fraction | None:
    """The number that a sum is; None where it is none."""
    if not total:
        return Fraction(0)
    return total[_ONE] if len(total) == 1 and _ONE in total else None


def primitive(total: Sum, both_signs: bool = False) -> Sum:
    """A sum times a number above 0, so that its coefficients are coprime integers, whatever its atoms are called."""
    if not total:
        return total
    whole = math.lcm(*(a.denominator for a in total.values()))
    divisor = math.gcd(*(int(a * whole) for a in total.values()))
    factor = Fraction(whole, divisor)
    if both_signs and total[min(total, key=repr)] < 0:
        factor = -factor
    return {monomial: a * factor for monomial, a in total.items()}


class Normal:
    """Normal forms of terms over declared objects."""

    def __init__(self, objects: Objects) -> None:
        self.objects = objects
        self._known: dict[int, tuple[Term, Sum]] = {}

    def of(self, term: Term) -> Sum:
        """The normal form of a number.

        Raises
        ------
        DerivationFailed
            When a denominator may be 0 (or an argument of log or sqrt below it), or a term is too large.
        """
        found = self._known.get(id(term))
        if found is None:  # the term is kept too, so that nothing else gets its place
            found = self._known[id(term)] = (term, self._of(term))
        return found[1]

    def _of(self, term: Term) -> Sum:
        head, parts = term.head, term.parts
        if head == "number":
            return constant(term.value)
        if head == "name":
            return of_atom(("name", term.name))
        if head in CONSTANTS:
            return of_atom(("constant", head))
        if head == "apply":
            return of_atom(("apply", term.name, *(self.argument(part) for part in parts)))
        if head in INTEGRALS:
            return self.integral(head, term)
        if head in EXTREMES:
            return self.extreme(head, term)
        inner = [self.of(part) for part in parts]
        if head == "at most":
            return self.at_most(add(inner[0], inner[1], -1))
        if head == "neg":
            return add({}, inner[0], -1)
        if head in "+-":
            return add(inner[0], inner[1], 1 if head == "+" else -1)
        if head == "*":
            return self.times(inner[0], inner[1])
        if head == "/":
            return self.times(inner[0], self.inverse(inner[1], parts[1]))
        if head == "^":
            return self.power(inner[0], inner[1], term)
        self.check_defined(term, inner)
        return of_atom(("function", head, *(key(each) for each in inner)))

    def argument(self, term: Term) -> Atom:
        """A point (or an integer), as part of an atom."""
        if term.head == "point":
            return ("point", term.name)
        if term.head == "apply" and isinstance(self.objects.functions[term.name].values, str):
            return ("apply", term.name, *(self.argument(part) for part in term.parts))
        total = self.of(term)
        if not self.range_of_sum(total).integer:
            raise DerivationFailed(f"it is not seen that {written(term)} is an integer")
        return ("integer", key(total))

    # Products

    def times(self, left: Sum, right: Sum) -> Sum:
        """The product, multiplied out."""
        found: Sum = {}
        for one, a in left.items():
            for other, b in right.items():  # two products may be one, of what is its own square
                found = add(found, {self.joined(one, other): a * b})
        return found

    def joined(self, one: Monomial, other: Monomial) -> Monomial:
        """The product of two products of atoms."""
        powers: dict[Atom, int] = {}
        for atom, power in (*one, *other):
            powers[atom] = powers.get(atom, 0) + power
        kept = []
        for atom, power in powers.items():
            reduced = 1 if power > 1 and self.zero_or_one(atom) else power
            if reduced:
                kept.append((atom, reduced))
        return tuple(sorted(kept, key=repr))

    def zero_or_one(self, atom: Atom) -> bool:
        """Whether an atom is 0 or 1."""
        found = self.range_of(atom)
        return found.integer and found.at_least_zero and found.high is not None and found.high <= 1

    def inverse(self, below: Sum, term: Term) -> Sum:
        """One over a sum that is seen not to be 0."""
        if not self.range_of_sum(below).nonzero:
            raise DerivationFailed(f"it is not seen that {written(term)} is not 0: declare a domain without 0")
        value = number_of(below)
        if value is not None:
            return constant(1 / value)
        if len(below) == 1:
            ((monomial, coefficient),) = below.items()
            return {tuple((atom, -power) for atom, power in monomial): 1 / coefficient}
        return of_atom(("inverse", key(below)))

    def power(self, base: Sum, exponent: Sum, term: Term) -> Sum:
        """A power; of an integer that is written it is multiplied out."""
        value, known = number_of(exponent), number_of(base)
        if value is not None and known and value.denominator == 1:
            bits = max(known.numerator.bit_length(), known.denominator.bit_length())
            if abs(value) * bits <= _MOST_FOLDED:
                return constant(known ** int(value))
        if value is not None and value.denominator == 1 and abs(value) <= MOST_POWER:
            found = constant(1)
            one = base if value >= 0 else self.inverse(base, term.parts[0])
            for _ in range(abs(int(value))):
                found = self.times(found, one)
            return found
        if term.parts[0].head == "e":
            return of_atom(("function", "exp", key(exponent)))
        bounds, counted = self.range_of_sum(base), self.range_of_sum(exponent)
        whole = counted.integer and counted.at_least_zero
        if not (bounds.at_least_zero and (bounds.nonzero or whole)):
            raise DerivationFailed(f"it is not seen that {written(term.parts[0])} is above 0, in {written(term)}")
        return of_atom(("function", "^", key(base), key(exponent)))

    def check_defined(self, term: Term, inner: list[Sum]) -> None:
        """Refuse a logarithm or root of what may be below 0."""
        if term.head in ("log", "sqrt"):
            bounds = self.range_of_sum(inner[0])
            if not bounds.at_least_zero or (term.head == "log" and not bounds.nonzero):
                raise DerivationFailed(f"it is not seen that {written(term)} is defined")
        if term.head in ("binom", "fact") and not all(
            self.range_of_sum(each).at_least_zero and self.range_of_sum(each).integer for each in inner
        ):
            raise DerivationFailed(f"it is not seen that {written(term)} is defined")

    def at_most(self, difference: Sum) -> Sum:
        """1 where a sum is at most 0, else 0."""
        value = number_of(difference)
        if value is not None:
            return constant(1 if value <= 0 else 0)
        return of_atom(("at most", key(primitive(difference))))

    # Averages, sums, extremes

    def integral(self, head: str, term: Term) -> Sum:
        """A mean or total, with what does not depend on its variable outside."""
        new = fresh(term.name)
        inside = substitute(term.parts[0], {term.name: Term("point", name=new, kind=term.kind)})
        inner = Normal(self.objects.with_binders((Binder(new, term.kind),))).of(inside)
        found: Sum = {}
        for monomial, coefficient in inner.items():
            found = add(found, self.over(((head, term.kind, new),), monomial), coefficient)
        return found

    def over(self, binders: tuple[Bound, ...], monomial: Monomial) -> Sum:
        """The average of a product over variables."""
        parts = self.parted(binders, monomial)
        found: Sum = {parts.outside: Fraction(1)}
        for _, _, atom in parts.groups:
            found = self.times(found, of_atom(atom))
        for head, kind, _ in parts.left:
            if head == "total":
                found = self.times(found, self.of(self.objects.sets[kind]))
        return found

    def parted(self, binders: tuple[Bound, ...], monomial: Monomial) -> Parted:
        """The average of a product: averages inside it are made averages of the whole, then it is parted."""
        bound, own, nests = list(binders), list[tuple[Atom, int]](), list[Nest]()
        names = {name for _, _, name in binders}
        for atom, power in monomial:
            if atom[0] == "integral" and power > 0 and depends(atom, names):
                for _ in range(power):
                    inner_binders, inner = opened(atom)
                    bound += inner_binders
                    names |= {name for _, _, name in inner_binders}
                    nests.append(Nest(tuple(inner_binders), inner, atom))
            else:
                own.append((atom, power))
        if len(bound) > MOST_BOUND:
            raise DerivationFailed(f"an average over more than {MOST_BOUND} variables at once")
        factors = own + [factor for nest in nests for factor in nest.product]
        outside = self.joined((), tuple(factor for factor in factors if not depends(factor[0], names)))
        groups = list[Nest]()
        rest = bound
        left = [factor for factor in factors if depends(factor[0], names)]
        while left:  # factors that share variables, together
            group, shared = [left.pop(0)], set[str]()
            while True:
                shared = {name for name in names if any(depends(atom, {name}) for atom, _ in group)}
                more = [factor for factor in left if depends(factor[0], shared)]
                if not more:
                    break
                group += more
                left = [factor for factor in left if factor not in more]
            mine = [binder for binder in rest if binder[2] in shared]
            rest = [binder for binder in rest if binder[2] not in shared]
            groups.append(closed(mine, self.inside(mine).joined((), tuple(group))))
        return Parted(tuple(bound), tuple(own), tuple(nests), outside, tuple(groups), tuple(rest))

    def inside(self, binders: Iterable[Bound]) -> Normal:
        """Normal forms where these variables are bound."""
        objects = self.objects
        for _, kind, name in binders:
            objects = objects.with_binders((Binder(name, kind),))
        return Normal(objects)

    def extreme(self, head: str, term: Term) -> Sum:
        """The largest or smallest value over a set."""
        new = fresh(term.name)
        inside = substitute(term.parts[0], {term.name: Term("point", name=new, kind=term.kind)})
        inner = Normal(self.objects.with_binders((Binder(new, term.kind),))).of(inside)
        if not any(depends(atom, {new}) for monomial in inner for atom, _ in monomial):
            return inner
        if head == "smallest":
            return add({}, self.largest(term.kind, new, add({}, inner, -1)), -1)
        return self.largest(term.kind, new, inner)

    def largest(self, kind: str, name: str, inner: Sum) -> Sum:
        """The largest value, with the number in it outside."""
        outside = inner.get(_ONE, Fraction(0))
        rest = {monomial: a for monomial, a in inner.items() if monomial}
        bound = f"~{_level(rest)}"
        return add(constant(outside), of_atom(("largest", kind, key(renamed(rest, {name: bound})), bound)))

    # Ranges

    def range_of_sum(self, total: Sum) -> Range:
        """Bounds of a sum, from those of its atoms; all values of a few that are 0 or 1 are tried."""
        tried = self._tried(total)
        if tried is not None:
            return Range(min(tried), max(tried), 0 not in tried, all(value.denominator == 1 for value in tried))
        low: Fraction | None = Fraction(0)
        high: Fraction | None = Fraction(0)
        integer, positive, negative, strict = True, True, True, False
        for monomial, coefficient in total.items():
            found = self._range_of_product(monomial)
            a, b = (found.low, found.high) if coefficient > 0 else (found.high, found.low)
            low = None if low is None or a is None else low + a * coefficient
            high = None if high is None or b is None else high + b * coefficient
            integer = integer and found.integer and coefficient.denominator == 1
            above = a is not None and a * coefficient >= 0
            below = b is not None and b * coefficient <= 0
            positive, negative = positive and above, negative and below
            strict = strict or found.nonzero
        nonzero = (low is not None and low > 0) or (high is not None and high < 0)
        nonzero = nonzero or ((positive or negative) and strict)
        return Range(low, high, nonzero, integer)

    def _tried(self, total: Sum) -> set[Fraction] | None:
        atoms = sorted({atom for monomial in total for atom, _ in monomial}, key=repr)
        if len(atoms) > MOST_TRIED or not all(self.zero_or_one(atom) for atom in atoms):
            return None
        values = set()
        for ones in product((0, 1), repeat=len(atoms)):
            at = dict(zip(atoms, ones, strict=True))
            values.add(
                sum((a for monomial, a in total.items() if all(at[atom] for atom, _ in monomial)), start=Fraction(0))
            )
        return values

    def _range_of_product(self, monomial: Monomial) -> Range:
        found = Range(Fraction(1), Fraction(1), True, True)
        for atom, power in monomial:
            each = self.range_of(atom)
            if power < 0:
                each = _inverse(each)
            for _ in range(abs(power)):
                found = _product(found, each)
            if power % 2 == 0 and len(monomial) == 1:
                found = Range(max(Fraction(0), found.low or Fraction(0)), found.high, found.nonzero, found.integer)
        return found

    def range_of(self, atom: Atom) -> Range:
        """Bounds of an atom."""
        head = atom[0]
        if head == "name":
            return _of_domain(self.objects.numbers[atom[1]])
        if head == "apply":
            return _of_domain(self.objects.functions[atom[1]].values)
        if head == "at most":
            return Range(Fraction(0), Fraction(1), False, True)
        if head == "integral":
            return self._range_of_integral(atom)
        if head == "largest":
            return self.inside([("total", atom[1], atom[3])]).range_of_sum(of_key(atom[2]))
        if head == "inverse":
            return _inverse(self.range_of_sum(of_key(atom[1])))
        if head == "constant":
            return Range(Fraction(2), Fraction(4), True)
        return self._range_of_function(atom)

    def _range_of_integral(self, atom: Atom) -> Range:
        binders = [(head, kind, name) for (head, kind), name in zip(atom[1], _names_of(atom), strict=True)]
        inside = self.inside(binders)
        found = inside._range_of_product(atom[2])
        if all(head == "mean" for head, _ in atom[1]):
            return Range(found.low, found.high, found.nonzero and (found.at_least_zero or _negative(found)), False)
        integer = found.integer and all(head == "total" for head, _ in atom[1])
        if found.at_least_zero:
            return Range(Fraction(0), None, found.nonzero, integer)
        return Range(None, Fraction(0) if _negative(found) else None, found.nonzero and _negative(found), integer)

    def _range_of_function(self, atom: Atom) -> Range:
        name = atom[1]
        inner = [self.range_of_sum(of_key(each)) for each in atom[2:]]
        if name == "exp":
            return Range(Fraction(0), None, True)
        if name == "^":
            base, exponent = inner
            counted = base.integer and exponent.integer and exponent.at_least_zero
            if not base.at_least_zero:
                return Range(None, None, base.nonzero, counted)
            least = int(exponent.at_least_zero and base.low is not None and base.low >= 1)
            return Range(Fraction(least), None, base.nonzero, counted)
        if name in ("abs", "sqrt"):
            return Range(Fraction(0), None, inner[0].nonzero, name == "abs" and inner[0].integer)
        if name in ("fact", "binom"):
            return Range(Fraction(0), None, name == "fact", True)
        if name in ("floor", "ceil"):
            return Range(None, None, False, True)
        if name in ("max", "min"):
            lows, highs = [each.low for each in inner], [each.high for each in inner]
            known = [low for low in lows if low is not None]
            capped = [high for high in highs if high is not None]
            integer = all(each.integer for each in inner)
            if name == "max":
                low = max(known) if known else None
                return Range(low, max(capped) if len(capped) == 2 else None, low is not None and low > 0, integer)
            return Range(min(known) if len(known) == 2 else None, min(capped) if capped else None, False, integer)
        return Range(None, None)


def _negative(found: Range) -> bool:
    return found.high is not None and found.high <= 0


def _of_domain(domain: Any) -> Range:
    low, high = domain.low, domain.high
    nonzero = (
        (low is not None and (low > 0 or (low == 0 and domain.low_open)))
        or (high is not None and (high < 0 or (high == 0 and domain.high_open)))
    )  # fmt: skip
    return Range(low, high, nonzero, domain.integer)


def _product(one: Range, other: Range) -> Range:
    nonzero, integer = one.nonzero and other.nonzero, one.integer and other.integer
    if None not in (one.low, one.high, other.low, other.high):
        ends = [a * b for a in (one.low, one.high) for b in (other.low, other.high)]  # type: ignore[operator]
        return Range(min(ends), max(ends), nonzero, integer)
    if one.at_least_zero and other.at_least_zero:
        assert one.low is not None
        assert other.low is not None
        return Range(one.low * other.low, None, nonzero, integer)
    return Range(None, None, nonzero, integer)


def _inverse(found: Range) -> Range:
    if found.at_least_zero and found.nonzero:
        assert found.low is not None
        low = Fraction(0) if found.high is None else 1 / found.high
        return Range(low, 1 / found.low if found.low else None, True)
    return Range(None, None, True)


# Bound variables


def depends(atom: Any, names: set[str]) -> bool:
    """Whether an atom speaks of one of these points."""
    if isinstance(atom, tuple):
        if len(atom) == 2 and atom[0] == "point":
            return atom[1] in names
        return any(depends(part, names) for part in atom)
    return False


def _level(part: Any) -> int:
    """One more than the level of any variable that is bound inside."""
    if isinstance(part, dict):
        part = tuple(part)
    if isinstance(part, tuple):
        if len(part) == 2 and part[0] == "point" and str(part[1]).startswith("~"):
            return int(str(part[1])[1:].partition(".")[0]) + 1
        return max((_level(each) for each in part), default=0)
    return 0


def renamed(part: Any, names: Mapping[str, str]) -> Any:
    """A part of a normal form with points renamed, and sorted again."""
    if isinstance(part, dict):
        return {renamed(monomial, names): a for monomial, a in part.items()}
    if not isinstance(part, tuple):
        return part
    if len(part) == 2 and part[0] == "point":
        return ("point", names.get(part[1], part[1]))
    inner = tuple(renamed(each, names) for each in part)
    if inner and all(
        isinstance(each, tuple) and len(each) == 2 and isinstance(each[1], int | Fraction) for each in inner
    ):
        return tuple(sorted(inner, key=repr))
    return inner


def closed(binders: list[Bound], monomial: Monomial) -> Nest:
    """An average over these variables, with its atom: of all orders of them the first in the order of texts."""
    level = _level(monomial)
    best: Nest | None = None
    for order in permutations(binders):
        names = {name: f"~{level}.{place}" for place, (_, _, name) in enumerate(order)}
        found = ("integral", tuple((head, kind) for head, kind, _ in order), renamed(monomial, names), level)
        if best is None or repr(found) < repr(best.atom):
            best = Nest(order, monomial, found)
    assert best is not None
    return best


def _names_of(atom: Atom) -> list[str]:
    return [f"~{atom[3]}.{place}" for place in range(len(atom[1]))]


def opened(atom: Atom) -> tuple[list[Bound], Monomial]:
    """What is averaged, and its variables under names that nothing else has."""
    names = {old: fresh("x") for old in _names_of(atom)}
    binders = [(head, kind, names[old]) for (head, kind), old in zip(atom[1], _names_of(atom), strict=True)]
    return binders, renamed(atom[2], names)
