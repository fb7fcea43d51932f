"""What the measurements of chaudhuri2011 compute, on arbitrary small instances."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck.papers.chaudhuri2011.learners import LabelPrivateLearner
from dpcheck.papers.chaudhuri2011.trials.exact_privacy import losses
from dpcheck.papers.chaudhuri2011.trials.label_lower_bounds import success_at_most
from dpcheck.papers.chaudhuri2011.trials.metric_lemmas import below_power
from dpcheck.papers.chaudhuri2011.trials.no_private_thresholds import most_success
from dpcheck.papers.chaudhuri2011.trials.singletons import mean_success, occupancy, partitions
from dpcheck.parts.classes import FiniteClass


@given(
    st.integers(0, 4), st.integers(1, 3), st.integers(0, 4), st.fractions(0, 2, max_denominator=8), st.integers(0, 4)
)
@settings(deadline=None)
def test_no_sample_gives_more_success_than_the_best(below: int, good: int, above: int, rate: Any, size: int) -> None:
    """chaudhuri2011:thm-5: all samples of points between candidates, labelled by a target among the good ones."""
    count = below + good + above
    target = below + good // 2
    best = 0.0
    # candidates 0, ..., count - 1; a point at place p lies between candidates p - 1 and p
    for sample in combinations_with_replacement(range(count + 1), size):
        labels = [int(p > target) for p in sample]  # label 1 iff the point is at or above the target
        weights = [
            math.exp(-float(rate) * sum(int(p > w) != y for p, y in zip(sample, labels, strict=True)))
            for w in range(count)
        ]
        best = max(best, sum(weights[below : below + good]) / sum(weights))
    assert best <= float(most_success(below, good, above, Fraction(rate), size).mid()) + 1e-9
    if good == 1:  # the target alone is good: the bound is attained
        assert best >= float(most_success(below, good, above, Fraction(rate), size).mid()) - 1e-9


@given(st.integers(0, 8), st.integers(1, 5), st.floats(0, 2))
def test_occupancies_are_probabilities(records: int, points: int, rate: float) -> None:
    """The ways records fall on points sum to 1, and their mean weight is that of one point times their number."""
    found = occupancy(records, points, rate)
    assert math.isclose(found.chances.sum(), 1.0, rel_tol=1e-9)
    one = ((points - 1 + math.exp(-rate)) / points) ** records
    assert math.isclose(float(found.chances @ found.weights), points * one, rel_tol=1e-9)
    assert len({*partitions(records, points)}) == len(found.chances)


@given(st.integers(2, 6), st.floats(0.01, 2), st.integers(1, 8))
@settings(deadline=None)
def test_success_on_singletons_keeps_its_bounds(points: int, epsilon: float, size: int) -> None:
    """chaudhuri2011:thm-12 up to its size, and the bound by Jensen's inequality everywhere."""
    success = mean_success(points, epsilon, size, learner="A1")
    assert 1 / points - 1e-12 <= success <= success_at_most(points, epsilon, size)
    if size <= (math.log2(points) - 1) * math.log(2) / epsilon:
        assert success <= 0.5
        assert mean_success(points, epsilon, size, learner="A2") <= 0.5


@given(st.integers(1, 40), st.fractions(1, 9, max_denominator=6), st.integers(1, 9))
def test_powers_are_compared_as_logarithms_say(count: int, ratio: Any, balls: int) -> None:
    """chaudhuri2011:lem-14, away from equality."""
    power = float(ratio) ** math.log2(balls)
    if abs(power - count) > 1e-6:
        assert below_power(count, Fraction(ratio), balls) == (count < power)


@given(
    st.lists(st.lists(st.integers(0, 1), min_size=2, max_size=2), min_size=1, max_size=4),
    st.sampled_from([0.1, 1.0, 2.5]),
    st.integers(1, 4),
)
@settings(deadline=None, max_examples=30)
def test_groups_lose_no_more_than_their_number(rows: Any, alpha: float, size: int) -> None:
    """chaudhuri2011:lem-22 and thm-26 for A2 on arbitrary classes."""
    largest = losses(LabelPrivateLearner(FiniteClass(rows), alpha, accuracy=0.01), 2, size, labels_only=True).largest
    assert all(largest[k] <= k * alpha + 1e-9 for k in range(size + 1))
    assert list(largest) == sorted(largest)
    assert np.isfinite(largest).all()
