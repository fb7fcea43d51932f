"""A recorded audit as Markdown."""

from __future__ import annotations

from dpcheck.model.bounds_shown import at_least
from dpcheck.report.paper.markdown import code
from dpcheck.report.whole.index_markdown import cells, said
from dpcheck.report.whole.learner_markdown import curve_lines, witness_lines
from dpcheck.report.whole.model import AuditReport


def render(report: AuditReport) -> str:
    """The Markdown text."""
    facts = {
        "verdict": report.status,
        "claim": report.claim or "nothing",
        "relation": report.relation,
        "level": f"{report.level:g}",
        "epsilon above": at_least(report.epsilon_lower, ".4g"),
        "calls": f"{report.samples:,}",
        "phases": ", ".join(f"{one.word} {one.count:,}" for one in report.phases),
        "pairs": f"{report.pairs_tried:,} tried, {report.pairs_not_tried:,} not tried",
        "stopped because": report.stop,
        "method": report.method,
        "reproducible": "yes" if report.reproducible else "no",
        "seed": str(report.seed),
        "made by": ", ".join(f"{name} {version}" for name, version in report.environment),
        "record": f"{report.file} ({report.record})",
    }
    lines = [f"# {said(report.target)}: {said(report.status)}", "", said(report.meaning), ""]
    lines += [*(said(line) for line in report.words.splitlines()), ""]
    lines += [*cells(("", ""), [(name, words) for name, words in facts.items() if words]), ""]
    lines += witness_lines(report.witness)
    lines += curve_lines(report.curves)
    lines += [f"- {said(one.kind)}: {said(one.detail)}" for one in report.findings]
    return "\n".join(lines + ([code(report.command)] if report.command else [])) + "\n"
