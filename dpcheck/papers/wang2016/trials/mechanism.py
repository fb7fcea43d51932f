"""The exponential mechanism for the regularised empirical risk: its tail, its utility, and hypotheses of M bits."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.bounds_shown import at_least
from dpcheck.model.claims import PureDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.wang2016.learners import (
    ExponentialOnInterval,
    FiniteProblem,
    RegularisedExponential,
    RepresentedExponential,
    risk_cover,
)
from dpcheck.papers.wang2016.theorems.bounds import BOUNDS
from dpcheck.papers.wang2016.theorems.mechanism_instances import (
    five_hypotheses,
    many_bad_hypotheses,
    ties_by_the_regulariser,
)
from dpcheck.papers.wang2016.trials.exact import (
    BITS,
    THREE,
    TWO,
    at_most,
    ball,
    binary_pairs,
    point,
    privacy,
    tally,
    together,
    two_laws,
    worst_above_minimum,
    worst_excess,
    worst_of,
)
from dpcheck.parts.mechanisms.mixtures import mixture
from dpcheck.proof.bounds import value_of
from dpcheck.trial.failures import level_of
from dpcheck.trial.model import CONTRADICTED_LEVEL, HOLDS_LEVEL, Outcome, Shade, Word
from dpcheck.trial.opponents import WORST
from dpcheck.trial.page import TOGETHER, Band, Line, Page, Pivot, Plot
from dpcheck.trial.relations import compared, refuted_by, word_between
from dpcheck.trial.rows import Findings, Row, bound, exact
from dpcheck.trial.run import Run
from dpcheck.utility.bounded_means import mean_interval
from dpcheck.utility.stability import Bounds, as_bounds, expected_losses


def _logarithms(n: int, epsilon: Fraction, volume: int, times: int = 9) -> Bounds:
    """``9 (2 log n + log K)/(n eps)``, enclosed."""
    from flint import ctx

    with ctx.workprec(BITS):
        return as_bounds(ball(Fraction(times, n) / epsilon) * (2 * ball(n).log() + ball(volume).log()))


#: A size and an epsilon besides the others, on two hypotheses only: (11) is below 1 where 2 epsilon is, and n epsilon
#: is in the hundreds.
_FAR = (2048, Fraction(1, 8))


def utility(seed: int, quick: bool) -> Findings:
    """Lemmas 36 and 37 and theorem 19 on finite classes, exactly; and where they fail as printed."""
    sizes = (4, 16, 64, 256) if quick else (4, 16, 64, 128, 256)
    cells = [(n, epsilon) for n in sizes for epsilon in (Fraction(1, 4), Fraction(1))]
    cases: dict[str, list[Outcome]] = {}
    for problem, more in ((TWO, [_FAR]), (THREE, [])):
        for zeta in (None, Fraction(1, 20)):
            for n, epsilon in (*cells, *more):
                for outcome in _near_minimum(problem, zeta, n, epsilon):
                    cases.setdefault(outcome.result, []).append(outcome)
    outcomes = []
    for result, words in (
        ("wang2016:lem-36", "E F is at most E F* + 9 (2 log n + log #H)/(n eps)"),
        ("wang2016:lem-37", "as repaired: the AERM rate is at most 9 (2 log n + log #H)/(n eps) + 2 sup|g|"),
        (
            "wang2016:thm-19",
            "as repaired: the excess risk is at most 9 (2 log n + log #H)/(n eps) + 2 eps + 2 sup|g|",
        ),
    ):
        one = together(
            cases[result],
            f"{words} on finite classes (K = #H, rho = 0), n = {sizes[0]} to {sizes[-1]}, epsilon 1/4 and 1, and n = "
            "2048, epsilon 1/8",
            f"{len(cases[result])} exact comparisons; in those where the worst hypothesis does not exceed the bound it "
            "says nothing",
        )
        outcomes.append(replace(one, kind="upper bound", learner="wang2016.regularised"))
    outcomes += _utility_as_printed()
    rows, printed, own = _worst_excess(sizes)
    told = (
        f"On three hypotheses at epsilon = 1 the bound of lemma 37 is {printed:.3g} times the worst excess or more, "
        f"that of Gibbs's principle {own:.3g} times. {tally(outcomes)}"
    )
    return Findings(rows, outcomes, told)


UTILITY = Page(
    "The exponential mechanism nearly minimises",
    "Algorithm 1 with the paper's sensitivity 2/n on binary records and two or three hypotheses, with and "
    "without a regulariser: its exact excess under distributions of a bit, beside the bounds; and the instances "
    "that break the bounds as printed.",
    (
        Plot(
            "utility",
            "Exponential mechanism over {{0, 1/2, 1}}, epsilon = 1",
            "n",
            "excess",
            scale="log",
            lines=(Line("1: a bound above says nothing", y=1.0),),
            shades=(Shade("a bound here says nothing", y=(1.0, None)),),
        ),
    ),
)


def _regularised(problem: FiniteProblem, epsilon: Fraction, penalties: Any = None) -> RegularisedExponential:
    """Algorithm 1 with the paper's sensitivity."""
    numbers = [float(h) for h in problem.hypotheses]
    return RegularisedExponential(problem, numbers, epsilon, penalties, "paper_bound")


