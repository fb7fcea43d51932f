"""The exact instances that the lines of section 5.1 and appendix A.6 are refuted by."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck.model.claims import PureDP
from dpcheck.proof.instances import Enumeration


def three_fair_coins(records: int = 6) -> Enumeration:
    """a = 1, delta_1 = 1/9, losses that are fair coins: how often the mean of n/2 of them exceeds 1/2 by the printed root."""
    validation = records // 2
    root = math.sqrt(math.log(18) / (2 * records))
    exceeds = sum((sum(coins) / validation - 0.5 > root) for coins in itertools.product((0, 1), repeat=validation))
    chance = Fraction(exceeds, 2**validation)
    return Enumeration(
        "n = 6, a = 1, delta_1 = 1/9, three validation losses, fair coins: all 8 outcomes", 1,
        "" if chance > Fraction(1, 9) else f"probability {chance}",
    )  # fmt: skip


def one_validation_record(exponent: int = 1500) -> Enumeration:
    """a = 25, n = 26: the exact probability that the hypothesis with excess 3/4 is chosen, and the printed bounds."""
    from flint import arb

    p, flipped, a = Fraction(1, 8), Fraction(1, 1000), 25
    q = p * (1 - flipped) + (1 - p) * flipped  # how often one record gives b
    rate = Fraction(1, 8) + flipped  # of that run, the largest of (1 - 2p)(p + flipped (1 - 2p)) or less
    chance = arb(0)
    for copies in range(a + 1):
        how_often = arb(math.comb(a, copies)) * (q**copies * (1 - q) ** (a - copies)).numerator
        how_often /= (q**copies * (1 - q) ** (a - copies)).denominator
        for record, mass in ((0, 1 - p), (1, p)):  # b, of which there are ``copies``, loses 1 - z, g loses z
            bad = copies * arb(-exponent * (1 - record)).exp()
            good = (a - copies) * arb(-exponent * record).exp()
            chance += how_often * mass.numerator / mass.denominator * bad / (bad + good)
    threshold = (
        arb(1).exp() * rate.numerator / rate.denominator
        + (arb(40 * a).log() / (2 * (a + 1))).sqrt()
        + 8 * (2 * arb(a + 1).log() + arb(a).log()) / (4 * exponent)
    )
    printed = arb(1) / (a + 1) ** 2 + arb(1) / 20 + (-arb(a)).exp()
    stands = threshold < arb(3) / 4 and chance > printed
    return Enumeration(
        "a = 25, n = 26, z = 1 with probability 1/8, g loses z, b loses 1 - z, one record gives the better one but for 1/1000", 1,
        "" if stands else f"threshold {threshold.str(6)}, probability {chance.str(6)} against {printed.str(6)}",
    )  # fmt: skip


@dataclass(frozen=True)
class _RandomisedResponse:
    """The one record, or its opposite with probability 1/(1 + e^epsilon)."""

    epsilon: int

    @property
    def claim(self) -> PureDP:
        return PureDP(Fraction(self.epsilon))

    def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
        return int(dataset[0]) ^ int(rng.random() < 1 / (1 + math.exp(self.epsilon)))

    def distribution(self, dataset: Any) -> dict[int, Any]:
        from flint import arb

        flipped = 1 / (1 + arb(self.epsilon).exp())
        return {int(dataset[0]): 1 - flipped, 1 - int(dataset[0]): flipped}


def boosted_randomised_response(epsilon: int = 6) -> Enumeration:
    """Three records, delta = 3 e^-2: the exact law of alg-boost on (0, 0, 0) and (1, 0, 0), and its closed form."""
    from dpcheck.papers.wang2016.learners import BoostedLearner, absolute_loss
    from dpcheck.papers.wang2016.learners.boosting import printed_size

    learner = BoostedLearner(_RandomisedResponse(epsilon), absolute_loss([0, 1]), 3, 3 * math.exp(-2), "nearest")
    before, after = (
        {output: float(chance) for output, chance in zip(law.outputs, law.exact, strict=True)}[1]
        for law in (learner.distribution([0, 0, 0]), learner.distribution([1, 0, 0]))
    )
    flip, weight = 1 / (1 + math.exp(epsilon)), math.exp(-math.sqrt(3) / 4)
    lost, won = weight / (1 + weight), 1 / (1 + weight)
    first = flip**2 + 2 * flip * (1 - flip) * lost
    second = (
        2 / 3 * (flip * (1 - flip) + ((1 - flip) ** 2 + flip**2) * lost)
        + (first - 2 * flip * (1 - flip) * (lost - won)) / 3
    )
    printed = max(epsilon / math.sqrt(printed_size(3)), float(learner.epsilon_of_choice))
    closed = abs(before - first) < 1e-12 and abs(after - second) < 1e-12
    stands = closed and (learner.candidates, learner.part_size) == (2, 1) and math.log(after / before) > printed + 1
    return Enumeration(
        "n = 3, delta = 3 e^-2, a = 2, randomised response at 6 on one record, loss |h - z|: (0, 0, 0) against (1, 0, 0)", 1,
        "" if stands else f"loss {math.log(after / before)} against {printed}, closed form {closed}",
    )  # fmt: skip


def boosting_as_printed(constant: float = 1.0, candidates: int = 20, part: int = 100) -> Enumeration:
    """C = 1, L = 20, m = 100: how often alg-boost returns the hypothesis that loses 2C/sqrt(m); and the privacy of a = 2."""
    gap = 2 * constant / math.sqrt(part)
    records, q = (candidates + 1) * part, 1 / (2 * math.e)
    weight = math.exp(-math.sqrt(records) * gap / 4)
    chance = sum(
        math.comb(candidates, k) * q**k * (1 - q) ** (candidates - k) * k * weight / (k * weight + candidates - k)
        for k in range(candidates + 1)
    )
    allowed = math.e * gap * q + constant * math.sqrt(candidates / records)
    stands = allowed < gap <= 1 and chance > 2 * 3 * math.exp(-candidates)
    private = boosted_randomised_response()
    return Enumeration(
        "C = 1, delta = 3 e^-20, a = 20, n = 2100: a hypothesis that loses 0.2 comes with probability 1/(2e) from each run; and "
        + private.family, 1, private.failure if stands else f"excess {gap} against {allowed}, probability {chance}",
    )  # fmt: skip
