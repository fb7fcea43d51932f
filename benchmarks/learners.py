"""What does a fit cost, as records grow and as hypotheses do, and what do draws add to it?

For each learner and class of `learner_cases.py` and each size: processor seconds of making the learner and
`sample(dataset, 1, rng)`, a fit and a draw, beside those with `sample(dataset, 10_000, rng)`, on datasets of their own.
Rounds go over all learners and sizes, and each cell is the median of its rounds, so that a busy minute of the machine
spoils none of them; ratios are taken within a round. The exponent is the slope of a line through the logarithms of size
and median, with its standard error; at small sizes what every call costs flattens it, so that of the last decade stands
beside it. Cost against hypotheses is against how many the learner chooses among.

Rules: thresholds at a million records, on whichever learner takes them, under 2 seconds; the linear program of 5,000
variables under 60; 10^5 queries answered by the votes of 10^3 models under 5 (a draw there is an answer to each query,
so many draws are not compared with one); and ten thousand draws cost less than twice one, at the largest size of each
case. (At the smallest a fit takes less than drawing ten thousand numbers, half a millisecond: the largest ratio of all
is in the table.)

    python benchmarks/learners.py --json reports/learners_cost.json

writes the table as Markdown beside the JSON.
"""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

# One thread: the time of two threads of linear algebra would be counted twice. Before numpy is imported.
if __name__ == "__main__":
    for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(_name, "1")

import numpy as np
from bench import child_seed, settings, show, write_json
from learner_cases import MOST_VARIABLES, PROGRAM, VOTERS, Case, cases

from dpcheck.report.inert_markdown import as_cell

#: The most seconds for thresholds at so many records, and the most that many draws may cost beside one.
MILLION, MOST_SECONDS = 1_000_000, 2.0
MANY, MOST_RATIO = 10_000, 2.0
#: The most seconds for so many queries, the training of the models that vote on them among them.
QUERIES, MOST_SECONDS_OF_QUERIES = 100_000, 5.0
ROUNDS, QUICK_ROUNDS = 5, 2
QUICK_SIZES = 3
HEADINGS = (
    "learner", "class", "grows", "from", "to", "fixed", "seconds at the last", "exponent ± s.e.", "last decade",
    "promised", f"{MANY:,} draws / 1, last", "largest",
)  # fmt: skip


