"""Bets against a bound on a Rényi divergence: none wins from any null, and the best ones are the best there are."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from renyi_laws import FinitePair, gaussian, generated, response

from dpcheck.privacy.statistics import nearest_null
from dpcheck.privacy.statistics.divergences import power_divergence, renyi_of_power
from dpcheck.privacy.statistics.nearest_null import Bets, best_bets, tangents

Floats = NDArray[np.float64]
ORDERS = (1.0, 1.25, 2.0, 8.0)


def power(left: Floats, right: Floats, order: float) -> float:
    """The power divergence of two laws, from its definition."""
    if order == 1.0:
        return float(left @ np.log(left / right))
    return float((left**order * right ** (1.0 - order)).sum() - 1.0) / (order - 1.0)


def towards(left: Floats, right: Floats, order: float, allowed: float) -> tuple[Floats, Floats]:
    """The pair on the way from (right, right) to (left, right) whose divergence is just what is allowed."""
    low, high = 0.0, 1.0
    for _ in range(80):
        middle = 0.5 * (low + high)
        inside = power((1.0 - middle) * right + middle * left, right, order) <= allowed
        low, high = (middle, high) if inside else (low, middle)
    return (1.0 - low) * right + low * left, right


def one(pair: FinitePair, order: float, allowed: float) -> Bets:
    return best_bets(pair.left[None], pair.right[None], np.array([order]), np.array([allowed]))


def mean(bets: Bets, left: Floats, right: Floats) -> float:
    """What a bet is expected to win of a unit, where outputs have these laws and the coin is fair."""
    return 0.5 * float(bets.on_left[0] @ left + bets.on_right[0] @ right)


@pytest.mark.parametrize("order", ORDERS)
def test_no_bet_wins_from_a_null_of_any_kind(order: float, seed: int) -> None:
    """Of random laws learned, the bets made against a random bound, on random nulls at that very bound."""
    rng = np.random.default_rng(seed)
    for _ in range(40):
        learned = generated(rng)
        allowed = rng.uniform(0.05, 0.95) * power(learned.left, learned.right, order)
        bets = one(learned, order, allowed)
        assert min(bets.on_left.min(), bets.on_right.min()) > -1.0
        for _ in range(5):
            left, right = rng.dirichlet(np.full(len(learned.left), rng.choice([0.2, 1.0, 5.0])), 2) + 1e-12
            left, right = left / left.sum(), right / right.sum()
            if power(left, right, order) > allowed:
                left, right = towards(left, right, order, allowed)
            assert mean(bets, left, right) <= 1e-9
        null = towards(learned.left, learned.right, order, allowed)
        assert mean(bets, *null) <= 1e-9, "nor from the null between the laws that were learned"


@pytest.mark.parametrize("order", ORDERS)
def test_the_bets_are_those_of_the_nearest_null(order: float, seed: int) -> None:
    """The laws over the wealth are a pair of laws at the bound: then no e-variable grows faster (Larsson et al.)."""
    rng = np.random.default_rng(seed)
    for _ in range(20):
        learned = generated(rng)
        allowed = rng.uniform(0.1, 0.9) * power(learned.left, learned.right, order)
        bets = one(learned, order, allowed)
        left, right = learned.left / (1.0 + bets.on_left[0]), learned.right / (1.0 + bets.on_right[0])
        assert left.sum() == pytest.approx(1.0, abs=1e-3)
        assert right.sum() == pytest.approx(1.0, abs=1e-3)
        reached = renyi_of_power(np.array([order]), np.array([power(left / left.sum(), right / right.sum(), order)]))
        bound = renyi_of_power(np.array([order]), np.array([allowed]))
        assert reached == pytest.approx(bound, abs=0.01)  # power divergences of large orders grow like exp(order D)
        distance = 0.5 * (learned.left @ np.log(learned.left / left) + learned.right @ np.log(learned.right / right))
        assert bets.growth[0] == pytest.approx(distance, abs=1e-9)


def test_two_cells_are_solved_as_a_grid_of_all_nulls_says() -> None:
    pair, order, allowed = response(1.5), 2.0, 0.4
    grid = np.linspace(1e-4, 1.0 - 1e-4, 2000)
    p, q = grid[:, None], grid[None, :]
    inside = p**2 / q + (1.0 - p) ** 2 / (1.0 - q) - 1.0 <= allowed
    entropies = [
        x * np.log(x / y) + (1.0 - x) * np.log((1.0 - x) / (1.0 - y))
        for x, y in ((pair.left[0], p), (pair.right[0], q))
    ]
    nearest = np.where(inside, 0.5 * (entropies[0] + entropies[1]), math.inf).min()
    assert one(pair, order, allowed).growth[0] == pytest.approx(nearest, rel=1e-2)


def test_a_gaussian_takes_no_number_of_calls_at_a_high_order() -> None:
    """A null that cuts the tails is nearly free: what is beyond the information in the outputs is not promised."""
    pair = gaussian(math.sqrt(1.3))
    growth = [
        float(one(pair, order, float(power_divergence(np.array(order), np.array(0.5 * order)))).growth[0])
        for order in (1.0, 2.0, 8.0)
    ]
    assert growth[0] > 1.5e-3 > growth[1] > 5e-4 > 1e-6 > growth[2] >= -1e-15


def test_what_is_not_exceeded_is_not_bet_against() -> None:
    pair = response(1.0)
    for allowed in (power(pair.left, pair.right, 2.0), 10.0, math.inf):
        bets = one(pair, 2.0, allowed)
        assert not bets.on_left.any()
        assert not bets.on_right.any()


@pytest.mark.turns(4)
@pytest.mark.parametrize("order", [1.0, 1.0 + 1e-6, 2.0, 50.0, 1e6])
def test_extreme_laws_and_orders_give_bets_that_keep_their_wealth(order: float) -> None:
    for small in (1e-3, 1e-9, 1e-15, 1e-300):
        left, right = np.array([[1.0 - small, small]]), np.array([[small, 1.0 - small]])
        for allowed in (0.0, 1e-12, 1.0):
            bets = best_bets(left, right, np.array([order]), np.array([allowed]))
            for wealth in (bets.on_left, bets.on_right, bets.growth):
                assert np.isfinite(wealth).all()
            assert min(bets.on_left.min(), bets.on_right.min()) > -1.0
            same = np.array([0.5, 0.5])
            assert mean(bets, same, same) <= 1e-9


def test_divergences_and_powers_are_inverses() -> None:
    orders = np.array([1.0, 1.5, 2.0, 20.0])
    divergences = np.array([0.3, 1.0, 0.001, 5.0])
    assert renyi_of_power(orders, power_divergence(orders, divergences)) == pytest.approx(divergences)
    assert power_divergence(np.array([8.0]), np.array([100.0]))[0] == math.inf


def test_tangents_touch_at_the_true_ratios_and_lie_below_at_others(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for order in ORDERS:
        pair = generated(rng)
        truth = power(pair.left, pair.right, order)
        for shift in (0.0, 0.3):
            ratios = pair.left / pair.right * np.exp(shift * rng.normal(size=len(pair.left)))
            g, h = tangents(ratios, np.array([order]))
            found = float(g[0] @ pair.left - h[0] @ pair.right)
            assert found <= truth + 1e-9 * (1.0 + abs(truth))
            assert shift or found == pytest.approx(truth, rel=1e-9)


@pytest.mark.parametrize("defect", ["order", "bound"])
def test_bets_that_are_wrong_win_from_a_null(defect: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A factor forgotten in g, or a bound that is a tenth too small, is seen."""
    whole = nearest_null._tangents

    def broken(log_ratios: Any, order: Any) -> Any:
        g, h = whole(log_ratios, order)
        return g, h / order

    if defect == "order":
        monkeypatch.setattr(nearest_null, "_tangents", broken)
    else:
        search = nearest_null.best_bets
        monkeypatch.setitem(globals(), "best_bets", lambda p, q, orders, allowed: search(p, q, orders, 0.9 * allowed))
    with pytest.raises(AssertionError):
        test_no_bet_wins_from_a_null_of_any_kind(2.0, seed)
