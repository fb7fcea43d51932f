"""Sample-complexity bounds as symbolic objects, with explicit constants and rigorous arithmetic.

A `Bound` says "size >= expression" (or "size > expression") on a stated domain: a sample of that size suffices, or
is necessary. `evaluate` gives the size, `solve` any other variable, `compare` the order of two bounds in a limit,
`latex` the formula in the paper's letters. No float decides anything: sizes are rounded up once ball arithmetic at
rising precision has settled to which integer, and every inversion first shows that the expression is monotone.

This module imports sympy, and nothing that must start quickly imports this module.
"""

from __future__ import annotations

import itertools
import math
import numbers
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Literal, TypeVar

import sympy

from dpcheck.model.errors import InvalidArgument, nearest
from dpcheck.model.written_numbers import MOST_DIGITS, fraction_of
from dpcheck.proof.spans import Span, Undefined, above, at_most, direction, enclose, point, precision, rounded

#: What an argument may be: floats are taken as their shortest decimal, so 0.1 is one tenth.
Value = int | float | str | Fraction | Decimal

_Answer = TypeVar("_Answer")

#: Precisions tried in turn, in bits: a question undecided at the last is undecided.
_PRECISIONS = (64, 128, 256, 512, 1024, 4096, 16384)
#: How far an open or infinite end is approached, as the exponent of 2 of its distance: 2^-8192 and 2^8192.
_FARTHEST = 13


@dataclass(frozen=True)
class Range:
    """An interval of reals or integers; an end that is ``None`` is infinite.

    Examples
    --------
    >>> str(Range(Fraction(0), Fraction(1, 2), high_open=False)), str(Range.integers(1))
    ('(0, 1/2]', 'the integers in [1, inf)')
    """

    low: Fraction | None
    high: Fraction | None
    low_open: bool = True
    high_open: bool = True
    integer: bool = False

    @staticmethod
    def integers(low: int, high: int | None = None) -> Range:
        """The integers from ``low`` to ``high``, both included."""
        return Range(Fraction(low), None if high is None else Fraction(high), False, high is None, integer=True)

    def __contains__(self, value: Fraction) -> bool:
        if self.integer and value.denominator != 1:
            return False
        if self.low is not None and (value < self.low or (self.low_open and value == self.low)):
            return False
        return not (self.high is not None and (value > self.high or (self.high_open and value == self.high)))

    def __str__(self) -> str:
        left = "(-inf" if self.low is None else f"{'(' if self.low_open else '['}{self.low}"
        right = "inf)" if self.high is None else f"{self.high}{')' if self.high_open else ']'}"
        return f"{'the integers in ' if self.integer else ''}{left}, {right}"

    @property
    def empty(self) -> bool:
        """Whether no real number is inside."""
        if self.low is None or self.high is None:
            return False
        return self.low > self.high or (self.low == self.high and (self.low_open or self.high_open))

    def above(self, low: Fraction, is_open: bool) -> Range:
        """What of it is at least ``low`` (above it, when open)."""
        if self.low is not None and (self.low > low or (self.low == low and (self.low_open or not is_open))):
            return self
        return Range(low, self.high, is_open, self.high_open, self.integer)

    def below(self, high: Fraction, is_open: bool) -> Range:
        """What of it is at most ``high`` (below it, when open)."""
        if self.high is not None and (self.high < high or (self.high == high and (self.high_open or not is_open))):
            return self
        return Range(self.low, high, self.low_open, is_open, self.integer)

    def span(self) -> Span:
        """All of it with its ends, as the evaluator wants it."""
        return Span(-math.inf if self.low is None else self.low, math.inf if self.high is None else self.high)


