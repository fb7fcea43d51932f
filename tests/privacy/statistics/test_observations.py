"""Answers become numbers and tokens: equal ones equal tokens, whatever they are and however they arrive."""

from __future__ import annotations

import math
import sys
import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from dpcheck.execution.answers import Answers, Opaque, Raised
from dpcheck.execution.handover import compact, packed_type
from dpcheck.parts.zoo.hostile.answering import Unpleasant
from dpcheck.privacy.statistics.layout import MAX_COLUMNS
from dpcheck.privacy.statistics.low_order import DROPPED_BITS, NEGLIGIBLE, rounded
from dpcheck.privacy.statistics.observations import Observations, Warned, bare, describe_answer, join, observe

NUMERICS = pytest.mark.parametrize("numerics", ["real", "exact"])


def tokens(values: Any, numerics: Any = "real", **options: Any) -> list[int]:
    return [int(t) for t in observe(Answers(values), numerics, **options).tokens]


def same(a: Any, b: Any, numerics: Any = "real") -> bool:
    """Whether two answers are one, in whatever company."""
    one, two = tokens([a, "company", b], numerics)[::2]
    return one == two


# --- which answers are the same ----------------------------------------------------------------------------------

DIFFERENT = [
    0,
    1,
    2**53 + 1,
    2**63,
    2**64,
    -1,
    0.0,
    1.0,
    0.1,
    math.nan,
    math.inf,
    -math.inf,
    True,
    False,
    None,
    "",
    "1",
    b"1",
    1j,
    (),
    [],
    (1,),
    [1],
    [1.0],
    (1, 2),
    [1, 2],
    [1, 2, 3],
    [[1], [2, 3]],
    {},
    {"a": 1},
    {"a": 2},
    {"b": 1},
    {1},
    {1, 2},
    np.array([1]),
    np.array([1.0]),
    np.array([1.0], np.float32),
    np.array([[1.0]]),
    np.array([1.0, 2.0]),
    np.array([[1.0], [2.0]]),
    np.array(["a"]),
    np.float32(1.0),
    np.zeros(0),
    Raised("ValueError", "#"),
    Raised("ValueError", "##"),
    Raised("TypeError", "#"),
    Opaque("function", "1"),
    Opaque("function", "2"),
    Opaque("list", "1"),
]


@NUMERICS
def test_different_answers_have_different_tokens(numerics: Any) -> None:
    seen = tokens(DIFFERENT, numerics)
    clashes = [(a, b) for i, a in enumerate(DIFFERENT) for j, b in enumerate(DIFFERENT) if i < j and seen[i] == seen[j]]
    assert clashes == []


@NUMERICS
def test_a_token_depends_on_its_answer_alone(numerics: Any) -> None:
    together = tokens(DIFFERENT, numerics)
    alone = [tokens([answer], numerics)[0] for answer in DIFFERENT]
    assert together == alone
    assert tokens(DIFFERENT[::-1], numerics) == together[::-1]


@NUMERICS
@pytest.mark.parametrize(
    "array",
    [
        np.array([0.5, 0.1, math.nan, -0.0, 0.0, math.inf]),
        np.array([0.5, 0.1], np.float32),
        np.arange(4),
        np.arange(4, dtype=np.uint64),
        np.array([True, False]),
        np.arange(6.0).reshape(2, 3),
        np.arange(8.0).reshape(2, 2, 2),
        np.zeros((3, 0)),
    ],
    ids=lambda a: f"{a.dtype}{a.shape}",
)
def test_an_answer_has_one_token_whether_it_comes_in_an_array_or_in_a_mixed_list(numerics: Any, array: Any) -> None:
    packed = packed_type(list(array), array)
    stacked = observe(Answers(array, packed=packed), numerics)
    mixed = observe(Answers([*array, "another kind"]), numerics)
    assert stacked.tokens.tolist() == mixed.tokens[:-1].tolist()
    width = stacked.columns.shape[1]
    np.testing.assert_array_equal(stacked.columns, mixed.columns[:-1, :width])
    assert np.isnan(mixed.columns[-1]).all()


