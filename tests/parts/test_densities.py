"""Densities of the exponential mechanism on intervals and boxes: closed forms, losses, and draws that have them."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import kstest, norm

from dpcheck import ApproxDP, PureDP
from dpcheck.model.claims import exact_point
from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms.amplification import approximated_claim
from dpcheck.parts.mechanisms.densities import LogLinearPieces, PiecewiseConstant, PiecewiseExponential
from dpcheck.parts.mechanisms.logconcave import BoxRejection, LogConcave
from dpcheck.privacy.exact.decision import TwoLaws, decide
from dpcheck.privacy.exact.declared import declared

#: Each statistical test here alarms falsely with at most this probability, whatever the seed. With 20,000 draws a
#: Kolmogorov-Smirnov test at this level sees a distribution function that is off by 0.03 nearly always.
LEVEL, DRAWS = 1e-9, 20_000


def integral(pieces: LogLinearPieces, low: float, high: float) -> float:
    """The integral of the density, by quadrature on each piece."""
    cuts = np.unique(np.clip(np.append(pieces.edges, [low, high]), low, high))
    return math.fsum(
        quad(lambda x: math.exp(pieces.log_density(x)), a, b, epsabs=0, epsrel=1e-12)[0] for a, b in pairwise(cuts)
    )


STEEP = PiecewiseExponential([0.0, 0.5, 1.0], [0.0, 700.0, -900.0], 1).pieces
DENSITIES = {
    "constant": PiecewiseConstant([0.0, 0.25, 0.25, 0.7, 1.0], [0, 9, -3, 1], Fraction(1, 2)).pieces,
    "of doubles": PiecewiseConstant([-2.0, 0.0, 3.0], [0.3, -1.7], 2.0).pieces,
    "median": PiecewiseExponential.of_absolute_loss([0.2, 0.4, 0.9, 0.9], 3.0).pieces,
    "outside": PiecewiseExponential.of_absolute_loss([-1.0, 2.0, 5.0, 0.5], Fraction(1, 3), -0.5, 1.5).pieces,
    "gentle": PiecewiseExponential([0.0, 1.0], [0.0, 1e-12], 1).pieces,
}


@pytest.mark.parametrize("name", DENSITIES)
def test_densities_integrate_to_one_and_probabilities_are_their_integrals(name: str) -> None:
    pieces = DENSITIES[name]
    assert pieces.log_probability(-math.inf, math.inf) == pytest.approx(0.0, abs=1e-12)
    assert integral(pieces, pieces.low, pieces.high) == pytest.approx(1.0, rel=1e-9)
    for low, high in ((0.1, 0.3), (0.25, 0.25), (-5.0, 0.41), (0.9, 9.0), (5.0, 6.0)):
        found = pieces.log_probability(low, high)
        start, stop = max(low, pieces.low), min(high, pieces.high)
        assert math.exp(found) == pytest.approx(integral(pieces, start, stop) if start < stop else 0.0, rel=1e-9)
    assert pieces.log_density([pieces.low - 1, pieces.high + 1]).tolist() == [-math.inf] * 2
    assert pieces.log_density(np.full((2, 3), 0.2)).shape == (2, 3)


def test_the_masses_of_steep_pieces_neither_overflow_nor_vanish() -> None:
    # slopes 1400 and -3200 meet at a density of 1 / (1/1400 + 1/3200)
    top = -math.log(1 / 1400 + 1 / 3200)
    assert STEEP.log_density(0.5) == pytest.approx(top, rel=1e-12)
    assert STEEP.log_probability(0.0, 0.001) == pytest.approx(top - 700 + math.log(math.expm1(1.4) / 1400), rel=1e-12)
    assert STEEP.log_probability(0.999, 1.0) == pytest.approx(top - 1600 + math.log(math.expm1(3.2) / 3200), rel=1e-12)


@pytest.mark.parametrize("name", DENSITIES)
def test_draws_have_the_distribution_function(name: str, rng: np.random.Generator) -> None:
    pieces = DENSITIES[name]
    drawn = pieces.sample(DRAWS, rng)
    assert drawn.shape == (DRAWS,)
    assert ((drawn >= pieces.low) & (drawn <= pieces.high)).all()
    places = np.linspace(pieces.low, pieces.high, 1001)  # between them it is off by less than 1e-3
    below = [math.exp(pieces.log_probability(pieces.low, place)) for place in places]
    assert kstest(drawn, lambda x: np.interp(x, places, below)).pvalue > LEVEL


def test_draws_of_steep_pieces_are_exponential(rng: np.random.Generator) -> None:
    drawn = STEEP.sample(DRAWS, rng)
    left = drawn < 0.5
    assert abs(left.mean() - 3200 / 4600) < math.sqrt(math.log(2 / LEVEL) / (2 * DRAWS))
    assert kstest((0.5 - drawn[left]) * 1400, "expon").pvalue > LEVEL
    assert kstest((drawn[~left] - 0.5) * 3200, "expon").pvalue > LEVEL


@pytest.mark.parametrize("rate", [0.3, 2.0])
def test_the_loss_is_the_largest_log_ratio_and_within_the_claim(rate: float) -> None:
    # replacing a record of [0, 1] moves sum |h - z_i| by at most 1: rate is epsilon / 2
    generator = np.random.default_rng(3)
    grid = np.linspace(0.0, 1.0, 20_001)
    for _ in range(20):
        records = generator.random(7)
        moved = records.copy()
        moved[0] = generator.random()
        one, other = (PiecewiseExponential.of_absolute_loss(data, rate) for data in (records, moved))
        found = one.loss(other)
        seen = np.abs(one.log_density(grid) - other.log_density(grid)).max()
        assert seen <= found + 1e-12
        assert found <= seen + 2 * rate * 1e-4 + 1e-12
        assert found <= 2 * rate
        assert found == pytest.approx(other.loss(one), abs=1e-12)
    assert one.loss(PiecewiseExponential.of_absolute_loss(records, rate, high=2.0)) == math.inf
    assert one.loss(one) == 0.0


def test_the_absolute_loss_is_what_it_says() -> None:
    records = np.array([0.3, 0.3, -1.0, 4.0, 0.0, 1.0])
    found = PiecewiseExponential.of_absolute_loss(records, 1)
    for edge, utility in zip(found.edges, found.utilities, strict=True):
        assert utility == pytest.approx(-np.abs(edge - records).sum(), abs=1e-12)
    assert found.edges.tolist() == [0.0, 0.3, 1.0]
    assert PiecewiseExponential.of_absolute_loss([], 1).log_density(0.4) == 0.0


def thresholds(points: Any, labels: Any) -> PiecewiseConstant:
    """Thresholds on [0, 1] by mistakes, as wang2016:alg-1 has them with Lebesgue's measure."""
    x, y = np.asarray(points), np.asarray(labels)
    edges = np.concatenate([[0.0], np.sort(x), [1.0]])
    middles = (edges[:-1] + edges[1:]) / 2
    wrong = ((x[None, :] > middles[:, None]) != y[None, :]).sum(axis=1)
    return PiecewiseConstant(edges, -wrong, Fraction(1, 2))