@dataclass(frozen=True)
class Enclosure:
    """A real number that lies between two rational ones, certainly.

    Examples
    --------
    >>> pi = Enclosure(Fraction("3.14159"), Fraction("3.14160"))
    >>> str(pi), Fraction(22, 7) in pi, round(float(pi), 4)
    ('3.1416', False, 3.1416)
    """

    low: Fraction
    high: Fraction

    def __contains__(self, value: Fraction) -> bool:
        return self.low <= value <= self.high

    def __float__(self) -> float:
        return float((self.low + self.high) / 2)

    def __str__(self) -> str:
        width = self.high - self.low
        size = max(abs(self.low), abs(self.high))
        digits = 30 if width == 0 else max(1, min(30, math.floor(math.log10(max(size / width, Fraction(1))))))
        middle = (self.low + self.high) / 2
        with_digits = sympy.Rational(middle.numerator, middle.denominator).evalf(digits)
        return str(with_digits).rstrip("0").rstrip(".") if "e" not in str(with_digits) else str(with_digits)


@dataclass(frozen=True)
class Bound:
    """A size is at least an expression: that suffices, or it is necessary.

    Parameters
    ----------
    source
        The id of the result it makes explicit, such as ``alon2019:lem-3.3``.
    size
        What is bounded: ``public``, ``private``, ``n``, ... or ``failure`` where a probability is.
    sense
        ``sufficient``: where ``size >= expression``, the result's conclusion holds. ``necessary``: where the
        conclusion holds, ``size >= expression``.
    expression
        In the symbols of `symbol`; sums, products, powers, exp, log, Max, Min, ceiling and floor.
    domain
        A `Range` per variable, of the size and of every symbol; variables that only restrict (such as a failure
        probability an expression does not contain) may be named too.
    derivation
        Where the constants come from, in words.
    letters
        The paper's letters, each with the name here.
    conditions
        Inequalities (``sympy.Ge``, ``sympy.Gt``) among the variables, each of degree at most one in each of them.
    strict
        ``size > expression``; only for what is necessary.

    Raises
    ------
    InvalidArgument
        When the parts do not belong together.

    Examples
    --------
    >>> accuracy = symbol("accuracy")
    >>> bound = Bound("made-up:lem-1", "n", "sufficient", 1 / accuracy**2,
    ...               {"n": Range.integers(1), "accuracy": Range(Fraction(0), Fraction(1))}, "Chebyshev", {})
    >>> evaluate(bound, accuracy=0.1)
    100
    """

    source: str
    size: str
    sense: Literal["sufficient", "necessary"]
    expression: Any
    domain: Mapping[str, Range] = field(hash=False)
    derivation: str
    letters: Mapping[str, str] = field(hash=False)
    conditions: tuple[Any, ...] = ()
    strict: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "domain", MappingProxyType(dict(self.domain)))
        object.__setattr__(self, "letters", MappingProxyType(dict(self.letters)))
        used = {free.name for free in self.expression.free_symbols}
        if self.size in used:
            raise InvalidArgument(f"expression must not contain the size it bounds, got {self.size}")
        for condition in self.conditions:
            if not isinstance(condition, sympy.Ge | sympy.Gt):
                raise InvalidArgument(f"conditions must be sympy.Ge or sympy.Gt, got {condition}")
            used |= {free.name for free in condition.free_symbols}
            difference = condition.lhs - condition.rhs
            for free in difference.free_symbols:
                if not difference.is_polynomial(free) or sympy.degree(difference, free) > 1:
                    raise InvalidArgument(f"conditions must be of degree 1 in {free}, got {condition}")
        for name in sorted(used | {self.size} | set(self.letters.values())):
            if name not in self.domain:
                raise InvalidArgument(f"domain must have a range of {name}, got only {', '.join(self.domain)}")
        if self.strict and self.sense == "sufficient":
            raise InvalidArgument("strict must be False for a sufficient bound: what is above suffices too")

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables on which the size depends, by the expression or by a condition, in the domain's order."""
        used = {free.name for free in self.expression.free_symbols}
        used |= {free.name for condition in self.conditions for free in condition.free_symbols}
        return tuple(name for name in self.domain if name in used - {self.size})

    def __str__(self) -> str:
        relation = ">" if self.strict else ">="
        return f"{self.source}: {self.size} {relation} {self.expression} ({self.sense})"


