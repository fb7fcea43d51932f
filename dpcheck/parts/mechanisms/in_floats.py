"""A mean that keeps its claim as a real number and breaks it as a double: what its low bits tell is the defect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms.laplace import LaplaceProfile

Floats = NDArray[np.float64]


def _numbers(dataset: Any) -> Floats:
    """Records in [0, 1], those beyond it moved to its ends; at least one."""
    found = np.clip(np.asarray(dataset, dtype=np.float64).reshape(-1), 0.0, 1.0)
    if not found.size:
        raise InvalidArgument("dataset must hold at least 1 record")
    return found


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
