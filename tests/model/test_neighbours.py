"""Relations: what they call neighbours, which pairs they make from data, which given pairs they accept."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcheck.model.data import Labelled, SemiPrivate, record_at, same_dataset, size_of
from dpcheck.model.data.forms import whole_columns
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import (
    AddRemove,
    LabelsOnly,
    Pair,
    PrivatePart,
    Records,
    Relation,
    ReplaceOne,
    as_relation,
    describe_change,
    pairs_given,
)
from dpcheck.model.neighbours.pairs_of_dataset import _spread
from dpcheck.model.neighbours.table import leverage, table_of


@pytest.fixture
def rng():
    return np.random.default_rng()


# --- records


@pytest.mark.parametrize(
    ("records", "inside", "outside"),
    [
        (
            Records.bounded(0, 10),
            [0, 10, 5.5, np.float32(3), [1, 2]],
            [-1, 11, float("nan"), "a", None, [1, 12]],
        ),
        (Records.bounded([0, 0], [1, 5]), [(1, 5), np.array([0.5, 2])], [(2, 2), (1, 6), (1,), 0.5]),
        (Records.bounded(0, [1, 5]), [(1, 5)], [(2, 2)]),
        (Records.of(["a", "b"]), ["a"], ["c", 1]),
        (Records.of([(0, 1), (1, 1)]), [(0, 1), np.array([1, 1])], [(1, 0)]),
        (Records.labelled(features=(0, 1), labels=[0, 1]), [([0.5], 1)], [([2.0], 1), ([0.5], 2), 0.5]),
        (Records.labelled(labels=[0, 1]), [(["anything"], 1)], [([0], 3)]),
        (Records.from_strategy(st.integers()), [1, "a strategy cannot be asked"], []),
    ],
)
def test_what_records_contain(records, inside, outside):
    for record in inside:
        assert records.contains(record), records.problem(record)
    for record in outside:
        assert not records.contains(record)


def test_extremes_are_inside_and_of_the_templates_type():
    for records, template in [
        (Records.bounded(0.4, 9.7), 3),
        (Records.bounded(0.4, 9.7), np.int16(3)),
        (Records.bounded(0.1, 0.7), np.float32(0.5)),
        (Records.bounded(0, 1), True),
        (Records.bounded(0, 1), [0.5, 0.5]),
        (Records.bounded(0, 1), (0.5, 0.5)),
        (Records.bounded([0] * 9, [1] * 9), np.full(9, 0.5)),
        (Records.bounded(0, 255), np.zeros((2, 3), dtype=np.uint8)),
        (Records.of([1, 5, 9]), 5),
        (Records.labelled(features=(0, 1), labels=[0, 1]), (np.array([0.5]), 1)),
        (Records.from_strategy(st.integers(0, 99)), 5),
    ]:
        found = records.extremes(template)
        assert found
        for record in found:
            assert type(record) is type(template)
            assert records.contains(record)
            if isinstance(template, np.ndarray):
                assert record.dtype == template.dtype
                assert record.shape == template.shape


def test_the_most_extreme_come_first():
    assert Records.bounded(0, 10).extremes(3) == [10, 0]
    rows = Records.bounded([0, 0], [1, 5]).extremes([0.5, 0.5])
    assert rows[:2] == [[1.0, 5.0], [0.0, 0.0]]
    assert [1.0, 0.5] in rows
    assert Records.of([1, 2, 50]).extremes(3) == [50, 1, 2]
    labelled = Records.labelled(features=(0, 1), labels=["no", "yes"]).extremes(([0.5], "no"))
    assert labelled[0] == ([1.0], "yes")
    assert ([0.5], "yes") in labelled


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Records.bounded(2, 1), "low must be at most high, got low 2 and high 1"),
        (lambda: Records.bounded([0, 9], [1, 1]), "in column 1"),
        (lambda: Records.bounded(0, float("inf")), "high must be finite"),
        (lambda: Records.bounded("a", 1), "low must be a finite number"),
        (lambda: Records.bounded([0, 0], [1, 1, 1]), "a bound per column (3), got 2"),
        (lambda: Records.of([]), "at least one record"),
        (lambda: Records.of("abc"), "must be a list of records"),
        (lambda: Records.from_strategy(3), "must be a hypothesis strategy"),
        (lambda: ReplaceOne(records="0..1"), "records must be Records.bounded"),
        (lambda: ReplaceOne(records=(0, 1, 2)), "records must be Records.bounded"),
        (lambda: ReplaceOne(size=-1), "size must be a number of records"),
        (lambda: AddRemove(size=2.5), "size must be a number of records"),
        (lambda: LabelsOnly(size=True), "size must be a number of records"),
    ],
)
def test_wrong_declarations_are_refused_in_one_line(make, says):
    with pytest.raises(InvalidArgument) as caught:
        make()
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_short_forms():
    assert ReplaceOne(records=(0, 1)) == ReplaceOne(records=Records.bounded(0, 1))
    assert ReplaceOne(records=[0, 1]).records.contains(1)
    assert LabelsOnly(records=[0, 1]).records.problem(([5.0], 2)) == "label 2 is not one of (0, 1)"


def test_as_relation():
    assert as_relation("replace-one") == as_relation(ReplaceOne) == ReplaceOne()
    given_one = AddRemove(size=3)
    assert as_relation(given_one) is given_one
    with pytest.raises(InvalidArgument, match=r"did you mean 'replace-one'\?"):
        as_relation("replace_one")
    for bad in (None, 5, Relation, int):
        with pytest.raises(InvalidArgument, match=r"^neighbours must be"):
            as_relation(bad)


class Strangers:
    """Someone's own relation: nothing to inherit from."""

    name = "any two"
    records = None
    size = None

    def distance_problem(self, left, right):
        return None

    def pairs_from(self, dataset, rng, limit):
        raise NotImplementedError