def test_cells_have_the_exact_law_of_a_piecewise_constant_density() -> None:
    one, other = ([0.25, 0.5], [0, 1]), ([0.75, 0.5], [0, 1])
    found = [thresholds(*data).cells([0.25, 0.5, 0.75]) for data in (one, other)]
    laws = list(map(declared, found))
    assert tuple(found[0].outputs) == ((0.0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.0))
    assert laws[0].numerators == (1, 1, 1, 1)
    assert thresholds([0.125], [1]).cells([0.5]).exact.multiplicities == (1, 3, 4)
    loss = thresholds(*one).loss(thresholds(*other))
    for epsilon, answer in ((1.0, "holds"), (loss + 1e-12, "holds"), (loss - 1e-12, "violated")):
        assert decide(TwoLaws.of(*laws), exact_point(PureDP(epsilon))).answer == answer


# --- concave utilities


def bell(x: Any) -> Any:
    return -0.5 * ((x - 0.3) / 0.05) ** 2


def needle(x: Any) -> Any:
    return -1e4 * np.abs(x - 0.123456)


CONCAVE = {
    "bell": (bell, 0.0, 1.0),
    "bell beyond the end": (bell, 0.5, 1.0),
    "needle": (needle, 0.0, 1.0),
    "line": (lambda x: 3.0 * x, -1.0, 1.0),
    "constant": (lambda x: np.full_like(x, 1e6), 0.0, 2.0),
    "logistic": (lambda x: -20 * np.logaddexp(0.0, -x) - 3 * np.logaddexp(0.0, x), -10.0, 10.0),
}


