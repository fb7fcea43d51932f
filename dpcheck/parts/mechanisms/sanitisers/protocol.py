"""What a sanitiser is: a learner whose output is a database, of points of the same domain."""

from __future__ import annotations

from typing import Any

import numpy as np
from typing_extensions import Protocol, runtime_checkable

from dpcheck.model.claims import Claim
from dpcheck.model.neighbours import Relation


@runtime_checkable
class Sanitiser(Protocol):
    """Takes a dataset of n points of a public domain, and draws a database of ``size`` points of that domain.

    The database is a multiset: a tuple of points in the order of the domain, each as often as it occurs. Where the law
    is finite and small, ``distribution(dataset)`` declares it; its outputs are such tuples.

    Source: beimel2015:def-A.2.
    """

    @property
    def size(self) -> int:
        """k, how many points the database has."""
        ...

    @property
    def claim(self) -> Claim:
        """What is promised of every two neighbouring datasets, of any size."""
        ...

    @property
    def neighbours(self) -> Relation:
        """One point replaced."""
        ...

    def __call__(self, dataset: Any, rng: np.random.Generator) -> tuple[Any, ...]:
        """One database: ``size`` points in the order of the domain."""
        ...

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        """``size`` independent databases: integers of shape (size, k), or a list of tuples of other points."""
        ...
