"""The instances of beimel2015, appendices A and B, and their lines on all small classes."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from dpcheck.papers.beimel2015.theorems import appendix_instances as instances
from dpcheck.proof.instances import Enumeration, all_classes, differences, growth, vc_dimensions


@pytest.mark.parametrize(
    ("enumerate_all", "count"),
    [
        (instances.coin_for_the_unseen, 2001),
        (instances.singleton_of_the_example, 2000),
        (instances.one_point_for_sixteen, 1360),
    ],
)
def test_the_instances_are_as_said(enumerate_all: Callable[[], Enumeration], count: int) -> None:
    found = enumerate_all()
    assert (found.failure, found.count) == ("", count)


@pytest.mark.parametrize(
    "changed",
    [
        lambda: instances.coin_for_the_unseen(Fraction(1, 10)),  # two examples are as many as are asked for
        lambda: instances.singleton_of_the_example(500),
        lambda: instances.one_point_for_sixteen(2),
    ],
)
def test_changed_instances_fail(changed: Callable[[], Enumeration]) -> None:
    assert changed().failure


def test_sauers_lemma_and_ten_times_the_dimension_on_every_class_on_four_points() -> None:
    classes = all_classes(4)
    dimension = vc_dimensions(classes)
    for v in (1, 2, 3):
        for size in range(v + 1, 5):
            assert growth(classes[dimension == v], size).max() <= (math.e * size / v) ** v
    mixed = vc_dimensions(differences(classes))
    assert np.all(mixed[dimension > 0] <= 10 * dimension[dimension > 0])
