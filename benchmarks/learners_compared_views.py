"""The results of `learners_compared.py` as tables, as a decision table, as sentences and as a plot."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from learners_compared_decisions import NO_DIFFERENCE, Between, Decision, Interval, between, decide, difference
from pictures import INK, QUIET, STYLE, named

from dpcheck.model.verdict.plots import as_svg
from dpcheck.report.inert_markdown import as_cell

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEADINGS = (
    "data", "epsilon", "take", "test error", "next best", "next has more", "told apart", "not told from the best",
    "public part alone", "majority class",
)  # fmt: skip
_GROUPS = ("data", "epsilon", "best of dpcheck", "best elsewhere", "dpcheck has less", "dpcheck is")
_LEARNERS = ("learner", "from", "protects", "guarantee", "test errors", "settings, by epsilon")
#: What is asked to be protected: what a learner may protect then, the largest delta, and how it is said.
SCOPES: dict[str, tuple[tuple[str, ...], float, str]] = {
    "records": (("records",), 1.0, "Records as a whole"),
    "pure": (("records",), 0.0, "Records as a whole, without a delta"),
    "labels": (("labels", "records"), 1.0, "Labels alone, features are public"),
}
#: Inches.
_SIZE = (12.0, 8.2)
_WARM = ("#d9661f", "#a83232", "#c49a00", "#c2417f", "#7a4a1e")
_COLD = ("#2f7ed8", "#17a2a2", "#8a949e", "#6f5bd6", "#2d4f8f", "#1f9d3a", "#5aa9e6")
#: Learners at one epsilon stand beside each other: each by this factor of epsilon from the next.
_APART = 1.045
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_LINES = {"logistic regression": "-", "public part alone, logistic": "--", "majority class": ":"}
_PUBLIC_ALONE, _MAJORITY = "public part alone, logistic", "majority class"


# --- what the numbers say


def errors(
    document: dict[str, Any], dataset: str, epsilon: float | None, names: Sequence[str]
) -> dict[str, list[float]]:
    """The test errors of some learners at an epsilon, by split."""
    return {
        cell["learner"]: cell["test_errors"]
        for cell in document["cells"]
        if cell["dataset"] == dataset and cell["epsilon"] == epsilon and cell["learner"] in names
    }


def candidates(document: dict[str, Any], scope: str, group: str | None = None) -> list[str]:
    """The private learners that protect what is asked, of a group or of both."""
    return [
        learner["name"]
        for learner in document["learners"]
        if learner["group"] != "not private"
        and learner["protects"] in SCOPES[scope][0]
        and learner["delta"] <= SCOPES[scope][1]
        and group in (None, learner["group"])
    ]


def decisions(document: dict[str, Any], scope: str) -> dict[tuple[str, float], Decision]:
    """Which learner to take, by data set and epsilon."""
    names = candidates(document, scope)
    return {
        (each["name"], epsilon): decide(errors(document, each["name"], epsilon, names))
        for each in document["datasets"]
        for epsilon in document["epsilons"]
    }


def leads(document: dict[str, Any], scope: str) -> dict[tuple[str, float], Between]:
    """The best of dpcheck's learners beside the best of the others, by data set and epsilon."""
    ours, theirs = (candidates(document, scope, group) for group in ("dpcheck", "elsewhere"))
    return {
        (each["name"], epsilon): between(
            errors(document, each["name"], epsilon, ours), errors(document, each["name"], epsilon, theirs)
        )
        for each in document["datasets"]
        for epsilon in document["epsilons"]
    }


def summary(document: dict[str, Any]) -> list[str]:
    """Sentences on where dpcheck's learners lead, where they are behind, and what all of them are worth."""
    said = []
    for scope in SCOPES:
        found = leads(document, scope)
        for epsilon in document["epsilons"]:
            words: dict[str, list[str]] = {word: [] for word in ("ahead", "behind", NO_DIFFERENCE)}
            for (dataset, at), one in found.items():
                if at == epsilon:
                    words[one.word].append(dataset)
            said.append(
                f"- {SCOPES[scope][2]}, ε = {epsilon:g}: dpcheck's best is ahead of the best elsewhere on "
                f"{_listed(words['ahead'])}, behind on {_listed(words['behind'])}; {NO_DIFFERENCE} on "
                f"{_listed(words[NO_DIFFERENCE])}."
            )
    for epsilon in document["epsilons"]:
        above = {
            name: [each["name"] for each in document["datasets"] if _beaten(document, each["name"], epsilon, name)]
            for name in (_PUBLIC_ALONE, _MAJORITY)
        }
        said.append(
            f"- ε = {epsilon:g}: the best private learner of records as a whole is seen to have a smaller error than "
            f"the public part alone, with its labels, on {_listed(above[_PUBLIC_ALONE])}; than the majority class on "
            f"{_listed(above[_MAJORITY])}."
        )
    return said


