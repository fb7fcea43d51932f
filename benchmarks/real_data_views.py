"""The results of `real_data.py` as a table and as a plot."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pictures import QUIET, STYLE, named

from dpcheck.model.verdict.plots import as_svg
from dpcheck.report.inert_markdown import as_cell

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEADINGS = (
    "class", "learner", "epsilon", "test error", "95% interval", "above ERM", "95% interval", "sd of a draw",
    "candidates", "mistakes on private",
)  # fmt: skip
#: Inches.
_SIZE = (9.0, 4.4)
_COLOURS = ("#2f7ed8", "#d9661f")
_LINES = ((0, (6, 2)), (0, (3, 2)), (0, (1, 2)))
_MARKERS = ("o", "s")
#: Intervals of two learners at one epsilon stand beside each other: by this factor of epsilon.
_APART = 1.09
#: Test errors: the axis is logarithmic, for the uniform choice is far from all others.
_TICKS, _LOWEST = (0.1, 0.15, 0.2, 0.3, 0.5), 0.07


def rows(cells: Sequence[dict[str, Any]]) -> list[tuple[str, ...]]:
    """A line of the table for each cell."""
    return [
        (
            cell["family"],
            cell["learner"],
            "" if cell["epsilon"] is None else f"{cell['epsilon']:g}",
            f"{cell['test_error']:.4f}",
            f"{cell['test_error_low']:.4f} to {cell['test_error_high']:.4f}",
            *_above(cell),
            f"{cell['deviation_of_a_draw']:.4f}",
            _range(cell["candidates"]),
            f"{sum(cell['mistakes']) / len(cell['mistakes']):.1f}",
        )
        for cell in cells
    ]


def _above(cell: dict[str, Any]) -> tuple[str, str]:
    """Its test error less the minimiser's on the same split; nothing for the minimiser."""
    low, high = cell["above_minimiser_low"], cell["above_minimiser_high"]
    if low == high == 0:
        return "", ""
    return f"{cell['above_minimiser']:+.4f}", f"{low:+.4f} to {high:+.4f}"


def _range(counts: Sequence[int]) -> str:
    low, high = min(counts), max(counts)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def render(document: dict[str, Any]) -> str:
    """The report as Markdown."""
    sizes = f"{document['public']} public, {document['private']} private and {document['test']} test records"
    judged = [f"- {rule['rule']}: at most {rule['worst']:.3g}: {rule['verdict']}" for rule in document["rules"]]
    table = [HEADINGS, ("---",) * len(HEADINGS), *(map(as_cell, row) for row in rows(document["cells"]))]
    lines = [
        "# What privacy costs on real data",
        "",
        "![Expected test error against epsilon](real_data.svg)",
        "",
        f"Written by `{document['command']}` (seed {document['seed']}, {document['seconds']:.0f} s). scikit-learn's "
        f"breast cancer data, features {' and '.join(map(repr, document['features']))}: the first two columns, chosen "
        f"before looking, times {document['scale']}, which makes them whole numbers. Each of {document['repetitions']} "
        f"repetitions splits the records by a fresh permutation into {sizes}; all learners see the same splits.",
        "",
        "- **label-private (A2)**, chaudhuri2011:alg-2: the private records, their features public, their labels "
        f"private. Its candidates are a net of radius {document['accuracy']:g}/4 under their features.",
        "- **semi-private (A_SSPP)**, alon2019:alg-1: the private records, private as a whole, and the features of the "
        "public ones. Its candidates are one hypothesis for each dichotomy of the public features.",
        "- **not private (ERM)**: the fewest mistakes on the private records; **public part alone (ERM)**: on the "
        "public records, the only learner that is given their labels; **0-private (uniform)**: any of the semi-private "
        "learner's candidates, equally likely, of which nearly each has its complement among them. Ties are equally "
        "likely too.",
        "",
        "Every learner declares its law: the expected test error of a split is computed from it, mistakes by exact "
        "counts, and nothing is drawn. Only the split is random. An interval is Student's t for the mean over "
        f"{document['repetitions']} independent splits, at {document['level']:.0%}, each by itself; it covers the mean "
        "over all splits of these records, not the error on other patients. What a learner has above ERM is taken "
        "split by split, for what makes a split easy is common to both. The standard deviation is that of one "
        "draw from the law (root of the mean variance over splits). The last column is the expected number of mistakes "
        f"on the {document['private']} private records.",
        "",
        "Rules, theorems all: each is kept where the number is at most 0, but for rounding.",
        "",
        *judged,
        "",
        *("| " + " | ".join(row) + " |" for row in table),
        "",
    ]
    return "\n".join(lines)


