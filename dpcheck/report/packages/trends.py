"""Trends by version: in which versions of a package a promise was broken, and in which not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpcheck.model.verdict import Status
from dpcheck.report.packages.document import FAILED, SurveyedEnvironment, SurveyedSubject, SurveyOfPackages

#: What stands where a subject was not asked about in a version.
NOT_ASKED = ""


@dataclass(frozen=True)
class Line:
    """A subject's words, a version each, and what they say together."""

    subject: str
    found: tuple[str, ...]
    sentence: str


@dataclass(frozen=True)
class Trend:
    """A package: its versions from old to new, and a line a subject."""

    package: str
    versions: tuple[str, ...]
    lines: tuple[Line, ...]


def trends(survey: SurveyOfPackages) -> tuple[Trend, ...]:
    """Each package with its versions, in the order of the file.

    Two environments of one version (with other Pythons, or other packages beside it) are told apart by their names.
    """
    packages = dict.fromkeys(one.package for one in survey.environments)
    return tuple(_trend(package, survey) for package in packages)


def _trend(package: str, survey: SurveyOfPackages) -> Trend:
    own = sorted((one for one in survey.environments if one.package == package), key=_age)
    versions = [one.version or "unknown" for one in own]
    names = tuple(
        version if versions.count(version) == 1 else f"{version} ({one.name})"
        for version, one in zip(versions, own, strict=True)
    )
    lines = []
    for subject in survey.subjects:
        found = tuple(_found(subject, one) for one in own)
        if any(found):
            lines.append(Line(subject.name, found, sentence(names, found)))
    return Trend(package, names, tuple(lines))


def sentence(versions: Sequence[str], found: Sequence[str]) -> str:
    """What a line says: where the mistake is, and where it is not seen.

    >>> sentence(["0.5", "0.6"], ["violated", "no violation found"])
    'violated in 0.5; no violation found in 0.6'
    """
    parts = []
    for word in dict.fromkeys(word for word in found if word != NOT_ASKED):
        where = [version for version, one in zip(versions, found, strict=True) if one == word]
        parts.append(f"{word} in {', '.join(where)}")
    return "; ".join(parts)


def _found(subject: SurveyedSubject, environment: SurveyedEnvironment) -> str:
    words = [row.found for row in subject.rows if row.environment == environment.name and not row.mended]
    known = [Status.VIOLATED.value, FAILED]
    return next((word for word in known if word in words), words[0] if words else NOT_ASKED)


def _age(environment: SurveyedEnvironment) -> tuple[object, ...]:
    """A version as it is sorted; what is none comes first."""
    from packaging.version import InvalidVersion, Version

    try:
        return (1, Version(environment.version))
    except InvalidVersion:
        return (0, environment.version)
