"""Half-planes and separators through the origin, boxes, parities, finite subsets, orientations, C^xor, dimensions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import comb, inf
from typing import Any

import numpy as np
import pytest

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes import (
    Adversarial,
    AllFunctions,
    Boxes,
    FiniteClass,
    FiniteHypothesisClass,
    FiniteOrCofinite,
    FiniteSubsets,
    GridBoxes,
    GridIntervals,
    GridThresholds,
    HalfPlanes,
    HypothesisClass,
    Intervals,
    LinearSeparators,
    OriginHalfPlanes,
    Parities,
    PointFunctions,
    Rectangles,
    Stumps,
    Thresholds,
    Xor,
    dichotomies,
    growth,
    littlestone_dimension_on,
    mistakes,
    numbers_of_bits,
    sauer_bound,
    vc_dimension_on,
    xor_growth,
)
from dpcheck.parts.classes.directions import angular_ranks, by_angle
from dpcheck.parts.classes.finite_subsets import subset_rows
from dpcheck.parts.classes.parities import walsh_hadamard

CLASSES: list[tuple[Any, list[Any]]] = [
    (OriginHalfPlanes(), [(1, 0), (-2, 0), (0, 1), (3, 0), (0, 0)]),
    (LinearSeparators(2), [(1, 0), (-2, 0), (0, 1)]),
    (LinearSeparators(3), [(1, 0, 0), (-1, 0, 0), (0, 1, 2), (1, 1, 2), (0, 0, 0)]),
    (LinearSeparators(4), [(1, 0, 0, 1), (2, 1, 0, 1), (0, 1, 2, 0)]),
    (Boxes(1), [(0.5,), (-1.0,), (2.0,)]),
    (Boxes(3), [(0, 5, 1), (2, 3, 1), (1, 1, 1)]),
    (GridBoxes(4, 2), [(0, 3), (2, 1), (2, 2)]),
    (GridIntervals(9), [4, 2, 7]),
    (Parities(5), [3, 5, 6, 17]),
    (FiniteSubsets(), [0.0, 0.5, 1.0]),
    (FiniteSubsets(2), [0.0, 0.5, 1.0]),
    (Thresholds("down"), [0.5, -1.0, 2.0]),
    (Thresholds("both"), [0.5, -1.0, 2.0]),
    (GridThresholds(7, "down"), [0, 3, 6]),
    (GridThresholds(7, "both"), [0, 3, 6]),
    (Xor(GridThresholds(7)), [0, 3, 6]),
    (Xor(Intervals()), [0.5, -1.0, 2.0]),
    (Xor(Thresholds("both")), [0.5, -1.0, 2.0]),
]
named = pytest.mark.parametrize(("family", "points"), CLASSES, ids=lambda value: type(value).__name__)
HIGHER = [LinearSeparators(n) for n in (3, 4, 5)]


@named
def test_every_class_keeps_the_protocol(family: Any, points: list[Any], rng: np.random.Generator) -> None:
    assert hash(family) == hash(replace(family))
    assert isinstance(family, HypothesisClass)
    first = dichotomies(family, points)
    for rule in (None, *family.rules):
        found = dichotomies(family, points, rule)
        assert len(found) == growth(family, points) == len(found.hypotheses)
        assert len({row.tobytes() for row in found.labels}) == len(found)
        assert found.labels.dtype == np.uint8
        assert {row.tobytes() for row in found.labels} == {row.tobytes() for row in first.labels}
        assert (dichotomies(family, [*points, *points][::-1], rule).labels == found.labels).all()
    assert growth(family, []) == 1
    assert dichotomies(family, []).labels.shape == (1, 0)
    where = [points[i] for i in rng.integers(0, len(points), 30)]
    y = rng.integers(0, 2, 30)
    wrong = mistakes(family, first.hypotheses, where, y)
    assert wrong.dtype == np.int64
    assert (wrong == (family.predict(first.hypotheses, where) != y).sum(axis=1)).all()
    assert (mistakes(family, first.hypotheses, [], []) == 0).all()
    with pytest.raises(InvalidArgument, match=r"^rule must be one of .*, got 'best'"):
        family.representatives(points, "best")


def rows_of(found: Any) -> set[tuple[int, ...]]:
    """The label vectors of dichotomies."""
    return set(map(tuple, found.labels.tolist()))


# --- through the origin


@pytest.mark.parametrize("m", range(1, 9))
def test_half_planes_of_points_on_different_lines_are_twice_as_many(m: int) -> None:
    curve = [(1, t**2) for t in range(m)]
    for family in (OriginHalfPlanes(), LinearSeparators(2)):
        assert growth(family, curve) == 2 * m
        assert growth(family, [*curve, (0, 0), curve[0]]) == 2 * m
        # the closed side: two arcs for each line, and two more w with an antipodal pair on the boundary
        antipodal = [*curve, *((-x, -y) for x, y in curve)]
        assert growth(family, antipodal) == (3 if m == 1 else 4 * m)


@pytest.mark.parametrize("family", HIGHER, ids=str)
def test_separators_in_general_position_are_those_of_cover(family: Any) -> None:
    n = family.dimension
    for m in range(1, 9):
        curve = [[t**k for k in range(n)] for t in range(m)]  # any n of these are independent
        assert growth(family, curve) == 2 * sum(comb(m - 1, k) for k in range(n))


def separable(points: np.ndarray[Any, Any], labels: tuple[int, ...]) -> bool:
    """Whether some w other than 0 has ``w . x >= 0`` exactly where labelled 1, by linear programming."""
    from scipy.optimize import linprog

    ones, zeros = points[np.array(labels) == 1], points[np.array(labels) == 0]
    if len(zeros):  # then w is not 0
        found = linprog(
            np.zeros(points.shape[1]),
            A_ub=np.concatenate([-ones, zeros]),
            b_ub=np.repeat([0.0, -1.0], [len(ones), len(zeros)]),
            bounds=[(None, None)] * points.shape[1],
        )
        return bool(found.status == 0)
    # all labelled 1: some coordinate of w can be at least 1 or at most -1
    for axis, sign in product(range(points.shape[1]), (1, -1)):
        bounds: list[Any] = [(None, None)] * points.shape[1]
        bounds[axis] = (1, None) if sign > 0 else (None, -1)
        if linprog(np.zeros(points.shape[1]), A_ub=-ones, b_ub=np.zeros(len(ones)), bounds=bounds).status == 0:
            return True
    return False


@pytest.mark.parametrize("rank", [1, 2, 3, 4])
def test_separators_of_points_in_a_subspace_are_those_of_linear_programming(
    rank: int, rng: np.random.Generator
) -> None:
    points = rng.integers(-1, 2, (6, rank)) @ rng.integers(-2, 3, (rank, 4))
    found = dichotomies(LinearSeparators(4), points)
    assert rows_of(found) == {
        labels for labels in product((0, 1), repeat=len(found.points)) if separable(found.points, labels)
    }


def test_separators_at_corners_of_a_cube_with_their_antipodes() -> None:
    corners = [corner for corner in product((-1, 0, 1), repeat=3) if any(corner)]
    found = dichotomies(LinearSeparators(3), corners)
    net = np.array([w for w in product(range(-6, 7), repeat=3) if any(w)])
    assert rows_of(found) == set(map(tuple, LinearSeparators(3).predict(net, found.points).tolist()))
    # with -x beside each x no two w in different cones have the same labels: these are all cones but 0
    cones = {tuple(np.sign(found.points @ w)) for w in net}
    assert len(found) == len(cones)


def test_rules_say_how_many_points_are_on_the_boundary() -> None:
    points = [(1, 0), (0, 1), (-1, 0)]
    on = {
        rule: (OriginHalfPlanes().representatives(points, rule) @ np.transpose(points) == 0).sum(axis=1).tolist()
        for rule in OriginHalfPlanes.rules
    }
    # with (1, 0) and (-1, 0) both labelled 1 they are on the boundary; no more are where (0, 1) is labelled 0
    assert sorted(on["inside"]) == [0, 0, 0, 0, 2, 2]
    assert sorted(on["boundary"]) == [0, 0, 1, 1, 2, 2]
    unit = np.eye(3, dtype=int)
    every = LinearSeparators(3).representatives(unit, "boundary")
    assert sorted((every @ unit == 0).sum(axis=1)) == [0, 1, 1, 1, 2, 2, 2, 2]


def test_half_planes_through_the_origin_are_exact() -> None:
    third, far = Fraction(1, 3), 2**60
    assert growth(OriginHalfPlanes(), [(third, third), (2, 2), (0.1, 0.1)]) == 2
    # doubles cannot tell these directions from one another, nor from opposite ones
    assert growth(OriginHalfPlanes(), [(far, far + 1), (far + 1, far)]) == 4
    assert growth(OriginHalfPlanes(), [(far, far + 1), (-far, -far - 1)]) == 3
    assert growth(OriginHalfPlanes(), [(far, far + 1), (-far, -far)]) == 4
    assert growth(LinearSeparators(3), [(far, far, 1), (far, far, 2), (2 * far, 2 * far, 3)]) == 6
    x = [(far, far + 1), (-far, -far), (0.5, third), (0, 0)]
    w = OriginHalfPlanes().representatives(x)
    for family in (OriginHalfPlanes(), LinearSeparators(2)):
        for y in product((0, 1), repeat=4):
            assert (mistakes(family, w, x, y) == (family.predict(w, x) != np.array(y)).sum(axis=1)).all()
    assert OriginHalfPlanes().points([(third, 1)]).tolist() == [[third, 1]]


def test_directions_are_ranked_by_their_exact_angles(rng: np.random.Generator) -> None:
    vectors = np.array([v for v in product(range(-9, 10), repeat=2) if any(v)])
    angles = np.arctan2(vectors[:, 1], vectors[:, 0]) % (2 * np.pi)
    order = np.argsort(angles, kind="stable")
    # neighbouring angles of so small vectors differ by more than 1/200, or are equal
    expected = np.cumsum(np.append(False, np.diff(angles[order]) > 1e-9))
    for scale in (1, 2**40, 2**1100):  # by 64 bits, by doubles and what they leave open, by Python's integers alone
        ranks = angular_ranks(vectors.astype(object) * scale if scale > 1 else vectors)
        assert (ranks[order] == expected).all()
    # doubles take all of these for one direction, or for one and its opposite, or for the two sides of angle 0
    far = 2**70
    close = [(far, -2), (far, -1), (far, 0), (far, 1), (far, 2), (-far, 2), (-far, 1), (-far, 0), (-far, -1)]
    mixed = np.array(close, dtype=object)[rng.permutation(9)]
    assert by_angle(mixed).tolist() == [list(v) for v in close[2:] + close[:2]]
    assert angular_ranks(np.array([(far, 1), (2 * far, 2), (far, 0)], dtype=object)).tolist() == [1, 1, 0]


def test_many_half_planes_through_the_origin(rng: np.random.Generator) -> None:
    x = rng.integers(-(2**28), 2**28, (20_000, 2), endpoint=True)
    w = OriginHalfPlanes().representatives(x)
    assert w.dtype == np.int64
    y = (x @ [3, -5] >= 0).astype(np.uint8)
    wrong = mistakes(OriginHalfPlanes(), w, x, y)
    assert wrong.min() == 0
    some = rng.integers(0, len(w), 20)
    assert (wrong[some] == (OriginHalfPlanes().predict(w[some], x) != y).sum(axis=1)).all()
    # neighbours differ in at most the points between them
    assert len(np.unique(w, axis=0)) == len(w)


# --- boxes and intervals


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_boxes_are_those_of_all_corners(dimension: int, rng: np.random.Generator) -> None:
    points = np.unique(rng.integers(0, 3, (7, dimension)), axis=0)
    grid = GridBoxes(3, dimension)
    expected = set(map(tuple, grid.predict(grid.everything(), points).tolist()))
    for family in (Boxes(dimension), grid):
        found = dichotomies(family, points)
        assert rows_of(found) == expected
        assert len(found) == len(expected)
        for labels, box in zip(found.labels, found.hypotheses, strict=True):
            if labels.any():
                inside = points[labels == 1]
                assert (box[::2] == inside.min(axis=0)).all()
                assert (box[1::2] == inside.max(axis=0)).all()


def test_planar_boxes_are_the_rectangles_and_a_flat_third_coordinate_changes_nothing(rng: np.random.Generator) -> None:
    points = rng.integers(0, 5, (9, 2))
    flat = np.concatenate([points, np.full((9, 1), 7)], axis=1)
    rectangles = Rectangles().representatives(points)
    assert (Boxes(2).representatives(points) == rectangles).all()
    assert sorted(map(tuple, Boxes(3).representatives(flat)[1:, :4].tolist())) == sorted(
        map(tuple, rectangles[1:].tolist())
    )


@pytest.mark.parametrize(
    ("side", "dimension", "vc"),
    [(1, 1, 1), (1, 3, 1), (2, 1, 2), (2, 2, 2), (2, 3, 3), (2, 4, 4), (3, 1, 2), (4, 1, 2), (3, 2, 4)],
)
def test_the_vc_dimension_of_boxes_of_a_grid(side: int, dimension: int, vc: int) -> None:
    family = GridBoxes(side, dimension)
    assert family.vc_dimension == vc == vc_dimension_on(family, family.domain())
    assert len(family.everything()) == family.size == growth(family, family.domain())
    unit = np.eye(dimension, dtype=int)
    assert growth(Boxes(dimension), np.concatenate([1 + unit, 1 - unit])) == 2 ** Boxes(dimension).vc_dimension


def test_mistakes_of_boxes_by_sums_over_corners_and_by_predicting(rng: np.random.Generator) -> None:
    huge = GridBoxes(2**40, 3)  # the table of sums has an entry for each triple of coordinates that occur: too many
    x = rng.integers(0, 2**40, (400, 3))
    boxes = np.sort(rng.integers(0, 2**40, (7, 3, 2)), axis=2).reshape(7, 6)
    small = GridBoxes(9, 3)
    for family, points, rows in ((huge, x, boxes), (small, x % 9, np.sort(boxes.reshape(7, 3, 2) % 9).reshape(7, 6))):
        y = rng.integers(0, 2, 400).astype(np.uint8)
        rows = np.concatenate([rows, [[1, 0] * 3], [[5, 5, 8, 2, 0, 3]]])
        assert (family.mistakes(rows, points, y) == (family.predict(rows, points) != y).sum(axis=1)).all()


def test_representatives_of_intervals_of_a_grid() -> None:
    family = GridIntervals(10)
    expected = {
        "smallest": [[1, 0], [2, 2], [2, 7], [7, 7]],
        "largest": [[1, 0], [0, 6], [0, 9], [3, 9]],
        "middle": [[1, 0], [1, 4], [1, 8], [5, 8]],
    }
    for rule, rows in expected.items():
        assert family.representatives([7, 2, 2], rule).tolist() == rows
    assert GridIntervals(2**60).representatives([2**60 - 1, 2**53 + 1], "largest")[1:].tolist() == [
        [0, 2**60 - 2],
        [0, 2**60 - 1],
        [2**53 + 2, 2**60 - 1],
    ]


def test_the_littlestone_dimension_of_intervals() -> None:
    for size in range(1, 11):
        family = GridIntervals(size)
        assert family.littlestone_dimension == littlestone_dimension_on(family, family.domain())
        assert GridBoxes(size, 1).littlestone_dimension == family.littlestone_dimension
    assert GridIntervals(512).littlestone_dimension == 16
    assert GridIntervals(513).littlestone_dimension is None


# --- parities and sets


def test_parities_have_the_dichotomies_of_a_linear_space(rng: np.random.Generator) -> None:
    for bits in (1, 3, 6):
        family = Parities(bits)
        points = rng.integers(0, 2**bits, 4)
        matrix = family.predict(family.everything(), np.unique(points))
        found = {rule: dichotomies(family, points, rule) for rule in family.rules}
        for rule, pick in (("lowest", min), ("highest", max)):
            of: dict[tuple[int, ...], int] = {}
            for mask, labels in enumerate(map(tuple, matrix.tolist())):
                of[labels] = pick(of.get(labels, mask), mask)
            rows = map(tuple, found[rule].labels.tolist())
            assert dict(zip(rows, found[rule].hypotheses.tolist(), strict=True)) == of
        assert family.vc_dimension == family.littlestone_dimension == bits
    wide = Parities(60)
    assert growth(wide, [1, 2**59, 2**59 + 1]) == 4
    assert wide.representatives([2**59], "highest").tolist() == [2**59 - 1, 2**60 - 1]


def test_mistakes_of_all_parities_by_one_transform(rng: np.random.Generator) -> None:
    family = Parities(14)
    x = rng.integers(0, family.size, 2000)
    y = (family.predict([5000], x)[0] ^ (rng.random(2000) < 0.1)).astype(np.uint8)
    every = mistakes(family, family.everything(), x, y)
    some = rng.integers(0, family.size, 50)
    assert (every[some] == (family.predict(some, x) != y).sum(axis=1)).all()
    assert (every[some] == mistakes(family, some, x, y)).all()  # few: by predicting
    # half of all masks err on a record, unless its point is 0: then all or none
    assert every.sum() == family.size // 2 * (x != 0).sum() + family.size * y[x == 0].sum()
    values = rng.integers(-9, 10, 16)
    signs = 1 - 2 * Parities(4).predict(range(16), range(16)).astype(int)
    assert (walsh_hadamard(values) == signs @ values).all()


def test_finite_subsets() -> None:
    family, small = FiniteSubsets(), FiniteSubsets(2)
    assert growth(family, np.linspace(0, 1, 10)) == 2**10
    assert growth(small, np.linspace(0, 1, 10)) == 1 + 10 + 45 == sauer_bound(2, 10)
    assert (family.vc_dimension, family.littlestone_dimension) == (inf, inf)
    assert small.vc_dimension == small.littlestone_dimension == vc_dimension_on(small, np.linspace(0, 1, 5))
    assert littlestone_dimension_on(small, np.linspace(0, 1, 5)) == 2
    hypotheses = subset_rows([(0.5, 0.25), (), (0.75,), (0.5, 0.5)])
    assert hypotheses.tolist() == [[0.25, 0.5], [-1, -1], [0.75, -1], [0.5, -1]]
    assert mistakes(family, hypotheses, [0.25, 0.5, 0.5, 1], [1, 1, 0, 1]).tolist() == [2, 3, 3, 3]
    assert mistakes(family, [(0.5, 0.5), ()], [0.5, 1], [1, 0]).tolist() == [0, 1]
    with pytest.raises(InvalidArgument, match=r"^points must have at most 1,048,576 dichotomies, got 30 with"):
        family.representatives(np.linspace(0, 1, 30))


# --- thresholds in both orientations


def test_orientations_of_thresholds() -> None:
    grid = np.arange(5)
    up, down, both = (GridThresholds(5, way) for way in ("up", "down", "both"))
    assert GridThresholds(5) == up
    assert Thresholds() == Thresholds("up")
    assert (down.predict(down.everything(), grid) == 1 - up.predict(up.everything(), grid)).all()
    functions = up.predict(up.everything(), grid).tolist() + down.predict(down.everything(), grid).tolist()
    assert sorted(both.predict(both.everything(), grid).tolist()) == sorted(map(list, set(map(tuple, functions))))
    assert both.representatives([3, 1], "highest").tolist() == [[1, 0], [3, 0], [5, 0], [3, 1]]
    assert growth(Thresholds("both"), [0.5]) == 2
    assert mistakes(both, [(2, 0), (2, 1)], [0, 2, 4], [0, 1, 0]).tolist() == [1, 2]


@pytest.mark.parametrize("orientation", ["down", "both"])
@pytest.mark.parametrize("line", [False, True])
def test_the_adversarial_threshold_is_the_worst_of_its_dichotomy(
    orientation: str, line: bool, rng: np.random.Generator
) -> None:
    family: Any = Thresholds(orientation) if line else GridThresholds(9, orientation)
    t = np.arange(-1, 11) - 0.5 if line else np.arange(10)
    every = t if orientation == "down" else np.array(list(product(t, (0, 1))))
    for seen in ([], [4], [2, 7], [0, 3, 8]):
        x, y = rng.integers(0, 9, 12), rng.integers(0, 2, 12)
        weights = rng.integers(0, 5, 12) + (np.arange(12) == 0)
        found = dichotomies(family, seen, Adversarial(x.tolist(), y.tolist(), weights.tolist()))
        error = (family.predict(every, x) != y) @ weights
        worst: dict[tuple[int, ...], int] = {}
        for labels, wrong in zip(map(tuple, family.predict(every, found.points).tolist()), error, strict=True):
            worst[labels] = max(worst.get(labels, 0), int(wrong))
        chosen = (family.predict(found.hypotheses, x) != y) @ weights
        assert dict(zip(map(tuple, found.labels.tolist()), chosen.tolist(), strict=True)) == worst


def test_the_littlestone_dimension_of_both_orientations() -> None:
    for size in range(1, 18):
        family = GridThresholds(size, "both")
        listed = FiniteClass(family.predict(family.everything(), family.domain()))
        assert family.size == listed.size == growth(family, family.domain())
        assert (family.vc_dimension, family.littlestone_dimension) == (
            listed.vc_dimension,
            listed.littlestone_dimension,
        )


def test_bits_spell_points_in_their_order() -> None:
    cube = list(product((0, 1), repeat=4))
    numbers = numbers_of_bits(cube)
    assert numbers.tolist() == list(range(16))
    # t = (1, 0, 1, 1): those from it on, in the lexicographic order
    labels = GridThresholds(2**4).predict(numbers_of_bits([(1, 0, 1, 1)]), numbers)[0]
    assert labels.tolist() == [int(bits >= (1, 0, 1, 1)) for bits in cube]
    parity = Parities(4).predict(numbers_of_bits([(1, 0, 1, 1)]), numbers)[0]
    assert parity.tolist() == [(a + c + d) % 2 for a, _, c, d in cube]
    assert numbers_of_bits([]).tolist() == []


def test_a_million_points_of_both_orientations(rng: np.random.Generator) -> None:
    x = rng.random(1_000_000)
    family = Thresholds("both")
    rows = family.representatives(x)
    assert len(rows) == 2 * len(np.unique(x))
    wrong = family.mistakes(rows, x, (x < 0.25).astype(np.uint8))
    assert wrong.min() == 0
    assert rows[int(wrong.argmin()), 1] == 1
    assert wrong[0] == (x >= 0.25).sum()


# --- symmetric differences and dimensions


@pytest.mark.parametrize(
    ("family", "points"),
    [
        (GridThresholds(6), range(6)),
        (GridThresholds(4, "both"), range(4)),
        (GridIntervals(5), range(5)),
        (Parities(3), range(8)),
        (PointFunctions(6), range(6)),
        (FiniteSubsets(1), [0.0, 0.5, 1.0]),
        (HalfPlanes(), [(0, 0), (1, 0), (0, 1), (1, 1)]),
        (LinearSeparators(3), [(1, 0, 0), (0, 1, 0), (-1, 0, 0), (1, 1, 1)]),
        (FiniteClass([[0, 0, 1], [1, 0, 1], [1, 1, 0]]), range(3)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_symmetric_differences_are_those_of_all_pairs(family: Any, points: Any) -> None:
    labels = dichotomies(family, points).labels
    expected = {tuple(one ^ other) for one in labels for other in labels}
    found = dichotomies(Xor(family), points)
    assert rows_of(found) == expected
    assert len(found) == len(expected) == xor_growth(family, points)
    listed = FiniteClass(np.array(sorted(expected)))
    if hasattr(family, "domain"):
        assert Xor(family).vc_dimension == listed.vc_dimension
        assert Xor(family).littlestone_dimension == listed.littlestone_dimension


def test_dimensions_of_symmetric_differences_on_infinite_domains() -> None:
    assert (Xor(Thresholds()).vc_dimension, Xor(Thresholds()).littlestone_dimension) == (2, inf)
    assert Xor(GridThresholds(2**40)).vc_dimension == 2
    assert Xor(FiniteSubsets(3)).vc_dimension == 6
    assert Xor(FiniteSubsets()).vc_dimension == inf
    assert (Xor(HalfPlanes()).vc_dimension, Xor(HalfPlanes()).littlestone_dimension) == (None, inf)
    assert Xor(GridThresholds(2**40, "both")).littlestone_dimension is None
    assert Xor(Xor(GridThresholds(3))).vc_dimension is None  # a class of pairs lists no domain
    with pytest.raises(InvalidArgument, match=r"^family must be a hypothesis class, got 3"):
        Xor(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "family",
    [
        *(GridThresholds(5, way) for way in ("up", "down", "both")),
        GridIntervals(6),
        GridBoxes(2, 2),
        GridBoxes(3, 2),
        Parities(3),
        PointFunctions(6),
        AllFunctions(4),
        FiniteClass([[0, 0, 1], [1, 0, 1], [1, 1, 0]]),
    ],
    ids=str,
)
def test_a_finite_class_has_the_dimensions_of_its_list(family: Any) -> None:
    every, domain = family.everything(), family.domain()
    assert len(every) == family.size
    listed = FiniteClass(family.predict(every, domain))
    assert (family.vc_dimension, family.littlestone_dimension) == (listed.vc_dimension, listed.littlestone_dimension)
    assert (vc_dimension_on(family, domain), littlestone_dimension_on(family, domain)) == (
        family.vc_dimension,
        family.littlestone_dimension,
    )
    for some in combinations(range(len(domain)), 3):
        assert growth(family, domain[list(some)]) <= sauer_bound(family.vc_dimension, 3)
    assert isinstance(family, FiniteHypothesisClass)


def test_dimensions_of_stumps_and_of_finite_or_cofinite_sets() -> None:
    for columns in (1, 2):
        grid = list(product(range(4), repeat=columns))
        assert vc_dimension_on(Stumps(columns), grid) == Stumps(columns).vc_dimension == columns + 1
    for exceptions, size in ((1, 3), (1, 6), (2, 5), (2, 6)):
        family = FiniteOrCofinite(exceptions, size)
        assert vc_dimension_on(family, family.domain()) == family.vc_dimension
        assert littlestone_dimension_on(family, family.domain()) == family.littlestone_dimension


def test_sauer_bound_and_dimensions_on_points() -> None:
    assert [sauer_bound(2, m) for m in range(5)] == [1, 2, 4, 7, 11]
    assert sauer_bound(5, 3) == sauer_bound(inf, 3) == 8
    assert sauer_bound(0, 9) == 1
    assert vc_dimension_on(Intervals(), []) == littlestone_dimension_on(Intervals(), []) == 0
    assert vc_dimension_on(FiniteOrCofinite(1), [5, 7, 9, 11]) == FiniteOrCofinite(1).vc_dimension == 3
    assert littlestone_dimension_on(GridThresholds(100), range(100)) is None  # 101 dichotomies
    assert sauer_bound(40, 100) == sum(comb(100, i) for i in range(41))
    assert sauer_bound(10**5, 10**5) == 2**100_000  # no coefficient of such numbers is computed
    assert sauer_bound(9_999, 20_000) == (2**20_000 - comb(20_000, 10_000)) // 2


def test_integers_of_any_kind_are_exactly_what_they_are() -> None:
    family, huge = OriginHalfPlanes(), 2**63 + 1  # beside a negative one numpy knows doubles alone for it
    assert family.points([(huge, -1)]).tolist() == [[huge, -1]]
    assert HalfPlanes().points([(huge, -1)]).tolist() == [[huge, -1]]
    assert family.predict([(huge, -1)], [(1, huge), (1, huge + 1)]).tolist() == [[1, 0]]
    assert family.points([(np.int64(2**40), 2.0**-80)]).tolist() == [[2**40, Fraction(1, 2**80)]]
    assert family.points([(np.float32(0.5), 1)]).tolist() == [[Fraction(1, 2), 1]]
    unsigned = np.array([(1, 0), (0, 1)], dtype=np.uint64)
    assert mistakes(family, unsigned, [(1, -1), (-1, 2)], [1, 1]).tolist() == [1, 1]
    # sums of 0 hold no number of such rows, so doubles must not be taken for them
    assert family.predict([(10**400, 1)], [(0, 0)]).tolist() == [[1]]
    assert family.predict([(10**400, 1)], []).shape == (1, 0)
    assert LinearSeparators(3).mistakes(np.array([(10**400, 1, 0)], dtype=object), [], np.zeros(0)).tolist() == [0]


def test_few_boxes_of_many_dimensions_need_no_sums_over_all_corners() -> None:
    family = GridBoxes(3, 40)  # of 2^40 corners
    boxes = np.array([(0, 1) * 40, (1, 0) * 40])
    assert family.mistakes(boxes, [(0,) * 40, (2,) * 40], np.array([1, 1])).tolist() == [1, 2]
    assert family.mistakes(boxes, [], np.zeros(0, dtype=np.uint8)).tolist() == [0, 0]


def test_slabs_are_worked_on_in_parts(monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator) -> None:
    points = rng.integers(0, 4, (9, 3))
    whole = Boxes(3).representatives(points)
    monkeypatch.setattr("dpcheck.parts.classes.boxes._CELLS", 20)
    assert Boxes(3).representatives(points).tolist() == whole.tolist()


def test_pairs_are_worked_on_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Xor(Thresholds()).representatives(range(12))
    monkeypatch.setattr("dpcheck.parts.classes.combinatorics._CELLS", 20)
    assert Xor(Thresholds()).representatives(range(12)).tolist() == whole.tolist()
    assert len(whole) == 1 + 12 * 13 // 2


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: OriginHalfPlanes().predict([(0, 0)], [(1, 1)]), "hypotheses must be rows of 2 integers, not all 0"),
        (lambda: OriginHalfPlanes().predict([(0.5, 1)], [(1, 1)]), "hypotheses must be rows of 2 integers, not all 0"),
        (lambda: OriginHalfPlanes().points([(1, 2, 3)]), r"points must have the shape \(m, 2\), got \(1, 3\)"),
        (lambda: LinearSeparators(3).points([(1, 2, np.nan)]), "points must have finite coordinates, got an array"),
        (lambda: LinearSeparators(1), "dimension must be an integer from 2 to 12, got 1"),
        (lambda: growth(LinearSeparators(9), np.vander(range(40), 9)), "points must lie on lines with at most 2,048"),
        (
            lambda: growth(LinearSeparators(12), np.vander(range(16), 12)),
            "points must lie on lines with at most 256 sets",
        ),
        (lambda: growth(Boxes(3), np.arange(300_000).reshape(-1, 3)), "points must have fewer boxes to be listed in 3"),
        (lambda: Boxes(3).points(np.full((1, 3), 2**63, dtype=np.uint64)), r"points must be integers below 2\^63 or"),
        (lambda: GridThresholds(8).points([inf]), "points must be integers from 0 to 7, got an array of float64"),
        (lambda: Thresholds().points([2**53 + 1]), "points must be numbers that doubles hold: integers above"),
        (lambda: Thresholds().points([[1], [1, 2]]), "points must have one length each, got rows of different lengths"),
        (lambda: OriginHalfPlanes().points([(1, 2), (1,)]), "points must have one length each, got rows of different"),
        (lambda: OriginHalfPlanes().points(5), r"points must have the shape \(m, 2\), got 5"),
        (
            lambda: mistakes(Thresholds(), [0.5], [0, 1], [None, 1]),
            r"labels must be a sequence of 0 and 1, got \[None, 1",
        ),
        (lambda: growth(FiniteSubsets(), np.arange(50_000) / 50_000), "points must have at most 1,048,576 dichotomies"),
        (
            lambda: growth(Xor(Parities(16)), 2 ** np.arange(16)),
            "points must have fewer dichotomies for all pairs to be",
        ),
        (  # all labellings of three points, but on too many sets to list
            lambda: FiniteClass(np.arange(8)[:, None] >> (np.arange(3000) % 3)[None, :] & 1).vc_dimension,
            "matrix must have fewer points for its VC dimension to be computed, got 3000",
        ),
        (
            lambda: growth(Intervals(), np.arange(10**5)),
            "points must have at most 134,217,728 intervals to be listed, got",
        ),
        (
            lambda: growth(GridIntervals(2**40), np.arange(10**5)),
            "points must have at most 134,217,728 intervals to be",
        ),
        (lambda: growth(Boxes(1), np.arange(10**5)[:, None]), "points must have at most 134,217,728 intervals to be"),
        (lambda: sauer_bound(float("nan"), 3), "vc_dimension must be an integer or inf, got nan"),
        (lambda: sauer_bound(-inf, 3), "vc_dimension must be an integer or inf, got -inf"),
        (lambda: Boxes(0), "dimension must be an integer from 1 to 64, got 0"),
        (
            lambda: growth(Boxes(3), [(t, 7 * t % 101, 31 * t % 101) for t in range(101)]),
            "points must have fewer boxes to be listed in 3 dimensions, got 101 different ones: .* would be tried",
        ),
        (
            lambda: growth(HalfPlanes(), np.random.default_rng(0).random((1_000, 2))),
            "points must have at most 67,108 dichotomies by half-planes, got 1,000 different points with up to 999,002",
        ),
        (
            lambda: growth(HalfPlanes(), [(t, t * t % 1009) for t in range(1_000)]),
            "points must have at most 268,435 dichotomies by half-planes",
        ),
        (lambda: GridBoxes(3, 2).points([(0, 3)]), "points must be integers from 0 to 2, got an array of int64 with"),
        (lambda: GridBoxes(3, 2).points([(0, 0.5)]), "points must be integers from 0 to 2, got an array of float64"),
        (lambda: GridBoxes(100, 3).everything(), "side must give at most 16,777,216 boxes to be listed, got"),
        (lambda: GridIntervals(10**6).everything(), "domain_size must give at most 16,777,216 intervals"),
        (lambda: GridThresholds(2**60).everything(), "domain_size must be at most 67,108,864 for all points"),
        (lambda: Parities(63), "bits must be an integer from 1 to 62, got 63"),
        (lambda: Parities(3).predict([8], [1]), "points must be integers from 0 to 7, got"),
        (lambda: Parities(40).everything(), "bits must be at most 24 for all masks to be listed, got 40"),
        (lambda: growth(Parities(40), [2**i for i in range(30)]), r"points must have at most 2\^24 dichotomies"),
        (lambda: FiniteSubsets(0), "largest must be an integer from 1 to"),
        (lambda: FiniteSubsets().points([0.5, 1.5]), "points must be from 0 to 1, got 1.5"),
        (lambda: Thresholds("upp"), "orientation must be one of up, down, both, got 'upp'"),
        (lambda: numbers_of_bits([(0, 2)]), "points must be tuples of at most 62 bits, all of one length, got"),
        (lambda: sauer_bound(1.5, 3), "vc_dimension must be an integer or inf, got 1.5"),
        (lambda: sauer_bound(1, -1), "points must be an integer from 0 to"),
    ],
)
def test_refusals_are_one_line(make: Any, message: str) -> None:
    with pytest.raises(InvalidArgument, match=f"^{message}") as caught:
        make()
    assert "\n" not in str(caught.value)
