"""Rényi differential privacy of one order."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpcheck.model.claims.arguments import checked_delta, checked_distance, checked_epsilon, checked_order
from dpcheck.model.claims.conversion import delta_of_one_moment, smallest_valid_epsilon
from dpcheck.model.errors import InvalidArgument


@dataclass(frozen=True)
class RenyiDP:
    """Rényi DP: between neighbours the Rényi divergence of one order is at most epsilon, in both directions.

    Parameters
    ----------
    order : float, above 1
    epsilon : float, nats, at least 0

    Source: Mironov 2017, arXiv:1702.07476, definition 4; the conversion to (epsilon, delta) is the optimal one of a
    single order (see :mod:`dpcheck.model.claims.conversion`).

    Examples
    --------
    >>> claim = RenyiDP(order=8, epsilon=0.5)
    >>> claim, str(claim), claim.at_distance(2)
    (RenyiDP(order=8.0, epsilon=0.5), '(8, 0.5)-RDP', RenyiDP(order=4.0, epsilon=1.5))
    >>> claim.delta(2.0) < 1e-5 < claim.delta(1.0)
    True
    """

    order: float
    epsilon_value: float

    def __init__(self, order: float, epsilon: float) -> None:
        object.__setattr__(self, "order", checked_order(order))
        object.__setattr__(self, "epsilon_value", checked_epsilon(epsilon))

    def __repr__(self) -> str:
        return f"RenyiDP(order={self.order!r}, epsilon={self.epsilon_value!r})"

    def __str__(self) -> str:
        return f"({self.order:g}, {self.epsilon_value:g})-RDP"

    def delta(self, epsilon: float) -> float:
        """The largest delta at this epsilon."""
        asked = checked_epsilon(epsilon)
        bound = self.epsilon_value
        if bound == 0.0:
            return 0.0
        found = delta_of_one_moment(bound * (self.order - 1.0), self.order, asked)
        return min(found, math.sqrt(bound / 2.0))  # Pinsker: below 1e-12 the search does not reach it

    def epsilon(self, delta: float) -> float:
        """The inverse of :meth:`delta`, from the safe side; ``inf`` at delta 0 unless the claim's own is 0."""
        asked = checked_delta(delta)
        if self.epsilon_value == 0.0:
            return 0.0
        if asked == 0.0:
            return math.inf
        enough = self.epsilon_value - math.log(asked) / (self.order - 1.0)  # Mironov 2017, proposition 3
        return smallest_valid_epsilon(self.delta, asked, enough)

    def at_distance(self, k: int) -> RenyiDP:
        """Group privacy: ``(order / 2^c, 3^c epsilon)`` with 2^c the first power of two from k on.

        Source: Mironov 2017, proposition 2, which needs ``order >= 2^(c + 1)``.

        Raises
        ------
        InvalidArgument
            When the order is too small for this distance: then nothing follows.
        """
        doublings = (checked_distance(k) - 1).bit_length()
        if doublings and self.order < 2.0 ** (doublings + 1):
            raise InvalidArgument(
                f"order must be at least {2 ** (doublings + 1)} for a claim at distance {k}, got {self.order:g}"
            )
        return RenyiDP(self.order / 2.0**doublings, 3.0**doublings * self.epsilon_value)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Nothing beyond fresh, independent runs."""
        return ()
