"""Structured answers become columns that line up, fixed beforehand, each row from its own answer alone."""

from __future__ import annotations

import json
import math
from collections import namedtuple
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcheck.execution.answers import Answers, Raised
from dpcheck.privacy.statistics.derived import WHOLE, difference_columns, pairs_compared, whole_columns
from dpcheck.privacy.statistics.layout import (
    FIXED_OF_MANY,
    MAX_COLUMNS,
    MEMBER_GROUPS,
    MOST_MEMBERS,
    Layout,
    fit_layout,
)
from dpcheck.privacy.statistics.leaves import leaves_of, own_state, predictor, without_address
from dpcheck.privacy.statistics.low_order import ZERO_BIT, lowest_bits, rounded
from dpcheck.privacy.statistics.observations import observe

Point = namedtuple("Point", "x y")


@dataclass
class Fit:
    weights: Any
    note: str = "converged"


class Slotted:
    __slots__ = ("slope",)

    def __init__(self, slope: float) -> None:
        self.slope = slope


class Rude:
    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":
            return Rude
        raise RuntimeError(name)


def laid_out(opening: list[Any], answers: Any, *, exact: bool = False, probe: Any = None) -> dict[str, np.ndarray]:
    """The columns of answers by their names, under the layout of an opening."""
    layout = fit_layout(opening, exact=exact, probe=probe)
    assert layout is not None
    seen = observe(Answers(answers), "exact" if exact else "real", None, layout, probe)
    assert seen.columns.shape == (len(answers), len(layout.names))
    return dict(zip(layout.names, seen.columns.T, strict=True))


# --- which columns there are -------------------------------------------------------------------------------------


def test_one_number_and_plain_words_need_no_layout() -> None:
    for opening in ([0.5, 0.7], [1, 2], [0.5, None], ["yes", "no", "yes"], [True, False], [np.float32(1), 2.0], [None]):
        assert fit_layout(opening, exact=False) is None
    assert fit_layout([1, 2], exact=True) is None


def test_dictionaries_line_up_by_key_and_lack_what_they_lack() -> None:
    columns = laid_out([{"a": 1.0, "b": 2.0}, {"b": 3.0}], [{"b": 5.0, "a": 4.0}, {"b": 6.0}, {"a": 7.0, "c": 8.0}])
    np.testing.assert_array_equal(columns["output['a']"], [4, np.nan, 7])
    np.testing.assert_array_equal(columns["output['b']"], [5, 6, np.nan])
    np.testing.assert_array_equal(columns["output has key 'a'"], [1, 0, 1])
    groups = sum(
        columns[f"output has a key not seen at first (by its hash in group {g} of {MEMBER_GROUPS})"]
        for g in range(MEMBER_GROUPS)
    )
    np.testing.assert_array_equal(groups, [0, 0, 1])


def test_sets_are_ones_and_zeros_and_unseen_members_are_counted() -> None:
    columns = laid_out([{1, 2}, {2, 3}], [{2}, {1, 2, 3}, {"new", 4}, set()])
    np.testing.assert_array_equal(columns["output has member 1"], [0, 1, 0, 0])
    np.testing.assert_array_equal(columns["output has member 3"], [0, 1, 0, 0])
    groups = sum(
        columns[f"output has a member not seen at first (by its hash in group {g} of {MEMBER_GROUPS})"]
        for g in range(MEMBER_GROUPS)
    )
    np.testing.assert_array_equal(groups, [0, 0, 2, 0])


def test_lists_line_up_by_position_with_their_length() -> None:
    columns = laid_out([[1.0], [1.0, 2.0, 3.0]], [[4.0, 5.0], [], [1.0, None, 3.0, 9.0], (6.0,)])
    np.testing.assert_array_equal(columns["output[0]"], [4, np.nan, 1, 6])
    np.testing.assert_array_equal(columns["output[1]"], [5, np.nan, np.nan, np.nan])
    np.testing.assert_array_equal(columns["length of output"], [2, 0, 4, 1])
    np.testing.assert_array_equal(columns["sum of output"], [9, 0, 13, 6])  # what is beyond the first answers counts


