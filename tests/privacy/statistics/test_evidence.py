"""Counts to evidence and back, against exact fractions and scipy; validity on the extreme points of the null."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from dpcheck.privacy.statistics import evidence as engine
from dpcheck.privacy.statistics.evidence import (
    BETS,
    EPSILON_CEILING,
    EPSILON_GRID,
    GRADES,
    NUISANCE_SHARE,
    Tally,
    bet_weights,
    binomial_lower,
    binomial_upper,
    delta_lower,
    epsilon_lower,
    full_stakes,
    graded_epsilon_lower,
    graded_tail,
    log_e_processes,
    log_evidence,
)
from dpcheck.privacy.statistics.game import new_game, tally
from tests.playing import FEW_VALUES, NUMBERS, laplace, most_evidence, one_sided, response, revealing
from tests.statistical_tests import statistical_test

ONE = Fraction(1)


# --- the betting factor on every extreme point of the null ------------------------------------------------------

#: e^epsilon as exact numbers.
ODDS = [Fraction(1), Fraction(11, 10), Fraction(27, 10), Fraction(20)]
DELTAS = [Fraction(0), Fraction(1, 1000), Fraction(1, 10), Fraction(1, 2)]
#: What an extremal mechanism says: D or D' in clear (with probability delta), else D or D' by randomised response.
OUTPUTS = ("D in clear", "D' in clear", "D", "D'")


def extremal(odds: Fraction, delta: Fraction) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """The laws on D and on D' of the mechanism from which every (epsilon, delta)-DP one follows by post-processing."""
    likely = odds / (1 + odds)
    on_left = (delta, Fraction(0), (1 - delta) * likely, (1 - delta) * (1 - likely))
    on_right = (Fraction(0), delta, (1 - delta) * (1 - likely), (1 - delta) * likely)
    return on_left, on_right


def stakes_of_all_rules() -> Iterator[tuple[Fraction, ...]]:
    """Signed stakes per output (positive: guess D): all rules that stake nothing, a quarter, or everything."""
    quarter = Fraction(1, 4)
    return itertools.product((-ONE, -quarter, Fraction(0), quarter, ONE), repeat=len(OUTPUTS))


def one_sided_rule(stakes: tuple[Fraction, ...]) -> bool:
    return all(s >= 0 for s in stakes) or all(s <= 0 for s in stakes)


def mean_gain(
    stakes: tuple[Fraction, ...], on_left: tuple[Fraction, ...], on_right: tuple[Fraction, ...], odds: Fraction
) -> Fraction:
    """E[g]: a right guess wins its stake, a wrong one loses ``e^epsilon`` times it; each dataset half of the time."""
    gain = Fraction(0)
    for stake, left, right in zip(stakes, on_left, on_right, strict=True):
        truth, lie = (left, right) if stake > 0 else (right, left)
        gain += abs(stake) * (truth - odds * lie) / 2
    return gain


@pytest.mark.turns(4)
@pytest.mark.parametrize("delta", DELTAS, ids=str)
@pytest.mark.parametrize("odds", ODDS, ids=str)
def test_no_rule_gains_more_than_its_charge_on_an_extreme_point_of_the_null(odds: Fraction, delta: Fraction) -> None:
    laws = extremal(odds, delta)
    for on_left, on_right in (laws, laws[::-1]):
        for stakes in stakes_of_all_rules():
            charge = delta / 2 if one_sided_rule(stakes) else delta
            # E[1 + lam (g - charge)] <= 1 for one lam > 0 and hence for all; the bet itself never loses everything
            assert mean_gain(stakes, on_left, on_right, odds) <= charge
    lam = Fraction(999, 1000) / (odds + delta)
    assert min(1 + lam * (-odds - delta), 1 + lam * (1 - delta), 1 - lam * delta) > 0


