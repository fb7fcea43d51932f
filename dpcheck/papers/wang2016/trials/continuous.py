"""Lipschitz losses on regular sets, log-concave sampling, and best subset selection."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
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
from dpcheck.papers.wang2016.trials.exact import EXACT, curve, instance, privacy, tally, together, two_laws, worst_of
from dpcheck.trial.model import Chart, Mark, Measurement, Outcome, Series, Shade, Table, Word
from dpcheck.trial.relations import compared, enclosed
from dpcheck.trial.run import Run
from dpcheck.utility.bounded_means import mean_interval

_LEVEL, _HOLDS, _BROKEN = 0.05, 1e-3, 1e-9


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


def lipschitz(seed: int, quick: bool) -> Measurement:
    """Claim 4: absolute loss on [0, 1]^d, its sublevel sets and its rate."""
    rng = np.random.default_rng(seed)
    outcomes: list[Outcome] = []
    cases = []
    for _ in range(40 if quick else 200):
        data = [Fraction(int(z), 16) for z in rng.integers(17, size=int(rng.integers(1, 8)))]
        for t in (Fraction(1, 32), Fraction(1, 8), Fraction(1, 2)):
            length = sublevel_length(data, t)
            cases.append(compared("wang2016:ex-21", f"{len(data)} records, t = {t}", length >= t, f"length {length}"))
    outcomes.append(
        together(
            cases,
            "as repaired, mu(S_t) >= beta V (t/L)^d: at d = 1 with beta = 1/2, V = 2, L = 1, so K = 1 and rho = 1",
            f"{len(cases)} sublevel sets of the absolute loss, lengths in fractions",
        )
    )
    outcomes.append(
        instance(
            "wang2016:ex-21",
            "as printed: mu(S_t) >= beta_p (t/L)^d",
            corner_of_a_cube(),
            "in four dimensions with p = 1 the sublevel set has 2/3 of it",
            expected="ex-21, X21.vol: the volume of the unit ball is left out",
        )
    )
    sizes = [100, 1_000, 10_000, 200_000] if quick else [100, 316, 1_000, 3_162, 10_000, 31_623, 100_000, 200_000]
    made = made_at = 0
    compared_at: list[tuple[int, int]] = []
    dimensions = (1, 2) if quick else (1, 2, 3)
    cells = len(sizes) * len(dimensions)
    series: list[Series] = []
    words: list[Word] = []
    rows = []
    first = {}
    for dimension in dimensions:
        means, low, high, bounds, counts = [], [], [], [], []
        for n in sizes:
            epsilon = math.sqrt((dimension * math.log(n) + dimension * math.log(2)) / n)
            if dimension > 1 and n > 10_000:
                continue
            # where (11) says nothing the points are for the picture: fewer trials
            picture = rate_of_lipschitz(n, epsilon, dimension) >= 0.25
            trials = 40 if quick and (n > 10_000 or dimension > 1) else 100 if picture else 150
            made, made_at = made + trials, made_at + 1
            excess = np.zeros(trials)
            for trial in range(trials):
                if dimension == 1:
                    h = ExponentialOnInterval("absolute", epsilon, sensitivity="paper_bound").sample(
                        rng.random(n), 1, rng
                    )
                    excess[trial] = float((h[0] - 0.5) ** 2)
                else:
                    learner = LogConcaveOnBox(CoordinateDistances(dimension=dimension, power=1), epsilon)
                    h = np.asarray(learner.sample(rng.random((n, dimension)), 1, rng))[0]
                    excess[trial] = float(((h - 0.5) ** 2).mean())
            counts.append(trials)
            mean = float(excess.mean())
            ends = mean_interval(mean, trials, _LEVEL / cells, high=0.25)
            means.append(mean)
            low.append(ends[0])
            high.append(ends[1])
            bounds.append(rate_of_lipschitz(n, epsilon, dimension))
            if bounds[-1] < 0.25:  # the excess risk is never more
                words.append(_word(mean, trials, bounds[-1], cells))
                compared_at.append((dimension, n))
        used = sizes[: len(means)]
        series += [
            Series(
                f"measured, d = {dimension}",
                "measured",
                dimension - 1,
                tuple(map(float, used)),
                tuple(means),
                tuple(low),
                tuple(high),
                tuple(counts),
            ),
            curve(f"(11) with K = 1, rho = d = {dimension}", dimension + 2, used, bounds, bound=True),
        ]
        first[dimension] = next(
            (
                n
                for n in range(1000, 10**7, 1000)
                if rate_of_lipschitz(n, math.sqrt(dimension * math.log(2 * n) / n), dimension) < 0.25
            ),
            None,
        )
        rows.append((str(dimension), f"{first[dimension]:,}", f"{used[-1]:,}", f"{means[-1]:.3g}", f"{bounds[-1]:.3g}"))
    word: Word = worst_of(words) if words else "says nothing"
    where = " and ".join(f"d = {d}, n = {n:,}" for d, n in compared_at) if words else "at all points that are run"
    outcomes.append(
        Outcome(
            word,
            "the excess risk is at most (11) as repaired, eps(n) = sqrt(d log(2n)/n), absolute loss on [0, 1]^d, "
            f"uniform records, {where}",
            f"(11) is below 1/4, the largest excess there is, from n = {first[1]:,} on at d = 1; run at "
            f"{made_at} points, at {made_at - len(words)} of them (11) says nothing",
            "wang2016:ex-21",
            "upper bound",
            learner="wang2016.median_on_interval",
            level=_HOLDS if word == "holds" else _BROKEN if word == "contradicted" else 0.0,
            trials=made,
        )
    )
    chart = Chart(
        "lipschitz",
        "Excess risk with the absolute loss",
        "n",
        "expected excess risk",
        tuple(series),
        (Mark("1/4: the largest excess there is", y=0.25, colour=5),),
        y_log=True,
        alt="Measured excess risks far below (11), which is above the largest excess on the left.",
        shades=(Shade("(11) says nothing", y=(0.25, None)),),
    )
    return Measurement(
        "lipschitz",
        "Lipschitz losses on the cube",
        ("wang2016:ex-21",),
        "Sublevel sets of the mean absolute loss in fractions; then Algorithm 1 on [0, 1] (exact density) and on "
        "the cube (product density), uniform records, epsilon(n) = sqrt(d log(2n)/n).",
        f"(11) says something from n = {first[1]:,} on at d = 1. {tally(outcomes)}",
        f"Sublevel sets: exact. Intervals for means of bounded numbers, {made:,} trials over all points; all {cells} "
        f"hold together with probability at least {1 - _LEVEL:.0%}.",
        (chart,),
        (
            Table(
                "Where (11) begins to speak",
                ("d", "first n with (11) < 1/4", "n", "excess measured", "(11)"),
                tuple(rows),
            ),
        ),
        tuple(outcomes),
        left_out="d = 2 and 3 beyond n = 10,000.",
        trials=made,
    )


def _word(mean: float, trials: int, bound: float, cells: int) -> Word:
    if mean_interval(mean, trials, _HOLDS / cells, high=0.25)[1] <= bound:
        return "holds"
    return "contradicted" if mean_interval(mean, trials, _BROKEN / cells, high=0.25)[0] > bound else "undecided"


def sampling(seed: int, quick: bool) -> Measurement:
    """Proposition 26: the printed density's exact loss, and the repaired one's."""
    rng = np.random.default_rng(seed)
    sizes = [1, 2, 6, 30, 100] if quick else [1, 2, 3, 6, 12, 30, 100, 300, 1000]
    outcomes: list[Outcome] = []
    series = []
    for power in (1, 2):
        kept = []
        losses: dict[bool, list[float]] = {True: [], False: []}
        for n in sizes:
            pair = [0.0] * n, [0.0] * (n - 1) + [1.0]
            drawn = rng.random(n).tolist()
            pairs = [pair, (drawn, [*drawn[:-1], float(drawn[-1] < 0.5)])]
            losses[True].append(LogConcaveExponential(power, 1.0, as_printed=True).exact_loss(*pair))
            losses[False].append(max(LogConcaveExponential(power, 1.0).exact_loss(*each) for each in pairs))
            kept.append(
                enclosed(
                    "wang2016:prop-26",
                    f"n = {n}",
                    losses[False][-1] - 1e-9,
                    losses[False][-1] + 1e-9,
                    1,
                    kind="privacy",
                )
            )
        worst = max(losses[True])
        outcomes += [
            enclosed(
                "wang2016:prop-26",
                f"the density exp(eps n q/B), B the largest loss, is 1-DP at eps = 1: loss |h - z|^{power}",
                worst - 1e-9,
                worst + 1e-9,
                1,
                detail=f"n = {sizes[-1]} records 0 against a 1 among them: the exact loss is {losses[True][-1]:.4g}",
                kind="privacy",
                expected="prop-26, P26.exp: Algorithm 1 has eps n q/(2B)",
                learner="wang2016.log_concave_as_printed",
            ),
            together(
                kept,
                f"as repaired, exp(eps n q/(2B)) loses at most 1: loss |h - z|^{power}, n = 1 to {sizes[-1]}, records "
                "0 against a 1 among them, and a random pair",
                f"the largest loss is {max(losses[False]):.6g}",
            ),
        ]
        series += [
            curve(f"as printed, power {power}", power - 1, sizes, losses[True]),
            curve(f"as repaired, power {power}", power + 1, sizes, losses[False]),
        ]
    outcomes.append(
        instance(
            "wang2016:prop-26",
            "a sampler arbitrarily near in total variation may take the place of step 2 of Algorithm 1",
            an_atom_of_small_mass(),
            "a law within eta of its target, with an infinite loss",
            kind="privacy",
            expected="P26.tv: nearness in total variation keeps privacy only up to a delta",
        )
    )
    chart = Chart(
        "sampling",
        "Loss of the density of proposition 26, epsilon = 1",
        "n",
        "privacy loss (nats)",
        tuple(series),
        (Mark("epsilon: what is claimed", y=1.0, colour=7),),
        alt="The printed density's loss tends to two, the repaired one's to one.",
    )
    printed = [o for o in outcomes if o.word == "contradicted"]
    return Measurement(
        "log-concave",
        "The log-concave density as printed is twice too steep",
        ("wang2016:prop-26",),
        "All records 0 against one of them 1: the exact largest log ratio of the two densities on [0, 1].",
        f"{tally(outcomes)} Of the density as printed: {printed[0].detail if printed else 'nothing against it'}.",
        EXACT + " Densities by quadrature, right to 1e-9.",
        (chart,),
        (),
        tuple(outcomes),
        left_out=(
            "Polynomial time: draws here are exact, by rejection from an envelope, with no Markov chain to be timed."
        ),
    )


def subset(seed: int, quick: bool) -> Measurement:
    """Claim 5: the two stages of best subset selection."""
    rng = np.random.default_rng(seed)
    outcomes: list[Outcome] = []
    pairs = [(d, s) for d in range(1, 65) for s in range(1, d + 1)]
    outcomes += [
        compared(
            "wang2016:ex-22",
            "as printed, binom(d, s) < d^s for 1 <= s <= d <= 64",
            all(math.comb(d, s) < d**s for d, s in pairs),
            f"not below in {sum(math.comb(d, s) >= d**s for d, s in pairs)} of {len(pairs)} cases, "
            f"{sum(math.comb(d, s) >= d**s and s == 1 for d, s in pairs)} of them with s = 1",
            expected="ex-22, X22.count: at s = 1 the two are equal",
        ),
        compared(
            "wang2016:ex-22",
            "as repaired, binom(d, s) <= d^s for 1 <= s <= d <= 64",
            all(math.comb(d, s) <= d**s for d, s in pairs),
            f"{len(pairs)} pairs of integers",
        ),
        instance(
            "wang2016:ex-22",
            "as printed, mu(S_t) >= (t/L)^s with rho = 0 in the second stage",
            ball_of_13_dimensions(),
            "the unit ball of R^13 has a volume below 1, and (t/L)^s is no K for rho = 0",
            expected="ex-22, X22.rho: rho = s, and the volume of the ball is left out",
        ),
    ]
    for epsilon in (0.5, 1.0):
        learner = BestSubset(dimension=3, support=1, epsilon=epsilon, axis=(-1.0, 0.5, 1.0))
        neighbours = []
        for _ in range(6 if quick else 20):
            x, y = rng.choice([-1.0, 0.0, 1.0], size=(4, 3)) / 2, rng.choice([-1.0, 1.0], size=4)
            other, label = x.copy(), y.copy()
            other[0], label[0] = rng.choice([-1.0, 0.0, 1.0], size=3) / 2, -y[0]
            neighbours.append(((x.tolist(), y.tolist()), (other.tolist(), label.tolist())))
        outcomes.append(
            privacy(
                "wang2016:ex-22",
                f"the two stages together are 2 eps-DP, eps = {epsilon:g} (d = 3, s = 1, a grid of three values)",
                two_laws(learner, neighbours),
                PureDP(2 * epsilon),
                learner="wang2016.subset",
            )
        )
    axis = tuple(np.linspace(-1, 1, 9).tolist())
    rows = []
    cases: dict[int, list[Outcome]] = {1: [], 2: []}
    speaks = {1: 0, 2: 0}
    drawn: dict[str, list[float]] = {}
    n = 400 if quick else 1_000
    dimensions = {1: (4, 16, 64), 2: (4, 8, 16)} if quick else {1: (4, 8, 16, 32, 64), 2: (4, 8, 16, 24)}
    epsilon = 1 / math.sqrt(n)
    for s, chosen in dimensions.items():
        for d in chosen:
            learner = BestSubset(dimension=d, support=s, epsilon=epsilon, axis=axis)
            x = rng.choice([-1.0, 1.0], size=(n, d)) / math.sqrt(d)
            signal = x[:, :s].sum(axis=1) * math.sqrt(d / s) * 0.5
            y = np.clip(signal + rng.normal(0, 0.2, size=n), -1, 1)
            scores = learner.scores((x, y))
            values = np.asarray(scores.values, dtype=float) * float(scores.unit)
            best = values.max(axis=1)
            first = np.exp(learner.choice_of_support((x, y), scores).log_probabilities)
            second = np.array(
                [
                    (
                        np.exp(learner.choice_on_support((x, y), scores, place).log_probabilities)
                        * (best[place] - values[place])
                    ).sum()
                    for place in range(len(best))
                ]
            )
            stages = float((first * (best.max() - best)).sum() / n), float((first * second).sum() / n)
            low, high = learner.loss.bounds(learner.hypotheses.reshape(-1, d))
            scale = float(high) - float(low)
            bounds = (
                9 * scale * (2 * math.log(n) + s * math.log(d)) / (n * epsilon),
                9 * scale * (2 * math.log(n) + math.log(len(learner.on_support))) / (n * epsilon),
            )
            own = tuple(
                2 * float(learner.loss.swing(learner.hypotheses.reshape(-1, d))) * math.log(k) / (n * epsilon)
                for k in (len(learner.supports), len(learner.on_support))
            )
            for number, (value, bound, sharp) in enumerate(zip(stages, bounds, own, strict=True), 1):
                speaks[number] += bound < scale
                cases[number].append(
                    enclosed(
                        "wang2016:ex-22", f"d = {d}, s = {s}", max(0.0, value - 1e-9), value + 1e-9, min(bound, sharp)
                    )
                )
                drawn.setdefault(f"stage {number}, s = {s}", []).append(value)
            rows.append(
                (
                    str(d),
                    str(s),
                    str(len(learner.supports)),
                    f"{stages[0]:.4g}",
                    f"{own[0]:.4g}",
                    f"{bounds[0]:.4g}",
                    f"{stages[1]:.4g}",
                    f"{own[1]:.4g}",
                    f"{bounds[1]:.4g}",
                )
            )
    for number in (1, 2):
        one = together(
            cases[number],
            f"the error of stage {number} is at most 9 (2 log n + log K)/(n eps) times the range of the loss, and at "
            f"most log(#)/c: n = {n:,}, eps = 1/sqrt n",
            f"{len(cases[number])} exact softmaxes on one dataset each; the first bound is "
            f"{'below' if speaks[number] else 'not below'} the range of the loss in {speaks[number] or 'any'} of them",
        )
        outcomes.append(replace(one, kind="upper bound", learner="wang2016.subset"))
    series = [
        curve(name, place, dimensions[int(name[-1])], values) for place, (name, values) in enumerate(drawn.items())
    ]
    chart = Chart(
        "subset",
        f"Error of each stage, n = {n:,}, eps = 1/sqrt n per stage",
        "d",
        "expected excess empirical risk",
        tuple(series),
        y_log=True,
        alt="The error of the first stage grows slowly with the dimension.",
    )
    return Measurement(
        "best-subset",
        "Best subset selection in two stages",
        ("wang2016:ex-22",),
        "Linear regression on a grid of nine values per coordinate in the unit ball: both stages are softmaxes over "
        "listed hypotheses, so the expected error of each is exact given the data.",
        f"From d = {rows[0][0]} to {[row for row in rows if row[1] == '1'][-1][0]} (s = 1) the first stage's error "
        f"goes from {rows[0][3]} to {[row for row in rows if row[1] == '1'][-1][3]}. {tally(outcomes)}",
        EXACT + " Errors in doubles, given one dataset each.",
        (chart,),
        (
            Table(
                "Errors by stage",
                (
                    "d",
                    "s",
                    "sets",
                    "stage 1",
                    "log(#)/c",
                    "9 (2 log n + s log d)/(n eps)",
                    "stage 2",
                    "log(#)/c",
                    "9 (2 log n + log K)/(n eps)",
                ),
                tuple(rows),
            ),
        ),
        tuple(outcomes),
    )


RUNS = (
    Run("lipschitz", ("wang2016:ex-21",), lipschitz, (1.2, 5.0)),
    Run("log-concave", ("wang2016:prop-26",), sampling, (0.2, 0.3)),
    Run("best-subset", ("wang2016:ex-22",), subset, (0.3, 2.0)),
)