def test_a_strangers_relation_is_one():
    assert as_relation(Strangers()).name == "any two"
    assert pairs_given([([1, 2], [3, 4])], Strangers())[0].change == "2 rows differ: 0, 1"


# --- distance


X = np.array([[0.0, 1.0], [1.0, 0.0], [0.5, 0.5]])


def changed(*added):
    return X + np.reshape(added, X.shape)


@pytest.mark.parametrize(
    ("relation", "left", "right", "problem"),
    [
        (ReplaceOne(), [1, 2, 3], [1, 9, 3], None),
        (ReplaceOne(), [1, 2, 3], [1, 2, 3], None),
        (ReplaceOne(), [1, 2, 3], [2, 1, 3], "differs in 2 records; ReplaceOne allows 1"),
        (
            ReplaceOne(),
            [1, 2],
            [1, 2, 3],
            "records; ReplaceOne wants the same number on both sides",
        ),
        (ReplaceOne(), X, changed(0, 0, 0, 0, 0, 1), None),
        (ReplaceOne(), (X, [0, 1, 0]), (changed(1, 0, 0, 0, 0, 0), [1, 1, 0]), None),
        (ReplaceOne(), (X, [0, 1, 0]), (changed(1, 0, 0, 0, 0, 0), [0, 0, 0]), "differs in 2 records"),
        (ReplaceOne(), SemiPrivate([1], [2]), SemiPrivate([3], [2]), None),
        (ReplaceOne(), SemiPrivate([1], [2]), SemiPrivate([1], [3]), "differs in its public part"),
        (ReplaceOne(), [float("nan"), 1.0], [float("nan"), 2.0], None),
        (AddRemove(), [1, 2, 3], [1, 3], None),
        (AddRemove(), [], [1], None),
        (AddRemove(), [1, 1, 2], [1, 2], None),
        (AddRemove(), [1, 2, 3], [3, 1], "differs in more than one removed record"),
        (AddRemove(), [1, 2], [1, 2], "has 2 and 2 records; AddRemove wants one more on one side"),
        (AddRemove(), X, X[1:], None),
        (LabelsOnly(), (X, [0, 1, 0]), (X, [0, 0, 0]), None),
        (LabelsOnly(), (X, [0, 1, 0]), (X, [1, 0, 0]), "differs in 2 labels; LabelsOnly allows 1"),
        (LabelsOnly(), (X, [0, 1, 0]), (X + 1, [0, 1, 0]), "differs outside the labels"),
        (LabelsOnly(), Labelled(X, [0, 1, 0]), Labelled(X, [0, 0, 0]), None),
        (LabelsOnly(), [1, 2], [1, 2], "has no labels"),
        (PrivatePart(), SemiPrivate([1, 2], [9]), SemiPrivate([1, 3], [9]), None),
        (PrivatePart(), SemiPrivate([1, 2], [9]), SemiPrivate([1, 2], [8]), "differs in its public part; PrivatePart"),
        (PrivatePart(), SemiPrivate([1, 2], [9]), SemiPrivate([1, 3], [8]), "differs in its public part; PrivatePart"),
        (PrivatePart(), SemiPrivate([1, 2], [9]), SemiPrivate([3, 4], [9]), "differs in 2 records; ReplaceOne"),
        (PrivatePart(), SemiPrivate([1, 2], [9]), [1, 3], "has no public part; PrivatePart wants SemiPrivate"),
        (PrivatePart(), [1, 2], [1, 3], "has no public part; PrivatePart wants SemiPrivate"),
        (PrivatePart(AddRemove), SemiPrivate([1, 2], X), SemiPrivate([1], X), None),
        (PrivatePart(AddRemove), SemiPrivate([1, 2], X), SemiPrivate([1, 3], X), "AddRemove wants one more"),
        (PrivatePart(LabelsOnly), SemiPrivate(([1], [0]), [7]), SemiPrivate(([1], [1]), [7]), None),
        (PrivatePart(LabelsOnly), SemiPrivate(([1], [0]), [7]), SemiPrivate(([2], [0]), [7]), "outside the labels"),
    ],
)
def test_distance(relation, left, right, problem):
    for one, other in ((left, right), (right, left)):
        found = relation.distance_problem(one, other)
        if problem is None:
            assert found is None
        else:
            assert found is not None
            assert problem in found


