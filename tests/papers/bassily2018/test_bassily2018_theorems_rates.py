"""The instances of bassily2018's lines on rates: what they count, and that they can fail."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dpcheck.papers.bassily2018.theorems import rates_instances as instances
from dpcheck.proof.instances import Enumeration


@pytest.mark.parametrize(
    ("witness", "count"),
    [
        (instances.three_mistakes, 1),
        (instances.two_queries, 4),
        (instances.two_abstentions, 17_188),
        (instances.one_model, 1),
        (instances.no_mistakes, 64),
        (instances.one_query, 199),
        (instances.one_noisy_query, 150),
    ],
)
def test_the_instances_are_as_they_are_said_to_be(witness: Callable[[], Enumeration], count: int) -> None:
    found = witness()
    assert (found.failure, found.count) == ("", count)


@pytest.mark.parametrize("witness", [instances.three_mistakes, instances.two_queries, instances.two_abstentions])
def test_with_a_larger_cutoff_they_are_no_witnesses(
    witness: Callable[[], Enumeration], monkeypatch: pytest.MonkeyPatch
) -> None:
    proper = instances.printed_cutoff
    monkeypatch.setattr(
        instances, "printed_cutoff", lambda error, queries, failure: 2 * proper(error, queries, failure) + 1
    )
    assert witness().failure


def test_with_the_noise_of_a_moderate_epsilon_one_model_is_no_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    proper = instances.noise
    monkeypatch.setattr(instances, "noise", lambda epsilon, delta: proper(1.0, delta))
    assert instances.one_model().failure


def test_where_labels_are_certain_two_abstentions_are_no_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instances, "label_chance", lambda u: 1.0)
    assert instances.two_abstentions().failure
