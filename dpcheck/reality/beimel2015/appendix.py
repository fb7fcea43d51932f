"""The appendix: the sanitiser at its sizes, and the VC bounds on classes where they can be computed or drawn."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.learners.beimel2015 import points_for_thresholds
from dpcheck.mechanisms.amplification import ball
from dpcheck.mechanisms.sanitising import BlumLigettRoth, interval_queries
from dpcheck.mechanisms.sanitising.sizes import database_size, records_needed
from dpcheck.neighbours import Records, ReplaceOne
from dpcheck.reality.beimel2015.generic import compositions, vc_dimension
from dpcheck.reality.beimel2015.laws import as_ball, largest_over_pairs, nats, precisely
from dpcheck.reality.beimel2015.outcomes import EXACT, below, decided, exactly, interval, out_of_reach, result, sampled
from dpcheck.reality.model import Chart, Mark, Measurement, Outcome, Series, Table

_HALF, _TENTH = Fraction(1, 2), Fraction(1, 10)


def _all(found: list[bool | None]) -> bool | None:
    return False if False in found else None if None in found else True


# --- the sanitiser


def sanitiser_failures(queries: NDArray[Any], k: int, records: int, accuracy: Fraction, epsilon: float) -> tuple[float, int]:
    """The largest probability of an answer off by more than the accuracy, over all databases of so many records.

    The law over the ordered databases of k points, in doubles; sums of non-negative terms.
    """
    points = queries.shape[1]
    small = np.array(list(compositions(k, points)))
    times = np.array([math.factorial(k) / math.prod(map(math.factorial, row)) for row in small.tolist()])
    answers = small @ queries.T  # in units of 1/k
    worst, count = 0.0, 0
    datasets = np.array(list(compositions(records, points)))
    for part in np.array_split(datasets, max(1, len(datasets) // 2000)):
        given = part @ queries.T
        # in units of 1/(k records): integers, so that comparisons with the accuracy are exact
        error = np.abs(given[:, None, :] * k - answers[None] * records).max(axis=2)
        odds = times * np.exp(-epsilon / (2 * k) * (error - error.min(axis=1, keepdims=True)))
        wrong = error * accuracy.denominator > accuracy.numerator * k * records
        worst = max(worst, float(((odds * wrong).sum(axis=1) / odds.sum(axis=1)).max()))
        count += len(part)
    return worst, count


@precisely
def sanitising(seed: int, quick: bool) -> Measurement:
    """thm-A.3: the exact sanitiser at the size of its theorem, and as printed near alpha = 1."""
    points, epsilon, failure = (3 if quick else 4), 1.0, _TENTH
    queries = interval_queries(points)
    rows, held = [], []
    for accuracy in (_HALF,) if quick else (_HALF, Fraction(2, 5)):
        k = points_for_thresholds(accuracy)
        records = records_needed(k, points, float(accuracy), epsilon, float(failure))
        worst, count = sanitiser_failures(np.asarray(queries, dtype=np.int64), k, records, accuracy, epsilon)
        held.append(worst <= float(failure))
        rows.append((f"{float(accuracy):g}", str(k), str(records), f"{count:,}", f"{worst:.3g}", f"{float(failure):g}"))
    sizes = sorted({5, 10, 20, 40, *(() if quick else (60, 80))})
    curve = [sanitiser_failures(np.asarray(queries, dtype=np.int64), 4, size, _HALF, epsilon)[0] for size in sizes]
    small = BlumLigettRoth(interval_queries(3), 1.0, 3)
    loss, pairs = largest_over_pairs(small.distribution, ReplaceOne(Records.of([0, 1, 2]), 4), small)
    printed_k = database_size(2, 0.5)
    printed_m = records_needed(printed_k, 1 << 16, 0.5, 1.0, 0.1)
    return Measurement(
        "sanitiser",
        "The sanitiser of Blum, Ligett and Roth at its theorem's size",
        (result("thm-A.3"), result("thm-3.3")),
        f"Intervals on {points} points: for every database of the size m of the theorem (with k = 2/alpha, which suffices for "
        "intervals) the probability that some answer is off by more than alpha, from the exact law over all databases of k points.",
        f"The worst database fails with probability {rows[0][4]} at alpha = 1/2, where {rows[0][5]} is claimed. The largest loss "
        f"over {pairs} pairs is {nats(loss):.4f} at epsilon = 1.",
        EXACT + " Failures are sums in doubles of non-negative terms; which answers are off is decided in integers.",
        (
            Chart("sanitiser", "Failure of the sanitiser, alpha = 1/2, k = 4", "records m", "largest failure probability",
                  (Series(f"exact, worst database on {points} points", "exact", 0, tuple(map(float, sizes)), tuple(curve)),),
                  (Mark("beta = 0.1", y=0.1, colour=1), Mark(f"m of the theorem, {rows[0][2]}", x=float(rows[0][2]), colour=2)),
                  alt="The failure falls below 0.1 far before the theorem's size."),
        ),
        (Table(f"Intervals on {points} points, epsilon = 1", ("alpha", "k", "m of the theorem", "databases", "largest failure", "beta"), tuple(rows)),),
        (
            exactly("thm-A.3", "at m = (4/(alpha epsilon))(k ln #X + ln(1/beta)) an answer is off by more than alpha with probability at "
                    "most beta, on every database", all(held), f"largest failure {rows[0][4]} over all {rows[0][3]} databases of "
                    f"{rows[0][2]} records, alpha = 1/2", kind="upper bound", size=float(rows[0][2]),
                    measured=next((float(s) for s, p in zip(sizes, curve, strict=True) if p <= 0.1), None),
                    learner="beimel2015.sanitiser"),
            decided("thm-A.3", "the sanitiser is epsilon-private", below(as_ball(loss), ball(1).exp()),
                    f"largest loss {nats(loss):.4f} over {pairs} pairs", kind="privacy"),
            out_of_reach("thm-A.3", "with the k of every class, k = (200 VC/alpha^2) ln(4/alpha)", f"k = {printed_k:,}, m = {printed_m:,} at "
                         "alpha = 1/2, VC = 2, 2^16 points: databases cannot be listed",
                         f"k = 2/alpha for intervals, {points} points: largest failure {rows[0][4]}", "holds" if all(held) else "contradicted",
                         size=float(printed_m), learner="beimel2015.sanitiser"),
            _one_element(),
        ),
    )  # fmt: skip


def _one_element() -> Outcome:
    """thm-A.3 as printed near alpha = 1: one element for the singletons of sixteen points."""
    accuracy = math.exp(-0.25)
    least = Fraction(1)
    for records in range(16, 101):
        counts = [records // 16 + (x < records % 16) for x in range(16)]
        # the element put out has the answer 1, and its point the fewest missing where it is a commonest one
        least = min(least, 1 - Fraction(max(counts), records))
    return exactly(
        "thm-A.3", "as printed, for every alpha: at alpha = exp(-1/4) and a constant 1 the database has one element",
        float(least) <= accuracy,
        f"singletons of 16 points, 16 to 100 records as equal as can be: every database of one element is off by at least {float(least):.4f}, "
        f"and alpha is {accuracy:.4f}",
        kind="upper bound", expected="thm-A.3, the statement: it holds for alpha in (0, 1/2], with k = (200 V/alpha^2) ln(4/alpha)",
    )  # fmt: skip


# --- labels that every learner needs


def optimal_failure(dimension: int, accuracy: Fraction, labelled: int) -> Any:
    """The failure probability of the best learner on the hard instance of thm-B.3, averaged over targets; in a ball.

    All functions on V points, one of mass ``1 - 8 alpha``, the others of ``8 alpha / (V - 1)`` each: whatever is
    answered on points that were not seen, each is wrong with probability 1/2, independently.

    >>> float(optimal_failure(2, Fraction(1, 16), 0))
    0.5
    """
    cells = dimension - 1
    hit = ball(8 * accuracy)
    seen = [ball(1)] + [ball(0)] * cells
    for _ in range(labelled):
        seen = [
            seen[j] * (1 - hit * ball(Fraction(cells - j, cells)))
            + (seen[j - 1] * hit * ball(Fraction(cells - j + 1, cells)) if j else ball(0))
            for j in range(cells + 1)
        ]
    missed = ball(0)
    for j, chance in enumerate(seen):
        unseen = cells - j
        ways = sum(math.comb(unseen, w) for w in range(unseen + 1) if 8 * w > cells)
        missed += chance * ball(Fraction(ways, 2**unseen))
    return missed


@precisely
def labels_needed(seed: int, quick: bool) -> Measurement:
    """thm-B.3: no learner does with fewer labels, exactly on the hard instance."""
    limit, rows, held = Fraction(1, 7), [], []
    for dimension, accuracy in product((2, 3, 5, 9, 17, 33), (Fraction(1, 8), Fraction(1, 20), Fraction(1, 100))):
        below_it = math.ceil(Fraction(dimension - 1) / (16 * accuracy)) - 1
        missed = optimal_failure(dimension, accuracy, below_it)
        held.append(below(as_ball(limit), missed))
        if accuracy == Fraction(1, 20):
            rows.append((str(dimension), f"{float(Fraction(dimension - 1) / (16 * accuracy)):.2f}", str(below_it), f"{float(missed):.4f}"))
    sizes = sorted({int(1.3**j) for j in range(4, 24 if quick else 28)})
    series = tuple(
        Series(f"VC = {v}, the best learner, exact", "exact", colour, tuple(map(float, sizes)),
               tuple(float(optimal_failure(v, Fraction(1, 20), m)) for m in sizes))
        for colour, v in enumerate((5, 17, 33))
    )  # fmt: skip
    fair = _two_points()
    return Measurement(
        "labels-needed",
        "Labels that every learner needs",
        (result("thm-B.3"), result("rem-3.a")),
        "All functions on V points of which one has most of the mass: the failure probability of the best possible learner, averaged "
        "over targets, computed; so every learner fails at least as often for some target. At one label fewer than the bound it "
        "must be above beta.",
        f"Below (VC - 1)/(16 alpha) labels every learner fails with probability at least {min(float(row[3]) for row in rows):.3f} "
        f"at alpha = 0.05. {fair.detail}.",
        EXACT,
        (
            Chart("needed", "Failure of the best learner, alpha = 0.05", "labels m", "failure probability", series,
                  (Mark("beta = 1/7", y=1 / 7, colour=4), *(Mark(f"bound, VC = {v}", x=(v - 1) / 0.8, colour=c) for c, v in enumerate((5, 17, 33)))),
                  y_range=(0, 1.02), alt="Failure is near 1 below each bound and falls beyond it."),
        ),
        (Table("One label below the bound, alpha = 0.05", ("VC", "(VC - 1)/(16 alpha)", "m", "least failure of any learner"), tuple(rows)),),
        (
            decided("thm-B.3", "as repaired, alpha at most 1/8 and beta at most 1/7: below (VC - 1)/(16 alpha) labels every learner fails "
                    "with probability above beta", _all(held), f"{len(held)} pairs of VC and alpha, all learners, in balls", kind="lower bound"),
            fair,
        ),
    )  # fmt: skip


def _two_points() -> Outcome:
    """thm-B.3 as printed for every beta below 1/2: two labels, all functions on two points, a fair coin where not seen."""
    accuracy, labelled = Fraction(1, 64), 2
    worst = Fraction(0)
    for k in range(1001):
        p = Fraction(k, 1000)
        # unseen second point (of mass 1 - p, first of mass p): wrong with probability 1/2, which matters above alpha
        missed = sum((mass > accuracy) * (1 - mass) ** labelled for mass in (p, 1 - p))
        worst = max(worst, Fraction(missed) / 2)
    limit = _HALF - accuracy + accuracy**2
    needed = Fraction(2 - 1) / (16 * accuracy)
    return exactly(
        "thm-B.3", "as printed, for every beta below 1/2: at alpha = 1/64 two labels are too few for all functions on two points",
        max(worst, limit) >= _HALF, f"a learner that tosses a coin for a point not seen fails with probability at most {float(worst):.4f} over masses "
        f"0, 0.001, ..., 1, and, as the errata prove, at most 1/2 - alpha + alpha^2 = {float(limit):.4f} over all; that is below 1/2, with 2 labels where {needed} are said to be needed",
        kind="lower bound", expected="thm-B.3, the statement: it holds for alpha at most 1/8 and beta at most 1/7",
    )  # fmt: skip


# --- generalisation


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
    """Whether an interval of length alpha holds at most a tenth of alpha of a sample: thresholds c, h as thm-B.5 has them.

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
    found = [np.abs(true - np.abs(np.arange(size) / size - at_target)), np.abs(true - np.abs(np.arange(1, size + 1) / size - at_target))]
    ends = [abs(target - at_target), abs((1 - target) - (1 - at_target))]
    return max(float(found[0].max()), float(found[1].max()), *ends)


