"""The yardstick itself: exact laws, the nearest null, the limit against closed forms and simulation.

Statistical tests raise a false alarm with probability at most 1e-9 each, whatever the seed.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq, linprog
from scipy.stats import binom

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"
sys.path.append(str(BENCHMARKS))

import laws as exact  # noqa: E402
import limit as yardstick  # noqa: E402

FALSE_ALARM = 1e-9
ALPHA = 0.05

PAIRS = [
    exact.LaplaceShift(0.1),
    exact.LaplaceShift(3.0),
    exact.GaussianShift(1.0, 1e-2),
    exact.GaussianShift(0.1, 1e-5),
    exact.RandomisedResponse(1.0),
]


def name_of(law: exact.Law) -> str:
    return f"{law.name}-{law.epsilon}-{law.delta}"


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng()  # fresh: seeds never decide


# --- the laws ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", PAIRS, ids=name_of)
def test_cells_carry_the_exact_profile(law: exact.Law) -> None:
    cells = law.cells(20_000)
    assert cells.p.sum() == pytest.approx(1.0, abs=1e-13)
    assert cells.q.sum() == pytest.approx(1.0, abs=1e-13)
    # At the pair's own epsilon delta is what was asked for; at any other the cells' hockey stick agrees (to
    # the square of a cell, in which the sign of p - E q changes once).
    assert law.delta_at(law.epsilon) == pytest.approx(law.delta, rel=1e-9, abs=1e-15)
    assert law.epsilon_at(law.delta) == pytest.approx(law.epsilon, rel=1e-9)
    for share in (0.0, 0.3, 0.9):
        epsilon = share * law.epsilon
        one_way = np.maximum(cells.p - math.exp(epsilon) * cells.q, 0.0).sum()
        other_way = np.maximum(cells.q - math.exp(epsilon) * cells.p, 0.0).sum()
        assert one_way == pytest.approx(law.delta_at(epsilon), abs=1e-6)
        assert other_way == pytest.approx(law.delta_at(epsilon), abs=1e-6)
        assert law.epsilon_at(law.delta_at(epsilon)) == pytest.approx(epsilon, rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("law", PAIRS, ids=name_of)
def test_splitting_cells_keeps_their_masses_and_their_ratios(law: exact.Law) -> None:
    pair = yardstick.atoms_of(law.cells(500))
    assert pair.p.sum() == pytest.approx(1.0, abs=1e-12)
    assert pair.q.sum() == pytest.approx(1.0, abs=1e-12)
    inside = np.isfinite(pair.loss)
    np.testing.assert_allclose(pair.p[inside], pair.q[inside] * np.exp(pair.loss[inside]), rtol=1e-6, atol=1e-14)


@pytest.mark.parametrize("law", PAIRS, ids=name_of)
@pytest.mark.parametrize("side", [False, True])
def test_samples_follow_the_distribution_function(law: exact.Law, side: bool, rng: np.random.Generator) -> None:
    size = 20_000
    ordered = np.sort(law.sample(side, size, rng))
    last = np.concatenate((ordered[1:] != ordered[:-1], [True]))  # at a tie only the last step counts
    gap = np.abs(np.arange(1, size + 1) / size - law.cdf(ordered, side))[last].max()
    assert gap <= math.sqrt(math.log(2 / FALSE_ALARM) / (2 * size))  # Dvoretzky, Kiefer, Wolfowitz, Massart


def test_a_sample_may_mix_the_sides(rng: np.random.Generator) -> None:
    is_d = np.array([True, False] * 50)
    far_apart = exact.LaplaceShift(1e6)
    assert np.array_equal(far_apart.sample(is_d, 100, rng) > 0.5, is_d)


@pytest.mark.parametrize("law", PAIRS[:-1], ids=name_of)
def test_densities_are_slopes_of_the_distribution_function(law: exact.Law) -> None:
    y = np.linspace(-3.0, 4.0, 701) + 1e-3  # off the kinks at 0 and 1
    for side in (False, True):
        slope = (law.cdf(y + 1e-5, side) - law.cdf(y - 1e-5, side)) / 2e-5
        np.testing.assert_allclose(slope, law.density(y, side), rtol=1e-4, atol=1e-9)
    np.testing.assert_allclose(np.log(law.density(y, True) / law.density(y, False)), law.loss(y), atol=1e-9)


# --- the nearest null -------------------------------------------------------------------------------------


def a_lopsided_pair() -> yardstick.Atoms:
    p = np.array([0.40, 0.25, 0.20, 0.10, 0.05])
    q = np.array([0.02, 0.13, 0.25, 0.30, 0.30])
    return yardstick.Atoms(np.log(p / q), p, q)


@pytest.mark.parametrize("delta", [0.0, 1e-5, 1e-2, 0.1])
@pytest.mark.parametrize("epsilon", [0.0, 0.3, 0.8])
@pytest.mark.parametrize("lopsided", [True, False], ids=["lopsided", "gaussian"])
def test_the_null_is_in_h0_and_nothing_in_h0_is_nearer(epsilon: float, delta: float, lopsided: bool) -> None:
    pair = a_lopsided_pair() if lopsided else yardstick.atoms_of(exact.GaussianShift(1.0, 0.11).cells(40), inner=True)
    null = yardstick.least_favourable(pair, epsilon, delta)
    for_p, for_q = null.log_ratios(pair.loss)
    p, q, E = pair.p * np.exp(-for_p), pair.q * np.exp(-for_q), math.exp(epsilon)
    assert p.sum() == pytest.approx(1.0, abs=1e-8)
    assert q.sum() == pytest.approx(1.0, abs=1e-8)
    assert np.maximum(p - E * q, 0).sum() <= delta * (1 + 1e-6) + 1e-12
    assert np.maximum(q - E * p, 0).sum() <= delta * (1 + 1e-6) + 1e-12
    # The problem is convex: the null is nearest if and only if, over all (P', Q') in H0, the mean of
    # true/null is at most its mean at the null itself, 1. A linear programme in P', Q' and both excesses.
    n, eye = pair.p.size, np.eye(pair.p.size)
    zero, one, none = np.zeros((n, n)), np.ones(n), np.zeros(n)
    found = linprog(
        -0.5 * np.concatenate((np.exp(for_p), np.exp(for_q), none, none)),
        A_ub=np.vstack(
            [
                np.hstack([eye, -E * eye, -eye, zero]),
                np.hstack([-E * eye, eye, zero, -eye]),
                np.concatenate([none, none, one, none]),
                np.concatenate([none, none, none, one]),
            ]
        ),
        b_ub=np.concatenate((np.zeros(2 * n), [delta, delta])),
        A_eq=np.array([np.concatenate([one, none, none, none]), np.concatenate([none, one, none, none])]),
        b_eq=np.ones(2),
    )
    assert found.success
    assert -found.fun <= 1 + 1e-5


def test_for_a_symmetric_pair_without_delta_the_posterior_is_clipped() -> None:
    pair = yardstick.atoms_of(exact.LaplaceShift(1.0).cells(101), inner=True)
    null = yardstick.least_favourable(pair, 0.6, 0.0)
    for_p, for_q = null.log_ratios(pair.loss)
    p, q = pair.p * np.exp(-for_p), pair.q * np.exp(-for_q)
    ceiling = 1 / (1 + math.exp(-0.6))
    np.testing.assert_allclose(p + q, pair.p + pair.q, rtol=1e-9)
    np.testing.assert_allclose(p / (p + q), np.clip(pair.p / (pair.p + pair.q), 1 - ceiling, ceiling), rtol=1e-9)


def test_with_delta_the_marginal_of_the_output_moves() -> None:
    pair = yardstick.atoms_of(exact.GaussianShift(1.0, 0.1).cells(101), inner=True)
    null = yardstick.least_favourable(pair, 0.5, 0.1)
    (a, c), (m1, m2) = null.mass, null.spend
    assert a + c == pytest.approx(1 - 0.1 * (m1 + m2), abs=1e-8)
    assert a + c < 0.999


def test_a_pair_inside_h0_is_its_own_nearest_null() -> None:
    pair = yardstick.atoms_of(exact.GaussianShift(1.0, 1e-2).cells(101), inner=True)
    for_p, for_q = yardstick.least_favourable(pair, 1.5, 1e-2).log_ratios(pair.loss)
    assert np.abs(np.concatenate((for_p, for_q))).max() < 1e-9


# --- the limit --------------------------------------------------------------------------------------------


def binomial_limit(epsilon: float, calls: int) -> float:
    """Randomised response: the most powerful test counts correct guesses, Binomial(calls, q(epsilon))."""
    truth = 1 / (1 + math.exp(-epsilon))
    counts = np.arange(calls, -1, -1)
    detected = np.concatenate(([0.0], np.cumsum(binom.pmf(counts, calls, truth))))

    def excess(epsilon0: float) -> float:
        level = np.cumsum(binom.pmf(counts, calls, 1 / (1 + math.exp(-epsilon0))))
        return float(np.interp(ALPHA, np.concatenate(([0.0], level)), detected)) - 0.5

    return float(brentq(excess, 0.0, epsilon, xtol=1e-12))


@pytest.mark.parametrize(("epsilon", "calls"), [(0.1, 10_000), (1.0, 200), (1.0, 10_000), (3.0, 10_000)])
def test_randomised_response_agrees_with_the_binomial(epsilon: float, calls: int) -> None:
    found = yardstick.limit(exact.RandomisedResponse(epsilon), calls, ALPHA, 0.0)
    # Both tests are randomised at their edge, where the grid is finer than the count: allow 5 % of one count,
    # in units of epsilon0 (a count moves the estimate of q by 1/calls, and dq/depsilon = q (1 - q)).
    q = 1 / (1 + math.exp(-epsilon))
    assert found == pytest.approx(binomial_limit(epsilon, calls), abs=0.05 / (calls * q * (1 - q)) + 2e-5 * epsilon)


@pytest.mark.some(1)
@pytest.mark.parametrize("law", PAIRS, ids=name_of)
def test_the_limit_rises_with_calls_and_stays_below_the_truth(law: exact.Law) -> None:
    limits = [yardstick.limit(law, calls, ALPHA, law.delta, cells=500) for calls in (100, 1_000, 10_000, 50_000)]
    assert limits == sorted(limits)
    assert 0.0 < limits[-1] < law.epsilon
    assert yardstick.limit(law, 50_000, 1e-6, law.delta, cells=500) < limits[-1]


@pytest.mark.turns(4)
@pytest.mark.parametrize("law", PAIRS, ids=name_of)
def test_the_discretisations_err_to_both_sides_and_little(law: exact.Law) -> None:
    above = yardstick.limit(law, 10_000, ALPHA, law.delta, cells=1_000)
    below = yardstick.limit(law, 10_000, ALPHA, law.delta, cells=1_000, inner=True)
    rounding = 2 * yardstick.RELATIVE_PRECISION * law.epsilon
    assert below - rounding <= above <= below + 1e-3 * law.epsilon


@pytest.mark.some(1)
@pytest.mark.parametrize("law", [exact.LaplaceShift(1.0), exact.GaussianShift(1.0, 1e-2)], ids=name_of)
def test_at_the_limit_simulated_power_is_one_half_and_level_alpha(law: exact.Law, rng: np.random.Generator) -> None:
    calls, runs = 1_000, 2_000
    epsilon = yardstick.limit(law, calls, ALPHA, law.delta)
    pair = yardstick.atoms_of(law.cells(yardstick.DEFAULT_CELLS))
    null = yardstick.least_favourable(pair, epsilon, law.delta)
    statistic = yardstick.statistic_of(pair, null)
    critical = yardstick.sums_of(statistic, calls).critical(ALPHA)

    def draw(size: int) -> np.ndarray:
        """The statistic on outputs as they come, in no cell."""
        labels = rng.random(size) < 0.5
        for_p, for_q = null.log_ratios(law.loss(law.sample(labels, size, rng)))
        return np.where(labels, for_p, for_q)

    def draw_null(size: int) -> np.ndarray:
        """By rejection: the null has density exp(-statistic) under the truth."""
        kept = np.empty(0)
        while kept.size < size:
            some = draw(size)
            kept = np.concatenate((kept, some[rng.random(size) < np.exp(statistic.value.min() - some)]))
        return kept[:size]

    detected = sum(draw(calls).sum() > critical for _ in range(runs))
    accused = sum(draw_null(calls).sum() > critical for _ in range(runs))
    for count, probability in ((detected, 0.5), (accused, ALPHA)):
        low, high = binom.ppf([FALSE_ALARM / 4, 1 - FALSE_ALARM / 4], runs, probability)
        assert low <= count <= high


def test_no_null_is_found_under_which_the_level_breaks() -> None:
    law = exact.GaussianShift(1.0, 1e-2)
    epsilon = yardstick.limit(law, 10_000, ALPHA, law.delta)
    assert ALPHA <= yardstick.worst_level(law, 10_000, ALPHA, epsilon, law.delta, cells=100) <= 0.051


def test_the_search_for_a_worse_null_finds_one_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    law = exact.GaussianShift(1.0, 1e-2)
    honest = yardstick.least_favourable

    def too_easy(pair: yardstick.Atoms, epsilon: float, delta: float) -> yardstick.Null:
        return honest(pair, 0.8 * epsilon, delta)  # a null that lies deep inside H0

    monkeypatch.setattr(yardstick, "least_favourable", too_easy)
    assert yardstick.worst_level(law, 10_000, ALPHA, 0.86, law.delta, cells=100) > 0.2


@pytest.mark.parametrize(("calls", "alpha", "delta"), [(0, 0.05, 0.0), (10, 0.5, 0.0), (10, 0.05, 1.0)])
def test_arguments_out_of_range_are_refused(calls: int, alpha: float, delta: float) -> None:
    with pytest.raises(ValueError, match=rf"got {calls}, {alpha}, {delta}"):
        yardstick.limit(exact.LaplaceShift(1.0), calls, alpha, delta)


@pytest.mark.turns(6)
def test_the_written_table_is_the_computed_one() -> None:
    rows = json.loads((BENCHMARKS / "limits.json").read_text(encoding="utf-8"))["rows"]
    expected = [(law, calls) for law in yardstick.table_laws() for calls in yardstick.TABLE_CALLS]
    assert [(r["law"], r["epsilon"], r["delta"], r["calls"]) for r in rows] == [
        (law.name, law.epsilon, law.delta, calls) for law, calls in expected
    ]
    for row, (law, calls) in zip(rows, expected, strict=True):
        assert 0.0 <= row["limit"] < law.epsilon
        if calls == min(yardstick.TABLE_CALLS):
            assert row["limit"] == pytest.approx(
                yardstick.limit(law, calls, row["alpha"], law.delta), abs=1e-4 * law.epsilon
            )