def _near_minimum(problem: FiniteProblem, zeta: Fraction | None, n: int, epsilon: Fraction) -> Iterator[Outcome]:
    """Each claim at one size and epsilon; with a regulariser up to zeta where there is one."""
    count, width = len(problem.hypotheses), zeta or Fraction(0)
    penalties = None if zeta is None else [zeta if place else -zeta for place in range(count)]
    table = expected_losses(_regularised(problem, epsilon, penalties), problem, n)
    log = _logarithms(n, epsilon, count)
    limit = log + point(2 * width)
    whole = limit + point(2 * epsilon)
    # a tenth, a half, and the distance from a half at which n records leave most doubt
    for chance in (Fraction(1, 10), Fraction(1, 2), Fraction(1, 2) + Fraction(1, 2 * math.isqrt(n))):
        risks = table.under([1 - chance, chance])
        said = f"#H = {count}, n = {n}, epsilon = {epsilon}, P(1) = {chance}, sup|g| = {width}"
        above, most = worst_above_minimum(table, [1 - chance, chance]), worst_excess(problem, [1 - chance, chance])
        yield at_most("wang2016:lem-37", said, risks.above_minimum, limit, largest=above)
        if zeta is None:  # F is the empirical risk
            yield at_most("wang2016:lem-36", said, risks.above_minimum, log, largest=above)
        yield at_most("wang2016:thm-19", said, risks.excess, whole, largest=most)


def _utility_as_printed() -> list[Outcome]:
    """The instances that break the bounds as printed."""
    return [
        refuted_by(
            "wang2016:lem-36",
            "as printed, for every n: E q >= -E F* - 9 [(rho + 2) log n + log K]/(n eps)",
            many_bad_hypotheses(),
            "E q is at most -1/2, the bound is above -1/8",
            kind="upper bound",
            expected="lem-36, L36.tail: A2 speaks of t < t_0, the proof takes another t",
        ),
        refuted_by(
            "wang2016:lem-37",
            "as printed, with log(1/K): the AERM rate is at most 9 [(rho + 2) log n + log(1/K)]/(n eps) + zeta",
            five_hypotheses(),
            "the bound is below 0, the rate above it",
            kind="upper bound",
            expected="lem-37: log(1/K) for log K, and zeta for 2 zeta",
        ),
        refuted_by(
            "wang2016:thm-19",
            "as printed, with sup|g| once: the excess risk is at most (11)",
            ties_by_the_regulariser(),
            "the excess risk is 0.18, (11) at most 0.145",
            kind="upper bound",
            expected="thm-19, T19.rate: sup|g| counts twice",
        ),
    ]


def _worst_excess(sizes: Sequence[int]) -> tuple[list[Row], float, float]:
    """What is drawn, on three hypotheses at epsilon = 1, and how many times the worst excess both bounds are."""
    rows: list[Row] = []
    printed, own = [], []
    for n in sizes:
        table = expected_losses(_regularised(THREE, Fraction(1)), THREE, n)
        worst, limit = float(table.always_above_minimum()), float(_logarithms(n, Fraction(1), 3))
        doubtful = (Fraction(1, 2) + Fraction(j, 4 * math.isqrt(n)) for j in range(1, 9))
        excess = max(float(table.under([1 - p, p]).excess) for p in doubtful if p <= 1)
        gibbs = 4 * math.log(3) / n
        printed.append(limit / worst)
        own.append(gibbs / worst)
        rows += exact("worst excess empirical risk", [worst], n=n)
        rows += exact("excess risk, largest near P(1) = 1/2", [excess], n=n)
        rows += bound("9 (2 log n + log #H)/(n eps) (lem-37)", [limit], n=n)
        rows += bound("4 log(#H)/(n eps), by Gibbs's principle", [gibbs], n=n)
    return rows, min(printed), min(own)


