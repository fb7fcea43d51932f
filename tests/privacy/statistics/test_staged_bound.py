"""Stages: the level holds whatever earlier stages showed, a lost stage costs little, and a broken variant is caught."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

from dpcheck.privacy.statistics.evidence import Graded
from dpcheck.privacy.statistics.staged_bound import FLOOR, Stage, _threshold, staged_epsilon_lower
from tests.statistical_tests import statistical_test


def guesses(right: int, wrong: int) -> Graded:
    return Graded(np.array([1]), np.array([right]), np.array([wrong]), right + wrong)


@pytest.mark.parametrize("level", [1e-9, 0.05, 0.4])
@pytest.mark.parametrize("share", [0.01, 0.3, 0.9])
def test_the_threshold_of_a_floored_sum_is_exceeded_as_often_as_it_says(level: float, share: float) -> None:
    """Checked by the closed form below the floor and by another quadrature above it."""
    root = math.sqrt(share)
    at, rest = _threshold(level, root), math.sqrt(1.0 - share)
    below = ndtr(-FLOOR) * ndtr((-root * FLOOR - at) / rest)
    z = np.linspace(-FLOOR, 12.0, 2_000_001)
    law = np.exp(-0.5 * z**2) / math.sqrt(2.0 * math.pi) * ndtr((root * z - at) / rest)
    assert below + float(np.trapezoid(law, z)) == pytest.approx(level, rel=1e-5)


@pytest.mark.turns(6)
@given(
    first=st.integers(50, 400), second=st.integers(200, 2000), share=st.floats(0.0, 0.8), tie=st.floats(0.0, 1.0)
)  # fmt: skip
def test_more_right_guesses_in_any_stage_never_lower_the_bound(
    first: int, second: int, share: float, tie: float
) -> None:
    def bound(more_first: int, more_second: int) -> float:
        stages = [Stage(guesses(first + more_first, 200), share, tie), Stage(guesses(second + more_second, 500), 1.0)]
        return staged_epsilon_lower(stages, 0.05)

    plain = bound(0, 0)
    assert bound(20, 0) >= plain - 2e-4
    assert bound(0, 50) >= plain - 2e-4


def test_a_lost_stage_costs_little_and_a_good_one_pays() -> None:
    last = guesses(1500, 500)
    alone = staged_epsilon_lower([Stage(last, 1.0)], 0.05)
    lost = staged_epsilon_lower([Stage(guesses(100, 900), 0.1, 0.5), Stage(last, 1.0)], 0.05)
    good = staged_epsilon_lower([Stage(guesses(750, 250), 1 / 3, 0.5), Stage(last, 1.0)], 0.05)
    assert 0.96 * alone < lost < alone < good < math.log(3)


def adaptive(rng: np.random.Generator, *, knows: bool) -> bool:
    """Three stages at the boundary epsilon 1, whose shares and sizes follow what was shown; is the bound above it?

    The broken variant takes the shares from the stage's own outcome.
    """
    chance, stages = math.e / (1.0 + math.e), []
    luck = 0.0
    for _ in range(2):
        size = 100 if luck > 0.0 else 300
        right = int(rng.binomial(size, chance))
        shown = (right - size * chance) / math.sqrt(size * chance * (1.0 - chance))
        share = 0.6 if (shown if knows else luck) > 0.0 else 0.0 if knows else 0.2
        stages.append(Stage(guesses(right, size - right), share, float(rng.random())))
        luck = shown
    right = int(rng.binomial(400, chance))
    return staged_epsilon_lower([*stages, Stage(guesses(right, 400 - right), 1.0)], 0.05) > 1.0


@pytest.mark.turns(4)
def test_stages_that_follow_what_was_shown_keep_the_level(rng: np.random.Generator) -> None:
    line = statistical_test("fixed horizon: two stages that say nothing")
    assert line.passes(sum(adaptive(rng, knows=False) for _ in range(line.runs)))


@pytest.mark.extra
def test_shares_that_know_their_own_stage_would_turn_that_test_red(rng: np.random.Generator) -> None:
    line = statistical_test("fixed horizon: two stages that say nothing")
    assert not line.passes(sum(adaptive(rng, knows=True) for _ in range(line.runs)))