def digest(document: dict[str, Any]) -> str:
    """A name for the numbers that a plot was made of."""
    drawn = [
        [cell[name] for name in ("family", "learner", "epsilon", "test_error", "test_error_low", "test_error_high")]
        for cell in document["cells"]
    ]
    return hashlib.sha256(json.dumps(drawn).encode()).hexdigest()


def svg(document: dict[str, Any]) -> str:
    """Test error against epsilon, a panel for each class, for light and dark pages; it names the numbers it shows."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    families = list(dict.fromkeys(cell["family"] for cell in document["cells"]))
    with rc_context(STYLE):
        figure = Figure(figsize=_SIZE, layout="constrained")
        panels = figure.subplots(1, len(families), sharey=True, squeeze=False)[0]
        for axes, family in zip(panels, families, strict=True):
            _draw(axes, [cell for cell in document["cells"] if cell["family"] == family], document)
            axes.set_title(family, loc="left", fontsize=11.5)
        panels[0].set_ylabel("expected test error (logarithmic)")
        handles = dict(zip(*reversed(panels[0].get_legend_handles_labels()), strict=True))
        names = [*_learners(document["cells"]), *document["baselines"]]
        figure.legend([handles[name] for name in names], names, loc="outside lower center", ncols=3)
        text = as_svg(figure)
    return named(text, "Expected test error against epsilon", digest(document))


def _learners(cells: Sequence[dict[str, Any]]) -> list[str]:
    """Those with an epsilon, in their order."""
    return list(dict.fromkeys(cell["learner"] for cell in cells if cell["epsilon"] is not None))


def _draw(axes: Axes, cells: Sequence[dict[str, Any]], document: dict[str, Any]) -> None:
    for place, learner in enumerate(_learners(cells)):
        some = [cell for cell in cells if cell["learner"] == learner]
        x = [cell["epsilon"] * _APART ** (2 * place - 1) for cell in some]
        y = [cell["test_error"] for cell in some]
        below = [cell["test_error"] - max(cell["test_error_low"], _LOWEST / 2) for cell in some]
        above = [cell["test_error_high"] - cell["test_error"] for cell in some]
        axes.errorbar(
            x, y, yerr=(below, above), color=_COLOURS[place], marker=_MARKERS[place], markersize=5, capsize=3,
            linewidth=1.4, label=learner,
        )  # fmt: skip
    for place, name in enumerate(document["baselines"]):
        (cell,) = [cell for cell in cells if cell["learner"] == name]
        axes.axhline(cell["test_error"], color=QUIET, linestyle=_LINES[place], linewidth=1.4, label=name)
    axes.set_xscale("log")
    axes.set_xticks(document["epsilons"], [f"{epsilon:g}" for epsilon in document["epsilons"]])
    axes.set_xlabel(f"ε (bars: {document['level']:.0%} for the mean over splits)")
    axes.set_yscale("log")
    axes.set_ylim(_LOWEST, None)
    axes.set_yticks(_TICKS, [f"{tick:g}" for tick in _TICKS])
    axes.minorticks_off()
    axes.grid(True, axis="y", linewidth=0.6)
    axes.set_axisbelow(True)
