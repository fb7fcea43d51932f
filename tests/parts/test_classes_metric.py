"""Metric spaces of hypotheses: closed forms, known codes, a million points, and broken versions that are caught."""

from __future__ import annotations

import pickle
from fractions import Fraction
from math import acos, floor, inf, pi
from typing import Any

import numpy as np
import pytest

import dpcheck.parts.classes.set_cover as set_cover
from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes import (
    AllFunctions,
    Atoms,
    Boxes,
    Doubling,
    FiniteClass,
    GridBoxes,
    GridThresholds,
    Intervals,
    LinearSeparators,
    LineLaw,
    OriginHalfPlanes,
    Product,
    Rectangles,
    Stumps,
    Thresholds,
    UniformGrid,
    UniformLine,
    UniformSphere,
    ball,
    covering_number,
    distance,
    doubling_dimension,
    empirical_minimisers,
    is_cover,
    is_packing,
    least_mistakes,
    net,
    packing_number,
)
from dpcheck.parts.classes.circle import half_turns
from dpcheck.parts.classes.finite_metric import FiniteMetric, finite_metric
from tests.statistical_tests import LEVEL

MIXED = LineLaw(  # half of the mass at 0, a tenth at 2, the rest uniform between
    lambda t: np.where(t < 0, 0, np.where(t < 2, 0.5 + 0.2 * np.clip(t, 0, 2), 1.0)),
    lambda p: np.where(p <= 0.5, 0.0, np.where(p < 0.9, (p - 0.5) / 0.2, 2.0)),
    atoms=(0.0, 2.0),
)


#: Each point outweighs all before it: no three neighbours are equally far apart.
GEOMETRIC = Atoms(range(2000), [3**i for i in range(2000)])


def cube(bits: int) -> tuple[Any, Atoms]:
    """All 0/1 words of a length, their distance the Hamming distance over the length."""
    return AllFunctions(bits), Atoms(range(bits))


@pytest.mark.parametrize(
    ("reference", "event", "mass"),
    [
        (Atoms([1.0, 5.0, 1.0], [1, 2, 3]), lambda x: x == 5.0, 1 / 3),
        (Atoms([1.0, 5.0], [1.0, 2.0**-60 + 1.0]), lambda x: x == 5.0, 1 / 2),
        (Atoms([0, 1], [10**30, 3 * 10**30 + 1]), lambda x: x == 1, 3 / 4),  # more than 64 bits
        (UniformLine(-1, 3), lambda x: x < 0, 1 / 4),
        (MIXED, lambda x: x == 0, 1 / 2),
        (MIXED, lambda x: x == 2, 1 / 10),
        (UniformGrid(2**60), lambda x: x < 2**58, 1 / 4),
        (UniformSphere(2), lambda x: (x[:, 0] > 0) & (x[:, 1] > x[:, 0]), 1 / 8),
        (UniformSphere(3), lambda x: x[:, 0] > 0.5, 1 / 4),  # Archimedes
        (Product([UniformLine(), MIXED]), lambda x: (x[:, 0] < 0.5) & (x[:, 1] == 0), 1 / 4),
    ],
    ids=lambda value: getattr(value, "description", ""),
)
def test_samples_have_the_masses(reference: Any, event: Any, mass: float, rng: np.random.Generator) -> None:
    """Null: the event has this mass. Exact binomial test at 1e-9; a mass off by 0.04 is missed with less than 1e-9."""
    from scipy.stats import binomtest

    drawn = reference.sample(40_000, rng)
    assert binomtest(int(event(drawn).sum()), 40_000, mass).pvalue >= LEVEL
    assert reference.name
    assert reference.sample(0, rng).shape == (0, *drawn.shape[1:])
    if not isinstance(reference, Product | LineLaw):
        assert pickle.loads(pickle.dumps(reference)) == reference
        assert hash(reference) == hash(pickle.loads(pickle.dumps(reference)))


