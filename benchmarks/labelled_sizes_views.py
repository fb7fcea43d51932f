"""The results of `labelled_sizes.py` as tables and as a plot."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pictures import INK, QUIET, STYLE, named
from real_data_views import _COLOURS

from dpcheck.model.verdict.plots import as_svg
from dpcheck.report.inert_markdown import as_cell

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEADINGS = (
    "distribution", "d", "learner", "labelled", "95% interval", "total", "theorem: labelled", "theorem: total",
)  # fmt: skip
_STEPS = ("step", "rate", "epsilon", "delta, multiple", "printed epsilon", "printed delta, multiple")
_BOOSTS = ("d", "labelled", "iterations", "unlabelled", "records for the base", "base epsilon", "claim")
_CURVES = ("d", "learner", "epsilon", "labelled", "total", "value", "95% interval")
#: Inches.
_SIZE = (9.6, 4.4)
_MARKERS, _THREE = ("o", "s", "^"), (*_COLOURS, "#3a9d5d")
#: Bars of several learners at one place stand beside each other.
_APART = 0.35
#: The epsilon of the real data that is drawn.
_DRAWN_EPSILON = 1


def rows(cells: Sequence[dict[str, Any]]) -> list[tuple[str, ...]]:
    """A line of the table for each cell."""
    made = []
    for cell in cells:
        if "labelled" in cell:
            at_most = "at most " if cell["at_most"] else ""
            measured = (
                f"{at_most}{cell['labelled']:,.0f}",
                "" if at_most else f"{cell['labelled_low']:,.0f} to {cell['labelled_high']:,.0f}",
                f"{cell['total']:,.0f}",
            )
        else:
            measured = ("not reached", "", "")
        promised = (f"{cell['theorem_labelled']:,}", f"{cell['theorem_total']:.3g}")
        made.append((cell["distribution"], str(cell["bits"]), cell["learner"], *measured, *promised))
    return made


def _table(headings: Sequence[str], lines: Sequence[Sequence[str]]) -> list[str]:
    table = [headings, ("---",) * len(headings), *(map(as_cell, line) for line in lines)]
    return ["| " + " | ".join(line) + " |" for line in table]


def _steps(document: dict[str, Any]) -> list[tuple[str, ...]]:
    return [
        (
            each["step"],
            "" if each["rate"] is None else f"{each['rate']:.6f}",
            f"{each['epsilon']:.5f}",
            f"{each['delta_factor']:.3g}",
            each["printed_epsilon"],
            f"{each['printed_delta_factor']:,}",
        )
        for each in document["steps"]
    ]


def _boosts(document: dict[str, Any]) -> list[tuple[str, ...]]:
    return [
        (
            str(each["bits"]),
            f"{each['labelled']:,}",
            str(each["iterations"]),
            f"{each['unlabelled']:,}",
            f"{each['given_to_base']:,}",
            f"{each['base_epsilon']:.4f}",
            f"{each['claim']:.5f}",
        )
        for each in document["boosts"]
    ]


def _real(document: dict[str, Any]) -> list[tuple[str, ...]]:
    return [
        (
            cell["learner"],
            f"{cell['epsilon']:g}",
            f"{cell['labelled']:,}",
            f"{cell['total']:,}",
            f"{cell['value']:.4f}",
            f"{max(0.0, cell['value_low']):.4f} to {cell['value_high']:.4f}",
        )
        for cell in document["curves"]
        if not cell["bits"]
    ]


def _meeting(document: dict[str, Any]) -> str:
    """Where the base learner's labels meet LabelBoost's on the skewed distribution, were both to go on as they do."""
    found = {(c["learner"], c["bits"]): c["labelled"] for c in document["cells"] if c["distribution"] == "skewed"}
    base, _, boost = document["learners"]
    low, high = sorted({bits for _, bits in found})[-2:]
    slopes = [(found[each, high] - found[each, low]) / (high - low) for each in (base, boost)]
    bits = high + (found[boost, high] - found[base, high]) / (slopes[0] - slopes[1])
    return f"going on as from d = {low} to {high} the two would meet at d = {bits:.0f} on the skewed distribution. "


def render(document: dict[str, Any]) -> str:
    """The report as Markdown."""
    base, generic, boost = document["learners"]
    judged = [f"- {rule['rule']}: at most {rule['worst']:.3g}: {rule['verdict']}" for rule in document["rules"]]
    crossed = document["crossing"]
    lines = [
        "# How many labels private learners need",
        "",
        "![Labelled sizes against d, and error on real data](labelled_sizes.svg)",
        "",
        f"Written by `{document['command']}` (seed {document['seed']}, {document['seconds']:.0f} s). Thresholds over "
        f"{{0,1}}^d, error above {document['accuracy']:g} with probability at most {document['failure']:g}, all "
        f"learners {document['epsilon']}-DP under beimel2015's replaced entry.",
        "",
        f"- **{base}**: the exponential mechanism over the whole class (beimel2015:alg-5); every example has a label.",
        f"- **{generic}**: chooses among the dichotomies of {document['points']} sanitised points, with as many "
        "unlabelled examples as bring the sanitiser's error to the accuracy by its theorem (thm-A.3).",
        f"- **{boost}**: rates {document['rate']} in place of 1/100 and 1/300, the largest base epsilon that keeps the "
        "claim computed for its sizes (the table below), and the loosest length of T that step 2b has.",
        "",
        "Uniform: x uniform, the target in the middle. Skewed: x uniform on the ten smallest points, so that nearly "
        "all hypotheses err by the same 0.2: the choice among 2^d of them then costs labels that grow with d. The "
        "failure at a size is the mean over datasets of the probability given the dataset, from the laws of the "
        "choices. A repetition's labelled size is where its failure falls to the level for good, interpolated between "
        f"sizes half a doubling apart; an interval is Student's t ({document['level']:.0%}) for the mean logarithm "
        f'over {document["repetitions"]} repetitions. LabelBoost\'s loop does not end below some size: "at most" '
        'stands before it where that is already enough. "Theorem" are sizes with which the papers\' theorems promise '
        "the same (thm-3.3, lem-4.12 with the paper's constants, prop-A.1).",
        "",
        *_table(HEADINGS, rows(document["cells"])),
        "",
        f"By the theorems LabelBoost needs {crossed['labelled']:,} labels whatever d is, and the base learner "
        f"{crossed['per_bit']:.1f} for each bit: LabelBoost pays from about d = {crossed['bits']:,.0f} on, and with so "
        f"many labels its loop runs at all from about d = {crossed['loop_bits']:,.0f} on (below, m is already 300 n). "
        f"As measured it needs more labels than the base learner at every d tried; {_meeting(document)}GenericLearner "
        "is flat too, and below both on the skewed distribution, for many more unlabelled examples.",
        "",
        "## Rules",
        "",
        "Theorems all: each is kept where the number is at most 0, but for rounding.",
        "",
        *judged,
        "",
        "## LabelBoost as it was run",
        "",
        *_table(_BOOSTS, _boosts(document)),
        "",
        "## The privacy of LabelBoost with the paper's constants",
        "",
        "The claims along its steps for a (1, delta) base learner with n = 10^1000, from the base learner outwards, "
        "beside those that lem-4.6 prints. Delta as a multiple of the base learner's.",
        "",
        *_table(_STEPS, _steps(document)),
        "",
        "## Real data",
        "",
        'scikit-learn\'s breast cancer data, "mean radius" (the first column) on 2^10 values of the public range 0 to '
        "32: expected test error, 400 training and 169 test records, five splits. LabelBoost does not fit: "
        f'"{document["refused"]}".',
        "",
        *_table(_CURVES[1:], _real(document)),
        "",
    ]
    return "\n".join(lines)


def digest(document: dict[str, Any]) -> str:
    """A name for the numbers that a plot was made of."""
    drawn = [
        [cell.get(name) for name in ("labelled", "labelled_low", "labelled_high", "total")]
        for cell in document["cells"]
    ]
    drawn += [[cell["value"], cell["value_low"], cell["value_high"]] for cell in document["curves"] if not cell["bits"]]
    return hashlib.sha256(json.dumps(drawn).encode()).hexdigest()


def svg(document: dict[str, Any]) -> str:
    """Labelled sizes against d for both distributions, and test error on real data; it names the numbers it shows."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        figure = Figure(figsize=_SIZE, layout="constrained")
        uniform, skewed, real = figure.subplots(1, 3)
        skewed.sharey(uniform)
        for axes, name in ((uniform, "uniform"), (skewed, "skewed")):
            _sizes(axes, [cell for cell in document["cells"] if cell["distribution"] == name], document)
            axes.set_title(f"{name}: thresholds over {{0,1}}ᵈ", loc="left", fontsize=11)
        skewed.tick_params(labelleft=False)
        uniform.set_ylabel("examples needed (logarithmic)")
        _errors(real, [cell for cell in document["curves"] if not cell["bits"]], document)
        handles, names = uniform.get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=4)
        text = as_svg(figure)
    return named(text, "Labelled sizes against d, and error on real data", digest(document))


