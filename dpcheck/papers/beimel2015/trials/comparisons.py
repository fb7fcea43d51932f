"""LabelBoost beside GenericLearner, rectangles, and what the introduction says: sizes evaluated and classes counted."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP, exact_point
from dpcheck.papers.beimel2015.learners import boost_sizes, claim_steps
from dpcheck.papers.beimel2015.learners.boost_sizes import PRINTED
from dpcheck.papers.beimel2015.theorems.bounds import BASE, BOOST_LABELLED, GENERIC_UNLABELLED
from dpcheck.papers.beimel2015.trials.boosting import iterated_logarithm
from dpcheck.papers.beimel2015.trials.brute_force import vc_dimension
from dpcheck.papers.beimel2015.trials.laws import as_ball, precisely
from dpcheck.papers.beimel2015.trials.outcomes import EXACT, below, decided, exactly, out_of_reach, size_named
from dpcheck.parts.mechanisms.amplification import ball
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import Page, Pivot, Plot
from dpcheck.trial.relations import all_true
from dpcheck.trial.rows import Findings, Row, bound, exact, line

#: d and l of rectangles whose VC dimension is found by trying all subsets.
_COUNTED = ((1, 1), (2, 1), (1, 2), (2, 2), (1, 3), (3, 1))
_TENTH = Fraction(1, 10)


def rectangle_labels(bits: int, axes: int) -> NDArray[Any]:
    """All concepts of RECTANGLE_d^l as rows of labels of the (2^d)^l points, each once.

    >>> rectangle_labels(1, 2).shape
    (10, 4)
    """
    side = 1 << bits
    intervals = {tuple(int(a <= x <= b) for x in range(side)) for a in range(side) for b in range(side)}
    rows = set()
    for some in product(sorted(intervals), repeat=axes):
        row = np.array([1])
        for each in some:
            row = np.outer(row, each).ravel()
        rows.add(tuple(int(v) for v in row))
    return np.array(sorted(rows))


def _rectangles_count(bits: int, axes: int) -> int:
    """How many concepts: one box for each pair of ends on every axis, and the empty one."""
    side = 1 << bits
    return int((side * (side + 1) // 2) ** axes + 1)


@precisely
def comparisons(seed: int, quick: bool) -> Findings:
    """Headline claims 9 and 10: unlabelled sizes of the two learners, and rectangles."""
    rows, ratios = _unlabelled()
    found = {(d, axes): vc_dimension(rectangle_labels(d, axes)) for d, axes in _COUNTED}
    for (d, axes), dimension in found.items():
        rows += line({"by trying all": dimension, "2l": 2 * axes}, {"d": d, "l": axes})
    crossing = _crossing()
    bits = [d for d, *_ in crossing]
    rows += exact("l at which they meet, explicit log*", [meet for *_, meet in crossing], d=bits)
    rows += bound("sqrt(d)", [math.sqrt(d) for d in bits], d=bits)
    outcomes = [
        _sauer(seed, quick),
        exactly(
            "cmp-4.b",
            "LabelBoost over the generic learner asks for fewer points than GenericLearner",
            min(ratios) > 1,
            f"{min(ratios):,.1f} to {max(ratios):,.0f} times fewer over {len(ratios)} classes",
        ),
        *_rectangles(found),
        *_labels_of_rectangles(),
        _factor(crossing),
        exactly(
            "int-6",
            "thresholds: pure and proper with every example labelled O(log #C), LabelBoost's labels constant in d",
            _in_bits(),
            "base sizes at d = 8, 16, 32, 60 grow by the same for each bit, up to rounding up",
            kind="order",
        ),
        *_improper(),
    ]
    told = (
        f"GenericLearner asks for {min(ratios):,.1f} to {max(ratios):,.0f} times as many points as LabelBoost. The VC "
        "dimension of rectangles on l axes is 2l "
        + (
            "wherever d is at least 2"
            if all(v == 2 * axes for (d, axes), v in found.items() if d >= 2)
            else "not everywhere"
        )
        + f", and for d = 1, l = 2 it is {found[1, 2]}."
    )
    return Findings(rows, outcomes, told)


PAGE = Page(
    "LabelBoost beside GenericLearner, and rectangles",
    "Explicit sizes of points without labels: LabelBoost over the exponential mechanism, 90000 n with n growing as "
    "ln #C, beside GenericLearner's d VC (alpha = beta = 0.1, epsilon = 1). VC dimensions of rectangles by trying all "
    "subsets. The crossover of l^3 8^(log* d) and l d.",
    (Plot("crossing", "Where l^3 8^(log* d) meets l d", "d", "axes l", x_label="bits d", scale="log"),),
    (Pivot("Points without labels", ("class", "d", "VC")), Pivot("VC dimension of RECTANGLE_d^l", ("d", "l"))),
    evidence=f"{EXACT} Sizes are formulas evaluated and rounded up.",
)


def _unlabelled() -> tuple[list[Row], list[float]]:
    """Points without labels of both learners, and how many times as many GenericLearner asks for."""
    rows: list[Row] = []
    ratios = []
    classes = [("THRESH_d", d, 1, (1 << d) + 1) for d in (8, 16, 32, 60)] + [
        (f"RECTANGLE_d^{axes}", d, 2 * axes, _rectangles_count(d, axes)) for axes in (1, 2, 3, 4) for d in (8, 32)
    ]
    for name, bits, dimension, count in classes:
        base = size_named(BASE, accuracy=_TENTH / 11, failure=_TENTH / 2, epsilon=1, hypotheses=count)
        generic = size_named(
            GENERIC_UNLABELLED,
            accuracy=_TENTH,
            failure=_TENTH,
            epsilon=1,
            vc=dimension,
            bits=bits * max(1, dimension // 2),
        )
        ratios.append(generic / (90000 * base))
        at = {"class": name, "d": bits, "VC": dimension}
        rows += line({"ln #C": math.log(count), "d VC": bits * dimension}, at)
        rows += line({"LabelBoost": 90000 * base, "GenericLearner": generic}, at, "bound")
    return rows, ratios


def _rectangles(found: Mapping[tuple[int, int], int]) -> list[Outcome]:
    """ex-rect on the VC dimensions that were found."""
    return [
        exactly(
            "ex-rect",
            "as printed: RECTANGLE_d^l has VC dimension 2l for all d and l",
            all(v == 2 * axes for (_, axes), v in found.items()),
            ", ".join(f"{v} at d = {d}, l = {axes}" for (d, axes), v in found.items()),
            expected="ex-rect: with two points on an axis (d = 1) and l at least 2 it is less",
        ),
        exactly(
            "ex-rect",
            "as repaired: 2l for d at least 2, at most 2l always",
            all(v == 2 * axes if d >= 2 else v <= 2 * axes for (d, axes), v in found.items()),
            f"{len(found)} pairs (d, l), all subsets of all points",
        ),
    ]


def _labels_of_rectangles() -> list[Outcome]:
    """cor-4.17: labels in proportion to l, and dichotomies."""
    axes = (1, 2, 4, 8, 16)
    labelled = [size_named(BOOST_LABELLED, accuracy=_TENTH, failure=_TENTH, vc=2 * each) for each in axes]
    linear = all(abs(size / labelled[0] - each) < 1e-6 * each for size, each in zip(labelled, axes, strict=True))
    return [
        exactly(
            "cor-4.17",
            "labelled O(l): the size of thm-4.13 at VC = 2l is proportional to l",
            linear,
            f"m = {', '.join(f'{m:.3g}' for m in labelled)} at l = 1, 2, 4, 8, 16, alpha = beta = 0.1",
            kind="order",
        ),
        _dichotomies(),
        out_of_reach(
            "cor-4.17",
            "the private learner of rectangles from l^3 8^(log* d) points",
            f"its base learner is cited and not described, and m = {labelled[0]:,} already for l = 1",
            "the labelled size and the number of dichotomies are evaluated instead",
            "holds" if linear else "contradicted",
        ),
    ]


def _factor(crossing: Sequence[tuple[int, int, float]]) -> Outcome:
    """int-3: how far below sqrt(d) the crossover is, as powers of d."""
    powers = [3 * stars / 2 / math.log2(d) for d, stars, _ in crossing]
    return exactly(
        "int-3",
        "l^3 8^(log* d) is below l d for l up to about sqrt(d): up to sqrt(d) / 8^(log* d / 2), a factor that is a "
        "smaller and smaller power of d",
        powers == sorted(powers, reverse=True) and powers[-1] < 0.5,
        "; ".join(
            f"d = 2^{d.bit_length() - 1}: l = {meet:.3g}, factor d^{power:.2f}"
            for (d, _, meet), power in zip(crossing, powers, strict=True)
        ),
        kind="order",
    )


def _in_bits() -> bool:
    sizes = [size_named(BASE, accuracy=_TENTH, failure=_TENTH, epsilon=1, hypotheses=1 << d) for d in (8, 16, 32, 60)]
    steps = [(b - a) / (e - d) for a, b, d, e in zip(sizes, sizes[1:], (8, 16, 32), (16, 32, 60), strict=False)]
    return max(steps) - min(steps) < 0.25


def _sauer(seed: int, quick: bool) -> Outcome:
    """cmp-4.b: ln #C <= VC ln(e #X / VC) on classes that are counted."""
    rng = np.random.default_rng(seed)
    held: list[bool | None] = []
    for _ in range(60 if quick else 400):
        points = int(rng.integers(2, 8))
        functions = np.unique(rng.integers(2, size=(int(rng.integers(2, 40)), points)), axis=0)
        v = vc_dimension(functions)
        if v and points > v:
            held.append(below(ball(len(functions)).log(), v * (ball(Fraction(points, v)).log() + 1)))
    for bits, axes in ((1, 1), (2, 1), (2, 2), (3, 1), (1, 3)):
        labels = rectangle_labels(bits, axes)
        v = vc_dimension(labels)
        held.append(below(ball(len(labels)).log(), v * (ball(Fraction(labels.shape[1], v)).log() + 1)))
    return decided(
        "cmp-4.b",
        "ln #C is at most VC ln(e #X/VC), so never more than ln #X VC in order",
        all_true(held),
        f"{len(held)} classes counted: random ones and rectangles",
    )