def _beaten(document: dict[str, Any], dataset: str, epsilon: float, name: str) -> bool:
    """Whether the best private learner is seen to have a smaller error than one without an epsilon."""
    found = errors(document, dataset, epsilon, candidates(document, "records"))
    return difference(errors(document, dataset, None, [name])[name], found[decide(found).best]).low > 0


def _listed(names: Sequence[str]) -> str:
    return f"{len(names)} ({', '.join(names)})" if names else "none"


def without_privacy(document: dict[str, Any]) -> str:
    """A sentence on what privacy, and the small class, cost on the first data set."""
    dataset = document["datasets"][0]["name"]
    plain, stump = (
        Interval.of(next(iter(errors(document, dataset, None, [name]).values())))
        for name in ("logistic regression", "best stump")
    )
    ours = candidates(document, "records", "dpcheck")
    of_stumps = [name for name in ours if "stumps" in name]
    means = [
        float(np.mean(some))
        for epsilon in document["epsilons"]
        for some in errors(document, dataset, epsilon, of_stumps).values()
    ]
    return (
        f"On {dataset} logistic regression without privacy has a test error of {plain.mean:.3f}, where dpcheck's "
        f"stumps stand at {min(means):.3f} to {max(means):.3f} and the best stump without privacy at {stump.mean:.3f}."
    )


# --- tables


def decision_rows(document: dict[str, Any], scope: str) -> list[tuple[str, ...]]:
    """The decision table for what is asked to be protected."""
    made = []
    for (dataset, epsilon), found in decisions(document, scope).items():
        public, majority = (errors(document, dataset, None, [name])[name] for name in (_PUBLIC_ALONE, _MAJORITY))
        made.append(
            (
                dataset,
                f"{epsilon:g}",
                found.best,
                _with_interval(found.error),
                found.following,
                _with_interval(found.above, signed=True),
                "yes" if found.seen else NO_DIFFERENCE,
                "; ".join(found.alike),
                f"{np.mean(public):.3f}",
                f"{np.mean(majority):.3f}",
            )
        )
    return made


def lead_rows(document: dict[str, Any], scope: str) -> list[tuple[str, ...]]:
    """The best of dpcheck's learners beside the best of the others."""
    return [
        (dataset, f"{epsilon:g}", one.ours, one.theirs, _with_interval(one.lead, signed=True), one.word)
        for (dataset, epsilon), one in leads(document, scope).items()
    ]


def error_rows(document: dict[str, Any], dataset: str) -> list[tuple[str, ...]]:
    """All learners on a data set: test error, and what is above the best other private learner, by epsilon."""
    made = []
    for learner in document["learners"]:
        some = [cell for cell in document["cells"] if cell["dataset"] == dataset and cell["learner"] == learner["name"]]
        row = [learner["name"]]
        for cell in some:
            row.append(_with_interval(_of(cell, "test_error")))
            row.append(_with_interval(_of(cell, "above_best_other"), signed=True) if "best_other" in cell else "")
        made.append((*row, *[""] * (1 + 2 * len(document["epsilons"]) - len(row))))
    return made


def _of(cell: dict[str, Any], name: str) -> Interval:
    return Interval(cell[name], cell[f"{name}_low"], cell[f"{name}_high"])


def _with_interval(one: Interval, *, signed: bool = False) -> str:
    form = "+.4f" if signed else ".3f"
    return f"{one.mean:{form}} ({one.low:{form}} to {one.high:{form}})"