def tail(seed: int, quick: bool) -> Findings:
    """Eq. (18): the tail of the mechanism for random problems, every Z and t."""
    from flint import arb, ctx

    rng = np.random.default_rng(seed)
    cases: list[Outcome] = []
    tightest = 0.0
    for number in range(20 if quick else 60):
        hypotheses = int(rng.integers(2, 9))
        losses = tuple(tuple(Fraction(int(v), 10) for v in rng.integers(11, size=3)) for _ in range(hypotheses))
        if all(max(row) == min(row) for row in losses):
            continue
        problem = FiniteProblem((0, 1, 2), tuple(range(hypotheses)), losses)
        epsilon = Fraction(int(rng.integers(1, 40)), 10)
        penalties = [Fraction(int(v), 20) for v in rng.integers(-5, 6, size=hypotheses)]
        n = int(rng.integers(1, 12))
        data = rng.integers(3, size=n).tolist()
        learner = RegularisedExponential(problem, list(range(hypotheses)), epsilon, penalties)
        law = mixture([1], [learner.distribution(data)])
        exact = [sum((losses[h][z] for z in data), Fraction(0)) / n + penalties[h] for h in range(hypotheses)]
        best = min(exact)
        rate = learner.rate(data) * n  # eps/(2 Dq), nats per unit of the mean
        chances = {int(output): p for output, p in zip(law.outputs, law.exact, strict=True)}
        for t in sorted({(value - best) / 2 for value in exact} | {Fraction(1, 100)}):
            if t <= 0:
                continue
            near = sum(value <= best + t for value in exact)
            with ctx.workprec(BITS):
                beyond = sum((chances[h] for h, value in enumerate(exact) if value > best + 2 * t), arb(0))
                limit = ball(Fraction(hypotheses, near)) * ball(-rate * t).exp()
                reached, allowed = as_bounds(beyond), as_bounds(limit)
            tightest = max(tightest, float(reached) / float(allowed))
            cases.append(at_most("wang2016:eq-18", f"problem {number}, t = {t}", reached, allowed))
    one = together(
        cases,
        "P(q < -F* - 2t) <= (mu(H)/mu(S_t)) e^(-(eps/(2 Dq)) t) for random problems, regularisers, datasets, all t "
        "that matter",
        f"{len(cases)} exact comparisons; the probability reaches {tightest:.3g} of the bound",
    )
    outcomes = [replace(one, kind="upper bound", learner="wang2016.regularised")]
    return Findings((), outcomes, f"{tally(outcomes)} The probability reaches {tightest:.3g} of the bound.")


TAIL = Page(
    "The tail of the exponential mechanism",
    "Random finite problems with losses in tenths, regularisers of either sign and datasets of up to 11 "
    "records: the exact probability of a hypothesis beyond F* + 2t, at every t where it changes.",
    evidence="{intervals} The problems are drawn; each is then decided exactly.",
)


