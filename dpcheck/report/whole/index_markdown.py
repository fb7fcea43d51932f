"""The index as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from dpcheck.model.bounds_shown import at_least
from dpcheck.model.harmless import one_line
from dpcheck.report.packages.document import MARKDOWN, SurveyOfPackages
from dpcheck.report.packages.findings import headline
from dpcheck.report.paper.markdown import code, prose, table
from dpcheck.report.whole.index_summary import sentences
from dpcheck.report.whole.model import Count, IndexReport, PlacedOutcome
from dpcheck.trial.model import MEANINGS


def render(report: IndexReport, packages: SurveyOfPackages | None = None) -> str:
    """The Markdown text; ``packages`` is the survey of packages, where the report has one."""
    lines = [f"# {said(report.title)}", "", f"{_made(report)} Regenerate: {code(report.command)}.", ""]
    if report.missing:
        lines += [
            f"**This report is not complete**: {len(report.missing)} of its parts are missing, as the run was "
            "interrupted. The same command goes on from there.",
            "",
            *(f"- {said(one.what)}: {said(one.why)}" for one in report.missing),
            "",
        ]
    for sentence in sentences(report):
        lines += [said(sentence), ""]
    if report.failed:
        lines += [
            "## What could not be checked",
            "",
            *(f"- {said(one.what)}: {said(one.why)}" for one in report.failed),
        ]
        lines += [""]
    if report.papers:
        lines += _papers(report)
    if report.contradicted:
        lines += ["## Contradicted", "", *map(_contradicted, report.contradicted), ""]
    if report.learners:
        rows = [(one.name, one.title, one.claim or "nothing", one.loss, one.how, one.status) for one in report.learners]
        lines += ["## Learners", "", *cells(("learner", "does", "claims", "epsilon", "how", "verdict"), rows), ""]
    if report.audits:
        recorded = [
            (one.name, one.target, one.claim or "nothing", at_least(one.epsilon_lower, ".4g"), one.status)
            for one in report.audits
        ]
        lines += ["## Audits", "", *cells(("audit", "target", "claim", "epsilon above", "verdict"), recorded), ""]
    if report.findings is not None:
        found = report.findings
        lines += [
            "## Findings in other libraries",
            "",
            f"Of {found.subjects} learners of {', '.join(map(said, found.libraries))}, {found.violated} break their "
            f"claim; {found.as_expected} are as expected. See findings.md; {code(found.command)}.",
            "",
        ]
    if packages is not None:
        lines += [
            "## Published packages",
            "",
            f"{said(headline(packages))} See {MARKDOWN}; {code(packages.command)}.",
            "",
        ]
    if report.theorems:
        rows = [
            (one.id, one.title, one.status, one.proof, one.repaired, counted(one.outcomes) or one.not_run)
            for one in report.theorems
        ]
        columns = ("result", "what it says", "statement", "printed proof", "repaired proof", "where it was run")
        lines += ["## Every result", "", *cells(columns, rows), ""]
    lines += ["## What the words mean", "", *(f"- **{word}**: {meaning}." for word, meaning in MEANINGS.items())]
    return "\n".join(lines) + "\n"


def _made(report: IndexReport) -> str:
    level = "A quick run: fewer sizes and trials, wider intervals." if report.quick else "A full run."
    return f"{level} dpcheck {said(report.version)}, seed {report.seed}."


def _papers(report: IndexReport) -> list[str]:
    rows = [
        (one.paper, one.title, str(one.steps), counted(one.proofs), counted(one.outcomes), str(one.errata))
        for one in report.papers
    ]
    columns = ("paper", "title", "steps", "of its proofs", "where its claims were run", "errata")
    lines = ["## Papers", "", *cells(columns, rows), "", f"All together: {said(counted(report.outcomes))}.", ""]
    uncovered = [id for one in report.papers for id in one.uncovered]
    if uncovered:
        lines += [f"Nothing is said of {', '.join(map(said, uncovered))}.", ""]
    return lines


def _contradicted(one: PlacedOutcome) -> str:
    why = f" Expected: {said(one.outcome.expected)}." if one.outcome.expected else " **No erratum says why.**"
    what = f"{said(one.outcome.result or one.paper)}: {said(one.outcome.claim)} ({said(one.outcome.detail)})"
    return f"- {what}.{why} {code(one.command)}"


def counted(counts: Sequence[Count]) -> str:
    """Counts in words.

    Examples
    --------
    >>> counted([Count("holds", 3), Count("not reachable", 1)])
    '3 holds, 1 not reachable'
    """
    return ", ".join(f"{one.count} {one.word.lower()}" for one in counts)


def said(text: str) -> str:
    """A stranger's words on one line, with nothing in them that Markdown or a browser would take for its own."""
    return prose(one_line(text)).replace("<", "&lt;").replace("[", "\\[")


def cells(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table of strangers' words."""
    return table(columns, [[one_line(cell).replace("<", "&lt;") for cell in row] for row in rows])