def learner_rows(document: dict[str, Any]) -> list[tuple[str, ...]]:
    """What each learner promises, and with which settings it was run."""
    made = []
    for learner in document["learners"]:
        private = learner["group"] != "not private"
        promised = "ε" if not learner["delta"] else f"(ε, {learner['delta']:g})"
        chosen = [
            f"{one['epsilon']:g}: {_setting(one['setting'])}"
            for one in document["chosen"]
            if one["learner"] == learner["name"]
        ]
        made.append(
            (
                learner["name"],
                learner["group"],
                learner["protects"],
                f"{promised}, {learner['relation']}" if private else learner["relation"],
                f"mean of {document['draws']} draws" if learner["drawn"] else "expected",
                "; ".join(chosen),
            )
        )
    return made


def _setting(setting: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value:g}" for name, value in setting.items())


def _table(headings: Sequence[str], lines: Sequence[Sequence[str]]) -> list[str]:
    table = [headings, ("---",) * len(headings), *(map(as_cell, line) for line in lines)]
    return [*("| " + " | ".join(line) + " |" for line in table), ""]


def render(document: dict[str, Any]) -> str:
    """The report as Markdown."""
    by_epsilon = [f"ε = {epsilon:g}" for epsilon in document["epsilons"]]
    wide = ["learner", *(word for each in by_epsilon for word in (each, "above the best other"))]
    problems = "; ".join(f"{size} records, {features} features" for size, features, _ in document["made_up"])
    lines = [
        "# Learners compared",
        "",
        "![Test error against epsilon](learners_compared.svg)",
        "",
        f"Written by `{document['command']}` (seed {document['seed']}). "
        f"{len(document['datasets'])} data sets that come with scikit-learn or statsmodels, all features, "
        f"{document['repetitions']} splits of each by fresh permutations; all learners see the same splits. An "
        f"interval is Student's t for the mean over splits, at {document['level']:.0%}, each by itself; differences "
        "are taken split by split. They cover the mean over all splits of these records, not other records.",
        "",
        *summary(document),
        "",
        without_privacy(document),
        "",
        "## Which to take",
        "",
        "The private learner with the lowest mean test error, and what the next best has more, on the same splits. "
        f'"{NO_DIFFERENCE}" where the interval of that contains 0; all whose difference to the best contains 0 are '
        "named. The best is found on the splits that it is judged by, so its lead is not understated. Beside it stand "
        "the errors of a logistic regression of the public part alone, with its labels, and of the majority class.",
        "",
        *(
            line
            for scope, (_, _, words) in SCOPES.items()
            for line in (f"### {words}", "", *_table(HEADINGS, decision_rows(document, scope)))
        ),
        "## dpcheck's learners and the others",
        "",
        "The best of dpcheck's learners beside the best of the others, each by its mean on these splits; above 0 "
        "dpcheck's has the smaller error.",
        "",
        *(
            line
            for scope, (_, _, words) in SCOPES.items()
            for line in (f"### {words}: the best of each", "", *_table(_GROUPS, lead_rows(document, scope)))
        ),
        "## The learners",
        "",
        "A guarantee is about the private part, of which the size is public. All private learners know the same of the "
        "features, from those of the public part: ranges, means and deviations. The labels of the public part are read "
        "by the learner that is named for it and no other. Pure guarantees and those with a delta stand side by side, "
        "and relations differ: what is ε under add-remove may be 2ε under replace-one, which is in favour of those. "
        "diffprivlib's learners are run at the ε that their documentation promises; [audits](findings.md) refute that "
        "promise for its naive Bayes and forests under replace-one, and for its logistic regression where records are "
        "longer than 1 (here they are not, but for the constant that it appends).",
        "",
        "Stumps choose one feature and a threshold: A2 from a net under the private records' own features, of radius "
        f"{document['accuracy']:g}/4; A\\_SSPP from those that the public features tell apart; the third from "
        f"{document['cuts']} thresholds of each feature's range (alon2019:alg-gen). The student is a logistic "
        "regression trained on public records that a noisy majority of models of private ones labels (bassily2018's "
        "baseline, Gaussian noise, exact accounting). Regressions see features less the public mean in public "
        "deviations, a constant appended, shortened to the root mean square of these norms. Objective perturbation "
        "is Algorithm 2 of Chaudhuri, Monteleoni & Sarwate 2011; DP-SGD has gradients clipped to 1, Poisson sampling, "
        "the mean of the later half of its steps, and noise by dp-accounting (exact where each step takes all "
        "records). Randomised labels: each label is turned round with probability 1/(1 + e^ε), then logistic "
        "regression.",
        "",
        f"Settings are chosen for each ε by the mean error on problems of scikit-learn's make_classification "
        f"({problems}; {document['choosing']} of their splits), not on the data sets below. Stumps have none.",
        "",
        *_table(_LEARNERS, learner_rows(document)),
    ]
    for each in document["datasets"]:
        lines += [
            f"## {each['name']}",
            "",
            f"{each['source']}: {each['question']} ({each['share']:.0%} of {each['records']:,} records), "
            f"{each['features']} features; {each['public']} public, {each['private']} private, {each['test']} test "
            "records. Learners without privacy have one number.",
            "",
            *_table(wide, error_rows(document, each["name"])),
        ]
    lines += ["Rules:", "", *(f"- {rule['rule']}: {rule['verdict']}" for rule in document["rules"]), ""]
    return "\n".join(lines)


