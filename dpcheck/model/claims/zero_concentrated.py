"""Zero-concentrated differential privacy."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpcheck.model.claims.arguments import checked_delta, checked_distance, checked_epsilon, checked_parameter
from dpcheck.model.claims.conversion import delta_of_all_moments, smallest_valid_epsilon


@dataclass(frozen=True)
class ZeroConcentratedDP:
    """Zero-concentrated DP: between neighbours the Rényi divergence of every order above 1 is at most ``rho * order``.

    ``delta`` and ``epsilon`` are what the claim implies: no mechanism that keeps it has more. Some keep it and have
    less: the Gaussian mechanism of the same rho has about half the delta.

    Parameters
    ----------
    rho : float, at least 0

    Source: Bun & Steinke 2016, arXiv:1605.02065, definition 1.1; the conversion is at least as tight as proposition
    12 of Canonne, Kamath & Steinke 2020, arXiv:2004.00010 (see :mod:`dpcheck.model.claims.conversion`).

    Examples
    --------
    >>> claim = ZeroConcentratedDP(0.5)
    >>> claim, str(claim), claim.at_distance(3)
    (ZeroConcentratedDP(rho=0.5), '0.5-zCDP', ZeroConcentratedDP(rho=4.5))
    >>> round(claim.epsilon(1e-5), 2)
    4.73
    """

    rho: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "rho", checked_parameter("rho", self.rho))

    def __str__(self) -> str:
        return f"{self.rho:g}-zCDP"

    def delta(self, epsilon: float) -> float:
        """The largest delta at this epsilon, from the bounds at all orders."""
        asked = checked_epsilon(epsilon)
        rho = self.rho
        if rho == 0.0:
            return 0.0
        found = delta_of_all_moments(rho, asked)
        return min(found, math.sqrt(rho / 2.0))  # Pinsker: below rho = 1e-12 the search does not reach it

    def epsilon(self, delta: float) -> float:
        """The inverse of :meth:`delta`, from the safe side; ``inf`` at delta 0 unless rho is 0."""
        asked = checked_delta(delta)
        if self.rho == 0.0:
            return 0.0
        if asked == 0.0:
            return math.inf
        enough = self.rho + 2.0 * math.sqrt(self.rho * -math.log(asked))  # Bun & Steinke 2016, proposition 1.3
        return smallest_valid_epsilon(self.delta, asked, enough)

    def at_distance(self, k: int) -> ZeroConcentratedDP:
        """Group privacy: ``k^2 rho`` (Bun & Steinke 2016, proposition 1.9)."""
        return ZeroConcentratedDP(checked_distance(k) ** 2 * self.rho)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Nothing beyond fresh, independent runs."""
        return ()
