"""Where a target of the command line is defined."""

from __future__ import annotations

import contextlib
import functools
from pathlib import Path

from dpcheck.cli.learner_targets import LEARNER, learner_entry
from dpcheck.cli.targets import module_of
from dpcheck.cli.zoo_targets import ZOO, zoo_entries
from dpcheck.report.finished import Location
from dpcheck.report.source_locations import binding_of, definition_of, repository_root


def location_of(text: str) -> Location | None:
    """The place in this repository where the target ``text`` is defined; None when it cannot be had.

    A function, a class or a lambda is found where it stands, also behind ``functools.partial`` and
    ``functools.wraps``; an instance at its class. What is defined elsewhere (an estimator of scikit-learn) is found
    where the target's name is bound. A target that could not be imported is found by reading its file.

    Parameters
    ----------
    text : str
        A target as on the command line: ``package.module:name``, ``path/file.py:name``, ``zoo:name`` or
        ``learner:paper.name``.

    Examples
    --------
    >>> location_of("no.such.module:name") is None
    True
    """
    place, _, name = text.rpartition(":")
    # Strangers' objects may raise anything when they are looked at, and an annotation is worth no trouble.
    with contextlib.suppress(Exception):
        root = repository_root(Path.cwd())
        if place == ZOO:
            (entry,) = zoo_entries([name])
            return definition_of(entry.learner, "dpcheck.parts.zoo", root)
        if place == LEARNER:
            factory = learner_entry(name).learner
            return definition_of(factory, factory.__module__, root)
        module = module_of(place)
        if module is not None:
            with contextlib.suppress(Exception):
                found = functools.reduce(getattr, name.split("."), module)
                own = definition_of(found, module.__name__, root)
                if own is not None:
                    return own
        file = place if place.endswith(".py") else getattr(module, "__file__", None)
        return None if file is None else binding_of(Path(file), name, root)
    return None