def _sizes(axes: Axes, cells: Sequence[dict[str, Any]], document: dict[str, Any]) -> None:
    for place, learner in enumerate(document["learners"]):
        some = [cell for cell in cells if cell["learner"] == learner and "labelled" in cell]
        x = [cell["bits"] + _APART * (place - 1) for cell in some]
        y = [cell["labelled"] for cell in some]
        bars = (
            [cell["labelled"] - cell["labelled_low"] for cell in some],
            [cell["labelled_high"] - cell["labelled"] for cell in some],
        )
        axes.errorbar(
            x, y, yerr=bars, color=_THREE[place], marker=_MARKERS[place], markersize=5, capsize=3, linewidth=1.4,
            label=learner,
        )  # fmt: skip
        if place:
            axes.plot(x, [cell["total"] for cell in some], color=_THREE[place], linestyle=(0, (2, 2)), linewidth=1.1)
    axes.plot([], [], color=QUIET, linestyle=(0, (2, 2)), linewidth=1.1, label="with unlabelled ones")
    axes.set_yscale("log")
    axes.set_xticks(sorted({cell["bits"] for cell in cells if cell["bits"] != 12 and cell["bits"] != 16}))
    axes.set_xlabel("d")
    axes.grid(True, axis="y", linewidth=0.6)
    axes.set_axisbelow(True)


def _errors(axes: Axes, cells: Sequence[dict[str, Any]], document: dict[str, Any]) -> None:
    for place, learner in enumerate(document["learners"][:2]):
        some = [cell for cell in cells if cell["learner"] == learner and cell["epsilon"] == _DRAWN_EPSILON]
        y = [cell["value"] for cell in some]
        bars = (
            [cell["value"] - max(0.0, cell["value_low"]) for cell in some],
            [cell["value_high"] - cell["value"] for cell in some],
        )
        axes.errorbar(
            [cell["labelled"] * 1.05 ** (2 * place - 1) for cell in some], y, yerr=bars, color=_THREE[place],
            marker=_MARKERS[place], markersize=5, capsize=3, linewidth=1.4,
        )  # fmt: skip
    axes.set_xscale("log")
    ticks = sorted({cell["labelled"] for cell in cells})
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.minorticks_off()
    axes.set_ylim(0, None)
    axes.set_xlabel("labelled examples")
    axes.set_ylabel("expected test error")
    axes.set_title(f"breast cancer, ε = {_DRAWN_EPSILON}", loc="left", fontsize=11, color=INK)
    axes.grid(True, axis="y", linewidth=0.6)
    axes.set_axisbelow(True)
