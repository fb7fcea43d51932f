"""Noise that is never negative."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpcheck.parts.mechanisms.parameters import at_least_zero, positive, probability
from dpcheck.parts.mechanisms.queries import Query, total


@dataclass(frozen=True)
class OneSidedProfile:
    """The profile of two exponential laws that start ``shift`` scales apart, the first one later or earlier.

    Examples
    --------
    >>> OneSidedProfile(1.0).epsilon(0.0), OneSidedProfile(-1.0).epsilon(0.0)
    (1.0, inf)
    """

    shift: float

    def delta(self, epsilon: float) -> float:
        """The later law is at most exp(shift) times likelier; the earlier is alone before the other starts."""
        asked = at_least_zero("epsilon", epsilon)
        return max(0.0, -math.expm1(asked - self.shift)) if self.shift > 0 else -math.expm1(self.shift)

    def epsilon(self, delta: float) -> float:
        """From the closed form of delta."""
        asked = probability("delta", delta)
        if self.shift <= 0:
            return 0.0 if self.delta(0.0) <= asked else math.inf
        return max(0.0, self.shift + math.log1p(-asked)) if asked < 1 else 0.0


@dataclass(frozen=True)
class OneSidedLaplace:
    """An answer plus exponential noise, which is never negative: not private for answers that go down.

    Parameters
    ----------
    scale : float, above 0
    query : callable, dataset -> number; the sum of the records by default

    Raises
    ------
    InvalidArgument
        When ``scale`` is not a finite number above 0.

    Examples
    --------
    >>> OneSidedLaplace(1.0).profile([0], [1]).epsilon(0.0)
    inf
    """

    scale: float
    query: Query = total

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", positive("scale", self.scale))

    def __call__(self, dataset: Any, rng: Generator) -> float:
        """One noisy answer."""
        return float(self.query(dataset)) + float(rng.exponential(self.scale))

    def sample(self, dataset: Any, size: int, rng: Generator) -> NDArray[np.float64]:
        """``size`` independent noisy answers, shape (size,)."""
        return float(self.query(dataset)) + rng.exponential(self.scale, size)

    def profile(self, left: Any, right: Any) -> OneSidedProfile:
        """The exact profile of the laws on two datasets, in this order."""
        return OneSidedProfile((float(self.query(left)) - float(self.query(right))) / self.scale)
