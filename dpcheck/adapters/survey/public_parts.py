"""A supervised estimator of which a part is public: the labels, or some records that are always there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class WithPublicLabels:
    """Fits on rows of features; their labels go by their place: 0, 1, 0, 1, and so on.

    Parameters
    ----------
    learner : learner of ``(X, y)``
    """

    learner: Any

    @property
    def name(self) -> str:
        """How reports call it."""
        return f"{self.learner.name} with public labels"

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One fit."""
        rows = np.reshape(np.asarray(dataset, dtype=np.float64), (len(dataset), -1))
        return self.learner((rows, np.arange(len(rows)) % 2), rng)


@dataclass(frozen=True, eq=False)
class WithPublicRecords:
    """Fits on the dataset and on some public records besides: all classes are there, whatever the dataset's labels.

    Parameters
    ----------
    learner : learner of ``(X, y)``
    x, y : lists of features, shape (m, d), and of labels, length m
    """

    learner: Any
    x: tuple[tuple[float, ...], ...]
    y: tuple[int, ...]

    @property
    def name(self) -> str:
        """How reports call it."""
        return f"{self.learner.name} with public records"

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One fit."""
        x, y = dataset
        rows = np.reshape(np.asarray(x, dtype=np.float64), (len(y), -1))
        return self.learner((np.vstack([rows, self.x]), np.concatenate([np.asarray(y, dtype=np.int64), self.y])), rng)
