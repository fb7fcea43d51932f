"""Datasets of every kind: sized, changed, copied, compared, described and digested."""

import copy
import json
import subprocess
import sys
import timeit

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcheck.model.data import (
    Labelled,
    SemiPrivate,
    append_record,
    copy_dataset,
    describe_dataset,
    describe_record,
    digest,
    distinct_datasets,
    features_and_labels,
    is_labelled,
    record_at,
    remove_record,
    replace_label,
    replace_record,
    same_dataset,
    same_record,
    size_of,
)
from dpcheck.model.errors import InvalidArgument

X = np.array([[0.5, 1.0], [1.5, 2.0], [2.5, 3.0]])
Y = np.array([0, 1, 0])
FRAME = pd.DataFrame({"age": [20, 30, 40], "town": ["a", "b", "c"]})

# Each kind of dataset with three records, and a record that fits it.
KINDS = {
    "array": (np.array([1.0, 2.0, 3.0]), 9.0),
    "integers": (np.array([1, 2, 3]), 9),
    "matrix": (X, np.array([7.0, 8.0])),
    "text": (np.array(["a", "b", "c"]), "long text"),
    "objects": (np.array([{1}, None, "x"], dtype=object), (1, 2)),
    "list": ([1, 2, 3], 9),
    "rows": ([[1, 2], [3, 4], [5, 6]], [7, 8]),
    "tuple": ((1, 2, 3), 9),
    "dicts": ([{"a": 1}, {"a": 2}, {"a": 3}], {"a": 9}),
    "frame": (FRAME, (99, "z")),
    "pair": ((X, Y), (np.array([7.0, 8.0]), 1)),
    "pair of lists": (([[1.0], [2.0], [3.0]], [0, 1, 0]), ([9.0], 1)),
    "frame and series": ((FRAME, pd.Series([0, 1, 0])), ((99, "z"), 1)),
    "labelled": (Labelled(X, Y), (np.array([7.0, 8.0]), 1)),
    "semi-private": (SemiPrivate([1, 2, 3], np.zeros(5)), 9),
    "semi-private labelled": (SemiPrivate(Labelled(X, Y), X), (np.array([7.0, 8.0]), 1)),
}


@pytest.fixture(params=sorted(KINDS))
def kind(request):
    return KINDS[request.param]


def test_every_kind_has_its_size(kind):
    assert size_of(kind[0]) == 3


def test_replacing_changes_that_record_and_no_other(kind):
    dataset, record = kind
    before = copy.deepcopy(dataset)
    changed = replace_record(dataset, 1, record)
    assert type(changed) is type(dataset)
    assert same_record(record_at(changed, 1), record)
    assert same_record(record_at(changed, 0), record_at(dataset, 0))
    assert same_record(record_at(changed, 2), record_at(dataset, 2))
    assert same_dataset(dataset, before), "the original changed"
    assert not same_dataset(changed, dataset)


def test_removing_and_appending_are_inverse(kind):
    dataset, record = kind
    longer = append_record(dataset, record)
    assert size_of(longer) == 4
    assert same_record(record_at(longer, 3), record)
    assert same_dataset(remove_record(longer, 3), dataset)
    shorter = remove_record(dataset, 0)
    assert size_of(shorter) == 2
    assert same_record(record_at(shorter, 0), record_at(dataset, 1))


def test_a_copy_is_the_same_and_shares_nothing(kind):
    dataset, _ = kind
    copied = copy_dataset(dataset)
    assert type(copied) is type(dataset)
    assert same_dataset(copied, dataset)
    kept = copy.deepcopy(dataset)
    _spoil(copied)
    assert same_dataset(dataset, kept), "spoiling the copy changed the original"


def _spoil(value):
    if isinstance(value, np.ndarray) and len(value):
        value[0] = value[-1]
    elif isinstance(value, pd.DataFrame | pd.Series):
        value.iloc[0] = value.iloc[-1]
    elif isinstance(value, dict):
        value.clear()
    elif isinstance(value, Labelled):
        _spoil(value.x), _spoil(value.y)
    elif isinstance(value, SemiPrivate):
        _spoil(value.private), _spoil(value.public)
    elif isinstance(value, tuple | list):
        for item in value:
            _spoil(item)
        if isinstance(value, list):
            value.clear()


