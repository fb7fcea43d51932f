"""The exact instances that go with the refuted lines of section 5 and appendix D."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np

from dpcheck.proof.instances import Enumeration


def two_flips(rate: int = 1) -> Enumeration:
    """Randomised response on two labels, all functions on two points: the law's ratio is exp(alpha) for each flip.

    ``Pr[A(S) = g]`` is ``exp(alpha * agreements) / (1 + exp(alpha))^2``, so logarithms of ratios are whole multiples
    of alpha.
    """
    labels = list(itertools.product((0, 1), repeat=2))
    count, failure = 0, ""

    def agreements(data: tuple[int, ...], output: tuple[int, ...]) -> int:
        return rate * sum(a == b for a, b in zip(data, output, strict=True))

    for one, other in itertools.product(labels, repeat=2):
        apart = sum(a != b for a, b in zip(one, other, strict=True))
        worst = max(abs(agreements(one, g) - agreements(other, g)) for g in labels)
        count += 1
        if worst != apart:
            failure = f"{one}, {other}: {worst} alpha"
    if agreements((1, 1), (1, 1)) - agreements((0, 0), (1, 1)) != 2:
        failure = "the chain of one link loses no more than alpha"
    return Enumeration(
        "all pairs of labellings of two points, randomised response with exp(alpha): alpha-label private; S' = ++ and "
        "S = -- make a chain of length l = 1 <= k = 2 that the printed range of j allows, and lose 2 alpha", count,
        failure,
    )  # fmt: skip


def choice_of_two(rate: int = 1) -> Enumeration:
    """A label-private choice between a function on 8 points and its complement, by the labels it agrees with.

    h is chosen with probability ``1/(1 + exp(-alpha (a - 4)))``, where a of the 8 labels agree with h. One label moves
    the exponent by alpha, so no probability moves by a factor of ``exp(alpha)``.
    """
    count, failure = 0, ""
    h = (1, 1, 1, 1, 0, 0, 0, 0)
    other = tuple(1 - bit for bit in h)
    centre = (0,) * 8

    def exponent(data: tuple[int, ...]) -> int:
        return rate * (sum(a == b for a, b in zip(data, h, strict=True)) - 4)

    for data in itertools.product((0, 1), repeat=8):
        for place in range(8):
            count += 1
            flipped = tuple(bit ^ (i == place) for i, bit in enumerate(data))
            if abs(exponent(data) - exponent(flipped)) != 1:
                failure = f"{data}, label {place + 1}"
    if (exponent(h), exponent(other)) != (4, -4):
        failure = "the two functions' own labels"
    third = (1, 1, 0, 0, 1, 1, 0, 0)

    def apart(one: tuple[int, ...], two: tuple[int, ...]) -> Fraction:
        return Fraction(sum(a != b for a, b in zip(one, two, strict=True)), 8)

    scale = Fraction(1, 8)
    packing = (h, other, third)
    if any(apart(g, centre) > 4 * scale for g in packing):
        failure = "not in the ball"
    if any(apart(g, k) <= scale for g, k in itertools.combinations(packing, 2)) or apart(h, other) != 8 * scale:
        failure = "no packing"
    return Enumeration(
        "m = 8 points, s = 1/8, h_0 constant, P = {h, not h, g}: every labelling with every flip of one label; h_A = h with "
        "probability 1/(1 + exp(-4 alpha)) on h's labels, not h with the same on those of not h", count, failure,
    )  # fmt: skip


def two_far_hypotheses() -> Enumeration:
    """Two hypotheses at distance Delta = 1/2 and eps = 1/5: ddim at 4 eps is 1, and 4 eps is not below Delta/2."""
    from dpcheck.parts.classes import Atoms, FiniteClass, doubling_dimension

    family, law = FiniteClass([[0, 0], [1, 0]]), Atoms(range(2))
    found = doubling_dimension(family, law, Fraction(4, 5))
    failure = "" if found.balls == 2 else f"{found.balls} balls"
    return Enumeration("two hypotheses that differ on one of two points, eps = 1/5: ddim_{4/5} = 1", 1, failure)


def five_singletons() -> Enumeration:
    """Singletons of five points, all at distance Delta = 2/5, r = 1/20: ddim at 12 r = 3/5 is log2 5 > 2."""
    from dpcheck.parts.classes import Atoms, PointFunctions, doubling_dimension

    found = doubling_dimension(PointFunctions(5), Atoms(range(5)), Fraction(3, 5))
    failure = "" if found.balls == 5 else f"{found.balls} balls"
    return Enumeration("the singletons of five points, uniform, r = 1/20 < Delta/6: ddim_{12 r} = log2 5", 1, failure)


def ladders_without_close_pairs(branches: int = 5) -> Enumeration:
    """Ladders of 1 and 2 levels with five branches: ddim above 2 at all scales from 12 eps to 2 Delta, no close pair.

    eps is an eighth of the least distance. The doubling dimension is computed at every distance, doubled distance and
    quarter of a level in between, where its balls change.
    """
    from dpcheck.papers.chaudhuri2011.hard_instances import Ladder
    from dpcheck.parts.classes import Atoms, doubling_dimension

    count, failure = 0, ""
    for levels in (1, 2):
        ladder = Ladder(levels, branches)
        every, law = ladder.everything(), Atoms(range(branches * levels + 1), ladder.masses)
        least = ladder.mass / 2**levels
        eps = least / 8
        apart = {ladder.distance(one, other) for one in every for other in every}
        if any(2 * eps < distance <= 4 * eps for distance in apart):
            failure = f"{levels} levels: a pair between 2 eps and 4 eps"
        step = least / 4
        scales = [step * i for i in range(6, int(2 * ladder.diameter / step))]  # from 12 eps = 3/2 least on
        for scale in scales:
            count += 1
            if not doubling_dimension(ladder, law, scale).dimension > 2:
                failure = f"{levels} levels, scale {scale}"
    return Enumeration(
        "ladders with five branches on one and two levels, eps = 2^-K/20: ddim > 2 at all scales in [12 eps, 2 Delta), all "
        "distances 0 or above 4 eps", count, failure,
    )  # fmt: skip


def fair_on_equal_data(slip: Fraction = Fraction(1, 100)) -> Enumeration:
    """Case 1 on two points of masses 4/5 and 1/5, one record, eps = 1/5: two hypotheses at distance 4/5 = 4 eps.

    h and h' differ on the first point; the complement of h is in the class too, so that Delta = 1. Where the label
    tells the two apart the learner returns the one it tells, but for a slip of 1/100 (so its loss is log 99), and
    elsewhere one of them by a fair coin.
    """
    masses = (Fraction(4, 5), Fraction(1, 5))
    h, other = (0, 0), (1, 0)
    family, eps = (h, other, (1, 1)), Fraction(1, 5)

    def apart(one: tuple[int, ...], two: tuple[int, ...]) -> Fraction:
        return sum((mass for mass, a, b in zip(masses, one, two, strict=True) if a != b), Fraction(0))

    def law(point: int, label: int) -> dict[tuple[int, ...], Fraction]:
        if point == 1:
            return {h: Fraction(1, 2), other: Fraction(1, 2)}
        told, untold = (other, h) if label else (h, other)
        return {told: 1 - slip, untold: slip}

    miss = {
        target: sum(
            mass * chance
            for point, mass in enumerate(masses)
            for output, chance in law(point, target[point]).items()
            if apart(output, target) > eps
        )
        for target in (h, other)
    }
    diameter = max(apart(one, two) for one, two in itertools.combinations(family, 2))
    equal = masses[1]
    stands = diameter == 5 * eps and 2 * eps < apart(h, other) <= 4 * eps and equal >= Fraction(1, 8)
    failure = "" if stands and max(miss.values()) < Fraction(1, 8) else f"misses {list(miss.values())}"
    return Enumeration(
        "h and h' at distance 4 eps = 4/5, not h in the class (Delta = 1), one record (m < 1/(4 eps) = 5/4): equal data "
        f"with probability {equal}, h missed with probability {miss[h]}, h' with {miss[other]}", 2, failure,
    )  # fmt: skip


def halves_of_the_sphere() -> Enumeration:
    """Every direction with coordinates in {-2, ..., 2}^4 is within a right angle of u or of -u: two balls of radius 1/2."""
    grid = np.array(list(itertools.product(range(-2, 3), repeat=4)))
    vectors = grid[np.abs(grid).sum(axis=1) > 0]
    u = np.array([1, 0, 0, 0])
    inside = (vectors @ u >= 0) | (vectors @ -u >= 0)
    failure = "" if inside.all() else f"{vectors[~inside][0]}"
    return Enumeration(
        "the directions of {-2, ..., 2}^4: each within distance 1/2 of h_u or of h_-u", len(vectors), failure
    )


def obtuse_directions(least: int = 1) -> Enumeration:
    """The largest set of directions of {-1, 0, 1}^5 with pairwise angles above a right one: below 2^(5-2) = 8.

    No set in five dimensions has more than six; with right angles (``least = 0``) there are the ten ones along the axes.
    """
    grid = np.array(list(itertools.product((-1, 0, 1), repeat=5)))
    vectors = grid[np.abs(grid).sum(axis=1) > 0]
    apart = vectors @ vectors.T <= -least
    beside = [sum(1 << int(j) for j in np.flatnonzero(row)) for row in apart]

    def largest(size: int, left: int, most: int) -> int:
        most = max(most, size)
        while size + left.bit_count() > most:
            last = left.bit_length() - 1
            left &= ~(1 << last)
            most = largest(size + 1, left & beside[last], most)
            if most >= 8:
                break
        return most

    found = largest(0, (1 << len(vectors)) - 1, 0)
    failure = "" if found < 8 else f"{found} directions"
    return Enumeration(
        f"sets of directions of {{-1, 0, 1}}^5 with pairwise distances above 1/2: the largest has {found}",
        len(vectors),
        failure,
    )