@pytest.mark.parametrize("delta", DELTAS[1:], ids=str)
@pytest.mark.parametrize("odds", ODDS, ids=str)
def test_the_charges_are_tight_and_half_of_them_would_not_do(odds: Fraction, delta: Fraction) -> None:
    on_left, on_right = extremal(odds, delta)
    gains = {stakes: mean_gain(stakes, on_left, on_right, odds) for stakes in stakes_of_all_rules()}
    assert max(g for s, g in gains.items() if one_sided_rule(s)) == delta / 2
    assert max(gains.values()) == delta  # more than delta/2: a two-sided rule charged delta/2 would win on average


@pytest.mark.parametrize("graded", [False, True], ids=["full", "graded"])
@pytest.mark.parametrize("delta", [0.0, 1e-3, 0.1, 1.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 1.0, 5.0])
@pytest.mark.parametrize("share", [1.0, 0.5])
def test_one_call_multiplies_the_wealth_by_the_mean_of_the_betting_factors(
    epsilon: float, delta: float, share: float, graded: bool
) -> None:
    odds, charge = math.exp(epsilon), delta * share
    lam = BETS / (odds + charge)
    for grade in range(1, GRADES + 1) if graded else (GRADES,):
        stake = grade / GRADES
        counts = np.zeros((2, 1, GRADES), np.int64)
        counts[0, 0, grade - 1] = 1
        right = Tally(counts[0], counts[1], np.ones(1, np.int64), np.ones(1), np.full(1, share))
        wrong = replace(right, correct=counts[1], wrong=counts[0])
        assert log_evidence(right, epsilon, delta) == pytest.approx(
            math.log(np.average(1 + lam * (stake - charge), weights=bet_weights(delta))), abs=1e-12
        )
        assert log_evidence(wrong, epsilon, delta) == pytest.approx(
            math.log(np.average(1 - lam * (odds * stake + charge), weights=bet_weights(delta))), abs=1e-12
        )
    assert log_evidence(full_stakes(0, 0, 1, share), epsilon, delta) == pytest.approx(
        math.log(np.average(1 - lam * charge, weights=bet_weights(delta))), abs=1e-12
    )


def mean_wealth(stakes: tuple[Fraction, ...], odds: Fraction, delta: Fraction, share: float, calls: int) -> float:
    """The mean of the evidence after so many calls on the extremal mechanism, over all outcomes."""
    on_left, on_right = extremal(odds, delta)
    outcomes: dict[tuple[int, int], Fraction] = {}  # (column of the grade, right?) -> probability; (-1, 0): silent
    for stake, left, right in zip(stakes, on_left, on_right, strict=True):
        truth, lie = (left, right) if stake > 0 else (right, left)
        column = int(abs(stake) * GRADES) - 1
        for key, probability in (((column, 1), truth / 2), ((column, 0), lie / 2)):
            place = key if column >= 0 else (-1, 0)
            outcomes[place] = outcomes.get(place, Fraction(0)) + probability
    mean = 0.0
    for sequence in itertools.product(outcomes.items(), repeat=calls):
        counts = np.zeros((2, 1, GRADES), np.int64)
        probability = 1.0
        for (column, hit), p in sequence:
            probability *= float(p)
            if column >= 0:
                counts[1 - hit, 0, column] += 1
        seen = Tally(counts[0], counts[1], np.full(1, calls), np.ones(1), np.full(1, share))
        if probability > 0:
            mean += probability * math.exp(log_evidence(seen, math.log(odds), float(delta)))
    return mean


@pytest.mark.parametrize("delta", DELTAS, ids=str)
@pytest.mark.parametrize("odds", ODDS[1:3], ids=str)
@pytest.mark.parametrize(
    "stakes",
    [
        (1, -1, 1, -1),
        (1, -1, 0, 0),
        (1, 0, 1, 0),
        (0, -1, 0, Fraction(-1, 4)),
        (1, -1, Fraction(1, 8), Fraction(-1, 2)),
    ],
    ids=str,
)
def test_evidence_has_mean_at_most_one_on_the_extremal_mechanism(
    odds: Fraction, delta: Fraction, stakes: tuple[Fraction, ...]
) -> None:
    rule = tuple(map(Fraction, stakes))
    share = 0.5 if one_sided_rule(rule) else 1.0
    for calls in (1, 2, 3):
        assert mean_wealth(rule, odds, delta, share, calls) <= 1.0 + 1e-12