def test_numbers_in_texts_are_found() -> None:
    opening = [f"mean {x} of {n} rows" for x, n in ((0.5, 3), (-1.25e-3, 14), (2, 15), (3, 16), (4, 3), (5, 3))]
    columns = laid_out(opening, ["mean -7.5 of 3 rows", "no rows"])
    np.testing.assert_array_equal(columns["number in output[0]"], [-7.5, np.nan])
    np.testing.assert_array_equal(columns["number in output[1]"], [3, np.nan])
    assert not any(name.startswith("output is") for name in columns)  # no two of the texts are alike


def test_frames_dataclasses_and_tuples_with_names() -> None:
    import pandas as pd

    frames = [pd.DataFrame({"b": [1.0, x], "a": [3, 4]}, index=["r", "s"]) for x in (2.0, 5.0)]
    columns = laid_out(frames, frames)
    np.testing.assert_array_equal(columns["output['b'][1]"], [2, 5])
    columns = laid_out([Fit([1.0, 2.0]), Fit([3.0, 4.0])], [Fit([5.0, 6.0], "not")])
    np.testing.assert_array_equal(columns["output.weights[1]"], [6])
    columns = laid_out([Point(1.0, "a"), Point(2.0, "b")], [Point(3.0, "b")])
    np.testing.assert_array_equal(columns["output[1] is 'b'"], [1])


def test_parts_of_parts_fractions_and_complex_numbers() -> None:
    opening = [{"a": {"b": [x, x + 1]}, "c": complex(x, -x), "d": Fraction(int(x), 2)} for x in (1.0, 2.0)]
    columns = laid_out(opening, opening)
    np.testing.assert_array_equal(columns["output['a']['b'][1]"], [2, 3])
    np.testing.assert_array_equal(columns["output['c'][1]"], [-1, -2])
    np.testing.assert_array_equal(columns["output['d']"], [0.5, 1])


def test_kinds_that_come_and_go_are_members() -> None:
    opening = [np.array([1.0, 2.0]), None, Raised("ValueError", "#"), np.array([3.0, 4.0])]
    columns = laid_out(opening, opening)
    np.testing.assert_array_equal(columns["output is None"], [0, 1, 0, 0])
    np.testing.assert_array_equal(columns["output is raises ValueError('#')"], [0, 0, 1, 0])


def test_fitted_models_give_what_was_fitted_and_what_they_predict() -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.tree import DecisionTreeClassifier

    x = np.random.default_rng(0).normal(size=(40, 2))
    labels = [(x[:, j] > 0).astype(int) for j in (0, 1)]
    probe = predictor(x[:5])
    models = [LogisticRegression().fit(x, y) for y in labels]
    columns = laid_out(models, models, probe=probe)
    np.testing.assert_allclose(columns["output.coef_[1]"], [m.coef_[0, 1] for m in models], rtol=1e-9)
    np.testing.assert_allclose(columns["output.predict_proba[3]"], [m.predict_proba(x[3:4])[0, 1] for m in models])
    assert "output.C" not in columns  # a setting, not what was fitted
    trees = [DecisionTreeClassifier(max_depth=2).fit(x, y) for y in labels]
    columns = laid_out(trees, trees)
    assert any("tree_" in name and "threshold" in name for name in columns)
    again = DecisionTreeClassifier(max_depth=2).fit(x, labels[0])
    seen = observe(Answers([*trees, again]), "real")
    assert seen.tokens[0] == seen.tokens[2] != seen.tokens[1]  # whatever their places in memory


def test_a_model_that_cannot_be_asked_is_not() -> None:
    class Strange:
        def predict_proba(self, x: Any) -> Any:
            raise ValueError("3 features wanted")

    probe = predictor(np.zeros((2, 1)))
    assert probe(Strange()) is None
    assert probe(Strange) is None
    assert probe(0.5) is None


