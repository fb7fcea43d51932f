"""Properties of utility: intervals enclose what enumeration finds, verdicts keep their levels, covers are counted.

Each statistical property has a null that right code satisfies and a level of 1e-9 for all of its examples together;
the rest is exact.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from dpcheck.parts.classes import AllFunctions, GridThresholds, PointFunctions
from dpcheck.utility import covers, evidence, reduction
from dpcheck.utility.distributions import FiniteDistribution, UniformGrid
from dpcheck.utility.failure import failure_rate

LEVEL = 1e-9
EXAMPLES = 25

accuracies = st.fractions(min_value=Fraction(1, 50), max_value=Fraction(49, 50), max_denominator=50)
seeds = st.integers(min_value=0, max_value=2**32)


@st.composite
def tables(draw: st.DrawFn) -> FiniteDistribution:
    """Distributions on 1 to 4 points with any masses and labels."""
    weights = draw(st.lists(st.integers(1, 9), min_size=1, max_size=4))
    ones = [Fraction(draw(st.integers(0, 6)), 6) for _ in weights]
    return FiniteDistribution(np.arange(len(weights)), [Fraction(w, sum(weights)) for w in weights], ones)


class EmpiricalBest:
    """The smallest threshold of least mistakes: a function of the data, so that its failure can be summed."""

    def __init__(self, points: int) -> None:
        self.family = GridThresholds(points)

    def __call__(self, dataset, rng):
        every = self.family.everything()
        return every[np.argmin(self.family.mistakes(every, dataset.x, np.asarray(dataset.y, dtype=np.uint8)))]


@pytest.mark.turns(6)
@settings(max_examples=EXAMPLES)
@given(tables(), st.integers(0, 3), accuracies, seeds)
def test_the_interval_encloses_the_failure_probability_found_by_enumeration(table, size, accuracy, seed) -> None:
    points = len(table.points)
    learner = EmpiricalBest(points)
    best = table.best_risk(learner.family)
    truth = Fraction(0)
    for drawn in itertools.product(range(2 * points), repeat=size):
        weight = math.prod((table.cells[cell] for cell in drawn), start=Fraction(1))
        if weight:
            x = table.points[[cell % points for cell in drawn]]
            every = learner.family.everything()
            wrong = learner.family.mistakes(every, x, np.array([cell // points for cell in drawn], dtype=np.uint8))
            truth += weight * (table.risk(learner.family, every[np.argmin(wrong)]) - best > accuracy)
    arguments = {"sizes": {"n": size}, "accuracy": accuracy, "trials": 150, "seed": seed}
    found = failure_rate(learner, table, level=LEVEL / EXAMPLES, **arguments)
    assert found.errors == 0
    assert found.interval[0] <= truth <= found.interval[1]
    # and no true claim is contradicted, none that is false holds
    claimed = Fraction(1, 10)
    verdict = failure_rate(
        learner, table, failure=claimed, holds_level=LEVEL / EXAMPLES, contradicted_level=LEVEL / EXAMPLES, **arguments
    ).verdict
    assert verdict != ("contradicted" if truth <= claimed else "holds")


@given(st.floats(1e-4, 0.95), st.floats(0.0, 1.0), st.integers(1, 400))
def test_evidence_is_a_fair_game_at_worst(claimed, part, trials) -> None:
    failed = np.arange(trials + 1)
    met, missed = part * claimed, claimed + part * (1 - claimed)
    for logs, chance in (
        (evidence.log_evidence_contradicted(failed, trials, claimed), met),
        (evidence.log_evidence_holds(failed, trials, claimed), missed),
    ):
        assert np.exp(logs + binom.logpmf(failed, trials, chance)).sum() <= 1 + 1e-7


@given(st.integers(1, 300), st.data(), st.sampled_from([0.3, 0.05, 1e-6]))
def test_intervals_hold_the_rate_and_widen_with_confidence(trials, data, level) -> None:
    failed = data.draw(st.integers(0, trials))
    for interval in (evidence.fixed_interval, evidence.anytime_interval):
        low, high = interval(failed, trials, level)
        wider = interval(failed, trials, level / 10)
        assert 0 <= wider[0] <= low <= failed / trials <= high <= wider[1] <= 1


@given(st.integers(0, 60), accuracies, st.sampled_from(covers.RULES))
def test_covers_of_the_interval_fail_less_with_more_points_and_more_room(public, accuracy, rule) -> None:
    found = covers.interval_cover_failure(public, accuracy, rule)
    assert 0 <= covers.interval_cover_failure(public + 1, accuracy, rule) <= found <= 1
    assert covers.interval_cover_failure(public, (1 + accuracy) / 2, rule) <= found
    # the middle of every gap is the best choice; of the inner ones only, in between
    ordered = [covers.interval_cover_failure(public, accuracy, r) for r in ("middle", "inner middle", "lowest")]
    assert ordered == sorted(ordered)


@settings(max_examples=EXAMPLES)
@given(st.integers(1, 7), accuracies, st.integers(0, 12))
def test_sets_of_points_and_runs_between_them_are_counted_alike(size, accuracy, public) -> None:
    family, table = GridThresholds(size), UniformGrid(size).table()
    by_runs = covers.grid_cover_failure(public, size, accuracy)
    assert covers.two_agree_failures(family, table, accuracy, [public]) == [by_runs]
    for rule in ("lowest", "highest", "middle"):
        own = covers.representatives_failures(family, table, accuracy, [public], rule)
        assert own == [covers.grid_cover_failure(public, size, accuracy, rule)]
        assert own[0] <= by_runs


@settings(max_examples=EXAMPLES)
@given(tables(), accuracies, st.integers(0, 4), st.sampled_from([GridThresholds, PointFunctions, AllFunctions]))
def test_two_that_agree_are_found_by_going_through_all_samples(table, accuracy, public, make) -> None:
    points = len(table.points)
    if make is PointFunctions and points < 2:
        return
    family = make(points)
    labels = family.predict(family.representatives(table.points), table.points)
    truth = Fraction(0)
    for seen in itertools.product(range(points), repeat=public):
        far = any(
            (left[list(seen)] == right[list(seen)]).all()
            and sum((m for m, a, b in zip(table.masses, left, right, strict=True) if a != b), Fraction(0)) > accuracy
            for left, right in itertools.combinations(labels, 2)
        )
        truth += far * math.prod((table.masses[point] for point in seen), start=Fraction(1))
    assert covers.two_agree_failures(family, table, accuracy, [public]) == [truth]


@given(st.integers(1, 400), st.integers(1, 20))
def test_the_reduction_s_tails_are_what_they_are_called(private, public) -> None:
    found = reduction.reduction_numbers(private, public)
    p = found.chance
    assert found.available == -(-private // (10 * public))
    # one more record than there is can be wanted only after all were used, which is before the last position
    assert found.runs_out.low <= found.leaves_early.high
    exactly = reduction.exact_binomial_tail(private, p, found.available + 1)
    assert found.runs_out.low <= exactly <= found.runs_out.high
    assert found.public_distance.low <= 1 - (1 - p) ** public <= found.public_distance.high