def test_distances_in_closed_form() -> None:
    line, plane = UniformLine(0, 4), Product([UniformLine(), UniformLine(0, 2)])
    assert distance(Thresholds(), -inf, 1.0, line) == distance(Thresholds("down"), 2.0, 1.0, line) == Fraction(1, 4)
    assert distance(Thresholds("both"), (1.0, 0.0), (1.0, 1.0), line) == 1
    assert distance(Thresholds("both"), (1.0, 0.0), (2.0, 1.0), line) == Fraction(3, 4)
    assert distance(Thresholds(), 0.0, 2.0**-1074, MIXED) == Fraction(1, 2)  # D([s, t)) holds s and not t
    assert abs(distance(Thresholds(), 2.0, inf, MIXED) - Fraction(1, 10)) < 2.0**-50
    assert distance(Intervals(), (1.0, 3.0), (1.0, 0.0), line) == Fraction(1, 2)  # the empty one
    assert distance(Intervals(), (0.0, 0.0), (1.0, 0.0), MIXED) == Fraction(1, 2)
    assert distance(Rectangles(), (0, 1, 0, 1), (0.5, 1, 0, 2), plane) == Fraction(1, 2)
    assert distance(Boxes(2), (0, 1, 0, 1), (0.5, 1, 0, 2), plane) == Fraction(1, 2)
    grid = Product([UniformGrid(4), UniformGrid(4)])
    assert distance(GridBoxes(4, 2), (0, 1, 0, 1), (1, 1, 0, 3), grid) == Fraction(4, 16)
    assert distance(Stumps(1), (0, 1.0, 0), (0, 3.0, 1), line) == Fraction(1, 2)
    assert distance(Stumps(2), (0, 0.25, 0), (1, 1.0, 0), plane) == Fraction(3, 4) / 2 + Fraction(1, 4) / 2
    assert distance(LinearSeparators(3), (1, 1, 0), (1, 0, 0), UniformSphere(3)) == Fraction(1, 4)


def test_distances_in_closed_form_are_those_of_many_atoms() -> None:
    middles = np.arange(0.5, 64) / 64  # each stands for a 64th of [0, 1]
    line, plane = Atoms(middles), Atoms([(x, 2 * y) for x in middles for y in middles])
    product = Product([UniformLine(), UniformLine(0, 2)])
    for one, other in [((0.25, 0.75), (0.5, 1.0)), ((0.0, 0.125), (0.25, 0.5)), ((1.0, 0.0), (0.25, 0.5))]:
        assert distance(Intervals(), one, other, UniformLine()) == distance(Intervals(), one, other, line)
    for one, other in [((0, 0.25, 0), (1, 1.5, 1)), ((1, 0.5, 1), (1, 0.25, 1)), ((0, 0.5, 0), (1, 1.0, 0))]:
        assert distance(Stumps(2), one, other, product) == distance(Stumps(2), one, other, plane)
    box, other_box = (0.25, 0.75, 0.5, 2.0), (0.5, 1.0, 0.0, 1.0)
    assert distance(Rectangles(), box, other_box, product) == distance(Rectangles(), box, other_box, plane)
    turns = np.pi * (np.arange(360) + 0.5) / 180
    around = Atoms(np.rint(2.0**20 * np.stack([np.cos(turns), np.sin(turns)], axis=1)).astype(int))
    apart = distance(OriginHalfPlanes(), (3, 1), (-2, 5), around)
    assert abs(float(apart) - float(half_turns((3, 1), (-2, 5)))) < 1.01 / 180


@pytest.mark.parametrize("factor", [1, 2**600])
def test_angles_are_exact_where_they_are_rational(factor: int) -> None:
    assert half_turns((factor, 0), (-factor, factor)) == Fraction(3, 4)
    assert half_turns((factor, 0, 0), (0, 0, 3)) == Fraction(1, 2)
    assert half_turns((factor, factor, 0, 0), (1, 1, 1, 0)) != Fraction(1, 6)
    assert half_turns((factor, factor, 0), (-1, 0, -1)) == Fraction(2, 3)
    assert half_turns((factor, 0), (-1, 0)) == 1
    assert abs(float(half_turns((factor, 2 * factor), (3, 1))) - acos(5 / 50**0.5) / pi) < 1e-15


