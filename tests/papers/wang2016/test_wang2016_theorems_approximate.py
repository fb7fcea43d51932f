"""wang2016, section 6 and appendix B: instances behind refuted lines stand, broken ones do not; exact subsampling."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from operator import mul

import numpy as np
import pytest

from dpcheck.papers.wang2016.learners import PerturbedMinimiser
from dpcheck.papers.wang2016.theorems import approximate_instances as instances


@pytest.mark.parametrize(
    "broken",
    [
        lambda: instances.sample_of_a_sample(as_printed=False),  # with A(Z'_I) the two sides agree
        lambda: instances.order_of_three(keeps_order=False),
        lambda: instances.order_of_windows(ratio=2),
        lambda: instances.order_of_windows(width=1),
        lambda: instances.tenth_powers(as_printed=False),
        lambda: instances.fair_records(1),  # half of the noise: the constant 1.4 is not reached
    ],
)
def test_broken_instances_do_not_stand(broken) -> None:  # type: ignore[no-untyped-def]
    assert broken().failure


@pytest.mark.parametrize("with_first", [True, False])
@pytest.mark.parametrize("case", [(9, 4, 2, 2, 3), (10, 4, 2, 3, 5), (8, 5, 1, 3, 2)])
def test_likeness_in_the_order_of_the_dataset(case: tuple[int, int, int, int, int], with_first: bool) -> None:
    n, k, width, windows, ratio = case
    records = [0, *(p for p in range(1, windows + 1) for _ in range(width))]
    records += [-1] * (n - len(records))
    terms = [
        Fraction(1, ratio ** sum(records[i] != p for p, i in enumerate(rows[1 : windows + 1], 1)))
        for rows in itertools.combinations(range(n), k)
        if (0 in rows) == with_first
    ]
    assert sum(terms) / len(terms) == instances._likeness(n, k, width, windows, ratio, with_first)


@pytest.mark.parametrize(("n", "k"), [(n, k) for n in range(2, 8) for k in range(1, n)])
def test_subsets_are_as_many_as_counted(n: int, k: int) -> None:
    sets = [set(rows) for rows in itertools.combinations(range(n), k)]
    first, second = [s for s in sets if 0 in s], [s for s in sets if 0 not in s]
    assert (len(first), len(second)) == (math.comb(n - 1, k - 1), math.comb(n - 1, k))
    assert Fraction(len(first), len(second)) == Fraction(k, n - k)
    assert all(sum(len(i - j) == 1 for j in first) == k for i in second)
    assert all(sum(len(i - j) == 1 for i in second) == n - k for j in first)


def test_subsampling_keeps_what_lemmas_29_and_31_say() -> None:
    """A on k records with a law by the number of ones, one of them (log 3, 1/10)-private; all n up to 9, all k."""
    for n in range(2, 10):
        for k in range(1, n):
            gamma = Fraction(k, n)
            for base, delta, ratio in (
                (Fraction(0), Fraction(1), Fraction(1)),
                (Fraction(1, 4), Fraction(1, 10), Fraction(3)),
            ):
                law = _rising(k, base, delta, ratio)
                mixed = [sum(map(mul, _drawn(n, k, ones), law), Fraction(0)) for ones in range(n + 1)]
                if ratio == 1:
                    assert all(abs(a - b) <= gamma for a, b in itertools.pairwise(mixed))
                    continue
                stretched, more = 1 + gamma * ratio * (ratio - 1), gamma * ratio * delta
                for a, b in itertools.pairwise(mixed):
                    for p, q in ((a, b), (b, a), (1 - a, 1 - b), (1 - b, 1 - a)):
                        assert p <= stretched * q + more


def _drawn(n: int, k: int, ones: int) -> list[Fraction]:
    """How likely it is that k of n records hold 0, 1, .., k of the ones."""
    return [Fraction(math.comb(ones, j) * math.comb(n - ones, k - j), math.comb(n, k)) for j in range(k + 1)]


def _rising(k: int, base: Fraction, delta: Fraction, ratio: Fraction) -> list[Fraction]:
    """P(A says 1) on k records with 0, 1, .. ones: rising as fast as (log ratio, delta)-privacy lets it."""
    law = [base]
    for _ in range(k):
        law.append(min(ratio * law[-1] + delta, 1 - (1 - law[-1] - delta) / ratio, Fraction(1)))
    return law


def test_the_repaired_noise_covers_what_the_minimiser_moves() -> None:
    rng = np.random.default_rng(5)
    learner = PerturbedMinimiser()
    for _ in range(60):
        n = int(rng.integers(1, 9))
        left = rng.integers(0, 3, n) / 2
        right = left.copy()
        right[0] = 1 - right[0]
        moved = abs(learner.minimiser(list(left)) - learner.minimiser(list(right)))
        assert moved <= 2 / (2 + (2 * (n - 1)) ** (1 / 9)) + 1e-9