def excess_of_bits(
    bits: int, n: int, epsilon: float, noise: float, draws: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """The expected excess risk, given the sample, of alg-1 over all functions on M points, for some samples.

    The softmax over all 2^M functions is a product: at each point the label 1 has the log odds ``c (ones - zeros)``,
    c = eps/4 nats per mistake with the paper's sensitivity. Points are uniform, labels are 1 with probability
    ``1 - noise``.
    """
    counts = rng.multinomial(n, np.full(bits, 1 / bits), size=draws)
    ones = rng.binomial(counts, 1 - noise)
    odds = np.clip(epsilon / 4 * (2 * ones - counts), -700, 700)
    return np.asarray((1 - 2 * noise) * (1 / (1 + np.exp(odds))).mean(axis=1))


def hard_noise(bits: int, n: int, epsilon: float) -> float:
    """The noise at which the mechanism has most to lose: log odds near 1.28, where x/(1 + e^x) is largest."""
    return 0.5 - min(1.0, 1.28 / (epsilon / 4 * n / bits)) / 2


#: The excess at which sizes are compared, and the sizes tried.
_ACCURACY = 0.1
_SIZES = sorted({round(2 ** (k / 4)) for k in range(4, 100)})


def least_size(bits: int, draws: int, rng: np.random.Generator) -> int:
    """The least size tried from which on the excess at the hardest noise is certified to be at most 0.1, up to 10^4."""
    tried = [n for n in _SIZES if n <= 10_000]
    enough = tried[-1]
    for n in reversed(tried):
        epsilon = _vanishing(bits, n)
        noise = hard_noise(bits, n, epsilon)
        mean = float(excess_of_bits(bits, n, epsilon, noise, draws, rng).mean())
        if mean_interval(mean, draws, HOLDS_LEVEL / len(tried), high=1 - 2 * noise)[1] > _ACCURACY:
            break
        enough = n
    return enough


def _vanishing(bits: int, n: int) -> float:
    """epsilon(n)."""
    return min(1.0, math.sqrt((bits + math.log(n)) / n))


def of_bits(seed: int, quick: bool) -> Findings:
    """Claim 3: the rate of Algorithm 1 on 2^M hypotheses against (11) and the self-contained bound."""
    rng = np.random.default_rng(seed)
    bits = (2, 8) if quick else (1, 4, 8, 12)
    sizes = [int(n) for n in np.unique(np.geomspace(100, 10**6, 6 if quick else 11).round().astype(int))]
    draws = 400 if quick else 2_000
    cells = len(bits) * len(sizes)
    first = {m: _first_size(m, math.nextafter(1.0, 0.0)) for m in bits}
    outcomes: list[Outcome] = []
    rows: list[Row] = []
    for m in bits:
        found = [_risk_of_bits(m, n, draws, cells, rng) for n in sizes]
        outcomes += _of_bits_outcomes(m, first[m], found, draws, least_size(m, draws, rng))
        own = [4 * m * math.log(2) / (n * _vanishing(m, n)) + math.tanh(_vanishing(m, n) / 2) for n in sizes]
        rows += [
            *(each.row for each in found),
            *bound("(11), ex-20", [each.limit for each in found], n=sizes, M=m),
            *bound("log(#H)/c + tanh(eps/2)", own, n=sizes, M=m),
            *exact("first n with (11) < 1", [first[m]], M=m),
            *exact(f"excess at n = {sizes[-1]:,}", [found[-1].row.value], M=m),
            *bound("(11) there", [found[-1].limit], M=m),
            *bound("log(#H)/c + tanh(eps/2) there", own[-1:], M=m),
        ]
    slack = [outcome.slack or 0 for outcome in outcomes]
    told = (
        f"(11) says something from n = {first[bits[0]]:,} (M = {bits[0]}) and n = {first[bits[-1]]:,} (M = {bits[-1]}) "
        f"on; for an excess of {_ACCURACY:g} it asks for {min(slack):.3g} to {max(slack):.3g} times the size that is "
        f"enough here. {tally(outcomes)}"
    )
    return Findings(rows, outcomes, told, {"first": first, "draws": draws, "cells": cells}, draws * cells)


OF_BITS = Page(
    "Hypotheses of M bits: the rate against its bound",
    "All 0-1 functions on M points, uniform points, labels with the noise at which the mechanism loses most at "
    "that n; epsilon(n) = sqrt((M + log n)/n), the paper's sensitivity. Given a sample the law is a product "
    "over points, so the expected excess risk given the sample is exact; samples are drawn.",
    (
        Plot(
            "bits",
            "Excess risk over 2^{M} hypotheses",
            "n",
            "expected excess risk",
            each="M",
            scale="log",
            lines=(Line("(11) is below 1 from n = {first:,}", x="first"),),
            shades=(Band("(11) says nothing", x=(None, "first")),),
        ),
    ),
    (Pivot("Where (11) begins to speak", ("M",)),),
    evidence="Intervals for means of bounded numbers, {draws:,} samples a point; all {cells} hold together with "
    f"probability at least {1 - TOGETHER:.0%}. What holds is wrong with probability at most {HOLDS_LEVEL:g}, what is "
    "contradicted at 1e-9.",
)


@dataclass(frozen=True)
class _AtSize:
    """The excess at one size, (11) there, and what becomes of (11); no word where it says nothing."""

    row: Row
    limit: float
    word: Word | None


def _risk_of_bits(bits: int, n: int, draws: int, cells: int, rng: np.random.Generator) -> _AtSize:
    """The excess at the hardest noise; all cells hold together."""
    epsilon = _vanishing(bits, n)
    noise = hard_noise(bits, n, epsilon)
    mean = float(excess_of_bits(bits, n, epsilon, noise, draws, rng).mean())
    ends, strict, against = (
        mean_interval(mean, draws, level / cells, high=1 - 2 * noise)
        for level in (TOGETHER, HOLDS_LEVEL, CONTRADICTED_LEVEL)
    )
    limit = float(value_of(BOUNDS["bits"], n=n, epsilon=epsilon, bits=bits))
    word = word_between(against[0], strict[1], limit)
    row = Row("measured", mean, {"n": n, "M": bits}, "measured", ends, draws, TOGETHER / cells)
    return _AtSize(row, limit, word if limit < 1 - 2 * noise else None)


def _of_bits_outcomes(bits: int, first: int, found: Sequence[_AtSize], draws: int, enough: int) -> list[Outcome]:
    """What becomes of (11) over all sizes, as an example and as the theorem."""
    asked = _first_size(bits, _ACCURACY)
    words = [each.word for each in found if each.word is not None]
    speaking = [each.limit / (each.row.value or 0.0) for each in found if each.limit < 1]
    word: Word = worst_of(words) if words else "says nothing"
    above = f", where it is {at_least(min(speaking))} times the excess measured or more" if speaking else ""
    against = (
        f"{WORST}: it has excess risk up to 1 - 2 noise, above (11) at {len(words)} of {len(found)} sizes"
        if words
        else f"{WORST} keeps it too: (11) is no less than 1 - 2 noise, the largest excess, at all {len(found)} sizes"
    )
    return [
        Outcome(
            word,
            f"over 2^{bits} hypotheses, eps(n) = sqrt((M + log n)/n), the excess risk is at most (11)",
            f"(11) is below 1 from n = {first:,} on, as at {len(speaking)} of the {len(found)} sizes run{above}, and "
            f"below 1 - 2 noise, the largest excess, at {len(words)}. For an excess of {_ACCURACY:g} (11) asks for "
            f"n = {asked:,}, measured n = {enough:,} is enough",
            result,
            "upper bound",
            learner="wang2016.regularised",
            level=level_of(word),
            trials=draws * len(words),
            size=float(asked),
            measured=float(enough),
            against=against,
        )
        for result in ("wang2016:ex-20", "wang2016:thm-19")
    ]


#: Three sets of places of hypotheses, and the probabilities with which they are drawn.
_SETS, _SHARES = ((0, 2), (1,), (0, 1, 2)), (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))


