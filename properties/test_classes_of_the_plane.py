"""Stumps and half-planes count as they predict, and list each dichotomy once, whatever the points."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpcheck.parts.classes import GridThresholds, HalfPlanes, Stumps, Thresholds, dichotomies, mistakes
from dpcheck.parts.classes.points import distinct_rows

_SMALL = st.integers(-3, 3)
_LARGE = st.integers(-(2**40), 2**40)
_COORDINATES = (
    _SMALL,
    _LARGE,
    st.integers(2**26, 2**27),  # products beyond what doubles hold, within 64 bits
    st.fractions(-2, 2, max_denominator=7),
    st.sampled_from([0.1, 0.2, 0.3, -0.0, 1e-300, 2.0**60]),
)


@st.composite
def _labelled_planes(draw: st.DrawFn) -> tuple[list[Any], list[int], list[Any]]:
    """Records of the plane and some more points, mostly with ties."""
    point = st.tuples(*[draw(st.sampled_from(_COORDINATES))] * 2)
    x = draw(st.lists(point, max_size=8))
    y = draw(st.lists(st.integers(0, 1), min_size=len(x), max_size=len(x)))
    return x, y, draw(st.lists(point, max_size=5))


@st.composite
def _stumps(draw: st.DrawFn) -> tuple[Stumps, Any, list[int], Any]:
    """A class of stumps, labelled points, and rows (j, t, sign) whose thresholds are at, between and beyond them."""
    columns = draw(st.integers(1, 4))
    value = draw(st.sampled_from([_SMALL, st.sampled_from([-1.5, -0.0, 0.0, 0.1, 2.0**60])]))
    rows = draw(st.lists(st.tuples(*[value] * columns), max_size=8))
    y = draw(st.lists(st.integers(0, 1), min_size=len(rows), max_size=len(rows)))
    t = value | st.sampled_from([0.5, float("inf"), -float("inf")])
    some = draw(st.lists(st.tuples(st.integers(0, columns - 1), t, st.integers(0, 1)), max_size=12))
    return Stumps(columns), np.array(rows).reshape(-1, columns), y, np.array(some, dtype=np.float64).reshape(-1, 3)


@pytest.mark.turns(6)
@settings(deadline=None)
@given(_stumps())
def test_stumps_make_the_mistakes_of_their_predictions(case: Any) -> None:
    family, x, y, hypotheses = case
    wrong = family.predict(hypotheses, x) != np.array(y, dtype=np.uint8)
    assert mistakes(family, hypotheses, x, y).tolist() == wrong.sum(axis=1).tolist()


@settings(deadline=None)
@given(_stumps(), st.sampled_from(Stumps.rules))
def test_stumps_list_the_dichotomies_of_all_cells_once_and_the_first_of_each(case: Any, rule: str) -> None:
    family, x, _, _ = case
    found = np.unique(x, axis=0)
    every = [
        (float(column), t, float(sign))
        for column in range(family.columns)
        for t in Thresholds().representatives(found[:, column], rule).tolist()
        for sign in (0, 1)
    ]
    first = distinct_rows(family.predict(every, found))
    assert family.representatives(x, rule).tolist() == [list(every[place]) for place in first]


@pytest.mark.turns(4)
@settings(deadline=None)
@example(([(2**27 + 1, 0)], [0], []), [(2**27 + 1, 1, 2**54 + 2**28 + 2)])  # in doubles the point is on the boundary
@example(([(2**28, 2**28)], [1], []), [(2**34, 2**34, 1)])  # in 64 bits the sum is negative
@given(_labelled_planes(), st.lists(st.tuples(*[_SMALL | st.sampled_from([0.1, 0.3, 1e-9, 1e9])] * 3), max_size=5))
def test_half_planes_make_the_mistakes_of_exact_predictions(case: Any, some: Any) -> None:
    x, y, others = case
    family = HalfPlanes()
    hypotheses = np.asarray(some if some else family.representatives([*x, *others]))
    exact = [
        [int(Fraction(u) * Fraction(a) + Fraction(v) * Fraction(b) >= Fraction(c)) for a, b in x]
        for u, v, c in hypotheses.tolist()
    ]
    assert family.predict(hypotheses, x).tolist() == exact
    wrong = [sum(map(int.__ne__, row, y)) for row in exact]
    assert mistakes(family, hypotheses, x, y).tolist() == wrong


@pytest.mark.turns(6)
@settings(deadline=None)
@given(_labelled_planes(), st.lists(st.tuples(_SMALL, _SMALL, _SMALL), min_size=1, max_size=20))
def test_half_planes_list_each_dichotomy_once_and_none_is_missing(case: Any, some: Any) -> None:
    x, _, others = case
    found = dichotomies(HalfPlanes(), [*x, *others])
    assert len(distinct_rows(found.labels)) == len(found)
    listed = set(map(tuple, found.labels.tolist()))
    assert set(map(tuple, HalfPlanes().predict(some, found.points).tolist())) <= listed
    # half-planes have complements but for the boundary, which can always be moved off finitely many points
    assert {tuple(1 - label for label in labels) for labels in listed} == listed


@given(st.lists(st.integers(0, 2**61 - 1) | st.integers(0, 5), max_size=12))
def test_cells_of_a_grid_are_cut_at_the_distinct_points(points: list[int]) -> None:
    lows, highs = GridThresholds(2**61).cells(points)
    distinct = sorted(set(points))
    assert lows.tolist() == [0, *(point + 1 for point in distinct)]
    assert highs.tolist() == [*distinct, 2**61]
