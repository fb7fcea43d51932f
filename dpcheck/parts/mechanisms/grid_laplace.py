"""Laplace noise on a grid: the noisy answer rounded, or the noise alone."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpcheck.parts.mechanisms.parameters import positive, real
from dpcheck.parts.mechanisms.profile import DISJOINT, FiniteProfile
from dpcheck.parts.mechanisms.quadrature import laplace_mass
from dpcheck.parts.mechanisms.queries import Query, total


@dataclass(frozen=True)
class LaplaceOnGrid:
    """An answer plus Laplace noise, one of them rounded to a multiple of ``step``.

    Rounding the noisy answer is post-processing. Rounding the noise leaves the answer's remainder in sight.

    Parameters
    ----------
    scale : float, above 0
    step : float, above 0
    round_noise_only : bool, whether the noise is rounded instead of the noisy answer
    query : callable, dataset -> number; the sum of the records by default

    Raises
    ------
    InvalidArgument
        When ``scale`` or ``step`` is not a finite number above 0.

    Examples
    --------
    >>> right, wrong = LaplaceOnGrid(1.0, 1.0), LaplaceOnGrid(1.0, 1.0, round_noise_only=True)
    >>> round(right.profile([0.5], [0]).epsilon(0.0), 6), wrong.profile([0.5], [0]).epsilon(0.0)
    (0.5, inf)
    """

    scale: float
    step: float
    round_noise_only: bool = False
    query: Query = total

    def __post_init__(self) -> None:
        for name in ("scale", "step"):
            object.__setattr__(self, name, positive(name, getattr(self, name)))

    def __call__(self, dataset: Any, rng: Generator) -> float:
        """One noisy answer."""
        return float(self.sample(dataset, 1, rng)[0])

    def sample(self, dataset: Any, size: int, rng: Generator) -> NDArray[np.float64]:
        """``size`` independent noisy answers, shape (size,)."""
        answer, noise = float(self.query(dataset)), rng.laplace(0.0, self.scale, size)
        if self.round_noise_only:
            return answer + self.step * np.rint(noise / self.step)
        return self.step * np.rint((answer + noise) / self.step)

    def profile(self, left: Any, right: Any) -> FiniteProfile:
        """The profile of the laws on two datasets: the sum over the grid's cells, all of them within 40 scales."""
        first, second = (real("query", float(self.query(data))) / self.step for data in (left, right))
        if self.round_noise_only:
            if not (first - second).is_integer():
                return DISJOINT
            # On its own grid the first answer is 0 and the second a whole number of steps away.
            first, second = 0.0, second - first
        reach = 40 * self.scale / self.step
        cells = np.arange(math.floor(min(first, second) - reach), math.ceil(max(first, second) + reach) + 1)
        edges = np.concatenate([[-math.inf], cells + 0.5, [math.inf]]).tolist()
        scale = self.scale / self.step
        laws = [
            np.array([laplace_mass(a, b, centre, scale) for a, b in itertools.pairwise(edges)])
            for centre in (first, second)
        ]
        return FiniteProfile(*laws)
