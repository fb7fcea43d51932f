"""Private learners that always nearly minimise: lemma 10, and the characterisations that rest on it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dpcheck.model.claims import PureDP
from dpcheck.papers.wang2016.learners import FiniteProblem, RegularisedExponential, SubsampledLearner
from dpcheck.papers.wang2016.theorems.separations_instances import sample_is_not_enough
from dpcheck.papers.wang2016.theorems.stability_instances import labels_of_integers
from dpcheck.papers.wang2016.trials.exact import (
    TWO,
    at_most,
    binary_pairs,
    exponential,
    point,
    privacy,
    resampled,
    subsampled,
    tally,
    together,
    two_laws,
    worst_excess,
)
from dpcheck.papers.wang2016.trials.learners_tried import Differing, papers_own
from dpcheck.parts.mechanisms.resampling import Resampled
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import Band, Page, Plot
from dpcheck.trial.relations import refuted_by
from dpcheck.trial.rows import Findings, Row, bound, exact
from dpcheck.trial.run import Run
from dpcheck.utility.stability import Bounds, ExpectedLosses, expected_losses

#: Two hypotheses of loss 0 and 1, whatever the record.
_FIXED = FiniteProblem((0, 1), ("good", "bad"), ((0, 0), (1, 1)))  # type: ignore[arg-type]
_STATED = "lem-10, L10.stmt: the learner of the proof has 2 xi"


def always(seed: int, quick: bool) -> Findings:
    """Claim 2: the always-AERM value of the subsampled learner against xi and 2 xi at the size of the sample."""
    numbers = (4, 9, 16) if quick else (4, 9, 16, 25, 36)
    ratio, outcomes = _one_learner()
    rows: list[Row] = []
    tried = {n: papers_own(1.0, math.isqrt(n)) for n in numbers}
    for name in tried[numbers[0]]:
        cases, again = [], []
        for n in numbers:
            learner, problem = tried[n][name]
            table = expected_losses(learner, problem, math.isqrt(n), form="histogram")
            rate = table.largest_excess(Fraction(1, 10**7))
            one, other = subsampled(table, n).always_above_minimum(), resampled(table, n).always_above_minimum()
            cases.append(at_most("wang2016:lem-10", f"n = {n}", one, rate + rate, largest=1))
            again.append(at_most("wang2016:lem-10", f"n = {n}", other, point(rate.high), largest=1))
            at = {"n": n, "learner": name}
            rows += exact("drawn without replacement", [one], **at) + exact("drawn with replacement", [other], **at)
            rows += bound("xi(floor(sqrt n))", [rate], **at) + bound("2 xi(floor(sqrt n))", [2 * float(rate)], **at)
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
    outcomes.append(_private_with_replacement())
    told = f"On one learner the value without replacement is {ratio:.4g} times xi. {tally(outcomes)}"
    return Findings(rows, outcomes, told)


ALWAYS = Page(
    "A private learner on a random part always nearly minimises",
    "xi(k) is the largest excess risk of a learner from k records over every distribution of a bit (a "
    "polynomial, enclosed); beside it the largest excess empirical risk of that learner on floor(sqrt n) of n "
    "records, over all datasets, drawn without replacement as in the proof and with replacement as in the "
    "repair.",
    (
        Plot(
            "always",
            "Always-AERM value of a subsampled learner: {learner}",
            "n",
            "largest excess empirical risk",
            each="learner",
            scale="log",
        ),
    ),
)


def _one_learner() -> tuple[float, list[Outcome]]:
    """The learner by which lemma 10 fails as printed: its value over xi, and what is claimed of it."""
    differing = expected_losses(Differing(), _FIXED, 2)
    rate = differing.largest_excess(Fraction(1, 10**9))
    four = subsampled(differing, 4).always_above_minimum()
    direct = expected_losses(SubsampledLearner(Differing(), 4), _FIXED, 4, form="histogram").always_above_minimum()
    return float(four) / float(rate), [
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
        at_most("wang2016:lem-10", "the same with 2 xi", four, rate + rate, largest=1),
        at_most(
            "wang2016:lem-10",
            "as repaired, drawing with replacement, the rate is xi: the same learner and n",
            resampled(differing, 4).always_above_minimum(),
            rate,
            largest=1,
        ),
    ]


def _private_with_replacement() -> Outcome:
    """What privacy the repaired learner has."""
    private = []
    for n in (4, 9):
        claim = PureDP(2 / math.sqrt(n) * (math.e - 1 / math.e) * (1 - 1e-12))
        learner = Resampled(RegularisedExponential(TWO, [0, 1], 1.0), math.isqrt(n), n)
        private.append(privacy("wang2016:lem-10", f"n = {n}", two_laws(learner, binary_pairs(n)), claim))
    return together(
        private,
        "with replacement it is (2/sqrt n)(e^eps - e^-eps)-DP as well (epsilon = 1, n = 4, 9)",
        "exact laws of the resampled exponential mechanism",
    )


def characterisations(seed: int, quick: bool) -> Findings:
    """Theorem 7: its chain from a learner to an AERM learner and back, in numbers; and where it fails as printed."""
    numbers = (4, 16, 36) if quick else (4, 16, 36, 64, 100)
    chain, private, sums = [], [], []
    rows: list[Row] = []
    for n in numbers:
        k = math.isqrt(n)
        table = expected_losses(RegularisedExponential(TWO, [0, 1], 1.0), TWO, k)
        part = subsampled(table, n)
        aerm = part.always_above_minimum()
        loss = _loss_of_part(Fraction(k, n))
        found = (part if n <= 36 else table).largest_excess(Fraction(1, 10**6))
        chain.append(at_most("wang2016:thm-7", f"n = {n}", found, aerm + loss, largest=1))
        sums.append(float(aerm + loss))
        rows += exact("excess risk, every distribution of a bit", [found], n=n)
        rows += exact("always-AERM value", [aerm], n=n) + exact("e^eps' - 1", [loss], n=n)
        rows += bound("their sum (cor-9)", sums[-1:], n=n)
    for n in numbers[:2]:
        learner = SubsampledLearner(RegularisedExponential(TWO, [0, 1], 1.0), n)
        claim = PureDP(math.log1p(math.isqrt(n) / n * math.expm1(1.0)) * (1 - 1e-12))
        private.append(privacy("wang2016:thm-7", f"n = {n}", two_laws(learner, binary_pairs(n)), claim))
    outcomes = [
        together(
            chain,
            f"1 => 3 => 1 in numbers, n = {numbers[0]} to {numbers[-1]}: the excess risk of the subsampled learner is "
            "at most its always-AERM value + e^eps' - 1, eps' = log(1 + gamma (e^eps - 1))",
            f"{len(chain)} exact chains; at n = {numbers[-1]} the excess risk is {float(found):.4g}, the sum "
            f"{sums[-1]:.4g}",
        ),
        together(
            private,
            f"and it is eps'-DP, n = {' and '.join(map(str, numbers[:2]))}: this eps' tends to 0 with gamma",
            "; ".join(each.detail for each in private),
        ),
        refuted_by(
            "wang2016:thm-7",
            "2 => 1 as printed: a private learner that is AERM for each distribution, without one rate for all, "
            "makes its problem privately learnable",
            labels_of_integers(),
            "labels of the integers have such a learner, and from n records under the uniform law on 2n points "
            "every learner's risk is at least 1/4",
            expected="thm-7, T7.21: definition 5 asks for no rate that serves all distributions",
        ),
    ]
    falls = "falls" if all(a > b for a, b in pairwise(sums)) else "does not fall"
    return Findings(rows, outcomes, f"The sum of privacy and AERM value {falls} with n. {tally(outcomes)}")


CHARACTERISATIONS = Page(
    "Private learnability is private AERM, in numbers",
    "The exponential mechanism of a bit at epsilon = 1, subsampled: its privacy, its always-AERM value and its "
    "largest excess risk, exactly, at squares n; and the problem by which 2 => 1 fails as printed.",
    (
        Plot(
            "chain",
            "From a private learner to one with vanishing epsilon, and back",
            "n",
            "excess, or e^eps' - 1",
            scale="log",
        ),
    ),
)


def _loss_of_part(share: Fraction) -> Bounds:
    """e^eps' - 1 of a learner at epsilon = 1 on that share of the records."""
    gained = exponential(1) - point(1)
    return Bounds(share * gained.low, share * gained.high)


