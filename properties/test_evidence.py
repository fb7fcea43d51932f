"""What must hold of the evidence for every count, claim and weight."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck.privacy.statistics.detectable import detectable_leak
from dpcheck.privacy.statistics.evidence import (
    EPSILON_CEILING,
    EPSILON_GRID,
    GRADES,
    Tally,
    binomial_lower,
    binomial_upper,
    delta_lower,
    epsilon_lower,
    full_stakes,
    graded_epsilon_lower,
    graded_tail,
    log_evidence,
)

ROUNDING = 1e-9
everything = settings(deadline=None)


@st.composite
def tallies(draw: st.DrawFn, most_rules: int = 4) -> Tally:
    rules = draw(st.integers(1, most_rules))
    counts = np.zeros((2, rules, GRADES), np.int64)
    for _ in range(draw(st.integers(0, 6))):
        place = draw(st.tuples(st.integers(0, 1), st.integers(0, rules - 1), st.integers(0, GRADES - 1)))
        counts[place] = draw(st.integers(0, 5000))
    silent = np.array(draw(st.lists(st.integers(0, 100_000), min_size=rules, max_size=rules)))
    shares = np.array(draw(st.lists(st.sampled_from([0.5, 1.0]), min_size=rules, max_size=rules)))
    weights = np.array(draw(st.lists(st.floats(1e-6, 1.0), min_size=rules, max_size=rules)))
    unstaked = draw(st.floats(0.0, 1.0))
    return Tally(counts[0], counts[1], counts.sum(axis=(0, 2)) + silent, weights / (weights.sum() + unstaked), shares)


EPSILONS = st.floats(0.0, EPSILON_CEILING)
DELTAS_ABOVE_0 = st.just(1.0) | st.floats(1e-12, 1.0)
DELTAS = st.just(0.0) | DELTAS_ABOVE_0
LEVELS = st.sampled_from([0.05, 1e-3, 1e-6, 1e-9])


def not_above(one: float, other: float) -> bool:
    return one <= other + ROUNDING * max(1.0, abs(one), abs(other))


@everything
@given(tallies(), EPSILONS, EPSILONS)
def test_at_delta_0_evidence_falls_with_epsilon(tally: Tally, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert not_above(log_evidence(tally, high, 0.0), log_evidence(tally, low, 0.0))


@everything
@given(tallies(), EPSILONS, DELTAS_ABOVE_0, DELTAS_ABOVE_0)
def test_evidence_falls_with_delta_at_every_epsilon(tally: Tally, epsilon: float, one: float, other: float) -> None:
    """At delta 0 other fractions are bet, so that a lost bet may cost more there than at any delta above 0."""
    low, high = sorted((one, other))
    assert not_above(log_evidence(tally, epsilon, high), log_evidence(tally, epsilon, low))


@everything
@given(tallies(), EPSILONS, DELTAS)
def test_evidence_is_at_least_the_cash_and_finite(tally: Tally, epsilon: float, delta: float) -> None:
    found = log_evidence(tally, epsilon, delta)
    assert math.isfinite(found)
    unstaked = 1.0 - float(tally.weight.sum())
    if unstaked > 1e-6:
        assert found >= math.log(unstaked) - ROUNDING


@everything
@given(tallies(1), EPSILONS, DELTAS, st.integers(0, GRADES - 1), st.integers(1, 100))
def test_a_right_guess_helps_and_a_wrong_one_costs(
    tally: Tally, epsilon: float, delta: float, grade: int, more: int
) -> None:
    """As against having been silent in the same calls."""
    extra = np.zeros_like(tally.correct)
    extra[0, grade] = more
    silent = Tally(tally.correct, tally.wrong, tally.calls + more, tally.weight, tally.share)
    right = Tally(tally.correct + extra, tally.wrong, silent.calls, tally.weight, tally.share)
    wrong = Tally(tally.correct, tally.wrong + extra, silent.calls, tally.weight, tally.share)
    said = log_evidence(silent, epsilon, delta)
    assert not_above(said, log_evidence(right, epsilon, delta))
    assert not_above(log_evidence(wrong, epsilon, delta), said)


@pytest.mark.turns(4)
@everything
@given(tallies(), tallies(), tallies(), EPSILONS, DELTAS)
def test_tallies_join_associatively(one: Tally, two: Tally, three: Tally, epsilon: float, delta: float) -> None:
    left = Tally.join([Tally.join([one, two], [0.5, 0.5]), three], [0.5, 0.5])
    right = Tally.join([one, two, three], [0.25, 0.25, 0.5])
    np.testing.assert_array_equal(left.correct, right.correct)
    np.testing.assert_array_equal(left.wrong, right.wrong)
    np.testing.assert_array_equal(left.calls, right.calls)
    np.testing.assert_allclose(left.weight, right.weight, rtol=1e-15)
    expected, found = log_evidence(right, epsilon, delta), log_evidence(left, epsilon, delta)
    assert not_above(expected, found)
    assert not_above(found, expected)


@everything
@given(tallies(), EPSILONS, DELTAS)
def test_the_order_of_experts_does_not_count(tally: Tally, epsilon: float, delta: float) -> None:
    back = slice(None, None, -1)
    turned = Tally(tally.correct[back], tally.wrong[back], tally.calls[back], tally.weight[back], tally.share[back])
    assert math.isclose(
        log_evidence(turned, epsilon, delta), log_evidence(tally, epsilon, delta), abs_tol=1e-9, rel_tol=1e-9
    )


@pytest.mark.turns(4)
@everything
@given(tallies(), DELTAS, LEVELS)
def test_the_bound_on_epsilon_is_below_the_first_value_not_rejected(tally: Tally, delta: float, alpha: float) -> None:
    bound = epsilon_lower(tally, delta, alpha)
    threshold = -math.log(alpha)
    if delta == 0.0:
        assert bound == 0.0 or log_evidence(tally, bound, 0.0) >= threshold
        assert bound >= EPSILON_CEILING or log_evidence(tally, bound + 1e-4, 0.0) < threshold
        return
    rejected = [log_evidence(tally, float(e), delta) >= threshold for e in EPSILON_GRID]
    first_kept = rejected.index(False) if False in rejected else len(rejected)
    assert bound == (float(EPSILON_GRID[first_kept - 1]) if first_kept else 0.0)


@pytest.mark.turns(4)
@everything
@given(tallies(), st.lists(DELTAS, min_size=3, max_size=3), LEVELS)
def test_bounds_on_epsilon_fall_with_delta_and_with_the_level(tally: Tally, deltas: list[float], alpha: float) -> None:
    bounds = [epsilon_lower(tally, d, alpha) for d in sorted(deltas)]
    if sorted(deltas)[0] > 0:  # on one grid
        assert bounds == sorted(bounds, reverse=True)
    stricter = epsilon_lower(tally, deltas[0], alpha / 10)
    assert stricter <= epsilon_lower(tally, deltas[0], alpha) + 1e-6


@everything
@given(tallies(), EPSILONS, LEVELS)
def test_bounds_on_delta_are_probabilities_that_fall_with_epsilon(tally: Tally, epsilon: float, alpha: float) -> None:
    bounds = [delta_lower(tally, e, alpha) for e in (0.0, epsilon)]
    assert all(0.0 <= b <= 1.0 for b in bounds)
    low = bounds[1]
    assert low == 0.0 or log_evidence(tally, epsilon, low) >= -math.log(alpha)


@everything
@given(st.integers(0, 2000), st.integers(0, 2000), st.floats(1e-12, 0.4))
def test_binomial_bounds_surround_what_was_seen(successes: int, failures: int, alpha: float) -> None:
    trials = successes + failures
    low, high = float(binomial_lower(successes, trials, alpha)), float(binomial_upper(successes, trials, alpha))
    assert 0.0 <= low <= high <= 1.0
    if trials:
        assert low <= successes / trials <= high
        more = float(binomial_lower(successes + 1, trials + 1, alpha))
        assert more >= low - 1e-12


@st.composite
def strata(draw: st.DrawFn) -> tuple[list[int], list[int], list[Fraction]]:
    size = draw(st.integers(1, 3))
    levels = draw(st.lists(st.integers(1, 8), min_size=size, max_size=size))
    sizes = draw(st.lists(st.integers(0, 7), min_size=size, max_size=size))
    right = draw(st.lists(st.integers(1, 99), min_size=size, max_size=size))
    return levels, sizes, [Fraction(r, 100) for r in right]


@pytest.mark.turns(6)
@everything
@given(strata())
def test_the_tail_of_graded_guesses_is_the_exact_one(case: tuple[list[int], list[int], list[Fraction]]) -> None:
    levels, sizes, right = case
    law = {0: Fraction(1)}
    for level, size, p in zip(levels, sizes, right, strict=True):
        for _ in range(size):
            law = {
                total: law.get(total, Fraction(0)) * (1 - p) + law.get(total - level, Fraction(0)) * p
                for total in law.keys() | {t + level for t in law}
            }
    top = sum(a * b for a, b in zip(levels, sizes, strict=True))
    arrays = np.array(levels), np.array(sizes), np.array([float(p) for p in right])
    tails = [graded_tail(arrays[0], arrays[1], observed, arrays[2]) for observed in range(top + 2)]
    for observed, found in enumerate(tails):
        exact = float(sum(mass for total, mass in law.items() if total >= observed))
        assert math.isclose(found, exact, rel_tol=1e-8, abs_tol=1e-15)
    assert all(earlier >= later - 1e-12 for earlier, later in pairwise(tails))


@pytest.mark.turns(4)
@everything
@given(st.lists(st.tuples(st.integers(1, 8), st.integers(0, 300), st.integers(0, 300)), min_size=1, max_size=4), LEVELS)
def test_the_bound_of_graded_guesses_is_rejected_and_nothing_above_it_is(
    guesses: list[tuple[int, int, int]], alpha: float
) -> None:
    levels, correct, wrong = (np.array(column) for column in zip(*guesses, strict=True))
    bound = graded_epsilon_lower(levels, correct, wrong, alpha)
    assert 0.0 <= bound <= EPSILON_CEILING
    observed = int((levels * correct).sum())

    def tail(epsilon: float) -> float:
        return graded_tail(levels, correct + wrong, observed, 1.0 / (1.0 + math.exp(-epsilon)))

    if bound > 0:
        assert tail(bound) <= alpha
    if bound < EPSILON_CEILING - 1 and (correct + wrong).any():
        assert tail(bound + 1e-3) > alpha * (1 - 1e-3)
    with_delta = graded_epsilon_lower(
        levels, correct, wrong, alpha, calls=int((correct + wrong).sum()) + 10, delta=1e-3
    )
    assert with_delta <= bound + 1e-4


@everything
@given(st.integers(1, 5000), st.floats(0.0, 1.0), st.integers(0, 20_000), st.floats(0.0, 5.0), DELTAS, LEVELS)
def test_what_would_have_been_caught_is_above_the_claim(
    guesses: int, part: float, silent: int, epsilon: float, delta: float, alpha: float
) -> None:
    right = int(part * guesses)
    counts = full_stakes(right, guesses - right, guesses + silent)
    assert detectable_leak(counts, 1.0, epsilon, delta, alpha, answers=3).epsilon > epsilon