def test_evidence_with_half_the_charge_has_mean_above_one() -> None:
    rule = (ONE, -ONE, Fraction(0), Fraction(0))
    wrongly = [mean_wealth(rule, Fraction(27, 10), Fraction(1, 10), 0.5, calls) for calls in (1, 2, 3)]
    assert wrongly == sorted(wrongly)
    assert wrongly[0] > 1.001


# --- the average -------------------------------------------------------------------------------------------------


def test_the_evidence_of_one_expert_is_the_closed_form() -> None:
    v, w, n, epsilon, delta = 700, 250, 1500, 0.7, 0.02
    odds = math.exp(epsilon)
    lam = BETS / (odds + delta)
    logs = v * np.log1p(lam * (1 - delta)) + w * np.log1p(-BETS) + (n - v - w) * np.log1p(-lam * delta)
    expected = np.logaddexp.reduce(logs + np.log(bet_weights(delta)))
    assert float(log_e_processes(full_stakes(v, w, n), epsilon, delta)[0]) == pytest.approx(expected, rel=1e-12)


def test_experts_not_yet_born_are_cash() -> None:
    one = full_stakes([40, 0], [10, 0], [50, 0])
    alone = replace(one.only(0), weight=np.array([0.5]))
    assert log_evidence(alone, 0.5, 0.0) == pytest.approx(log_evidence(one, 0.5, 0.0), rel=1e-12)
    evidence = math.exp(float(log_e_processes(one, 0.5, 0.0)[0]))
    assert math.exp(log_evidence(alone, 0.5, 0.0)) == pytest.approx(0.5 + 0.5 * evidence, rel=1e-12)
    nothing = Tally.join([], [])
    assert log_evidence(nothing, 0.5, 0.1) == 0.0
    assert log_evidence(replace(alone, weight=np.zeros(1)), 0.5, 0.1) == 0.0


def test_an_average_over_the_experts_present_would_be_invalid() -> None:
    """A fair coin guessed once at (0, 0); after a wrong guess, and only then, a second rule is added."""
    right, wrong = full_stakes(1, 0, 1), full_stakes(0, 1, 1)
    wrong_and_a_newborn = full_stakes([0, 0], [1, 0], [1, 0])
    halved = [replace(t, weight=np.full(len(t.calls), 0.5)) for t in (right, wrong)]
    fixed_weights = 0.5 * sum(math.exp(log_evidence(t, 0.0, 0.0)) for t in halved)
    over_those_present = 0.5 * sum(math.exp(log_evidence(t, 0.0, 0.0)) for t in (right, wrong_and_a_newborn))
    assert fixed_weights == pytest.approx(1.0, abs=1e-12)
    assert over_those_present > 1.05


def random_tally(rng: np.random.Generator, rules: int) -> Tally:
    counts = rng.integers(0, 50, (2, rules, GRADES))
    silent = rng.integers(0, 500, rules)
    weight = rng.dirichlet(np.ones(rules + 1))[:-1]
    share = rng.choice([0.5, 1.0], rules)
    return Tally(counts[0], counts[1], counts.sum(axis=(0, 2)) + silent, weight, share)


