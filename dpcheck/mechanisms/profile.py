"""Privacy profiles: the exact delta at every epsilon, and epsilon at every delta, of an ordered pair of laws.

The profile of P and Q is their hockey-stick divergence, ``delta(epsilon) = sup_S P(S) - exp(epsilon) Q(S)``.
Finite laws are handled here once; the families with a closed form keep theirs beside the mechanism.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dpcheck.mechanisms.parameters import at_least_zero, probability

#: Halvings of the bracket: a double has 53 bits of mantissa, so 200 reach its last bit from any start.
_HALVINGS = 200

#: Where the search for an upper end gives up: exp() of more than this overflows.
_LARGEST_EPSILON = 700.0


class Profile(Protocol):
    """The privacy profile of an ordered pair of output laws."""

    def delta(self, epsilon: float) -> float:
        """The smallest delta at this epsilon."""
        ...

    def epsilon(self, delta: float) -> float:
        """The smallest epsilon at this delta (``inf`` if none, at least 0)."""
        ...


@dataclass(frozen=True)
class FiniteProfile:
    """The profile of two finite laws.

    Parameters
    ----------
    p, q : arrays of shape (m,), probabilities of the same m outputs

    Examples
    --------
    >>> round(FiniteProfile.of({0: 0.75, 1: 0.25}, {0: 0.25, 1: 0.75}).epsilon(0.0), 6)  # log 3
    1.098612
    >>> FiniteProfile.of({"a": 1.0}, {"b": 1.0}).epsilon(0.5)
    inf
    """

    p: NDArray[np.float64]
    q: NDArray[np.float64]

    @staticmethod
    def of(left: Mapping[Any, float], right: Mapping[Any, float]) -> FiniteProfile:
        """The profile of two laws given as mappings from output to probability."""
        outputs = list(dict.fromkeys([*left, *right]))
        return FiniteProfile(
            np.array([left.get(o, 0.0) for o in outputs], dtype=float),
            np.array([right.get(o, 0.0) for o in outputs], dtype=float),
        )

    def delta(self, epsilon: float) -> float:
        """``sum_o (p(o) - exp(epsilon) q(o))_+``."""
        factor = math.exp(min(at_least_zero("epsilon", epsilon), _LARGEST_EPSILON))
        return float(np.maximum(self.p - factor * self.q, 0.0).sum())

    def epsilon(self, delta: float) -> float:
        """``log max_S (P(S) - delta) / Q(S)``; the best S hold the outputs of largest ratio."""
        asked = probability("delta", delta)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(self.q > 0, self.p / self.q, np.where(self.p > 0, np.inf, 0.0))
            order = np.argsort(-ratio, kind="stable")
            above, below = np.cumsum(self.p[order]) - asked, np.cumsum(self.q[order])
            needed = np.where(above > 0, above / below, 0.0)
        largest = float(needed.max())
        return max(0.0, math.log(largest)) if largest > 0 else 0.0


@dataclass(frozen=True)
class BothWays:
    """The profile of an unordered pair: the worse of the two directions."""

    forward: Profile
    backward: Profile

    def delta(self, epsilon: float) -> float:
        """The larger delta of the two directions."""
        return max(self.forward.delta(epsilon), self.backward.delta(epsilon))

    def epsilon(self, delta: float) -> float:
        """The larger epsilon of the two directions."""
        return max(self.forward.epsilon(delta), self.backward.epsilon(delta))


def smallest_epsilon(delta_at: Callable[[float], float], delta: float) -> float:
    """The smallest epsilon at which a continuous, decreasing profile is at most ``delta``, by bisection.

    Parameters
    ----------
    delta_at : callable, epsilon -> delta
    delta : float, a probability

    Returns
    -------
    float
        In nats; ``inf`` where the profile stays above ``delta`` up to the largest epsilon of a double.

    Examples
    --------
    >>> import math
    >>> round(smallest_epsilon(lambda epsilon: math.exp(-epsilon), 0.5), 6)  # log 2
    0.693147
    """
    if delta_at(0.0) <= delta:
        return 0.0
    low, high = 0.0, 1.0
    while delta_at(high) > delta:
        if high >= _LARGEST_EPSILON:
            return math.inf
        low, high = high, min(2 * high, _LARGEST_EPSILON)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if delta_at(middle) <= delta else (middle, high)
    return high
