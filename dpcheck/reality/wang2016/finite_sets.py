"""Finite sets of points, learnable and not by private AERM; and private learners made non-private."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck.learners.hard_instances.wang2016 import (
    UniformAtoms,
    largest_risk_of_support,
    risk_of_support,
)
from dpcheck.learners.wang2016 import (
    EmptySet,
    OptimalPrivateLearner,
    Support,
    Unprivate,
)
from dpcheck.reality.measuring import Run
from dpcheck.reality.model import Chart, Mark, Measurement, Outcome, Table
from dpcheck.reality.relations import compared
from dpcheck.reality.wang2016.exact import (
    EXACT,
    TWO,
    at_most,
    curve,
    instance,
    loss_of,
    point,
    tally,
    together,
    two_laws,
)
from dpcheck.theorems.wang2016.separations_instances import each_distribution_is_learnt
from dpcheck.utility.bounded_means import mean_interval
from dpcheck.utility.stability import expected_losses


def unprivate(seed: int, quick: bool) -> Measurement:
    """Proposition 11: what is learnt privately is learnt by a learner that hides nothing."""
    outcomes, risks = [], []
    infinite = []
    for n in (2, 4, 8) if quick else (2, 4, 8, 16):
        for epsilon in (0.5, 2.0):
            private = OptimalPrivateLearner(TWO, epsilon, n)
            problems: dict[str, Any] = {
                "outside": Unprivate(private, marker=1, outside=2),
                "conditioned or minimising": Unprivate(private, marker=1, problem=TWO),
            }
            clean = expected_losses(private, TWO, n)
            for name, learner in problems.items():
                laws = two_laws(learner, [([0] * n, [0] * (n - 1) + [1])])
                if name == "outside":
                    infinite.append(math.isinf(loss_of(laws)))
                    continue
                table = expected_losses(learner, TWO, n, form="histogram")
                for ones in range(6):
                    law = [Fraction(5 - ones, 5), Fraction(ones, 5)]
                    one, other = table.under(law).risk, clean.under(law).risk
                    risks.append(
                        at_most("wang2016:prop-11", f"n = {n}, P(1) = {ones}/5", one - other, point(Fraction(1, n)))
                    )
    outcomes.append(
        compared(
            "wang2016:prop-11",
            "with the marker among the records the likelihood ratio is infinite, whatever epsilon",
            all(infinite),
            f"{len(infinite)} pairs of neighbours, exact",
            kind="privacy",
        )
    )
    outcomes.append(
        together(
            risks, "and the risk is at most 1/n larger than the private learner's", f"{len(risks)} exact comparisons"
        )
    )
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
    )


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
            level=1e-3,
            trials=trials,
        ),
        Outcome(
            "holds" if min(empty) == 1 else "contradicted",
            "the empty set is 0-DP, has risk 1, which is the least there, and empirical risk 1: consistent, not "
            "AERM; an epsilon-DP learner has at least e^(-epsilon)",
            f"its claim is {EmptySet().claim!r}; empirical risk {np.mean(empty):g} in {trials:,} samples",
            "wang2016:ex-17",
            "number",
            learner="wang2016.empty",
            trials=trials,
        ),
    ]
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
    Run("unprivate", ("wang2016:prop-11",), unprivate, (0.3, 0.5)),
    Run("finite-sets", ("wang2016:ex-16", "wang2016:ex-17"), supports, (0.2, 0.3)),
)