def _representation(missed: Fraction, epsilon: float, n: int) -> Bounds:
    """What Gibbs's principle and stability allow a drawn representation, enclosed."""
    from flint import arb, ctx

    with ctx.workprec(BITS):
        own = sum((ball(p) * arb(len(one)).log() for p, one in zip(_SHARES, _SETS, strict=True)), arb(0))
        return as_bounds(ball(missed) + 2 * own / (n * ball(epsilon)) + (ball(epsilon) / 2).tanh())


def _first_size(bits: int, most: float) -> int:
    """The least number of records at which (11) is at most this; both of its terms fall as records are added."""
    sizes = range(2, 10**9)
    return sizes[bisect_left(sizes, True, key=lambda n: _eleven(bits, n) <= most)]


def _eleven(bits: int, n: int) -> float:
    epsilon = _vanishing(bits, n)
    return 9 * (2 * math.log(n) + bits * math.log(2)) / (n * epsilon) + 2 * epsilon


def covers(seed: int, quick: bool) -> Findings:
    """Examples 23 and 24 and remark 5.3: representations, reference laws, and the mechanism that has no law."""
    refused = 0
    for low, high in ((-math.inf, math.inf), (0.0, math.inf), (-math.inf, 1.0)):
        try:
            ExponentialOnInterval("absolute", 1.0, low, high)
        except InvalidArgument:
            refused += 1
    outcomes = [
        _nets(np.random.default_rng(seed), 20 if quick else 60),
        *_drawn_representations(0.5),
        *_drawn_representations(2.0),
        compared(
            "wang2016:rem-5.3",
            "over an infinite interval a bounded q gives no law: the learner refuses it",
            refused == 3,
            f"{refused} of 3 infinite intervals refused",
            learner="wang2016.interval",
        ),
    ]
    return Findings((), outcomes, tally(outcomes))


