"""Intervals with two endpoints, each an exact ball or infinite: the arithmetic that the search leans on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint

from dpcheck.proof.prover.language import INDEXED, MOST_INDICES, Expression

PRECISION = 128
_INFINITE = flint.arb("inf")


class Undefined(Exception):
    """An operation has no value somewhere on the intervals."""


@dataclass(frozen=True, slots=True)
class Interval:
    """All reals from ``low`` to ``high``, both balls of radius 0 or infinite."""

    low: Any
    high: Any

    @property
    def at_least_0(self) -> bool:
        """Whether no element is below 0."""
        return bool(self.low >= 0)

    @property
    def above_0(self) -> bool:
        """Whether all elements are above 0."""
        return bool(self.low > 0)

    @property
    def below_0(self) -> bool:
        """Whether all elements are below 0."""
        return bool(self.high < 0)

    @property
    def at_most_0(self) -> bool:
        """Whether no element is above 0."""
        return bool(self.high <= 0)


def exactly(value: Fraction | int) -> Interval:
    """The interval of one rational number (its enclosure).

    Examples
    --------
    >>> exactly(Fraction(1, 2)).above_0
    True
    """
    ball = flint.arb(flint.fmpq(Fraction(value).numerator, Fraction(value).denominator))
    return Interval(ball.lower(), ball.upper())


def between(low: Fraction | None, high: Fraction | None) -> Interval:
    """An interval with rational ends; ``None`` is infinite."""
    return Interval(-_INFINITE if low is None else exactly(low).low, _INFINITE if high is None else exactly(high).high)


def _times(a: Any, b: Any) -> Any:
    if a == 0 or b == 0:
        return flint.arb(0)
    return a * b


def _hull(values: list[Any]) -> Interval:
    low, high = values[0].lower(), values[0].upper()
    for value in values[1:]:
        if value.lower() < low:
            low = value.lower()
        if value.upper() > high:
            high = value.upper()
    if low.is_nan() or high.is_nan():
        raise Undefined
    return Interval(low, high)


def _multiply(a: Interval, b: Interval) -> Interval:
    return _hull([_times(a.low, b.low), _times(a.low, b.high), _times(a.high, b.low), _times(a.high, b.high)])


def _reciprocal(a: Interval) -> Interval:
    if a.low < 0 < a.high or (a.low == 0 and a.high == 0):
        raise Undefined

    def one_over(value: Any, at_zero: Any) -> Any:
        if value == 0:
            return at_zero
        return flint.arb(0) if not value.is_finite() else 1 / value

    if a.low >= 0:
        return Interval(one_over(a.high, _INFINITE).lower(), one_over(a.low, _INFINITE).upper())
    return Interval(one_over(a.high, -_INFINITE).lower(), one_over(a.low, -_INFINITE).upper())


def _integer_power(a: Interval, power: int) -> Interval:
    if power == 0:
        return exactly(1)
    if power < 0:
        return _reciprocal(_integer_power(a, -power))

    def raised(value: Any) -> Any:
        if value.is_finite():
            return value**power
        return value if power % 2 or value > 0 else -value

    low, high = raised(a.low), raised(a.high)
    if power % 2:
        return Interval(low.lower(), high.upper())
    if a.low >= 0:
        return Interval(low.lower(), high.upper())
    if a.high <= 0:
        return Interval(high.lower(), low.upper())
    return Interval(flint.arb(0), low.upper() if low.upper() > high.upper() else high.upper())


def _exp(value: Any) -> Any:
    if value.is_finite():
        return value.exp()
    return _INFINITE if value > 0 else flint.arb(0)


def _log(value: Any) -> Any:
    if value == 0:
        return -_INFINITE
    return value.log() if value.is_finite() else _INFINITE


def _monotone(a: Interval, function: Any) -> Interval:
    return Interval(function(a.low).lower(), function(a.high).upper())


def enclose(node: Expression, box: Mapping[str, Interval]) -> Interval:
    """An interval that holds the values of an expression on a box.

    Raises
    ------
    Undefined
        When an operation has no value somewhere on the box.

    Examples
    --------
    >>> from dpcheck.proof.prover.language import parse_expression
    >>> enclose(parse_expression("1 - 1/(1 + x)", {"x"}), {"x": between(Fraction(0), Fraction(1))}).at_least_0
    True
    """
    memory: dict[Expression, Interval] = {}

    def visit(inner: Expression) -> Interval:
        found = memory.get(inner)
        if found is None:
            found = memory[inner] = compute(inner)
        return found

    def compute(inner: Expression) -> Interval:
        operation = inner.operation
        if operation == "number":
            return exactly(inner.value)
        if operation == "name":
            return box[inner.name]
        if operation == "e":
            return _hull([flint.arb(1).exp()])
        if operation == "pi":
            return _hull([flint.arb.pi()])
        a = visit(inner.arguments[0])
        if operation in INDEXED:
            return total(inner, a, visit(inner.arguments[1]))
        if operation == "neg":
            return Interval(-a.high, -a.low)
        if operation == "exp":
            return _monotone(a, _exp)
        if operation == "log":
            if a.low < 0 or a.high <= 0:
                raise Undefined
            return _monotone(a, _log)
        if operation == "sqrt":
            if a.low < 0:
                raise Undefined
            return _monotone(a, lambda value: value.sqrt() if value.is_finite() else value)
        if operation in ("floor", "ceil"):
            return _monotone(a, lambda value: getattr(value, operation)() if value.is_finite() else value)
        if operation == "abs":
            if a.low >= 0:
                return a
            return Interval(-a.high, -a.low) if a.high <= 0 else Interval(flint.arb(0), max(-a.low, a.high))
        if operation == "fact":
            return _factorial(a)
        b = visit(inner.arguments[1])
        if operation == "+":
            return _sum(a, b)
        if operation == "-":
            return _sum(a, Interval(-b.high, -b.low))
        if operation == "*":
            if inner.arguments[0] == inner.arguments[1]:
                return _integer_power(a, 2)
            return _multiply(a, b)
        if operation == "/":
            return _multiply(a, _reciprocal(b))
        if operation == "binom":
            return _binomial(a, b)
        if operation == "max":
            return Interval(a.low if a.low > b.low else b.low, a.high if a.high > b.high else b.high)
        if operation == "min":
            return Interval(a.low if a.low < b.low else b.low, a.high if a.high < b.high else b.high)
        if operation == "^":
            power = inner.arguments[1]
            if power.operation == "number" and power.value.denominator == 1 and abs(power.value) < 10_000:
                return _integer_power(a, int(power.value))
            if a.low < 0 or a.high <= 0:
                raise Undefined
            return _monotone(_multiply(b, _monotone(a, _log)), _exp)
        raise Undefined

    def total(inner: Expression, first: Interval, last: Interval) -> Interval:
        low = first.low.unique_fmpz() if first.low == first.high else None
        high = last.low.unique_fmpz() if last.low == last.high else None
        if low is None or high is None or high - low > MOST_INDICES:
            return between(None, None)
        found = exactly(0 if inner.operation == "sum" else 1)
        for index in range(int(low), int(high) + 1):
            term = enclose(inner.arguments[2], {**box, inner.name: exactly(index)})
            found = _sum(found, term) if inner.operation == "sum" else _multiply(found, term)
        return found

    before = flint.ctx.prec
    flint.ctx.prec = PRECISION
    try:
        found = visit(node)
    except (ValueError, OverflowError, ArithmeticError) as error:
        raise Undefined from error
    finally:
        flint.ctx.prec = before
    if found.low.is_nan() or found.high.is_nan():
        raise Undefined
    return found


def _factorial(a: Interval) -> Interval:
    value = a.low.unique_fmpz() if a.low == a.high else None
    if value is None or value < 0 or value > 10_000:
        raise Undefined
    return _hull([flint.arb(math.factorial(int(value)))])


def _binomial(a: Interval, b: Interval) -> Interval:
    top, bottom = (side.low.unique_fmpz() if side.low == side.high else None for side in (a, b))
    if top is None or bottom is None:
        raise Undefined
    n, k = int(top), int(bottom)
    if min(n, k) < 0 or n > 10**6 or 0 < min(k, n - k) > 5_000:
        raise Undefined
    return _hull([flint.arb(math.comb(n, k))])


def _sum(a: Interval, b: Interval) -> Interval:
    low, high = a.low + b.low, a.high + b.high
    if low.is_nan() or high.is_nan():
        raise Undefined
    return Interval(low.lower(), high.upper())
