"""Smooth log-odds: the truth where it is smooth, a level of their own for codes, errors that cover."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dpcheck.privacy.statistics.bank import centres_of, fit_bins, repeated_values, value_sums
from dpcheck.privacy.statistics.smooth import Kind, fit_curve, fit_curves, shrunk_answers

KINDS: tuple[Kind, ...] = ("line", "cubic", "broken line", "blunt line")


def histogram(log_odds: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """The expected counts of bins with these log-odds."""
    left = mass / (1.0 + np.exp(-log_odds))
    return np.column_stack([mass - left, left]).round().astype(np.int64)


@pytest.mark.parametrize("kind", KINDS)
def test_a_line_is_found_by_every_kind(kind: Kind) -> None:
    x = np.linspace(-2.0, 2.0, 41)
    curve = fit_curve(histogram(1.5 * x, np.full(41, 1e5)), x, np.zeros(41, bool), kind)
    assert np.abs(curve.log_odds - 1.5 * x).max() < 0.05
    assert (curve.errors > 0).all()


def test_a_loss_that_saturates_needs_a_bend() -> None:
    x = np.linspace(-2.0, 2.0, 81)
    truth = 2.0 * np.clip(x, -1.0, 1.0)
    counts = histogram(truth, np.full(81, 1e5))
    gaps = {kind: np.abs(fit_curve(counts, x, np.zeros(81, bool), kind).log_odds - truth).max() for kind in KINDS}
    assert gaps["broken line"] < 0.5 * gaps["line"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_code_has_a_level_of_its_own(kind: Kind) -> None:
    x = np.array([-1000.0, 0.0, 1.0, 2.0, np.nan])
    log_odds = np.array([2.0, -1.0, 0.0, 1.0, -2.0])
    alone = np.array([True, False, False, False, False])
    curve = fit_curve(histogram(log_odds, np.full(5, 1e6)), x, alone, kind)
    assert np.abs(curve.log_odds - log_odds).max() < 0.05


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "counts", [np.zeros((6, 2), int), np.array([[0, 9]] * 6), np.array([[5, 0]] * 3 + [[0, 5]] * 3)]
)
def test_no_counts_and_counts_of_one_kind_do_no_harm(kind: Kind, counts: np.ndarray) -> None:
    curve = fit_curve(counts, np.arange(6.0), np.zeros(6, bool), kind)
    assert np.isfinite(curve.log_odds).all()
    assert np.isfinite(curve.errors).all()
    assert np.isfinite(fit_curve(counts, np.full(6, np.nan), np.zeros(6, bool), kind).log_odds).all()


@st.composite
def few_values(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Counts, most of them 0, of bins anywhere among the doubles: a lot at one value, and now and then one far away."""
    size = draw(st.integers(1, 40))
    anywhere = st.floats(-1e307, 1e307)
    near = st.builds(lambda value, ulps: value + ulps * np.spacing(value), st.just(draw(anywhere)), st.integers(0, 9))
    values = draw(st.lists(st.one_of(anywhere, near, st.just(math.nan)), min_size=size, max_size=size))
    counts = np.zeros((size, 2), np.int64)
    for place in draw(st.lists(st.integers(0, size - 1), max_size=4)):
        counts[place] = draw(st.tuples(st.sampled_from([0, 1, 350, 10**6]), st.sampled_from([0, 1, 351, 10**6])))
    return counts, np.sort(np.array(values)), draw(arrays(bool, size, elements=st.booleans()))


@given(few_values(), st.sampled_from(KINDS))
@example((np.array([[0, 0], [352, 351], [0, 0]]), np.array([-12.0, 0.1 + 0.2, 11.0]), np.zeros(3, bool)), "broken line")
@example((np.array([[10**6, 10**6], [1, 0]]), np.array([0.0, 1e9]), np.zeros(2, bool)), "cubic")
def test_any_counts_of_any_values_have_a_curve(given: tuple[np.ndarray, np.ndarray, np.ndarray], kind: Kind) -> None:
    """No warning, no singular matrix; and values that are all alike, as often on either side, say next to nothing."""
    counts, values, alone = given
    curve = fit_curve(counts, values, alone, kind)
    assert np.isfinite(curve.log_odds).all()
    assert np.isfinite(curve.errors).all()
    seen = counts.sum(axis=1) > 0
    if seen.sum() == 1 and counts.min(axis=1)[seen] >= 350 and np.ptp(counts[seen]) <= 1:
        assert (np.abs(curve.log_odds[seen]) < 0.5).all()


@given(st.lists(few_values(), min_size=1, max_size=5), st.sampled_from(KINDS))
def test_curves_together_are_those_of_each(given: list[tuple[np.ndarray, np.ndarray, np.ndarray]], kind: Kind) -> None:
    """Whatever company a number has, and however many bins the others have."""
    bins = max(len(values) for _, values, _ in given)
    counts, values = np.zeros((len(given), bins, 2), np.int64), np.full((len(given), bins), np.nan)
    alone = np.ones((len(given), bins), bool)
    for row, (some, of, apart) in enumerate(given):
        counts[row, : len(of)], values[row, : len(of)], alone[row, : len(of)] = some, of, apart
    for row, curve in enumerate(fit_curves(counts, values, alone, kind)):
        some, of, apart = given[row]
        wanted = fit_curve(some, of, apart, kind)
        # sums in another order: of values that rounding alone tells apart a slope is known to so much
        assert curve.log_odds[: len(of)] == pytest.approx(wanted.log_odds, rel=1e-4, abs=1e-4)
        assert curve.errors[: len(of)] == pytest.approx(wanted.errors, rel=1e-4, abs=1e-4)


