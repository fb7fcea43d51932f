"""What a claim allows two events to be: how probable a wrong guess must at least be, where a right one is so probable.

Under a claim, whatever event has probability ``right`` with a record in has at least ``least_wrong(right)`` without it,
and the other way round (the inverse of one minus the trade-off function; Dong, Roth & Su 2019, arXiv:1905.02383).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import ApproxDP, Claim, GaussianDP, PureDP

Floats = NDArray[np.float64]

#: Points of a curve between epsilon 0 and the epsilon at which its delta is as small as this.
POINTS = 40
LEAST_DELTA = 1e-12
#: No number of canaries says anything of larger epsilons.
FARTHEST = 40.0
#: What is computed in doubles is taken to be off by so much, on the safe side.
ROUNDING = 1e-9


class TradeOff(Protocol):
    """The least probability of a wrong guess."""

    def least_wrong(self, right: Floats) -> Floats:
        """At least so probable is the event without the record, where it has probability ``right`` with it."""
        ...


@dataclass(frozen=True)
class OfPoints:
    """The trade-off of (epsilon, delta) statements that hold together, arrays of shape (P,)."""

    epsilons: Floats
    deltas: Floats

    def least_wrong(self, right: Floats) -> Floats:
        """The largest of what each point asks for.

        >>> claim = OfPoints(np.array([math.log(3.0)]), np.array([0.0]))
        >>> claim.least_wrong(np.array([0.3, 0.9])).round(6).tolist()
        [0.1, 0.7]
        """
        odds = np.exp(np.minimum(self.epsilons, 700.0))[:, None]
        delta = self.deltas[:, None]
        rare = (right - delta) / odds
        common = 1.0 - delta - odds * (1.0 - right)
        return np.asarray(np.maximum(0.0, np.maximum(rare, common).max(axis=0)) * (1.0 - ROUNDING))


@dataclass(frozen=True)
class OfNormalLaws:
    """The trade-off of two normal laws whose means are ``mu`` spreads apart."""

    mu: float

    def least_wrong(self, right: Floats) -> Floats:
        """``Phi(Phi^-1(right) - mu)``.

        >>> OfNormalLaws(1.0).least_wrong(np.array([0.5])).round(6).tolist()
        [0.158655]
        """
        from scipy.special import ndtr, ndtri

        return np.asarray(ndtr(ndtri(np.minimum(right, 1.0)) - self.mu) * (1.0 - ROUNDING))


def trade_off_of(claim: Claim) -> TradeOff:
    """The trade-off that a claim implies; of a curve through some of its points, which is on the safe side."""
    if isinstance(claim, GaussianDP):
        return OfNormalLaws(claim.mu)
    if isinstance(claim, PureDP):
        return OfPoints(np.array([claim.epsilon_value]), np.array([0.0]))
    if isinstance(claim, ApproxDP):
        return OfPoints(np.array([claim.epsilon_value]), np.array([claim.delta_value]))
    return _of_curve(cast("Any", claim))  # every claim is a frozen value


@lru_cache(maxsize=256)
def _of_curve(claim: Claim) -> OfPoints:
    farthest = claim.epsilon(LEAST_DELTA)
    if not math.isfinite(farthest):  # a profile that ends above
        farthest = _last_below_one(claim)
    epsilons = np.linspace(0.0, min(farthest, FARTHEST), POINTS)
    return OfPoints(epsilons, np.array([claim.delta(float(epsilon)) for epsilon in epsilons]))


def _last_below_one(claim: Claim) -> float:
    """An epsilon beyond which the delta of a claim hardly falls any more."""
    low, high = 0.0, 1.0
    while high < 600.0 and claim.delta(2.0 * high) < 0.999 * claim.delta(high):
        low, high = high, 2.0 * high
    return max(high, low)
