"""Covers: what a public sample costs, and how noise changes that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import sympy

from dpcheck.papers.alon2019.theorems import instances
from dpcheck.papers.alon2019.theorems.bounds import BOUNDS
from dpcheck.papers.alon2019.trials.setting import (
    FAILURE,
    NEAR_ONE,
    cover_learner,
    own_size,
    size_of,
)
from dpcheck.parts.classes import AllFunctions, HalfPlanes, Intervals, PointFunctions, Thresholds
from dpcheck.parts.classes.combinatorics import growth, xor_growth
from dpcheck.proof.bounds import solve, symbol, value_of
from dpcheck.trial.model import Outcome, Shade
from dpcheck.trial.page import TOGETHER, Page, Pivot, Plot
from dpcheck.trial.relations import compared, refuted_by
from dpcheck.trial.rows import Findings, Row, bound, exact, rates
from dpcheck.trial.where import IN_PLACE
from dpcheck.utility.covers import (
    interval_cover_failure,
    interval_cover_failures,
    least_public,
    two_agree_failures,
)
from dpcheck.utility.distributions import UniformInterval, all_functions
from dpcheck.utility.failure import failure_rate
from dpcheck.utility.slopes import log_log_slope

#: The right side of (1) on all sizes, as it is printed.
_FIRST = replace(BOUNDS["cover_failure"], conditions=())
#: (em/d)^d, on all sizes.
_SAUER = replace(
    BOUNDS["cover_failure"],
    expression=(sympy.E * symbol("public") / symbol("vc")) ** symbol("vc"),
    conditions=(),
    source="alon2019:lem-sauer",
)
#: All functions on so many points, and on fewer: there the right side of (1) is below 1 at sizes that can be computed.
_DIMENSION, _SMALL = 6, 2
_ACCURACIES = (Fraction(1, 10), Fraction(1, 4), Fraction(1, 2))
_LARGER = (50, 100, 200, 400, 800)


def public_cost(seed: int, quick: bool) -> Findings:
    """Claim 1: how many public points a cover takes."""
    accuracies = (0.2, 0.1, 0.05, 0.02, 0.01, 0.005)
    sizes = np.unique(np.geomspace(1, 20_000, 40 if quick else 90).astype(int))
    rows, below = [], True
    for accuracy in (0.2, 0.05, 0.01):
        chances = interval_cover_failures(sizes, accuracy)
        right = [float(value_of(BOUNDS["cover_failure"], accuracy=accuracy, public=int(n), vc=1)) for n in sizes]
        below &= all(chance <= limit * (1 + 1e-12) for chance, limit in zip(chances, right, strict=True))
        rows += exact("exact", chances, n_pub=sizes, alpha=accuracy)
        rows += bound("right side of (1)", right, n_pub=sizes, alpha=accuracy)
    least = [least_public(accuracy, FAILURE) for accuracy in accuracies]
    closed = [size_of("cover_public", accuracy=a, failure=FAILURE, vc=1) for a in accuracies]
    tight = [
        int(solve(BOUNDS["cover_public_tight"], for_="public", failure=FAILURE, accuracy=a, vc=1))  # type: ignore[arg-type]
        for a in accuracies
    ]
    rows += exact("needed, exact", least, alpha=accuracies)
    rows += bound("(1) solved for n_pub", tight, alpha=accuracies)
    rows += bound("closed form (8/alpha)(...)", closed, alpha=accuracies)
    rows += bound("d/alpha², labelled data alone (order only)", [1 / a**2 for a in accuracies], alpha=accuracies)
    slopes = {
        name: log_log_slope(accuracies, values)
        for name, values in (("exact", least), ("(1) solved", tight), ("closed form", closed))
    }
    rows += exact("slope", slopes.values(), size=list(slopes))
    tried = accuracies[: 3 if quick else 4]
    holds = all(
        interval_cover_failure(int(size), a) <= FAILURE for a, size in zip(tried, closed[: len(tried)], strict=True)
    )
    outcomes = (
        Outcome(
            "holds" if holds else "contradicted",
            "lem-3.3 at its own size, thresholds under the uniform law on [0, 1], n_pub = ceil((8/alpha)(2 "
            "log(32/alpha) + log(20))): no cover with probability at most 0.1",
            f"P[Bad], which bounds it, computed as fractions for alpha = {', '.join(f'{a:g}' for a in tried)}; the "
            f"size is that for alpha = {tried[-1]:g}",
            "alon2019:lem-3.3",
            "upper bound",
            learner="alon2019.cover",
            size=closed[len(tried) - 1],
            measured=float(least[len(tried) - 1]),
        ),
        compared(
            "alon2019:lem-3.3-eq1",
            "(1): P[Bad] is at most the right side, for thresholds (d = 1)",
            below,
            f"at {len(sizes)} sizes for each of 3 accuracies: exact probabilities, compared as doubles",
        ),
    )
    found = (
        f"The least n_pub grows from {least[0]} at alpha = 0.2 to {least[-1]:,} at alpha = 0.005: a log-log slope of "
        f"{slopes['exact']:.3f} in alpha, "
        + ("steeper than -1, as log(1/alpha) makes it" if slopes["exact"] < -1 else "not steeper than -1")
        + f", and {abs(slopes['exact'] + 2):.3f} away from the -2 of 1/alpha². The closed form asks for "
        f"{closed[0] / least[0]:.0f} to {closed[-1] / least[-1]:.0f} times as many."
    )
    return Findings(rows, outcomes, found)


_LEAST_PUBLIC = "Public points for P[Bad] of at most 0.1"
PUBLIC_COST = Page(
    "A cover costs about 1/alpha public points, not 1/alpha²",
    "Thresholds under the uniform law on [0, 1], the lowest threshold of each cell standing for it: Bad happens "
    "when a gap between public points is longer than alpha, for then a threshold is farther than alpha from the "
    "one that stands for it (another one may be near, so there is no cover at most as often). That probability is "
    "computed, not sampled, and set beside the bound (1); then the least n_pub at which it is at most 0.1, beside "
    "the explicit sizes.",
    (
        Plot(
            "cover-failure",
            "P[Bad]: some threshold is far from its representative",
            "n_pub",
            "probability of Bad",
            by="alpha",
            x_label="public points n_pub",
        ),
        Plot("least-public", _LEAST_PUBLIC, "alpha", "n_pub", x_label="accuracy alpha", scale="log"),
    ),
    (Pivot(_LEAST_PUBLIC, ("alpha",)), Pivot("Log-log slope in alpha", ("size",))),
    about=("alon2019:thm-3.1",),
)


def agnostic_realisable(seed: int, quick: bool) -> Findings:
    """Claim 7: noise does not change the public sample."""
    accuracy, private = 0.05, 2_000
    publics = (5, 20, 80) if quick else (2, 5, 10, 20, 40, 80, 160, 320)
    noises = (0.0, 0.1, 0.3)
    level = TOGETHER / (len(publics) * len(noises))
    seeds = iter(np.random.SeedSequence(seed).generate_state(len(publics) * len(noises)).tolist())
    found = {
        noise: [
            failure_rate(
                cover_learner(1.0),
                UniformInterval(noise=noise),
                sizes={"private": private, "public": public},
                accuracy=accuracy,
                trials=60 if quick else 500,
                level=level,
                seed=next(seeds),
                **IN_PLACE,
            )
            for public in publics
        ]
        for noise in noises
    }
    sizes = np.unique(np.geomspace(publics[0], publics[-1], 60).astype(int))
    rows = [row for noise in noises for row in rates("A_SSPP", found[noise], n_pub=publics, noise=noise)]
    rows += exact("P[Bad], exact", interval_cover_failures(sizes, accuracy), n_pub=sizes)
    outcomes = tuple(
        own_size(
            cover_learner(1.0),
            UniformInterval(noise=noise),
            accuracy=0.1,
            epsilon=1.0,
            said=f"thresholds on [0, 1], noise {noise:g}, epsilon = 1",
            seed=seed + place,
        )
        for place, noise in enumerate((0.3,) if quick else (0.0, 0.3))
    )
    at, limits = publics.index(20), interval_cover_failures(publics, accuracy)
    below = all(a.interval[0] <= limit for each in found.values() for a, limit in zip(each, limits, strict=True))
    told = (
        "At n_pub = 20 it fails with probability "
        + ", ".join(f"{each[at].rate:.3f} (noise {noise:g})" for noise, each in found.items())
        + f", and Bad has probability {limits[at]:.3f}. "
        + (
            "Nowhere is the failure above that of Bad (by its interval): noise does not raise what the public sample "
            "must hold. It is below it, as one good hypothesis suffices, while Bad asks after a good one for each "
            "threshold."
            if below
            else "At some n_pub the failure is above that of Bad: there the private sample is what is too small."
        )
    )
    return Findings(rows, outcomes, told, {"private": private, "accuracy": accuracy})


AGNOSTIC_REALISABLE = Page(
    "Agnostic learning takes no more public points than realisable",
    "A_SSPP on thresholds over [0, 1] with n_priv = {private:,}, epsilon = 1, alpha = {accuracy:g}, and no, 10% "
    "and 30% label noise, against n_pub; beside it the exact probability of Bad (a gap longer than "
    "alpha), which bounds that of no alpha-cover. With noise a threshold at distance r has excess error "
    "(1 - 2 noise) r, so that it is more easily within alpha.",
    (
        Plot(
            "noise",
            "Excess error above {accuracy:g} has this probability",
            "n_pub",
            "probability of failure",
            by="noise",
            x_label="public points n_pub",
        ),
    ),
    about=("alon2019:lem-3.3",),
)


def counting(seed: int, quick: bool) -> Findings:
    """Lemma 3.3's parts as printed and as repaired: (1), the growth function, Sauer's lemma, the cover's size."""
    publics = tuple(range(1, 13 if quick else 25))
    rows, fails, repaired = _bad_of_all_functions(publics)
    more, beyond, holds, families = _dichotomies(quick)
    worst = max(fails, key=lambda each: each[2] - each[3].high)
    where = f"all functions on {_DIMENSION} points, uniform, n_pub = {worst[0]}, alpha = {float(worst[1]):g}"
    against = f"{float(worst[2]):.4f}", f"{float(worst[3]):.4f}"
    beyond_one, larger_holds = _beyond_one()
    witness = instances.cofinite_representatives()
    eq1, grows = "alon2019:lem-3.3-eq1", "alon2019:lem-3.3-growth"
    outcomes = (
        compared(
            eq1,
            "(1) as printed, for every n_pub",
            not fails,
            f"{where}: P[Bad] = {against[0]} against {against[1]}",
            expected="alon2019:lem-3.3-eq1: Sauer's lemma needs 2 n_pub >= d",
        ),
        compared(
            eq1,
            "(1) for 2 n_pub >= d",
            repaired and larger_holds,
            f"all functions on {_DIMENSION} points, {len(publics)} sizes and {len(_ACCURACIES)} accuracies; and on "
            f"{_SMALL} points at {len(_LARGER)} sizes up to {_LARGER[-1]}, where the right side is below 1 at "
            f"{beyond_one} of them (above, it says nothing): exact probabilities",
        ),
        compared(
            grows,
            "the growth function of differences is at most (em/d)^(2d), as printed for any m",
            not beyond,
            f"{beyond[0][0]}, m = {beyond[0][1]}: {beyond[0][2]} against {beyond[0][3]:.3f}" if beyond else "",
            expected="alon2019:lem-3.3-growth: Sauer's lemma in this form needs m >= d",
        ),
        compared(
            grows,
            "the growth function of differences is at most that of the class squared, and at most (em/d)^(2d) for "
            "m >= d",
            holds["pairs"] and holds["differences"],
            f"counted on {families} classes",
        ),
        compared(
            "alon2019:lem-sauer",
            "a class of VC dimension d has at most (em/d)^d dichotomies on m >= d points",
            holds["class"],
            f"counted on {families} classes",
        ),
        refuted_by(
            "alon2019:lem-3.3",
            "the cover as printed, with constant 1 at alpha = exp(-1/16), d = 5, beta = exp(-5/16): no cover has "
            "probability at most beta",
            witness,
            "it has probability 1",
            kind="upper bound",
            expected=NEAR_ONE.format("lem-3.3"),
        ),
    )
    found = (
        f"As printed (1) fails at {len(fails)} of {len(_ACCURACIES) * len(publics)} pairs of n_pub and alpha: on "
        f"{where} P[Bad] = {against[0]}, above {against[1]}. "
        + ("All of them have 2 n_pub < d." if repaired and larger_holds else "Some of them have 2 n_pub >= d.")
        + f" The growth function of differences is above (em/d)^(2d) in {len(beyond)} cases with m < d"
        + (" and in none with m >= d." if holds["differences"] else ", and in some with m >= d.")
    )
    return Findings([*rows, *more], outcomes, found)


