"""Covers: what a public sample costs, and how noise changes that."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import sympy

from dpcheck.papers.alon2019.theorems import instances
from dpcheck.papers.alon2019.theorems.bounds import BOUNDS
from dpcheck.papers.alon2019.trials.setting import (
    EXACT,
    FAILURE,
    NEAR_ONE,
    cover_learner,
    intervals,
    measured_curves,
    own_size,
    size_of,
)
from dpcheck.parts.classes import AllFunctions, HalfPlanes, Intervals, PointFunctions, Thresholds
from dpcheck.parts.classes.combinatorics import growth, xor_growth
from dpcheck.proof.bounds import solve, symbol, value_of
from dpcheck.trial.model import Chart, Measurement, Outcome, Series, Shade, Table
from dpcheck.trial.relations import compared, refuted
from dpcheck.trial.where import IN_PLACE
from dpcheck.utility.covers import (
    interval_cover_failure,
    interval_cover_failures,
    least_public,
    two_agree_failures,
)
from dpcheck.utility.distributions import UniformInterval, all_functions
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


def public_cost(seed: int, quick: bool) -> Measurement:
    """Claim 1: how many public points a cover takes."""
    accuracies = (0.2, 0.1, 0.05, 0.02, 0.01, 0.005)
    drawn = (0.2, 0.05, 0.01)
    sizes = np.unique(np.geomspace(1, 20_000, 40 if quick else 90).astype(int))
    curves = []
    for colour, accuracy in enumerate(drawn):
        exact = interval_cover_failures(sizes, accuracy)
        bound = [float(value_of(BOUNDS["cover_failure"], accuracy=accuracy, public=int(n), vc=1)) for n in sizes]
        xs = tuple(float(n) for n in sizes)
        curves.append(Series(f"exact, alpha = {accuracy:g}", "exact", colour, xs, tuple(map(float, exact))))
        curves.append(Series(f"right side of (1), alpha = {accuracy:g}", "bound", colour, xs, tuple(bound)))
    least = [least_public(accuracy, FAILURE) for accuracy in accuracies]
    closed = [size_of("cover_public", accuracy=a, failure=FAILURE, vc=1) for a in accuracies]
    tight = [
        int(solve(BOUNDS["cover_public_tight"], for_="public", failure=FAILURE, accuracy=a, vc=1))  # type: ignore[arg-type]
        for a in accuracies
    ]
    square = [1 / a**2 for a in accuracies]
    slopes = {
        name: log_log_slope(accuracies, values)
        for name, values in (("exact", least), ("(1) solved", tight), ("closed form", closed))
    }
    tried = accuracies[: 3 if quick else 4]
    holds = all(
        interval_cover_failure(int(size), a) <= FAILURE for a, size in zip(tried, closed[: len(tried)], strict=True)
    )
    below = all(
        e <= b * (1 + 1e-12)
        for s, t in zip(curves[::2], curves[1::2], strict=True)
        for e, b in zip(s.y, t.y, strict=True)
    )
    return Measurement(
        "public-cost",
        "A cover costs about 1/alpha public points, not 1/alpha²",
        ("alon2019:lem-3.3", "alon2019:lem-3.3-eq1", "alon2019:thm-3.1"),
        "Thresholds under the uniform law on [0, 1], the lowest threshold of each cell standing for it: Bad happens "
        "when a gap between public points is longer than alpha, for then a threshold is farther than alpha from the "
        "one that stands for it (another one may be near, so there is no cover at most as often). That probability is "
        "computed, not sampled, and set beside the bound (1); then the least n_pub at which it is at most 0.1, beside "
        "the explicit sizes.",
        f"The least n_pub grows from {least[0]} at alpha = 0.2 to {least[-1]:,} at alpha = 0.005: a log-log slope of "
        f"{slopes['exact']:.3f} in alpha, "
        + ("steeper than -1, as log(1/alpha) makes it" if slopes["exact"] < -1 else "not steeper than -1")
        + f", and {abs(slopes['exact'] + 2):.3f} away from the -2 of 1/alpha². The closed form asks for "
        f"{closed[0] / least[0]:.0f} to {closed[-1] / least[-1]:.0f} times as many.",
        EXACT,
        (
            Chart(
                "cover-failure",
                "P[Bad]: some threshold is far from its representative",
                "public points n_pub",
                "probability of Bad",
                tuple(curves),
                x_range=(1, 20_000),
                y_range=(0, 1.05),
                alt="Exact probabilities of Bad fall from 1 to 0, at larger n_pub for smaller alpha; the bound "
                "follows far to the right of each.",
            ),
            Chart(
                "least-public",
                "Public points for P[Bad] of at most 0.1",
                "accuracy alpha",
                "n_pub",
                (
                    Series("needed, exact", "exact", 0, accuracies, tuple(map(float, least))),
                    Series("(1) solved for n_pub", "bound", 1, accuracies, tuple(map(float, tight))),
                    Series("closed form (8/alpha)(...)", "bound", 2, accuracies, tuple(map(float, closed))),
                    Series("d/alpha², labelled data alone (order only)", "bound", 3, accuracies, tuple(square)),
                ),
                y_log=True,
                alt="On log-log axes the exact need and both explicit sizes have slope about -1, d/alpha² has slope "
                "-2.",
            ),
        ),
        (
            Table(
                "Public points for P[Bad] of at most 0.1",
                ("alpha", "needed, exactly", "(1) solved", "closed form", "1/alpha²"),
                tuple(
                    (f"{a:g}", f"{n:,}", f"{t:,}", f"{int(c):,}", f"{s:,.0f}")
                    for a, n, t, c, s in zip(accuracies, least, tight, closed, square, strict=True)
                ),
            ),
            Table("Log-log slope in alpha", ("size", "slope"), tuple((k, f"{v:.3f}") for k, v in slopes.items())),
        ),
        (
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
                f"at {len(sizes)} sizes for each of {len(drawn)} accuracies: exact probabilities, compared as doubles",
            ),
        ),
    )


def agnostic_realisable(seed: int, quick: bool) -> Measurement:
    """Claim 7: noise does not change the public sample."""
    accuracy, private = 0.05, 2_000
    publics = (5, 20, 80) if quick else (2, 5, 10, 20, 40, 80, 160, 320)
    noises = (0.0, 0.1, 0.3)
    trials = 60 if quick else 500
    curves = [
        (
            f"A_SSPP, noise {noise:g}",
            publics,
            [(cover_learner(1.0), UniformInterval(noise=noise), {"private": private, "public": n}) for n in publics],
        )
        for noise in noises
    ]
    series = measured_curves(seed, curves, accuracy=accuracy, trials=trials, **IN_PLACE)
    sizes = np.unique(np.geomspace(publics[0], publics[-1], 60).astype(int))
    cover = interval_cover_failures(sizes, accuracy)
    bound = Series("P[Bad], exact", "exact", 4, tuple(float(n) for n in sizes), tuple(float(value) for value in cover))
    outcomes = [
        own_size(
            cover_learner(1.0),
            UniformInterval(noise=noise),
            accuracy=0.1,
            epsilon=1.0,
            said=f"thresholds on [0, 1], noise {noise:g}, epsilon = 1",
            seed=seed + place,
        )
        for place, noise in enumerate((0.3,) if quick else (0.0, 0.3))
    ]
    at = publics.index(20)
    limits = interval_cover_failures(publics, accuracy)
    below = all(low <= limit for one in series for low, limit in zip(one.low, limits, strict=True))
    return Measurement(
        "agnostic-realisable",
        "Agnostic learning takes no more public points than realisable",
        ("alon2019:thm-3.1", "alon2019:lem-3.3"),
        f"A_SSPP on thresholds over [0, 1] with n_priv = {private:,}, epsilon = 1, alpha = {accuracy:g}, and no, 10% "
        "and 30% label noise, against n_pub; beside it the exact probability of Bad (a gap longer than "
        "alpha), which bounds that of no alpha-cover. With noise a threshold at distance r has excess error "
        "(1 - 2 noise) r, so that it is more easily within alpha.",
        "At n_pub = 20 it fails with probability "
        + ", ".join(f"{one.y[at]:.3f} (noise {noise:g})" for one, noise in zip(series, noises, strict=True))
        + ", and Bad has probability "
        + f"{limits[at]:.3f}. "
        + (
            "Nowhere is the failure above that of Bad (by its interval): noise does not raise what the public sample "
            "must hold. It is below it, as one good hypothesis suffices, while Bad asks after a good one for each "
            "threshold."
            if below
            else "At some n_pub the failure is above that of Bad: there the private sample is what is too small."
        ),
        intervals(len(publics) * len(noises), trials),
        (
            Chart(
                "noise",
                f"Excess error above {accuracy:g} has this probability",
                "public points n_pub",
                "probability of failure",
                (*series, bound),
                y_range=(-0.02, 1.04),
                alt="Failure falls with n_pub alike for all three noise levels, left of the curve of Bad's failure.",
            ),
        ),
        (),
        tuple(outcomes),
        trials=trials * len(publics) * len(noises) + sum(outcome.trials for outcome in outcomes),
    )


def counting(seed: int, quick: bool) -> Measurement:
    """Lemma 3.3's parts as printed and as repaired: (1), the growth function, Sauer's lemma, the cover's size."""
    d = 6
    least = [Fraction(1, 10), Fraction(1, 4), Fraction(1, 2)]
    publics = tuple(range(1, 13 if quick else 25))
    rows, printed_fails, repaired = [], [], True
    for accuracy in least:
        exact = two_agree_failures(AllFunctions(d), all_functions(d), accuracy, publics)
        for public, chance in zip(publics, exact, strict=True):
            right = value_of(_FIRST, accuracy=accuracy, public=public, vc=d)
            if chance > right.high:
                printed_fails.append((public, accuracy, chance, right))
                repaired &= 2 * public < d
    # there the right side is above 1; here it is not, and each unseen point (a mass of 1/2) makes Bad happen
    small, larger, just = 2, (50, 100, 200, 400, 800), Fraction(49, 100)
    beyond_one = 0
    for public, chance in zip(
        larger, two_agree_failures(AllFunctions(small), all_functions(small), just, larger), strict=True
    ):
        right = value_of(_FIRST, accuracy=just, public=public, vc=small)
        repaired &= bool(chance <= right.high)
        beyond_one += right.high < 1
    worst = max(printed_fails, key=lambda each: each[2] - each[3].high)
    curves = [
        Series("P[Bad], exact", "exact", 0, tuple(map(float, publics)), tuple(map(float, exact))),
        Series(
            "right side of (1)",
            "bound",
            1,
            tuple(map(float, publics)),
            tuple(min(1e6, float(value_of(_FIRST, accuracy=least[-1], public=n, vc=d))) for n in publics),
        ),
    ]
    grow, pairs, sauer, beyond = True, True, True, []
    families = _families(quick)
    for name, family, points, dimension in families:
        for m in range(1, len(points) + 1):
            of_class, of_pairs = growth(family, points[:m]), xor_growth(family, points[:m])
            pairs &= of_pairs <= of_class**2
            right = value_of(_SAUER, public=m, vc=dimension)
            if m >= dimension:
                sauer &= of_class <= right.low
                grow &= of_pairs <= right.low**2
            elif of_pairs > right.high**2:
                beyond.append((name, m, of_pairs, float(right) ** 2))
        rows.append((name, str(dimension), f"{of_class:,}", f"{of_pairs:,}", f"{float(right):,.1f}"))
    witness = instances.cofinite_representatives()
    where = f"all functions on {d} points, uniform, n_pub = {worst[0]}, alpha = {float(worst[1]):g}"
    return Measurement(
        "counting",
        "Where Sauer's lemma ends: the counts inside lemma 3.3",
        (
            "alon2019:lem-3.3-eq1",
            "alon2019:lem-3.3-growth",
            "alon2019:lem-sauer",
            "alon2019:lem-3.3",
            "alon2019:thm-3.1",
        ),
        "The inequalities of lemma 3.3 on classes that can be listed, as printed and on the range that the registry's "
        "repair names: (1) and the growth function of differences for fewer points than the VC dimension and for more.",
        f"As printed (1) fails at {len(printed_fails)} of {len(least) * len(publics)} pairs of n_pub and alpha: on "
        f"{where} P[Bad] = {float(worst[2]):.4f}, above {float(worst[3]):.4f}. "
        + ("All of them have 2 n_pub < d." if repaired else "Some of them have 2 n_pub >= d.")
        + f" The growth function of differences is above (em/d)^(2d) in {len(beyond)} cases with m < d"
        + (" and in none with m >= d." if grow else ", and in some with m >= d."),
        EXACT,
        (
            Chart(
                "bad-below-the-dimension",
                f"All functions on {d} points, alpha = {float(least[-1]):g}",
                "public points n_pub",
                "probability of Bad",
                tuple(curves),
                y_log=True,
                alt="The right side of (1) starts below the exact probability of Bad, crosses it, and is far above 1.",
                shades=(Shade("2 n_pub < d: Sauer's lemma does not give (1)", x=(None, d / 2 - 0.5)),),
            ),
        ),
        (
            Table(
                "Dichotomies on the most points, of the class and of its differences",
                ("class", "d", "dichotomies", "of differences", "(em/d)^d"),
                tuple(rows),
            ),
        ),
        (
            compared(
                "alon2019:lem-3.3-eq1",
                "(1) as printed, for every n_pub",
                not printed_fails,
                f"{where}: P[Bad] = {float(worst[2]):.4f} against {float(worst[3]):.4f}",
                expected="alon2019:lem-3.3-eq1: Sauer's lemma needs 2 n_pub >= d",
            ),
            compared(
                "alon2019:lem-3.3-eq1",
                "(1) for 2 n_pub >= d",
                repaired,
                f"all functions on {d} points, {len(publics)} sizes and {len(least)} accuracies; and on {small} "
                f"points at {len(larger)} sizes up to {larger[-1]}, where the right side is below 1 at {beyond_one} of "
                "them (above, it says nothing): exact probabilities",
            ),
            compared(
                "alon2019:lem-3.3-growth",
                "the growth function of differences is at most (em/d)^(2d), as printed for any m",
                not beyond,
                f"{beyond[0][0]}, m = {beyond[0][1]}: {beyond[0][2]} against {beyond[0][3]:.3f}" if beyond else "",
                expected="alon2019:lem-3.3-growth: Sauer's lemma in this form needs m >= d",
            ),
            compared(
                "alon2019:lem-3.3-growth",
                "the growth function of differences is at most that of the class squared, and at most (em/d)^(2d) for "
                "m >= d",
                pairs and grow,
                f"counted on {len(families)} classes",
            ),
            compared(
                "alon2019:lem-sauer",
                "a class of VC dimension d has at most (em/d)^d dichotomies on m >= d points",
                sauer,
                f"counted on {len(families)} classes",
            ),
            compared(
                "alon2019:lem-3.3",
                "the cover as printed, with constant 1 at alpha = exp(-1/16), d = 5, beta = exp(-5/16): no cover has "
                "probability at most beta",
                refuted(witness),
                witness.failure or f"it has probability 1: {witness.family}",
                kind="upper bound",
                expected=NEAR_ONE.format("lem-3.3"),
            ),
        ),
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
