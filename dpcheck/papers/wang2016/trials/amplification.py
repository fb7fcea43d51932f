"""Privacy amplification by subsampling: the exact loss of a learner on a sample, beside each printed bound."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any, Literal

from dpcheck.model.claims import ApproxDP, PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.papers.wang2016.learners import OptimalPrivateLearner, RegularisedExponential, SubsampledLearner, Support
from dpcheck.papers.wang2016.learners.subsample import stated_claim
from dpcheck.papers.wang2016.theorems.approximate_instances import order_of_windows
from dpcheck.papers.wang2016.theorems.stability_instances import ratio_when_order_is_kept
from dpcheck.papers.wang2016.trials.exact import (
    THREE,
    TWO,
    at_most,
    ball,
    binary_pairs,
    exponential,
    largest_delta,
    loss_of,
    point,
    privacy,
    tally,
    together,
    two_laws,
    worst_excess,
)
from dpcheck.papers.wang2016.trials.learners_tried import Notices, Returns
from dpcheck.parts.mechanisms.amplification import rounded_up
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import EXACT_OF_LAWS, Line, Page, Pivot, Plot
from dpcheck.trial.privacy import check_privacy
from dpcheck.trial.relations import compared, refuted_by
from dpcheck.trial.rows import Findings, Row, bound, exact
from dpcheck.trial.run import Run
from dpcheck.utility.stability import expected_losses

#: The learner that attains the amplification bound.
_LEAST = "the learner that gains least"
_ORDER = "lem-34: if the sample keeps the order of the dataset and the learner looks at it"


def _gains_least(epsilon: float) -> Notices:
    """The learner that attains the amplification bound: its ratio is below e^epsilon, not rounded above it."""
    return Notices(Fraction(math.nextafter(math.exp(epsilon), 0.0)))


def _printed(epsilon: float, rate: float) -> float:
    return 2 * rate * (math.exp(epsilon) - math.exp(-epsilon))


def _on_samples(epsilon: float) -> dict[str, tuple[str, Any]]:
    """The learners that are run on samples of each size: by their curves, with their names."""
    return {
        "exponential mechanism, two hypotheses": (
            "wang2016.regularised, two hypotheses",
            RegularisedExponential(TWO, [0, 1], epsilon),
        ),
        "the same, three hypotheses": (
            "wang2016.regularised, three hypotheses",
            RegularisedExponential(THREE, [0.0, 0.5, 1.0], epsilon),
        ),
        _LEAST: (_LEAST, _gains_least(epsilon)),
    }


def pure(seed: int, quick: bool) -> Findings:
    """Claim 1: the exact loss on a sample of gamma n records, all gamma, against lemma 34."""
    size = 6 if quick else 9
    pairs, drawn = binary_pairs(size), range(1, size + 1)
    rates, part = [k / size for k in drawn], size // 3
    cases: dict[str, list[Outcome]] = {}
    rows: list[Row] = []
    slack, attained = [], True
    for epsilon in (0.1, 0.5, 1.0, 2.0):
        gained = [math.log1p(g * math.expm1(epsilon)) for g in rates]
        for curve, (name, learner) in _on_samples(epsilon).items():
            laws = [two_laws(SubsampledLearner(learner, size, k), pairs) for k in drawn]
            cases.setdefault(name, []).extend(
                privacy(
                    "wang2016:lem-34",
                    f"epsilon = {epsilon:g}, {k} of {size}",
                    each,
                    stated_claim(PureDP(epsilon), Fraction(k, size)),
                )
                for k, each in zip(drawn, laws, strict=True)
            )
            losses = [loss_of(each) for each in laws]
            rows += exact(curve, losses, gamma=rates, epsilon=epsilon)
            rows += exact(name, losses[part - 1 : part], epsilon=epsilon)
        # the last one is the learner that gains least
        attained &= all(abs(loss - most) < 1e-9 for loss, most in zip(losses, gained, strict=True))
        slack.append(_printed(epsilon, part / size) / losses[part - 1])
        rows += bound("lem-34", [_printed(epsilon, part / size)], epsilon=epsilon)
        rows += exact("bound / loss", slack[-1:], epsilon=epsilon)
        rows += _bounds_on_loss(epsilon, rates, gained)
    outcomes = [
        replace(
            together(
                found,
                f"a random part of gamma n of {size} records makes an epsilon-DP learner 2 gamma (e^eps - e^-eps)-DP "
                "(epsilon 0.1, 0.5, 1, 2; all gamma)",
                f"{len(found)} exact losses, each at most the bound",
            ),
            learner=name,
        )
        for name, found in cases.items()
    ]
    outcomes.append(_in_order())
    told = (
        f"The bound of lemma 34 is {min(slack):.2f} to {max(slack):.2f} times the loss of the learner that gains "
        f"least (at gamma = {part}/{size}). That learner {'attains' if attained else 'does not attain'} "
        f"log(1 + gamma (e^eps - 1)) for every gamma and epsilon. {tally(outcomes)}"
    )
    return Findings(rows, outcomes, told, {"n": size, "part": part})


PURE = Page(
    "Privacy amplification by subsampling, exactly",
    "Learners on k of n = {n} binary records, drawn without replacement, all k: the exact law is a mixture "
    "over all samples, and the largest log ratio over all neighbours is the loss. Beside it the bound of lemma "
    "34, its proof's line before the last, and log(1 + gamma (e^eps - 1)).",
    (
        Plot(
            "loss",
            "Loss on a random part of {n} records, epsilon = {epsilon:g}",
            "gamma",
            "privacy loss (nats)",
            each="epsilon",
            x_label="gamma, the share that is drawn",
            x_log=False,
            scale="linear",
            lines=(Line("epsilon = {epsilon:g}: no amplification", y="epsilon"),),
        ),
    ),
    (Pivot("Losses at gamma = {part}/{n}", ("epsilon",)),),
)


def _bounds_on_loss(epsilon: float, rates: list[float], gained: list[float]) -> list[Row]:
    """What is claimed of the loss, and what it is for the learner that gains least."""
    between = [math.log1p(g * math.expm1(epsilon)) - math.log1p(g * math.expm1(-epsilon)) for g in rates]
    approximate = [math.log1p(g * math.exp(epsilon) * math.expm1(epsilon)) for g in rates]
    at: dict[str, Any] = {"gamma": rates, "epsilon": epsilon}
    return [
        *bound("lem-34: 2 gamma (e^eps - e^-eps)", [_printed(epsilon, g) for g in rates], **at),
        *bound("before its last step", between, **at),
        *bound("lem-31: log(1 + gamma e^eps (e^eps - 1))", approximate, **at),
        *bound("log(1 + gamma (e^eps - 1))", gained, **at),
    ]


def _in_order() -> Outcome:
    """Lemma 34 for samples that keep the order of the dataset."""
    ratio, _ = ratio_when_order_is_kept(900, 30, 7, 45)
    claimed = exponential(2 * Fraction(30, 900) * (45 - Fraction(1, 45)))
    return at_most(
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


def approximate(seed: int, quick: bool) -> Findings:
    """Lemma 31, and lemma 29 for learners that keep no claim."""
    size = 6 if quick else 9
    outcome, sharp, rows = _told_with_delta(size)
    outcomes = [
        outcome,
        refuted_by(
            "wang2016:lem-31",
            "as printed, for samples that keep the order of the dataset: 50 of 1600 records, e^eps = 8, make the "
            "likelihood ratio at most 2.75",
            order_of_windows(),
            "its exact likelihood ratio is above 2.85",
            kind="privacy",
            expected="lem-31: if the sample keeps the order of the dataset and the learner looks at it",
        ),
        *_any_learner(seed, quick),
    ]
    numbers = [2**e for e in range(2, 21)]
    rows += exact("floor(sqrt n)/n", [Fraction(math.isqrt(n), n) for n in numbers], n=numbers)
    rows += bound("1/sqrt n (lem-29)", [n**-0.5 for n in numbers], n=numbers)
    told = (
        "In each case the exact delta at log(1 + gamma (e^eps - 1)) is gamma delta: of these learners both numbers "
        "are below those of the lemma wherever gamma is below 1."
        if sharp
        else "The exact delta at log(1 + gamma (e^eps - 1)) is not always gamma delta."
    )
    return Findings(rows, outcomes, f"{told} {tally(outcomes)}", {"n": size, "part": size // 3})


APPROXIMATE = Page(
    "Approximate privacy, and any learner at all, on a random part",
    "A learner that says by randomised response whether it saw a 1, and tells all with probability delta: on k "
    "of {n} records, all k, against lemma 31. Then learners that keep no claim, against lemma 29, over all "
    "pairs of neighbours.",
    (
        Plot(
            "total-variation",
            "Any learner on floor(sqrt n) records",
            "n",
            "total variation distance between neighbours",
            scale="log",
        ),
    ),
    (Pivot("Exact against lemma 31, gamma = {part}/{n}", ("e^eps", "delta")),),
    evidence=EXACT_OF_LAWS,
)


def _told_with_delta(size: int) -> tuple[Outcome, bool, list[Row]]:
    """Lemma 31 on the learner that tells all with delta, whether gamma delta is exact, and the numbers at a third."""
    pairs = binary_pairs(size)
    cases, sharp = [], True
    rows: list[Row] = []
    for ratio, delta in product((Fraction(11, 10), Fraction(2), Fraction(7)), (Fraction(1, 1000), Fraction(1, 20))):
        learner = Notices(ratio, delta)
        base = learner.claim
        assert isinstance(base, ApproxDP)
        for k in range(1, size + 1):
            rate = Fraction(k, size)
            laws = two_laws(SubsampledLearner(learner, size, k), pairs)
            claim = stated_claim(base, rate)
            cases.append(privacy("wang2016:lem-31", f"e^eps = {ratio}, delta = {delta}, {k} of {size}", laws, claim))
            gained = PureDP(ratio=1 + rate * (ratio - 1))
            found = largest_delta(laws, ApproxDP(gained.epsilon_value, 0.0))
            sharp &= abs(found - float(rate * delta)) < 1e-9
            if k == size // 3:
                at = {"e^eps": float(ratio), "delta": float(delta)}
                rows += exact("epsilon at gamma delta", [loss_of(laws, rate * delta)], **at)
                rows += bound("lem-31: epsilon", [claim.epsilon_value], **at)
                rows += exact("delta at log(1 + gamma (e^eps - 1))", [found], **at)
                rows += bound("lem-31: delta", [rate * ratio * delta], **at)
    outcome = together(
        cases,
        f"a random part of gamma n of {size} records makes an (epsilon, delta)-DP learner (log(1 + gamma e^eps "
        "(e^eps - 1)), gamma e^eps delta)-DP (e^eps 1.1, 2, 7; delta 0.001, 0.05; all gamma)",
        f"{len(cases)} exact decisions in fractions and polynomials, none against it",
    )
    return outcome, sharp, rows


def _any_learner(seed: int, quick: bool) -> list[Outcome]:
    """Lemma 29: learners that keep no claim, on floor(sqrt n) records."""
    learners: tuple[tuple[str, Any, Literal["random", "sorted"]], ...] = (
        ("says whether a 1 was seen", Notices(None), "random"),
        ("wang2016.support", Support(), "random"),
        ("returns its sample, in order", Returns(), "sorted"),
    )
    outcomes = [
        check_privacy(
            "wang2016:lem-29",
            f"on {math.isqrt(number)} of {number} records, drawn at random, any learner is (0, 1/sqrt n)-DP",
            SubsampledLearner(learner, number, math.isqrt(number), order),
            ApproxDP(0.0, Fraction(math.isqrt(number), number)),
            neighbours=ReplaceOne(records=Records.of([0, 1]), size=number),
            name=name,
            seed=seed,
            quick=quick,
        )
        for number in ((4,) if quick else (4, 9))
        for name, learner, order in learners
    ]
    told = range(2, 13) if quick else range(2, 17)
    found_at = {
        n: largest_delta(two_laws(SubsampledLearner(Notices(None), n), binary_pairs(n)), ApproxDP(0.0, 0.5))
        for n in told
    }
    shares = [distance * math.sqrt(n) for n, distance in found_at.items()]
    outcomes.append(
        compared(
            "wang2016:lem-29",
            "of a learner that says whether it saw a 1 the exact distance on floor(sqrt n) records is at most 1/sqrt n "
            f"(every n from {told[0]} to {told[-1]}, squares or not)",
            all((Fraction(found) - Fraction(1, 10**12)) ** 2 <= Fraction(1, n) for n, found in found_at.items()),
            f"sqrt n times the distance is {min(shares):.4g} to {max(shares):.4g}",
            kind="privacy",
            learner="says whether a 1 was seen",
        )
    )
    return outcomes


def vanishing(seed: int, quick: bool) -> Findings:
    """Lemma 4: floor(sqrt n) records, the loss and the rate."""
    numbers = (4, 9, 16)
    outcomes: list[Outcome] = []
    rows: list[Row] = []
    for epsilon in (0.5, 1.0, 2.0):
        cases, rates, same = [], [], True
        losses: dict[str, list[float]] = {}
        for n in numbers:
            best = OptimalPrivateLearner(TWO, epsilon, math.isqrt(n))
            claim = _of_lemma_4(epsilon, n)
            for name, short, one in (
                ("the best learner of a coin's side", "optimal", best),
                (_LEAST, "worst", _gains_least(epsilon)),
            ):
                laws = two_laws(SubsampledLearner(one, n), binary_pairs(n))
                cases.append(privacy("wang2016:lem-4", f"epsilon = {epsilon:g}, n = {n}, {short}", laws, claim))
                losses.setdefault(name, []).append(loss_of(laws))
            small = expected_losses(best, TWO, math.isqrt(n))
            large = expected_losses(SubsampledLearner(best, n), TWO, n, form="histogram")
            for ones in range(11):
                law = [Fraction(10 - ones, 10), Fraction(ones, 10)]
                excess, limit = large.under(law).excess, small.under(law).excess
                same &= excess == limit
                rates.append(
                    at_most(
                        "wang2016:lem-4", f"n = {n}, P(1) = {ones}/10", excess, limit, largest=worst_excess(TWO, law)
                    )
                )
        for name, values in losses.items():
            rows += exact(name, values, n=numbers, epsilon=epsilon)
        rows += bound(
            "(2/sqrt n)(e^eps - e^-eps)", [_in_doubles(epsilon, n) for n in numbers], n=numbers, epsilon=epsilon
        )
        outcomes += [
            together(
                cases,
                "on floor(sqrt n) records an epsilon-DP learner is (2/sqrt n)(e^eps - e^-eps)-DP (epsilon = "
                f"{epsilon:g}, n = {', '.join(map(str, numbers))})",
                f"{len(cases)} exact losses, each at most the bound",
            ),
            together(
                rates,
                f"and its excess risk on n records is at most the learner's on floor(sqrt n) (epsilon = {epsilon:g})",
                f"{'equal, in fractions,' if same else 'not equal to it everywhere,'} under {len(rates)} pairs of a "
                "distribution and a size",
            ),
        ]
    told = (
        f"At epsilon = 1 the bound is {_in_doubles(1.0, numbers[-1]):.3g} at n = {numbers[-1]} and below epsilon "
        f"itself only from n = {next(n for n in range(1, 10**6) if _in_doubles(1.0, n) < 1)} on. {tally(outcomes)}"
    )
    return Findings(rows, outcomes, told)


VANISHING = Page(
    "A subsample makes the privacy loss vanish and keeps the rate",
    "Learners with exact laws on floor(sqrt n) of n binary records: the loss over all neighbours, and the "
    "excess risk under eleven distributions, in fractions.",
    (
        Plot(
            "vanishing",
            "Loss on floor(sqrt n) records, epsilon = {epsilon:g}",
            "n",
            "privacy loss (nats)",
            each="epsilon",
            scale="log",
            lines=(Line("epsilon: no amplification", y="epsilon"),),
        ),
    ),
)


def _in_doubles(epsilon: float, n: int) -> float:
    """``(2/sqrt n)(e^epsilon - e^-epsilon)``."""
    return 2 / math.sqrt(n) * (math.exp(epsilon) - math.exp(-epsilon))


def _of_lemma_4(epsilon: float, n: int) -> PureDP:
    """``(2/sqrt n)(e^epsilon - e^-epsilon)``, rounded up."""
    return PureDP(rounded_up(lambda: 2 * (ball(epsilon).exp() - (-ball(epsilon)).exp()) / ball(n).sqrt()))


RUNS = (
    Run("amplification-pure", ("wang2016:lem-34",), pure, (0.5, 2.0), PURE),
    Run("amplification-approximate", ("wang2016:lem-31", "wang2016:lem-29"), approximate, (1.8, 4.0), APPROXIMATE),
    Run("vanishing-privacy", ("wang2016:lem-4",), vanishing, (1.0, 1.0), VANISHING),
)
