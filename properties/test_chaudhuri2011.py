"""What chaudhuri2011 proves of its learners, and what its hard instances are, on arbitrary small instances."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import flint
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck import Labelled, PureDP
from dpcheck.model.claims import exact_point
from dpcheck.papers.chaudhuri2011.hard_instances import ConcentratedThreshold, Ladder, singletons
from dpcheck.papers.chaudhuri2011.learners import LabelPrivateLearner, ReferenceLearner
from dpcheck.papers.chaudhuri2011.learners.sizes import Requirement
from dpcheck.parts.classes import (
    Atoms,
    FiniteClass,
    GridThresholds,
    HalfPlanes,
    Intervals,
    OriginHalfPlanes,
    PointFunctions,
    Rectangles,
    Thresholds,
    UniformLine,
    UniformSphere,
    is_cover,
    is_packing,
    mistakes,
    sample_disagreement,
)
from dpcheck.privacy.exact.decision import TwoLaws, decide, probabilities
from dpcheck.privacy.exact.declared import declared

PLANE = st.tuples(st.integers(-2, 2), st.integers(-2, 2))
EPSILONS = st.sampled_from([Fraction(1, 10), Fraction(1), 0.7, 3])
UNITS = st.floats(0.01, 0.99)
CLASSES: Any = st.sampled_from(
    [
        (Thresholds(), st.integers(-3, 3)),
        (Intervals(), st.integers(-3, 3)),
        (GridThresholds(5), st.integers(0, 4)),
        (PointFunctions(5), st.integers(0, 4)),
        (FiniteClass([[0, 0, 1], [0, 1, 1], [1, 0, 1], [0, 0, 1]]), st.integers(0, 2)),
        (Rectangles(), PLANE),
        (HalfPlanes(), PLANE),
        (OriginHalfPlanes(), PLANE),
    ]
)


@st.composite
def neighbours(draw: Any, *, labels_only: bool) -> tuple[Any, Any, Labelled, Labelled]:
    """A class, a strategy of its points, and two datasets that differ in one record or in one label."""
    family, points = draw(CLASSES)
    x = draw(st.lists(points, min_size=1, max_size=5))
    y = draw(st.lists(st.integers(0, 1), min_size=len(x), max_size=len(x)))
    row = draw(st.integers(0, len(x) - 1))
    other = x[row] if labels_only else draw(points)
    right = Labelled([*x[:row], other, *x[row + 1 :]], [*y[:row], 1 - y[row], *y[row + 1 :]])
    return family, points, Labelled(x, y), right


def keeps(left: Any, right: Any, claim: PureDP) -> bool:
    """Whether two declared laws keep a claim, decided exactly."""
    return decide(TwoLaws.of(declared(left), declared(right)), exact_point(claim)).answer == "holds"


def assert_softmax(learner: Any, dataset: Labelled) -> None:
    """The declared law is that of step 3, one mistake after the other, in balls."""
    law = learner.distribution(dataset)
    candidates = learner.candidates(dataset)
    rate = Fraction(learner.epsilon) / 2
    weights = []
    for hypothesis in candidates:
        wrong = sum(
            int(learner.family.predict(hypothesis[None], [x])[0, 0]) != y
            for x, y in zip(dataset.x, dataset.y, strict=True)
        )
        exponent = -rate * wrong
        weights.append((flint.arb(exponent.numerator) / exponent.denominator).exp())
    total = sum(weights, flint.arb(0))
    for weight, found in zip(weights, probabilities(declared(law)), strict=True):
        assert (weight / total).overlaps(flint.arb(found))


@given(neighbours(labels_only=False), EPSILONS, UNITS, st.floats(0.02, 0.5), st.data())
@settings(deadline=None)
def test_a1_keeps_epsilon_and_its_net_does_not_look_at_the_data(
    case: Any, epsilon: Any, accuracy: float, constant: float, data: Any
) -> None:
    """chaudhuri2011:thm-7, with chaudhuri2011:alg-1 and alg-1r, decided exactly."""
    family, points, left, right = case
    reference = Atoms(data.draw(st.lists(points, min_size=1, max_size=4)))
    learner = ReferenceLearner(
        family, reference, epsilon, accuracy, 0.5, 2.0, constant, realisable=data.draw(st.booleans())
    )
    one, other = learner.distribution(left), learner.distribution(right)
    assert one.outputs == other.outputs
    assert keeps(one, other, PureDP(epsilon))
    net = learner.net(len(left.y))
    assert learner.candidates(left).tolist() == net.hypotheses.tolist()
    assert is_packing(family, net.hypotheses, reference, net.radius)
    assert is_cover(family, net.hypotheses, reference, net.radius)
    assert_softmax(learner, left)


@given(EPSILONS, st.integers(1, 6), st.data())
@settings(deadline=None, max_examples=40)
def test_a1_keeps_epsilon_under_continuous_references(epsilon: Any, size: int, data: Any) -> None:
    """chaudhuri2011:thm-7 for thresholds under the uniform distribution and separators under the circle."""
    family, reference, points = data.draw(
        st.sampled_from([(Thresholds(), UniformLine(), st.floats(0, 1)), (OriginHalfPlanes(), UniformSphere(2), PLANE)])
    )
    learner = ReferenceLearner(family, reference, epsilon, 0.25, 0.5, constant=0.4 / float(epsilon))
    x = data.draw(st.lists(points, min_size=size, max_size=size))
    y = data.draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
    other = data.draw(points), data.draw(st.integers(0, 1))
    left, right = Labelled(x, y), Labelled([other[0], *x[1:]], [other[1], *y[1:]])
    one, two = learner.distribution(left), learner.distribution(right)
    assert one.outputs == two.outputs
    assert keeps(one, two, PureDP(epsilon))


@pytest.mark.turns(6)
@given(neighbours(labels_only=True), EPSILONS, UNITS)
@settings(deadline=None)
def test_a2_keeps_epsilon_in_the_labels_and_its_candidates_do_not_look_at_them(
    case: Any, epsilon: Any, accuracy: float
) -> None:
    """chaudhuri2011:thm-26, with chaudhuri2011:alg-2 step 1, decided exactly for each rule."""
    family, _, left, right = case
    for rule in family.rules:
        learner = LabelPrivateLearner(family, epsilon, accuracy, rule=rule)
        one, other = learner.distribution(left), learner.distribution(right)
        assert one.outputs == other.outputs
        assert keeps(one, other, PureDP(epsilon))
    found, sample = learner.candidates(left), list(left.x)
    radius = Fraction(accuracy / 4)
    for i, hypothesis in enumerate(found):
        assert all(sample_disagreement(family, hypothesis, kept, sample) > radius for kept in found[:i])
    for hypothesis in family.representatives(sample):
        assert min(sample_disagreement(family, hypothesis, kept, sample) for kept in found) <= radius
    # nor at the order of the records
    backwards = Labelled(sample[::-1], list(left.y)[::-1])
    assert learner.candidates(backwards).tolist() == found.tolist()
    assert_softmax(learner, left)


@given(neighbours(labels_only=False))
@settings(deadline=None)
def test_a_replaced_record_moves_no_score_by_more_than_one(case: Any) -> None:
    """The sensitivity that thm-7 and thm-26 rest on."""
    family, _, left, right = case
    candidates = family.representatives([*left.x, *right.x])
    one, other = (mistakes(family, candidates, *part) for part in (left, right))
    assert np.abs(one - other).max() <= 1


@given(st.floats(0.01, 1), st.floats(0.01, 0.5), st.floats(0.001, 0.5), st.floats(0.1, 20), st.booleans(), st.data())
def test_sizes_and_smoothness_are_inverse(
    epsilon: float, accuracy: float, failure: float, dimension: float, realisable: bool, data: Any
) -> None:
    """chaudhuri2011:thm-8, thm-9: step 1 at the least size for kappa gives at least kappa, one record less does not."""
    requirement = Requirement(epsilon, accuracy, failure, dimension, 40.0, realisable)
    log_kappa = data.draw(st.floats(0, 30))
    size = requirement.least_size(log_kappa)
    rounding = 1e-9 * (1 + log_kappa)
    assert requirement.log_smoothness(size) >= log_kappa - rounding
    assert requirement.log_smoothness(size - 1) <= log_kappa + rounding
    log_ratio = requirement.log_ratio(size)
    assert math.isclose(requirement.largest_accuracy(size, log_ratio), accuracy, rel_tol=1e-6)
    assert math.isclose(requirement.least_constant(size, log_ratio), 40.0, rel_tol=1e-6)


@pytest.mark.turns(6)
@given(st.fractions(Fraction(1, 1000), Fraction(1, 2)), st.data())
def test_the_error_of_theorem_5_is_the_mass_between(resolution: Fraction, data: Any) -> None:
    """chaudhuri2011:thm-5, ex-1: closed forms against the sum of density times length, exactly."""
    centre = resolution + (1 - 2 * resolution) * data.draw(st.fractions(0, 1, max_denominator=100))
    instance = ConcentratedThreshold(centre, resolution)
    low, high = instance.interval
    threshold = data.draw(st.fractions(-1, 2, max_denominator=1000))
    first, last = sorted((threshold, centre))
    wide = max(Fraction(0), min(last, Fraction(1)) - max(first, Fraction(0)))
    narrow = max(Fraction(0), min(last, high) - max(first, low))
    assert instance.error(threshold) == wide / 2 + narrow * (instance.smoothness - Fraction(1, 2))
    assert instance.smoothness * (high - low) + (1 - (high - low)) / 2 == 1  # the density has mass 1
    if not low < threshold < high:
        assert instance.error(threshold) >= Fraction(1, 4)


@given(st.integers(1, 3), st.integers(2, 4), st.data())
@settings(deadline=None)
def test_the_ladder_and_singletons_have_their_distances(levels: int, branches: int, data: Any) -> None:
    """chaudhuri2011:thm-10, thm-12: closed forms against the masses of the points on which labels differ."""
    ladder = Ladder(levels, branches, Fraction(1, branches))
    rows = st.lists(st.integers(0, branches - 1), min_size=levels, max_size=levels)
    one, other = data.draw(rows), data.draw(rows)
    points = range(levels * branches + 1)
    labels = ladder.predict([one, other], points)
    apart = sum((mass for mass, a, b in zip(ladder.masses, *labels, strict=True) if a != b), Fraction(0))
    assert ladder.distance(one, other) == apart == ladder.instance(one).error(other)
    assert apart <= ladder.diameter
    size = data.draw(st.integers(2, 9))
    target, guess = (data.draw(st.integers(0, size - 1)) for _ in range(2))
    assert singletons(size, target).error(guess) == (Fraction(2, size) if target != guess else 0)
