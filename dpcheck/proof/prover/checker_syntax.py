"""The checker's own reading of expressions: tokens, a Pratt parser, and the trees it makes.

Nothing here is shared with the search. Grammar and limits are those of certificates.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from dpcheck.model.errors import DpcheckError

#: Characters of one text, nesting of one expression, digits of one literal: the language's limits.
LONGEST_TEXT, DEEPEST_NESTING, LONGEST_LITERAL = 4000, 60, 60
#: Nodes and depth of one tree (substitutions and derivatives make trees larger than any text).
LARGEST_TREE, DEEPEST_TREE = 20_000, 500
#: Characters of a rational number in a certificate.
LONGEST_RATIONAL = 2000

#: Functions and their numbers of arguments.
ARITY = {"exp": 1, "log": 1, "sqrt": 1, "abs": 1, "floor": 1, "ceil": 1, "fact": 1, "max": 2, "min": 2, "binom": 2}
#: Sums and products over an index: ``sum(i, a, b, term)``. The words are no reserved names: a bracket follows them.
INDEXED = ("sum", "prod")
RESERVED = frozenset(ARITY) | {"e", "pi", "inf", "in", "Z"}
RELATIONS = ("<=", "<", ">=", ">", "=")

_TOKEN = re.compile(
    r"[ \t\r\n]*(?:(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<name>[A-Za-z][A-Za-z0-9_]*)|(?P<sign><=|>=|[-+*/^(),;<>=\[\]]))"
)
_RATIONAL = re.compile(r"-?[0-9]+(?:/[0-9]+)?")
#: What a name looks like.
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
#: How tightly each binary sign binds; unary minus lies between `*` and `^`.
_BINDING = {"+": 10, "-": 10, "*": 20, "/": 20, "^": 30}
_UNARY = 25


class CheckFailed(DpcheckError, ValueError):
    """The checker does not accept: ``reason`` says why, ``path`` names the obligation and the way to the rule.

    >>> str(CheckFailed("the bound is -1", "link 0 / split[3] / interval"))
    'link 0 / split[3] / interval: the bound is -1'
    """

    def __init__(self, reason: str, path: str = "") -> None:
        super().__init__(f"{path}: {reason}" if path else reason)
        self.reason = reason
        self.path = path


def shown(value: object) -> str:
    """A short text of something found where something else is wanted; never long, whatever it is.

    >>> shown("x"), shown(7), shown([[]])
    ("'x'", '7', 'something of type list')
    """
    if isinstance(value, str):
        return repr(value[:80])
    if value is None or (isinstance(value, int) and abs(value) < 10**9):
        return repr(value)
    return f"something of type {type(value).__name__}"


@dataclass(frozen=True, slots=True)
class Tree:
    """An expression: ``head`` is "number", "variable", "e", "pi", "neg", a binary sign or a function's name.

    A sum or product over an index has the index's name, and the parts first, last and term; the index is no variable
    of it. Trees are equal when they are written alike. Raises CheckFailed when the tree would pass the limits.

    >>> (parse("x + 1", {"x"}) == Tree("+", (variable("x"), number(1)))), parse("x + 1", {"x"}).variables
    (True, frozenset({'x'}))
    """

    head: str
    parts: tuple[Tree, ...] = ()
    value: Fraction = Fraction(0)
    name: str = ""
    size: int = field(init=False, compare=False, repr=False)
    depth: int = field(init=False, compare=False, repr=False)
    variables: frozenset[str] = field(init=False, compare=False, repr=False)
    digest: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        size = 1 + sum(part.size for part in self.parts)
        depth = 1 + max((part.depth for part in self.parts), default=0)
        if size > LARGEST_TREE or depth > DEEPEST_TREE:
            raise CheckFailed("an expression has become too large")
        names = frozenset[str]().union(*(part.variables for part in self.parts))
        if self.head in INDEXED:
            names = self.parts[0].variables | self.parts[1].variables | (self.parts[2].variables - {self.name})
        elif self.name:
            names |= {self.name}
        object.__setattr__(self, "size", size)
        object.__setattr__(self, "depth", depth)
        object.__setattr__(self, "variables", names)
        object.__setattr__(
            self, "digest", hash((self.head, self.value, self.name, tuple(part.digest for part in self.parts)))
        )

    def __hash__(self) -> int:
        return self.digest

    def __str__(self) -> str:
        return render(self)


def number(value: Fraction | int) -> Tree:
    """The tree of a rational number.

    >>> str(number(Fraction(-1, 2)))
    '(-1/2)'
    """
    return Tree("number", value=Fraction(value))


def variable(name: str) -> Tree:
    """The tree of a variable.

    >>> str(variable("eps"))
    'eps'
    """
    return Tree("variable", name=name)


def difference(left: Tree, right: Tree) -> Tree:
    """The tree ``left - right``.

    >>> str(difference(variable("x"), number(1)))
    'x - 1'
    """
    return Tree("-", (left, right))


def negative(tree: Tree) -> Tree:
    """The tree ``-(tree)``.

    >>> str(negative(variable("x")))
    '-x'
    """
    return Tree("neg", (tree,))


def integer_literal(tree: Tree) -> int | None:
    """The value of an integer literal (a number, or minus a number, whose value is an integer), otherwise None.

    >>> integer_literal(parse("-2", set())), integer_literal(parse("4/2", set()))
    (-2, None)
    """
    sign, literal = (-1, tree.parts[0]) if tree.head == "neg" else (1, tree)
    if literal.head == "number" and literal.value.denominator == 1:
        return sign * int(literal.value)
    return None


def render(tree: Tree) -> str:
    """The text of a tree, with as few parentheses as the grammar allows.

    >>> render(parse("(x+1) * -x^2 - (1 - x)", {"x"}))
    '(x + 1)*(-x^2) - (1 - x)'
    """

    def inside(part: Tree, least: int) -> str:
        strength = _BINDING.get(part.head, _UNARY if part.head == "neg" else 100)
        text = render(part)
        return f"({text})" if strength < least else text

    match tree.head:
        case "number":
            text = str(tree.value)
            return text if tree.value >= 0 and tree.value.denominator == 1 else f"({text})"
        case "variable":
            return tree.name
        case "e" | "pi":
            return tree.head
        case "neg":
            return f"-{inside(tree.parts[0], _BINDING['^'])}"
        case "+" | "-" | "*" | "/":
            strength = _BINDING[tree.head]
            sign = f" {tree.head} " if tree.head in "+-" else tree.head
            right = inside(tree.parts[1], strength + 1)
            right = f"({right})" if tree.parts[1].head == "neg" else right
            return f"{inside(tree.parts[0], strength)}{sign}{right}"
        case "^":
            return f"{inside(tree.parts[0], 31)}^{inside(tree.parts[1], 30)}"
        case "sum" | "prod":
            return f"{tree.head}({tree.name}, {', '.join(render(part) for part in tree.parts)})"
        case _:
            return f"{tree.head}({', '.join(render(part) for part in tree.parts)})"


def postorder(tree: Tree) -> Iterator[Tree]:
    """All occurrences of subexpressions, operands before the operation, left to right; not those in a sum's term.

    >>> [str(part) for part in postorder(parse("x*y", {"x", "y"}))]
    ['x', 'y', 'x*y']
    """
    for part in tree.parts[:2]:  # the term of a sum or product, its third part, is about another variable
        yield from postorder(part)
    yield tree


def replaced(tree: Tree, table: Mapping[Tree, Tree]) -> Tree:
    """The tree with every occurrence of a key of the table replaced, all at once (results are not searched again).

    Raises CheckFailed where a key or what takes its place has the name of an index of the tree.

    >>> str(replaced(parse("x - y", {"x", "y"}), {variable("x"): variable("y"), variable("y"): variable("x")}))
    'y - x'
    """
    found = table.get(tree)
    if found is not None:
        return found
    if not tree.parts:
        return tree
    if tree.head in INDEXED and any(tree.name in side.variables for pair in table.items() for side in pair):
        raise CheckFailed(f"the index {tree.name} is the name of something else too")
    parts = tuple([replaced(part, table) for part in tree.parts])
    same = all(new is old for new, old in zip(parts, tree.parts, strict=True))
    return tree if same else Tree(tree.head, parts, tree.value, tree.name)


def rational(text: object) -> Fraction:
    """The rational number that a certificate writes as ``"p/q"`` or ``"p"``.

    Raises CheckFailed for anything else, and for a zero denominator.

    >>> rational("-3/6")
    Fraction(-1, 2)
    """
    if not isinstance(text, str) or len(text) > LONGEST_RATIONAL or not _RATIONAL.fullmatch(text):
        raise CheckFailed(f"a rational number 'p/q' is wanted, not {shown(text)}")
    above, _, below = text.partition("/")
    if below and not int(below):
        raise CheckFailed(f"{shown(text)} divides by 0")
    return Fraction(int(above), int(below or "1"))


class Reader:
    """Reads one text token by token; every method raises CheckFailed where the grammar or a limit is not kept.

    Parameters
    ----------
    text : str, what to read
    names : the variables that may occur in expressions

    >>> reader = Reader("x + 1 <= y", {"x", "y"})
    >>> str(reader.expression()), reader.sign(*RELATIONS), str(reader.expression()), reader.at_end()
    ('x + 1', '<=', 'y', True)
    """

    def __init__(self, text: object, names: frozenset[str] | set[str]) -> None:
        if not isinstance(text, str):
            raise CheckFailed(f"a text is wanted, not {type(text).__name__}")
        if len(text) > LONGEST_TEXT:
            raise CheckFailed(f"a text of {len(text)} characters is longer than {LONGEST_TEXT}")
        if not text.isascii():
            raise CheckFailed("a text holds characters that are not ASCII")
        self.names = names
        self.tokens: list[tuple[str, str]] = []
        self.place = 0
        position, text = 0, text.rstrip(" \t\r\n")
        while position < len(text):
            found = _TOKEN.match(text, position)
            if found is None:
                raise CheckFailed(f"cannot read {text[position : position + 20]!r}")
            self.tokens.append((str(found.lastgroup), found[str(found.lastgroup)]))
            position = found.end()

    def at_end(self) -> bool:
        """Whether nothing is left to read.

        >>> Reader(" ", set()).at_end()
        True
        """
        return self.place == len(self.tokens)

    def finish(self) -> None:
        """Refuses trailing input.

        >>> Reader("", set()).finish()
        """
        if not self.at_end():
            raise CheckFailed(f"trailing input at {self.tokens[self.place][1]!r:.80}")

    def sign(self, *wanted: str) -> str:
        """Takes the next token if it is one of the signs or words wanted, otherwise returns "".

        >>> Reader("(", set()).sign("(", "[")
        '('
        """
        if not self.at_end() and self.tokens[self.place][0] != "number" and self.tokens[self.place][1] in wanted:
            self.place += 1
            return self.tokens[self.place - 1][1]
        return ""

    def expect(self, *wanted: str) -> str:
        """Takes the next token, which must be one of the signs or words wanted.

        >>> Reader("in", set()).expect("in")
        'in'
        """
        found = self.sign(*wanted)
        if not found:
            got = "the end" if self.at_end() else repr(self.tokens[self.place][1])
            raise CheckFailed(f"{' or '.join(wanted)} is wanted, not {got:.80}")
        return found

    def take(self, kind: str) -> str:
        """Takes the next token, which must be of the kind "number" or "name".

        >>> Reader("x", set()).take("name")
        'x'
        """
        if self.at_end() or self.tokens[self.place][0] != kind:
            got = "the end" if self.at_end() else repr(self.tokens[self.place][1])
            raise CheckFailed(f"a {kind} is wanted, not {got:.80}")
        self.place += 1
        return self.tokens[self.place - 1][1]

    def literal(self) -> Fraction:
        """Takes an unsigned number.

        >>> Reader("0.1", set()).literal()
        Fraction(1, 10)
        """
        text = self.take("number")
        if len(text.replace(".", "")) > LONGEST_LITERAL:
            raise CheckFailed(f"a literal of more than {LONGEST_LITERAL} digits")
        return Fraction(text)

    def expression(self, least: int = 0, nesting: int = 0) -> Tree:
        """Takes an expression of signs that bind at least so tightly.

        >>> str(Reader("-x^2", {"x"}).expression())
        '-x^2'
        """
        if nesting > DEEPEST_NESTING:
            raise CheckFailed(f"an expression is nested more than {DEEPEST_NESTING} deep")
        left = self._operand(nesting)
        while not self.at_end():
            sign = self.tokens[self.place][1]
            strength = _BINDING.get(sign, -1)
            if strength < least or strength < 0:
                break
            self.place += 1
            power = sign == "^"
            right = self.expression(strength if power else strength + 1, nesting + power)
            left = Tree(sign, (left, right))
        return left

    def _operand(self, nesting: int) -> Tree:
        if self.sign("-"):
            return negative(self.expression(_UNARY, nesting + 1))
        if self.sign("("):
            inner = self.expression(0, nesting + 1)
            self.expect(")")
            return inner
        if not self.at_end() and self.tokens[self.place][0] == "number":
            return number(self.literal())
        name = self.take("name")
        if name in ARITY:
            self.expect("(")
            parts = [self.expression(0, nesting + 1)]
            while self.sign(","):
                parts.append(self.expression(0, nesting + 1))
            self.expect(")")
            if len(parts) != ARITY[name]:
                raise CheckFailed(f"{name} takes {ARITY[name]} arguments, not {len(parts)}")
            return Tree(name, tuple(parts))
        if name in INDEXED and self.sign("("):
            return self._indexed(name, nesting)
        if name in ("e", "pi"):
            return Tree(name)
        if name in RESERVED or name not in self.names:
            raise CheckFailed(f"unknown name {shown(name)}")
        return variable(name)

    def _indexed(self, head: str, nesting: int) -> Tree:
        index = self.take("name")
        if index in RESERVED or index in self.names:
            raise CheckFailed(f"the index {shown(index)} is reserved or the name of something else")
        parts = []
        for _ in range(2):
            self.expect(",")
            parts.append(self.expression(0, nesting + 1))
        self.expect(",")
        outside, self.names = self.names, self.names | {index}
        parts.append(self.expression(0, nesting + 1))
        self.names = outside
        self.expect(")")
        return Tree(head, tuple(parts), name=index)


def parse(text: object, names: frozenset[str] | set[str]) -> Tree:
    """The tree of a text that is one expression in the variables named.

    Raises CheckFailed for a text that is none.

    >>> str(parse("exp(x)*(1+x)", {"x"}))
    'exp(x)*(1 + x)'
    """
    reader = Reader(text, names)
    tree = reader.expression()
    reader.finish()
    return tree