@NUMERICS
@pytest.mark.parametrize(
    ("own", "numpy_s"),
    [(0.1, np.float64(0.1)), (3, np.int64(3)), (True, np.True_), (1j, np.complex128(1j)), (0.5, np.array(0.5))],
    ids=lambda value: type(value).__name__,
)
def test_python_numbers_and_numpy_s_are_two_answers_however_they_come(numerics: Any, own: Any, numpy_s: Any) -> None:
    assert not same(own, numpy_s, numerics)
    assert not same([own, None], [numpy_s, None], numerics)
    packed = [compact([value] * 3) for value in (own, numpy_s)]
    types = [packed_type([value] * 3, some) for value, some in zip((own, numpy_s), packed, strict=True)]
    seen = [observe(Answers(some, packed=kind), numerics) for some, kind in zip(packed, types, strict=True)]
    assert seen[0].tokens[0] != seen[1].tokens[0]
    assert seen[0].kinds[0] != seen[1].kinds[0]
    assert seen[0].tokens[0] == observe(Answers([own, None]), numerics).tokens[0]  # alone and among others
    assert seen[1].tokens[0] == observe(Answers([numpy_s, None]), numerics).tokens[0]


def test_numbers_of_two_types_are_two() -> None:
    assert not same(3, 3.0)
    assert not same(1, True)
    assert not same(0.5, np.float32(0.5))
    assert not same(np.int32(3), np.int64(3))
    assert not same(np.zeros(2, ">f8"), np.zeros(2))


def test_draws_of_sample_say_nothing_of_the_types_of_numbers() -> None:
    """What ``sample`` gives is compared with calls in a form that both have."""
    calls = [3, 5, np.int64(3), np.int32(3)]
    drawn = observe(bare(Answers(np.array([3, 5, 3, 3], np.int16))), "real")
    assert observe(bare(Answers(calls)), "real").tokens.tolist() == drawn.tokens.tolist()
    mixed = observe(bare(Answers([*calls, None])), "real")
    assert mixed.tokens[:-1].tolist() == drawn.tokens.tolist()


def test_the_container_counts() -> None:
    answers = [(1.0, 2.0), [1.0, 2.0], np.array([1.0, 2.0])]
    assert len(set(tokens(answers))) == 3


@NUMERICS
def test_order_within_sets_and_dictionaries_does_not_count(numerics: Any) -> None:
    assert same({"a": 1, "b": 2}, {"b": 2, "a": 1}, numerics)
    assert same({"x", "y", "z"}, {"z", "y", "x"}, numerics)
    assert same({1: "one", "b": 2, None: 3}, {None: 3, "b": 2, 1: "one"}, numerics)
    assert not same({1: "one", "b": 2}, {1: "two", "b": 2}, numerics)
    assert not same((1, "b"), ("b", 1), numerics)


# --- rounding ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_low_order_bits_are_dropped_to_nearest(dtype: Any) -> None:
    bits = np.finfo(dtype).nmant + 1 - DROPPED_BITS  # significant bits kept
    step = dtype(2.0) ** dtype(1 - bits)  # spacing of the kept numbers just above 1
    inside = np.array([[1.0 + 0.49 * step], [1.0 - 0.24 * step], [1.0 + 0.51 * step], [1.0 + step]], dtype)
    assert rounded(inside).dtype == dtype
    assert rounded(inside)[:, 0].tolist() == [1.0, 1.0, 1.0 + step, 1.0 + step]
    assert same(dtype(1.0), dtype(1.0 + 0.4 * step))
    assert not same(dtype(1.0), dtype(1.0 + 1.1 * step))
    assert not same(dtype(1.0), dtype(1.0 + 0.4 * step), "exact")