@precisely
def generalisation(seed: int, quick: bool) -> Measurement:
    """thm-B.2, B.4, B.5 and B.6 on thresholds and on classes that are counted."""
    rng = np.random.default_rng(seed)
    settings = [(_HALF, _HALF), (_TENTH, _TENTH)] if quick else [(_HALF, _HALF), (_TENTH, _TENTH), (Fraction(1, 20), Fraction(1, 100))]
    four: list[bool | None] = [below(two_sided_gap(a, _size_four(a, b)), ball(b)) for a, b in settings]
    least = [_least(lambda m, a=a, b=b: bool(two_sided_gap(a, m) <= ball(b))) for a, b in settings]  # type: ignore[misc]
    outcomes = [
        decided("thm-B.4", "at its own size some consistent threshold errs by more than alpha with probability at most beta", _all(four),
                "; ".join(f"alpha = {float(a):g}, beta = {float(b):g}: m = {_size_four(a, b):,}, needed {n:,}"
                          for (a, b), n in zip(settings, least, strict=True)), kind="upper bound"),
    ]  # fmt: skip
    rows = [("thm-B.4", f"{float(a):g}", f"{float(b):g}", f"{_size_four(a, b):,}", f"{float(two_sided_gap(a, _size_four(a, b))):.3g}", f"{n:,}")
            for (a, b), n in zip(settings, least, strict=True)]  # fmt: skip
    drawn: tuple[tuple[str, Callable[[Fraction, Fraction], int], Callable[[NDArray[Any], float], bool], str], ...] = (
        ("thm-B.5", _size_five, sparse_interval, "two thresholds that differ by alpha or more disagree on at most a tenth of alpha of the sample"),
        ("thm-B.6", _size_six, lambda x, a: largest_deviation(x, 0.5) > a, "some threshold's empirical error is off by more than alpha"),
    )
    trials_of = {_HALF: 12, _TENTH: 70, Fraction(1, 100): 0}
    for name, size_of, bad, words in drawn:
        for a, b in settings[:2]:
            size, trials = size_of(a, b), trials_of[b]
            failures = sum(bad(rng.random(size), float(a)) for _ in range(trials))
            outcomes.append(sampled(name, f"at its own size m = {size:,} (alpha = {float(a):g}): {words}", failures, trials, b, size=float(size)))
            rows.append((name, f"{float(a):g}", f"{float(b):g}", f"{size:,}", f"{failures} of {trials}", ""))
    sizes = np.unique(np.geomspace(5, 2000, 12 if quick else 24).astype(int))
    times = 200 if quick else 2000
    accuracy = _TENTH
    level = 0.05 / (2 * len(sizes))
    curves = [Series("thm-B.4, exact", "exact", 0, tuple(map(float, sizes)), tuple(float(two_sided_gap(accuracy, int(m))) for m in sizes))]
    for colour, (name, _, bad, _) in enumerate(drawn, 1):
        counts = [sum(bad(row, 0.1) for row in rng.random((times, m))) for m in sizes]
        bands = [interval(c, times, level) for c in counts]
        curves.append(Series(name, "measured", colour, tuple(map(float, sizes)), tuple(c / times for c in counts), tuple(lo for lo, _ in bands),
                             tuple(hi for _, hi in bands), (times,) * len(sizes)))  # fmt: skip
    return Measurement(
        "generalisation",
        "The VC bounds of the appendix on thresholds",
        tuple(map(result, ("thm-B.2", "thm-B.4", "thm-B.5", "thm-B.6"))),
        "Thresholds on [0, 1], points uniform, the target in the middle: the bad event of thm-B.4 has an exact probability, those of B.5 "
        "and B.6 are drawn, at the theorems' own sizes and at smaller ones. The number of dichotomies (thm-B.2) is counted.",
        f"thm-B.4 asks for {_size_four(_TENTH, _TENTH):,} points at alpha = beta = 0.1 where {least[1]:,} suffice for thresholds: a factor "
        f"of {_size_four(_TENTH, _TENTH) / least[1]:.0f}. At the sizes of B.5 and B.6 "
        + ("no bad event was seen." if all(row[4].startswith("0 ") for row in rows if " of " in row[4]) else "bad events were seen."),
        f"Intervals are Clopper-Pearson, {times} samples a point; all {2 * len(sizes)} hold together with probability 95%. At own sizes the "
        "number of samples was fixed before, a claim holds at level 1e-3.",
        (
            Chart("bad-events", "Bad events on thresholds, alpha = 0.1", "points m", "probability", tuple(curves),
                  (Mark("beta = 0.1", y=0.1, colour=4), Mark(f"B.4's own size {_size_four(_TENTH, _TENTH):,}", x=_size_four(_TENTH, _TENTH), colour=0)),
                  y_range=(-0.02, 1.02), alt="All three fall to 0 far below the theorems' sizes."),
        ),
        (Table("At the theorems' own sizes", ("theorem", "alpha", "beta", "m", "bad event", "needed (exact)"), tuple(rows)),),
        (*outcomes, _dichotomies(seed, quick), _uniform_as_printed()),
        trials=times * len(sizes) * 2 + sum(each.trials for each in outcomes),
    )  # fmt: skip


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
    return decided("thm-B.2", "more than VC points have at most (e #B/VC)^VC dichotomies", _all(held),
                   f"{len(held)} random classes, counted; at most {closest:.3f} of the bound")  # fmt: skip


def _uniform_as_printed() -> Outcome:
    """thm-B.6 as printed for every alpha and beta: one example near alpha = beta = 1."""
    part = Fraction(999, 1000)
    size = float(50 / ball(part) ** 2 * ball(1 / (part * part)).log())
    off = 1 - Fraction(1, 2000)
    return exactly(
        "thm-B.6", "as printed, for every alpha and beta: at alpha = beta = 0.999 one example is enough", size > 1 or off <= part,
        f"the size is {size:.4f}; singletons of 2000 uniform points, f = 0: that of the one example is off by {float(off)} always",
        kind="upper bound", expected="thm-B.6, the statement: it holds for alpha in (0, 1/2]",
    )  # fmt: skip
