"""Rigorous values of symbolic expressions: at a point as exactly as wanted, and over a box as an interval.

One evaluator does both: a `Span` has two ends, each an exact fraction for as long as the operations allow one, a
ball of python-flint rounded outwards otherwise, or infinite. Fractions are kept because what touches zero exactly
(the derivative of a bound at the end of its domain) must not become a ball around zero, and because a size that is
a whole number must be seen to be one.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import flint
import sympy

#: An end of a span: a Fraction, an exact flint.arb, or a float that is infinite.
End = Any

#: Pieces a finite range is cut into, at most, to find the sign of a derivative on all of it.
_PIECES = 512

#: Fractions longer than this (in bits) go on as balls: exactness is worth less than time there.
_LONGEST = 20_000


class Undefined(Exception):
    """An operation has no real value somewhere on the box."""


@dataclass(frozen=True, slots=True)
class Span:
    """All reals from ``low`` to ``high``."""

    low: End
    high: End

    @property
    def exact(self) -> Fraction | None:
        """The one rational number this is, where it is known to be one."""
        return self.low if isinstance(self.low, Fraction) and self.low == self.high else None


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Balls of this many bits inside, whatever they were before afterwards."""
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = before


def point(value: Fraction | int) -> Span:
    """The span of one rational number."""
    return Span(Fraction(value), Fraction(value))


def as_ball(end: End) -> Any:
    """The ball of an end, for what python-flint is to compute with it."""
    if isinstance(end, Fraction):
        return flint.arb(flint.fmpq(end.numerator, end.denominator))
    return flint.arb(end)


def sign(end: End) -> int:
    """-1, 0 or 1: exact for every end, as an end is one number."""
    return int(end > 0) - int(end < 0)


def above(left: End, right: End) -> bool:
    """Whether one end is certainly above another."""
    if isinstance(left, float) or isinstance(right, float):
        return bool(left != right and (left == math.inf or right == -math.inf))
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return left > right
    return bool(as_ball(left) > as_ball(right))


def at_most(left: End, right: End) -> bool:
    """Whether one end is certainly not above another (balls that overlap at this precision: False)."""
    if isinstance(left, float) or isinstance(right, float):
        return bool(left == -math.inf or right == math.inf or left == right)
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return left <= right
    return bool(as_ball(left) <= as_ball(right))


def _infinite(end: End) -> bool:
    return isinstance(end, float)


def _down(value: Any) -> End:
    if not isinstance(value, flint.arb):
        return value
    return value.lower() if value.is_finite() else -math.inf


def _up(value: Any) -> End:
    if not isinstance(value, flint.arb):
        return value
    return value.upper() if value.is_finite() else math.inf


def _short(value: Fraction) -> Fraction | Any:
    long = value.numerator.bit_length() + value.denominator.bit_length() > _LONGEST
    return as_ball(value) if long else value


def _plus(left: End, right: End) -> Any:
    if _infinite(left) or _infinite(right):
        return left if _infinite(left) else right
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return _short(left + right)
    return as_ball(left) + as_ball(right)


def _times(left: End, right: End) -> Any:
    if sign(left) == 0 or sign(right) == 0:
        return Fraction(0)  # every value of the span is finite, so an infinite end times zero is zero
    if _infinite(left) or _infinite(right):
        return math.inf * sign(left) * sign(right)
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return _short(left * right)
    return as_ball(left) * as_ball(right)


def _smallest(values: list[Any]) -> End:
    return functools.reduce(lambda a, b: a if at_most(a, b) else b if at_most(b, a) else _down(_least(a, b)), values)


def _largest(values: list[Any]) -> End:
    return functools.reduce(lambda a, b: b if at_most(a, b) else a if at_most(b, a) else _up(_most(a, b)), values)


def _least(a: End, b: End) -> Any:
    return as_ball(a).min(as_ball(b))


def _most(a: End, b: End) -> Any:
    return as_ball(a).max(as_ball(b))


def add(left: Span, right: Span) -> Span:
    """The sums."""
    return Span(_down(_plus(left.low, right.low)), _up(_plus(left.high, right.high)))


