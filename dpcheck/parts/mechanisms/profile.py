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

from dpcheck.parts.mechanisms.parameters import at_least_zero, probability

#: Halvings of the bracket: a double has 53 bits of mantissa, so 200 reach its last bit from any start.
_HALVINGS = 200

#: Losses this part of their range apart are one loss, computed in another order.
_SAME_LOSS = 1e-12

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

    def product(self, other: FiniteProfile, cells: int) -> FiniteProfile:
        """The profile of two independent outputs, the outcomes of nearly one loss put together.

        Putting outcomes together can only lose, so this is a lower bound; those of the largest and of the
        smallest loss stay apart, so that epsilon at delta 0 is exact.

        Parameters
        ----------
        other : FiniteProfile
        cells : int, at least 1, into how many equal parts the range of losses is cut

        Examples
        --------
        >>> coin = FiniteProfile.of({0: 0.75, 1: 0.25}, {0: 0.25, 1: 0.75})
        >>> round(coin.product(coin, 100).epsilon(0.0), 6)  # 2 log 3
        2.197225
        """
        p, q = np.outer(self.p, other.p).ravel(), np.outer(self.q, other.q).ravel()
        p, q = p[(p > 0) & (q > 0)], q[(p > 0) & (q > 0)]
        loss = np.log(p / q)
        low, high = float(loss.min()), float(loss.max())
        nearly = (high - low) * _SAME_LOSS
        place = 1 + np.floor((loss - low) / max(high - low, np.finfo(float).tiny) * cells).astype(np.int64)
        place = np.where(loss <= low + nearly, 0, np.where(loss >= high - nearly, cells + 2, place))
        _, group = np.unique(place, return_inverse=True)
        only_left = float(self.p[self.q == 0].sum()), float(other.p[other.q == 0].sum())
        only_right = float(self.q[self.p == 0].sum()), float(other.q[other.p == 0].sum())
        alone_left, alone_right = (a + b - a * b for a, b in (only_left, only_right))
        return FiniteProfile(
            np.concatenate([np.bincount(group, p), [alone_left, 0.0]]),
            np.concatenate([np.bincount(group, q), [0.0, alone_right]]),
        )


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


#: The profile of laws that share no output: whichever comes, it says which law it came from.
DISJOINT = FiniteProfile(np.array([1.0, 0.0]), np.array([0.0, 1.0]))

#: The profile of a law and itself.
ALIKE = FiniteProfile(np.ones(1), np.ones(1))
