"""Wagers: that they are fair under every null, what their counts say, and what they are fitted to."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog

from dpcheck.model.claims import TestedPoint
from dpcheck.model.errors import RecordCorrupt
from dpcheck.privacy.statistics import cuttings
from dpcheck.privacy.statistics.bank import posteriors
from dpcheck.privacy.statistics.cuttings import over_cuttings, prior_strength
from dpcheck.privacy.statistics.evidence import epsilon_lower, log_evidence
from dpcheck.privacy.statistics.game import Shape, new_game, tally
from dpcheck.privacy.statistics.wager_fits import CUTTINGS, Wager, all_fitted
from dpcheck.privacy.statistics.wagers import BET_LEVELS, BET_SIZES, LEANS, Bets, best_bets, log_wealth
from tests.playing import NUMBERS, laplace, most_evidence, play
from tests.playing import batches as interims

Floats = NDArray[np.float64]
SETTINGS = [(0.3, 0.0), (1.0, 0.0), (3.0, 0.0), (0.5, 0.01), (1.0, 0.1), (2.0, 0.001)]


def one_call(level: int, coin: int, terms: tuple[int, int, int], epsilon: float, delta: float) -> float:
    """The factor of one call, by the counts' own formula."""
    counts = np.zeros((2 * BET_LEVELS + 1, 2), np.int64)
    counts[level + BET_LEVELS, coin] = 1
    return math.exp(log_wealth(Bets.none().and_also(terms, counts), (TestedPoint(epsilon, delta, 1.0),))[0])


def bets_on(p: Floats, q: Floats, epsilon: float, delta: float) -> tuple[NDArray[np.int8], tuple[int, int, int]]:
    """The levels and terms of one feature."""
    levels, terms = best_bets(p[None], q[None], epsilon, delta)
    lean, top, bottom = terms[0].tolist()
    return levels[0], (lean, top, bottom)


def fitted(wager: Wager, histogram: NDArray[np.int64], centres: Floats, epsilon: float) -> Wager:
    """One wager with the bets for this past."""
    told = {table: posteriors(table, histogram[None], centres[None]) for table in wager.tables if table != CUTTINGS}
    return all_fitted([wager], histogram[None], told, epsilon, 0.0)[0]


def worst_mean(factors: Floats, epsilon: float, delta: float) -> float:
    """The largest mean of ``factors`` (B, 2) by output and coin, over all indistinguishable pairs: a linear programme.

    Unknowns: P, Q, and the excesses (P - E Q)+ and (Q - E P)+ of each output.
    """
    bins, odds = len(factors), math.exp(epsilon)
    one, nothing = np.eye(bins), np.zeros((bins, bins))
    above = np.block([[one, -odds * one, -one, nothing], [-odds * one, one, nothing, -one]])
    spent = np.kron([[0, 0, 1, 0], [0, 0, 0, 1]], np.ones(bins))
    masses = np.kron([[1, 0, 0, 0], [0, 1, 0, 0]], np.ones(bins))
    found = linprog(
        -0.5 * np.concatenate([factors[:, 1], factors[:, 0], np.zeros(2 * bins)]),
        A_ub=np.vstack([above, spent]),
        b_ub=np.concatenate([np.zeros(2 * bins), [delta, delta]]),
        A_eq=masses,
        b_eq=[1.0, 1.0],
    )
    return -float(found.fun)


@pytest.mark.parametrize(("epsilon", "delta"), SETTINGS)
def test_no_bet_grows_on_the_average_under_any_null(epsilon: float, delta: float, rng: np.random.Generator) -> None:
    """Also where it was fitted to another claim than the one it is tested against."""
    for other in (epsilon, 0.5 * epsilon, 2.0 * epsilon):
        p, q = rng.dirichlet(np.full(6, 0.5), 2)
        levels, terms = bets_on(p, q, other, delta)
        factors = [[one_call(int(level), coin, terms, epsilon, delta) for coin in (0, 1)] for level in levels]
        assert worst_mean(np.array(factors), epsilon, delta) <= 1.0 + 1e-7


def test_a_bet_that_is_charged_half_of_delta_grows_under_a_null() -> None:
    p, q = np.array([0.3, 0.35, 0.35]), np.array([1e-6, 0.5, 0.499999])
    levels, terms = bets_on(p, q, 1.0, 0.05)
    assert levels[0] > 0
    factors = [[one_call(int(level), coin, terms, 1.0, 0.025) for coin in (0, 1)] for level in levels]
    assert worst_mean(np.array(factors), 1.0, 0.05) > 1.0 + 1e-4


