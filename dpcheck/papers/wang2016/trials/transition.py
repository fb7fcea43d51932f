"""The transition in delta: which problems can be learnt with approximate privacy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product

from dpcheck.model.claims import ApproxDP
from dpcheck.papers.wang2016.learners import SubsampledLearner
from dpcheck.papers.wang2016.trials.exact import (
    BITS,
    TWO,
    at_most,
    ball,
    binary_pairs,
    largest_delta,
    point,
    subsampled,
    tally,
    together,
    two_laws,
    worst_excess,
)
from dpcheck.papers.wang2016.trials.learners_tried import Minimiser, Notices
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import Page, Plot
from dpcheck.trial.relations import compared
from dpcheck.trial.rows import Findings, bound, exact
from dpcheck.trial.run import Run
from dpcheck.utility.stability import as_bounds, expected_losses

#: At which the packing argument is looked at, and drawn.
_EPSILONS, _SLOW = (Fraction(1, 4), Fraction(1), Fraction(2)), 0.1


def transition(seed: int, quick: bool) -> Findings:
    """Claim 7: subsampling above 1/n, packing below exp(-eps n)/n."""
    numbers = [2**e for e in range(0, 9)]
    outcomes = [*_fractions(quick), *_packing(), *_below(numbers)]
    shown = [n for n in numbers if _SLOW * n * n < 600]
    rows = [
        *bound("1/n: above, all that is learnable", [1 / n for n in numbers], n=numbers),
        *bound(
            "exp(-eps n)/n: below, some learnable problem is not (rem-33.a)",
            [math.exp(-_SLOW * n) / n for n in numbers],
            n=numbers,
        ),
        *bound("exp(-eps n^2)/n: below (prop-33)", [math.exp(-_SLOW * n * n) / n for n in shown], n=shown),
        *exact(
            "floor(sqrt n)/n: any learner on a sample (lem-29), exact", [math.isqrt(n) / n for n in numbers], n=numbers
        ),
    ]
    return Findings(rows, outcomes, tally(outcomes))


TRANSITION = Page(
    "The transition in delta",
    "Above 1/n: a fraction of the records, its exact distance in total variation and excess risk. Below: what "
    "group privacy leaves of the packing argument, in balls.",
    (Plot("transition", f"Where delta decides, epsilon = {_SLOW:g}", "n", "delta", scale="log", least=1e-20),),
    left_out="The lower end exp(-n^2 log n) of the transition. Between the two curves the paper says nothing.",
)


def _fractions(quick: bool) -> list[Outcome]:
    """Proposition 33 above 1/n: privacy and rate of learners on a fraction of the records."""
    attained, rates, same = [], [], True
    for n in (6, 8) if quick else (6, 8, 10, 12):
        for k in range(1, n // 2 + 1):
            learner = SubsampledLearner(Notices(None), n, k)
            found = largest_delta(two_laws(learner, binary_pairs(n)), ApproxDP(0.0, Fraction(k, n)))
            attained.append(abs(found - k / n) < 1e-12)
            small = expected_losses(Minimiser(TWO), TWO, k)
            large = subsampled(small, n)
            for ones in range(6):
                law = [Fraction(5 - ones, 5), Fraction(ones, 5)]
                excess, limit = large.under(law).excess, small.under(law).excess
                same &= excess == limit
                rates.append(
                    at_most("wang2016:prop-33", f"n = {n}, k = {k}", excess, limit, largest=worst_excess(TWO, law))
                )
    return [
        compared(
            "wang2016:prop-33",
            "on a delta~(n)-fraction of the records a learner that says whether it saw a 1 is (0, delta~(n))-DP, with "
            "no smaller delta (any learner: see lem-29)",
            all(attained),
            f"{len(attained)} sizes and fractions, exact laws",
            kind="privacy",
        ),
        together(
            rates,
            "and it has the rate xi(n delta~(n)): the minimiser of a bit",
            f"{'equal, in fractions, in' if same else 'not equal in all of'} {len(rates)} cases",
        ),
    ]


def _packing() -> list[Outcome]:
    """Line (5') of the proof of proposition 33, as repaired and as printed."""
    from flint import arb, ctx

    outcomes = []
    for exponent, words, expected in (
        (
            -1,
            "line (5') as repaired: for delta <= 0.4 e^(-eps n)/n an AERM learner would leave 1/2 or more outside J_1 "
            "(eps 1/4, 1, 2; n to 32)",
            "",
        ),
        (
            1,
            "line (5') as printed: the same for delta <= 0.4 n e^(-eps n)",
            "P33.(5'): n stands on the wrong side of the condition (the proposition holds)",
        ),
    ):
        left = {}
        with ctx.workprec(BITS):
            for eps, n in product(_EPSILONS, range(1, 33)):
                power = (-ball(eps) * n).exp()
                delta = ball(Fraction(2, 5)) * power * arb(n) ** exponent
                # K - 1 >= e^(eps n) intervals; group privacy leaves e^(-eps n) 0.9 - e^(-eps) n delta in each
                inside = power * 9 / 10 - (-ball(eps)).exp() * n * delta
                left[f"eps = {eps}, n = {n}"] = as_bounds(inside / power)
        half = point(Fraction(1, 2))
        found = together(
            [at_most("wang2016:prop-33", said, half, value) for said, value in left.items()],
            words,
            f"{len(left)} enclosures, the least {min(map(float, left.values())):.4g}",
        )
        told = expected if found.word == "contradicted" else ""
        outcomes.append(replace(found, kind="lower bound", expected=told))
    return outcomes


def _below(numbers: Sequence[int]) -> list[Outcome]:
    """Remark 33.a: what lies below, and what group privacy leaves there."""
    from flint import ctx

    with ctx.workprec(BITS):
        left = [  # over e^(-eps n)
            as_bounds(ball(Fraction(9, 10)) - (1 - (-ball(eps) * n).exp()) / (n * (ball(eps).exp() - 1)))
            for eps in _EPSILONS
            for n in range(math.ceil(1 / eps), 65)
        ]
    positive = together(
        [at_most("wang2016:rem-33.a", f"case {i}", point(0), value) for i, value in enumerate(left)],
        "at delta = exp(-eps n)/n group privacy leaves each interval a positive probability, so that enough "
        "of them hold more than 1/2 (eps 1/4, 1, 2; n from 1/eps to 64)",
        f"{len(left)} enclosures of what is left over e^(-eps n), the least {min(map(float, left)):.4g}",
    )
    return [
        compared(
            "wang2016:rem-33.a",
            "exp(-eps n)/n is no smaller than exp(-eps n^2)/n, and both are below 1/n",
            all(-_SLOW * n - math.log(n) >= -_SLOW * n * n - math.log(n) and -_SLOW * n < 0 for n in numbers),
            f"exponents compared at n = 1 to {numbers[-1]}, eps = {_SLOW:g}",
            kind="lower bound",
        ),
        replace(positive, kind="lower bound"),
    ]


def characterisation(seed: int, quick: bool) -> Findings:
    """Theorem 32: AERM with (eps(n), delta(n)) gives consistency, and a subsample gives AERM."""
    forward, back, rows = [], [], []
    numbers = (4, 9, 16, 36) if quick else (4, 9, 16, 36, 64)
    for n in numbers:
        k = math.isqrt(n)
        small = expected_losses(Minimiser(TWO), TWO, k)
        table, xi = subsampled(small, n), small.largest_excess(Fraction(1, 10**6))
        aerm = table.always_above_minimum()
        for ones in range(11):
            law = [Fraction(10 - ones, 10), Fraction(ones, 10)]
            said, limit = f"n = {n}, P(1) = {ones}/10", aerm + point(Fraction(k, n))
            most = worst_excess(TWO, law)
            forward.append(at_most("wang2016:thm-32", said, table.under(law).excess, limit, largest=most))
        back.append(at_most("wang2016:thm-32", f"n = {n}", aerm, xi + xi, largest=1))
        rows += exact("exact", [aerm], n=n) + bound("2 xi(floor(sqrt n))", [2 * xi.high], n=n)
    private = _private_on_part()
    outcomes = [
        together(
            forward,
            "an AERM learner that is (eps(n), delta(n))-DP is consistent with xi_erm + e^eps(n) - 1 + delta(n): the "
            f"minimiser on a sample, (0, floor(sqrt n)/n)-DP, n = {numbers[0]} to {numbers[-1]}",
            f"{len(forward)} exact comparisons",
        ),
        together(
            back, "the subsampled learner is always AERM with 2 xi(floor(sqrt n))", f"{len(back)} exact comparisons"
        ),
        together(
            private,
            "and (eps(n), n^(-1/2) e^eps delta(sqrt n))-DP with eps(n) of lemma 31",
            f"{len(private)} exact deltas",
        ),
    ]
    return Findings(rows, outcomes, tally(outcomes))


CHARACTERISATION = Page(
    "Approximately private learnability and AERM",
    "The minimiser of a bit on floor(sqrt n) of n records, exactly: its empirical and its true excess against "
    "theorem 32; and the privacy of an (epsilon, delta)-DP learner on such a sample.",
    (
        Plot(
            "approximate-aerm",
            "Always-AERM value of the minimiser on floor(sqrt n) records",
            "n",
            "largest excess empirical risk",
            scale="log",
        ),
    ),
    left_out="Which families Delta are closed under delta -> n^(-1/2) e^eps delta(sqrt n) is a statement about "
    "limits; it is proved in the registry.",
)


def _private_on_part() -> list[Outcome]:
    """The exact delta of a subsampled learner at the epsilon of lemma 31."""
    private = []
    for ratio, delta in ((Fraction(2), Fraction(1, 50)), (Fraction(3), Fraction(1, 1000))):
        for n in (4, 9):
            rate = Fraction(math.isqrt(n), n)
            laws = two_laws(SubsampledLearner(Notices(ratio, delta), n, math.isqrt(n)), binary_pairs(n))
            found = largest_delta(laws, ApproxDP(math.log(float(1 + rate * ratio * (ratio - 1))), 0.0))
            limit = ratio * delta * rate  # n^(-1/2) e^eps delta
            private.append(
                compared(
                    "wang2016:thm-32",
                    f"e^eps = {ratio}, delta = {delta}, n = {n}",
                    Fraction(found) <= limit,
                    f"delta {found:.3g} against {float(limit):.3g}",
                    kind="privacy",
                )
            )
    return private


RUNS = (
    Run("transition-in-delta", ("wang2016:prop-33", "wang2016:rem-33.a"), transition, (0.2, 1.0), TRANSITION),
    Run("approximate-characterisation", ("wang2016:thm-32",), characterisation, (0.2, 0.4), CHARACTERISATION),
)
