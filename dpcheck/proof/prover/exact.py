"""Formulas at one rational point: what holds there for certain, by exact arithmetic or balls of rising precision."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import flint

from dpcheck.proof.prover.language import INDEXED, MOST_INDICES, Expression, Link, Problem

#: Precisions at which a sign is tried.
PRECISIONS = (64, 256, 1_024, 4_000)

#: Bits up to which numbers are kept as fractions.
LARGEST = 30_000


class NotDefined(Exception):
    """An operation certainly has no value at the point."""


class NotDecided(Exception):
    """Neither side could be made certain."""


def value_at(node: Expression, point: Mapping[str, Fraction]) -> Fraction | Any:
    """The value at a point, a fraction where it is rational, else a ball at flint's present precision.

    Raises
    ------
    NotDefined
        When an operation has no value there.
    NotDecided
        When that cannot be told, or a number grows too large.

    Examples
    --------
    >>> from dpcheck.proof.prover.language import parse_expression
    >>> value_at(parse_expression("ceil(n/10)", {"n"}), {"n": Fraction(1)})
    Fraction(1, 1)
    """
    operation = node.operation
    if operation == "number":
        return node.value
    if operation == "name":
        return point[node.name]
    if operation == "e":
        return flint.arb(1).exp()
    if operation == "pi":
        return flint.arb.pi()
    if operation in INDEXED:
        return _total(node, point)
    values = [value_at(argument, point) for argument in node.arguments]
    if all(isinstance(value, Fraction) for value in values):
        found = _rational(operation, values)
        if found is not None:
            return found
    return _ball(operation, [_as_ball(value) for value in values], node)


def _total(node: Expression, point: Mapping[str, Fraction]) -> Fraction | Any:
    first, last = (value_at(argument, point) for argument in node.arguments[:2])
    if not isinstance(first, Fraction) or not isinstance(last, Fraction) or last - first > MOST_INDICES:
        raise NotDecided
    found: Any = Fraction(0 if node.operation == "sum" else 1)
    for index in range(math.ceil(first), math.floor(last) + 1):
        term = value_at(node.arguments[2], {**point, node.name: Fraction(index)})
        if isinstance(found, Fraction) and not isinstance(term, Fraction):
            found = _as_ball(found)
        elif isinstance(term, Fraction) and not isinstance(found, Fraction):
            term = _as_ball(term)
        found = found + term if node.operation == "sum" else found * term
        if isinstance(found, Fraction) and found.denominator.bit_length() > LARGEST:
            raise NotDecided
    return found


def _as_ball(value: Any) -> Any:
    if isinstance(value, Fraction):
        return flint.arb(flint.fmpq(value.numerator, value.denominator))
    return value


def _rational(operation: str, values: list[Fraction]) -> Fraction | None:
    a = values[0]
    b = values[-1]
    if operation == "neg":
        return -a
    if operation == "+":
        return a + b
    if operation == "-":
        return a - b
    if operation == "*":
        return a * b
    if operation == "/":
        if b == 0:
            raise NotDefined(f"the denominator is 0 ({a}/0)")
        return a / b
    if operation == "abs":
        return abs(a)
    if operation == "max":
        return max(values)
    if operation == "min":
        return min(values)
    if operation == "floor":
        return Fraction(math.floor(a))
    if operation == "ceil":
        return Fraction(math.ceil(a))
    if operation == "log":
        if a <= 0:
            raise NotDefined(f"log of {a}")
        return Fraction(0) if a == 1 else None
    if operation == "exp":
        return Fraction(1) if a == 0 else None
    if operation == "sqrt":
        if a < 0:
            raise NotDefined(f"sqrt of {a}")
        up, down = math.isqrt(a.numerator), math.isqrt(a.denominator)
        return Fraction(up, down) if up * up == a.numerator and down * down == a.denominator else None
    if operation == "^":
        if b.denominator == 1:
            if a == 0 and b < 0:
                raise NotDefined(f"0 ^ {b}")
            size = max(a.numerator.bit_length(), a.denominator.bit_length()) * abs(b)
            return a ** int(b) if size <= LARGEST else None
        if a <= 0:
            raise NotDefined(f"{a} ^ {b}")
        return None
    if operation == "fact":
        if a < 0 or a.denominator != 1:
            raise NotDefined(f"fact of {a}")
        if a > 10_000:
            raise NotDecided
        return Fraction(math.factorial(int(a)))
    if operation == "binom":
        if a < 0 or b < 0 or a.denominator != 1 or b.denominator != 1:
            raise NotDefined(f"binom of {a}, {b}")
        if min(b, a - b) > 20_000:
            raise NotDecided
        return Fraction(math.comb(int(a), int(b)))
    return None


def _ball(operation: str, values: list[Any], node: Expression) -> Any:
    a, b = values[0], values[-1]
    if operation == "neg":
        return -a
    if operation == "+":
        return a + b
    if operation == "-":
        return a - b
    if operation == "*":
        return a * b
    if operation == "/":
        if b.contains(0):
            raise NotDecided
        return a / b
    if operation == "exp":
        return a.exp()
    if operation == "log":
        if a <= 0:
            raise NotDefined(f"log of {node.arguments[0]}, which is not above 0")
        if not a > 0:
            raise NotDecided
        return a.log()
    if operation == "sqrt":
        if a < 0:
            raise NotDefined(f"sqrt of {node.arguments[0]}, which is below 0")
        if not a >= 0:
            raise NotDecided
        return a.sqrt()
    if operation == "^":
        if not a > 0:
            raise NotDecided
        return a**b
    if operation in ("floor", "ceil"):
        found = getattr(a, operation)()
        whole = found.unique_fmpz()
        if whole is None:
            raise NotDecided
        return Fraction(int(whole))
    if operation == "abs":
        return abs(a)
    if operation == "max":
        return a.max(b)
    if operation == "min":
        return a.min(b)
    raise NotDecided


def link_holds(link: Link, point: Mapping[str, Fraction]) -> bool | None:
    """Whether a relation certainly holds (True), certainly fails (False), or is not decided (None) at a point.

    Raises
    ------
    NotDefined
        When a side certainly has no value.
    """
    before = flint.ctx.prec
    try:
        for precision in PRECISIONS:
            flint.ctx.prec = precision
            try:
                left, right = value_at(link.left, point), value_at(link.right, point)
            except NotDecided:
                continue
            if isinstance(left, Fraction) and isinstance(right, Fraction):
                return bool({"<=": left <= right, "<": left < right, ">=": left >= right, ">": left > right,
                             "=": left == right}[link.relation])  # fmt: skip
            difference = _as_ball(right) - _as_ball(left)
            if link.relation in (">=", ">"):
                difference = -difference
            if difference > 0:
                return link.relation != "="
            if difference < 0:
                return False
    except OverflowError:
        return None
    finally:
        flint.ctx.prec = before
    return None


def failure_at(problem: Problem, point: Mapping[str, Fraction]) -> str | None:
    """What certainly fails at a point of the domain: words, or None when nothing does for certain.

    Examples
    --------
    >>> from dpcheck.proof.prover.formula import Formula
    >>> from dpcheck.proof.prover.language import parse_formula
    >>> failure_at(parse_formula(Formula("n in Z[1, inf)", "", "ceil(n/10) = n/10")), {"n": Fraction(1)})
    'ceil(n/10) = n/10 is false: 1 against 1/10'
    """
    if any(point[domain.name] not in domain for domain in problem.domains):
        return None
    try:
        if any(link_holds(link, point) is not True for link in problem.assumptions):
            return None
    except NotDefined:
        return None
    for link in problem.claim:
        try:
            if link_holds(link, point) is False:
                return f"{link} is false: {shown(link.left, point)} against {shown(link.right, point)}"
        except NotDefined as undefined:
            return f"{link} is undefined: {undefined}"
    return None


def satisfies(problem: Problem, point: Mapping[str, Fraction]) -> bool:
    """Whether a point is certainly in the domain and certainly satisfies every assumption."""
    try:
        return all(point[domain.name] in domain for domain in problem.domains) and all(
            link_holds(link, point) is True for link in problem.assumptions
        )
    except NotDefined:
        return False


def shown(node: Expression, point: Mapping[str, Fraction]) -> str:
    """The value at a point, for people: a short fraction, or digits."""
    try:
        value = value_at(node, point)
    except (NotDefined, NotDecided):
        return "no value"
    if isinstance(value, Fraction):
        text = str(value)
        return text if len(text) <= 24 else f"{_as_ball(value).str(8, radius=False)}"
    return str(value.str(8, radius=False))
