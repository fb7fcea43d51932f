"""What a learner promises: pure and approximate differential privacy.

A claim is plain data that others interpret. Each can be asked for its delta at any epsilon, its epsilon at any
delta, and for what it implies between datasets at distance k (group privacy).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Rational, Real
from typing import Protocol, runtime_checkable

from dpcheck.errors import InvalidArgument


@runtime_checkable
class Claim(Protocol):
    """What a privacy claim can be asked."""

    def delta(self, epsilon: float) -> float:
        """The smallest delta the claim promises at this epsilon."""
        ...

    def epsilon(self, delta: float) -> float:
        """The smallest epsilon the claim promises at this delta (``inf`` if none)."""
        ...

    def at_distance(self, k: int) -> Claim:
        """What the claim implies for datasets that are k steps apart."""
        ...

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the claim takes for granted and no run can check."""
        ...


def _checked_epsilon(value: float) -> float:
    number = _real("epsilon", value)
    if not (number >= 0 and math.isfinite(number)):
        raise InvalidArgument(f"epsilon must be a finite number of nats, at least 0, got {value!r}")
    return number


def _checked_delta(value: float) -> float:
    number = _real("delta", value)
    if not 0 <= number <= 1:
        raise InvalidArgument(f"delta must be a probability between 0 and 1, got {value!r}")
    return number


def _real(name: str, value: object) -> float:
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise InvalidArgument(f"{name} must be a number, got {value!r} of type {type(value).__name__}")
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidArgument(f"{name} must be a number that a double can hold, got {value!r}: {error}") from error


def _stated_epsilon(epsilon: object, ratio: object) -> tuple[float, Fraction | None, Fraction | None]:
    """Epsilon as a double, and exactly: as a fraction where no double holds it, or as the ratio exp(epsilon)."""
    if epsilon is not None and ratio is not None:
        raise InvalidArgument(f"epsilon or ratio must be given, and not both, got {epsilon!r} and {ratio!r}")
    if ratio is None:
        value = _checked_epsilon(epsilon)  # type: ignore[arg-type]  # checked there
        return value, _beyond_a_double(epsilon, value), None
    if isinstance(ratio, bool) or not isinstance(ratio, Rational) or ratio < 1:
        raise InvalidArgument(f"ratio must be exp(epsilon) as a Fraction or integer of at least 1, got {ratio!r}")
    exact = Fraction(ratio)
    return _log(exact), None, exact


def _log(ratio: Fraction) -> float:
    """The logarithm of a ratio of at least 1, to the last bits of a double however near to 1 or large it is."""
    try:
        return math.log1p(float(ratio - 1))
    except OverflowError:
        return math.log(ratio.numerator) - math.log(ratio.denominator)


def _beyond_a_double(given: object, value: float) -> Fraction | None:
    """The fraction that was given, where it is not the double it was turned into."""
    return Fraction(given) if isinstance(given, Rational) and Fraction(given) != Fraction(value) else None


def _checked_distance(k: int) -> int:
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise InvalidArgument(f"k (the distance between datasets) must be an integer of at least 1, got {k!r}")
    return k


