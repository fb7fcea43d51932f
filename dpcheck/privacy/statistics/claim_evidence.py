"""The evidence against a claim, by all that it is tested through, and the bound on its own parameter.

A claim is tested at the (epsilon, delta) points that it implies and, where it bounds Rényi divergences (zCDP, Rényi
DP), by bets against those bounds as well: the evidence is the average of both, with weights fixed beforehand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import Claim, CurveClaim, TestedPoint, points_tested, points_with
from dpcheck.privacy.statistics.divergences import BoundedDivergences, divergences_bounded
from dpcheck.privacy.statistics.evidence import (
    PARAMETER_CEILING,
    PARAMETER_FLOOR,
    Tally,
    last_true,
    log_evidence_at,
)

Floats = NDArray[np.float64]

#: The part of the evidence that is that of the bets against bounds on divergences, where a claim makes such.
DIVERGENCES_PART = 0.75


def log_evidence_against(tally: Tally, claim: Claim) -> float:
    """The logarithm of the evidence against a claim: an e-process where the claim holds.

    Examples
    --------
    >>> from dpcheck.model.claims import PureDP
    >>> from dpcheck.privacy.statistics.evidence import full_stakes
    >>> log_evidence_against(full_stakes(0, 0, 10), PureDP(1.0))
    0.0
    """
    points = log_evidence_at(tally, points_tested(claim))
    direct = _falling(tally, claim)
    if direct is None:
        return points
    bounded, logs = direct
    return _joined(points, float(logs[bounded.claimed]))


def points_staked(claim: Claim) -> tuple[TestedPoint, ...]:
    """The points that a claim is tested at, with what each is of all the evidence against it.

    Where bets against bounds on divergences have a part of the evidence, the weights sum to less than 1.

    >>> from dpcheck.model.claims import GaussianDP, ZeroConcentratedDP
    >>> [round(sum(p.weight for p in points_staked(claim)), 2) for claim in (GaussianDP(1), ZeroConcentratedDP(0.5))]
    [1.0, 0.25]
    """
    points = points_tested(claim)
    if divergences_bounded(claim) is None:
        return points
    return tuple(TestedPoint(point.epsilon, point.delta, (1.0 - DIVERGENCES_PART) * point.weight) for point in points)


def parameter_lower(tally: Tally, claim: CurveClaim, alpha: float) -> float:
    """The certified lower bound on a claim's own parameter (rho, mu), at any stopping time with confidence 1 - alpha.

    Parameters
    ----------
    tally : Tally
    claim : CurveClaim
        Of the kind, and with the points and parameters, that the bound is for.
    alpha : float

    Returns
    -------
    float
        The largest parameter below which all are refuted. The evidence of points at fixed epsilon falls with delta (all
        three factors of a bet do, and the weights of the bets are those of delta > 0 throughout), so it falls with the
        parameter. That of bets against divergences is kept for a grid of parameters; at one between two it is that of
        the next larger (whose null holds this one's), and never more than at any smaller one, so that the average
        falls too and a bisection is valid: a bound above the true parameter means that the true one is refuted.
    """
    threshold = -math.log(alpha)
    direct = _falling(tally, claim)

    def rejected(parameter: float) -> bool:
        points = log_evidence_at(tally, points_with(claim, parameter))
        if direct is None:
            return points >= threshold
        bounded, logs = direct
        place = int(np.searchsorted(bounded.parameters, parameter))
        # beyond the grid nothing was bet: that wealth counts as lost
        return _joined(points, float(logs[place]) if place < len(logs) else -math.inf) >= threshold

    if not rejected(0.0):
        return 0.0
    high = 1.0
    while high < PARAMETER_CEILING and rejected(high):
        high *= 2.0
    while PARAMETER_FLOOR < high <= 1.0 and not rejected(0.5 * high):
        high *= 0.5
    return last_true(rejected, 0.5 * high if high > PARAMETER_FLOOR else 0.0, high, precision=1e-5 * high)


@dataclass(frozen=True)
class LeadingDivergence:
    """The order and direction that carry most evidence: the divergence is at least ``lower``, the claim ``allowed``."""

    order: float
    of_left: bool
    lower: float
    allowed: float

    @property
    def direction(self) -> str:
        """Which of the two divergences, in words."""
        return "of D from D'" if self.of_left else "of D' from D"


def leading_divergence(tally: Tally, claim: Claim, alpha: float) -> LeadingDivergence | None:
    """The order and direction of which the bets have most evidence against the claim; None where points have more.

    ``lower`` is what the bets of this order and direction certify by themselves, by their part of the evidence: it
    holds with confidence 1 - alpha, and where it reaches what is allowed they refute the claim.
    """
    bounded = divergences_bounded(claim)
    if bounded is None or tally.wealth is None:
        return None
    logs = np.minimum.accumulate(tally.wealth.log_by_order(bounded) + math.log(DIVERGENCES_PART), axis=1)
    row = int(np.argmax(logs[:, bounded.claimed]))
    if logs[row, bounded.claimed] <= math.log1p(-DIVERGENCES_PART) + log_evidence_at(tally, points_tested(claim)):
        return None
    refuted = int((logs[row] >= -math.log(alpha)).sum())
    orders = len(bounded.orders)
    allowed = bounded.bounds[row % orders]
    return LeadingDivergence(
        float(bounded.orders[row % orders]),
        row < orders,
        float(allowed[refuted - 1]) if refuted else 0.0,
        float(allowed[bounded.claimed]),
    )


def _joined(points: float, divergences: float) -> float:
    return float(np.logaddexp(math.log1p(-DIVERGENCES_PART) + points, math.log(DIVERGENCES_PART) + divergences))


def _falling(tally: Tally, claim: Claim) -> tuple[BoundedDivergences, Floats] | None:
    """The logarithm of the evidence of divergences at each parameter of the grid, and never more than at a smaller.

    So a claim is refuted just where the bound on its parameter reaches it.
    """
    bounded = divergences_bounded(claim)
    if bounded is None or tally.wealth is None:
        return None
    return bounded, np.minimum.accumulate(tally.wealth.log_evidence(bounded))
