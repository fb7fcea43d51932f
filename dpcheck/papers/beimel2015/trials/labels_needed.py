"""Labels that every learner needs, exactly on the hard instance."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

from dpcheck.papers.beimel2015.trials.laws import as_ball, precisely
from dpcheck.papers.beimel2015.trials.outcomes import EXACT, below, decided, exactly
from dpcheck.parts.mechanisms.amplification import ball
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import Line, Page, Pivot, Plot
from dpcheck.trial.relations import all_true
from dpcheck.trial.rows import Findings, Row, exact, line

#: The dimensions that are drawn, at alpha = 0.05.
_DRAWN, _ACCURACY = (5, 17, 33), Fraction(1, 20)
_HALF, _TENTH = Fraction(1, 2), Fraction(1, 10)


def optimal_failure(dimension: int, accuracy: Fraction, labelled: int) -> Any:
    """The failure probability of the best learner on the hard instance of thm-B.3, averaged over targets; in a ball.

    All functions on V points, one of mass ``1 - 8 alpha``, the others of ``8 alpha / (V - 1)`` each: whatever is
    answered on points that were not seen, each is wrong with probability 1/2, independently.

    >>> float(optimal_failure(2, Fraction(1, 16), 0))
    0.5
    """
    cells = dimension - 1
    hit = ball(8 * accuracy)
    seen = [ball(1)] + [ball(0)] * cells
    for _ in range(labelled):
        seen = [
            seen[j] * (1 - hit * ball(Fraction(cells - j, cells)))
            + (seen[j - 1] * hit * ball(Fraction(cells - j + 1, cells)) if j else ball(0))
            for j in range(cells + 1)
        ]
    missed = ball(0)
    for j, chance in enumerate(seen):
        unseen = cells - j
        ways = sum(math.comb(unseen, w) for w in range(unseen + 1) if 8 * w > cells)
        missed += chance * ball(Fraction(ways, 2**unseen))
    return missed


@precisely
def labels_needed(seed: int, quick: bool) -> Findings:
    """thm-B.3: no learner does with fewer labels, exactly on the hard instance."""
    rows: list[Row] = []
    held, least = [], []
    for dimension, accuracy in product((2, 3, 5, 9, 17, 33), (Fraction(1, 8), _ACCURACY, Fraction(1, 100))):
        needed = Fraction(dimension - 1) / (16 * accuracy)
        missed = optimal_failure(dimension, accuracy, math.ceil(needed) - 1)
        held.append(below(as_ball(Fraction(1, 7)), missed))
        if accuracy == _ACCURACY:
            least.append(float(missed))
            values = {"(VC - 1)/(16 alpha)": needed, "m": math.ceil(needed) - 1, "least failure of any learner": missed}
            rows += line(values, {"VC": dimension})
    sizes = sorted({int(1.3**j) for j in range(4, 24 if quick else 28)})
    for v in _DRAWN:
        chances = [optimal_failure(v, _ACCURACY, m) for m in sizes]
        rows += exact("the best learner, exact", chances, m=sizes, VC=v)
    fair = _two_points()
    outcomes = (
        decided(
            "thm-B.3",
            "as repaired, alpha at most 1/8 and beta at most 1/7: below (VC - 1)/(16 alpha) labels every learner "
            "fails with probability above beta",
            all_true(held),
            f"{len(held)} pairs of VC and alpha, all learners, in balls",
            kind="lower bound",
        ),
        fair,
    )
    told = (
        "Below (VC - 1)/(16 alpha) labels every learner fails with probability at least "
        f"{min(least):.3f} at alpha = 0.05. {fair.detail}."
    )
    return Findings(rows, outcomes, told)


PAGE = Page(
    "Labels that every learner needs",
    "All functions on V points of which one has most of the mass: the failure probability of the best possible "
    "learner, averaged over targets, computed; so every learner fails at least as often for some target. At one label "
    "fewer than the bound it must be above beta.",
    (
        Plot(
            "needed",
            "Failure of the best learner, alpha = 0.05",
            "m",
            "failure probability",
            by="VC",
            x_label="labels m",
            lines=(
                Line("beta = 1/7", y=1 / 7),
                *(Line(f"bound, VC = {v}", x=(v - 1) / (16 * float(_ACCURACY))) for v in _DRAWN),
            ),
        ),
    ),
    (Pivot("One label below the bound, alpha = 0.05", ("VC",)),),
    evidence=EXACT,
)


def _two_points() -> Outcome:
    """thm-B.3 as printed for every beta below 1/2: two labels, two points, a fair coin where not seen."""
    accuracy, labelled = Fraction(1, 64), 2
    worst = Fraction(0)
    for k in range(1001):
        p = Fraction(k, 1000)
        # unseen second point (of mass 1 - p, first of mass p): wrong with probability 1/2, which matters above alpha
        missed = sum((mass > accuracy) * (1 - mass) ** labelled for mass in (p, 1 - p))
        worst = max(worst, Fraction(missed) / 2)
    limit = _HALF - accuracy + accuracy**2
    needed = Fraction(2 - 1) / (16 * accuracy)
    return exactly(
        "thm-B.3",
        "as printed, for every beta below 1/2: at alpha = 1/64 two labels are too few for all functions on two points",
        max(worst, limit) >= _HALF,
        f"a learner that tosses a coin for a point not seen fails with probability at most {float(worst):.4f} over "
        "masses "
        f"0, 0.001, ..., 1, and, as the errata prove, at most 1/2 - alpha + alpha^2 = {float(limit):.4f} over all; "
        f"that is below 1/2, with 2 labels where {needed} are said to be needed",
        kind="lower bound",
        expected="thm-B.3: it holds for alpha at most 1/8 and beta at most 1/7",
    )
