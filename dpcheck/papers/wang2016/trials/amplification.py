"""Privacy amplification by subsampling: the exact loss of a learner on a sample, beside each printed bound."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpcheck.model.claims import ApproxDP, PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.papers.wang2016.learners import OptimalPrivateLearner, RegularisedExponential, SubsampledLearner, Support
from dpcheck.papers.wang2016.learners.subsample import stated_claim
from dpcheck.papers.wang2016.theorems.approximate_instances import order_of_windows
from dpcheck.papers.wang2016.theorems.stability_instances import ratio_when_order_is_kept
from dpcheck.papers.wang2016.trials.exact import (
    EXACT,
    THREE,
    TWO,
    at_most,
    binary_pairs,
    curve,
    exponential,
    instance,
    largest_delta,
    loss_of,
    point,
    privacy,
    tally,
    together,
    two_laws,
)
from dpcheck.papers.wang2016.trials.learners_tried import Notices, Returns
from dpcheck.parts.mechanisms.amplification import rounded_up
from dpcheck.trial.model import Chart, Mark, Measurement, Outcome, Table
from dpcheck.trial.privacy import check_privacy
from dpcheck.trial.relations import compared
from dpcheck.trial.run import Run
from dpcheck.utility.stability import expected_losses

_ORDER = "lem-34: if the sample keeps the order of the dataset and the learner looks at it"


def _gains_least(epsilon: float) -> Notices:
    """The learner that attains the amplification bound: its ratio is below e^epsilon, not rounded above it."""
    return Notices(Fraction(math.nextafter(math.exp(epsilon), 0.0)))


def _printed(epsilon: float, rate: float) -> float:
    return 2 * rate * (math.exp(epsilon) - math.exp(-epsilon))


def pure(seed: int, quick: bool) -> Measurement:
    """Claim 1: the exact loss on a sample of gamma n records, all gamma, against lemma 34."""
    size = 6 if quick else 9
    pairs = binary_pairs(size)
    drawn = range(1, size + 1)
    outcomes: list[Outcome] = []
    cases: dict[str, list[Outcome]] = {"two": [], "three": [], "notices": []}
    charts, rows = [], []
    attained = True
    for epsilon in (0.1, 0.5, 1.0, 2.0):
        worst = _gains_least(epsilon)
        learners: dict[str, Any] = {
            "two": RegularisedExponential(TWO, [0, 1], epsilon),
            "three": RegularisedExponential(THREE, [0.0, 0.5, 1.0], epsilon),
            "notices": worst,
        }
        losses: dict[str, list[float]] = {}
        for name, learner in learners.items():
            losses[name] = []
            for k in drawn:
                laws = two_laws(SubsampledLearner(learner, size, k), pairs)
                claim = stated_claim(PureDP(epsilon), Fraction(k, size))
                cases[name].append(privacy("wang2016:lem-34", f"epsilon = {epsilon:g}, {k} of {size}", laws, claim))
                losses[name].append(loss_of(laws))
        rates = [k / size for k in drawn]
        between = [math.log1p(g * math.expm1(epsilon)) - math.log1p(g * math.expm1(-epsilon)) for g in rates]
        charts.append(
            Chart(
                f"loss-{epsilon:g}",
                f"Loss on a random part of {size} records, epsilon = {epsilon:g}",
                "gamma, the share that is drawn",
                "privacy loss (nats)",
                (
                    curve("exponential mechanism, two hypotheses", 0, rates, losses["two"]),
                    curve("the same, three hypotheses", 1, rates, losses["three"]),
                    curve("the learner that gains least", 2, rates, losses["notices"]),
                    curve(
                        "lem-34: 2 gamma (e^eps - e^-eps)", 3, rates, [_printed(epsilon, g) for g in rates], bound=True
                    ),
                    curve("before its last step", 4, rates, between, bound=True),
                    curve(
                        "lem-31: log(1 + gamma e^eps (e^eps - 1))",
                        5,
                        rates,
                        [math.log1p(g * math.exp(epsilon) * math.expm1(epsilon)) for g in rates],
                        bound=True,
                    ),
                    curve(
                        "log(1 + gamma (e^eps - 1))",
                        6,
                        rates,
                        [math.log1p(g * math.expm1(epsilon)) for g in rates],
                        bound=True,
                    ),
                ),
                (Mark(f"epsilon = {epsilon:g}: no amplification", y=epsilon, colour=7),),
                x_log=False,
                alt=f"Exact privacy losses below four bounds, for all sample sizes of {size} records.",
            )
        )
        attained &= all(
            abs(loss - math.log1p(k / size * math.expm1(epsilon))) < 1e-9
            for k, loss in zip(drawn, losses["notices"], strict=True)
        )
        half = size // 3
        rows.append(
            (
                f"{epsilon:g}",
                f"{half / size:.3g}",
                *(f"{losses[name][half - 1]:.4g}" for name in learners),
                f"{_printed(epsilon, half / size):.4g}",
                f"{_printed(epsilon, half / size) / losses['notices'][half - 1]:.2f}",
            )
        )
    for name, words in (
        ("two", "wang2016.regularised, two hypotheses"),
        ("three", "wang2016.regularised, three hypotheses"),
        ("notices", "the learner that gains least"),
    ):
        found = together(
            cases[name],
            f"a random part of gamma n of {size} records makes an epsilon-DP learner 2 gamma (e^eps - e^-eps)-DP "
            "(epsilon 0.1, 0.5, 1, 2; all gamma)",
            f"{len(cases[name])} exact losses, each at most the bound",
        )
        outcomes.append(replace(found, learner=words))
    ratio, _ = ratio_when_order_is_kept(900, 30, 7, 45)
    claimed = exponential(2 * Fraction(30, 900) * (45 - Fraction(1, 45)))
    outcomes.append(
        at_most(
            "wang2016:lem-34",
            "as printed, for samples that keep the order of the dataset: 30 of 900 records, e^eps = 45, make the "
            "likelihood ratio at most e^(2 gamma (e^eps - e^-eps))",
            point(ratio),
            claimed,
            f"a learner that compares the first 8 places of its sample has the ratio {float(ratio):.4g}, where "
            f"{float(claimed):.4g} is claimed",
            kind="privacy",
            expected=_ORDER,
        )
    )
    slack = [float(row[-1]) for row in rows]
    return Measurement(
        "amplification-pure",
        "Privacy amplification by subsampling, exactly",
        ("wang2016:lem-34",),
        f"Learners on k of n = {size} binary records, drawn without replacement, all k: the exact law is a mixture "
        "over all samples, and the largest log ratio over all neighbours is the loss. Beside it the bound of lemma "
        "34, its proof's line before the last, and log(1 + gamma (e^eps - 1)).",
        f"The bound of lemma 34 is {min(slack):.2f} to {max(slack):.2f} times the loss of the learner that gains "
        f"least (at gamma = {size // 3}/{size}). "
        + (
            "That learner attains log(1 + gamma (e^eps - 1)) for every gamma and epsilon."
            if attained
            else "That learner does not attain log(1 + gamma (e^eps - 1)) for every gamma and epsilon."
        )
        + f" {tally(outcomes)}",
        EXACT,
        tuple(charts if not quick else charts[::2]),
        (
            Table(
                f"Losses at gamma = {size // 3}/{size}",
                ("epsilon", "gamma", "two hypotheses", "three hypotheses", "gains least", "lem-34", "bound / loss"),
                tuple(rows),
            ),
        ),
        tuple(outcomes),
    )


def approximate(seed: int, quick: bool) -> Measurement:
    """Lemma 31, and lemma 29 for learners that keep no claim."""
    size = 6 if quick else 9
    pairs = binary_pairs(size)
    cases, sharp, rows = [], [], []
    for ratio in (Fraction(11, 10), Fraction(2), Fraction(7)):
        for delta in (Fraction(1, 1000), Fraction(1, 20)):
            learner = Notices(ratio, delta)
            base = learner.claim
            assert isinstance(base, ApproxDP)
            for k in range(1, size + 1):
                rate = Fraction(k, size)
                laws = two_laws(SubsampledLearner(learner, size, k), pairs)
                claim = stated_claim(base, rate)
                cases.append(
                    privacy("wang2016:lem-31", f"e^eps = {ratio}, delta = {delta}, {k} of {size}", laws, claim)
                )
                exact = PureDP(ratio=1 + rate * (ratio - 1))
                found = largest_delta(laws, ApproxDP(exact.epsilon_value, 0.0))
                sharp.append(abs(found - float(rate * delta)) < 1e-9)
                if k == size // 3:
                    rows.append(
                        (
                            f"{float(ratio):g}",
                            f"{float(delta):g}",
                            f"{float(rate):.3g}",
                            f"{loss_of(laws, rate * delta):.4g}",
                            f"{claim.epsilon_value:.4g}",
                            f"{found:.4g}",
                            f"{float(rate * ratio * delta):.4g}",
                        )
                    )
    windows = order_of_windows()
    outcomes = [
        together(
            cases,
            f"a random part of gamma n of {size} records makes an (epsilon, delta)-DP learner (log(1 + gamma e^eps "
            "(e^eps - 1)), gamma e^eps delta)-DP (e^eps 1.1, 2, 7; delta 0.001, 0.05; all gamma)",
            f"{len(cases)} exact decisions in fractions and polynomials, none against it",
        ),
        instance(
            "wang2016:lem-31",
            "as printed, for samples that keep the order of the dataset: 50 of 1600 records, e^eps = 8, make the "
            "likelihood ratio at most 2.75",
            windows,
            "its exact likelihood ratio is above 2.85",
            kind="privacy",
            expected="lem-31: if the sample keeps the order of the dataset and the learner looks at it",
        ),
    ]
    whole = Records.of([0, 1])
    for number in (4, 9):
        k = math.isqrt(number)
        relation = ReplaceOne(records=whole, size=number)
        for name, any_learner, order in (
            ("says whether a 1 was seen", Notices(None), "random"),
            ("wang2016.support", Support(), "random"),
            ("returns its sample, in order", Returns(), "sorted"),
        ):
            if number == 9 and quick:
                continue
            outcomes.append(
                check_privacy(
                    "wang2016:lem-29",
                    f"on {k} of {number} records, drawn at random, any learner is (0, 1/sqrt n)-DP",
                    SubsampledLearner(any_learner, number, k, order),  # type: ignore[arg-type]
                    ApproxDP(0.0, Fraction(k, number)),
                    neighbours=relation,
                    name=name,
                    seed=seed,
                    quick=quick,
                )
            )
    told = range(2, 13) if quick else range(2, 17)
    found_at = {
        n: largest_delta(two_laws(SubsampledLearner(Notices(None), n), binary_pairs(n)), ApproxDP(0.0, 0.5))
        for n in told
    }
    outcomes.append(
        compared(
            "wang2016:lem-29",
            "of a learner that says whether it saw a 1 the exact distance on floor(sqrt n) records is at most 1/sqrt n "
            f"(every n from {told[0]} to {told[-1]}, squares or not)",
            all((Fraction(found) - Fraction(1, 10**12)) ** 2 <= Fraction(1, n) for n, found in found_at.items()),
            f"sqrt n times the distance is {min(d * math.sqrt(n) for n, d in found_at.items()):.4g} to "
            f"{max(d * math.sqrt(n) for n, d in found_at.items()):.4g}",
            kind="privacy",
            learner="says whether a 1 was seen",
        )
    )
    numbers = [2**e for e in range(2, 21)]
    reached = [Fraction(math.isqrt(n), n) for n in numbers]
    chart = Chart(
        "total-variation",
        "Any learner on floor(sqrt n) records",
        "n",
        "total variation distance between neighbours",
        (
            curve("floor(sqrt n)/n", 0, numbers, reached),
            curve("1/sqrt n (lem-29)", 1, numbers, [n**-0.5 for n in numbers], bound=True),
        ),
        y_log=True,
        alt="The exact distance floor(sqrt n)/n, at or just below 1/sqrt n.",
    )
    return Measurement(
        "amplification-approximate",
        "Approximate privacy, and any learner at all, on a random part",
        ("wang2016:lem-31", "wang2016:lem-29"),
        "A learner that says by randomised response whether it saw a 1, and tells all with probability delta: on k "
        f"of {size} records, all k, against lemma 31. Then learners that keep no claim, against lemma 29, over all "
        "pairs of neighbours.",
        (
            "In each case the exact delta at log(1 + gamma (e^eps - 1)) is gamma delta: of these learners both numbers "
            "are below those of the lemma wherever gamma is below 1."
            if all(sharp)
            else "The exact delta at log(1 + gamma (e^eps - 1)) is not always gamma delta."
        )
        + f" {tally(outcomes)}",
        EXACT,
        (chart,),
        (
            Table(
                f"Exact against lemma 31, gamma = {size // 3}/{size}",
                (
                    "e^eps",
                    "delta",
                    "gamma",
                    "epsilon at gamma delta",
                    "lem-31: epsilon",
                    "delta at log(1 + gamma (e^eps - 1))",
                    "lem-31: delta",
                ),
                tuple(rows),
            ),
        ),
        tuple(outcomes),
    )


def vanishing(seed: int, quick: bool) -> Measurement:
    """Lemma 4: floor(sqrt n) records, the loss and the rate."""
    numbers = (4, 9, 16)
    outcomes: list[Outcome] = []
    charts = []
    for epsilon in (0.5, 1.0, 2.0):
        optimal: list[float] = []
        worst: list[float] = []
        cases, rates = [], []
        same = True
        for n in numbers:
            k = math.isqrt(n)
            learner = OptimalPrivateLearner(TWO, epsilon, k)
            claim = _of_lemma_4(epsilon, n)
            for name, one in (("optimal", learner), ("worst", _gains_least(epsilon))):
                laws = two_laws(SubsampledLearner(one, n), binary_pairs(n))
                cases.append(privacy("wang2016:lem-4", f"epsilon = {epsilon:g}, n = {n}, {name}", laws, claim))
                (optimal if name == "optimal" else worst).append(loss_of(laws))
            small = expected_losses(learner, TWO, k)
            large = expected_losses(SubsampledLearner(learner, n), TWO, n, form="histogram")
            for ones in range(11):
                law = [Fraction(10 - ones, 10), Fraction(ones, 10)]
                same &= large.under(law).excess == small.under(law).excess
                rates.append(
                    at_most(
                        "wang2016:lem-4", f"n = {n}, P(1) = {ones}/10", large.under(law).excess, small.under(law).excess
                    )
                )
        outcomes.append(
            together(
                cases,
                "on floor(sqrt n) records an epsilon-DP learner is (2/sqrt n)(e^eps - e^-eps)-DP (epsilon = "
                f"{epsilon:g}, n = {', '.join(map(str, numbers))})",
                f"{len(cases)} exact losses, each at most the bound",
            )
        )
        outcomes.append(
            together(
                rates,
                f"and its excess risk on n records is at most the learner's on floor(sqrt n) (epsilon = {epsilon:g})",
                f"{'equal, in fractions,' if same else 'not equal to it everywhere,'} under {len(rates)} pairs of a "
                "distribution and a size",
            )
        )
        charts.append(
            Chart(
                f"vanishing-{epsilon:g}",
                f"Loss on floor(sqrt n) records, epsilon = {epsilon:g}",
                "n",
                "privacy loss (nats)",
                (
                    curve("the best learner of a coin's side", 0, numbers, optimal),
                    curve("the learner that gains least", 1, numbers, worst),
                    curve(
                        "(2/sqrt n)(e^eps - e^-eps)",
                        2,
                        numbers,
                        [2 / math.sqrt(n) * (math.exp(epsilon) - math.exp(-epsilon)) for n in numbers],
                        bound=True,
                    ),
                ),
                (Mark("epsilon: no amplification", y=epsilon, colour=7),),
                y_log=True,
                alt="Losses falling with n below the bound of lemma 4.",
            )
        )
    printed = 2 / math.sqrt(numbers[-1]) * (math.e - 1 / math.e)
    least = next(n for n in range(1, 10**6) if 2 / math.sqrt(n) * (math.e - 1 / math.e) < 1)
    return Measurement(
        "vanishing-privacy",
        "A subsample makes the privacy loss vanish and keeps the rate",
        ("wang2016:lem-4",),
        "Learners with exact laws on floor(sqrt n) of n binary records: the loss over all neighbours, and the "
        "excess risk under eleven distributions, in fractions.",
        f"At epsilon = 1 the bound is {printed:.3g} at n = {numbers[-1]} and below epsilon itself only from n = "
        f"{least} on. {tally(outcomes)}",
        EXACT,
        tuple(charts),
        (),
        tuple(outcomes),
    )


def _of_lemma_4(epsilon: float, n: int) -> PureDP:
    """``(2/sqrt n)(e^epsilon - e^-epsilon)``, rounded up."""
    return PureDP(rounded_up(lambda: 2 * (_arb(epsilon).exp() - (-_arb(epsilon)).exp()) / _arb(n).sqrt()))


def _arb(value: Any) -> Any:
    from flint import arb, fmpq

    given = Fraction(value)
    return arb(fmpq(given.numerator, given.denominator))


RUNS = (
    Run("amplification-pure", ("wang2016:lem-34",), pure, (0.5, 2.0)),
    Run("amplification-approximate", ("wang2016:lem-31", "wang2016:lem-29"), approximate, (1.8, 4.0)),
    Run("vanishing-privacy", ("wang2016:lem-4",), vanishing, (1.0, 1.0)),
)
