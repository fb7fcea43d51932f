"""Stability from privacy, and what stability and a small empirical risk give together, exactly."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpcheck.model.bounds_shown import at_least
from dpcheck.model.claims import ApproxDP, PureDP
from dpcheck.papers.wang2016.learners import FiniteProblem, RegularisedExponential, SubsampledLearner
from dpcheck.papers.wang2016.trials.exact import (
    TWO,
    at_most,
    exponential,
    kept,
    point,
    tally,
    together,
    two_laws,
    worst_excess,
)
from dpcheck.papers.wang2016.trials.learners_tried import Response, papers_own
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import Page, Pivot, Plot
from dpcheck.trial.relations import compared, enclosed
from dpcheck.trial.rows import Findings, Row, bound, exact
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
    return value - point(1)


_EPSILONS = (0.1, 0.25, 0.5, 1.0, 1.5, 2.0)


def from_privacy(seed: int, quick: bool) -> Findings:
    """Lemmas 8 and 30: the exact stability against e^eps - 1, 2 eps and e^eps - 1 + delta."""
    size = 6 if quick else 12
    outcomes: list[Outcome] = []
    rows: list[Row] = []
    below = 0.0
    for name in _tried(1.0, size):
        found = {epsilon: _table(name, epsilon, size).stability() for epsilon in _EPSILONS}
        rows += exact(name, found.values(), epsilon=_EPSILONS)
        below = max(below, *(float(value) / math.tanh(epsilon / 2) for epsilon, value in found.items()))
        outcomes.append(_lemma_8(name, found))
    small = [e for e in _EPSILONS if e <= 1]
    rows += bound("e^eps - 1 (lem-8)", map(math.expm1, _EPSILONS), epsilon=_EPSILONS)
    rows += bound("2 eps (eps <= 1)", [2 * e for e in small], epsilon=small)
    rows += bound("tanh(eps/2), attained on one record", [math.tanh(e / 2) for e in _EPSILONS], epsilon=_EPSILONS)
    lemma_30, unstable = _most_unstable()
    outcomes += lemma_30
    told = (
        f"The stabilities reach {below:.3g} of tanh(eps/2), which is the most that epsilon-DP allows; e^eps - 1 is "
        f"{math.expm1(1.0) / math.tanh(0.5):.3g} times that at epsilon = 1. {tally(outcomes)}"
    )
    return Findings([*rows, *unstable], outcomes, told, {"size": size})


FROM_PRIVACY = Page(
    "Privacy gives stability, exactly",
    "How much the expected loss at any record changes when one record of the data is replaced: the largest "
    "change over all pairs of neighbours, from exact laws, beside the lemmas.",
    (Plot("stability", "Stability against privacy, {size} binary records", "epsilon", "stability", scale="log"),),
    (Pivot("The most unstable (epsilon, delta)-DP learner", ("e^eps", "delta")),),
)


def _lemma_8(name: str, found: Mapping[float, Bounds]) -> Outcome:
    """Lemma 8 for the stabilities of a learner at some epsilon."""
    cases = []
    for epsilon, value in found.items():
        cases.append(at_most("wang2016:lem-8", f"epsilon = {epsilon:g}", value, _less_one(exponential(epsilon))))
        if epsilon <= 1:
            limit = point(2 * Fraction(epsilon))
            cases.append(at_most("wang2016:lem-8", f"2 eps, epsilon = {epsilon:g}", value, limit))
    one = together(
        cases,
        "an epsilon-DP learner is (e^eps - 1)-stable, and 2 eps-stable where epsilon <= 1 (epsilon from "
        f"{min(found):g} to {max(found):g})",
        f"{len(cases)} exact stabilities, each at most its bound; the largest share of e^eps - 1 is "
        f"{max(float(value) / math.expm1(epsilon) for epsilon, value in found.items()):.3g}",
    )
    return replace(one, kind="stability", learner=name)


def _most_unstable() -> tuple[list[Outcome], list[Row]]:
    """Lemma 30 for randomised response on one record."""
    cases: list[Outcome] = []
    rows: list[Row] = []
    attained = []
    for ratio in (Fraction(11, 10), Fraction(2), Fraction(3), Fraction(7)):
        for delta in (Fraction(0), Fraction(1, 100), Fraction(1, 5)):
            learner = Response(ratio, delta)
            pure = PureDP(ratio=ratio)
            claim = ApproxDP(math.nextafter(pure.epsilon_value, math.inf), delta) if delta else pure
            private = kept(two_laws(learner, [([0], [1])]), claim)
            found = expected_losses(learner, TWO, 1).stability()
            attained.append(private != "contradicted" and found == point((ratio - 1 + 2 * delta) / (ratio + 1)))
            limit = ratio - 1 + delta
            cases.append(at_most("wang2016:lem-30", f"e^eps = {ratio}, delta = {delta}", found, point(limit)))
            at = {"e^eps": float(ratio), "delta": float(delta)}
            rows += exact("stability", [found], **at) + bound("lem-30", [limit], **at)
    one = together(
        cases,
        "an (epsilon, delta)-DP learner is (e^eps - 1 + delta)-stable (e^eps 1.1, 2, 3, 7; delta 0, 0.01, 0.2)",
        "the most unstable such learner, in fractions",
    )
    formula = compared(
        "wang2016:lem-30",
        "what is attained is (e^eps - 1 + 2 delta)/(e^eps + 1), with delta = 0 tanh(eps/2)",
        all(attained),
        f"{len(attained)} laws in fractions, each (epsilon, delta)-DP by an exact decision",
        kind="stability",
    )
    return [replace(one, kind="stability", learner="randomised response on one record"), formula], rows


#: The learner whose largest numbers are drawn, at epsilon = 1.
_DRAWN = "wang2016.regularised, two hypotheses"


def consistency(seed: int, quick: bool) -> Findings:
    """Theorem 35 and corollary 9: the excess risk against stability plus AERM rate."""
    outcomes: list[Outcome] = []
    sizes = (2, 4, 8) if quick else (2, 4, 8, 16, 32)
    laws = [[Fraction(20 - i, 20), Fraction(i, 20)] for i in range(21)]
    generalisation: list[Outcome] = []
    rows: list[Row] = []
    slack = math.inf
    for name in _tried(1.0, 4):
        cases, corollary = [], []
        for epsilon in (0.25, 1.0, 2.0):
            for size in sizes if name != "wang2016.subsample" else (9,):
                table = _table(name, epsilon, size)
                stable, rate = table.stability(), table.always_above_minimum() + _less_one(exponential(epsilon))
                worst = [0.0, 0.0]
                for law in laws:
                    risks = table.under(law)
                    both = stable + risks.above_minimum
                    said = f"epsilon = {epsilon:g}, n = {size}, P(1) = {law[1]}"
                    cases.append(
                        at_most("wang2016:thm-35", said, risks.excess, both, largest=worst_excess(table.problem, law))
                    )
                    said = f"{name}, P(1) = {law[1]}"
                    generalisation.append(at_most("wang2016:thm-35", said, risks.gap.magnitude(), stable, largest=1))
                    worst = [max(worst[0], float(risks.excess)), max(worst[1], float(both))]
                said = f"epsilon = {epsilon:g}, n = {size}"
                corollary.append(at_most("wang2016:cor-9", said, table.largest_excess(), rate, largest=1))
                if name == _DRAWN and epsilon == 1.0:
                    slack = min(slack, worst[1] / worst[0] if worst[0] else math.inf)
                    rows += exact("excess risk, worst of the distributions", worst[:1], n=size)
                    rows += bound("stability + AERM rate (thm-35)", worst[1:], n=size)
                    rows += bound("xi(n) + e^eps - 1 (cor-9)", [rate], n=size)
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
            outcomes.append(replace(together(found, words, f"{len(found)} exact comparisons"), learner=name))
    step = together(
        generalisation,
        "the generalisation gap is at most the stability (the theorem's first step)",
        f"{len(generalisation)} exact comparisons",
    )
    outcomes += [step, _without_a_bound_on_epsilon()]
    told = f"The bound of theorem 35 is at least {at_least(slack)} times the excess risk here. {tally(outcomes)}"
    return Findings(rows, outcomes, told)


CONSISTENCY = Page(
    "Stability and a small empirical risk give a small risk",
    "Excess risk, AERM rate, generalisation gap and stability of learners with exact laws, all under the same "
    "distributions; corollary 9's excess is the largest over every distribution of a bit (a polynomial, enclosed).",
    (
        Plot(
            "consistency",
            "Largest excess risk, exponential mechanism on a bit, epsilon = 1",
            "n",
            "excess risk",
            scale="log",
        ),
    ),
)


def _without_a_bound_on_epsilon() -> Outcome:
    """Corollary 9 as printed, where epsilon may be large."""
    large = {c: _less_one(exponential(2 * c + 2)) for c in (1, 2, 4, 8)}
    return enclosed(
        "wang2016:cor-9",
        "as printed, xi + e^eps - 1 is O(xi + eps) without a bound on eps(n): some constant C of 1, 2, 4, 8 "
        "serves eps = 2C + 2, xi = 1",
        min(value.low / (c * (2 * c + 3)) for c, value in large.items()),
        min(value.high / (c * (2 * c + 3)) for c, value in large.items()),
        1,
        kind="order",
        expected="cor-9: e^eps - 1 is not O(eps) where eps(n) is not bounded",
    )


RUNS = (
    Run("stability-from-privacy", ("wang2016:lem-8", "wang2016:lem-30"), from_privacy, (0.3, 0.3), FROM_PRIVACY),
    Run("consistency", ("wang2016:thm-35", "wang2016:cor-9"), consistency, (0.6, 2.5), CONSISTENCY),
)
