"""At which orders a claim that bounds Rényi divergences is tested.

The divergence of order 1 is that of Kullback and Leibler. Divergences never fall with the order (van Erven & Harremoës
2014, arXiv:1206.2459, theorem 3), so that a bound on one is a bound on all of smaller orders.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpcheck.model.claims.protocol import Claim
from dpcheck.model.claims.renyi import RenyiDP
from dpcheck.model.claims.zero_concentrated import ZeroConcentratedDP

#: Orders at which zCDP is tested, with their weights. At a few thousand calls only small ones can be refuted of noise
#: with tails: the divergence of order a of a Gaussian of spread 1 / mu is in outputs a mu spreads out.
CONCENTRATED = ((1.0, 0.5), (1.25, 0.1), (1.5, 0.15), (2.0, 0.15), (3.0, 0.05), (8.0, 0.05))
#: A claim of one order is tested at it, and with this part of the weight at these below it.
LOWER_ORDERS, LOWER_PART = (1.0, 1.5, 2.0, 4.0, 8.0, 16.0), 0.3
#: An order nearer to 1 is tested as order 1, of which the divergence is no larger: nothing else would be left of it.
NEAREST_ORDER = 1e-6


@dataclass(frozen=True)
class TestedOrder:
    """One order at which a divergence is bounded, by ``growth`` times the claim's parameter, and its fixed weight."""

    __test__ = False  # not a test class of pytest

    order: float
    growth: float
    weight: float


def orders_tested(claim: Claim) -> tuple[TestedOrder, ...]:
    """The orders at which a claim is tested, with weights that sum to 1; none where it bounds no divergence.

    Examples
    --------
    >>> [one.order for one in orders_tested(RenyiDP(4, 1.0))]
    [1.0, 1.5, 2.0, 4.0]
    >>> orders_tested(ZeroConcentratedDP(0.5))[2]
    TestedOrder(order=1.5, growth=1.5, weight=0.15)
    """
    if isinstance(claim, ZeroConcentratedDP):
        return tuple(TestedOrder(order, order, weight) for order, weight in CONCENTRATED)
    if not isinstance(claim, RenyiDP):
        return ()
    if claim.order - 1.0 < NEAREST_ORDER:
        return (TestedOrder(1.0, 1.0, 1.0),)
    lower = [order for order in LOWER_ORDERS if order < claim.order]
    return (
        *(TestedOrder(order, 1.0, LOWER_PART / len(lower)) for order in lower),
        TestedOrder(claim.order, 1.0, 1.0 - LOWER_PART),
    )


def orders_in_words(claim: Claim) -> str:
    """The orders as a person reads them.

    >>> orders_in_words(RenyiDP(4, 1.0))
    '1, 1.5, 2 and 4'
    """
    orders = [f"{one.order:g}" for one in orders_tested(claim)]
    return " and ".join([", ".join(orders[:-1]), orders[-1]] if len(orders) > 1 else orders)
