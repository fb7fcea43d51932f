"""Outputs of codes and numbers: codes are found, and the score of their parts sees what a linear one cannot."""

from __future__ import annotations

import numpy as np

from dpcheck.privacy.scores import fit_linear
from dpcheck.privacy.sparse import MOST_CODES, beside, fit_parts, fit_parts_score


def above_threshold(calls: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A number at the first place that passes, a code before it and another after; on D the number is smaller."""
    coins = rng.integers(0, 2, calls).astype(np.int8)
    first = rng.integers(0, 6, calls)
    columns = np.where(np.arange(6) < first[:, None], -1000.0, -2000.0)
    columns[np.arange(calls), first] = rng.normal(size=calls) - 1.5 * coins * (first >= 3)
    return columns, coins


def test_codes_are_the_values_that_fill_many_places(rng: np.random.Generator) -> None:
    columns, _ = above_threshold(3000, rng)
    parts = fit_parts(columns)
    assert parts is not None
    assert parts.codes.tolist() == [-2000.0, -1000.0]
    pooled = parts.pooled(columns)
    assert (pooled[:, 0] == 0).all()  # nothing is missing
    assert (pooled[:, 1] + pooled[:, 2] == 5).all()
    assert (pooled[:, 3] == 1).all()
    assert fit_parts(rng.normal(size=(100, 3))) is None
    assert fit_parts(np.full((50, 2), np.nan)) is None
    many = fit_parts(rng.integers(0, 10, (500, 4)).astype(float))
    assert many is not None
    assert len(many.codes) == MOST_CODES


def test_the_score_of_the_parts_sees_what_is_lost_among_codes(rng: np.random.Generator) -> None:
    columns, coins = above_threshold(20_000, rng)
    parts = fit_parts(columns)
    assert parts is not None
    fresh, truth = above_threshold(20_000, rng)
    score = fit_parts_score(parts, columns, coins).log_odds(fresh)
    right = np.mean((score > 0) == (truth == 1))
    linear = np.mean((fit_linear(columns, coins).log_odds(fresh) > 0) == (truth == 1))
    # On half the outputs the better of the two normal laws is right with probability 0.77: 0.63 in all. The linear
    # score sees numbers a thousandth of the codes' size. Three hundredths are 6 standard errors.
    assert right > 0.60
    assert right > linear + 0.03


def test_answers_wider_or_narrower_than_the_past_are_scored(rng: np.random.Generator) -> None:
    columns, coins = above_threshold(2000, rng)
    parts = fit_parts(columns)
    assert parts is not None
    score = fit_parts_score(parts, columns, coins)
    for width in (1, 9):
        assert np.isfinite(score.log_odds(np.full((4, width), -1000.0))).all()
    assert beside(columns, parts).shape == (2000, 6 + parts.pooled(columns).shape[1])
