"""Learning without the paper's own learner: finite classes, a known marginal, labelled public data, and two reductions.

The statements are others' results that the paper leans on; each is run with a learner of this project and a size whose
constants are derived in words.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from dpcheck.classes import GridThresholds, Thresholds
from dpcheck.learners.alon2019 import CoverLearner, FixedPublic, GenericLearner
from dpcheck.learners.baselines import EmpiricalRiskMinimiser
from dpcheck.reality.alon2019.setting import FAILURE, TOGETHER
from dpcheck.reality.model import Measurement, Outcome, Table
from dpcheck.reality.upper import UpperBound, check_upper_bound, measure_upper_bound
from dpcheck.theorems.alon2019.bounds import BOUNDS
from dpcheck.theorems.bounds import Bound, Range, symbol
from dpcheck.utility.distributions import UniformGrid, UniformInterval, two_points

_UNIT = Range(Fraction(0), Fraction(1))
#: Labelled data alone, for thresholds on the line under any law.
LABELLED = Bound(
    source="alon2019:obs-2.a",
    size="n",
    sense="sufficient",
    expression=8 * sympy.log(4 / symbol("failure")) / symbol("accuracy") ** 2,
    domain={"n": Range.integers(1), "accuracy": _UNIT, "failure": _UNIT},
    derivation="a threshold's mistakes are the points labelled 1 below it and those labelled 0 above it; the frequency "
    "of each of the two is off by more than accuracy/4 for some threshold with probability at most "
    "2 exp(-n accuracy^2/8) (Dvoretzky, Kiefer and Wolfowitz, with Massart's constant), and a minimiser's excess is at "
    "most twice the sum",
    letters={"alpha": "accuracy", "beta": "failure"},
)


def generic_learner(seed: int, quick: bool) -> Measurement:
    """The generic learner over a finite class at its own size, its failure probability computed."""
    points = 4
    declared = UpperBound(
        "alon2019:thm-kln",
        f"the generic learner learns thresholds on {points} points from the two-point law",
        GenericLearner(GridThresholds(points), 1.0),
        two_points(2),
        {"private": BOUNDS["generic"]},
        {"accuracy": "1/4", "failure": FAILURE, "epsilon": 1, "hypotheses": points + 1},
        name="alon2019.generic",
        exactly=True,
    )
    return measure_upper_bound(
        declared, key="generic-learner", title="The generic learner over a finite class", seed=seed, quick=quick
    )


def other_routes(seed: int, quick: bool) -> Measurement:
    """Labelled data alone, a known marginal, and the two cited reductions, each at an explicit size."""
    accuracy = Fraction(1, 10)
    line, noise = Thresholds(), UniformInterval(noise=0.1)
    alone = UpperBound(
        "alon2019:obs-2.a",
        "labelled public examples suffice alone: the minimiser of mistakes on thresholds over [0, 1] with 10% noise, "
        "n = 8 log(4/beta)/alpha²",
        EmpiricalRiskMinimiser(line),
        noise,
        {"public": LABELLED},
        {"accuracy": accuracy, "failure": FAILURE},
        name="baselines.erm",
    )
    # half of the accuracy goes to the cover, which is exact: thresholds at multiples of it, as the marginal is known
    cover = [float(accuracy) / 2 * place for place in range(1, 20)]
    known = UpperBound(
        "alon2019:obs-1.c",
        f"with D_X known, a private choice in a cover of {len(cover) + 1} thresholds, computed from D_X, learns with "
        "n_priv of the explicit form of thm-3.1",
        FixedPublic(CoverLearner(line, 1.0), cover),
        noise,
        {"private": BOUNDS["private"]},
        {"accuracy": accuracy, "failure": FAILURE, "epsilon": 1, "cover": len(cover) + 1},
        name="alon2019.cover",
        arguments={"family": line},
    )
    outcomes = [check_upper_bound(each, seed=seed + n, search=True) for n, each in enumerate((alone, known))]
    outcomes += _reductions(seed + 10)
    few, more = (each.measured for each in outcomes[:2])
    ratio = f"{more / few:.3g}" if few and more else ""
    return Measurement(
        "other-routes",
        "Without A_SSPP: labelled data alone, a known marginal, and two reductions",
        ("alon2019:obs-2.a", "alon2019:obs-1.c", "alon2019:lem-2.5", "alon2019:lem-2.6"),
        "What the paper says of other ways to learn, with explicit sizes on thresholds: labelled data alone; a cover "
        "from a known marginal; and, of the two cited reductions, premise and conclusion on one class (thresholds on "
        "16 points), each with the generic learner at its own size. That a reduction exists for every class is "
        "not run.",
        " ".join(f"{each.result.partition(':')[2]}: {each.word}." for each in outcomes)
        + (
            f" The private learner that knows D_X (epsilon = 1) passes from {ratio} times as many examples as the "
            "minimiser of mistakes."
            if ratio
            else ""
        ),
        f"Holds is wrong with probability at most 1e-3 a row; each measured size is right save with probability "
        f"{TOGETHER:g}.",
        tables=(
            Table(
                "Examples for excess error 0.1 with failure 0.1, thresholds over [0, 1], 10% noise",
                ("statement", "learner", "explicit size", "measured", "times"),
                tuple(
                    (
                        each.result,
                        each.learner,
                        f"{each.size:,.0f}",
                        "" if each.measured is None else f"{each.measured:,.0f}",
                        "" if each.slack is None else f"{each.slack:.3g}",
                    )
                    for each in outcomes[:2]
                ),
            ),
        ),
        outcomes=tuple(outcomes),
        trials=sum(each.trials for each in outcomes),
    )


def _reductions(seed: int) -> list[Outcome]:
    """Lemmas 2.5 and 2.6 on thresholds over 16 points: what each assumes, and what it concludes."""
    size = 16
    family = GridThresholds(size)

    def generic(result: str, claim: str, noise: Any, epsilon: Any, accuracy: Any, failure: Any) -> UpperBound:
        return UpperBound(
            result,
            f"{claim}, on thresholds over {size} points",
            GenericLearner(family, epsilon),
            UniformGrid(size, threshold=size // 2, noise=Fraction(noise)),
            {"private": BOUNDS["generic"]},
            {"accuracy": accuracy, "failure": failure, "epsilon": epsilon, "hypotheses": size + 1},
            name="alon2019.generic",
        )

    tenth = Fraction(1, 10)
    declared = (
        generic("alon2019:lem-2.5", "what it assumes: learnt privately from realisable data", 0, tenth, tenth, tenth),
        generic("alon2019:lem-2.5", "what it concludes: learnt privately with 20% noise", "1/5", tenth, tenth, tenth),
        generic("alon2019:lem-2.6", "what it assumes: a (0.1, 0.1, 0.1)-pure learner", 0, tenth, tenth, tenth),
        generic("alon2019:lem-2.6", "what it concludes: a pure learner at (0.05, 0.02)", 0, tenth, "1/20", "1/50"),
    )
    return [check_upper_bound(each, seed=seed + place) for place, each in enumerate(declared)]
