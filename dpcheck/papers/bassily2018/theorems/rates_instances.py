"""The exact instances that the lines on the number of mistakes, abstentions and queries are decided on."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np

from dpcheck.papers.bassily2018.theorems.answering_instances import label_chance, noise
from dpcheck.proof.instances import Enumeration


def printed_cutoff(error: float, queries: int, failure: float) -> float:
    """T of thm-3.2: ``3(a m + sqrt(a m log(m/beta)/2))``."""
    mean = error * queries
    return 3 * (mean + math.sqrt(mean * math.log(queries / failure) / 2))


def three_mistakes() -> Enumeration:
    """A classifier with error 1/100 on 100 queries makes 3 mistakes or more with probability above 1/20."""
    p, m = Fraction(1, 100), 100
    tail = 1 - sum(math.comb(m, i) * p**i * (1 - p) ** (m - i) for i in range(3))
    bound = printed_cutoff(0.01, m, 0.05) / 3
    failure = "" if tail > Fraction(1, 20) and bound < 3 else f"probability {float(tail)}, B = {bound}"
    return Enumeration(
        f"Bin(100, 1/100): three or more with probability {float(tail):.4f}, B = {bound:.3f}", 1, failure
    )


def two_queries() -> Enumeration:
    """Two queries on a point of mass 7/1000 where all classifiers are wrong; all places of the two queries."""
    a, failure = Fraction(7, 1000), ""
    cutoff = printed_cutoff(0.007, 2, 1e-6)
    both = one = Fraction(0)
    for wrong in itertools.product((False, True), repeat=2):
        chance = math.prod((a if each else 1 - a for each in wrong), start=Fraction(1))
        both += chance * all(wrong)
        one += chance * any(wrong)
    if not (cutoff < 1 and both == a**2 > 2 * Fraction(1, 10**6) and one > Fraction(1, 10**6)):
        failure = f"T = {cutoff}, both {float(both)}, one {float(one)}"
    return Enumeration(
        f"m = 2, alpha = 7/1000, beta = 10^-6: T = {cutoff:.4f}, both queries wrong with probability {float(both):.3g}",
        4,
        failure,
    )


def two_abstentions() -> Enumeration:
    """Two queries where the votes are split by k fair coins: no label twice; the binomial sum, epsilon = 1."""
    epsilon, delta, m = 1.0, 1e-6, 2
    lam = noise(epsilon, delta)
    models = math.ceil(34 * math.sqrt(2) * lam * math.log(4 * m / min(delta, 1e-6 / 2)))
    none = total = 0.0
    for ones in range(models + 1):
        log_chance = (
            math.lgamma(models + 1) - math.lgamma(ones + 1) - math.lgamma(models - ones + 1) - models * math.log(2)
        )
        if log_chance < -700:
            continue
        distance = max(0, abs(2 * ones - models) - 1)
        label = label_chance(delta / (2 * m) * math.exp(distance / (2 * lam)))
        total += math.exp(log_chance)
        none += math.exp(log_chance) * (1 - label) ** 2
    chance = 0.014**2 * none
    failure = (
        ""
        if abs(total - 1) < 1e-6 and chance > 2e-6 and printed_cutoff(0.007, m, 1e-6) < 1
        else f"probability {chance}"
    )
    return Enumeration(
        f"m = 2, k = {models} models that are wrong on one of two points of mass 7/1000 by a fair coin: two abstentions with "
        f"probability {chance:.4g} > 2 10^-6", models + 1, failure,
    )  # fmt: skip


def one_model() -> Enumeration:
    """epsilon = 20000: one model, and no label, from the exact law of alg-2."""
    from dpcheck.papers.bassily2018.learners import Scales, answers_law

    delta, beta = 1e-6, 1e-7
    lam = noise(20000.0, delta)
    models = 34 * math.sqrt(2) * lam * math.log(4 / min(delta, beta / 2))
    law = answers_law([[0, 1]], Scales(2 * lam * math.log(2 / delta), lam, 2 * lam, 1, 1))
    assert law.exact is not None
    chances = dict(zip(law.outputs, (float(chance.mid()) for chance in law.exact), strict=True))
    failure = "" if 0 < models <= 1 and chances[("⊥",)] > 1 - 1e-6 else f"k = {models}, {chances}"
    return Enumeration(f"k = {models:.3f} rounded up to 1: no label with probability {chances[('⊥',)]:.8f}", 1, failure)


def no_mistakes() -> Enumeration:
    """Tables without a mistake, up to 4 queries and 4 classifiers: no query is counted, and B/xi is 0."""
    count, failure = 0, ""
    for m, k in itertools.product(range(1, 5), repeat=2):
        for halves in range(1, 5):
            count += 1
            xi = Fraction(halves, 8)
            wrong = np.zeros((m, k), dtype=int).sum(axis=1)
            if sum(int(each) > xi * k for each in wrong) < 0 / xi:
                failure = f"m = {m}, k = {k}, xi = {xi}"
    return Enumeration("no mistakes: m, k in 1..4, xi in {1/8, 1/4, 3/8, 1/2}", count, failure)


def one_query() -> Enumeration:
    """Two targets that differ at a point of mass 1/n: a learner that has not seen it errs there on one of them.

    For n = 2..200 the chance, over sample and query, that the point is the query and not in the sample.
    """
    failure = ""
    for n in range(2, 201):
        unseen = (1 - Fraction(1, n)) ** n * Fraction(1, n)
        if not unseen / 2 > Fraction(1, 16 * n):
            failure = f"n = {n}"
    return Enumeration(
        "n = 2..200, one query, targets {h0, h1}: misclassified with probability above 1/(16n) for one of them",
        199,
        failure,
    )


def one_noisy_query() -> Enumeration:
    """A label that is flipped with probability 1/(4C): every output is wrong at least so often; C = 1..50."""
    count, failure = 0, ""
    for constant in range(1, 51):
        gamma = Fraction(1, 4 * constant)
        for output in (0, 1, None):
            count += 1
            wrong = sum(chance for label, chance in ((0, 1 - gamma), (1, gamma)) if output != label)
            if not wrong >= gamma > Fraction(1, 8 * constant):
                failure = f"C = {constant}, output {output}"
    return Enumeration(
        "C = 1..50, one query whose label is 1 with probability 1/(4C), each of three outputs", count, failure
    )
