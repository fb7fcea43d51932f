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
    EXACT,
    THREE,
    TWO,
    at_most,
    curve,
    exponential,
    instance,
    loss_of,
    point,
    tally,
    together,
    two_laws,
)
from dpcheck.trial.model import Chart, Mark, Measurement, Outcome, Table
from dpcheck.trial.relations import compared
from dpcheck.trial.run import Run
from dpcheck.utility.bounded_means import mean_interval
from dpcheck.utility.stability import Bounds, expected_losses

#: The cases of the proof, by what the learner does.
_WAYS = {
    "outside": "a hypothesis that is never answered, case (ii)",
    "conditioned": "all are answered, #H > n, case (iii)",
    "minimiser": "#H <= n, case (iv), which minimises",
}


def unprivate(seed: int, quick: bool) -> Measurement:
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
                    said = f"n = {n}, P(1) = {ones}/5"
                    risks.setdefault(way, []).append(at_most("wang2016:prop-11", said, more, point(Fraction(1, n))))
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
    return Measurement(
        "unprivate",
        "What is learnt privately is learnt without privacy",
        ("wang2016:prop-11",),
        "The best private learner of a bit, made to show whether a record 1 is present: its exact laws on "
        "neighbours, and its exact risk beside that of the learner it is made of.",
        tally(outcomes),
        EXACT,
        (),
        (),
        tuple(outcomes),
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


def supports(seed: int, quick: bool) -> Measurement:
    """Claim 11: the set of what was seen, and the empty set."""
    numbers = [2**e for e in range(0, 11)]
    atoms = 16
    worst = [largest_risk_of_support(atoms, n) for n in numbers]
    uniform = [risk_of_support([Fraction(1, atoms)] * atoms, n) for n in numbers]
    hard = [UniformAtoms(n).risk_of_support for n in numbers]
    outcomes = [
        compared(
            "wang2016:ex-16",
            f"over distributions on N = {atoms} points the set of what was seen has the rate N/n",
            all(value <= Fraction(atoms, n) for value, n in zip(worst, numbers, strict=True)),
            f"n = 1 to {numbers[-1]:,}: N/(n + 1) (n/(n + 1))^n, which no law exceeds, is at most "
            f"{float(max(v * n / atoms for v, n in zip(worst, numbers, strict=True))):.4g} of N/n",
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
        instance(
            "wang2016:ex-16",
            "as printed, with definition 13: no learner is consistent for each finitely supported distribution",
            each_distribution_is_learnt(),
            "the set of what was seen is, for every law in sixths on four atoms",
            expected="ex-16, X16.def13: definition 13 asks for no rate that serves all distributions",
        ),
    ]
    rng = np.random.default_rng(seed)
    trials = 200 if quick else 1000
    seen, fresh, empty = [], [], []
    for _ in range(trials):
        sample, others = rng.random(20), rng.random(20)
        held = set(Support()(sample, rng))
        seen.append(np.mean([z not in held for z in sample]))
        fresh.append(np.mean([z not in held for z in others]))
        empty.append(np.mean([z not in set(EmptySet()(sample, rng)) for z in sample]))
    low, high = mean_interval(float(np.mean(fresh)), trials, 1e-3)
    outcomes += [
        Outcome(
            "holds" if max(seen) == 0 and min(fresh) == 1 else "contradicted",
            "under continuous distributions the set of what was seen has empirical risk 0 and risk 1: AERM, not "
            "generalising",
            f"{trials:,} samples of 20 uniform records: empirical risk {np.mean(seen):g} in each, risk in "
            f"[{low:.4g}, {high:.4g}]",
            "wang2016:ex-17",
            "number",
            learner="wang2016.support",
            # a tie among uniform doubles is all that could make it wrong, and is less likely than that
            level=1e-3 if max(seen) == 0 and min(fresh) == 1 else 1e-9,
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
    atoms_tried = (4, 16) if quick else (4, 16, 32)
    few = [(n, epsilon, *risk_of_few_points(n, epsilon)) for n in atoms_tried for epsilon in (0.5, 1.0)]
    outcomes.append(
        replace(
            together(
                [
                    at_most("wang2016:ex-17", f"{n} atoms, epsilon = {epsilon:g}", point(least), risk)
                    for n, epsilon, risk, least in few
                ],
                "no private learner is AERM: of epsilon-DP learners of sets of at most one point, records uniform over "
                f"N atoms, the empirical risk is 1 - e^epsilon/N or more (N = {', '.join(map(str, atoms_tried))}, "
                "epsilon 0.5, 1), which tends to 1",
                "; ".join(
                    f"N = {n}, epsilon = {epsilon:g}: {float(risk):.4g}, at least {float(least):.4g}"
                    for n, epsilon, risk, least in few
                ),
            ),
            kind="lower bound",
            learner="wang2016.regularised",
        )
    )
    chart = Chart(
        "supports",
        "Risk of the set of what was seen",
        "n",
        "expected risk",
        (
            curve(f"uniform over {atoms} atoms", 0, numbers, uniform),
            curve(
                f"N/(n + 1) (n/(n + 1))^n, no law on {atoms} atoms is above",
                1,
                numbers,
                [min(1, w) for w in worst],
                bound=True,
            ),
            curve("uniform over 3n atoms", 2, numbers, hard),
            curve("N/n", 3, numbers, [min(2.0, atoms / n) for n in numbers], bound=True),
        ),
        (Mark("2/3", y=2 / 3, colour=5), Mark("e^(-1/3)", y=math.exp(-1 / 3), colour=7)),
        y_log=True,
        y_range=(1e-4, 2.5),
        alt="With finitely many atoms the risk falls like 1/n, with 3n atoms it stays above two thirds.",
    )
    return Measurement(
        "finite-sets",
        "Finite sets of points: learnable for few atoms, and not by private AERM",
        ("wang2016:ex-16", "wang2016:ex-17"),
        "Hypotheses are finite subsets of [0, 1], the loss is 1 outside the set. The expected risk of the set of "
        "what was seen in fractions, and both learners on continuous records.",
        f"Over 3n atoms the risk tends to e^(-1/3) = {math.exp(-1 / 3):.4f}, {float(hard[-1]):.4f} at n = "
        f"{numbers[-1]:,}. {tally(outcomes)}",
        EXACT + f" Example 17: {trials:,} samples of records without ties.",
        (chart,),
        (
            Table(
                "Expected risk of the set of what was seen",
                ("n", f"uniform over {atoms}", f"at most, on {atoms}", "N/n", "uniform over 3n"),
                tuple(
                    (f"{n:,}", f"{float(u):.4g}", f"{min(1.0, float(w)):.4g}", f"{atoms / n:.4g}", f"{float(h):.6g}")
                    for n, u, w, h in zip(numbers, uniform, worst, hard, strict=True)
                ),
            ),
        ),
        tuple(outcomes),
        trials=trials,
    )


RUNS = (
    Run("unprivate", ("wang2016:prop-11",), unprivate, (0.8, 2.0)),
    Run("finite-sets", ("wang2016:ex-16", "wang2016:ex-17"), supports, (0.2, 2.4)),
)
