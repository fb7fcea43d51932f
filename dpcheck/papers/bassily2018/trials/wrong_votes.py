"""Theorem 3.2 and lemma 3.3 exactly: how many queries have many wrong votes, and how often those are more than T.

What decides is where k models, each wrong on a part a of the points, are wrong. Two families are the extremes:

* *alike*: all models are wrong on the same part a. The leading label is wrong there, so whatever alg-2 does each such
  query counts as misclassified; there are Bin(m, a) of them.
* *halves*: on a part 2a of the points half of the votes are wrong. The distance is 0 there, and the output an
  abstention but for a chance that is known; there are Bin(m, 2a) of them.

Both are models that the theorem's assumption allows: their error is a. Everything else has all votes right.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpcheck.papers.bassily2018.learners.accounting import open_answer_chance
from dpcheck.papers.bassily2018.learners.scales import Scales
from dpcheck.papers.bassily2018.learners.sizes import printed_scales
from dpcheck.papers.bassily2018.theorems.answering_instances import noise
from dpcheck.papers.bassily2018.theorems.rates_instances import printed_cutoff
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import EXACT, Line, Page, Pivot, Plot
from dpcheck.trial.relations import compared, enclosed
from dpcheck.trial.rows import Findings, Row, bound, exact, line
from dpcheck.trial.run import Run
from dpcheck.utility.reduction import binomial_tail

#: Nothing below this part of what is claimed is drawn.
_FLOOR = 1e-6
_FAILURES = (1e-2, 1e-4, 1e-6)


EPSILON, DELTA = 1.0, 1e-6
_WHY_32 = "bassily2018:thm-3.2: T is too small by constants where (gamma + alpha) m is small against log(m/beta)"
_WHY_33 = "bassily2018:lem-3.3: for B = 0 both sides are 0"


@dataclass(frozen=True)
class Failing:
    """The probability that theorem 3.2's promise fails, enclosed, at one setting; ``family`` is the worse one."""

    queries: int
    error: Fraction
    failure: float
    cutoff: float
    models: int
    claimed: float
    low: float
    high: float
    family: str


def repaired_cutoff(error: float, queries: int, failure: float, epsilon: float = EPSILON, delta: float = DELTA) -> int:
    """The least integer ``T >= 1`` with ``T >= 3(2 a m + log(k(T)/beta))``: theorem 3.2 as repaired.

    Examples
    --------
    >>> repaired_cutoff(0.01, 1000, 0.05)
    107
    """
    cutoff = 1
    while True:
        models = printed_scales(epsilon, delta, failure, queries, cutoff).models
        needed = math.ceil(3 * (2 * error * queries + math.log(models / failure)))
        if needed <= cutoff:
            return cutoff
        cutoff = needed


def real_scales(cutoff: float, queries: int, failure: float) -> Scales | None:
    """The printed scales at a cutoff that is a real number; None where the number of models is below 1.

    Examples
    --------
    >>> real_scales(1.0, 100, 0.05).models, real_scales(1e-9, 1, 0.05)
    (20522, None)
    """
    scale = noise(EPSILON, DELTA, cutoff)
    models = math.ceil(34 * math.sqrt(2) * scale * math.log(4 * queries * cutoff / min(DELTA, failure / 2)))
    if models < 1:
        return None
    return Scales(2 * scale * math.log(2 * queries / DELTA), scale, 2 * scale, models, max(1, math.floor(cutoff)))


def failing(error: Fraction, queries: int, failure: float, cutoff: float, claimed: float) -> Failing:
    """How often more than T queries are misclassified or abstained from, for the worse of the two families.

    More than T is T + 1 rounded down. Below: the number of bad queries exceeds T, and (halves) no query at distance 0
    is answered before so many abstentions; above: it does, or a query on which all votes agree is abstained from.

    Examples
    --------
    >>> found = failing(Fraction(7, 1000), 2, 1e-6, 1.0, 2e-6)
    >>> found.family, found.low > found.claimed
    ('halves', True)
    """
    more = math.floor(cutoff) + 1
    scales = real_scales(cutoff, queries, failure)
    alike = binomial_tail(queries, error, more)
    found = [(alike.low, alike.high, "alike")]
    if scales is not None and 2 * error <= 1:
        half = binomial_tail(queries, 2 * error, more)
        answered = more * open_answer_chance(scales, 0)
        found.append((half.low - answered, half.high, "halves"))
    # a query with all votes right is abstained from: in each of the rounds, at each of the queries
    stray = 1.0
    if scales is not None:
        stray = min(1.0, queries * (more + 1) * open_answer_chance(scales, 2 * scales.threshold - (scales.models - 1)))
    low = max(found)
    return Failing(
        queries,
        error,
        failure,
        cutoff,
        scales.models if scales is not None else 0,
        claimed,
        max(0.0, low[0]),
        min(1.0, max(high for _, high, _ in found) + stray),
        low[2],
    )


