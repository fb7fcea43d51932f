"""The exact instances behind refuted lines of sections 4 and 5 of beimel2015: they stand, and broken ones do not."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction

import pytest

from dpcheck.papers.beimel2015.theorems import active, active_instances, boosting, boosting_instances
from dpcheck.proof.instances import Enumeration

STAND = (
    (boosting_instances.last_iteration, 1),
    (boosting_instances.tables_are_outside, 80),
    (boosting_instances.one_example, 128),
    (boosting_instances.biased_labels, 60),
    (boosting_instances.small_rectangles, 272),
    (boosting_instances.shattered_sample, 1024),
    (boosting_instances.stuck, 126),
    (boosting_instances.endless, 378),
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
    lambda: boosting_instances.stuck(300, first=300),  # 300 n labels: the loop ends at once
    lambda: boosting_instances.endless(size=400),  # m >= 300 n: no iteration
    lambda: boosting_instances.endless(labelled=100_000),  # v is negative at once
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


def _stretched(labelled: float, size: float, alpha: float, beta: float) -> tuple[list[float], bool]:
    """The real-valued recursion of alg-3 for V = 1: every #T, and whether the loop ends."""
    found: list[float] = []
    while labelled < 300 * size:
        halved = 2 ** (len(found) + 1)
        exponent = alpha / (10 * halved) * labelled / 200
        if len(found) > 40:
            return found, False
        grown = beta / (4 * halved) * math.exp(min(exponent, 600)) - labelled
        found.append(max(0.0, min(30_000 * size, grown)))
        labelled = (labelled + found[-1]) / 100
    return found, True


def test_the_recursion_of_sizes_does_what_claim_4_8_says_also_where_few_labels_are_given() -> None:
    ended = 0
    for alpha, beta in itertools.product([0.99, 0.1, 1e-3, 1e-9, 1e-20], repeat=2):
        about = math.log(20_000 * 160 / (alpha * beta))
        for over, more in itertools.product(range(40), (1.0, 1.7, 10, 100, 1e4, 1e6)):
            labelled = 4000 * (about + over / 10) / alpha
            size = labelled * more / 300
            found, ends = _stretched(labelled, size, alpha, beta)
            assert sum(found) <= 90_000 * size
            if ends:
                ended += 1
                assert all(found[i] >= 2 * found[i - 1] for i in range(1, len(found) - 1))
    assert ended > 500
