"""The exact instances that refute statements of the appendices of beimel2015."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

from dpcheck.proof.instances import Enumeration


def coin_for_the_unseen(alpha: Fraction = Fraction(1, 100)) -> Enumeration:
    """Two examples and a coin for a point not seen: the failure probability, by all samples and coins.

    alpha = 1/100, all four targets on two points, every mass p of the first in steps of 1/2000.
    """
    most = Fraction(1, 2) - alpha + alpha**2
    count, failure = 0, ""
    for i in range(2_001):
        mass = (Fraction(i, 2_000), 1 - Fraction(i, 2_000))
        count += 1
        fails = Fraction(0)
        for sample in itertools.product((0, 1), repeat=2):
            unseen = sum(mass[x] for x in (0, 1) if x not in sample)  # by symmetry the same for all targets
            if unseen > alpha:  # the coin is wrong half of the time, and the error is then the mass of the point
                fails += mass[sample[0]] * mass[sample[1]] / 2
        if not fails <= most < Fraction(1, 2):
            failure = f"p = {i}/2000: {fails}"
    if not 1 / (16 * alpha) > 2:
        failure = "two examples are as many as the theorem asks for"
    return Enumeration(
        f"all functions on two points, m = 2, alpha = {alpha}, a coin for a point not seen: every mass in steps of 1/2000",
        count, failure,
    )  # fmt: skip


def singleton_of_the_example(points: int = 2000) -> Enumeration:
    """One example, the singletons of 2000 points: its singleton is off by 1 - 1/2000 (alpha = beta = 999/1000)."""
    alpha, count, failure = Fraction(999, 1000), 0, ""
    for seen in range(points):
        count += 1
        singleton = {seen}
        empirical, true = Fraction(int(seen in singleton)), Fraction(len(singleton), points)
        if not abs(true - empirical) > alpha:
            failure = f"example {seen}"
    if not 50 / 0.999**2 * math.log(1 / 0.999**2) < 0.2:
        failure = "the theorem asks for more than one example"
    return Enumeration(
        f"the singletons of {points} points, uniform, f = 0, m = 1, alpha = beta = 999/1000: every sample",
        count,
        failure,
    )


def one_point_for_sixteen(points: int = 16) -> Enumeration:
    """The singletons: each one-element database is off by more than exp(-1/4), for every m from 16 to 100 (K = 1)."""
    count, failure = 0, ""
    for m in range(points, 101):
        database = [i % points for i in range(m)]
        for only in range(points):
            count += 1
            # the singleton of the element itself
            if not 1 - Fraction(database.count(only), m) > Fraction(779, 1000) > Fraction(math.exp(-1 / 4)):
                failure = f"m = {m}, element {only}"
    return Enumeration(
        f"the singletons of {points} points, S of m = {points}..100 entries with each point equally often up to one, alpha = "
        "exp(-1/4), so K = 1 gives one element: every database of one element", count, failure,
    )  # fmt: skip