def test_attributes_in_slots_are_attributes() -> None:
    assert own_state(Slotted(2.0)) == {"slope": 2.0}
    assert without_address(repr(object())) == "<object object>"
    assert len(set(observe(Answers([Slotted(1.0), Slotted(1.0), Slotted(2.0)]), "real").tokens.tolist())) == 2


def test_layouts_stay_small() -> None:
    wide = fit_layout([np.arange(1000.0), np.ones(1000)], exact=False)
    assert wide is not None
    assert (wide.plain, wide.numbers_in_all) == (FIXED_OF_MANY, 1000)
    full = fit_layout([np.arange(256.0), np.ones(256)], exact=False)
    assert full is not None
    assert (full.plain, full.numbers_in_all) == (MAX_COLUMNS, 0)
    many = fit_layout([set(range(0, 900, 2)), set(range(0, 900, 3))], exact=False)
    assert many is not None
    assert len([path for path, _, _ in many.members if path == " member"]) == MOST_MEMBERS
    deep: list[Any] = []
    deep.append(deep)
    assert len(leaves_of(deep)) < 100
    assert len(leaves_of([[i] for i in range(10**5)])) < 1000


def test_strangers_do_no_harm() -> None:
    opening = [Rude(), {"a": Rude(), "b": 1.0}, [Rude()], {"a": 1.0, "b": math.inf}]
    layout = fit_layout(opening, exact=False)
    assert layout is not None
    assert len(observe(Answers(opening), "real", None, layout)) == 4


# --- columns made from columns -----------------------------------------------------------------------------------


def test_equal_coordinates_are_counted_once() -> None:
    found = whole_columns(np.array([[1.0, 2.0, 1.0], [1.0, 1.0, np.nan], [np.nan] * 3, [0.0, -0.0, np.inf]]))
    assert found[:, WHOLE.index("number of different values")].tolist() == [2, 1, 0, 2]
    assert np.isnan(found[2, WHOLE.index("largest")])


#: Numbers that hold a record in what they are together, hidden by noise in each of them alone.
HELD_TOGETHER = {
    "sum": lambda noise, place, record: np.append(noise, record - noise.sum()),
    "sum of absolute values": lambda noise, place, record: np.append(noise, 10_000 + record - np.abs(noise).sum()),
    "largest": lambda noise, place, record: np.insert(-np.abs(noise), place % len(noise), record),
    "number of different values": lambda noise, place, record: np.insert(
        noise, place % len(noise), noise[(place + 1) % len(noise)] if record else 0.5
    ),
}
#: The same with other parts beside it.
BESIDE = {
    "numbers": lambda held, rng: {"noise": 300 * rng.laplace(size=3), "held": held},
    "a number": lambda held, rng: (held, 300 * rng.laplace()),
    "many numbers": lambda held, rng: [300 * rng.laplace(size=rng.integers(2, 400)), held],
    "text": lambda held, rng: [f"loss {rng.laplace():.6f}", held],
    "numbers and text": lambda held, rng: Fit({"held": held, "noise": 300 * rng.laplace(size=5)}, f"{rng.random()}"),
    "whole numbers": lambda held, rng: {"ids": rng.integers(0, 10**6, 7), "held": held},
}