#: P(1) in the family of distributions of lemma 14 and theorem 15.
_FAMILY = [Fraction(i, 10) for i in (6, 7, 8, 9)]


def restricted(seed: int, quick: bool) -> Findings:
    """Lemma 14 and theorem 15, for the distributions of a bit with P(1) among four values."""
    roots = (6, 17) if quick else (4, 6, 9, 17, 23)
    numbers = [root**4 for root in roots]
    lemma, theorem, limits, slack = [], [], [], []
    most = max(worst_excess(TWO, [1 - chance, chance]) for chance in _FAMILY)
    rows: list[Row] = []
    for root, n in zip(roots, numbers, strict=True):
        erm = expected_losses(_Majority(), TWO, root).largest_excess(Fraction(1, 10**6))
        table = expected_losses(RegularisedExponential(TWO, [0, 1], 1.0), TWO, root**2)
        loss = _loss_of_part(Fraction(root**2, n))
        aerm, excess = _over_family(table, n)
        limit = Bounds(12 * erm.low, 12 * erm.high) + point(Fraction(37, root**2)) + excess
        lemma.append(at_most("wang2016:lem-14", f"n = {n:,}", aerm, limit, largest=1))
        theorem.append(at_most("wang2016:thm-15", f"n = {n:,}", excess, aerm + loss, largest=most))
        limits.append(float(limit.low))
        slack.append(limits[-1] / float(aerm.high))
        rows += exact("upper end of the AERM value", [aerm.high], n=n)
        rows += bound("12 xi'(n^(1/4)) + 37/sqrt n + xi(sqrt n) (lem-14)", limits[-1:], n=n)
        rows += bound("AERM + e^eps' - 1 (thm-15)", [(aerm + loss).high], n=n)
    said = [n for n, limit in zip(numbers, limits, strict=True) if limit < 1]
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
        refuted_by(
            "wang2016:ex-17",
            "the step of its proof that subsampling keeps a learner AERM where the problem is not learnable",
            sample_is_not_enough(),
            "a learner of excess 1/10 on one record has excess 1/2 as one on one of two records",
            expected="ex-17, X17: a learner on a small sample minimises on the sample only (the example itself holds)",
        ),
    ]
    told = f"The bound of lemma 14 is {min(slack):.3g} times the AERM value or more. {tally(outcomes)}"
    # all sizes before those at which the bound speaks; 1 where it always does
    silent = max((n for n in numbers if n not in said), default=1)
    return Findings(rows, outcomes, told, {"silent": silent})


