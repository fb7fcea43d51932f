"""Laplace noise with ends: the output kept in a range, or the noise itself cut off."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms.laplaces import LaplacesProfile
from dpcheck.parts.mechanisms.parameters import at_least_zero, positive, probability
from dpcheck.parts.mechanisms.profile import FiniteProfile, Profile, smallest_epsilon
from dpcheck.parts.mechanisms.quadrature import laplace_mass
from dpcheck.parts.mechanisms.queries import Query, total

#: Cells into which the range is sorted: delta is then right to about 1e-4.
_CELLS = 400


@dataclass(frozen=True)
class LaplaceInRange:
    """An answer plus Laplace noise, kept in a range: drawn again until it lies there, or moved to its ends.

    Moving to the ends is post-processing and costs nothing. Drawing again conditions on the range, whose
    probability depends on the answer: the loss grows by up to as much again.

    The claim is about real numbers: the low bits of the doubles that come out tell more of the data (Mironov 2012,
    doi:10.1145/2382196.2382264).

    Parameters
    ----------
    scale : float, above 0
    low, high : float, the range; infinite ends are allowed
    again : bool, whether draws outside are drawn again (else moved to the nearer end)
    query : callable, dataset -> number; the sum of the records by default

    Raises
    ------
    InvalidArgument
        When ``scale`` is not a finite number above 0, or ``low`` is not below ``high``.

    Source: Holohan, Antonatos, Braghin & Mac Aonghusa 2020, doi:10.29012/jpc.715 (the bounded Laplace mechanism).

    Examples
    --------
    >>> round(LaplaceInRange(1.0, 0.0, math.inf, again=True).profile([0], [1]).epsilon(0.0), 4)
    1.4899
    """

    scale: float
    low: float
    high: float
    again: bool = False
    query: Query = total

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", positive("scale", self.scale))
        if not self.low < self.high:
            raise InvalidArgument(f"low must be below high, got low {self.low!r} and high {self.high!r}")

    def __call__(self, dataset: Any, rng: Generator) -> float:
        """One noisy answer."""
        return float(self.sample(dataset, 1, rng)[0])

    def sample(self, dataset: Any, size: int, rng: Generator) -> NDArray[np.float64]:
        """``size`` independent noisy answers in [low, high], shape (size,)."""
        answer = float(self.query(dataset))
        drawn = answer + rng.laplace(0.0, self.scale, size)
        if not self.again:
            return np.clip(drawn, self.low, self.high)
        outside = np.flatnonzero((drawn < self.low) | (drawn > self.high))
        while outside.size:
            drawn[outside] = answer + rng.laplace(0.0, self.scale, outside.size)
            outside = outside[(drawn[outside] < self.low) | (drawn[outside] > self.high)]
        return drawn

    def profile(self, left: Any, right: Any) -> Profile:
        """The exact profile when drawn again; when moved, of the two ends and of fine cells between them."""
        first, second = float(self.query(left)), float(self.query(right))
        if self.again:
            return LaplacesProfile(first, self.scale, second, self.scale, self.low, self.high)
        edges = np.concatenate([[-math.inf], np.linspace(self.low, self.high, _CELLS + 1), [math.inf]])
        return FiniteProfile(*(self._cells(centre, edges) for centre in (first, second)))

    def _cells(self, centre: float, edges: NDArray[np.float64]) -> NDArray[np.float64]:
        ends = zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
        return np.array([laplace_mass(low, high, centre, self.scale) for low, high in ends])


@dataclass(frozen=True)
class TruncatedLaplaceProfile:
    """The profile of two truncated Laplace laws, in units of their scale.

    Parameters
    ----------
    shift : float, at least 0, how far apart the centres are
    reach : float, above 0, where the noise ends on either side

    Examples
    --------
    >>> profile = TruncatedLaplaceProfile(1.0, 3.0)
    >>> profile.epsilon(0.0), round(profile.delta(1.0), 6), profile.delta(9.0) == profile.delta(1.0)
    (inf, 0.045015, True)
    """

    shift: float
    reach: float

    def delta(self, epsilon: float) -> float:
        """``P(S) - exp(epsilon) Q(S)``, S beyond the point where the loss is epsilon, or where Q ends."""
        asked = at_least_zero("epsilon", epsilon)
        if self.shift == 0:
            return 0.0
        start = (asked + self.shift) / 2 if asked < self.shift else math.inf
        start = min(max(start, self.shift - self.reach), self.reach)
        whole = -math.expm1(-self.reach)
        likelier = laplace_mass(start, self.shift + self.reach, self.shift, 1.0) / whole
        return max(0.0, likelier - math.exp(asked) * laplace_mass(start, self.reach, 0.0, 1.0) / whole)

    def epsilon(self, delta: float) -> float:
        """``inf`` below the probability of where the other law ends, else by bisection."""
        asked = probability("delta", delta)
        return 0.0 if self.shift == 0 else smallest_epsilon(self.delta, asked)


def calibrated_reach(epsilon: float, delta: float) -> float:
    """Where truncated Laplace noise of scale s / epsilon must end to be (epsilon, delta)-DP, in scales.

    ``log(1 + (exp(epsilon) - 1) / (2 delta))``, rounded up by a part in 10^12.

    Source: Geng, Ding, Guo & Kumar 2018, arXiv:1810.00877, definition 3.

    Examples
    --------
    >>> reach = calibrated_reach(1.0, 0.01)
    >>> round(reach, 4), TruncatedLaplaceProfile(1.0, reach).delta(1.0) <= 0.01
    (4.4649, True)
    """
    at_least_zero("epsilon", epsilon)
    if not 0 < probability("delta", delta) < 1:
        raise InvalidArgument(f"delta must be strictly between 0 and 1, got {delta!r}")
    return math.log1p(math.expm1(epsilon) / (2 * delta)) * (1 + 1e-12)


@dataclass(frozen=True)
class TruncatedLaplace:
    """An answer plus Laplace noise that is cut off: never private at delta 0.

    Parameters
    ----------
    scale : float, above 0, sensitivity / epsilon
    reach : float, above 0, where the noise ends, in scales; see :func:`calibrated_reach`
    query : callable, dataset -> number; the sum of the records by default

    Raises
    ------
    InvalidArgument
        When a parameter is not a finite number above 0.

    Source: Geng, Ding, Guo & Kumar 2018, arXiv:1810.00877.

    Examples
    --------
    >>> round(TruncatedLaplace(1.0, calibrated_reach(1.0, 0.01)).profile([1], [0]).epsilon(0.01), 6)
    1.0
    """

    scale: float
    reach: float
    query: Query = total

    def __post_init__(self) -> None:
        for name in ("scale", "reach"):
            object.__setattr__(self, name, positive(name, getattr(self, name)))

    def __call__(self, dataset: Any, rng: Generator) -> float:
        """One noisy answer."""
        return float(self.sample(dataset, 1, rng)[0])

    def sample(self, dataset: Any, size: int, rng: Generator) -> NDArray[np.float64]:
        """``size`` independent noisy answers, shape (size,)."""
        length = -np.log1p(rng.random(size) * math.expm1(-self.reach))
        sign = 2.0 * rng.integers(0, 2, size) - 1.0
        return np.asarray(float(self.query(dataset)) + self.scale * sign * length, dtype=float)

    def profile(self, left: Any, right: Any) -> TruncatedLaplaceProfile:
        """The exact profile of the laws on two datasets (the same in both directions)."""
        return TruncatedLaplaceProfile(abs(float(self.query(left)) - float(self.query(right))) / self.scale, self.reach)
