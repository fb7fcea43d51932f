"""Each mechanism samples the law it declares, and its profile is that law's.

Statistical tests here compare counts with exact binomial (Clopper-Pearson) bounds at level ``LEVEL`` a test,
split evenly over all comparisons a test makes; whatever the seed, a correct mechanism fails one with at most
that probability. Each test says which wrong mechanism it would catch.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms import combinators, mixtures, parameters, quadrature, queries
from dpcheck.parts.mechanisms.bounded_laplace import (
    LaplaceInRange,
    TruncatedLaplace,
    TruncatedLaplaceProfile,
    calibrated_reach,
)
from dpcheck.parts.mechanisms.data_scaled_laplace import LaplaceScaledByTheData
from dpcheck.parts.mechanisms.discrete_gaussian import DiscreteGaussian, calibrated_discrete_sigma
from dpcheck.parts.mechanisms.exponential import ExponentialMechanism, NoisyArgmax, NoisyMax
from dpcheck.parts.mechanisms.gaussian import Gaussian, GaussianProfile, calibrated_sigma
from dpcheck.parts.mechanisms.grid_laplace import LaplaceOnGrid
from dpcheck.parts.mechanisms.laplace import Geometric, GeometricProfile, Laplace, LaplaceProfile
from dpcheck.parts.mechanisms.laplaces import LaplacesProfile
from dpcheck.parts.mechanisms.one_sided_laplace import OneSidedLaplace
from dpcheck.parts.mechanisms.permute_and_flip import PermuteAndFlip
from dpcheck.parts.mechanisms.profile import ALIKE, DISJOINT, BothWays, FiniteProfile, smallest_epsilon
from dpcheck.parts.mechanisms.randomised_response import RandomisedResponse
from dpcheck.parts.mechanisms.sparse_vector import AboveThreshold, AboveThresholdWithItsAnswer, SparseVector
from dpcheck.parts.mechanisms.staircase import Staircase
from dpcheck.parts.mechanisms.vector_laplace import VectorLaplace
from dpcheck.parts.mechanisms.wrappers import Refusing, Seeded, Withholding

#: False alarms per statistical test.
LEVEL = 1e-9

#: Draws a side. An event of probability 1/4 is then known to within 0.011 (six standard deviations at LEVEL).
DRAWS = 60_000

E = math.e


def rows(*bits: str) -> list[list[int]]:
    """Records with a column per query: ``rows("110")`` is one record, counted by two queries of three."""
    return [[int(bit) for bit in row] for row in bits]


FIRST, LAST = "1111100000", "0000011111"


def lower(hits: np.ndarray | int, draws: int, level: float) -> np.ndarray:
    """Clopper-Pearson: below the probability, save with probability ``level``."""
    from scipy.stats import beta

    hits = np.asarray(hits)
    return np.where(hits > 0, beta.ppf(level, np.maximum(hits, 1), draws - hits + 1), 0.0)


def upper(hits: np.ndarray | int, draws: int, level: float) -> np.ndarray:
    """Clopper-Pearson: above the probability, save with probability ``level``."""
    return 1 - lower(draws - np.asarray(hits), draws, level)


def both_ways(mechanism, left, right):
    return BothWays(mechanism.profile(left, right), mechanism.profile(right, left))


# The true epsilon of 14 mechanisms on fixed pairs, computed elsewhere for a comparison of published tools.
PUBLISHED = {
    "laplace": (Laplace(1.0), [1], [0], 0.0, 1.0),
    "laplace_half_scale": (Laplace(0.5), [1], [0], 0.0, 2.0),
    "randresp": (RandomisedResponse(1.0), [1], [0], 0.0, 1.0),
    "geometric": (Geometric(1.0), [1], [0], 0.0, 1.0),
    "noisy_argmax": (NoisyArgmax(2.0), rows("10000", "10000"), rows("10000", "01111"), 0.0, 0.779),
    "svt1_lyu": (AboveThreshold(1.0, 2.0, 4.0), rows(FIRST, FIRST), rows(FIRST, LAST), 0.0, 0.911),
    "svt4_lee_clifton": (AboveThreshold(1.0, 4.0, 4 / 3), rows(FIRST, FIRST), rows(FIRST, LAST), 0.0, 1.742),
    "svt5_stoddard": (SparseVector(1.0, 2.0, 0.0, None), rows(FIRST), rows(LAST), 0.0, math.inf),
    "svt6_chen": (SparseVector(1.0, 2.0, 2.0, None), rows(FIRST), rows(LAST), 0.0, 4.031),
    "noisy_max_value": (NoisyMax(2.0), rows("11111"), rows("11111", "11111"), 0.0, 2.5),
    "gauss": (Gaussian(calibrated_sigma(1.0, 1e-5)), [1], [0], 1e-5, 1.0),
    "gauss_half_sigma": (Gaussian(calibrated_sigma(1.0, 1e-5) / 2), [1], [0], 1e-5, 2.155),
    "argmax_no_noise": (NoisyArgmax(0.0), rows("10"), rows("01"), 0.0, math.inf),
    "mean_no_clip": (Laplace(0.1, queries.Mean()), [100.0] + [0.0] * 9, [0.0] * 10, 0.0, 100.0),
}


@pytest.mark.parametrize("case", PUBLISHED.values(), ids=PUBLISHED.keys())
def test_the_true_epsilon_is_the_published_one(case):
    mechanism, left, right, delta, published = case
    assert both_ways(mechanism, left, right).epsilon(delta) == pytest.approx(published, abs=5e-4)


def test_the_sparse_vector_with_a_redrawn_threshold_keeps_its_bound():
    """Lyu, Su & Li, algorithm 2, two answers above: at most 1, by theorem; on this pair about half of it."""
    profile = both_ways(SparseVector(1.0, 4.0, 8.0, 2, redraw_threshold=True), rows(FIRST), rows(LAST))
    assert 0.4 < profile.epsilon(0.0) <= 1.0


FINITE = {
    "randomised response": (RandomisedResponse(1.0), [1]),
    "three answers": (RandomisedResponse(0.5, categories=3), [2, 2, 0]),
    "with reveal": (RandomisedResponse(1.0, delta=0.1), [0]),
    "exponential": (ExponentialMechanism(2.0), rows("110", "100")),
    "noisy argmax": (NoisyArgmax(2.0), rows("110", "100")),
    "noisy argmax, exponential": (NoisyArgmax(2.0, "exponential"), rows("110", "100")),
    "permute and flip": (PermuteAndFlip(1.0), rows("110", "100")),
    "flip in order": (PermuteAndFlip(1.0, permute=False), rows("011", "001")),
    "votes": (NoisyArgmax(1.0, scores=queries.Counts(3)), [0, 2, 2]),
    "discrete gaussian": (DiscreteGaussian(1.5), [1, 1]),
    "narrow discrete gaussian": (DiscreteGaussian(0.3), [1]),
    "argmax": (NoisyArgmax(0.0), rows("110", "100")),
    "above threshold": (AboveThreshold(1.0, 2.0, 4.0), rows("1101", "1001")),
    "no query noise": (AboveThreshold(1.0, 2.0, 0.0), rows("1101", "1001")),
    "no threshold noise": (AboveThreshold(1.0, 0.0, 2.0), rows("1101", "1001")),
    "sparse vector": (SparseVector(1.0, 2.0, 4.0, 2), rows("1101", "1001")),
    "no cut-off": (SparseVector(1.0, 2.0, 2.0, None), rows("110")),
    "redrawn": (SparseVector(1.0, 2.0, 4.0, 2, redraw_threshold=True), rows("1101", "1001")),
}


@pytest.mark.turns(4)
@pytest.mark.parametrize("case", FINITE.values(), ids=FINITE.keys())
@pytest.mark.parametrize("separate", [False, True], ids=["sample", "separate calls"])
def test_finite_laws_are_those_of_the_draws(case, separate):
    """Null: every output's probability is the declared one (and none is undeclared).

    Level 1e-9, over two bounds per output. Power: with 60,000 draws a probability of 1/4 that is off by 0.011
    is caught with probability 1/2, one off by 0.02 all but surely; 3,000 separate calls see 0.05 and 0.1.
    """
    mechanism, dataset = case
    rng = np.random.default_rng()
    draws = 3_000 if separate else DRAWS
    outputs = [mechanism(dataset, rng) for _ in range(draws)] if separate else mechanism.sample(dataset, draws, rng)
    outputs = outputs.tolist() if isinstance(outputs, np.ndarray) else outputs
    law = dict(mixtures.chances(mechanism.distribution(dataset)))
    assert sum(law.values()) == pytest.approx(1.0, abs=1e-12)
    assert set(outputs) <= set(law)
    hits = np.array([sum(o == output for o in outputs) for output in law])
    chances = np.array(list(law.values()))
    level = LEVEL / (2 * len(law))
    assert (lower(hits, draws, level) <= chances + 1e-12).all()
    assert (upper(hits, draws, level) >= chances - 1e-12).all()


SCALAR = {
    "laplace": (Laplace(1.0), [1], [0]),
    "laplace, 2 apart": (Laplace(0.7), [1, 1], [0, 0]),
    "geometric": (Geometric(1.0), [1], [0]),
    "geometric, 3 apart": (Geometric(2.0), [1, 1, 1], [0, 0, 0]),
    "gaussian": (Gaussian(1.3), [1], [0]),
    "noisy max": (NoisyMax(2.0), rows("11111"), rows("11111", "11111")),
    "noisy max, one higher": (NoisyMax(1.0), rows("100"), rows("000")),
    "staircase": (Staircase(1.0), [1], [0]),
    "staircase, another gamma": (Staircase(0.7, gamma=0.3), [1], [0]),
    "truncated": (TruncatedLaplace(1.0, 3.0), [1], [0]),
    "truncated soon": (TruncatedLaplace(2.0, 0.7), [1], [0]),
    "one-sided, later": (OneSidedLaplace(1.0), [1], [0]),
    "one-sided, earlier": (OneSidedLaplace(1.0), [0], [1]),
    "in range, drawn again": (LaplaceInRange(1.0, 0.0, 2.0, again=True), [1], [0]),
    "not negative, drawn again": (LaplaceInRange(1.0, 0.0, math.inf, again=True), [0], [1]),
    "in range, moved": (LaplaceInRange(1.0, 0.0, 1.0), [1], [0]),
    "on a grid": (LaplaceOnGrid(1.0, 0.5), [1], [0]),
    "noise on a grid": (LaplaceOnGrid(1.0, 1.0, round_noise_only=True), [1.5], [0.5]),
}


@pytest.mark.parametrize("case", SCALAR.values(), ids=SCALAR.keys())
@pytest.mark.parametrize("epsilon", [0.0, 0.4, 0.9])
def test_scalar_profiles_are_those_of_the_draws(case, epsilon):
    """Null: delta(epsilon) of the pair is the declared one.

    All these laws have a monotone likelihood ratio, so half-lines are their worst events; over 200 of them
    (quantiles of other draws) the largest ``P(S) - e^epsilon Q(S)`` lies in the bounds, but for 1e-3 that the
    grid of quantiles may miss. Level 1e-9 over 200 half-lines, two laws, two sides and two bounds. Power: the
    bounds are 0.05 wide, so a delta off by 0.05 is caught all but surely.
    """
    mechanism, left, right = case
    rng = np.random.default_rng()
    ends = np.unique(np.quantile(mechanism.sample(left, 2_000, rng), np.linspace(0, 1, 200)))
    drawn = [np.sort(mechanism.sample(side, DRAWS, rng)) for side in (left, right)]
    level = LEVEL / (len(ends) * 2 * 2 * 2)
    below = [np.searchsorted(values, ends) for values in drawn]
    least, most = 0.0, 0.0
    for p_hits, q_hits in (below, [DRAWS - hits for hits in below]):
        least = max(least, (lower(p_hits, DRAWS, level) - E**epsilon * upper(q_hits, DRAWS, level)).max())
        most = max(most, (upper(p_hits, DRAWS, level) - E**epsilon * lower(q_hits, DRAWS, level)).max())
    assert least <= mechanism.profile(left, right).delta(epsilon) <= most + 1e-3


@pytest.mark.turns(4)
@pytest.mark.parametrize("case", SCALAR.values(), ids=SCALAR.keys())
def test_separate_calls_and_bulk_draws_have_one_law(case):
    """Null: both have the same median. Level 1e-9; power: 0.1 of probability off is caught surely."""
    mechanism, left, _ = case
    rng = np.random.default_rng()
    middle = float(np.median(mechanism.sample(left, DRAWS, rng)))
    hits = sum(mechanism(left, rng) <= middle for _ in range(5_000))
    bulk = int((mechanism.sample(left, DRAWS, rng) <= middle).sum())
    assert lower(hits, 5_000, LEVEL / 4) <= upper(bulk, DRAWS, LEVEL / 4)
    assert upper(hits, 5_000, LEVEL / 4) >= lower(bulk, DRAWS, LEVEL / 4)


@pytest.mark.parametrize("wrong", [Laplace(0.8), Laplace(1.25)])
def test_the_comparison_with_draws_would_catch_a_wrong_scale(wrong):
    """The power promised above: a Laplace of another scale than its declared profile is told apart."""

    class Lying(Laplace):
        def sample(self, dataset, size, rng):
            return wrong.sample(dataset, size, rng)

    with pytest.raises(AssertionError):
        test_scalar_profiles_are_those_of_the_draws((Lying(1.0), [1], [0]), 0.4)


@given(shift=st.floats(0.05, 4), delta=st.floats(0, 0.9))
@settings(deadline=None, max_examples=30)
def test_closed_forms_agree_with_the_finite_profile_of_a_fine_histogram(shift, delta):
    """Sorting a Laplace or Gaussian output into cells of 1/500 loses at most 1e-5 of delta."""
    from scipy.special import ndtr

    edges = np.concatenate([[-np.inf], np.arange(-30, 35, 0.002), [np.inf]])
    for profile, cdf in (
        (LaplaceProfile(shift), lambda x: quadrature.laplace_cdf(x, 1.0)),
        (GaussianProfile(shift), ndtr),
    ):
        cells = FiniteProfile(np.diff(cdf(edges - shift)), np.diff(cdf(edges)))
        asked = cells.epsilon(max(delta, 1e-3))
        assert cells.delta(asked) == pytest.approx(profile.delta(asked), abs=1e-5)
        assert cells.epsilon(max(delta, 1e-3)) == pytest.approx(profile.epsilon(max(delta, 1e-3)), abs=1e-2)


@given(steps=st.integers(0, 6), rate=st.floats(0.1, 2), epsilon=st.floats(0, 8))
@settings(deadline=None)
def test_the_geometric_profile_is_the_sum_over_its_outputs(steps, rate, epsilon):
    outputs = np.arange(-600, 607)
    law = np.exp(-rate * np.abs(outputs)) * math.tanh(rate / 2)
    shifted = np.exp(-rate * np.abs(outputs - steps)) * math.tanh(rate / 2)
    direct = np.maximum(shifted - math.exp(epsilon) * law, 0).sum()
    assert GeometricProfile(steps, rate).delta(epsilon) == pytest.approx(direct, abs=1e-9)
    assert GeometricProfile(steps, rate).epsilon(0.0) == pytest.approx(steps * rate)


@given(epsilon=st.floats(0.01, 5), delta=st.floats(1e-9, 0.5))
@settings(deadline=None, max_examples=30)
def test_calibrated_gaussian_noise_is_enough_and_no_more(epsilon, delta):
    sigma = calibrated_sigma(epsilon, delta, sensitivity=2.0)
    assert GaussianProfile(2.0 / sigma).delta(epsilon) <= delta
    assert GaussianProfile(2.0 / (sigma * (1 - 1e-6))).delta(epsilon) > delta


@given(epsilon=st.floats(0, 4), delta=st.floats(0, 0.5))
@settings(deadline=None)
def test_randomised_response_with_reveal_is_exactly_what_its_claim_allows(epsilon, delta):
    from dpcheck.model.claims import ApproxDP

    profile = RandomisedResponse(epsilon, delta).profile([1], [0])
    claim = ApproxDP(epsilon, delta)
    for asked in (0.0, epsilon / 2, epsilon, epsilon + 1):
        assert profile.delta(asked) == pytest.approx(claim.delta(asked), abs=1e-12)
    assert profile.epsilon(delta) == pytest.approx(epsilon, abs=1e-9)


@given(
    p=st.lists(st.integers(0, 20), min_size=3, max_size=3).filter(any),
    q=st.lists(st.integers(0, 20), min_size=3, max_size=3).filter(any),
    delta=st.floats(0, 1),
)
def test_the_finite_profile_is_the_maximum_over_all_events(p, q, delta):
    law, other = np.array(p) / sum(p), np.array(q) / sum(q)
    profile = FiniteProfile(law, other)
    events = [[bool(number >> i & 1) for i in range(3)] for number in range(8)]
    epsilon = profile.epsilon(delta)
    for event in events:
        mass, against = law[event].sum(), other[event].sum()
        assert profile.delta(0.5) >= mass - math.exp(0.5) * against - 1e-12
        if math.isfinite(epsilon):
            assert mass <= math.exp(epsilon) * against + delta + 1e-9
    if 0 < epsilon < math.inf:
        assert profile.delta(epsilon * (1 - 1e-6)) > delta - 1e-12


SHIFTED = st.tuples(st.floats(-2, 2), st.floats(0.3, 3))


@given(first=SHIFTED, second=SHIFTED, epsilon=st.floats(0, 3), again=st.booleans())
@settings(deadline=None, max_examples=40)
def test_the_profile_of_any_two_laplace_laws_is_that_of_a_fine_histogram(first, second, epsilon, again):
    """Cells of 1/200 lose at most 2e-4 of delta; with a range, after conditioning on it."""
    low, high = (-1.0, 1.5) if again else (-math.inf, math.inf)
    profile = LaplacesProfile(*first, *second, low, high)
    edges = np.arange(-60, 60.1, 0.005) if not again else np.linspace(low, high, 501)
    laws = [np.diff(quadrature.laplace_cdf(edges - centre, scale)) for centre, scale in (first, second)]
    cells = FiniteProfile(*(law / law.sum() for law in laws))
    assert profile.delta(epsilon) == pytest.approx(cells.delta(epsilon), abs=3e-4)
    if math.isfinite(profile.epsilon(0.0)):
        assert profile.delta(profile.epsilon(0.0)) < 1e-9
        assert profile.epsilon(0.0) < 1e-6 or profile.delta(0.98 * profile.epsilon(0.0)) > 0


@given(shifts=st.lists(st.floats(0.05, 2), min_size=2, max_size=3), epsilon=st.floats(0, 5))
@settings(deadline=None, max_examples=30)
def test_the_profile_of_a_vector_is_that_of_the_sum_of_its_losses(shifts, epsilon):
    """Against an integral over the other coordinates' losses, which the closed form of one leaves to be added."""
    profile = VectorLaplace(1.0).profile([shifts], [[0.0] * len(shifts)])
    assert profile.epsilon(0.0) == pytest.approx(sum(shifts), abs=1e-9)
    # One coordinate exactly, the rest in cells of their own: 2,000 outcomes each.
    losses, chances = np.zeros(1), np.ones(1)
    for shift in shifts[1:]:
        inner = np.linspace(0, shift, 401)
        edges = np.concatenate([[-50.0], inner, [50.0 + shift]])
        law = np.diff(quadrature.laplace_cdf(edges - shift, 1.0))
        loss = np.concatenate([[-shift], inner[:-1] + inner[1:] - shift, [shift]])
        losses, chances = np.add.outer(losses, loss).ravel(), np.outer(chances, law).ravel()
    asked = epsilon - losses
    first = shifts[0]
    delta = np.where(asked >= first, 0.0, np.where(asked <= -first, -np.expm1(asked), -np.expm1((asked - first) / 2)))
    assert profile.delta(epsilon) == pytest.approx(float((chances * delta).sum()), abs=3e-3)


