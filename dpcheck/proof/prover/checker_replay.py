"""Replaying proofs: states, the walk through a proof, and the proofs that partial operations are defined.

A goal is shown in the sense of certificates.md: at every point of the state's box at which all assumptions are defined
and hold *and the goal's expression is defined*, the goal holds. The value of `a ^ b` counts as defined for a > 0, and
for a = 0 (a < 0) where b is a natural number (an integer) at the point; that of `fact` and `binom` for natural numbers:
so nothing changes when one name or expression takes the place of an equal one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dpcheck.proof.prover.checker_formula import (
    Operation,
    Relation,
    Statement,
    Variable,
    integer_sum,
    operations,
    read_formula,
)
from dpcheck.proof.prover.checker_identities import already_defined
from dpcheck.proof.prover.checker_intervals import constant, passes
from dpcheck.proof.prover.checker_syntax import (
    NAME,
    RESERVED,
    CheckFailed,
    Tree,
    difference,
    negative,
    number,
    postorder,
    replaced,
    shown,
    variable,
)
from dpcheck.proof.prover.formula import Formula

#: Rules nested in one proof, and rules in all.
DEEPEST_PROOF, MOST_STEPS = 300, 100_000

Path = tuple[str, ...]
#: None when the goal is shown strictly; otherwise the proof shows `>= 0` only, and this failure, which is not raised
#: yet, says where it fell short.
Weakness = CheckFailed | None


@dataclass(frozen=True)
class State:
    """What a proof may use: variables with their intervals, and assumptions.

    >>> State((), ()).names
    frozenset()
    """

    variables: tuple[Variable, ...]
    assumptions: tuple[Relation, ...]

    @property
    def names(self) -> frozenset[str]:
        """The names of the variables."""
        return frozenset(item.name for item in self.variables)

    @property
    def integers(self) -> frozenset[str]:
        """The names of the integer variables."""
        return frozenset(item.name for item in self.variables if item.integer)

    def variable(self, name: object) -> Variable:
        """The variable of a name, which must be one."""
        for item in self.variables:
            if item.name == name:
                return item
        raise CheckFailed(f"{shown(name)} is not a variable here")

    def with_interval(self, new: Variable, name: str | None = None) -> State:
        """The state with a variable in place of the one of the same name (or of the name given)."""
        old = new.name if name is None else name
        return replace(self, variables=tuple(new if item.name == old else item for item in self.variables))

    def without(self, name: str) -> State:
        """The state without a variable and without the assumptions that contain it."""
        return State(tuple(item for item in self.variables if item.name != name), self.free_of(name).assumptions)

    def free_of(self, name: str) -> State:
        """The state without the assumptions that contain a variable: fewer assumptions hold at more points."""
        return replace(self, assumptions=tuple(r for r in self.assumptions if name not in r.tree.variables))

    def assuming(self, *relations: Relation) -> State:
        """The state with more assumptions, at the end."""
        return replace(self, assumptions=(*self.assumptions, *relations))

    def replacing(self, table: Mapping[Tree, Tree]) -> State:
        """The state with subexpressions of the assumptions replaced."""
        return replace(self, assumptions=tuple(Relation(replaced(r.tree, table), r.strict) for r in self.assumptions))

    def indexed(self, node: Tree) -> State:
        """The state with the index of a sum or product, anywhere in its range, as one more variable."""
        name = self.new_name(node.name)
        ends = (difference(variable(name), node.parts[0]), difference(node.parts[1], variable(name)))
        more = replace(self, variables=(*self.variables, Variable(name, True, None, None, True, True)))
        return more.assuming(*(Relation(end, False) for end in ends))

    def new_name(self, name: object) -> str:
        """Checks that a name is a new one."""
        if not isinstance(name, str) or not NAME.fullmatch(name) or name in RESERVED or name in self.names:
            raise CheckFailed(f"{shown(name)} is not a new name")
        return name


Rule = Callable[["Replay", list[Any], State, Tree, Path], Weakness]


@dataclass
class Replay:
    """Replays proofs.

    Parameters
    ----------
    lemmas : formulas by name, which whoever calls has already checked
    rules : by name, each rule and the lengths that its list may have

    >>> from dpcheck.proof.prover.checker_formula import read_variables
    >>> from dpcheck.proof.prover.checker_rules import RULES
    >>> from dpcheck.proof.prover.checker_syntax import parse
    >>> state = State(read_variables("x in [1, 2]"), ())
    >>> Replay({}, RULES).require(["interval"], state, parse("x", {"x"}), True, ("example",))
    """

    lemmas: Mapping[str, Formula]
    rules: Mapping[str, tuple[Rule, tuple[int, ...]]]
    steps: int = 0
    _read: dict[str, Statement] = field(default_factory=dict)

    def require(self, proof: Any, state: State, goal: Tree, strict: bool, path: Path) -> None:
        """Replays a proof of ``goal >= 0`` (``goal > 0`` when strict). Raises CheckFailed when it is none."""
        weakness = self.run(proof, state, goal, path)
        if strict and weakness is not None:
            raise weakness

    def run(self, proof: Any, state: State, goal: Tree, path: Path) -> Weakness:
        """Replays a proof of ``goal >= 0``, and says whether it shows even ``goal > 0``."""
        name = proof[0] if isinstance(proof, list) and proof else None
        if not isinstance(name, str) or name not in self.rules:
            raise CheckFailed(f"a rule is wanted, not {shown(name)}", " / ".join(path))
        rule, lengths = self.rules[name]
        here = (*path, name)
        try:
            self.steps += 1
            if len(path) > DEEPEST_PROOF or self.steps > MOST_STEPS:
                raise CheckFailed("the proof is too deep or too long")
            if len(proof) not in lengths:
                raise CheckFailed(f"the rule has {len(proof) - 1} parts")
            return rule(self, proof, state, goal, here)
        except CheckFailed as error:
            if error.path:
                raise
            raise CheckFailed(error.reason, " / ".join(here)) from None

    def operation(
        self, proof: Any, operation: Operation, state: State, path: Path, inside: State | None = None, name: str = ""
    ) -> None:
        """Replays a proof that an operation is defined (where its operands are).

        Where ``name`` is given, for the rule `monotone` by that variable: the operation must then be continuous on the
        state's interval and differentiable in the state ``inside``.
        """
        first = operation.operands[0]
        smooth = bool(name) and any(name in part.variables for part in operation.operands)
        match operation.kind:
            case "nonzero":
                if not isinstance(proof, list) or len(proof) != 2 or proof[0] not in ("+", "-"):
                    raise CheckFailed("['+', P] or ['-', P] is wanted for a denominator", " / ".join(path))
                self.require(proof[1], state, first if proof[0] == "+" else negative(first), True, path)
            case "positive":
                self.require(proof, state, first, True, path)
            case "nonnegative":
                # A root has no derivative where its argument is 0; if the argument is above 0 inside, it is at least 0
                # at the ends because it is continuous.
                self.require(proof, inside if smooth and inside else state, first, smooth, path)
            case "power":
                if not isinstance(proof, list) or not proof or proof[0] != "integer power":
                    self.require(proof, state, first, True, path)
                    return
                exponent = operation.operands[1]
                if len(proof) != 3 or not integer_sum(exponent, state.integers, False):
                    raise CheckFailed("'integer power' is for integer exponents, with two proofs", " / ".join(path))
                if name in exponent.variables:
                    raise CheckFailed("'integer power' with the variable in the exponent", " / ".join(path))
                # With a fixed natural exponent: as for a root.
                self.require(proof[1], inside if smooth and inside else state, first, smooth, path)
                self.require(proof[2], state, exponent, False, path)
            case "term":
                self.all_defined(proof, operation.node.parts[2], state.indexed(operation.node), path)
            case "count":
                proofs = listed(proof, len(operation.operands))
                for index, (part, inner) in enumerate(zip(operation.operands, proofs, strict=True)):
                    self.require(inner, state, part, False, at(path, index))

    def defined(self, tree: Tree, state: State, *known: Tree) -> None:
        """Checks that a tree is defined wherever known trees and the assumptions are; otherwise raises CheckFailed.

        Operands come first, so when the turn of an operation comes, they are known to be defined.
        """
        there = [*known, *(relation.tree for relation in state.assumptions)]
        found = {node for other in there for node in postorder(other)}
        for item in operations(tree):
            if item.node in found or constant(item) or passes(item, state.variables) or already_defined(item, there):
                continue
            raise CheckFailed(f"it brings in {item.node!s:.200}, which may be undefined")

    def all_defined(self, proofs: Any, tree: Tree, state: State, path: Path) -> None:
        """Replays the list of proofs that all partial operations of a tree are defined."""
        wanted = [item for item in operations(tree) if not constant(item)]
        for index, (item, proof) in enumerate(zip(wanted, listed(proofs, len(wanted)), strict=True)):
            self.operation(proof, item, state, at(path, index))

    def lemma(self, name: object) -> Statement:
        """The lemma of a name, whose claim must be one inequality."""
        if not isinstance(name, str) or name not in self.lemmas:
            raise CheckFailed(f"no lemma {shown(name)}")
        if name not in self._read:
            self._read[name] = read_formula(self.lemmas[name])
        found = self._read[name]
        if len(found.claim.signs) != 1 or found.claim.signs[0] == "=":
            raise CheckFailed(f"the claim of the lemma {name} is not one inequality")
        return found

    def between(self, tree: Tree, item: Variable, proofs: tuple[Any, Any], state: State, path: Path) -> None:
        """Replays proofs that a tree lies in an interval; None stands for the proof of an infinite end."""
        ends = ((item.low, item.low_open, 1), (item.high, item.high_open, -1))
        for (end, excluded, sign), proof in zip(ends, proofs, strict=True):
            if end is None:
                if proof is not None:
                    raise CheckFailed("an infinite end has no proof")
                continue
            goal = difference(tree, number(end)) if sign > 0 else difference(number(end), tree)
            self.require(proof, state, goal, excluded, (*path, "low" if sign > 0 else "high"))


def at(path: Path, index: int) -> Path:
    """The way to one part of a rule.

    >>> at(("link 0", "split"), 3)
    ('link 0', 'split[3]')
    """
    return (*path[:-1], f"{path[-1]}[{index}]")


def listed(proofs: Any, count: int) -> list[Any]:
    """Checks that a list of proofs has the length it must have.

    >>> listed([["interval"]], 1)
    [['interval']]
    """
    if not isinstance(proofs, list) or len(proofs) != count:
        got = len(proofs) if isinstance(proofs, list) else type(proofs).__name__
        raise CheckFailed(f"a list of {count} proofs is wanted, not {got}")
    return proofs
