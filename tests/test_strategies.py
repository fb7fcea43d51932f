"""The strategies give what they promise: neighbours of the declared records and size, of all kinds."""

import numpy as np
import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from dpcheck.model.data import SemiPrivate, features_and_labels, same_dataset, size_of
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import AddRemove, LabelsOnly, PrivatePart, Records, ReplaceOne, pairs_given
from dpcheck.strategies import LARGEST, datasets, neighbouring_pairs, records

LABELLED = Records.labelled(features=([0, 0], [1, 1]), labels=["no", "yes"])
RELATIONS = [
    ReplaceOne(records=(0, 10)),
    ReplaceOne(records=(0.25, 0.75), size=range(2, 5)),
    ReplaceOne(records=([0, 0], [1, 1]), size=3),
    ReplaceOne(records=["a", "b"]),
    ReplaceOne(records=LABELLED),
    ReplaceOne(records=Records.from_strategy(st.integers(0, 3))),
    AddRemove(records=(0, 10)),
    AddRemove(records=LABELLED, size=range(1, 4)),
    LabelsOnly(records=LABELLED),
    PrivatePart(records=(0, 10)),
    PrivatePart(AddRemove, records=LABELLED, size=range(1, 4), public=([0, 0], [1, 1])),
    PrivatePart(LabelsOnly(records=LABELLED)),
]


@pytest.mark.turns(6)
@pytest.mark.parametrize("relation", RELATIONS, ids=str)
def test_pairs_are_neighbours_of_the_declared_records_and_size(relation):
    @settings(max_examples=50, deadline=None)
    @given(neighbouring_pairs(relation))
    def check(pair):
        left, right = pair
        assert not same_dataset(left, right)
        assert pairs_given([pair], relation)

    check()


@pytest.mark.turns(4)
@pytest.mark.parametrize("relation", RELATIONS, ids=str)
def test_datasets_are_of_the_declared_records_and_size(relation):
    @settings(max_examples=50, deadline=None)
    @given(datasets(relation))
    def check(dataset):
        size = size_of(dataset)
        assert relation.size is None or size == relation.size or size in relation.size

    check()


@pytest.mark.turns(6)
def test_all_sizes_are_drawn():
    for size in range(LARGEST + 1):
        assert size_of(find(datasets((0, 10)), lambda dataset, size=size: size_of(dataset) == size)) == size
    smallest = find(neighbouring_pairs(AddRemove(records=(0, 1))), lambda pair: True)
    assert sorted(map(size_of, smallest)) == [0, 1]


def test_boundaries_and_repetitions_are_drawn():
    assert find(datasets((0, 10), size=4), lambda rows: rows.count(10) == 4) == [10] * 4
    assert find(datasets((0.5, 7.25)), lambda rows: 7.25 in rows) == [7.25]
    repeated = find(datasets((0, 1000)), lambda rows: len(rows) - len(set(rows)) >= 2)
    assert len(repeated) == 3


def test_both_directions_and_every_place_are_drawn():
    adding = neighbouring_pairs(AddRemove(records=[0, 1]))
    find(adding, lambda pair: size_of(pair[0]) > size_of(pair[1]))
    find(adding, lambda pair: size_of(pair[0]) < size_of(pair[1]))
    find(neighbouring_pairs(ReplaceOne(records=[0, 1], size=3)), lambda pair: pair[0][2] != pair[1][2])


@pytest.mark.extra
def test_public_parts_of_all_sizes_are_drawn_and_shared():
    relation = PrivatePart(records=(0, 1), size=2, public=["a", "b"])
    for size in range(LARGEST + 1):
        found = find(neighbouring_pairs(relation), lambda pair, size=size: len(pair[0].public) == size)
        assert found[0].public == found[1].public == ["a"] * size
        assert found[0].private != found[1].private
    assert isinstance(find(datasets(relation), lambda dataset: True), SemiPrivate)


@pytest.mark.turns(4)
def test_rows_of_numbers_are_arrays_and_labelled_ones_pairs():
    matrix = find(datasets(([0, 0], [1, 1]), size=2), lambda dataset: True)
    assert isinstance(matrix, np.ndarray)
    assert matrix.shape == (2, 2)
    assert find(datasets(([0, 0], [1, 1]), size=0), lambda dataset: True).shape == (0, 2)
    x, y = features_and_labels(find(datasets(LABELLED, size=2), lambda dataset: True))
    assert x.shape == (2, 2)
    assert set(y) <= {"no", "yes"}


@pytest.mark.turns(6)
def test_a_value_outside_is_never_drawn():
    with pytest.raises(NoSuchExample):
        find(records((0.1, 0.2)), lambda record: not 0.1 <= record <= 0.2)


class TwoCoins:
    name = "two coins"
    records = None
    size = None

    def distance_problem(self, left, right):
        return None

    def pairs_from(self, dataset, rng, limit):
        raise NotImplementedError

    def pair_strategy(self):
        return st.just(([0], [1]))


class NoStrategy(TwoCoins):
    pair_strategy = property()
    records = Records.of([0, 1])


def test_a_strangers_relation_brings_its_own_strategy():
    assert find(neighbouring_pairs(TwoCoins()), lambda pair: True) == ([0], [1])
    with pytest.raises(InvalidArgument, match=r"method pair_strategy\(\)"):
        neighbouring_pairs(NoStrategy())


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: neighbouring_pairs(ReplaceOne()), "must declare records"),
        (lambda: datasets(None), "records must be declared"),
        (lambda: datasets(PrivatePart()), "must declare records"),
        (lambda: neighbouring_pairs(PrivatePart(public=(0, 1))), "must declare records"),
        (lambda: neighbouring_pairs(PrivatePart(TwoCoins())), "or public=(0, 1) where of draws its own"),
        (lambda: records(None), "records must be declared"),
        (lambda: datasets("abc"), "records must be Records.bounded"),
        (lambda: datasets((0, 1), size=-1), "size must be a number of records"),
        (lambda: datasets((0, 1), size=1.5), "size must be a number of records"),
        (lambda: neighbouring_pairs(ReplaceOne(records=(0, 1), size=0)), "size must allow at least 1"),
        (lambda: datasets(Records.labelled(labels=[0])), "both features and labels"),
        (lambda: neighbouring_pairs(LabelsOnly(records=[0, 1])), "both features and labels"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line(make, says):
    with pytest.raises(InvalidArgument) as caught:
        make()
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
