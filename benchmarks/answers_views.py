"""The results of `answers.py` as tables and as a plot."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pictures import STYLE, named

from dpcheck.model.verdict.plots import as_svg
from dpcheck.report.inert_markdown import as_cell

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEADINGS_OF_SYNTHETIC = (
    "records",
    "ε",
    "right at least",
    "method",
    "models",
    "cut-off",
    "queries answered",
    "95% interval",
)
HEADINGS_OF_REAL = (
    "dataset", "base learner", "models", "method", "ε", "share right", "95% interval", "queries at the target",
    "final classifier's error",
)  # fmt: skip
#: Those with a line in the plot; the others are in the table.
_DRAWN = {
    "sparse vector, proved noise": ("#2f7ed8", "o", "-"),
    "sparse vector, printed formulas": ("#2f7ed8", "s", (0, (4, 2))),
    "Laplace, advanced": ("#d9661f", "^", "-"),
    "Gaussian, exact": ("#3a9b4b", "D", "-"),
    "Laplace, basic": ("#a06ac4", "v", (0, (2, 2))),
}
_SIZE = (9.6, 4.6)


def synthetic_rows(document: dict[str, Any]) -> list[tuple[str, ...]]:
    """A line for each size, epsilon, target and method."""
    return [
        (
            f"10^{len(str(cell['records'])) - 1}",
            f"{cell['epsilon']:g}",
            f"{cell['accuracy']:g}",
            cell["method"],
            f"{cell['models']:,}" if cell["models"] else "",
            "" if cell["cutoff"] is None else f"{cell['cutoff']:,}",
            "above 100,000 (not computed)" if cell["mean"] is None else _least(cell, document) + _number(cell["mean"]),
            "" if cell["mean"] is None else f"{_number(max(0.0, cell['low']))} to {_number(cell['high'])}",
        )
        for cell in document["synthetic"]
    ]


def _least(cell: dict[str, Any], document: dict[str, Any]) -> str:
    """Where more models, or a larger cut-off, than were tried might answer more."""
    at_the_end = cell["models"] >= document["most_models"] or (cell["cutoff"] or 0) >= document["largest_cutoff"]
    return "at least " if at_the_end else ""


def real_rows(document: dict[str, Any]) -> list[tuple[str, ...]]:
    """A line for each dataset, base learner, number of models, method and epsilon."""
    return [
        (
            cell["dataset"],
            cell["base"],
            f"{cell['models']}" if cell["models"] else "",
            cell["method"],
            "" if cell["epsilon"] is None else f"{cell['epsilon']:g}",
            f"{cell['share']:.3f}",
            f"{max(0.0, cell['share_low']):.3f} to {cell['share_high']:.3f}",
            _with_interval(cell, "queries", _number),
            _with_interval(cell, "final_error", lambda value: f"{value:.3f}"),
        )
        for cell in document["real"]
    ]


def _with_interval(cell: dict[str, Any], name: str, write: Any) -> str:
    if name not in cell:
        return ""
    low, high = max(0.0, cell[f"{name}_low"]), cell[f"{name}_high"]
    return write(cell[name]) if low == high else f"{write(cell[name])} ({write(low)} to {write(high)})"


def _number(value: float) -> str:
    return (
        f"{value:,.1f}" if value < 100 and value != round(value) else f"{value:,.0f}" if value < 1e7 else f"{value:.3g}"
    )


def winners(document: dict[str, Any]) -> list[str]:
    """For each target the sizes at which alg-2 with proved noise answers more than a composition, on average."""
    lines = []
    cells = [cell for cell in document["synthetic"] if cell["epsilon"] == document["curve"]]
    for accuracy in sorted({cell["accuracy"] for cell in cells}):
        means = {(cell["records"], cell["method"]): cell["mean"] for cell in cells if cell["accuracy"] == accuracy}
        sizes = sorted({records for records, _ in means})
        said = []
        for other in ("Laplace, basic", "Laplace, advanced", "Gaussian, advanced", "Gaussian, exact"):
            ahead = [n for n in sizes if means[n, "sparse vector, proved noise"] > means[n, other]]
            said.append(f"{other}: {', '.join(f'10^{len(str(n)) - 1}' for n in ahead) or 'none'}")
        lines.append(f"- {accuracy:g} right: {'; '.join(said)}.")
    return lines


def render(document: dict[str, Any]) -> str:
    """The report as Markdown."""
    judged = [
        f"- {rule['rule']}: at most {rule['worst']:.3g} in {rule['judged']:,} cases: {rule['verdict']}"
        for rule in document["rules"]
    ]
    digits, cancer = document["parts"]["digits"], document["parts"].get("breast cancer", [0, 0])
    sparse = [cell for cell in document["real"] if cell["method"].startswith("sparse")]
    most = max((cell["share"] for cell in sparse), default=0.0)
    small = max((cell["share"] for cell in sparse if cell["epsilon"] <= 2), default=0.0)
    lines = [
        "# Queries answered at equal privacy and accuracy",
        "",
        "![Queries answered against the number of records](answers.svg)",
        "",
        f"Written by `{document['command']}` (seed {document['seed']}, {document['seconds']:.0f} s). Public queries "
        "are answered by the votes of models trained on disjoint chunks of private records (bassily2018). The sparse "
        "vector (alg-2) answers where models agree and pays for abstentions; a noisy majority answers and pays for "
        "every query. Privacy is a proved (ε, δ) under adding or removing a record, the same for all. Accuracy is the "
        "expected share of the queries asked that are answered rightly: abstentions, and queries after the last of "
        f"them, are not. An interval is Student's t for the mean over {document['repetitions']} independent "
        f"repetitions, at {document['level']:.0%}, each by itself, cut off at 0.",
        "",
        "Rules, theorems all: each is kept where the number is at most 0, but for rounding.",
        "",
        *judged,
        "",
        "## Synthetic: one-sided thresholds",
        "",
        f"The largest number of queries at the target, δ = {document['synthetic_delta']:g}. Votes are drawn by their "
        "law (order statistics), shares computed. Models and cut-off are those that answer most on one draw; the "
        'means and intervals are of fresh ones. "At least" stands where the choice is the largest that was tried '
        f"({document['most_models']:,} models, cut-off {document['largest_cutoff']:,}). Loss distributions of more "
        'than 100,000 Laplace answers were not computed; "Gaussian, exact" is what those of Gaussian noise come to '
        "within 4e-5. The printed formulas, which take the number of queries, are those for a million.",
        "",
        f"At ε = {document['curve']:g} the sparse vector with proved noise answers more queries, by its mean, than "
        "each of these at so many records (of those tried):",
        "",
        *winners(document),
        "",
        "The paper's comparison is with advanced composition; exact composition of Gaussian noise, which is newer, "
        "asks for a far smaller error of the models before the sparse vector answers more.",
        "",
        *_table(HEADINGS_OF_SYNTHETIC, synthetic_rows(document)),
        "",
        "## Real data",
        "",
        f"Digits: {digits[0]} private and {digits[1]} public records; breast cancer: {cancer[0]} and {cancer[1]}; the "
        f'rest is for tests. δ = {document["real_delta"]:g}. "Share right" is of the first {document["asked"]} public '
        'records as queries; "queries at the target" is how many could be asked before it falls below '
        f"{document['target']:g}. The last column is the test error of a classifier trained on all public points with "
        "such labels (alg-3 for the sparse vector, a coin where it gives none). Of the sparse vector's cut-offs the "
        "best is shown, in its favour; 0-private is the best single label, known afterwards.",
        "",
        "On data as small as these the sparse vector answers next to nothing: its threshold is near or above what the "
        "first label of so few models can lead by, and an early abstention ends it. Up to ε = 2 its share is at most "
        f"{small:.3f}, at ε = 8 at most {most:.3f}, whatever the number of "
        "models. The printed formulas ask for more models than there are records, and are not run.",
        "",
        *_table(HEADINGS_OF_REAL, real_rows(document)),
        "",
    ]
    return "\n".join(lines)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    whole = [headings, ("---",) * len(headings), *(map(as_cell, row) for row in rows)]
    return ["| " + " | ".join(row) + " |" for row in whole]


def digest(document: dict[str, Any]) -> str:
    """A name for the numbers that a plot was made of."""
    drawn = [
        [cell[name] for name in ("records", "epsilon", "accuracy", "method", "mean", "low", "high")]
        for cell in document["synthetic"]
    ]
    return hashlib.sha256(json.dumps(drawn).encode()).hexdigest()


def svg(document: dict[str, Any]) -> str:
    """Queries answered against records, a panel for each target, for light and dark pages; it names its numbers."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    cells = [cell for cell in document["synthetic"] if cell["epsilon"] == document["curve"]]
    targets = sorted({cell["accuracy"] for cell in cells})
    with rc_context(STYLE):
        figure = Figure(figsize=_SIZE, layout="constrained")
        panels = figure.subplots(1, len(targets), sharey=True, squeeze=False)[0]
        for axes, target in zip(panels, targets, strict=True):
            _draw(axes, [cell for cell in cells if cell["accuracy"] == target])
            axes.set_title(f"at least {target:g} right", loc="left", fontsize=11.5)
        panels[0].set_ylabel(f"queries answered at ε = {document['curve']:g}")
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
        text = as_svg(figure)
    return named(text, "Queries answered against the number of private records", digest(document))


def _draw(axes: Axes, cells: Sequence[dict[str, Any]]) -> None:
    for method, (colour, marker, line) in _DRAWN.items():
        some = [cell for cell in cells if cell["method"] == method]
        # what answers nothing stands at the bottom: the axis is linear below 1
        axes.plot(
            [cell["records"] for cell in some], [cell["mean"] for cell in some], color=colour, marker=marker,
            linestyle=line, markersize=4.5, linewidth=1.4, label=method,
        )  # fmt: skip
        axes.fill_between(
            [cell["records"] for cell in some], [max(0.0, cell["low"]) for cell in some],
            [cell["high"] for cell in some], color=colour, alpha=0.2, linewidth=0,
        )  # fmt: skip
    axes.set_xscale("log")
    axes.set_yscale("symlog", linthresh=1)
    axes.set_ylim(-0.1, None)
    axes.set_yticks(
        [0, *(10**power for power in range(0, 10))], ["0", "1", *(f"$10^{power}$" for power in range(1, 10))]
    )
    axes.set_xlabel("private records")
    axes.minorticks_off()
    axes.grid(True, axis="y", linewidth=0.6)
    axes.set_axisbelow(True)
