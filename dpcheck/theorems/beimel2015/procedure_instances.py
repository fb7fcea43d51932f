"""The exact instances that refute lines about LabelBoostProcedure (beimel2015, lemma 4.1 and claim 4.2)."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

from dpcheck.theorems.instances import Enumeration


def equal_after_relabelling() -> Enumeration:
    """Inputs that differ in one label give, hypothesis by hypothesis, the same relabelled database (by the learner)."""
    from dpcheck.classes import GridThresholds
    from dpcheck.learners.beimel2015 import ExponentialLearner, LabelBoostProcedure

    grid = GridThresholds(2)
    learner = LabelBoostProcedure(ExponentialLearner(grid, 1), grid)
    count, failure = 0, ""
    for point, other in itertools.product((0, 1), repeat=2):
        first, second = ([(point, label), (other, -1)] for label in (0, 1))
        for h in learner.candidates(first):
            count += 1
            one, two = learner.relabelled(first, h), learner.relabelled(second, h)
            if (one.x != two.x).any() or (one.y != two.y).any():
                failure = f"points {point}, {other}, h = {h}"
    return Enumeration(
        "thresholds on two points, S one entry with the label 0 or 1, T one entry: every hypothesis relabels both inputs "
        "to the same database", count, failure,
    )  # fmt: skip


def one_entry_of_eleven() -> Enumeration:
    """One labelled entry, all functions on 11 points: the budget of #T is met by 0, and the choice errs too often.

    The law is that of the exponential mechanism over the two dichotomies of the point, as its learner declares it.
    """
    from dpcheck.classes import GridThresholds
    from dpcheck.learners.beimel2015 import ExponentialLearner
    from dpcheck.mechanisms.mixing import mixture

    failure = ""
    if not 0.25 / math.e * 11 * math.exp(0.5 / 22) - 1 > 0.01:
        failure = "the hypothesis on #T fails"
    for label in (0, 1):
        law = mixture([1], [ExponentialLearner(GridThresholds(1), Fraction(1)).distribution(([0], [label]))])
        assert law.exact is not None
        # the threshold h labels the point 0 with 1 when h = 1
        chance = dict(zip(law.outputs, law.exact, strict=True))
        if set(chance) != {0, 1} or not 4 * chance[1 - label] > 1:  # in balls, whose comparisons are certain
            failure = f"label {label}: {chance}"
    return Enumeration(
        "all functions on 11 points, S one entry, T empty, alpha = 1/2, beta = 1/4: both labels, the law of the choice", 2,
        failure,
    )  # fmt: skip
