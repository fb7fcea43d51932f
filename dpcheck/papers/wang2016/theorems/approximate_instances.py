"""The exact instances that the lines of section 6 and appendix B are refuted by."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

from dpcheck.proof.instances import Enumeration


def sample_of_a_sample(as_printed: bool = True) -> Enumeration:
    """n = 4, two records drawn, A says whether it has seen no y; Z = (x, x, x, x), Z' = (y, x, x, x): both sides of L29."""

    def says(records: str) -> Fraction:
        return Fraction(int("y" not in records))

    def mean(values: list[Fraction]) -> Fraction:
        return sum(values, Fraction(0)) / len(values)

    z, other = "xxxx", "yxxx"
    sets = list(itertools.combinations(range(4), 2))
    with_first = [rows for rows in sets if 0 in rows]
    left = mean([says("".join(z[i] for i in rows)) for rows in sets])
    right = mean([says("".join(other[i] for i in rows)) for rows in sets])
    one = mean([says("".join(z[i] for i in rows)) for rows in with_first])
    if as_printed:  # A' draws one of the two records of Z_I
        inner = mean([says(z[i]) for rows in with_first for i in rows])
    else:
        inner = mean([says("".join(other[i] for i in rows)) for rows in with_first])
    right += (one - inner) * Fraction(len(with_first), len(sets))
    return Enumeration(
        "n = 4, all subsets of two records, A says whether no y is among them, (x, x, x, x) against (y, x, x, x)", 1,
        "" if left == 1 and right == Fraction(1, 2) else f"{left} against {right}",
    )  # fmt: skip


def order_of_three(keeps_order: bool = True) -> Enumeration:
    """Two of three records, A answers E with probability 2^-d/2, d the places unlike (z_2, z_3): L31.low at i = 3."""

    def answers(sample: tuple[int, ...]) -> Fraction:
        return Fraction(1, 2 ** (1 + sum(a != b for a, b in zip(sample, (2, 3), strict=True))))

    def drawn(sample: tuple[int, ...]) -> Fraction:
        orders = [sample] if keeps_order else list(itertools.permutations(sample))
        return sum(map(answers, orders), Fraction(0)) / len(orders)

    failure = ""
    for one, other in itertools.product(itertools.product(range(1, 5), repeat=2), repeat=2):
        if sum(a != b for a, b in zip(one, other, strict=True)) == 1:  # A is log(2)-private: E and not E, on neighbours
            p, q = answers(one), answers(other)
            if not (p <= 2 * q and 1 - p <= 2 * (1 - q)):
                failure = f"not private: {one}, {other}"
    without, inside = drawn((1, 2)), (drawn((1, 3)) + drawn((2, 3))) / 2
    if not without < inside / 2:
        failure = f"{without} against {inside}/2"
    return Enumeration(
        "n = 3, two records in the order of the dataset, e^eps = 2, delta = 0; A's privacy on all pairs over 4 values", 1, failure
    )  # fmt: skip


def _likeness(records: int, drawn: int, width: int, windows: int, ratio: int, with_first: bool) -> Fraction:
    """The mean of ratio^-d, d the places 2, .., windows + 1 of an ordered sample unlike b_1, b_2, .., given record 1 or not.

    Records 2, 3, .. are ``width`` times b_1, ``width`` times b_2, and so on; window after window, by how many are drawn.
    """
    left = drawn - 1 if with_first else drawn
    before = 0 if with_first else 1  # without record 1 all others stand one place earlier
    sums = {0: 1}
    for window in range(1, windows + 1):
        new: dict[int, int] = {}
        for seen, value in sums.items():
            for more in range(min(width, left - seen) + 1):
                alike = seen < window + before <= seen + more
                new[seen + more] = new.get(seen + more, 0) + value * math.comb(width, more) * (ratio if alike else 1)
        sums = new
    rest = records - 1 - windows * width
    total = sum(value * math.comb(rest, left - seen) for seen, value in sums.items() if left - seen <= rest)
    return Fraction(total, math.comb(records - 1, left) * ratio**windows)