def test_tallies_join_associatively_and_in_any_order(rng: np.random.Generator) -> None:
    for _ in range(20):
        a, b, c = (random_tally(rng, int(rng.integers(1, 5))) for _ in range(3))
        x, y, z = rng.dirichlet(np.ones(3))
        flat = Tally.join([a, b, c], [x, y, z])
        nested = Tally.join([Tally.join([a, b], [x / (x + y), y / (x + y)]), c], [x + y, z])
        turned = Tally.join([c, a, b], [z, x, y])
        for epsilon, delta in ((0.0, 0.0), (1.0, 0.0), (0.5, 0.01)):
            expected = log_evidence(flat, epsilon, delta)
            assert log_evidence(nested, epsilon, delta) == pytest.approx(expected, rel=1e-12)
            assert log_evidence(turned, epsilon, delta) == pytest.approx(expected, rel=1e-12)
            by_hand = sum(w * math.exp(log_evidence(t, epsilon, delta)) for t, w in ((a, x), (b, y), (c, z)))
            if math.isfinite(by_hand):
                assert math.exp(expected) == pytest.approx(by_hand, rel=1e-9)
        assert float(flat.weight.sum()) <= 1.0 + 1e-12


@pytest.mark.parametrize("delta", [0.0, 1e-5])
@pytest.mark.parametrize("shape", [NUMBERS, FEW_VALUES], ids=str)
def test_a_new_game_has_no_evidence(shape: object, delta: float) -> None:
    assert log_evidence(tally(new_game(shape, 1.0, delta)), 1.0, delta) == pytest.approx(0.0, abs=1e-12)  # type: ignore[arg-type]


def test_huge_counts_stay_finite() -> None:
    many = 10**12
    for epsilon, delta in ((0.0, 0.0), (30.0, 0.0), (1.0, 1.0), (1.0, 1e-300)):
        for counts in (full_stakes(many, 0, many), full_stakes(0, many, many), full_stakes(0, 0, many)):
            assert math.isfinite(log_evidence(counts, epsilon, delta))


# --- bounds ------------------------------------------------------------------------------------------------------


def test_bounds_at_any_time_invert_the_evidence() -> None:
    alpha = 1e-3
    for counts in (full_stakes(700, 300, 1000), full_stakes(50, 0, 1000), full_stakes([60, 5], [1, 0], [90, 90], 0.5)):
        bound = epsilon_lower(counts, 0.0, alpha)
        assert log_evidence(counts, bound, 0.0) >= -math.log(alpha) > log_evidence(counts, bound + 1e-5, 0.0)
        for epsilon in (0.0, 0.3):
            low = delta_lower(counts, epsilon, alpha)
            if low > 0:
                assert (
                    log_evidence(counts, epsilon, low) >= -math.log(alpha) > log_evidence(counts, epsilon, low + 1e-5)
                )


def test_nothing_is_certified_from_nothing() -> None:
    for counts in (full_stakes(0, 0, 0), full_stakes(50, 50, 100), Tally.join([], [])):
        assert epsilon_lower(counts, 0.0, 0.05) == 0.0
        assert epsilon_lower(counts, 0.1, 0.05) == 0.0
        assert delta_lower(counts, 0.0, 0.05) == 0.0


def test_no_bound_exceeds_the_ceiling() -> None:
    assert epsilon_lower(full_stakes(10**9, 0, 10**9), 0.0, 0.05) <= EPSILON_CEILING
    assert delta_lower(full_stakes(10**9, 0, 10**9), 0.0, 0.05) <= 1.0