def test_permute_and_flip_has_the_law_of_the_noisy_maximum_with_exponential_noise():
    """Ding et al. 2021: two computations, a polynomial and a quadrature, of one law."""
    for dataset in (rows("110", "100"), rows("10000", "01111"), rows("1")):
        flip, noisy = PermuteAndFlip(1.0).distribution(dataset), NoisyArgmax(2.0, "exponential").distribution(dataset)
        assert flip == pytest.approx(noisy, abs=1e-12)


@given(epsilon=st.floats(0.1, 4), delta=st.floats(1e-6, 0.3))
@settings(deadline=None, max_examples=20)
def test_truncated_noise_reaches_as_far_as_its_claim_allows_and_no_further(epsilon, delta):
    reach = calibrated_reach(epsilon, delta)
    assert TruncatedLaplaceProfile(epsilon, reach).delta(epsilon) <= delta
    assert TruncatedLaplaceProfile(epsilon, reach * (1 - 1e-4)).delta(epsilon) > delta


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.01), (0.3, 1e-5), (3.0, 0.1)])
def test_calibrated_discrete_noise_is_enough_and_little_more_than_that(epsilon, delta):
    sigma = calibrated_discrete_sigma(epsilon, delta)
    assert DiscreteGaussian(sigma).profile([1], [0]).delta(epsilon) <= delta
    assert DiscreteGaussian(sigma * (1 - 1e-6)).profile([1], [0]).delta(epsilon) > delta


