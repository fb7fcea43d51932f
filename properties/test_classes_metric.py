"""Metric spaces of hypotheses: distances, nets, covering and packing numbers, doubling, empirical risk minimisation.

Against brute force in fractions, on arbitrary small classes, weights and radii.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise
from math import ceil, inf, log2, nextafter
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpcheck.parts.classes import (
    Atoms,
    FiniteClass,
    GridIntervals,
    GridThresholds,
    Intervals,
    LineLaw,
    OriginHalfPlanes,
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
    mistakes,
    net,
    packing_number,
)

#: So many cases of each property: the whole file takes some five seconds.
EXAMPLES = 40
PLANE = st.tuples(st.integers(-2, 2), st.integers(-2, 2))
MASSES = st.one_of(
    st.integers(0, 4), st.fractions(0, 1, max_denominator=7), st.sampled_from([0.1, 0.3, 1e-17, 2.0**60])
)
RADII = st.one_of(st.fractions(0, Fraction(6, 5), max_denominator=12), st.floats(0.0, 1.5), st.just(inf))


@st.composite
def classes_and_points(draw: Any) -> tuple[Any, list[Any]]:
    """A class and a few points of its domain, repetitions among them."""
    size = draw(st.integers(2, 5))
    rows = draw(st.lists(st.lists(st.integers(0, 1), min_size=size, max_size=size), min_size=1, max_size=8))
    whole = st.integers(0, size - 1)
    orientation = draw(st.sampled_from(["up", "down", "both"]))
    family, points = draw(
        st.sampled_from(
            [
                (FiniteClass(rows), whole),
                (FiniteClass(rows), whole),
                (GridThresholds(size, orientation), whole),
                (Thresholds(orientation), st.sampled_from([0.0, -0.0, 1.5, -2.0, 3.0, 4.0])),
                (GridIntervals(size), whole),
                (Stumps(2), PLANE),
                (Rectangles(), PLANE),
                (OriginHalfPlanes(), PLANE),
            ]
        )
    )
    return family, draw(st.lists(points, min_size=1, max_size=3 if isinstance(family, Rectangles) else 4))


@st.composite
def spaces(draw: Any) -> tuple[Any, Atoms]:
    """A class and a distribution of atoms."""
    family, points = draw(classes_and_points())
    weights = draw(st.none() | st.lists(MASSES, min_size=len(points), max_size=len(points)).filter(any))
    return family, Atoms(points, weights)


@st.composite
def spaces_and_radii(draw: Any) -> tuple[Any, Atoms, Any]:
    """The same with a radius, often one of the distances or half of one."""
    family, reference = draw(spaces())
    found = {d for row in table(family, reference)[1] for d in row}
    at_distance = st.sampled_from(sorted(found | {d / 2 for d in found}))
    return family, reference, draw(at_distance | RADII)


def table(family: Any, reference: Atoms) -> tuple[Any, list[list[Fraction]]]:
    """A hypothesis for each dichotomy of all atoms, those without mass too, and their distances in fractions."""
    every = family.representatives(reference.points)
    labels = family.predict(every, reference.points).astype(bool)
    total = sum(reference.weights)
    return every, [
        [
            Fraction(sum(w for w, differ in zip(reference.weights, one ^ other, strict=True) if differ), total)
            for other in labels
        ]
        for one in labels
    ]


def merged(distances: list[list[Fraction]]) -> list[int]:
    """One number for each class of hypotheses at distance 0."""
    return [i for i in range(len(distances)) if all(distances[i][j] > 0 for j in range(i))]


def fewest(distances: list[list[Fraction]], targets: list[int], radius: Fraction) -> int:
    """The size of the smallest cover of some, centres anywhere, by trying all sets."""
    centres = merged(distances)
    return next(
        size
        for size in range(1, len(centres) + 1)
        for some in combinations(centres, size)
        if all(any(distances[i][j] <= radius for j in some) for i in targets)
    )


def most(distances: list[list[Fraction]], among: list[int], radius: Fraction) -> int:
    """The size of the largest packing, by trying all sets."""
    return max(
        size
        for size in range(1, len(among) + 1)
        if any(all(distances[i][j] > radius for i, j in combinations(some, 2)) for some in combinations(among, size))
    )


@given(spaces())
@settings(deadline=None, max_examples=EXAMPLES)
def test_distances_are_a_pseudometric_of_probabilities(case: tuple[Any, Atoms]) -> None:
    """chaudhuri2011:def-rho."""
    family, reference = case
    every, expected = table(family, reference)
    some = range(min(len(every), 5))
    found = [[distance(family, every[i], every[j], reference) for j in some] for i in some]
    for i in some:
        assert found[i][i] == 0
        for j in some:
            assert found[i][j] == found[j][i] == expected[i][j]
            assert 0 <= found[i][j] <= 1
            assert all(found[i][k] <= found[i][j] + found[j][k] for k in some)


@given(spaces_and_radii())
@settings(deadline=None, max_examples=EXAMPLES)
def test_a_net_is_a_packing_and_a_cover_exactly(case: tuple[Any, Atoms, Any]) -> None:
    """chaudhuri2011:lem-13, for the greedy set and for the fast ones of thresholds; also what the two checks say."""
    family, reference, radius = case
    found = net(family, reference, radius)
    every, _ = table(family, reference)
    radius = found.radius
    apart = [[distance(family, one, other, reference) for other in found.hypotheses] for one in every]
    assert all(min(row) <= radius for row in apart)
    among = [distance(family, one, other, reference) for one, other in combinations(found.hypotheses, 2)]
    assert all(d > radius for d in among)
    assert is_packing(family, found.hypotheses, reference, radius)
    assert is_cover(family, found.hypotheses, reference, radius)
    fewer = [row[1:] for row in apart]
    if len(found) > 1:
        covers = all(min(row) <= radius for row in fewer)
        assert is_cover(family, found.hypotheses[1:], reference, radius) == covers
    if among:
        assert not is_packing(family, found.hypotheses, reference, min(among))
    for rule in family.rules:
        other = net(family, reference, radius, rule=rule)
        assert is_packing(family, other.hypotheses, reference, radius)
        assert is_cover(family, other.hypotheses, reference, radius)


@given(spaces_and_radii())
@settings(deadline=None, max_examples=EXAMPLES)
def test_covering_and_packing_numbers_are_those_of_brute_force(case: tuple[Any, Atoms, Any]) -> None:
    """chaudhuri2011:def-ddim: ``N_r <= #net <= maxpack_r <= N_{r/2}``; a net of thresholds has as few as cover."""
    family, reference, radius = case
    _, distances = table(family, reference)
    among = merged(distances)
    assume(len(among) <= 10)
    exact = Fraction(1) if radius == inf else Fraction(radius)
    covering, packing = covering_number(family, reference, radius), packing_number(family, reference, radius)
    assert covering == fewest(distances, among, exact)
    assert packing == most(distances, among, exact)
    size = len(net(family, reference, radius))
    assert covering <= size <= packing <= covering_number(family, reference, exact / 2)
    if isinstance(family, Thresholds | GridThresholds) and family.orientation != "both":
        assert size == covering


