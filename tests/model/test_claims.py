"""Claims: what they promise at any epsilon and delta, group privacy, and what is refused."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpcheck.model.claims import ApproxDP, Claim, PureDP, as_claim, claim_point
from dpcheck.model.errors import DpcheckError, InvalidArgument
from dpcheck.parts.mechanisms.profile import FiniteProfile

PURE = [PureDP(e) for e in (0.0, 1e-9, 0.5, 1.0, 10.0, 800.0)]
APPROXIMATE = [ApproxDP(e, d) for e in (0.0, 0.5, 1.0, 10.0) for d in (0.0, 1e-12, 1e-5, 0.1, 1.0)]
ALL = pytest.mark.parametrize("claim", PURE + APPROXIMATE, ids=str)


def law_of(claim: Claim) -> tuple[dict[str, float], dict[str, float]]:
    """The extremal mechanism of a claim: D or D' in clear with probability delta, else randomised response."""
    epsilon, delta = claim_point(claim)
    likely = (1.0 - delta) / (1.0 + math.exp(-epsilon))
    left = {"clear D": delta, "D": likely, "D'": (1.0 - delta) - likely}
    return left, {"clear D'": delta, "D'": likely, "D": (1.0 - delta) - likely}


@pytest.mark.parametrize("claim", PURE[:5] + APPROXIMATE, ids=str)
def test_delta_is_that_of_the_extremal_mechanism(claim: Claim) -> None:
    """Computed here by summing the excess over its three outcomes: no mechanism that keeps the claim has more."""
    left, right = law_of(claim)
    outcomes = left.keys() | right.keys()
    for epsilon in (0.0, 0.2, 0.5, 1.0, 5.0, 20.0):
        excess = sum(max(0.0, left.get(o, 0.0) - math.exp(epsilon) * right.get(o, 0.0)) for o in outcomes)
        promised = claim.delta(epsilon)
        if epsilon < claim_point(claim)[0]:
            assert promised == pytest.approx(excess, abs=1e-12)
        else:
            assert promised == claim_point(claim)[1]


@pytest.mark.parametrize("claim", [PureDP(1.0), ApproxDP(1.0, 0.1), ApproxDP(0.3, 1e-3)], ids=str)
def test_the_mechanisms_room_computes_the_same_profile(claim: Claim) -> None:
    profile = FiniteProfile.of(*law_of(claim))
    for epsilon in (0.0, 0.1, 0.25):
        assert profile.delta(epsilon) == pytest.approx(claim.delta(epsilon), abs=1e-9)


@ALL
def test_epsilon_and_delta_are_inverse(claim: Claim) -> None:
    own_epsilon, own_delta = claim_point(claim)
    assert claim.epsilon(own_delta) == pytest.approx(own_epsilon, abs=1e-12) or own_delta == 1.0
    assert claim.epsilon(1.0) == 0.0
    for share in (0.0, 0.3, 0.99):
        epsilon = share * min(own_epsilon, 30.0)
        delta = claim.delta(epsilon)
        assert claim.epsilon(delta) <= own_epsilon
        if own_delta < delta < 1.0 - 1e-6:
            assert claim.epsilon(delta) == pytest.approx(epsilon, abs=1e-6)


@ALL
def test_delta_falls_with_epsilon_and_epsilon_with_delta(claim: Claim) -> None:
    deltas = [claim.delta(e) for e in np.linspace(0.0, 20.0, 101)]
    assert deltas == sorted(deltas, reverse=True)
    assert all(0.0 <= d <= 1.0 for d in deltas)
    epsilons = [claim.epsilon(d) for d in np.linspace(0.0, 1.0, 101)]
    assert epsilons == sorted(epsilons, reverse=True)


def test_below_its_delta_an_approximate_claim_promises_no_epsilon() -> None:
    assert ApproxDP(1.0, 0.1).epsilon(0.09) == math.inf
    assert ApproxDP(1.0, 0.1).epsilon(0.1) == pytest.approx(1.0)
    assert ApproxDP(1.0, 1.0).epsilon(1.0) == 0.0


def test_an_approximate_claim_with_delta_0_is_a_pure_one() -> None:
    for epsilon in (0.0, 0.4, 1.0, 3.0):
        assert ApproxDP(1.0, 0.0).delta(epsilon) == PureDP(1.0).delta(epsilon)


@ALL
@pytest.mark.parametrize("k", [1, 2, 5])
def test_group_privacy(claim: Claim, k: int) -> None:
    epsilon, delta = claim_point(claim)
    far, far_delta = claim_point(claim.at_distance(k))
    assert far == k * epsilon
    # delta (1 + e^epsilon + ... + e^((k-1) epsilon)): each step may fail once, the later ones magnified
    if delta > 0:
        assert far_delta == pytest.approx(min(1.0, delta * sum(math.exp(i * epsilon) for i in range(k))), rel=1e-12)
    else:
        assert far_delta == 0.0
    assert type(claim.at_distance(k)) is type(claim)
    assert claim.at_distance(1) == claim


