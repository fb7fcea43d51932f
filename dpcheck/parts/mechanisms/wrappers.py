"""What people put around a mechanism and should not: a seed of their own, an answer that is sometimes withheld."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from dpcheck.parts.mechanisms.profile import ALIKE, DISJOINT, Profile
from dpcheck.parts.mechanisms.queries import Query, total


@dataclass(frozen=True)
class Seeded:
    """A mechanism that is run with a generator of its own seed, whatever the generator it is given.

    Its output is a function of the dataset alone.

    Parameters
    ----------
    mechanism : a learner
    seed : callable, dataset -> integer of at least 0

    Examples
    --------
    >>> from dpcheck.parts.mechanisms.laplace import Laplace
    >>> seeded = Seeded(Laplace(1.0), lambda dataset: 7)
    >>> seeded([1], np.random.default_rng()) == seeded([1], np.random.default_rng())
    True
    """

    mechanism: Any
    seed: Callable[[Any], int]

    def __call__(self, dataset: Any, rng: Generator) -> Any:
        """The one output there is."""
        return self.mechanism(dataset, np.random.default_rng(self.seed(dataset)))

    def sample(self, dataset: Any, size: int, rng: Generator) -> Any:
        """The one output, ``size`` times."""
        return np.full(size, self(dataset, rng))

    def distribution(self, dataset: Any) -> dict[Any, float]:
        """All on one output."""
        return {self(dataset, np.random.default_rng()): 1.0}

    def profile(self, left: Any, right: Any) -> Profile:
        """Alike or without a common output."""
        return ALIKE if self.distribution(left) == self.distribution(right) else DISJOINT


@dataclass(frozen=True)
class Withholding:
    """A mechanism that answers None where a query of the *exact* data is below a threshold.

    Parameters
    ----------
    mechanism : a learner with ``sample`` and ``profile``
    least : float
    query : callable, dataset -> number; the sum of the records by default

    Examples
    --------
    >>> from dpcheck.parts.mechanisms.laplace import Laplace
    >>> Withholding(Laplace(1.0), least=2).profile([1, 1], [1, 0]).epsilon(0.0)
    inf
    """

    mechanism: Any
    least: float
    query: Query = total

    def __call__(self, dataset: Any, rng: Generator) -> Any:
        """One answer, or None."""
        return self.mechanism(dataset, rng) if self._answers(dataset) else None

    def sample(self, dataset: Any, size: int, rng: Generator) -> Any:
        """``size`` independent answers, or as many times None."""
        return self.mechanism.sample(dataset, size, rng) if self._answers(dataset) else [None] * size

    def profile(self, left: Any, right: Any) -> Profile:
        """That of the mechanism where both are answered; alike where neither is, else without a common output."""
        return _of_two(self.mechanism, left, right, (self._answers(left), self._answers(right)))

    def _answers(self, dataset: Any) -> bool:
        return bool(self.query(dataset) >= self.least)


@dataclass(frozen=True)
class Refusing:
    """A mechanism that raises where a query of the *exact* data is above a threshold.

    It has no ``sample``: an exception is the output of a call, and the failure of a bulk draw.

    Parameters
    ----------
    mechanism : a learner with ``profile``
    most : float
    query : callable, dataset -> number; the sum of the records by default

    Examples
    --------
    >>> from dpcheck.parts.mechanisms.laplace import Laplace
    >>> Refusing(Laplace(1.0), most=1).profile([1, 1], [1, 0]).epsilon(0.0)
    inf
    """

    mechanism: Any
    most: float
    query: Query = total

    def __call__(self, dataset: Any, rng: Generator) -> Any:
        """One answer.

        Raises
        ------
        ValueError
            Above the threshold.
        """
        if not self._answers(dataset):
            raise ValueError(f"the data must be at most {self.most:g}")
        return self.mechanism(dataset, rng)

    def profile(self, left: Any, right: Any) -> Profile:
        """That of the mechanism where both are answered; alike where neither is, else without a common output."""
        return _of_two(self.mechanism, left, right, (self._answers(left), self._answers(right)))

    def _answers(self, dataset: Any) -> bool:
        return bool(self.query(dataset) <= self.most)


def _of_two(mechanism: Any, left: Any, right: Any, answered: tuple[bool, bool]) -> Profile:
    if answered[0] != answered[1]:
        return DISJOINT
    profile: Profile = mechanism.profile(left, right) if answered[0] else ALIKE
    return profile
