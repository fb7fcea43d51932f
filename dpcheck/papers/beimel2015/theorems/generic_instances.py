"""The exact instances that refute lines of the generic learner's proof (beimel2015, section 3)."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np

from dpcheck.proof.instances import Enumeration


def one_unlabelled_entry(mass: Fraction = Fraction(1, 2)) -> Enumeration:
    """n = m + 1: on the one entry of D the error of 1_b is 0 or 1, never within alpha/5 of mu(b)."""
    failure = ""
    for entry in (0, 1):  # b is the point 1
        error = Fraction(entry)
        if not abs(error - mass) > Fraction(1, 5):
            failure = f"D = ({entry})"
    return Enumeration(f"C = {{0, 1_b}} on two points, c = 0, mu(b) = {mass}, D of one entry: both samples", 2, failure)


def one_point_for_eight(points: int = 8) -> Enumeration:
    """Each one-point database is off by more than 1/5 for some set of C^xor, C the singletons, D all points once."""
    count, failure = 0, ""
    queries = [{x} ^ {y} for x, y in itertools.product(range(points), repeat=2)]
    for only in range(points):
        count += 1
        worst = max(abs(Fraction(len(query), points) - (only in query)) for query in queries)
        if not worst > Fraction(1, 5):
            failure = f"D~ = ({only}): {worst}"
    return Enumeration(
        f"C = the singletons of {points} points, D each of them once: every database D~ of one point", count, failure
    )


def wrong_constant(epsilon: Fraction = Fraction(1, 10)) -> Enumeration:
    """The exponential mechanism over the two constants, by its learner's declared law, for m = 1..5 at eps = 1/10."""
    from dpcheck.papers.beimel2015.learners import ExponentialLearner
    from dpcheck.parts.classes import GridThresholds
    from dpcheck.parts.mechanisms.mixtures import mixture

    grid = GridThresholds(1)
    learner = ExponentialLearner(grid, epsilon)
    failure = ""
    for m in range(1, 6):
        law = mixture([1], [learner.distribution(([0] * m, [0] * m))])  # in balls, whose comparisons are certain
        assert law.exact is not None
        labels = [int(each) for each in grid.predict(np.asarray(law.outputs), [0])[:, 0]]
        chance = dict(zip(labels, law.exact, strict=True))
        if set(chance) != {0, 1} or not 5 * chance[1] > 1:
            failure = f"m = {m}: {chance}"
    return Enumeration(
        f"C = {{0, 1}} on one point, c = 0, eps = {epsilon}, m = 1..5 (K = 1 gives 5): the law of the choice",
        5,
        failure,
    )


def one_label_for_two_points(most: Fraction = Fraction(1, 2)) -> Enumeration:
    """Any map of one labelled example to a function on two points misses some target with probability 1/2 or more.

    All four functions on two points under the uniform law; unlabelled points say nothing about the target, so a learner is
    a mixture of such maps, and the average over the targets is what some target has at least.
    """
    targets = list(itertools.product((0, 1), repeat=2))
    examples = list(itertools.product((0, 1), repeat=2))  # a point and its label
    count, failure = 0, ""
    for outputs in itertools.product(targets, repeat=len(examples)):
        count += 1
        learnt = dict(zip(examples, outputs, strict=True))
        # an error above 1/4 is a difference on one of the points
        fails = sum(learnt[x, c[x]] != c for c in targets for x in (0, 1))
        if not Fraction(fails, 8) >= most:
            failure = f"{learnt}: {fails}/8"
    return Enumeration(
        "all four functions on two points, uniform, m = 1, alpha = beta = 1/4: every deterministic learner, averaged over "
        "the four targets", count, failure,
    )  # fmt: skip
