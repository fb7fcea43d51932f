"""The transition in delta: which problems can be learnt with approximate privacy."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from dpcheck.model.claims import ApproxDP
from dpcheck.papers.wang2016.learners import SubsampledLearner
from dpcheck.papers.wang2016.trials.exact import (
    BITS,
    EXACT,
    TWO,
    at_most,
    binary_pairs,
    curve,
    largest_delta,
    point,
    subsampled,
    tally,
    together,
    two_laws,
)
from dpcheck.papers.wang2016.trials.learners_tried import Minimiser, Notices
from dpcheck.trial.model import Chart, Measurement, Outcome
from dpcheck.trial.relations import compared
from dpcheck.trial.run import Run
from dpcheck.utility.stability import Bounds, as_bounds, expected_losses


def transition(seed: int, quick: bool) -> Measurement:
    """Claim 7: subsampling above 1/n, packing below exp(-eps n)/n."""
    from flint import arb, ctx

    outcomes: list[Outcome] = []
    exact, rates = [], []
    same = True
    for n in (6, 8) if quick else (6, 8, 10, 12):
        for k in range(1, n // 2 + 1):
            learner = SubsampledLearner(Notices(None), n, k)
            found = largest_delta(two_laws(learner, binary_pairs(n)), ApproxDP(0.0, Fraction(k, n)))
            exact.append(abs(found - k / n) < 1e-12)
            small = expected_losses(Minimiser(TWO), TWO, k)
            large = subsampled(small, n)
            for ones in range(6):
                law = [Fraction(5 - ones, 5), Fraction(ones, 5)]
                same &= large.under(law).excess == small.under(law).excess
                rates.append(
                    at_most("wang2016:prop-33", f"n = {n}, k = {k}", large.under(law).excess, small.under(law).excess)
                )
    outcomes += [
        compared(
            "wang2016:prop-33",
            "on a delta~(n)-fraction of the records a learner that says whether it saw a 1 is (0, delta~(n))-DP, with "
            "no smaller delta (any learner: see lem-29)",
            all(exact),
            f"{len(exact)} sizes and fractions, exact laws",
            kind="privacy",
        ),
        together(
            rates,
            "and it has the rate xi(n delta~(n)): the minimiser of a bit",
            f"{'equal, in fractions, in' if same else 'not equal in all of'} {len(rates)} cases",
        ),
    ]
    said: list[str] = []
    cases: list[Bounds] = []
    printed: list[Bounds] = []
    with ctx.workprec(BITS):
        for eps in (Fraction(1, 4), Fraction(1), Fraction(2)):
            e = arb(eps.numerator) / eps.denominator
            for n in range(1, 33):
                power = (-e * n).exp()
                # K - 1 >= e^(eps n) intervals; group privacy leaves e^(-eps n) 0.9 - e^(-eps) n delta in each
                for delta, store in ((arb(2) / 5 * power / n, cases), (arb(2) / 5 * n * power, printed)):
                    inside = power * 9 / 10 - (-e).exp() * n * delta
                    store.append(as_bounds(inside / power))
                said.append(f"eps = {eps}, n = {n}")
    half = point(Fraction(1, 2))
    outcomes += [
        together(
            [at_most("wang2016:prop-33", one, half, value) for one, value in zip(said, cases, strict=True)],
            "line (5') as repaired: for delta <= 0.4 e^(-eps n)/n an AERM learner would leave 1/2 or more outside "
            "J_1 (eps 1/4, 1, 2; n to 32)",
            f"{len(cases)} enclosures, the least {min(float(v) for v in cases):.4g}",
        ),
        together(
            [at_most("wang2016:prop-33", one, half, value) for one, value in zip(said, printed, strict=True)],
            "line (5') as printed: the same for delta <= 0.4 n e^(-eps n)",
            f"{len(printed)} enclosures, the least {min(float(v) for v in printed):.4g}",
        ),
    ]
    outcomes[-1] = replace(
        outcomes[-1],
        kind="lower bound",
        expected="P33.(5'): n stands on the wrong side of the condition (the proposition holds)"
        if outcomes[-1].word == "contradicted"
        else "",
    )
    outcomes[-2] = replace(outcomes[-2], kind="lower bound")
    numbers = [2**e for e in range(0, 9)]
    slow = 0.1
    wider = all(-slow * n - math.log(n) >= -slow * n * n - math.log(n) for n in numbers)
    outcomes.append(
        compared(
            "wang2016:rem-33.a",
            "exp(-eps n)/n is no smaller than exp(-eps n^2)/n, and both are below 1/n",
            wider and all(-slow * n < 0 for n in numbers),
            f"exponents compared at n = 1 to {numbers[-1]}, eps = {slow:g}",
            kind="lower bound",
        )
    )
    left = []
    with ctx.workprec(BITS):
        for eps in (Fraction(1, 4), Fraction(1), Fraction(2)):
            e = arb(eps.numerator) / eps.denominator
            for n in range(math.ceil(1 / eps), 65):
                power = (-e * n).exp()
                left.append(as_bounds(arb(9) / 10 - (1 - power) / (n * (e.exp() - 1))))  # over e^(-eps n)
    outcomes.append(
        replace(
            together(
                [at_most("wang2016:rem-33.a", f"case {i}", point(0), value) for i, value in enumerate(left)],
                "at delta = exp(-eps n)/n group privacy leaves each interval a positive probability, so that enough "
                "of them hold more than 1/2 (eps 1/4, 1, 2; n from 1/eps to 64)",
                f"{len(left)} enclosures of what is left over e^(-eps n), the least {min(float(v) for v in left):.4g}",
            ),
            kind="lower bound",
        )
    )
    shown = [n for n in numbers if slow * n * n < 600]
    chart = Chart(
        "transition",
        "Where delta decides, epsilon = 0.1",
        "n",
        "delta",
        (
            curve("1/n: above, all that is learnable", 0, numbers, [1 / n for n in numbers], bound=True),
            curve(
                "exp(-eps n)/n: below, some learnable problem is not (rem-33.a)",
                1,
                numbers,
                [math.exp(-slow * n) / n for n in numbers],
                bound=True,
            ),
            curve(
                "exp(-eps n^2)/n: below (prop-33)", 2, shown, [math.exp(-slow * n * n) / n for n in shown], bound=True
            ),
            curve(
                "floor(sqrt n)/n: any learner on a sample (lem-29), exact",
                3,
                numbers,
                [math.isqrt(n) / n for n in numbers],
            ),
        ),
        y_log=True,
        y_range=(1e-20, 2.0),
        alt="Three curves that bound the regions of delta in which everything, or not everything, can be learnt.",
    )
    return Measurement(
        "transition-in-delta",
        "The transition in delta",
        ("wang2016:prop-33", "wang2016:rem-33.a"),
        "Above 1/n: a fraction of the records, its exact distance in total variation and excess risk. Below: what "
        "group privacy leaves of the packing argument, in balls.",
        tally(outcomes),
        EXACT,
        (chart,),
        (),
        tuple(outcomes),
        left_out="The lower end exp(-n^2 log n) of the transition. Between the two curves the paper says nothing.",
    )


def characterisation(seed: int, quick: bool) -> Measurement:
    """Theorem 32: AERM with (eps(n), delta(n)) gives consistency, and a subsample gives AERM."""
    forward, back = [], []
    worst, bounds = [], []
    numbers = (4, 9, 16, 36) if quick else (4, 9, 16, 36, 64)
    for n in numbers:
        k = math.isqrt(n)
        table = subsampled(expected_losses(Minimiser(TWO), TWO, k), n)
        aerm = table.always_above_minimum()
        delta = Fraction(k, n)
        limit = Bounds(aerm.low + delta, aerm.high + delta)
        for ones in range(11):
            law = [Fraction(10 - ones, 10), Fraction(ones, 10)]
            forward.append(at_most("wang2016:thm-32", f"n = {n}, P(1) = {ones}/10", table.under(law).excess, limit))
        xi = expected_losses(Minimiser(TWO), TWO, k).largest_excess(Fraction(1, 10**6))
        back.append(at_most("wang2016:thm-32", f"n = {n}", aerm, Bounds(2 * xi.low, 2 * xi.high)))
        worst.append(float(aerm))
        bounds.append(float(2 * xi.high))
    private = []
    for ratio, delta in ((Fraction(2), Fraction(1, 50)), (Fraction(3), Fraction(1, 1000))):
        for n in (4, 9):
            k = math.isqrt(n)
            laws = two_laws(SubsampledLearner(Notices(ratio, delta), n, k), binary_pairs(n))
            # n^(-1/2) e^eps delta at the epsilon of lem-31
            epsilon = math.log(float(1 + Fraction(k, n) * ratio * (ratio - 1)))
            found = largest_delta(laws, ApproxDP(epsilon, 0.0))
            private.append(
                compared(
                    "wang2016:thm-32",
                    f"e^eps = {ratio}, delta = {delta}, n = {n}",
                    Fraction(found) <= ratio * delta * Fraction(k, n),
                    f"delta {found:.3g} against {float(ratio * delta * Fraction(k, n)):.3g}",
                    kind="privacy",
                )
            )
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
    chart = Chart(
        "approximate-aerm",
        "Always-AERM value of the minimiser on floor(sqrt n) records",
        "n",
        "largest excess empirical risk",
        (curve("exact", 0, numbers, worst), curve("2 xi(floor(sqrt n))", 1, numbers, bounds, bound=True)),
        y_log=True,
        alt="The exact value below twice the rate.",
    )
    return Measurement(
        "approximate-characterisation",
        "Approximately private learnability and AERM",
        ("wang2016:thm-32",),
        "The minimiser of a bit on floor(sqrt n) of n records, exactly: its empirical and its true excess against "
        "theorem 32; and the privacy of an (epsilon, delta)-DP learner on such a sample.",
        tally(outcomes),
        EXACT,
        (chart,),
        (),
        tuple(outcomes),
        left_out=(
            "Which families Delta are closed under delta -> n^(-1/2) e^eps delta(sqrt n) is a statement about "
            "limits; it is proved in the registry."
        ),
    )


RUNS = (
    Run("transition-in-delta", ("wang2016:prop-33", "wang2016:rem-33.a"), transition, (0.2, 1.0)),
    Run("approximate-characterisation", ("wang2016:thm-32",), characterisation, (0.2, 0.4)),
)
