"""Against advanced composition and against no privacy: obs-1.a to obs-1.c, obs-3.a and obs-3.b."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from dpcheck.papers.bassily2018.learners import Realisable, scale_for
from dpcheck.papers.bassily2018.learners.noisy_votes import chance_of_lead
from dpcheck.papers.bassily2018.trials.rates import (
    CONSTANT,
    DELTA,
    FAILURE,
    FORMULA,
    MOST,
    ROOM,
    Setting,
    fixed_point,
    largest_queries,
    logs_at,
    order_outcome,
)
from dpcheck.trial.model import Outcome, Shade
from dpcheck.trial.page import Page, Pivot, Plot
from dpcheck.trial.relations import compared
from dpcheck.trial.rows import Findings, Row, exact, line
from dpcheck.trial.run import Run
from dpcheck.utility.slopes import Slopes, compare_slopes

#: The number of records at which promised rates are compared.
_RECORDS = 1e14


@dataclass(frozen=True)
class _Best:
    """How many times the queries of advanced composition: the order along alpha, and the most there is."""

    growth: Slopes
    quotient: float
    accuracy: float


def _queries_at_rates(records: Sequence[float]) -> tuple[list[Row], _Best]:
    """The most queries at each rate, of alg-2 and of advanced composition; the best is that of the most records."""
    rows: list[Row] = []
    quotients: dict[float, float] = {}
    for n, accuracy in itertools.product(records, (0.1, 0.03, 0.01, 0.003, 0.001, 0.0003, 0.0001)):
        ours = largest_queries(n, 1, 1.0, rate=accuracy)
        theirs = composed_queries(n, 1, 1.0, accuracy)
        quotient = ours / theirs if theirs else None
        values = {"alg-2": ours, "advanced composition": theirs, "quotient": quotient, "1/alpha": 1 / accuracy}
        rows += line(values, {"n": n, "alpha": accuracy})
        # with few mistakes allowed in all T is a small whole number, and that is what is seen
        if quotient is not None and n == records[-1] and ours * accuracy >= 1000:
            quotients[accuracy] = quotient
    best, at = max((value, accuracy) for accuracy, value in quotients.items())
    low, high = ([factor * value for value in quotients.values()] for factor in (0.99, 1.01))
    growth = compare_slopes(list(quotients), low, high, lambda alpha: 1 / alpha, factor=ROOM)
    return rows, _Best(growth, best, at)


def _promised_rates(quick: bool) -> tuple[list[Row], list[int], int, int]:
    """Rates against m; at which m > M alg-2 promises the smaller one, of how many, and M."""
    queries = [round(m) for m in np.geomspace(1e4, 1e9, 6 if quick else 11)]
    solved = [fixed_point(Setting(_RECORDS, m)) for m in queries]
    ours = [min(1.0, each.scales.cutoff / m) if each else 1.0 for m, each in zip(queries, solved, strict=True)]
    theirs = [composed_rate(_RECORDS, m, 1, 1.0) for m in queries]
    rows = exact("alg-2: T/m", ours, m=queries) + exact("advanced composition: 3B/m", theirs, m=queries)
    most = largest_queries(_RECORDS, 1, 1.0)
    # where either promises anything
    said = [each for each in zip(queries, ours, theirs, strict=True) if min(each[1:]) < 1 and each[0] > most]
    return rows, [m for m, our, their in said if our < their], len(said), most


@lru_cache
def composed_models(queries: int, epsilon: float) -> int:
    """Chunks that answering each query by noisy votes takes: advanced composition, Laplace noise.

    The least multiple of 3 with which all of m queries with a third of the votes wrong are answered rightly, except
    with probability beta.

    Examples
    --------
    >>> composed_models(100, 1.0) < composed_models(10_000, 1.0)
    True
    """
    scale = scale_for(epsilon, DELTA, queries, noise="laplace", accounting="advanced")

    def enough(thirds: int) -> bool:
        return queries * float(chance_of_lead(np.array([-thirds]), "laplace", scale)[0]) <= FAILURE

    high = 1
    while not enough(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return 3 * high


def composed_rate(records: float, queries: int, vc: int, epsilon: float) -> float:
    """``3 B/m`` for as many models as advanced composition wants: its promise, made as theorem 3.2 makes its own."""
    models = composed_models(queries, epsilon)
    each = records // models
    if each < 1:
        return 1.0
    accuracy = float(Realisable(vc).accuracy(each, FAILURE / models))
    mean = accuracy * queries
    return min(1.0, 3 * (mean + math.sqrt(mean * math.log(queries / FAILURE) / 2)) / queries)


def composed_queries(records: float, vc: int, epsilon: float, rate: float) -> int:
    """The most queries at which advanced composition promises this rate, by bisection over powers."""
    # from above: for few queries the second-order term of B is all
    powers = range(MOST, -1, -1)
    low = next((1 << power for power in powers if composed_rate(records, 1 << power, vc, epsilon) <= rate), 0)
    high = 2 * low
    while high - low > max(1, low // 200):
        middle = (low + high) // 2
        low, high = (middle, high) if composed_rate(records, middle, vc, epsilon) <= rate else (low, middle)
    return low


def more_queries(seed: int, quick: bool) -> Findings:
    """obs-1.a to obs-1.c and obs-3.a, obs-3.b: the fixed point beside advanced composition and no privacy."""
    records = (1e12, 1e14) if quick else (1e10, 1e12, 1e13, 1e14, 1e15)
    rows, best = _queries_at_rates(records)
    rates, better, compared_at, most = _promised_rates(quick)
    cost, cost_said = _cost_of_privacy(quick)
    order = best.quotient * best.accuracy
    outcomes = (
        order_outcome(
            "bassily2018:obs-1.a",
            "at error alpha the construction answers of the order of 1/alpha times as many queries as advanced "
            f"composition, in some cases: along alpha, n = {records[-1]:.0e}",
            best.growth,
        ),
        compared(
            "bassily2018:obs-1.a",
            f"and more queries than it, constants and all, in some case with n = {records[-1]:.0e}",
            best.quotient > 1,
            f"{best.quotient:.3g} times as many at alpha = {best.accuracy:g}, {order:.2g} times 1/alpha",
        ),
        compared(
            "bassily2018:obs-3.b",
            "advanced composition's rate is larger than that of the fixed point, at some number of queries m > M",
            bool(better),
            f"n = 10^14, V = 1: at {len(better)} of {compared_at} numbers of queries above M = {most:,}"
            + (f", from {min(better):.0e} to {max(better):.0e}" if better else ""),
            kind="order",
        ),
        compared(
            "bassily2018:obs-1.b",
            "m V^2/n^2 <= sqrt(m) V/n for n/V < m <= (n/V)^2",
            all(Fraction(m, q**2) ** 2 <= Fraction(m, q**2) for q in (2, 3, 10, 1000) for m in (q + 1, q * q)),
            "compared as squares of fractions at the ends of the range; between them both sides increase and their "
            "quotient sqrt(m) V/n is at most 1",
        ),
        order_outcome(
            "bassily2018:obs-1.c",
            f"the rate at M queries (T <= {CONSTANT}) over that of a non-private learner on all n records is "
            "polylogarithmic: of the order of L1 log(13/alpha) along n",
            cost,
        ),
        _circle(quick),
    )
    told = (
        f"The quotient of the two numbers of queries is {best.growth.verdict} with growing like 1/alpha; it is at most "
        f"{best.quotient:.3g} (alpha = {best.accuracy:g}, n = {records[-1]:.0e}), which is {order:.2g} times 1/alpha. "
        f"At n = 10^14 alg-2 promises the smaller rate at {len(better)} of {compared_at} numbers of queries above M. "
        f"{cost_said}"
    )
    return Findings([*rows, *rates], outcomes, told)


PAGE = Page(
    "Against advanced composition, and against no privacy",
    "The most queries at which the printed formulas promise a misclassification rate, beside those at which "
    "answering each query by noisy votes does (Laplace noise, advanced composition, as many models as a third of "
    "wrong votes asks for). V = 1, epsilon = 1, delta = 10^-6, beta = 0.05.",
    (
        Plot(
            "against-composition",
            "Promised rates, n = 10^14 records, V = 1, epsilon = 1",
            "m",
            "misclassification rate",
            x_label="queries m",
            scale="log",
            least=1e-9,
            shades=(Shade("a rate of 1 says nothing", y=(1.0, None)),),
        ),
    ),
    (Pivot("Queries at a rate", ("n", "alpha")),),
    evidence=FORMULA,
)


def _cost_of_privacy(quick: bool) -> tuple[Slopes, str]:
    records = (1e9, 1e10, 1e11, 1e12, 1e13, 1e14)[:: 1 if not quick else 2]
    x, values, model = [], [], {}
    for n in records:
        many = largest_queries(n, 1, 1.0)
        if not many:
            continue
        alone = float(Realisable(1).accuracy(n, FAILURE))
        x.append(Fraction(n))
        values.append(CONSTANT / many / alone)
        model[Fraction(n)] = logs_at(n, many) / (n * alone)
    found = compare_slopes(x, [0.99 * v for v in values], [1.01 * v for v in values], model.__getitem__, factor=ROOM)
    return found, (
        f"At M queries the promised rate is {values[0]:.3g} times the non-private one at n = {float(x[0]):.0e} and "
        f"{values[-1]:.3g} times at n = {float(x[-1]):.0e}."
    )


def _circle(quick: bool) -> Outcome:
    """obs-3.a: a T exists that solves the circle, and more records never make it larger."""
    settings, solved, fewer = 0, 0, True
    for m in (10, 1000) if quick else (10, 1000, 10**5):
        for vc in (1, 10):
            last = math.inf
            for n in (1e9, 1e11, 1e13) if quick else (1e9, 1e10, 1e11, 1e12, 1e13, 1e14):
                settings += 1
                found = fixed_point(Setting(n, m, vc))
                if found is None:
                    fewer &= last == math.inf
                    continue
                solved += 1
                fewer &= found.scales.cutoff <= last and 3 * found.mistakes <= found.scales.cutoff
                last = found.scales.cutoff
    return compared(
        "bassily2018:obs-3.a",
        "the circle T -> k -> alpha -> T has a solution from some number of records on, and T falls with it",
        bool(fewer and solved),
        f"{solved} of {settings} settings (n, m, V) have a T below m",
    )


RUNS: tuple[Run, ...] = (
    Run(
        "more-queries",
        ("bassily2018:obs-1.a", "bassily2018:obs-1.b", "bassily2018:obs-1.c", "bassily2018:obs-3.a",
         "bassily2018:obs-3.b"),
        more_queries,
        (2.0, 4.0),
        PAGE,
    ),
)  # fmt: skip
