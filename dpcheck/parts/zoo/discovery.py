"""Finds the zoo's entries, those of the papers too: correct ones first, in the order of module names."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from types import ModuleType

from dpcheck.execution.modules_in import modules_in
from dpcheck.execution.paper_folders import paper_folders
from dpcheck.model.errors import InvalidArgument, TargetNotFound, nearest
from dpcheck.parts.zoo.entry import Entry

#: Where entries live; hostile learners are not entries, since they have no truth to compare with.
_PACKAGES = ("dpcheck.parts.zoo.correct", "dpcheck.parts.zoo.broken")


@cache
def entries() -> tuple[Entry, ...]:
    """All entries of the zoo, in a fixed order.

    Raises
    ------
    InvalidArgument
        When two entries have the same name.

    Examples
    --------
    >>> [found.name for found in entries() if found.correct][:2]
    ['above_threshold', 'discrete_gaussian']
    """
    modules = [module for package in _PACKAGES for module in modules_in(package)]
    modules += [module for folder in paper_folders() for module in folder.parts("zoo")]
    found = entries_in(sorted(modules, key=lambda module: module.__name__.rpartition(".")[2]))
    return tuple(sorted(found, key=lambda entry: not entry.correct))


def entry(name: str) -> Entry:
    """The entry called ``name``, or known by it elsewhere.

    Raises
    ------
    TargetNotFound
        When there is none; the message names the nearest.

    Examples
    --------
    >>> entry("laplace").claim, entry("svt4_lee_clifton").name
    (PureDP(epsilon=1.0), 'above_threshold_with_little_query_noise')
    """
    known = by_name()
    if name not in known:
        raise TargetNotFound(f"zoo has no entry {name!r}{nearest(name, known)}; dpcheck.parts.zoo.entries() lists them")
    return known[name]


def by_name() -> dict[str, Entry]:
    """Every entry under its name and under each of its aliases.

    Examples
    --------
    >>> by_name()["float_laplace"].name
    'laplace_in_floats'
    """
    return {name: found for found in entries() for name in (found.name, *found.aliases)}


def entries_in(modules: Iterable[ModuleType]) -> tuple[Entry, ...]:
    """The entries defined in some modules, in order; modules may hold none.

    Raises
    ------
    InvalidArgument
        When two entries have the same name.
    """
    found: dict[str, Entry] = {}
    for module in modules:
        for value in vars(module).values():
            if not isinstance(value, Entry) or found.get(value.name) is value:
                continue
            for name in (value.name, *value.aliases):
                if name in found:
                    raise InvalidArgument(f"name must belong to one zoo entry only, got {name!r} twice")
                found[name] = value
    return tuple(dict.fromkeys(found.values()))
