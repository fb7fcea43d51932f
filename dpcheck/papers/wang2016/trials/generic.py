"""The generic learner of eq. (6): the best of all private mechanisms, beside the exponential one."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from dpcheck.papers.wang2016.learners import RegularisedExponential, best_epsilon
from dpcheck.papers.wang2016.theorems.separations_instances import stabbed_intervals
from dpcheck.papers.wang2016.trials.exact import (
    EXACT,
    THREE,
    TWO,
    at_most,
    curve,
    exponential,
    instance,
    point,
    tally,
    together,
)
from dpcheck.trial.model import Chart, Measurement, Outcome, Table
from dpcheck.trial.run import Run
from dpcheck.utility.stability import Bounds, expected_losses


def generic(seed: int, quick: bool) -> Measurement:
    """Claim 9 and theorem 18: the value of (6) against any witness, and the learner's own excess risk."""
    sizes = {
        "two": (1, 2, 4, 8, 16) if quick else (1, 2, 4, 8, 16, 32, 60),
        "three": (2, 4, 8) if quick else (2, 4, 8, 16),
    }
    tolerance = Fraction(1, 100) if quick else Fraction(1, 500)
    grid = [Fraction(i, 20) for i in range(1, 31)]
    outcomes: list[Outcome] = []
    charts, rows = [], []
    for name, problem in (("two", TWO), ("three", THREE)):
        hypotheses = [float(h) for h in problem.hypotheses]
        values, witnesses, chosen = [], [], []
        below, consistent = [], []
        for n in sizes[name]:
            found = best_epsilon(problem, n, tolerance=tolerance)
            tables = [
                (e, expected_losses(RegularisedExponential(problem, hypotheses, e), problem, n).always_above_minimum())
                for e in grid
            ]
            e, rate = min(tables, key=lambda each: float(each[0]) + float(each[1]))
            witness = Bounds(e + rate.low, e + rate.high)
            # what the program gives, not only what is certified from below
            limit = Bounds(witness.low + tolerance, witness.high + tolerance)
            below.append(at_most("wang2016:thm-18", f"n = {n}", point(found.objective), limit))
            table = expected_losses(found.learner, problem, n)
            excess = table.largest_excess(Fraction(1, 10**5))
            ratio = exponential(found.epsilon)
            own = found.learner.excess + ratio.low - 1
            consistent.append(at_most("wang2016:thm-18", f"n = {n}", excess, point(own)))
            values.append(float(found.objective))
            witnesses.append(float(witness))
            chosen.append(float(excess))
            rows.append(
                (
                    name,
                    str(n),
                    f"{float(found.epsilon):.3f}",
                    f"{float(found.learner.excess):.4f}",
                    f"{values[-1]:.4f}",
                    f"{float(found.lower_bound):.4f}",
                    f"{float(e):.2f}",
                    f"{witnesses[-1]:.4f}",
                    f"{chosen[-1]:.4f}",
                )
            )
        said = "two hypotheses" if name == "two" else "three hypotheses"
        outcomes.append(
            together(
                below,
                "the learner found for (6) has eps + xi at most that of the exponential mechanism at every epsilon of "
                f"a grid, to within {float(tolerance):g} ({said}, n = {sizes[name][0]} to {sizes[name][-1]})",
                "certified in rationals; the witness is "
                f"{min(w / v for v, w in zip(values, witnesses, strict=True)):.3g} to "
                f"{max(w / v for v, w in zip(values, witnesses, strict=True)):.3g} times the value",
            )
        )
        one = together(
            consistent,
            f"its excess risk under every distribution of a bit is at most xi(n) + e^eps(n) - 1 of its own ({said})",
            f"{len(consistent)} exact comparisons",
        )
        outcomes.append(replace(one, learner="wang2016.generic"))
        if all(a > b for a, b in pairwise(values)):
            slope = math.log(values[-1] / values[0]) / math.log(sizes[name][-1] / sizes[name][0])
            falls = f"falls with a log-log slope of {slope:.3g} from n = {sizes[name][0]} to {sizes[name][-1]}"
        else:
            falls = "does not fall at every n"
        charts.append(
            Chart(
                f"generic-{name}",
                f"Value of (6), {said}",
                "n",
                "epsilon + worst excess empirical risk",
                (
                    curve("the best private mechanism (certified)", 0, sizes[name], values),
                    curve("the exponential mechanism at its best epsilon", 1, sizes[name], witnesses),
                    curve("largest excess risk of the best mechanism", 2, sizes[name], chosen),
                ),
                y_log=True,
                alt=f"The value of the program {falls}, below that of the exponential mechanism.",
            )
        )
    outcomes.append(
        instance(
            "wang2016:thm-18",
            "as printed, with definition 13: the value of (7) tends to 0 where the problem is privately DD-learnable",
            stabbed_intervals(),
            "for intervals to be stabbed the value stays above a constant, as packed laws need a threshold of their "
            "own",
            expected="thm-18: definition 13 asks for no rate that serves all distributions",
        )
    )
    return Measurement(
        "generic-learner",
        "The best private mechanism there is, and what the exponential mechanism loses",
        ("wang2016:thm-18",),
        "Eq. (6): the least epsilon + worst excess empirical risk of all mechanisms on binary records, by linear "
        "programs with certificates in rationals; beside it the exponential mechanism at the best epsilon of a grid.",
        f"With two hypotheses the value goes from {rows[0][4]} at n = {rows[0][1]} to "
        f"{[row for row in rows if row[0] == 'two'][-1][4]} at n = {sizes['two'][-1]}. {tally(outcomes)}",
        EXACT + f" The program's value is certified to within {float(tolerance):g}.",
        tuple(charts),
        (
            Table(
                "The generic learner and its witness",
                (
                    "hypotheses",
                    "n",
                    "epsilon",
                    "excess",
                    "value",
                    "no less than",
                    "witness: epsilon",
                    "witness: value",
                    "largest excess risk",
                ),
                tuple(rows),
            ),
        ),
        tuple(outcomes),
    )


RUNS = (Run("generic-learner", ("wang2016:thm-18",), generic, (2.0, 5.0)),)
