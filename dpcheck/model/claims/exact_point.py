"""The point at which a pure or approximate claim is tested, without any rounding."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpcheck.model.claims.protocol import Claim
from dpcheck.model.claims.standard import ApproxDP, PureDP
from dpcheck.model.claims.stated import logarithm
from dpcheck.model.errors import InvalidArgument


@dataclass(frozen=True)
class ExactPoint:
    """The (epsilon, delta) of a claim without any rounding; ``ratio`` is exp(epsilon) where it was given so."""

    epsilon: Fraction
    ratio: Fraction | None
    delta: Fraction

    @property
    def nats(self) -> float:
        """Epsilon as a double, within two units in its last place."""
        return logarithm(self.ratio) if self.ratio is not None else float(self.epsilon)


def exact_point(claim: Claim) -> ExactPoint:
    """The point at which a pure or approximate claim is tested, exactly as it was stated: a float is its own value.

    Raises
    ------
    InvalidArgument
        For a kind of claim that is not tested at one point.

    Examples
    --------
    >>> exact_point(ApproxDP(0.5, Fraction(1, 3)))
    ExactPoint(epsilon=Fraction(1, 2), ratio=None, delta=Fraction(1, 3))
    """
    if not isinstance(claim, PureDP | ApproxDP):
        raise InvalidArgument(f"claim must be PureDP or ApproxDP here, got {claim!r}")
    epsilon, delta = claim.epsilon_value, claim.delta_value if isinstance(claim, ApproxDP) else 0.0
    fraction = claim.delta_fraction if isinstance(claim, ApproxDP) else None
    return ExactPoint(
        Fraction(epsilon) if claim.epsilon_fraction is None else claim.epsilon_fraction,
        claim.ratio,
        Fraction(delta) if fraction is None else fraction,
    )
