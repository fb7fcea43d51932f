"""Is a learner somewhere else what it is here? What it is made of, by name and version, looked at in both places.

A learner that is sent to another machine takes its own code along; the libraries that it uses, and modules of its
author's that are found there too, are taken from there. Another numpy may round a sum differently, and a module of the
same name may be an older one: where they differ nothing is run, and what differs is named.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import platform
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from types import ModuleType
from typing import Any

from dpcheck.execution.users_code import source_digest

#: Where nothing of that name is found.
ABSENT = "not there"
#: Objects of a module that are looked at, to see where they come from.
_MOST_NAMES = 10_000


@dataclass(frozen=True)
class MadeOf:
    """What a learner is made of: versions of what is installed, and digests of source files of its author's modules."""

    versions: dict[str, str]
    modules: dict[str, str]


def made_of(learner: Any) -> MadeOf:
    """What a learner uses here, as far as its modules' names say.

    >>> sorted(made_of(lambda dataset, rng: 0).versions)[:2]
    ['dpcheck', 'numpy']
    """
    own, libraries = _used_by(learner)
    distributions = packages_distributions()
    names = {name for library in libraries for name in distributions.get(library, ())}
    versions = {name: _version(name) for name in sorted(names | {"numpy"}) if name != "dpcheck"}
    versions |= {"python": _python(), "dpcheck": source_digest()[:12]}
    return MadeOf(versions, {name: digest for name in own if (digest := _digest(name))})


def differences(wanted: MadeOf) -> dict[str, tuple[str, str]]:
    """What is another here: by name, how it is wanted and how it is. A module that is not found is sent.

    >>> differences(MadeOf({"no-such-thing": "1.0"}, {"nowhere": "0"}))
    {'no-such-thing': ('1.0', 'not there')}
    """
    found = {"python": _python(), "dpcheck": source_digest()[:12]}
    here = {name: found.get(name) or _version(name) for name in wanted.versions}
    other = {name: (asked, here[name]) for name, asked in wanted.versions.items() if here[name] != asked}
    for name, digest in wanted.modules.items():
        there = _digest(name)
        if there and there != digest:
            other[name] = (digest[:12], there[:12])
    return other


def words_of_differences(other: dict[str, tuple[str, str]]) -> str:
    """Why nothing is run there.

    >>> words_of_differences({"numpy": ("2.0", "1.26")})
    'executor must have workers with the versions that are here: there numpy is 1.26 and not 2.0'
    """
    named = ", ".join(f"{name} is {there} and not {here}" for name, (here, there) in sorted(other.items()))
    return f"executor must have workers with the versions that are here: there {named}"


def _python() -> str:
    return ".".join(platform.python_version_tuple()[:2])


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ABSENT


def _digest(name: str) -> str:
    """Of a module's source file, where it is found without importing what it is in; empty else."""
    with suppress(Exception):  # finders may raise anything
        loaded = sys.modules.get(name)
        spec = None if loaded is not None or "." in name else importlib.util.find_spec(name)
        file = getattr(loaded, "__file__", None) if loaded is not None else spec.origin if spec is not None else None
        if isinstance(file, str):
            return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    return ""


def _used_by(learner: Any) -> tuple[list[str], set[str]]:
    """The modules of its author's that a learner reaches by what their names stand for, and the libraries."""
    start = inspect.getmodule(learner) or inspect.getmodule(type(learner))
    left: list[ModuleType] = [] if start is None else [start]
    own: dict[str, None] = {}
    libraries: set[str] = set()
    while left:
        module = left.pop()
        if module.__name__ in own:
            continue
        if not is_own(module):
            libraries.add(module.__name__.partition(".")[0])
            continue
        own[module.__name__] = None
        left += [found for found in _named_in(module) if found.__name__ not in own]
    return [name for name in own if name != "__main__"], libraries


def _named_in(module: ModuleType) -> Iterator[ModuleType]:
    for value in list(vars(module).values())[:_MOST_NAMES]:
        with suppress(Exception):  # an author's objects may raise anything
            name = value.__name__ if isinstance(value, ModuleType) else value.__module__
            found = sys.modules.get(name)
            if found is not None:
                yield found


def is_own(module: ModuleType) -> bool:
    """Whether a module is its author's: its file, or a folder without one, is neither Python's nor a library's.

    >>> is_own(hashlib)
    False
    """
    if module.__name__ == "__main__":
        return True
    file = getattr(module, "__file__", None)
    found = [file] if isinstance(file, str) else [str(place) for place in getattr(module, "__path__", ())]
    paths = sysconfig.get_paths()
    places = [Path(paths[name]).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    places.append(Path(__file__).resolve().parents[1])
    return bool(found) and not any(Path(one).resolve().is_relative_to(place) for one in found for place in places)
