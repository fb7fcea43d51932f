"""High confidence by private boosting: theorem 25 as printed and as repaired."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpcheck.claims import PureDP
from dpcheck.learners.wang2016 import BoostedLearner, RegularisedExponential
from dpcheck.learners.wang2016.boosting import printed_size
from dpcheck.reality.measuring import Run
from dpcheck.reality.model import Chart, Mark, Measurement, Outcome, Shade, Table
from dpcheck.reality.relations import enclosed
from dpcheck.reality.wang2016.exact import EXACT, TWO, binary_pairs, curve, instance, kept, loss_of, privacy, tally, together, two_laws
from dpcheck.theorems.bounds import value_of
from dpcheck.theorems.wang2016.bounds import BOUNDS
from dpcheck.theorems.wang2016.confidence_instances import boosting_as_printed

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


def _binomial(size: int, chance: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    from scipy.stats import binom

    ones = np.arange(size + 1, dtype=np.float64)
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
            "as printed, with C = 1: R(h) - R* <= e xi + sqrt(log(3/delta)/n) with probability at least 1 - delta",
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
            "as repaired: max{eps(m), (log(3/delta) + 1)/sqrt n}-DP, m the size of a part (n = 4, 5, 6, exact laws over all orders)",
            f"{'; '.join(each.detail for each in private)}",
        )
    )
    failures = (0.2, 0.05, 0.01, 1e-3, 1e-4)
    sizes = (10**3, 10**4, 10**5, 10**6)
    epsilon = 0.5
    holds, rows = [], []
    drawn: dict[str, list[float]] = {"single": [], "boosted": [], "delta": []}
    needed: dict[str, list[float]] = {"bound": [], "printed": [], "logs": []}
    spoken = 0
    for n in sizes if not quick else sizes[:3] + sizes[3:]:
        for failure in failures:
            log = math.log(3 / failure)
            candidates = math.ceil(log)
            part = n // (candidates + 1)
            cost = float(value_of(BOUNDS["confidence"], n=n, failure=failure))
            # xi of the mechanism on a bit: at most log(2)/c + tanh(eps/2) is large; its exact excess at this gap is used
            gap = min(1.0, 6 / math.sqrt(part) / epsilon)
            wrong = chance_of_wrong(part, epsilon, gap)
            boosted = failure_of_boosting(wrong, candidates, part, (log + 1) / math.sqrt(n), gap)
            bound = math.e * gap * wrong + cost
            if gap > bound:
                spoken += 1
                holds.append(
                    enclosed("wang2016:thm-25", f"n = {n:,}, delta = {failure:g}", max(0.0, boosted - _DOUBLES), boosted + _DOUBLES, failure)
                )
            rows.append(
                (f"{n:,}", f"{failure:g}", str(candidates), f"{part:,}", f"{gap:.3g}", f"{wrong:.3g}", f"{boosted:.3g}", f"{bound:.3g}")
            )
            if n == 10**5:
                drawn["single"].append(wrong)
                drawn["boosted"].append(boosted)
                drawn["delta"].append(failure)
                needed["logs"].append(log)
                needed["bound"].append(cost)
                needed["printed"].append(math.sqrt(log / n))
    # the whole excess 1, at sizes where the bound speaks of it
    full = []
    for n in (10**5, 10**6):
        for failure in failures:
            log = math.log(3 / failure)
            candidates = math.ceil(log)
            part = n // (candidates + 1)
            cost = float(value_of(BOUNDS["confidence"], n=n, failure=failure))
            gap = min(1.0, cost * 1.01)
            wrong = chance_of_wrong(part, epsilon, gap)
            if math.e * gap * wrong + cost < gap:
                boosted = failure_of_boosting(wrong, candidates, part, (log + 1) / math.sqrt(n), gap)
                full.append(
                    enclosed("wang2016:thm-25", f"n = {n:,}, delta = {failure:g}", max(0.0, boosted - _DOUBLES), boosted + _DOUBLES, failure)
                )
    every = holds + full
    outcomes.append(
        together(
            every,
            "as repaired: R(h) - R* <= e xi(m) + 54 log(3/delta)/sqrt n with probability at least 1 - delta, a bit, the "
            f"exponential mechanism at epsilon = {epsilon:g}, gaps just above the bound",
            f"{len(every)} pairs of n and delta where the bound is below the gap; the failure probability is at most "
            f"{max((float(e.detail.split('[')[1].split(',')[0]) for e in every), default=0):.3g}",
        )
        if every
        else Outcome("says nothing", "as repaired, at these sizes", "the bound is above 1", "wang2016:thm-25")
    )
    outcomes[-1] = Outcome(**{**outcomes[-1].__dict__, "kind": "upper bound", "learner": "wang2016.boost"})
    speaks = {failure: next(n for n in (10**e for e in range(2, 12)) if 54 * math.log(3 / failure) / math.sqrt(n) < 1) for failure in failures}
    charts = (
        Chart(
            "boosting-failure",
            "Failure probability at n = 100,000",
            "claimed failure probability delta",
            "probability of picking the worse hypothesis",
            (
                curve("single run on a part", 0, drawn["delta"], drawn["single"]),
                curve("alg-boost", 1, drawn["delta"], drawn["boosted"]),
                curve("delta", 2, drawn["delta"], drawn["delta"], bound=True),
            ),
            y_log=True,
            alt="Exact failure probabilities of a single run and of boosting against the claimed one.",
        ),
        Chart(
            "boosting-cost",
            "What confidence costs at n = 100,000",
            "log(3/delta)",
            "excess risk",
            (
                curve("54 log(3/delta)/sqrt n, repaired", 0, needed["logs"], needed["bound"], bound=True),
                curve("sqrt(log(3/delta)/n), printed with C = 1", 1, needed["logs"], needed["printed"], bound=True),
            ),
            (Mark("1: a bound above says nothing", y=1.0),),
            x_log=False,
            y_log=True,
            alt="The repaired cost is linear in log(3/delta), the printed one its root.",
            shades=(Shade("the repaired bound says nothing", y=(1.0, None)),),
        ),
    )
    better = sum(b < s for s, b in zip(drawn["single"], drawn["boosted"], strict=True))
    return Measurement(
        "boosting",
        "High confidence by private boosting",
        ("wang2016:thm-25",),
        "A bit whose better value is ahead by a gap; the exponential mechanism at epsilon = 1/2 on each part. Failure "
        "probabilities are sums over binomial laws: of each candidate, of how many are wrong, and of the choice on the "
        "validation part. The cost of confidence as printed and as repaired; and exact privacy of the whole on few records.",
        f"At n = 100,000 boosting fails less often than a single run at {better} of {len(failures)} values of delta. The repaired "
        f"cost is below 1 from n = {speaks[failures[0]]:,} on at delta = {failures[0]:g} (powers of ten), and from "
        f"{speaks[failures[-1]]:,} at {failures[-1]:g}. {tally(outcomes)}",
        EXACT + " Failure probabilities in doubles, right to 1e-9.",
        charts,
        (
            Table(
                "Boosting against a single run",
                ("n", "delta", "candidates", "part", "gap", "single run fails", "boosted fails", "e xi + 54 log(3/delta)/sqrt n"),
                tuple(rows),
            ),
        ),
        tuple(outcomes),
    )


RUNS = (Run("boosting", ("wang2016:thm-25",), boosting, (3.0, 4.0)),)
