"""What the proofs of a derivation's lines share: facts under their hypotheses, formulas, equalities, a few texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from dpcheck.proof.coq.equalities import Equalities, Lines, block, size_of, special_nodes, sum_text
from dpcheck.proof.coq.objects import binder_texts, term_text
from dpcheck.proof.derivation.arithmetic import nodes_of
from dpcheck.proof.derivation.check import Checker
from dpcheck.proof.derivation.terms import Fact, Link, Objects, Term
from dpcheck.proof.prover.formula import Formula

#: A relation that is known, and the hypothesis that says so.
Known = tuple[Link, str]


@dataclass(frozen=True)
class Shown:
    """A formula's theorem: its name, whether it says that the premises cannot be; where assumed, what it says."""

    name: str
    vacuous: bool
    assumed: str = ""


@dataclass
class Context:
    """What is known before a line.

    ``formulas`` are the theorems of formulas; ``facts`` the hypotheses of earlier facts, by name, of which some are
    ``given``; ``ranges`` those that a line asks for, of values in their domains.
    """

    checker: Checker
    formulas: Mapping[Formula, Shown]
    equalities: Equalities = field(default_factory=Equalities)
    given: frozenset[str] = frozenset()
    facts: dict[str, str] = field(default_factory=dict)
    ranges: dict[str, str] = field(default_factory=dict)

    def new(self, letter: str) -> str:
        """A name for a hypothesis that nothing else has."""
        return self.equalities.new(letter)


def intros(context: Context, fact: Fact, objects: Objects) -> tuple[list[str], list[Known]]:
    """The names of what a fact quantifies over and of its hypotheses, and its conditions as they are known then."""
    names = []
    scope = objects
    for binder in fact.binders:
        scope = scope.with_binders((binder,))
        bound, hypotheses = binder_texts(binder, scope)
        names += [bound.partition(" : ")[0], *(name for name, _ in hypotheses)]
    known = [(link, context.new("H")) for link in fact.conditions]
    return [*names, *(name for _, name in known)], known


def each_link(links: Sequence[Link], proof: Callable[[int], Lines]) -> Lines:
    """The proof of relations that hold together, from that of each by its place."""
    lines: Lines = []
    for place in range(len(links)):
        if place + 1 < len(links):
            lines.append("split.")
            lines += block(proof(place))
        else:
            lines += proof(place)
    return lines


def node_equations(context: Context, links: Iterable[Link], nodes: dict[Term, str], scope: Objects) -> Lines:
    """That what is not arithmetic is its normal form."""
    lines: Lines = []
    for link in links:
        for side in (link.left, link.right):
            for node in nodes_of(side):
                if node not in nodes and next(special_nodes(node), None) is None:
                    nodes[node] = ""  # it is its own normal form
                elif node not in nodes:
                    total, proof = context.equalities.equation(node, scope)
                    nodes[node] = context.new("E")
                    said = f"{term_text(node, scope)} = {sum_text(total, scope)}"
                    lines += [f"assert ({nodes[node]} : {said}).", *block(proof)]
    return lines


def outermost_first(nodes: Mapping[Term, str]) -> list[str]:
    """The equations of terms, those of terms that others stand in first."""
    return [nodes[node] for node in sorted(nodes, key=size_of, reverse=True) if nodes[node]]


def rewritten_by(equations: Iterable[str], hypothesis: str = "") -> str:
    """Steps that rewrite by equations, where they can."""
    where = f" in {hypothesis}" if hypothesis else ""
    return "".join(f"; try rewrite {each}{where}" for each in equations)


def first_of(tactics: Iterable[str]) -> str:
    """The first of these that closes the goal."""
    return f"first [{' | '.join(f'solve [{each}]' for each in tactics)}]."


def pattern(names: Sequence[str]) -> str:
    """How a conjunction is taken apart."""
    return names[0] if len(names) == 1 else f"[{names[0]} {pattern(names[1:])}]"
