"""Scaled copies of LabelBoost that are run, and what its theorems say for all parameters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import UNLABELLED, Labelled
from dpcheck.papers.alon2019.learners import GenericLearner as ChoiceByRuns
from dpcheck.papers.beimel2015.learners import BoostConstants, LabelBoost
from dpcheck.papers.beimel2015.learners.boost_sizes import PRINTED
from dpcheck.papers.beimel2015.theorems.bounds import BASE, BOOST_LABELLED
from dpcheck.papers.beimel2015.trials.boosting import wanted_labels
from dpcheck.papers.beimel2015.trials.laws import precisely
from dpcheck.papers.beimel2015.trials.outcomes import exactly, out_of_reach, result, size_named
from dpcheck.parts.classes import GridThresholds
from dpcheck.parts.mechanisms.amplification import ball
from dpcheck.trial.failures import counted, word_of_failures
from dpcheck.trial.model import Outcome
from dpcheck.trial.opponents import Opponent, drawn_threshold, on_instances, set_against, set_instead_against
from dpcheck.trial.page import Page, Pivot, Plot
from dpcheck.trial.rows import Findings, Row, bound, line
from dpcheck.utility.distributions import UniformGrid

_HALF = Fraction(1, 2)
#: The scaled copy: alpha, beta, the rates in place of 1/100 and 1/300, and bits of a point.
_ACCURACY, _FAILURE, _KEPT, _BITS = Fraction(1, 23), Fraction(1, 4), Fraction(1, 3), 40
_LIMIT = 11 * float(_ACCURACY)
#: Where the targets of the scaled copy are, of the points: those at the end are the hardest.
_TARGETS = (Fraction(1, 2), Fraction(1, 10))
_LABEL_BOOST = "beimel2015.label_boost"
_ABOVE = "runs above 10 (alpha_1 + ... + alpha_i)"


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


@dataclass(frozen=True)
class _Drawn:
    """Runs of the scaled copy, without and with noise in labels."""

    learner: LabelBoost
    runs: Sequence[ScaledRun]
    noisy: Sequence[ScaledRun]

    @property
    def errors(self) -> NDArray[np.float64]:
        """After each step, the base learner's last; shape (runs, steps)."""
        return np.array([[*run.errors, run.final] for run in self.runs])

    @property
    def promised(self) -> NDArray[np.float64]:
        """After each step: 10 (alpha_1 + ... + alpha_i), and 11 alpha."""
        sums = np.cumsum([i.accuracy for i in self.learner.sizes.iterations])
        return np.array([*(10 * sums).astype(float), _LIMIT])

    @property
    def above(self) -> list[int]:
        """After each step, how many runs err by more than is promised."""
        return [int(count) for count in (self.errors > self.promised).sum(axis=0)]

    @property
    def noisy_above(self) -> int:
        """How many runs with noise end above 11 alpha."""
        return sum(run.final > _LIMIT for run in self.noisy)

    @property
    def chosen(self) -> str:
        """What the last hypotheses are, in words."""
        return (
            f"{self.above[-1]} of {len(self.runs)} runs err by more than 11 alpha = {_LIMIT:.3f} (claimed: at most 2 "
            f"beta = {2 * float(_FAILURE):g}; a threshold drawn without data does with probability "
            f"{max(0.0, 1 - 2 * _LIMIT):.3f} on the median); the largest error is {self.errors[:, -1].max():.2g}"
        )

    @property
    def scaled(self) -> str:
        """What was run, in words."""
        return (
            f"scaled: rates {_KEPT} in place of 1/100 and 1/300, all relations between the constants kept, thresholds "
            f"on 2^{_BITS} points, alpha = 1/23, beta = 1/4, m = {self.learner.labelled:,} as lem-4.12 has it for "
            f"these, {self.learner.sizes.unlabelled:,} points without a label"
        )


@precisely
def scaled_boosting(seed: int, quick: bool) -> Findings:
    """Headline claim 5, second part: self-training with scaled constants, at the size that they name."""
    learner = scaled_learner(_ACCURACY, _FAILURE, _KEPT, _BITS)
    rng = np.random.default_rng(seed)
    support = 1 << _BITS
    targets = [int(target * support) for target in _TARGETS]
    runs, noisy = (
        [one_run(learner, support, targets[i % 2], noise, rng) for i in range(count)]
        for noise, count in ((0.0, 12 if quick else 120), (0.2, 10))
    )
    drawn = _Drawn(learner, runs, noisy)
    own = [] if quick else [_without_iterations(rng)]
    toy_rows, toy = _two_iterations(rng, quick)
    printed = size_named(BOOST_LABELLED, accuracy=_HALF, failure=_HALF, vc=1)
    sizes = f"m = {printed:,} labels and 90000 n points without, n the base learner's sample (9e8 at n = {10**4:,})"
    outcomes = [
        *_utility(drawn, printed, sizes),
        _first_step(drawn, sizes),
        exactly(
            "rem-4.15",
            "(2) a proper base learner makes LabelBoost proper",
            all(run.proper for run in (*runs, *noisy)),
            f"all of {len(runs) + len(noisy)} outputs are thresholds of the class",
        ),
        _agnostic(drawn),
        *own,
        *_universal_claims(),
    ]
    first, finals = drawn.errors[:, 0], drawn.errors[:, -1]
    told = (
        f"{drawn.chosen[0].upper()}{drawn.chosen[1:]}. The first hypothesis errs by {first.mean():.2e} on average, the "
        f"last by {finals.mean():.2e} (largest {finals.max():.2e})"
        + (", less than a tenth of what is promised" if finals.max() < _LIMIT / 10 else "")
        + f". With noise the largest excess error is {max(run.final for run in noisy):.2e}. {toy}"
    )
    words = {
        "sizes": sizes,
        "scaled": drawn.scaled[0].upper() + drawn.scaled[1:],
        "runs": len(runs),
        "noisy": len(noisy),
    }
    return Findings(
        [*_rows(drawn), *toy_rows], outcomes, told, words, len(runs) + len(noisy) + sum(each.trials for each in own)
    )