@pytest.mark.parametrize(
    ("radius", "size"),
    [
        (0.125, 4),
        (2.0**-9, 256),
        (0.1, 5),
        (Fraction(1, 6), 4),
        (0.3, 2),
        (0.5, 1),
        (0.999, 1),
        (1, 1),
        (7.5, 1),
        (inf, 1),
    ],
)
def test_thresholds_under_the_uniform_distribution(radius: Any, size: int) -> None:
    found = net(Thresholds(), UniformLine(), radius)
    assert len(found) == size
    assert is_packing(Thresholds(), found.hypotheses, UniformLine(), radius)
    assert is_cover(Thresholds(), found.hypotheses, UniformLine(), radius)
    if radius not in (Fraction(1, 6), 0.3):
        assert found.hypotheses == pytest.approx((2 * np.arange(1, size + 1) - 1) / (2 * size), abs=1e-15)
    assert net(Thresholds("down"), UniformLine(), radius).hypotheses.tolist() == found.hypotheses.tolist()


def test_broken_nets_are_seen() -> None:
    """``>=`` for ``>`` in the greedy set, the floor of 1/(2r) centres, one place of a net moved or left out."""
    radius = 0.15
    few = floor(1 / (2 * radius))
    centres = (2 * np.arange(1, few + 1) - 1) / (2 * few)
    assert is_packing(Thresholds(), centres, UniformLine(), radius)
    assert not is_cover(Thresholds(), centres, UniformLine(), radius)

    for family, reference in (cube(4), (GridThresholds(8), Atoms(range(8)))):
        metric = finite_metric(family, reference)
        limit = metric.limit(Fraction(1, 4))
        kept: list[int] = []
        for i in range(len(metric)):
            if all(metric.distances[i, j] >= limit for j in kept):  # broken: at the radius is not farther
                kept.append(i)
        assert not is_packing(family, metric.hypotheses[kept], reference, 0.25)
        assert is_cover(family, metric.hypotheses[kept], reference, 0.25)
        whole = net(family, reference, 0.25).hypotheses
        assert not is_packing(family, [*whole, whole[0]], reference, 0.25)
        assert any(not is_cover(family, np.delete(whole, i, axis=0), reference, 0.25) for i in range(len(whole)))
    assert not is_cover(GridThresholds(8), [], Atoms(range(8)), 0.25)


def test_a_broken_greedy_set_is_seen_through_the_net(monkeypatch: pytest.MonkeyPatch) -> None:
    right = FiniteMetric.near
    monkeypatch.setattr(FiniteMetric, "near", lambda self, one, other, limit: right(self, one, other, limit - 1))
    broken = net(*cube(4), 0.25)
    monkeypatch.undo()
    assert not is_packing(cube(4)[0], broken.hypotheses, cube(4)[1], 0.25)
    monkeypatch.setattr(FiniteMetric, "near", lambda self, one, other, limit: right(self, one, other, limit + 1))
    broken = net(*cube(4), 0.25)
    monkeypatch.undo()
    assert not is_cover(cube(4)[0], broken.hypotheses, cube(4)[1], 0.25)


@pytest.mark.parametrize(
    ("length", "errors", "covering", "packing"),
    # K(n, r) and A(n, r + 1): Cohen et al., Covering Codes, 1997, table 6.1; MacWilliams and Sloane, 1977, appendix A
    [
        (3, 1, 2, 4),
        (4, 1, 4, 8),
        (5, 1, 7, 16),
        (6, 1, 12, 32),
        (5, 2, 2, 4),
        (7, 1, 16, 64),
    ],
)
def test_codes_of_the_cube(length: int, errors: int, covering: int, packing: int) -> None:
    family, reference = cube(length)
    radius = Fraction(errors, length)
    assert covering_number(family, reference, radius) == covering
    assert packing_number(family, reference, radius) == packing
    assert covering <= len(net(family, reference, radius)) <= packing


def test_a_solver_that_errs_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    family, reference = cube(5)

    def answering(chosen: Any, bound: float) -> Any:
        return lambda costs, rows, **_: (np.asarray(chosen, dtype=bool)[: len(costs)], bound)

    for chosen, bound in (([True] * 7 + [False] * 25, 7.0), ([True] * 32, 7.0), ([True] * 32, 31.0)):
        monkeypatch.setattr(set_cover, "_solved", answering(chosen, bound))
        with pytest.raises(ArithmeticError, match="the solver's"):
            covering_number(family, reference, Fraction(1, 5))


