"""What checks make of datasets: so many steps apart, the same rows, another form of the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck import AddRemove, Labelled, LabelsOnly, Records, ReplaceOne, SemiPrivate
from dpcheck.checks.catalogue.privacy import apart
from dpcheck.checks.judgement import holds_nan
from dpcheck.checks.rows import rows_taken
from dpcheck.checks.situations import single_precision
from dpcheck.model.data import same_dataset
from dpcheck.model.data.rows import record_at, size_of
from dpcheck.model.neighbours import Pair
from dpcheck.model.neighbours.pairs import differing_rows
from dpcheck.strategies import datasets, neighbouring_pairs

LABELLED = Records.labelled(features=(0, 5), labels=[0, 1])
FEW = settings(max_examples=60)


@pytest.mark.parametrize(
    "relation",
    [ReplaceOne(records=(0, 5)), ReplaceOne(records=LABELLED), AddRemove(records=(0, 5)), LabelsOnly(records=LABELLED)],
    ids=lambda relation: relation.name,
)
@FEW
@given(data=st.data(), steps=st.integers(1, 5))
def test_pairs_at_a_distance_are_exactly_so_far_apart(relation: Any, data: st.DataObject, steps: int) -> None:
    left, right = data.draw(neighbouring_pairs(relation))
    found = apart(Pair(left, right, ""), steps, labels_only=isinstance(relation, LabelsOnly))
    if found is None:  # too few records that differ from the one that is put in
        assert size_of(left) == size_of(right)
        return
    if isinstance(relation, AddRemove):
        assert abs(size_of(found.left) - size_of(found.right)) == steps
        return
    assert len(differing_rows(found.left, found.right)) == steps
    if isinstance(relation, LabelsOnly):
        assert same_dataset(found.left[0], found.right[0])


@FEW
@given(data=st.data())
def test_rows_are_taken_one_by_one_whatever_holds_them(data: st.DataObject) -> None:
    plain = data.draw(datasets(Records.bounded([0, 0], [1, 1]), size=range(1, 6)))
    labels = list(range(len(plain)))
    forms = (plain, plain.tolist(), (plain, labels), Labelled(plain, labels), SemiPrivate((plain, labels), [1]))
    dataset = data.draw(st.sampled_from(forms))
    rows = data.draw(st.lists(st.integers(0, size_of(dataset) - 1), max_size=8))
    taken = rows_taken(dataset, rows)
    assert type(taken) is type(dataset)
    assert size_of(taken) == len(rows)
    for place, row in enumerate(rows):
        assert same_dataset(record_at(taken, place), record_at(dataset, row))


_LEAVES = st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.floats(width=32) | st.text(max_size=3)


@FEW
@given(st.recursive(_LEAVES, lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner), max_leaves=8))
def test_single_precision_keeps_what_is_no_number_and_every_nan(output: Any) -> None:
    changed = single_precision(output)
    assert holds_nan(changed) == holds_nan(output)
    assert same_dataset(single_precision(changed), changed)
    if isinstance(output, str | bool) or output is None:
        assert changed is output
    if isinstance(output, float):
        assert isinstance(changed, np.float32)