def _printed(error: Fraction, queries: int, failure: float) -> Failing:
    return failing(error, queries, failure, printed_cutoff(float(error), queries, failure), 2 * failure)


def _rounded(error: Fraction, queries: int, failure: float) -> Failing:
    cutoff = float(math.ceil(printed_cutoff(float(error), queries, failure)))
    return failing(error, queries, failure, cutoff, 2 * failure)


def _repaired(error: Fraction, queries: int, failure: float) -> Failing:
    return failing(error, queries, failure, float(repaired_cutoff(float(error), queries, failure)), 3 * failure)


_KINDS = {"T as printed, a real number": _printed, "T as printed, rounded up": _rounded, "repaired": _repaired}


@dataclass(frozen=True)
class _Tables:
    """What all tables of few cells say of lemma 3.3."""

    tables: int
    cases: int
    agree: bool
    strict: bool
    weak: bool
    zero: bool


def _all_tables(most: int) -> _Tables:
    """Lemma 3.3 on every table of at most so many cells, for all B and all xi up to 1/2."""
    shapes = [(m, k) for m in range(1, 7) for k in range(1, 7) if m * k <= most]
    cases, agree = [], True
    for m, k in shapes:
        for (mistakes, wrong), most_bad in enumerated_bad_queries(m, k).items():
            agree &= most_bad == most_bad_queries(m, k, mistakes, wrong)
            # wrong votes are more than xi k for the xi from (wrong - 1)/k up to wrong/k, excluded, and at most 1/2
            if 2 * (wrong - 1) <= k:
                last = min(Fraction(wrong, k), Fraction(1, 2))
                attained = last < Fraction(wrong, k)  # xi = 1/2 itself is among them
                cases.append((mistakes, most_bad, mistakes / last, attained))
    return _Tables(
        tables=sum(1 << (m * k) for m, k in shapes),
        cases=len(cases),
        agree=agree,
        strict=all(bad < limit or (bad == limit and not attained) for some, bad, limit, attained in cases if some),
        weak=all(bad <= limit for _, bad, limit, _ in cases),
        zero=any(bad >= limit for some, bad, limit, _ in cases if not some),
    )


def few_are_misclassified(seed: int, quick: bool) -> Findings:
    """Theorem 3.2 (i) and (ii) at its own k and T, the votes by their law: exact failure probabilities."""
    queries = 1000
    means = np.geomspace(1e-3, 60, 30 if quick else 90)
    drawn = [Fraction(round(mean * 1000), 1000 * queries) for mean in means]
    # the erratum's instance is among these
    grid = [(m, a, b) for m in (2, 10, 100, 1000, 10_000) for b in (0.05, *_FAILURES)
            for a in map(Fraction, ("0.0001", "0.001", "0.007", "0.01", "0.1"))]  # fmt: skip
    rows = _grid_rows(grid)
    found: dict[str, list[Failing]] = {}
    for name, make in _KINDS.items():
        curves = {b: [make(a, queries, b) for a in drawn] for b in _FAILURES}
        for b in _FAILURES if name != "repaired" else _FAILURES[:1]:
            shares = [max(_FLOOR, each.low / each.claimed) for each in curves[b]]
            rows += exact(name, shares, **{"a m": [float(a) * queries for a in drawn], "beta": b})
        found[name] = [make(a, m, b) for m, a, b in grid] + list(itertools.chain(*curves.values()))
    printed, rounded, repaired = found.values()
    outcomes = [
        _outcome(printed, "thm-3.2 as printed, T a real number: fails with probability at most 2 beta", _WHY_32),
        _outcome(rounded, "thm-3.2 as printed with T rounded up: fails with probability at most 2 beta", _WHY_32),
        _outcome(repaired, "thm-3.2 as repaired, T = max(1, ceil(3B)), B = 2am + log(k/beta): at most 3 beta", ""),
        *_rates(grid),
    ]
    broken, *others = ([each for each in every if each.low > each.claimed] for every in found.values())
    largest = max((float(each.error) * each.queries for each in broken), default=0.0)
    end = f"The largest a m at which it is broken is {largest:.3g}." if broken else "It is broken nowhere on this grid."
    told = (
        f"As printed it is broken at {len(broken)} of {len(printed)} settings with T a real number and at "
        f"{len(others[0])} of {len(rounded)} with T rounded up; as repaired at {len(others[1])} of {len(repaired)}. "
        f"{end}"
    )
    return Findings(rows, outcomes, told)


