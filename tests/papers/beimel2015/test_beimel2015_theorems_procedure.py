"""The instances of beimel2015, lemma 4.1 and claim 4.2, and the lines of lemma 4.1 on all small classes."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from dpcheck.papers.beimel2015.theorems import procedure_instances as instances
from dpcheck.proof.instances import all_classes


def test_the_instances_are_as_said() -> None:
    same, choice = instances.equal_after_relabelling(), instances.one_entry_of_eleven()
    assert (same.failure, same.count) == ("", 10)
    assert (choice.failure, choice.count) == ("", 2)


def test_changed_instances_fail() -> None:
    assert instances.equal_after_relabelling(moved=1).failure
    assert instances.one_entry_of_eleven(10).failure  # the budget does not allow for it


def _scores(
    functions: list[int], labelled: list[tuple[int, int]], others: list[int], kept: int
) -> dict[int, list[int]]:
    """The scores of the dichotomies of S o T by their pattern on the points of a mask."""
    points = sum({1 << x for x, _ in labelled} | {1 << x for x in others})
    scores: dict[int, list[int]] = {}
    for pattern in {function & points for function in functions}:
        right = sum((pattern >> x & 1) == y for x, y in labelled)
        scores.setdefault(pattern & kept, []).append(right)
    return scores


@pytest.mark.turns(4)
def test_the_lines_of_lemma_4_1_on_every_class_on_three_points() -> None:
    """Every class on 3 points, one labelled and one other entry, every replaced entry: lines L41.P to L41.c5."""
    records = [((x, y), t) for x, y, t in itertools.product(range(3), (0, 1), range(3))]
    pairs = [
        (first, second)
        for first, second in itertools.permutations(records, 2)
        if (first[0] == second[0]) != (first[1] == second[1])
    ]
    worst = 0.0
    for members in all_classes(3):
        functions = [int(function) for function in np.flatnonzero(members)]
        for ((x1, y1), t1), ((x2, y2), t2) in pairs:
            own = ({x1, t1}, {x2, t2})
            kept = sum(1 << x for x in own[0] & own[1])
            assert len(own[0] - own[1]) <= 1
            one = _scores(functions, [(x1, y1)], [t1], kept)
            two = _scores(functions, [(x2, y2)], [t2], kept)
            assert one.keys() == two.keys()
            totals = []
            for scores in (one, two):
                assert all(len(q) in (1, 2) and max(q) - min(q) <= 1 for q in scores.values())
                totals.append(sum(math.exp(q / 2) for each in scores.values() for q in each))
            for z, first_scores in one.items():
                assert all(abs(a - b) <= 1 for a in first_scores for b in two[z])
                mass = [sum(math.exp(q / 2) for q in scores[z]) for scores in (one, two)]
                worst = max(worst, mass[0] / totals[0] * totals[1] / mass[1])
    assert 2 < worst <= (1 + math.exp(0.5)) ** 2 * (1 + 1e-12) < 4 * math.e
