"""The results of `accounting_compared.py` as sentences, tables and a plot."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from accounting_compared_judge import ABOVE, BELOW, FAILED, HAIR, TIGHT, VERDICTS
from pictures import INK, QUIET, STYLE, named

from dpcheck.model.verdict.plots import as_svg
from dpcheck.report.inert_markdown import as_cell

#: Inches.
_SIZE = (11.0, 7.6)
_COLOURS = {BELOW: "#c2362b", HAIR: "#d9961f", TIGHT: "#1f9d3a", ABOVE: "#2f7ed8"}
#: Ratios outside are drawn at the edge.
_LEAST, _MOST = 0.05, 20.0


def summary_rows(document: Mapping[str, Any]) -> list[list[str]]:
    """How many answers of each accountant are what."""
    return [
        [name, *(str(sum(row["verdict"] == verdict for row in _rows(document, name))) for verdict in VERDICTS)]
        for name in document["accountants"]
    ]


def _rows(document: Mapping[str, Any], accountant: str) -> list[dict[str, Any]]:
    return [row for row in document["rows"] if row["accountant"] == accountant]


def summary(document: Mapping[str, Any]) -> list[str]:
    """Who is below the truth, and why; the errors first."""
    said = []
    for status in ("error", "documented", "numerics"):
        for finding in (one for one in document["findings"] if one["status"] == status):
            rows = [row for row in document["rows"] if row.get("finding") == finding["name"]]
            if not rows:
                continue
            worst = max(rows, key=lambda row: row["outside"])
            names = ", ".join(dict.fromkeys(row["accountant"] for row in rows))
            word = {"error": "An error", "documented": "Documented", "numerics": "Numerics"}[status]
            said.append(
                f"- **{word}: {finding['name']}** ({names}): {len(rows)} answers on "
                f"{len({row['event'] for row in rows})} events are below the truth, the furthest on "
                f"{worst['event']}: {worst['question']} at {worst['at']:g} is said to be {_value(worst['value'])}, "
                f"and is "
                f"at least {worst['low']:.6g}."
            )
    below = {row["accountant"] for row in document["rows"] if row["verdict"] in (BELOW, HAIR)}
    never = [name for name in document["accountants"] if name not in below]
    said.append(f"- Never below the truth here: {', '.join(never) if never else 'none'}.")
    return said


def _value(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else f"{value:.6g}"


def _outside(row: Mapping[str, Any]) -> str:
    if row["verdict"] == FAILED:
        return as_cell(f"failed: {row['failed']}")
    if row["outside"] is None:
        return "above"
    if row["verdict"] == TIGHT:
        return "tight"
    sign = "-" if row["verdict"] in (BELOW, HAIR) else "+"
    mark = "**" if row["verdict"] == BELOW else ""
    return f"{mark}{_value(row['value'])} ({sign}{row['outside']:.2%}){mark}"


def event_rows(document: Mapping[str, Any], question: str) -> list[list[str]]:
    """A row for each event and question, with the truth and each accountant that has it."""
    by = {(row["event"], row["question"], row["at"], row["accountant"]): row for row in document["rows"]}
    found = []
    for event in document["events"]:
        for truth in event["truth"]:
            if truth["question"] != question:
                continue
            cells = [
                "" if (row := by.get((event["name"], question, truth["at"], name))) is None else _outside(row)
                for name in document["accountants"]
            ]
            found.append([as_cell(event["name"]), f"{truth['at']:g}", _enclosure(truth), *cells])
    return found


def _enclosure(truth: Mapping[str, Any]) -> str:
    low, high = truth["low"], truth["high"]
    if isinstance(high, str) or high - low > 2e-6 * max(abs(high), 1e-300):
        return f"{low:.5g} to {_value(high) if isinstance(high, str) else f'{high:.5g}'}"
    return f"{high:.6g}"


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [
        "| " + " | ".join(headings) + " |",
        "|" + " --- |" * len(headings),
        *("| " + " | ".join(row) + " |" for row in rows),
        "",
    ]


def replace_one_rows(document: Mapping[str, Any], delta: float = 1e-5) -> list[list[str]]:
    """What each accountant says of Gaussian noise when one record is replaced."""
    event = next((one for one in document["events"] if one["name"] == "gaussian, sigma 2, 1 step, replace-one"), None)
    if event is None:
        return []
    wanted = {"epsilon", event["name"]}
    rows = [row for row in document["rows"] if {row["question"], row["event"]} == wanted and row["at"] == delta]
    return [[row["accountant"], _value(row["value"]), f"{row['low']:.6g}", row["verdict"]] for row in rows]


def render(document: dict[str, Any]) -> str:
    """The page."""
    kinds = document["theorems"]
    widest = max(
        (truth["high"] - truth["low"]) / truth["high"]
        for event in document["events"]
        for truth in event["truth"]
        if truth["question"] == "epsilon" and not isinstance(truth["high"], str) and truth["high"] > 0
    )
    lines = [
        "# Accountants compared",
        "",
        "![Said over true epsilon](accounting_compared.svg)",
        "",
        f"Written by `{document['command']}` (seed {document['seed']}, {document['seconds']:.0f} s"
        f"{', beside what an earlier run had made' if document['goes_on'] else ''}). "
        f"{len(document['events'])} events, {len(document['rows'])} answers. The truth is an enclosure of the exact "
        "privacy curve, no other accountant. Below the truth: more privacy is claimed than there is.",
        "",
        *summary(document),
        "",
        *_table(("accountant", *VERDICTS), [[as_cell(cell) for cell in row] for row in summary_rows(document)]),
        f"Tight: within {document['tightness']['epsilon']:.0%} of epsilon, {document['tightness']['delta']:.0%} of "
        f"delta. "
        f"By a hair: {document['hairs']['epsilon']:.1%} of epsilon, {document['hairs']['delta']:.0%} of delta, or "
        f"less. "
        "A negative epsilon is taken for 0. Delta is asked where an accountant offers it. Rényi accountants are "
        "above by "
        "their nature.",
        "",
        "## Causes",
        "",
    ]
    for finding in document["findings"]:
        rows = [row for row in document["rows"] if row.get("finding") == finding["name"]]
        if rows:
            lines += [
                f"### {finding['name'].capitalize()}",
                "",
                f"{', '.join(dict.fromkeys(row['accountant'] for row in rows))}; {finding['status']}; {len(rows)} "
                f"answers.",
                "",
                f"- What: {finding['said']}.",
                f"- Source: {finding['source']}.",
                f"- Tracker: {finding['tracker']}.",
                f"- Smallest change: {finding['change']}.",
                "",
            ]
    replaced = replace_one_rows(document)
    if replaced:
        lines += [
            "## One record replaced",
            "",
            "`gaussian, sigma 2, 1 step`: records of norm at most 1, noise of deviation 2, so that a replacement "
            "moves the "
            "sum by at most 2. Who counts noise over how far the sum moves (autodp, prv-accountant) is given 1. "
            "Epsilon at "
            "delta = 1e-05:",
            "",
            *_table(("accountant", "says", "truth", "is"), replaced),
        ]
    lines += [
        "## Audits",
        "",
        f"`dpcheck.measure` on {document['outputs']:,} outputs of the worst pair; a bound exceeds the truth with "
        f"probability "
        f"at most {document['alpha']:g}. An accountant that says less than the bound is refuted. With half the "
        f"noise, the "
        "event's accountants are of a mechanism that is not the one that runs.",
        "",
        *_table(
            ("event", "delta", "run with", "certified", "truth", "refuted", "not refuted"),
            [
                [
                    as_cell(audit["event"]),
                    f"{audit['delta']:g}",
                    "its noise" if audit["noise"] == 1 else "half the noise",
                    f"{audit['certified']:.4g}",
                    _enclosure(audit),
                    ", ".join(audit["refuted"]) or "none",
                    ", ".join(audit["not_refuted"]) or "none",
                ]
                for audit in document["audits"]
            ],
        ),
        "## Truth",
        "",
        f"The widest enclosure of an epsilon is {widest:.2%} of it (its upper end; the table below has all). What each "
        "kind rests on:",
        "",
        *_table(("kind", "theorem"), [[as_cell(kind), as_cell(words)] for kind, words in kinds.items()]),
        "Under replace-one, for "
        + " and ".join(as_cell(kind) for kind, _ in document["attained_only"])
        + ", the truth is that of pairs of datasets that exist: who says less is wrong; who says more may have "
        "another pair "
        "in mind.",
        "",
        *_table(
            ("event", "relation", "by"),
            [[as_cell(event["name"]), event["relation"], event["way"]] for event in document["events"]],
        ),
        "## Packages",
        "",
        *_table(
            ("package", "versions", "what it states of errors", "failed"),
            [
                [
                    as_cell(one["package"]),
                    as_cell(", ".join(one["versions"])),
                    as_cell(one["stated"]),
                    as_cell(one["failed"]),
                ]
                for one in document["packages"]
            ],
        ),
        "## Epsilon at delta",
        "",
        "An empty cell: not offered.",
        "",
        *_table(("event", "delta", "truth", *map(as_cell, document["accountants"])), event_rows(document, "epsilon")),
        "## Delta at epsilon",
        "",
        *_table(("event", "epsilon", "truth", *map(as_cell, document["accountants"])), event_rows(document, "delta")),
        "Rules:",
        "",
        *(f"- {rule['rule']}: {rule['verdict']}" for rule in document["rules"]),
        "",
    ]
    return "\n".join(lines)


# --- the plot


def digest(document: Mapping[str, Any]) -> str:
    """A name for the numbers that a plot was made of."""
    drawn = [[row[name] for name in ("accountant", "event", "question", "at", "value")] for row in document["rows"]]
    return hashlib.sha256(json.dumps(drawn).encode()).hexdigest()


def svg(document: dict[str, Any]) -> str:
    """What is said over what is true, of every epsilon, a line for each accountant; it names its numbers."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    names = document["accountants"]
    with rc_context(STYLE):
        figure = Figure(figsize=_SIZE, layout="constrained")
        axes = figure.subplots()
        for place, name in enumerate(reversed(names)):
            points = [
                (min(_MOST, max(_LEAST, _ratio(row))), row["verdict"])
                for row in _rows(document, name)
                if row["question"] == "epsilon" and row["verdict"] != FAILED and row["low"] > 0
            ]
            for number, (ratio, verdict) in enumerate(points):
                wiggle = 0.6 * ((number * 0.618034) % 1.0 - 0.5)
                axes.plot(ratio, place + wiggle, "o", markersize=3.6, color=_COLOURS[verdict], alpha=0.75)
        axes.axvline(1.0, color=INK, linewidth=1.0)
        axes.set_xscale("log")
        axes.set_xlim(_LEAST * 0.85, _MOST * 1.2)
        axes.set_xticks(
            [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20], ["≤0.05", "0.1", "0.25", "0.5", "1", "2", "5", "10", "≥20"]
        )
        axes.minorticks_off()
        axes.set_yticks(range(len(names)), list(reversed(names)))
        axes.set_xlabel("epsilon said, over the true one (left of 1: more privacy is claimed than there is)")
        axes.grid(True, axis="x", linewidth=0.6)
        axes.set_axisbelow(True)
        for verdict, colour in _COLOURS.items():
            axes.plot([], [], "o", markersize=5, color=colour, label=verdict)
        axes.legend(loc="upper right", fontsize=9.5, labelcolor=QUIET)
        text = as_svg(figure)
    return named(text, "Said over true epsilon", digest(document))


def _ratio(row: Mapping[str, Any]) -> float:
    if row["value"] == "infinite":
        return _MOST
    said = max(0.0, float(row["value"]))
    return said / float(row["low"]) if said < row["low"] else max(1.0, said / float(row["high"]))
