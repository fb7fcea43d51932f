"""A survey of packages as a page: how many, what was found, in which versions, and all rows."""

from __future__ import annotations

from dataclasses import dataclass

from dpcheck.report.packages.by_package import by_package
from dpcheck.report.packages.document import SurveyOfPackages, tally
from dpcheck.report.packages.findings import findings, headline
from dpcheck.report.packages.letter import letter
from dpcheck.report.packages.trends import trends
from dpcheck.report.packages.words import counted, environment_words, introduction, numbers_of, problem_of, row_name
from dpcheck.report.pages.layout import Place, page, unique
from dpcheck.report.whole.model import Count


@dataclass(frozen=True)
class Row:
    """A row of the table of all audits."""

    name: str
    target: str
    claim: str
    relation: str
    expected: str
    found: str
    word: str
    problem: str
    numbers: tuple[str, str, str]


def render(survey: SurveyOfPackages, place: Place = Place()) -> str:  # noqa: B008, a frozen value
    """The page; ``place`` is where in a report it is written."""
    rows = [
        Row(
            row_name(subject.name, row.environment, mended=row.mended),
            row.target,
            row.claim,
            row.relation,
            row.expected,
            counted(row),
            row.found,
            problem_of(row),
            numbers_of(row),
        )
        for subject in survey.subjects
        for row in subject.rows
    ]
    words = unique(row.word for row in rows)
    environments = [(one, environment_words(one)) for one in survey.environments]
    return page(
        "packages.html",
        place,
        record=f"{place.path.removesuffix('.html')}.json",
        survey=survey,
        counts=tally(survey),
        bars=[Count(word, sum(row.word == word for row in rows)) for word in words],
        introduction=introduction(survey),
        packages=by_package(survey),
        found=[(one, letter(one)) for one in findings(survey)],
        headline=headline(survey),
        trends=[trend for trend in trends(survey) if trend.lines],
        rows=rows,
        words=words,
        made=[(one, said) for one, said in environments if not one.problem],
        lost=[one for one, _ in environments if one.problem],
    )