def test_group_privacy_of_a_huge_claim_says_nothing_and_raises_nothing() -> None:
    assert ApproxDP(400.0, 1e-5).at_distance(2) == ApproxDP(800.0, 1.0)


@pytest.mark.parametrize("k", [0, -1, 1.0, True, "2", None])
def test_a_distance_is_a_positive_integer(k: Any) -> None:
    for claim in (PureDP(1.0), ApproxDP(1.0, 0.1)):
        with pytest.raises(
            InvalidArgument, match=r"k \(the distance between datasets\) must be an integer of at least 1, got"
        ):
            claim.at_distance(k)


@pytest.mark.parametrize("epsilon", [-1e-9, -1, math.inf, -math.inf, math.nan, np.float64("nan")])
def test_epsilon_must_be_finite_and_not_negative(epsilon: float) -> None:
    for make in (PureDP, lambda e: ApproxDP(e, 0.1), lambda e: PureDP(1.0).delta(e), as_claim):
        with pytest.raises(InvalidArgument, match="epsilon must be a finite number of nats, at least 0, got"):
            make(epsilon)


@pytest.mark.parametrize("delta", [-1e-9, 1.0000001, math.inf, math.nan])
def test_delta_must_be_a_probability(delta: float) -> None:
    for make in (lambda d: ApproxDP(1.0, d), PureDP(1.0).epsilon, ApproxDP(1.0, 0.1).epsilon):
        with pytest.raises(InvalidArgument, match="delta must be a probability between 0 and 1, got"):
            make(delta)


@pytest.mark.parametrize("wrong", ["1.0", None, True, [1.0], {}, 1j, b"1"])
def test_epsilon_must_be_a_number(wrong: Any) -> None:
    with pytest.raises(InvalidArgument, match=r"epsilon must be a number, got .* of type"):
        PureDP(wrong)
    with pytest.raises(InvalidArgument, match=r"delta must be a number, got .* of type"):
        ApproxDP(1.0, wrong)


@pytest.mark.parametrize("wrong", [10**400, np.array([1.0, 2.0])], ids=["an integer beyond floats", "an array"])
def test_what_cannot_become_a_number_is_refused_in_one_line(wrong: Any) -> None:
    with pytest.raises(InvalidArgument, match="epsilon must be"):
        PureDP(wrong)


@pytest.mark.parametrize("number", [1, 1.0, np.float64(1.0), np.float32(1.0), np.int64(1), Fraction(1), Decimal(1)])
def test_numbers_of_every_kind_are_epsilons(number: Any) -> None:
    assert PureDP(number) == PureDP(1.0)
    assert isinstance(PureDP(number).epsilon_value, float)
    assert ApproxDP(number, Fraction(1, 10)) == ApproxDP(1.0, 0.1)


@pytest.mark.parametrize("number", [1, 1.0, np.float64(1.0), np.float32(1.0), np.int64(1)])
def test_a_bare_number_is_a_pure_claim(number: Any) -> None:
    assert as_claim(number) == PureDP(1.0)


def test_claims_are_taken_as_they_are() -> None:
    for claim in (PureDP(0.0), ApproxDP(1.0, 1e-5)):
        assert as_claim(claim) is claim


@pytest.mark.parametrize("wrong", ["1", None, True, [1.0], (1.0, 1e-5), object(), lambda: 1])
def test_anything_else_is_no_claim(wrong: Any) -> None:
    with pytest.raises(InvalidArgument, match=r"claim must be an epsilon \(a number\), PureDP\(epsilon\), ApproxDP"):
        as_claim(wrong)


class Gaussian:
    """Another kind of claim, as a stranger might write it."""

    assumptions = ()

    def delta(self, epsilon: float) -> float:
        return 0.5

    def epsilon(self, delta: float) -> float:
        return 1.0

    def at_distance(self, k: int) -> Claim:
        return self


def test_other_claims_are_claims_but_are_not_tested_at_one_point() -> None:
    other = Gaussian()
    assert as_claim(other) is other
    with pytest.raises(InvalidArgument, match=r"claim must be PureDP, ApproxDP, .* to be tested, got"):
        claim_point(other)


def test_claims_are_values_that_say_what_they_are() -> None:
    assert PureDP(1) == PureDP(1.0)
    assert len({PureDP(1.0), PureDP(1.0), ApproxDP(1.0, 0.0)}) == 2
    assert PureDP(1.0) != ApproxDP(1.0, 0.0)
    assert (str(PureDP(1.0)), str(ApproxDP(0.5, 1e-5))) == ("1-DP", "(0.5, 1e-05)-DP")
    for claim in (PureDP(0.1), ApproxDP(0.1, 1e-5)):
        assert eval(repr(claim)) == claim
        assert isinstance(claim, Claim)
        assert claim.assumptions == ()
        with pytest.raises(AttributeError):
            claim.epsilon_value = 2.0  # type: ignore[misc]
    assert issubclass(InvalidArgument, ValueError)
    assert issubclass(InvalidArgument, DpcheckError)
