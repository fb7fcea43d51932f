"""Laplace noise whose scale is read off the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpcheck.parts.mechanisms.laplaces import LaplacesProfile
from dpcheck.parts.mechanisms.parameters import at_least_zero
from dpcheck.parts.mechanisms.profile import ALIKE, DISJOINT, Profile
from dpcheck.parts.mechanisms.queries import Query, total


@dataclass(frozen=True)
class LaplaceScaledByTheData:
    """An answer plus Laplace noise whose scale is another answer: no scale that depends on the data is right.

    Parameters
    ----------
    scale : callable, dataset -> number of at least 0 (0: no noise)
    query : callable, dataset -> number; the sum of the records by default

    Examples
    --------
    >>> from dpcheck.parts.mechanisms.queries import largest
    >>> LaplaceScaledByTheData(largest).profile([1.0], [0.5]).epsilon(0.0)
    inf
    """

    scale: Query
    query: Query = total

    def __call__(self, dataset: Any, rng: Generator) -> float:
        """One noisy answer."""
        return float(self.sample(dataset, 1, rng)[0])

    def sample(self, dataset: Any, size: int, rng: Generator) -> NDArray[np.float64]:
        """``size`` independent noisy answers, shape (size,)."""
        return float(self.query(dataset)) + rng.laplace(0.0, self._scale(dataset), size)

    def profile(self, left: Any, right: Any) -> Profile:
        """The exact profile of the laws on two datasets; with no noise on one of them they share no output."""
        centres = float(self.query(left)), float(self.query(right))
        scales = self._scale(left), self._scale(right)
        if min(scales) == 0:
            return ALIKE if scales == (0.0, 0.0) and centres[0] == centres[1] else DISJOINT
        return LaplacesProfile(centres[0], scales[0], centres[1], scales[1])

    def _scale(self, dataset: Any) -> float:
        return at_least_zero("scale", float(self.scale(dataset)))