_heard: ContextVar[list[tuple[Bound, dict[str, Value]]] | None] = ContextVar("dpcheck_evaluations", default=None)


@contextmanager
def evaluations_heard() -> Iterator[list[tuple[Bound, dict[str, Value]]]]:
    """The bounds that are evaluated or solved meanwhile, with the values that they are given.

    Examples
    --------
    >>> from dpcheck.papers.alon2019.theorems.bounds import COVER_PUBLIC
    >>> with evaluations_heard() as heard:
    ...     size = evaluate(COVER_PUBLIC, accuracy=0.1, failure=0.05, vc=1)
    >>> [(bound.size, values) for bound, values in heard]
    [('public', {'accuracy': 0.1, 'failure': 0.05, 'vc': 1})]
    """
    heard: list[tuple[Bound, dict[str, Value]]] = []
    token = _heard.set(heard)
    try:
        yield heard
    finally:
        _heard.reset(token)


def symbol(name: str) -> Any:
    """The symbol of a variable: positive, as every variable of a bound is.

    Examples
    --------
    >>> symbol("accuracy")
    accuracy
    """
    return sympy.Symbol(name, positive=True)


def exact_number(name: str, value: Value) -> Fraction:
    """The number an argument stands for, exactly: a float is its shortest decimal.

    Raises
    ------
    InvalidArgument
        When it is no finite number; the message names the argument.

    Examples
    --------
    >>> exact_number("accuracy", 0.1), exact_number("accuracy", "1/18")
    (Fraction(1, 10), Fraction(1, 18))
    """
    wants = "a number, or a string such as '0.1', '1e-6' or '1/18'"
    if isinstance(value, bool) or not isinstance(value, numbers.Real | str | Decimal):
        raise InvalidArgument(f"{name} must be {wants}, got {value!r}")
    try:
        if isinstance(value, numbers.Rational):
            return Fraction(int(value.numerator), int(value.denominator))
        return fraction_of(value if isinstance(value, str | Decimal) else float.__repr__(float(value)))
    except (ValueError, OverflowError, ZeroDivisionError):
        raise InvalidArgument(
            f"{name} must be {wants}, finite and of at most {MOST_DIGITS:,} digits, got {value!r}"
        ) from None


def evaluate(bound: Bound, /, *, digits: int = 30, **values: Value) -> int | Enclosure:
    """The size a bound asks for.

    Parameters
    ----------
    bound
        The bound.
    digits
        Significant digits of an enclosure.
    values
        A value for each of the bound's variables: integers, fractions, decimal strings, or floats, which are taken
        as their shortest decimal.

    Returns
    -------
    int or Enclosure
        Of a sufficient bound on a size: the least integer that suffices, exactly. Of a necessary bound, or where
        what is bounded is real: the value of the expression, rigorously enclosed.

    Raises
    ------
    InvalidArgument
        For names the bound does not have, values outside its domain, or values missing.

    Examples
    --------
    >>> from dpcheck.papers.alon2019.theorems.bounds import COVER_PUBLIC
    >>> evaluate(COVER_PUBLIC, accuracy=0.1, failure=0.05, vc=1)
    1219
    """
    if bound.sense == "necessary" or not bound.domain[bound.size].integer:
        return value_of(bound, digits=digits, **values)
    box = _box(bound, values, without=bound.size)

    def settled(span: Span) -> Fraction | None:
        return rounded(span, "ceil").exact

    least = _rising(bound, box, settled, "its least integer")
    floor = bound.domain[bound.size].low
    return int(least if floor is None else max(least, floor))


