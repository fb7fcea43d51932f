"""Identities, decided exactly: expressions as quotients of polynomials in variables and atoms.

Why an identity found here holds at every point where both sides are defined: a point gives every variable and every
atom (a generator that stands for the value of a defined subexpression, or for an exponential of defined things) a real
number. Polynomials in generators are evaluated there by a homomorphism; the only relations used besides, sqrt(u)^2 = u
and exp(log(u)/k)^k = u, hold for those numbers; and every denominator formed is a product of numerators of what is
divided by and of denominators formed before, none of which is 0 at the point. Cancelling common factors keeps that
true.

Powers u^(v + k) with integers k are written as P * u^k, where P stands for u^v (which need not be defined at the point,
and k may be below 0). Were all of them written with the one of the least k instead, W = P * u^k, they would be
polynomials in W and u, and W has a value at the point, with W * u^j the values of the others (0^0 = 1 included: 0^1 = 1
* 0). The two ways to write are related by P = W / u^k, an isomorphism of the fields of rational functions: an identity
of one is an identity of the other. So it is with factorials (v + k)!, written as v! (v + 1)...(v + k). That needs
fields: u must not be 0 (0^(v + 1) is 1 where v is -1, and not 0 * 0^v), nor a divisor of 0, such as sqrt(x^2) - x.
There are some where roots are: with a root among the atoms no power or factorial is taken apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

import flint

from dpcheck.proof.prover.checker_formula import Operation, operations
from dpcheck.proof.prover.checker_intervals import constant
from dpcheck.proof.prover.checker_syntax import INDEXED, CheckFailed, Tree, postorder, replaced, variable

T = TypeVar("T")
Polynomial = Any

#: Limits of one identity, so that none runs for hours: products of terms in all, terms of a power, exponents, bits of
#: coefficients, atoms.
_MOST_PAIRS, _MOST_TERMS, _HIGHEST_POWER, _MOST_BITS, _MOST_ATOMS = 20_000_000, 20_000, 100_000, 50_000, 256
#: (v + k)! is written with v! for k up to this.
_MOST_FACTORS = 20
#: A common divisor is sought only for polynomials of so few terms and so low degree.
_GCD_TERMS, _GCD_DEGREE = 2000, 2000
#: Exponentials whose rational multiples need a larger common denominator are kept whole; so are very long sums.
_LARGEST_SCALE, _MOST_SUMMANDS = 10_000, 100


class _Retry(Exception):
    """The field is to be built again, with more generators or a finer scale."""

    def __init__(self, scale: int) -> None:
        self.scale = scale


class _Index(Exception):
    """The field is to be built again, with a generator for the index of a sum or product."""

    def __init__(self, name: str) -> None:
        self.name = name


@dataclass(frozen=True, eq=False)
class Quotient:
    """``above / below``, polynomials of one field; ``below`` is not 0."""

    above: Polynomial
    below: Polynomial


@dataclass(frozen=True, eq=False)
class _Atom:
    kind: str
    arguments: tuple[Quotient, ...]
    place: int
    #: The atom to this power is that quotient of atoms made before.
    degree: int = 0
    root_of: Quotient | None = None


class Field:
    """Rational functions in variables and in as many atoms as ``room`` allows.

    Exponentials are powers of generators that stand for ``exp(key / scale)``, so that rational multiples of one summand
    are integer powers.
    """

    def __init__(self, names: Iterable[str], room: int, scale: int, powers: bool = True) -> None:
        self.powers = powers
        self.names = sorted(names)
        generators = [f"v{i}" for i in range(len(self.names))] + [f"a{i}" for i in range(room)]
        self.context: Any = flint.fmpq_mpoly_ctx.get(generators, flint.Ordering.degrevlex)
        self.generators: tuple[Polynomial, ...] = self.context.gens()
        self.one: Polynomial = self.context.constant(1)
        self.scale = scale
        #: Whether a power or factorial was written with another one.
        self.apart = False
        self.pairs = 0
        self.atoms: list[_Atom] = []
        self.memory: dict[Tree, Quotient] = {}

    # Arithmetic

    def number(self, value: Fraction | int) -> Quotient:
        """A rational number."""
        value = Fraction(value)
        return Quotient(self.context.constant(flint.fmpq(value.numerator, value.denominator)), self.one)

    def times(self, a: Polynomial, b: Polynomial) -> Polynomial:
        """The product of polynomials, refused where it could be too large."""
        if a is self.one:
            return b
        if b is self.one:
            return a
        self.pairs += len(a) * len(b)
        if self.pairs > _MOST_PAIRS:
            raise CheckFailed("an identity has too many terms")
        if not a or not b:
            return a * b
        if max(a.total_degree(), b.total_degree()) > _HIGHEST_POWER or _bits(a) + _bits(b) > _MOST_BITS:
            raise CheckFailed("an identity has too high powers or too long coefficients")
        return a * b

    def quotient(self, above: Polynomial, below: Polynomial) -> Quotient:
        """``above / below`` with roots reduced and common factors cancelled; refused for a zero denominator."""
        (above, first), (below, second) = self._reduced(above), self._reduced(below)
        above, below = self.times(above, second), self.times(below, first)
        if not below:
            raise CheckFailed("an identity divides by 0")
        if not above:
            return Quotient(above, self.one)
        if not below.is_constant() and all(
            len(side) <= _GCD_TERMS and side.total_degree() <= _GCD_DEGREE for side in (above, below)
        ):
            common = above.gcd(below)
            if not common.is_constant():
                above, below = divmod(above, common)[0], divmod(below, common)[0]
        lead = below.leading_coefficient()
        return Quotient(above / lead, self.one if below.is_constant() else below / lead)

    def _reduced(self, polynomial: Polynomial) -> tuple[Polynomial, Polynomial]:
        """A quotient equal to the polynomial in which no root has so high a power that it can be replaced."""
        below = self.one
        # A root is of atoms made before it: the last root first, and none comes back.
        for atom in reversed(self.atoms):
            inside = atom.root_of
            if inside is None or not polynomial or polynomial.degrees()[atom.place] < atom.degree:
                continue
            layers: dict[int, dict[tuple[int, ...], Any]] = {}
            for powers, coefficient in polynomial.terms():
                exponents = [int(power) for power in powers]
                times, exponents[atom.place] = divmod(exponents[atom.place], atom.degree)
                layers.setdefault(times, {})[tuple(exponents)] = coefficient
            most = max(layers)
            polynomial = self.context.constant(0)
            for times, layer in layers.items():
                factor = self.times(self.raised(inside.above, times), self.raised(inside.below, most - times))
                polynomial += self.times(self.context.from_dict(layer), factor)
            below = self.times(below, self.raised(inside.below, most))
        return polynomial, below

    def raised(self, base: Polynomial, exponent: int) -> Polynomial:
        """A natural power of a polynomial, refused where it could be too large."""
        if exponent == 0:
            return self.one
        if not base:
            return base
        terms = len(base)
        if exponent * max(1, int(base.total_degree())) > _HIGHEST_POWER or exponent * _bits(base) > _MOST_BITS:
            raise CheckFailed("an identity has too high powers")
        if terms > 1 and (exponent > 1000 or math.comb(terms + exponent - 1, exponent) > _MOST_TERMS):
            raise CheckFailed("an identity has too many terms")
        self.pairs += terms * math.comb(terms + exponent - 1, exponent) if terms > 1 else 0
        return base**exponent

    def add(self, a: Quotient, b: Quotient) -> Quotient:
        """The sum."""
        if a.below == b.below:
            return self.quotient(a.above + b.above, a.below)
        above = self.times(a.above, b.below) + self.times(b.above, a.below)
        return self.quotient(above, self.times(a.below, b.below))

    def negated(self, a: Quotient) -> Quotient:
        """Minus a quotient."""
        return Quotient(-a.above, a.below)

    def multiply(self, a: Quotient, b: Quotient) -> Quotient:
        """The product."""
        return self.quotient(self.times(a.above, b.above), self.times(a.below, b.below))

    def divide(self, a: Quotient, b: Quotient) -> Quotient:
        """The quotient."""
        return self.quotient(self.times(a.above, b.below), self.times(a.below, b.above))

    def power(self, a: Quotient, exponent: int) -> Quotient:
        """An integer power."""
        above, below = self.raised(a.above, abs(exponent)), self.raised(a.below, abs(exponent))
        return self.quotient(above, below) if exponent >= 0 else self.quotient(below, above)

    def equal(self, a: Quotient, b: Quotient) -> bool:
        """Whether two quotients are the same function of the atoms."""
        rest = self.times(a.above, b.below) - self.times(b.above, a.below)
        return not self._reduced(rest)[0]

    def rational(self, a: Quotient) -> Fraction | None:
        """The value of a quotient that is a rational number."""
        if not a.above:
            return Fraction(0)
        if not a.above.is_constant() or not a.below.is_constant():
            return None
        return fraction_of(a.above.leading_coefficient() / a.below.leading_coefficient())

    # Expressions

    def atom(self, kind: str, *arguments: Quotient, degree: int = 0, root_of: Quotient | None = None) -> Polynomial:
        """The generator of an atom; an atom of the same kind with identical arguments is the same one."""
        for known in self.atoms:
            if known.kind == kind and all(map(self.equal, known.arguments, arguments)):
                return self.generators[known.place]
        place = len(self.names) + len(self.atoms)
        if place >= len(self.generators):
            raise _Retry(self.scale)
        self.atoms.append(_Atom(kind, arguments, place, degree, root_of))
        return self.generators[place]

    def of(self, tree: Tree) -> Quotient:
        """The quotient of a tree. Raises CheckFailed where it would be too large or divides by 0."""
        found = self.memory.get(tree)
        if found is None:
            found = self.memory[tree] = self._of(tree)
        return found

    def _of(self, tree: Tree) -> Quotient:
        if tree.head in INDEXED:
            return self._indexed(tree)
        parts = [self.of(part) for part in tree.parts]
        match tree.head:
            case "number":
                return self.number(tree.value)
            case "variable":
                return Quotient(self.generators[self.names.index(tree.name)], self.one)
            case "e":
                return self._exponential(self.number(1))
            case "neg":
                return self.negated(parts[0])
            case "+":
                return self.add(parts[0], parts[1])
            case "-":
                return self.add(parts[0], self.negated(parts[1]))
            case "*":
                return self.multiply(parts[0], parts[1])
            case "/":
                return self.divide(parts[0], parts[1])
            case "^":
                return self._power(tree, parts[0], parts[1])
            case "exp":
                return self._exponential(parts[0])
            case "log":
                return self._logarithm(parts[0])
            case "sqrt":
                return self._root(parts[0])
            case "fact":
                return self._factorial(parts[0])
            case _:
                return Quotient(self.atom(tree.head, *parts), self.one)

    def _indexed(self, tree: Tree) -> Quotient:
        """A sum or product: an atom, the same for identical ends and terms, whatever the index is called.

        Identical terms are equal at every index at which both are defined, so the sums are, where both are.
        """
        name = f"#{_nesting(tree.parts[2])}"  # no variable's name, and another one than those of sums in the term
        if name not in self.names:
            raise _Index(name)
        term = replaced(tree.parts[2], {variable(tree.name): variable(name)})
        return Quotient(self.atom(tree.head, *map(self.of, (*tree.parts[:2], term))), self.one)

    def _power(self, tree: Tree, base: Quotient, exponent: Quotient) -> Quotient:
        # A power whose exponent's value is an integer is the repeated product wherever it is defined (0^0 = 1).
        value = self.rational(exponent)
        if value is not None and value.denominator == 1:
            return self.power(base, int(value))
        if tree.parts[0].head == "e":
            return self._exponential(exponent)
        if value == Fraction(1, 2):
            return self._root(base)
        constant = self.rational(base)
        if constant == 1:
            return base
        if constant is not None and constant > 0:
            return self._exponential(self.multiply(exponent, self._logarithm(base)))  # c^v = exp(v log(c)), c > 0
        if base.above and self.above_zero(base):
            return self._exponential(self.multiply(exponent, self._logarithm(base)))  # of c * exp(v), c > 0
        steps = self._steps(exponent) if self.powers and base.above else 0
        if steps:
            self.apart = True
            rest = self.add(exponent, self.number(-steps))
            return self.multiply(Quotient(self.atom("^", base, rest), self.one), self.power(base, steps))
        return Quotient(self.atom("^", base, exponent), self.one)

    def _factorial(self, argument: Quotient) -> Quotient:
        """(v + k)! as v! (v + 1)...(v + k), or divided by so many for k below 0."""
        steps = self._steps(argument) if self.powers and self.rational(argument) is None else 0
        if abs(steps) > _MOST_FACTORS:
            steps = 0
        self.apart = self.apart or steps != 0
        rest = self.add(argument, self.number(-steps))
        found = Quotient(self.atom("fact", rest), self.one)
        for step in range(1, steps + 1):
            found = self.multiply(found, self.add(rest, self.number(step)))
        for step in range(steps + 1, 1):
            found = self.divide(found, self.add(rest, self.number(step)))
        return found

    def _steps(self, exponent: Quotient) -> int:
        """The integer part of the constant term of a polynomial exponent."""
        if not exponent.below.is_constant():
            return 0
        constant_terms = [c for powers, c in exponent.above.terms() if not any(powers)]
        below = exponent.below.leading_coefficient()
        return math.floor(fraction_of(constant_terms[0] / below)) if constant_terms else 0

    def _root(self, inside: Quotient) -> Quotient:
        value = self.rational(inside)
        if value is not None:
            if value < 0:
                raise CheckFailed("an identity has the root of a negative number")
            above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
            if above * above == value.numerator and below * below == value.denominator:
                return self.number(Fraction(above, below))
        # sqrt(s^2 * u) = s * sqrt(u) for rational s > 0
        outside = Fraction(1)
        content = content_of(inside.above) / content_of(inside.below)
        for side, sign in ((content.numerator, 1), (content.denominator, -1)):
            for prime, power in prime_factors(side):
                outside *= Fraction(prime) ** (sign * power // 2)
        inside = self.multiply(inside, self.number(1 / outside**2))
        root = Quotient(self.atom("sqrt", inside, degree=2, root_of=inside), self.one)
        return root if outside == 1 else self.multiply(self.number(outside), root)

    def _exponential(self, exponent: Quotient) -> Quotient:
        """exp of a quotient, split into the summands of its numerator."""
        terms = list(exponent.above.terms())
        if len(terms) > _MOST_SUMMANDS:
            return Quotient(self.atom("exp whole", exponent), self.one)
        above, below = self.one, self.one
        found = Quotient(self.one, self.one)
        for powers, coefficient in terms:
            multiple = fraction_of(coefficient)
            key = self.quotient(self.context.from_dict({tuple(powers): flint.fmpq(1)}), exponent.below)
            inside = self.inside_of_logarithm(key)
            if inside is not None and multiple.denominator == 1:
                found = self.multiply(found, self.power(inside, int(multiple)))  # exp(k log(u)) = u^k, as u > 0
                continue
            steps = multiple * self.scale
            if steps.denominator != 1:
                finer = self.scale * steps.denominator
                if finer <= _LARGEST_SCALE:
                    raise _Retry(finer)
            if steps.denominator != 1 or abs(steps) > _HIGHEST_POWER:
                above = self.times(above, self.atom("exp whole", self.multiply(key, self.number(multiple))))
                continue
            generator = self.atom("exp", key, degree=self.scale, root_of=inside)
            if steps > 0:
                above = self.times(above, self.raised(generator, int(steps)))
            else:
                below = self.times(below, self.raised(generator, -int(steps)))
        return self.multiply(found, self.quotient(above, below))

    def inside_of_logarithm(self, key: Quotient) -> Quotient | None:
        """u, where the key is log(u)."""
        if key.below == self.one:
            for known in self.atoms:
                if known.kind == "log" and key.above == self.generators[known.place]:
                    return known.arguments[0]
        return None

    def _logarithm(self, inside: Quotient) -> Quotient:
        """log of a quotient c * exp(v) * u with a rational c > 0, as log(c) + v + log(u), or - log(1/u)."""
        value = self.rational(inside)
        if value is not None and value <= 0:
            raise CheckFailed("an identity has the logarithm of a number that is not above 0")
        coefficient, found, core = self.split(inside)
        for side, sign in ((coefficient.numerator, 1), (coefficient.denominator, -1)):
            for prime, power in prime_factors(side):
                prime_log = Quotient(self.atom("log", self.number(prime)), self.one)
                found = self.add(found, self.multiply(self.number(sign * power), prime_log))
        if self.rational(core) == 1:
            return found
        # Where the logarithm is defined, u > 0, so its numerator is not 0 and 1/u is defined.
        turned = self.quotient(core.below, core.above)
        for known in self.atoms:
            if known.kind == "log" and self.equal(known.arguments[0], turned):
                return self.add(found, Quotient(-self.generators[known.place], self.one))
        return self.add(found, Quotient(self.atom("log", core), self.one))

    def split(self, value: Quotient) -> tuple[Fraction, Quotient, Quotient]:
        """c > 0 rational, v and u, such that the quotient (which is not 0) is c * exp(v) * u."""
        exponent = self.number(0)
        sides = []
        coefficient = Fraction(1)
        for side, sign in ((value.above, 1), (value.below, -1)):
            lead = abs(fraction_of(side.leading_coefficient()))
            coefficient *= lead**sign
            rest = side / flint.fmpq(lead.numerator, lead.denominator)
            monomials = [[int(power) for power in powers] for powers in rest.monoms()]
            for known in self.atoms:
                if known.kind not in ("exp", "exp whole"):
                    continue
                least = min(powers[known.place] for powers in monomials)
                if least:
                    rest = divmod(rest, self.raised(self.generators[known.place], least))[0]
                    multiple = Fraction(sign * least, self.scale if known.kind == "exp" else 1)
                    exponent = self.add(exponent, self.multiply(self.number(multiple), known.arguments[0]))
            sides.append(rest)
        return coefficient, exponent, self.quotient(sides[0], sides[1])

    def above_zero(self, value: Quotient) -> bool:
        """Whether a quotient is c * exp(v) with a rational c > 0."""
        return bool(value.above) and self.rational(self.split(value)[2]) == 1


def _nesting(tree: Tree) -> int:
    """How deep sums and products are nested in a tree."""
    return (tree.head in INDEXED) + max((_nesting(part) for part in tree.parts), default=0)


def fraction_of(value: Any) -> Fraction:
    """The rational number of a coefficient.

    >>> fraction_of(flint.fmpq(1, 2))
    Fraction(1, 2)
    """
    return Fraction(int(value.p), int(value.q))


def content_of(polynomial: Polynomial) -> Fraction:
    """The rational number above 0 by which the coefficients are coprime integers.

    >>> content_of(flint.fmpq_mpoly_ctx.get(["x"], flint.Ordering.lex).from_dict({(1,): 4, (0,): 6}))
    Fraction(2, 1)
    """
    values = [fraction_of(coefficient) for coefficient in polynomial.coeffs()]
    return Fraction(math.gcd(*(v.numerator for v in values)), math.lcm(*(v.denominator for v in values)))


def _bits(polynomial: Polynomial) -> int:
    if not polynomial:
        return 1
    return max(max(int(c.p).bit_length(), int(c.q).bit_length()) for c in polynomial.coeffs())


def prime_factors(value: int) -> list[tuple[int, int]]:
    """Factors of a natural number: its primes, where it is small; small primes and a rest otherwise.

    >>> prime_factors(12)
    [(2, 2), (3, 1)]
    """
    found: list[tuple[int, int]] = []
    if value.bit_length() > 64:
        for prime in (2, 3, 5, 7, 11, 13):
            power = 0
            while value % prime == 0:
                value, power = value // prime, power + 1
            if power:
                found.append((prime, power))
        if value.bit_length() > 64:
            return [*found, (value, 1)]
    return found + [(int(prime), int(power)) for prime, power in flint.fmpz(value).factor()] if value > 1 else found


def in_field(names: Iterable[str], work: Callable[[Field], T], powers: bool = True) -> T:
    """Runs work in a field that is large and fine enough for it.

    Parameters
    ----------
    names : the variables
    work : what to do; it may be run several times
    powers : whether u^(v + k) is u^v * u^k for integers k

    Raises CheckFailed when no field of moderate size will do.

    >>> in_field([], lambda field: field.rational(field.of(Tree("*", (Tree("e"), Tree("e"))))) is None)
    True
    """
    names = sorted(names)
    room, scale = 16, 1
    while room <= _MOST_ATOMS:
        try:
            field = Field(names, room, scale, powers)
            found = work(field)
            if not field.apart or all(atom.root_of is None for atom in field.atoms):
                return found
            powers = False  # with roots, what is divided by may be a divisor of 0
        except _Retry as retry:
            if retry.scale == scale:
                room *= 2
            scale = retry.scale
        except _Index as index:
            names.append(index.name)
        except (OverflowError, MemoryError) as error:
            raise CheckFailed(f"an identity is too large: {error}") from None
    raise CheckFailed("an identity has too many different functions in it")


def identical(left: Tree, right: Tree) -> bool:
    """Whether two expressions are equal wherever both are defined, as far as this page's rules tell.

    >>> from dpcheck.proof.prover.checker_syntax import parse
    >>> identical(parse("(x + 1)^2/exp(-x)", {"x"}), parse("exp(x)*(x^2 + 2*x + 1)", {"x"}))
    True
    """
    if left == right:
        return True
    return in_field(left.variables | right.variables, lambda field: field.equal(field.of(left), field.of(right)))


def already_defined(operation: Operation, known: Iterable[Tree]) -> bool:
    """Whether an operation is defined (if its operands are) wherever the known trees are, up to identity.

    >>> from dpcheck.proof.prover.checker_syntax import parse
    >>> [new] = operations(parse("1/(2*x)", {"x"}))
    >>> already_defined(new, [parse("1/(x*y)", {"x", "y"})]), already_defined(new, [parse("1/y", {"y"})])
    (True, False)
    """
    trees = list(known)
    if operation.kind == "term":
        return _term_already_defined(operation.node, trees)
    names = operation.node.variables.union(*(tree.variables for tree in trees))

    def work(field: Field) -> bool:
        parts = [field.of(part) for part in operation.operands]
        facts = []
        for fact in (fact for tree in trees for fact in operations(tree)):
            if fact.kind == "term":
                continue
            try:
                facts.append((fact, [field.of(part) for part in fact.operands]))
            except CheckFailed:
                continue  # a fact too large to compare with is one fact less
        kinds = {"positive": ["positive"], "power": ["positive"], "nonnegative": ["positive", "nonnegative"]}
        if operation.kind == "nonzero":
            return _not_zero(field, parts[0], [fact[1][0] for fact in facts if fact[0].kind in ("nonzero", "positive")])
        for fact, values in facts:
            if fact.kind in kinds.get(operation.kind, ()) and values[0].above and parts[0].above:
                # The operand is what is known to be above (at least) 0 times c * exp(v), or so much divided by it.
                if field.above_zero(field.divide(parts[0], values[0])):
                    return True
                if field.above_zero(field.multiply(parts[0], values[0])):
                    return True
            same = fact.kind == operation.kind and len(values) == len(parts)
            if same and all(map(field.equal, values, parts)):
                return True
        return False

    # not with powers taken apart: u^(v + 1) that is not 0 says nothing about u, which may be 0 where v is -1
    return in_field(names, work, powers=False)


def _term_already_defined(new: Tree, known: list[Tree]) -> bool:
    """Whether the term of a sum or product is defined at every index because one with the same ends is."""
    index = variable("#" * (1 + max(len(name) for tree in (new, *known) for name in (*tree.variables, ""))))
    term = replaced(new.parts[2], {variable(new.name): index})
    for fact in (fact for tree in known for fact in operations(tree) if fact.kind == "term"):
        if all(map(identical, new.parts[:2], fact.node.parts[:2])):
            there = [replaced(fact.node.parts[2], {variable(fact.node.name): index}), *known]
            found = {node for tree in there for node in postorder(tree)}
            if all(each.node in found or constant(each) or already_defined(each, there) for each in operations(term)):
                return True
    return False


def _not_zero(field: Field, value: Quotient, facts: list[Quotient]) -> bool:
    """Whether all factors of a quotient's numerator divide what is known not to be 0, or are exponentials."""
    rest = value.above
    if not rest:
        return False
    for fact in facts:
        if field.equal(value, fact):
            return True
    known = [side for fact in facts for side in (fact.above, fact.below) if not side.is_constant()]
    known += [field.generators[atom.place] for atom in field.atoms if atom.kind.startswith("exp")]
    for side in known:
        while len(rest) <= _GCD_TERMS and len(side) <= _GCD_TERMS and not rest.is_constant():
            if max(rest.total_degree(), side.total_degree()) > _GCD_DEGREE:
                break
            common = rest.gcd(side)
            if common.is_constant():
                break
            rest = divmod(rest, common)[0]
    return bool(rest.is_constant())
