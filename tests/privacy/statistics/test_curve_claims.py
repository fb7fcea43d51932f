"""Claims of a whole privacy curve: zCDP, Rényi and Gaussian DP, and audits of them."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

import dpcheck
from dpcheck.model.bounds_shown import at_least
from dpcheck.model.claims import (
    ApproxDP,
    Claim,
    GaussianDP,
    PureDP,
    RenyiDP,
    TestedPoint,
    ZeroConcentratedDP,
    as_claim,
    claim_options,
    claim_point,
    conversion,
    parameter_of,
    points_tested,
    points_with,
)
from dpcheck.model.claims.points import CurveClaim
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.learner import filled_from_claim
from dpcheck.model.verdict.record import claim_record, recorded_claim
from dpcheck.parts.mechanisms.gaussian import GaussianProfile
from dpcheck.parts.mechanisms.laplace import LaplaceProfile
from dpcheck.privacy.statistics.claim_evidence import parameter_lower
from dpcheck.privacy.statistics.evidence import (
    full_stakes,
    log_e_processes,
    log_e_processes_at,
    log_evidence_at,
)
from dpcheck.privacy.statistics.game import Game, certify, learn, new_game, tally
from dpcheck.privacy.statistics.judge import default_detect
from tests.playing import NUMBERS, Law, batch_of, interim_sizes
from tests.statistical_tests import statistical_test

CURVES: list[CurveClaim] = [
    *(ZeroConcentratedDP(rho) for rho in (1e-6, 0.02, 0.5, 4.5)),
    *(GaussianDP(mu) for mu in (1e-3, 0.2, 1.0, 3.0)),
    *(RenyiDP(order, epsilon) for order in (1.1, 2.0, 32.0) for epsilon in (1e-3, 0.5, 3.0)),
]
ALL = pytest.mark.parametrize("claim", CURVES, ids=str)
#: The conversion is rounded up, and its search stops some 1e-7 above the optimum.
TIGHT = 1e-6


def renyi_of_response(epsilon: float, order: float) -> float:
    """Mironov 2017, table II."""
    p, q = 1.0 / (1.0 + math.exp(-epsilon)), 1.0 / (1.0 + math.exp(epsilon))
    return math.log(p**order * q ** (1 - order) + q**order * p ** (1 - order)) / (order - 1)


def renyi_of_laplace(epsilon: float, order: float) -> float:
    """Mironov 2017, table II."""
    near, far = order / (2 * order - 1), (order - 1) / (2 * order - 1)
    return math.log(near * math.exp(epsilon * (order - 1)) + far * math.exp(-epsilon * order)) / (order - 1)


def touching_epsilon(loss: float, order: float) -> float:
    """The epsilon at which randomised response of this loss is the extremal mechanism of its Rényi divergence."""
    low, high = math.exp(-loss), math.exp(loss)
    odds = (order - 1) / order * (high**order - low**order) / (high ** (order - 1) - low ** (order - 1))
    return math.log(odds)


@pytest.mark.parametrize("order", [1.01, 1.5, 2.0, 4.0, 32.0])
@pytest.mark.parametrize("loss", [0.01, 0.3, 1.0, 4.0])
def test_randomised_response_has_all_the_delta_its_renyi_divergence_allows(loss: float, order: float) -> None:
    """At one epsilon the conversion is attained: it is valid, and no smaller one is."""
    epsilon = touching_epsilon(loss, order)
    exact = PureDP(loss).delta(epsilon)
    promised = RenyiDP(order, renyi_of_response(loss, order)).delta(epsilon)
    assert exact <= promised <= exact * (1.0 + TIGHT)


@pytest.mark.parametrize("rho", [0.02, 0.5, 4.5])
def test_zcdp_is_at_least_as_tight_as_its_known_conversions_and_not_below_a_gaussian(rho: float) -> None:
    claim, spread = ZeroConcentratedDP(rho), math.sqrt(2.0 * rho)
    orders = 1.0 + np.logspace(-3, 4, 4000)
    for epsilon in rho + spread * np.array([0.0, 0.5, 1.0, 2.0, 4.0]):
        exponent = (orders - 1) * (orders * rho - epsilon) - np.log(orders - 1) + orders * np.log1p(-1 / orders)
        canonne_kamath_steinke = math.exp(exponent.min())
        bun_steinke = math.exp(-((epsilon - rho) ** 2) / (4.0 * rho))
        found = claim.delta(epsilon)
        assert GaussianProfile(spread).delta(epsilon) < found <= min(canonne_kamath_steinke, bun_steinke) * (1 + TIGHT)


def test_zcdp_near_none_is_pinskers_inequality() -> None:
    for rho in (1e-300, 1e-12, 1e-6):
        assert ZeroConcentratedDP(rho).delta(0.0) == pytest.approx(math.sqrt(rho / 2.0), rel=1e-6)


@pytest.mark.parametrize("mu", [1e-3, 0.2, 1.0, 3.0, 10.0])
def test_gdp_is_the_trade_off_of_two_normal_laws(mu: float) -> None:
    """The hockey-stick divergence as the best threshold of the likelihood ratio, by scipy's own tails."""
    for epsilon in mu * np.array([0.0, 0.5, 1.0, 3.0]):
        cut = epsilon / mu + mu / 2.0
        exact = norm.sf(cut - mu) - math.exp(epsilon) * norm.sf(cut)
        assert GaussianDP(mu).delta(epsilon) == pytest.approx(exact, rel=1e-9, abs=1e-14)


