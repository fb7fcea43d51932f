"""The bets on noise that is kept under noise drawn anew: exact for fresh runs, won on each way to keep a part."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from dpcheck.execution.answers import Answers
from dpcheck.privacy.statistics.freshness import Freshness
from dpcheck.privacy.statistics.kept_noise import (
    AGAIN,
    AGAIN_TURNED,
    STRENGTHS,
    KeptNoise,
    place_evidence,
    table_evidence,
)
from dpcheck.privacy.statistics.observations import Observations, observe


def seen(values: Any) -> Observations:
    return observe(Answers(values if isinstance(values, list) else np.asarray(values)), "real")


def blocks_of(kept: float, little: float, rng: np.random.Generator, again: Any) -> dict[int, Any]:
    """Two datasets, two blocks of each, of 6 to 9 outputs; ``again`` gives the noise that is kept."""
    size = int(rng.integers(6, 10))

    def block(dataset: int) -> Observations:
        return seen(dataset + kept * again()[:size] + rng.normal(scale=little, size=size))

    return {dataset: (block(dataset), block(dataset)) for dataset in (0, 1)}


@pytest.mark.turns(6)
@pytest.mark.parametrize("little", [0.1, 0.5, 1.0, 1.5])
def test_noise_kept_under_fresh_noise_is_found_in_short_blocks(little: float, rng: np.random.Generator) -> None:
    """Of a correlation of 0.47 a block tells little, of sixty blocks the mean tells nearly what is kept."""
    kept = rng.permutation(np.linspace(-1.8, 1.8, 10))
    freshness = Freshness()
    for _ in range(60):
        freshness.see(blocks_of(1.0, little, rng, lambda: kept), rng)
    assert freshness.evidence > 7.0


def a_coin(dataset: int, place: int, rng: np.random.Generator) -> int:
    """A record turned around by a coin that is kept, and by one that is not."""
    return dataset ^ (place % 3 == 0) ^ int(rng.random() < 0.12)


def a_text(dataset: int, place: int, rng: np.random.Generator) -> str:
    return f"{dataset + np.sin(3.0 * place) + rng.normal(scale=0.3):.1f}"


def now_and_then(dataset: int, place: int, rng: np.random.Generator) -> float:
    """Noise that is kept in 6 of 10 calls, under a little that is not."""
    noise = 2.0 * np.sin(3.0 * place) if rng.random() < 0.6 else rng.laplace()
    return float(dataset + noise + rng.normal(scale=0.1))


def watched(kept: Callable[[int, int, np.random.Generator], Any], times: int, rng: np.random.Generator) -> KeptNoise:
    """What so many looks at four blocks of 64 outputs show."""
    found = KeptNoise()
    for _ in range(times):
        blocks = [seen([kept(number // 2, place, rng) for place in range(64)]) for number in range(4)]
        found.see({0: (blocks[0], blocks[1]), 1: (blocks[2], blocks[3])})
    return found


@pytest.mark.parametrize("kept", [a_coin, a_text, now_and_then])
def test_what_is_kept_in_part_is_found_whatever_it_looks_like(
    kept: Callable[[int, int, np.random.Generator], Any], rng: np.random.Generator
) -> None:
    assert watched(kept, 6, rng).logs.max() > 12.0


def test_coins_that_turn_a_record_around_are_compared_across_the_datasets(rng: np.random.Generator) -> None:
    """Added up as they come, outputs of both datasets would say nothing of them."""
    found = watched(a_coin, 3, rng)
    assert found.normal[AGAIN_TURNED].max() > found.normal[AGAIN].max() + 10.0
    assert found.few


@pytest.mark.parametrize("kind", ["numbers", "vectors", "few numbers", "texts"])
def test_each_bet_is_an_e_value(kind: str, rng: np.random.Generator) -> None:
    """Over all orders of a block's outputs its mean is 1, whatever was seen before.

    The first output of a block is never bet on, so that it is the order of the others that counts.
    """
    draw: dict[str, Callable[[int], Any]] = {
        "numbers": lambda n: rng.standard_cauchy(n),
        "vectors": lambda n: rng.normal(size=(n, 2)),
        "few numbers": lambda n: rng.permutation(np.resize(np.arange(3.0), n)),
        "texts": lambda n: [f"{number}" for number in rng.permutation(np.resize(np.arange(3), n))],
    }
    sizes = [(3, 5), (6, 4), (5, 5)]
    before = [{dataset: (draw[kind](one), draw[kind](other)) for dataset in (0, 1)} for one, other in sizes]
    alone, block = draw[kind](1), draw[kind](5)
    bets = []
    for order in permutations(range(1, 5)):
        found = KeptNoise()
        for both in before:
            found.see({dataset: (seen(one), seen(other)) for dataset, (one, other) in both.items()})
        start = found.logs.copy()
        ordered = [block[place] for place in (0, *order)]
        found.see({0: (seen(alone), seen(ordered if isinstance(block, list) else np.asarray(ordered)))})
        bets.append(np.exp(found.logs - start))
    assert np.mean(bets, axis=0) == pytest.approx(1.0, abs=1e-9)
    assert np.ptp(bets, axis=0).max() > 0.01


@pytest.mark.parametrize("part", ["numbers", "answers"])
def test_remembering_a_block_before_betting_on_it_would_turn_the_test_of_fresh_runs_red(
    part: str, rng: np.random.Generator
) -> None:
    """Correlations of 0.7 in 63 places of two numbers: 44 nats are to be expected; of coins about as much."""
    if part == "numbers":
        scores, before = rng.normal(size=(64, 2)), rng.normal(size=(64, 2))
        wrong = place_evidence(scores, before + scores, np.full(64, 2.0))
        right = place_evidence(scores, before, np.ones(64))
    else:
        coins, others = rng.integers(0, 2, size=(2, 64))
        like, own = others[:, None] == coins, coins[:, None] == coins
        ones = np.ones(64, dtype=np.int64)
        wrong = table_evidence(like.astype(int) + own, 2 * ones, own.sum(axis=0), STRENGTHS)
        right = table_evidence(like, ones, own.sum(axis=0), STRENGTHS)
    assert wrong.max() > 7.0
    assert right.max() < 21.0
