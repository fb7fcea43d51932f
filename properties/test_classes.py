"""Hypothesis classes against all their hypotheses, on arbitrary small sets of points in any position."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck.parts.classes import (
    AllFunctions,
    Boxes,
    FiniteOrCofinite,
    FiniteSubsets,
    GridBoxes,
    GridIntervals,
    GridThresholds,
    HalfPlanes,
    Intervals,
    LinearSeparators,
    OriginHalfPlanes,
    Parities,
    PointFunctions,
    Stumps,
    Thresholds,
    Xor,
    dichotomies,
    growth,
    littlestone_dimension_on,
    mistakes,
    sauer_bound,
    vc_dimension_on,
)


def _nonzero(reach: int, dimension: int) -> np.ndarray[Any, Any]:
    """All integer rows of sizes up to ``reach`` but 0.

    Of points with coordinates up to c in the plane, the critical w have coordinates up to c, and sums of two of them
    lie in all open arcs; in space the critical ones have up to 2c^2, and sums of three of them lie in all open cones.
    """
    return np.array([row for row in product(range(-reach, reach + 1), repeat=dimension) if any(row)])


def _ends(values: Any, dimension: int) -> np.ndarray[Any, Any]:
    """The empty box and all those whose ends are among some values."""
    pairs = list(combinations_with_replacement(values, 2))
    boxes = [[end for pair in chosen for end in pair] for chosen in product(pairs, repeat=dimension)]
    return np.array([[1, 0] * dimension, *boxes])


def _signed(t: Any) -> np.ndarray[Any, Any]:
    return np.array(list(product(t, (0, 1))))


def _pairs(family: Any) -> np.ndarray[Any, Any]:
    every = family.everything().reshape(family.size, -1)
    return np.array([[*one, *other] for one in every for other in every])


#: A class, hypotheses that have all its dichotomies on the points below, and a strategy of these.
_LINE = st.integers(-2, 2)
_HALVES = np.arange(-3, 4) - 0.5
_TO_FIVE = st.integers(0, 4)
_CUBE = st.tuples(*[st.integers(0, 2)] * 3)
_SPACE = st.tuples(*[st.integers(-1, 1)] * 3)
CASES: list[tuple[Any, Any, Any]] = [
    (Thresholds(), _HALVES, _LINE),
    (Thresholds("down"), _HALVES, _LINE),
    (Thresholds("both"), _signed(_HALVES), _LINE),
    *((family, family.everything(), _TO_FIVE) for family in map(GridThresholds, [5] * 3, ["up", "down", "both"])),
    (Intervals(), _ends(range(-2, 3), 1), _LINE),
    *((family, family.everything(), _TO_FIVE) for family in (GridIntervals(5), PointFunctions(5), AllFunctions(5))),
    (FiniteOrCofinite(1, 5), np.array([[c, a] for c in (0, 1) for a in range(-1, 5)]), _TO_FIVE),
    (FiniteSubsets(2), [(), *combinations_with_replacement((0, 0.25, 0.5, 1), 2)], st.sampled_from([0, 0.25, 0.5, 1])),
    (Parities(4), Parities(4).everything(), st.integers(0, 15)),
    (OriginHalfPlanes(), _nonzero(4, 2), st.tuples(_LINE, _LINE)),
    (LinearSeparators(2), _nonzero(4, 2), st.tuples(_LINE, _LINE)),
    (LinearSeparators(3), _nonzero(6, 3), _SPACE),
    (HalfPlanes(), np.array([(0, 0, 1), *_nonzero(6, 3)]), st.tuples(st.integers(-1, 1), st.integers(-1, 1))),
    (Boxes(1), _ends(range(-2, 3), 1), st.tuples(_LINE)),
    (Boxes(2), _ends(range(-2, 3), 2), st.tuples(_LINE, _LINE)),
    (Boxes(3), _ends(range(3), 3), _CUBE),
    (GridBoxes(3, 3), GridBoxes(3, 3).everything(), _CUBE),
    (Stumps(3), np.array([(j, t, s) for j in range(3) for t in _HALVES for s in (0, 1)]), _CUBE),
    (Xor(GridThresholds(5)), _pairs(GridThresholds(5)), _TO_FIVE),
    (Xor(GridIntervals(5)), _pairs(GridIntervals(5)), _TO_FIVE),
]


def check_dichotomies(family: Any, every: Any, points: list[Any]) -> None:
    """Each label vector of all hypotheses once, by one that has it, under every rule; dimensions as they must be."""
    for rule in (None, *family.rules):
        found = dichotomies(family, points, rule)
        rows = [row.tobytes() for row in found.labels]
        assert len(set(rows)) == len(rows)
        assert set(rows) == {row.tobytes() for row in family.predict(every, found.points)}
        assert (found.labels == family.predict(found.hypotheses, found.points)).all()
        repeated = dichotomies(family, [*points, *points[::-1]], rule)
        assert (repeated.labels == found.labels).all()
        assert len(family.representatives([*points, *points[::-1]], rule)) == len(rows)
    distinct = len(found.points)
    shattered = vc_dimension_on(family, points)
    assert shattered <= min(distinct, family.vc_dimension or distinct)
    assert growth(family, points) <= sauer_bound(shattered, distinct)
    depth = littlestone_dimension_on(family, points)
    assert depth is None or shattered <= depth <= np.log2(len(rows))
    assert depth is None or family.littlestone_dimension is None or depth <= family.littlestone_dimension


def check_mistakes(family: Any, every: Any, x: list[Any], y: list[int]) -> None:
    """Mistakes are those of the predictions."""
    assert (mistakes(family, every, x, y) == (family.predict(every, x) != np.array(y)).sum(axis=1)).all()


def check_dimensions(family: Any) -> None:
    """The dimensions of a class on a small domain are those of the list of its functions."""
    domain = family.domain()
    assert family.vc_dimension == vc_dimension_on(family, domain)
    assert family.littlestone_dimension in (None, littlestone_dimension_on(family, domain))
    assert len({row.tobytes() for row in family.predict(family.everything(), domain)}) == family.size


@given(st.data())
@settings(deadline=None, max_examples=150)
def test_dichotomies_are_those_of_all_hypotheses_each_once(data: Any) -> None:
    family, every, points = data.draw(st.sampled_from(CASES))
    check_dichotomies(family, every, data.draw(st.lists(points, max_size=6)))


@given(st.data())
@settings(deadline=None, max_examples=150)
def test_mistakes_are_those_of_the_predictions(data: Any) -> None:
    family, every, points = data.draw(st.sampled_from(CASES))
    x = data.draw(st.lists(points, max_size=8))
    check_mistakes(family, every, x, data.draw(st.lists(st.integers(0, 1), min_size=len(x), max_size=len(x))))


@given(
    st.one_of(
        st.builds(GridThresholds, st.integers(1, 30), st.sampled_from(["up", "down", "both"])),
        st.builds(GridIntervals, st.integers(1, 10)),
        st.builds(GridBoxes, st.integers(1, 3), st.integers(1, 2)),
        st.builds(GridBoxes, st.integers(1, 2), st.integers(3, 3)),
        st.builds(Parities, st.integers(1, 4)),
        st.builds(PointFunctions, st.integers(2, 20)),
        st.builds(AllFunctions, st.integers(1, 4)),
    )
)
@settings(deadline=None, max_examples=60)
def test_dimensions_of_finite_classes_are_those_of_their_lists(family: Any) -> None:
    check_dimensions(family)


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=6))
@settings(deadline=None, max_examples=60)
def test_half_planes_are_the_separators_of_points_lifted_by_one(points: list[Any]) -> None:
    """Two algorithms that share no line."""
    lifted = dichotomies(LinearSeparators(3), [(x, y, 1) for x, y in points])
    assert {row.tobytes() for row in lifted.labels} == {
        row.tobytes() for row in dichotomies(HalfPlanes(), points).labels
    }


# --- broken versions


class InGeneralPosition(OriginHalfPlanes):
    """One w in each open arc: the boundary is forgotten."""

    def representatives(self, points: Any, rule: Any = None) -> Any:
        rows = super().representatives(points, "inside")
        whole = self.points(points)
        away = whole[(whole != 0).any(axis=1)]
        return rows[(rows @ away.T != 0).all(axis=1)]


class EachPointAgain(GridThresholds):
    """Repeated points make cells of their own."""

    def representatives(self, points: Any, rule: Any = None) -> Any:
        return np.concatenate([[0], np.sort(self.points(points)) + 1])


class ConstantsTwice(GridThresholds):
    """All-0 and all-1 in both orientations."""

    def representatives(self, points: Any, rule: Any = None) -> Any:
        t = GridThresholds(self.domain_size).representatives(points, rule)
        return _signed(t)


class AllMasks(Parities):
    """The points are taken as independent."""

    def representatives(self, points: Any, rule: Any = None) -> Any:
        return self.everything()


class AnyEnds(Boxes):
    """Boxes with ends at coordinates of points, whether or not they reach these inside."""

    def representatives(self, points: Any, rule: Any = None) -> Any:
        return _ends(sorted({c for point in points for c in point}), self.dimension)


class OrderedPairs(Xor):
    """g xor h and h xor g both."""

    def representatives(self, points: Any, rule: Any = None) -> Any:
        rows = super().representatives(points, rule)
        half = rows.shape[1] // 2
        return np.concatenate([rows, np.concatenate([rows[1:, half:], rows[1:, :half]], axis=1)])


class OpenHalfPlanes(OriginHalfPlanes):
    """The boundary is labelled 0."""

    def predict(self, hypotheses: Any, points: Any) -> Any:
        return 1 - super().predict(-np.asarray(hypotheses), points)


class NoEmptyBox(GridBoxes):
    """The empty box is not among them."""

    def everything(self) -> Any:
        return super().everything()[1:]


@dataclass(frozen=True)
class TwiceTheDimension(GridBoxes):
    """2 l whatever the side."""

    @property
    def vc_dimension(self) -> int:
        return 2 * self.dimension


class SquaredGrowth(GridIntervals):
    """The depth of binary search for each of two ends."""

    @property
    def littlestone_dimension(self) -> int:
        return 2 * (self.domain_size + 1).bit_length() - 2


LINES = [(1, 0), (-2, 0), (0, 1), (3, 0)]
BROKEN: list[tuple[str, Callable[[], None]]] = [
    ("general position", lambda: check_dichotomies(InGeneralPosition(), _nonzero(4, 2), LINES)),
    ("repeated points", lambda: check_dichotomies(EachPointAgain(5), GridThresholds(5).everything(), [1, 1, 3])),
    ("constants twice", lambda: check_dichotomies(ConstantsTwice(5, "both"), _signed(range(6)), [1, 3])),
    ("independent masks", lambda: check_dichotomies(AllMasks(2), Parities(2).everything(), [1])),
    ("any ends", lambda: check_dichotomies(AnyEnds(2), _ends(range(3), 2), [(0, 1), (2, 0)])),
    ("ordered pairs", lambda: check_dichotomies(OrderedPairs(GridThresholds(5)), _pairs(GridThresholds(5)), [1, 3])),
    ("open half-planes", lambda: check_mistakes(OpenHalfPlanes(), _nonzero(2, 2), LINES, [1, 1, 0, 0])),
    ("no empty box", lambda: check_dimensions(NoEmptyBox(2, 2))),
    ("twice the dimension", lambda: check_dimensions(TwiceTheDimension(2, 3))),
    ("two binary searches", lambda: check_dimensions(SquaredGrowth(5))),
]


@pytest.mark.parametrize("check", [check for _, check in BROKEN], ids=[name for name, _ in BROKEN])
def test_broken_versions_are_caught(check: Callable[[], None]) -> None:
    with pytest.raises(AssertionError):
        check()
