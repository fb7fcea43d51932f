"""The rule `monotone` by the mean value theorem: continuous on the way, a derivative inside, and its sign."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from dpcheck.proof.coq.script import Context, Lines, Script, block
from dpcheck.proof.coq.terms import condition_text, name_of, number_text, relation_text, text
from dpcheck.proof.prover.checker_derivative import derivative
from dpcheck.proof.prover.checker_formula import Operation, Relation, Variable, operations
from dpcheck.proof.prover.checker_intervals import constant
from dpcheck.proof.prover.checker_replay import Replay
from dpcheck.proof.prover.checker_rules import RULES
from dpcheck.proof.prover.checker_syntax import CheckFailed, Tree, negative, number, replaced, variable


def monotone(script: Script, proof: Any, context: Context, goal: Tree, strict: bool) -> Lines:
    """A goal by its value at an end and the sign of its derivative on the way from there."""
    way = _Way(script, context, context.state.variable(proof[1]), proof[2] == "low")
    name, x = way.item.name, name_of(way.item.name)
    lines = [f"rename {x} into {way.point}."]
    facts: list[tuple[str, bool]] = []
    wanted = [operation for operation in operations(goal) if not constant(operation)]
    for operation, inner in zip(wanted, proof[3], strict=True):
        facts.append((script.name("D"), _inside_only(operation, name)))
        lines += way.defined(*facts[-1], operation, inner)
    at_end = replaced(goal, {variable(name): number(way.end)})
    gone = replace(context, state=context.state.without(name), assumed=script.kept(context, name))
    fact, above = script.name("M"), strict and way.strict_at_end(proof[4], gone, at_end)
    lines.append(f"assert ({fact} : {relation_text(Relation(at_end, above))}).")
    lines += block(script.run(proof[4], gone, at_end, above))
    slope = derivative(goal, name)
    lemma = "rises_from" if way.low else "falls_to"
    lemma += "_above" if above else "_strictly" if strict else ""
    functions = " ".join(f"(fun {x} : R => {text(each)})" for each in (goal, slope))
    lines.append(f"apply ({lemma} {functions} {number_text(way.end)} {way.point}); [lra | exact {fact} | | |].")
    for tactic in ("continuous.", "derive.", ""):
        before, there = way.within(tactic != "continuous.")
        known = [
            f"assert (of_{each} := {each} {x} ltac:(lra))."
            for each, inside_only in facts
            if not (inside_only and tactic == "continuous.")
        ]
        signed = slope if way.low else negative(slope)
        shown = [tactic] if tactic else script.run(proof[5], there, signed, strict and not above)
        lines += block([*before, "cbv beta.", *known, *shown])
    return lines


def _inside_only(operation: Operation, name: str) -> bool:
    """Whether a condition is shown strictly inside the way only: of a root, which has no derivative at 0."""
    return operation.kind == "nonnegative" and any(name in each.variables for each in operation.operands)


@dataclass(frozen=True)
class _Way:
    """The way of a variable from an end of its interval to a point, whose name is new."""

    script: Script
    context: Context
    item: Variable
    low: bool
    point: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", self.script.name("w"))

    @property
    def end(self) -> Any:
        """Where the way begins."""
        return self.item.low if self.low else self.item.high

    def strict_at_end(self, proof: Any, gone: Context, at_end: Tree) -> bool:
        """Whether a strict goal is strict at the end already; where the end is excluded its derivative may be."""
        if not (self.item.low_open if self.low else self.item.high_open):
            return True
        try:
            return Replay(self.script.lemmas, RULES).run(proof, gone.state, at_end, ("at the end",)) is None
        except CheckFailed:  # powers are written otherwise than the certificate has them
            return True

    def range(self, strictly: bool) -> str:
        """That the variable is on the way (strictly inside it)."""
        sign, x, a = "<" if strictly else "<=", name_of(self.item.name), number_text(self.end)
        return f"{a} {sign} {x} {sign} {self.point}" if self.low else f"{self.point} {sign} {x} {sign} {a}"

    def within(self, strictly: bool) -> tuple[Lines, Context]:
        """Brings the variable in, on the way (strictly inside it), and what is known there."""
        item, x = self.item, name_of(self.item.name)
        near, other, far = (self.script.name("B") for _ in range(3))
        lines = [f"intros {x} [{near} {other}]." if self.low else f"intros {x} [{other} {near}]."]
        sides = ("low", "high") if self.low else ("high", "low")
        ends = {key: value for key, value in self.context.ends.items() if key[0] != item.name}
        ends[item.name, sides[0]] = near
        end = item.high if self.low else item.low
        if end is not None:
            sign = "<" if strictly or (item.high_open if self.low else item.low_open) else "<="
            says = f"{x} {sign} {number_text(end)}" if self.low else f"{number_text(end)} {sign} {x}"
            lines.append(f"assert ({far} : {says}) by lra.")
            ends[item.name, sides[1]] = far
        real = replace(item, integer=False)
        closed = replace(real, low_open=False) if self.low else replace(real, high_open=False)
        rest = self.context.state.free_of(item.name).with_interval(item.inside() if strictly else closed)
        return lines, Context(rest, self.script.kept(self.context, item.name), ends)

    def defined(self, name: str, inside_only: bool, operation: Operation, proof: Any) -> Lines:
        """That an operation is defined on the way."""
        before, there = self.within(inside_only)
        first = operation.operands[0]
        says = relation_text(Relation(first, True)) if inside_only else condition_text(operation)
        shown = (
            self.script.run(proof, there, first, True)
            if inside_only
            else self.script.operation(proof, operation, there)
        )
        head = f"assert ({name} : forall {name_of(self.item.name)} : R, {self.range(inside_only)} -> {says})."
        return [head, *block([*before, *shown])]