def value_of(bound: Bound, /, *, digits: int = 30, **values: Value) -> Enclosure:
    """The value of a bound's expression, rigorously enclosed, whatever it bounds.

    Raises
    ------
    InvalidArgument
        As `evaluate`.

    Examples
    --------
    >>> from dpcheck.papers.alon2019.theorems.bounds import COVER_PUBLIC
    >>> round(float(value_of(COVER_PUBLIC, accuracy=0.1, failure=0.05, vc=1)), 6)
    1218.041716
    """
    box = _box(bound, values, without=bound.size)

    def settled(span: Span) -> Enclosure | None:
        low, high = _fraction(span.low), _fraction(span.high)
        if low is None or high is None or (high - low) * 10**digits > min(abs(low), abs(high)):
            return None
        return Enclosure(low, high)

    return _rising(bound, box, settled, f"{digits} digits of it")


def solve(bound: Bound, /, *, for_: str, digits: int = 30, **given: Value) -> int | Enclosure:
    """The value of one variable at which a bound is just met, the size and the others being given.

    An integer variable: the least (or, where the expression grows with it, the greatest) at which
    ``size >= expression`` holds, exactly. A real one: the end of the set where it holds, in a bracket whose
    relative width is ``10**-digits``. That the expression is monotone in the variable is shown, on the variable's
    whole range, before anything is searched.

    Parameters
    ----------
    bound
        The bound.
    for_
        The variable asked for; the size itself is what `evaluate` gives.
    digits
        Significant digits of an enclosure.
    given
        Values of the size and of the other variables, as in `evaluate`.

    Raises
    ------
    InvalidArgument
        As `evaluate`; and when no value, or every value, meets the bound, or monotonicity cannot be shown.

    Examples
    --------
    >>> from dpcheck.papers.alon2019.theorems.bounds import COVER_PUBLIC, COVER_PUBLIC_TIGHT
    >>> solve(COVER_PUBLIC_TIGHT, for_="public", failure=0.05, accuracy=0.1, vc=1)
    820
    >>> round(float(solve(COVER_PUBLIC, for_="accuracy", public=1219, failure=0.05, vc=1)), 6)
    0.099931
    """
    _known(bound, for_)
    if for_ == bound.size:
        return evaluate(bound, digits=digits, **given)
    if not any(free.name == for_ for free in bound.expression.free_symbols):
        raise InvalidArgument(f"for_ must be a variable of the bound, got {for_!r}, on which it does not depend")
    box = _box(bound, given, without=for_)
    if bound.size not in box:
        raise InvalidArgument(f"{bound.size} must be given to solve for {for_}")
    size = box.pop(bound.size).low
    allowed = _range_of(bound, for_, {**box, bound.size: point(size)})
    if allowed.empty:
        raise InvalidArgument(f"{for_} must be in {allowed} with these values: no value is")
    trend = direction(bound.expression, for_, {**box, for_: allowed.span()})
    if trend is None:
        raise InvalidArgument(f"for_ must be a variable in which the bound is monotone; for {for_!r} that is not shown")

    def meets(value: Fraction) -> bool:
        at = {**box, for_: point(value)}

        def settled(span: Span) -> bool | None:
            return True if at_most(span.high, size) else (False if above(span.low, size) else None)

        return _rising(bound, at, settled, f"whether it is met at {for_}={value}")

    if allowed.integer:
        return _integer_end(meets, allowed, trend, for_)
    return _real_end(meets, allowed, trend, for_, digits)


def latex(bound: Bound) -> str:
    """The bound in LaTeX, in the paper's letters.

    Examples
    --------
    >>> from dpcheck.papers.alon2019.theorems.bounds import PUBLIC_NECESSARY
    >>> print(latex(PUBLIC_NECESSARY))
    n_{pub} > \\frac{1}{1600 \\alpha}
    """
    letter = {name: sympy.Symbol("varepsilon" if it == "eps" else it) for it, name in bound.letters.items()}
    symbols = {free: letter.get(free.name, free) for free in bound.expression.free_symbols}
    left = sympy.latex(letter.get(bound.size, symbol(bound.size)))
    return f"{left} {'>' if bound.strict else chr(92) + 'ge'} {sympy.latex(bound.expression.xreplace(symbols))}"


