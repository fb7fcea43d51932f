"""Scaled copies of LabelBoost that are run, and what its theorems say for all parameters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from dpcheck.model.data import UNLABELLED, Labelled
from dpcheck.papers.alon2019.learners import GenericLearner as ChoiceByRuns
from dpcheck.papers.beimel2015.learners import BoostConstants, LabelBoost
from dpcheck.papers.beimel2015.learners.boost_sizes import PRINTED
from dpcheck.papers.beimel2015.theorems.bounds import BASE, BOOST_LABELLED
from dpcheck.papers.beimel2015.trials.boosting import wanted_labels
from dpcheck.papers.beimel2015.trials.laws import precisely
from dpcheck.papers.beimel2015.trials.outcomes import (
    exactly,
    out_of_reach,
    result,
    sampled,
    size_named,
    word_of_trials,
)
from dpcheck.parts.classes import GridThresholds
from dpcheck.parts.mechanisms.amplification import ball
from dpcheck.trial.model import Chart, Measurement, Outcome, Series, Table

_HALF, _TENTH = Fraction(1, 2), Fraction(1, 10)


@dataclass(frozen=True)
class ScaledRun:
    """One run: the error of each iteration's hypothesis, that of the base learner's, and whether it is of the class."""

    errors: tuple[float, ...]
    final: float
    proper: bool


class _Kept:
    """Stands for the base learner, and puts out its input."""

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        return dataset


def one_run(learner: LabelBoost, support: int, target: int, noise: float, rng: np.random.Generator) -> ScaledRun:
    """LabelBoost on points uniform on ``support``, labelled 1 below a target, iteration by iteration.

    The steps are the learner's own: it is run with the choice of each iteration made visible.
    """
    family, sizes = learner.family, learner.sizes
    assert isinstance(family, GridThresholds)
    x = rng.integers(support, size=learner.labelled + sizes.unlabelled)
    truth = (x < target).astype(np.int64)
    y = np.where(rng.random(len(x)) < noise, 1 - truth, truth)
    y[learner.labelled :] = UNLABELLED
    data, errors = Labelled(x, y), []
    for iteration in sizes.iterations:
        kept = learner.on_kept(iteration, _Kept())(data, rng)
        procedure = learner.on_relabelled(iteration, _Kept())
        candidates, choice = procedure.choice(kept)
        threshold = candidates[choice.sample(1, rng)[0]]
        errors.append(abs(min(int(threshold), support) - target) / support)
        data = procedure.relabelled(kept, threshold)
    labelled = Labelled(data.x[: sizes.boosted], data.y[: sizes.boosted])
    made = learner.on_last_part(learner.on_draws())(labelled, rng)
    found = int(made)
    return ScaledRun(tuple(errors), abs(min(found, support) - target) / support, 0 <= found <= family.domain_size)


def scaled_learner(accuracy: Fraction, failure: Fraction, kept: Fraction, bits: int) -> LabelBoost:
    """A copy of LabelBoost whose constants have the paper's relations, for the rates ``kept``, at its own size m."""
    constants = BoostConstants.scaled(kept)
    labelled = constants.sufficient_labelled(accuracy, failure, 1)
    base = math.ceil(labelled / constants.enough) + 1
    family = GridThresholds(1 << bits, "down")
    return LabelBoost(ChoiceByRuns(family, 1.0), family, labelled, base, accuracy, failure, constants=constants)


