"""Hypothesis classes: dichotomies, representatives, dimensions and covers against brute force and formulas."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np
import pytest

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes import (
    Adversarial,
    AllFunctions,
    FiniteClass,
    FiniteHypothesisClass,
    FiniteOrCofinite,
    GridIntervals,
    GridThresholds,
    HalfPlanes,
    HypothesisClass,
    Intervals,
    Parities,
    PointFunctions,
    Rectangles,
    Stumps,
    Thresholds,
    cover_radius,
    dichotomies,
    disagreement,
    growth,
    mistakes,
    sample_disagreement,
    xor_growth,
)

GRID = [(i, j) for i in range(3) for j in range(3)]
MATRIX = np.array([[0, 0, 0], [0, 1, 1], [1, 1, 0], [1, 1, 1], [0, 1, 1]])
#: Each class with points of its domain.
CLASSES: list[tuple[Any, list[Any]]] = [
    (Thresholds(), [0.5, -1.0, 2.0, 0.5]),
    (GridThresholds(7), [0, 3, 6, 3]),
    (Intervals(), [0.5, -1.0, 2.0]),
    (Rectangles(), GRID[:5]),
    (HalfPlanes(), GRID[:6]),
    (Stumps(2), GRID[:5]),
    (PointFunctions(7), [0, 3, 6]),
    (AllFunctions(5), [0, 3, 4]),
    (FiniteOrCofinite(1, 50), [0, 7, 9, 30]),
    (FiniteClass(MATRIX), [0, 2]),
]
named = pytest.mark.parametrize(("family", "points"), CLASSES, ids=lambda value: type(value).__name__)


@named
def test_every_class_keeps_the_protocol(family: Any, points: list[Any]) -> None:
    assert isinstance(family, HypothesisClass)
    assert hash(family) == hash(family)
    for rule in (None, *family.rules):
        found = dichotomies(family, points, rule)
        assert len(found) == growth(family, points) == len(found.hypotheses)
        assert len({row.tobytes() for row in found.labels}) == len(found)  # each once
        assert found.labels.dtype == np.uint8
        assert {row.tobytes() for row in found.labels} == {
            row.tobytes() for row in dichotomies(family, points).labels
        }  # whoever represents them
        turned = dichotomies(family, [*points, *points][::-1], rule)
        assert (turned.labels == found.labels).all()
    with pytest.raises(InvalidArgument, match=r"^rule must be one of .*, got 'best'"):
        family.representatives(points, "best")


@named
def test_no_points_have_one_dichotomy_and_one_point_at_most_two(family: Any, points: list[Any]) -> None:
    assert growth(family, []) == 1
    assert growth(family, points[:1]) == 2
    assert dichotomies(family, []).labels.shape == (1, 0)


@named
def test_mistakes_are_counted_as_predicted(family: Any, points: list[Any], rng: np.random.Generator) -> None:
    where = [points[i] for i in rng.integers(0, len(points), 30)]
    labels = rng.integers(0, 2, 30)
    hypotheses = family.representatives(points)
    counted = (family.predict(hypotheses, where) != labels).sum(axis=1)
    assert (mistakes(family, hypotheses, where, labels) == counted).all()
    assert (mistakes(family, hypotheses, [], []) == 0).all()


@pytest.mark.parametrize("family", [family for family, _ in CLASSES if isinstance(family, FiniteHypothesisClass)])
def test_a_finite_class_has_the_dichotomies_and_the_dimensions_of_its_matrix(family: Any) -> None:
    every = family.everything()
    assert len(every) == family.size
    domain = range(3 if isinstance(family, FiniteClass) else family.domain_size)
    matrix = family.predict(every, domain)
    listed = FiniteClass(matrix)
    assert (family.vc_dimension, family.littlestone_dimension) == (listed.vc_dimension, listed.littlestone_dimension)
    for size in range(4):
        for some in combinations(domain, min(size, len(domain))):
            assert set(map(tuple, dichotomies(family, some).labels.tolist())) == set(
                map(tuple, matrix[:, list(some)].tolist())
            )


@pytest.mark.parametrize("size", range(1, 18))
def test_the_littlestone_dimension_of_thresholds_is_that_of_binary_search(size: int) -> None:
    grid = GridThresholds(size)
    listed = FiniteClass(grid.predict(grid.everything(), range(size)))
    assert grid.littlestone_dimension == listed.littlestone_dimension == int(np.log2(size + 1))


def test_dimensions_of_listed_classes() -> None:
    cube = np.array(list(product([0, 1], repeat=4)))
    assert (FiniteClass(cube).vc_dimension, FiniteClass(cube).littlestone_dimension) == (4, 4)
    assert (FiniteClass([[1, 0]]).vc_dimension, FiniteClass([[1, 0]]).littlestone_dimension) == (0, 0)
    finite = FiniteOrCofinite(1, 7)
    every = np.concatenate([dichotomies(finite, range(7), rule).hypotheses for rule in finite.rules])
    listed = FiniteClass(finite.predict(every, range(7)))
    assert listed.vc_dimension == listed.littlestone_dimension == 3 == finite.vc_dimension
    assert FiniteClass(np.eye(65, dtype=int)).littlestone_dimension is None


# --- counts and sets of dichotomies


@pytest.mark.parametrize("m", range(2, 9))
def test_counts_in_general_position(m: int, rng: np.random.Generator) -> None:
    line = rng.permutation(1000)[:m]
    # on a convex curve no three points are collinear; the slopes of all pairs differ
    curve = np.stack([line, line**2], axis=1)
    assert growth(Thresholds(), line) == growth(GridThresholds(1000), line) == m + 1
    assert growth(Intervals(), line) == 1 + m * (m + 1) // 2
    assert growth(HalfPlanes(), curve) == m * (m - 1) + 2
    assert growth(PointFunctions(1000), line) == m + 1
    assert growth(PointFunctions(m), range(m)) == m
    assert growth(AllFunctions(9), range(m)) == 2**m
    k = 2
    held = {s for s in range(m + 1) if s <= k or m - s <= k}
    assert growth(FiniteOrCofinite(k), line) == sum(comb(m, s) for s in held)
    assert growth(Stumps(1), line[:, None]) == 2 * m
    assert growth(HalfPlanes(), np.stack([line, 3 * line], axis=1)) == 2 * m  # collinear: a line with both signs
    # the symmetric differences of thresholds are the intervals; Sauer's bound for both
    assert xor_growth(Thresholds(), line) == growth(Intervals(), line)
    for family in (Thresholds(), Intervals()):
        assert xor_growth(family, line) <= growth(family, line) ** 2
        assert growth(family, line) <= sum(comb(m, i) for i in range(family.vc_dimension + 1))


def _separable(points: np.ndarray[Any, Any], labels: np.ndarray[Any, Any]) -> bool:
    """Whether a half-plane holds exactly the points labelled 1, by linear programming with a margin."""
    from scipy.optimize import linprog

    sign = 2.0 * labels - 1
    rows = -sign[:, None] * np.column_stack([points, -np.ones(len(points))])
    return bool(linprog(np.zeros(3), A_ub=rows, b_ub=-np.ones(len(points)), bounds=[(None, None)] * 3).status == 0)


@pytest.mark.parametrize("run", range(6))
def test_half_planes_are_those_of_linear_programming(run: int, rng: np.random.Generator) -> None:
    points = rng.integers(0, 3 if run % 2 else 6, (6, 2))
    found = dichotomies(HalfPlanes(), points)
    possible = np.array(list(product([0, 1], repeat=len(found.points))))
    separable = {tuple(row) for row in possible.tolist() if _separable(found.points, np.array(row))}
    assert set(map(tuple, found.labels.tolist())) == separable


def test_half_planes_are_exact() -> None:
    thirds = [(Fraction(1, 3), Fraction(1, 3)), (Fraction(2, 3), Fraction(2, 3)), (1, 1), (0, 1)]
    assert growth(HalfPlanes(), thirds) == growth(HalfPlanes(), [(1, 1), (2, 2), (3, 3), (0, 3)])
    # three points that doubles cannot tell from collinear ones
    far = 2**55
    assert growth(HalfPlanes(), [(0, 0), (far, far), (2 * far, 2 * far)]) == 6
    assert growth(HalfPlanes(), [(0, 0), (far, far), (2 * far, 2 * far + 1)]) == 8
    assert growth(HalfPlanes(), [(0.1, 0.1), (0.2, 0.2), (0.1, 0.1)]) == 4
    hypotheses = HalfPlanes().representatives(thirds)
    assert (mistakes(HalfPlanes(), hypotheses, thirds, [1, 1, 1, 1]) == 0).any()


@pytest.mark.parametrize("run", range(5))
def test_rectangles_and_stumps_are_those_of_all_corners(run: int, rng: np.random.Generator) -> None:
    points = np.unique(rng.integers(0, 4, (int(rng.integers(1, 9)), 2)), axis=0)
    x, y = points.T
    ranges = [(a, b) for a in range(4) for b in range(a, 4)]
    boxes = {tuple(((a <= x) & (x <= b) & (c <= y) & (y <= d)).astype(int)) for a, b in ranges for c, d in ranges}
    boxes.add((0,) * len(points))
    assert set(map(tuple, dichotomies(Rectangles(), points).labels.tolist())) == boxes
    stumps = {tuple(((column >= t) ^ bool(sign)).astype(int)) for column in (x, y) for t in range(5) for sign in (0, 1)}
    assert set(map(tuple, dichotomies(Stumps(2), points).labels.tolist())) == stumps


@pytest.mark.parametrize(
    ("family", "shattered", "points"),
    [
        (Thresholds(), [3.0], [(1.0, 2.0)]),
        (Intervals(), [1.0, 2.0], [(1.0, 2.0, 3.0)]),
        (Rectangles(), [(0, 1), (1, 0), (2, 1), (1, 2)], list(combinations(GRID, 5))),
        (HalfPlanes(), [(0, 0), (0, 1), (1, 0)], list(combinations(GRID, 4))),
        (Stumps(2), [(0, 1), (1, 2), (2, 0)], list(combinations(GRID, 4))),
        (Stumps(3), [(0, 1, 0), (1, 3, 2), (2, 0, 3), (3, 2, 1)], []),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_vc_dimension_is_reached_and_not_exceeded(family: Any, shattered: list[Any], points: list[Any]) -> None:
    assert family.vc_dimension == len(shattered)
    assert growth(family, shattered) == 2 ** len(shattered)
    assert all(growth(family, some) < 2 ** len(some) for some in points)


# --- thresholds


def test_representatives_of_thresholds_by_rule() -> None:
    grid = GridThresholds(10)
    for rule, expected in {"lowest": [0, 3, 8], "highest": [2, 7, 10], "middle": [1, 5, 9]}.items():
        assert grid.representatives([7, 2, 2], rule).tolist() == expected
    assert grid.representatives(range(10)).tolist() == list(range(11))
    assert grid.representatives([9], "lowest").tolist() == [0, 10]
    assert Thresholds().representatives([], "middle").tolist() == [-np.inf]
    close = [1.0, np.nextafter(1.0, 2.0)]
    assert len(dichotomies(Thresholds(), close, "middle")) == 3
    assert growth(Thresholds(), [0.0, -0.0]) == 2


@pytest.mark.parametrize("family", [GridThresholds(9), Thresholds()])
def test_the_adversarial_representative_is_the_worst_of_its_cell(family: Any, rng: np.random.Generator) -> None:
    for _ in range(20):
        x, y = rng.integers(0, 9, 12), rng.integers(0, 2, 12)
        weights = rng.integers(0, 5, 12) + (np.arange(12) == 0)
        seen = rng.integers(0, 9, 3)
        worst = family.representatives(seen, Adversarial(x, y, weights))
        every = np.arange(10) if isinstance(family, GridThresholds) else np.arange(-1, 11) - 0.5
        error = (family.predict(every, x) != y) @ weights
        cells = family.predict(every, np.unique(seen)).sum(axis=1)
        chosen = family.predict(worst, np.unique(seen)).sum(axis=1)
        found = (family.predict(worst, x) != y) @ weights
        assert [int(e) for e in found] == [int(error[cells == cell].max()) for cell in chosen]


def test_the_adversarial_representative_of_a_listed_class() -> None:
    family = FiniteClass([[0, 0], [0, 1], [1, 1]])
    assert family.representatives([0], Adversarial([1], [1])).tolist() == [0, 2]
    assert family.representatives([0], Adversarial([1], [0])).tolist() == [1, 2]


def test_a_million_points_and_a_huge_grid(rng: np.random.Generator) -> None:
    x = rng.random(1_000_000)
    t = Thresholds().representatives(x, "highest")
    wrong = mistakes(Thresholds(), t, x, x >= 0.5)
    assert len(t) == len(np.unique(x)) + 1
    assert wrong.min() == 0
    assert wrong[0] == (x < 0.5).sum()
    last = 2**60 - 1
    grid = GridThresholds(2**60)
    assert grid.representatives([last, 2**53 + 1]).tolist() == [0, 2**53 + 2, 2**60]
    assert mistakes(grid, [last, last + 1], [last], [1]).tolist() == [0, 1]
    with pytest.raises(InvalidArgument, match="integers above 2\\^53 want GridThresholds"):
        Thresholds().points([2**60])


# --- covers


def test_disagreement_and_cover_radius_by_hand(rng: np.random.Generator) -> None:
    grid = GridThresholds(6)
    weights = rng.integers(0, 5, 6) + 1
    mass = [Fraction(int(w), int(weights.sum())) for w in weights]
    assert disagreement(grid, 1, 4, range(6), weights) == sum(mass[1:4])
    assert sample_disagreement(grid, 1, 4, [0, 2, 2, 5]) == Fraction(1, 2)
    cover = [0, 4]
    by_hand = max(min(sum(mass[min(h, c) : max(h, c)], Fraction(0)) for c in cover) for h in range(7))
    assert cover_radius(grid, cover, range(6), weights) == by_hand
    assert cover_radius(grid, cover, range(6), mass, of=[0, 4]) == 0
    assert cover_radius(grid, grid.representatives(range(6)), range(6)) == 0


def test_covers_of_thresholds_by_their_gaps() -> None:
    """A threshold may be covered from the next cell too: only behind the last (first) point a whole gap counts."""
    grid, size = GridThresholds(12), 12
    for seen in combinations(range(size), 3):
        unseen = np.diff([-1, *seen, size]) - 1  # maximal runs of unseen points
        for rule, whole, halves in (("lowest", unseen[-1], unseen[:-1]), ("highest", unseen[0], unseen[1:])):
            cover = grid.representatives(seen, rule)
            radius = cover_radius(grid, cover, range(size)) * size
            assert radius == max(int(whole), int(((halves + 1) // 2).max()))
            assert radius == np.abs(np.arange(size + 1)[:, None] - cover[None, :]).min(axis=1).max()


@pytest.mark.parametrize(
    "family",
    [GridThresholds(4), GridIntervals(4), PointFunctions(4), AllFunctions(4), FiniteOrCofinite(1, 4), Parities(2)],
    ids=lambda family: type(family).__name__,
)
def test_whole_doubles_are_integers(family: HypothesisClass) -> None:
    read = family.points(np.array([0.0, 3.0, -0.0]))  # as a column of a file has them
    assert (read.dtype, read.tolist()) == (np.int64, [0, 3, 0])
    for refused in (0.5, -1.0, 4.0, np.nan, np.inf, -np.inf):
        with pytest.raises(InvalidArgument, match="points must be integers from 0 to 3, got an array of float64 with"):
            family.points([1.0, refused])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: GridThresholds(0), "domain_size must be an integer from 1 to"),
        (lambda: GridThresholds(4).points([4]), "points must be integers from 0 to 3, got"),
        (lambda: GridThresholds(4).points([0.5]), "points must be integers from 0 to 3, got"),
        (lambda: Thresholds().points([np.nan]), "points must be a sequence of finite numbers, got"),
        (lambda: Rectangles().points([1, 2]), r"points must have the shape \(m, 2\), got \(2,\)"),
        (lambda: HalfPlanes().points([(1, np.inf)]), "points must have finite coordinates, got"),
        (lambda: FiniteClass([[2]]), "matrix must hold 0 and 1 in the shape"),
        (lambda: AllFunctions(21), "domain_size must be an integer from 1 to 20, got 21"),
        (lambda: mistakes(Thresholds(), [0.0], [1.0], [2]), r"labels must be a sequence of 0 and 1, got \[2\]"),
        (lambda: mistakes(Thresholds(), [0.0], [1.0], [0, 1]), "y must have a label per point, got 1 points and 2"),
        (lambda: Adversarial([1], [1], [-1]), "weights must be 1 numbers of at least 0, not all 0"),
        (lambda: cover_radius(GridThresholds(3), [], [1]), "cover must hold at least 1 hypothesis, got none"),
        (lambda: sample_disagreement(GridThresholds(3), 0, 1, []), "sample must hold at least 1 point, got none"),
        (lambda: FiniteOrCofinite(3).representatives(range(2000)), "points must have at most"),
    ],
)
def test_refusals_are_one_line(make: Any, message: str) -> None:
    with pytest.raises(InvalidArgument, match=f"^{message}") as caught:
        make()
    assert "\n" not in str(caught.value)
