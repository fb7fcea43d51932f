"""Finite sets of points, learnable and not by private AERM; and private learners made non-private."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np

from dpcheck.papers.wang2016.hard_instances import (
    UniformAtoms,
    largest_risk_of_support,
    risk_of_support,
)
from dpcheck.papers.wang2016.learners import (
    EmptySet,
    FiniteProblem,
    OptimalPrivateLearner,
    RegularisedExponential,
    Support,
    Unprivate,
    absolute_loss,
)
from dpcheck.papers.wang2016.theorems.separations_instances import each_distribution_is_learnt
from dpcheck.papers.wang2016.trials.exact import (
    THREE,
    TWO,
    at_most,
    exponential,
    loss_of,
    point,
    tally,
    together,
    two_laws,
    worst_excess,
)
from dpcheck.trial.model import CONTRADICTED_LEVEL, HOLDS_LEVEL, Outcome
from dpcheck.trial.page import EXACT, Line, Page, Pivot, Plot
from dpcheck.trial.relations import compared, refuted_by
from dpcheck.trial.rows import Findings, bound, exact
from dpcheck.trial.run import Run
from dpcheck.utility.bounded_means import mean_interval
from dpcheck.utility.stability import Bounds, expected_losses

#: The cases of the proof, by what the learner does.
_WAYS = {
    "outside": "a hypothesis that is never answered, case (ii)",
    "conditioned": "all are answered, #H > n, case (iii)",
    "minimiser": "#H <= n, case (iv), which minimises",
}


def unprivate(seed: int, quick: bool) -> Findings:
    """Proposition 11: what is learnt privately is learnt by a learner that hides nothing."""
    outcomes: list[Outcome] = []
    risks: dict[str, list[Outcome]] = {}
    infinite: dict[str, list[bool]] = {}
    for n in (2, 4, 6) if quick else (2, 4, 6, 8):
        for epsilon in (0.5, 2.0):
            few = OptimalPrivateLearner(TWO, epsilon, n)
            many = absolute_loss([Fraction(i, 32) for i in range(n + 2)])
            over_many = RegularisedExponential(many, [float(h) for h in many.hypotheses], epsilon)
            # the paper's cases: a hypothesis that A never answers; all answered, #H > n; #H <= n
            for learner, private, problem in (
                (Unprivate(few, marker=1, outside=Fraction(1, 2)), few, THREE),
                (Unprivate(over_many, marker=1, problem=many), over_many, many),
                (Unprivate(few, marker=1, problem=TWO), few, TWO),
            ):
                way = _WAYS[learner.way(n)]
                laws = two_laws(learner, [([0] * n, [0] * (n - 1) + [1])])
                infinite.setdefault(way, []).append(math.isinf(loss_of(laws)))
                clean = expected_losses(private, problem, n)
                table = expected_losses(learner, problem, n, form="histogram")
                for ones in range(6):
                    law = [Fraction(5 - ones, 5), Fraction(ones, 5)]
                    more = table.under(law).risk - clean.under(law).risk
                    said, limit = f"n = {n}, P(1) = {ones}/5", point(Fraction(1, n))
                    # the worst answer, beside that of the private learner
                    most = worst_excess(problem, law) - clean.under(law).excess.low
                    risks.setdefault(way, []).append(at_most("wang2016:prop-11", said, more, limit, largest=most))
    for way, found in infinite.items():
        outcomes.append(
            compared(
                "wang2016:prop-11",
                f"with the marker among the records the likelihood ratio is infinite, whatever epsilon: {way}",
                all(found),
                f"{len(found)} pairs of neighbours, exact",
                kind="privacy",
                learner="wang2016.unprivate",
            )
        )
        one = together(
            risks[way],
            f"and the risk is at most 1/n larger than the private learner's: {way}",
            f"{len(risks[way])} exact comparisons, n to {6 if quick else 8}",
        )
        outcomes.append(replace(one, learner="wang2016.unprivate"))
    return Findings((), outcomes, tally(outcomes))


UNPRIVATE = Page(
    "What is learnt privately is learnt without privacy",
    "The best private learner of a bit, made to show whether a record 1 is present: its exact laws on "
    "neighbours, and its exact risk beside that of the learner it is made of.",
    left_out="Case (i), a learner with a density: its hypothesis of no mass is found as in case (ii).",
)


def risk_of_few_points(atoms: int, epsilon: float) -> tuple[Bounds, Fraction]:
    """The expected empirical risk of the exponential mechanism over sets of at most one of some atoms, two records.

    Records are uniform over the atoms. Beside it what no epsilon-DP learner of such sets is below, 1 - e^eps/atoms: a
    record is in its set as often as a fresh one in its place, up to e^eps, and a fresh one is with probability 1/atoms.
    """
    losses = [tuple(Fraction(int(z != h)) for z in range(atoms)) for h in range(atoms)]
    problem = FiniteProblem(tuple(range(atoms)), tuple(range(atoms + 1)), (*losses, (Fraction(1),) * atoms))
    learner = RegularisedExponential(problem, [float(h) for h in range(atoms + 1)], epsilon)
    found = expected_losses(learner, problem, 2).under([Fraction(1, atoms)] * atoms).empirical
    return found, 1 - exponential(Fraction(epsilon)).high / atoms


#: Points of the distributions on few points.
_ATOMS = 16


def supports(seed: int, quick: bool) -> Findings:
    """Claim 11: the set of what was seen, and the empty set."""
    numbers = [2**e for e in range(0, 11)]
    worst = [largest_risk_of_support(_ATOMS, n) for n in numbers]
    hard = [UniformAtoms(n).risk_of_support for n in numbers]
    uniform = [risk_of_support([Fraction(1, _ATOMS)] * _ATOMS, n) for n in numbers]
    trials = 200 if quick else 1000
    outcomes = [
        *_discrete(numbers, worst, hard),
        *_continuous(seed, trials),
        _few_points((4, 16) if quick else (4, 16, 32)),
    ]
    rows = [
        *exact(f"uniform over {_ATOMS} atoms", uniform, n=numbers),
        *bound(
            f"min(1, N/(n + 1) (n/(n + 1))^n), no law on {_ATOMS} atoms is above", [min(1, w) for w in worst], n=numbers
        ),
        *exact("uniform over 3n atoms", hard, n=numbers),
        *bound("N/n", [_ATOMS / n for n in numbers], n=numbers),
    ]
    told = (
        f"Over 3n atoms the risk tends to e^(-1/3) = {math.exp(-1 / 3):.4f}, {float(hard[-1]):.4f} at n = "
        f"{numbers[-1]:,}. {tally(outcomes)}"
    )
    return Findings(rows, outcomes, told, {"trials": trials}, trials)


SUPPORTS = Page(
    "Finite sets of points: learnable for few atoms, and not by private AERM",
    "Hypotheses are finite subsets of [0, 1], the loss is 1 outside the set. The expected risk of the set of "
    "what was seen in fractions, and both learners on continuous records.",
    (
        Plot(
            "supports",
            "Risk of the set of what was seen",
            "n",
            "expected risk",
            scale="log",
            least=1e-4,
            lines=(Line("2/3", y=2 / 3), Line("e^(-1/3)", y=math.exp(-1 / 3))),
        ),
    ),
    (Pivot("Expected risk of the set of what was seen", ("n",), digits=6),),
    evidence=EXACT + " Example 17: {trials:,} samples of records without ties.",
)


def _discrete(numbers: list[int], worst: list[Fraction], hard: list[Fraction]) -> list[Outcome]:
    """Example 16: distributions on few points, and on as many as the records and more."""
    return [
        compared(
            "wang2016:ex-16",
            f"over distributions on N = {_ATOMS} points the set of what was seen has the rate N/n",
            all(value <= Fraction(_ATOMS, n) for value, n in zip(worst, numbers, strict=True)),
            f"n = 1 to {numbers[-1]:,}: N/(n + 1) (n/(n + 1))^n, which no law exceeds, is at most "
            f"{float(max(v * n / _ATOMS for v, n in zip(worst, numbers, strict=True))):.4g} of N/n",
            learner="wang2016.support",
        ),
        compared(
            "wang2016:ex-16",
            "on 3n atoms the risk from n records is 2/3 or more: not learnable",
            all(value >= Fraction(2, 3) for value in hard),
            f"n = 1 to {numbers[-1]:,}: from {float(min(hard)):.6g} to {float(max(hard)):.6g}",
            kind="lower bound",
            learner="wang2016.support",
        ),
        compared(
            "wang2016:ex-16",
            "and for the empty set",
            all(z not in EmptySet().answer([z]) for z in UniformAtoms(8).points.tolist()),
            "its loss is 1 on every record",
            kind="lower bound",
            learner="wang2016.empty",
        ),
        refuted_by(
            "wang2016:ex-16",
            "as printed, with definition 13: no learner is consistent for each finitely supported distribution",
            each_distribution_is_learnt(),
            "the set of what was seen is, for every law in sixths on four atoms",
            expected="ex-16, X16.def13: definition 13 asks for no rate that serves all distributions",
        ),
    ]


def _continuous(seed: int, trials: int) -> list[Outcome]:
    """Example 17: both learners on samples of 20 uniform records."""
    rng = np.random.default_rng(seed)
    seen, fresh, empty = [], [], []
    for _ in range(trials):
        sample, others = rng.random(20), rng.random(20)
        held = set(Support()(sample, rng))
        seen.append(np.mean([z not in held for z in sample]))
        fresh.append(np.mean([z not in held for z in others]))
        empty.append(np.mean([z not in set(EmptySet()(sample, rng)) for z in sample]))
    low, high = mean_interval(float(np.mean(fresh)), trials, HOLDS_LEVEL)
    kept = max(seen) == 0 and min(fresh) == 1
    return [
        Outcome(
            "holds" if kept else "contradicted",
            "under continuous distributions the set of what was seen has empirical risk 0 and risk 1: AERM, not "
            "generalising",
            f"{trials:,} samples of 20 uniform records: empirical risk {np.mean(seen):g} in each, risk in "
            f"[{low:.4g}, {high:.4g}]",
            "wang2016:ex-17",
            "number",
            learner="wang2016.support",
            # a tie among uniform doubles is all that could make it wrong, and is less likely than that
            level=HOLDS_LEVEL if kept else CONTRADICTED_LEVEL,
            trials=trials,
        ),
        Outcome(
            "holds" if min(empty) == 1 else "contradicted",
            "the empty set is 0-DP, has risk 1, which is the least there, and empirical risk 1: consistent, not AERM",
            f"its claim is {EmptySet().claim!r}; empirical risk {np.mean(empty):g} in {trials:,} samples",
            "wang2016:ex-17",
            "number",
            learner="wang2016.empty",
            trials=trials,
        ),
    ]


def _few_points(atoms: tuple[int, ...]) -> Outcome:
    """Example 17: no private learner of sets of at most one point is AERM."""
    few = [(n, epsilon, *risk_of_few_points(n, epsilon)) for n in atoms for epsilon in (0.5, 1.0)]
    one = together(
        [
            at_most("wang2016:ex-17", f"{n} atoms, epsilon = {epsilon:g}", point(least), risk)
            for n, epsilon, risk, least in few
        ],
        "no private learner is AERM: of epsilon-DP learners of sets of at most one point, records uniform over "
        f"N atoms, the empirical risk is 1 - e^epsilon/N or more (N = {', '.join(map(str, atoms))}, "
        "epsilon 0.5, 1), which tends to 1",
        "; ".join(
            f"N = {n}, epsilon = {epsilon:g}: {float(risk):.4g}, at least {float(least):.4g}"
            for n, epsilon, risk, least in few
        ),
    )
    return replace(one, kind="lower bound", learner="wang2016.regularised")


RUNS = (
    Run("unprivate", ("wang2016:prop-11",), unprivate, (0.8, 2.0), UNPRIVATE),
    Run("finite-sets", ("wang2016:ex-16", "wang2016:ex-17"), supports, (0.2, 2.4), SUPPORTS),
)
