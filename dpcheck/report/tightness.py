"""Upper against lower bounds: one record, and a table, a picture and Markdown made of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dpcheck.report.paper.markdown import code, heading

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from dpcheck.proof.tightness import Tightness

#: Beyond this slope of the excess (log against log, at the far end) what is left is more than logarithms.
STEEPEST = 0.15
_COLOURS = ("#1f5fa8", "#b3331d", "#2e7d32", "#8a5a00", "#6a3d9a")


def tightness_record(tightness: Tightness, status: str) -> dict[str, Any]:
    """One claim with its numbers, as data.

    Parameters
    ----------
    tightness : Tightness
    status : str, the status of the result that makes the claim
    """
    from dpcheck.proof.tightness import ratios, trend

    found = ratios(tightness)
    slope = trend(found)
    return {
        "source": tightness.source,
        "status": status,
        "name": tightness.name,
        "says": tightness.says,
        "size": tightness.upper.size,
        "upper": {"source": tightness.upper.source, "derivation": tightness.upper.derivation},
        "lower": {"source": tightness.lower.source, "derivation": tightness.lower.derivation},
        "gap": str(tightness.gap),
        "hidden": tightness.hidden,
        "along": tightness.along,
        "series": tightness.series[0] if tightness.series else None,
        "fixed": {name: str(value) for name, value in tightness.fixed.items()},
        "slope": round(slope, 4),
        "agrees": abs(slope) <= STEEPEST and all(each.ratio.high >= 1 for each in found),
        "ratios": [
            {
                "at": str(each.at),
                "series": None if each.series is None else str(each.series),
                "upper": float(f"{float(each.upper):.6g}"),
                "lower": float(f"{float(each.lower):.6g}"),
                "ratio": float(f"{float(each.ratio):.6g}"),
                "excess": float(f"{each.excess:.6g}"),
            }
            for each in found
        ],
        "reproduce": f"dpcheck theorems {tightness.source} --compare",
    }


def number(value: float) -> str:
    """A ratio or a size in a few characters.

    Examples
    --------
    >>> number(4.0), number(558200.0), number(1e-06)
    ('4', '5.58e5', '1e-6')
    """
    if value != 0 and not 1e-3 <= abs(value) < 1e4:
        mantissa, _, power = f"{value:.2e}".partition("e")
        return f"{mantissa.rstrip('0').rstrip('.')}e{int(power)}"
    return f"{value:.4g}"


def verdict_words(record: Mapping[str, Any]) -> str:
    """What the numbers say of the claim, in one sentence."""
    excess = [each["excess"] for each in record["ratios"]]
    spread = f"ratio over the gap between {number(min(excess))} and {number(max(excess))}"
    slope = f"on the last quarter of the curves, where steepest, it moves like {record['along']}^{record['slope']:+.3f}"
    if record["agrees"]:
        return f"{spread}, {slope}: as the paper says, up to constants and logarithms (powers up to {STEEPEST})"
    if min(each["ratio"] for each in record["ratios"]) < 1:
        return f"{spread}, {slope}: an upper bound is below the lower one, so one of the two is wrong"
    return f"{spread}, {slope}: more than the paper says"


def rows_of(record: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    """The table of one claim: headings, and a row for each place with the ratio of every curve."""
    curves = list(dict.fromkeys(each["series"] for each in record["ratios"]))
    heads = [record["along"]]
    for curve in curves:
        suffix = "" if curve is None else f", {record['series']} = {number(float(Fraction(curve)))}"
        heads += [f"ratio{suffix}"] + ([f"over the gap{suffix}"] if record["gap"] != "1" else [])
    found = []
    for place in dict.fromkeys(each["at"] for each in record["ratios"]):
        row = [number(float(Fraction(place)))]
        for curve in curves:
            cell = next(each for each in record["ratios"] if each["at"] == place and each["series"] == curve)
            row += [number(cell["ratio"])] + ([number(cell["excess"])] if record["gap"] != "1" else [])
        found.append(row)
    return heads, found


def fixed_words(record: Mapping[str, Any]) -> str:
    """The settings that do not move."""
    return ", ".join(f"{name} = {value}" for name, value in record["fixed"].items())


def render_markdown(records: Sequence[Mapping[str, Any]], picture: str) -> str:
    """All claims as a page."""
    lines = [
        "# Upper against lower bounds",
        "",
        f"![The ratio of the bounds over their parameters]({picture})",
        "",
        "Where a paper calls an upper bound tight, optimal or nearly matching: the ratio of the two bounds, both with "
        "explicit constants and rigorously evaluated. *Over the gap* is the ratio divided by what the paper admits; "
        "where the paper is right that stays below a constant, and the slope of its logarithm against the parameter's "
        f"tends to 0 (a power that is not admitted shows as its exponent; up to {STEEPEST} is counted as logarithms).",
    ]
    for record in records:
        heads, found = rows_of(record)
        lines += [
            "",
            f"## {heading(record['source'])}: {heading(record['name'])}",
            "",
            f"> {heading(record['says'])}",
            "",
            f"The result is {heading(record['status'])}. Size: {heading(record['size'])}; "
            f"{heading(record['upper']['source'])} suffices, {heading(record['lower']['source'])} is necessary. "
            f"Gap admitted: {'constants' if record['gap'] == '1' else heading(record['gap'])}; "
            f"left out besides: {heading(record['hidden'])}. Here {heading(fixed_words(record))}. "
            f"**{heading(verdict_words(record))}.**",
            "",
            "| " + " | ".join(heading(head).replace("|", "&#124;") for head in heads) + " |",
            "|" + "---:|" * len(heads),
            *("| " + " | ".join(row) + " |" for row in found),
            "",
            f"Upper: {heading(record['upper']['derivation'])}.",
            "",
            f"Lower: {heading(record['lower']['derivation'])}.",
            "",
            f"Reproduce: {code(record['reproduce'])}",
        ]
    return "\n".join(lines) + "\n"


def tightness_figure(records: Sequence[Mapping[str, Any]]) -> Figure:
    """The ratio of the bounds over their parameter, a panel for each claim; dashed: the ratio over the gap."""
    from matplotlib.figure import Figure

    columns = min(2, len(records))
    rows = math.ceil(len(records) / columns)
    figure = Figure(figsize=(5.6 * columns, 3.7 * rows), layout="constrained")
    for place, record in enumerate(records):
        axes = figure.add_subplot(rows, columns, place + 1)
        axes.set_xscale("log")
        axes.set_yscale("log")
        for i, curve in enumerate(dict.fromkeys(each["series"] for each in record["ratios"])):
            own = [each for each in record["ratios"] if each["series"] == curve]
            x = [float(Fraction(each["at"])) for each in own]
            name = "upper / lower" if curve is None else f"{record['series']} = {number(float(Fraction(curve)))}"
            axes.plot(x, [each["ratio"] for each in own], "o-", color=_COLOURS[i], markersize=3.5, label=name)
            if record["gap"] != "1":
                axes.plot(x, [each["excess"] for each in own], "--", color=_COLOURS[i], linewidth=1.2)
        if record["along"] == "accuracy":
            axes.invert_xaxis()
        low, high = axes.get_ylim()
        # a flat ratio must look flat
        axes.set_ylim(*((low / 10, high * 20) if high < 100 * low else (low, high * 5)))
        axes.set_title(f"{record['source']}\n{record['name']}", loc="left", fontsize=10)
        axes.set_xlabel(record["along"])
        gap = "" if record["gap"] == "1" else f"\n(dashed: over {record['gap']})"
        axes.set_ylabel(f"upper / lower bound{gap}", fontsize=9)
        axes.grid(True, linewidth=0.5, alpha=0.6)
        axes.legend(fontsize=8, frameon=False)
    return figure