def test_curves_of_real_numbers_together_are_the_same_to_rounding(rng: np.random.Generator) -> None:
    made = []
    for size in (50, 400, 2000):
        values = rng.laplace(size=size)
        coins = (rng.random(size) < 0.5 + 0.3 * np.tanh(values)).astype(np.int8)
        bins = fit_bins(values)
        places = bins.place(values)
        counts = np.bincount(2 * places + coins, minlength=2 * bins.count).reshape(-1, 2)
        made.append((counts, centres_of(bins, counts, value_sums(places, values, bins.count)), repeated_values(bins)))
    bins = max(len(values) for _, values, _ in made)
    counts, values = np.zeros((3, bins, 2), np.int64), np.full((3, bins), np.nan)
    alone = np.ones((3, bins), bool)
    for row, (some, of, apart) in enumerate(made):
        counts[row, : len(of)], values[row, : len(of)], alone[row, : len(of)] = some, of, apart
    for kind in KINDS:
        for curve, (some, of, apart) in zip(fit_curves(counts, values, alone, kind), made, strict=True):
            wanted = fit_curve(some, of, apart, kind)
            assert np.abs(curve.log_odds[: len(of)] - wanted.log_odds).max() < 1e-9
            assert np.abs(curve.errors[: len(of)] - wanted.errors).max() < 1e-9


def test_errors_are_those_of_the_estimates(rng: np.random.Generator) -> None:
    """About 5% of estimates are farther than two errors from the truth; were errors half as large, a third would be.

    The mean of 400 independent shares of mean 5% exceeds 15% with probability below 1e-9 (Bernstein).
    """
    x = np.linspace(-1.0, 1.0, 20)
    p = 1.0 / (1.0 + np.exp(-x))
    far = []
    for _ in range(400):
        left = rng.binomial(500, p)
        curve = fit_curve(np.column_stack([500 - left, left]), x, np.zeros(20, bool), "line")
        far.append(np.mean(np.abs(curve.log_odds - x) > 2.0 * curve.errors))
    assert np.mean(far) < 0.15


def test_the_ends_of_a_blunt_line_are_known_better_than_those_of_a_broken_one() -> None:
    x = np.linspace(-5.0, 5.0, 201)
    counts = histogram(np.clip(x, -1.0, 1.0), 20_000.0 * np.exp(-0.5 * x**2))
    errors = {kind: fit_curve(counts, x, np.zeros(201, bool), kind).errors[0] for kind in KINDS}
    assert errors["blunt line"] < 0.8 * errors["broken line"]


def test_what_is_kept_of_many_answers_is_as_much_as_they_differ(rng: np.random.Generator) -> None:
    """Where all log-odds are 0, every one is drawn to all but 0; where they differ a lot, they are left alone.

    The luckiest of a thousand equal answers lies about 3.3 errors of 0.2 away: 0.66. But for a chance of 1e-9 it is
    below 7 errors, and the spread of all (a chi-square of 1,000 degrees) at most 28% too large, so that at most 0.22 of
    1.4 is left.
    """
    same = np.column_stack([rng.binomial(100, 0.5, 1000), np.zeros(1000, int)])
    same[:, 1] = 100 - same[:, 0]
    assert np.abs(shrunk_answers(same).log_odds).max() < 0.35
    far = histogram(np.linspace(-3.0, 3.0, 50), np.full(50, 1e5))
    assert np.abs(shrunk_answers(far).log_odds - np.linspace(-3.0, 3.0, 50)).max() < 0.01


def test_errors_of_shrunk_answers_are_those_of_the_estimates(rng: np.random.Generator) -> None:
    """Over laws drawn as assumed, 5% of answers are farther than two errors from the truth.

    The mean of 200 independent shares of mean about 5% exceeds 15% with probability below 1e-9 (Bernstein).
    """
    far = []
    for _ in range(200):
        truth = rng.normal(0.0, 0.3, 40)
        left = rng.binomial(400, 1.0 / (1.0 + np.exp(-truth)))
        curve = shrunk_answers(np.column_stack([400 - left, left]))
        far.append(np.mean(np.abs(curve.log_odds - truth) > 2.0 * curve.errors))
    assert np.mean(far) < 0.15


def test_answers_never_seen_say_nothing() -> None:
    curve = shrunk_answers(np.array([[0, 0], [5, 50], [0, 0]]))
    assert curve.log_odds[[0, 2]].tolist() == [0.0, 0.0]
    assert not shrunk_answers(np.zeros((3, 2), int)).log_odds.any()