@given(st.floats(allow_nan=False, allow_infinity=False, allow_subnormal=False))
def test_rounding_moves_a_double_by_at_most_half_a_kept_step(x: float) -> None:
    once = rounded(np.array([[x]]))
    near = float(once[0, 0])
    if math.isfinite(near):
        assert abs(near - x) <= 2.0**-40 * abs(x)
    assert np.array_equal(rounded(once), once)  # rounding twice is rounding once
    assert float(rounded(np.array([[-x]]))[0, 0]) == -near


@given(st.lists(st.floats(allow_nan=False), min_size=2, max_size=10))
def test_rounding_keeps_the_order(values: list[float]) -> None:
    near = rounded(np.sort(np.array(values))[:, None])[:, 0]
    assert (near[1:] >= near[:-1]).all()


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, np.longdouble])
def test_special_values_survive(dtype: Any) -> None:
    special = np.array([[0.0], [-0.0], [np.nan], [-np.nan], [np.inf], [-np.inf], [np.finfo(np.float16).tiny]], dtype)
    out = rounded(special)[:, 0]
    assert out[0] == out[1] == 0.0
    assert not np.signbit(out[1])
    assert np.isnan(out[2:4]).all()
    assert out[4] == np.inf
    assert out[5] == -np.inf
    assert out[6] == special[6, 0]


def test_under_real_numerics_zeros_and_nans_are_one_each_and_under_exact_zeros_are_two() -> None:
    payload = np.array([0x7FF8000000000001, 0x7FF8000000000002], np.uint64).view(np.float64)
    assert same(0.0, -0.0)
    assert same(math.nan, -math.nan)
    assert same(float(payload[0]), float(payload[1]))
    assert len(set(tokens(payload))) == 1
    assert not same(0.0, -0.0, "exact")
    assert not same(5e-324, 0.0, "exact")


@pytest.mark.parametrize("tiny", [5e-324, 1e-310, 2.2250738585072014e-308])
def test_subnormal_numbers_do_no_harm(tiny: float) -> None:
    near = float(rounded(np.array([[tiny]]))[0, 0])
    assert abs(near - tiny) <= 2.0**-1061  # half of the step kept at the bottom of the range
    assert rounded(np.array([[tiny]]), np.array([1.0]))[0, 0] == 0.0


def test_values_far_below_the_usual_size_count_as_zero() -> None:
    scale = np.array([8.0, 0.0])
    small, large = 8.0 * NEGLIGIBLE * 0.99, 8.0 * NEGLIGIBLE * 1.01
    out = rounded(np.array([[small, small], [-small, -small], [large, large], [np.nan, np.inf]]), scale)
    assert out[0].tolist()[0] == out[1].tolist()[0] == 0.0
    assert not np.signbit(out[1, 0])
    assert out[2, 0] > 0
    assert out[0, 1] > 0  # a coordinate that is usually 0 has no usual size
    assert np.isnan(out[3, 0])
    values = np.array([[small, 1.0], [0.0, 1.0]])
    assert len(set(tokens(values, "real", scale=scale))) == 1
    assert len(set(tokens(values, "exact", scale=scale))) == 2
    assert len(set(tokens([*values, "mixed"], "real", scale=scale))) == 2


def test_whole_numbers_are_never_rounded() -> None:
    assert not same(2**53, 2**53 + 1)
    assert not same(2**62, 2**62 + 1)
    assert not same(10**30, 10**30 + 1)


@pytest.mark.parametrize(
    "wrap",
    [lambda x: [x], lambda x: (x, 1), lambda x: {"weights": x}, lambda x: [[x], [x, x]], lambda x: ("name", x)],
    ids=["list", "tuple", "dictionary", "ragged", "mixed tuple"],
)
def test_numbers_inside_containers_are_rounded_too(wrap: Any) -> None:
    assert same(wrap(0.1), wrap(0.1 + 2**-56))
    assert not same(wrap(0.1), wrap(0.1 + 2**-56), "exact")
    assert same(wrap(0.0), wrap(-0.0))


# --- answers that are unpleasant ---------------------------------------------------------------------------------


