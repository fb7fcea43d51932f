"""How far is each private learner from the best one there is, and how long does it take to find that one?

On finite problems the linear program of wang2016 eq. (6) gives the least worst-case excess risk of any epsilon-DP
learner, with a certificate in rationals. The rule: no learner is below the certified lower bound, the certificate is
tight to 10^-6, and programs of 5,000 variables take at most 60 s of one core.

    python benchmarks/optimal_learner.py --json reports/optimal_learner.json --markdown reports/optimal_learner.md
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from bench import settings, show, spread, write_json
from competing_learners import competitors, worst_excess

from dpcheck.papers.wang2016.learners.generic import OptimalPrivateLearner, best_epsilon
from dpcheck.parts.classes import FiniteHypothesisClass, GridThresholds, PointFunctions
from dpcheck.parts.risk.problems import FiniteProblem, absolute_loss, classification

EPSILONS = (Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4))
#: The certificate may leave so much open.
GAP = 1e-6
#: Seconds of processor time that a program of about 5,000 variables may take.
SECONDS = 60.0


@dataclass(frozen=True)
class Case:
    """A finite problem with a dataset size."""

    name: str
    size: int

    @property
    def family(self) -> FiniteHypothesisClass | None:
        """The hypothesis class, where there is one."""
        return {"thresholds on 2 points": GridThresholds(2), "thresholds on 3 points": GridThresholds(3)}.get(
            self.name, PointFunctions(2) if self.name == "point functions on 2 points" else None
        )

    @property
    def problem(self) -> FiniteProblem:
        """The problem itself."""
        if self.family is not None:
            return classification(self.family, range(int(self.name.split()[-2])))
        return absolute_loss([0, 1] if self.name == "B2" else [0, Fraction(1, 2), 1])


CASES = (
    Case("B2", 4), Case("B2", 16), Case("T3", 4), Case("T3", 16),
    Case("thresholds on 2 points", 3), Case("thresholds on 2 points", 6), Case("thresholds on 3 points", 4),
    Case("point functions on 2 points", 4),
)  # fmt: skip
#: About 5,000 variables each: 5,000 and 4,620.
LARGE = (Case("B2", 2499), Case("thresholds on 2 points", 19))


def gaps(task: tuple[Case, Fraction]) -> dict[str, Any]:
    """The optimum of one problem at one epsilon, and what the others reach."""
    case, epsilon = task
    problem = case.problem
    learner = OptimalPrivateLearner(problem, epsilon, case.size)
    others = {}
    below = []
    for name, law in competitors(problem, case.size, epsilon, case.family).items():
        excess = worst_excess(problem, case.size, law)
        others[name] = float(excess.high)
        if excess.high < learner.excess_bound:
            below.append(name)
    return {
        "problem": case.name, "size": case.size, "epsilon": float(epsilon), "optimum": float(learner.excess),
        "certified_gap": float(learner.gap), "others": others, "below_the_optimum": below,
    }  # fmt: skip


def timed(task: tuple[Case, Fraction]) -> dict[str, Any]:
    """The time of one large program: solving, repairing, verifying in rationals, certifying."""
    case, epsilon = task
    _ = OptimalPrivateLearner(absolute_loss([0, 1]), 1.0, 2).excess  # SciPy is loaded before the clock starts
    began, used = time.perf_counter(), time.process_time()
    learner = OptimalPrivateLearner(case.problem, epsilon, case.size)
    excess, gap = learner.excess, learner.gap
    return {
        "problem": case.name, "size": case.size, "epsilon": float(epsilon), "optimum": float(excess),
        "certified_gap": float(gap), "variables": int(learner.table.numerators.size),
        "seconds": round(time.process_time() - used, 2), "elapsed": round(time.perf_counter() - began, 2),
    }  # fmt: skip


def chosen(task: Case) -> dict[str, Any]:
    """The generic learner's own epsilon."""
    found = best_epsilon(task.problem, task.size)
    return {
        "problem": task.name, "size": task.size, "epsilon": float(found.epsilon), "objective": float(found.objective),
        "lower_bound": float(found.lower_bound),
    }  # fmt: skip