def test_gdp_keeps_its_digits_in_the_tail() -> None:
    """100 digits by mpmath's complementary error function, where the two terms agree in their first digits."""
    mpmath = pytest.importorskip("mpmath")
    with mpmath.workdps(100):
        for mu, epsilon in ((0.01, 0.2), (1.0, 30.0), (5.0, 150.0), (0.3, 8.0)):
            m, e = mpmath.mpf(mu), mpmath.mpf(epsilon)
            exact = mpmath.ncdf(m / 2 - e / m) - mpmath.exp(e) * mpmath.ncdf(-m / 2 - e / m)
            found = GaussianDP(mu).delta(epsilon)
            assert exact <= found <= exact * (1 + mpmath.mpf(1e-9))


@pytest.mark.some(3)
@ALL
def test_a_curve_falls_and_its_inverse_is_on_the_safe_side(claim: CurveClaim) -> None:
    scale = max(claim.epsilon(1e-3), 1e-3)
    deltas = [claim.delta(e) for e in np.linspace(0.0, 3.0 * scale, 40)]
    assert all(later <= earlier * (1 + 1e-9) for earlier, later in itertools.pairwise(deltas))
    assert all(0.0 < delta <= 1.0 for delta in deltas)
    for delta in (0.5, 0.1, 1e-3, 1e-9):
        epsilon = claim.epsilon(delta)
        assert claim.delta(epsilon) <= delta
        if epsilon > 0.0:
            assert claim.delta(epsilon * (1.0 - 1e-6)) > delta * (1.0 - 1e-9)
    assert claim.epsilon(0.0) == math.inf
    assert claim.epsilon(1.0) == 0.0


@pytest.mark.parametrize("claim", [ZeroConcentratedDP(0), GaussianDP(0), RenyiDP(2, 0)], ids=str)
def test_a_parameter_of_0_is_perfect_privacy(claim: CurveClaim) -> None:
    assert (claim.delta(0.0), claim.epsilon(0.0), claim.epsilon(0.5)) == (0.0, 0.0, 0.0)
    assert [(point.epsilon, point.weight) for point in points_tested(claim)] == [(0.0, 1.0)]


@pytest.mark.parametrize("value", [1e-300, 1e-20, 1e3, 1e20, 1e300])
def test_extreme_parameters_give_probabilities(value: float) -> None:
    for claim in (ZeroConcentratedDP(value), GaussianDP(value), RenyiDP(2.0, value), RenyiDP(1.0 + 1e-9, value)):
        for epsilon in (0.0, 1e-300, 1.0, 700.0, 1e300):
            assert 0.0 < claim.delta(epsilon) <= 1.0
        assert claim.epsilon(1e-6) >= 0.0
    assert 0.0 < RenyiDP(1e12, 1.0).delta(0.5) < 1.0