def _bad_of_all_functions(publics: Sequence[int]) -> tuple[list[Row], list[tuple[Any, ...]], bool]:
    """P[Bad] beside (1) on all functions on few points; where (1) fails, and whether only below the dimension."""
    rows: list[Row] = []
    fails, repaired = [], True
    for accuracy in _ACCURACIES:
        chances = two_agree_failures(AllFunctions(_DIMENSION), all_functions(_DIMENSION), accuracy, publics)
        sides = [value_of(_FIRST, accuracy=accuracy, public=public, vc=_DIMENSION) for public in publics]
        for public, chance, right in zip(publics, chances, sides, strict=True):
            if chance > right.high:
                fails.append((public, accuracy, chance, right))
                repaired &= 2 * public < _DIMENSION
    rows += exact("P[Bad], exact", chances, n_pub=publics)
    rows += bound("right side of (1)", [min(1e6, float(right)) for right in sides], n_pub=publics)
    return rows, fails, repaired


def _beyond_one() -> tuple[int, bool]:
    """At how many sizes the right side of (1) is below 1, and whether it is kept: an unseen point makes Bad happen."""
    just = Fraction(49, 100)
    chances = two_agree_failures(AllFunctions(_SMALL), all_functions(_SMALL), just, _LARGER)
    sides = [value_of(_FIRST, accuracy=just, public=public, vc=_SMALL).high for public in _LARGER]
    return sum(side < 1 for side in sides), all(a <= b for a, b in zip(chances, sides, strict=True))