@pytest.mark.parametrize("dataset", [rows("1101", "1001"), rows(FIRST), rows("0")])
def test_the_released_answer_comes_with_the_index_that_comes_without_it(dataset):
    """The marginal law of the index is above-threshold's, which is computed by another integral."""
    mechanism = AboveThresholdWithItsAnswer(1.0, 2.0, 3.0)
    scores = queries.total(dataset).astype(float)
    edges = quadrature.panels([1.0, *scores], 0.05, 120.0)
    cells = mechanism._cells(scores, edges)
    by_index = np.append(cells[:-1].reshape(len(scores), -1).sum(axis=1), cells[-1])
    assert by_index == pytest.approx(list(AboveThreshold(1.0, 2.0, 3.0).distribution(dataset).values()), abs=1e-9)


def test_the_released_answer_has_the_law_of_its_cells(rng):
    """Null: each of 8 cells of (index, answer) has its probability. Level 1e-9; 0.02 off is caught all but surely."""
    mechanism, scores = AboveThresholdWithItsAnswer(1.0, 2.0, 2.0), np.array([0.0, 1.0])
    edges = quadrature.panels([1.0, 0.0], 0.02, 80.0)
    cells = mechanism._cells(scores, edges)[:-1].reshape(2, -1)
    drawn = mechanism.sample([scores], DRAWS, rng)
    for index in (0, 1):
        for low, high in ((-80.0, 0.0), (0.0, 1.0), (1.0, 3.0), (3.0, 80.0)):
            inside = (edges[:-1] > low - 1e-9) & (edges[1:] < high + 1e-9)
            hits = int(((drawn[:, 0] == index) & (drawn[:, 1] >= low) & (drawn[:, 1] < high)).sum())
            chance = float(cells[index][inside].sum())
            assert lower(hits, DRAWS, LEVEL / 16) <= chance + 0.006  # a panel may straddle an end
            assert upper(hits, DRAWS, LEVEL / 16) >= chance - 0.006


