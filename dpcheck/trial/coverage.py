"""Which entries of a paper make a claim that can meet reality, and which of them nothing was run for."""

from __future__ import annotations

from collections.abc import Iterable

from dpcheck.proof.inventory import load_inventory, papers
from dpcheck.proof.statement import Paper
from dpcheck.trial.measurements import not_run, runs_of
from dpcheck.trial.model import Measurement

#: Kinds of entries that only say what words mean.
_NO_CLAIM = ("definition",)


def entries_to_cover(paper: Paper) -> tuple[str, ...]:
    """The ids of a paper's entries that make a claim: not definitions, and not remarks for the record.

    Examples
    --------
    >>> from dpcheck.papers.alon2019.theorems import PAPER
    >>> covered = entries_to_cover(PAPER)
    >>> "alon2019:thm-3.1" in covered, "alon2019:def-2.1" in covered
    (True, False)
    """
    kinds = {entry.id: entry.kind for entry in load_inventory(paper.key).results} if paper.key in papers() else {}
    return tuple(
        theorem.id
        for theorem in paper.theorems
        if not theorem.stated and (kinds.get(theorem.id, theorem.kind) not in _NO_CLAIM)
    )


def uncovered(paper: Paper, measurements: Iterable[Measurement] = (), *, source: str = "") -> tuple[str, ...]:
    """The entries that make a claim, but for which there is neither a run nor a reason.

    With ``measurements`` the ids of their outcomes count, else what the runs announce. ``source`` is the path of the
    user's file that declares the paper; the paper is one of this project's by default.
    """
    name = source or paper.key
    made = tuple(measurements)
    named = {outcome.result for each in made for outcome in each.outcomes} if made else set()
    if not made:
        named = {id for run in runs_of(name) for id in run.results}
    known = named | set(not_run(name))
    return tuple(id for id in entries_to_cover(paper) if id not in known)
