"""The units of work of ``dpcheck report``: which there are, and what makes one in a worker process."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dpcheck.report.whole.units import Level, Unit, digest_of_file, limit_of

#: About how long a learner's page takes on one core, quick and full: with a declared law, and by calls.
_OF_LAWS, _BY_CALLS = (1.0, 9.0), (5.0, 60.0)


def make_unit(unit: Unit, level: Level) -> str:
    """The record of a unit, as JSON."""
    from dpcheck.report.whole.encoding import encoded

    made: Any
    if unit.kind == "measurement":
        from dpcheck.report.whole.papers import make_measurement

        made = make_measurement(unit, level)
    else:
        from dpcheck.report.whole.learners import learner_report

        made = learner_report(subject_of(unit.name), level)
    return encoded(made)


def subject_of(name: str) -> Any:
    """A learner as it is reported: an entry of a paper's, or any target of ``dpcheck audit``.

    Raises
    ------
    TargetNotFound
        When there is none of this name.
    """
    from dpcheck.cli.learner_targets import learner_entry, learner_names, resolved_learner
    from dpcheck.cli.targets import resolve
    from dpcheck.report.whole.learners import Subject

    if name in learner_names():
        entry = learner_entry(name)
        found = resolved_learner(entry)
        return Subject(name, found.target, found.claim, found.domain, entry=entry)
    found = resolve(name, {})
    domain = found.domain if found.domain is not None else found.relation
    return Subject(name, found.target, found.claim, domain, found.pairs, source=name)


def learner_units(names: Sequence[str], level: Level) -> tuple[Unit, ...]:
    """The units of some learners' pages."""
    return tuple(_learner_unit(name, level) for name in names)


def _learner_unit(name: str, level: Level) -> Unit:
    seconds, digest = _seconds(name)[0 if level.quick else 1], _digest(name)
    return Unit("learner", name, seconds=seconds, digest=digest, limit=limit_of(seconds, level))


def _seconds(name: str) -> tuple[float, float]:
    from dpcheck.cli.learner_targets import learner_entry, learner_names
    from dpcheck.model.learner import as_target, declares_law

    if name in learner_names() and declares_law(as_target(learner_entry(name).learner)):
        return _OF_LAWS
    return _BY_CALLS


def _digest(name: str) -> str:
    """Of the file that a target stands in: what is kept of an earlier run is of the same learner."""
    place = name.rpartition(":")[0]
    if not place or place in ("learner", "zoo"):
        return ""
    file = Path(place) if place.endswith(".py") else _file_of(place)
    return digest_of_file(file) if file is not None and file.is_file() else ""


def _file_of(module: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return None
    return Path(spec.origin) if spec is not None and spec.origin is not None else None
