"""Mechanisms that keep their claim as real numbers and break it as doubles: what their low bits tell is the defect."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.errors import InvalidArgument
from dpcheck.mechanisms.cells import PublicGrid
from dpcheck.mechanisms.densities import LogLinearPieces, PiecewiseConstant, PiecewiseExponential
from dpcheck.mechanisms.laplace import LaplaceProfile
from dpcheck.mechanisms.profile import FiniteProfile

Floats = NDArray[np.float64]
#: Cells by which the profile of real-valued draws is known: their loss is that of the densities to a thousandth.
_CELLS = 4096


def _numbers(dataset: Any) -> Floats:
    """Records in [0, 1], those beyond it moved to its ends; at least one."""
    found = np.clip(np.asarray(dataset, dtype=np.float64).reshape(-1), 0.0, 1.0)
    if not found.size:
        raise InvalidArgument("dataset must hold at least 1 record")
    return found


def _profile(left: LogLinearPieces, right: LogLinearPieces) -> FiniteProfile:
    grid = PublicGrid(0.0, 1.0, _CELLS)
    return FiniteProfile(*(np.exp(grid.masses(each).log_probabilities) for each in (left, right)))


@dataclass(frozen=True)
class MedianInFloats:
    """The exponential mechanism for a median in [0, 1], drawn by the inverse of its distribution function in doubles.

    A flat piece gives multiples of 2^-53, a steep one the logarithms of such.

    Examples
    --------
    >>> drawn = MedianInFloats().sample([0.0, 1.0], 9, np.random.default_rng()) * 2.0**53
    >>> bool((drawn == np.rint(drawn)).all())
    True
    """

    epsilon: float = 1.0

    def density(self, dataset: Any) -> LogLinearPieces:
        """The law of real-valued draws."""
        return PiecewiseExponential.of_absolute_loss(_numbers(dataset), Fraction(self.epsilon) / 2).pieces

    def __call__(self, dataset: Any, rng: np.random.Generator) -> float:
        """One number."""
        return float(self.sample(dataset, 1, rng)[0])

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Floats:
        """``size`` independent numbers, shape (size,)."""
        return self.density(dataset).sample(size, rng)

    def profile(self, left: Any, right: Any) -> FiniteProfile:
        """The profile of real-valued draws."""
        return _profile(self.density(left), self.density(right))


@dataclass(frozen=True)
class ThresholdInFloats:
    """The exponential mechanism for a threshold in [0, 1] below the records, drawn uniformly within its piece.

    Where a piece begins and how long it is decides which doubles can come out.

    Examples
    --------
    >>> drawn = ThresholdInFloats().sample([0.5], 99, np.random.default_rng()) * 2.0**54
    >>> bool((drawn == np.rint(drawn)).all())
    True
    """

    epsilon: float = 1.0

    def density(self, dataset: Any) -> LogLinearPieces:
        """The law of real-valued draws."""
        edges = np.unique(np.concatenate([[0.0, 1.0], _numbers(dataset)]))
        wrong = np.sort(_numbers(dataset)).searchsorted(edges[:-1], side="right")
        return PiecewiseConstant(edges, -wrong, Fraction(self.epsilon) / 2).pieces

    def __call__(self, dataset: Any, rng: np.random.Generator) -> float:
        """One number."""
        return float(self.sample(dataset, 1, rng)[0])

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Floats:
        """``size`` independent numbers, shape (size,)."""
        return self.density(dataset).sample(size, rng)

    def profile(self, left: Any, right: Any) -> FiniteProfile:
        """The profile of real-valued draws."""
        return _profile(self.density(left), self.density(right))


@dataclass(frozen=True)
class MeanInFloats:
    """The mean of records in [0, 1] plus Laplace noise of scale ``1 / (epsilon n)``, as textbooks draw it.

    Examples
    --------
    >>> MeanInFloats().profile([0.0, 1.0], [0.0, 0.0]).epsilon(0.0)
    1.0
    """

    epsilon: float = 1.0

    def __call__(self, dataset: Any, rng: np.random.Generator) -> float:
        """One noisy mean."""
        return float(self.sample(dataset, 1, rng)[0])

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Floats:
        """``size`` independent noisy means, shape (size,)."""
        records = _numbers(dataset)
        return np.asarray(records.mean() + rng.laplace(0.0, 1 / (self.epsilon * len(records)), size))

    def profile(self, left: Any, right: Any) -> LaplaceProfile:
        """The profile of real-valued draws."""
        one, other = _numbers(left), _numbers(right)
        return LaplaceProfile(abs(float(one.mean() - other.mean())) * self.epsilon * len(one))
