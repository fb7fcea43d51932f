"""Batches drawn by coins are never said not to be; other ways to draw them are found."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.random import Generator

from dpcheck.parts.trained import mistakes
from dpcheck.privacy.white_box.sampling import Members, members_of, participations_broken, poisson_broken

ALPHA = 1e-9
SIZE, STEPS, RATE = 200, 60, 0.1


def test_coins_of_any_shape_are_as_accounted(rng: Generator) -> None:
    for _ in range(20):
        steps, size, rate = int(rng.integers(1, 60)), int(rng.integers(1, 90)), float(rng.uniform(0.02, 0.7))
        runs = [rng.random((steps, size)) < rate for _ in range(int(rng.integers(1, 4)))]
        assert poisson_broken(runs, rate, ALPHA / 20) is None


def test_runs_of_different_lengths_are_read(rng: Generator) -> None:
    assert poisson_broken([rng.random((steps, SIZE)) < RATE for steps in (30, 50)], RATE, ALPHA) is None


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (mistakes.shuffled, "each record comes once in an epoch: they are shuffled, not sampled"),
        (mistakes.in_turn, "two runs with different seeds have the same batches"),
        (mistakes.of_fixed_size, "all batches have 20 records"),
        (mistakes.all_of_them, "two runs with different seeds have the same batches"),
        (mistakes.the_same, ""),
        (mistakes.wrong_ones_more_often, ""),
    ],
)
def test_other_ways_to_draw_are_found(draw: Callable[..., Callable[[int], object]], words: str, rng: Generator) -> None:
    runs: list[Members] = []
    for _ in range(2):
        batches = draw(SIZE, RATE, rng)
        runs.append(members_of(tuple(np.asarray(batches(step)) for step in range(STEPS)), SIZE))
    broken = poisson_broken(runs, RATE, ALPHA)
    assert broken is not None
    assert words in broken.words
    assert broken.p_value <= ALPHA


def test_a_higher_rate_and_a_single_record_are_found(rng: Generator) -> None:
    assert poisson_broken([rng.random((STEPS, SIZE)) < 1.5 * RATE for _ in range(2)], RATE, ALPHA) is not None
    one = rng.random((STEPS, SIZE)) < RATE
    one[:, 17] = True
    broken = poisson_broken([one], RATE, ALPHA)
    assert broken is not None


def test_pairs_that_come_together_are_found(rng: Generator) -> None:
    together = np.repeat(rng.random((STEPS, SIZE // 2)) < RATE, 2, axis=1)
    broken = poisson_broken([together], RATE, ALPHA)
    assert broken is not None
    assert "neighbouring records come together" in broken.words


def test_participations_are_counted() -> None:
    members = np.zeros((5, 3), dtype=bool)
    members[:4, 1] = True
    assert participations_broken([members], 4) is None
    broken = participations_broken([members], 3)
    assert broken is not None
    assert broken.words == "record 2 is in 4 releases, accounted are 3"


def test_a_high_level_is_kept(rng: Generator) -> None:
    """Of 200 correct ones at alpha 0.2, more than 90 are accused with probability below 1e-10."""
    accused = sum(poisson_broken([rng.random((20, 50)) < 0.2] * 1, 0.2, 0.2) is not None for _ in range(200))
    assert accused <= 90
