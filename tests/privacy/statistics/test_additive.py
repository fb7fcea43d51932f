"""The score that adds up what each coordinate says."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcheck.privacy.statistics.additive import MOST_ADDED, fit_additive
from dpcheck.privacy.statistics.scores import fit_linear


def test_noise_of_their_own_is_added_up_and_keeps_its_plateau(rng: np.random.Generator) -> None:
    """Two coordinates with Laplace noise: log-odds 1 each beyond both centres, however far out."""
    coins = rng.integers(0, 2, 40_000).astype(np.int8)
    columns = rng.laplace(size=(40_000, 2)) + coins[:, None]
    score = fit_additive(columns, coins)
    where = np.array([[3.0, 3.0], [-3.0, -3.0], [3.0, -3.0]])
    assert np.abs(score.log_odds(where) - [2.0, -2.0, 0.0]).max() < 1.5
    truth = (np.abs(columns) - np.abs(columns - 1.0)).sum(axis=1)
    error, linear = (np.mean((found.log_odds(columns) - truth) ** 2) for found in (score, fit_linear(columns, coins)))
    assert error < 0.3 * linear


@pytest.mark.turns(12)
def test_coordinates_that_say_nothing_hardly_add_up(rng: np.random.Generator) -> None:
    coins = rng.integers(0, 2, 4_000).astype(np.int8)
    columns = rng.normal(size=(4_000, 40))
    fresh = rng.normal(size=(4_000, 40))
    assert np.std(fit_additive(columns, coins).log_odds(fresh)) < 1.0


@pytest.mark.turns(6)
def test_missing_few_and_many_coordinates(rng: np.random.Generator) -> None:
    coins = rng.integers(0, 2, 500).astype(np.int8)
    columns = rng.normal(size=(500, MOST_ADDED + 3)) + coins[:, None]
    columns[:, 1] = np.nan
    columns[:, 2] = np.where(rng.random(500) < 0.1, np.inf, 7.0)
    score = fit_additive(columns, coins)
    assert len(score.tables) == MOST_ADDED
    for some in (columns, columns[:, :1], columns[:0]):
        log_odds = score.log_odds(some)
        assert log_odds.shape == (len(some),)
        assert np.isfinite(log_odds).all()
    assert math.isclose(float(score.log_odds(np.zeros((1, 0)))[0]), 0.0)