# --- the plot


def digest(document: dict[str, Any]) -> str:
    """A name for the numbers that a plot was made of."""
    drawn = [
        [cell[name] for name in ("dataset", "learner", "epsilon", "test_error", "test_error_low", "test_error_high")]
        for cell in document["cells"]
    ]
    return hashlib.sha256(json.dumps(drawn).encode()).hexdigest()


def svg(document: dict[str, Any]) -> str:
    """Test error against epsilon, a panel for each data set, for light and dark pages; it names its numbers."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    datasets = [each["name"] for each in document["datasets"]]
    columns = min(4, len(datasets))
    with rc_context(STYLE):
        figure = Figure(figsize=_SIZE, layout="constrained")
        panels = figure.subplots(-(-len(datasets) // columns), columns, squeeze=False).ravel()
        for axes, dataset in zip(panels, datasets, strict=False):
            _draw(axes, dataset, document)
        for axes in panels[len(datasets) :]:
            axes.set_visible(False)
        for axes in panels[::columns]:
            axes.set_ylabel("test error")
        handles = dict(zip(*reversed(panels[0].get_legend_handles_labels()), strict=True))
        names = [each["name"] for each in document["learners"] if each["name"] in handles]
        figure.legend([handles[name] for name in names], names, loc="outside lower center", ncols=4, fontsize=9.5)
        text = as_svg(figure)
    return named(text, "Test error against epsilon", digest(document))


def _draw(axes: Axes, dataset: str, document: dict[str, Any]) -> None:
    groups = {"dpcheck": (_WARM, "-"), "elsewhere": (_COLD, (0, (4, 2)))}
    places = dict.fromkeys(groups, 0)
    for learner in document["learners"]:
        cells = [
            cell for cell in document["cells"] if cell["dataset"] == dataset and cell["learner"] == learner["name"]
        ]
        if learner["group"] not in groups:
            if learner["name"] in _LINES:
                line = _LINES[learner["name"]]
                colour = INK if line == "-" else QUIET
                axes.axhline(cells[0]["test_error"], color=colour, linestyle=line, linewidth=1.2, label=learner["name"])
            continue
        colours, line = groups[learner["group"]]
        place = places[learner["group"]]
        places[learner["group"]] += 1
        drawn = sum(places.values())
        axes.errorbar(
            [cell["epsilon"] * _APART ** (drawn - 6.5) for cell in cells],
            [cell["test_error"] for cell in cells],
            yerr=[cell["test_error_high"] - cell["test_error"] for cell in cells],
            color=colours[place], marker=_MARKERS[place], markersize=4, linewidth=1.2, elinewidth=0.8,
            linestyle=line, label=learner["name"],
        )  # fmt: skip
    axes.set_title(dataset, loc="left", fontsize=11.5)
    axes.set_xscale("log")
    axes.set_xticks(document["epsilons"], [f"{epsilon:g}" for epsilon in document["epsilons"]])
    axes.set_xlabel(f"ε (bars: {document['level']:.0%})")
    axes.set_ylim(0, None)
    axes.minorticks_off()
    axes.grid(True, axis="y", linewidth=0.6)
    axes.set_axisbelow(True)
