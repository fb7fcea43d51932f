"""The checker: replays certificates of formulas, as certificates.md specifies them. Statuses come from here alone.

It shares the texts of formulas with the search, and nothing else: its parser, interval arithmetic, derivatives and
identities are its own (``checking_*.py``), and small enough to be read.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcheck.proof.prover.checker_formula import (
    Chain,
    Operation,
    Relation,
    Statement,
    link_relations,
    operations,
    read_formula,
)
from dpcheck.proof.prover.checker_identities import identical
from dpcheck.proof.prover.checker_intervals import (
    PRECISIONS,
    Enclosure,
    Undefined,
    condition,
    constant,
    evaluate,
    point,
)
from dpcheck.proof.prover.checker_replay import Replay, State
from dpcheck.proof.prover.checker_rules import RULES
from dpcheck.proof.prover.checker_syntax import CheckFailed, Tree, difference, negative, number, rational
from dpcheck.proof.prover.formula import Formula

__all__ = ["CheckFailed", "check_proof", "check_refutation", "check_vacuous", "obligations"]

#: Python frames that the deepest proof of the deepest expressions may need.
_FRAMES = 20_000


@dataclass(frozen=True)
class _Obligation:
    """An operation to be shown defined, or a link, under the assumptions of a state."""

    name: str
    state: State
    operation: Operation | None = None
    link: tuple[Tree, str, Tree] | None = None


@contextmanager
def guarded() -> Iterator[None]:
    """Room for deep proofs; what they exhaust all the same counts as a failure.

    >>> with guarded():
    ...     sys.getrecursionlimit() >= 20_000
    True
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _FRAMES))
    try:
        yield
    except CheckFailed:
        raise
    except (RecursionError, MemoryError, ArithmeticError, ValueError) as error:
        raise CheckFailed(f"too large for the checker: {error!s:.200}") from None
    finally:
        sys.setrecursionlimit(before)


def _operations(chain: Chain) -> Iterator[Operation]:
    for tree in chain.trees:
        yield from (item for item in operations(tree) if not constant(item))


def _obligations(statement: Statement) -> list[_Obligation]:
    found: list[_Obligation] = []
    before: tuple[Relation, ...] = ()
    for chain in (*statement.assumptions, statement.claim):
        # A chain's own links may not be used to show that it is defined.
        state = State(statement.variables, before)
        found += [_Obligation(f"defined {len(found) + i}", state, item) for i, item in enumerate(_operations(chain))]
        before = (*before, *chain.relations())
    state = State(statement.variables, statement.relations())
    return found + [_Obligation(f"link {i}", state, link=link) for i, link in enumerate(statement.claim.links())]


def obligations(formula: Formula) -> tuple[str, ...]:
    """The names of what a certificate of the formula must prove, in order.

    Parameters
    ----------
    formula : Formula

    Raises CheckFailed for texts that are not a formula.

    >>> obligations(Formula("x in (0, 1]", "", "log(x) <= x - 1 < 1"))
    ('satisfiable', 'defined 0', 'link 0', 'link 1')
    """
    with guarded():
        return ("satisfiable", *(item.name for item in _obligations(read_formula(formula))))


def check_proof(formula: Formula, certificate: Mapping[str, Any], lemmas: Mapping[str, Formula] = {}) -> None:
    """Replays a certificate: the formula holds at every point of its domain that satisfies its assumptions.

    Parameters
    ----------
    formula : Formula
    certificate : one proof for the name of each obligation
    lemmas : formulas by name, whose own certificates the caller has already checked

    Raises CheckFailed, which names the obligation, the way to the rule that fails, and why.

    >>> check_proof(Formula("x in [1, 2]", "", "x > 0"), {"satisfiable": {"x": "1"}, "link 0": ["interval"]})
    """
    with guarded():
        statement = read_formula(formula)
        wanted = _obligations(statement)
        names = ["satisfiable", *(item.name for item in wanted)]
        if not isinstance(certificate, Mapping) or set(certificate) != set(names):
            given = list(certificate) if isinstance(certificate, Mapping) else type(certificate).__name__
            raise CheckFailed(f"proofs of {', '.join(names)} are wanted, not of {given!s:.300}")
        _satisfied(statement, _point(statement, certificate["satisfiable"], "satisfiable"), "satisfiable")
        replay = Replay(lemmas, RULES)
        for item in wanted:
            try:
                _discharge(replay, item, certificate[item.name])
            except CheckFailed as error:
                raise error if error.path else CheckFailed(error.reason, item.name) from None


def _discharge(replay: Replay, item: _Obligation, proof: Any) -> None:
    path = (item.name,)
    if item.operation is not None:
        replay.operation(proof, item.operation, item.state, path)
        return
    assert item.link is not None
    relations = link_relations(*item.link)
    if len(relations) == 1:
        replay.require(proof, item.state, relations[0].tree, relations[0].strict, path)
    elif proof == ["identity"]:
        # Both sides are defined, by the obligations before.
        if not identical(relations[0].tree, number(0)):
            raise CheckFailed(f"{relations[0].tree!s:.300} is not identical with 0")
    elif isinstance(proof, list) and len(proof) == 3 and proof[0] == "both":
        for relation, inner, side in zip(relations, proof[1:], (1, 2), strict=True):
            replay.require(inner, item.state, relation.tree, False, (f"{item.name} / both[{side}]",))
    else:
        raise CheckFailed("['both', P, Q] or ['identity'] is wanted for an equation")


