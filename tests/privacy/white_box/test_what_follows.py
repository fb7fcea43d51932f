"""Does a claim follow from the steps? Held against closed forms and dp-accounting."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcheck import ApproxDP, GaussianDP, GaussianSteps, InvalidArgument, ProfileDP, PureDP, RenyiDP
from dpcheck import ZeroConcentratedDP as Rho
from dpcheck.privacy.white_box.accounting import epsilon_at, follows

WHOLE = GaussianSteps(noise_multiplier=2.0, clipping_norm=3.0, steps=4)
SAMPLED = GaussianSteps(noise_multiplier=1.1, clipping_norm=1.0, steps=100, sampling_rate=0.05)


@given(
    noise=st.floats(0.3, 50.0),
    norm=st.floats(1e-3, 1e3),
    steps=st.integers(1, 1000),
    part=st.sampled_from([0.97, 1.03]),
)
def test_without_sampling_it_is_gaussian(noise: float, norm: float, steps: int, part: float) -> None:
    accounted = GaussianSteps(noise_multiplier=noise, clipping_norm=norm, steps=steps)
    mu = math.sqrt(steps) / noise
    for claim in (GaussianDP(part * mu), Rho(part**2 * mu**2 / 2), RenyiDP(4.0, part**2 * 2 * mu**2)):
        assert follows(claim, accounted, "add-remove")[0] is (part > 1.0)
    for claim in (GaussianDP(2 * part * mu), Rho(2 * part**2 * mu**2)):
        assert follows(claim, accounted, "replace-one")[0] is (part > 1.0)


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        (PureDP(100.0), False),
        (ApproxDP(3.0, 1e-5), True),
        (ApproxDP(2.2, 1e-5), False),
        (RenyiDP(8.0, 30.0), True),
        (RenyiDP(8.0, 0.05), False),
        (Rho(1000.0), True),
        (Rho(0.01), False),
        (GaussianDP(5.0), True),
        (GaussianDP(0.3), False),
        (ProfileDP([(0.0, 0.9), (3.0, 1e-5)]), True),
        (ProfileDP([(0.0, 0.01), (3.0, 1e-9)]), False),
    ],
)
def test_with_sampling(claim: Any, holds: bool) -> None:
    found, why = follows(claim, SAMPLED, "add-remove")
    assert found is holds, (found, why, epsilon_at(SAMPLED, 1e-5))


def test_what_lies_between_two_computations_is_undecided() -> None:
    middle = epsilon_at(SAMPLED, 1e-5)
    found, why = follows(ApproxDP(middle * 0.9985, 1e-5), SAMPLED, "add-remove")
    assert found is None
    assert "between" in why


def test_what_cannot_be_accounted_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="neighbours must be 'add-remove' where batches are Poisson samples"):
        follows(ApproxDP(1.0, 1e-5), SAMPLED, "replace-one")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"noise_multiplier": 0.0}, "noise_multiplier must be a positive, finite number, got 0.0"),
        ({"clipping_norm": math.inf}, "clipping_norm must be a positive, finite number, got inf"),
        ({"steps": 0}, "steps must be an integer of at least 1, got 0"),
        ({"sampling_rate": 1.0}, "sampling_rate must be a probability between 0 and 1"),
        ({"sampling_rate": 0.1, "participations": 3}, "participations must be left out where there is a sampling_rate"),
        ({"participations": 30}, "participations must be at most the 10 steps, got 30"),
        ({"additive": 1}, "additive must be True or False, got 1"),
    ],
)
def test_steps_that_are_none_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        GaussianSteps(**{"noise_multiplier": 1.0, "clipping_norm": 1.0, "steps": 10, **given})
