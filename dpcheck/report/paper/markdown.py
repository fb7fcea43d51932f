"""The report as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from dpcheck.model.harmless import one_line
from dpcheck.report.inert_markdown import without_addresses
from dpcheck.report.pages.chart_numbers import rows_of
from dpcheck.report.pages.numbers import shown_at_most, shown_number
from dpcheck.report.paper.model import (
    DerivationShown,
    ErratumShown,
    FormulaShown,
    PaperReport,
    ResultShown,
    StepShown,
)
from dpcheck.report.paper.summary import MEANINGS, checked_sentence, headline, outcomes_sentence
from dpcheck.trial.model import Chart, Measurement, Outcome


def render(report: PaperReport) -> str:
    """The Markdown text."""
    whole = sum(count for _, count in report.shares) or 1
    year = f" ({report.year})" if report.year else ""
    by = f"{heading(', '.join(report.authors))}{year}. " if report.authors else ""
    lines = [
        f"# {heading(report.title)}, checked",
        "",
        f"{by}Regenerate: {code(report.command)}.",
        "",
        checked_sentence(report),
        "",
        headline(report),
        "",
        *table(
            ("steps", "count", "share"),
            [(status, str(count), f"{100 * count / whole:.0f}%") for status, count in report.shares if count],
        ),
        "",
        "## Results",
        "",
        *table(
            ("result", "what it says", "statement", "printed proof", "repaired proof", "steps"),
            [
                (one.short, one.title, one.status, one.proof, one.repaired, str(len(one.steps) or ""))
                for one in report.results
            ],
        ),
        "",
    ]
    for result in report.results:
        lines += _result(result)
    lines += ["## Measurements", ""]
    if report.quick:
        lines += ["A quick run: fewer sizes and trials, wider intervals.", ""]
    ran = outcomes_sentence([one for each in report.measurements for one in each.outcomes], report.not_run)
    if ran:
        lines += [ran, ""]
    if report.outcomes:
        lines += [*table(("what came of the claims", "count"), [(word, str(n)) for word, n in report.outcomes]), ""]
    if report.missing:
        missing = ", ".join(heading(one.key) for one in report.missing)
        lines += [
            f"**Not complete**: the run was interrupted before {missing}. The same command goes on from there.",
            "",
        ]
    if report.not_run:
        lines += ["Not run:", "", *(f"- {heading(one.id)}: {prose(one.reason)}" for one in report.not_run), ""]
    if report.uncovered:
        lines += [f"Nothing is said of {heading(', '.join(report.uncovered))}.", ""]
    if not report.measurements and not report.missing:
        lines += ["None are declared for this paper yet.", ""]
    for measurement in report.measurements:
        lines += _measurement(measurement)
    lines += ["## What the words mean", ""]
    lines += [f"- **{word}**: {meaning}." for word, meaning in MEANINGS]
    return "\n".join(lines) + "\n"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table; what would end a cell is escaped."""

    def line(row: Sequence[str]) -> str:
        return f"| {' | '.join(heading(cell).replace('|', chr(92) + '|') for cell in row)} |"

    return [line(columns), f"|{' --- |' * len(columns)}", *map(line, rows)]


def prose(text: str) -> str:
    """Words and plain mathematics, with what Markdown would take for its own signs escaped; code is left alone.

    Examples
    --------
    >>> print(prose("`h*` and h* <= g*"))
    `h*` and h\\* <= g\\*
    """
    parts = text.split("`")
    if len(parts) % 2 == 0:  # the last backtick opens nothing
        parts[-2:] = ["\\`".join(parts[-2:])]
    parts[::2] = [_inert(part) for part in parts[::2]]
    # a line of its own could begin a heading, a list or a fence, and so could what stands first on ours
    return _START.sub(r"\\\g<0>", _ENDS.sub(" ", "`".join(parts)).lstrip())


_SIGNS, _TAG = re.compile(r"([*\\])"), re.compile(r"<(?=[A-Za-z/!])")
#: What makes a link or an image of the brackets before it, and a line's end as Markdown and Unicode have them.
_START = re.compile(r"^(?:#{1,6}(?=\s|$)|>|[-+](?=\s|$)|=+\s*$|-+\s*$|`{3}|~{3})")
_LINK, _ENDS = re.compile(r"\](?=[(\[:])"), re.compile(r"\s*[\n\r\v\f\x85\u2028\u2029]\s*")


def _inert(part: str) -> str:
    return without_addresses(_LINK.sub(r"\\]", _TAG.sub("&lt;", _SIGNS.sub(r"\\\1", part))))


def heading(text: str) -> str:
    """Strangers' words on one line, for a heading."""
    return prose(one_line(text))


