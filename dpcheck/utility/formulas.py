"""A theorem's formula at given points, enclosed: sympy expressions by ball arithmetic, callables as they answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck.model.errors import InvalidArgument
from dpcheck.utility.arguments import exact

#: Bits at which a formula is evaluated, tried in turn.
PRECISIONS = (128, 1024)
#: Whole exponents up to which a power of a fraction is a fraction.
_LARGEST_EXACT = 64
#: What a float that a callable returns may be off by, relative.
FLOAT_ERROR = Fraction(1, 2**40)


@dataclass(frozen=True)
class Enclosed:
    """A real number between two fractions, certainly."""

    low: Fraction
    high: Fraction

    def __float__(self) -> float:
        return float((self.low + self.high) / 2)


@dataclass(frozen=True)
class Formula:
    """A sum of terms as a function of one variable: ``names`` and, at each point asked for, ``values``."""

    names: tuple[str, ...]
    at: Callable[[Fraction], tuple[Enclosed, ...]]


def formula_of(model: Any, *, variable: str | None, settings: Mapping[str, Any], terms: bool) -> Formula:
    """The formula of a model, as one term or as all that it is a sum of.

    Parameters
    ----------
    model : sympy expression, ``Bound`` (its ``expression`` is taken), or callable
        A callable takes the point and returns a number or, for several terms, a sequence of them.
    variable : str, optional
        The name of the symbol that varies: needed where more than one is free.
    settings : mapping of the other symbols' names to numbers
    terms : bool
        Whether each additive term (after expansion) stands for itself.

    Raises
    ------
    InvalidArgument
        When the model is none of these, or symbols are left over.

    Examples
    --------
    >>> import sympy
    >>> found = formula_of((1 + sympy.log(1 / sympy.Symbol("a"))) / sympy.Symbol("a"), variable=None, settings={},
    ...                    terms=True)
    >>> found.names, [round(float(one), 3) for one in found.at(Fraction(1, 2))]
    (('1/a', 'log(1/a)/a'), [2.0, 1.386])
    """
    expression = getattr(model, "expression", model)
    if not hasattr(expression, "free_symbols"):
        if not callable(model):
            raise InvalidArgument(f"model must be a sympy expression, a Bound or a callable, got {model!r}")
        if settings:
            raise InvalidArgument(f"settings are for the symbols of an expression, and the model is {model!r}")
        return _of_callable(model, terms)
    import sympy

    symbols = {free.name: free for free in expression.free_symbols}
    known = {name: exact(f"settings[{name!r}]", value) for name, value in settings.items() if name in symbols}
    left = sorted(set(symbols) - set(known))
    if variable is None:
        if len(left) > 1:
            raise InvalidArgument(
                f"variable must name the symbol that varies, and settings the others: left are {', '.join(left)}"
            )
        variable = left[0] if left else "x"  # a constant
    if left not in ([variable], []) or variable in known:
        raise InvalidArgument(
            f"settings must give each symbol but {variable!r} a number: left are {', '.join(left) or 'none'}"
        )
    with_numbers = expression.subs({symbols[name]: sympy.Rational(*_ratio(value)) for name, value in known.items()})
    parts: Sequence[Any] = sympy.Add.make_args(sympy.expand(with_numbers)) if terms else (with_numbers,)
    parts = sorted(parts, key=str)
    chosen = variable

    def at(value: Fraction) -> tuple[Enclosed, ...]:
        return tuple(_enclosed(part, chosen, value) for part in parts)

    return Formula(tuple(str(part) for part in parts), at)


def _of_callable(model: Callable[[Fraction], Any], terms: bool) -> Formula:
    """A callable; its terms are summed where they do not stand for themselves."""

    def parts(value: Fraction) -> tuple[Enclosed, ...]:
        answered = model(value)
        several = list(answered) if isinstance(answered, Sequence | np.ndarray) else [answered]
        return tuple(_answered(one) for one in several)

    def summed(value: Fraction) -> tuple[Enclosed, ...]:
        found = parts(value)
        return (Enclosed(sum((one.low for one in found), Fraction(0)), sum((one.high for one in found), Fraction(0))),)

    name = str(getattr(model, "__name__", type(model).__name__))
    if not terms:
        return Formula((name,), summed)
    return Formula((name,), parts)


def _answered(value: Any) -> Enclosed:
    """What a callable answered: fractions as they are, floats with room for rounding."""
    found = exact("what the model returns", value, "finite numbers")
    if isinstance(value, int | np.integer | Fraction):
        return Enclosed(found, found)
    room = abs(found) * FLOAT_ERROR
    return Enclosed(found - room, found + room)


def _ratio(value: Fraction) -> tuple[int, int]:
    return value.numerator, value.denominator


def _enclosed(expression: Any, variable: str, value: Fraction) -> Enclosed:
    """An expression in one variable, at a fraction."""
    from flint import ctx

    for bits in PRECISIONS:
        with ctx.workprec(bits):
            found = _value(expression, variable, value)
            if isinstance(found, Fraction):
                return Enclosed(found, found)
            # The last precision's is taken as wide as it is: at a jump of a rounding no precision makes it narrow.
            if found.is_finite() and (bits == PRECISIONS[-1] or found.rel_accuracy_bits() > bits // 4):
                return Enclosed(_fraction(found.lower()), _fraction(found.upper()))
    raise InvalidArgument(f"model must have a value at {variable} = {value}, and {expression} has none that is found")


def _fraction(end: Any) -> Fraction:
    mantissa, exponent = end.man_exp()
    shift = int(exponent)
    return Fraction(int(mantissa)) * (Fraction(2**shift) if shift >= 0 else Fraction(1, 2**-shift))


def _value(node: Any, variable: str, value: Fraction) -> Any:
    """An expression's value: a fraction where it is found to be one, else a ball; NaN where it is not real."""
    import sympy
    from flint import arb

    if node.is_Symbol:
        return value
    if node.is_Float:
        return exact("a number of the model", float(node))
    if node.is_Rational:
        return Fraction(int(node.p), int(node.q))
    if node == sympy.E:
        return arb(1).exp()
    if node == sympy.pi:
        return arb.pi()
    parts = [_value(part, variable, value) for part in node.args]
    if node.is_Pow:
        return _power(*parts)
    function = type(node).__name__
    if not (node.is_Add or node.is_Mul or function in ("exp", "log", "ceiling", "floor", "Max", "Min")):
        raise InvalidArgument(f"model must be made of sums, products, powers, exp, log, Max, Min, rounding, got {node}")
    if function in ("exp", "log"):
        return getattr(_ball(parts[0]), function)()
    exactly = all(isinstance(part, Fraction) for part in parts)
    if not exactly:
        parts = [_ball(part) for part in parts]
    if node.is_Add:
        return sum(parts[1:], start=parts[0])
    if node.is_Mul:
        return math.prod(parts[1:], start=parts[0])
    if function in ("ceiling", "floor"):
        if exactly:
            return Fraction(math.ceil(parts[0]) if function == "ceiling" else math.floor(parts[0]))
        return parts[0].ceil() if function == "ceiling" else parts[0].floor()
    if exactly:
        return max(parts) if function == "Max" else min(parts)
    found = parts[0]
    for part in parts[1:]:
        found = found.max(part) if function == "Max" else found.min(part)
    return found


def _power(base: Any, exponent: Any) -> Any:
    """A power: exact of a fraction with a whole exponent that is not huge."""
    whole = isinstance(exponent, Fraction) and exponent.denominator == 1
    if whole and isinstance(base, Fraction) and base != 0 and abs(exponent) <= _LARGEST_EXACT:
        return base ** int(exponent)
    return _ball(base) ** (int(exponent) if whole else _ball(exponent))


def _ball(part: Any) -> Any:
    from flint import arb, fmpq

    return arb(fmpq(part.numerator, part.denominator)) if isinstance(part, Fraction) else part
