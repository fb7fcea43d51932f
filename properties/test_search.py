"""What holds for every relation: candidates and shrunk pairs are neighbours inside the claim's domain."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpcheck import AddRemove, LabelsOnly, Records, ReplaceOne
from dpcheck.model.data import features_and_labels, is_labelled, record_at, size_of
from dpcheck.model.neighbours import Pair
from dpcheck.model.neighbours.domains import flat, is_number
from dpcheck.model.neighbours.shrinker import shrunk
from dpcheck.privacy.pairs.candidates import candidate_pairs, distinct_pairs
from dpcheck.privacy.pairs.constant_pairs import more_pairs
from dpcheck.privacy.run.pair_search import search_weight
from dpcheck.privacy.run.question import BLOCK
from dpcheck.strategies import neighbouring_pairs

BOUNDS = st.tuples(st.integers(-5, 5), st.integers(1, 9)).map(lambda ends: (ends[0], ends[0] + ends[1]))
SIZES = st.one_of(st.none(), st.integers(1, 6), st.integers(2, 9).map(lambda top: range(1, top)))


@st.composite
def relations(draw: st.DrawFn) -> Any:
    """A relation of any kind with its records declared."""
    low, high = draw(BOUNDS)
    width = draw(st.integers(1, 4))
    numbers = draw(
        st.sampled_from(
            [
                Records.bounded(low, high),
                Records.bounded([low] * width, [high] * width),
                Records.of(list(range(low, high + 1))),
            ]
        )
    )
    kind = draw(st.sampled_from([ReplaceOne, AddRemove, LabelsOnly]))
    labelled = kind is LabelsOnly or draw(st.booleans())
    records = Records.labelled(features=numbers, labels=[0, 1, 2]) if labelled else numbers
    return kind(records=records, size=draw(SIZES))


def inside(relation: Any, dataset: Any) -> bool:
    return all(relation.records.contains(record_at(dataset, row)) for row in range(size_of(dataset)))


@pytest.mark.turns(4)
@given(relations(), st.integers(0, 2**32 - 1))
@settings(max_examples=25, deadline=None)
def test_candidates_are_neighbours_inside_the_domain(relation: Any, seed: int) -> None:
    for pair in distinct_pairs(candidate_pairs(relation, np.random.default_rng(seed)), 80, []):
        assert relation.distance_problem(pair.left, pair.right) is None
        larger = max(size_of(pair.left), size_of(pair.right))
        assert relation.size is None or larger == relation.size or larger in relation.size
        if not is_labelled(pair.left):
            assert inside(relation, pair.left)
            assert inside(relation, pair.right)


#: What a learner may do with the records above the middle of a domain, by a number in its code, and a share or a rank.
COUNTING = {
    "at least so many": lambda high, least, part: sum(high) >= least,
    "more than so many": lambda high, least, part: sum(high) > least,
    "so many low ones": lambda high, least, part: len(high) - sum(high) >= least,
    "a share, from so many on": lambda high, least, part: len(high) >= least and sum(high) > part * len(high),
    "a rank, from so many on": lambda high, least, part: len(high) >= least and np.quantile(high, part),
}


@pytest.mark.turns(4)
@pytest.mark.parametrize("counting", COUNTING)
@given(
    st.sampled_from([ReplaceOne(records=(0, 1)), AddRemove(records=(0, 1)), ReplaceOne(records=(-2.0, 3.0))]),
    st.integers(9, 100),
    st.sampled_from([0.05, 0.1, 0.25, 0.6, 2 / 3, 0.75, 0.9]),
    st.lists(st.sampled_from([1, 2, 0.01, 10, 50, 1e-6]), max_size=2),
    st.integers(0, 2**32 - 1),
)
@example(ReplaceOne(records=(-2.0, 3.0)), 12, 0.1, [0.01, 10], 0)  # four sizes and four parts are named
@settings(max_examples=25, deadline=None)
def test_counts_that_code_names_turn_among_the_first_pairs(
    counting: str, relation: Any, least: int, part: float, others: list[float], seed: int
) -> None:
    """Of bits at random so many, and so large datasets, hardly ever come: at least 20 ones were clean."""
    constants = [*others, least, part]
    middle = (relation.records.domain.low + relation.records.domain.high) / 2
    count = BLOCK + more_pairs(relation, constants)
    found = distinct_pairs(candidate_pairs(relation, np.random.default_rng(seed), constants), count, [])

    def answer(dataset: Any) -> Any:
        return COUNTING[counting]([float(value > middle) for value in dataset], least, part)

    assert any(answer(pair.left) != answer(pair.right) for pair in found if pair.left and pair.right)


def total(dataset: Any) -> float:
    column = features_and_labels(dataset)[1] if is_labelled(dataset) else dataset
    return float(sum(v for row in range(len(column)) for v in flat(column[row]) if is_number(v)))


@pytest.mark.turns(4)
@given(st.data(), st.floats(0.0, 3.0))
@settings(max_examples=150, deadline=None)
def test_what_is_shrunk_still_holds_and_is_no_larger(data: st.DataObject, gap: float) -> None:
    relation = data.draw(relations())
    left, right = data.draw(neighbouring_pairs(relation))
    asked = 0

    def holds(pair: Pair) -> bool:
        nonlocal asked
        asked += 1
        assert relation.distance_problem(pair.left, pair.right) is None  # nothing else is ever asked about
        return abs(total(pair.left) - total(pair.right)) >= gap

    pair = Pair(left, right, "")
    if not holds(pair):
        return
    found = shrunk(pair, relation, holds)
    assert holds(found)
    assert max(size_of(found.left), size_of(found.right)) <= max(size_of(left), size_of(right))
    assert asked < 5_000
    if not is_labelled(left):
        assert inside(relation, found.left)
        assert inside(relation, found.right)


@pytest.mark.turns(6)
@given(st.integers(1, 5000), st.booleans())
@settings(deadline=None)
def test_weights_of_searched_pairs_never_exceed_their_share(count: int, shrinking: bool) -> None:
    assert sum(search_weight(j, shrinking=shrinking) for j in range(1, count)) < (0.5 if shrinking else 1.0)