def test_description_and_digest_of_every_kind(kind):
    dataset, record = kind
    assert len(describe_dataset(dataset)) < 300
    assert "\n" not in describe_dataset(dataset)
    found = digest(dataset)
    assert json.loads(json.dumps(found)) == found
    assert found == digest(copy_dataset(dataset))
    assert found != digest(replace_record(dataset, 1, record))


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (5, "got 5 of type int"),
        ("abc", "got 'abc' of type str"),
        ({"a": 1}, "of type dict"),
        (None, "got None"),
        (np.float64(3.0), "of type float64"),
        (np.array(3.0), "of type ndarray"),
        ({1, 2}, "of type set"),
        ((X, np.zeros(2)), "3 records and 2 labels"),
        ((X, 1), "must be an array, list"),
    ],
)
def test_what_is_no_dataset_is_refused_in_one_line(bad, says):
    with pytest.raises(InvalidArgument) as caught:
        size_of(bad)
    message = str(caught.value)
    assert says in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("dataset", "record", "says"),
    [
        (np.array([1, 2]), 0.5, "would become 0"),
        (np.array([1, 2]), float("nan"), "must fit an array of int64"),
        (np.array([1, 2], dtype=np.uint8), 300, "must fit an array of uint8"),
        (np.array([True, False]), 2, "would become True"),
        (X, [1.0], "shape (2,)"),
        ((X, Y), 3.0, "pair (x, label)"),
        (FRAME, (1,), "2 values"),
        (FRAME, ("old", "z"), "must fit column 'age'"),
    ],
)
def test_a_record_that_does_not_fit_is_refused(dataset, record, says):
    with pytest.raises(InvalidArgument, match=r"^record must") as caught:
        replace_record(dataset, 0, record)
    assert says in str(caught.value)


def test_a_row_that_is_not_there_is_refused():
    with pytest.raises(InvalidArgument, match="row must be between 0 and 2, got 3"):
        record_at([1, 2, 3], 3)
    with pytest.raises(InvalidArgument, match="row must be"):
        remove_record([1, 2, 3], -1)


def test_wider_text_widens_the_array():
    assert replace_record(np.array(["a", "b"]), 0, "longer").tolist() == ["longer", "b"]


def test_rounding_to_a_shorter_float_is_storing():
    assert replace_record(np.zeros(2, dtype=np.float32), 0, 0.1)[0] == np.float32(0.1)


def test_labels():
    assert is_labelled((X, Y))
    assert is_labelled(SemiPrivate(Labelled(X, Y), X))
    assert not is_labelled(X)
    assert replace_label((X, Y), 1, 0)[1].tolist() == [0, 0, 0]
    changed = replace_label(SemiPrivate(Labelled(X, Y), X), 0, 1)
    assert features_and_labels(changed)[1].tolist() == [1, 1, 0]
    with pytest.raises(InvalidArgument, match="must have labels"):
        replace_label([1, 2], 0, 1)
    with pytest.raises(InvalidArgument, match="3 records and 1 labels"):
        Labelled(X, [1])
    x, y = Labelled(X, Y)
    assert x is X
    assert y is Y


class Unequal:
    def __eq__(self, other):
        raise RuntimeError("cannot be compared")

    __hash__ = None


def test_same_never_raises():
    strange = Unequal()
    assert same_dataset(strange, strange)
    assert not same_dataset(strange, Unequal())
    assert not same_dataset([strange], [1])
    assert not same_dataset(X, [1])
    assert not same_dataset(X, None)
    assert not same_dataset(FRAME, X)
    assert not same_dataset(np.array(["a"]), np.array([1.0]))
    ragged = [np.zeros(2), np.zeros(3)]
    assert same_dataset(ragged, copy.deepcopy(ragged))
    assert not same_dataset(nested(5000), nested(5000)), "too deep to compare is not known to be the same"


def nested(depth):
    found: list = []
    for _ in range(depth):
        found = [found]
    return found


def test_nan_equals_nan_everywhere():
    nan = float("nan")
    assert same_dataset(np.array([1.0, nan]), np.array([1.0, nan]))
    assert same_dataset([1.0, nan], [1.0, float("nan")])
    assert same_dataset(np.array([nan, "a"], dtype=object), np.array([float("nan"), "a"], dtype=object))
    frame = pd.DataFrame({"a": [1.0, nan]})
    assert same_dataset(frame, frame.copy())
    assert same_record((1.0, nan), np.array([1.0, nan]))
    assert not same_dataset([nan], [1.0])


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.lists(inner, max_size=3).map(tuple),
    max_leaves=12,
)


