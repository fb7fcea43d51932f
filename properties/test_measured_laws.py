"""What must hold of a measurement of any pair of laws: no bound above the truth, whatever was learned."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from generated import Learner
from generated_laws import KINDS, generate
from hypothesis import given, settings
from hypothesis import strategies as st

import dpcheck

#: A bound above the truth is a defect: one is expected in a thousand million.
LEVEL = 1e-9
PAIRS = [(np.array([1]), np.array([0]))]


@pytest.mark.turns(12)
@given(family=st.integers(0, 2**31), number=st.integers(0, len(KINDS) - 1))
@settings(deadline=None, max_examples=12)
def test_no_bound_on_a_drawn_mechanism_is_above_its_epsilon(family: int, number: int) -> None:
    mechanism = generate(family, number)
    found = dpcheck.measure(
        Learner(mechanism),
        delta=mechanism.delta,
        pairs=PAIRS,
        alpha=LEVEL,
        max_samples=4_000,
        max_seconds=1e6,
        isolation="none",
        seed=family,
    )
    assert not found.failure
    assert found.epsilon_lower <= mechanism.epsilon
    for point in found.profile:
        assert point.y <= mechanism.delta_at(point.x) + 1e-9


@given(family=st.integers(0, 2**31), number=st.integers(0, len(KINDS) - 1))
@settings(deadline=None, max_examples=30)
def test_the_loss_of_a_drawn_mechanism_is_that_of_two_laws(family: int, number: int) -> None:
    mechanism = generate(family, number)
    atoms = mechanism.atoms
    assert math.isclose(atoms.p.sum(), 1.0, abs_tol=1e-9)
    assert math.isclose(atoms.q.sum(), 1.0, abs_tol=1e-9)
    assert mechanism.epsilon > 0.0
    assert np.abs(np.log(atoms.p / atoms.q) - atoms.loss).max() < 1e-3
    coins = np.array([0, 1, 1, 0], np.int8)
    outputs: Any = mechanism.sample(coins, np.random.default_rng(family))
    assert len(outputs) == 4


@pytest.mark.parametrize("kind", KINDS)
def test_drawn_outputs_have_the_law_that_the_atoms_say(kind: str, rng: np.random.Generator) -> None:
    """A test that sees the total variation of ten cells of the outputs finds no more than the atoms hold."""
    mechanism = KINDS[kind](np.random.default_rng(int(rng.integers(2**31))))
    count = 20_000
    outputs = mechanism.sample(np.repeat(np.array([1, 0], np.int8), count), rng)
    values = outputs if outputs.ndim == 1 else outputs.sum(axis=1)
    cells = np.searchsorted(np.quantile(values, np.linspace(0.1, 0.9, 9)), values)
    left, right = (np.bincount(part, minlength=10) / count for part in (cells[:count], cells[count:]))
    distance = 0.5 * float(np.abs(left - right).sum())
    # each of ten shares is off by at most 7 standard errors of 1 / sqrt(2 count)
    assert distance <= mechanism.delta_at(0.0) + 5.0 * 7.0 * math.sqrt(0.2 / count)