def code(text: str) -> str:
    """Strangers' words as code on one line.

    Examples
    --------
    >>> code("dpcheck theorems"), code("a `b`")
    ('`dpcheck theorems`', '`` a `b` ``')
    """
    plain = one_line(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", plain)), default=0))
    return f"`{plain}`" if fence == "`" else f"{fence} {plain} {fence}"


def _result(result: ResultShown) -> list[str]:
    lines = [
        f"### {heading(result.short)}: {heading(result.title)}",
        "",
        f"*{heading(result.kind)}.* {prose(result.statement)}",
        "",
    ]
    if result.status == "STATED":
        return lines
    lines += [
        f"Statement **{result.status}**, printed proof **{result.proof}**, repaired proof **{result.repaired}**.",
        "",
    ]
    for name, words in (
        ("Assumes", result.assumptions),
        ("Cited from", result.cited),
        ("Holds", result.repaired_statement),
        ("Rests on", ", ".join(result.rests_on)),
    ):
        if words:
            lines += [f"{name}: {prose(words)}.", ""]
    if result.erratum is not None:
        lines += [*_erratum(result.erratum), ""]
    for bound in result.bounds:
        lines += [f"- {heading(bound.sense)}: {code(bound.text)}, for {code(bound.domain)}. {prose(bound.derivation)}."]
    if result.evaluate:
        lines.append(f"- As numbers: {code(result.evaluate)}")
    if result.bounds:
        lines.append("")
    if result.steps:
        columns = ("step", "printed", "status", "how", "where it fails", "repair")
        lines += [*table(columns, [_step(step) for step in result.steps]), ""]
    if result.words:
        lines += [f"{prose(result.words[:1].upper() + result.words[1:])}.", ""]
    for formula in result.claims:
        lines.append(f"- {_formula(formula)}")
    if result.claims:
        lines.append("")
    derivations = [("the statement", result.derivation), *((step.label, step.derivation) for step in result.steps)]
    derivations += [(f"the repair of {s.label}", s.repair.derivation) for s in result.steps if s.repair is not None]
    for of, derivation in derivations:
        lines += _derivation(of, derivation)
    return [*lines, code(result.command), ""]


def _formula(formula: FormulaShown) -> str:
    over = f" for {code(formula.variables)}" if formula.variables else ""
    where = f", where {code(formula.assume)}" if formula.assume else ""
    agree = f" ({formula.judges})" if formula.judges else ""
    return f"{formula.status} {code(formula.claim)}{over}{where}{agree}"


def _derivation(of: str, derivation: DerivationShown | None) -> list[str]:
    """A derivation as a list: what it is about, what it is given, its lines."""
    if derivation is None:
        return []
    lines = [f"Derivation of {heading(of)}, about {code(derivation.objects)}:", ""]
    lines += [f"- {code(name)} is {prose(meaning)}" for name, meaning in derivation.notation]
    lines += [f"- given {code(each.fact)} ({prose(each.rule)})" for each in derivation.given]
    lines += [
        f"- {each.status} {code(each.fact)} ({heading(each.name)}, by {heading(each.rule)})"
        for each in derivation.lines
    ]
    lines += [f"- {derivation.judges}"] if derivation.judges else []
    return [*lines, *([heading(derivation.words)] if derivation.words else []), ""]


def _erratum(erratum: ErratumShown) -> list[str]:
    return [
        f"> {prose(erratum.quotes)}",
        "",
        f"{prose(erratum.explanation)} ({heading(erratum.severity)}, {erratum.quality})",
    ]


def _step(step: StepShown) -> tuple[str, ...]:
    repair = "" if step.repair is None else f"{step.repair.statement} ({step.repair.status})"
    domain = f" for {step.domain}" if step.domain else ""
    return step.label, step.printed + domain, step.status_words, step.method, step.witness, repair


def _measurement(measurement: Measurement) -> list[str]:
    lines = [
        f"### {heading(measurement.title)}",
        "",
        f"About {heading(', '.join(measurement.results))}. {prose(measurement.asked)}",
        "",
        prose(measurement.found),
        "",
        prose(measurement.evidence),
        "",
    ]
    lines += [_outcome(one) for one in measurement.outcomes]
    if measurement.outcomes:
        lines.append("")
    if measurement.settings:
        taken = "; ".join(f"{one.name} = {', '.join(one.values)}" for one in measurement.settings)
        lines += [f"Settings: {prose(taken)}.", ""]
    if measurement.command:
        lines += [code(measurement.command), ""]
    if measurement.left_out:
        lines += [f"Left out: {prose(measurement.left_out.rstrip('.'))}.", ""]
    for one in measurement.tables:
        lines += [f"{heading(one.caption)}:", "", *table(one.columns, one.rows), ""]
    for chart in measurement.charts:
        rows = numbers_of(chart)
        if rows:
            lines += [f"{heading(chart.title)}:", "", *table(NUMBER_COLUMNS, rows), ""]
    return lines


def _outcome(one: Outcome) -> str:
    said = f"- **{one.word}**: {heading(one.claim)} ({heading(one.detail)})."
    if one.instead:
        word = f" ({one.instead_word})" if one.instead_word else ""
        said += f" Instead: {heading(one.instead)}{word}."
    if one.against:
        said += f" Set against it: {heading(one.against)}."
    if one.learner:
        said += f" Learner: {heading(one.learner)}."
    if one.size is not None:
        said += f" Size: {shown_number(one.size)}."
    if one.slack is not None:
        said += f" Slack: {shown_number(one.slack)} times the measured size."
    if one.level:
        said += f" Wrong with probability at most {shown_at_most(one.level)}."
    if one.expected:
        said += f" Expected: {heading(one.expected)}."
    elif one.broken or one.word == "not compatible":
        said += " **Not expected**: no erratum explains it."
    return said


NUMBER_COLUMNS = ("series", "at", "value", "interval", "trials")
"""The columns of :func:`numbers_of`."""


def numbers_of(chart: Chart) -> list[tuple[str, ...]]:
    """The points of a chart with their intervals and trials, as words; of long curves every few."""
    return [(row.name, row.x, row.y, row.interval, row.trials) for row in rows_of(chart)]
