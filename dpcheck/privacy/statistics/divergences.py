"""Bounds on Rényi divergences as numbers: those a claim makes, and the power divergences that are bet on.

The divergence of order 1 is that of Kullback and Leibler.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import Claim, TestedOrder, orders_tested, parameter_of

Floats = NDArray[np.float64]

#: Parts and multiples of the claim's parameter at which evidence is kept for the bound on it: fine where a leak is near
#: the claim. Fixed once for all.
MULTIPLES = (
    *(0.25, 0.5, 0.625, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0, 1.02, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.4, 1.5, 1.65, 1.8),
    *(2.0, 2.25, 2.5, 2.8, 3.2, 3.6, 4.0, 5.0, 6.0, 8.0, 11.0, 16.0, 24.0, 32.0, 64.0),
)
#: The same for a parameter of 0.
PARAMETERS_OF_NONE = (0.0, *(2.0**power for power in range(-16, 7)))
#: A moment of more nats than this is infinite to every number of calls.
LARGEST_MOMENT = 300.0


@dataclass(frozen=True)
class BoundedDivergences:
    """The statements "the divergence of this order is at most that" which a claim makes, for one pair either way round.

    ``orders`` and ``weights`` have shape (T,), the weights sum to 1; ``parameters`` (G,), rising, are values of the
    claim's own parameter, that of the claim itself at ``claimed``; ``bounds`` (T, G) are the divergences allowed, in
    nats.
    """

    orders: Floats
    weights: Floats
    parameters: Floats
    claimed: int
    bounds: Floats


def divergences_bounded(claim: Claim) -> BoundedDivergences | None:
    """The divergences that a zCDP or Rényi claim bounds; None for others, which say nothing of divergences.

    Examples
    --------
    >>> from dpcheck.model.claims import RenyiDP, ZeroConcentratedDP
    >>> bounded = divergences_bounded(ZeroConcentratedDP(0.5))
    >>> bounded.orders.tolist(), bounded.bounds[:, bounded.claimed].tolist()
    ([1.0, 1.25, 1.5, 2.0, 3.0, 8.0], [0.5, 0.625, 0.75, 1.0, 1.5, 4.0])
    >>> divergences_bounded(RenyiDP(2, 1)).orders.tolist()
    [1.0, 1.5, 2.0]
    """
    tested = orders_tested(claim)
    return _bounded(tested, parameter_of(claim)[1]) if tested else None


@lru_cache(maxsize=256)
def _bounded(tested: tuple[TestedOrder, ...], value: float) -> BoundedDivergences:
    parameters = value * np.array(MULTIPLES) if value > 0.0 else np.array(PARAMETERS_OF_NONE)
    orders, growth, weights = np.array([(one.order, one.growth, one.weight) for one in tested]).T
    claimed = MULTIPLES.index(1.0) if value > 0.0 else 0
    return BoundedDivergences(orders, weights, parameters, claimed, growth[:, None] * parameters)


def power_divergence(order: Floats, divergence: Floats) -> Floats:
    """``(exp((a - 1) D) - 1) / (a - 1)`` of a Rényi divergence D of order a: D itself at order 1, ``inf`` if too large.

    >>> power_divergence(np.array([1.0, 2.0]), np.array([0.5, math.log(3.0)])).round(9).tolist()
    [0.5, 2.0]
    """
    excess = order - 1.0
    moment = excess * divergence
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        power = np.where(excess == 0.0, divergence, np.expm1(moment) / np.where(excess == 0.0, 1.0, excess))
    return np.where(moment > LARGEST_MOMENT, math.inf, power)


def renyi_of_power(order: Floats, power: Floats) -> Floats:
    """The Rényi divergence of a power divergence: the inverse of :func:`power_divergence`.

    >>> renyi_of_power(np.array([1.0, 2.0]), np.array([0.5, 2.0])).round(4).tolist()
    [0.5, 1.0986]
    """
    excess = order - 1.0
    return np.where(excess == 0.0, power, np.log1p(excess * power) / np.where(excess == 0.0, 1.0, excess))
