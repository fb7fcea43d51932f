"""Pure and approximate differential privacy: the claims that are one (epsilon, delta) statement."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpcheck.claims.arguments import checked_delta, checked_distance, checked_epsilon


@dataclass(frozen=True)
class PureDP:
    """Pure differential privacy: no event is more than ``exp(epsilon)`` times likelier on a neighbour.

    Parameters
    ----------
    epsilon : float, nats, at least 0

    Examples
    --------
    >>> PureDP(1.0).delta(1.0), PureDP(1.0).at_distance(3)
    (0.0, PureDP(epsilon=3.0))
    """

    epsilon_value: float

    def __init__(self, epsilon: float) -> None:
        object.__setattr__(self, "epsilon_value", checked_epsilon(epsilon))

    def __repr__(self) -> str:
        return f"PureDP(epsilon={self.epsilon_value!r})"

    def __str__(self) -> str:
        return f"{self.epsilon_value:g}-DP"

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
        """Group privacy: ``k * epsilon``."""
        return PureDP(checked_distance(k) * self.epsilon_value)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Nothing beyond fresh, independent runs."""
        return ()


@dataclass(frozen=True)
class ApproxDP:
    """Approximate differential privacy: ``P(M(D) in S) <= exp(epsilon) P(M(D') in S) + delta``.

    Parameters
    ----------
    epsilon : float, nats, at least 0
    delta : float, a probability

    Examples
    --------
    >>> ApproxDP(1.0, 1e-5)
    ApproxDP(epsilon=1.0, delta=1e-05)
    >>> ApproxDP(epsilon=1.0, delta=1e-5).at_distance(2).epsilon_value
    2.0
    """

    epsilon_value: float
    delta_value: float

    def __init__(self, epsilon: float, delta: float) -> None:
        object.__setattr__(self, "epsilon_value", checked_epsilon(epsilon))
        object.__setattr__(self, "delta_value", checked_delta(delta))

    def __repr__(self) -> str:
        return f"ApproxDP(epsilon={self.epsilon_value!r}, delta={self.delta_value!r})"

    def __str__(self) -> str:
        return f"({self.epsilon_value:g}, {self.delta_value:g})-DP"

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