def order_of_windows(width: int = 6, ratio: int = 8) -> Enumeration:
    """Lemma 31 for samples in the order of the dataset: 50 of 1600 records, e^eps = 8, delta = 0, exact."""
    records, drawn, windows = 1600, 50, 25
    failure = ""
    for d in range(windows + 1):  # one place changes d by at most 1
        high, low = Fraction(1, 2 * ratio**d), Fraction(1, 2 * ratio ** (d + 1))
        if not (high <= ratio * low and 1 - low <= ratio * (1 - high)):
            failure = f"not private: d = {d}"
    gamma = Fraction(drawn, records)
    inside = _likeness(
        records, drawn, width, windows, ratio, True
    )  # of Z, where the first place is a; Z' has 1/ratio of it
    outside = _likeness(records, drawn, width, windows, ratio, False) / ratio
    found = (gamma * inside + (1 - gamma) * outside) / (gamma * inside / ratio + (1 - gamma) * outside)
    claimed = 1 + gamma * ratio * (ratio - 1)
    if not found > claimed + Fraction(1, 10):
        failure = f"{float(found)} against {float(claimed)}"
    return Enumeration(
        "n = 1600, samples of 50 in the order of the dataset, e^eps = 8: a (or another record), six times b_1, .., six times "
        "b_25, then c; A answers E with probability 8^-d/2, d of the first 26 places unlike a, b_1, .., b_25", 1, failure
    )  # fmt: skip


def tenth_powers(as_printed: bool = True) -> Enumeration:
    """Records 0 against all but one 0 and a 1: the minimiser moves by 1/(1 + (n-1)^(1/9)), and the loss is s/b."""
    from dpcheck.papers.wang2016.learners import PerturbedMinimiser

    failure = ""
    for records, least in ((5, 1.15), (8, 1.78), (100, 18.0), (1000, 150.0)):
        learner = PerturbedMinimiser(epsilon=records**-0.9, as_printed=as_printed)
        left, right = [0.0] * records, [0.0] * (records - 1) + [1.0]
        moved = learner.minimiser(right) - learner.minimiser(left)
        loss = learner.profile(left, right).epsilon(0.0) / records**-0.9
        closed = 1 / (1 + (records - 1) ** (1 / 9))
        if abs(moved - closed) > 1e-9 or abs(loss - closed * records / 2) > 1e-6 * loss or loss < least:
            failure = f"n = {records}: moved {moved}, loss {loss} eps"
    return Enumeration(
        "n = 5, 8, 100, 1000 records 0 against n - 1 and a 1, loss |x - h|^10, noise of scale 2/(eps n), eps = n^(-9/10)", 1, failure
    )  # fmt: skip


def fair_records(scale: int = 2) -> Enumeration:
    """The exact excess of 1/2 + W over records 0 and 1 in equal parts, W of scale 2/n^(1/10), n up to 1000^10."""
    failure = ""
    for root in (2, 4, 6, 8, 10, 100, 1000):  # n = root^10
        b = Fraction(scale, root)
        moments = (math.comb(10, k) * math.factorial(k) * b**k * Fraction(1, 2) ** (10 - k) for k in range(2, 11, 2))
        excess = sum(moments, Fraction(0))
        beyond = 0 if root < 100 else 1000  # multiples of n^(-9/10)
        if not excess >= Fraction(14, 10) / root**2 or not excess > Fraction(beyond, root**9):
            failure = f"n = {root}^10: {float(excess)}"
    return Enumeration(
        "records 0 and 1 in equal parts, n = 2^10, 4^10, .., 10^10, 100^10, 1000^10: all moments of the noise", 1, failure
    )  # fmt: skip


def tenth_powers_and_fair_records() -> Enumeration:
    """Both of them."""
    first, second = tenth_powers(), fair_records()
    return Enumeration(f"{first.family}; {second.family}", 1, first.failure or second.failure)
