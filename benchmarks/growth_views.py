"""The results of `growth.py` as tables and as a plot."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pictures import INK, QUIET, STYLE, named

from dpcheck.model.verdict.plots import as_svg
from dpcheck.report.inert_markdown import as_cell

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: What each curve grows with, and its words.
CURVES = {"outputs": "outputs of one number", "coordinates": "numbers in each of 10,000 outputs", "pairs": "pairs"}
_COLOURS = {"measure": "#2f6fb3", "audit": "#b3562f", "jax-privacy": "#7a7a7a"}
_STYLES = {"now": "-", "before": "--"}
#: Inches.
_SIZE = (10.8, 6.2)
_HEADINGS = ("door", "size", "before: seconds", "now: seconds", "times", "an output, µs", "before: MiB", "now: MiB")


def _rows_of(document: dict[str, Any], curve: str) -> list[tuple[str, ...]]:
    found: dict[tuple[str, Any], dict[str, dict[str, Any]]] = {}
    for row in document["rows"]:
        if row["curve"] == curve:
            size = row["form"] if curve == "forms" else row[curve]
            found.setdefault((row["door"], size), {})[row["version"]] = row
    lines = []
    for (door, size), versions in found.items():
        now, before = versions["now"], versions.get("before", {})
        ratio = f"{before['own'] / now['own']:.1f}" if "own" in before and "own" in now else ""
        lines.append(
            (
                door,
                size if isinstance(size, str) else f"{size:,}",
                _seconds(before),
                _seconds(now),
                ratio,
                f"{now['own'] / now['outputs'] * 1e6:.3g}" if "own" in now else "",
                _mebibytes(before),
                _mebibytes(now),
            )
        )
    return lines


def _seconds(row: dict[str, Any]) -> str:
    if "own" in row:
        return f"{row['own']:.2f}"
    if not row:
        return "not run"
    return "more than 4 GiB" if any("out_of_memory" in run for run in row["runs"]) else "given up"


def _mebibytes(row: dict[str, Any]) -> str:
    return f"{row['peak'] / 2**20:,.0f}" if "own" in row else ""


def _table(headings: Sequence[str], lines: Sequence[Sequence[str]]) -> list[str]:
    table = [headings, ("---",) * len(headings), *(tuple(map(as_cell, line)) for line in lines)]
    return ["| " + " | ".join(line) + " |" for line in table]


def render(document: dict[str, Any]) -> str:
    """The report as Markdown."""
    rules = [
        f"- 10,000 outputs of {rule['coordinates']:,} numbers, `measure`: at most {rule['most']:g} s, "
        f"{'not finished' if rule['own'] is None else format(rule['own'], '.2f') + ' s'}: {rule['verdict']}"
        for rule in document["rules"]
    ]
    peers = [(f"{row['outputs']:,}", f"{row['own']:.3f}", f"{row['peak'] / 2**20:,.0f}") for row in document["peers"]]
    lines = [
        "# How the harness's own cost grows",
        "",
        "![Own seconds and memory by outputs, coordinates and pairs](growth.svg)",
        "",
        f"Written by `{document.get('earlier', document['command'])}` (seed {document['seed']}, "
        f"{document['seconds']:.0f} s, on a machine that "
        "did other things too). Processor seconds of the harness without those of the learner, in one process with one "
        "thread; memory is the peak of the process, of which it may have 4 GiB. Medians of three runs (one where it "
        "takes more than 2 s), the versions in turn.",
        *(["", document["note"]] if document.get("note") else []),
        "",
        *rules,
    ]
    for curve, words in CURVES.items():
        lines += ["", f"## By {words}", "", *_table(_HEADINGS, _rows_of(document, curve))]
    lines += ["", "## 10,000 outputs of other forms", "", *_table(_HEADINGS, _rows_of(document, "forms"))]
    if peers:
        lines += [
            "",
            "## jax-privacy",
            "",
            "Its bound (Clopper-Pearson, all thresholds) on scores that are there already: it is told what a score is.",
            "",
            *_table(("outputs", "seconds", "MiB"), peers),
        ]
    return "\n".join(lines) + "\n"


def digest(document: dict[str, Any]) -> str:
    """The digest of the numbers that are drawn."""
    drawn = [document["rows"], document["peers"]]
    return hashlib.sha256(json.dumps(drawn, sort_keys=True).encode()).hexdigest()


def plot(document: dict[str, Any], numbers: str) -> str:
    """The curves as an SVG: seconds above, memory below."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({**STYLE, "svg.hashsalt": "growth"}):
        figure = Figure(figsize=_SIZE, layout="constrained")
        axes = figure.subplots(2, len(CURVES), sharex="col")
        for column, (curve, words) in enumerate(CURVES.items()):
            for row, (key, label, scale) in enumerate((("own", "own seconds", 1.0), ("peak", "peak MiB", 2.0**-20))):
                ax = axes[row][column]
                _draw(ax, document, curve, key, scale)
                if column == 0:
                    ax.set_ylabel(label)
                if row:
                    ax.set_xlabel(words)
        lines, labels = axes[0][0].get_legend_handles_labels()
        figure.legend(lines, labels, loc="outside upper center", ncols=len(labels), fontsize=8.5)
        return named(as_svg(figure), "How the harness's own cost grows", numbers)


def _draw(ax: Axes, document: dict[str, Any], curve: str, key: str, scale: float) -> None:
    series: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for row in document["rows"]:
        if row["curve"] == curve and key in row:
            series.setdefault((row["door"], row["version"]), []).append((row[curve], row[key] * scale))
    for row in document["peers"]:
        if row["curve"] == curve:
            series.setdefault((row["door"], "now"), []).append((row[curve], row[key] * scale))
    for (door, version), points in series.items():
        label = door if version == "now" else f"{door}, before"
        x, y = zip(*sorted(points), strict=True)
        ax.plot(x, y, _STYLES[version], color=_COLOURS[door], marker="o", markersize=3.5, label=label)
    ax.set_xscale("log")
    if key == "own":
        ax.set_yscale("log")
    else:
        ax.set_ylim(bottom=0.0)  # memory hardly grows with some: a logarithm of hundredths would look as if it did
    ax.grid(True, alpha=0.6)
    ax.tick_params(colors=QUIET, labelcolor=INK)