def test_group_privacy() -> None:
    assert ZeroConcentratedDP(0.5).at_distance(3) == ZeroConcentratedDP(4.5)
    assert GaussianDP(0.5).at_distance(3) == GaussianDP(1.5)
    assert RenyiDP(8, 0.5).at_distance(1) == RenyiDP(8, 0.5)
    assert RenyiDP(8, 0.5).at_distance(2) == RenyiDP(4, 1.5)
    assert RenyiDP(8, 0.5).at_distance(3) == RenyiDP(8, 0.5).at_distance(4) == RenyiDP(2, 4.5)
    with pytest.raises(InvalidArgument, match="order must be at least 16 for a claim at distance 5, got 8"):
        RenyiDP(8, 0.5).at_distance(5)
    for claim in CURVES:
        assert claim.at_distance(1) == claim
        with pytest.raises(InvalidArgument, match="integer of at least 1"):
            claim.at_distance(0)


@pytest.mark.parametrize("k", [2, 3, 4])
def test_group_privacy_holds_for_noise_moved_k_times(k: int) -> None:
    """Laplace noise, whose divergence at distance k is known, keeps the claim it gets there."""
    for order in (8.0, 20.0):
        far = RenyiDP(order, renyi_of_laplace(0.3, order)).at_distance(k)
        assert renyi_of_laplace(0.3 * k, far.order) <= far.epsilon_value
        assert LaplaceProfile(0.3 * k).delta(0.1) <= far.delta(0.1)


@pytest.mark.parametrize("wrong", [-1e-9, -1, math.inf, math.nan])
def test_parameters_are_finite_and_not_negative(wrong: float) -> None:
    for make, name in ((ZeroConcentratedDP, "rho"), (GaussianDP, "mu")):
        with pytest.raises(InvalidArgument, match=f"{name} must be a finite number, at least 0, got"):
            make(wrong)
    with pytest.raises(InvalidArgument, match="epsilon must be a finite number of nats"):
        RenyiDP(2, wrong)


@pytest.mark.parametrize("wrong", ["1", None, True, [1.0], object()])
def test_parameters_are_numbers(wrong: Any) -> None:
    for make in (ZeroConcentratedDP, GaussianDP, lambda value: RenyiDP(value, 1.0), lambda value: RenyiDP(2.0, value)):
        with pytest.raises(InvalidArgument, match="must be a number, got"):
            make(wrong)


@pytest.mark.parametrize("order", [1.0, 0.5, 0, -2, math.inf, math.nan])
def test_an_order_is_above_1(order: float) -> None:
    with pytest.raises(
        InvalidArgument, match=r"order must be a finite number above 1 \(for infinite order claim PureDP"
    ):
        RenyiDP(order, 1.0)


@pytest.mark.some(3)
@ALL
def test_they_are_values_like_other_claims(claim: CurveClaim) -> None:
    assert eval(repr(claim)) == claim
    assert isinstance(claim, Claim)
    assert as_claim(claim) is claim
    assert claim.assumptions == ()
    assert recorded_claim(claim_record(claim)) == claim
    assert hash(claim) == hash(eval(repr(claim)))
    assert ZeroConcentratedDP(Decimal("0.5")) == ZeroConcentratedDP(0.5)  # type: ignore[arg-type]
    assert {str(ZeroConcentratedDP(0.5)), str(GaussianDP(1)), str(RenyiDP(8, 0.5))} == {
        "0.5-zCDP",
        "1-GDP",
        "(8, 0.5)-RDP",
    }


@pytest.mark.turns(6)
@ALL
def test_the_points_tested_are_implied_and_weighted(claim: CurveClaim) -> None:
    points = points_tested(claim)
    assert points == points_tested(eval(repr(claim)))
    assert sum(point.weight for point in points) <= 1.0 + 1e-12
    for point in points:
        assert claim.delta(point.epsilon) <= point.delta * (1 + 1e-12)
    assert (claim_point(claim)) in [(point.epsilon, point.delta) for point in points]
    assert points_with(claim, parameter_of(claim)[1]) == points
    for share in (0.0, 0.5, 0.99):
        less = points_with(claim, share * parameter_of(claim)[1])
        assert all(
            a.delta <= b.delta * (1 + 1e-9) and a.epsilon == b.epsilon for a, b in zip(less, points, strict=True)
        )
        assert all(point.delta > 0.0 for point in less)  # delta 0 would be another test