def test_noise_scaled_by_the_data_is_none_where_the_scale_is_0():
    mechanism = LaplaceScaledByTheData(queries.LocalSensitivityOfTheMedian(0.0, 1.0), queries.median)
    rng = np.random.default_rng()
    assert set(mechanism.sample([0, 0, 0, 0, 1], 5, rng).tolist()) == {0.0}
    assert mechanism.profile([0, 0, 0, 0, 1], [0, 0, 0, 0, 0]) is ALIKE
    assert mechanism.profile([0, 0, 0, 0, 1], [1, 1, 1, 1, 1]) is DISJOINT
    assert mechanism.profile([0, 0, 0, 0, 1], [0, 0, 0, 1, 1]) is DISJOINT


def test_a_shared_noise_hides_what_all_answers_have_in_common_and_nothing_else():
    shared = VectorLaplace(2.0, shared=True)
    assert shared.profile([[1, 1]], [[0, 0]]).epsilon(0.0) == 0.5
    assert shared.profile([[1, 0]], [[0, 0]]) is DISJOINT
    differences = np.diff(shared.sample([[1, 0]], 50, np.random.default_rng()), axis=1)
    assert differences == pytest.approx(-1.0)
    assert VectorLaplace(1.0, queries.counts_of_those_present).profile([1, 0], [0, 0]) is DISJOINT
    assert VectorLaplace(1.0).profile([[1, 0]], [[0, 0]]).epsilon(0.0) == 1.0


