"""The exact instances that the steps of wang2016's first part (subsampling, stability, AERM) are decided on."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

from dpcheck.proof.instances import Enumeration

#: n, k = floor(sqrt n), how many records of their own follow the first, and e^eps.
_KEPT = (900, 30, 7, 45)


def ratio_when_order_is_kept(n: int, k: int, marks: int, ratio: int) -> tuple[Fraction, Fraction]:
    """The likelihood ratio of the subsampled learner, and P(E | i in S)/P(E | i not in S), the order being kept.

    Z is a, b_1, ..., b_marks, c, ..., c and Z' has c in place of a. The learner answers E with probability
    ``ratio^-d / 2``, d the number of the first ``marks + 1`` places of its sample that differ from a, b_1, ...
    """
    number = math.comb(n - 1, k - 1)
    drawn = Fraction(0)
    for chosen in itertools.product((0, 1), repeat=marks):
        shown = [place for place in range(marks) if chosen[place]]
        rest = k - 1 - len(shown)
        if 0 <= rest <= n - 1 - marks:
            right = sum(1 for place, mark in enumerate(shown) if place == mark)
            drawn += Fraction(math.comb(n - 1 - marks, rest), number * ratio ** (marks - right))
    # without record 1 the r-th record of the sample has an index above r: all the first places differ
    left_out = Fraction(1, ratio ** (marks + 1))
    gamma = Fraction(k, n)
    return (gamma * drawn + (1 - gamma) * left_out) / (gamma * drawn / ratio + (1 - gamma) * left_out), drawn / left_out


def order_kept() -> Enumeration:
    """A learner that looks at the order of a sample that keeps it: its loss is above log 22."""
    n, k, marks, ratio = _KEPT
    failure = ""
    for d in range(marks + 1):  # records replaced one at a time move d by at most 1
        for one, other in ((d, d + 1), (d + 1, d)):
            first, second = Fraction(1, 2 * ratio**one), Fraction(1, 2 * ratio**other)
            if not (first <= ratio * second and 1 - first <= ratio * (1 - second)):
                failure = f"the learner is not private: d = {one}, {other}"
    whole, inside = ratio_when_order_is_kept(n, k, marks, ratio)
    if not whole > 22 or not inside > ratio:
        failure = f"ratio {float(whole)}"
    return Enumeration(
        f"n = {n}, k = {k}, e^eps = {ratio}, samples in the order of the dataset: Z = (a, b_1, ..., b_{marks}, c, ..., "
        f"c), Z' = (c, b_1, ...); A answers E with probability e^(-eps d)/2, d the places among the first {marks + 1} "
        "where its sample is not "
        "(a, b_1, ...); exact sums over which of the b are drawn", 2**marks, failure,
    )  # fmt: skip


def chance_of_error(ones: int, size: int) -> Fraction:
    """P(0) of the learner of two hypotheses that answers 1 with odds ``2^(2 ones - size)``."""
    return Fraction(2 ** (size - ones), 2**ones + 2 ** (size - ones))


def point_mass(exponent: int = 1, most: int = 30) -> Enumeration:
    """On all ones the learner errs with probability ``1/(1 + 2^k)`` on k records: exact, with its privacy."""
    failure = ""
    for n in range(1, most + 1):
        for ones in range(n):
            one, other = chance_of_error(ones, n), chance_of_error(ones + 1, n)
            if not (one <= 4 * other and 1 - other <= 4 * (1 - one)):
                failure = f"n = {n}: not log(4)-DP"
        if chance_of_error(n, n) != Fraction(1, 1 + 2 ** (exponent * n)):
            failure = f"n = {n}"
    # 2 of 4 records, against twice the rate of 4
    if not chance_of_error(2, 2) > 2 * chance_of_error(4, 4):
        failure = "n = 4"
    return Enumeration(
        "Z = H = {0, 1}, l = |h - z|, A answers 1 with odds 2^(2j - k), j the ones among k records: log(4)-DP, and "
        "under the "
        f"distribution that is always 1 its excess risk is 1/(1 + 2^k); n = 1..{most}", most, failure,
    )  # fmt: skip


def factor_lost(equal: Fraction = Fraction(1, 4)) -> Enumeration:
    """k = 2 of n = 4: the subsampled learner's empirical excess 5/12 is above the learner's rate xi(2) = 3/8."""
    excess = {0: equal, 1: Fraction(1, 2)}  # by whether the two records differ
    count, failure = 0, ""
    for first, second in ((0, 1), (1, 0)):
        if not (excess[first] <= 2 * excess[second] and 1 - excess[first] <= 2 * (1 - excess[second])):
            failure = "not log(2)-DP"
    # the rate: p^2 + q^2 >= 1/2, so the largest excess over all distributions is at p = 1/2; on a grid with that point
    rate = max(
        sum(
            excess[int(one != other)] * math.prod(p if z else 1 - p for z in (one, other))
            for one, other in itertools.product((0, 1), repeat=2)
        )
        for p in (Fraction(i, 100) for i in range(101))
    )
    largest = Fraction(0)
    for data in itertools.product((0, 1), repeat=4):
        count += 1
        pairs = list(itertools.combinations(data, 2))
        largest = max(largest, sum((excess[int(one != other)] for one, other in pairs), Fraction(0)) / len(pairs))
    if rate != Fraction(3, 8) or largest != Fraction(5, 12):
        failure = f"rate {rate}, subsampled {largest}"
    return Enumeration(
        "Z = {0, 1}, H = {good, bad} of loss 0 and 1 whatever the record; on two records A answers bad with "
        "probability 1/4 if they are equal and 1/2 if not (log(2)-DP): xi(2) = 3/8 over all distributions; all Z "
        "of 4 records, all their pairs: the largest excess is 5/12", count, failure,
    )  # fmt: skip


def labels_of_integers(base: int = 2) -> Enumeration:
    """The learner of all functions on the integers: its loss, and its excess, on all datasets of 3 records."""
    count, failure = 0, ""
    records = list(itertools.product((1, 2, 3), (0, 1)))
    places = (1, 2)  # m(n): the points it looks at

    def ones(data: tuple[tuple[int, int], ...]) -> list[Fraction]:
        """P(h(x) = 1), with odds base^(ones - zeros): base = 2 = e^(eps/2)."""
        differences = [sum(2 * y - 1 for x, y in data if x == place) for place in places]
        return [1 / (1 + Fraction(base) ** -d) for d in differences]

    def worst(one: list[Fraction], other: list[Fraction]) -> Fraction:
        return math.prod((max(p / q, (1 - p) / (1 - q)) for p, q in zip(one, other, strict=True)), start=Fraction(1))

    for data in itertools.product(records, repeat=3):
        chances = ones(data)
        excess = Fraction(0)
        for place, chance in zip(places, chances, strict=True):
            d = sum(2 * y - 1 for x, y in data if x == place)
            excess += abs(d) * (chance if d < 0 else 1 - chance)
        if not excess <= len(places) / math.log(4):
            failure = f"{data}: excess {excess} of 3 records"
        for i, record in itertools.product(range(3), records):
            count += 1
            other = (*data[:i], record, *data[i + 1 :])
            if not worst(chances, ones(other)) <= 4:
                failure = f"{data}, {other}: {worst(chances, ones(other))}"
    return Enumeration(
        "all datasets of 3 labelled records with points 1, 2, 3 and their neighbours, e^eps = 4, m = 2: the loss "
        "is at most eps, and the excess mistakes on the points up to m at most m/eps", count, failure,
    )  # fmt: skip
