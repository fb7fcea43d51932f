"""Polynomials in t = exp(unit) with integer coefficients, and their signs: always decided.

For a rational ``unit`` other than 0 the number t is transcendental (Lindemann), so a polynomial in it is 0 only when
all its coefficients are; when they are not, enclosures of growing precision tell its sign.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import gcd

#: Exponent -> coefficient; exponents may be negative (and huge: claims of different doubles share a tiny unit).
Polynomial = dict[int, int]

#: Bits of the first enclosure.
FIRST_BITS = 64
#: Enclosures beyond this many bits are not tried: the difference is then below 2^-1000000 in relative terms, which
#: no law of fewer than some 10^5 digits can have.
MOST_BITS = 1 << 20


def unit_of(exponents: Iterable[Fraction]) -> Fraction:
    """The largest rational of which all exponents are integer multiples; 0 when all are 0.

    >>> unit_of([Fraction(1, 2), Fraction(1, 3)])
    Fraction(1, 6)
    """
    unit = Fraction(0)
    for exponent in exponents:
        top = gcd(unit.numerator * exponent.denominator, exponent.numerator * unit.denominator)
        unit = Fraction(top, unit.denominator * exponent.denominator)
    return unit


def product(one: Polynomial, other: Polynomial) -> Polynomial:
    """The product of two polynomials.

    >>> product({0: 1, 1: 1}, {0: -1, 1: 1}) == {0: -1, 1: 0, 2: 1}
    True
    """
    found: Polynomial = {}
    for i, a in one.items():
        for j, b in other.items():
            found[i + j] = found.get(i + j, 0) + a * b
    return found


def combined(*parts: tuple[int, int, Polynomial]) -> Polynomial:
    """The sum of ``coefficient * t^exponent * polynomial`` over the parts."""
    found: Polynomial = {}
    for coefficient, exponent, polynomial in parts:
        for i, a in polynomial.items():
            found[i + exponent] = found.get(i + exponent, 0) + coefficient * a
    return found


class Undecided(ArithmeticError):
    """No enclosure of at most :data:`MOST_BITS` bits told the sign."""


def sign(polynomial: Polynomial, unit: Fraction) -> int:
    """The sign (1, 0 or -1) of a polynomial in exp(unit).

    Raises
    ------
    Undecided
        When more bits than any real case needs did not suffice.

    Examples
    --------
    >>> sign({0: -2721, 1: 1000}, Fraction(1)), sign({0: -271828182845904524, 1: 10**17}, Fraction(1))
    (-1, -1)
    >>> sign({1: 1, 0: 0}, Fraction(0)), sign({2: 1, 0: -1}, Fraction(0))
    (1, 0)
    """
    terms = {exponent: coefficient for exponent, coefficient in polynomial.items() if coefficient != 0}
    if unit == 0:
        total = sum(terms.values())
        return (total > 0) - (total < 0)
    if not terms:
        return 0
    signs = {coefficient > 0 for coefficient in terms.values()}
    if len(signs) == 1:
        return 1 if signs.pop() else -1
    from flint import arb, ctx, fmpq

    top = max(terms) if unit > 0 else min(terms)
    bits = FIRST_BITS
    while bits <= MOST_BITS:
        with ctx.workprec(bits):
            total = arb(0)
            for exponent, coefficient in terms.items():
                power = unit * (exponent - top)  # at most 0: no overflow, and what is far below does not matter
                total += coefficient * arb(fmpq(power.numerator, power.denominator)).exp()
            if total > 0:
                return 1
            if total < 0:
                return -1
        bits *= 2
    raise Undecided(f"no sign within {MOST_BITS} bits")