COVERS = Page(
    "Covers and representations that are fixed before the data",
    "Random finite problems with a reference law and another law it dominates; the exponential mechanism over a "
    "drawn representation, its exact privacy and excess risk; and the interval on which there is no mechanism.",
    evidence="{intervals} The problems of example 24 are drawn; each is then decided in fractions.",
)


def _mean(law: Sequence[Fraction], losses: Iterable[Fraction]) -> Fraction:
    """The expectation of some losses, one a record."""
    return sum((p * loss for p, loss in zip(law, losses, strict=True)), Fraction(0))


def _nets(rng: np.random.Generator, problems: int) -> Outcome:
    """Example 24: a net of radius r under D* is one of radius c r under every D with D <= c D*."""
    kinds, radius = 5, Fraction(1, 5)
    cases = []
    for number in range(problems):
        weights = rng.integers(1, 6, size=kinds).tolist()
        losses = tuple(tuple(Fraction(int(v), 4) for v in rng.integers(5, size=kinds)) for _ in range(12))
        problem = FiniteProblem(tuple(range(kinds)), tuple(range(12)), losses)
        reference = [z for z, weight in enumerate(weights) for _ in range(weight)]
        net = [int(h) for h in risk_cover(problem, list(range(12)), reference, float(radius)).tolist()]
        other = rng.integers(0, 6, size=kinds).tolist()
        other[0] += not sum(other)
        law = [Fraction(w, sum(other)) for w in other]
        reach = radius * max(p * sum(weights) / weight for p, weight in zip(law, weights, strict=True))
        risks = [_mean(law, row) for row in losses]
        far = max(
            min(_mean(law, [abs(a - b) for a, b in zip(row, losses[g], strict=True)]) for g in net) for row in losses
        )
        cases.append(
            compared(
                "wang2016:ex-24",
                f"problem {number}",
                far <= reach and min(risks[g] for g in net) <= min(risks) + reach,
                f"farthest {float(far):.3g}, c r = {float(reach):.3g}",
            )
        )
    return together(
        cases,
        "a net of radius r for D* is one of radius c r for every D with D <= c D*, and its best hypothesis is "
        "as near to the best of all",
        f"{len(cases)} random finite problems, in fractions",
    )


def _drawn_representations(epsilon: float) -> list[Outcome]:
    """Example 23: a representation, drawn before the data."""
    n = 40
    learner = RepresentedExponential(
        THREE, [[float(THREE.hypotheses[h]) for h in one] for one in _SETS], [2, 1, 1], epsilon
    )
    table = expected_losses(learner, THREE, n)
    cases = []
    for i in range(6):
        law = [Fraction(5 - i, 5), Fraction(i, 5)]
        risks = [_mean(law, row) for row in THREE.losses]
        missed = _mean(_SHARES, [min(risks[h] for h in one) - min(risks) for one in _SETS])
        limit = _representation(missed, epsilon, n)
        most = worst_excess(THREE, law)
        cases.append(at_most("wang2016:ex-23", f"P(1) = {i}/5", table.under(law).excess, limit, largest=most))
    return [
        privacy(
            "wang2016:ex-23",
            f"over a drawn representation the mechanism is epsilon-DP, epsilon = {epsilon:g}",
            two_laws(learner, binary_pairs(n)),
            PureDP(epsilon),
            learner="wang2016.represented",
        ),
        together(
            cases,
            "and under each distribution its excess risk is at most what the drawn set misses, plus "
            f"the mean of log(#set)/c, plus the stability tanh(eps/2): epsilon = {epsilon:g}, n = {n}, "
            "c = n epsilon/2, sets of the first and third, of the second and of all three hypotheses, drawn with "
            "probability 1/2, 1/4, 1/4",
            "exact; " + "; ".join(f"{case.claim}: {case.detail}" for case in cases),
        ),
    ]


RUNS = (
    Run("exponential-utility", ("wang2016:lem-36", "wang2016:lem-37", "wang2016:thm-19"), utility, (3.5, 7.5), UTILITY),
    Run("exponential-tail", ("wang2016:eq-18",), tail, (0.1, 0.2), TAIL),
    Run("hypotheses-of-bits", ("wang2016:ex-20", "wang2016:thm-19"), of_bits, (0.2, 1.0), OF_BITS),
    Run("covers", ("wang2016:ex-24", "wang2016:ex-23", "wang2016:rem-5.3"), covers, (0.3, 0.5), COVERS),
)