@dataclass(frozen=True)
class Comparison:
    """How two bounds compare in a limit.

    ``verdict`` is ``undecided`` unless the limit of their ratio, found by sympy, and the ratio's values on the way,
    each rigorously enclosed, say the same; ``ratios`` are those values, by how far the variable had come.
    """

    verdict: Literal["first is of lower order", "first is of higher order", "same order", "undecided"]
    limit: Any
    ratios: tuple[tuple[Fraction, float], ...] = field(repr=False)
    reason: str = ""


def compare(first: Bound, second: Bound, /, *, along: str, towards: Value | None = 0, **fixed: Value) -> Comparison:
    """Which of two bounds is of lower order as one variable goes to a limit, the others being fixed.

    Parameters
    ----------
    first, second
        The bounds.
    along
        The variable that moves.
    towards
        Its limit, from above; ``None`` for infinity.
    fixed
        Values of all other variables of either.

    Raises
    ------
    InvalidArgument
        As `evaluate`; and when the limit is not at the border of the variable's domains.

    Examples
    --------
    >>> from dpcheck.papers.alon2019.theorems.bounds import COVER_PUBLIC, COVER_PUBLIC_PRINTED
    >>> compare(COVER_PUBLIC, COVER_PUBLIC_PRINTED, along="accuracy", failure=0.05, vc=3).verdict
    'same order'
    """
    both = (first, second)
    for name in (along, *fixed):
        if all(name not in bound.domain for bound in both):
            _known(first, name)
    boxes = [
        _box(bound, {name: value for name, value in fixed.items() if name in bound.domain}, without=along)
        for bound in both
    ]
    end = None if towards is None else exact_number("towards", towards)
    ranges = [_range_of(bound, along, box) for bound, box in zip(both, boxes, strict=True) if along in bound.domain]
    places = _approach(along, end, ranges)
    ratios: list[tuple[Fraction, Enclosure]] = []
    for place in places:
        values = []
        for bound, box in zip(both, boxes, strict=True):
            values.append(_rising(bound, {**box, along: point(place)}, _relative_20, "20 digits of it"))
        if values[1].low <= 0 or values[0].low <= 0:
            return Comparison("undecided", None, (), f"a bound is not positive at {along}={place}")
        ratios.append((place, Enclosure(values[0].low / values[1].high, values[0].high / values[1].low)))
    seen = tuple((place, _float(ratio)) for place, ratio in ratios)
    limit = _limit(first, second, boxes, along, end, places[-1])
    numeric = _numeric_order([ratio for _, ratio in ratios], limit)
    symbolic = _symbolic_order(limit)
    if symbolic is None:
        return Comparison("undecided", None, seen, "sympy found no limit")
    if numeric != symbolic:
        return Comparison("undecided", limit, seen, f"sympy's limit is {limit}; the values on the way do not agree")
    return Comparison(symbolic, limit, seen)


# --- arguments -----------------------------------------------------------------------------------------------------


def _known(bound: Bound, name: str) -> None:
    if name in bound.domain:
        return
    if name in bound.letters:
        raise InvalidArgument(f"{name} is the paper's letter for {bound.letters[name]!r}: give {bound.letters[name]!r}")
    raise InvalidArgument(
        f"{name} is no variable of this bound{nearest(name, bound.domain)}: it has {', '.join(bound.domain)}"
    )