def _crossing() -> list[tuple[int, int, float]]:
    """d, log* d and the l at which l^3 8^(log* d) = l d."""
    return [
        (1 << k, iterated_logarithm(1 << k), math.sqrt((1 << k) / 8 ** iterated_logarithm(1 << k)))
        for k in (4, 8, 12, 16, 24, 32, 48, 64)
    ]


def _dichotomies() -> Outcome:
    """cor-4.17: the dichotomies at l = (log d)^(1/3) are a bounded power of d."""
    found = []
    for k in (8, 27, 64, 125, 1000, 10**4, 10**6):  # d = 2^k
        axes = round(k ** (1 / 3))
        stars = iterated_logarithm(1 << k) if k <= 10**4 else 1 + iterated_logarithm(k)
        bits = 2 * axes * math.log2(math.e * axes**3 * 8.0**stars / (2 * axes))
        found.append((k, bits / k))
    later = [power for k, power in found if k >= 1000]
    return exactly(
        "cor-4.17",
        "efficient for l up to (log d)^(1/3): the number of dichotomies (e l^3 8^(log* d)/(2l))^(2l) is a bounded "
        "power of d",
        max(power for _, power in found) < 20 and later == sorted(later, reverse=True),
        "as powers of d: " + ", ".join(f"{power:.3g} at d = 2^{k:g}" for k, power in found),
        kind="order",
    )