def multiply(left: Span, right: Span) -> Span:
    """The products."""
    corners = [_times(a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
    return Span(_smallest([_down(corner) for corner in corners]), _largest([_up(corner) for corner in corners]))


def invert(span: Span) -> Span:
    """The reciprocals; on a span that touches zero from one side, up to infinity."""
    if sign(span.low) < 0 < sign(span.high) or sign(span.low) == sign(span.high) == 0:
        raise Undefined("a division by zero")

    def one_over(end: End, at_zero: float) -> Any:
        if sign(end) == 0:
            return at_zero
        if _infinite(end):
            return Fraction(0)
        return 1 / end if isinstance(end, Fraction) else 1 / as_ball(end)

    side = math.inf if sign(span.high) > 0 else -math.inf
    return Span(_down(one_over(span.high, side)), _up(one_over(span.low, side)))


def _monotone(span: Span, function: Callable[[End], Any]) -> Span:
    return Span(_down(function(span.low)), _up(function(span.high)))


def _exp(end: End) -> Any:
    if _infinite(end):
        return math.inf if end > 0 else Fraction(0)
    return Fraction(1) if sign(end) == 0 else as_ball(end).exp()


def _log(end: End) -> Any:
    if sign(end) <= 0:
        return -math.inf
    if _infinite(end):
        return math.inf
    return Fraction(0) if end == 1 else as_ball(end).log()


def log(span: Span) -> Span:
    """The logarithms; raises `Undefined` where no value of the span has one."""
    if sign(span.high) <= 0:
        raise Undefined("a logarithm of what is not positive")
    return _monotone(span, _log)


def exp(span: Span) -> Span:
    """The exponentials."""
    return _monotone(span, _exp)


def _whole_power(base: Span, exponent: int) -> Span:
    if exponent < 0:
        return invert(_whole_power(base, -exponent))

    def raised(end: End) -> Any:
        if _infinite(end):
            return math.inf
        if isinstance(end, Fraction):
            size = max(end.numerator.bit_length(), end.denominator.bit_length())
            return end**exponent if size * exponent <= _LONGEST else as_ball(end) ** exponent
        return as_ball(end) ** exponent

    return _monotone(base, raised)


def power(base: Span, exponent: Span) -> Span:
    """The powers of what is not negative (or whole powers of anything, by multiplication)."""
    whole = exponent.exact
    if whole is not None and whole.denominator == 1:
        if whole == 0:
            return point(1)
        if sign(base.low) >= 0:
            return _whole_power(base, int(whole))
        if abs(whole) <= 8:
            product = functools.reduce(multiply, [base] * abs(int(whole)))
            return product if whole > 0 else invert(product)
    return exp(multiply(exponent, log(base)))


def rounded(span: Span, direction: Literal["ceil", "floor"]) -> Span:
    """The whole numbers next above (``ceil``) or below (``floor``)."""

    def whole(end: End) -> Any:
        if _infinite(end):
            return end
        if isinstance(end, Fraction):
            return Fraction(getattr(math, direction)(end))
        mantissa, exponent = (int(part) for part in end.man_exp())
        if exponent >= 0:
            return Fraction(mantissa << exponent)
        return Fraction(-(-mantissa >> -exponent) if direction == "ceil" else mantissa >> -exponent)

    return Span(whole(span.low), whole(span.high))


def enclose(expression: sympy.Expr, box: Mapping[str, Span]) -> Span:
    """A span that holds every value of an expression on a box, at the precision set by `precision`.

    Parameters
    ----------
    expression
        Of numbers, symbols, sums, products, powers, exp, log, Max, Min, ceiling and floor.
    box
        A span for each symbol, by name.

    Raises
    ------
    Undefined
        When it has no real value there.

    Examples
    --------
    >>> x = sympy.Symbol("x")
    >>> enclose(sympy.log(x) + 1 / x, {"x": point(1)}).exact
    Fraction(1, 1)
    >>> enclose(x * sympy.exp(-x), {"x": Span(Fraction(0), float("inf"))}).low
    Fraction(0, 1)
    """
    if expression.is_Symbol:
        return box[expression.name]
    if expression.is_Rational:
        return point(Fraction(int(expression.p), int(expression.q)))
    if expression is sympy.E:
        return exp(point(1))
    if expression is sympy.pi:
        return Span(flint.arb.pi().lower(), flint.arb.pi().upper())
    spans = [enclose(argument, box) for argument in expression.args]
    if expression.is_Add:
        return functools.reduce(add, spans)
    if expression.is_Mul:
        return functools.reduce(multiply, spans)
    if expression.is_Pow:
        return power(*spans)
    if isinstance(expression, sympy.exp):
        return exp(spans[0])
    if isinstance(expression, sympy.log):
        return log(spans[0])
    if isinstance(expression, sympy.Max):
        return Span(_largest([span.low for span in spans]), _largest([span.high for span in spans]))
    if isinstance(expression, sympy.Min):
        return Span(_smallest([span.low for span in spans]), _smallest([span.high for span in spans]))
    if isinstance(expression, sympy.ceiling):
        return rounded(spans[0], "ceil")
    if isinstance(expression, sympy.floor):
        return rounded(spans[0], "floor")
    raise Undefined(f"{expression.func.__name__} is not evaluated here")


def direction(expression: sympy.Expr, name: str, box: Mapping[str, Span]) -> int | None:
    """Whether an expression grows (1), falls (-1) or stays (0) with a variable on all of a box; None: not shown.

    Growing and falling are meant weakly. By the rules for sums, products of what is not negative, powers,
    exponentials, logarithms and maxima; where they do not answer, by the sign of the derivative (or of that of the
    logarithm) on pieces of the box. All of it in rigorous arithmetic, so that an answer is a proof.

    Parameters
    ----------
    expression
        As for `enclose`.
    name
        The variable.
    box
        A span for each symbol, the variable's own range among them.

    Examples
    --------
    >>> x = sympy.Symbol("x", positive=True)
    >>> direction(x * sympy.log(1 + 1 / x), "x", {"x": Span(Fraction(1), Fraction(100))})
    1
    >>> direction(x + 1 / x, "x", {"x": Span(Fraction(0), float("inf"))}) is None
    True
    """
    with precision(128):
        return _direction(expression, name, box)


def _direction(expression: Any, name: str, box: Mapping[str, Span]) -> int | None:
    if all(free.name != name for free in expression.free_symbols):
        return 0
    try:
        found = _direction_by_rule(expression, name, box)
        return _direction_by_derivative(expression, name, box) if found is None else found
    except Undefined:
        return None


def _direction_by_rule(expression: Any, name: str, box: Mapping[str, Span]) -> int | None:
    if expression.is_Symbol:
        return 1
    if expression.is_Mul:
        return _direction_of_product(expression.args, name, box)
    inner = [_direction(argument, name, box) for argument in expression.args]
    if expression.is_Pow:
        base, exponent = (enclose(argument, box) for argument in expression.args)
        if sign(base.low) < 0:
            return None
        if inner[1] == 0 and inner[0] is not None and sign(exponent.low) == sign(exponent.high):
            return inner[0] * sign(exponent.low)
        if inner[0] == 0 and inner[1] is not None:
            at_least_1, at_most_1 = at_most(Fraction(1), base.low), at_most(base.high, Fraction(1))
            return inner[1] if at_least_1 else -inner[1] if at_most_1 else None
        return None
    if expression.is_Add or expression.func in (sympy.exp, sympy.log, sympy.Max, sympy.Min, sympy.ceiling, sympy.floor):
        return _agreed(inner)
    return None


def _direction_of_product(factors: tuple[Any, ...], name: str, box: Mapping[str, Span]) -> int | None:
    side, moving = 1, []
    for factor in factors:
        span, found = enclose(factor, box), _direction(factor, name, box)
        if found is None:
            return None
        if sign(span.low) < 0:
            # The negative of a factor that is nowhere positive is nowhere negative, and goes the other way.
            if sign(span.high) > 0:
                return None
            side, found = -side, -found
        moving.append(found)
    agreed = _agreed(moving)
    return None if agreed is None else side * agreed


def _agreed(directions: Sequence[int | None]) -> int | None:
    if None in directions:
        return None
    found = {each for each in directions if each}
    if not found:
        return 0
    return found.pop() if len(found) == 1 else None


def _direction_by_derivative(expression: Any, name: str, box: Mapping[str, Span]) -> int | None:
    if expression.has(sympy.Max, sympy.Min, sympy.ceiling, sympy.floor):
        return None
    variable = next(free for free in expression.free_symbols if free.name == name)
    slopes = [expression.diff(variable), sympy.expand_log(expression, force=True).diff(variable)]
    if sign(enclose(expression, box).low) >= 0:
        # What is positive goes where its logarithm goes, and that of a product is a sum.
        slopes.append(sympy.expand_log(sympy.log(expression), force=True).diff(variable))
    for slope in slopes:
        found = _sign_on(slope, name, box, box[name], _PIECES)
        if found is not None:
            return found
    return None


def _sign_on(slope: Any, name: str, box: Mapping[str, Span], piece: Span, pieces: int) -> int | None:
    try:
        span = enclose(slope, {**box, name: piece})
    except Undefined:
        return None
    if sign(span.low) >= 0:
        return 1
    if sign(span.high) <= 0:
        return -1
    if pieces < 2 or not (isinstance(piece.low, Fraction) and isinstance(piece.high, Fraction)):
        return None
    middle = (piece.low + piece.high) / 2
    left = _sign_on(slope, name, box, Span(piece.low, middle), pieces // 2)
    if left is None:
        return None
    return left if _sign_on(slope, name, box, Span(middle, piece.high), pieces // 2) == left else None
