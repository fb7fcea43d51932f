"""No private learner of a finite problem is better than the optimal one, by certified values on both sides."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from competing_learners import competitors, worst_excess
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck.papers.wang2016.learners.generic import OptimalPrivateLearner
from dpcheck.parts.classes import FiniteClass
from dpcheck.parts.risk import linear_program
from dpcheck.parts.risk.problems import FiniteProblem, classification

#: What the certificate may leave open; solvers are right to 1e-10 or so.
GAP = Fraction(1, 10**6)
EPSILONS = st.fractions(min_value=Fraction(1, 10), max_value=4, max_denominator=10)
SETTINGS = settings(max_examples=60, deadline=None)


@st.composite
def problems(draw: Any) -> FiniteProblem:
    """A few records and hypotheses, losses in quarters."""
    records, hypotheses = draw(st.integers(2, 3)), draw(st.integers(1, 3))
    loss = st.integers(0, 4).map(lambda quarters: Fraction(quarters, 4))
    losses = draw(
        st.lists(st.lists(loss, min_size=records, max_size=records), min_size=hypotheses, max_size=hypotheses)
    )
    return FiniteProblem(tuple(range(records)), tuple(range(hypotheses)), tuple(map(tuple, losses)))


@pytest.mark.turns(6)
@given(problems(), st.integers(1, 4), EPSILONS)
@SETTINGS
def test_no_learner_is_below_the_optimum(problem: FiniteProblem, size: int, epsilon: Fraction) -> None:
    learner = OptimalPrivateLearner(problem, epsilon, size)
    assert 0 <= learner.gap <= GAP
    for name, law in competitors(problem, size, epsilon).items():
        assert worst_excess(problem, size, law).high >= learner.excess_bound, name


@pytest.mark.turns(4)
@given(st.data(), st.integers(1, 3), EPSILONS)
@settings(max_examples=25, deadline=None)
def test_no_learner_of_a_class_is_below_the_optimum(data: Any, size: int, epsilon: Fraction) -> None:
    label = st.integers(0, 1)
    rows = data.draw(st.lists(st.tuples(label, label), min_size=1, max_size=3, unique=True))
    family = FiniteClass(rows)
    problem = classification(family, [0, 1])
    learner = OptimalPrivateLearner(problem, epsilon, size)
    for name, law in competitors(problem, size, epsilon, family).items():
        assert worst_excess(problem, size, law).high >= learner.excess_bound, name


@given(problems(), st.integers(1, 3), EPSILONS)
@SETTINGS
def test_the_table_is_private_in_rationals_and_has_the_excess_it_says(
    problem: FiniteProblem, size: int, epsilon: Fraction
) -> None:
    learner = OptimalPrivateLearner(problem, epsilon, size)
    below, above = linear_program.ratio_between(epsilon)
    datasets, _ = linear_program.histograms(size, len(problem.records))
    laws = [learner.distribution([r for r, times in enumerate(row) for _ in range(times)]) for row in datasets.tolist()]
    for one, here in zip(datasets, laws, strict=True):
        assert sum(here.values()) == 1
        for other, there in zip(datasets, laws, strict=True):
            if abs(one - other).sum() == 2:
                assert all(here[h] <= below * there[h] for h in here)
    assert worst_excess(problem, size, learner.distribution).high == learner.excess
    assert learner.excess_bound <= learner.excess
    assert 0 < above - below < Fraction(1, 2**49)


@given(problems(), st.integers(1, 3), EPSILONS)
@settings(max_examples=30, deadline=None)
def test_order_is_of_no_use_and_privacy_costs(problem: FiniteProblem, size: int, epsilon: Fraction) -> None:
    by_histogram = OptimalPrivateLearner(problem, epsilon, size)
    by_tuple = OptimalPrivateLearner(problem, epsilon, size, form="tuples")
    louder = OptimalPrivateLearner(problem, 2 * epsilon, size)
    assert by_tuple.excess >= by_histogram.excess_bound
    assert by_histogram.excess >= by_tuple.excess_bound
    assert louder.excess_bound <= by_histogram.excess
