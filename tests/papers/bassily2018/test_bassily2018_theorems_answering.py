"""The instances of bassily2018's lines on stability, votes and privacy: what they count, and that they can fail."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import pytest

from dpcheck.papers.bassily2018.learners import (
    answering_delta,
    answers_law,
    chunks,
    printed_scales,
    stability,
    votes,
)
from dpcheck.papers.bassily2018.theorems import answering_instances as instances
from dpcheck.proof.instances import Enumeration


@pytest.mark.parametrize(
    ("witness", "count"),
    [
        (instances.stability_below_one, 16),
        (instances.three_votes, 1),
        (instances.large_epsilon, 1),
        (instances.small_cutoff, 1),
        (instances.blocks, 1),
        (instances.answers_cost, 1),
        (instances.tail_of_the_difference, 1_000),
        (instances.printed_scales_are_not_private, 1_002),
        (instances.not_private_as_printed, 3),
    ],
)
def test_the_instances_are_as_they_are_said_to_be(witness: Callable[[], Enumeration], count: int) -> None:
    found = witness()
    assert (found.failure, found.count) == ("", count)


@pytest.mark.parametrize(
    "witness",
    [instances.large_epsilon, instances.small_cutoff, instances.answers_cost, instances.tail_of_the_difference],
)
def test_a_wrong_closed_form_is_found(witness: Callable[[], Enumeration], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instances, "label_chance", lambda u: 2 * u / 3)
    assert witness().failure


@pytest.mark.parametrize("witness", [instances.small_cutoff, instances.printed_scales_are_not_private])
def test_with_the_noise_of_one_round_a_small_cutoff_is_no_witness(
    witness: Callable[[], Enumeration], monkeypatch: pytest.MonkeyPatch
) -> None:
    proper = instances.noise
    monkeypatch.setattr(instances, "noise", lambda epsilon, delta, cutoff=1.0: proper(epsilon, delta, max(1.0, cutoff)))
    assert witness().failure


def test_with_chunks_by_record_the_blocks_are_no_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    proper = chunks.chunk_numbers

    def by_record(x: Any, y: Any, models: int, split: Any) -> Any:
        whole = proper(range(2 * models), range(2 * models), models, split)
        return whole[2 * models - len(y) :]  # each record keeps its chunk when the first one is gone

    monkeypatch.setattr(chunks, "chunk_numbers", by_record)
    assert instances.blocks().failure


def test_with_the_distance_in_votes_three_votes_are_no_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(votes, "printed_distance", lambda counts: votes.vote_changes(counts))
    assert instances.three_votes().failure


def test_a_stability_that_is_rounded_up_is_no_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stability, "required_stability", lambda epsilon, delta, failure: 1.0)
    assert instances.stability_below_one().failure


def test_another_accounting_gives_what_the_repaired_theorem_says() -> None:
    """Composition of randomised responses instead of zCDP: cutoffs up to 1000, epsilon up to the end of its range."""
    count = 0
    for delta in (0.9, 0.1, 1e-3, 1e-6, 1e-12):
        logarithm = math.log(2 / delta)
        for cutoff in (1, 2, 10, 1000):
            for queries in (1, cutoff + 1, 10 * cutoff):
                for part in (0.01, 0.3, 1.0):
                    count += 1
                    epsilon = part * 2.3 * logarithm
                    scales = printed_scales(epsilon, delta, 0.05, queries, cutoff)
                    assert answering_delta(scales, queries, epsilon, distance="votes") <= delta
                    if delta <= 0.1:
                        scales = printed_scales(2 * part, delta, 0.05, queries, cutoff)
                        assert answering_delta(scales, queries, 2 * part) <= delta
    assert count == 180


@pytest.mark.parametrize(
    ("epsilon", "delta", "cutoff", "leads"),
    [
        (2.0, 0.1, 1, (0, 0)),
        (2.0, 0.1, 1, (0, 0, 44)),
        (2.0, 0.1, 2, (56, 0, 0)),
        (1.0, 0.1, 1, (0, 0, 60)),
        (0.5, 0.1, 2, (0, 254, 0)),
        (2.0, 1e-3, 2, (192, 0, 0)),
        (2.0, 0.1, 3, (0, 82, 0, 0)),
    ],
)
def test_exact_laws_keep_what_the_repaired_theorem_says(
    epsilon: float, delta: float, cutoff: int, leads: tuple[int, ...]
) -> None:
    """One model changes its votes: leads at ties and about the threshold, up and down by one vote, else as printed."""
    scales = printed_scales(epsilon, delta, 0.05, len(leads), cutoff)
    ones = [(scales.models + lead) // 2 for lead in leads]
    first = answers_law([[scales.models - each, each] for each in ones], scales)
    largest = 0.0
    for steps in itertools.product((-1, 1), repeat=len(leads)):
        moved = [each + step for each, step in zip(ones, steps, strict=True)]
        second = answers_law([[scales.models - each, each] for each in moved], scales)
        largest = max(largest, instances.hockey_stick(first, second, epsilon))
    assert delta / 10 < largest < delta / 2