@dataclass
class Curve:
    """The rounds of one case: seconds by size, of one draw and of many, and the numbers of hypotheses."""

    case: Case
    sizes: tuple[int, ...]
    hypotheses: list[list[int]] = field(default_factory=list)
    one: list[list[float]] = field(default_factory=list)
    many: list[list[float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for rows in (self.hypotheses, self.one, self.many):
            rows.extend([] for _ in self.sizes)

    def round(self, seed: int) -> None:
        """Measure every size once more."""
        for place, size in enumerate(self.sizes):
            rng = np.random.default_rng(child_seed(seed, place))
            order = [(1, self.one), (MANY, self.many)] if self.case.repeated else [(1, self.one)]
            for draws, seconds in order if rng.random() < 0.5 else reversed(order):
                make, dataset, count = self.case.setting(size, rng)
                began = time.process_time()
                make().sample(dataset, draws, rng)
                seconds[place].append(time.process_time() - began)
                if draws == 1:
                    self.hypotheses[place].append(count())

    def cell(self) -> dict[str, Any]:
        """What is kept of it."""
        hypotheses = [float(np.median(some)) for some in self.hypotheses]
        records = self.case.grows in ("records", "queries")
        sizes = [float(size) for size in self.sizes] if records else hypotheses
        medians = [float(np.median(some)) for some in self.one]
        pairs = zip(self.many, self.one, strict=True) if self.case.repeated else ()
        ratios = [float(np.median(np.divide(many, one))) for many, one in pairs]
        exponent, error = slope(sizes, medians)
        last = [place for place, size in enumerate(sizes) if size >= 0.09 * sizes[-1]]
        decade = slope([sizes[place] for place in last], [medians[place] for place in last])[0]
        return {
            "name": self.case.name,
            "learner": self.case.learner,
            "family": self.case.family,
            "grows": self.case.grows,
            "fixed": self.case.fixed,
            "promised": self.case.order,
            "sizes": list(self.sizes),
            "hypotheses": hypotheses,
            "seconds": medians,
            "seconds_of_rounds": self.one,
            "seconds_of_many_draws": self.many,
            "ratios": ratios,
            "exponent": exponent,
            "exponent_error": error,
            "exponent_of_last_decade": decade,
        }


def slope(sizes: Sequence[float], seconds: Sequence[float]) -> tuple[float | None, float | None]:
    """The slope of log seconds on log size, and its standard error; None where there are too few sizes."""
    from scipy.stats import linregress

    if len(sizes) < 2:
        return None, None
    found = linregress(np.log(sizes), np.log(seconds))
    return float(found.slope), float(found.stderr) if len(sizes) > 2 else None


def rules(cells: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each rule with the cell that comes nearest to breaking it."""
    found = []
    million = [
        (cell["seconds"][cell["sizes"].index(MILLION)], cell["name"])
        for cell in cells
        if cell["family"].startswith("thresholds") and cell["grows"] == "records" and MILLION in cell["sizes"]
    ]
    if million:
        found.append(_rule(f"thresholds at {MILLION:,} records, seconds", MOST_SECONDS, len(million), max(million)))
    programs = [(cell["seconds"][-1], cell["name"]) for cell in cells if cell["learner"] == PROGRAM]
    found.append(
        _rule(f"the linear program of {MOST_VARIABLES:,} variables, seconds", 60.0, len(programs), max(programs))
    )
    asked = [
        (cell["seconds"][cell["sizes"].index(QUERIES)], cell["name"])
        for cell in cells
        if cell["grows"] == "queries" and QUERIES in cell["sizes"]
    ]
    if asked:
        what = f"{QUERIES:,} queries answered by {VOTERS:,} voters, seconds"
        found.append(_rule(what, MOST_SECONDS_OF_QUERIES, len(asked), max(asked)))
    ratios = [(cell["ratios"][-1], cell["name"]) for cell in cells if cell["ratios"]]
    found.append(_rule(f"{MANY:,} draws over one, seconds", MOST_RATIO, len(ratios), max(ratios)))
    return found


def _rule(what: str, below: float, judged: int, worst: tuple[float, str]) -> dict[str, Any]:
    verdict = "holds" if worst[0] < below else "FAILS"
    return {"rule": what, "below": below, "judged": judged, "worst": worst[0], "where": worst[1], "verdict": verdict}


def rows(cells: Sequence[dict[str, Any]]) -> list[tuple[str, ...]]:
    """A line of the table for each case."""
    return [
        (
            cell["learner"],
            cell["family"],
            cell["grows"]
            if cell["grows"] in ("records", "hypotheses", "queries")
            else f"hypotheses, by {cell['grows']}",
            *(_short(size) for size in _grown(cell)),
            cell["fixed"],
            f"{cell['seconds'][-1]:.3g}",
            _exponent(cell["exponent"], cell["exponent_error"]),
            _exponent(cell["exponent_of_last_decade"], None),
            cell["promised"],
            f"{cell['ratios'][-1]:.2f}" if cell["ratios"] else "",
            f"{max(cell['ratios']):.2f}" if cell["ratios"] else "",
        )
        for cell in cells
    ]


def _grown(cell: dict[str, Any]) -> tuple[float, float]:
    grown = cell["sizes"] if cell["grows"] in ("records", "queries") else cell["hypotheses"]
    return grown[0], grown[-1]


def _short(size: float) -> str:
    return f"{size:,.0f}" if size < 1e7 else f"2^{math.log2(size):.0f}"


def _exponent(value: float | None, error: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.2f}" if error is None else f"{value:.2f} ± {error:.2f}"


def render(document: dict[str, Any]) -> str:
    """The report as Markdown."""
    judged = [
        f"- {rule['rule']}: below {rule['below']:g} in all of {rule['judged']}, the largest {rule['worst']:.2f} "
        f"({rule['where']}): {rule['verdict']}"
        for rule in document["rules"]
    ]
    table = [
        HEADINGS,
        ("---",) * len(HEADINGS),
        *(map(as_cell, row) for row in rows(document["curves"])),
    ]
    lines = [
        "# What a fit costs",
        "",
        f"Written by `{document['command']}` (seed {document['seed']}, {document['seconds'] / 60:.0f} min). A cell is "
        f"the median of {document['rounds']} rounds, in processor seconds of a fit and a draw; an exponent is the "
        "slope of its logarithm on that of the size, with its standard error, over all sizes and over the last decade "
        "of them. Where hypotheses grow, the size is how many the learner chooses among. The last columns are what "
        f"{MANY:,} draws cost beside one, at the last size, where the rule is, and the largest at any size: where a "
        "fit takes less than a millisecond, drawing takes its part.",
        "",
        *judged,
        "",
        *("| " + " | ".join(row) + " |" for row in table),
        "",
    ]
    return "\n".join(lines)


def main() -> int:
    """Run, print, write; 1 when a rule is broken."""
    asked = settings(__doc__ or "")
    began = time.monotonic()
    curves = [Curve(case, case.sizes[:QUICK_SIZES] if asked.quick else case.sizes) for case in cases()]
    for curve in curves:  # imports and first allocations are nobody's cost
        Curve(curve.case, curve.sizes[:1]).round(child_seed(asked.seed, 0))
    rounds = QUICK_ROUNDS if asked.quick else ROUNDS
    for number in range(1, rounds + 1):
        for place, curve in enumerate(curves):
            curve.round(child_seed(asked.seed, number, place))
        print(f"round {number} of {rounds}: {time.monotonic() - began:,.0f} s", file=sys.stderr, flush=True)
    cells = [curve.cell() for curve in curves]
    judged = rules(cells)
    show("Processor seconds of a fit and a draw", HEADINGS, rows(cells), left=3)
    for rule in judged:
        print(f"{rule['rule']} below {rule['below']:g}: {rule['worst']:.3f} ({rule['where']}): {rule['verdict']}")
    passed = all(rule["verdict"] == "holds" for rule in judged)
    write_json(asked, began, passed, {"rounds": rounds, "rules": judged, "curves": cells}, {".md": render})
    return 0 if passed or asked.quick else 1


if __name__ == "__main__":
    sys.exit(main())
