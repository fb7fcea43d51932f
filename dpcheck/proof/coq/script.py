"""Certificates as Coq proofs: a few tactics for each rule, and the goals that they leave are as the rule says."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from mpmath import libmp  # type: ignore[import-untyped]

from dpcheck.proof.coq.identities import identity
from dpcheck.proof.coq.terms import (
    NotExported,
    condition_text,
    conditions,
    is_half,
    name_of,
    number_text,
    plain,
    relation_text,
    text,
)
from dpcheck.proof.prover.checker_formula import (
    Chain,
    Operation,
    Relation,
    Statement,
    Variable,
    operations,
)
from dpcheck.proof.prover.checker_intervals import Undefined, constant, evaluate
from dpcheck.proof.prover.checker_replay import State
from dpcheck.proof.prover.checker_syntax import (
    Tree,
    difference,
    negative,
    number,
    parse,
    postorder,
    rational,
    replaced,
    variable,
)
from dpcheck.proof.prover.formula import Formula

Lines = list[str]


Rule = Callable[["Script", Any, "Context", Tree, bool], Lines]


@dataclass(frozen=True)
class Context:
    """A state of the checker, and the names of what Coq knows of it."""

    state: State
    #: Of each assumption, in order.
    assumed: tuple[str, ...]
    #: Of the low and high end of each variable, and of its being an integer.
    ends: Mapping[tuple[str, str], str]

    def assuming(self, relation: Relation, name: str) -> Context:
        """With one more assumption."""
        return replace(self, state=self.state.assuming(relation), assumed=(*self.assumed, name))

    def bringing(self, new: Variable, ends: Mapping[str, str]) -> Context:
        """With one more variable, and the names of what is known of its ends."""
        return self.over((*self.state.variables, new), new, ends)

    def over(self, variables: Iterable[Variable], new: Variable, ends: Mapping[str, str]) -> Context:
        """With other variables, of which one is new."""
        state = replace(self.state, variables=tuple(variables))
        return replace(self, state=state, ends={**self.ends, **{(new.name, side): name for side, name in ends.items()}})


class Script:
    """The proof of one formula."""

    def __init__(self, lemmas: Mapping[str, Formula], rules: Mapping[str, Rule]) -> None:
        self.fresh = itertools.count(1)
        self.lemmas, self.rules = lemmas, rules

    def name(self, letter: str) -> str:
        """A name that nothing has yet."""
        return f"{letter}{next(self.fresh)}"

    def read(self, written: str, context: Context) -> Tree:
        """An expression of a certificate, powers by logarithms."""
        return plain(parse(written, context.state.names))

    # Formulas

    def whole(self, statement: Statement, certificate: Mapping[str, Any]) -> Lines:
        """The proof of ``statement_text``."""
        lines, context = self._introduced(statement)
        defined = 0
        for chain in (*statement.assumptions, statement.claim):
            asked = conditions(chain)
            known: dict[Tree, str] = {}
            for tree in chain.trees:
                for operation in operations(tree):
                    proof = None
                    if not constant(operation):
                        proof = certificate[f"defined {defined}"]
                        defined += 1
                    if operation.node in known:
                        continue
                    known[operation.node] = self.name("D")
                    there = replace(operation, operands=tuple(plain(each) for each in operation.operands))
                    says = condition_text(there, statement.integers())
                    lines.append(f"assert ({known[operation.node]} : {says}).")
                    way = ["left."] if says.startswith("(") and operation.kind == "power" else []
                    lines += block(["known."] if proof is None else [*way, *self.operation(proof, there, context)])
                    if operation.kind == "power":
                        above = ["known."] if proof is None else self.run(proof, context, there.operands[0], True)
                        lines += self._power(operation, above)
            if asked:
                *first, last = [known[each.node] for each in asked]
                both = "".join(f"(conj {each} " for each in first) + last + ")" * len(first)
                lines.append(f"split; [exact {both}|].")
            if chain is not statement.claim:
                more, context = self._assumed(chain, context)
                lines += more
        links = [(plain(left), sign, plain(right)) for left, sign, right in statement.claim.links()]
        for index, link in enumerate(links):
            if index < len(links) - 1:
                lines.append("split.")
            body = self.link(certificate[f"link {index}"], link, context)
            lines += block(body) if index < len(links) - 1 else body
        return lines

    def refuted(self, statement: Statement, point: Mapping[str, str]) -> Lines:
        """The proof of ``refutation_text``: at the point an assumption's premises hold, and something fails."""
        values = ", ".join(f"({number_text(rational(point[item.name]))})" for item in statement.variables)
        lines = [f"exists {values}."] if values else []
        at = {variable(name): number(rational(value)) for name, value in point.items()}
        known: dict[Tree, Tree] = {}
        for tree in (tree for chain in (*statement.assumptions, statement.claim) for tree in chain.trees):
            for node in postorder(replaced(tree, at)):
                there = replaced(node, known)
                if node.head not in ("max", "min", "floor", "ceil") or node in known:
                    continue
                try:
                    known[node], lemma = _value(there)
                except Undefined:
                    continue  # what is not defined there is what fails
                equation = self.name("E")
                says = f"{text(there)} = {text(known[node])}"
                lines.append(f"assert ({equation} : {says}) by (apply {lemma}; constant).")
                lines.append(f"rewrite ?{equation}.")
        return [
            *lines,
            "rewrite ?power_above by constant.",
            "repeat first [ split; [ at_point | ] | split ].",
            "intros Claim.",
            "contradicted Claim.",
        ]

    def vacuous(self, statement: Statement, proof: Any) -> Lines:
        """The proof of ``vacuous_text``."""
        lines, context = self._introduced(statement)
        for chain in statement.assumptions:
            asked = conditions(chain)
            names = [self.name("D") for _ in asked]
            if asked:
                lines += ["intros Defined.", _taken_apart("Defined", names)]
            if any(operation.kind == "power" for operation in asked):
                raise NotExported("a power in a formula that nothing satisfies")
            more, context = self._assumed(chain, context)
            lines += more
        goal = negative(number(1))
        name = self.name("X")
        lines.append(f"assert ({name} : {relation_text(Relation(goal, False))}).")
        return [*lines, *block(self.run(proof, context, goal, False)), "lra."]

    def _introduced(self, statement: Statement) -> tuple[Lines, Context]:
        """Variables and their intervals."""
        ends: dict[tuple[str, str], str] = {}
        lines = [f"intros {name_of(item.name)}." for item in statement.variables] or ["intros _."]
        for item in statement.variables:
            lines += self._ends(item, ends)
        return lines, Context(State(statement.variables, ()), (), ends)

    def _assumed(self, chain: Chain, context: Context) -> tuple[Lines, Context]:
        """A chain that is assumed: its relations, as the checker numbers them."""
        links = [(plain(left), sign, plain(right)) for left, sign, right in chain.links()]
        parts = [self.name("L") for _ in links]
        lines = ["intros Assumed.", _taken_apart("Assumed", parts)]
        for link in links:
            for relation in _relations(*link):
                name = self.name("H")
                lines.append(f"assert ({name} : {relation_text(relation)}) by lra.")
                context = context.assuming(relation, name)
        return lines, context

    def _ends(self, item: Variable, ends: dict[tuple[str, str], str]) -> Lines:
        lines = []
        if item.integer:
            ends[item.name, "integer"] = self.name("I")
            lines.append(f"intros {ends[item.name, 'integer']}.")
        for side, end in (("low", item.low), ("high", item.high)):
            if end is not None:
                ends[item.name, side] = self.name("B")
                lines.append(f"intros {ends[item.name, side]}.")
        return lines

    def link(self, proof: Any, link: tuple[Tree, str, Tree], context: Context) -> Lines:
        """The proof of one link."""
        left, sign, right = link
        if sign == "=":
            if proof[0] == "identity":
                return identity(left, right, self.fresh)
            forth = difference(right, left)
            first, second = (
                block(self.run(inner, context, goal, False))
                for inner, goal in zip(proof[1:], (forth, negative(forth)), strict=True)
            )
            return ["apply both_ways.", *first, *second]
        [relation] = _relations(*link)
        lemma = {"<=": "at_most", "<": "below", ">=": "at_least", ">": "above"}[sign]
        return [f"apply {lemma}.", *self.run(proof, context, relation.tree, relation.strict)]

    def _power(self, operation: Operation, above: Lines) -> Lines:
        """The goal with a power by the logarithm of its base, which is shown to be above 0."""
        base, exponent = (plain(each) for each in operation.operands)
        known, equation = self.name("P"), self.name("W")
        lines = [f"assert ({known} : 0 < {text(base)}).", *block(above)]
        if base.head == "e":
            shown = "rewrite power_above by assumption; rewrite ln_exp; f_equal; ring"
        elif is_half(exponent):
            shown = "apply power_half; [assumption | lra]"
        else:
            shown = "apply power_above; assumption"
        says = f"power {text(base)} {text(exponent)} = {text(plain(operation.node))}"
        return [*lines, f"assert ({equation} : {says}) by ({shown}).", f"rewrite ?{equation}."]

    def operation(self, proof: Any, operation: Operation, context: Context) -> Lines:
        """The proof that an operation is defined."""
        first = operation.operands[0]
        match operation.kind:
            case "nonzero":
                above = proof[0] == "+"
                goal = first if above else negative(first)
                return [f"apply not_zero_{'above' if above else 'below'}.", *self.run(proof[1], context, goal, True)]
            case "positive" | "nonnegative" | "power":
                return self.run(proof, context, first, operation.kind != "nonnegative")
        raise NotExported(operation.kind)

    # Rules

    def run(self, proof: Any, context: Context, goal: Tree, strict: bool) -> Lines:
        """The proof of ``0 <= goal``, or ``0 < goal``."""
        rule = self.rules.get(proof[0])
        if rule is None:
            raise NotExported("a power of what may be 0" if proof[0] == "integer power" else f"the rule {proof[0]}")
        return rule(self, proof, context, goal, strict)

    def same(self, left: Tree, right: Tree) -> Lines:
        """A block that proves an identity."""
        return block(identity(left, right, self.fresh))

    def kept(self, context: Context, name: str) -> tuple[str, ...]:
        """The names of the assumptions without a variable."""
        pairs = zip(context.state.assumptions, context.assumed, strict=True)
        return tuple(known for relation, known in pairs if name not in relation.tree.variables)

    def replaced(self, context: Context, table: Mapping[Tree, Tree], equation: str) -> tuple[Lines, Context]:
        """The assumptions with a term replaced by what the equation says."""
        lines, names = [], []
        state = context.state.replacing(table)
        for old, new, name in zip(context.state.assumptions, state.assumptions, context.assumed, strict=True):
            if old.tree == new.tree:
                names.append(name)
                continue
            names.append(self.name("H"))
            shown = f"(pose proof {name} as Old; rewrite {equation} in Old; exact Old)"
            lines.append(f"assert ({names[-1]} : {relation_text(new)}) by {shown}.")
        return lines, replace(context, state=state, assumed=tuple(names))

    def run_replaced(
        self, proof: Any, context: Context, goal: Tree, strict: bool, table: Mapping[Tree, Tree], equation: str
    ) -> Lines:
        """The proof of a goal in which a term is replaced by what the equation says, as it is in the assumptions."""
        lines, after = self.replaced(context, table, equation)
        new = replaced(goal, table)
        rewriting = [] if new == goal else [f"rewrite ?{equation}."]
        return [*lines, *rewriting, *self.run(proof, after, new, strict)]

    def between(
        self, tree: Tree, item: Variable, low: Any, high: Any, context: Context
    ) -> tuple[Lines, dict[str, str]]:
        """That a tree lies in an interval: facts, by side."""
        lines: Lines = []
        names: dict[str, str] = {}
        sides = (("low", item.low, item.low_open, low), ("high", item.high, item.high_open, high))
        for side, end, excluded, proof in sides:
            if end is None:
                continue
            order = (number(end), tree) if side == "low" else (tree, number(end))
            goal = Relation(difference(order[1], order[0]), excluded)
            first, names[side] = self.name("N"), self.name("B")
            lines.append(f"assert ({first} : {relation_text(goal)}).")
            lines += block(self.run(proof, context, goal.tree, excluded))
            says = f"{text(order[0])} {'<' if excluded else '<='} {text(order[1])}"
            lines += [f"assert ({names[side]} : {says}) by lra.", f"clear {first}."]
        return lines, names


