"""All subjects, by walking the modules that hold them, in a fixed order."""

from __future__ import annotations

from functools import cache

from dpcheck.adapters.survey.subject import Subject
from dpcheck.execution.modules_in import modules_in
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
    modules = modules_in("dpcheck.adapters.survey.entries")
    found = [value for module in modules for value in vars(module).values() if isinstance(value, Subject)]
    names = [subject.name for subject in found]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise InvalidArgument(f"name of a subject must be its own, got {sorted(twice)[0]!r} twice")
    return tuple(found)


def by_name() -> dict[str, Subject]:
    """The subjects by name."""
    return {subject.name: subject for subject in subjects()}
