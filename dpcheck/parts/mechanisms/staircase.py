"""Staircase noise: the pure mechanism of least expected error for one number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms.parameters import positive
from dpcheck.parts.mechanisms.profile import FiniteProfile
from dpcheck.parts.mechanisms.queries import Query, total

#: Stairs beyond which nothing is left: the density falls by exp(-epsilon) a stair.
_REACH = 40.0


@dataclass(frozen=True)
class Staircase:
    """An answer plus noise whose density is constant on stairs, lower by ``exp(-epsilon)`` from one to the next.

    The claim is about real numbers: the low bits of the doubles that come out tell more of the data (Mironov 2012,
    doi:10.1145/2382196.2382264).

    Parameters
    ----------
    epsilon : float, nats, above 0
    sensitivity : float, above 0, the width of a stair and the next together
    gamma : float in (0, 1), the part of that width on the upper stair; by default the one of least expected size
    query : callable, dataset -> number; the sum of the records by default

    Raises
    ------
    InvalidArgument
        When a parameter is outside its range.

    Source: Geng & Viswanath 2014, arXiv:1212.1186, definition 2 and algorithm 1.

    Examples
    --------
    >>> [round(Staircase(1.0).profile([moved], [0]).epsilon(0.0), 9) for moved in (1, 1.5)]
    [1.0, 2.0]
    """

    epsilon: float
    sensitivity: float = 1.0
    gamma: float | None = None
    query: Query = total

    def __post_init__(self) -> None:
        for name in ("epsilon", "sensitivity"):
            object.__setattr__(self, name, positive(name, getattr(self, name)))
        if self.gamma is None:
            object.__setattr__(self, "gamma", 1 / (1 + math.exp(self.epsilon / 2)))
        if not 0 < self._gamma < 1:
            raise InvalidArgument(f"gamma must be strictly between 0 and 1, got {self.gamma!r}")

    def __call__(self, dataset: Any, rng: Generator) -> float:
        """One noisy answer."""
        return float(self.sample(dataset, 1, rng)[0])

    def sample(self, dataset: Any, size: int, rng: Generator) -> NDArray[np.float64]:
        """``size`` independent noisy answers, shape (size,)."""
        sign = 2.0 * rng.integers(0, 2, size) - 1.0
        stairs = rng.geometric(-math.expm1(-self.epsilon), size) - 1
        place = rng.random(size)
        upper = rng.random(size) < self._gamma / (self._gamma + (1 - self._gamma) * math.exp(-self.epsilon))
        within = np.where(upper, self._gamma * place, self._gamma + (1 - self._gamma) * place)
        return np.asarray(float(self.query(dataset)) + sign * (stairs + within) * self.sensitivity, dtype=float)

    def profile(self, left: Any, right: Any) -> FiniteProfile:
        """The exact profile of the laws on two datasets: both densities are constant between the stairs' ends."""
        centres = [float(self.query(data)) / self.sensitivity for data in (left, right)]
        stairs = np.arange(math.ceil(_REACH / self.epsilon + abs(centres[0] - centres[1])) + 2)
        ends = np.concatenate([stairs, stairs + self._gamma])
        edges = np.unique(np.concatenate([centre + sign * ends for centre in centres for sign in (1, -1)]))
        # Ends that rounding has torn apart are one.
        edges = edges[np.concatenate([[True], np.diff(edges) > 1e-9])]
        middles, widths = (edges[:-1] + edges[1:]) / 2, np.diff(edges)
        return FiniteProfile(*(self._density(middles - centre) * widths for centre in centres))

    def _density(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of the noise, in units of the sensitivity."""
        size = np.abs(x)
        stair = np.floor(size)
        lower = size - stair >= self._gamma
        top = -math.expm1(-self.epsilon) / (2 * (self._gamma + math.exp(-self.epsilon) * (1 - self._gamma)))
        density: NDArray[np.float64] = top * np.exp(-self.epsilon * (stair + lower))
        return density

    @property
    def _gamma(self) -> float:
        assert self.gamma is not None
        return self.gamma
