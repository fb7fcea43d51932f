"""The Laplace mechanism and its discrete twin, the geometric mechanism."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpcheck.parts.mechanisms.parameters import at_least_zero, positive, probability
from dpcheck.parts.mechanisms.profile import smallest_epsilon
from dpcheck.parts.mechanisms.queries import Query, integer_answer, total


@dataclass(frozen=True)
class LaplaceProfile:
    """The profile of two Laplace laws whose centres are ``shift`` scales apart.

    Source: the closed form ``delta(epsilon) = 1 - exp((epsilon - shift) / 2)`` for epsilon up to shift.

    Examples
    --------
    >>> LaplaceProfile(2.0).epsilon(0.0), LaplaceProfile(2.0).delta(2.0)
    (2.0, 0.0)
    """

    shift: float

    def delta(self, epsilon: float) -> float:
        """``1 - exp((epsilon - shift) / 2)``, at least 0."""
        return max(0.0, -math.expm1((at_least_zero("epsilon", epsilon) - self.shift) / 2))

    def epsilon(self, delta: float) -> float:
        """``shift + 2 log(1 - delta)``, at least 0."""
        asked = probability("delta", delta)
        return max(0.0, self.shift + 2 * math.log1p(-asked)) if asked < 1 else 0.0


@dataclass(frozen=True)
class Laplace:
    """The Laplace mechanism: the answer to ``query`` plus Laplace noise.

    It is pure epsilon-DP for epsilon = sensitivity / scale.

    The claim is about real numbers: the low bits of the doubles that come out tell more of the data (Mironov 2012,
    doi:10.1145/2382196.2382264).

    Parameters
    ----------
    scale : float, above 0; the noise has density ``exp(-|x| / scale) / (2 scale)``
    query : callable, dataset -> number; the sum of the records by default

    Raises
    ------
    InvalidArgument
        When ``scale`` is not a finite number above 0.

    Source: Dwork, McSherry, Nissim & Smith 2006, doi:10.1007/11681878_14.

    Examples
    --------
    >>> Laplace(scale=0.5).profile([1], [0]).epsilon(0.0)
    2.0
    """

    scale: float
    query: Query = total

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", positive("scale", self.scale))

    def __call__(self, dataset: Any, rng: Generator) -> float:
        """One noisy answer."""
        return float(self.query(dataset)) + float(rng.laplace(0.0, self.scale))

    def sample(self, dataset: Any, size: int, rng: Generator) -> NDArray[np.float64]:
        """``size`` independent noisy answers, shape (size,)."""
        return float(self.query(dataset)) + rng.laplace(0.0, self.scale, size)

    def profile(self, left: Any, right: Any) -> LaplaceProfile:
        """The exact profile of the laws on two datasets (the same in both directions)."""
        return LaplaceProfile(abs(float(self.query(left)) - float(self.query(right))) / self.scale)


@dataclass(frozen=True)
class GeometricProfile:
    """The profile of two geometric laws whose centres are ``steps`` integers apart, each step ``rate`` nats.

    Examples
    --------
    >>> GeometricProfile(2, 0.5).epsilon(0.0)
    1.0
    """

    steps: int
    rate: float

    def delta(self, epsilon: float) -> float:
        """``P(o >= t) - exp(epsilon) Q(o >= t)`` at the first t of likelihood ratio above exp(epsilon).

        Between the centres 0 and ``steps`` it is ``exp(rate (2 o - steps))`` at o, beyond them constant.
        """
        asked = at_least_zero("epsilon", epsilon)
        if asked >= self.steps * self.rate:
            return 0.0
        first = math.floor((asked / self.rate + self.steps) / 2) + 1
        return max(0.0, self._at_least(first - self.steps) - math.exp(asked) * self._at_least(first))

    def epsilon(self, delta: float) -> float:
        """``steps * rate`` at 0, else by bisection of a continuous, decreasing function."""
        asked = probability("delta", delta)
        return self.steps * self.rate if asked == 0 else smallest_epsilon(self.delta, asked)

    def _at_least(self, k: int) -> float:
        tail = math.exp(-self.rate * (k if k > 0 else 1 - k)) / (1 + math.exp(-self.rate))
        return tail if k > 0 else 1 - tail


@dataclass(frozen=True)
class Geometric:
    """The geometric mechanism: an integer answer plus the difference of two geometric variables.

    It is pure epsilon-DP for epsilon = sensitivity / scale; noise k has probability proportional to
    ``exp(-|k| / scale)``.

    Parameters
    ----------
    scale : float, above 0
    query : callable, dataset -> integer; the sum of the records by default

    Raises
    ------
    InvalidArgument
        When ``scale`` is not a finite number above 0, or the answer to the query is not an integer.

    Source: Ghosh, Roughgarden & Sundararajan 2009, doi:10.1145/1536414.1536464.

    Examples
    --------
    >>> Geometric(scale=1.0).profile([1], [0]).epsilon(0.0)
    1.0
    """

    scale: float
    query: Query = total

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", positive("scale", self.scale))

    def __call__(self, dataset: Any, rng: Generator) -> int:
        """One noisy answer."""
        return int(self.sample(dataset, 1, rng)[0])

    def sample(self, dataset: Any, size: int, rng: Generator) -> NDArray[np.int64]:
        """``size`` independent noisy answers, integers of shape (size,)."""
        stop = -math.expm1(-1 / self.scale)
        return self._answer(dataset) + rng.geometric(stop, size) - rng.geometric(stop, size)

    def profile(self, left: Any, right: Any) -> GeometricProfile:
        """The exact profile of the laws on two datasets (the same in both directions)."""
        return GeometricProfile(abs(self._answer(left) - self._answer(right)), 1 / self.scale)

    def _answer(self, dataset: Any) -> int:
        return integer_answer(self.query, dataset, "geometric")
