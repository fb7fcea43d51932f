"""Pure and approximate differential privacy: the claims that are one (epsilon, delta) statement."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

from dpcheck.model.claims.arguments import checked_delta, checked_distance, checked_epsilon
from dpcheck.model.claims.stated import beyond_a_double, stated_epsilon


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
        _set(self, stated_epsilon(epsilon, ratio))

    def __repr__(self) -> str:
        return f"PureDP({_arguments_text(self)})"

    def __str__(self) -> str:
        return f"{_epsilon_text(self)}-DP"

    def delta(self, epsilon: float) -> float:
        """0 from the claimed epsilon on; below it the randomised response's ``(e^eps0 - e^eps)/(1 + e^eps0)``."""
        asked = checked_epsilon(epsilon)
        if asked >= self.epsilon_value:
            return 0.0
        return -math.expm1(asked - self.epsilon_value) / (1.0 + math.exp(-self.epsilon_value))

    def epsilon(self, delta: float) -> float:
        """The epsilon at this delta: ``log(e^eps0 - delta (1 + e^eps0))``, at least 0."""
        asked = checked_delta(delta)
        inside = 1.0 - asked * (1.0 + math.exp(-self.epsilon_value))
        return max(0.0, self.epsilon_value + math.log(inside)) if inside > 0 else 0.0

    def at_distance(self, k: int) -> PureDP:
        """Group privacy: ``k * epsilon``, as exactly as epsilon was stated."""
        steps = checked_distance(k)
        if self.ratio is not None:
            return PureDP(ratio=self.ratio**steps)
        return PureDP(steps * (self.epsilon_value if self.epsilon_fraction is None else self.epsilon_fraction))

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
        _set(self, stated_epsilon(epsilon, ratio))
        value = checked_delta(delta)  # type: ignore[arg-type]  # a Fraction has a float
        object.__setattr__(self, "delta_value", value)
        object.__setattr__(self, "delta_fraction", beyond_a_double(delta, value))

    def __repr__(self) -> str:
        delta = self.delta_value if self.delta_fraction is None else self.delta_fraction
        return f"ApproxDP({_arguments_text(self)}, delta={delta!r})"

    def __str__(self) -> str:
        return f"({_epsilon_text(self)}, {self.delta_value:g})-DP"

    def delta(self, epsilon: float) -> float:
        """The claimed delta from the claimed epsilon on; below it what the extremal mechanism reaches."""
        asked = checked_epsilon(epsilon)
        pure = PureDP(self.epsilon_value).delta(asked)
        return self.delta_value + (1.0 - self.delta_value) * pure

    def epsilon(self, delta: float) -> float:
        """The epsilon at this delta; ``inf`` below the claimed delta."""
        asked = checked_delta(delta)
        if asked < self.delta_value:
            return math.inf
        if self.delta_value == 1.0:
            return 0.0
        return PureDP(self.epsilon_value).epsilon((asked - self.delta_value) / (1.0 - self.delta_value))

    def at_distance(self, k: int) -> ApproxDP:
        """Group privacy: ``(k epsilon, delta (e^(k epsilon) - 1)/(e^epsilon - 1))``."""
        steps = checked_distance(k)
        if self.ratio is not None and self.ratio > 1:  # stated exactly, so it stays exact
            delta = Fraction(self.delta_value) if self.delta_fraction is None else self.delta_fraction
            grown = delta * (self.ratio**steps - 1) / (self.ratio - 1)
            return ApproxDP(delta=min(Fraction(1), grown), ratio=self.ratio**steps)
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


def _arguments_text(claim: PureDP | ApproxDP) -> str:
    if claim.ratio is not None:
        return f"ratio={claim.ratio!r}"
    return f"epsilon={(claim.epsilon_value if claim.epsilon_fraction is None else claim.epsilon_fraction)!r}"


def _epsilon_text(claim: PureDP | ApproxDP) -> str:
    return f"{claim.epsilon_value:g}" if claim.ratio is None else f"log({claim.ratio})"