@given(spaces_and_radii())
@settings(deadline=None, max_examples=EXAMPLES)
def test_doubling_is_that_of_brute_force_and_bounds_packings_of_balls(case: tuple[Any, Atoms, Any]) -> None:
    """chaudhuri2011:def-ddim, lem-14 and lem-15."""
    family, reference, radius = case
    every, distances = table(family, reference)
    among = merged(distances)
    assume(len(among) <= 8 and radius != inf)
    r = Fraction(radius)

    def balls(scale: Fraction) -> int:
        members = ([i for i in among if distances[z][i] <= scale] for z in among)
        return max(fewest(distances, inside, scale / 2) for inside in members)

    at = doubling_dimension(family, reference, radius)
    assert (at.balls, at.dimension, at.scale) == (balls(r), log2(balls(r)), r)
    overall = doubling_dimension(family, reference)
    values = {d for row in distances for d in row}
    assert overall.balls == max(balls(scale) for scale in values | {2 * d for d in values})
    assert overall.balls >= at.balls
    assert doubling_dimension(family, reference, overall.scale).balls == overall.balls
    around = {z: ball(family, every[z], reference, r) for z in among}
    assert all(len(around[z]) == sum(distances[z][i] <= r for i in among) for z in among)
    if r > 0:
        for eps in (r / 2, r, 2 * r, 3 * r):
            largest = max(packing_number(family, reference, eps, of=members) for members in around.values())
            assert largest <= (4 * r / eps) ** overall.dimension * (1 + 1e-9)  # both sides below 2^8: no rounding hides
        if 2 * r < max(values):
            half = max(packing_number(family, reference, r / 2, of=members) for members in around.values())
            assert half >= at.balls


