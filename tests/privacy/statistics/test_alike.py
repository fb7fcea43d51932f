"""Answers taken at once are what they are one by one: their tokens, columns, digits and marks, whatever they hold."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcheck.execution.answers import Answers, Portrait
from dpcheck.privacy.statistics import alike, columns, observations
from dpcheck.privacy.statistics.anywhere import in_columns, items_of
from dpcheck.privacy.statistics.layout import Layout, fit_layout
from dpcheck.privacy.statistics.leaves import leaves_of
from dpcheck.privacy.statistics.observations import Numerics, Observations, join, observe, without_large
from dpcheck.privacy.statistics.wide import Wide

#: Numbers that something stands beside, that no double holds, or that come again.
FLOATS = st.one_of(
    st.floats(-9.0, 9.0), st.sampled_from([0.0, -0.0, math.nan, -math.nan, math.inf, -math.inf, 1.5, 2.0**-1074, 1e300])
)
WHOLE = st.one_of(st.integers(-99, 99), st.sampled_from([2**63 - 1, -(2**63), 2**63, 10**30]))
ATOMS: tuple[st.SearchStrategy[Any], ...] = (
    FLOATS,
    WHOLE,
    st.booleans(),
    st.sampled_from(["yes", "no", "7 of 9"]),
    st.none(),
    FLOATS.map(np.float64),
    st.floats(-9.0, 9.0, width=32).map(np.float32),
    st.integers(0, 9).map(np.int64),
    st.lists(FLOATS, min_size=3, max_size=3).map(np.array),
    st.lists(st.integers(0, 1), min_size=2, max_size=2).map(lambda some: np.array(some, bool)),
    st.lists(st.floats(-9.0, 9.0, width=32), min_size=2, max_size=2).map(lambda some: np.array(some, np.float32)),
    st.lists(FLOATS, min_size=4, max_size=4).map(lambda some: np.array(some).reshape(2, 2)),
    st.lists(FLOATS, min_size=6, max_size=6).map(lambda some: np.array(some).reshape(2, 3)),
    st.lists(st.integers(0, 9), min_size=8, max_size=8).map(lambda some: np.array(some).reshape(2, 2, 2)),
    st.sets(st.integers(0, 3)),
    st.frozensets(st.sampled_from("ab")),
    st.builds(complex, st.floats(-9.0, 9.0), st.floats(-9.0, 9.0)),
)


def portrait(held: Sequence[Any], form: Any, predicted: Any = None) -> Portrait:
    return Portrait("Model", form, tuple(zip(("a_", "b_", "c_"), held, strict=False)), predicted=predicted)


def containers(kinds: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    some = st.lists(kinds, min_size=1, max_size=3)
    return st.one_of(
        some.map(lambda parts: st.tuples(*parts)),
        some.map(lambda parts: st.tuples(*parts).map(list)),
        some.map(lambda parts: st.tuples(*parts).map(lambda held: portrait(held, "fields"))),
        some.map(lambda parts: st.tuples(*parts).map(lambda held: portrait(held, "is"))),
        some.map(lambda parts: st.tuples(*parts).map(lambda held: portrait(held, "fields", np.ones((2, 2)) / 2))),
        some.map(
            lambda parts: st.fixed_dictionaries({"b": parts[0]}, optional=dict(zip("ac", parts[1:], strict=False)))
        ),
    )


#: Strategies of answers of one form, more or less: of what they are made is drawn first.
KINDS: st.SearchStrategy[Any] = st.recursive(st.sampled_from(ATOMS), containers, max_leaves=4)


def both_ways(values: list[Any], numerics: Numerics, layout: Layout | None, patch: Any) -> list[Observations]:
    with patch.context() as patched:
        patched.setattr(alike, "LEAST_ALIKE", 2)
        fast = observe(Answers(values), numerics, None, layout)
        patched.setattr(observations, "alike", lambda values: [])
        return [fast, observe(Answers(values), numerics, None, layout)]


def same(one: Any, other: Any) -> bool:
    if one is None or other is None:
        return one is other
    one, other = np.asarray(one), np.asarray(other)
    return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


def differing(one: Observations, other: Observations) -> list[str]:
    names = ("columns", "tokens", "forms", "low", "unrounded", "singles")
    found = [name for name in names if not same(getattr(one, name), getattr(other, name))]
    if one.left_out != other.left_out:
        found.append("left out")
    for mine, theirs in zip(one.wide.blocks if one.wide else (), other.wide.blocks if other.wide else (), strict=True):
        found += [name for name in ("numbers", "whole") if not same(getattr(mine, name), getattr(theirs, name))]
        if (mine.marks is None) != (theirs.marks is None) or (
            mine.marks is not None
            and theirs.marks is not None
            and not same(np.sort(mine.marks, axis=1), np.sort(theirs.marks, axis=1))
        ):
            found.append("marks")
    return found


@pytest.mark.turns(4)
@given(st.data(), st.sampled_from(["real", "exact"]))
def test_answers_at_once_are_what_they_are_one_by_one(data: st.DataObject, numerics: Numerics) -> None:
    """Of one form or of several, with keys that are missing and numbers that something stands beside."""
    kinds = data.draw(st.lists(KINDS, min_size=1, max_size=2))
    answer = st.one_of(*kinds)
    first = data.draw(st.lists(answer, min_size=4, max_size=6))
    values = data.draw(st.lists(answer, min_size=2, max_size=12))
    with pytest.MonkeyPatch.context() as patch, np.errstate(all="ignore"):
        layout = fit_layout(first, exact=numerics == "exact")
        for known in (None, layout):
            fast, slow = both_ways(values, numerics, known, patch)
            assert differing(fast, slow) == []


@pytest.mark.parametrize("numerics", ["real", "exact"])
@pytest.mark.parametrize("kind", ["f8", "f4", "i8", "i4", "u8", "u4", "?"])
def test_an_array_beside_something_else_is_marked_by_its_own_numbers(kind: str, numerics: Numerics) -> None:
    """An element's mark is made of all its numbers, rounded: marked numbers must differ there, too."""
    values = [((np.array([n % 2, 1], kind), "no", 0.5),) for n in range(6)]
    with pytest.MonkeyPatch.context() as patch:
        layout = fit_layout(values, exact=numerics == "exact")
        assert differing(*both_ways(values, numerics, layout, patch)) == []


