"""How a second judge reads a formula: z3 and cvc5 are told the same, since ``cvc5.pythonic`` has z3's names."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from dpcheck.proof.prover.language import Expression, Link, Problem

#: Powers that are multiplied out.
MOST_POWER = 8
#: e and pi lie between these.
CONSTANTS = {"e": ("2.718281828", "2.718281829"), "pi": ("3.141592653", "3.141592654")}


class Unreadable(Exception):
    """A formula has what no judge is told: factorials, sums over an index, powers that are no integers of literals."""


class Reading:
    """One formula in a judge's language: a number for each term, and what is known of those that are unknown functions.

    ``exact`` says that there are none, and no e or pi: every model is then a point of the formula.
    """

    def __init__(self, problem: Problem, language: ModuleType) -> None:
        self.language = language
        self.known: list[Any] = []
        self.exact = True
        self.values: dict[str, list[tuple[Any, Any]]] = {"exp": [], "log": []}
        self.terms: dict[Expression, Any] = {}
        self.names: dict[str, Any] = {}
        for domain in problem.domains:
            name = language.Int(domain.name) if domain.integer else language.Real(domain.name)
            self.names[domain.name] = name
            if domain.low is not None:
                low = language.RealVal(str(domain.low))
                self.known.append(name > low if domain.low_open else name >= low)
            if domain.high is not None:
                high = language.RealVal(str(domain.high))
                self.known.append(name < high if domain.high_open else name <= high)
        self.premises = [self.relation(link) for link in problem.assumptions]
        self.goal = language.And(*(self.relation(link) for link in problem.claim))

    def term(self, node: Expression) -> Any:
        """The number that an expression is."""
        if node not in self.terms:
            self.terms[node] = self._term(node)
        return self.terms[node]

    def _term(self, node: Expression) -> Any:
        operation, language = node.operation, self.language
        if operation == "number":
            return language.RealVal(str(node.value))
        if operation == "name":
            name = self.names[node.name]
            return language.ToReal(name) if name.is_int() else name
        if operation in CONSTANTS:
            value = language.Real(f"{operation} itself")
            low, high = CONSTANTS[operation]
            self.known += [value > language.RealVal(low), value < language.RealVal(high)]
            self.exact = False
            return value
        if operation == "^":
            return self.power(node)
        if operation not in _PLAIN and operation not in ("exp", "log", "sqrt"):
            raise Unreadable(operation)
        inner = [self.term(argument) for argument in node.arguments]
        if operation in _PLAIN:
            return _PLAIN[operation](language, *inner)
        value = language.Real(f"{operation}({node.arguments[0]})")
        if operation == "sqrt":
            self.known += [value >= 0, value * value == inner[0]]
        else:
            self.tell(operation, inner[0], value)
        return value

    def power(self, node: Expression) -> Any:
        """A product, or one over it; what is no integer goes by the exponential of a logarithm."""
        base, exponent = node.arguments
        if exponent.operation == "neg" and exponent.arguments[0].operation == "number":
            exponent = Expression("number", value=-exponent.arguments[0].value)
        if exponent.operation == "number" and exponent.value.denominator == 1 and abs(exponent.value) <= MOST_POWER:
            value = self.language.RealVal(1)
            for _ in range(abs(int(exponent.value))):
                value = value * self.term(base)
            return value if exponent.value >= 0 else 1 / value
        if base.operation == "e":
            return self.term(Expression("exp", (exponent,)))
        if base.operation == "number" and base.value > 0:
            return self.term(Expression("exp", (Expression("*", (exponent, Expression("log", (base,)))),)))
        raise Unreadable("^")

    def tell(self, function: str, argument: Any, value: Any) -> None:
        """What is known of an exponential or logarithm: its sign, a tangent, and that it rises."""
        self.exact = False
        implies = self.language.Implies
        if function == "exp":
            self.known += [value > 0, value >= 1 + argument, implies(argument <= 0, value <= 1)]
        else:
            self.known += [value <= argument - 1, implies(argument >= 1, value >= 0)]
            self.known.append(implies(argument > 0, value * argument >= argument - 1))
        for other, its in self.values[function]:
            self.known += [(argument <= other) == (value <= its), (argument >= other) == (value >= its)]
        self.values[function].append((argument, value))

    def relation(self, link: Link) -> Any:
        """A link of a chain."""
        left, right = self.term(link.left), self.term(link.right)
        return {
            "<=": left <= right, "<": left < right, "=": left == right, ">=": left >= right, ">": left > right,
        }[link.relation]  # fmt: skip


_PLAIN = {
    "+": lambda _, a, b: a + b, "-": lambda _, a, b: a - b, "*": lambda _, a, b: a * b, "/": lambda _, a, b: a / b,
    "neg": lambda _, a: -a, "abs": lambda to, a: to.If(a >= 0, a, -a), "max": lambda to, a, b: to.If(a >= b, a, b),
    "min": lambda to, a, b: to.If(a <= b, a, b), "floor": lambda to, a: to.ToReal(to.ToInt(a)),
    "ceil": lambda to, a: -to.ToReal(to.ToInt(-a)),
}  # fmt: skip