def test_wrappers_answer_refuse_and_repeat():
    rng = np.random.default_rng()
    withholding, refusing = Withholding(Laplace(1.0), 1), Refusing(Laplace(1.0), 1)
    assert withholding([0], rng) is None
    assert withholding.sample([0], 3, rng) == [None] * 3
    assert isinstance(withholding([1], rng), float)
    assert withholding.profile([1], [2]).epsilon(0.0) == 1.0
    assert withholding.profile([0], [0]) is ALIKE
    with pytest.raises(ValueError, match="at most 1"):
        refusing([2], rng)
    assert isinstance(refusing([1], rng), float)
    assert refusing.profile([2], [3]) is ALIKE
    seeded = Seeded(Laplace(1.0), lambda dataset: 3)
    assert len(set(seeded.sample([1], 5, rng).tolist())) == 1
    assert seeded.profile([1], [1]) is ALIKE
    assert seeded.profile([1], [0]) is DISJOINT


def test_smallest_epsilon_gives_up_where_delta_never_falls():
    assert smallest_epsilon(lambda epsilon: 0.5, 0.1) == math.inf
    assert smallest_epsilon(lambda epsilon: 0.05, 0.1) == 0.0
    assert BothWays(LaplaceProfile(1.0), LaplaceProfile(2.0)).delta(1.5) == LaplaceProfile(2.0).delta(1.5)


