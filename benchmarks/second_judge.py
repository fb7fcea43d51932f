"""A second judge: every formula that z3 can read is given to it, and whatever it sees otherwise is red.

Of a formula that is PROVED here z3 looks for a point where it fails; one that it finds is looked at exactly, since
exponentials and logarithms are unknown functions to it, of which it is told that they rise and lie above (below) a
tangent. Of one that is REFUTED here z3 must not show that it holds. Statuses do not rest on it.

    pip install -e '.[judges]'
    python benchmarks/second_judge.py --json judged.json
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import z3
from rich.progress import track

from dpcheck.proof.judges import keep
from dpcheck.proof.prover.checker import CheckFailed, check_refutation
from dpcheck.proof.prover.language import Expression, Link, Problem, parse_formula
from dpcheck.proof.registry import Registry
from dpcheck.proof.statement import Claim, Status
from dpcheck.proof.status import claims_of
from dpcheck.proof.store import key_of

#: Powers that are multiplied out.
MOST_POWER = 8
#: e and pi lie between these.
CONSTANTS = {"e": ("2.718281828", "2.718281829"), "pi": ("3.141592653", "3.141592654")}


class Unreadable(Exception):
    """A formula has what is not told to z3: factorials, sums over an index, powers that are no integers of literals."""


class Reading:
    """One formula as z3 has it: a number for each term, and what is known of those that are unknown functions."""

    def __init__(self, problem: Problem) -> None:
        self.known: list[Any] = []
        self.values: dict[str, list[tuple[Any, Any]]] = {"exp": [], "log": []}
        self.terms: dict[Expression, Any] = {}
        self.names: dict[str, Any] = {}
        for domain in problem.domains:
            name = z3.Int(domain.name) if domain.integer else z3.Real(domain.name)
            self.names[domain.name] = name
            if domain.low is not None:
                low = z3.RealVal(str(domain.low))
                self.known.append(name > low if domain.low_open else name >= low)
            if domain.high is not None:
                high = z3.RealVal(str(domain.high))
                self.known.append(name < high if domain.high_open else name <= high)

    def term(self, node: Expression) -> Any:
        """The number that an expression is."""
        if node not in self.terms:
            self.terms[node] = self._term(node)
        return self.terms[node]

    def _term(self, node: Expression) -> Any:
        operation = node.operation
        if operation == "number":
            return z3.RealVal(str(node.value))
        if operation == "name":
            name = self.names[node.name]
            return z3.ToReal(name) if name.is_int() else name
        if operation in CONSTANTS:
            value = z3.Real(f"{operation} itself")
            low, high = CONSTANTS[operation]
            self.known += [value > z3.RealVal(low), value < z3.RealVal(high)]
            return value
        if operation == "^":
            return self.power(node)
        if operation not in _OPERATIONS and operation not in ("exp", "log", "sqrt", "floor", "ceil"):
            raise Unreadable(operation)
        inner = [self.term(argument) for argument in node.arguments]
        if operation in _OPERATIONS:
            return _OPERATIONS[operation](*inner)
        if operation in ("floor", "ceil"):
            return z3.ToReal(z3.ToInt(inner[0])) if operation == "floor" else -z3.ToReal(z3.ToInt(-inner[0]))
        value = z3.Real(f"{operation}({node.arguments[0]})")
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
            value = z3.RealVal(1)
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
        if function == "exp":
            self.known += [value > 0, value >= 1 + argument, z3.Implies(argument <= 0, value <= 1)]
        else:
            self.known += [value <= argument - 1, z3.Implies(argument >= 1, value >= 0)]
            self.known.append(z3.Implies(argument > 0, value * argument >= argument - 1))
        for other, its in self.values[function]:
            self.known += [(argument <= other) == (value <= its), (argument >= other) == (value >= its)]
        self.values[function].append((argument, value))

    def relation(self, link: Link) -> Any:
        """A link of a chain."""
        left, right = self.term(link.left), self.term(link.right)
        return {
            "<=": left <= right, "<": left < right, "=": left == right, ">=": left >= right, ">": left > right,
        }[link.relation]  # fmt: skip


_OPERATIONS = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    "neg": lambda a: -a, "abs": lambda a: z3.If(a >= 0, a, -a), "max": lambda a, b: z3.If(a >= b, a, b),
    "min": lambda a, b: z3.If(a <= b, a, b),
}  # fmt: skip


def judged(claim: Claim, status: Status, milliseconds: int) -> str:
    """``agrees``, ``no answer``, ``not read``, or ``disagrees``, of a formula that is proved or refuted here."""
    problem = parse_formula(claim.formula)
    try:
        reading = Reading(problem)
        premises = [reading.relation(link) for link in problem.assumptions]
        goal = z3.And(*(reading.relation(link) for link in problem.claim))
    except Unreadable:
        return "not read"
    solver = z3.Solver()
    solver.set("timeout", milliseconds)
    solver.add(*reading.known, *premises, z3.Not(goal))
    found = solver.check()
    if status is Status.REFUTED:
        return "disagrees" if found == z3.unsat else "agrees" if found == z3.sat else "no answer"
    if found == z3.unsat:
        return "agrees"
    return "disagrees" if found == z3.sat and fails(claim, reading, solver.model()) else "no answer"


def fails(claim: Claim, reading: Reading, model: Any) -> bool:
    """Whether the formula fails at the point of a model, exactly."""
    point = {}
    for name, symbol in reading.names.items():
        value = model.eval(symbol, model_completion=True)
        if not (z3.is_rational_value(value) or z3.is_int_value(value)):
            return False
        point[name] = str(Fraction(str(value)))
    try:
        check_refutation(claim.formula, point)
    except CheckFailed:
        return False
    return True


def main() -> int:
    """Give z3 every formula that is decided here; the exit status is 1 where it disagrees."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--milliseconds", type=int, default=700, help="most for each formula")
    parser.add_argument("--keep", action="store_true", help="keep which formulas z3 agrees on, for all who ask")
    parser.add_argument("--json", type=Path, help="where the counts are written")
    asked = parser.parse_args()
    registry = Registry()
    began = time.monotonic()
    counts: dict[str, Counter[str]] = {}
    disagreements, agreed = [], []
    for key, paper in registry.papers.items():
        counts[key] = Counter()
        claims = claims_of(paper)
        for claim in track(claims, description=key, disable=not sys.stderr.isatty()):
            status = registry.evaluations[key].claim(claim).status
            if status not in (Status.PROVED, Status.REFUTED):
                continue
            answer = judged(claim, status, asked.milliseconds)
            counts[key][answer] += 1
            if answer == "agrees":
                agreed.append(key_of(claim))
            if answer == "disagrees":
                disagreements.append(f"{key}: {status.value} {claim.variables} | {claim.assume} | {claim.claim}")
    whole = sum(counts.values(), Counter())
    for key, found in (*counts.items(), ("all", whole)):
        print(f"{key}: {', '.join(f'{count} {answer}' for answer, count in found.most_common())}")
    print(f"{time.monotonic() - began:.0f} s", *disagreements, sep="\n")
    if asked.keep:
        keep("z3", z3.get_version_string(), dict.fromkeys(agreed, ""))
    if asked.json:
        record = {"counts": counts, "disagreements": disagreements, "z3": z3.get_version_string()}
        asked.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return 1 if disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
