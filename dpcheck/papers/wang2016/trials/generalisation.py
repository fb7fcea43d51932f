"""Generalisation from privacy by two routes, and the tenth power plus Laplace noise (appendix B)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpcheck.papers.wang2016.learners import PerturbedMinimiser
from dpcheck.papers.wang2016.theorems.approximate_instances import fair_records, tenth_powers
from dpcheck.papers.wang2016.trials.exact import tally, together
from dpcheck.trial.failures import word_of_failures
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import Page, Pivot, Plot
from dpcheck.trial.relations import enclosed, refuted_by
from dpcheck.trial.rows import Findings, Row, bound, exact
from dpcheck.trial.run import Run

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


def outputs_generalise(seed: int, quick: bool) -> Findings:
    """Lemma 38 at its own sizes, and remark B.compare: what it gives in expectation."""
    numbers = [10**e for e in range(2, 13)]
    bits, rows = _on_a_bit()
    # remark B.compare: the least tau + beta at n, with eps just below tau/2
    betas = np.geomspace(1e-12, 1, 4000)
    least = [float((np.sqrt(12 * np.log(4 / betas) / n) + betas).min()) for n in numbers]
    stable = [math.log(n) / math.sqrt(n) for n in numbers]
    ratio = [a / b for a, b in zip(least, stable, strict=True)]
    comparison = enclosed(
        "wang2016:rem-B.compare",
        "lemma 38 gives a gap of at most 4 log n/sqrt n in expectation (the least tau + beta, n = 100 to "
        f"10^{int(math.log10(numbers[-1]))})",
        max(ratio) * (1 - 1e-9),
        max(ratio) * (1 + 1e-9),
        4,
        detail=f"tau + beta is {min(ratio):.3g} to {max(ratio):.3g} times log n/sqrt n",
        kind="order",
    )
    rows += bound("lemma 38: least tau + beta", least, n=numbers) + bound("log n/sqrt n", stable, n=numbers)
    for power, name in ((-0.5, "stability e^eps - 1 at eps = n^(-1/2)"), (-0.9, "stability at eps = n^(-9/10)")):
        rows += bound(name, [math.expm1(n**power) for n in numbers], n=numbers)
    outcomes = [bits, *_on_functions(seed, 500 if quick else 4_000), comparison]
    slope = math.log(least[-1] / least[0]) / math.log(numbers[-1] / numbers[0])
    told = f"The least tau + beta falls with a log-log slope of {slope:.3g}. {tally(outcomes)}"
    return Findings(rows, outcomes, told)


OUTPUTS_GENERALISE = Page(
    "Outputs of private learners generalise",
    "The exponential mechanism at the lemma's own sizes: on a bit, where both answers have the same deviation "
    "|j/n - p|, whose probability of reaching tau is a binomial sum; over all functions on n points, by trials. "
    "Then tau + beta minimised at each n.",
    (Plot("two-routes", "Generalisation gap of an epsilon-DP learner by two routes", "n", "gap allowed", scale="log"),),
    (Pivot("Lemma 38 at its own sizes", ("beta", "tau")),),
    evidence="Binomial sums in doubles, right to 1e-9. Trials: what holds is wrong with probability at most 1e-3 a "
    "line, what is contradicted at 1e-9.",
)


def _own_size(beta: float, tau: float) -> int:
    """The size that lemma 38 asks for."""
    return math.ceil(12 * math.log(4 / beta) / tau**2)


def _on_a_bit() -> tuple[Outcome, list[Row]]:
    """Lemma 38 for a bit, exactly."""
    cases: list[Outcome] = []
    rows: list[Row] = []
    sizes, found = [], []
    for beta in (0.5, 0.1, 0.01):
        for tau in (0.4, 0.2, 0.1, 0.05):
            n = _own_size(beta, tau)
            worst = max(deviation_of_bit(n, tau, p) for p in (0.05, 0.25, 0.5))
            sizes.append(n)
            found.append(worst)
            ends = max(0.0, worst - _DOUBLES), worst + _DOUBLES
            cases.append(enclosed("wang2016:lem-38", f"beta = {beta:g}, tau = {tau:g}", *ends, beta))
            rows += exact("n", [n], beta=beta, tau=tau) + exact("largest probability", [worst], beta=beta, tau=tau)
    one = together(
        cases,
        "n >= 12 log(4/beta)/tau^2 and eps < tau/2: the mean of the output phi over the data is within tau of "
        "its expectation but for probability beta (its own sizes, a bit, P(1) = 0.05, 0.25, 0.5)",
        f"the largest probability is {max(found):.3g}; n from {min(sizes):,} to {max(sizes):,}",
    )
    return replace(one, kind="number", learner="wang2016.regularised"), rows


def _on_functions(seed: int, trials: int) -> list[Outcome]:
    """Lemma 38 over all functions on n points, by trials."""
    rng = np.random.default_rng(seed)
    outcomes = []
    for beta, tau in ((0.5, 0.2), (0.1, 0.2), (0.1, 0.1)):
        n = _own_size(beta, tau)
        found, other = (
            np.concatenate([deviations(n, n, rate, _CHUNK, rng) for _ in range(trials // _CHUNK)])
            for rate in (0.49 * tau / 2, math.inf)
        )
        failures, apart = int((found >= tau).sum()), int((other >= tau).sum())
        word, level = word_of_failures(failures, trials, beta)
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
                level=level,
                trials=trials,
            )
        )
    return outcomes


#: The printed rate O(1/n) of remark B.rate, times n: the tenth moment of the noise.
_TENTH_MOMENT = 7257600

#: What is drawn of the loss, and of the rate.
_LOSS = ("noise as printed", "noise as repaired", "what is claimed")
_RATE = ("exact, all moments of the noise", "1.4 n^(-1/5)", "10! 2!/n, the printed rate")


def tenth_power(seed: int, quick: bool) -> Findings:
    """Claim 10 and remark B.rate: the minimiser of tenth powers plus Laplace noise."""
    numbers = (5, 10, 100, 1_000, 10_000) if quick else (5, 10, 30, 100, 300, 1_000, 3_000, 10_000, 100_000)
    losses = {printed: [_loss_over_epsilon(n, printed) for n in numbers] for printed in (True, False)}
    roots = (2, 4, 8, 16, 64, 256, 1000)
    excess = [excess_of_noise(root) for root in roots]
    outcomes = [
        *_privacy_of_noise(numbers, losses[True], losses[False]),
        _moves(seed, 200 if quick else 2_000),
        *_rate_of_noise(roots, excess),
    ]
    sizes = [root**10 for root in roots]
    rows = [
        *exact(_LOSS[0], losses[True], n=numbers),
        *exact(_LOSS[1], losses[False], n=numbers),
        *bound(_LOSS[2], [1.0] * len(numbers), n=numbers),
        *exact(_RATE[0], excess, n=sizes),
        *bound(_RATE[1], [1.4 / root**2 for root in roots], n=sizes),
        *bound(_RATE[2], [_TENTH_MOMENT / n for n in sizes], n=sizes),
    ]
    told = (
        f"With the printed noise the loss is {losses[True][0]:.3g} eps at n = {numbers[0]} and "
        f"{losses[True][-1]:.4g} eps at n = {numbers[-1]:,}. {tally(outcomes)}"
    )
    return Findings(rows, outcomes, told)


TENTH_POWER = Page(
    "The tenth power plus Laplace noise",
    "Exact privacy losses of the perturbed minimiser on the pair that moves it most, for the printed noise and "
    "the repaired one; the exact excess from all moments of the noise.",
    (
        Plot(
            "tenth-power-loss",
            "Privacy loss over epsilon of the perturbed minimiser",
            "n",
            "loss / epsilon",
            only=_LOSS,
            scale="log",
        ),
        Plot(
            "tenth-power-rate",
            "Excess with the printed noise, records 0 and 1 in equal parts",
            "n",
            "excess empirical risk",
            only=_RATE,
            scale="log",
            least=1e-12,
        ),
    ),
    evidence="{intervals} Minimisers by bisection to the last bits; random datasets are drawn.",
)


def _loss_over_epsilon(n: int, as_printed: bool) -> float:
    """The exact loss, over epsilon = n^(-9/10), on the pair that moves the minimiser most."""
    # sorted groups of equal records are all the minimiser needs
    pair = np.zeros(n), np.concatenate([np.zeros(n - 1), [1.0]])
    epsilon: float = n**-0.9
    return PerturbedMinimiser(epsilon, as_printed=as_printed).profile(*pair).epsilon(0.0) / epsilon


def _privacy_of_noise(numbers: Sequence[int], printed: list[float], repaired: list[float]) -> list[Outcome]:
    """Whether the printed noise keeps epsilon, and the repaired one."""
    kept = [
        enclosed("wang2016:rem-B.rate", f"n = {n:,}", loss * (1 - 1e-9), loss * (1 + 1e-9), 1)
        for n, loss in zip(numbers, repaired, strict=True)
    ]
    one = together(
        kept,
        "as repaired: with noise of scale 2/((2 + (2(n - 1))^(1/9)) eps) it is eps-DP",
        f"at most {max(repaired):.4g} eps, n = {numbers[0]} to {numbers[-1]:,}",
    )
    return [
        refuted_by(
            "wang2016:rem-B.rate",
            "as printed: ERM + Laplace(2/(eps n)) is eps(n)-DP",
            tenth_powers(),
            f"{max(printed):.4g} eps at n = {numbers[int(np.argmax(printed))]:,}",
            kind="privacy",
            expected="rem-B.rate, B.dp: the minimiser moves by 1/(1 + (n - 1)^(1/9))",
        ),
        replace(one, kind="privacy", learner="wang2016.perturbed_minimiser"),
    ]


def _moves(seed: int, datasets: int) -> Outcome:
    """By how much the minimiser moves on random neighbours, over what is claimed."""
    rng = np.random.default_rng(seed)
    learner, moved = PerturbedMinimiser(1.0), []
    for _ in range(datasets):
        n = int(rng.integers(2, 40))
        data = rng.choice([0.0, 1.0, 0.5], size=n, p=[0.6, 0.2, 0.2]) if rng.random() < 0.5 else rng.random(n)
        other = data.copy()
        other[0] = 1 - round(data[0])
        moved.append(abs(learner.minimiser(data) - learner.minimiser(other)) / learner.sensitivity(n))
    return enclosed(
        "wang2016:rem-B.rate",
        "as repaired: the minimiser moves by at most 2/(2 + (2(n - 1))^(1/9)) when a record is replaced",
        max(moved) * (1 - 1e-9),
        max(moved) * (1 + 1e-9),
        1,
        detail=f"{len(moved):,} random datasets of up to 39 records: at most {max(moved):.4g} of it",
    )


def _rate_of_noise(roots: Sequence[int], excess: Sequence[Fraction]) -> list[Outcome]:
    """The rate as printed and as repaired, n = root^10."""
    order = [float(value) * root**2 for value, root in zip(excess, roots, strict=True)]
    fall = math.log(float(excess[-1])) - math.log(float(excess[-2]))
    slope = fall / (10 * math.log(roots[-1] / roots[-2]))
    return [
        refuted_by(
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
            detail=f"excess over n^(-1/5): {min(order):.4g} to {max(order):.4g}; local slope {slope:.4f} at the "
            "largest n",
        ),
    ]


RUNS = (
    Run(
        "outputs-generalise",
        ("wang2016:lem-38", "wang2016:rem-B.compare"),
        outputs_generalise,
        (0.6, 3.0),
        OUTPUTS_GENERALISE,
    ),
    Run("tenth-power", ("wang2016:rem-B.rate",), tenth_power, (0.3, 4.0), TENTH_POWER),
)