@pytest.mark.parametrize(("epsilon", "delta"), SETTINGS)
def test_bets_grow_as_fast_as_the_likelihood_ratio_of_the_nearest_null(epsilon: float, delta: float) -> None:
    """A symmetric pair: the posterior is clipped, and one call of randomised response is worth KL(right || claimed)."""
    right = 1.0 / (1.0 + math.exp(-2.0 * epsilon - 0.2))
    p, q = np.array([right, 1.0 - right]), np.array([1.0 - right, right])
    levels, terms = bets_on(p, q, epsilon, delta)
    factors = np.array([[one_call(int(level), coin, terms, epsilon, delta) for coin in (0, 1)] for level in levels])
    grown = 0.5 * (p @ np.log(factors[:, 1]) + q @ np.log(factors[:, 0]))
    claimed = (math.exp(epsilon) + delta) / (1.0 + math.exp(epsilon))
    worth = right * math.log(right / claimed) + (1.0 - right) * math.log((1.0 - right) / (1.0 - claimed))
    assert 0.97 * worth <= grown <= worth + 1e-9


def test_a_lean_of_the_coin_pays_where_the_laws_are_not_symmetric() -> None:
    """An event that is likelier on D, and nothing that is likelier on D' beyond the claim."""
    p, q = np.array([0.5, 0.5]), np.array([0.1, 0.9])
    _, terms = bets_on(p, q, 1.0, 0.0)
    assert LEANS[terms[0]] != 1.0
    assert BET_SIZES[terms[1]] > 0.0


@pytest.mark.parametrize("delta", [0.0, 0.01])
def test_evidence_falls_with_epsilon_and_with_delta(delta: float, rng: np.random.Generator) -> None:
    counts = rng.integers(0, 30, (2 * BET_LEVELS + 1, 2))
    bets = Bets.none().and_also((14, BET_LEVELS, BET_LEVELS), counts)
    rising = [TestedPoint(epsilon, 0.0, 1.0) for epsilon in np.linspace(0.0, 4.0, 30)]
    assert (np.diff(log_wealth(bets, rising)) < 0).all()
    rising = [TestedPoint(1.0, d, 1.0) for d in np.linspace(delta, 0.5, 30)]
    assert (np.diff(log_wealth(bets, rising)) < 0).all()


def test_calls_under_the_same_terms_are_one_row_and_their_wealth_is_the_product(rng: np.random.Generator) -> None:
    points = (TestedPoint(0.5, 0.01, 1.0), TestedPoint(2.0, 0.0, 1.0))
    terms = [(10, 20, 24), (10, 20, 24), (12, 24, 24)]
    parts = [np.zeros((2 * BET_LEVELS + 1, 2), np.int64) for _ in terms]
    for part in parts:
        part[BET_LEVELS - 15 : BET_LEVELS + 16] = rng.integers(0, 9, (31, 2))
    bets, alone = Bets.none(), np.zeros(2)
    for term, part in zip(terms, parts, strict=True):
        bets = bets.and_also(term, part)
        alone += log_wealth(Bets.none().and_also(term, part), points)
    assert len(bets.terms) == 2
    assert log_wealth(bets, points) == pytest.approx(alone, rel=1e-12)


def test_the_mean_over_cuttings_is_that_of_all_of_them() -> None:
    """Of two bins: one part with probability 1/2, else two; each part's mean by its Beta law."""
    from scipy.special import betaln

    left, right, a = np.array([5, 1]), np.array([1, 6]), 0.7

    def explains(on: float, off: float) -> float:
        return math.exp(betaln(on + a, off + a) - betaln(a, a))

    whole = 0.5 * explains(6, 7)
    cut = 0.5 * explains(5, 1) * explains(1, 6)
    expected = whole * (6 + a) / (13 + 2 * a) + cut * (left + a) / (left + right + 2 * a)
    assert over_cuttings(left, right, a) == pytest.approx(expected / (whole + cut), rel=1e-12)


def test_cuttings_do_not_know_which_dataset_is_which(rng: np.random.Generator) -> None:
    left, right = rng.integers(0, 9, (2, 37))
    assert over_cuttings(left, right, 1.3) == pytest.approx(1.0 - over_cuttings(right, left, 1.3), abs=1e-12)
    nothing = np.zeros(5, np.int64)
    assert over_cuttings(nothing, nothing, 1.0) == pytest.approx(np.full(5, 0.5))


