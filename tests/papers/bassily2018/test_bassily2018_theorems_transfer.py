"""The instances of bassily2018's lines on hpriv and the learner made of it: what they count, and that they can fail."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dpcheck.papers.bassily2018.theorems import transfer_instances as instances
from dpcheck.proof.instances import Enumeration


@pytest.mark.parametrize(
    ("witness", "count"),
    [
        (instances.many_single_runs, 1),
        (instances.one_run_or_many, 2),
        (instances.other_placement, 1),
        (instances.one_example, 450),
        (instances.accuracy_one_over_m, 299),
    ],
)
def test_the_instances_are_as_they_are_said_to_be(witness: Callable[[], Enumeration], count: int) -> None:
    found = witness()
    assert (found.failure, found.count) == ("", count)


def test_a_wrong_closed_form_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instances, "label_chance", lambda u: 2 * u / 3)
    assert instances.many_single_runs().failure


def test_where_split_votes_get_a_label_one_run_is_no_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instances, "label_chance", lambda u: 0.5)
    assert instances.one_run_or_many().failure


def test_in_one_run_the_label_of_a_point_depends_on_the_query_before_it() -> None:
    first, second, third = instances.first_query_matters()
    assert len({round(each, 3) for each in (first, second, third)}) == 3
