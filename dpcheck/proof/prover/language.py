"""The language of formulas: text to trees of exact numbers, and back. ``certificates.md`` defines it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Final
from weakref import WeakValueDictionary

from dpcheck.model.errors import InvalidArgument
from dpcheck.model.written_numbers import fraction_of
from dpcheck.proof.prover.formula import Formula

LONGEST_TEXT: Final = 4_000
DEEPEST: Final = 60
LONGEST_NUMBER: Final = 60

#: How many arguments each function takes.
FUNCTIONS: Final[Mapping[str, int]] = {
    "exp": 1, "log": 1, "sqrt": 1, "abs": 1, "floor": 1, "ceil": 1, "fact": 1, "max": 2, "min": 2, "binom": 2,
}  # fmt: skip
#: Most terms of a sum or product that are added up at a point.
MOST_INDICES: Final = 120
#: Sums and products over an index, ``sum(i, a, b, term)``; no reserved words, since a bracket follows them.
INDEXED: Final = ("sum", "prod")
CONSTANTS: Final = ("e", "pi")
RESERVED: Final = frozenset({*FUNCTIONS, *CONSTANTS, "inf", "in", "Z"})
RELATIONS: Final = ("<=", ">=", "<", ">", "=")

_TOKEN = re.compile(r"\s*(?:(\d+\.\d+|\d+)|([A-Za-z][A-Za-z0-9_]*)|(<=|>=|[-+*/^(),<>=]))")
_BINDING = {"+": 10, "-": 10, "*": 20, "/": 20, "^": 40}
_UNARY_BINDING = 30


class Expression:
    """A node of a tree: ``number`` (with its value), ``name``, a constant, ``neg``, an operator or a function.

    A sum or product over an index has the index as its name, and as arguments first, last and term.
    Equal trees are one object, so that comparing them costs nothing.
    """

    __slots__ = ("__weakref__", "arguments", "name", "operation", "value")
    operation: str
    arguments: tuple[Expression, ...]
    value: Fraction
    name: str
    _known: ClassVar[WeakValueDictionary[Any, Expression]] = WeakValueDictionary()

    def __new__(
        cls, operation: str, arguments: tuple[Expression, ...] = (), value: Fraction = Fraction(0), name: str = ""
    ) -> Expression:
        """The one node of this kind."""
        key = (operation, arguments, value, name)
        found = cls._known.get(key)
        if found is None:
            found = super().__new__(cls)
            found.operation, found.arguments, found.value, found.name = operation, arguments, value, name
            cls._known[key] = found
        return found

    def __repr__(self) -> str:
        return f"Expression({str(self)!r})"

    def __str__(self) -> str:
        return _text(self, 0)


def number(value: Fraction | int) -> Expression:
    """A rational number as an expression.

    Examples
    --------
    >>> str(number(Fraction(-1, 2)))
    '-1/2'
    """
    return Expression("number", value=Fraction(value))


def variable(name: str) -> Expression:
    """A variable as an expression."""
    return Expression("name", name=name)


ZERO: Final = number(0)
ONE: Final = number(1)


def operate(operation: str, *arguments: Expression) -> Expression:
    """An operation on expressions, with what is obvious about numbers 0 and 1 done at once.

    Examples
    --------
    >>> x = variable("x")
    >>> str(operate("+", x, ZERO)), str(operate("*", x, number(2)))
    ('x', 'x*2')
    """
    if all(argument.operation == "number" for argument in arguments):
        values = [argument.value for argument in arguments]
        if operation == "neg":
            return number(-values[0])
        if operation == "+":
            return number(values[0] + values[1])
        if operation == "-":
            return number(values[0] - values[1])
        if operation == "*":
            return number(values[0] * values[1])
        if operation == "/" and values[1] != 0:
            return number(values[0] / values[1])
        if operation == "^" and values[1].denominator == 1 and abs(values[1]) <= 64 and (values[0] or values[1] >= 0):
            return number(values[0] ** int(values[1]))
        if operation == "exp" and values[0] == 0:
            return ONE
        if operation == "log" and values[0] == 1:
            return ZERO
    if operation == "+" and ZERO in arguments:
        return arguments[1] if arguments[0] == ZERO else arguments[0]
    if operation == "-" and arguments[1] == ZERO:
        return arguments[0]
    if operation == "-" and arguments[0] == ZERO:
        return operate("neg", arguments[1])
    if operation == "*" and ONE in arguments:
        return arguments[1] if arguments[0] == ONE else arguments[0]
    if operation in ("/", "^") and arguments[1] == ONE:
        return arguments[0]
    if operation == "neg" and arguments[0].operation == "neg":
        return arguments[0].arguments[0]
    return Expression(operation, arguments)


def _text(node: Expression, binding: int) -> str:
    operation = node.operation
    if operation == "number":
        text = str(node.value)
        strength = 100 if node.value >= 0 and node.value.denominator == 1 else 20 if node.value >= 0 else 10
        return f"({text})" if strength <= binding else text
    if operation == "name":
        return node.name
    if operation in CONSTANTS:
        return operation
    if operation in FUNCTIONS:
        return f"{operation}({', '.join(_text(argument, 0) for argument in node.arguments)})"
    if operation in INDEXED:
        return f"{operation}({node.name}, {', '.join(_text(argument, 0) for argument in node.arguments)})"
    if operation == "neg":
        text = f"-{_text(node.arguments[0], _UNARY_BINDING)}"
        return f"({text})" if binding >= 10 else text
    left, right = node.arguments
    own = _BINDING[operation]
    if operation == "^":
        text = f"{_text(left, own)}^{_text(right, own)}"
    else:
        space = " " if own == 10 else ""
        text = f"{_text(left, own - 1)}{space}{operation}{space}{_text(right, own)}"
    return f"({text})" if own <= binding else text


@dataclass(frozen=True)
class Link:
    """One relation of a chain."""

    left: Expression
    relation: str
    right: Expression

    def __str__(self) -> str:
        return f"{self.left} {self.relation} {self.right}"


@dataclass(frozen=True)
class Domain:
    """The interval of one variable; ``None`` is an infinite end."""

    name: str
    integer: bool
    low: Fraction | None
    low_open: bool
    high: Fraction | None
    high_open: bool

    def __contains__(self, value: Fraction) -> bool:
        if self.integer and value.denominator != 1:
            return False
        if self.low is not None and (value < self.low or (self.low_open and value == self.low)):
            return False
        return self.high is None or not (value > self.high or (self.high_open and value == self.high))

    @property
    def interval(self) -> str:
        """The interval as the language writes it, without ``Z``."""
        low = "(-inf" if self.low is None else f"{'(' if self.low_open else '['}{self.low}"
        high = "inf)" if self.high is None else f"{self.high}{')' if self.high_open else ']'}"
        return f"{low}, {high}"


@dataclass(frozen=True)
class Problem:
    """A formula, parsed."""

    domains: tuple[Domain, ...]
    assumption_chains: tuple[tuple[Link, ...], ...]
    claim: tuple[Link, ...]

    @property
    def assumptions(self) -> tuple[Link, ...]:
        """The links of all assumptions."""
        return tuple(link for chain in self.assumption_chains for link in chain)


class _Parser:
    def __init__(self, text: str, names: frozenset[str]) -> None:
        if len(text) > LONGEST_TEXT:
            raise InvalidArgument(f"a formula has at most {LONGEST_TEXT} characters, got {len(text)}")
        if not text.isascii():
            bad = next(character for character in text if not character.isascii())
            raise InvalidArgument(f"a formula is written in ASCII, got {bad!r} in {text!r}")
        self.text, self.names, self.tokens, self.place, self.depth = text, names, list(_tokens(text)), 0, 0

    def peek(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.place += 1
        return token

    def expect(self, token: str) -> None:
        if self.take() != token:
            raise InvalidArgument(f"expected {token!r} in {self.text!r}")

    def expression(self, binding: int = 0) -> Expression:
        self.depth += 1
        if self.depth > DEEPEST:
            raise InvalidArgument(f"a formula nests at most {DEEPEST} deep: {self.text[:60]!r}...")
        left = self.prefix()
        while True:
            token = self.peek()
            own = _BINDING.get(token)
            if own is None or own <= binding:
                break
            self.take()
            right = self.expression(own - 1 if token == "^" else own)
            left = Expression(token, (left, right))
        self.depth -= 1
        return left

    def prefix(self) -> Expression:
        token = self.take()
        if token == "(":
            inner = self.expression()
            self.expect(")")
            return inner
        if token == "-":
            inner = self.expression(_UNARY_BINDING)
            return number(-inner.value) if inner.operation == "number" else Expression("neg", (inner,))
        if token[:1].isdigit():
            if len(token) > LONGEST_NUMBER:
                raise InvalidArgument(f"a number has at most {LONGEST_NUMBER} digits, got {token[:20]}...")
            return number(Fraction(token))
        if token in FUNCTIONS:
            self.expect("(")
            arguments = [self.expression()]
            while self.peek() == ",":
                self.take()
                arguments.append(self.expression())
            self.expect(")")
            if len(arguments) != FUNCTIONS[token]:
                raise InvalidArgument(f"{token} takes {FUNCTIONS[token]} arguments, got {len(arguments)}")
            return Expression(token, tuple(arguments))
        if token in INDEXED and self.peek() == "(":
            return self.indexed(token)
        if token in CONSTANTS:
            return Expression(token)
        if token in self.names:
            return variable(token)
        known = ", ".join(sorted(self.names))
        raise InvalidArgument(f"{token!r} is not a variable, number or function in {self.text!r} (variables: {known})")

    def indexed(self, operation: str) -> Expression:
        self.expect("(")
        index = self.take()
        if not re.fullmatch(r"[A-Za-z]\w*", index) or index in RESERVED or index in self.names:
            raise InvalidArgument(f"the index of a {operation} must be a new name, got {index!r} in {self.text!r}")
        arguments = []
        for _ in range(2):
            self.expect(",")
            arguments.append(self.expression())
        self.expect(",")
        outside, self.names = self.names, self.names | {index}
        arguments.append(self.expression())
        self.names = outside
        self.expect(")")
        return Expression(operation, tuple(arguments), name=index)

    def end(self) -> None:
        if self.peek():
            raise InvalidArgument(f"{self.peek()!r} is left over in {self.text!r}")


def _tokens(text: str) -> Iterator[str]:
    place = 0
    stripped = text.rstrip()
    while place < len(stripped):
        found = _TOKEN.match(stripped, place)
        if found is None:
            raise InvalidArgument(f"{stripped[place:].strip()[:1]!r} has no meaning in {text!r}")
        place = found.end()
        yield found.group(1) or found.group(2) or found.group(3)


def parse_expression(text: str, names: frozenset[str] | set[str]) -> Expression:
    """The tree of an expression.

    Raises
    ------
    InvalidArgument
        When the text is not of the language, or a name in it is unknown.

    Examples
    --------
    >>> str(parse_expression("-x^2/3 + 0.1", {"x"}))
    '(-x^2)/3 + 1/10'
    """
    parser = _Parser(text, frozenset(names))
    found = parser.expression()
    parser.end()
    return found


def parse_chain(text: str, names: frozenset[str] | set[str]) -> tuple[Link, ...]:
    """The links of a chain such as ``a <= b < c``.

    Examples
    --------
    >>> [str(link) for link in parse_chain("0 <= x < 1", {"x"})]
    ['0 <= x', 'x < 1']
    """
    parser = _Parser(text, frozenset(names))
    left = parser.expression()
    links = []
    while parser.peek() in RELATIONS:
        relation = parser.take()
        right = parser.expression()
        links.append(Link(left, relation, right))
        left = right
    parser.end()
    if not links:
        raise InvalidArgument(f"a chain needs one of {' '.join(RELATIONS)}, got {text!r}")
    return tuple(links)


_DOMAIN = re.compile(r"\s*([A-Za-z][A-Za-z0-9_]*)\s+in\s+(Z\s*)?([\[(])\s*([^,\s]+)\s*,\s*([^,\s]+)\s*([\])])\s*")


def parse_domain(text: str) -> Domain:
    """One variable and its interval.

    Raises
    ------
    InvalidArgument
        When the text is not ``NAME in INTERVAL`` or the interval is empty.

    Examples
    --------
    >>> parse_domain("n in Z[1, inf)").interval
    '[1, inf)'
    """
    found = _DOMAIN.fullmatch(text)
    if found is None:
        raise InvalidArgument(f"a variable is declared as 'x in (0, 1]' or 'n in Z[1, inf)', got {text!r}")
    name, whole, left, low_text, high_text, right = found.groups()
    if name in RESERVED:
        raise InvalidArgument(f"{name!r} is a reserved word and cannot be a variable")
    try:
        low = None if low_text == "-inf" else fraction_of(low_text)
        high = None if high_text == "inf" else fraction_of(high_text)
    except (ValueError, ZeroDivisionError):
        raise InvalidArgument(f"the ends of an interval are numbers, -inf or inf, got {text!r}") from None
    for end in (low, high):
        if end is not None and max(abs(end.numerator), end.denominator) >= 10**LONGEST_NUMBER:
            raise InvalidArgument(f"a number has at most {LONGEST_NUMBER} digits, got the interval {text[:40]}...")
    low_open, high_open = left == "(" or low is None, right == ")" or high is None
    if whole:
        if low is not None:
            low, low_open = Fraction(low.__floor__() + 1 if low_open else low.__ceil__()), False
        if high is not None:
            high, high_open = Fraction(high.__ceil__() - 1 if high_open else high.__floor__()), False
    if low is not None and high is not None and (low > high or (low == high and (low_open or high_open))):
        raise InvalidArgument(f"the interval is empty: {text!r}")
    return Domain(name, bool(whole), low, low_open, high, high_open)


def parse_formula(formula: Formula) -> Problem:
    """A formula as trees.

    Raises
    ------
    InvalidArgument
        When a text is not of the language.

    Examples
    --------
    >>> problem = parse_formula(Formula("x in (0, 1)", "", "x^2 < x"))
    >>> str(problem.claim[0])
    'x^2 < x'
    """
    domains = tuple(parse_domain(part) for part in formula.variables.split(";") if part.strip())
    names = frozenset(domain.name for domain in domains)
    if len(names) < len(domains):
        raise InvalidArgument(f"a variable is declared twice in {formula.variables!r}")
    assumptions = tuple(parse_chain(part, names) for part in formula.assume.split(";") if part.strip())
    return Problem(domains, assumptions, parse_chain(formula.claim, names))


def names_in(node: Expression) -> frozenset[str]:
    """The variables of an expression.

    Examples
    --------
    >>> sorted(names_in(parse_expression("x + log(y)", {"x", "y", "z"})))
    ['x', 'y']
    """
    if node.operation == "name":
        return frozenset({node.name})
    if node.operation in INDEXED:
        first, last, term = (names_in(argument) for argument in node.arguments)
        return first | last | (term - {node.name})
    return frozenset().union(*(names_in(argument) for argument in node.arguments))


def replace(node: Expression, old: Expression, new: Expression) -> Expression:
    """The expression with every occurrence of a subtree replaced, numbers folded.

    Examples
    --------
    >>> x = variable("x")
    >>> str(replace(parse_expression("x^2 + 1", {"x"}), x, number(2)))
    '5'
    """
    if node == old:
        return new
    if not node.arguments:
        return node
    arguments = [replace(argument, old, new) for argument in node.arguments]
    if node.operation in INDEXED:
        return Expression(node.operation, tuple(arguments), name=node.name)
    return operate(node.operation, *arguments)


def subtrees(node: Expression) -> Iterator[Expression]:
    """All nodes of an expression, operands before operations; not those in the term of a sum, which has an index."""
    for argument in node.arguments[:2]:
        yield from subtrees(argument)
    yield node


def derivative(node: Expression, name: str) -> Expression:
    """The derivative by a variable.

    Raises
    ------
    InvalidArgument
        When the variable stands inside abs, floor, ceil, max, min, binom, fact, sum or prod.

    Examples
    --------
    >>> str(derivative(parse_expression("x*log(x)", {"x"}), "x"))
    'log(x) + x*(1/x)'
    """
    if name not in names_in(node):
        return ZERO
    operation = node.operation
    if operation == "name":
        return ONE
    if operation in INDEXED:
        raise InvalidArgument(f"{operation} has no derivative everywhere")
    inner = [derivative(argument, name) for argument in node.arguments]
    a = node.arguments[0]
    if operation == "neg":
        return operate("neg", inner[0])
    if operation in "+-":
        return operate(operation, *inner)
    if operation == "exp":
        return operate("*", inner[0], node)
    if operation == "log":
        return operate("/", inner[0], a)
    if operation == "sqrt":
        return operate("/", inner[0], operate("*", number(2), node))
    if operation == "*":
        b = node.arguments[1]
        return _sum(_product(inner[0], b), _product(a, inner[1]))
    if operation == "/":
        b = node.arguments[1]
        if inner[1] == ZERO:
            return operate("/", inner[0], b)
        top = operate("-", _product(inner[0], b), _product(a, inner[1]))
        return operate("/", top, operate("^", b, number(2)))
    if operation == "^":
        b = node.arguments[1]
        if b.operation == "number" and b.value.denominator == 1:
            return _product(_product(b, operate("^", a, number(b.value - 1))), inner[0])
        growth = _sum(_product(inner[1], operate("log", a)), _product(b, operate("/", inner[0], a)))
        return _product(node, growth)
    raise InvalidArgument(f"{operation} has no derivative everywhere")


def _sum(a: Expression, b: Expression) -> Expression:
    return operate("+", a, b)


def _product(a: Expression, b: Expression) -> Expression:
    return ZERO if ZERO in (a, b) else operate("*", a, b)