def check_vacuous(formula: Formula, proof: list[Any], lemmas: Mapping[str, Formula] = {}) -> None:
    """Replays a proof of ``-1 >= 0`` under all assumptions: no point of the domain satisfies them.

    Parameters
    ----------
    formula : Formula
    proof : a proof
    lemmas : as of ``check_proof``

    Raises CheckFailed when it is no such proof.

    >>> check_vacuous(Formula("x in [1, 2]", "x > 3", "x = x"), ["absurd", 0])
    """
    with guarded():
        statement = read_formula(formula)
        state = State(statement.variables, statement.relations())
        Replay(lemmas, RULES).require(proof, state, negative(number(1)), False, ("unsatisfiable",))


def check_refutation(formula: Formula, point: Mapping[str, str]) -> str:
    """Checks a counterexample with certainty, and says in words what fails there.

    Parameters
    ----------
    formula : Formula
    point : the value of each variable, as exact fractions in text

    Raises CheckFailed when the point is not in the domain or does not certainly satisfy the assumptions, or when
    nothing of the claim certainly fails.

    >>> check_refutation(Formula("x in [0, 2]", "", "x^2 <= x"), {"x": "3/2"})
    'x^2 <= x fails at x = 3/2: right minus left is in [-0.75, -0.75]'
    """
    with guarded():
        statement = read_formula(formula)
        values = _point(statement, point, "point")
        _satisfied(statement, values, "point")
        where = f" at {', '.join(f'{name} = {value}' for name, value in values.items())}" if values else ""
        for tree in statement.claim.trees:
            for item in operations(tree):
                if _certain_operation(item, statement, values) is False:
                    return f"{item.node!s:.300} is not defined{where}"
        # Where an operation may be undefined, a link that is false when it is defined refutes the claim either way.
        for left, sign, right in statement.claim.links():
            for relation in link_relations(left, sign, right):
                verdict, found = _certain_relation(relation, values)
                if verdict is False:
                    order = "left minus right" if relation.tree == difference(left, right) else "right minus left"
                    if relation.tree.head == "neg":
                        order = "left minus right"
                    return f"{left!s:.300} {sign} {right!s:.300} fails{where}: {order} is in {found}"
        raise CheckFailed(f"nothing of the claim certainly fails{where}", "point")


def _point(statement: Statement, given: Any, path: str) -> dict[str, Fraction]:
    """The point that a certificate gives, checked to be in the domain."""
    names = [item.name for item in statement.variables]
    if not isinstance(given, Mapping) or set(given) != set(names):
        raise CheckFailed(f"a value for each of {', '.join(names) or 'no variables'} is wanted", path)
    values: dict[str, Fraction] = {}
    for item in statement.variables:
        try:
            values[item.name] = rational(given[item.name])
        except CheckFailed as error:
            raise CheckFailed(error.reason, path) from None
        if not item.contains(values[item.name]):
            raise CheckFailed(f"{item.name} = {values[item.name]!s:.80} is not in its domain", path)
    return values


def _satisfied(statement: Statement, values: Mapping[str, Fraction], path: str) -> None:
    """Checks that all assumptions are certainly defined and certainly hold at a point of the domain."""
    for number_of, chain in enumerate(statement.assumptions):
        for item in (item for tree in chain.trees for item in operations(tree)):
            if _certain_operation(item, statement, values) is not True:
                raise CheckFailed(f"in assumption {number_of}, {item.node!s:.200} is not certainly defined", path)
        for relation in chain.relations():
            if _certain_relation(relation, values)[0] is not True:
                raise CheckFailed(f"assumption {number_of}, {relation!s:.200}, is not certain", path)


def _values(values: Mapping[str, Fraction], precision: int) -> dict[str, Enclosure]:
    return {name: point(value, precision) for name, value in values.items()}


def _certain_operation(operation: Operation, statement: Statement, values: Mapping[str, Fraction]) -> bool | None:
    """Whether an operation is defined at a point: None when that cannot be told."""
    for precision in PRECISIONS:
        found = condition(operation, _values(values, precision), statement.integers(), precision)
        if found is not None:
            return found
    return None


def _certain_relation(relation: Relation, values: Mapping[str, Fraction]) -> tuple[bool | None, Enclosure | None]:
    """Whether a relation holds at a point (None when that cannot be told), and the enclosure that tells."""
    found = None
    for precision in PRECISIONS:
        try:
            found = evaluate(relation.tree, _values(values, precision), precision)
        except Undefined:
            continue
        if found.positive or (found.nonnegative and not relation.strict):
            return True, found
        if found.negative or (found.nonpositive and relation.strict):
            return False, found
    return None, found
