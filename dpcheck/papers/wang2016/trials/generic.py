"""The generic learner of eq. (6): the best of all private mechanisms, beside the exponential one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from dpcheck.papers.wang2016.learners import FiniteProblem, RegularisedExponential, best_epsilon
from dpcheck.papers.wang2016.theorems.separations_instances import stabbed_intervals
from dpcheck.papers.wang2016.trials.exact import (
    THREE,
    TWO,
    at_most,
    exponential,
    point,
    tally,
    together,
)
from dpcheck.trial.page import Page, Pivot, Plot
from dpcheck.trial.relations import refuted_by
from dpcheck.trial.rows import Findings, Row, exact
from dpcheck.trial.run import Run
from dpcheck.utility.stability import expected_losses

_VALUE = "the best private mechanism (certified)"
_WITNESS = "the exponential mechanism at its best epsilon"
_CHOSEN = "largest excess risk of the best mechanism"
#: Epsilons at which the exponential mechanism is tried.
_GRID = [Fraction(i, 20) for i in range(1, 31)]


def generic(seed: int, quick: bool) -> Findings:
    """Claim 9 and theorem 18: the value of (6) against any witness, and the learner's own excess risk."""
    tolerance = Fraction(1, 100) if quick else Fraction(1, 500)
    two = _found("two", TWO, (1, 2, 4, 8, 16) if quick else (1, 2, 4, 8, 16, 32, 60), tolerance)
    three = _found("three", THREE, (2, 4, 8) if quick else (2, 4, 8, 16), tolerance)
    printed = refuted_by(
        "wang2016:thm-18",
        "as printed, with definition 13: the value of (7) tends to 0 where the problem is privately DD-learnable",
        stabbed_intervals(),
        "for intervals to be stabbed the value stays above a constant, as packed laws need a threshold of their own",
        expected="thm-18: definition 13 asks for no rate that serves all distributions",
    )
    outcomes = [*two.outcomes, *three.outcomes, printed]
    values = [row for row in two.rows if row.quantity == _VALUE]
    (first, at_first), (last, at_last) = ((row.value or 0.0, row.settings["n"]) for row in (values[0], values[-1]))
    told = (
        f"With two hypotheses the value goes from {first:.4f} at n = {at_first} to {last:.4f} at n = {at_last}. "
        f"{tally(outcomes)}"
    )
    return Findings([*two.rows, *three.rows], outcomes, told, {"tolerance": float(tolerance)})


GENERIC = Page(
    "The best private mechanism there is, and what the exponential mechanism loses",
    "Eq. (6): the least epsilon + worst excess empirical risk of all mechanisms on binary records, by linear "
    "programs with certificates in rationals; beside it the exponential mechanism at the best epsilon of a grid.",
    (
        Plot(
            "generic",
            "Value of (6), {hypotheses} hypotheses",
            "n",
            "epsilon + worst excess empirical risk",
            each="hypotheses",
            only=(_VALUE, _WITNESS, _CHOSEN),
            scale="log",
        ),
    ),
    (Pivot("The generic learner and its witness", ("hypotheses", "n")),),
    evidence="{intervals} The program's value is certified to within {tolerance:g}.",
)


def _found(name: str, problem: FiniteProblem, sizes: tuple[int, ...], tolerance: Fraction) -> Findings:
    """The best learner at each size, beside the best exponential mechanism."""
    hypotheses = [float(h) for h in problem.hypotheses]
    rows: list[Row] = []
    below, consistent, lost = [], [], []
    for n in sizes:
        found = best_epsilon(problem, n, tolerance=tolerance)
        tables = [
            (e, expected_losses(RegularisedExponential(problem, hypotheses, e), problem, n).always_above_minimum())
            for e in _GRID
        ]
        e, rate = min(tables, key=lambda each: float(each[0]) + float(each[1]))
        witness = point(e) + rate
        # what the program gives, not only what is certified from below
        below.append(at_most("wang2016:thm-18", f"n = {n}", point(found.objective), witness + point(tolerance)))
        excess = expected_losses(found.learner, problem, n).largest_excess(Fraction(1, 10**5))
        own = found.learner.excess + exponential(found.epsilon).low - 1
        consistent.append(at_most("wang2016:thm-18", f"n = {n}", excess, point(own), largest=1))
        lost.append(float(witness) / float(found.objective))
        for quantity, value in (
            ("epsilon", found.epsilon),
            ("excess", found.learner.excess),
            (_VALUE, found.objective),
            ("no less than", found.lower_bound),
            ("witness: epsilon", e),
            (_WITNESS, witness),
            (_CHOSEN, excess),
        ):
            rows += exact(quantity, [value], hypotheses=name, n=n)
    words = f"{name} hypotheses"
    least = together(
        below,
        "the learner found for (6) has eps + xi at most that of the exponential mechanism at every epsilon of "
        f"a grid, to within {float(tolerance):g} ({words}, n = {sizes[0]} to {sizes[-1]})",
        f"certified in rationals; the witness is {min(lost):.3g} to {max(lost):.3g} times the value",
    )
    risks = together(
        consistent,
        f"its excess risk under every distribution of a bit is at most xi(n) + e^eps(n) - 1 of its own ({words})",
        f"{len(consistent)} exact comparisons",
    )
    return Findings(rows, (least, replace(risks, learner="wang2016.generic")), "")


RUNS = (Run("generic-learner", ("wang2016:thm-18",), generic, (2.0, 5.0), GENERIC),)