def first_step_fails_at_most(learner: LabelBoost) -> float:
    """More than the probability that the first hypothesis errs by more than ``10 alpha_1``, for any threshold.

    Of the at most ``#S + #T + 1`` candidates one makes no mistake, and those that err by more, on one side of the
    target, make one for each entry of S in an interval of mass ``10 alpha_1``: N of them, binomial. So each is chosen
    with probability at most ``exp(-N/2)``, whose mean is ``(1 - 10 alpha_1 (1 - exp(-1/2)))^#S``; and there are two
    sides. Computed in logarithms.

    Examples
    --------
    >>> first_step_fails_at_most(scaled_learner(Fraction(1, 23), Fraction(1, 4), Fraction(1, 3), 40)) < 1e-100
    True
    """
    first = learner.sizes.iterations[0]
    candidates = first.kept_labelled + first.kept_stretched + 1
    one = math.log1p(-10 * float(first.accuracy) * -math.expm1(-0.5))
    return math.exp(min(0.0, max(-700.0, math.log(2 * candidates) + first.kept_labelled * one)))


@precisely
def scaled_boosting(seed: int, quick: bool) -> Measurement:
    """Headline claim 5, second part: self-training with scaled constants, at the size that they name."""
    accuracy, failure, kept, bits = Fraction(1, 23), Fraction(1, 4), Fraction(1, 3), 40
    learner = scaled_learner(accuracy, failure, kept, bits)
    trials = 12 if quick else 120
    rng = np.random.default_rng(seed)
    support = 1 << bits
    # targets at the end are the hardest: everything may err on one side
    targets = [support // 2, support // 10]
    runs = [one_run(learner, support, targets[i % 2], 0.0, rng) for i in range(trials)]
    steps = [
        sum(run.errors[k] > 10 * float(sum(i.accuracy for i in learner.sizes.iterations[: k + 1])) for run in runs)
        for k in range(len(learner.sizes.iterations))
    ]
    limit = 11 * float(accuracy)
    failures = sum(run.final > limit for run in runs)
    word, level = word_of_trials(failures, trials, 2 * float(failure))
    first_most = 2 * float(learner.sizes.iterations[0].failure)
    first_bound = first_step_fails_at_most(learner)
    # trials can contradict; a dozen could not tell that failures are this rare, the bound can
    first_word, first_level = word_of_trials(steps[0], trials, first_most)
    if first_word == "undecided" and first_bound <= first_most:
        first_word, first_level = "holds", 0.0
    noisy = [one_run(learner, support, targets[i % 2], 0.2, rng) for i in range(10)]
    agnostic_failures = sum(run.final > limit for run in noisy)
    agnostic_word, agnostic_level = word_of_trials(agnostic_failures, len(noisy), 2 * float(failure))
    own = [] if quick else [_without_iterations(rng)]
    proper = all(run.proper for run in (*runs, *noisy))
    toy = _two_iterations(rng, quick)
    printed = size_named(BOOST_LABELLED, accuracy=_HALF, failure=_HALF, vc=1)
    base = 10**4
    sizes = f"m = {printed:,} labels and 90000 n points without, n the base learner's sample (9e8 at n = {base:,})"
    amplified = f"(3 + e)/epsilon times m = {printed:,} and 90000 n"
    scaled = (
        f"scaled: rates {kept} in place of 1/100 and 1/300, all relations between the constants kept, thresholds on "
        f"2^{bits} points, alpha = 1/23, beta = 1/4, m = {learner.labelled:,} as lem-4.12 has it for these, "
        f"{learner.sizes.unlabelled:,} points without a label"
    )
    chosen = (
        f"{failures} of {trials} runs err by more than 11 alpha = {limit:.3f} (claimed: at most 2 beta = "
        f"{2 * float(failure):g}; a threshold drawn without data does with probability "
        f"{max(0.0, 1 - 2 * limit):.3f} on the median); the largest error is {max(run.final for run in runs):.2g}"
    )
    errors = np.array([run.errors[0] if run.errors else run.final for run in runs])
    finals = np.array([run.final for run in runs])
    steps_drawn = tuple(float(i) for i in range(1, len(learner.sizes.iterations) + 2))
    means = tuple(
        [float(np.mean([run.errors[k] for run in runs])) for k in range(len(learner.sizes.iterations))]
        + [float(finals.mean())]
    )
    largest_errors = tuple(
        [max(run.errors[k] for run in runs) for k in range(len(learner.sizes.iterations))] + [float(finals.max())]
    )
    sums = tuple(
        [
            10 * float(sum(i.accuracy for i in learner.sizes.iterations[: k + 1]))
            for k in range(len(learner.sizes.iterations))
        ]
        + [limit]
    )
    return Measurement(
        "scaled-boosting",
        "LabelBoost scaled down and run at its own size",
        tuple(map(result, ("lem-4.12", "thm-4.13", "thm-4.14", "thm-5.8", "clm-4.11", "rem-4.15", "thm-4.16"))),
        f"The printed constants need {sizes}. {scaled[0].upper()}{scaled[1:]}. {trials} runs: the error of each "
        "iteration's "
        "hypothesis and of the last one; then the same with a fifth of the labels wrong (no concept of the class).",
        f"{chosen[0].upper()}{chosen[1:]}. The first hypothesis errs by {errors.mean():.2e} on average, the last by "
        f"{finals.mean():.2e} (largest {finals.max():.2e})"
        + (", less than a tenth of what is promised" if finals.max() < limit / 10 else "")
        + f". With noise the largest excess error is {max(run.final for run in noisy):.2e}. {toy[0]}",
        f"{trials} and {len(noisy)} runs, numbers fixed before; a claim holds at level 1e-3.",
        (
            Chart(
                "errors",
                "Error after each step, alpha = 1/23",
                "step (the last one is the base learner's)",
                "error",
                (
                    Series("mean over runs", "measured", 0, steps_drawn, means),
                    Series("largest", "measured", 1, steps_drawn, largest_errors),
                    Series("10 (alpha_1 + ... + alpha_i), and 11 alpha", "bound", 2, steps_drawn, sums),
                ),
                x_log=False,
                y_log=True,
                alt="Measured errors after each step, and the promised ones.",
            ),
            toy[1],
        ),
        (
            Table(
                "The scaled copy",
                (
                    "iteration",
                    "#S",
                    "#T",
                    "alpha_i",
                    "kept of S",
                    "kept of T",
                    "runs above 10 (alpha_1 + ... + alpha_i)",
                ),
                tuple(
                    (
                        str(i.number),
                        f"{i.labelled:,}",
                        f"{i.stretched:,}",
                        f"{float(i.accuracy):.3g}",
                        f"{i.kept_labelled:,}",
                        f"{i.kept_stretched:,}",
                        f"{steps[k]} of {trials}",
                    )
                    for k, i in enumerate(learner.sizes.iterations)
                ),
            ),
        ),
        (
            out_of_reach(
                "lem-4.12",
                "error above 11 alpha with probability at most 2 beta",
                sizes,
                f"{scaled}: {chosen}",
                word,
                size=float(printed),
                level=level,
                trials=trials,
                learner="beimel2015.label_boost",
            ),
            out_of_reach(
                "thm-4.13",
                "utility as lem-4.12, from a private base learner",
                sizes,
                f"{scaled}, the exponential mechanism of epsilon 1 as base learner: {chosen}",
                word,
                size=float(printed),
                level=level,
                trials=trials,
                learner="beimel2015.label_boost",
            ),
            out_of_reach(
                "thm-4.14",
                "utility at every epsilon up to 1, on a random part",
                amplified,
                f"the part drawn is an i.i.d. sample of thm-4.13's size, of which {scaled}: {chosen}",
                word,
                size=float(printed * (3 + math.e)),
                level=level,
                trials=trials,
                learner="beimel2015.subsampled",
            ),
            out_of_reach(
                "thm-5.8",
                "utility at every epsilon up to 1, of a learner that asks for labels of a random part",
                f"(3 + e^2)/epsilon times 90000 n points, m = {printed:,} labels",
                f"the part that SubSampling draws is an i.i.d. sample of thm-4.13's size, of which {scaled}: {chosen}",
                word,
                size=float(printed),
                level=level,
                trials=trials,
                learner="beimel2015.sub_sampling",
            ),
            out_of_reach(
                "clm-4.11",
                "error of h_i above 10 (alpha_1 + ... + alpha_i) with probability at most 2 (beta_1 + ... + beta_i)",
                sizes,
                f"{scaled}: {steps[0]} of {trials} runs after the first iteration, and by "
                f"Markov's inequality for these sizes the probability is at most {first_bound:.2g} (claimed: at most "
                f"{first_most:g})",
                first_word,
                level=first_level,
                trials=trials,
            ),
            exactly(
                "rem-4.15",
                "(2) a proper base learner makes LabelBoost proper",
                proper,
                f"all of {len(runs) + len(noisy)} outputs are thresholds of the class",
            ),
            out_of_reach(
                "thm-4.16",
                "agnostic, as repaired: excess error above 11 alpha with probability at most 2 beta",
                f"m = (2e6 V/alpha^2) log(160/(alpha beta)) = {2e6 * 4 * math.log(640):,.0f} at alpha = beta = 1/2, "
                "and 90000 n",
                f"{scaled}, a fifth of the labels flipped: {agnostic_failures} of {len(noisy)} runs exceed "
                f"11 alpha = {limit:.3f}",
                agnostic_word,
                level=agnostic_level,
                trials=len(noisy),
            ),
            *own,
            *_universal_claims(),
        ),
        trials=trials + len(noisy) + sum(each.trials for each in own),
    )


def _two_iterations(rng: np.random.Generator, quick: bool) -> tuple[str, Chart]:
    """A toy copy, of which nothing is promised, with more than one iteration: the error of each hypothesis."""
    constants = BoostConstants.scaled(Fraction(1, 16), accuracy_divisor=1, failure_divisor=1)
    family, runs = GridThresholds(1 << 40, "down"), 10 if quick else 40
    learner = LabelBoost(ChoiceByRuns(family, 1.0), family, 724, 200, 1, 1, constants=constants)
    found = [one_run(learner, 1 << 40, 1 << 39, 0.0, rng) for _ in range(runs)]
    steps = len(learner.sizes.iterations)
    errors = np.array([[*run.errors, run.final] for run in found])
    chart = Chart(
        "toy-errors",
        "A toy copy with 724 labels and rates 1/16: error after each step",
        "step (the last one is the base learner's)",
        "error",
        (
            Series("mean over runs", "measured", 0, tuple(map(float, range(1, steps + 2))), tuple(errors.mean(axis=0))),
            Series("largest", "measured", 1, tuple(map(float, range(1, steps + 2))), tuple(errors.max(axis=0))),
        ),
        x_log=False,
        y_log=True,
        alt="Errors of the hypotheses of the iterations and of the base learner's.",
    )
    said = (
        f"A toy copy of {steps} iterations (724 labels, n = 200, {learner.sizes.unlabelled:,} points; nothing is "
        "promised of "
        f"it) errs by {', '.join(f'{each:.2g}' for each in errors.mean(axis=0))} after its steps, on average over "
        f"{runs} runs."
    )
    return said, chart


def _without_iterations(rng: np.random.Generator) -> Outcome:
    """lem-4.12 with the paper's own constants, where n is so small that m is 300 n already."""
    accuracy, failure, bits, trials = Fraction(1, 22), Fraction(1, 4), 40, 10
    family = GridThresholds(1 << bits, "down")
    base = size_named(BASE, accuracy=accuracy, failure=failure, epsilon=1, hypotheses=family.size)
    labelled = PRINTED.sufficient_labelled(accuracy, failure, 1)
    learner = LabelBoost(ChoiceByRuns(family, 1.0), family, labelled, base, accuracy, failure)
    runs = [one_run(learner, 1 << bits, 1 << (bits - 1 - 3 * (i % 2)), 0.0, rng) for i in range(trials)]
    failures = sum(run.final > 11 * float(accuracy) for run in runs)
    return sampled(
        "lem-4.12",
        f"with the paper's own constants, alpha = 1/22, beta = 1/4, m = {labelled:,}, and a base learner of n = "
        f"{base:,} "
        f"records: error above 11 alpha = 1/2. As m is at least 300 n there are {len(learner.sizes.iterations)} "
        f"iterations and the 90000 n = {90000 * base:,} points without a label are never read",
        failures,
        trials,
        2 * failure,
        learner="beimel2015.label_boost",
        size=float(labelled),
    )


def _universal_claims() -> list[Outcome]:
    """thm-4.13, thm-4.14 and thm-4.16 as printed, for all parameters: where one example, or few, would have to do."""
    functions = list(product((0, 1), repeat=4))
    # whatever is answered to one example, the mean error over the targets that agree with it
    least = min(
        Fraction(sum(sum(a != b for a, b in zip(h, c, strict=True)) for c in functions if c[x] == y), 4 * 8)
        for x, y, h in product(range(4), (0, 1), functions)
    )
    lam = 11
    alpha = Fraction(1, 16 * lam)
    one = exactly(
        "thm-4.14",
        "as printed, for every epsilon: at epsilon = C n there is one example, and error above lambda alpha has "
        "probability at most lambda beta (alpha = beta = 1/(16 lambda))",
        least <= lam * alpha + lam * alpha,
        f"all functions on four uniform points: the mean error over targets is at least {least} for every answer to "
        f"one example, and {2 * lam * alpha} would be the most allowed",
        expected="thm-4.14: for eps <= 1",
        kind="upper bound",
    )
    quotient = float(
        wanted_labels(96000, 2240, Fraction(999, 1000), Fraction(999, 1000), 1) / (2 * ball(Fraction(1000, 999)).log())
    )
    order = exactly(
        "thm-4.13",
        "as printed, m = O((1/alpha) VC log(1/(alpha beta))) for all alpha and beta",
        quotient <= 630_206,
        f"at alpha = beta = 0.999 m is {quotient:,.0f} times that, at most 630,206 times where both are at most 1/2",
        expected="thm-4.13: the size tends to 0 as alpha and beta tend to 1; for alpha beta <= 1/2 it holds",
        kind="order",
    )
    # two coins of bias 1/(8 N) cannot be told apart by N draws, whatever a realisable learner needs
    draws = [1, 4, 16, 60]
    apart = [
        _total_variation(n, Fraction(1, 2) + Fraction(1, 8 * n), Fraction(1, 2) - Fraction(1, 8 * n)) for n in draws
    ]
    agnostic = exactly(
        "thm-4.16",
        "as printed, O(n/epsilon) examples for every alpha: one point, labels 1 with probability 1/2 + 1/(8N) or 1/2 "
        "- 1/(8N), N examples, lambda alpha below 1/(4N), failure at most 1/4",
        all((1 - distance) / 2 <= Fraction(1, 4) for distance in apart),
        "the total variation between the two is at most "
        + ", ".join(f"{float(d):.3f}" for d in apart)
        + f" for N = {', '.join(map(str, draws))}, so one of them is missed with probability at least "
        + f"{float(min((1 - d) / 2 for d in apart)):.3f}",
        expected="thm-4.16: n of a realisable learner does not depend on alpha, agnostic learning takes "
        "1/alpha^2 examples",
        kind="upper bound",
    )
    return [order, one, agnostic]


def _total_variation(draws: int, one: Fraction, other: Fraction) -> Fraction:
    """Between the laws of so many coins.

    >>> _total_variation(1, Fraction(3, 4), Fraction(1, 4))
    Fraction(1, 2)
    """
    return (
        sum(
            (
                abs(math.comb(draws, k) * (one**k * (1 - one) ** (draws - k) - other**k * (1 - other) ** (draws - k)))
                for k in range(draws + 1)
            ),
            Fraction(0),
        )
        / 2
    )
