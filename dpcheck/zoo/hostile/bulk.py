"""Learners whose ``sample`` is not what it claims to be: many independent outputs of ``__call__``."""

from __future__ import annotations

from typing import Any

import numpy as np


class ReusesOneDraw:
    """Its ``sample`` repeats one draw."""

    def __call__(self, dataset: Any, rng: Any) -> float:
        """One uniform draw."""
        return float(rng.random())

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        """One draw, ``size`` times."""
        return np.full(size, rng.random())


class SamplesAnotherLaw:
    """Its ``sample`` draws from another distribution than its calls."""

    def __call__(self, dataset: Any, rng: Any) -> float:
        """One uniform draw."""
        return float(rng.random())

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        """Squares of uniform draws."""
        return rng.random(size) ** 2


class SamplesTooFew:
    """Its ``sample`` gives one output less than asked for."""

    def __call__(self, dataset: Any, rng: Any) -> float:
        """One uniform draw."""
        return float(rng.random())

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        """One less."""
        return rng.random(size - 1)


class SamplesNothing:
    """Its ``sample`` gives a generator, which has no length."""

    def __call__(self, dataset: Any, rng: Any) -> float:
        """One uniform draw."""
        return float(rng.random())

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        """A generator."""
        return (rng.random() for _ in range(size))


class RaisesInSample:
    """Its ``sample`` raises."""

    def __call__(self, dataset: Any, rng: Any) -> float:
        """One uniform draw."""
        return float(rng.random())

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        """Nothing."""
        raise ValueError(f"cannot draw {size}")


class RepeatsEachDraw:
    """Its ``sample`` gives each draw twice."""

    def __call__(self, dataset: Any, rng: Any) -> float:
        """One uniform draw."""
        return float(rng.random())

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        """Half as many draws, each twice."""
        return np.repeat(rng.random(size // 2 + 1), 2)[:size]


class SamplesAnotherDataset:
    """Its ``sample`` forgets the dataset."""

    def __call__(self, dataset: Any, rng: Any) -> float:
        """Noise around the dataset's size, which neighbours share."""
        return len(dataset) + 0.1 * float(rng.random())

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        """Noise around the size of an empty one."""
        return 0.1 * rng.random(size)
