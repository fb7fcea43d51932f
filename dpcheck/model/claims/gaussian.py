"""Gaussian differential privacy."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpcheck.model.claims.arguments import checked_delta, checked_distance, checked_epsilon, checked_parameter
from dpcheck.model.claims.conversion import SMALLEST, smallest_valid_epsilon

#: Rounding of the closed form, from above: relative (it grows with the exponent), and of the difference's terms.
_ROUNDING = 1e-15


@dataclass(frozen=True)
class GaussianDP:
    """Gaussian DP: neighbours are as hard to tell apart as a normal law from the same one moved by ``mu`` spreads.

    Parameters
    ----------
    mu : float, at least 0

    Source: Dong, Roth & Su 2019, arXiv:1905.02383, definition 2.6.

    Examples
    --------
    >>> claim = GaussianDP(1.0)
    >>> claim, str(claim), claim.at_distance(3)
    (GaussianDP(mu=1.0), '1-GDP', GaussianDP(mu=3.0))
    >>> round(claim.delta(1.0), 6)
    0.126937
    """

    mu: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "mu", checked_parameter("mu", self.mu))

    def __str__(self) -> str:
        return f"{self.mu:g}-GDP"

    def delta(self, epsilon: float) -> float:
        """``Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)`` (Dong, Roth & Su 2019, corollary 2.13).

        Computed as a difference of Mills ratios, which keeps its digits in the tails, and rounded up.
        """
        asked = checked_epsilon(epsilon)
        if self.mu == 0.0:
            return 0.0
        from scipy.special import erfcx, ndtr

        near, far = asked / self.mu - self.mu / 2.0, asked / self.mu + self.mu / 2.0
        if near > 1e150:  # its square overflows
            return SMALLEST
        density = 0.5 * math.exp(-near * near / 2.0)  # e^epsilon times the density at far is the density at near
        second = density * float(erfcx(far / math.sqrt(2.0)))
        first = float(ndtr(-near)) if near < 0.0 else density * float(erfcx(near / math.sqrt(2.0)))
        slack = first * _ROUNDING * (4.0 + near * near) if near >= 0.0 else _ROUNDING
        return min(1.0, max(SMALLEST, first - second + slack))

    def epsilon(self, delta: float) -> float:
        """The inverse of :meth:`delta`, from the safe side; ``inf`` at delta 0 unless mu is 0."""
        asked = checked_delta(delta)
        if self.mu == 0.0:
            return 0.0
        if asked == 0.0:
            return math.inf
        # Phi(-near) <= delta from near = sqrt(2 log(1/delta)) on; a little more for the rounding
        enough = self.mu * (self.mu / 2.0 + math.sqrt(-2.0 * math.log(asked)) + 1.0)
        return smallest_valid_epsilon(self.delta, asked, enough)

    def at_distance(self, k: int) -> GaussianDP:
        """Group privacy: ``k mu`` (Dong, Roth & Su 2019, theorem 2.14)."""
        return GaussianDP(checked_distance(k) * self.mu)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Nothing beyond fresh, independent runs."""
        return ()
