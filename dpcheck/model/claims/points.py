"""At which (epsilon, delta) points a claim is tested, and how to get a claim from what a user wrote."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from numbers import Rational, Real

from dpcheck.model.claims.gaussian import GaussianDP
from dpcheck.model.claims.profile import ProfileDP
from dpcheck.model.claims.protocol import Claim
from dpcheck.model.claims.renyi import RenyiDP
from dpcheck.model.claims.standard import ApproxDP, PureDP
from dpcheck.model.claims.zero_concentrated import ZeroConcentratedDP
from dpcheck.model.errors import InvalidArgument

#: Claims of a whole privacy profile that one parameter describes.
CurveClaim = ZeroConcentratedDP | RenyiDP | GaussianDP
#: Claims that are tested through a grid of points: those, and a profile that was computed point by point.
GridClaim = CurveClaim | ProfileDP

#: The grid of a curve: parts of its delta at epsilon 0, and the weight of each point. A Gaussian with too little noise
#: is caught soonest at a half to a fifth where the claim is exact (GaussianDP), at a fifth to a twentieth where the
#: claim allows more than a Gaussian uses; the small ones are for rare events.
LEVELS = (1.0, 0.5, 0.2, 0.05, 0.005, 1e-4, 1e-6)
LEVEL_WEIGHTS = (0.2, 0.25, 0.2, 0.15, 0.1, 0.06, 0.04)
#: Which of them is used where one point has to stand for the claim: the bank of rules is made for it, and
#: ``epsilon_lower``, ``delta_lower`` and ``detectable_epsilon`` are said there.
CENTRAL = 2
#: exp(epsilon) must be a double; a point further out would see nothing anyway.
FARTHEST = 700.0
#: Deltas below this are raised to it: delta 0 is another test (its bets are weighted differently), and the parameter's
#: bound must come from one test at all values.
LEAST_DELTA = 1e-300
#: Bisections for a parameter: more digits than anybody reads.
_HALVINGS = 20


@dataclass(frozen=True)
class TestedPoint:
    """One (epsilon, delta) statement that a claim implies, and its fixed weight in the average of the evidence."""

    __test__ = False  # not a test class of pytest

    epsilon: float
    delta: float
    weight: float


def as_claim(claim: Claim | float) -> Claim:
    """A claim as given, a bare number as :class:`PureDP`.

    Raises
    ------
    InvalidArgument
        When it is neither.

    Examples
    --------
    >>> as_claim(0.5)
    PureDP(epsilon=0.5)
    """
    if isinstance(claim, PureDP | ApproxDP):
        return claim
    if isinstance(claim, Real) and not isinstance(claim, bool):
        return PureDP(claim if isinstance(claim, Rational) else float(claim))
    if isinstance(claim, Claim):
        return claim
    raise InvalidArgument(
        "claim must be an epsilon (a number), PureDP(epsilon), ApproxDP(epsilon, delta), ZeroConcentratedDP(rho), "
        f"RenyiDP(order, epsilon), GaussianDP(mu) or ProfileDP(points), got {claim!r}"
    )


def points_tested(claim: Claim) -> tuple[TestedPoint, ...]:
    """The points at which a claim is tested: one for (epsilon, delta), a fixed grid for a curve.

    The grid depends on the claim alone, so it is fixed before the first call; each point's delta is what the claim
    implies there, so a claim that holds makes all of them hold, and the average of the evidence against them is
    evidence against the claim.

    Raises
    ------
    InvalidArgument
        For a kind of claim that cannot be tested.

    Examples
    --------
    >>> points_tested(ApproxDP(1.0, 1e-5))
    (TestedPoint(epsilon=1.0, delta=1e-05, weight=1.0),)
    >>> [round(point.epsilon, 2) for point in points_tested(ZeroConcentratedDP(0.5))]
    [0.0, 0.88, 1.63, 2.38, 3.26, 4.36, 5.37]
    """
    if isinstance(claim, GridClaim):
        return tuple(point for point in _grid(claim) if point.epsilon <= FARTHEST)
    epsilon, delta = claim_point(claim)
    return (TestedPoint(epsilon, delta, 1.0),)


@lru_cache(maxsize=256)
def _grid(claim: GridClaim) -> tuple[TestedPoint, ...]:
    top = claim.delta(0.0)
    if top == 0.0:
        return (TestedPoint(0.0, LEAST_DELTA, 1.0),)
    epsilons = [claim.epsilon(top * level) if level < 1.0 else 0.0 for level in LEVELS]
    return tuple(
        TestedPoint(epsilon, max(claim.delta(epsilon), LEAST_DELTA) if epsilon < math.inf else LEAST_DELTA, weight)
        for epsilon, weight in zip(epsilons, LEVEL_WEIGHTS, strict=True)
    )


def points_with(claim: CurveClaim, parameter: float) -> tuple[TestedPoint, ...]:
    """The grid of ``claim``, at the same epsilons and weights, with the deltas of another value of its parameter.

    Every delta rises with the parameter.

    Examples
    --------
    >>> claim = GaussianDP(1.0)
    >>> points_with(claim, 1.0) == points_tested(claim)
    True
    """
    other = with_parameter(claim, parameter)
    return tuple(
        TestedPoint(point.epsilon, max(other.delta(point.epsilon), LEAST_DELTA), point.weight)
        for point in points_tested(claim)
    )


def with_parameter(claim: CurveClaim, parameter: float) -> CurveClaim:
    """A claim of the same kind (and order) with another rho, mu or Rényi epsilon."""
    if isinstance(claim, RenyiDP):
        return RenyiDP(claim.order, parameter)
    return type(claim)(parameter)


@lru_cache(maxsize=1024)
def parameter_reaching(claim: CurveClaim, epsilon: float, delta: float) -> float:
    """The least rho, mu or Rényi epsilon with which a claim of this kind allows this epsilon at this delta.

    Examples
    --------
    >>> round(parameter_reaching(GaussianDP(1.0), *claim_point(GaussianDP(2.0))), 2)
    2.0
    """
    low, high = 0.0, max(1.0, 2.0 * parameter_of(claim)[1])
    # delta at this epsilon rises with the parameter, and is much cheaper than epsilon at this delta
    while with_parameter(claim, high).delta(epsilon) < delta:
        low, high = high, 2.0 * high
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if with_parameter(claim, middle).delta(epsilon) >= delta else (middle, high)
    return high


def parameter_of(claim: Claim) -> tuple[str, float]:
    """The name and value of a claim's own parameter.

    Examples
    --------
    >>> parameter_of(ZeroConcentratedDP(0.5)), parameter_of(PureDP(1.0)), parameter_of(RenyiDP(4, 0.3))
    (('rho', 0.5), ('epsilon', 1.0), ('Rényi epsilon', 0.3))
    """
    if isinstance(claim, ZeroConcentratedDP):
        return "rho", claim.rho
    if isinstance(claim, GaussianDP):
        return "mu", claim.mu
    if isinstance(claim, RenyiDP):
        return "Rényi epsilon", claim.epsilon_value
    return "epsilon", claim_point(claim)[0]


def claim_point(claim: Claim) -> tuple[float, float]:
    """The (epsilon, delta) that stands for a claim: its own, or the central point of a curve's grid.

    Raises
    ------
    InvalidArgument
        For a kind of claim that cannot be tested.

    Examples
    --------
    >>> claim_point(ApproxDP(1.0, 1e-5))
    (1.0, 1e-05)
    """
    if isinstance(claim, PureDP):
        return claim.epsilon_value, 0.0
    if isinstance(claim, ApproxDP):
        return claim.epsilon_value, claim.delta_value
    if isinstance(claim, GridClaim):
        points = _grid(claim)
        if isinstance(claim, ProfileDP):  # it ends where its points do
            points = tuple(point for point in points if point.epsilon < math.inf)
        central = points[min(CENTRAL, len(points) - 1)]
        return central.epsilon, central.delta
    raise InvalidArgument(
        f"claim must be PureDP, ApproxDP, ZeroConcentratedDP, RenyiDP, GaussianDP or ProfileDP to be tested, got "
        f"{claim!r}"
    )


def claim_options(claim: Claim | float) -> dict[str, float]:
    """What a claim says to a factory of learners, by the names its parameters have there.

    Examples
    --------
    >>> claim_options(1.0), claim_options(GaussianDP(0.5))
    ({'epsilon': 1.0, 'delta': 0.0}, {'mu': 0.5})
    """
    if isinstance(claim, ZeroConcentratedDP):
        return {"rho": claim.rho}
    if isinstance(claim, GaussianDP):
        return {"mu": claim.mu}
    if isinstance(claim, RenyiDP):
        return {"order": claim.order, "epsilon": claim.epsilon_value}
    if isinstance(claim, ProfileDP):
        return {}  # no one number of a profile is what a factory would call epsilon
    epsilon, delta = (float(claim), 0.0) if isinstance(claim, int | float) else claim_point(claim)
    return {"epsilon": epsilon, "delta": delta}
