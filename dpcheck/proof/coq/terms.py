"""Expressions and formulas as Coq reads them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from dpcheck.proof.prover.checker_formula import (
    Chain,
    Operation,
    Relation,
    Statement,
    Variable,
    integer_sum,
    operations,
)
from dpcheck.proof.prover.checker_syntax import Tree, integer_literal
from dpcheck.proof.prover.language import Domain

FUNCTIONS = {
    "exp": "exp", "log": "ln", "sqrt": "sqrt", "abs": "Rabs", "max": "Rmax", "min": "Rmin", "floor": "rounded_down",
    "ceil": "rounded_up",
}  # fmt: skip
#: The largest exponent that is written: Coq counts natural numbers one by one.
_MOST_POWER = 4000


class NotExported(Exception):
    """A formula or proof has what is not told to Coq: factorials, sums over an index, powers of what may be 0."""


def name_of(name: str) -> str:
    """A variable's name, which is no word of Coq's.

    >>> name_of("exp1")
    'v_exp1'
    """
    return f"v_{name}"


def number_text(value: Fraction) -> str:
    """A rational number.

    >>> number_text(Fraction(-1, 2)), number_text(Fraction(3))
    ('(-1 / 2)', '3')
    """
    above = str(value.numerator) if value.numerator >= 0 else f"(-{-value.numerator})"
    return above if value.denominator == 1 else f"({value.numerator} / {value.denominator})"


def text(tree: Tree, written: Mapping[Tree, str] | None = None) -> str:
    """The text of an expression, in as many brackets as there are operations; some terms may be ``written`` otherwise.

    >>> from dpcheck.proof.prover.checker_syntax import parse
    >>> text(parse("log(x)^2 - 1/2^x", {"x"}))
    '(((ln v_x) ^ 2) - (1 / (power 2 v_x)))'
    """
    if written is not None and tree in written:
        return written[tree]
    if tree.head == "number":
        return number_text(tree.value)
    if tree.head == "variable":
        return name_of(tree.name)
    if tree.head in ("e", "pi"):
        return "(exp 1)" if tree.head == "e" else "PI"
    parts = [text(part, written) for part in tree.parts]
    if tree.head == "neg":
        return f"(- {parts[0]})"
    if tree.head in ("+", "-", "*", "/"):
        return f"({parts[0]} {tree.head} {parts[1]})"
    if tree.head == "^":
        exponent = integer_literal(tree.parts[1])
        if exponent is None:
            return f"(power {parts[0]} {parts[1]})"
        if abs(exponent) > _MOST_POWER:
            raise NotExported(f"a power of {exponent}")
        power = f"({parts[0]} ^ {abs(exponent)})"
        return power if exponent >= 0 else f"(/ {power})"
    if tree.head not in FUNCTIONS:
        raise NotExported(tree.head)
    return f"({FUNCTIONS[tree.head]} {' '.join(parts)})"


def natural(count: int) -> str:
    """The proof that a natural number is what Coq counts.

    >>> natural(2)
    '(ltac:(natural) : 2 = INR 2)'
    """
    return f"(ltac:(natural) : {count} = INR {count})"


def plain(tree: Tree) -> Tree:
    """The expression with powers by logarithms, as they are where their bases are above 0.

    >>> from dpcheck.proof.prover.checker_syntax import parse
    >>> [str(plain(parse(each, {"x"}))) for each in ("2^x", "e^x", "x^2", "x^(1/2)")]
    ['exp(x*log(2))', 'exp(x)', 'x^2', 'sqrt(x)']
    """
    if not tree.parts or tree.head in ("sum", "prod"):
        return tree
    parts = tuple(plain(part) for part in tree.parts)
    if tree.head == "^" and integer_literal(tree.parts[1]) is None:
        if parts[0].head == "e":
            return Tree("exp", (parts[1],))
        if is_half(parts[1]):
            return Tree("sqrt", (parts[0],))
        return Tree("exp", (Tree("*", (parts[1], Tree("log", (parts[0],)))),))
    return Tree(tree.head, parts, tree.value, tree.name)


def is_half(tree: Tree) -> bool:
    """Whether an expression is written 1/2 or 0.5."""
    above, below = tree.parts if tree.head == "/" else (tree, Tree("number", value=Fraction(1)))
    return above.head == below.head == "number" and above.value * 2 == below.value


def condition_text(operation: Operation, integers: frozenset[str] = frozenset()) -> str:
    """The condition under which an operation is defined; ``integers`` are the integer variables.

    >>> from dpcheck.proof.prover.checker_syntax import parse
    >>> [condition_text(operation) for operation in operations(parse("log(1/x)", {"x"}))]
    ['v_x <> 0', '0 < (1 / v_x)']
    """
    first = text(operation.operands[0])
    match operation.kind:
        case "nonzero":
            return f"{first} <> 0"
        case "positive":
            return f"0 < {first}"
        case "nonnegative":
            return f"0 <= {first}"
        case "power" if not integer_sum(operation.operands[1], integers, False):
            return f"0 < {first}"
        case "power":
            exponent = text(operation.operands[1])
            return f"(0 < {first} \\/ (0 <= {first} /\\ 0 <= {exponent} /\\ integer {exponent}))"
        case _:
            raise NotExported(operation.kind)


def relation_text(relation: Relation) -> str:
    """``0 <= tree`` or ``0 < tree``."""
    return f"0 {'<' if relation.strict else '<='} {text(relation.tree)}"


def link_text(left: Tree, sign: str, right: Tree) -> str:
    """One link of a chain."""
    return f"{text(left)} {sign} {text(right)}"


def chain_text(chain: Chain) -> str:
    """All links of a chain."""
    return " /\\ ".join(link_text(*link) for link in chain.links())


def interval_texts(name: str, interval: Variable | Domain) -> list[str]:
    """What an interval says of a number that has this text.

    >>> interval_texts("v_n", Variable("n", True, Fraction(1), None, False, True))
    ['integer v_n', '1 <= v_n']
    """
    found = [f"integer {name}"] if interval.integer else []
    if interval.low is not None:
        found.append(f"{number_text(interval.low)} {'<' if interval.low_open else '<='} {name}")
    if interval.high is not None:
        found.append(f"{name} {'<' if interval.high_open else '<='} {number_text(interval.high)}")
    return found


def domain_texts(item: Variable) -> list[str]:
    """What the interval of a variable says.

    >>> domain_texts(Variable("n", True, Fraction(1), None, False, True))
    ['integer v_n', '1 <= v_n']
    """
    return interval_texts(name_of(item.name), item)


def conditions(chain: Chain) -> list[Operation]:
    """The partial operations of a chain, each once, in order."""
    found: dict[Tree, Operation] = {}
    for tree in chain.trees:
        for operation in operations(tree):
            found.setdefault(operation.node, operation)
    return list(found.values())


def statement_text(statement: Statement) -> str:
    r"""What a formula says: of all points of its domain, that all is defined and that its claim holds.

    >>> from dpcheck.proof.prover.checker_formula import read_formula
    >>> from dpcheck.proof.prover.formula import Formula
    >>> print(statement_text(read_formula(Formula("x in (0, 1]", "", "log(x) <= x - 1"))))
    forall v_x : R, 0 < v_x -> v_x <= 1 ->
      (0 < v_x) /\ (
      ((ln v_x) <= (v_x - 1)))
    """
    lines = [_head(statement)]
    closing = 0
    for chain in (*statement.assumptions, statement.claim):
        asked = [condition_text(each, statement.integers()) for each in conditions(chain)]
        if asked:
            lines.append("(" + " /\\ ".join(asked) + ") /\\ (")
        lines.append(f"({chain_text(chain)})" + ("" if chain is statement.claim else " -> ("))
        closing += bool(asked) + (chain is not statement.claim)
    return "\n  ".join(lines) + ")" * closing


def _head(statement: Statement) -> str:
    bound = " ".join(name_of(item.name) for item in statement.variables)
    ends = [end for item in statement.variables for end in domain_texts(item)]
    return ((f"forall {bound} : R, " if bound else "True -> ") + "".join(f"{end} -> " for end in ends)).strip()


def refutation_text(statement: Statement) -> str:
    """That a formula fails: there is a point where its premises are defined and hold, and the claim is not so.

    >>> from dpcheck.proof.prover.checker_formula import read_formula
    >>> from dpcheck.proof.prover.formula import Formula
    >>> print(refutation_text(read_formula(Formula("x in [0, 1]", "", "x < 1"))))
    exists v_x : R, (0 <= v_x) /\\ (v_x <= 1) /\\
      ~ ((v_x < 1))
    """
    bound = " ".join(name_of(item.name) for item in statement.variables)
    held = [f"({end})" for item in statement.variables for end in domain_texts(item)]
    for chain in statement.assumptions:
        held += [f"({condition_text(each, statement.integers())})" for each in conditions(chain)]
        held.append(f"({chain_text(chain)})")
    asked = [f"({condition_text(each, statement.integers())}) /\\ " for each in conditions(statement.claim)]
    head = (f"exists {bound} : R, " if bound else "") + "".join(f"{each} /\\ " for each in held)
    return f"{head.strip()}\n  ~ ({''.join(asked)}({chain_text(statement.claim)}))".lstrip("\n ")


def vacuous_text(statement: Statement) -> str:
    """That no point of a formula's domain satisfies its assumptions.

    >>> from dpcheck.proof.prover.checker_formula import read_formula
    >>> from dpcheck.proof.prover.formula import Formula
    >>> print(vacuous_text(read_formula(Formula("x in [0, 1]", "x > 1", "x = 2"))))
    forall v_x : R, 0 <= v_x -> v_x <= 1 ->
      (v_x > 1) ->
      False
    """
    lines = [_head(statement)]
    for chain in statement.assumptions:
        asked = [condition_text(each, statement.integers()) for each in conditions(chain)]
        if asked:
            lines.append("(" + " /\\ ".join(asked) + ") ->")
        lines.append(f"({chain_text(chain)}) ->")
    return "\n  ".join([*lines, "False"])
