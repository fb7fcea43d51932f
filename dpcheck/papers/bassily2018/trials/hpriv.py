"""Claim 4.1 and remark 3 exactly: the error of hpriv, and the chance that a label on Q is wrong."""

from __future__ import annotations

import math
from fractions import Fraction

from dpcheck.papers.bassily2018.learners.accounting import open_answer_chance
from dpcheck.papers.bassily2018.learners.scales import Scales
from dpcheck.papers.bassily2018.learners.sizes import printed_scales
from dpcheck.papers.bassily2018.theorems import rates_instances
from dpcheck.papers.bassily2018.theorems.rates_instances import printed_cutoff
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import Line, Page, Pivot, Plot
from dpcheck.trial.relations import compared, enclosed, refuted_by
from dpcheck.trial.rows import Findings, exact
from dpcheck.trial.run import Run

EPSILON, DELTA = 1.0, 1e-6
_WHY = "bassily2018:clm-4.1: one vote is at distance 0 whatever it is, and large epsilon leaves one model"
_WHY_CHAIN = "bassily2018:clm-4.1 (C4.1.final): the root is of order 1, not alpha"
_WHY_R3 = "bassily2018:rem-3: at accuracy 1/m about one query is misclassified on average; none asks for beta/m"


def wrong_label(models: int, wrong: int, scales: Scales) -> float:
    """The chance, rounded up, that a run on one query gives the wrong label, an abstention replaced by a coin.

    Examples
    --------
    >>> scales = printed_scales(1.0, 1e-6, 0.05, 100, 1)
    >>> wrong_label(scales.models, 0, scales) < 1e-9, wrong_label(scales.models, scales.models // 2, scales) > 0.49
    (True, True)
    """
    lead = abs(models - 2 * wrong)
    distance = max(0, lead - 1)
    answered = open_answer_chance(scales, distance)
    # the difference of two Laplace variables is symmetric
    none = open_answer_chance(scales, 2 * scales.threshold - distance)
    if 2 * wrong >= models:
        return min(1.0, answered + none / 2)
    return none / 2


def error_factor(accuracy: float, share: float, queries: int, failure: float) -> tuple[float, int]:
    """err(hpriv) - gamma over alpha, rounded up, where a part of the votes is wrong on as many points as alpha allows.

    Each of k models is wrong on a part alpha of the points, and where any is wrong a share of all of them is: on a part
    alpha/share of the points. Labels flipped with probability gamma leave the factor as it is.

    Examples
    --------
    >>> factor, models = error_factor(0.01, 1.0, 1000, 0.01)
    >>> round(factor, 6)
    1.0
    """
    cutoff = max(1, math.ceil(printed_cutoff(accuracy, queries, failure)))
    scales = printed_scales(EPSILON, DELTA, failure, queries, cutoff)
    models = scales.models
    wrong = max(1, math.ceil(share * models))
    mass = min(1.0, accuracy * models / wrong)
    # where no model is wrong, a coin for an abstention
    rest = (1 - mass) * wrong_label(models, 0, scales)
    return (mass * wrong_label(models, wrong, scales) + rest) / accuracy, models


def error_of_hpriv(seed: int, quick: bool) -> Findings:
    """Claim 4.1: err(hpriv; P) <= 3 gamma + 7 alpha."""
    accuracies = (0.1, 0.01, 0.001)
    shares = sorted({*(0.02 * step for step in range(1, 51)), 0.34, 0.45, 0.47, 0.48, 0.49, 0.495, 0.505, 0.51})
    rows, worst = [], (0.0, 0.0, 0.0, 0)
    for accuracy in accuracies:  # beta is alpha too
        queries = math.ceil(4 * math.log(1 / (accuracy * accuracy)) / accuracy)
        found = [error_factor(accuracy, share, queries, accuracy) for share in shares]
        worst = max(worst, *((factor, accuracy, at, k) for (factor, k), at in zip(found, shares, strict=True)))
        rows += exact("exact", [factor for factor, _ in found], share=shares, alpha=accuracy)
    single = rates_instances.one_model()
    outcomes = (
        enclosed(
            "bassily2018:clm-4.1",
            "as repaired (T >= 1, lam log A >= 1/3): err(hpriv; P) <= 3 gamma + 7 alpha, for every share of "
            "wrong votes",
            0,
            worst[0],
            7,
            detail=f"(err - gamma)/alpha is at most {worst[0]:.4f}, alpha = {worst[1]:g}, {worst[2]:.3g} of "
            f"{worst[3]:,} votes wrong, at {len(shares) * len(accuracies)} settings; gamma adds gamma once",
            kind="upper bound",
            learner="bassily2018.labels",
        ),
        enclosed(
            "bassily2018:clm-4.1",
            "the repaired bound, err(hpriv; P) <= 3 gamma + 3 alpha + beta",
            0,
            worst[0],
            3,
            detail=f"(err - gamma)/alpha is at most {worst[0]:.4f}",
            kind="upper bound",
            learner="bassily2018.labels",
        ),
        refuted_by(
            "bassily2018:clm-4.1",
            "as printed, for every epsilon: err(hpriv; P) <= 3 gamma + 7 alpha at alpha = 0.01",
            single,
            "the error is 1/2 or more, against 0.07",
            kind="upper bound",
            expected=_WHY,
            learner="bassily2018.labels",
        ),
        _chain(),
    )
    told = (
        f"The worst share of wrong votes makes the error gamma + {worst[0]:.3f} alpha: {7 / worst[0]:.1f} times less "
        f"than the 7 alpha of the claim, {3 / worst[0]:.2f} times less than the 3 alpha of its repair."
    )
    return Findings(rows, outcomes, told)


