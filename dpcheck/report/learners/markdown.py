"""Markdown of the papers' learners, made of their record alone: the list, the audits, class against learner."""

from __future__ import annotations

from collections.abc import Sequence

from dpcheck.parts.learners.table_of_classes import ClassTable
from dpcheck.report.inert_markdown import as_cell
from dpcheck.report.learners.classes import paper_tables
from dpcheck.report.learners.document import (
    LearnersDocument,
    ListedLearner,
    how_words,
    loss_words,
)

_ALIGN = {"left": "---", "right": "---:"}


def render(document: LearnersDocument) -> str:
    """The learners with their claims, and the audits and the table of class against learner where there are any."""
    lines = ["## dpcheck: learners of the papers", "", *listing(document.learners)]
    if any(one.audit is not None for one in document.learners):
        lines += ["", "### Claims, and what was found", "", *audits(document.learners)]
    if document.classes is not None:
        lines += ["", "### Learner against hypothesis class", "", *against_classes(document.classes)]
    return "\n".join(lines) + "\n"


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str] = ()) -> list[str]:
    """A Markdown table; the columns named in ``right`` are numbers.

    Examples
    --------
    >>> table(["a", "b"], [["x", "1"]], right=["b"])
    ['| a | b |', '| --- | ---: |', '| x | 1 |']
    """
    rule = [_ALIGN["right" if heading in right else "left"] for heading in headings]
    return [f"| {' | '.join(row)} |" for row in (headings, rule)] + [
        f"| {' | '.join(map(as_cell, row))} |" for row in rows
    ]


def listing(learners: Sequence[ListedLearner]) -> list[str]:
    """What each learner does and promises."""
    rows = [
        [
            one.name,
            f"{one.summary} (as printed)" if one.as_printed else one.summary,
            one.claim or "nothing",
            one.relation,
            one.algorithm,
            one.theorem,
        ]
        for one in learners
    ]
    return table(["learner", "does", "claims", "relation", "algorithm", "theorem"], rows)


def audits(learners: Sequence[ListedLearner]) -> list[str]:
    """The claim of each learner beside what its audit found."""
    headings = ["learner", "claim", "relation and domain", "epsilon", "how", "verdict"]
    rows = [
        [
            one.name,
            one.claim or "nothing",
            f"{one.relation}, {one.domain}",
            loss_words(one.audit),
            how_words(one.audit),
            verdict_words(one),
        ]
        for one in learners
        if one.audit is not None
    ]
    return table(headings, rows, right=["epsilon"])


def verdict_words(one: ListedLearner) -> str:
    """What was found, and whether it was expected."""
    if one.audit is None:
        return "not audited"
    if one.audit.as_expected:
        return f"{one.audit.found}, as expected of the printed algorithm" if one.as_printed else one.audit.found
    expected = f", but expected: {one.audit.expected}" if one.audit.expected else ""
    return f"{one.audit.found}{expected}{f' ({one.audit.problem})' if one.audit.problem else ''}"


def against_classes(classes: ClassTable) -> list[str]:
    """A table of class against learner for each paper, the reasons of empty cells below."""
    made = paper_tables(classes)
    lines = []
    for each in made.papers:
        lines += [*table([f"{each.paper}: class", *each.learners], each.rows), ""]
    lines += [f"({number}) {as_cell(reason)}  " for number, reason in enumerate(made.reasons, start=1)]
    if made.apart:
        lines += ["", "About no class of hypotheses:", "", *(f"* {as_cell(line)}" for line in made.apart)]
    return lines
