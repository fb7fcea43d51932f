"""Covers, packings and doubling dimensions on finite classes, exactly: lemmas 13, 14 and 15 and observation 4.b."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import flint
import numpy as np

from dpcheck.parts.classes import (
    Atoms,
    FiniteClass,
    GridIntervals,
    GridThresholds,
    PointFunctions,
    ball,
    doubling_dimension,
    is_cover,
    is_packing,
    net,
    packing_number,
)
from dpcheck.parts.classes.finite_metric import finite_metric
from dpcheck.trial.page import Page, Pivot, Plot
from dpcheck.trial.relations import all_true, compared, decided
from dpcheck.trial.rows import Findings, bound, exact

_SUPREMUM = "obs-4.b: the dimension is finite at each scale, its supremum over scales need not be"


def random_space(rng: np.random.Generator) -> tuple[Any, Atoms]:
    """A class with at least two dichotomies, and a distribution of a few weighted points.

    Examples
    --------
    >>> family, reference = random_space(np.random.default_rng(0))
    >>> len(finite_metric(family, reference)) >= 2
    True
    """
    points = int(rng.integers(3, 7))
    kind = int(rng.integers(4))
    family: Any = (
        GridThresholds(points),
        GridIntervals(points),
        PointFunctions(points),
        FiniteClass(np.unique(rng.integers(0, 2, (int(rng.integers(4, 9)), points)), axis=0).tolist()),
    )[kind]
    reference = Atoms(range(points), rng.integers(1, 8, points).tolist())
    return (family, reference) if len(finite_metric(family, reference)) > 1 else random_space(rng)


def below_power(count: int, ratio: Fraction, balls: int) -> bool | None:
    """Whether ``count <= ratio ** log2(balls)``, for a ratio of at least 1, decided exactly.

    Examples
    --------
    >>> below_power(9, Fraction(4), 3), below_power(10, Fraction(4), 3), below_power(2, Fraction(3), 2)
    (True, False, True)
    """
    if count == 1:
        return True
    power = 0
    while ratio > 2**power:
        power += 1
    if ratio == 2**power:
        return bool(count <= balls**power)
    # no power of two: both sides of log(count) log(2) and log(ratio) log(balls) differ
    left, right = flint.arb(count).log() * flint.arb(2).log(), (_arb(ratio)).log() * flint.arb(balls).log()
    return decided(left, "at most", right)


def _arb(value: Fraction) -> flint.arb:
    return flint.arb(value.numerator) / value.denominator


def metric_lemmas(seed: int, quick: bool) -> Findings:
    """The three lemmas on random finite classes, and singletons in blocks for the observation."""
    rng = np.random.default_rng(seed)
    cases = 25 if quick else 150
    nets = balls_checked = large = scales_checked = 0
    nets_kept = True
    packings_kept: list[bool | None] = []
    fullest = 0.0
    for _ in range(cases):
        family, reference = random_space(rng)
        metric = finite_metric(family, reference)
        distances = sorted({Fraction(int(d), metric.total) for d in np.unique(metric.distances)} - {Fraction(0)})
        diameter = distances[-1]
        for radius in {diameter * Fraction(int(rng.integers(1, 20)), 20), *distances[:-1]}:
            found = net(family, reference, radius).hypotheses
            nets += 1
            nets_kept &= is_packing(family, found, reference, radius) and is_cover(family, found, reference, radius)
        balls = doubling_dimension(family, reference).balls
        centre = metric.hypotheses[int(rng.integers(len(metric)))]
        for r in distances[:: max(1, len(distances) // 3)]:
            inside = ball(family, centre, reference, r)
            balls_checked += 1
            for share in (Fraction(1, 2), 1, Fraction(3, 2), 4):
                size = packing_number(family, reference, r * share, of=inside)
                packings_kept.append(below_power(size, 4 / Fraction(share), balls))
                if balls > 1 and size > 1:
                    fullest = max(fullest, size / float(4 / Fraction(share)) ** math.log2(balls))
        for scale in [d for d in distances if d < diameter / 2][:2]:
            needed = doubling_dimension(family, reference, scale).balls
            most = max(
                packing_number(family, reference, scale / 2, of=ball(family, z, reference, scale))
                for z in metric.hypotheses
            )
            scales_checked += 1
            large += most >= needed
    two = FiniteClass([[0], [1]])
    printed = packing_number(two, Atoms([0]), Fraction(1), of=ball(two, 0, Atoms([0]), Fraction(1, 8)))
    blocks, needed_balls, limits = _blocks(3 if quick else 4)
    unbounded = all(found >= 2**k for k, found in zip(blocks, needed_balls, strict=True))
    outcomes = (
        compared(
            "chaudhuri2011:lem-13", "lem-13: for every radius below the diameter some packing is a cover", nets_kept,
            "the net, hypothesis after hypothesis kept that is farther than the radius from all kept, is both in "
            f"{nets} cases of class, "
            "distribution and radius, exactly",
        ),
        compared(
            "chaudhuri2011:lem-14", "lem-14 as printed, for every eps and r: an eps-packing of B(z, r) has at most "
            "(4r/eps)^d members",
            printed <= Fraction(1, 2),
            f"two hypotheses at distance 1 (d = 1), r = 1/8, eps = 1: the packing has {printed} member, the bound is "
            "1/2",
            expected="lem-14: one point is a packing, and for eps > 4r the bound is below 1",
        ),
        compared(
            "chaudhuri2011:lem-14", "lem-14 as repaired, for eps <= 4r", all_true(packings_kept),
            f"the largest packings of {balls_checked} balls at four radii each, exactly; the fullest reaches "
            f"{fullest:.2f} of the bound",
        ),
        compared(
            "chaudhuri2011:lem-15", "lem-15: at scales r below half the diameter some ball has an (r/2)-packing of "
            "2^(ddim_r) members",
            large == scales_checked, f"by exact covers and packings at {large} of {scales_checked} scales",
        ),
        compared(
            "chaudhuri2011:obs-4.b",
            "obs-4.b as printed: a class of finite VC dimension has a finite doubling dimension under every U",
            not unbounded,
            "singletons (VC dimension 1) in blocks of 2^k points of mass 4^-k need "
            + ", ".join(map(str, needed_balls))
            + f" balls of half the radius at the scales 2 4^-k, k = 1 to {len(blocks)}: at least 2^k, and by proof "
            "for every k",
            expected=_SUPREMUM,
        ),
        compared(
            "chaudhuri2011:obs-4.b", "obs-4.b as repaired: at each scale r the dimension is finite, for VC dimension "
            "1 at most "
            "(r/2 + 2 (log(8/r) - 1))/log 2",
            all(math.log(b) <= limit for b, limit in zip(needed_balls, limits, strict=True)),
            "log of balls " + ", ".join(f"{math.log(b):.2f}" for b in needed_balls) + " against "
            + ", ".join(f"{x:.2f}" for x in limits),
        ),
    )  # fmt: skip
    rows = [
        *exact("needed, exact", needed_balls, k=blocks),
        *bound("repaired obs-4.b allows", [math.exp(x) for x in limits], k=blocks),
        *bound("2^k", [2.0**k for k in blocks], k=blocks),
    ]
    at = {"block": blocks, "scale": [f"2/4^{k}" for k in blocks]}
    rows += exact("balls of half the radius", needed_balls, **at)
    rows += exact("dimension there", [math.log2(balls) for balls in needed_balls], **at)
    told = (
        f"Lemma 13's nets were both packing and cover in all {nets} cases: {'yes' if nets_kept else 'no'}. The "
        "largest packing "
        f"reaches {fullest:.2f} of lemma 14's bound. The balls that the blocks need are "
        f"{', '.join(map(str, needed_balls))}" + (": at least 2^k, more for every block." if unbounded else ".")
    )
    return Findings(rows, outcomes, told)


PAGE = Page(
    "Covers, packings and doubling dimensions",
    "Random classes (thresholds, intervals, singletons, listed ones) on 3 to 6 weighted points: nets, smallest "
    "covers and largest packings by integer programming, all distances in whole numbers. For observation 4.b "
    "singletons over blocks of ever more, ever lighter points.",
    (
        Plot(
            "blocks",
            "Balls of half the radius needed at the scale of each block",
            "k",
            "balls",
            x_label="block k (scale 2 / 4^k)",
            x_log=False,
            scale="log",
        ),
    ),
    (Pivot("Singletons in blocks", ("block", "scale")),),
    evidence="Exact: distances are fractions, covers and packings the smallest and largest there are; nothing was "
    "sampled but the classes themselves.",
)


def _blocks(count: int) -> tuple[list[int], list[int], list[float]]:
    """Blocks k = 1, ..., count: the balls needed at 2/4^k, and the logarithm of what the repaired statement allows."""
    weights = [4 ** (count - k) for k in range(1, count + 1) for _ in range(2**k)]
    weights.append(4**count - sum(weights))
    family = FiniteClass(np.eye(len(weights), dtype=int).tolist())
    blocks = list(range(1, count + 1))
    balls = [doubling_dimension(family, Atoms(range(len(weights)), weights), Fraction(2, 4**k)).balls for k in blocks]
    limits = [(r := 2 / 4**k) / 2 + 2 * (math.log(8 / r) - 1) for k in blocks]
    return blocks, balls, limits
