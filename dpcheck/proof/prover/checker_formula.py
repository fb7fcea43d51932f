"""The checker's own reading of formulas: variables with intervals, chains of relations, and partial operations."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from dpcheck.proof.prover.checker_syntax import (
    INDEXED,
    RELATIONS,
    RESERVED,
    CheckFailed,
    Reader,
    Tree,
    difference,
    integer_literal,
    negative,
    postorder,
    shown,
)
from dpcheck.proof.prover.formula import Formula

#: What a partial operation asks of its operands; "power" is of `a ^ b` with b not an integer literal.
#: "term" is of a sum or product: its term must be defined at each index.
Kind = Literal["nonzero", "positive", "nonnegative", "power", "count", "term"]


@dataclass(frozen=True)
class Variable:
    """A variable and its interval: an end that is None is infinite (and excluded).

    >>> read_variables("n in Z(0, 5]")
    (Variable(name='n', integer=True, low=Fraction(1, 1), high=Fraction(5, 1), low_open=False, high_open=False),)
    """

    name: str
    integer: bool
    low: Fraction | None
    high: Fraction | None
    low_open: bool
    high_open: bool

    def contains(self, value: Fraction) -> bool:
        """Whether the value is in the interval (and an integer where one is due).

        >>> read_variables("x in (0, 1]")[0].contains(Fraction(0))
        False
        """
        above = self.low is None or (value > self.low if self.low_open else value >= self.low)
        below = self.high is None or (value < self.high if self.high_open else value <= self.high)
        return above and below and (not self.integer or value.denominator == 1)

    def inside(self) -> Variable:
        """The same variable as a real one with both ends excluded.

        >>> read_variables("n in Z[1, 2]")[0].inside().low_open
        True
        """
        return replace(self, integer=False, low_open=True, high_open=True)


@dataclass(frozen=True)
class Relation:
    """``tree >= 0``, or ``tree > 0`` when strict.

    >>> str(Relation(Tree("e"), True))
    'e > 0'
    """

    tree: Tree
    strict: bool

    def __str__(self) -> str:
        return f"{self.tree} {'>' if self.strict else '>='} 0"


@dataclass(frozen=True)
class Chain:
    """Expressions joined by relation signs.

    >>> [str(relation) for relation in read_formula(Formula("x in [0, 1]", "", "0 <= x < 2")).claim.relations()]
    ['x - 0 >= 0', '2 - x > 0']
    """

    trees: tuple[Tree, ...]
    signs: tuple[str, ...]

    def links(self) -> Iterator[tuple[Tree, str, Tree]]:
        """The links, as left side, sign and right side.

        >>> [sign for _, sign, _ in read_formula(Formula("", "", "0 < 1 = 1")).claim.links()]
        ['<', '=']
        """
        return zip(self.trees, self.signs, self.trees[1:], strict=False)

    def relations(self) -> tuple[Relation, ...]:
        """What the links say; an equation says two things.

        >>> len(read_formula(Formula("", "", "1 = 1")).claim.relations())
        2
        """
        return tuple(relation for link in self.links() for relation in link_relations(*link))


def link_relations(left: Tree, sign: str, right: Tree) -> tuple[Relation, ...]:
    """The relations of one link.

    >>> [str(relation) for relation in link_relations(Tree("e"), ">", Tree("pi"))]
    ['e - pi > 0']
    """
    if sign in (">=", ">"):
        return (Relation(difference(left, right), sign == ">"),)
    forth = difference(right, left)
    if sign == "=":
        return (Relation(forth, False), Relation(negative(forth), False))
    return (Relation(forth, sign == "<"),)


@dataclass(frozen=True)
class Operation:
    """An operation that is not defined everywhere, and the operands that its condition is about.

    >>> [(operation.kind, str(operation.operands[0])) for operation in operations(Tree("log", (Tree("e"),)))]
    [('positive', 'e')]
    """

    node: Tree
    kind: Kind
    operands: tuple[Tree, ...]


def operations(tree: Tree) -> Iterator[Operation]:
    """The partial operations of a tree, one per occurrence, in post-order.

    >>> from dpcheck.proof.prover.checker_syntax import parse
    >>> [str(operation.node) for operation in operations(parse("log(1/x)^2", {"x"}))]
    ['1/x', 'log(1/x)']
    """
    for node in postorder(tree):
        if node.head == "/":
            yield Operation(node, "nonzero", node.parts[1:])
        elif node.head == "log":
            yield Operation(node, "positive", node.parts)
        elif node.head == "sqrt":
            yield Operation(node, "nonnegative", node.parts)
        elif node.head in ("fact", "binom"):
            yield Operation(node, "count", node.parts)
        elif node.head == "^":
            exponent = integer_literal(node.parts[1])
            if exponent is None:
                yield Operation(node, "power", node.parts)
            elif exponent < 0:
                yield Operation(node, "nonzero", node.parts[:1])
        elif node.head in INDEXED and any(True for _ in operations(node.parts[2])):
            yield Operation(node, "term", node.parts[:2])


@dataclass(frozen=True)
class Statement:
    """A formula that has been read.

    >>> len(read_formula(Formula("x in [0, 1]", "x > 1/2; x < 1", "x > 0")).assumptions)
    2
    """

    variables: tuple[Variable, ...]
    assumptions: tuple[Chain, ...]
    claim: Chain

    def integers(self) -> frozenset[str]:
        """The names of the integer variables.

        >>> read_formula(Formula("x in [0, 1]; n in Z[0, 1]", "", "x = x")).integers()
        frozenset({'n'})
        """
        return frozenset(item.name for item in self.variables if item.integer)

    def relations(self) -> tuple[Relation, ...]:
        """What all assumptions say, in order.

        >>> len(read_formula(Formula("x in [0, 1]", "0 < x < 1", "x > 0")).relations())
        2
        """
        return tuple(relation for chain in self.assumptions for relation in chain.relations())


def integer_sum(tree: Tree, integers: Iterable[str], rounding: bool) -> bool:
    """Whether the tree is integer variables and integers joined by + - * (and, where allowed, floor and ceil).

    >>> integer_sum(Tree("floor", (Tree("e"),)), [], True), integer_sum(Tree("e"), [], True)
    (True, False)
    """
    if tree.head in ("+", "-", "*", "neg"):
        return all(integer_sum(part, integers, rounding) for part in tree.parts)
    if tree.head == "number":
        return tree.value.denominator == 1
    if tree.head == "variable":
        return tree.name in integers
    return rounding and tree.head in ("floor", "ceil")


def read_interval(reader: Reader) -> tuple[Fraction | None, Fraction | None, bool, bool]:
    """Takes an interval: its low and high end, and whether each is excluded.

    Raises CheckFailed for an empty one, and for an infinite end with a square bracket.

    >>> read_interval(Reader("(-1/2, inf)", set()))
    (Fraction(-1, 2), None, True, True)
    """
    low_open = reader.expect("(", "[") == "("
    low = _end(reader, "-inf")
    reader.expect(",")
    high = _end(reader, "inf")
    high_open = reader.expect(")", "]") == ")"
    if (low is None and not low_open) or (high is None and not high_open):
        raise CheckFailed("an infinite end is always excluded: write a round bracket")
    if low is not None and high is not None and (low > high or (low == high and (low_open or high_open))):
        raise CheckFailed("an interval is empty")
    return low, high, low_open, high_open


def _end(reader: Reader, infinite: str) -> Fraction | None:
    minus = bool(reader.sign("-"))
    if reader.sign("inf"):
        if minus != (infinite == "-inf"):
            raise CheckFailed("an interval ends at the wrong infinity")
        return None
    value = reader.literal()
    if reader.sign("/"):
        below = reader.literal()
        if not below:
            raise CheckFailed("an end of an interval divides by 0")
        value /= below
    return -value if minus else value


def real_variable(name: str, text: object) -> Variable:
    """A real variable with an interval given as text.

    >>> real_variable("t", "[0, 1)").high_open
    True
    """
    reader = Reader(text, frozenset())
    low, high, low_open, high_open = read_interval(reader)
    reader.finish()
    return Variable(name, False, low, high, low_open, high_open)


def read_variables(text: object) -> tuple[Variable, ...]:
    """The variables of a formula; ends of integer ones are normalised to included integers.

    Raises CheckFailed for names that are reserved or given twice, and for empty intervals.

    >>> [item.name for item in read_variables("x in (0, 1]; y in (-inf, inf)")]
    ['x', 'y']
    """
    reader = Reader(text, frozenset())
    found: list[Variable] = []
    while not reader.at_end():
        if found:
            reader.expect(";")
        name = reader.take("name")
        if name in RESERVED or any(item.name == name for item in found):
            raise CheckFailed(f"the name {shown(name)} is reserved or given twice")
        reader.expect("in")
        integer = bool(reader.sign("Z"))
        low, high, low_open, high_open = read_interval(reader)
        if integer:
            if low is not None:
                low = Fraction(math.floor(low) + 1 if low_open else math.ceil(low))
            if high is not None:
                high = Fraction(math.ceil(high) - 1 if high_open else math.floor(high))
            low_open, high_open = low is None, high is None
            if low is not None and high is not None and low > high:
                raise CheckFailed(f"no integer is in the interval of {name:.80}")
        found.append(Variable(name, integer, low, high, low_open, high_open))
    return tuple(found)


def read_chains(text: object, names: frozenset[str]) -> tuple[Chain, ...]:
    """The chains of a text, separated by ``;``; none for an empty text.

    >>> len(read_chains("x < 1; x > 0", frozenset({"x"})))
    2
    """
    reader = Reader(text, names)
    found: list[Chain] = []
    while not reader.at_end():
        if found:
            reader.expect(";")
        trees, signs = [reader.expression()], [reader.expect(*RELATIONS)]
        trees.append(reader.expression())
        while sign := reader.sign(*RELATIONS):
            signs.append(sign)
            trees.append(reader.expression())
        found.append(Chain(tuple(trees), tuple(signs)))
    return tuple(found)


def read_formula(formula: Formula) -> Statement:
    """Reads a formula.

    Raises CheckFailed for texts that are not of the language, a claim that is not one chain, or `fact` and `binom` of
    arguments that are not integer expressions.

    >>> read_formula(Formula("x in [0, 1]", "", "x <= 1")).variables[0].name
    'x'
    """
    variables = read_variables(formula.variables)
    names = frozenset(item.name for item in variables)
    assumptions, claim = read_chains(formula.assume, names), read_chains(formula.claim, names)
    if len(claim) != 1:
        raise CheckFailed(f"a claim is one chain, not {len(claim)}")
    statement = Statement(variables, assumptions, claim[0])
    for chain in (*assumptions, *claim):
        for tree in chain.trees:
            _counts(tree, statement.integers())
    return statement


def _counts(tree: Tree, integers: frozenset[str]) -> None:
    """Refuses `fact` and `binom` of what is no integer expression."""
    for operation in operations(tree):
        if operation.kind == "count" and not all(integer_sum(part, integers, True) for part in operation.operands):
            raise CheckFailed(f"{operation.node!s:.80} is of something that is not an integer expression")
        if operation.kind == "term":
            _counts(operation.node.parts[2], integers | {operation.node.name})
