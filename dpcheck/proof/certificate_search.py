"""Certificates that are missing or stale, searched for and kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from dpcheck.model.errors import InvalidArgument
from dpcheck.proof.declared import named_claims
from dpcheck.proof.lemmas import LEMMAS
from dpcheck.proof.prover.formula import Formula
from dpcheck.proof.statement import Claim, Status
from dpcheck.proof.status import Evaluation, claims_of
from dpcheck.proof.store import Store


def find_certificates(
    evaluation: Evaluation,
    claims: Iterable[Claim] | None = None,
    *,
    seconds: float = 60.0,
    afresh: bool = False,
    on_claim: Callable[[Claim, str], None] | None = None,
) -> int:
    """Search for what has no certificate that replays, write the files, and return how many were searched for.

    Parameters
    ----------
    evaluation : a paper's statuses; its stores are written to (the store of the named lemmas too)
    claims : all of the paper's by default
    seconds : most seconds for each
    afresh : search for everything again
    on_claim : told of each claim and its answer

    Raises
    ------
    InvalidArgument
        For a hint that is none: which formula's, and what is wrong.
    """
    searched = 0
    known: dict[str, Formula] = {}
    for name, claim in LEMMAS.items():
        answer = evaluation.replay(claim, evaluation.lemma_store, known)
        if afresh or answer.status is Status.UNDECIDED:
            searched += 1
            _search(claim, evaluation.lemma_store, known, seconds, on_claim)
            answer = evaluation.replay(claim, evaluation.lemma_store, known)
        if answer.status is Status.PROVED:
            known[name] = claim.formula
    if searched:
        evaluation.lemma_store.save(LEMMAS.values())
    try:
        for claim in claims_of(evaluation.paper) if claims is None else claims:
            if afresh or evaluation.claim(claim).status is Status.UNDECIDED:
                searched += 1
                try:
                    _search(claim, evaluation.store, known, seconds, on_claim)
                except InvalidArgument as error:
                    part = next((part for part, each in named_claims(evaluation.paper) if each == claim), claim.claim)
                    raise InvalidArgument(f"{evaluation.paper.key}: a hint of {part}: {error}") from error
    finally:
        if searched:  # what was found is kept, whatever ends the search
            evaluation.store.save(claims_of(evaluation.paper))
    return searched


def _search(
    claim: Claim,
    store: Store,
    lemmas: dict[str, Formula],
    seconds: float,
    on_claim: Callable[[Claim, str], None] | None,
) -> None:
    from dpcheck.proof.prover.decide import Answer, decide

    found = decide(claim.formula, claim.hints, lemmas, seconds=seconds)
    if found.answer is Answer.PROVED:
        store.put(claim, {"proof": json.loads(json.dumps(found.certificate))})
    elif found.answer is Answer.REFUTED:
        store.put(claim, {"witness": dict(found.witness or {})})
    elif found.answer is Answer.VACUOUS:
        store.put(claim, {"vacuous": found.vacuous})
    else:
        stuck = ", ".join(found.stuck) + (f"; {found.words}" if found.words else "")
        store.put(claim, {"stuck": stuck, "nodes": found.nodes})
    if on_claim is not None:
        on_claim(claim, found.answer.value)