@pytest.mark.parametrize("bins", [1, 2, 3, 40])
def test_cuttings_of_many_lines_are_those_of_each_whether_looked_up_or_not(
    bins: int, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, right = rng.integers(0, 200, (2, 5, bins))
    together = over_cuttings(left, right, 0.8)
    assert together == pytest.approx(np.stack([over_cuttings(*two, 0.8) for two in zip(left, right, strict=True)]))
    monkeypatch.setattr(cuttings, "MOST_LOOKED_UP", 0)
    assert together == pytest.approx(over_cuttings(left, right, 0.8), rel=1e-9)


@pytest.mark.parametrize("delta", [0.0, 1e-3])
def test_bets_of_many_features_are_those_of_each(delta: float, rng: np.random.Generator) -> None:
    p, q = rng.dirichlet(np.full(9, 0.5), (2, 6))
    levels, terms = best_bets(p, q, 0.7, delta)
    for row in range(6):
        alone = bets_on(p[row], q[row], 0.7, delta)
        assert (levels[row] == alone[0]).all()
        assert tuple(terms[row]) == alone[1]


def test_the_prior_is_as_wide_as_the_leaks_that_are_looked_for() -> None:
    strengths = [prior_strength(epsilon) for epsilon in (0.0, 0.05, 0.3, 1.0, 3.0, 20.0, 700.0)]
    assert strengths == sorted(strengths, reverse=True)
    assert strengths[-1] == 0.5


def test_the_table_that_forecasts_best_is_bet_on(rng: np.random.Generator) -> None:
    """A single answer in the middle: what rises forecasts it badly, a cutting does not."""
    wager = Wager.new(1.0, (CUTTINGS, "rising"))
    histogram = np.array([[20, 20], [2, 30], [20, 20], [0, 0]])
    centres = np.array([0.0, 1.0, 2.0, np.nan])
    wager = fitted(wager, histogram, centres, 0.5)
    scored = wager.scored(10 * histogram)
    assert scored.losses[0] < scored.losses[1]
    bets = fitted(scored, histogram, centres, 0.5).levels
    assert bets[1] > 10
    assert np.abs(bets[[0, 2]]).max() <= 3


def test_without_delta_no_table_says_more_than_leaks_are_large() -> None:
    histogram, centres = np.array([[50, 0], [0, 50], [0, 0]]), np.array([0.0, 1.0, np.nan])
    sure = posteriors("rising", histogram, centres)
    assert sure[1] > 0.98
    wager = fitted(Wager.new(1.0, ("rising",)), histogram, centres, 0.6)
    assert wager.forecasts[0, 1] == pytest.approx(1.0 / (1.0 + math.exp(-1.2)), abs=1e-3)


def test_bounds_count_wagers_too(rng: np.random.Generator) -> None:
    game, _ = play(new_game(NUMBERS, 1.0, 0.0), interims(laplace(2.0), 2_000, rng))
    counts = tally(game)
    assert sum(len(bets.terms) for bets, _ in counts.wagers) > 0
    staked = counts.weight.sum() + sum(weight for _, weight in counts.wagers)
    assert staked <= 1.0 + 1e-12
    if log_evidence(counts, 1.0, 0.0) >= math.log(1e3):
        assert epsilon_lower(counts, 0.0, 1e-3) >= 1.0


def test_many_columns_have_rules_alone() -> None:
    few, many = (new_game(Shape(count, False, False), 1.0, 0.0) for count in (5, 50))
    waged = [sum(f.kind == "column" and f.wager is not None for f in game.features) for game in (few, many)]
    assert waged == [5, 0]


def test_a_correct_learner_is_not_accused(rng: np.random.Generator) -> None:
    """At 1e-9: an e-process exceeds 1e9 with at most this probability."""
    assert most_evidence(laplace(1.0), NUMBERS, (1.0, 0.0), 3_000, rng) < -math.log(1e-9)


@pytest.mark.turns(4)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("wager.counts", -1),
        ("wager.past_terms", 99),
        ("wager.levels", 100),
        ("wager.terms", -1),
    ],
)
def test_a_record_whose_wagers_no_game_could_have_is_refused(name: str, value: int) -> None:
    from dataclasses import replace

    import dpcheck
    from dpcheck.model.verdict.record import pack, unpack
    from dpcheck.privacy.statistics.state import restored

    def learner(dataset: NDArray[np.float64], rng: np.random.Generator) -> float:
        return float(dataset.sum() + rng.laplace())

    verdict = dpcheck.audit(
        learner, 1.0, pairs=[(np.array([1.0]), np.array([0.0]))], max_samples=300, isolation="none", seed=1
    )
    assert verdict.record is not None
    arrays = unpack(verdict.record.pairs[0].state)
    key = next(key for key in arrays if key.endswith(name))
    arrays[key] = np.array(arrays[key])
    arrays[key].flat[0] = value
    pair = replace(verdict.record.pairs[0], state=pack(arrays))
    with pytest.raises(RecordCorrupt, match="that no game could have"):
        restored(replace(verdict.record, pairs=(pair,)))
