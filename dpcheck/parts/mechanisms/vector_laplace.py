"""Laplace noise on a vector of answers, such as a histogram."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms.laplace import LaplaceProfile
from dpcheck.parts.mechanisms.parameters import positive
from dpcheck.parts.mechanisms.profile import DISJOINT, FiniteProfile, Profile
from dpcheck.parts.mechanisms.quadrature import laplace_mass
from dpcheck.parts.mechanisms.queries import Query, total

#: Cells into which the losses between the two extreme ones are sorted: delta is then right to about 1e-4.
_CELLS = 400


@dataclass(frozen=True)
class VectorLaplace:
    """A vector of answers, each plus Laplace noise of one scale: epsilon-DP for L1 sensitivity / scale.

    The claim is about real numbers: the low bits of the doubles that come out tell more of the data (Mironov 2012,
    doi:10.1145/2382196.2382264).

    Parameters
    ----------
    scale : float, above 0
    query : callable, dataset -> vector of shape (k,); the columns' sums by default
    shared : bool, whether all answers get the same noise: their differences are then released exactly

    Raises
    ------
    InvalidArgument
        When ``scale`` is not a finite number above 0, or the query does not answer with a vector.

    Source: Dwork, McSherry, Nissim & Smith 2006, doi:10.1007/11681878_14.

    Examples
    --------
    >>> from dpcheck.parts.mechanisms.queries import Counts
    >>> round(VectorLaplace(2.0, Counts(3)).profile([0, 1], [0, 2]).epsilon(0.0), 9)
    1.0
    """

    scale: float
    query: Query = total
    shared: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", positive("scale", self.scale))

    def __call__(self, dataset: Any, rng: Generator) -> NDArray[np.float64]:
        """One noisy vector, shape (k,)."""
        answer: NDArray[np.float64] = self.sample(dataset, 1, rng)[0]
        return answer

    def sample(self, dataset: Any, size: int, rng: Generator) -> NDArray[np.float64]:
        """``size`` independent noisy vectors, shape (size, k)."""
        answers = self._answers(dataset)
        return answers + rng.laplace(0.0, self.scale, (size, 1 if self.shared else answers.size))

    def profile(self, left: Any, right: Any) -> Profile:
        """The profile of the laws on two datasets: exact for one coordinate, and at delta 0 for more.

        The losses of more than one coordinate are added up in fine cells, which is a lower bound elsewhere.
        """
        first, second = self._answers(left), self._answers(right)
        if first.shape != second.shape:
            return DISJOINT
        moved = (first - second) / self.scale
        if self.shared:
            return LaplaceProfile(float(abs(moved[0]))) if np.all(moved == moved[0]) else DISJOINT
        shifts = np.abs(moved[moved != 0]).tolist()
        if len(shifts) < 2:
            return LaplaceProfile(float(sum(shifts)))
        profile = _cells_of_a_shift(shifts[0])
        for shift in shifts[1:]:
            profile = profile.product(_cells_of_a_shift(shift), _CELLS)
        return profile

    def _answers(self, dataset: Any) -> NDArray[np.float64]:
        answers = np.asarray(self.query(dataset), dtype=float)
        if answers.ndim != 1 or answers.size == 0:
            raise InvalidArgument(f"query must answer with a vector, got an array of shape {answers.shape}")
        return answers


def _cells_of_a_shift(shift: float) -> FiniteProfile:
    """Two Laplace laws of scale 1, 0 and ``shift`` their centres: the half-lines beyond them, and cells between."""
    edges = [-math.inf, *np.linspace(0.0, shift, _CELLS + 1).tolist(), math.inf]
    ends = list(itertools.pairwise(edges))
    laws = [np.array([laplace_mass(a, b, centre, 1.0) for a, b in ends]) for centre in (shift, 0.0)]
    return FiniteProfile(*laws)