def test_an_epsilon_delta_claim_is_tested_at_itself() -> None:
    assert points_tested(PureDP(1.0)) == (TestedPoint(1.0, 0.0, 1.0),)
    counts = full_stakes([30, 10], [10, 3], [100, 100])
    same = log_e_processes_at(counts, points_tested(ApproxDP(1.0, 1e-3)))
    assert (same == log_e_processes(counts, 1.0, 1e-3)).all()


def test_factories_are_filled_with_what_they_know() -> None:
    class Noisy:
        def __init__(self, rho: float = 0.0, epsilon: float = 0.0, mu: float = 0.0) -> None: ...

        def __call__(self, dataset: Any, rng: Any) -> float:
            return 0.0

    assert filled_from_claim(Noisy, None, ZeroConcentratedDP(0.5)) == {"rho": 0.5}
    assert filled_from_claim(Noisy, None, GaussianDP(0.5)) == {"mu": 0.5}
    assert filled_from_claim(Noisy, None, RenyiDP(8, 0.5)) == {}, "its epsilon means nothing without the order"
    assert claim_options(RenyiDP(8, 0.5)) == {"order": 8.0, "epsilon": 0.5}


# --- audits


class Noise:
    """The sum and normal noise."""

    def __init__(self, sigma: float) -> None:
        self.sigma = sigma

    def __call__(self, dataset: Any, rng: np.random.Generator) -> float:
        return float(sum(dataset)) + float(rng.normal(0.0, self.sigma))

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        return float(sum(dataset)) + rng.normal(0.0, self.sigma, size)


def audited(claim: Claim, sigma: float, seed: int, **options: Any) -> dpcheck.Verdict:
    asked = {"pairs": [([0], [1])], "isolation": "none", "max_samples": 20_000, **options}
    return dpcheck.audit(Noise(sigma), claim, seed=seed, **asked)


@pytest.mark.turns(6)
@pytest.mark.parametrize("claim", [ZeroConcentratedDP(0.5), GaussianDP(1.0), RenyiDP(2.0, 1.0)], ids=str)
def test_half_the_spread_is_caught_and_the_verdict_says_how(claim: CurveClaim, seed: int) -> None:
    verdict = audited(claim, 0.5, seed)
    assert verdict.status is dpcheck.Status.VIOLATED
    name, claimed = parameter_of(claim)
    assert claimed <= verdict.parameter_lower < 4.0 * claimed  # the claim's own value is refuted
    text = str(verdict)
    assert f"any valid {name} exceeds {at_least(verdict.parameter_lower, '.4g')}" in text
    assert "7 (epsilon, delta) points it implies" in text
    assert "7 (epsilon, delta) points it implies" in verdict.method
    again = dpcheck.Verdict.from_json(verdict.to_json())
    assert again == verdict
    written = json.loads(verdict.to_json())["verdict"]["claim"]
    assert written["parameter"] == claimed
    assert (written["epsilon"], written["delta"]) == claim_point(claim)


@pytest.mark.turns(4)
def test_a_claim_that_holds_is_not_refuted_and_the_audit_goes_on_where_it_stopped(seed: int) -> None:
    claim = GaussianDP(1.0)
    first = audited(claim, 1.0, seed, max_samples=1500)
    assert first.status is not dpcheck.Status.VIOLATED
    assert first.parameter_lower <= 1.0
    assert first.detect == default_detect(claim_point(claim)[0])
    longer = audited(claim, 1.0, seed, max_samples=4000, resume=first)
    assert (longer.samples, longer.claim) == (4000, claim)
    assert "Certified lower bound: mu > " in str(longer)
    with pytest.raises(InvalidArgument, match="same claim"):
        audited(GaussianDP(2.0), 1.0, seed, resume=first)


def test_a_claim_that_no_run_can_refute_is_refused(seed: int) -> None:
    with pytest.raises(InvalidArgument, match="claim must have an epsilon of at most 700"):
        audited(GaussianDP(60.0), 1.0, seed)
    with pytest.raises(InvalidArgument, match="claim must have an epsilon of at most 700"):
        audited(GaussianDP(1e200), 1.0, seed)