def _improper() -> tuple[Outcome, Outcome]:
    """cor-4.18: a base learner of RepDim(C) records, whatever ln #C is."""
    labelled = PRINTED.sufficient_labelled(_TENTH, _TENTH, 1)
    counts = []
    for size in (10**5, 10**6, 10**7):
        sizes = boost_sizes(labelled, size, 1, _TENTH, _TENTH, unlabelled=90000 * size)
        counts.append((size, labelled, sizes.unlabelled))
    sizes = boost_sizes(labelled, 10**6, 1, _TENTH, _TENTH)
    pure = all(exact_point(step.claim).delta == 0 for step in claim_steps(PureDP(1.0), sizes, 1))
    first = exactly(
        "cor-4.18",
        "labelled O(VC), unlabelled O(n) for a base learner of n = O(RepDim(C)) records: m does not depend on n",
        all(used <= 90000 * n for n, _, used in counts),
        "n = " + ", ".join(f"{n:.0e}: m = {m:,}, {u:,} points used" for n, m, u in counts),
        kind="order",
    )
    end = claim_steps(PureDP(1.0), sizes, 1)[-1].claim
    second = decided(
        "cor-4.18",
        "a pure base learner stays pure, at epsilon at most 1",
        below(as_ball(Fraction(exact_point(end).nats)), ball(1)) if pure else False,
        f"{end} after all steps with the printed constants, n = 10^6",
        kind="privacy",
    )
    return first, second