def model(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "mean": float(rng.normal()),
        "n": int(rng.integers(9)),
        "ok": bool(rng.random() < 0.5),
        "w": rng.normal(size=3).tolist(),
        "mixed": [1, float(rng.normal()), "a", None, True],
        "array": rng.normal(size=4),
        "single": np.float32(rng.normal()),
        "truths": rng.random(2) < 0.5,
        "label": "yes",
    }


@pytest.mark.parametrize("numerics", ["real", "exact"])
def test_a_form_is_found_and_its_numbers_stand_in_their_places(numerics: Numerics, monkeypatch: Any) -> None:
    rng = np.random.default_rng(5)
    values = [model(rng) for _ in range(40)]
    (group,) = alike.alike(values)
    parts = alike.parts_of(group.form, alike.shapes_of(group))
    assert parts is not None
    for row, value in enumerate(values):
        for leaf, known, filled in zip(leaves_of(value), parts.leaves, parts.filled, strict=True):
            assert (leaf.path, leaf.members) == (known.path, known.members)
            assert (filled is None) == (leaf.numbers is None)
            if filled is not None:
                assert same(group.numbers(filled)[row], leaf.numbers)
    layout = fit_layout([model(rng) for _ in range(12)], exact=numerics == "exact")
    assert layout is not None
    assert differing(*both_ways(values, numerics, layout, monkeypatch)) == []


def test_numbers_in_each_others_places_are_noticed(monkeypatch: Any) -> None:
    """A broken version: two numbers of a block change places."""

    def swapped(group: alike.Alike, filled: alike.Filled) -> Any:
        return right(group, filled)[:, ::-1]

    right: Callable[..., Any] = alike.Alike.numbers
    rng = np.random.default_rng(6)
    values = [model(rng) for _ in range(20)]
    layout = fit_layout(values, exact=False)
    monkeypatch.setattr(alike.Alike, "numbers", swapped)
    assert "columns" in differing(*both_ways(values, "real", layout, monkeypatch))


