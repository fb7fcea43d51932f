"""Words that the Markdown and the page of a survey share."""

from __future__ import annotations

from collections import Counter

from dpcheck.model.bounds_shown import at_most
from dpcheck.model.verdict import Status
from dpcheck.report.over_seeds import over_seeds
from dpcheck.report.packages.document import FAILED, SurveyedEnvironment, SurveyedRow, SurveyOfPackages
from dpcheck.report.pages.numbers import shown_duration


def introduction(survey: SurveyOfPackages) -> str:
    """What heads a survey: what was audited, how sure a verdict is, and what none of them says."""
    packages = len({one.package for one in survey.environments})
    made = [one for one in survey.environments if not one.problem]
    seeds = _seeds(survey)
    lost = len(survey.environments) - len(made)
    not_made = f", {lost} of which could not be made" if lost else ""
    return (
        f"{_many(len(survey.subjects), 'subject')} of {_many(packages, 'package')} in "
        f"{_many(len(survey.environments), 'environment')} of their own{not_made}, {seeds}. Each audit accuses a "
        f"learner that keeps its claim with probability at most {survey.alpha:g}, all of them together with at most "
        f"{at_most(survey.level, '.2g')}. No violation found is no proof of privacy. It took "
        f"{shown_duration(survey.seconds)} of work."
    )


def row_name(subject: str, environment: str, *, mended: bool) -> str:
    """How a subject, or its mended copy, in an environment is called.

    >>> row_name("mean", "lib-1.0", mended=True)
    'mean, mended, in lib-1.0'
    """
    return f"{subject}{', mended,' if mended else ''} in {environment}"


def counted(row: SurveyedRow) -> str:
    """Each answer, with how often it was given where there are several seeds, and whether that is not as expected."""
    known = {status.value for status in Status}
    words = Counter(result.found if result.found in known else FAILED for result in row.results)
    total = len(row.results)
    said = ", ".join(word if total == 1 else f"{word} {count} of {total}" for word, count in words.items())
    return said if row.as_expected or said == FAILED else f"{said}: not as expected"


def problem_of(row: SurveyedRow) -> str:
    """Why a row has no verdict, or why its learner failed; empty where it has one."""
    return next((result.problem for result in row.results if result.problem), "")


def numbers_of(row: SurveyedRow) -> tuple[str, str, str]:
    """The median certified bound, and the means of calls and seconds, of the audits that were made."""
    made = [result for result in row.results if result.calls or result.seconds]
    if not made:
        return ("", "", "")
    return over_seeds((result.epsilon_lower, result.calls, result.seconds) for result in made)


def environment_words(one: SurveyedEnvironment) -> str:
    """What an environment was made of, and how long that took."""
    took = f"made in {shown_duration(one.seconds)}" if one.seconds else "was there"
    return f"{', '.join(one.requirements)}; {took}"


def _seeds(survey: SurveyOfPackages) -> str:
    """On which seeds; dear learners are on fewer where their list says so."""
    if survey.seeds == 1:
        return f"on seed {survey.seed}"
    rows = survey.rows
    fewer = [row for row in rows if 0 < len(row.results) < survey.seeds]
    last = survey.seed + survey.seeds - 1
    if not fewer:
        return f"on seeds {survey.seed} to {last} each"
    least, most = (of(len(row.results) for row in fewer) for of in (min, max))
    first = ("one" if least == 1 else str(least)) + (" or more" if least < most else "")
    return (
        f"on seeds {survey.seed} to {last} ({len(rows) - len(fewer):,} of {_many(len(rows), 'row')}; the others, "
        f"whose learners are slow, on the first {first})"
    )


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}{'s' if count != 1 else ''}"
