"""Generalisation from privacy by two routes, and the tenth power plus Laplace noise (appendix B)."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpcheck.papers.wang2016.learners import PerturbedMinimiser
from dpcheck.papers.wang2016.theorems.approximate_instances import fair_records, tenth_powers
from dpcheck.papers.wang2016.trials.exact import EXACT, curve, instance, tally, together
from dpcheck.trial.model import Chart, Measurement, Outcome, Table, Word
from dpcheck.trial.relations import enclosed
from dpcheck.trial.run import Run
from dpcheck.utility.evidence import fixed_interval

_DOUBLES = 1e-9
#: Trials of which arrays of points are held at once.
_CHUNK = 250


def deviation_of_bit(size: int, tau: float, chance: float) -> float:
    """P(|j/n - p| >= tau): by how much risk and empirical risk differ for either answer to a bit's value."""
    from scipy.stats import binom

    low, high = math.floor(size * (chance - tau) + 1e-9), math.ceil(size * (chance + tau) - 1e-9)
    return float(binom.cdf(low, size, chance) + binom.sf(high - 1, size, chance))


def deviations(size: int, points: int, rate: float, trials: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """``|R(h) - Rhat(h)|`` of the exponential mechanism over all functions on some points, fair labels, exact draws.

    ``rate`` is nats per mistake, epsilon/2; the softmax is a product over points. At an infinite rate it minimises.
    """
    # a record is one of 2 * points cells, a point with a label; all trials are counted at once
    cells = rng.integers(2 * points, size=(trials, size)) + 2 * points * np.arange(trials)[:, None]
    zeros, ones = (
        np.bincount(cells.ravel(), minlength=2 * points * trials).reshape(trials, points, 2).transpose(2, 0, 1)
    )
    counts, difference = zeros + ones, ones - zeros
    if math.isinf(rate):
        chance = (difference > 0) + 0.5 * (difference == 0)
    else:
        chance = 1 / (1 + np.exp(-np.clip(rate * difference, -700, 700)))
    says = rng.random(chance.shape) < chance
    return np.asarray(np.abs(0.5 - np.where(says, counts - ones, ones).sum(axis=1) / size))


def excess_of_noise(size_root: int, scale: Fraction = Fraction(2)) -> Fraction:
    """The exact excess of 1/2 + W over records 0 and 1 in equal parts, W of scale 2/n^(1/10), at n = root^10."""
    b = scale / size_root
    moments = (math.comb(10, k) * math.factorial(k) * b**k * Fraction(1, 2) ** (10 - k) for k in range(2, 11, 2))
    return sum(moments, Fraction(0))


def outputs_generalise(seed: int, quick: bool) -> Measurement:
    """Lemma 38 at its own sizes, and remark B.compare: what it gives in expectation."""
    cases = []
    rows = []
    for beta in (0.5, 0.1, 0.01):
        for tau in (0.4, 0.2, 0.1, 0.05):
            n = math.ceil(12 * math.log(4 / beta) / tau**2)
            worst = max(deviation_of_bit(n, tau, p) for p in (0.05, 0.25, 0.5))
            cases.append(
                enclosed(
                    "wang2016:lem-38",
                    f"beta = {beta:g}, tau = {tau:g}",
                    max(0.0, worst - _DOUBLES),
                    worst + _DOUBLES,
                    beta,
                )
            )
            rows.append((f"{beta:g}", f"{tau:g}", f"{n:,}", f"{worst:.3g}"))
    outcomes = [
        together(
            cases,
            "n >= 12 log(4/beta)/tau^2 and eps < tau/2: the mean of the output phi over the data is within tau of "
            "its expectation but for probability beta (its own sizes, a bit, P(1) = 0.05, 0.25, 0.5)",
            f"the largest probability is {max(float(row[3]) for row in rows):.3g}; n from "
            f"{min(int(r[2].replace(',', '')) for r in rows):,} to {max(int(r[2].replace(',', '')) for r in rows):,}",
        )
    ]
    outcomes[0] = replace(outcomes[0], kind="number", learner="wang2016.regularised")
    rng = np.random.default_rng(seed)
    trials = 500 if quick else 4_000
    for beta, tau in ((0.5, 0.2), (0.1, 0.2), (0.1, 0.1)):
        n = math.ceil(12 * math.log(4 / beta) / tau**2)
        found, other = (
            np.concatenate([deviations(n, n, rate, _CHUNK, rng) for _ in range(trials // _CHUNK)])
            for rate in (0.49 * tau / 2, math.inf)
        )
        failures, apart = int((found >= tau).sum()), int((other >= tau).sum())
        high = fixed_interval(failures, trials, 2e-3)[1]
        low = fixed_interval(failures, trials, 2e-9)[0]
        word: Word = "holds" if high <= beta else "contradicted" if low > beta else "undecided"
        outcomes.append(
            Outcome(
                word,
                "the same over all functions on n points with fair labels, where a minimiser fits its data: beta = "
                f"{beta:g}, tau = {tau:g}, n = {n:,}, eps = 0.49 tau",
                f"{failures} of {trials:,} runs deviate by tau or more, the largest by {found.max():.3g}; of the "
                f"minimiser, which is not private, {apart:,} do",
                "wang2016:lem-38",
                "number",
                learner="wang2016.regularised",
                level=1e-3 if word == "holds" else 1e-9 if word == "contradicted" else 0.0,
                trials=trials,
            )
        )
    # remark B.compare: the least tau + beta at n, with eps just below tau/2
    numbers = [10**e for e in range(2, 13)]
    least, stable = [], []
    for n in numbers:
        betas = np.geomspace(1e-12, 1, 4000)
        values = np.sqrt(12 * np.log(4 / betas) / n) + betas
        least.append(float(values.min()))
        stable.append(math.log(n) / math.sqrt(n))
    ratio = [a / b for a, b in zip(least, stable, strict=True)]
    outcomes.append(
        enclosed(
            "wang2016:rem-B.compare",
            "lemma 38 gives a gap of at most 4 log n/sqrt n in expectation (the least tau + beta, n = 100 to "
            f"10^{int(math.log10(numbers[-1]))})",
            max(ratio) * (1 - 1e-9),
            max(ratio) * (1 + 1e-9),
            4,
            detail=f"tau + beta is {min(ratio):.3g} to {max(ratio):.3g} times log n/sqrt n",
            kind="order",
        )
    )
    slope = math.log(least[-1] / least[0]) / math.log(numbers[-1] / numbers[0])
    chart = Chart(
        "two-routes",
        "Generalisation gap of an epsilon-DP learner by two routes",
        "n",
        "gap allowed",
        (
            curve("lemma 38: least tau + beta", 0, numbers, least, bound=True),
            curve("log n/sqrt n", 1, numbers, stable, bound=True),
            curve(
                "stability e^eps - 1 at eps = n^(-1/2)", 2, numbers, [math.expm1(n**-0.5) for n in numbers], bound=True
            ),
            curve("stability at eps = n^(-9/10)", 3, numbers, [math.expm1(n**-0.9) for n in numbers], bound=True),
        ),
        y_log=True,
        alt=(
            "The route by stability follows epsilon; that of lemma 38 cannot be better than 1/sqrt n up to a logarithm."
        ),
    )
    return Measurement(
        "outputs-generalise",
        "Outputs of private learners generalise",
        ("wang2016:lem-38", "wang2016:rem-B.compare"),
        "The exponential mechanism at the lemma's own sizes: on a bit, where both answers have the same deviation "
        "|j/n - p|, whose probability of reaching tau is a binomial sum; over all functions on n points, by trials. "
        "Then tau + beta minimised at each n.",
        f"The least tau + beta falls with a log-log slope of {slope:.3g}. {tally(outcomes)}",
        "Binomial sums in doubles, right to 1e-9. Trials: what holds is wrong with probability at most 1e-3 a line, "
        "what is contradicted at 1e-9.",
        (chart,),
        (Table("Lemma 38 at its own sizes", ("beta", "tau", "n", "largest probability"), tuple(rows)),),
        tuple(outcomes),
    )


def tenth_power(seed: int, quick: bool) -> Measurement:
    """Claim 10 and remark B.rate: the minimiser of tenth powers plus Laplace noise."""
    numbers = (5, 10, 100, 1_000, 10_000) if quick else (5, 10, 30, 100, 300, 1_000, 3_000, 10_000, 100_000)
    printed_loss: list[float] = []
    repaired_loss: list[float] = []
    kept: list[Outcome] = []
    for n in numbers:
        epsilon = n**-0.9
        # sorted groups of equal records are all the minimiser needs
        left, right = np.zeros(n), np.concatenate([np.zeros(n - 1), [1.0]])
        for as_printed, store in ((True, printed_loss), (False, repaired_loss)):
            learner = PerturbedMinimiser(epsilon, as_printed=as_printed)
            store.append(learner.profile(left, right).epsilon(0.0) / epsilon)
        kept.append(
            enclosed(
                "wang2016:rem-B.rate", f"n = {n:,}", repaired_loss[-1] * (1 - 1e-9), repaired_loss[-1] * (1 + 1e-9), 1
            )
        )
    rng = np.random.default_rng(seed)
    moved = []
    for _ in range(200 if quick else 2_000):
        n = int(rng.integers(2, 40))
        data = rng.choice([0.0, 1.0, 0.5], size=n, p=[0.6, 0.2, 0.2]) if rng.random() < 0.5 else rng.random(n)
        other = data.copy()
        other[0] = 1 - round(data[0])
        learner = PerturbedMinimiser(1.0)
        moved.append(abs(learner.minimiser(data) - learner.minimiser(other)) / learner.sensitivity(n))
    roots = (2, 4, 8, 16, 64, 256, 1000)
    excess = [excess_of_noise(root) for root in roots]
    order = [float(value) * root**2 for value, root in zip(excess, roots, strict=True)]
    local = [
        (math.log(float(excess[i + 1])) - math.log(float(excess[i]))) / (10 * math.log(roots[i + 1] / roots[i]))
        for i in range(len(roots) - 1)
    ]
    outcomes = [
        instance(
            "wang2016:rem-B.rate",
            "as printed: ERM + Laplace(2/(eps n)) is eps(n)-DP",
            tenth_powers(),
            f"{max(printed_loss):.4g} eps at n = {numbers[int(np.argmax(printed_loss))]:,}",
            kind="privacy",
            expected="rem-B.rate, B.dp: the minimiser moves by 1/(1 + (n - 1)^(1/9))",
        ),
        together(
            kept,
            "as repaired: with noise of scale 2/((2 + (2(n - 1))^(1/9)) eps) it is eps-DP",
            f"at most {max(repaired_loss):.4g} eps, n = {numbers[0]} to {numbers[-1]:,}",
        ),
        enclosed(
            "wang2016:rem-B.rate",
            "as repaired: the minimiser moves by at most 2/(2 + (2(n - 1))^(1/9)) when a record is replaced",
            max(moved) * (1 - 1e-9),
            max(moved) * (1 + 1e-9),
            1,
            detail=f"{len(moved):,} random datasets of up to 39 records: at most {max(moved):.4g} of it",
        ),
        instance(
            "wang2016:rem-B.rate",
            "as printed: AERM rate O(1/n), overall rate O(n^(-9/10))",
            fair_records(),
            "for records 0 and 1 in equal parts the excess is at least 1.4 n^(-1/5), 1000 n^(-9/10) at n = 1000^10",
            kind="order",
            expected="rem-B.rate, B.moment, B.cor9: the noise's second moment counts",
        ),
        enclosed(
            "wang2016:rem-B.rate",
            "as repaired: the excess over records 0 and 1 in equal parts is at least 1.4 n^(-1/5)",
            min(order) * (1 - 1e-9),
            min(order) * (1 + 1e-9),
            Fraction(14, 10),
            sense="at least",
            kind="order",
            detail=(
                f"excess over n^(-1/5): {min(order):.4g} to {max(order):.4g}; local slope {local[-1]:.4f} at the "
                "largest n"
            ),
        ),
    ]
    outcomes[1] = replace(outcomes[1], kind="privacy", learner="wang2016.perturbed_minimiser")
    charts = (
        Chart(
            "tenth-power-loss",
            "Privacy loss over epsilon of the perturbed minimiser",
            "n",
            "loss / epsilon",
            (
                curve("noise as printed", 0, numbers, printed_loss),
                curve("noise as repaired", 1, numbers, repaired_loss),
                curve("what is claimed", 2, numbers, [1.0] * len(numbers), bound=True),
            ),
            y_log=True,
            alt="The loss of the printed noise grows with n, that of the repaired one stays below one.",
        ),
        Chart(
            "tenth-power-rate",
            "Excess with the printed noise, records 0 and 1 in equal parts",
            "n",
            "excess empirical risk",
            (
                curve("exact, all moments of the noise", 0, [root**10 for root in roots], excess),
                curve("1.4 n^(-1/5)", 1, [root**10 for root in roots], [1.4 / root**2 for root in roots], bound=True),
                curve(
                    "10! 2!/n, the printed rate",
                    2,
                    [root**10 for root in roots],
                    [7257600 / root**10 for root in roots],
                    bound=True,
                ),
            ),
            y_log=True,
            y_range=(1e-12, 1e8),
            alt="The exact excess follows n to the minus one fifth, not one over n.",
        ),
    )
    return Measurement(
        "tenth-power",
        "The tenth power plus Laplace noise",
        ("wang2016:rem-B.rate",),
        "Exact privacy losses of the perturbed minimiser on the pair that moves it most, for the printed noise and "
        "the repaired one; the exact excess from all moments of the noise.",
        f"With the printed noise the loss is {printed_loss[0]:.3g} eps at n = {numbers[0]} and "
        f"{printed_loss[-1]:.4g} eps at n = {numbers[-1]:,}. {tally(outcomes)}",
        EXACT + " Minimisers by bisection to the last bits; random datasets are drawn.",
        charts,
        (),
        tuple(outcomes),
    )


RUNS = (
    Run("outputs-generalise", ("wang2016:lem-38", "wang2016:rem-B.compare"), outputs_generalise, (0.6, 3.0)),
    Run("tenth-power", ("wang2016:rem-B.rate",), tenth_power, (0.3, 4.0)),
)
