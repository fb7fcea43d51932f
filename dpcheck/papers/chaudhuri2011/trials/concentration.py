"""Uniform convergence and tails: lemmas 16, 17, 18 and 23, on thresholds under the uniform distribution."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import flint
import numpy as np
from numpy.typing import NDArray

from dpcheck.model.bounds_shown import within
from dpcheck.trial.failures import word_of_failures
from dpcheck.trial.model import HOLDS_LEVEL, Outcome, Shade
from dpcheck.trial.page import Line, Page, Pivot, Plot
from dpcheck.trial.relations import all_true, compared, decided
from dpcheck.trial.rows import Findings, Row, bound, exact
from dpcheck.utility.evidence import fixed_interval

_FAILURE = 0.1
_LARGE = 52
#: Of lemma 23's event that is drawn, and the lemma's own size there.
_SCALE = 0.05
_OWN = math.ceil(_LARGE / _SCALE * math.log(_LARGE / _SCALE))
_SHARE = "share of eps_m needed"


def deviation(size: int, failure: float) -> float:
    """eps_m of lemma 16 for thresholds, of which 2m points have 2m + 1 dichotomies."""
    return 4 / size * (math.log(2 * size + 1) + math.log(4 / failure))


def pair_deviation(size: int, failure: float) -> float:
    """eps_m of lemma 17 at V = 1."""
    return (8 * math.log(2 * math.e * size) + 4 * math.log(4 / failure)) / size


def worst_of_thresholds(x: NDArray[np.float64], allowed: float) -> tuple[float, float]:
    """By how much the two inequalities of lemma 16 fail at the worst threshold: above 0 is a violation.

    Parameters
    ----------
    x : sorted points from the uniform distribution on [0, 1], shape (m,)
    allowed : float, eps_m

    Examples
    --------
    >>> max(worst_of_thresholds(np.linspace(0.01, 0.99, 99), 0.02)) <= 0
    True
    """
    size = len(x)
    above = 1 - np.arange(size + 1) / size  # the share of points from the i-th on
    least, most = 1 - np.append(x, 1.0), 1 - np.append(0.0, x)  # the mass of thresholds with that share
    first = above - least - np.minimum(np.sqrt(above * allowed), np.sqrt(least * allowed) + allowed)
    second = most - above - np.minimum(np.sqrt(most * allowed), np.sqrt(above * allowed) + allowed)
    # the threshold at 1 has neither mass nor share: there the second is 0
    return float(first.max()), max(float(second.max()), 0.0)


def worst_of_pairs(x: NDArray[np.float64], allowed: float) -> tuple[float, float]:
    """The same for lemma 17: pairs of thresholds are intervals, all of which are looked at.

    Examples
    --------
    >>> max(worst_of_pairs(np.linspace(0.01, 0.99, 99), 0.05)) < 0
    True
    """
    size = len(x)
    ends = np.concatenate([[0.0], x, [1.0]])
    i, j = np.triu_indices(size, 0)
    share, mass = (j - i + 1) / size, x[j] - x[i]
    first = share - mass - np.minimum(np.sqrt(share * allowed), np.sqrt(mass * allowed) + allowed)
    a, b = np.triu_indices(size + 2, 1)
    open_share, open_mass = (b - a - 1) / size, ends[b] - ends[a]
    second = open_mass - open_share - np.sqrt(open_mass * allowed)
    return float(first.max()), float(second.max())


def packings_stay(x: NDArray[np.float64], scale: float) -> bool:
    """Whether lemma 23's two statements follow for thresholds from the windows of the sample, as in its proof.

    No window of length r has more than 2rm points, none of length 12r more than 16rm, and each open one of length 6r
    more than 4rm.

    Examples
    --------
    >>> packings_stay(np.linspace(0.0005, 0.9995, 1000), 0.05), packings_stay(np.full(1000, 0.5), 0.05)
    (True, False)
    """
    size = len(x)

    def most(length: float) -> int:
        return int((np.searchsorted(x, x + length, side="right") - np.arange(size)).max())

    starts = np.concatenate([[0.0], x])
    starts = starts[starts + 6 * scale <= 1]
    inside = np.searchsorted(x, starts + 6 * scale, side="left") - np.searchsorted(x, starts, side="right")
    few = int(inside.min()) if len(inside) else size
    return most(scale) <= 2 * scale * size and most(12 * scale) <= 16 * scale * size and few > 4 * scale * size


def concentration(seed: int, quick: bool) -> Findings:
    """How often the events fail, against how often they may; and the exponential mechanism's tails exactly."""
    rng = np.random.default_rng(seed)
    trials = 120 if quick else 400
    sizes = (50, 150, 400) if quick else (50, 100, 200, 400, 800)
    outcomes, rows, most, shares = [], [], 0, []
    lemmas: tuple[tuple[str, Callable[..., tuple[float, float]], Callable[[int, float], float]], ...] = (
        ("lem-16", worst_of_thresholds, deviation),
        ("lem-17", worst_of_pairs, pair_deviation),
    )
    for lemma, worst, allowed in lemmas:
        for size in sizes:
            eps_m = allowed(size, _FAILURE)
            found = np.array([worst(np.sort(rng.random(size)), eps_m) for _ in range(trials)])
            broken = (found > 0).sum(axis=0)
            says = eps_m < 1
            shares.append(_largest_share(rng, size, worst, eps_m))
            outcomes.append(_rarely(lemma, size, eps_m, broken.tolist(), trials, says))
            most, at = max(most, *broken.tolist()), {"lemma": lemma, "m": size}
            rows += bound("eps_m", [eps_m], **at) + exact("first broken", broken[:1], **at)
            rows += exact("second broken", broken[1:], **at) + exact("samples", [trials], **at)
            rows.append(Row(_SHARE, shares[-1], at, "measured"))
    kept, packed = _packings(rng, quick)
    tails, tail_rows = _tails(rng, 40 if quick else 300)
    outcomes, rows = [*outcomes, *kept, tails], [*rows, *packed, *tail_rows]
    told = (
        f"At delta = {_FAILURE:g} no more than {most} of {trials} samples "
        "broke an inequality. "
        f"One sample needed {min(shares):.2f} to {max(shares):.2f} of eps_m. "
        "Lemma 17 says nothing up "
        f"to m = {max(_SILENT)}, where eps_m is 1 or more."
    )
    made = len(shares) * trials + sum(row.trials for row in packed)
    return Findings(rows, outcomes, told, {"level": HOLDS_LEVEL}, made)


