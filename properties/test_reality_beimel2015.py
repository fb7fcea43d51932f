"""Properties of what beimel2015's measurements are computed with: laws, ratios, counts."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import chain, combinations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dpcheck.model.neighbours import Records, ReplaceEntry
from dpcheck.papers.beimel2015.learners import UniformSubsampling
from dpcheck.papers.beimel2015.trials.boosting import iterated_logarithm
from dpcheck.papers.beimel2015.trials.laws import delta_at, largest_over_pairs, largest_ratio
from dpcheck.papers.beimel2015.trials.mechanisms import Presence
from dpcheck.papers.beimel2015.trials.procedure import grouped, ratio_in_balls, ratio_in_doubles, weights_of

weights = st.lists(st.integers(0, 9), min_size=2, max_size=5).filter(any)


def as_law(counts: list[int]) -> dict[int, Fraction]:
    return {place: Fraction(count, sum(counts)) for place, count in enumerate(counts)}


@given(weights, weights, st.fractions(1, 5, max_denominator=7))
def test_delta_is_the_worst_event(one: list[int], other: list[int], ratio: Fraction) -> None:
    p, q = as_law(one), as_law(other)
    outputs = sorted(p.keys() | q.keys())
    events = chain.from_iterable(combinations(outputs, size) for size in range(len(outputs) + 1))
    worst = Fraction(0)
    for event in events:
        first, second = (sum((law.get(o, Fraction(0)) for o in event), Fraction(0)) for law in (p, q))
        worst = max(worst, first - ratio * second, second - ratio * first)
    assert delta_at(p, q, ratio) == worst
    found = largest_ratio(p, q)
    assert (found is not None and found <= ratio) == (worst == 0)


@given(st.fractions(1, 9, max_denominator=5), st.integers(1, 3), st.integers(0, 4))
def test_a_random_part_loses_what_the_formula_says(ratio: Fraction, drawn: int, more: int) -> None:
    whole = drawn + more
    learner = UniformSubsampling(Presence(ratio), drawn, 0, of_labelled=whole, of_unlabelled=0)
    relation = ReplaceEntry(Records.labelled(features=[0], labels=[0, 1]), whole, whole)
    found, _ = largest_over_pairs(learner.distribution, relation, learner)
    assert found == 1 + Fraction(drawn, whole) * (ratio - 1)


functions = st.sets(st.tuples(*[st.integers(0, 1)] * 4), min_size=1, max_size=16).map(sorted)
entries = st.tuples(st.integers(0, 3), st.integers(0, 1))


@given(functions, st.lists(entries, min_size=1, max_size=3), entries, st.lists(st.integers(0, 3), max_size=2))
def test_no_pair_of_choices_is_farther_apart_than_the_sharp_constant(
    concepts: list[tuple[int, ...]], labelled: list[tuple[int, int]], other: tuple[int, int], stretched: list[int]
) -> None:
    sides: list[Any] = [(tuple(labelled), tuple(stretched)), ((other, *labelled[1:]), tuple(stretched))]
    common = set.intersection(*({x for x, _ in side[0]} | set(side[1]) for side in sides))
    one, two = (grouped(weights_of(concepts, side), common) for side in sides)
    ratio = ratio_in_doubles(one, two)
    assert ratio <= (1 + math.exp(0.5)) ** 2 + 1e-9
    assert math.isclose(ratio, float(ratio_in_balls(one, two)), rel_tol=1e-9)


@given(st.integers(2, 10**6))
def test_iterated_logarithms_take_one_step(value: int) -> None:
    assert iterated_logarithm(2**value) == 1 + iterated_logarithm(value)