def markdown(rows: list[dict[str, Any]], times: list[dict[str, Any]], best: list[dict[str, Any]]) -> Iterator[str]:
    """The report's lines."""
    names = list(dict.fromkeys(name for row in rows for name in row["others"]))
    yield "# The privately optimal learner, and how far others are from it"
    yield ""
    widest = max(row["certified_gap"] for row in rows + times)
    yield (
        "Written by `python benchmarks/optimal_learner.py`. Worst excess of the expected empirical risk over all "
        "datasets of n records (wang2016 eq. (6) without its epsilon), exact. The optimum is over all epsilon-DP "
        "learners: a linear program, its table private in rationals, its distance to the least possible certified in "
        f"rationals: at most {widest:.1e} here. Other columns: by how much each learner, all of them epsilon-DP, is "
        "above the optimum."
    )
    yield ""
    yield f"| problem | n | epsilon | optimum | {' | '.join(names)} |"
    yield f"| --- | ---: | ---: | ---: |{' ---: |' * len(names)}"
    for row in rows:
        cells = [f"+{row['others'][name] - row['optimum']:.4f}" if name in row["others"] else "" for name in names]
        yield f"| {row['problem']} | {row['size']} | {row['epsilon']:g} | {row['optimum']:.4f} | {' | '.join(cells)} |"
    yield ""
    yield (
        "B2: a coin's side, `|h - z|` for h in {0, 1}; T3: h in {0, 1/2, 1}. Empty: randomised response where its "
        "responses are too many to enumerate, and the learner of a class where there is none."
    )
    yield ""
    yield "## Time"
    yield ""
    yield "Building, solving, repairing, verifying and certifying one program: seconds of processor time."
    yield ""
    yield "| problem | n | epsilon | variables | seconds | optimum | certified gap |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for row in times:
        yield (
            f"| {row['problem']} | {row['size']} | {row['epsilon']:g} | {row['variables']:,} | {row['seconds']:.1f} | "
            f"{row['optimum']:.6f} | {row['certified_gap']:.1e} |"
        )
    yield ""
    yield "## The generic learner's own epsilon"
    yield ""
    yield "The epsilon that minimises `epsilon + optimum(epsilon)`, the whole of eq. (6), within certified bounds."
    yield ""
    yield "| problem | n | epsilon | value | no less than |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for row in best:
        yield (
            f"| {row['problem']} | {row['size']} | {row['epsilon']:.3f} | {row['objective']:.4f} | "
            f"{row['lower_bound']:.4f} |"
        )


def main() -> int:
    arguments = sys.argv[1:]
    page = None
    if "--markdown" in arguments:
        place = arguments.index("--markdown")
        page = Path(arguments[place + 1])
        del arguments[place : place + 2]
    chosen_settings = settings(__doc__ or "", arguments)
    began = time.monotonic()
    quick = chosen_settings.quick
    cases, epsilons, large = (CASES[:2], EPSILONS[3:4], LARGE[:1]) if quick else (CASES, EPSILONS, LARGE)
    rows = spread(gaps, [(case, e) for case in cases for e in epsilons], chosen_settings.jobs, "gaps")
    best = spread(chosen, cases, chosen_settings.jobs, "own epsilon")
    times = spread(timed, [(case, e) for case in large for e in epsilons[::2]], 1, "large programs")
    names = list(dict.fromkeys(name for row in rows for name in row["others"]))
    show(
        "Above the optimum",
        ["problem", "n", "epsilon", "optimum", *names],
        [
            [row["problem"], str(row["size"]), f"{row['epsilon']:g}", f"{row['optimum']:.4f}"]
            + [f"+{row['others'][name] - row['optimum']:.4f}" if name in row["others"] else "" for name in names]
            for row in rows
        ],
    )
    show(
        "Large programs",
        ["problem", "n", "epsilon", "variables", "seconds", "certified gap"],
        [
            [
                row["problem"],
                str(row["size"]),
                f"{row['epsilon']:g}",
                f"{row['variables']:,}",
                f"{row['seconds']:.2f}",
                f"{row['certified_gap']:.1e}",
            ]
            for row in times
        ],
    )
    passed = (
        not any(row["below_the_optimum"] for row in rows)
        and all(row["certified_gap"] <= GAP for row in rows + times)
        and all(row["seconds"] <= SECONDS for row in times)
    )
    print("the rule holds" if passed else "FAILS: see above")
    write_json(chosen_settings, began, passed, {"gaps": rows, "times": times, "own_epsilon": best})
    if page is not None:
        page.write_text("\n".join(markdown(rows, times, best)) + "\n", encoding="utf-8")
        print(f"written: {page.name}")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