@pytest.mark.parametrize("beside", BESIDE)
@given(
    st.sampled_from(sorted(HELD_TOGETHER)),
    st.integers(2, 300),
    st.integers(0, 10**6),
    st.integers(0, 2**32),
    st.booleans(),
)
@pytest.mark.some(2)
def test_what_the_numbers_of_one_part_are_together_is_seen_beside_other_parts(
    beside: str, held: str, size: int, place: int, seed: int, exact: bool
) -> None:
    """The noise of other parts, or the letters of a text, once covered it."""
    rng = np.random.default_rng(seed)
    records = np.concatenate([rng.integers(0, 2, 12), [0, 1] * 15])
    answers = [BESIDE[beside](HELD_TOGETHER[held](rng.laplace(size=size), place, int(r)), rng) for r in records]
    columns = laid_out(answers[:12], answers[12:], exact=exact)
    ones, zeros = (np.array(list(columns.values()))[:, side::2] for side in (1, 0))
    with np.errstate(invalid="ignore"):
        apart = (ones.min(axis=1) > zeros.max(axis=1)) | (ones.max(axis=1) < zeros.min(axis=1))
    seen = [name for name, one in zip(columns, apart, strict=True) if one and name.startswith(held)]
    assert seen, (held, beside)


def test_a_sum_of_each_part_is_of_that_part_alone() -> None:
    opening = [
        {"a": np.array([1.0, n]), "b": np.array([n, 5.0, n]), "c": 0.1 * n, "d": chr(97 + n) * 3} for n in range(12)
    ]
    columns = laid_out(opening, [{"a": np.array([1.0, 2.0]), "b": np.array([3.0, 3.0, 4.0]), "c": 0.5, "d": "fff"}])
    assert columns["sum of output['a']"].tolist() == [3.0]
    assert columns["number of different values of output['b']"].tolist() == [2.0]
    assert columns["sum of all numbers of output"].tolist() == [13.5]
    alone = fit_layout([np.array([1.0, n]) for n in range(12)], exact=False)
    assert alone is not None
    assert not alone.sums  # there the sum of everything is the same


def test_a_layout_recorded_before_parts_had_sums_goes_on() -> None:
    layout = fit_layout([np.array([1.0, n]) for n in range(12)], exact=False)
    assert layout is not None
    held = json.loads(layout.to_text())
    del held["sums"]
    assert Layout.from_text(json.dumps(held)) == layout
    with pytest.raises(ValueError, match="do not belong together"):
        Layout.from_text(json.dumps({**held, "sums": [["", 1, 7]]}))


def test_two_answers_with_one_noise_differ_by_one_number(rng: np.random.Generator) -> None:
    noise = rng.laplace(size=500)
    both = rounded(np.column_stack([0.3 + noise, 1.7 + noise]))
    assert len(np.unique(both[:, 1] - both[:, 0])) > 1  # rounding hides it
    assert len(np.unique(difference_columns(both, pairs_compared([0, 1]), np.ones(2)))) == 1


@given(st.floats())
def test_a_float_is_an_odd_multiple_of_its_lowest_bit(x: float) -> None:
    bit = float(lowest_bits(np.array([x]))[0])
    if not math.isfinite(x):
        assert math.isnan(bit)
    elif x == 0:
        assert bit == ZERO_BIT
    else:
        assert (Fraction(x) / Fraction(2) ** int(bit)).denominator == 1
        assert (Fraction(x) / Fraction(2) ** int(bit)).numerator % 2 == 1


def test_the_lowest_bit_of_a_float32_is_the_same_in_a_double(rng: np.random.Generator) -> None:
    values = rng.normal(size=100).astype(np.float32)
    assert (lowest_bits(values.astype(np.float64)) >= np.frexp(values)[1] - 24).all()


def test_exact_numerics_see_bits_and_signs_of_zero() -> None:
    columns = laid_out([0.5, 0.7], np.array([1.0, 0.75, -0.0]), exact=True)
    np.testing.assert_array_equal(columns["lowest bit of output"], [0, -2, ZERO_BIT])
    layout = fit_layout([0.5, 0.7], exact=True)
    seen = observe(Answers(np.array([0.0, -0.0, 1.0, np.nan, np.inf, -np.inf])), "exact", None, layout)
    assert len(set(seen.kinds.tolist())) == 5  # 0.0 and 1.0 are plain, the others each something else


