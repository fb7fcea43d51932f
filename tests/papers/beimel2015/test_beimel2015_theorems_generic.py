"""The instances of beimel2015, section 3: they are as said, and changed ones are told apart."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from dpcheck.papers.beimel2015.theorems import generic_instances as instances
from dpcheck.proof.instances import Enumeration


@pytest.mark.parametrize(
    ("enumerate_all", "count"),
    [
        (instances.one_unlabelled_entry, 2),
        (instances.one_point_for_eight, 8),
        (instances.wrong_constant, 5),
        (instances.one_label_for_two_points, 256),
    ],
)
def test_the_instances_are_as_said(enumerate_all: Callable[[], Enumeration], count: int) -> None:
    found = enumerate_all()
    assert (found.failure, found.count) == ("", count)


@pytest.mark.parametrize(
    "changed",
    [
        lambda: instances.one_unlabelled_entry(Fraction(1, 10)),  # an error of 0 is near enough
        lambda: instances.one_point_for_eight(2),  # with two points a singleton's difference is everything or nothing
        lambda: instances.wrong_constant(Fraction(10)),  # the choice is then good
        lambda: instances.one_label_for_two_points(Fraction(5, 8)),  # some learner fails half of the time
    ],
)
def test_changed_instances_fail(changed: Callable[[], Enumeration]) -> None:
    assert changed().failure
