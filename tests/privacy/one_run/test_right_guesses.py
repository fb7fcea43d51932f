"""Bounds on right guesses: against the linear programmes that they are the answers of, and against the papers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.stats import binom, norm

from dpcheck.model.claims import ApproxDP, Claim, GaussianDP, ProfileDP, PureDP, RenyiDP, ZeroConcentratedDP
from dpcheck.privacy.one_run.right_guesses import most_probable, of_one_point, of_trade_off, refutes
from dpcheck.privacy.one_run.trade_off import OfNormalLaws, trade_off_of

Floats = NDArray[np.float64]
SIZES = [(20, 20, 16), (40, 20, 18), (20, 10, 9), (20, 20, 20), (30, 25, 14), (60, 12, 11)]


def largest_tail(
    canaries: int, guesses: int, right: int, epsilons: list[float], deltas: list[float], *, sides: int = 2
) -> float:
    """The most that P(right or more) can be under (epsilon, delta) statements, by a linear programme over all laws.

    ``sides`` 1 leaves out what the claim says of wrong guesses.
    """
    levels, points = guesses + 1, len(epsilons)
    size = levels + sides * points * guesses
    rows, bounds = [], []
    for place, epsilon in enumerate(epsilons):
        odds = math.exp(epsilon)
        total = np.zeros(size)
        for k in range(guesses):
            up, down = (k + 1) / canaries, (guesses - k) / canaries
            for side in range(sides):
                row = np.zeros(size)
                row[k + 1], row[k] = (up, -odds * down) if side == 0 else (-odds * up, down)
                excess = levels + (place * sides + side) * guesses + k
                row[excess], total[excess] = -1.0, 1.0
                rows.append(row)
                bounds.append(0.0)
        rows.append(total)
        bounds.append(deltas[place])
    aim = np.zeros(size)
    aim[right:levels] = -1.0
    whole = np.zeros((1, size))
    whole[0, :levels] = 1.0
    found = linprog(aim, A_ub=np.array(rows), b_ub=bounds, A_eq=whole, b_eq=[1.0], method="highs")
    return float(-found.fun)


@pytest.mark.parametrize(("canaries", "guesses", "right"), SIZES)
@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.01), (0.5, 0.001), (2.0, 0.003), (0.1, 0.05)])
def test_with_one_delta_the_bound_is_the_largest_of_all_laws(
    canaries: int, guesses: int, right: int, epsilon: float, delta: float
) -> None:
    exact = largest_tail(canaries, guesses, right, [epsilon], [delta])
    found = most_probable(right, guesses, canaries, ApproxDP(epsilon, delta))
    assert exact - 1e-6 <= found <= 1.02 * exact + 1e-6


@pytest.mark.parametrize(("canaries", "guesses", "right"), SIZES)
@pytest.mark.parametrize("mu", [0.3, 1.0, 2.0])
def test_of_normal_laws_it_is_above_the_largest_and_not_far(canaries: int, guesses: int, right: int, mu: float) -> None:
    epsilons = np.linspace(0.0, 4.0 * mu + 1.0, 24).tolist()
    exact = largest_tail(canaries, guesses, right, epsilons, [GaussianDP(mu).delta(one) for one in epsilons])
    found = most_probable(right, guesses, canaries, GaussianDP(mu))
    assert found <= 2.0 * exact + 1e-6
    # the programme has some points of the curve only, so that it may lie a little above
    assert found >= 0.97 * exact - 1e-6


def test_without_delta_it_is_the_binomial_law() -> None:
    for guesses, right, epsilon in [(10, 8, 0.0), (100, 80, 1.0), (7, 7, 3.0)]:
        exact = binom.sf(right - 1, guesses, 1.0 / (1.0 + math.exp(-epsilon)))
        for canaries in (guesses, 5 * guesses):
            assert most_probable(right, guesses, canaries, PureDP(epsilon)) == pytest.approx(exact, rel=1e-6)
            assert most_probable(right, guesses, canaries, ApproxDP(epsilon, 0.0)) == pytest.approx(exact, rel=1e-6)


def test_all_right_is_as_probable_as_delta_however_many_there_are() -> None:
    """Tails below the least double once made every bound 0."""
    for guesses in (500, 1074, 1075, 3018):
        for right in (guesses, guesses - guesses // 20):
            assert most_probable(right, guesses, guesses, ApproxDP(0.0, 0.1)) >= 0.1
            assert not refutes(right, guesses, guesses, ApproxDP(0.0, 0.1), 0.05)
    assert most_probable(5, 1000, 1000, ApproxDP(700.0, 1e-5)) == 1.0


def of_steinke(right: int, guesses: int, canaries: int, epsilon: float, delta: float) -> float:
    """Theorem 5.2 of Steinke, Nasr & Jagielski 2023."""
    chance = 1.0 / (1.0 + math.exp(-epsilon))
    tail = binom.sf(right - 1, guesses, chance)
    steps = np.arange(1, right + 1)
    gain = np.max((binom.sf(right - steps - 1, guesses, chance) - tail) / steps)
    return float(min(1.0, tail + 2.0 * canaries * delta * gain))


def of_mahloujifar(right: int, guesses: int, canaries: int, blow_up_inverse: Callable[[float], float]) -> float:
    """The largest probability that their recursion lets pass, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(60):
        tried = 0.5 * (low + high)
        r, h = tried * right / canaries, tried * (guesses - right) / canaries
        for i in range(right - 1, -1, -1):
            more = max(h, blow_up_inverse(r))
            r, h = min(1.0, r + (i / (guesses - i)) * (more - h)), more
        low, high = (low, tried) if r + h > guesses / canaries else (tried, high)
    return high


