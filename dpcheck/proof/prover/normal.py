"""Normal forms: expressions as quotients of polynomials over variables and atoms such as exp(x) and log(x)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from dpcheck.proof.prover.language import INDEXED, ONE, ZERO, Expression, number, operate, replace, subtrees

#: A polynomial: monomials (generators with their powers, sorted) and their coefficients.
Monomial = tuple[tuple[Expression, int], ...]

MOST_TERMS = 3_000
#: (v + k)! is written with v! for k up to this.
MOST_FACTORS = 20


@dataclass(frozen=True)
class Quotient:
    """Numerator and denominator over the same generators, coprime, the denominator's leading coefficient above 0."""

    generators: tuple[Expression, ...]
    top: Any
    bottom: Any


class TooLarge(Exception):
    """The normal form has more terms than it is worth."""


def _context(generators: Sequence[Expression]) -> Any:
    import flint

    return flint.fmpq_mpoly_ctx.get([f"g{i}" for i in range(len(generators))], "lex")


def atoms_of(node: Expression) -> list[Expression]:
    """The generators that the normal form of an expression needs, simplified, in a fixed order."""
    found: dict[str, Expression] = {}

    def visit(inner: Expression) -> None:
        operation = inner.operation
        if operation == "number":
            return
        if operation in ("+", "-", "*", "/", "neg"):
            for argument in inner.arguments:
                visit(argument)
            return
        if operation == "^" and inner.arguments[1].operation == "number" and inner.arguments[1].value.denominator == 1:
            visit(inner.arguments[0])
            return
        if operation == "log" and inner.arguments[0].operation == "number" and inner.arguments[0].value > 0:
            for prime, _ in _prime_powers(inner.arguments[0].value):
                found.setdefault(f"log({prime})", Expression("log", (number(prime),)))
            return
        found.setdefault(str(inner), inner)

    visit(node)
    return [found[text] for text in sorted(found)]


def _prime_powers(value: Fraction) -> list[tuple[int, int]]:
    """The factorisation of a positive rational into primes with powers; large numbers stay whole."""
    import flint

    factors: dict[int, int] = {}
    for part, sign in ((value.numerator, 1), (value.denominator, -1)):
        if part == 1:
            continue
        pieces = [(part, 1)] if part.bit_length() > 120 else [(int(p), int(k)) for p, k in flint.fmpz(part).factor()]
        for prime, power in pieces:
            factors[prime] = factors.get(prime, 0) + sign * power
    return [(prime, power) for prime, power in sorted(factors.items()) if power]


def canonical(node: Expression) -> Expression:
    """The expression with the arguments of its atoms in normal form, exponentials of sums split.

    Examples
    --------
    >>> from dpcheck.proof.prover.language import parse_expression
    >>> str(canonical(parse_expression("exp(x + y - x)*2", {"x", "y"})))
    'exp(y)*2'
    """
    return _canonical(node)


@lru_cache(maxsize=200_000)
def _canonical(node: Expression) -> Expression:
    if not node.arguments:
        return Expression("exp", (ONE,)) if node.operation == "e" else node
    operation = node.operation
    if operation in INDEXED:
        return Expression(operation, tuple(simplify(argument) for argument in node.arguments), name=node.name)
    arguments = tuple(_canonical(argument) for argument in node.arguments)
    if operation in ("+", "-", "*", "/", "neg"):
        return operate(operation, *arguments)
    if operation == "^":
        base, power = arguments
        power = simplify(power)
        if power.operation == "number":
            if power.value.denominator == 1:
                return operate("^", base, power)
            return Expression("^", (simplify(base), power))
        if base.operation != "exp":
            base = simplify(base)
        if base.operation == "exp":
            return _exponential(simplify(operate("*", base.arguments[0], power)))
        return _power(base, power)
    arguments = tuple(simplify(argument) for argument in arguments)
    first = arguments[0]
    if operation == "fact":
        steps = _constant_part(first)
        if 1 <= steps <= MOST_FACTORS and first.operation != "number":
            rest = simplify(operate("-", first, number(steps)))
            product: Expression = Expression("fact", (rest,))
            for step in range(1, steps + 1):  # (v + k)! = v! (v + 1)...(v + k) wherever both are defined
                product = operate("*", product, simplify(operate("+", rest, number(step))))
            return product
    if operation == "exp":
        if first.operation == "log":
            return first.arguments[0]
        return _exponential(first)
    if operation == "sqrt":
        form = quotient(first)
        if form is not None and not form.top.is_zero():
            outside = _square_part(_content(form.top) / _content(form.bottom))
            if outside != 1:
                inside = simplify(operate("/", first, number(outside**2)))
                return operate("*", number(outside), operate("sqrt", inside))
    if operation == "log":
        if first.operation == "exp":
            return first.arguments[0]
        return _logarithm(first)
    return operate(operation, *arguments)


