"""Finite sets of points that should hold the data: the set of what was seen, and the empty set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.parts.risk.problems import listed


@dataclass(frozen=True)
class Support:
    """The set of the distinct records, in increasing order; the loss of a set is 1 on records that are not in it.

    It minimises the empirical risk, learns what has at most N atoms at the rate N/n, and is not private at all: a
    replaced record shows. It claims nothing.

    Source: wang2016:alg-support, ex-16, ex-17.

    Examples
    --------
    >>> Support()([0.5, 0.25, 0.5], np.random.default_rng())
    (0.25, 0.5)
    """

    order_blind: ClassVar[bool] = True

    @property
    def neighbours(self) -> ReplaceOne:
        """One record replaced."""
        return ReplaceOne()

    def support(self, dataset: Any) -> tuple[Any, ...]:
        """The distinct records, increasing."""
        if isinstance(dataset, np.ndarray) and dataset.ndim == 1:
            return tuple(np.unique(dataset).tolist())
        return tuple(sorted(set(listed(dataset))))

    def __call__(self, dataset: Any, rng: np.random.Generator) -> tuple[Any, ...]:
        """The set."""
        return self.support(dataset)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> list[tuple[Any, ...]]:
        """The set, ``size`` times."""
        return [self.support(dataset)] * size

    def distribution(self, dataset: Any) -> dict[tuple[Any, ...], int]:
        """All on one set."""
        return {self.support(dataset): 1}


@dataclass(frozen=True)
class EmptySet:
    """The empty set, whatever the data: 0-DP, its loss is always 1.

    Under continuous distributions no finite set does better, so it learns them; it minimises no empirical risk.

    Source: wang2016:alg-empty, ex-17.

    Examples
    --------
    >>> EmptySet()([0.5, 0.25], np.random.default_rng()), EmptySet().claim
    ((), PureDP(epsilon=0.0))
    """

    order_blind: ClassVar[bool] = True

    @property
    def claim(self) -> PureDP:
        """The output does not depend on the data."""
        return PureDP(0)

    @property
    def neighbours(self) -> ReplaceOne:
        """One record replaced."""
        return ReplaceOne()

    def answer(self, dataset: Any) -> tuple[Any, ...]:
        """The empty set: the dataset is not read."""
        return ()

    def __call__(self, dataset: Any, rng: np.random.Generator) -> tuple[Any, ...]:
        """The empty set."""
        return self.answer(dataset)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> list[tuple[Any, ...]]:
        """The empty set, ``size`` times."""
        return [self.answer(dataset)] * size

    def distribution(self, dataset: Any) -> dict[tuple[Any, ...], int]:
        """All on the empty set."""
        return {self.answer(dataset): 1}