@pytest.mark.turns(6)
@given(values)
def test_a_copy_of_anything_is_the_same(value):
    assert same_dataset(value, copy_dataset(value))
    assert same_record(value, copy_dataset(value))
    assert digest(value) == digest(copy_dataset(value))
    assert len(describe_record(value)) < 10_000


@given(st.lists(st.integers() | st.floats(), min_size=1), st.data())
def test_replacing_there_and_back_gives_the_original(rows, data):
    row = data.draw(st.integers(0, len(rows) - 1))
    changed = replace_record(rows, row, 1.25)
    assert same_dataset(replace_record(changed, row, rows[row]), rows)


def test_what_cannot_be_copied_is_named():
    with pytest.raises(InvalidArgument, match=r"copy\.deepcopy"):
        copy_dataset([(i for i in range(3))])


def test_what_has_no_text_of_its_own_has_no_digest():
    assert digest(object())["sha256"] is None
    assert digest(5) == digest(5)
    assert digest(5)["records"] is None


def test_digest_is_the_same_in_another_process():
    program = "from dpcheck.model.data import digest; print(digest([1, 'a', (2.5, None)])['sha256'])"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == digest([1, "a", (2.5, None)])["sha256"]


def test_the_vocabulary_imports_nothing_heavy():
    program = (
        "import sys, dpcheck.model.data, dpcheck.model.neighbours\n"
        "print([name for name in ('pandas', 'hypothesis', 'scipy', 'sklearn') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_copying_a_small_array_is_cheap():
    # Before every call of a learner: half a microsecond on an idle core, 10 here because this one is shared.
    small = np.zeros((50, 4))
    runs = 2000
    best = min(timeit.repeat(lambda: copy_dataset(small), number=runs, repeat=5)) / runs
    assert best < 10e-6


@pytest.mark.parametrize(
    ("record", "text"),
    [
        (np.array([0.1, 2.3]), "(0.1, 2.3)"),
        ((1 / 3, "a"), "(0.333333, 'a')"),
        (np.float32(0.5), "0.5"),
        (np.arange(9), "(0, 1, 2, 3, ..., 8)"),
        (np.array(4), "4"),
        ("x" * 90, "'" + "x" * 36 + "..."),
    ],
)
def test_records_in_words(record, text):
    assert describe_record(record) == text


def test_datasets_in_words():
    assert describe_dataset([0, 1, 1]) == "[0, 1, 1]"
    assert describe_dataset([]) == "no records"
    assert describe_dataset(np.zeros((569, 2))) == "569 records, the first (0, 0)"
    assert describe_dataset(SemiPrivate([1], [2, 3])) == "private: [1]; public: [2, 3]"
    assert describe_dataset(5) == "5"


def test_equal_datasets_are_one_whatever_objects_hold_them(kind):
    dataset, record = kind
    again, other = copy.deepcopy(dataset), replace_record(dataset, 1, record)
    found, places = distinct_datasets([dataset, again, other, copy.deepcopy(other), dataset])
    assert [id(one) for one in found] == [id(dataset), id(other)]
    assert places.tolist() == [0, 0, 1, 1, 0]


class Nameless:
    """A record without a text of its own, equal to all of its kind."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Nameless)

    __hash__ = None  # type: ignore[assignment]


def test_datasets_that_a_learner_can_tell_apart_are_two() -> None:
    """Values that compare equal, of other types, and an index that no digest sees; NaN is itself."""
    two: list[tuple[object, object]] = [
        ([1], [1.0]),
        ([1], [True]),
        ([0.0], [-0.0]),
        (np.array([1]), np.array([1.0])),
        ([1], (1,)),
        (pd.DataFrame({"a": [1]}), pd.DataFrame({"a": [1]}, index=[5])),
        ([Nameless()], [Nameless()]),
    ]
    for left, right in two:
        assert distinct_datasets([left, right])[1].tolist() == [0, 1], (left, right)
    dictionaries = [{"a": [1, float("nan")]}]
    assert distinct_datasets([dictionaries, copy.deepcopy(dictionaries)])[1].tolist() == [0, 0]
    assert distinct_datasets([])[1].tolist() == []
