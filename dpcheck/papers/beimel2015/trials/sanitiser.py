"""The sanitiser of Blum, Ligett and Roth at its theorem's size."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.papers.beimel2015.learners import points_for_thresholds
from dpcheck.papers.beimel2015.trials.brute_force import compositions
from dpcheck.papers.beimel2015.trials.laws import as_ball, largest_over_pairs, nats, precisely
from dpcheck.papers.beimel2015.trials.outcomes import EXACT, below, decided, exactly, out_of_reach
from dpcheck.parts.mechanisms.amplification import ball
from dpcheck.parts.mechanisms.sanitisers import BlumLigettRoth, interval_queries
from dpcheck.parts.mechanisms.sanitisers.sizes import database_size, records_needed
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import Line, Page, Pivot, Plot
from dpcheck.trial.rows import Findings, Row, exact, line

_HALF, _TENTH = Fraction(1, 2), Fraction(1, 10)


def sanitiser_failures(
    queries: NDArray[Any], k: int, records: int, accuracy: Fraction, epsilon: float
) -> tuple[float, int]:
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
def sanitising(seed: int, quick: bool) -> Findings:
    """thm-A.3: the exact sanitiser at the size of its theorem, and as printed near alpha = 1."""
    points, epsilon, failure = (3 if quick else 4), 1.0, float(_TENTH)
    queries = np.asarray(interval_queries(points), dtype=np.int64)
    rows: list[Row] = []
    own = []
    for accuracy in (_HALF,) if quick else (_HALF, Fraction(2, 5)):
        k = points_for_thresholds(accuracy)
        records = records_needed(k, points, float(accuracy), epsilon, failure)
        worst, count = sanitiser_failures(queries, k, records, accuracy, epsilon)
        own.append((records, worst, count))
        values = {"m of the theorem": records, "databases": count, "largest failure": worst, "beta": failure}
        rows += line(values, {"alpha": float(accuracy), "k": k})
    sizes = sorted({5, 10, 20, 40, *(() if quick else (60, 80))})
    curve = [sanitiser_failures(queries, 4, size, _HALF, epsilon)[0] for size in sizes]
    rows += exact(f"exact, worst database on {points} points", curve, m=sizes)
    small = BlumLigettRoth(interval_queries(3), 1.0, 3)
    loss, pairs = largest_over_pairs(small.distribution, ReplaceOne(Records.of([0, 1, 2]), 4), small)
    printed_k = database_size(2, 0.5)
    printed_m = records_needed(printed_k, 1 << 16, 0.5, 1.0, 0.1)
    held = all(worst <= failure for _, worst, _ in own)
    records, worst, count = own[0]
    outcomes = [
        exactly(
            "thm-A.3",
            "at m = (4/(alpha epsilon))(k ln #X + ln(1/beta)) an answer is off by more than alpha with "
            "probability at most beta, on every database",
            held,
            f"largest failure {worst:.3g} over all {count:,} databases of {records} records, alpha = 1/2",
            kind="upper bound",
            size=float(records),
            measured=next((float(s) for s, p in zip(sizes, curve, strict=True) if p <= 0.1), None),
            learner="beimel2015.sanitiser",
        ),
        decided(
            "thm-A.3",
            "the sanitiser is epsilon-private",
            below(as_ball(loss), ball(1).exp()),
            f"largest loss {nats(loss):.4f} over {pairs} pairs",
            kind="privacy",
        ),
        out_of_reach(
            "thm-A.3",
            "with the k of every class, k = (200 VC/alpha^2) ln(4/alpha)",
            f"k = {printed_k:,}, m = {printed_m:,} at alpha = 1/2, VC = 2, 2^16 points: databases cannot be listed",
            f"k = 2/alpha for intervals, {points} points: largest failure {worst:.3g}",
            "holds" if held else "contradicted",
            size=float(printed_m),
            learner="beimel2015.sanitiser",
        ),
        _one_element(),
    ]
    told = (
        f"The worst database fails with probability {worst:.3g} at alpha = 1/2, where {failure:g} is claimed. The "
        f"largest loss over {pairs} pairs is {nats(loss):.4f} at epsilon = 1."
    )
    return Findings(rows, outcomes, told, {"points": points, "records": records})


PAGE = Page(
    "The sanitiser of Blum, Ligett and Roth at its theorem's size",
    "Intervals on {points} points: for every database of the size m of the theorem (with k = 2/alpha, which suffices "
    "for intervals) the probability that some answer is off by more than alpha, from the exact law over all databases "
    "of k points.",
    (
        Plot(
            "sanitiser",
            "Failure of the sanitiser, alpha = 1/2, k = 4",
            "m",
            "largest failure probability",
            x_label="records m",
            lines=(Line("beta = 0.1", y=0.1), Line("m of the theorem, {records}", x="records")),
        ),
    ),
    (Pivot("Intervals on {points} points, epsilon = 1", ("alpha", "k")),),
    evidence=f"{EXACT} Failures are sums in doubles of non-negative terms; which answers are off is decided in "
    "integers.",
)


def _one_element() -> Outcome:
    """thm-A.3 as printed near alpha = 1: one element for the singletons of sixteen points."""
    accuracy = math.exp(-0.25)
    least = Fraction(1)
    for records in range(16, 101):
        counts = [records // 16 + (x < records % 16) for x in range(16)]
        # the element put out has the answer 1, and its point the fewest missing where it is a commonest one
        least = min(least, 1 - Fraction(max(counts), records))
    return exactly(
        "thm-A.3",
        "as printed, for every alpha: at alpha = exp(-1/4) and a constant 1 the database has one element",
        float(least) <= accuracy,
        "singletons of 16 points, 16 to 100 records as equal as can be: every database of one element is off by at "
        f"least {float(least):.4f}, and alpha is {accuracy:.4f}",
        kind="upper bound",
        expected="thm-A.3: it holds for alpha in (0, 1/2], with k = (200 V/alpha^2) ln(4/alpha)",
    )
