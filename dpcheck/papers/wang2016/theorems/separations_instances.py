"""The exact instances that the steps of wang2016's sections 3.3 and 3.4 are decided on."""

from __future__ import annotations

import itertools
from fractions import Fraction

from dpcheck.proof.instances import Enumeration


def risk_outside(points: int, intervals: int) -> list[tuple[bool, Fraction]]:
    """Of thresholds on a fine grid: whether they are in J_1, and their empirical risk on Z_1.

    ``intervals`` cells of width eta = 1/intervals, thresholds in their middles; Z_1 has half of its points at
    h_1 - eta/6, half at h_1 + eta/6.
    """
    eta = Fraction(1, intervals)
    middle = eta / 2
    data = [middle - eta / 6] * (points // 2) + [middle + eta / 6] * (points - points // 2)
    labels = [x > middle for x in data]
    found = []
    for step in range(24 * intervals + 1):
        h = Fraction(step, 24 * intervals)
        wrong = sum((x > h) != label for x, label in zip(data, labels, strict=True))
        found.append((abs(h - middle) <= eta / 3, Fraction(wrong, points)))
    return found


def half_is_wrong() -> Enumeration:
    """A threshold outside J_1 gets just half of Z_1 wrong, so that 0.15 outside are an empirical risk of 0.075."""
    count, failure = 0, ""
    for points, intervals in itertools.product((2, 4, 10), (2, 3, 8)):
        for inside, risk in risk_outside(points, intervals):
            count += 1
            if not inside and risk != Fraction(1, 2):
                failure = f"{points} points, {intervals} intervals: a risk of {risk}"
        at_home = Fraction(85, 100) * 0 + Fraction(15, 100) * Fraction(1, 2)
        if not at_home < Fraction(1, 10) or Fraction(85, 100) > Fraction(9, 10):
            failure = "0.15 outside"
    return Enumeration(
        "n in {2, 4, 10}, K in {2, 3, 8}, thresholds on a grid of eta/24: all outside J_1 err on half of Z_1; a "
        "law with 0.85 on h_1 and 0.15 on such a threshold has the empirical risk 0.075", count, failure,
    )  # fmt: skip


def two_intervals(low: Fraction = Fraction(9, 100)) -> Enumeration:
    """K = 2, e^(eps n) = 2, n = 2: P(A(Z_2) in J_2) = 0.91 and P(A(Z_1) not in J_1) = 0.82, for an eps-DP learner.

    The learner answers h_1 with probability ``low 2^(1 - d/2)``, d the records in which its data differ from Z_1, at
    most 2, and h_2 else; e^eps is the square root of 2, so ratios are compared by their squares.
    """
    # the square of P(h_1) at d = 0, 1, 2
    squares = [4 * low**2, 2 * low**2, low**2]
    failure = ""
    for one, other in ((0, 1), (1, 0), (1, 2), (2, 1)):
        if not squares[one] <= 2 * squares[other]:  # e^(2 eps) = 2
            failure = "P(h_1) moves by more than e^eps"
    # 1 - P(h_1): from 0.82 at d = 0 to 0.91 at d = 2, a factor below the square root of 2 over both steps
    if not ((1 - low) / (1 - 2 * low)) ** 2 <= 2:
        failure = "P(h_2) moves by more than e^eps"
    if not 1 - low > Fraction(9, 10) or not 1 - 2 * low < Fraction(9, 10):
        failure = f"P(A(Z_2) in J_2) = {1 - low}, P(A(Z_1) not in J_1) = {1 - 2 * low}"
    return Enumeration(
        "n = 2, eps = log(2)/2, K = 2: P(A(Z) = h_1) = 0.18 * 2^(-d/2), d = d(Z, Z_1), else h_2: eps-DP, P(A(Z_2) "
        "in J_2) = 0.91, P(A(Z_1) not in J_1) = 0.82", 3, failure,
    )  # fmt: skip


def each_distribution_is_learnt(atoms: Fraction = Fraction(4)) -> Enumeration:
    """For every law in sixths on four atoms the set of what was seen has an expected risk of at most 4/n, exact."""
    count, failure = 0, ""
    for weights in itertools.product(range(7), repeat=4):
        if sum(weights) != 6:
            continue
        for n in range(1, 31):
            count += 1
            risk = sum((Fraction(w, 6) * (1 - Fraction(w, 6)) ** n for w in weights), Fraction(0))
            if not risk <= atoms / n:
                failure = f"{weights}, n = {n}"
        if not sum((Fraction(w, 6) * (1 - Fraction(w, 6)) ** 200 for w in weights), Fraction(0)) < Fraction(1, 10**10):
            failure = f"{weights}, n = 200"
    return Enumeration(
        "every law in sixths on four atoms, n = 1..30: the expected risk of the set of what was seen is at most "
        "4/n (and below 1e-10 at n = 200)", count, failure,
    )  # fmt: skip


def sample_is_not_enough(own: Fraction = Fraction(9, 10)) -> Enumeration:
    """Two records a, b, one drawn: the excess is 1/10 on one record, and 1/2 for the subsampled learner."""
    chance = {True: own, False: 1 - own}  # P({own}), P({other}): log(9)-DP
    count, failure = 0, ""
    if not chance[True] <= 9 * chance[False]:
        failure = "not log(9)-DP"
    worst = {1: Fraction(0), 2: Fraction(0)}
    for n in (1, 2):
        for data in itertools.product("ab", repeat=n):
            count += 1
            risk = sum(
                chance[answer == drawn] * Fraction(sum(z != answer for z in data), n) / n
                for drawn in data
                for answer in "ab"
            )
            worst[n] = max(worst[n], Fraction(risk))  # the least empirical risk is 0: {a, b}
    if worst != {1: Fraction(1, 10), 2: Fraction(1, 2)}:
        failure = str(worst)
    return Enumeration(
        "points a, b, H = their sets, l = I[z not in h]; on one record A answers its set with probability 9/10, "
        "the other point's with 1/10 (log(9)-DP): the largest excess on one record is 1/10, of A on one of two "
        "records 1/2", count, failure,
    )  # fmt: skip


def stabbed_intervals(reach: Fraction = Fraction(1, 3)) -> Enumeration:
    """Records are intervals within one of K cells around its middle: outside the cell the empirical risk is 1."""
    count, failure = 0, ""
    for cells in (2, 5):
        width = Fraction(1, cells)
        for place in range(cells):
            middle = (2 * place + 1) * width / 2
            ends = [width * reach / 4 * step for step in (1, 2, 4)]
            records = [(middle - left, middle + right) for left, right in itertools.product(ends, repeat=2)]
            for data in itertools.combinations_with_replacement(records, 2):
                for step in range(24 * cells + 1):
                    count += 1
                    h = Fraction(step, 24 * cells)
                    risk = Fraction(sum(not a <= h <= b for a, b in data), 2)
                    if risk != (1 if abs(h - middle) > width / 3 else 0) and (
                        h == middle or abs(h - middle) > width / 3
                    ):
                        failure = f"{cells} cells, place {place}, {data}, h = {h}"
    return Enumeration(
        "K in {2, 5} cells, records [a, b] around the middle of one cell, at most a third of its width to each "
        "side, all pairs of nine of them: the middle has the empirical risk 0, what is further than a third of a "
        "cell from it 1", count, failure,
    )  # fmt: skip