def _box(bound: Bound, values: Mapping[str, Value], without: str = "") -> dict[str, Span]:
    heard = _heard.get()
    if heard is not None:
        heard.append((bound, dict(values)))
    exact: dict[str, Fraction] = {}
    for name, value in values.items():
        _known(bound, name)
        if name == without:
            raise InvalidArgument(f"{name} must not be given: it is what is asked for, got {value!r}")
        exact[name] = exact_number(name, value)
        if exact[name] not in bound.domain[name]:
            raise InvalidArgument(f"{name} must be in {bound.domain[name]}, got {value}")
    missing = [name for name in bound.variables if name not in exact and name != without]
    if missing:
        raise InvalidArgument(
            f"{' and '.join(missing)} must be given: {bound.source} depends on {_and(bound.variables)}"
        )
    box = {name: point(value) for name, value in exact.items()}
    for condition in bound.conditions:
        names = sorted(free.name for free in condition.free_symbols)
        if all(name in box for name in names):
            difference = enclose(condition.lhs - condition.rhs, box).low
            if difference < 0 or (difference == 0 and isinstance(condition, sympy.Gt)):
                got = ", ".join(f"{name}={exact[name]}" for name in names)
                raise InvalidArgument(f"{_and(names)} must satisfy {condition}, got {got}")
    return box


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _range_of(bound: Bound, name: str, box: Mapping[str, Span]) -> Range:
    """The range of a variable with the conditions of which all other variables are known."""
    allowed = bound.domain[name]
    for condition in bound.conditions:
        free = {each.name for each in condition.free_symbols}
        if name not in free or not free - {name} <= set(box):
            continue
        # Of degree one in the variable, so two values give the line.
        difference = condition.lhs - condition.rhs
        at_zero = enclose(difference, {**box, name: point(0)}).low
        slope = enclose(difference, {**box, name: point(1)}).low - at_zero
        strict = isinstance(condition, sympy.Gt)
        if slope > 0:
            allowed = allowed.above(-at_zero / slope, strict)
        elif slope < 0:
            allowed = allowed.below(-at_zero / slope, strict)
        elif at_zero < 0 or (strict and at_zero == 0):
            raise InvalidArgument(f"{_and(sorted(free))} must satisfy {condition}: no {name} does with these values")
    return allowed


# --- evaluation ----------------------------------------------------------------------------------------------------


def _rising(bound: Bound, box: Mapping[str, Span], settled: Callable[[Span], _Answer | None], question: str) -> _Answer:
    for bits in _PRECISIONS:
        with precision(bits):
            try:
                answer = settled(enclose(bound.expression, box))
            except Undefined as error:
                raise InvalidArgument(f"{bound.source} has no value with these arguments: {error}") from None
        if answer is not None:
            return answer
    raise InvalidArgument(f"{bound.source}: {question} could not be settled at {_PRECISIONS[-1]} bits")


def _fraction(end: Any) -> Fraction | None:
    if isinstance(end, Fraction):
        return end
    if isinstance(end, float):
        return None
    mantissa, exponent = (int(part) for part in end.man_exp())
    if abs(exponent) > 1_000_000:
        raise InvalidArgument(f"the value is about 2^{exponent}, too far from 1 to be written out")
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def _float(enclosure: Enclosure) -> float:
    try:
        return float(enclosure)
    except OverflowError:
        return math.inf


# --- inversion -----------------------------------------------------------------------------------------------------