@pytest.mark.parametrize(("canaries", "guesses", "right"), [*SIZES, (1000, 100, 99), (1000, 200, 190), (5000, 100, 97)])
def test_it_is_never_above_what_the_papers_say(canaries: int, guesses: int, right: int) -> None:
    for epsilon, delta in [(0.5, 1e-3), (1.0, 1e-5), (3.0, 1e-5)]:
        ours = most_probable(right, guesses, canaries, ApproxDP(epsilon, delta))
        assert ours <= of_steinke(right, guesses, canaries, epsilon, delta) * (1 + 1e-4)
    for mu in (0.5, 1.0, 2.0):
        theirs = of_mahloujifar(right, guesses, canaries, lambda y, mu=mu: float(norm.cdf(norm.ppf(y) - mu)))  # type: ignore[misc]
        ours = most_probable(right, guesses, canaries, GaussianDP(mu))
        assert ours == pytest.approx(theirs, rel=1e-3)


CLAIMS: list[Claim] = [
    PureDP(0.5),
    ApproxDP(0.5, 1e-4),
    GaussianDP(0.5),
    ZeroConcentratedDP(0.1),
    RenyiDP(4.0, 0.5),
    ProfileDP([(0.0, 0.2), (0.5, 0.1), (1.0, 0.01), (2.0, 1e-6)]),
]


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_to_refute_is_to_be_less_probable_than_alpha(claim: Claim) -> None:
    for right in range(0, 61, 4):
        chance = most_probable(right, 60, 100, claim)
        assert not refutes(right, 60, 100, claim, chance * 0.98)
        if chance < 0.9:
            assert refutes(right, 60, 100, claim, chance * 1.02)


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_more_right_guesses_are_less_probable_and_more_canaries_no_less(claim: Claim) -> None:
    chances = [most_probable(right, 40, 60, claim) for right in range(41)]
    assert all(less <= more * (1 + 1e-3) for more, less in itertools.pairwise(chances))
    assert most_probable(36, 40, 600, claim) >= most_probable(36, 40, 60, claim) * (1 - 1e-3)


def test_a_curve_through_points_is_on_the_safe_side() -> None:
    # a Gaussian claim through its own points: never below the exact trade-off
    points = trade_off_of(ProfileDP([(one, GaussianDP(1.0).delta(one)) for one in np.linspace(0.0, 6.0, 40)]))
    for right in (60, 80, 95, 100):
        assert of_trade_off(right, 100, 500, points) >= of_trade_off(right, 100, 500, OfNormalLaws(1.0)) * (1 - 1e-3)


def test_a_bound_with_a_price_too_high_for_the_levels_below_is_noticed() -> None:
    # what test_with_one_delta compares with: a programme without the levels above ``right`` would pass less
    exact = largest_tail(20, 20, 16, [1.0], [0.01])
    assert of_one_point(16, 20, 20, 1.0, 0.01) > exact - 1e-6
    assert of_one_point(16, 20, 20, 1.0, 0.0) < exact - 0.01
