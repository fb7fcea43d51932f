"""Private learners that always nearly minimise: lemma 10, and the characterisations that rest on it."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dpcheck.model.claims import PureDP
from dpcheck.papers.wang2016.learners import FiniteProblem, RegularisedExponential, SubsampledLearner
from dpcheck.papers.wang2016.theorems.separations_instances import sample_is_not_enough
from dpcheck.papers.wang2016.theorems.stability_instances import labels_of_integers
from dpcheck.papers.wang2016.trials.exact import (
    EXACT,
    TWO,
    at_most,
    binary_pairs,
    curve,
    exponential,
    instance,
    privacy,
    resampled,
    subsampled,
    tally,
    together,
    two_laws,
)
from dpcheck.papers.wang2016.trials.learners_tried import Differing, papers_own
from dpcheck.parts.mechanisms.resampling import Resampled
from dpcheck.trial.model import Chart, Measurement, Outcome, Shade
from dpcheck.trial.run import Run
from dpcheck.utility.stability import Bounds, as_bounds, expected_losses

#: Two hypotheses of loss 0 and 1, whatever the record.
_FIXED = FiniteProblem((0, 1), ("good", "bad"), ((0, 0), (1, 1)))  # type: ignore[arg-type]
_STATED = "lem-10, L10.stmt: the learner of the proof has 2 xi"


def _doubled(value: Bounds) -> Bounds:
    return Bounds(2 * value.low, 2 * value.high)


def always(seed: int, quick: bool) -> Measurement:
    """Claim 2: the always-AERM value of the subsampled learner against xi and 2 xi at the size of the sample."""
    numbers = (4, 9, 16) if quick else (4, 9, 16, 25, 36)
    outcomes: list[Outcome] = []
    charts: list[Chart] = []
    differing = expected_losses(Differing(), _FIXED, 2)
    rate = differing.largest_excess(Fraction(1, 10**9))
    four = subsampled(differing, 4).always_above_minimum()
    direct = expected_losses(SubsampledLearner(Differing(), 4), _FIXED, 4, form="histogram").always_above_minimum()
    ratio_of_differing = float(four) / float(rate)
    outcomes += [
        at_most(
            "wang2016:lem-10",
            "as printed, the learner of the proof is always AERM with rate xi(floor(sqrt n)): n = 4, a log(2)-DP "
            "learner of two hypotheses",
            four,
            rate,
            f"its largest excess is {four.high}, xi(2) is {float(rate):.6g}; the law of the subsampled learner gives "
            f"{direct.high}",
            expected=_STATED,
        ),
        at_most("wang2016:lem-10", "the same with 2 xi", four, _doubled(rate)),
        at_most(
            "wang2016:lem-10",
            "as repaired, drawing with replacement, the rate is xi: the same learner and n",
            resampled(differing, 4).always_above_minimum(),
            rate,
        ),
    ]
    tried = {n: papers_own(1.0, math.isqrt(n)) for n in numbers}
    for name in tried[numbers[0]]:
        cases, again = [], []
        drawn: dict[str, list[float]] = {"xi": [], "without": [], "with": []}
        for n in numbers:
            learner, problem = tried[n][name]
            table = expected_losses(learner, problem, math.isqrt(n), form="histogram")
            rate = table.largest_excess(Fraction(1, 10**7))
            one, other = subsampled(table, n).always_above_minimum(), resampled(table, n).always_above_minimum()
            cases.append(at_most("wang2016:lem-10", f"n = {n}", one, _doubled(rate)))
            again.append(at_most("wang2016:lem-10", f"n = {n}", other, Bounds(rate.high, rate.high)))
            for key, value in (("xi", rate), ("without", one), ("with", other)):
                drawn[key].append(float(value))
        for found, words in (
            (cases, "the learner of the proof is always AERM with rate 2 xi(floor(sqrt n))"),
            (
                again,
                "as repaired: drawing with replacement it is always AERM with rate xi(floor(sqrt n)) (to 1e-7 in xi)",
            ),
        ):
            shown = together(
                found, f"{words}, n = {numbers[0]} to {numbers[-1]}, epsilon = 1", f"{len(found)} exact values"
            )
            outcomes.append(replace(shown, learner=name))
        charts.append(
            Chart(
                f"always-{len(charts)}",
                f"Always-AERM value of a subsampled learner: {name}",
                "n",
                "largest excess empirical risk",
                (
                    curve("drawn without replacement", 0, numbers, drawn["without"]),
                    curve("drawn with replacement", 1, numbers, drawn["with"]),
                    curve("xi(floor(sqrt n))", 2, numbers, drawn["xi"], bound=True),
                    curve("2 xi(floor(sqrt n))", 3, numbers, [2 * v for v in drawn["xi"]], bound=True),
                ),
                y_log=True,
                alt="Exact worst excesses, below twice the learner's rate at the size of the sample.",
            )
        )
    private = []
    for n in (4, 9):
        k, epsilon = math.isqrt(n), 1.0
        bound = 2 / math.sqrt(n) * (math.e - 1 / math.e) * (1 - 1e-12)
        learner = Resampled(RegularisedExponential(TWO, [0, 1], epsilon), k, n)
        private.append(privacy("wang2016:lem-10", f"n = {n}", two_laws(learner, binary_pairs(n)), PureDP(bound)))
    outcomes.append(
        together(
            private,
            "with replacement it is (2/sqrt n)(e^eps - e^-eps)-DP as well (epsilon = 1, n = 4, 9)",
            "exact laws of the resampled exponential mechanism",
        )
    )
    return Measurement(
        "always-aerm",
        "A private learner on a random part always nearly minimises",
        ("wang2016:lem-10",),
        "xi(k) is the largest excess risk of a learner from k records over every distribution of a bit (a "
        "polynomial, enclosed); beside it the largest excess empirical risk of that learner on floor(sqrt n) of n "
        "records, over all datasets, drawn without replacement as in the proof and with replacement as in the "
        "repair.",
        f"On one learner the value without replacement is {ratio_of_differing:.4g} times xi. {tally(outcomes)}",
        EXACT,
        tuple(charts),
        (),
        tuple(outcomes),
    )


def characterisations(seed: int, quick: bool) -> Measurement:
    """Theorem 7: its chain from a learner to an AERM learner and back, in numbers; and where it fails as printed."""
    outcomes: list[Outcome] = []
    base = 1.0
    numbers = (4, 16, 36) if quick else (4, 16, 36, 64, 100)
    chain = []
    drawn: dict[str, list[float]] = {"excess": [], "rate": [], "aerm": [], "loss": []}
    for n in numbers:
        k = math.isqrt(n)
        table = expected_losses(RegularisedExponential(TWO, [0, 1], base), TWO, k)
        part = subsampled(table, n)
        aerm = part.always_above_minimum()
        ratio = exponential(Fraction(base))
        rate = Fraction(k, n)
        loss = Bounds(rate * (ratio.low - 1), rate * (ratio.high - 1))  # e^eps' - 1 of the subsampled learner
        bound = Bounds(aerm.low + loss.low, aerm.high + loss.high)
        found = part.largest_excess(Fraction(1, 10**6)) if n <= 36 else table.largest_excess(Fraction(1, 10**6))
        chain.append(at_most("wang2016:thm-7", f"n = {n}", found, bound))
        for key, value in (("excess", found), ("rate", bound), ("aerm", aerm), ("loss", loss)):
            drawn[key].append(float(value))
    outcomes.append(
        together(
            chain,
            f"1 => 3 => 1 in numbers, n = {numbers[0]} to {numbers[-1]}: the excess risk of the subsampled learner is "
            "at most its always-AERM value + e^eps' - 1, eps' = log(1 + gamma (e^eps - 1))",
            f"{len(chain)} exact chains; at n = {numbers[-1]} the excess risk is {drawn['excess'][-1]:.4g}, the sum "
            f"{drawn['rate'][-1]:.4g}",
        )
    )
    private = []
    for n in numbers[:2]:
        k = math.isqrt(n)
        learner = SubsampledLearner(RegularisedExponential(TWO, [0, 1], base), n)
        claim = PureDP(math.log1p(k / n * math.expm1(base)) * (1 - 1e-12))
        private.append(privacy("wang2016:thm-7", f"n = {n}", two_laws(learner, binary_pairs(n)), claim))
    outcomes.append(
        together(
            private,
            f"and it is eps'-DP, n = {' and '.join(map(str, numbers[:2]))}: this eps' tends to 0 with gamma",
            "; ".join(each.detail for each in private),
        )
    )
    outcomes.append(
        instance(
            "wang2016:thm-7",
            "2 => 1 as printed: a private learner that is AERM for each distribution, without one rate for all, "
            "makes its problem privately learnable",
            labels_of_integers(),
            "labels of the integers have such a learner, and from n records under the uniform law on 2n points "
            "every learner's risk is at least 1/4",
            expected="thm-7, T7.21: definition 5 asks for no rate that serves all distributions",
        )
    )
    falls = all(a > b for a, b in pairwise(drawn["rate"]))
    chart = Chart(
        "chain",
        "From a private learner to one with vanishing epsilon, and back",
        "n",
        "excess, or e^eps' - 1",
        (
            curve("excess risk, every distribution of a bit", 0, numbers, drawn["excess"]),
            curve("always-AERM value", 1, numbers, drawn["aerm"]),
            curve("e^eps' - 1", 2, numbers, drawn["loss"]),
            curve("their sum (cor-9)", 3, numbers, drawn["rate"], bound=True),
        ),
        y_log=True,
        alt="All four numbers against n.",
    )
    return Measurement(
        "characterisation",
        "Private learnability is private AERM, in numbers",
        ("wang2016:thm-7",),
        "The exponential mechanism of a bit at epsilon = 1, subsampled: its privacy, its always-AERM value and its "
        "largest excess risk, exactly, at squares n; and the problem by which 2 => 1 fails as printed.",
        f"The sum of privacy and AERM value {'falls' if falls else 'does not fall'} with n. {tally(outcomes)}",
        EXACT,
        (chart,),
        (),
        tuple(outcomes),
    )


def restricted(seed: int, quick: bool) -> Measurement:
    """Lemma 14 and theorem 15, for the distributions of a bit with P(1) among five values."""
    from flint import arb, ctx, fmpq

    roots = (6, 17) if quick else (4, 6, 9, 17, 23)
    lemma, theorem = [], []
    rows: dict[str, list[float]] = {"aerm": [], "bound": [], "sum": [], "excess": []}
    family = [Fraction(i, 10) for i in (6, 7, 8, 9)]
    numbers = [root**4 for root in roots]
    for root, n in zip(roots, numbers, strict=True):
        k = root**2
        erm = expected_losses(_Majority(), TWO, root).largest_excess(Fraction(1, 10**6))
        table = expected_losses(RegularisedExponential(TWO, [0, 1], 1.0), TWO, k)
        with ctx.workprec(128):
            ratio = arb(1).exp()
            loss = as_bounds(arb(fmpq(k, n)) * (ratio - 1))
        worst_aerm, worst_rate, worst_excess = (
            Bounds(Fraction(0), Fraction(0)),
            Bounds(Fraction(0), Fraction(0)),
            Bounds(Fraction(0), Fraction(0)),
        )
        for p in family:
            risks = table.under([1 - p, p])
            share = Fraction(k, n)
            # E Rhat(A'(Z), Z): the drawn records count as seen, the others as fresh (14)
            empirical = Bounds(
                share * risks.empirical.low + (1 - share) * risks.risk.low,
                share * risks.empirical.high + (1 - share) * risks.risk.high,
            )
            # E min(J, n - J)/n is below min(p, 1 - p), and above it less the mean deviation of J/n
            best = min(p, 1 - p)
            off = Fraction(math.isqrt(int(p * (1 - p) * 10**12 / n)) + 1, 10**6)
            aerm = Bounds(empirical.low - best, empirical.high - best + off)
            worst_aerm = Bounds(max(worst_aerm.low, aerm.low), max(worst_aerm.high, aerm.high))
            worst_rate = Bounds(max(worst_rate.low, risks.excess.low), max(worst_rate.high, risks.excess.high))
            worst_excess = worst_rate
        bound = Bounds(
            12 * erm.low + Fraction(37, root**2) + worst_rate.low,
            12 * erm.high + Fraction(37, root**2) + worst_rate.high,
        )
        both = Bounds(worst_aerm.low + loss.low, worst_aerm.high + loss.high)
        lemma.append(at_most("wang2016:lem-14", f"n = {n:,}", worst_aerm, bound))
        theorem.append(at_most("wang2016:thm-15", f"n = {n:,}", worst_excess, both))
        for key, value in (
            ("aerm", worst_aerm.high),
            ("bound", bound.low),
            ("sum", both.high),
            ("excess", worst_excess.high),
        ):
            rows[key].append(float(value))
    said = [n for n, b in zip(numbers, rows["bound"], strict=True) if b < 1]
    outcomes = [
        together(
            lemma,
            "the subsampled learner is DD-universally AERM with rate 12 xi'(n^(1/4)) + 37/sqrt n + xi(sqrt n) (n = "
            f"{numbers[0]:,} to {numbers[-1]:,})",
            f"{len(lemma)} exact comparisons; the bound is below 1 at {len(said)} of these n"
            + (f", from n = {min(said):,} on" if said else ": it says nothing at these sizes"),
        ),
        together(
            theorem,
            "and a DD-universally AERM learner with eps(n) -> 0 is consistent: its excess risk is at most AERM rate "
            "+ e^eps(n) - 1",
            f"{len(theorem)} exact comparisons",
        ),
        instance(
            "wang2016:ex-17",
            "the step of its proof that subsampling keeps a learner AERM where the problem is not learnable",
            sample_is_not_enough(),
            "a learner of excess 1/10 on one record has excess 1/2 as one on one of two records",
            expected="ex-17, X17: a learner on a small sample minimises on the sample only (the example itself holds)",
        ),
    ]
    vacuous = [n for n, b in zip(numbers, rows["bound"], strict=True) if b >= 1]
    chart = Chart(
        "restricted",
        "AERM rate of a subsampled learner over a family of distributions",
        "n",
        "excess empirical risk",
        (
            curve("upper end of the AERM value", 0, numbers, rows["aerm"]),
            curve("12 xi'(n^(1/4)) + 37/sqrt n + xi(sqrt n) (lem-14)", 1, numbers, rows["bound"], bound=True),
            curve("AERM + e^eps' - 1 (thm-15)", 2, numbers, rows["sum"], bound=True),
        ),
        y_log=True,
        alt="The AERM value of the subsampled learner far below the bound of lemma 14.",
        shades=(Shade("lem-14 says nothing: its rate is 1 or more", x=(None, float(max(vacuous)))),) if vacuous else (),
    )
    return Measurement(
        "restricted-families",
        "Private DD-learnability and AERM over a family of distributions",
        ("wang2016:lem-14", "wang2016:thm-15", "wang2016:ex-17"),
        "DD: bits with P(1) = 0.6, 0.7, 0.8, 0.9. A: the exponential mechanism at epsilon = 1 on sqrt n records, "
        "exact; A' the same on a random part of n; xi' the rate of the majority of n^(1/4) bits over every "
        "distribution. The expected least empirical risk is bounded by the mean deviation of the number of ones.",
        f"The bound of lemma 14 is {min(b / a for a, b in zip(rows['aerm'], rows['bound'], strict=True)):.3g} times "
        f"the AERM value or more. {tally(outcomes)}",
        EXACT,
        (chart,),
        (),
        tuple(outcomes),
    )


class _Majority:
    """The majority of bits, 0 where there is none."""

    order_blind = True

    def distribution(self, dataset: Any) -> dict[int, Fraction]:
        """All on one answer."""
        return {int(2 * sum(dataset) > len(dataset)): Fraction(1)}


RUNS = (
    Run("always-aerm", ("wang2016:lem-10",), always, (0.2, 0.4)),
    Run("characterisation", ("wang2016:thm-7",), characterisations, (0.3, 0.5)),
    Run("restricted-families", ("wang2016:lem-14", "wang2016:thm-15", "wang2016:ex-17"), restricted, (0.3, 0.8)),
)