def _relations(left: Tree, sign: str, right: Tree) -> tuple[Relation, ...]:
    return Chain((left, right), (sign,)).relations()


def _taken_apart(whole: str, names: list[str]) -> str:
    """The tactic that takes a conjunction apart."""
    if len(names) == 1:
        return f"rename {whole} into {names[0]}."
    return f"destruct {whole} as {' '.join(f'[{each}' for each in names[:-1])} {names[-1]}{']' * (len(names) - 1)}."


def _value(tree: Tree) -> tuple[Tree, str]:
    """The value of a maximum, minimum or rounding of numbers, and the lemma that says so."""
    one, other = (_middle(part) for part in (tree.parts[0], tree.parts[-1]))
    if tree.head in ("max", "min"):
        first = one >= other if tree.head == "max" else one <= other
        return tree.parts[0 if first else 1], f"{tree.head}_{'first' if first else 'second'}"
    value = math.floor(one) if tree.head == "floor" else math.ceil(one)
    return number(value), f"({'down' if tree.head == 'floor' else 'up'}_value _ ({value})%Z)"


def _middle(tree: Tree) -> Fraction:
    """About the value of an expression without variables; exactly, where the checker knows it exactly."""
    found = evaluate(tree, {}, 200)
    if found.exact is not None:
        return found.exact
    low, high = rational_of(found.low), rational_of(found.high)
    if low is None or high is None:
        raise NotExported("a value that is too large")
    return (low + high) / 2


def rational_of(end: Any) -> Fraction | None:
    """An end of an enclosure; None for an infinite one.

    >>> rational_of(libmp.from_rational(1, 4, 53, "n")), rational_of(libmp.finf)
    (Fraction(1, 4), None)
    """
    return None if end in (libmp.finf, libmp.fninf) else Fraction(*libmp.to_rational(end))


def block(lines: Lines) -> Lines:
    """Tactics for one goal."""
    return ["{", *(f"  {line}" for line in lines), "}"]