# --- pairs from a dataset


DATASETS = {
    "numbers": [3, 1, 4, 1, 5],
    "array": np.array([3.0, 1.0, 4.0]),
    "matrix": np.array([[0.0, 1.0], [5.0, 0.5], [0.2, 0.1]]),
    "integers": np.array([[0, 1], [5, 2]]),
    "words": ["a", "b", "a"],
    "frame": pd.DataFrame({"age": [20, 30, 99], "sex": ["m", "f", "f"], "income": [1.5, np.nan, 2.0]}),
    "pair": (np.array([[0.0], [1.0], [0.5]]), np.array([0, 1, 1])),
    "labelled lists": Labelled([[0.0], [1.0]], ["no", "yes"]),
    "regression": (np.array([[0.0], [1.0]] * 15), np.linspace(0, 1, 30)),
    "semi-private": SemiPrivate([1, 2, 3], [9, 9]),
    "wide": np.random.default_rng(0).normal(size=(5, 12)),
    "one column of the same": np.array([[1.0, 0.0], [1.0, 2.0]]),
    "images": np.arange(24, dtype=np.uint8).reshape(2, 3, 4),
}


@pytest.mark.parametrize("kind", sorted(DATASETS))
@pytest.mark.parametrize("relation", [ReplaceOne(), AddRemove()], ids=lambda relation: relation.name)
def test_made_pairs_are_neighbours_and_say_what_changed(relation, kind, rng):
    dataset = DATASETS[kind]
    made = relation.pairs_from(dataset, rng, 50)
    assert made.pairs
    assert any("were not declared" in note for note in made.notes)
    for pair in made.pairs:
        assert pair.left is dataset
        assert relation.distance_problem(pair.left, pair.right) is None
        assert not same_dataset(pair.left, pair.right)
        assert "row" in pair.change
        assert len(pair.change) < 300


