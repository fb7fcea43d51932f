"""The finite families and exact instances that the steps of alon2019 are decided on."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np

from dpcheck.proof.instances import Enumeration, all_classes, differences, growth, restrictions, vc_dimensions


def pairs_of_dichotomies() -> Enumeration:
    """The differences' patterns on V are at most the square of the class's, for every class on 4 points and every V."""
    classes = all_classes(4)
    mixed = differences(classes)
    failure = ""
    for mask in range(16):
        own = restrictions(classes, mask).sum(axis=1)
        both = restrictions(mixed, mask).sum(axis=1)
        bad = np.flatnonzero(both > own**2)
        if bad.size:
            failure = f"class {bad[0] + 1}, V = {mask:04b}: {both[bad[0]]} > {own[bad[0]]}^2"
    return Enumeration(
        "every non-empty class on 4 points with every set V of them, the empty set included", len(classes) * 16, failure
    )


def growth_of_differences() -> Enumeration:
    """The growth of the differences is at most the square of the class's: every class on 4 points, m = 0..4."""
    classes = all_classes(4)
    mixed = differences(classes)
    failure = ""
    for size in range(5):
        bad = np.flatnonzero(growth(mixed, size) > growth(classes, size) ** 2)
        if bad.size:
            failure = f"class {bad[0] + 1}, m = {size}"
    return Enumeration("every non-empty class on 4 points with every m from 0 to 4", len(classes) * 5, failure)


def sauer_shelah() -> Enumeration:
    """At most sum_{i <= d} C(m, i) patterns on m points: every class on 4 points, m = 0..4."""
    classes = all_classes(4)
    dimension = vc_dimensions(classes)
    failure = ""
    for size in range(5):
        most = np.array([sum(math.comb(size, i) for i in range(d + 1)) for d in range(5)])
        bad = np.flatnonzero(growth(classes, size) > most[dimension])
        if bad.size:
            failure = f"class {bad[0] + 1}, m = {size}"
    return Enumeration("every non-empty class on 4 points with every m from 0 to 4", len(classes) * 5, failure)


def dichotomies_are_represented() -> Enumeration:
    """One member per dichotomy of That agrees with every member on That: every class on 3 points, every set That.

    Representatives are the first member of each dichotomy; and the last.
    """
    classes = all_classes(3)
    count, failure = 0, ""
    for row, members in enumerate(classes):
        functions = np.flatnonzero(members)
        for mask in range(8):
            for order in (1, -1):
                chosen = {int(function) & mask: int(function) for function in functions[::order]}
                count += 1
                if any((int(function) ^ chosen[int(function) & mask]) & mask for function in functions):
                    failure = f"class {row + 1}, That = {mask:03b}"
    return Enumeration(
        "every non-empty class on 3 points, every set That of them (the empty one included), first and last "
        "representatives", count, failure,
    )  # fmt: skip


def _weights(points: int, total: int) -> list[tuple[int, ...]]:
    return [weights for weights in itertools.product(range(total + 1), repeat=points) if sum(weights) == total]


def _mass(pattern: int, weights: tuple[int, ...]) -> int:
    return sum(weight for j, weight in enumerate(weights) if pattern >> j & 1)


def uncovered_means_bad() -> Enumeration:
    """A representative farther than alpha from a member it stands for makes the event Bad happen.

    Every class on 3 points, every set That, every law with weights in thirds, alpha at every value of the distance and
    just below it.
    """
    classes = all_classes(3)
    laws = _weights(3, 3)
    count, failure = 0, ""
    distance = {(pattern, law): _mass(pattern, law) for pattern in range(8) for law in laws}
    for row, members in enumerate(classes):
        functions = [int(function) for function in np.flatnonzero(members)]
        mixed = {a ^ b for a in functions for b in functions}
        for mask in range(8):
            silent = [pattern for pattern in mixed if not pattern & mask]
            for law in laws:
                worst = max(distance[pattern, law] for pattern in silent)
                for alpha in range(3):
                    count += 1
                    uncovered = any(
                        distance[a ^ b, law] > alpha for a in functions for b in functions if not (a ^ b) & mask
                    )
                    if uncovered and not worst > alpha:
                        failure = f"class {row + 1}, That = {mask:03b}, law {law}, alpha {alpha}/3"
    return Enumeration(
        "every non-empty class on 3 points, every set That, every law in thirds, alpha in {0, 1/3, 2/3}, all "
        "representatives", count, failure,
    )  # fmt: skip


def pairs_as_differences() -> Enumeration:
    """The two events of chain1 have the same probability: every class on 3 points, every law in thirds, n = 0, 1, 2."""
    classes = all_classes(3)
    laws = _weights(3, 3)
    count, failure = 0, ""
    for row, members in enumerate(classes):
        functions = [int(function) for function in np.flatnonzero(members)]
        pairs = {(a, b) for a in functions for b in functions}
        mixed = {a ^ b for a, b in pairs}
        for law in laws:
            for alpha in (0, 1, 2):
                for size in (0, 1, 2):
                    count += 1
                    first = second = Fraction(0)
                    for sample in itertools.product(range(3), repeat=size):
                        chance = math.prod((Fraction(law[j], 3) for j in sample), start=Fraction(1))
                        if not chance:
                            continue
                        mask = sum(1 << j for j in set(sample))
                        first += chance * any(_mass(a ^ b, law) > alpha and not (a ^ b) & mask for a, b in pairs)
                        second += chance * any(_mass(h, law) > alpha and not h & mask for h in mixed)
                    if first != second:
                        failure = f"class {row + 1}, law {law}, alpha {alpha}/3, n = {size}"
    return Enumeration(
        "every non-empty class on 3 points, every law in thirds, alpha in {0, 1/3, 2/3}, n in {0, 1, 2}", count, failure
    )


