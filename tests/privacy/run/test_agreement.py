"""Do a learner's forms agree? The game at (0, 0): the honest are left alone, the others are caught."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import dpcheck
from dpcheck.execution.answers import Answers
from dpcheck.privacy.run import by_calls, certification
from dpcheck.privacy.run.agreement_phase import Watch, independence_batch
from dpcheck.privacy.run.limits import Limits
from dpcheck.privacy.run.question import Question, ask
from dpcheck.privacy.statistics.agreement import compared, mismatch, new_comparison, new_independence, rows
from dpcheck.privacy.statistics.game import Batch, Game, certify, learn
from dpcheck.privacy.statistics.observations import Observations, observe
from tests.playing import NUMBERS
from tests.statistical_tests import LEVEL, statistical_test


def seen(values: object) -> Observations:
    return observe(Answers(values), "real")  # type: ignore[arg-type]


def question(seed: int) -> Question:
    return ask(
        lambda dataset, rng: 0,
        None,
        measuring=True,
        pairs=[([0], [1])],
        limits=Limits(alpha=0.05, max_samples=100, max_seconds=1.0, call_timeout=1.0, isolation="none", seed=seed),
    )


def compare(one: Callable[[int], np.ndarray], other: Callable[[int], np.ndarray], rng: np.random.Generator) -> float:
    """The most evidence, at any look, that two ways of making outputs differ."""
    game, most = new_comparison(NUMBERS), -math.inf
    for size in (40, 60, 100, 200, 300):
        coins = rng.integers(0, 2, size).astype(np.int8)
        outputs = np.empty(size)
        outputs[coins == 1], outputs[coins == 0] = one(int(coins.sum())), other(size - int(coins.sum()))
        batch = Batch(seen(outputs), coins)
        game = certify(game, batch)
        most = max(most, mismatch(game))
        game = learn(game, batch)
    return most


def test_one_law_agrees_with_itself(rng: np.random.Generator) -> None:
    line = statistical_test("agreement: an honest sample")
    told_apart = sum(
        compare(lambda n: rng.normal(size=n), lambda n: rng.normal(size=n), rng) >= -math.log(line.chance)
        for _ in range(line.runs)
    )
    assert line.passes(told_apart)


@pytest.mark.parametrize("shift", [1.5, 5.0])
def test_another_law_is_found(shift: float, rng: np.random.Generator) -> None:
    assert compare(lambda n: rng.normal(size=n), lambda n: rng.normal(size=n) + shift, rng) > -math.log(LEVEL)


def test_a_law_only_a_little_different_is_found_mostly(rng: np.random.Generator) -> None:
    line = statistical_test("agreement: another law")
    found = sum(
        compare(lambda n: rng.random(n) ** 2, lambda n: rng.random(n), rng) >= math.log(2e6) for _ in range(line.runs)
    )
    assert line.passes(found)


# --- pairs of outputs --------------------------------------------------------------------------------------------


def test_pairs_are_equal_or_not_and_so_far_apart() -> None:
    found = compared(seen([1.0, (1.0, 5.0), "a", 2.0]), seen([1.0, (3.0, 4.0), "a", "b"]))
    assert found.columns[:, 0].tolist() == [1.0, 0.0, 1.0, 0.0]
    assert found.columns[:, 1].tolist() == [0.0, 2.0, 0.0, 0.0]
    assert list(found.answers) == ["equal", "different", "equal", "different"]


def test_pairs_of_infinite_and_wide_answers() -> None:
    found = compared(seen(np.array([math.inf, math.inf, -math.inf])), seen(np.array([math.inf, -math.inf, 0.0])))
    assert found.columns[:, 0].tolist() == [1.0, 0.0, 0.0]
    assert not np.isnan(found.columns).any()
    assert compared(seen(np.zeros((2, 3))), seen(np.ones((2, 1)))).columns[:, 1].tolist() == [1.0, 1.0]
    assert compared(seen(["a"]), seen(["b"])).columns.tolist() == [[0.0, 0.0]]


def test_rows_of_arrays_and_lists() -> None:
    places = np.array([2, 0])
    for values in (np.array([1.0, 2.0, 3.0]), ["a", "b", 3]):
        whole = seen(values)
        some = rows(whole, places)
        assert some.tokens.tolist() == whole.tokens[places].tolist()
        assert list(some.answers) == [values[2], values[0]]


def test_outputs_are_used_once_each_and_coins_decide(seed: int) -> None:
    one, other = seen(np.arange(100.0)), seen(1000.0 + np.arange(60.0))
    batch = independence_batch(question(seed), one, other, (7,))
    assert batch is not None
    assert len(batch.coins) == 50
    for place, coin in enumerate(batch.coins):
        within, across = 1.0, 1000.0 - place
        assert batch.seen.columns[place, 1] == (within if coin else across)
    again = independence_batch(question(seed), one, other, (7,))
    assert again is not None
    assert np.array_equal(again.coins, batch.coins)
    assert independence_batch(question(seed), seen(np.zeros(1)), other, (7,)) is None
    assert independence_batch(question(seed), one, seen([]), (7,)) is None


def watch(blocks: Callable[[int], np.ndarray], seed: int) -> float:
    """The most evidence that outputs of one learner depend on each other; ``blocks(n)`` serves n calls."""
    game: Game = new_independence()
    most = -math.inf
    for interim, size in enumerate((16, 30, 60, 120, 240)):
        batch = independence_batch(question(seed), seen(blocks(size)), seen(blocks(size)), (interim,))
        assert batch is not None
        game = certify(game, batch)
        most = max(most, mismatch(game))
        game = learn(game, batch)
    return most


def test_fresh_runs_are_independent(seed: int) -> None:
    rng = np.random.default_rng(seed)
    assert watch(lambda n: rng.normal(size=n), seed) < -math.log(LEVEL)
    assert watch(lambda n: rng.integers(0, 2, n), seed) < -math.log(LEVEL)
    assert watch(lambda n: np.zeros(n), seed) < -math.log(LEVEL)


def test_state_kept_between_calls_is_found(seed: int) -> None:
    rng = np.random.default_rng(seed)
    assert watch(lambda n: np.full(n, rng.normal()), seed) > -math.log(LEVEL)  # the first answer for ever
    parts = itertools.cycle((5.0, -5.0))  # a common part, never by luck the same in both of an interim analysis
    assert watch(lambda n: next(parts) + rng.normal(size=n), seed) > -math.log(1e-6)


@pytest.mark.turns(6)
@pytest.mark.parametrize("scale", [0.3, 1.0])
@pytest.mark.parametrize("asked", [True, False])
def test_what_waits_is_looked_at_before_anything_is_said(
    scale: float, asked: bool, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Outputs that wait and speak against independence fail a learner, whether it would be refuted or cleared."""

    def learner(data: Any, rng: np.random.Generator) -> float:
        return float(data[0] + rng.laplace(scale=scale))

    settled = Watch.settle

    def speaks(watch: Watch) -> None:
        settled(watch)
        watch.side = replace(watch.side, evidence=60.0)

    monkeypatch.setattr(Watch, "settle", speaks)
    if not asked:
        for module in (by_calls, certification):
            monkeypatch.setattr(module, "settled", lambda _run: True)
    pairs = [([0], [1])]
    verdict = dpcheck.audit(learner, 1.0, pairs=pairs, max_samples=2000, isolation="none", seed=seed)
    assert ("outputs of one learner depend on each other" in verdict.failure) is asked
    measured = dpcheck.measure(learner, pairs=pairs, max_samples=2000, isolation="none", seed=seed)
    assert "outputs of one learner depend on each other" in measured.failure