class NoWords:
    def __repr__(self) -> str:
        raise RuntimeError("not showable")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("not comparable")

    __hash__ = None  # type: ignore[assignment]


def nested(depth: int) -> list[Any]:
    deep: list[Any] = []
    for _ in range(depth):
        deep = [deep]
    return deep


def circle() -> list[Any]:
    itself: list[Any] = [1]
    itself.append(itself)
    return itself


@NUMERICS
@pytest.mark.parametrize(
    "make",
    [
        NoWords,
        lambda: Unpleasant(1.0),
        lambda: [NoWords(), NoWords()],
        lambda: {"a": NoWords()},
        lambda: 10**5000,
        lambda: [10**5000, 1],
        lambda: {"a": -(10**5000)},
        lambda: nested(100_000),
        circle,
        lambda: np.array([NoWords(), 1], dtype=object),
        lambda: "\ud800",
        lambda: np.datetime64("nat"),
        lambda: np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")]),
        lambda: lambda: 1,
        lambda: type("T", (), {})(),
        lambda: {1, "a", None, (1, 2)},
        lambda: sys.float_info.max,
    ],
    ids=[
        "no repr",
        "unpleasant",
        "list of them",
        "dictionary of them",
        "huge",
        "huge in a list",
        "huge in a dictionary",
        "deep",
        "circle",
        "object array",
        "lone surrogate",
        "not a time",
        "structured",
        "function",
        "object",
        "mixed set",
        "largest double",
    ],
)
def test_any_answer_is_observed_and_described(make: Any, numerics: Any) -> None:
    answer = make()
    seen = observe(Answers([answer, 1.0]), numerics)
    assert len(seen) == 2
    assert seen.tokens[0] != seen.tokens[1]
    assert len(describe_answer(answer)) <= 200
    assert "\n" not in describe_answer(answer)


def test_the_token_of_a_deep_answer_does_not_depend_on_how_deep_the_caller_is() -> None:
    deep = nested(100_000)
    found: list[list[int] | BaseException] = []

    def observed() -> None:
        try:
            found.append(tokens([deep]))
        except RecursionError as error:
            found.append(error)

    from_a_short_stack = threading.Thread(target=observed)
    from_a_short_stack.start()
    from_a_short_stack.join()
    observed()
    assert found[0] == found[1]


def test_huge_numbers_are_told_apart() -> None:
    assert same(10**5000, 10**5000)
    assert not same(10**5000, 10**5000 + 1)


@pytest.mark.parametrize(
    "nothing", [[], np.zeros(0), np.zeros((0, 3)), np.zeros(0, np.int64)], ids=["list", "1", "2", "int"]
)
def test_no_answers_are_no_observations(nothing: Any) -> None:
    assert len(observe(Answers(nothing), "real")) == 0


# --- warnings ----------------------------------------------------------------------------------------------------


def test_a_warning_is_part_of_the_answer() -> None:
    values = np.array([1.0, 1.0, 1.0, 1.0])
    seen = observe(
        Answers(values, warned={1: ("UserWarning: #",), 2: ("UserWarning: #",), 3: ("UserWarning: ##",)}), "real"
    )
    plain, one, again, other = seen.tokens.tolist()
    assert one == again
    assert len({plain, one, other}) == 3
    assert plain == tokens(values)[0]
    assert isinstance(seen.answers[1], Warned)
    assert seen.answers[0] == 1.0
    assert seen.columns[:, 0].tolist() == [1.0] * 4
    assert seen.name_of(one) == "1.0 with a warning: UserWarning: #"


def test_the_answers_tokens_are_not_written_into() -> None:
    given = Answers(np.array([1.0, 2.0]), warned={0: ("w",)})
    before = given.values.copy()
    observe(given, "real")
    assert np.array_equal(given.values, before)


# --- columns -----------------------------------------------------------------------------------------------------