FEW_ARE_MISCLASSIFIED = Page(
    "How often more than T queries go wrong",
    "Models of error a that err together or half against half, the two extremes that theorem 3.2 allows, with its "
    "own k and T at epsilon = 1, delta = 10^-6. The probability that more than T of m queries are misclassified or "
    "abstained from, over what the theorem allows (2 beta; 3 beta as repaired). The votes follow from the models; "
    "no record is drawn.",
    (
        Plot(
            "failing-over-claimed",
            "Failure probability over the claimed one, 1,000 queries",
            "a m",
            "failure probability / claimed",
            by="beta",
            x_label="a m: mistakes that a model is expected to make",
            scale="log",
            least=_FLOOR,
            lines=(Line("what is claimed", y=1.0),),
        ),
    ),
    (Pivot("Failure probabilities as printed (at least) and as repaired (at most)", ("m", "a", "beta")),),
    evidence=f"{EXACT} Binomial tails, enclosed; the chances of stray answers and abstentions are bounded, and are in "
    "the enclosure.",
)


def _grid_rows(grid: Sequence[tuple[int, Fraction, float]]) -> list[Row]:
    rows = []
    for m, a, b in grid:
        if b in (0.05, 1e-6):
            for said, found in (("printed", _printed(a, m, b)), ("repaired", _repaired(a, m, b))):
                values = {
                    f"T {said}": found.cutoff,
                    f"k {said}": found.models,
                    f"fails, {said}": found.low if said == "printed" else found.high,
                    f"allowed, {said}": found.claimed,
                }
                rows += line(values, {"m": m, "a": float(a), "beta": b})
    return rows


def _outcome(found: Sequence[Failing], claim: str, expected: str) -> Outcome:
    worst = max(found, key=lambda each: each.low / each.claimed)
    above = max(found, key=lambda each: each.high / each.claimed)
    shown = worst if worst.low > worst.claimed else above
    return enclosed(
        "bassily2018:thm-3.2",
        claim,
        shown.low,
        shown.high,
        shown.claimed,
        kind="upper bound",
        expected=expected,
        detail=f"between {shown.low:.4g} and {shown.high:.4g}, against {shown.claimed:g}; the worst of {len(found)} "
        f"settings: m = {shown.queries:,}, a = {float(shown.error):g}, beta = "
        f"{shown.failure:g}, T = {shown.cutoff:.4g}, k = {shown.models:,}, {shown.family}",
        learner="bassily2018.answers",
    )


def _rates(grid: Sequence[tuple[int, Fraction, float]]) -> tuple[Outcome, ...]:
    """T/m = O(gamma + alpha): false without a condition, at most 5.13 with it."""
    every = [(printed_cutoff(float(a), m, b) / (float(a) * m), m, a, b) for m, a, b in grid]
    enough = [each for each in every if float(each[2]) * each[1] >= math.log(each[1] / each[3])]
    factors = []
    for power in range(1, 13):  # m = 1, beta = 1/2: T/(m a) has no bound as a falls
        a = 10.0**-power
        factors.append(printed_cutoff(a, 1, 0.5) / a)
    worst = max(enough)
    return (
        compared(
            "bassily2018:thm-3.2",
            "T/m is at most a constant times gamma + alpha: below 1,000 for m = 1, beta = 1/2, a from 0.1 to 10^-12",
            max(factors) < 1000,
            f"T/(m a) grows from {factors[0]:.3g} to {factors[-1]:.3g} as a falls",
            kind="order",
            expected="bassily2018:thm-3.2: T/m = O(gamma + alpha) fails for (gamma + alpha) m far below log(m/beta)",
        ),
        compared(
            "bassily2018:thm-3.2",
            "repaired: T/m <= 5.13 (gamma + alpha) where (gamma + alpha) m >= log(m/beta)",
            worst[0] <= 5.13,
            f"at most {worst[0]:.4f} at {len(enough)} settings (m = {worst[1]:,}, a = {float(worst[2]):g}, beta = "
            f"{worst[3]:g})",
            kind="order",
        ),
    )


