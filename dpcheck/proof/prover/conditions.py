"""What a formula has to show: that it is defined, and that each of its links holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from dpcheck.proof.prover.intervals import Undefined, enclose
from dpcheck.proof.prover.language import INDEXED, Domain, Expression, Link, names_in, operate, subtrees

Kind = str


@dataclass(frozen=True)
class Condition:
    """What one operation asks for: ``sign`` (not 0), ``positive``, ``nonnegative``, ``power``, ``counts``, ``term``."""

    kind: Kind
    operation: Expression
    operands: tuple[Expression, ...]


def relation_of(link: Link) -> tuple[Expression, bool]:
    """A link as an expression that must be at least 0, or above 0 (True); of ``=`` the first of its two."""
    if link.relation in ("<=", "<", "="):
        return Expression("-", (link.right, link.left)), link.relation == "<"
    return Expression("-", (link.left, link.right)), link.relation == ">"


def premises_of(link: Link) -> list[tuple[Expression, bool]]:
    """What an assumed link gives: one premise, two for ``=``."""
    expression, strict = relation_of(link)
    if link.relation == "=":
        return [(expression, False), (Expression("neg", (expression,)), False)]
    return [(expression, strict)]


def conditions(node: Expression, integers: frozenset[str] = frozenset()) -> Iterator[Condition]:
    """The conditions under which an expression is defined, in post-order.

    Examples
    --------
    >>> from dpcheck.proof.prover.language import parse_expression
    >>> [(found.kind, str(found.operands[0])) for found in conditions(parse_expression("log(x)/y", {"x", "y"}))]
    [('positive', 'x'), ('sign', 'y')]
    """
    for inner in subtrees(node):
        operation = inner.operation
        if operation == "/":
            if not _certainly_not_0(inner.arguments[1]):
                yield Condition("sign", inner, (inner.arguments[1],))
        elif operation == "log":
            if not _certainly_positive(inner.arguments[0]):
                yield Condition("positive", inner, inner.arguments)
        elif operation == "sqrt":
            if not _certainly_positive(inner.arguments[0]):
                yield Condition("nonnegative", inner, inner.arguments)
        elif operation == "^":
            base, power = inner.arguments
            if power.operation == "number" and power.value.denominator == 1:
                if power.value < 0 and not _certainly_not_0(base):
                    yield Condition("sign", inner, (base,))
            elif not _certainly_positive(base):
                yield Condition("power" if _whole(power, integers) else "positive", inner, inner.arguments)
        elif operation in ("fact", "binom"):
            if not all(map(_certainly_counts, inner.arguments)):
                yield Condition("counts", inner, inner.arguments)
        elif operation in INDEXED and any(True for _ in conditions(inner.arguments[2], integers | {inner.name})):
            yield Condition("term", inner, inner.arguments[:2])


def _whole(node: Expression, integers: frozenset[str]) -> bool:
    return all(
        (inner.operation == "number" and inner.value.denominator == 1)
        or (inner.operation == "name" and inner.name in integers)
        or inner.operation in ("+", "-", "*", "neg")
        for inner in subtrees(node)
    )


def _certainly_not_0(node: Expression) -> bool:
    if names_in(node):
        return False
    try:
        found = enclose(node, {})
    except Undefined:
        return False
    return found.above_0 or found.below_0


def _certainly_counts(node: Expression) -> bool:
    if names_in(node) or not _whole(node, frozenset()):
        return False
    try:
        return enclose(node, {}).at_least_0
    except Undefined:
        return False


def _certainly_positive(node: Expression) -> bool:
    if names_in(node):
        return False
    try:
        return enclose(node, {}).above_0
    except Undefined:
        return False


def negative(node: Expression) -> Expression:
    """``-(node)`` as a tree."""
    return operate("neg", node)


def singleton(domain: Domain) -> Fraction | None:
    """The only value of an interval, where it has only one."""
    return domain.low if domain.low is not None and domain.low == domain.high else None