RESTRICTED = Page(
    "Private DD-learnability and AERM over a family of distributions",
    "DD: bits with P(1) = 0.6, 0.7, 0.8, 0.9. A: the exponential mechanism at epsilon = 1 on sqrt n records, "
    "exact; A' the same on a random part of n; xi' the rate of the majority of n^(1/4) bits over every "
    "distribution. The expected least empirical risk is bounded by the mean deviation of the number of ones.",
    (
        Plot(
            "restricted",
            "AERM rate of a subsampled learner over a family of distributions",
            "n",
            "excess empirical risk",
            scale="log",
            shades=(Band("lem-14 says nothing: its rate is 1 or more", x=(None, "silent")),),
        ),
    ),
)


def _over_family(table: ExpectedLosses, n: int) -> tuple[Bounds, Bounds]:
    """The largest AERM value, on a random part of n records, and the largest excess risk over the family."""
    share = Fraction(table.size, n)
    none = point(0)
    aerms, excesses = [none], [none]
    for p in _FAMILY:
        risks = table.under([1 - p, p])
        # E Rhat(A'(Z), Z): the drawn records count as seen, the others as fresh (14)
        seen, fresh = risks.empirical, risks.risk
        # E min(J, n - J)/n is below min(p, 1 - p), and above it less the mean deviation of J/n
        best = min(p, 1 - p)
        off = Fraction(math.isqrt(int(p * (1 - p) * 10**12 / n)) + 1, 10**6)
        aerms.append(
            Bounds(
                share * seen.low + (1 - share) * fresh.low - best,
                share * seen.high + (1 - share) * fresh.high - best + off,
            )
        )
        excesses.append(risks.excess)
    return _largest(aerms), _largest(excesses)


def _largest(values: Sequence[Bounds]) -> Bounds:
    return Bounds(max(each.low for each in values), max(each.high for each in values))


class _Majority:
    """The majority of bits, 0 where there is none."""

    order_blind = True

    def distribution(self, dataset: Any) -> dict[int, Fraction]:
        """All on one answer."""
        return {int(2 * sum(dataset) > len(dataset)): Fraction(1)}


RUNS = (
    Run("always-aerm", ("wang2016:lem-10",), always, (0.2, 0.4), ALWAYS),
    Run("characterisation", ("wang2016:thm-7",), characterisations, (0.3, 0.5), CHARACTERISATIONS),
    Run(
        "restricted-families",
        ("wang2016:lem-14", "wang2016:thm-15", "wang2016:ex-17"),
        restricted,
        (0.3, 0.8),
        RESTRICTED,
    ),
)
