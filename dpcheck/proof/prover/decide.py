"""Formulas decided: proved with a certificate, refuted with a point, vacuous, or undecided with what was tried."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from dpcheck.proof.prover.checker import CheckFailed, check_proof
from dpcheck.proof.prover.conditions import Condition, conditions, negative, premises_of, relation_of
from dpcheck.proof.prover.formula import Formula
from dpcheck.proof.prover.hints import follow, parse_hint, prove_in_rounds
from dpcheck.proof.prover.language import Expression, Link, Problem, number, operate, parse_formula, variable
from dpcheck.proof.prover.normal import is_zero
from dpcheck.proof.prover.sampling import find_point, refute
from dpcheck.proof.prover.search import Proof, Search, Spent, State, rounds


class Answer(StrEnum):
    """What can be said of a formula."""

    PROVED = "PROVED"
    REFUTED = "REFUTED"
    VACUOUS = "VACUOUS"
    UNDECIDED = "UNDECIDED"


@dataclass(frozen=True)
class Decision:
    """The answer for one formula, with what a checker needs to see for itself.

    ``certificate`` maps obligations to proofs (PROVED); ``witness`` is a point (REFUTED); ``vacuous`` a proof that the
    assumptions contradict each other; ``stuck`` names the obligations that were left (UNDECIDED).
    """

    answer: Answer
    certificate: Mapping[str, Any] | None = None
    witness: Mapping[str, str] | None = None
    vacuous: Proof | None = None
    stuck: tuple[str, ...] = ()
    words: str = ""
    nodes: int = 0
    seconds: float = 0.0


def decide(
    formula: Formula,
    hints: Sequence[str] = (),
    lemmas: Mapping[str, Formula] | None = None,
    *,
    seconds: float = 60.0,
    refuting: bool = True,
    seed: int = 0,
) -> Decision:
    """Prove or refute a formula.

    Parameters
    ----------
    formula : Formula
    hints : what to do first on the way to each link: ``"have A <= B"``, ``"lemma NAME x = TEXT"``,
        ``"split x at 1/2"``, ``"case g"``, ``"substitute x = PHI with t in INTERVAL as PSI"``, ``"induct n"``
        (what comes after is for the step from n to n + 1), ``"have A <= B by induct n"``, ``"integer A >= B"``
        (integer expressions, shown by A > B - 1); with ``"first: "`` or ``"second: "`` before it, for that part of the
        split or case (``g >= 0`` is the first) before it only; with
        ``"link 1: "`` before it, for that link only
    lemmas : named lemmas that hints may use
    seconds : float
        The search gives up after so long, in seconds of this process on a processor: a busy machine decides nothing.
    refuting : bool
        Whether points are looked for at which the formula fails.

    Raises
    ------
    InvalidArgument
        When a text is not of the language.

    Examples
    --------
    >>> decide(Formula("x in (0, 1)", "", "x^2 < x")).answer
    <Answer.PROVED: 'PROVED'>
    >>> decide(Formula("x in [0, 1]", "", "x^2 < x")).witness
    {'x': '0'}
    """
    began = time.process_time()
    problem = parse_formula(formula)
    known = {name: parse_formula(lemma) for name, lemma in (lemmas or {}).items()}
    listed = [parse_hint(text) for text in hints]
    if refuting:
        found = refute(problem, np.random.default_rng(seed), began + seconds / 2)
        if found is not None:
            against, words = found
            witness = {name: str(value) for name, value in against.items()}
            return Decision(Answer.REFUTED, witness=witness, words=words, seconds=time.process_time() - began)
    search = Search(deadline=began + seconds, seed=seed, lemmas=frozenset(known))
    point = find_point(problem, np.random.default_rng(seed))
    if point is None:
        state = _state(problem, problem.assumptions)
        proof = _contradiction(search, state)
        answer = Answer.UNDECIDED if proof is None else Answer.VACUOUS
        left = ("satisfiable",) if proof is None else ()
        return Decision(answer, vacuous=proof, stuck=left, nodes=search.nodes, seconds=time.process_time() - began)
    certificate: dict[str, Any] = {"satisfiable": {name: str(value) for name, value in point.items()}}
    stuck: list[str] = []
    try:
        for name, proof in _proofs(problem, search, listed, known):
            if proof is None:
                stuck.append(name)
            certificate[name] = proof
    except RecursionError:  # an exponential of an exponential is taken apart without end
        stuck.append("a term nests too deep for the search")
    spent = time.process_time() - began
    if stuck:
        spent_all = [f"its {seconds:g} s of the processor were spent"] if spent > seconds else []
        words = "; ".join(dict.fromkeys([*search.notes, *spent_all]))
        return Decision(Answer.UNDECIDED, stuck=tuple(stuck), words=words, nodes=search.nodes, seconds=spent)
    try:  # the checker has the last word; a proof that it refuses is none
        check_proof(formula, json.loads(json.dumps(certificate)), lemmas or {})
    except CheckFailed as refused:
        words = f"the checker refuses what was found: {refused!s:.300}"
        return Decision(Answer.UNDECIDED, stuck=(refused.path.partition(" ")[0],), words=words, seconds=spent)
    return Decision(Answer.PROVED, certificate=certificate, nodes=search.nodes, seconds=spent)


def _contradiction(search: Search, state: State) -> Proof | None:
    """A proof of ``-1 >= 0``: a premise that is above 0 and, by the others, at most 0, divides by it; or directly."""
    found = prove_in_rounds(search, number(-1), False, state, 1)
    if found is not None:
        return found
    for place, above in _strict_premises(state):
        turned = negative(above)
        found = prove_in_rounds(search, turned, False, state, 1)
        if found is not None:
            return ["scale", str(above), str(turned), ["combine", [["1", [place]]]], found]
    return prove_in_rounds(search, number(-1), False, state)


def _strict_premises(state: State) -> Iterator[tuple[int, Expression]]:
    """What is above 0 by an open end or an assumption, with its number among the premises of the rule ``combine``."""
    ends = []
    for domain in state.domains:
        name = variable(domain.name)
        if domain.low is not None:
            ends.append((operate("-", name, number(domain.low)), domain.low_open))
        if domain.high is not None:
            ends.append((operate("-", number(domain.high), name), domain.high_open))
    for place, (premise, strict) in enumerate([*ends, *state.assumptions]):
        if strict:
            yield place, premise


def _state(problem: Problem, assumed: Sequence[Link]) -> State:
    return State(problem.domains, tuple(pair for link in assumed for pair in premises_of(link)))


def _proofs(
    problem: Problem, search: Search, hints: Sequence[tuple[int | None, str, Any]], lemmas: Mapping[str, Problem]
) -> Any:
    count = 0
    integers = frozenset(domain.name for domain in problem.domains if domain.integer)
    assumed: tuple[Link, ...] = ()
    for chain in (*problem.assumption_chains, problem.claim):
        state = _state(problem, assumed)
        for side in (chain[0].left, *(link.right for link in chain)):
            for condition in conditions(side, integers):
                yield f"defined {count}", _definedness_proof(search, condition, state)
                count += 1
        assumed = (*assumed, *chain)
    whole = _state(problem, problem.assumptions)
    for i, link in enumerate(problem.claim):
        mine = [(kind, body) for place, kind, body in hints if place is None or place == i]
        expression, strict = relation_of(link)
        if link.relation == "=":
            if is_zero(expression):
                yield f"link {i}", ["identity"]
                continue
            first = follow(search, expression, False, whole, mine, lemmas)
            second = follow(search, negative(expression), False, whole, mine, lemmas)
            yield f"link {i}", None if first is None or second is None else ["both", first, second]
        else:
            yield f"link {i}", follow(search, expression, strict, whole, mine, lemmas)


def _definedness_proof(search: Search, condition: Condition, state: State) -> Proof | None:
    for ladders, splits, nodes in rounds():
        search.nodes, search.nodes_left = 0, nodes
        try:
            found = search.shown(condition, state, ladders, splits)
        except Spent:
            if time.process_time() > search.deadline:
                return None
            continue
        if found is not None:
            return found
    return None