#: Where lemma 17 allows a deviation of 1 or more.
_SILENT = [n for n in range(10, 200) if pair_deviation(n, _FAILURE) >= 1]
PAGE = Page(
    "Uniform convergence, packings that stay packings, and the exponential mechanism's tails",
    "Thresholds under the uniform distribution: whether any threshold (lemma 16), any pair of thresholds (lemma 17) "
    "breaks the inequality on a sample, the worst ones being at sample points; how much of eps_m one sample would "
    "have needed. Lemma 23 by the counts of all windows, up to its own size. Lemma 18 on random scores in balls.",
    (
        Plot(
            "needed-deviation",
            "The eps_m that a typical sample needs, as a share of the lemma's (median of ten)",
            "m",
            "share",
            by="lemma",
            only=(_SHARE,),
            x_label="records m",
            scale="linear",
            lines=(Line("the lemma's eps_m", y=1.0),),
            shades=(Shade("lemma 17 says nothing: eps_m >= 1", x=(None, float(max(_SILENT)))),),
        ),
        Plot(
            "packings-stay",
            f"The event of lemma 23 for thresholds, r = {_SCALE:g}",
            "records",
            "probability, at least",
            x_label="records m",
            lines=(Line(f"lemma 23's size: {_OWN:,}", x=_OWN), Line("1/2", y=0.5)),
        ),
        Plot(
            "tails",
            "One good candidate and 19 that are worse by 4 nats: the tail of the choice",
            "t",
            "probability of being worse by t or more",
            x_label="t (nats)",
            x_log=False,
            scale="log",
            least=1e-4,
            shades=(Shade("the bound is above 1: it says nothing", y=(1.0, None)),),
        ),
    ),
    (Pivot("Samples that break an inequality, delta = 0.1", ("lemma", "m")),),
    evidence="Trials fixed in advance; each row holds at level {level:g}. Lemma 18: computed in balls.",
)


def _largest_share(
    rng: np.random.Generator, size: int, worst: Callable[..., tuple[float, float]], eps_m: float
) -> float:
    """The median over ten samples of the least eps that would do, over eps_m."""
    needed = []
    for _ in range(10):
        x = np.sort(rng.random(size))
        low, high = 0.0, eps_m
        for _ in range(20):
            middle = (low + high) / 2
            low, high = (low, middle) if max(worst(x, middle)) <= 0 else (middle, high)
        needed.append(high / eps_m)
    return float(np.median(needed))