def _error_plot(key: str, title: str, x: str) -> Plot:
    return Plot(key, title, x, "error", x_label="step (the last one is the base learner's)", x_log=False, scale="log")


PAGE = Page(
    "LabelBoost scaled down and run at its own size",
    "The printed constants need {sizes}. {scaled}. {runs} runs: the error of each iteration's hypothesis and of the "
    "last one; then the same with a fifth of the labels wrong (no concept of the class).",
    (
        _error_plot("errors", "Error after each step, alpha = 1/23", "step"),
        _error_plot("toy-errors", "A toy copy with 724 labels and rates 1/16: error after each step", "toy step"),
    ),
    (Pivot("The scaled copy, {runs} runs", ("iteration",)),),
    evidence="{runs} and {noisy} runs, numbers fixed before; a claim holds at level 1e-3.",
)


def _rows(drawn: _Drawn) -> list[Row]:
    rows = _error_rows(drawn.errors, "step")
    rows += bound("10 (alpha_1 + ... + alpha_i), and 11 alpha", drawn.promised, step=range(1, len(drawn.promised) + 1))
    for each, above in zip(drawn.learner.sizes.iterations, drawn.above[:-1], strict=True):
        values = {
            "#S": each.labelled,
            "#T": each.stretched,
            "alpha_i": each.accuracy,
            "kept of S": each.kept_labelled,
            "kept of T": each.kept_stretched,
        }
        rows += line(values, {"iteration": each.number}) + line({_ABOVE: above}, {"iteration": each.number}, "measured")
    return rows


def _error_rows(errors: NDArray[np.float64], step: str) -> list[Row]:
    """Errors after each step, over runs; shape (runs, steps)."""
    return [
        Row(name, float(value), {step: place}, "measured")
        for name, values in (("mean over runs", errors.mean(axis=0)), ("largest", errors.max(axis=0)))
        for place, value in enumerate(values, 1)
    ]


def _utility(drawn: _Drawn, printed: int, sizes: str) -> list[Outcome]:
    """What theorems say of the last hypothesis, of which the scaled copy is what can be run."""
    word, level = word_of_failures(drawn.above[-1], len(drawn.runs), 2 * float(_FAILURE))
    of_part = f"is an i.i.d. sample of thm-4.13's size, of which {drawn.scaled}"
    claims = (
        ("lem-4.12", "error above 11 alpha with probability at most 2 beta", sizes, drawn.scaled, _LABEL_BOOST),
        (
            "thm-4.13",
            "utility as lem-4.12, from a private base learner",
            sizes,
            f"{drawn.scaled}, the exponential mechanism of epsilon 1 as base learner",
            _LABEL_BOOST,
        ),
        (
            "thm-4.14",
            "utility at every epsilon up to 1, on a random part",
            f"(3 + e)/epsilon times m = {printed:,} and 90000 n",
            f"the part drawn {of_part}",
            "beimel2015.subsampled",
        ),
        (
            "thm-5.8",
            "utility at every epsilon up to 1, of a learner that asks for labels of a random part",
            f"(3 + e^2)/epsilon times 90000 n points, m = {printed:,} labels",
            f"the part that SubSampling draws {of_part}",
            "beimel2015.sub_sampling",
        ),
    )
    opponents = _blind(_TARGETS, _BITS, 11 * _ACCURACY, 2 * _FAILURE)
    return [
        set_instead_against(
            out_of_reach(
                short,
                claim,
                own,
                f"{instead}: {drawn.chosen}",
                word,
                size=float(printed * (3 + math.e) if short == "thm-4.14" else printed),
                level=level,
                trials=len(drawn.runs),
                learner=learner,
            ),
            opponents,
        )
        for short, claim, own, instead, learner in claims
    ]


