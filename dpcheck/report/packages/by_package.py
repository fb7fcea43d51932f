"""A survey by package: how many of its subjects were audited, in which versions, and what came of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpcheck.model.verdict import Status
from dpcheck.report.packages.document import SurveyedSubject, SurveyOfPackages
from dpcheck.report.packages.trends import trends


@dataclass(frozen=True)
class PackageLine:
    """A package: its versions from old to new, and how many of its subjects ended how."""

    package: str
    versions: tuple[str, ...]
    subjects: int
    violated: int
    clean: int
    others: int
    causes: tuple[str, ...]


def by_package(survey: SurveyOfPackages) -> tuple[PackageLine, ...]:
    """A line each, in the order of the file; a subject is violated where it broke its promise in any environment."""
    return tuple(
        _line(trend.package, trend.versions, [one for one in survey.subjects if one.package == trend.package])
        for trend in trends(survey)
    )


def _line(package: str, versions: tuple[str, ...], own: Sequence[SurveyedSubject]) -> PackageLine:
    violated = [one for one in own if one.violated]
    clean = [one for one in own if all(row.found == Status.NO_VIOLATION_FOUND.value for row in one.rows)]
    causes = tuple(dict.fromkeys(one.cause for one in violated if one.cause))
    others = len(own) - len(violated) - len(clean)
    return PackageLine(package, versions, len(own), len(violated), len(clean), others, causes)