@given(spaces_and_radii(), st.data())
@settings(deadline=None, max_examples=EXAMPLES)
def test_a_cover_stays_one_under_a_smooth_distribution(case: tuple[Any, Atoms, Any], data: Any) -> None:
    """chaudhuri2011:lem-19, wang2016:ex-24: an r-cover under U is a kappa r-cover under D."""
    family, reference, radius = case
    assume(radius != inf)
    under = [Fraction(w, sum(reference.weights)) for w in reference.weights]
    weights = data.draw(st.lists(st.integers(0, 5), min_size=len(under), max_size=len(under)))
    weights = [w if u else 0 for w, u in zip(weights, under, strict=True)]
    assume(any(weights))
    kappa = max(Fraction(w, sum(weights)) / u for w, u in zip(weights, under, strict=True) if u)
    other = Atoms(reference.points, weights)
    assert is_cover(family, net(family, reference, radius).hypotheses, other, kappa * Fraction(radius))


LAWS = [
    UniformLine(),
    UniformLine(-3.0, 0.1),
    UniformLine(1e6, 1e6 + 1),
    LineLaw(lambda t: np.clip(t, 0, 1) ** 2, np.sqrt),
    LineLaw(lambda t: 1 - np.exp(-np.maximum(t, 0)), lambda p: -np.log1p(-p)),
    # half of the mass at 0, a tenth at 2, the rest uniform between
    LineLaw(
        lambda t: np.where(t < 0, 0, np.where(t < 2, 0.5 + 0.2 * np.clip(t, 0, 2), 1.0)),
        lambda p: np.where(p <= 0.5, 0.0, np.where(p < 0.9, (p - 0.5) / 0.2, 2.0)),
        atoms=(0.0, 2.0),
    ),
]
SMALL_RADII = st.one_of(
    st.fractions(Fraction(1, 20), Fraction(5, 4), max_denominator=20), st.floats(0.05, 1.2), st.just(2.0**-4)
)


@pytest.mark.turns(6)
@given(st.sampled_from(LAWS), SMALL_RADII, st.floats(allow_nan=False))
@settings(deadline=None, max_examples=EXAMPLES)
def test_nets_of_thresholds_on_the_line_hold_for_every_double(law: Any, radius: Any, double: float) -> None:
    """chaudhuri2011:alg-1, step 2: thresholds under uniform, smooth and mixed laws."""
    family = Thresholds()
    found = net(family, law, radius)
    places = law.below(found.hypotheses)
    assert all(after - place > found.radius for place, after in pairwise(places))
    assert is_packing(family, found.hypotheses, law, radius)
    assert is_cover(family, found.hypotheses, law, radius)
    middles = [double, -inf, inf]
    for gap in zip(found.hypotheses[:-1], found.hypotheses[1:], strict=True):  # the doubles hardest to reach
        reached = law.first_above([law.below(gap[:1])[0] + found.radius])[0]
        middles += [reached, nextafter(reached, -inf), nextafter(reached, inf)]
    for t in middles:
        assert min(distance(family, t, centre, law) for centre in found.hypotheses) <= found.radius
    size = covering_number(family, law, radius)
    assert size <= len(found) <= min(size + 1, packing_number(family, law, radius))
    if not getattr(law, "atoms", ()):
        assert size == max(1, ceil(1 / (2 * found.radius)) if found.radius < 1 else 1)
    if len(found) > 1:
        assert not is_cover(family, found.hypotheses[1:], law, radius)