@pytest.mark.parametrize("of", [ReplaceOne, AddRemove, LabelsOnly])
def test_a_private_part_has_the_pairs_of_its_relation_and_shares_the_public_one(of, rng):
    relation = PrivatePart(of, records=Records.labelled(features=(0, 1), labels=[0, 1]), size=range(2, 9))
    assert relation.records == relation.of.records
    assert relation.size == range(2, 9)
    private, public = (np.array([[0.0], [1.0], [0.5]]), np.array([0, 1, 1])), np.full((50, 1), 7.0)
    dataset = SemiPrivate(private, public)
    made = relation.pairs_from(dataset, rng, 20)
    inside = relation.of.pairs_from(private, rng, 20)
    assert [pair.change for pair in made.pairs] == [pair.change for pair in inside.pairs]
    assert made.left_out == inside.left_out
    for pair, bare in zip(made.pairs, inside.pairs, strict=True):
        assert pair.left is dataset
        assert pair.right.public is public
        assert same_dataset(pair.right.private, bare.right)
        assert relation.distance_problem(pair.left, pair.right) is None
    assert pairs_given([(pair.left, pair.right) for pair in made.pairs], relation)


def test_the_declared_records_are_those_of_the_private_part(rng):
    relation = PrivatePart(records=(0, 1))
    assert pairs_given([(SemiPrivate([0, 1], [99]), SemiPrivate([1, 1], [99]))], relation)
    with pytest.raises(InvalidArgument, match="does not lie inside the declared records"):
        pairs_given([(SemiPrivate([0, 5], [99]), SemiPrivate([1, 5], [99]))], relation)
    with pytest.raises(InvalidArgument, match="dataset must lie inside the declared records"):
        relation.pairs_from(SemiPrivate([0, 5], [99]), rng, 5)


def test_data_that_miss_numbers_and_declared_records_are_told_what_to_do(rng):
    table = np.array([[1.0, 2.0], [np.nan, 3.0]])
    for dataset in (table, [[1.0, 2.0], [None, 3.0]]):
        with pytest.raises(InvalidArgument, match=r"row 1, .* of data that miss numbers leave the records out"):
            ReplaceOne(records=(0.0, 5.0)).pairs_from(dataset, rng, 5)
    with pytest.raises(InvalidArgument) as caught:
        ReplaceOne(records=(0.0, 5.0)).pairs_from(np.array([1.0, 7.0]), rng, 5)
    assert "miss" not in str(caught.value)


@pytest.mark.parametrize("relation", [ReplaceOne(), AddRemove()])
def test_a_whole_number_beyond_doubles_is_refused_in_one_line(relation, rng):
    for dataset in ([1, 10**400, 3], [[1, 2], [10**400, 3]]):
        with pytest.raises(InvalidArgument, match=r"dataset must hold numbers up to 1.8e308"):
            relation.pairs_from(dataset, rng, 5)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda rng: PrivatePart(PrivatePart()), "of must be the relation of the private part"),
        (lambda rng: PrivatePart(of="nothing"), "neighbours must be one of"),
        (lambda rng: PrivatePart(ReplaceOne(records=(0, 1)), records=(0, 2)), "records must be given in of or beside"),
        (lambda rng: PrivatePart(ReplaceOne(size=3), size=4), "size must be given in of or beside"),
        (lambda rng: PrivatePart().pairs_from([1, 2], rng, 5), "dataset must be SemiPrivate(private, public)"),
        (lambda rng: PrivatePart(size=4).pairs_from(SemiPrivate([1], [2]), rng, 5), "the declared size is 4"),
    ],
)
def test_a_wrong_private_part_is_refused_in_one_line(make, says, rng):
    with pytest.raises(InvalidArgument) as caught:
        make(rng)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_private_part_has_a_name_that_names_it():
    for of in ("replace-one", "add-remove", "labels-only"):
        relation = PrivatePart(of)
        assert as_relation(relation.name) == relation
        assert isinstance(relation, Relation)
    assert as_relation("private-part") == as_relation(PrivatePart) == PrivatePart()
    assert as_relation("private-part").name == "private-part"


def test_no_pair_is_made_twice(rng):
    made = ReplaceOne(records=(0, 10)).pairs_from([0, 1, 5, 9], rng, 1000)
    seen = [tuple(pair.right) for pair in made.pairs]
    assert len(seen) == len(set(seen))
    assert made.left_out == 0