ERROR_OF_HPRIV = Page(
    "The error of a single private label",
    "All models have error gamma + alpha, and are wrong together in groups of one size: where any is wrong a given "
    "share of the votes is. The exact error of hpriv, with the k, lambda and threshold of the printed formulas at "
    "epsilon = 1, the least m of the claim and beta = alpha.",
    (
        Plot(
            "error-by-share",
            "(err(hpriv) - gamma)/alpha by the share of wrong votes",
            "share",
            "error over alpha",
            by="alpha",
            x_label="share of the votes that is wrong where any is",
            x_log=False,
            scale="linear",
            lines=(Line("7, as printed", y=7.0), Line("3, as repaired", y=3.0)),
        ),
    ),
)


def _chain() -> Outcome:
    """The last inequality of the printed proof at alpha = beta = 1/100, gamma = 0, m = 3685, in balls."""
    from flint import arb, ctx, fmpq

    with ctx.workprec(128):
        tenth = arb(fmpq(1, 100))
        left = tenth + 3 * (tenth + ((arb(3685) / tenth).log() / (2 * 3685 * tenth)).sqrt())
        low, high = float(left.lower()), float(left.upper())
    return enclosed(
        "bassily2018:clm-4.1",
        "the printed chain ends: beta + 3(alpha + gamma + sqrt(log(m/beta)/(2m(alpha + gamma)))) <= 7 alpha + 3 gamma",
        low,
        high,
        Fraction(7, 100),
        detail=f"alpha = beta = 1/100, gamma = 0, m = 3,685, the least: {low:.4f} against 0.07",
        expected=_WHY_CHAIN,
    )


def noisy_labels(seed: int, quick: bool) -> Findings:
    """Claim 7: wrong labels on Q at accuracy alpha, 1/m and beta/(3m)."""
    failure = Fraction(1, 20)
    queries = [2, 3, 5, 10, 30, 100, 300, 1000] + ([] if quick else [3000, 10_000])
    tenth = [1 - (1 - Fraction(1, 100)) ** m for m in queries]
    alike = [1 - (1 - Fraction(1, m)) ** m for m in queries]
    repaired = [1 - (1 - failure / m) ** m for m in queries]
    rows = [
        *exact("accuracy 0.01", tenth, m=queries),
        *exact("accuracy 1/m, as printed", alike, m=queries),
        *exact("accuracy beta/(3m), as repaired", repaired, m=queries),
    ]
    least, most = float(min(alike)), float(max(repaired))
    outcomes = (
        compared(
            "bassily2018:rem-3",
            "as printed: with accuracy 1/m no query is misclassified, except with probability beta < 1/2",
            all(each <= Fraction(1, 2) for each in alike),
            f"all models wrong on the same part 1/m of the points: some query is misclassified with probability "
            f"{least:.4f} or more, m from {queries[0]} to {queries[-1]:,}",
            kind="upper bound",
            expected=_WHY_R3,
            learner="bassily2018.A_binClas",
        ),
        compared(
            "bassily2018:rem-3",
            "as repaired: with accuracy beta/(3m) no query has more than a third of the votes wrong, except with "
            "probability beta",
            all(each <= failure for each in repaired),
            f"a third of the models wrong on each of as many points as can be: at most {most:.5f}, beta = 0.05",
            kind="upper bound",
            learner="bassily2018.A_binClas",
        ),
    )
    told = (
        f"At accuracy 1/m some label is wrong with probability {least:.3f} to {float(max(alike)):.3f}; at "
        f"beta/(3m), beta = 0.05, at most {most:.4f}; at a fixed 0.01 up to {float(max(tenth)):.3f}."
    )
    return Findings(rows, outcomes, told)


NOISY_LABELS = Page(
    "Wrong labels on the public points",
    "The probability that some of m queries gets a wrong label: all models wrong on the same part of the points, of "
    "size alpha = 0.01 or 1/m; and for accuracy beta/(3m) a third of the votes wrong wherever any is.",
    (
        Plot(
            "some-label-wrong",
            "The probability that some label on Q is wrong",
            "m",
            "probability",
            x_label="queries m",
            scale="log",
            lines=(Line("beta = 0.05", y=0.05),),
        ),
    ),
    (Pivot("Some label is wrong, with probability", ("m",)),),
)


RUNS: tuple[Run, ...] = (
    Run("error-of-hpriv", ("bassily2018:clm-4.1",), error_of_hpriv, (0.1, 0.1), ERROR_OF_HPRIV),
    Run("noisy-labels", ("bassily2018:rem-3",), noisy_labels, (0.1, 0.1), NOISY_LABELS),
)
