"""High confidence by private boosting: theorem 25 as printed and as repaired."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dpcheck.papers.wang2016.learners import BoostedLearner, RegularisedExponential
from dpcheck.papers.wang2016.theorems.bounds import BOUNDS
from dpcheck.papers.wang2016.theorems.confidence_instances import boosting_as_printed
from dpcheck.papers.wang2016.trials.exact import (
    EXACT,
    TWO,
    binary_pairs,
    curve,
    instance,
    privacy,
    tally,
    together,
    two_laws,
)
from dpcheck.proof.bounds import value_of
from dpcheck.trial.model import Chart, Mark, Measurement, Outcome, Shade, Table
from dpcheck.trial.relations import enclosed
from dpcheck.trial.run import Run

#: What sums of doubles over binomial laws are right to.
_DOUBLES = 1e-9


def chance_of_wrong(size: int, epsilon: float, gap: float) -> float:
    """P(the exponential mechanism on a bit picks the worse hypothesis) from ``size`` bits of mean ``(1 + gap)/2``.

    The law given j ones has the log odds ``(eps/4)(2j - size)`` with the paper's sensitivity; summed over j.
    """
    ones, masses = _binomial(size, (1 + gap) / 2)
    return float((masses * _falling(epsilon / 4 * (2 * ones - size))).sum())


def failure_of_boosting(wrong: float, candidates: int, part: int, epsilon_of_choice: float, gap: float) -> float:
    """P(alg-boost picks the worse hypothesis), each candidate being wrong with probability ``wrong``.

    With k of a candidates wrong the choice has the weights k w and a - k, ``w = exp(-(eps_v/4)(2j - m))`` for j ones
    among the m validation records.
    """
    ones, masses = _binomial(part, (1 + gap) / 2)
    odds = np.clip(epsilon_of_choice / 4 * (2 * ones - part), -700, 700)
    total = wrong**candidates
    for k in range(1, candidates):
        chance = math.comb(candidates, k) * wrong**k * (1 - wrong) ** (candidates - k)
        total += chance * float((masses * k / (k + (candidates - k) * np.exp(odds))).sum())
    return total


def sizes_of(n: int, failure: float) -> tuple[int, int, float, float]:
    """Candidates, records of a part, epsilon of the choice, and the repaired cost ``54 log(3/delta)/sqrt n``."""
    log = math.log(3 / failure)
    candidates = math.ceil(log)
    cost = float(value_of(BOUNDS["confidence"], n=n, failure=failure))
    return candidates, n // (candidates + 1), (log + 1) / math.sqrt(n), cost


def largest_excess(size: int, epsilon: float) -> float:
    """The largest excess risk of the mechanism on a bit, over a grid of gaps."""
    gaps = np.minimum(1.0, np.geomspace(0.05, 20, 60) / math.sqrt(size))
    return max(float(gap) * chance_of_wrong(size, epsilon, float(gap)) for gap in gaps)


def _binomial(size: int, chance: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    from scipy.stats import binom

    # beyond 12 deviations there is less than 1e-30
    reach = 12 * math.sqrt(size * chance * (1 - chance)) + 60
    ones = np.arange(
        max(0, math.floor(size * chance - reach)), min(size, math.ceil(size * chance + reach)) + 1, dtype=np.float64
    )
    return ones, np.asarray(binom.pmf(ones, size, chance))


def _falling(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(np.clip(odds, -700, 700))))


def boosting(seed: int, quick: bool) -> Measurement:
    """Claim 8: failure probability of a single run and of alg-boost, and what confidence costs."""
    outcomes: list[Outcome] = []
    printed = boosting_as_printed()
    outcomes += [
        instance(
            "wang2016:thm-25",
            "as printed, for C = 1 (the registry refutes it for every C): R(h) - R* <= e xi + sqrt(log(3/delta)/n) "
            "with probability at least 1 - delta",
            printed,
            "delta = 3 e^-20, n = 2100: an excess above it has more than twice that probability",
            kind="upper bound",
            expected="thm-25, T25.C: the last term is linear in log(3/delta)",
        ),
        instance(
            "wang2016:thm-25",
            "as printed: max{eps(n/(log(3/n) + 1)), (log(3/delta) + 1)/sqrt n}-DP",
            printed,
            "three records lose 1 nat more than printed",
            kind="privacy",
            expected="thm-25, T25.priv: log(3/n) for log(3/delta)",
        ),
    ]
    private = []
    for n, failure in ((4, 0.5), (5, 0.5), (6, 0.9)):
        learner = BoostedLearner(RegularisedExponential(TWO, [0, 1], 1.0), TWO, n, failure)
        laws = two_laws(learner, binary_pairs(n))
        one = privacy("wang2016:thm-25", f"n = {n}", laws, learner.claim)
        private.append(one)
    outcomes.append(
        together(
            private,
            "as repaired: max{eps(m), (log(3/delta) + 1)/sqrt n}-DP, m the size of a part (n = 4, 5, 6; exact "
            "laws over all orders)",
            f"{'; '.join(each.detail for each in private)}",
        )
    )
    failures = (0.2, 0.05, 0.01, 1e-3, 1e-4)
    epsilon, shown = 0.5, 10**4
    rows = []
    drawn: dict[str, list[float]] = {
        name: [] for name in ("single", "boosted", "needed", "bound", "printed", "markov", "logs")
    }
    rate = largest_excess(shown, epsilon)
    for failure in failures:
        candidates, part, choice, cost = sizes_of(shown, failure)
        # about one run in eight is wrong at this gap
        gap = 1 / math.sqrt(part) + 4 / (epsilon * part)
        wrong = chance_of_wrong(part, epsilon, gap)
        boosted = failure_of_boosting(wrong, candidates, part, choice, gap)
        low, high = 0.0, 1.0
        for _ in range(12 if quick else 20):
            middle = (low + high) / 2
            enough = (
                failure_of_boosting(chance_of_wrong(part, epsilon, middle), candidates, part, choice, middle) <= failure
            )
            low, high = (low, middle) if enough else (middle, high)
        bound = math.e * largest_excess(part, epsilon) + cost
        for name, value in (
            ("single", wrong),
            ("boosted", boosted),
            ("needed", high),
            ("bound", bound),
            ("printed", math.e * largest_excess(part, epsilon) + math.sqrt(math.log(3 / failure) / shown)),
            ("markov", rate / failure),
            ("logs", math.log(3 / failure)),
        ):
            drawn[name].append(value)
        rows.append(
            (
                f"{failure:g}",
                str(candidates),
                f"{part:,}",
                f"{gap:.3g}",
                f"{wrong:.3g}",
                f"{boosted:.3g}",
                f"{high:.3g}",
                f"{bound:.3g}",
                f"{rate / failure:.3g}",
            )
        )
    every, vacuous, worst = [], 0, 0.0
    for n in (10**4, 10**5, 10**6):
        for failure in failures:
            candidates, part, choice, cost = sizes_of(n, failure)
            gap = cost * 1.01
            wrong = chance_of_wrong(part, epsilon, min(1.0, gap))
            if gap >= 1 or math.e * gap * wrong + cost >= gap:
                vacuous += 1
                continue
            boosted = failure_of_boosting(wrong, candidates, part, choice, gap)
            worst = max(worst, boosted)
            every.append(
                enclosed(
                    "wang2016:thm-25",
                    f"n = {n:,}, delta = {failure:g}",
                    max(0.0, boosted - _DOUBLES),
                    boosted + _DOUBLES,
                    failure,
                )
            )
    outcomes.append(
        replace(
            together(
                every,
                "as repaired: R(h) - R* <= e xi(m) + 54 log(3/delta)/sqrt n with probability at least 1 - delta: a "
                f"bit, the exponential mechanism at epsilon = {epsilon:g}, gaps just above the bound, n = 10^4, "
                "10^5, 10^6",
                f"{len(every)} pairs of n and delta, the failure probability at most {worst + _DOUBLES:.3g}; in "
                f"{vacuous} others the bound is 1 or more and says nothing",
            ),
            kind="upper bound",
            learner="wang2016.boost",
        )
    )
    speaks = {
        failure: next(n for n in (10**e for e in range(2, 12)) if 54 * math.log(3 / failure) / math.sqrt(n) < 1)
        for failure in failures
    }
    charts = (
        Chart(
            "boosting-failure",
            f"Failure at a gap that a single run on a part often misses, n = {shown:,}",
            "claimed failure probability delta",
            "probability of picking the worse hypothesis",
            (
                curve("single run on a part", 0, failures, drawn["single"]),
                curve("alg-boost", 1, failures, drawn["boosted"]),
            ),
            y_log=True,
            alt=(
                "Exact failure probabilities of a single run and of boosting, by the number of parts that delta "
                "asks for."
            ),
        ),
        Chart(
            "boosting-cost",
            f"Excess risk exceeded with probability delta, n = {shown:,}",
            "log(3/delta)",
            "excess risk",
            (
                curve("alg-boost, exact", 0, drawn["logs"], drawn["needed"]),
                curve("e xi(m) + 54 log(3/delta)/sqrt n, repaired", 1, drawn["logs"], drawn["bound"], bound=True),
                curve(
                    "e xi(m) + sqrt(log(3/delta)/n), printed with C = 1", 2, drawn["logs"], drawn["printed"], bound=True
                ),
                curve("xi(n)/delta, Markov for a single run", 3, drawn["logs"], drawn["markov"], bound=True),
            ),
            (Mark("1: a bound above says nothing", y=1.0, colour=5),),
            x_log=False,
            y_log=True,
            alt="The repaired cost is linear in log(3/delta), the printed one its root; what is needed lies far below.",
            shades=(Shade("a bound here says nothing", y=(1.0, None)),),
        ),
    )
    better = sum(b < s for s, b in zip(drawn["single"], drawn["boosted"], strict=True))
    return Measurement(
        "boosting",
        "High confidence by private boosting",
        ("wang2016:thm-25",),
        "A bit whose better value is ahead by a gap; the exponential mechanism at epsilon = 1/2 on each part. "
        "Failure probabilities are sums over binomial laws: of each candidate, of how many are wrong, and of the "
        "choice on the validation part. The cost of confidence as printed and as repaired; and exact privacy of the "
        "whole on few records.",
        f"At n = {shown:,} boosting fails less often than a single run on a part at {better} of {len(failures)} "
        "values of delta. The repaired bound is "
        f"{min(b / v for v, b in zip(drawn['needed'], drawn['bound'], strict=True)):.3g} times the excess needed or "
        f"more; its cost is below 1 from n = {speaks[failures[0]]:,} on at delta = {failures[0]:g} (powers of ten), "
        f"and from {speaks[failures[-1]]:,} at {failures[-1]:g}. {tally(outcomes)}",
        EXACT + " Failure probabilities in doubles, right to 1e-9.",
        charts,
        (
            Table(
                f"Boosting against a single run, n = {shown:,}",
                (
                    "delta",
                    "candidates",
                    "part",
                    "gap",
                    "single run fails",
                    "boosted fails",
                    "excess needed",
                    "e xi + 54 log(3/delta)/sqrt n",
                    "Markov: xi/delta",
                ),
                tuple(rows),
            ),
        ),
        tuple(outcomes),
    )


RUNS = (Run("boosting", ("wang2016:thm-25",), boosting, (1.0, 2.0)),)
