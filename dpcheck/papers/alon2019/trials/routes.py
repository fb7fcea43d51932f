"""Learning without the paper's own learner: finite classes, a known marginal, labelled public data, and a reduction.

The statements are others' results that the paper leans on; each is run with a learner of this project and a size whose
constants are derived in words.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import sympy

from dpcheck import Records, ReplaceOne
from dpcheck.papers.alon2019.learners import CoverLearner, FixedPublic, GenericLearner
from dpcheck.papers.alon2019.theorems.bounds import BOUNDS
from dpcheck.papers.alon2019.trials.setting import FAILURE
from dpcheck.papers.beimel2015.learners import LabelBoostProcedure
from dpcheck.parts.classes import GridThresholds, Thresholds
from dpcheck.parts.learners.baselines import EmpiricalRiskMinimiser
from dpcheck.proof.bounds import Bound, Range, evaluate, symbol
from dpcheck.trial import upper
from dpcheck.trial.model import Outcome, Word
from dpcheck.trial.page import TOGETHER, Page
from dpcheck.trial.privacy import PrivacyCheck
from dpcheck.trial.rows import Findings
from dpcheck.trial.upper import UpperBound, check_upper_bound, measure_upper_bound
from dpcheck.utility.distributions import UniformGrid, UniformInterval, two_points
from dpcheck.utility.slopes import compare_slopes

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
#: Data labelled anew by a private choice, and a private choice on that.
RELABELLED = Bound(
    source="alon2019:lem-2.5",
    size="n",
    sense="sufficient",
    expression=sympy.Max(
        32 * sympy.log(6 * symbol("hypotheses") / symbol("failure")) / symbol("accuracy") ** 2,
        8 * sympy.log(3 * symbol("hypotheses") / symbol("failure")) / (symbol("epsilon") * symbol("accuracy")),
    ),
    domain={
        "n": Range.integers(1),
        "accuracy": _UNIT,
        "failure": _UNIT,
        "epsilon": Range(Fraction(0), None),
        "hypotheses": Range.integers(1),
    },
    derivation="with probability 1 - failure/3 each all frequencies are within accuracy/8 (Hoeffding), the labels are "
    "those of a threshold with at most accuracy/4 more mistakes than the best, and what the learner chooses differs "
    "from it on at most accuracy/4 of the records (the exponential mechanism, twice)",
    letters={"alpha": "accuracy", "beta": "failure"},
)


def generic_learner(seed: int, quick: bool) -> Findings:
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
    return measure_upper_bound(declared, seed=seed, quick=quick)


GENERIC_LEARNER = replace(upper.PAGE, title="The generic learner over a finite class")


def other_routes(seed: int, quick: bool) -> Findings:
    """Labelled data alone, a known marginal, and a cited reduction, each at an explicit size."""
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
    outcomes += [_price_of_privacy(), *_reductions(seed + 10)]
    few, more = (each.measured for each in outcomes[:2])
    told = " ".join(f"{each.result.partition(':')[2]}: {each.word}." for each in outcomes)
    if few and more:
        told += (
            f" The private learner that knows D_X (epsilon = 1) passes from {more / few:.3g} times as many examples as "
            "the minimiser of mistakes."
        )
    return Findings((), outcomes, told)


OTHER_ROUTES = Page(
    "Without A_SSPP: labelled data alone, a known marginal, and a reduction",
    "What the paper says of other ways to learn, with explicit sizes on thresholds: labelled data alone; a cover "
    "from a known marginal; and, of the cited reduction from realisable to any data, one that this project has "
    "(label boosting), on thresholds over 16 points. That there is one for every class and learner is not run.",
    evidence="Holds is wrong with probability at most 1e-3 a row; each measured size is right save with probability "
    f"{TOGETHER:g}.",
)


def _reductions(seed: int) -> list[Outcome]:
    """Lemma 2.5 on thresholds over 16 points: a realisable learner, and what label boosting makes of it."""
    size, tenth = 16, Fraction(1, 10)
    family = GridThresholds(size)
    realisable = GenericLearner(family, tenth)
    declared = (
        UpperBound(
            "alon2019:lem-2.5",
            f"what it assumes: realisable data is learnt privately, on thresholds over {size} points",
            realisable,
            UniformGrid(size, threshold=size // 2),
            {"private": BOUNDS["generic"]},
            {"accuracy": tenth, "failure": tenth, "epsilon": tenth, "hypotheses": size + 1},
            name="alon2019.generic",
        ),
        UpperBound(
            "alon2019:lem-2.5",
            "what it concludes: made of that learner, whose data are first labelled anew by a privately chosen "
            f"threshold, one that learns with 20% noise, on thresholds over {size} points",
            LabelBoostProcedure(realisable, family, epsilon=tenth),
            UniformGrid(size, threshold=size // 2, noise=Fraction(1, 5)),
            {"private": RELABELLED},
            {"accuracy": tenth, "failure": tenth, "epsilon": tenth, "hypotheses": size + 1},
            name="beimel2015.label_boost_procedure",
        ),
    )
    small = GridThresholds(2)
    made = LabelBoostProcedure(GenericLearner(small, 1.0), small, epsilon=1.0)
    private = PrivacyCheck(
        "alon2019:lem-2.5",
        "what it concludes: privacy, of one made so of a learner and of a choice that are both 1-private: "
        f"{made.claim}",
        made,
        made.claim,
        neighbours=ReplaceOne(records=Records.labelled(features=[0, 1], labels=[0, 1]), size=2),
        name="beimel2015.label_boost_procedure",
        max_samples=1_000,
    )
    return [*(check_upper_bound(each, seed=seed + place) for place, each in enumerate(declared)), private.check(seed)]


def _price_of_privacy() -> Outcome:
    """obs-1.c: the private size over the one without privacy, as far as the formulas go."""
    accuracies = [Fraction(1, 2**power) for power in range(3, 18, 2)]
    ratios = []
    for accuracy in accuracies:
        private = evaluate(BOUNDS["private"], accuracy=accuracy, failure=FAILURE, epsilon=1, cover=int(2 / accuracy))
        alone = evaluate(LABELLED, accuracy=accuracy, failure=FAILURE)
        ratios.append(Fraction(int(private), int(alone)))  # type: ignore[arg-type]
    found = compare_slopes(
        accuracies, ratios, ratios, lambda alpha: (1.0, math.log(1 / alpha)), free="terms", factor=Fraction(21, 20)
    )
    words: dict[str, Word] = {"compatible": "compatible", "not compatible": "not compatible"}
    return Outcome(
        words.get(found.verdict, "undecided"),
        "with D_X known, roughly the sample complexity without privacy: the explicit size (epsilon = 1, a cover of "
        "2/alpha thresholds) is a constant and a multiple of log(1/alpha) times that of the minimiser of mistakes",
        f"alpha from {float(accuracies[0]):g} to {float(accuracies[-1]):.2g}: {float(ratios[0]):.3g} to "
        f"{float(ratios[-1]):.3g} times; {found.detail}",
        "alon2019:obs-1.c",
        "order",
        learner="alon2019.cover",
    )