@pytest.mark.parametrize("name", CONCAVE)
def test_the_bounds_of_a_concave_density_hold_its_integrals(name: str) -> None:
    function, low, high = CONCAVE[name]
    found = LogConcave(function, low, high)
    peak = float(function(np.linspace(low, high, 100_001)).max())

    def mass(a: float, b: float) -> float:
        inside = [0.123456] if name == "needle" and a < 0.123456 < b else None
        return quad(lambda x: math.exp(float(function(np.array([x]))[0]) - peak), a, b, points=inside, limit=500)[0]

    whole = mass(low, high)
    below, above = found.bounds
    assert below.log_normaliser - 1e-6 <= math.log(whole) + peak <= above.log_normaliser + 1e-6
    assert above.log_normaliser - below.log_normaliser <= 0.01
    for a, b in ((low, (low + high) / 2), (low + 0.2 * (high - low), high)):
        least, most = found.log_probability(a, b)
        assert math.exp(least) * (1 - 1e-6) <= mass(a, b) / whole <= math.exp(most) * (1 + 1e-6) + 1e-300


def test_draws_of_a_concave_density_are_exact(rng: np.random.Generator) -> None:
    drawn = LogConcave(bell, -1.0, 2.0, tolerance=0.3).sample(DRAWS, rng)  # a rough envelope is as good
    assert kstest((drawn - 0.3) / 0.05, norm.cdf).pvalue > LEVEL
    found = LogConcave(needle, 0.0, 1.0).sample(DRAWS, rng)
    assert kstest(1e4 * np.abs(found - 0.123456), "expon").pvalue > LEVEL


def test_what_is_not_concave_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="log_density must be concave, and is not near"):
        LogConcave(lambda x: x**2, -1.0, 1.0)
    # a bump between the points it began with
    spike = LogConcave(lambda x: -1.0 * x + 5.0 * np.maximum(0, 1 - np.abs(x - 0.515) / 0.01), 0.0, 1.0, 0.5)
    with pytest.raises(InvalidArgument, match="must be concave"):
        spike.sample(100_000, np.random.default_rng(1))
    with pytest.raises(InvalidArgument, match="log_density must give a finite number for each of 33 points"):
        LogConcave(lambda x: np.where(x > 0.5, -np.inf, x), 0.0, 1.0)


def plane_bell(points: Any) -> Any:
    return -8.0 * ((points - 0.25) ** 2).sum(axis=1)


def plane_slope(x: Any) -> Any:
    return -16.0 * (x - 0.25)


def test_draws_from_a_box_are_exact_and_trials_within_their_bound(rng: np.random.Generator) -> None:
    box = BoxRejection(plane_bell, plane_slope, [0.0, 0.0], [1.0, 1.0], slopes=12.0)
    drawn = box.sample(5000, rng)
    side = norm(0.25, 0.25)
    inside = side.cdf(1) - side.cdf(0)
    for column in drawn.T:
        assert kstest((side.cdf(column) - side.cdf(0)) / inside, "uniform").pvalue > LEVEL
    assert box.acceptance <= (inside * 0.25 * math.sqrt(2 * math.pi)) ** 2
    assert box.distance == 0.0


