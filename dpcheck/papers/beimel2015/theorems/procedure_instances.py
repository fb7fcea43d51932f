"""The exact instances that refute lines about LabelBoostProcedure (beimel2015, lemma 4.1 and claim 4.2)."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np

from dpcheck.proof.instances import Enumeration


def equal_after_relabelling(moved: int = 0) -> Enumeration:
    """Inputs that differ in one label give, hypothesis by hypothesis, the same relabelled database (by the learner).

    With ``moved = 1`` the point is another one, too, and so are the databases.
    """
    from dpcheck.papers.beimel2015.learners import ExponentialLearner, LabelBoostProcedure
    from dpcheck.parts.classes import GridThresholds

    grid = GridThresholds(2)
    learner = LabelBoostProcedure(ExponentialLearner(grid, 1), grid)
    count, failure = 0, ""
    for point, other in itertools.product((0, 1), repeat=2):
        first = [(point, 0), (other, -1)]
        second = [((point + moved) % 2, 1), (other, -1)]
        for h in learner.candidates(first):
            count += 1
            one, two = learner.relabelled(first, h), learner.relabelled(second, h)
            if (one.x != two.x).any() or (one.y != two.y).any():
                failure = f"points {point}, {other}, h = {h}"
    return Enumeration(
        "thresholds on two points, S one entry with the label 0 or 1, T one entry: every hypothesis relabels both inputs "
        "to the same database", count, failure,
    )  # fmt: skip


def one_entry_of_eleven(points: int = 11) -> Enumeration:
    """One labelled entry, all functions on 11 points: the budget of #T is met by 0, and the choice errs too often.

    The law is that of the exponential mechanism over the two dichotomies of the point, as its learner declares it.
    """
    from dpcheck.papers.beimel2015.learners import ExponentialLearner
    from dpcheck.parts.classes import GridThresholds
    from dpcheck.parts.mechanisms.mixtures import mixture

    grid, failure = GridThresholds(1), ""
    if not 0.25 / math.e * points * math.exp(0.25 / points) - 1 > 0.01:
        failure = "the hypothesis on #T fails"
    for label in (0, 1):
        law = mixture([1], [ExponentialLearner(grid, Fraction(1)).distribution(([0], [label]))])
        assert law.exact is not None
        labels = [int(each) for each in grid.predict(np.asarray(law.outputs), [0])[:, 0]]
        chance = dict(zip(labels, law.exact, strict=True))
        right, wrong = chance[label], chance[1 - label]
        if not (4 * wrong > 1 and right > wrong):  # in balls, whose comparisons are certain
            failure = f"label {label}: {chance}"
    return Enumeration(
        f"all functions on {points} points, S one entry, T empty, alpha = 1/2, beta = 1/4: both labels, the law of the choice", 2,
        failure,
    )  # fmt: skip
