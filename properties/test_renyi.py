"""Rényi divergences bet against and certified: for any laws, no bet wins from any null, and no bound is above luck."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from renyi_laws import FinitePair

from dpcheck.privacy.statistics.divergence_bounds import divergence_bounds
from dpcheck.privacy.statistics.divergence_game import View
from dpcheck.privacy.statistics.divergences import power_divergence
from dpcheck.privacy.statistics.nearest_null import best_bets

Floats = NDArray[np.float64]
#: The probability of a red example when the code is right; hypothesis makes a hundred of them.
LEVEL = 1e-11


@st.composite
def pairs(draw: st.DrawFn, most: int = 8) -> FinitePair:
    """Two laws of a few cells, as far apart as cells of a millionth make them."""
    cells = draw(st.integers(2, most))
    exponents = st.lists(st.floats(-14.0, 0.0), min_size=cells, max_size=cells)
    left, right = (np.exp(draw(exponents)) for _ in range(2))
    return FinitePair("drawn", left / left.sum(), right / right.sum())


@st.composite
def two_pairs(draw: st.DrawFn) -> tuple[FinitePair, FinitePair]:
    """What was learned, and what is true, of the same cells."""
    learned = draw(pairs())
    exponents = st.lists(st.floats(-14.0, 0.0), min_size=len(learned.left), max_size=len(learned.left))
    left, right = (np.exp(draw(exponents)) for _ in range(2))
    return learned, FinitePair("true", left / left.sum(), right / right.sum())


@given(two_pairs(), st.sampled_from([1.0, 1.1, 1.5, 2.0, 4.0, 16.0, 100.0]))
def test_no_bet_wins_from_a_null(laws: tuple[FinitePair, FinitePair], order: float) -> None:
    """The bound is the divergence of the true laws, which are a null therefore; the bets were learned from others."""
    learned, true = laws
    loss = np.log(true.left / true.right)
    moment = float(np.logaddexp.reduce((order - 1.0) * loss + np.log(true.left)))
    divergence = float(true.left @ loss) if order == 1.0 else moment / (order - 1.0)
    allowed = power_divergence(np.array([order]), np.array([max(divergence, 0.0)]))
    bets = best_bets(learned.left[None], learned.right[None], np.array([order]), allowed)
    assert min(bets.on_left.min(), bets.on_right.min()) > -1.0
    won = 0.5 * float(bets.on_left[0] @ true.left + bets.on_right[0] @ true.right)
    assert won <= 1e-9 * (1.0 + float(np.abs(bets.on_left).max() + np.abs(bets.on_right).max()))


@pytest.mark.turns(4)
@settings(max_examples=100)
@given(two_pairs(), st.integers(0, 2**32 - 1), st.sampled_from([30, 3_000]))
def test_no_bound_is_above_the_truth(laws: tuple[FinitePair, FinitePair], seed: int, calls: int) -> None:
    """At a level so small that not one of all examples may be, whatever was learned before."""
    learned, true = laws
    rng = np.random.default_rng(seed)
    there = int(rng.binomial(calls, 0.5))
    hits = np.stack([rng.multinomial(calls - there, true.right), rng.multinomial(there, true.left)], axis=1)
    past = np.ceil(1_000.0 * np.stack([learned.right, learned.left], axis=1)).astype(np.int64)
    found = divergence_bounds([(View(past, past[:, 1] / past.sum(axis=1)), hits)], LEVEL)
    assert (found.lower <= true.renyi(found.orders) * (1.0 + 1e-9) + 1e-9).all()
    assert found.rho_lower <= true.rho * (1.0 + 1e-6) + 1e-9
    assert math.isfinite(found.rho_lower)