def most_bad_queries(queries: int, models: int, mistakes: int, wrong: int) -> int:
    """The most of m queries that ``wrong`` or more of k models get wrong, none making more than B mistakes.

    N such queries hold ``N wrong`` mistakes, of which each model has at most ``min(B, N)``; a table of 0 and 1 with
    such sums exists where the total fits (Gale and Ryser).

    Examples
    --------
    >>> most_bad_queries(4, 3, 2, 2)
    3
    """
    fits = [n for n in range(queries + 1) if n * wrong <= models * min(mistakes, n)]
    return max(fits)


def enumerated_bad_queries(queries: int, models: int) -> dict[tuple[int, int], int]:
    """For each B and number of wrong votes the most such queries, over all 0/1 tables.

    Examples
    --------
    >>> enumerated_bad_queries(2, 2)[1, 2]
    1
    """
    cells = queries * models
    codes = np.arange(1 << cells, dtype=np.int64)[:, None]
    tables = ((codes >> np.arange(cells)) & 1).reshape(-1, queries, models)
    per_query, per_model = tables.sum(axis=2), tables.sum(axis=1).max(axis=1)
    found = {}
    for mistakes in range(queries + 1):
        allowed = per_query[per_model <= mistakes]
        for wrong in range(1, models + 1):
            found[mistakes, wrong] = int((allowed >= wrong).sum(axis=1).max())
    return found


def counting_mistakes(seed: int, quick: bool) -> Findings:
    """Lemma 3.3, all tables where these can be enumerated, the maximum by its closed form where not."""
    most = 12 if quick else 18
    said = _all_tables(most)
    mistakes = range(1, 1001, 10 if quick else 1)
    largest = [most_bad_queries(1000, 301, b, 101) for b in mistakes]
    ratio = max(bad / (3 * b) for bad, b in zip(largest, mistakes, strict=True))
    rows = exact("the most there can be", largest, B=mistakes) + bound("3B", [3 * b for b in mistakes], B=mistakes)
    outcomes = (
        compared(
            "bassily2018:lem-3.3",
            "as printed, fewer than B/xi, for all B >= 0",
            said.strict and not said.zero,
            "B = 0: 0 queries against B/xi = 0" if said.zero else f"{said.cases} cases",
            expected=_WHY_33,
        ),
        compared(
            "bassily2018:lem-3.3",
            "repaired: fewer than B/xi for B > 0, at most 0 for B = 0",
            said.strict and said.weak,
            f"{said.cases} cases of (m, k, B, xi), {said.tables:,} tables; the closed form of the maximum "
            f"{'agrees' if said.agree else 'does not agree'}",
        ),
        compared(
            "bassily2018:lem-3.3",
            "301 models, 1,000 queries, xi = 1/3: fewer than 3B",
            said.agree and ratio < 1,
            f"at most {ratio:.4f} times 3B, by the closed form of the maximum",
        ),
    )
    told = (
        f"In {said.tables:,} tables the lemma {'holds' if said.strict else 'is broken'} for B > 0; for B = 0 its "
        f"strict inequality {'fails (0 < 0)' if said.zero else 'holds'}. At xi = 1/3 the largest number of such "
        f"queries comes to {ratio:.4f} of 3B: the lemma "
        f"{'leaves almost nothing' if ratio > 0.98 else 'leaves room'}."
    )
    return Findings(rows, outcomes, told, {"most": most})


COUNTING_MISTAKES = Page(
    "How many queries can have more than a part xi of the votes wrong",
    "All tables of mistakes of k models on m queries with at most {most} cells, all B and all xi up to 1/2 (between "
    "two multiples of 1/k nothing changes but B/xi, so that its smallest value there decides). Then the maximum in "
    "closed form, which these tables confirm, for 301 models and 1,000 queries at xi = 1/3.",
    (
        Plot(
            "bad-queries",
            "Queries with more than a third of 301 votes wrong, out of 1,000",
            "B",
            "queries",
            x_label="B: mistakes of each model",
            scale="log",
        ),
    ),
)


RUNS: tuple[Run, ...] = (
    Run("few-are-misclassified", ("bassily2018:thm-3.2",), few_are_misclassified, (0.5, 1.0), FEW_ARE_MISCLASSIFIED),
    Run("counting-mistakes", ("bassily2018:lem-3.3",), counting_mistakes, (0.2, 1.0), COUNTING_MISTAKES),
)