def test_what_is_no_form_or_comes_seldom_is_taken_one_by_one() -> None:
    assert alike.alike([{"a": 1.0}] * (alike.LEAST_ALIKE - 1)) == []
    assert alike.alike([{1: 1.0, "a": 2.0}] * 20) == []  # keys of two types
    assert alike.alike([[10**30]] * 20) == []
    assert alike.alike(["x" * 100] * 20) == []
    assert len(alike.alike([[1.0], [1]] * 20)) == 2
    assert len(alike.alike([([1.0, 2.0], "a"), ([1.0, "a"], "a")] * 20)) == 2


def test_marks_of_many_answers_are_those_of_each() -> None:
    rng = np.random.default_rng(7)
    texts: list[Any] = [f"row {rng.integers(99)} of {rng.normal():.3f}" for _ in range(30)]
    values = [*texts, *([[text, float(rng.normal())] for text in texts]), "", None, 0.0, np.zeros((3, 2)), [b"ab", 1]]
    layout = fit_layout(values, exact=False)
    assert layout is not None
    assert layout.marked
    seen = observe(Answers(values), "real", None, layout)
    assert isinstance(seen.wide, Wide)
    pooled = frozenset(layout.pooled)
    wanted = in_columns([items_of(value, leaves_of(value, None, pooled), exact=False) for value in values])
    assert same(np.sort(seen.wide.blocks[0].marks, axis=1), np.sort(wanted, axis=1))


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int64])
@pytest.mark.parametrize("numerics", ["real", "exact"])
def test_arrays_in_parts_are_what_they_are_whole(kind: Any, numerics: Numerics, monkeypatch: Any) -> None:
    rng = np.random.default_rng(8)
    values = (9.0 * rng.normal(size=(50, 300))).astype(kind)
    if kind is not np.int64:
        values[3, 5], values[7, 9], values[9, 9] = np.nan, -0.0, np.inf
    layout = fit_layout(list(values[:12]), exact=numerics == "exact")
    assert layout is not None
    whole = observe(Answers(values), numerics, None, layout)
    monkeypatch.setattr(observations, "NUMBERS_AT_ONCE", 1000)
    parts = observe(Answers(values), numerics, None, layout)
    assert differing(whole, parts) == []
    assert same(whole.answers, parts.answers)
    lean = observe(Answers(values), numerics, None, layout, all_numbers=False)
    assert lean.wide is None
    assert same(lean.columns, whole.columns)


def test_joined_parts_are_in_order_and_large_answers_need_not_be_kept(monkeypatch: Any) -> None:
    rng = np.random.default_rng(9)
    parts = [observe(Answers(rng.normal(size=(size, 3))), "real") for size in (4, 0, 7)]
    order = rng.permutation(11)
    found = join(parts, order)
    for name in ("columns", "tokens", "forms", "low", "answers"):
        wanted = np.concatenate([np.asarray(getattr(part, name)) for part in parts])[order]
        assert same(getattr(found, name), wanted)
    monkeypatch.setattr(observations, "MOST_BYTES_KEPT", 8)
    small = [without_large(part) for part in parts]
    assert len(join(small, order).answers) == 0
    assert same(join(small, order).columns, found.columns)


def test_fitted_models_are_taken_at_once(seed: int) -> None:
    """Attributes of one length are columns, and arrays have rows, whose marks are made of their numbers."""
    rng = np.random.default_rng(seed)

    def fitted() -> Portrait:
        held = rng.normal(size=2), np.array([0, 1]), rng.normal(size=(2, 3))
        return portrait(held, "fields", predicted=rng.random((4, 2)))

    values = [fitted() for _ in range(40)]
    layout = fit_layout(values[:8], exact=False)
    (group,) = alike.alike(values)
    assert len(group.places) == 40
    with pytest.MonkeyPatch.context() as patch:
        fast, slow = both_ways(values, "real", layout, patch)
        assert differing(fast, slow) == []
        patch.setattr(columns, "leaves_of", None)  # none is walked by itself
        observe(Answers(values), "real", None, layout)
