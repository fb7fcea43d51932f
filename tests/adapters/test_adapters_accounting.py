"""dp-accounting's events as claims, and profiles as claims in general."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpcheck
from dpcheck.adapters.accounting import claim_from_dp_event, steps_from_dp_event
from dpcheck.model.claims import (
    ApproxDP,
    Claim,
    GaussianDP,
    ProfileDP,
    PureDP,
    claim_options,
    claim_point,
    points_tested,
)
from dpcheck.model.errors import InvalidArgument, RecordCorrupt
from dpcheck.model.training import GaussianSteps
from dpcheck.model.verdict import ClaimRecord
from dpcheck.model.verdict.record import claim_record, recorded_claim

# Each audit accuses a learner that keeps its claim with at most this probability, whatever the seed.
ALPHA = 1e-9

POINTS = st.lists(
    st.tuples(st.floats(0.0, 20.0), st.floats(0.0, 1.0)), min_size=1, max_size=6, unique_by=lambda point: point[0]
).map(sorted)


@given(POINTS, st.floats(0.0, 25.0), st.floats(0.0, 25.0))
@settings(max_examples=60, deadline=None)
def test_a_profile_falls_and_its_inverse_is_on_the_safe_side(points, one, other):
    claim = ProfileDP(points)
    low, high = sorted((one, other))
    assert claim.delta(high) <= claim.delta(low) * (1 + 1e-9)
    epsilon = claim.epsilon(claim.delta(one))
    assert epsilon == math.inf or claim.delta(epsilon) <= claim.delta(one) * (1 + 1e-9)
    assert recorded_claim(claim_record(claim)) == claim


@given(st.floats(0.1, 3.0), st.floats(0.0, 6.0))
@settings(max_examples=60, deadline=None)
def test_chords_never_promise_more_than_the_curve_they_join(mu, epsilon):
    curve = GaussianDP(mu)
    claim = ProfileDP([(at, curve.delta(at)) for at in np.linspace(0.0, 6.0, 13)])
    assert claim.delta(epsilon) >= curve.delta(epsilon) * (1 - 1e-9)


def test_a_profile_is_a_claim():
    claim = ProfileDP([(0.5, 0.3), (1.0, 0.1), (2.0, 0.01)], source="a table")
    assert isinstance(claim, Claim)
    assert claim.assumptions == ("the profile is the one computed by a table",)
    assert claim_options(claim) == {}
    assert claim.delta(0.0) >= ApproxDP(0.5, 0.3).delta(0.0)
    assert claim.at_distance(2).points[1] == pytest.approx((2.0, ApproxDP(1.0, 0.1).at_distance(2).delta_value))
    assert np.allclose(claim.at_distance(1).points, claim.points)
    assert ProfileDP([(200.0, 0.1)]).at_distance(5).delta(700.0) == 1.0  # nothing is promised so far away
    assert claim_point(claim)[1] == pytest.approx(claim.delta(0.0) * 0.2)
    assert all(math.isfinite(point.epsilon) for point in points_tested(claim))
    assert sum(point.weight for point in points_tested(claim)) <= 1.0


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ([], "at least one"),
        ([(1.0, 0.1), (1.0, 0.05)], "rising epsilons"),
        ([(1000.0, 0.1)], "at most 700"),
        ([(1.0, 2.0)], "delta must be a probability"),
        ([(-1.0, 0.1)], "epsilon must be"),
    ],
)
def test_what_is_no_profile_is_refused(points, said):
    with pytest.raises(InvalidArgument, match=said):
        ProfileDP(points)


def test_a_profile_without_points_in_a_record_is_corrupt():
    with pytest.raises(RecordCorrupt):
        recorded_claim(ClaimRecord("profile", 1.0, 0.1))


accounting = pytest.importorskip("dp_accounting")


@pytest.mark.turns(4)
@pytest.mark.parametrize("accountant", ["pld", "rdp"])
def test_the_gaussian_event_is_the_gaussian_claim_from_above(accountant):
    claim, exact = claim_from_dp_event(accounting.GaussianDpEvent(1.0), accountant=accountant), GaussianDP(1.0)
    for point in points_tested(claim):
        assert point.delta >= exact.delta(point.epsilon) * (1 - 1e-3)
        if accountant == "pld":
            assert point.delta == pytest.approx(exact.delta(point.epsilon), rel=1e-2)


def test_the_laplace_event_ends_at_its_epsilon():
    claim = claim_from_dp_event(accounting.LaplaceDpEvent(2.0), source="Laplace")
    assert str(claim) == "profile of Laplace"
    for epsilon in (0.0, 0.2, 0.4):
        assert claim.delta(epsilon) >= -math.expm1((epsilon - 0.5) / 2) - 1e-9  # the profile of Laplace, scale 2
    assert claim.delta(0.5) < 1e-3
    assert claim.delta(0.0) <= PureDP(0.5).delta(0.0)


def test_the_relation_reaches_the_accountant():
    event = accounting.RandomizedResponseDpEvent(noise_parameter=0.5, num_buckets=2)
    with pytest.raises(InvalidArgument, match="the pld accountant supports"):
        claim_from_dp_event(event, neighbours="add-remove")
    # noise 1/2: the other bucket with probability 1/4, so the ratio is 3
    assert claim_from_dp_event(event, neighbours="replace-one").delta(math.log(3.0) - 1e-3) > 0.0
    assert claim_from_dp_event(event, neighbours="replace-one").delta(math.log(3.0) + 1e-3) < 1e-6


@pytest.mark.turns(6)
def test_under_replace_one_the_accountants_read_a_gaussian_noise_multiplier_differently():
    event = accounting.GaussianDpEvent(1.0)
    over_the_norm, over_the_difference = (
        claim_from_dp_event(event, neighbours="replace-one", accountant=name) for name in ("pld", "rdp")
    )
    assert over_the_norm.delta(0.0) == pytest.approx(GaussianDP(2.0).delta(0.0), rel=1e-3)
    assert over_the_difference == claim_from_dp_event(event, accountant="rdp")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"event": 3}, "event must be a DpEvent"),
        ({"accountant": "pdl"}, "accountant must be one of pld, rdp, got 'pdl'"),
        ({"neighbours": "labels-only"}, "neighbours must be one that dp-accounting knows"),
        ({"event": accounting.NonPrivateDpEvent()}, "event must have a finite privacy loss"),
        ({"event": accounting.GaussianDpEvent(-1.0)}, "event must be one that can be run"),
        ({"event": accounting.UnsupportedDpEvent()}, r"under add-remove, got UnsupportedDpEvent\(\)$"),
        ({"event": accounting.ZCDpEvent(0.5, 0.0)}, "try accountant='rdp'"),
    ],
)
def test_bad_arguments_are_refused_in_one_line(arguments, said):
    with pytest.raises(InvalidArgument, match=said) as caught:
        claim_from_dp_event(**{"event": accounting.GaussianDpEvent(1.0), **arguments})
    assert "\n" not in str(caught.value)


def test_without_dp_accounting_the_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "dp_accounting", None)
    with pytest.raises(InvalidArgument, match=r"install dpcheck\[accounting\]"):
        claim_from_dp_event(object())


@pytest.mark.some(1)
@pytest.mark.parametrize(("noise", "violated"), [(1.0, False), (0.5, True)])
def test_an_audit_tests_the_profile_and_its_record_comes_back(noise, violated):
    claim = claim_from_dp_event(accounting.GaussianDpEvent(1.0))
    learner = dpcheck.from_sampler(lambda data, size, rng: len(data) + rng.normal(scale=noise, size=size))
    relation = dpcheck.AddRemove(records=[0], size=2)
    verdict = dpcheck.audit(
        learner, claim, neighbours=relation, alpha=ALPHA, max_samples=20_000, isolation="none", shrink=False
    )
    assert (verdict.status is dpcheck.Status.VIOLATED) is violated, str(verdict)
    assert "was tested: by the 7 (epsilon, delta) points it implies" in str(verdict)
    again = dpcheck.Verdict.from_json(verdict.to_json())
    assert again.claim == claim
    assert again == verdict


def test_steps_are_read_from_an_event() -> None:
    step = accounting.GaussianDpEvent(1.5)
    sampled = accounting.PoissonSampledDpEvent(0.1, step)
    for event, expected in [
        (step, GaussianSteps(1.5, 2.0, 1)),
        (accounting.SelfComposedDpEvent(sampled, 30), GaussianSteps(1.5, 2.0, 30, sampling_rate=0.1)),
        (accounting.ComposedDpEvent([step] * 7), GaussianSteps(1.5, 2.0, 7)),
        (
            accounting.SelfComposedDpEvent(accounting.ComposedDpEvent([sampled] * 2), 5),
            GaussianSteps(1.5, 2.0, 10, 0.1),
        ),
        (
            accounting.SelfComposedDpEvent(accounting.PoissonSampledDpEvent(1.0, step), 4),
            GaussianSteps(1.5, 2.0, 4),
        ),
    ]:
        assert steps_from_dp_event(event, clipping_norm=2.0) == expected


@pytest.mark.parametrize(
    "event",
    [
        3,
        accounting.LaplaceDpEvent(1.0),
        accounting.ComposedDpEvent([accounting.GaussianDpEvent(1.0), accounting.GaussianDpEvent(2.0)]),
        accounting.ComposedDpEvent([]),
        accounting.SelfComposedDpEvent(accounting.PoissonSampledDpEvent(0.1, accounting.LaplaceDpEvent(1.0)), 3),
    ],
)
def test_steps_of_another_kind_are_refused(event) -> None:
    with pytest.raises(InvalidArgument, match="event must be steps of one kind, Gaussian"):
        steps_from_dp_event(event, clipping_norm=1.0)


def test_steps_need_noise_and_a_norm() -> None:
    with pytest.raises(InvalidArgument, match="noise_multiplier must be a positive, finite number, got 0"):
        steps_from_dp_event(accounting.GaussianDpEvent(0.0), clipping_norm=1.0)
    with pytest.raises(InvalidArgument, match="clipping_norm must be a positive, finite number, got -1"):
        steps_from_dp_event(accounting.GaussianDpEvent(1.0), clipping_norm=-1)