def _dichotomies(quick: bool) -> tuple[list[Row], list[tuple[Any, ...]], dict[str, bool], int]:
    """Dichotomies counted, of classes and of their differences; where they are too many, and what holds."""
    rows: list[Row] = []
    beyond, holds = [], {"pairs": True, "class": True, "differences": True}
    families = _families(quick)
    for name, family, points, dimension in families:
        for m in range(1, len(points) + 1):
            of_class, of_pairs = growth(family, points[:m]), xor_growth(family, points[:m])
            holds["pairs"] &= of_pairs <= of_class**2
            right = value_of(_SAUER, public=m, vc=dimension)
            if m >= dimension:
                holds["class"] &= of_class <= right.low
                holds["differences"] &= of_pairs <= right.low**2
            elif of_pairs > right.high**2:
                beyond.append((name, m, of_pairs, float(right) ** 2))
        at = {"class": name, "d": dimension}
        rows += exact("dichotomies", [of_class], **at) + exact("of differences", [of_pairs], **at)
        rows += bound("(em/d)^d", [float(right)], **at)
    return rows, beyond, holds, len(families)


COUNTING = Page(
    "Where Sauer's lemma ends: the counts inside lemma 3.3",
    "The inequalities of lemma 3.3 on classes that can be listed, as printed and on the range that the registry's "
    "repair names: (1) and the growth function of differences for fewer points than the VC dimension and for more.",
    (
        Plot(
            "bad-below-the-dimension",
            f"All functions on {_DIMENSION} points, alpha = {float(_ACCURACIES[-1]):g}",
            "n_pub",
            "probability of Bad",
            x_label="public points n_pub",
            scale="log",
            shades=(Shade("2 n_pub < d: Sauer's lemma does not give (1)", x=(None, _DIMENSION / 2 - 0.5)),),
        ),
    ),
    (Pivot("Dichotomies on the most points, of the class and of its differences", ("class", "d")),),
    about=("alon2019:thm-3.1",),
)


def _families(quick: bool) -> list[tuple[str, Any, list[Any], int]]:
    """Classes with points on which their VC dimension is reached, and that dimension."""
    found: list[tuple[str, Any, list[Any], int]] = [
        ("thresholds", Thresholds(), list(range(8)), 1),
        ("point functions", PointFunctions(30), list(range(8)), 1),
        ("intervals", Intervals(), list(range(8)), 2),
        ("all functions on 3 points", AllFunctions(3), list(range(3)), 3),
        ("all functions on 5 points", AllFunctions(5), list(range(5)), 5),
    ]
    if not quick:
        plane = [(0, 0), (3, 1), (1, 4), (5, 5), (2, 7)]
        found.append(("half-planes", HalfPlanes(), plane, 3))
    return found