class TestCombinators:
    def test_post_processing_sees_each_output_of_calls_and_of_bulk_draws(self):
        doubled = combinators.PostProcessed(RandomisedResponse(1.0), lambda output: 2 * output)
        rng = np.random.default_rng()
        assert doubled([1], rng) in (0, 2)
        assert set(doubled.sample([1], 200, rng).tolist()) <= {0, 2}
        words = combinators.PostProcessed(RandomisedResponse(1.0), str)
        assert set(words.sample([1], 200, rng)) <= {"0", "1"}

    def test_a_mixture_tosses_a_coin_per_output(self):
        """Null: the first is chosen with probability 1/4. Level 1e-9; 0.05 off is caught surely at 20,000."""
        mixed = combinators.Mixture(NoisyArgmax(0.0), combinators.PostProcessed(NoisyArgmax(0.0), str), 0.25)
        rng = np.random.default_rng()
        outputs = mixed.sample([[1, 0]], 20_000, rng)
        hits = sum(output == 0 for output in outputs)
        assert set(outputs) <= {0, "0"}
        assert lower(hits, 20_000, LEVEL / 2) <= 0.25 <= upper(hits, 20_000, LEVEL / 2)
        assert mixed([[1, 0]], rng) in (0, "0")

    def test_a_pair_behind_a_bit_is_that_pair(self):
        behind = combinators.OnPair(NoisyArgmax(0.0), [[1, 0]], [[0, 1]])
        rng = np.random.default_rng()
        assert [behind([0], rng), behind([1], rng)] == [0, 1]
        assert behind.sample(np.array([1]), 3, rng).tolist() == [1, 1, 1]


