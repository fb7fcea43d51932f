"""The VC bounds of the appendix on classes where they can be computed or drawn."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.papers.beimel2015.trials.brute_force import vc_dimension
from dpcheck.papers.beimel2015.trials.laws import precisely
from dpcheck.papers.beimel2015.trials.outcomes import below, decided, exactly, result
from dpcheck.parts.mechanisms.amplification import ball
from dpcheck.trial.failures import counted
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import TOGETHER, Line, Page, Pivot, Plot
from dpcheck.trial.relations import all_true
from dpcheck.trial.rows import Findings, Row, exact, line
from dpcheck.utility.evidence import fixed_interval

_HALF, _TENTH = Fraction(1, 2), Fraction(1, 10)
#: alpha and beta of the settings; the last one is not for quick runs.
_SETTINGS = ((_HALF, _HALF), (_TENTH, _TENTH), (Fraction(1, 20), Fraction(1, 100)))


def two_sided_gap(accuracy: Fraction, size: int) -> Any:
    """P[some threshold of error above alpha is right on all of a sample], the target in the middle of [0, 1]; a ball.

    >>> float(two_sided_gap(Fraction(1, 2), 0))
    1.0
    """
    one, both = ball(1 - accuracy) ** size, ball(max(Fraction(0), 1 - 2 * accuracy)) ** size
    return 2 * one - both


def _size_four(accuracy: Fraction, failure: Fraction) -> int:
    return math.ceil(8 / accuracy * Fraction(math.log(16 / accuracy) + math.log(2 / failure)))


def _size_five(accuracy: Fraction, failure: Fraction) -> int:
    return math.ceil(48 / accuracy * Fraction(10 * math.log(48 * math.e / accuracy) + math.log(5 / failure)))


def _size_six(accuracy: Fraction, failure: Fraction) -> int:
    return math.ceil(50 / accuracy**2 * Fraction(math.log(1 / (accuracy * failure))))


def sparse_interval(x: NDArray[Any], accuracy: float) -> bool:
    """Whether some interval of length alpha holds at most a tenth of alpha of a sample: c and h of thm-B.5.

    >>> bool(sparse_interval(np.linspace(0, 1, 101), 0.5)), bool(sparse_interval(np.zeros(10), 0.5))
    (False, True)
    """
    few = math.floor(accuracy * len(x) / 10)
    edges = np.concatenate([[0.0], np.sort(x), [1.0]])
    return bool((edges[few + 1 :] - edges[: len(edges) - few - 1]).max() >= accuracy)


def largest_deviation(x: NDArray[Any], target: float) -> float:
    """The largest difference between true and empirical error of a threshold, points uniform on [0, 1].

    >>> float(largest_deviation(np.array([0.25, 0.75]), 0.5))
    0.25
    """
    ordered = np.sort(x)
    size = len(x)
    at_target = float(np.count_nonzero(ordered < target)) / size
    true = np.abs(ordered - target)
    found = [
        np.abs(true - np.abs(np.arange(size) / size - at_target)),
        np.abs(true - np.abs(np.arange(1, size + 1) / size - at_target)),
    ]
    ends = [abs(target - at_target), abs((1 - target) - (1 - at_target))]
    return max(float(found[0].max()), float(found[1].max()), *ends)


#: Bad events that are drawn: a theorem, its size, the event in a sample at an accuracy, and what is claimed not to be.
_DRAWN: tuple[tuple[str, Callable[[Fraction, Fraction], int], Callable[[NDArray[Any], float], bool], str], ...] = (
    (
        "thm-B.5",
        _size_five,
        sparse_interval,
        "two thresholds that differ by alpha or more disagree on at most a tenth of alpha of the sample",
    ),
    (
        "thm-B.6",
        _size_six,
        lambda x, a: largest_deviation(x, 0.5) > a,
        "some threshold's empirical error is off by more than alpha",
    ),
)


@precisely
def generalisation(seed: int, quick: bool) -> Findings:
    """thm-B.2, B.4, B.5 and B.6 on thresholds and on classes that are counted."""
    rng = np.random.default_rng(seed)
    four_rows, four, least = _size_of_four(_SETTINGS[:2] if quick else _SETTINGS)
    own_rows, own = _at_own_sizes(rng)
    times = 200 if quick else 2000
    curves = _below_own_sizes(rng, times, 12 if quick else 24)
    size, seen = _size_four(_TENTH, _TENTH), [row for row in own_rows if row.role == "measured"]
    told = (
        f"thm-B.4 asks for {size:,} points at alpha = beta = 0.1 where {least:,} suffice for thresholds: a factor of "
        f"{size / least:.0f}. At the sizes of B.5 and B.6 "
        + ("bad events were seen." if any(each.value for each in seen) else "no bad event was seen.")
    )
    words = {"times": times, "curves": sum(row.role == "measured" for row in curves)}
    outcomes = [four, *own, _dichotomies(seed, quick), _uniform_as_printed()]
    return Findings([*curves, *four_rows, *own_rows], outcomes, told, words)


PAGE = Page(
    "The VC bounds of the appendix on thresholds",
    "Thresholds on [0, 1], points uniform, the target in the middle: the bad event of thm-B.4 has an exact "
    "probability, those of B.5 and B.6 are drawn, at the theorems' own sizes and at smaller ones. The number of "
    "dichotomies (thm-B.2) is counted.",
    (
        Plot(
            "bad-events",
            "Bad events on thresholds, alpha = 0.1",
            "points",
            "probability",
            x_label="points m",
            lines=(
                Line("beta = 0.1", y=0.1),
                Line(f"B.4's own size {_size_four(_TENTH, _TENTH):,}", x=_size_four(_TENTH, _TENTH)),
            ),
        ),
    ),
    (Pivot("At the theorems' own sizes", ("theorem", "alpha", "beta", "m")),),
    evidence="Intervals are Clopper-Pearson, {times} samples a point; all {curves} hold together with probability 95%. "
    "At own sizes the number of samples was fixed before, a claim holds at level 1e-3.",
)


def _size_of_four(settings: Sequence[tuple[Fraction, Fraction]]) -> tuple[list[Row], Outcome, int]:
    """thm-B.4 at its own size, exactly, and what is needed for alpha = beta = 0.1."""
    rows: list[Row] = []
    held, needed = [], []
    for a, b in settings:
        size = _size_four(a, b)
        chance = two_sided_gap(a, size)
        held.append(below(chance, ball(b)))
        needed.append(_least(lambda m, a=a, b=b: bool(two_sided_gap(a, m) <= ball(b))))  # type: ignore[misc]
        at = {"theorem": "thm-B.4", "alpha": float(a), "beta": float(b), "m": size}
        rows += line({"probability of the bad event": chance, "needed (exact)": needed[-1]}, at)
    outcome = decided(
        "thm-B.4",
        "at its own size some consistent threshold errs by more than alpha with probability at most beta",
        all_true(held),
        "; ".join(
            f"alpha = {float(a):g}, beta = {float(b):g}: m = {_size_four(a, b):,}, needed {n:,}"
            for (a, b), n in zip(settings, needed, strict=True)
        ),
        kind="upper bound",
        size=float(_size_four(*settings[1])),
        measured=float(needed[1]),
    )
    return rows, outcome, needed[1]


def _at_own_sizes(rng: np.random.Generator) -> tuple[list[Row], list[Outcome]]:
    """thm-B.5 and B.6 at their own sizes: samples with the bad event, of a number fixed before."""
    rows: list[Row] = []
    outcomes = []
    for name, size_of, bad, words in _DRAWN:
        for (a, b), trials in zip(_SETTINGS, (12, 70), strict=False):
            size = size_of(a, b)
            failures = sum(bad(rng.random(size), float(a)) for _ in range(trials))
            claim = f"at its own size m = {size:,} (alpha = {float(a):g}): {words}"
            outcomes.append(counted(result(name), f"{name}: {claim}", failures, trials, b, size=float(size)))
            at = {"theorem": name, "alpha": float(a), "beta": float(b), "m": size}
            rows += line({"samples drawn": trials}, at) + line({"samples with it": failures}, at, "measured")
    return rows, outcomes


def _below_own_sizes(rng: np.random.Generator, times: int, points: int) -> list[Row]:
    """Bad events at alpha = 0.1, exactly for thm-B.4 and drawn for the others."""
    sizes = np.unique(np.geomspace(5, 2000, points).astype(int))
    rows = exact("thm-B.4, exact", [two_sided_gap(_TENTH, int(m)) for m in sizes], points=sizes)
    level = TOGETHER / (len(_DRAWN) * len(sizes))
    for name, _, bad, _ in _DRAWN:
        for m in sizes:
            count = sum(bad(row, 0.1) for row in rng.random((times, m)))
            ends = fixed_interval(count, times, level)
            rows.append(Row(name, count / times, {"points": int(m)}, "measured", ends, times, level))
    return rows


def _least(good: Callable[[int], bool]) -> int:
    """The least size that is good, where sizes above a good one are."""
    high = 1
    while not good(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if good(middle) else (middle, high)
    return high


def _dichotomies(seed: int, quick: bool) -> Outcome:
    """thm-B.2 on random classes and on thresholds."""
    rng = np.random.default_rng(seed + 1)
    held: list[bool | None] = []
    closest = 0.0
    for _ in range(80 if quick else 600):
        points = int(rng.integers(2, 8))
        functions = np.unique(rng.integers(2, size=(int(rng.integers(2, 60)), points)), axis=0)
        v = vc_dimension(functions)
        if v and points > v:
            bound = (ball(Fraction(points, v)) * ball(1).exp()) ** v
            held.append(below(ball(len(functions)), bound))
            closest = max(closest, len(functions) / float(bound))
    return decided(
        "thm-B.2",
        "more than VC points have at most (e #B/VC)^VC dichotomies",
        all_true(held),
        f"{len(held)} random classes, counted; at most {closest:.3f} of the bound",
    )


def _uniform_as_printed() -> Outcome:
    """thm-B.6 as printed for every alpha and beta: one example near alpha = beta = 1."""
    part = Fraction(999, 1000)
    size = float(50 / ball(part) ** 2 * ball(1 / (part * part)).log())
    off = 1 - Fraction(1, 2000)
    return exactly(
        "thm-B.6",
        "as printed, for every alpha and beta: at alpha = beta = 0.999 one example is enough",
        size > 1 or off <= part,
        f"the size is {size:.4f}; singletons of 2000 uniform points, f = 0: that of the one example is off by "
        f"{float(off)} always",
        kind="upper bound",
        expected="thm-B.6: it holds for alpha in (0, 1/2]",
    )
