"""Lipschitz losses on regular sets, log-concave sampling, and best subset selection."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np

from dpcheck.model.claims import PureDP
from dpcheck.papers.wang2016.learners import (
    BestSubset,
    CoordinateDistances,
    ExponentialOnInterval,
    LogConcaveExponential,
    LogConcaveOnBox,
)
from dpcheck.papers.wang2016.theorems.mechanism_instances import (
    an_atom_of_small_mass,
    ball_of_13_dimensions,
    corner_of_a_cube,
)
from dpcheck.papers.wang2016.trials.exact import privacy, tally, together, two_laws, worst_of
from dpcheck.trial.failures import level_of
from dpcheck.trial.model import CONTRADICTED_LEVEL, HOLDS_LEVEL, Outcome, Shade, Word
from dpcheck.trial.opponents import WORST, below_worst, set_against
from dpcheck.trial.page import TOGETHER, Line, Page, Pivot, Plot
from dpcheck.trial.relations import compared, enclosed, refuted_by, word_between
from dpcheck.trial.rows import Findings, Row, bound, exact
from dpcheck.trial.run import Run
from dpcheck.utility.bounded_means import mean_interval


def sublevel_length(data: list[Fraction], t: Fraction) -> Fraction:
    """The exact length of ``{h in [0, 1]: F(h) <= F* + t}``, F the mean of ``|h - z|``."""

    def value(h: Fraction) -> Fraction:
        return sum((abs(h - z) for z in data), Fraction(0)) / len(data)

    knots = sorted({Fraction(0), Fraction(1), *data})
    limit = min(map(value, knots)) + t
    length = Fraction(0)
    for a, b in pairwise(knots):
        left, right = value(a), value(b)
        low, high = min(left, right), max(left, right)
        if high <= limit:
            length += b - a
        elif low <= limit:
            length += (b - a) * (limit - low) / (high - low)
    return length


def rate_of_lipschitz(n: int, epsilon: float, dimension: int) -> float:
    """(11) with K = 1, rho = d: losses that are 1-Lipschitz in the largest coordinate, on the cube."""
    return 9 * (dimension + 2) * math.log(n) / (n * epsilon) + 2 * epsilon


#: The largest excess risk of the absolute loss on uniform records.
_LARGEST = 0.25


def lipschitz(seed: int, quick: bool) -> Findings:
    """Claim 4: absolute loss on [0, 1]^d, its sublevel sets and its rate."""
    rng = np.random.default_rng(seed)
    outcomes = _sublevel_sets(rng, 40 if quick else 200)
    sizes = [100, 1_000, 10_000, 200_000] if quick else [100, 316, 1_000, 3_162, 10_000, 31_623, 100_000, 200_000]
    dimensions = (1, 2) if quick else (1, 2, 3)
    cells = len(sizes) * len(dimensions)
    rows: list[Row] = []
    speaks: dict[str, Word] = {}
    for dimension in dimensions:
        used = [n for n in sizes if dimension == 1 or n <= 10_000]
        for n in used:
            limit = _rate(n, dimension)
            # where (11) says nothing the points are for the picture: fewer trials
            trials = 40 if quick and (n > 10_000 or dimension > 1) else 100 if limit >= _LARGEST else 150
            mean = _mean_excess(dimension, n, trials, rng)
            ends = mean_interval(mean, trials, TOGETHER / cells, high=_LARGEST)
            at = {"n": n, "d": dimension}
            rows.append(Row("measured", mean, at, "measured", ends, trials, TOGETHER / cells))
            rows += bound("(11) with K = 1, rho = d", [limit], **at)
            if limit < _LARGEST:
                speaks[f"d = {dimension}, n = {n:,}"] = _word(mean, trials, limit, cells)
        rows += exact("first n with (11) < 1/4", [_first(dimension)], d=dimension) + exact("n", used[-1:], d=dimension)
        rows += exact("excess measured", [mean], d=dimension) + bound("(11)", [limit], d=dimension)
    made = sum(row.trials for row in rows)
    points = sum(row.role == "measured" for row in rows)
    word: Word = worst_of(list(speaks.values())) if speaks else "says nothing"
    outcomes.append(
        Outcome(
            word,
            "the excess risk is at most (11) as repaired, eps(n) = sqrt(d log(2n)/n), absolute loss on [0, 1]^d, "
            f"uniform records, {' and '.join(speaks) or 'at all points that are run'}",
            f"(11) is below 1/4, the largest excess there is, from n = {_first(1):,} on at d = 1; run at "
            f"{points} points, at {points - len(speaks)} of them (11) says nothing",
            "wang2016:ex-21",
            "upper bound",
            against=f"{WORST}: it has excess risk up to 1/4, above (11) at {len(speaks)} of {points} points"
            if speaks
            else f"{WORST} keeps it too: it has excess risk up to 1/4, and (11) is nowhere below",
            learner="wang2016.median_on_interval",
            level=level_of(word),
            trials=made,
        )
    )
    told = f"(11) says something from n = {_first(1):,} on at d = 1. {tally(outcomes)}"
    return Findings(rows, outcomes, told, {"made": made, "cells": cells}, made)


LIPSCHITZ = Page(
    "Lipschitz losses on the cube",
    "Sublevel sets of the mean absolute loss in fractions; then Algorithm 1 on [0, 1] (exact density) and on "
    "the cube (product density), uniform records, epsilon(n) = sqrt(d log(2n)/n).",
    (
        Plot(
            "lipschitz",
            "Excess risk with the absolute loss",
            "n",
            "expected excess risk",
            by="d",
            scale="log",
            lines=(Line("1/4: the largest excess there is", y=_LARGEST),),
            shades=(Shade("(11) says nothing", y=(_LARGEST, None)),),
        ),
    ),
    (Pivot("Where (11) begins to speak", ("d",)),),
    evidence="Sublevel sets: exact. Intervals for means of bounded numbers, {made:,} trials over all points; all "
    f"{{cells}} hold together with probability at least {1 - TOGETHER:.0%}.",
    left_out="d = 2 and 3 beyond n = 10,000.",
)


def _sublevel_sets(rng: np.random.Generator, datasets: int) -> list[Outcome]:
    """The volume that example 21 gives to sublevel sets, as repaired and as printed."""
    cases = []
    for _ in range(datasets):
        data = [Fraction(int(z), 16) for z in rng.integers(17, size=int(rng.integers(1, 8)))]
        for t in (Fraction(1, 32), Fraction(1, 8), Fraction(1, 2)):
            length = sublevel_length(data, t)
            cases.append(compared("wang2016:ex-21", f"{len(data)} records, t = {t}", length >= t, f"length {length}"))
    return [
        together(
            cases,
            "as repaired, mu(S_t) >= beta V (t/L)^d: at d = 1 with beta = 1/2, V = 2, L = 1, so K = 1 and rho = 1",
            f"{len(cases)} sublevel sets of the absolute loss, lengths in fractions",
        ),
        refuted_by(
            "wang2016:ex-21",
            "as printed: mu(S_t) >= beta_p (t/L)^d",
            corner_of_a_cube(),
            "in four dimensions with p = 1 the sublevel set has 2/3 of it",
            expected="ex-21, X21.vol: the volume of the unit ball is left out",
        ),
    ]


def _vanishing(n: int, dimension: int) -> float:
    """epsilon(n)."""
    return math.sqrt((dimension * math.log(n) + dimension * math.log(2)) / n)


def _rate(n: int, dimension: int) -> float:
    return rate_of_lipschitz(n, _vanishing(n, dimension), dimension)


@cache
def _first(dimension: int) -> int:
    """The first n, in thousands, at which (11) says something."""
    return next(n for n in range(1000, 10**7, 1000) if _rate(n, dimension) < _LARGEST)


def _mean_excess(dimension: int, n: int, trials: int, rng: np.random.Generator) -> float:
    """The mean excess risk of Algorithm 1 over samples of uniform records."""
    epsilon, excess = _vanishing(n, dimension), np.zeros(trials)
    on_interval = ExponentialOnInterval("absolute", epsilon, sensitivity="paper_bound")
    on_box = LogConcaveOnBox(CoordinateDistances(dimension=dimension, power=1), epsilon)
    for trial in range(trials):
        if dimension == 1:
            found = on_interval.sample(rng.random(n), 1, rng)
        else:
            found = np.asarray(on_box.sample(rng.random((n, dimension)), 1, rng))
        excess[trial] = float(((found[0] - 0.5) ** 2).mean())
    return float(excess.mean())


def _word(mean: float, trials: int, bound: float, cells: int) -> Word:
    low = mean_interval(mean, trials, CONTRADICTED_LEVEL / cells, high=_LARGEST)[0]
    high = mean_interval(mean, trials, HOLDS_LEVEL / cells, high=_LARGEST)[1]
    return word_between(low, high, bound)


def sampling(seed: int, quick: bool) -> Findings:
    """Proposition 26: the printed density's exact loss, and the repaired one's."""
    rng = np.random.default_rng(seed)
    sizes = [1, 2, 6, 30, 100] if quick else [1, 2, 3, 6, 12, 30, 100, 300, 1000]
    outcomes: list[Outcome] = []
    rows: list[Row] = []
    for power in (1, 2):
        printed, repaired = [], []
        for n in sizes:
            pair = [0.0] * n, [0.0] * (n - 1) + [1.0]
            drawn = rng.random(n).tolist()
            pairs = [pair, (drawn, [*drawn[:-1], float(drawn[-1] < 0.5)])]
            printed.append(LogConcaveExponential(power, 1.0, as_printed=True).exact_loss(*pair))
            repaired.append(max(LogConcaveExponential(power, 1.0).exact_loss(*each) for each in pairs))
        kept = [_loses_at_most_1(f"n = {n}", loss) for n, loss in zip(sizes, repaired, strict=True)]
        as_printed = _loses_at_most_1(
            f"the density exp(eps n q/B), B the largest loss, is 1-DP at eps = 1: loss |h - z|^{power}",
            max(printed),
            detail=f"n = {sizes[-1]} records 0 against a 1 among them: the exact loss is {printed[-1]:.4g}",
            expected="prop-26, P26.exp: Algorithm 1 has eps n q/(2B)",
            learner="wang2016.log_concave_as_printed",
        )
        as_repaired = together(
            kept,
            f"as repaired, exp(eps n q/(2B)) loses at most 1: loss |h - z|^{power}, n = 1 to {sizes[-1]}, records "
            "0 against a 1 among them, and a random pair",
            f"the largest loss is {max(repaired):.6g}",
        )
        outcomes += [as_printed, as_repaired]
        rows += exact(f"as printed, power {power}", printed, n=sizes)
        rows += exact(f"as repaired, power {power}", repaired, n=sizes)
    outcomes.append(
        refuted_by(
            "wang2016:prop-26",
            "a sampler arbitrarily near in total variation may take the place of step 2 of Algorithm 1",
            an_atom_of_small_mass(),
            "a law within eta of its target, with an infinite loss",
            kind="privacy",
            expected="P26.tv: nearness in total variation keeps privacy only up to a delta",
        )
    )
    against = next((each.detail for each in outcomes if each.word == "contradicted"), "nothing against it")
    return Findings(rows, outcomes, f"{tally(outcomes)} Of the density as printed: {against}.")


SAMPLING = Page(
    "The log-concave density as printed is twice too steep",
    "All records 0 against one of them 1: the exact largest log ratio of the two densities on [0, 1].",
    (
        Plot(
            "sampling",
            "Loss of the density of proposition 26, epsilon = 1",
            "n",
            "privacy loss (nats)",
            scale="linear",
            lines=(Line("epsilon: what is claimed", y=1.0),),
        ),
    ),
    evidence="{intervals} Densities by quadrature, right to 1e-9.",
    left_out="Polynomial time: draws here are exact, by rejection from an envelope, with no Markov chain to be timed.",
)


def _loses_at_most_1(claim: str, loss: float, **words: str) -> Outcome:
    """Whether a density is 1-DP, whose loss is known to 1e-9."""
    return enclosed("wang2016:prop-26", claim, loss - 1e-9, loss + 1e-9, 1, kind="privacy", **words)


def subset(seed: int, quick: bool) -> Findings:
    """Claim 5: the two stages of best subset selection."""
    rng = np.random.default_rng(seed)
    outcomes = [*_counts_of_sets(), *(_both_stages(epsilon, rng, 6 if quick else 20) for epsilon in (0.5, 1.0))]
    n = 400 if quick else 1_000
    dimensions = {1: (4, 16, 64), 2: (4, 8, 16)} if quick else {1: (4, 8, 16, 32, 64), 2: (4, 8, 16, 24)}
    cases: dict[int, list[Outcome]] = {1: [], 2: []}
    limits: dict[int, list[float]] = {1: [], 2: []}
    scales: dict[int, list[float]] = {1: [], 2: []}
    sharper: dict[int, list[Outcome]] = {1: [], 2: []}
    rows: list[Row] = []
    for s, chosen in dimensions.items():
        for d in chosen:
            at = {"d": d, "s": s}
            for stage in _stages(d, s, n, rng):
                number = stage.number
                ends = max(0.0, stage.error - 1e-9), stage.error + 1e-9
                limits[number].append(stage.limit)
                scales[number].append(stage.scale)
                cases[number].append(enclosed("wang2016:ex-22", f"d = {d}, s = {s}", *ends, stage.limit))
                kept = enclosed("wang2016:ex-22", f"d = {d}, s = {s}", *ends, stage.own)
                sharper[number].append(set_against(kept, [below_worst([stage.own], [stage.scale], "has an error")]))
                rows += exact(f"stage {number}, s = {s}", [stage.error], d=d)
                rows += exact(f"sets of stage {number}", [stage.choices], **at)
                rows += exact(f"stage {number}", [stage.error], **at)
                rows += bound(f"stage {number}: log(#)/c", [stage.own], **at)
                rows += bound(f"stage {number}: 9 (2 log n + {stage.log})/(n eps)", [stage.limit], **at)
    for number, found in cases.items():
        softmaxes, size = f"{len(found)} exact softmaxes on one dataset each", f"n = {n:,}, eps = 1/sqrt n"
        printed = together(
            found,
            f"the error of stage {number} is at most 9 (2 log n + log K)/(n eps) times the range of the loss: {size}",
            softmaxes,
        )
        worst = below_worst(limits[number], scales[number], "has an error")
        gibbs = together(sharper[number], f"the error of stage {number} is at most log(#)/c: {size}", softmaxes)
        outcomes += [
            replace(one, kind="upper bound", learner="wang2016.subset")
            for one in (set_against(printed, [worst]), gibbs)
        ]
    first = [row for row in rows if row.quantity == "stage 1, s = 1"]
    told = (
        f"From d = {first[0].settings['d']} to {first[-1].settings['d']} (s = 1) the first stage's error goes from "
        f"{first[0].value:.4g} to {first[-1].value:.4g}. {tally(outcomes)}"
    )
    return Findings(rows, outcomes, told, {"n": n})


SUBSET = Page(
    "Best subset selection in two stages",
    "Linear regression on a grid of nine values per coordinate in the unit ball: both stages are softmaxes over "
    "listed hypotheses, so the expected error of each is exact given the data.",
    (
        Plot(
            "subset",
            "Error of each stage, n = {n:,}, eps = 1/sqrt n per stage",
            "d",
            "expected excess empirical risk",
            scale="log",
        ),
    ),
    (Pivot("Errors by stage", ("d", "s")),),
    evidence="{intervals} Errors in doubles, given one dataset each.",
)


def _counts_of_sets() -> list[Outcome]:
    """What example 22 says of binomial coefficients and of balls."""
    pairs = [(d, s) for d in range(1, 65) for s in range(1, d + 1)]
    equal = [s for d, s in pairs if math.comb(d, s) >= d**s]
    return [
        compared(
            "wang2016:ex-22",
            "as printed, binom(d, s) < d^s for 1 <= s <= d <= 64",
            not equal,
            f"not below in {len(equal)} of {len(pairs)} cases, {equal.count(1)} of them with s = 1",
            expected="ex-22, X22.count: at s = 1 the two are equal",
        ),
        compared(
            "wang2016:ex-22",
            "as repaired, binom(d, s) <= d^s for 1 <= s <= d <= 64",
            all(math.comb(d, s) <= d**s for d, s in pairs),
            f"{len(pairs)} pairs of integers",
        ),
        refuted_by(
            "wang2016:ex-22",
            "as printed, mu(S_t) >= (t/L)^s with rho = 0 in the second stage",
            ball_of_13_dimensions(),
            "the unit ball of R^13 has a volume below 1, and (t/L)^s is no K for rho = 0",
            expected="ex-22, X22.rho: rho = s, and the volume of the ball is left out",
        ),
    ]


def _both_stages(epsilon: float, rng: np.random.Generator, datasets: int) -> Outcome:
    """The privacy of both stages, on random neighbours."""
    learner = BestSubset(dimension=3, support=1, epsilon=epsilon, axis=(-1.0, 0.5, 1.0))
    neighbours = []
    for _ in range(datasets):
        x, y = rng.choice([-1.0, 0.0, 1.0], size=(4, 3)) / 2, rng.choice([-1.0, 1.0], size=4)
        other, label = x.copy(), y.copy()
        other[0], label[0] = rng.choice([-1.0, 0.0, 1.0], size=3) / 2, -y[0]
        neighbours.append(((x.tolist(), y.tolist()), (other.tolist(), label.tolist())))
    return privacy(
        "wang2016:ex-22",
        f"the two stages together are 2 eps-DP, eps = {epsilon:g} (d = 3, s = 1, a grid of three values)",
        two_laws(learner, neighbours),
        PureDP(2 * epsilon),
        learner="wang2016.subset",
    )


@dataclass(frozen=True)
class _Stage:
    """One stage on one dataset: its choices, its expected error, (11) and log(#)/c, and the range of the loss."""

    number: int
    choices: int
    error: float
    limit: float
    own: float
    scale: float
    log: str


def _stages(d: int, s: int, n: int, rng: np.random.Generator) -> Iterator[_Stage]:
    """Both stages of a learner of s of d coordinates, on one dataset of n records, at epsilon = 1/sqrt n each."""
    epsilon = 1 / math.sqrt(n)
    learner = BestSubset(dimension=d, support=s, epsilon=epsilon, axis=tuple(np.linspace(-1, 1, 9).tolist()))
    x = rng.choice([-1.0, 1.0], size=(n, d)) / math.sqrt(d)
    signal = x[:, :s].sum(axis=1) * math.sqrt(d / s) * 0.5
    data = x, np.clip(signal + rng.normal(0, 0.2, size=n), -1, 1)
    scores = learner.scores(data)
    values = np.asarray(scores.values, dtype=float) * float(scores.unit)
    best = values.max(axis=1)
    first = np.exp(learner.choice_of_support(data, scores).log_probabilities)
    second = [
        (np.exp(learner.choice_on_support(data, scores, place).log_probabilities) * (top - values[place])).sum()
        for place, top in enumerate(best)
    ]
    low, high = learner.loss.bounds(learner.hypotheses.reshape(-1, d))
    scale, swing = float(high) - float(low), float(learner.loss.swing(learner.hypotheses.reshape(-1, d)))
    for number, (lost, choices, volume, log) in enumerate(
        (
            (best.max() - best, len(learner.supports), s * math.log(d), "s log d"),
            (np.array(second), len(learner.on_support), math.log(len(learner.on_support)), "log K"),
        ),
        1,
    ):
        error = float((first * lost).sum() / n)
        limit = 9 * scale * (2 * math.log(n) + volume) / (n * epsilon)
        yield _Stage(number, choices, error, limit, 2 * swing * math.log(choices) / (n * epsilon), scale, log)


RUNS = (
    Run("lipschitz", ("wang2016:ex-21",), lipschitz, (4.5, 22.0), LIPSCHITZ),
    Run("log-concave", ("wang2016:prop-26",), sampling, (0.2, 0.3), SAMPLING),
    Run("best-subset", ("wang2016:ex-22",), subset, (0.3, 2.0), SUBSET),
)