REFUSED = {
    "scale must be above 0, got 0": lambda: Laplace(0),
    "scale must be above 0, got -1.0": lambda: Geometric(-1.0),
    "scale must be finite, got inf": lambda: NoisyMax(math.inf),
    "scale must be a number, got '1' of type str": lambda: Laplace("1"),
    "sigma must be a number, got True of type bool": lambda: Gaussian(True),
    "scale must be at least 0, got -2": lambda: NoisyArgmax(-2),
    "epsilon must be at least 0, got -0.5": lambda: RandomisedResponse(-0.5),
    "delta must be a probability between 0 and 1, got 2": lambda: RandomisedResponse(1.0, delta=2),
    "categories must be at least 2, got 1": lambda: RandomisedResponse(1.0, categories=1),
    "categories must be an integer, got 2.5 of type float": lambda: RandomisedResponse(1.0, categories=2.5),
    "sensitivity must be above 0, got 0.0": lambda: ExponentialMechanism(1.0, 0.0),
    "noise must be 'laplace' or 'exponential', got 'normal'": lambda: NoisyArgmax(1.0, "normal"),
    "reach must be above 0, got 0": lambda: TruncatedLaplace(1.0, 0),
    "low must be below high, got low 1 and high 1": lambda: LaplaceInRange(1.0, 1, 1),
    "gamma must be strictly between 0 and 1, got 1": lambda: Staircase(1.0, gamma=1),
    "delta must be strictly between 0 and 1, got 1": lambda: calibrated_reach(1.0, 1),
    "delta must be strictly between 0 and 1, got 0.0": lambda: calibrated_discrete_sigma(1.0, 0.0),
    "query must answer with an integer for discrete noise": lambda: DiscreteGaussian(1.0).distribution([0.5]),
    "query must answer with a vector, got": lambda: VectorLaplace(1.0).profile([1], [0]),
    "dataset must hold integers in 0 .. 1": lambda: queries.Counts(2)([2]),
    "scale must be at least 0": lambda: LaplaceScaledByTheData(lambda data: -1.0)([1], np.random.default_rng()),
    "query_scale must be above 0, got 0": lambda: AboveThresholdWithItsAnswer(0.0, 1.0, 0),
    "threshold must be finite, got nan": lambda: AboveThreshold(math.nan, 1.0, 1.0),
    "query_scale must be at least 0, got -1": lambda: SparseVector(0.0, 1.0, -1),
    "cutoff must be at least 1, got 0": lambda: SparseVector(0.0, 1.0, 1.0, 0),
    "weight must be a probability": lambda: combinators.Mixture(None, None, 1.5),
    "delta must be strictly between 0 and 1, got 0": lambda: calibrated_sigma(1.0, 0),
    "query must answer with an integer for geometric noise, got 0.5": lambda: Geometric(1.0).profile([0.5], [0]),
    "query must answer with an integer in 0 .. 1, got 2": lambda: RandomisedResponse(1.0).distribution([2]),
    "query must answer with a vector of scores": lambda: NoisyArgmax(1.0).distribution([1, 2]),
    "must have at most 12 queries for an exact law, got 13": lambda: SparseVector(0.0, 1, 1).distribution(
        rows("1" * 13)
    ),
    "dataset must hold at least 1 record": lambda: queries.Mean()([]),
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_cannot_be_used_is_refused_in_one_line(message):
    with pytest.raises(InvalidArgument) as caught:
        REFUSED[message]()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_can_be_used_is_accepted_at_the_edges():
    assert parameters.at_least_zero("scale", np.float64(0)) == 0.0
    assert parameters.count("k", np.int64(1)) == 1
    assert parameters.probability("delta", 1) == 1.0
    assert RandomisedResponse(0).distribution([1]) == {0: 0.5, 1: 0.5}
    assert queries.Mean(0.0, 1.0)([2.0, 0.0]) == 0.5
    assert queries.most_frequent([]) == 0