def _integer_end(meets: Callable[[Fraction], bool], allowed: Range, trend: int, name: str) -> int:
    """The least integer (greatest, where the expression grows) that meets a bound; meeting it is monotone."""
    low = -(2**_FARTHEST) if allowed.low is None else math.ceil(allowed.low)
    if allowed.low is not None and allowed.low_open and allowed.low == low:
        low += 1
    high = None if allowed.high is None else math.floor(allowed.high)
    if allowed.high is not None and allowed.high_open and allowed.high == high:
        high = math.floor(allowed.high) - 1
    if high is not None and low > high:
        raise InvalidArgument(f"{name} must be in {allowed} with these values: no integer is")
    wanted = trend < 0  # the answer sought at the far side: met there when falling, not met there when growing
    if meets(Fraction(low)) == wanted:
        if wanted:
            return low
        raise InvalidArgument(f"no {name} in {allowed} meets the bound with the other values")
    known, step = low, 1
    while True:
        far = low + step if high is None else min(low + step, high)
        if meets(Fraction(far)) == wanted:
            break
        known, step = far, step * 2
        if far == high:
            if not wanted:
                return far
            raise InvalidArgument(f"no {name} in {allowed} meets the bound with the other values")
        if step.bit_length() > 4096:
            kind = "no" if wanted else "every"
            raise InvalidArgument(f"{kind} {name} up to 2^4096 meets the bound with the other values")
    while far - known > 1:
        middle = (far + known) // 2
        known, far = (known, middle) if meets(Fraction(middle)) == wanted else (middle, far)
    return far if wanted else known


def _real_end(meets: Callable[[Fraction], bool], allowed: Range, trend: int, name: str, digits: int) -> Enclosure:
    """The end of the reals that meet a bound, in a bracket; meeting it is monotone."""
    places = sorted({*_towards(allowed, "low"), *_towards(allowed, "high")})
    # From the side where it is met, if anywhere: large values when the expression falls, small ones when it grows.
    if trend < 0:
        places.reverse()
    if not meets(places[0]):
        raise InvalidArgument(f"no {name} in {allowed} meets the bound with the other values")
    if meets(places[-1]):
        end, is_open = (allowed.low, allowed.low_open) if trend < 0 else (allowed.high, allowed.high_open)
        if end is not None and not is_open:
            return Enclosure(end, end)
        raise InvalidArgument(f"every {name} in {allowed} meets the bound with the other values")
    first, last = 0, len(places) - 1
    while last - first > 1:
        middle = (first + last) // 2
        first, last = (middle, last) if meets(places[middle]) else (first, middle)
    met, unmet = places[first], places[last]
    while abs(met - unmet) * 10**digits > min(abs(met), abs(unmet)):
        between = _between(min(met, unmet), max(met, unmet))
        met, unmet = (between, unmet) if meets(between) else (met, between)
    return Enclosure(min(met, unmet), max(met, unmet))


