"""Outputs of codes and numbers: codes are found, and the score of their parts sees what a linear one cannot."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from dpcheck.privacy.statistics.game import MEMORY, REFIT_GROWTH
from dpcheck.privacy.statistics.scores import fit_linear
from dpcheck.privacy.statistics.sparse import (
    LEAST_EACH,
    LEAST_LEARNED,
    MOST_CODES,
    MOST_LEARNED,
    beside,
    codes_of,
    fit_part_scores,
    fit_parts,
    fit_parts_score,
    holds_codes,
    learned_from,
    part_names,
)
from tests.playing import among_codes


def above_threshold(calls: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Outputs of six places, and their coins."""
    coins = rng.integers(0, 2, calls).astype(np.int8)
    return among_codes(6)(rng, coins), coins


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


def test_a_code_comes_again_in_another_output(rng: np.random.Generator) -> None:
    twice_the_same = np.repeat(rng.normal(size=(12, 1)), 2, axis=1)  # one noise for two answers
    assert codes_of(twice_the_same).tolist() == []
    assert codes_of(np.append(twice_the_same, [[7.0, 7.0], [7.0, 1.0]], axis=0)).tolist() == [7.0]


def test_codes_are_held_where_something_else_is_too(rng: np.random.Generator) -> None:
    columns, _ = above_threshold(12, rng)
    assert holds_codes(columns)
    assert not holds_codes(rng.normal(size=(12, 6)))
    assert not holds_codes(np.where(columns > -500, np.nan, columns))  # a missing number is none
    assert not holds_codes(rng.integers(0, 2, (12, 6)).astype(float))
    assert not holds_codes(np.zeros((12, 0)))


# --- scores of a game --------------------------------------------------------------------------------------------

BOOSTED = pytest.mark.parametrize("boosted", [False, True])


def test_what_is_learned_from_grows_by_doubling_to_what_a_game_always_reaches() -> None:
    learned = [learned_from(past) for past in range(MEMORY + 1)]
    sizes = sorted(set(learned) - {0})
    assert all(two == 2 * one for one, two in pairwise(sizes))
    assert sizes[0] >= LEAST_LEARNED
    assert all(size <= past < 2 * max(size, LEAST_LEARNED) for past, size in enumerate(learned) if past < MOST_LEARNED)
    # the fit before it comes at fewer; the next one, at most so much later, still has a memory to learn from
    assert sizes[-1] == MOST_LEARNED == MEMORY / REFIT_GROWTH


@BOOSTED
def test_scores_of_parts_are_functions_of_the_past_alone(boosted: bool, rng: np.random.Generator) -> None:
    columns, coins = above_threshold(2500, rng)
    fresh, _ = above_threshold(100, rng)
    known = fit_part_scores(columns[:1100], coins[:1100], boosted=boosted)
    assert len(known) == len(part_names(boosted))
    stayed = fit_part_scores(columns[:1900], coins[:1900], boosted=boosted, known=known)
    assert stayed is known
    again = fit_part_scores(columns[:1900], coins[:1900], boosted=boosted)
    newer = fit_part_scores(columns, coins, boosted=boosted, known=known)
    for one, two, three in zip(known, again, newer, strict=True):
        assert np.array_equal(one.log_odds(fresh), two.log_odds(fresh))
        assert not np.array_equal(one.log_odds(fresh), three.log_odds(fresh))


@BOOSTED
def test_what_follows_the_columns_taken_apart_is_not_looked_at(boosted: bool, rng: np.random.Generator) -> None:
    columns, coins = above_threshold(500, rng)
    for score in fit_part_scores(columns, coins, boosted=boosted):
        wider = np.concatenate([columns, rng.normal(size=(500, 3))], axis=1)
        assert np.array_equal(score.log_odds(columns), score.log_odds(wider))
        assert np.isfinite(score.log_odds(columns[:, :2])).all()
        assert np.isfinite(score.log_odds(np.full((3, 6), np.nan))).all()


@BOOSTED
@pytest.mark.parametrize("strange", [np.nan, np.inf, -np.inf, 8.98846567431158e307, -1.7e308, 5e-324])
def test_strange_numbers_among_codes_leave_the_scores_finite(
    strange: float, boosted: bool, rng: np.random.Generator
) -> None:
    columns, coins = above_threshold(500, rng)
    numbers = (columns > -500) & (rng.random(columns.shape) < 0.3)
    columns[numbers] = strange
    scores = fit_part_scores(columns, coins, boosted=boosted)
    assert len(scores) == len(part_names(boosted))
    for score in scores:
        assert np.isfinite(score.log_odds(columns)).all()


@BOOSTED
def test_without_codes_or_with_too_little_past_nothing_is_taken_apart(boosted: bool, rng: np.random.Generator) -> None:
    columns, coins = above_threshold(500, rng)
    assert fit_part_scores(columns[: LEAST_LEARNED - 1], coins[: LEAST_LEARNED - 1], boosted=boosted) == ()
    assert fit_part_scores(rng.normal(size=(500, 6)), coins, boosted=boosted) == ()
    one_sided = (np.arange(500) < LEAST_EACH - 1).astype(np.int8)
    assert fit_part_scores(columns, one_sided, boosted=boosted) == ()
    assert fit_part_scores(np.zeros((0, 6)), coins[:0], boosted=boosted) == ()
