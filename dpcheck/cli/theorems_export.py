"""``dpcheck theorems --export coq``: formulas, certificates and derivations as files for another checker."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpcheck.model.errors import InvalidArgument

if TYPE_CHECKING:
    from dpcheck.proof.coq.theory import Unit
    from dpcheck.proof.derivation.lines import Derivation
    from dpcheck.proof.registry import Registry
    from dpcheck.proof.statement import Claim, Paper, Theorem
    from dpcheck.proof.status import Derived, Evaluation

FORMATS = ("coq",)


def export(registry: Registry, papers: Sequence[Paper], theorem: Theorem | None, kind: str, to: Path | None) -> None:
    """Write the files for the papers, or for one result of theirs."""
    from dpcheck.proof.coq.theory import check_directory, write
    from dpcheck.proof.lemmas import LEMMAS

    if kind not in FORMATS:
        raise InvalidArgument(f"--export must be one of {', '.join(FORMATS)}, got {kind!r}")
    if to is None:
        raise InvalidArgument("--export must come with --to DIRECTORY: where the files are written")
    check_directory(to)
    units = [unit for paper in papers for unit in _units(registry, paper, theorem)]
    if not units:
        raise InvalidArgument(
            "--export: nothing here has a formula whose certificate replays; `dpcheck theorems --prove` makes them"
        )
    lemmas = {name: (claim.formula, registry.lemmas.get(claim) or {}) for name, claim in LEMMAS.items()}
    files, theorems = write(to, units, lemmas)
    print(f"{theorems} theorems in {files} files, in {to}: its README.md says how Coq is given them", file=sys.stderr)


def _units(registry: Registry, paper: Paper, theorem: Theorem | None) -> Iterator[Unit]:
    """The files of a paper, or of one result and its steps."""
    from dpcheck.proof.coq.theory import Unit, file_name
    from dpcheck.proof.printed import printed_of, statement_of
    from dpcheck.proof.statement import Paper
    from dpcheck.proof.status import claims_of

    evaluation = registry.evaluations[paper.key]
    steps = paper.steps if theorem is None else tuple(paper.step(label) for label in theorem.steps)
    results = paper.theorems if theorem is None else (theorem,)
    for result in results:
        formulas = _kept(evaluation, claims_of(Paper(paper.key, paper.title, (result,), ())))
        derived = _proved({"statement": evaluation.theorem(result.id).derived})
        if formulas or derived:
            label = result.id.partition(":")[2]
            yield Unit(file_name(paper.key, label), statement_of(paper, result)[1], formulas, derived)
    for step in steps:
        formulas = _kept(evaluation, claims_of(Paper(paper.key, paper.title, (), (step,))))
        found = evaluation.step(step.label)
        repaired = found.repair.derived if found.repair is not None else None
        derived = _proved({"line": found.printed.derived, "repaired_line": repaired})
        if formulas or derived:
            yield Unit(file_name(paper.key, step.label), printed_of(paper, step)[0], formulas, derived)


def _proved(derived: Mapping[str, Derived | None]) -> dict[str, Derivation]:
    """The derivations of which every line is proved, by the names of their theorems."""
    from dpcheck.proof.statement import Status

    return {
        name: each.derivation for name, each in derived.items() if each is not None and each.status is Status.PROVED
    }


def _kept(evaluation: Evaluation, claims: Sequence[Claim]) -> Mapping[str, tuple[Any, Mapping[str, Any]]]:
    """The formulas whose certificates the checker has just replayed, with these."""
    from dpcheck.proof.statement import Status
    from dpcheck.proof.store import key_of

    decided = (Status.PROVED, Status.REFUTED, Status.VACUOUS)
    return {
        f"f_{key_of(claim)}": (claim.formula, evaluation.store.get(claim) or {})
        for claim in claims
        if evaluation.claim(claim).status in decided
    }