def play(law: Law, claim: CurveClaim, rng: np.random.Generator, calls: int) -> tuple[bool, Game]:
    """Whether the evidence against a claim ever reaches 20 : 1, and the game then."""
    game, points = new_game(NUMBERS, *claim_point(claim)), points_tested(claim)
    for size in interim_sizes(calls):
        coins = rng.integers(0, 2, size).astype(np.int8)
        batch = batch_of(law(rng, coins), coins)
        game = certify(game, batch)
        if log_evidence_at(tally(game), points) >= math.log(20):
            return True, game
        game = learn(game, batch)
    return False, game


def normal(mu: float) -> Law:
    return lambda rng, coins: coins + rng.normal(scale=1.0 / mu, size=len(coins))


@pytest.mark.turns(6)
def test_a_gaussian_at_its_mu_is_rarely_accused(seed: int) -> None:
    line = statistical_test("anytime: Gaussian at its mu, over the points of the claim")
    rng = np.random.default_rng(seed)
    assert line.passes(sum(play(normal(1.0), GaussianDP(1.0), rng, 600)[0] for _ in range(line.runs)))


@pytest.mark.turns(4)
def test_the_same_audit_of_a_claim_read_as_half_is_nearly_always_an_accusation(seed: int) -> None:
    """The defect in the table: an audit that cannot fail would pass the test above."""
    rng = np.random.default_rng(seed)
    line = statistical_test("anytime: Gaussian at its mu, over the points of the claim")
    accused = sum(play(normal(1.0), GaussianDP(0.5), rng, 600)[0] for _ in range(20))
    assert accused > 20 * line.broken / 3


def test_the_bound_on_the_parameter_is_where_the_claim_stops_being_refuted(seed: int) -> None:
    claim = GaussianDP(1.0)
    _, game = play(normal(2.0), claim, np.random.default_rng(seed), 400)
    counts = tally(game)
    bound = parameter_lower(counts, claim, 0.05)

    def evidence(mu: float) -> float:
        return log_evidence_at(counts, points_with(claim, mu))

    assert evidence(bound) >= math.log(20.0) - 1e-9 or bound == 0.0
    assert evidence(bound * (1 + 1e-4) + 1e-4) < math.log(20.0)
    evidences = [evidence(mu) for mu in np.linspace(0.01, 4.0, 30)]
    assert all(b <= a + 1e-9 for a, b in itertools.pairwise(evidences)), "it falls with the parameter"


def test_a_conversion_a_little_too_strong_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """With moments 0.2% too small, randomised response has more delta than its claim allows."""
    whole = conversion._two_point_bounds

    def broken(log_moment: Any, excess: Any, gap: Any, epsilon: float) -> Any:
        return whole(lambda order: np.maximum(log_moment(order) - 2e-3, 0.0), excess, gap, epsilon)

    monkeypatch.setattr(conversion, "_two_point_bounds", broken)
    with pytest.raises(AssertionError):
        test_randomised_response_has_all_the_delta_its_renyi_divergence_allows(0.3, 4.0)


@pytest.mark.parametrize("defect", ["epsilon", "order"])
def test_conversions_known_to_be_wrong_are_caught(defect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """exp((order - 1)(divergence + epsilon)) has the sign of epsilon wrong; an order too few has too little moment."""
    whole = conversion.delta_of_one_moment

    def broken(log_moment: float, order: float, epsilon: float) -> float:
        if defect == "epsilon":
            return whole(max(log_moment - 2.0 * (order - 1.0) * epsilon, 0.0), order, epsilon)
        return whole(log_moment * (order - 1.0) / order, order, epsilon)

    monkeypatch.setattr("dpcheck.model.claims.renyi.delta_of_one_moment", broken)
    with pytest.raises(AssertionError):
        test_randomised_response_has_all_the_delta_its_renyi_divergence_allows(1.0, 2.0)


def test_weights_of_points_left_out_are_cash() -> None:
    counts = full_stakes([90], [10], [100])
    points = points_tested(GaussianDP(1.0))
    some = log_e_processes_at(counts, points[:2])
    parts = [log_e_processes(counts, point.epsilon, point.delta) + math.log(point.weight) for point in points[:2]]
    unstaked = 1.0 - sum(point.weight for point in points[:2])
    assert some == pytest.approx(np.logaddexp.reduce([*parts, np.array([math.log(unstaked)])]))
    assert replace(points[0], weight=1.0).weight == 1.0
