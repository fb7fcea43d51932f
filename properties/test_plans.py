"""What every plan must satisfy: harder leaks cost more, and a budget catches what it was made for."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck.privacy.run.power_analysis import Cost, plan
from dpcheck.privacy.statistics.game import Shape

SHAPES = st.sampled_from([Shape(1, repeats=False, others=False), Shape(1, repeats=True, others=False)])
EPSILONS = st.floats(0.05, 8.0)
EXCESSES = st.floats(0.1, 3.0)
COVERAGES = st.floats(0.02, 1.0)
ALPHAS = st.sampled_from([0.05, 1e-3, 1e-9])


@pytest.mark.turns(4)
@settings(max_examples=25, deadline=None)
@given(SHAPES, EPSILONS, EXCESSES, COVERAGES, ALPHAS, st.integers(1, 50))
def test_a_budget_catches_the_leak_it_was_planned_for(shape, epsilon, excess, coverage, alpha, pairs):
    leak = epsilon + excess
    cost = Cost(epsilon, 0.0, alpha, 0.95, shape, leak)
    calls = cost.calls(leak, coverage, pairs)
    assert calls is not None
    # the last digits of a count of guesses are lost in rounding it
    assert cost.smallest(calls, coverage, pairs) <= leak + 0.05 * excess
    if pairs == 1 or calls > cost.reach(pairs):  # else they are needed to try all pairs, and catch smaller leaks
        assert cost.smallest(calls // 4, coverage, pairs) > leak - 0.1 * excess


@pytest.mark.turns(6)
@settings(max_examples=15, deadline=None)
@given(EPSILONS, EXCESSES, COVERAGES, st.sampled_from([0.0, 1e-6, 1e-2]))
def test_harder_leaks_never_take_fewer_calls(epsilon, excess, coverage, delta):
    def calls(**changed):
        asked = {"detect": epsilon + excess, "coverage": coverage, **changed}
        (leak,) = plan(claim(epsilon, delta), **asked).leaks
        return math.inf if leak.calls is None else leak.calls

    usual = calls()
    slack = 1.05  # the search for the number of calls stops within 2% of it
    assert calls(detect=epsilon + 0.5 * excess) * slack >= usual
    assert calls(coverage=0.5 * coverage) * slack >= usual
    assert calls(alpha=1e-9) * slack >= usual
    assert calls(pairs=2) * slack >= usual
    assert calls(power=0.5) <= usual * slack


def claim(epsilon, delta):
    from dpcheck.model.claims import ApproxDP, PureDP

    return ApproxDP(epsilon, delta) if delta else PureDP(epsilon)