def _between(low: Fraction, high: Fraction) -> Fraction:
    """Halfway, by size where the two differ by more than a factor: from 2^-8192 to 1 in steps of the exponent."""
    if low > 0 and high > 4 * low:
        exponents = [end.numerator.bit_length() - end.denominator.bit_length() for end in (low, high)]
        middle = Fraction(2) ** ((exponents[0] + exponents[1]) // 2)
        if low < middle < high:
            return middle
    return (low + high) / 2


def _start(allowed: Range) -> Fraction:
    if allowed.low is not None and allowed.high is not None:
        return (allowed.low + allowed.high) / 2
    if allowed.low is not None:
        return allowed.low + 1
    return allowed.high - 1 if allowed.high is not None else Fraction(0)


def _towards(allowed: Range, side: Literal["low", "high"]) -> list[Fraction]:
    """Places in a range ever nearer to one end, which comes last when it is inside."""
    start = _start(allowed)
    end, is_open = (allowed.low, allowed.low_open) if side == "low" else (allowed.high, allowed.high_open)
    outwards = -1 if side == "low" else 1
    if end is None:
        return [start, *(start + outwards * Fraction(2) ** (2**k) for k in range(_FARTHEST))]
    near = [end + (start - end) / Fraction(2) ** (2**k) for k in range(_FARTHEST + 1)]
    return [start, *near, *([] if is_open else [end])]


# --- comparison ----------------------------------------------------------------------------------------------------


def _relative_20(span: Span) -> Enclosure | None:
    low, high = _fraction(span.low), _fraction(span.high)
    if low is None or high is None or (high - low) * 10**20 > min(abs(low), abs(high)):
        return None
    return Enclosure(low, high)


def _approach(name: str, end: Fraction | None, ranges: Sequence[Range]) -> list[Fraction]:
    """Places towards a limit whose distances square from one to the next, so that logarithms double."""
    if end is None:
        places = [Fraction(10) ** (2**k) for k in range(11)]
    else:
        places = [end + Fraction(1, 10) ** (2**k) for k in range(11)]
    inside = [place for place in places if all(place in allowed for allowed in ranges)]
    if len(inside) < 6 or inside[-1] != places[-1]:
        named = " and ".join(str(allowed) for allowed in ranges)
        raise InvalidArgument(f"towards must be a border of the domains of {name}, {named}, got {end}")
    return inside


def _limit(
    first: Bound, second: Bound, boxes: Sequence[Mapping[str, Span]], along: str, end: Fraction | None, near: Fraction
) -> Any:
    """The limit of the ratio of two bounds as sympy has it, None where it has none.

    A maximum is first replaced by its member that is the larger one near the limit: sympy does not take limits of
    maxima reliably, and the values on the way, which are of the whole expressions, would show a wrong choice.
    """
    parts = []
    for bound, box in zip((first, second), boxes, strict=True):
        numbers_of = {
            free: sympy.Rational(box[free.name].low.numerator, box[free.name].low.denominator)
            for free in bound.expression.free_symbols
            if free.name != along
        }
        at = {**box, along: point(near)}
        with precision(256):
            chosen = bound.expression.replace(
                lambda node: isinstance(node, sympy.Max), lambda node, at=at: _largest_of(node, at)
            )
        smooth = chosen.replace(sympy.ceiling, lambda inner: inner)
        parts.append(smooth.xreplace(numbers_of))
    variable = symbol(along)
    try:
        target = sympy.oo if end is None else sympy.Rational(end.numerator, end.denominator)
        limit = sympy.limit(sympy.expand_log(parts[0] / parts[1], force=True), variable, target, "+")
    except (NotImplementedError, ValueError, TypeError, ArithmeticError, RecursionError):
        return None
    return None if isinstance(limit, sympy.Limit | sympy.AccumBounds) or limit.free_symbols else limit


def _largest_of(node: Any, at: Mapping[str, Span]) -> Any:
    spans = [enclose(option, at) for option in node.args]
    for option, span in zip(node.args, spans, strict=True):
        if all(at_most(other.high, span.low) for other in spans if other is not span):
            return option
    return node


_Order = Literal["first is of lower order", "first is of higher order", "same order"]


def _symbolic_order(limit: Any) -> _Order | None:
    if limit is None or limit.is_extended_real is False:
        return None
    if limit == 0:
        return "first is of lower order"
    if limit == sympy.oo:
        return "first is of higher order"
    return "same order" if limit.is_positive else None


def _numeric_order(ratios: Sequence[Enclosure], limit: Any) -> _Order | None:
    """What the ratios say: each place squares the distance, so a logarithm doubles and an error like 1/log halves."""
    last = ratios[-4:]
    growth = [after.low / before.high for before, after in itertools.pairwise(last)]
    shrink = [after.high / before.low for before, after in itertools.pairwise(last)]
    if min(growth) >= Fraction(3, 2):
        return "first is of higher order"
    if max(shrink) <= Fraction(2, 3):
        return "first is of lower order"
    if limit is None or not limit.is_finite or limit == 0:
        return None
    # It must come nearer to the very limit that sympy names, at least three quarters as fast as 1/log does.
    value = Fraction(str(limit.evalf(40)))
    errors = [abs((ratio.low + ratio.high) / 2 / value - 1) for ratio in last]
    nearer = all(
        after <= Fraction(2, 3) * before or after < Fraction(1, 10**15) for before, after in itertools.pairwise(errors)
    )
    return "same order" if nearer and errors[-1] < Fraction(1, 20) else None
