"""Finds the papers' learners: each package below this room that has a module ``entries`` declares ``ENTRIES``."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from functools import cache

from dpcheck.model.errors import InvalidArgument, TargetNotFound, nearest
from dpcheck.parts.learners.entry import LearnerEntry

_ROOM = "dpcheck.parts.learners"


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
    for module in sorted(pkgutil.iter_modules(importlib.import_module(_ROOM).__path__), key=lambda each: each.name):
        place = f"{_ROOM}.{module.name}.entries"
        if module.ispkg and importlib.util.find_spec(place) is not None:
            found.extend(importlib.import_module(place).ENTRIES)
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