def _rarely(lemma: str, size: int, eps_m: float, broken: list[int], trials: int, says: bool) -> Outcome:
    claim = (
        f"{lemma} for thresholds, m = {size}, delta = {_FAILURE:g}, eps_m = {eps_m:.3f}: each of the two "
        "inequalities fails for some "
        f"{'threshold' if lemma == 'lem-16' else 'pair'} with probability at most delta"
    )
    if not says:
        return Outcome(
            "says nothing", claim, "eps_m is 1 or more: no sample can break it", f"chaudhuri2011:{lemma}", "number"
        )
    worst = max(broken)
    # two inequalities: each has half of the level
    word, level = word_of_failures(worst, trials, _FAILURE, holds_among=2, contradicted_among=2)
    high = fixed_interval(worst, trials, HOLDS_LEVEL)[1]
    return Outcome(
        word,
        claim,
        f"they failed in {broken[0]} and {broken[1]} of {trials} samples; probability at most {high:.3f}",
        f"chaudhuri2011:{lemma}",
        "number",
        level=level,
        trials=trials,
    )


def _packings(rng: np.random.Generator, quick: bool) -> tuple[list[Outcome], list[Row]]:
    trials, scale, own = 40 if quick else 200, _SCALE, _OWN
    sizes = np.unique(np.geomspace(50, own, 6 if quick else 12).astype(int)).tolist()
    level = 0.05 / len(sizes)
    stays = {n: sum(packings_stay(np.sort(rng.random(n)), scale) for _ in range(trials)) for n in sizes}
    bounds = [fixed_interval(stays[n], trials, level) for n in sizes]
    passing = [n for n, (low, _) in zip(sizes, bounds, strict=True) if low >= 0.5]
    outcomes = []
    for r in (0.05,) if quick else (0.05, 0.02):
        size = math.ceil(_LARGE / r * math.log(_LARGE / r))
        count = stays[own] if r == scale else sum(packings_stay(np.sort(rng.random(size)), r) for _ in range(trials))
        # the interval that is told has half of the level at each end, and so has the word
        low, high = fixed_interval(count, trials, HOLDS_LEVEL)
        word, level = word_of_failures(count, trials, 0.5, sense="at least", holds_among=2, contradicted_among=2)
        outcomes.append(
            Outcome(
                word,
                f"lem-23 with C = 52 for thresholds (V = 1), r = {r:g}, at its own size m = {size:,}: far pairs stay "
                "apart and packings "
                "stay packings on the sample with probability at least 1/2",
                f"on {count} of {trials} samples (by their windows, which imply it); probability in "
                f"{within(low, high, '.3f')}",
                "chaudhuri2011:lem-23",
                "number",
                size=float(size),
                measured=float(min(passing)) if r == scale and passing else None,
                level=level,
                trials=trials,
            )
        )
    rows = [
        Row("by the windows of the sample", stays[n] / trials, {"records": n}, "measured", ends, trials, level)
        for n, ends in zip(sizes, bounds, strict=True)
    ]
    return outcomes, rows


def _tails(rng: np.random.Generator, cases: int) -> tuple[Outcome, list[Row]]:
    """Lemma 18 on random vectors of rational exponents, every member and every tail."""
    kept: list[bool | None] = []
    closest = 0.0
    for _ in range(cases):
        size = int(rng.integers(2, 12))
        a = [Fraction(int(v), 8) for v in rng.integers(0, 80, size)]
        first = a[int(rng.integers(size))]
        weights = [(-flint.arb(v.numerator) / v.denominator).exp() for v in a]
        total = sum(weights, flint.arb(0))
        for value, weight in zip(a, weights, strict=True):
            gap = value - first
            kept.append(decided(weight / total, "below", (-flint.arb(gap.numerator) / gap.denominator).exp()))
        for t in range(0, 10):
            worse = sum((w for v, w in zip(a, weights, strict=True) if v >= first + t), flint.arb(0)) / total
            limit = size * flint.arb(-t).exp()
            kept.append(decided(worse, "at most", limit))
            closest = max(closest, float((worse / limit).mid()))
    count, steps = 20, tuple(float(t) for t in np.linspace(0, 10, 21))
    exponents = np.concatenate([[0.0], np.full(count - 1, 1.0) * 4])
    probabilities = np.exp(-exponents) / np.exp(-exponents).sum()
    tail = {t: float(probabilities[exponents >= t].sum()) for t in steps if t <= exponents.max()}  # 0 beyond
    rows = exact("exact", list(tail.values()), t=tuple(tail)) + bound(
        "lemma 18: #I exp(-t)", [count * math.exp(-t) for t in steps], t=steps
    )
    return compared(
        "chaudhuri2011:lem-18",
        "lem-18: a member worse than a_i0 by t has probability at most exp(-t), all such together at most #I exp(-t)",
        all_true(kept),
        f"{len(kept):,} relations on {cases} random vectors of 2 to 11 exponents, computed in balls; a tail reaches "
        f"{closest:.2f} of its bound",
    ), rows