@dataclass(frozen=True)
class PureDP:
    """Pure differential privacy: no event is more than ``exp(epsilon)`` times likelier on a neighbour.

    Parameters
    ----------
    epsilon : float or Fraction, nats, at least 0
    ratio : Fraction or int, at least 1, instead of epsilon
        ``exp(epsilon)`` itself, as exact laws in fractions want it: ``PureDP(ratio=3)`` is exactly ``log 3``.

    Examples
    --------
    >>> PureDP(1.0).delta(1.0), PureDP(1.0).at_distance(3)
    (0.0, PureDP(epsilon=3.0))
    >>> print(PureDP(ratio=3))
    log(3)-DP
    """

    epsilon_value: float
    epsilon_fraction: Fraction | None = field(default=None, kw_only=True, compare=False)
    ratio: Fraction | None = field(default=None, kw_only=True, compare=False)

    def __init__(self, epsilon: float | Fraction | None = None, *, ratio: Fraction | int | None = None) -> None:
        _set(self, _stated_epsilon(epsilon, ratio))

    def __repr__(self) -> str:
        return f"PureDP({_given(self)})"

    def __str__(self) -> str:
        return f"{_shown(self)}-DP"

    def delta(self, epsilon: float) -> float:
        """0 from the claimed epsilon on; below it the randomised response's ``(e^eps0 - e^eps)/(1 + e^eps0)``."""
        asked = _checked_epsilon(epsilon)
        if asked >= self.epsilon_value:
            return 0.0
        return -math.expm1(asked - self.epsilon_value) / (1.0 + math.exp(-self.epsilon_value))

    def epsilon(self, delta: float) -> float:
        """The epsilon at this delta: ``log(e^eps0 - delta (1 + e^eps0))``, at least 0."""
        asked = _checked_delta(delta)
        inside = 1.0 - asked * (1.0 + math.exp(-self.epsilon_value))
        return max(0.0, self.epsilon_value + math.log(inside)) if inside > 0 else 0.0

    def at_distance(self, k: int) -> PureDP:
        """Group privacy: ``k * epsilon``."""
        return PureDP(_checked_distance(k) * self.epsilon_value)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Nothing beyond fresh, independent runs."""
        return ()


@dataclass(frozen=True)
class ApproxDP:
    """Approximate differential privacy: ``P(M(D) in S) <= exp(epsilon) P(M(D') in S) + delta``.

    Parameters
    ----------
    epsilon : float or Fraction, nats, at least 0
    delta : float or Fraction, a probability
    ratio : Fraction or int, at least 1, instead of epsilon
        ``exp(epsilon)`` itself.

    Examples
    --------
    >>> ApproxDP(1.0, 1e-5)
    ApproxDP(epsilon=1.0, delta=1e-05)
    >>> ApproxDP(epsilon=1.0, delta=1e-5).at_distance(2).epsilon_value
    2.0
    """

    epsilon_value: float
    delta_value: float
    epsilon_fraction: Fraction | None = field(default=None, kw_only=True, compare=False)
    ratio: Fraction | None = field(default=None, kw_only=True, compare=False)
    delta_fraction: Fraction | None = field(default=None, kw_only=True, compare=False)

    def __init__(
        self,
        epsilon: float | Fraction | None = None,
        delta: float | Fraction | None = None,
        *,
        ratio: Fraction | int | None = None,
    ) -> None:
        _set(self, _stated_epsilon(epsilon, ratio))
        value = _checked_delta(delta)  # type: ignore[arg-type]  # a Fraction has a float
        object.__setattr__(self, "delta_value", value)
        object.__setattr__(self, "delta_fraction", _beyond_a_double(delta, value))

    def __repr__(self) -> str:
        delta = self.delta_value if self.delta_fraction is None else self.delta_fraction
        return f"ApproxDP({_given(self)}, delta={delta!r})"

    def __str__(self) -> str:
        return f"({_shown(self)}, {self.delta_value:g})-DP"

    def delta(self, epsilon: float) -> float:
        """The claimed delta from the claimed epsilon on; below it what the extremal mechanism reaches."""
        asked = _checked_epsilon(epsilon)
        pure = PureDP(self.epsilon_value).delta(asked)
        return self.delta_value + (1.0 - self.delta_value) * pure

    def epsilon(self, delta: float) -> float:
        """The epsilon at this delta; ``inf`` below the claimed delta."""
        asked = _checked_delta(delta)
        if asked < self.delta_value:
            return math.inf
        if self.delta_value == 1.0:
            return 0.0
        return PureDP(self.epsilon_value).epsilon((asked - self.delta_value) / (1.0 - self.delta_value))

    def at_distance(self, k: int) -> ApproxDP:
        """Group privacy: ``(k epsilon, delta (e^(k epsilon) - 1)/(e^epsilon - 1))``."""
        steps = _checked_distance(k)
        far = steps * self.epsilon_value
        if self.epsilon_value == 0:
            ratio = float(steps)
        elif far > 700.0:  # beyond what a double holds; delta is then 1 unless it is 0
            ratio = math.inf if steps > 1 else 1.0
        else:
            ratio = math.expm1(far) / math.expm1(self.epsilon_value)
        return ApproxDP(far, min(1.0, self.delta_value * ratio) if self.delta_value > 0 else 0.0)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Nothing beyond fresh, independent runs."""
        return ()


def _set(claim: PureDP | ApproxDP, stated: tuple[float, Fraction | None, Fraction | None]) -> None:
    for name, value in zip(("epsilon_value", "epsilon_fraction", "ratio"), stated, strict=True):
        object.__setattr__(claim, name, value)


def _given(claim: PureDP | ApproxDP) -> str:
    if claim.ratio is not None:
        return f"ratio={claim.ratio!r}"
    return f"epsilon={(claim.epsilon_value if claim.epsilon_fraction is None else claim.epsilon_fraction)!r}"


def _shown(claim: PureDP | ApproxDP) -> str:
    return f"{claim.epsilon_value:g}" if claim.ratio is None else f"log({claim.ratio})"


@dataclass(frozen=True)
class ExactPoint:
    """The (epsilon, delta) of a claim without any rounding; ``ratio`` is exp(epsilon) where it was given so."""

    epsilon: Fraction
    ratio: Fraction | None
    delta: Fraction

    @property
    def nats(self) -> float:
        """Epsilon as a double, within two units in its last place."""
        return _log(self.ratio) if self.ratio is not None else float(self.epsilon)


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
    epsilon, delta = claim_point(claim)
    assert isinstance(claim, PureDP | ApproxDP)
    fraction = claim.delta_fraction if isinstance(claim, ApproxDP) else None
    return ExactPoint(
        Fraction(epsilon) if claim.epsilon_fraction is None else claim.epsilon_fraction,
        claim.ratio,
        Fraction(delta) if fraction is None else fraction,
    )


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
        f"claim must be an epsilon (a number), PureDP(epsilon) or ApproxDP(epsilon, delta), got {claim!r}"
    )


def claim_point(claim: Claim) -> tuple[float, float]:
    """The (epsilon, delta) at which a pure or approximate claim is tested.

    Raises
    ------
    InvalidArgument
        For a kind of claim that is not tested at one point.

    Examples
    --------
    >>> claim_point(ApproxDP(1.0, 1e-5))
    (1.0, 1e-05)
    """
    if isinstance(claim, PureDP):
        return claim.epsilon_value, 0.0
    if isinstance(claim, ApproxDP):
        return claim.epsilon_value, claim.delta_value
    raise InvalidArgument(f"claim must be PureDP or ApproxDP here, got {claim!r}")