def finite_classes_have_minimisers() -> Enumeration:
    """A finite non-empty class has a member of least error: every class on 3 points, every law of points and labels."""
    classes = all_classes(3)
    laws = list(itertools.product(_weights(3, 2), itertools.product((0, 1, 2), repeat=3)))
    count, failure = 0, ""
    for row, members in enumerate(classes):
        functions = [int(function) for function in np.flatnonzero(members)]
        for law, ones in laws:
            count += 1
            errors = [
                sum(
                    weight * (2 - one if function >> j & 1 else one)
                    for j, (weight, one) in enumerate(zip(law, ones, strict=True))
                )
                for function in functions
            ]
            if not any(error <= min(errors) for error in errors):
                failure = f"class {row + 1}, law {law}, labels {ones}"
    return Enumeration(
        "every non-empty class on 3 points, every law of points in halves and of labels in halves", count, failure
    )


def agreeing_on_one_of_six() -> Enumeration:
    """All functions on six points, uniform, one public point: two of them agree there and differ on the other five."""
    count, failure = 0, ""
    for seen in range(6):
        count += 1
        first, second = 0, 0b111111 ^ (1 << seen)
        if (first ^ second) >> seen & 1 or not Fraction((first ^ second).bit_count(), 6) > Fraction(1, 2):
            failure = f"point {seen}"
    return Enumeration(
        "all functions on 6 points under the uniform law, alpha = 1/2, n_pub = 1: P[Bad] = 1", count, failure
    )


def uncovered_on_six() -> Enumeration:
    """The same with representatives that are 0 outside the public point: some function is far from both."""
    count, failure = 0, ""
    for seen in range(6):
        count += 1
        chosen = (0, 1 << seen)
        far = max(range(64), key=lambda h: min((h ^ c).bit_count() for c in chosen))
        if not min(Fraction((far ^ c).bit_count(), 6) for c in chosen) > Fraction(1, 2):
            failure = f"point {seen}"
    return Enumeration(
        "all functions on 6 points under the uniform law, alpha = 1/2, n_pub = 1, for each public point the "
        "representatives 0 and its indicator: P[no cover] = 1", count, failure,
    )  # fmt: skip


def cofinite_representatives() -> Enumeration:
    """Sets of at most 2 of 64 points and their complements: VC dimension 5, and one public point covers nothing.

    With the complement of the public point and the whole set as representatives, the empty set is at distance 63/64 or
    more from both, above alpha = exp(-1/16), whatever the public point.
    """
    points, k, count, failure = 64, 2, 0, ""
    for pattern in range(2**5):  # five points are shattered: by small sets, or by complements of small sets
        count += 1
        if min(pattern.bit_count(), 5 - pattern.bit_count()) > k:
            failure = "not shattered"
    if min(3, 6 - 3) <= k:
        failure = "six points could be shattered"
    for seen in range(points):
        count += 1
        full = (1 << points) - 1
        chosen = (full ^ (1 << seen), full)
        if any((c >> seen & 1) != label for c, label in zip(chosen, (0, 1), strict=True)):
            failure = f"point {seen}: not representatives"
        if not min(Fraction(c.bit_count(), points) for c in chosen) > Fraction(94, 100) > Fraction(math.exp(-1 / 16)):
            failure = f"point {seen}"
    return Enumeration(
        "C = 1, k = 2, d = 5: at most 2 of 64 points or all but at most 2, uniform law, n_pub = 1, all labels 0, "
        "representatives cofinite: every public sample fails", count, failure,
    )  # fmt: skip


def far_minimiser() -> Enumeration:
    """A cover whose only minimiser of the error is far from the class's only minimiser, for n_pub = 1..50."""
    star, near, far = (0, 0, 0), (0, 1, 1), (1, 0, 1)  # on a, b, c
    failure = ""
    for n in range(1, 51):
        tail = Fraction(1, 8 * n)
        mass, ones = (1 - 2 * tail, tail, tail), (Fraction(1, 2), Fraction(0), Fraction(0))
        error = {
            h: sum(m * (1 - one if label else one) for m, one, label in zip(mass, ones, h, strict=True))
            for h in (star, near, far)
        }
        distance = sum(m for m, one, other in zip(mass, far, star, strict=True) if one != other)
        if not error[star] < error[far] < error[near] or distance != 1 - tail or (1 - 2 * tail) ** n < Fraction(3, 4):
            failure = f"n_pub = {n}"
    return Enumeration(
        "X = {a, b, c} with D_X(b) = D_X(c) = 1/(8 n_pub), a fair label on a, label 0 on b and c, H = {000, 011, 101} "
        "(d = 1), n_pub = 1..50: with probability at least 3/4 the public sample is all a; the cover may be {011, 101}",
        50,
        failure,
    )


def short_sample() -> Enumeration:
    """n_priv = 10, n_pub = 1: alg-3 stops before position 10 with probability 1 - (99/100)^9; all coins."""
    p, stops = Fraction(1, 100), Fraction(0)
    count = 0
    for coins in itertools.product((0, 1), repeat=10):
        count += 1
        chance = math.prod((p if coin else 1 - p for coin in coins), start=Fraction(1))
        first = next((i for i, coin in enumerate(coins, start=1) if coin), None)
        if first is not None and first < 10:  # the only element of Stilde is used up there: the loop ends
            stops += chance
    failure = "" if stops == 1 - (1 - p) ** 9 and stops > Fraction(1, 16) else f"probability {stops}"
    return Enumeration(
        "n_priv = 10, n_pub = 1, so ntilde = 1: all 2^10 sequences of coins; the loop ends early with probability "
        f"{float(stops):.4f}", count, failure,
    )  # fmt: skip
