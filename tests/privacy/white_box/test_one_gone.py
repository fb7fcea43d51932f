"""Whether others stay in their batches where a record is gone: ways to draw batches that do, and ways that do not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator
from numpy.typing import NDArray

import dpcheck
from dpcheck.privacy.white_box.one_gone import places_tell, smaller_batches
from dpcheck.privacy.white_box.sampling import Members
from dpcheck.privacy.white_box.values import next_steps

SIZE, EPOCHS, PARTS = 60, 3, 6
Data = NDArray[np.float64]
Draw = Callable[[Data, Generator], list[Any]]
STEPS = dpcheck.GaussianSteps(noise_multiplier=4.0, clipping_norm=1.0, steps=EPOCHS * PARTS, participations=EPOCHS)


def shuffled(data: Data, rng: Generator) -> list[Any]:
    """Cut from a new order: all of one size, but for the last."""
    order, width = rng.permutation(len(data)), SIZE // PARTS
    return [order[start : start + width] for start in range(0, PARTS * width, width)]


def shuffled_and_the_last_dropped(data: Data, rng: Generator) -> list[Any]:
    """Cut from a new order into a batch more than is used."""
    order, width = rng.permutation(len(data)), SIZE // (PARTS + 1)
    return [order[start : start + width] for start in range(0, PARTS * width, width)]


def shares_of_an_order(data: Data, rng: Generator) -> list[Any]:
    """As even as can be."""
    return np.array_split(rng.permutation(len(data)), PARTS)


def in_blocks(data: Data, _rng: Generator) -> list[Any]:
    """As they stand."""
    return np.array_split(np.arange(len(data)), PARTS)


def in_turn(data: Data, _rng: Generator) -> list[Any]:
    """Each PARTS-th."""
    return [np.arange(start, len(data), PARTS) for start in range(PARTS)]


def sorted_and_cut(data: Data, _rng: Generator) -> list[Any]:
    """By their first number."""
    return np.array_split(np.argsort(data[:, 0]), PARTS)


def by_their_place(data: Data, _rng: Generator) -> list[Any]:
    """By digits of where they stand."""
    part = np.arange(len(data)) * 7919 // 31 % PARTS
    return [np.flatnonzero(part == number) for number in range(PARTS)]


def shuffled_of_each_half(data: Data, rng: Generator) -> list[Any]:
    """Half of each batch from the first records, half from the others."""
    halves = np.array_split(np.arange(len(data)), 2)
    cut = [np.array_split(rng.permutation(half), PARTS) for half in halves]
    return [np.concatenate(pair) for pair in zip(*cut, strict=True)]


def blocks_from_anywhere(data: Data, rng: Generator) -> list[Any]:
    """Blocks of neighbours, from a place that is drawn."""
    return np.array_split(np.roll(np.arange(len(data)), int(rng.integers(len(data)))), PARTS)


def by_what_they_are(data: Data, _rng: Generator) -> list[Any]:
    """By a digit of their first number."""
    part = np.floor(np.abs(data[:, 0]) * 1e6).astype(int) % PARTS
    return [np.flatnonzero(part == number) for number in range(PARTS)]


def each_into_one(data: Data, rng: Generator) -> list[Any]:
    """Each record goes where it goes, whoever else is there."""
    part = rng.integers(PARTS, size=len(data))
    return [np.flatnonzero(part == number) for number in range(PARTS)]


def each_into_one_from_the_end(data: Data, rng: Generator) -> list[Any]:
    """The same law, by draws that are others where the last record is gone."""
    part = rng.integers(PARTS, size=len(data))[::-1]
    return [np.flatnonzero(part == number) for number in range(PARTS)]


@dataclass(frozen=True)
class Epochs:
    """DP-SGD in epochs, its batches drawn by ``draw``."""

    draw: Draw

    def __call__(self, data: Data, rng: Generator, transcript: Any = dpcheck.UNRECORDED) -> Data:
        model = np.zeros(2)
        for _ in range(EPOCHS):
            for drawn in self.draw(data, rng):
                batch = transcript.batch(drawn)
                gradients = 3.0 * (model - data[batch])
                norms = np.linalg.norm(gradients, axis=1, keepdims=True)
                total = (gradients / np.maximum(1.0, norms)).sum(axis=0)
                model = model - 0.01 * transcript.release(total, total + rng.normal(0.0, STEPS.deviation, 2))
        return model


def seen(draw: Draw, seed: int, neighbours: str = "add-remove") -> dpcheck.WhiteBoxVerdict:
    """What a white-box audit says."""
    data = np.random.default_rng(seed).normal(size=(SIZE, 2))
    return dpcheck.white_box(Epochs(draw), data, None, STEPS, neighbours=neighbours, isolation="none", seed=seed)


def sampling(verdict: dpcheck.WhiteBoxVerdict) -> Any:
    """Its premise about batches."""
    return next(each for each in verdict.premises if each.name == "sampling")


@pytest.mark.parametrize(
    "draw",
    [
        shuffled,
        shuffled_and_the_last_dropped,
        shares_of_an_order,
        in_blocks,
        sorted_and_cut,
        in_turn,
        by_their_place,
    ],
)
def test_batches_that_are_filled_up_are_named(draw: Draw, seed: int) -> None:
    verdict = seen(draw, seed % 2**31)
    assert verdict.status is dpcheck.WhiteBoxStatus.NOT_AS_ACCOUNTED, verdict.premises
    assert verdict.broken == ("sampling",)
    drawn = draw in (shuffled, shuffled_and_the_last_dropped, shares_of_an_order)
    assert ("whoever is gone" if drawn else "which were the same in 2 trainings") in sampling(verdict).words
    assert verdict.epsilon_seen > 1.5 * verdict.epsilon_accounted
    # of a record that is replaced nothing moves, unless who is where depends on the records
    beside = seen(draw, seed % 2**31, "replace-one")
    assert beside.broken == (("sampling",) if draw is sorted_and_cut else ())
    assert ("others stay in their batches" in sampling(beside).words) == (draw is not sorted_and_cut)


@pytest.mark.parametrize("draw", [each_into_one, by_what_they_are])
def test_others_that_stay_are_seen_to(draw: Draw, seed: int) -> None:
    verdict = seen(draw, seed % 2**31)
    assert verdict.status is dpcheck.WhiteBoxStatus.AS_ACCOUNTED, verdict.premises
    assert "others stay in their batches" in sampling(verdict).words


def test_what_was_not_seen_is_not_said(seed: int) -> None:
    verdict = seen(each_into_one_from_the_end, seed % 2**31)
    assert verdict.status is dpcheck.WhiteBoxStatus.INCONCLUSIVE, verdict.premises
    assert "neighbours='replace-one'" in sampling(verdict).words
    assert any("digest of its own" in step for step in next_steps(verdict))


@pytest.mark.parametrize("draw", [shuffled_of_each_half, blocks_from_anywhere])
def test_no_other_way_of_filling_up_is_said_to_hold(draw: Draw, seed: int) -> None:
    assert seen(draw, seed % 2**31).status is not dpcheck.WhiteBoxStatus.AS_ACCOUNTED


def test_a_tree_over_shuffled_records_is_named(seed: int) -> None:
    """A node that has all records is smaller whoever is gone: the leaf tells, once a first training has shown which."""

    def tree(data: Data, rng: Generator, transcript: Any = dpcheck.UNRECORDED) -> Data:
        leaves, model = np.array_split(rng.permutation(len(data)), 8), np.zeros(2)
        for height in range(4):
            for node in np.split(np.arange(8), 8 >> height):
                batch = transcript.batch(np.concatenate([leaves[leaf] for leaf in node]))
                norms = np.linalg.norm(data[batch], axis=1, keepdims=True)
                total = (data[batch] / np.maximum(1.0, norms)).sum(axis=0)
                model = model + transcript.release(total, total + rng.normal(0.0, 4.0, 2))
        return model

    steps = dpcheck.GaussianSteps(noise_multiplier=4.0, clipping_norm=1.0, steps=15, participations=4)
    data = np.random.default_rng(seed % 2**31).normal(size=(64, 2)) * 3.0
    verdict = dpcheck.white_box(tree, data, None, steps, isolation="none", seed=seed % 2**31)
    assert verdict.broken == ("sampling",), verdict.premises
    assert "the same 4 batches are smaller" in sampling(verdict).words


def test_blocks_larger_than_those_looked_at_are_told(rng: Generator) -> None:
    """Of the first 400 of 6,000 records all are in one block."""
    blocks = [np.eye(3, dtype=np.int32)[:, np.repeat(rng.permutation(3), 2_000)] for _ in range(2)]
    while np.array_equal(*blocks):
        blocks[1] = np.eye(3, dtype=np.int32)[:, np.repeat(rng.permutation(3), 2_000)]
    assert places_tell(blocks, rng)


def test_the_level_holds_where_others_stay(rng: Generator) -> None:
    """Fixed sizes, and others that stay: each training without a record lacks it where it would be."""
    accused = 0
    for _ in range(2_000):
        without: list[Members | None] = []
        for _ in range(3):
            part = rng.permutation(np.repeat(np.arange(4), 5))
            gone = int(rng.integers(20))
            without.append(np.delete(np.eye(4, dtype=np.int32)[:, part], gone, axis=1))
        accused += smaller_batches(np.full(4, 5), without, 20, 1, 1.0 / 16.0) is not None
    # of three trainings all lack it in the same batch with probability 1/16
    assert accused < 2_000 / 16 + 6.0 * np.sqrt(2_000 / 16)


def test_places_of_records_drawn_by_themselves_tell_nothing(rng: Generator) -> None:
    told = 0
    for _ in range(60):
        parts, size = int(rng.integers(2, 12)), int(rng.integers(12, 150))
        drawn = [np.eye(parts, dtype=np.int32)[:, rng.integers(parts, size=size)] for _ in range(2)]
        told += places_tell(drawn, rng)
    assert told <= 2
