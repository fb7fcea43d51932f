"""How many guesses: fixed by the claim, alpha and the number of canaries, and worth what it says."""

from __future__ import annotations

import math

import pytest
from numpy.random import Generator

from dpcheck.model.claims import ApproxDP, Claim, GaussianDP, PureDP, ZeroConcentratedDP
from dpcheck.privacy.one_run.guess_plan import least_right, plan_guesses, plan_of
from dpcheck.privacy.one_run.right_guesses import refutes
from dpcheck.privacy.one_run.verdict import guess


@pytest.mark.parametrize("claim", [PureDP(1.0), ApproxDP(1.0, 1e-5), GaussianDP(0.7), ZeroConcentratedDP(0.2)], ids=str)
@pytest.mark.parametrize("canaries", [50, 400])
def test_what_is_needed_refutes_and_one_less_does_not(claim: Claim, canaries: int) -> None:
    plan = plan_guesses(canaries, claim, 0.05)
    assert plan.guesses <= canaries
    if plan.needed <= plan.guesses:
        assert refutes(plan.needed, plan.guesses, canaries, claim, 0.05)
    assert not refutes(plan.needed - 1, plan.guesses, canaries, claim, 0.05)


@pytest.mark.parametrize("claim", [PureDP(1.0), ApproxDP(2.0, 0.01), GaussianDP(0.3)], ids=str)
def test_the_number_chosen_refutes_the_least_leak(claim: Claim) -> None:
    chosen = plan_guesses(500, claim, 0.05, 50.0)
    others = [plan_of(size, size, 500, claim, 0.05) for size in (5, 10, 20, 50, 100, 250)]
    assert chosen.detectable_epsilon <= 1.05 * min(other.detectable_epsilon for other in others)


def test_a_leak_that_would_be_caught_is(rng: Generator) -> None:
    claim, canaries = ApproxDP(1.0, 1e-5), 1000
    plan = plan_guesses(canaries, claim, 0.05)
    low, high = 0.0, 20.0
    for _ in range(60):  # the mu of normal laws with that epsilon
        middle = 0.5 * (low + high)
        low, high = (middle, high) if GaussianDP(middle).epsilon(1e-5) < plan.detectable_epsilon else (low, middle)
    included = rng.random((400, canaries)) < 0.5
    scores = rng.normal(size=included.shape) + high * included
    right = [guess(one, coins, plan.guesses_in, plan.guesses_out) for one, coins in zip(scores, included, strict=True)]
    caught = sum(one.right_in + one.right_out >= plan.needed for one in right)
    assert caught >= 320  # 380 are told; fewer than 320 come once in 1e9 where 350 of 400 do


def test_where_nothing_refutes_the_claim_most_is_certified() -> None:
    plan = plan_guesses(300, ApproxDP(8.0, 1e-5), 0.05)
    assert math.isinf(plan.detectable_epsilon)
    assert plan.needed > plan.guesses
    assert 10 <= plan.guesses < 300


def test_a_level_too_small_for_so_few_guesses() -> None:
    assert least_right(10, 10, PureDP(0.0), 1e-9) == 11
