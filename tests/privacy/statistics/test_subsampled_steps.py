"""Steps with subsampling as one model of all coordinates: its laws are exact, it is found, and not of other noise."""

from __future__ import annotations

import numpy as np
import pytest

from dpcheck.privacy.statistics.bank import centres_of, fit_bins, value_sums
from dpcheck.privacy.statistics.posterior import Floats
from dpcheck.privacy.statistics.subsampled_steps import StepsScore, fit_steps, laws_of_steps

OUTPUTS = 20_000


def drawn(
    rng: np.random.Generator, steps: int, rate: float, shift: float, mixed: int = 1
) -> tuple[Floats, np.ndarray[tuple[int], np.dtype[np.int8]]]:
    """Outputs of so many steps, in spreads of 2 about 5, and the coins."""
    coins = rng.integers(0, 2, OUTPUTS).astype(np.int8)
    inside = (rng.random((OUTPUTS, steps)) < rate) & (coins[:, None] == mixed)
    return 5.0 + 2.0 * (rng.normal(size=(OUTPUTS, steps)) + shift * inside), coins


def seen_through(score: StepsScore, columns: Floats, coins: np.ndarray[tuple[int], np.dtype[np.int8]]):  # type: ignore[no-untyped-def]
    """The histogram of the score, the means of its bins, and their edges."""
    values = score.log_odds(columns)
    bins = fit_bins(values)
    places = bins.place(values)
    histogram = np.bincount(2 * places + coins, minlength=2 * bins.count).reshape(bins.count, 2)
    return histogram, centres_of(bins, histogram, value_sums(places, values, bins.count)), bins.edges


@pytest.mark.parametrize("mixed", [0, 1])
def test_the_log_odds_are_found_far_out(mixed: int, rng: np.random.Generator) -> None:
    """At four spreads in all of five coordinates, where no output was: within a fifth of the truth."""
    columns, coins = drawn(rng, 5, 0.3, 1.0, mixed)
    score = fit_steps(columns, coins)
    assert score is not None
    far = score.log_odds(np.full((1, 5), 5.0 + 2.0 * 4.0))[0]
    truth = 5.0 * np.log1p(0.3 * np.expm1(4.0 - 0.5)) * (1.0 if mixed else -1.0)
    assert far == pytest.approx(truth, rel=0.2)


@pytest.mark.parametrize("rate", [0.1, 0.5, 1.0 - 1e-9])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_laws_of_the_sum_are_those_of_draws(rate: float, sign: float, rng: np.random.Generator) -> None:
    """Of 20,000 draws no cell's share is seven standard errors off, in none of both laws."""
    shifts = np.array([0.7, -0.4, 1.2])
    score = StepsScore(np.zeros(3), np.ones(3), shifts, rate, sign)
    edges = np.linspace(-3.0, 4.0, 30)
    inside = rng.random((OUTPUTS, 3)) < rate
    plain, mixed = rng.normal(size=(OUTPUTS, 3)), rng.normal(size=(OUTPUTS, 3)) + shifts * inside
    sides = (plain, mixed) if sign > 0.0 else (mixed, plain)
    for law, values in zip(score.laws(edges), sides, strict=True):
        shares = np.bincount(np.searchsorted(edges, score.log_odds(values)), minlength=31) / OUTPUTS
        assert law.sum() == pytest.approx(1.0)
        # the grid on which the law is worked out has a spacing of a hundredth
        assert np.all(np.abs(shares - law) < 7.0 * np.sqrt(law / OUTPUTS) + 1e-3 + 0.03 * law)


@pytest.mark.parametrize("mixed", [0, 1])
def test_steps_are_believed_and_their_rare_events_foretold(mixed: int, rng: np.random.Generator) -> None:
    """Of 12 draws at most half are taken for another law: each is with a chance below a hundredth (2 of 400)."""
    believed = 0
    for _ in range(12):
        columns, coins = drawn(rng, 5, 0.3, 1.0, mixed)
        score = fit_steps(columns, coins)
        assert score is not None
        fresh, tosses = drawn(rng, 5, 0.3, 1.0, mixed)  # as of scores of each half by the other
        histogram, centres, edges = seen_through(score, fresh, tosses)
        for law in laws_of_steps(score, histogram, centres, edges):
            assert law.mass.sum() == pytest.approx(1.0)
            # log-odds of a log-likelihood ratio are itself
            assert np.all(np.abs(law.log_odds[:-1] - centres[:-1]) < 0.5 + 0.25 * np.abs(centres[:-1]))
            believed += 1
    assert believed >= 6


@pytest.mark.parametrize("noise", ["laplace", "standard_cauchy", "uniform"])
def test_they_are_not_believed_of_other_noise(noise: str, rng: np.random.Generator) -> None:
    coins = rng.integers(0, 2, OUTPUTS).astype(np.int8)
    columns = getattr(rng, noise)(size=(OUTPUTS, 3)) + 1.5 * ((rng.random((OUTPUTS, 3)) < 0.3) & (coins[:, None] == 1))
    score = fit_steps(columns, coins)
    assert score is None or not laws_of_steps(score, *seen_through(score, columns, coins))


def test_what_is_no_number_is_not_fitted_and_what_is_always_the_same_says_nothing(rng: np.random.Generator) -> None:
    columns, coins = drawn(rng, 3, 0.3, 1.0)
    assert fit_steps(np.where(rng.random(columns.shape) < 0.001, np.nan, columns), coins) is None
    beside = fit_steps(np.column_stack([columns, np.full(OUTPUTS, 7.0)]), coins)
    assert beside is not None
    assert beside.shifts[3] == 0.0
    alone = fit_steps(columns, coins)
    assert alone is not None
    assert beside.log_odds(np.column_stack([columns, np.full(OUTPUTS, 9.0)])) == pytest.approx(alone.log_odds(columns))
    assert fit_steps(columns[:60], coins[:60]) is None
