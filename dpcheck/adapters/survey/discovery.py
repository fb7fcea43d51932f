"""All subjects, by walking the modules that hold them, in a fixed order."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from dpcheck.adapters.survey.subject import Subject
from dpcheck.model.errors import InvalidArgument


@cache
def subjects() -> tuple[Subject, ...]:
    """Every subject, by library and then as its module lists them.

    Raises
    ------
    InvalidArgument
        When two have the same name.

    Examples
    --------
    >>> "diffprivlib-linear-regression" in {subject.name for subject in subjects()}
    True
    """
    package = import_module("dpcheck.adapters.survey.entries")
    found: list[Subject] = []
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
        held = vars(import_module(f"{package.__name__}.{module.name}")).values()
        found += [value for value in held if isinstance(value, Subject)]
    names = [subject.name for subject in found]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise InvalidArgument(f"name of a subject must be its own, got {sorted(twice)[0]!r} twice")
    return tuple(found)


def by_name() -> dict[str, Subject]:
    """The subjects by name."""
    return {subject.name: subject for subject in subjects()}