def _content(polynomial: Any) -> Fraction:
    """The positive rational number that leaves coprime integers when a polynomial's coefficients are divided by it."""
    values = [Fraction(int(c.p), int(c.q)) for c in polynomial.coeffs()]
    return Fraction(math.gcd(*(v.numerator for v in values)), math.lcm(*(v.denominator for v in values)))


def _square_part(value: Fraction) -> Fraction:
    """The largest s for which s^2 divides a positive rational number, an integer square-free one being left."""
    found = Fraction(1)
    for prime, power in _prime_powers(value):
        found *= Fraction(prime) ** (power // 2)
    return found


def _logarithm(argument: Expression) -> Expression:
    """log with positive numbers and exponentials taken out, and of 1/u as -log(u)."""
    if argument.operation == "number":
        return operate("log", argument)
    form = quotient(argument)
    if form is None:
        return Expression("log", (argument,))
    total: Expression = ZERO
    rest: Expression = ONE
    sign = 1
    top = _terms(form.generators, form.top)
    bottom = _terms(form.generators, form.bottom)
    parts = []
    for terms, direction in ((top, 1), (bottom, -1)):
        size = Fraction(math.gcd(*(c.numerator for _, c in terms)), math.lcm(*(c.denominator for _, c in terms)))
        kept = []
        for generator in form.generators:
            if generator.operation == "exp":
                power = min(dict(monomial).get(generator, 0) for monomial, _ in terms)
                if power:
                    kept.append((generator, power))
                    total = operate("+", total, operate("*", number(direction * power), generator.arguments[0]))
        if size != 1:
            scaled = operate("log", number(size))
            total = operate("+", total, scaled) if direction > 0 else operate("-", total, scaled)
        polynomial: Expression = ZERO
        for monomial, coefficient in terms:
            term: Expression = number(coefficient / size)
            for generator, power in monomial:
                left = power - dict(kept).get(generator, 0)
                if left:
                    term = operate("*", term, operate("^", generator, number(left)))
            polynomial = operate("+", polynomial, term)
        parts.append(polynomial)
    if parts[0] == ONE or (parts[1] != ONE and str(parts[1]) < str(parts[0])):  # of u and 1/u always the same one
        rest, sign = operate("/", parts[1], parts[0]), -1
    else:
        rest = operate("/", parts[0], parts[1])
    rest = simplify(rest) if rest != argument else rest
    if rest == ONE:
        return total
    inner = Expression("log", (rest,))
    return operate("+", total, inner) if sign > 0 else operate("-", total, inner)


def _power(base: Expression, power: Expression) -> Expression:
    """A power with a variable exponent; of a positive number as an exponential."""
    if base.operation == "number" and base.value > 0:
        return _exponential(simplify(operate("*", power, operate("log", base))))
    steps = _constant_part(power)
    if steps >= 1:
        # u^(v + k) = u^v * u^k wherever both are defined
        rest = Expression("^", (base, simplify(operate("-", power, number(steps)))))
        return operate("*", rest, operate("^", base, number(steps)))
    return Expression("^", (base, power))


def _constant_part(power: Expression) -> int:
    """The integer k of a power v + k, where v has no constant term of at least 1 or below 0."""
    form = quotient(power)
    if form is None or not form.bottom.is_constant():
        return 0
    below = form.bottom.leading_coefficient()
    for monomial, coefficient in _terms(form.generators, form.top):
        if not monomial:
            return math.floor(coefficient * Fraction(int(below.q), int(below.p)))
    return 0


def _exponential(argument: Expression) -> Expression:
    """exp of a sum as a product of exp(u)^k, u without a rational coefficient."""
    product: Expression = ONE
    for coefficient, term in _summands(argument):
        if term.operation == "log" and coefficient.denominator == 1:
            factor = operate("^", term.arguments[0], number(coefficient))
        else:
            unit = operate("*", number(Fraction(1, coefficient.denominator)), term)
            factor = operate("^", Expression("exp", (unit,)), number(coefficient.numerator))
        product = operate("*", product, factor)
    return product


def _summands(node: Expression) -> list[tuple[Fraction, Expression]]:
    """A simplified expression as a sum of rational numbers times terms."""
    form = quotient(node)
    if form is None:
        return [(Fraction(1), node)]
    below = _polynomial_text(form.generators, form.bottom)
    found = []
    for monomial, coefficient in _terms(form.generators, form.top):
        term: Expression = ONE
        for generator, power in monomial:
            term = operate("*", term, operate("^", generator, number(power)))
        scale = Fraction(1)
        if below != ONE:
            if below.operation == "number":
                scale = 1 / below.value
            else:
                term = operate("/", term, below)
        found.append((coefficient * scale, term))
    return found


def _one_unit(node: Expression) -> Expression:
    """exp(u/2) and exp(u/3) as powers of exp(u/6)."""
    units: dict[Expression, set[int]] = {}
    for inner in subtrees(node):
        if inner.operation == "exp":
            coefficient, term = _unit(inner.arguments[0])
            units.setdefault(term, set()).add(coefficient)
    for term, found in units.items():
        if len(found) > 1:
            common = math.lcm(*found)
            unit = Expression("exp", (simplify(operate("/", term, number(common))),))
            for size in found - {common}:
                old = Expression("exp", (simplify(operate("/", term, number(size))),))
                node = replace(node, old, operate("^", unit, number(common // size)))
    return node


@lru_cache(maxsize=50_000)
def _unit(argument: Expression) -> tuple[int, Expression]:
    """u/k as k and u."""
    summands = _summands(argument)
    if len(summands) == 1:
        return summands[0][0].denominator, simplify(operate("*", number(summands[0][0].denominator), argument))
    return 1, argument


def _terms(generators: Sequence[Expression], polynomial: Any) -> list[tuple[Monomial, Fraction]]:
    found = []
    for exponents, coefficient in polynomial.to_dict().items():
        monomial = tuple(
            (generator, int(power)) for generator, power in zip(generators, exponents, strict=True) if power
        )
        found.append((monomial, Fraction(int(coefficient.p), int(coefficient.q))))
    return found


def quotient(node: Expression, generators: Sequence[Expression] | None = None) -> Quotient | None:
    """The normal form of an expression; None when a denominator is identically 0 or it grows too large."""
    try:
        node = _one_unit(_canonical(node))
        gens = tuple(atoms_of(node)) if generators is None else tuple(generators)
        context = _context(gens)
        places = {str(generator): context.gens()[i] for i, generator in enumerate(gens)}
        top, bottom = _fraction(node, context, places)
    except (ZeroDivisionError, TooLarge, RecursionError):
        return None
    return Quotient(gens, top, bottom)


def _fraction(node: Expression, context: Any, places: dict[str, Any]) -> tuple[Any, Any]:
    import flint

    def constant(value: Fraction) -> Any:
        return context.constant(flint.fmpq(value.numerator, value.denominator))

    one = constant(Fraction(1))

    def reduced(top: Any, bottom: Any) -> tuple[Any, Any]:
        if bottom.is_zero():
            raise ZeroDivisionError
        if len(top) > MOST_TERMS or len(bottom) > MOST_TERMS:
            raise TooLarge
        if not bottom.is_constant():
            common = top.gcd(bottom)
            if not common.is_constant():
                top, bottom = top / common, bottom / common
        leading = bottom.leading_coefficient()
        return top / leading, bottom / leading

    def visit(inner: Expression) -> tuple[Any, Any]:
        operation = inner.operation
        if operation == "number":
            return constant(inner.value), one
        if operation == "neg":
            top, bottom = visit(inner.arguments[0])
            return -top, bottom
        if operation in ("+", "-", "*", "/"):
            (a, b), (c, d) = visit(inner.arguments[0]), visit(inner.arguments[1])
            if operation == "*":
                return reduced(a * c, b * d)
            if operation == "/":
                return reduced(a * d, b * c)
            if b == d:
                return reduced(a + c if operation == "+" else a - c, b)
            return reduced(a * d + c * b if operation == "+" else a * d - c * b, b * d)
        if operation == "^" and inner.arguments[1].operation == "number":
            power = inner.arguments[1].value
            if power.denominator == 1:
                top, bottom = visit(inner.arguments[0])
                terms = max(len(top), len(bottom))
                if abs(power) > (10_000 if terms == 1 else 64) or (terms > 1 and abs(power) * terms > MOST_TERMS):
                    raise TooLarge
                if power < 0:
                    top, bottom = bottom, top
                return reduced(top ** abs(int(power)), bottom ** abs(int(power)))
        if operation == "log" and inner.arguments[0].operation == "number" and inner.arguments[0].value > 0:
            total = constant(Fraction(0))
            for prime, times in _prime_powers(inner.arguments[0].value):
                total = total + places[f"log({prime})"] * times
            return total, one
        return places[str(inner)], one

    return reduced(*visit(node))


def _polynomial_text(generators: Sequence[Expression], polynomial: Any) -> Expression:
    total: Expression = ZERO
    terms = _terms(generators, polynomial)
    for monomial, coefficient in terms:
        term: Expression = ONE
        for generator, power in monomial:
            factor = generator if power == 1 else operate("^", generator, number(power))
            term = factor if term == ONE else operate("*", term, factor)
        size = number(abs(coefficient))
        term = size if term == ONE else term if size == ONE else operate("*", size, term)
        if total == ZERO:
            total = operate("neg", term) if coefficient < 0 else term
        else:
            total = operate("-" if coefficient < 0 else "+", total, term)
    return total


@lru_cache(maxsize=200_000)
def simplify(node: Expression) -> Expression:
    """The expression in normal form, written as numerator / denominator.

    Examples
    --------
    >>> from dpcheck.proof.prover.language import parse_expression
    >>> str(simplify(parse_expression("x/(1-x) - 1/(1-x) + 1", {"x"})))
    '0'
    """
    form = quotient(node)
    if form is None:
        return node
    top = _polynomial_text(form.generators, form.top)
    bottom = _polynomial_text(form.generators, form.bottom)
    return tidy(operate("/", top, bottom))


def tidy(node: Expression) -> Expression:
    """sqrt(u)^2 as u, once."""
    changed = node
    for inner in set(subtrees(node)):
        if inner.operation == "^" and inner.arguments[0].operation == "sqrt" and inner.arguments[1].value >= 2:
            power = int(inner.arguments[1].value)
            rest = ONE if power % 2 == 0 else inner.arguments[0]
            whole = operate("^", inner.arguments[0].arguments[0], number(power // 2))
            changed = replace(changed, inner, operate("*", whole, rest))
    return simplify(changed) if changed != node else node


def is_zero(node: Expression) -> bool:
    """Whether an expression is identically 0."""
    return simplify(node) == ZERO


def split_quotient(node: Expression) -> tuple[Expression, Expression]:
    """Numerator and denominator of the normal form; the denominator is 1 where there is none."""
    simple = simplify(node)
    if simple.operation == "/" and simple.arguments[1].operation != "number":
        return simple.arguments[0], simple.arguments[1]
    return simple, ONE


def signed_parts(form: Quotient) -> tuple[tuple[Expression, int], tuple[Expression, int]]:
    """What is added and what is subtracted in a polynomial over a number, each with its number of terms."""
    below = form.bottom.leading_coefficient()
    scale = Fraction(int(below.q), int(below.p))
    found = []
    for sign in (1, -1):
        terms = [(monomial, c) for monomial, c in _terms(form.generators, form.top) if (c > 0) == (sign > 0)]
        total: Expression = ZERO
        for monomial, c in terms:
            term = number(abs(c) * scale)
            for generator, power in monomial:
                term = operate("*", term, operate("^", generator, number(power)))
            total = operate("+", total, term)
        found.append((total, len(terms)))
    return found[0], found[1]


def linear_in(node: Expression, atom: Expression) -> tuple[Expression, Expression] | None:
    """q and p with ``node = p + q*atom``, where the atom is in neither of them.

    Examples
    --------
    >>> from dpcheck.proof.prover.language import parse_expression
    >>> root = parse_expression("sqrt(x)", {"x"})
    >>> [str(part) for part in linear_in(parse_expression("3*x*sqrt(x) - 2", {"x"}), root)]
    ['3*x', '-2']
    """
    form = quotient(node)
    if form is None or not form.bottom.is_constant() or str(atom) not in map(str, form.generators):
        return None
    parts: list[Expression] = [ZERO, ZERO]
    scale = 1 / Fraction(int(form.bottom.leading_coefficient().p), int(form.bottom.leading_coefficient().q))
    for monomial, coefficient in _terms(form.generators, form.top):
        place = 0
        term = number(coefficient * scale)
        for generator, power in monomial:
            if str(generator) == str(atom):
                if power != 1:
                    return None
                place = 1
            else:
                term = operate("*", term, operate("^", generator, number(power)))
        parts[place] = operate("+", parts[place], term)
    q, p = simplify(parts[1]), simplify(parts[0])
    return None if q == ZERO or any(replace(part, atom, ZERO) != part for part in (p, q)) else (q, p)


def factors(node: Expression) -> tuple[Fraction, list[tuple[Expression, int]]]:
    """A polynomial as a constant times powers of irreducible ones."""
    form = quotient(node)
    if form is None or not form.bottom.is_constant() or form.top.is_zero():
        return Fraction(1), [(node, 1)]
    constant, pieces = form.top.factor()
    below = form.bottom.leading_coefficient()
    value = Fraction(int(constant.p), int(constant.q)) / Fraction(int(below.p), int(below.q))
    return value, [(_polynomial_text(form.generators, piece), int(power)) for piece, power in pieces]


def polynomials(nodes: Iterable[Expression]) -> tuple[list[Expression], list[dict[tuple[int, ...], Fraction] | None]]:
    """Expressions as polynomials over one list of generators: exponents to coefficients; None for one that is none.

    Exponents may be below 0: a denominator of one term is no obstacle.
    """
    simple: list[Expression | None] = []
    generators: dict[str, Expression] = {}
    # exponentials of one unit must look alike in all of them
    for node in _alike([simplify(node) for node in nodes]):
        form = quotient(node)
        if form is None or len(form.bottom) != 1:
            simple.append(None)
            continue
        simple.append(node)
        for atom in form.generators:
            generators.setdefault(str(atom), atom)
    listed = [generators[text] for text in sorted(generators)]
    found: list[dict[tuple[int, ...], Fraction] | None] = []
    for kept in simple:
        if kept is None:
            found.append(None)
            continue
        form = quotient(kept, listed)
        if form is None:
            found.append(None)
            continue
        ((shift, below),) = form.bottom.to_dict().items()
        scale = Fraction(int(below.q), int(below.p))
        found.append(
            {
                tuple(int(power) - int(less) for power, less in zip(exponents, shift, strict=True)): Fraction(
                    int(c.p), int(c.q)
                )
                * scale
                for exponents, c in form.top.to_dict().items()
            }
        )
    return listed, found


def _alike(nodes: list[Expression]) -> list[Expression]:
    units: dict[Expression, set[int]] = {}
    for node in nodes:
        for inner in subtrees(node):
            if inner.operation == "exp":
                coefficient, term = _unit(inner.arguments[0])
                units.setdefault(term, set()).add(coefficient)
    for term, found in units.items():
        if len(found) > 1:
            common = math.lcm(*found)
            unit = Expression("exp", (simplify(operate("/", term, number(common))),))
            for size in found - {common}:
                old = Expression("exp", (simplify(operate("/", term, number(size))),))
                nodes = [replace(node, old, operate("^", unit, number(common // size))) for node in nodes]
    return nodes
