"""The checker's own interval arithmetic: ends are mpmath's binary numbers rounded outwards, or infinite.

An enclosure holds every value that an expression takes at those points of a box at which it is defined. It also knows
which of its ends no value reaches (that decides `log(x)` on (0, 1]), and, where the expression has one rational value
of moderate size, that value. exp and log are taken with guard bits and then widened, so that their last bit is not
trusted.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from mpmath import libmp  # type: ignore[import-untyped]

from dpcheck.proof.prover.checker_formula import Operation, Variable, integer_sum, operations
from dpcheck.proof.prover.checker_syntax import INDEXED, Tree, postorder

Mpf = tuple[int, int, int, int]

#: Bits beyond which a rational value is no longer kept exactly.
EXACT_BITS = 4000
#: The precisions tried where a fact about constants, or at a point, is to be certain.
PRECISIONS = (128, 512, 2048, 4000)
#: The precisions tried by the rules `interval` and `absurd`.
BOX_PRECISIONS = (128, 512)
#: Beyond this argument exp is bounded by its value here on one side only; larger integer powers go through exp.
_LARGEST = 2**64
#: Largest arguments of factorials; of binomials, and so many are chosen (or left) at most.
_LARGEST_COUNT, _LARGEST_BINOM = 5000, 10**6
#: Most terms of a sum or product that are added up.
_MOST_INDICES = 1000
#: The same, where there is another one in the term.
_MOST_INNER = 30
_GUARD = 30

_INF: Mpf = libmp.finf
_MINUS_INF: Mpf = libmp.fninf
_ZERO: Mpf = libmp.fzero
_ONE: Mpf = libmp.fone


class Undefined(Exception):
    """An operation that is, or may be, undefined on the box."""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """The values of an expression lie between ``low`` and ``high``; open ends, and infinite ones, are not reached.

    >>> point(Fraction(1, 3), 53).exact
    Fraction(1, 3)
    """

    low: Mpf
    high: Mpf
    low_open: bool = False
    high_open: bool = False
    exact: Fraction | None = None

    @property
    def positive(self) -> bool:
        """Whether every value is above 0."""
        return _sign(self.low) > 0 or (_sign(self.low) == 0 and self.low_open)

    @property
    def negative(self) -> bool:
        """Whether every value is below 0."""
        return _sign(self.high) < 0 or (_sign(self.high) == 0 and self.high_open)

    @property
    def nonnegative(self) -> bool:
        """Whether every value is at least 0."""
        return _sign(self.low) >= 0

    @property
    def nonpositive(self) -> bool:
        """Whether every value is at most 0."""
        return _sign(self.high) <= 0

    @property
    def zero(self) -> bool:
        """Whether every value is 0."""
        return _sign(self.low) == 0 == _sign(self.high)

    def closed(self) -> Enclosure:
        """The same with ends that may be reached."""
        return Enclosure(self.low, self.high, exact=self.exact)

    def __str__(self) -> str:
        return f"[{_decimal_text(self.low)}, {_decimal_text(self.high)}]"


def _sign(value: Mpf) -> int:
    return int(libmp.mpf_sign(value))


def _decimal_text(value: Mpf) -> str:
    magnitude = value[2] + value[3]
    if value[1] and abs(magnitude) > 10_000:
        return f"{'-' if value[0] else ''}{'huge' if magnitude > 0 else 'tiny'}"
    return str(libmp.to_str(value, 8))


def _smaller(left: Mpf, right: Mpf) -> bool:
    return bool(libmp.mpf_lt(left, right))


def _bits(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _round(value: Fraction, precision: int, direction: str) -> Mpf:
    found: Mpf = libmp.from_rational(value.numerator, value.denominator, precision, direction)
    return found


def point(value: Fraction, precision: int) -> Enclosure:
    """The enclosure of one rational number.

    >>> str(point(Fraction(1, 2), 53))
    '[0.5, 0.5]'
    """
    exact = value if _bits(value) <= EXACT_BITS else None
    return Enclosure(_round(value, precision, "f"), _round(value, precision, "c"), exact=exact)


def box(variables: tuple[Variable, ...], precision: int) -> dict[str, Enclosure]:
    """The enclosures of variables in their intervals.

    >>> from dpcheck.proof.prover.checker_formula import read_variables
    >>> str(box(read_variables("x in (0, inf)"), 53)["x"])
    '[0.0, +inf]'
    """
    found = {}
    for item in variables:
        if item.low is not None and item.low == item.high:
            found[item.name] = point(item.low, precision)
            continue
        low = _MINUS_INF if item.low is None else _round(item.low, precision, "f")
        high = _INF if item.high is None else _round(item.high, precision, "c")
        found[item.name] = Enclosure(low, high, item.low_open or item.low is None, item.high_open or item.high is None)
    return found


def _add(a: Enclosure, b: Enclosure, precision: int) -> Enclosure:
    if a.exact is not None and b.exact is not None:
        return point(a.exact + b.exact, precision)
    low, high = _MINUS_INF, _INF
    if a.low != _MINUS_INF and b.low != _MINUS_INF:
        low = libmp.mpf_add(a.low, b.low, precision, "f")
    if a.high != _INF and b.high != _INF:
        high = libmp.mpf_add(a.high, b.high, precision, "c")
    return Enclosure(low, high, a.low_open or b.low_open, a.high_open or b.high_open)


def _negated(a: Enclosure) -> Enclosure:
    exact = None if a.exact is None else -a.exact
    return Enclosure(libmp.mpf_neg(a.high), libmp.mpf_neg(a.low), a.high_open, a.low_open, exact)


def _product(a: Mpf, b: Mpf, precision: int, direction: str) -> Mpf:
    if _sign(a) == 0 or _sign(b) == 0:
        return _ZERO  # 0 * inf: the bound of products of 0 and real numbers
    found: Mpf = libmp.mpf_mul(a, b, precision, direction)
    return found


def _multiply(a: Enclosure, b: Enclosure, precision: int) -> Enclosure:
    if a.exact is not None and b.exact is not None:
        return point(a.exact * b.exact, precision)
    if a.exact == 0 or b.exact == 0:
        return point(Fraction(0), precision)
    if not a.nonnegative and a.nonpositive:
        return _negated(_multiply(_negated(a), b, precision))
    if not b.nonnegative and b.nonpositive:
        return _negated(_multiply(a, _negated(b), precision))
    if a.nonnegative and b.nonnegative:
        low, high = _product(a.low, b.low, precision, "f"), _product(a.high, b.high, precision, "c")
        # The product of values at least a.low, b.low is above a.low * b.low if one of them is above its bound and the
        # other is not 0; that it is not reached from above likewise, the other bound being above 0.
        low_open = (a.low_open and b.positive) or (b.low_open and a.positive)
        high_open = (a.high_open and _sign(b.high) > 0) or (b.high_open and _sign(a.high) > 0)
        return Enclosure(low, high, low_open, high_open)
    pairs = [(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    lows = [_product(x, y, precision, "f") for x, y in pairs]
    highs = [_product(x, y, precision, "c") for x, y in pairs]
    low, high = lows[0], highs[0]
    for x, y in zip(lows[1:], highs[1:], strict=True):
        low, high = (x if _smaller(x, low) else low), (y if _smaller(high, y) else high)
    return Enclosure(low, high)


def _reciprocal(a: Enclosure, precision: int) -> Enclosure:
    if a.exact is not None:
        if a.exact == 0:
            raise Undefined("a division by 0")
        return point(1 / a.exact, precision)
    if a.zero or (_sign(a.low) < 0 < _sign(a.high)):
        raise Undefined("a division by something that may be 0")
    if a.nonpositive:
        return _negated(_reciprocal(_negated(a), precision))
    # Values are above 0 or (touching it) 0, where nothing is defined: 1 / [0, h] is [1/h, inf].
    low = _ZERO if a.high == _INF else libmp.mpf_div(_ONE, a.high, precision, "f")
    high = _INF if _sign(a.low) == 0 else libmp.mpf_div(_ONE, a.low, precision, "c")
    return Enclosure(low, high, a.high_open or a.high == _INF, a.low_open or high == _INF)


def _widened(value: Mpf, precision: int) -> tuple[Mpf, Mpf]:
    margin = libmp.mpf_shift(libmp.mpf_abs(value), -precision)
    return libmp.mpf_sub(value, margin, precision + 8, "f"), libmp.mpf_add(value, margin, precision + 8, "c")


def _exp(a: Enclosure, precision: int) -> Enclosure:
    if a.exact == 0:
        return point(Fraction(1), precision)
    largest = libmp.from_int(_LARGEST)

    def at(end: Mpf) -> tuple[Mpf, Mpf]:
        if end == _ZERO:
            return _ONE, _ONE
        return _widened(libmp.mpf_exp(end, precision + _GUARD, "n"), precision)

    if _smaller(largest, a.low):
        low = at(largest)[0]
    elif _smaller(a.low, libmp.mpf_neg(largest)):
        low = _ZERO
    else:
        low = at(a.low)[0]
    if _smaller(largest, a.high):
        high = _INF
    elif _smaller(a.high, libmp.mpf_neg(largest)):
        high = at(libmp.mpf_neg(largest))[1]
    else:
        high = at(a.high)[1]
    # exp of a real number is above 0 (and below infinity).
    return Enclosure(low, high, a.low_open or low == _ZERO, a.high_open or high == _INF)


def _log(a: Enclosure, precision: int) -> Enclosure:
    if a.exact == 1:
        return point(Fraction(0), precision)
    if _sign(a.low) < 0 or _sign(a.high) <= 0:
        raise Undefined("log of something that may be at most 0")

    def at(end: Mpf) -> tuple[Mpf, Mpf]:
        return _widened(libmp.mpf_log(end, precision + _GUARD, "n"), precision)

    low = _MINUS_INF if _sign(a.low) == 0 else at(a.low)[0]
    high = _INF if a.high == _INF else at(a.high)[1]
    return Enclosure(low, high, a.low_open or low == _MINUS_INF, a.high_open)


def _sqrt(a: Enclosure, precision: int) -> Enclosure:
    if _sign(a.low) < 0:
        raise Undefined("sqrt of something that may be below 0")
    if a.exact is not None:
        above, below = math.isqrt(a.exact.numerator), math.isqrt(a.exact.denominator)
        if above * above == a.exact.numerator and below * below == a.exact.denominator:
            return point(Fraction(above, below), precision)
    low = libmp.mpf_sqrt(a.low, precision, "f")
    high = _INF if a.high == _INF else libmp.mpf_sqrt(a.high, precision, "c")
    return Enclosure(low, high, a.low_open, a.high_open)


def _natural_power(value: Mpf, exponent: int, precision: int, direction: str) -> Mpf:
    """``value ^ exponent`` for a value of at least 0 (or inf) and an exponent of at least 1, rounded one way."""
    if value == _INF or _sign(value) == 0:
        return value
    found, square = _ONE, value
    while True:
        if exponent & 1:
            found = libmp.mpf_mul(found, square, precision, direction)
        exponent >>= 1
        if not exponent:
            return found
        square = libmp.mpf_mul(square, square, precision, direction)


def _integer_power(a: Enclosure, exponent: int, precision: int) -> Enclosure:
    if exponent == 0:
        return point(Fraction(1), precision)
    if a.exact is not None and _bits(a.exact) * abs(exponent) <= 2 * EXACT_BITS:
        if a.exact == 0 and exponent < 0:
            raise Undefined("a negative power of 0")
        return point(a.exact**exponent, precision)
    if exponent < 0:
        return _reciprocal(_integer_power(a, -exponent, precision), precision)
    if abs(exponent) > _LARGEST:
        return _general_power(a, point(Fraction(exponent), precision), precision)
    if a.nonnegative:
        low = _natural_power(a.low, exponent, precision, "f")
        return Enclosure(low, _natural_power(a.high, exponent, precision, "c"), a.low_open, a.high_open)
    if exponent % 2:
        if a.nonpositive:
            return _negated(_integer_power(_negated(a), exponent, precision))
        low = libmp.mpf_neg(_natural_power(libmp.mpf_neg(a.low), exponent, precision, "c"))
        return Enclosure(low, _natural_power(a.high, exponent, precision, "c"), a.low_open, a.high_open)
    return _integer_power(_absolute(a), exponent, precision)


def _general_power(a: Enclosure, b: Enclosure, precision: int) -> Enclosure:
    if _sign(a.low) < 0:
        raise Undefined("a power of something that may be below 0")
    if a.zero:
        # Defined for natural exponents only: 0^0 = 1, and 0 otherwise.
        if _sign(b.high) < 0:
            raise Undefined("a negative power of 0")
        return point(Fraction(0), precision) if _sign(b.low) > 0 else Enclosure(_ZERO, _ONE)
    found = _exp(_multiply(b, _log(a, precision), precision), precision)
    low, high = found.low, found.high
    if b.nonnegative:
        # The same bounds, but exact where they are integer powers: for bases of at least 1 the power increases with
        # the exponent, for bases of at most 1 it decreases; with the base it increases.
        above, below = not _smaller(a.low, _ONE), not _smaller(_ONE, a.high)
        if above or below:
            low = _corner(a.low, b.low if above else b.high, precision, "f", low)
            high = _corner(a.high, b.high if above else b.low, precision, "c", high)
    # A base that may be 0 has a natural exponent there. log a starts at -inf then, so an exponent that may be above 0
    # makes the lower bound exp(-inf) = 0 = 0^b, and one that may be 0 puts 0 into the product (0 * -inf = 0), hence
    # 1 = 0^0 between the bounds. Only the ends may then be reached.
    return Enclosure(low, high, found.low_open and a.positive, found.high_open and a.positive)


def _corner(base: Mpf, exponent: Mpf, precision: int, direction: str, otherwise: Mpf) -> Mpf:
    """``base ^ exponent`` for an exponent that is a moderate natural number, otherwise the bound given."""
    if base == _INF or exponent == _INF or _sign(base) == 0 or not libmp.mpf_lt(exponent, libmp.from_int(10**6)):
        return otherwise
    if libmp.mpf_floor(exponent) != exponent:
        return otherwise
    power = int(libmp.to_int(exponent))
    return _natural_power(base, power, precision, direction) if power else _ONE


def _absolute(a: Enclosure) -> Enclosure:
    if a.nonnegative:
        return a
    if a.nonpositive:
        return _negated(a)
    below = libmp.mpf_neg(a.low)
    return Enclosure(_ZERO, a.high if _smaller(below, a.high) else below)


def _larger(a: Enclosure, b: Enclosure, precision: int) -> Enclosure:
    if a.exact is not None and b.exact is not None:
        return point(max(a.exact, b.exact), precision)
    low, high = (b.low if _smaller(a.low, b.low) else a.low), (b.high if _smaller(a.high, b.high) else a.high)
    return Enclosure(low, high, a.low_open and b.low_open, a.high_open and b.high_open)


def _floor(a: Enclosure, precision: int) -> Enclosure:
    if a.exact is not None:
        return point(Fraction(math.floor(a.exact)), precision)
    low = a.low if a.low == _MINUS_INF else libmp.mpf_floor(a.low, precision, "f")
    high = a.high if a.high == _INF else libmp.mpf_floor(a.high, precision, "c")
    return Enclosure(low, high, low == _MINUS_INF, high == _INF)


def _natural(a: Enclosure, largest: int = _LARGEST_COUNT) -> int:
    if a.exact is None or a.exact.denominator != 1 or not 0 <= a.exact <= largest:
        raise Undefined("fact or binom of something that is not one (moderate) natural number")
    return int(a.exact)


def evaluate(tree: Tree, values: Mapping[str, Enclosure], precision: int) -> Enclosure:
    """The enclosure of a tree's values, its variables being anywhere in their enclosures.

    Raises Undefined where an operation may be undefined inside the box (a denominator, a logarithm's argument or a root
    that only touches 0 at the box's boundary is let through: the enclosure is of the values where there are any).

    >>> str(evaluate(Tree("log", (Tree("variable", name="x"),)), {"x": Enclosure(_ZERO, _ONE)}, 53))
    '[-inf, 0.0]'
    """
    if tree.head in INDEXED:
        return _total(tree, values, precision)
    parts = [evaluate(part, values, precision) for part in tree.parts]
    match tree.head:
        case "number":
            return point(tree.value, precision)
        case "variable":
            return values[tree.name]
        case "e":
            return _exp(point(Fraction(1), precision), precision)
        case "pi":
            low, high = _widened(libmp.mpf_pi(precision + _GUARD, "n"), precision)
            return Enclosure(low, high)
        case "neg":
            return _negated(parts[0])
        case "+":
            return _add(parts[0], parts[1], precision)
        case "-":
            return _add(parts[0], _negated(parts[1]), precision)
        case "*" if tree.parts[0] == tree.parts[1]:  # two equal trees have one value
            return _integer_power(parts[0], 2, precision)
        case "*":
            return _multiply(parts[0], parts[1], precision)
        case "/":
            return _multiply(parts[0], _reciprocal(parts[1], precision), precision)
        case "^":
            exponent = parts[1].exact
            if exponent is not None and exponent.denominator == 1:
                return _integer_power(parts[0], int(exponent), precision)
            if tree.parts[0].head == "e":
                return _exp(parts[1], precision)
            return _general_power(parts[0], parts[1], precision)
        case "exp":
            return _exp(parts[0], precision)
        case "log":
            return _log(parts[0], precision)
        case "sqrt":
            return _sqrt(parts[0], precision)
        case "abs":
            return _absolute(parts[0])
        case "max":
            return _larger(parts[0], parts[1], precision)
        case "min":
            return _negated(_larger(_negated(parts[0]), _negated(parts[1]), precision))
        case "floor":
            return _floor(parts[0], precision)
        case "ceil":
            return _negated(_floor(_negated(parts[0]), precision))
        case "fact":
            return point(Fraction(math.factorial(_natural(parts[0]))), precision)
        case "binom":
            chosen, whole = _natural(parts[1], _LARGEST_BINOM), _natural(parts[0], _LARGEST_BINOM)
            if min(chosen, whole - chosen) > _LARGEST_COUNT:
                raise Undefined("binom of something too large")
            return point(Fraction(math.comb(whole, chosen)), precision)
    raise Undefined(f"an unknown operation {tree.head}")


def _range(tree: Tree, values: Mapping[str, Enclosure], precision: int) -> tuple[Mpf, Mpf, range | None]:
    """Ends of the indices of a sum or product; and all of them, where they are certain and not too many."""
    first, last = (evaluate(part, values, precision) for part in tree.parts[:2])
    low = first.low if first.low == _MINUS_INF else libmp.mpf_ceil(first.low, precision, "f")
    high = last.high if last.high == _INF else libmp.mpf_floor(last.high, precision, "c")
    if first.exact is None or last.exact is None:
        return low, high, None
    found = range(math.ceil(first.exact), math.floor(last.exact) + 1)
    inner = any(node.head in INDEXED for node in postorder(tree.parts[2]))
    return low, high, found if found.stop - found.start <= (_MOST_INNER if inner else _MOST_INDICES) else None


def _total(tree: Tree, values: Mapping[str, Enclosure], precision: int) -> Enclosure:
    """A sum or product: over its indices where they are certain; anything may come of others."""
    indices = _range(tree, values, precision)[2]
    if indices is None:
        return Enclosure(_MINUS_INF, _INF, True, True)
    found = point(Fraction(0 if tree.head == "sum" else 1), precision)
    for index in indices:
        term = evaluate(tree.parts[2], {**values, tree.name: point(Fraction(index), precision)}, precision)
        found = _add(found, term, precision) if tree.head == "sum" else _multiply(found, term, precision)
    return found


def _term_defined(tree: Tree, values: Mapping[str, Enclosure], integers: frozenset[str], precision: int) -> bool | None:
    """Whether a term is defined at every index: True or False everywhere on the box, None if unclear."""
    low, high, indices = _range(tree, values, precision)
    if not _smaller(high, low):
        anywhere = Enclosure(low, high, low == _MINUS_INF, high == _INF)
        inside = {**values, tree.name: anywhere}
        found = [condition(each, inside, integers | {tree.name}, precision) for each in operations(tree.parts[2])]
        if not all(answer is True for answer in found):
            answers = []
            for index in indices or ():
                inside = {**values, tree.name: point(Fraction(index), precision)}
                answers += [condition(e, inside, integers | {tree.name}, precision) for e in operations(tree.parts[2])]
            if any(answer is False for answer in answers):
                return False
            return True if indices is not None and all(answer is True for answer in answers) else None
    return True


def condition(
    operation: Operation, values: Mapping[str, Enclosure], integers: frozenset[str], precision: int
) -> bool | None:
    """Whether an operation is defined wherever its operands are: True or False everywhere on the box, None if unclear.

    >>> from dpcheck.proof.prover.checker_formula import operations
    >>> [root] = operations(Tree("sqrt", (Tree("variable", name="x"),)))
    >>> condition(root, {"x": Enclosure(_ZERO, _ONE)}, frozenset(), 53)
    True
    """
    try:
        parts = [evaluate(part, values, precision) for part in operation.operands]
    except Undefined:
        return None
    first = parts[0]
    match operation.kind:
        case "term":
            return _term_defined(operation.node, values, integers, precision)
        case "nonzero":
            return True if first.positive or first.negative else False if first.zero else None
        case "positive":
            return True if first.positive else False if first.nonpositive else None
        case "nonnegative":
            return True if first.nonnegative else False if first.negative else None
        case "count":
            if not all(integer_sum(part, integers, True) for part in operation.operands):
                return None
            if any(part.negative for part in parts):
                return False
            return True if all(part.nonnegative for part in parts) else None
        case "power":
            if first.positive:
                return True
            if not integer_sum(operation.operands[1], integers, False):
                return False if first.nonpositive else None
            if first.nonnegative and parts[1].nonnegative:
                return True
            return False if first.negative or (first.nonpositive and parts[1].negative) else None


def constant(operation: Operation) -> bool:
    """Whether an operation's condition is a constant fact, so that nobody need prove it.

    >>> from dpcheck.proof.prover.checker_formula import operations
    >>> [constant(operation) for operation in operations(Tree("log", (Tree("pi"),)))]
    [True]
    """
    operands = operation.operands
    if operation.kind == "term":
        return all(constant(each) for each in operations(operation.node.parts[2]))
    if operation.kind == "power":
        # A constant base above 0 will do, whatever the exponent.
        alone = Operation(operation.node, "positive", operands[:1])
        if not operands[0].variables and _certain(alone):
            return True
    return not any(part.variables for part in operands) and _certain(operation)


def _certain(operation: Operation) -> bool:
    for precision in PRECISIONS:
        found = condition(operation, {}, frozenset(), precision)
        if found is not None:
            return found
    return False


def passes(operation: Operation, variables: tuple[Variable, ...]) -> bool:
    """The interval test: whether an operation is certainly defined (if its operands are) in the box, ends as excluded.

    >>> from dpcheck.proof.prover.checker_formula import operations, read_variables
    >>> [inverse] = operations(Tree("/", (Tree("e"), Tree("variable", name="x"))))
    >>> passes(inverse, read_variables("x in (0, 1]")), passes(inverse, read_variables("x in [0, 1]"))
    (True, False)
    """
    integers = frozenset(item.name for item in variables if item.integer)
    return condition(operation, box(variables, BOX_PRECISIONS[0]), integers, BOX_PRECISIONS[0]) is True
