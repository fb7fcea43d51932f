"""What so many right guesses certify: the largest epsilon, or parameter of a claim's own kind, that they refute."""

from __future__ import annotations

from collections.abc import Callable

from dpcheck.model.claims import ApproxDP, Claim, CurveClaim, PureDP
from dpcheck.model.claims.points import with_parameter
from dpcheck.privacy.one_run.right_guesses import refutes

#: No bound above this is looked for: no number of canaries shows more.
CEILING = 64.0
_HALVINGS = 14


def certified_epsilon(right: int, guesses: int, canaries: int, delta: float, alpha: float) -> float:
    """The largest epsilon at ``delta`` that is refuted with confidence ``1 - alpha``; 0.0 where none is.

    Examples
    --------
    >>> 2.5 < certified_epsilon(98, 100, 1000, 1e-5, 0.05) < certified_epsilon(100, 100, 1000, 1e-5, 0.05) < 3.5
    True
    """

    def claim(epsilon: float) -> Claim:
        return PureDP(epsilon) if delta == 0.0 else ApproxDP(epsilon, delta)

    return _last_refuted(lambda epsilon: refutes(right, guesses, canaries, claim(epsilon), alpha))


def certified_parameter(claim: CurveClaim, right: int, guesses: int, canaries: int, alpha: float) -> float:
    """The largest rho, mu or Rényi epsilon for which a claim of this kind is refuted.

    >>> from dpcheck.model.claims import GaussianDP
    >>> 1.0 < certified_parameter(GaussianDP(0.5), 99, 100, 1000, 0.05) < 1.1
    True
    """
    return _last_refuted(lambda parameter: refutes(right, guesses, canaries, with_parameter(claim, parameter), alpha))


def _last_refuted(refuted: Callable[[float], bool]) -> float:
    """The largest value known to be refuted: the bounds on chance rise with the value."""
    if not refuted(0.0):
        return 0.0
    low, high = 0.0, 1.0  # fourteen halvings are a hundredth of a percent, more than anybody reads
    while refuted(high):
        if high >= CEILING:
            return CEILING
        low, high = high, 2.0 * high
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if refuted(middle) else (low, middle)
    return low