def test_the_doubling_dimension_of_the_circle_and_the_line() -> None:
    for scale, line, circle in [(0.3, 2, 2), (1 - 2.0**-53, 2, 2), (1, 1, 2), (1.9, 1, 2), (2, 1, 1), (0, 1, 1)]:
        assert doubling_dimension(Thresholds(), UniformLine(3, 5), scale).balls == line
        assert doubling_dimension(OriginHalfPlanes(), UniformSphere(2), scale).balls == circle
    assert doubling_dimension(LinearSeparators(2), UniformSphere(2)).dimension == 1
    # fine grids come near: of a subset a ball may need three, its own points being the only centres
    assert doubling_dimension(GridThresholds(1000), Atoms(range(1000)), Fraction(1, 2)).balls == 2
    for size in (1, 2, 3, 8):
        grid, listed = GridThresholds(size), Atoms(range(size))
        for scale in (None, inf, 0, *(Fraction(i, 3 * size) for i in range(7 * size))):
            assert doubling_dimension(grid, UniformGrid(size), scale) == doubling_dimension(grid, listed, scale)
    assert doubling_dimension(GridThresholds(5000), Atoms(range(5000))) == Doubling(3, Fraction(1, 5000))
    assert doubling_dimension(GridThresholds(2), Atoms(range(2))) == Doubling(3, Fraction(1, 2))
    listed = FiniteClass(GridThresholds(9).predict(range(10), range(9)))
    for scale in (None, *(Fraction(i, 18) for i in range(40))):
        on_line, whole = (doubling_dimension(f, Atoms(range(9)), scale) for f in (GridThresholds(9), listed))
        assert on_line == whole


def test_the_family_of_singletons_of_the_lower_bound() -> None:
    """chaudhuri2011:thm-12: over N uniform points all distances are 2/N, and log2 N is the dimension at that scale."""
    singletons = FiniteClass(np.eye(16, dtype=int))
    for scale, balls in [(Fraction(2, 16), 16), (Fraction(3, 16), 16), (Fraction(4, 16), 1), (Fraction(1, 16), 1)]:
        assert doubling_dimension(singletons, Atoms(range(16)), scale).balls == balls
    assert len(ball(singletons, 3, Atoms(range(16)), 0.125)) == 16
    assert packing_number(singletons, Atoms(range(16)), 0.12) == 16


