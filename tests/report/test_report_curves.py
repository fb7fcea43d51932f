"""The curves of a learner's report: exact ones against closed forms, claimed ones against the claims they draw."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

import dpcheck
from dpcheck import ApproxDP, GaussianDP, PureDP, Records, ReplaceOne
from dpcheck.model.claims import Claim
from dpcheck.privacy.run.events import Compared
from dpcheck.report.whole.curves import claimed_curves, exact_curves, measured_curves
from dpcheck.report.whole.model import PrivacyCurves

ONE_BIT = ReplaceOne(records=Records.of([0, 1]), size=1)


class Response:
    """Tells one bit, and lies with probability 1/(1 + ratio); says so, or something else."""

    def __init__(self, ratio: int, said: int | None = None) -> None:
        self.ratio = ratio
        self.said = ratio if said is None else said

    def __call__(self, dataset: Any, rng: Any) -> int:
        return int(dataset[0]) ^ int(rng.random() * (1 + self.ratio) < 1)

    def distribution(self, dataset: Any) -> dict[int, Fraction]:
        truth = Fraction(self.ratio, 1 + self.ratio)
        return {int(dataset[0]): truth, 1 - int(dataset[0]): 1 - truth}


def curves_of(learner: Any, claim: Claim, relation: Any = ONE_BIT) -> PrivacyCurves:
    heard: list[Any] = []
    verdict = dpcheck.audit(
        learner, claim, neighbours=relation, exhaustive=True, max_samples=1200, isolation="none", on_event=heard.append
    )
    (compared,) = [event for event in heard if isinstance(event, Compared)]
    return exact_curves(compared, claim, verdict.epsilon_lower)


@pytest.mark.parametrize("ratio", [1, 3, 50])
def test_the_exact_curves_of_randomised_response_are_its_claim(ratio: int) -> None:
    claim = PureDP(ratio=ratio)
    found = curves_of(Response(ratio), claim)
    exact, claimed = found.profile
    assert (exact.role, claimed.role, found.level) == ("exact", "claimed", 0.0)
    # randomised response attains what pure privacy allows, at every epsilon
    assert exact.y == pytest.approx([claim.delta(epsilon) for epsilon in exact.x], abs=1e-12)
    if ratio > 1:
        corner = 1 / (1 + ratio)
        assert found.tradeoff[0].x == pytest.approx((0, corner, 1))
        assert found.tradeoff[0].y == pytest.approx((1, corner, 0))
        assert "replaced by" in found.pair


def test_a_learner_that_tells_its_data_has_no_misses() -> None:
    class Tells(Response):
        def distribution(self, dataset: Any) -> dict[int, Fraction]:
            return {int(dataset[0]): Fraction(1)}

        def __call__(self, dataset: Any, rng: Any) -> int:
            return int(dataset[0])

    found = curves_of(Tells(1), PureDP(1.0))
    assert set(found.profile[0].y) == {1.0}
    assert list(zip(found.tradeoff[0].x, found.tradeoff[0].y, strict=True)) == [(0.0, 1.0), (0.0, 0.0), (1.0, 0.0)]


def test_a_broken_learner_is_seen_above_its_claim() -> None:
    found = curves_of(Response(9, said=3), PureDP(ratio=3))
    exact, claimed = found.profile
    assert any(y > PureDP(ratio=3).delta(x) + 0.1 for x, y in zip(exact.x, exact.y, strict=True))
    assert claimed.y[-1] == 0


@pytest.mark.parametrize("claim", [PureDP(1.0), PureDP(0.0), ApproxDP(1.0, 0.1), GaussianDP(1.0)], ids=str)
def test_the_claimed_curves_are_the_claims(claim: Claim) -> None:
    found = claimed_curves(claim)
    (profile,), (tradeoff,) = found.profile, found.tradeoff
    assert profile.y == tuple(claim.delta(epsilon) for epsilon in profile.x)
    assert tradeoff.x[0] == 0
    assert tradeoff.y[-1] == 0
    assert list(tradeoff.y) == sorted(tradeoff.y, reverse=True)
    for alarm, miss in zip(tradeoff.x, tradeoff.y, strict=True):
        assert 0 <= miss <= 1 - alarm + 1e-12
        if isinstance(claim, PureDP):
            low, high = math.exp(-claim.epsilon_value), math.exp(claim.epsilon_value)
            assert miss == pytest.approx(max(0, 1 - high * alarm, low * (1 - alarm)), abs=1e-9)
        if isinstance(claim, GaussianDP) and 0 < alarm < 1:
            from scipy.stats import norm

            # the grid of points gives a curve below the true one, and near it
            truth = float(norm.cdf(norm.ppf(1 - alarm) - 1.0))
            assert truth - 0.01 <= miss <= truth + 1e-9


def test_certified_curves_keep_to_their_sides_of_the_truth() -> None:
    measured = dpcheck.measure(
        dpcheck.by_calls(Response(3)), pairs=[([0], [1])], alpha=1e-9, max_samples=4_000, isolation="none", seed=1
    )
    found = measured_curves(measured, PureDP(ratio=3))
    profile, _ = found.profile
    tradeoff, _ = found.tradeoff
    assert (profile.role, tradeoff.role, found.level) == ("certified", "certified", 1e-9)
    truth = PureDP(ratio=3)
    assert all(y <= truth.delta(x) + 1e-12 for x, y in zip(profile.x, profile.y, strict=True))
    assert profile.y[0] > 0.2
    assert all(y >= max(0, 1 - 3 * x, (1 - x) / 3) - 1e-12 for x, y in zip(tradeoff.x, tradeoff.y, strict=True))


def test_nothing_claimed_draws_nothing() -> None:
    assert claimed_curves(None) == PrivacyCurves()