@given(st.integers(1, 40), SMALL_RADII)
@settings(deadline=None, max_examples=EXAMPLES)
def test_a_uniform_grid_is_its_atoms(size: int, radius: Any) -> None:
    """Formulas for {0, ..., N - 1} against the list of its points."""
    family, grid, listed = GridThresholds(size), UniformGrid(size), Atoms(range(size))
    found = net(family, grid, radius)
    assert found.hypotheses.tolist() == net(family, listed, radius, rule="highest").hypotheses.tolist()
    for check in (is_packing, is_cover):
        assert check(family, found.hypotheses, grid, radius)
        assert check(family, found.hypotheses[1:], grid, radius) == check(family, found.hypotheses[1:], listed, radius)
    for number in (covering_number, packing_number):
        assert number(family, grid, radius) == number(family, listed, radius)
    intervals = GridIntervals(size)
    assert distance(intervals, (0, size // 2), (1, 0), grid) == distance(intervals, (0, size // 2), (1, 0), listed)


@given(st.one_of(st.fractions(Fraction(1, 60), Fraction(6, 5), max_denominator=60), st.floats(0.01, 1.2)), PLANE)
@settings(deadline=None, max_examples=EXAMPLES)
def test_nets_of_the_circle(radius: Any, w: tuple[int, int]) -> None:
    """chaudhuri2011:alg-1, step 2, for linear separators with n = 2."""
    assume(any(w))
    family, circle = OriginHalfPlanes(), UniformSphere(2)
    found = net(family, circle, radius)
    assert is_packing(family, found.hypotheses, circle, radius)
    assert is_cover(family, found.hypotheses, circle, radius)
    nearest = min(distance(family, w, centre, circle) for centre in found.hypotheses)
    assert nearest <= float(found.radius) + 1e-12  # an angle in doubles
    size = 1 if found.radius >= 1 else ceil(1 / found.radius)
    assert covering_number(family, circle, radius) == size <= len(found) <= size + 1
    assert len(found) <= packing_number(family, circle, radius)
    if len(found) > 1:
        assert not is_cover(family, found.hypotheses[1:], circle, radius)


@st.composite
def samples(draw: Any) -> tuple[Any, list[Any], list[int]]:
    """A class and a labelled sample."""
    family, points = draw(classes_and_points())
    if draw(st.booleans()) and not isinstance(family, FiniteClass):
        family, points = Intervals(), draw(st.lists(st.integers(-4, 4), max_size=9))
    return family, points, draw(st.lists(st.integers(0, 1), min_size=len(points), max_size=len(points)))


@given(samples())
@settings(deadline=None, max_examples=EXAMPLES)
def test_empirical_minimisers_are_those_of_brute_force(case: tuple[Any, list[Any], list[int]]) -> None:
    """One hypothesis for each dichotomy with the fewest mistakes, in the order of the class."""
    family, x, y = case
    every = family.representatives(family.points(x))
    wrong = mistakes(family, every, x, y)
    assert least_mistakes(family, x, y) == wrong.min()
    expected = every[wrong == wrong.min()].tolist()
    assert empirical_minimisers(family, x, y).tolist() == expected
    assert empirical_minimisers(family, x, y, ties="first").tolist() == expected[:1]
    for rule in family.rules:
        found = empirical_minimisers(family, x, y, rule=rule)
        assert len(found) == len(expected)
        assert (mistakes(family, found, x, y) == wrong.min()).all()
