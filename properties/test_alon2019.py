"""What alon2019 proves of its learners and of the classes they choose from, on arbitrary small instances."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck import Labelled, PureDP, SemiPrivate
from dpcheck.model.claims import exact_point
from dpcheck.papers.alon2019.learners import CoverLearner, Dummies, FromSemiPrivate, GenericLearner, private_sample
from dpcheck.papers.alon2019.learners.sampling import private_codes
from dpcheck.parts.classes import (
    AllFunctions,
    FiniteOrCofinite,
    GridThresholds,
    HalfPlanes,
    Intervals,
    PointFunctions,
    Rectangles,
    Stumps,
    Thresholds,
    dichotomies,
    disagreement,
    growth,
    mistakes,
    sample_disagreement,
    xor_growth,
)
from dpcheck.privacy.exact.decision import TwoLaws, decide
from dpcheck.privacy.exact.declared import declared

PROBABILITIES = st.fractions(0, 1, max_denominator=20)
MODES: Any = st.sampled_from(["fill", "printed"])
PLANE = st.tuples(st.integers(0, 2), st.integers(0, 2))


@st.composite
def classes_and_points(draw: Any) -> tuple[Any, Any]:
    """A class and a strategy of points of its domain."""
    size = draw(st.integers(3, 8))
    return draw(
        st.sampled_from(
            [
                *((Thresholds(), st.integers(-3, 3)), (Intervals(), st.integers(-3, 3))),
                *((family, st.integers(0, size - 1)) for family in (GridThresholds(size), PointFunctions(size))),
                *((family, PLANE) for family in (Rectangles(), HalfPlanes(), Stumps(2))),
                (AllFunctions(size), st.integers(0, size - 1)),
                (FiniteOrCofinite(1, 100), st.integers(0, 5)),
            ]
        )
    )


@st.composite
def covered_neighbours(draw: Any) -> tuple[Any, Any, Labelled, Labelled]:
    """A class, public points, and two private samples that differ in one record."""
    family, points = draw(classes_and_points())
    x = draw(st.lists(points, min_size=1, max_size=6))
    y = draw(st.lists(st.integers(0, 1), min_size=len(x), max_size=len(x)))
    row, other, label = draw(st.integers(0, len(x) - 1)), draw(points), draw(st.integers(0, 1))
    right = Labelled([*x[:row], other, *x[row + 1 :]], [*y[:row], label, *y[row + 1 :]])
    return family, draw(st.lists(points, max_size=5)), Labelled(x, y), right


def keeps(left: Any, right: Any, claim: PureDP) -> bool:
    """Whether two declared laws keep a claim, decided exactly."""
    return decide(TwoLaws.of(declared(left), declared(right)), exact_point(claim)).answer == "holds"


@given(covered_neighbours())
@settings(deadline=None)
def test_a_replaced_record_moves_no_count_of_mistakes_by_more_than_one(case: Any) -> None:
    """The score's sensitivity: alon2019:alg-1, step 6."""
    family, public, left, right = case
    hypotheses = family.representatives(public)
    one, other = (mistakes(family, hypotheses, *part) for part in (left, right))
    assert np.abs(one - other).max() <= 1


@given(covered_neighbours(), st.sampled_from([Fraction(1, 10), Fraction(1), Fraction(3)]))
@settings(deadline=None)
def test_the_cover_learner_keeps_epsilon_for_every_public_sample(case: Any, epsilon: Fraction) -> None:
    """alon2019:lem-3.2, decided exactly for each rule."""
    family, public, left, right = case
    for rule in family.rules:
        learner = CoverLearner(family, epsilon, rule)
        one, other = (learner.distribution(SemiPrivate(part, public)) for part in (left, right))
        assert one.outputs == other.outputs
        assert len(one.outputs) == growth(family, public)
        assert keeps(one, other, PureDP(epsilon))


@given(st.integers(2, 6), st.data())
@settings(deadline=None)
def test_the_generic_learner_keeps_epsilon_on_any_grid(size: int, data: Any) -> None:
    """alon2019:alg-gen: runs of the common refinement have the loss of the thresholds in them."""
    scale = data.draw(st.sampled_from([1, 2**57]))
    records = st.tuples(st.integers(0, size - 1).map(lambda x: x * scale), st.integers(0, 1))
    left = data.draw(st.lists(records, min_size=1, max_size=5))
    right = [data.draw(records), *left[1:]]
    learner = GenericLearner(GridThresholds(size * scale), 1.0)
    cuts = [x for x, _ in (*left, *right)]
    assert keeps(learner.runs(left, cuts), learner.runs(right, cuts), PureDP(1.0))