@pytest.mark.parametrize("first_kept", [1, 2, 57, len(EPSILON_GRID) - 1])
def test_for_delta_above_0_the_scan_stops_at_the_first_value_not_rejected(
    first_kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything beyond is rejected again, which must not count: evidence need not be monotone when delta > 0."""
    kept = float(EPSILON_GRID[first_kept])
    monkeypatch.setattr(engine, "log_evidence", lambda _, epsilon, __: 0.0 if epsilon == kept else 100.0)
    assert epsilon_lower(full_stakes(1, 0, 1), 0.01, 1e-6) == EPSILON_GRID[first_kept - 1]


def test_evidence_is_not_monotone_in_epsilon_when_delta_is_above_0() -> None:
    """Why there is a scan: a rule that is nearly always silent loses less at a larger epsilon."""
    counts = full_stakes(3, 0, 5000)
    logs = [log_evidence(counts, float(e), 0.01) for e in EPSILON_GRID]
    assert any(later > earlier for earlier, later in itertools.pairwise(logs))


# --- exact tests at a fixed horizon ------------------------------------------------------------------------------


def exact_tail(levels: list[int], sizes: list[int], observed: int, right: list[Fraction]) -> Fraction:
    law = {0: ONE}
    for level, size, p in zip(levels, sizes, right, strict=True):
        for _ in range(size):
            step: dict[int, Fraction] = {}
            for total, mass in law.items():
                step[total] = step.get(total, Fraction(0)) + mass * (1 - p)
                step[total + level] = step.get(total + level, Fraction(0)) + mass * p
            law = step
    return sum((mass for total, mass in law.items() if total >= observed), Fraction(0))


def test_graded_tail_is_the_exact_convolution(rng: np.random.Generator) -> None:
    for _ in range(60):
        strata = int(rng.integers(1, 4))
        levels = [int(x) for x in rng.integers(1, 9, strata)]
        sizes = [int(x) for x in rng.integers(0, 9, strata)]
        right = [Fraction(int(x), 16) for x in rng.integers(1, 17, strata)]
        top = sum(a * b for a, b in zip(levels, sizes, strict=True))
        for observed in sorted({0, 1, top // 2, top, top + 1, int(rng.integers(0, top + 2))}):
            expected = exact_tail(levels, sizes, observed, right)
            found = graded_tail(np.array(levels), np.array(sizes), observed, np.array(right, dtype=float))
            assert found == pytest.approx(float(expected), rel=1e-8, abs=1e-14), (levels, sizes, observed, right)


@pytest.mark.parametrize("size", [1, 10, 1000, 100_000])
@pytest.mark.parametrize("right", [0.5, 0.7310585786300049, 0.99])
def test_with_one_level_graded_tail_is_the_binomial_s_at_any_size_of_tail(size: int, right: float) -> None:
    for tail in (0.9, 0.05, 1e-3, 1e-9, 1e-20, 1e-30):
        observed = int(binom.isf(tail, size, right)) + 1
        expected = float(binom.sf(observed - 1, size, right))
        for level in (1, 3):
            assert graded_tail(np.array([level]), np.array([size]), level * observed, right) == pytest.approx(
                expected, rel=1e-8, abs=1e-300
            )


def test_graded_tail_falls_with_what_was_observed_and_rises_with_right() -> None:
    levels, sizes = np.array([1, 3, 8]), np.array([200, 100, 40])
    tails = [graded_tail(levels, sizes, observed, 0.6) for observed in range(0, 822, 3)]
    assert all(a >= b - 1e-12 for a, b in itertools.pairwise(tails))
    tails = [graded_tail(levels, sizes, 500, p) for p in np.linspace(0.01, 1.0, 100)]
    assert all(a <= b + 1e-12 for a, b in itertools.pairwise(tails))
    assert tails[-1] == 1.0


@pytest.mark.parametrize("level", [1, 8])
def test_strata_that_are_never_right_add_nothing(level: int) -> None:
    never = graded_tail(np.array([level, 2]), np.array([5, 10]), 16, np.array([0.0, 0.5]))
    assert never == pytest.approx(float(binom.sf(7, 10, 0.5)), rel=1e-9)
    assert graded_tail(np.array([level]), np.array([5]), 1, 0.0) == 0.0


def test_graded_bound_is_where_the_tail_crosses_alpha() -> None:
    levels, correct, wrong = np.array([1, 2, 8]), np.array([500, 400, 300]), np.array([300, 120, 30])
    for alpha in (0.05, 1e-6):
        bound = graded_epsilon_lower(levels, correct, wrong, alpha)
        observed = int((levels * correct).sum())
        for shift, rejected in ((-1e-3, True), (1e-3, False)):
            q = 1.0 / (1.0 + math.exp(-(bound + shift)))
            assert (graded_tail(levels, correct + wrong, observed, q) <= alpha) is rejected


def test_graded_bound_is_scaled_merged_and_never_silent_about_nothing() -> None:
    levels, correct, wrong = np.array([1, 2]), np.array([600, 800]), np.array([400, 200])
    bound = graded_epsilon_lower(levels, correct, wrong, 0.05)
    assert graded_epsilon_lower(3 * levels, correct, wrong, 0.05) == bound
    split = (np.array([1, 2, 1, 0]), np.array([500, 800, 100, 9]), np.array([300, 200, 100, 90]))
    assert graded_epsilon_lower(*split, 0.05) == bound
    nothing = np.zeros(2, np.int64)
    assert graded_epsilon_lower(nothing, correct, wrong, 0.05) == 0.0
    assert graded_epsilon_lower(levels, nothing, nothing, 0.05) == 0.0
    assert graded_epsilon_lower(levels, nothing, nothing, 0.05, calls=100, delta=0.1) == 0.0
    assert graded_epsilon_lower(levels, wrong, correct, 0.05) == 0.0


@pytest.mark.parametrize("share", [1.0, 0.5])
def test_graded_bound_falls_with_delta_and_with_its_charge(share: float) -> None:
    levels, correct, wrong = np.array([1, 4]), np.array([900, 300]), np.array([300, 20])
    bounds = [
        graded_epsilon_lower(levels, correct, wrong, 0.05, calls=5000, delta=delta, share=share)
        for delta in (0.0, 1e-6, 1e-3, 1e-2, 0.1, 1.0)
    ]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[0] > bounds[3] > bounds[-1] == 0.0
    if share == 0.5:
        full = graded_epsilon_lower(levels, correct, wrong, 0.05, calls=5000, delta=1e-2)
        assert bounds[3] > full


def exact_level(epsilon: float, delta: float, calls: int, alpha: float) -> float:
    """The probability that the fixed-horizon bound of one stratum exceeds epsilon on its least favourable null.

    The extremal mechanism, guessed on always: a guess is right with probability delta + (1 - delta) q.
    """
    right = delta + (1.0 - delta) / (1.0 + math.exp(-epsilon))
    counts = np.arange(calls + 1)
    one = np.array([1])
    exceeds = [
        graded_epsilon_lower(one, np.array([v]), np.array([calls - v]), alpha, calls=calls, delta=delta)
        > epsilon + 1e-5
        for v in counts
    ]
    return float(binom.pmf(counts, calls, right)[np.array(exceeds)].sum())


@pytest.mark.some(1)
@pytest.mark.parametrize(("epsilon", "delta"), [(0.0, 0.0), (1.0, 0.0), (1.0, 0.05), (0.3, 0.2)])
def test_the_fixed_horizon_has_exactly_its_level(epsilon: float, delta: float) -> None:
    alpha, calls = 0.05, 120
    level = exact_level(epsilon, delta, calls, alpha)
    assert level <= alpha
    if delta == 0.0:
        assert level > alpha / 3  # what the lattice leaves of it


def test_nuisance_takes_little_of_the_level() -> None:
    assert 0.0 < NUISANCE_SHARE < 0.05


# --- binomial bounds ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0.05, 1e-6, 1e-12])
@pytest.mark.parametrize(("successes", "trials"), [(1, 1), (1, 50), (25, 50), (50, 50), (999, 1000), (3, 10**6)])
def test_clopper_and_pearson_by_their_definition(successes: int, trials: int, alpha: float) -> None:
    low = float(binomial_lower(successes, trials, alpha))
    assert 0.0 < low < successes / trials
    # at the bound so many successes have probability (just under) alpha: checked with scipy.stats, another code path
    assert binom.sf(successes - 1, trials, low) == pytest.approx(alpha, rel=1e-4)
    assert binom.sf(successes - 1, trials, low) <= alpha
    high = float(binomial_upper(trials - successes, trials, alpha))
    assert high == pytest.approx(1.0 - low, abs=1e-15)


def test_binomial_bounds_at_the_edges_and_in_arrays() -> None:
    assert float(binomial_lower(0, 100, 0.05)) == 0.0
    assert float(binomial_upper(100, 100, 0.05)) == 1.0
    assert float(binomial_lower(0, 0, 0.05)) == 0.0
    assert float(binomial_upper(0, 0, 0.05)) == 1.0
    assert float(binomial_upper(0, 100, 0.05)) == pytest.approx(1.0 - 0.05**0.01, rel=1e-4)
    assert float(binomial_lower(100, 100, 0.05)) == pytest.approx(0.05**0.01, rel=1e-4)
    table = binomial_lower(np.array([[0, 5], [10, 9]]), 10, np.array([0.05, 0.01]))
    assert table.shape == (2, 2)
    assert table[0, 0] == 0.0
    assert (np.diff(binomial_lower(np.arange(0.0, 10.5, 0.5), 10, 0.05)) > 0).all()


@pytest.mark.parametrize("alpha", [0.05, 1e-3])
@pytest.mark.parametrize("truth", [0.01, 0.3, 0.5, 0.99])
def test_binomial_bounds_cover_exactly(truth: float, alpha: float) -> None:
    counts = np.arange(201)
    mass = binom.pmf(counts, 200, truth)
    assert mass[binomial_lower(counts, 200, alpha) > truth].sum() <= alpha
    assert mass[binomial_upper(counts, 200, alpha) < truth].sum() <= alpha


# --- false alarms at every interim analysis, by simulation -------------------------------------------------------

CALLS = 400


@pytest.mark.extra
def test_laplace_at_its_claim_is_rarely_accused(rng: np.random.Generator) -> None:
    line = statistical_test("anytime: Laplace at its claim")
    alarms = sum(
        most_evidence(laplace(1.0), NUMBERS, (1.0, 0.0), CALLS, rng) >= -math.log(line.chance) for _ in range(line.runs)
    )
    assert line.passes(alarms)


@pytest.mark.turns(4)
def test_learning_before_certifying_would_turn_that_test_red(rng: np.random.Generator) -> None:
    line = statistical_test("anytime: Laplace at its claim")
    few = 10  # all of them, in practice: scaled up it is far beyond the limit
    alarms = sum(
        most_evidence(laplace(1.0), NUMBERS, (1.0, 0.0), CALLS, rng, peeking=True) >= -math.log(line.chance)
        for _ in range(few)
    )
    assert not line.passes(alarms * line.runs // few)


@pytest.mark.extra
def test_randomised_response_at_its_claim_is_rarely_accused(rng: np.random.Generator) -> None:
    line = statistical_test("anytime: randomised response at its claim")
    alarms = sum(
        most_evidence(response(1.0), FEW_VALUES, (1.0, 0.0), CALLS, rng) >= -math.log(line.chance)
        for _ in range(line.runs)
    )
    assert line.passes(alarms)


@pytest.mark.turns(6)
def test_the_extremal_mechanism_at_its_claim_is_rarely_accused(rng: np.random.Generator) -> None:
    line = statistical_test("anytime: reveal with probability delta, else randomised response")
    alarms = sum(
        most_evidence(revealing(1.0, 0.1), FEW_VALUES, (1.0, 0.1), CALLS, rng) >= -math.log(line.chance)
        for _ in range(line.runs)
    )
    assert line.passes(alarms)


@pytest.mark.turns(6)
def test_a_one_sided_event_at_its_claim_is_rarely_accused(rng: np.random.Generator) -> None:
    line = statistical_test("anytime: one-sided event at its claim")
    alarms = sum(
        most_evidence(one_sided(1.0, 0.1), FEW_VALUES, (1.0, 0.0), CALLS, rng) >= -math.log(line.chance)
        for _ in range(line.runs)
    )
    assert line.passes(alarms)
