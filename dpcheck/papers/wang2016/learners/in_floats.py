"""The continuous learners as they drew in doubles: right for real numbers, and their low bits tell of the data.

Kept for the zoo. What they should have released is a cell of a public grid (:mod:`dpcheck.parts.mechanisms.cells`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.papers.wang2016.learners.boxes import LogConcaveOnBox
from dpcheck.papers.wang2016.learners.logconcave import LogConcaveExponential
from dpcheck.papers.wang2016.learners.on_interval import ExponentialOnInterval
from dpcheck.papers.wang2016.learners.perturbation import PerturbedMinimiser
from dpcheck.parts.mechanisms.cells import PublicGrid
from dpcheck.parts.mechanisms.profile import FiniteProfile, Profile

Floats = NDArray[np.float64]
Continuous = ExponentialOnInterval | LogConcaveExponential | LogConcaveOnBox | PerturbedMinimiser
#: Cells along a coordinate by which the profile of a product is known, and into how many losses it is put together.
_CELLS_OF_A_PRODUCT, _LOSSES = 256, 4096


@dataclass(frozen=True)
class DrawnInFloats:
    """A learner whose draws are the density's own (or the noise's), as doubles, not of a public grid.

    Parameters
    ----------
    learner : ExponentialOnInterval, LogConcaveExponential, LogConcaveOnBox of a product, or PerturbedMinimiser
    label : int, optional
        The label of all records, for a learner that takes labelled ones: here records are numbers.

    Examples
    --------
    >>> flat = DrawnInFloats(ExponentialOnInterval("absolute")).sample([0.0, 1.0], 9, np.random.default_rng())
    >>> bool((flat * 2.0**53 == np.rint(flat * 2.0**53)).all())  # of a flat piece; a steep one gives logarithms
    True
    """

    learner: Continuous
    label: int | None = None

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One hypothesis: a number, or an array of shape (dimension,)."""
        drawn = self.sample(dataset, 1, rng)[0]
        return np.asarray(drawn) if np.ndim(drawn) else float(drawn)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Floats:
        """``size`` independent hypotheses, shape (size,) or (size, dimension)."""
        learner, records = self.learner, self._records(dataset)
        match learner:
            case PerturbedMinimiser():
                return np.asarray(learner.minimiser(records) + rng.laplace(0.0, learner.scale(records), size))
            case LogConcaveOnBox():
                return np.column_stack([law.sample(size, rng) for law in learner.coordinates(records)])
            case _:
                return learner.density(records).sample(size, rng)

    def profile(self, left: Any, right: Any) -> Profile:
        """The profile of real-valued draws, of cells so small that the loss is that of densities to a thousandth."""
        learner, one, other = self.learner, self._records(left), self._records(right)
        match learner:
            case PerturbedMinimiser():
                return learner.profile(one, other)
            case LogConcaveOnBox():
                grid = PublicGrid(learner.loss.low, learner.loss.high, _CELLS_OF_A_PRODUCT)
                found, *more = (
                    _on(grid, *along)
                    for along in zip(learner.coordinates(one), learner.coordinates(other), strict=True)
                )
                for each in more:
                    found = found.product(each, _LOSSES)
                return found
            case _:
                return FiniteProfile(*(np.exp(learner.law_of_cells(each).log_probabilities) for each in (one, other)))

    def _records(self, dataset: Any) -> Any:
        return dataset if self.label is None else (dataset, [self.label] * len(dataset))


def _on(grid: PublicGrid, left: Any, right: Any) -> FiniteProfile:
    """The profile of two densities on the middles of cells."""
    laws: list[Callable[[Floats], Any]] = [left.log_density, right.log_density]
    return FiniteProfile(*(np.exp(grid.values(each).log_probabilities) for each in laws))