@given(st.integers(0, 6), st.integers(1, 12), PROBABILITIES, MODES, st.integers(0, 2**32))
@settings(deadline=None)
def test_each_element_is_used_at_most_once_and_in_order(
    available: int, length: int, chance: Fraction, mode: Any, seed: int
) -> None:
    """alon2019:alg-3, clm-4.5."""
    codes = private_codes(available, length, chance, Dummies([0, 1]), mode, 20, np.random.default_rng(seed))
    for element in range(available):
        assert ((codes == element).sum(axis=1) <= 1).all()
    elements = np.where((codes >= 0) & (codes < available), codes, available)
    placed = np.sort(elements, axis=1)
    assert all(set(row[row < available]) == set(range((row < available).sum())) for row in placed)
    assert all((np.diff(row[row < available]) > 0).all() for row in elements)


@given(st.integers(1, 6), st.integers(1, 12), PROBABILITIES, MODES, st.integers(0, 2**32), st.data())
@settings(deadline=None)
def test_no_value_moves_an_element_or_a_dummy(
    available: int, length: int, chance: Fraction, mode: Any, seed: int, data: Any
) -> None:
    """alon2019:clm-4.5: with the same coins another dataset stands in the same positions."""
    places, dummies = [], Dummies([-1, -2])
    found = []
    for offset in (10, 100):
        x = [offset + row for row in range(available)]
        y = data.draw(st.lists(st.integers(0, 1), min_size=available, max_size=available))
        sample = private_sample((x, y), dummies, chance, length, np.random.default_rng(seed), mode)
        places.append(np.where(sample.x >= 0, sample.x - offset, sample.x).tolist())
        found.append(sample.y[sample.x < 0].tolist())
    assert places[0] == places[1]
    assert found[0] == found[1]


@pytest.mark.turns(4)
@given(st.integers(1, 3), st.integers(1, 4), PROBABILITIES, MODES, st.data())
@settings(deadline=None, max_examples=40)
def test_the_reduction_keeps_epsilon(available: int, length: int, chance: Fraction, mode: Any, data: Any) -> None:
    """alon2019:clm-4.5, by enumeration of all coins and dummies, in balls."""
    dummies = Dummies(data.draw(st.sampled_from([[0], [0, 2]])))
    inner = data.draw(st.sampled_from([CoverLearner(GridThresholds(3), 2.0), GenericLearner(GridThresholds(3), 2.0)]))
    learner = FromSemiPrivate(inner, length, 1, dummies, mode, chance)
    records = st.tuples(st.integers(0, 2), st.integers(0, 1))
    left = data.draw(st.lists(records, min_size=available, max_size=available))
    row = data.draw(st.integers(0, available - 1))
    right = [*left[:row], data.draw(records), *left[row + 1 :]]
    assert keeps(learner.distribution(left), learner.distribution(right), PureDP(2.0))


@given(st.data(), classes_and_points())
@settings(deadline=None)
def test_growth_keeps_sauers_bound_and_that_of_differences(data: Any, case: Any) -> None:
    """alon2019:lem-sauer, lem-3.3-growth."""
    family, points = case
    sample = data.draw(st.lists(points, min_size=1, max_size=6))
    m, found = len(set(sample)), growth(family, sample)
    assert found <= sum(comb(m, i) for i in range(family.vc_dimension + 1))
    assert found <= xor_growth(family, sample) <= found**2


@given(st.data(), classes_and_points())
@settings(deadline=None)
def test_every_hypothesis_agrees_on_the_sample_with_one_of_the_cover(data: Any, case: Any) -> None:
    """alon2019:lem-3.3, its first step: whatever is in the class, some candidate has dishat 0."""
    family, points = case
    sample = data.draw(st.lists(points, min_size=1, max_size=5))
    wider = data.draw(st.lists(points, max_size=4))
    rule = data.draw(st.sampled_from(family.rules))
    cover = family.representatives(sample, rule)
    for hypothesis in family.representatives([*sample, *wider], rule):
        near = min(cover, key=lambda other: sample_disagreement(family, hypothesis, other, sample))
        assert sample_disagreement(family, hypothesis, near, sample) == 0
        # dis is a distance of at most 1
        assert 0 <= disagreement(family, hypothesis, near, [*sample, *wider]) <= 1
    assert len(dichotomies(family, sample, rule)) == len(cover)
