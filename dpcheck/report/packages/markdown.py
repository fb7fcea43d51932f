"""Markdown of a survey of packages, made of its record alone."""

from __future__ import annotations

from dpcheck.model.harmless import one_line
from dpcheck.report.inert_markdown import as_cell
from dpcheck.report.packages.by_package import by_package
from dpcheck.report.packages.document import SurveyedRow, SurveyOfPackages, tally
from dpcheck.report.packages.findings import Finding, findings, headline
from dpcheck.report.packages.letter import letter
from dpcheck.report.packages.trends import trends
from dpcheck.report.packages.words import counted, environment_words, introduction, numbers_of, problem_of, row_name
from dpcheck.report.paper.markdown import code


def render(survey: SurveyOfPackages) -> str:
    """The survey, what was found first."""
    counts = tally(survey)
    lines = [
        f"# {as_cell(survey.title)}",
        "",
        f"**{counts.rows} rows: {counts.violated} violated, {counts.as_expected} as expected, "
        f"{counts.not_as_expected} not as expected, {counts.failed} failed.**",
        "",
        as_cell(introduction(survey)),
        "",
    ]
    lines += ["## Packages", ""]
    lines += _heads(["package", "versions", "subjects", "violated", "no violation found", "other", "causes"])
    for line in by_package(survey):
        counts_of = (line.subjects, line.violated, line.clean, line.others)
        lines.append(_row([line.package, ", ".join(line.versions), *map(str, counts_of), ", ".join(line.causes)]))
    found = findings(survey)
    lines += ["", f"## Findings ({len(found)})", ""]
    lines += [as_cell(headline(survey)), ""] if found else []
    for number, one in enumerate(found, start=1):
        lines += _finding(one, number)
    if not found:
        lines += ["No promise was seen to be broken; this is not a proof of privacy.", ""]
    if survey.left_out:
        lines += ["## Left out", "", *_heads(["package", "version", "why"])]
        lines += [_row([one.package, one.version, one.why]) for one in survey.left_out]
        lines.append("")
    lines += ["## By version", ""]
    for trend in trends(survey):
        if trend.lines:
            lines += [f"### {as_cell(trend.package)}", "", *_heads(["subject", *trend.versions])]
            lines += [_row([line.subject, *(word or "not asked" for word in line.found)]) for line in trend.lines]
            lines.append("")
    lines += ["## All rows", ""]
    lines += _heads(["subject", "claim", "expected", "found", "epsilon above", "calls", "seconds"])
    lines += [_row(_cells(subject.name, row)) for subject in survey.subjects for row in subject.rows]
    lines += ["", "## Environments", ""]
    lines += _heads(["environment", "Python", "what", "versions"])
    for there in survey.environments:
        what = there.problem or environment_words(there)
        lines.append(_row([there.name, there.python, what, ", ".join(there.packages)]))
    return "\n".join(lines) + f"\n\nMade by {code(survey.command)} (dpcheck {as_cell(survey.dpcheck)}).\n"


def _finding(one: Finding, number: int) -> list[str]:
    lines = [
        f"### {number}. {as_cell(one.package)}: {as_cell(one.subject)}",
        "",
        f"{code(one.target)}, claim {as_cell(one.claim)} under {as_cell(one.relation)}. {as_cell(one.versions)}.",
        "",
    ]
    if one.bound:
        lines += [f"Certified: {as_cell(one.bound)}.", ""]
    if one.witness is not None:
        lines += [f"Pair: {as_cell(one.witness.change)}.", ""]
        lines += [f"- D: {code(one.witness.left)}", f"- D': {code(one.witness.right)}", ""]
        lines += [f"Event: {as_cell(one.event)}.", ""]
    lines += [f"Promised: {as_cell(one.promise)}", "", f"Where it errs: {as_cell(one.error)}", ""]
    lines += [f"Cause: {as_cell(one.cause)}. In their tracker: {as_cell(one.known)}.", ""]
    lines += [
        f"Mended: {as_cell(one.mended)}.",
        "",
        f"Again: {code(one.command)}",
        "",
        "A text for those who keep it:",
        "",
    ]
    for paragraph in letter(one).split("\n\n"):
        lines += [f"> {as_cell(one_line(paragraph))}", ">"]
    return [*lines[:-1], ""]


def _cells(subject: str, row: SurveyedRow) -> list[str]:
    found, problem = counted(row), problem_of(row)
    said = f"{found} ({problem})" if problem else found
    return [row_name(subject, row.environment, mended=row.mended), row.claim, row.expected, said, *numbers_of(row)]


def _heads(headings: list[str]) -> list[str]:
    return [_row(headings), "|" + " --- |" * len(headings)]


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(as_cell(one_line(cell)) for cell in cells)} |"