def test_extremes_come_first_and_rows_by_leverage(rng):
    dataset = np.array([[1.0, 1.0], [1.1, 0.9], [9.0, 1.0], [0.9, 1.1], [1.0, 0.9]])
    made = ReplaceOne(records=(0, 10)).pairs_from(dataset, rng, 10)
    assert made.pairs[0].change == "row 2 (9, 1) replaced by (10, 10)"
    assert made.notes == ()


def test_labels_are_flipped_early(rng):
    x = np.linspace(0, 1, 20).reshape(-1, 1)
    made = ReplaceOne(records=Records.labelled(features=(0, 1), labels=[0, 1])).pairs_from(
        (x, np.repeat([0, 1], 10)), rng, 6
    )
    assert "labelled 0 replaced by (1) labelled 1" in made.pairs[0].change
    assert any(pair.change.startswith("label of row") for pair in made.pairs)


def test_labels_only_changes_labels_only(rng):
    x, y = np.arange(6.0).reshape(3, 2), np.array([0, 1, 1])
    made = LabelsOnly(records=[0, 1, 2]).pairs_from((x, y), rng, 100)
    assert len(made.pairs) == 6
    for pair in made.pairs:
        assert same_dataset(pair.right[0], x)
        assert pair.change.startswith("label of row")
        assert LabelsOnly().distance_problem(pair.left, pair.right) is None
    regression = LabelsOnly(records=(0.0, 9.0)).pairs_from((x, np.array([1.0, 2.0, 3.0])), rng, 100)
    assert regression.pairs[0].change.startswith("label of row")
    assert {float(pair.right[1].max()) for pair in regression.pairs} >= {9.0}


def test_rows_are_all_up_to_200_then_leverage_and_chance(rng):
    small = rng.normal(size=200)
    rows = {pair.change.split(" ")[1].rstrip(":") for pair in AddRemove().pairs_from(small, rng, 1000).pairs}
    assert len(rows) >= 200
    large = np.concatenate([rng.normal(size=400), np.arange(100) * 10.0 + 100])
    made = AddRemove().pairs_from(large, rng, 1000)
    removed = [int(p.change.split(" ")[1]) for p in made.pairs if "removed" in p.change]
    assert len(removed) == len(set(removed)) == 200
    # The hundred planted rows lie far from the rest, but those near their own mean carry little weight.
    weights = leverage(table_of(large))
    assert set(removed[:100]) == set(np.argsort(-weights, kind="stable")[:100].tolist())
    assert any("of 500 rows the 100 with most leverage" in note for note in made.notes)


def test_leverage_is_the_diagonal_of_the_hat_matrix(rng):
    x = rng.normal(size=(30, 3))
    centred = x - x.mean(axis=0)
    hat = centred @ np.linalg.pinv(centred)
    assert leverage(table_of(x)) == pytest.approx(np.diag(hat))


def test_a_rare_label_has_leverage(rng):
    x = np.zeros((10, 1))
    y = np.array([0] * 9 + [1])
    assert int(np.argmax(leverage(table_of((x, y))))) == 9


def test_limit_and_what_is_left_out(rng):
    all_made = ReplaceOne(records=(0, 10)).pairs_from([0, 1, 5, 9], rng, 1000)
    some = ReplaceOne(records=(0, 10)).pairs_from([0, 1, 5, 9], rng, 3)
    assert len(some.pairs) == 3
    assert some.left_out == len(all_made.pairs) - 3
    assert [p.change for p in some.pairs] == [p.change for p in all_made.pairs[:3]]
    with pytest.raises(InvalidArgument, match="limit must be a number of pairs"):
        ReplaceOne().pairs_from([1, 2], rng, 0)