def test_special_values_show_in_the_form_of_a_vector() -> None:
    layout = fit_layout([np.array([0.5, 0.7]), np.array([1.5, 1.7])], exact=False)
    rows = np.array([[1.0, 2.0], [np.nan, 2.0], [1.0, np.nan], [np.inf, 2.0], [-np.inf, 2.0], [0.0, -0.0]])
    kinds = observe(Answers(rows), "real", None, layout).kinds.tolist()
    assert len(set(kinds)) == 6  # the sign of 0 too: no rounding of real-valued noise makes it


# --- what columns depend on --------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
@pytest.mark.parametrize("exact", [False, True])
def test_an_array_and_its_rows_give_the_same_columns(dtype: Any, exact: bool, rng: np.random.Generator) -> None:
    values = (100 * rng.normal(size=(20, 3))).astype(dtype)
    layout = fit_layout(list(values[:12]), exact=exact)
    together = observe(Answers(values), "exact" if exact else "real", None, layout).columns
    apart = observe(Answers([*values, "company"]), "exact" if exact else "real", None, layout).columns[:-1]
    np.testing.assert_array_equal(together, apart)


def test_real_columns_say_nothing_of_low_order_bits(rng: np.random.Generator) -> None:
    """Every column, made ones included, is a function of the rounded coordinates."""
    values = rounded(rng.normal(size=(200, 4)))
    layout = fit_layout(list(values[:12]), exact=False)
    moved = values * (1 + rng.integers(-3000, 3000, values.shape) * 2.0**-53)
    assert (moved != values).any()
    one, two = (observe(Answers(each), "real", None, layout) for each in (values, moved))
    np.testing.assert_array_equal(one.columns, two.columns)
    assert one.tokens.tolist() == two.tokens.tolist()


def test_codes_among_the_numbers_of_the_first_answers_are_noted(rng: np.random.Generator) -> None:
    asked = rng.permutation(12) < 6
    numbers = rng.normal(size=12)
    rows = list(np.column_stack([np.where(asked, numbers, -1.0), np.where(asked, -1.0, numbers)]))
    codes = fit_layout(rows, exact=False)
    assert codes is not None
    assert codes.coded
    for others in (
        list(rng.normal(size=(12, 2))),
        list(rng.integers(0, 2, (12, 2))),
        [{"rows": 100, "mean": one} for one in rng.normal(size=12).tolist()],  # what never varies is no code
        [{"rows": {1, 2}, "mean": one} for one in rng.normal(size=12).tolist()],
    ):
        layout = fit_layout(others, exact=False)
        assert layout is not None
        assert not layout.coded


# --- in and out of a record --------------------------------------------------------------------------------------


def test_a_layout_survives_its_text_and_altered_text_is_refused() -> None:
    layout = fit_layout([{"a": [1.0, 2.0], "b": {1}}, {"a": [3.0], "b": {2, 3}}], exact=True)
    assert layout is not None
    assert Layout.from_text(layout.to_text()) == layout
    assert sum(layout.shares) == pytest.approx(1.0)
    older = layout.to_text().replace(',"coded":false', "")
    assert older != layout.to_text()
    assert Layout.from_text(older) == layout
    for text in (
        "",
        "{}",
        layout.to_text().replace('"coded":false', '"coded":2'),
        "[]",
        layout.to_text().replace('"pairs":[[', '"pairs":[[900,0],['),
        "nonsense",
    ):
        with pytest.raises(ValueError, match=r"."):
            Layout.from_text(text)


def test_differences_of_the_smallest_doubles_are_numbers() -> None:
    """The step of a size next to 0 is the smallest double, not 0: hypothesis found (5e-324, 0.0)."""
    smallest = 5e-324
    columns = np.array([[np.nan, np.nan], [smallest, 0.0], [3 * smallest, smallest]])
    found = difference_columns(columns, ((0, 1),), np.array([smallest, 0.0]))[:, 0]
    assert np.isnan(found[0])
    assert found[1:].tolist() == [smallest, 2 * smallest]
