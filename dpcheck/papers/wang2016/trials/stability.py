"""Stability from privacy, and what stability and a small empirical risk give together, exactly."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpcheck.model.claims import ApproxDP, PureDP
from dpcheck.papers.wang2016.learners import FiniteProblem, RegularisedExponential, SubsampledLearner
from dpcheck.papers.wang2016.trials.exact import (
    EXACT,
    TWO,
    at_most,
    curve,
    exponential,
    kept,
    point,
    tally,
    together,
    two_laws,
)
from dpcheck.papers.wang2016.trials.learners_tried import Response, papers_own
from dpcheck.trial.model import Chart, Measurement, Outcome, Table
from dpcheck.trial.relations import compared, enclosed
from dpcheck.trial.run import Run
from dpcheck.utility.stability import Bounds, ExpectedLosses, expected_losses


def _tried(epsilon: float, size: int) -> dict[str, tuple[Any, FiniteProblem, int]]:
    own = {name: (learner, problem, size) for name, (learner, problem) in papers_own(epsilon, size).items()}
    return own | {
        "wang2016.subsample": (SubsampledLearner(RegularisedExponential(TWO, [0, 1], epsilon), 9), TWO, 9),
    }


def _table(name: str, epsilon: float, size: int) -> ExpectedLosses:
    learner, problem, records = _tried(epsilon, size)[name]
    return expected_losses(learner, problem, records, form="histogram")


def _less_one(value: Bounds) -> Bounds:
    return Bounds(value.low - 1, value.high - 1)


def from_privacy(seed: int, quick: bool) -> Measurement:
    """Lemmas 8 and 30: the exact stability against e^eps - 1, 2 eps and e^eps - 1 + delta."""
    epsilons = (0.1, 0.25, 0.5, 1.0, 1.5, 2.0)
    size = 6 if quick else 12
    outcomes: list[Outcome] = []
    drawn: dict[str, list[float]] = {}
    for name in _tried(1.0, size):
        cases = []
        drawn[name] = []
        for epsilon in epsilons:
            found = _table(name, epsilon, size).stability()
            drawn[name].append(float(found))
            cases.append(at_most("wang2016:lem-8", f"epsilon = {epsilon:g}", found, _less_one(exponential(epsilon))))
            if epsilon <= 1:
                cases.append(
                    at_most("wang2016:lem-8", f"2 eps, epsilon = {epsilon:g}", found, point(2 * Fraction(epsilon)))
                )
        one = together(
            cases,
            "an epsilon-DP learner is (e^eps - 1)-stable, and 2 eps-stable where epsilon <= 1 (epsilon from "
            f"{epsilons[0]:g} to {epsilons[-1]:g})",
            f"{len(cases)} exact stabilities, each at most its bound; the largest share of e^eps - 1 is "
            f"{max(s / math.expm1(e) for s, e in zip(drawn[name], epsilons, strict=True)):.3g}",
        )
        outcomes.append(replace(one, kind="stability", learner=name))
    attained, cases, rows = [], [], []
    for ratio in (Fraction(11, 10), Fraction(2), Fraction(3), Fraction(7)):
        for delta in (Fraction(0), Fraction(1, 100), Fraction(1, 5)):
            learner = Response(ratio, delta)
            laws = two_laws(learner, [([0], [1])])
            epsilon_ = PureDP(ratio=ratio)
            claim = ApproxDP(math.nextafter(epsilon_.epsilon_value, math.inf), delta) if delta else epsilon_
            private = kept(laws, claim)
            found = expected_losses(learner, TWO, 1).stability()
            formula = (ratio - 1 + 2 * delta) / (ratio + 1)
            attained.append(private != "contradicted" and found == point(formula))
            cases.append(
                at_most("wang2016:lem-30", f"e^eps = {ratio}, delta = {delta}", found, point(ratio - 1 + delta))
            )
            rows.append((f"{float(ratio):g}", f"{float(delta):g}", str(found.high), str(ratio - 1 + delta)))
    one = together(
        cases,
        "an (epsilon, delta)-DP learner is (e^eps - 1 + delta)-stable (e^eps 1.1, 2, 3, 7; delta 0, 0.01, 0.2)",
        "the most unstable such learner, in fractions",
    )
    outcomes.append(replace(one, kind="stability", learner="randomised response on one record"))
    outcomes.append(
        compared(
            "wang2016:lem-30",
            "what is attained is (e^eps - 1 + 2 delta)/(e^eps + 1), with delta = 0 tanh(eps/2)",
            all(attained),
            f"{len(attained)} laws in fractions, each (epsilon, delta)-DP by an exact decision",
            kind="stability",
        )
    )
    below = max(max(values[i] / math.tanh(e / 2) for values in drawn.values()) for i, e in enumerate(epsilons))
    chart = Chart(
        "stability",
        f"Stability against privacy, {size} binary records",
        "epsilon",
        "stability",
        (
            *(curve(name, place, epsilons, values) for place, (name, values) in enumerate(drawn.items())),
            curve("e^eps - 1 (lem-8)", 4, epsilons, [math.expm1(e) for e in epsilons], bound=True),
            curve(
                "2 eps (eps <= 1)", 5, [e for e in epsilons if e <= 1], [2 * e for e in epsilons if e <= 1], bound=True
            ),
            curve("tanh(eps/2), attained on one record", 6, epsilons, [math.tanh(e / 2) for e in epsilons], bound=True),
        ),
        y_log=True,
        alt="Exact stabilities of four learners, below tanh(eps/2), below the two bounds of lemma 8.",
    )
    return Measurement(
        "stability-from-privacy",
        "Privacy gives stability, exactly",
        ("wang2016:lem-8", "wang2016:lem-30"),
        "How much the expected loss at any record changes when one record of the data is replaced: the largest "
        "change over all pairs of neighbours, from exact laws, beside the lemmas.",
        f"The stabilities reach {below:.3g} of tanh(eps/2), which is the most that epsilon-DP allows; e^eps - 1 is "
        f"{math.expm1(1.0) / math.tanh(0.5):.3g} times that at epsilon = 1. {tally(outcomes)}",
        EXACT,
        (chart,),
        (
            Table(
                "The most unstable (epsilon, delta)-DP learner", ("e^eps", "delta", "stability", "lem-30"), tuple(rows)
            ),
        ),
        tuple(outcomes),
    )


def consistency(seed: int, quick: bool) -> Measurement:
    """Theorem 35 and corollary 9: the excess risk against stability plus AERM rate."""
    outcomes: list[Outcome] = []
    sizes = (2, 4, 8) if quick else (2, 4, 8, 16, 32)
    laws = [[Fraction(20 - i, 20), Fraction(i, 20)] for i in range(21)]
    generalisation: list[Outcome] = []
    series: dict[str, list[float]] = {"excess": [], "sum": [], "corollary": []}
    for name in _tried(1.0, 4):
        cases, corollary = [], []
        for epsilon in (0.25, 1.0, 2.0):
            for size in sizes if name != "wang2016.subsample" else (9,):
                table = _table(name, epsilon, size)
                stable, always = table.stability(), table.always_above_minimum()
                limit = _less_one(exponential(epsilon))
                worst = []
                for law in laws:
                    risks = table.under(law)
                    both = Bounds(stable.low + risks.above_minimum.low, stable.high + risks.above_minimum.high)
                    cases.append(
                        at_most(
                            "wang2016:thm-35", f"epsilon = {epsilon:g}, n = {size}, P(1) = {law[1]}", risks.excess, both
                        )
                    )
                    generalisation.append(
                        at_most("wang2016:thm-35", f"{name}, P(1) = {law[1]}", risks.gap.magnitude(), stable)
                    )
                    worst.append((float(risks.excess), float(both)))
                rate = Bounds(always.low + limit.low, always.high + limit.high)
                corollary.append(
                    at_most("wang2016:cor-9", f"epsilon = {epsilon:g}, n = {size}", table.largest_excess(), rate)
                )
                if name == "wang2016.regularised, two hypotheses" and epsilon == 1.0:
                    series["excess"].append(max(w[0] for w in worst))
                    series["sum"].append(max(w[1] for w in worst))
                    series["corollary"].append(float(rate))
        for found, words in (
            (
                cases,
                f"excess risk at most stability plus AERM rate, under {len(laws)} distributions of a bit, epsilon "
                "0.25, 1, 2",
            ),
            (
                corollary,
                "excess risk at most xi(n) + e^eps - 1 for every distribution of a bit, xi the always-AERM rate",
            ),
        ):
            one = together(found, words, f"{len(found)} exact comparisons")
            outcomes.append(replace(one, learner=name))
    outcomes.append(
        together(
            generalisation,
            "the generalisation gap is at most the stability (the theorem's first step)",
            f"{len(generalisation)} exact comparisons",
        )
    )
    constants = (1, 2, 4, 8)
    broken = [exponential(2 * c + 2) for c in constants]
    large = [(c, _less_one(value), Fraction(c * (2 * c + 2 + 1))) for c, value in zip(constants, broken, strict=True)]
    outcomes.append(
        enclosed(
            "wang2016:cor-9",
            "as printed, xi + e^eps - 1 is O(xi + eps) without a bound on eps(n): some constant C of 1, 2, 4, 8 "
            "serves eps = 2C + 2, xi = 1",
            min(value.low / limit for _, value, limit in large),
            min(value.high / limit for _, value, limit in large),
            1,
            kind="order",
            expected="cor-9: e^eps - 1 is not O(eps) where eps(n) is not bounded",
        )
    )
    slack = min(b / a for a, b in zip(series["excess"], series["sum"], strict=True) if a)
    chart = Chart(
        "consistency",
        "Largest excess risk, exponential mechanism on a bit, epsilon = 1",
        "n",
        "excess risk",
        (
            curve("excess risk, worst of the distributions", 0, sizes, series["excess"]),
            curve("stability + AERM rate (thm-35)", 1, sizes, series["sum"], bound=True),
            curve("xi(n) + e^eps - 1 (cor-9)", 2, sizes, series["corollary"], bound=True),
        ),
        y_log=True,
        alt="The excess risk falls with n; both bounds stay near the stability, which does not.",
    )
    return Measurement(
        "consistency",
        "Stability and a small empirical risk give a small risk",
        ("wang2016:thm-35", "wang2016:cor-9"),
        "Excess risk, AERM rate, generalisation gap and stability of learners with exact laws, all under the same "
        "distributions; corollary 9's excess is the largest over every distribution of a bit (a polynomial, "
        "enclosed).",
        f"The bound of theorem 35 is at least {slack:.3g} times the excess risk here. {tally(outcomes)}",
        EXACT,
        (chart,),
        (),
        tuple(outcomes),
    )


RUNS = (
    Run("stability-from-privacy", ("wang2016:lem-8", "wang2016:lem-30"), from_privacy, (0.3, 0.3)),
    Run("consistency", ("wang2016:thm-35", "wang2016:cor-9"), consistency, (0.6, 2.5)),
)