@pytest.mark.parametrize(
    ("relation", "dataset", "says"),
    [
        (ReplaceOne(), [], "at least one record"),
        (AddRemove(), [], "at least one record"),
        (ReplaceOne(records=[1]), [1, 1], "could only be replaced by themselves"),
        (ReplaceOne(), [1, 1], "could only be replaced by themselves"),
        (ReplaceOne(size=3), [1, 2], "has 2 records; the declared size is 3"),
        (ReplaceOne(size=range(3, 6)), [1, 2], "the declared size is 3 to 5"),
        (ReplaceOne(records=(0, 5)), [0, 1, 7, 9], "row 2, 7: 7 is above 5 (2 rows in all)"),
        (
            ReplaceOne(records=([0, 0], [1, 1])),
            np.array([[0.5, 0.5], [0.5, 2.0]]),
            "row 1, (0.5, 2): column 1: 2 is",
        ),
        (ReplaceOne(records=(0, 1)), (np.array([[0.5], [3.0]]), [0, 1]), "row 1, ((3), 1): 3 is above 1"),
        (
            ReplaceOne(records=Records.labelled(labels=[0, 1])),
            (np.zeros((2, 1)), [0, 7]),
            "label 7 is not one of",
        ),
        (LabelsOnly(records=[0, 1]), (np.zeros((2, 1)), [0, 7]), "label 7 is not one of"),
        (LabelsOnly(), [1, 2], "must have labels"),
        (ReplaceOne(records=Records.labelled(labels=[0, 1])), [1, 2], "must have labels"),
        (ReplaceOne(), 5, "dataset must be an array, list or DataFrame"),
    ],
)
def test_datasets_without_neighbours_are_refused_in_one_line(relation, dataset, says, rng):
    with pytest.raises(InvalidArgument) as caught:
        relation.pairs_from(dataset, rng, 10)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_declared_records_bound_every_replacement(rng):
    records = Records.labelled(features=([0.0, 0.0], [1.0, 2.0]), labels=["a", "b"])
    dataset = (rng.uniform(0, 1, size=(12, 2)), ["a", "b"] * 6)
    for pair in ReplaceOne(records=records).pairs_from(dataset, rng, 500).pairs:
        for row in range(12):
            assert records.contains(record_at(pair.right, row))


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=6))
def test_pairs_of_any_list_are_neighbours(dataset):
    relation = ReplaceOne(records=(-5, 5))
    for pair in relation.pairs_from(dataset, np.random.default_rng(0), 200).pairs:
        assert relation.distance_problem(pair.left, pair.right) is None
        assert size_of(pair.right) == len(dataset)
        assert all(-5 <= value <= 5 for value in pair.right)


# --- given pairs


def test_given_pairs_say_what_changed():
    pairs = pairs_given([([0, 1], [1, 1]), ([0, 1], [0]), ([0], [0, 5]), (3, 4)])
    assert [pair.change for pair in pairs] == [
        "row 0: 0 replaced by 1",
        "row 1 removed: 1",
        "row 1 added: 5",
        "3 against 4",
    ]


@pytest.mark.parametrize(
    ("left", "right", "change"),
    [
        (X, changed(0, 0, 0, 0, 0, 8.5), "row 2 (0.5, 0.5) replaced by (0.5, 9)"),
        ((X, [0, 1, 0]), (X, [0, 1, 1]), "label of row 2 flipped from 0 to 1"),
        ((X, [0.5, 1, 0]), (X, [0.7, 1, 0]), "label of row 0 changed from 0.5 to 0.7"),
        (np.zeros((2, 9)), np.eye(2, 9), "2 rows differ: 0, 1"),
        (np.zeros((1, 9)), np.eye(1, 9), "row 0 changed in column 0 from 0 to 1"),
        (
            pd.DataFrame({c: [0] for c in "abcdefgh"}),
            pd.DataFrame({c: [int(c == "b")] for c in "abcdefgh"}),
            "row 0 changed in column 'b' from 0 to 1",
        ),
        (SemiPrivate([1], [2]), SemiPrivate([1], [3]), "the public parts differ"),
        ([1, 2, 3], [4], "3 records on one side, 1 on the other"),
        ([1], np.array([1]), "the type: list against ndarray"),
        ([1], [1], "nothing (the two datasets are the same)"),
    ],
)
def test_changes_in_words(left, right, change):
    assert describe_change(left, right) == change


