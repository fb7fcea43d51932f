"""Finds the papers' learners: ``learners.entries``, or ``learners``, of a paper's folder declares ``ENTRIES``."""

from __future__ import annotations

from functools import cache

from dpcheck.execution.paper_folders import paper_folders
from dpcheck.model.errors import InvalidArgument, TargetNotFound, nearest
from dpcheck.parts.learners.entry import LearnerEntry


@cache
def entries() -> tuple[LearnerEntry, ...]:
    """All learners, by paper and in the order each paper's package lists them.

    Raises
    ------
    InvalidArgument
        When two have the same name.

    Examples
    --------
    >>> entries()[0].paper
    'alon2019'
    """
    found: list[LearnerEntry] = []
    for folder in paper_folders():
        declared = folder.part("learners.entries") or folder.part("learners")
        found.extend(getattr(declared, "ENTRIES", ()))
    names = [each.name for each in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InvalidArgument(f"name must be of one learner only, got {twice[0]!r} twice")
    return tuple(found)


def entry(name: str) -> LearnerEntry:
    """The learner of this name.

    Raises
    ------
    TargetNotFound
        When there is none; the message names the nearest.
    """
    known = {each.name: each for each in entries()}
    if name not in known:
        raise TargetNotFound(f"there is no learner {name!r}{nearest(name, known)}; see dpcheck learners")
    return known[name]
