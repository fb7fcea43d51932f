"""What must hold of zCDP, Rényi and Gaussian DP for every parameter, and of mechanisms that keep them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck.model.claims import GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP, points_tested, points_with
from dpcheck.model.claims.points import CurveClaim, parameter_of
from dpcheck.parts.mechanisms.gaussian import GaussianProfile
from dpcheck.parts.mechanisms.laplace import LaplaceProfile
from dpcheck.parts.mechanisms.profile import FiniteProfile

#: The conversion rounds up by more than this; GaussianDP and the exact profiles differ by less.
ROUNDING = 1e-9
everything = settings(deadline=None, max_examples=60)

SIZES = st.floats(-6.0, 1.5).map(lambda power: 10.0**power)
ORDERS = st.floats(-2.0, 2.0).map(lambda power: 1.0 + 10.0**power)
SHARES = st.floats(0.0, 3.0)
CURVES = (
    SIZES.map(ZeroConcentratedDP)
    | SIZES.map(GaussianDP)
    | st.builds(RenyiDP, ORDERS, st.floats(-6.0, 1.0).map(lambda power: 10.0**power))
)


def divergence(p: np.ndarray, q: np.ndarray, order: float) -> float:
    """The Rényi divergence of two finite laws without zeros."""
    terms = order * np.log(p) + (1.0 - order) * np.log(q)
    return float(np.logaddexp.reduce(terms)) / (order - 1.0)


@everything
@given(SIZES, SHARES)
def test_a_gaussian_keeps_its_mu_and_its_rho(mu: float, share: float) -> None:
    epsilon = share * mu * (1.0 + mu)
    exact = GaussianProfile(mu).delta(epsilon)
    assert exact <= GaussianDP(mu).delta(epsilon) * (1.0 + ROUNDING) + 1e-13
    assert exact <= ZeroConcentratedDP(mu**2 / 2.0).delta(epsilon) * (1.0 + ROUNDING) + 1e-13


@pytest.mark.turns(4)
@everything
@given(st.floats(0.01, 5.0), ORDERS, st.floats(0.0, 1.0))
def test_laplace_noise_keeps_its_renyi_divergence(shift: float, order: float, share: float) -> None:
    near, far = order / (2 * order - 1), (order - 1) / (2 * order - 1)
    own = np.logaddexp(math.log(near) + shift * (order - 1), math.log(far) - shift * order) / (order - 1)
    assert LaplaceProfile(shift).delta(share * shift) <= RenyiDP(order, own).delta(share * shift) + 1e-13


@everything
@given(st.lists(st.tuples(st.floats(0.01, 1.0), st.floats(0.01, 1.0)), min_size=2, max_size=6), ORDERS, SHARES)
def test_any_finite_law_keeps_its_renyi_divergence(
    masses: list[tuple[float, float]], order: float, epsilon: float
) -> None:
    """Both directions; and as zCDP, pure DP of epsilon is epsilon^2/2 (Bun & Steinke 2016, proposition 1.4)."""
    p, q = np.array(masses).T / np.array(masses).sum(axis=0)[:, None]
    own = max(divergence(p, q, order), divergence(q, p, order), 0.0)
    pure = float(np.abs(np.log(p / q)).max())
    for one, other in ((p, q), (q, p)):
        exact = FiniteProfile(one, other).delta(epsilon)
        assert exact <= RenyiDP(order, own * (1.0 + 1e-12) + 1e-15).delta(epsilon) + 1e-12
        assert exact <= ZeroConcentratedDP(pure**2 / 2.0).delta(epsilon) + 1e-12
        assert exact <= PureDP(pure).delta(epsilon) + 1e-12


@pytest.mark.turns(6)
@everything
@given(CURVES, SHARES, SHARES, st.floats(1.0, 4.0))
def test_delta_falls_with_epsilon_and_rises_with_the_parameter(
    claim: CurveClaim, one: float, other: float, factor: float
) -> None:
    scale = max(claim.epsilon(1e-3), 1e-9)
    low, high = sorted((one * scale, other * scale))
    assert 0.0 < claim.delta(high) <= claim.delta(low) * (1.0 + ROUNDING) <= 1.0 + ROUNDING
    larger = type(claim)(factor * parameter_of(claim)[1]) if not isinstance(claim, RenyiDP) else None
    larger = larger or RenyiDP(claim.order, factor * claim.epsilon_value)  # type: ignore[union-attr]
    assert claim.delta(low) <= larger.delta(low) * (1.0 + ROUNDING)


@pytest.mark.turns(6)
@settings(deadline=None, max_examples=20)  # each solves for dozens of points
@given(CURVES, st.floats(0.0, 1.0))
def test_points_are_implied_and_fall_with_the_parameter(claim: CurveClaim, share: float) -> None:
    points = points_tested(claim)
    assert abs(sum(point.weight for point in points) - 1.0) < 1e-9 or points[-1].epsilon > 100.0
    for point, less in zip(points, points_with(claim, share * parameter_of(claim)[1]), strict=True):
        assert claim.delta(point.epsilon) <= point.delta
        assert less.delta <= point.delta * (1.0 + ROUNDING)