@pytest.mark.parametrize(
    ("pairs", "says"),
    [
        (([0, 1], [1, 1]), "write pairs=[(left, right)], with the brackets"),
        ((X, X), "write pairs=[(left, right)], with the brackets"),
        ([], "got no pair"),
        (5, "[(left, right), ...]"),
        ("ab", "[(left, right), ...]"),
        ([[[0], [1]]], "its item 1 is [[0], [1]] of type list, not a tuple (left, right)"),
        ([([0], [1]), ([0], [1], [2])], "its item 2 is"),
        ({"left": [0]}, "[(left, right), ...]"),
    ],
)
def test_the_form_of_given_pairs(pairs, says):
    with pytest.raises(InvalidArgument, match=r"^pairs must be a list of 2-tuples") as caught:
        pairs_given(pairs, ReplaceOne())
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("pair", "relation", "says"),
    [
        (([0, 1], [1, 0]), ReplaceOne(), "pair 2 differs in 2 records; ReplaceOne allows 1"),
        (
            ([0, 1], [0, 7]),
            ReplaceOne(records=(0, 1)),
            "pair 2 (right) does not lie inside the declared records: row 1, 7",
        ),
        (([0, 1], [0, 0]), ReplaceOne(size=3), "has 2 records; the declared size is 3"),
    ],
)
def test_given_pairs_are_checked_against_the_relation(pair, relation, says):
    fine = ([0, 1], [1, 1]) if relation.size is None else ([0, 1, 1], [1, 1, 1])
    with pytest.raises(InvalidArgument) as caught:
        pairs_given([fine, pair], relation)
    assert says in str(caught.value)


def test_a_strategy_of_pairs():
    pair = st.tuples(st.integers(0, 5).map(lambda v: [v]), st.integers(0, 5).map(lambda v: [v]))
    found = pairs_given(pair, ReplaceOne(), limit=20)
    assert 1 <= len(found) <= 20
    assert [p.change for p in found] == [p.change for p in pairs_given(pair, ReplaceOne(), limit=20)]
    with pytest.raises(InvalidArgument, match="gave nothing"):
        pairs_given(st.nothing())


class Raising:
    def __eq__(self, other):
        raise RuntimeError

    __hash__ = None

    def __repr__(self):
        raise RuntimeError


def test_pairs_of_anything_are_taken_on_the_users_word():
    assert (
        pairs_given([(Raising(), Raising())])[0].change
        == "a Raising that cannot be shown against a Raising that cannot be shown"
    )
    made = Pair([1], [2], "as I say")
    assert pairs_given([made])[0].change == "as I say"


@pytest.mark.parametrize("hole", [math.nan, None])
def test_what_data_miss_belongs_to_their_records(hole, rng):
    rows = [[18.0 + row, hole if row == 3 else 20.0] for row in range(8)]
    for dataset in (rows, [row[1] for row in rows]):
        made = ReplaceOne().pairs_from(dataset, rng, 400)
        gained = [str(hole).lower() in pair.change.lower().rpartition("replaced by")[2] for pair in made.pairs]
        assert any(gained)
        assert not all(gained)
        assert "or nan" in made.notes[0].lower() or "or none" in made.notes[0].lower()
    whole = [[18.0 + row, 20.0 + row] for row in range(8)]
    assert not any("nan" in pair.change for pair in ReplaceOne().pairs_from(np.array(whole), rng, 400).pairs)


def test_a_number_that_is_missing_is_outside_declared_bounds(rng):
    with pytest.raises(InvalidArgument, match=r"nan is not a number from 0 to 9"):
        ReplaceOne(records=(0, 9)).pairs_from(np.array([1.0, np.nan]), rng, 9)


@given(st.lists(st.floats(-1e150, 1e150), min_size=1, max_size=8), st.integers(0, 150))
def test_the_spread_of_numbers_is_that_of_smaller_ones_to_scale(numbers, tens):
    plain = _spread(numbers)
    assert plain == pytest.approx(float(np.std(numbers)), rel=1e-9, abs=1e-150)
    assert _spread([math.ldexp(one, tens) for one in numbers]) == pytest.approx(math.ldexp(plain, tens), abs=1e-300)


@pytest.mark.filterwarnings("error")
def test_records_near_the_end_of_doubles_have_pairs():
    data = (np.array([[0.5], [0.2]]), np.array([1e300, 1.0]))
    assert ReplaceOne().pairs_from(data, np.random.default_rng(0), 4)
    assert whole_columns(np.array([[0x7FF0000100000000], [0]], dtype=np.uint64).view(np.float64)) == (False,)