def test_columns_are_the_numbers_and_nan_where_there_is_none() -> None:
    seen = observe(Answers([1, 2.5, (3.0, 4.0), "word", None, np.array([[5.0, 6.0], [7.0, 8.0]])]), "real")
    np.testing.assert_array_equal(
        seen.columns,
        [
            [1, np.nan, np.nan, np.nan],
            [2.5, np.nan, np.nan, np.nan],
            [3, 4, np.nan, np.nan],
            [np.nan] * 4,
            [np.nan] * 4,
            [5, 6, 7, 8],
        ],
    )


def test_a_wide_answer_keeps_its_token_beyond_the_columns() -> None:
    wide = np.zeros((2, MAX_COLUMNS + 10))
    wide[1, -1] = 1.0
    seen = observe(Answers(wide), "real")
    assert seen.columns.shape == (2, MAX_COLUMNS)
    assert seen.tokens[0] != seen.tokens[1]
    assert tokens([wide[0], "mixed", wide[1]])[::2] == seen.tokens.tolist()


def test_only_words_have_no_columns() -> None:
    assert observe(Answers(["a", "b"]), "real").columns.shape == (2, 0)


# --- joining -----------------------------------------------------------------------------------------------------


def test_join_orders_pads_and_keeps_tokens() -> None:
    one, two = observe(Answers(np.array([1.0, 2.0])), "real"), observe(Answers([(3.0, 4.0), "word"]), "real")
    joined = join([one, two], np.array([3, 0, 2, 1]))
    assert joined.tokens.tolist() == [two.tokens[1], one.tokens[0], two.tokens[0], one.tokens[1]]
    np.testing.assert_array_equal(joined.columns, [[np.nan, np.nan], [1, np.nan], [3, 4], [2, np.nan]])
    assert list(joined.answers) == ["word", 1.0, (3.0, 4.0), 2.0]
    assert isinstance(join([one, one], np.arange(4)).answers, np.ndarray)


@pytest.mark.turns(4)
@given(st.data())
def test_observing_commutes_with_permuting(data: st.DataObject) -> None:
    answers = data.draw(
        st.one_of(
            st.lists(st.sampled_from(DIFFERENT), min_size=1, max_size=12),
            hnp.arrays(np.float64, st.tuples(st.integers(1, 8), st.integers(0, 3))),
        )
    )
    order = np.array(data.draw(st.permutations(range(len(answers)))))
    seen = observe(Answers(answers), "real")
    moved = observe(Answers(answers[order] if isinstance(answers, np.ndarray) else [answers[i] for i in order]), "real")
    assert moved.tokens.tolist() == seen.tokens[order].tolist()
    np.testing.assert_array_equal(moved.columns, seen.columns[order])


_PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3) | st.tuples(inner)
    ),
    max_leaves=8,
)


@given(_PLAIN, st.sampled_from(["real", "exact"]))
def test_equal_answers_have_equal_tokens(answer: Any, numerics: Any) -> None:
    import copy

    assert same(answer, copy.deepcopy(answer), numerics)


@given(_PLAIN, _PLAIN)
def test_under_exact_numerics_answers_with_equal_tokens_are_equal(one: Any, two: Any) -> None:
    if same(one, two, "exact"):
        assert repr(one) == repr(two) or one == two


# --- words -------------------------------------------------------------------------------------------------------


def test_answers_in_words() -> None:
    assert describe_answer(Raised("ValueError", "bad row #")) == "raises ValueError('bad row #') (# is any number)"
    assert describe_answer(Raised("ValueError", "bad row")) == "raises ValueError('bad row')"
    assert describe_answer(Opaque("function", "x")) == "an object of type function"
    assert describe_answer(NoWords()) == "an object of type NoWords that raises RuntimeError when it is read"
    assert describe_answer(np.float64(0.5)) == "np.float64(0.5)"
    assert len(describe_answer("x" * 1000)) == 60
    seen = observe(Answers(["a"]), "real")
    assert isinstance(seen, Observations)
    assert seen.name_of(int(seen.tokens[0])) == "'a'"
    assert seen.name_of(1) == "answer #0000000000000001"
