"""One run: no learner that keeps its claim makes more right guesses than the bounds say, whatever guesses they are."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from dpcheck.model.claims import ApproxDP
from dpcheck.privacy.one_run.right_guesses import most_probable, of_trade_off
from dpcheck.privacy.one_run.trade_off import OfPoints

Floats = NDArray[np.float64]


@st.composite
def learners(draw: st.DrawFn) -> Floats:
    """The law of a learner with finitely many outputs: rows are who of the canaries is in, columns outputs."""
    canaries, outputs = draw(st.integers(1, 3)), draw(st.integers(2, 6))
    weights = draw(
        st.lists(st.integers(0, 20), min_size=2**canaries * outputs, max_size=2**canaries * outputs).filter(any)
    )
    table = np.array(weights, dtype=float).reshape(2**canaries, outputs) ** draw(st.sampled_from([1.0, 3.0]))
    table += draw(st.sampled_from([0.0, 0.5, 20.0])) + 1e-9
    return np.asarray(table / table.sum(axis=1, keepdims=True))


def largest_delta(law: Floats, epsilon: float) -> float:
    """The hockey-stick divergence between rows that differ in one canary, the largest."""
    canaries = int(np.log2(len(law)))
    pairs = [(row, row ^ (1 << canary)) for row in range(len(law)) for canary in range(canaries)]
    return max(float(np.maximum(law[one] - np.exp(epsilon) * law[other], 0.0).sum()) for one, other in pairs)


def best_chance(law: Floats, guesses: int, right: int) -> float:
    """The largest probability of so many right guesses, each output guessed from as well as it can be."""
    canaries = int(np.log2(len(law)))
    coins = np.array(list(product((0, 1), repeat=canaries)))[:, ::-1]  # row r has the bits of r, the lowest first
    best = np.zeros(law.shape[1])
    for places in combinations(range(canaries), guesses):
        for values in product((0, 1), repeat=guesses):
            enough = (coins[:, places] == values).sum(axis=1) >= right
            best = np.maximum(best, law[enough].sum(axis=0) / len(law))
    return float(best.sum())


@given(learners(), st.sampled_from([0.0, 0.2, 0.7, 1.5, 3.0]), st.data())
def test_no_guesses_beat_the_bounds(law: Floats, epsilon: float, data: st.DataObject) -> None:
    canaries = int(np.log2(len(law)))
    guesses = data.draw(st.integers(1, canaries))
    right = data.draw(st.integers(1, guesses))
    chance = best_chance(law, guesses, right)
    delta = largest_delta(law, epsilon)
    if delta < 1.0:
        assert chance <= most_probable(right, guesses, canaries, ApproxDP(epsilon, delta)) + 1e-9
    epsilons = np.array([0.0, 0.1, 0.3, 0.6, 1.0, 1.5, 2.0, 3.0])
    deltas = np.array([largest_delta(law, one) for one in epsilons])
    assert chance <= of_trade_off(right, guesses, canaries, OfPoints(epsilons, deltas)) + 1e-9


def test_a_bound_that_forgets_delta_is_beaten() -> None:
    law = np.array([[1.0, 0.0], [0.9, 0.1]])
    assert largest_delta(law, 0.2) > 0.09
    assert best_chance(law, 1, 1) > most_probable(1, 1, 1, ApproxDP(0.0, 0.0)) + 0.04