def _first_step(drawn: _Drawn, sizes: str) -> Outcome:
    """clm-4.11 after the first iteration."""
    most = 2 * float(drawn.learner.sizes.iterations[0].failure)
    at_most = first_step_fails_at_most(drawn.learner)
    # trials can contradict; a dozen could not tell that failures are this rare, the bound can
    word, level = word_of_failures(drawn.above[0], len(drawn.runs), most)
    if word == "undecided" and at_most <= most:
        word, level = "holds", 0.0
    made = out_of_reach(
        "clm-4.11",
        "error of h_i above 10 (alpha_1 + ... + alpha_i) with probability at most 2 (beta_1 + ... + beta_i)",
        sizes,
        f"{drawn.scaled}: {drawn.above[0]} of {len(drawn.runs)} runs after the first iteration, and by Markov's "
        f"inequality for these sizes the probability is at most {at_most:.2g} (claimed: at most {most:g})",
        word,
        level=level,
        trials=len(drawn.runs),
    )
    limit = 10 * Fraction(drawn.learner.sizes.iterations[0].accuracy)
    return set_instead_against(made, _blind(_TARGETS, _BITS, limit, most))


def _agnostic(drawn: _Drawn) -> Outcome:
    """thm-4.16 as repaired, with a fifth of the labels wrong."""
    word, level = word_of_failures(drawn.noisy_above, len(drawn.noisy), 2 * float(_FAILURE))
    made = out_of_reach(
        "thm-4.16",
        "agnostic, as repaired: excess error above 11 alpha with probability at most 2 beta",
        f"m = (2e6 V/alpha^2) log(160/(alpha beta)) = {2e6 * 4 * math.log(640):,.0f} at alpha = beta = 1/2, and 90000 "
        "n",
        f"{drawn.scaled}, a fifth of the labels flipped: {drawn.noisy_above} of {len(drawn.noisy)} runs exceed 11 "
        f"alpha = {_LIMIT:.3f}",
        word,
        level=level,
        trials=len(drawn.noisy),
    )
    return set_instead_against(made, _blind(_TARGETS, _BITS, 11 * _ACCURACY, 2 * _FAILURE, Fraction(1, 5)))


def _two_iterations(rng: np.random.Generator, quick: bool) -> tuple[list[Row], str]:
    """A toy copy, of which nothing is promised, with more than one iteration: the error of each hypothesis."""
    constants = BoostConstants.scaled(Fraction(1, 16), accuracy_divisor=1, failure_divisor=1)
    family, runs = GridThresholds(1 << 40, "down"), 10 if quick else 40
    learner = LabelBoost(ChoiceByRuns(family, 1.0), family, 724, 200, 1, 1, constants=constants)
    found = [one_run(learner, 1 << 40, 1 << 39, 0.0, rng) for _ in range(runs)]
    errors = np.array([[*run.errors, run.final] for run in found])
    said = (
        f"A toy copy of {len(learner.sizes.iterations)} iterations (724 labels, n = 200, "
        f"{learner.sizes.unlabelled:,} points; nothing is promised of it) errs by "
        f"{', '.join(f'{each:.2g}' for each in errors.mean(axis=0))} after its steps, on average over {runs} runs."
    )
    return _error_rows(errors, "toy step"), said


def _without_iterations(rng: np.random.Generator) -> Outcome:
    """lem-4.12 with the paper's own constants, where n is so small that m is 300 n already."""
    accuracy, failure, bits, trials = Fraction(1, 22), Fraction(1, 4), 40, 10
    family = GridThresholds(1 << bits, "down")
    base = size_named(BASE, accuracy=accuracy, failure=failure, epsilon=1, hypotheses=family.size)
    labelled = PRINTED.sufficient_labelled(accuracy, failure, 1)
    learner = LabelBoost(ChoiceByRuns(family, 1.0), family, labelled, base, accuracy, failure)
    runs = [one_run(learner, 1 << bits, 1 << (bits - 1 - 3 * (i % 2)), 0.0, rng) for i in range(trials)]
    failures = sum(run.final > 11 * float(accuracy) for run in runs)
    targets = [Fraction(1, 2 << (3 * odd)) for odd in (0, 1)]
    kept = counted(
        result("lem-4.12"),
        f"lem-4.12: with the paper's own constants, alpha = 1/22, beta = 1/4, m = {labelled:,}, and a base learner of "
        f"n = {base:,} records: error above 11 alpha = 1/2. As m is at least 300 n there are "
        f"{len(learner.sizes.iterations)} iterations and the 90000 n = {90000 * base:,} points without a label are "
        "never read",
        failures,
        trials,
        2 * failure,
        learner="beimel2015.label_boost",
        size=float(labelled),
    )
    return set_against(kept, _blind(targets, bits, 11 * accuracy, 2 * failure))


def _blind(
    targets: Sequence[Fraction], bits: int, limit: Any, failure: Any, noise: Fraction = Fraction(0)
) -> list[Opponent]:
    """Who knows no label, on thresholds at these places of [0, 1] that are met equally often, by excess error."""
    instances = [UniformGrid(1 << bits, int(target * (1 << bits)), noise) for target in targets]
    far = Fraction(limit) / (1 - 2 * noise)  # from the target: a threshold there has so much excess
    return [*on_instances(instances, None, Fraction(limit), failure), drawn_threshold(targets, far, failure)]


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