@pytest.mark.turns(6)
def test_a_million_points() -> None:
    """Sizes by a formula; the times are in the report, not in a test."""
    million = 10**6
    rng = np.random.default_rng(7)
    atoms = Atoms(rng.permutation(million).astype(float))
    for radius in (0.01, 3e-6):
        limit = int(Fraction(radius) * million)
        size = -(-(million + 1) // (2 * limit + 1))
        found = net(Thresholds(), atoms, radius)
        assert len(found) == size == covering_number(Thresholds(), atoms, radius)
        assert is_packing(Thresholds(), found.hypotheses, atoms, radius)
        assert is_cover(Thresholds(), found.hypotheses, atoms, radius)
    both = net(Thresholds("both"), atoms, 0.25)
    assert both.hypotheses[:, 1].tolist() == [0, 0, 1, 1]
    y = (np.asarray(atoms.points) >= 500_000).astype(int)
    assert least_mistakes(Thresholds(), atoms.points, y) == 0
    assert empirical_minimisers(Thresholds(), atoms.points, y, rule="highest").tolist() == [500_000.0]
    assert empirical_minimisers(Intervals(), atoms.points, y).tolist() == [[500_000.0, million - 1.0]]


def test_boundaries_between_the_points_of_a_grid() -> None:
    grid, mixed = UniformGrid(8), Product([UniformGrid(4), UniformLine()])
    assert distance(Thresholds(), 2.5, 0.0, grid) == Fraction(3, 8)  # the points 0, 1 and 2
    assert distance(Thresholds("both"), (2.5, 0), (0.0, 0), grid) == Fraction(3, 8)
    assert distance(Stumps(2), (0, 0.5, 0), (0, 0, 0), mixed) == Fraction(1, 4)
    assert distance(Boxes(2), (0.5, 2.5, 0, 1), (1, 0, 1, 0), mixed) == Fraction(1, 2)
    large = UniformGrid(2**61)
    assert large.below([2**60 + 1]) == [Fraction(2**60 + 1, 2**61)]
    assert large.up_to([2**60 + 1, -1]) == [Fraction(2**60 + 2, 2**61), 0]


def test_integers_of_numpy_are_numbers_of_any_size() -> None:
    heavy = Atoms(range(4), weights=[2**80, 1, 1, 1])
    assert covering_number(GridThresholds(4), heavy, np.int64(1)) == 1
    assert net(GridThresholds(4), Atoms(range(4)), np.float32(0.5)).radius == Fraction(1, 2)
    turns = np.array([(100, 1), (-1, 100), (-100, -1), (1, -100)])
    for kind in (np.int8, np.int16, np.int32):
        assert is_packing(OriginHalfPlanes(), turns.astype(kind), UniformSphere(2), 0.4)
        assert is_cover(OriginHalfPlanes(), turns.astype(kind), UniformSphere(2), 0.25)


def test_no_hypotheses_have_packings_and_covers_of_none() -> None:
    for number in (covering_number, packing_number):
        assert number(AllFunctions(2), Atoms(range(2)), 0.1, of=[]) == 0


def test_masses_beyond_64_bits_are_compared_exactly() -> None:
    """The distance of two rows is the radius, or off by the smallest mass: doubles cannot tell."""
    weights = [2**200, 2**200, 1, 2**200 - 1]
    family, reference = FiniteClass([[0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 1]]), Atoms(range(4), weights)
    radius = Fraction(2**200, 3 * 2**200)
    assert net(family, reference, radius).hypotheses.tolist() == [0]
    assert net(family, reference, radius - Fraction(1, 2**230)).hypotheses.tolist() == [0, 1, 2]
    assert covering_number(family, reference, radius) == 1
    assert is_cover(family, [0], reference, radius)
    assert not is_cover(family, [0], reference, radius - Fraction(1, 2**230))


def test_integers_of_any_size_are_directions() -> None:
    huge = [(2**3000, 1), (-1, 2**3000), (-(2**3000), -1), (1, -(2**3000))]
    assert is_cover(OriginHalfPlanes(), huge, UniformSphere(2), 0.25)
    assert is_packing(OriginHalfPlanes(), huge, UniformSphere(2), 0.4999)
    assert not is_packing(OriginHalfPlanes(), huge, UniformSphere(2), 0.5)
    tilted = [(1, 0), (1, 2**3000), (-1, 0), (0, -1)]  # the second is short of a right angle by 2^-3000
    assert not is_cover(OriginHalfPlanes(), tilted, UniformSphere(2), 0.25)
    weights = [2**61, 2**61 - 1]
    both, reference = Thresholds("both"), Atoms([0.0, 1.0], weights)
    assert is_packing(both, net(both, reference, 0.5).hypotheses, reference, 0.5)
    assert is_cover(both, net(both, reference, 0.5).hypotheses, reference, 0.5)


def test_ties_and_empty_samples() -> None:
    assert least_mistakes(Intervals(), [], []) == least_mistakes(Thresholds(), [], []) == 0
    assert empirical_minimisers(Intervals(), [], []).tolist() == [[1.0, 0.0]]
    assert empirical_minimisers(Intervals(), [3, 1, 3], [1, 0, 0]).tolist() == [[1.0, 0.0], [3.0, 3.0]]
    assert empirical_minimisers(Intervals(), [1, 2], [1, 1], rule="middle").tolist() == [[-inf, inf]]
    alternating = np.tile([0, 1], 6_000)  # each of 6,000 ones can begin, and each later one end, a minimiser
    with pytest.raises(InvalidArgument, match=r"^ties must be 'first' where so many intervals .* got 18,003,000$"):
        empirical_minimisers(Intervals(), np.arange(12_000), alternating)
    assert empirical_minimisers(Intervals(), np.arange(12_000), alternating, ties="first").tolist() == [[1.0, 1.0]]
    assert len(empirical_minimisers(Stumps(2), [(0, 0), (1, 1)], [0, 1], ties="first")) == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Atoms([]), "points must hold at least 1 point, got none"),
        (lambda: Atoms([1, 2], [1]), "weights must be 2 numbers"),
        (lambda: UniformLine(1, 1), "low must be below high, both finite, got 1 and 1"),
        (lambda: UniformLine("a", 1), "low and high must be numbers"),
        (lambda: LineLaw(lambda t: np.clip(t, 0, 1), lambda p: 1 - p), "quantile must give the least t"),
        (lambda: LineLaw(MIXED.cdf, MIXED.quantile), "quantile must give the least t .* must be listed in atoms"),
        (lambda: LineLaw(lambda t: t, lambda p: 2 * p), "cdf must give a probability"),
        (lambda: UniformGrid(0), "domain_size must be an integer"),
        (lambda: UniformSphere(1), "dimension must be an integer from 2"),
        (lambda: Product([UniformSphere(2)]), "factors must be distributions of numbers"),
        (lambda: net(Thresholds(), UniformLine(), -0.1), "radius must be a number of at least 0, got -0.1"),
        (lambda: net(Thresholds(), UniformLine(), float("nan")), "radius must be a number of at least 0, got nan"),
        (lambda: net(Thresholds(), UniformLine(), "1/2"), "radius must be a number"),
        (
            lambda: distance(OriginHalfPlanes(), (0, 0), (1, 0), UniformSphere(2)),
            "hypotheses must be rows of 2 integers",
        ),
        (lambda: distance(OriginHalfPlanes(), (1.5, 0.5), (1, 0), UniformSphere(2)), "hypotheses must be rows of 2"),
        (lambda: distance(OriginHalfPlanes(), (1, 0, 0), (1, 0), UniformSphere(2)), "hypotheses must be rows of 2"),
        (lambda: net(Thresholds(), UniformLine(), 0), "radius must be at least 5e-08: a net of more than 10,000,000"),
        (lambda: net(OriginHalfPlanes(), UniformSphere(2), 0), "radius must be at least 1e-07"),
        (
            lambda: net(GridThresholds(2**40), UniformGrid(2**40), 0),
            "radius must be larger: a net of 1,099,511",
        ),
        (lambda: net(GridThresholds(4), UniformGrid(5), 0.1), "reference must be on the 4 points of the class"),
        (lambda: net(Rectangles(), UniformLine(), 0.1), "reference must be one for which a net of Rectangles is known"),
        (lambda: net(Thresholds(), UniformLine(), 0.1, rule="lowest"), "rule belongs to a reference of atoms"),
        (lambda: net(*cube(3), 0.1, rule="best"), "rule must be one of lowest, highest"),
        (lambda: distance(Rectangles(), (0, 1, 0, 1), (0, 1, 0, 2), UniformLine()), "product of 2 distributions"),
        (lambda: distance(Thresholds(), 1, 2, UniformSphere(2)), "a distance of Thresholds is known"),
        (lambda: is_cover(Rectangles(), [(0, 1, 0, 1)], UniformLine(), 1), "a cover of Rectangles is known"),
        (lambda: is_packing(Rectangles(), [(0, 1, 0, 1)], UniformLine(), 1), "a packing of Rectangles is known"),
        (lambda: covering_number(Thresholds(), UniformLine(), 0), "radius must be above 0"),
        (lambda: covering_number(Thresholds(), UniformLine(), 0.5, of=[1]), "of belongs to a reference of atoms"),
        (
            lambda: packing_number(*cube(11), 0.3),
            "at most 2,000 .* got 2,048; .* between [0-9,]+ and",
        ),
        (lambda: doubling_dimension(*cube(11), 0.3), "at most 2,000 dichotomies for a doubling dimension, got 2,048"),
        (lambda: doubling_dimension(GridThresholds(2000), GEOMETRIC), "scale must be given for more than"),
        (lambda: doubling_dimension(Thresholds(), MIXED), "a doubling dimension of Thresholds is known"),
        (lambda: ball(Thresholds(), 0.5, UniformLine(), 0.5), "the list of a ball of Thresholds is known"),
        (lambda: empirical_minimisers(Thresholds(), [1], [1], ties="last"), "ties must be one of all, first"),
        (lambda: least_mistakes(Intervals(), [1], [1, 0]), "y must have a label per point"),
    ],
)
def test_what_cannot_be_is_one_clear_line(call: Any, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)
