"""What a verdict says would have been caught is caught, by audits that have to learn the event first."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from drawn_leaks import APART, FITTED, drawn
from stated_power import Stated

import dpcheck
from dpcheck.privacy.statistics import detectable
from dpcheck.privacy.statistics.detectable import FEW_ANSWERS, MANY_ANSWERS, answers_planned, answers_seen, learning
from dpcheck.privacy.statistics.game import Shape
from tests.statistical_tests import statistical_test


def caught(kind: str, seed: int, runs: int) -> int:
    told = Stated(kind, 3000, 1.0, 0.0, 1e-6, 0.95)
    return sum(told.caught(seed + run) for run in range(runs))


@pytest.mark.some(1)
@pytest.mark.parametrize("kind", [*FITTED, *APART])
def test_a_drawn_leak_of_the_size_told_is_caught(kind: str, seed: int) -> None:
    line = statistical_test("power: a leak of the size told is caught")
    assert line.chance == detectable.POWER
    assert line.passes(caught(kind, seed, line.runs))


@pytest.mark.some(1)
@pytest.mark.parametrize("kind", ["middle", "three intervals", "50 labels"])
def test_twice_the_calls_of_a_known_event_would_be_noticed(
    kind: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(detectable, "learning", lambda coverage, answers: 0.5)
    line = statistical_test("power: a leak of the size told is caught")
    assert not line.passes(caught(kind, seed, line.runs))


@pytest.mark.parametrize("kind", [*FITTED, *APART])
def test_drawn_leaks_have_the_size_and_coverage_asked_for(kind: str, seed: int) -> None:
    """Of the best event a fine histogram shows: its loss is at most that asked for, and near it where it shows."""
    draws = np.random.default_rng(seed)
    found = drawn(kind, 2.0, 0.25, draws)
    left, right = (found.law(draws, np.full(60_000, coin, np.int8)) for coin in (1, 0))
    if left.ndim == 2:
        column = int(np.argmax([_distance(left[:, j], right[:, j]) for j in range(left.shape[1])]))
        left, right = left[:, column], right[:, column]
    # the total variation of a response of e' in a part c of the outputs is c (e^e' - 1) / (e^e' + 1); of an event that
    # is as likely as that part and has no counterpart, twice as much
    times = 2.0 if "one side" in kind else 1.0
    assert _distance(left, right) == pytest.approx(times * 0.25 * math.tanh(1.0), abs=0.03)


def _distance(left: Any, right: Any) -> float:
    known = np.unique(np.concatenate([left, right]))
    if len(known) > MANY_ANSWERS:
        known = np.quantile(np.concatenate([left, right]), np.linspace(0.0, 1.0, 400))
    counts = [np.bincount(np.searchsorted(known, side), minlength=len(known) + 1) / len(side) for side in (left, right)]
    # what chance gives to so many cells of so many outputs is taken off
    return float(0.5 * np.abs(counts[0] - counts[1]).sum()) - (0.0 if len(known) <= MANY_ANSWERS else 0.02)


def test_learning_costs_more_the_rarer_the_event_and_the_more_answers_there_are() -> None:
    kinds = (None, FEW_ANSWERS, FEW_ANSWERS + 1, MANY_ANSWERS, math.inf)
    for coverage in (0.25, 0.1, 0.05):
        costs = [learning(coverage, answers) for answers in kinds]
        assert costs == sorted(costs)
    for answers in kinds:
        by_coverage = [learning(coverage, answers) for coverage in (1.0, 0.5, 0.25, 0.05, 0.001)]
        assert by_coverage == sorted(by_coverage)
        assert by_coverage[-1] == by_coverage[-2]  # nothing rarer was measured


@pytest.mark.turns(6)
def test_few_answers_are_learned_sooner_than_numbers(seed: int) -> None:
    """The verdict counts the answers that were seen; before any, as many are planned for as are told apart."""
    pairs = [([0], [1])]

    def audited(learner: Any) -> dpcheck.Verdict:
        return dpcheck.audit(learner, 1.0, pairs=pairs, seed=seed, max_samples=3000, isolation="none")

    few = audited(lambda dataset, rng: int(rng.integers(3)))
    many = audited(lambda dataset, rng: int(rng.integers(50)))
    numbers = audited(lambda dataset, rng: float(rng.normal()))
    # where none of the first outputs repeats, fifty answers are taken for numbers
    assert few.detectable_epsilon < many.detectable_epsilon <= numbers.detectable_epsilon
    assert answers_planned(Shape(1, repeats=True, others=False)) == MANY_ANSWERS
    assert math.isinf(answers_planned(Shape(1, repeats=False, others=False)))
    assert answers_seen(game_of(3)) == 3


def game_of(answers: int) -> Any:
    from dpcheck.privacy.statistics.game import learn, new_game
    from tests.playing import batch_of

    coins = (np.arange(600) % 2).astype(np.int8)
    game = new_game(Shape(1, repeats=True, others=False), 1.0, 0.0)
    return learn(game, batch_of((np.arange(600) % answers).astype(np.float64), coins))