def test_a_limit_on_trials_costs_the_total_variation_that_is_claimed(rng: np.random.Generator) -> None:
    # one trial: a proposal is kept with probability a, else another uniform one stands: TV = (1 - a) TV(uniform, p)
    box = BoxRejection(lambda x: -4.0 * x[:, 0], lambda x: np.array([-4.0]), [0.0], [1.0], slopes=4.0, trials=1)
    accepted = -math.expm1(-4.0) / 4.0
    assert box.acceptance == pytest.approx(accepted, rel=2e-3)
    assert box.acceptance <= accepted
    exact = -math.expm1(-2.0) / -math.expm1(-4.0)
    mixed = accepted * exact + (1 - accepted) * 0.5
    drawn = box.sample(DRAWS, rng)[:, 0]
    assert abs((drawn < 0.5).mean() - mixed) < math.sqrt(math.log(2 / LEVEL) / (2 * DRAWS))
    assert abs(mixed - exact) <= box.distance < 1


def test_a_sampler_that_is_off_pays_with_delta_and_the_price_is_attained() -> None:
    # (3/4, 1/4) and (1/4, 3/4) are log(3)-DP; each moved by 1/10, P(0) - 3 Q(0) becomes (1 + 3) / 10
    claim = approximated_claim(PureDP(ratio=3), Fraction(1, 10))
    assert (Fraction(3, 4) + Fraction(1, 10)) - 3 * (Fraction(1, 4) - Fraction(1, 10)) == claim.delta_fraction
    assert approximated_claim(PureDP(1.0), 0.0) == PureDP(1.0)
    assert approximated_claim(ApproxDP(1.0, 0.1), 0.1).delta_value >= 0.1 + 0.1 * (1 + math.e)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: PiecewiseConstant([0.0, 1.0], [1, 2], 1), "scores must be finite numbers, one for each of 1 pieces"),
        (lambda: PiecewiseConstant([1.0, 0.0], [1], 1), "edges must be rising finite numbers"),
        (lambda: PiecewiseConstant([1.0, 1.0], [1], 1), "edges must span an interval"),
        (lambda: PiecewiseConstant([0.0, 1.0], [math.nan], 1), "scores must be finite numbers"),
        (lambda: PiecewiseConstant([0.0, 1.0], [1], -1), "rate must be a finite number of at least 0"),
        (lambda: PiecewiseConstant([0.0, 1.0], [0.5], 1).cells(), "scores must be integers for an exact law"),
        (lambda: PiecewiseExponential([0.0, 1.0], [1.0], 1), r"utilities must be one for each edge \(2\), got 1"),
        (lambda: PiecewiseExponential.of_absolute_loss([math.nan], 1), "records must be finite and low below high"),
        (lambda: DENSITIES["median"].log_probability(1.0, 0.0), "low must be at most high"),
        (lambda: LogConcave(bell, 1.0, 0.0), "low must be below high"),
        (lambda: LogConcave(bell, 0.0, 1.0, 0.0), "tolerance must be above 0"),
        (lambda: BoxRejection(plane_bell, plane_slope, [0] * 9, [1] * 9, 12.0), "expected trials for each draw"),
        (lambda: BoxRejection(plane_bell, plane_slope, [0, 1], [1, 1], 12.0), "lower must be below upper"),
        (lambda: BoxRejection(plane_bell, plane_slope, [0], [1], -1.0), "slopes must be finite and at least 0"),
        (
            lambda: BoxRejection(plane_bell, lambda x: np.ones(1), [0], [1], 12.0).ceiling,
            "gradient must show the maximum",
        ),
        (lambda: approximated_claim(PureDP(1.0), 2.0), "distance must be a total variation from 0 to 1"),
    ],
)
def test_what_is_no_density_is_refused(make: Any, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        make()
