"""The exact instances behind refuted lines of sections 4 and 5 of beimel2015: they stand, and broken ones do not."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from dpcheck.theorems.beimel2015 import active, active_instances, boosting, boosting_instances
from dpcheck.theorems.instances import Enumeration

STAND = (
    (boosting_instances.last_iteration, 1),
    (boosting_instances.tables_are_outside, 80),
    (boosting_instances.one_example, 128),
    (boosting_instances.biased_labels, 60),
    (boosting_instances.small_rectangles, 272),
    (boosting_instances.shattered_sample, 1024),
    (boosting_instances.stuck, 126),
    (active_instances.three_of_eight, 65536),
    (active_instances.private_search, 12960),
)

BROKEN = (
    lambda: boosting_instances.last_iteration(size=5824),  # m >= 300 n: no iteration
    lambda: boosting_instances.tables_are_outside(points=1),
    lambda: boosting_instances.one_example(examples=2),
    lambda: boosting_instances.biased_labels(part=3),
    lambda: boosting_instances.small_rectangles(side=3),
    lambda: boosting_instances.shattered_sample(dimension=50),  # v is negative
    lambda: boosting_instances.shattered_sample(),  # too few points for a mistake
    lambda: boosting_instances.stuck(300, first=300),  # 300 n labels: the loop ends at once
    lambda: active_instances.three_of_eight(targets=12),
    lambda: active_instances.private_search(delta=Fraction(1, 3)),
)


@pytest.mark.parametrize(("enumerate_all", "count"), STAND, ids=lambda value: getattr(value, "__name__", str(value)))
def test_the_witnesses_stand(enumerate_all: Callable[[], Enumeration], count: int) -> None:
    found = enumerate_all()
    assert (found.failure, found.count) == ("", count)


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_witness_is_found_out(broken: Callable[[], Enumeration]) -> None:
    assert broken().failure


def test_every_witness_of_these_parts_is_looked_at_here() -> None:
    used = {part.witness for part in (*boosting.STEPS, *active.STEPS) if part.witness is not None}
    used |= {theorem.witness for theorem in (*boosting.THEOREMS, *active.THEOREMS) if theorem.witness is not None}
    assert used == {enumerate_all for enumerate_all, _ in STAND}


def test_a_search_asks_for_few_labels_and_finds_the_threshold() -> None:
    sample = tuple((x, int(x < 4)) for x in range(8))
    assert active_instances.searched(sample, tuple(range(8)))[0] == 4
    assert len(active_instances.searched(sample, tuple(range(8)))[1]) <= 4
