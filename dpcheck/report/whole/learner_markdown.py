"""A learner's report as Markdown."""

from __future__ import annotations

from dpcheck.report.paper.markdown import code
from dpcheck.report.whole.index_markdown import cells, said
from dpcheck.report.whole.model import Curve, LearnerReport, PrivacyCurves, WitnessShown


def render(report: LearnerReport) -> str:
    """The Markdown text."""
    lines = [f"# {said(report.name)}", "", said(report.title), "", said(report.description), ""]
    facts = {
        "claims": report.claim or "nothing",
        "taken for granted": "; ".join(report.assumptions),
        "relation": report.relation,
        "domain": report.domain,
        "algorithm": report.algorithm,
        "theorem": f"{report.theorem}: {report.theorem_statement}" if report.theorem else "",
        "as printed": "yes: it is expected to break its claim" if report.as_printed else "",
        "law": "declared" if report.law else "not declared",
        "made by": report.source,
        "options": ", ".join(f"{one.name}={one.default}" for one in report.options),
        "verdict": report.status,
        "expected": "" if report.as_expected else report.expected,
        "largest loss": f"{report.loss_words} ({report.how})" if report.loss_words else "",
        "run": f"{'quick' if report.quick else 'full'}, seed {report.seed}",
    }
    lines += [*cells(("", ""), [(name, words) for name, words in facts.items() if words]), ""]
    lines += [*(said(line) for line in report.verdict.splitlines()), ""]
    lines += witness_lines(report.witness)
    lines += [f"- {said(one.kind)}: {said(one.detail)}" for one in report.findings]
    lines += [""] if report.findings else []
    lines += curve_lines(report.curves)
    if report.outcomes:
        rows = [
            (one.outcome.result, one.outcome.claim, one.outcome.word, one.outcome.detail) for one in report.outcomes
        ]
        lines += ["## Where the papers' claims were run on it", ""]
        lines += [*cells(("result", "claim", "what came of it", "found"), rows), ""]
    return "\n".join([*lines, code(report.command), "", code(report.audit_command)]) + "\n"


def witness_lines(witness: WitnessShown | None) -> list[str]:
    """The pair and the event."""
    if witness is None:
        return []
    guesses = (
        f": {witness.correct:,} right and {witness.wrong:,} wrong of" if witness.correct + witness.wrong else ", in"
    )
    chances = (
        f"probability {witness.left_probability} and {witness.right_probability}"
        if witness.left_probability
        else f"{witness.direction}{guesses} {witness.calls:,} calls"
    )
    rows = [
        ("pair", witness.change),
        ("D", witness.left),
        ("D'", witness.right),
        ("event", witness.event),
        ("found", chances),
    ]
    return [*cells(("", ""), rows), ""]


def curve_lines(curves: PrivacyCurves) -> list[str]:
    """Some points of the curves, with what they mean."""
    if not curves.profile and not curves.tradeoff:
        return []
    lines = ["## Privacy profile and trade-off curve", "", said(curves.evidence), ""]
    if curves.pair:
        lines += [f"Pair of the trade-off curve: {said(curves.pair)}.", ""]
    for name, columns, chosen in (
        ("Profile", ("curve", "epsilon", "delta"), curves.profile),
        ("Trade-off", ("curve", "false alarms", "misses"), curves.tradeoff),
    ):
        rows = [row for curve in chosen for row in _some(curve)]
        lines += [f"{name}:", "", *cells(columns, rows), ""] if rows else []
    return lines


def _some(curve: Curve) -> list[tuple[str, str, str]]:
    step = max(1, len(curve.x) // 8)
    return [(curve.name, f"{x:.4g}", f"{y:.4g}") for x, y in list(zip(curve.x, curve.y, strict=True))[::step]]
